/* How a point is written, wherever one is wanted: rope@start, rope@end, rope@40%, rope@0.12 m, a
 * named point, a body (its own origin), {body: bob, at: [x, y, z]}, or [x, y, z]. Probes also name whole
 * strands, bodies, constraints and clamps this way, and stops of cables: hoist@sheave, hoist@stop 2. */
#ifndef CORDAGE_SCENE_PLACE_H
#define CORDAGE_SCENE_PLACE_H

#include "scene/fields.h"

typedef enum place_kind {
    PLACE_NONE, /* not given */
    PLACE_WORLD,
    PLACE_STRAND_FRACTION,
    PLACE_STRAND_LENGTH,
    PLACE_NAME,
    PLACE_BODY,
    PLACE_STOP, /* of a cable: what it passes there */
} place_kind;

typedef struct place {
    const node *at;
    place_kind kind;
    const char *name; /* of the strand, point or body */
    double x[3];      /* PLACE_WORLD, PLACE_BODY: in its axes; m */
    double frame[9];  /* PLACE_BODY, in its axes */
    double along;     /* fraction, or m; PLACE_STOP: its number, -1: by its name */
    const char *stop; /* PLACE_STOP: the name of what is there; NULL: by its number */
} place;

extern const special cord__place_special;

#endif
