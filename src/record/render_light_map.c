/* The scene as seen from the light: a map of depths. Objects at rest are drawn in a map of their own, which the others are drawn over. */
#include "record/float_lanes.h"
#include "record/render_kept.h"

#include "math/vec3.h"

#include <string.h>

static int clamp_int(float x, int low, int high)
{
    return x > (float)low ? x < (float)high ? (int)x : high : low;
}

/* A triangle on the map: parts of its corners and the depth at (0, 0), and how much they grow per column and row. */
typedef struct depth_triangle {
    float part[3][3], depth[3];
    int low[2], high[2]; /* texels that it may touch */
} depth_triangle;

INLINE void draw_texels(const light_map *map, const depth_triangle *t)
{
    static const int_lanes count = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int y = t->low[1]; y <= t->high[1]; y++) {
        float row = (float)y;
        for (int x = t->low[0]; x <= t->high[0]; x += FLOAT_LANES) {
            float_lanes at = __builtin_convertvector(count + x, float_lanes);
            int_lanes inside = count <= t->high[0] - x;
            for (int k = 0; k < 3; k++)
                inside &= at * t->part[k][1] + (row * t->part[k][2] + t->part[k][0]) >= 0;
            float_lanes depth = at * t->depth[1] + (row * t->depth[2] + t->depth[0]);
            unaligned_lanes *there =
                (unaligned_lanes *)&map->depth[(size_t)y * (size_t)map->size + (size_t)x];
            *there = fl_select(inside & (depth > *there), depth, *there);
        }
    }
}
static void draw_depths(const light_map *map, const depth_triangle *t);
MULTIVERSION_AVX2(draw_depths, draw_texels, (const light_map *map, const depth_triangle *t),
                  (map, t))

/* p: x, y, depth of each corner. `drawn`: the squares that the triangle may touch; NULL: they are not asked for. */
static void draw_triangle(light_map *map, float p[3][3], unsigned char *drawn)
{
    depth_triangle t = {0};
    float area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    if (!(area > 0)) return; /* turned away: something else is nearer to the light */
    int last = map->size - 1, side = map->size / COVER_SQUARE;
    for (int k = 0; k < 3; k++) {
        const float *a = p[(k + 1) % 3], *b = p[(k + 2) % 3], inverse = 1 / area;
        t.part[k][1] = (a[1] - b[1]) * inverse, t.part[k][2] = (b[0] - a[0]) * inverse;
        t.part[k][0] = -(t.part[k][1] * a[0] + t.part[k][2] * a[1]);
        for (int j = 0; j < 3; j++) t.depth[j] += t.part[k][j] * p[k][2];
    }
    for (int d = 0; d < 2; d++) {
        t.low[d] = clamp_int(lesser(lesser(p[0][d], p[1][d]), p[2][d]), 0, last);
        t.high[d] = clamp_int(larger(larger(p[0][d], p[1][d]), p[2][d]) + 1, 0, last);
    }
    draw_depths(map, &t);
    int left = t.low[0] / COVER_SQUARE, right = t.high[0] / COVER_SQUARE;
    for (int y = t.low[1] / COVER_SQUARE; drawn && y <= t.high[1] / COVER_SQUARE; y++)
        memset(drawn + y * side + left, 1, (size_t)(right - left + 1));
}

static void draw_object(light_map *map, const mesh *m, size_t first, size_t end,
                        unsigned char *drawn)
{
    float rows[3][4]; /* from positions to columns, rows and depths of the map */
    for (int a = 0; a < 2; a++) {
        for (int k = 0; k < 3; k++) rows[a][k] = (float)(map->axes[a][k] / map->texel);
        rows[a][3] = (float)(-map->origin[a] / map->texel);
    }
    for (int k = 0; k < 3; k++) rows[2][k] = (float)map->light[k];
    rows[2][3] = 0;
    for (size_t t = first; t < end; t++) {
        float p[3][3];
        for (int k = 0; k < 3; k++) {
            const float *x = m->vertices[m->corners[3 * t + (size_t)k]].x;
            for (int a = 0; a < 3; a++)
                p[k][a] = rows[a][0] * x[0] + rows[a][1] * x[1] + rows[a][2] * x[2] + rows[a][3];
        }
        draw_triangle(map, p, drawn);
    }
}

