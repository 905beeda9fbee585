/* The block of a cable: the entries of its elements are extra entries. Its band is their storage in a
 * cable that is alone in its cluster. */
#include "strand/cable/cable.h"

#include "curve/transport.h"
#include "math/interval.h"
#include "math/band.h"
#include "math/multiversion.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static void describe(const void *model, block_shape *shape)
{
    const cable *c = model;
    *shape = (block_shape){
        .q_count = c->layout.rotation_q + c->def.rotations,
        .dofs = c->layout.dofs,
        .rows = c->layout.rows,
        .cache_count = NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * c->def.carriers +
                       c->def.rotations + 1,
        .mass = MASS_CONFIGURATION,
        .band_count = c->layout.band_count,
        .band_width = c->layout.band_width,
        .unused_position = -1,
        .cyclic = c->def.closed,
        .group = 1,
        .jacobian_dofs = POINT_NODES * (NODE_COORDINATES + 1 + NODE_CARRIERS * CARRIER_DOFS),
        .contact_dofs = 2 * (NODE_COORDINATES + 1 + NODE_CARRIERS * CARRIER_DOFS),
        .extra_entries = c->layout.slot_count,
        .unsymmetric_rows = c->layout.slip_rows,
        .side_count = c->layout.side_count,
        .work_count = cord__event_work(&c->def) > c->layout.dofs + c->layout.rows
                          ? cord__event_work(&c->def)
                          : c->layout.dofs + c->layout.rows,
        .events_read_cache = cord__has_free_end(c),
        .dense_rows = c->layout.twist_row >= 0,
        .shared_dofs = c->layout.dofs - c->layout.own_dofs};
}

static void positions(const void *model, int *position)
{
    const cable *c = model;
    memcpy(position, c->layout.order, (size_t)(c->layout.dofs + c->layout.rows) * sizeof *position);
}

static void extra_entries(const void *model, int *pairs)
{
    const cable *c = model;
    for (int i = 0; i < c->layout.elements; i++) {
        const cable_element *e = c->layout.element + i;
        const int *unknown = c->layout.unknown + e->first;
        for (int a = 0; a < e->count; a++)
            for (int b = 0; b <= a; b++) {
                bool swap = c->layout.order[unknown[a]] > c->layout.order[unknown[b]];
                *pairs++ = unknown[swap ? b : a];
                *pairs++ = unknown[swap ? a : b];
            }
    }
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const cable *c = model;
    for (int i = 0; i < c->layout.dofs; i++) scale[i] = 1, stiffness[i] = 0;
    for (int i = 0; i < c->topology.nodes; i++) {
        const cable_node *n = c->topology.node + i;
        double size = cord__shorter_segment(c, i);
        for (int k = 0; k < n->count; k++) scale[n->dof + k] = size / cord__dof_scale(c, i, k);
        if (n->s_dof >= 0) scale[n->s_dof] = size;
    }
    if (c->layout.twist_dof >= 0)
        stiffness[c->layout.twist_dof] = c->def.material.twisting / c->topology.length;
}

static double inertia(const void *model, double *weight)
{
    const cable *c = model;
    memcpy(weight, c->layout.weight, (size_t)c->layout.dofs * sizeof *weight);
    return c->def.material.stretching > 0
               ? c->def.material.stretching /
                     (c->def.material.density * c->topology.length * c->topology.length)
               : 0;
}

static void initial(const void *model, double *q, double *v)
{
    const cable *c = model;
    memcpy(q, c->initial.q, (size_t)(c->layout.rotation_q + c->def.rotations) * sizeof *q);
    memcpy(v, c->initial.v, (size_t)c->layout.dofs * sizeof *v);
}

/* Shared configurations are copied from the carriers. */
static void retract(const void *model, double *q, const double *d)
{
    const cable *c = model;
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->topology.node + i;
        for (int k = 0; k < n->count; k++) q[n->q + k] += d[n->dof + k];
        if (n->s_dof >= 0) q[n->q + n->count] += d[n->s_dof];
    }
    if (c->layout.twist_dof >= 0) q[c->layout.own_q - 1] += d[c->layout.twist_dof];
}

