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
 * for λ; the difference is an unsymmetric_row, a low-rank correction (Woodbury) of the solver. */
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

/* The force Y of a wrap, with its load at one end, and its derivatives over the cable's unknowns; over multipliers
 * they are for y = −dλ. Those of the wrap's own weight and inertia are omitted: they only slow the iteration. */
typedef struct pull {
    double force, strain;
    int count, unknown[ELEMENT_UNKNOWNS];
    double gradient[ELEMENT_UNKNOWNS];
} pull;

/* Derivatives of the subtracted mean, as far as storage permits: the omitted ones only slow the iteration. */
static void pull_of_others(const cable *c, const double *cache, pull *p)
{
    for (int i = 0; i + 1 < c->topology.nodes && p->count < ELEMENT_UNKNOWNS; i++) {
        p->unknown[p->count] = c->layout.dofs + c->layout.element[i].row;
        p->gradient[p->count++] = -(cable_s(cache, i + 1) - cable_s(cache, i)) / c->topology.length;
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
        p->unknown[p->count] = c->layout.dofs + e->row;
        p->gradient[p->count++] = 1;
        if (c->layout.rigid) pull_of_others(c, in->cache, p);
        return;
    }
    if (t.slack) return;
    double modulus = c->def.material.stretching, strain = p->strain;
    double stiff =
        (1 + strain) * modulus * (in->c_k + in->c_v * c->def.material.damping) / t.natural;
    p->force += strain * t.tension - 0.5 * modulus * strain * strain;
    for (int k = 0; k < e->count; k++) {
        p->unknown[p->count] = c->layout.unknown[e->first + k];
        p->gradient[p->count++] = stiff * t.stretch_gradient[k];
    }
}

