/* The block of a cable: its elements' terms into the band and, where what it rides on is touched, into extra
 * entries. */
#include "strand/cable/cable.h"

#include "curve/transport.h"
#include "math/band.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static void describe(const void *model, block_shape *shape)
{
    const cable *c = model;
    *shape = (block_shape){
        .q_count = c->spin_q + c->spins,
        .dofs = c->columns,
        .rows = c->rows,
        .cache_count = NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * c->ports + c->spins + 1,
        .band_count = c->band_count,
        .band_width = c->band_width,
        .unused_position = -1,
        .cyclic = c->closed,
        .group = 1,
        .jacobian_dofs = POINT_NODES * (NODE_COORDINATES + 1 + NODE_CARRIERS * CARRIER_DOFS),
        .extra_entries = c->extras,
        .unsymmetric_rows = c->slips,
        .dense_rows = c->twist_row >= 0,
        .shared_dofs = c->columns - c->own_dofs};
}

static void positions(const void *model, int *position)
{
    const cable *c = model;
    memcpy(position, c->position, (size_t)(c->columns + c->rows) * sizeof *position);
}

static void extra_entries(const void *model, int *pairs)
{
    const cable *c = model;
    memcpy(pairs, c->extra, 2 * (size_t)c->extras * sizeof *pairs);
    c->placed->from = NULL; /* they get other places */
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const cable *c = model;
    for (int i = 0; i < c->columns; i++) scale[i] = 1, stiffness[i] = 0;
    for (int i = 0; i < c->nodes; i++) {
        const cable_node *n = c->node + i;
        double size = cord__around_node(c, i);
        for (int k = 0; k < n->count; k++) scale[n->column + k] = size / cord__column_size(c, i, k);
        if (n->s_dof >= 0) scale[n->s_dof] = size;
    }
    if (c->twist_dof >= 0) stiffness[c->twist_dof] = c->of.twisting / c->length;
}

static double metric(const void *model, double *weight)
{
    const cable *c = model;
    memcpy(weight, c->weight, (size_t)c->columns * sizeof *weight);
    return c->of.stretching > 0 ? c->of.stretching / (c->of.density * c->length * c->length) : 0;
}

static void initial(const void *model, double *q, double *v)
{
    const cable *c = model;
    memcpy(q, c->initial_q, (size_t)(c->spin_q + c->spins) * sizeof *q);
    memcpy(v, c->initial_v, (size_t)c->columns * sizeof *v);
}

/* What it rides on is put in its place from there. */
static void retract(const void *model, double *q, const double *d)
{
    const cable *c = model;
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->node + i;
        for (int k = 0; k < n->count; k++) q[n->q + k] += d[n->column + k];
        if (n->s_dof >= 0) q[n->q + n->count] += d[n->s_dof];
    }
    if (c->twist_dof >= 0) q[c->own_q - 1] += d[c->twist_dof];
}

static void refresh_node(const cable *c, const double *q, double *cache, int node)
{
    const cable_node *n = c->node + node;
    double *place = cache + NODE_CACHE * node, own[3], slopes[6] = {0};
    memcpy(place + 12, n->count > 0 ? q + n->q : n->at, (size_t)n->size * sizeof *place);
    place[15] = n->s_dof >= 0 ? q[n->q + n->count] : n->s;
    if (n->guide < 0) {
        static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        v3_copy(place, q + n->q);
        memcpy(place + 3, axes, sizeof axes);
        return;
    }
    const cable_guide *g = c->guide + n->guide;
    if (g->kind == CORD_GUIDE_SPAN) {
        double to[3];
        cord__span_ends(c, cache, g, own, to);
        v3_combine(place, 1 - place[12], own, place[12], to);
        v3_sub(place + 3, to, own);
        return;
    }
    cord__guide_place(g, place + 12, own, slopes, NULL);
    if (g->port < 0) {
        v3_copy(place, own);
        memcpy(place + 3, slopes, sizeof slopes);
        return;
    }
    const double *port = carrier_pose(c, cache, g->port);
    m3_apply(place, port + 3, own);
    v3_add(place, place, port);
    for (int k = 0; k < n->size; k++) m3_apply(place + 3 + 3 * k, port + 3, slopes + 3 * k);
}

