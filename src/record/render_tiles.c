/* Drawing and shading, tile by tile. Each tile of the picture is drawn by one thread from start to end, with
 * triangles in the order of the mesh: the result does not depend on the number of threads. */
#include "record/float_lanes.h"
#include "record/render_kept.h"
#include "record/render_raster.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- a tile --------------------------------------------------------------------------------- */

typedef struct tile {
    float
        depth[TILE_SAMPLES * TILE_SAMPLES + FLOAT_LANES]; /* one over the depth: larger is nearer */
    int32_t triangle[TILE_SAMPLES * TILE_SAMPLES + FLOAT_LANES];
    sample_span span[TILE_SAMPLES]; /* per row: the samples that triangles cover */
    texel_bounds read;              /* of the light's map */
    shade_batch batch;
    int pixel[BATCH]; /* of the tile: where the colours of the batch go */
    float weight[BATCH];
    float sums[TILE * TILE][4]; /* colours and opacities of pixels */
    bool covered[TILE * TILE];  /* by triangles or images, at least in part */
    bool bare;                  /* the background is to be seen in it */
} tile;

typedef struct pixel_position {
    size_t pixel;            /* of the picture */
    int in_tile;             /* the same, of the tile */
    int sample[2], local[2]; /* its first sample, in the picture and in the tile */
} pixel_position;

void cord__write_pixel(const frame *f, unsigned char *out, const float sum[4])
{
    float alpha = sum[3] < 1 ? sum[3] : 1, scale = alpha == 1 ? 1 : alpha > 0 ? 1 / alpha : 0;
    for (int k = 0; k < 3; k++) {
        float c = sum[k] * scale;
        out[k] = f->srgb[c > 0 ? c < 1 ? (int)(c * (SHADES - 1) + 0.5F) : SHADES - 1 : 0];
    }
    out[3] = (unsigned char)(255 * alpha + 0.5F);
}

/* Samples of one pixel that show the same part of a surface: they are shaded once. */
typedef struct sample_group {
    int32_t triangle;
    int sample, count;
    float depth;
} sample_group;

static bool same_surface(const frame *f, const sample_group *g, int32_t triangle, float depth)
{
    if (triangle == g->triangle) return true;
    if (triangle < 0 || g->triangle < 0) return false;
    const mesh_vertex *a = vertex_of(f, (size_t)triangle, 0),
                      *b = vertex_of(f, (size_t)g->triangle, 0);
    float along =
        a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2];
    return a->object == b->object && along > 0.6F && fabsf(depth - g->depth) < 0.02F * depth;
}

/* The group of a sample; `count`: a new one. Most pixels show one triangle, or two side by side. */
static int group_of(const frame *f, const sample_group *groups, int count, int32_t triangle,
                    float depth)
{
    for (int k = 0; k < count; k++)
        if (groups[k].triangle == triangle) return k;
    int k = 0;
    while (k < count && !same_surface(f, &groups[k], triangle, depth)) k++;
    return k;
}

/* The sample in the middle comes first: it stands for its group. */
static const int sample_order[SAMPLES * SAMPLES] = {4, 1, 3, 5, 7, 0, 2, 6, 8};

static int sample_offset(int s)
{
    return s / SAMPLES * TILE_SAMPLES + s % SAMPLES;
}

/* The samples of a pixel in groups. */
static int group_samples(const frame *f, const tile *t, int x, int y,
                         sample_group groups[SAMPLES * SAMPLES])
{
    const int32_t *triangle = t->triangle + y * TILE_SAMPLES + x;
    const float *depth = t->depth + y * TILE_SAMPLES + x;
    int count = 0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        int at = sample_offset(sample_order[i]);
        int k = group_of(f, groups, count, triangle[at], depth[at]);
        if (k == count)
            groups[count++] = (sample_group){triangle[at], sample_order[i], 0, depth[at]};
        groups[k].count++;
    }
    return count;
}

