/* A YAML text as a tree of nodes with their marks in the file. The meaning of nodes is defined elsewhere. The input
 * is not trusted: size, depth and count are bounded, and aliases are rejected, so a small file cannot become a large
 * tree. */
#ifndef CORDAGE_SCENE_YAML_TREE_H
#define CORDAGE_SCENE_YAML_TREE_H

#include "scene/diagnostics.h"

enum {
    YAML_MAX_DEPTH = 64,
    YAML_MAX_KEYS = 4096, /* in one mapping; only the size of the file bounds lists */
};

typedef enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP } node_kind;

typedef struct node {
    node_kind kind;
    bool invalid; /* the item that it describes has an error, which was diagnosed */
    mark at;
    const char *text;    /* scalars; without inner zeros */
    int count, capacity; /* lists and maps */
    struct node **items; /* the values */
    struct node **keys;  /* maps: scalars */
} node;

/* All return NULL after a diagnostic, or when memory is exhausted, which the arena records.
 *
 * `text` begins at line `first_line` of the file. */
node *cord__yaml_parse(arena *a, diagnostics *d, const char *file, const char *text, size_t size,
                       int first_line);
/* A value that is not in a file; diagnostics name `origin`, which must outlive the tree. */
node *cord__yaml_value(arena *a, diagnostics *d, const char *origin, const char *text);

/* The value of a key, NULL if `map` has none or is not a map. */
node *cord__node_get(const node *map, const char *key);
/* The mark of the key itself; that of the map if there is none. */
mark cord__node_key_mark(const node *map, const char *key);

node *cord__node_scalar(arena *a, mark at, const char *text);
node *cord__node_new(arena *a, mark at, node_kind kind);
/* Append; `key` is NULL for lists. False when memory is exhausted. */
bool cord__node_add(arena *a, node *parent, node *key, node *value);
/* Adds an entry to a map; a key that the map has already is diagnosed and not added. False when memory is exhausted
 * or the map is too large. */
bool cord__node_add_entry(arena *a, diagnostics *d, node *map, node *key, node *value);

/* Marks the node of an item with errors, during reading. */
void cord__mark_invalid(const node *n);

const char *cord__node_kind_text(const node *n); /* "a list" */

#endif
