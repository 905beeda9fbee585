/* Schedules: parameters of a strand, and gravity, as functions of time. */
#ifndef CORDAGE_SCENE_SCHEDULES_H
#define CORDAGE_SCENE_SCHEDULES_H

#include "scene/scene_data.h"

typedef struct builder builder; /* build.h */

struct schedule_data {
    const node *at;
    item_list load, natural_curvature, length, stiffness; /* drive_key */
    int ease;
};

extern const mapping cord__schedule_map, cord__gravity_key_map;

/* After all objects on the strand are added, and its natural shape is found. */
bool cord__build_schedule(builder *b, const strand_data *s, cord_strand strand);
bool cord__build_gravity(builder *b, const world_data *w);

#endif