static void refresh(const void *model, const double *q, double *cache)
{
    const cable *c = model;
    for (int i = 0; i < c->ports; i++) {
        static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const double *from = q + c->port[i].q;
        double *port = cache + NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * i;
        v3_copy(port, from);
        if (c->port[i].turns)
            q4_matrix(port + 3, from + 3);
        else
            memcpy(port + 3, axes, sizeof axes);
    }
    for (int i = 0; i < cable_own_nodes(c); i++) refresh_node(c, q, cache, i);
    cord__closed_cache(c, cache);
    double *turns = cache + NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * c->ports;
    for (int i = 0; i < c->spins; i++) turns[i] = q[c->spin_q + i];
    turns[c->spins] = c->twist_dof >= 0 ? q[c->own_q - 1] : 0;
}

/* ---- equations ------------------------------------------------------------------------------------- */

static void scatter(const cable *c, const cable_element *e, const element_terms *t,
                    double *restrict r, double *restrict g)
{
    const int *unknown = c->unknown + e->first;
    for (int i = 0; i < e->count; i++) {
        if (unknown[i] < c->columns)
            r[unknown[i]] += t->r[i];
        else if (e->kind != ELEMENT_TWIST) /* of which there are many to a row */
            g[unknown[i] - c->columns] = t->r[i];
    }
}

static void place_slots(const cable *c, const int *from)
{
    for (int i = 0; i < c->slot_count; i++) c->placed->at[i] = from[c->slot[i]];
    c->placed->from = from;
}

/* The lower triangle: into the band, or where extras are. */
void cord__cable_scatter(const cable *c, const cable_element *e, const element_terms *t,
                         const local_matrix *matrix)
{
    bool listed = c->band_width < 0;
    if (listed && c->placed->from != matrix->extra_slot) place_slots(c, matrix->extra_slot);
    const int *restrict slot = (listed ? c->placed->at : c->slot) + e->first_slot;
    double *restrict to = listed ? matrix->extras : matrix->band;
    for (int i = 0; i < e->count; slot += ++i) {
        const double *restrict row = t->a[i];
        for (int j = 0; j <= i; j++) to[slot[j]] += row[j];
    }
}

static void energy_at(const cable *c, const environment *env, const double *cache, const double *v,
                      block_energy *e)
{
    element_input in = {.cache = cache, .v = v, .environment = env};
    *e = (block_energy){0};
    for (int i = 0; i < c->elements; i++) {
        element_terms t;
        if (c->element[i].kind >= ELEMENT_TANGENT) continue; /* rows only */
        cord__element_energy(c, c->element + i, &in, &t);
        e->kinetic += t.kinetic;
        e->gravity += t.gravity;
        e->stretching += t.stretching;
        e->bending += t.bending;
        v3_add(e->linear, e->linear, t.linear);
        v3_add(e->angular, e->angular, t.angular);
    }
    e->twisting = 0.5 * cord__torque(c, cache) * cable_twist(c, cache);
}

/* All elements, added up. */
static void add_elements(const cable *c, const element_input *at, double *r, double *g,
                         local_matrix *matrix)
{
    memset(r, 0, (size_t)c->columns * sizeof *r);
    for (int i = 0; i < c->elements; i++) {
        const cable_element *e = c->element + i;
        element_terms t;
        cord__element_terms(c, e, at, &t);
        scatter(c, e, &t, r, g);
        if (matrix) cord__cable_scatter(c, e, &t, matrix);
    }
    if (matrix) cord__closed_hold(c, at, matrix);
}

static double total(const block_energy *e)
{
    return e->kinetic + e->gravity + e->stretching + e->bending + e->twisting;
}

static void row_values(const cable *c, const double *cache, double *g)
{
    for (int i = 0; i < c->elements; i++)
        if (c->element[i].row >= 0 && c->element[i].kind != ELEMENT_TWIST)
            g[c->element[i].row] = cord__row_value(c, c->element + i, cache);
}

/* `midpoint`: what the forces half way lack of the change of energy over the step, rows included, along the
 * motion of the nodes: third order in the step. */
