#include "view_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 64 << 20 };

bool view_files_open(view_files *f, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX], real[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    *name = slash ? slash + 1 : path;
    if (!realpath(folder, real) || strlen(real) >= sizeof f->folder) return false;
    memcpy(f->folder, real, strlen(real) + 1);
    f->bytes = NULL;
    return true;
}

void view_files_close(view_files *f)
{
    free(f->bytes);
    f->bytes = NULL;
}

/* A regular file below the folder, wherever symbolic links lead. */
static bool is_inside(const view_files *f, const char *path)
{
    char real[PATH_MAX];
    struct stat status;
    size_t length = strcmp(f->folder, "/") == 0 ? 0 : strlen(f->folder);
    return realpath(path, real) && strncmp(real, f->folder, length) == 0 && real[length] == '/' &&
           stat(real, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_BYTES;
}

bool view_files_read(void *user, const char *path, const void **bytes, size_t *size)
{
    view_files *f = user;
    char whole[PATH_MAX];
    int length = snprintf(whole, sizeof whole, "%s/%s", f->folder, path);
    if (length < 0 || length >= PATH_MAX || !is_inside(f, whole)) return false;
    FILE *in = fopen(whole, "rb");
    if (!in) return false;
    free(f->bytes);
    f->bytes = malloc(MOST_BYTES + 1);
    *size = f->bytes ? fread(f->bytes, 1, MOST_BYTES, in) : 0;
    bool good = f->bytes && !ferror(in);
    fclose(in);
    char *fitted = good ? realloc(f->bytes, *size + 1) : NULL;
    if (fitted) f->bytes = fitted;
    *bytes = f->bytes;
    return good;
}
