/* The least gap between a segment and an obstacle.
 *
 * Along the segment, x(t) with t ∈ [0, 1], the distance φ(x(t)) has the slope n·x′. It is convex where the shape is convex
 * and the segment straight; its minimum is where the slope changes sign. A bent segment may rise at both ends and sag between:
 * its parts are taken apart. Of other shapes the minimum is first searched for by
 * subdivision: |φ′| ≤ L, so that φ is at least (φ₀ + φ₁ − L |t₁ − t₀|)/2 between two samples [Piyavskii 1972]. */
#include "contact/shapes.h"
#include "math/vec3.h"

#define FLAT 0.05      /* slope to an end up to which the gap counts as flat towards it */
#define STRAIGHT 1e-3  /* of the radius: the bulge of a segment along which the gap is convex */
#define BENT 0.1       /* of the radius: the bulge of one along which it may have several minima */
#define MOST_PARTS 8   /* in which these are looked for */
#define SUBDIVISIONS 4 /* at most: 17 samples */
#define SEARCH_ACCURACY 0.05 /* of the subdivision, relative to the radius */
#define GAP_ACCURACY 1e-6 /* of a minimum of a shape that is not convex, relative to the radius */
#define REFINEMENTS 40
#define CONVERGED 1e-12 /* of the slope, relative to the length */

typedef struct gap_sample {
    double t, gap, slope;
    curve_point p;
    double normal[3];
} gap_sample;

typedef struct gap_search {
    const contact_curve *curve;
    const contact_segment *segment;
    const obstacle *o;
    double length; /* L */
    double wanted; /* gaps above this need not be found */
    gap_sample least;
} gap_search;

static gap_sample sample(const gap_search *q, double t)
{
    gap_sample r = {.t = t};
    const double *s = q->segment->s, range = s[1] - s[0];
    cord__curve_point(q->curve, q->segment, t == 1 ? s[1] : s[0] + t * range, &r.p);
    r.gap = cord__obstacle_distance(q->o, r.p.r, r.normal) - q->segment->radius;
    r.slope = v3_dot(r.normal, r.p.r_s) * range;
    return r;
}

static void offer(gap_search *q, const gap_sample *r)
{
    if (r->gap < q->least.gap) q->least = *r;
}

/* A minimum between two samples, the first with a falling and the second with a rising gap: by the secant of the slopes
 * and by bisection, in alternation, since slopes may jump. */
static void refine(gap_search *q, gap_sample a, gap_sample b)
{
    /* The gap between a and b is less than at the nearer by at most slope times width. Distances of convex shapes cost so
     * little that they are refined to the end. */
    double accuracy = q->o->shape.ops->convex ? 0 : GAP_ACCURACY * q->segment->radius;
    for (int k = 0; k < REFINEMENTS && a.slope < 0 && b.slope > 0; k++) {
        if (fmin(-a.slope, b.slope) * (b.t - a.t) <= accuracy) return;
        double fraction = k % 2 ? 0.5 : a.slope / (a.slope - b.slope);
        gap_sample r = sample(q, a.t + fraction * (b.t - a.t));
        offer(q, &r);
        if (fabs(r.slope) <= CONVERGED * q->length || r.t <= a.t || r.t >= b.t) return;
        if (r.slope < 0)
            a = r;
        else
            b = r;
    }
}

/* Samples between a and b wherever a gap below the least one so far is possible. */
static void subdivide(gap_search *q, const gap_sample *a, const gap_sample *b, int depth)
{
    double bound = 0.5 * (a->gap + b->gap - q->length * (b->t - a->t));
    double useful = fmin(q->wanted, q->least.gap - SEARCH_ACCURACY * q->segment->radius);
    if (bound >= useful) return;
    /* Intervals shorter than the radius are not divided: only a spike narrower than the strand could be missed there. */
    if (depth == 0 || q->length * (b->t - a->t) <= q->segment->radius) {
        refine(q, *a, *b);
        return;
    }
    gap_sample middle = sample(q, 0.5 * (a->t + b->t));
    offer(q, &middle);
    subdivide(q, a, &middle, depth - 1);
    subdivide(q, &middle, b, depth - 1);
}

/* Of the subdivision's best sample: the minimum near it. */
static void polish(gap_search *q)
{
    const double width = ldexp(1, -SUBDIVISIONS);
    gap_sample r = q->least;
    gap_sample a = r.slope < 0 ? r : sample(q, fmax(r.t - width, 0));
    gap_sample b = r.slope > 0 ? r : sample(q, fmin(r.t + width, 1));
    refine(q, a, b);
}

static void find_least(gap_search *q, const gap_sample end[2])
{
    q->least = end[end[1].gap < end[0].gap];
    if (q->o->shape.ops->convex && q->segment->bulge > STRAIGHT * q->segment->radius) {
        const int parts = q->segment->bulge > BENT * q->segment->radius ? MOST_PARTS : 2;
        gap_sample from = end[0];
        for (int i = 1; i <= parts; i++) {
            const gap_sample to = i < parts ? sample(q, (double)i / parts) : end[1];
            offer(q, &to);
            refine(q, from, to);
            from = to;
        }
        return;
    }
    if (q->o->shape.ops->convex) {
        refine(q, end[0], end[1]);
        return;
    }
    subdivide(q, end, end + 1, SUBDIVISIONS);
    polish(q);
}

