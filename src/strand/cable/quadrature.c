/* Curved segments by quadrature: at each point of the rule a position X(q) at fixed α, the
 * derivative S(q) of the curve over s, and T = ½ρΔs w |Ẋ − S c|² with c = (1 − α) ṡ₀ + α ṡ₁ [HCS
 * 2011, eq. 2, 3, 6]. */
#include "strand/cable/terms.h"

#include <math.h>

/* ---- a point that depends on dofs ------------------------------------------------------------- */

enum { SPOT_DOFS = 12 };
typedef struct spot {
    double x[3], rate[3], second[3]; /* with velocity, and acceleration where a is an input */
    int count;
    int local[SPOT_DOFS];
    double J[SPOT_DOFS][3];
} spot;

static void add_column(spot *p, int local, const double *dof)
{
    p->local[p->count] = local;
    v3_copy(p->J[p->count++], dof);
}

/* Dofs of the carrier of a point: three translations, and three rotations where it rotates. */
static void add_carrier_columns(int first, bool turns, const double arm[3], spot *p)
{
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, rotation[3];
        add_column(p, first + k, axis);
        if (!turns) continue;
        v3_cross(rotation, axis, arm);
        add_column(p, first + 3 + k, rotation);
    }
}

/* Velocity from the dofs. */
static void spot_rate(const double *v, spot *p)
{
    v3_set(p->rate, 0, 0, 0);
    for (int k = 0; k < p->count; k++) v3_axpy(p->rate, v[p->local[k]], p->J[k]);
}

static void spot_second(const double *a, spot *p)
{
    for (int k = 0; k < p->count; k++) v3_axpy(p->second, a[p->local[k]], p->J[k]);
}

/* r += Jᵀ f */
static void push(const spot *p, const double f[3], element_terms *out)
{
    for (int k = 0; k < p->count; k++) out->r[p->local[k]] += v3_dot(p->J[k], f);
}

/* a += w JᵀJ */
static void add_square_of(element_terms *out, const spot *p, double w)
{
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++)
            if (p->local[i] >= p->local[j])
                out->a[p->local[i]][p->local[j]] += w * v3_dot(p->J[i], p->J[j]);
}

/* a += Jᵀ w for the row of a scalar unknown. */
static void add_edge(element_terms *out, const spot *p, int scalar, const double w[3])
{
    if (scalar < 0) return;
    for (int k = 0; k < p->count; k++) {
        double value = v3_dot(p->J[k], w);
        add_entry(out, p->local[k], scalar, p->local[k] == scalar ? 2 * value : value);
    }
}

/* ---- points of the curve -------------------------------------------------------------------------- */

/* Gauss's four-point rule, on panels of at most 90°. */
const double cord__gauss[4][2] = {{0.06943184420297371, 0.17392742256872693},
                                  {0.33000947820757187, 0.32607257743127307},
                                  {0.66999052179242813, 0.32607257743127307},
                                  {0.93056815579702629, 0.17392742256872693}};

/* Of segments between prescribed nodes on a guide that has tables: position, first and second derivative at every point.
 * False: out of memory. */
bool cord__make_tables(cable *c, memory *m)
{
    int count = 0;
    for (int i = 0; i + 1 < c->topology.nodes; i++) { /* segments come first */
        cable_element *e = c->layout.element + i;
        const cable_node *n = c->topology.node + i;
        if (e->kind != ELEMENT_CURVED || n->count + n[1].count > 0) continue;
        const cable_guide *on = c->def.guide + n->guide;
        if (!on->ops->table_panels) continue;
        e->points = 4 * on->ops->table_panels(on, n->at[0], n[1].at[0]);
        e->table = count;
        count += e->points;
    }
    c->layout.table = cord__allocate(m, (size_t)count, sizeof *c->layout.table);
    if (!c->layout.table) return false;
    for (int i = 0; i + 1 < c->topology.nodes; i++) {
        const cable_element *e = c->layout.element + i;
        const cable_node *n = c->topology.node + i;
        for (int k = 0; k < e->points; k++) {
            double alpha = (k / 4 + cord__gauss[k % 4][0]) / (e->points / 4), J[6], H[9];
            double u = (1 - alpha) * n->at[0] + alpha * n[1].at[0],
                   *to = c->layout.table[e->table + k];
            guide_position(c->def.guide + n->guide, &u, to, J, H);
            v3_copy(to + 3, J);
            v3_copy(to + 6, H);
        }
    }
    return true;
}

/* A point of the curve at α, and the derivative of the curve over the material coordinate. */
typedef struct curve_point {
    spot x, x_s;
    double part[2], weight;       /* 1 − α and α */
    double arm[3], hessian[3][3]; /* from its carrier; of the guide, over (0,0), (0,1) and (1,1) */
} curve_point;

