/* Shadows on the ground. Every strand is projected onto it as a band of its true width, in layers by height, and each layer is
 * blurred the more the higher it is, as the penumbra of a light of some size would be. Projected straight down and blurred by
 * the height itself the same gives the hidden part of the sky. Objects at rest are drawn in layers of their own, which the others are
 * drawn over. */
#include "record/float_lanes.h"
#include "record/render_kept.h"

#include "math/vec3.h"

#include <string.h>

enum {
    BAND = 64,   /* columns blurred together; divides every map's size */
    STEPS = 256, /* of shadows: finer ones are not seen */
};

static int clamp_int(double x, int low, int high)
{
    return x > low ? x < high ? (int)x : high : low;
}

/* ---- objects that cast shadows --------------------------------------------------------------------- */

/* A triangle, or a band with round ends, that casts a shadow. */
typedef struct shadow_caster {
    double a[3], b[3];
    double half; /* of its width across the projection */
    /* A triangle instead. */
    bool triangle;
    double c[3];
} shadow_caster;

typedef struct projection {
    const frame *f;
    double light[3];    /* to the light; straight up for the sky */
    double height;      /* of the ground */
    double longest;     /* of a shadow caster */
    double blur, sharp; /* per height, and at the ground, m */
    double top;         /* above the ground */
    cover_map *map;
    kept_shadow *kept;
    bool resting; /* objects at rest are drawn, or the others */
} projection;

static void draw_caster(const projection *g, const shadow_caster *p);

/* Half the width of a section seen along the light. */
static double seen_half(const cord_section *s, const double half[2], const double axes[6],
                        const double light[3])
{
    double n[3], second[3];
    v3_cross(n, axes, light);
    v3_cross(second, axes, axes + 3);
    double length = v3_norm(n);
    if (length < 1e-6) return fmax(half[0], half[1]);
    double a = half[0] * v3_dot(n, axes + 3) / length, b = half[1] * v3_dot(n, second) / length;
    return s->kind == CORD_SECTION_RECTANGLE ? fabs(a) + fabs(b) : hypot(a, b);
}

static void draw_strand(const projection *g, const picture_strand *s)
{
    double half[2];
    const sweep_style *style = &g->f->style;
    cord__section_halves(&s->section, style->fallback_radius, half);
    double grow = fmax(1, style->smallest_radius / fmax(half[0], half[1]));
    for (int k = 0; k < 2; k++) half[k] *= grow;
    for (int e = 0; e < s->edges; e++) {
        const double *a = s->x + 3 * (size_t)e, *b = s->x + 3 * (size_t)((e + 1) % s->vertices);
        int parts = (int)fmin(1 + v3_distance(a, b) / g->longest, 1000);
        shadow_caster p = {.half =
                               seen_half(&s->section, half, s->frames + 6 * (size_t)e, g->light)};
        for (int i = 0; i < parts; i++) {
            double u = i / (double)parts, v = (i + 1) / (double)parts;
            v3_combine(p.a, 1 - u, a, u, b);
            v3_combine(p.b, 1 - v, a, v, b);
            draw_caster(g, &p);
        }
    }
}

/* The side to the light is enough: the other has the same shadow. */
static void draw_body(const projection *g, const kept_object *o)
{
    const mesh *m = &g->f->casters;
    for (size_t t = o->caster; t < o[1].caster; t++) {
        shadow_caster p = {.triangle = true};
        double *corners[3] = {p.a, p.b, p.c}, u[3], v[3], n[3];
        for (int k = 0; k < 3; k++) {
            const float *x = m->vertices[m->corners[3 * t + (size_t)k]].x;
            v3_set(corners[k], x[0], x[1], x[2]);
        }
        v3_sub(u, p.b, p.a);
        v3_sub(v, p.c, p.a);
        v3_cross(n, u, v);
        if (v3_dot(n, g->light) > 0) draw_caster(g, &p);
    }
}

static void draw_marker(const projection *g, const picture_marker *m)
{
    double size[3];
    cord__marker_sizes(m, g->f->style.smallest_marker, size);
    shadow_caster p = {.half = (size[0] + size[1]) / 2};
    double reach = m->kind >= MARKER_LINK ? 0.5 * m->length : 0;
    v3_combine(p.a, 1, m->position, -reach, m->frame);
    v3_combine(p.b, 1, m->position, reach, m->frame);
    draw_caster(g, &p);
}

