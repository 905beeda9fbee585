/* Events: discrete changes between steps. A kind of event is one const table and one file; event.c lists them, in the order
 * in which they are looked for after a step. */
#ifndef CORDAGE_WORLD_EVENT_H
#define CORDAGE_WORLD_EVENT_H

#include "world/world.h"

typedef struct event_ops {
    const char *name;
    /* s from now on in which none occurs: the next step ends there. INFINITY: any time. */
    double (*time_to_event)(const cord_world *w);
    /* s into the last attempt of a step at which the first occurred: the step is repeated up to there. INFINITY: none
     * occurred. `left`: of the duration that was asked for. */
    double (*time_in_attempt)(const cord_world *w, double left);
    /* Applies those that have occurred by now. `statics`: at an equilibrium, where no time passes. */
    cord_status (*apply)(cord_world *w, bool statics, bool *changed);
    /* Where it changes the state itself: before and after velocities are made consistent with it. Then that is done at
     * once, and not with the next step. */
    void (*before_start)(cord_world *w);
    void (*after_start)(cord_world *w);
} event_ops;

extern const event_ops cord__event_slide, cord__event_release, cord__event_wrap, cord__event_impact;

double cord__time_to_next_event(const cord_world *w);
double cord__event_in_attempt(const cord_world *w, double left);
/* `changed`: the topology, so that islands are to be made again; `restart`: velocities are to be made consistent at once,
 * between the two calls below. */
cord_status cord__apply_events(cord_world *w, bool statics, bool *changed, bool *restart);
void cord__before_restart(cord_world *w);
void cord__after_restart(cord_world *w);

/* ---- event_release.c ---------------------------------------------------------------------------- */

cord_status cord__check_conditions(cord_world *w, const cord_constraint_def *def);
/* Of a constraint with its points, where the definition has conditions: allocated, and whether it begins released. */
cord_status cord__add_conditions(cord_world *w, constraint *r, const cord_constraint_def *def);
/* The state of its conditions, for checkpoints; NULL: it has none. */
void *cord__conditions_state(constraint *r, size_t *size);

#endif
