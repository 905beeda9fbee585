/* Rigid bodies. Mass, centre of mass and inertia follow from a shape and a density, or are given.
 * Constraints between points of bodies make joints, welds and motors; cord_world_clamp_body() fixes a
 * body or moves it along a script. */
#ifndef CORDAGE_BODY_H
#define CORDAGE_BODY_H

#include <cordage/point.h>
#include <cordage/constraint.h>

CORD_BEGIN

/* The kind of a body's shape, which is centred at the origin of the body's axes unless it is a mesh. */
typedef enum cord_shape_kind {
    CORD_SHAPE_NONE,     /* no shape: mass, centre and inertia are given; the default */
    CORD_SHAPE_SPHERE,   /* `radius` */
    CORD_SHAPE_BOX,      /* `size`: full sides along x, y, z */
    CORD_SHAPE_CYLINDER, /* `radius`, and `length` along z */
    CORD_SHAPE_CAPSULE,  /* `radius`, and `length` of the straight part along z */
    CORD_SHAPE_MESH,     /* a closed surface of triangles */
    CORD_SHAPE_PLANE, /* in pictures of obstacles, not of bodies: z = 0; `size`: the sides drawn */
} cord_shape_kind;

/* Returns the name of a kind as scene files have it, for example "box", and "none" for
 * CORD_SHAPE_NONE. The string is static. */
CORD_API const char *cord_shape_name(cord_shape_kind kind);

/* A shape, in the axes of its body. */
typedef struct cord_shape {
    cord_shape_kind kind;   /* default CORD_SHAPE_NONE */
    double radius;          /* m */
    double length;          /* m */
    double size[3];         /* m */
    int vertex_count;       /* of a mesh */
    int triangle_count;     /* of a mesh */
    const double *vertices; /* 3 × vertex_count, m */
    const int *triangles;   /* 3 × triangle_count indices, anticlockwise seen from outside */
} cord_shape;

/* The definition of a body. Either the shape and `density` give the mass properties, or `mass` above 0
 * does: with `inertia`, that and `center`; without, the shape's inertia scaled to the mass. */
typedef struct cord_body_def {
    const char *name;           /* for messages; may be NULL (the default) */
    double position[3];         /* of the origin of the body's axes, m */
    double frame[9];            /* the body's axes; zero (the default): the world's */
    double velocity[3];         /* of the centre of mass, m/s */
    double angular_velocity[3]; /* world axes, rad/s */

    cord_shape shape; /* default: none */
    double density;   /* kg/m³; default 1000 */

    double mass;       /* kg; default 0: from shape and density */
    double center[3];  /* centre of mass, body axes, m */
    double inertia[9]; /* about the centre of mass, body axes, symmetric, kg m²; default zero */

    double drag;         /* force per velocity relative to the air, N s/m */
    double angular_drag; /* torque per angular velocity, N m s */
} cord_body_def;

/* Returns the default definition: at rest at the origin, without a shape, with the density of
 * water. */
CORD_API cord_body_def cord_body_def_default(void);

/* Adds a body and writes its handle to *body. Returns CORD_ERROR_ARGUMENT when the mass properties are
 * incomplete or not those of a solid. */
CORD_API cord_status cord_world_add_body(cord_world *world, const cord_body_def *def,
                                         cord_body *body);

/* Removes a body, the points and paths on it, their constraints and loads, and the cables that it
 * carries. */
CORD_API cord_status cord_world_remove_body(cord_world *world, cord_body body);

/* Properties of a body. The name and the arrays of a mesh belong to the world. */
typedef struct cord_body_info {
    const char *name;            /* NULL when the definition had none */
    cord_shape shape;            /* in body axes */
    double mass;                 /* kg */
    double center[3];            /* centre of mass, body axes, m */
    double principal_moments[3]; /* principal moments of inertia, kg m² */
    double principal_axes[9];    /* their axes, in body axes */
} cord_body_info;

/* Gets the properties of a body. */
CORD_API cord_status cord_body_get_info(const cord_world *world, cord_body body,
                                        cord_body_info *info);

/* Gets the position, m, and the frame of the body's axes. `frame` may be NULL. */
CORD_API cord_status cord_body_get_pose(const cord_world *world, cord_body body, double position[3],
                                        double frame[9]);

/* Gets the velocity of the centre of mass, m/s, and the angular velocity, rad/s, in world axes. Either
 * may be NULL, not both. */
CORD_API cord_status cord_body_get_velocity(const cord_world *world, cord_body body,
                                            double linear[3], double angular[3]);

/* Sets the position, m, and the frame of the body's axes. The frame is orthonormalised. */
CORD_API cord_status cord_body_set_pose(cord_world *world, cord_body body, const double position[3],
                                        const double frame[9]);

/* Sets the velocity of the centre of mass, m/s, and the angular velocity, rad/s, in world axes. The
 * next step makes them consistent with the constraints. */
CORD_API cord_status cord_body_set_velocity(cord_world *world, cord_body body,
                                            const double linear[3], const double angular[3]);

/* Gets the energies of one body: kinetic and gravity. */
CORD_API cord_status cord_body_get_energy(const cord_world *world, cord_body body,
                                          cord_energy *energy);

/* Clamps a body in its present pose: adds a world point at its centre of mass, and the constraints
 * coincide and align between the two. `script` gives `motion` and `rotation` of the world point (its
 * other fields are ignored) and may be NULL: the body does not move. The outputs are the world point
 * and the constraints; each may be NULL. */
CORD_API cord_status cord_world_clamp_body(cord_world *world, cord_body body,
                                           const cord_point_def *script, cord_point *clamp,
                                           cord_constraint *coincide, cord_constraint *align);

CORD_END

#endif
