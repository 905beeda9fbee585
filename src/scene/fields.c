#include "scene/fields.h"

#include "math/nearest.h"
#include "math/range.h"
#include "scene/expand.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- ranges ------------------------------------------------------------------------------- */

static const struct {
    double min, max;
    bool open; /* the minimum itself is excluded */
    const char *text;
} limits[] = {
    [LIMIT_NONE] = {-INFINITY, INFINITY, false, ""},
    [LIMIT_POSITIVE] = {0, INFINITY, true, "must be positive"},
    [LIMIT_NOT_NEGATIVE] = {0, INFINITY, false, "must not be negative"},
    [LIMIT_POISSON] = {-1, 0.5, true, "must be above -1 and at most 0.5"},
    [LIMIT_FRACTION] = {0, 1, false, "must be between 0 and 1"},
    [LIMIT_VERTICES] = {2, 1e6, false, "must be between 2 and 1000000"},
    [LIMIT_COUNT] = {1, 1e6, false, "must be between 1 and 1000000"},
    [LIMIT_ORBIT] = {1, 1000, false, "must be between 1 and 1000"},
    [LIMIT_ELEMENTS] = {1, 1000, false, "must be between 1 and 1000"},
};

static bool within(limit range, double x)
{
    bool low = limits[range].open ? x > limits[range].min : x >= limits[range].min;
    return low && x <= limits[range].max;
}

static bool expect_kind(reader *r, const node *n, node_kind kind, const char *what,
                        const char *wanted)
{
    if (n->kind == kind) return true;
    cord__diagnose(r->errors, n->at, "%s: expected %s, got %s", what, wanted,
                   cord__node_kind_text(n));
    return false;
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* "a length (m)". */
static const char *wanted_text(const char *unit, char buffer[96])
{
    return unit && *unit ? cord__dimension_text(cord__unit_dimension(unit), buffer, 96)
                         : "a number";
}

bool cord__read_number(reader *r, const node *n, const char *what, const char *unit, limit range,
                       double *value)
{
    char buffer[2][96];
    if (n->kind != NODE_SCALAR)
        return expect_kind(r, n, NODE_SCALAR, what, wanted_text(unit, buffer[0]));
    quantity q;
    char error[160];
    if (!cord__evaluate(r->scope, n->text, &q, error, sizeof error)) {
        if (*error) /* otherwise a variable has an error of its own */
            cord__diagnose(r->errors, n->at, "%s: expected %s, but %s", what,
                           wanted_text(unit, buffer[0]), error);
        return false;
    }
    if (unit && q.has_unit && !cord__same_dimension(q.dim, cord__unit_dimension(unit))) {
        cord__diagnose(r->errors, n->at, "%s: expected %s, got %s: \"%.40s\"", what,
                       wanted_text(unit, buffer[0]), cord__dimension_text(q.dim, buffer[1], 96),
                       n->text);
        return false;
    }
    if (!cord__in_range(&q.value, 1)) {
        cord__diagnose(r->errors, n->at, "%s is %g, beyond the largest value, %g: \"%.40s\"", what,
                       q.value, LARGEST_VALUE, n->text);
        return false;
    }
    if (!within(range, q.value)) {
        char worked[48] = "";
        if (strpbrk(n->text, "$()*^")) snprintf(worked, sizeof worked, " = %g", q.value);
        cord__diagnose(r->errors, n->at, "%s %s, got %.40s%s", what, limits[range].text, n->text,
                       worked);
        return false;
    }
    *value = q.value;
    return true;
}

bool cord__read_vector(reader *r, const node *n, const char *what, const char *unit, double *x)
{
    if (n->kind != NODE_LIST || n->count != 3) {
        cord__diagnose(r->errors, n->at, "%s: expected a vector [x, y, z]", what);
        return false;
    }
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = cord__read_number(r, n->items[i], what, unit, LIMIT_NONE, &x[i]) && good;
    }
    return good;
}

static bool read_number(reader *r, const field *f, const node *n, void *target)
{
    return cord__read_number(r, n, f->key, f->unit, f->range, target);
}

static bool read_vector(reader *r, const field *f, const node *n, void *target)
{
    return cord__read_vector(r, n, f->key, f->unit, target);
}

static bool read_integer(reader *r, const field *f, const node *n, void *target)
{
    double x;
    if (!cord__read_number(r, n, f->key, "", f->range, &x)) return false;
    if (x != floor(x) || fabs(x) > INT_MAX) {
        cord__diagnose(r->errors, n->at, "%s: expected a whole number, got %.40s", f->key, n->text);
        return false;
    }
    *(int *)target = (int)x;
    return true;
}

