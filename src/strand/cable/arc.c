/* Segments on circles [HCS 2011, eq. 5]: inertia and gravity in closed form, from the two ends
 * alone.
 *
 * At α of the segment the angle on the circle is φ₀ + αΔ; `out` is the unit vector from the centre,
 * `along` = d out/dφ. The velocity of the material is V + ω × r + w along, r = c + R out relative
 * to its carrier, w linear in α; its acceleration is
 *
 *     a = a_c + R (ω̇ × out + ω × (ω × out)) + 2w ω × along + ẇ along − w²/R out.
 *
 * The generalised force is ρΔs ∫ Jᵀa dα plus the flux of momentum and energy at the ends:
 * Lagrange's equations of a control volume of cable with material flow through its ends [HCS 2011,
 * eq. 6–8, with the motion of the carrier, which eq. 8 omits]. All integrals are moments ∫ αᵏ out,
 * ∫ αᵏ along, and those of their products. */
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

/* The closed forms of the moments lose digits like 1/Δ³; below this angle quadrature with a few
 * points is exact to round-off. */
static const double LEAST_ROTATION = 0.5;

typedef struct arc {
    const cable_element *e;
    int carrier; /* -1: the circle does not move */
    double radius, rotation;
    double ds, mass, linear_density, D;   /* Δs, ρΔs, ρ, Δu/Δs */
    double out[2][3], along[2][3];        /* at the ends */
    double axis[3], centre[3], from[3];   /* from: the centre relative to its carrier */
    double out0[3], along0[3], along1[3]; /* ∫ out, ∫ along, ∫ α along */
    double w[2], z[2], s_rate[2];         /* speed and acceleration at the ends */
} arc;

bool cord__arc_is_closed(const cable *c, const cable_element *e, const double *cache)
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    if (!on->ops->planar || c->def.material.drag > 0) return false;
    if (on->carrier >= 0 && !c->def.carrier[on->carrier].rotates) return false;
    if (c->topology.node[e->node].count == 0 || c->topology.node[e->node + 1].count == 0)
        return false;
    double length = cable_coordinates(cache, e->node + 1)[0] - cable_coordinates(cache, e->node)[0];
    return fabs(length) > LEAST_ROTATION * on->radius;
}

static void read_positions(const cable *c, const double *cache, arc *a)
{
    const cable_guide *on = c->def.guide + c->topology.node[a->e->node].guide;
    const double *pose = guide_pose(c, cache, on);
    double u[2], s[2];
    for (int k = 0; k < 2; k++) {
        u[k] = cable_coordinates(cache, a->e->node + k)[0];
        s[k] = cable_s(cache, a->e->node + k);
        v3_copy(a->along[k], cable_jacobian(cache, a->e->node + k));
    }
    a->carrier = on->carrier;
    a->radius = on->radius;
    a->rotation = (u[1] - u[0]) / on->radius;
    a->linear_density = c->def.linear_density;
    a->ds = s[1] - s[0];
    a->mass = a->linear_density * a->ds;
    a->D = (u[1] - u[0]) / (s[1] - s[0]);
    v3_copy(a->from, on->origin);
    v3_copy(a->axis, on->axes + 6);
    v3_copy(a->centre, on->origin);
    if (pose) {
        m3_apply(a->axis, pose + 3, on->axes + 6);
        m3_apply(a->from, pose + 3, on->origin);
        v3_add(a->centre, pose, a->from);
    }
    for (int k = 0; k < 2; k++) v3_cross(a->out[k], a->along[k], a->axis);
    for (int k = 0; k < 3; k++) {
        a->out0[k] = (a->along[0][k] - a->along[1][k]) / a->rotation;
        a->along0[k] = (a->out[1][k] - a->out[0][k]) / a->rotation;
        a->along1[k] = (a->out[1][k] - a->out0[k]) / a->rotation;
    }
}

/* Reads from v the element's coordinates and material coordinates. */
static void read_ends(const cable *c, const cable_element *e, const double *v, double u[2],
                      double s[2])
{
    for (int k = 0; k < 2; k++) {
        const cable_node *n = c->topology.node + e->node + k;
        u[k] = v[n->dof];
        s[k] = n->s_dof >= 0 ? v[n->s_dof] : 0;
    }
}

