/* Shadows. On strands: a depth map seen from the light. On the ground: every strand is projected onto
 * it as a band of its true width, in layers by height, and each layer is blurred the more the higher
 * it is, as the penumbra of a light of some size would be. Projected straight down and blurred by
 * the height itself the same gives the hidden part of the sky. */
#include "record/render.h"

#include "math/vec3.h"

#include <string.h>

enum {
    LAYERS = 8,
    BAND = 64, /* columns blurred together; divides every map's size */
};

/* ---- seen from the light -------------------------------------------------------------------- */

static float edge_function(const float *a, const float *b, float x, float y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static int clamp_int(double x, int low, int high)
{
    return x > low ? x < high ? (int)x : high : low;
}

/* p: x, y, depth of each corner. */
static void draw_depth(light_map *map, float p[3][3])
{
    float area = edge_function(p[0], p[1], p[2][0], p[2][1]);
    if (!(area > 0)) return; /* turned away: something else is nearer to the light */
    float inverse = 1 / area;
    int last = map->size - 1;
    int x0 = clamp_int(floorf(fminf(fminf(p[0][0], p[1][0]), p[2][0])), 0, last);
    int x1 = clamp_int(ceilf(fmaxf(fmaxf(p[0][0], p[1][0]), p[2][0])), 0, last);
    int y0 = clamp_int(floorf(fminf(fminf(p[0][1], p[1][1]), p[2][1])), 0, last);
    int y1 = clamp_int(ceilf(fmaxf(fmaxf(p[0][1], p[1][1]), p[2][1])), 0, last);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            float sx = (float)x, sy = (float)y;
            float a = edge_function(p[1], p[2], sx, sy) * inverse;
            float b = edge_function(p[2], p[0], sx, sy) / area, c = 1 - a - b;
            if (a < 0 || b < 0 || c < 0) continue;
            float depth = a * p[0][2] + b * p[1][2] + c * p[2][2];
            float *there = &map->depth[(size_t)y * (size_t)map->size + (size_t)x];
            if (depth > *there) *there = depth;
        }
    }
}

cord_status cord__light_map(memory *mem, light_map *map, const mesh *m, const double light[3],
                            const double centre[3], double reach, int size)
{
    map->size = size;
    map->texel = 2 * reach / size;
    v3_copy(map->light, light);
    v3_any_normal(map->axes[0], light);
    v3_cross(map->axes[1], light, map->axes[0]);
    for (int k = 0; k < 2; k++) map->origin[k] = v3_dot(centre, map->axes[k]) - reach;
    size_t count = (size_t)size * (size_t)size;
    map->depth = NEW(mem, float, count);
    if (!map->depth) return CORD_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) map->depth[i] = -INFINITY;
    for (size_t t = 0; t < m->triangle_count; t++) {
        float p[3][3];
        for (int k = 0; k < 3; k++) {
            const float *f = m->vertices[m->corners[3 * t + (size_t)k]].x;
            double x[3] = {f[0], f[1], f[2]};
            for (int a = 0; a < 2; a++) {
                p[k][a] = (float)((v3_dot(x, map->axes[a]) - map->origin[a]) / map->texel);
            }
            p[k][2] = (float)v3_dot(x, light);
        }
        draw_depth(map, p);
    }
    return CORD_OK;
}

/* ---- on the ground -------------------------------------------------------------------------- */

/* A triangle, or a band with round ends, that casts a shadow. */
typedef struct shadow_caster {
    double a[3], b[3];
    double half; /* of its width across the projection */
    /* A triangle instead. */
    bool triangle;
    double c[3];
} shadow_caster;

typedef struct projection {
    const picture *p;
    const sweep_style *style;
    double light[3];    /* to the light; straight up for the sky */
    double height;      /* of the ground */
    double longest;     /* of a shadow caster */
    double blur, sharp; /* per height, and at the ground, m */
    double top;         /* above the ground */
} projection;

typedef void visit_caster(void *user, const projection *g, const shadow_caster *p);

