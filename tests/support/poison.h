/* Fills workspace with NaNs. No step may read workspace values of an earlier step. */
#ifndef CORDAGE_TESTS_POISON_H
#define CORDAGE_TESTS_POISON_H

#include <cordage/cordage.h>

/* An allocator that records the size of each allocation, so that all of it is filled. */
enum { POISON_BLOCKS = 20000 };
typedef struct poison_memory {
    int count;
    struct {
        char *begin;
        size_t size;
    } block[POISON_BLOCKS];
} poison_memory;

cord_allocator poison_allocator(poison_memory *of);

/* All workspace of a world that uses this allocator: arrays of the problem, of its clusters,
 * their factors and systems of rows, matrices of blocks, and the last evaluation of constraints.
 * Returns the number of bytes. */
size_t poison_workspace(const poison_memory *of, cord_world *world);

#endif
