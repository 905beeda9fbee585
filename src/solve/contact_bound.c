/* Bound of the corrections of an iteration: no strand passes through another, or itself, on the way from iterate to iterate.
 * Two segments at the distance d, along the unit vector n, stay apart in a linear motion while their ends, projected onto n,
 * do; motion along each other is free. */
#include "math/vec3.h"
#include "solve/contacts.h"
#include "solve/island_loop.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/* Of the distance of two segments: the approach that one correction may make. */
static const double LARGEST_APPROACH = 0.9;

/* Of the radii: axes that are nearer have passed into each other, and their direction has no meaning. */
static const double LEAST_DISTANCE = 0.05;

/* Of the least radius: smaller displacements bring no axes across each other. */
static const double HARMLESS = 0.4;

/* A fraction of a motion that is not linear may need another one. */
enum { BOUNDS = 3 };

void cord__contacts_mark(problem *w, const island *of, const double *q)
{
    contact_set *k = w->contacts;
    for (int i = 0; i < of->clusters; i++)
        for (int j = 0; j < of->cluster[i]->blocks; j++) {
            const block *b = w->block[of->cluster[i]->block[j]];
            memcpy(k->last_q + b->q0, q + b->q0, (size_t)b->shape.q_count * sizeof *q);
            if (b->curve < 0) continue;
            const int first = k->first_segment[b->curve], after = k->first_segment[b->curve + 1];
            for (int g = first; g < after; g++)
                memcpy(k->last_x[g], k->segment[g].x, sizeof k->last_x[g]);
        }
}

/* Whether an end of a segment moved farther than axes in contact may. */
static bool moves_far(const contact_set *k, int segment)
{
    const contact_segment *g = k->segment + segment;
    for (int end = 0; end < 2; end++)
        if (v3_distance(g->x[end], k->last_x[segment][end]) > HARMLESS * g->radius) return true;
    return false;
}

static cluster *cluster_of(const contact_set *k, int segment)
{
    return k->cluster + k->context[k->segment[segment].block].block->cluster;
}

/* Two segments in motion: their distance before it, along n, and the projections onto n of the ends of both. */
typedef struct approach {
    double distance;
    double from[2][2], motion[2][2];
} approach;

/* False where the axes have passed into each other. */
static bool find_approach(const contact_set *k, const contact_pair *x, approach *to)
{
    const double(*p)[3] = (const double(*)[3])k->last_x[x->segment[0]];
    const double(*q)[3] = (const double(*)[3])k->last_x[x->segment[1]];
    double t[2], from[3], end[3], n[3];
    to->distance = cord__closest_points(p[0], p[1], q[0], q[1], t, NULL);
    if (!(to->distance >
          LEAST_DISTANCE * (k->segment[x->segment[0]].radius + k->segment[x->segment[1]].radius)))
        return false;
    v3_combine(from, 1 - t[0], p[0], t[0], p[1]);
    v3_combine(end, 1 - t[1], q[0], t[1], q[1]);
    v3_sub(n, from, end);
    v3_scale(n, 1 / to->distance, n);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 2; i++) {
            const double *before = k->last_x[x->segment[side]][i];
            double moved[3];
            v3_sub(moved, k->segment[x->segment[side]].x[i], before);
            v3_sub(end, before, from);
            to->from[side][i] = v3_dot(n, end);
            to->motion[side][i] = v3_dot(n, moved);
        }
    return true;
}

/* The least difference of the ends along n, where both sides move by a fraction. */
static double least_difference(const approach *a, double first, double second)
{
    double least = INFINITY;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            least = fmin(least, a->from[0][i] + first * a->motion[0][i] - a->from[1][j] -
                                    second * a->motion[1][j]);
    return least;
}

/* Bounds the motion of the clusters of a pair. Where their own fractions bring the axes too near they take one in common, in which
 * the distance changes linearly. Whether they change. */
static bool bound_pair(const contact_set *k, const contact_pair *x)
{
    double *first = &cluster_of(k, x->segment[0])->newton.bound,
           *second = &cluster_of(k, x->segment[1])->newton.bound;
    approach a;
    if (!find_approach(k, x, &a)) return false;
    if (!(least_difference(&a, *first, *second) < (1 - LARGEST_APPROACH) * a.distance))
        return false;
    const double whole = fmax(a.distance - least_difference(&a, 1, 1), 1e-300);
    const double common = fmin(fmin(*first, *second), LARGEST_APPROACH * a.distance / whole);
    if (common == *first && common == *second) return false;
    *first = *second = common;
    return true;
}

/* Passes over the pairs, in which the bound of a cluster spreads to those it would push; then all have the least one. */
enum { PASSES = 60 };

/* Whether there is a bound. */
static bool set_bounds(problem *w, const island *of)
{
    contact_set *k = w->contacts;
    const island_contacts *x = of->contacts;
    bool any = false, changed = true;
    for (int i = 0; i < of->clusters; i++) of->cluster[i]->newton.bound = 1;
    for (int pass = 0; changed && pass < PASSES; pass++) {
        changed = false;
        for (int i = 0; i < x->pairs; i++) {
            const contact_pair *pair = k->pair + x->first_pair + i;
            if (pair->segment[0] < 0 || pair->segment[1] < 0) continue;
            if (!moves_far(k, pair->segment[0]) && !moves_far(k, pair->segment[1])) continue;
            if (!cord__meets_at_joint(k, pair)) changed = bound_pair(k, pair) || changed;
        }
        any = any || changed;
    }
    double least = 1;
    for (int i = 0; changed && i < of->clusters; i++)
        least = fmin(least, of->cluster[i]->newton.bound);
    for (int i = 0; changed && i < of->clusters; i++) of->cluster[i]->newton.bound = least;
    return any;
}

/* Makes the last motion of a cluster again, by a fraction of it; `free`: prescribed dofs move as before. */
static void move_less(problem *w, const cluster *s, double fraction, bool free)
{
    for (int j = 0; j < s->blocks; j++) {
        const block *b = w->block[s->block[j]];
        memcpy(w->trial.q + b->q0, w->contacts->last_q + b->q0,
               (size_t)b->shape.q_count * sizeof(double));
        for (int c = 0; c < b->shape.dofs; c++) {
            w->d[b->v0 + c] -= w->delta[b->v0 + c];
            if (!free || !b->prescribed[c]) w->delta[b->v0 + c] *= fraction;
        }
    }
    cord__move(w, s, 1);
}

static void shorten(problem *w, cluster *s, const void *with)
{
    const bool *free = with;
    if (!(s->newton.bound < 1)) return;
    move_less(w, s, s->newton.bound, *free);
    cord__refresh_and_locate(w, s, w->trial.q);
}

bool cord__contacts_bound(problem *w, const island *of, bool free)
{
    bool any = false;
    of->contacts->located = false; /* the clusters have moved */
    cord__locate_trial(w, of);
    for (int pass = 0; pass < BOUNDS && set_bounds(w, of); pass++) {
        any = true;
        cord__for_each(w, of, shorten, &free);
    }
    return any;
}
