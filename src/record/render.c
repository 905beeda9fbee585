/* Rasterising and shading. Each tile of the picture is drawn by one thread from start to end, with
 * triangles in the order of the mesh: the result does not depend on the number of threads. */
#include "record/render.h"

#include "math/vec3.h"

#include <float.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum {
    SAMPLES = 3, /* per pixel, along each axis */
    TILE = 32,   /* pixels along a side */
    TILE_SAMPLES = TILE * SAMPLES,
    SHADES = 8192, /* linear ones, enough that the darkest are less than a step apart in sRGB */
};

typedef struct theme_colours {
    float top[3], bottom[3], ground[3], line[3]; /* linear */
    float stripe[3], marker[3];
    unsigned char ink[4]; /* of text, sRGB */
} theme_colours;

/* A corner on the picture: position in samples, and one over its depth. */
typedef struct corner {
    float x, y, w;
} corner;

typedef struct frame {
    const picture *p;
    const cord_picture_def *def;
    theme_colours theme;
    picture_extent extent;
    camera camera;
    double light[3], centre[3], reach; /* reach: radius of a ball around everything */
    double ground, grid;               /* height; size of the grid's squares */
    bool has_ground;
    sweep_style style;
    mesh mesh;
    corner *corners;
    light_map light_map;
    ground_map ground_map;
    double rotations[SAMPLES * SAMPLES][2]; /* of the looks at the light's map, in texels */
    int tiles[2];
    uint32_t *bin_start, *bin; /* triangles of each tile */
    unsigned char srgb[SHADES];
    image_plane *images; /* p->image_count, the farthest first */
    int threads;
} frame;

/* ---- the look ------------------------------------------------------------------------------- */

static void set_linear(float out[3], double r, double g, double b)
{
    out[0] = cord__to_linear((float)r), out[1] = cord__to_linear((float)g);
    out[2] = cord__to_linear((float)b);
}

static void choose_theme(frame *f)
{
    theme_colours *t = &f->theme;
    bool dark = f->def->theme == CORD_THEME_DARK;
    if (dark) {
        set_linear(t->top, 0.07, 0.08, 0.10);
        set_linear(t->bottom, 0.15, 0.165, 0.19);
        set_linear(t->ground, 0.20, 0.215, 0.24);
        set_linear(t->line, 0.27, 0.285, 0.31);
    } else {
        set_linear(t->top, 0.80, 0.85, 0.91);
        set_linear(t->bottom, 0.965, 0.97, 0.98);
        set_linear(t->ground, 0.955, 0.955, 0.95);
        set_linear(t->line, 0.875, 0.88, 0.885);
    }
    set_linear(t->stripe, 0.97, 0.95, 0.90);
    set_linear(t->marker, dark ? 0.55 : 0.36, dark ? 0.58 : 0.39, dark ? 0.62 : 0.43);
    memset(t->ink, dark ? 205 : 70, 3);
    t->ink[3] = 255;
}

static bool is_diverging(const cord_picture_def *def)
{
    return def->colour_by != CORD_COLOUR_STRAND &&
           cord__scalars[colour_scalar(def->colour_by)].has_sign;
}

/* A scale with a sign has zero in its middle; one without begins at zero. */
static void choose_range(frame *f)
{
    double *range = f->style.range;
    const double *given = f->def->range;
    range[0] = f->extent.range[0], range[1] = f->extent.range[1];
    f->style.diverging = is_diverging(f->def) && (range[0] < 0 || !isnan(given[0]));
    if (f->style.diverging) {
        range[1] = fmax(fabs(range[0]), fabs(range[1]));
        range[0] = -range[1];
    } else {
        range[0] = fmin(range[0], 0);
    }
    for (int k = 0; k < 2; k++) {
        if (!isnan(given[k])) range[k] = given[k];
    }
}

