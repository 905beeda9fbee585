/* The symplectic integrator [DER 2008, sections 7 and 8.1]: explicit elastic forces, symplectic
 * Euler, then fast projection onto the rows in the mass metric, then quasistatic twist.
 *
 * A block alone projects itself (tridiagonal for a rod). Blocks coupled by constraints are projected
 * together, by the system of their rows. Sliding and other scalar coordinates have little inertia or none:
 * they start at their present rate, and the projection finds where their forces balance. */
#include "solve/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A typical length of the cluster; a cable between fixed points has no dof to take it from. */
static double length_scale(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++)
        if (w->block[s->block[k]]->shape.dofs > 0) return w->block[s->block[k]]->scale[0];
    return 1;
}

/* The largest violation of active exact rows over a typical length, or `error` if that is larger. */
static double constraint_error(const problem *w, const cluster *s, double error, int *violated)
{
    double length = length_scale(w, s);
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++) {
            double own = r->state.active[row] && r->def.compliance == 0
                             ? fabs(r->work.value.g[row]) / length
                             : 0;
            if (own <= error) continue;
            error = own;
            if (violated) *violated = s->constraint[k];
        }
    }
    return error;
}

double cord__row_error(const problem *w, const cluster *s, const double *cache, int *violated)
{
    double error = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double own =
            BLOCK_HAS(b, rows, error) ? b->ops->rows->error(b->model, cache + b->cache0) : 0;
        if (!(own <= error)) error = own;
    }
    return constraint_error(w, s, error, violated);
}

static void explicit_forces(problem *w, cluster *s)
{
    stage t = {.time = w->now.time, .force_time = w->now.time, .rowless = true};
    cord__refresh(w, s, w->trial.q, w->cache);
    /* Neither multipliers nor accelerations: r = ∂V/∂q − f. Other clusters share w, so it is a copy
     * that sees zeros. */
    problem still = *w;
    still.trial.lambda = w->zero;
    still.trial.a = w->zero;
    still.trial.inertial_a = w->zero;
    cord__equations(&still, s, &t, false);
    for (int k = 0; k < s->blocks; k++) { /* the moment on a welded frame acts on its parent */
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->alias_block[c] >= 0)
                w->r[w->block[b->alias_block[c]]->v0 + b->alias_dof[c]] += w->r[b->v0 + c];
    }
}

/* v ← v − h M⁻¹ r and d = h v; prescribed and massless dofs stay. */
static void explicit_euler(problem *w, const cluster *s, double h)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const double *restrict inverse = w->inverse_mass + b->v0, *restrict r = w->r + b->v0;
        double *restrict v = w->trial.v + b->v0, *restrict d = w->d + b->v0;
        double *restrict a = w->delta + b->v0;
        if (b->shape.coordinate.is_one) {
            d[0] = b->prescribed[0] ? 0 : h * v[0];
            continue;
        }
        if (BLOCK_HAS(b, projection, accelerate))
            b->ops->projection->accelerate(b->model, w->cache + b->cache0, r, v, h, a);
        else
            for (int c = 0; c < b->shape.dofs; c++) a[c] = -inverse[c] * r[c];
        for (int c = 0; c < b->shape.dofs; c++) {
            double gain = h * a[c];
            v[c] += inverse[c] > 0 ? gain : 0;
            double step = h * v[c];
            d[c] = inverse[c] > 0 ? step : 0;
        }
    }
}

static void prescribe_positions(problem *w, cluster *s, double time)
{
    stage t = {.time = time, .force_time = time};
    cord__prescribed_motion(w, s, &t);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] == PRESCRIBED) w->d[b->v0 + c] = w->delta[b->v0 + c];
    }
}

/* The largest residual of compliant rows over a typical length. They are part of the projection, but not of
 * cord__row_error(): force and position meet them together. */
static double compliant_error(const problem *w, const cluster *s)
{
    double error = 0;
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; r->def.compliance > 0 && row < r->ops->rows; row++)
            error = fmax(error, fabs(w->g[r->l0 + row]) / length_scale(w, s));
    }
    return error;
}

/* The trial configuration from the increment so far; of strands positions only, since their massless frames
 * are prescribed or shared with bodies, and rows do not read them. */
