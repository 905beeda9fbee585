/* The implicit integrators, on one Newton loop.
 *
 * A stage seeks the increment d from `now` with v = c_v d + v̂ and a = c_a d + â, such that the
 * equations hold at its end and the constraints with them:
 *
 *     backward Euler   v = d/h,                 a = (v − v₀)/h
 *     TR-BDF2, TR      v = 2d/(γh) − v₀,        a = 2(v − v₀)/(γh) − a₀,            γ = 2 − √2
 *     TR-BDF2, BDF2    v = (d − w d_γ)/(βh),    a = (v − v₀ − w (v_γ − v₀))/(βh)
 *                      w = 1/(γ(2 − γ)), β = (1 − γ)/(2 − γ)
 *     midpoint         equations half way with discrete gradients: v½ = d/h, a = 2(d/h − v₀)/h
 */
#include "solve/problem.h"

#include <math.h>
#include <string.h>

/* What the stages' v̂ and â are made of: the increment so far, the velocity and acceleration at the
 * start, the velocity of the stage before. */
typedef struct formula {
    double v_d, v_v, a_d, a_v, a_a, a_stage;
} formula;

/* Of a step in one stage there is nothing else. */
static void set_one_stage_predictor(problem *w, const island *s, double a_v)
{
    EACH_DOF(c) w->v_predictor[c] = 0, w->a_predictor[c] = a_v * w->now.v[c];
    EACH_INERTIAL(c)
    w->inertial_v_predictor[c] = 0, w->inertial_a_predictor[c] = a_v * w->now.inertial_v[c];
}

static void set_predictor(problem *w, const island *s, const formula *f)
{
    EACH_DOF(c)
    {
        w->v_predictor[c] = f->v_d * w->d[c] + f->v_v * w->now.v[c];
        w->a_predictor[c] = f->a_d * w->d[c] + f->a_v * w->now.v[c] + f->a_a * w->now.a[c] +
                            f->a_stage * w->trial.v[c];
    }
    EACH_INERTIAL(c)
    {
        double d = w->inertial_x[c] - w->inertial_x0[c];
        w->inertial_v_predictor[c] = f->v_d * d + f->v_v * w->now.inertial_v[c];
        w->inertial_a_predictor[c] = f->a_d * d + f->a_v * w->now.inertial_v[c] +
                                     f->a_a * w->now.inertial_a[c] +
                                     f->a_stage * w->trial.inertial_v[c];
    }
}

static void move_inertial(problem *w, const island *s)
{
    double *moved = w->trial.inertial_v; /* about to be set */
    cord__inertial_rates(w, s, w->cache, w->delta, moved);
    EACH_INERTIAL(c) w->inertial_x[c] += moved[c];
}

static void set_dof_rates(problem *w, const island *s, const stage *t)
{
    EACH_DOF(c)
    {
        w->trial.v[c] = t->c_v * w->d[c] + w->v_predictor[c];
        w->trial.a[c] = t->c_a * w->d[c] + w->a_predictor[c];
    }
}

/* `settled`: the last correction is below the tolerance, and the places have moved along their jets;
 * there is no need to find them anew. */
static void set_rates(problem *w, const island *s, const stage *t, bool settled)
{
    set_dof_rates(w, s, t);
    if (settled && !t->midpoint)
        move_inertial(w, s);
    else
        cord__inertial_coordinates(w, s, w->trial.q, t->midpoint ? w->cache_end : w->cache,
                                   w->inertial_x);
    EACH_INERTIAL(c)
    {
        double d = w->inertial_x[c] - w->inertial_x0[c];
        w->trial.inertial_v[c] = t->c_v * d + w->inertial_v_predictor[c];
        w->trial.inertial_a[c] = t->c_a * d + w->inertial_a_predictor[c];
    }
}

/* In a vector over all columns, what rides moves as what it rides on. */
static void carry(const problem *w, const island *s, double *v)
{
    for (int k = 0; s->has_shared_dofs && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shared_count; i++) {
            const shared_dofs *on = b->shared + i;
            memcpy(v + b->v0 + on->dof, v + w->block[on->parent_block]->v0 + on->parent_dof,
                   (size_t)on->dofs * sizeof *v);
        }
    }
}

