/* Block Gauss–Seidel sweeps, accelerated by Anderson's method: the fixed point is that of a pair of sweeps, forward and
 * backward, which treats both ends of the list alike. */
#include "solve/cone/cone_system.h"

#include "math/vec3.h"

#include <string.h>

/* An unsymmetric W_ii: the local problem has its symmetric part S and b = u − S p, so that its fixed point is the solution.
 * Returns |Δp|². */
static double solve_contact(const cone_system *s, int i, double *p)
{
    const double *S = s->diagonal + 9 * i;
    double *force = p + 3 * i, b[3], before[3];
    if (!(s->scale[i] > 0)) return 0;
    v3_copy(before, force);
    cord__cone_velocity(s, p, i, b);
    for (int k = 0; k < 3; k++) b[k] -= v3_dot(S + 3 * k, force);
    cord__coulomb_force(s->local + i, b, force);
    v3_sub(before, force, before);
    return v3_dot(before, before);
}

double cord__cone_sweep(const cone_system *s, bool backward, double *p)
{
    int n = s->problem->contacts;
    double change = 0, forces = 0;
    for (int k = 0; k < n; k++) {
        int i = backward ? n - 1 - k : k;
        change += solve_contact(s, i, p);
        forces += v3_dot(p + 3 * i, p + 3 * i);
    }
    return forces > 0 ? sqrt(change / forces) : change;
}

sweep_history cord__sweep_history(const cone_system *s, int depth, double *room)
{
    size_t n = 3 * (size_t)s->problem->contacts;
    sweep_history h = {.pairs = {.depth = depth,
                                 .weight = room,
                                 .last = room + n,
                                 .step = room + 2 * n,
                                 .difference = room + 4 * n,
                                 .correction = room + (4 + CONE_HISTORY) * n},
                       .change = room + 3 * n,
                       .increment = INFINITY};
    for (size_t i = 0; i < n; i++) h.pairs.weight[i] = s->scale[i / 3];
    return h;
}

void cord__sweep_history_clear(sweep_history *h)
{
    h->pairs.count = 0, h->pairs.begun = false;
    h->increment = INFINITY;
}

double cord__cone_sweep_pair(const cone_system *s, sweep_history *h, double *p)
{
    int n = 3 * s->problem->contacts;
    anderson *a = &h->pairs;
    double *change = h->change, square = 0;
    memcpy(change, p, (size_t)n * sizeof *p);
    const double residual = cord__cone_sweep(s, false, p);
    cord__cone_sweep(s, true, p);
    if (a->depth == 0) return residual;
    for (int i = 0; i < n; i++) {
        double before = change[i];
        change[i] = p[i] - before, p[i] = before;
        square += a->weight[i] * change[i] * change[i];
    }
    double increment = sqrt(square);
    if (increment > h->increment) cord__sweep_history_clear(h);
    h->increment = increment;
    cord__anderson_accelerate(a, n, change);
    for (int i = 0; i < n; i++) a->step[i] = p[i], p[i] += change[i];
    cord__cone_project_all(s, p);
    for (int i = 0; i < n; i++) a->step[i] = p[i] - a->step[i]; /* the step taken, onto the cone */
    return residual;
}
