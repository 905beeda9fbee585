/* Frames of a cable's material. The first axis is the tangent t = p/|p|, p along the segment: x₁ −
 * x₀ where it is straight, Δu ∂x/∂u on a guide. The other two axes result from a director
 * orthogonal to a reference direction a by the smallest rotation from a to t. Where a cable with
 * twist is clamped, a and the director are those of the clamp and rotate with the angular velocity
 * ω of its carrier: the frame is complete. Elsewhere they are fixed, a normal to the plane of the
 * cable, and only the tangent is physically meaningful. With χ = 1 + a·t and k = (a + t)/χ the
 * angular velocity of the frame is
 *
 *     t × ṗ/|p| + σ t,     σ = k·ω − a·(t × ṗ)/(χ|p|). */
#include "curve/transport.h"
#include "strand/cable/segment.h"

#include <math.h>
#include <string.h>

/* weight[1] of an attachment. */
enum { FREE_TANGENT, CLAMPED_START, CLAMPED_END };

/* Tangents must not reach −a, where the smallest rotation is undefined; a direction within the
 * plane of the cable does not guarantee that. */
void cord__set_upright(cable *c, const double *cache)
{
    const double *from = cable_position(cache, 0);
    double sum[3] = {0, 0, 0}, before[3] = {0, 0, 0}, farthest[3] = {0, 0, 0};
    for (int i = 1; i < c->topology.nodes; i++) {
        double radius[3], area[3];
        v3_sub(radius, cable_position(cache, i), from);
        v3_cross(area, before, radius);
        v3_add(sum, sum, area);
        v3_copy(before, radius);
        if (v3_norm(radius) > v3_norm(farthest)) v3_copy(farthest, radius);
    }
    double size = v3_dot(farthest, farthest);
    if (v3_norm(sum) > 1e-6 * size)
        v3_normalize(c->def.upright, sum);
    else if (size > 0) /* it is straight, or goes back as it came */
        v3_any_normal(c->def.upright, farthest);
    else
        v3_set(c->def.upright, 0, 0, 1); /* its nodes are not in their positions yet */
}

static int clamp_of(const cable *c, int node)
{
    bool anchored = c->topology.node[node].guide >= 0 &&
                    c->def.guide[c->topology.node[node].guide].ops->coordinates == 0;
    if (c->layout.twist_dof < 0 || !anchored) return FREE_TANGENT;
    return node == 0 ? CLAMPED_START : node + 1 == c->topology.nodes ? CLAMPED_END : FREE_TANGENT;
}

void cord__frame_at_node(const cable *c, double s, attachment *at)
{
    int node = at->index, clamp = clamp_of(c, node);
    *at = (attachment){.index = node + 1 < c->topology.nodes ? node : node - 1,
                       .weight = {s + c->topology.start, clamp},
                       .unit = -1,
                       .tangent_only = clamp == FREE_TANGENT};
}

/* ---- the vector p along a segment
 * ----------------------------------------------------------------- */

static void straight_tangent(const segment_point *at, segment_tangent *w)
{
    int node = at->e->node;
    v3_sub(w->p, cable_position(at->cache, node + 1), cable_position(at->cache, node));
    for (int k = 0; k < 2; k++) {
        int local[NODE_DOFS];
        double dof[NODE_DOFS][3];
        int count = node_jacobian(at->c, at->e, at->cache, k, local, dof);
        for (int i = 0; i < count; i++) v3_axpy(w->change[local[i]], k == 0 ? -1 : 1, dof[i]);
    }
}

/* The first of the three rotational dofs of a curved segment's carrier; -1: it does not rotate. */
static int rotation_dofs(const segment_point *at)
{
    int carrier = at->c->def.guide[at->c->topology.node[at->e->node].guide].carrier;
    return carrier >= 0 && at->c->def.carrier[carrier].rotates ? at->e->local[0].carrier[0] + 3
                                                               : -1;
}

/* ∂u over the dofs of a segment's nodes; returns their number, at most 6. */
typedef struct coordinate_dofs {
    int count, local[6];
    double shift[6][2];  /* of u at the position */
    double spread[6][2]; /* of Δu */
} coordinate_dofs;

