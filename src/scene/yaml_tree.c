#include "scene/yaml_tree.h"

#include <string.h>
#include <yaml.h>

typedef struct loader {
    arena *memory;
    diagnostics *errors;
    const char *file;
    bool inside; /* a value that is not in a file: lines and columns are meaningless */
    int first_line;
    const char *text;
    yaml_parser_t parser;
} loader;

static mark mark_of(const loader *l, yaml_mark_t m)
{
    if (l->inside) return (mark){l->file, 0, 0};
    return (mark){l->file, (int)m.line + l->first_line, (int)m.column + 1};
}

/* ---- nodes -------------------------------------------------------------------------------- */

const char *cord__node_kind_text(const node *n)
{
    static const char *const texts[] = {"a single value", "a list", "a mapping"};
    return texts[n->kind];
}

node *cord__node_new(arena *a, mark at, node_kind kind)
{
    node *n = TAKE(a, node, 1);
    if (n) {
        n->kind = kind;
        n->at = at;
    }
    return n;
}

node *cord__node_scalar(arena *a, mark at, const char *text)
{
    node *n = cord__node_new(a, at, NODE_SCALAR);
    if (n) n->text = cord__arena_text(a, text, strlen(text));
    return n && n->text ? n : NULL;
}

void cord__mark_invalid(const node *n)
{
    ((node *)n)->invalid = true; /* the tree is constant for all but its reader */
}

static node **grown(arena *a, node **old, int count, int capacity)
{
    node **list = TAKE(a, node *, capacity);
    if (list && count) memcpy(list, old, (size_t)count * sizeof *list);
    return list;
}

bool cord__node_add(arena *a, node *parent, node *key, node *value)
{
    if (parent->count == parent->capacity) {
        int capacity = parent->capacity ? 2 * parent->capacity : 4;
        node **items = grown(a, parent->items, parent->count, capacity);
        node **keys = key ? grown(a, parent->keys, parent->count, capacity) : NULL;
        if (!items || (key && !keys)) return false;
        parent->items = items;
        parent->keys = keys;
        parent->capacity = capacity;
    }
    if (key) parent->keys[parent->count] = key;
    parent->items[parent->count++] = value;
    return true;
}

static int find_key(const node *map, const char *key)
{
    if (!map || map->kind != NODE_MAP) return -1;
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) == 0) return i;
    }
    return -1;
}

node *cord__node_get(const node *map, const char *key)
{
    int i = find_key(map, key);
    return i < 0 ? NULL : map->items[i];
}

mark cord__node_key_mark(const node *map, const char *key)
{
    int i = find_key(map, key);
    return i < 0 ? map->at : map->keys[i]->at;
}

/* ---- from libyaml's events ---------------------------------------------------------------- */

/* The mark of a byte of the text; the column counts characters, that is bytes that do not continue one. */
static mark mark_of_byte(const loader *l, size_t offset)
{
    mark at = {l->file, l->first_line, 1};
    for (size_t i = 0; i < offset; i++) {
        bool continues = ((unsigned char)l->text[i] & 0xc0) == 0x80;
        if (!continues) at.column++;
        if (l->text[i] == '\n') at.line++, at.column = 1;
    }
    return at;
}

static void complain_parser(loader *l)
{
    const yaml_parser_t *p = &l->parser;
    if (p->error == YAML_MEMORY_ERROR) {
        l->memory->failed = true;
        return;
    }
    mark at = mark_of(l, p->problem_mark);
    if (p->error == YAML_READER_ERROR && !l->inside) at = mark_of_byte(l, p->problem_offset);
    const char *problem = p->problem ? p->problem : "not YAML";
    if (p->context &&
        !l->inside) { /* the start of an open bracket or quote, often the actual mistake */
        mark from = mark_of(l, p->context_mark);
        cord__diagnose(l->errors, at, "%s %s that begins at line %d, column %d", problem,
                       p->context, from.line, from.column);
    } else {
        cord__diagnose(l->errors, at, "%s", problem);
    }
}

static bool next_event(loader *l, yaml_event_t *event)
{
    if (yaml_parser_parse(&l->parser, event)) return true;
    complain_parser(l);
    return false;
}

static node *load_scalar(loader *l, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    mark at = mark_of(l, event->start_mark);
    if (memchr(text, 0, length)) {
        cord__diagnose(l->errors, at, "a text cannot contain a zero byte");
        return NULL;
    }
    node *n = cord__node_new(l->memory, at, NODE_SCALAR);
    if (n) n->text = cord__arena_text(l->memory, text, length);
    return n && n->text ? n : NULL;
}

static node *load_node(loader *l, yaml_event_t *event, int depth);

