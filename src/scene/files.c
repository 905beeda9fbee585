#include "scene/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Reads until the end without using the file size, so that pipes work too. */
static char *slurp(memory *m, FILE *in, size_t *size, bool *too_long, int *error)
{
    size_t capacity = 1 << 16, used = 0;
    char *text = cord__allocate(m, capacity, 1);
    *error = 0;
    while (text) {
        errno = 0;
        size_t got = fread(text + used, 1, capacity - 1 - used, in);
        used += got;
        text[used] = 0;
        if (ferror(in)) *error = errno;
        if (got == 0) break;
        *too_long = used > FILE_MAX_BYTES;
        if (*too_long) break;
        if (used + 1 < capacity) continue;
        char *more = cord__reallocate(m, text, 2 * capacity, 1);
        if (!more) cord__release(m, text);
        text = more;
        capacity *= 2;
    }
    *size = used;
    return text;
}

static bool is_directory(FILE *in)
{
    struct stat status;
    return fstat(fileno(in), &status) == 0 && S_ISDIR(status.st_mode);
}

char *cord__file_read(arena *a, diagnostics *d, mark at, const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    bool named = strcmp(at.file, path) == 0; /* the diagnostic begins with the name already */
    const char *what = named ? "" : path, *gap = named ? "" : " ";
    if (!in || is_directory(in)) {
        const char *why = strerror(in ? EISDIR : errno);
        cord__diagnose(d, at, "%s%scannot be opened: %s", what, gap, why);
        if (in) fclose(in);
        return NULL;
    }
    bool too_long = false;
    int error;
    char *text = slurp(&a->mem, in, size, &too_long, &error);
    fclose(in);
    if (!text) {
        a->failed = true;
        return NULL;
    }
    if (!error && !too_long) return text;
    if (error) {
        cord__diagnose(d, at, "%s%scannot be read: %s", what, gap, strerror(error));
    } else {
        cord__diagnose(d, at, "%s%slonger than %d MiB", what, gap, FILE_MAX_BYTES >> 20);
    }
    cord__release(&a->mem, text);
    return NULL;
}

const char *cord__file_beside(arena *a, const char *from, const char *name)
{
    bool typed = strncmp(from, OVERRIDE_PREFIX, strlen(OVERRIDE_PREFIX)) == 0;
    const char *slash = typed ? NULL : strrchr(from, '/');
    if (*name == '/' || !slash) return name;
    return cord__arena_print(a, "%.*s/%s", (int)(slash - from), from, name);
}
