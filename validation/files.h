/* Data files of Cordage. */
#ifndef CORDAGE_VALIDATION_FILES_H
#define CORDAGE_VALIDATION_FILES_H

#include <stdbool.h>

enum { FILE_PATH = 4096 };

/* FOLDER/NAME under $CORDAGE_HOME, the installation, or the source tree. False when it cannot be
 * read. */
bool file_find(const char *folder, const char *name, char path[FILE_PATH]);

#endif
