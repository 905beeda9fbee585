/* One evaluation of an island's equations: blocks, constraints and loads, into the band of a single
 * block or into the island's sparse matrix.
 *
 * Newton's system is, with y = −dλ,
 *
 *     [ A  Bᵀ ] [ δ ]   [ −r ]
 *     [ B  −C ] [ y ] = [ −g ].
 *
 * Held columns have δ given (zero, or the prescribed motion still to be done): their equations
 * are replaced by it, and what they would have said is the force that holds them. */
#include "math/band.h"
#include "math/rotation.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double cord__seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

environment cord__environment(const problem *w, const block *b, double time)
{
    environment env = w->environment;
    env.time = time;
    v3_add(env.gravity, env.gravity, b->load_acceleration);
    return env;
}

cord_status cord__set_failure(island *s, cord_status status, const char *cause, int block_index,
                              int constraint_index)
{
    s->status = status;
    s->failure_cause = cause;
    s->failed_block = block_index;
    s->failed_constraint = constraint_index;
    return status;
}

static void copy_ranges(const index_ranges *r, const double *from, double *to)
{
    for (int i = 0; i < r->count; i++) {
        int first = r->range[i].first;
        memcpy(to + first, from + first, (size_t)(r->range[i].end - first) * sizeof *to);
    }
}

void cord__copy_motion(const island *s, const state *from, state *to)
{
    copy_ranges(&s->q, from->q, to->q);
    copy_ranges(&s->dofs, from->v, to->v);
    copy_ranges(&s->inertial, from->inertial_v, to->inertial_v);
    copy_ranges(&s->multipliers, from->lambda, to->lambda);
    copy_ranges(&s->side, from->side, to->side);
}

void cord__copy_state(const island *s, const state *from, state *to)
{
    cord__copy_motion(s, from, to);
    copy_ranges(&s->dofs, from->a, to->a);
    copy_ranges(&s->inertial, from->inertial_a, to->inertial_a);
}

void cord__start_step(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->memory)
            b->ops->memory->start_step(b->model, w->cache + b->cache0, w->trial.side + b->side0);
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int side = 0; side < 2; side++) {
            point *p = r->point[side] >= 0 ? w->point[r->point[side]] : NULL;
            const block *b = p && p->frame_attached && p->block >= 0 ? w->block[p->block] : NULL;
            if (b && b->ops->start_attachment)
                b->ops->start_attachment(b->model, w->cache + b->cache0, &p->frame_attachment);
        }
    }
}

void cord__refresh(problem *w, const island *s, const double *q, double *cache)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        b->ops->refresh(b->model, q + b->q0, cache + b->cache0);
    }
}

void cord__refresh_rows(problem *w, const island *s, const double *q, double *cache)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const block_ops *ops = b->ops;
        (ops->refresh_rows ? ops->refresh_rows : ops->refresh)(b->model, q + b->q0,
                                                               cache + b->cache0);
    }
}

void cord__refresh_to_assemble(problem *w, const island *s, const double *q, double *cache)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const block_ops *ops = b->ops;
        (b->shape.assembles_from_rows_cache ? ops->refresh_rows : ops->refresh)(b->model, q + b->q0,
                                                                                cache + b->cache0);
    }
}

/* ---- constraints ------------------------------------------------------------------------------- */

/* The block of a constraint that takes the work it lacks over a step; NULL: none does. */
static const block *taker(const problem *w, const constraint *r)
{
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const block *b = r->part[part].block >= 0 ? w->block[r->part[part].block] : NULL;
        if (b && b->ops->energy_correction) return b;
    }
    return NULL;
}

/* m or rad: beyond it nothing is round-off. */
static const double NO_ROUND_OFF = 1e-9;

/* m or rad: over so little the defect, which is of second order, is all round-off. */
static const double STANDING = 1e-11;

/* `midpoint`: g at the end, and a discrete gradient of it: B half way, corrected along the motion
 * so that B d is exactly what g changes by. Where a block takes the work that is lacking, B stays as
 * it is: a point that a constraint keeps in its place has no motion to correct along. */
