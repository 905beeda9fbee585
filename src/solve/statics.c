/* Equilibrium: minimise the potential energy under the rows, by Newton's method with a proximal
 * term in the mass metric (Levenberg's).
 *
 * A step solves [K + μM, Bᵀ; B, −C]. It is a descent direction when K + μM is positive on the null
 * space of B, that is when the matrix has exactly as many negative pivots as rows; μ grows until it
 * has, and until the merit function, energy plus weighted violation of the rows, goes down. Near
 * the solution μ goes to zero and convergence is quadratic. */
#include "math/band.h"
#include "math/vec3.h"
#include "math/rotation.h"
#include "solve/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_metric(problem *w, island *s, double mu)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->shape.inertial_count) continue; /* evaluate() has it */
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = s->offset[k] + b->order[c]; /* dofs beyond a band are prescribed */
            if (u < s->map.count) s->values[s->map.diagonal[u]] += mu * b->metric[c];
        }
    }
}

double cord__stiffness_ratio(const problem *w, const block *b)
{
    if (!b->shape.inertial_count || b->stiffness_over_metric > 0) return b->stiffness_over_metric;
    double weight = v3_norm(w->environment.gravity);
    return (weight > 0 ? weight : 1) / b->scale[0];
}

/* The same, with the unbalanced forces in place of gravity where they are larger. */
static double ratio_of_forces(const problem *w, const block *b)
{
    double ratio = cord__stiffness_ratio(w, b);
    if (!b->shape.inertial_count || b->stiffness_over_metric > 0) return ratio;
    for (int c = 0; c < b->shape.dofs; c++)
        if (!b->prescribed[c])
            ratio = fmax(ratio, fabs(w->r[b->v0 + c]) / (b->metric[c] * b->scale[c]));
    return ratio;
}

/* Bodies have no stiffness, so a body that only rows determine needs a little of the metric for its pivots
 * in every iteration. It does not move the solution, and a millionth of the ratio above hardly slows the
 * iteration. */
static double floor_of_metric(const problem *w, const island *s)
{
    double least = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->shape.inertial_count || b->stiffness_over_metric > 0) continue;
        double ratio = cord__stiffness_ratio(w, b);
        least = fmax(least, 1e-6 * (ratio > 0 ? ratio : 1));
    }
    return least;
}

/* The largest stiffness over metric: the scale of μ. Scalar coordinates have no metric. The diagonal is that of the block
 * alone; of blocks with parts (splines) it includes the ρBᵀB of constraints: without it a spline in a slot may not reach
 * its equilibrium, and with it a cable held at an angle may not. */
static double largest_ratio(const problem *w, const island *s)
{
    double ratio = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        bool with_terms = s->banded || b->shape.parts > 0;
        ratio = fmax(ratio, ratio_of_forces(w, b));
        for (int c = 0;
             !b->shape.inertial_count && !b->shape.coordinate.is_one && c < b->shape.dofs; c++) {
            int position = b->order[c];
            if (b->prescribed[c] || position >= b->shape.band_count) continue;
            int u = s->offset[k] + position;
            double own = with_terms ? s->values[s->map.diagonal[u]] : s->diagonal[u];
            ratio = fmax(ratio, fabs(own) / b->metric[c]);
        }
    }
    return ratio;
}

/* ½ c v² h: the dissipation potential of a scalar coordinate with viscous friction c, over a step h. */
static double friction_work(const problem *w, const island *s, const block *b)
{
    if (!b->shape.coordinate.is_one || s->search.rate_factor == 0) return 0;
    double v = w->trial.v[b->v0];
    return 0.5 * b->shape.coordinate.friction * v * v / s->search.rate_factor;
}

/* Of forces: their potential energies, and the dissipation potentials of a quasi-static step. */
static double force_potential(const problem *w, const island *s)
{
    double energy = 0, dissipation = 0;
    for (int k = 0; k < s->forces; k++) {
        const force_term *f = w->force[s->force[k]];
        if (f->ops->potential) energy += f->ops->potential(w, f, w->trial.q, w->cache);
        if (f->ops->dissipation && s->search.rate_factor > 0)
            dissipation += f->ops->dissipation(s, f);
    }
    return energy + dissipation;
}

