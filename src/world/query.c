/* Queries of strands, points, constraints and worlds; setting the state of strands. */
#include "world/event.h"

#include "math/rotation.h"

#include <string.h>

/* Finds a strand, lays out its values and refreshes its cache. */
static cord_status find_strand(const cord_world *w, cord_strand handle, const void *out, strand **s)
{
    *s = cord__get_strand(w, handle);
    if (!*s) return cord__refused(w);
    if (!out) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__object_ready(w, *s);
    if (status == CORD_OK) cord__refresh_object(w, *s);
    return status;
}

static cord_status unsupported(const cord_world *w, const strand *s)
{
    return cord__fail(w, CORD_ERROR_UNSUPPORTED, "model '%s' does not support this",
                      s->ops->block.name);
}

/* Reported vertices are not those of the strand. */
static cord_status unsupported_while_growing(const cord_world *w, const strand *s)
{
    return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                      "strand '%s' of model '%s' grows: its vertices cannot be moved by hand",
                      s->name ? s->name : "", s->ops->block.name);
}

cord_status cord_strand_get_info(const cord_world *w, cord_strand handle, cord_strand_info *info)
{
    strand *s;
    cord_status status = find_strand(w, handle, info, &s);
    if (status != CORD_OK) return status;
    memset(info, 0, sizeof *info);
    info->model = s->ops->block.name;
    info->name = s->name;
    s->ops->info(s->block.model, info);
    return CORD_OK;
}

block_eval cord__block_now(const cord_world *w, const block *b, const environment *env)
{
    const state *now = &w->problem.now;
    return (block_eval){.environment = env,
                        .q = now->q + b->q0,
                        .cache = w->problem.cache + b->cache0,
                        .v = now->v + b->v0,
                        .a = w->start_stale ? NULL : now->a + b->v0,
                        .lambda = now->lambda + b->l0,
                        .side = now->side + b->side0};
}

/* A quantity of the committed state; NULL in models that do not have it. */
typedef void (*state_measure)(const void *model, const block_eval *at, double *out);

static cord_status measure_state(const cord_world *w, const strand *s, state_measure measured,
                                 double *out)
{
    const block *b = &s->block;
    if (!measured) return unsupported(w, s);
    environment env = cord__environment(&w->problem, b, w->problem.now.time);
    block_eval now = cord__block_now(w, b, &env);
    measured(b->model, &now, out);
    return CORD_OK;
}

cord_status cord_strand_get_positions(const cord_world *w, cord_strand handle, double *x)
{
    strand *s;
    cord_status status = find_strand(w, handle, x, &s);
    return status == CORD_OK ? measure_state(w, s, s->ops->get_positions, x) : status;
}

cord_status cord_strand_get_coordinates(const cord_world *w, cord_strand handle, double *s)
{
    strand *t;
    cord_status status = find_strand(w, handle, s, &t);
    if (status == CORD_OK)
        t->ops->coordinates(t->block.model, w->problem.cache + t->block.cache0, s);
    return status;
}

/* The position on the edge from a to b that is nearest to p, as a fraction of it. */
static double nearest_on_edge(const double p[3], const double a[3], const double b[3],
                              double near[3])
{
    double e[3], d[3];
    v3_sub(e, b, a);
    v3_sub(d, p, a);
    double square = v3_dot(e, e), fraction = square > 0 ? v3_dot(d, e) / square : 0;
    fraction = fmin(fmax(fraction, 0), 1);
    v3_combine(near, 1 - fraction, a, fraction, b);
    return fraction;
}

cord_status cord_strand_find_nearest(const cord_world *w, cord_strand handle,
                                     const double position[3], double *s, double where[3],
                                     double *distance)
{
    strand *t;
    cord_status status = find_strand(w, handle, position && s ? s : NULL, &t);
    if (status != CORD_OK) return status;
    if (!v3_admissible(position))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a position is not finite or exceeds 1e50");
    cord_strand_info info = {0};
    t->ops->info(t->block.model, &info);
    memory *m = &w->self->memory;
    double *x = NEW(m, double, 4 * (size_t)info.vertex_count);
    if (!x) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for the vertices");
    double *arc = x + 3 * (size_t)info.vertex_count, least = INFINITY;
    status = measure_state(w, t, t->ops->get_positions, x);
    t->ops->coordinates(t->block.model, w->problem.cache + t->block.cache0, arc);
    for (int j = 0; status == CORD_OK && j < info.edge_count; j++) {
        int next = (j + 1) % info.vertex_count;
        double near[3],
            fraction = nearest_on_edge(position, x + 3 * (size_t)j, x + 3 * (size_t)next, near);
        double far = v3_distance(position, near), end = next ? arc[next] : arc[0] + info.length;
        if (!(far < least)) continue;
        least = far;
        *s = (1 - fraction) * arc[j] + fraction * end;
        if (where) v3_copy(where, near);
        if (distance) *distance = far;
    }
    if (info.closed && *s >= info.length) *s -= info.length;
    cord__release(m, x);
    return status;
}

