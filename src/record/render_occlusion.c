/* Ambient occlusion: how much of the sky a pixel sees past its neighbours on the picture, by the estimator of scalable
 * ambient obscurance (McGuire, Mara and Luebke, 2012):
 *
 *     A = max(0, 1 − (k / (n R⁶)) Σᵢ max(0, R² − v²)³ max(0, (v·n − β) / (v² + ε)),   v = xᵢ − x,
 *
 * over n positions xᵢ on a spiral around x, at every second pixel, as the black squares of a chessboard. Then a mean over
 * neighbours at the same depth. */
#include "record/float_lanes.h"
#include "record/render_kept.h"

#include <math.h>

enum { TAPS = 14, ROTATIONS = 16, ROOM = 16, LANES = FLOAT_LANES };

typedef struct obscurance {
    const frame *f;
    float radius, bias, most; /* R; β; pixels */
    float pixel, center[2];   /* at the distance 1; of the picture, less half a pixel */
    float axes[3][3];         /* of the camera */
    float_lanes spiral[ROTATIONS][2][ROOM / LANES]; /* x and y, over the reach; TAPS of them */
} obscurance;

static void make_spiral(obscurance *o)
{
    for (int r = 0; r < ROTATIONS; r++)
        for (int i = 0; i < TAPS; i++) {
            double angle = 2 * M_PI * (i * 5.0 / TAPS + r / (double)ROTATIONS);
            double away = (i + 0.5 + 0.4 * (r % 4 - 1.5) / 4) / TAPS;
            o->spiral[r][0][i / LANES][i % LANES] = (float)(away * cos(angle));
            o->spiral[r][1][i / LANES][i % LANES] = (float)(away * sin(angle));
        }
}

/* The mean of the normals of the triangle's corners will do. In the axes of the camera. */
INLINE void normal_at(const obscurance *o, int32_t triangle, float out[3])
{
    const float *a = vertex_of(o->f, (size_t)triangle, 0)->normal,
                *b = vertex_of(o->f, (size_t)triangle, 1)->normal,
                *c = vertex_of(o->f, (size_t)triangle, 2)->normal;
    const float n[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
    float inverse = 1 / sqrtf(larger(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1e-24F));
    for (int k = 0; k < 3; k++)
        out[k] = inverse * (n[0] * o->axes[k][0] + n[1] * o->axes[k][1] + n[2] * o->axes[k][2]);
}

/* To the nearest. */
INLINE int_lanes rounded(float_lanes x)
{
    return __builtin_convertvector(x + 4096.5F, int_lanes) - 4096;
}

/* The depths of pixels; 0: nothing is there. `inside`: all of them are in the picture. */
INLINE float_lanes depths_at(const frame *f, int_lanes x, int_lanes y, bool inside)
{
    int width = f->def->width, height = f->def->height;
    int_lanes at = y * width + x;
    float_lanes depth = {0};
    if (inside) {
        for (int i = 0; i < LANES; i++) depth[i] = f->depth[at[i]];
        return depth;
    }
    for (int i = 0; i < LANES; i++)
        if (x[i] >= 0 && y[i] >= 0 && x[i] < width && y[i] < height) depth[i] = f->depth[at[i]];
    return depth;
}

/* The sum over the taps that are `reach` times the spiral away from the pixel at p, with the normal n. */
INLINE float sum_over_taps(const obscurance *o, int x, int y, float reach, const float p[3],
                           const float n[3])
{
    float r2 = o->radius * o->radius, inverse_r2 = 1 / r2, least = 1e-4F * r2, sum = 0;
    const float_lanes(*spiral)[ROOM / LANES] = o->spiral[(x & 3) * 4 + (y & 3)];
    int far = (int)reach + 1;
    bool inside = x >= far && y >= far && x + far < o->f->def->width && y + far < o->f->def->height;
    for (int k = 0; k < ROOM / LANES; k++) {
        int_lanes tx = x + rounded(reach * spiral[0][k]), ty = y + rounded(reach * spiral[1][k]);
        float_lanes depth = depths_at(o->f, tx, ty, inside), z = o->pixel * depth;
        float_lanes u = (__builtin_convertvector(tx, float_lanes) - o->center[0]) * z - p[0],
                    v = (o->center[1] - __builtin_convertvector(ty, float_lanes)) * z - p[1],
                    w = depth - p[2];
        float_lanes squared = u * u + v * v + w * w,
                    along = u * n[0] + v * n[1] + w * n[2] - o->bias,
                    near = 1 - squared * inverse_r2;
        along = fl_masked(along > 0, along), near = fl_masked(near > 0, near);
        float_lanes part = near * near * near * along / (squared + least);
        part = fl_masked(depth > 0, part);
        for (int i = 0; i < LANES && k * LANES + i < TAPS; i++) sum += part[i];
    }
    return sum;
}

INLINE float openness_at(const obscurance *o, int x, int y)
{
    const frame *f = o->f;
    size_t here = (size_t)y * (size_t)f->def->width + (size_t)x;
    float depth = f->depth[here], z = o->pixel * depth, n[3];
    const float p[3] = {((float)x - o->center[0]) * z, (o->center[1] - (float)y) * z, depth};
    float reach = lesser(o->radius / z, o->most);
    if (reach < 2) return 1;
    normal_at(o, f->nearest[here], n);
    return larger(1 - 2.2F * o->radius * sum_over_taps(o, x, y, reach, p, n) / TAPS, 0);
}

INLINE bool has_estimate(int x, int y)
{
    return ((x ^ y) & 1) == 0;
}

/* One pass over the pixels of a tile. */
INLINE void estimate_tile(const obscurance *o, int left, int top)
{
    const frame *f = o->f;
    int width = f->def->width, height = f->def->height;
    for (int y = top; y < top + TILE && y < height; y++)
        for (int x = left; x < left + TILE && x < width; x++) {
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            if (!has_estimate(x, y)) continue;
            float open = f->depth[at] > 0 ? openness_at(o, x, y) : 1;
            f->other[at] = (unsigned char)(255 * open + 0.5F);
        }
}

enum { BORDER = 2, SIDE = TILE + 2 * BORDER };

/* A tile and a border of pixels. */
typedef struct estimates {
    float depth[SIDE][SIDE], value[SIDE][SIDE];
    float known[SIDE][SIDE]; /* 1 where there is an estimate of something, 0 elsewhere */
} estimates;

INLINE void read_estimates(const frame *f, int left, int top, estimates *e)
{
    int width = f->def->width, height = f->def->height;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int x = left + i - BORDER, y = top + j - BORDER;
            bool inside = x >= 0 && y >= 0 && x < width && y < height;
            size_t at = inside ? (size_t)y * (size_t)width + (size_t)x : 0;
            e->depth[j][i] = inside ? f->depth[at] : 0;
            e->value[j][i] = (float)f->other[at];
            e->known[j][i] = e->depth[j][i] > 0 && has_estimate(x, y) ? 1 : 0;
        }
}