static void refresh_node(const cable *c, const double *q, double *cache, int node)
{
    const cable_node *n = c->topology.node + node;
    double *position = cache + NODE_CACHE * node, own[3], jacobian[6] = {0};
    memcpy(position + 12, n->count > 0 ? q + n->q : n->at, (size_t)n->size * sizeof *position);
    position[15] = n->s_dof >= 0 ? q[n->q + n->count] : n->s;
    if (n->guide < 0) {
        static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        v3_copy(position, q + n->q);
        memcpy(position + 3, axes, sizeof axes);
        return;
    }
    const cable_guide *g = c->def.guide + n->guide;
    if (guide_is_span(g)) {
        double to[3];
        cord__span_ends(c, cache, g, own, to);
        v3_combine(position, 1 - position[12], own, position[12], to);
        v3_sub(position + 3, to, own);
        return;
    }
    guide_position(g, position + 12, own, jacobian, NULL);
    const double *pose = guide_pose(c, cache, g);
    to_world(pose, own, position);
    for (int k = 0; k < n->size; k++) vector_to_world(pose, jacobian + 3 * k, position + 3 + 3 * k);
}

static void refresh(const void *model, const double *q, double *cache)
{
    const cable *c = model;
    for (int i = 0; i < c->def.carriers; i++) {
        static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const double *from = q + c->layout.carrier[i].q;
        double *carrier = cache + NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * i;
        v3_copy(carrier, from);
        if (c->def.carrier[i].rotates)
            q4_matrix(carrier + 3, from + 3);
        else
            memcpy(carrier + 3, axes, sizeof axes);
    }
    for (int i = 0; i < cable_own_nodes(c); i++) refresh_node(c, q, cache, i);
    cord__closed_cache(c, cache);
    double *turns = cache + NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * c->def.carriers;
    for (int i = 0; i < c->def.rotations; i++) turns[i] = q[c->layout.rotation_q + i];
    turns[c->def.rotations] = c->layout.twist_dof >= 0 ? q[c->layout.own_q - 1] : 0;
}

/* ---- equations ------------------------------------------------------------------------------------- */

static void scatter(const cable *c, const cable_element *e, const element_terms *t,
                    double *restrict r, double *restrict g)
{
    const int *unknown = c->layout.unknown + e->first;
    for (int i = 0; i < e->count; i++) {
        if (unknown[i] < c->layout.dofs)
            r[unknown[i]] += t->r[i];
        else if (e->kind != ELEMENT_TWIST) /* of which there are many to a row */
            g[unknown[i] - c->layout.dofs] = t->r[i];
    }
}

/* The lower triangle. */
void cord__cable_scatter(const cable_element *e, const element_terms *t, const local_matrix *matrix)
{
    const int *restrict slot = matrix->extra_slot + e->first_slot;
    double *restrict to = matrix->values;
    for (int i = 0; i < e->count; slot += ++i) {
        const double *restrict row = t->a[i];
        UNROLLED_BY(4)
        for (int j = 0; j <= i; j++) to[slot[j]] += row[j];
    }
}

void cord__cable_energy(const cable *c, const environment *env, const double *cache,
                        const double *v, block_energy *e)
{
    element_input in = {.cache = cache, .v = v, .environment = env};
    *e = (block_energy){0};
    for (int i = 0; i < c->layout.elements; i++) {
        element_terms t;
        if (c->layout.element[i].kind >= ELEMENT_TANGENT) continue; /* rows only */
        cord__element_energy(c, c->layout.element + i, &in, &t);
        e->kinetic += t.kinetic;
        e->gravity += t.gravity;
        e->stretching += t.stretching;
        e->bending += t.bending;
        v3_add(e->linear, e->linear, t.linear);
        v3_add(e->angular, e->angular, t.angular);
    }
    e->twisting = 0.5 * cord__torque(c, cache) * cable_twist(c, cache);
}

