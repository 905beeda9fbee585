/* Ambient occlusion: how much of the sky a pixel sees past its neighbours on the picture, by the estimator of scalable
 * ambient obscurance (McGuire, Mara and Luebke, 2012):
 *
 *     A = max(0, 1 − (k / (n R⁶)) Σᵢ max(0, R² − v²)³ max(0, (v·n − β) / (v² + ε)),   v = xᵢ − x,
 *
 * over n positions xᵢ on a spiral around x, at every second pixel, as the black squares of a chessboard. Then a mean over
 * neighbours at the same depth. */
#include "record/render_frame.h"

#include <math.h>

enum { TAPS = 14, ROTATIONS = 16, ROOM = 16, LANES = 4 };

typedef float float_lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int int_lanes __attribute__((vector_size(LANES * sizeof(int))));

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
static inline void normal_at(const obscurance *o, int32_t triangle, float out[3])
{
    const float *a = vertex_of(o->f, (size_t)triangle, 0)->normal,
                *b = vertex_of(o->f, (size_t)triangle, 1)->normal,
                *c = vertex_of(o->f, (size_t)triangle, 2)->normal;
    const float n[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
    float inverse = 1 / sqrtf(larger(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1e-24F));
    for (int k = 0; k < 3; k++)
        out[k] = inverse * (n[0] * o->axes[k][0] + n[1] * o->axes[k][1] + n[2] * o->axes[k][2]);
}

static inline float_lanes positive(float_lanes x)
{
    return (float_lanes)((int_lanes)x & (x > 0));
}

/* To the nearest. */
static inline int_lanes rounded(float_lanes x)
{
    return __builtin_convertvector(x + 4096.5F, int_lanes) - 4096;
}

/* The depths of pixels; 0: nothing is there. `inside`: all of them are in the picture. */
static inline float_lanes depths_at(const frame *f, int_lanes x, int_lanes y, bool inside)
{
    int width = f->def->width, height = f->def->height;
    float_lanes depth = {0};
    for (int i = 0; i < LANES; i++)
        if (inside || (x[i] >= 0 && y[i] >= 0 && x[i] < width && y[i] < height))
            depth[i] = f->depth[(size_t)y[i] * (size_t)width + (size_t)x[i]];
    return depth;
}

/* The sum over the taps that are `reach` times the spiral away from the pixel at p, with the normal n. */
static inline float sum_over_taps(const obscurance *o, int x, int y, float reach, const float p[3],
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
                    along = positive(u * n[0] + v * n[1] + w * n[2] - o->bias),
                    near = positive(1 - squared * inverse_r2);
        float_lanes part = near * near * near * along / (squared + least);
        part = (float_lanes)((int_lanes)part & (depth > 0));
        for (int i = 0; i < LANES && k * LANES + i < TAPS; i++) sum += part[i];
    }
    return sum;
}

static inline float openness_at(const obscurance *o, int x, int y)
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

static inline bool has_estimate(int x, int y)
{
    return ((x ^ y) & 1) == 0;
}

/* A mean over 4 × 4 pixels, the period of the rotations, that are as deep. */
static inline float blurred_at(const frame *f, float tolerance, int x, int y)
{
    int width = f->def->width, height = f->def->height;
    float own = f->depth[(size_t)y * (size_t)width + (size_t)x], sum = 0, count = 0;
    bool inside = x >= 2 && y >= 2 && x + 2 < width && y + 2 < height;
    for (int j = y - 2; j < y + 2; j++)
        for (int i = x - 2 + ((x ^ j) & 1); i < x + 2; i += 2) { /* those with an estimate */
            if (!inside && (i < 0 || j < 0 || i >= width || j >= height)) continue;
            size_t at = (size_t)j * (size_t)width + (size_t)i;
            bool near = f->depth[at] > 0 && fabsf(f->depth[at] - own) <= tolerance;
            sum += near ? (float)f->other[at] : 0, count += near ? 1 : 0;
        }
    return count > 0 ? sum / count : 255;
}

/* One pass over the pixels of a tile: the estimate, or its mean. */
static inline void visit_tile(const obscurance *o, int left, int top, bool mean)
{
    const frame *f = o->f;
    int width = f->def->width, height = f->def->height;
    for (int y = top; y < top + TILE && y < height; y++)
        for (int x = left; x < left + TILE && x < width; x++) {
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            if (!mean && !has_estimate(x, y)) continue;
            float open = 255;
            if (f->depth[at] > 0)
                open = mean ? blurred_at(f, 0.5F * o->radius, x, y) : 255 * openness_at(o, x, y);
            (mean ? f->openness : f->other)[at] = (unsigned char)(open + 0.5F);
        }
}

/* Over all tiles that show anything. */
static void visit_tiles(const obscurance *o, bool mean)
{
    const frame *f = o->f;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 8)
    for (int i = 0; i < f->tiles[0] * f->tiles[1]; i++) {
        if (f->bin_start[i] == f->bin_start[i + 1]) continue;
        int left = i % f->tiles[0] * TILE, top = i / f->tiles[0] * TILE;
        visit_tile(o, left, top, mean);
    }
}

void cord__find_openness(frame *f)
{
    obscurance o = {.f = f,
                    .radius = (float)(0.07 * f->reach),
                    .bias = (float)(0.0012 * f->reach),
                    .most = 0.05F * (float)f->def->height,
                    .pixel = (float)(1 / f->camera.scale)};
    for (int k = 0; k < 2; k++) o.center[k] = (float)(f->camera.center[k] - 0.5);
    const double *axes[3] = {f->camera.right, f->camera.up, f->camera.forward};
    for (int k = 0; k < 9; k++) o.axes[k / 3][k % 3] = (float)axes[k / 3][k % 3];
    make_spiral(&o);
    visit_tiles(&o, false);
    visit_tiles(&o, true);
}
