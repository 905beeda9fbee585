/* Constraints as terms of the equations: which rows are active, rows with compliance, and the terms of their multipliers in the
 * residual and to the matrix. */
#include "math/vec3.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

constraint *cord__as_constraint(term *x)
{
    return x && x->ops == &cord__constraint_term ? (constraint *)x : NULL;
}

/* The block that a constraint's missing work of a step is added to; NULL: none has an energy correction. */
static const block *corrected_block(const problem *w, const constraint *r)
{
    for (int part = 0; part < TERM_PARTS; part++) {
        const block *b = r->term.part[part].block >= 0 ? w->block[r->term.part[part].block] : NULL;
        if (b && BLOCK_HAS(b, midpoint, correct_energy)) return b;
    }
    return NULL;
}

/* m or rad: a larger defect is no round-off. */
static const double NO_ROUND_OFF = 1e-9;

/* m or rad: over a shorter motion the defect, of second order, is all round-off. */
static const double STANDING = 1e-11;

/* `midpoint`: g at the end, and its discrete gradient, B half way corrected along the motion d,
 *
 *     B += (g₁ − g₀ − B d) dᵀ / (dᵀd),     so that B d = g₁ − g₀.
 *
 * Where a block has an energy correction B stays: a point that does not move has no motion to correct along. */
static void constraint_midpoint(problem *w, constraint *r, const stage *t, const double *lambda)
{
    double end[CONSTRAINT_ROWS], *start = r->work.start;
    bool corrected = corrected_block(w, r) != NULL;
    cord__constraint_evaluate(w, r, w->now.q, w->cache_start, t->time, NULL);
    memcpy(start, r->work.value.g, sizeof r->work.start);
    cord__constraint_evaluate(w, r, w->trial.q, w->cache_end, t->time, NULL);
    memcpy(end, r->work.value.g, sizeof end);
    cord__constraint_evaluate(w, r, w->q_half, w->cache, t->time, lambda);
    for (int row = 0; row < r->ops->rows; row++) {
        double *B = r->term.B + row * r->term.dofs, moved = 0, square = 0, steep = 0;
        for (int c = 0; c < r->term.dofs; c++) {
            moved += B[c] * w->d[r->term.dof[c]];
            square += w->d[r->term.dof[c]] * w->d[r->term.dof[c]];
            steep += B[c] * B[c];
        }
        double defect = end[row] - start[row] - moved;
        r->work.defect[row] = defect;
        r->work.value.g[row] = end[row];
        if (corrected) continue;
        /* It is second order in the motion, or a part of it where a tangent crosses a jump of curvature; round-off needs
         * no correction, and at rest gets none. */
        double most = fabs(defect) > NO_ROUND_OFF ? 0.5 * sqrt(steep) : 0.1;
        if (fabs(defect) < most * sqrt(square))
            for (int c = 0; c < r->term.dofs; c++)
                B[c] += defect / (square + STANDING * STANDING) * w->d[r->term.dof[c]];
    }
}

bool cord__constraint_released(const problem *w, const constraint *r)
{
    if (r->state.released) return true;
    for (int side = 0; side < 2; side++)
        if (r->term.point[side] >= 0 && w->point[r->term.point[side]]->released) return true;
    return false;
}

/* Whether a one-sided row is active: the semismooth Newton choice, λ − σ g > 0, with σ a stiffness of the size of c_a over
 * B M⁻¹ Bᵀ. */
static void choose_active(const problem *w, cluster *s, constraint *r, const stage *t,
                          const double *lambda)
{
    bool released = cord__constraint_released(w, r) || r->inert;
    bool apart =
        r->impact && r->impact->restitution > 0 && !r->impact->state.resting && !t->statics;
    if (t->active_set_fixed && r->def.side != CORD_EQUAL) return;
    for (int row = 0; row < r->ops->rows; row++) {
        bool before = r->state.active[row];
        r->state.active[row] = !released;
        if (released || r->def.side == CORD_EQUAL) continue;
        const double *B = r->term.B + row * r->term.dofs;
        double compliance = 0;
        for (int c = 0; c < r->term.dofs; c++)
            compliance += B[c] * B[c] * w->inverse_mass[r->term.dof[c]];
        double sigma = compliance > 0 ? (t->c_a > 0 ? t->c_a : 1) / compliance : 1;
        bool active =
            lambda[row] - sigma * r->work.value.g[row] > 0 && !t->two_sided_only && !apart;
        s->active_set_changed = s->active_set_changed || active != before;
        r->state.active[row] = active;
    }
}

/* The residual of a row and its −C: compliant rows are g + τ ġ + c λ = 0, divided by 1 + τ c_v to stay symmetric.
 * `midpoint` has the mean of g over the step instead (so that the energy of the spring is exact): twice the row is
 * g₀ + g₁ + 2τ ġ + 2c λ = 0. */