static double potential(problem *w, const island *s)
{
    double sum = force_potential(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        block_energy e;
        environment env = cord__environment(w, b, s->search.time);
        b->ops->energy(b->model, &env, w->trial.q + b->q0, w->cache + b->cache0, w->zero + b->v0,
                       NULL, &e);
        sum += e.gravity + e.bending + e.twisting + e.stretching + friction_work(w, s, b);
    }
    for (int k = 0; k < s->loads; k++) {
        const force_term *f = w->load[s->load[k]];
        sum -= f->ops->work(w, s, f);
    }
    return sum;
}

typedef struct merit {
    double energy;    /* with that of compliant rows */
    double violation; /* Σ |g| of exact rows */
} merit;

/* At the trial, where g and the active set have been assembled. */
static merit merit_of(problem *w, const island *s)
{
    merit m = {potential(w, s), 0};
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.rows; i++) m.violation += fabs(w->g[b->l0 + i]);
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        bool attached = !r->eliminated && !cord__constraint_released(w, r);
        for (int row = 0; attached && row < r->ops->rows; row++) {
            double g = r->work.value.g[row];
            if (r->def.side != CORD_EQUAL && g > 0) g = 0;
            if (r->def.compliance > 0)
                m.energy += 0.5 * g * g / r->def.compliance;
            else
                m.violation += fabs(g);
        }
    }
    return m;
}

/* The largest unbalanced force. A welded frame and its parent share unknowns: their forces are summed by
 * unknown, in the solver's x, which is free here. */
static double residual_size(const problem *w, const island *s)
{
    double largest = 0;
    for (int k = 0; !s->banded && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) s->x[cord__unknown(w, b, c)] = 0;
    }
    for (int k = 0; !s->banded && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) s->x[cord__unknown(w, b, c)] += w->r[b->v0 + c];
    }
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            if (b->prescribed[c] || b->alias_block[c] >= 0) continue;
            double force = s->banded ? w->r[b->v0 + c] : s->x[cord__unknown(w, b, c)];
            largest = fmax(largest, fabs(force) * b->scale[c]);
        }
    }
    return largest;
}

static double largest_multiplier(const problem *w, const island *s)
{
    double largest = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.rows; i++)
            largest = fmax(largest, fabs(w->trial.lambda[b->l0 + i]));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            largest = fmax(largest, fabs(w->trial.lambda[r->l0 + row]));
    }
    return largest;
}

static double largest_correction(const problem *w, const island *s, double *bound)
{
    double largest = 0;
    *bound = 1;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            double size = fabs(w->delta[b->v0 + c]) / b->scale[c];
            if (!(size <= largest)) largest = size;
        }
        if (b->ops->step_bound)
            *bound =
                fmin(*bound, b->ops->step_bound(b->model, w->cache + b->cache0, w->delta + b->v0));
    }
    return largest;
}

/* The largest motion that prescribed dofs still have to make, from the last assembly. */
static double prescribed_size(const problem *w, const island *s)
{
    double largest = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] == PRESCRIBED)
                largest = fmax(largest, fabs(w->delta[b->v0 + c]) / b->scale[c]);
    }
    return largest;
}

static void move_trial(problem *w, const island *s, double scale)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) w->delta[b->v0 + c] *= scale;
        b->ops->retract(b->model, w->trial.q + b->q0, w->delta + b->v0);
    }
    cord__update_welds(w, s, w->trial.q);
}

static void copy_configuration(const problem *w, const island *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->q0, from + b->q0, (size_t)b->shape.q_count * sizeof(double));
    }
}

static void copy_multipliers(const problem *w, const island *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->l0, from + b->l0, (size_t)b->shape.rows * sizeof(double));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        memcpy(to + r->l0, from + r->l0, (size_t)r->ops->rows * sizeof(double));
    }
}

