/* The allocator of one world. Every heap call of the library passes through it, so that the user's
 * allocator sees all of them, tests can make any one fail, and tests can show that a settled step
 * makes none. */
#ifndef CORDAGE_MATH_MEMORY_H
#define CORDAGE_MATH_MEMORY_H

#include <cordage/world.h>

typedef struct memory {
    cord_allocator allocator;
    int64_t calls; /* allocations and growths, not frees */
    size_t bytes;  /* allocated now */
} memory;

void cord__memory_init(memory *m, const cord_allocator *allocator); /* NULL: realloc and free */

/* Zeroed memory for count × size bytes, at least one byte; NULL on failure or overflow. */
void *cord__allocate(memory *m, size_t count, size_t size);

/* Resizes to count × size bytes, keeping the contents that fit; new bytes are zeroed. On failure
 * NULL, and `p` stays valid. */
void *cord__reallocate(memory *m, void *p, size_t count, size_t size);

void cord__release(memory *m, void *p); /* NULL is ignored */

size_t cord__allocated(const void *p); /* bytes */

/* A copy of a string or of an array; NULL on failure. */
char *cord__copy_string(memory *m, const char *text);
void *cord__copy(memory *m, const void *p, size_t count, size_t size);

#define NEW(m, type, count) ((type *)cord__allocate((m), (size_t)(count), sizeof(type)))

#endif