static void draw_casters(const projection *g)
{
    const picture *p = g->f->p;
    const kept_object *o = g->f->kept->objects;
    for (int i = 0; i < p->strand_count; i++, o++)
        if (o->resting == g->resting) draw_strand(g, &p->strands[i]);
    for (int i = 0; i < p->body_count; i++, o++) {
        bool plane = p->bodies[i].shape->kind == CORD_SHAPE_PLANE; /* nothing is behind it */
        if (o->resting == g->resting && !plane) draw_body(g, o);
    }
    for (int i = 0; i < p->marker_count; i++, o++)
        if (o->resting == g->resting) draw_marker(g, &p->markers[i]);
}

/* ---- layers --------------------------------------------------------------------------------- */

static void to_ground(const projection *g, const double x[3], double out[2])
{
    double fall = (x[2] - g->height) / g->light[2];
    for (int k = 0; k < 2; k++) out[k] = x[k] - fall * g->light[k];
}

static void extend(texel_box *box, int x0, int y0, int x1, int y1)
{
    if (x0 < box->low[0]) box->low[0] = x0;
    if (y0 < box->low[1]) box->low[1] = y0;
    if (x1 > box->high[0]) box->high[0] = x1;
    if (y1 > box->high[1]) box->high[1] = y1;
}

/* Layers lie closer near the ground. A shadow caster belongs to the two next to its rank among them, by parts that add up to
 * one, so that a band shows no seam where it passes from one to the next. */
static double rank_among_layers(const projection *g, const shadow_caster *p)
{
    double mean = p->triangle ? (p->a[2] + p->b[2] + p->c[2]) / 3 : (p->a[2] + p->b[2]) / 2;
    double above = fmax(mean - g->height, 0);
    return (SHADOW_LAYERS - 1) * sqrt(g->top > 0 ? fmin(above / g->top, 1) : 0);
}

static double layer_height(const projection *g, int index)
{
    double f = index / (SHADOW_LAYERS - 1.0);
    return g->top * f * f;
}

/* A layer that is drawn: on a map with texels of its own. */
typedef struct canvas {
    int size;
    double origin[2], texel;
    float *cover;
    texel_box *drawn;
} canvas;

/* What is drawn on a layer, in texels: a triangle by its edges, which a position is n[0] x + n[1] y + away inside of; or a band with
 * round ends. */
typedef struct caster_shape {
    float n[3][2], away[3];
    float start[2], along[2], per_length2, half;
    float strength;
    int low[2], high[2]; /* texels that it may touch */
} caster_shape;

static void set_box(const canvas *l, double q[][2], int count, double margin, caster_shape *s)
{
    for (int d = 0; d < 2; d++) {
        double least = q[0][d], most = q[0][d];
        for (int k = 1; k < count; k++) {
            if (q[k][d] < least) least = q[k][d];
            if (q[k][d] > most) most = q[k][d];
        }
        s->low[d] = clamp_int(least - margin, 0, l->size - 1);
        s->high[d] = clamp_int(most + margin + 1, 0, l->size - 1);
    }
    extend(l->drawn, s->low[0], s->low[1], s->high[0], s->high[1]);
}

/* Texels as eight lanes: the larger of the present value and `cover`, as far as they are in the box. */
INLINE void cover_texels(const canvas *l, const caster_shape *s, int x, int y, float_lanes cover)
{
    static const int_lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
    unaligned_lanes *there = (unaligned_lanes *)&l->cover[(size_t)y * (size_t)l->size + (size_t)x];
    cover = fl_masked(count <= s->high[0] - x, cover);
    *there = fl_max(cover, *there);
}

INLINE float_lanes columns_from(int x)
{
    static const int_lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
    return __builtin_convertvector(count + x, float_lanes);
}

/* Its edges spread over a texel to the outside, so that triangles side by side leave no seam. */
INLINE void cover_triangle(const canvas *l, const caster_shape *s)
{
    for (int y = s->low[1]; y <= s->high[1]; y++)
        for (int x = s->low[0]; x <= s->high[0]; x += FLOAT_LANES) {
            float_lanes at = columns_from(x),
                        in = {0}; /* one more than a texel inside is as good */
            for (int k = 0; k < 3; k++)
                in = fl_min(in, s->n[k][0] * at + (s->n[k][1] * (float)y + s->away[k]));
            cover_texels(l, s, x, y, s->strength * fl_max(in + 1, fl_broadcast(0)));
        }
}