/* How many points there are; and where one of them is. */
static int point_count(const cable *c, const cable_element *e, const element_input *in)
{
    if (e->points > 0) return e->points;
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    if (!on->ops->panels) return 4;
    return 4 * on->ops->panels(on, cable_coordinates(in->cache, e->node),
                               cable_coordinates(in->cache, e->node + 1));
}

static double alpha_of(int point, int count)
{
    return (point / 4 + cord__gauss[point % 4][0]) / (count / 4);
}

static double weight_of(int point, int count)
{
    return cord__gauss[point % 4][1] / (count / 4);
}

/* `known`: position, first and second derivatives on the guide, or NULL. */
static void curve_at(const cable *c, const cable_element *e, const element_input *in,
                     const segment *g, const double *known, double alpha, double weight,
                     curve_point *p)
{
    const cable_node *n[2] = {c->topology.node + e->node, c->topology.node + e->node + 1};
    const cable_guide *on = c->def.guide + n[0]->guide;
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    const double *carrier = guide_pose(c, in->cache, on);
    double at[2] = {0}, over[2] = {0}, own[3], jacobian[6], hessian[9] = {0}, b[2][3],
           arm[3] = {0, 0, 0}, bent[2][3];
    int count = n[0]->size;
    for (int k = 0; k < count; k++) {
        at[k] = (1 - alpha) * from[k] + alpha * to[k];
        over[k] = (to[k] - from[k]) / g->ds;
    }
    if (known) {
        v3_copy(own, known);
        v3_copy(jacobian, known + 3);
        v3_copy(hessian, known + 6);
    } else {
        guide_position(on, at, own, jacobian, hessian);
    }
    *p = (curve_point){.part = {1 - alpha, alpha}, .weight = weight};
    to_world(carrier, own, p->x.x);
    if (carrier) m3_apply(arm, carrier + 3, own);
    for (int k = 0; k < count; k++) {
        double unit[2] = {k == 0, k == 1};
        vector_to_world(carrier, jacobian + 3 * k, b[k]);
        hessian_between(carrier ? carrier + 3 : NULL, hessian, unit, over, bent[k]);
        v3_axpy(p->x_s.x, over[k], b[k]);
    }
    v3_copy(p->arm, arm);
    for (int k = 0; in->matrix && k < 3; k++)
        vector_to_world(carrier, hessian + 3 * k, p->hessian[k]);
    for (int end = 0; end < 2; end++) {
        int first = e->local[end].coordinates;
        for (int k = 0; k < n[end]->count; k++) {
            double dof[3];
            v3_scale(dof, p->part[end], b[k]);
            add_column(&p->x, first + k, dof);
            v3_combine(dof, (end == 0 ? -1 : 1) / g->ds, b[k], p->part[end], bent[k]);
            add_column(&p->x_s, first + k, dof);
        }
    }
    if (carrier) {
        int first = e->local[0].carrier[0];
        bool turns = c->def.carrier[on->carrier].rotates;
        add_carrier_columns(first, turns, arm, &p->x);
        for (int k = 0; turns && k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2}, rotation[3];
            v3_cross(rotation, axis, p->x_s.x);
            add_column(&p->x_s, first + 3 + k, rotation);
        }
    }
    for (int end = 0; end < 2; end++) {
        double dof[3];
        if (g->s_local[end] < 0) continue;
        v3_scale(dof, (end == 0 ? 1 : -1) / g->ds, p->x_s.x);
        add_column(&p->x_s, g->s_local[end], dof);
    }
    if (!in->v) return;
    spot_rate(g->v, &p->x);
    spot_rate(g->v, &p->x_s);
    if (!in->a) return;
    double rates[2] = {0}, along[3] = {0, 0, 0}, second[3];
    for (int k = 0; k < count; k++) {
        rates[k] = (1 - alpha) * cable_rate(&c->topology, e->node, k, in->v) +
                   alpha * cable_rate(&c->topology, e->node + 1, k, in->v);
        v3_axpy(along, rates[k], b[k]);
    }
    hessian_between(carrier ? carrier + 3 : NULL, hessian, rates, rates, second);
    rotation_acceleration(c, on->carrier, in->v, arm, along, second, p->x.second);
    spot_second(g->a, &p->x);
}

