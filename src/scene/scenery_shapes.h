/* Scenery: its keys, and the triangles of sheaves, gears and stands. */
#ifndef CORDAGE_SCENE_SCENERY_SHAPES_H
#define CORDAGE_SCENE_SCENERY_SHAPES_H

#include "scene/contacts.h"

/* About z. */
typedef struct gear_data {
    const node *at;
    double radius, width; /* pitch radius; along z */
    int teeth;
} gear_data;

typedef struct stand_data {
    const node *at;
    double foot[3], radius;
    number_list to; /* 3 numbers each */
} stand_data;

typedef struct scenery_data {
    const node *at;
    const char *name;
    void *solid[OBSTACLE_SOLIDS];
    gear_data *gear;
    stand_data *stand;
    double position[3], offset[3];
    rotation_data *rotation;
    const char *on; /* the body or obstacle that carries it; NULL: none */
    colour_value colour;
    int look; /* cord_look, or LOOK_AUTO */
} scenery_data;

extern const mapping cord__scenery_map;

/* Its pose in the world, or in the axes of the body or obstacle that carries it. */
void cord__scenery_pose(const scenery_data *d, double position[3], double frame[9]);

/* Their triangles belong to the arena. False: out of memory. */
bool cord__shape_scenery(arena *a, const scenery_data *d, cord_shape *shape);
bool cord__shape_gear(arena *a, const gear_data *g, cord_shape *shape);
/* A rim with a groove for the cable, a hub with a bearing, and spokes that make the rotation visible. */
bool cord__shape_sheave(arena *a, double radius, double groove, cord_shape *shape);

#endif
