/* The step, top to bottom: islands side by side, each from the committed to the trial state; when
 * all went well the trial is committed, otherwise the step is halved and tried again. */
#include "math/vec3.h"
#include "world/world.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

/* Waking a thread costs as much as a step of some hundreds of unknowns. */
enum { UNKNOWNS_PER_THREAD = 400 };

static int thread_count(const cord_world *w)
{
    int threads = w->def.threads > 0 ? w->def.threads : omp_get_max_threads();
    int worth = 1 + w->problem.v_count / UNKNOWNS_PER_THREAD;
    if (worth < threads && w->def.threads == 0) threads = worth;
    return threads < w->partition.count ? threads : w->partition.count;
}

typedef cord_status (*island_task)(problem *p, island *s, double h);

/* Islands share nothing they write, so the order they run in does not matter. */
static cord_status each_island(cord_world *w, island_task task, double h)
{
    int count = w->partition.count, threads = thread_count(w);
    if (threads > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < count; i++) task(&w->problem, w->partition.island + i, h);
    } else {
        for (int i = 0; i < count; i++) task(&w->problem, w->partition.island + i, h);
    }
    w->revision++; /* caches are the trial's now */
    for (int i = 0; i < count; i++)
        if (w->partition.island[i].status != CORD_OK) return w->partition.island[i].status;
    return CORD_OK;
}

static void commit(cord_world *w, double time)
{
    problem *p = &w->problem;
    state committed = p->trial;
    p->trial = p->now;
    p->now = committed;
    p->now.time = time;
    w->revision++;
    w->counters.steps++;
}

/* Steps whose scripts turn a frame by more than this lose count of turns. */
static const double LARGEST_TURN = 2.0;

/* Whether a scripted frame turns too far in one step. */
static bool turns_too_far(const cord_world *w, double h)
{
    const problem *p = &w->problem;
    for (int i = 0; i < p->constraints; i++) {
        const constraint *r = p->constraint[i];
        if (r->point[1] < 0 || !(r->ops->needs[1] & NEEDS_FRAME)) continue;
        const point *second = p->point[r->point[1]];
        double linear[3], angular[3];
        if (second->block >= 0 || second->rotation.count == 0) continue;
        cord__point_scripted_rate(second, p->now.time + 0.5 * h, linear, angular);
        if (v3_norm(angular) * h > LARGEST_TURN) return true;
    }
    return false;
}

static cord_status report(cord_world *w, double h)
{
    for (int i = 0; i < w->partition.count; i++) {
        const island *s = w->partition.island + i;
        char label[128];
        if (s->status == CORD_OK) continue;
        cord__object_label(w, s->failed_block >= 0 ? s->failed_block : s->block[0], label,
                           sizeof label);
        const constraint *r =
            s->failed_constraint >= 0 ? w->problem.constraint[s->failed_constraint] : NULL;
        char even[64] = "";
        if (h > 0) snprintf(even, sizeof even, ", even with a step of %.3g s", h);
        return cord__fail(w, s->status, "%s at t = %.9g s: %s%s%s%s%s", label, w->problem.now.time,
                          s->failure_cause, r ? " (constraint '" : "",
                          r ? (r->name ? r->name : r->ops->name) : "", r ? "')" : "", even);
    }
    return cord__fail(
        w, CORD_ERROR_NOT_CONVERGED,
        "at t = %.9g s a script turns a frame by more than %g rad even in a step of %.3g s",
        w->problem.now.time, LARGEST_TURN, h);
}

/* The islands' own counts go to the world's. */
static void collect(cord_world *w)
{
    for (int i = 0; i < w->partition.count; i++) {
        island *s = w->partition.island + i;
        w->counters.newton_iterations += s->newton_iterations;
        w->counters.projection_iterations += s->projection_iterations;
        w->counters.impacts += s->impacts;
        w->profile.forces += s->seconds_forces;
        w->profile.solve += s->seconds_solve;
        w->profile.project += s->seconds_project;
        w->profile.twist += s->seconds_twist;
        s->newton_iterations = s->projection_iterations = s->impacts = 0;
        s->seconds_forces = s->seconds_solve = s->seconds_project = s->seconds_twist = 0;
    }
}

