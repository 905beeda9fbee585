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

/* The parts of a diagnostic, which begins with the name of the file already where that is `path`. */
typedef struct file_name {
    const char *what, *gap;
} file_name;

static file_name name_in(mark at, const char *path)
{
    bool named = strcmp(at.file, path) == 0;
    return (file_name){named ? "" : path, named ? "" : " "};
}

static char *read_from_disk(arena *a, diagnostics *d, mark at, const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    file_name name = name_in(at, path);
    if (!in || is_directory(in)) {
        const char *why = strerror(in ? EISDIR : errno);
        cord__diagnose(d, at, "%s%scannot be opened: %s", name.what, name.gap, why);
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
        cord__diagnose(d, at, "%s%scannot be read: %s", name.what, name.gap, strerror(error));
    } else {
        cord__diagnose(d, at, "%s%slonger than %d MiB", name.what, name.gap, FILE_MAX_BYTES >> 20);
    }
    cord__release(&a->mem, text);
    return NULL;
}

static char *read_from_source(arena *a, diagnostics *d, const cord_file_source *source, mark at,
                              const char *path, size_t *size)
{
    const void *bytes = NULL;
    file_name name = name_in(at, path);
    if (!source->read(source->user, path, &bytes, size)) {
        cord__diagnose(d, at, "%s%scannot be opened: there is no such file", name.what, name.gap);
        return NULL;
    }
    if (*size > FILE_MAX_BYTES) {
        cord__diagnose(d, at, "%s%slonger than %d MiB", name.what, name.gap, FILE_MAX_BYTES >> 20);
        return NULL;
    }
    char *text = cord__allocate(&a->mem, *size + 1, 1);
    if (!text) a->failed = true;
    if (text && *size) memcpy(text, bytes, *size);
    return text;
}

/* Notes a file that was read. False: memory is exhausted. */
static bool note_path(arena *a, file_list *l, const char *path)
{
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->paths[i], path) == 0) return true;
    if (l->count == l->room) {
        const char **more = TAKE(a, const char *, 2 * l->room + 8);
        if (!more) return false;
        if (l->count) memcpy(more, l->paths, (size_t)l->count * sizeof *more);
        l->paths = more;
        l->room = 2 * l->room + 8;
    }
    l->paths[l->count] = cord__arena_text(a, path, strlen(path));
    return l->paths[l->count++] != NULL;
}

char *cord__file_read(arena *a, diagnostics *d, const file_access *access, mark at,
                      const char *path, size_t *size)
{
    char *text = access && access->source.read
                     ? read_from_source(a, d, &access->source, at, path, size)
                     : read_from_disk(a, d, at, path, size);
    if (!text || !access || !access->read || note_path(a, access->read, path)) return text;
    cord__release(&a->mem, text);
    return NULL;
}

/* ---- paths -------------------------------------------------------------------------------- */

static bool is_override(const char *file)
{
    return strncmp(file, OVERRIDE_PREFIX, strlen(OVERRIDE_PREFIX)) == 0;
}

/* A path of a source of files without the steps "." and "..", except those at its beginning that lead out of
 * the folder. */
static const char *simplified(arena *a, const char *path)
{
    char *out = cord__arena_text(a, path, strlen(path));
    if (!out) return NULL;
    const bool absolute = *path == '/';
    size_t used = absolute, depth = 0; /* steps of `out` that ".." takes away */
    for (const char *p = path; *p;) {
        size_t step = strcspn(p, "/");
        bool up = step == 2 && p[0] == '.' && p[1] == '.', stays = step == 1 && p[0] == '.';
        if (up && depth > 0) {
            while (used > absolute && out[used - 1] != '/') used--;
            used -= used > absolute;
            depth--;
        } else if (step > 0 && !stays && !(up && absolute)) {
            if (used > absolute) out[used++] = '/';
            memmove(out + used, p, step);
            used += step;
            depth += !up;
        }
        p += step;
        p += *p == '/';
    }
    out[used] = 0;
    return out;
}

/* The path without symbolic links; NULL: there is none. */
static const char *real_path(const char *path, char buffer[PATH_MAX])
{
#ifdef __wasi__ /* no file system */
    (void)path, (void)buffer;
    return NULL;
#else
    return realpath(path, buffer);
#endif
}

static bool has_source(const file_access *access)
{
    return access && access->source.read;
}

const char *cord__file_beside(arena *a, const file_access *access, const char *from,
                              const char *name)
{
    const char *slash = is_override(from) ? NULL : strrchr(from, '/');
    const char *path = *name == '/' || !slash
                           ? name
                           : cord__arena_print(a, "%.*s/%s", (int)(slash - from), from, name);
    return path && has_source(access) ? simplified(a, path) : path;
}

const char *cord__file_identity(arena *a, const file_access *access, const char *path)
{
    if (has_source(access)) return simplified(a, path);
    char buffer[PATH_MAX];
    const char *real = real_path(path, buffer), *text = real ? real : path;
    return cord__arena_text(a, text, strlen(text));
}

/* ---- access ------------------------------------------------------------------------------- */

static const char *folder_of(arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : cord__arena_text(a, path, (size_t)(slash - path));
}

file_access cord__file_access(arena *a, const char *path, bool outside,
                              const cord_file_source *source)
{
    file_access access = {.outside = outside, .read = TAKE(a, file_list, 1)};
    if (source) access.source = *source;
    const char *folder = folder_of(a, path);
    access.folder = folder ? cord__file_identity(a, &access, folder) : NULL;
    return access;
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

/* Of a file that does not exist the name alone decides, and of a source of files, whose paths are simplified: an empty
 * folder is the one where all paths begin. */
static bool is_permitted(const file_access *access, const char *name, const char *path)
{
    if (has_source(access))
        return *access->folder ? is_inside(path, access->folder) : *path != '/' && !goes_up(path);
    char buffer[PATH_MAX];
    const char *real = real_path(path, buffer);
    return access->outside ||
           (real ? is_inside(real, access->folder) : *name != '/' && !goes_up(name));
}

bool cord__file_allowed(const file_access *access, diagnostics *d, mark at, const char *name,
                        const char *path)
{
    if (!has_source(access) && is_override(at.file)) return true;
    if (is_permitted(access, name, path)) return true;
    cord__diagnose(d, at, "%s is outside the folder of the scene, and is not read%s", path,
                   has_source(access) ? "" : "; --allow-outside permits such files");
    return false;
}

char *cord__file_read_named(arena *a, diagnostics *d, const file_access *access, mark at,
                            const char *name, const char **path, size_t *size)
{
    if (!access->folder) {
        cord__diagnose(d, at, "file: this scene cannot name files");
        return NULL;
    }
    *path = cord__file_beside(a, access, at.file, name);
    bool allowed = *path && cord__file_allowed(access, d, at, name, *path);
    return allowed ? cord__file_read(a, d, access, at, *path, size) : NULL;
}