/* 1, 2 or 5 times a power of ten, at most x. */
static double round_down(double x)
{
    double power = pow(10, floor(log10(x))), lead = x / power;
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

/* A ball around the farthest points, and the light: over the viewer's left shoulder. */
static void choose_scale(frame *f)
{
    const picture_extent *e = &f->extent;
    v3_set(f->centre, 0, 0, 0);
    for (int i = 0; e->any && i < EXTENT_DIRECTIONS; i++) {
        v3_axpy(f->centre, 1.0 / EXTENT_DIRECTIONS, e->farthest[i]);
    }
    f->reach = 0.51 * cord__extent_size(e);
    for (int i = 0; e->any && i < EXTENT_DIRECTIONS; i++) {
        f->reach = fmax(f->reach, 1.02 * v3_distance(e->farthest[i], f->centre));
    }
    double ahead[3] = {f->camera.forward[0], f->camera.forward[1], 0};
    if (v3_norm(ahead) < 1e-3) v3_copy(ahead, f->camera.up);
    v3_normalize(ahead, ahead);
    v3_combine(f->light, -0.40, f->camera.right, -0.42, ahead);
    f->light[2] = 1;
    v3_normalize(f->light, f->light);
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        double angle = 2 * M_PI * i / (SAMPLES * SAMPLES);
        f->rotations[i][0] = 2.2 * cos(angle), f->rotations[i][1] = 2.2 * sin(angle);
    }
    f->ground = cord__ground_height(e, f->def);
    f->grid = round_down(fmax(0.45 * f->reach, DBL_MIN));
    f->has_ground =
        !f->def->no_ground && f->camera.eye[2] > f->ground && (e->has_floor || !e->has_slope);
}

static cord_status choose(frame *f)
{
    if (f->p->extent) {
        f->extent = *f->p->extent;
    } else {
        for (int i = 0; i < f->p->strand_count; i++) {
            cord__extent_add(&f->extent, &f->p->strands[i]);
        }
        for (int i = 0; i < f->p->body_count; i++) {
            cord__extent_add_body(&f->extent, &f->p->bodies[i]);
        }
        for (int i = 0; i < f->p->marker_count; i++) {
            cord__extent_add_marker(&f->extent, &f->p->markers[i]);
        }
        for (int i = 0; i < f->p->image_count; i++) {
            cord__extent_add_image(&f->extent, &f->p->images[i]);
        }
    }
    if (!cord__camera_choose(&f->camera, &f->extent, f->def)) return CORD_ERROR_ARGUMENT;
    for (int i = 0; i < SHADES; i++) {
        f->srgb[i] = (unsigned char)(255 * cord__to_srgb((float)i / (SHADES - 1)) + 0.5F);
    }
    choose_theme(f);
    choose_range(f);
    choose_scale(f);
    double depth = fmax(v3_distance(f->camera.eye, f->centre), 0.1 * f->reach);
    f->style.pixel = depth / f->camera.scale;
    f->style.stripe = !f->def->no_stripe;
    f->style.smallest_radius = f->def->smallest_radius * f->style.pixel;
    f->style.smallest_marker = 3.5 * f->style.pixel;
    f->style.fallback_radius = 0.004 * cord__extent_size(&f->extent);
    return CORD_OK;
}

/* ---- triangles on the picture --------------------------------------------------------------- */

static cord_status make_mesh(frame *f)
{
    for (int i = 0; i < f->p->strand_count; i++) {
        sweep_style style = f->style;
        const picture_strand *s = &f->p->strands[i];
        if (s->coloured)
            cord__from_rgb(s->rgb, style.colour);
        else
            cord__palette(s->colour, style.colour);
        memcpy(style.pale, f->theme.ground, sizeof style.pale);
        cord__mesh_strand(&f->mesh, &f->p->strands[i], &style);
    }
    for (int i = 0; i < f->p->body_count; i++) {
        const picture_body *b = &f->p->bodies[i];
        if (cord__is_floor(b) && fabs(b->position[2] - f->ground) < 1e-6 * f->reach) continue;
        cord__mesh_body(&f->mesh, b, f->style.stripe, f->theme.ground);
    }
    for (int i = 0; i < f->p->marker_count; i++) {
        cord__mesh_marker(&f->mesh, &f->p->markers[i], f->style.smallest_marker, f->theme.marker);
    }
    return f->mesh.failed ? CORD_ERROR_MEMORY : CORD_OK;
}

static void project_all(frame *f)
{
    for (size_t i = 0; i < f->mesh.vertex_count; i++) {
        const float *p = f->mesh.vertices[i].x;
        double x[3] = {p[0], p[1], p[2]}, pixel[2];
        double depth = cord__camera_project(&f->camera, x, pixel);
        bool ahead = depth > 1e-3 * f->reach; /* triangles at the eye or behind it are left out */
        f->corners[i] = (corner){(float)(SAMPLES * pixel[0]), (float)(SAMPLES * pixel[1]),
                                 ahead ? (float)(1 / depth) : 0};
    }
}

