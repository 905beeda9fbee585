/* Contacts of two segments: at their least distance, or at both ends of the overlap where they are parallel. */
#include "contact/contact.h"
#include "math/vec3.h"

#include <stddef.h>

typedef struct pair_search {
    const contact_curve *curves;
    const contact_curve *curve[2];
    const contact_segment *segment[2];
    contact_candidate pair;
    double margin;
    contact *out;
    int count;
} pair_search;

void cord__contact_tangents(contact *c, const double direction[3])
{
    double t[3], length2 = v3_dot(direction, direction);
    v3_copy(t, direction);
    v3_axpy(t, -v3_dot(t, c->normal), c->normal);
    /* A strand along the normal, to rounding, has no tangent direction; any one serves. */
    if (v3_dot(t, t) > 1e-20 * length2)
        v3_normalize(c->tangent[0], t);
    else
        v3_any_normal(c->tangent[0], c->normal);
    v3_cross(c->tangent[1], c->normal, c->tangent[0]);
}

/* The normal of two curves that intersect is that of both directions; its sign is arbitrary. */
static void normal_of(const curve_point p[2], double n[3])
{
    v3_sub(n, p[0].r, p[1].r);
    if (v3_dot(n, n) == 0) v3_cross(n, p[0].r_s, p[1].r_s);
    if (v3_dot(n, n) == 0) {
        double t[3];
        v3_normalize(t, p[0].r_s);
        v3_any_normal(n, t);
    }
    v3_normalize(n, n);
}

static void fill(const pair_search *q, const curve_point p[2], double gap, contact_which which,
                 contact *c)
{
    *c = (contact){.segment = {q->pair.first, q->pair.second}, .obstacle = {-1, -1}, .gap = gap};
    c->key = cord__contact_key(cord__segment_number(q->curves, q->segment[0]),
                               cord__segment_number(q->curves, q->segment[1]), which);
    for (int i = 0; i < 2; i++) {
        c->s[i] = p[i].s;
        v3_copy(c->x[i], p[i].r);
    }
    normal_of(p, c->normal);
    cord__contact_tangents(c, p[0].r_s);
}

/* Refines a contact on the curves and keeps it where it is near, not of neighbours, and owned by this pair. */
static void offer(pair_search *q, const double t[2], const bool free[2], contact_which which)
{
    curve_point p[2];
    double s[2];
    for (int i = 0; i < 2; i++) {
        const double *range = q->segment[i]->s;
        p[i].s = t[i] == 1 ? range[1] : range[0] + t[i] * (range[1] - range[0]);
    }
    double distance = cord__closest_on_curves(q->curve, q->segment, free, p);
    double gap = distance - q->segment[0]->radius - q->segment[1]->radius;
    s[0] = p[0].s, s[1] = p[1].s;
    if (!(gap <= q->margin)) return;
    if (cord__along_neighbours(q->curves, q->segment[0], q->segment[1], s)) return;
    bool owned = cord__owned(q->segment[0], s[0]) && cord__owned(q->segment[1], s[1]);
    if (which != CONTACT_LEAST || owned) fill(q, p, gap, which, q->out + q->count++);
}

/* The overlap of b with a, as fractions of a: low and high, and those of b opposite to them. False where there is none. Its
 * ends are contacts however short it is: of parallel segments the least distance is at no definite point. */
static bool overlap(const contact_segment *a, const contact_segment *b, double low[2],
                    double high[2])
{
    double d[3], v[3], u[2];
    v3_sub(d, a->x[1], a->x[0]);
    for (int i = 0; i < 2; i++) {
        v3_sub(v, b->x[i], a->x[0]);
        u[i] = v3_dot(v, d) / v3_dot(d, d);
    }
    if (!(fabs(u[1] - u[0]) > 0)) return false; /* also where a has length zero */
    low[0] = fmax(0, fmin(u[0], u[1]));
    high[0] = fmin(1, fmax(u[0], u[1]));
    low[1] = fmin(fmax((low[0] - u[0]) / (u[1] - u[0]), 0), 1);
    high[1] = fmin(fmax((high[0] - u[0]) / (u[1] - u[0]), 0), 1);
    return high[0] > low[0];
}