static void constraint_midpoint(problem *w, constraint *r, const stage *t, const double *lambda)
{
    double end[CONSTRAINT_ROWS], *start = r->start;
    bool taken = taker(w, r) != NULL;
    cord__constraint_evaluate(w, r, w->now.q, w->cache_start, t->time, NULL);
    memcpy(start, r->value.g, sizeof r->start);
    cord__constraint_evaluate(w, r, w->trial.q, w->cache_end, t->time, NULL);
    memcpy(end, r->value.g, sizeof end);
    cord__constraint_evaluate(w, r, w->q_half, w->cache, t->time, lambda);
    for (int row = 0; row < r->ops->rows; row++) {
        double *B = r->B + row * r->dofs, moved = 0, square = 0, steep = 0;
        for (int c = 0; c < r->dofs; c++) {
            moved += B[c] * w->d[r->dof[c]];
            square += w->d[r->dof[c]] * w->d[r->dof[c]];
            steep += B[c] * B[c];
        }
        double defect = end[row] - start[row] - moved;
        r->defect[row] = defect;
        r->value.g[row] = end[row];
        if (taken) continue;
        /* Second order in the motion at most, or where a tangent passes a jump of curvature a part of it;
         * what is lost in round-off needs no correction, and at rest gets none. */
        double most = fabs(defect) > NO_ROUND_OFF ? 0.5 * sqrt(steep) : 0.1;
        if (fabs(defect) < most * sqrt(square))
            for (int c = 0; c < r->dofs; c++)
                B[c] += defect / (square + STANDING * STANDING) * w->d[r->dof[c]];
    }
}

bool cord__constraint_released(const problem *w, const constraint *r)
{
    if (r->owner) r = r->owner;
    if (r->released) return true;
    for (int side = 0; side < 2; side++)
        if (r->point[side] >= 0 && w->point[r->point[side]]->released) return true;
    return false;
}

/* Whether a one-sided row holds now: the semismooth Newton choice, λ − σ g > 0, with σ a stiffness
 * of the size the row meets. */
static void choose_active(const problem *w, island *s, constraint *r, const stage *t,
                          const double *lambda)
{
    bool released = cord__constraint_released(w, r);
    bool apart = r->impact_state.restitution > 0 && !r->impact_state.resting && !t->statics;
    if (t->active_set_fixed && r->side != CORD_EQUAL) return;
    for (int row = 0; row < r->ops->rows; row++) {
        bool before = r->active[row];
        r->active[row] = !released;
        if (released || r->side == CORD_EQUAL) continue;
        double compliance = 0;
        for (int c = 0; c < r->dofs; c++)
            compliance +=
                r->B[row * r->dofs + c] * r->B[row * r->dofs + c] * w->inverse_mass[r->dof[c]];
        double sigma = compliance > 0 ? (t->c_a > 0 ? t->c_a : 1) / compliance : 1;
        bool holds = lambda[row] - sigma * r->value.g[row] > 0 && !t->two_sided_only && !apart;
        s->active_set_changed = s->active_set_changed || holds != before;
        r->active[row] = holds;
        if (t->statics) r->impact_state.resting = holds; /* an equilibrium is at rest */
    }
}

/* What stands for g of a row, and its −C: compliant rows are g + τ ġ + c λ = 0, divided by
 * 1 + τ c_v to stay symmetric. `midpoint` has the mean of g over the step in its place (so that the
 * spring's energy is exact): twice the row is g₀ + g₁ + 2τ ġ + 2c λ = 0. */
static void row_law(const constraint *r, const stage *t, int row, double rate, double lambda,
                    double *g, double *c)
{
    *g = r->value.g[row];
    *c = 0;
    if (r->compliance <= 0) return;
    bool mean = t->midpoint && !r->quasistatic;
    double twice = mean ? 2 : 1, soft = twice * r->compliance;
    double tau = t->statics ? 0 : twice * r->damping, share = 1 / (1 + tau * t->c_v);
    *g = share * (*g + (mean ? r->start[row] : 0) + tau * rate + soft * lambda);
    *c = share * soft;
}

/* The ρ of a row's ρ BᵀB (see block_eval): the stiffness that the blocks give the row's own columns.
 * Frames that only the constraint holds have no pivot without it; where there is nothing at all, as with a
 * coordinate that is only driven, any will do. When frequencies are counted the
 * stiffness may be negative, −ω² times a mass and no more, which ρ must not cancel. */
