/* Keys of scenes: functions of time, and checks that several tables share. */
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- checks ------------------------------------------------------------------------------- */

bool cord__nonzero(reader *r, const node *at, const char *key, const double *v)
{
    if (isnan(v[0]) || v[0] != 0 || v[1] != 0 || v[2] != 0) return true;
    cord__diagnose(r->errors, cord__node_key_mark(at, key), "%s must not be the zero vector", key);
    return false;
}

bool cord__refuse(reader *r, const node *at, const char *key, const char *why)
{
    if (!cord__node_get(at, key)) return true;
    cord__diagnose(r->errors, cord__node_key_mark(at, key), "%s: %s", key, why);
    return false;
}

static bool check_one(reader *r, const node *n, const char *key, dimension wanted)
{
    char buffer[2][96], error[160];
    quantity q;
    /* A value that is not a number was diagnosed when it was read. */
    if (n->kind != NODE_SCALAR || !cord__evaluate(r->scope, n->text, &q, error, sizeof error))
        return false;
    dimension given = q.dim;
    given.radian = wanted.radian;
    if (!q.has_unit || cord__same_dimension(given, wanted)) return true;
    cord__diagnose(r->errors, n->at, "%s: expected %s, got %s: \"%.40s\"", key,
                   cord__dimension_text(wanted, buffer[0], sizeof buffer[0]),
                   cord__dimension_text(q.dim, buffer[1], sizeof buffer[1]), n->text);
    return false;
}

bool cord__check_dimension(reader *r, const node *n, const char *key, dimension wanted)
{
    bool good = true, list = n && n->kind == NODE_LIST;
    for (int i = 0; n && i < (list ? n->count : 1); i++)
        good = check_one(r, list ? n->items[i] : n, key, wanted) && good;
    return good;
}

dimension cord__unit_of(const char *unit, int seconds)
{
    return cord__unit_ratio(unit, "", seconds);
}

dimension cord__unit_ratio(const char *unit, const char *by, int seconds)
{
    dimension a = cord__unit_dimension(unit), b = cord__unit_dimension(by);
    return (dimension){(signed char)(a.metre - b.metre), (signed char)(a.kilogram - b.kilogram),
                       (signed char)(a.second - b.second + seconds),
                       (signed char)(a.radian - b.radian)};
}

/* ---- keys --------------------------------------------------------------------------------- */

const choice cord__eases[] = {
    {"smooth", CORD_EASE_SMOOTH, "at rest at every key"},
    {"linear", CORD_EASE_LINEAR, "straight between keys"},
    {NULL, 0, NULL},
};

static const field motion_fields[] = {
    TIME_FIELD(motion_key),
    {"by", FIELD_VECTOR, offsetof(motion_key, by), true, NULL, "m", LIMIT_NONE, NULL,
     "displacement from where it was drawn"},
};
const mapping cord__motion_map = {"motion",      "a key of a motion",        sizeof(motion_key),
                                  motion_fields, FIELD_COUNT(motion_fields), NULL};

static bool finish_rotation(reader *r, void *item)
{
    const rotation_key *k = item;
    return cord__nonzero(r, k->at, "axis", k->axis);
}

static const field rotation_fields[] = {
    TIME_FIELD(rotation_key),
    {"axis", FIELD_VECTOR, offsetof(rotation_key, axis), true, NULL, "", LIMIT_NONE, NULL,
     "about which it is rotated"},
    {"angle", FIELD_NUMBER, offsetof(rotation_key, angle), true, NULL, "rad", LIMIT_NONE, NULL,
     "by how much, whole turns included"},
};
const mapping cord__rotation_map = {
    "rotation",      "a key of a rotation",        sizeof(rotation_key),
    rotation_fields, FIELD_COUNT(rotation_fields), finish_rotation};

static bool finish_orbit(reader *r, void *item)
{
    const orbit_data *o = item;
    return cord__nonzero(r, o->at, "axis", o->axis);
}

static const field orbit_fields[] = {
    {"radius", FIELD_NUMBER, offsetof(orbit_data, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "of the circle about where it was drawn"},
    {"period", FIELD_NUMBER, offsetof(orbit_data, period), true, NULL, "s", LIMIT_POSITIVE, NULL,
     "time for one turn"},
    {"turns", FIELD_INTEGER, offsetof(orbit_data, turns), true, NULL, "", LIMIT_ORBIT, NULL,
     "how many, from the start on"},
    {"axis", FIELD_VECTOR, offsetof(orbit_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "it goes round this direction"},
    {"ramp", FIELD_NUMBER, offsetof(orbit_data, ramp), false, "1 s", "s", LIMIT_POSITIVE, NULL,
     "time in which the circle grows to its radius"},
};
const mapping cord__orbit_map = {"orbit",      "going round in a circle", sizeof(orbit_data),
                                 orbit_fields, FIELD_COUNT(orbit_fields), finish_orbit};

static const count_range drive_widths = {1, 6}, three_values = {3, 3};

static const field drive_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, NULL, LIMIT_NONE,
     &drive_widths, "one number per row of the constraint"},
};
const mapping cord__drive_map = {"drive",      "a key of a drive",        sizeof(drive_key),
                                 drive_fields, FIELD_COUNT(drive_fields), NULL};

static const field load_key_fields[] = {
    TIME_FIELD(drive_key),
    {"force", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "N", LIMIT_NONE, &three_values,
     "added to the load's force"},
};
const mapping cord__load_key_map = {
    "keys", "a key of a load", sizeof(drive_key), load_key_fields, FIELD_COUNT(load_key_fields),
    NULL};

static const count_range one_value = {1, 1};

static const field torque_key_fields[] = {
    TIME_FIELD(drive_key),
    {"torque", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "N m", LIMIT_NONE,
     &three_values, "added to the load's torque"},
};
const mapping cord__torque_key_map = {
    "torque_keys",     "a key of a load's torque",     sizeof(drive_key),
    torque_key_fields, FIELD_COUNT(torque_key_fields), NULL};

static const field along_key_fields[] = {
    TIME_FIELD(drive_key),
    {"along", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, NULL, LIMIT_NONE, &one_value,
     "added to what acts along the coordinate, N or N m"},
};
const mapping cord__along_key_map = {
    "along_keys",     "a key of a load along a coordinate", sizeof(drive_key),
    along_key_fields, FIELD_COUNT(along_key_fields),        NULL};

/* The struct of every key begins with its node and its time. */
typedef struct any_key {
    const node *at;
    double t;
} any_key;

bool cord__ascending(reader *r, const item_list *list, size_t size)
{
    for (int i = 1; i < list->count; i++) {
        const any_key *last = (const any_key *)((const char *)list->items + (size_t)(i - 1) * size);
        const any_key *now = (const any_key *)((const char *)list->items + (size_t)i * size);
        if (now->t > last->t) continue;
        cord__diagnose(r->errors, now->at->at, "keys must come in the order of their times");
        return false;
    }
    return true;
}

bool cord__check_script(reader *r, const script_data *s)
{
    if (s->orbit && s->motion.count > 0) {
        cord__diagnose(r->errors, s->orbit->at->at, "either motion or orbit, not both");
        return false;
    }
    return cord__ascending(r, &s->motion, sizeof(motion_key)) &&
           cord__ascending(r, &s->rotation, sizeof(rotation_key));
}
