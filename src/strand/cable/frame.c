/* Frames of a cable's material. The first axis is the tangent t = p/|p|, p along the segment: x₁ − x₀ where it is
 * straight, Δu ∂x/∂u where it lies on a guide. The other two are what the least rotation from a direction a makes of a
 * director across a. Where a cable that carries twist is clamped, a and the director are those of the clamp and turn by
 * ω with what carries it: a whole frame. Elsewhere they are fixed, a across the plane of the cable, and only the tangent
 * has a meaning. With χ = 1 + a·t and k = (a + t)/χ the frame turns by
 *
 *     t × ṗ/|p| + σ t,     σ = k·ω − a·(t × ṗ)/(χ|p|). */
#include "curve/transport.h"
#include "strand/cable/place.h"

#include <math.h>
#include <string.h>

/* What weight[1] of an attachment says. */
enum { FREE_TANGENT, CLAMPED_START, CLAMPED_END };

/* Tangents must not turn to its opposite, as they do from any direction that the cable itself has. */
void cord__set_upright(cable *c, const double *cache)
{
    const double *from = cable_place(cache, 0);
    double sum[3] = {0, 0, 0}, before[3] = {0, 0, 0}, farthest[3] = {0, 0, 0};
    for (int i = 1; i < c->nodes; i++) {
        double way[3], area[3];
        v3_sub(way, cable_place(cache, i), from);
        v3_cross(area, before, way);
        v3_add(sum, sum, area);
        v3_copy(before, way);
        if (v3_norm(way) > v3_norm(farthest)) v3_copy(farthest, way);
    }
    double size = v3_dot(farthest, farthest);
    if (v3_norm(sum) > 1e-6 * size)
        v3_normalize(c->upright, sum);
    else if (size > 0) /* it is straight, or goes back as it came */
        v3_any_normal(c->upright, farthest);
    else
        v3_set(c->upright, 0, 0, 1); /* its nodes are not in their places yet */
}

static int clamp_of(const cable *c, int node)
{
    bool anchored = c->node[node].guide >= 0 && c->guide[c->node[node].guide].ops->coordinates == 0;
    if (c->twist_dof < 0 || !anchored) return FREE_TANGENT;
    return node == 0 ? CLAMPED_START : node + 1 == c->nodes ? CLAMPED_END : FREE_TANGENT;
}

void cord__frame_at_node(const cable *c, double s, attachment *at)
{
    int node = at->index, clamp = clamp_of(c, node);
    *at = (attachment){.index = node + 1 < c->nodes ? node : node - 1,
                       .weight = {s + c->start, clamp},
                       .unit = -1,
                       .tangent_only = clamp == FREE_TANGENT};
}

/* ---- the way along a segment -------------------------------------------------------------------------- */

/* p, and how it changes with the element's columns. */
typedef struct segment_way {
    double p[3], change[ELEMENT_UNKNOWNS][3];
} segment_way;

static void straight_way(const segment_place *at, segment_way *w)
{
    int node = at->e->node;
    v3_sub(w->p, cable_place(at->cache, node + 1), cable_place(at->cache, node));
    for (int k = 0; k < 2; k++) {
        int local[NODE_COLUMNS];
        double column[NODE_COLUMNS][3];
        int count = node_columns(at->c, at->e, at->cache, k, local, column);
        for (int i = 0; i < count; i++) v3_axpy(w->change[local[i]], k == 0 ? -1 : 1, column[i]);
    }
}

/* The first of the three columns by which what carries a curved segment turns; -1: it does not. */
static int turning_columns(const segment_place *at)
{
    int port = at->c->guide[at->c->node[at->e->node].guide].port;
    return port >= 0 && at->c->port[port].turns ? at->e->local[0].port[0] + 3 : -1;
}

/* ∂u over the columns of a segment's nodes: so many, at most 6. */
typedef struct coordinate_columns {
    int count, local[6];
    double way[6][2];    /* of u at the place */
    double spread[6][2]; /* of Δu */
} coordinate_columns;

static coordinate_columns coordinates_of(const segment_place *at, const double over[2])
{
    coordinate_columns c = {0};
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < at->c->node[at->e->node + k].count; m++) {
            c.way[c.count][m] = at->part[k];
            c.spread[c.count][m] = k == 0 ? -1 : 1;
            c.local[c.count++] = at->e->local[k].place + m;
        }
        if (at->e->local[k].s < 0) continue;
        for (int m = 0; m < 2; m++) c.way[c.count][m] = -at->part[k] * over[m];
        c.local[c.count++] = at->e->local[k].s;
    }
    return c;
}