cord_status cord_strand_get_velocities(const cord_world *w, cord_strand handle, double *v)
{
    strand *s;
    cord_status status = find_strand(w, handle, v, &s);
    if (status == CORD_OK)
        s->ops->get_velocities(s->block.model, w->problem.now.q + s->block.q0,
                               w->problem.cache + s->block.cache0, w->problem.now.v + s->block.v0,
                               v);
    return status;
}

static cord_status check_finite(cord_world *w, const strand *s, const double *x)
{
    cord_strand_info info;
    s->ops->info(s->block.model, &info);
    for (int i = 0; i < 3 * info.vertex_count; i++)
        if (!is_admissible(x[i]))
            return cord__fail(w, CORD_ERROR_ARGUMENT, "a value is not finite or exceeds 1e50");
    return CORD_OK;
}

/* Every edge must have a length: an edge without one has no direction. */
static cord_status check_edges(cord_world *w, const strand *s, const double *x)
{
    cord_strand_info info;
    s->ops->info(s->block.model, &info);
    for (int j = 0; j < info.edge_count; j++)
        if (!(v3_distance(x + 3 * j, x + 3 * ((j + 1) % info.vertex_count)) > 0))
            return cord__fail(w, CORD_ERROR_ARGUMENT, "edge %d has no length", j);
    return CORD_OK;
}

cord_status cord_strand_set_positions(cord_world *w, cord_strand handle, const double *x)
{
    strand *s;
    cord_status status = find_strand(w, handle, x, &s);
    if (status == CORD_OK) status = check_finite(w, s, x);
    if (status == CORD_OK) status = check_edges(w, s, x);
    if (status != CORD_OK) return status;
    if (!s->ops->displacement) return unsupported(w, s);
    const block *b = &s->block;
    for (bool again = true; again;) { /* each time with a finer quadrature */
        status = s->ops->displacement(b->model, &w->memory, w->problem.now.q + b->q0, x,
                                      w->problem.delta + b->v0);
        if (status == CORD_ERROR_UNSUPPORTED) return unsupported_while_growing(w, s);
        if (status != CORD_OK) return cord__fail(w, status, "out of memory for positions");
        b->ops->retract(b->model, w->problem.now.q + b->q0, w->problem.delta + b->v0);
        again = b->ops->quadrature &&
                b->ops->quadrature->fit(b->model, w->problem.now.q + b->q0) == QUADRATURE_COARSE;
        if (again) status = cord__choose_quadratures(w, &again);
        if (status != CORD_OK) return status;
    }
    cord__update_children(w, s);
    cord__invalidate_start(w);
    return CORD_OK;
}

cord_status cord_strand_set_velocities(cord_world *w, cord_strand handle, const double *v)
{
    strand *s;
    cord_status status = find_strand(w, handle, v, &s);
    if (status == CORD_OK) status = check_finite(w, s, v);
    if (status != CORD_OK) return status;
    if (!s->ops->set_velocities) return unsupported(w, s);
    const block *b = &s->block;
    status = s->ops->set_velocities(b->model, &w->memory, w->problem.now.q + b->q0,
                                    w->problem.cache + b->cache0, w->problem.now.v + b->v0, v);
    if (status == CORD_ERROR_UNSUPPORTED) return unsupported_while_growing(w, s);
    if (status != CORD_OK) return cord__fail(w, status, "out of memory for velocities");
    cord__update_children(w, s);
    cord__invalidate_start(w);
    return CORD_OK;
}

/* A quantity that is a function of the configuration; NULL in models that do not have it. */
typedef void (*strand_measure)(const void *model, const double *q, const double *cache,
                               double *out);