static bool load_list(loader *l, node *list, int depth)
{
    for (;;) {
        yaml_event_t event;
        if (!next_event(l, &event)) return false;
        bool end = event.type == YAML_SEQUENCE_END_EVENT;
        node *item = end ? NULL : load_node(l, &event, depth + 1);
        yaml_event_delete(&event);
        if (end) return true;
        if (!item || !cord__node_add(l->memory, list, NULL, item)) return false;
    }
}

bool cord__node_add_entry(arena *a, diagnostics *d, node *map, node *key, node *value)
{
    if (map->count == YAML_MAX_KEYS) {
        cord__diagnose(d, key->at, "more than %d keys in one mapping", YAML_MAX_KEYS);
        return false;
    }
    if (find_key(map, key->text) >= 0) {
        cord__diagnose(d, key->at, "\"%.64s\" is given twice", key->text);
        return true; /* the first value is used, and reading continues to find more errors */
    }
    return cord__node_add(a, map, key, value);
}

static bool load_map(loader *l, node *map, int depth)
{
    for (;;) {
        yaml_event_t event;
        if (!next_event(l, &event)) return false;
        bool end = event.type == YAML_MAPPING_END_EVENT;
        bool plain = event.type == YAML_SCALAR_EVENT;
        mark at = mark_of(l, event.start_mark);
        node *key = plain ? load_scalar(l, &event) : NULL;
        yaml_event_delete(&event);
        if (end) return true;
        if (!plain) cord__diagnose(l->errors, at, "a key must be a single word");
        if (!key || !next_event(l, &event)) return false;
        node *value = load_node(l, &event, depth + 1);
        yaml_event_delete(&event);
        if (!value || !cord__node_add_entry(l->memory, l->errors, map, key, value)) return false;
    }
}

static node *load_node(loader *l, yaml_event_t *event, int depth)
{
    mark at = mark_of(l, event->start_mark);
    if (event->type == YAML_SCALAR_EVENT) return load_scalar(l, event);
    if (event->type == YAML_ALIAS_EVENT) {
        cord__diagnose(l->errors, at, "aliases (*%.64s) are not accepted; write it out",
                       (const char *)event->data.alias.anchor);
        return NULL;
    }
    if (depth >= YAML_MAX_DEPTH) {
        cord__diagnose(l->errors, at, "nested deeper than %d levels", YAML_MAX_DEPTH);
        return NULL;
    }
    bool list = event->type == YAML_SEQUENCE_START_EVENT;
    node *n = cord__node_new(l->memory, at, list ? NODE_LIST : NODE_MAP);
    if (!n) return NULL;
    return (list ? load_list(l, n, depth) : load_map(l, n, depth)) ? n : NULL;
}

/* One document and nothing after it. */
static node *load_document(loader *l)
{
    node *root = NULL;
    bool done = false;
    while (!done) {
        yaml_event_t event;
        if (!next_event(l, &event)) return NULL;
        done = event.type == YAML_STREAM_END_EVENT;
        bool frame = done || event.type == YAML_STREAM_START_EVENT ||
                     event.type == YAML_DOCUMENT_START_EVENT ||
                     event.type == YAML_DOCUMENT_END_EVENT;
        bool second = !frame && root;
        if (second) {
            cord__diagnose(l->errors, mark_of(l, event.start_mark),
                           "a second document in one file");
        }
        if (!frame && !second) root = load_node(l, &event, 0);
        yaml_event_delete(&event);
        if (second || (!frame && !root)) return NULL;
    }
    if (!root) {
        cord__diagnose(l->errors, (mark){l->file, 0, 0},
                       l->inside ? "the value is missing" : "the file is empty");
    }
    return root;
}

static node *parse(loader *l, const char *text, size_t size)
{
    if (!l->file) return NULL;
    if (!yaml_parser_initialize(&l->parser)) {
        l->memory->failed = true;
        return NULL;
    }
    l->text = text;
    yaml_parser_set_input_string(&l->parser, (const unsigned char *)text, size);
    node *root = load_document(l);
    yaml_parser_delete(&l->parser);
    return root;
}

node *cord__yaml_parse(arena *a, diagnostics *d, const char *file, const char *text, size_t size,
                       int first_line)
{
    loader l = {.memory = a,
                .errors = d,
                .file = cord__arena_text(a, file, strlen(file)),
                .first_line = first_line};
    return parse(&l, text, size);
}

node *cord__yaml_value(arena *a, diagnostics *d, const char *origin, const char *text)
{
    loader l = {.memory = a, .errors = d, .file = origin, .inside = true};
    return parse(&l, text, strlen(text));
}