static stage static_stage(const island *s)
{
    return (stage){.time = s->search.time,
                   .force_time = s->search.time,
                   .c_k = 1,
                   .statics = true,
                   .rate_factor = s->search.rate_factor};
}

/* Scalar coordinates move at (q − q₀)/h; nothing else has a velocity. */
static void set_sliding_rates(problem *w, const island *s)
{
    for (int k = 0; s->search.rate_factor > 0 && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->shape.coordinate.is_one)
            w->trial.v[b->v0] = s->search.rate_factor * (w->trial.q[b->q0] - w->now.q[b->q0]);
    }
}

/* Where the mass matrix is not diagonal, μM is part of the assembly. */
static void evaluate(problem *w, island *s, bool matrix, double mu)
{
    stage t = static_stage(s);
    t.metric = mu + s->search.metric_floor;
    set_sliding_rates(w, s);
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__assemble(w, s, &t, matrix);
    cord__kinks_prescribe(w, s, matrix);
}

/* A pseudo-random displacement, to leave a saddle; it depends on the number of the dof only, so that runs
 * are reproducible. Frames are not moved. */
static void kick(problem *w, const island *s, double size)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            unsigned hash = (unsigned)(b->v0 + c + 1) * 2654435761u;
            hash ^= hash >> 15;
            hash *= 2246822519u;
            double unit = (double)(hash >> 8) / 8388608.0 - 1;
            bool inertial = b->shape.inertial_count, frame = b->scale[c] == 1 && !inertial;
            double scale = inertial ? b->scale[c] * b->scale[c] : 1; /* of a curvature: 1/L */
            w->delta[b->v0 + c] = b->prescribed[c] || frame ? 0 : size * scale * unit;
        }
    }
    move_trial(w, s, 1);
}

/* A step along the tangent of curved rows leaves them at second order, which alone can outweigh the decrease
 * of energy (the Maratos effect). The factor at hand returns the trial onto them. */
static void return_to_rows(problem *w, island *s)
{
    double bound;
    cord__rows_to_rhs(w, s);
    cord__solve(w, s);
    largest_correction(w, s, &bound);
    move_trial(w, s, bound);
}

/* The state of the iteration between accepted steps. */
typedef struct iteration {
    double mu, scale_of_mu;
    double fraction; /* of the violation of the rows that a step corrects */
    double correction;
} iteration;

/* A trial step is accepted by comparison with these. */
typedef struct trial_test {
    merit before;
    double residual;
    double weight;   /* of violation against energy: above every multiplier */
    bool prescribed; /* prescribed dofs still move, and the energy may rise */
} trial_test;

static bool decreases(problem *w, const island *s, const trial_test *test, double correction)
{
    merit after = merit_of(w, s);
    double f0 = test->before.energy + test->weight * test->before.violation;
    double f1 = after.energy + test->weight * after.violation;
    if (!isfinite(f1)) return false;
    /* Near the solution differences of the merit vanish in rounding, the residual does not. */
    return test->prescribed || f1 <= f0 + 1e-13 * fabs(f0) ||
           residual_size(w, s) < 0.5 * test->residual || correction < 1e-7;
}

static void copy_dofs(const problem *w, const island *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->v0, from + b->v0, (size_t)b->shape.dofs * sizeof(double));
    }
}

/* The saved forces into the right-hand side, without the violation of exact rows. */
static void forces_to_rhs(const problem *w, island *s)
{
    cord__clear_rhs(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c]) s->rhs[cord__unknown(w, b, c)] -= w->r_end[b->v0 + c];
        memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            if (!r->state.active[row] || r->def.compliance > 0)
                s->rhs[r->term.row0 + row] = -w->g[r->l0 + row];
    }
}

/* A step is the sum of one along the rows and one onto them. The second does not vanish however large μ is,
 * and its multipliers grow with μ: in the next matrix they would require a larger μ, without end. The
 * multipliers of the first are bounded; the smaller of the two sets is kept. Of the second step only a
 * fraction may be taken. */
