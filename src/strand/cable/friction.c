/* Contact between a cable and a pulley: no slip [HCS 2011, eq. 13, 14], rolling contact of elastic
 * cables, whose rows have a new reference in every step, and capstan friction.
 *
 * Along a wrap of total curvature φ = ∫κ ds the axial force T, less ρv² of the moving material, grows at most by
 * the factor e^{μφ} (Euler-Eytelwein), from T₁ at the tangent point of the slack side to T₂ at the other. The equations of
 * the ends of the wrap relate T₁ and T₂ to the multiplier λ of the no-slip row and to the force Y of the wrap itself,
 * which includes its own weight and inertia at the slack end and no friction (tension.c):
 *
 *     E(T₁) = Y − |λ|/2,     E(T₂) = Y + |λ|/2,     E(T) = T + T²/2EA,
 *
 * so that the weight of the spans beside it does not matter. Of inextensible cables |λ| is at most 2 tanh(μφ/2)
 * (Y − ρv²). Where equilibrium needs more, the cable slips with that force.
 *
 * The bound depends on other unknowns: the row of a wrap that slips is
 *
 *     λ ∓ bound(Y) = 0,
 *
 * which is not a row of a symmetric matrix. The symmetric matrix contains the row with B, and −1
 * for λ; the difference is an unsymmetric_row, a low-rank correction (Woodbury) of the solver.
 *
 * An elastic cable that sticks enters the wrap with the strain of the span that it comes from, and leaves it with that of
 * the next one: on an arc of adhesion at its entry it keeps its strain, and on an arc of slip at its exit the strain
 * changes (Reynolds' creep). The rows are those of rolling contact at either end, with the multipliers λ₀, λ₁:
 *
 *     E(T before) = Y − λ₀,     E(T after) = Y + λ₁.
 *
 * The friction force at an end is the difference of the two axial forces there, F = T₀ − T₁. Its power on material that
 * crosses the end at the rate ṡ, with the strain ε₀ before and ε₁ after, is F ṡ (1 + (ε₀ + ε₁)/2), the mean of its powers
 * on both sides, since E(T₀) − E(T₁) = F (1 + (ε₀ + ε₁)/2). So the torque on the pulley is r F and not that of a
 * constraint without loss: these rows, too, are unsymmetric. */
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

/* The force Y of a wrap, with its load at one end, and its derivatives over the cable's unknowns; over multipliers
 * they are for y = −dλ. Those of the wrap's own weight are omitted: they only slow the iteration. */
typedef struct pull {
    double force, strain;
    int count, unknown[ELEMENT_UNKNOWNS];
    double gradient[ELEMENT_UNKNOWNS];
} pull;

static void add_pull(pull *p, int unknown, double value)
{
    if (unknown < 0 || p->count == ELEMENT_UNKNOWNS) return;
    p->unknown[p->count] = unknown;
    p->gradient[p->count++] = value;
}

/* Derivatives of the subtracted mean, as far as storage permits: the omitted ones only slow the iteration. */
static void pull_of_others(const cable *c, const double *cache, pull *p)
{
    for (int i = 0; i + 1 < c->topology.nodes; i++)
        add_pull(p, c->layout.dofs + c->layout.element[i].row,
                 -(cable_s(cache, i + 1) - cable_s(cache, i)) / c->topology.length);
}

/* The inertia of the wrap along its tangent, at its ends ρ (ü·t − |u'| s̈), t = u'/|u'|: in a short step it is the largest
 * term. */
static void pull_of_inertia(const cable *c, int segment, int end, const element_input *in, pull *p)
{
    const double *from = cable_coordinates(in->cache, segment);
    const double *to = cable_coordinates(in->cache, segment + 1);
    double ds = cable_s(in->cache, segment + 1) - cable_s(in->cache, segment), D[2] = {0}, size = 0;
    int count = c->topology.node[segment].size;
    for (int k = 0; k < count; k++) D[k] = (to[k] - from[k]) / ds, size += D[k] * D[k];
    size = sqrt(size);
    for (int i = 0; i < 2; i++) {
        const cable_node *n = c->topology.node + segment + i;
        double load = c->def.linear_density * ds * in->c_a * (end == i ? 1.0 / 3 : 1.0 / 6) *
                      (end == 0 ? -1 : 1);
        for (int k = 0; k < n->count; k++) add_pull(p, n->dof + k, load * D[k] / size);
        add_pull(p, n->s_dof, -load * size);
    }
}

