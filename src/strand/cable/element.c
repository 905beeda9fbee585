/* The terms of a cable's equations of motion [HCS 2011, sec. 3], element by element.
 *
 * A straight segment has positions x₀, x₁ and material coordinates s₀, s₁ at its ends. At α = (s −
 * s₀)/Δs the velocity of the material is (1 − α) A + α B, where A = ẋ₀ − D ṡ₀, B = ẋ₁ − D ṡ₁ and D
 * = Δx/Δs [HCS 2011, eq. 2–4]. The kinetic energy is T = ρΔs (A² + AB + B²)/6 [HCS 2011, eq. 6–8],
 * and Lagrange's equations [HCS 2011, eq. 1] follow in closed form over (x₀, x₁, s₀, s₁). Positions
 * on guides are functions of dofs; the chain rule with their Jacobian gives the generalised forces. */
#include "math/vec3.h"
#include "strand/cable/terms.h"

#include <math.h>
#include <string.h>

/* ---- vectors over an element's unknowns ---------------------------------------------------------- */

/* a += w B Bᵀ, B being zero beyond its end. Entries above the diagonal are not used. */
static void add_outer(element_terms *out, int count, const double *B, double w)
{
    for (int k = 0; k < count; k++) {
        double part = w * B[k];
        if (part == 0) continue; /* most rows have few dofs */
        for (int j = 0; j <= k; j += LANES)
            for (int i = j; i < j + LANES; i++) out->a[k][i] += part * B[i];
    }
}

/* ---- nodes of an element ------------------------------------------------------------------------- */

/* A carrier of a node, with the first of its dofs in the element. */
typedef struct end_carrier {
    node_carrier is;
    int first;
    bool rotates;
} end_carrier;

/* A node's position as a function of its coordinates and of its carriers. */
typedef struct element_end {
    const double *x, *jacobian;
    int count, coordinates; /* where the element has them */
    int carriers;
    end_carrier on[NODE_CARRIERS];
    double rate[3], second[3];
} element_end;

static void read_end(const cable *c, const cable_element *e, const element_input *in, int k,
                     element_end *p)
{
    int node = e->node + k;
    node_carrier on[NODE_CARRIERS];
    p->x = cable_position(in->cache, node);
    p->jacobian = cable_jacobian(in->cache, node);
    p->count = c->topology.node[node].count;
    p->coordinates = e->local[k].coordinates;
    const cable_guide *g =
        c->topology.node[node].guide >= 0 ? c->def.guide + c->topology.node[node].guide : NULL;
    p->carriers = 0;
    if (!g || (g->carrier < 0 && g->far_carrier < 0)) return; /* as most are */
    p->carriers = cord__node_carriers(c, in->cache, node, on);
    for (int i = 0; i < p->carriers; i++)
        p->on[i] =
            (end_carrier){on[i], e->local[k].carrier[i], c->def.carrier[on[i].carrier].rotates};
}

/* Hessian of the guide along the velocity of a node: Σ ∂²x/∂uᵢ∂uⱼ u̇ᵢ u̇ⱼ. */
static void node_hessian(const cable *c, const element_input *in, int node, double second[3])
{
    const cable_node *n = c->topology.node + node;
    const cable_guide *on = n->guide >= 0 ? c->def.guide + n->guide : NULL;
    v3_set(second, 0, 0, 0);
    if (!on || n->count == 0 || on->ops->hessian == GUIDE_HESSIAN_ZERO) return;
    double rate[2] = {cable_rate(&c->topology, node, 0, in->v),
                      cable_rate(&c->topology, node, 1, in->v)};
    if (on->ops->hessian == GUIDE_HESSIAN_NORMAL) {
        on->ops->normal(c, in->cache, node, second);
        v3_scale(second, -rate[0] * rate[0] / on->radius, second);
        return;
    }
    double hessian[9], position[3];
    guide_position(on, cable_coordinates(in->cache, node), position, NULL, hessian);
    hessian_between(on->carrier >= 0 ? carrier_pose(c, in->cache, on->carrier) + 3 : NULL, hessian,
                    rate, rate, second);
}

/* The rate of the weights along a span, with the velocities of its ends. */
static void span_acceleration(const end_carrier *on, double rate, const double moves[3],
                              double out[3])
{
    v3_axpy(out, 2 * on->is.weight_derivative * rate, moves);
}

/* Velocity, and acceleration where it is an input. */
static void read_end_motion(const cable *c, const cable_element *e, const element_input *in, int k,
                            element_end *p)
{
    const cable_node *n = c->topology.node + e->node + k;
    double along[3] = {0, 0, 0}, moves[3], second[3], none[3] = {0, 0, 0};
    for (int i = 0; i < p->count; i++) v3_axpy(along, in->v[n->dof + i], p->jacobian + 3 * i);
    v3_copy(p->rate, along);
    if (in->a) node_hessian(c, in, e->node + k, p->second);
    for (int i = 0; in->a && i < p->count; i++)
        v3_axpy(p->second, in->a[n->dof + i], p->jacobian + 3 * i);
    for (int i = 0; i < p->carriers; i++) {
        const node_carrier *on = &p->on[i].is;
        carrier_motion(c, on->carrier, in->v, on->arm, moves);
        v3_axpy(p->rate, on->weight, moves);
        if (!in->a) continue;
        rotation_acceleration(c, on->carrier, in->v, on->arm,
                              on->weight_derivative == 0 ? along : none, none, second);
        v3_axpy(p->second, on->weight, second);
        if (on->weight_derivative != 0 && p->count > 0)
            span_acceleration(p->on + i, in->v[n->dof], moves, p->second);
        carrier_motion(c, on->carrier, in->a, on->arm, moves);
        v3_axpy(p->second, on->weight, moves);
    }
}