static void solve_step(problem *w, island *s, const iteration *it)
{
    double *full = w->v_predictor, *before = w->saved_lambda;
    cord__solve(w, s);
    cord__add_multipliers(w, s, 1);
    if (it->mu == 0 && it->fraction == 1) return;
    double largest = largest_multiplier(w, s);
    copy_dofs(w, s, w->delta, full);
    copy_multipliers(w, s, w->trial.lambda, w->g_end);
    copy_multipliers(w, s, before, w->trial.lambda);
    forces_to_rhs(w, s);
    cord__solve(w, s);
    cord__add_multipliers(w, s, 1);
    if (!(largest_multiplier(w, s) < largest)) copy_multipliers(w, s, w->g_end, w->trial.lambda);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = b->v0; c < b->v0 + b->shape.dofs; c++)
            w->delta[c] += it->fraction * (full[c] - w->delta[c]);
    }
}

static cord_status one_step(problem *w, island *s, iteration *it)
{
    double *saved_q = w->q_half, *saved_lambda = w->saved_lambda;
    copy_configuration(w, s, w->trial.q, saved_q);
    copy_multipliers(w, s, w->trial.lambda, saved_lambda);
    evaluate(w, s, false, 0); /* with the matrix, forces include ρ Bᵀg */
    double residual = residual_size(w, s);
    copy_dofs(w, s, w->r, w->r_end);
    for (int attempt = 0; attempt < 60; attempt++) {
        if (cord__cancelled()) return cord__cancel_island(s);
        evaluate(w, s, true, it->mu);
        merit before = merit_of(w, s);
        bool prescribed = prescribed_size(w, s) > 1e-9;
        double ratio = attempt == 0 ? largest_ratio(w, s) : it->scale_of_mu;
        it->scale_of_mu = ratio > 0 ? ratio : 1; /* without any stiffness every scale serves */
        add_metric(w, s, it->mu);
        bool factored = cord__factor(w, s);
        bool right = factored && s->negative == s->rows;
        if (right) {
            double bound;
            solve_step(w, s, it);
            it->correction = largest_correction(w, s, &bound);
            if (isfinite(it->correction)) {
                trial_test test = {before, residual, 2 * largest_multiplier(w, s), prescribed};
                move_trial(w, s, bound);
                evaluate(w, s, false, 0);
                bool down = decreases(w, s, &test, it->correction);
                if (!down) {
                    return_to_rows(w, s);
                    evaluate(w, s, false, 0);
                    down = decreases(w, s, &test, it->correction);
                }
                if (down) {
                    it->fraction = fmin(1, 2 * it->fraction);
                    it->mu = it->mu < 1e-9 * it->scale_of_mu ? 0 : it->mu / (bound < 1 ? 1 : 5);
                    return CORD_OK;
                }
            }
            copy_configuration(w, s, saved_q, w->trial.q);
            copy_multipliers(w, s, saved_lambda, w->trial.lambda);
            it->fraction *= 0.5;
        }
        it->mu = fmax(4 * it->mu, 1e-9 * it->scale_of_mu);
        if (!(it->mu < 1e9 * it->scale_of_mu)) break;
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "no equilibrium is found", s->block[0],
                             -1);
}

/* Whether an undamped Newton step from here, stable or not, is below the tolerance. */
static bool at_equilibrium(problem *w, island *s, double tolerance)
{
    double bound;
    evaluate(w, s, true, 0);
    if (prescribed_size(w, s) > tolerance || !cord__factor_and_solve(w, s)) return false;
    return largest_correction(w, s, &bound) < tolerance;
}