/* Columns that follow from others, in a vector over all columns. */
void cord__set_dependent_dofs(const problem *w, const island *s, const double *cache, double *v)
{
    for (int k = 0; s->has_dependent_dofs && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->set_dependent_dofs)
            b->ops->set_dependent_dofs(b->model, cache + b->cache0, v + b->v0);
    }
    carry(w, s, v);
}

/* Move the trial (and the total increment) by scale·delta. */
static void move(problem *w, const island *s, double scale)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *delta = w->delta + b->v0;
        for (int c = 0; c < b->shape.dofs; c++) {
            delta[c] *= scale;
            w->d[b->v0 + c] += delta[c];
        }
        b->ops->retract(b->model, w->trial.q + b->q0, delta);
    }
    carry(w, s, w->d);
    cord__update_welds(w, s, w->trial.q);
}

/* Frames turn by their rotation vector, what they are welded to by Cayley's: over a step of `midpoint`
 * the two increments differ in length. */
static void scale_aliases(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            if (b->alias_block[c] < 0 || c >= b->shape.dofs - b->shape.shared_dofs) continue;
            const block *to = w->block[b->alias_block[c]];
            int first = b->alias_dof[c] - b->alias_dof[c] % 3;
            const double *turn = w->d + to->v0 + first;
            double half = 0.5 * sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
            b->alias_scale[c] = half > 1e-4 ? atan(half) / half : 1 - half * half / 3;
            w->d[b->v0 + c] = b->alias_scale[c] * w->d[to->v0 + b->alias_dof[c]];
        }
    }
}

/* `midpoint` evaluates half way and at the end, both from the start. */
static void place_halfway(problem *w, const island *s)
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

/* The largest correction, in units of what is small for its column; where it is. A column without
 * inertia counts by its residual when that is less: a straight rod that nothing keeps from spinning
 * may turn by any angle for no force at all. */
static double correction_size(const problem *w, const island *s, int *worst)
{
    double largest = 0;
    *worst = s->block[0];
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            double size = fabs(w->delta[b->v0 + c]) / b->scale[c];
            if (size > largest && b->stiffness[c] > 0)
                size = fmin(size, fabs(w->r[b->v0 + c]) / (b->stiffness[c] * b->scale[c]));
            if (size <= largest) continue; /* a NaN is not, and is returned at once */
            largest = size;
            *worst = s->block[k];
            if (!isfinite(size)) return size;
        }
    }
    return largest;
}

static double step_bound(const problem *w, const island *s)
{
    double bound = 1;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->step_bound) continue;
        double own = b->ops->step_bound(b->model, w->cache + b->cache0, w->delta + b->v0);
        if (own < bound) bound = own;
    }
    return bound;
}

/* Rows still off by this part of an element when nothing moves any more cannot be met together. */
static const double CONTRADICTION = 1e-5;

/* Corrections that fall faster than this need no help. */
static const double FAST = 0.02;

/* The matrix of `midpoint` is symmetric, the derivative of its equations is not: where that tells,
 * steps are mended by what the ones before have shown. They begin anew while rows come to hold or
 * let go, and where it does not come nearer. */
static void accelerate_step(problem *w, island *s, double size, double best)
{
    anderson *a = &s->anderson;
    if (s->active_set_changed || !(size < best)) a->begun = false, a->count = 0;
    if (!a->begun && size < FAST * best) return;
    cord__anderson_accelerate(a, s->unknowns, s->x);
    cord__read_dofs(w, s);
}

/* Where corrections are this small the matrix hardly changes any more. But ones that fall by so
 * much at once do so because it is right. */
static const double SETTLED = 1e-4, AT_ONCE = 1e-3;

/* So many iterations without coming nearer are in vain. */
enum { ROUND = 8 };

