/* Expected results: the component of a probe, the time, and whether the result is as expected. */
#include "scene/measure.h"

#include "math/nearest.h"

#include <math.h>
#include <string.h>

const choice cord__reductions[] = {
    {"only", OVER_ONLY, "there is just one"},
    {"max", OVER_MAX, "the largest"},
    {"min", OVER_MIN, "the smallest"},
    {"mean", OVER_MEAN, "the mean"},
    {"rms", OVER_RMS, "the root of the mean square"},
    {"span", OVER_SPAN, "the largest less the smallest"},
    {"first", OVER_FIRST, "the one at the start of the strand"},
    {"last", OVER_LAST, "the one at its end"},
    {NULL, 0, NULL},
};

const choice cord__time_reductions[] = {
    {"only", OVER_ONLY, "the one at that time"},
    {"max", OVER_MAX, "the largest"},
    {"min", OVER_MIN, "the smallest"},
    {"mean", OVER_MEAN, "the mean"},
    {"rms", OVER_RMS, "the root of the mean square"},
    {"span", OVER_SPAN, "the largest less the smallest"},
    {NULL, 0, NULL},
};

enum { COLUMN_NORM = -1 };

bool cord__find_column(cord_scene *scene, const measure_ops *ops, mark at, const char **name,
                       int *column)
{
    if (!*name) {
        *column = ops->columns == 1 ? 0 : COLUMN_NORM;
        *name = ops->columns == 1 ? ops->column_names[0] : "size";
        return true;
    }
    nearest best = cord__nearest_begin(*name);
    for (int c = 0; c < ops->columns; c++) {
        *column = c;
        if (strcmp(ops->column_names[c], *name) == 0) return true;
        cord__nearest_offer(&best, ops->column_names[c]);
    }
    char hint[96];
    cord__diagnose(&scene->errors, at, "%s has no component \"%.40s\"%s",
                   cord__measure_name(ops->kind), *name,
                   cord__nearest_hint(&best, hint, sizeof hint));
    return false;
}

bool cord__no_such_probe(cord_scene *scene, const char *name, mark at)
{
    if (scene->invalid_probe || cord__may_be_invalid(scene, name)) return false;
    nearest best = cord__nearest_begin(name);
    bool told = scene->errors.count < DIAGNOSTICS_MAX; /* otherwise the hint is not shown */
    for (int i = 0; told && i < scene->data.probes.count; i++) {
        const char *other = ITEM(scene->data.probes, probe_data, i)->name;
        if (other) cord__nearest_offer(&best, other);
    }
    char hint[160];
    cord__diagnose(&scene->errors, at, "no probe is called \"%.40s\"%s", name,
                   cord__nearest_hint(&best, hint, sizeof hint));
    return false;
}

static bool resolve_time(cord_scene *scene, expect_data *e)
{
    e->time = INFINITY;
    if (strcmp(e->time_text, "end") == 0) return true;
    const node *n = cord__node_get(e->at, "at");
    return cord__read_number(&scene->read, n, "at", "s", LIMIT_NOT_NEGATIVE, &e->time);
}

/* Resolves the unit, which is known once the probe is. */
static bool resolve_units(cord_scene *scene, expect_data *e, const char *unit)
{
    static const char *const keys[] = {"value", "tolerance", "above", "below"};
    bool good = true;
    for (int i = 0; i < 4; i++) {
        const node *n = cord__node_get(e->at, keys[i]);
        double ignored;
        good =
            (!n || cord__read_number(&scene->read, n, keys[i], unit, LIMIT_NONE, &ignored)) && good;
    }
    return good;
}

static bool resolve_expectation(cord_scene *scene, expect_data *e)
{
    e->probe_index = cord__find_probe(scene, e->probe);
    if (e->probe_index < 0)
        return cord__no_such_probe(scene, e->probe, cord__node_get(e->at, "probe")->at);
    const probe_data *p = ITEM(scene->data.probes, probe_data, e->probe_index);
    const measure_ops *ops = p->ops;
    if (!ops) return false;
    if (ops->items != PER_SUBJECT && e->over == OVER_ONLY) {
        cord__diagnose(&scene->errors, e->at->at,
                       "probe %s has many values: \"over\" says which to take (max, min, mean ...)",
                       e->probe);
        return false;
    }
    bool good = resolve_time(scene, e);
    const node *named = cord__node_get(e->at, "component");
    mark at = named ? named->at : e->at->at;
    good = cord__find_column(scene, ops, at, &e->component, &e->column) && good;
    return resolve_units(scene, e, p->unit) && good;
}