static void curved_way(const segment_place *at, segment_way *w)
{
    double place[3];
    guide_place g = cord__guide_at(at, false, place);
    coordinate_columns u = coordinates_of(at, g.over);
    int turns = turning_columns(at);
    for (int m = 0; m < 2; m++) v3_axpy(w->p, at->ds * g.over[m], g.b[m]);
    for (int i = 0; i < u.count; i++)
        for (int m = 0; m < 2; m++) {
            v3_axpy(w->change[u.local[i]], u.spread[i][m], g.b[m]);
            v3_axpy(w->change[u.local[i]], at->ds * u.way[i][m], g.bent[m]);
        }
    for (int i = 0; turns >= 0 && i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        v3_cross(w->change[turns + i], axis, w->p);
    }
}

static void way_of(const segment_place *at, segment_way *w)
{
    *w = (segment_way){.p = {0}};
    if (at->e->kind == ELEMENT_CURVED)
        curved_way(at, w);
    else
        straight_way(at, w);
}

/* ---- its frame ------------------------------------------------------------------------------------------ */

/* What the director is carried from; `turns` is the first of the columns by which that turns, -1: it does not. */
typedef struct origin {
    double along[3], across[3];
    int turns;
} origin;

static origin origin_of(const segment_place *at, int clamp)
{
    origin o = {.turns = -1};
    if (clamp == FREE_TANGENT) {
        v3_copy(o.along, at->c->upright);
        v3_any_normal(o.across, o.along);
        return o;
    }
    int end = clamp == CLAMPED_END;
    int port = at->c->guide[at->c->node[at->e->node + end].guide].port;
    cord__clamp_at(at->c, at->cache, end, o.along, o.across);
    if (port >= 0 && at->c->port[port].turns) o.turns = at->e->local[end].port[0] + 3;
    return o;
}

/* A tangent, and what its frame's turning is made of. Turned right round there is no least rotation: for that moment
 * the directors stay. */
typedef struct turning {
    double t[3], size, a[3], share; /* share: 1/χ, or 0 */
} turning;

static turning turning_of(const double p[3], const double a[3])
{
    turning f;
    f.size = v3_normalize(f.t, p);
    v3_copy(f.a, a);
    double chi = 1 + v3_dot(a, f.t);
    f.share = chi > 0 ? 1 / chi : 0;
    return f;
}

static void frame_of(const turning *f, const double across[3], double frame[9])
{
    v3_copy(frame, f->t);
    transport(frame + 3, f->a, f->t, across);
    turn_about(frame + 3, f->t, 0);
    v3_cross(frame + 6, f->t, frame + 3);
}

/* By what it turns as p changes and the origin turns. */
static void turn_by(const turning *f, const double change[3], const double turn[3], double out[3])
{
    double k[3];
    v3_combine(k, f->share, f->a, f->share, f->t);
    v3_cross(out, f->t, change);
    v3_scale(out, 1 / f->size, out);
    v3_axpy(out, v3_dot(k, turn) - f->share * v3_dot(f->a, out), f->t);
}

/* The torque's power w·(turn) changes along a motion with constant ṗ and ω at this rate: that of the turn is
 * −2 (t·ṗ) β/|p| + σ ṫ + σ̇ t, with β = t × ṗ/|p|. */
static double power_rate(const turning *f, const double w[3], const double change[3],
                         const double turn[3])
{
    double beta[3], k[3], t_rate[3], a_rate[3], k_rate[3];
    double stretch = v3_dot(f->t, change) / f->size;
    v3_cross(beta, f->t, change);
    v3_scale(beta, 1 / f->size, beta);
    v3_cross(t_rate, beta, f->t);
    v3_cross(a_rate, turn, f->a);
    v3_combine(k, f->share, f->a, f->share, f->t);
    double chi_rate = f->share * (v3_dot(a_rate, f->t) + v3_dot(f->a, t_rate));
    v3_combine(k_rate, f->share, a_rate, f->share, t_rate);
    v3_axpy(k_rate, -chi_rate, k);
    double lag = f->share * v3_dot(f->a, beta), spin = v3_dot(k, turn) - lag;
    double spin_rate =
        v3_dot(k_rate, turn) - f->share * v3_dot(a_rate, beta) + (2 * stretch + chi_rate) * lag;
    return -2 * stretch * v3_dot(w, beta) + spin * v3_dot(w, t_rate) + spin_rate * v3_dot(w, f->t);
}

