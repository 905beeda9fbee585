/* Guarantee mode: no strand passes through another, itself or an obstacle.
 *
 * Contact keeps the smooth curves of strands apart. The test takes each of them as a polygon inscribed in it, which is within a fraction
 * of the radius of the curve. Chords from vertex to vertex would not do: where those of a bent strand with few edges are farther from
 * the curve than its radius, they may pass through each other while the surfaces just touch, and no step is short enough. */
#include "contact/passages.h"
#include "math/vec3.h"
#include "solve/contact_detection.h"

#include <math.h>

/* Of the radius: how far chords may be from their curve, about; and most chords of a segment. */
static const double CHORD_BULGE = 0.25;
enum { MOST_CHORDS = 64 };

static cord_status fail(problem *w, contact_set *k, int segment, const char *cause)
{
    const block *b = k->context[k->segment[segment].block].block;
    int index = 0;
    while (w->block[index] != b) index++;
    return cord__set_failure(k->cluster + b->cluster, CORD_ERROR_NOT_CONVERGED, cause, index, -1);
}

/* ---- chords -------------------------------------------------------------------------------------- */

/* n chords of equal length along the strand have 1/n² of the bulge of one. */
static int chords_of(const contact_segment *g)
{
    const double n = ceil(sqrt(g->bulge / (CHORD_BULGE * g->radius)));
    return (int)fmin(fmax(n, 1), MOST_CHORDS);
}

static cord_status reserve_chords(contact_set *k, memory *m, int count)
{
    if (count > k->chord_room) {
        const int room = count + count / 2;
        k->chord_room = k->chords = 0;
        if (!RESERVE(m, k->chord, room) || !RESERVE(m, k->sweep, room) ||
            !RESERVE(m, k->sweep_order, room))
            return CORD_ERROR_MEMORY;
        k->chord_room = room;
    }
    for (int i = 0; count != k->chords && i < count; i++) k->sweep_order[i] = i;
    k->chords = count;
    return CORD_OK;
}

static void point_on(const contact_set *k, const contact_segment *g, double fraction, double x[3])
{
    curve_point p;
    cord__curve_point(k->curve + g->block, g, g->s[0] + fraction * (g->s[1] - g->s[0]), &p);
    v3_copy(x, p.r);
}

/* Their ends at the present positions. */
static void set_ends(contact_set *k, bool at_end)
{
    for (int i = 0; i < k->segments; i++) {
        const contact_segment *g = k->segment + i;
        const int first = k->first_chord[i], count = k->first_chord[i + 1] - first;
        double from[3];
        v3_copy(from, g->x[0]);
        for (int c = 0; c < count; c++) {
            moving_chord *x = k->chord + first + c;
            double(*end)[3] = at_end ? x->motion.to : x->motion.from;
            x->segment = i;
            v3_copy(end[0], from);
            if (c + 1 < count)
                point_on(k, g, (c + 1.0) / count, end[1]);
            else
                v3_copy(end[1], g->x[1]);
            v3_copy(from, end[1]);
        }
    }
}

/* As many at the start as at the end of the attempt. */
static cord_status set_chords(problem *w, contact_set *k, double h, memory *m)
{
    int sum = 0;
    for (int i = 0; i < k->segments; i++) k->first_chord[i] = chords_of(k->segment + i);
    cord__locate_all(w, k, w->now.q, w->now.time);
    for (int i = 0; i < k->segments; i++) {
        const int at_start = chords_of(k->segment + i), at_end = k->first_chord[i];
        k->first_chord[i] = sum;
        sum += at_start > at_end ? at_start : at_end;
    }
    k->first_chord[k->segments] = sum;
    cord_status status = reserve_chords(k, m, sum);
    if (status == CORD_OK) set_ends(k, false);
    cord__locate_all(w, k, w->trial.q, w->now.time + h);
    if (status == CORD_OK) set_ends(k, true);
    return status;
}

/* ---- the test ------------------------------------------------------------------------------------ */

/* The axis of a strand stays outside of obstacles: the ends and the middle of each chord. An axis that was inside at the start, by
 * the definition of the scene, may leave. */
static bool enters(const obstacle *o, const obstacle_carrier *on, const segment_motion *c)
{
    obstacle before = *o;
    v3_copy(before.x, on->start_x);
    for (int i = 0; i < 9; i++) before.R[i] = on->start_R[i];
    for (int i = 0; i < 3; i++) {
        double x[3], y[3], normal[3];
        v3_combine(x, 1 - 0.5 * i, c->to[0], 0.5 * i, c->to[1]);
        if (cord__obstacle_distance(o, x, normal) >= 0) continue;
        v3_combine(y, 1 - 0.5 * i, c->from[0], 0.5 * i, c->from[1]);
        if (cord__obstacle_distance(&before, y, normal) >= 0) return true;
    }
    return false;
}

static bool segment_enters(const contact_set *k, int segment, int index)
{
    bool any = false;
    for (int c = k->first_chord[segment]; !any && c < k->first_chord[segment + 1]; c++)
        any = enters(k->obstacle + index, k->carrier + index, &k->chord[c].motion);
    return any;
}

static bool joined(const void *context, int first, int second)
{
    const contact_pair pair = {.segment = {first, second}, .obstacle = {-1, -1}};
    return cord__meets_at_joint(context, &pair);
}

cord_status cord__check_passages(problem *w, contact_set *k, double h, memory *m)
{
    cord_status status = set_chords(w, k, h, m);
    if (status != CORD_OK) return status;
    const passage_search q = {.curves = k->curve,
                              .segments = k->segment,
                              .chords = k->chord,
                              .count = k->chords,
                              .joined = joined,
                              .context = k,
                              .x = k->sweep,
                              .order = k->sweep_order};
    contact_candidate found;
    if (cord__find_passage(&q, &found))
        return fail(w, k, found.first, "it would pass through a strand");
    for (int o = 0; o < k->obstacles; o++)
        for (int i = 0; i < k->segments; i++) {
            const contact_curve *c = k->curve + k->segment[i].block;
            const obstacle *x = k->obstacle + o;
            if (!(c->mask & x->group) || !(x->mask & c->group)) continue;
            const contact_pair pair = {.segment = {i, -1}, .obstacle = {-1, o}};
            if (cord__near_joint(k, &pair)) continue;
            if (segment_enters(k, i, o)) return fail(w, k, i, "it would pass into an obstacle");
        }
    return CORD_OK;
}
