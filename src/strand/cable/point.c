/* Points of a cable: material points at s, and sliding points.
 *
 * On the segment after node i, at α = (s − sᵢ)/Δs, a point is (1 − α) x₀ + α x₁, of positions where
 * the segment is straight and of coordinates on the guide where it is curved; its derivatives over
 * the nodes' material coordinates are −(1 − α) D and −α D, with D = ∂x/∂s. When the cable runs, a
 * material point crosses segment boundaries: within a step the adjacent segments are known as well,
 * and their dofs act when the point reaches them. */
#include "strand/cable/segment.h"

#include <math.h>
#include <string.h>

/* ---- where it is ------------------------------------------------------------------------------------- */

static double node_s(const cable_topology *topology, const double *q, int node)
{
    const cable_node *n = topology->node + node;
    return n->s_dof >= 0 ? q[n->q + n->count] : n->s;
}

static int segments(const cable *c)
{
    return c->topology.nodes - 1;
}

/* An element is a segment; on a closed cable plus the number of segments for every revolution of the material beyond
 * the first node. Returns the segment, and the material coordinate relative to it. */
static int segment_of_element(const cable *c, int element, double *s)
{
    if (!c->def.closed) return element;
    int round = (int)floor((double)element / segments(c));
    *s -= round * c->topology.length;
    return element - round * segments(c);
}

int cord__cable_element_at(const void *model, const double *q, double s)
{
    const cable *c = model;
    int low = 0, high = c->topology.nodes - 1, round = 0;
    s += c->topology.start;
    if (c->def.closed) {
        round = (int)floor((s - node_s(&c->topology, q, 0)) / c->topology.length);
        s -= round * c->topology.length;
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (node_s(&c->topology, q, middle) <= s)
            low = middle;
        else
            high = middle;
    }
    return low + round * segments(c);
}

/* At a Lagrangian node, or in a segment. */
cord_status cord__cable_attach(void *model, memory *m, measure what, double s, attachment *at)
{
    const cable *c = model;
    (void)m;
    if (what == MEASURE_CURVATURE) return CORD_ERROR_UNSUPPORTED;
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->topology.node + i;
        if (n->s_dof >= 0 || fabs(n->s - c->topology.start - s) > 1e-9 * c->topology.length)
            continue;
        *at = (attachment){.index = i, .unit = n->guide < 0 ? n->dof : -1};
        if (what == MEASURE_FRAME) cord__frame_at_node(c, s, at);
        return CORD_OK;
    }
    /* Material may flow out through an Eulerian end. */
    bool runs =
        c->topology.node[0].s_dof >= 0 || c->topology.node[c->topology.nodes - 1].s_dof >= 0;
    if (runs && !c->def.closed) return CORD_ERROR_UNSUPPORTED;
    *at = (attachment){.index = cord__cable_element_at(c, c->initial.q, s),
                       .weight = {s + c->topology.start},
                       .unit = -1,
                       .crosses_elements = true,
                       .tangent_only = what == MEASURE_FRAME};
    return CORD_OK;
}

/* Whether the point may reach the segment before its own, or the one after: it cannot cross a Lagrangian node. */
static bool may_pass(const cable *c, int own, bool after)
{
    bool more = c->def.closed || (after ? own + 2 < c->topology.nodes : own > 0);
    return more && c->topology.node[own + after].s_dof >= 0;
}

int cord__first_segment(const cable *c, const attachment *at, double *s)
{
    *s = at->weight[0];
    return at->crosses_elements ? segment_of_element(c, at->index, s) : at->index;
}

int cord__segment_of(const cable *c, const double *cache, const attachment *at, double *s)
{
    int i = cord__first_segment(c, at, s), element = at->index;
    if (!at->crosses_elements) return i;
    if (*s < cable_s(cache, i) && may_pass(c, i, false)) element--;
    if (*s > cable_s(cache, i + 1) && may_pass(c, i, true)) element++;
    *s = at->weight[0];
    return segment_of_element(c, element, s);
}

/* ---- Jacobian on a segment --------------------------------------------------------------------------------- */

typedef struct vector {
    double at[3];
} vector;

/* Over the element's dofs; and along s. */
typedef struct segment_jacobian {
    double value[3], tangent[3], r_ss[3], r_sss[3];
    vector J[ELEMENT_UNKNOWNS], J_s[ELEMENT_UNKNOWNS], J_ss[ELEMENT_UNKNOWNS];
    double rotation[ELEMENT_UNKNOWNS];
} segment_jacobian;

