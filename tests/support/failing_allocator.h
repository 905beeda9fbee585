/* An allocator that fails on command and knows whether everything was given back. To show that
 * running out of memory is harmless wherever it happens:
 *
 *     for (int k = 0;; k++) {
 *         failing_allocator heap = {.fail_at = k};
 *         def.allocator = failing_allocator_ops(&heap);
 *         status = ...;
 *         assert_int_equal(heap.live, 0);     // after everything was destroyed
 *         if (!heap.failed) break;            // k is beyond the last allocation
 *         assert_int_equal(status, CORD_ERROR_MEMORY);
 *     } */
#ifndef CORDAGE_TESTS_FAILING_ALLOCATOR_H
#define CORDAGE_TESTS_FAILING_ALLOCATOR_H

#include "support/scenes.h"

#include <stdbool.h>

typedef struct failing_allocator {
    int fail_at; /* the allocation that fails, counted from 0; negative: none */
    int calls;   /* allocations and growths so far, the failed one included */
    int live;    /* allocations not yet freed */
    bool failed;
} failing_allocator;

cord_allocator failing_allocator_ops(failing_allocator *heap);

/* The loop above with a program in a new world of one thread, which makes at least the given
 * number of allocations. */
void failing_allocator_run(cord_status (*program)(cord_world *world), int least);

/* The same with a program of the given number of calls, numbered from 0: the call whose
 * allocation fails reports it and succeeds when repeated, and so do the calls after it. */
void failing_allocator_calls(const integration *by, cord_status (*call)(cord_world *, int number),
                             int calls, int least);

#endif