void cord__begin_at_rest(problem *w, island *s)
{
    cord__copy_state(s, &w->now, &w->trial);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memset(w->trial.v + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        memset(w->trial.a + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        memset(w->trial.inertial_v + b->inertial0, 0,
               (size_t)b->shape.inertial_count * sizeof(double));
        memset(w->trial.inertial_a + b->inertial0, 0,
               (size_t)b->shape.inertial_count * sizeof(double));
    }
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__start_step(w, s);
}

static bool term_crosses_elements(const problem *w, const term *x)
{
    for (int side = 0; side < 2; side++)
        if (x->part[2 * side].block >= 0 &&
            cord__crosses_elements(w, cord__point_of(w, x, side), w->trial.q))
            return true;
    return false;
}

/* Whether a point has slid beyond the elements that its terms have degrees of freedom of, or the topology or the
 * quadrature of a block no longer fits. */
static bool crosses_elements(const problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const topology_ops *topology = b->ops->topology;
        const quadrature_ops *quadrature = b->ops->quadrature;
        if (topology && topology->is_past(b->model, w->trial.q + b->q0)) return true;
        if (quadrature && quadrature->fit(b->model, w->trial.q + b->q0) == QUADRATURE_COARSE)
            return true;
    }
    for (int k = 0; k < s->constraints; k++)
        if (term_crosses_elements(w, &w->constraint[s->constraint[k]]->term)) return true;
    for (int k = 0; k < s->forces; k++)
        if (term_crosses_elements(w, &w->force[s->force[k]]->term)) return true;
    return false;
}

/* A step of `quasi-static` begins at `now`, with w->cache there; it ends, or an equilibrium does, at the last assembly. */
static void begin_forces(problem *w, const island *s)
{
    for (int k = 0; s->search.rate_factor > 0 && k < s->forces; k++) {
        force_term *f = w->force[s->force[k]];
        if (f->ops->begin_step) f->ops->begin_step(w, f);
    }
}

static void end_forces(const problem *w, const island *s)
{
    for (int k = 0; k < s->forces; k++) {
        force_term *f = w->force[s->force[k]];
        if (f->ops->end_step) f->ops->end_step(s, f);
    }
}

/* Closed rows of an equilibrium are at rest. */
static void rest_active_rows(const problem *w, const island *s)
{
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        if (!cord__constraint_released(w, r))
            r->impact->state.resting = r->state.active[r->ops->rows - 1];
    }
}

/* The proximal terms of the rows lead to a compromise of rows that contradict each other, with enormous multipliers. */
static cord_status check_rows(problem *w, island *s)
{
    int violated = -1;
    evaluate(w, s, false, 0);
    if (cord__row_error(w, s, w->cache, &violated) <= CONTRADICTION) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_INCONSISTENT, "constraints cannot be met", s->block[0],
                             violated);
}

/* Whether a step of `quasi-static` leaves the equilibrium: one factorisation in double precision, in which rounding must
 * not make a neutral direction an unstable one. */
static void clearly_unstable(problem *w, island *s, double scale_of_mu, stability *out)
{
    const double surely_not_neutral = 1e-12;
    evaluate(w, s, true, surely_not_neutral * scale_of_mu);
    add_metric(w, s, surely_not_neutral * scale_of_mu);
    out->unstable = cord__factor(w, s) ? s->negative - s->rows : -1;
}