/* Speed of the material round the pulley. */
static double speed(const cable *c, const cable_element *e, const double *v, double sign)
{
    double rate = 0;
    for (int k = 0; v && k < 2; k++) {
        const cable_node *n = c->topology.node + e->node + k;
        rate += 0.5 * ((n->s_dof >= 0 ? v[n->s_dof] : 0) -
                       sign * cable_rate(&c->topology, e->node + k, 0, v));
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

/* The capstan bound with the slack side for a friction force of this sign, and its derivative over the force of the wrap.
 * With T₁ = c + x, T₂ = c + K x, c = ρṡ² and K = e^{μφ} the condition of the ends, E(T₁) + E(T₂) = 2Y, is quadratic in x.
 * Of moving elastic cables T stands for T (1 − c/EA), since c (1 + ε) is taken from the force, and Y is less by the
 * kinetic energy c ((1 + ε)² − 1)/2. */
static double bound_of(const cable *c, const cable_slip *f, const element_input *in, int side,
                       pull *wrap, double *derivative)
{
    static const double MAX_EXPONENT = 300; /* squares are finite */
    const cable_element *e = c->layout.element + f->element;
    double angle, sign = arc_sign(c, in, f, &angle), v = speed(c, e, in->v, sign);
    double moving = c->def.linear_density * v * v, stiff = c->def.material.stretching;
    double compliance = stiff > 0 ? stiff / ((stiff - moving) * (stiff - moving)) : 0;
    double more = expm1(fmin(f->coefficient * angle, MAX_EXPONENT)), K = 1 + more;
    pull_of(c, e->node, side * sign > 0, in, wrap);
    double A = 0.5 * compliance * (1 + K * K), B = (1 + K) * (1 + moving * compliance);
    double Y = wrap->force - moving * wrap->strain * (1 + 0.5 * wrap->strain);
    double C = 2 * (Y - moving) - moving * moving * compliance;
    *derivative = 0;
    if (!(C > 0)) return 0;
    double x = 2 * C / (B + sqrt(B * B + 4 * A * C)), T1 = moving + x, T2 = moving + K * x;
    *derivative = 2 * (more + compliance * (K * T2 - T1)) / (B + 2 * A * x);
    return more * x * (1 + 0.5 * compliance * (T1 + T2));
}

/* Slipping: whether the friction force opposes the relative velocity of cable and pulley. */
static double slip_rate(const cable *c, const cable_element *e, const double *v, double sign)
{
    double rate = -sign * speed(c, e, v, sign);
    if (v && e->rotation >= 0)
        rate -= c->def.guide[c->topology.node[e->node].guide].radius * v[e->rotation];
    return rate;
}

double cord__no_slip_row(const cable *c, const cable_element *e, const double *cache,
                         double reference, double *B)
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    double at[2], s[2], rotation = 0;
    for (int k = 0; k < 2; k++) {
        at[k] = cable_coordinates(cache, e->node + k)[0];
        s[k] = cable_s(cache, e->node + k);
    }
    double sign = at[1] > at[0] ? 1 : -1;
    for (int k = 0; B && k < 2; k++) {
        if (e->local[k].coordinates >= 0) B[e->local[k].coordinates] += 0.5;
        if (e->local[k].s >= 0) B[e->local[k].s] -= 0.5 * sign;
    }
    if (e->rotation >= 0) {
        if (B) B[e->count - 2] = -on->radius; /* after the nodes' dofs, before the row */
        rotation = pulley_rotation(c, cache, e->rotation - cable_rotation_dof(c, 0));
    }
    return 0.5 * (at[0] + at[1]) - 0.5 * sign * (s[0] + s[1]) - on->radius * rotation - reference;
}

void cord__slips_choose(const cable *c, const element_input *in, double *side)
{
    for (int i = 0; i < c->layout.slips; i++) {
        const cable_slip *f = c->layout.slip + i;
        const cable_element *e = c->layout.element + f->element;
        double *mode = &((no_slip_memory *)(side + e->memory))->mode;
        double lambda = in->lambda[e->row], angle, sign = arc_sign(c, in, f, &angle);
        if (*mode == 0) {
            int along = lambda > 0 ? 1 : -1;
            double bound = bound_of(c, f, in, along, &(pull){0}, &(double){0});
            if (fabs(lambda) > bound * (1 + 1e-9) + 1e-300) *mode = along;
        } else if (*mode * slip_rate(c, e, in->v, sign) > 0) {
            *mode = 0;
        }
    }
}

void cord__slip_terms(const cable *c, const cable_element *e, const element_input *in,
                      const double *B, element_terms *out)
{
    const cable_slip *f = c->layout.slip + e->slip;
    int row = e->count - 1, mode = (int)no_slip_of(e, in->side)->mode;
    double lambda = in->lambda ? in->lambda[e->row] : 0;
    out->r[row] = 0;
    if (in->lambda && !in->rows_only)
        out->r[row] = lambda - mode * bound_of(c, f, in, mode, &(pull){0}, &(double){0});
    for (int k = 0; k < row; k++) {
        if (!in->rows_only) out->r[k] -= lambda * B[k];
        if (in->matrix) out->a[row][k] += B[k];
    }
    if (in->matrix) out->a[row][row] -= 1;
}

void cord__slip_correction(const cable *c, int which, const element_input *in, unsymmetric_row *out)
{
    const cable_slip *f = c->layout.slip + which;
    const cable_element *e = c->layout.element + f->element;
    int mode = (int)no_slip_of(e, in->side)->mode;
    double B[ELEMENT_UNKNOWNS] = {0};
    out->count = 0;
    if (mode == 0) return;
    out->row = c->layout.dofs + e->row;
    cord__no_slip_row(c, e, in->cache, 0, B);
    for (int k = 0; k < e->count - 1; k++) {
        out->unknown[out->count] = c->layout.unknown[e->first + k];
        out->value[out->count++] = -B[k];
    }
    if (in->rows_only) return;
    pull wrap;
    double derivative, bound = bound_of(c, f, in, mode, &wrap, &derivative);
    for (int k = 0; bound > 0 && k < wrap.count; k++) {
        out->unknown[out->count] = wrap.unknown[k];
        out->value[out->count++] = -mode * derivative * wrap.gradient[k];
    }
}

/* ---- elastic cables that never slip ------------------------------------------------------------------ */

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
    const cable_node *n = c->topology.node + e->node + e->end;
    const cable_guide *g = c->def.guide + n->guide;
    const rolling_memory *from = rolling_of(e, in->side);
    double arc =
        cable_coordinates(in->cache, e->node + 1)[0] - cable_coordinates(in->cache, e->node)[0];
    double part = (arc > 0 ? 1 : -1) * from->natural, B[ELEMENT_UNKNOWNS] = {0};
    for (int k = 0; k < e->count - 1; k++) {
        int u = c->layout.unknown[e->first + k];
        if (u == n->s_dof) B[k] = 1;
        if (u == n->dof && n->count > 0) B[k] = -part;
        if (u == e->rotation) B[k] = part * g->radius;
    }
    double value = cable_s(in->cache, e->node + e->end) - from->s +
                   part * (rim_at(c, e, in->cache) - from->rim);
    cord__put_row(c, e, in, value, B, g->radius, out);
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
    r->natural = natural_part(c, ahead ? cable_segment(c, before) : before + 1, cache);
    r->rim = rim;
    r->s = cable_s(cache, e->node + e->end);
}

void cord__no_slip_begin(const cable *c, const double *cache, double *side)
{
    for (int i = 0; c->def.material.stretching > 0 && i < c->layout.elements; i++)
        if (c->layout.element[i].kind == ELEMENT_ROLLING)
            begin_rolling(c, c->layout.element + i, cache, side);
    for (int i = 0; i < c->layout.slips; i++) {
        const cable_element *e = c->layout.element + c->layout.slip[i].element;
        double *reference = &((no_slip_memory *)(side + e->memory))->reference;
        *reference += cord__no_slip_row(c, e, cache, *reference, NULL);
    }
}
