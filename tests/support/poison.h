/* Workspace full of NaNs. No step may read what an earlier step left there. */
#ifndef CORDAGE_TESTS_POISON_H
#define CORDAGE_TESTS_POISON_H

#include <cordage/cordage.h>

/* An allocator that remembers how long each allocation is, so that nothing of one is left out. */
enum { POISON_BLOCKS = 20000 };
typedef struct poison_memory {
    int count;
    struct {
        char *begin;
        size_t size;
    } block[POISON_BLOCKS];
} poison_memory;

cord_allocator poison_allocator(poison_memory *of);

/* All workspace of a world that took its memory from there: arrays of the problem, of its islands, their
 * factors and systems of rows, matrices of blocks, and what constraints had at their last evaluation. Returns
 * the number of bytes. */
size_t poison_workspace(const poison_memory *of, cord_world *world);

#endif
