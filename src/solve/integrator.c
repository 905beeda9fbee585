/* The table of integrators, and the step of one island. */
#include "solve/contacts.h"
#include "solve/dof_kernels.h"
#include "solve/integrator.h"
#include "solve/island_loop.h"

#include <math.h>

const integrator_ops cord__integrators[] = {
    [CORD_IMPLICIT] = {"implicit", cord__cluster_start, cord__change_forces, .dynamic = true,
                       .keeps_acceleration = true, .newton_active_set = true,
                       .cache_blocked = true},
    [CORD_SYMPLECTIC] = {"symplectic", cord__symplectic_start, .solve = cord__symplectic_solve,
                         .project = cord__symplectic_project,
                         .project_contacts = cord__symplectic_project_contacts, .dynamic = true,
                         .explicit_forces = true},
    [CORD_MIDPOINT] = {"midpoint", cord__cluster_start, cord__change_forces, &cord__midpoint_scheme,
                       .dynamic = true, .newton_active_set = true, .halfway = true},
    [CORD_QUASI_STATIC] = {"quasi-static", .solve = cord__cluster_quasi_static},
};

static int block_of_dof(const problem *w, const cluster *s, int dof)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (dof >= b->v0 && dof < b->v0 + b->shape.dofs) return s->block[k];
    }
    return s->block[0];
}

/* Schemes of one solve do not notice that they diverge. */
static cord_status check_finite(problem *w, cluster *s, double h)
{
    (void)h;
    for (int k = 0; k < s->dofs.count; k++) {
        const int first = s->dofs.range[k].first, end = s->dofs.range[k].end;
        if (cord__all_finite(end - first, w->trial.v + first)) continue;
        int c = first;
        while (c + 1 < end && isfinite(w->trial.v[c])) c++;
        return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its motion grows without bound",
                                 block_of_dof(w, s, c), -1);
    }
    return CORD_OK;
}

/* Beyond every quadrature the result has no meaning, and a curve there would take for ever to integrate. */
static cord_status check_bounded(problem *w, cluster *s, double h)
{
    (void)h;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->quadrature &&
            b->ops->quadrature->fit(b->model, w->trial.q + b->q0) == QUADRATURE_UNBOUNDED)
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its curvature grows without bound",
                                     s->block[k], -1);
    }
    return CORD_OK;
}

/* An operation on clusters in a step h. */
typedef struct operation {
    cluster_operation *act;
    double h;
} operation;

static cord_status operate(problem *w, cluster *s, const void *with)
{
    const operation *of = with;
    return of->act(w, s, of->h);
}

static cord_status in_each(problem *w, const island *of, cluster_operation *act, double h)
{
    return cord__in_each(w, of, operate, &(operation){act, h});
}

/* A stage of a scheme. */
typedef struct scheme_stage {
    const scheme_ops *by;
    double h;
    int index;
} scheme_stage;

static void begin_stage(problem *w, cluster *s, const void *with)
{
    const scheme_stage *of = with;
    of->by->begin(w, s, of->h, of->index);
}

static cord_status solve_stages(problem *w, const island *of, const scheme_ops *by, double h)
{
    const bool contacts = cord__contacts_in_force(of);
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < by->stages; i++) {
        if (contacts) cord__contacts_begin_stage(w, of, i > 0 ? w->trial.q : w->now.q);
        cord__for_each(w, of, begin_stage, &(scheme_stage){by, h, i});
        if (contacts) cord__contacts_bound(w, of, true);
        status = cord__iterate(w, of, by->iteration);
        if (status == CORD_OK && contacts) {
            cord__contacts_end_stage(w, of, h);
            status = cord__check_overlap(w, of, LARGE_OVERLAP);
        }
    }
    return status;
}

/* `project` of an island; with contact forces where gaps are not met without them. */
static cord_status project_with_contacts(problem *w, const island *of, double h)
{
    const integrator_ops *by = w->integrator;
    if (of->contacts->in_force) return by->project_contacts(w, of, h);
    cord_status status = in_each(w, of, by->project, h);
    if (status != CORD_OK || !(cord__overlap(w, of, false) > 0)) return status;
    of->contacts->in_force = true;
    status = in_each(w, of, by->solve, h);
    return status == CORD_OK ? by->project_contacts(w, of, h) : status;
}