/* Its edge spreads over a texel; parts of one band overlap by the larger. */
INLINE void cover_band(const canvas *l, const caster_shape *s)
{
    const float_lanes zero = fl_broadcast(0), one = fl_broadcast(1);
    for (int y = s->low[1]; y <= s->high[1]; y++)
        for (int x = s->low[0]; x <= s->high[0]; x += FLOAT_LANES) {
            float_lanes px = columns_from(x) - s->start[0], py = (float)y - s->start[1] + zero;
            float_lanes u = (px * s->along[0] + py * s->along[1]) * s->per_length2;
            u = fl_min(fl_max(u, zero), one);
            px -= u * s->along[0], py -= u * s->along[1];
            float_lanes in = s->half + 0.5F - fl_sqrt(px * px + py * py);
            cover_texels(l, s, x, y, s->strength * fl_min(fl_max(in, zero), one));
        }
}

INLINE void cover_shape(const canvas *l, const caster_shape *s, bool triangle)
{
    if (triangle)
        cover_triangle(l, s);
    else
        cover_band(l, s);
}
static void cover(const canvas *l, const caster_shape *s, bool triangle);
MULTIVERSION_AVX2(cover, cover_shape, (const canvas *l, const caster_shape *s, bool triangle),
                  (l, s, triangle))

/* The line from a to b, whose inside is to the left; without length it has all positions inside. */
static void set_line(const double a[2], const double b[2], float n[2], float *away)
{
    double u = b[0] - a[0], v = b[1] - a[1], length = sqrt(u * u + v * v);
    double inverse = length > 0 ? 1 / length : 0;
    n[0] = (float)(-v * inverse), n[1] = (float)(u * inverse);
    *away = length > 0 ? (float)((v * a[0] - u * a[1]) * inverse) : 1;
}

static void draw_triangle(const canvas *l, double q[3][2], double part)
{
    caster_shape s = {.strength = (float)part};
    for (int k = 0; k < 3; k++) set_line(q[k], q[(k + 1) % 3], s.n[k], &s.away[k]);
    set_box(l, q, 3, 1, &s);
    cover(l, &s, true);
}

static void draw_band(const canvas *l, double q[2][2], double half, double part)
{
    double u = q[1][0] - q[0][0], v = q[1][1] - q[0][1], squared = u * u + v * v;
    /* Thinner than a texel: a texel wide, and lighter. */
    caster_shape s = {.start = {(float)q[0][0], (float)q[0][1]},
                      .along = {(float)u, (float)v},
                      .per_length2 = squared > 0 ? (float)(1 / squared) : 0,
                      .half = (float)fmax(half, 0.5),
                      .strength = (float)(part * fmin(1, 2 * half))};
    set_box(l, q, 2, s.half + 1, &s);
    cover(l, &s, false);
}

static void draw_caster(const projection *g, const shadow_caster *p)
{
    double rank = rank_among_layers(g, p), ground[3][2];
    to_ground(g, p->a, ground[0]);
    to_ground(g, p->b, ground[1]);
    if (p->triangle) to_ground(g, p->c, ground[2]);
    for (int i = (int)rank; i <= (int)rank + 1 && i < SHADOW_LAYERS; i++) {
        shadow_layer *s = &g->kept->layers[i];
        double part = 1 - fabs(rank - i);
        if (part <= 0) continue;
        const canvas l = {g->map->size >> s->level,
                          {g->map->origin[0], g->map->origin[1]},
                          g->map->texel * (1 << s->level),
                          g->resting ? s->resting : s->cover,
                          g->resting ? &s->resting_drawn : &s->drawn};
        double q[3][2];
        for (int k = 0; k < (p->triangle ? 3 : 2); k++)
            for (int d = 0; d < 2; d++) q[k][d] = (ground[k][d] - l.origin[d]) / l.texel;
        if (p->triangle)
            draw_triangle(&l, q, part);
        else
            draw_band(&l, q, p->half / l.texel, part);
    }
}

/* ---- blur ----------------------------------------------------------------------------------- */