static cord_status measure_strand(const cord_world *w, const strand *s, strand_measure measured,
                                  double *out)
{
    const block *b = &s->block;
    if (!measured) return unsupported(w, s);
    measured(b->model, w->problem.now.q + b->q0, w->problem.cache + b->cache0, out);
    return CORD_OK;
}

cord_status cord_strand_get_frames(const cord_world *w, cord_strand handle, double *frames)
{
    strand *s;
    cord_status status = find_strand(w, handle, frames, &s);
    return status == CORD_OK ? measure_state(w, s, s->ops->frames, frames) : status;
}

cord_status cord_strand_get_curvatures(const cord_world *w, cord_strand handle, double *k)
{
    strand *s;
    cord_status status = find_strand(w, handle, k, &s);
    return status == CORD_OK ? measure_strand(w, s, s->ops->curvatures, k) : status;
}

cord_status cord_strand_get_element_curvatures(const cord_world *w, cord_strand handle,
                                               double *curvatures, double *natural)
{
    strand *s;
    cord_status status = find_strand(w, handle, curvatures ? curvatures : natural, &s);
    if (status != CORD_OK) return status;
    if (!s->ops->elements) return unsupported(w, s);
    s->ops->elements(s->block.model, w->problem.now.q + s->block.q0, curvatures, natural);
    return CORD_OK;
}

cord_status cord_strand_get_angles(const cord_world *w, cord_strand handle, double *theta)
{
    strand *s;
    cord_status status = find_strand(w, handle, theta, &s);
    return status == CORD_OK ? measure_strand(w, s, s->ops->angles, theta) : status;
}

cord_status cord_strand_get_tensions(const cord_world *w, cord_strand handle, double *t)
{
    strand *s;
    cord_status status = find_strand(w, handle, t, &s);
    return status == CORD_OK ? measure_state(w, s, s->ops->tensions, t) : status;
}

void cord__block_energy(const cord_world *w, block *b, block_energy *e)
{
    const problem *p = &w->problem;
    cord__refresh_object(w, cord__object_of(b));
    environment env = cord__environment(p, b, p->now.time);
    b->ops->energy(b->model, &env, p->now.q + b->q0, p->cache + b->cache0, p->now.v + b->v0,
                   w->start_stale ? NULL : p->now.inertial_v + b->inertial0, e);
}

void cord__add_energy(cord_energy *sum, const block_energy *e)
{
    sum->kinetic += e->kinetic;
    sum->gravity += e->gravity;
    sum->stretching += e->stretching;
    sum->bending += e->bending;
    sum->twisting += e->twisting;
    sum->total += e->kinetic + e->gravity + e->stretching + e->bending + e->twisting;
}

cord_status cord_strand_get_energy(const cord_world *w, cord_strand handle, cord_energy *energy)
{
    strand *s;
    cord_status status = find_strand(w, handle, energy, &s);
    if (status != CORD_OK) return status;
    block_energy e;
    memset(energy, 0, sizeof *energy);
    cord__block_energy(w, &s->block, &e);
    cord__add_energy(energy, &e);
    return CORD_OK;
}

cord_status cord_strand_set_closing_twist(cord_world *w, cord_strand handle, double angle)
{
    strand *s;
    cord_status status = find_strand(w, handle, &angle, &s);
    if (status != CORD_OK) return status;
    if (!is_admissible(angle))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "the closing twist is not finite or exceeds 1e50");
    cord_strand_info info;
    s->ops->info(s->block.model, &info);
    if (!s->ops->set_closing_twist || !info.closed)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "only a closed strand has a closing twist");
    s->ops->set_closing_twist(s->block.model, w->problem.now.q + s->block.q0, angle);
    cord__invalidate_start(w);
    return CORD_OK;
}

/* ---- points ------------------------------------------------------------------------------------ */