static double row_stiffness(const island *s, const stage *t, const constraint *r, int row)
{
    const double *B = r->B + row * r->dofs;
    double weighed = 0, square = 0;
    for (int c = 0; c < r->dofs; c++) {
        int u = r->unknown[c];
        double diagonal = s->diagonal[u];
        if (isnan(diagonal)) diagonal = s->factor.a[s->factor.diagonal[u]];
        weighed += B[c] * B[c] * fabs(diagonal);
        square += B[c] * B[c];
    }
    if (!(weighed > 0)) return square > 0 ? 1 : 0;
    return (t->c_a < 0 ? 3 : 1) * weighed / (square * square);
}

/* What a force does to a block at an attachment whose jet turns as the block moves. */
static void stiffen_block(problem *w, const island *s, const stage *t, const point *p, measure what,
                          const double force[3])
{
    const block *b = w->block[p->block];
    const double *q = t->midpoint ? w->q_half : w->trial.q;
    local_matrix local = cord__local_matrix(s, b);
    if (t->c_k == 0) return;
    if (point_slides(p)) {
        cord__add_sliding_stiffness(w, p, q, what, force, t->c_k, &local);
        return;
    }
    if (!b->ops->add_geometric_stiffness) return;
    b->ops->add_geometric_stiffness(b->model, q + b->q0, w->cache + b->cache0,
                                    cord__attachment(p, what), what, force, t->c_k, &local);
}

/* m or rad: rows that say nothing (out of the plane of a planar chain) have no more than this, and
 * their multipliers would gather it. */
static const double ROUND_OFF = 2e-15;

/* Projections: all that rows which always hold have to say. */
static bool is_said_by_values(const stage *t, const constraint *r, bool matrix)
{
    return t->rows_only && !matrix && r->side == CORD_EQUAL && r->compliance == 0 &&
           r->ops->rows > 0;
}

static void assemble_values(problem *w, const stage *t, constraint *r)
{
    bool released = cord__constraint_released(w, r);
    cord__constraint_values(w, r, w->trial.q, w->cache, t->time);
    for (int row = 0; row < r->ops->rows; row++) {
        double g = r->value.g[row];
        r->active[row] = !released;
        w->g[r->l0 + row] = released ? w->trial.lambda[r->l0 + row] : fabs(g) < ROUND_OFF ? 0 : g;
    }
}

/* The rows at the trial, and their forces' stiffness into the blocks' own matrices. */
static void evaluate_constraint(problem *w, island *s, const stage *t, constraint *r, bool matrix)
{
    double *lambda = w->trial.lambda + r->l0;
    bool at_end = t->midpoint && r->quasistatic;
    if (r->owner) return; /* it follows when it is known which rows hold */
    if (r->ops == &cord__pearl) {
        cord__pearl_assemble(w, s, t, r, matrix);
        return;
    }
    if (t->midpoint && !at_end)
        constraint_midpoint(w, r, t, matrix ? lambda : NULL);
    else
        cord__constraint_evaluate(w, r, w->trial.q, at_end ? w->cache_end : w->cache, t->time,
                                  matrix ? lambda : NULL);
    for (int row = 0; t->relative && r->compliance == 0 && row < r->ops->rows; row++)
        r->value.g[row] -= r->start[row];
    choose_active(w, s, r, t, lambda);
    for (int part = 0; matrix && !t->rows_only && part < CONSTRAINT_PARTS; part++) {
        double force[3] = {0, 0, 0};
        if (r->part[part].block < 0 || cord__part_measure(r, part) == MEASURE_COORDINATE) continue;
        for (int row = 0; row < r->ops->rows; row++)
            v3_axpy(force, lambda[row], r->value.D[row] + 3 * part);
        stiffen_block(w, s, t, w->point[r->point[part / 2]], cord__part_measure(r, part), force);
    }
}

#define EACH_LIVE(k)                                                                               \
    for (int n_ = 0; n_ < runs; n_++)                                                              \
        for (int k = live[n_].first; k < live[n_].end; k++)

