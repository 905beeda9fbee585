#define _DEFAULT_SOURCE /* madvise */
#include "math/memory.h"

#include "math/callback.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Each allocation carries its size in front, so that the bytes in use can be counted. With 64 bytes
 * the user's part is aligned for vector loads whenever the allocator aligns to 64, as the default one does but for
 * arrays that grow, and to 16 always. */
typedef union header {
    size_t size;
    char pad[64];
} header;

/* A step reads the whole state of a large world; with 4 KiB pages, TLB misses are much of its cost. */
enum { HUGE_PAGE = 2 << 20 };

static void ask_for_huge_pages(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)p + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uintptr_t end = ((uintptr_t)p + size) / HUGE_PAGE * HUGE_PAGE;
    if (end > first)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE); /* a hint: failure is harmless */
#else
    (void)p, (void)size;
#endif
}

static void *default_resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    const size_t lines = (size + sizeof(header) - 1) / sizeof(header);
    p = p ? realloc(p, size) : aligned_alloc(sizeof(header), lines * sizeof(header));
    if (p && size >= 2 * HUGE_PAGE) ask_for_huge_pages(p, size);
    return p;
}

void cord__memory_init(memory *m, const cord_allocator *allocator)
{
    memset(m, 0, sizeof *m);
    if (allocator && allocator->resize) {
        m->allocator = *allocator;
    } else {
        m->allocator.resize = default_resize;
    }
}

static void *call_allocator(memory *m, void *p, size_t size)
{
    cord__callback_depth++;
    p = m->allocator.resize(m->allocator.user, p, size);
    cord__callback_depth--;
    return p;
}

void *cord__reallocate(memory *m, void *p, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - sizeof(header)) / size) return NULL;
    size_t bytes = count * size;
    header *old = p ? (header *)p - 1 : NULL;
    size_t old_bytes = old ? old->size : 0;
    m->calls++;
    header *h = call_allocator(m, old, sizeof(header) + bytes);
    if (!h) return NULL;
    h->size = bytes;
    m->bytes += bytes - old_bytes;
    if (bytes > old_bytes) memset((char *)(h + 1) + old_bytes, 0, bytes - old_bytes);
    return h + 1;
}

void *cord__allocate(memory *m, size_t count, size_t size)
{
    return cord__reallocate(m, NULL, count, size);
}

size_t cord__allocated(const void *p)
{
    return ((const header *)p - 1)->size;
}

void cord__release(memory *m, void *p)
{
    if (!p) return;
    header *h = (header *)p - 1;
    m->bytes -= h->size;
    call_allocator(m, h, 0);
}

void *cord__copy(memory *m, const void *p, size_t count, size_t size)
{
    void *copy = cord__allocate(m, count, size);
    if (copy && p && count && size) memcpy(copy, p, count * size);
    return copy;
}

char *cord__copy_string(memory *m, const char *text)
{
    return cord__copy(m, text, strlen(text) + 1, 1);
}
