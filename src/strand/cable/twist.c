/* Quasistatic twist of a cable: frictionless pulleys transmit it, so it is uniform along the cable,
 * and without inertia it is one scalar Θ with the energy GJ Θ²/2L. Θ is a dof, so that complete
 * revolutions are counted; a constraint row defines it: the angle from the director of the clamp at
 * the start, parallel-transported along the cable, to that of the clamp at the end.
 *
 * Consecutive directions a, b at a node with the rotations δωₐ and δω_b contribute k·(δω_b − δωₐ),
 * with k = (a + b)/(1 + a·b) (gradient of holonomy [DER 2008, eq. 9]): the row is a sum over nodes.
 * A straight segment rotates by t × δt. An arc rotates with its carrier and with its ends about its
 * axis, and transport along it is free of twist. A helix whose tangent has the component c along
 * the axis contributes c times its wrap angle. */
#include "curve/transport.h"
#include "strand/cable/terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- directions -------------------------------------------------------------------------------------- */

static bool is_round(const cable *c, int segment_node)
{
    const cable_node *n = c->topology.node + segment_node;
    if (n->guide < 0 || n->guide != n[1].guide) return false;
    return c->def.guide[n->guide].ops->revolute;
}

static const double *pose_of(const cable *c, const double *cache, int node)
{
    int guide = c->topology.node[node].guide;
    return guide >= 0 ? guide_pose(c, cache, c->def.guide + guide) : NULL;
}

/* A segment wound round an axis: its circumferential and axial lengths in metres, the axis, and its total length. */
typedef struct winding {
    double axis[3], out[2][3], round[2][3]; /* at both ends */
    double difference[2], length, radius;
} winding;

static winding winding_of(const cable *c, const double *cache, int i)
{
    const cable_guide *on = c->def.guide + c->topology.node[i].guide;
    const double *pose = pose_of(c, cache, i);
    const double *from = cable_coordinates(cache, i), *to = cable_coordinates(cache, i + 1);
    winding w = {.radius = on->radius};
    vector_to_world(pose, on->axes + 6, w.axis);
    for (int k = 0; k < 2; k++) {
        v3_copy(w.round[k], cable_jacobian(cache, i + k));
        v3_cross(w.out[k], w.round[k], w.axis);
    }
    w.difference[0] = to[0] - from[0];
    w.difference[1] = c->topology.node[i].size > 1 ? to[1] - from[1] : 0;
    w.length = sqrt(w.difference[0] * w.difference[0] + w.difference[1] * w.difference[1]);
    return w;
}

/* The direction of a segment at its start and at its end. */
static void directions(const cable *c, const double *cache, int i, double t[2][3])
{
    if (!is_round(c, i)) {
        v3_sub(t[0], cable_position(cache, i + 1), cable_position(cache, i));
        v3_normalize(t[0], t[0]);
        v3_copy(t[1], t[0]);
        return;
    }
    winding w = winding_of(c, cache, i);
    for (int k = 0; k < 2; k++)
        v3_combine(t[k], w.difference[0] / w.length, w.round[k], w.difference[1] / w.length,
                   w.axis);
}

/* ---- clamps ------------------------------------------------------------------------------------------- */

/* The axes in which a clamp is defined. */
static void clamp_axes(const cable *c, const double *cache, int end, double axes[9])
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int node = end == 0 ? 0 : c->topology.nodes - 1, last = end == 0 ? 0 : c->topology.nodes - 2;
    const double *pose = pose_of(c, cache, node);
    memcpy(axes, pose ? pose + 3 : world, sizeof world);
    if (!is_round(c, last)) return;
    winding w = winding_of(c, cache, last);
    v3_combine(axes, w.difference[0] / w.length, w.round[end], w.difference[1] / w.length, w.axis);
    v3_copy(axes + 3, w.out[end]);
    v3_cross(axes + 6, axes, axes + 3);
}

void cord__clamp_at(const cable *c, const double *cache, int end, double along[3], double across[3])
{
    double axes[9];
    clamp_axes(c, cache, end, axes);
    m3_apply(along, axes, c->def.clamp[end].along);
    m3_apply(across, axes, c->def.clamp[end].across);
}

/* x rotated about a unit axis by an angle. */
static void rotate_round(const double axis[3], double angle, double x[3])
{
    double across[3], s = sin(angle), k = cos(angle), along = (1 - k) * v3_dot(axis, x);
    v3_cross(across, axis, x);
    for (int i = 0; i < 3; i++) x[i] = k * x[i] + s * across[i] + along * axis[i];
}