static const corner *corner_of(const frame *f, size_t triangle, int k)
{
    return &f->corners[f->mesh.corners[3 * triangle + (size_t)k]];
}

/* Twice the area on the picture; positive for triangles that face the eye (y is down). */
static float facing(const corner *a, const corner *b, const corner *c)
{
    return (c->x - a->x) * (b->y - a->y) - (b->x - a->x) * (c->y - a->y);
}

static int tile_of(float sample, int tiles)
{
    float t = floorf(sample / TILE_SAMPLES);
    return t < 0 ? 0 : t >= (float)tiles ? tiles - 1 : (int)t;
}

/* The tiles that a triangle may touch, as x0, y0, x1, y1; false when it is not to be seen. */
static bool tile_range(const frame *f, size_t triangle, int range[4])
{
    const corner *c[3];
    for (int k = 0; k < 3; k++) c[k] = corner_of(f, triangle, k);
    bool ahead = c[0]->w > 0 && c[1]->w > 0 && c[2]->w > 0;
    if (!ahead || !(facing(c[0], c[1], c[2]) > 0)) return false;
    float x0 = fminf(fminf(c[0]->x, c[1]->x), c[2]->x),
          x1 = fmaxf(fmaxf(c[0]->x, c[1]->x), c[2]->x);
    float y0 = fminf(fminf(c[0]->y, c[1]->y), c[2]->y),
          y1 = fmaxf(fmaxf(c[0]->y, c[1]->y), c[2]->y);
    float width = (float)(f->tiles[0] * TILE_SAMPLES), height = (float)(f->tiles[1] * TILE_SAMPLES);
    if (x1 < 0 || y1 < 0 || x0 >= width || y0 >= height) return false;
    range[0] = tile_of(x0, f->tiles[0]), range[1] = tile_of(y0, f->tiles[1]);
    range[2] = tile_of(x1, f->tiles[0]), range[3] = tile_of(y1, f->tiles[1]);
    return true;
}

/* Count, then fill; `bin` NULL: only count. */
static void sort_triangles(const frame *f, uint32_t *next, uint32_t *bin)
{
    for (size_t t = 0; t < f->mesh.triangle_count; t++) {
        int range[4];
        if (!tile_range(f, t, range)) continue;
        for (int y = range[1]; y <= range[3]; y++) {
            for (int x = range[0]; x <= range[2]; x++) {
                uint32_t *slot = &next[y * f->tiles[0] + x];
                if (bin) bin[*slot] = (uint32_t)t;
                ++*slot;
            }
        }
    }
}

static cord_status bin_triangles(memory *mem, frame *f)
{
    f->tiles[0] = (f->def->width + TILE - 1) / TILE,
    f->tiles[1] = (f->def->height + TILE - 1) / TILE;
    int tiles = f->tiles[0] * f->tiles[1];
    f->corners = NEW(mem, corner, f->mesh.vertex_count);
    f->bin_start = NEW(mem, uint32_t, tiles + 1);
    uint32_t *next = NEW(mem, uint32_t, tiles);
    cord_status status = CORD_ERROR_MEMORY;
    if (f->corners && f->bin_start && next) {
        project_all(f);
        sort_triangles(f, next, NULL);
        for (int i = 0; i < tiles; i++) {
            f->bin_start[i + 1] = f->bin_start[i] + next[i];
            next[i] = f->bin_start[i];
        }
        f->bin = NEW(mem, uint32_t, f->bin_start[tiles]);
        if (f->bin) {
            sort_triangles(f, next, f->bin);
            status = CORD_OK;
        }
    }
    cord__release(mem, next);
    return status;
}

/* ---- images --------------------------------------------------------------------------------- */

static double image_distance(const frame *f, const cord_image_info *image)
{
    double middle[3];
    v3_combine(middle, 0.5, image->right, 0.5, image->down);
    v3_add(middle, middle, image->corner);
    return v3_distance(middle, f->camera.eye);
}