static double lacking_work(const cable *c, const block_eval *in, const element_input *half,
                           const double *g_end, double *r, double *g)
{
    element_input at = *half;
    block_energy before, after;
    double h = 1 / in->c_v, work = 0, *v = c->scratch;
    at.matrix = false;
    at.lossless = true;
    at.g = NULL;
    add_elements(c, &at, r, g, NULL);
    for (int k = 0; k < c->columns; k++) work -= r[k] * in->d[k];
    row_values(c, in->start, g);
    for (int k = 0; k < c->rows; k++) {
        bool length = c->row_element[k] + 1 < c->nodes; /* segments come first */
        double counted = length ? c->mean + (c->rigid ? half->off : 0) : 0;
        work -= (in->lambda[k] - counted) * (g_end[k] - g[k]);
    }
    for (int k = 0; k < c->columns; k++) v[k] = in->v[k] - 0.5 * h * in->a[k];
    energy_at(c, in->environment, in->start, v, &before);
    for (int k = 0; k < c->columns; k++) v[k] = in->v[k] + 0.5 * h * in->a[k];
    energy_at(c, in->environment, in->end, v, &after);
    return work + total(&after) - total(&before);
}

/* r += w times the weighted motion d, of columns that are lengths: its own, and those of strands it runs through,
 * which may be all that moves. The square of that motion; r may be NULL. */
static double along_motion(const cable *c, const double *d, double w, double *r)
{
    double sum = 0;
    for (int i = -1; i < c->ports; i++) {
        if (i >= 0 && c->port[i].turns) continue;
        int first = i < 0 ? 0 : c->port[i].column, count = i < 0 ? cable_node_columns(c) : 3;
        for (int k = first; k < first + count; k++) {
            sum += c->weight[k] * d[k] * d[k];
            if (r) r[k] += w * c->weight[k] * d[k];
        }
    }
    return sum;
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    const cable *c = model;
    element_input at = {.cache = in->cache,
                        .v = in->v,
                        .a = in->a,
                        .lambda = in->lambda,
                        .environment = in->environment,
                        .c_a = in->c_a,
                        .c_v = in->c_v,
                        .c_k = in->c_k,
                        .rows_only = in->rows_only,
                        .matrix = matrix != NULL};
    if (!in->rows_only) at.off = cord__closed_mean(c, in->cache, in->lambda);
    if (matrix && !in->rows_only) cord__slips_choose(c, &at);
    *c->last = at;
    if (in->rows_only && !matrix) {
        memset(r, 0, (size_t)c->columns * sizeof *r);
        row_values(c, in->cache, g);
        return;
    }
    if (!in->start) {
        add_elements(c, &at, r, g, matrix);
        return;
    }
    double *g_end = c->scratch + c->columns;
    row_values(c, in->end, g_end);
    double work = lacking_work(c, in, &at, g_end, r, g);
    at.g = g_end;
    add_elements(c, &at, r, g, matrix);
    double moved = along_motion(c, in->d, 0, NULL);
    if (fabs(work) < 0.1 * in->c_a * moved) along_motion(c, in->d, work / moved, r);
}

static bool ends(const void *model, const double *q)
{
    return cord__wheel_is_left(model, q);
}

/* Corrections of the rows of wraps that slip, for the evaluation before. */
static int skew(const void *model, int which, int *row, int *unknown, double *value)
{
    const cable *c = model;
    return cord__slip_correction(c, which, c->last, row, unknown, value);
}

static void start_step(const void *model, const double *cache)
{
    cord__grips_begin(model, cache);
    cord__joins_begin(model, cache);
}

static void energy(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e)
{
    (void)inertial_v, (void)q;
    energy_at(model, env, cache, v, e);
}

static int row_columns(const void *model, int row, int *columns)
{
    const cable *c = model;
    const cable_element *e = c->element + c->row_element[row];
    memcpy(columns, c->unknown + e->first, (size_t)(e->count - 1) * sizeof *columns);
    return e->count - 1;
}

static void row_rates(const void *model, const double *cache, const double *v, double *rate)
{
    const cable *c = model;
    for (int i = 0; i < c->elements; i++)
        if (c->element[i].kind == ELEMENT_TWIST) /* after that of the torsion */
            rate[c->twist_row] += cord__row_rate(c, c->element + i, cache, v);
        else if (c->element[i].row >= 0)
            rate[c->element[i].row] = cord__row_rate(c, c->element + i, cache, v);
}

static double row_error(const void *model, const double *cache)
{
    const cable *c = model;
    double worst = 0;
    for (int i = 0; i + 1 < c->nodes && c->of.stretching == 0; i++) { /* segments come first */
        double ds = cable_s(cache, i + 1) - cable_s(cache, i);
        worst = fmax(worst, fabs(cord__row_value(c, c->element + i, cache)) / ds);
    }
    return worst;
}

