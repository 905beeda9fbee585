/* Keys of scenes: constraints and loads. */
#include "scene/tables.h"

#include <stddef.h>
#include <string.h>

static const choice sides[] = {
    {"equal", CORD_EQUAL, "two-sided"},
    {"at-least", CORD_AT_LEAST, "may grow"},
    {"at-most", CORD_AT_MOST, "may shrink"},
    {NULL, 0, NULL},
};
static const name_list constraints = {"constraint", cord_constraint_names};

/* The unit of the rows of a constraint, which determines the units of drive and compliance; and those of its length
 * and friction, if any. */
typedef struct row_unit {
    const char *kind, *row, *compliance, *length, *friction;
} row_unit;
static const row_unit row_units[] = {
    {CORD_COINCIDE, "m", "m/N", "m", "J s"},
    {CORD_PLANE, "m", "m/N", NULL, "N s/m"},
    {CORD_AXIS, "m", "m/N", "m", "N s/m"},
    {CORD_DISTANCE, "m", "m/N", "m", "N s/m"},
    {CORD_ALIGN, "rad", "rad/J", "rad", "N s/m"},
    {CORD_CURVATURE, "1/m", NULL, "1/m", NULL},
    {CORD_PARALLEL, "", NULL, "rad", "J s"},
    {CORD_PERPENDICULAR, "", NULL, NULL, "J s"},
    {CORD_ANGLE, "rad", "rad/J", NULL, "J s"},
    {CORD_SLIDE, NULL, NULL, NULL, NULL}, /* by its coordinates, see cord__check_coordinates() */
};

/* The units of the form with a length, or a side, where they differ. */
static const row_unit with_length[] = {
    {CORD_COINCIDE, "m", "m/N", "m", "N s/m"},
    {CORD_PARALLEL, "rad", "rad/J", "rad", "J s"},
    {CORD_ALIGN, "rad", "rad/J", "rad", "J s"},
};

static const row_unit *units_of(const constraint_data *d)
{
    bool within = d->side != CORD_EQUAL || d->length > 0;
    for (size_t k = 0; within && k < sizeof with_length / sizeof with_length[0]; k++)
        if (strcmp(with_length[k].kind, d->kind) == 0) return with_length + k;
    for (size_t k = 0; k < sizeof row_units / sizeof row_units[0]; k++)
        if (strcmp(row_units[k].kind, d->kind) == 0) return row_units + k;
    return NULL;
}

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

/* Checks the unit of a key, or diagnoses one that this kind does not have. */
static bool check_own(reader *r, const constraint_data *d, const char *key, const char *unit,
                      const char *whose)
{
    return unit ? cord__check_dimension(r, cord__node_get(d->at, key), key,
                                        cord__unit_dimension(unit))
                : cord__refuse(r, d->at, key, whose);
}

static bool check_row_units(reader *r, const constraint_data *d)
{
    const row_unit *own = units_of(d);
    if (!own) return true;
    bool slide = strcmp(d->kind, CORD_SLIDE) == 0;
    bool good = check_units(r, cord__node_get(d->at, "compliance"), "compliance", own->compliance);
    if (own->row)
        good = cord__check_dimension(r, cord__node_get(d->at, "rate"), "rate",
                                     cord__unit_of(own->row, -1)) &&
               good;
    for (int i = 0; i < d->drive.count; i++) {
        const node *value = cord__node_get(ITEM(d->drive, drive_key, i)->at, "value");
        good = check_units(r, value, "value", own->row) && good;
    }
    good = check_own(r, d, "friction", own->friction,
                     "is for constraints of positions and directions; the friction of a coordinate "
                     "is a key of its point") &&
           good;
    return (slide ||
            check_own(r, d, "length", own->length,
                      "is for coincide, distance, axis, align, parallel, curvature and slide")) &&
           good;
}

/* Checks units after it is known which coordinates are angles. */
bool cord__check_coordinates(cord_scene *scene, const constraint_data *d)
{
    if (strcmp(d->kind, CORD_SLIDE) != 0) return true;
    reader *r = &scene->read;
    bool angle = cord__is_angle(scene, &d->first), by = cord__is_angle(scene, &d->second);
    const char *unit = angle ? "rad" : "m", *other = by ? "rad" : "m";
    dimension own = cord__unit_of(unit, 0), rate = cord__unit_of(unit, -1);
    bool good = cord__check_dimension(r, cord__node_get(d->at, "length"), "length", own);
    good = cord__check_dimension(r, cord__node_get(d->at, "rate"), "rate", rate) && good;
    good = cord__check_dimension(r, cord__node_get(d->at, "compliance"), "compliance",
                                 cord__unit_ratio(unit, angle ? "J" : "N", 0)) &&
           good;
    if (d->second.kind != LOCATION_NONE)
        good = cord__check_dimension(r, cord__node_get(d->at, "ratio"), "ratio",
                                     cord__unit_ratio(unit, other, 0)) &&
               good;
    for (int i = 0; i < d->drive.count; i++) {
        const node *value = cord__node_get(ITEM(d->drive, drive_key, i)->at, "value");
        good = cord__check_dimension(r, value, "value", own) && good;
    }
    return good;
}

