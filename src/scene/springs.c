/* Springs in scenes. Each is a compliant constraint: distance between two points, or slide on a coordinate. */
#include "scene/springs.h"

#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct spring_data {
    const node *at;
    const char *name;
    location first, second;
    double stiffness, damping, length; /* NaN: from the initial state */
    bool tension_only;
} spring_data;

static const field spring_fields[] = {
    {"name", FIELD_TEXT, offsetof(spring_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for messages and probes, which measure its force, and as residual how far it is stretched"},
    {"first", FIELD_SPECIAL, offsetof(spring_data, first), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special,
     "a point; or the name of a coordinate: a pulley, a joint, a named coordinate"},
    {"second", FIELD_SPECIAL, offsetof(spring_data, second), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "the other end; default: the origin; of a coordinate: rest"},
    {"stiffness", FIELD_NUMBER, offsetof(spring_data, stiffness), true, NULL, NULL, LIMIT_POSITIVE,
     NULL, "N/m; on an angle N m/rad"},
    {"damping", FIELD_NUMBER, offsetof(spring_data, damping), false, "0", NULL, LIMIT_NOT_NEGATIVE,
     NULL, "force per speed, N s/m; on an angle N m s"},
    {"length", FIELD_NUMBER, offsetof(spring_data, length), false, NULL, NULL, LIMIT_NOT_NEGATIVE,
     NULL, "without force, m; on an angle rad; default: as drawn"},
    {"tension_only", FIELD_BOOL, offsetof(spring_data, tension_only), false, "no", NULL, LIMIT_NONE,
     NULL, "it only pulls, as a rubber band"},
};
const mapping cord__spring_map = {"spring",
                                  "a spring between two points, or on a coordinate",
                                  sizeof(spring_data),
                                  spring_fields,
                                  FIELD_COUNT(spring_fields),
                                  NULL};

static constraint_data constraint_of(const spring_data *s)
{
    return (constraint_data){.at = s->at,
                             .name = s->name,
                             .kind = CORD_DISTANCE,
                             .first = s->first,
                             .second = s->second,
                             .release_time = NAN,
                             .release_force = NAN,
                             .release_distance = NAN,
                             .attach_time = NAN,
                             .attach_distance = NAN,
                             .direction = {0, 0, 1},
                             .first_direction = {NAN, NAN, NAN},
                             .length = s->length,
                             .ratio = 1,
                             .compliance = 1 / s->stiffness,
                             .damping = s->damping / s->stiffness,
                             .side = s->tension_only ? CORD_AT_MOST : CORD_EQUAL,
                             .spring = true};
}

bool cord__add_springs(cord_scene *scene)
{
    item_list *list = &scene->data.constraints;
    const item_list *springs = &scene->data.springs;
    if (springs->count == 0) return true;
    int count = list->count + springs->count;
    constraint_data *all = TAKE(&scene->memory, constraint_data, count);
    if (!all) return false;
    if (list->count) memcpy(all, list->items, (size_t)list->count * sizeof *all);
    for (int i = 0; i < springs->count; i++)
        all[list->count + i] = constraint_of(ITEM(*springs, spring_data, i));
    *list = (item_list){count, all};
    return true;
}

bool cord__resolve_spring(cord_scene *scene, constraint_data *d)
{
    if (!d->spring) return true;
    bool along = cord__is_coordinate(scene, &d->first), angle = cord__is_angle(scene, &d->first);
    const char *unit = angle ? "rad" : "m", *force = angle ? "J" : "N";
    reader *r = &scene->read;
    if (along) d->kind = CORD_SLIDE;
    if (along && d->second.kind != LOCATION_NONE && !cord__is_coordinate(scene, &d->second)) {
        cord__diagnose(&scene->errors, d->second.at->at,
                       "a spring on a coordinate is between two coordinates, or against "
                       "rest (without second)");
        return false;
    }
    bool good = cord__check_dimension(r, cord__node_get(d->at, "stiffness"), "stiffness",
                                      cord__unit_ratio(force, unit, 0));
    good = cord__check_dimension(r, cord__node_get(d->at, "damping"), "damping",
                                 cord__unit_ratio(force, unit, 1)) &&
           good;
    return cord__check_dimension(r, cord__node_get(d->at, "length"), "length",
                                 cord__unit_of(unit, 0)) &&
           good;
}