/* Shades the batch; its colours, times their weights, are parts of those of their pixels. */
static void shade_parts(const frame *f, tile *t)
{
    shade_batch *b = &t->batch;
    if (b->count == 0) return;
    cord__shade(f, b, &t->read);
    for (int i = 0; i < b->count; i++) {
        float *sum = t->sums[t->pixel[i]], weight = t->weight[i];
        /* Highlights are cut off before the mean: else they would have no soft edge. */
        for (int k = 0; k < 3; k++) sum[k] += weight * lesser(b->colour[k][i], 1);
        sum[3] += weight;
    }
    b->count = 0;
}

/* A part of a pixel: sample `s` of it stands for the part. */
static void add_part(const frame *f, tile *t, const pixel_position *at, int32_t triangle, int s,
                     int rotation, float weight)
{
    shade_batch *b = &t->batch;
    int i = b->count++;
    b->triangle[i] = (size_t)triangle;
    b->x[i] = (float)(at->sample[0] + s % SAMPLES) + 0.5F;
    b->y[i] = (float)(at->sample[1] + s / SAMPLES) + 0.5F;
    b->sample[i] = rotation;
    b->open[i] = (float)f->openness[at->pixel] / 255;
    t->pixel[i] = at->in_tile, t->weight[i] = weight;
    if (b->count == BATCH) shade_parts(f, t);
}

/* The rotation of its looks at the light's map. */
static int rotation_of(const pixel_position *at, int sample)
{
    return (int)((at->pixel * 7 + (size_t)sample) % (SAMPLES * SAMPLES));
}

/* One triangle covers all of it: the sample in the middle stands for it. */
static void resolve_uniform(const frame *f, tile *t, const pixel_position *at, int32_t triangle)
{
    enum { MIDDLE = SAMPLES * SAMPLES / 2 };
    memset(t->sums[at->in_tile], 0, sizeof t->sums[at->in_tile]);
    add_part(f, t, at, triangle, MIDDLE, rotation_of(at, MIDDLE), 1);
}

static void resolve_pixel(const frame *f, tile *t, const pixel_position *at, const float behind[4])
{
    const float part = 1.0F / (SAMPLES * SAMPLES);
    sample_group groups[SAMPLES * SAMPLES];
    float *sum = t->sums[at->in_tile];
    for (int k = 0; k < 4; k++) sum[k] = 0;
    int count = group_samples(f, t, at->local[0], at->local[1], groups);
    for (int g = 0; g < count; g++) {
        int s = groups[g].sample;
        float weight = part * (float)groups[g].count;
        if (groups[g].triangle >= 0) {
            add_part(f, t, at, groups[g].triangle, s, rotation_of(at, s), weight);
            continue;
        }
        t->bare = true;
        for (int k = 0; k < 4; k++) sum[k] += weight * behind[k];
    }
}

/* The images that a sample sees in front of this depth, over what it has. */
static void add_images(const frame *f, const pixel_position *at, int s, float depth, float c[4])
{
    const double pixel[2] = {(at->sample[0] + s % SAMPLES + 0.5) / SAMPLES,
                             (at->sample[1] + s / SAMPLES + 0.5) / SAMPLES};
    cord__image_over(f->images, f->p->image_count, &f->camera, pixel, depth, c);
}

/* Whether a pixel that one triangle covers shows an image in front of it. */
static bool is_behind_image(const frame *f, const tile *t, const pixel_position *at)
{
    enum { MIDDLE = SAMPLES * SAMPLES / 2 };
    float c[4] = {0}, depth = t->depth[(at->local[1] + 1) * TILE_SAMPLES + at->local[0] + 1];
    add_images(f, at, MIDDLE, depth, c);
    return c[3] > 0;
}

/* Images in front of the background. */
static void resolve_image(tile *t, const pixel_position *at, const float image[4],
                          const float behind[4])
{
    t->bare = true;
    for (int k = 0; k < 4; k++) t->sums[at->in_tile][k] = image[k] + (1 - image[3]) * behind[k];
}

