/* Running a task on every island, and taking over its results: the state and counts. */
#include "solve/integrator.h"
#include "world/world.h"

#include <omp.h>

/* Waking a thread costs as much as a step of some hundreds of unknowns. */
enum { UNKNOWNS_PER_THREAD = 400 };

static int thread_count(const cord_world *w)
{
    int threads = w->def.threads > 0 ? w->def.threads : omp_get_max_threads();
    int worth = 1 + w->problem.v_count / UNKNOWNS_PER_THREAD;
    if (worth < threads && w->def.threads == 0) threads = worth;
    return threads < w->partition.clusters ? threads : w->partition.clusters;
}

/* The threads of a parallel loop poll for the call of the thread that began it. */
static void run_task(cord_world *w, cluster_operation *task, int i, double h, cancellation *of)
{
    cancellation *before = cord__cancel_current();
    cord__cancel_adopt(of);
    task(&w->problem, w->partition.cluster + i, h);
    cord__cancel_adopt(before);
}

/* Islands share nothing they write, so the order they run in does not matter. */
cord_status cord__each_island(cord_world *w, cluster_operation *task, double h)
{
    int count = w->partition.clusters, threads = thread_count(w);
    if (threads > 1) {
        cancellation *of = cord__cancel_current();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < count; i++) run_task(w, task, i, h, of);
    } else {
        for (int i = 0; i < count; i++) task(&w->problem, w->partition.cluster + i, h);
    }
    w->revision++; /* caches belong to the trial state */
    for (int i = 0; i < count; i++)
        if (w->partition.cluster[i].report.status != CORD_OK)
            return w->partition.cluster[i].report.status;
    return CORD_OK;
}

void cord__commit(cord_world *w, double time)
{
    problem *p = &w->problem;
    state committed = p->trial;
    p->trial = p->now;
    p->now = committed;
    p->now.time = time;
    w->revision++;
    w->counters.steps++;
}

void cord__revert(cord_world *w)
{
    problem *p = &w->problem;
    state committed = p->trial;
    p->trial = p->now;
    p->now = committed;
    w->revision++;
    w->counters.steps--;
}

void cord__collect_counters(cord_world *w)
{
    for (int i = 0; i < w->partition.clusters; i++) {
        cluster *s = w->partition.cluster + i;
        w->counters.newton_iterations += s->report.newton_iterations;
        w->counters.projection_iterations += s->report.projection_iterations;
        w->counters.impacts += s->report.impacts;
        w->profile.forces += s->report.seconds_forces;
        w->profile.solve += s->report.seconds_solve;
        w->profile.project += s->report.seconds_project;
        w->profile.twist += s->report.seconds_twist;
        s->report.newton_iterations = s->report.projection_iterations = s->report.impacts = 0;
        s->report.seconds_forces = s->report.seconds_solve = s->report.seconds_project =
            s->report.seconds_twist = 0;
    }
}