/* The image that is farthest of those that are nearer than `before`, or as far and later; -1: none. */
static int next_image(const frame *f, int before)
{
    int best = -1;
    double limit = before < 0 ? INFINITY : image_distance(f, &f->p->images[before]), farthest = -1;
    for (int i = 0; i < f->p->image_count; i++) {
        double distance = image_distance(f, &f->p->images[i]);
        bool left = distance < limit || (distance == limit && i > before);
        if (left && distance > farthest) best = i, farthest = distance;
    }
    return best;
}

static cord_status make_images(memory *mem, frame *f)
{
    f->images = NEW(mem, image_plane, f->p->image_count);
    cord_status status = f->images ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0, which = -1; status == CORD_OK && i < f->p->image_count; i++) {
        which = next_image(f, which);
        const cord_image_info *image = &f->p->images[which];
        double pixel = fmax(image_distance(f, image), 0.1 * f->reach) / f->camera.scale;
        status = cord__image_plane(mem, image, pixel, &f->images[i]);
    }
    return status;
}

/* ---- light ---------------------------------------------------------------------------------- */

/* The part of the light that reaches x: eight looks at the light's map around it, rotated a little
 * from sample to sample so that a pixel's nine together look at 72 positions. */
static float light_reaching(const frame *f, const double x[3], const double normal[3], int sample)
{
    static const float ring[8][2] = {{0.35F, 0},     {0, 0.55F},     {-0.7F, 0},
                                     {0, -0.8F},     {0.64F, 0.64F}, {-0.67F, 0.67F},
                                     {-0.5F, -0.5F}, {0.4F, -0.4F}};
    const light_map *m = &f->light_map;
    double p[3], c = f->rotations[sample][0], s = f->rotations[sample][1];
    v3_combine(p, 1, x, 2.5 * m->texel, normal);
    double u = (v3_dot(p, m->axes[0]) - m->origin[0]) / m->texel;
    double v = (v3_dot(p, m->axes[1]) - m->origin[1]) / m->texel;
    float depth = (float)(v3_dot(p, m->light) + 2.0 * m->texel);
    int lit = 0;
    for (int i = 0; i < 8; i++) {
        int a = (int)(u + c * ring[i][0] - s * ring[i][1] + 0.5);
        int b = (int)(v + s * ring[i][0] + c * ring[i][1] + 0.5);
        bool inside = a >= 0 && b >= 0 && a < m->size && b < m->size;
        lit += !inside || m->depth[(size_t)b * (size_t)m->size + (size_t)a] <= depth;
    }
    return (float)lit / 8;
}

/* How much of the sky the ground hides from something near it. */
static float contact(const frame *f, const double x[3])
{
    if (!f->has_ground) return 1;
    double above = fmax(x[2] - f->ground, 0) / (0.12 * f->reach);
    return (float)(1 - 0.35 * exp(-above * above));
}

static void shade(const frame *f, const double x[3], const double normal[3], const float albedo[3],
                  int sample, float out[3])
{
    double view[3], half[3];
    v3_sub(view, f->camera.eye, x);
    v3_normalize(view, view);
    v3_add(half, view, f->light);
    v3_normalize(half, half);
    float towards = (float)v3_dot(normal, f->light), lit = 0, glint = 0;
    if (towards > 0) {
        float reaching = light_reaching(f, x, normal, sample);
        float gloss = (float)fmax(v3_dot(normal, half), 0);
        gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss; /* to the 16th */
        lit = towards * reaching;
        glint = 0.16F * gloss * gloss * reaching; /* 32nd */
    }
    float up = 0.5F + 0.5F * (float)normal[2], near = contact(f, x);
    float edge = 1 - (float)fmax(v3_dot(normal, view), 0);
    float rim = 0.10F * edge * edge * edge * up;
    static const float key[3] = {0.86F, 0.83F, 0.79F}, sky[3] = {0.42F, 0.45F, 0.50F};
    static const float impact_state[3] = {0.22F, 0.21F, 0.20F};
    for (int k = 0; k < 3; k++) {
        float light = key[k] * lit + near * (sky[k] * up + impact_state[k] * (1 - up));
        out[k] = albedo[k] * light + glint + rim * near * sky[k];
    }
}

/* ---- background ----------------------------------------------------------------------------- */

static float smooth(double low, double high, double x)
{
    double t = fmin(fmax((x - low) / (high - low), 0), 1);
    return (float)(t * t * (3 - 2 * t));
}