/* The objects that rest, or those that do not. */
static void draw_objects(const frame *f, light_map *map, bool resting, unsigned char *drawn)
{
    const kept_picture *k = f->kept;
    for (int i = 0; i < k->object_count; i++) {
        const kept_object *o = &k->objects[i];
        if (o->resting == resting) draw_object(map, &f->casters, o->caster, o[1].caster, drawn);
    }
}

static cord_status make_map(memory *mem, kept_picture *k, int size)
{
    size_t count = (size_t)size * (size_t)size, squares = count / (COVER_SQUARE * COVER_SQUARE);
    k->light.size = size;
    if (!k->light.depth) /* vectors may end beyond a row */
        k->light.depth = NEW(mem, float, count + FLOAT_LANES);
    if (!k->light_resting) k->light_resting = NEW(mem, float, count + FLOAT_LANES);
    if (!k->light_drawn) k->light_drawn = NEW(mem, unsigned char, squares);
    if (!k->light_changed) k->light_changed = NEW(mem, unsigned char, squares);
    if (!k->light_last) k->light_last = NEW(mem, float, count);
    bool good =
        k->light.depth && k->light_resting && k->light_last && k->light_drawn && k->light_changed;
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

static void draw_resting(const frame *f, kept_picture *k)
{
    size_t count = (size_t)k->light.size * (size_t)k->light.size;
    light_map map = k->light;
    map.depth = k->light_resting;
    for (size_t i = 0; i < count; i++) map.depth[i] = -INFINITY;
    draw_objects(f, &map, true, NULL);
}

static void copy_square(const kept_picture *k, const float *from, float *to, int square)
{
    int side = k->light.size / COVER_SQUARE;
    for (int y = 0; y < COVER_SQUARE; y++) {
        size_t at = (size_t)(square / side * COVER_SQUARE + y) * (size_t)k->light.size +
                    (size_t)(square % side) * COVER_SQUARE;
        memcpy(to + at, from + at, COVER_SQUARE * sizeof *to);
    }
}

static bool same_square(const kept_picture *k, const float *a, const float *b, int square)
{
    int side = k->light.size / COVER_SQUARE;
    for (int y = 0; y < COVER_SQUARE; y++) {
        size_t at = (size_t)(square / side * COVER_SQUARE + y) * (size_t)k->light.size +
                    (size_t)(square % side) * COVER_SQUARE;
        if (memcmp(a + at, b + at, COVER_SQUARE * sizeof *a) != 0) return false;
    }
    return true;
}

/* The squares that differ from the map of objects at rest, or did so in the last picture, are made anew and compared. */
static void draw_others(const frame *f, kept_picture *k)
{
    const size_t side = (size_t)k->light.size / COVER_SQUARE, squares = side * side;
    unsigned char *changed = k->light_changed;
    memcpy(changed, k->light_drawn, squares);
    if (k->rests_anew) memset(changed, 1, squares);
    memcpy(k->light_last, k->light.depth, squares * COVER_SQUARE * COVER_SQUARE * sizeof(float));
    for (size_t i = 0; i < squares; i++)
        if (changed[i]) copy_square(k, k->light_resting, k->light.depth, (int)i);
    memset(k->light_drawn, 0, squares);
    draw_objects(f, &k->light, false, k->light_drawn);
    for (size_t i = 0; i < squares; i++)
        changed[i] = (changed[i] || k->light_drawn[i]) &&
                     !same_square(k, k->light.depth, k->light_last, (int)i);
}

cord_status cord__light_map(memory *mem, frame *f)
{
    int size = f->light_size;
    kept_picture *k = f->kept;
    cord_status status = make_map(mem, k, size);
    if (status != CORD_OK) return status;
    light_map *map = &k->light;
    map->texel = 2 * f->reach / size;
    v3_copy(map->light, f->light);
    v3_any_normal(map->axes[0], f->light);
    v3_cross(map->axes[1], f->light, map->axes[0]);
    for (int i = 0; i < 2; i++) map->origin[i] = v3_dot(f->centre, map->axes[i]) - f->reach;
    if (k->rests_anew) draw_resting(f, k);
    draw_others(f, k);
    return CORD_OK;
}