/* With images in front or behind: each sample sees what it shows as far as the images before it let through. */
static void resolve_with_images(const frame *f, tile *t, const pixel_position *at,
                                const float behind[4])
{
    const float part = 1.0F / (SAMPLES * SAMPLES);
    sample_group groups[SAMPLES * SAMPLES];
    float weights[SAMPLES * SAMPLES] = {0}, *sum = t->sums[at->in_tile];
    int count = 0;
    for (int k = 0; k < 4; k++) sum[k] = 0;
    for (int n = 0; n < SAMPLES * SAMPLES; n++) {
        int s = sample_order[n];
        int i = at->local[1] * TILE_SAMPLES + at->local[0] + sample_offset(s);
        float images[4] = {0};
        add_images(f, at, s, t->depth[i], images);
        for (int k = 0; k < 4; k++) sum[k] += part * images[k];
        int g = group_of(f, groups, count, t->triangle[i], t->depth[i]);
        if (g == count) groups[count++] = (sample_group){t->triangle[i], s, 0, t->depth[i]};
        weights[g] += part * (1 - images[3]);
    }
    for (int g = 0; g < count; g++) {
        int s = groups[g].sample;
        if (groups[g].triangle >= 0) {
            add_part(f, t, at, groups[g].triangle, s, rotation_of(at, s), weights[g]);
            continue;
        }
        t->bare = true;
        for (int k = 0; k < 4; k++) sum[k] += weights[g] * behind[k];
    }
}

/* For each sample of the first of three rows: whether those below it, and the one to the right, show the same triangle. */
INLINE void compare_row(const int32_t *rows, int32_t *below, int32_t *right)
{
    for (int i = 0; i < TILE_SAMPLES; i++) {
        int32_t own = rows[i];
        below[i] = own == rows[i + TILE_SAMPLES] && own == rows[i + 2 * TILE_SAMPLES];
        right[i] = own == rows[i + 1];
    }
}
static void compare_samples(const int32_t *rows, int32_t *below, int32_t *right);
MULTIVERSION_AVX2(compare_samples, compare_row,
                  (const int32_t *rows, int32_t *below, int32_t *right), (rows, below, right))

/* Which pixels of a row show one triangle, or the background alone. */
static void find_uniform(const tile *t, int row, bool uniform[TILE])
{
    int32_t below[TILE_SAMPLES], right[TILE_SAMPLES];
    compare_samples(t->triangle + row * SAMPLES * TILE_SAMPLES, below, right);
    for (int x = 0; x < TILE; x++) {
        int i = SAMPLES * x;
        uniform[x] = below[i] & below[i + 1] & below[i + 2] & right[i] & right[i + 1];
    }
}

/* The background in a pixel that a shadow makes darker by this part: red, green, blue (times opacity) and opacity. */
static void find_behind(const frame *f, float dark, const unsigned char *rgba, float out[4])
{
    bool clear = f->def->theme == CORD_THEME_TRANSPARENT;
    for (int k = 0; k < 3; k++) out[k] = clear ? 0 : f->linear[rgba[k]] * (1 - dark);
    out[3] = clear ? 0.75F * dark : 1;
}

static void draw_samples(const frame *f, tile *t, int index, int left, int top)
{
    memset(t->depth, 0, sizeof t->depth);
    memset(t->triangle, 0xff, sizeof t->triangle); /* -1 */
    for (int y = 0; y < TILE_SAMPLES; y++) t->span[y] = (sample_span){TILE_SAMPLES, -1};
    const canvas c = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, t->depth, t->triangle, t->span};
    cord__draw_triangles(f, &c, index, (float)(left * SAMPLES) + 0.5F,
                         (float)(top * SAMPLES) + 0.5F, 1);
}

/* The pixels of a row that triangles cover. */
static sample_span pixel_span(const tile *t, int row)
{
    sample_span s = t->span[row * SAMPLES];
    for (int j = 1; j < SAMPLES; j++) {
        const sample_span *next = &t->span[row * SAMPLES + j];
        if (next->first < s.first) s.first = next->first;
        if (next->last > s.last) s.last = next->last;
    }
    return (sample_span){s.first / SAMPLES, s.last >= 0 ? s.last / SAMPLES : -1};
}