/* How much of a pixel of size `footprint` at x the grid's lines cover, in one direction. */
static double grid_cover(double x, double grid, double line, double footprint)
{
    double away = fabs(x / grid - round(x / grid)) * grid;
    return fmin(fmax((line + footprint / 2 - away) / footprint, 0), 1);
}

static float grid_at(const frame *f, const double x[3], double distance, double slope)
{
    double pixel = distance / f->camera.scale, footprint = pixel / fmax(slope, 0.2);
    double line = 0.45 * pixel;
    double cover = fmax(grid_cover(x[0], f->grid, line, footprint),
                        grid_cover(x[1], f->grid, line, footprint));
    return (float)cover * (1 - smooth(0.05, 0.3, footprint / f->grid));
}

/* The light that is kept from the ground at x, 0 to 1. */
static float ground_shadow(const frame *f, const double x[3])
{
    float key = cord__cover_at(&f->ground_map.key, x), sky = cord__cover_at(&f->ground_map.sky, x);
    return 1 - (1 - 0.50F * key) * (1 - 0.55F * sky);
}

/* The background at a pixel: red, green, blue (times opacity), opacity. */
static void background(const frame *f, int px, int py, float out[4])
{
    const theme_colours *t = &f->theme;
    bool clear = f->def->theme == CORD_THEME_TRANSPARENT;
    float down = ((float)py + 0.5F) / (float)f->def->height;
    for (int k = 0; k < 3; k++) out[k] = clear ? 0 : t->top[k] + down * (t->bottom[k] - t->top[k]);
    out[3] = clear ? 0 : 1;
    if (!f->has_ground) return;
    double ray[3], x[3];
    cord__camera_ray(&f->camera, (double[2]){px + 0.5, py + 0.5}, ray);
    if (ray[2] >= 0) return;
    double distance = (f->ground - f->camera.eye[2]) / ray[2];
    v3_combine(x, 1, f->camera.eye, distance, ray);
    double dx = x[0] - f->centre[0], dy = x[1] - f->centre[1];
    double away = sqrt(dx * dx + dy * dy) / f->reach;
    float there = 1 - smooth(1.1, 4.5, away), shadow = there * ground_shadow(f, x);
    if (clear) {
        out[3] = 0.75F * shadow;
        return;
    }
    float line = grid_at(f, x, distance, -ray[2] / v3_norm(ray));
    for (int k = 0; k < 3; k++) {
        float ground = t->ground[k] + line * (t->line[k] - t->ground[k]);
        out[k] = (out[k] + there * (ground - out[k])) * (1 - shadow);
    }
}

/* ---- a tile --------------------------------------------------------------------------------- */

typedef struct tile {
    float depth[TILE_SAMPLES * TILE_SAMPLES]; /* one over the depth: larger is nearer */
    int32_t triangle[TILE_SAMPLES * TILE_SAMPLES];
} tile;

static int bound_int(float x, int low, int high)
{
    return x > (float)low ? x < (float)high ? (int)x : high : low;
}

static void draw_triangle(const frame *f, tile *t, size_t triangle, int left, int top)
{
    const corner *a = corner_of(f, triangle, 0), *b = corner_of(f, triangle, 1);
    const corner *c = corner_of(f, triangle, 2);
    float area = facing(a, b, c), last = TILE_SAMPLES - 1, l = (float)left, u = (float)top;
    int x0 = bound_int(fminf(fminf(a->x, b->x), c->x) - l, 0, (int)last);
    int x1 = bound_int(fmaxf(fmaxf(a->x, b->x), c->x) - l, 0, (int)last);
    int y0 = bound_int(fminf(fminf(a->y, b->y), c->y) - u, 0, (int)last);
    int y1 = bound_int(fmaxf(fmaxf(a->y, b->y), c->y) - u, 0, (int)last);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            corner here = {l + (float)x + 0.5F, u + (float)y + 0.5F, 0};
            float wa = facing(&here, b, c), wb = facing(a, &here, c), wc = facing(a, b, &here);
            if (wa < 0 || wb < 0 || wc < 0) continue;
            float depth = (wa * a->w + wb * b->w + wc * c->w) / area;
            int i = y * TILE_SAMPLES + x;
            if (depth <= t->depth[i]) continue;
            t->depth[i] = depth;
            t->triangle[i] = (int32_t)triangle;
        }
    }
}