/* A director orthogonal to t is parallel-transported along the whole cable. */
static void carry(const cable *c, const double *cache, double t[3], double across[3])
{
    for (int i = 0; i + 1 < c->topology.nodes; i++) {
        double tangent[2][3];
        directions(c, cache, i, tangent);
        transport(across, t, tangent[0], across);
        if (is_round(c, i)) {
            winding w = winding_of(c, cache, i);
            double angle = w.difference[0] / w.radius;
            rotate_round(w.axis, angle, across);
            rotate_about(across, tangent[1], -angle * w.difference[1] / w.length);
        }
        v3_copy(t, tangent[1]);
    }
}

void cord__clamp_ends(cable *c, const double *cache)
{
    double t[2][3], across[3], axes[9];
    directions(c, cache, 0, t);
    v3_any_normal(across, t[0]);
    for (int end = 0; end < 2; end++) {
        if (end == 1) carry(c, cache, t[0], across);
        clamp_axes(c, cache, end, axes);
        m3_apply_transposed(c->def.clamp[end].along, axes, t[0]);
        m3_apply_transposed(c->def.clamp[end].across, axes, across);
    }
}

void cord__cable_director(const cable *c, const double *cache, const double along[3],
                          double across[3])
{
    double t[3], d[3];
    cord__clamp_at(c, cache, 0, t, d);
    transport(across, t, along, d);
}

static bool prescribes_twist(const cable_guide *guides, const planned_node *n)
{
    if (n->guide < 0 || n->eulerian) return false;
    const guide_ops *on = guides[n->guide].ops;
    return on->coordinates == 0 || on->revolute;
}

cord_status cord__check_twist(const cable_guide *guides, const cable_plan *plan, bool closed,
                              char *why, size_t size)
{
    if (closed) {
        snprintf(why, size, "twisting: a closed cable has no ends that can be rotated");
        return CORD_ERROR_UNSUPPORTED;
    }
    for (int end = 0; end < 2; end++) {
        if (prescribes_twist(guides, plan->node + (end == 0 ? 0 : plan->nodes - 1))) continue;
        snprintf(why, size, "twisting: its %s is free, and lets the twist go; anchor both ends",
                 end == 0 ? "start" : "end");
        return CORD_ERROR_ARGUMENT;
    }
    for (int i = 0; i + 1 < plan->nodes; i++) {
        int guide = plan->node[i].guide;
        if (guide < 0 || guide != plan->node[i + 1].guide) continue;
        const guide_ops *on = guides[guide].ops;
        bool straight = on->coordinates > 0 && on->hessian == GUIDE_HESSIAN_ZERO;
        if (straight || on->revolute) continue;
        snprintf(why, size,
                 "twisting: after node %d it lies on a guide along which twist is not followed; "
                 "circles, cylinders, lines and planes are",
                 i);
        return CORD_ERROR_UNSUPPORTED;
    }
    return CORD_OK;
}

/* ---- the row, and its energy -------------------------------------------------------------------------- */

double cord__twist_row(const cable *c, const double *cache)
{
    double t[3], across[3], end[3], material[3];
    cord__clamp_at(c, cache, 0, t, across);
    cord__clamp_at(c, cache, 1, end, material);
    carry(c, cache, t, across);
    transport(across, t, end, across);
    return remainder(angle_about(end, across, material) - cable_twist(c, cache),
                     6.28318530717958647692);
}

double cord__torque(const cable *c, const double *cache)
{
    return c->def.material.twisting / c->topology.length * cable_twist(c, cache);
}

void cord__torsion_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out)
{
    enum { TWIST, ROW };
    double stiff = c->def.material.twisting / c->topology.length,
           lambda = in->lambda ? in->lambda[e->row] : 0;
    out->r[ROW] = in->g ? in->g[e->row] : cord__twist_row(c, in->cache);
    if (!in->rows_only) {
        double viscous =
            in->v && !in->lossless ? c->def.material.damping * in->v[c->layout.twist_dof] : 0;
        out->r[TWIST] = stiff * (cable_twist(c, in->cache) + viscous) + lambda;
    }
    if (!in->matrix) return;
    out->a[ROW][TWIST] = -1;
    /* Where only rows are to be met it goes along with them. */
    out->a[TWIST][TWIST] = in->rows_only ? in->c_a * c->layout.weight[c->layout.twist_dof]
                                         : stiff * (in->c_k + in->c_v * c->def.material.damping);
}

/* ---- contribution of a node
 * ------------------------------------------------------------------------ */

enum { DIRECTION_COLUMNS = 2 * NODE_DOFS };

