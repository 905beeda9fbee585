/* Scene files: a world described in YAML (or JSON, which is YAML). docs/scene.md describes the
 * format. A scene is read, then built into a world; it stays alive beside the world, because it
 * knows the names of things, the probes and the expected results. One thread at a time. */
#ifndef CORDAGE_SCENE_H
#define CORDAGE_SCENE_H

#include <cordage/body.h>
#include <cordage/constraint.h>
#include <stdbool.h>

CORD_BEGIN

typedef struct cord_scene cord_scene;

/* Read a scene, with the files it includes or names, which are relative to it. `overrides` are texts
 * "path.to.key=value", NULL-terminated, or NULL; list items in a path are named by their `name` or
 * counted from 0, and the value is YAML. *scene is returned even on failure, holding what is wrong;
 * it is NULL only when memory is out. */
CORD_API cord_status cord_scene_read(const char *path, const char *const *overrides,
                                     cord_scene **scene);
CORD_API void cord_scene_free(cord_scene *scene);

/* What is wrong, all of it (up to 50), as "file:line:column: message". */
CORD_API int cord_scene_get_error_count(const cord_scene *scene);
CORD_API const char *cord_scene_get_error(const cord_scene *scene, int i);

/* Make the world and everything in it; the caller destroys it. Failures are added to the scene's
 * errors, with the place of what could not be made. Handles below are those of the last build. */
CORD_API cord_status cord_scene_build(cord_scene *scene, cord_world **world);

/* ---- what it says ------------------------------------------------------------------------- */

typedef struct cord_scene_info {
    const char *title, *about, *paper, *figure; /* NULL when not given */
    double until, dt;                           /* s */
    double frame_interval;                      /* s, between recorded frames */
    bool equilibrium_first;                     /* statics before the first step */
    double kick;                                /* for cord_statics_def, m */
    const char *outputs;                        /* formats, comma between; NULL: all there are */
    int strand_count, body_count, path_count, point_count, clamp_count, constraint_count,
        probe_count, expectation_count, joint_count, controller_count;
    int pulley_count; /* drums too; as joints they come after the others */
    int solid_count;  /* bodies, then wheels and guides of cables: all that pictures show */
} cord_scene_info;

CORD_API cord_scene_info cord_scene_get_info(const cord_scene *scene);

/* Things in the order of the file. NULL or a null handle when `i` is out of range; clamps and
 * constraints may have no name (NULL). */
