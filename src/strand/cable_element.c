/* The terms of a cable's equations, element by element.
 *
 * A straight segment has places x₀, x₁ and material coordinates s₀, s₁ at its ends; between them, at
 * α = (s − s₀)/Δs, the material moves with (1 − α) A + α B, where A = ẋ₀ − D ṡ₀, B = ẋ₁ − D ṡ₁ and D = Δx/Δs
 * [2011, equation 4]. So T = ρΔs (A² + AB + B²)/6, and Lagrange's equations follow in closed form over
 * (x₀, x₁, s₀, s₁); places on guides are functions of columns and take their share by their jets.
 *
 * On a curved segment the same is done at points of a quadrature: a point X(q) at a fixed α, the slope of the
 * curve there over s, S(q), and T = ½ρΔs w |Ẋ − S c|² with c = (1 − α) ṡ₀ + α ṡ₁. */
#include "math/vec3.h"
#include "strand/cable.h"

#include <math.h>
#include <string.h>

/* ---- unknowns ---------------------------------------------------------------------------------- */

/* An unknown is added to the list unless it is there. */
static void list(int *unknown, int *count, int which)
{
    for (int i = 0; i < *count; i++)
        if (unknown[i] == which) return;
    unknown[(*count)++] = which;
}

static void list_node(const cable *c, int node, bool with_place, bool with_s, int *unknown,
                      int *count)
{
    const cable_node *n = c->node + node;
    for (int k = 0; with_place && k < n->count; k++) list(unknown, count, n->column + k);
    if (with_s && n->s_column >= 0) list(unknown, count, n->s_column);
}

static void list_port(const cable *c, int node, int *unknown, int *count)
{
    const cable_node *n = c->node + node;
    int port = n->guide >= 0 ? c->guide[n->guide].port : -1;
    for (int k = 0; port >= 0 && k < PORT_COLUMNS; k++)
        list(unknown, count, cable_port_column(c, port) + k);
}

static int nodes_of(const cable_element *e)
{
    return e->kind == ELEMENT_BEND || e->kind == ELEMENT_EVEN ? 3 : 2;
}

static int index_of(const int *unknown, int count, int which)
{
    for (int i = 0; which >= 0 && i < count; i++)
        if (unknown[i] == which) return i;
    return -1;
}

static void note_locals(const cable *c, cable_element *e, const int *unknown, int count)
{
    for (int k = 0; k < 3; k++) e->local[k] = (element_local){-1, -1, -1};
    for (int k = 0; k < nodes_of(e); k++) {
        const cable_node *n = c->node + e->node + k;
        int port = n->guide >= 0 ? c->guide[n->guide].port : -1;
        e->local[k] =
            (element_local){n->count > 0 ? index_of(unknown, count, n->column) : -1,
                            index_of(unknown, count, n->s_column),
                            port >= 0 ? index_of(unknown, count, cable_port_column(c, port)) : -1};
    }
}

int cord__element_unknowns(const cable *c, cable_element *e, int *unknown)
{
    int count = 0;
    bool places = e->kind != ELEMENT_EVEN;
    bool carried = places && e->kind != ELEMENT_GRIP && e->kind != ELEMENT_ROLL;
    for (int k = 0; k < nodes_of(e); k++)
        list_node(c, e->node + k, places, e->kind != ELEMENT_TANGENT, unknown, &count);
    for (int k = 0; carried && k < nodes_of(e); k++) list_port(c, e->node + k, unknown, &count);
    if (e->spin >= 0) list(unknown, &count, e->spin);
    if (e->row >= 0) list(unknown, &count, c->columns + e->row);
    note_locals(c, e, unknown, count);
    return count;
}

/* ---- vectors over an element's unknowns ---------------------------------------------------------- */

/* Eight at a time, since few are more and loops of any length cost more than they do. */
enum { LANES = 8 };

static inline void clear(double *x, int count)
{
    for (int i = 0; i < count; i += LANES) memset(x + i, 0, LANES * sizeof *x);
}

static inline void copy(double *to, const double *from, int count)
{
    for (int i = 0; i < count; i += LANES) memcpy(to + i, from + i, LANES * sizeof *to);
}

/* a += w B Bᵀ, B being cleared beyond its end. What this leaves above the diagonal nobody reads. */
static void add_outer(element_terms *out, int count, const double *B, double w)
{
    for (int k = 0; k < count; k++) {
        double part = w * B[k];
        if (part == 0) continue; /* most rows have few columns */
        for (int j = 0; j <= k; j += LANES)
            for (int i = j; i < j + LANES; i++) out->a[k][i] += part * B[i];
    }
}

/* ---- a point that depends on columns ------------------------------------------------------------- */

enum { SPOT_COLUMNS = 12 };
typedef struct spot {
    double x[3], rate[3], second[3]; /* with velocity, and acceleration where a is given */
    int count;
    int local[SPOT_COLUMNS];
    double J[SPOT_COLUMNS][3];
} spot;

static void add_column(spot *p, int local, const double *column)
{
    p->local[p->count] = local;
    v3_copy(p->J[p->count++], column);
}

/* Columns of what carries a point: three ways, three turns. */
static void add_port_columns(int first, const double arm[3], spot *p)
{
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, turn[3];
        add_column(p, first + k, axis);
        v3_cross(turn, axis, arm);
        add_column(p, first + 3 + k, turn);
    }
}

static void local_velocity(const cable *c, const cable_element *e, const double *v, double *out)
{
    for (int i = 0; i < e->count; i++) {
        int u = c->unknown[e->first + i];
        out[i] = u < c->columns ? v[u] : 0;
    }
}

/* Velocity from the columns. */
static void spot_rate(const double *v, spot *p)
{
    v3_set(p->rate, 0, 0, 0);
    for (int k = 0; k < p->count; k++) v3_axpy(p->rate, v[p->local[k]], p->J[k]);
}

static void spot_second(const double *a, spot *p)
{
    for (int k = 0; k < p->count; k++) v3_axpy(p->second, a[p->local[k]], p->J[k]);
}