/* Whether the step's velocities differ by more than the definition allows, each in units of what is
 * small for its unknown [super-clothoids, section 3.4]. */
static bool changes_too_much(const cord_world *w)
{
    const problem *p = &w->problem;
    for (int i = 0; w->def.velocity_change > 0 && i < p->blocks; i++) {
        const block *b = p->block[i];
        for (int c = 0; c < b->shape.dofs; c++) {
            double change = fabs(p->trial.v[b->v0 + c] - p->now.v[b->v0 + c]);
            if (change > w->def.velocity_change * b->scale[c]) return true;
        }
    }
    return false;
}

/* How far into the last attempt the first of the rows that bounce met; INFINITY: none did. Neither the
 * step to there nor what is left after it is to be so short that round-off shows in velocities. */
static double first_meeting(const cord_world *w, double left)
{
    const double shortest = SHORTEST_FLIGHT * w->problem.requested_step;
    double meets = INFINITY;
    for (int i = 0; i < w->partition.count; i++)
        meets = fmin(meets, w->partition.island[i].impact_time);
    if (meets < left && left - meets < shortest && left > 3 * shortest) meets = left - 2 * shortest;
    return fmax(meets, shortest);
}

/* A point may have slid to another piece of its strand, and the equilibrium is found there. */
enum { ELEMENT_PASSES = 100 };

/* Whether points are on other pieces there, or cables touch other wheels: then it is not the equilibrium. */
static cord_status follow_equilibrium(cord_world *w, bool *changed)
{
    bool events, elements = cord__update_elements(w, false);
    cord_status status = cord__update_topologies(w, &events);
    *changed = elements || events;
    if (status == CORD_OK && *changed) {
        collect(w);
        status = cord__world_ready(w);
    }
    return status;
}

/* `quasi-static`: to an equilibrium at the present time, wherever points slide on the way. */
static cord_status settle(cord_world *w)
{
    for (int pass = 0; pass <= ELEMENT_PASSES; pass++) {
        cord_status status = each_island(w, cord__island_quasi_static, 0);
        if (status != CORD_OK) return report(w, 0);
        commit(w, w->problem.now.time);
        w->counters.steps--; /* no time passed */
        bool changed;
        status = follow_equilibrium(w, &changed);
        if (status != CORD_OK || !changed) return status;
    }
    return cord__fail(
        w, CORD_ERROR_NOT_CONVERGED,
        "at t = %.9g s: no equilibrium: a point slides on, or a cable leaves a wheel and "
        "comes to it by turns",
        w->problem.now.time);
}

/* Whatever the integrator needs before the first step, and after a change from outside. */
static cord_status start(cord_world *w, double h)
{
    if (!w->start_stale) return CORD_OK;
    cord_status status =
        w->def.integrator == CORD_QUASI_STATIC ? settle(w) : each_island(w, cord__island_start, h);
    if (status == CORD_OK) w->start_stale = w->problem.meet_rows_first = false;
    return status;
}

/* After the trial was committed: points on other pieces, constraints that let go or take hold, wheels that
 * cables have left or come to, whose new nodes get what momentum there was. Where an impact has left a very
 * short step, accelerations have too much round-off in them. */
static cord_status follow_up(cord_world *w, double own, double duration)
{
    bool events, changed = cord__update_elements(w, true);
    changed = cord__update_conditions(w) || changed;
    cord_status status = cord__update_topologies(w, &events);
    if (status == CORD_OK && (events || changed)) {
        collect(w); /* from islands that are about to go */
        status = cord__world_ready(w);
    }
    if (status == CORD_OK && events) {
        cord__events_begin(w);
        status = start(w, own);
        if (status != CORD_OK) return report(w, own);
        cord__events_end(w);
    }
    if (status == CORD_OK && own < 0.01 * duration && !w->start_stale) {
        status = each_island(w, cord__island_accelerations, AFTER_IMPACT * duration);
        if (status != CORD_OK) return report(w, own);
    }
    return status;
}

