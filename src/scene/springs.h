/* Springs of scenes. */
#ifndef CORDAGE_SCENE_SPRINGS_H
#define CORDAGE_SCENE_SPRINGS_H

#include "scene/scene_data.h"

extern const mapping cord__spring_map;

/* Adds a constraint for each spring, at the end of the list of constraints; before names are resolved. */
bool cord__add_springs(cord_scene *scene);
/* Checks the ends and units of a spring; after names are resolved. True for other constraints. */
bool cord__resolve_spring(cord_scene *scene, constraint_data *d);

#endif