/* r += Jᵀ f */
static void push_end(const element_end *p, const double f[3], double *r)
{
    for (int k = 0; k < p->count; k++) r[p->coordinates + k] += v3_dot(p->jacobian + 3 * k, f);
    for (int i = 0; i < p->carriers; i++) {
        const end_carrier *on = p->on + i;
        double moment[3], weight = on->is.weight;
        for (int k = 0; k < 3; k++) r[on->first + k] += weight * f[k];
        if (!on->rotates) continue;
        v3_cross(moment, on->is.arm, f);
        for (int k = 0; k < 3; k++) r[on->first + 3 + k] += weight * moment[k];
    }
}

/* a += w, a force on a node's position, for the dofs of its carriers and one unknown of the cable itself. */
static void add_carried(element_terms *out, const element_end *p, int other, const double w[3])
{
    for (int i = 0; i < p->carriers; i++) { /* carrier dofs follow all dofs of the cable */
        const end_carrier *on = p->on + i;
        double moment[3], weight = on->is.weight;
        for (int k = 0; k < 3; k++) out->a[on->first + k][other] += weight * w[k];
        if (!on->rotates) continue;
        v3_cross(moment, on->is.arm, w);
        for (int k = 0; k < 3; k++) out->a[on->first + 3 + k][other] += weight * moment[k];
    }
}

/* Also for the coordinates of the node; `other` is not one of them. */
static void add_end(element_terms *out, const element_end *p, int other, const double w[3])
{
    if (other < 0) return;
    for (int k = 0; k < p->count; k++)
        *element_entry(out, p->coordinates + k, other) += v3_dot(p->jacobian + 3 * k, w);
    add_carried(out, p, other, w);
}

/* a += w JᵀJ over the dofs of a carrier: 1, [arm]×, arm² − arm armᵀ. */
static void add_carrier(element_terms *out, const end_carrier *on, double w)
{
    const double *arm = on->is.arm, square = v3_dot(arm, arm);
    for (int i = 0; i < 3; i++) out->a[on->first + i][on->first + i] += w;
    for (int i = 0; on->rotates && i < 3; i++) {
        double *rotation = out->a[on->first + 3 + i] + on->first;
        int next = (i + 1) % 3, last = (i + 2) % 3; /* axis i × arm */
        rotation[next] -= w * arm[last];
        rotation[last] += w * arm[next];
        for (int k = 0; k <= i; k++) rotation[3 + k] += w * ((i == k) * square - arm[i] * arm[k]);
    }
}

/* The same for two carriers, both orders; they may be equal. */
static void add_carriers(element_terms *out, const end_carrier *p, const end_carrier *q, double w)
{
    const double *pa = p->is.arm, *qa = q->is.arm, dot = v3_dot(pa, qa);
    for (int i = 0; i < (p->rotates ? 6 : 3); i++)
        for (int k = 0; k < (q->rotates ? 6 : 3); k++) {
            double turned[3], axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2}, value = i == k;
            v3_cross(turned, axis, pa);
            if (i >= 3 && k < 3) value = turned[k];
            if (i >= 3 && k >= 3) value = (i == k) * dot - qa[i - 3] * pa[k - 3];
            if (i < 3 && k >= 3) { /* axis k × arm, along i */
                double other[3] = {k == 3, k == 4, k == 5};
                v3_cross(turned, other, qa);
                value = turned[i];
            }
            bool diagonal = p->first + i == q->first + k;
            *element_entry(out, p->first + i, q->first + k) += (diagonal ? 2 : 1) * w * value;
        }
}

/* a += w JᵀJ */
static void add_own(element_terms *out, const element_end *p, double w)
{
    for (int k = 0; k < p->count; k++) {
        double dof[3];
        v3_scale(dof, w, p->jacobian + 3 * k);
        for (int i = k; i < p->count; i++)
            out->a[p->coordinates + i][p->coordinates + k] += v3_dot(p->jacobian + 3 * i, dof);
        add_carried(out, p, p->coordinates + k, dof);
    }
    for (int i = 0; i < p->carriers; i++)
        add_carrier(out, p->on + i, w * p->on[i].is.weight * p->on[i].is.weight);
    if (p->carriers > 1)
        add_carriers(out, p->on, p->on + 1, w * p->on[0].is.weight * p->on[1].is.weight);
}