/* A light one along the first director and a darker, thinner one opposite: one of them is to be seen
 * from most sides, and they cannot be mistaken for each other. */
static void add_stripes(const frame *f, const double across[2], float albedo[3])
{
    float side = (float)fabs(across[1]);
    for (int j = 0; j < 3; j++) {
        if (across[0] > 0 && side < 0.34F) albedo[j] += 0.82F * (f->theme.stripe[j] - albedo[j]);
        if (across[0] < 0 && side < 0.20F) albedo[j] *= 0.30F;
    }
}

/* Colour of one sample from the triangle that covers it. */
static void shade_sample(const frame *f, size_t triangle, float sx, float sy, int sample,
                         float out[3])
{
    const corner *c[3];
    const mesh_vertex *v[3];
    for (int k = 0; k < 3; k++) {
        c[k] = corner_of(f, triangle, k);
        v[k] = &f->mesh.vertices[f->mesh.corners[3 * triangle + (size_t)k]];
    }
    corner here = {sx, sy, 0};
    /* Weights in space rather than on the picture. */
    double w[3] = {facing(&here, c[1], c[2]) * c[0]->w, facing(c[0], &here, c[2]) * c[1]->w,
                   facing(c[0], c[1], &here) * c[2]->w};
    double sum = w[0] + w[1] + w[2], x[3] = {0}, normal[3] = {0}, across[2] = {0};
    float albedo[3] = {0};
    for (int k = 0; k < 3; k++) {
        double weight = w[k] / sum;
        for (int j = 0; j < 3; j++) {
            x[j] += weight * v[k]->x[j];
            normal[j] += weight * v[k]->normal[j];
            albedo[j] += (float)weight * v[k]->colour[j];
        }
        for (int j = 0; j < 2; j++) across[j] += weight * v[k]->across[j];
    }
    if (v3_norm(normal) > 0) v3_normalize(normal, normal);
    if (v[0]->striped) add_stripes(f, across, albedo);
    shade(f, x, normal, albedo, sample, out);
}

static void write_pixel(const frame *f, unsigned char *out, const float sum[4])
{
    float alpha = sum[3] < 1 ? sum[3] : 1;
    for (int k = 0; k < 3; k++) {
        float c = alpha > 0 ? sum[k] / alpha : 0;
        out[k] = f->srgb[c > 0 ? c < 1 ? (int)(c * (SHADES - 1) + 0.5F) : SHADES - 1 : 0];
    }
    out[3] = (unsigned char)(255 * alpha + 0.5F);
}

/* The triangles under a pixel's samples; returns how many samples have none. */
static int gather(const tile *t, int x, int y, int32_t under[SAMPLES * SAMPLES])
{
    int bare = 0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        under[i] = t->triangle[(y + i / SAMPLES) * TILE_SAMPLES + x + i % SAMPLES];
        bare += under[i] < 0;
    }
    return bare;
}

/* A sample of the mesh, or of the background, with the images in front of it. `origin` is the first sample of the
 * tile. */
static void sample_colour(const frame *f, const tile *t, int32_t triangle, const int at[2],
                          const int origin[2], int sample, float c[4])
{
    float x = (float)at[0] + 0.5F, y = (float)at[1] + 0.5F;
    if (triangle >= 0) {
        shade_sample(f, (size_t)triangle, x, y, sample, c);
        /* Highlights are cut off before the mean: else they would have no soft edge. */
        for (int k = 0; k < 3; k++) c[k] = c[k] < 1 ? c[k] : 1;
        c[3] = 1;
    }
    if (f->p->image_count == 0) return;
    float nearest = t->depth[(at[1] - origin[1]) * TILE_SAMPLES + at[0] - origin[0]];
    cord__image_over(f->images, f->p->image_count, &f->camera,
                     (double[2]){x / SAMPLES, y / SAMPLES}, nearest, c);
}

