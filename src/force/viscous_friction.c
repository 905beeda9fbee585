/* Viscous friction on the motion that a constraint leaves free, of its first point relative to the second: a force on
 * translations, or a torque on rotations,
 *
 *     u = P (v₁ − v₂ − ω₂ × (x₁ − x₂)),     f = −c u,     or     u = P (ω₁ − ω₂),     m = −c u,
 *
 * with P the projection onto the motions that the rows leave free. coincide leaves rotations only, align translations.
 * With B = ∂u/∂q̇
 *
 *     r += c Bᵀu,     A += c_v c BᵀB.
 *
 * In a step of `quasi-static` the motion is the one since its start, in the axes of the second point: w = P (x − x₀), or
 * P log(F F₀ᵀ), with P of the start. The force is then the derivative of the dissipation potential ½ c w²/h. */
#include "force/viscous_friction.h"

#include "math/rotation.h"
#include "math/vec3.h"
#include "solve/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool cord__friction_kind(const constraint_ops *ops, bool *rotational, int needs[2])
{
    bool position = ops->needs[0] == NEEDS_POSITION, frame = ops->needs[0] == NEEDS_FRAME;
    if (!position && !frame) return false;
    *rotational = position != (ops->rows < 3);
    needs[0] = *rotational ? NEEDS_FRAME : NEEDS_POSITION;
    needs[1] = *rotational ? NEEDS_FRAME : NEEDS_POSITION | NEEDS_FRAME;
    return true;
}

/* Adds a direction to an orthonormal set, unless it is linearly dependent on it. */
static int add_direction(const double n[3], double constrained[CONSTRAINT_ROWS][3], int count)
{
    if (count == CONSTRAINT_ROWS) return count; /* the set is complete */
    double *added = constrained[count], before = v3_norm(n);
    v3_copy(added, n);
    for (int i = 0; i < count; i++) v3_axpy(added, -v3_dot(added, constrained[i]), constrained[i]);
    if (!(v3_norm(added) > 1e-9 * before)) return count;
    v3_normalize(added, added);
    return count + 1;
}

/* Orthonormal directions of the motion that the rows constrain; for rotations also the tangents, about which a
 * rotation has no friction. Returns their number. */
static int constrained_directions(const problem *w, const viscous_friction *f,
                                  const constraint_value *value, const pose poses[2],
                                  double constrained[CONSTRAINT_ROWS][3])
{
    int count = 0, rows = f->owner->ops->rows < 3 ? f->owner->ops->rows : 0;
    for (int row = 0; row < rows; row++)
        count = add_direction(value->D[row] + 3 * f->rotational, constrained, count);
    for (int side = 0; f->rotational && side < 2; side++) {
        const point *p = cord__point_of(w, &f->base.term, side);
        if (p && point_has_tangent(p)) count = add_direction(poses[side].frame, constrained, count);
    }
    return count;
}

/* u = P u. */
static void project_free(double u[3], double constrained[CONSTRAINT_ROWS][3], int count)
{
    for (int i = 0; i < count; i++) v3_axpy(u, -v3_dot(u, constrained[i]), constrained[i]);
}

/* The relative motion caused by a motion of one part; d = x₁ − x₂. */
static void relative_motion(bool rotational, int part, const double d[3], const double motion[3],
                            double u[3])
{
    v3_set(u, 0, 0, 0);
    if (part == (rotational ? 1 : 0))
        v3_copy(u, motion);
    else if (part == (rotational ? 3 : 2))
        v3_scale(u, -1, motion);
    else if (part == 3)
        v3_cross(u, d, motion);
}

/* Evaluates the poses and Jacobians of its points, and the constrained directions. */
static int evaluate(const problem *w, viscous_friction *f, const double *q, const double *cache,
                    double time, pose poses[2], double constrained[CONSTRAINT_ROWS][3])
{
    constraint_value value = {0};
    cord__term_poses(w, &f->base.term, q, cache, time, poses);
    f->owner->ops->evaluate(&f->owner->def.params, poses, poses + 1, &value);
    return constrained_directions(w, f, &value, poses, constrained);
}