/* By their length: a force that nothing determines is then spread as it is where cables stretch. */
static double proximal(const void *model, int row)
{
    const cable *c = model;
    int i = c->row_element[row];
    if (c->compliance == 0 || i + 1 >= c->nodes) return 1;
    return (c->node[i + 1].s - c->node[i].s) * (c->nodes - 1) / c->length;
}

/* No segment loses more than half its length in one correction, and no node goes further round. */
static double step_bound(const void *model, const double *cache, const double *d)
{
    const cable *c = model;
    double bound = 1;
    for (int i = 0; i + 1 < c->nodes; i++) {
        const cable_node *a = c->node + i, *b = a + 1;
        double ds = cable_s(cache, i + 1) - cable_s(cache, i);
        double change = (b->s_dof >= 0 ? d[b->s_dof] : 0) - (a->s_dof >= 0 ? d[a->s_dof] : 0);
        if (-change > 0.5 * ds) bound = fmin(bound, 0.5 * ds / -change);
    }
    for (int i = 0; i < c->nodes; i++) {
        const cable_node *n = c->node + i;
        if (n->guide < 0 || n->count == 0 || !guide_is_round(c->guide[n->guide].kind)) continue;
        double turn = fabs(d[n->column]) / c->guide[n->guide].radius;
        if (turn > 1) bound = fmin(bound, 1 / turn);
    }
    return bound;
}

static void destroy(void *model, memory *m)
{
    cable *c = model;
    void *pieces[] = {c->node,      c->guide,      c->element,     c->unknown,   c->slot,
                      c->extra,     c->position,   c->row_element, c->row_head,  c->row_next,
                      c->initial_q, c->grip_start, c->roll,        c->initial_v, c->stop,
                      c->slip,      c->last,       c->weight,      c->scratch,   c->momentum,
                      c->present,   c->carried,    c->table,       c->port,      c->smooth};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) cord__release(m, pieces[i]);
    if (c->placed) cord__release(m, c->placed->at);
    cord__release(m, c->placed);
    cord__release(m, c);
}

/* ---- as a strand ----------------------------------------------------------------------------------- */

static void info(const void *model, cord_strand_info *out)
{
    const cable *c = model;
    out->section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = c->of.radius};
    out->vertex_count = c->vertices;
    out->edge_count = c->vertices - !c->closed;
    out->closed = c->closed;
    out->has_nodes = true;
    out->length = c->length;
    out->mass = c->of.density * c->length;
    out->stretching = c->of.stretching;
    out->bending[0] = out->bending[1] = c->of.bending;
    out->twisting = c->of.twisting;
}

/* The segment that material coordinate s is in, and how far along. */
static int segment_at(const cable *c, const double *cache, double s, double *alpha)
{
    int low = 0, high = c->nodes - 1;
    if (c->closed) s = cord__closed_s(c, cache, s);
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (cable_s(cache, middle) <= s)
            low = middle;
        else
            high = middle;
    }
    double from = cable_s(cache, low), to = cable_s(cache, low + 1);
    *alpha = fmin(fmax((s - from) / (to - from), 0), 1);
    return low;
}

void cord__node_velocity(const cable *c, const double *cache, const double *v, int node,
                         double out[3])
{
    const cable_node *n = c->node + node;
    node_carrier on[NODE_CARRIERS];
    int carriers = cord__node_carriers(c, cache, node, on);
    v3_set(out, 0, 0, 0);
    for (int k = 0; k < n->count; k++)
        v3_axpy(out, v[n->column + k], cable_slopes(cache, node) + 3 * k);
    for (int i = 0; i < carriers; i++) {
        double moves[3];
        carrier_motion(c, on[i].port, v, on[i].arm, moves);
        v3_axpy(out, on[i].weight, moves);
    }
}