/* Newton's correction at the trial; with the factor at hand where that will do. */
static bool solve_at_trial(problem *w, island *s, const stage *t, bool again)
{
    if (again) {
        cord__assemble(w, s, t, false);
        if (!s->active_set_changed) {
            cord__refill(w, s);
            cord__solve(w, s);
            return true;
        }
    }
    if (s->cache_blocking.count > 0 && !t->midpoint) return cord__solve_cache_blocked(w, s, t);
    cord__assemble(w, s, t, true);
    return cord__factor_and_solve(w, s);
}

/* Stops at corrections below `wanted`; or, once rounding keeps them from falling, below `enough`.
 * Long strands have a higher floor (the far end moves by the sum of all roundings along the way):
 * corrections that have stopped falling three times in a row may be a thousand times larger. */
static cord_status newton(problem *w, island *s, const stage *t, int iterations, double enough,
                          double wanted)
{
    double best = INFINITY;
    int worst = 0, stalled = 0, nearest = 0;
    bool again = false;
    s->anderson.begun = false, s->anderson.count = 0;
    for (int i = 0; i < iterations; i++) {
        if (t->midpoint)
            place_halfway(w, s);
        else
            cord__refresh_to_assemble(w, s, w->trial.q, w->cache);
        set_rates(w, s, t, false);
        s->newton_iterations++;
        if (!solve_at_trial(w, s, t, again))
            return cord__set_failure(s, CORD_ERROR_SINGULAR, "the system is singular", s->block[0],
                                     -1);
        double size = correction_size(w, s, &worst);
        if (!isfinite(size))
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "a number is not finite", worst, -1);
        if (t->midpoint) accelerate_step(w, s, size, best);
        double scale = step_bound(w, s);
        if (scale < 1) s->anderson.begun = false; /* that is not the step it made */
        if (scale < 1 && iterations == 1) break; /* one solve, and it goes too far to be believed */
        cord__add_multipliers(w, s, 1);
        move(w, s, scale);
        stalled = size > 0.5 * best ? stalled + 1 : 0;
        if (size < wanted || (size < enough && stalled > 0) ||
            (size < 1e3 * enough && stalled > 2)) {
            int blame = -1;
            if (iterations > 1 && cord__row_error(w, s, t->midpoint ? w->cache_end : w->cache,
                                                  &blame) > CONTRADICTION)
                return cord__set_failure(s, CORD_ERROR_INCONSISTENT,
                                         "constraints contradict each other", worst, blame);
            if (t->midpoint) place_halfway(w, s);
            if (iterations > 1)
                set_rates(w, s, t, true);
            else
                set_dof_rates(w, s, t); /* places are yet to be found */
            return CORD_OK;
        }
        again = t->midpoint && size < SETTLED && size < 0.5 * best && size > AT_ONCE * best &&
                s->low_rank_max == 0;
        if (size < best) best = size, nearest = i;
        /* It runs away, or goes round: a smaller step is cheaper. */
        if ((i >= 4 && size > 100 * best) || (t->midpoint && i > nearest + ROUND)) break;
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "Newton's iteration does not converge",
                             worst, -1);
}

/* ---- stages ------------------------------------------------------------------------------------ */

/* Guess: the present velocity goes on. Held columns that are not in the matrix (frames of clamps)
 * are put in their place at once, and so is what carries a whole block; the others are moved by the
 * first solve. */
static void predict(problem *w, island *s, double h, const stage *t)
{
    EACH_DOF(c) w->delta[c] = 0;
    cord__prescribed_motion(w, s, t);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *delta = w->delta + b->v0;
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c])
                delta[c] = h * w->trial.v[b->v0 + c];
            else if (b->order[c] < b->shape.band_count && !b->shape.inertial_count)
                delta[c] = 0;
        if (!b->ops->step_bound) continue;
        double bound = b->ops->step_bound(b->model, w->cache + b->cache0, delta);
        for (int c = 0; bound < 1 && c < b->shape.dofs; c++)
            if (!b->prescribed[c]) delta[c] *= bound;
    }
    move(w, s, 1);
}

