#include "scene/expand.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_AXES = 3 };

/* An array, in the form `repeat` or `grid`: counts[0] × counts[1] × … copies. */
typedef struct array {
    int axes, counts[MAX_AXES];
    const char *names[MAX_AXES]; /* of the variables */
    double offsets[MAX_AXES][3];
    bool moves; /* has offsets */
} array;

/* ---- the two mappings --------------------------------------------------------------------- */

typedef struct repeat_data {
    const node *at;
    int count;
    double offset[3];
    const char *index;
} repeat_data;

static const field repeat_fields[] = {
    {"count", FIELD_INTEGER, offsetof(repeat_data, count), true, NULL, "", LIMIT_COUNT, NULL,
     "how many copies; $i counts them from 0 in every value of the item"},
    {"offset", FIELD_VECTOR, offsetof(repeat_data, offset), false, NULL, "m", LIMIT_NONE, NULL,
     "from each copy to the next, for strands and points"},
    {"index", FIELD_TEXT, offsetof(repeat_data, index), false, "i", NULL, LIMIT_NONE, NULL,
     "another name for i, for arrays in arrays"},
};
const mapping cord__repeat_map = {"repeat",
                                  "the item many times; a name gets its number: hair[3]",
                                  sizeof(repeat_data),
                                  repeat_fields,
                                  FIELD_COUNT(repeat_fields),
                                  NULL};

typedef struct grid_data {
    const node *at;
    number_list counts, offsets;
} grid_data;

static const count_range grid_axes = {1, MAX_AXES};

static const field grid_fields[] = {
    {"counts", FIELD_NUMBERS, offsetof(grid_data, counts), true, NULL, "", LIMIT_COUNT, &grid_axes,
     "how many copies along each axis; $i, $j and $k count them from 0"},
    {"offsets", FIELD_POINTS, offsetof(grid_data, offsets), false, NULL, "m", LIMIT_NONE, NULL,
     "from each copy to the next, a vector for each axis, for strands and points"},
};
const mapping cord__grid_map = {"grid",
                                "the item in rows and columns; names get numbers: hair[3][0]",
                                sizeof(grid_data),
                                grid_fields,
                                FIELD_COUNT(grid_fields),
                                NULL};

static bool read_repeat(reader *r, const node *n, array *a)
{
    repeat_data d = {0};
    if (!cord__read_mapping(r, &cord__repeat_map, n, &d)) return false;
    if (cord__identifier_length(d.index) != strlen(d.index) || !*d.index) {
        cord__diagnose(r->errors, n->at, "index: \"%.40s\" is not a name of letters", d.index);
        return false;
    }
    *a = (array){.axes = 1, .counts = {d.count}, .names = {d.index}};
    a->moves = !isnan(d.offset[0]);
    if (a->moves) memcpy(a->offsets[0], d.offset, sizeof d.offset);
    return true;
}

static bool read_grid(reader *r, const node *n, array *a)
{
    grid_data d = {0};
    if (!cord__read_mapping(r, &cord__grid_map, n, &d)) return false;
    *a = (array){.axes = d.counts.count, .names = {"i", "j", "k"}, .moves = d.offsets.count > 0};
    if (a->moves && d.offsets.count != 3 * a->axes) {
        cord__diagnose(r->errors, n->at, "grid needs as many offsets as counts");
        return false;
    }
    for (int k = 0; k < a->axes; k++) {
        a->counts[k] = (int)d.counts.values[k];
        if (a->counts[k] != d.counts.values[k]) {
            cord__diagnose(r->errors, n->at, "counts: expected whole numbers");
            return false;
        }
        if (a->moves) memcpy(a->offsets[k], d.offsets.values + 3 * k, 3 * sizeof(double));
    }
    return true;
}

/* ---- copies ------------------------------------------------------------------------------- */

typedef struct copier {
    reader *read;
    const array *what;
    int index[MAX_AXES];
} copier;

static int find_name(const array *a, const char *p)
{
    size_t length = cord__identifier_length(p);
    for (int k = 0; length && k < a->axes; k++) {
        if (strlen(a->names[k]) == length && memcmp(a->names[k], p, length) == 0) return k;
    }
    return -1;
}

