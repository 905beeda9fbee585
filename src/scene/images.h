/* Images: PNG files that pages and pictures show in a plane. */
#ifndef CORDAGE_SCENE_IMAGES_H
#define CORDAGE_SCENE_IMAGES_H

#include "scene/fields.h"
#include "scene/image_file.h"

typedef struct image_data {
    const node *at;
    const char *name, *file; /* `name` may be NULL */
    double position[3], offset[3], width, height, right[3], up[3], opacity;
    /* computed */
    const image_pixels *pixels;
} image_data;

extern const mapping cord__image_map;

#endif