static void on_curve(const cable *c, const double *cache, const double *v, int i, double alpha,
                     double x[3], double velocity[3], double slope[3])
{
    const cable_node *n = c->node + i;
    const cable_guide *g = c->guide + n->guide;
    const double *pose = g->port >= 0 ? carrier_pose(c, cache, g->port) : NULL;
    const double *from = cable_coordinates(cache, i), *to = cable_coordinates(cache, i + 1);
    double at[3], own[3], slopes[6] = {0}, ds = cable_s(cache, i + 1) - cable_s(cache, i);
    v3_combine(at, 1 - alpha, from, alpha, to);
    cord__guide_place(g, at, own, slopes, NULL);
    v3_copy(x, own);
    if (pose) {
        m3_apply(x, pose + 3, own);
        v3_add(x, x, pose);
    }
    v3_set(slope, 0, 0, 0);
    v3_set(velocity, 0, 0, 0);
    for (int k = 0; k < n->size; k++) {
        double turned[3],
            rate = (1 - alpha) * cable_rate(c, i, k, v) + alpha * cable_rate(c, i + 1, k, v);
        if (pose)
            m3_apply(turned, pose + 3, slopes + 3 * k);
        else
            v3_copy(turned, slopes + 3 * k);
        v3_axpy(slope, (to[k] - from[k]) / ds, turned);
        v3_axpy(velocity, rate, turned);
    }
    if (!pose) return;
    double arm[3], moves[3];
    v3_sub(arm, x, pose);
    carrier_motion(c, g->port, v, arm, moves);
    v3_add(velocity, velocity, moves);
}

void cord__cable_at(const cable *c, const double *cache, const double *v, double s, double x[3],
                    double velocity[3], double slope[3])
{
    double alpha;
    int i = segment_at(c, cache, s, &alpha);
    const cable_node *n = c->node + i;
    if (cable_is_curved(c, i)) {
        on_curve(c, cache, v, i, alpha, x, velocity, slope);
    } else {
        double moves[2][3], ds = cable_s(cache, i + 1) - cable_s(cache, i);
        v3_combine(x, 1 - alpha, cable_place(cache, i), alpha, cable_place(cache, i + 1));
        v3_sub(slope, cable_place(cache, i + 1), cable_place(cache, i));
        v3_scale(slope, 1 / ds, slope);
        for (int k = 0; k < 2; k++) cord__node_velocity(c, cache, v, i + k, moves[k]);
        v3_combine(velocity, 1 - alpha, moves[0], alpha, moves[1]);
    }
    double rate = (1 - alpha) * (n->s_dof >= 0 ? v[n->s_dof] : 0) +
                  alpha * (n[1].s_dof >= 0 ? v[n[1].s_dof] : 0);
    v3_axpy(velocity, -rate, slope);
}

/* The momentum of the material from s to `to`, which moves as `of` does, on the columns of a segment of `made`; by
 * Gauss's points. */
static void add_momentum(const cable *of, const double *of_cache, const double *of_v,
                         const cable *made, const double *cache, int segment, double from,
                         double to, double sign, double *momentum)
{
    static const double gauss[2][2] = {{0.2113248654051871, 0.5}, {0.7886751345948129, 0.5}};
    const cable_element *e = made->element + segment;
    element_input in = {.cache = cache};
    element_terms t = {.r = {0}};
    for (int k = 0; k < 2; k++) {
        double s = from + gauss[k][0] * (to - from), x[3], slope[3], rate[3];
        double start = cable_s(cache, segment), ds = cable_s(cache, segment + 1) - start;
        cord__cable_at(of, of_cache, of_v, s, x, rate, slope);
        v3_scale(rate, sign * gauss[k][1] * (to - from) * made->line, rate);
        cord__element_push(made, e, &in, (s - start) / ds, rate, &t);
    }
    for (int i = 0; i < e->count; i++) {
        int u = made->unknown[e->first + i];
        if (u < made->columns) momentum[u] += t.r[i];
    }
}

void cord__cable_momentum(const cable *old, const double *old_cache, const double *old_v,
                          const cable *made, const double *cache, double *momentum)
{
    int k = 0; /* the next node of the old one */
    for (int i = 0; i + 1 < made->nodes; i++) {
        double from = cable_s(cache, i), end = cable_s(cache, i + 1);
        while (from < end) {
            while (k < old->nodes && cable_s(old_cache, k) <= from) k++;
            double to = k < old->nodes ? fmin(cable_s(old_cache, k), end) : end;
            add_momentum(old, old_cache, old_v, made, cache, i, from, to, 1, momentum);
            from = to;
        }
    }
}

