/* Contact in scenes: the section `contact`, surfaces of objects, obstacles. */
#ifndef CORDAGE_SCENE_CONTACTS_H
#define CORDAGE_SCENE_CONTACTS_H

#include "scene/build.h"
#include "scene/contact_records.h"

/* ---- keys (table_contacts.c) --------------------------------------------------------------------- */

typedef struct contact_pair_data {
    const node *at;
    const char *names[2]; /* of objects, arrays of them, or materials */
    const node *between[2];
    double friction, restitution; /* NaN: not specified */
    bool contact;
} contact_pair_data;

typedef struct contact_data {
    const node *at;
    double friction, restitution, margin, tolerance;
    int max_sweeps;
    bool guarantee;
    item_list pairs; /* contact_pair_data */
} contact_data;

extern const mapping cord__contact_map;
extern const special cord__strand_surface_special, cord__body_surface_special;

/* ---- obstacles (obstacles.c, sampled_fields.c) --------------------------------------------------- */

typedef struct plane_data {
    const node *at;
    double normal[3];
} plane_data;

/* Heights at the nodes of a rectangle, or signed distances at those of a box. */
typedef struct sampled_field {
    const node *at;
    number_list counts, values;
    double spacing, scale, height;
    const char *file;
    /* computed */
    int count[3];
    const double *nodes;
} sampled_field;

extern const mapping cord__height_field_map, cord__distance_grid_map;

typedef struct moves_data {
    const node *at;
    script_data script;
} moves_data;

enum { OBSTACLE_SOLIDS = 5 };

typedef struct obstacle_data {
    const node *at;
    const char *name;
    colour_value colour;
    plane_data *plane;
    void *solid[OBSTACLE_SOLIDS]; /* as cord__obstacle_solids; all but one of these are NULL */
    sampled_field *heights, *distances;
    double position[3], offset[3];
    rotation_data *rotation;
    const char *on; /* the body that carries it; NULL: none */
    moves_data *moves;
    surface_data surface;
    bool visible;
    int look; /* cord_look, or LOOK_AUTO */
} obstacle_data;

extern const mapping cord__obstacle_map;

/* The kind of an obstacle and its shape, without name, pose and surface. */
void cord__fill_obstacle(const obstacle_data *o, cord_obstacle_def *def);
/* The pose of its axes, in the world or in those of the body that carries it; the third axis of a plane is its normal. */
void cord__obstacle_pose(const obstacle_data *o, double position[3], double frame[9]);

/* Its shape in pictures (obstacle_shapes.c); false: out of memory. */
bool cord__draw_obstacle(cord_simulation *sim, const obstacle_data *o, cord_shape *shape);

/* ---- names, and building (contacts.c) ------------------------------------------------------------ */

/* Whether a name in `between` or `with` means this object: it is its name, that of its array, or its material. */
bool cord__names_surface(const char *name, const char *object, const surface_data *surface);
/* Whether it means any; diagnoses a name that does not. */
bool cord__require_surfaces(cord_scene *scene, const char *name, mark at);
bool cord__resolve_contacts(cord_scene *scene);
/* Obstacles, surfaces and friction; after all bodies and strands. */
bool cord__build_contacts(builder *b);
/* The contacts of the last step; the array belongs to the simulation until the next call. */
cord_status cord__contacts_now(cord_simulation *sim, const cord_contact **list, int *count);

#endif