static void resolve_pixel(const frame *f, const tile *t, int px, int py, const int origin[2],
                          unsigned char *out)
{
    enum { COUNT = SAMPLES * SAMPLES };
    int32_t under[COUNT];
    float sum[4] = {0}, behind[4] = {0};
    int x = px * SAMPLES, y = py * SAMPLES, taken = 0;
    int bare = gather(t, x - origin[0], y - origin[1], under);
    bool images = f->p->image_count > 0; /* else the bare samples have one colour */
    if (bare) background(f, px, py, behind);
    /* Inside a strand, where only shading varies, every other sample will do. */
    for (int i = 0; i < COUNT; i += bare || images ? 1 : 2) {
        if (under[i] < 0 && !images) continue;
        float c[4] = {behind[0], behind[1], behind[2], behind[3]};
        sample_colour(f, t, under[i], (int[2]){x + i % SAMPLES, y + i / SAMPLES}, origin, i, c);
        for (int k = 0; k < 4; k++) sum[k] += c[k];
        taken++;
    }
    float part = images ? 0 : (float)bare / COUNT, scale = taken ? (1 - part) / (float)taken : 0;
    for (int k = 0; k < 4; k++) sum[k] = sum[k] * scale + behind[k] * part;
    write_pixel(f, out, sum);
}

static void draw_tile(const frame *f, tile *t, int index, unsigned char *rgba)
{
    int tx = index % f->tiles[0], ty = index / f->tiles[0];
    const int origin[2] = {tx * TILE_SAMPLES, ty * TILE_SAMPLES};
    memset(t->depth, 0, sizeof t->depth);
    memset(t->triangle, 0xff, sizeof t->triangle); /* -1 */
    for (uint32_t i = f->bin_start[index]; i < f->bin_start[index + 1]; i++) {
        draw_triangle(f, t, f->bin[i], origin[0], origin[1]);
    }
    for (int y = ty * TILE; y < (ty + 1) * TILE && y < f->def->height; y++) {
        for (int x = tx * TILE; x < (tx + 1) * TILE && x < f->def->width; x++) {
            size_t at = (size_t)y * (size_t)f->def->width + (size_t)x;
            resolve_pixel(f, t, x, y, origin, rgba + 4 * at);
        }
    }
}

static cord_status draw_tiles(memory *mem, const frame *f, unsigned char *rgba)
{
    int count = f->tiles[0] * f->tiles[1];
    tile *tiles = NEW(mem, tile, f->threads);
    if (!tiles) return CORD_ERROR_MEMORY;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4)
    for (int i = 0; i < count; i++) draw_tile(f, &tiles[omp_get_thread_num()], i, rgba);
    cord__release(mem, tiles);
    return CORD_OK;
}

/* ---- legend --------------------------------------------------------------------------------- */

/* A length with the unit that suits it. */
static void write_length(char *text, size_t size, double metres)
{
    if (metres >= 1) {
        snprintf(text, size, "grid %g m", metres);
    } else if (metres >= 0.01) {
        snprintf(text, size, "grid %g cm", 100 * metres);
    } else {
        snprintf(text, size, "grid %g mm", 1000 * metres);
    }
}

static void draw_bar(const frame *f, unsigned char *rgba, int x, int y, int width, int height)
{
    for (int j = y; j < y + height; j++) {
        for (int i = x; i < x + width; i++) {
            float c[3], opaque[4] = {0, 0, 0, 1};
            if (i < 0 || j < 0 || i >= f->def->width || j >= f->def->height) continue;
            cord__colour_map(f->style.diverging, (i - x + 0.5) / width, c);
            for (int k = 0; k < 3; k++) opaque[k] = c[k];
            write_pixel(f, rgba + 4 * ((size_t)j * (size_t)f->def->width + (size_t)i), opaque);
        }
    }
}

