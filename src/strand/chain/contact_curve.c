/* Chains of curvature elements: the centreline in contact. On chains of bars it is the smooth curve of sliding points
 * (point.c), one segment per bar. Of other elements every panel is divided evenly into segments, so that
 * their ends are found from its Gauss nodes with constant weights. Where an element bends further its quadrature has another level
 * (panels.c), and twice as many segments: a chord far from the curve would pass through others before the curve does. */
#include "contact/contact.h"
#include "math/multiversion.h"
#include "math/vec3.h"
#include "strand/chain/chain.h"
#include "strand/smooth_curve.h"

#include <stddef.h>
#include <string.h>

/* Of a segment, rad, in the initial and the natural shape. */
static const double SEGMENT_ROTATION = 0.3;
enum { FEWEST_SEGMENTS = 4, MOST_SEGMENTS = 64 }; /* of an element */

/* Largest rotation of the tangent along an element, rad. */
static double bending_rotation(const chain_model *c, int e)
{
    double most = 0;
    curvature k;
    cord__chain_curvature(c, c->initial_q, e, &k);
    for (int end = 0; end < 2; end++) {
        const double *natural = c->natural + 6 * e + 3 * end, u = end * c->length[e];
        most = fmax(most, hypot(natural[1], natural[2]));
        most = fmax(most, hypot(k.start[1] + u * k.slope[1], k.start[2] + u * k.slope[2]));
    }
    return most * c->length[e];
}

/* Segments of an element: so many that they turn little, but not shorter than two radii, which is finer than contact
 * resolves. */
static double wanted_segments(const chain_model *c)
{
    const double radius = cord__contact_radius(&c->section);
    double rotation = 0, longest = 0;
    for (int e = 0; e < c->bars; e++) {
        rotation = fmax(rotation, bending_rotation(c, e));
        longest = fmax(longest, c->length[e]);
    }
    const double wanted = fmax(rotation / SEGMENT_ROTATION, FEWEST_SEGMENTS);
    return fmin(fmin(wanted, 0.5 * longest / radius), MOST_SEGMENTS);
}

cord_status cord__chain_make_segments(chain_model *c, memory *m)
{
    c->panel_segments = 1;
    if (c->kind == ELEMENT_SEGMENT) return CORD_OK;
    while (c->panels * c->panel_segments < wanted_segments(c)) c->panel_segments *= 2;
    return cord__chain_weigh_segments(c, m);
}

/* Of a panel with this rule: each level has twice as many as the one before. */
static int panel_segments(const chain_model *c, int rule)
{
    return c->panel_segments << rule;
}

cord_status cord__chain_weigh_segments(chain_model *c, memory *m)
{
    for (int k = 0; k < c->rules && c->kind != ELEMENT_SEGMENT; k++) {
        const gauss_rule *rule = c->rule + k;
        const int n = rule->n, count = panel_segments(c, k);
        double *weight = c->segment_weight[k] = NEW(m, double, count *n);
        if (!weight) return CORD_ERROR_MEMORY;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < n; j++)
                weight[i * n + j] = cord__gauss_cardinal(rule, j, 2.0 * i / count - 1);
    }
    return CORD_OK;
}

/* ---- bars ---------------------------------------------------------------------------------------- */

static smooth_curve bars_of(const chain_model *c)
{
    return (smooth_curve){c->bars + 1, c->bars, false, c->length};
}

/* ---- curved elements ----------------------------------------------------------------------------- */

static int element_segments(const chain_model *c, int e)
{
    return (c->panels * c->panel_segments) << c->level[e];
}

static int element_of(const chain_model *c, int segment)
{
    int e = 0;
    for (int first = 0; (first += element_segments(c, e)) <= segment;) e++;
    return e;
}

/* The start of segment i of an element: that of a panel, or interpolated between Gauss nodes, to 1e-8 of the panel. */
static void segment_start(const chain_model *c, const double *cache, int e, int i, double x[3])
{
    const int rule = chain_rule_of(c, c->level[e]), n = c->rule[rule].n;
    const int of_panel = panel_segments(c, rule), panel = i / of_panel, part = i % of_panel;
    const chain_gauss *g = chain_gausses(c, cache, e, panel);
    const double *weight = c->segment_weight[rule] + part * n;
    v3_copy(x, chain_nodes(cache)[e].position);
    if (part == 0) v3_add(x, x, chain_panel(c, cache, e, panel)->at.r);
    for (int j = 0; part > 0 && j < n; j++) v3_axpy(x, weight[j], g[j].at.r);
}

