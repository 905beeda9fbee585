/* Rigid bodies. A body's mass, centre and inertia come from its shape and density, or are given. It is
 * moved by what holds on to it: constraints between points on it and anything else make joints, welds
 * and drives; a body that is to stay, or to follow a script, is held (cord_world_clamp_body()). */
#ifndef CORDAGE_BODY_H
#define CORDAGE_BODY_H

#include <cordage/point.h>
#include <cordage/constraint.h>

CORD_BEGIN

typedef enum cord_shape_kind {
    CORD_SHAPE_NONE,     /* mass, centre and inertia are given */
    CORD_SHAPE_SPHERE,   /* radius */
    CORD_SHAPE_BOX,      /* size: full sides along x, y, z */
    CORD_SHAPE_CYLINDER, /* radius, length along z */
    CORD_SHAPE_CAPSULE,  /* radius, length of the straight part along z */
    CORD_SHAPE_MESH,     /* a closed surface of triangles */
} cord_shape_kind;

/* "box"; "none" for CORD_SHAPE_NONE. */
CORD_API const char *cord_shape_name(cord_shape_kind kind);

typedef struct cord_shape {
    cord_shape_kind kind;
    double radius, length, size[3]; /* m */
    int vertex_count, triangle_count;
    const double *vertices; /* 3 × vertex_count, m */
    const int *triangles;   /* 3 × triangle_count, anticlockwise seen from outside */
} cord_shape;

typedef struct cord_body_def {
    const char *name;           /* for messages; copied; may be NULL */
    double position[3];         /* of the body's own axes, in which its shape is; m */
    double frame[9];            /* the axes; zero: the world's */
    double velocity[3];         /* of the centre of mass, m/s */
    double angular_velocity[3]; /* world axes, rad/s */

    cord_shape shape;
    double density; /* kg/m³ */
    /* Instead, with mass above 0; in the body's axes, inertia about the centre. With a shape and no
     * inertia: that of the shape, scaled to the mass. */
    double mass;       /* kg */
    double center[3];  /* m */
    double inertia[9]; /* kg m², symmetric */

    double drag;         /* N s/m */
    double angular_drag; /* N m s */
} cord_body_def;

/* At rest at the origin, of the density of water, without a shape. */
CORD_API cord_body_def cord_body_def_default(void);

CORD_API cord_status cord_world_add_body(cord_world *world, const cord_body_def *def,
                                         cord_body *body);
/* Also removes the points on it, and their constraints and loads, and the cables that pass it. */
CORD_API cord_status cord_world_remove_body(cord_world *world, cord_body body);

typedef struct cord_body_info {
    const char *name;
    cord_shape shape; /* a mesh's arrays are the world's own */
    double mass;
    double center[3]; /* in the body's axes */
    double principal_moments[3],
        principal_axes[9]; /* principal moments of inertia, and their axes in the body's */
} cord_body_info;

CORD_API cord_status cord_body_get_info(const cord_world *world, cord_body body,
                                        cord_body_info *info);

/* Where its own axes are; `frame` may be NULL. */
CORD_API cord_status cord_body_get_pose(const cord_world *world, cord_body body, double position[3],
                                        double frame[9]);
/* Of the centre of mass, and angular; world axes. Either may be NULL. */
CORD_API cord_status cord_body_get_velocity(const cord_world *world, cord_body body,
                                            double linear[3], double angular[3]);
CORD_API cord_status cord_body_set_pose(cord_world *world, cord_body body, const double position[3],
                                        const double frame[9]);
CORD_API cord_status cord_body_set_velocity(cord_world *world, cord_body body,
                                            const double linear[3], const double angular[3]);
CORD_API cord_status cord_body_get_energy(const cord_world *world, cord_body body,
                                          cord_energy *energy);

/* Hold a body where it is, or along a script: a world point at its centre of mass, coincide and align
 * to it. Any of the outputs may be NULL; see cord_world_clamp_strand(). */
CORD_API cord_status cord_world_clamp_body(cord_world *world, cord_body body,
                                           const cord_point_def *script, cord_point *point,
                                           cord_constraint *coincide, cord_constraint *align);

CORD_END

#endif
