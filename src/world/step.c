/* The step, top to bottom: advance() goes through its seven phases until the time asked for is reached. */
#include "math/vec3.h"
#include "solve/batch.h"
#include "world/contacts.h"
#include "world/event.h"

#include <math.h>
#include <string.h>

/* A step that would be divided into more parts than this is refused: it would seem to hang. */
enum { MOST_PARTS = 10000 };

/* One attempt at a part of the duration that was asked for. */
typedef struct attempt {
    double duration, end; /* of the whole step, s; the time at which it ends */
    double smallest;      /* the shortest part into which it may be halved */
    double longest;       /* the longest part of it that is stable */
    double h;             /* the length that no event shortens */
    double event;   /* time to the next event, known from an attempt before or ahead of this one */
    double length;  /* of this attempt */
    bool shortened; /* by an event */
    bool by_topology;  /* and that is a change of topology, not an impact */
    bool last;         /* it reaches the end */
    bool impact;       /* some part of the step was ended by an impact */
    bool refine;       /* it succeeded, but its result asks for a shorter step */
    bool margin_grown; /* objects moved too far in the attempt before */
    bool gains;        /* its energy grew although nothing drives the motion */
    double
        *kept; /* the state before its velocities were made to obey the rows; NULL: they were not */
    int kept_count;
} attempt;

/* ---- 1. drive ---------------------------------------------------------------------------------- */

/* A step in which a script turns a frame by more than this would lose count of whole turns; rad. */
static const double LARGEST_ROTATION = 2.0;

static bool rotates_too_far(const cord_world *w, double h)
{
    const problem *p = &w->problem;
    for (int i = 0; i < p->terms; i++) {
        const term *x = p->term[i];
        if (x->point[1] < 0 || !(x->needs[1] & NEEDS_FRAME)) continue;
        const point *second = p->point[x->point[1]];
        double linear[3], angular[3];
        if (second->block >= 0 || second->rotation.count == 0) continue;
        cord__point_scripted_rate(second, p->now.time + 0.5 * h, linear, angular);
        if (v3_norm(angular) * h > LARGEST_ROTATION) return true;
    }
    return false;
}

cord_status cord__equilibrium_events(cord_world *w, bool *changed)
{
    bool restart;
    cord_status status = cord__apply_events(w, true, changed, &restart);
    if (status == CORD_OK && *changed) {
        cord__collect_counters(w);
        status = cord__world_ready(w);
    }
    return status;
}

static cord_status detect(cord_world *w, double length);
static cord_status form_islands(cord_world *w, double length);

/* Contacts of a state that a search has moved to. */
static cord_status detect_again(cord_world *w)
{
    if (!w->problem.contacts) return CORD_OK;
    cord_status status = detect(w, 0);
    return status == CORD_OK ? form_islands(w, 0) : status;
}

/* `quasi-static`: an equilibrium at the present time, across all changes of topology on the way. */
static cord_status settle(cord_world *w)
{
    int changes = 0, detections = 0;
    while (changes <= TOPOLOGY_PASSES && detections <= DETECTIONS) {
        cord_status status = cord__each_cluster(w, w->problem.integrator->solve, 0);
        bool joined;
        const cord_status joining =
            cord__join_touching(w, status == CORD_OK ? JOIN_OVERLAPPING : JOIN_ALL, &joined);
        if (joined) {
            status = joining == CORD_OK ? detect_again(w) : joining;
            if (status != CORD_OK) return status;
            continue;
        }
        if (status != CORD_OK) return cord__report_islands(w, status, 0);
        if (joining != CORD_OK) return joining;
        cord__commit(w, w->problem.now.time);
        w->counters.steps--; /* no time passed */
        bool changed = false, far = cord__left_margin(w);
        if (w->problem.contacts) status = cord__remember_forces(w->problem.contacts, &w->memory);
        if (status == CORD_OK) status = cord__equilibrium_events(w, &changed);
        if (status == CORD_OK) status = detect_again(w);
        if (status != CORD_OK || (!changed && !far)) return status;
        changes += changed, detections += far;
    }
    if (detections > DETECTIONS) return cord__report_far(w);
    return cord__fail(
        w, CORD_ERROR_NOT_CONVERGED,
        "at t = %.9g s no equilibrium was found: a sliding point crosses elements, or a "
        "cable wraps and unwraps a pulley, again and again",
        w->problem.now.time);
}