/* Mean over 2 r + 1 neighbours along the rows of a box, beyond which all is zero; shared by the threads of the region it is in. */
static void blur_rows(const float *in, float *out, int size, const texel_box *box, int r)
{
    int first = box->low[0], last = box->high[0];
#pragma omp for schedule(static)
    for (int y = box->low[1]; y <= box->high[1]; y++) {
        const float *row = in + (size_t)y * (size_t)size;
        float *to = out + (size_t)y * (size_t)size;
        double sum = 0, scale = 1.0 / (2 * r + 1);
        for (int x = first; x < first + r && x <= last; x++) sum += row[x];
        for (int x = first; x <= last; x++) {
            if (x + r <= last) sum += row[x + r];
            to[x] = (float)(sum * scale);
            if (x - r >= first) sum -= row[x - r];
        }
    }
}

static void add_row(double *sum, const float *row, double sign)
{
    for (int x = 0; x < BAND; x++) sum[x] += sign * row[x];
}

/* The same along columns, a band of them at a time: rows are read as they lie in memory. */
static void blur_columns(const float *in, float *out, int size, const texel_box *box, int r)
{
    int first = box->low[1], last = box->high[1];
#pragma omp for schedule(static)
    for (int left = box->low[0] / BAND * BAND; left <= box->high[0]; left += BAND) {
        double sum[BAND] = {0}, scale = 1.0 / (2 * r + 1);
        const float *from = in + left;
        for (int y = first; y < first + r && y <= last; y++)
            add_row(sum, from + (size_t)y * (size_t)size, 1);
        for (int y = first; y <= last; y++) {
            float *to = out + (size_t)y * (size_t)size + left;
            if (y + r <= last) add_row(sum, from + (size_t)(y + r) * (size_t)size, 1);
            for (int x = 0; x < BAND; x++) to[x] = (float)(sum[x] * scale);
            if (y - r >= first) add_row(sum, from + (size_t)(y - r) * (size_t)size, -1);
        }
    }
}

/* Two boxes are nearly a bell of standard deviation sigma: each has variance r(r + 1)/3. `box` holds all that is drawn, and then
 * all that is blurred. `other` is zero, and is left so. */
static void blur(float *cover, float *other, int size, double sigma, texel_box *box, int threads)
{
    int r = (int)round((sqrt(1 + 6 * sigma * sigma) - 1) / 2);
    if (r < 1) return;
    for (int k = 0; k < 2; k++) {
        box->low[k] = box->low[k] > 2 * r ? box->low[k] - 2 * r : 0;
        box->high[k] = box->high[k] + 2 * r < size ? box->high[k] + 2 * r : size - 1;
    }
#pragma omp parallel num_threads(threads)
    for (int pass = 0; pass < 2; pass++) {
        blur_rows(cover, other, size, box, r);
        blur_columns(other, cover, size, box, r);
    }
    for (int y = box->low[1]; y <= box->high[1]; y++)
        memset(other + (size_t)y * (size_t)size + box->low[0], 0,
               (size_t)(box->high[0] - box->low[0] + 1) * sizeof *other);
}

/* Adds the texels of a box to `sums`, and sets them to zero. */
static void move_to_sums(float *cover, float *sums, int size, const texel_box *box)
{
    for (int y = box->low[1]; y <= box->high[1]; y++) {
        float *from = cover + (size_t)y * (size_t)size, *to = sums + (size_t)y * (size_t)size;
        for (int x = box->low[0]; x <= box->high[0]; x++) to[x] += from[x], from[x] = 0;
    }
}

/* Adds a map of half the size, linearly between the middles of its texels. `row` has room for one of its rows, and a texel at
 * both ends. */
static void add_coarse(const float *coarse, float *fine, int size, float *row)
{
    int half = size / 2;
    for (int y = 0; y < size; y++) {
        int j = (y + 1) / 2 - 1, j0 = j < 0 ? 0 : j, j1 = j + 1 < half ? j + 1 : half - 1;
        float v = y & 1 ? 0.25F : 0.75F, *m = row + 1;
        const float *p = coarse + (size_t)j0 * (size_t)half,
                    *q = coarse + (size_t)j1 * (size_t)half;
        float *to = fine + (size_t)y * (size_t)size;
        for (int i = 0; i < half; i++) m[i] = (1 - v) * p[i] + v * q[i];
        m[-1] = m[0], m[half] = m[half - 1];
        for (int i = 0; i < half; i++) {
            to[2 * i] += 0.25F * m[i - 1] + 0.75F * m[i];
            to[2 * i + 1] += 0.75F * m[i] + 0.25F * m[i + 1];
        }
    }
}

