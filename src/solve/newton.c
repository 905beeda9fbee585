/* Newton's iteration on one stage; newton.h defines a stage. */
#include "solve/newton.h"

#include "math/combine.h"
#include "solve/contacts.h"
#include "solve/dof_kernels.h"
#include "solve/equilibrium.h"
#include "solve/island_loop.h"
#include "solve/midpoint.h"

#include <math.h>
#include <string.h>

void cord__one_stage_predictor(problem *w, const cluster *s, double a_v)
{
    EACH_DOF(c) w->v_predictor[c] = 0, w->a_predictor[c] = a_v * w->now.v[c];
    EACH_INERTIAL(c)
    w->inertial_v_predictor[c] = 0, w->inertial_a_predictor[c] = a_v * w->now.inertial_v[c];
}

/* x ← x + (∂x/∂q) δ, to first order. */
static void move_inertial(problem *w, const cluster *s)
{
    double *moved = w->trial.inertial_v; /* about to be set */
    cord__inertial_rates(w, s, w->cache, w->delta, moved);
    EACH_INERTIAL(c) w->inertial_x[c] += moved[c];
}

static void set_dof_rates(problem *w, const cluster *s, const stage *t)
{
    const double of_v[4] = {t->c_v, 1}, of_a[4] = {t->c_a, 1};
    for (int k = 0; k < s->dofs.count; k++) {
        const int first = s->dofs.range[k].first, count = s->dofs.range[k].end - first;
        const double *d = w->d + first;
        cord__combine(count, of_v, (const double *const[4]){d, w->v_predictor + first},
                      w->trial.v + first);
        cord__combine(count, of_a, (const double *const[4]){d, w->a_predictor + first},
                      w->trial.a + first);
    }
}

/* `follow`: the last correction is small, and the inertial coordinates follow it to first order; evaluating
 * them again would change nothing. */
static void set_rates(problem *w, const cluster *s, const stage *t, bool follow)
{
    const double factor[2] = {t->c_v, t->c_a};
    set_dof_rates(w, s, t);
    if (follow && !t->midpoint)
        move_inertial(w, s);
    else
        cord__inertial_coordinates(w, s, w->trial.q, t->midpoint ? w->cache_end : w->cache,
                                   w->inertial_x);
    for (int k = 0; k < s->inertial.count; k++) {
        const int at = s->inertial.range[k].first, count = s->inertial.range[k].end - at;
        const double *const terms[2] = {w->inertial_v_predictor + at, w->inertial_a_predictor + at};
        double *const rate[2] = {w->trial.inertial_v + at, w->trial.inertial_a + at};
        cord__rates_between(count, w->inertial_x0 + at, w->inertial_x + at, factor, terms, rate);
    }
}

void cord__share_dofs(const problem *w, const cluster *s, double *v)
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

void cord__set_dependent_dofs(const problem *w, const cluster *s, const double *cache, double *v)
{
    for (int k = 0; s->has_dependent_dofs && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->set_dependent_dofs)
            b->ops->set_dependent_dofs(b->model, cache + b->cache0, v + b->v0);
    }
    cord__share_dofs(w, s, v);
}

void cord__move(problem *w, const cluster *s, double scale)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *delta = w->delta + b->v0, *d = w->d + b->v0;
        for (int c = 0; scale != 1 && c < b->shape.dofs; c++) delta[c] *= scale;
        cord__combine(b->shape.dofs, (const double[4]){1, 1}, (const double *const[4]){d, delta},
                      d);
        b->ops->retract(b->model, w->trial.q + b->q0, delta);
    }
    cord__share_dofs(w, s, w->d);
    cord__update_welds(w, s, w->trial.q);
}

/* A dof without inertia counts by its residual where that is smaller: a straight rod whose spin
 * nothing resists may rotate by any angle for no torque. */
double cord__correction_size(const problem *w, const cluster *s, int *worst)
{
    double largest = 0;
    *worst = s->block[0];
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double size = cord__greatest_correction(b->shape.dofs, w->delta + b->v0, b->scale,
                                                w->r + b->v0, b->stiffness);
        if (size <= largest) continue; /* a NaN is not, and is returned at once */
        largest = size;
        *worst = s->block[k];
        if (!isfinite(size)) return size;
    }
    return largest;
}

double cord__nonlinearity(const problem *w, const cluster *s)
{
    double largest = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->nonlinearity) continue;
        double own = b->ops->nonlinearity(b->model, w->cache + b->cache0, w->delta + b->v0);
        if (own > largest) largest = own;
    }
    return largest;
}

