/* Files that a scene names, and the scene file itself. */
#ifndef CORDAGE_SCENE_FILES_H
#define CORDAGE_SCENE_FILES_H

#include "scene/diagnostics.h"

#include <cordage/scene.h>

enum { FILE_MAX_BYTES = 64 * 1024 * 1024 };

/* The prefix of the "file" of overrides: names of files in them are relative to the working directory of the
 * command. */
#define OVERRIDE_PREFIX "--set "

/* The paths of the files that were read, each once, in the order of reading. */
typedef struct file_list {
    int count, room;
    const char **paths;
} file_list;

/* The files that a scene may name: those in the folder of the scene and in folders below it, unless `outside`; none
 * without a folder. Files that an override names are not restricted: the user wrote it. */
typedef struct file_access {
    const char *folder; /* without symbolic links; NULL: no files */
    bool outside;
    cord_file_source source; /* without a function: the file system */
    file_list *read;
} file_access;

/* The access of the scene file `path`. */
file_access cord__file_access(arena *a, const char *path, bool outside,
                              const cord_file_source *source);
/* False after a diagnostic at `at`, where the file `path` is written as `name`. */
bool cord__file_allowed(const file_access *access, diagnostics *d, mark at, const char *name,
                        const char *path);

/* A whole file with a terminating zero, to be released with cord__release(&a->mem, …). NULL after a diagnostic at
 * `at`, or when memory is exhausted (which the arena records). `access` may be NULL: the file system. */
char *cord__file_read(arena *a, diagnostics *d, const file_access *access, mark at,
                      const char *path, size_t *size);

/* Resolves `name`, written in the file `from`: relative to the folder of that file. */
const char *cord__file_beside(arena *a, const file_access *access, const char *from,
                              const char *name);

/* A text that is the same for all paths of one file. NULL: memory is exhausted. */
const char *cord__file_identity(arena *a, const file_access *access, const char *path);

/* Reads the file `name`, written at `at`, if the scene may name it; *path is its path. As cord__file_read(). */
char *cord__file_read_named(arena *a, diagnostics *d, const file_access *access, mark at,
                            const char *name, const char **path, size_t *size);

#endif
