#include "probe_summary.h"
#include "math/json.h"

#include <math.h>
#include <stdlib.h>

typedef struct column {
    double last, least, largest;
    double least_at, largest_at; /* s */
} column;

struct probe_summary {
    cord_simulation *simulation;
    int count;
    int *first;     /* per probe: its first column; count + 1 */
    column *column; /* of all probes */
    double *values; /* of one probe */
};

static int most_values(const cord_simulation *s, const cord_scene *scene, int count)
{
    int most = 1;
    for (int i = 0; i < count; i++) {
        int values =
            cord_simulation_get_probe_item_count(s, i) * cord_scene_get_probe(scene, i).columns;
        if (values > most) most = values;
    }
    return most;
}

probe_summary *probe_summary_create(cord_simulation *simulation)
{
    const cord_scene *scene = cord_simulation_get_scene(simulation);
    int count = cord_scene_get_info(scene).probe_count;
    probe_summary *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    *p = (probe_summary){.simulation = simulation, .count = count};
    p->first = calloc((size_t)count + 1, sizeof *p->first);
    for (int i = 0; p->first && i < count; i++)
        p->first[i + 1] = p->first[i] + cord_scene_get_probe(scene, i).columns;
    p->column = p->first ? calloc((size_t)p->first[count] + 1, sizeof *p->column) : NULL;
    p->values = calloc((size_t)most_values(simulation, scene, count), sizeof *p->values);
    if (!p->column || !p->values) {
        probe_summary_free(p);
        return NULL;
    }
    for (int k = 0; k < p->first[count]; k++)
        p->column[k] = (column){.last = NAN, .least = INFINITY, .largest = -INFINITY};
    return p;
}

void probe_summary_free(probe_summary *p)
{
    if (!p) return;
    free(p->first);
    free(p->column);
    free(p->values);
    free(p);
}

static void add(column *c, double value, double time)
{
    c->last = value;
    if (value < c->least) c->least = value, c->least_at = time;
    if (value > c->largest) c->largest = value, c->largest_at = time;
}

cord_status probe_summary_observe(probe_summary *p)
{
    double time = cord_world_get_time(cord_simulation_get_world(p->simulation));
    for (int i = 0; i < p->count; i++) {
        int columns = p->first[i + 1] - p->first[i];
        int items = cord_simulation_get_probe_item_count(p->simulation, i);
        cord_status status = cord_simulation_sample(p->simulation, i, p->values);
        if (status != CORD_OK) return status;
        for (int k = 0; k < items * columns; k++)
            add(&p->column[p->first[i] + k % columns], p->values[k], time);
    }
    return CORD_OK;
}

static void json_extreme(json *j, const char *name, double value, double time)
{
    cord__json_object(j, name);
    cord__json_number(j, "value", value);
    cord__json_number(j, "time", time);
    cord__json_end(j, '}');
}

void probe_summary_json(const probe_summary *p, json *j)
{
    const cord_scene *scene = cord_simulation_get_scene(p->simulation);
    cord__json_array(j, "probes");
    for (int i = 0; i < p->count; i++) {
        int items = cord_simulation_get_probe_item_count(p->simulation, i);
        cord__json_object(j, NULL);
        cord__json_string(j, "name", cord_scene_get_probe(scene, i).name);
        cord__json_integer(j, "items", items);
        cord__json_array(j, "columns");
        for (int k = p->first[i]; k < p->first[i + 1]; k++) {
            const char *unit = NULL,
                       *name = cord_scene_get_probe_column(scene, i, k - p->first[i], &unit);
            const column *c = &p->column[k];
            bool measured = c->least <= c->largest;
            cord__json_object(j, NULL);
            cord__json_string(j, "name", name);
            cord__json_string(j, "unit", unit);
            if (items == 1) cord__json_number(j, "final", c->last);
            if (measured) json_extreme(j, "least", c->least, c->least_at);
            if (measured) json_extreme(j, "largest", c->largest, c->largest_at);
            cord__json_end(j, '}');
        }
        cord__json_end(j, ']');
        cord__json_end(j, '}');
    }
    cord__json_end(j, ']');
}