static cord_status advance(cord_world *w, double duration)
{
    problem *p = &w->problem;
    const bool quasi_static = w->def.integrator == CORD_QUASI_STATIC;
    const double end = p->now.time + duration;
    const double smallest = ldexp(duration, -w->def.max_halvings) * 0.999;
    double h = duration, meets = INFINITY;
    bool parted = false; /* by an impact */
    p->requested_step = duration;
    while (p->now.time < end) {
        double reach = quasi_static ? INFINITY : cord__time_to_event(w), left = end - p->now.time;
        bool runs_on = reach < fmin(fmin(h, left), meets);
        if (runs_on) meets = reach;
        bool cut = meets < h, last = !cut && p->now.time + h * 1.000001 >= end;
        double own = last ? left : fmin(h, meets);
        cord_status status = turns_too_far(w, own) ? CORD_ERROR_NOT_CONVERGED : CORD_OK;
        if (status == CORD_OK) {
            status = start(w, cut ? h : own);
            if (status != CORD_OK && quasi_static)
                return status; /* a shorter step starts there too */
        }
        if (status == CORD_OK) status = each_island(w, cord__island_step, own);
        if (status == CORD_OK) meets = first_meeting(w, end - p->now.time);
        if (status == CORD_OK && meets < own) continue; /* again, up to there */
        meets = INFINITY;
        /* Refinement that is asked for stops at the smallest step; it is not a failure. */
        bool refine = status == CORD_OK && 0.5 * own >= smallest &&
                      (changes_too_much(w) || cord__skips_elements(w));
        if (status == CORD_OK && !refine) {
            /* As far as the pieces that the step knew went; it is not there yet. */
            if (quasi_static && cord__skips_elements(w)) cord__invalidate_start(w);
            commit(w, last ? end : p->now.time + own);
            parted = parted || (cut && !runs_on);
            status = follow_up(w, parted ? own : duration, duration);
            if (status != CORD_OK) return status;
            if (!cut) h = 2 * own; /* trouble is usually brief */
            continue;
        }
        h = 0.5 * own;
        w->counters.halvings++;
        if (h < smallest) return report(w, own);
    }
    return quasi_static ? start(w, 0) : CORD_OK;
}

cord_status cord_world_step(cord_world *w, double duration)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!(duration > 0 && isfinite(duration)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a step of %g s; it must be above 0", duration);
    double began = cord__seconds();
    cord_status status = cord__world_ready(w);
    if (status == CORD_OK) {
        status = advance(w, duration);
        collect(w);
    }
    w->profile.step += cord__seconds() - began;
    return status;
}

/* ---- statics ----------------------------------------------------------------------------------- */

cord_statics_def cord_statics_def_default(void)
{
    return (cord_statics_def){.tolerance = 1e-10, .max_iterations = 2000};
}

static cord_status report_statics(cord_world *w, const island *s)
{
    char label[128];
    cord__object_label(w, s->block[0], label, sizeof label);
    return cord__fail(w, s->status, "%s: no equilibrium: %s", label, s->failure_cause);
}

/* Every island's, which becomes the world's state. */
static cord_status equilibrium_of_islands(cord_world *w, const cord_statics_def *def,
                                          cord_statics_result *sum)
{
    w->revision++; /* caches are used for the search */
    sum->residual = 0;
    sum->unstable_directions = 0;
    for (int i = 0; i < w->partition.count; i++) {
        island *s = w->partition.island + i;
        equilibrium own;
        if (cord__island_equilibrium(&w->problem, s, def, &own) != CORD_OK)
            return report_statics(w, s);
        if (own.iterations > sum->iterations) sum->iterations = own.iterations;
        if (own.residual > sum->residual) sum->residual = own.residual;
        sum->unstable_directions += own.unstable;
    }
    commit(w, w->problem.now.time);
    w->counters.steps--; /* no time passed */
    collect(w);
    return CORD_OK;
}

