#include "validation/constraints/balance.h"
#include "math/vec3.h"
#include "world/world.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 16 };

typedef struct momentum {
    double linear[3], angular[3];
} momentum;

typedef struct balance {
    double force[3], moment[3];
    double largest; /* of the forces */
} balance;

static void look(const cord_world *w, momentum *out)
{
    for (int i = 0; i < w->problem.blocks; i++) {
        block_energy e = {0};
        cord__block_energy(w, w->problem.block[i], &e);
        v3_copy(out[i].linear, e.linear);
        v3_copy(out[i].angular, e.angular);
    }
}

/* m times the centre of mass: minus the potential in unit fields along the axes. */
static void first_moment(const cord_world *w, const block *b, double out[3])
{
    for (int k = 0; k < 3; k++) {
        block_energy e = {0};
        environment coordinate_force = {0};
        coordinate_force.gravity[k] = -1;
        b->ops->energy(b->model, &coordinate_force, w->problem.now.q + b->q0,
                       w->problem.cache + b->cache0, w->problem.now.v + b->v0,
                       w->problem.now.inertial_v + b->inertial0, &e);
        out[k] = e.gravity;
    }
}

static double mass_of(const cord_world *w, const object *t)
{
    if (t->kind == OBJECT_STRAND) {
        cord_strand_info info = {0};
        t->ops->info(t->block.model, &info);
        return info.mass;
    }
    for (int i = 0; i < w->bodies.count; i++) {
        cord_body_info info = {0};
        const cord_body handle = {(uint32_t)i + 1, w->bodies.generation[i]};
        if (w->bodies.item[i] == t && cord_body_get_info(w, handle, &info) == CORD_OK)
            return info.mass;
    }
    return 0;
}

static void add_force(balance *b, const double at[3], const double force[3], const double torque[3])
{
    double moment[3];
    v3_cross(moment, at, force);
    v3_add(b->force, b->force, force);
    v3_add(b->moment, b->moment, moment);
    v3_add(b->moment, b->moment, torque);
    b->largest = fmax(b->largest, fmax(v3_norm(force), v3_norm(torque)));
}

/* Force and torque of the multipliers of a constraint on one of its points. */
static void forces_on(const problem *p, const constraint *r, int side, double force[3],
                      double torque[3])
{
    v3_set(force, 0, 0, 0), v3_set(torque, 0, 0, 0);
    for (int row = 0; row < r->ops->rows; row++) {
        const double *D = r->work.value.D[row] + 6 * side, lambda = p->now.lambda[r->l0 + row];
        if (r->ops->needs[side] & NEEDS_POSITION) v3_axpy(force, lambda, D);
        if (r->ops->needs[side] & NEEDS_FRAME) v3_axpy(torque, lambda, D + 3);
    }
}

/* Friction acts at the position of the first point, on both. */
static void add_friction(cord_world *w, int slot, balance *sum)
{
    const problem *p = &w->problem;
    const constraint *r = cord__constraint_at(w, slot);
    const cord_constraint handle = {(uint32_t)slot + 1, w->terms.generation[slot]};
    double force[3], torque[3];
    pose place;
    if (!r->friction || cord_constraint_get_friction(w, handle, force, torque, NULL) != CORD_OK)
        return;
    cord__pose(p, r->term.point[0], NEEDS_POSITION, p->now.q, p->cache, p->now.time, &place);
    for (int side = 0; side < 2; side++) {
        const point *at = r->term.point[side] >= 0 ? w->points.item[r->term.point[side]] : NULL;
        if (at && at->block >= 0) add_force(sum + at->block, place.position, force, torque);
        v3_scale(force, -1, force), v3_scale(torque, -1, torque);
    }
}

