/* Statics over all islands: equilibria, their stability, and frequencies of small motions. */
#include "world/world.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

cord_statics_def cord_statics_def_default(void)
{
    return (cord_statics_def){.tolerance = 1e-10, .max_iterations = 2000};
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
            return cord__report_islands(w, s->report.status, 0);
        if (own.iterations > sum->iterations) sum->iterations = own.iterations;
        if (own.residual > sum->residual) sum->residual = own.residual;
        sum->unstable_directions += own.unstable;
    }
    cord__commit(w, w->problem.now.time);
    w->counters.steps--; /* no time passed */
    cord__collect_counters(w);
    return CORD_OK;
}

/* An equilibrium of the present topology, across all changes of topology on the way. */
static cord_status settle(cord_world *w, const cord_statics_def *def, cord_statics_result *sum)
{
    cord_status status = cord__world_ready(w);
    bool changed = true;
    for (int pass = 0; status == CORD_OK && changed; pass++) {
        if (pass > TOPOLOGY_PASSES)
            return cord__fail(
                w, CORD_ERROR_NOT_CONVERGED,
                "no equilibrium was found: a sliding point crosses elements, or a cable wraps and "
                "unwraps a pulley, again and again");
        status = equilibrium_of_islands(w, def, sum);
        if (status == CORD_OK) status = cord__equilibrium_events(w, &changed);
    }
    if (status == CORD_OK) cord__invalidate_start(w);
    return status;
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
static void find_multipliers(cord_world *w)
{
    problem *p = &w->problem;
    memcpy(p->saved_lambda, p->now.lambda, (size_t)p->lambda_count * sizeof *p->now.lambda);
    for (int i = 0; i < w->partition.count; i++)
        cord__island_multipliers(&w->problem, w->partition.island + i);
}

static void restore_multipliers(cord_world *w)
{
    problem *p = &w->problem;
    memcpy(p->now.lambda, p->saved_lambda, (size_t)p->lambda_count * sizeof *p->now.lambda);
}

/* How many directions have ω² below this, of all islands. On a frequency itself the system is
 * singular: a little above, by less than frequencies are told apart, it is not. */
static cord_status count_below(cord_world *w, double omega_squared, int *count)
{
    *count = 0;
    w->revision++;
    for (int i = 0; i < w->partition.count; i++) {
        if (cord__cancelled()) return CORD_ERROR_CANCELLED;
        int own;
        island *s = w->partition.island + i;
        cord_status status = cord__island_count(&w->problem, s, omega_squared, &own);
        for (int k = 1; status == CORD_ERROR_SINGULAR && omega_squared > 0 && k <= 3; k++)
            status = cord__island_count(&w->problem, s, omega_squared * (1 + 3e-12 * k), &own);
        if (status != CORD_OK) return status;
        *count += own;
    }
    return CORD_OK;
}

cord_status cord_world_count_unstable_directions(const cord_world *world, int *count)
{
    if (cord__enter(world) != CORD_OK) return cord__refused(world);
    cord_world *w = world->self;
    if (!count) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    long_call call;
    cord__begin_long_call(w, &call);
    find_multipliers(w);
    status = count_below(w, 0, count);
    restore_multipliers(w);
    status = cord__end_long_call(w, &call, "the count of unstable directions", status);
    return status == CORD_OK || status == CORD_ERROR_CANCELLED ? status
                                                               : cord__report_islands(w, status, 0);
}

/* Bisection on the inertia of K − ω²M (Sylvester): the number of negative pivots beyond the rows'
 * is the number of frequencies below ω. */
static cord_status find_frequencies(cord_world *w, int count, double *omega)
{
    int below, columns = 0;
    cord_status status = count_below(w, 0, &below);
    if (status != CORD_OK) return cord__report_islands(w, status, 0);
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
        if (status != CORD_OK) return cord__report_islands(w, status, 0);
    }
    for (int i = 0; i < count; i++) {
        double low = i > 0 ? omega[i - 1] * (1 - 1e-9) : 0, top = high;
        /* A bisection halves the interval until it is 1e-11 of the frequency, or below any number. */
        for (int pass = 0; pass < 2000 && top - low > 1e-11 * top; pass++) {
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
    find_multipliers(w);
    status = find_frequencies(w, count, omega);
    restore_multipliers(w);
    return cord__end_long_call(w, &call, "the search for frequencies", status);
}