/* The state that the integrator starts from, before the first step and after a change from outside. */
static cord_status start(cord_world *w, double h)
{
    problem *p = &w->problem;
    if (!w->start_stale) return CORD_OK;
    bool events = p->meet_rows_first || p->meet_all_rows || p->keep_momenta;
    cluster_operation *start_cluster = p->integrator->start;
    if (w->forces_changed && !events && p->integrator->change_forces)
        start_cluster = p->integrator->change_forces;
    cord_status status = start_cluster ? cord__each_cluster(w, start_cluster, h) : settle(w);
    if (status != CORD_OK) return status;
    w->start_stale = w->forces_changed = p->meet_rows_first = p->meet_all_rows = false;
    cord__forget_jumps(w);
    return CORD_OK;
}

/* Scripts, drives and loads are functions of time that the islands evaluate; this phase decides how
 * far the attempt may go: not beyond a known event, nor so far that a script turns a frame too much. */
static cord_status drive(cord_world *w, attempt *a)
{
    const problem *p = &w->problem;
    double topology = p->integrator->dynamic ? cord__time_to_next_event(w) : INFINITY;
    double left = a->end - p->now.time;
    a->by_topology = topology < fmin(fmin(a->h, left), a->event);
    if (a->by_topology) a->event = topology;
    a->shortened = a->event < a->h;
    a->last = !a->shortened && p->now.time + a->h * 1.000001 >= a->end;
    a->length = a->last ? left : fmin(a->h, a->event);
    if (!p->integrator->dynamic) /* the merit of a search reads it */
        cord__gravity(p, p->now.time + a->length, w->problem.environment.gravity);
    return rotates_too_far(w, a->length) ? CORD_ERROR_NOT_CONVERGED : CORD_OK;
}

/* ---- 2. detect --------------------------------------------------------------------------------- */

/* Contact: pairs that may come into contact within the attempt. */
static cord_status detect(cord_world *w, double length)
{
    cord_status status = cord__world_ready(w);
    contact_set *k = w->problem.contacts;
    if (status != CORD_OK || !k) return status;
    double began = cord__seconds();
    k->statics = !w->problem.integrator->dynamic;
    k->frictionless = false;
    status = cord__contacts_detect(&w->problem, k, length, &w->memory);
    bool joined = false;
    if (status == CORD_OK) status = cord__join_touching(w, JOIN_REMEMBERED, &joined);
    if (status == CORD_OK && joined)
        status = cord__contacts_detect(&w->problem, k, length, &w->memory);
    w->profile.detection += cord__seconds() - began;
    return status;
}

/* ---- 3. partition ------------------------------------------------------------------------------ */

/* Clusters of the present topology, with a consistent state to start from, and the islands that contacts make of them. */
static cord_status form_islands(cord_world *w, double length)
{
    contact_set *k = w->problem.contacts;
    cord__form_islands(&w->partition, k ? k->pairs : 0, k ? k->joined : NULL);
    cord_status status =
        k ? cord__contacts_distribute(&w->problem, k, &w->partition, length, &w->memory) : CORD_OK;
    cord__form_batches(&w->partition, &w->problem, length);
    return status;
}

static cord_status partition_islands(cord_world *w, const attempt *a)
{
    cord_status status = cord__world_ready(w);
    if (status == CORD_OK) status = form_islands(w, a->length);
    return status == CORD_OK ? start(w, a->shortened ? a->h : a->length) : status;
}

/* ---- 6. events --------------------------------------------------------------------------------- */

/* Whether velocities change by more than the definition allows, each in units of a small change of its
 * dof [SC 2012, section 3.4]. */
static bool changes_too_much(const cord_world *w)
{
    const problem *p = &w->problem;
    for (int i = 0; w->def.max_velocity_change > 0 && i < p->blocks; i++) {
        const block *b = p->block[i];
        for (int c = 0; c < b->shape.dofs; c++) {
            double change = fabs(p->trial.v[b->v0 + c] - p->now.v[b->v0 + c]);
            if (change > w->def.max_velocity_change * b->scale[c]) return true;
        }
    }
    return false;
}

/* True: the attempt is to be made again, up to an impact that happens in it. Otherwise its result may ask
 * for refinement, which ends at the smallest step and is no failure. */
static bool find_events(cord_world *w, attempt *a)
{
    a->event = cord__event_in_attempt(w, a->length, a->end - w->problem.now.time);
    if (a->event < a->length) return true;
    a->event = INFINITY;
    a->refine = 0.5 * a->length >= a->smallest &&
                (changes_too_much(w) || cord__skips_elements(w) ||
                 (w->problem.integrator->dynamic && cord__topology_is_late(w, a->length)));
    return false;
}