static void pull_of(const cable *c, int segment, int end, const element_input *in, pull *p)
{
    const cable_element *e = c->layout.element + segment;
    segment_tension along;
    element_terms t;
    cord__segment_tension(c, in, segment, false, &t, &along);
    p->force = cord__tension_in(&along, end, cable_position(in->cache, segment + end));
    p->strain = e->row >= 0 || t.slack ? 0 : t.strain;
    p->count = 0;
    if (e->row >= 0) {
        add_pull(p, c->layout.dofs + e->row, 1);
        if (!t.slack) pull_of_inertia(c, segment, end, in, p);
        if (c->layout.rigid) pull_of_others(c, in->cache, p);
        return;
    }
    if (t.slack) return;
    double modulus = c->def.material.stretching, strain = p->strain;
    double stiff =
        (1 + strain) * modulus * (in->c_k + in->c_v * c->def.material.damping) / t.natural;
    p->force += strain * t.tension - 0.5 * modulus * strain * strain;
    for (int k = 0; k < e->count; k++)
        add_pull(p, c->layout.unknown[e->first + k], stiff * t.stretch_gradient[k]);
    pull_of_inertia(c, segment, end, in, p);
}

/* Speed of the material round the pulley. */
static double speed(const cable *c, const cable_element *e, const double *v, double sign,
                    double cosine)
{
    double rate = 0;
    for (int k = 0; v && k < 2; k++) {
        const cable_node *n = c->topology.node + e->node + k;
        rate += 0.5 * ((n->s_dof >= 0 ? v[n->s_dof] : 0) -
                       sign / cosine * cable_rate(&c->topology, e->node + k, 0, v));
    }
    return rate;
}

static double arc_sign(const cable *c, const element_input *in, const cable_slip *f, double *angle)
{
    const cable_element *e = c->layout.element + f->element;
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    *angle = f->turning >= 0 ? f->turning : on->ops->turning(on, from, to);
    return to[0] > from[0] ? 1 : -1;
}

/* Multipliers of the ends of an elastic wrap. */
static const double *end_multipliers(const cable *c, const cable_slip *f, const element_input *in)
{
    return in->lambda + c->layout.element[f->element].row;
}

/* The mean of E at both tangent points is that of the wrap and half the difference of the multipliers. */
static void add_ends(const cable *c, const cable_slip *f, const element_input *in, pull *p)
{
    const double *lambda = end_multipliers(c, f, in);
    p->force += 0.5 * (lambda[1] - lambda[0]);
    for (int k = 0; k < 2; k++)
        add_pull(p, c->layout.dofs + c->layout.element[f->element + k].row, k == 0 ? 0.5 : -0.5);
}

/* The capstan bound with the slack side for a friction force of this sign, and its derivative over the force of the wrap.
 * With T₁ = c + x, T₂ = c + K x, c = ρṡ² and K = e^{μφ} the condition of the ends, E(T₁) + E(T₂) = 2Y, is quadratic in x.
 * Of moving elastic cables T stands for T (1 − c/EA), since c (1 + ε) is taken from the force, and Y is less by the
 * kinetic energy c ((1 + ε)² − 1)/2. */
static double bound_of(const cable *c, const cable_slip *f, const element_input *in, int side,
                       pull *wrap, double *derivative)
{
    static const double MAX_EXPONENT = 300; /* squares are finite */
    const cable_element *e = c->layout.element + f->element;
    double cosine = helix_cosine(c, in->cache, e->node), angle, sign = arc_sign(c, in, f, &angle);
    double v = speed(c, e, in->v, sign, cosine);
    double per =
        f->rows == 1 ? 1 / cosine : 1; /* one row acts along the angle, two along the cable */
    double moving = c->def.linear_density * v * v, stiff = c->def.material.stretching;
    double compliance = stiff > 0 ? stiff / ((stiff - moving) * (stiff - moving)) : 0;
    double more = expm1(fmin(f->coefficient * angle, MAX_EXPONENT)), K = 1 + more;
    pull_of(c, e->node, side * sign > 0, in, wrap);
    if (f->rows == 2) add_ends(c, f, in, wrap);
    double A = 0.5 * compliance * (1 + K * K), B = (1 + K) * (1 + moving * compliance);
    double Y = wrap->force - moving * wrap->strain * (1 + 0.5 * wrap->strain);
    double C = 2 * (Y - moving) - moving * moving * compliance;
    bool known =
        c->layout.element[e->node].row < 0 || in->lambda[c->layout.element[e->node].row] != 0;
    *derivative = known ? 0 : 2 * more / B * per; /* of the first iteration of all */
    if (!(C > 0)) return 0;
    double x = 2 * C / (B + sqrt(B * B + 4 * A * C)), T1 = moving + x, T2 = moving + K * x;
    *derivative = 2 * (more + compliance * (K * T2 - T1)) / (B + 2 * A * x) * per;
    return more * x * (1 + 0.5 * compliance * (T1 + T2)) * per;
}