static void row_law(const constraint *r, const stage *t, int row, double rate, double lambda,
                    double *g, double *c)
{
    *g = r->work.value.g[row];
    *c = 0;
    if (r->def.compliance <= 0) return;
    bool mean = t->midpoint && !r->term.quasistatic;
    double twice = mean ? 2 : 1, soft = twice * r->def.compliance;
    double tau = t->statics ? 0 : twice * r->def.damping, share = 1 / (1 + tau * t->c_v);
    *g = share * (*g + (mean ? r->work.start[row] : 0) + tau * rate + soft * lambda);
    *c = share * soft;
}

/* The ρ of a row's ρ BᵀB (see block_eval): the stiffness of the blocks along the row, Σ B² |A_cc| / (Σ B²)². Frames that are determined by
 * the constraint alone have no pivot without it; where there is no stiffness at all, as with a coordinate that is only
 * driven, any value serves. When frequencies are counted the stiffness may be −ω² times a mass, which ρ must not
 * cancel. */
static double row_stiffness(const cluster *s, const stage *t, const constraint *r, int row)
{
    const double *B = r->term.B + row * r->term.dofs;
    double weighed = 0, square = 0;
    for (int c = 0; c < r->term.dofs; c++) {
        int u = r->term.unknown[c];
        double diagonal = s->diagonal[u];
        if (isnan(diagonal)) diagonal = s->factor.a[s->factor.diagonal[u]];
        weighed += B[c] * B[c] * fabs(diagonal);
        square += B[c] * B[c];
    }
    if (!(weighed > 0)) return square > 0 ? 1 : 0;
    return (t->c_a < 0 ? 3 : 1) * weighed / (square * square);
}

void cord__stiffen_block(problem *w, const stage *t, const point *p, measure what,
                         const double force[3])
{
    const block *b = w->block[p->block];
    const double *q = t->midpoint ? w->q_half : w->trial.q;
    local_matrix local = b->matrix;
    if (t->c_k == 0) return;
    if (point_slides(p)) {
        cord__add_sliding_stiffness(w, p, q, what, force, t->c_k, &local);
        return;
    }
    if (!b->ops->add_geometric_stiffness) return;
    b->ops->add_geometric_stiffness(b->model, q + b->q0, w->cache + b->cache0,
                                    cord__attachment(p, what), what, force, t->c_k, &local);
}

/* m or rad: rows that are always met (out of the plane of a planar chain) have no more than this, and their multipliers
 * would accumulate it. */
static const double ROUND_OFF = 2e-15;

/* Projections without a matrix need no more than g of rows that always hold. */
static bool needs_values_only(const stage *t, const constraint *r, bool matrix)
{
    return t->rows_only && !matrix && r->def.side == CORD_EQUAL && r->def.compliance == 0;
}

static void assemble_values(problem *w, const stage *t, constraint *r)
{
    bool released = cord__constraint_released(w, r);
    cord__constraint_values(w, r, w->trial.q, w->cache, t->time);
    for (int row = 0; row < r->ops->rows; row++) {
        double g = r->work.value.g[row];
        r->state.active[row] = !released;
        w->g[r->l0 + row] = released ? w->trial.lambda[r->l0 + row] : fabs(g) < ROUND_OFF ? 0 : g;
    }
}

/* The rows at the trial; and the geometric stiffness of their forces into the matrices of the blocks. */
static void evaluate(problem *w, cluster *s, const stage *t, constraint *r, bool matrix)
{
    double *lambda = w->trial.lambda + r->l0;
    bool at_end = t->midpoint && r->term.quasistatic;
    if (t->midpoint && !at_end)
        constraint_midpoint(w, r, t, matrix ? lambda : NULL);
    else
        cord__constraint_evaluate(w, r, w->trial.q, at_end ? w->cache_end : w->cache, t->time,
                                  matrix ? lambda : NULL);
    for (int row = 0; t->relative && r->def.compliance == 0 && row < r->ops->rows; row++)
        r->work.value.g[row] -= r->work.start[row];
    choose_active(w, s, r, t, lambda);
    for (int part = 0; matrix && !t->rows_only && part < TERM_PARTS; part++) {
        double force[3] = {0, 0, 0};
        measure what = cord__part_measure(&r->term, part);
        if (r->term.part[part].block < 0 || what == MEASURE_COORDINATE) continue;
        for (int row = 0; row < r->ops->rows; row++)
            v3_axpy(force, lambda[row], r->work.value.D[row] + 3 * part);
        cord__stiffen_block(w, t, w->point[r->term.point[part / 2]], what, force);
    }
}

/* `midpoint`: the work λ·defect that the rows miss over the step goes to a block with an energy correction. */
static void correct_energy(problem *w, const stage *t, const constraint *r, const double *lambda)
{
    const block *b = corrected_block(w, r);
    double missing = 0;
    for (int row = 0; b && row < r->ops->rows; row++) missing -= lambda[row] * r->work.defect[row];
    if (b) b->ops->midpoint->correct_energy(b->model, w->d + b->v0, t->c_a, missing, w->r + b->v0);
}