/* Adds the forces of a constraint on the objects it connects. */
static void add_constraint(cord_world *w, int slot, balance *sum)
{
    const problem *p = &w->problem;
    const constraint *r = cord__constraint_at(w, slot);
    const cord_constraint handle = {(uint32_t)slot + 1, w->terms.generation[slot]};
    double force[3], torque[3], sign = r->eliminated ? -1 : 1;
    if (cord_constraint_get_force(w, handle, force, torque) != CORD_OK) return;
    for (int side = 0; side < 2; side++) {
        const point *at = r->term.point[side] >= 0 ? w->points.item[r->term.point[side]] : NULL;
        if (r->eliminated) { /* the multipliers are the force or torque itself */
            sign = -sign;
            v3_scale(force, sign, force), v3_scale(torque, sign, torque);
        } else {
            forces_on(p, r, side, force, torque);
        }
        if (!at || at->block < 0) continue;
        pose place;
        cord__pose(p, r->term.point[side], NEEDS_POSITION, p->now.q, p->cache, p->now.time, &place);
        add_force(sum + at->block, place.position, force, torque);
    }
}

/* Generalised force of the constraints along a coordinate. */
static double coordinate_force(const cord_world *w, int slot)
{
    const problem *p = &w->problem;
    const point *at = w->points.item[slot];
    double J[3 * JACOBIAN_DOFS_MAX], slope[3 * JACOBIAN_DOFS_MAX], turn[3] = {0, 0, 0}, sum = 0;
    sliding_jacobian j = {.J = J, .J_s = slope, .with_frame = at->has_strand_frame};
    if (point_slides(at)) { /* its position moves, and with it a tangent or a frame */
        cord__sliding_jacobian(p, at, p->now.q, p->cache, &j);
        v3_cross(turn, j.r_s, j.r_ss);
        v3_scale(turn, 1 / v3_dot(j.r_s, j.r_s), turn);
        if (j.has_frame) v3_copy(turn, j.frame_rate);
    }
    for (int i = 0; i < w->terms.count; i++) {
        const constraint *r = cord__constraint_at(w, i);
        if (!r || r->eliminated) continue;
        for (int side = 0; side < 2; side++) {
            if (r->term.point[side] != slot) continue;
            double force[3], torque[3];
            int needs = r->ops->needs[side], place = (needs & NEEDS_POSITION) != 0;
            forces_on(p, r, side, force, torque);
            if (place && point_slides(at)) sum += v3_dot(force, j.r_s);
            sum += v3_dot(torque, turn);
            if (needs & NEEDS_COORDINATE)
                sum += p->now.lambda[r->l0] * r->work.value.D[0][6 * side + 3 * place];
        }
    }
    return sum;
}

static double lacking_along(const cord_world *w, double *largest)
{
    double worst = 0;
    for (int i = 0; i < w->points.count; i++) {
        const point *p = w->points.item[i];
        if (!p || p->slider < 0) continue;
        const block *b = w->problem.block[p->slider_block];
        double friction = b->shape.coordinate.friction * w->problem.now.v[b->v0];
        worst = fmax(worst, fabs(coordinate_force(w, i) - friction));
        *largest = fmax(*largest, fabs(friction));
    }
    return worst;
}

/* Second-order backward difference at the last of three values. */
static double rate(double a, double b, double c, double h)
{
    return (1.5 * c - 2 * b + 0.5 * a) / h;
}

/* A planar chain stays in its plane, y = 0, under any transverse force. */
static bool is_planar(const rig *r, const object *t)
{
    for (int i = 0; i < 2; i++) {
        const rig_object *own = &r->object[i];
        if (own->kind && own->kind->planar && r->world->strands.item[own->strand.index - 1] == t)
            return true;
    }
    return false;
}