double cord__no_slip_row(const cable *c, const cable_element *e, const double *cache,
                         const no_slip_memory *contact, double *B)
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    double at[2], s[2], rotation = 0;
    for (int k = 0; k < 2; k++) {
        at[k] = cable_coordinates(cache, e->node + k)[0];
        s[k] = cable_s(cache, e->node + k);
    }
    double sign = (at[1] > at[0] ? 1 : -1) * contact_cosine(c, e, contact);
    for (int k = 0; B && k < 2; k++) {
        if (e->local[k].coordinates >= 0) B[e->local[k].coordinates] += 0.5;
        if (e->local[k].s >= 0) B[e->local[k].s] -= 0.5 * sign;
    }
    if (e->rotation >= 0) {
        if (B) B[e->count - 2] = -on->radius; /* after the nodes' dofs, before the row */
        rotation = pulley_rotation(c, cache, e->rotation - cable_rotation_dof(c, 0));
    }
    return 0.5 * (at[0] + at[1]) - 0.5 * sign * (s[0] + s[1]) - on->radius * rotation -
           contact->reference;
}

/* ---- capstan friction ------------------------------------------------------------------------------ */

static slip_memory *slip_of(const cable_slip *f, double *side)
{
    return (slip_memory *)(side + f->mode);
}

static double sign_of(const cable_element *e, const double *cache)
{
    return cable_coordinates(cache, e->node + 1)[0] > cable_coordinates(cache, e->node)[0] ? 1 : -1;
}

/* B of the friction force; at an end of an elastic wrap `natural` metres of the cable cross it per metre of the rim. */
static void contact_gradient(const cable *c, const cable_element *e, const double *cache,
                             const double *side, double natural, double *B)
{
    const cable_node *n = c->topology.node + e->node + e->end;
    if (e->kind == ELEMENT_NO_SLIP) {
        cord__no_slip_row(c, e, cache, no_slip_of(e, side), B);
        return;
    }
    double part = sign_of(e, cache) * natural;
    for (int k = 0; k < e->count - 1; k++) {
        int u = c->layout.unknown[e->first + k];
        if (u == n->s_dof) B[k] = 1;
        if (u == n->dof && n->count > 0) B[k] = -part;
        if (u == e->rotation) B[k] = part * c->def.guide[n->guide].radius;
    }
}

static void row_gradient(const cable *c, const cable_element *e, const double *cache,
                         const double *side, double *B)
{
    double natural = e->kind == ELEMENT_ROLLING ? rolling_of(e, side)->natural : 1;
    contact_gradient(c, e, cache, side, natural, B);
}

static void force_gradient(const cable *c, const cable_element *e, const double *cache,
                           const double *side, double *B)
{
    const cable_slip *f = c->layout.slip + e->slip;
    bool elastic = e->kind == ELEMENT_ROLLING;
    double natural = elastic ? ((const slip_memory *)(side + f->mode))->natural[e->end] : 1;
    contact_gradient(c, e, cache, side, natural, B);
}

/* Velocities that obey the rows: the impulses of a projection act along the gradients of the rows and lose energy. */
static bool is_projection(const element_input *in)
{
    return in->c_v == 0 && in->c_a > 0;
}

static double along_velocity(const cable *c, const cable_element *e, const double *B,
                             const double *v)
{
    double sum = 0;
    for (int k = 0; k < e->count - 1; k++) sum += B[k] * v[c->layout.unknown[e->first + k]];
    return sum;
}

double cord__slip_row_rate(const cable *c, const cable_element *e, const double *cache,
                           const double *side, const double *v)
{
    double B[ELEMENT_UNKNOWNS] = {0};
    if (side[c->layout.slip[e->slip].mode] != SLIP_NONE) return 0;
    row_gradient(c, e, cache, side, B);
    return along_velocity(c, e, B, v);
}