#define EACH_ACTIVE(k)                                                                             \
    for (int n_ = 0; n_ < runs; n_++)                                                              \
        for (int k = run[n_].first; k < run[n_].end; k++)

/* r −= Bᵀλ, and the rows with B, −C, ρ BᵀB and −c_k Σ λ ∂²g in the matrix. */
static void add_rows(problem *w, cluster *s, const stage *t, constraint *r, bool matrix)
{
    const term *x = &r->term;
    const int *slot = s->slot + x->entries, *dof = x->dof;
    double *lambda = w->trial.lambda + r->l0, *a = s->factor.a;
    const double *v = w->trial.v;
    bool at_end = t->midpoint && x->quasistatic;
    int dofs = x->dofs;
    dof_run run[TERM_RUNS];
    int runs = cord__active_dofs(x, t, run);
    double rho[CONSTRAINT_ROWS] = {0};
    for (int i = 0; at_end && i < r->ops->rows * dofs; i++)
        x->B[i] *= 0.5; /* like r of quasistatic degrees of freedom */
    for (int row = 0; row < r->ops->rows; row++) {
        const double *B = x->B + row * dofs;
        double rate = -r->work.target_rate[row], g, c;
        EACH_ACTIVE(k)
        {
            if (!t->rows_only && r->state.active[row]) w->r[dof[k]] -= B[k] * lambda[row];
            rate += B[k] * v[dof[k]];
        }
        row_law(r, t, row, rate, lambda[row], &g, &c);
        if (at_end) g *= 0.5, c *= 0.5;
        if (r->def.compliance == 0 && fabs(g) < ROUND_OFF) g = 0;
        w->g[r->l0 + row] = r->state.active[row] ? g : lambda[row];
        if (!matrix) continue;
        if (r->state.active[row]) EACH_ACTIVE(k) a[slot[k]] += B[k];
        slot += dofs;
        a[s->factor.diagonal[x->row0 + row]] -= r->state.active[row] ? c : 1;
        if (!r->state.active[row] || r->def.compliance > 0 || (x->all_inertial && t->c_a > 0))
            continue;
        rho[row] = row_stiffness(s, t, r, row);
        EACH_ACTIVE(k) w->r[dof[k]] += rho[row] * g * B[k];
    }
    if (t->midpoint && !at_end) correct_energy(w, t, r, lambda);
    if (matrix) cord__add_hessian(x, -t->c_k, rho, run, runs, a, slot);
}

static void assemble(problem *w, cluster *s, const stage *t, term *x, bool matrix)
{
    constraint *r = (constraint *)x;
    if (t->rowless) return;
    if (needs_values_only(t, r, matrix)) {
        assemble_values(w, t, r);
        return;
    }
    evaluate(w, s, t, r, matrix);
    add_rows(w, s, t, r, matrix);
}

/* An end stop limits the coordinate of its point and does not determine it. */
static bool acts(const problem *w, const term *x)
{
    const constraint *r = (const constraint *)x;
    return !r->def.end_stop && !cord__constraint_released(w, r);
}

/* ---- fast projection ---------------------------------------------------------------------------- */

static int projected_multiplier(const problem *w, const term *x, int row)
{
    (void)w;
    return ((const constraint *)x)->l0 + row;
}

/* m/N, or rad/(N m): the compliance of a row that became inactive during the projection, by which it takes back the
 * impulse it has given. */
static const double INACTIVE = 1e12;

/* The violation of rows is that of cord__row_error(), not of this. */
static double project(problem *w, cluster *s, const stage *t, term *x, row_system *to, int at)
{
    constraint *r = (constraint *)x;
    evaluate(w, s, t, r, false);
    for (int row = 0; row < r->ops->rows; row++, at++) {
        const double *B = x->B + row * x->dofs;
        double rate = -r->work.target_rate[row], g, lambda = w->trial.lambda[r->l0 + row];
        bool active = r->state.active[row], takes_back = !active && lambda != 0;
        for (int c = 0; c < x->dofs; c++) {
            rate += B[c] * w->trial.v[x->dof[c]];
            to->entry[to->first[at] + c] = active || takes_back ? B[c] : 0;
        }
        row_law(r, t, row, rate, lambda, &g, to->compliance + at);
        w->g[r->l0 + row] = active ? g : lambda;
        if (!active) to->compliance[at] = takes_back ? INACTIVE : 1;
        to->y[at] = active ? g : takes_back ? INACTIVE * lambda : 0;
    }
    return 0;
}

static void destroy(term *x, memory *m)
{
    constraint *r = (constraint *)x;
    cord__keyframes_free(&r->def.drive, m);
    cord__release(m, r->name);
    cord__release(m, r->impact);
    cord__release(m, r->conditions);
}

const term_ops cord__constraint_term = {.name = "constraint",
                                        .assemble = assemble,
                                        .acts = acts,
                                        .projected_multiplier = projected_multiplier,
                                        .project = project,
                                        .destroy = destroy};