static coordinate_dofs coordinates_of(const segment_point *at, const double over[2])
{
    coordinate_dofs c = {0};
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < at->c->topology.node[at->e->node + k].count; m++) {
            c.shift[c.count][m] = at->part[k];
            c.spread[c.count][m] = k == 0 ? -1 : 1;
            c.local[c.count++] = at->e->local[k].coordinates + m;
        }
        if (at->e->local[k].s < 0) continue;
        for (int m = 0; m < 2; m++) c.shift[c.count][m] = -at->part[k] * over[m];
        c.local[c.count++] = at->e->local[k].s;
    }
    return c;
}

static void curved_tangent(const segment_point *at, segment_tangent *w)
{
    double position[3];
    guide_state g = cord__guide_state(at, false, position);
    coordinate_dofs u = coordinates_of(at, g.over);
    int turns = rotation_dofs(at);
    for (int m = 0; m < 2; m++) v3_axpy(w->p, at->ds * g.over[m], g.b[m]);
    for (int i = 0; i < u.count; i++)
        for (int m = 0; m < 2; m++) {
            v3_axpy(w->change[u.local[i]], u.spread[i][m], g.b[m]);
            v3_axpy(w->change[u.local[i]], at->ds * u.shift[i][m], g.bent[m]);
        }
    for (int i = 0; turns >= 0 && i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        v3_cross(w->change[turns + i], axis, w->p);
    }
}

void cord__segment_tangent(const segment_point *at, segment_tangent *w)
{
    *w = (segment_tangent){.p = {0}};
    if (at->e->kind == ELEMENT_CURVED)
        curved_tangent(at, w);
    else
        straight_tangent(at, w);
}

/* ---- its frame ------------------------------------------------------------------------------------------ */

/* The direction that the director is transported from; `rotates` is the first of the dofs that rotate it, -1: none do. */
typedef struct origin {
    double along[3], across[3];
    int rotates;
} origin;

static origin origin_of(const segment_point *at, int clamp)
{
    origin o = {.rotates = -1};
    if (clamp == FREE_TANGENT) {
        v3_copy(o.along, at->c->def.upright);
        v3_any_normal(o.across, o.along);
        return o;
    }
    int end = clamp == CLAMPED_END;
    int carrier = at->c->def.guide[at->c->topology.node[at->e->node + end].guide].carrier;
    cord__clamp_at(at->c, at->cache, end, o.along, o.across);
    if (carrier >= 0 && at->c->def.carrier[carrier].rotates)
        o.rotates = at->e->local[end].carrier[0] + 3;
    return o;
}

/* A tangent, and the coefficients of its frame's angular velocity. At t = −a there is no smallest
 * rotation: the directors are then kept. */
typedef struct turning {
    double t[3], size, a[3], fraction; /* 1/χ, or 0 */
} turning;

static turning turning_of(const double p[3], const double a[3])
{
    turning f;
    f.size = v3_normalize(f.t, p);
    v3_copy(f.a, a);
    double chi = 1 + v3_dot(a, f.t);
    f.fraction = chi > 0 ? 1 / chi : 0;
    return f;
}

static void frame_of(const turning *f, const double across[3], double frame[9])
{
    v3_copy(frame, f->t);
    transport(frame + 3, f->a, f->t, across);
    rotate_about(frame + 3, f->t, 0);
    v3_cross(frame + 6, f->t, frame + 3);
}

/* Angular velocity for the rates of p (`change`) and of the clamp (`rotation`). */
static void rotate_by(const turning *f, const double change[3], const double rotation[3],
                      double out[3])
{
    double k[3];
    v3_combine(k, f->fraction, f->a, f->fraction, f->t);
    v3_cross(out, f->t, change);
    v3_scale(out, 1 / f->size, out);
    v3_axpy(out, v3_dot(k, rotation) - f->fraction * v3_dot(f->a, out), f->t);
}