static int guide_port(const cable *c, int node)
{
    return c->node[node].guide >= 0 ? c->guide[c->node[node].guide].port : -1;
}

/* What a point's acceleration is beyond J a: of a place at `arm` from its carrier's, moving with `along` on its
 * guide, whose bend along that is `bend`. */
static void turning_acceleration(const cable *c, int port, const double *v, const double arm[3],
                                 const double along[3], const double bend[3], double out[3])
{
    v3_copy(out, bend);
    if (port < 0) return;
    const double *w = v + cable_port_column(c, port) + 3;
    double inner[3], outer[3];
    v3_cross(inner, w, arm);
    v3_axpy(inner, 2, along);
    v3_cross(outer, w, inner);
    v3_add(out, out, outer);
}

/* Of two coordinates a, b: Σ bends aᵢ bⱼ, in the world. */
static void bend_between(const double *axes, const double bends[9], const double *a,
                         const double *b, double out[3])
{
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = bends[k] * a[0] * b[0] + bends[3 + k] * (a[0] * b[1] + a[1] * b[0]) +
                 bends[6 + k] * a[1] * b[1];
    if (axes)
        m3_apply(out, axes, own);
    else
        v3_copy(out, own);
}

/* r += Jᵀ f */
static void push(const spot *p, const double f[3], element_terms *out)
{
    for (int k = 0; k < p->count; k++) out->r[p->local[k]] += v3_dot(p->J[k], f);
}

static void add_entry(element_terms *out, int i, int j, double value)
{
    if (i >= j) out->a[i][j] += value;
    if (j > i) out->a[j][i] += value;
}

/* a += w JᵀJ */
static void add_square_of(element_terms *out, const spot *p, double w)
{
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++)
            if (p->local[i] >= p->local[j])
                out->a[p->local[i]][p->local[j]] += w * v3_dot(p->J[i], p->J[j]);
}

/* a += Jᵀ w at the column of a scalar. */
static void add_edge(element_terms *out, const spot *p, int scalar, const double w[3])
{
    if (scalar < 0) return;
    for (int k = 0; k < p->count; k++) {
        double value = v3_dot(p->J[k], w);
        add_entry(out, p->local[k], scalar, p->local[k] == scalar ? 2 * value : value);
    }
}

/* ---- nodes of an element ------------------------------------------------------------------------- */

/* A node's place: as a function of its own coordinates and of what carries it. */
typedef struct element_end {
    const double *x, *slopes;
    int count, place, port; /* where the element has them; port -1: it does not move */
    double arm[3];          /* from its carrier's place */
    double rate[3], second[3];
} element_end;

static void read_end(const cable *c, const cable_element *e, const element_input *in, int k,
                     element_end *p)
{
    int node = e->node + k, port = guide_port(c, node);
    p->x = cable_place(in->cache, node);
    p->slopes = cable_slopes(in->cache, node);
    p->count = c->node[node].count;
    p->place = e->local[k].place;
    p->port = e->local[k].port;
    if (port >= 0) v3_sub(p->arm, p->x, cable_port(c, in->cache, port));
}

/* How a guide bends the way of a node that moves along it. */
static void node_bend(const cable *c, const element_input *in, int node, double bend[3])
{
    const cable_node *n = c->node + node;
    const cable_guide *on = n->guide >= 0 ? c->guide + n->guide : NULL;
    v3_set(bend, 0, 0, 0);
    if (!on || on->kind == CORD_GUIDE_PLACE || on->kind == CORD_GUIDE_LINE) return;
    const double *rate = in->v + n->column;
    if (on->kind != CORD_GUIDE_SPHERE) {
        cord__node_normal(c, in->cache, node, bend);
        v3_scale(bend, -rate[0] * rate[0] / on->radius, bend);
        return;
    }
    double bends[9], place[3];
    cord__guide_place(on, cable_coordinates(in->cache, node), place, NULL, bends);
    bend_between(on->port >= 0 ? cable_port(c, in->cache, on->port) + 3 : NULL, bends, rate, rate,
                 bend);
}

/* Velocity, and acceleration where it is given. */
static void read_end_motion(const cable *c, const cable_element *e, const element_input *in, int k,
                            element_end *p)
{
    const cable_node *n = c->node + e->node + k;
    int port = guide_port(c, e->node + k);
    double along[3] = {0, 0, 0}, bend[3], turn[3];
    for (int i = 0; i < p->count; i++) v3_axpy(along, in->v[n->column + i], p->slopes + 3 * i);
    v3_copy(p->rate, along);
    if (port >= 0) {
        const double *motion = in->v + cable_port_column(c, port);
        v3_cross(turn, motion + 3, p->arm);
        v3_add(p->rate, p->rate, motion);
        v3_add(p->rate, p->rate, turn);
    }
    if (!in->a) return;
    node_bend(c, in, e->node + k, bend);
    turning_acceleration(c, port, in->v, p->arm, along, bend, p->second);
    for (int i = 0; i < p->count; i++) v3_axpy(p->second, in->a[n->column + i], p->slopes + 3 * i);
    if (port < 0) return;
    const double *change = in->a + cable_port_column(c, port);
    v3_cross(turn, change + 3, p->arm);
    v3_add(p->second, p->second, change);
    v3_add(p->second, p->second, turn);
}

/* r += Jᵀ f */
static void push_end(const element_end *p, const double f[3], double *r)
{
    for (int k = 0; k < p->count; k++) r[p->place + k] += v3_dot(p->slopes + 3 * k, f);
    if (p->port < 0) return;
    double moment[3];
    v3_cross(moment, p->arm, f);
    for (int k = 0; k < 3; k++) r[p->port + k] += f[k], r[p->port + 3 + k] += moment[k];
}

/* a += w, a force on a node's place, at what carries it and one unknown of the cable's own. */
static void add_carried(element_terms *out, const element_end *p, int other, const double w[3])
{
    double moment[3];
    if (p->port < 0) return;
    v3_cross(moment, p->arm, w);
    for (int k = 0; k < 3; k++) { /* carriers come after all that is the cable's own */
        out->a[p->port + k][other] += w[k];
        out->a[p->port + 3 + k][other] += moment[k];
    }
}