/* `second` may be NULL. */
static void read_motion(const cable *c, const double *v, const double *second, arc *a)
{
    double u[2], s[2], ds = a->ds;
    read_ends(c, a->e, v, u, a->s_rate);
    double D_rate = (u[1] - u[0] - a->D * (a->s_rate[1] - a->s_rate[0])) / ds;
    for (int k = 0; k < 2; k++) a->w[k] = u[k] - a->D * a->s_rate[k];
    if (!second) return;
    read_ends(c, a->e, second, u, s);
    for (int k = 0; k < 2; k++) a->z[k] = u[k] - a->D * s[k] - 2 * D_rate * a->s_rate[k];
}

/* A tangential force on the cable, distributed to the ends by (1 − α) and α. */
static void push_ends(const arc *a, const double f[2], element_terms *out)
{
    for (int k = 0; k < 2; k++) {
        const element_local *at = a->e->local + k;
        out->r[at->coordinates] += f[k];
        if (at->s >= 0) out->r[at->s] -= a->D * f[k];
    }
}

/* A force on the carrier of the circle, and a moment about the carrier's position. */
static void push_carrier(const arc *a, const double f[3], const double moment[3],
                         element_terms *out)
{
    double *r = out->r + a->e->local[0].carrier[0];
    for (int k = 0; k < 3; k++) r[k] += f[k], r[3 + k] += moment[k];
}

/* Flux of momentum and energy at an end; v is the velocity of the material there. */
static void flow(const arc *a, int end, const double *v, element_terms *out)
{
    double rate = (end == 0 ? -1 : 1) * a->linear_density, run = rate * a->s_rate[end],
           f[2] = {0, 0};
    const element_local *at = a->e->local + end;
    f[end] = run * v3_dot(a->along[end], v);
    push_ends(a, f, out);
    if (at->s >= 0) out->r[at->s] -= 0.5 * rate * v3_dot(v, v);
    if (a->carrier < 0) return;
    double force[3], arm[3], moment[3];
    v3_scale(force, run, v);
    v3_copy(arm, a->from);
    v3_axpy(arm, a->radius, a->out[end]);
    v3_cross(moment, arm, force);
    push_carrier(a, force, moment, out);
}

static void still_motion(const arc *a, element_terms *out)
{
    double f[2] = {a->mass * (2 * a->z[0] + a->z[1]) / 6, a->mass * (a->z[0] + 2 * a->z[1]) / 6};
    push_ends(a, f, out);
    for (int k = 0; k < 2; k++) {
        double v[3];
        v3_scale(v, a->w[k], a->along[k]);
        flow(a, k, v, out);
    }
}

/* With θ = αΔ and x, y the components of a vector along out and along at the start: ∫ of the products
 * of out · x and along · x, times 1 and α. */
typedef struct products {
    double cc, cs, ss;     /* ∫ cos²θ, ∫ cos θ sin θ, ∫ sin²θ */
    double cos2_1, sin2_1; /* ∫ α cos 2θ, ∫ α sin 2θ */
} products;

static products products_of(const arc *a)
{
    double c = v3_dot(a->out[0], a->out[1]), s = v3_dot(a->along[0], a->out[1]), t = a->rotation;
    double c2 = c * c - s * s, s2 = 2 * s * c;
    return (products){.cc = 0.5 + s2 / (4 * t),
                      .ss = 0.5 - s2 / (4 * t),
                      .cs = s * s / (2 * t),
                      .cos2_1 = s2 / (2 * t) + (c2 - 1) / (4 * t * t),
                      .sin2_1 = -c2 / (2 * t) + s2 / (4 * t * t)};
}

/* ∫ out (out · x) */
static void out_out(const arc *a, const products *p, const double x[3], double r[3])
{
    double u = v3_dot(a->out[0], x), v = v3_dot(a->along[0], x);
    v3_combine(r, p->cc * u + p->cs * v, a->out[0], p->cs * u + p->ss * v, a->along[0]);
}