/* a += w JₚᵀJ_q, both orders; p is not q. */
static void add_ends(element_terms *out, const element_end *p, const element_end *q, double w)
{
    double dof[3];
    for (int k = 0; k < q->count; k++) {
        v3_scale(dof, w, q->jacobian + 3 * k);
        add_end(out, p, q->coordinates + k, dof);
    }
    for (int k = 0; k < p->count; k++) {
        v3_scale(dof, w, p->jacobian + 3 * k);
        add_carried(out, q, p->coordinates + k, dof);
    }
    for (int i = 0; i < p->carriers; i++)
        for (int k = 0; k < q->carriers; k++)
            add_carriers(out, p->on + i, q->on + k, w * p->on[i].is.weight * q->on[k].is.weight);
}

/* ---- segments ------------------------------------------------------------------------------------ */

/* A slack segment bears no force; its multiplier is that of T = 0. Where nothing else determines how its material moves
 * through its ends, `B` of the row is a pivot: neither the residual nor the solution depends on it. In statics that of an
 * elastic segment which is about as long as its material has the stiffness that it has as soon as it is taut. */
static double slack_terms(const cable *c, const cable_element *e, const element_input *in,
                          const segment *g, const double *B, element_terms *out)
{
    static const double EARTH = 10, ALMOST_TAUT = -1e-4; /* m/s²; strain */
    int dofs = e->count - (e->row >= 0);
    double stiff = out->strain > ALMOST_TAUT ? c->def.material.stretching / g->ds : 0;
    out->slack = true;
    out->tension = 0;
    if (e->row >= 0 && !in->rows_only)
        out->r[dofs] = (in->lambda ? in->lambda[e->row] : 0) - c->def.prescribed_tension;
    if (!in->matrix) return 0;
    if (e->row >= 0) out->a[dofs][dofs] -= 1;
    if (in->c_a == 0)
        add_outer(out, dofs, B, in->c_k * fmax(stiff, EARTH * c->def.material.density));
    else if (c->def.linear_density == 0)
        add_outer(out, dofs, B, in->c_a * c->def.material.density * g->ds / 3);
    return 0;
}

/* The elastic force of a segment, its energy per natural length, and the derivative of the force over EA. */
typedef struct axial_law {
    double force, energy, slope;
} axial_law;

static double strain_at(const cable_element *e, const cable *c, const double *cache)
{
    return cord__row_value(c, e, cache, NULL) /
           (cable_s(cache, e->node + 1) - cable_s(cache, e->node));
}

/* `midpoint`: over a step in which a segment goes slack or becomes taut the force is that of the discrete derivative,
 * ΔV/Δε, so that it does the work by which the energy changes. */
static bool changes_law(const cable *c, const cable_element *e, const element_input *in,
                        double ends[2])
{
    double least = -e->buckling / c->def.material.stretching;
    if (!in->step || c->def.material.pushes || !cord__row_is_simple(c, e)) return false;
    ends[0] = strain_at(e, c, in->step->start);
    ends[1] = strain_at(e, c, in->step->end);
    return (ends[0] > least) != (ends[1] > least) && fabs(ends[1] - ends[0]) > 1e-12;
}

/* T = EA (ε + τ ε̇), V = EA ε²/2 per natural length, ε = l/Δs − 1 [HCS 2011, eq. 11]. Compression is at most that of
 * buckling, and V is linear below it, unless the cable pushes. `viscous` is τ ε̇: the force is continuous where the segment
 * becomes taut, and damping never returns energy. */
static axial_law law_at(const cable *c, const cable_element *e, double strain, double viscous)
{
    double modulus = c->def.material.stretching, least = -e->buckling / modulus;
    bool pushes = c->def.material.pushes;
    axial_law law = {modulus * (strain + viscous), 0.5 * modulus * strain * strain, 1};
    if (!pushes && !(strain + viscous > least)) law.force = modulus * least, law.slope = 0;
    if (!pushes && !(strain > least)) law.energy = modulus * least * (strain - 0.5 * least);
    return law;
}

static axial_law elastic_law(const cable *c, const cable_element *e, const element_input *in,
                             double strain, double viscous)
{
    double ends[2];
    if (viscous != 0 || !changes_law(c, e, in, ends)) return law_at(c, e, strain, viscous);
    axial_law start = law_at(c, e, ends[0], 0), end = law_at(c, e, ends[1], 0);
    double more = ends[1] - ends[0], mean = (end.energy - start.energy) / more;
    return (axial_law){mean, 0.5 * (start.energy + end.energy),
                       2 * (end.force - mean) / (more * c->def.material.stretching)};
}

