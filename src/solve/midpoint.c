/* The implicit midpoint rule with discrete gradients,
 *
 *     v½ = d/h,   a = 2 (d/h − v₀)/h,   v₁ = 2 d/h − v₀:
 *
 * the equations are taken half way, forces by discrete gradients between start and end
 * [Gonzalez 1996], rows at the end. */
#include "solve/midpoint.h"

#include "solve/integrator.h"

#include <math.h>
#include <string.h>

/* Frames without inertia rotate by their rotation vector, the frames they are welded to by Cayley's
 * formula: over a step the two increments have the same direction and lengths in the proportion
 * atan(φ/2)/(φ/2). */
static void scale_aliases(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            if (b->alias_block[c] < 0 || c >= b->shape.dofs - b->shape.shared_dofs) continue;
            const block *to = w->block[b->alias_block[c]];
            int first = b->alias_dof[c] - b->alias_dof[c] % 3;
            const double *rotation = w->d + to->v0 + first;
            double half = 0.5 * sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                                     rotation[2] * rotation[2]);
            b->alias_scale[c] = half > 1e-4 ? atan(half) / half : 1 - half * half / 3;
            w->d[b->v0 + c] = b->alias_scale[c] * w->d[to->v0 + b->alias_dof[c]];
        }
    }
}

void cord__set_midpoint(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        size_t bytes = (size_t)b->shape.q_count * sizeof(double);
        double *delta = w->delta + b->v0;
        memcpy(w->q_half + b->q0, w->now.q + b->q0, bytes);
        memcpy(w->trial.q + b->q0, w->now.q + b->q0, bytes);
        for (int c = 0; c < b->shape.dofs; c++) delta[c] = 0.5 * w->d[b->v0 + c];
        b->ops->retract(b->model, w->q_half + b->q0, delta);
        b->ops->retract(b->model, w->trial.q + b->q0, w->d + b->v0);
    }
    scale_aliases(w, s);
    cord__update_welds(w, s, w->q_half);
    cord__update_welds(w, s, w->trial.q);
    cord__refresh_to_assemble(w, s, w->q_half, w->cache);
    cord__refresh(w, s, w->trial.q, w->cache_end);
    cord__set_dependent_dofs(w, s, w->cache, w->d);
}

/* The matrix is symmetric and the derivative is not: forces act along gradients half way, stresses
 * and rows change along those at the end. The iteration converges linearly, with the rotation of a
 * step as its factor: the last correction must be far below the tolerance for the energy to be kept, and a
 * better first guess would save nothing. */
static void begin(problem *w, cluster *s, double h, int index)
{
    (void)index;
    const stage t = {.time = w->now.time + h,
                     .force_time = w->now.time + 0.5 * h,
                     .c_a = 2 / (h * h),
                     .c_v = 1 / h,
                     .c_k = 0.5,
                     .midpoint = true};
    const newton_limits limits = {4 * w->max_iterations, 0, w->small_correction,
                                  1e-3 * w->small_correction};
    cord__begin_step(w, s, true);
    cord__one_stage_predictor(w, s, -2 / h);
    cord__predict(w, s, h, &(acceleration_weight){0}, &t);
    cord__refresh(w, s, w->now.q, w->cache_start);
    cord__begin_iteration(s, &t, &limits, h);
}

static void set_velocities(problem *w, cluster *s, double h)
{
    EACH_DOF(c) w->trial.v[c] = 2 * w->d[c] / h - w->now.v[c];
    EACH_INERTIAL(c)
    w->trial.inertial_v[c] = 2 * (w->inertial_x[c] - w->inertial_x0[c]) / h - w->now.inertial_v[c];
    cord__set_dependent_dofs(w, s, w->cache_end, w->trial.v);
}

/* Blocks whose inertial coordinates would otherwise have velocities that no motion of the block has. Constraints
 * couple the velocities of blocks, and those of one block alone would violate them. */
static cord_status project(problem *w, cluster *s, double h)
{
    set_velocities(w, s, h);
    if (s->blocks > 1) return CORD_OK;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!BLOCK_HAS(b, midpoint, end_velocities)) continue;
        environment env = cord__environment(w, b, w->now.time + h);
        const midpoint_end end = {.environment = &env,
                                  .cache = w->cache_end + b->cache0,
                                  .step = h,
                                  .prescribed = b->prescribed,
                                  .work = s->work};
        b->ops->midpoint->end_velocities(b->model, &end, w->trial.v + b->v0,
                                         w->trial.inertial_v + b->inertial0);
    }
    return CORD_OK;
}

const scheme_ops cord__midpoint_scheme = {"midpoint", begin, &cord__newton, project, .stages = 1};
