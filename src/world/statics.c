/* Statics over all clusters: equilibria, their stability, and frequencies of small motions. */
#include "world/contacts.h"
#include "world/world.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

cord_statics_def cord_statics_def_default(void)
{
    return (cord_statics_def){.tolerance = 1e-10, .max_iterations = 2000};
}

/* Contacts at the present configuration, of clusters with obstacles and with themselves. Those that were in contact are one. */
static cord_status detect(cord_world *w)
{
    contact_set *k = w->problem.contacts;
    if (!k) return CORD_OK;
    k->statics = k->frictionless = true;
    cord_status status = cord__contacts_detect(&w->problem, k, 0, &w->memory);
    bool joined = false;
    if (status == CORD_OK) status = cord__join_touching(w, JOIN_REMEMBERED, &joined);
    if (status == CORD_OK && joined) status = cord__contacts_detect(&w->problem, k, 0, &w->memory);
    cord__form_islands(&w->partition, 0, NULL);
    if (status == CORD_OK)
        status = cord__contacts_distribute(&w->problem, k, &w->partition, 0, &w->memory);
    return status == CORD_OK ? CORD_OK
                             : cord__fail(w, CORD_ERROR_MEMORY, "out of memory for contacts");
}

/* Every cluster's, which becomes the world's state. `again`: clusters were joined instead, since contact acts between them, or
 * may be what supports one that has no equilibrium. */
static cord_status equilibrium_of_clusters(cord_world *w, const cord_statics_def *def,
                                           cord_statics_result *sum, bool *again)
{
    w->revision++; /* caches are used for the search */
    sum->residual = 0;
    sum->unstable_directions = sum->neutral_directions = 0;
    for (int i = 0; i < w->partition.clusters; i++) {
        cluster *s = w->partition.cluster + i;
        equilibrium own;
        if (cord__prepare_counts(&w->problem, s, &w->memory) != CORD_OK)
            return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a count of directions");
        cord_status status = cord__cluster_equilibrium(&w->problem, s, def, &own);
        if (status != CORD_OK && w->problem.contacts &&
            cord__contacts_overflow(w->problem.contacts)) {
            i--;
            if (detect(w) != CORD_OK) return CORD_ERROR_MEMORY;
            continue;
        }
        if (status != CORD_OK && !cord__cancelled()) {
            const cord_status of = s->report.status;
            status = cord__join_touching(w, JOIN_ALL, again);
            return *again ? status : cord__report_islands(w, of, 0);
        }
        if (status != CORD_OK) return cord__report_islands(w, s->report.status, 0);
        if (own.iterations > sum->iterations) sum->iterations = own.iterations;
        if (own.residual > sum->residual) sum->residual = own.residual;
        sum->unstable_directions += own.stability.unstable;
        sum->neutral_directions += own.stability.neutral;
    }
    cord_status status = cord__join_touching(w, JOIN_OVERLAPPING, again);
    if (status != CORD_OK || *again) return status;
    cord__commit(w, w->problem.now.time);
    w->counters.steps--; /* no time passed */
    cord__collect_counters(w);
    cord__collect_contacts(w);
    if (w->problem.contacts) status = cord__remember_forces(w->problem.contacts, &w->memory);
    return status == CORD_OK ? CORD_OK : cord__fail(w, status, "out of memory for contacts");
}

/* An equilibrium of the present topology, across all changes of topology on the way. */
static cord_status settle(cord_world *w, const cord_statics_def *def, cord_statics_result *sum)
{
    cord_status status = cord__world_ready(w);
    bool changed = true;
    int detections = 0;
    for (int pass = 0; status == CORD_OK && changed; pass++) {
        if (pass > TOPOLOGY_PASSES)
            return cord__fail(
                w, CORD_ERROR_NOT_CONVERGED,
                "no equilibrium was found: a sliding point crosses elements, or a cable wraps and "
                "unwraps a pulley, again and again");
        bool again;
        do {
            again = false;
            if (++detections > DETECTIONS) return cord__report_far(w);
            status = detect(w);
            if (status == CORD_OK) status = equilibrium_of_clusters(w, def, sum, &again);
        } while (status == CORD_OK && (again || cord__left_margin(w)));
        if (status == CORD_OK) status = cord__equilibrium_events(w, &changed);
    }
    if (status != CORD_OK) return status;
    cord__begin_pose_changes(w, 0); /* they have taken place */
    cord__invalidate_start(w);
    return CORD_OK;
}

