/* A scene as it was read: plain data, before and after names are resolved. */
#ifndef CORDAGE_SCENE_SCENE_DATA_H
#define CORDAGE_SCENE_SCENE_DATA_H

#include "math/callback.h"
#include "scene/chain.h"
#include "scene/colour.h"
#include "scene/location.h"
#include "scene/look.h"
#include "scene/shapes.h"
#include "scene/view.h"

#include <cordage/scene.h>
#include <cordage/cordage.h>

/* ---- world, wind, run, view --------------------------------------------------------------------- */

typedef struct world_data {
    const node *at;
    double gravity[3];
    item_list gravity_keys; /* drive_key with 3 values */
    int ease;               /* of these keys */
    int integrator, scheme;
    double tolerance, length_tolerance, velocity_change;
    bool batches;
} world_data;

typedef struct gust_data {
    const node *at;
    double amplitude, frequency, wavevector[3];
} gust_data;

typedef struct vortex_data {
    const node *at;
    double center[3], axis[3], velocity[3], circulation, core;
} vortex_data;

typedef struct wind_data {
    const node *at;
    double velocity[3];
    gust_data *gust;
    item_list vortices; /* vortex_data */
} wind_data;

typedef struct run_data {
    const node *at;
    double until, dt, frames, kick;
    int start;
    const char *outputs;
} run_data;

enum { START_AS_DRAWN, START_EQUILIBRIUM, START_NEAREST_EQUILIBRIUM };

typedef struct view_data {
    const node *at;
    double from[3], to[3]; /* NaN: not given */
    int direction;
} view_data;

/* ---- strands ------------------------------------------------------------------------------ */

typedef struct material_data {
    const node *at;
    double density, young, poisson;
} material_data;

typedef struct perturb_data {
    const node *at;
    double amplitude, direction[3];
    int seed, mode;
} perturb_data;

typedef struct spin_data {
    const node *at;
    double axis[3], rate, center[3];
} spin_data;

typedef struct twist_value {
    const node *at; /* NULL: not specified */
    bool with_curve;
    double total;
} twist_value;

/* A chain whose initial shape is an equilibrium: cord_inverse_def. */
typedef struct rest_data {
    const node *at;
    bool rotate_base, stiffen;
    double margin;
} rest_data;

/* `contact` of a strand, a body or an obstacle. */
typedef struct surface_data {
    const node *at; /* NULL: not specified */
    bool none;      /* contact: no */
    double radius, friction, restitution;
    const char *material;
    bool self;
} surface_data;

typedef struct strand_data {
    const node *at;
    const char *name, *model;
    colour_value colour;
    int look; /* cord_look, or LOOK_AUTO */
    surface_data surface;
    variant shape, natural, section;
    material_data *material;
    int stretch, twist, curvature;
    int control_points, spline_ends; /* of splines; 0: not specified */
    double load[3];
    double damping, drag, quadratic_drag, closing_twist;
    twist_value initial_twist, natural_twist;
    double director[3], natural_director[3], velocity[3], offset[3];
    perturb_data *perturb;
    spin_data *spin;
    chain_data chain;
    rest_data *rest;                /* NULL: not requested */
    struct schedule_data *schedule; /* NULL: none */
    struct growth_data *growth;     /* NULL: none */
    struct breakage_data *breaks;   /* NULL: it does not break */
    struct cable_data *cable;       /* the cable that it represents; NULL: none */
    /* computed */
    polyline line, natural_line;
    double *velocities, *angles, *natural_angles; /* NULL: none */
    double length;                                /* natural */
} strand_data;

/* The common form of a section of any kind. */
typedef struct section_ops {
    mapping map;
    bool needs_material;
    void (*fill)(const void *data, cord_section *section);
} section_ops;

/* ---- prescribed motion and drives --------------------------------------------------------- */

typedef struct motion_key {
    const node *at;
    double t, by[3];
} motion_key;

typedef struct rotation_key {
    const node *at;
    double t, axis[3], angle;
} rotation_key;

typedef struct drive_key {
    const node *at;
    double t;
    number_list value;
} drive_key;

typedef struct orbit_data {
    const node *at;
    double radius, period, axis[3], ramp;
    int turns;
} orbit_data;

typedef struct script_data {
    item_list motion, rotation; /* motion_key, rotation_key */
    orbit_data *orbit;          /* NULL: none */
    int ease;
} script_data;

/* ---- bodies ------------------------------------------------------------------------------- */

typedef struct rotation_data {
    const node *at;
    double axis[3], angle;
} rotation_data;

typedef struct clamped_data {
    const node *at; /* NULL: not clamped */
    script_data script;
} clamped_data;