/* ∫ along (out · x), and with α. */
static void along_out(const arc *a, const products *p, const double x[3], double r0[3],
                      double r1[3])
{
    double u = v3_dot(a->out[0], x), v = v3_dot(a->along[0], x);
    double half = 0.5 * p->sin2_1, c1 = 0.25 + 0.5 * p->cos2_1, s1 = 0.25 - 0.5 * p->cos2_1;
    v3_combine(r0, -p->cs * u - p->ss * v, a->out[0], p->cc * u + p->cs * v, a->along[0]);
    v3_combine(r1, -half * u - s1 * v, a->out[0], c1 * u + half * v, a->along[0]);
}

/* ∫ α out and ∫ α² out. */
static void out_moments(const arc *a, double out1[3], double out2[3])
{
    for (int k = 0; k < 3; k++) {
        out1[k] = (a->along0[k] - a->along[1][k]) / a->rotation;
        out2[k] = (2 * a->along1[k] - a->along[1][k]) / a->rotation;
    }
}

/* For a circle on a carrier: the motion of the carrier, v and its derivatives over the dofs. */
static void carried_motion(const arc *a, const double *v, const double *second, element_terms *out)
{
    const double *rotation = v + 3, *spin_change = second + 3;
    double speed[3], change[3], turned[3], R = a->radius;
    v3_cross(turned, rotation, a->from);
    v3_add(speed, v, turned);
    v3_cross(change, rotation, turned);
    v3_cross(turned, spin_change, a->from);
    v3_add(change, change, turned);
    v3_add(change, change, second);
    double w0 = a->w[0], w1 = a->w[1] - w0, z0 = a->z[0], z1 = a->z[1] - z0;
    double out1[3], out2[3], glide[3], force[3], moment[3], inner[3], x[3], y[3];
    out_moments(a, out1, out2);
    for (int k = 0; k < 3; k++) {
        glide[k] = w0 * a->along0[k] + w1 * a->along1[k];
        force[k] = change[k] + z0 * a->along0[k] + z1 * a->along1[k] -
                   (w0 * w0 * a->out0[k] + 2 * w0 * w1 * out1[k] + w1 * w1 * out2[k]) / R;
    }
    v3_cross(x, spin_change, a->out0);
    v3_axpy(force, R, x);
    v3_cross(x, rotation, a->out0);
    v3_scale(x, R, x);
    v3_axpy(x, 2, glide);
    v3_cross(y, rotation, x);
    v3_add(force, force, y);

    products p = products_of(a);
    double s0[3], s1[3];
    along_out(a, &p, rotation, s0, s1);
    v3_cross(inner, a->out0, change);
    out_out(a, &p, spin_change, x);
    v3_sub(x, spin_change, x);
    v3_axpy(inner, R, x);
    out_out(a, &p, rotation, x);
    v3_cross(y, x, rotation);
    v3_axpy(inner, R, y);
    v3_axpy(inner, -2 * w0, s0);
    v3_axpy(inner, -2 * w1, s1);
    v3_axpy(inner, z0 + 0.5 * z1, a->axis);
    v3_cross(moment, a->from, force);
    v3_axpy(moment, R, inner);
    v3_scale(force, a->mass, force);
    v3_scale(moment, a->mass, moment);
    push_carrier(a, force, moment, out);

    double twirl = v3_dot(spin_change, a->axis);
    double all = v3_dot(a->along0, change) + R * (twirl + v3_dot(rotation, s0)) + z0 + z1 / 2;
    double late =
        v3_dot(a->along1, change) + R * (0.5 * twirl + v3_dot(rotation, s1)) + z0 / 2 + z1 / 3;
    double f[2] = {a->mass * (all - late), a->mass * late};
    push_ends(a, f, out);
    for (int k = 0; k < 2; k++) {
        v3_cross(x, rotation, a->out[k]);
        v3_combine(x, R, x, a->w[k], a->along[k]);
        v3_add(x, x, speed);
        flow(a, k, x, out);
    }
}

static void middle_arm(const arc *a, double arm[3])
{
    v3_copy(arm, a->from);
    v3_axpy(arm, a->radius, a->out0);
}

/* ∫ (1 − α) along and ∫ α along. */
static void end_integrals(const arc *a, double integral[2][3])
{
    v3_sub(integral[0], a->along0, a->along1);
    v3_copy(integral[1], a->along1);
}