cord_status cord_world_find_equilibrium(cord_world *w, const cord_statics_def *def,
                                        cord_statics_result *result)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    cord_statics_def fallback = cord_statics_def_default();
    if (!def) def = &fallback;
    if (!(def->tolerance > 0) || def->max_iterations < 1 ||
        !(def->kick >= 0 && is_admissible(def->kick)))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "statics: tolerance, iterations or kick out of range");
    cord_statics_result sum = {0};
    long_call call;
    cord__begin_long_call(w, &call);
    cord__begin_failure(w);
    cord_status status = settle(w, def, &sum);
    status = cord__end_failure(
        w, cord__end_long_call(w, &call, "the search for an equilibrium", status));
    if (status != CORD_OK) return status;
    if (result) *result = sum;
    return CORD_OK;
}

/* Stability and frequencies depend on the internal forces. The multipliers of the equilibrium replace those of the
 * state until restore_multipliers(), so that a query leaves the state as it was. */
static cord_status find_multipliers(cord_world *w)
{
    problem *p = &w->problem;
    cord_status status = detect(w);
    memcpy(p->saved_lambda, p->now.lambda, (size_t)p->lambda_count * sizeof *p->now.lambda);
    if (status != CORD_OK) return status;
    for (int i = 0; i < w->partition.clusters; i++)
        cord__cluster_multipliers(&w->problem, w->partition.cluster + i);
    return CORD_OK;
}

static void restore_multipliers(cord_world *w)
{
    problem *p = &w->problem;
    memcpy(p->now.lambda, p->saved_lambda, (size_t)p->lambda_count * sizeof *p->now.lambda);
}

typedef cord_status (*cluster_count)(cord_world *w, cluster *s, double omega_squared,
                                     stability *out);

static cord_status stability_of(cord_world *w, cluster *s, double omega_squared, stability *out)
{
    (void)omega_squared;
    return cord__cluster_stability(&w->problem, s, out);
}

/* Directions with ω² below this count as unstable. On a frequency itself the system is singular: a little above, by
 * less than frequencies are told apart, it is not. */
static cord_status slower(cord_world *w, cluster *s, double omega_squared, stability *out)
{
    cord_status status = CORD_ERROR_SINGULAR;
    for (int k = 0; status == CORD_ERROR_SINGULAR && k <= 3; k++)
        status =
            cord__cluster_count(&w->problem, s, omega_squared * (1 + 3e-12 * k), &out->unstable);
    return status;
}

/* A count, summed over all clusters. */
static cord_status sum_over_clusters(cord_world *w, cluster_count count, double omega_squared,
                                     stability *sum)
{
    *sum = (stability){0};
    w->revision++;
    for (int i = 0; i < w->partition.clusters; i++) {
        if (cord__cancelled()) return CORD_ERROR_CANCELLED;
        stability own = {0};
        cluster *s = w->partition.cluster + i;
        cord_status status = cord__prepare_counts(&w->problem, s, &w->memory);
        if (status != CORD_OK)
            return cord__fail(w, status, "out of memory for a count of directions");
        status = count(w, s, omega_squared, &own);
        if (status == CORD_ERROR_CANCELLED) return status;
        if (status != CORD_OK) return cord__report_islands(w, status, 0);
        sum->unstable += own.unstable, sum->neutral += own.neutral;
    }
    return CORD_OK;
}