CORD_API const char *cord_scene_get_strand_name(const cord_scene *scene, int i);
CORD_API cord_strand cord_scene_get_strand(const cord_scene *scene, int i);
/* 0xrrggbb (sRGB), or -1 when the scene does not say. */
CORD_API int cord_scene_get_strand_colour(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_body_name(const cord_scene *scene, int i);
CORD_API cord_body cord_scene_get_body(const cord_scene *scene, int i);
CORD_API int cord_scene_get_body_colour(const cord_scene *scene, int i); /* likewise */
CORD_API const char *cord_scene_get_path_name(const cord_scene *scene, int i);
CORD_API cord_path cord_scene_get_path(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_point_name(const cord_scene *scene, int i);
CORD_API cord_point cord_scene_get_point(const cord_scene *scene, int i);
CORD_API const char *cord_scene_get_constraint_name(const cord_scene *scene, int i);
CORD_API cord_constraint cord_scene_get_constraint(const cord_scene *scene, int i);

typedef struct cord_scene_clamp {
    const char *name;
    cord_point point;
    cord_constraint coincide, align; /* `align` is null when only the place is held */
} cord_scene_clamp;
CORD_API cord_scene_clamp cord_scene_get_clamp(const cord_scene *scene, int i);

typedef struct cord_scene_joint {
    const char *name;         /* NULL: none */
    const char *kind;         /* "revolute" */
    cord_point first, second; /* what it joins; null of a gear */
    cord_point coordinate;    /* null until something in the scene uses it */
    cord_constraint hold[2];  /* the second may be null */
    cord_constraint motor;    /* what drives it; null: nothing, or a load */
} cord_scene_joint;
CORD_API cord_scene_joint cord_scene_get_joint(const cord_scene *scene, int i);

/* What pictures show: bodies, then wheels and guides of cables, which are no bodies. In `info` these have a
 * shape, about the third axis of where they are, and no mass. */
CORD_API const char *cord_scene_get_solid_name(const cord_scene *scene, int i);
CORD_API int cord_scene_get_solid_colour(const cord_scene *scene, int i);
CORD_API cord_status cord_scene_get_solid(const cord_scene *scene, const cord_world *world, int i,
                                          cord_body_info *info);
CORD_API cord_status cord_scene_get_solid_motion(const cord_scene *scene, cord_world *world, int i,
                                                 double position[3], double frame[9],
                                                 double velocity[3], double angular_velocity[3]);

/* ---- running it --------------------------------------------------------------------------- */

/* The scene's controllers look at the world and act, for the step of `duration` seconds that comes next.
 * Called again at the same time it does nothing. What controllers remember is kept with the world's state
 * (cord_world_reserve_user_state). */
CORD_API cord_status cord_scene_control(cord_scene *scene, cord_world *world, double duration);
/* That, then cord_world_step(). */
CORD_API cord_status cord_scene_step(cord_scene *scene, cord_world *world, double duration);

/* ---- what it means ------------------------------------------------------------------------ */

/* Of strand `i`, as drawn. */
typedef struct cord_strand_estimates {
    double slenderness; /* length over thickness */
    double element;     /* its shortest edge, m */
    double wave_speed;  /* of the fastest bending wave that the mesh carries, m/s */
    double wave_period; /* and its period, s */
} cord_strand_estimates;

CORD_API cord_status cord_scene_get_strand_estimates(const cord_scene *scene,
                                                     const cord_world *world, int i,
                                                     cord_strand_estimates *meaning);

/* How many frames a run records; a whole number. */
CORD_API double cord_scene_get_frame_count(const cord_scene *scene);

/* Look for choices that will disappoint: a step too long for what is driven or for the integrator,
 * too few vertices for the curvature or the twist, motion that is damped away, probes of nothing. For
 * the world of the last build. The warnings are as errors, "file:line:column: message". */
CORD_API cord_status cord_scene_advise(cord_scene *scene, cord_world *world);
CORD_API int cord_scene_get_warning_count(const cord_scene *scene);
CORD_API const char *cord_scene_get_warning(const cord_scene *scene, int i);

/* ---- probes ------------------------------------------------------------------------------- */

/* A probe measures `items` × `columns` numbers: one item for the world, a point or a constraint, one
 * per vertex or edge for a whole strand. Known after cord_scene_build(). */
typedef struct cord_probe_info {
    const char *name, *measure;
    const char *of; /* what it measures, as written; NULL: the world */
    int items, columns;
} cord_probe_info;

CORD_API cord_probe_info cord_scene_get_probe(const cord_scene *scene, int i);
/* Name and unit of a column, "z" and "m"; NULL when out of range. */
CORD_API const char *cord_scene_get_probe_column(const cord_scene *scene, int i, int column,
                                                 const char **unit);
/* Measure now: items × columns numbers, item by item. */
CORD_API cord_status cord_scene_sample(cord_scene *scene, cord_world *world, int probe,
                                       double *values);

/* ---- expected results --------------------------------------------------------------------- */

typedef struct cord_expectation {
    const char *probe, *component, *because; /* `because` may be NULL */
    double time;                             /* s; infinite: at the end */
    double value, tolerance;                 /* NaN when not given */
    double above, below;                     /* NaN when not given */
    double measured;                         /* NaN before it was observed */
    bool passed;                             /* false before it was observed */
} cord_expectation;

/* Look at what is due: call after every step, with `at_end` after the last. A result expected at
 * time t is taken from the first state at or after it, to within half a step. */
CORD_API cord_status cord_scene_observe(cord_scene *scene, cord_world *world, bool at_end);
CORD_API cord_expectation cord_scene_get_expectation(const cord_scene *scene, int i);

/* ---- spelling ----------------------------------------------------------------------------- */

/* The name in a NULL-terminated list most like `word`; NULL when none is close. */
CORD_API const char *cord_nearest_name(const char *word, const char *const *names);

CORD_END

#endif
