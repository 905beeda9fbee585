/* PNG files to pixels. */
#ifndef CORDAGE_SCENE_IMAGE_FILE_H
#define CORDAGE_SCENE_IMAGE_FILE_H

#include "scene/files.h"

#include <stdint.h>

enum {
    IMAGE_MAX_SIDE = 4096,      /* pixels */
    SCENE_MAX_PIXELS = 1 << 24, /* of all images of a scene: 64 MiB */
};

/* The pixels of a file. Images that show one file share them. */
typedef struct image_pixels {
    const char *path;
    int number; /* of the file among those of the scene */
    int columns, rows;
    unsigned char *rgba; /* 4 × columns × rows, sRGB, row by row from the top */
    struct image_pixels *next;
} image_pixels;

/* Decodes the PNG file in `text`, with at most *left pixels, and subtracts its pixels from *left. False after a
 * diagnostic at `at`, or when memory is exhausted (which the arena records). */
bool cord__image_decode(arena *a, diagnostics *d, mark at, const unsigned char *text, size_t size,
                        int64_t *left, image_pixels *image);

#endif
