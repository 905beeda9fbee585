/* The schemes of `implicit`, on Newton's iteration:
 *
 *     backward Euler   v = d/h,                 a = (v − v₀)/h
 *     TR-BDF2, TR      v = 2d/(γh) − v₀,        a = 2(v − v₀)/(γh) − a₀,            γ = 2 − √2
 *     TR-BDF2, BDF2    v = (d − w d_γ)/(βh),    a = (v − v₀ − w (v_γ − v₀))/(βh)
 *                      w = 1/(γ(2 − γ)), β = (1 − γ)/(2 − γ)       [Bank et al. 1985]
 *     linearised       backward Euler with one solve, then post-stabilisation
 *     semi-implicit    one solve at the start: elasticity and internal damping implicit, the rest
 *                      explicit [SSC 2013, section 7.2], then post-stabilisation */
#include "math/combine.h"
#include "solve/integrator.h"

#include <math.h>
#include <string.h>

newton_limits cord__stage_limits(const problem *w)
{
    return (newton_limits){w->max_iterations, w->tolerance, w->small_correction,
                           w->small_correction};
}

/* Σ factor[k] from[k] of a range of dofs, without the terms whose factor is zero; `to` is a predictor term. */
static void combine(index_range of, const double *factor, const double *const *from, int terms,
                    double *to)
{
    double kept_factor[4] = {0};
    const double *kept[4] = {from[0] + of.first, from[0] + of.first};
    int count = 0;
    for (int k = 0; k < terms; k++)
        if (factor[k] != 0) kept_factor[count] = factor[k], kept[count++] = from[k] + of.first;
    cord__combine(of.end - of.first, kept_factor, kept, to + of.first);
}

