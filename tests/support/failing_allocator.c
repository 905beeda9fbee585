#include "support/failing_allocator.h"

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