bool cord__far_from_obstacle(const contact_segment *g, const obstacle *o, double margin)
{
    double middle[3], y[3], normal[3];
    double reach = 0.5 * v3_distance(g->x[0], g->x[1]) + g->bulge + g->radius + margin;
    v3_combine(middle, 0.5, g->x[0], 0.5, g->x[1]);
    v3_sub(y, middle, o->x);
    m3_apply_transposed(y, o->R, y);
    for (int k = 0; k < 3; k++)
        if (y[k] < o->low[k] - reach || y[k] > o->high[k] + reach) return true;
    return cord__obstacle_distance(o, middle, normal) > reach;
}

/* Where contacts of one segment and one obstacle go. */
typedef struct contact_list {
    uint32_t number[2]; /* of both sides */
    int segment, obstacle, count;
    contact *out;
} contact_list;

/* Appends a contact where its gap is within the margin and its edge owns it. */
static void append(const gap_search *q, const gap_sample *r, contact_which which, contact_list *to)
{
    if (!(r->gap <= q->wanted) || !cord__owned(q->segment, r->p.s)) return;
    contact *c = to->out + to->count++;
    *c = (contact){.segment = {to->segment, -1}, .obstacle = {-1, to->obstacle}, .gap = r->gap};
    c->key = cord__contact_key(to->number[0], to->number[1], which);
    c->s[0] = r->p.s;
    v3_copy(c->x[0], r->p.r);
    v3_copy(c->normal, r->normal);
    v3_copy(c->x[1], r->p.r);
    v3_axpy(c->x[1], -(r->gap + q->segment->radius), r->normal);
    cord__contact_tangents(c, r->p.r_s);
}

/* Whether the gap rises so little from the least one to an end that a contact there is of use. */
static bool flat_towards(const gap_search *q, const gap_sample *end)
{
    double away = fabs(end->t - q->least.t) * q->length;
    return end->gap - q->least.gap <= FLAT * away;
}

/* Flat ends; and the least gap, unless it is at a flat end or hardly less than at two of them. */
static void append_contacts(const gap_search *q, const gap_sample end[2], contact_list *to)
{
    bool flat[2], at_end[2];
    for (int i = 0; i < 2; i++) {
        flat[i] = flat_towards(q, end + i);
        at_end[i] = q->least.t == end[i].t;
    }
    double lower = fmin(end[0].gap, end[1].gap) - LOWER_GAP * q->segment->radius;
    bool covered = flat[0] && flat[1] && !(q->least.gap < lower);
    if (!covered && !at_end[0] && !at_end[1]) append(q, &q->least, CONTACT_LEAST, to);
    if (flat[0]) append(q, end, CONTACT_START, to);
    if (flat[1]) append(q, end + 1, CONTACT_END, to);
}

static bool begin_search(const contact_curve *curves, const contact_segment *g, const obstacle *o,
                         double margin, gap_search *q)
{
    const contact_curve *curve = curves + g->block;
    *q = (gap_search){.curve = curve, .segment = g, .o = o, .wanted = margin};
    q->length = v3_distance(g->x[0], g->x[1]) + 4 * g->bulge; /* more than the arc's */
    return (curve->mask & o->group) && (o->mask & curve->group) &&
           !cord__far_from_obstacle(g, o, margin);
}

static contact_list begin_list(const contact_curve *curves, const contact_segment *g, int index,
                               int which, contact *out)
{
    return (contact_list){
        .number = {cord__segment_number(curves, g), OBSTACLE_NUMBERS + (uint32_t)which},
        .segment = index,
        .obstacle = which,
        .out = out};
}

int cord__obstacle_contacts(const contact_curve *curves, const contact_segment *segments, int index,
                            const obstacle *obstacles, int which, double margin, contact *out)
{
    gap_search q;
    if (!begin_search(curves, segments + index, obstacles + which, margin, &q)) return 0;
    const gap_sample end[2] = {sample(&q, 0), sample(&q, 1)};
    find_least(&q, end);
    contact_list list = begin_list(curves, q.segment, index, which, out);
    append_contacts(&q, end, &list);
    return list.count;
}

int cord__obstacle_ends(const contact_curve *curves, const contact_segment *segments, int index,
                        const obstacle *obstacles, int which, double margin, contact *out)
{
    gap_search q;
    if (!begin_search(curves, segments + index, obstacles + which, margin, &q)) return 0;
    const gap_sample end[2] = {sample(&q, 0), sample(&q, 1)};
    contact_list list = begin_list(curves, q.segment, index, which, out);
    append(&q, end, CONTACT_START, &list);
    append(&q, end + 1, CONTACT_END, &list);
    return list.count;
}