static bool read_numbers(reader *r, const field *f, const node *n, void *target)
{
    const count_range *range = f->detail;
    int count = n->kind == NODE_LIST ? n->count : 1;
    if (n->kind == NODE_MAP || count < range->min || count > range->max) {
        cord__diagnose(r->errors, n->at, "%s: expected a number or a list of %d to %d", f->key,
                       range->min, range->max);
        return false;
    }
    number_list *list = target;
    double *values = TAKE(r->memory, double, count);
    bool good = values != NULL;
    for (int i = 0; values && i < count; i++) {
        const node *item = n->kind == NODE_LIST ? n->items[i] : n;
        good = cord__read_number(r, item, f->key, f->unit, f->range, &values[i]) && good;
    }
    *list = (number_list){count, values};
    return good;
}

static bool read_points(reader *r, const field *f, const node *n, void *target)
{
    if (!expect_kind(r, n, NODE_LIST, f->key, "a list of points [x, y, z]")) return false;
    number_list *list = target;
    double *values = TAKE(r->memory, double, 3 * (size_t)n->count);
    if (!values) return false;
    bool good = true;
    for (int i = 0; i < n->count; i++) {
        good = cord__read_vector(r, n->items[i], f->key, f->unit, &values[3 * (size_t)i]) && good;
    }
    *list = (number_list){3 * n->count, values};
    return good;
}

/* ---- words -------------------------------------------------------------------------------- */

static void append_word(char *all, size_t size, const char *word)
{
    size_t used = strlen(all);
    snprintf(all + used, size - used, "%s%s", used ? ", " : "", word);
}

/* A search for a word in a list: the known words, and the nearest one. */
typedef struct word_search {
    const char *word;
    nearest best;
    char all[256];
} word_search;

static word_search look_for(const char *word)
{
    return (word_search){.word = word, .best = cord__nearest_begin(word)};
}

static bool is_it(word_search *w, const char *name)
{
    if (strcmp(w->word, name) == 0) return true;
    cord__nearest_offer(&w->best, name);
    append_word(w->all, sizeof w->all, name);
    return false;
}

static bool not_found(reader *r, const field *f, const node *n, const word_search *w)
{
    char hint[96];
    cord__diagnose(r->errors, n->at, "%s: \"%.40s\" is not one of %s%s", f->key, w->word, w->all,
                   cord__nearest_hint(&w->best, hint, sizeof hint));
    return false;
}

bool cord__node_bool(const node *n, bool *value)
{
    static const choice words[] = {{"yes", 1, ""},   {"no", 0, ""}, {"true", 1, ""},
                                   {"false", 0, ""}, {"on", 1, ""}, {"off", 0, ""},
                                   {NULL, 0, ""}};
    for (const choice *c = words; n->kind == NODE_SCALAR && c->name; c++) {
        if (strcmp(c->name, n->text) != 0) continue;
        *value = c->value;
        return true;
    }
    return false;
}

static bool read_bool(reader *r, const field *f, const node *n, void *target)
{
    if (!expect_kind(r, n, NODE_SCALAR, f->key, "yes or no")) return false;
    if (cord__node_bool(n, target)) return true;
    cord__diagnose(r->errors, n->at, "%s: expected yes or no, got \"%.40s\"", f->key, n->text);
    return false;
}

static bool read_text(reader *r, const field *f, const node *n, void *target)
{
    if (!expect_kind(r, n, NODE_SCALAR, f->key, "a text")) return false;
    *(const char **)target = n->text;
    return true;
}

static bool read_choice(reader *r, const field *f, const node *n, void *target)
{
    if (!expect_kind(r, n, NODE_SCALAR, f->key, "a word")) return false;
    word_search search = look_for(n->text);
    for (const choice *c = f->detail; c->name; c++) {
        if (!is_it(&search, c->name)) continue;
        *(int *)target = c->value;
        return true;
    }
    return not_found(r, f, n, &search);
}

static bool read_name(reader *r, const field *f, const node *n, void *target)
{
    const name_list *list = f->detail;
    if (!expect_kind(r, n, NODE_SCALAR, f->key, list->what)) return false;
    *(const char **)target = n->text;
    word_search search = look_for(n->text);
    for (const char *const *name = list->names(); *name; name++) {
        if (is_it(&search, *name)) return true;
    }
    return not_found(r, f, n, &search);
}