/* `rows`: nothing is evaluated there but rows, and accelerations come with the first stage. */
static void begin(problem *w, island *s, bool rows)
{
    (rows ? cord__copy_motion : cord__copy_state)(s, &w->now, &w->trial);
    EACH_DOF(c) w->d[c] = 0;
    (rows ? cord__refresh_rows : cord__refresh)(w, s, w->trial.q, w->cache);
    cord__start_step(w, s);
    cord__inertial_coordinates(w, s, w->trial.q, w->cache, w->inertial_x0);
    EACH_INERTIAL(c) w->inertial_x[c] = w->inertial_x0[c];
}

void cord__begin(problem *w, island *s)
{
    begin(w, s, false);
}

static cord_status backward_euler(problem *w, island *s, double h, int iterations, bool relative)
{
    bool linearised = iterations == 1;
    stage t = {.time = w->now.time + h,
               .force_time = w->now.time + h,
               .c_a = 1 / (h * h),
               .c_v = 1 / h,
               .c_k = 1,
               .relative = relative,
               .has_inertial_coordinates = true};
    set_one_stage_predictor(w, s, -1 / h);
    predict(w, s, h, &t);
    return newton(w, s, &t, iterations, w->tolerance, linearised ? INFINITY : w->tolerance);
}

/* What the first solve has settled: rows, held columns, and blocks that it took as linear. */
static void forget_settled(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->shape.inertial_count)
            memset(w->r + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        memset(w->g + b->l0, 0, (size_t)b->shape.rows * sizeof(double));
        memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        memset(w->g + r->l0, 0, (size_t)r->ops->rows * sizeof(double));
    }
}

/* One solve does not meet the rows; put the positions back on them with the same factor, which is
 * the papers' post-stabilisation. The velocity is what the whole motion says, as in fast
 * projection: of the columns, and of the places where the step was one over theirs, which is what
 * keeps momentum. */
static cord_status post_stabilise(problem *w, island *s, double h, bool by_inertial)
{
    const double time = w->now.time + h;
    stage t = {.time = time, .force_time = time, .c_a = 1, .rows_only = true};
    int blame = -1;
    for (int pass = 0; pass < 2;
         pass++) { /* a held frame's turn, which one increment misses by its cube */
        bool moves = false;
        EACH_DOF(c) w->delta[c] = 0;
        cord__prescribed_motion(w, s, &t);
        EACH_DOF(c) moves = moves || w->delta[c] != 0;
        if (!moves) break;
        move(w, s, 1);
    }
    for (int pass = 0;; pass++) {
        cord__refresh_rows(w, s, w->trial.q, w->cache);
        cord__assemble(w, s, &t, false);
        double error = cord__row_error(w, s, w->cache, &blame);
        if (error <= 0.5 * w->length_tolerance) break;
        if (!(error < 1) || pass == 10)
            return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                                     "post-stabilisation does not converge", s->block[0], blame);
        cord__rows_to_rhs(w, s);
        cord__solve(w, s);
        s->projection_iterations++;
        move(w, s, step_bound(w, s));
    }
    EACH_DOF(c) w->trial.v[c] = w->d[c] / h;
    /* Columns whose accelerations others feel: differences of what the steps have moved. */
    if (by_inertial || s->inertial.count == 0)
        cord__set_prescribed_velocities(w, s, time, w->trial.v);
    if (!by_inertial) {
        cord__set_inertial_rates(w, s, w->cache, &w->trial);
        return CORD_OK;
    }
    cord__set_dependent_dofs(w, s, w->cache, w->trial.v);
    cord__inertial_coordinates(w, s, w->trial.q, w->cache, w->inertial_x);
    EACH_INERTIAL(c)
    {
        w->trial.inertial_v[c] = (w->inertial_x[c] - w->inertial_x0[c]) / h;
        w->trial.inertial_a[c] = (w->trial.inertial_v[c] - w->now.inertial_v[c]) / h;
    }
    return CORD_OK;
}

/* The papers' step [super space clothoids, section 7.2]: from the start, one solve for the increment
 * with elasticity and internal damping implicit and all else explicit. With its velocity terms
 * implicit to first order the same matrix is used again and again (it stays symmetric), until the
 * increment settles. */