static void set_predictor(problem *w, const cluster *s, const predictor *f)
{
    const double *const from[4] = {w->d, w->now.v, w->now.a, w->trial.v};
    for (int k = 0; k < s->dofs.count; k++) {
        combine(s->dofs.range[k], (const double[]){f->v_d, f->v_v}, from, 2, w->v_predictor);
        combine(s->dofs.range[k], (const double[]){f->a_d, f->a_v, f->a_a, f->a_stage}, from, 4,
                w->a_predictor);
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

/* ---- backward Euler ---------------------------------------------------------------------------- */

static stage euler_stage(const problem *w, double h)
{
    return (stage){.time = w->now.time + h,
                   .force_time = w->now.time + h,
                   .c_a = 1 / (h * h),
                   .c_v = 1 / h,
                   .c_k = 1,
                   .has_inertial_coordinates = true};
}

/* Rotation that sections may make in a step, rad, before TR-BDF2 takes it out of their motion. Its error is then
 * 0.1 % of the spin in 10,000 steps. A step that backward Euler repeats because of contact has to be as accurate. */
static const double SLOW_SPIN = 0.05, SLOW_SPIN_REPEATED = 1e-3;

bool cord__spins_fast(const problem *w, const block *b, double h)
{
    return cord__spins(w, b, h, SLOW_SPIN);
}

void cord__follow_fast_spin(problem *w, const cluster *s, const stage *t, const predictor *f,
                            double h, double before, double duration)
{
    cord__follow_spin(w, s, t, f, h, SLOW_SPIN, before, duration);
}

/* A step of another scheme that backward Euler repeats, because of contact or an impact. */
static bool is_repeated(const problem *w)
{
    return w->scheme != cord__schemes + CORD_BACKWARD_EULER;
}

/* Where backward Euler was chosen, coupled blocks are left to it, so that it dissipates in every step. */
static bool follows_rotations(const problem *w, const cluster *s)
{
    return is_repeated(w) || s->blocks == 1;
}

static void follow_rotations(problem *w, cluster *s, const stage *t, double h)
{
    const predictor f = {.a_v = -1 / h};
    if (!follows_rotations(w, s)) return;
    cord__balance_begin(w, s);
    cord__balance_add(w, s, 1, w->now.inertial_v);
    cord__follow_free_motion(w, s, t, &f, h, 0, h);
    cord__follow_spin(w, s, t, &f, h, is_repeated(w) ? SLOW_SPIN_REPEATED : SLOW_SPIN, 0, h);
}

void cord__end_rotations(problem *w, cluster *s, double h)
{
    if (!follows_rotations(w, s)) return;
    cord__balance_add(w, s, h, w->trial.inertial_a);
    cord__balance_end(w, s);
}

static void begin_euler(problem *w, cluster *s, double h, int iterations, double wanted)
{
    const newton_limits limits = {iterations, w->tolerance, w->small_correction, wanted};
    const stage t = euler_stage(w, h);
    cord__one_stage_predictor(w, s, -1 / h);
    if (iterations > 1) follow_rotations(w, s, &t, h);
    const double c = iterations > 1 ? 1 : 0;
    cord__predict(w, s, h, &(acceleration_weight){c, c, c, c, 0}, &t);
    cord__begin_iteration(s, &t, &limits, h);
}

static void euler_begin(problem *w, cluster *s, double h, int index)
{
    (void)index;
    cord__begin_step(w, s, true);
    begin_euler(w, s, h, w->max_iterations, w->small_correction);
}

static stage_plan euler_plan(const problem *w, double h, int index)
{
    (void)index;
    return (stage_plan){euler_stage(w, h), {.a_v = -1 / h}, h, {1, 1, 1, 1, 0}};
}

static cord_status euler_project(problem *w, cluster *s, double h)
{
    cord__end_rotations(w, s, h);
    cord__end_euler(w, s, h);
    return CORD_OK;
}

/* ---- the short step ------------------------------------------------------------------------------ */

/* Where velocities may jump, v₀ has no part in d: a section that comes to rest by capstan friction would have −v₀ at the
 * end, and slip the other way. */
cord_status cord__short_step(problem *w, cluster *s, double h, bool may_jump)
{
    const double part = may_jump || s->low_rank.max > 0 ? 1 : 2; /* d = h v, or h (v + v₀)/2 */
    const newton_limits limits = {w->max_iterations, 0, w->small_correction, w->small_correction};
    const stage t = {.time = w->now.time + h,
                     .force_time = w->now.time + h,
                     .c_a = part / (h * h),
                     .c_v = part / h,
                     .v_v = 1 - part,
                     .c_k = 1,
                     .has_inertial_coordinates = true,
                     .relative = true};
    set_predictor(w, s, &(predictor){.v_v = 1 - part, .a_v = -part / h});
    cord__predict(w, s, h, &(acceleration_weight){0}, &t);
    cord__begin_iteration(s, &t, &limits, h);
    return cord__iterate(w, &(island){.clusters = 1, .cluster = &s}, &cord__newton);
}

/* ---- TR-BDF2 ----------------------------------------------------------------------------------- */

/* γ, and the length of the second stage over the step: β = (1 − γ)/(2 − γ). */
static double tr_bdf2_gamma(void)
{
    return 2 - sqrt(2.0);
}

static double tr_bdf2_second(double h)
{
    const double gamma = tr_bdf2_gamma();
    return (1 - gamma) / (2 - gamma) * h;
}

/* Of blocks alone whose mass depends on the configuration, and of splines beside bodies, the accelerations are left out: those of stiff
 * modes change from stage to stage. Of a block alone whose velocities are projected onto its inertial coordinates that of the last step
 * is known. In the second stage those of a rod alone go on as in the first, (1 − γ)/γ times as long. */
static const acceleration_weight first_guess = {0.5, 0, 0.5, 0.5, 0};
static acceleration_weight second_guess(void)
{
    const double gamma = tr_bdf2_gamma();
    return (acceleration_weight){0.5, 0, 0, 0.5, (1 - gamma) / gamma};
}

static stage trapezoidal_stage(const problem *w, double tau)
{
    return (stage){.time = w->now.time + tau,
                   .force_time = w->now.time + tau,
                   .c_a = 4 / (tau * tau),
                   .c_v = 2 / tau,
                   .v_v = -1,
                   .c_k = 1,
                   .has_inertial_coordinates = true};
}

static predictor trapezoidal_predictor(double tau)
{
    return (predictor){.v_v = -1, .a_v = -4 / tau, .a_a = -1};
}

static stage bdf2_stage(const problem *w, double h)
{
    const double bh = tr_bdf2_second(h);
    return (stage){.time = w->now.time + h,
                   .force_time = w->now.time + h,
                   .c_a = 1 / (bh * bh),
                   .c_v = 1 / bh,
                   .v_d = -1 / (tr_bdf2_gamma() * (2 - tr_bdf2_gamma())) / bh,
                   .c_k = 1,
                   .has_inertial_coordinates = true,
                   .projects_momenta = true};
}

static predictor bdf2_predictor(double h, double weight)
{
    const double bh = tr_bdf2_second(h);
    return (predictor){.v_d = -weight / bh,
                       .a_d = -weight / (bh * bh),
                       .a_v = (weight - 1) / bh,
                       .a_stage = -weight / bh};
}

static void begin_trapezoidal(problem *w, cluster *s, double h, double weight, double tau)
{
    const newton_limits limits = cord__stage_limits(w);
    const predictor f = trapezoidal_predictor(tau);
    stage t = trapezoidal_stage(w, tau);
    t.adds_jumps = s->predicts_acceleration; /* or they were found at the start of this step */
    cord__begin_step(w, s, true);
    cord__balance_begin(w, s);
    cord__balance_add(w, s, 1, w->now.inertial_v);
    cord__balance_add(w, s, 0.5 * weight * tau, w->now.inertial_a);
    set_predictor(w, s, &f);
    cord__follow_free_motion(w, s, &t, &f, h, 0, tau);
    cord__follow_fast_spin(w, s, &t, &f, h, 0, tau);
    cord__predict(w, s, tau, &first_guess, &t);
    cord__begin_iteration(s, &t, &limits, h);
}

static void begin_bdf2(problem *w, cluster *s, double h, double weight, double tau)
{
    const newton_limits limits = cord__stage_limits(w);
    const stage t = bdf2_stage(w, h);
    const predictor f = bdf2_predictor(h, weight);
    const acceleration_weight guess = second_guess();
    cord__balance_add(w, s, 0.5 * weight * tau, w->trial.inertial_a);
    set_predictor(w, s, &f);
    cord__follow_free_motion(w, s, &t, &f, h, tau, h - tau);
    cord__follow_fast_spin(w, s, &t, &f, h, tau, h - tau);
    cord__predict(w, s, h - tau, &guess, &t);
    cord__begin_iteration(s, &t, &limits, h);
    cord__continue_factor(w, s);
}

static void tr_bdf2_begin(problem *w, cluster *s, double h, int index)
{
    const double gamma = tr_bdf2_gamma();
    (index == 0 ? begin_trapezoidal : begin_bdf2)(w, s, h, 1 / (gamma * (2 - gamma)), gamma * h);
}

static stage_plan tr_bdf2_plan(const problem *w, double h, int index)
{
    const double gamma = tr_bdf2_gamma(), tau = gamma * h;
    if (index == 0)
        return (stage_plan){trapezoidal_stage(w, tau), trapezoidal_predictor(tau), tau,
                            first_guess};
    return (stage_plan){bdf2_stage(w, h), bdf2_predictor(h, 1 / (gamma * (2 - gamma))), h - tau,
                        second_guess()};
}

/* Of a block with inertial coordinates: no stage reads the acceleration of its dofs. */
static void keep_mean_acceleration(problem *w, const cluster *s, double h)
{
    const double factor[4] = {1 / h, -1 / h};
    for (int k = 0; s->private_solve && k < s->dofs.count; k++) {
        const int first = s->dofs.range[k].first, count = s->dofs.range[k].end - first;
        cord__combine(count, factor, (const double *const[4]){w->trial.v + first, w->now.v + first},
                      w->trial.a + first);
    }
}

static cord_status tr_bdf2_project(problem *w, cluster *s, double h)
{
    const double bh = tr_bdf2_second(h);
    cord__balance_add(w, s, bh, w->trial.inertial_a);
    cord__balance_end(w, s);
    cord__end_step(w, s, h, 1 / (bh * bh));
    keep_mean_acceleration(w, s, h);
    return CORD_OK;
}

/* ---- one solve, then post-stabilisation --------------------------------------------------------- */

static void linearised_begin(problem *w, cluster *s, double h, int index)
{
    (void)index;
    cord__begin_step(w, s, true);
    begin_euler(w, s, h, 1, INFINITY);
}

static cord_status linearised_free_motion(problem *w, cluster *s, double h)
{
    (void)h;
    cord_status status = cord__newton.correct(w, s);
    cord__add_multipliers(w, s, 1);
    EACH_DOF(c) w->free_d[c] = w->d[c] + w->delta[c];
    return status;
}

/* The first solve has met the rows to first order, moved the prescribed dofs, and taken blocks with a
 * constant mass as linear: their residuals are zero from then on. */
static void clear_linear_residuals(problem *w, const cluster *s)
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

static void begin_semi_implicit(problem *w, cluster *s, double h, bool velocity_terms)
{
    const newton_limits limits = {w->max_iterations, w->tolerance, w->small_correction,
                                  w->small_correction};
    const stage t = {.time = w->now.time + h,
                     .force_time = w->now.time,
                     .c_a = 1 / (h * h),
                     .c_v = 1 / h,
                     .c_k = 1,
                     .explicit_terms = true,
                     .velocity_terms = velocity_terms};
    cord__begin_step(w, s, false);
    if (cord__set_parameters(w, s, t.time, t.time)) cord__refresh(w, s, w->trial.q, w->cache);
    cord__one_stage_predictor(w, s, -1 / h);
    cord__begin_iteration(s, &t, &limits, h);
}

static void semi_implicit_begin(problem *w, cluster *s, double h, int index)
{
    (void)index;
    begin_semi_implicit(w, s, h, false);
}

/* Velocity terms implicit to first order: the matrix stays symmetric and is the same in every iteration,
 * which ends when the increment has converged. */
static void semi_implicit_velocity_begin(problem *w, cluster *s, double h, int index)
{
    (void)index;
    begin_semi_implicit(w, s, h, true);
}

static cord_status semi_implicit_correct(problem *w, cluster *s)
{
    const double h = s->newton.h;
    EACH_DOF(c)
    {
        w->trial.v[c] = w->d[c] / h;
        w->trial.a[c] = w->d[c] / (h * h) + w->a_predictor[c];
    }
    cord__assemble(w, s, &s->newton.stage, true);
    if (s->newton.count > 0) clear_linear_residuals(w, s);
    s->report.newton_iterations++;
    if (cord__factor_and_solve(w, s)) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined", s->block[0],
                             -1);
}

/* The configuration stays at the start of the step until the increment is known. */
static void semi_implicit_move(problem *w, cluster *s, double fraction)
{
    cord__add_multipliers(w, s, fraction);
    EACH_DOF(c) w->d[c] += w->delta[c];
}

static bool semi_implicit_settled(const problem *w, const cluster *s)
{
    const newton_iteration *it = &s->newton;
    return !it->stage.velocity_terms || s->inertial.count == 0 || it->size < w->small_correction;
}

static cord_status semi_implicit_proceed(problem *w, cluster *s)
{
    newton_iteration *it = &s->newton;
    if (++it->count < it->limits.iterations || semi_implicit_settled(w, s)) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "forces do not come into balance with the velocities", it->worst, -1);
}