/* The text with $i replaced; the same text if it has no variable. */
static const char *replaced(const copier *c, const char *text)
{
    size_t room = strlen(text) + 1;
    int found = 0;
    for (const char *p = text; (p = strchr(p, '$')); p++) {
        if (find_name(c->what, p + 1) >= 0) found++;
    }
    if (found == 0) return text;
    room += 12 * (size_t)found;
    char *copy = cord__arena_take(c->read->memory, room, 1), *to = copy;
    for (const char *p = text; copy && *p;) {
        int k = *p == '$' ? find_name(c->what, p + 1) : -1;
        if (k < 0) {
            *to++ = *p++;
            continue;
        }
        to += sprintf(to, "%d", c->index[k]);
        p += 1 + strlen(c->what->names[k]);
    }
    return copy;
}

static node *copy_node(copier *c, const node *n)
{
    reader *r = c->read;
    if (++r->copied > EXPAND_MAX_NODES) return NULL;
    node *copy = TAKE(r->memory, node, 1);
    if (!copy) return NULL;
    *copy = (node){.kind = n->kind, .at = n->at};
    if (n->kind == NODE_SCALAR) {
        copy->text = replaced(c, n->text);
        return copy->text ? copy : NULL;
    }
    for (int i = 0; i < n->count; i++) {
        node *value = copy_node(c, n->items[i]);
        if (!value || !cord__node_add(r->memory, copy, n->keys ? n->keys[i] : NULL, value)) {
            return NULL;
        }
    }
    return copy;
}

static bool set_key(arena *a, node *map, const char *key, node *value)
{
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) != 0) continue;
        map->items[i] = value;
        return true;
    }
    node *name = cord__node_scalar(a, map->at, key);
    return name && cord__node_add(a, map, name, value);
}

static void remove_key(node *map, const char *key)
{
    int kept = 0;
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) == 0) continue;
        map->keys[kept] = map->keys[i];
        map->items[kept++] = map->items[i];
    }
    map->count = kept;
}

static bool set_name(copier *c, node *item)
{
    const node *old = cord__node_get(item, "name");
    if (!old || old->kind != NODE_SCALAR) return true;
    char index[3 * 16] = "";
    for (int k = 0, used = 0; k < c->what->axes; k++) {
        used += snprintf(index + used, sizeof index - (size_t)used, "[%d]", c->index[k]);
    }
    node *name = cord__node_new(c->read->memory, old->at, NODE_SCALAR);
    if (name) name->text = cord__arena_print(c->read->memory, "%s%s", old->text, index);
    return name && name->text && set_key(c->read->memory, item, "name", name);
}

static bool set_offset(copier *c, node *item)
{
    if (!c->what->moves) return true;
    double x[3] = {0, 0, 0};
    const node *old = cord__node_get(item, "offset");
    if (old && !cord__read_vector(c->read, old, "offset", "m", x)) return false;
    arena *a = c->read->memory;
    node *list = cord__node_new(a, item->at, NODE_LIST);
    for (int d = 0; d < 3; d++) {
        for (int k = 0; k < c->what->axes; k++) x[d] += c->index[k] * c->what->offsets[k][d];
        char text[32];
        snprintf(text, sizeof text, "%.17g", x[d]);
        node *number = list ? cord__node_scalar(a, item->at, text) : NULL;
        if (!number || !cord__node_add(a, list, NULL, number)) return false;
    }
    return set_key(a, item, "offset", list);
}

/* ---- lists -------------------------------------------------------------------------------- */

static bool add_copies(reader *r, const node *item, const char *key, const array *a, node *list)
{
    copier c = {r, a, {0}};
    bool more = true;
    while (more) {
        node *copy = copy_node(&c, item);
        if (!copy && r->copied > EXPAND_MAX_NODES) {
            cord__diagnose(r->errors, cord__node_key_mark(item, key),
                           "the scene becomes too large with these copies");
        }
        if (!copy) return false;
        remove_key(copy, key);
        bool good = set_name(&c, copy) && set_offset(&c, copy);
        if (!good || !cord__node_add(r->memory, list, NULL, copy)) return false;
        more = false;
        for (int k = a->axes - 1; k >= 0 && !more; k--) {
            more = ++c.index[k] < a->counts[k];
            if (!more) c.index[k] = 0;
        }
    }
    return true;
}

