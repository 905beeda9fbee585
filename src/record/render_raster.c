/* Triangles on the picture: sorted by the tiles that they may touch, and rasterised. */
#include "record/float_lanes.h"
#include "record/render_kept.h"
#include "record/render_raster.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- triangles on the picture --------------------------------------------------------------- */

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
    float x0 = lesser(lesser(c[0]->x, c[1]->x), c[2]->x),
          x1 = larger(larger(c[0]->x, c[1]->x), c[2]->x);
    float y0 = lesser(lesser(c[0]->y, c[1]->y), c[2]->y),
          y1 = larger(larger(c[0]->y, c[1]->y), c[2]->y);
    float width = (float)(f->tiles[0] * TILE_SAMPLES), height = (float)(f->tiles[1] * TILE_SAMPLES);
    if (x1 < 0 || y1 < 0 || x0 >= width || y0 >= height) return false;
    range[0] = tile_of(x0, f->tiles[0]), range[1] = tile_of(y0, f->tiles[1]);
    range[2] = tile_of(x1, f->tiles[0]), range[3] = tile_of(y1, f->tiles[1]);
    return true;
}

/* Whether a tile within the range of a triangle lies wholly on the outer side of one of its edges. */
static bool is_beside(const corner *const c[3], int x, int y)
{
    const float left = (float)(x * TILE_SAMPLES), top = (float)(y * TILE_SAMPLES);
    for (int k = 0; k < 3; k++) {
        const corner *a = c[k], *b = c[(k + 1) % 3];
        /* The corner of the tile that is farthest inside. */
        corner p = {b->y > a->y ? left + TILE_SAMPLES : left,
                    b->x < a->x ? top + TILE_SAMPLES : top, 0};
        if (facing(a, b, &p) < 0) return true;
    }
    return false;
}

/* Count, then fill; `bin` NULL: only count. `on_tiles`: the bits of tiles where there are any. */
static void sort_object(const frame *f, const kept_object *o, uint32_t *next, uint32_t *bin,
                        uint64_t *on_tiles)
{
    for (size_t t = o->triangle; t < o[1].triangle; t++) {
        int range[4];
        if (!tile_range(f, t, range)) continue;
        const corner *c[3] = {corner_of(f, t, 0), corner_of(f, t, 1), corner_of(f, t, 2)};
        bool one = range[0] == range[2] && range[1] == range[3];
        for (int y = range[1]; y <= range[3]; y++) {
            for (int x = range[0]; x <= range[2]; x++) {
                if (!one && is_beside(c, x, y)) continue;
                int tile = y * f->tiles[0] + x;
                if (bin) bin[next[tile]] = (uint32_t)t;
                next[tile]++;
                on_tiles[tile / 64] |= (uint64_t)1 << tile % 64;
            }
        }
    }
}

/* The tiles that an object is on. */
static void mark_moved(const frame *f, const uint64_t *on_tiles)
{
    for (int i = 0; i < f->tiles[0] * f->tiles[1]; i++)
        if (on_tiles[i / 64] >> i % 64 & 1) f->kept->tiles[i] |= TILE_MOVED;
}

static void count_triangles(const frame *f, uint32_t *next)
{
    kept_picture *k = f->kept;
    for (int i = 0; i < k->object_count; i++) {
        uint64_t *on_tiles = k->on_tiles + (size_t)i * k->tile_words;
        bool moved = k->objects[i].moved;
        if (moved) {
            mark_moved(f, on_tiles); /* those where it was */
            memset(on_tiles, 0, k->tile_words * sizeof *on_tiles);
        }
        sort_object(f, &k->objects[i], next, NULL, on_tiles);
        if (moved) mark_moved(f, on_tiles);
    }
}

static void fill_bins(const frame *f, uint32_t *next)
{
    kept_picture *k = f->kept;
    for (int i = 0; i < k->object_count; i++)
        sort_object(f, &k->objects[i], next, f->bin, k->on_tiles + (size_t)i * k->tile_words);
}

cord_status cord__bin_triangles(memory *mem, frame *f)
{
    int tiles = f->tiles[0] * f->tiles[1];
    kept_picture *k = f->kept;
    f->corners = k->corners =
        cord__make_room(mem, k->corners, &k->corner_room, f->mesh.vertex_count, sizeof(corner));
    f->bin_start = NEW(mem, uint32_t, tiles + 1);
    uint32_t *next = NEW(mem, uint32_t, tiles);
    cord_status status = CORD_ERROR_MEMORY;
    if (f->corners && f->bin_start && next) {
        project_all(f);
        count_triangles(f, next);
        for (int i = 0; i < tiles; i++) {
            f->bin_start[i + 1] = f->bin_start[i] + next[i];
            next[i] = f->bin_start[i];
        }
        f->bin = k->bin =
            cord__make_room(mem, k->bin, &k->bin_room, f->bin_start[tiles], sizeof(uint32_t));
        if (f->bin) {
            fill_bins(f, next);
            status = CORD_OK;
        }
    }
    cord__release(mem, next);
    return status;
}

/* ---- triangles on a canvas --------------------------------------------------------------------- */

/* A triangle with positive area: its edge functions, which are affine, and one over the depth. */
typedef struct raster {
    float dx[3], dy[3], at0[3]; /* edge functions: per column, per row, at the origin */
    float per_dx[3];            /* 1/dx; 0 where that is 0 */
    float depth0, depth_dx, depth_dy;
    float low[2], high[2];
} raster;