double cord__step_bound(const problem *w, const cluster *s)
{
    return 1 / fmax(1, cord__nonlinearity(w, s));
}

unsigned cord__active_set(const problem *w, const cluster *s)
{
    unsigned hash = 0;
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        for (int row = 0; row < r->ops->rows; row++) hash = hash * 31 + 1 + r->state.active[row];
    }
    return hash;
}

bool cord__has_impact(const problem *w, const cluster *s)
{
    bool any = cord__active_set(w, s) != s->active_set;
    for (int k = 0; !any && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        any = b->ops->memory &&
              b->ops->memory->closes(b->model, w->now.side + b->side0, w->trial.side + b->side0);
    }
    return any;
}

/* Corrections that fall faster than this need no acceleration. */
static const double FAST = 0.02;

/* The matrix of `midpoint` is symmetric and the derivative of its equations is not, so corrections
 * fall linearly; Anderson acceleration uses the corrections before. It restarts while the active set
 * changes, and where the correction has not become smaller. */
static void accelerate_step(problem *w, cluster *s, double size, double best)
{
    anderson *a = &s->anderson;
    if (s->active_set_changed || !(size < best)) a->begun = false, a->count = 0;
    if (!a->begun && size < FAST * best) return;
    cord__anderson_accelerate(a, s->unknowns, s->x);
    cord__read_dofs(w, s);
}

/* Below SETTLED the matrix hardly changes, and the factor of the last iteration serves again, unless
 * corrections fall by AT_ONCE: the present matrix then is exact. */
static const double SETTLED = 1e-4, AT_ONCE = 1e-3;

/* Small corrections that are not the last, since the active set has changed. */
enum { MAX_UNSETTLED = 3 };

/* The iteration is given up after this many iterations without a smaller correction. */
enum { MAX_WITHOUT_PROGRESS = 8 };

/* Small corrections that grow are no divergence: contact forces that change may have moved a cluster by chance very little. */
static const double HARMLESS = 1e-4;

static bool assemble_and_solve(problem *w, cluster *s, const stage *t)
{
    cord__assemble(w, s, t, true);
    if (s->newton.in_contact && s->newton.count > 0) cord__stiffen_in_contact(w, s);
    return cord__factor_and_solve(w, s);
}

/* Contact forces need a matrix that is positive under the rows; otherwise W leads to no solution, or to an absurd one. In the first
 * iterations it is not where multipliers of the last step compress a strand that contacts supported. Only the stiffness in the
 * matrix depends on them: those of zero lead to the same end. Whether there were any. */
enum { FIRST_ITERATIONS = 4 };

static bool forget_multipliers(problem *w, const cluster *s)
{
    const newton_iteration *it = &s->newton;
    bool any = false;
    if (!it->in_contact || it->stage.midpoint || it->count >= FIRST_ITERATIONS) return false;
    for (int k = 0; s->negative > s->rows && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = b->l0; i < b->l0 + b->shape.rows; i++) {
            any = any || w->trial.lambda[i] != 0;
            w->trial.lambda[i] = 0;
        }
    }
    return any;
}

/* [A Bᵀ; B −C] (δ, −dλ) = (−r, −g) at the trial; `reuse`: with the factor of the last iteration, which does not
 * know how prescribed motion acts on other dofs. */
static bool solve_at_trial(problem *w, cluster *s, const stage *t, bool reuse)
{
    if (reuse) {
        stage again = *t;
        again.again = !t->midpoint;
        cord__assemble(w, s, &again, false);
        bool moves = !t->midpoint && cord__prescribed_motion_size(w, s) > w->small_correction;
        if (!s->active_set_changed && !moves) {
            cord__refill(w, s);
            cord__solve(w, s);
            return true;
        }
    }
    if (s->cache_blocking.count > 0 && !t->midpoint && !t->relative)
        return cord__solve_cache_blocked(w, s, t);
    return assemble_and_solve(w, s, t) &&
           (!forget_multipliers(w, s) || assemble_and_solve(w, s, t));
}

void cord__begin_iteration(cluster *s, const stage *t, const newton_limits *limits, double h)
{
    const newton_contraction before =
        t->projects_momenta ? s->newton.measured : (newton_contraction){0};
    s->newton = (newton_iteration){
        .stage = *t, .limits = *limits, .h = h, .best = INFINITY, .before_stage = before};
    s->anderson.begun = false, s->anderson.count = 0;
}