/* Rate of the torque's power w·Ω along a motion with constant ṗ and ω: the rate of the angular
 * velocity Ω is −2 (t·ṗ) β/|p| + σ ṫ + σ̇ t, with β = t × ṗ/|p|. */
static double power_rate(const turning *f, const double w[3], const double change[3],
                         const double rotation[3])
{
    double beta[3], k[3], t_rate[3], a_rate[3], k_rate[3];
    double stretch = v3_dot(f->t, change) / f->size;
    v3_cross(beta, f->t, change);
    v3_scale(beta, 1 / f->size, beta);
    v3_cross(t_rate, beta, f->t);
    v3_cross(a_rate, rotation, f->a);
    v3_combine(k, f->fraction, f->a, f->fraction, f->t);
    double chi_rate = f->fraction * (v3_dot(a_rate, f->t) + v3_dot(f->a, t_rate));
    v3_combine(k_rate, f->fraction, a_rate, f->fraction, t_rate);
    v3_axpy(k_rate, -chi_rate, k);
    double lag = f->fraction * v3_dot(f->a, beta), sigma = v3_dot(k, rotation) - lag;
    double sigma_rate = v3_dot(k_rate, rotation) - f->fraction * v3_dot(a_rate, beta) +
                        (2 * stretch + chi_rate) * lag;
    return -2 * stretch * v3_dot(w, beta) + sigma * v3_dot(w, t_rate) +
           sigma_rate * v3_dot(w, f->t);
}

/* rad: a larger jump of the tangent at a node is a kink, which a point crosses between two steps. */
static const double CORNER = 1e-5;

static void tangent_at(const cable *c, const double *cache, int after, double s, double t[3])
{
    segment_tangent tangent;
    segment_point position = cord__segment_point(c, cache, after, s);
    cord__segment_tangent(&position, &tangent);
    v3_normalize(t, tangent.p);
}

/* weight[2] and weight[3] of an attachment: whether the tangent is continuous from the segment
 * before and to the one after. */
enum { JOINS_BEFORE = 2, JOINS_AFTER = 3 };

/* Whether the tangent is continuous from segment i to the next. */
static bool joins(const cable *c, const double *cache, int i)
{
    int segments = c->topology.nodes - 1, next = (i + 1) % segments;
    double t[2][3];
    tangent_at(c, cache, i, cable_s(cache, i + 1), t[0]);
    tangent_at(c, cache, next, cable_s(cache, next), t[1]);
    return v3_distance(t[0], t[1]) < CORNER;
}

void cord__start_attachment(const void *model, const double *cache, attachment *at)
{
    const cable *c = model;
    if (!at->crosses_elements) return;
    double s;
    int first = cord__first_segment(c, at, &s), segments = c->topology.nodes - 1;
    at->weight[JOINS_BEFORE] =
        (first > 0 || c->def.closed) && joins(c, cache, (first + segments - 1) % segments);
    at->weight[JOINS_AFTER] = (first + 1 < segments || c->def.closed) && joins(c, cache, first);
}

/* The segment that contains the material point; beyond a kink the segment at the start of the step,
 * since rows on it would otherwise be discontinuous within the step. */
static int segment_of_frame(const cable *c, const double *cache, const attachment *at, double *s)
{
    double first_s;
    int now = cord__segment_of(c, cache, at, s), first = cord__first_segment(c, at, &first_s);
    if (now == first) return now;
    bool on = first_s > cable_s(cache, first + 1);
    if (at->weight[on ? JOINS_AFTER : JOINS_BEFORE] != 0) return now;
    *s = first_s;
    return first;
}

/* All of a frame but its value. */
typedef struct frame_point {
    segment_point point;
    origin from;
    segment_tangent tangent;
    turning rotation;
} frame_point;

static void find_frame(const cable *c, const double *cache, const attachment *at, frame_point *f)
{
    double s;
    int now = segment_of_frame(c, cache, at, &s);
    f->point = cord__segment_point(c, cache, now, s);
    f->from = origin_of(&f->point, (int)at->weight[1]);
    cord__segment_tangent(&f->point, &f->tangent);
    f->rotation = turning_of(f->tangent.p, f->from.along);
}