static cord_status semi_implicit_end(problem *w, cluster *s)
{
    EACH_DOF(c) w->delta[c] = w->d[c], w->d[c] = 0;
    cord__move(w, s, 1);
    return CORD_OK;
}

static const iteration_ops semi_implicit = {semi_implicit_correct, cord__measure_correction,
                                            semi_implicit_move,    semi_implicit_settled,
                                            semi_implicit_proceed, semi_implicit_end};

static cord_status semi_implicit_free_motion(problem *w, cluster *s, double h)
{
    const acceleration_weight none = {0};
    cord_status status = CORD_OK;
    for (bool settled = false; status == CORD_OK && !settled;) {
        status = semi_implicit_correct(w, s);
        if (status == CORD_OK) status = cord__measure_correction(w, s);
        if (status != CORD_OK) break;
        semi_implicit_move(w, s, 1);
        settled = semi_implicit_settled(w, s);
        if (!settled) status = semi_implicit_proceed(w, s);
    }
    EACH_DOF(c) w->free_d[c] = w->d[c], w->d[c] = 0;
    if (status == CORD_OK) cord__predict(w, s, h, &none, &s->newton.stage);
    return status;
}

static bool is_inertial(const problem *w, const cluster *s)
{
    bool all = true;
    for (int k = 0; k < s->blocks; k++) all = all && w->block[s->block[k]]->shape.inertial_count;
    return all;
}