static cord_status correct(problem *w, cluster *s)
{
    const stage *t = &s->newton.stage;
    if (cord__cancelled()) return cord__cancel_cluster(s);
    if (t->midpoint)
        cord__set_midpoint(w, s);
    else if (!cord__is_refreshed(w, s))
        cord__refresh_to_assemble(w, s, w->trial.q, w->cache);
    set_rates(w, s, t, false);
    s->report.newton_iterations++;
    bool changed_before = s->active_set_changed;
    s->active_set_changed = false;
    bool solved = solve_at_trial(w, s, t, s->newton.reuse);
    s->newton.changed = s->active_set_changed;
    s->active_set_changed = s->newton.changed || changed_before;
    if (solved) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined", s->block[0],
                             -1);
}

cord_status cord__measure_correction(problem *w, cluster *s)
{
    newton_iteration *it = &s->newton;
    it->size = cord__correction_size(w, s, &it->worst);
    it->fraction = 1;
    if (isfinite(it->size)) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its motion grows without bound", it->worst,
                             -1);
}

static cord_status not_converged(cluster *s)
{
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "forces do not come into balance",
                             s->newton.worst, -1);
}

static bool is_one_solve(const newton_iteration *it)
{
    return it->limits.iterations == 1;
}

/* Corrections that do not fall may alternate between the sides of a kink: after MAX_EQUAL of them half a correction ends
 * between the sides. `midpoint` leaves this to backward Euler, by which such a step is repeated. */
enum { MAX_EQUAL = 2 };
static const double FALLS = 0.9;

static int equal_at_kink(const cluster *s)
{
    bool kinks = s->has_kinks && !s->newton.stage.midpoint && !is_one_solve(&s->newton);
    return kinks ? s->newton.equal : 0;
}

static cord_status measure_and_bound(problem *w, cluster *s)
{
    newton_iteration *it = &s->newton;
    cord_status status = cord__measure_correction(w, s);
    if (status != CORD_OK) return status;
    if (it->stage.midpoint) accelerate_step(w, s, it->size, it->best);
    it->nonlinearity = cord__nonlinearity(w, s);
    it->fraction = 1 / fmax(1, it->nonlinearity);
    if (equal_at_kink(s) > MAX_EQUAL) it->fraction *= 0.5;
    /* Below 1 it is outside the region where one solve is valid. */
    return it->fraction < 1 && is_one_solve(it) ? not_converged(s) : CORD_OK;
}

cord_status cord__measured_in_batch(cluster *s, double size, double nonlinearity)
{
    newton_iteration *it = &s->newton;
    s->report.newton_iterations++;
    it->worst = s->block[0];
    it->size = size;
    it->nonlinearity = nonlinearity;
    it->fraction = 1 / fmax(1, nonlinearity);
    return isfinite(size) ? CORD_OK : CORD_ERROR_NOT_FINITE;
}

/* Long strands have a higher floor of rounding (the far end moves by the sum of all roundings along
 * the strand): corrections that have not halved for three iterations may be a thousand times larger
 * than `enough`. At a kink half corrections come first, and corrections of `midpoint` fall more slowly. */
enum { MAX_STALLED = 2, MAX_STALLED_SLOWLY = 7 };

/* Corrections of `midpoint` fall linearly, sometimes every other one only: those that rounding does not limit fall by this. */
static const double FALLEN = 0.9;

static bool falls_linearly(const cluster *s)
{
    return s->newton.stage.midpoint && !s->has_kinks;
}

static bool has_halved(const newton_iteration *it)
{
    return !(it->size > 0.5 * it->best);
}

static bool has_stalled(const cluster *s)
{
    const newton_iteration *it = &s->newton;
    return falls_linearly(s) ? it->size > FALLEN * it->best : !has_halved(it);
}

static bool is_small(const cluster *s)
{
    const newton_iteration *it = &s->newton;
    const newton_limits *limits = &it->limits;
    const bool linear = falls_linearly(s), slow = linear || equal_at_kink(s) > 0;
    return it->size < limits->wanted ||
           (it->size < limits->enough && it->stalled > (linear ? MAX_STALLED : 0)) ||
           (it->size < 1e3 * limits->enough &&
            it->stalled > (slow ? MAX_STALLED_SLOWLY : MAX_STALLED));
}

/* ---- the error that is left ---------------------------------------------------------------------- */

/* Whether the error is foreseen. Corrections across a kink or with another active set are not, nor those of constraints between blocks
 * whose inertia depends on the configuration: there, and for the energy of `midpoint`, the iteration goes on until
 * corrections are small. */