/* And at its own coordinates, of which that is none. */
static void add_end(element_terms *out, const element_end *p, int other, const double w[3])
{
    if (other < 0) return;
    for (int k = 0; k < p->count; k++)
        *element_entry(out, p->place + k, other) += v3_dot(p->slopes + 3 * k, w);
    add_carried(out, p, other, w);
}

/* a += w JᵀJ, of the carrier's columns: 1, the arm across, arm² − arm armᵀ. */
static void add_carrier(element_terms *out, const element_end *p, double w)
{
    const double *arm = p->arm, square = v3_dot(arm, arm);
    for (int i = 0; i < 3; i++) {
        double *turn = out->a[p->port + 3 + i] + p->port;
        int next = (i + 1) % 3, last = (i + 2) % 3; /* axis i × arm */
        out->a[p->port + i][p->port + i] += w;
        turn[next] -= w * arm[last];
        turn[last] += w * arm[next];
        for (int k = 0; k <= i; k++) turn[3 + k] += w * ((i == k) * square - arm[i] * arm[k]);
    }
}

/* The same of two carriers, both orders; they may be one. */
static void add_carriers(element_terms *out, const element_end *p, const element_end *q, double w)
{
    double dot = v3_dot(p->arm, q->arm);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            double turned[3], axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2}, value = i == k;
            v3_cross(turned, axis, p->arm);
            if (i >= 3 && k < 3) value = turned[k];
            if (i >= 3 && k >= 3) value = (i == k) * dot - q->arm[i - 3] * p->arm[k - 3];
            if (i < 3 && k >= 3) { /* axis k × arm, along i */
                double other[3] = {k == 3, k == 4, k == 5};
                v3_cross(turned, other, q->arm);
                value = turned[i];
            }
            bool diagonal = p->port + i == q->port + k;
            *element_entry(out, p->port + i, q->port + k) += (diagonal ? 2 : 1) * w * value;
        }
}

/* a += w JᵀJ */
static void add_own(element_terms *out, const element_end *p, double w)
{
    for (int k = 0; k < p->count; k++) {
        double column[3];
        v3_scale(column, w, p->slopes + 3 * k);
        for (int i = k; i < p->count; i++)
            out->a[p->place + i][p->place + k] += v3_dot(p->slopes + 3 * i, column);
        add_carried(out, p, p->place + k, column);
    }
    if (p->port >= 0) add_carrier(out, p, w);
}

/* a += w JₚᵀJ_q, both orders; p is not q. */
static void add_ends(element_terms *out, const element_end *p, const element_end *q, double w)
{
    double column[3];
    for (int k = 0; k < q->count; k++) {
        v3_scale(column, w, q->slopes + 3 * k);
        add_end(out, p, q->place + k, column);
    }
    for (int k = 0; k < p->count; k++) {
        v3_scale(column, w, p->slopes + 3 * k);
        add_carried(out, q, p->place + k, column);
    }
    if (p->port >= 0 && q->port >= 0) add_carriers(out, p, q, w);
}

/* ---- segments ------------------------------------------------------------------------------------ */

typedef struct segment {
    double s[2], s_rate[2], s_second[2];
    int s_local[2];
    double v[ELEMENT_UNKNOWNS], a[ELEMENT_UNKNOWNS]; /* of the element's unknowns */
    double ds, ds_rate;
} segment;

static void read_segment(const cable *c, const cable_element *e, const element_input *in,
                         segment *g)
{
    for (int k = 0; k < 2; k++) {
        int column = c->node[e->node + k].s_column;
        g->s[k] = cable_s(in->cache, e->node + k);
        g->s_local[k] = e->local[k].s;
        g->s_rate[k] = in->v && column >= 0 ? in->v[column] : 0;
        g->s_second[k] = in->a && column >= 0 ? in->a[column] : 0;
    }
    g->ds = g->s[1] - g->s[0];
    g->ds_rate = g->s_rate[1] - g->s_rate[0];
}

/* And what is wanted for points in between. */
static void read_columns(const cable *c, const cable_element *e, const element_input *in,
                         segment *g)
{
    if (in->v) local_velocity(c, e, in->v, g->v);
    if (in->a) local_velocity(c, e, in->a, g->a);
}

static void add_scalar(element_terms *out, int local, double value)
{
    if (local >= 0) out->r[local] += value;
}

static void add_scalars(element_terms *out, int i, int j, double value)
{
    if (i >= 0 && j >= 0) add_entry(out, i, j, i == j ? 2 * value : value);
}

static void add_square(element_terms *out, int i, double value)
{
    if (i >= 0) out->a[i][i] += value;
}

/* The force of a segment's length l and natural length Δs: an energy, or the multiplier of a row. Gradients
 * of l over the unknowns are in `slope`; adds −Bᵀλ or ∂V/∂q, B, and the products of first derivatives. */
