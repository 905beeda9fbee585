/* Solids that pictures show in addition to bodies: pulleys, tubes, the guides of cables, obstacles, and scenery,
 * which has no effect on the simulation: stands, planks, teeth. */
#ifndef CORDAGE_SCENE_SCENERY_H
#define CORDAGE_SCENE_SCENERY_H

#include "scene/cables.h"

typedef struct scenery {
    const char *name;
    const pulley_data *pulley;            /* or: */
    const tube_data *tube;                /* or: */
    const struct obstacle_data *obstacle; /* or: */
    const struct scenery_data *item;      /* or a guide: */
    const cable_data *cable;
    int guide;
} scenery;

/* Shapes, about the third axis of the point of each; after the cables on them are built. */
cord_status cord__build_scenery(cord_simulation *sim);
/* Finds the bodies that carry scenery. */
bool cord__resolve_scenery(cord_scene *scene);

#endif