/* Of the friction force, at an end of an elastic wrap. */
static double share_at(const cable *c, const cable_element *e, const element_input *in)
{
    const slip_memory *slip = (const slip_memory *)(in->side + c->layout.slip[e->slip].mode);
    return slip->mode == SLIP_LEFT || slip->mode == SLIP_RIGHT ? slip->share[e->end] : 0.5;
}

/* Of cable and pulley, along the angle, conjugate to the friction force; and the sum of the absolute values of its
 * terms. */
static double slip_rate(const cable *c, const cable_slip *f, const element_input *in, double *size)
{
    double rate = 0;
    *size = 0;
    for (int i = 0; in->v && i < f->rows; i++) {
        const cable_element *e = c->layout.element + f->element + i;
        double B[ELEMENT_UNKNOWNS] = {0}, part = 1;
        row_gradient(c, e, in->cache, in->side, B);
        if (e->kind == ELEMENT_ROLLING)
            part = -share_at(c, e, in) * sign_of(e, in->cache) / rolling_of(e, in->side)->natural;
        rate += part * along_velocity(c, e, B, in->v);
        for (int k = 0; k < e->count - 1; k++)
            *size += fabs(part * B[k] * in->v[c->layout.unknown[e->first + k]]);
    }
    return rate;
}

/* On the cable, along the angle, as a multiplier of the row in the middle of the wrap. */
static double friction_force(const cable *c, const cable_slip *f, const element_input *in)
{
    const cable_element *e = c->layout.element + f->element;
    if (f->rows == 1) return in->lambda[e->row];
    const double *lambda = end_multipliers(c, f, in);
    return -sign_of(e, in->cache) * (lambda[0] + lambda[1]);
}

/* At the bound the wrap begins to slip with the strain that it has: with forces in proportion to the multipliers λ of the
 * rows that stick. Since rates respond to forces by a positive matrix A, the rate ∝ −λᵀ A λ then has the sign of slip,
 * also where the ends stretch or compress the wrap, with forces of opposite signs. The bound may grow from zero, and with
 * it such forces, so these are limited. */
static const double LEAST_SHARE = -1;

static void begin_slip(const cable *c, const cable_slip *f, const element_input *in, int along,
                       double *side)
{
    side[f->mode] = along;
    if (f->rows == 1) return;
    const double *lambda = end_multipliers(c, f, in);
    double *share = slip_of(f, side)->share;
    share[0] = fmin(fmax(lambda[0] / (lambda[0] + lambda[1]), LEAST_SHARE), 1 - LEAST_SHARE);
    share[1] = 1 - share[0];
}

/* Below this fraction of its terms a relative velocity is round-off. */
static const double ROUND_OFF = 1e-9;

/* Before the first step after a contact has begun: it slips if cable and pulley have different velocities. */
static void decide(const cable *c, const cable_slip *f, const element_input *in, double *side)
{
    double size, rate = slip_rate(c, f, in, &size);
    if (is_projection(in)) return; /* velocities do not obey the other rows yet */
    side[f->mode] = fabs(rate) > ROUND_OFF * size ? (rate > 0 ? SLIP_LEFT : SLIP_RIGHT) : SLIP_NONE;
    if (f->rows == 2) slip_of(f, side)->share[0] = slip_of(f, side)->share[1] = 0.5;
}

bool cord__slips_choose(const cable *c, const element_input *in, double *side)
{
    bool sticks = false;
    for (int i = 0; i < c->layout.slips; i++) {
        const cable_slip *f = c->layout.slip + i;
        double mode = side[f->mode], size;
        if (mode == SLIP_UNDECIDED) {
            decide(c, f, in, side);
        } else if (mode == SLIP_NONE) {
            double force = friction_force(c, f, in);
            int along = force > 0 ? SLIP_RIGHT : SLIP_LEFT;
            double bound = bound_of(c, f, in, along, &(pull){0}, &(double){0});
            if (fabs(force) > bound * (1 + 1e-9) + 1e-300) begin_slip(c, f, in, along, side);
        } else if (mode * slip_rate(c, f, in, &size) > 0) {
            side[f->mode] = SLIP_NONE;
            sticks = true;
        }
    }
    return sticks;
}

unsigned cord__slips_hash(const cable *c, const double *side)
{
    unsigned hash = 0;
    for (int i = 0; i < c->layout.slips; i++)
        hash = hash * 31 + (unsigned)(2 + (int)side[c->layout.slip[i].mode]);
    return hash;
}