void cord__friction_rate(const problem *w, viscous_friction *f, const double *q,
                         const double *cache, double time, const double *v, double u[3])
{
    const term *x = &f->base.term;
    pose poses[2];
    double constrained[CONSTRAINT_ROWS][3], d[3], one[3];
    int count = evaluate(w, f, q, cache, time, poses, constrained);
    v3_sub(d, poses[0].position, poses[1].position);
    v3_set(u, 0, 0, 0);
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            relative_motion(f->rotational, part, d, x->jacobians + 3 * c, one);
            project_free(one, constrained, count);
            for (int k = 0; k < 3; k++) x->B[k * x->dofs + c] = one[k];
            v3_axpy(u, v[x->dof[c]], one);
        }
    }
    for (int side = 0; side < 2; side++) { /* scripted points */
        const point *p = cord__point_of(w, x, side);
        double rates[2][3];
        if (!p || p->block >= 0) continue;
        cord__point_scripted_rate(p, time, rates[0], rates[1]);
        for (int k = 0; k < 2; k++) {
            relative_motion(f->rotational, 2 * side + k, d, rates[k], one);
            project_free(one, constrained, count);
            v3_add(u, u, one);
        }
    }
}

bool cord__friction_acts(const problem *w, const viscous_friction *f)
{
    return !cord__constraint_released(w, f->owner) &&
           (f->owner->def.side == CORD_EQUAL || f->owner->state.active[0]);
}

/* ∂u/∂d of a stage; at the start, where stages have no velocities, that of a step of the same c_a. */
static double rate_factor(const stage *t)
{
    return t->c_v > 0 ? t->c_v : sqrt(fmax(t->c_a, 0));
}

static void first_in_second(bool rotational, const pose poses[2], double out[9])
{
    double d[3];
    v3_sub(d, poses[0].position, poses[1].position);
    if (rotational)
        m3_transposed_multiply(out, poses[1].frame, poses[0].frame);
    else
        m3_apply_transposed(out, poses[1].frame, d);
}

/* w = P (x − x₀), or P log(F F₀ᵀ), since the start of a quasi-static step; and B = ∂w/∂q. */
static void find_displacement(problem *w, const stage *t, viscous_friction *f)
{
    friction_step *step = f->step;
    term *x = &f->base.term;
    pose poses[2];
    double now[9], back[9], derivative[9], d[3], *displacement = step->displacement;
    cord__term_poses(w, x, w->trial.q, w->cache, t->time, poses);
    first_in_second(f->rotational, poses, now);
    if (f->rotational) {
        for (int i = 0; i < 9; i++) back[i] = step->start[3 * (i % 3) + i / 3];
        m3_multiply(now, now, back);
        cord__rotation_log(displacement, now);
        cord__rotation_dlog(derivative, displacement);
    } else {
        v3_sub(displacement, now, step->start);
    }
    project_free(displacement, step->constrained, step->constrained_count);
    v3_sub(d, poses[0].position, poses[1].position);
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            double one[3];
            relative_motion(f->rotational, part, d, x->jacobians + 3 * c, one);
            m3_apply_transposed(one, poses[1].frame, one);
            if (f->rotational) m3_apply(one, derivative, one);
            project_free(one, step->constrained, step->constrained_count);
            for (int k = 0; k < 3; k++) x->B[k * x->dofs + c] = one[k];
        }
    }
}

/* r += c Bᵀu, and K += c_v c BᵀB. */
static void add_friction(problem *w, const term *x, double c, double c_v, const double u[3],
                         bool matrix)
{
    for (int k = 0; k < 3; k++) {
        const double *B = x->B + k * x->dofs;
        for (int i = 0; i < x->dofs; i++) {
            w->r[x->dof[i]] += c * B[i] * u[k];
            for (int j = i; matrix && B[i] != 0 && j < x->dofs; j++)
                x->K[i * x->dofs + j] += c * c_v * B[i] * B[j];
        }
    }
}

