/* The solids of bodies: what their shapes are called in a scene. */
#ifndef CORDAGE_SCENE_SOLIDS_H
#define CORDAGE_SCENE_SOLIDS_H

#include "scene/fields.h"

#include <cordage/body.h>

/* A solid's struct is filled into this form whatever its kind; a mesh's arrays stay the scene's. */
typedef struct solid_ops {
    mapping map;
    void (*fill)(const void *data, cord_shape *shape);
} solid_ops;

extern const variant_set cord__solids;

#endif