static double stretch(const cable *c, const cable_element *e, const element_input *in,
                      const segment *g, double l, const double *slope, element_terms *out)
{
    double B[ELEMENT_UNKNOWNS], rate = 0;
    int columns = e->count - (e->row >= 0), row = e->count - 1;
    copy(B, slope, e->count); /* of l − Δs */
    if (g->s_local[0] >= 0) B[g->s_local[0]] += 1;
    if (g->s_local[1] >= 0) B[g->s_local[1]] -= 1;
    out->length = l;
    out->strain = l / g->ds - 1;
    out->natural = g->ds;
    if (e->row >= 0) {
        double lambda = in->lambda ? in->lambda[e->row] : 0;
        double value = in->g ? in->g[e->row] : l - g->ds;
        /* The size of the inertia that the row meets. */
        double rho = in->matrix ? in->c_a * c->of.density * g->ds / 3 : 0;
        out->r[row] = value;
        for (int k = 0; k < columns; k++) {
            if (!in->rows_only) out->r[k] -= lambda * B[k];
            out->r[k] += rho * value * B[k];
            if (in->matrix) out->a[row][k] += B[k];
        }
        if (in->matrix) add_outer(out, columns, B, rho);
        out->tension = -lambda;
        return -lambda;
    }
    /* V = EA (l − Δs)²/2Δs; over l and Δs: EA ε, −EA (ε + ε²/2). */
    double strain = out->strain, modulus = c->of.stretching;
    for (int k = 0; in->v && k < columns; k++) rate += slope[k] * in->v[c->unknown[e->first + k]];
    double strain_rate = (rate - (1 + strain) * g->ds_rate) / g->ds;
    double viscous =
        in->v && !in->rows_only && !in->lossless ? modulus * c->of.damping * strain_rate : 0;
    double tension = modulus * strain + viscous;
    out->tension = tension;
    memcpy(out->stretch_slope, slope, (size_t)columns * sizeof *slope);
    if (g->s_local[0] >= 0) out->stretch_slope[g->s_local[0]] += 1 + strain;
    if (g->s_local[1] >= 0) out->stretch_slope[g->s_local[1]] -= 1 + strain;
    out->stretching = 0.5 * modulus * strain * strain * g->ds;
    if (in->rows_only) return 0;
    double by_ds = -modulus * (strain + 0.5 * strain * strain) - (1 + strain) * viscous;
    for (int k = 0; k < columns; k++) out->r[k] += tension * slope[k];
    add_scalar(out, g->s_local[0], -by_ds);
    add_scalar(out, g->s_local[1], by_ds);
    if (!in->matrix) return tension;
    /* The gradient of ε Δs at constant Δs is slope − (1 + ε) of Δs. */
    for (int k = 0; k < columns; k++) B[k] = slope[k];
    if (g->s_local[0] >= 0) B[g->s_local[0]] += 1 + strain;
    if (g->s_local[1] >= 0) B[g->s_local[1]] -= 1 + strain;
    double stiff = modulus * (in->c_k + in->c_v * c->of.damping) / g->ds;
    add_outer(out, columns, B, stiff);
    return tension;
}

/* Kinetic terms of a straight segment; A and B as above. */
static void straight_motion(const cable *c, const element_input *in, const segment *g,
                            const element_end p[2], const double D[3], element_terms *out)
{
    double A[3], B[3], PA[3], PB[3], dA[3], dB[3], D_rate[3], Q[3], f[2][3], air[3];
    double m = c->of.density * g->ds;
    for (int k = 0; k < 3; k++) {
        A[k] = p[0].rate[k] - D[k] * g->s_rate[0];
        B[k] = p[1].rate[k] - D[k] * g->s_rate[1];
        D_rate[k] = (p[1].rate[k] - p[0].rate[k] - D[k] * g->ds_rate) / g->ds;
        dA[k] = p[0].second[k] - D[k] * g->s_second[0] - D_rate[k] * g->s_rate[0];
        dB[k] = p[1].second[k] - D[k] * g->s_second[1] - D_rate[k] * g->s_rate[1];
        PA[k] = m * (2 * A[k] + B[k]) / 6;
        PB[k] = m * (A[k] + 2 * B[k]) / 6;
        Q[k] = -g->s_rate[0] * PA[k] - g->s_rate[1] * PB[k];
        f[0][k] = (c->of.density * g->ds_rate * (2 * A[k] + B[k]) + m * (2 * dA[k] + dB[k])) / 6;
        f[1][k] = (c->of.density * g->ds_rate * (A[k] + 2 * B[k]) + m * (dA[k] + 2 * dB[k])) / 6;
    }
    double T = 0.5 * (v3_dot(A, PA) + v3_dot(B, PB)), QD = v3_dot(Q, D);
    add_scalar(out, g->s_local[0], -v3_dot(D_rate, PA) - v3_dot(D, f[0]) + (T - QD) / g->ds);
    add_scalar(out, g->s_local[1], -v3_dot(D_rate, PB) - v3_dot(D, f[1]) - (T - QD) / g->ds);
    for (int k = 0; k < 3; k++) f[0][k] += Q[k] / g->ds, f[1][k] -= Q[k] / g->ds;
    push_end(p, f[0], out->r);
    push_end(p + 1, f[1], out->r);
    if (c->of.drag <= 0 || in->lossless) return;
    double middle[3];
    v3_combine(middle, 0.5, p[0].x, 0.5, p[1].x);
    cord__wind_at(in->around->wind, in->around->time, middle, air);
    for (int k = 0; k < 3; k++) {
        f[0][k] = c->of.drag * g->ds * (2 * A[k] + B[k] - 3 * air[k]) / 6;
        f[1][k] = c->of.drag * g->ds * (A[k] + 2 * B[k] - 3 * air[k]) / 6;
    }
    push_end(p, f[0], out->r);
    push_end(p + 1, f[1], out->r);
    add_scalar(out, g->s_local[0], -v3_dot(D, f[0]));
    add_scalar(out, g->s_local[1], -v3_dot(D, f[1]));
}

static void straight_weight(const cable *c, const element_input *in, const segment *g,
                            const element_end p[2], element_terms *out)
{
    double sum[3], f[3];
    v3_add(sum, p[0].x, p[1].x);
    double half = 0.5 * c->of.density * v3_dot(in->around->gravity, sum);
    out->gravity = -half * g->ds;
    v3_scale(f, -0.5 * c->of.density * g->ds, in->around->gravity);
    push_end(p, f, out->r);
    push_end(p + 1, f, out->r);
    add_scalar(out, g->s_local[0], half);
    add_scalar(out, g->s_local[1], -half);
}

/* w times the mass matrix [2011, equation 8], c_k times what gravity does as the ends run, and what pulls
 * across the segment: `across` · (1 − t tᵀ), of which `slope` is the second part. */