static bool is_smooth(const cluster *s)
{
    const bool smooth = !s->has_kinks && s->one_sided_count == 0 && s->low_rank.max == 0 &&
                        (s->inertial.count == 0 || s->banded);
    return smooth && !s->newton.in_contact && !s->newton.stage.midpoint &&
           !is_one_solve(&s->newton);
}

static const double NEGLIGIBLE = 1e-2; /* 1e-10, by the default limits */

/* The error that may be left. Inertia that depends on the configuration conserves momentum as far as the equations are
 * solved: hardly more than round-off is left there. */
static double error_allowed(const cluster *s)
{
    const newton_limits *limits = &s->newton.limits;
    return s->inertial.count > 0 ? fmin(limits->error, NEGLIGIBLE * limits->enough) : limits->error;
}

/* The second correction over the first, of a block that foresees it: a factor of the nonlinearity, and a little for
 * the change of the multipliers, which rotates with the rows. On falling and hanging rods it is 1 to 6 times the
 * nonlinearity, and below 2e-4 where nothing rotates. */
static const double ROTATION = 2, MULTIPLIERS = 1e-4;

/* Of a block alone in its cluster. */
static bool foresees_error(const problem *w, const cluster *s)
{
    return s->banded && w->block[s->block[0]]->shape.foresees_error;
}

/* The error after the last correction over its size: by the last two corrections, as if they fell linearly; after the
 * first one by the nonlinearity, where the block foresees it. INFINITY: not known. */
static double contraction(const problem *w, const cluster *s)
{
    const newton_iteration *it = &s->newton;
    const double rate = it->size / it->last;
    if (it->regular > 1 && !(rate < 0.5)) return INFINITY;
    if (it->regular > 1) return rate / (1 - rate);
    bool known = it->regular > 0 && it->count == 0 && foresees_error(w, s);
    return known ? ROTATION * it->nonlinearity + MULTIPLIERS : INFINITY;
}

/* Whether the correction was large enough to meet the rows that were violated before it. If not, they may contradict
 * each other: the iteration is to go on until corrections vanish, and end() decides. */
static bool can_meet_rows(const problem *w, const cluster *s, const double *row_error)
{
    const double error = row_error ? *row_error : cord__row_error(w, s, w->cache, NULL);
    return error <= 10 * s->newton.size + w->small_correction;
}

static bool foresees_end(const problem *w, const cluster *s, const double *row_error)
{
    const newton_iteration *it = &s->newton;
    return is_smooth(s) && it->size * contraction(w, s) < error_allowed(s) &&
           can_meet_rows(w, s, row_error);
}

/* Cables, bodies and coordinates. */
static bool is_machine(const problem *w, const cluster *s)
{
    bool all = true;
    for (int k = 0; all && k < s->blocks; k++) {
        const block_shape *of = &w->block[s->block[k]]->shape;
        all = of->coordinate.is_one || (of->mass == MASS_CONFIGURATION && of->private_count == 0);
    }
    return all;
}

/* The equations of a machine are smooth as long as no block chooses another active set. */
static bool may_be_smooth(const problem *w, const cluster *s)
{
    const newton_iteration *it = &s->newton;
    return is_machine(w, s) && s->one_sided_count == 0 && s->low_rank.max == 0 &&
           !s->active_set_changed && !it->in_contact && !it->stage.midpoint &&
           !it->stage.relative && !is_one_solve(it);
}

/* The second stage of a machine contracts as the first did, of which two corrections are known, or better: by ALIKE times
 * that rate, for a correction of the same size and nonlinearity, and in proportion for a larger one. Hardly more than round-off is
 * left: 1e-12, by the default limits. */
static const double ALIKE = 2, ROUND_OFF = 1e-5;

static bool foresees_end_by_stage_before(problem *w, cluster *s)
{
    newton_iteration *it = &s->newton;
    const newton_contraction *known = &it->before_stage;
    if (known->rate == 0 || it->count > 0 || it->regular == 0 || !may_be_smooth(w, s)) return false;
    const double more =
        fmax(it->size / known->size, it->nonlinearity / fmax(known->nonlinearity, 1e-15));
    if (!(it->size * ALIKE * known->rate * fmax(more, 1) < ROUND_OFF * it->limits.error) ||
        !can_meet_rows(w, s, NULL))
        return false;
    cord__refresh_rows(w, s, w->trial.q, w->cache);
    if (!cord__blocks_choose(w, s, &it->stage)) return true;
    s->active_set_changed = true;
    it->regular = 0;
    return false;
}

/* Clusters whose error is not foreseen take the present factor again where no more than round-off will be left after that:
 * 1e-13, by the default limits. The step that finds accelerations is exact. */