/* rad: where the tangent turns by more at once it does so between two steps. */
static const double CORNER = 1e-5;

static void tangent_at(const cable *c, const double *cache, int after, double s, double t[3])
{
    segment_way way;
    segment_place place = cord__segment_place(c, cache, after, s);
    way_of(&place, &way);
    v3_normalize(t, way.p);
}

/* weight[2] and weight[3] of an attachment: whether its segment joins the one before and the one after it with its
 * tangent. */
enum { JOINS_BEFORE = 2, JOINS_AFTER = 3 };

/* Whether segment i joins the next one so. */
static bool joins(const cable *c, const double *cache, int i)
{
    int segments = c->nodes - 1, next = (i + 1) % segments;
    double t[2][3];
    tangent_at(c, cache, i, cable_s(cache, i + 1), t[0]);
    tangent_at(c, cache, next, cable_s(cache, next), t[1]);
    return v3_distance(t[0], t[1]) < CORNER;
}

void cord__joins_begin(const void *model, const double *cache, attachment *at)
{
    const cable *c = model;
    if (!at->crosses_elements) return;
    double s;
    int first = cord__first_segment(c, at, &s), segments = c->nodes - 1;
    at->weight[JOINS_BEFORE] =
        (first > 0 || c->closed) && joins(c, cache, (first + segments - 1) % segments);
    at->weight[JOINS_AFTER] = (first + 1 < segments || c->closed) && joins(c, cache, first);
}

/* The segment that the material is in now; beyond a corner the one that it was in when the step began, or rows on it would
 * jump within the step. */
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
typedef struct frame_place {
    segment_place place;
    origin from;
    segment_way way;
    turning turn;
} frame_place;

static void find_frame(const cable *c, const double *cache, const attachment *at, frame_place *f)
{
    double s;
    int now = segment_of_frame(c, cache, at, &s);
    f->place = cord__segment_place(c, cache, now, s);
    f->from = origin_of(&f->place, (int)at->weight[1]);
    way_of(&f->place, &f->way);
    f->turn = turning_of(f->way.p, f->from.along);
}

void cord__frame_jet(const cable *c, const double *cache, const attachment *at, point_jacobian *j)
{
    frame_place f;
    find_frame(c, cache, at, &f);
    frame_of(&f.turn, f.from.across, j->value);
    cord__material_columns(c, at, j);
    const cable_element *e = f.place.e;
    for (int i = 0; i < element_columns(e); i++) {
        int axis = f.from.turns >= 0 ? i - f.from.turns : -1;
        double turn[3] = {axis == 0, axis == 1, axis == 2};
        turn_by(&f.turn, f.way.change[i], turn,
                j->J + 3 * cord__jet_column(j, c->unknown[e->first + i]));
    }
}

void cord__cable_frame_at(const void *model, const double *q, const double *cache, double s,
                          double *frame)
{
    const cable *c = model;
    attachment at = {
        .index = cord__cable_piece(c, q, s), .weight = {s + c->start}, .crosses_elements = true};
    frame_place f;
    int end = s <= 0 ? 0 : s >= c->length ? c->nodes - 1 : -1;
    if (end >= 0 && c->node[end].s_dof < 0) {
        at.index = end;
        cord__frame_at_node(c, s, &at);
    }
    find_frame(c, cache, &at, &f);
    frame_of(&f.turn, f.from.across, frame);
}

/* ---- second derivatives --------------------------------------------------------------------------------- */

/* Second derivatives of the guide's places over (0, 0), (0, 1), (1, 1), as a force sees them, so far on along s. */
static void bends_at(const segment_place *at, const guide_place *g, double on,
                     const double force[3], double out[3])
{
    int node = at->e->node;
    const double *from = cable_coordinates(at->cache, node);
    const double *to = cable_coordinates(at->cache, node + 1);
    double u[2] = {0}, place[3], slopes[6], bends[9], bend[3], unit[2][2] = {{1, 0}, {0, 1}};
    for (int m = 0; m < at->c->node[node].size; m++)
        u[m] = at->part[0] * from[m] + at->part[1] * to[m] + on * g->over[m];
    guide_position(at->c->guide + at->c->node[node].guide, u, place, slopes, bends);
    for (int k = 0; k < 3; k++) {
        bend_between(g->pose ? g->pose + 3 : NULL, bends, unit[k / 2], unit[(k + 1) / 2], bend);
        out[k] = v3_dot(force, bend);
    }
}