/* At an end of the overlap one side is at an end of its segment and stays there; the other is free. */
static void offer_end(pair_search *q, const double t[2], contact_which which)
{
    bool first_ends = t[0] == 0 || t[0] == 1;
    bool free[2] = {!first_ends, first_ends};
    offer(q, t, free, which);
}

static void parallel_contacts(pair_search *q, const double low[2], const double high[2],
                              const double t[2])
{
    double least = INFINITY;
    contact ends[2];
    offer_end(q, low, CONTACT_START);
    offer_end(q, high, CONTACT_END);
    int count = q->count;
    for (int i = 0; i < count; i++) {
        ends[i] = q->out[i];
        least = fmin(least, ends[i].gap);
    }
    /* Slender edges that are nearly parallel may cross between the ends. */
    const bool both[2] = {true, true};
    q->count = 0;
    offer(q, t, both, CONTACT_LEAST);
    double lower = least - LOWER_GAP * (q->segment[0]->radius + q->segment[1]->radius);
    if (q->count && !(q->out[0].gap < lower)) q->count = 0;
    for (int i = 0; i < count; i++) q->out[q->count++] = ends[i];
}

int cord__pair_contacts(const contact_curve *curves, const contact_segment *segments,
                        contact_candidate pair, double margin, contact *out)
{
    const contact_segment *a = segments + pair.first, *b = segments + pair.second;
    if (cord__segment_number(curves, a) > cord__segment_number(curves, b)) {
        const contact_segment *swap = a;
        a = b, b = swap;
        pair = (contact_candidate){pair.second, pair.first};
    }
    double t[2], low[2], high[2], sin2;
    double distance = cord__closest_points(a->x[0], a->x[1], b->x[0], b->x[1], t, &sin2);
    if (!(distance <= a->radius + b->radius + a->bulge + b->bulge + margin)) return 0;
    /* The closest points of the curves are not far from those of the chords; most pairs of one strand end here. */
    const double s[2] = {a->s[0] + t[0] * (a->s[1] - a->s[0]),
                         b->s[0] + t[1] * (b->s[1] - b->s[0])};
    if (cord__along_ratio(curves, a, b, s) < 0.5) return 0;
    pair_search q = {curves, {curves + a->block, curves + b->block}, {a, b}, pair, margin, out, 0};
    if (sin2 < PARALLEL_SIN2 && overlap(a, b, low, high)) {
        parallel_contacts(&q, low, high, t);
    } else {
        const bool both[2] = {true, true};
        offer(&q, t, both, CONTACT_LEAST);
    }
    return q.count;
}

double cord__pair_gap(const contact_curve *curves, const contact_segment *segments,
                      contact_candidate pair, contact *at)
{
    const contact_segment *const g[2] = {segments + pair.first, segments + pair.second};
    const contact_curve *const curve[2] = {curves + g[0]->block, curves + g[1]->block};
    const bool both[2] = {true, true};
    double t[2];
    curve_point p[2];
    cord__closest_points(g[0]->x[0], g[0]->x[1], g[1]->x[0], g[1]->x[1], t, NULL);
    for (int i = 0; i < 2; i++) p[i].s = g[i]->s[0] + t[i] * (g[i]->s[1] - g[i]->s[0]);
    const double distance = cord__closest_on_curves(curve, g, both, p);
    *at = (contact){.segment = {pair.first, pair.second}, .obstacle = {-1, -1}};
    for (int i = 0; i < 2; i++) {
        at->s[i] = p[i].s;
        v3_copy(at->x[i], p[i].r);
    }
    normal_of(p, at->normal);
    return at->gap = distance - g[0]->radius - g[1]->radius;
}