/* The sum over all elements. */
static void add_elements(const cable *c, const element_input *at, double *r, double *g,
                         local_matrix *matrix)
{
    memset(r, 0, (size_t)c->layout.dofs * sizeof *r);
    for (int i = 0; i < c->layout.elements; i++) {
        const cable_element *e = c->layout.element + i;
        element_terms t;
        cord__element_terms(c, e, at, &t);
        scatter(c, e, &t, r, g);
        if (matrix) cord__cable_scatter(e, &t, matrix);
    }
    if (matrix) cord__closed_stabilise(c, at, matrix);
}

static double total(const block_energy *e)
{
    return e->kinetic + e->gravity + e->stretching + e->bending + e->twisting;
}

static void row_values(const cable *c, const double *cache, const double *side, double *g)
{
    for (int i = 0; i < c->layout.elements; i++)
        if (c->layout.element[i].row >= 0 && c->layout.element[i].kind != ELEMENT_TWIST)
            g[c->layout.element[i].row] = cord__row_value(c, c->layout.element + i, cache, side);
}

/* `midpoint`: the defect between the work of the midpoint forces, constraint rows included, along
 * the displacement of the nodes, and the change of energy over the step: third order in the step. */
static double work_defect(const cable *c, const block_eval *in, const midpoint_step *step,
                          const element_input *half, const double *g_end, double *r, double *g)
{
    element_input at = *half;
    block_energy before, after;
    double h = 1 / in->c_v, work = 0, *v = in->work;
    at.matrix = at.augmented = false;
    at.lossless = true;
    at.g = NULL;
    add_elements(c, &at, r, g, NULL);
    for (int k = 0; k < c->layout.dofs; k++) work -= r[k] * step->d[k];
    row_values(c, step->start, in->side, g);
    for (int k = 0; k < c->layout.rows; k++) {
        bool length = c->layout.row_element[k] + 1 < c->topology.nodes; /* segments come first */
        double counted = length ? c->def.prescribed_tension + (c->layout.rigid ? half->off : 0) : 0;
        work -= (in->lambda[k] - counted) * (g_end[k] - g[k]);
    }
    if (c->layout.slips > 0) work -= cord__friction_work(c, &at, step->d, g, g_end);
    for (int k = 0; k < c->layout.dofs; k++) v[k] = in->v[k] - 0.5 * h * in->a[k];
    cord__cable_energy(c, in->environment, step->start, v, &before);
    for (int k = 0; k < c->layout.dofs; k++) v[k] = in->v[k] + 0.5 * h * in->a[k];
    cord__cable_energy(c, in->environment, step->end, v, &after);
    return work + total(&after) - total(&before);
}

/* r += w times the weighted displacement d, over the dofs that are lengths: those of the cable, and
 * those of strands that the cable runs through, which may be the only ones that move. Returns the
 * squared weighted norm of d; r may be NULL. */
static double add_along_motion(const cable *c, const double *d, double w, double *r)
{
    double sum = 0;
    for (int i = -1; i < c->def.carriers; i++) {
        if (i >= 0 && c->def.carrier[i].rotates) continue;
        int first = i < 0 ? 0 : c->layout.carrier[i].dof,
            count = i < 0 ? cable_node_dofs(&c->layout) : 3;
        for (int k = first; k < first + count; k++) {
            sum += c->layout.weight[k] * d[k] * d[k];
            if (r) r[k] += w * c->layout.weight[k] * d[k];
        }
    }
    return sum;
}

/* A slack segment of a closed cable: the rows then determine the tensions of the others. */
static bool is_slack(const cable *c, const double *side)
{
    for (int i = 0; c->layout.compliance > 0 && i + 1 < c->topology.nodes; i++)
        if (length_slack(c->layout.element + i, side)) return true;
    return false;
}

