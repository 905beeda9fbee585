/* A scene built into a world: the handles of its objects, and all data that change in a run. Arrays have an entry
 * per item of the scene's list, in its order. */
#ifndef CORDAGE_SCENE_SIMULATION_DATA_H
#define CORDAGE_SCENE_SIMULATION_DATA_H

#include "scene/controllers.h"
#include "scene/joints.h"
#include "scene/scene_data.h"

#include <cordage/simulation.h>

typedef struct built_strand {
    cord_strand handle;
    cord_inverse_result rest;     /* with `rest` */
    cord_status surface;          /* not CORD_OK: why it takes no part in contact */
    int breaks;                   /* that it may have at most: `breaks` */
    int vertex_count, edge_count; /* with `breaks`: of the strand before it breaks */
} built_strand;

typedef struct built_body {
    cord_body handle;
    cord_clamp_handles clamp; /* null: not clamped */
} built_body;

typedef struct built_joint {
    const joint_data *data;
    cord_point on[2];    /* the points it connects; of a pulley the first is its centre */
    double direction[3]; /* the axis, in the frame of the second */
    cord_point revolute, prismatic; /* coordinates; null until first use */
    cord_constraint constraints[2]; /* the second may be null; of a gear the first is the gear */
    cord_constraint motor;          /* it prescribes the coordinate */
    cord_keys effort;               /* of a motor with a prescribed torque or force */
    double groove; /* of a pulley: the radius of the thickest cable on it, m; 0: none */
} built_joint;

typedef struct built_controller {
    cord_keys target;
    cord_load load;             /* the load that it sets, or */
    cord_constraint constraint; /* the constraint whose drive it sets */
} built_controller;

/* Handles of one kind, by their index less one. */
typedef struct contact_partners {
    int count;
    bool *is;
} contact_partners;

typedef struct built_probe {
    const probe_data *data;
    cord_point point;
    cord_constraint constraints[2]; /* the second may be null */
    int items;
    double *scratch;
    int scratch_count;
    double *
        opened; /* of a closed strand: as many rows as it has once it is cut; NULL: `items` are enough */
    contact_partners
        with[3]; /* of measures of contacts: the strands, bodies and obstacles on the other side */
} built_probe;

/* Statistics of many values: count, sum and sum of squares, largest and smallest. */
typedef struct tally {
    double count, sum, squares, max, min;
} tally;

typedef struct observation {
    double measured;
    bool observed, passed;
    tally so_far; /* with `during` */
} observation;

struct cord_simulation {
    const cord_scene *scene;
    arena memory;
    diagnostics errors, warnings;
    cord_world *world; /* NULL: it could not be built */
    built_strand *strands;
    built_body *bodies;
    cord_path *paths;
    cord_point *points;
    cord_clamp_handles *clamps;
    built_joint *joints;
    cord_constraint *constraints;
    cord_load *loads;
    built_controller *controllers;
    built_probe *probes;
    observation *observations;
    cord_obstacle *obstacles;
    cord_contact *contacts; /* of the last step, for probes: contact_room */
    int contact_room;
    struct contact_numbers *contact_numbers; /* contact_records.c; NULL: not needed yet */
    cord_point *tubes;                       /* the origins of the axes they are drawn in */
    cord_point **guides;                     /* per cable and guide, for drawing */
    cord_shape *scenery;                     /* as scene->scenery */
    double last_time;                        /* of the last observation, s */
};

/* The index of an item in its list, which is also that of its entry in a simulation. */
#define INDEX(list, type, item) ((int)((item)-ITEM(list, type, 0)))

/* ---- handles by the scene's data */

cord_strand cord__strand_handle(const cord_simulation *sim, const strand_data *s);
cord_body cord__body_handle(const cord_simulation *sim, const body_data *b);
cord_path cord__path_handle(const cord_simulation *sim, const path_data *p);
built_joint *cord__built_joint(const cord_simulation *sim, const joint_data *j);

/* ---- points from locations (build.c, paths.c) */

/* The point of LOCATION_BODY, or of the name of a body. */
void cord__body_point_def(const cord_simulation *sim, const location *p, cord_point_def *def);
/* The point of a location on a path. */
cord_status cord__path_point_def(const cord_simulation *sim, const location *p, bool sliding,
                                 cord_point_def *def);
/* The arc length of a location on a strand in the world: the length of a fitted curve differs from that of its
 * polyline, and the length of a cable is computed from its route. */
cord_status cord__arc_in_world(const cord_simulation *sim, const strand_data *s, const location *p,
                               double along, double *arc);

/* ---- joints (build_joints.c) */

/* The joint's coordinate as a point, added by the first call; a cylindrical joint has a revolute and a
 * prismatic one, and its coordinate is the prismatic one. */
cord_status cord__joint_coordinate(cord_simulation *sim, built_joint *j, cord_point *point);
cord_status cord__joint_revolute(cord_simulation *sim, built_joint *j, cord_point *point);
/* Adds a constraint that drives the coordinate, from its present value. */
cord_status cord__joint_drive(cord_simulation *sim, built_joint *j);

/* ---- others */

cord_status cord__build_path(cord_simulation *sim, const path_data *p);
/* Computes the natural shape for which the initial shape of a chain is an equilibrium; the world has the error
 * (rest.c). */
cord_status cord__find_rest(cord_simulation *sim, const strand_data *s);
/* Binds probes to handles and sizes; after all other objects are built (probes.c). */
cord_status cord__bind_probes(cord_simulation *sim);
/* The last output of controller `i`. */
cord_status cord__controller_output(const cord_simulation *sim, int i, double *value);

#endif
