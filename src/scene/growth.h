/* Growth of strands at their end. */
#ifndef CORDAGE_SCENE_GROWTH_H
#define CORDAGE_SCENE_GROWTH_H

#include "scene/time_function.h"

struct growth_data {
    const node *at;
    time_function rate;
    double until, element, period, zone;
    item_list natural; /* curvature_key */
    int ease;
};

extern const mapping cord__growth_map;

/* After all objects on the strand are added, and its natural shape is found. */
bool cord__build_growth(builder *b, const strand_data *s, cord_strand strand);

#endif
