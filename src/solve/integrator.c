/* The table of integrators, and the step of one cluster. */
#include "solve/integrator.h"

#include "solve/midpoint.h"

#include <math.h>

const integrator_ops cord__integrators[] = {
    [CORD_IMPLICIT] = {"implicit", cord__cluster_start, cord__implicit_solve,
                       cord__implicit_project, .dynamic = true, .keeps_acceleration = true,
                       .newton_active_set = true, .cache_blocked = true},
    [CORD_SYMPLECTIC] = {"symplectic", cord__symplectic_start, cord__symplectic_solve,
                         cord__symplectic_project, .dynamic = true, .explicit_forces = true},
    [CORD_MIDPOINT] = {"midpoint", cord__cluster_start, cord__midpoint_solve,
                       cord__midpoint_project, .dynamic = true, .newton_active_set = true,
                       .halfway = true},
    [CORD_QUASI_STATIC] = {"quasi-static", NULL, cord__cluster_quasi_static, NULL},
};

/* A hash of the active set of the one-sided rows; 0 when there are none. */
static unsigned active_set(const problem *w, const cluster *s)
{
    unsigned hash = 0;
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        for (int row = 0; row < r->ops->rows; row++) hash = hash * 31 + 1 + r->state.active[row];
    }
    return hash;
}

static int block_of_dof(const problem *w, const cluster *s, int dof)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (dof >= b->v0 && dof < b->v0 + b->shape.dofs) return s->block[k];
    }
    return s->block[0];
}

/* Schemes of one solve do not notice that they diverge. */
static cord_status check_finite(const problem *w, cluster *s)
{
    EACH_DOF(c)
    {
        if (!isfinite(w->trial.v[c]))
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its motion grows without bound",
                                     block_of_dof(w, s, c), -1);
    }
    return CORD_OK;
}

/* Beyond every quadrature the result has no meaning, and a curve there would take for ever to integrate. */
static cord_status check_bounded(const problem *w, cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->quadrature &&
            b->ops->quadrature->fit(b->model, w->trial.q + b->q0) == QUADRATURE_UNBOUNDED)
            return cord__set_failure(s, CORD_ERROR_NOT_FINITE, "its curvature grows without bound",
                                     s->block[k], -1);
    }
    return CORD_OK;
}

static cord_status solve_and_project(problem *w, cluster *s, double h)
{
    const integrator_ops *by = w->integrator;
    cord_status status = by->solve(w, s, h);
    if (status == CORD_OK && by->project) status = by->project(w, s, h);
    return status == CORD_OK ? check_bounded(w, s) : status;
}

/* A method of higher order loses its order, and its damping, where rows open or close: a step in which
 * the active set changes is repeated by backward Euler, which treats the impact as inelastic. Steps of
 * the other schemes begin with velocities that obey the rows, so this one ends with such, too. */
static cord_status repeat_by_euler(problem *w, cluster *s, double h)
{
    const scheme_ops *euler = cord__schemes + CORD_BACKWARD_EULER;
    s->report.status = CORD_OK;
    cord_status status = euler->solve(w, s, h);
    if (status != CORD_OK) return status;
    if (w->integrator->keeps_acceleration && w->scheme == euler) return euler->project(w, s, h);
    cord__end_step(w, s, h, 1 / (h * h));
    return CORD_OK;
}

/* A step without an impact of restitution in it. */
static cord_status smooth_step(problem *w, cluster *s, double h)
{
    s->report.status = CORD_OK;
    if (!w->integrator->newton_active_set) return solve_and_project(w, s, h);
    unsigned before = active_set(w, s);
    s->active_set_changed = false;
    cord_status status = solve_and_project(w, s, h);
    if (status == CORD_OK) status = check_finite(w, s);
    if (before == 0 || !s->active_set_changed || (status == CORD_OK && active_set(w, s) == before))
        return status;
    return repeat_by_euler(w, s, h);
}

cord_status cord__island_step(problem *w, cluster *s, double h)
{
    s->report.status = CORD_OK;
    s->impact_time = INFINITY;
    if (!w->integrator->dynamic || !cord__cluster_has_restitution(w, s))
        return smooth_step(w, s, h);
    cord_status status = cord__cluster_impact(w, s);
    do {
        if (status == CORD_OK) status = smooth_step(w, s, h);
    } while (status == CORD_OK && cord__cluster_find_impacts(w, s, h));
    return status;
}