/* With ψ the energy per natural length the derivatives of V = ψ Δs over l and Δs are ψ' and ψ − (1 + ε) ψ'. */
static double elastic_terms(const cable *c, const cable_element *e, const element_input *in,
                            const segment *g, const double *gradient, element_terms *out)
{
    double strain = out->strain, modulus = c->def.material.stretching, rate = 0;
    int dofs = e->count;
    for (int k = 0; in->v && k < dofs; k++)
        rate += gradient[k] * in->v[c->layout.unknown[e->first + k]];
    double strain_rate = (rate - (1 + strain) * g->ds_rate) / g->ds;
    double damping = in->v && !in->rows_only && !in->lossless ? c->def.material.damping : 0;
    axial_law law = elastic_law(c, e, in, strain, damping * strain_rate);
    double tension = law.force;
    out->tension = tension;
    out->stretching = law.energy * g->ds;
    double *B = out->stretch_gradient; /* of ε Δs at constant Δs: ∂l − (1 + ε) ∂Δs */
    copy(B, gradient, e->count);
    if (g->s_local[0] >= 0) B[g->s_local[0]] += 1 + strain;
    if (g->s_local[1] >= 0) B[g->s_local[1]] -= 1 + strain;
    if (!c->def.material.pushes && !(tension > -e->buckling)) {
        if (e->buckling == 0) return slack_terms(c, e, in, g, B, out);
        out->tension = tension = -e->buckling;
    }
    if (in->rows_only) return 0;
    double by_ds = law.energy - (1 + strain) * tension;
    for (int k = 0; k < dofs; k++) out->r[k] += tension * gradient[k];
    add_scalar(out, g->s_local[0], -by_ds);
    add_scalar(out, g->s_local[1], by_ds);
    if (!in->matrix) return tension;
    /* ∂ε̇ = ∂ε (c_v − c_k Δṡ/Δs), and a term of ε̇ ∂Δs, which is not symmetric. */
    double viscous = damping * fmax(in->c_v - in->c_k * g->ds_rate / g->ds, 0);
    add_outer(out, dofs, B, modulus * law.slope * (in->c_k + viscous) / g->ds);
    return tension;
}

double cord__stretch(const cable *c, const cable_element *e, const element_input *in,
                     const segment *g, double l, const double *gradient, element_terms *out)
{
    double B[ELEMENT_UNKNOWNS];
    int dofs = e->count - (e->row >= 0), row = e->count - 1;
    copy(B, gradient, e->count); /* of l − Δs */
    if (g->s_local[0] >= 0) B[g->s_local[0]] += 1;
    if (g->s_local[1] >= 0) B[g->s_local[1]] -= 1;
    out->length = l;
    out->strain = l / g->ds - 1;
    out->natural = g->ds;
    out->slack = false;
    if (length_slack(e, in->side)) return slack_terms(c, e, in, g, B, out);
    if (e->row >= 0) {
        double lambda = (in->lambda ? in->lambda[e->row] : 0) - c->def.prescribed_tension,
               diagonal = 0;
        if (c->layout.rigid) lambda -= in->off;
        double value = in->g ? in->g[e->row] : l - g->ds;
        double slack = c->def.closed ? cord__closed_slack(&c->layout, e, in, g->ds, &diagonal) : 0;
        if (!in->rows_only) value += slack;
        /* The effective inertia of the row. */
        double rho = in->augmented ? in->c_a * c->def.material.density * g->ds / 3 : 0;
        if (in->augmented && in->c_a == 0) rho = in->c_k * c->layout.row_stiffness;
        out->r[row] = value;
        for (int k = 0; k < dofs; k++) {
            if (!in->rows_only) out->r[k] -= lambda * B[k];
            out->r[k] += rho * value * B[k];
            if (in->matrix) out->a[row][k] += B[k];
        }
        if (in->matrix) add_outer(out, dofs, B, rho);
        if (in->matrix) out->a[row][row] += diagonal;
        out->tension = -lambda;
        return -lambda;
    }
    return elastic_terms(c, e, in, g, gradient, out);
}

/* Kinetic terms of a straight segment [HCS 2011, eq. 6–8]; A and B as above. */
static void straight_motion(const cable_definition *def, const element_input *in, const segment *g,
                            const element_end p[2], const double D[3], element_terms *out)
{
    double A[3], B[3], PA[3], PB[3], dA[3], dB[3], D_rate[3], Q[3], f[2][3], air[3];
    double m = def->linear_density * g->ds;
    for (int k = 0; k < 3; k++) {
        A[k] = p[0].rate[k] - D[k] * g->s_rate[0];
        B[k] = p[1].rate[k] - D[k] * g->s_rate[1];
        D_rate[k] = (p[1].rate[k] - p[0].rate[k] - D[k] * g->ds_rate) / g->ds;
        dA[k] = p[0].second[k] - D[k] * g->s_second[0] - D_rate[k] * g->s_rate[0];
        dB[k] = p[1].second[k] - D[k] * g->s_second[1] - D_rate[k] * g->s_rate[1];
        PA[k] = m * (2 * A[k] + B[k]) / 6;
        PB[k] = m * (A[k] + 2 * B[k]) / 6;
        Q[k] = -g->s_rate[0] * PA[k] - g->s_rate[1] * PB[k];
        f[0][k] =
            (def->linear_density * g->ds_rate * (2 * A[k] + B[k]) + m * (2 * dA[k] + dB[k])) / 6;
        f[1][k] =
            (def->linear_density * g->ds_rate * (A[k] + 2 * B[k]) + m * (dA[k] + 2 * dB[k])) / 6;
    }
    double T = 0.5 * (v3_dot(A, PA) + v3_dot(B, PB)), QD = v3_dot(Q, D);
    add_scalar(out, g->s_local[0], -v3_dot(D_rate, PA) - v3_dot(D, f[0]) + (T - QD) / g->ds);
    add_scalar(out, g->s_local[1], -v3_dot(D_rate, PB) - v3_dot(D, f[1]) - (T - QD) / g->ds);
    for (int k = 0; k < 3; k++) f[0][k] += Q[k] / g->ds, f[1][k] -= Q[k] / g->ds;
    push_end(p, f[0], out->r);
    push_end(p + 1, f[1], out->r);
    if (def->material.drag <= 0 || in->lossless) return;
    double middle[3];
    v3_combine(middle, 0.5, p[0].x, 0.5, p[1].x);
    cord__wind_at(in->environment->wind, in->environment->time, middle, air);
    for (int k = 0; k < 3; k++) {
        f[0][k] = def->material.drag * g->ds * (2 * A[k] + B[k] - 3 * air[k]) / 6;
        f[1][k] = def->material.drag * g->ds * (A[k] + 2 * B[k] - 3 * air[k]) / 6;
    }
    push_end(p, f[0], out->r);
    push_end(p + 1, f[1], out->r);
    add_scalar(out, g->s_local[0], -v3_dot(D, f[0]));
    add_scalar(out, g->s_local[1], -v3_dot(D, f[1]));
}

