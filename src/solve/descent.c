/* A step of a search for an equilibrium: descent of the potential energy under the rows, by Newton's method with a proximal
 * term (Levenberg's); or Newton's method alone.
 *
 * A step of descent solves [K + μG, Bᵀ; B, −C] with the metric G of static_trial.c. It goes down when K + μG is positive on
 * the null space of B, that is when the matrix has exactly as many negative pivots as rows; μ grows until it has, and until
 * the merit function, energy plus weighted violation of the rows, goes down. Near the solution μ goes to zero and convergence
 * is quadratic. */
#include "solve/contacts.h"
#include "solve/equilibrium.h"

#include <math.h>
#include <string.h>

/* ½ c v² h: the dissipation potential of a scalar coordinate with viscous friction c, over a step h. */
static double friction_work(const problem *w, const cluster *s, const block *b)
{
    if (!b->shape.coordinate.is_one || s->search.rate_factor == 0) return 0;
    double v = w->trial.v[b->v0];
    return 0.5 * b->shape.coordinate.friction * v * v / s->search.rate_factor;
}

/* Of forces: their potential energies, and the dissipation potentials of a quasi-static step. */
static double force_potential(const problem *w, const cluster *s)
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

static double potential(problem *w, const cluster *s)
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

/* At the trial, where g and the active set have been assembled. */
merit cord__merit(problem *w, const cluster *s)
{
    merit m = {potential(w, s) + cord__contact_dissipation(w, s), cord__contact_violation(w, s)};
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

/* A trial step is accepted by comparison with these. */
typedef struct trial_test {
    merit before;
    double residual;
    double weight;   /* of violation against energy: above every multiplier */
    bool prescribed; /* prescribed dofs still move, and the energy may rise */
} trial_test;

static bool decreases(problem *w, const cluster *s, const trial_test *test, double correction)
{
    merit after = cord__merit(w, s);
    double f0 = test->before.energy + test->weight * test->before.violation;
    double f1 = after.energy + test->weight * after.violation;
    if (!isfinite(f1)) return false;
    /* Near the solution differences of the merit vanish in rounding, the residual does not; and along a neutral direction a
     * step may be long, and worse. */
    double residual = cord__static_residual(w, s);
    bool flat = fabs(f1 - f0) <= 1e-13 * fabs(f0),
         down = flat ? residual < 4 * test->residual : f1 < f0;
    return test->prescribed || down || residual < 0.5 * test->residual || correction < 1e-7;
}

/* The saved forces into the right-hand side, without the violation of exact rows. */
static void forces_to_rhs(const problem *w, cluster *s)
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
static void solve_rows(problem *w, cluster *s, const iteration *it)
{
    double *full = w->v_predictor, *before = w->saved_lambda;
    cord__solve(w, s);
    cord__add_multipliers(w, s, 1);
    if (it->mu == 0 && it->fraction == 1) return;
    double largest = cord__largest_multiplier(w, s);
    cord__copy_dofs(w, s, w->delta, full);
    cord__copy_multipliers(w, s, w->trial.lambda, w->g_end);
    cord__copy_multipliers(w, s, before, w->trial.lambda);
    forces_to_rhs(w, s);
    cord__solve(w, s);
    cord__add_multipliers(w, s, 1);
    if (!(cord__largest_multiplier(w, s) < largest))
        cord__copy_multipliers(w, s, w->g_end, w->trial.lambda);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = b->v0; c < b->v0 + b->shape.dofs; c++)
            w->delta[c] += it->fraction * (full[c] - w->delta[c]);
    }
}

/* Contact forces determine the rest of the step. */
static bool solve_step(problem *w, cluster *s, const iteration *it)
{
    solve_rows(w, s, it);
    return !s->search.contacts || cord__solve_static_contacts(w, s);
}

/* Moves the trial by the step, of which obstacles beyond the margin of detection admit a part. Where the step begins beyond it,
 * after a return to rows, it is short, and the search ends for another detection. */
static double move_trial(problem *w, cluster *s, double part)
{
    enum { SHORTER = 8 };
    double over;
    cord__move_trial(w, s, part);
    for (int i = 0; i < SHORTER && (over = cord__moved_over_margin(w, s)) > 1; i++) {
        cord__copy_configuration(w, s, w->q_half, w->trial.q);
        cord__move_trial(w, s, 0.9 / over);
        part *= 0.9 / over;
    }
    return part;
}

/* After an accepted step, with the residual over that before. At the least μ convergence is linear and fast, unless a
 * direction is nearly neutral: then μ is 0. Along a direction that is neutral rounding alone moves the trial far if μ is 0,
 * and the residual grows: then it is not. */
static void lower_damping(iteration *it, bool bounded, double residual)
{
    bool near = it->correction<1e-2, slow = 10 * it->correction> it->last;
    bool crept = it->mu > LEAST_MU && residual > 0.5 && it->correction < 0.1;
    it->crept = crept ? it->crept + 1 : 0;
    it->neutral = it->neutral || (it->mu == 0 && near && residual > 1);
    it->used = it->mu, it->last = it->correction;
    it->fraction = fmin(1, 2 * it->fraction);
    if (!bounded) it->mu /= near ? 100 : 5;
    if (it->mu < LEAST_MU) it->mu = it->neutral || (it->used > 0 && !slow) ? LEAST_MU : 0;
}

