/* Whether any segments of a set pass through each other in a motion: the test of guarantee mode. It shares no code with the
 * detection whose results it checks; pairs are found by a sweep along x. */
#include "contact/passages.h"

#include <math.h>

static void span(const segment_motion *m, int axis, double out[2])
{
    out[0] = fmin(fmin(m->from[0][axis], m->from[1][axis]), fmin(m->to[0][axis], m->to[1][axis]));
    out[1] = fmax(fmax(m->from[0][axis], m->from[1][axis]), fmax(m->to[0][axis], m->to[1][axis]));
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

/* Of two chords. */
static bool overlap(const passage_search *q, int a, int b)
{
    for (int axis = 1; axis < 3; axis++) {
        double x[2], y[2];
        span(&q->chords[a].motion, axis, x);
        span(&q->chords[b].motion, axis, y);
        if (x[0] > y[1] || y[0] > x[1]) return false;
    }
    return true;
}

/* Whether two segments may be in contact. */
static bool admitted(const passage_search *q, int a, int b)
{
    const contact_segment *g = q->segments + a, *h = q->segments + b;
    const contact_curve *c = q->curves + g->block, *d = q->curves + h->block;
    if (a == b || (q->joined && q->joined(q->context, a, b))) return false;
    if (g->block == h->block)
        return c->self && g->before != b && g->after != b; /* neighbours share an end */
    return (c->mask & d->group) && (d->mask & c->group);
}

bool cord__find_passage(const passage_search *q, contact_candidate *found)
{
    for (int i = 0; i < q->count; i++) span(&q->chords[i].motion, 0, q->x[i]);
    sort_by_low(q->count, q->x, q->order);
    for (int i = 0; i < q->count; i++) {
        const int a = q->order[i];
        for (int j = i + 1; j < q->count && q->x[q->order[j]][0] <= q->x[a][1]; j++) {
            const int b = q->order[j], first = q->chords[a].segment, second = q->chords[b].segment;
            if (!overlap(q, a, b) || !admitted(q, first, second)) continue;
            if (!cord__pass_through(&q->chords[a].motion, &q->chords[b].motion)) continue;
            *found = (contact_candidate){first < second ? first : second,
                                         first < second ? second : first};
            return true;
        }
    }
    return false;
}