static void straight_weight(const cable_definition *def, const element_input *in, const segment *g,
                            const element_end p[2], element_terms *out)
{
    double sum[3], f[3];
    v3_add(sum, p[0].x, p[1].x);
    double half = 0.5 * def->linear_density * v3_dot(in->environment->gravity, sum);
    out->gravity = -half * g->ds;
    v3_scale(f, -0.5 * def->linear_density * g->ds, in->environment->gravity);
    push_end(p, f, out->r);
    push_end(p + 1, f, out->r);
    add_scalar(out, g->s_local[0], half);
    add_scalar(out, g->s_local[1], -half);
}

/* Geometric stiffness ∂(Jᵀf)/∂q of a force f on a node: its carrier rotates the arm and the tangent
 * of the guide; the tangent of a span depends on its ends. For the dofs of the carrier, the
 * symmetric part, which is exact where forces balance. */
static void add_rotation(element_terms *out, const element_end *p, const double force[3])
{
    for (int c = 0; c < p->carriers; c++) {
        const end_carrier *on = p->on + c;
        const double *arm = on->is.arm, weight_derivative = on->is.weight_derivative,
                     weight = on->is.weight;
        double along = v3_dot(arm, force), moment[3];
        int turns = on->first + 3;
        for (int k = 0; k < p->count; k++) {
            v3_cross(moment, weight_derivative == 0 ? p->jacobian + 3 * k : arm, force);
            for (int i = 0; i < 3; i++) {
                out->a[on->first + i][p->coordinates + k] += weight_derivative * force[i];
                if (on->rotates)
                    out->a[turns + i][p->coordinates + k] +=
                        (weight_derivative == 0 ? 1 : weight_derivative) * moment[i];
            }
        }
        for (int i = 0; on->rotates && i < 3; i++)
            for (int k = 0; k <= i; k++)
                out->a[turns + i][turns + k] +=
                    weight * (0.5 * (arm[i] * force[k] + arm[k] * force[i]) - (i == k ? along : 0));
    }
}

/* Also the contribution of the Hessian of the node's guide. */
static void add_guide_hessian(const cable *c, const cable_element *e, const element_input *in,
                              int k, const element_end *p, const double force[3],
                              element_terms *out)
{
    const cable_guide *on = c->topology.node[e->node + k].guide >= 0
                                ? c->def.guide + c->topology.node[e->node + k].guide
                                : NULL;
    if (!on || p->count == 0 || on->ops->hessian == GUIDE_HESSIAN_ZERO) return;
    if (on->ops->hessian == GUIDE_HESSIAN_NORMAL) {
        double normal[3];
        on->ops->normal(c, in->cache, e->node + k, normal);
        out->a[p->coordinates][p->coordinates] -= v3_dot(normal, force) / on->radius;
        return;
    }
    double hessian[9], position[3];
    const double *axes = on->carrier >= 0 ? carrier_pose(c, in->cache, on->carrier) + 3 : NULL;
    guide_position(on, cable_coordinates(in->cache, e->node + k), position, NULL, hessian);
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j <= i; j++) {
            double a[2] = {i == 0, i == 1}, b[2] = {j == 0, j == 1}, second[3];
            hessian_between(axes, hessian, a, b, second);
            out->a[p->coordinates + i][p->coordinates + j] += v3_dot(second, force);
        }
}

/* w times the mass matrix [HCS 2011, eq. 8], c_k times the derivative of gravity over the material
 * coordinates [HCS 2011, eq. 9, 10], and the transverse (geometric) stiffness `across` · (1 − t
 * tᵀ), whose second part uses `gradient` = ∂l. */
static void straight_matrix(const cable *c, const cable_element *e, const element_input *in,
                            const segment *g, const element_end p[2], const double D[3],
                            double across, const double *gradient, element_terms *out)
{
    double w = (in->c_a * c->def.linear_density + in->c_v * c->def.material.drag) * g->ds,
           square = v3_dot(D, D);
    double line = in->rows_only ? 0 : 0.5 * c->def.linear_density * in->c_k;
    for (int k = 0; k < 2; k++) {
        add_own(out, p + k, w / 3 + across);
        for (int i = 0; i < 2; i++) {
            double edge[3];
            v3_combine(edge, -w / (i == k ? 3 : 6), D, i == 0 ? line : -line,
                       in->environment->gravity);
            add_end(out, p + k, g->s_local[i], edge);
        }
        if (g->s_local[k] >= 0) out->a[g->s_local[k]][g->s_local[k]] += w * square / 3;
    }
    add_ends(out, p, p + 1, w / 6 - across);
    add_scalars(out, g->s_local[0], g->s_local[1], w * square / 6);
    int dofs = e->count - (e->row >= 0);
    add_outer(out, dofs, gradient, -across);
}

