/* The files below a folder, for a session: none outside it, and nothing is written. */
#ifndef CORDAGE_CLI_VIEW_FILES_H
#define CORDAGE_CLI_VIEW_FILES_H

#include <cordage/scene.h>

typedef struct view_files {
    char folder[4096]; /* without symbolic links */
    char *bytes;       /* of the last file that was read */
} view_files;

/* The folder of a scene; *name is the scene in it. False: it does not exist. */
bool view_files_open(view_files *files, const char *path, const char **name);
void view_files_close(view_files *files);
/* cord_file_source.read; its user is a view_files. */
bool view_files_read(void *user, const char *path, const void **bytes, size_t *size);

#endif
