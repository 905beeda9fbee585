#include "scene/arena.h"

#include "math/callback.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SMALLEST_BLOCK = 1024, LARGEST_BLOCK = 64 * 1024, ALIGNMENT = 16 };

struct arena_block {
    arena_block *next;
    char pad[ALIGNMENT - sizeof(arena_block *)];
    char bytes[];
};

void cord__arena_init(arena *a, const cord_allocator *allocator)
{
    memset(a, 0, sizeof *a);
    a->block = SMALLEST_BLOCK;
    cord__memory_init(&a->mem, allocator);
}

void cord__arena_free(arena *a)
{
    arena_block *block = a->blocks;
    while (block) {
        arena_block *next = block->next;
        cord__release(&a->mem, block);
        block = next;
    }
    a->blocks = NULL;
    a->next = NULL;
    a->left = 0;
}

static arena_block *add_block(arena *a, size_t bytes)
{
    arena_block *block =
        cord__cancelled() ? NULL : cord__allocate(&a->mem, 1, sizeof *block + bytes);
    if (!block) {
        a->failed = true;
        return NULL;
    }
    block->next = a->blocks;
    a->blocks = block;
    return block;
}

void *cord__arena_take(arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size) {
        a->failed = true;
        return NULL;
    }
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0) bytes = ALIGNMENT;
    bool large = bytes > a->left && bytes > a->block / 4; /* gets a separate block */
    if (large || a->piecewise) {
        arena_block *own = add_block(a, bytes);
        return own ? own->bytes : NULL;
    }
    if (bytes > a->left) {
        arena_block *block = add_block(a, a->block);
        if (!block) return NULL;
        a->next = block->bytes;
        a->left = a->block;
        if (a->block < LARGEST_BLOCK) a->block *= 2;
    }
    void *element = a->next;
    a->next += bytes;
    a->left -= bytes;
    return element;
}

char *cord__arena_text(arena *a, const char *text, size_t length)
{
    char *copy = cord__arena_take(a, length + 1, 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

char *cord__arena_print(arena *a, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : cord__arena_take(a, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
