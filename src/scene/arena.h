/* Memory that is freed in one call: that of a scene, and that of a simulation. */
#ifndef CORDAGE_SCENE_ARENA_H
#define CORDAGE_SCENE_ARENA_H

#include "math/memory.h"

#include <stdbool.h>

typedef struct arena_block arena_block;

typedef struct arena {
    memory mem;
    arena_block *blocks;
    char *next;
    size_t left;
    size_t block;   /* size of the next block: sizes grow with the scene */
    bool piecewise; /* a separate allocation for every request: for tests that count allocations */
    bool failed;    /* some call returned NULL: the data are incomplete */
} arena;

void cord__arena_init(arena *a, const cord_allocator *allocator);
void cord__arena_free(arena *a);

/* Zeroed memory for count × size bytes; NULL when there is none, and `failed` is set. */
void *cord__arena_take(arena *a, size_t count, size_t size);

/* A copy of `length` bytes with a terminating zero. */
char *cord__arena_text(arena *a, const char *text, size_t length);

/* A formatted text. */
char *cord__arena_print(arena *a, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#define TAKE(a, type, count) ((type *)cord__arena_take((a), (size_t)(count), sizeof(type)))

#endif
