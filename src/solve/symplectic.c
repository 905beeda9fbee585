/* The symplectic integrator [DER 2008, sections 7 and 8.1]: explicit elastic forces, symplectic
 * Euler, then fast projection onto the rows in the mass metric, then quasistatic twist.
 *
 * A block alone projects itself (tridiagonal for a rod). Blocks coupled by constraints are projected
 * together, by the system of their rows. Sliding and other scalar coordinates have little inertia or none:
 * they start at their present rate, and the projection finds where their forces balance. */
#include "solve/integrator.h"
#include "solve/projection.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* v = d/h, quasistatic twist. */
static cord_status end_projection(problem *w, cluster *s, double h)
{
    double began = cord__seconds();
    cord_status status = finish(w, s, h);
    s->report.seconds_twist += cord__seconds() - began;
    if (status == CORD_OK) cord__set_prescribed_velocities(w, s, w->now.time + h, w->trial.v);
    return status;
}

/* Fast projection of d onto the rows. */
cord_status cord__symplectic_project(problem *w, cluster *s, double h)
{
    double began = cord__seconds();
    cord__set_parameters(w, s, w->now.time + h, w->now.time + h);
    cord_status status = alone(w, s) ? project_alone(w, s, h) : cord__project_rows(w, s, h);
    s->report.seconds_project += cord__seconds() - began;
    return status == CORD_OK ? end_projection(w, s, h) : status;
}

cord_status cord__symplectic_project_contacts(problem *w, const island *of, double h)
{
    double began = cord__seconds();
    for (int k = 0; k < of->clusters; k++)
        cord__set_parameters(w, of->cluster[k], w->now.time + h, w->now.time + h);
    cord_status status = cord__project_contacts(w, of, h);
    of->cluster[0]->report.seconds_project += cord__seconds() - began;
    for (int k = 0; status == CORD_OK && k < of->clusters; k++)
        status = end_projection(w, of->cluster[k], h);
    return status;
}