static bool has_field(const mapping *map, const char *key)
{
    for (int i = 0; i < map->field_count; i++) {
        if (strcmp(map->fields[i].key, key) == 0) return true;
    }
    return false;
}

static bool expand_item(reader *r, const mapping *map, const node *item, node *list)
{
    const node *repeat = cord__node_get(item, "repeat"), *grid = cord__node_get(item, "grid");
    array a = {0};
    if (repeat && grid) {
        cord__diagnose(r->errors, grid->at, "either repeat or grid, not both");
        return false;
    }
    if (repeat ? !read_repeat(r, repeat, &a) : !read_grid(r, grid, &a)) return false;
    if (a.moves && !has_field(map, "offset")) {
        cord__diagnose(r->errors, (repeat ? repeat : grid)->at,
                       "a %s has no position to be offset; use $i in its values", map->name);
        return false;
    }
    return add_copies(r, item, repeat ? "repeat" : "grid", &a, list);
}

static bool is_array(const node *item)
{
    return cord__node_get(item, "repeat") || cord__node_get(item, "grid");
}

const node *cord__expand_list(reader *r, const mapping *map, const node *list, bool *good)
{
    bool any = false;
    for (int i = 0; i < list->count; i++) any = any || is_array(list->items[i]);
    if (!any) return list;
    node *whole = cord__node_new(r->memory, list->at, NODE_LIST);
    for (int i = 0; whole && i < list->count; i++) {
        node *item = list->items[i];
        int before = whole->count;
        bool added = is_array(item) ? expand_item(r, map, item, whole)
                                    : cord__node_add(r->memory, whole, NULL, item);
        if (!added) {
            whole->count = before;
            cord__note_invalid(r, map, item);
        }
        *good = added && *good;
    }
    return r->memory->failed ? NULL : whole;
}

/* ---- references --------------------------------------------------------------------------- */

/* Evaluates "[expression]" at *text to an integer. */
static bool read_index(reader *r, const node *n, const char **text, int *index)
{
    const char *end = strchr(*text, ']');
    char inside[128], error[160] = "a closing ] is missing";
    quantity q;
    bool good = end != NULL;
    if (good) {
        snprintf(inside, sizeof inside, "%.*s", (int)(end - *text - 1), *text + 1);
        good = cord__evaluate(r->scope, inside, &q, error, sizeof error);
    }
    if (good && (q.has_unit || q.value != floor(q.value) || fabs(q.value) > 1e6)) {
        snprintf(error, sizeof error, "[%.40s] is not a whole number", inside);
        good = false;
    }
    if (!good) {
        if (*error) cord__diagnose(r->errors, n->at, "\"%.60s\": %s", n->text, error);
        return false;
    }
    *text = end + 1;
    *index = (int)q.value;
    return true;
}

bool cord__read_reference(reader *r, const node *n, const char *text, const char **name)
{
    *name = text;
    const char *p = strchr(text, '[');
    if (!p) return true;
    const char *built = cord__arena_text(r->memory, text, (size_t)(p - text));
    while (built && *p == '[') {
        int index;
        if (!read_index(r, n, &p, &index)) return false;
        built = cord__arena_print(r->memory, "%s[%d]", built, index);
    }
    if (built && *p) built = cord__arena_print(r->memory, "%s%s", built, p);
    *name = built;
    return built != NULL;
}

static bool read_reference(reader *r, const field *f, const node *n, void *target)
{
    if (n->kind != NODE_SCALAR) {
        cord__diagnose(r->errors, n->at, "%s: expected a name", f->key);
        return false;
    }
    return cord__read_reference(r, n, n->text, target);
}

const special cord__reference_special = {"a name, or one of an array: hair[3], hair[$n - 1]",
                                         "{\"type\": \"string\"}", read_reference, NULL};
