/* Bound of the corrections of an iteration: no strand passes through another, or itself, on the way from iterate to iterate.
 * Two segments at the distance d, along the unit vector n, stay apart in a linear motion while their ends, projected onto n,
 * do; motion along each other is free. */
#include "math/vec3.h"
#include "solve/contacts.h"
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
static bool moves_far(const problem *w, const island *of)
{
    const contact_set *k = w->contacts;
    for (int i = 0; i < of->clusters; i++)
        for (int j = 0; j < of->cluster[i]->blocks; j++) {
            const block *b = w->block[of->cluster[i]->block[j]];
            if (b->curve < 0) continue;
            const int first = k->first_segment[b->curve], after = k->first_segment[b->curve + 1];
            for (int g = first; g < after; g++)
                for (int end = 0; end < 2; end++)
                    if (v3_distance(k->segment[g].x[end], k->last_x[g][end]) >
                        HARMLESS * k->segment[g].radius)
                        return true;
        }
    return false;
}

/* The largest fraction of the motion of a pair in which its axes stay apart. */
static double pair_fraction(const contact_set *k, const contact_pair *x)
{
    const contact_segment *a = k->segment + x->segment[0], *b = k->segment + x->segment[1];
    const double(*p)[3] = (const double(*)[3])k->last_x[x->segment[0]];
    const double(*q)[3] = (const double(*)[3])k->last_x[x->segment[1]];
    double t[2], from[3], to[3], n[3], ends[3], least = INFINITY;
    double distance = cord__closest_points(p[0], p[1], q[0], q[1], t, NULL);
    if (!(distance > LEAST_DISTANCE * (a->radius + b->radius))) return 1;
    v3_combine(from, 1 - t[0], p[0], t[0], p[1]);
    v3_combine(to, 1 - t[1], q[0], t[1], q[1]);
    v3_sub(n, from, to);
    v3_scale(n, 1 / distance, n);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            v3_sub(ends, a->x[i], b->x[j]);
            least = fmin(least, v3_dot(n, ends));
        }
    return fmin(1, LARGEST_APPROACH * distance / fmax(distance - least, 1e-300));
}

static double island_fraction(problem *w, const island *of)
{
    contact_set *k = w->contacts;
    const island_contacts *x = of->contacts;
    double least = 1;
    for (int i = 0; i < of->clusters; i++) {
        cord__refresh_rows(w, of->cluster[i], w->trial.q, w->cache);
        cord__contacts_locate(w, of->cluster[i], w->trial.q, w->cache);
    }
    if (!moves_far(w, of)) return 1;
    for (int i = 0; i < x->pairs; i++) {
        const contact_pair *pair = k->pair + x->first_pair + i;
        if (pair->segment[0] >= 0 && pair->segment[1] >= 0 && !cord__meets_at_joint(k, pair))
            least = fmin(least, pair_fraction(k, pair));
    }
    return least;
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

bool cord__contacts_bound(problem *w, const island *of, bool free)
{
    bool any = false;
    for (int pass = 0; pass < BOUNDS; pass++) {
        double fraction = island_fraction(w, of);
        if (!(fraction < 1)) break;
        any = true;
        for (int i = 0; i < of->clusters; i++) move_less(w, of->cluster[i], fraction, free);
    }
    return any;
}
