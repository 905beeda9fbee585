/* The numbers of a scene that a live page has sliders for: those under `live`, then the variables of `let`. */
#ifndef CORDAGE_SCENE_CONTROLS_H
#define CORDAGE_SCENE_CONTROLS_H

#include "scene/fields.h"

#include <cordage/scene.h>

typedef struct control_data {
    const node *at;
    const char *path, *label, *unit;
    double min, max; /* SI; NaN: not given */
    bool whole;
} control_data;

extern const mapping cord__control_map;

/* The controls of a scene, after its variables are known: scene->controls. False after a diagnostic, or when memory is
 * exhausted. */
bool cord__find_controls(cord_scene *scene);

#endif
