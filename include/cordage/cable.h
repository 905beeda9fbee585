/* Cables: strands that run through machines [HCS 2011]. A cable is a sequence of nodes with straight or curved
 * segments between them. A node lies on a guide (a point, a curve or a surface that a body carries or that is fixed in
 * the world) or is free. A Lagrangian node belongs to a material point of the cable; the cable runs through an Eulerian
 * node, so that the number of nodes does not depend on the length that passes a pulley. Mass and energy are integrated
 * along the segments.
 *
 * The last segment of a closed cable connects the last node to the first. */
#ifndef CORDAGE_CABLE_H
#define CORDAGE_CABLE_H

#include <cordage/path.h>
#include <cordage/point.h>
#include <cordage/strand.h>

CORD_BEGIN

/* The kinds of guides, with the coordinates of a node on each. */
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

/* A parametric surface: the position in the axes of its carrier, m, its derivatives over the two coordinates (jacobian,
 * 3 × 2 by columns) and its second derivatives over (0,0), (0,1) and (1,1) (hessian). The library calls it from any
 * thread. It must be smooth at all coordinates that nodes reach. */
typedef void (*cord_surface)(const double size[3], void *user, const double at[2],
                             double position[3], double jacobian[6], double hessian[9]);

/* A torus about the third axis. size: its radius and the radius of its tube, m. Coordinates: longitude, and the angle
 * round the tube from the outside; rad. */
CORD_API void cord_surface_torus(const double size[3], void *user, const double at[2],
                                 double position[3], double jacobian[6], double hessian[9]);
/* A cone about the third axis. size: radius per height. Coordinates: longitude, rad, and the height above the tip, m. */
CORD_API void cord_surface_cone(const double size[3], void *user, const double at[2],
                                double position[3], double jacobian[6], double hessian[9]);
/* An ellipsoid. size: its half axes, m. Coordinates: longitude and parametric latitude, rad. */
CORD_API void cord_surface_ellipsoid(const double size[3], void *user, const double at[2],
                                     double position[3], double jacobian[6], double hessian[9]);

/* A guide: a set of positions that nodes may have. The segment between two neighbours on one guide lies on it: an arc, a
 * helix, a part of a path; on a surface it is straight in the coordinates. */
typedef struct cord_guide {
    cord_guide_kind kind;
    /* Every kind except a path: its centre and frame, a point of a body or a fixed point of the world; or a vertex of a
     * strand, with the axes of the world. */
    cord_point on;
    cord_point to;        /* span: its other end */
    double radius;        /* m; surface: an estimate of its smallest radius of curvature */
    cord_path path;       /* path */
    cord_surface surface; /* surface */
    double size[3];       /* argument of `surface` */
    void *user;           /* argument of `surface`; the caller keeps it alive */
    const char *name;     /* in messages, copied; NULL: its index */
} cord_guide;

/* A node of a definition by guides and nodes. */
typedef struct cord_cable_node {
    int guide;    /* index in cord_cable_def.guides; -1: the node is free, with three coordinates */
    double at[3]; /* its coordinates on the guide; of a free node the position in the world, m */
    double s;     /* material coordinate, m; it increases from node to node */
    bool eulerian; /* the cable runs through the node; default false */
    /* The straight segment before (-1) or after (1) the node is tangent to the guide, which determines the node's first
     * coordinate; 0 (the default): neither. */
    int tangent;
    bool prescribed; /* the node keeps these coordinates; default false */
} cord_cable_node;

/* Friction between a curved segment and its guide. */
typedef enum cord_wrap_friction {
    CORD_WRAP_FRICTIONLESS, /* none; the default */
    CORD_WRAP_NO_SLIP,      /* the cable never slips */
    CORD_WRAP_CAPSTAN, /* Coulomb friction by the capstan equation; `friction` is the coefficient */
} cord_wrap_friction;

/* The friction of one curved segment. */
typedef struct cord_wrap {
    int segment; /* the segment after node `segment` */
    cord_wrap_friction friction_law;
    double friction; /* coefficient of CORD_WRAP_CAPSTAN */
    cord_point
        rotation; /* a revolute coordinate or a flywheel (point.h): the rotation of the pulley about the
                            guide's axis; null: the pulley is fixed to its carrier */
} cord_wrap;

/* A waypoint of a route, which replaces guides and nodes. The library finds the shortest path: straight between
 * waypoints and tangent to pulleys. While the cable moves, it unwraps from pulleys and wraps them again. */
