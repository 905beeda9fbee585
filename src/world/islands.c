/* Running a task on every island or cluster, and taking over its results: the state and counts. */
#include "math/parallel.h"
#include "solve/batch.h"
#include "solve/contacts.h"
#include "world/world.h"

#include <math.h>
#include <stdint.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Waking a thread costs as much as a step of some hundreds of unknowns. */
enum { UNKNOWNS_PER_THREAD = 400 };

enum { CACHE_LINE = 8 }; /* in doubles */

static int available_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static int threads_of(const cord_world *w)
{
    return w->def.threads > 0 ? w->def.threads : available_threads();
}

static int thread_count(const cord_world *w, int tasks)
{
    int threads = threads_of(w);
    int worth = 1 + w->problem.v_count / UNKNOWNS_PER_THREAD;
    if (worth < threads && w->def.threads == 0) threads = worth;
    if (w->batch_workspace.memory && threads > w->batch_workspace.threads)
        threads = w->batch_workspace.threads;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    return threads < tasks ? threads : tasks;
}

/* Of loops over the clusters of an island, or over blocks. */
static int loop_threads(const cord_world *w)
{
    return thread_count(w, w->partition.clusters);
}

/* A workspace for each thread, as long as the largest batch needs, each in cache lines of its own. */
cord_status cord__reserve_batches(cord_world *w)
{
    batch_workspace *to = &w->batch_workspace;
    const size_t size = cord__batch_workspace(&w->partition, &w->problem);
    const int threads = threads_of(w);
    if (size == 0 || (size <= to->size && threads <= to->threads)) return CORD_OK;
    cord__free_batches(w);
    to->of_thread = NEW(&w->memory, double *, threads);
    if (!to->of_thread) return CORD_ERROR_MEMORY;
    to->threads = threads, to->size = size;
    to->memory = NEW(&w->memory, double, (size_t)threads *(size + CACHE_LINE) + CACHE_LINE);
    if (!to->memory) return CORD_ERROR_MEMORY;
    const uintptr_t bytes = CACHE_LINE * sizeof(double);
    double *first = (double *)(((uintptr_t)to->memory + bytes - 1) / bytes * bytes);
    for (int i = 0; i < threads; i++)
        to->of_thread[i] =
            first + (size_t)i * ((size + 2 * CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    return CORD_OK;
}

void cord__free_batches(cord_world *w)
{
    cord__release(&w->memory, w->batch_workspace.of_thread);
    cord__release(&w->memory, w->batch_workspace.memory);
    w->batch_workspace = (batch_workspace){0};
}

/* A task on every cluster; NULL: the step of every batch of islands. */
typedef struct island_task {
    cord_world *world;
    cluster_operation *on_cluster;
    double h;
} island_task;

/* Clusters of an island from which on the loops over them are worth threads. */
enum { WIDE = 32 };

static bool is_wide(const cord_world *w, int batch)
{
    const island_batch *of = w->partition.batch + batch;
    return of->count == 1 && w->partition.island[of->island[0]].clusters >= WIDE;
}

/* `thread`: of the loop over batches. The caller may be a thread of a loop of its own, which has another number. */
static void step_batch(cord_world *w, int i, double h, int thread)
{
    double *own = w->batch_workspace.of_thread ? w->batch_workspace.of_thread[thread] : NULL;
    cord__batch_step(&w->problem, &w->partition, w->partition.batch + i, h, own);
}

/* Wide islands have been stepped before. */
static void run(void *context, int i, int thread)
{
    const island_task *task = context;
    cord_world *w = task->world;
    if (task->on_cluster)
        task->on_cluster(&w->problem, w->partition.cluster + i, task->h);
    else if (!is_wide(w, i))
        step_batch(w, i, task->h, thread);
}

/* Islands share nothing they write, nor do clusters, so the order they run in does not matter. */
static cord_status run_all(cord_world *w, cluster_operation *on_cluster, double h, int count)
{
    w->problem.threads = 1;
    cord__parallel_for_each(thread_count(w, count), count, run, &(island_task){w, on_cluster, h});
    w->problem.threads = loop_threads(w);
    w->revision++; /* caches belong to the trial state */
    for (int i = 0; i < w->partition.clusters; i++)
        if (w->partition.cluster[i].report.status != CORD_OK)
            return w->partition.cluster[i].report.status;
    return CORD_OK;
}

/* Wide islands one after another, each in all threads; then the others, each in one. */
cord_status cord__step_islands(cord_world *w, double h)
{
    w->problem.threads = loop_threads(w);
    for (int i = 0; i < w->partition.batches; i++)
        if (is_wide(w, i)) step_batch(w, i, h, 0);
    return run_all(w, NULL, h, w->partition.batches);
}

cord_status cord__each_cluster(cord_world *w, cluster_operation *task, double h)
{
    return run_all(w, task, h, w->partition.clusters);
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
        w->counters.batched_steps += s->report.batched_steps;
        w->profile.forces += s->report.seconds_forces;
        w->profile.solve += s->report.seconds_solve;
        w->profile.project += s->report.seconds_project;
        w->profile.twist += s->report.seconds_twist;
        s->report.newton_iterations = s->report.projection_iterations = s->report.impacts =
            s->report.batched_steps = 0;
        s->report.seconds_forces = s->report.seconds_solve = s->report.seconds_project =
            s->report.seconds_twist = 0;
    }
}