void cord__frame_jacobian(const cable *c, const double *cache, const attachment *at,
                          point_jacobian *j)
{
    frame_point f;
    find_frame(c, cache, at, &f);
    frame_of(&f.rotation, f.from.across, j->value);
    cord__material_dofs(c, at, j);
    const cable_element *e = f.point.e;
    for (int i = 0; i < element_dofs(e); i++) {
        int axis = f.from.rotates >= 0 ? i - f.from.rotates : -1;
        double rotation[3] = {axis == 0, axis == 1, axis == 2};
        rotate_by(&f.rotation, f.tangent.change[i], rotation,
                  j->J + 3 * cord__jacobian_column(j, c->layout.unknown[e->first + i]));
    }
}

void cord__cable_frame_at(const void *model, const double *q, const double *cache, double s,
                          double *frame)
{
    const cable *c = model;
    attachment at = {.index = cord__cable_element_at(c, q, s),
                     .weight = {s + c->topology.start},
                     .crosses_elements = true};
    frame_point f;
    int end = s <= 0 ? 0 : s >= c->topology.length ? c->topology.nodes - 1 : -1;
    if (end >= 0 && c->topology.node[end].s_dof < 0) {
        at.index = end;
        cord__frame_at_node(c, s, &at);
    }
    find_frame(c, cache, &at, &f);
    frame_of(&f.rotation, f.from.across, frame);
}

/* ---- second derivatives --------------------------------------------------------------------------------- */

/* Second derivatives of the guide's positions over (0, 0), (0, 1), (1, 1), contracted with a force,
 * at an offset along s. */
static void hessian_at(const segment_point *at, const guide_state *g, double on,
                       const double force[3], double out[3])
{
    int node = at->e->node;
    const double *from = cable_coordinates(at->cache, node);
    const double *to = cable_coordinates(at->cache, node + 1);
    double u[2] = {0}, position[3], jacobian[6], hessian[9], second[3],
           unit[2][2] = {{1, 0}, {0, 1}};
    for (int m = 0; m < at->c->topology.node[node].size; m++)
        u[m] = at->part[0] * from[m] + at->part[1] * to[m] + on * g->over[m];
    guide_position(at->c->def.guide + at->c->topology.node[node].guide, u, position, jacobian,
                   hessian);
    for (int k = 0; k < 3; k++) {
        hessian_between(g->pose ? g->pose + 3 : NULL, hessian, unit[k / 2], unit[(k + 1) / 2],
                        second);
        out[k] = v3_dot(force, second);
    }
}

/* Their derivatives along s: finite differences, sufficient for a Newton matrix. */
static void hessian_derivative(const segment_point *at, const guide_state *g, const double force[3],
                               double out[3])
{
    double h = 1e-4 * at->c->def.guide[at->c->topology.node[at->e->node].guide].radius, before[3],
           after[3];
    v3_set(out, 0, 0, 0);
    if (!(h > 0)) return; /* a line */
    hessian_at(at, g, -h, force, before);
    hessian_at(at, g, h, force, after);
    v3_combine(out, 0.5 / h, after, -0.5 / h, before);
}

static double form_of(const double h[3], const double a[2], const double b[2])
{
    return h[0] * a[0] * b[0] + h[1] * (a[0] * b[1] + a[1] * b[0]) + h[2] * a[1] * b[1];
}