/* ---- the map -------------------------------------------------------------------------------- */

/* The squares that have a shadow, and those where it is another one than in the last picture. */
static void find_squares(cover_map *map, const float *last)
{
    int side = map->size / COVER_SQUARE;
    memset(map->covered, 0, (size_t)side * (size_t)side);
    memset(map->changed, 0, (size_t)side * (size_t)side);
    for (int y = 0; y < map->size; y++) {
        const float *row = map->cover + (size_t)y * (size_t)map->size,
                    *before = last + (size_t)y * (size_t)map->size;
        for (int square = 0; square < side; square++) {
            const float *x = row + square * COVER_SQUARE;
            bool any = false;
            for (int i = 0; i < COVER_SQUARE; i++) any |= x[i] >= LEAST_SHADOW;
            map->covered[y / COVER_SQUARE * side + square] |= any;
            if (memcmp(x, before + square * COVER_SQUARE, COVER_SQUARE * sizeof *x) != 0)
                map->changed[y / COVER_SQUARE * side + square] = 1;
        }
    }
}

static cord_status make_room(memory *mem, cover_map *map, kept_shadow *k)
{
    size_t count = (size_t)map->size * (size_t)map->size,
           squares = count / (COVER_SQUARE * COVER_SQUARE);
    if (!map->cover) map->cover = NEW(mem, float, count);
    if (!map->covered) map->covered = NEW(mem, unsigned char, squares);
    if (!map->changed) map->changed = NEW(mem, unsigned char, squares);
    if (!k->last) k->last = NEW(mem, float, count);
    if (!k->other) k->other = NEW(mem, float, count);
    bool good = map->cover && map->covered && map->changed && k->last && k->other;
    for (int i = 1; good && i < SHADOW_LEVELS; i++) {
        if (!k->sums[i]) k->sums[i] = NEW(mem, float, count >> 2 * i);
        good = k->sums[i] != NULL;
    }
    for (int i = 0; good && i < SHADOW_LAYERS; i++) {
        shadow_layer *l = &k->layers[i];
        size_t room = (count >> 2 * l->level) + FLOAT_LANES; /* vectors may end beyond a row */
        if (!l->cover) l->cover = NEW(mem, float, room);
        if (!l->resting) l->resting = NEW(mem, float, room);
        good = l->cover && l->resting;
    }
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

/* A layer that is blurred by several texels is drawn on a coarser level. */
static void choose_levels(const projection *g)
{
    for (int i = 0; i < SHADOW_LAYERS; i++) {
        shadow_layer *l = &g->kept->layers[i];
        l->sigma = (g->sharp + g->blur * layer_height(g, i)) / g->map->texel;
        l->level = 0;
        while (l->level + 1 < SHADOW_LEVELS && l->sigma > 3 &&
               g->map->size >> (l->level + 1) >= BAND)
            l->level++, l->sigma /= 2;
    }
}

static void copy_box(const float *from, float *to, int size, const texel_box *box)
{
    for (int y = box->low[1]; y <= box->high[1]; y++) {
        size_t at = (size_t)y * (size_t)size + (size_t)box->low[0];
        memcpy(to + at, from + at, (size_t)(box->high[0] - box->low[0] + 1) * sizeof *to);
    }
}

/* Draws the layers of objects at rest anew. */
static void draw_resting(projection *g)
{
    for (int i = 0; i < SHADOW_LAYERS; i++) {
        shadow_layer *l = &g->kept->layers[i];
        int size = g->map->size >> l->level;
        l->resting_drawn = (texel_box){{size, size}, {-1, -1}};
        memset(l->resting, 0, (size_t)size * (size_t)size * sizeof *l->resting);
    }
    g->resting = true;
    draw_casters(g);
    g->resting = false;
}

/* The parts that the layers hide add up. */
static cord_status draw_ground(memory *mem, projection *g, int threads)
{
    kept_shadow *k = g->kept;
    choose_levels(g);
    cord_status status = make_room(mem, g->map, k);
    if (status != CORD_OK) return status;
    int size = g->map->size;
    size_t count = (size_t)size * (size_t)size;
    float *last = g->map->cover;
    g->map->cover = k->sums[0] = k->last, k->last = last;
    for (int i = 0; i < SHADOW_LEVELS; i++)
        memset(k->sums[i], 0, (count >> 2 * i) * sizeof **k->sums);
    if (g->f->kept->rests_anew) draw_resting(g);
    for (int i = 0; i < SHADOW_LAYERS; i++) {
        shadow_layer *l = &k->layers[i];
        l->drawn = l->resting_drawn;
        copy_box(l->resting, l->cover, size >> l->level, &l->drawn);
    }
    draw_casters(g);
    for (int i = 0; i < SHADOW_LAYERS; i++) {
        shadow_layer *l = &k->layers[i];
        if (l->drawn.low[0] > l->drawn.high[0]) continue;
        blur(l->cover, k->other, size >> l->level, l->sigma, &l->drawn, threads);
        move_to_sums(l->cover, k->sums[l->level], size >> l->level, &l->drawn);
    }
    for (int i = SHADOW_LEVELS - 1; i > 0; i--)
        add_coarse(k->sums[i], k->sums[i - 1], size >> (i - 1), k->other);
    memset(k->other, 0, ((size_t)size / 2 + 2) * sizeof *k->other);
    for (size_t t = 0; t < count; t++)
        k->sums[0][t] = (float)(int)(STEPS * lesser(k->sums[0][t], 1) + 0.5F) * (1.0F / STEPS);
    find_squares(g->map, last);
    return CORD_OK;
}

/* The largest value over the extent of a[0] times one coordinate plus a[1] times the height: the direction of a lies between two of
 * those that the extent is known in. */
static double farthest(const picture_extent *e, int axis, const double a[2])
{
    double sign[2] = {a[0] < 0 ? -1 : 1, a[1] < 0 ? -1 : 1}, sum = 0;
    double straight[2] = {fabs(a[0]), fabs(a[1])}, both = fmin(straight[0], straight[1]);
    for (int k = 0; k < 2; k++) {
        double d[3] = {0, 0, 0};
        d[k ? 2 : axis] = sign[k];
        if (straight[k] > both) sum += (straight[k] - both) * cord__extent_reach(e, d);
    }
    double d[3] = {0, 0, sign[1]};
    d[axis] = sign[0];
    return sum + both * M_SQRT2 * cord__extent_reach(e, d);
}

/* A square map that contains the shadows of all of the extent with their blur, as far as they are `most` away from the centre: in a
 * film it is the same for all pictures. */
static void fit_map(const projection *g, double most, int size, double least)
{
    const frame *f = g->f;
    cover_map *map = g->map;
    double low[2] = {0}, high[2] = {0}, side = least, wider = 2.5 * g->blur;
    for (int k = 0; f->extent.any && k < 2; k++) {
        double slope = g->light[k] / g->light[2];
        const double up[2] = {1, wider - slope}, down[2] = {-1, wider + slope};
        high[k] = farthest(&f->extent, k, up) - up[1] * g->height + 2.5 * g->sharp;
        low[k] = down[1] * g->height - farthest(&f->extent, k, down) - 2.5 * g->sharp;
        low[k] = fmax(low[k], f->centre[k] - most), high[k] = fmin(high[k], f->centre[k] + most);
        side = fmax(side, high[k] - low[k]);
    }
    map->size = size;
    map->texel = side / size;
    for (int k = 0; k < 2; k++) map->origin[k] = (low[k] + high[k] - side) / 2;
}

cord_status cord__ground_map(memory *mem, frame *f)
{
    kept_picture *k = f->kept;
    double height = f->ground, top = f->centre[2] + f->reach - height;
    projection key = {.f = f,
                      .light = {f->light[0], f->light[1], f->light[2]},
                      .height = height,
                      .longest = f->reach / 60,
                      .blur = 0.045,
                      .sharp = 0.002 * f->reach,
                      .top = top,
                      .map = &k->ground.key,
                      .kept = &k->key};
    projection sky = key;
    v3_set(sky.light, 0, 0, 1);
    sky.blur = 0.5, sky.sharp = 0.006 * f->reach, sky.map = &k->ground.sky, sky.kept = &k->sky;
    fit_map(&key, 4 * f->reach, f->ground_size, 0.01 * f->reach);
    fit_map(&sky, 4 * f->reach, f->ground_size / 2, 0.01 * f->reach);
    cord_status status = draw_ground(mem, &key, f->threads);
    return status == CORD_OK ? draw_ground(mem, &sky, 1) : status;
}
