/* Whether any segments of a set pass through each other in a motion: the test of guarantee mode. It shares no code with the
 * detection whose results it checks; pairs are found by a sweep along x. */
#include "contact/passages.h"

#include <math.h>

static void span(double start[2][3], const contact_segment *g, int axis, double out[2])
{
    out[0] = fmin(fmin(start[0][axis], start[1][axis]), fmin(g->x[0][axis], g->x[1][axis]));
    out[1] = fmax(fmax(start[0][axis], start[1][axis]), fmax(g->x[0][axis], g->x[1][axis]));
}

/* Shell's method: the order of the last call is nearly right. */
static void sort_by_low(int count, double (*x)[2], int *order)
{
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            int moved = order[i], j = i;
            for (; j >= gap && x[order[j - gap]][0] > x[moved][0]; j -= gap)
                order[j] = order[j - gap];
            order[j] = moved;
        }
}

static bool overlap(const passage_search *q, int a, int b)
{
    for (int axis = 1; axis < 3; axis++) {
        double x[2], y[2];
        span(q->start[a], q->segments + a, axis, x);
        span(q->start[b], q->segments + b, axis, y);
        if (x[0] > y[1] || y[0] > x[1]) return false;
    }
    return true;
}

static bool admitted(const passage_search *q, int a, int b)
{
    const contact_segment *g = q->segments + a, *h = q->segments + b;
    const contact_curve *c = q->curves + g->block, *d = q->curves + h->block;
    if (q->joined && q->joined(q->context, a, b)) return false;
    if (g->block == h->block)
        return c->self && g->before != b && g->after != b; /* neighbours share an end */
    return (c->mask & d->group) && (d->mask & c->group);
}

static bool pass(const passage_search *q, int a, int b)
{
    segment_motion first, second;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++) {
            first.from[end][k] = q->start[a][end][k];
            first.to[end][k] = q->segments[a].x[end][k];
            second.from[end][k] = q->start[b][end][k];
            second.to[end][k] = q->segments[b].x[end][k];
        }
    return cord__pass_through(&first, &second);
}

bool cord__find_passage(const passage_search *q, contact_candidate *found)
{
    for (int i = 0; i < q->count; i++) span(q->start[i], q->segments + i, 0, q->x[i]);
    sort_by_low(q->count, q->x, q->order);
    for (int i = 0; i < q->count; i++) {
        const int a = q->order[i];
        for (int j = i + 1; j < q->count && q->x[q->order[j]][0] <= q->x[a][1]; j++) {
            const int b = q->order[j];
            if (!overlap(q, a, b) || !admitted(q, a, b) || !pass(q, a, b)) continue;
            *found = (contact_candidate){a < b ? a : b, a < b ? b : a};
            return true;
        }
    }
    return false;
}