static bool finish_constraint(reader *r, void *item)
{
    const constraint_data *d = item;
    if (!check_row_units(r, d)) return false;
    if (strcmp(d->kind, CORD_SLIDE) != 0 &&
        !cord__refuse(r, d->at, "ratio", "is for constraints of kind slide"))
        return false;
    if (strcmp(d->kind, CORD_DISTANCE) != 0 &&
        !cord__refuse(r, d->at, "bar", "is for constraints of kind distance"))
        return false;
    const node *wanted = cord__node_get(d->at, "curvature");
    if (wanted && strcmp(d->kind, CORD_CURVATURE) != 0) {
        cord__diagnose(r->errors, wanted->at, "curvature is for constraints of kind curvature");
        return false;
    }
    for (int i = 1; i < d->drive.count; i++) {
        const drive_key *first = ITEM(d->drive, drive_key, 0), *key = ITEM(d->drive, drive_key, i);
        if (key->value.count == first->value.count) continue;
        cord__diagnose(r->errors, key->at->at, "every key of a drive has as many values");
        return false;
    }
    return cord__nonzero(r, d->at, "direction", d->direction) &&
           cord__ascending(r, &d->drive, sizeof(drive_key));
}

static const field bar_fields[] = {
    {"width", FIELD_NUMBER, offsetof(bar_data, width), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "its horizontal side"},
    {"thickness", FIELD_NUMBER, offsetof(bar_data, thickness), false, NULL, "m", LIMIT_POSITIVE,
     NULL, "its other side; default: as its width"},
    {"colour", FIELD_SPECIAL, offsetof(bar_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "default: steel"},
    LOOK_FIELD(bar_data, "auto: steel, or plain where a colour is given"),
};
static const mapping bar_map = {"bar",
                                "a bar between two points, which is only drawn",
                                sizeof(bar_data),
                                bar_fields,
                                FIELD_COUNT(bar_fields),
                                NULL};

static const count_range rate_widths = {1, 3};

static const field constraint_fields[] = {
    {"name", FIELD_TEXT, offsetof(constraint_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for messages and probes"},
    {"kind", FIELD_NAME, offsetof(constraint_data, kind), true, NULL, NULL, LIMIT_NONE,
     &constraints, "the kind of constraint"},
    {"first", FIELD_SPECIAL, offsetof(constraint_data, first), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "a point on something that moves"},
    {"second", FIELD_SPECIAL, offsetof(constraint_data, second), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "the other point; default: the origin"},
    {"direction", FIELD_VECTOR, offsetof(constraint_data, direction), false, "[0, 0, 1]", "",
     LIMIT_NONE, NULL,
     "a plane's normal, an axis, a direction to compare with, in the frame of the second"},
    {"first_direction", FIELD_VECTOR, offsetof(constraint_data, first_direction), false, NULL, "",
     LIMIT_NONE, NULL,
     "parallel, perpendicular, angle: in the frame of the first; parallel, angle: as drawn"},
    {"curvature", FIELD_VECTOR, offsetof(constraint_data, curvature), false, "[0, 0, 0]", "1/m",
     LIMIT_NONE, NULL,
     "curvature: the prescribed value: about the first director, the second, twist"},
    {"length", FIELD_NUMBER, offsetof(constraint_data, length), false, NULL, NULL,
     LIMIT_NOT_NEGATIVE, NULL,
     "a distance to keep, or of slide a difference of coordinates, m or rad; default: as drawn. "
     "coincide, axis: so far from it, m; align, parallel: rotated by this angle, rad; curvature: "
     "off by so "
     "much, 1/m"},
    {"ratio", FIELD_NUMBER, offsetof(constraint_data, ratio), false, "1", NULL, LIMIT_NONE, NULL,
     "slide: the first's coordinate is so many times the second's; between a length and an angle, "
     "m/rad"},
    {"release_at", FIELD_NUMBER, offsetof(constraint_data, release_time), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL, "it is released at this time; default: never"},
    {"release_force", FIELD_NUMBER, offsetof(constraint_data, release_force), false, NULL, "N",
     LIMIT_NOT_NEGATIVE, NULL,
     "it is released when its force (or torque, N m) is greater; default: never"},
    {"release_distance", FIELD_NUMBER, offsetof(constraint_data, release_distance), false, NULL,
     "m", LIMIT_NOT_NEGATIVE, NULL,
     "it is released when its points are farther apart; default: never"},
    {"attach_at", FIELD_NUMBER, offsetof(constraint_data, attach_time), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL,
     "it attaches at this time; unless release_at is before, it begins released"},
    {"attach_distance", FIELD_NUMBER, offsetof(constraint_data, attach_distance), false, NULL, "m",
     LIMIT_NOT_NEGATIVE, NULL, "it begins released, and attaches when its points are nearer"},
    {"attach_speed", FIELD_NUMBER, offsetof(constraint_data, attach_speed), false, NULL, "m/s",
     LIMIT_NOT_NEGATIVE, NULL, "and move more slowly past each other"},
    {"attach_after", FIELD_NUMBER, offsetof(constraint_data, attach_after), false, NULL, "s",
     LIMIT_NOT_NEGATIVE, NULL, "and it has been released for so long; with reattach: yes"},
    {"reattach", FIELD_BOOL, offsetof(constraint_data, reattach), false, "no", NULL, LIMIT_NONE,
     NULL,
     "whether it attaches again after each release; it then begins attached where its points "
     "are near"},
    {"compliance", FIELD_NUMBER, offsetof(constraint_data, compliance), false, "0", NULL,
     LIMIT_NOT_NEGATIVE, NULL, "displacement per force, m/N or rad/(N m); 0: rigid"},
    {"damping", FIELD_NUMBER, offsetof(constraint_data, damping), false, "0 s", "s",
     LIMIT_NOT_NEGATIVE, NULL, "of a compliant constraint"},
    {"friction", FIELD_NUMBER, offsetof(constraint_data, friction), false, "0", NULL,
     LIMIT_NOT_NEGATIVE, NULL,
     "viscous, of the motion that it leaves free: N s/m of plane, axis, distance, align and "
     "coincide "
     "with a length, N m s of coincide, parallel, perpendicular and angle"},
    {"side", FIELD_CHOICE, offsetof(constraint_data, side), false, "equal", NULL, LIMIT_NONE, sides,
     "whether it is one-sided"},
    {"restitution", FIELD_NUMBER, offsetof(constraint_data, restitution), false, "0", NULL,
     LIMIT_FRACTION, NULL, "one-sided: the part of the rate of approach that an impact leaves"},
    {"drive", FIELD_LIST, offsetof(constraint_data, drive), false, NULL, NULL, LIMIT_NONE,
     &cord__drive_map, "its prescribed value over time: keys {t, value}"},
    {"rate", FIELD_NUMBERS, offsetof(constraint_data, rate), false, NULL, NULL, LIMIT_NONE,
     &rate_widths, "added to the drive: so much more per second, one number per row"},
    EASE_FIELD(constraint_data, ease),
    {"bar", FIELD_MAP, offsetof(constraint_data, bar), false, NULL, NULL, LIMIT_NONE, &bar_map,
     "distance: the bar or plank that it is drawn as"},
};
const mapping cord__constraint_map = {
    "constraint",      "a constraint between two points", sizeof(constraint_data),
    constraint_fields, FIELD_COUNT(constraint_fields),    finish_constraint};

static bool finish_load(reader *r, void *item)
{
    const load_data *d = item;
    return cord__ascending(r, &d->keys, sizeof(drive_key)) &&
           cord__ascending(r, &d->torque_keys, sizeof(drive_key)) &&
           cord__ascending(r, &d->along_keys, sizeof(drive_key));
}

/* Checks a load after it is known whether its point has a coordinate, and of which kind. */
bool cord__check_load(cord_scene *scene, const load_data *d)
{
    reader *r = &scene->read;
    dimension wanted = cord__unit_dimension(cord__is_angle(scene, &d->where) ? "J" : "N");
    bool good = cord__check_dimension(r, cord__node_get(d->at, "along"), "along", wanted);
    for (int i = 0; i < d->along_keys.count; i++) {
        const node *value = cord__node_get(ITEM(d->along_keys, drive_key, i)->at, "along");
        good = cord__check_dimension(r, value, "along", wanted) && good;
    }
    return good;
}

static const field load_fields[] = {
    {"name", FIELD_TEXT, offsetof(load_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for controllers"},
    {"at", FIELD_SPECIAL, offsetof(load_data, where), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "the point it acts on"},
    {"force", FIELD_VECTOR, offsetof(load_data, force), false, "[0, 0, 0]", "N", LIMIT_NONE, NULL,
     "the force, in world axes"},
    {"keys", FIELD_LIST, offsetof(load_data, keys), false, NULL, NULL, LIMIT_NONE,
     &cord__load_key_map, "how it changes: keys {t, force}, added to the force"},
    {"torque", FIELD_VECTOR, offsetof(load_data, torque), false, "[0, 0, 0]", "N m", LIMIT_NONE,
     NULL, "a torque, in world axes, where the point has a frame"},
    {"torque_keys", FIELD_LIST, offsetof(load_data, torque_keys), false, NULL, NULL, LIMIT_NONE,
     &cord__torque_key_map, "how it changes: keys {t, torque}, added to the torque"},
    {"along", FIELD_NUMBER, offsetof(load_data, along), false, "0", NULL, LIMIT_NONE, NULL,
     "a force (N) or a torque (N m) along the coordinate of its point"},
    {"along_keys", FIELD_LIST, offsetof(load_data, along_keys), false, NULL, NULL, LIMIT_NONE,
     &cord__along_key_map, "how it changes: keys {t, along}, added to it"},
    EASE_FIELD(load_data, ease),
};
const mapping cord__load_map = {"load",      "a force or a torque on a point", sizeof(load_data),
                                load_fields, FIELD_COUNT(load_fields),         finish_load};