cord_status cord_point_get_pose(const cord_world *w, cord_point handle, double position[3],
                                double frame[9])
{
    point *p = cord__get_point(w, handle);
    if (!p) return cord__refused(w);
    if (!position) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__point_ready(w, p);
    if (status != CORD_OK) return status;
    const problem *q = &w->problem;
    pose out;
    if (p->source == CORD_SOURCE_FLYWHEEL) {
        v3_copy(position, p->position);
        if (frame) memcpy(frame, p->orientation, sizeof p->orientation);
        return CORD_OK;
    }
    if (p->block >= 0) cord__refresh_jacobians(w, cord__object_of(q->block[p->block]));
    cord__pose(q, (int)handle.index - 1, NEEDS_POSITION, q->now.q, q->cache, q->now.time, &out);
    v3_copy(position, out.position);
    if (!frame) return CORD_OK;
    if (p->block < 0) {
        memcpy(frame, out.frame, sizeof out.frame);
    } else {
        const object *s = cord__object_of(q->block[p->block]);
        if (!s->ops) {
            cord__pose(q, (int)handle.index - 1, NEEDS_FRAME, q->now.q, q->cache, q->now.time,
                       &out);
            memcpy(frame, out.frame, sizeof out.frame);
            return CORD_OK;
        }
        if (!s->ops->frame_at) return unsupported(w, s);
        double at = point_slides(p) ? q->now.q[q->block[p->slider_block]->q0] : p->s;
        cord_strand_info info = {0};
        s->ops->info(s->block.model, &info);
        if (info.closed) at -= floor(at / info.length) * info.length; /* without whole rounds */
        s->ops->frame_at(s->block.model, q->now.q + s->block.q0, q->cache + s->block.cache0, at,
                         frame);
    }
    return CORD_OK;
}

cord_status cord_point_get_velocity(const cord_world *w, cord_point handle, double velocity[3])
{
    point *p = cord__get_point(w, handle);
    if (!p) return cord__refused(w);
    if (!velocity) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__point_ready(w, p);
    if (status != CORD_OK) return status;
    double angular[3];
    if (p->source == CORD_SOURCE_FLYWHEEL) {
        v3_set(velocity, 0, 0, 0);
        return CORD_OK;
    }
    if (p->block < 0) {
        cord__point_scripted_rate(p, w->problem.now.time, velocity, angular);
        return CORD_OK;
    }
    const block *b = w->problem.block[p->block];
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX];
    point_jacobian j = {.J = J};
    const double *q = w->problem.now.q + b->q0, *cache = w->problem.cache + b->cache0;
    cord__refresh_jacobians(w, cord__object_of(w->problem.block[p->block]));
    v3_set(velocity, 0, 0, 0);
    if (point_slides(p)) {
        const block *slides = w->problem.block[p->slider_block];
        sliding_jacobian along = {.J = J, .J_s = J_s};
        cord__sliding_jacobian(&w->problem, p, w->problem.now.q, w->problem.cache, &along);
        v3_scale(velocity, w->problem.now.v[slides->v0], along.r_s);
        j.runs = along.runs;
        for (int k = 0; k < along.runs; k++)
            j.run[k].first = along.run[k].first, j.run[k].count = along.run[k].count;
    } else {
        b->ops->point_jacobian(b->model, q, cache, &p->position_attachment, MEASURE_POSITION, &j);
    }
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            v3_axpy(velocity, w->problem.now.v[b->v0 + j.run[run].first + i], j.J + 3 * c);
    return CORD_OK;
}

/* ---- constraints --------------------------------------------------------------------------------- */

static constraint *find_constraint(const cord_world *w, cord_constraint handle, cord_status *status)
{
    constraint *r = cord__get_constraint(w, handle);
    *status = r ? cord__world_ready(w) : cord__refused(w);
    return *status == CORD_OK ? r : NULL;
}

/* The multipliers of an eliminated constraint are the residuals of its prescribed dofs. A step does not need them;
 * the first query after a change computes those of the whole cluster. */
static void evaluate_reactions(const cord_world *w, const constraint *r)
{
    problem *p = &w->self->problem;
    if (!r->eliminated) return;
    int first = cord__block_of(p, &r->term, 0);
    int on = first >= 0 ? first : cord__block_of(p, &r->term, 1);
    cluster *s = w->partition.cluster + p->block[on]->cluster;
    if (s->reactions_revision == w->revision) return;
    stage t = {.time = p->now.time, .force_time = p->now.time};
    cord__copy_state(s, &p->now, &p->trial);
    cord__refresh(p, s, p->trial.q, p->cache);
    cord__assemble(p, s, &t, false);
    cord__read_reactions(p, s);
    for (int k = 0; k < s->blocks; k++) {
        object *member = cord__object_of(p->block[s->block[k]]);
        member->cache_revision = member->jacobian_revision = 0;
    }
    s->reactions_revision = w->revision;
}