typedef struct body_data {
    const node *at;
    const char *name;
    colour_value colour;
    int look; /* cord_look, or LOOK_AUTO */
    bool visible;
    surface_data surface;
    variant shape;
    double density, mass, center[3];
    number_list inertia;
    double position[3], offset[3], velocity[3], angular_velocity[3], drag, angular_drag;
    rotation_data *rotation;
    clamped_data clamped;
} body_data;

/* ---- points, clamps, constraints, loads ----------------------------------------------------- */

typedef struct path_data {
    const node *at;
    const char *name, *body; /* `body`: the body in which it is fixed, or NULL */
    number_list through;
    bool closed;
    variant shape;
    double offset[3];
    /* computed */
    polyline line;
} path_data;

/* A coordinate without a strand: an angle about an axis, or a distance along it, of one frame relative to
 * another. */
typedef struct coordinate_data {
    const node *at;
    location of, reference;
    double axis[3];
} coordinate_data;

typedef struct point_data {
    const node *at;
    const char *name;
    location where;
    coordinate_data *revolute, *prismatic; /* NULL: neither */
    double offset[3];
    bool sliding;
    double friction, restitution, mass, rate;
    int end;
    script_data script;
} point_data;

typedef struct clamp_data {
    const node *at;
    const char *name;
    location where;
    bool frame;
    double direction[3], director[3]; /* NaN: as drawn */
    script_data script;
} clamp_data;

/* The bar that a distance is drawn as. */
typedef struct bar_data {
    const node *at;
    double width, thickness;
    colour_value colour;
    int look; /* cord_look, or LOOK_AUTO */
} bar_data;

typedef struct constraint_data {
    const node *at;
    const char *name, *kind;
    location first, second;
    double release_time, release_force, release_distance, attach_time, attach_distance;
    double attach_speed, attach_after;
    bool reattach;
    double direction[3], first_direction[3], curvature[3], length, ratio, compliance, damping;
    number_list rate;
    double restitution, friction;
    int side, ease;
    item_list drive; /* drive_key */
    bool spring;     /* it represents a spring */
    bar_data *bar;   /* NULL: not drawn as one */
} constraint_data;

typedef struct load_data {
    const node *at;
    const char *name; /* NULL: none */
    location where;
    double force[3], torque[3], along;
    item_list keys, torque_keys, along_keys; /* drive_key with 3, 3 and 1 values */
    int ease;
} load_data;

/* ---- probes and expectations -------------------------------------------------------------- */

typedef enum subject_kind {
    SUBJECT_WORLD,
    SUBJECT_STRAND,
    SUBJECT_STRAND_POINT, /* a point of a strand */
    SUBJECT_POINT,        /* any other point */
    SUBJECT_CONSTRAINT,
    SUBJECT_CLAMP,
    SUBJECT_BODY,
    SUBJECT_PATH,
    SUBJECT_JOINT,
    SUBJECT_CONTROLLER,
    SUBJECT_LOAD,     /* has no measures: the output of controllers */
    SUBJECT_WAYPOINT, /* of the route of a cable */
    SUBJECT_OBSTACLE,
} subject_kind;

struct measure_ops;

typedef struct probe_data {
    const node *at;
    const char *name;
    int measure;
    location of;
    const char *with; /* of contacts: with which objects; NULL: all */
    /* computed */
    subject_kind subject;
    const struct measure_ops *ops;
    const char *unit; /* NULL: that of a constraint */
    int strand;       /* index; -1: none */
    int body;         /* SUBJECT_BODY: its index */
    int object;       /* SUBJECT_JOINT, SUBJECT_CONTROLLER: likewise; SUBJECT_WAYPOINT: which */
    double along;     /* SUBJECT_STRAND_POINT: arc length, m */
    int columns;
} probe_data;

typedef struct expect_data {
    const node *at;
    const char *probe, *component, *time_text, *because, *regression;
    int over, during;
    double value, tolerance, above, below;
    /* computed */
    double time;
    int probe_index, column;
} expect_data;

/* ---- the whole scene ---------------------------------------------------------------------- */

typedef struct symbol {
    const char *name;
    subject_kind kind; /* SUBJECT_POINT: a named point */
    int index;
    const node *item;
    mark at;
} symbol;

typedef struct scene_data {
    const node *at;
    int version;
    const char *title, *about, *paper, *figure;
    world_data *world;
    wind_data *wind;
    run_data *run;
    view_data *view;              /* NULL: not given */
    struct contact_data *contact; /* NULL: not specified */
    item_list strands, bodies, paths, points, clamps, joints, constraints, loads, controllers,
        probes, expectations, pulleys, drums, tubes, cables, springs, images, obstacles, scenery,
        live;
} scene_data;

