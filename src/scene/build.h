/* Building a world from a scene: what its parts share. */
#ifndef CORDAGE_SCENE_BUILD_H
#define CORDAGE_SCENE_BUILD_H

#include "scene/scene_data.h"

typedef struct builder {
    cord_scene *scene;
    cord_world *world;
    cord_status status;
} builder;

/* True when all is well; otherwise the complaint has the place of what could not be made. */
bool cord__made(builder *b, cord_status status, const node *at, const char *what);

/* The point a place stands for; the null point when no place was given. */
bool cord__build_place(builder *b, const place *p, cord_point *point);

/* Room for keys, to be filled by `times` and `values`; they stay the scene's. */
bool cord__make_keys(builder *b, int count, int width, int ease, double **times, double **values,
                     cord_keys *keys);
bool cord__drive_keys(builder *b, const item_list *list, int ease, cord_keys *keys); /* drive_key */

/* All joints, gears last (build_joints.c). */
bool cord__build_joints(builder *b);

#endif