/* Inertia and drag at a point of the curve [HCS 2011, eq. 6–8]. */
static void curve_motion(const cable_definition *def, const element_input *in, const segment *g,
                         const curve_point *p, element_terms *out)
{
    double rate = p->part[0] * g->s_rate[0] + p->part[1] * g->s_rate[1];
    double second = p->part[0] * g->s_second[0] + p->part[1] * g->s_second[1];
    double line = def->linear_density * p->weight, m = line * g->ds, e[3], P[3], f[3], air[3],
           pull[3];
    for (int k = 0; k < 3; k++) {
        e[k] = p->x.rate[k] - p->x_s.x[k] * rate;
        P[k] = m * e[k];
        f[k] = line * g->ds_rate * e[k] +
               m * (p->x.second[k] - p->x_s.rate[k] * rate - p->x_s.x[k] * second);
    }
    push(&p->x, f, out);
    v3_scale(pull, rate, P);
    push(&p->x_s, pull, out);
    double T = 0.5 * line * v3_dot(e, e);
    for (int k = 0; k < 2; k++)
        add_scalar(out, g->s_local[k],
                   -p->part[k] * (v3_dot(p->x_s.rate, P) + v3_dot(p->x_s.x, f)) +
                       (k == 0 ? T : -T));
    if (def->material.drag <= 0 || in->lossless) return;
    cord__wind_at(in->environment->wind, in->environment->time, p->x.x, air);
    v3_sub(f, e, air);
    v3_scale(f, def->material.drag * g->ds * p->weight, f);
    push(&p->x, f, out);
    for (int k = 0; k < 2; k++) add_scalar(out, g->s_local[k], -p->part[k] * v3_dot(p->x_s.x, f));
}

static void curve_mass(const segment *g, const curve_point *p, double m, element_terms *out)
{
    double square = v3_dot(p->x_s.x, p->x_s.x);
    add_square_of(out, &p->x, m);
    for (int k = 0; k < 2; k++) {
        double w[3];
        v3_scale(w, -m * p->part[k], p->x_s.x);
        add_edge(out, &p->x, g->s_local[k], w);
        add_square(out, g->s_local[k], m * p->part[k] * p->part[k] * square);
    }
    add_scalars(out, g->s_local[0], g->s_local[1], m * p->part[0] * p->part[1] * square);
}

/* Derivatives of the weight f of a point along the guide, and over the rotation of its carrier, of
 * which the symmetric part. */