cord_status cord_constraint_get_force(const cord_world *w, cord_constraint handle, double force[3],
                                      double torque[3])
{
    cord_status status;
    constraint *r = find_constraint(w, handle, &status);
    if (!r) return status;
    const problem *p = &w->problem;
    evaluate_reactions(w, r);
    cord__refresh_term(w, &r->term);
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    double out[2][3] = {{0, 0, 0}, {0, 0, 0}};
    bool prescribed_frame = r->eliminated && (r->ops->needs[0] & NEEDS_FRAME);
    for (int row = 0; row < r->ops->rows; row++) {
        double lambda = (r->eliminated ? p->trial : p->now).lambda[r->l0 + row];
        if (r->eliminated) { /* the multipliers are the force or torque itself */
            out[prescribed_frame ? 1 : 0][row] = lambda;
            continue;
        }
        v3_axpy(out[0], lambda, r->work.value.D[row]);
        v3_axpy(out[1], lambda, r->work.value.D[row] + 3);
    }
    if (force) v3_copy(force, out[0]);
    if (torque) v3_copy(torque, out[1]);
    return CORD_OK;
}

cord_status cord_constraint_get_friction(const cord_world *w, cord_constraint handle,
                                         double force[3], double torque[3], double *power)
{
    cord_status status;
    const constraint *r = find_constraint(w, handle, &status);
    if (!r) return status;
    const problem *p = &w->problem;
    double out[2][3] = {{0, 0, 0}, {0, 0, 0}}, lost = 0;
    viscous_friction *f = r->friction;
    if (f && cord__friction_acts(p, f)) {
        double u[3];
        pose second;
        cord__refresh_term(w, &r->term);
        if (f->step) { /* without velocities: the rate of the last step */
            cord__pose(p, r->term.point[1], NEEDS_FRAME, p->now.q, p->cache, p->now.time, &second);
            m3_apply(u, second.frame, f->step->rate);
        } else {
            cord__friction_rate(p, f, p->now.q, p->cache, p->now.time, p->now.v, u);
        }
        v3_scale(out[f->rotational ? 1 : 0], -f->coefficient, u);
        lost = f->coefficient * v3_dot(u, u);
    }
    if (force) v3_copy(force, out[0]);
    if (torque) v3_copy(torque, out[1]);
    if (power) *power = lost;
    return CORD_OK;
}

/* The residual g − drive of the present poses, which needs no clusters. */
static cord_status present_residual(const cord_world *w, const constraint *r, double *g)
{
    pose poses[2];
    double drive[CONSTRAINT_ROWS], rate[CONSTRAINT_ROWS];
    constraint_value value = {0};
    cord_status status = cord__present_poses(w, r, poses);
    if (status != CORD_OK) return status;
    r->ops->evaluate(&r->def.params, poses, poses + 1, &value);
    cord__constraint_drive(r, w->problem.now.time, drive, rate);
    for (int row = 0; row < r->ops->rows; row++) {
        g[row] = value.g[row] - drive[row];
        if (r->ops->is_angle) g[row] = remainder(g[row], 6.28318530717958647692);
    }
    return CORD_OK;
}

cord_status cord_constraint_get_residual(const cord_world *w, cord_constraint handle, int *rows,
                                         double *g)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    cord_status status = CORD_OK;
    constraint *r = cord__get_constraint(w, handle);
    if (!r) return CORD_ERROR_HANDLE;
    if (!r->state.closing) {
        double present[CONSTRAINT_ROWS] = {0};
        status = present_residual(w, r, present);
        if (status != CORD_OK) return status;
        if (rows) *rows = r->ops->rows;
        if (g) memcpy(g, present, (size_t)r->ops->rows * sizeof *g);
        return CORD_OK;
    }
    status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    const problem *p = &w->problem;
    cord__refresh_term(w, &r->term);
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    double sign = r->def.side == CORD_AT_MOST ? -1 : 1;
    if (rows) *rows = r->ops->rows;
    for (int row = 0; g && row < r->ops->rows; row++) g[row] = sign * r->work.value.g[row];
    return CORD_OK;
}

static cord_point point_handle(const cord_world *w, int index)
{
    if (index < 0) return (cord_point){0};
    return (cord_point){(uint32_t)index + 1, w->points.generation[index]};
}

