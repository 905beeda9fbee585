/* A function of time in a scene: a number, or keys {t, value}. */
#ifndef CORDAGE_SCENE_TIME_FUNCTION_H
#define CORDAGE_SCENE_TIME_FUNCTION_H

#include "scene/scene_data.h"

typedef struct builder builder; /* build.h */

typedef struct time_function {
    const node *at;  /* NULL: not specified */
    item_list items; /* drive_key with one value; a number is one key */
} time_function;

extern const special cord__time_function_special;

/* Checks that its values have this dimension, apart from radians. */
bool cord__check_time_function(reader *r, const time_function *c, const char *key,
                               dimension wanted);
bool cord__time_function_keys(builder *b, const time_function *c, int ease, cord_keys *keys);
double cord__keys_value(const cord_keys *keys, double t);

#endif
