/* Contact with friction: of strands with themselves and each other, with bodies and with obstacles. Forces obey Coulomb's law
 * exactly: |p_T| ≤ μ p_N, with equality, and opposite to the slip, where a contact slips. docs/contact.md has the method. */
#ifndef CORDAGE_CONTACT_H
#define CORDAGE_CONTACT_H

#include <cordage/body.h>

CORD_BEGIN

/* Contact in a world. */
typedef struct cord_contact_def {
    double friction;    /* μ of pairs of materials that have none of their own; default 0.3 */
    double restitution; /* of the same, 0 to 1; default 0 */
    /* Gaps up to which contacts are found, m; 0 (the default): from radii and velocities. It is made larger where objects
     * move more than half of it in a step. */
    double margin;
    double
        tolerance; /* of Coulomb's law: the residual of contact forces over their size; default 1e-6 */
    int max_sweeps; /* of the solver of the forces in an iteration; default 1000 */
    /* After every step continuous detection checks that no strand has passed through another, itself or an obstacle; a
     * step in which one has is shortened. */
    bool guarantee;
} cord_contact_def;

/* Returns the default definition. */
CORD_API cord_contact_def cord_contact_def_default(void);

/* Sets the parameters of contact. Objects take part once they have a surface. */
CORD_API cord_status cord_world_set_contact(cord_world *world, const cord_contact_def *def);

/* The surface of a strand, a body or an obstacle. */
typedef struct cord_contact_surface {
    double radius; /* of a strand, m; 0 (the default): of its cross-section */
    int material;  /* an index from 0 on, see cord_world_set_friction(); default 0 */
    /* Two objects may be in contact when the mask of each has a bit of the group of the other; default 1 and all bits. */
    uint32_t group, mask;
    bool self; /* of a strand: contact with itself; default true */
} cord_contact_surface;

/* Returns the default surface. */
CORD_API cord_contact_surface cord_contact_surface_default(void);

/* Gives a strand or a body a surface, or another one; NULL: it has no contacts. Returns CORD_ERROR_ARGUMENT when a strand has
 * no radius, and CORD_ERROR_UNSUPPORTED when a body has no shape. */
CORD_API cord_status cord_strand_set_surface(cord_world *world, cord_strand strand,
                                             const cord_contact_surface *surface);
CORD_API cord_status cord_body_set_surface(cord_world *world, cord_body body,
                                           const cord_contact_surface *surface);

/* Sets the coefficient of friction and the restitution of two materials, which may be equal. */
CORD_API cord_status cord_world_set_friction(cord_world *world, int material, int other,
                                             double friction, double restitution);

/* The kind of an obstacle. */
typedef enum cord_obstacle_kind {
    CORD_OBSTACLE_PLANE,        /* z = 0 of its frame, solid below; the default */
    CORD_OBSTACLE_SHAPE,        /* `shape` */
    CORD_OBSTACLE_HEIGHT_FIELD, /* heights z over a rectangle, solid below */
    CORD_OBSTACLE_DISTANCE_GRID /* signed distances at the nodes of a box */
} cord_obstacle_kind;

/* The definition of an obstacle. */
typedef struct cord_obstacle_def {
    const char *name; /* for messages; may be NULL (the default) */
    cord_obstacle_kind kind;
    cord_shape shape; /* CORD_OBSTACLE_SHAPE, in the axes of the obstacle */
    /* Of a height field (the first two counts) and a distance grid: nodes along x, y and z, at least 2; their distance, m;
     * and values, m, x first. The first node is at the origin of the obstacle's axes. */
    int count[3];
    double spacing;
    const double *values;
    /* The pose of its axes: in the world, or relative to `point`, which carries it: a scripted point of the world, or a
     * point of a body. Null (the default): it does not move. */
    double position[3]; /* m */
    double frame[9];    /* orthonormalised; default: the identity */
    cord_point point;
    cord_contact_surface surface; /* radius and self are ignored */
} cord_obstacle_def;

/* An obstacle. */
typedef struct cord_obstacle {
    uint32_t index, generation;
} cord_obstacle;

/* Returns the default definition: the plane z = 0. */
CORD_API cord_obstacle_def cord_obstacle_def_default(void);

/* Adds an obstacle, and writes its handle to *obstacle. An obstacle on a point is removed with it. */
CORD_API cord_status cord_world_add_obstacle(cord_world *world, const cord_obstacle_def *def,
                                             cord_obstacle *obstacle);
CORD_API cord_status cord_world_remove_obstacle(cord_world *world, cord_obstacle obstacle);

/* Gets the present pose of the axes of an obstacle. `frame` may be NULL. */
CORD_API cord_status cord_obstacle_get_pose(const cord_world *world, cord_obstacle obstacle,
                                            double position[3], double frame[9]);

/* Gets the velocity of the origin of its axes, m/s, and its angular velocity, rad/s, in world axes. */
CORD_API cord_status cord_obstacle_get_velocity(const cord_world *world, cord_obstacle obstacle,
                                                double linear[3], double angular[3]);

/* One side of a contact: the object that is not null. */
typedef struct cord_contact_side {
    cord_strand strand;
    cord_body body;
    cord_obstacle obstacle;
    double s; /* material coordinate on a strand, m */
} cord_contact_side;

/* A contact that bears a force. */
typedef struct cord_contact {
    cord_contact_side first, second;
    double position[3]; /* on the surface of the first side, m */
    double normal[3];   /* from the second side to the first */
    double gap;         /* m */
    double force[3];    /* on the first side, N */
    double slip
        [3]; /* velocity of the first side relative to the second, in the plane of contact, m/s */
    bool sticks;
    double friction; /* μ of the two */
} cord_contact;

/* Gets the contacts of the last step, in an order that does not depend on the number of threads: up to `capacity` of them, and
 * how many there are in *count. `contacts` may be NULL when the capacity is 0. The forces of single contacts need not be unique where
 * there are more than determine the motion; sums over a pair of objects are. */
CORD_API cord_status cord_world_get_contacts(const cord_world *world, int capacity,
                                             cord_contact *contacts, int *count);

CORD_END

#endif