static void copy_configuration(const cluster *s, const double *from, double *to)
{
    for (int k = 0; k < s->q.count; k++) {
        const index_range *r = s->q.range + k;
        memcpy(to + r->first, from + r->first, (size_t)(r->end - r->first) * sizeof *to);
    }
}

/* Velocity terms of the velocities that contact forces have changed: the equations at the start again, with the increment so far.
 * Blocks with a constant mass have none, and the residuals of clusters with such are not those of the increment. */
static cord_status semi_implicit_velocity_again(problem *w, cluster *s, double h)
{
    (void)h;
    if (!is_inertial(w, s)) return CORD_OK;
    copy_configuration(s, w->trial.q, w->free_q);
    copy_configuration(s, w->now.q, w->trial.q);
    cord__refresh(w, s, w->trial.q, w->cache);
    s->newton.count++;
    cord_status status = semi_implicit_correct(w, s);
    cord__add_multipliers(w, s, 1);
    EACH_DOF(c) w->free_d[c] = w->d[c] + w->delta[c];
    copy_configuration(s, w->free_q, w->trial.q);
    cord__refresh_rows(w, s, w->trial.q, w->cache);
    return status;
}

/* Puts the positions onto the rows with the factor of the solve. A prescribed frame's rotation is met in
 * two increments, since one misses it by its cube. */
