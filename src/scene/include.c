#include "scene/include.h"

#include "scene/scene_data.h"
#include "scene/yaml_sections.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files that are being read, from the innermost to the outermost. */
typedef struct chain {
    const char *shown, *real;
    int depth;
    const struct chain *up;
} chain;

typedef struct includer {
    arena *memory;
    diagnostics *errors;
    file_access access;
    bool missing; /* a file could not be read */
    bool damaged; /* a section of a file could not be parsed */
    int count;
    const char *done[INCLUDE_MAX_FILES]; /* real names of all files so far */
} includer;

static node *load(includer *in, const char *path, mark at, const chain *up);

/* ---- merging ------------------------------------------------------------------------------ */

static bool is_list_of_maps(const node *n)
{
    for (int i = 0; n->kind == NODE_LIST && i < n->count; i++) {
        if (n->items[i]->kind != NODE_MAP) return false;
    }
    return n->kind == NODE_LIST && n->count > 0;
}

static int key_index(const node *map, const char *key)
{
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) == 0) return i;
    }
    return -1;
}

static const char *name_of(const node *item)
{
    const node *name = cord__node_get(item, "name");
    return name ? name->text : NULL;
}

static bool has_name(const node *item, const char *name)
{
    const char *own = name_of(item); /* NULL if a merge has removed it */
    return own && strcmp(own, name) == 0;
}

/* A hash table of the items of a list by their names: 1 + the index of the item, or 0. */
typedef struct name_table {
    const node *list;
    uint32_t count;
    int *item;
} name_table;

/* The slot of the first item of this name in the table, or the free slot for it. */
static int *find_named(const name_table *t, const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    uint32_t i = hash % t->count;
    while (t->item[i] > 0 && !has_name(t->list->items[t->item[i] - 1], name))
        i = (i + 1) % t->count;
    return t->item + i;
}

static void note_name(const name_table *t, int index)
{
    const char *name = name_of(t->list->items[index]);
    int *where = name ? find_named(t, name) : NULL;
    if (where && *where == 0) *where = index + 1;
}

static bool takes_away(const node *n)
{
    return n->kind == NODE_SCALAR && strcmp(n->text, "~") == 0;
}

static void remove_key(node *map, int i)
{
    map->count--;
    for (; i < map->count; i++) map->keys[i] = map->keys[i + 1], map->items[i] = map->items[i + 1];
}

static node *merged(arena *a, node *earlier, node *later);

/* An item with the name of an earlier one is merged into that one; other items are appended. */
static bool merge_items(arena *a, node *earlier, const node *later)
{
    name_table t = {earlier, 2 * ((uint32_t)earlier->count + (uint32_t)later->count), NULL};
    t.item = TAKE(a, int, t.count);
    if (!t.item) return false;
    for (int i = 0; i < earlier->count; i++) note_name(&t, i);
    for (int i = 0; i < later->count; i++) {
        const char *name = name_of(later->items[i]);
        int *where = name ? find_named(&t, name) : NULL;
        if (where && *where > 0) {
            node **same = &earlier->items[*where - 1];
            if (!(*same = merged(a, *same, later->items[i]))) return false;
            continue;
        }
        if (!cord__node_add(a, earlier, NULL, later->items[i])) return false;
        if (where) *where = earlier->count;
    }
    return true;
}

/* Merges `later` into `earlier`, which is modified. The depth is that of the files, which the YAML reader bounds. */
static node *merged(arena *a, node *earlier, node *later)
{
    if (is_list_of_maps(earlier) && is_list_of_maps(later)) {
        if (!merge_items(a, earlier, later)) return NULL;
        earlier->at = later->at;
        return earlier;
    }
    if (earlier->kind != NODE_MAP || later->kind != NODE_MAP) return later;
    for (int i = 0; i < later->count; i++) {
        int old = key_index(earlier, later->keys[i]->text);
        if (takes_away(later->items[i])) {
            if (old >= 0) remove_key(earlier, old);
            continue;
        }
        if (old < 0) {
            if (!cord__node_add(a, earlier, later->keys[i], later->items[i])) return NULL;
            continue;
        }
        earlier->items[old] = merged(a, earlier->items[old], later->items[i]);
        earlier->keys[old] = later->keys[i];
        if (!earlier->items[old]) return NULL;
    }
    earlier->at = later->at;
    return earlier;
}

/* ---- files -------------------------------------------------------------------------------- */

static const char *chain_text(arena *a, const chain *c, const char *last)
{
    const char *text = last;
    for (; c && text; c = c->up) text = cord__arena_print(a, "%s > %s", c->shown, text);
    return text ? text : last;
}

