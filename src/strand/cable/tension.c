/* Axial force along a segment.
 *
 * The multiplier of a segment's row, or EA ε, is one force T̄ for all of it. It is the axial force where the segment has
 * neither weight nor inertia. With p the force per natural length that the material needs or bears along its tangent t,
 * p = ρ (ẍ − g)·t and drag, and F the friction of a pulley, spread evenly, the forces on its ends in the equations are
 *
 *     T₀ = T̄ + F/2 − Δs ∫ (1 − β) p dβ,     T₁ = T̄ − F/2 + Δs ∫ β p dβ,
 *
 * and between them T' = p − F/Δs. The part of the weight has the integral ρ g·(x̄ − x)/(1 + ε), x̄ being the mean position:
 * T − ρ |g| z is constant along a rope at rest. The same holds for the acceleration of the carrier of a guide. The rest of
 * the acceleration is linear in β on straight segments, on arcs and on helices; its values at the ends are used. */
#include "strand/cable/terms.h"

/* The friction of a pulley on the segment, in the direction of s. */
static double friction_on(const cable *c, const element_input *in, int index)
{
    double from = cable_coordinates(in->cache, index)[0];
    double to = cable_coordinates(in->cache, index + 1)[0];
    int row = in->lambda ? c->layout.row_head[index + 1] : -1;
    for (; row >= 0; row = c->layout.row_next[row]) {
        const cable_element *e = c->layout.element + c->layout.row_element[row];
        if (e->kind == ELEMENT_NO_SLIP) return (to > from ? 1 : -1) * in->lambda[row];
    }
    return 0;
}

void cord__segment_tension(const cable *c, const element_input *in, int index, bool friction,
                           element_terms *t, segment_tension *out)
{
    const cable_element *e = c->layout.element + index;
    environment env = *in->environment;
    element_input at = *in;
    *out = (segment_tension){.friction = friction ? friction_on(c, in, index) : 0};
    if (in->a && in->v && e->kind == ELEMENT_CURVED) {
        const cable_guide *g = c->def.guide + c->topology.node[index].guide;
        double free[3] = {0, 0, 0};
        if (g->carrier >= 0) v3_copy(free, in->a + cable_carrier_dof(c, g->carrier));
        v3_sub(env.gravity, env.gravity, free);
        cord__curve_loads(c, e, in, free, out->load);
    } else if (in->a && in->v) {
        cord__straight_loads(c, e, in, out->load);
    }
    at.environment = &env;
    at.a = NULL;
    at.matrix = false;
    cord__element_terms(c, e, &at, t);
    if (t->slack) {
        *out = (segment_tension){0};
        return;
    }
    for (int k = 0; k < 2; k++) out->load[k] *= t->natural;
    v3_scale(out->weight, c->def.linear_density / (1 + t->strain), env.gravity);
    out->mean = t->tension - t->gravity / (t->natural * (1 + t->strain));
}

double cord__tension_in(const segment_tension *p, double alpha, const double x[3])
{
    double square = 0.5 * alpha * alpha;
    return p->mean - v3_dot(p->weight, x) + p->load[0] * (alpha - square - 1.0 / 3) +
           p->load[1] * (square - 1.0 / 6) + p->friction * (0.5 - alpha);
}

double cord__tension_at(const cable *c, const element_input *in, int index, double alpha)
{
    segment_tension p;
    element_terms t;
    double x[3], velocity[3], r_s[3];
    cord__segment_tension(c, in, index, true, &t, &p);
    cord__cable_in(c, in->cache, c->initial.v, index, alpha, x, velocity, r_s);
    return cord__tension_in(&p, alpha, x);
}
