/* Springs of scenes. */
#ifndef CORDAGE_SCENE_SPRINGS_H
#define CORDAGE_SCENE_SPRINGS_H

#include "scene/scene_data.h"

extern const mapping cord__spring_map;

/* A constraint for each, at the end of their list; before names. */
bool cord__add_springs(cord_scene *scene);
/* Its ends and units; after names. True for other constraints. */
bool cord__resolve_spring(cord_scene *scene, constraint_data *d);

#endif
