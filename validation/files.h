/* Files that come with Cordage. */
#ifndef CORDAGE_VALIDATION_FILES_H
#define CORDAGE_VALIDATION_FILES_H

#include <stdbool.h>

enum { FILE_PATH = 4096 };

/* FOLDER/NAME under $CORDAGE_HOME, else where it was installed, else in the source tree. False when it
 * cannot be read there. */
bool file_find(const char *folder, const char *name, char path[FILE_PATH]);

#endif
