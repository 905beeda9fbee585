/* Events: discrete changes between steps. A kind of event is one const table and one file; event.c lists them, in
 * the order in which they are detected after a step. */
#ifndef CORDAGE_WORLD_EVENT_H
#define CORDAGE_WORLD_EVENT_H

#include "world/world.h"

typedef struct event_ops {
    const char *name;
    /* The time in s from the present in which no event occurs: the next step ends then. INFINITY: unlimited. */
    double (*time_to_event)(const cord_world *w);
    /* The time in s from the start of the last attempt of a step to its first event: the step is repeated up to that
     * time. INFINITY: none occurred. `length`: of the attempt; `left`: the rest of the requested duration. */
    double (*time_in_attempt)(const cord_world *w, double length, double left);
    /* Applies the events that have occurred. `statics`: at an equilibrium, where time is constant. */
    cord_status (*apply)(cord_world *w, bool statics, bool *changed);
    /* Of an event that changes the state itself: called before and after velocities are made consistent with it,
     * which is then done immediately, and not with the next step. */
    void (*before_start)(cord_world *w);
    void (*after_start)(cord_world *w);
} event_ops;

extern const event_ops cord__event_slide, cord__event_release, cord__event_growth,
    cord__event_topology, cord__event_impact, cord__event_break, cord__event_quadrature;

double cord__time_to_next_event(const cord_world *w);
double cord__event_in_attempt(const cord_world *w, double length, double left);
/* `changed`: the topology has changed, so that clusters must be rebuilt; `restart`: velocities must be made
 * consistent immediately, between the two calls below. */
cord_status cord__apply_events(cord_world *w, bool statics, bool *changed, bool *restart);
void cord__before_restart(cord_world *w);
/* Whether the result of an attempt of this length is too far beyond a change of topology: topology_ops.is_late. */
bool cord__topology_is_late(cord_world *w, double length);
void cord__after_restart(cord_world *w);

/* ---- event_growth.c ----------------------------------------------------------------------------- */

/* Divides the last elements that are twice as long as those of the definition: before a step, so that contacts and forces of
 * the step before can be read until then. */
cord_status cord__divide_grown(cord_world *w);

/* ---- event_quadrature.c ------------------------------------------------------------------------- */

/* Lays out the arrays again. The motion goes on as it was: velocities and accelerations remain consistent. */
cord_status cord__lay_out_again(cord_world *w);
/* Chooses the quadrature of blocks by their committed configuration. */
cord_status cord__choose_quadratures(cord_world *w, bool *changed);
/* Refines the quadrature of blocks whose trial is beyond theirs: the attempt must be made again. */
cord_status cord__refine_quadratures(cord_world *w, bool *refined);
/* After a commit, or at the end of a step: one that has failed returns to the state before refinements. */
void cord__end_refinement(cord_world *w, bool failed);

/* ---- event_release.c ---------------------------------------------------------------------------- */

cord_status cord__check_conditions(cord_world *w, const cord_constraint_def *def);
/* Allocates the conditions of a constraint whose points are set, if its definition has any, and sets whether it is
 * initially released. */
cord_status cord__add_conditions(cord_world *w, constraint *r, const cord_constraint_def *def);
/* The state of its conditions, for checkpoints; NULL: it has none. */
void *cord__conditions_state(constraint *r, size_t *size);

#endif