/* And how these change along s: as differences, which are good enough for a matrix. */
static void bends_along(const segment_place *at, const guide_place *g, const double force[3],
                        double out[3])
{
    double h = 1e-4 * at->c->guide[at->c->node[at->e->node].guide].radius, before[3], after[3];
    v3_set(out, 0, 0, 0);
    if (!(h > 0)) return; /* a line */
    bends_at(at, g, -h, force, before);
    bends_at(at, g, h, force, after);
    v3_combine(out, 0.5 / h, after, -0.5 / h, before);
}

static double form_of(const double h[3], const double a[2], const double b[2])
{
    return h[0] * a[0] * b[0] + h[1] * (a[0] * b[1] + a[1] * b[0]) + h[2] * a[1] * b[1];
}

/* p = Δu ∂x/∂u at u(q): ∂²p = 2 ∂Δu ∂²x/∂u² ∂u + Δu ∂³x/∂u³ ∂u ∂u + Δu ∂²x/∂u² ∂²u; and what carries it turns it. */
static void stiffen_curved_way(const segment_place *at, const segment_way *w, const double force[3],
                               double c_k, element_terms *t)
{
    double place[3], second[3], third[3], pull[2];
    guide_place g = cord__guide_at(at, false, place);
    coordinate_columns u = coordinates_of(at, g.over);
    int turns = turning_columns(at);
    bends_at(at, &g, 0, force, second);
    bends_along(at, &g, force, third);
    for (int m = 0; m < 2; m++) pull[m] = at->ds * v3_dot(force, g.bent[m]);
    for (int i = 0; i < u.count; i++)
        for (int j = 0; j <= i; j++)
            add_entry(t, u.local[i], u.local[j],
                      -c_k * (form_of(second, u.spread[i], u.way[j]) +
                              form_of(second, u.spread[j], u.way[i]) +
                              at->ds * form_of(third, u.way[i], u.way[j])));
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < at->c->node[at->e->node + k].count; m++)
            for (int l = 0; l < 2; l++)
                if (at->e->local[l].s >= 0)
                    add_entry(t, at->e->local[k].place + m, at->e->local[l].s,
                              c_k * at->rate[k] * at->part[l] * pull[m]);
    cord__stiffen_running(at, g.over[0] * pull[0] + g.over[1] * pull[1], c_k, t);
    if (turns < 0) return;
    for (int i = 0; i < u.count; i++) {
        double moment[3];
        v3_cross(moment, w->change[u.local[i]], force);
        for (int k = 0; k < 3; k++) add_entry(t, turns + k, u.local[i], -c_k * moment[k]);
    }
    cord__add_turning(turns, w->p, force, c_k, t);
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

static void stiffen_turning(const frame_place *f, double Q[6][6], double c_k, element_terms *t)
{
    int count = element_columns(f->place.e), turns = f->from.turns;
    for (int i = 0; i < count; i++) {
        double Qy[6] = {0};
        for (int r = 0; r < 6; r++) {
            Qy[r] = v3_dot(Q[r], f->way.change[i]);
            if (turns >= 0 && i >= turns && i < turns + 3) Qy[r] += Q[r][3 + i - turns];
        }
        for (int j = 0; j <= i; j++) {
            double sum = v3_dot(Qy, f->way.change[j]);
            if (turns >= 0 && j >= turns && j < turns + 3) sum += Qy[3 + j - turns];
            t->a[i][j] -= c_k * sum;
        }
    }
}

/* −∂(Jᵀw)/∂q: what curves p is seen by w as by a force ((w − (w·t) a/χ) × t)/|p| on it. */
void cord__frame_stiffen(const cable *c, const double *cache, const attachment *at,
                         const double w[3], double c_k, local_matrix *matrix)
{
    frame_place f;
    element_terms t = {.r = {0}};
    double force[3], Q[6][6];
    find_frame(c, cache, at, &f);
    const turning *turn = &f.turn;
    v3_combine(force, 1 / turn->size, w, -turn->share * v3_dot(w, turn->t) / turn->size, turn->a);
    v3_cross(force, force, turn->t);
    if (f.place.e->kind == ELEMENT_CURVED) {
        stiffen_curved_way(&f.place, &f.way, force, c_k, &t);
    } else {
        cord__stiffen_end(&f.place, 0, force, -c_k, &t);
        cord__stiffen_end(&f.place, 1, force, c_k, &t);
    }
    power_form(turn, w, Q);
    stiffen_turning(&f, Q, c_k, &t);
    cord__cable_scatter(c, f.place.e, &t, matrix);
}
