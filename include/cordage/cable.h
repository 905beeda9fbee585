/* Cables: strands that run through machines. A cable is a row of nodes with straight or curved segments
 * between them. A node sits on a guide (a position, a circle, a path, a surface carried by a body or fixed in the
 * world) or is free; it is tied to a piece of the cable (Lagrangian), or the cable runs through it
 * (Eulerian), so that a pulley needs no more nodes however much cable passes over it. Mass and energy are
 * integrated along the segments. [Highly constrained strands, 2011]
 *
 * A closed cable has as many segments as nodes: the last one goes from the last node to the first. */
#ifndef CORDAGE_CABLE_H
#define CORDAGE_CABLE_H

#include <cordage/path.h>
#include <cordage/point.h>
#include <cordage/strand.h>

CORD_BEGIN

/* Guides, by how many coordinates a node has on them. */
#define CORD_GUIDE_LIST(X)                                                                         \
    X(POINT, point)       /* none */                                                               \
    X(CIRCLE, circle)     /* one: the angle about the third axis, from the first; rad */           \
    X(CYLINDER, cylinder) /* two: the angle, and the height along the third axis; rad, m */        \
    X(SPHERE, sphere)     /* two: longitude from the first axis, latitude; rad */                  \
    X(LINE, line)         /* one: along the third axis; m */                                       \
    X(PATH, path)         /* one: along a path; m */                                               \
    X(PLANE, plane)       /* two: along the first and the second axis; m */                        \
    X(SURFACE, surface)   /* two: the arguments of its function */                                 \
    X(SPAN, span)         /* one: along the straight line from one point to another, 0 to 1 */

#define CORD_GUIDE_CONSTANT(constant, name) CORD_GUIDE_##constant,
typedef enum cord_guide_kind { CORD_GUIDE_LIST(CORD_GUIDE_CONSTANT) } cord_guide_kind;
#undef CORD_GUIDE_CONSTANT

/* A surface: a position in the axes of what it is on, its derivatives over the two coordinates, and the second
 * ones, of (0,0), (0,1) and (1,1). It is asked from any thread, and must be smooth wherever nodes go. */
typedef void (*cord_surface)(const double size[3], void *user, const double at[2],
                             double position[3], double jacobian[6], double hessian[9]);

/* About the third axis, by longitude; `size` has: */
CORD_API void cord_surface_torus(
    const double size[3], void *user, const double at[2], double position[3], double jacobian[6],
    double hessian[9]); /* its radius and that of the tube, m; the second
                                 coordinate is the angle round the tube, from outside, rad */
CORD_API void cord_surface_cone(const double size[3], void *user, const double at[2],
                                double position[3], double jacobian[6],
                                double hessian[9]); /* how far it widens per height; the second
                                coordinate is the height above the tip, m */
CORD_API void cord_surface_ellipsoid(const double size[3], void *user, const double at[2],
                                     double position[3], double jacobian[6],
                                     double hessian[9]); /* half axes, m; the second coordinate is
                                     the (parametric) latitude, rad */

/* Where nodes can be. Two neighbours on the same guide have a segment that lies on it: an arc, a helix, a piece
 * of a path; on a surface one that is straight in its coordinates. */
typedef struct cord_guide {
    cord_guide_kind kind;
    /* All but a path: a point of a body or a still one of the world: centre and frame; or a vertex of a strand,
     * which has the world's axes. */
    cord_point on;
    cord_point to; /* span: its other end */
    double radius; /* m; surface: the least of its radii of curvature, about */
    cord_path path;
    cord_surface surface;
    double size[3]; /* handed to it, and so is: */
    void *user;     /* not copied */
} cord_guide;

typedef struct cord_cable_node {
    int guide;    /* index; -1: free, three coordinates */
    double at[3]; /* its coordinates; free: a position in the world, m */
    double s;     /* the cable's material coordinate there, m; increasing from node to node */
    bool eulerian;
    /* The segment that leaves its guide does so along a tangent: the node's first coordinate is where it
     * does. -1: the segment before it, 1: after, 0: none. */
    int tangent;
    bool prescribed; /* it stays at these coordinates of its guide */
} cord_cable_node;

/* What holds between a curved segment and what it lies on. */
typedef enum cord_wrap_friction {
    CORD_WRAP_FRICTIONLESS, /* it slides freely */
    CORD_WRAP_NO_SLIP,      /* never slips */
    CORD_WRAP_CAPSTAN, /* slips where the capstan's law says so: `friction` is the coefficient */
} cord_wrap_friction;

typedef struct cord_wrap {
    int segment; /* after node `segment` */
    cord_wrap_friction friction_law;
    double friction;
    cord_point
        rotation; /* a turn or a rotor (point.h): how far the pulley is turned about the guide's axis; null: it
                        does not turn against what carries the guide */
} cord_wrap;

/* Instead of guides and nodes: what a cable passes, from its start to its end. Its path is found: straight
 * from waypoint to waypoint, along the tangents of pulleys. While it moves, it leaves a pulley that it no longer
 * touches, and comes back to it. */
typedef enum cord_waypoint_kind {
    CORD_WAYPOINT_ANCHOR, /* tied to a position: it ends here, first or last; a closed cable anywhere */
    CORD_WAYPOINT_EYELET, /* it runs through a position, and may bend there */
    CORD_WAYPOINT_PULLEY, /* round a pulley: a pulley, a shaft, a capstan */
    CORD_WAYPOINT_DRUM, /* it ends here, tied to the rim of a pulley that it is wound on; first or last */
    CORD_WAYPOINT_FREE, /* it passes a position in the world, but is not held there; the end may be free */
    CORD_WAYPOINT_TUBE, /* through a tube along a path: in at one end, out at the other; it may bend at
                       both. `friction` acts by the capstan's law, over all that the tube turns */
} cord_waypoint_kind;