/* Velocities that obey the rows, with the momentum of the present ones. With `midpoint` the rates of inertial
 * coordinates are not those of the dofs: the rule determines them apart, and they have the momentum and the energy. */
static cord_status restart_motion(cord_world *w, double length)
{
    w->problem.keep_momenta = w->problem.keep_momenta || w->problem.integrator->halfway;
    cord_status status = start(w, length);
    w->problem.keep_momenta = false;
    return status == CORD_OK ? CORD_OK : cord__report_islands(w, status, length);
}

cord_status cord__restart_divided(cord_world *w)
{
    const double step = w->problem.requested_step;
    const bool moving = !w->start_stale;
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK || !moving || !w->problem.integrator->dynamic) return status;
    w->problem.keep_momenta = true;
    status = restart_motion(w, step);
    cord__energy_after_event(w);
    return status;
}

/* After a commit. An event that changes the state itself makes the velocities consistent at once. After an
 * impact that left a very short part of the step, accelerations carry too much rounding and are found again. */
static cord_status apply_events(cord_world *w, double length, double duration)
{
    bool changed, restart;
    cord_status status = cord__apply_events(w, false, &changed, &restart);
    if (status == CORD_OK && changed) {
        cord__collect_counters(w); /* of islands that are about to be replaced */
        status = cord__world_ready(w);
    }
    if (status == CORD_OK && restart) {
        cord__before_restart(w);
        status = restart_motion(w, length);
        if (status != CORD_OK) return status;
        cord__after_restart(w);
        cord__energy_after_event(w);
    }
    if (status == CORD_OK && !w->start_stale) {
        status = cord__each_cluster(w,
                                    length < 0.01 * duration ? cord__accelerations_after_step
                                                             : cord__accelerations_after_impact,
                                    AFTER_IMPACT * duration);
        if (status != CORD_OK) return cord__report_islands(w, status, length);
    }
    return status;
}

/* ---- 7. commit or halve ------------------------------------------------------------------------- */

static int state_count(const problem *p)
{
    return p->q_count + 2 * p->v_count + 2 * p->inertial_count + p->side_count;
}

/* Copies the state to `kept`, or back. */
static void exchange(cord_world *w, const attempt *a, bool keep)
{
    problem *p = &w->problem;
    double *kept = a->kept, *array[] = {p->now.q,          p->now.v,          p->now.a,
                                        p->now.inertial_v, p->now.inertial_a, p->now.side};
    const int count[] = {p->q_count,        p->v_count,        p->v_count,
                         p->inertial_count, p->inertial_count, p->side_count};
    for (int i = 0; i < 6; kept += count[i++])
        memcpy(keep ? kept : array[i], keep ? array[i] : kept, (size_t)count[i] * sizeof *kept);
}

/* The kept state is no longer needed, or the step has failed in spite of the restart. */
static void release_kept(cord_world *w, attempt *a, bool put_back)
{
    if (!a->kept) return;
    if (put_back && a->kept_count == state_count(&w->problem)) { /* else it is laid out anew */
        exchange(w, a, false);
        w->revision++;
    }
    cord__release(&w->memory, a->kept);
    a->kept = NULL;
}

/* `midpoint` leaves velocities v₁ = 2 d/h − v₀ off the rows, with alternating signs, where steps do not resolve the
 * motion, and the rows of rolling contact change with the strain from step to step. The impulses that stop such velocities
 * are the same in short steps, and so are their errors: the step begins again without the energy of these velocities. */
static cord_status begin_again(cord_world *w, attempt *a)
{
    a->kept_count = state_count(&w->problem);
    a->kept = NEW(&w->memory, double, a->kept_count);
    if (!a->kept) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a step");
    exchange(w, a, true);
    a->h = a->longest;
    cord__invalidate_start(w);
    w->problem.meet_rows_first = w->problem.integrator->halfway;
    double before = w->energy_check.total;
    cord_status status = restart_motion(w, a->length);
    cord__energy_after_event(w);
    if (!w->problem.integrator->halfway)
        w->energy_check.total = fmin(w->energy_check.total, before);
    return status;
}

/* The last resort: backward Euler, in steps that may be longer again. It loses energy. */
static cord_status damp(cord_world *w, attempt *a)
{
    w->problem.damped = true;
    a->h = 0.125 * a->longest;
    return CORD_OK;
}

