/* The start of a run: velocities that obey the rows, and the accelerations that go with them; before
 * the first step, and after the state was changed from outside. */
#include "solve/integrator.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/* Prescribed dofs go to their positions; a rotation is met in two increments, since one misses it by its cube. */
static void move_prescribed(problem *w, cluster *s, const stage *t)
{
    for (int pass = 0; pass < 2; pass++) {
        EACH_DOF(c) w->delta[c] = 0;
        cord__prescribed_motion(w, s, t);
        cord__move(w, s, 1);
    }
}

/* After a change of topology rows are violated slightly, and by as much as the definitions differ after motion was carried
 * over to another world. They are met before anything moves, by the nearest configuration in the metric of the masses; the
 * first step would otherwise do so at once, and leave velocities. */
static cord_status meet_rows(problem *w, cluster *s)
{
    stage t = {.time = w->now.time, .force_time = w->now.time, .c_a = 1, .rows_only = true};
    bool event = w->meet_all_rows, changed = event;
    for (int k = 0; k < s->blocks; k++) {
        changed = changed || w->block[s->block[k]]->ops->topology;
        event = event || w->block[s->block[k]]->momentum;
    }
    if (!changed) return CORD_OK;
    cord__begin_step(w, s, false);
    if (w->meet_all_rows) move_prescribed(w, s, &t);
    for (int pass = 0; pass < 20; pass++) {
        int worst;
        cord__refresh(w, s, w->trial.q, w->cache);
        cord__assemble(w, s, &t, true);
        if (!cord__factor(w, s)) return CORD_OK; /* without mass and rows: the step determines it */
        cord__rows_to_rhs(w, s);
        cord__solve(w, s);
        double size = cord__correction_size(w, s, &worst);
        if (!isfinite(size)) break;
        cord__move(w, s, cord__step_bound(w, s));
        if (size > 1e-11) continue;
        cord__copy_state(s, &w->trial, &w->now);
        return CORD_OK;
    }
    /* An arc that is about to vanish again, or definitions that differ too much: the step determines it. */
    if (event) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "lengths and tangents cannot be met where its nodes are", s->block[0],
                             -1);
}

/* The violation of all rows at the start. */
static void set_row_starts(problem *w, cluster *s)
{
    const stage rows = {
        .time = w->now.time, .force_time = w->now.time, .c_a = 1, .rows_only = true};
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (r->eliminated) continue;
        cord__constraint_evaluate(w, r, w->now.q, w->cache, w->now.time, NULL);
        for (int row = 0; row < r->ops->rows; row++)
            r->work.start[row] =
                r->def.side == CORD_EQUAL ? r->work.value.g[row] : fmin(r->work.value.g[row], 0);
    }
    cord__assemble(w, s, &rows, false);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(w->g_end + b->l0, w->g + b->l0, (size_t)b->shape.rows * sizeof *w->g);
    }
}

/* a₀ = (v − v₀)/τ by a short step, with rows relative to their present violation, which a step so short must not make good. The
 * increment without that of v₀ is ½ a₀ τ², and τ twice as long as elsewhere leaves more digits of it. */
static cord_status find_accelerations(problem *w, cluster *s, double tiny, bool may_jump)
{
    const double duration = 2 * tiny;
    s->had_impact = false;
    s->report.status = CORD_OK;
    if (!w->integrator->keeps_acceleration) {
        EACH_DOF(c) w->now.a[c] = 0; /* not known before the next step */
        return CORD_OK;
    }
    cord__begin_step(w, s, false);
    set_row_starts(w, s);
    s->predicts_acceleration = false;
    cord_status status = cord__short_step(w, s, duration, may_jump);
    if (status != CORD_OK) return status;
    EACH_DOF(c) w->now.a[c] = (w->trial.v[c] - w->now.v[c]) / duration;
    EACH_INERTIAL(c)
    w->now.inertial_a[c] = (w->trial.inertial_v[c] - w->now.inertial_v[c]) / duration;
    cord__start_free_motion(w, s, duration);
    cord__complete_spin(w, s, duration);
    return CORD_OK;
}

cord_status cord__cluster_accelerations(problem *w, cluster *s, double tiny)
{
    return find_accelerations(w, s, tiny, false);
}

/* The short step over the step. */
static const double SHORT = 1e-3;

cord_status cord__change_forces(problem *w, cluster *s, double h)
{
    return cord__cluster_accelerations(w, s, SHORT * h);
}