typedef struct cord_waypoint {
    cord_waypoint_kind kind;
    cord_point
        point; /* all but free and tube: the position; of a pulley the centre, about the frame's third axis */
    cord_path path;     /* tube: an open one, in the world or on a body */
    bool reversed;      /* tube: in at the end of the path, out at its start */
    double position[3]; /* free */
    double radius;      /* pulley, drum: of the cable's middle line, m */
    int side; /* pulley, drum: 1 round it anticlockwise seen from the tip of the axis, -1 clockwise */
    int turns; /* whole turns more than it needs */
    cord_wrap_friction friction_law;
    double friction;
    cord_point rotation; /* as in cord_wrap; a drum needs one */
    bool loose;          /* drum: the end is not tied to it, and runs off with the last turn */
    int parts; /* of the straight way to the next waypoint, so that it can sag and swing; 0: 1 */
} cord_waypoint;

typedef struct cord_cable_def {
    const char *name;  /* for messages; copied; may be NULL */
    double density;    /* kg/m */
    double radius;     /* m: for pictures */
    double stretching; /* EA, N; 0: inextensible */
    double bending;    /* EI, N m² */
    double damping;    /* internal, s */
    double drag;       /* N s/m² */
    /* For comparison: each Lagrangian node has, for good, half of the mass between it and the next ones, and
     * segments and Eulerian nodes have none. Default: mass is along the segments. */
    bool lumped;
    /* GJ, N m²; 0: it carries no twist. Twist is even along the cable and without inertia: pulleys do not hold it.
     * Both ends must be anchored, or on drums: they are clamped there as the cable lies at first. */
    double twisting;
    int guide_count, node_count, wrap_count;
    const cord_guide *guides;
    const cord_cable_node *nodes;
    const cord_wrap *wraps;
    int waypoint_count;
    const cord_waypoint *waypoints;
    /* Of an elastic cable along a route, at first; N. Of a closed one that does not stretch: the mean of it along
     * the cable, which is kept where its pulleys cannot give way. */
    double tension;
    /* A belt, an endless chain: the first waypoint or node follows the last. It has no ends, and so no drums; an
     * anchor ties it where it passes. */
    bool closed;
    double length; /* of a closed cable that is given by nodes, all round; m */
    /* Places at which it is reported, equally spaced along it; 0: 8 per node. Those of a closed one do not go
     * round with it, unless it is tied somewhere. */
    int vertex_count;
} cord_cable_def;

CORD_API cord_cable_def cord_cable_def_default(void);
/* A cable is a strand to all that asks about strands. It goes when a body, a strand or a path that it passes, or the rotation of
 * a pulley, is removed. Still positions are taken as they are now: to move one later, put it on a body that is held. */
CORD_API cord_status cord_world_add_cable(cord_world *world, const cord_cable_def *def,
                                          cord_strand *strand);

typedef struct cord_node_state {
    int guide;
    bool eulerian;
    double position[3], velocity[3];
    double at[3];
    double s, rate;           /* material coordinate, and how fast the cable runs through, m/s */
    int waypoint;             /* -1: none */
    cord_guide_kind kind;     /* of its guide */
    const char *guide_name;   /* the kind of its guide, or "free" */
    const char *segment_name; /* of the segment after it: "straight", "arc", "helix" or "curve" */
    cord_body body;           /* that carries it; null: the world, or: */
    cord_strand strand;       /* the same */
    int dofs;                 /* spatial unknowns, 0 to 3 */
} cord_node_state;

CORD_API cord_status cord_cable_get_node_count(const cord_world *world, cord_strand cable,
                                               int *count);
CORD_API cord_status cord_cable_get_node(cord_world *world, cord_strand cable, int node,
                                         cord_node_state *state);
/* Whether the cable touches the pulley of a waypoint, by what angle (rad; of a tube: how far that turns), and the axial
 * force in the segments before and after it. Any of the results may be NULL. */
CORD_API cord_status cord_cable_get_wrap(cord_world *world, cord_strand cable, int waypoint,
                                         bool *touches, double *angle, double *before,
                                         double *after);
/* What has become of a cable's nodes: it has come to pulleys, or a free end to a waypoint, where what moves across is
 * stopped; it has left pulleys; or nodes that were kept where it did so have been taken away. */
typedef struct cord_cable_events {
    int wraps, unwraps; /* changes in which it or its end came to a waypoint, and others */
    /* Energy of the cable and of all that moves with it, by how much more than before, J. */
    double last_energy_change, wrap_energy_change, unwrap_energy_change;
    double max_kinetic_energy;         /* the largest there was at a change, of all that, J */
    double max_relative_unwrap_change; /* the largest loss or gain of those others, over that */
    double
        max_impulse; /* the largest change of linear momentum, N s: by positions that do not move; else round-off */
} cord_cable_events;
CORD_API cord_status cord_cable_get_events(cord_world *world, cord_strand cable,
                                           cord_cable_events *changes);
/* The angle by which its end is turned against its start, rad, whole turns included, and the torque that goes
 * with it, N m. Either may be NULL. */
CORD_API cord_status cord_cable_get_twist(cord_world *world, cord_strand cable, double *angle,
                                          double *torque);
/* Axial force in the segment after a node, positive in tension, N. */
CORD_API cord_status cord_cable_get_tension(cord_world *world, cord_strand cable, int segment,
                                            double *tension);

CORD_END

#endif