/* The factor of the bound in the multiplier of a row. */
static double share_of(const cable *c, const cable_element *e, const element_input *in)
{
    const double *state = in->side + c->layout.slip[e->slip].mode;
    if (*state == SLIP_UNDECIDED) return 0;
    if (e->kind == ELEMENT_NO_SLIP) return *state;
    return -sign_of(e, in->cache) * *state * ((const slip_memory *)state)->share[e->end];
}

void cord__slip_terms(const cable *c, const cable_element *e, const element_input *in,
                      const double *B, element_terms *out)
{
    const cable_slip *f = c->layout.slip + e->slip;
    int row = e->count - 1, mode = (int)in->side[f->mode];
    double lambda = in->lambda ? in->lambda[e->row] : 0;
    out->r[row] = 0;
    if (in->lambda && !in->rows_only) {
        double share = share_of(c, e, in);
        out->r[row] = lambda;
        if (share != 0) out->r[row] -= share * bound_of(c, f, in, mode, &(pull){0}, &(double){0});
    }
    for (int k = 0; k < row; k++) {
        if (!in->rows_only) out->r[k] -= lambda * B[k];
        if (in->matrix) out->a[row][k] += B[k];
    }
    if (in->matrix) out->a[row][row] -= 1;
}

static void add_correction(unsymmetric_row *out, int unknown, double value)
{
    if (value == 0) return;
    out->unknown[out->count] = unknown;
    out->value[out->count++] = value;
}

static void correct_row(const cable *c, const cable_element *e, const element_input *in,
                        unsymmetric_row *out)
{
    const cable_slip *f = c->layout.slip + e->slip;
    int mode = (int)in->side[f->mode];
    double B[ELEMENT_UNKNOWNS] = {0}, row[ELEMENT_UNKNOWNS] = {0};
    out->count = 0;
    out->row = c->layout.dofs + e->row;
    if (mode == SLIP_NONE && is_projection(in)) return;
    force_gradient(c, e, in->cache, in->side, B);
    if (mode == SLIP_NONE) row_gradient(c, e, in->cache, in->side, row);
    for (int k = 0; k < e->count - 1; k++)
        add_correction(out, c->layout.unknown[e->first + k], row[k] - B[k]);
    double share = mode == SLIP_NONE ? 0 : share_of(c, e, in);
    if (in->rows_only || share == 0) return;
    pull wrap;
    double derivative;
    bound_of(c, f, in, mode, &wrap, &derivative);
    for (int k = 0; derivative > 0 && k < wrap.count; k++)
        add_correction(out, wrap.unknown[k], -share * derivative * wrap.gradient[k]);
}

int cord__slip_corrections(const cable *c, int which, const element_input *in, unsymmetric_row *out)
{
    const cable_slip *f = c->layout.slip + which;
    for (int k = 0; k < f->rows; k++)
        correct_row(c, c->layout.element + f->element + k, in, out + k);
    return f->rows;
}

double cord__friction_work(const cable *c, const element_input *in, const double *d,
                           const double *start, const double *end)
{
    double work = 0;
    for (int i = 0; i < c->layout.slips; i++)
        for (int k = 0; k < c->layout.slip[i].rows; k++) {
            const cable_element *e = c->layout.element + c->layout.slip[i].element + k;
            double B[ELEMENT_UNKNOWNS] = {0};
            force_gradient(c, e, in->cache, in->side, B);
            work +=
                in->lambda[e->row] * (along_velocity(c, e, B, d) - (end[e->row] - start[e->row]));
        }
    return work;
}

/* Contacts of the old cable with the same guide, in their order. */
static const cable_slip *slip_on(const cable *c, int guide, int which)
{
    for (int i = 0; i < c->layout.slips; i++) {
        const cable_element *e = c->layout.element + c->layout.slip[i].element;
        if (c->topology.node[e->node].guide == guide && which-- == 0) return c->layout.slip + i;
    }
    return NULL;
}

void cord__carry_slips(const cable *old, const double *side, cable *made)
{
    for (int i = 0; i < made->layout.slips; i++) {
        const cable_slip *f = made->layout.slip + i;
        int guide = made->topology.node[made->layout.element[f->element].node].guide, which = 0;
        while (slip_on(made, guide, which) != f) which++;
        const cable_slip *was = slip_on(old, guide, which);
        if (was)
            memcpy(made->initial.side + f->mode, side + was->mode,
                   (f->rows == 1 ? 1 : SIDE_DOUBLES(slip_memory)) * sizeof *side);
    }
}

/* ---- rolling contact of elastic cables ------------------------------------------------------------------ */