/* Against what it has with its nodes where rows are met. */
static void hand_over(const void *model, const double *cache, const double *v, double *impulse)
{
    const cable *c = model;
    if (!c->momentum) return;
    memcpy(impulse, c->momentum, (size_t)c->columns * sizeof *impulse);
    for (int i = 0; i + 1 < c->nodes; i++)
        add_momentum(c, cache, v, c, cache, i, cable_s(cache, i), cable_s(cache, i + 1), -1,
                     impulse);
}

/* Those of a closed cable stay with its first node, and do not go round: pictures between two frames would cut
 * corners. */
static double vertex_s(const cable *c, const double *cache, int i)
{
    double first = cable_s(cache, 0), last = cable_s(cache, c->nodes - 1);
    return first + (last - first) * i / (c->vertices - !c->closed);
}

static void get_positions(const void *model, const double *q, const double *cache, double *x)
{
    const cable *c = model;
    (void)q;
    for (int i = 0; i < c->vertices; i++) {
        double velocity[3], slope[3];
        cord__cable_at(c, cache, c->initial_v, vertex_s(c, cache, i), x + 3 * i, velocity, slope);
    }
}

static void get_velocities(const void *model, const double *q, const double *cache, const double *v,
                           double *x)
{
    const cable *c = model;
    (void)q;
    for (int i = 0; i < c->vertices; i++) {
        double place[3], slope[3];
        cord__cable_at(c, cache, v, vertex_s(c, cache, i), place, x + 3 * i, slope);
    }
}

static void get_tensions(const void *model, const double *q, const double *cache,
                         const double *lambda, double *t)
{
    const cable *c = model;
    (void)q;
    static const environment nothing = {0};
    element_input in = {.cache = cache, .lambda = lambda, .environment = &nothing};
    in.off = cord__closed_mean(c, cache, lambda);
    for (int i = 0; i < c->vertices - !c->closed; i++) {
        double alpha;
        element_terms terms;
        double s = 0.5 * (vertex_s(c, cache, i) + vertex_s(c, cache, i + 1));
        int at = segment_at(c, cache, s, &alpha);
        cord__element_terms(c, c->element + at, &in, &terms); /* segments come first */
        t[i] = terms.tension;
    }
}

/* Carried along from the first edge; where there is twist, turned by an even part of it at every step. */
static void get_frames(const void *model, const double *q, const double *cache, double *frames)
{
    const cable *c = model;
    double at[3], velocity[3], slope[3], before[3], *all = frames;
    (void)q;
    cord__cable_at(c, cache, c->initial_v, vertex_s(c, cache, 0), before, velocity, slope);
    for (int i = 0; i < c->vertices - !c->closed; i++, frames += 9) {
        cord__cable_at(c, cache, c->initial_v, vertex_s(c, cache, i + 1), at, velocity, slope);
        v3_sub(frames, at, before);
        v3_normalize(frames, frames);
        v3_copy(before, at);
        if (i == 0 || !transport(frames + 3, frames - 9, frames, frames - 6))
            v3_any_normal(frames + 3, frames);
        if (i == 0 && c->twist_dof >= 0) cord__cable_director(c, cache, frames, frames + 3);
        turn_about(frames + 3, frames,
                   cable_twist(c, cache) * (i > 0 ? 1 : 0.5) / (c->vertices - 1));
        v3_cross(frames + 6, frames, frames + 3);
    }
    cord__closed_frames(c, all);
}

const strand_ops cord__cable = {
    .block = {.name = "cable",
              .describe = describe,
              .elimination_order = positions,
              .scales = scales,
              .initial = initial,
              .retract = retract,
              .refresh = refresh,
              .assemble = assemble,
              .energy = energy,
              .attach = cord__cable_attach,
              .point_jacobian = cord__cable_jet,
              .add_geometric_stiffness = cord__cable_stiffen,
              .element_at = cord__cable_piece,
              .sliding_jacobian = cord__cable_slide,
              .add_sliding_stiffness = cord__cable_stiffen_slide,
              .destroy = destroy,
              .row_dofs = row_columns,
              .row_rates = row_rates,
              .step_bound = step_bound,
              .row_error = row_error,
              .proximal = proximal,
              .metric = metric,
              .topology_impulse = hand_over,
              .start_step = start_step,
              .unsymmetric_row = skew,
              .topology_ends = ends,
              .extra_entries = extra_entries},
    .info = info,
    .get_positions = get_positions,
    .get_velocities = get_velocities,
    .frames = get_frames,
    .frame_at = cord__cable_frame_at,
    .tensions = get_tensions,
};