/* Where the iteration does not converge, the next step begins without accelerations, and is of first order. */
static cord_status try_accelerations(problem *w, cluster *s, double tiny, bool may_jump)
{
    if (find_accelerations(w, s, tiny, may_jump) == CORD_OK) return CORD_OK;
    s->report.status = CORD_OK;
    EACH_DOF(c) w->now.a[c] = 0;
    EACH_INERTIAL(c) w->now.inertial_a[c] = 0;
    return CORD_OK;
}

cord_status cord__accelerations_after_step(problem *w, cluster *s, double tiny)
{
    return try_accelerations(w, s, tiny, false);
}

/* Contacts have closed or are about to: with v₀ in the short step a rod on a cylinder gained 0.2 % of its energy. */
cord_status cord__release_accelerations(problem *w, cluster *s, double h)
{
    EACH_DOF(c) w->kept_a[c] = w->now.a[c];
    EACH_INERTIAL(c) w->kept_inertial_a[c] = w->now.inertial_a[c];
    return try_accelerations(w, s, SHORT * h, true);
}

void cord__restore_accelerations(problem *w, cluster *s, const void *with)
{
    (void)with;
    EACH_DOF(c) w->now.a[c] = w->kept_a[c];
    EACH_INERTIAL(c) w->now.inertial_a[c] = w->kept_inertial_a[c];
}

/* Schemes of one solve do not read accelerations at the start of a step. */
cord_status cord__accelerations_after_impact(problem *w, cluster *s, double tiny)
{
    bool reads = !w->integrator->keeps_acceleration || !w->scheme->one_solve;
    return s->had_impact && reads ? try_accelerations(w, s, tiny, true) : CORD_OK;
}

/* Dofs without inertia are in equilibrium; dofs that a block has pinned do not move. */
static cord_status settle_massless(problem *w, cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *q = w->now.q + b->q0, *cache = w->cache + b->cache0;
        if (!BLOCK_HAS(b, projection, solve_quasistatic)) continue;
        b->ops->refresh(b->model, q, cache);
        if (b->ops->projection->solve_quasistatic(b->model, q, cache, s->work) != CORD_OK)
            return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "its twist finds no equilibrium",
                                     s->block[k], -1);
    }
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] == PINNED) w->now.v[b->v0 + c] = 0;
    }
    return CORD_OK;
}

/* Releases one-sided rows of blocks whose impulse has the wrong sign; whether there are any. After a change of topology
 * the impulses only distribute the momentum to the new dofs. */
static bool release_rows(problem *w, cluster *s, double h, double c_a)
{
    bool any = false;
    for (int k = 0; k < s->blocks; k++)
        if (w->block[s->block[k]]->momentum) return false;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->memory) continue;
        for (int i = 0; i < b->shape.rows; i++)
            w->g[b->l0 + i] = -s->x[s->offset[k] + b->order[b->shape.dofs + i]] / c_a;
        any = b->ops->memory->release_rows(b->model, w->cache + b->cache0, h, w->g + b->l0,
                                           w->now.side + b->side0) ||
              any;
    }
    return any;
}

/* Velocities that violate two-sided rows are corrected as by an impulse. One-sided rows act in the first
 * step, since a velocity that opens them is admissible. */
cord_status cord__cluster_start(problem *w, cluster *s, double h)
{
    const double tiny = SHORT * h;
    stage t = {.time = w->now.time,
               .force_time = w->now.time,
               .c_a = 1 / (tiny * tiny),
               .c_k = 1,
               .two_sided_only = true};
    s->report.status = CORD_OK;
    cord__update_welds(w, s, w->now.q);
    cord__share_dofs(w, s, w->now.v);
    if ((w->meet_rows_first || w->meet_all_rows) && meet_rows(w, s) != CORD_OK)
        return s->report.status;
    if (settle_massless(w, s) != CORD_OK) return s->report.status;
    EACH_DOF(c) w->v_predictor[c] = w->now.v[c];
    do {
        EACH_DOF(c) w->now.v[c] = w->v_predictor[c];
        cord__begin_step(w, s, false);
        EACH_DOF(c) w->trial.a[c] = 0;
        cord__assemble(w, s, &t, true);
        if (!cord__factor(w, s))
            return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined",
                                     s->block[0], -1);
        cord__project_velocities(w, s, w->now.time, w->now.v,
                                 w->meet_rows_first || w->keep_momenta ? t.c_a : 0);
    } while (release_rows(w, s, h, t.c_a)); /* each time there are fewer to release */
    cord__set_inertial_rates(w, s, w->cache, &w->now);
    return cord__cluster_accelerations(w, s, tiny);
}