static bool is_exact_with_old_factor(const cluster *s, double error)
{
    const newton_iteration *it = &s->newton;
    const bool inexact = s->low_rank.max > 0 || it->in_contact || it->stage.midpoint ||
                         it->stage.relative || is_one_solve(it);
    return !inexact && error < 1e-5 * it->limits.enough;
}

/* The forces of rows that have not settled may change the whole stiffness across them: that of a straight, taut cable is theirs. */
static const double SETTLING = 0.2;

static bool multipliers_settle(const problem *w, const cluster *s)
{
    double most = 0, change = 0;
    for (int i = 0; i < s->map.multipliers; i++) {
        const int u = s->map.multiplier[i].unknown;
        most = fmax(most, fabs(w->trial.lambda[~s->map.source[u]]));
        change = fmax(change, fabs(s->x[u]));
    }
    return !(change > SETTLING * most);
}

/* A small correction by an old factor may leave more: the part of it by which the equations have changed. */
static bool is_uncertain(const problem *w, const cluster *s)
{
    const newton_iteration *it = &s->newton;
    if (!it->reuse || it->stage.midpoint || is_smooth(s)) return false;
    const double rate = it->count == 0 ? ROTATION * it->guessed : it->size / it->last;
    return !is_exact_with_old_factor(s, it->size * fmin(rate, 1)) ||
           (it->count == 0 && !multipliers_settle(w, s));
}

/* The motion δ over the size of elements: how much of the equations it may change. */
static double relative_motion(const problem *w, const cluster *s)
{
    double largest = cord__nonlinearity(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            largest = fmax(largest, fabs(w->delta[b->v0 + c]) / b->scale[c]);
    }
    return largest;
}

/* Also the momenta of the last stage are projected with this factor (velocities.c): it is to differ by no more than this part. */
static const double SAME_FACTOR = 1e-3;

void cord__continue_factor(const problem *w, cluster *s)
{
    newton_iteration *it = &s->newton;
    const double first = it->before_stage.size;
    if (s->banded || first == 0 || !may_be_smooth(w, s) ||
        !is_exact_with_old_factor(s, first * SAME_FACTOR))
        return;
    it->guessed = relative_motion(w, s);
    it->reuse =
        it->guessed < SAME_FACTOR && is_exact_with_old_factor(s, first * ROTATION * it->guessed);
}

/* After a correction; row_error: NULL, it is found from the cache. */
static void note_correction(const problem *w, cluster *s, double fraction, const double *row_error)
{
    newton_iteration *it = &s->newton;
    it->stalled = has_stalled(s) ? it->stalled + 1 : 0;
    it->equal = has_halved(it) ? 0 : it->equal + (it->size > FALLS * it->last);
    it->regular = it->changed || fraction < 1 ? 0 : it->regular + 1;
    it->foreseen = !is_small(s) && foresees_end(w, s, row_error);
    it->uncertain = is_uncertain(w, s);
    if (it->count == 1 && it->regular > 1) it->measured.rate = it->size / it->last;
    if (it->count == 0) it->measured = (newton_contraction){0, it->size, it->nonlinearity};
    it->before = it->last;
    it->last = it->size;
    if (it->changed && is_small(s)) it->unsettled++;
}

static void move(problem *w, cluster *s, double fraction)
{
    if (fraction < 1) s->anderson.begun = false; /* the iterate is not the one it proposed */
    cord__add_multipliers(w, s, 1);
    cord__move(w, s, fraction);
    note_correction(w, s, fraction, NULL);
    if (!is_small(s) && !s->newton.foreseen)
        s->newton.foreseen = foresees_end_by_stage_before(w, s);
}

void cord__moved_in_batch(const problem *w, cluster *s, double row_error)
{
    note_correction(w, s, s->newton.fraction, &row_error);
}

/* Multipliers of rows that changed in this iteration are not yet known to have the right sign; rows without a
 * force at the edge of contact change for ever. */
static bool settled(const problem *w, const cluster *s)
{
    (void)w;
    const newton_iteration *it = &s->newton;
    if (it->foreseen) return true;
    return is_small(s) && !it->uncertain &&
           (!it->changed || is_one_solve(it) || it->unsettled > MAX_UNSETTLED);
}

/* The present factor serves again where the last correction has hardly changed the equations: it leaves REUSED of
 * the next correction at most. */
static const double REUSED = 0.1;

