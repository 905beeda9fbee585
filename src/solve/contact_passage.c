/* Strands that pass through each other within an attempt: Newton's iteration may jump across a strand, behind which its
 * contacts have positive gaps. */
#include "math/vec3.h"
#include "solve/contacts.h"

#include <math.h>
#include <string.h>

static segment_motion motion_of(const contact_set *k, int segment)
{
    segment_motion m;
    memcpy(m.from, k->start[segment], sizeof m.from);
    memcpy(m.to, k->segment[segment].x, sizeof m.to);
    return m;
}

static double displacement(const segment_motion *m)
{
    return fmax(v3_distance(m->from[0], m->to[0]), v3_distance(m->from[1], m->to[1]));
}

/* Of the radii: chords farther from their curves may pass through each other where the curves do not. */
static const double SMALL_BULGE = 0.1;

/* Whether the normal at the closest points of the curves has the other direction than both the normal of the pair and that of the
 * same material points had at the start, or the chords tell. The closest points of segments that are bent much jump to others. */
static bool normal_turned(const contact_set *k, const contact_pair *x)
{
    const contact_segment *a = k->segment + x->segment[0], *b = k->segment + x->segment[1];
    contact at;
    if (a->bulge + b->bulge < SMALL_BULGE * (a->radius + b->radius)) return true;
    cord__pair_gap(k->curve, k->segment, (contact_candidate){x->segment[0], x->segment[1]}, &at);
    return v3_dot(at.normal, x->start_normal) < 0 && !(cord__normal_cosine(k, &at) >= 0);
}

/* Axes can meet only where they move by their distance. */
bool cord__pair_passes(const contact_set *k, const contact_pair *x)
{
    if (x->segment[0] < 0 || x->segment[1] < 0) return false;
    const contact_segment *first = k->segment + x->segment[0];
    if (first->after == x->segment[1] || first->before == x->segment[1]) return false;
    if (cord__meets_at_joint(k, x)) return false;
    const segment_motion a = motion_of(k, x->segment[0]), b = motion_of(k, x->segment[1]);
    double t[2], moved = displacement(&a) + displacement(&b);
    if (moved < cord__closest_points(a.from[0], a.from[1], b.from[0], b.from[1], t, NULL))
        return false;
    return cord__pass_through(&a, &b) && normal_turned(k, x);
}

bool cord__contacts_pass(const problem *w, const contact_set *k)
{
    for (int i = 0; i < k->pairs; i++) {
        const contact_pair *x = k->pair + i;
        if (!cord__pair_passes(k, x)) continue;
        const block *b = k->context[k->segment[x->segment[0]].block].block;
        int index = 0;
        while (w->block[index] != b) index++;
        cord__set_failure(k->cluster + b->cluster, CORD_ERROR_NOT_CONVERGED,
                          "strands pass through each other within a step", index, -1);
        return true;
    }
    return false;
}
