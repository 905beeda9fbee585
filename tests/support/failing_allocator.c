#include "support/failing_allocator.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static void *resize(void *user, void *old, size_t size)
{
    failing_allocator *heap = user;
    if (size == 0) {
        heap->live -= old != NULL;
        free(old);
        return NULL;
    }
    if (heap->calls++ == heap->fail_at) {
        heap->failed = true;
        return NULL;
    }
    void *moved = realloc(old, size);
    if (!moved) return NULL;
    if (!old) {
        heap->live++;
        memset(moved, 0xa5, size); /* callers must not rely on zeroed memory */
    }
    return moved;
}

cord_allocator failing_allocator_ops(failing_allocator *heap)
{
    return (cord_allocator){.resize = resize, .user = heap};
}

/* A world whose allocation k fails; NULL if that was one of its own. */
static cord_world *world_on(failing_allocator *heap, const integration *by)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    def.threads = 1;
    if (by) def.integrator = by->integrator, def.scheme = by->scheme;
    def.allocator = failing_allocator_ops(heap);
    cord_status status = cord_world_create(&def, &w);
    assert_int_equal(status, heap->failed ? CORD_ERROR_MEMORY : CORD_OK);
    return w;
}

/* Whether there was an allocation k to fail. */
static bool fail_program(cord_status (*program)(cord_world *), int k)
{
    failing_allocator heap = {.fail_at = k};
    cord_world *w = world_on(&heap, NULL);
    if (w) {
        cord_status status = program(w);
        assert_int_equal(status, heap.failed ? CORD_ERROR_MEMORY : CORD_OK);
    }
    cord_world_destroy(w);
    assert_int_equal(heap.live, 0);
    return heap.failed;
}

void failing_allocator_run(cord_status (*program)(cord_world *world), int least)
{
    int k = 0;
    while (fail_program(program, k)) k++;
    assert_true(k >= least);
}

static void make_call(cord_world *w, const failing_allocator *heap,
                      cord_status (*call)(cord_world *, int), int number)
{
    bool failed = heap->failed;
    cord_status status = call(w, number);
    if (heap->failed && !failed && status != CORD_OK) {
        assert_int_equal(status, CORD_ERROR_MEMORY);
        assert_true(cord_world_get_error(w)[0] != '\0');
        status = call(w, number); /* memory is back */
    }
    if (status != CORD_OK)
        fail_msg("allocation %d, call %d: %s: %s", heap->fail_at, number, cord_status_text(status),
                 cord_world_get_error(w));
}

/* Whether there was an allocation k to fail. */
static bool fail_call(const integration *by, cord_status (*call)(cord_world *, int), int calls,
                      int k)
{
    failing_allocator heap = {.fail_at = k};
    cord_world *w = world_on(&heap, by);
    for (int number = 0; w && number < calls; number++) make_call(w, &heap, call, number);
    cord_world_destroy(w);
    assert_int_equal(heap.live, 0);
    return heap.failed;
}

void failing_allocator_calls(const integration *by, cord_status (*call)(cord_world *, int),
                             int calls, int least)
{
    int k = 0;
    while (fail_call(by, call, calls, k)) k++;
    assert_true(k >= least);
}