static void straight(const cable *c, const cable_element *e, const element_input *in,
                     element_terms *out)
{
    segment g;
    element_end p[2];
    double dx[3], D[3], t[3], back[3], gradient[ELEMENT_UNKNOWNS];
    read_segment(c, e, in, &g);
    clear(gradient, e->count);
    for (int k = 0; k < 2; k++) {
        read_end(c, e, in, k, p + k);
        if (in->v) read_end_motion(c, e, in, k, p + k);
    }
    v3_sub(dx, p[1].x, p[0].x);
    double l = v3_normalize(t, dx);
    v3_scale(D, 1 / g.ds, dx);
    v3_scale(back, -1, t);
    push_end(p, back, gradient);
    push_end(p + 1, t, gradient);
    double tension = cord__stretch(c, e, in, &g, l, gradient, out);
    if (!in->rows_only) {
        if (in->a) straight_motion(&c->def, in, &g, p, D, out);
        straight_weight(&c->def, in, &g, p, out);
    }
    double across = in->rows_only ? 0 : in->c_k * tension / l;
    if (in->matrix) straight_matrix(c, e, in, &g, p, D, across, gradient, out);
    for (int k = 0; in->matrix && !in->rows_only && k < 2; k++) {
        double force[3];
        v3_combine(force, (k ? 1 : -1) * in->c_k * tension, t,
                   -0.5 * in->c_k * c->def.linear_density * g.ds, in->environment->gravity);
        add_rotation(out, p + k, force);
        add_guide_hessian(c, e, in, k, p + k, force, out);
    }
}

/* ---- lumped masses --------------------------------------------------------------------------------- */

static void mass(const cable *c, const cable_element *e, const element_input *in,
                 element_terms *out)
{
    element_end p;
    double f[3];
    read_end(c, e, in, 0, &p);
    if (in->v) read_end_motion(c, e, in, 0, &p);
    out->gravity = -e->mass * v3_dot(in->environment->gravity, p.x);
    if (!in->rows_only) {
        v3_scale(f, -e->mass, in->environment->gravity);
        if (in->a) v3_axpy(f, e->mass, p.second);
        push_end(&p, f, out->r);
    }
    if (in->matrix) add_own(out, &p, in->c_a * e->mass);
}

/* ---- rows of nodes --------------------------------------------------------------------------------- */

void cord__put_row(const cable *c, const cable_element *e, const element_input *in, double value,
                   const double *B, double size, element_terms *out)
{
    int row = e->count - 1;
    double lambda = in->lambda ? in->lambda[e->row] : 0, square = 0;
    if (in->g) value = in->g[e->row];
    for (int k = 0; k < row; k++) square += B[k] * B[k];
    double stiff = in->c_a * c->def.material.density * size;
    if (in->c_a == 0) stiff = in->c_k * c->layout.row_stiffness; /* statics */
    double rho = in->augmented && square > 0 ? stiff / square : 0;
    out->r[row] = value;
    for (int k = 0; k < row; k++) {
        if (!in->rows_only) out->r[k] -= lambda * B[k];
        out->r[k] += rho * value * B[k];
        if (in->matrix) out->a[row][k] += B[k];
    }
    if (in->matrix) add_outer(out, row, B, rho);
}

/* −λ ∂²g of the tangency g = n·(x′ − x) of a node on a circle or a cylinder of radius a, where ∂n/∂u = t/a, ∂x/∂u = t:
 * over u −1/a − g/a², over u and x′ t/a, over x′ its guide's. Products of two motions of the carriers are omitted. Without
 * bending λ has no part that grows with the number of parts, and the row is met without this term. */
static void tangent_stiffness(const cable *c, const cable_element *e, const element_input *in,
                              const element_end p[2], const double normal[3], const double chord[3],
                              element_terms *out)
{
    int side = e->end, u = e->local[side].coordinates;
    const cable_guide *on = c->def.guide + c->topology.node[e->node + side].guide;
    double scale = in->lambda ? -in->c_k * in->lambda[e->row] : 0, a = on->radius;
    double across[3], force[3];
    out->a[u][u] -= scale * (1 / a + v3_dot(normal, chord) / (a * a));
    v3_scale(across, scale / a, p[side].jacobian);
    add_end(out, p + 1 - side, u, across);
    v3_scale(across, -1, across);
    add_carried(out, p + side, u, across);
    v3_scale(force, scale, normal);
    add_guide_hessian(c, e, in, 1 - side, p + 1 - side, force, out);
    if (on->carrier < 0 || !c->def.carrier[on->carrier].rotates) return;
    double moment[3];
    v3_cross(moment, p[side].jacobian, chord);
    for (int k = 0; k < 3; k++)
        add_entry(out, e->local[side].carrier[0] + 3 + k, u, scale / a * moment[k]);
}