static cord_status semi_implicit(problem *w, island *s, double h, bool velocity_terms)
{
    stage t = {.time = w->now.time + h,
               .force_time = w->now.time,
               .c_a = 1 / (h * h),
               .c_v = 1 / h,
               .c_k = 1,
               .explicit_terms = true,
               .velocity_terms = velocity_terms};
    int worst = 0;
    set_one_stage_predictor(w, s, -1 / h);
    for (int i = 0; i < w->max_iterations; i++) {
        EACH_DOF(c)
        {
            w->trial.v[c] = w->d[c] / h;
            w->trial.a[c] = w->d[c] / (h * h) + w->a_predictor[c];
        }
        cord__assemble(w, s, &t, true);
        if (i > 0) forget_settled(w, s);
        s->newton_iterations++;
        if (!cord__factor_and_solve(w, s))
            return cord__set_failure(s, CORD_ERROR_SINGULAR, "the system is singular", s->block[0],
                                     -1);
        double size = correction_size(w, s, &worst);
        if (!isfinite(size))
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "a number is not finite", worst, -1);
        cord__add_multipliers(w, s, 1);
        EACH_DOF(c) w->d[c] += w->delta[c];
        if (velocity_terms && s->inertial.count > 0 && !(size < w->tolerance)) continue;
        EACH_DOF(c) w->delta[c] = w->d[c], w->d[c] = 0;
        move(w, s, 1);
        return CORD_OK;
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "the velocity terms do not settle", worst,
                             -1);
}

static cord_status tr_bdf2(problem *w, island *s, double h)
{
    const double gamma = 2 - sqrt(2.0), tau = gamma * h;
    const double weight = 1 / (gamma * (2 - gamma)), beta = (1 - gamma) / (2 - gamma);
    stage t = {.time = w->now.time + tau,
               .force_time = w->now.time + tau,
               .c_a = 4 / (tau * tau),
               .c_v = 2 / tau,
               .c_k = 1,
               .has_inertial_coordinates = true};
    set_predictor(w, s, &(formula){.v_v = -1, .a_v = -4 / tau, .a_a = -1});
    predict(w, s, tau, &t);
    cord_status status = newton(w, s, &t, w->max_iterations, w->tolerance, w->tolerance);
    if (status != CORD_OK) return status;

    double bh = beta * h;
    t = (stage){.time = w->now.time + h,
                .force_time = w->now.time + h,
                .c_a = 1 / (bh * bh),
                .c_v = 1 / bh,
                .c_k = 1,
                .has_inertial_coordinates = true};
    set_predictor(w, s,
                  &(formula){.v_d = -weight / bh,
                             .a_d = -weight / (bh * bh),
                             .a_v = (weight - 1) / bh,
                             .a_stage = -weight / bh});
    predict(w, s, h - tau, &t);
    status = newton(w, s, &t, w->max_iterations, w->tolerance, w->tolerance);
    if (status == CORD_OK) cord__end_step(w, s, h, t.c_a);
    return status;
}

/* The matrix is symmetric and the derivative is not: forces are along gradients half way, stresses
 * and rows change by those at the end. So the iteration converges linearly, by the turn in a step:
 * the last correction must be far smaller for the energy to be kept. */
static cord_status midpoint(problem *w, island *s, double h)
{
    stage t = {.time = w->now.time + h,
               .force_time = w->now.time + 0.5 * h,
               .c_a = 2 / (h * h),
               .c_v = 1 / h,
               .c_k = 0.5,
               .midpoint = true};
    set_one_stage_predictor(w, s, -2 / h);
    cord__refresh(w, s, w->now.q, w->cache_start);
    predict(w, s, h, &t);
    cord_status status = newton(w, s, &t, 4 * w->max_iterations, w->tolerance, 1e-3 * w->tolerance);
    if (status != CORD_OK) return status;
    EACH_DOF(c) w->trial.v[c] = 2 * w->d[c] / h - w->now.v[c];
    EACH_INERTIAL(c)
    w->trial.inertial_v[c] = 2 * (w->inertial_x[c] - w->inertial_x0[c]) / h - w->now.inertial_v[c];
    cord__set_dependent_dofs(w, s, w->cache_end, w->trial.v);
    return CORD_OK;
}

/* ---- one-sided rows ----------------------------------------------------------------------------- */

