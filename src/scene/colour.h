/* The colour of a strand in pictures: a name, or "#rrggbb". */
#ifndef CORDAGE_SCENE_COLOUR_H
#define CORDAGE_SCENE_COLOUR_H

#include "scene/fields.h"

typedef struct colour_value {
    bool given;
    int rgb; /* 0xrrggbb */
} colour_value;

extern const special cord__colour_special;

#endif
