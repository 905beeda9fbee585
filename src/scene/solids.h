/* The solids of bodies: their shapes in a scene. */
#ifndef CORDAGE_SCENE_SOLIDS_H
#define CORDAGE_SCENE_SOLIDS_H

#include "scene/fields.h"

#include <cordage/body.h>

/* The common form of a solid of any kind; the arrays of a mesh belong to the scene. */
typedef struct solid_ops {
    mapping map;
    void (*fill)(const void *data, cord_shape *shape);
} solid_ops;

extern const variant_set cord__solids;
extern const solid_ops cord__sphere_solid, cord__box_solid, cord__cylinder_solid,
    cord__capsule_solid, cord__mesh_solid;

#endif
