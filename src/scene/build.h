/* Building a simulation: shared by the files that build its objects. */
#ifndef CORDAGE_SCENE_BUILD_H
#define CORDAGE_SCENE_BUILD_H

#include "scene/simulation_data.h"

struct builder {
    cord_simulation *simulation; /* under construction */
    const cord_scene *scene;     /* its scene and world */
    cord_world *world;
    cord_status status;
};

/* Builds the simulation; one that could not be built keeps its errors. */
cord_status cord__build(cord_simulation *sim);

/* Whether the item at this node is to be built: it is valid, and there is memory. */
bool cord__is_built_next(const builder *b, const node *at);

/* True for CORD_OK; otherwise an error is added, at the node of the object that could not be built. */
bool cord__check_built(builder *b, cord_status status, const node *at, const char *what);

/* The point of a location; the null point if none is specified. */
bool cord__build_point(builder *b, const location *p, cord_point *point);

/* Allocates keyframes, to be filled by `times` and `values`; they exist as long as the simulation. */
bool cord__make_keys(builder *b, int count, int width, int ease, double **times, double **values,
                     cord_keys *keys);
bool cord__drive_keys(builder *b, const item_list *list, int ease, cord_keys *keys); /* drive_key */

/* The keys of a prescribed motion. */
bool cord__build_script(builder *b, const script_data *s, cord_point_def *def);

/* All joints, gears last (build_joints.c). */
bool cord__build_joints(builder *b);

#endif
