/* Ambient occlusion: how much of the sky a pixel sees past its neighbours on the picture, by the estimator of scalable
 * ambient obscurance (McGuire, Mara and Luebke, 2012):
 *
 *     A = max(0, 1 − (k / (n R⁶)) Σᵢ max(0, R² − v²)³ max(0, (v·n − β) / (v² + ε)),   v = xᵢ − x,
 *
 * over n positions xᵢ on a spiral around x, at every second pixel, as the black squares of a chessboard. Then a mean over
 * neighbours at the same depth. */
#include "record/render_frame.h"

#include "math/vec3.h"

enum { TAPS = 14, ROTATIONS = 16 };

typedef struct obscurance {
    const frame *f;
    float radius, bias, most; /* R; β; pixels */
    float pixel, center[2];   /* at the distance 1; of the picture, less half a pixel */
    float spiral[ROTATIONS][TAPS][2];
} obscurance;

static void make_spiral(obscurance *o)
{
    for (int r = 0; r < ROTATIONS; r++)
        for (int i = 0; i < TAPS; i++) {
            double angle = 2 * M_PI * (i * 5.0 / TAPS + r / (double)ROTATIONS);
            double away = (i + 0.5 + 0.4 * (r % 4 - 1.5) / 4) / TAPS;
            o->spiral[r][i][0] = (float)(away * cos(angle));
            o->spiral[r][i][1] = (float)(away * sin(angle));
        }
}

/* In the axes of the camera. */
static void position_at(const obscurance *o, int x, int y, float depth, float out[3])
{
    float z = o->pixel * depth;
    out[0] = ((float)x - o->center[0]) * z;
    out[1] = (o->center[1] - (float)y) * z;
    out[2] = depth;
}

/* The mean of the normals of the triangle's corners will do. */
static void normal_at(const frame *f, int32_t triangle, float out[3])
{
    double n[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const float *c = vertex_of(f, (size_t)triangle, k)->normal;
        for (int j = 0; j < 3; j++) n[j] += c[j];
    }
    double length = fmax(v3_norm(n), 1e-12);
    out[0] = (float)(v3_dot(n, f->camera.right) / length);
    out[1] = (float)(v3_dot(n, f->camera.up) / length);
    out[2] = (float)(v3_dot(n, f->camera.forward) / length);
}

static float openness_at(const obscurance *o, int x, int y)
{
    const frame *f = o->f;
    int width = f->def->width, height = f->def->height;
    size_t here = (size_t)y * (size_t)width + (size_t)x;
    float p[3], n[3], sum = 0, r2 = o->radius * o->radius, inverse_r2 = 1 / r2;
    position_at(o, x, y, f->depth[here], p);
    float reach = lesser(o->radius / (o->pixel * p[2]), o->most);
    if (reach < 2) return 1;
    normal_at(f, f->nearest[here], n);
    const float(*spiral)[2] = o->spiral[(x & 3) * 4 + (y & 3)];
    for (int i = 0; i < TAPS; i++) {
        int tx = x + (int)lrintf(reach * spiral[i][0]), ty = y + (int)lrintf(reach * spiral[i][1]);
        if (tx < 0 || ty < 0 || tx >= width || ty >= height) continue;
        float depth = f->depth[(size_t)ty * (size_t)width + (size_t)tx], q[3];
        if (!(depth > 0)) continue;
        position_at(o, tx, ty, depth, q);
        float v[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        float vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        float vn = v[0] * n[0] + v[1] * n[1] + v[2] * n[2] - o->bias;
        if (vv >= r2 || vn <= 0) continue;
        float near = 1 - vv * inverse_r2;
        sum += near * near * near * vn / (vv + 1e-4F * r2);
    }
    return larger(1 - 2.2F * o->radius * sum / TAPS, 0);
}

static bool has_estimate(int x, int y)
{
    return ((x ^ y) & 1) == 0;
}

/* A mean over 4 × 4 pixels, the period of the rotations, that are as deep. */
static float blurred_at(const frame *f, float tolerance, int x, int y)
{
    int width = f->def->width, height = f->def->height;
    float own = f->depth[(size_t)y * (size_t)width + (size_t)x], sum = 0, count = 0;
    for (int j = y - 2; j < y + 2; j++)
        for (int i = x - 2; i < x + 2; i++) {
            if (!has_estimate(i, j) || i < 0 || j < 0 || i >= width || j >= height) continue;
            size_t at = (size_t)j * (size_t)width + (size_t)i;
            if (!(f->depth[at] > 0) || fabsf(f->depth[at] - own) > tolerance) continue;
            sum += f->other[at], count++;
        }
    return count > 0 ? sum / count : 255;
}

/* One pass over the pixels of the tiles that show anything: the estimate, or its mean. */
static void visit_tiles(const frame *f, const obscurance *o, bool mean)
{
    int width = f->def->width, height = f->def->height;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic, 8)
    for (int i = 0; i < f->tiles[0] * f->tiles[1]; i++) {
        if (f->bin_start[i] == f->bin_start[i + 1]) continue;
        int left = i % f->tiles[0] * TILE, top = i / f->tiles[0] * TILE;
        for (int y = top; y < top + TILE && y < height; y++)
            for (int x = left; x < left + TILE && x < width; x++) {
                size_t at = (size_t)y * (size_t)width + (size_t)x;
                if (!mean && !has_estimate(x, y)) continue;
                float open = 255;
                if (f->depth[at] > 0)
                    open =
                        mean ? blurred_at(f, 0.5F * o->radius, x, y) : 255 * openness_at(o, x, y);
                (mean ? f->openness : f->other)[at] = (unsigned char)(open + 0.5F);
            }
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
    make_spiral(&o);
    visit_tiles(f, &o, false);
    visit_tiles(f, &o, true);
}
