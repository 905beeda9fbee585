/* Measures: the quantities that probes sample. One row per measure and kind of subject, in one list. */
#ifndef CORDAGE_SCENE_MEASURE_H
#define CORDAGE_SCENE_MEASURE_H

#include "scene/simulation_data.h"

typedef enum item_kind { PER_SUBJECT, PER_VERTEX, PER_EDGE, PER_ROW } item_kind;

typedef enum measure_kind {
    MEASURE_POSITION,
    MEASURE_VELOCITY,
    MEASURE_ANGULAR_VELOCITY,
    MEASURE_FRAME,
    MEASURE_COORDINATE,
    MEASURE_RATE,
    MEASURE_ANGLE,
    MEASURE_DEVIATION,
    MEASURE_CURVATURE,
    MEASURE_TWIST,
    MEASURE_TENSION,
    MEASURE_WRAP_ANGLE,
    MEASURE_FLEET_ANGLE,
    MEASURE_CONTACT,
    MEASURE_TOPOLOGY_CHANGES,
    MEASURE_SLACK,
    MEASURE_BREAKS,
    MEASURE_FORCE,
    MEASURE_TORQUE,
    MEASURE_DRIVE,
    MEASURE_OUTPUT,
    MEASURE_RESIDUAL,
    MEASURE_FRICTION_POWER,
    MEASURE_ATTACHED,
    MEASURE_ENERGY,
    MEASURE_MOMENTUM,
    MEASURE_ANGULAR_MOMENTUM,
    MEASURE_CONTACT_FORCE,
    MEASURE_CONTACT_COUNT,
    MEASURE_LEAST_GAP,
} measure_kind;

extern const choice cord__measures[];

typedef struct measure_ops {
    measure_kind kind;
    subject_kind subject;
    item_kind items;
    int columns;
    const char *const *column_names;
    const char *unit; /* NULL: rows of a constraint, whose kind determines the unit */
    cord_status (*sample)(cord_simulation *sim, const built_probe *p, double *values);
} measure_ops;

const measure_ops *cord__measure_list(int *count);
const measure_ops *cord__find_measure(int kind,
                                      subject_kind subject); /* NULL: not defined for it */
const char *cord__measure_name(int kind);
/* The unit where the coordinate is an angle; NULL: the same. */
const char *cord__angle_unit(int kind);
const char *cord__subject_text(subject_kind subject); /* "a strand" */

/* The reduction of the values along a strand to one. */
typedef enum reduction {
    OVER_ONLY, /* there is only one value */
    OVER_MAX,
    OVER_MIN,
    OVER_MEAN,
    OVER_RMS,
    OVER_SPAN, /* largest minus smallest */
    OVER_FIRST,
    OVER_LAST,
} reduction;

extern const choice cord__reductions[], cord__time_reductions[];

/* The strand or the body of a probe. */
const strand_data *cord__probe_strand(const cord_scene *scene, const probe_data *p);
const body_data *cord__probe_body(const cord_scene *scene, const probe_data *p);
/* The first probe of that name; -1: none. */
int cord__find_probe(const cord_scene *scene, const char *name);
/* Diagnoses an unknown name, with the nearest one; returns false. */
bool cord__no_such_probe(cord_scene *scene, const char *name, mark at);

/* Contacts (measure_contacts.c). Binding finds the objects on the other side. */
cord_status cord__bind_contacts(cord_simulation *sim, built_probe *p);
bool cord__is_of_contacts(int measure);
cord_status cord__measure_contact_force(cord_simulation *sim, const built_probe *p, double *values);
cord_status cord__measure_contact_count(cord_simulation *sim, const built_probe *p, double *values);
cord_status cord__measure_least_gap(cord_simulation *sim, const built_probe *p, double *values);
cord_status cord__measure_obstacle_position(cord_simulation *sim, const built_probe *p,
                                            double *values);

/* The column of a name; without a name the only column, or -1, the norm of a vector, which is then written to
 * `name`. */
bool cord__find_column(cord_scene *scene, const measure_ops *ops, mark at, const char **name,
                       int *column);
double cord__pick_column(const double *item, int columns, int column);

#endif