static cord_status search(problem *w, island *s, const cord_statics_def *def, equilibrium *out)
{
    s->report.status = CORD_OK;
    s->search.metric_floor = floor_of_metric(w, s);
    memset(out, 0, sizeof *out);
    cord__set_parameters(w, s, s->search.time, s->search.time);
    cord__begin_at_rest(w, s);
    begin_forces(w, s);
    cord__kinks_clear(w, s);
    iteration it = {.fraction = 1};
    int kicks = 0, stalled = 0;
    double best = INFINITY, kicked_from = 0;
    while (out->iterations++ < def->max_iterations) {
        cord_status status = one_step(w, s, &it);
        if (status != CORD_OK) return status;
        s->report.newton_iterations++;
        if (crosses_elements(w, s))
            return CORD_OK; /* the world changes the topology, and searches again */
        if (cord__kinks_note(w, s, w->q_half)) {
            it.mu = 0, best = INFINITY;
            continue;
        }
        bool found = it.mu == 0 && it.fraction == 1 && it.correction < def->tolerance;
        /* Near a bifurcation, and along a neutral direction, rounding of the residual alone moves the
         * configuration by more than the tolerance: the search ends when the residual no longer falls
         * with a negligible μ. */
        double residual = residual_size(w, s);
        bool damped = it.mu > 1e-8 * it.scale_of_mu || it.fraction < 1 || it.correction > 1e-4;
        stalled = residual < 0.5 * best || damped ? 0 : stalled + 1;
        best = fmin(best, residual);
        found = found || stalled >= 5;
        /* Descent avoids an unstable equilibrium, but a search that begins at one stays. */
        if (!found && it.correction < 1e-6) found = at_equilibrium(w, s, def->tolerance);
        if (!found) continue;
        stage here = static_stage(s);
        if (cord__kinks_release(w, s, &here)) continue;
        status = check_rows(w, s);
        if (status != CORD_OK) return status;
        out->residual = residual_size(w, s);
        if (s->search.in_step)
            clearly_unstable(w, s, it.scale_of_mu, &out->stability);
        else
            status = cord__trial_stability(w, s, &out->stability);
        if (status != CORD_OK) return status;
        if (out->stability.unstable == 0 || def->kick <= 0 || kicks++ >= 8) return CORD_OK;
        /* No lower energy was found: the kick led back. */
        double energy = merit_of(w, s).energy;
        if (kicks > 1 && !(energy < kicked_from - 1e-12 * fabs(kicked_from))) return CORD_OK;
        kicked_from = energy;
        kick(w, s, def->kick);
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "no equilibrium is found within the allowed iterations", s->block[0],
                             -1);
}

cord_status cord__island_equilibrium(problem *w, island *s, const cord_statics_def *def,
                                     equilibrium *out)
{
    s->search = (equilibrium_search){.time = w->now.time};
    cord_status status = search(w, s, def, out);
    if (status != CORD_OK) return status;
    rest_active_rows(w, s);
    end_forces(w, s);
    return status;
}

/* Displacements of a thousandth of the smallest element are enough to leave a saddle. */
static double small_kick(const problem *w, const island *s)
{
    double least = INFINITY;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < (b->shape.inertial_count ? 1 : b->shape.dofs); c++)
            if (b->scale[c] != 1) least = fmin(least, b->scale[c]);
    }
    return isfinite(least) ? 1e-3 * least : 0;
}

/* Iterations of the search per Newton iteration that other integrators are allowed. */
enum { SEARCH = 40 };

cord_status cord__island_quasi_static(problem *w, island *s, double h)
{
    cord_statics_def def = {.tolerance = w->tolerance,
                            .max_iterations = SEARCH * w->max_iterations,
                            .kick = small_kick(w, s)};
    equilibrium found;
    s->search = (equilibrium_search){
        .time = w->now.time + h, .rate_factor = h > 0 ? 1 / h : 0, .in_step = true};
    cord_status status = search(w, s, &def, &found);
    if (status != CORD_OK) return status;
    rest_active_rows(w, s);
    if (h > 0) end_forces(w, s);
    return status;
}

/* Multipliers at the present configuration, when no step or search has found them yet, by one solve; where
 * that fails they stay. At an equilibrium every μ serves. That of the lowest elastic motions keeps rounding from moving
 * the configuration along neutral directions, which would change the multipliers; a larger one would resist the
 * correction of the rows' rounding errors. */
void cord__island_multipliers(problem *w, island *s)
{
    cord__begin_at_rest(w, s);
    s->search = (equilibrium_search){.time = w->now.time};
    evaluate(w, s, true, 0);
    double mu = 1e3 * cord__lowest_ratio(w, s);
    for (int k = 0; k < s->blocks; k++) { /* pivots of blocks without stiffness */
        const block *b = w->block[s->block[k]];
        if (b->shape.inertial_count && !(b->stiffness_over_metric > 0))
            mu = fmax(mu, cord__stiffness_ratio(w, b));
    }
    evaluate(w, s, true, mu);
    add_metric(w, s, mu);
    if (!cord__factor_and_solve(w, s)) return;
    for (int u = 0; u < s->unknowns; u++)
        if (!isfinite(s->x[u])) return;
    cord__add_multipliers(w, s, 1);
    copy_multipliers(w, s, w->trial.lambda, w->now.lambda);
}