/* A hash of which one-sided rows hold; 0 when there are none. */
static unsigned active_rows(const problem *w, const island *s)
{
    unsigned hash = 0;
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        for (int row = 0; row < r->ops->rows; row++) hash = hash * 31 + 1 + r->active[row];
    }
    return hash;
}

/* ---- the step ------------------------------------------------------------------------------------ */

/* `impact`: it stands in for a step of another scheme, which begins with velocities that obey the rows. */
static cord_status euler_step(problem *w, island *s, double h, bool impact)
{
    begin(w, s, true);
    cord_status status = backward_euler(w, s, h, w->max_iterations, false);
    if (status != CORD_OK) return status;
    if (impact)
        cord__end_step(w, s, h, 1 / (h * h));
    else
        cord__end_euler(w, s, h);
    return CORD_OK;
}

static cord_status scheme_step(problem *w, island *s, double h)
{
    if (w->integrator == CORD_IMPLICIT && w->scheme == CORD_BACKWARD_EULER)
        return euler_step(w, s, h, false);
    bool one_solve = w->integrator == CORD_IMPLICIT && w->scheme != CORD_TR_BDF2;
    begin(w, s, !one_solve || w->scheme == CORD_LINEARISED);
    if (w->integrator == CORD_MIDPOINT) return midpoint(w, s, h);
    cord_status status = w->scheme == CORD_TR_BDF2 ? tr_bdf2(w, s, h)
                         : w->scheme == CORD_LINEARISED
                             ? backward_euler(w, s, h, 1, false)
                             : semi_implicit(w, s, h, w->scheme == CORD_SEMI_IMPLICIT_VELOCITY);
    if (status != CORD_OK || !one_solve) return status;
    return post_stabilise(w, s, h, w->scheme == CORD_LINEARISED);
}

static int block_of_dof(const problem *w, const island *s, int dof)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (dof >= b->v0 && dof < b->v0 + b->shape.dofs) return s->block[k];
    }
    return s->block[0];
}

/* Schemes without Newton's iteration do not notice when they blow up. */
static cord_status finite_step(problem *w, island *s, double h)
{
    cord_status status = scheme_step(w, s, h);
    if (status != CORD_OK) return status;
    EACH_DOF(c)
    {
        if (!isfinite(w->trial.v[c]))
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "a number is not finite",
                                     block_of_dof(w, s, c), -1);
    }
    return CORD_OK;
}

/* An impact is no place for a method of higher order: while one-sided rows come to hold or let go,
 * the step is a backward Euler step, which takes the impact as inelastic. */
static cord_status smooth_step(problem *w, island *s, double h)
{
    s->status = CORD_OK;
    if (w->integrator == CORD_SYMPLECTIC) return cord__island_symplectic(w, s, h);
    unsigned before = active_rows(w, s);
    s->active_set_changed = false;
    cord_status status = finite_step(w, s, h);
    if (before == 0 || !s->active_set_changed || (status == CORD_OK && active_rows(w, s) == before))
        return status;
    s->status = CORD_OK;
    bool euler = w->integrator == CORD_IMPLICIT && w->scheme == CORD_BACKWARD_EULER;
    return euler_step(w, s, h, !euler);
}

/* Where nodes are new, rows are off by a little. They are met before anything moves, or the first step would
 * do it at once, with velocities of that: the nearest configuration in the metric of the masses. */
static cord_status settle_positions(problem *w, island *s)
{
    stage t = {.time = w->now.time, .force_time = w->now.time, .c_a = 1, .rows_only = true};
    bool has_nodes = false;
    for (int k = 0; k < s->blocks; k++)
        has_nodes = has_nodes || w->block[s->block[k]]->ops->topology;
    if (!has_nodes) return CORD_OK;
    cord__begin(w, s);
    for (int pass = 0; pass < 20; pass++) {
        int worst;
        cord__refresh(w, s, w->trial.q, w->cache);
        cord__assemble(w, s, &t, true);
        if (!cord__factor(w, s))
            return CORD_OK; /* what has neither mass nor rows: the step does it */
        cord__rows_to_rhs(w, s);
        cord__solve(w, s);
        double size = correction_size(w, s, &worst);
        if (!isfinite(size)) break;
        move(w, s, step_bound(w, s));
        if (size > 1e-11) continue;
        cord__copy_state(s, &w->trial, &w->now);
        return CORD_OK;
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "lengths and tangents cannot be met where its nodes are", s->block[0],
                             -1);
}

