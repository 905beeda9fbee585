/* Cables and their guides in the terms of engineers: pulleys and drums, which are represented by joints, so that
 * their rotation can be used like that of any joint, and routes, lists of the waypoints of a cable. */
#ifndef CORDAGE_SCENE_CABLES_H
#define CORDAGE_SCENE_CABLES_H

#include "scene/build.h"
#include "scene/joints.h"
#include "scene/scene_data.h"

#include <cordage/cable.h>

/* Friction between a pulley and a cable. */
typedef struct wrap_friction_value {
    bool given; /* false: the default of the kind of waypoint */
    cord_wrap_friction kind;
    double friction; /* CORD_WRAP_CAPSTAN: the coefficient */
} wrap_friction_value;

typedef struct pulley_data {
    const node *at;
    const char *name, *rotates_with; /* `rotates_with`: a joint or another pulley; NULL: none */
    location where;
    double offset[3], axis[3], radius, inertia, friction, width, length,
        pitch; /* NaN: not specified */
    wrap_friction_value wrap_friction;
    motor_data *motor;
    colour_value colour;
    int teeth; /* in pictures; 0: none */
    /* computed */
    int joint; /* index of the joint that represents it */
} pulley_data;

typedef struct tube_data {
    const node *at;
    path_data path;
    const char *along; /* instead: the name of a path */
    double friction, radius;
    colour_value colour;
    /* computed */
    int index; /* index of the path that represents it */
} tube_data;

typedef enum route_side {
    SIDE_NONE,
    SIDE_OVER,
    SIDE_UNDER,
    SIDE_LEFT,
    SIDE_RIGHT,
    SIDE_CLOCKWISE,
    SIDE_ANTICLOCKWISE,
} route_side;

/* One waypoint of a route; entries that specify several are expanded when they are read. */
typedef struct waypoint_data {
    const node *at;
    int kind; /* cord_waypoint_kind; WAYPOINT_LOCATION: an anchor at an end, or else an eyelet */
    location where;     /* anchor, eyelet */
    double free[3];     /* m; surface: in the world, or in the axes of its body */
    const char *pulley; /* pulley, drum, surface */
    const char *tube;
    const char *sheath; /* a strand: replaced by eyelets when names are resolved */
    bool reversed;      /* tube, sheath: entered at its end */
    int side, turns, parts;
    double height;
    bool loose, prescribed;
    wrap_friction_value wrap_friction;
} waypoint_data;

enum { WAYPOINT_LOCATION = CORD_WAYPOINT_SURFACE + 1, WAYPOINT_SHEATH };

typedef struct stiffness_value {
    bool elastic; /* computed from material and section */
    double value; /* 0: none */
} stiffness_value;

typedef struct guide_data {
    const node *at;
    const char *name;
    int kind;           /* index in the list in guides.c */
    location where, to; /* `to`: the other end of a span */
    const char *path;
    number_list size;               /* of a surface */
    double axis[3], radius, length; /* `length` NaN: not drawn as a cylinder or a cone */
    colour_value colour;
} guide_data;

typedef struct node_data {
    const node *at;
    const char *on;
    number_list where;
    double s;
    bool eulerian, prescribed;
    int tangent;
} node_data;

typedef struct wrap_data {
    const node *at;
    int after;
    wrap_friction_value wrap_friction;
    const char *rotates_with;
} wrap_data;

typedef struct cable_data {
    const node *at;
    const char *name;
    item_list route;                /* waypoint_data */
    item_list guides, nodes, wraps; /* instead: guide_data, node_data, wrap_data */
    double density, radius, damping, drag, tension;
    bool closed;
    double length; /* NaN: not specified */
    stiffness_value stretching, bending, twisting;
    material_data *material;
    variant section;
    colour_value colour;
    int look; /* cord_look, or LOOK_AUTO */
    int vertices, parts;
    bool lumped;
    double restitution;
    bool pushes;
    /* computed */
    int strand; /* index of the strand that represents it */
} cable_data;

extern const mapping cord__pulley_map, cord__drum_map, cord__cable_map, cord__tube_map;
extern const special cord__route_special;         /* route.c */
extern const special cord__wrap_friction_special; /* pulleys.c */

/* Adds a joint for each pulley and a strand for each cable, at the ends of those lists; before names are resolved. */
bool cord__add_stand_ins(cord_scene *scene);
bool cord__list_scenery(cord_scene *scene); /* scenery.c */
/* Resolves names; after the functions above. */
bool cord__resolve_cables(cord_scene *scene);
/* Replaces sheaths by eyelets at the vertices of their strands; after names are resolved. */
bool cord__expand_sheaths(cord_scene *scene, cable_data *c); /* sheaths.c */
/* Adds a path for each tube; before names are resolved. */
bool cord__add_tube_paths(cord_scene *scene);
tube_data *cord__tube_of(const cord_scene *scene, const char *name); /* NULL: no tube */
cord_path cord__tube_path(const cord_simulation *sim, const tube_data *t);
/* The walls of a tube, in the axes of its definition. */
cord_status cord__tube_shape(cord_simulation *sim, const tube_data *t, cord_shape *shape);

/* ---- guides.c */

extern const mapping cord__guide_map;
const char *cord__guide_name(const guide_data *g); /* of its kind */
int cord__guide_coordinates(const guide_data *g);
bool cord__resolve_guide(cord_scene *scene, const guide_data *g);
/* The definition of a guide, except its points and its path. */
void cord__define_guide(const guide_data *g, cord_guide *guide);
bool cord__guide_is_drawn(const guide_data *g);
/* The solid of a guide in pictures. */
bool cord__draw_guide(cord_simulation *sim, const guide_data *g, cord_shape *shape);

/* NULL: no pulley. */
pulley_data *cord__pulley_of(const cord_scene *scene, const char *name);
int cord__pulley_count(const cord_scene *scene); /* drums after pulleys */
pulley_data *cord__pulley(const cord_scene *scene, int i);
bool cord__pulley_rotates(const pulley_data *p);
/* The length along its axis in pictures; NaN: that of a sheave. */
double cord__pulley_length(const pulley_data *p);
bool cord__resolve_pulley(cord_scene *scene, const pulley_data *p);
/* A location along a cable: a fraction of its length, or metres; its length is computed from its route. */
bool cord__resolve_on_cable(cord_scene *scene, const location *p, double *along);
/* The waypoint of a location (LOCATION_WAYPOINT), and the strand of its cable; diagnoses a missing one. */
bool cord__resolve_waypoint(cord_scene *scene, const location *p, int *strand, int *index);
/* The pulley or drum of a waypoint; NULL: it is another one. */
const pulley_data *cord__waypoint_pulley(const cord_scene *scene, int strand, int index);
/* A location that can be the carrier of a guide: on a body, or fixed in the world. */
bool cord__resolve_carried(cord_scene *scene, const location *p);
/* Whether a location is at a vertex of a strand, which has no axes. */
bool cord__is_on_strand(const cord_scene *scene, const location *p);
/* The location that a name of a point refers to. */
const location *cord__location_meant(const cord_scene *scene, const location *p);

/* ---- building (build_cables.c) */

bool cord__build_pulley(builder *b, built_joint *j);
bool cord__build_cables(builder *b);

#endif