/* Half the width of a section seen along the light. */
static double seen_half(const cord_section *s, const double half[2], const double frame[6],
                        const double light[3])
{
    double n[3], second[3];
    v3_cross(n, frame, light);
    v3_cross(second, frame, frame + 3);
    double length = v3_norm(n);
    if (length < 1e-6) return fmax(half[0], half[1]);
    double a = half[0] * v3_dot(n, frame + 3) / length, b = half[1] * v3_dot(n, second) / length;
    return s->kind == CORD_SECTION_RECTANGLE ? fabs(a) + fabs(b) : hypot(a, b);
}

static void visit_strand(const projection *g, const picture_strand *s, visit_caster *visit,
                         void *user)
{
    double half[2];
    cord__section_halves(&s->section, g->style->fallback_radius, half);
    double grow = fmax(1, g->style->smallest_radius / fmax(half[0], half[1]));
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
            visit(user, g, &p);
        }
    }
}

/* The side to the light is enough: the other has the same shadow. */
static void visit_body(const projection *g, const picture_body *b, visit_caster *visit, void *user)
{
    if (b->shape->kind == CORD_SHAPE_PLANE) return; /* nothing of the scene is behind it */
    for (int t = 0; t < b->solid->triangle_count; t++) {
        const int *corner = b->solid->triangles + 3 * (size_t)t;
        shadow_caster p = {.triangle = true};
        double u[3], v[3], n[3];
        cord__body_vertex(b, corner[0], p.a);
        cord__body_vertex(b, corner[1], p.b);
        cord__body_vertex(b, corner[2], p.c);
        v3_sub(u, p.b, p.a);
        v3_sub(v, p.c, p.a);
        v3_cross(n, u, v);
        if (v3_dot(n, g->light) > 0) visit(user, g, &p);
    }
}

static void visit_all(const projection *g, visit_caster *visit, void *user)
{
    for (int i = 0; i < g->p->strand_count; i++) visit_strand(g, &g->p->strands[i], visit, user);
    for (int i = 0; i < g->p->body_count; i++) visit_body(g, &g->p->bodies[i], visit, user);
    for (int i = 0; i < g->p->marker_count; i++) {
        const picture_marker *m = &g->p->markers[i];
        double size[3];
        cord__marker_sizes(m, g->style->smallest_marker, size);
        shadow_caster p = {.half = (size[0] + size[1]) / 2};
        double reach = m->kind >= MARKER_LINK ? 0.5 * m->length : 0;
        v3_combine(p.a, 1, m->position, -reach, m->frame);
        v3_combine(p.b, 1, m->position, reach, m->frame);
        visit(user, g, &p);
    }
}

static void to_ground(const projection *g, const double x[3], double out[2])
{
    double fall = (x[2] - g->height) / g->light[2];
    for (int k = 0; k < 2; k++) out[k] = x[k] - fall * g->light[k];
}

static void widen(void *user, const projection *g, const shadow_caster *p)
{
    double *box = user, q[2];
    const double *ends[3] = {p->a, p->b, p->c};
    for (int e = 0; e < (p->triangle ? 3 : 2); e++) {
        double above = fmax(ends[e][2] - g->height, 0);
        double margin = p->half + 2.5 * (g->sharp + g->blur * above);
        to_ground(g, ends[e], q);
        for (int k = 0; k < 2; k++) {
            box[k] = fmin(box[k], q[k] - margin), box[2 + k] = fmax(box[2 + k], q[k] + margin);
        }
    }
}

/* Texels from low to high along each axis; empty where low > high. */
typedef struct texel_box {
    int low[2], high[2];
} texel_box;

typedef struct layer {
    cover_map *map;
    float *cover;
    int index;
    texel_box drawn;
} layer;

static void extend(texel_box *box, int x0, int y0, int x1, int y1)
{
    if (x0 < box->low[0]) box->low[0] = x0;
    if (y0 < box->low[1]) box->low[1] = y0;
    if (x1 > box->high[0]) box->high[0] = x1;
    if (y1 > box->high[1]) box->high[1] = y1;
}

/* Layers lie closer near the ground. A shadow caster belongs to the two next to it, by parts that add up to
 * one, so that a band shows no seam where it passes from one to the next. */
static double part_in_layer(const projection *g, const shadow_caster *p, int index)
{
    double mean = p->triangle ? (p->a[2] + p->b[2] + p->c[2]) / 3 : (p->a[2] + p->b[2]) / 2;
    double above = fmax(mean - g->height, 0);
    double f = g->top > 0 ? fmin(above / g->top, 1) : 0;
    return fmax(1 - fabs((LAYERS - 1) * sqrt(f) - index), 0);
}