static void straight_matrix(const cable *c, const cable_element *e, const element_input *in,
                            const segment *g, const element_end p[2], const double D[3],
                            double across, const double *slope, element_terms *out)
{
    double w = (in->c_a * c->of.density + in->c_v * c->of.drag) * g->ds, square = v3_dot(D, D);
    double line = in->rows_only ? 0 : 0.5 * c->of.density * in->c_k;
    for (int k = 0; k < 2; k++) {
        add_own(out, p + k, w / 3 + across);
        for (int i = 0; i < 2; i++) {
            double edge[3];
            v3_combine(edge, -w / (i == k ? 3 : 6), D, i == 0 ? line : -line, in->around->gravity);
            add_end(out, p + k, g->s_local[i], edge);
        }
        if (g->s_local[k] >= 0) out->a[g->s_local[k]][g->s_local[k]] += w * square / 3;
    }
    add_ends(out, p, p + 1, w / 6 - across);
    add_scalars(out, g->s_local[0], g->s_local[1], w * square / 6);
    int columns = e->count - (e->row >= 0);
    add_outer(out, columns, slope, -across);
}

static void straight(const cable *c, const cable_element *e, const element_input *in,
                     element_terms *out)
{
    segment g;
    element_end p[2];
    double dx[3], D[3], t[3], back[3], slope[ELEMENT_UNKNOWNS];
    read_segment(c, e, in, &g);
    clear(slope, e->count);
    for (int k = 0; k < 2; k++) {
        read_end(c, e, in, k, p + k);
        if (in->v) read_end_motion(c, e, in, k, p + k);
    }
    v3_sub(dx, p[1].x, p[0].x);
    double l = v3_normalize(t, dx);
    v3_scale(D, 1 / g.ds, dx);
    v3_scale(back, -1, t);
    push_end(p, back, slope);
    push_end(p + 1, t, slope);
    double tension = stretch(c, e, in, &g, l, slope, out);
    if (!in->rows_only) {
        if (in->a) straight_motion(c, in, &g, p, D, out);
        straight_weight(c, in, &g, p, out);
    }
    double across = in->rows_only ? 0 : in->c_k * tension / l;
    if (in->matrix) straight_matrix(c, e, in, &g, p, D, across, slope, out);
}

/* ---- curved segments ----------------------------------------------------------------------------- */

/* Gauss's points of four, on panels of a quarter turn at most. */
static const double gauss[4][2] = {{0.06943184420297371, 0.17392742256872693},
                                   {0.33000947820757187, 0.32607257743127307},
                                   {0.66999052179242813, 0.32607257743127307},
                                   {0.93056815579702629, 0.17392742256872693}};

static int panels_of(const cable_guide *g, const double *from, const double *to)
{
    double turn = g->radius > 0 ? fabs(to[0] - from[0]) / g->radius : 0;
    if (g->kind == CORD_GUIDE_SPHERE) turn += fabs(to[1] - from[1]) / g->radius;
    return 1 + (int)(turn / 1.5707963267948966);
}

/* A point of the curve at α, and the curve's slope over the material coordinate. */
typedef struct curve_point {
    spot x, slope;
    double part[2], weight; /* 1 − α and α */
} curve_point;

static void curve_at(const cable *c, const cable_element *e, const element_input *in,
                     const segment *g, double alpha, double weight, curve_point *p)
{
    const cable_node *n[2] = {c->node + e->node, c->node + e->node + 1};
    const cable_guide *on = c->guide + n[0]->guide;
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    const double *port = on->port >= 0 ? cable_port(c, in->cache, on->port) : NULL;
    double at[2] = {0}, over[2] = {0}, own[3], slopes[6], bends[9], b[2][3], arm[3], bent[2][3];
    int count = n[0]->count;
    for (int k = 0; k < count; k++) {
        at[k] = (1 - alpha) * from[k] + alpha * to[k];
        over[k] = (to[k] - from[k]) / g->ds;
    }
    cord__guide_place(on, at, own, slopes, bends);
    *p = (curve_point){.part = {1 - alpha, alpha}, .weight = weight};
    if (port) {
        m3_apply(arm, port + 3, own);
        v3_add(p->x.x, port, arm);
    } else {
        v3_copy(p->x.x, own);
    }
    for (int k = 0; k < count; k++) {
        double unit[2] = {k == 0, k == 1};
        if (port)
            m3_apply(b[k], port + 3, slopes + 3 * k);
        else
            v3_copy(b[k], slopes + 3 * k);
        bend_between(port ? port + 3 : NULL, bends, unit, over, bent[k]);
        v3_axpy(p->slope.x, over[k], b[k]);
    }
    for (int end = 0; end < 2; end++) {
        int first = e->local[end].place;
        for (int k = 0; k < count; k++) {
            double column[3];
            v3_scale(column, p->part[end], b[k]);
            add_column(&p->x, first + k, column);
            v3_combine(column, (end == 0 ? -1 : 1) / g->ds, b[k], p->part[end], bent[k]);
            add_column(&p->slope, first + k, column);
        }
    }
    if (port) {
        int first = e->local[0].port;
        add_port_columns(first, arm, &p->x);
        for (int k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2}, turn[3];
            v3_cross(turn, axis, p->slope.x);
            add_column(&p->slope, first + 3 + k, turn);
        }
    }
    for (int end = 0; end < 2; end++) {
        double column[3];
        if (g->s_local[end] < 0) continue;
        v3_scale(column, (end == 0 ? 1 : -1) / g->ds, p->slope.x);
        add_column(&p->slope, g->s_local[end], column);
    }
    if (!in->v) return;
    spot_rate(g->v, &p->x);
    spot_rate(g->v, &p->slope);
    if (!in->a) return;
    double rates[2] = {0}, along[3] = {0, 0, 0}, bend[3];
    for (int k = 0; k < count; k++) {
        rates[k] = (1 - alpha) * in->v[n[0]->column + k] + alpha * in->v[n[1]->column + k];
        v3_axpy(along, rates[k], b[k]);
    }
    bend_between(port ? port + 3 : NULL, bends, rates, rates, bend);
    turning_acceleration(c, on->port, in->v, arm, along, bend, p->x.second);
    spot_second(g->a, &p->x);
}

