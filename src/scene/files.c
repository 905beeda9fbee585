#include "scene/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool is_override(const char *file)
{
    return strncmp(file, OVERRIDE_PREFIX, strlen(OVERRIDE_PREFIX)) == 0;
}

const char *cord__file_beside(arena *a, const char *from, const char *name)
{
    const char *slash = is_override(from) ? NULL : strrchr(from, '/');
    if (*name == '/' || !slash) return name;
    return cord__arena_print(a, "%.*s/%s", (int)(slash - from), from, name);
}

/* ---- access ------------------------------------------------------------------------------- */

file_access cord__file_access(arena *a, const char *path, bool outside)
{
    char real[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *folder = !slash          ? "."
                         : slash == path ? "/"
                                         : cord__arena_text(a, path, (size_t)(slash - path));
    if (!folder || !realpath(folder, real)) return (file_access){folder, outside};
    return (file_access){cord__arena_text(a, real, strlen(real)), outside};
}

/* Whether a path has the step "..", which may leave a folder that does not exist. */
static bool goes_up(const char *path)
{
    for (const char *p = path; (p = strstr(p, "..")); p += 2) {
        bool begins = p == path || p[-1] == '/';
        if (begins && (p[2] == 0 || p[2] == '/')) return true;
    }
    return false;
}

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool cord__file_allowed(const file_access *access, diagnostics *d, mark at, const char *name,
                        const char *path)
{
    char buffer[PATH_MAX];
    const char *real = realpath(path, buffer);
    if (access->outside || is_override(at.file)) return true;
    if (real ? is_inside(real, access->folder) : *name != '/' && !goes_up(name)) return true;
    cord__diagnose(
        d, at,
        "%s is outside the folder of the scene, and is not read; --allow-outside permits "
        "such files",
        path);
    return false;
}

char *cord__file_read_named(arena *a, diagnostics *d, const file_access *access, mark at,
                            const char *name, const char **path, size_t *size)
{
    if (!access->folder) {
        cord__diagnose(d, at, "file: this scene cannot name files");
        return NULL;
    }
    *path = cord__file_beside(a, at.file, name);
    bool allowed = *path && cord__file_allowed(access, d, at, name, *path);
    return allowed ? cord__file_read(a, d, at, *path, size) : NULL;
}