/* Curvature is affine in s: on a segment it is largest at an end. A curve is no farther from its chord than half its length. */
static void element_segments_at(const chain_model *c, const double *q, const double *cache, int e,
                                contact_segment *out)
{
    const int count = element_segments(c, e);
    const double length = c->length[e] / count;
    double bending[2] = {0};
    curvature k;
    cord__chain_curvature(c, q, e, &k);
    for (int i = 0; i <= count; i++, out++) {
        const double u = c->length[e] * i / count;
        double x[3];
        if (i < count)
            segment_start(c, cache, e, i, x);
        else
            v3_copy(x, chain_nodes(cache)[e + 1].position);
        bending[i % 2] = hypot(k.start[1] + u * k.slope[1], k.start[2] + u * k.slope[2]);
        if (i > 0) {
            const double most = fmax(bending[0], bending[1]);
            v3_copy(out[-1].x[1], x);
            out[-1].s[1] = i < count ? c->arc[e] + u : c->arc[e + 1];
            out[-1].bulge = fmin(0.125 * most * length * length, 0.5 * length);
        }
        if (i == count) break;
        v3_copy(out->x[0], x);
        out->s[0] = c->arc[e] + u;
    }
}

/* ---- the table ----------------------------------------------------------------------------------- */

static int segment_count(const void *model)
{
    const chain_model *c = model;
    int count = c->kind == ELEMENT_SEGMENT ? c->bars : 0;
    for (int e = 0; c->kind != ELEMENT_SEGMENT && e < c->bars; e++) count += element_segments(c, e);
    return count;
}

static void segments(const void *model, const double *q, const double *cache, contact_segment *out)
{
    const chain_model *c = model;
    const double radius = cord__contact_radius(&c->section);
    if (c->kind == ELEMENT_SEGMENT) {
        const smooth_curve bars = bars_of(c);
        cord__smooth_segments(&bars, chain_nodes(cache)->position, NODE_DOUBLES, c->arc, radius,
                              out);
        return;
    }
    for (int e = 0; e < c->bars; e++) {
        const int count = element_segments(c, e);
        for (int i = 0; i < count; i++) out[i].radius = radius;
        element_segments_at(c, q, cache, e, out);
        out += count;
    }
}

/* Σ_j weight_j × the first twelve values at node j, its frame and position. */
INLINE void combine_poses(int n, const double *weight, const double *node, double pose[12])
{
    double sum[12] = {0};
    for (int j = 0; j < n; j++, node += GAUSS_DOUBLES)
        UNROLLED for (int k = 0; k < 12; k++) sum[k] += weight[j] * node[k];
    memcpy(pose, sum, sizeof sum);
}

void cord__chain_combine_poses(int n, const double *weight, const double *node, double pose[12]);
MULTIVERSION_AVX2(cord__chain_combine_poses, combine_poses,
                  (int n, const double *weight, const double *node, double pose[12]),
                  (n, weight, node, pose))

_Static_assert(offsetof(chain_gauss, at) == 9 * sizeof(double), "adjacent");
_Static_assert(offsetof(chain_local, r) == 0, "adjacent");

/* Frame and position at a part of a panel, interpolated between Gauss nodes. The frame has an error of 1e-6 at most, the position of
 * 1e-8 of the panel, as that of segment_start(): a step of hair in contact takes half a million of them, and the exact ones take
 * five times as many instructions. */
static void interpolate(const chain_model *c, const double *cache, const chain_location *at,
                        double pose[12])
{
    const gauss_rule *rule = chain_rule(c, at->element);
    double weight[RULE_MOST];
    cord__gauss_cardinals(rule, 2 * at->part - 1, weight);
    cord__chain_combine_poses(rule->n, weight,
                              cache + chain_gauss_offset(c, at->element, at->panel), pose);
}

/* r'' = R (κ × e₁) */
static void curve(const void *model, const double *q, const double *cache, int segment, double s,
                  double r[3], double r_s[3], double r_ss[3])
{
    const chain_model *c = model;
    if (c->kind == ELEMENT_SEGMENT) {
        const smooth_curve bars = bars_of(c);
        cord__smooth_point(&bars, chain_nodes(cache)->position, NODE_DOUBLES, segment,
                           s - c->arc[segment], r, r_s, r_ss);
        return;
    }
    const int e = element_of(c, segment);
    chain_location at;
    curvature k;
    double pose[12];
    cord__chain_slide_location(c, e, s, &at);
    interpolate(c, cache, &at, pose);
    cord__chain_curvature(c, q, e, &k);
    v3_add(r, pose + 9, chain_nodes(cache)[e].position);
    v3_copy(r_s, pose);
    v3_combine(r_ss, k.start[2] + at.u * k.slope[2], pose + 3, -k.start[1] - at.u * k.slope[1],
               pose + 6);
}

static bool in_segments(const void *model)
{
    return ((const chain_model *)model)->kind == ELEMENT_SEGMENT;
}

static double period(const void *model)
{
    (void)model;
    return 0;
}

/* A section has rotary inertia, or a plane that it does not leave. */
static bool spins(const void *model)
{
    (void)model;
    return true;
}

const contact_ops cord__chain_contact = {.segment_count = segment_count,
                                         .segments = segments,
                                         .curve = curve,
                                         .in_segments = in_segments,
                                         .period = period,
                                         .spins = spins};