/* What a point of the curve adds. */
static void curve_motion(const cable *c, const element_input *in, const segment *g,
                         const curve_point *p, element_terms *out)
{
    double rate = p->part[0] * g->s_rate[0] + p->part[1] * g->s_rate[1];
    double second = p->part[0] * g->s_second[0] + p->part[1] * g->s_second[1];
    double line = c->of.density * p->weight, m = line * g->ds, e[3], P[3], f[3], air[3], pull[3];
    for (int k = 0; k < 3; k++) {
        e[k] = p->x.rate[k] - p->slope.x[k] * rate;
        P[k] = m * e[k];
        f[k] = line * g->ds_rate * e[k] +
               m * (p->x.second[k] - p->slope.rate[k] * rate - p->slope.x[k] * second);
    }
    push(&p->x, f, out);
    v3_scale(pull, rate, P);
    push(&p->slope, pull, out);
    double T = 0.5 * line * v3_dot(e, e);
    for (int k = 0; k < 2; k++)
        add_scalar(out, g->s_local[k],
                   -p->part[k] * (v3_dot(p->slope.rate, P) + v3_dot(p->slope.x, f)) +
                       (k == 0 ? T : -T));
    if (c->of.drag <= 0 || in->lossless) return;
    cord__wind_at(in->around->wind, in->around->time, p->x.x, air);
    v3_sub(f, e, air);
    v3_scale(f, c->of.drag * g->ds * p->weight, f);
    push(&p->x, f, out);
    for (int k = 0; k < 2; k++) add_scalar(out, g->s_local[k], -p->part[k] * v3_dot(p->slope.x, f));
}

static void curve_mass(const segment *g, const curve_point *p, double m, element_terms *out)
{
    double square = v3_dot(p->slope.x, p->slope.x);
    add_square_of(out, &p->x, m);
    for (int k = 0; k < 2; k++) {
        double w[3];
        v3_scale(w, -m * p->part[k], p->slope.x);
        add_edge(out, &p->x, g->s_local[k], w);
        add_square(out, g->s_local[k], m * p->part[k] * p->part[k] * square);
    }
    add_scalars(out, g->s_local[0], g->s_local[1], m * p->part[0] * p->part[1] * square);
}

static void curve_weight(const cable *c, const element_input *in, const segment *g,
                         const curve_point *p, element_terms *out)
{
    double line = c->of.density * p->weight, high = line * v3_dot(in->around->gravity, p->x.x),
           f[3];
    out->gravity -= high * g->ds;
    v3_scale(f, -line * g->ds, in->around->gravity);
    push(&p->x, f, out);
    add_scalar(out, g->s_local[0], high);
    add_scalar(out, g->s_local[1], -high);
    if (!in->matrix) return;
    for (int k = 0; k < 2; k++) {
        double w[3];
        v3_scale(w, (k == 0 ? 1 : -1) * line * in->c_k, in->around->gravity);
        add_edge(out, &p->x, g->s_local[k], w);
    }
}

/* Bending along a segment that its guide bends: κ²/2 per length; and its derivatives over the differences
 * of the coordinates. */
static double guide_curvature(const cable_guide *g, const double *from, const double *to,
                              double slope[2])
{
    slope[0] = slope[1] = 0;
    if (g->kind == CORD_GUIDE_LINE) return 0;
    if (g->kind != CORD_GUIDE_CYLINDER) return 1 / g->radius;
    double u = to[0] - from[0], w = to[1] - from[1], l2 = u * u + w * w;
    slope[0] = 2 * u * w * w / (g->radius * l2 * l2);
    slope[1] = -2 * u * u * w / (g->radius * l2 * l2);
    return u * u / (g->radius * l2);
}

static void curve_bending(const cable *c, const cable_element *e, const element_input *in,
                          const segment *g, element_terms *out)
{
    const cable_node *n[2] = {c->node + e->node, c->node + e->node + 1};
    double slope[2], B[4];
    double k = guide_curvature(c->guide + n[0]->guide, cable_coordinates(in->cache, e->node),
                               cable_coordinates(in->cache, e->node + 1), slope);
    out->bending = 0.5 * c->of.bending * k * k * g->ds;
    add_scalar(out, g->s_local[0], -0.5 * c->of.bending * k * k);
    add_scalar(out, g->s_local[1], 0.5 * c->of.bending * k * k);
    if (n[0]->count < 2) return;
    int local[4];
    for (int i = 0; i < 4; i++) {
        local[i] = e->local[i / 2].place + i % 2;
        B[i] = (i < 2 ? -1 : 1) * slope[i % 2];
        out->r[local[i]] += c->of.bending * k * g->ds * B[i];
    }
    for (int i = 0; in->matrix && i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (local[i] >= local[j])
                out->a[local[i]][local[j]] += in->c_k * c->of.bending * g->ds * B[i] * B[j];
}

/* Second derivatives of a helix' length, times what pulls along it. */
static void helix_stiffness(const cable_element *e, const element_input *in, double l, double pull,
                            element_terms *out)
{
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    double across[2] = {-(to[1] - from[1]) / l, (to[0] - from[0]) / l};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int row = e->local[i / 2].place + i % 2, column = e->local[j / 2].place + j % 2;
            double sign = i / 2 == j / 2 ? 1 : -1;
            if (row >= column)
                out->a[row][column] += sign * pull / l * across[i % 2] * across[j % 2];
        }
}

/* Inertia and weight by quadrature; the length, and its slope over the unknowns. */
static double curve_terms(const cable *c, const cable_element *e, const element_input *in,
                          const segment *g, double *slope, element_terms *out)
{
    const cable_guide *on = c->guide + c->node[e->node].guide;
    double l = 0;
    int panels = panels_of(on, cable_coordinates(in->cache, e->node),
                           cable_coordinates(in->cache, e->node + 1));
    for (int i = 0; i < 4 * panels; i++) {
        curve_point p;
        curve_at(c, e, in, g, (i / 4 + gauss[i % 4][0]) / panels, gauss[i % 4][1] / panels, &p);
        double size = v3_norm(p.slope.x), arc = p.weight * g->ds;
        l += arc * size;
        for (int k = 0; k < p.slope.count; k++) {
            int local = p.slope.local[k];
            if (local == g->s_local[0] || local == g->s_local[1]) continue;
            slope[local] += arc * v3_dot(p.slope.J[k], p.slope.x) / size;
        }
        if (!in->rows_only) {
            if (in->a) curve_motion(c, in, g, &p, out);
            curve_weight(c, in, g, &p, out);
        }
        if (in->matrix)
            curve_mass(g, &p, (in->c_a * c->of.density + in->c_v * c->of.drag) * arc, out);
    }
    return l;
}