/* Second derivatives of the weight [HCS 2011, eq. 9, 10], w = ρΔs c_k: over the coordinates w/R g · ∫ pᵢ pₖ out; over
 * the rotation of the carrier −w (integral × g) and −w (arm × g) with the rotated arm, of which the symmetric part. */
static void weight_stiffness(const arc *a, const double *g, double w, double integral[2][3],
                             const double arm[3], element_terms *out)
{
    double out1[3], out2[3], pull[3], along = v3_dot(arm, g);
    out_moments(a, out1, out2);
    double once = v3_dot(g, out1), twice = v3_dot(g, out2), R = a->radius;
    const element_local *at = a->e->local;
    out->a[at[0].coordinates][at[0].coordinates] += w / R * (v3_dot(g, a->out0) - 2 * once + twice);
    out->a[at[1].coordinates][at[1].coordinates] += w / R * twice;
    *element_entry(out, at[0].coordinates, at[1].coordinates) += w / R * (once - twice);
    if (a->carrier < 0) return;
    int turns = at[0].carrier[0] + 3;
    for (int k = 0; k < 2; k++) {
        v3_cross(pull, integral[k], g);
        for (int i = 0; i < 3; i++)
            *element_entry(out, turns + i, at[k].coordinates) -= w * pull[i];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            out->a[turns + i][turns + k] -=
                w * (0.5 * (arm[i] * g[k] + arm[k] * g[i]) - (i == k ? along : 0));
}

static void weight(const arc *a, const element_input *in, element_terms *out)
{
    const double *g = in->environment->gravity;
    double integral[2][3], arm[3], moment[3], position[3], f[3], ends[2];
    end_integrals(a, integral);
    v3_copy(position, a->centre);
    v3_axpy(position, a->radius, a->out0);
    double high = a->linear_density * v3_dot(g, position);
    out->gravity = -high * a->ds;
    v3_scale(f, -a->mass, g);
    for (int k = 0; k < 2; k++) {
        const element_local *at = a->e->local + k;
        out->r[at->coordinates] += v3_dot(integral[k], f);
        if (at->s >= 0) out->r[at->s] += k == 0 ? high : -high;
        ends[k] = v3_dot(integral[k], g);
    }
    middle_arm(a, arm);
    v3_cross(moment, arm, g);
    if (a->carrier >= 0) {
        double turning[3];
        v3_scale(turning, -a->mass, moment);
        push_carrier(a, f, turning, out);
    }
    if (in->matrix) weight_stiffness(a, g, a->mass * in->c_k, integral, arm, out);
    for (int k = 0; in->matrix && k < 2; k++) {
        int s = a->e->local[k].s, carrier = a->e->local[0].carrier[0];
        double w = (k == 0 ? 1 : -1) * a->linear_density * in->c_k;
        if (s < 0) continue;
        for (int i = 0; i < 2; i++)
            *element_entry(out, a->e->local[i].coordinates, s) += w * ends[i];
        for (int i = 0; a->carrier >= 0 && i < 3; i++) {
            *element_entry(out, carrier + i, s) += w * g[i];
            *element_entry(out, carrier + 3 + i, s) += w * moment[i];
        }
    }
}

/* m times the mass matrix of the coordinates and material coordinates [HCS 2011, eq. 8]. */
static void end_mass(const arc *a, double m, element_terms *out)
{
    const element_local *at = a->e->local;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            double own = m / (i == k ? 3 : 6);
            if (i >= k) {
                *element_entry(out, at[i].coordinates, at[k].coordinates) += own;
                if (at[i].s >= 0 && at[k].s >= 0)
                    *element_entry(out, at[i].s, at[k].s) += own * a->D * a->D;
            }
            if (at[k].s >= 0) *element_entry(out, at[i].coordinates, at[k].s) -= own * a->D;
        }
}

