#include "solve/projection.h"
#include "solve/contact_coupling.h"

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

void cord__begin_projection(problem *w, cluster *s, double h)
{
    row_system *x = &s->row_system;
    s->newton.h = h;
    s->newton.count = 0;
    s->newton.stage = (stage){.time = w->now.time + h,
                              .force_time = w->now.time + h,
                              .c_v = 1 / h,
                              .relative = set_row_starts(w, s, h)};
    for (int i = 0; i < x->coordinates; i++) x->imbalance[i] = w->r[x->coordinate[i]->v0];
}

cord_status cord__linearise_rows(problem *w, cluster *s, bool *hold)
{
    int violated = -1;
    if (cord__cancelled()) return cord__cancel_cluster(s);
    set_trial_positions(w, s);
    double error = constraint_error(w, s, cord__assemble_rows(w, s, &s->newton.stage), &violated);
    if (!isfinite(error))
        return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its motion grows without bound",
                                 s->block[0], violated);
    bool balanced = s->row_system.coordinates == 0 || s->newton.count > 0;
    *hold = balanced && fmax(error, compliant_error(w, s)) <= w->length_tolerance &&
            !has_open_impulse(w, s);
    return CORD_OK;
}

cord_status cord__correct_rows(problem *w, cluster *s)
{
    int violated = -1;
    s->newton.count++;
    s->report.projection_iterations++;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
    }
    if (!cord__row_system_solve(&s->row_system, w, s->newton.h, w->delta)) {
        constraint_error(w, s, 0, &violated);
        return cord__set_failure(s, CORD_ERROR_SINGULAR,
                                 "constraints act on motions without inertia, or repeat each other",
                                 s->block[0], violated);
    }
    apply_multipliers(w, s);
    return CORD_OK;
}

void cord__move_projected(problem *w, const cluster *s)
{
    const double rate = s->newton.stage.c_v;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = b->v0; c < b->v0 + b->shape.dofs; c++) {
            w->d[c] += w->delta[c];
            w->trial.v[c] = w->d[c] * rate; /* compliant rows may be damped */
        }
    }
}

cord_status cord__project_rows(problem *w, cluster *s, double h)
{
    cord__begin_projection(w, s, h);
    for (int i = 0; i < 50; i++) {
        bool hold;
        cord_status status = cord__linearise_rows(w, s, &hold);
        if (status != CORD_OK || hold) return status;
        status = cord__correct_rows(w, s);
        if (status != CORD_OK) return status;
        cord__move_projected(w, s);
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "lengths and constraints are not restored within the step",
                             s->block[0], -1);
}

/* ---- responses to contact forces -------------------------------------------------------------- */

static void solve(const problem *w, cluster *s, int count)
{
    cord__row_system_respond(&s->row_system, w, s, s->newton.h, count);
}

static void add(problem *w, cluster *s)
{
    cord__row_system_add_response(&s->row_system, w, s, s->newton.h, w->delta);
    apply_multipliers(w, s);
}

const response_ops cord__projection_responses = {solve, add, cord__couple_under_rows};
