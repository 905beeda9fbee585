/* Block Gauss–Seidel sweeps, accelerated by Anderson's method. All go forward: pairs of sweeps, forward and backward, as the
 * fixed point took twice as many sweeps in a pile of rods, and a third more in a ply. */
#include "solve/cone/cone_product.h"
#include "solve/cone/coulomb_kernel.h"

#include <string.h>

/* Of the local solver: it begins at the force of the last sweep, so that its error falls with the residual. */
static const double LOCAL_ACCURACY = 1e-6;

/* An unsymmetric W_ii: the local problem has its symmetric part S and b = u − S p, so that its fixed point is the solution.
 * Returns |Δp|². */
INLINE double solve_contact(const cone_system *s, int i, double *p)
{
    const double *S = s->diagonal + 9 * i;
    double *force = p + 3 * i, b[3], before[3];
    if (!(s->scale[i] > 0)) return 0;
    v3_copy(before, force);
    product(s, p, i, b);
    for (int k = 0; k < 3; k++) b[k] += s->b[3 * i + k] - v3_dot(S + 3 * k, force);
    coulomb_force(s->local + i, b, LOCAL_ACCURACY, force);
    v3_sub(before, force, before);
    return v3_dot(before, before);
}

INLINE double sweep(const cone_system *s, double *p)
{
    double change = 0, forces = 0;
    for (int i = 0; i < s->problem->contacts; i++) {
        change += solve_contact(s, i, p);
        forces += v3_dot(p + 3 * i, p + 3 * i);
    }
    return forces > 0 ? sqrt(change / forces) : change;
}

MULTIVERSION_RETURNING(double, cord__cone_sweep, sweep, (const cone_system *s, double *p), (s, p))

sweep_history cord__sweep_history(const cone_system *s, int depth, double *room)
{
    size_t n = 3 * (size_t)s->problem->contacts;
    sweep_history h = {.iterates = {.depth = depth,
                                    .weight = room,
                                    .last = room + n,
                                    .step = room + 2 * n,
                                    .difference = room + 4 * n,
                                    .correction = room + (4 + CONE_HISTORY) * n},
                       .change = room + 3 * n,
                       .increment = INFINITY};
    for (size_t i = 0; i < n; i++) h.iterates.weight[i] = s->scale[i / 3];
    return h;
}

void cord__sweep_history_clear(sweep_history *h)
{
    h->iterates.count = 0, h->iterates.begun = false;
    h->increment = INFINITY;
}

double cord__cone_begin_sweep(const cone_system *s, sweep_history *h, double *p)
{
    memcpy(h->change, p, 3 * (size_t)s->problem->contacts * sizeof *p);
    return cord__cone_sweep(s, p);
}

void cord__cone_accelerate(const cone_system *s, sweep_history *h, double *p)
{
    int n = 3 * s->problem->contacts;
    anderson *a = &h->iterates;
    double *change = h->change, square = 0;
    if (a->depth == 0) return;
    for (int i = 0; i < n; i++) {
        double before = change[i];
        change[i] = p[i] - before, p[i] = before;
        square += a->weight[i] * change[i] * change[i];
    }
    double increment = sqrt(square);
    if (increment > 2 * h->increment) cord__sweep_history_clear(h);
    h->increment = increment;
    cord__anderson_accelerate(a, n, change);
    for (int i = 0; i < n; i++) a->step[i] = p[i], p[i] += change[i];
    cord__cone_project_all(s, p);
    for (int i = 0; i < n; i++) a->step[i] = p[i] - a->step[i]; /* the step taken, onto the cone */
}