typedef enum cord_waypoint_kind {
    CORD_WAYPOINT_ANCHOR, /* the cable is fixed to a point: first or last; a closed cable anywhere */
    CORD_WAYPOINT_EYELET, /* the cable runs through a point, with a corner */
    CORD_WAYPOINT_PULLEY, /* the cable wraps a pulley, a shaft, a column or a capstan */
    CORD_WAYPOINT_DRUM,   /* the cable ends on a drum, wound on its rim: first or last */
    CORD_WAYPOINT_FREE,   /* a free node at a position in the world; a free end */
    CORD_WAYPOINT_TUBE, /* the cable runs through a tube along a path, with corners at its ends; `friction`
                           acts by the capstan equation over the total curvature of the tube */
    CORD_WAYPOINT_SURFACE, /* the cable ends on the surface of a cylinder that does not rotate: first or last. It is
                              wound on it and leaves it along a tangent; or, where both ends are on one cylinder and
                              nothing is between them, it is a helix from one to the other */
} cord_waypoint_kind;

typedef struct cord_waypoint {
    cord_waypoint_kind kind;
    cord_point
        point; /* every kind except free and tube; of a pulley or a drum its centre, with the axis along
                           the third axis of the frame */
    cord_path path; /* tube: an open path, in the world or on a body */
    bool reversed;  /* tube: the cable enters at the end of the path; default false */
    double
        position[3]; /* free, m; surface: the nearest position on the cylinder is that of the end */
    double radius;   /* pulley, drum, surface: of the cable's centreline, m */
    int side; /* pulley, drum, first surface: 1: anticlockwise seen from the tip of the axis, -1: clockwise */
    int turns; /* additional whole turns; default 0 */
    /* pulley: a smooth cylinder, along which the cable slides; the cable lies on it as a geodesic helix. Default false:
     * a disc, on whose plane the cable stays */
    bool cylinder;
    /* pulley, drum: pitch of a helical groove, m per turn, positive where the groove is right-handed; 0 (the default):
     * none. The groove rotates with the pulley */
    double pitch;
    /* of a groove, m along the axis from the point: the initial height of the middle of the wrap, of a drum that of the
     * tangent point; default 0 */
    double height;
    bool
        prescribed; /* surface, both ends on one cylinder: this end stays where it is; default: it slides */
    cord_wrap_friction friction_law;
    double friction;     /* coefficient of CORD_WRAP_CAPSTAN */
    cord_point rotation; /* as in cord_wrap; required for a drum */
    bool loose;          /* drum: the end is not fixed to the rim and runs off with the last turn */
    int parts; /* segments of the straight span to the next waypoint, with free nodes between them; 0: 1 */
} cord_waypoint;

typedef struct cord_cable_def {
    const char *name;  /* for messages; may be NULL */
    double density;    /* kg/m; default 0.1 */
    double radius;     /* for pictures, m; default 2 mm */
    double stretching; /* EA, N; 0: inextensible */
    double bending;    /* EI, N m² */
    double damping;    /* internal damping, s */
    double drag;       /* N s/m² */
    /* A push-pull cable, a rigid chain: its spans bear compression too. Default false: they pull, and go slack. */
    bool pushes;
    /* Of an inextensible cable, 0 to 1: the rate at which the ends of a span approach each other after it has become taut,
     * over the rate at which they separated. Default 0: inelastic. */
    double restitution;
    /* For comparison: every Lagrangian node has half the mass between it and its neighbours, and segments have none.
     * Default: false, mass is distributed along the segments. */
    bool lumped;
    /* GJ, N m²; 0 (the default): the cable transmits no twist. Twist is uniform along the cable and quasistatic; pulleys
     * do not resist it. Both ends must be anchored or on drums, where they are clamped in their initial direction. */
    double twisting;
    int guide_count, node_count, wrap_count;
    const cord_guide *guides;
    const cord_cable_node *nodes;
    const cord_wrap *wraps;
    int waypoint_count;
    const cord_waypoint *waypoints;
    /* The initial tension of an elastic cable along a route, N. Of a closed inextensible cable: the mean tension, which
     * is kept where its pulleys cannot move. */
    double tension;
    /* A belt or an endless chain: the first waypoint or node follows the last. There are no drums; an anchor fixes the
     * cable where it passes. Default false. */
    bool closed;
    /* Of a closed cable defined by nodes, m. Of an open cable along a route: its natural length, at least that of the
     * route; the rest is slack in the longest straight span. 0 (the default): that of the route. */
    double length;
    /* Number of reported positions, equally spaced along the cable; 0: 8 per node. On a closed cable they do not move
     * with the material, unless the cable is anchored. */
    int vertex_count;
} cord_cable_def;