segment_point cord__segment_point(const cable *c, const double *cache, int i, double s)
{
    double from = cable_s(cache, i), ds = cable_s(cache, i + 1) - from, alpha = (s - from) / ds;
    return (segment_point){.c = c,
                           .e = c->layout.element + i, /* segments come first */
                           .cache = cache,
                           .ds = ds,
                           .part = {1 - alpha, alpha},
                           .rate = {-1 / ds, 1 / ds}};
}

static void add(vector *to, double scale, const double x[3])
{
    v3_axpy(to->at, scale, x);
}

static void straight_jacobian(const segment_point *p, segment_jacobian *j)
{
    const double *x[2] = {cable_position(p->cache, p->e->node),
                          cable_position(p->cache, p->e->node + 1)};
    v3_combine(j->value, p->part[0], x[0], p->part[1], x[1]);
    v3_sub(j->tangent, x[1], x[0]);
    v3_scale(j->tangent, 1 / p->ds, j->tangent);
    for (int k = 0; k < 2; k++) {
        int local[NODE_DOFS], s = p->e->local[k].s;
        double dof[NODE_DOFS][3];
        int count = node_jacobian(p->c, p->e, p->cache, k, local, dof);
        for (int i = 0; i < count; i++) {
            add(j->J + local[i], p->part[k], dof[i]);
            add(j->J_s + local[i], p->rate[k], dof[i]);
        }
        if (s < 0) continue;
        add(j->J + s, -p->part[k], j->tangent);
        add(j->J_s + s, -p->rate[k], j->tangent);
    }
}

/* Derivative of the direction b of the coordinates along s: ∂b/∂u · over, in the axes of the guide. */
static void hessian_along(const cable_guide *on, const double *at, const double over[2],
                          double bent[2][3])
{
    double position[3], jacobian[6], hessian[9], unit[2][2] = {{1, 0}, {0, 1}};
    guide_position(on, at, position, jacobian, hessian);
    for (int m = 0; m < 2; m++) hessian_between(NULL, hessian, unit[m], over, bent[m]);
}

guide_state cord__guide_state(const segment_point *p, bool curls, double value[3])
{
    int node = p->e->node, count = p->c->topology.node[node].size;
    const cable_guide *on = p->c->def.guide + p->c->topology.node[node].guide;
    const double *from = cable_coordinates(p->cache, node);
    const double *to = cable_coordinates(p->cache, node + 1);
    double at[2] = {0}, jacobian[6] = {0};
    guide_state g = {.pose = guide_pose(p->c, p->cache, on)};
    for (int m = 0; m < count; m++) {
        at[m] = p->part[0] * from[m] + p->part[1] * to[m];
        g.over[m] = (to[m] - from[m]) / p->ds;
    }
    guide_position(on, at, g.arm, jacobian, NULL);
    hessian_along(on, at, g.over, g.bent);
    for (int m = 0; m < 2; m++) v3_copy(g.b[m], jacobian + 3 * m);
    /* Used in second derivatives only: finite differences are sufficient. */
    double h = 1e-4 * on->radius;
    for (int side = -1; curls && h > 0 && side <= 1; side += 2) {
        double moved[2] = {at[0] + side * h * g.over[0], at[1] + side * h * g.over[1]}, bent[2][3];
        hessian_along(on, moved, g.over, bent);
        for (int m = 0; m < 2; m++) v3_axpy(g.curled[m], side / (2 * h), bent[m]);
    }
    for (int m = 0; m < 2; m++) {
        vector_to_world(g.pose, g.b[m], g.b[m]);
        vector_to_world(g.pose, g.bent[m], g.bent[m]);
        vector_to_world(g.pose, g.curled[m], g.curled[m]);
    }
    vector_to_world(g.pose, g.arm, g.arm);
    v3_copy(value, g.arm);
    if (g.pose) v3_add(value, g.arm, g.pose);
    return g;
}

