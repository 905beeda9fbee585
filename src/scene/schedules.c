#include "scene/schedules.h"

#include "math/vec3.h"
#include "scene/build.h"
#include "scene/tables.h"

#include <stddef.h>

/* ---- keys --------------------------------------------------------------------------------------- */

static const count_range one = {1, 1}, three = {3, 3}, up_to_three = {1, 3};

static const field gravity_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "m/s^2", LIMIT_NONE, &three,
     "the acceleration of free fall at that time"},
};
const mapping cord__gravity_key_map = {
    "gravity_keys", "a key of gravity",          sizeof(drive_key),
    gravity_fields, FIELD_COUNT(gravity_fields), NULL};

static const field load_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "N/m", LIMIT_NONE, &three,
     "added to the strand's load"},
};
static const mapping load_map = {"load",      "a key of a distributed load", sizeof(drive_key),
                                 load_fields, FIELD_COUNT(load_fields),      NULL};

/* One vector, or a list of them. */
static bool read_samples(reader *r, const field *f, const node *n, void *target)
{
    number_list *list = target;
    bool single = n->kind == NODE_LIST && n->count > 0 && n->items[0]->kind == NODE_SCALAR;
    int count = single ? 1 : n->kind == NODE_LIST ? n->count : 0;
    if (count == 0) {
        cord__diagnose(r->errors, n->at,
                       "%s: expected a vector [about the first director, about the second, twist], "
                       "or a list of them",
                       f->key);
        return false;
    }
    *list = (number_list){3 * count, TAKE(r->memory, double, 3 * (size_t)count)};
    bool good = list->values != NULL;
    for (int i = 0; list->values && i < count; i++)
        good = cord__curvature_special.read(r, f, single ? n : n->items[i],
                                            list->values + 3 * (size_t)i) &&
               good;
    return good;
}

static const special samples_special = {
    "vector or vectors, 1/m",
    "{\"anyOf\": [{\"$ref\": \"#/$defs/vector\"}, {\"type\": \"array\", \"minItems\": 1, "
    "\"items\": {\"$ref\": \"#/$defs/vector\"}}]}",
    read_samples, NULL};

static const field curvature_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_SPECIAL, offsetof(drive_key, value), true, NULL, "1/m", LIMIT_NONE,
     &samples_special,
     "[about the first director, about the second, twist], added to the natural curvature; "
     "several: "
     "at equal distances from the start to the end, affine between them"},
};
static const mapping curvature_map = {
    "natural_curvature", "a key of a natural curvature", sizeof(drive_key),
    curvature_fields,    FIELD_COUNT(curvature_fields),  NULL};

static const field length_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "", LIMIT_POSITIVE, &one,
     "a factor of the natural length"},
};
static const mapping length_map = {"length",      "a key of a length",        sizeof(drive_key),
                                   length_fields, FIELD_COUNT(length_fields), NULL};

static const field stiffness_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, "", LIMIT_POSITIVE,
     &up_to_three,
     "a factor of all stiffnesses; or two, of bending and of twisting; or three, the last of "
     "stretching"},
};
static const mapping stiffness_map = {
    "stiffness",      "a key of a stiffness",        sizeof(drive_key),
    stiffness_fields, FIELD_COUNT(stiffness_fields), NULL};

static bool have_equal_counts(reader *r, const item_list *list)
{
    bool good = true;
    for (int i = 1; i < list->count; i++) {
        const drive_key *first = ITEM(*list, drive_key, 0), *k = ITEM(*list, drive_key, i);
        if (k->value.count == first->value.count) continue;
        cord__diagnose(r->errors, k->at->at,
                       "a key has %d curvatures, the first key has %d: all keys must have as many",
                       k->value.count / 3, first->value.count / 3);
        good = false;
    }
    return good;
}

static bool finish_schedule(reader *r, void *item)
{
    const struct schedule_data *s = item;
    const item_list *lists[] = {&s->load, &s->natural_curvature, &s->length, &s->stiffness};
    bool good = have_equal_counts(r, &s->natural_curvature);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        good = cord__ascending(r, lists[i], sizeof(drive_key)) && good;
    return good;
}

static const field schedule_fields[] = {
    {"load", FIELD_LIST, offsetof(struct schedule_data, load), false, NULL, NULL, LIMIT_NONE,
     &load_map, "of the load distributed along it"},
    {"natural_curvature", FIELD_LIST, offsetof(struct schedule_data, natural_curvature), false,
     NULL, NULL, LIMIT_NONE, &curvature_map, "of the curvature that it has without load"},
    {"length", FIELD_LIST, offsetof(struct schedule_data, length), false, NULL, NULL, LIMIT_NONE,
     &length_map, "of its natural length; its mass stays, and the natural shape is scaled"},
    {"stiffness", FIELD_LIST, offsetof(struct schedule_data, stiffness), false, NULL, NULL,
     LIMIT_NONE, &stiffness_map, "of its stiffnesses"},
    EASE_FIELD(struct schedule_data, ease),
};
const mapping cord__schedule_map = {"schedule",
                                    "parameters of a strand as functions of time",
                                    sizeof(struct schedule_data),
                                    schedule_fields,
                                    FIELD_COUNT(schedule_fields),
                                    finish_schedule};

/* ---- building ------------------------------------------------------------------------------------ */

/* Keys of one to three factors as keys of three: one factor is for all, the third is 1 where there are two. */
static bool stiffness_keys(builder *b, const item_list *list, int ease, cord_keys *keys)
{
    double *times, *values;
    if (!cord__make_keys(b, list->count, 3, ease, &times, &values, keys)) return false;
    for (int i = 0; i < keys->count; i++) {
        const drive_key *k = ITEM(*list, drive_key, i);
        const double *from = k->value.values;
        times[i] = k->t;
        v3_set(values + 3 * (size_t)i, from[0], from[k->value.count > 1 ? 1 : 0],
               k->value.count == 2 ? 1 : from[k->value.count - 1]);
    }
    return true;
}

bool cord__build_schedule(builder *b, const strand_data *s, cord_strand strand)
{
    const struct schedule_data *d = s->schedule;
    if (!d) return true;
    cord_schedule_def def = cord_schedule_def_default();
    if (d->natural_curvature.count > 0)
        def.natural_curvature_count = ITEM(d->natural_curvature, drive_key, 0)->value.count / 3;
    if (!cord__drive_keys(b, &d->load, d->ease, &def.load) ||
        !cord__drive_keys(b, &d->natural_curvature, d->ease, &def.natural_curvature) ||
        !cord__drive_keys(b, &d->length, d->ease, &def.length) ||
        !stiffness_keys(b, &d->stiffness, d->ease, &def.stiffness))
        return false;
    return cord__check_built(b, cord_strand_set_schedule(b->world, strand, &def), d->at,
                             "schedule");
}

bool cord__build_gravity(builder *b, const world_data *w)
{
    cord_keys keys = {0};
    if (w->gravity_keys.count == 0) return true;
    return cord__drive_keys(b, &w->gravity_keys, w->ease, &keys) &&
           cord__check_built(b, cord_world_set_gravity_keys(b->world, &keys), w->at, "world");
}
