/* Files that a scene names, and the scene file itself. */
#ifndef CORDAGE_SCENE_FILES_H
#define CORDAGE_SCENE_FILES_H

#include "scene/diagnostics.h"

enum { FILE_MAX_BYTES = 64 * 1024 * 1024 };

/* The prefix of the "file" of overrides: names of files in them are relative to the working directory of the
 * command. */
#define OVERRIDE_PREFIX "--set "

/* A whole file with a terminating zero, to be released with cord__release(&a->mem, …). NULL after a diagnostic at
 * `at`, or when memory is exhausted (which the arena records). */
char *cord__file_read(arena *a, diagnostics *d, mark at, const char *path, size_t *size);

/* Resolves `name`, written in the file `from`: relative to the folder of that file. */
const char *cord__file_beside(arena *a, const char *from, const char *name);

#endif