static cord_status halve(cord_world *w, attempt *a)
{
    a->h = 0.5 * a->length;
    a->event = INFINITY;
    /* Backward Euler, by which a step with an impact is repeated, may have gained it. */
    if (a->gains && w->problem.integrator->halfway && !w->problem.project_impacts) {
        w->problem.project_impacts = true;
        a->h = a->length;
        return CORD_OK;
    }
    w->counters.halvings++;
    if (a->h >= a->smallest) return CORD_OK;
    if (w->energy_check.each_step && !a->kept) return begin_again(w, a);
    if (w->energy_check.each_step && !w->problem.damped) return damp(w, a);
    w->problem.damped = false;
    release_kept(w, a, true);
    if (a->gains) return cord__report_gain(w, a->length);
    cord_status status = cord__report_islands(w, CORD_OK, a->length);
    if (status != CORD_OK) return status;
    return cord__fail(
        w, CORD_ERROR_NOT_CONVERGED,
        "at t = %.9g s a script turns a frame by more than %g rad even in a step of %.3g s",
        w->problem.now.time, LARGEST_ROTATION, a->length);
}

/* Whether an attempt is to be made again, since contacts need more room, or might have been missed: objects moved farther than
 * half the margin within which they were searched for. The second time that is a reason for a shorter step, and so are
 * strands that pass through each other. */
static bool misses_contacts(cord_world *w, attempt *a, cord_status *status)
{
    contact_set *k = w->problem.contacts;
    if (!k) return false;
    if (*status != CORD_OK) return cord__contacts_overflow(k);
    bool too_far = cord__contacts_moved_too_far(&w->problem, k, a->length, &w->memory);
    bool again = too_far && !a->margin_grown;
    if ((too_far && a->margin_grown) || (!too_far && cord__contacts_pass(&w->problem, k)))
        *status = CORD_ERROR_NOT_CONVERGED;
    a->margin_grown = again;
    if (*status == CORD_OK && !again && k->def.guarantee)
        *status = cord__check_passages(&w->problem, k, a->length, &w->memory);
    return again;
}

static cord_status commit(cord_world *w, attempt *a)
{
    /* The search went as far as the elements it knew; the equilibrium is beyond them. */
    if (!w->problem.integrator->dynamic && cord__skips_elements(w)) cord__invalidate_start(w);
    cord__commit(w, a->last ? a->end : w->problem.now.time + a->length);
    cord__update_schedules(w);
    a->gains = cord__energy_grows(w);
    if (a->gains) {
        cord__revert(w);
        return halve(w, a);
    }
    if (w->problem.contacts && cord__remember_forces(w->problem.contacts, &w->memory) != CORD_OK) {
        cord__revert(w);
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
    }
    cord__end_refinement(w, false);
    release_kept(w, a, false);
    w->problem.damped = w->problem.project_impacts = false;
    a->impact = a->impact || (a->shortened && !a->by_topology);
    cord_status status = apply_events(w, a->impact ? a->length : a->duration, a->duration);
    if (!a->shortened) a->h = fmin(2 * a->length, a->longest); /* difficulties are usually brief */
    return status;
}

/* ---- the step ---------------------------------------------------------------------------------- */

/* The longest step in which explicit forces are stable, and the strand that limits it. */
static double stable_step(const cord_world *w, const strand **stiffest)
{
    double limit = INFINITY;
    *stiffest = NULL;
    for (int i = 0; w->problem.integrator->explicit_forces && i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        cord_strand_info info = {.stable_step = INFINITY};
        if (s) s->ops->info(s->block.model, &info);
        if (info.stable_step < limit) limit = info.stable_step, *stiffest = s;
    }
    return limit;
}

/* Explicit forces are stable in short steps only: the step is divided into equal ones below the limit. */
static cord_status divide(const cord_world *w, attempt *a)
{
    const strand *stiffest;
    double limit = stable_step(w, &stiffest);
    if (a->duration <= limit) return CORD_OK;
    double parts = ceil(a->duration / limit);
    if (!(parts <= MOST_PARTS))
        return cord__fail(
            w, CORD_ERROR_NOT_CONVERGED,
            "'%s' is stable under the integrator '%s' in steps below %.3g s; a step "
            "of %.3g s would be divided into more than %d: 'implicit' has no such limit",
            stiffest->name ? stiffest->name : "a strand", w->problem.integrator->name, limit,
            a->duration, MOST_PARTS);
    a->longest = a->h = a->duration / parts;
    a->smallest = fmin(a->smallest, ldexp(a->h, -3));
    return CORD_OK;
}