static void set_trial_positions(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const double *from = w->now.q + b->q0;
        double *q = w->trial.q + b->q0;
        if (BLOCK_HAS(b, projection, translate)) {
            b->ops->projection->translate(b->model, from, w->d + b->v0, q);
            continue;
        }
        memcpy(q, from, (size_t)b->shape.q_count * sizeof *q);
        b->ops->retract(b->model, q, w->d + b->v0);
    }
}

/* Whether an opened row still has an impulse to return. */
static bool has_open_impulse(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        for (int row = 0; row < r->ops->rows; row++)
            if (!r->state.active[row] && w->trial.lambda[r->l0 + row] != 0) return true;
    }
    return false;
}

/* Multipliers, and positions of point masses, from the solution. Rows that opened have returned their
 * impulse by it. */
static void apply_multipliers(problem *w, const cluster *s)
{
    const row_system *x = &s->row_system;
    for (int row = 0; row < x->rows; row++) {
        int at = x->multiplier[row];
        if (at >= 0)
            w->trial.lambda[at] -= x->y[row];
        else
            w->inertial_x[-1 - at] -= x->compliance[row] * x->y[row];
    }
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        for (int row = 0; row < r->ops->rows; row++)
            if (!r->state.active[row]) w->trial.lambda[r->l0 + row] = 0;
    }
}

/* The violation of rows at the start is made good over the step that was asked for; made good in a short
 * part of it, as after an impact, it would become a velocity. Whether this is such a part. */
static bool set_row_starts(problem *w, const cluster *s, double h)
{
    double later = 1 - h / w->requested_step;
    for (int k = 0; later > 1e-3 && k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (r->eliminated) continue;
        cord__constraint_evaluate(w, r, w->now.q, w->cache, w->now.time, NULL);
        for (int row = 0; row < r->ops->rows; row++) {
            double g = r->work.value.g[row];
            r->work.start[row] = later * (r->def.side == CORD_EQUAL ? g : fmin(g, 0));
        }
    }
    return later > 1e-3;
}

/* Blocks with constraints: Newton's iteration on min ½ δᵀMδ/h² under the rows [DER 2008, section 8.1]. With
 * the factor 1/h² the multipliers are forces, which compliance refers to. */
static cord_status project_together(problem *w, cluster *s, double h)
{
    row_system *x = &s->row_system;
    const double rate = 1 / h;
    stage t = {.time = w->now.time + h,
               .force_time = w->now.time + h,
               .c_v = rate,
               .relative = set_row_starts(w, s, h)};
    for (int i = 0; i < x->coordinates; i++) x->imbalance[i] = w->r[x->coordinate[i]->v0];
    for (int i = 0; i < 50; i++) {
        if (cord__cancelled()) return cord__cancel_cluster(s);
        set_trial_positions(w, s);
        int violated = -1;
        double error = constraint_error(w, s, cord__assemble_rows(w, s, &t), &violated);
        if (!isfinite(error))
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its motion grows without bound",
                                     s->block[0], violated);
        bool balanced = x->coordinates == 0 || i > 0;
        if (balanced && fmax(error, compliant_error(w, s)) <= w->length_tolerance &&
            !has_open_impulse(w, s))
            return CORD_OK;
        s->report.projection_iterations++;
        for (int k = 0; k < s->blocks; k++) {
            const block *b = w->block[s->block[k]];
            memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        }
        if (!cord__row_system_solve(x, w, h, w->delta))
            return cord__set_failure(
                s, CORD_ERROR_SINGULAR,
                "constraints act on motions without inertia, or repeat each other", s->block[0],
                violated);
        apply_multipliers(w, s);
        for (int k = 0; k < s->blocks; k++) {
            const block *b = w->block[s->block[k]];
            for (int c = b->v0; c < b->v0 + b->shape.dofs; c++) {
                w->d[c] += w->delta[c];
                w->trial.v[c] = w->d[c] * rate; /* compliant rows may be damped */
            }
        }
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "lengths and constraints are not restored within the step",
                             s->block[0], -1);
}

static cord_status project_alone(problem *w, cluster *s, double h)
{
    const block *b = w->block[s->block[0]];
    if (b->shape.rows == 0) return CORD_OK;
    int iterations = b->ops->projection->project(b->model, w->now.q + b->q0, w->d + b->v0,
                                                 w->inverse_mass + b->v0, w->trial.lambda + b->l0,
                                                 w->length_tolerance, 100, s->work);
    if (iterations < 0)
        return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                                 "lengths and constraints are not restored within the step",
                                 s->block[0], -1);
    s->report.projection_iterations += iterations;
    for (int i = 0; i < b->shape.rows; i++) w->trial.lambda[b->l0 + i] /= h * h;
    return CORD_OK;
}

