/* A function of time as it is written: a number, or keys {t, value}. */
#ifndef CORDAGE_SCENE_COURSE_H
#define CORDAGE_SCENE_COURSE_H

#include "scene/scene_data.h"

typedef struct builder builder; /* build.h */

typedef struct course {
    const node *at;  /* NULL: not given */
    item_list items; /* drive_key with one value; a number is one key */
} course;

extern const special cord__course_special;

/* Its values have this dimension, apart from radians. */
bool cord__check_course(reader *r, const course *c, const char *key, dimension wanted);
bool cord__course_keys(builder *b, const course *c, int ease, cord_keys *keys);
double cord__keys_value(const cord_keys *keys, double t);

#endif
