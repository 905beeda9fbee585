/* Equilibria at kinks. Where the curvature of a strand jumps, at a node of a chain of helices, a torque on
 * the tangent of a sliding point has a different force along the strand on either side. If both drive the
 * point to the node it is in equilibrium there, although no derivative vanishes. A search that crosses a node
 * back and forth prescribes the coordinate at the node, and tests in the end whether both sides drive it
 * back. */
#include "solve/problem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Crossings of one node after which the point is put there. */
enum { CROSSINGS = 4 };
/* Forces beside a node are taken at this distance from it, in small changes of the coordinate. */
static const double BESIDE = 1e-6;
/* A coordinate is prescribed by a spring of this factor over the largest stiffness. */
static const double FIRM = 1e3;

/* The state of the sliding point on that side of a term; NULL: it does not slide on a strand. */
static kink_equilibrium *kink_of(const problem *w, const term *x, int side, const point **p)
{
    *p = cord__point_of(w, x, side);
    if (!*p || !point_slides(*p) || (*p)->path || (*p)->released) return NULL;
    return w->kink + (*p)->slider_block;
}

#define EACH_KINK(kink, p)                                                                         \
    for (int k_ = 0; k_ < s->terms; k_++)                                                          \
        for (int side_ = 0; side_ < 2; side_++)                                                    \
            if ((kink = kink_of(w, w->term[s->term[k_]], side_, &p)))

static int element_now(const problem *w, const point *p)
{
    return cord__element_at(w, p, w->trial.q, cord__coordinate_at(w, p, w->trial.q));
}

void cord__kinks_clear(problem *w, const cluster *s)
{
    const point *p;
    kink_equilibrium *d;
    EACH_KINK(d, p) *d = (kink_equilibrium){.element = element_now(w, p)};
}

/* The node between two coordinates: the first coordinate of the second element. */
static double border(const problem *w, const point *p, double low, double high)
{
    int above = cord__element_at(w, p, w->trial.q, high);
    for (int i = 0; i < 64; i++) {
        double middle = 0.5 * (low + high);
        if (cord__element_at(w, p, w->trial.q, middle) == above)
            high = middle;
        else
            low = middle;
    }
    return high;
}

bool cord__kinks_note(problem *w, const cluster *s, const double *before)
{
    bool caught = false;
    const point *p;
    kink_equilibrium *d;
    EACH_KINK(d, p)
    {
        double *q = w->trial.q + w->block[p->slider_block]->q0;
        int element = element_now(w, p), node = element > d->element ? element : d->element;
        bool next = abs(element - d->element) == 1, same = node == d->node;
        if (d->at_rest) *q = d->at;
        if (next && !d->at_rest) d->crossings = same ? d->crossings + 1 : 1, d->node = node;
        d->element = element;
        if (d->at_rest || !next || d->crossings < CROSSINGS) continue;
        double from = cord__coordinate_at(w, p, before);
        d->at = *q = border(w, p, fmin(from, *q), fmax(from, *q));
        d->at_rest = caught = true;
    }
    return caught;
}

void cord__kinks_prescribe(problem *w, const cluster *s, bool matrix)
{
    double stiffest = -1;
    const point *p;
    kink_equilibrium *d;
    EACH_KINK(d, p)
    {
        const block *b = w->block[p->slider_block];
        if (!d->at_rest) continue;
        w->r[b->v0] = 0;
        for (int u = 0; matrix && stiffest < 0 && u < s->unknowns; u++)
            stiffest = fmax(stiffest, fabs(s->factor.a[s->factor.diagonal[u]]));
        if (matrix) s->factor.a[s->factor.diagonal[cord__unknown(w, b, 0)]] += FIRM * stiffest;
    }
}

/* The forces along the strand with all points at rest put beside their nodes. */
static void look_beside(problem *w, cluster *s, const stage *t, int side)
{
    const point *p;
    kink_equilibrium *d;
    EACH_KINK(d, p)
    {
        const block *b = w->block[p->slider_block];
        if (d->at_rest) w->trial.q[b->q0] = d->at + side * BESIDE * b->scale[0];
    }
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__assemble(w, s, t, false);
    EACH_KINK(d, p) d->force[side > 0] = w->r[w->block[p->slider_block]->v0];
}

bool cord__kinks_release(problem *w, cluster *s, const stage *t)
{
    bool any = false, released = false;
    const point *p;
    kink_equilibrium *d;
    EACH_KINK(d, p) any = any || d->at_rest;
    if (!any) return false;
    look_beside(w, s, t, -1);
    look_beside(w, s, t, 1);
    EACH_KINK(d, p)
    {
        if (!d->at_rest) continue;
        const block *b = w->block[p->slider_block];
        double *q = w->trial.q + b->q0;
        bool back = d->force[0] > 0, on_it = !back && d->force[1] >= 0;
        *q = on_it ? d->at : d->at + (back ? -BESIDE : BESIDE) * b->scale[0];
        if (on_it) continue;
        d->at_rest = false, d->crossings = INT_MIN / 2; /* never again in this search */
        d->element = element_now(w, p);
        released = true;
    }
    cord__refresh(w, s, w->trial.q, w->cache);
    return released;
}