element_input cord__cable_input(const cable *c, const block_eval *in, bool matrix)
{
    element_input at = {.cache = in->cache,
                        .v = in->v,
                        .a = in->a,
                        .lambda = in->lambda,
                        .side = in->side,
                        .environment = in->environment,
                        .c_a = in->c_a,
                        .c_v = in->c_v,
                        .c_k = in->c_k,
                        .rows_only = in->rows_only,
                        .matrix = matrix,
                        .augmented = matrix || in->augmented};
    if (!in->rows_only && !is_slack(c, in->side))
        at.off = cord__closed_mean(c, in->cache, in->lambda);
    return at;
}

static bool choose_active_set(const void *model, const block_eval *in, const double *row_cache,
                              double *side)
{
    const cable *c = model;
    bool inextensible = c->def.material.stretching == 0;
    if (c->layout.slips == 0 && !inextensible) return false;
    element_input at = cord__cable_input(c, in, true);
    bool slips = cord__slips_choose(c, &at, side);
    return (inextensible && cord__slack_choose(c, &at, row_cache, side)) || slips;
}

static bool closes(const void *model, const double *before, const double *side)
{
    return cord__slack_closes(model, before, side) ||
           cord__slips_hash(model, before) != cord__slips_hash(model, side);
}

static bool crosses(const void *model, const double *start, const double *end)
{
    return cord__slack_crosses(model, start, end);
}

static bool release_rows(const void *model, const double *cache, double step, const double *impulse,
                         double *side)
{
    return cord__slack_release(model, cache, step, impulse, side);
}

static void end_impact(const void *model, double h, const double *impulse, double *side)
{
    cord__slack_end_impact(model, h, impulse, side);
}

/* `step`: data of `midpoint`, or NULL. */
static void assemble_midpoint(const void *model, const block_eval *in, const midpoint_step *step,
                              double *r, double *g, local_matrix *matrix)
{
    const cable *c = model;
    element_input at = cord__cable_input(c, in, matrix != NULL);
    for (int i = 0, rows = 0; matrix && i < c->layout.slips; i++)
        rows += cord__slip_corrections(c, i, &at, matrix->unsymmetric + rows);
    if (in->rows_only && !matrix) {
        memset(r, 0, (size_t)c->layout.dofs * sizeof *r);
        row_values(c, in->cache, in->side, g);
        return;
    }
    if (!step) {
        add_elements(c, &at, r, g, matrix);
        return;
    }
    double *g_end = in->work + c->layout.dofs;
    at.step = step;
    row_values(c, step->end, in->side, g_end);
    double work = work_defect(c, in, step, &at, g_end, r, g);
    at.g = g_end;
    add_elements(c, &at, r, g, matrix);
    double moved = add_along_motion(c, step->d, 0, NULL);
    if (fabs(work) < 0.1 * in->c_a * moved) add_along_motion(c, step->d, work / moved, r);
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    assemble_midpoint(model, in, NULL, r, g, matrix);
}

static void start_step(const void *model, const environment *env, const double *cache,
                       const double *v, double step, double *side)
{
    cord__no_slip_begin(model, cache, side);
    cord__slack_begin(model, env, cache, v, step, side);
}

static void initial_side(const void *model, double *side)
{
    const cable *c = model;
    memcpy(side, c->initial.side, (size_t)c->layout.side_count * sizeof *side);
}

static const memory_ops side_memory = {.initial = initial_side,
                                       .start_step = start_step,
                                       .choose_active_set = choose_active_set,
                                       .closes = closes,
                                       .crosses = crosses,
                                       .release_rows = release_rows,
                                       .end_impact = end_impact};

static void energy(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e)
{
    (void)inertial_v, (void)q;
    cord__cable_energy(model, env, cache, v, e);
}

static int row_dofs(const void *model, int row, int *dofs)
{
    const cable *c = model;
    const cable_element *e = c->layout.element + c->layout.row_element[row];
    memcpy(dofs, c->layout.unknown + e->first, (size_t)(e->count - 1) * sizeof *dofs);
    return e->count - 1;
}