/* Returns a definition of an inextensible, frictionless cable of 0.1 kg/m without waypoints. */
CORD_API cord_cable_def cord_cable_def_default(void);

/* Adds a cable and writes its handle to *strand; queries of strands accept it. The cable is removed with any body, strand,
 * path or pulley rotation that it refers to. Fixed points are taken at their present positions: to move one later, put it
 * on a clamped body. Returns CORD_ERROR_ARGUMENT, CORD_ERROR_HANDLE or CORD_ERROR_UNSUPPORTED with a message that names
 * the waypoint, guide or node. */
CORD_API cord_status cord_world_add_cable(cord_world *world, const cord_cable_def *def,
                                          cord_strand *strand);

/* The state of a node. */
typedef struct cord_node_state {
    int guide;                       /* -1: the node is free */
    bool eulerian;                   /* the cable runs through the node */
    double position[3], velocity[3]; /* m, m/s */
    double at[3];                    /* coordinates on the guide */
    double s, rate; /* material coordinate, m, and the speed of the cable through the node, m/s */
    int waypoint;   /* -1: none */
    cord_guide_kind kind;     /* of its guide */
    const char *guide_name;   /* the kind of its guide, or "free" */
    const char *segment_name; /* of the segment after it: "straight", "arc", "helix" or "curve" */
    cord_body body;           /* its carrier; null: the world or a strand */
    cord_strand strand;       /* its carrier; null: the world or a body */
    int dofs;                 /* spatial unknowns, 0 to 3 */
} cord_node_state;

/* Writes the number of nodes. */
CORD_API cord_status cord_cable_get_node_count(const cord_world *world, cord_strand cable,
                                               int *count);
/* Writes the state of a node. */
CORD_API cord_status cord_cable_get_node(const cord_world *world, cord_strand cable, int node,
                                         cord_node_state *state);
/* Writes whether the cable is in contact with the pulley of a waypoint, the wrap angle (rad; of a tube its total
 * curvature), and the axial forces before and after it, at its tangent points, N. Any result may be NULL. */
CORD_API cord_status cord_cable_get_wrap(const cord_world *world, cord_strand cable, int waypoint,
                                         bool *in_contact, double *angle, double *before,
                                         double *after);
/* Writes the fleet angles at the pulley or drum of a waypoint, rad: the angles between the plane normal to its axis and
 * the cable before and after it, positive where the cable leads from the tangent point towards the tip of the axis. They
 * are 0 where there is no contact and where the cable ends on the drum. Either may be NULL. */
CORD_API cord_status cord_cable_get_fleet_angles(const cord_world *world, cord_strand cable,
                                                 int waypoint, double *before, double *after);
/* Changes of a cable's nodes: it wraps a pulley, or a free end reaches a waypoint, which stops the transverse motion; it
 * unwraps; or a node that was retained at an unwrapped pulley is removed. */
typedef struct cord_cable_events {
    int wraps, unwraps; /* events of the first kind, and of the others */
    /* Changes of the energy of the cable's cluster: at the last event, and sums over both kinds, J. */
    double last_energy_change, wrap_energy_change, unwrap_energy_change;
    int tightenings;                 /* steps in which slack spans became taut */
    double tightening_energy_change; /* the energy lost by them, negative, J */
    double max_kinetic_energy;       /* the largest kinetic energy of the cluster at an event, J */
    double max_relative_unwrap_change; /* the largest energy change at an unwrap over that */
    double max_impulse;                /* the largest change of linear momentum, N s */
} cord_cable_events;
/* Writes the events since the cable was added. */
CORD_API cord_status cord_cable_get_events(const cord_world *world, cord_strand cable,
                                           cord_cable_events *changes);
/* Writes the twist of the end against the start, rad, with whole turns, and its torque, N m. Either may be NULL. Returns
 * CORD_ERROR_UNSUPPORTED for a cable without twist. */
CORD_API cord_status cord_cable_get_twist(const cord_world *world, cord_strand cable, double *angle,
                                          double *torque);
/* Writes the axial force in the segment after a node, positive in tension, N, at the fraction `along` of it, 0 to 1: the
 * force on its ends, less the weight and the inertia of the material between. */
CORD_API cord_status cord_cable_get_tension(const cord_world *world, cord_strand cable, int segment,
                                            double along, double *tension);
/* Writes the slack of the cable, m: the length by which the material of its slack spans exceeds the distances that they
 * bridge. */
CORD_API cord_status cord_cable_get_slack(const cord_world *world, cord_strand cable,
                                          double *slack);

CORD_END

#endif
