#include "scene/time_function.h"

#include "curve/keyframes.h"
#include "scene/build.h"
#include "scene/tables.h"

#include <stddef.h>

static const count_range one_value = {1, 1};

static const field key_fields[] = {
    TIME_FIELD(drive_key),
    {"value", FIELD_NUMBERS, offsetof(drive_key, value), true, NULL, NULL, LIMIT_NONE, &one_value,
     "the value"},
};
static const mapping key_map = {"key",      "a key {t, value}",      sizeof(drive_key),
                                key_fields, FIELD_COUNT(key_fields), NULL};

static bool read_constant(reader *r, const field *f, const node *n, time_function *c)
{
    drive_key *key = TAKE(r->memory, drive_key, 1);
    double *value = TAKE(r->memory, double, 1);
    if (!key || !value || !cord__read_number(r, n, f->key, NULL, LIMIT_NONE, value)) return false;
    *key = (drive_key){.at = n, .value = {1, value}};
    c->items = (item_list){1, key};
    return true;
}

static bool read_course(reader *r, const field *f, const node *n, void *target)
{
    time_function *c = target;
    c->at = n;
    if (n->kind != NODE_LIST) return read_constant(r, f, n, c);
    drive_key *list = TAKE(r->memory, drive_key, n->count);
    bool good = list != NULL;
    if (n->count == 0) {
        cord__diagnose(r->errors, n->at, "%s: expected %s", f->key,
                       cord__time_function_special.what);
        return false;
    }
    for (int i = 0; list && i < n->count; i++)
        good = cord__read_mapping(r, &key_map, n->items[i], list + i) && good;
    c->items = (item_list){n->count, list};
    return good && cord__ascending(r, &c->items, sizeof(drive_key));
}

const special cord__time_function_special = {
    "a number, or keys [{t, value}, ...]",
    "{\"anyOf\": [{\"$ref\": \"#/$defs/quantity\"}, {\"type\": \"array\", \"minItems\": 1, "
    "\"items\": {\"type\": \"object\", \"required\": [\"t\", \"value\"], "
    "\"additionalProperties\": false, \"properties\": {\"t\": {\"$ref\": \"#/$defs/quantity\"}, "
    "\"value\": {\"$ref\": \"#/$defs/quantity\"}}}}]}",
    read_course, NULL};

bool cord__check_time_function(reader *r, const time_function *c, const char *key, dimension wanted)
{
    bool good = true;
    for (int i = 0; c->at && i < c->items.count; i++) {
        const node *at = ITEM(c->items, drive_key, i)->at;
        const node *value = at->kind == NODE_MAP ? cord__node_get(at, "value") : at;
        good = cord__check_dimension(r, value, key, wanted) && good;
    }
    return good;
}

bool cord__time_function_keys(builder *b, const time_function *c, int ease, cord_keys *out)
{
    return cord__drive_keys(b, &c->items, ease, out);
}

double cord__keys_value(const cord_keys *from, double t)
{
    const keyframes k = {from->count, 1, (double *)from->times, (double *)from->values, from->ease};
    double value;
    cord__keyframes_at(&k, t, &value, NULL);
    return value;
}