/* A mean over 4 × 4 pixels, the period of the rotations, that are as deep. Whether it is another one than before. */
INLINE void blur_tile(const obscurance *o, int left, int top, bool *changed)
{
    const frame *f = o->f;
    int width = f->def->width, height = f->def->height;
    float tolerance = 0.5F * o->radius;
    estimates e;
    read_estimates(f, left, top, &e);
    for (int j = BORDER; j < BORDER + TILE && top + j - BORDER < height; j++) {
        float mean[TILE];
        for (int i = 0; i < TILE; i += LANES) {
            float_lanes own = fl_load(&e.depth[j][i + BORDER]), sum = {0}, count = {0};
            for (int v = j - BORDER; v < j + BORDER; v++)
                for (int u = i; u < i + 2 * BORDER; u++) {
                    float_lanes away = fl_load(&e.depth[v][u]) - own,
                                known = fl_load(&e.known[v][u]);
                    int_lanes near = (away <= tolerance) & (away >= -tolerance);
                    known = fl_masked(near, known);
                    sum += known * fl_load(&e.value[v][u]), count += known;
                }
            int_lanes any = (own > 0) & (count > 0);
            for (int k = 0; k < LANES; k++) mean[i + k] = any[k] ? sum[k] / count[k] : 255;
        }
        unsigned char *row = f->openness + (size_t)(top + j - BORDER) * (size_t)width + left;
        for (int i = 0; i < TILE && left + i < width; i++) {
            unsigned char now = (unsigned char)(mean[i] + 0.5F);
            *changed |= row[i] != now;
            row[i] = now;
        }
    }
}

INLINE void visit_tile(const obscurance *o, int left, int top, bool mean, bool *changed)
{
    if (mean)
        blur_tile(o, left, top, changed);
    else
        estimate_tile(o, left, top);
}
void cord__occlude_tile(const obscurance *o, int left, int top, bool mean, bool *changed);
MULTIVERSION_AVX2(cord__occlude_tile, visit_tile,
                  (const obscurance *o, int left, int top, bool mean, bool *changed),
                  (o, left, top, mean, changed))

/* Over all tiles that show anything, if it may have changed. */
static void visit_tiles(const obscurance *o, bool mean)
{
    const frame *f = o->f;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 8)
    for (int i = 0; i < f->tiles[0] * f->tiles[1]; i++) {
        unsigned char *tile = &f->kept->tiles[i];
        if (!(*tile & TILE_NEAR) || f->bin_start[i] == f->bin_start[i + 1]) continue;
        int left = i % f->tiles[0] * TILE, top = i / f->tiles[0] * TILE;
        bool changed = false;
        cord__occlude_tile(o, left, top, mean, &changed);
        if (changed && mean) *tile |= TILE_DRAWN;
    }
}

static float most_reach(const frame *f)
{
    return 0.05F * (float)f->def->height;
}

/* By the spiral, rounded, and the mean. */
int cord__occlusion_reach(const frame *f)
{
    return (int)most_reach(f) + 4;
}

void cord__find_openness(frame *f)
{
    obscurance o = {.f = f,
                    .radius = (float)(0.07 * f->reach),
                    .bias = (float)(0.0012 * f->reach),
                    .most = most_reach(f),
                    .pixel = (float)(1 / f->camera.scale)};
    for (int k = 0; k < 2; k++) o.center[k] = (float)(f->camera.center[k] - 0.5);
    const double *axes[3] = {f->camera.right, f->camera.up, f->camera.forward};
    for (int k = 0; k < 9; k++) o.axes[k / 3][k % 3] = (float)axes[k / 3][k % 3];
    make_spiral(&o);
    visit_tiles(&o, false);
    visit_tiles(&o, true);
}
