/* Newton's method for the axis of two boxes or cylinders, from a normal near it.
 *
 * The support function of a cylinder, h = r ρ + ℓ |a·n|, ρ = |a × n|, has the Hessian (r/ρ) t tᵀ, t = a × n/ρ; that of a box has
 * none. On unit vectors the gap, which is homogeneous, has the gradient w = x₁ − x₂ of the support points, and for tangents d
 *
 *     dᵀ∇²gap d = −Σ (r/ρ) (t·d)² − gap |d|².
 *
 * It has kinks where n is normal to an edge of a box or to the axis of a cylinder. Maxima on a kink are sought along it. */
#include "contact/convex.h"
#include "math/vec3.h"

#define STEPS 6
#define KINK 1e-3  /* cosines below this may be those of a kink */
#define SHARP 1e-6 /* of ρ: the normal of a cap, a maximum by itself */
#define EQUAL 1e-12

typedef struct newton_axis {
    const obstacle *o[2];
    double size;
    int free; /* directions, d */
    double d[2][3];
} newton_axis;

/* Moves n onto a kink next to it where the gap is not less there; true then. */
static bool onto_kink(const newton_axis *q, const double e[3], solid_point *axis)
{
    double n[3], cosine = v3_dot(axis->normal, e);
    if (fabs(cosine) > KINK) return false;
    v3_combine(n, 1, axis->normal, -cosine, e);
    v3_normalize(n, n);
    double gap = cord__gap_along(q->o[0], q->o[1], n);
    if (gap < axis->gap - EQUAL * q->size) return false;
    v3_copy(axis->normal, n);
    axis->gap = gap;
    return true;
}

/* The directions in which the gap is smooth. */
static void find_directions(newton_axis *q, solid_point *axis)
{
    const double *n = axis->normal;
    q->free = 2;
    for (int k = 0; k < 2; k++)
        for (int i = cord__first_direction(q->o[k]); i < 3; i++) {
            const double *e = q->o[k]->R + 3 * i;
            if (!onto_kink(q, e, axis)) continue;
            q->free--;
            v3_cross(q->d[0], n, e);
            v3_normalize(q->d[0], q->d[0]);
        }
    if (q->free < 2) return;
    v3_any_normal(q->d[0], n);
    v3_cross(q->d[1], n, q->d[0]);
}

/* −∇² over the directions; false where a cylinder has none. */
static bool curvature(const newton_axis *q, const solid_point *axis, double h[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) h[i][j] = i == j ? axis->gap : 0;
    for (int k = 0; k < 2; k++) {
        double t[3];
        if (cord__first_direction(q->o[k]) == 0) continue;
        v3_cross(t, q->o[k]->R + 6, axis->normal);
        double rho = v3_norm(t), r = q->o[k]->shape.radius;
        if (rho < SHARP) return false;
        for (int i = 0; i < q->free; i++)
            for (int j = 0; j < q->free; j++)
                h[i][j] += r / (rho * rho * rho) * v3_dot(t, q->d[i]) * v3_dot(t, q->d[j]);
    }
    return true;
}

/* False: the maximum is reached, or the step does not lead towards it. */
static bool newton_step(const newton_axis *q, solid_point *axis)
{
    double n[3], down[3], x[2][3], w[3], g[2] = {0, 0}, h[2][2], step[2];
    v3_scale(down, -1, axis->normal);
    cord__solid_support(q->o[0], down, x[0]);
    cord__solid_support(q->o[1], axis->normal, x[1]);
    v3_sub(w, x[0], x[1]);
    if (!curvature(q, axis, h)) return false;
    for (int i = 0; i < q->free; i++) g[i] = v3_dot(w, q->d[i]);
    if (q->free == 1) h[1][1] = 1, h[0][1] = h[1][0] = 0;
    double det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    if (!(h[0][0] > 0) || !(det > 0)) return false;
    step[0] = (h[1][1] * g[0] - h[0][1] * g[1]) / det;
    step[1] = (h[0][0] * g[1] - h[1][0] * g[0]) / det;
    v3_combine(n, 1, axis->normal, step[0], q->d[0]);
    if (q->free == 2) v3_axpy(n, step[1], q->d[1]);
    v3_normalize(n, n);
    double gap = cord__gap_along(q->o[0], q->o[1], n), last = axis->gap;
    if (!(gap > last - EQUAL * q->size)) return false;
    v3_copy(axis->normal, n);
    axis->gap = gap;
    return hypot(step[0], step[1]) > EQUAL;
}

void cord__refine_axis(const obstacle *a, const obstacle *b, solid_point *axis)
{
    newton_axis q = {.o = {a, b}, .size = fmin(cord__solid_size(a), cord__solid_size(b))};
    for (int k = 0; k < STEPS; k++) {
        find_directions(&q, axis);
        if (q.free <= 0 || !newton_step(&q, axis)) return;
    }
}
