#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *find_engine(char *path, size_t size)
{
    const char *const folders[] = {
        getenv("CORDAGE_HOME"),
#ifdef CORDAGE_INSTALL_DATA
        CORDAGE_INSTALL_DATA,
#endif
#ifdef CORDAGE_BUILD_DATA
        CORDAGE_BUILD_DATA,
#endif
    };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (!folders[i]) continue;
        int length = snprintf(path, size, "%s/engine.js", folders[i]);
        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0) return path;
    }
    return NULL;
}