cord_status cord_world_count_unstable_directions(const cord_world *world, int *unstable,
                                                 int *neutral)
{
    if (cord__enter(world) != CORD_OK) return cord__refused(world);
    cord_world *w = world->self;
    if (!unstable) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    long_call call;
    stability found = {0};
    cord__begin_long_call(w, &call);
    status = find_multipliers(w);
    if (status == CORD_OK) status = sum_over_clusters(w, stability_of, 0, &found);
    restore_multipliers(w);
    status = cord__end_long_call(w, &call, "the count of unstable directions", status);
    if (status != CORD_OK) return status;
    *unstable = found.unstable;
    if (neutral) *neutral = found.neutral;
    return CORD_OK;
}

/* The i-th frequency, between two others. A bisection halves the interval until it is 1e-11 of the frequency. */
static cord_status bisect(cord_world *w, int i, double low, double high, double *omega)
{
    for (int pass = 0; pass < 2000 && high - low > 1e-11 * high; pass++) {
        double middle = 0.5 * (low + high);
        stability below;
        cord_status status = sum_over_clusters(w, slower, middle * middle, &below);
        if (status != CORD_OK) return status;
        *(below.unstable > i ? &high : &low) = middle;
    }
    *omega = 0.5 * (low + high);
    return CORD_OK;
}

/* Bisection on the inertia of K − ω²M (Sylvester): the number of negative pivots beyond the rows'
 * is the number of frequencies below ω. Neutral directions have the frequency 0. */
static cord_status find_frequencies(cord_world *w, int count, double *omega)
{
    int dofs = 0;
    stability below;
    cord_status status = sum_over_clusters(w, stability_of, 0, &below);
    if (status != CORD_OK) return status;
    if (below.unstable > 0)
        return cord__fail(
            w, CORD_ERROR_UNSTABLE,
            "the equilibrium is unstable in %d %s, which grow instead of vibrating (their "
            "frequencies are imaginary); find a stable equilibrium first, with a kick",
            below.unstable, below.unstable == 1 ? "direction" : "directions");
    for (int c = 0; c < w->problem.v_count; c++) dofs += w->problem.inverse_mass[c] > 0;
    int neutral = below.neutral;
    double high = 1;
    below.unstable = neutral;
    for (int doubling = 0; below.unstable < count; doubling++) {
        if (doubling > 200 || count > dofs)
            return cord__fail(w, CORD_ERROR_ARGUMENT, "there are fewer than %d frequencies", count);
        high *= 2;
        status = sum_over_clusters(w, slower, high * high, &below);
        if (status != CORD_OK) return status;
    }
    for (int i = 0; status == CORD_OK && i < count; i++) {
        double low = i > neutral ? omega[i - 1] * (1 - 1e-9) : 0;
        omega[i] = 0;
        if (i >= neutral) status = bisect(w, i, low, high, omega + i);
    }
    return status;
}

/* Contacts are one-sided: a motion of small amplitude opens them, or slips. */
static cord_status refuse_contacts(cord_world *w)
{
    for (int i = 0; i < w->partition.clusters; i++)
        if (cord__bears_contacts(&w->problem, w->partition.cluster + i))
            return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                              "frequencies of small motions are not found where strands are in "
                              "contact: hold the strand by constraints at its supports instead");
    return CORD_OK;
}

cord_status cord_world_find_frequencies(const cord_world *world, int count, double *omega)
{
    if (cord__enter(world) != CORD_OK) return cord__refused(world);
    cord_world *w = world->self;
    if (!omega || count < 1)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL, or the count below 1");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    long_call call;
    cord__begin_long_call(w, &call);
    status = find_multipliers(w);
    if (status == CORD_OK) status = refuse_contacts(w);
    if (status == CORD_OK) status = find_frequencies(w, count, omega);
    restore_multipliers(w);
    return cord__end_long_call(w, &call, "the search for frequencies", status);
}