/* After the one solve of a step: an impact, for which the step will be repeated. */
static bool note_impacts(problem *w, const island *of)
{
    bool any = false;
    for (int k = 0; k < of->clusters; k++) {
        cluster *s = of->cluster[k];
        if (s->active_set_changed && cord__has_impact(w, s)) s->had_impact = true;
        any = any || s->had_impact;
    }
    return any;
}

static cord_status solve_and_project(problem *w, const island *of, double h)
{
    const integrator_ops *by = w->integrator;
    const scheme_ops *scheme = by->scheme || by->solve ? by->scheme : w->scheme;
    cluster_operation *project = scheme ? scheme->project : by->project;
    cord_status status = scheme ? solve_stages(w, of, scheme, h) : in_each(w, of, by->solve, h);
    if (status == CORD_OK && scheme && scheme->one_solve && note_impacts(w, of)) return status;
    if (status == CORD_OK && of->contacts && by->project_contacts)
        status = project_with_contacts(w, of, h);
    else if (status == CORD_OK && project)
        status = in_each(w, of, project, h);
    return status == CORD_OK ? in_each(w, of, check_bounded, h) : status;
}

/* Impulses of rows: those of the step, and those of the projection of velocities, which had the mass times 1/h². */
static void end_impact(problem *w, cluster *s, double h)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *impulse = w->g + b->l0;
        if (!b->ops->memory) continue;
        for (int i = 0; i < b->shape.rows; i++)
            impulse[i] = h * w->trial.lambda[b->l0 + i] -
                         h * h * s->x[s->offset[k] + b->order[b->shape.dofs + i]];
        b->ops->memory->end_impact(b->model, h, impulse, w->trial.side + b->side0);
    }
}

static cord_status end_euler(problem *w, cluster *s, double h)
{
    const scheme_ops *euler = cord__schemes + CORD_BACKWARD_EULER;
    cord_status status = CORD_OK;
    if (w->integrator->keeps_acceleration && w->scheme == euler) {
        status = euler->project(w, s, h);
    } else {
        cord__end_rotations(w, s, h);
        cord__end_step(w, s, h, 1 / (h * h));
    }
    end_impact(w, s, h);
    return status;
}

/* A method of higher order loses its order, and its damping, where rows open or close: a step in which
 * the active set changes is repeated by backward Euler, which treats the impact as inelastic. Steps of
 * the other schemes begin with velocities that obey the rows, so this one ends with such, too. */
static cord_status repeat_by_euler(problem *w, const island *of, double h)
{
    for (int k = 0; k < of->clusters; k++) {
        of->cluster[k]->report.status = CORD_OK;
        of->cluster[k]->predicts_acceleration = false;
    }
    cord__contacts_begin_step(of, false);
    cord_status status = solve_stages(w, of, cord__schemes + CORD_BACKWARD_EULER, h);
    if (status == CORD_OK) status = in_each(w, of, end_euler, h);
    return status == CORD_OK && of->contacts ? cord__rebound(w, of, h) : status;
}

/* `midpoint` conserves energy, and rows that close within the step lose some; it leaves a velocity of rebound. Its
 * projection onto the rows is the inelastic impact of the end of the step: energy is lost also where the inertia changes
 * much within a step, and backward Euler would gain some. */
static cord_status project_impact(problem *w, cluster *s, double h)
{
    stage t = {.time = w->now.time + h,
               .force_time = w->now.time + h,
               .c_a = 1 / (h * h),
               .active_set_fixed = true};
    EACH_DOF(c) w->trial.a[c] = 0;
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__assemble(w, s, &t, true);
    if (!cord__factor(w, s))
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined",
                                 s->block[0], -1);
    cord__end_step(w, s, h, t.c_a);
    end_impact(w, s, h);
    return CORD_OK;
}

/* Whether forces begin or cease to act within a step of one solve. */
static bool crosses(problem *w, const cluster *s)
{
    bool any = false;
    if (!w->scheme->one_solve || !w->integrator->keeps_acceleration) return false;
    for (int k = 0; !any && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->ops->memory) continue;
        b->ops->refresh(b->model, w->now.q + b->q0, w->cache_start + b->cache0);
        any = b->ops->memory->crosses(b->model, w->cache_start + b->cache0, w->cache + b->cache0);
    }
    return any;
}

static bool must_repeat(problem *w, cluster *s, cord_status status)
{
    bool settled = !s->active_set_changed || (status == CORD_OK && !s->had_impact);
    return !settled || (status == CORD_OK && crosses(w, s));
}

static bool is_second_order(const problem *w)
{
    return w->integrator->keeps_acceleration && w->scheme == cord__schemes + CORD_TR_BDF2;
}