/* Tangency [HCS 2011, sec. 4.1]: the straight segment at a node lies in the tangent plane of the
 * guide there, n · (neighbour − node) = 0. */
static void tangent(const cable *c, const cable_element *e, const element_input *in,
                    element_terms *out)
{
    int side = e->end;
    const cable_node *n = c->topology.node + e->node + side;
    const cable_guide *on = c->def.guide + n->guide;
    element_end p[2];
    double normal[3], inward[3], chord[3], B[ELEMENT_UNKNOWNS];
    clear(B, e->count);
    for (int k = 0; k < 2; k++) read_end(c, e, in, k, p + k);
    v3_sub(chord, p[1 - side].x, p[side].x);
    on->ops->normal(c, in->cache, e->node + side, normal);
    v3_scale(inward, -1, normal);
    push_end(p + 1 - side, normal, B);
    push_end(p + side, inward, B);
    int first = e->local[side].coordinates;
    double change[6];
    int turning = on->ops->normal_jacobian(c, in->cache, e->node + side, change);
    for (int k = 0; k < turning; k++) B[first + k] += v3_dot(change + 3 * k, chord);
    if (on->carrier >= 0 && c->def.carrier[on->carrier].rotates) {
        int turns = e->local[side].carrier[0] + 3;
        double moment[3];
        v3_cross(moment, normal, chord);
        for (int k = 0; k < 3; k++) B[turns + k] += moment[k];
    }
    cord__put_row(c, e, in, v3_dot(normal, chord), B, on->radius, out);
    if (in->matrix && !in->rows_only && c->def.material.bending > 0 &&
        on->ops->hessian == GUIDE_HESSIAN_NORMAL)
        tangent_stiffness(c, e, in, p, normal, chord, out);
}

/* No slip: the material in the middle of a wrap moves with the rim, ½(u₀ + u₁) ∓ ½(s₀ + s₁) cos β − aφ = const
 * [HCS 2011, eq. 14], β the angle of a helix with the plane of the pulley. */
static void no_slip(const cable *c, const cable_element *e, const element_input *in,
                    element_terms *out)
{
    const no_slip_memory *contact = no_slip_of(e, in->side);
    double B[ELEMENT_UNKNOWNS];
    clear(B, e->count);
    double value = cord__no_slip_row(c, e, in->cache, contact, B);
    if (e->slip >= 0 && contact->mode != SLIP_NONE)
        cord__slip_terms(c, e, in, B, out);
    else
        cord__put_row(c, e, in, value, B, c->def.guide[c->topology.node[e->node].guide].radius,
                      out);
}

/* A node in the helical groove of a drum: v − slope (u − aφ) = offset. */
static void groove(const cable *c, const cable_element *e, const element_input *in,
                   element_terms *out)
{
    const double *at = cable_coordinates(in->cache, e->node + e->end);
    double radius = c->def.guide[c->topology.node[e->node].guide].radius, slope = e->groove.slope;
    double B[ELEMENT_UNKNOWNS], value = at[1] - slope * at[0] - e->groove.offset;
    int first = e->local[e->end].coordinates;
    clear(B, e->count);
    B[first] = -slope, B[first + 1] = 1;
    if (e->rotation >= 0) {
        B[e->count - 2] = slope * radius; /* after the nodes' dofs, before the row */
        value +=
            slope * radius * pulley_rotation(c, in->cache, e->rotation - cable_rotation_dof(c, 0));
    }
    cord__put_row(c, e, in, value, B, radius, out);
}

/* Row of a node between two others, at a fixed fraction of the material between them. */
static void evenly_spaced(const cable *c, const cable_element *e, const element_input *in,
                          element_terms *out)
{
    double B[ELEMENT_UNKNOWNS], value = 0;
    clear(B, e->count);
    for (int k = 0; k < 3; k++) {
        double fraction = c->topology.node[e->node + 1].fraction, part = k == 0   ? fraction - 1
                                                                         : k == 1 ? 1
                                                                                  : -fraction;
        value += part * cable_s(in->cache, e->node + k);
        if (e->local[k].s >= 0) B[e->local[k].s] += part;
    }
    cord__put_row(c, e, in, value, B, cable_s(in->cache, e->node + 2) - cable_s(in->cache, e->node),
                  out);
}

/* ---- all ------------------------------------------------------------------------------------------- */

void cord__element_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out)
{
    clear(out->r, e->count);
    for (int i = 0; in->matrix && i < e->count; i++) clear(out->a[i], i + 1);
    out->gravity = out->stretching = out->bending = 0;
    switch (e->kind) {
    case ELEMENT_STRAIGHT: straight(c, e, in, out); return;
    case ELEMENT_CURVED: cord__curved_terms(c, e, in, out); return;
    case ELEMENT_BEND: cord__kink_terms(c, e, in, out); return;
    case ELEMENT_MASS: mass(c, e, in, out); return;
    case ELEMENT_TANGENT: tangent(c, e, in, out); return;
    case ELEMENT_NO_SLIP: no_slip(c, e, in, out); return;
    case ELEMENT_GROOVE: groove(c, e, in, out); return;
    case ELEMENT_EVENLY_SPACED: evenly_spaced(c, e, in, out); return;
    case ELEMENT_ROLLING: cord__rolling_terms(c, e, in, out); return;
    case ELEMENT_TORSION: cord__torsion_terms(c, e, in, out); return;
    case ELEMENT_TWIST: cord__twist_terms(c, e, in, out); return;
    }
}