cord_status cord__island_step(problem *w, island *s, double h)
{
    s->status = CORD_OK;
    s->impact_time = INFINITY;
    if (w->integrator == CORD_QUASI_STATIC) return cord__island_quasi_static(w, s, h);
    if (!cord__island_has_restitution(w, s)) return smooth_step(w, s, h);
    cord_status status = cord__island_impact(w, s);
    do {
        if (status == CORD_OK) status = smooth_step(w, s, h);
    } while (status == CORD_OK && cord__island_find_impacts(w, s, h));
    return status;
}

/* From a short backward Euler step, with rows as they are: what they lack is not to be made good in so
 * short a time. */
cord_status cord__island_accelerations(problem *w, island *s, double tiny)
{
    s->status = CORD_OK;
    if (w->integrator != CORD_IMPLICIT) return CORD_OK; /* the others do not use them */
    cord__begin(w, s);
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (r->eliminated) continue;
        cord__constraint_evaluate(w, r, w->now.q, w->cache, w->now.time, NULL);
        for (int row = 0; row < r->ops->rows; row++)
            r->start[row] = r->side == CORD_EQUAL ? r->value.g[row] : fmin(r->value.g[row], 0);
    }
    cord_status status = backward_euler(w, s, tiny, w->max_iterations, true);
    if (status != CORD_OK) return status;
    EACH_DOF(c) w->now.a[c] = (w->trial.v[c] - w->now.v[c]) / tiny;
    EACH_INERTIAL(c) w->now.inertial_a[c] = (w->trial.inertial_v[c] - w->now.inertial_v[c]) / tiny;
    return CORD_OK;
}

/* Velocities that contradict the constraints are brought into line as by an impulse (one-sided ones see
 * to that in the first step, since what leaves them is free to). */
cord_status cord__island_start(problem *w, island *s, double h)
{
    s->status = CORD_OK;
    if (w->integrator == CORD_SYMPLECTIC) { /* places alone are asked for what columns move by */
        cord__refresh(w, s, w->now.q, w->cache);
        cord__inertial_coordinates(w, s, w->now.q, w->cache, w->inertial_x);
        cord__set_inertial_rates(w, s, w->cache, &w->now);
        return CORD_OK;
    }
    double tiny = 1e-3 * h;
    cord__update_welds(w, s, w->now.q);
    carry(w, s, w->now.v);
    if (w->meet_rows_first && settle_positions(w, s) != CORD_OK) return s->status;
    for (int k = 0; k < s->blocks; k++) { /* what has no inertia has had the time to settle */
        const block *b = w->block[s->block[k]];
        double *q = w->now.q + b->q0, *cache = w->cache + b->cache0;
        if (!b->ops->solve_quasistatic) continue;
        b->ops->refresh(b->model, q, cache);
        if (b->ops->solve_quasistatic(b->model, q, cache, s->work) != CORD_OK)
            return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                                     "quasistatic twist does not converge", s->block[k], -1);
    }
    for (int k = 0; k < s->blocks; k++) { /* what a block holds by itself does not move */
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] == PINNED) w->now.v[b->v0 + c] = 0;
    }
    cord__begin(w, s);
    stage t = {.time = w->now.time,
               .force_time = w->now.time,
               .c_a = 1 / (tiny * tiny),
               .c_k = 1,
               .two_sided_only = true};
    EACH_DOF(c) w->trial.a[c] = 0;
    cord__assemble(w, s, &t, true);
    if (!cord__factor(w, s))
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "the system is singular", s->block[0], -1);
    cord__project_velocities(w, s, w->now.time, w->now.v, w->meet_rows_first ? t.c_a : 0);
    cord__set_inertial_rates(w, s, w->cache, &w->now);
    return cord__island_accelerations(w, s, tiny);
}