static void row_rates(const void *model, const double *cache, const double *side, const double *v,
                      double *rate)
{
    const cable *c = model;
    for (int i = 0; i < c->layout.elements; i++)
        if (c->layout.element[i].kind == ELEMENT_TWIST) /* after that of the torsion */
            rate[c->layout.twist_row] += cord__row_rate(c, c->layout.element + i, cache, side, v);
        else if (c->layout.element[i].row >= 0)
            rate[c->layout.element[i].row] =
                cord__row_rate(c, c->layout.element + i, cache, side, v);
}

static double row_error(const void *model, const double *cache)
{
    const cable *c = model;
    double worst = 0;
    for (int i = 0; i + 1 < c->topology.nodes && c->def.material.stretching == 0;
         i++) { /* segments come first */
        double ds = cable_s(cache, i + 1) - cable_s(cache, i);
        double g = cord__row_value(c, c->layout.element + i, cache, NULL);
        worst = fmax(worst, ((c->layout.element + i)->one_sided ? g : fabs(g)) / ds);
    }
    return worst;
}

/* Weighted by length: an indeterminate force is then distributed as in extensible cables. */
static double proximal(const void *model, int row)
{
    const cable *c = model;
    int i = c->layout.row_element[row];
    if (c->layout.compliance == 0 || i + 1 >= c->topology.nodes) return 1;
    return (c->topology.node[i + 1].s - c->topology.node[i].s) * (c->topology.nodes - 1) /
           c->topology.length;
}

/* No segment loses more than half its length in one correction, and no node moves farther round its guide. */
static double nonlinearity(const void *model, const double *cache, const double *d)
{
    const cable *c = model;
    double worst = 0;
    for (int i = 0; i + 1 < c->topology.nodes; i++) {
        const cable_node *a = c->topology.node + i, *b = a + 1;
        double ds = cable_s(cache, i + 1) - cable_s(cache, i);
        double change = (b->s_dof >= 0 ? d[b->s_dof] : 0) - (a->s_dof >= 0 ? d[a->s_dof] : 0);
        worst = fmax(worst, -change / (0.5 * ds));
    }
    for (int i = 0; i < c->topology.nodes; i++) {
        const cable_node *n = c->topology.node + i;
        if (n->guide < 0 || n->count == 0 || c->def.guide[n->guide].ops->angles == 0) continue;
        worst = fmax(worst, fabs(d[n->dof]) / c->def.guide[n->guide].radius);
    }
    return worst;
}

static void destroy(void *model, memory *m)
{
    cable *c = model;
    void *arrays[] = {c->layout.carrier,     c->topology.node,     c->def.guide,
                      c->layout.element,     c->layout.unknown,    c->layout.order,
                      c->layout.row_element, c->layout.row_head,   c->layout.row_next,
                      c->initial.q,          c->topology.waypoint, c->initial.v,
                      c->layout.slip,        c->initial.side,      c->layout.weight,
                      c->layout.table,       c->def.carrier,       c->layout.straight};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    cord__release(m, c);
}

/* ---- as a strand ----------------------------------------------------------------------------------- */

static void info(const void *model, cord_strand_info *out)
{
    const cable *c = model;
    out->section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = c->def.material.radius};
    out->vertex_count = c->def.vertices;
    out->edge_count = c->def.vertices - !c->def.closed;
    out->closed = c->def.closed;
    out->has_nodes = true;
    out->length = c->topology.length;
    out->mass = c->def.material.density * c->topology.length;
    out->stretching = c->def.material.stretching;
    out->bending[0] = out->bending[1] = c->def.material.bending;
    out->twisting = c->def.material.twisting;
}