static cord_status return_to_rows(problem *w, cluster *s, double time)
{
    stage t = {.time = time, .force_time = time, .c_a = 1, .rows_only = true};
    int violated = -1;
    for (int pass = 0; pass < 2; pass++) {
        bool moves = false;
        EACH_DOF(c) w->delta[c] = 0;
        cord__prescribed_motion(w, s, &t);
        EACH_DOF(c) moves = moves || w->delta[c] != 0;
        if (!moves) break;
        cord__move(w, s, 1);
    }
    for (int pass = 0;; pass++) {
        cord__refresh_rows(w, s, w->trial.q, w->cache);
        cord__assemble(w, s, &t, false);
        double error = cord__row_error(w, s, w->cache, &violated);
        if (error <= 0.5 * w->length_tolerance) return CORD_OK;
        if (!(error < 1) || pass == 10)
            return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "constraints cannot be met",
                                     s->block[0], violated);
        cord__rows_to_rhs(w, s);
        cord__solve(w, s);
        s->report.projection_iterations++;
        cord__move(w, s, cord__step_bound(w, s));
    }
}

/* v = d/h and, for the inertial coordinates that the step was about, (x₁ − x₀)/h: the velocity of the
 * whole motion keeps momentum, as in fast projection. */
static cord_status linearised_project(problem *w, cluster *s, double h)
{
    const double time = w->now.time + h;
    cord_status status = return_to_rows(w, s, time);
    if (status != CORD_OK) return status;
    EACH_DOF(c) w->trial.v[c] = w->d[c] / h;
    cord__set_prescribed_velocities(w, s, time, w->trial.v);
    cord__set_dependent_dofs(w, s, w->cache, w->trial.v);
    cord__inertial_coordinates(w, s, w->trial.q, w->cache, w->inertial_x);
    EACH_INERTIAL(c)
    {
        w->trial.inertial_v[c] = (w->inertial_x[c] - w->inertial_x0[c]) / h;
        w->trial.inertial_a[c] = (w->trial.inertial_v[c] - w->now.inertial_v[c]) / h;
    }
    return CORD_OK;
}

/* v = d/h. Where there are inertial coordinates, prescribed velocities too are differences of the
 * positions, since the next step takes accelerations from them. */
static cord_status semi_implicit_project(problem *w, cluster *s, double h)
{
    const double time = w->now.time + h;
    cord_status status = return_to_rows(w, s, time);
    if (status != CORD_OK) return status;
    EACH_DOF(c) w->trial.v[c] = w->d[c] / h;
    if (s->inertial.count == 0) cord__set_prescribed_velocities(w, s, time, w->trial.v);
    cord__set_inertial_rates(w, s, w->cache, &w->trial);
    return CORD_OK;
}

/* ---- the table ----------------------------------------------------------------------------------- */

const scheme_ops cord__schemes[] = {
    [CORD_TR_BDF2] = {"tr-bdf2", tr_bdf2_begin, &cord__newton, tr_bdf2_project, .stages = 2,
                      .plan = tr_bdf2_plan},
    [CORD_BACKWARD_EULER] = {"backward-euler", euler_begin, &cord__newton, euler_project,
                             .stages = 1, .plan = euler_plan},
    [CORD_LINEARISED] = {"linearised", linearised_begin, &cord__newton, linearised_project,
                         .stages = 1, .free_motion = linearised_free_motion, .one_solve = true},
    [CORD_SEMI_IMPLICIT] = {"semi-implicit", semi_implicit_begin, &semi_implicit,
                            semi_implicit_project, .stages = 1,
                            .free_motion = semi_implicit_free_motion, .one_solve = true,
                            .no_sliding_masses = true},
    [CORD_SEMI_IMPLICIT_VELOCITY] = {"semi-implicit-velocity", semi_implicit_velocity_begin,
                                     &semi_implicit, semi_implicit_project, .stages = 1,
                                     .free_motion = semi_implicit_free_motion,
                                     .free_motion_again = semi_implicit_velocity_again,
                                     .one_solve = true, .no_sliding_masses = true},
};