void cord__element_push(const cable *c, const cable_element *e, const element_input *in,
                        double alpha, const double force[3], element_terms *out)
{
    segment g;
    read_segment(c, e, in, &g);
    double part[2] = {1 - alpha, alpha}, r_s[3];
    if (e->kind == ELEMENT_CURVED) {
        cord__quadrature_push(c, e, in, alpha, force, r_s, out);
    } else {
        element_end p[2];
        for (int k = 0; k < 2; k++) {
            double fraction[3];
            read_end(c, e, in, k, p + k);
            v3_scale(fraction, part[k], force);
            push_end(p + k, fraction, out->r);
        }
        v3_sub(r_s, p[1].x, p[0].x);
        v3_scale(r_s, 1 / g.ds, r_s);
    }
    for (int k = 0; k < 2; k++) add_scalar(out, g.s_local[k], -part[k] * v3_dot(r_s, force));
}

/* The acceleration of the material at the ends is ẍ − D s̈ − 2 ṡ Ḋ, and linear between them. */
void cord__straight_loads(const cable *c, const cable_element *e, const element_input *in,
                          double load[2])
{
    segment g;
    element_end p[2];
    double D[3], D_rate[3], t[3];
    read_segment(c, e, in, &g);
    for (int k = 0; k < 2; k++) {
        read_end(c, e, in, k, p + k);
        read_end_motion(c, e, in, k, p + k);
    }
    v3_sub(D, p[1].x, p[0].x);
    v3_normalize(t, D);
    v3_scale(D, 1 / g.ds, D);
    v3_sub(D_rate, p[1].rate, p[0].rate);
    v3_combine(D_rate, 1 / g.ds, D_rate, -g.ds_rate / g.ds, D);
    for (int k = 0; k < 2; k++) {
        double a[3], velocity[3], air[3];
        v3_copy(a, p[k].second);
        v3_axpy(a, -g.s_second[k], D);
        v3_axpy(a, -2 * g.s_rate[k], D_rate);
        load[k] = c->def.linear_density * v3_dot(a, t);
        if (c->def.material.drag <= 0) continue;
        v3_copy(velocity, p[k].rate);
        v3_axpy(velocity, -g.s_rate[k], D);
        cord__wind_at(in->environment->wind, in->environment->time, p[k].x, air);
        load[k] += c->def.material.drag * (v3_dot(velocity, t) - v3_dot(air, t));
    }
}

/* With the material's velocities A and B at the ends: ½ρ∫v² = ρΔs (A² + AB + B²)/6, and so the momenta. */
static void straight_energy(const cable *c, const cable_element *e, const element_input *in,
                            element_terms *out)
{
    segment g;
    element_end p[2];
    double D[3], v[2][3], twice[2][3], moment[3];
    read_segment(c, e, in, &g);
    for (int k = 0; k < 2; k++) {
        read_end(c, e, in, k, p + k);
        read_end_motion(c, e, in, k, p + k);
    }
    v3_sub(D, p[1].x, p[0].x);
    v3_scale(D, 1 / g.ds, D);
    for (int k = 0; k < 2; k++) v3_combine(v[k], 1, p[k].rate, -g.s_rate[k], D);
    const double sixth = c->def.linear_density * g.ds / 6;
    for (int k = 0; k < 2; k++) {
        v3_combine(twice[k], 2 * sixth, v[k], sixth, v[1 - k]);
        out->kinetic += 0.5 * v3_dot(twice[k], v[k]);
        v3_add(out->linear, out->linear, twice[k]);
        v3_cross(moment, p[k].x, twice[k]);
        v3_add(out->angular, out->angular, moment);
        out->gravity -= 3 * sixth * v3_dot(in->environment->gravity, p[k].x);
    }
}

static void mass_energy(const cable *c, const cable_element *e, const element_input *in,
                        element_terms *out)
{
    element_end p;
    read_end(c, e, in, 0, &p);
    read_end_motion(c, e, in, 0, &p);
    add_motion(e->mass, p.x, p.rate, out);
}

void cord__element_energy(const cable *c, const cable_element *e, const element_input *in,
                          element_terms *out)
{
    const cable_material *of = &c->def.material;
    const bool straight = e->kind == ELEMENT_STRAIGHT,
               arc = e->kind == ELEMENT_CURVED && cord__arc_is_closed(c, e, in->cache);
    out->stretching = out->bending = out->kinetic = 0;
    if (of->stretching > 0 || !(straight || (arc && of->bending == 0)))
        cord__element_terms(c, e, in, out);
    if (straight || arc) out->gravity = 0; /* found with the motion */
    v3_set(out->linear, 0, 0, 0);
    v3_set(out->angular, 0, 0, 0);
    if (straight)
        straight_energy(c, e, in, out);
    else if (arc)
        cord__arc_motion(c, e, in, out);
    else if (e->kind == ELEMENT_MASS)
        mass_energy(c, e, in, out);
    else if (e->kind == ELEMENT_CURVED)
        cord__quadrature_energy(c, e, in, out);
}