static void add_constraint(problem *w, island *s, const stage *t, constraint *r, int row_offset,
                           bool matrix)
{
    const int *slot = s->slot + r->entries;
    double *lambda = w->trial.lambda + r->l0, *a = s->factor.a;
    const double *v = w->trial.v;
    bool at_end = t->midpoint && r->quasistatic;
    int dofs = r->dofs;
    dof_run live[CONSTRAINT_RUNS] = {{0, dofs}};
    /* The discrete gradients of `midpoint` are over all of them. */
    int runs = t->midpoint ? 1 : cord__active_dofs(r, live);
    double rho[CONSTRAINT_ROWS] = {0};
    if (r->owner) cord__friction_assemble(w, t, r, matrix);
    for (int i = 0; at_end && i < r->ops->rows * dofs; i++) r->B[i] *= 0.5; /* as its columns' r */
    for (int row = 0; row < r->ops->rows; row++) {
        const double *B = r->B + row * dofs;
        double rate = -r->target_rate[row], g, c;
        EACH_LIVE(k)
        {
            if (!t->rows_only) w->r[r->dof[k]] -= B[k] * lambda[row];
            rate += B[k] * v[r->dof[k]];
        }
        row_law(r, t, row, rate, lambda[row], &g, &c);
        if (at_end) g *= 0.5, c *= 0.5;
        if (r->compliance == 0 && fabs(g) < ROUND_OFF) g = 0;
        w->g[r->l0 + row] = r->active[row] ? g : lambda[row];
        if (!matrix) continue;
        if (r->active[row]) EACH_LIVE(k) a[slot[k]] += B[k];
        slot += dofs;
        a[s->factor.diagonal[row_offset + row]] -= r->active[row] ? c : 1;
        if (!r->active[row] || r->compliance > 0 || (r->all_inertial && t->c_a > 0)) continue;
        rho[row] = row_stiffness(s, t, r, row);
        EACH_LIVE(k) w->r[r->dof[k]] += rho[row] * g * B[k];
    }
    const block *takes = t->midpoint && !at_end && r->ops->rows > 0 ? taker(w, r) : NULL;
    double lacking = 0;
    for (int row = 0; takes && row < r->ops->rows; row++) lacking -= lambda[row] * r->defect[row];
    if (takes)
        takes->ops->energy_correction(takes->model, w->d + takes->v0, t->c_a, lacking,
                                      w->r + takes->v0);
    if (matrix) cord__add_hessian(r, r->ops->rows == 0 ? 1 : -t->c_k, rho, live, runs, a, slot);
}

void cord__assemble_constraint(problem *w, island *s, const stage *t, int k, bool matrix)
{
    constraint *r = w->constraint[s->constraint[k]];
    evaluate_constraint(w, s, t, r, matrix);
    add_constraint(w, s, t, r, s->row_offset[k], matrix);
}

/* m/N, or rad/(N m): a row that has let go while it is projected gives back what it has pushed, as if it yielded to
 * anything. */
static const double LET_GO = 1e12;

static void assemble_rows_of(problem *w, const stage *t, const constraint *r, row_system *x, int at)
{
    for (int row = 0; row < r->ops->rows; row++, at++) {
        const double *B = r->B + row * r->dofs;
        double rate = -r->target_rate[row], g, lambda = w->trial.lambda[r->l0 + row];
        bool active = r->active[row], gives_back = !active && lambda != 0;
        for (int c = 0; c < r->dofs; c++) {
            rate += B[c] * w->trial.v[r->dof[c]];
            x->entry[x->first[at] + c] = active || gives_back ? B[c] : 0;
        }
        row_law(r, t, row, rate, lambda, &g, x->compliance + at);
        w->g[r->l0 + row] = active ? g : lambda;
        if (!active) x->compliance[at] = gives_back ? LET_GO : 1;
        x->y[at] = active ? g : gives_back ? LET_GO * lambda : 0;
    }
}