static void curved(const cable *c, const cable_element *e, const element_input *in,
                   element_terms *out)
{
    segment g;
    const cable_guide *on = c->guide + c->node[e->node].guide;
    double slope[ELEMENT_UNKNOWNS], l;
    read_segment(c, e, in, &g);
    clear(slope, e->count);
    if (cord__arc_is_closed(c, e, in->cache)) {
        double way =
            cable_coordinates(in->cache, e->node + 1)[0] - cable_coordinates(in->cache, e->node)[0];
        l = fabs(way);
        slope[e->local[0].place] = way > 0 ? -1 : 1;
        slope[e->local[1].place] = way > 0 ? 1 : -1;
        cord__arc_terms(c, e, in, out);
    } else {
        read_columns(c, e, in, &g);
        l = curve_terms(c, e, in, &g, slope, out);
    }
    double pull = stretch(c, e, in, &g, l, slope, out);
    if (in->rows_only) return;
    if (c->of.bending > 0) curve_bending(c, e, in, &g, out);
    if (in->matrix && on->kind == CORD_GUIDE_CYLINDER)
        helix_stiffness(e, in, l, in->c_k * pull, out);
}

/* ---- bending at nodes between straight segments --------------------------------------------------- */

/* With c = t₀·t₁ of the two directions: E = K/2l · 4 (1 − c)/(1 + c), l the mean of the lengths beside it. */
static void bend(const cable *c, const cable_element *e, const element_input *in,
                 element_terms *out)
{
    element_end p[3];
    double t[2][3], l[2], s[3], change[2][3];
    if (in->rows_only) return;
    for (int k = 0; k < 3; k++) {
        read_end(c, e, in, k, p + k);
        s[k] = cable_s(in->cache, e->node + k);
    }
    for (int k = 0; k < 2; k++) {
        v3_sub(t[k], p[k + 1].x, p[k].x);
        l[k] = v3_normalize(t[k], t[k]);
    }
    double turn = v3_dot(t[0], t[1]), mean = 0.5 * (s[2] - s[0]);
    double half = 1 + turn > 1e-9 ? 1 + turn : 1e-9, stiff = c->of.bending / mean;
    double energy = 2 * stiff * (1 - turn) / half, by_turn = -4 * stiff / (half * half);
    out->bending = energy;
    for (int k = 0; k < 2; k++) { /* ∂c over the vector of edge k */
        v3_combine(change[k], 1 / l[k], t[1 - k], -turn / l[k], t[k]);
        double f[3];
        v3_scale(f, by_turn, change[k]);
        push_end(p + k + 1, f, out->r);
        v3_scale(f, -1, f);
        push_end(p + k, f, out->r);
    }
    for (int k = 0; k < 3; k += 2) {
        int local = e->local[k].s;
        if (local >= 0) out->r[local] += (k == 0 ? 1 : -1) * 0.5 * energy / mean;
    }
    if (!in->matrix) return;
    /* As ½ k |t₁ − t₀|²: what is left out is small where the angle is, and this is never negative. */
    double k = -by_turn * in->c_k;
    double edge[3] = {-1 / l[0], 1 / l[0] + 1 / l[1], -1 / l[1]};
    for (int a = 0; a < 3; a++) {
        add_own(out, p + a, k * edge[a] * edge[a]);
        for (int b = 0; b < a; b++) add_ends(out, p + a, p + b, k * edge[a] * edge[b]);
    }
}

/* ---- rows of nodes --------------------------------------------------------------------------------- */

void cord__put_row(const cable *c, const cable_element *e, const element_input *in, double value,
                   const double *B, double size, element_terms *out)
{
    int row = e->count - 1;
    double lambda = in->lambda ? in->lambda[e->row] : 0, square = 0;
    if (in->g) value = in->g[e->row];
    for (int k = 0; k < row; k++) square += B[k] * B[k];
    double rho = in->matrix && square > 0 ? in->c_a * c->of.density * size / square : 0;
    out->r[row] = value;
    for (int k = 0; k < row; k++) {
        if (!in->rows_only) out->r[k] -= lambda * B[k];
        out->r[k] += rho * value * B[k];
        if (in->matrix) out->a[row][k] += B[k];
    }
    if (in->matrix) add_outer(out, row, B, rho);
}

/* The straight segment at a node lies in the plane that touches the guide there: n · (neighbour − node) = 0. */
static void tangent(const cable *c, const cable_element *e, const element_input *in,
                    element_terms *out)
{
    int side = e->side;
    const cable_node *n = c->node + e->node + side;
    const cable_guide *on = c->guide + n->guide;
    element_end p[2];
    double normal[3], inward[3], way[3], B[ELEMENT_UNKNOWNS];
    clear(B, e->count);
    for (int k = 0; k < 2; k++) read_end(c, e, in, k, p + k);
    v3_sub(way, p[1 - side].x, p[side].x);
    cord__node_normal(c, in->cache, e->node + side, normal);
    v3_scale(inward, -1, normal);
    push_end(p + 1 - side, normal, B);
    push_end(p + side, inward, B);
    int first = e->local[side].place;
    int turning = on->kind == CORD_GUIDE_SPHERE ? 2 : 1;
    for (int k = 0; k < turning; k++)
        B[first + k] += v3_dot(cable_slopes(in->cache, e->node + side) + 3 * k, way) / on->radius;
    if (on->port >= 0) {
        int turns = e->local[side].port + 3;
        double moment[3];
        v3_cross(moment, normal, way);
        for (int k = 0; k < 3; k++) B[turns + k] += moment[k];
    }
    cord__put_row(c, e, in, v3_dot(normal, way), B, on->radius, out);
}