static double layer_height(const projection *g, int index)
{
    double f = index / (LAYERS - 1.0);
    return g->top * f * f;
}

/* How far a position is inside a line: n[0] x + n[1] y + away. */
typedef struct edge_line {
    double n[2], away;
} edge_line;

/* The line from a to b, whose inside is to the left; without length it has all positions inside. */
static edge_line line_through(const double a[2], const double b[2])
{
    double u = b[0] - a[0], v = b[1] - a[1], length = hypot(u, v);
    if (!(length > 0)) return (edge_line){{0, 0}, 1};
    return (edge_line){{-v / length, u / length}, (v * a[0] - u * a[1]) / length};
}

static double inside(const edge_line *l, double x, double y)
{
    return l->n[0] * x + l->n[1] * y + l->away;
}

/* Its edges spread over a texel to the outside, so that triangles side by side leave no seam. */
static void draw_shadow(layer *l, const projection *g, const shadow_caster *p, double part)
{
    double q[3][2];
    to_ground(g, p->a, q[0]);
    to_ground(g, p->b, q[1]);
    to_ground(g, p->c, q[2]);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) q[k][d] = (q[k][d] - l->map->origin[d]) / l->map->texel;
    const edge_line lines[3] = {line_through(q[0], q[1]), line_through(q[1], q[2]),
                                line_through(q[2], q[0])};
    int last = l->map->size - 1;
    int x0 = clamp_int(fmin(q[0][0], fmin(q[1][0], q[2][0])) - 1, 0, last);
    int x1 = clamp_int(fmax(q[0][0], fmax(q[1][0], q[2][0])) + 2, 0, last);
    int y0 = clamp_int(fmin(q[0][1], fmin(q[1][1], q[2][1])) - 1, 0, last);
    int y1 = clamp_int(fmax(q[0][1], fmax(q[1][1], q[2][1])) + 2, 0, last);
    extend(&l->drawn, x0, y0, x1, y1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            double in = 0; /* one more than a texel inside is as good */
            for (int k = 0; k < 3; k++) {
                double here = inside(&lines[k], x, y);
                if (here < in) in = here;
            }
            float cover = (float)(part * (in > -1 ? in + 1 : 0));
            float *there = &l->cover[(size_t)y * (size_t)l->map->size + (size_t)x];
            if (cover > *there) *there = cover;
        }
}

/* A band with round ends, its edge spread over a texel; parts of one band overlap by the larger. */
static void draw_caster(void *user, const projection *g, const shadow_caster *p)
{
    layer *l = user;
    double part = part_in_layer(g, p, l->index);
    if (part <= 0) return;
    if (p->triangle) {
        draw_shadow(l, g, p, part);
        return;
    }
    double a[2], b[2], half = p->half / l->map->texel;
    to_ground(g, p->a, a);
    to_ground(g, p->b, b);
    for (int k = 0; k < 2; k++) {
        a[k] = (a[k] - l->map->origin[k]) / l->map->texel;
        b[k] = (b[k] - l->map->origin[k]) / l->map->texel;
    }
    /* Thinner than a texel: a texel wide, and lighter. */
    double strength = part * fmin(1, 2 * half);
    half = fmax(half, 0.5);
    int last = l->map->size - 1;
    int x0 = clamp_int(fmin(a[0], b[0]) - half - 1, 0, last);
    int x1 = clamp_int(fmax(a[0], b[0]) + half + 2, 0, last);
    int y0 = clamp_int(fmin(a[1], b[1]) - half - 1, 0, last);
    int y1 = clamp_int(fmax(a[1], b[1]) + half + 2, 0, last);
    double d[2] = {b[0] - a[0], b[1] - a[1]}, dd = d[0] * d[0] + d[1] * d[1];
    extend(&l->drawn, x0, y0, x1, y1);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            double px = x - a[0], py = y - a[1];
            double u = dd > 0 ? fmin(fmax((px * d[0] + py * d[1]) / dd, 0), 1) : 0;
            double ax = px - u * d[0], ay = py - u * d[1], away = sqrt(ax * ax + ay * ay);
            float cover = (float)(strength * fmin(fmax(half + 0.5 - away, 0), 1));
            float *there = &l->cover[(size_t)y * (size_t)l->map->size + (size_t)x];
            if (cover > *there) *there = cover;
        }
    }
}

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