static bool alone(const problem *w, const cluster *s)
{
    return s->blocks == 1 && s->terms == 0 && BLOCK_HAS(w->block[s->block[0]], projection, project);
}

/* Positions by the projected increment; velocities from it; frames and angles follow. */
static cord_status finish(problem *w, cluster *s, double h)
{
    const double rate = 1 / h;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *q = w->trial.q + b->q0;
        memcpy(q, w->now.q + b->q0, (size_t)b->shape.q_count * sizeof(double));
        b->ops->retract(b->model, q, w->d + b->v0);
        const double *restrict d = w->d + b->v0, *restrict before = w->now.v + b->v0;
        double *restrict v = w->trial.v + b->v0, *restrict a = w->trial.a + b->v0;
        long long lost = 0;
        for (int c = 0; c < b->shape.dofs; c++) {
            v[c] = d[c] * rate;
            a[c] = (v[c] - before[c]) * rate;
            lost |= !(fabs(v[c]) <= DBL_MAX);
        }
        if (lost)
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its motion grows without bound",
                                     s->block[k], -1);
    }
    cord__update_welds(w, s, w->trial.q);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *q = w->trial.q + b->q0, *cache = w->cache + b->cache0;
        b->ops->refresh(b->model, q, cache);
        cord_status status =
            BLOCK_HAS(b, projection, solve_quasistatic)
                ? b->ops->projection->solve_quasistatic(b->model, q, cache, s->work)
                : CORD_OK;
        if (status != CORD_OK)
            return cord__set_failure(s, status, "its twist finds no equilibrium", s->block[k], -1);
        if (b->ops->inertial)
            b->ops->inertial->rates(b->model, cache, w->trial.v + b->v0,
                                    w->trial.inertial_v + b->inertial0);
    }
    for (int k = 0; k < s->forces; k++) {
        const force_term *f = w->force[s->force[k]];
        if (f->ops->end_projection) f->ops->end_projection(w, f, h);
    }
    return CORD_OK;
}

/* Velocities of the inertial coordinates; positions and velocities of dofs need no start. */
cord_status cord__symplectic_start(problem *w, cluster *s, double h)
{
    (void)h;
    s->report.status = CORD_OK;
    cord__refresh(w, s, w->now.q, w->cache);
    cord__inertial_coordinates(w, s, w->now.q, w->cache, w->inertial_x);
    cord__set_inertial_rates(w, s, w->cache, &w->now);
    return CORD_OK;
}

/* v ← v − h M⁻¹ r, d = h v. */
cord_status cord__symplectic_solve(problem *w, cluster *s, double h)
{
    double began = cord__seconds();
    cord__set_parameters(w, s, w->now.time, w->now.time);
    cord__copy_state(s, &w->now, &w->trial);
    explicit_forces(w, s);
    explicit_euler(w, s, h);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memset(w->trial.lambda + b->l0, 0, (size_t)b->shape.rows * sizeof(double));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        memset(w->trial.lambda + r->l0, 0, (size_t)r->ops->rows * sizeof(double));
    }
    prescribe_positions(w, s, w->now.time + h);
    for (int k = 0; k < s->forces; k++) {
        force_term *f = w->force[s->force[k]];
        if (f->ops->predict) f->ops->predict(w, f, h);
    }
    s->report.seconds_forces += cord__seconds() - began;
    return CORD_OK;
}

/* Fast projection of d onto the rows, v = d/h, quasistatic twist. */
cord_status cord__symplectic_project(problem *w, cluster *s, double h)
{
    double began = cord__seconds();
    cord__set_parameters(w, s, w->now.time + h, w->now.time + h);
    cord_status status = alone(w, s) ? project_alone(w, s, h) : project_together(w, s, h);
    double projected = cord__seconds();
    s->report.seconds_project += projected - began;
    if (status == CORD_OK) status = finish(w, s, h);
    s->report.seconds_twist += cord__seconds() - projected;
    if (status != CORD_OK) return status;
    cord__set_prescribed_velocities(w, s, w->now.time + h, w->trial.v);
    return CORD_OK;
}