/* A direction, and the derivatives of its rotation over the dofs. */
typedef struct direction {
    double t[3];
    double length; /* of a straight segment; 0: it is not one */
    int count, local[DIRECTION_COLUMNS];
    double rotation[DIRECTION_COLUMNS][3];
} direction;

static void add_rotation(direction *d, int local, const double rotation[3])
{
    d->local[d->count] = local;
    v3_copy(d->rotation[d->count++], rotation);
}

/* The carrier of the guide of node k of an element rotates the direction. */
static void add_carrier_turns(const cable *c, const cable_element *e, int k, direction *d)
{
    int carrier = c->def.guide[c->topology.node[e->node + k].guide].carrier;
    for (int i = 0; carrier >= 0 && c->def.carrier[carrier].rotates && i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        add_rotation(d, e->local[k].carrier[0] + 3 + i, axis);
    }
}

static void straight_direction(const cable *c, const cable_element *e, const double *cache, int k,
                               direction *d)
{
    double chord[3];
    v3_sub(chord, cable_position(cache, e->node + k + 1), cable_position(cache, e->node + k));
    d->length = v3_normalize(d->t, chord);
    for (int end = 0; end < 2; end++) {
        int local[NODE_DOFS];
        double dof[NODE_DOFS][3], rotation[3];
        int count = node_jacobian(c, e, cache, k + end, local, dof);
        for (int i = 0; i < count; i++) {
            v3_cross(rotation, d->t, dof[i]);
            v3_scale(rotation, (end == 0 ? -1 : 1) / d->length, rotation);
            add_rotation(d, local[i], rotation);
        }
    }
}

/* The direction rotates with its node about the axis, and tilts about the radial direction. */
static void round_direction(const cable *c, const cable_element *e, const double *cache, int k,
                            int end, direction *d)
{
    winding w = winding_of(c, cache, e->node + k);
    double rotation[3], square = w.length * w.length;
    v3_combine(d->t, w.difference[0] / w.length, w.round[end], w.difference[1] / w.length, w.axis);
    for (int node = 0; node < 2; node++) {
        double sign = node == 0 ? -1 : 1;
        int own = e->local[k + node].coordinates,
            count = c->topology.node[e->node + k + node].count;
        if (count == 0) continue; /* it is prescribed */
        v3_scale(rotation, node == end ? 1 / w.radius : 0, w.axis);
        v3_axpy(rotation, -sign * w.difference[1] / square, w.out[end]);
        add_rotation(d, own, rotation);
        if (count < 2) continue;
        v3_scale(rotation, sign * w.difference[0] / square, w.out[end]);
        add_rotation(d, own + 1, rotation);
    }
    add_carrier_turns(c, e, k, d);
}

/* Of the segment that begins at node k of the element, at one of its ends. */
static void segment_direction(const cable *c, const cable_element *e, const double *cache, int k,
                              int end, direction *d)
{
    d->count = 0;
    d->length = 0;
    if (is_round(c, e->node + k))
        round_direction(c, e, cache, k, end, d);
    else
        straight_direction(c, e, cache, k, d);
}

static void clamp_direction(const cable *c, const cable_element *e, const double *cache, int end,
                            direction *d)
{
    double across[3];
    d->count = 0;
    d->length = 0;
    cord__clamp_at(c, cache, end, d->t, across);
    add_carrier_turns(c, e, e->end, d);
}

/* B += k·(δω_b − δωₐ) */
static void add_kink(const direction *from, const direction *to, double *B)
{
    double k[3], sum = 1 + v3_dot(from->t, to->t);
    if (!(sum > 0)) return; /* antiparallel: no contribution */
    v3_combine(k, 1 / sum, from->t, 1 / sum, to->t);
    for (int i = 0; i < to->count; i++) B[to->local[i]] += v3_dot(k, to->rotation[i]);
    for (int i = 0; i < from->count; i++) B[from->local[i]] -= v3_dot(k, from->rotation[i]);
}

/* Second derivatives of c times the wrap angle, along a helix. */
static void add_helix(const cable *c, const cable_element *e, const double *cache, int k, double *B)
{
    if (!is_round(c, e->node + k) || c->topology.node[e->node + k].size < 2) return;
    winding w = winding_of(c, cache, e->node + k);
    double l3 = w.length * w.length * w.length;
    double by_round = w.difference[1] * w.difference[1] * w.difference[1] / (l3 * w.radius);
    double by_along = w.difference[0] * w.difference[0] * w.difference[0] / (l3 * w.radius);
    for (int node = 0; node < 2; node++) {
        double sign = node == 0 ? -1 : 1;
        if (c->topology.node[e->node + k + node].count == 0) continue;
        B[e->local[k + node].coordinates] += sign * by_round;
        B[e->local[k + node].coordinates + 1] += sign * by_along;
    }
}

