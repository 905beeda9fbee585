#include "support/failing_allocator.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static void *resize(void *user, void *memory, size_t size)
{
    failing_allocator *heap = user;
    if (size == 0) {
        heap->live -= memory != NULL;
        free(memory);
        return NULL;
    }
    if (heap->calls++ == heap->fail_at) {
        heap->failed = true;
        return NULL;
    }
    void *moved = realloc(memory, size);
    if (!moved) return NULL;
    if (!memory) {
        heap->live++;
        memset(moved, 0xa5, size); /* nobody may rely on zeroed pages */
    }
    return moved;
}

cord_allocator failing_allocator_ops(failing_allocator *heap)
{
    return (cord_allocator){.resize = resize, .user = heap};
}

/* The program with its allocation k failing; whether there was one. */
static bool fail_one(cord_status (*program)(cord_world *world), int k)
{
    failing_allocator heap = {.fail_at = k};
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    def.threads = 1;
    def.allocator = failing_allocator_ops(&heap);
    cord_status status = cord_world_create(&def, &w);
    if (status == CORD_OK) {
        status = program(w);
        cord_world_destroy(w);
    }
    assert_int_equal(heap.live, 0);
    assert_int_equal(status, heap.failed ? CORD_ERROR_MEMORY : CORD_OK);
    return heap.failed;
}

void failing_allocator_run(cord_status (*program)(cord_world *world), int least)
{
    int k = 0;
    while (fail_one(program, k)) k++;
    assert_true(k >= least);
}