double cord__assemble_rows(problem *w, island *s, const stage *t)
{
    row_system *x = &s->row_system;
    double worst = 0;
    int at = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->row_jacobian)
            b->ops->refresh(b->model, w->trial.q + b->q0, w->cache + b->cache0);
        if (b->shape.rows == 0) continue;
        double error = b->ops->row_jacobian(b->model, w->trial.q + b->q0, w->g + b->l0,
                                            x->entry + x->first[at]);
        if (!(error <= worst)) worst = error;
        memset(x->compliance + at, 0, (size_t)b->shape.rows * sizeof *x->compliance);
        memcpy(x->y + at, w->g + b->l0, (size_t)b->shape.rows * sizeof *x->y);
        at += b->shape.rows;
    }
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (r->eliminated) continue;
        if (r->ops == &cord__pearl) {
            double error = cord__pearl_rows(w, r, 1 / t->c_v, x, at);
            if (!(error <= worst)) worst = error;
        } else {
            evaluate_constraint(w, s, t, r, false);
            assemble_rows_of(w, t, r, x, at);
        }
        at += cord__rows_of(r);
    }
    return worst;
}

/* ---- held columns ---------------------------------------------------------------------------- */

/* The motion that prescribing constraints still ask for, into w->delta. */
void cord__prescribed_motion(problem *w, const island *s, const stage *t)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        if (r->welded) continue;
        const point *p = w->point[r->point[0]];
        const block *b = w->block[p->block];
        bool place = r->ops->needs[0] & NEEDS_POSITION;
        const attachment *at = place ? &p->position_attachment : &p->frame_attachment;
        double drive[CONSTRAINT_ROWS], *out = w->delta + b->v0 + at->unit, J[9];
        pose second, wanted;
        point_jacobian j = {.J = J};
        cord__pose(w, r->point[1], NEEDS_POSITION | NEEDS_FRAME, NULL, NULL, t->time, &second);
        cord__constraint_drive(r, t->time, drive, NULL);
        r->ops->target(&r->params, &second, drive, &wanted);
        b->ops->point_jacobian(b->model, w->trial.q + b->q0, NULL, at,
                               place ? MEASURE_POSITION : MEASURE_FRAME, &j);
        if (place) {
            v3_sub(out, wanted.position, j.value);
        } else {
            double inverse[9], turn[9];
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < 3; i++) inverse[3 * c + i] = j.value[3 * i + c];
            m3_multiply(turn, wanted.frame, inverse);
            cord__rotation_log(out, turn);
        }
    }
}

/* The frame without inertia of a welded pair, the one that carries it, and what turns the second into
 * the first. */
static const point *welded_frame(const problem *w, const constraint *r, const point **carrier)
{
    const point *first = w->point[r->point[0]], *second = w->point[r->point[1]];
    const block *b = w->block[first->block];
    bool follows = b->alias_block[first->frame_attachment.unit] >= 0;
    *carrier = follows ? second : first;
    return follows ? first : second;
}

void cord__update_welds(problem *w, const island *s, double *q)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        if (!r->welded) continue;
        const point *carrier, *p = welded_frame(w, r, &carrier);
        const block *b = w->block[p->block], *c = w->block[carrier->block];
        double J[9], wanted[9], turn[9], inverse[9], by[3];
        point_jacobian own = {.J = J}, from = {.J = J};
        c->ops->point_jacobian(c->model, q + c->q0, NULL, &carrier->frame_attachment, MEASURE_FRAME,
                               &from);
        b->ops->point_jacobian(b->model, q + b->q0, NULL, &p->frame_attachment, MEASURE_FRAME,
                               &own);
        if (p == w->point[r->point[0]]) {
            m3_multiply(wanted, from.value, r->params.relative);
        } else { /* F₁ = F₂ relative */
            for (int i = 0; i < 9; i++) inverse[i] = r->params.relative[3 * (i % 3) + i / 3];
            m3_multiply(wanted, from.value, inverse);
        }
        for (int i = 0; i < 9; i++) inverse[i] = own.value[3 * (i % 3) + i / 3];
        m3_multiply(turn, wanted, inverse);
        cord__rotation_log(by, turn);
        b->ops->rotate_frame(b->model, q + b->q0, p->frame_attachment.unit, by);
    }
    for (int k = 0; s->has_shared_dofs && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shared_count; i++) {
            const shared_dofs *on = b->shared + i;
            shared_dofs_read(on, w->block[on->parent_block], q + w->block[on->parent_block]->q0,
                             q + b->q0 + on->q);
        }
    }
}