/* ---- items with errors -------------------------------------------------------------------- */

static bool needs_name(const mapping *map)
{
    for (int i = 0; i < map->field_count; i++)
        if (strcmp(map->fields[i].key, "name") == 0) return map->fields[i].required;
    return false;
}

void cord__note_invalid(reader *r, const mapping *map, const node *item)
{
    const node *name = cord__node_get(item, "name");
    bool named = name && name->kind == NODE_SCALAR;
    if (!named && needs_name(map)) r->complete = false;
    invalid_item *one = TAKE(r->memory, invalid_item, 1);
    if (!one) return;
    *one = (invalid_item){map, named ? name->text : "", r->invalid};
    r->invalid = one;
    r->invalid_count++;
}

/* ---- nested mappings ---------------------------------------------------------------------- */

/* The member is a pointer to some struct; copying its bytes breaks no aliasing rule. */
static void store_pointer(void *target, void *item)
{
    memcpy(target, &item, sizeof item);
}

static bool read_map(reader *r, const field *f, const node *n, void *target)
{
    const mapping *map = f->detail;
    void *item = cord__arena_take(r->memory, 1, map->size);
    store_pointer(target, item);
    bool good = item && cord__read_mapping(r, map, n, item);
    if (!good) cord__mark_invalid(n);
    return good;
}

/* Whether two items are copies of one array. */
static bool is_copy(const node *a, const node *b)
{
    return a->at.file == b->at.file && a->at.line == b->at.line && a->at.column == b->at.column;
}

static bool read_list(reader *r, const field *f, const node *n, void *target)
{
    const mapping *map = f->detail;
    if (!expect_kind(r, n, NODE_LIST, f->key, "a list (each item begins with \"- \")")) {
        r->complete = false;
        return false;
    }
    bool good = true;
    n = cord__expand_list(r, map, n, &good);
    if (!n) return false;
    item_list *list = target;
    char *items = cord__arena_take(r->memory, (size_t)n->count, map->size);
    if (!items) return false;
    *list = (item_list){0, items};
    int failed = 0; /* copies of the present array */
    for (int i = 0; i < n->count && r->errors->count < DIAGNOSTICS_MAX; i++) {
        char *item = items + (size_t)list->count * map->size;
        if (i > 0 && !is_copy(n->items[i], n->items[i - 1])) failed = 0;
        /* Further copies of an array have the same errors. */
        if (failed < DIAGNOSTICS_MAX && cord__read_mapping(r, map, n->items[i], item)) {
            list->count++;
            continue;
        }
        failed++;
        memset(item, 0, map->size);
        cord__note_invalid(r, map, n->items[i]);
        good = false;
    }
    return good;
}

static bool complain_variant(reader *r, const field *f, const node *n, const char *wrong)
{
    const variant_set *set = f->detail;
    char all[256] = "", hint[96];
    nearest best = cord__nearest_begin(wrong ? wrong : "");
    for (const mapping *const *m = set->list(); *m; m++) {
        append_word(all, sizeof all, (*m)->name);
        if (wrong) cord__nearest_offer(&best, (*m)->name);
    }
    if (wrong) {
        cord__diagnose(r->errors, n->keys[0]->at, "%s: \"%.40s\" is not a %s: %s%s", f->key, wrong,
                       set->what, all, cord__nearest_hint(&best, hint, sizeof hint));
    } else {
        cord__diagnose(r->errors, n->at, "%s: expected one %s, as {%s: {...}}, of: %s", f->key,
                       set->what, (*set->list())->name, all);
    }
    return false;
}

static bool read_variant(reader *r, const field *f, const node *n, void *target)
{
    const variant_set *set = f->detail;
    if (n->kind != NODE_MAP || n->count != 1) return complain_variant(r, f, n, NULL);
    const mapping *const *m = set->list();
    while (*m && strcmp((*m)->name, n->keys[0]->text) != 0) m++;
    if (!*m) return complain_variant(r, f, n, n->keys[0]->text);
    void *data = cord__arena_take(r->memory, 1, (*m)->size);
    if (!data) return false;
    bool good = cord__read_mapping(r, *m, n->items[0], data);
    if (good) *(variant *)target = (variant){n, *m, data};
    return good;
}

