/* How a point is written, wherever one is wanted: rope@start, rope@end, rope@40%, rope@0.12 m, a
 * named point, or [x, y, z]. Probes also name whole strands, relations and clamps this way. */
#ifndef CORDAGE_SCENE_PLACE_H
#define CORDAGE_SCENE_PLACE_H

#include "scene/fields.h"

typedef enum place_kind {
    PLACE_NONE, /* not given */
    PLACE_WORLD,
    PLACE_STRAND_FRACTION,
    PLACE_STRAND_LENGTH,
    PLACE_NAME,
} place_kind;

typedef struct place {
    const node *at;
    place_kind kind;
    const char *name; /* of the strand or point */
    double x[3];      /* PLACE_WORLD, m */
    double along;     /* fraction, or m */
} place;

extern const special cord__place_special;

#endif