/* What holds the held columns is what their equations would have lacked. */
void cord__read_reactions(problem *w, const island *s)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        const point *p = w->point[r->point[0]], *carrier;
        double sign = 1;
        if (r->welded) { /* what the frame without inertia lacks, the other has too much */
            p = welded_frame(w, r, &carrier);
            if (p != w->point[r->point[0]]) sign = -1;
        }
        const attachment *at =
            r->ops->needs[0] & NEEDS_POSITION ? &p->position_attachment : &p->frame_attachment;
        int dof = w->block[p->block]->v0 + at->unit;
        for (int i = 0; i < 3; i++) w->trial.lambda[r->l0 + i] = sign * w->r[dof + i];
    }
}

void cord__set_prescribed_velocities(problem *w, const island *s, double time, double *v)
{
    for (int k = 0; k < s->eliminated_count; k++) {
        const constraint *r = w->constraint[s->eliminated[k]];
        if (r->welded) continue;
        const point *p = w->point[r->point[0]];
        const point *second = r->point[1] >= 0 ? w->point[r->point[1]] : NULL;
        bool place = r->ops->needs[0] & NEEDS_POSITION;
        double linear[3] = {0, 0, 0}, angular[3] = {0, 0, 0};
        double value[CONSTRAINT_ROWS], rate[CONSTRAINT_ROWS];
        if (second) cord__point_scripted_rate(second, time, linear, angular);
        cord__constraint_drive(r, time, value, rate);
        const attachment *at = place ? &p->position_attachment : &p->frame_attachment;
        double *out = v + w->block[p->block]->v0 + at->unit;
        for (int i = 0; i < 3; i++) out[i] = (place ? linear[i] : angular[i]) + rate[i];
    }
}

/* ---- assembly -------------------------------------------------------------------------------- */