static void weight_stiffness(const cable *c, const cable_element *e, const curve_point *p,
                             const double f[3], element_terms *out)
{
    const cable_node *n = c->topology.node + e->node;
    int carrier = c->def.guide[n->guide].carrier, turns = e->local[0].carrier[0] + 3;
    double moment[3], along = v3_dot(p->arm, f);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const int a = i / 2, b = j / 2, k = i % 2, l = j % 2;
            if (k >= n[a].count || l >= n[b].count) continue;
            int row = e->local[a].coordinates + k, dof = e->local[b].coordinates + l;
            if (row >= dof)
                out->a[row][dof] += p->part[a] * p->part[b] * v3_dot(p->hessian[k + l], f);
        }
    if (carrier < 0 || !c->def.carrier[carrier].rotates) return;
    for (int k = 0; k < n[0].count + n[1].count; k++) { /* the coordinates come first */
        v3_cross(moment, p->x.J[k], f);
        for (int i = 0; i < 3; i++) add_entry(out, turns + i, p->x.local[k], moment[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            out->a[turns + i][turns + k] +=
                0.5 * (p->arm[i] * f[k] + p->arm[k] * f[i]) - (i == k ? along : 0);
}

static void curve_weight(const cable *c, const cable_element *e, const element_input *in,
                         const segment *g, const curve_point *p, element_terms *out)
{
    double line = c->def.linear_density * p->weight,
           high = line * v3_dot(in->environment->gravity, p->x.x), f[3];
    out->gravity -= high * g->ds;
    v3_scale(f, -line * g->ds, in->environment->gravity);
    push(&p->x, f, out);
    add_scalar(out, g->s_local[0], high);
    add_scalar(out, g->s_local[1], -high);
    if (!in->matrix) return;
    v3_scale(f, in->c_k, f);
    weight_stiffness(c, e, p, f, out);
    for (int k = 0; k < 2; k++) {
        double w[3];
        v3_scale(w, (k == 0 ? 1 : -1) * line * in->c_k, in->environment->gravity);
        add_edge(out, &p->x, g->s_local[k], w);
    }
}

double cord__quadrature_terms(const cable *c, const cable_element *e, const element_input *in,
                              double *gradient, element_terms *out)
{
    segment read, *g = &read;
    double l = 0;
    read_segment(c, e, in, g);
    read_rates(c, e, in, g);
    int count = point_count(c, e, in);
    for (int i = 0; i < count; i++) {
        curve_point p;
        const double *known = e->points > 0 ? c->layout.table[e->table + i] : NULL;
        curve_at(c, e, in, g, known, alpha_of(i, count), weight_of(i, count), &p);
        double size = v3_norm(p.x_s.x), arc = p.weight * g->ds;
        l += arc * size;
        for (int k = 0; k < p.x_s.count; k++) {
            int local = p.x_s.local[k];
            if (local == g->s_local[0] || local == g->s_local[1]) continue;
            gradient[local] += arc * v3_dot(p.x_s.J[k], p.x_s.x) / size;
        }
        if (!in->rows_only) {
            if (in->a) curve_motion(&c->def, in, g, &p, out);
            curve_weight(c, e, in, g, &p, out);
        }
        if (in->matrix)
            curve_mass(g, &p,
                       (in->c_a * c->def.linear_density + in->c_v * c->def.material.drag) * arc,
                       out);
    }
    return l;
}

void cord__quadrature_push(const cable *c, const cable_element *e, const element_input *in,
                           double alpha, const double force[3], double r_s[3], element_terms *out)
{
    segment g;
    curve_point p;
    read_segment(c, e, in, &g);
    read_rates(c, e, in, &g);
    curve_at(c, e, in, &g, NULL, alpha, 1, &p);
    push(&p.x, force, out);
    v3_copy(r_s, p.x_s.x);
}

/* On an isometric guide at rest, whose Hessian is normal to the curve: along D = Δu/Δs the acceleration is
 * ü − D s̈ − 2 Ḋ ṡ. */
static void isometric_loads(const cable *c, const cable_element *e, const element_input *in,
                            const segment *g, double load[2])
{
    double size = 0;
    load[0] = load[1] = 0;
    for (int k = 0; k < c->topology.node[e->node].size; k++) {
        double u[2], rate[2], second[2];
        for (int end = 0; end < 2; end++) {
            u[end] = cable_coordinates(in->cache, e->node + end)[k];
            rate[end] = cable_rate(&c->topology, e->node + end, k, in->v);
            second[end] = cable_rate(&c->topology, e->node + end, k, in->a);
        }
        double D = (u[1] - u[0]) / g->ds, D_rate = (rate[1] - rate[0] - D * g->ds_rate) / g->ds;
        size += D * D;
        for (int end = 0; end < 2; end++)
            load[end] += D * (second[end] - D * g->s_second[end] - 2 * D_rate * g->s_rate[end]);
    }
    for (int end = 0; end < 2; end++) load[end] *= c->def.linear_density / sqrt(size);
}

/* With c = ṡ at the end, the acceleration of the material is ẍ − 2 c ẋ_s − ċ x_s + c² x_ss. */
void cord__curve_loads(const cable *c, const cable_element *e, const element_input *in,
                       const double free[3], double load[2])
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    element_input at = *in;
    segment g;
    at.matrix = true; /* for the Hessian of the guide */
    read_segment(c, e, &at, &g);
    if (on->ops->isometric && on->carrier < 0 && c->def.material.drag <= 0) {
        isometric_loads(c, e, in, &g, load);
        return;
    }
    read_rates(c, e, &at, &g);
    for (int end = 0; end < 2; end++) {
        curve_point p;
        double a[3], t[3], air[3], over[2] = {0}, rate = g.s_rate[end];
        curve_at(c, e, &at, &g, NULL, end, 1, &p);
        for (int k = 0; k < c->topology.node[e->node].size; k++)
            over[k] = (cable_coordinates(in->cache, e->node + 1)[k] -
                       cable_coordinates(in->cache, e->node)[k]) /
                      g.ds;
        v3_normalize(t, p.x_s.x);
        v3_sub(a, p.x.second, free);
        v3_axpy(a, -2 * rate, p.x_s.rate);
        v3_axpy(a, -g.s_second[end], p.x_s.x);
        v3_axpy(a, rate * rate * over[0] * over[0], p.hessian[0]);
        v3_axpy(a, 2 * rate * rate * over[0] * over[1], p.hessian[1]);
        v3_axpy(a, rate * rate * over[1] * over[1], p.hessian[2]);
        load[end] = c->def.linear_density * v3_dot(a, t);
        if (c->def.material.drag <= 0) continue;
        cord__wind_at(in->environment->wind, in->environment->time, p.x.x, air);
        load[end] += c->def.material.drag *
                     (v3_dot(p.x.rate, t) - rate * v3_dot(p.x_s.x, t) - v3_dot(air, t));
    }
}

void cord__quadrature_energy(const cable *c, const cable_element *e, const element_input *in,
                             element_terms *out)
{
    segment g;
    read_segment(c, e, in, &g);
    read_rates(c, e, in, &g);
    int count = point_count(c, e, in);
    for (int i = 0; i < count; i++) {
        double alpha = alpha_of(i, count), weight = weight_of(i, count), v[3];
        const double *known = e->points > 0 ? c->layout.table[e->table + i] : NULL;
        curve_point at;
        curve_at(c, e, in, &g, known, alpha, weight, &at);
        v3_copy(v, at.x.rate);
        v3_axpy(v, -((1 - alpha) * g.s_rate[0] + alpha * g.s_rate[1]), at.x_s.x);
        add_motion(c->def.linear_density * g.ds * weight, at.x.x, v, out);
    }
}