cord_status cord_constraint_get_info(const cord_world *w, cord_constraint handle,
                                     cord_constraint_info *info)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    const constraint *r = cord__get_constraint(w, handle);
    if (!r) return CORD_ERROR_HANDLE;
    if (!info) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *info = (cord_constraint_info){
        .kind = r->ops->name,
        .name = r->name,
        .first = point_handle(w, r->term.point[0]),
        .second = point_handle(w, r->term.point[1]),
        .length = r->def.params.length,
        .compliance = r->def.compliance,
        .damping = r->def.damping,
        .friction = r->friction ? r->friction->coefficient : 0,
        .side = r->def.side,
        .restitution = r->impact ? r->impact->restitution : 0,
    };
    memcpy(info->direction, r->def.params.direction, sizeof info->direction);
    return CORD_OK;
}

bool cord__force_energy(const cord_world *w, int force, block_energy *e)
{
    const force_term *f = w->problem.force[force];
    if (f->ops->energy) f->ops->energy(&w->problem, f, !w->start_stale, e);
    return f->ops->energy;
}

/* ---- the whole world ---------------------------------------------------------------------------- */

cord_status cord_world_get_energy(const cord_world *w, cord_energy *energy)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!energy) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    const problem *p = &w->problem;
    memset(energy, 0, sizeof *energy);
    for (int i = 0; i < p->blocks; i++) {
        block_energy e;
        cord__block_energy(w, p->block[i], &e);
        cord__add_energy(energy, &e);
    }
    for (int i = 0; i < p->forces; i++) {
        block_energy e;
        if (cord__force_energy(w, i, &e)) cord__add_energy(energy, &e);
    }
    for (int i = 0; i < p->constraints; i++) {
        constraint *r = p->constraint[i];
        if (r->def.compliance <= 0 || cord__constraint_released(p, r)) continue;
        cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
        for (int row = 0; row < r->ops->rows; row++) {
            double g = r->work.value.g[row];
            if (r->def.side != CORD_EQUAL && g > 0) continue; /* the one-sided row is inactive */
            energy->constraints += 0.5 * g * g / r->def.compliance;
        }
    }
    energy->total += energy->constraints;
    return CORD_OK;
}

cord_status cord_world_get_momentum(const cord_world *w, cord_momentum *momentum)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!momentum) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_layout(w);
    if (status != CORD_OK) return status;
    memset(momentum, 0, sizeof *momentum);
    for (int i = 0; i < w->problem.blocks; i++) {
        block_energy e;
        cord__block_energy(w, w->problem.block[i], &e);
        v3_add(momentum->linear, momentum->linear, e.linear);
        v3_add(momentum->angular, momentum->angular, e.angular);
    }
    for (int i = 0; i < w->problem.forces; i++) {
        block_energy e;
        if (!cord__force_energy(w, i, &e)) continue;
        v3_add(momentum->linear, momentum->linear, e.linear);
        v3_add(momentum->angular, momentum->angular, e.angular);
    }
    return CORD_OK;
}

cord_status cord_world_get_profile(const cord_world *w, cord_profile *profile)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!profile) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *profile = w->profile;
    return CORD_OK;
}

cord_status cord_world_get_counters(const cord_world *w, cord_counters *counters)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!counters) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *counters = w->counters;
    counters->strands = w->strands.used;
    counters->bodies = w->bodies.used;
    counters->points = w->points.used;
    counters->constraints = w->terms.used - w->internal_terms;
    counters->released_points = w->released;
    counters->islands = w->partition.islands;
    counters->unknowns = w->problem.v_count;
    counters->rows = w->problem.lambda_count;
    counters->heap_calls = w->memory.calls;
    counters->heap_bytes = w->memory.bytes;
    return CORD_OK;
}

/* FNV-1a over 64-bit words. */
static uint64_t mix(uint64_t hash, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
        hash ^= hash >> 32; /* high bits must reach the low ones */
    }
    return hash;
}

cord_status cord_world_hash(const cord_world *w, uint64_t *hash)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!hash) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_layout(w);
    if (status != CORD_OK) return status;
    const problem *p = &w->problem;
    uint64_t h = mix(14695981039346656037u, &p->now.time, 1);
    h = mix(h, p->now.q, p->q_count);
    h = mix(h, p->now.v, p->v_count);
    h = mix(h, p->now.lambda, p->lambda_count);
    h = mix(h, p->now.side, p->side_count);
    h = mix(h, w->user_state, w->user_state_count);
    *hash = cord__hash_terms(w, h);
    return CORD_OK;
}