/* p = Δu ∂x/∂u at u(q): ∂²p = 2 ∂Δu ∂²x/∂u² ∂u + Δu ∂³x/∂u³ ∂u ∂u + Δu ∂²x/∂u² ∂²u; and the rotation of its carrier. */
static void curved_tangent_stiffness(const segment_point *at, const segment_tangent *w,
                                     const double force[3], double c_k, element_terms *t)
{
    double position[3], second[3], third[3], pull[2];
    guide_state g = cord__guide_state(at, false, position);
    coordinate_dofs u = coordinates_of(at, g.over);
    int turns = rotation_dofs(at);
    hessian_at(at, &g, 0, force, second);
    hessian_derivative(at, &g, force, third);
    for (int m = 0; m < 2; m++) pull[m] = at->ds * v3_dot(force, g.bent[m]);
    for (int i = 0; i < u.count; i++)
        for (int j = 0; j <= i; j++)
            add_entry(t, u.local[i], u.local[j],
                      -c_k * (form_of(second, u.spread[i], u.shift[j]) +
                              form_of(second, u.spread[j], u.shift[i]) +
                              at->ds * form_of(third, u.shift[i], u.shift[j])));
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < at->c->topology.node[at->e->node + k].count; m++)
            for (int l = 0; l < 2; l++)
                if (at->e->local[l].s >= 0)
                    add_entry(t, at->e->local[k].coordinates + m, at->e->local[l].s,
                              c_k * at->rate[k] * at->part[l] * pull[m]);
    cord__running_stiffness(at, g.over[0] * pull[0] + g.over[1] * pull[1], c_k, t);
    if (turns < 0) return;
    for (int i = 0; i < u.count; i++) {
        double moment[3];
        v3_cross(moment, w->change[u.local[i]], force);
        for (int k = 0; k < 3; k++) add_entry(t, turns + k, u.local[i], -c_k * moment[k]);
    }
    cord__add_rotation(turns, w->p, force, c_k, t);
}

void cord__tangent_stiffness(const segment_point *at, const segment_tangent *w,
                             const double force[3], double c_k, element_terms *t)
{
    if (at->e->kind == ELEMENT_CURVED) {
        curved_tangent_stiffness(at, w, force, c_k, t);
        return;
    }
    cord__end_stiffness(at, 0, force, -c_k, t);
    cord__end_stiffness(at, 1, force, c_k, t);
}

/* Q of yᵀQy, the torque's power rate, over ṗ and ω. */
static void power_form(const turning *f, const double w[3], double Q[6][6])
{
    double own[6];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 6; i++)
            for (int k = pass ? 0 : i; k <= i; k++) {
                double y[6] = {0};
                y[i] = y[k] = 1;
                double sum = power_rate(f, w, y, y + 3);
                if (pass == 0) own[i] = sum;
                Q[i][k] = Q[k][i] = i == k ? own[i] : 0.5 * (sum - own[i] - own[k]);
            }
}

static void rotation_stiffness(const frame_point *f, double Q[6][6], double c_k, element_terms *t)
{
    int count = element_dofs(f->point.e), turns = f->from.rotates;
    for (int i = 0; i < count; i++) {
        double Qy[6] = {0};
        for (int r = 0; r < 6; r++) {
            Qy[r] = v3_dot(Q[r], f->tangent.change[i]);
            if (turns >= 0 && i >= turns && i < turns + 3) Qy[r] += Q[r][3 + i - turns];
        }
        for (int j = 0; j <= i; j++) {
            double sum = v3_dot(Qy, f->tangent.change[j]);
            if (turns >= 0 && j >= turns && j < turns + 3) sum += Qy[3 + j - turns];
            t->a[i][j] -= c_k * sum;
        }
    }
}

/* −∂(Jᵀw)/∂q: the second derivatives of p contribute as those of a force ((w − (w·t) a/χ) × t)/|p|
 * on p. */
void cord__frame_stiffness(const cable *c, const double *cache, const attachment *at,
                           const double w[3], double c_k, local_matrix *matrix)
{
    frame_point f;
    element_terms t = {.r = {0}};
    double force[3], Q[6][6];
    find_frame(c, cache, at, &f);
    const turning *rotation = &f.rotation;
    v3_combine(force, 1 / rotation->size, w,
               -rotation->fraction * v3_dot(w, rotation->t) / rotation->size, rotation->a);
    v3_cross(force, force, rotation->t);
    cord__tangent_stiffness(&f.point, &f.tangent, force, c_k, &t);
    power_form(rotation, w, Q);
    rotation_stiffness(&f, Q, c_k, &t);
    cord__cable_scatter(f.point.e, &t, matrix);
}