bool cord__resolve_expectations(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.expectations.count; i++) {
        good = resolve_expectation(scene, ITEM(scene->data.expectations, expect_data, i)) && good;
    }
    return good;
}

double cord__pick_column(const double *item, int columns, int column)
{
    if (column != COLUMN_NORM) return item[column];
    double sum = 0;
    for (int c = 0; c < columns; c++) sum += item[c] * item[c];
    return sqrt(sum);
}

static void count_value(tally *t, double value)
{
    t->max = t->count > 0 ? fmax(t->max, value) : value;
    t->min = t->count > 0 ? fmin(t->min, value) : value;
    t->count++;
    t->sum += value;
    t->squares += value * value;
}

static double result_of(const tally *t, reduction over, double first, double last)
{
    const double results[] = {
        [OVER_ONLY] = last,
        [OVER_MAX] = t->max,
        [OVER_MIN] = t->min,
        [OVER_MEAN] = t->sum / t->count,
        [OVER_RMS] = sqrt(t->squares / t->count),
        [OVER_SPAN] = t->max - t->min,
        [OVER_FIRST] = first,
        [OVER_LAST] = last,
    };
    return results[over];
}

static double reduce(const double *values, const built_probe *p, int column, reduction over)
{
    tally t = {0};
    double last = NAN;
    int columns = p->data->columns;
    for (int i = 0; i < p->items; i++) {
        last = cord__pick_column(values + (size_t)i * (size_t)columns, columns, column);
        count_value(&t, last);
    }
    return result_of(&t, over, cord__pick_column(values, columns, column), last);
}

/* Comparisons with a NaN are false: a result that was not measured fails. */
static bool is_met(const expect_data *e, double measured)
{
    bool near = isnan(e->value) || fabs(measured - e->value) <= e->tolerance;
    bool above = isnan(e->above) || measured > e->above;
    bool below = isnan(e->below) || measured < e->below;
    return near && above && below;
}

/* `due`: the expectation is evaluated now; otherwise the value is one of many over time. */
static cord_status observe_one(cord_simulation *sim, const expect_data *e, observation *o, bool due)
{
    const built_probe *p = &sim->probes[e->probe_index];
    size_t count = (size_t)p->items * (size_t)p->data->columns;
    double *values = NEW(&sim->memory.mem, double, count);
    if (!values) return CORD_ERROR_MEMORY;
    cord_status status = cord_simulation_sample(sim, e->probe_index, values);
    if (status == CORD_OK) {
        double now = reduce(values, p, e->column, (reduction)e->over);
        count_value(&o->so_far, now);
        if (due) o->measured = result_of(&o->so_far, (reduction)e->during, now, now);
        if (due) o->passed = is_met(e, o->measured);
        o->observed = due;
    }
    cord__release(&sim->memory.mem, values);
    return status;
}

cord_status cord_simulation_observe(cord_simulation *sim, bool at_end)
{
    if (!sim) return CORD_ERROR_ARGUMENT;
    if (!sim->world) return CORD_ERROR_ARGUMENT;
    double now = cord_world_get_time(sim->world), half = (now - sim->last_time) / 2;
    sim->last_time = now;
    for (int i = 0; i < sim->scene->data.expectations.count; i++) {
        const expect_data *e = ITEM(sim->scene->data.expectations, expect_data, i);
        observation *o = &sim->observations[i];
        bool due = isinf(e->time) ? at_end : e->time <= now + half;
        if (o->observed || !(due || e->during != OVER_ONLY)) continue;
        cord_status status = observe_one(sim, e, o, due);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

cord_expectation cord_simulation_get_expectation(const cord_simulation *sim, int i)
{
    if (!sim) return (cord_expectation){0};
    const item_list *list = &sim->scene->data.expectations;
    if (!sim->world || i < 0 || i >= list->count) return (cord_expectation){0};
    const expect_data *e = ITEM(*list, expect_data, i);
    const observation *o = &sim->observations[i];
    return (cord_expectation){e->probe, e->component, e->because,   e->regression,
                              e->time,  e->value,     e->tolerance, e->above,
                              e->below, o->measured,  o->passed};
}