static void curved_carrier(const segment_point *p, const double arm[3], segment_jacobian *j)
{
    int first = p->e->local[0].carrier[0];
    bool turns =
        p->c->def.carrier[p->c->def.guide[p->c->topology.node[p->e->node].guide].carrier].rotates;
    for (int i = 0; i < 3; i++) {
        double axis[3] = {i == 0, i == 1, i == 2};
        v3_copy(j->J[first + i].at, axis);
        if (!turns) continue;
        v3_cross(j->J[first + 3 + i].at, axis, arm);
        v3_cross(j->J_s[first + 3 + i].at, axis, j->tangent);
        v3_cross(j->J_ss[first + 3 + i].at, axis, j->r_ss);
        j->rotation[first + 3 + i] = j->tangent[i];
    }
}

static void curved_jacobian(const segment_point *p, segment_jacobian *j)
{
    guide_state g = cord__guide_state(p, true, j->value);
    for (int m = 0; m < p->c->topology.node[p->e->node].size; m++) {
        v3_axpy(j->tangent, g.over[m], g.b[m]);
        v3_axpy(j->r_ss, g.over[m], g.bent[m]);
        v3_axpy(j->r_sss, g.over[m], g.curled[m]);
    }
    for (int k = 0; k < 2; k++) {
        int own = p->e->local[k].coordinates, s = p->e->local[k].s;
        for (int m = 0; m < p->c->topology.node[p->e->node + k].count; m++) {
            v3_scale(j->J[own + m].at, p->part[k], g.b[m]);
            v3_combine(j->J_s[own + m].at, p->rate[k], g.b[m], p->part[k], g.bent[m]);
            v3_combine(j->J_ss[own + m].at, 2 * p->rate[k], g.bent[m], p->part[k], g.curled[m]);
        }
        if (s < 0) continue;
        v3_scale(j->J[s].at, -p->part[k], j->tangent);
        v3_combine(j->J_s[s].at, -p->rate[k], j->tangent, -p->part[k], j->r_ss);
        v3_combine(j->J_ss[s].at, -2 * p->rate[k], j->r_ss, -p->part[k], j->r_sss);
    }
    if (g.pose) curved_carrier(p, g.arm, j);
}

static void segment_jacobian_at(const cable *c, const double *cache, int after, double s,
                                segment_jacobian *j)
{
    segment_point p = cord__segment_point(c, cache, after, s);
    *j = (segment_jacobian){.value = {0}};
    if (p.e->kind == ELEMENT_CURVED)
        curved_jacobian(&p, j);
    else
        straight_jacobian(&p, j);
}

/* ---- second derivatives --------------------------------------------------------------------------------- */

void cord__add_rotation(int first, const double arm[3], const double w[3], double scale,
                        element_terms *t)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            t->a[first + i][first + j] +=
                scale * ((i == j) * v3_dot(w, arm) - 0.5 * (w[i] * arm[j] + arm[i] * w[j]));
}

/* A carrier rotates a node and the tangent of its guide; the weights of a span's ends change with its coordinate. */
static void carried_stiffness(const segment_point *p, int k, const node_carrier *on, int first,
                              const double w[3], double scale, element_terms *t)
{
    const cable_node *n = p->c->topology.node + p->e->node + k;
    int own = p->e->local[k].coordinates;
    bool turns = p->c->def.carrier[on->carrier].rotates;
    double moment[3];
    if (turns) cord__add_rotation(first + 3, on->arm, w, scale * on->weight, t);
    for (int m = 0; m < n->count; m++) {
        if (on->weight_derivative == 0)
            v3_cross(moment, cable_jacobian(p->cache, p->e->node + k) + 3 * m, w);
        else
            v3_cross(moment, on->arm, w);
        double part = on->weight_derivative == 0 ? 1 : on->weight_derivative;
        for (int i = 0; i < 3; i++) {
            if (turns) add_entry(t, first + 3 + i, own + m, -scale * part * moment[i]);
            add_entry(t, first + i, own + m, -scale * on->weight_derivative * w[i]);
        }
    }
}