/* Lower triangle of m (r² − r rᵀ), the mean over the arc, and the other blocks of the carrier. */
static void carried_mass(const arc *a, double m, element_terms *out)
{
    int carrier = a->e->local[0].carrier[0];
    double arm[3], integral[2][3], R = a->radius;
    products p = products_of(a);
    middle_arm(a, arm);
    end_integrals(a, integral);
    double square = v3_dot(a->from, a->from) + 2 * R * v3_dot(a->from, a->out0) + R * R;
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2}, lever[3], own[3];
        v3_cross(lever, axis, arm);
        out_out(a, &p, axis, own);
        out->a[carrier + i][carrier + i] += m;
        for (int k = 0; k < 3; k++) {
            out->a[carrier + 3 + i][carrier + k] += m * lever[k];
            double both = a->from[i] * a->from[k] +
                          R * (a->from[i] * a->out0[k] + a->out0[i] * a->from[k]) + R * R * own[k];
            if (i >= k) out->a[carrier + 3 + i][carrier + 3 + k] += m * ((i == k) * square - both);
        }
    }
    for (int end = 0; end < 2; end++) {
        const element_local *at = a->e->local + end;
        double turning[3];
        v3_cross(turning, a->from, integral[end]);
        v3_axpy(turning, 0.5 * R, a->axis);
        for (int k = 0; k < 3; k++) {
            *element_entry(out, carrier + k, at->coordinates) += m * integral[end][k];
            *element_entry(out, carrier + 3 + k, at->coordinates) += m * turning[k];
            if (at->s < 0) continue;
            *element_entry(out, carrier + k, at->s) -= a->D * m * integral[end][k];
            *element_entry(out, carrier + 3 + k, at->s) -= a->D * m * turning[k];
        }
    }
}

void cord__arc_terms(const cable *c, const cable_element *e, const element_input *in,
                     element_terms *out)
{
    arc a = {.e = e};
    read_positions(c, in->cache, &a);
    if (!in->rows_only) {
        if (in->a) {
            read_motion(c, in->v, in->a, &a);
            if (a.carrier < 0)
                still_motion(&a, out);
            else
                carried_motion(&a, in->v + cable_carrier_dof(c, a.carrier),
                               in->a + cable_carrier_dof(c, a.carrier), out);
        }
        weight(&a, in, out);
    }
    if (!in->matrix) return;
    end_mass(&a, in->c_a * a.mass, out);
    if (a.carrier >= 0) carried_mass(&a, in->c_a * a.mass, out);
}

void cord__arc_motion(const cable *c, const cable_element *e, const element_input *in,
                      element_terms *out)
{
    arc a = {.e = e};
    read_positions(c, in->cache, &a);
    read_motion(c, in->v, NULL, &a);
    products p = products_of(&a);
    double still[6] = {0}, turned[3], speed[3], swing[3], glide[3], inner[3], own[3], R = a.radius;
    const double *motion = a.carrier >= 0 ? in->v + cable_carrier_dof(c, a.carrier) : still;
    const double *rotation = motion + 3;
    double mean = 0.5 * (a.w[0] + a.w[1]), twirl = v3_dot(rotation, a.axis);
    v3_cross(turned, rotation, a.from);
    v3_add(speed, motion, turned); /* of the centre */
    v3_cross(swing, rotation, a.out0);
    v3_combine(glide, a.w[0], a.along0, a.w[1] - a.w[0], a.along1);
    v3_axpy(glide, R, swing); /* ∫ of the velocity from there */
    out_out(&a, &p, rotation, own);
    v3_sub(own, rotation, own);
    out->kinetic =
        0.5 * a.mass *
        (v3_dot(speed, speed) + 2 * v3_dot(speed, glide) + R * R * v3_dot(rotation, own) +
         2 * R * twirl * mean + (a.w[0] * a.w[0] + a.w[0] * a.w[1] + a.w[1] * a.w[1]) / 3);
    v3_add(glide, glide, speed);
    v3_scale(out->linear, a.mass, glide);
    v3_copy(swing, a.centre);
    v3_axpy(swing, R, a.out0);
    out->gravity -= a.mass * v3_dot(in->environment->gravity, swing);
    v3_cross(inner, a.out0, speed);
    v3_axpy(inner, R, own);
    v3_axpy(inner, mean, a.axis);
    v3_cross(out->angular, a.centre, out->linear);
    v3_axpy(out->angular, a.mass * R, inner);
}