/* A force on a place that slides pushes it along the strand, too. */
static void load_sliding(problem *w, const island *s, const stage *t, const point *p,
                         const double force[3])
{
    const block *b = w->block[p->block];
    double *J = s->work;
    sliding_jacobian j = {.J = J, .J_s = J + 3 * (b->shape.jacobian_dofs + 1)};
    cord__sliding_jacobian(w, p, t->midpoint ? w->q_half : w->trial.q, w->cache, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            w->r[b->v0 + j.run[run].first + i] -= v3_dot(J + 3 * c, force);
    w->r[w->block[p->slider_block]->v0] -= v3_dot(j.r_s, force);
}

/* A force on a place, or a torque on a frame. */
static void load_point(problem *w, const island *s, const stage *t, const point *p, measure what,
                       const double force[3], bool matrix)
{
    const block *b = w->block[p->block];
    point_jacobian j = {.J = s->work};
    cord__point_jacobian(w, p, what, t->midpoint ? w->q_half : w->trial.q, w->cache, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            w->r[b->v0 + j.run[run].first + i] -= v3_dot(j.J + 3 * c, force);
    if (matrix) stiffen_block(w, s, t, p, what, force);
}

void cord__load_at(const load *l, double time, load_value *out)
{
    *out = (load_value){0};
    if (l->keys.count > 0) cord__keys_at(&l->keys, time, out->force, NULL);
    if (l->torque_keys.count > 0) cord__keys_at(&l->torque_keys, time, out->torque, NULL);
    if (l->along_keys.count > 0) cord__keys_at(&l->along_keys, time, &out->along, NULL);
    v3_add(out->force, out->force, l->force);
    v3_add(out->torque, out->torque, l->torque);
    out->along += l->along;
}

void cord__assemble_loads(problem *w, const island *s, const stage *t, bool matrix)
{
    for (int k = 0; k < s->loads; k++) {
        const load *l = w->load[s->load[k]];
        const point *p = w->point[l->point];
        load_value now;
        if (p->released) continue;
        cord__load_at(l, t->force_time, &now);
        if (p->slider_block >= 0) w->r[w->block[p->slider_block]->v0] -= now.along;
        if (point_slides(p))
            load_sliding(w, s, t, p, now.force);
        else
            load_point(w, s, t, p, MEASURE_POSITION, now.force, matrix);
        if (l->has_torque) load_point(w, s, t, p, MEASURE_FRAME, now.torque, matrix);
    }
}

/* Entries of its band, and of its cliques. */
static size_t band_entries(const block *b)
{
    return (size_t)b->shape.band_count * (size_t)(b->shape.band_width + 1);
}
static size_t clique_entries(const block *b)
{
    size_t size = (size_t)b->shape.clique_dofs;
    return (size_t)b->shape.cliques * size * (size + 1) / 2;
}

/* Extras, and the bands of blocks that can do so, go to the sparse matrix at once. */
local_matrix cord__local_matrix(const island *s, const block *b)
{
    bool scatters = b->shape.direct_assembly && !s->banded;
    return (local_matrix){.band = scatters ? s->factor.a : b->band,
                          .slot = scatters ? b->slot : NULL,
                          .cliques = b->cliques,
                          .private_matrix = s->private_solve ? b->private_matrix : NULL,
                          .extras = s->factor.a,
                          .extra_slot =
                              s->banded ? NULL : b->slot + band_entries(b) + clique_entries(b),
                          .unsymmetric = s->unsymmetric + b->unsymmetric0};
}

/* `part` of it, -1: all. */
static void assemble_block(problem *w, const island *s, const stage *t, const block *b, int part,
                           bool matrix)
{
    if (t->rows_only && !matrix && b->shape.rows == 0) { /* it has nothing to say */
        memset(w->r + b->v0, 0, (size_t)b->shape.dofs * sizeof *w->r);
        return;
    }
    environment env = cord__environment(w, b, t->force_time);
    block_eval in = {.environment = &env,
                     .q = (t->midpoint ? w->q_half : w->trial.q) + b->q0,
                     .cache = w->cache + b->cache0,
                     .v = w->trial.v + b->v0,
                     .a = w->trial.a + b->v0,
                     .inertial_v = w->trial.inertial_v + b->inertial0,
                     .inertial_a = w->trial.inertial_a + b->inertial0,
                     .lambda = w->trial.lambda + b->l0,
                     .side = w->trial.side + b->side0,
                     .work = s->work,
                     .prescribed = b->prescribed,
                     .c_a = b->shape.inertial_count ? t->c_a + t->metric : t->c_a,
                     .c_v = b->shape.coordinate.is_one ? t->c_v + t->rate_factor : t->c_v,
                     .c_k = t->c_k,
                     .rows_only = t->rows_only,
                     .rowless = t->rowless,
                     .in_parts = part >= 0,
                     .part = part};
    if (t->midpoint) {
        in.start = w->cache_start + b->cache0;
        in.end = w->cache_end + b->cache0;
        in.d = w->d + b->v0;
    }
    if (t->explicit_terms) {
        in.v_start = w->now.v + b->v0;
        in.velocity_terms = t->velocity_terms;
        in.d = w->d + b->v0;
    }
    local_matrix local = cord__local_matrix(s, b);
    if (matrix && s->private_solve) {
        memset(b->private_matrix, 0, (size_t)b->shape.private_count * sizeof(double));
    } else if (matrix) {
        size_t band = band_size(b->shape.band_count, b->shape.band_width);
        size_t clique = (size_t)(b->shape.clique_dofs * b->shape.clique_dofs);
        if (!local.slot) memset(b->band, 0, band * sizeof(double));
        if (b->shape.cliques)
            memset(b->cliques, 0, (size_t)b->shape.cliques * clique * sizeof(double));
    }
    if (matrix && !t->rows_only && b->ops->memory)
        b->ops->memory->choose_active_set(b->model, &in, w->trial.side + b->side0);
    b->ops->assemble(b->model, &in, w->r + b->v0, w->g + b->l0, matrix ? &local : NULL);
}

void cord__assemble_part(problem *w, const island *s, const stage *t, const block *b, int part)
{
    assemble_block(w, s, t, b, part, true);
}

/* What is not in the sparse matrix yet. */
static void copy_block(const island *s, const block *b)
{
    double *a = s->factor.a;
    const int *slot = b->slot;
    int width = b->shape.band_width, stride = BAND_STRIDE(width), size = b->shape.clique_dofs;
    if (b->shape.direct_assembly) slot += band_entries(b);
    for (int c = 0; !b->shape.direct_assembly && c < b->shape.band_count; c++)
        for (int i = 0; i <= width; i++) a[*slot++] += b->band[c * stride + i];
    for (int i = 0; i < b->shape.cliques; i++)
        for (int c = 0; c < size; c++)
            for (int k = c; k < size; k++) a[*slot++] += b->cliques[i * size * size + c * size + k];
}

/* `midpoint`: a column without inertia is in equilibrium at the end, not on average (where it would
 * ring from step to step). Half its residual there goes with the matrix half way. The work that the
 * discrete gradient counted for it is handed to the columns with inertia, along their motion, so
 * that the energy is still exact. */
static void settle_quasistatic_dofs(problem *w, const stage *t, const block *b)
{
    environment env = cord__environment(w, b, t->time);
    block_eval in = {.environment = &env,
                     .q = w->trial.q + b->q0,
                     .cache = w->cache_end + b->cache0,
                     .v = w->trial.v + b->v0,
                     .a = w->trial.a + b->v0,
                     .lambda = w->trial.lambda + b->l0,
                     .prescribed = b->prescribed};
    double *r = w->r + b->v0, *end = w->r_end + b->v0, work = 0, moved = 0;
    const double *d = w->d + b->v0;
    b->ops->assemble(b->model, &in, end, w->g_end + b->l0, NULL);
    for (int c = 0; c < b->shape.dofs; c++) {
        if (b->quasistatic[c]) {
            work += r[c] * d[c];
            r[c] = 0.5 * end[c];
        } else if (!b->prescribed[c]) {
            moved += b->mass[c] * d[c] * d[c];
        }
    }
    /* It is third order in the step, far below inertia; where it is not, the angles jump to their
     * equilibrium while hardly anything moves, and there is nothing to hand it to. */
    if (!(fabs(work) < 0.01 * t->c_a * moved)) return;
    for (int c = 0; c < b->shape.dofs; c++)
        if (!b->quasistatic[c] && !b->prescribed[c]) r[c] += work / moved * b->mass[c] * d[c];
}

/* What blocks alone have on the diagonal, for row_stiffness(): with what constraints add, many on the same columns would
 * outgrow each other. What slides has nothing but that. */
static void note_diagonals(const problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int width = b->shape.band_width, stride = BAND_STRIDE(width), n = b->shape.band_count;
        int end = b->shape.dofs + b->shape.rows + (b->shape.unused_position >= 0);
        double *x = s->diagonal + s->offset[k];
        for (int u = 0; u < end; u++)
            x[u] = b->shape.dofs == 1 ? NAN
                   : u < n && width >= 0 && !b->shape.direct_assembly
                       ? b->band[(size_t)u * (size_t)stride]
                       : s->factor.a[s->factor.diagonal[s->offset[k] + u]];
    }
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int size = b->shape.clique_dofs, dofs[CLIQUE_DOFS];
        for (int i = 0; i < b->shape.cliques; i++) {
            b->ops->clique_dofs(b->model, i, dofs);
            for (int c = 0; c < size; c++)
                s->diagonal[cord__unknown(w, b, dofs[c])] += b->cliques[(i * size + c) * size + c];
        }
    }
}

void cord__equations(problem *w, island *s, const stage *t, bool matrix)
{
    if (matrix && !s->banded) cord__sparse_clear(&s->factor);
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        assemble_block(w, s, t, b, -1, matrix);
        if (t->midpoint && b->mass) settle_quasistatic_dofs(w, t, b);
    }
    if (!t->rows_only) cord__assemble_loads(w, s, t, matrix);
    if (matrix && !s->banded) note_diagonals(w, s);
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (r->eliminated || (t->rowless && !r->owner)) continue;
        if (is_said_by_values(t, r, matrix)) {
            assemble_values(w, t, r);
            continue;
        }
        cord__assemble_constraint(w, s, t, k, matrix);
    }
    for (int k = 0; matrix && !s->banded && k < s->blocks; k++)
        copy_block(s, w->block[s->block[k]]);
}

void cord__assemble(problem *w, island *s, const stage *t, bool matrix)
{
    double began = cord__seconds();
    cord__equations(w, s, t, matrix);
    cord__prescribed_motion(w, s, t);
    s->seconds_forces += cord__seconds() - began;
}
