/* Height fields: the closest point of the surface z = h(x, y), by Newton's method from the point below. */
#include "contact/cubic.h"
#include "contact/shapes.h"
#include "math/vec3.h"

#define ITERATIONS 12
#define HALVINGS 6
#define CONVERGED 1e-13 /* of a step, relative to the spacing */

typedef struct height {
    double x[2], h, h_x[2], h_xx, h_xy, h_yy;
} height;

static height height_at(const height_field *f, double x, double y)
{
    height r = {.x = {x, y}};
    cubic a = cubic_at(x, f->spacing, f->count[0]), b = cubic_at(y, f->spacing, f->count[1]);
    for (int j = 0; j < 4; j++) {
        const double *row = f->height + (size_t)b.node[j] * (size_t)f->count[0];
        double v = 0, v_x = 0, v_xx = 0;
        for (int i = 0; i < 4; i++) {
            double z = row[a.node[i]];
            v += a.w[i] * z, v_x += a.w_x[i] * z, v_xx += a.w_xx[i] * z;
        }
        r.h += b.w[j] * v, r.h_x[0] += b.w[j] * v_x, r.h_x[1] += b.w_x[j] * v;
        r.h_xx += b.w[j] * v_xx, r.h_xy += b.w_x[j] * v_x, r.h_yy += b.w_xx[j] * v;
    }
    return r;
}

/* The height is constant beyond the borders: derivatives across them vanish there. */
static height extended_height(const height_field *f, double x, double y)
{
    double p[2] = {x, y};
    bool outside[2];
    for (int k = 0; k < 2; k++) {
        double end = (f->count[k] - 1) * f->spacing;
        outside[k] = p[k] < 0 || p[k] > end;
        p[k] = fmin(fmax(p[k], 0), end);
    }
    height r = height_at(f, p[0], p[1]);
    r.x[0] = x, r.x[1] = y;
    if (outside[0]) r.h_x[0] = r.h_xx = r.h_xy = 0;
    if (outside[1]) r.h_x[1] = r.h_yy = r.h_xy = 0;
    return r;
}

static double half_square(const height *p, const double x[3])
{
    double a = p->x[0] - x[0], b = p->x[1] - x[1], c = p->h - x[2];
    return 0.5 * (a * a + b * b + c * c);
}

/* Newton's step of ½(u − x)² + ½(v − y)² + ½(h − z)²; the scaled gradient where the Hessian is not positive. */
static void newton_step(const height *p, const double x[3], double step[2])
{
    double c = p->h - x[2];
    double g0 = p->x[0] - x[0] + c * p->h_x[0], g1 = p->x[1] - x[1] + c * p->h_x[1];
    double a0 = 1 + p->h_x[0] * p->h_x[0], a1 = 1 + p->h_x[1] * p->h_x[1];
    double h0 = a0 + c * p->h_xx, h1 = a1 + c * p->h_yy, h01 = p->h_x[0] * p->h_x[1] + c * p->h_xy;
    double det = h0 * h1 - h01 * h01;
    if (h0 <= 0 || det <= 0) h0 = h1 = a0 + a1, h01 = 0, det = h0 * h1;
    step[0] = -(h1 * g0 - h01 * g1) / det;
    step[1] = -(h0 * g1 - h01 * g0) / det;
}

static bool descend(const height_field *f, const double x[3], const double step[2], height *p)
{
    double value = half_square(p, x), fraction = 1;
    for (int k = 0; k < HALVINGS; k++, fraction *= 0.5) {
        height q = extended_height(f, p->x[0] + fraction * step[0], p->x[1] + fraction * step[1]);
        if (half_square(&q, x) < value) {
            *p = q;
            return true;
        }
    }
    return false;
}

static double distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    const height_field *f = &shape->field;
    height p = extended_height(f, x[0], x[1]);
    double side = x[2] >= p.h ? 1 : -1;
    for (int k = 0; k < ITERATIONS; k++) {
        double step[2];
        newton_step(&p, x, step);
        if (hypot(step[0], step[1]) <= CONVERGED * f->spacing || !descend(f, x, step, &p)) break;
    }
    v3_set(normal, -p.h_x[0], -p.h_x[1], 1);
    v3_normalize(normal, normal);
    return side * sqrt(2 * half_square(&p, x));
}

static void bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    const height_field *f = &shape->field;
    double highest = -INFINITY, lowest = INFINITY;
    int nodes = f->count[0] * f->count[1];
    for (int i = 0; i < nodes; i++) {
        highest = fmax(highest, f->height[i]);
        lowest = fmin(lowest, f->height[i]);
    }
    v3_set(low, -INFINITY, -INFINITY, -INFINITY);
    /* The weights' magnitudes sum to at most (5/4)², so that values between nodes exceed the range of the nodes by at most
     * 9/32 of it. */
    v3_set(high, INFINITY, INFINITY, highest + 9.0 / 32 * (highest - lowest));
}

const shape_ops cord__height_field_shape = {"heightfield", false, distance, bounds, NULL};
