/* Running a task on every island or cluster, and taking over its results: the state and counts. */
#include "solve/integrator.h"
#include "solve/contacts.h"
#include "world/world.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Waking a thread costs as much as a step of some hundreds of unknowns. */
enum { UNKNOWNS_PER_THREAD = 400 };

static int available_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static int thread_count(const cord_world *w, int tasks)
{
    int threads = w->def.threads > 0 ? w->def.threads : available_threads();
    int worth = 1 + w->problem.v_count / UNKNOWNS_PER_THREAD;
    if (worth < threads && w->def.threads == 0) threads = worth;
    return threads < tasks ? threads : tasks;
}

/* A task on every island, or on every cluster. */
typedef struct island_task {
    island_operation *on_island;
    cluster_operation *on_cluster;
    double h;
} island_task;

static void run(cord_world *w, const island_task *task, int i)
{
    if (task->on_island)
        task->on_island(&w->problem, w->partition.island + i, task->h);
    else
        task->on_cluster(&w->problem, w->partition.cluster + i, task->h);
}

/* The threads of a parallel loop poll for the call of the thread that began it. */
static void run_in_thread(cord_world *w, const island_task *task, int i, cancellation *of)
{
    cancellation *before = cord__cancel_current();
    cord__cancel_adopt(of);
    run(w, task, i);
    cord__cancel_adopt(before);
}

/* Islands share nothing they write, nor do clusters, so the order they run in does not matter. */
static cord_status run_all(cord_world *w, const island_task *task, int count)
{
    int threads = thread_count(w, count);
    if (threads > 1) {
        cancellation *of = cord__cancel_current();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < count; i++) run_in_thread(w, task, i, of);
    } else {
        for (int i = 0; i < count; i++) run(w, task, i);
    }
    w->revision++; /* caches belong to the trial state */
    for (int i = 0; i < w->partition.clusters; i++)
        if (w->partition.cluster[i].report.status != CORD_OK)
            return w->partition.cluster[i].report.status;
    return CORD_OK;
}

cord_status cord__each_island(cord_world *w, island_operation *task, double h)
{
    return run_all(w, &(island_task){.on_island = task, .h = h}, w->partition.islands);
}

cord_status cord__each_cluster(cord_world *w, cluster_operation *task, double h)
{
    return run_all(w, &(island_task){.on_cluster = task, .h = h}, w->partition.clusters);
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

void cord__collect_contacts(cord_world *w)
{
    contact_set *k = w->problem.contacts;
    cord_counters *c = &w->counters;
    c->contact_residual = 0;
    for (int i = 0; k && i < k->islands; i++) {
        const island_contacts *x = k->island + i;
        c->contact_solves += x->solves;
        c->contact_sweeps += x->sweeps;
        c->contact_newton_steps += x->newton_steps;
        c->contact_unsolved += x->unsolved;
        c->contact_residual = fmax(c->contact_residual, x->report.residual);
        w->profile.contacts += x->seconds_rows;
        w->profile.coupling += x->seconds_coupling;
        w->profile.cones += x->seconds_cones;
    }
    c->candidates = k ? k->pairs : 0;
    c->contacts = k ? k->remembered : 0;
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
