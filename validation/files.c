#include "validation/files.h"
#include <stdio.h>
#include <stdlib.h>

#ifndef CORDAGE_INSTALL_DATA
#define CORDAGE_INSTALL_DATA "."
#endif
#ifndef CORDAGE_SOURCE_DATA
#define CORDAGE_SOURCE_DATA "."
#endif

static bool readable(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file != NULL) fclose(file);
    return file != NULL;
}

bool file_find(const char *folder, const char *name, char path[FILE_PATH])
{
    const char *const homes[] = {getenv("CORDAGE_HOME"), CORDAGE_INSTALL_DATA, CORDAGE_SOURCE_DATA};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        if (homes[i] == NULL) continue;
        int length = snprintf(path, FILE_PATH, "%s/%s/%s", homes[i], folder, name);
        if (length < FILE_PATH && readable(path)) return true;
    }
    return false;
}