static bool may_include(includer *in, const char *shown, const char *real, mark at, const chain *up)
{
    const char *wrong = NULL;
    for (const chain *c = up; c; c = c->up) {
        if (strcmp(c->real, real) == 0) wrong = "files include each other in a circle";
    }
    if (!wrong && up && up->depth + 1 >= INCLUDE_MAX_DEPTH) wrong = "includes go too deep";
    if (!wrong && in->count >= INCLUDE_MAX_FILES) wrong = "too many files are included";
    if (!wrong) return true;
    cord__diagnose(in->errors, at, "%s: %s", wrong, chain_text(in->memory, up, shown));
    return false;
}

static bool was_included(const includer *in, const char *real)
{
    for (int i = 0; i < in->count; i++) {
        if (strcmp(in->done[i], real) == 0) return true;
    }
    return false;
}

/* A file that is included and has no line that begins with a key of a scene: none of its text may be shown. */
static bool is_scene(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *p = line + strspn(line, " \t\r{\"'");
        size_t length = cord__identifier_length(p);
        for (int i = 0; length && i < cord__scene_map.field_count; i++) {
            const char *key = cord__scene_map.fields[i].key;
            if (strlen(key) == length && strncmp(key, p, length) == 0 &&
                p[length + strspn(p + length, " \t\"'")] == ':')
                return true;
        }
    }
    return text[strspn(text, " \t\r\n")] == 0; /* an empty file has a diagnostic of its own */
}

/* The files that `from` includes, merged into *base. One that cannot be read leaves the scene incomplete. */
static void include_one(includer *in, const node *name, const chain *from, node **base)
{
    if (name->kind != NODE_SCALAR) {
        cord__diagnose(in->errors, name->at, "include: expected the name of a file");
        in->missing = true;
        return;
    }
    const char *path = cord__file_beside(in->memory, &in->access, from->shown, name->text);
    if (!path) return;
    if (!cord__file_allowed(&in->access, in->errors, name->at, name->text, path)) {
        in->missing = true;
        return;
    }
    int before = in->errors->count;
    node *n = load(in, path, name->at, from);
    if (!n) {
        if (in->errors->count > before) in->missing = true; /* otherwise it was read before */
        return;
    }
    if (n->kind != NODE_MAP) {
        cord__diagnose(in->errors, n->at, "a scene is a mapping (key: value)");
        in->missing = true;
        return;
    }
    *base = *base ? merged(in->memory, *base, n) : n;
}

static node *parse_file(includer *in, const char *path, mark at)
{
    size_t size = 0;
    char *text = cord__file_read(in->memory, in->errors, &in->access, at, path, &size);
    if (!text) return NULL;
    node *root = NULL;
    bool complete = true;
    if (is_scene(text)) {
        root = cord__yaml_read(in->memory, in->errors, path, text, size, &complete);
    } else {
        cord__diagnose(in->errors, (mark){path, 0, 0},
                       "it is not a scene: no line begins with a key of a scene, such as "
                       "\"cordage:\" or \"strands:\"");
    }
    in->damaged = in->damaged || !complete;
    cord__release(&in->memory->mem, text);
    return root;
}

/* The file with its included files; NULL without an error when it was read before. */
static node *load(includer *in, const char *path, mark at, const chain *up)
{
    chain here = {path, cord__file_identity(in->memory, &in->access, path), up ? up->depth + 1 : 0,
                  up};
    if (!here.real || !may_include(in, path, here.real, at, up)) return NULL;
    if (was_included(in, here.real)) return NULL;
    in->done[in->count++] = here.real;

    node *own = parse_file(in, path, at);
    const node *list = own ? cord__node_get(own, "include") : NULL;
    if (!list) return own;
    node *base = NULL;
    bool single = list->kind != NODE_LIST;
    for (int i = 0; i < (single ? 1 : list->count); i++)
        include_one(in, single ? list : list->items[i], &here, &base);
    if (in->memory->failed) return NULL;
    return base ? merged(in->memory, base, own) : own;
}

node *cord__include_read(reader *r, const char *path)
{
    includer *in = TAKE(r->memory, includer, 1);
    char *name = cord__arena_text(r->memory, path, strlen(path));
    if (!in || !name) return NULL;
    *in = (includer){.memory = r->memory, .errors = r->errors, .access = r->files};
    node *root = load(in, name, (mark){name, 0, 0}, NULL);
    r->complete = !in->missing && !in->damaged;
    r->partial = in->missing;
    return root;
}

static bool read_include(reader *r, const field *f, const node *n, void *target)
{
    (void)target;
    if (r->files.folder) return true;
    cord__diagnose(r->errors, n->at, "%s: this scene cannot name files", f->key);
    return false;
}

const special cord__include_special = {
    "the name of a scene file, or a list of them",
    "{\"oneOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
    "\"string\"}}]}",
    read_include, NULL};