/* What does not slip: the material in the middle of the segment goes round as the wheel does. */
static void grip(const cable *c, const cable_element *e, const element_input *in,
                 element_terms *out)
{
    const cable_guide *on = c->guide + c->node[e->node].guide;
    double at[2], s[2], B[ELEMENT_UNKNOWNS], turn = 0;
    clear(B, e->count);
    for (int k = 0; k < 2; k++) {
        at[k] = cable_coordinates(in->cache, e->node + k)[0];
        s[k] = cable_s(in->cache, e->node + k);
    }
    double sign = at[1] > at[0] ? 1 : -1;
    for (int k = 0; k < 2; k++) {
        B[e->local[k].place] += 0.5;
        if (e->local[k].s >= 0) B[e->local[k].s] -= 0.5 * sign;
    }
    if (e->spin >= 0) {
        B[e->count - 2] = -on->radius; /* after the nodes', before the row */
        turn = cable_spin(c, in->cache, e->spin - cable_spin_column(c, 0));
    }
    double value = 0.5 * (at[0] + at[1]) - 0.5 * sign * (s[0] + s[1]) - on->radius * turn -
                   c->grip_start[e->row];
    if (e->slip >= 0 && c->slip[e->slip].mode != 0)
        cord__slip_terms(c, e, in, B, out);
    else
        cord__put_row(c, e, in, value, B, on->radius, out);
}

/* A node between two others, with a fixed part of the material before it. */
static void even(const cable *c, const cable_element *e, const element_input *in,
                 element_terms *out)
{
    double B[ELEMENT_UNKNOWNS], value = 0;
    clear(B, e->count);
    for (int k = 0; k < 3; k++) {
        double share = c->node[e->node + 1].share, part = k == 0 ? share - 1 : k == 1 ? 1 : -share;
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
    case ELEMENT_CURVED: curved(c, e, in, out); return;
    case ELEMENT_BEND: bend(c, e, in, out); return;
    case ELEMENT_TANGENT: tangent(c, e, in, out); return;
    case ELEMENT_GRIP: grip(c, e, in, out); return;
    case ELEMENT_EVEN: even(c, e, in, out); return;
    case ELEMENT_ROLL: cord__roll_terms(c, e, in, out); return;
    }
}

void cord__element_push(const cable *c, const cable_element *e, const element_input *in,
                        double alpha, const double force[3], element_terms *out)
{
    segment g;
    read_segment(c, e, in, &g);
    read_columns(c, e, in, &g);
    double part[2] = {1 - alpha, alpha}, slope[3];
    if (e->kind == ELEMENT_CURVED) {
        curve_point p;
        curve_at(c, e, in, &g, alpha, 1, &p);
        push(&p.x, force, out);
        v3_copy(slope, p.slope.x);
    } else {
        element_end p[2];
        for (int k = 0; k < 2; k++) {
            double share[3];
            read_end(c, e, in, k, p + k);
            v3_scale(share, part[k], force);
            push_end(p + k, share, out->r);
        }
        v3_sub(slope, p[1].x, p[0].x);
        v3_scale(slope, 1 / g.ds, slope);
    }
    for (int k = 0; k < 2; k++) add_scalar(out, g.s_local[k], -part[k] * v3_dot(slope, force));
}

/* Kinetic energy and momenta of material that moves with e at x. */
static void add_motion(double mass, const double x[3], const double e[3], element_terms *out)
{
    double moment[3];
    out->kinetic += 0.5 * mass * v3_dot(e, e);
    v3_axpy(out->linear, mass, e);
    v3_cross(moment, x, e);
    v3_axpy(out->angular, mass, moment);
}

/* Quadratic in α: Simpson's rule is exact. */
static void straight_energy(const cable *c, const cable_element *e, const element_input *in,
                            element_terms *out)
{
    segment g;
    element_end p[2];
    double x[3], v[3], slope[3];
    read_segment(c, e, in, &g);
    for (int k = 0; k < 2; k++) {
        read_end(c, e, in, k, p + k);
        read_end_motion(c, e, in, k, p + k);
    }
    v3_sub(slope, p[1].x, p[0].x);
    v3_scale(slope, 1 / g.ds, slope);
    for (int i = 0; i < 3; i++) {
        double alpha = 0.5 * i, weight = i == 1 ? 4.0 / 6 : 1.0 / 6;
        v3_combine(x, 1 - alpha, p[0].x, alpha, p[1].x);
        v3_combine(v, 1 - alpha, p[0].rate, alpha, p[1].rate);
        v3_axpy(v, -((1 - alpha) * g.s_rate[0] + alpha * g.s_rate[1]), slope);
        add_motion(c->of.density * g.ds * weight, x, v, out);
    }
}

static void curve_energy(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out)
{
    segment g;
    read_segment(c, e, in, &g);
    read_columns(c, e, in, &g);
    int panels = panels_of(c->guide + c->node[e->node].guide, cable_coordinates(in->cache, e->node),
                           cable_coordinates(in->cache, e->node + 1));
    for (int i = 0; i < 4 * panels; i++) {
        double alpha = (i / 4 + gauss[i % 4][0]) / panels, weight = gauss[i % 4][1] / panels, v[3];
        curve_point at;
        curve_at(c, e, in, &g, alpha, weight, &at);
        v3_copy(v, at.x.rate);
        v3_axpy(v, -((1 - alpha) * g.s_rate[0] + alpha * g.s_rate[1]), at.slope.x);
        add_motion(c->of.density * g.ds * weight, at.x.x, v, out);
    }
}

void cord__element_energy(const cable *c, const cable_element *e, const element_input *in,
                          element_terms *out)
{
    cord__element_terms(c, e, in, out);
    out->kinetic = 0;
    v3_set(out->linear, 0, 0, 0);
    v3_set(out->angular, 0, 0, 0);
    if (e->kind == ELEMENT_STRAIGHT)
        straight_energy(c, e, in, out);
    else if (e->kind == ELEMENT_CURVED && cord__arc_is_closed(c, e, in->cache))
        cord__arc_motion(c, e, in, out);
    else if (e->kind == ELEMENT_CURVED)
        curve_energy(c, e, in, out);
}