/* Constant after reading. */
struct cord_scene {
    arena memory;
    diagnostics errors;
    reader read;
    node *root;
    scene_data data;
    bool good; /* read without errors */
    cord_cancel cancel;
    int symbol_count;
    symbol *symbols;      /* by name */
    const char **invalid; /* the names of items with errors, sorted: read.invalid_count */
    bool invalid_probe;   /* one of them is a probe with a default name */
    probe_data **probes_by_name;
    int scenery_count;
    struct scenery *scenery; /* solids drawn in addition to bodies */
    int control_count;
    cord_control *controls;
};

/* ---- functions of several files ----------------------------------------------------------- */

extern const mapping cord__scene_map;

/* The source of a scene: a file, or a text in memory (which cannot name files). */
typedef struct scene_source {
    const char *path; /* NULL: the text */
    const char *text;
    size_t size;
    const cord_allocator *allocator; /* NULL: realloc and free */
    bool outside;                    /* cord_scene_def.allow_outside */
    bool piecewise;                  /* see arena */
    cord_cancel cancel;
    cord_file_source files; /* cord_scene_def.files */
} scene_source;

/* As cord_scene_read(). */
cord_status cord__scene_read_source(const scene_source *source, const char *const *overrides,
                                    cord_scene **scene);
cord_status cord__scene_read_text(const char *text, size_t size, cord_scene **scene);

/* Builds the valid objects of a scene with errors, and adds the errors of that (simulation.c). */
void cord__find_build_errors(cord_scene *scene);

/* NULL when there is none of that name. */
const symbol *cord__find_symbol(const cord_scene *scene, const char *name);

/* The strand of a location and its arc length; diagnoses a missing strand, or a location beyond its end. */
bool cord__resolve_on_strand(cord_scene *scene, const location *p, int *strand, double *s);
/* The strand of a location, and the arc length along it (of a cable: as specified, a fraction of the length or
 * metres); NULL: none. */
const strand_data *cord__strand_of(const cord_scene *scene, const location *p, double *along);
bool cord__resolve_location(cord_scene *scene, const location *p); /* of any kind */
/* Resolves a location that must be a point; diagnoses whole strands, clamps and so on. */
bool cord__resolve_point(cord_scene *scene, const location *p);
/* Whether a name that is not found may be that of an item with errors. */
bool cord__may_be_invalid(const cord_scene *scene, const char *name);
/* Marks the item at this node if it is not valid; returns `valid`. */
bool cord__valid(const node *at, bool valid);
/* Diagnoses an unknown name, with the nearest one; a name of an item with errors gives NULL only. */
const symbol *cord__require_symbol(cord_scene *scene, const char *name, mark at);
/* Whether a location is a revolute or prismatic coordinate, or a joint, which have no position. */
bool cord__is_coordinate(const cord_scene *scene, const location *p);
/* Whether a location is a point or a joint whose coordinate is an angle. */
bool cord__is_angle(const cord_scene *scene, const location *p);

/* The body of a location, or that it names; NULL: none. */
const body_data *cord__body_of(const cord_scene *scene, const location *p);

/* ---- paths (paths.c) */

extern const mapping cord__path_map;
/* The path of a location; NULL: none. */
bool cord__finish_path(reader *r, path_data *p);
const path_data *cord__path_of(const cord_scene *scene, const location *p);
bool cord__resolve_paths(cord_scene *scene);                      /* their bodies */
bool cord__resolve_on_path(cord_scene *scene, const location *p); /* a location on a path */

/* Computes polylines from shapes, angles, velocities. */
bool cord__prepare_strand(reader *r, strand_data *s);

/* The definition of a strand; its arrays belong to the scene. */
cord_strand_def cord__strand_def(const strand_data *s);

/* ---- chains (chain.c, chain_line.c) */

/* Checks that keys are compatible: those of chains, and those that chains do not have. */
bool cord__check_chain(reader *r, const strand_data *s);
/* Computes elements and their curvatures; before the shapes are sampled. */
bool cord__prepare_chain(reader *r, strand_data *s);
/* The centreline of a chain defined by curvatures: initial, and natural as lengths. */
bool cord__trace_chain(reader *r, strand_data *s);
/* The lengths of a chain defined by a shape. */
bool cord__measure_chain(reader *r, strand_data *s);
/* Adds a perturbation to a centreline; to the initial curvatures of a chain that is given by them. */
void cord__perturb_line(const perturb_data *p, polyline *line);
void cord__perturb_curvatures(strand_data *s);
/* The length of the shortest element, m. */
double cord__shortest_element(const strand_data *s);

/* ---- chains at rest (rest.c) */

extern const special cord__rest_special;

/* Resolves subjects, and checks that they have the measure; before building. */
bool cord__resolve_probes(cord_scene *scene);
bool cord__resolve_expectations(cord_scene *scene);

#define ITEM(list, type, i) (&((type *)(list).items)[i])

#endif