int cord__segment_at(const cable *c, const double *cache, double s, double *alpha)
{
    if (c->def.closed) s = cord__closed_s(&c->topology, cache, s);
    int segment = interval_at(cable_position(cache, 0) + NODE_S, NODE_CACHE * sizeof *cache, 0,
                              c->topology.nodes - 1, s);
    double from = cable_s(cache, segment), to = cable_s(cache, segment + 1);
    *alpha = fmin(fmax((s - from) / (to - from), 0), 1);
    return segment;
}

void cord__node_velocity(const cable *c, const double *cache, const double *v, int node,
                         double out[3])
{
    const cable_node *n = c->topology.node + node;
    node_carrier on[NODE_CARRIERS];
    int carriers = cord__node_carriers(c, cache, node, on);
    v3_set(out, 0, 0, 0);
    for (int k = 0; k < n->count; k++)
        v3_axpy(out, v[n->dof + k], cable_jacobian(cache, node) + 3 * k);
    for (int i = 0; i < carriers; i++) {
        double moves[3];
        carrier_motion(c, on[i].carrier, v, on[i].arm, moves);
        v3_axpy(out, on[i].weight, moves);
    }
}

static void on_curve(const cable *c, const double *cache, const double *v, int i, double alpha,
                     double x[3], double velocity[3], double r_s[3])
{
    const cable_node *n = c->topology.node + i;
    const cable_guide *g = c->def.guide + n->guide;
    const double *pose = guide_pose(c, cache, g);
    const double *from = cable_coordinates(cache, i), *to = cable_coordinates(cache, i + 1);
    double at[3], own[3], jacobian[6] = {0}, ds = cable_s(cache, i + 1) - cable_s(cache, i);
    v3_combine(at, 1 - alpha, from, alpha, to);
    guide_position(g, at, own, jacobian, NULL);
    to_world(pose, own, x);
    v3_set(r_s, 0, 0, 0);
    v3_set(velocity, 0, 0, 0);
    for (int k = 0; k < n->size; k++) {
        double turned[3], rate = (1 - alpha) * cable_rate(&c->topology, i, k, v) +
                                 alpha * cable_rate(&c->topology, i + 1, k, v);
        vector_to_world(pose, jacobian + 3 * k, turned);
        v3_axpy(r_s, (to[k] - from[k]) / ds, turned);
        v3_axpy(velocity, rate, turned);
    }
    if (!pose) return;
    double arm[3], moves[3];
    v3_sub(arm, x, pose);
    carrier_motion(c, g->carrier, v, arm, moves);
    v3_add(velocity, velocity, moves);
}

void cord__cable_in(const cable *c, const double *cache, const double *v, int i, double alpha,
                    double x[3], double velocity[3], double r_s[3])
{
    const cable_node *n = c->topology.node + i;
    if (cable_is_curved(c, i)) {
        on_curve(c, cache, v, i, alpha, x, velocity, r_s);
    } else {
        double moves[2][3], ds = cable_s(cache, i + 1) - cable_s(cache, i);
        v3_combine(x, 1 - alpha, cable_position(cache, i), alpha, cable_position(cache, i + 1));
        v3_sub(r_s, cable_position(cache, i + 1), cable_position(cache, i));
        v3_scale(r_s, 1 / ds, r_s);
        for (int k = 0; k < 2; k++) cord__node_velocity(c, cache, v, i + k, moves[k]);
        v3_combine(velocity, 1 - alpha, moves[0], alpha, moves[1]);
    }
    double rate = (1 - alpha) * (n->s_dof >= 0 ? v[n->s_dof] : 0) +
                  alpha * (n[1].s_dof >= 0 ? v[n[1].s_dof] : 0);
    v3_axpy(velocity, -rate, r_s);
}

void cord__cable_at(const cable *c, const double *cache, const double *v, double s, double x[3],
                    double velocity[3], double r_s[3])
{
    double alpha;
    int segment = cord__segment_at(c, cache, s, &alpha);
    cord__cable_in(c, cache, v, segment, alpha, x, velocity, r_s);
}

