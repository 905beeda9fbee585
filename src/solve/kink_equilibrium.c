/* Where the curvature of a strand jumps, at a node of a chain of helices: a torque on the tangent
 * of what slides there has another force along the strand on either side. If both drive it to the
 * node it rests there, where no derivative vanishes. A search for an equilibrium that goes to and
 * fro over a node holds it at the node, and looks in the end whether it is driven back from both
 * sides. */
#include "solve/problem.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* So often over the same node is to and fro. */
enum { CROSSINGS = 4 };
/* Of what is small for a coordinate: to see what is beside a node. */
static const double BESIDE = 1e-6;
/* Of the largest stiffness: what holds. */
static const double FIRM = 1e3;

/* NULL: the point of that side does not slide on a strand. */
static point *sliding_point(const problem *w, const constraint *r, int side)
{
    point *p = r->point[side] >= 0 ? w->point[r->point[side]] : NULL;
    return p && point_slides(p) && !p->path && !p->released ? p : NULL;
}

#define EACH_SLIDING_POINT(p)                                                                      \
    for (int k_ = 0; k_ < s->constraints; k_++)                                                    \
        for (int side_ = 0; side_ < 2; side_++)                                                    \
            if ((p = sliding_point(w, w->constraint[s->constraint[k_]], side_)))

static int element_now(const problem *w, const point *p)
{
    return cord__element_at(w, p, w->trial.q, cord__coordinate_at(w, p, w->trial.q));
}

void cord__kinks_clear(problem *w, const island *s)
{
    point *p;
    EACH_SLIDING_POINT(p) p->kink = (kink_equilibrium){.element = element_now(w, p)};
}

/* Where the piece changes between two coordinates: the first of the second piece. */
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

bool cord__kinks_note(problem *w, const island *s, const double *before)
{
    bool caught = false;
    point *p;
    EACH_SLIDING_POINT(p)
    {
        kink_equilibrium *d = &p->kink;
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

void cord__kinks_prescribe(problem *w, const island *s, bool matrix)
{
    double stiffest = -1;
    point *p;
    EACH_SLIDING_POINT(p)
    {
        const block *b = w->block[p->slider_block];
        if (!p->kink.at_rest) continue;
        w->r[b->v0] = 0;
        for (int u = 0; matrix && stiffest < 0 && u < s->unknowns; u++)
            stiffest = fmax(stiffest, fabs(s->factor.a[s->factor.diagonal[u]]));
        if (matrix) s->factor.a[s->factor.diagonal[cord__unknown(w, b, 0)]] += FIRM * stiffest;
    }
}

/* The forces along the strand with all that rest put beside their nodes. */
static void look_beside(problem *w, island *s, const stage *t, int side)
{
    point *p;
    EACH_SLIDING_POINT(p)
    if (p->kink.at_rest)
        w->trial.q[w->block[p->slider_block]->q0] =
            p->kink.at + side * BESIDE * w->block[p->slider_block]->scale[0];
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__assemble(w, s, t, false);
    EACH_SLIDING_POINT(p) p->kink.force[side > 0] = w->r[w->block[p->slider_block]->v0];
}

bool cord__kinks_release(problem *w, island *s, const stage *t)
{
    bool any = false, released = false;
    point *p;
    EACH_SLIDING_POINT(p) any = any || p->kink.at_rest;
    if (!any) return false;
    look_beside(w, s, t, -1);
    look_beside(w, s, t, 1);
    EACH_SLIDING_POINT(p)
    {
        kink_equilibrium *d = &p->kink;
        if (!d->at_rest) continue;
        double *q = w->trial.q + w->block[p->slider_block]->q0;
        bool back = d->force[0] > 0, on_it = !back && d->force[1] >= 0;
        *q =
            on_it ? d->at : d->at + (back ? -BESIDE : BESIDE) * w->block[p->slider_block]->scale[0];
        if (on_it) continue;
        d->at_rest = false, d->crossings = INT_MIN / 2; /* not once more */
        d->element = element_now(w, p);
        released = true;
    }
    cord__refresh(w, s, w->trial.q, w->cache);
    return released;
}
