/* A force, a torque and a force along the coordinate at a point, constant and by keyframes. */
#ifndef CORDAGE_FORCE_LOAD_H
#define CORDAGE_FORCE_LOAD_H

#include "curve/keyframes.h"
#include "solve/force.h"

typedef struct load_value {
    double force[3], torque[3], along;
} load_value;

/* The state of a load: its constant part, and that before it was set between steps, at the time `changed` (−∞: accelerations at
 * the start of the next step are those of the present one). */
typedef struct load_state {
    load_value value, before;
    double changed;
} load_state;

typedef struct load {
    force_term base; /* needs[0] contains NEEDS_FRAME if there is or may be a torque */
    load_state state;
    keyframes keys, torque_keys, along_keys;
} load;

extern const force_ops cord__load;

void cord__load_at(const load *l, double time, load_value *out);

#endif