double rig_balance(rig *r, double h)
{
    cord_world *w = r->world;
    momentum m[3][MOST_BLOCKS] = {0};
    balance sum[MOST_BLOCKS] = {0};
    double worst = 0, largest = 0;
    if (r->status != CORD_OK || w->problem.blocks > MOST_BLOCKS) return INFINITY;
    look(w, m[0]);
    for (int i = 1; i < 3; i++) {
        rig_step(r, h, 1);
        if (r->status == CORD_OK) look(w, m[i]);
    }
    if (r->status != CORD_OK) return INFINITY;
    for (int i = 0; i < w->terms.count; i++)
        if (cord__constraint_at(w, i)) {
            add_constraint(w, i, sum);
            add_friction(w, i, sum);
        }
    for (int i = 0; i < w->problem.blocks; i++) {
        object *t = cord__object_of(w->problem.block[i]);
        if (t->kind == OBJECT_SLIDER) continue;
        double center[3], weight[3], moment[3];
        bool flat = is_planar(r, t);
        first_moment(w, &t->block, center);
        v3_scale(weight, mass_of(w, t), w->def.gravity);
        v3_cross(moment, center, w->def.gravity);
        add_force(sum + i, (double[]){0, 0, 0}, weight, moment);
        largest = fmax(largest, sum[i].largest);
        for (int k = 0; k < 3; k++) {
            double force = rate(m[0][i].linear[k], m[1][i].linear[k], m[2][i].linear[k], h);
            double turn = rate(m[0][i].angular[k], m[1][i].angular[k], m[2][i].angular[k], h);
            if (!flat || k != 1) worst = fmax(worst, fabs(force - sum[i].force[k]));
            if (!flat || k == 1) worst = fmax(worst, fabs(turn - sum[i].moment[k]));
        }
    }
    worst = fmax(worst, lacking_along(w, &largest));
    return worst / largest;
}

/* ---- derivatives ---------------------------------------------------------------------------- */

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1; /* 2⁵² */
}

/* A random increment of all blocks, in units of the scale of each dof. */
static void random_motion(const cord_world *w, uint64_t *seed, double *d)
{
    const problem *p = &w->problem;
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        for (int c = 0; c < b->shape.dofs; c++) d[b->v0 + c] = b->scale[c] * random_number(seed);
        if (b->ops->set_dependent_dofs)
            b->ops->set_dependent_dofs(b->model, p->cache + b->cache0, d + b->v0);
    }
}

static void move(const problem *p, double by, const double *d, double *q)
{
    memcpy(q, p->now.q, (size_t)p->q_count * sizeof *q);
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        for (int c = 0; c < b->shape.dofs; c++) p->delta[b->v0 + c] = by * d[b->v0 + c];
        b->ops->retract(b->model, q + b->q0, p->delta + b->v0);
        b->ops->refresh(b->model, q + b->q0, p->cache + b->cache0);
    }
}

/* Relative error of the derivatives of one constraint along one motion. */
static double derivative_error(cord_world *w, constraint *r, const double *d, double *q)
{
    problem *p = &w->problem;
    const double h = 5e-4;
    double g[4][CONSTRAINT_ROWS], worst = 0;
    static const int at[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
        move(p, h * at[k], d, q);
        cord__constraint_evaluate(p, r, q, p->cache, p->now.time, NULL);
        memcpy(g[k], r->work.value.g, sizeof g[k]);
    }
    cord__refresh_all(w);
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    for (int row = 0; row < r->ops->rows; row++) {
        double slope = (g[0][row] - 8 * g[1][row] + 8 * g[2][row] - g[3][row]) / (12 * h);
        double by = 0, size = 0;
        for (int c = 0; c < r->term.dofs; c++) {
            double part = r->term.B[row * r->term.dofs + c] * d[r->term.dof[c]];
            by += part, size = fmax(size, fabs(part));
        }
        worst = fmax(worst, fabs(by - slope) / fmax(1, size));
    }
    return worst;
}

double rig_derivatives(rig *r)
{
    cord_world *w = r->world;
    if (r->status == CORD_OK) r->status = cord__world_ready(w);
    if (r->status != CORD_OK) return INFINITY;
    double *d = calloc((size_t)w->problem.v_count, sizeof *d), worst = 0;
    double *q = calloc((size_t)w->problem.q_count, sizeof *q);
    uint64_t seed = 4711;
    if (!d || !q) r->status = CORD_ERROR_MEMORY;
    for (int trial = 0; trial < 3 && r->status == CORD_OK; trial++) {
        cord__refresh_all(w);
        random_motion(w, &seed, d);
        for (int i = 0; i < w->problem.constraints; i++) {
            constraint *tie = w->problem.constraint[i];
            if (tie->eliminated || tie->welded) continue;
            worst = fmax(worst, derivative_error(w, tie, d, q));
        }
    }
    free(d), free(q);
    return worst;
}