void cord__end_stiffness(const segment_point *p, int k, const double w[3], double scale,
                         element_terms *t)
{
    int node = p->e->node + k, own = p->e->local[k].coordinates;
    const cable_node *n = p->c->topology.node + node;
    node_carrier on[NODE_CARRIERS];
    if (n->guide < 0) return;
    const cable_guide *guide = p->c->def.guide + n->guide;
    double position[3], jacobian[6], hessian[9];
    const double *pose = guide_pose(p->c, p->cache, guide);
    guide_position(guide, cable_coordinates(p->cache, node), position, jacobian, hessian);
    for (int i = 0; i < n->count; i++)
        for (int m = 0; m <= i; m++) {
            double second[3];
            vector_to_world(pose, hessian + 3 * (i + m), second);
            t->a[own + i][own + m] -= scale * v3_dot(w, second);
        }
    int carriers = cord__node_carriers(p->c, p->cache, node, on);
    for (int i = 0; i < carriers; i++)
        carried_stiffness(p, k, on + i, p->e->local[k].carrier[i], w, scale, t);
}

void cord__running_stiffness(const segment_point *p, double pull, double c_k, element_terms *t)
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b <= a; b++) {
            int i = p->e->local[a].s, j = p->e->local[b].s;
            double twice = p->rate[a] * p->part[b] + p->rate[b] * p->part[a];
            if (i >= 0 && j >= 0) add_entry(t, i, j, -c_k * pull * twice);
        }
}

static void straight_stiffness(const segment_point *p, const double w[3], double c_k,
                               element_terms *t)
{
    double chord[3];
    for (int k = 0; k < 2; k++) {
        int local[NODE_DOFS];
        double dof[NODE_DOFS][3];
        int count = node_jacobian(p->c, p->e, p->cache, k, local, dof);
        cord__end_stiffness(p, k, w, c_k * p->part[k], t);
        for (int l = 0; l < 2; l++)
            for (int i = 0; p->e->local[l].s >= 0 && i < count; i++)
                add_entry(t, local[i], p->e->local[l].s,
                          c_k * p->rate[k] * p->part[l] * v3_dot(w, dof[i]));
    }
    v3_sub(chord, cable_position(p->cache, p->e->node + 1), cable_position(p->cache, p->e->node));
    cord__running_stiffness(p, v3_dot(w, chord) / p->ds, c_k, t);
}

/* Coordinates u(q) on the guide, x(u): w·∂x/∂u ∂²u + w·∂²x/∂u² ∂u ∂u; and the rotation of the carrier. */
static void curved_stiffness(const segment_point *p, const double w[3], double c_k,
                             element_terms *t)
{
    double value[3], jacobian[6], hessian[9], at[2] = {0}, pull = 0, moment[3];
    guide_state g = cord__guide_state(p, false, value);
    int node = p->e->node, count = p->c->topology.node[node].size, local[6], dofs = 0;
    const cable_guide *on = p->c->def.guide + p->c->topology.node[node].guide;
    double shift[6][2]; /* ∂u over the dofs below */
    for (int m = 0; m < count; m++) {
        at[m] = p->part[0] * cable_coordinates(p->cache, node)[m] +
                p->part[1] * cable_coordinates(p->cache, node + 1)[m];
        pull += g.over[m] * v3_dot(w, g.b[m]);
    }
    guide_position(on, at, value, jacobian, hessian);
    bool turns = g.pose && p->c->def.carrier[on->carrier].rotates;
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < p->c->topology.node[node + k].count; m++) {
            shift[dofs][0] = m == 0 ? p->part[k] : 0, shift[dofs][1] = m == 1 ? p->part[k] : 0;
            local[dofs++] = p->e->local[k].coordinates + m;
            for (int l = 0; l < 2; l++)
                if (p->e->local[l].s >= 0)
                    add_entry(t, p->e->local[k].coordinates + m, p->e->local[l].s,
                              c_k * p->rate[k] * p->part[l] * v3_dot(w, g.b[m]));
        }
        if (p->e->local[k].s < 0) continue;
        for (int m = 0; m < 2; m++) shift[dofs][m] = -p->part[k] * g.over[m];
        local[dofs++] = p->e->local[k].s;
    }
    cord__running_stiffness(p, pull, c_k, t);
    for (int i = 0; i < dofs; i++) {
        double x[3] = {0, 0, 0};
        for (int m = 0; m < count; m++) v3_axpy(x, shift[i][m], g.b[m]);
        v3_cross(moment, x, w);
        for (int k = 0; turns && k < 3; k++)
            add_entry(t, p->e->local[0].carrier[0] + 3 + k, local[i], -c_k * moment[k]);
        for (int j = 0; j <= i; j++) {
            double second[3];
            hessian_between(g.pose ? g.pose + 3 : NULL, hessian, shift[i], shift[j], second);
            add_entry(t, local[i], local[j], -c_k * v3_dot(w, second));
        }
    }
    if (turns) cord__add_rotation(p->e->local[0].carrier[0] + 3, g.arm, w, c_k, t);
}

