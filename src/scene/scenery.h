/* What pictures show beside bodies: wheels, tubes, and the guides of cables. */
#ifndef CORDAGE_SCENE_SCENERY_H
#define CORDAGE_SCENE_SCENERY_H

#include "scene/cables.h"

typedef struct scenery {
    const char *name;
    const pulley_data *pulley; /* or: */
    const tube_data *tube;     /* or a guide: */
    const cable_data *cable;
    int guide;
    cord_shape shape; /* about the third axis of the point it is at */
} scenery;

/* Shapes, when it is known what runs over them. */
cord_status cord__build_scenery(cord_scene *scene, const cord_world *world);

#endif