/* The momentum of the material from s to `to`, which moves as in `of`, on the dofs of a segment of
 * `made`; by Gauss's rule. */
static void add_momentum(const cable *of, const double *of_cache, const double *of_v,
                         const cable *made, const double *cache, int segment, double from,
                         double to, double sign, double *momentum)
{
    static const double gauss[2][2] = {{0.2113248654051871, 0.5}, {0.7886751345948129, 0.5}};
    const cable_element *e = made->layout.element + segment;
    element_input in = {.cache = cache};
    element_terms t = {.r = {0}};
    for (int k = 0; k < 2; k++) {
        double s = from + gauss[k][0] * (to - from), x[3], r_s[3], rate[3];
        double start = cable_s(cache, segment), ds = cable_s(cache, segment + 1) - start;
        cord__cable_at(of, of_cache, of_v, s, x, rate, r_s);
        v3_scale(rate, sign * gauss[k][1] * (to - from) * made->def.linear_density, rate);
        cord__element_push(made, e, &in, (s - start) / ds, rate, &t);
    }
    for (int i = 0; i < e->count; i++) {
        int u = made->layout.unknown[e->first + i];
        if (u < made->layout.dofs) momentum[u] += t.r[i];
    }
}

void cord__cable_momentum(const cable *old, const double *old_cache, const double *old_v,
                          const cable *made, const double *cache, double *momentum)
{
    int k = 0; /* the next node of the old one */
    for (int i = 0; i + 1 < made->topology.nodes; i++) {
        double from = cable_s(cache, i), end = cable_s(cache, i + 1);
        while (from < end) {
            while (k < old->topology.nodes && cable_s(old_cache, k) <= from) k++;
            double to = k < old->topology.nodes ? fmin(cable_s(old_cache, k), end) : end;
            add_momentum(old, old_cache, old_v, made, cache, i, from, to, 1, momentum);
            from = to;
        }
    }
}

void cord__cable_impulse(const void *model, const double *cache, const double *v,
                         const double *momentum, double *impulse)
{
    const cable *c = model;
    memcpy(impulse, momentum, (size_t)c->layout.dofs * sizeof *impulse);
    for (int i = 0; i + 1 < c->topology.nodes; i++)
        add_momentum(c, cache, v, c, cache, i, cable_s(cache, i), cable_s(cache, i + 1), -1,
                     impulse);
}

static const row_ops rows = {.dofs = row_dofs,
                             .rates = row_rates,
                             .error = row_error,
                             .proximal = proximal,
                             .label = cord__row_label};
static const sliding_ops sliding = {.element_at = cord__cable_element_at,
                                    .jacobian = cord__cable_sliding_jacobian,
                                    .add_stiffness = cord__cable_sliding_stiffness};
static const midpoint_ops midpoint = {.assemble = assemble_midpoint, .limited_correction = true};

const strand_ops cord__cable = {
    .block = {.name = "cable",
              .describe = describe,
              .elimination_order = positions,
              .scales = scales,
              .inertia = inertia,
              .initial = initial,
              .retract = retract,
              .refresh = refresh,
              .assemble = assemble,
              .energy = energy,
              .attach = cord__cable_attach,
              .point_jacobian = cord__cable_point_jacobian,
              .destroy = destroy,
              .nonlinearity = nonlinearity,
              .add_geometric_stiffness = cord__cable_geometric_stiffness,
              .rows = &rows,
              .extra_entries = extra_entries,
              .sliding = &sliding,
              .contact = &cord__cable_contact,
              .midpoint = &midpoint,
              .memory = &side_memory,
              .topology = &cord__cable_topology,
              .start_attachment = cord__start_attachment},
    .info = info,
    .get_positions = cord__cable_positions,
    .coordinates = cord__cable_coordinates,
    .get_velocities = cord__cable_velocities,
    .frames = cord__cable_frames,
    .frame_at = cord__cable_frame_at,
    .tensions = cord__cable_tensions,
};