/* More attempts than a step can be halved times, with room for events. */
enum { MAX_IDLE_ATTEMPTS = 1000 };

static cord_status advance_to_end(cord_world *w, attempt *a)
{
    const problem *p = &w->problem;
    const bool dynamic = p->integrator->dynamic;
    cord_status divided = divide(w, a);
    if (divided != CORD_OK) return divided;
    int idle = 0; /* attempts since the time last advanced */
    while (p->now.time < a->end) {
        const double before = p->now.time;
        if (cord__cancelled()) return CORD_ERROR_CANCELLED;
        cord_status status = drive(w, a);
        if (status == CORD_OK) status = detect(w, a->length);
        if (status == CORD_OK) {
            status = partition_islands(w, a);
            if (status != CORD_OK && !dynamic) return status; /* a shorter step starts there, too */
        }
        if (status == CORD_OK) /* solve and project, island by island */
            status = cord__step_islands(w, a->length);
        if (cord__cancelled()) return CORD_ERROR_CANCELLED; /* it is no reason to halve the step */
        cord__collect_contacts(w);
        bool refined = misses_contacts(w, a, &status);
        if (!dynamic && !refined) {
            const cord_status joining =
                cord__join_touching(w, status == CORD_OK ? JOIN_OVERLAPPING : JOIN_ALL, &refined);
            if (joining != CORD_OK) return joining;
        }
        if (status == CORD_OK && !refined) {
            cord_status grown = cord__refine_quadratures(w, &refined);
            if (grown != CORD_OK) return grown;
        }
        if (!refined && (status != CORD_OK || !find_events(w, a))) {
            status = status == CORD_OK && !a->refine ? commit(w, a) : halve(w, a);
            if (status != CORD_OK) return status;
        }
        idle = p->now.time > before ? 0 : idle + 1;
        if (idle > MAX_IDLE_ATTEMPTS)
            return cord__fail(w, CORD_ERROR_NOT_CONVERGED,
                              "at t = %.9g s time does not advance: %d attempts in a row end at "
                              "events, or with steps below the resolution of time; the last had "
                              "%.3g s",
                              p->now.time, idle, a->length);
    }
    return dynamic ? CORD_OK : start(w, 0);
}

static cord_status advance(cord_world *w, double duration)
{
    const problem *p = &w->problem;
    attempt a = {.duration = duration,
                 .end = p->now.time + duration,
                 .smallest =
                     fmax(ldexp(duration, -w->def.max_halvings) * 0.999,
                          nextafter(p->now.time + duration, INFINITY) - (p->now.time + duration)),
                 .longest = duration,
                 .h = duration,
                 .event = INFINITY};
    cord_status status = advance_to_end(w, &a);
    release_kept(w, &a, status != CORD_OK);
    w->problem.damped = w->problem.project_impacts = false;
    return status;
}

cord_status cord_world_prepare(cord_world *w)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    return cord__world_ready(w);
}

cord_status cord_world_step(cord_world *w, double duration)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!(duration > 0 && cord__in_range(&duration, 1)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a step of %g s; it must be above 0", duration);
    double now = w->problem.now.time;
    if (duration < SHORTEST_STEP || now + duration == now)
        return cord__fail(
            w, CORD_ERROR_ARGUMENT,
            "a step of %g s at t = %.9g s is too short: it must be at least %g s, and "
            "advance the clock",
            duration, now, SHORTEST_STEP);
    double began = cord__seconds();
    cord__begin_failure(w);
    long_call call;
    cord__begin_long_call(w, &call);
    if (cord__integrators[w->def.integrator].dynamic) cord__separate_clusters(w);
    cord_status status = cord__world_ready(w);
    if (status == CORD_OK) {
        w->problem.requested_step = duration;
        double filter = w->problem.environment.spin_filter;
        w->problem.environment.spin_filter = w->problem.integrator->halfway ? duration : 0;
        status = cord__divide_grown(w);
        if (status == CORD_OK) {
            cord__begin_pose_changes(w, duration);
            cord__energy_begin(w);
            status = advance(w, duration);
        }
        if (status != CORD_OK) w->problem.environment.spin_filter = filter;
        cord__end_refinement(w, status != CORD_OK);
        cord__update_schedules(w); /* a failed attempt leaves those of its last stage */
        cord__collect_counters(w);
    }
    w->profile.step += cord__seconds() - began;
    return cord__end_failure(w, cord__end_long_call(w, &call, "the step", status));
}
