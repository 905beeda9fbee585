/* The scene as seen from the light: a map of depths. What rests is drawn in a map of its own, which the others are drawn over. */
#include "record/render_kept.h"

#include "math/vec3.h"

#include <string.h>

static float edge_function(const float *a, const float *b, float x, float y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static int clamp_int(float x, int low, int high)
{
    return x > (float)low ? x < (float)high ? (int)x : high : low;
}

/* p: x, y, depth of each corner. `drawn`: the squares that the triangle may touch; NULL: they are not asked for. */
static void draw_depth(light_map *map, float p[3][3], unsigned char *drawn)
{
    float area = edge_function(p[0], p[1], p[2][0], p[2][1]);
    if (!(area > 0)) return; /* turned away: something else is nearer to the light */
    float inverse = 1 / area;
    int last = map->size - 1, side = map->size / COVER_SQUARE;
    int x0 = clamp_int(lesser(lesser(p[0][0], p[1][0]), p[2][0]), 0, last);
    int x1 = clamp_int(larger(larger(p[0][0], p[1][0]), p[2][0]) + 1, 0, last);
    int y0 = clamp_int(lesser(lesser(p[0][1], p[1][1]), p[2][1]), 0, last);
    int y1 = clamp_int(larger(larger(p[0][1], p[1][1]), p[2][1]) + 1, 0, last);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            float sx = (float)x, sy = (float)y;
            float a = edge_function(p[1], p[2], sx, sy) * inverse;
            float b = edge_function(p[2], p[0], sx, sy) * inverse, c = 1 - a - b;
            if (a < 0 || b < 0 || c < 0) continue;
            float depth = a * p[0][2] + b * p[1][2] + c * p[2][2];
            float *there = &map->depth[(size_t)y * (size_t)map->size + (size_t)x];
            if (depth > *there) *there = depth;
        }
    }
    for (int y = y0 / COVER_SQUARE; drawn && y <= y1 / COVER_SQUARE; y++)
        memset(drawn + y * side + x0 / COVER_SQUARE, 1,
               (size_t)(x1 / COVER_SQUARE - x0 / COVER_SQUARE + 1));
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
        draw_depth(map, p, drawn);
    }
}

/* The objects that rest, or those that do not. */
static void draw_objects(const frame *f, light_map *map, bool resting, unsigned char *drawn)
{
    const kept_picture *k = f->kept;
    for (int i = 0; i < k->object_count; i++) {
        const kept_object *o = &k->objects[i];
        if (o->resting == resting) draw_object(map, &f->mesh, o->triangle, o[1].triangle, drawn);
    }
}

static cord_status make_map(memory *mem, kept_picture *k, int size)
{
    size_t count = (size_t)size * (size_t)size, squares = count / (COVER_SQUARE * COVER_SQUARE);
    k->light.size = size;
    if (!k->light.depth) k->light.depth = NEW(mem, float, count);
    if (!k->light_resting) k->light_resting = NEW(mem, float, count);
    if (!k->light_drawn) k->light_drawn = NEW(mem, unsigned char, squares);
    if (!k->light_changed) k->light_changed = NEW(mem, unsigned char, squares);
    if (!k->light_last) k->light_last = NEW(mem, float, count);
    bool good = k->light.depth && k->light_resting && k->light_last && k->light_drawn &&
                k->light_changed;
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

/* The squares that differ from the map of what rests, or did so in the last picture, are made anew and compared. */
static void draw_others(const frame *f, kept_picture *k)
{
    int squares = k->light.size / COVER_SQUARE * (k->light.size / COVER_SQUARE);
    unsigned char *changed = k->light_changed;
    memcpy(changed, k->light_drawn, (size_t)squares);
    if (k->rests_anew) memset(changed, 1, (size_t)squares);
    memcpy(k->light_last, k->light.depth, (size_t)squares * COVER_SQUARE * COVER_SQUARE * sizeof(float));
    for (int i = 0; i < squares; i++)
        if (changed[i]) copy_square(k, k->light_resting, k->light.depth, i);
    memset(k->light_drawn, 0, (size_t)squares);
    draw_objects(f, &k->light, false, k->light_drawn);
    for (int i = 0; i < squares; i++)
        changed[i] = (changed[i] || k->light_drawn[i]) &&
                     !same_square(k, k->light.depth, k->light_last, i);
}

cord_status cord__light_map(memory *mem, frame *f, int size)
{
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