static void evaluate_force(problem *w, const stage *t, viscous_friction *f, bool matrix)
{
    const term *x = &f->base.term;
    bool at_end = t->midpoint && x->quasistatic;
    double u[3], c = at_end ? 0.5 * f->coefficient : f->coefficient;
    if (matrix) memset(x->K, 0, (size_t)(x->dofs * x->dofs) * sizeof *x->K);
    if (f->step) v3_set(f->step->displacement, 0, 0, 0);
    if (t->rows_only || !cord__friction_acts(w, f)) return;
    if (t->statics) {
        if (t->rate_factor == 0) return;
        find_displacement(w, t, f);
        add_friction(w, x, t->rate_factor * c, 1, f->step->displacement, matrix);
        return;
    }
    const double *q = t->midpoint && !at_end ? w->q_half : w->trial.q;
    double time = t->midpoint && !at_end ? t->force_time : t->time;
    cord__friction_rate(w, f, q, at_end ? w->cache_end : w->cache, time, w->trial.v, u);
    add_friction(w, x, c, rate_factor(t), u, matrix);
}

static void assemble(problem *w, cluster *s, const stage *t, term *x, bool matrix)
{
    evaluate_force(w, t, (viscous_friction *)x, matrix);
    if (matrix) cord__add_force_matrix(s, t, x);
}

static bool acts(const problem *w, const term *x)
{
    return !cord__constraint_released(w, ((const viscous_friction *)x)->owner);
}

/* ---- steps of `quasi-static` ---------------------------------------------------------------------- */

/* Stores the start of a step, from `now`; w->cache is refreshed from it. */
static void begin_step(problem *w, force_term *base)
{
    viscous_friction *f = (viscous_friction *)base;
    friction_step *step = f->step;
    pose poses[2];
    if (!step) return;
    step->constrained_count =
        evaluate(w, f, w->now.q, w->cache, w->now.time, poses, step->constrained);
    for (int i = 0; i < step->constrained_count; i++)
        m3_apply_transposed(step->constrained[i], poses[1].frame, step->constrained[i]);
    first_in_second(f->rotational, poses, step->start);
}

/* The dissipation potential at the last assembly. */
static double dissipation(const cluster *s, const force_term *base)
{
    const viscous_friction *f = (const viscous_friction *)base;
    if (!f->step) return 0;
    return 0.5 * s->search.rate_factor * f->coefficient *
           v3_dot(f->step->displacement, f->step->displacement);
}

/* After an equilibrium s->search.rate_factor is 0, and so is the rate. */
static void end_step(const cluster *s, force_term *base)
{
    friction_step *step = ((viscous_friction *)base)->step;
    if (step) v3_scale(step->rate, s->search.rate_factor, step->displacement);
}

static void *get_state(force_term *base, size_t *size)
{
    friction_step *step = ((viscous_friction *)base)->step;
    *size = step ? sizeof step->rate : 0;
    return step ? step->rate : NULL;
}

/* ---- support -------------------------------------------------------------------------------------- */

/* In fast projections the frames of strands have no equations. `midpoint` evaluates a massless frame at the end of a
 * step, and one with inertial coordinates on average over it. */
static bool supported(const problem *w, const force_term *base, char *why, size_t size)
{
    const viscous_friction *f = (const viscous_friction *)base;
    const term *x = &base->term;
    const point *second = cord__point_of(w, x, 1);
    const char *name = f->owner->name ? f->owner->name : f->owner->ops->name;
    bool symplectic = w->integrator->explicit_forces, midpoint = w->integrator->halfway;
    if (!(symplectic || midpoint) || !cord__has_massless_dofs(w, x)) return true;
    if (symplectic)
        snprintf(why, size,
                 "constraint '%s': with the symplectic integrator a strand's frame has no "
                 "friction; use implicit or midpoint, or damping of the strand",
                 name);
    if (symplectic || !second || second->block < 0 || x->quasistatic) return !symplectic;
    snprintf(why, size,
             "constraint '%s': the midpoint integrator ties a strand's frame only to another "
             "frame, both at vertices; use implicit",
             name);
    return false;
}

static void destroy(term *x, memory *m)
{
    cord__release(m, ((viscous_friction *)x)->step);
}

const force_ops cord__viscous_friction = {
    .term = {.name = "viscous friction", .assemble = assemble, .acts = acts, .destroy = destroy},
    .dissipation = dissipation,
    .begin_step = begin_step,
    .end_step = end_step,
    .supported = supported,
    .state = get_state};