static void stiffness_at(const cable *c, const double *cache, int after, double s,
                         const double w[3], double c_k, local_matrix *matrix)
{
    segment_point p = cord__segment_point(c, cache, after, s);
    element_terms t = {.r = {0}};
    if (p.e->kind == ELEMENT_CURVED)
        curved_stiffness(&p, w, c_k, &t);
    else
        straight_stiffness(&p, w, c_k, &t);
    cord__cable_scatter(p.e, &t, matrix);
}

void cord__cable_sliding_stiffness(const void *model, const double *cache, int element, double s,
                                   measure what, const double w[3], double c_k,
                                   local_matrix *matrix)
{
    const cable *c = model;
    if (what != MEASURE_POSITION) return;
    s += c->topology.start;
    int after = segment_of_element(c, element, &s);
    stiffness_at(c, cache, after, s, w, c_k, matrix);
}

/* A node is the end of a segment. */
static void node_stiffness(const cable *c, const double *cache, int node, const double w[3],
                           double c_k, local_matrix *matrix)
{
    int second = node + 1 == c->topology.nodes;
    segment_point p = {.c = c, .e = c->layout.element + node - second, .cache = cache};
    element_terms t = {.r = {0}};
    cord__end_stiffness(&p, second, w, c_k, &t);
    cord__cable_scatter(p.e, &t, matrix);
}

void cord__cable_geometric_stiffness(const void *model, const double *q, const double *cache,
                                     const attachment *at, measure what, const double w[3],
                                     double c_k, local_matrix *matrix)
{
    const cable *c = model;
    (void)q;
    double s;
    if (what == MEASURE_FRAME) {
        cord__frame_stiffness(c, cache, at, w, c_k, matrix);
    } else if (at->crosses_elements) {
        int after = cord__segment_of(c, cache, at, &s);
        stiffness_at(c, cache, after, s, w, c_k, matrix);
    } else {
        node_stiffness(c, cache, at->index, w, c_k, matrix);
    }
}

/* ---- as Jacobian of the block -------------------------------------------------------------------------------- */

static bool has_run(const point_jacobian *j, int dof)
{
    for (int run = 0; run < j->runs; run++)
        if (dof >= j->run[run].first && dof < j->run[run].first + j->run[run].count) return true;
    return false;
}

/* Appends dofs that are not yet in the list; consecutive ones extend the last run. */
static void add_run(point_jacobian *j, int first, int count)
{
    if (count == 0 || has_run(j, first)) return;
    int last = j->runs - 1;
    j->dofs += count;
    if (last >= 0 && j->run[last].first + j->run[last].count == first) {
        j->run[last].count += count;
        return;
    }
    j->run[j->runs].first = first, j->run[j->runs++].count = count;
}

static void add_carrier_dofs(const cable *c, int carrier, point_jacobian *j)
{
    if (carrier >= 0)
        add_run(j, cable_carrier_dof(c, carrier),
                c->def.carrier[carrier].rotates ? CARRIER_DOFS : 3);
}

/* The nodes from first to last, across the seam of a closed cable, and their carriers. */
static void list_runs(const cable *c, int first, int last, point_jacobian *j)
{
    int own = cable_own_nodes(c);
    j->runs = j->dofs = 0;
    for (int i = first; i <= last; i++) {
        const cable_node *n = c->topology.node + (i + own) % own;
        add_run(j, n->dof, n->count + (n->s_dof >= 0));
    }
    for (int i = first; i <= last; i++) {
        int guide = c->topology.node[(i + own) % own].guide;
        if (guide < 0) continue;
        add_carrier_dofs(c, c->def.guide[guide].carrier, j);
        add_carrier_dofs(c, c->def.guide[guide].far_carrier, j);
    }
}

int cord__jacobian_column(const point_jacobian *j, int dof)
{
    for (int run = 0, before = 0; run < j->runs; before += j->run[run++].count)
        if (dof >= j->run[run].first && dof < j->run[run].first + j->run[run].count)
            return before + dof - j->run[run].first;
    return -1;
}