/* A step with the present factor; false: it does not go down. */
static bool try_step(problem *w, cluster *s, iteration *it, trial_test *test)
{
    double bound;
    if (!solve_step(w, s, it)) return false;
    it->correction = cord__largest_correction(w, s, &bound);
    if (!isfinite(it->correction)) return false;
    test->weight = 2 * cord__largest_multiplier(w, s);
    bound = move_trial(w, s, bound);
    cord__static_evaluate(w, s, false, 0);
    bool down = decreases(w, s, test, it->correction);
    if (!down) {
        cord__return_to_rows(w, s);
        cord__static_evaluate(w, s, false, 0);
        /* Along a direction that only contacts support, the way back is long and without meaning. */
        down = !(cord__moved_over_margin(w, s) > 1) && decreases(w, s, test, it->correction);
    }
    if (down) lower_damping(it, bound < 1, cord__static_residual(w, s) / test->residual);
    return down;
}

/* Whether the factored matrix is positive on the null space of the rows, and of contacts that have a force. */
static bool is_positive(problem *w, cluster *s)
{
    int directions = s->negative - s->rows;
    if (directions > 0 && cord__bears_contacts(w, s) &&
        cord__contact_directions(w, s, false, &directions) != CORD_OK)
        return false;
    return directions == 0;
}

cord_status cord__descend(problem *w, cluster *s, iteration *it)
{
    trial_test test = {0};
    cord__copy_configuration(w, s, w->trial.q, w->q_half);
    cord__copy_multipliers(w, s, w->trial.lambda, w->saved_lambda);
    cord__static_evaluate(w, s, false, 0); /* with the matrix, forces include ρ Bᵀg */
    test.residual = cord__static_residual(w, s);
    cord__set_rigid_ratios(w, s);
    cord__copy_dofs(w, s, w->r, w->r_end);
    for (; it->mu < MOST_MU; it->mu = fmax(4 * it->mu, LEAST_MU)) {
        if (cord__cancelled()) return cord__cancel_cluster(s);
        cord__static_evaluate(w, s, true, it->mu);
        test.before = cord__merit(w, s);
        test.prescribed = cord__prescribed_motion_size(w, s) > 1e-9;
        if (!cord__factor(w, s) || !is_positive(w, s)) continue;
        if (try_step(w, s, it, &test)) return CORD_OK;
        if (s->search.contacts && s->search.contacts->overflow) return s->report.status;
        cord__copy_configuration(w, s, w->q_half, w->trial.q);
        cord__copy_multipliers(w, s, w->saved_lambda, w->trial.lambda);
        it->fraction *= 0.5;
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "no equilibrium is found", s->block[0],
                             -1);
}

/* The size of the correction that the present factor gives at the trial, with its multipliers. */
static double simplified_correction(problem *w, cluster *s)
{
    double bound;
    cord__static_evaluate(w, s, false, 0);
    cord__refill(w, s);
    EACH_DOF(c) w->delta[c] = 0;
    cord__solve(w, s);
    return cord__largest_correction(w, s, &bound);
}

/* Halvings of a step after which it is given up. */
enum { HALVINGS = 16 };

/* Moves the trial by a part of the step, and its multipliers by that of their change to those in w->g_end. */
static void take_part(problem *w, cluster *s, const double *step, double part)
{
    cord__copy_configuration(w, s, w->q_half, w->trial.q);
    EACH_DOF(c) w->delta[c] = step[c];
    cord__move_trial(w, s, part);
    for (int i = 0; i < s->map.multipliers; i++) {
        int row = ~s->map.source[s->map.multiplier[i].unknown];
        w->trial.lambda[row] = w->saved_lambda[row] + part * (w->g_end[row] - w->saved_lambda[row]);
    }
}

/* A damped step is accepted if the correction from the same matrix at its end is shorter, ‖δ̄‖ ≤ (1 − α/2) ‖δ‖: the natural
 * monotonicity test, which does not tell minima from saddles [Deuflhard, Newton Methods for Nonlinear Problems, 2004,
 * sec. 3.3]. */
static bool newton_step(problem *w, cluster *s, iteration *it)
{
    double *step = w->v_predictor, bound;
    cord__static_evaluate(w, s, true, it->mu);
    if (!cord__factor_and_solve(w, s)) return false;
    it->correction = cord__largest_correction(w, s, &bound);
    if (!isfinite(it->correction)) return false;
    cord__add_multipliers(w, s, 1);
    cord__copy_multipliers(w, s, w->trial.lambda, w->g_end);
    cord__copy_dofs(w, s, w->delta, step);
    for (int halving = 0; halving < HALVINGS; halving++, bound *= 0.5) {
        take_part(w, s, step, bound);
        if (it->correction < 1e-7) return true;
        if (simplified_correction(w, s) <= (1 - 0.5 * bound) * it->correction) return true;
    }
    return false;
}

/* Rounding moves the trial far along a neutral direction; with the least μ it does not. */
cord_status cord__newton_to_equilibrium(problem *w, cluster *s, iteration *it)
{
    cord__copy_configuration(w, s, w->trial.q, w->q_half);
    cord__copy_multipliers(w, s, w->trial.lambda, w->saved_lambda);
    for (int attempt = 0; attempt < 2; attempt++) {
        it->mu = it->used = it->neutral || attempt > 0 ? LEAST_MU : 0, it->fraction = 1;
        if (newton_step(w, s, it)) return CORD_OK;
        it->neutral = true;
        cord__copy_configuration(w, s, w->q_half, w->trial.q);
        cord__copy_multipliers(w, s, w->saved_lambda, w->trial.lambda);
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "no equilibrium is found nearby",
                             s->block[0], -1);
}
