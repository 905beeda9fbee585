/* Velocities onto the rows by impulses, and the velocities of the inertial coordinates that go with them. */
#include "solve/problem.h"

#include <string.h>

/* ẋ = (∂x/∂q) v of the inertial coordinates. */
void cord__set_inertial_rates(const problem *w, const cluster *s, const double *cache, state *of)
{
    cord__set_dependent_dofs(w, s, cache, of->v);
    cord__inertial_rates(w, s, cache, of->v, of->inertial_v);
}

/* Momentum that the velocities of blocks miss after an event, times the factor c_a that the mass has in the matrix. */
static void add_impulses(problem *w, cluster *s, const double *v, double c_a)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *missing = w->r + b->v0;
        if (!b->momentum) continue;
        memset(missing, 0, (size_t)b->shape.dofs * sizeof *missing);
        b->ops->topology->impulse(b->model, w->cache + b->cache0, v + b->v0, b->momentum, missing);
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c]) s->rhs[cord__unknown(w, b, c)] += c_a * missing[c];
    }
}

/* Make the velocities obey the rows, B v + ∂g/∂t = drive's rate, with the factor at hand:
 *     [A Bᵀ; B −C] (δv, y) = (p, −(B v − rate)),
 * with p in the right-hand side already. */
static void solve_velocities(problem *w, cluster *s, double *v)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->shape.rows == 0) continue;
        b->ops->rows->rates(b->model, w->cache + b->cache0, w->trial.side + b->side0, v + b->v0,
                            w->g + b->l0);
        if (b->schedule && BLOCK_HAS(b, parameters, row_drift))
            b->ops->parameters->row_drift(b->model, w->cache + b->cache0, w->g + b->l0);
        for (int i = 0; i < b->shape.rows; i++)
            s->rhs[s->offset[k] + b->order[b->shape.dofs + i]] = -w->g[b->l0 + i];
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++) {
            double rate = -r->work.target_rate[row];
            for (int c = 0; c < r->term.dofs; c++)
                rate += r->term.B[row * r->term.dofs + c] * v[r->term.dof[c]];
            bool exact = r->state.active[row] && r->def.compliance == 0;
            s->rhs[r->term.row0 + row] = exact ? -rate : 0;
        }
    }
    EACH_DOF(c) w->delta[c] = 0;
    cord__solve(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c]) v[b->v0 + c] += w->delta[b->v0 + c];
    }
}

static void begin_velocities(problem *w, cluster *s, double time, double *v)
{
    cord__set_prescribed_velocities(w, s, time, v);
    cord__set_dependent_dofs(w, s, w->cache, v);
    cord__clear_rhs(w, s);
}

/* Jᵀm (ẋ − J v), the momentum of the inertial coordinates beyond that of the dofs, times c_a, into the
 * right-hand side. */
static void add_momenta(problem *w, cluster *s, const double *v, double c_a)
{
    double *beyond = w->inertial_v_predictor;
    EACH_INERTIAL(c) beyond[c] = 0;
    cord__inertial_rates(w, s, w->cache, v, beyond);
    EACH_INERTIAL(c) beyond[c] = c_a * (w->trial.inertial_v[c] - beyond[c]);
    EACH_DOF(c) w->r[c] = 0;
    cord__inertial_momenta(w, s, w->cache, beyond, w->r);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c]) s->rhs[cord__unknown(w, b, c)] += w->r[b->v0 + c];
    }
}

/* c_a > 0: the factor of the mass in A; blocks then receive the momentum that they miss. */
void cord__project_velocities(problem *w, cluster *s, double time, double *v, double c_a)
{
    double began = cord__seconds();
    begin_velocities(w, s, time, v);
    if (c_a > 0 && w->keep_momenta && s->inertial.count > 0) add_momenta(w, s, v, c_a);
    if (c_a > 0) add_impulses(w, s, v, c_a);
    solve_velocities(w, s, v);
    s->report.seconds_project += cord__seconds() - began;
}

/* Whether some blocks have a constant mass and others inertial coordinates. */
static bool is_mixed(const problem *w, const cluster *s)
{
    bool dofs = false;
    for (int k = 0; !dofs && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        dofs = !b->shape.inertial_count && b->shape.dofs > 0 && b->metric[0] > 0;
    }
    return dofs && s->inertial.count > 0;
}

/* Backward Euler: the impulses of the velocity projection act on both blocks that a row couples. Inertial
 * coordinates receive theirs where dofs with a constant mass do, or every step would lose momentum; otherwise
 * they keep (x₁ − x₀)/h, of which the next accelerations are differences. */
void cord__end_euler(problem *w, cluster *s, double h)
{
    double *change = w->inertial_v_predictor;
    cord__project_velocities(w, s, w->now.time + h, w->trial.v, 0);
    if (!is_mixed(w, s)) return;
    EACH_INERTIAL(c) change[c] = 0;
    cord__inertial_rates(w, s, w->cache, w->delta, change);
    EACH_INERTIAL(c) w->trial.inertial_v[c] += change[c];
}

/* Velocities at the end of a step whose last stage had the factor c_a of the mass in its matrix: those that
 * obey the rows and are nearest in momentum to the result of the stages, with ẋ = J v. The formulas alone
 * leave ẋ off the rows by O(h²), and the multipliers of the next step would be wrong by O(h). */
void cord__end_step(problem *w, cluster *s, double h, double c_a)
{
    double began = cord__seconds(), *v = w->trial.v;
    bool inertial = s->inertial.count > 0;
    begin_velocities(w, s, w->now.time + h, v);
    if (inertial) add_momenta(w, s, v, c_a);
    solve_velocities(w, s, v);
    if (inertial) cord__set_inertial_rates(w, s, w->cache, &w->trial);
    s->report.seconds_project += cord__seconds() - began;
}