cord_status cord_world_find_equilibrium(cord_world *w, const cord_statics_def *def,
                                        cord_statics_result *result)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    cord_statics_def fallback = cord_statics_def_default();
    if (!def) def = &fallback;
    if (!(def->tolerance > 0) || def->max_iterations < 1 || !(def->kick >= 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "statics: tolerance, iterations or kick out of range");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    cord_statics_result sum = {0};
    for (int pass = 0;; pass++) {
        status = equilibrium_of_islands(w, def, &sum);
        if (status != CORD_OK) return status;
        bool changed;
        status = follow_equilibrium(w, &changed);
        if (status != CORD_OK) return status;
        if (!changed) break;
        if (pass == ELEMENT_PASSES)
            return cord__fail(
                w, CORD_ERROR_NOT_CONVERGED,
                "no equilibrium: a point slides on, or a cable leaves a wheel and comes "
                "to it by turns");
    }
    cord__invalidate_start(w);
    if (result) *result = sum;
    return CORD_OK;
}

/* Stability and frequencies depend on the forces inside. */
static void find_multipliers(cord_world *w)
{
    for (int i = 0; i < w->partition.count; i++)
        cord__island_multipliers(&w->problem, w->partition.island + i);
}

/* How many directions have ω² below this, of all islands. On a frequency itself the system is
 * singular: a little above, by less than frequencies are told apart, it is not. */
static cord_status count_below(cord_world *w, double omega_squared, int *count)
{
    *count = 0;
    w->revision++;
    for (int i = 0; i < w->partition.count; i++) {
        int own;
        island *s = w->partition.island + i;
        cord_status status = cord__island_count(&w->problem, s, omega_squared, &own);
        for (int k = 1; status == CORD_ERROR_SINGULAR && omega_squared > 0 && k <= 3; k++)
            status = cord__island_count(&w->problem, s, omega_squared * (1 + 3e-12 * k), &own);
        if (status != CORD_OK) return report_statics(w, s);
        *count += own;
    }
    return CORD_OK;
}

cord_status cord_world_count_unstable_directions(cord_world *w, int *count)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!count)
        return cord__fail((cord_world *)w, CORD_ERROR_ARGUMENT,
                          "an argument is NULL or out of range");
    cord_status status = cord__world_ready(w);
    if (status == CORD_OK) find_multipliers(w);
    return status == CORD_OK ? count_below(w, 0, count) : status;
}

/* Bisection on the inertia of K − ω²M (Sylvester): the number of negative pivots beyond the rows'
 * is the number of frequencies below ω. */
cord_status cord_world_find_frequencies(cord_world *w, int count, double *omega)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!omega || count < 1)
        return cord__fail((cord_world *)w, CORD_ERROR_ARGUMENT,
                          "an argument is NULL or out of range");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    int below, columns = 0;
    find_multipliers(w);
    status = count_below(w, 0, &below);
    if (status != CORD_OK) return status;
    if (below > 0)
        return cord__fail(w, CORD_ERROR_UNSTABLE, "the equilibrium is unstable in %d directions",
                          below);
    for (int c = 0; c < w->problem.v_count; c++) columns += w->problem.inverse_mass[c] > 0;
    double high = 1;
    for (int doubling = 0; below < count; doubling++) {
        if (doubling > 200 || count > columns)
            return cord__fail(w, CORD_ERROR_ARGUMENT, "there are fewer than %d frequencies", count);
        high *= 2;
        status = count_below(w, high * high, &below);
        if (status != CORD_OK) return status;
    }
    for (int i = 0; i < count; i++) {
        double low = i > 0 ? omega[i - 1] * (1 - 1e-9) : 0, top = high;
        while (top - low > 1e-11 * top) {
            double middle = 0.5 * (low + top);
            status = count_below(w, middle * middle, &below);
            if (status == CORD_ERROR_SINGULAR) { /* there it is; neutral motions are found so */
                low = top = middle;
                break;
            }
            if (status != CORD_OK) return status;
            if (below > i)
                top = middle;
            else
                low = middle;
        }
        omega[i] = 0.5 * (low + top);
    }
    return CORD_OK;
}