static bool serves_again(const problem *w, const cluster *s)
{
    const newton_iteration *it = &s->newton;
    if (it->regular == 0 || (s->inertial.count > 0 && it->stage.projects_momenta)) return false;
    if (!is_smooth(s)) {
        const double rate = it->regular < 2 ? ROTATION * it->nonlinearity : it->last / it->before;
        return is_exact_with_old_factor(s, it->size * rate * rate) && multipliers_settle(w, s);
    }
    if (s->inertial.count > 0 && it->regular < 2) return false;
    return it->nonlinearity < 0.5 * REUSED && (it->regular < 2 || it->last < REUSED * it->before);
}

static cord_status proceed(problem *w, cluster *s)
{
    newton_iteration *it = &s->newton;
    const bool midpoint = it->stage.midpoint;
    it->reuse = midpoint ? it->size < SETTLED && it->size < 0.5 * it->best &&
                               it->size > AT_ONCE * it->best && s->low_rank.max == 0
                         : serves_again(w, s);
    if (it->size < it->best) it->best = it->size, it->nearest = it->count;
    /* A diverging or cycling iteration: a shorter step is cheaper. */
    bool given_up = (it->count >= 4 && it->size > fmax(100 * it->best, HARMLESS)) ||
                    (midpoint && it->count > it->nearest + MAX_WITHOUT_PROGRESS);
    it->count++;
    given_up = given_up || it->count == it->limits.iterations;
    return given_up && !settled(w, s) ? not_converged(s) : CORD_OK;
}

/* Rows and their Jacobians at the end of the last correction, for the projection of velocities. */
static void evaluate_rows(problem *w, cluster *s)
{
    stage t = {.time = s->newton.stage.time,
               .force_time = s->newton.stage.force_time,
               .c_a = 1,
               .relative = s->newton.stage.relative,
               .rows_only = true,
               .active_set_fixed = true};
    cord__refresh_rows(w, s, w->trial.q, w->cache);
    if (s->terms > 0) cord__assemble(w, s, &t, false);
}

/* A last correction of this size changes inertial coordinates as to first order, to round-off. */
static const double FOLLOWED = 1e-7;

static cord_status end(problem *w, cluster *s)
{
    const newton_iteration *it = &s->newton;
    const stage *t = &it->stage;
    int violated = -1;
    if (!is_one_solve(it) && !it->foreseen && !t->relative && /* relative rows stay as they are */
        cord__row_error(w, s, t->midpoint ? w->cache_end : w->cache, &violated) > CONTRADICTION)
        return cord__set_failure(s, CORD_ERROR_INCONSISTENT, "constraints cannot be met", it->worst,
                                 violated);
    if (t->midpoint) cord__set_midpoint(w, s);
    const bool follows = it->foreseen && s->inertial.count > 0 && s->banded;
    const bool small = it->size <= (follows ? FOLLOWED : w->small_correction);
    if (!small && !t->midpoint && !is_one_solve(it)) evaluate_rows(w, s);
    if (is_one_solve(it))
        set_dof_rates(w, s, t);
    else
        set_rates(w, s, t, small);
    if (s->active_set_changed && cord__has_impact(w, s)) s->had_impact = true;
    return CORD_OK;
}

const iteration_ops cord__newton = {correct, measure_and_bound, move, settled, proceed, end};

/* A step of the iteration. */
typedef struct iteration_step {
    cord_status (*take)(problem *w, cluster *s);
} iteration_step;

static cord_status take_step(problem *w, cluster *s, const void *with)
{
    return ((const iteration_step *)with)->take(w, s);
}

static cord_status in_each(problem *w, const island *of, cord_status (*take)(problem *, cluster *))
{
    return cord__in_each(w, of, take_step, &(iteration_step){take});
}

static void move_cluster(problem *w, cluster *s, const void *with)
{
    ((const iteration_ops *)with)->move(w, s, s->newton.fraction);
}

/* Corrections below which contacts that rows do not have are looked for: it is too early while they are large, and a waste of
 * iterations when they have vanished. */
static const double NEAR = 1e-3;

/* Corrections beyond every meaning: contact forces of a matrix that is not positive, in too long a step. */
static const double ABSURD = 1e4;

static cord_status check_contact_motion(problem *w, cluster *s)
{
    (void)w;
    return s->newton.size < ABSURD ? CORD_OK : not_converged(s);
}