static bool is_of_one_solve(const problem *w)
{
    return w->integrator->keeps_acceleration && w->scheme->one_solve;
}

static void begin_scheme(problem *w, const island *of, bool predicts_acceleration)
{
    for (int k = 0; k < of->clusters; k++) {
        cluster *s = of->cluster[k];
        s->report.status = CORD_OK;
        s->active_set = cord__active_set(w, s);
        s->active_set_changed = s->had_impact = false;
        s->predicts_acceleration = predicts_acceleration;
    }
}

static bool any_must_repeat(problem *w, const island *of, cord_status status)
{
    bool repeat = false;
    for (int k = 0; k < of->clusters; k++)
        repeat = must_repeat(w, of->cluster[k], status) || repeat;
    return repeat;
}

/* Rotation of sections in a step, rad, beyond which one solve, that takes them to move in a straight line, loses their spin: a chain
 * that rolls. Backward Euler follows it. */
static const double LARGE_SPIN = 0.2;

static bool rolls_fast(const problem *w, const island *of, double h)
{
    bool any = false;
    for (int k = 0; k < of->clusters; k++)
        for (int i = 0; !any && i < of->cluster[k]->blocks; i++)
            any = cord__spins(w, w->block[of->cluster[k]->block[i]], h, LARGE_SPIN);
    return any;
}

/* An island in contact by a scheme of one solve; where that does not meet contacts and rows, or rows of constraints open or close,
 * by backward Euler. */
/* Where passes do not meet the gaps shorter steps follow, down to this fraction of the step asked for; then backward Euler, whose step
 * takes as long as several of them. */
static const double SHORTEST_ONE_SOLVE = 0.3;

static cord_status one_solve_in_contact(problem *w, const island *of, double h)
{
    if (rolls_fast(w, of, h)) return repeat_by_euler(w, of, h);
    begin_scheme(w, of, true);
    cord_status status = cord__one_solve_in_contact(w, of, w->scheme, h);
    if (status == CORD_ERROR_NOT_CONVERGED && h > SHORTEST_ONE_SOLVE * w->requested_step)
        return status;
    bool repeat = status != CORD_OK || note_impacts(w, of);
    if (!repeat) {
        status = in_each(w, of, w->scheme->project, h);
        if (status == CORD_OK) status = in_each(w, of, check_bounded, h);
        if (status == CORD_OK) status = in_each(w, of, check_finite, h);
        of->contacts->located = false;
        if (status == CORD_OK) status = cord__check_overlap(w, of, LARGE_OVERLAP_ONE_SOLVE);
        repeat = status != CORD_OK || any_must_repeat(w, of, status);
    }
    return repeat ? repeat_by_euler(w, of, h) : cord__rebound(w, of, h);
}

/* TR-BDF2 where contacts close or open: accelerations at its start are those without contact forces, so that elasticity and inertia
 * are of second order while contact forces are those of the ends of both stages. A shorter step in place of this one begins
 * with the accelerations of the state again. */
static cord_status step_across_impact(problem *w, const island *of, double h)
{
    cord_status status = in_each(w, of, cord__release_accelerations, h);
    cord__contacts_begin_step(of, true);
    begin_scheme(w, of, false);
    of->contacts->across = true;
    if (status == CORD_OK) status = solve_and_project(w, of, h);
    if (status == CORD_OK) status = in_each(w, of, check_finite, h);
    cord__for_each(w, of, cord__restore_accelerations, NULL);
    const bool repeat = any_must_repeat(w, of, status) || status != CORD_OK;
    return repeat ? repeat_by_euler(w, of, h) : status;
}

/* Where contacts have opened after an impact in the first stage, lengths and other rows have been met by impulses, which
 * accelerations at the end contain: a step without contact would go on with them. They are found anew. */
static void note_opened_contacts(problem *w, const island *of)
{
    if (!of->contacts->across || cord__contacts_bear(w, of)) return;
    for (int k = 0; k < of->clusters; k++) of->cluster[k]->had_impact = true;
}