INLINE void set_up_raster(const frame *f, size_t triangle, float left, float top, float step,
                          raster *r)
{
    const corner *c[3] = {corner_of(f, triangle, 0), corner_of(f, triangle, 1),
                          corner_of(f, triangle, 2)};
    float inverse = 1 / facing(c[0], c[1], c[2]);
    *r = (raster){.low = {FLT_MAX, FLT_MAX}, .high = {-FLT_MAX, -FLT_MAX}};
    for (int k = 0; k < 3; k++) {
        const corner *a = c[(k + 1) % 3], *b = c[(k + 2) % 3];
        corner origin = {left, top, 0};
        r->at0[k] = facing(&origin, a, b);
        r->dx[k] = step * (a->y - b->y), r->dy[k] = step * (b->x - a->x);
        r->dx[k] = -r->dx[k], r->dy[k] = -r->dy[k];
        r->per_dx[k] = r->dx[k] != 0 ? 1 / r->dx[k] : 0;
        r->depth0 += r->at0[k] * c[k]->w * inverse;
        r->depth_dx += r->dx[k] * c[k]->w * inverse;
        r->depth_dy += r->dy[k] * c[k]->w * inverse;
        float x = (c[k]->x - left) / step, y = (c[k]->y - top) / step;
        r->low[0] = lesser(r->low[0], x), r->high[0] = larger(r->high[0], x);
        r->low[1] = lesser(r->low[1], y), r->high[1] = larger(r->high[1], y);
    }
}

INLINE int bound_int(float x, int low, int high)
{
    return x > (float)low ? x < (float)high ? (int)x : high : low;
}

/* The columns of a row that the triangle covers, from *first to *last; false: none. */
INLINE bool row_span(const raster *r, int y, int width, int *first, int *last)
{
    float from = larger(r->low[0] - 1, 0), to = lesser(r->high[0] + 1, (float)(width - 1));
    for (int k = 0; k < 3; k++) {
        float w = r->at0[k] + (float)y * r->dy[k], crossing = -w * r->per_dx[k];
        if (r->dx[k] > 0)
            from = larger(from, crossing);
        else if (r->dx[k] < 0)
            to = lesser(to, crossing);
        else if (w < 0)
            return false;
    }
    if (!(from <= to)) return false;
    *first = (int)from + ((float)(int)from < from);
    *last = (int)to;
    return *first <= *last;
}

/* The samples from x on that are marked, if they are nearer than the present depth. */
INLINE void put(const canvas *c, int32_t triangle, int x, int y, float_lanes d, int_lanes marked)
{
    unaligned_lanes *depth = (unaligned_lanes *)(c->depth + y * c->stride + x);
    unaligned_ints *shown = (unaligned_ints *)(c->triangle + y * c->stride + x);
    int_lanes nearer = marked & (d > *depth);
    *depth = fl_select(nearer, d, *depth);
    *shown = (nearer & triangle) | (~nearer & *shown);
}

INLINE void widen(const canvas *c, int y, int first, int last)
{
    if (!c->spans) return;
    if (first < c->spans[y].first) c->spans[y].first = first;
    if (last > c->spans[y].last) c->spans[y].last = last;
}

/* A triangle that is no wider than a vector: each of its samples is tested. */
INLINE void draw_narrow(const raster *r, const canvas *c, int32_t triangle, int y0, int y1)
{
    static const int_lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
    int x = bound_int(r->low[0], 0, c->width - 1);
    int last = bound_int(r->high[0] + 1, 0, c->width - 1);
    float_lanes at = __builtin_convertvector(count + x, float_lanes);
    int_lanes within = count <= last - x;
    for (int y = y0; y <= y1; y++) {
        float row = (float)y;
        int_lanes marked = within;
        for (int k = 0; k < 3; k++) marked &= r->at0[k] + row * r->dy[k] + at * r->dx[k] >= 0;
        put(c, triangle, x, y, r->depth0 + row * r->depth_dy + at * r->depth_dx, marked);
        widen(c, y, x, last);
    }
}

INLINE void draw_triangle(const raster *r, const canvas *c, int32_t triangle)
{
    static const int_lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
    if (r->high[1] < 0 || r->low[1] > (float)c->height) return;
    if (r->high[0] < 0 || r->low[0] > (float)c->width) return;
    int y0 = bound_int(r->low[1], 0, c->height - 1), y1 = bound_int(r->high[1], 0, c->height - 1);
    if (r->high[0] - r->low[0] < FLOAT_LANES - 2) {
        draw_narrow(r, c, triangle, y0, y1);
        return;
    }
    for (int y = y0; y <= y1; y++) {
        int first, last;
        if (!row_span(r, y, c->width, &first, &last)) continue;
        float depth0 = r->depth0 + (float)y * r->depth_dy;
        widen(c, y, first, last);
        for (int x = first; x <= last; x += FLOAT_LANES) {
            float_lanes at = __builtin_convertvector(count + x, float_lanes);
            put(c, triangle, x, y, depth0 + at * r->depth_dx, count <= last - x);
        }
    }
}

INLINE void draw_bin(const frame *f, const canvas *c, int index, float left, float top, float step)
{
    for (uint32_t i = f->bin_start[index]; i < f->bin_start[index + 1]; i++) {
        raster r;
        set_up_raster(f, f->bin[i], left, top, step, &r);
        draw_triangle(&r, c, (int32_t)f->bin[i]);
    }
}
MULTIVERSION_AVX2(cord__draw_triangles, draw_bin,
                  (const frame *f, const canvas *c, int index, float left, float top, float step),
                  (f, c, index, left, top, step))