/* Pixels of the background under a shadow, which no triangle covers. */
static void darken(const frame *f, const float *dark, int count, unsigned char *rgba)
{
    if (f->def->theme != CORD_THEME_TRANSPARENT) {
        cord__darken(dark, count, rgba);
        return;
    }
    for (int i = 0; i < count; i++) rgba[4 * i + 3] = (unsigned char)(255 * 0.75F * dark[i] + 0.5F);
}

/* One row of a tile; where neither a triangle nor a shadow is, the backdrop is there already. */
static void draw_row(const frame *f, tile *t, int y, const int origin[2], int width,
                     sample_span covered, unsigned char *rgba)
{
    float dark[TILE + RUN_END];
    float(*images)[4] = f->kept->images;
    bool uniform[TILE] = {false};
    if (images) covered = (sample_span){0, width - 1};
    if (covered.first <= covered.last) find_uniform(t, y - origin[1], uniform);
    size_t start = (size_t)y * (size_t)f->def->width + (size_t)origin[0];
    bool shaded = cord__ground_shadows(&f->rows[y], origin[0], origin[0] + width - 1, dark);
    for (int x = 0; shaded && x < width; x++)
        dark[x] *= (float)f->ground_part[start + (size_t)x] * (1 / 255.0F);
    if (covered.last >= width) covered.last = width - 1;
    int bare = 0; /* pixels up to here are drawn */
    for (int x = covered.first; x <= covered.last; x++) {
        const pixel_position at = {start + (size_t)x,
                                   (y - origin[1]) * TILE + x,
                                   {(origin[0] + x) * SAMPLES, y * SAMPLES},
                                   {x * SAMPLES, (y - origin[1]) * SAMPLES}};
        int32_t triangle = t->triangle[at.local[1] * TILE_SAMPLES + at.local[0]];
        bool image = images && images[at.pixel][3] > 0;
        if (uniform[x] && triangle < 0 && !image) continue;
        float behind[4];
        t->bare = t->bare || x > bare;
        if (shaded && x > bare) darken(f, dark + bare, x - bare, rgba + 4 * (start + (size_t)bare));
        bare = x + 1;
        t->covered[at.in_tile] = true;
        if (uniform[x] && triangle >= 0 && !(image && is_behind_image(f, t, &at))) {
            resolve_uniform(f, t, &at, triangle);
            continue;
        }
        find_behind(f, shaded ? dark[x] : 0, rgba + 4 * at.pixel, behind);
        if (image && uniform[x] && triangle < 0)
            resolve_image(t, &at, images[at.pixel], behind);
        else if (image)
            resolve_with_images(f, t, &at, behind);
        else
            resolve_pixel(f, t, &at, behind);
    }
    t->bare = t->bare || bare < width;
    if (shaded && bare < width)
        darken(f, dark + bare, width - bare, rgba + 4 * (start + (size_t)bare));
}