static double rim_at(const cable *c, const cable_element *e, const double *cache)
{
    const cable_guide *g = c->def.guide + c->topology.node[e->node].guide;
    double rotation =
        e->rotation >= 0 ? pulley_rotation(c, cache, e->rotation - cable_rotation_dof(c, 0)) : 0;
    return g->radius * rotation - cable_coordinates(cache, e->node + e->end)[0];
}

/* s − s₀ + (rim − rim₀)/(1 + ε) = 0 where s grows with the angle, else with the opposite sign. */
void cord__rolling_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out)
{
    const rolling_memory *from = rolling_of(e, in->side);
    double B[ELEMENT_UNKNOWNS] = {0};
    bool slips = e->slip >= 0 && in->side[c->layout.slip[e->slip].mode] != SLIP_NONE;
    bool along_row = e->slip < 0 || (!slips && is_projection(in));
    (along_row ? row_gradient : force_gradient)(c, e, in->cache, in->side, B);
    if (slips) {
        cord__slip_terms(c, e, in, B, out);
        return;
    }
    double value = cable_s(in->cache, e->node + e->end) - from->s +
                   sign_of(e, in->cache) * from->natural * (rim_at(c, e, in->cache) - from->rim);
    cord__put_row(c, e, in, value, B, c->def.guide[c->topology.node[e->node].guide].radius, out);
}

static double natural_part(const cable *c, int segment, const double *cache)
{
    static const environment nothing = {0};
    element_input in = {.cache = cache, .environment = &nothing};
    element_terms t;
    if (segment < 0 || segment + 1 >= c->topology.nodes) return 1;
    cord__element_terms(c, c->layout.element + segment, &in, &t);
    return 1 / (1 + fmax(t.strain, 0)); /* slack material lies on the rim as long as it is */
}

/* The material that crosses an end of a wrap comes from the side from which the rim comes. */
static void begin_rolling(const cable *c, const cable_element *e, const double *cache, double *side)
{
    rolling_memory *r = (rolling_memory *)(side + e->memory);
    double rim = rim_at(c, e, cache);
    if (r->natural > 0) r->rim_advance = rim - r->rim;
    double arc = cable_coordinates(cache, e->node + 1)[0] - cable_coordinates(cache, e->node)[0];
    bool ahead = (r->rim_advance > 0) == (arc > 0); /* the material goes from node to node */
    int before = e->end == 0 ? e->node - 1 : e->node;
    double cosine = helix_cosine(c, cache, e->node);
    r->natural = natural_part(c, ahead ? cable_segment(c, before) : before + 1, cache) / cosine;
    r->rim = rim;
    r->s = cable_s(cache, e->node + e->end);
    if (e->slip < 0) return;
    double strain[2];
    for (int k = 0; k < 2; k++)
        strain[k] = 1 / natural_part(c, k == 0 ? cable_segment(c, before) : before + 1, cache) - 1;
    slip_of(c->layout.slip + e->slip, side)->natural[e->end] =
        1 / (1 + 0.5 * (strain[0] + strain[1])) / cosine;
}

/* On a smooth cylinder the slope of the helix changes: du = cos β ds at the middle of the wrap is not integrable. */
static void begin_helices(const cable *c, const double *cache, double *side)
{
    for (int i = 0; i < c->layout.elements; i++) {
        const cable_element *e = c->layout.element + i;
        if (e->kind != ELEMENT_NO_SLIP || c->topology.node[e->node].size < 2) continue;
        helix_memory *helix = (helix_memory *)(side + e->memory);
        double off = cord__no_slip_row(c, e, cache, &helix->contact, NULL);
        helix->cosine = helix_cosine(c, cache, e->node);
        helix->contact.reference += cord__no_slip_row(c, e, cache, &helix->contact, NULL) - off;
    }
}

void cord__no_slip_begin(const cable *c, const double *cache, double *side)
{
    for (int i = 0; c->def.material.stretching > 0 && i < c->layout.elements; i++)
        if (c->layout.element[i].kind == ELEMENT_ROLLING)
            begin_rolling(c, c->layout.element + i, cache, side);
    for (int i = 0; i < c->layout.slips; i++) {
        const cable_element *e = c->layout.element + c->layout.slip[i].element;
        if (e->kind == ELEMENT_ROLLING) continue;
        no_slip_memory *contact = (no_slip_memory *)(side + e->memory);
        contact->reference += cord__no_slip_row(c, e, cache, contact, NULL);
    }
    begin_helices(c, cache, side);
}