/* Second derivatives of the contribution of a kink, over the vectors of straight segments [Bergou
 * et al. 2010; Jawed et al. 2018]: with κb = 2 t₀ × t₁/χ, χ = 1 + t₀·t₁, t̃ = (t₀ + t₁)/χ
 *
 *     over one:  −(κb ⊗ (t + t̃) + (t + t̃) ⊗ κb)/4l²,     over both:  (2 [t₀]×/χ − κb ⊗ t̃)/2l₀l₁. */
static void kink_second(const direction d[2], double h[2][2][3][3])
{
    double binormal[3], mean[3], x = 1 + v3_dot(d[0].t, d[1].t), by[2];
    for (int k = 0; k < 2; k++) by[k] = d[k].length > 0 ? 1 / d[k].length : 0;
    curvature_binormal(binormal, d[0].t, d[1].t);
    v3_combine(mean, 1 / x, d[0].t, 1 / x, d[1].t);
    const double *t = d[0].t;
    double cross[3][3] = {{0, -t[2], t[1]}, {t[2], 0, -t[0]}, {-t[1], t[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 2; k++) {
                double a = d[k].t[i] + mean[i], b = d[k].t[j] + mean[j];
                h[k][k][i][j] = -0.25 * by[k] * by[k] * (binormal[i] * b + a * binormal[j]);
            }
            h[0][1][i][j] = 0.5 * by[0] * by[1] * (2 * cross[i][j] / x - binormal[i] * mean[j]);
            h[1][0][j][i] = h[0][1][i][j];
        }
}

/* Jacobian of the vector of a segment adjacent to the kink over the dofs of a node. */
static double edge_part(const cable_element *e, int edge, int node)
{
    int from = e->end - 1 + edge; /* of the segment before the node, or after it */
    return node == from ? -1 : node == from + 1 ? 1 : 0;
}

/* Over the dofs of its nodes. Rotations with a carrier or round a pulley are omitted: they are
 * small where tangents are continuous. */
static void kink_stiffness(const cable *c, const cable_element *e, const double *cache,
                           const direction d[2], double scale, element_terms *out)
{
    double h[2][2][3][3], dof[3 * NODE_DOFS][3];
    int local[3 * NODE_DOFS], node[3 * NODE_DOFS], count = 0;
    if (!(1 + v3_dot(d[0].t, d[1].t) > 0)) return;
    kink_second(d, h);
    int nodes = e->end == 1 && e->node + 2 < c->topology.nodes ? 3 : 2;
    for (int k = 0; k < nodes; k++) {
        int own = node_jacobian(c, e, cache, k, local + count, dof + count);
        for (int i = 0; i < own; i++) node[count + i] = k;
        count += own;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double sum = 0;
            if (local[j] > local[i]) continue;
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++) {
                    double w = edge_part(e, a, node[i]) * edge_part(e, b, node[j]), x[3];
                    for (int k = 0; w != 0 && k < 3; k++) x[k] = v3_dot(h[a][b][k], dof[j]);
                    if (w != 0) sum += w * v3_dot(dof[i], x);
                }
            out->a[local[i]][local[j]] += scale * sum;
        }
}

void cord__twist_terms(const cable *c, const cable_element *e, const element_input *in,
                       element_terms *out)
{
    int row = e->count - 1, at = e->end, node = e->node + at;
    bool first = node == 0, last = node + 1 == c->topology.nodes;
    double lambda = in->lambda ? in->lambda[e->row] : 0, B[ELEMENT_UNKNOWNS];
    direction d[2];
    clear(B, e->count);
    bool clamped = (first || last) && !is_round(c, first ? 0 : node - 1);
    if (!first) segment_direction(c, e, in->cache, at - 1, 1, d);
    if (!last) segment_direction(c, e, in->cache, at, 0, d + 1);
    if (clamped) clamp_direction(c, e, in->cache, last, d + last);
    if (clamped || (!first && !last)) add_kink(d, d + 1, B);
    if (!last) add_helix(c, e, in->cache, at, B);
    for (int k = 0; k < row; k++) {
        if (!in->rows_only) out->r[k] -= lambda * B[k];
        if (in->matrix) out->a[row][k] += B[k];
    }
    if (in->matrix && (clamped || (!first && !last)) && !in->rows_only)
        kink_stiffness(c, e, in->cache, d, -lambda * in->c_k, out);
}
