/* Simulations: a scene that was read, built into a world. A simulation owns its world, the handles of the
 * scene's objects in it, the state of its controllers and the observed results. The scene is not changed by
 * it: one scene can be built into any number of simulations, and outlives them all. One thread at a time per
 * simulation; several simulations of one scene may run in several threads. */
#ifndef CORDAGE_SIMULATION_H
#define CORDAGE_SIMULATION_H

#include <cordage/contact.h>
#include <cordage/scene.h>

CORD_BEGIN

typedef struct cord_simulation cord_simulation;

/* Builds the world and every object of the scene in it. *simulation is returned even on failure, holding the
 * errors; it is NULL only when memory is out, or `scene` is NULL (CORD_ERROR_ARGUMENT). */
CORD_API cord_status cord_simulation_create(const cord_scene *scene, cord_simulation **simulation);
/* Destroys the world too. NULL is fine. */
CORD_API void cord_simulation_destroy(cord_simulation *simulation);

/* The reasons why it could not be built (up to 50), as "file:line:column: message". */
CORD_API int cord_simulation_get_error_count(const cord_simulation *simulation);
CORD_API const char *cord_simulation_get_error(const cord_simulation *simulation, int i);

CORD_API const cord_scene *cord_simulation_get_scene(const cord_simulation *simulation);
/* NULL when it could not be built, and for NULL. The simulation keeps it; it is not to be destroyed. */
CORD_API cord_world *cord_simulation_get_world(const cord_simulation *simulation);

/* ---- handles of the scene's objects -------------------------------------------------------- */

/* In the order of the file, as cord_scene_info counts them. A null handle when `i` is out of range. */
CORD_API cord_strand cord_simulation_get_strand(const cord_simulation *simulation, int i);
CORD_API cord_body cord_simulation_get_body(const cord_simulation *simulation, int i);
CORD_API cord_path cord_simulation_get_path(const cord_simulation *simulation, int i);
CORD_API cord_point cord_simulation_get_point(const cord_simulation *simulation, int i);
CORD_API cord_constraint cord_simulation_get_constraint(const cord_simulation *simulation, int i);
CORD_API cord_obstacle cord_simulation_get_obstacle(const cord_simulation *simulation, int i);

typedef struct cord_clamp_handles {
    cord_point point;
    cord_constraint coincide, align; /* `align` is null when only the position is clamped */
} cord_clamp_handles;
CORD_API cord_clamp_handles cord_simulation_get_clamp(const cord_simulation *simulation, int i);

typedef struct cord_joint_handles {
    cord_point first, second;       /* the points it joins; null of a gear */
    cord_point coordinate;          /* null until something in the scene uses it */
    cord_constraint constraints[2]; /* the second may be null */
    cord_constraint motor; /* prescribes its coordinate; null: nothing does, or a load drives it */
} cord_joint_handles;
CORD_API cord_joint_handles cord_simulation_get_joint(const cord_simulation *simulation, int i);

/* Solids are everything that pictures show beside strands: bodies, then the pulleys and guides of cables
 * and obstacles, which are no bodies. Those have in `info` a shape, about the third axis of their frame, and no mass. */
CORD_API cord_status cord_simulation_get_solid(const cord_simulation *simulation, int i,
                                               cord_body_info *info);
CORD_API cord_status cord_simulation_get_solid_motion(cord_simulation *simulation, int i,
                                                      double position[3], double frame[9],
                                                      double velocity[3],
                                                      double angular_velocity[3]);

/* ---- running ------------------------------------------------------------------------------- */

/* The scene's controllers measure and act, for the step of `duration` seconds that comes next. Called again
 * at the same time it does nothing. The state of controllers is part of the world's state
 * (cord_world_reserve_user_state). */
CORD_API cord_status cord_simulation_control(cord_simulation *simulation, double duration);
/* That, then cord_world_step(). */
CORD_API cord_status cord_simulation_step(cord_simulation *simulation, double duration);

/* ---- estimates and warnings ---------------------------------------------------------------- */

/* Of strand `i`, as drawn. */
typedef struct cord_strand_estimates {
    double slenderness; /* length over thickness */
    double element;     /* its shortest edge, m */
    double wave_speed;  /* of the fastest bending wave that the mesh carries, m/s */
    double wave_period; /* and its period, s */
} cord_strand_estimates;

CORD_API cord_status cord_simulation_get_strand_estimates(const cord_simulation *simulation, int i,
                                                          cord_strand_estimates *estimates);

/* Looks for choices that will disappoint: a step too long for a drive or for the integrator, too few
 * vertices for the curvature or the twist, overdamped motion, probes of points that never move. The
 * warnings have the form of errors, "file:line:column: message". */
CORD_API cord_status cord_simulation_advise(cord_simulation *simulation);
CORD_API int cord_simulation_get_warning_count(const cord_simulation *simulation);
CORD_API const char *cord_simulation_get_warning(const cord_simulation *simulation, int i);

/* ---- probes -------------------------------------------------------------------------------- */

/* How many items a probe measures: one for the world, a point or a constraint, one per vertex or edge for a
 * whole strand. 0 when `i` is out of range. */
CORD_API int cord_simulation_get_probe_item_count(const cord_simulation *simulation, int i);
/* Measures now: items × columns values, item by item. */
CORD_API cord_status cord_simulation_sample(cord_simulation *simulation, int probe, double *values);

/* ---- expected results ---------------------------------------------------------------------- */

typedef struct cord_expectation {
    const char *probe, *component;
    const char *because;     /* the reason of the expected result; NULL for a regression */
    const char *regression;  /* the earlier run that the expected result is taken from, or NULL */
    double time;             /* s; infinite: at the end */
    double value, tolerance; /* NaN when not given */
    double above, below;     /* NaN when not given */
    double measured;         /* NaN before it was observed */
    bool passed;             /* false before it was observed */
} cord_expectation;

/* Compares the expected results that are due: to be called after every step, with `at_end` after the last. A
 * result expected at time t is taken from the first state at or after it, to within half a step. */
CORD_API cord_status cord_simulation_observe(cord_simulation *simulation, bool at_end);
CORD_API cord_expectation cord_simulation_get_expectation(const cord_simulation *simulation, int i);

CORD_END

#endif