void cord__material_dofs(const cable *c, const attachment *at, point_jacobian *j)
{
    double s;
    int own = cord__first_segment(c, at, &s);
    bool before = at->crosses_elements && may_pass(c, own, false),
         after = at->crosses_elements && may_pass(c, own, true);
    list_runs(c, own - before, own + 1 + after, j);
    memset(j->J, 0, 3 * (size_t)j->dofs * sizeof *j->J);
}

static void material_jacobian(const cable *c, const double *cache, const attachment *at,
                              point_jacobian *j)
{
    double s;
    int now = cord__segment_of(c, cache, at, &s);
    const cable_element *e = c->layout.element + now;
    segment_jacobian there;
    cord__material_dofs(c, at, j);
    segment_jacobian_at(c, cache, now, s, &there);
    v3_copy(j->value, there.value);
    for (int i = 0; i < element_dofs(e); i++)
        v3_copy(j->J + 3 * cord__jacobian_column(j, c->layout.unknown[e->first + i]),
                there.J[i].at);
}

static void carried_jacobian(const cable *c, const node_carrier *on, point_jacobian *j)
{
    int count = c->def.carrier[on->carrier].rotates ? CARRIER_DOFS : 3;
    for (int k = 0; k < count; k++) {
        double axis[3] = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, *dof = j->J + 3 * j->dofs++;
        v3_scale(axis, on->weight, axis);
        if (k < 3)
            v3_copy(dof, axis);
        else
            v3_cross(dof, axis, on->arm);
    }
    j->run[j->runs].first = cable_carrier_dof(c, on->carrier), j->run[j->runs++].count = count;
}

void cord__cable_point_jacobian(const void *model, const double *q, const double *cache,
                                const attachment *at, measure what, point_jacobian *j)
{
    const cable *c = model;
    const cable_node *n = c->topology.node + at->index;
    if (what == MEASURE_FRAME) {
        cord__frame_jacobian(c, cache, at, j);
        return;
    }
    if (at->crosses_elements) {
        material_jacobian(c, cache, at, j);
        return;
    }
    j->runs = j->dofs = 0;
    if (n->guide < 0) { /* evaluated before the cache exists */
        v3_copy(j->value, q + n->q);
        j->runs = 1;
        j->run[0].first = n->dof, j->run[0].count = j->dofs = 3;
        for (int k = 0; k < 9; k++) j->J[k] = k % 4 == 0;
        return;
    }
    v3_copy(j->value, cable_position(cache, at->index));
    if (n->count > 0) {
        j->run[j->runs].first = n->dof, j->run[j->runs++].count = n->count;
        memcpy(j->J, cable_jacobian(cache, at->index), 3 * (size_t)n->count * sizeof(double));
        j->dofs = n->count;
    }
    node_carrier on[NODE_CARRIERS];
    int carriers = cord__node_carriers(c, cache, at->index, on);
    for (int i = 0; i < carriers; i++) carried_jacobian(c, on + i, j);
}

void cord__cable_sliding_jacobian(const void *model, const double *q, const double *cache,
                                  int element, double s, sliding_jacobian *j)
{
    const cable *c = model;
    s += c->topology.start;
    int after = segment_of_element(c, element, &s);
    const cable_element *e = c->layout.element + after;
    segment_jacobian own;
    point_jacobian runs;
    (void)q;
    list_runs(c, after, after + 1, &runs);
    j->runs = runs.runs;
    j->dofs = runs.dofs;
    for (int i = 0; i < runs.runs; i++)
        j->run[i].first = runs.run[i].first, j->run[i].count = runs.run[i].count;
    segment_jacobian_at(c, cache, after, s, &own);
    v3_copy(j->value, own.value);
    v3_copy(j->r_s, own.tangent);
    v3_copy(j->r_ss, own.r_ss);
    v3_copy(j->r_sss, own.r_sss);
    for (int i = 0; i < element_dofs(e); i++) {
        int k = cord__jacobian_column(&runs, c->layout.unknown[e->first + i]);
        v3_copy(j->J + 3 * k, own.J[i].at);
        v3_copy(j->J_s + 3 * k, own.J_s[i].at);
        if (j->J_ss) v3_copy(j->J_ss + 3 * k, own.J_ss[i].at);
        if (j->tangent_spin) j->tangent_spin[k] = own.rotation[i];
    }
}
