/* Breakage: the limits at which a strand breaks. */
#ifndef CORDAGE_SCENE_BREAKAGE_H
#define CORDAGE_SCENE_BREAKAGE_H

#include "scene/scene_data.h"

typedef struct builder builder; /* build.h */

typedef struct breakage_data {
    const node *at;
    double tension, curvature; /* NaN: not given */
    item_list locations;
    int most;
} breakage_data;

extern const mapping cord__breakage_map;

/* After all objects on the strand are added. */
bool cord__build_breakage(builder *b, const strand_data *s, cord_strand strand);

#endif