/* One iteration of all clusters. */
static cord_status iterate_once(problem *w, const island *of, const iteration_ops *by,
                                bool *all_settled)
{
    cord_status status = in_each(w, of, by->correct);
    if (status == CORD_OK && cord__contacts_in_force(of))
        status =
            cord__solve_contacts(w, of, &cord__newton_responses, of->cluster[0]->newton.stage.c_v);
    if (status == CORD_OK) status = in_each(w, of, by->measure);
    if (status == CORD_OK && cord__contacts_in_force(of))
        status = in_each(w, of, check_contact_motion);
    if (status != CORD_OK) return status;
    *all_settled = true;
    const bool contacts = cord__contacts_in_force(of);
    bool near = contacts;
    double moved = 0;
    if (contacts) cord__contacts_mark(w, of, w->trial.q);
    cord__for_each(w, of, move_cluster, by);
    for (int k = 0; k < of->clusters; k++) {
        *all_settled = by->settled(w, of->cluster[k]) && *all_settled;
        moved = fmax(moved, of->cluster[k]->newton.size);
    }
    near = near && moved < NEAR;
    if (contacts) of->contacts->moved = moved;
    if (contacts && cord__contacts_bound(w, of, false)) *all_settled = near = false;
    const bool missed = near && cord__misses_contacts(w, of, *all_settled);
    const bool changes = missed || (contacts && !*all_settled && cord__contacts_change(of));
    if (*all_settled)
        *all_settled =
            !missed && !(contacts && (of->contacts->loose || cord__contacts_drift(w, of)));
    for (int k = 0; changes && k < of->clusters; k++) { /* corrections may be larger again */
        newton_iteration *it = &of->cluster[k]->newton;
        it->size = it->best = INFINITY;
        it->stalled = it->unsettled = 0;
    }
    return *all_settled ? CORD_OK : in_each(w, of, by->proceed);
}

/* Contact forces are found to a tolerance: smaller corrections would follow their errors. */
static const double CONTACT_CORRECTION = 1e-6;

static void set_contact_limits(const problem *w, const island *of)
{
    const double wanted = fmin(w->contacts->def.tolerance, CONTACT_CORRECTION);
    for (int k = 0; k < of->clusters; k++) {
        newton_limits *limits = &of->cluster[k]->newton.limits;
        limits->wanted = fmax(limits->wanted, wanted);
    }
}

cord_status cord__iterate(problem *w, const island *of, const iteration_ops *by)
{
    cord_status status = CORD_OK;
    const bool in_contact = cord__contacts_in_force(of);
    for (int k = 0; k < of->clusters; k++) of->cluster[k]->newton.in_contact = in_contact;
    if (in_contact) set_contact_limits(w, of);
    for (bool all_settled = false; status == CORD_OK && !all_settled;)
        status = iterate_once(w, of, by, &all_settled);
    return status == CORD_OK ? in_each(w, of, by->end) : status;
}

static bool has_mass_of_kind(const problem *w, const cluster *s, mass_kind kind)
{
    bool any = false;
    for (int k = 0; !any && k < s->blocks; k++) {
        const block_shape *of = &w->block[s->block[k]]->shape;
        any = of->mass == kind && !of->coordinate.is_one;
    }
    return any;
}

double cord__factor_of_acceleration(const problem *w, const cluster *s,
                                    const acceleration_weight *weight)
{
    if (!has_mass_of_kind(w, s, MASS_CONFIGURATION)) return weight->constant;
    if (s->private_solve) return weight->mean;
    const bool rough = has_mass_of_kind(w, s, MASS_COUPLED) || s->low_rank.max > 0;
    return s->blocks == 1 || rough ? weight->varying : weight->coupled;
}

/* A dof without inertia has no acceleration of its own; that of a coordinate is from the masses on it. */
static bool has_inertia(const block *b, int dof)
{
    const bool massive = b->shape.coordinate.is_one || !b->mass || b->mass[dof] > 0;
    return massive && b->alias_block[dof] < 0;
}

/* In a motion so violent that the first stage converges slowly, and where contact forces act, accelerations are not smooth. */
enum { SMOOTH_ITERATIONS = 3 };

bool cord__extrapolates(const problem *w, const cluster *s, const acceleration_weight *weight)
{
    const newton_iteration *before = &s->newton; /* of the stage before */
    return weight->trend > 0 && foresees_error(w, s) && !before->in_contact &&
           before->count < SMOOTH_ITERATIONS;
}

/* The guess of a dof with inertia: h v + c a; or (a* − â)/c_a − d, the motion from the trial on to the end of the stage if
 * the acceleration is a* there. */