static void draw_legend(const frame *f, unsigned char *rgba)
{
    const cord_picture_def *d = f->def;
    int scale = (int)fmax(1, round(d->height / 420.0)), gap = 10 * scale;
    int baseline = d->height - gap - 7 * scale;
    const unsigned char *ink = f->theme.ink;
    char text[48];
    if (f->has_ground && d->theme != CORD_THEME_TRANSPARENT) {
        write_length(text, sizeof text, f->grid);
        cord__draw_text(rgba, d->width, d->height, gap, baseline, scale, ink, text);
    }
    if (d->colour_by == CORD_COLOUR_STRAND) return;
    int width = 130 * scale, left = d->width - gap - width, bar = baseline - 10 * scale;
    draw_bar(f, rgba, left, bar, width, 7 * scale);
    const scalar_info *shown = &cord__scalars[colour_scalar(d->colour_by)];
    snprintf(text, sizeof text, "%s, %s", shown->name, shown->unit);
    cord__draw_text(rgba, d->width, d->height, left, bar - 11 * scale, scale, ink, text);
    snprintf(text, sizeof text, "%.3g", f->style.range[0]);
    cord__draw_text(rgba, d->width, d->height, left, baseline, scale, ink, text);
    int length = snprintf(text, sizeof text, "%.3g", f->style.range[1]);
    int right = d->width - gap - (length * GLYPH_WIDTH - 1) * scale;
    cord__draw_text(rgba, d->width, d->height, right, baseline, scale, ink, text);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool finite_all(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

static cord_status check(const picture *p, const cord_picture_def *def)
{
    bool sized = def->width >= 16 && def->width <= 8192 && def->height >= 16 && def->height <= 8192;
    bool named = def->colour_by >= CORD_COLOUR_STRAND && def->colour_by <= CORD_COLOUR_SPEED;
    if (!sized || !named || def->threads < 0) return CORD_ERROR_ARGUMENT;
    bool finite = !def->view_given || (finite_all(def->from, 3) && finite_all(def->to, 3));
    for (int i = 0; i < p->strand_count; i++) {
        const picture_strand *s = &p->strands[i];
        int edges = s->closed ? s->vertices : s->vertices - 1;
        if (s->vertices < 2 || s->edges != edges) return CORD_ERROR_ARGUMENT;
        finite = finite && finite_all(s->x, 3 * (size_t)s->vertices) &&
                 finite_all(s->frames, 6 * (size_t)s->edges) &&
                 (!s->value || finite_all(s->value, (size_t)s->vertices));
    }
    for (int i = 0; i < p->body_count; i++) {
        const picture_body *b = &p->bodies[i];
        finite = finite && finite_all(b->position, 3) && finite_all(b->frame, 9);
    }
    for (int i = 0; i < p->marker_count; i++) {
        const picture_marker *m = &p->markers[i];
        finite = finite && finite_all(m->position, 3) && finite_all(m->frame, 9);
    }
    for (int i = 0; i < p->image_count; i++) {
        const cord_image_info *m = &p->images[i];
        finite =
            finite && finite_all(m->corner, 3) && finite_all(m->right, 3) && finite_all(m->down, 3);
    }
    return finite ? CORD_OK : CORD_ERROR_NOT_FINITE;
}

static int power_of_two(double wanted, int low, int high)
{
    int size = low;
    while (size < wanted && size < high) size *= 2;
    return size;
}

static cord_status draw(memory *mem, frame *f, unsigned char *rgba)
{
    double pixels = fmax(f->def->width, f->def->height);
    cord_status status = choose(f);
    if (status == CORD_OK) status = make_mesh(f);
    if (status == CORD_OK) status = bin_triangles(mem, f);
    if (status == CORD_OK) status = make_images(mem, f);
    if (status == CORD_OK) {
        status = cord__light_map(mem, &f->light_map, &f->mesh, f->light, f->centre, f->reach,
                                 power_of_two(1.5 * pixels, 512, 2048));
    }
    if (status == CORD_OK && f->has_ground) {
        status = cord__ground_map(mem, &f->ground_map, f->p, &f->style, f->light, f->reach,
                                  f->ground, f->centre[2] + f->reach - f->ground,
                                  power_of_two(0.6 * pixels, 512, 1024), f->threads);
    }
    if (status == CORD_OK) status = draw_tiles(mem, f, rgba);
    if (status == CORD_OK && !f->def->no_legend) draw_legend(f, rgba);
    return status;
}

cord_status cord__render(memory *mem, const picture *p, const cord_picture_def *def,
                         unsigned char *rgba)
{
    cord_status status = check(p, def);
    if (status != CORD_OK) return status;
    frame f = {.p = p, .def = def, .mesh = {.mem = mem}};
    f.threads = def->threads > 0 ? def->threads : omp_get_max_threads();
    status = draw(mem, &f, rgba);
    cord__mesh_free(&f.mesh);
    for (int i = 0; f.images && i < p->image_count; i++) cord__release(mem, f.images[i].colour);
    cord__release(mem, f.images);
    cord__release(mem, f.corners);
    cord__release(mem, f.bin_start);
    cord__release(mem, f.bin);
    cord__release(mem, f.light_map.depth);
    cord__release(mem, f.ground_map.key.cover);
    cord__release(mem, f.ground_map.sky.cover);
    return status;
}
