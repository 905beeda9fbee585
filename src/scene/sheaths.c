/* Sheaths: strands through which cables run. The waypoint is replaced by an eyelet at each vertex of the strand. */
#include "scene/cables.h"

#include "math/vec3.h"
#include "strand/traits.h"

#include <string.h>

/* The strand of a sheath; diagnoses a missing one. */
static const strand_data *strand_of(cord_scene *scene, const waypoint_data *s)
{
    const symbol *found = cord__require_symbol(scene, s->sheath, s->at->at);
    if (!found) return NULL;
    const strand_data *strand =
        found->kind == SUBJECT_STRAND ? ITEM(scene->data.strands, strand_data, found->index) : NULL;
    const char *wrong = !strand         ? "is not a strand"
                        : strand->cable ? "is a cable"
                        : !cord__strand_traits(strand->model)->has_vertex_dofs
                            ? "has no vertices that move "
                              "by themselves"
                        : strand->line.closed ? "is closed"
                                              : NULL;
    if (!wrong) return strand;
    cord__diagnose(&scene->errors, s->at->at,
                   "\"%.40s\" %s: a sheath is an open strand of the model der", s->sheath, wrong);
    return NULL;
}

static void add_eyelets(const strand_data *of, const waypoint_data *s, waypoint_data *to)
{
    int count = of->line.count;
    double along = 0;
    for (int k = 0; k < count; k++) {
        const double *x = of->line.x + 3 * (size_t)k;
        if (k > 0) along += v3_distance(x, x - 3);
        waypoint_data *one = to + (s->reversed ? count - 1 - k : k);
        *one = *s;
        one->kind = CORD_WAYPOINT_EYELET;
        one->where = (location){.at = s->at, .kind = LOCATION_STRAND_LENGTH, .name = s->sheath};
        one->where.along = k + 1 == count && of->length > 0 ? of->length : along;
    }
}

bool cord__expand_sheaths(cord_scene *scene, cable_data *c)
{
    int count = 0;
    bool any = false, good = true;
    for (int i = 0; i < c->route.count; i++) {
        const waypoint_data *s = ITEM(c->route, waypoint_data, i);
        const strand_data *of = s->sheath ? strand_of(scene, s) : NULL;
        any = any || s->sheath;
        good = good && (of || !s->sheath);
        count += of ? of->line.count : 1;
    }
    if (!any || !good) return good;
    waypoint_data *waypoints = TAKE(&scene->memory, waypoint_data, count);
    if (!waypoints) return false;
    count = 0;
    for (int i = 0; i < c->route.count; i++) {
        const waypoint_data *s = ITEM(c->route, waypoint_data, i);
        if (s->sheath) {
            const strand_data *of = strand_of(scene, s);
            add_eyelets(of, s, waypoints + count);
            count += of->line.count;
        } else {
            waypoints[count++] = *s;
        }
    }
    c->route = (item_list){count, waypoints};
    return true;
}
