/* Reading mappings by tables. A mapping is described by a const table of fields: the key, the kind of its value, the
 * offset of the value in a struct, whether the key is required, its default (as text of a scene), its unit and one
 * line of explanation. The reader, the JSON Schema and the reference document are all generated from these tables.
 *
 * Every struct filled from a table begins with `const node *at`, the node it was read from. */
#ifndef CORDAGE_SCENE_FIELDS_H
#define CORDAGE_SCENE_FIELDS_H

#include "scene/expression.h"
#include "scene/files.h"
#include "scene/yaml_tree.h"

#include <stdint.h>

typedef enum field_kind {
    FIELD_NUMBER,  /* double; NaN when absent without a default */
    FIELD_NUMBERS, /* number_list: one number or a list of them; `detail`: count_range */
    FIELD_VECTOR,  /* double[3]; NaN when absent without a default */
    FIELD_POINTS,  /* number_list: a list of vectors, 3 numbers each */
    FIELD_INTEGER, /* int */
    FIELD_BOOL,    /* bool */
    FIELD_TEXT,    /* const char * */
    FIELD_CHOICE,  /* int; `detail`: choice list */
    FIELD_NAME,    /* const char *; `detail`: name_list, for kinds with a registry */
    FIELD_MAP,     /* pointer to the struct of `detail`: mapping; NULL when absent, unless the
                      default is "{}" */
    FIELD_LIST,    /* item_list of the struct of `detail`: mapping */
    FIELD_VARIANT, /* variant: a mapping with one key, which selects the kind; `detail`: variant_set */
    FIELD_PRESET,  /* pointer to a struct: a name or a mapping; `detail`: preset_set */
    FIELD_SPECIAL, /* `detail`: special */
} field_kind;

typedef enum limit {
    LIMIT_NONE,
    LIMIT_POSITIVE,
    LIMIT_NOT_NEGATIVE,
    LIMIT_POISSON,  /* -1 < x <= 1/2 */
    LIMIT_FRACTION, /* 0 <= x <= 1 */
    LIMIT_VERTICES, /* 2 ... 1e6 */
    LIMIT_COUNT,    /* 1 ... 1e6 */
    LIMIT_ORBIT,    /* 1 ... 1000 */
    LIMIT_ELEMENTS, /* 1 ... 1000 */
} limit;

typedef struct field {
    const char *key;
    field_kind kind;
    size_t offset;
    bool required;
    const char *fallback; /* the default, as text; NULL: none */
    const char *unit;     /* numbers: the SI unit; "" dimensionless; NULL: depends on other keys */
    limit range;
    const void *detail;
    const char *about;
} field;

typedef struct reader reader;

typedef struct mapping {
    const char *name;
    const char *about;
    size_t size;
    const field *fields;
    int field_count;
    /* Checks that need several fields; may be NULL. */
    bool (*finish)(reader *r, void *item);
} mapping;

typedef struct choice {
    const char *name; /* NULL ends the list */
    int value;
    const char *about;
} choice;

typedef struct name_list {
    const char *what; /* "strand model" */
    const char *const *(*names)(void);
} name_list;

typedef struct count_range {
    int min, max;
} count_range;

typedef struct variant_set {
    const char *what;                    /* "shape" */
    const mapping *const *(*list)(void); /* NULL-terminated */
} variant_set;

typedef struct preset {
    const char *name; /* NULL ends the list */
    const void *item; /* the struct that the mapping would fill */
} preset;

typedef struct preset_set {
    const mapping *map;
    const preset *presets;
} preset_set;

typedef struct special {
    const char *what;   /* "a location: rope@start, a named point or [x, y, z]" */
    const char *schema; /* JSON Schema of the value */
    bool (*read)(reader *r, const struct field *f, const node *n, void *target);
    const struct mapping *map; /* not NULL: alternative form, for schema and reference */
} special;

typedef struct number_list {
    int count; /* of numbers */
    double *values;
} number_list;

typedef struct item_list {
    int count;
    void *items; /* count structs */
} item_list;

typedef struct variant {
    const node *at;
    const mapping *kind; /* NULL when absent */
    void *data;
} variant;

/* An item that has errors: it is not in its list, but references to its name are no further errors. */
typedef struct invalid_item {
    const mapping *map;
    const char *name; /* "": none */
    struct invalid_item *next;
} invalid_item;

/* The state of reading, with counts of the memory in use: a small scene cannot cause large allocations. */
struct reader {
    arena *memory;
    diagnostics *errors;
    scope *scope; /* the variables; NULL: none */
    file_access files;
    bool complete; /* all names of the scene are known; otherwise an unknown one may be no error */
    bool partial;  /* an included file is missing, and with it keys of any item */
    invalid_item *invalid; /* items with errors */
    int invalid_count;
    int copied;       /* nodes copied by arrays */
    int64_t vertices; /* of all shapes so far */
    int64_t pixels;   /* of all images so far */
    struct image_pixels *images;
};

/* Fill `item` (zeroed, map->size bytes) from a node. Reading continues after errors to find all of them; false when
 * there was any. */
bool cord__read_mapping(reader *r, const mapping *map, const node *n, void *item);

/* Whether a node is yes, no, true, false, on or off; then its value. */
bool cord__node_bool(const node *n, bool *value);

/* Notes the name of an item with errors. */
void cord__note_invalid(reader *r, const mapping *map, const node *item);

/* One number of a given unit (NULL: any), within a range. */
bool cord__read_number(reader *r, const node *n, const char *what, const char *unit, limit range,
                       double *value);
bool cord__read_vector(reader *r, const node *n, const char *what, const char *unit, double *x);

#define FIELD_COUNT(fields) ((int)(sizeof(fields) / sizeof((fields)[0])))

#endif
