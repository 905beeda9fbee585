/* PNG files. */
#ifndef CORDAGE_RECORD_PNG_H
#define CORDAGE_RECORD_PNG_H

#include "math/memory.h"

/* `rgba` has 4 × width × height bytes, row by row from the top. The file has three channels when every
 * pixel is opaque, four otherwise. CORD_ERROR_FILE when it cannot be written. */
cord_status cord__png_write(memory *mem, const char *path, int width, int height,
                            const unsigned char *rgba);

#endif