static bool find_covered(memory *mem, cover_map *map)
{
    int side = map->size / COVER_SQUARE;
    map->covered = NEW(mem, unsigned char, side *side);
    for (int y = 0; map->covered && y < map->size; y++) {
        const float *row = map->cover + (size_t)y * (size_t)map->size;
        unsigned char *square = map->covered + y / COVER_SQUARE * side;
        for (int x = 0; x < map->size; x++)
            if (row[x] >= LEAST_SHADOW) square[x / COVER_SQUARE] = 1;
    }
    return map->covered != NULL;
}

enum { LEVELS = 4 };

/* The parts that the layers hide add up. A layer that is blurred by several texels is drawn on a coarser level. */
static cord_status draw_ground(memory *mem, cover_map *map, const projection *g, int threads)
{
    size_t count = (size_t)map->size * (size_t)map->size;
    float *sums[LEVELS] = {0}, *cover = NEW(mem, float, count), *other = NEW(mem, float, count);
    bool good = cover && other;
    for (int k = 0; good && k < LEVELS; k++) good = (sums[k] = NEW(mem, float, count >> 2 * k));
    for (int i = 0; good && i < LAYERS; i++) {
        double sigma = (g->sharp + g->blur * layer_height(g, i)) / map->texel;
        int k = 0;
        while (k + 1 < LEVELS && sigma > 3 && map->size >> (k + 1) >= BAND) k++, sigma /= 2;
        cover_map level = {.size = map->size >> k,
                           .origin = {map->origin[0], map->origin[1]},
                           .texel = map->texel * (1 << k)};
        layer l = {&level, cover, i, {{level.size, level.size}, {-1, -1}}};
        visit_all(g, draw_caster, &l);
        if (l.drawn.low[0] > l.drawn.high[0]) continue;
        blur(cover, other, level.size, sigma, &l.drawn, threads);
        move_to_sums(cover, sums[k], level.size, &l.drawn);
    }
    for (int k = LEVELS - 1; good && k > 0; k--)
        add_coarse(sums[k], sums[k - 1], map->size >> (k - 1), other);
    for (size_t t = 0; good && t < count; t++) sums[0][t] = sums[0][t] < 1 ? sums[0][t] : 1;
    map->cover = sums[0];
    if (good) good = find_covered(mem, map);
    for (int k = 1; k < LEVELS; k++) cord__release(mem, sums[k]);
    cord__release(mem, cover);
    cord__release(mem, other);
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

/* A square map that contains all of a projection, as far as it is `most` away from the centre. */
static void fit_map(cover_map *map, const projection *g, const double centre[3], double most,
                    int size, double least)
{
    double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    visit_all(g, widen, box);
    for (int k = 0; k < 2; k++) {
        box[k] = fmax(box[k], centre[k] - most), box[2 + k] = fmin(box[2 + k], centre[k] + most);
    }
    double side = fmax(fmax(box[2] - box[0], box[3] - box[1]), least);
    map->size = size;
    map->texel = side / size;
    for (int k = 0; k < 2; k++) {
        map->origin[k] = isfinite(box[k]) ? (box[k] + box[k + 2] - side) / 2 : 0;
    }
}

cord_status cord__ground_map(memory *mem, ground_map *map, const picture *p,
                             const sweep_style *style, const double light[3],
                             const double centre[3], double reach, double height, int size,
                             int threads)
{
    double top = centre[2] + reach - height;
    projection key = {
        p, style, {light[0], light[1], light[2]}, height, reach / 60, 0.045, 0.002 * reach, top};
    projection sky = {p, style, {0, 0, 1}, height, reach / 60, 0.5, 0.006 * reach, top};
    fit_map(&map->key, &key, centre, 4 * reach, size, 0.01 * reach);
    fit_map(&map->sky, &sky, centre, 4 * reach, size / 4, 0.01 * reach);
    cord_status status = draw_ground(mem, &map->key, &key, threads);
    return status == CORD_OK ? draw_ground(mem, &map->sky, &sky, 1) : status;
}