/* A step without an impact of restitution in it. `judged`: its energy will be compared with that before. */
static cord_status scheme_step(problem *w, const island *of, double h, bool judged)
{
    const bool contacts = of->contacts && w->integrator->newton_active_set;
    const bool in_force = contacts && of->contacts->in_force;
    if (in_force && !w->damped && is_of_one_solve(w)) return one_solve_in_contact(w, of, h);
    const bool across = judged && is_second_order(w) && of->contacts->crosses_impacts;
    if (w->damped || (in_force && !is_second_order(w))) return repeat_by_euler(w, of, h);
    if (in_force && !of->contacts->persists)
        return (across ? step_across_impact : repeat_by_euler)(w, of, h);
    cord__contacts_begin_step(of, in_force);
    begin_scheme(w, of, true);
    cord_status status = solve_and_project(w, of, h);
    if (!w->integrator->newton_active_set) return status;
    if (status == CORD_OK) status = in_each(w, of, check_finite, h);
    bool repeat = any_must_repeat(w, of, status);
    if (in_force) repeat = repeat || status != CORD_OK || of->contacts->closes;
    if (contacts && !in_force && status == CORD_OK && cord__overlap(w, of, false) > 0) {
        of->contacts->in_force = true;
        if (!repeat && is_of_one_solve(w)) return one_solve_in_contact(w, of, h);
        repeat = true;
    }
    if (!repeat) return status;
    if (across && cord__contacts_in_force(of)) return step_across_impact(w, of, h);
    return w->project_impacts && status == CORD_OK && !cord__contacts_in_force(of)
               ? in_each(w, of, project_impact, h)
               : repeat_by_euler(w, of, h);
}

/* Backward Euler between energies; with mean normals where it gains some. */
static cord_status euler_without_gain(problem *w, const island *of, double h,
                                      const island_energy *before, island_energy *after)
{
    const double end = w->now.time + h;
    cord_status status = CORD_OK;
    if (cord__contacts_gain(w, of, before, after, true)) {
        of->contacts->mean_axes = true;
        status = repeat_by_euler(w, of, h);
        of->contacts->mean_axes = false;
        if (status == CORD_OK) *after = cord__island_energy(w, of, &w->trial, end);
    }
    return status;
}

/* The same; where contacts act and nothing drives the island its energy does not grow. Where backward Euler gains much, a strand
 * has snapped to another solution of its equations, as the light end of a soft one does that turns by a radian in the step:
 * a shorter step follows the motion. */
static cord_status smooth_step(problem *w, const island *of, double h)
{
    const bool judged =
        of->contacts && w->integrator->newton_active_set && !cord__island_is_driven(w, of);
    const double end = w->now.time + h;
    cord_status status = scheme_step(w, of, h, judged);
    if (status != CORD_OK || !judged || !of->contacts->in_force) return status;
    const island_energy before = cord__island_energy(w, of, &w->now, w->now.time);
    island_energy after = cord__island_energy(w, of, &w->trial, end);
    bool by_euler = !of->contacts->by_scheme;
    if (!by_euler && cord__contacts_gain(w, of, &before, &after, false)) {
        by_euler = true;
        status = repeat_by_euler(w, of, h);
        if (status == CORD_OK) after = cord__island_energy(w, of, &w->trial, end);
    }
    if (status == CORD_OK && by_euler) status = euler_without_gain(w, of, h, &before, &after);
    if (status == CORD_OK && by_euler && cord__contacts_leap(w, of, &before, &after, h))
        return cord__set_failure(of->cluster[0], CORD_ERROR_NOT_CONVERGED,
                                 "its energy grows in contact", of->cluster[0]->block[0], -1);
    if (status == CORD_OK) cord__contacts_lose(w, of, &before, &after, h);
    if (status == CORD_OK) note_opened_contacts(w, of);
    return status;
}

static bool has_restitution(const problem *w, const island *of)
{
    bool any = false;
    for (int k = 0; k < of->clusters; k++)
        any = any || cord__cluster_has_restitution(w, of->cluster[k]);
    return any;
}

/* True: a row came to rest, and the step must be repeated. */
static bool find_impacts(problem *w, const island *of, double h)
{
    bool rests = false;
    for (int k = 0; k < of->clusters; k++)
        rests = cord__cluster_find_impacts(w, of->cluster[k], h) || rests;
    return rests;
}

cord_status cord__island_step(problem *w, const island *of, double h)
{
    for (int k = 0; k < of->clusters; k++) {
        of->cluster[k]->report.status = CORD_OK;
        of->cluster[k]->impact_time = INFINITY;
    }
    if (!w->integrator->dynamic || !has_restitution(w, of)) return smooth_step(w, of, h);
    cord_status status = in_each(w, of, cord__cluster_impact, h);
    do {
        if (status == CORD_OK) status = smooth_step(w, of, h);
    } while (status == CORD_OK && find_impacts(w, of, h));
    return status;
}