static dof_guess guess_of(const problem *w, const block *b, double h, double of_a, double trend,
                          const stage *t)
{
    const int at = b->v0;
    const double *a = w->trial.a + at, rate = 1 / t->c_a;
    dof_guess g = {.prescribed = b->prescribed, .mass = b->mass, .v = w->trial.v + at, .h = h};
    if (trend > 0) {
        const double factor[5] = {(1 + trend) * rate, -trend * rate, -rate, -1};
        const double *const from[5] = {a, w->now.a + at, w->a_predictor + at, w->d + at};
        memcpy(g.factor, factor, sizeof factor);
        memcpy(g.from, from, sizeof from);
    } else {
        g.factor[0] = h, g.from[0] = g.v;
        if (of_a != 0) g.factor[1] = of_a, g.from[1] = a;
    }
    return g;
}

/* Dof by dof: where masses vary, and dofs are aliases. */
static void guess_each(const problem *w, const block *b, double h, double of_a, double *delta)
{
    for (int c = 0; c < b->shape.dofs; c++) {
        const bool in_band = b->order[c] < b->shape.band_count && !b->shape.inertial_count;
        if (b->prescribed[c] && in_band) delta[c] = 0;
        if (b->prescribed[c]) continue;
        delta[c] = h * w->trial.v[b->v0 + c];
        if (has_inertia(b, c)) delta[c] += of_a * w->trial.a[b->v0 + c];
    }
}

/* Where machines pass through singular configurations accelerations are so large, and a guess with them may lead to another
 * solution of the rows. */
static const double SLIGHT = 5e-3;

/* Whether the motion by accelerations alone, c_a a, is slight. */
static bool is_slight(problem *w, const cluster *s, double c_a)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            w->delta[b->v0 + c] =
                !b->prescribed[c] && has_inertia(b, c) ? c_a * w->trial.a[b->v0 + c] : 0;
    }
    return cord__nonlinearity(w, s) < SLIGHT;
}

static double acceleration_factor(problem *w, const cluster *s, double h,
                                  const acceleration_weight *weight)
{
    if (!s->predicts_acceleration) return 0;
    const double c_a = cord__factor_of_acceleration(w, s, weight) * h * h;
    const bool machine = s->blocks > 1 && has_mass_of_kind(w, s, MASS_CONFIGURATION);
    return machine && c_a > 0 && !is_slight(w, s, c_a) ? 0 : c_a;
}

/* Prescribed dofs outside the matrix (frames of clamps), and those that carry a whole block, go to
 * their positions at once; the first solve moves the others. */
void cord__predict(problem *w, cluster *s, double h, const acceleration_weight *weight,
                   const stage *t)
{
    const double c_a = acceleration_factor(w, s, h, weight);
    const bool extrapolates = c_a > 0 && cord__extrapolates(w, s, weight);
    cord__set_parameters(w, s, t->force_time, t->time);
    EACH_DOF(c) w->delta[c] = 0;
    cord__prescribed_motion(w, s, t);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *delta = w->delta + b->v0;
        if (b->mass && s->banded &&
            !b->shape.coordinate.is_one) { /* alone, so no dof is an alias */
            const dof_guess g = guess_of(w, b, h, c_a, extrapolates ? weight->trend : 0, t);
            cord__guess_dofs(b->shape.dofs, &g, delta);
            for (int i = 0; i < s->map.prescribed_count; i++)
                if (s->map.prescribed[i].dof >= 0) w->delta[s->map.prescribed[i].dof] = 0;
        } else {
            guess_each(w, b, h, c_a, delta);
        }
        double bound = block_step_bound(b, w->cache, delta);
        for (int c = 0; bound < 1 && c < b->shape.dofs; c++)
            if (!b->prescribed[c]) delta[c] *= bound;
    }
    cord__move(w, s, 1);
}

/* At the start of a step: of a block that is alone, and does not rotate with its base before the first guess (section_spin.c), only
 * the inertial coordinates are read before the first iteration. */
static void refresh_start(problem *w, const cluster *s, bool rows)
{
    const block *b = w->block[s->block[0]];
    if (rows && s->private_solve && s->constraints > 0)
        b->ops->private_solver->refresh_coordinates(b->model, w->trial.q + b->q0,
                                                    w->cache + b->cache0);
    else
        (rows ? cord__refresh_rows : cord__refresh)(w, s, w->trial.q, w->cache);
}

void cord__begin_step(problem *w, cluster *s, bool rows)
{
    cord__set_parameters(w, s, w->now.time, w->now.time);
    cord__copy_state(s, &w->now, &w->trial);
    EACH_DOF(c) w->d[c] = 0;
    refresh_start(w, s, rows);
    cord__start_step(w, s);
    cord__inertial_coordinates(w, s, w->trial.q, w->cache, w->inertial_x0);
    EACH_INERTIAL(c) w->inertial_x[c] = w->inertial_x0[c];
}