static void draw_tile(const frame *f, tile *t, int index, const unsigned char *backdrop,
                      unsigned char *rgba)
{
    const int origin[2] = {index % f->tiles[0] * TILE, index / f->tiles[0] * TILE};
    int width = f->def->width - origin[0] < TILE ? f->def->width - origin[0] : TILE;
    bool empty = f->bin_start[index] == f->bin_start[index + 1];
    t->read = (texel_bounds){{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    for (int y = origin[1]; y < origin[1] + TILE && y < f->def->height; y++) {
        size_t at = 4 * ((size_t)y * (size_t)f->def->width + (size_t)origin[0]);
        memcpy(rgba + at, backdrop + at, 4 * (size_t)width);
    }
    t->bare = empty;
    if (empty && f->p->image_count == 0 && !f->has_ground) return;
    if (!empty || f->p->image_count > 0) draw_samples(f, t, index, origin[0], origin[1]);
    memset(t->covered, 0, sizeof t->covered);
    for (int y = origin[1]; y < origin[1] + TILE && y < f->def->height; y++) {
        sample_span none = {TILE, -1};
        draw_row(f, t, y, origin, width, empty ? none : pixel_span(t, y - origin[1]), rgba);
    }
    shade_parts(f, t);
    for (int i = 0; i < TILE * TILE; i++) {
        size_t x = (size_t)(origin[0] + i % TILE), y = (size_t)(origin[1] + i / TILE);
        if (t->covered[i])
            cord__write_pixel(f, rgba + 4 * (y * (size_t)f->def->width + x), t->sums[i]);
    }
}

/* ---- depths, one to a pixel ----------------------------------------------------------------- */

/* Of the pixels of a tile. */
static void find_tile_depths(const frame *f, int index)
{
    float depth[TILE * TILE + FLOAT_LANES];
    int32_t nearest[TILE * TILE + FLOAT_LANES];
    int left = index % f->tiles[0] * TILE, top = index / f->tiles[0] * TILE;
    int width = f->def->width - left < TILE ? f->def->width - left : TILE,
        height = f->def->height - top < TILE ? f->def->height - top : TILE;
    const canvas c = {width, height, TILE, depth, nearest, NULL};
    memset(depth, 0, sizeof depth);
    memset(nearest, 0, sizeof nearest);
    cord__draw_triangles(f, &c, index, SAMPLES * ((float)left + 0.5F),
                         SAMPLES * ((float)top + 0.5F), SAMPLES);
    for (int y = 0; y < height; y++) {
        size_t at = (size_t)(top + y) * (size_t)f->def->width + (size_t)left;
        memcpy(f->nearest + at, nearest + y * TILE, (size_t)width * sizeof *nearest);
        for (int x = 0; x < width; x++) {
            float d = depth[y * TILE + x];
            f->depth[at + (size_t)x] = d > 0 ? 1 / d : 0;
        }
    }
}

void cord__find_depths(frame *f)
{
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4)
    for (int i = 0; i < f->tiles[0] * f->tiles[1]; i++)
        if (f->kept->tiles[i] & TILE_NEAR) find_tile_depths(f, i);
    cord__find_openness(f);
}

/* The images in front of the background, once for all pictures: the mean over the samples of each pixel. */
static cord_status find_images(memory *mem, const frame *f)
{
    kept_picture *k = f->kept;
    int width = f->def->width, height = f->def->height;
    if (f->p->image_count == 0 || k->images) return CORD_OK;
    k->images = cord__allocate(mem, (size_t)width * (size_t)height, sizeof *k->images);
    if (!k->images) return CORD_ERROR_MEMORY;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 8)
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const pixel_position at = {.sample = {x * SAMPLES, y * SAMPLES}};
            float *mean = k->images[(size_t)y * (size_t)width + (size_t)x];
            static const int order[SAMPLES * SAMPLES] = {0, 2, 6, 8, 1, 3, 4, 5, 7};
            for (int s = 0; s < SAMPLES * SAMPLES; s++) {
                float c[4] = {0};
                if (s == 4 && mean[3] == 0) break; /* no corner sees an image */
                add_images(f, &at, order[s], 0, c);
                for (int i = 0; i < 4; i++) mean[i] += c[i] / (SAMPLES * SAMPLES);
            }
        }
    return CORD_OK;
}

cord_status cord__draw_tiles(memory *mem, const frame *f, const unsigned char *backdrop,
                             unsigned char *rgba)
{
    int count = f->tiles[0] * f->tiles[1];
    kept_picture *k = f->kept;
    cord_status status = find_images(mem, f);
    if (status != CORD_OK) return status;
    if (k->worker_count < f->threads) {
        cord__release(mem, k->workers);
        k->worker_count = f->threads;
        k->workers = NEW(mem, tile, f->threads);
    }
    tile *tiles = k->workers;
    if (!tiles) return CORD_ERROR_MEMORY;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 4)
    for (int i = 0; i < count; i++) {
        if (!(k->tiles[i] & TILE_DRAWN)) continue;
        tile *t = &tiles[omp_get_thread_num()];
        draw_tile(f, t, i, backdrop, rgba);
        k->read[i] = t->read, k->bare[i] = t->bare;
    }
    return CORD_OK;
}
