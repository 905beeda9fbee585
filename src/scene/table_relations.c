/* Keys of scenes: relations and loads. */
#include "scene/tables.h"

#include <stddef.h>
#include <string.h>

static const choice sides[] = {
    {"equal", CORD_EQUAL, "held both ways"},
    {"at-least", CORD_AT_LEAST, "may grow"},
    {"at-most", CORD_AT_MOST, "may shrink"},
    {NULL, 0, NULL},
};
static const name_list relations = {"relation", cord_relation_names};

/* What a relation's rows are in, which decides the units of drive and compliance. A kind that is not
 * listed takes any. */
static const struct {
    const char *kind, *row, *compliance;
} row_units[] = {
    {CORD_COINCIDE, "m", "m/N"}, {CORD_PLANE, "m", "m/N"},       {CORD_AXIS, "m", "m/N"},
    {CORD_DISTANCE, "m", "m/N"}, {CORD_ALIGN, "rad", "rad/J"},   {CORD_CURVATURE, "1/m", NULL},
    {CORD_PARALLEL, "", NULL},   {CORD_PERPENDICULAR, "", NULL}, {CORD_ANGLE, "rad", "rad/J"},
    {CORD_SLIDE, "m", "m/N"},
};

static bool check_units(reader *r, const node *n, const char *key, const char *unit)
{
    double ignored;
    bool good = true, list = n && n->kind == NODE_LIST;
    for (int i = 0; n && i < (list ? n->count : 1); i++) {
        const node *one = list ? n->items[i] : n;
        good = cord__read_number(r, one, key, unit, LIMIT_NONE, &ignored) && good;
    }
    return good;
}

static bool check_row_units(reader *r, const relation_data *d)
{
    bool good = true;
    for (size_t k = 0; k < sizeof row_units / sizeof row_units[0]; k++) {
        if (strcmp(row_units[k].kind, d->kind) != 0) continue;
        const node *given = cord__node_get(d->at, "compliance");
        good = check_units(r, given, "compliance", row_units[k].compliance);
        for (int i = 0; i < d->drive.count; i++) {
            const node *value = cord__node_get(ITEM(d->drive, drive_key, i)->at, "value");
            good = check_units(r, value, "value", row_units[k].row) && good;
        }
    }
    return good;
}

static bool finish_relation(reader *r, void *item)
{
    const relation_data *d = item;
    if (!check_row_units(r, d)) return false;
    const node *wanted = cord__node_get(d->at, "curvature");
    if (wanted && strcmp(d->kind, CORD_CURVATURE) != 0) {
        cord__complain(r->complaints, wanted->at, "curvature is for relations of kind curvature");
        return false;
    }
    for (int i = 1; i < d->drive.count; i++) {
        const drive_key *first = ITEM(d->drive, drive_key, 0), *key = ITEM(d->drive, drive_key, i);
        if (key->value.count == first->value.count) continue;
        cord__complain(r->complaints, key->at->at, "every key of a drive has as many values");
        return false;
    }
    return cord__nonzero(r, d->at, "direction", d->direction) &&
           cord__ascending(r, &d->drive, sizeof(drive_key));
}

static const field relation_fields[] = {
    {"name", FIELD_TEXT, offsetof(relation_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for messages and probes"},
    {"kind", FIELD_NAME, offsetof(relation_data, kind), true, NULL, NULL, LIMIT_NONE, &relations,
     "what holds"},
    {"first", FIELD_SPECIAL, offsetof(relation_data, first), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "a place on something that moves"},
    {"second", FIELD_SPECIAL, offsetof(relation_data, second), false, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "what it is held to; default: the origin"},
    {"direction", FIELD_VECTOR, offsetof(relation_data, direction), false, "[0, 0, 1]", "",
     LIMIT_NONE, NULL,
     "a plane's normal, an axis, a direction to compare with, in the frame of the second"},
    {"first_direction", FIELD_VECTOR, offsetof(relation_data, first_direction), false, NULL, "",
     LIMIT_NONE, NULL, "parallel, perpendicular: in the frame of the first; parallel: as drawn"},
    {"curvature", FIELD_VECTOR, offsetof(relation_data, curvature), false, "[0, 0, 0]", "1/m",
     LIMIT_NONE, NULL,
     "what a curvature relation wants: about the first director, the second, twist"},
    {"length", FIELD_NUMBER, offsetof(relation_data, length), false, NULL, "m", LIMIT_NOT_NEGATIVE,
     NULL, "a distance to keep, or of slide a difference of coordinates; default: as drawn"},
    {"release_at", FIELD_NUMBER, offsetof(relation_data, release_time), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL, "it lets go at this time; default: never"},
    {"release_force", FIELD_NUMBER, offsetof(relation_data, release_force), false, NULL, "N",
     LIMIT_NOT_NEGATIVE, NULL,
     "it lets go when its force (or torque, N m) is greater; default: never"},
    {"release_distance", FIELD_NUMBER, offsetof(relation_data, release_distance), false, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "it lets go when its places are farther apart; default: never"},
    {"attach_at", FIELD_NUMBER, offsetof(relation_data, attach_time), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL, "it begins let go, and takes hold at this time"},
    {"attach_distance", FIELD_NUMBER, offsetof(relation_data, attach_distance), false, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "it begins let go, and takes hold when its places are nearer"},
    {"compliance", FIELD_NUMBER, offsetof(relation_data, compliance), false, "0", NULL,
     LIMIT_NOT_NEGATIVE, NULL, "how far it gives per force, m/N or rad/(N m); 0: not at all"},
    {"damping", FIELD_NUMBER, offsetof(relation_data, damping), false, "0 s", "s",
     LIMIT_NOT_NEGATIVE, NULL, "of a compliant relation"},
    {"side", FIELD_CHOICE, offsetof(relation_data, side), false, "equal", NULL, LIMIT_NONE, sides,
     "whether it holds one way only"},
    {"drive", FIELD_LIST, offsetof(relation_data, drive), false, NULL, NULL, LIMIT_NONE,
     &cord__drive_map, "how what is held changes: keys {t, value}"},
    EASE_FIELD(relation_data, ease),
};
const mapping cord__relation_map = {
    "relation",      "something that holds",       sizeof(relation_data),
    relation_fields, FIELD_COUNT(relation_fields), finish_relation};

static bool finish_load(reader *r, void *item)
{
    return cord__ascending(r, &((load_data *)item)->keys, sizeof(drive_key));
}

static const field load_fields[] = {
    {"at", FIELD_SPECIAL, offsetof(load_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__place_special, "where it pulls"},
    {"force", FIELD_VECTOR, offsetof(load_data, force), false, "[0, 0, 0]", "N", LIMIT_NONE, NULL,
     "the force, in world axes"},
    {"keys", FIELD_LIST, offsetof(load_data, keys), false, NULL, NULL, LIMIT_NONE,
     &cord__load_key_map, "how it changes: keys {t, force}, added to the force"},
    EASE_FIELD(load_data, ease),
};
const mapping cord__load_map = {"load",      "a force on a point",     sizeof(load_data),
                                load_fields, FIELD_COUNT(load_fields), finish_load};