static bool read_preset(reader *r, const field *f, const node *n, void *target)
{
    const preset_set *set = f->detail;
    void *item = cord__arena_take(r->memory, 1, set->map->size);
    if (!item) return false;
    if (n->kind != NODE_SCALAR) {
        store_pointer(target, item);
        return cord__read_mapping(r, set->map, n, item);
    }
    word_search search = look_for(n->text);
    for (const preset *p = set->presets; p->name; p++) {
        if (!is_it(&search, p->name)) continue;
        memcpy(item, p->item, set->map->size);
        *(const node **)item = n;
        store_pointer(target, item);
        return true;
    }
    return not_found(r, f, n, &search);
}

static bool read_special(reader *r, const field *f, const node *n, void *target)
{
    const special *s = f->detail;
    return s->read(r, f, n, target);
}

/* ---- one mapping -------------------------------------------------------------------------- */

typedef bool (*field_reader)(reader *r, const field *f, const node *n, void *target);

static const field_reader readers[] = {
    [FIELD_NUMBER] = read_number, [FIELD_NUMBERS] = read_numbers, [FIELD_VECTOR] = read_vector,
    [FIELD_POINTS] = read_points, [FIELD_INTEGER] = read_integer, [FIELD_BOOL] = read_bool,
    [FIELD_TEXT] = read_text,     [FIELD_CHOICE] = read_choice,   [FIELD_NAME] = read_name,
    [FIELD_MAP] = read_map,       [FIELD_LIST] = read_list,       [FIELD_VARIANT] = read_variant,
    [FIELD_PRESET] = read_preset, [FIELD_SPECIAL] = read_special,
};

/* A default as a node: a word or number, "[a, b, c]" or "{}". */
static node *fallback_node(reader *r, const char *text, mark at)
{
    if (strcmp(text, "{}") == 0) return cord__node_new(r->memory, at, NODE_MAP);
    if (*text != '[') {
        node *word = cord__node_new(r->memory, at, NODE_SCALAR);
        if (word) word->text = text; /* a constant of the table */
        return word;
    }
    node *list = cord__node_new(r->memory, at, NODE_LIST);
    char item[32];
    for (const char *p = text + 1; list && *p && *p != ']';) {
        size_t length = strcspn(p, ",]");
        snprintf(item, sizeof item, "%.*s", (int)length, p);
        node *n = cord__node_scalar(r->memory, at, item);
        if (!n || !cord__node_add(r->memory, list, NULL, n)) return NULL;
        p += length;
        if (*p == ',') p++;
    }
    return list;
}

/* The value of an absent key without a default, where zero would be a valid value. */
static void set_absent(const field *f, void *target)
{
    double *x = target;
    if (f->kind == FIELD_NUMBER) x[0] = NAN;
    if (f->kind == FIELD_VECTOR) x[0] = x[1] = x[2] = NAN;
}

static bool read_field(reader *r, const mapping *map, const field *f, const node *n, void *item)
{
    void *target = (char *)item + f->offset;
    const node *value = cord__node_get(n, f->key);
    set_absent(f, target);
    if (value) return readers[f->kind](r, f, value, target);
    if (f->required) {
        if (!r->partial)
            cord__diagnose(r->errors, n->at, "%s needs \"%s\": %s", map->name, f->key, f->about);
        return false;
    }
    if (!f->fallback) return true;
    value = fallback_node(r, f->fallback, n->at);
    return value && readers[f->kind](r, f, value, target);
}

static bool is_known_key(const mapping *map, const char *key)
{
    for (int i = 0; i < map->field_count; i++) {
        if (strcmp(map->fields[i].key, key) == 0) return true;
    }
    return false;
}

static bool check_keys(reader *r, const mapping *map, const node *n)
{
    bool good = true;
    for (int k = 0; k < n->count; k++) {
        const node *key = n->keys[k];
        if (is_known_key(map, key->text)) continue;
        nearest best = cord__nearest_begin(key->text);
        for (int i = 0; i < map->field_count; i++) {
            cord__nearest_offer(&best, map->fields[i].key);
        }
        char hint[96];
        cord__diagnose(r->errors, key->at, "%s has no key \"%.40s\"%s", map->name, key->text,
                       cord__nearest_hint(&best, hint, sizeof hint));
        good = false;
    }
    return good;
}

bool cord__read_mapping(reader *r, const mapping *map, const node *n, void *item)
{
    *(const node **)item = n;
    if (!expect_kind(r, n, NODE_MAP, map->name, "a mapping (key: value)")) return false;
    bool known = check_keys(r, map, n), good = true;
    for (int i = 0; i < map->field_count; i++) {
        good = read_field(r, map, &map->fields[i], n, item) && good;
    }
    return good && (!map->finish || map->finish(r, item)) && known;
}
