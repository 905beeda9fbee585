/* Cables: nodes on guides, segments between them [HCS 2011, sec. 2].
 *
 * Dofs are the nodes' coordinates on their guides (arc lengths instead of angles, so that all are
 * metres), the material coordinates of Eulerian nodes, the twist, and, last, the shared dofs of the
 * carriers of guides and of pulley rotations. Constraint rows are the lengths of inextensible
 * segments, g = l − Δs [HCS 2011, eq. 11, 12], the tangency of nodes, no-slip [HCS 2011, eq. 13,
 * 14] and rolling contact, and nodes at fixed fractions of the material between their neighbours.
 *
 * A `cable` is constant from one event to the next. The state is in q, v and λ and in the side
 * array of the block (no_slip_memory, rolling_memory, event_memory); the cache is a function of q;
 * workspace is an argument. */
#ifndef CORDAGE_STRAND_CABLE_H
#define CORDAGE_STRAND_CABLE_H

#include "block/block.h"
#include "curve/path.h"
#include "math/vec3.h"

#include <cordage/cable.h>

#include <math.h>

enum {
    NODE_COORDINATES = 3,
    CARRIER_DOFS = 6, /* of a body; of a vertex of a strand 3 */
    CARRIER_Q = 7,    /* the same */
    NODE_CARRIERS = 2,
    NODE_CACHE = 16, /* position, its derivatives over the coordinates, the coordinates, s */
    NODE_S = 15,
    CARRIER_CACHE = 12,    /* position and axes */
    ELEMENT_UNKNOWNS = 48, /* at most; a multiple of eight */
    ARC_NODES = 66,        /* at most, of an arc that detaches from a pulley at an end */
    POINT_NODES = 4,       /* on which a material point may depend within a step */
};

/* Carrier of guides: a body, or a vertex of a strand, which does not rotate. */
typedef struct cable_carrier {
    bool rotates;
} cable_carrier;

/* The first dof and the first value of q of a carrier. */
typedef struct carrier_offset {
    int dof, q;
} carrier_offset;

typedef struct guide_ops guide_ops;

typedef struct cable_guide {
    const guide_ops *ops;
    int carrier;     /* -1: fixed in the world */
    int far_carrier; /* span: of its end; else -1 */
    double far[3];   /* span: its end, in that carrier's axes */
    double origin[3], axes[9],
        radius;             /* in the carrier's axes; the radius of a path is its length */
    const path_curve *path; /* the world's */
    char name[40];          /* in messages; may be empty */
    cord_surface surface;
    double size[3];
    void *user;
} cable_guide;

/* A node: where it is (from the plan), and the indices of its unknowns (make_nodes). */
typedef struct cable_node {
    int guide, waypoint; /* -1: it is free; it belongs to no waypoint */
    int tangent;
    bool evenly_spaced; /* at `fraction` of the material between its neighbours */
    double fraction;    /* of a Lagrangian node given by hand: of its span (resample.c) */
    bool retained;      /* where a pulley was, until its removal costs little (retained_nodes.c) */
    double s;           /* when the nodes were made; of a Lagrangian node always */
    double at[NODE_COORDINATES]; /* where it is prescribed */
    int size;                    /* coordinates */
    int count;                   /* those that are unknown: all, or none */
    int dof, s_dof;              /* first of them; s_dof -1: Lagrangian */
    int q;                       /* of its coordinates, and then s where it is Eulerian */
} cable_node;

/* Elements, whose terms sum to the equations. Their unknowns are dofs, then rows (dofs + row). */
typedef enum element_kind {
    ELEMENT_STRAIGHT,
    ELEMENT_CURVED,
    ELEMENT_BEND,
    ELEMENT_MASS, /* lumped, at a Lagrangian node */
    ELEMENT_TANGENT,
    ELEMENT_NO_SLIP,
    ELEMENT_ROLLING,
    ELEMENT_GROOVE, /* a node in the helical groove of a drum */
    ELEMENT_EVENLY_SPACED,
    ELEMENT_TORSION, /* the twist of the whole cable: its energy, and its row */
    ELEMENT_TWIST,   /* the terms of a node in that row */
} element_kind;

/* Index of the first unknowns of a node among those of an element; -1: the element does not have them. */
typedef struct element_local {
    int coordinates, s, carrier[NODE_CARRIERS];
} element_local;

/* A helical groove that rotates with its drum: height − slope (u − aφ) = offset, φ the rotation of the drum. */
typedef struct cable_groove {
    double slope;  /* 0: none */
    double offset; /* m */
} cable_groove;

typedef struct cable_element {
    element_kind kind;
    int node;         /* first */
    int row;          /* -1: none */
    bool one_sided;   /* that of a segment which may be slack */
    double buckling;  /* the compression that a segment bears, N: its Euler load π² EI/Δs² */
    int count, first; /* unknowns; in cable.unknown */
    int first_slot;
    int slip; /* ELEMENT_NO_SLIP, ELEMENT_ROLLING: in cable.slip; -1: it never slips */
    int memory; /* ELEMENT_NO_SLIP, ELEMENT_ROLLING, one-sided lengths: offset of their state in the side array */
    int end; /* ELEMENT_TANGENT, ELEMENT_ROLLING, ELEMENT_GROOVE, ELEMENT_TWIST: index of the node */
    int rotation; /* ELEMENT_NO_SLIP, ELEMENT_GROOVE: dof of the pulley's rotation; -1: it does not rotate */
    int points, table;   /* ELEMENT_CURVED between prescribed nodes: in cable.table; 0: none */
    double mass;         /* ELEMENT_MASS */
    cable_groove groove; /* ELEMENT_GROOVE */
    element_local local[3];
} cable_element;

/* The kind of a node given by hand that no event changes. */
enum { WAYPOINT_NODE = CORD_WAYPOINT_SURFACE + 1 };

/* A waypoint of a route, with its guide: as defined, then as the last event left it. Nodes given by hand are waypoints
 * where there are wraps among them (given_wraps.c). */
typedef struct cable_waypoint {
    int kind;  /* cord_waypoint_kind, or WAYPOINT_NODE */
    int guide; /* -1: free */
    int side, parts, rotation;
    double spacing; /* of the nodes on the straight line after it; 0: there are none */
    cord_wrap_friction friction_law;
    double friction;
    bool loose; /* a drum: the end can unwind from it */
    cable_groove groove;

    bool passed;      /* by a free end, and not wrapped again; a drum: its end is free */
    int arc_segments; /* straight segments that replace its arc when it detaches with an end */
    int end; /* a pulley: which end of the cable lies on it, -1 the start, 1 the end; 0: none */
    bool present; /* it has nodes; a pulley: it is wrapped */
    int node;     /* its first, where it is present */
} cable_waypoint;

typedef struct cable_material {
    double density, radius, stretching, bending, damping, drag, twisting;
    double restitution; /* where a slack inextensible segment becomes taut */
    bool pushes;        /* segments bear compression, and are never slack */
    bool lumped;        /* mass at Lagrangian nodes instead of along segments */
} cable_material;

/* Clamps of a cable with twist, at its start and at its end: the initial direction there and a director orthogonal to
 * it. At a point in the axes of its carrier; on a pulley in those of the tangent, the normal and the axis. */
typedef struct cable_clamp {
    double along[3], across[3];
} cable_clamp;

/* Arguments of an element's evaluation, and the coefficients of its matrix; NULL: not required. */
typedef struct element_input {
    const double *cache, *v, *a, *lambda;
    const double *side;        /* not read by segments, bending elements and masses */
    const double *g;           /* per row: replaces its value */
    const midpoint_step *step; /* `midpoint` */
    const environment *environment;
    double c_a, c_v, c_k;
    bool rows_only, matrix;
    bool augmented; /* residuals have the terms ρBᵀg of rows: with a matrix always */
    bool lossless;  /* without drag and damping */
    double off; /* closed: the mean of the multipliers of length rows; 0 where a segment is slack */
} element_input;

/* A wrap with capstan friction: one row in its middle (ELEMENT_NO_SLIP), of elastic cables one at either end
 * (ELEMENT_ROLLING). */
typedef struct cable_slip {
    int element, rows; /* the first of its rows, and their number */
    int mode;          /* offset in the side array: of a slip_mode, of two rows in a slip_memory */
    double coefficient;
    double turning; /* of a wrap between prescribed nodes, rad; else negative */
} cable_slip;

/* Stored in the side array as a double. SLIP_LEFT and SLIP_RIGHT: the sign of the friction force on the cable, along the
 * angle. SLIP_UNDECIDED, of a new contact: no friction acts on its velocities until the next step, which decides. */
typedef enum slip_mode { SLIP_LEFT = -1, SLIP_NONE, SLIP_RIGHT, SLIP_UNDECIDED } slip_mode;

/* State of the friction of an elastic wrap. */
typedef struct slip_memory {
    double mode;
    double share[2];   /* of the friction force at either end while it slips */
    double natural[2]; /* 1/(1 + ε) at either end, ε the mean of the strains on both sides of it */
} slip_memory;

/* State of a no-slip contact (ELEMENT_NO_SLIP), in the side array. */
typedef struct no_slip_memory {
    double reference; /* prescribed value of the row */
    double mode;      /* slip_mode */
} no_slip_memory;

/* The same of a wrap on a cylinder. */
typedef struct helix_memory {
    no_slip_memory contact;
    double cosine; /* of the helix with the plane of the pulley, at the start of the step */
} helix_memory;

/* State of a rolling contact (ELEMENT_ROLLING), in the side array: an end of an elastic wrap without slip. The
 * natural length that has crossed the node since the start of the step equals the length of the rim that has, divided
 * by the stretch 1 + ε with which the material reached the pulley. */
typedef struct rolling_memory {
    double s, rim; /* at the start of the step */
    double
        natural; /* natural length over length of the rim, of the material that crosses; 0: no step yet */
    double rim_advance; /* of the rim in the previous step, towards larger angles */
} rolling_memory;

/* State of the row of a straight inextensible segment (slack.c), in the side array. */
typedef struct length_memory {
    double slack;    /* 1: it is slack; 0: it is taut */
    double approach; /* the rate of l − Δs with which a slack segment began the step, if positive */
    double changes; /* of the choice since the start of the step */
    double rebound; /* its rate after an impact in the step, with the opposite sign */
} length_memory;

/* Sums over events, in the side array. */
typedef struct event_memory {
    double wraps, unwraps, last_energy_change, wrap_energy_change, unwrap_energy_change;
    double tightenings, tightening_energy_change; /* slack segments that became taut */
    double max_kinetic_energy, max_relative_unwrap_change, max_impulse;
    double last_wraps; /* 1: in the last event the cable, or its end, reached a waypoint; else 0 */
} event_memory;

#define SIDE_DOUBLES(type) ((int)(sizeof(type) / sizeof(double)))

/* Given by the user: copied by cord__cable_make() from a cable_source and then constant; every successor has a copy. */
typedef struct cable_definition {
    cable_material material;
    double linear_density; /* of segments: the density, or 0 where mass is lumped */
    int guides, carriers, rotations, waypoints, vertices;
    cable_guide *guide;
    cable_carrier *carrier;
    bool closed;
    bool by_nodes;             /* it has no route: its waypoints are those of given_wraps.c */
    double prescribed_tension; /* of a closed inextensible cable; else 0. T = that − λ */
    /* Of the initial configuration of the first cable (set_directions): */
    cable_clamp clamp[2];
    double upright[3]; /* normal of the plane that it lies in at first, about: frame.c */
} cable_definition;

/* The nodes and the wrapped pulleys: written by cord__cable_make() from a plan, and then constant. An event replaces
 * the cable by a successor with another topology; checkpoints contain it (record.c). */
typedef struct cable_topology {
    int nodes;
    cable_node *node; /* closed: the last of `nodes` is an alias of the first; one more follows */
    cable_waypoint *waypoint;
    int base; /* the waypoint of the first node */
    double length;
    double start; /* the material coordinate from which points count theirs */
} cable_topology;

/* Indices of unknowns and matrix entries, tables and scales: computed by cord__cable_make() from definition and
 * topology, and then constant. */
typedef struct cable_layout {
    int own_q, own_dofs;          /* before the shared ones */
    carrier_offset *carrier;      /* shared dofs */
    int rotation_dof, rotation_q; /* of the first pulley rotation */
    int twist_dof, twist_row;     /* -1: it carries no twist */
    int elements, rows, dofs;
    cable_element *element;                 /* those of segments first, in their order */
    int *unknown;                           /* of all elements */
    int *order;                             /* of elimination, per unknown */
    int *row_element, *row_head, *row_next; /* rows by their later node */
    int unknown_count, slot_count, band_count, band_width;
    int slips, slip_rows, side_count;
    cable_slip *slip;
    /* Quadrature points of segments between prescribed nodes: position, first and second derivative, in the carrier's
     * axes. */
    double (*table)[9];
    double *weight;       /* per dof: typical inertia */
    double compliance;    /* closed: strain over the defect of its mean tension */
    double row_stiffness; /* closed, or elastic: N/m in statics, scale of the rows */
    bool rigid;           /* closed, of constant length: the mean of multipliers is subtracted */
    int straights, *straight; /* straight segments, for contact: the indices of their elements */
} cable_layout;

/* The state that a cable begins with: written by cord__cable_make(), and by the event that makes a successor. */
typedef struct cable_initial {
    double *q, *v, *side;
} cable_initial;

typedef struct cable {
    cable_definition def;
    cable_topology topology;
    cable_layout layout;
    cable_initial initial;
} cable;

static inline const double *cable_position(const double *cache, int i)
{
    return cache + NODE_CACHE * i;
}
/* Jacobian of its position over its coordinates: 3 × count, column-major. */
static inline const double *cable_jacobian(const double *cache, int i)
{
    return cache + NODE_CACHE * i + 3;
}
static inline const double *cable_coordinates(const double *cache, int i)
{
    return cache + NODE_CACHE * i + 12;
}
static inline double cable_s(const double *cache, int i)
{
    return cache[NODE_CACHE * i + NODE_S];
}
static inline int cable_cached_nodes(const cable *c)
{
    return c->topology.nodes + c->def.closed;
}
/* Without the aliases of a closed cable. */
static inline int cable_own_nodes(const cable *c)
{
    return c->topology.nodes - c->def.closed;
}
/* Of a closed cable: before the first segment is the last one. */
static inline int cable_segment(const cable *c, int segment)
{
    return c->def.closed && segment < 0 ? segment + c->topology.nodes - 1 : segment;
}
static inline const double *carrier_pose(const cable *c, const double *cache, int carrier)
{
    return cache + NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * carrier;
}
/* The pose of a guide's carrier; NULL: it is fixed in the world. */
static inline const double *guide_pose(const cable *c, const double *cache, const cable_guide *g)
{
    return g->carrier >= 0 ? carrier_pose(c, cache, g->carrier) : NULL;
}
/* A vector, and a position, from the axes of a carrier to the world; carrier NULL: they are the same. */
static inline void vector_to_world(const double *carrier, const double own[3], double out[3])
{
    double copy[3];
    v3_copy(copy, own);
    if (carrier)
        m3_apply(out, carrier + 3, copy);
    else
        v3_copy(out, copy);
}
static inline void to_world(const double *carrier, const double own[3], double out[3])
{
    vector_to_world(carrier, own, out);
    if (carrier) v3_add(out, carrier, out);
}
/* The material coordinate of a node, and its rate, without a cache. */
static inline double cable_s_at(const cable_node *n, const double *q)
{
    return n->s_dof >= 0 ? q[n->q + n->count] : n->s;
}
static inline double cable_s_rate(const cable_node *n, const double *v)
{
    return n->s_dof >= 0 ? v[n->s_dof] : 0;
}
/* The rotation of a pulley, rad. */
static inline double pulley_rotation(const cable *c, const double *cache, int rotation)
{
    return cache[NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * c->def.carriers + rotation];
}
static inline const no_slip_memory *no_slip_of(const cable_element *e, const double *side)
{
    return (const no_slip_memory *)(side + e->memory);
}
/* Length along the angle per length of the cable. */
static inline double contact_cosine(const cable *c, const cable_element *e,
                                    const no_slip_memory *no_slip)
{
    return c->topology.node[e->node].size > 1 ? ((const helix_memory *)no_slip)->cosine : 1;
}
static inline const rolling_memory *rolling_of(const cable_element *e, const double *side)
{
    return (const rolling_memory *)(side + e->memory);
}
/* Whether its nodes may change. */
bool cord__is_resampled(const cable *c);
static inline bool cable_has_events(const cable *c)
{
    return c->def.waypoints > 0 || cord__is_resampled(c);
}
/* Of a segment with a row; side NULL: none is slack. */
static inline bool length_slack(const cable_element *e, const double *side)
{
    return side && e->one_sided && ((const length_memory *)(side + e->memory))->slack != 0;
}
/* The sums over events come last. */
static inline event_memory *cable_events(const cable_layout *layout, double *side)
{
    return (event_memory *)(side + layout->side_count - SIDE_DOUBLES(event_memory));
}
/* The angle of twist, rad, including complete revolutions. */
static inline double cable_twist(const cable *c, const double *cache)
{
    return cache[NODE_CACHE * cable_cached_nodes(c) + CARRIER_CACHE * c->def.carriers +
                 c->def.rotations];
}
/* Dofs of the cable with inertia: all except the twist. */
static inline int cable_node_dofs(const cable_layout *layout)
{
    return layout->own_dofs - (layout->twist_dof >= 0);
}
static inline int cable_carrier_dof(const cable *c, int carrier)
{
    return c->layout.carrier[carrier].dof;
}
static inline int cable_rotation_dof(const cable *c, int rotation)
{
    return c->layout.rotation_dof + rotation;
}

/* The waypoints that the user has defined. */
static inline int route_waypoints(const cable_definition *def)
{
    return def->by_nodes ? 0 : def->waypoints;
}

/* Nodes of a waypoint that is present. */
static inline int waypoint_nodes(int kind)
{
    return kind == CORD_WAYPOINT_PULLEY || kind == CORD_WAYPOINT_DRUM || kind == CORD_WAYPOINT_TUBE
               ? 2
               : 1;
}

/* Cosine of the angle between a segment on a circle or a cylinder and the plane normal to the axis. */
static inline double helix_cosine(const cable *c, const double *cache, int segment)
{
    const double *from = cable_coordinates(cache, segment),
                 *to = cable_coordinates(cache, segment + 1);
    if (c->topology.node[segment].size < 2) return 1;
    return fabs(to[0] - from[0]) / hypot(to[0] - from[0], to[1] - from[1]);
}

/* Velocity, from the dofs v, of a point at `arm` from its carrier. */
static inline void carrier_motion(const cable *c, int carrier, const double *v, const double arm[3],
                                  double out[3])
{
    const double *motion = v + c->layout.carrier[carrier].dof;
    double rotation[3];
    v3_copy(out, motion);
    if (!c->def.carrier[carrier].rotates) return;
    v3_cross(rotation, motion + 3, arm);
    v3_add(out, out, rotation);
}

/* Rate of a coordinate; 0 where it is prescribed. */
static inline double cable_rate(const cable_topology *topology, int i, int k, const double *v)
{
    return k < topology->node[i].count ? v[topology->node[i].dof + k] : 0;
}

/* ---- guides: guide.h, guide.c and a file to each ------------------------------------------------ */

typedef struct element_terms element_terms;

enum {
    GUIDE_NEEDS_RADIUS = 1,
    GUIDE_NEEDS_PATH = 2,
    GUIDE_NEEDS_SECOND_POINT = 4,
    GUIDE_NEEDS_SURFACE = 8
};

/* Second derivatives of a position: none; ∂²x/∂u₀² = −n/radius alone, n the normal; all of them. */
typedef enum guide_hessian {
    GUIDE_HESSIAN_ZERO,
    GUIDE_HESSIAN_NORMAL,
    GUIDE_HESSIAN_FULL
} guide_hessian;

/* A curvature, and its derivatives over the differences of the coordinates, (0), (1) and (0,0), (0,1), (1,1). */
typedef struct uniform_curvature {
    double value, first[2], second[3];
} uniform_curvature;

struct guide_ops {
    cord_guide_kind kind;
    const char *name,
        *segment;    /* of a segment between two of its nodes: straight, arc, helix, curve */
    int coordinates; /* of a node */
    int angles;      /* the first ones are angles to users */
    int needs;       /* GUIDE_NEEDS_... */
    bool along;      /* segments follow the guide, and are ELEMENT_CURVED; else they are straight */
    /* the length of a segment is the distance of its ends in the plane of the coordinates */
    bool isometric;
    bool no_slip;  /* a wrap may be prescribed against sliding along the first coordinate */
    bool revolute; /* about the third axis: it may be a rotating pulley */
    bool planar;   /* orthogonal to the third axis; arcs are in closed form (arc.c) */
    guide_hessian hessian;
    /* Position, Jacobian (3 × 2) and Hessian (of (0,0), (0,1), (1,1)) over the coordinates, in the carrier's axes. J and H
     * may be NULL. */
    void (*position)(const cable_guide *g, const double *u, double x[3], double *J, double *H);
    /* Outward normal at a node, in the world, and its derivatives over the node's coordinates; returns the number of
     * coordinates on which it depends. NULL: no straight segment is tangent to the guide. */
    void (*normal)(const cable *c, const double *cache, int node, double normal[3]);
    int (*normal_jacobian)(const cable *c, const double *cache, int node, double J[6]);
    /* Total curvature ∫κ ds of a segment, rad; NULL: no capstan friction on it. */
    double (*turning)(const cable_guide *g, const double *from, const double *to);
    /* Panels of the quadrature of a segment; NULL: 1. Panels of its table where both nodes are prescribed; NULL: it has
     * none. */
    int (*panels)(const cable_guide *g, const double *from, const double *to);
    int (*table_panels)(const cable_guide *g, double from, double to);
    /* Metres per unit of coordinate k; NULL: 1. */
    double (*scale)(const cable_guide *g, const double *u, int k);
    /* Curvature of a segment, where it is constant along it; for cord__uniform_bending(). */
    uniform_curvature (*curvature)(const cable_guide *g, const double *from, const double *to);
    /* Bending energy of a segment; of guides that segments follow. */
    void (*bending)(const cable *c, const cable_element *e, const element_input *in,
                    element_terms *out);
    /* pull ∂²l over the coordinates, added to the matrix; NULL: l is linear in them. */
    void (*length_stiffness)(const cable *c, const cable_element *e, const element_input *in,
                             double length, double pull, element_terms *out);
};

/* NULL: there is no such kind. */
const guide_ops *cord__guide_ops(int kind);

static inline void guide_position(const cable_guide *g, const double *u, double x[3], double *J,
                                  double *H)
{
    g->ops->position(g, u, x, J, H);
}

/* Whether it is between points of two carriers. */
static inline bool guide_is_span(const cable_guide *g)
{
    return g->ops->needs & GUIDE_NEEDS_SECOND_POINT;
}

/* Whether a segment follows the guide of its nodes, and is not straight. */
static inline bool cable_is_curved(const cable *c, int segment)
{
    const cable_node *n = c->topology.node + segment;
    return n->guide >= 0 && n[1].guide == n->guide && c->def.guide[n->guide].ops->along;
}

typedef struct cable_plan cable_plan;

/* ---- element.c: the terms of the equations ------------------------------------------------ */

struct element_terms {
    double r[ELEMENT_UNKNOWNS];                   /* of dofs; of rows g */
    double a[ELEMENT_UNKNOWNS][ELEMENT_UNKNOWNS]; /* lower triangle */
    double kinetic, gravity, stretching, bending;
    double linear[3], angular[3];
    double tension, length, strain, natural; /* of segments */
    bool slack;
    double stretch_gradient
        [ELEMENT_UNKNOWNS]; /* derivatives of (1 + strain) natural at constant `natural` */
};

/* An entry of the lower triangle. */
static inline double *element_entry(element_terms *t, int i, int j)
{
    return i >= j ? &t->a[i][j] : &t->a[j][i];
}

/* The unknowns of an element: appended to the list, with the indices of its nodes' unknowns (unknowns.c). */
int cord__element_unknowns(const cable *c, cable_element *e, int *unknown);
void cord__element_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out);
/* A row whose derivative is B, of a `size` of inertia, into the terms. */
void cord__put_row(const cable *c, const cable_element *e, const element_input *in, double value,
                   const double *B, double size, element_terms *out);
/* out->r += Jᵀ force, J of the material at α of a segment. */
void cord__element_push(const cable *c, const cable_element *e, const element_input *in,
                        double alpha, const double force[3], element_terms *out);
/* Energies and momenta only. */
void cord__element_energy(const cable *c, const cable_element *e, const element_input *in,
                          element_terms *out);

/* ---- arc.c: segments on circles ------------------------------------------------------------ */

/* Whether inertia and weight of an ELEMENT_CURVED are in closed form; and their terms. */
bool cord__arc_is_closed(const cable *c, const cable_element *e, const double *cache);
void cord__arc_terms(const cable *c, const cable_element *e, const element_input *in,
                     element_terms *out);
/* Kinetic energy and momenta. */
void cord__arc_motion(const cable *c, const cable_element *e, const element_input *in,
                      element_terms *out);

/* A carrier of a node: its translation and its rotation about `arm` move the node with the factor
 * `weight`; `weight_derivative` is the derivative of the weight over the node's coordinate. */
typedef struct node_carrier {
    int carrier;
    double weight, weight_derivative, arm[3];
} node_carrier;

/* How many there are, NODE_CARRIERS at most. */
int cord__node_carriers(const cable *c, const double *cache, int node, node_carrier *on);
/* The ends of a span in the world. */
void cord__span_ends(const cable *c, const double *cache, const cable_guide *g, double from[3],
                     double to[3]);

/* ---- quadrature.c ---------------------------------------------------------------------------------- */

bool cord__make_tables(cable *c, memory *m);

/* ---- twist.c: twist of the cable as a whole --------------------------------------------------- */

/* Whether the twist is prescribed at both ends; otherwise writes the diagnostic. */
cord_status cord__check_twist(const cable_guide *guides, const cable_plan *plan, bool closed,
                              char *why, size_t size);
/* The direction in which an end (0, 1) is clamped and a director orthogonal to it, in the current configuration. */
void cord__clamp_at(const cable *c, const double *cache, int end, double along[3],
                    double across[3]);
/* Clamped as it lies. */
void cord__clamp_ends(cable *c, const double *cache);
double cord__twist_row(const cable *c, const double *cache);
double cord__torque(const cable *c, const double *cache);
void cord__torsion_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out);
void cord__twist_terms(const cable *c, const cable_element *e, const element_input *in,
                       element_terms *out);
/* The director at the start, across `along`. */
void cord__cable_director(const cable *c, const double *cache, const double along[3],
                          double across[3]);

/* ---- row.c: rows without their matrix -------------------------------------------------------- */

/* Whether its value needs no other terms of the element: of segments the difference of length and natural length. */
bool cord__row_is_simple(const cable *c, const cable_element *e);
double cord__row_value(const cable *c, const cable_element *e, const double *cache,
                       const double *side);
double cord__row_rate(const cable *c, const cable_element *e, const double *cache,
                      const double *side, const double *v);

/* ---- tension.c -------------------------------------------------------------------------------- */

/* The axial force along a segment: mean − weight·x + load₀ (α − α²/2 − 1/3) + load₁ (α²/2 − 1/6) + friction (½ − α). */
typedef struct segment_tension {
    double mean, weight[3], load[2], friction;
} segment_tension;

/* `friction`: with that of its pulley. `t`: the terms of the segment, without inertia. */
void cord__segment_tension(const cable *c, const element_input *in, int segment, bool friction,
                           element_terms *t, segment_tension *out);
/* At α, where the position is x. */
double cord__tension_in(const segment_tension *p, double alpha, const double x[3]);
double cord__tension_at(const cable *c, const element_input *in, int segment, double alpha);

/* ---- slack.c ----------------------------------------------------------------------------------- */

/* The length by which the material of all slack segments exceeds the distances of their ends. */
double cord__cable_slack(const cable *c, const double *cache);
/* Which segments are slack in the initial configuration. */
void cord__initial_slack(cable *c, const double *cache);
/* Which segments of a successor are slack in its initial configuration. */
void cord__carry_slack(const cable *from, const double *side, cable *c, const double *cache);
void cord__slack_begin(const cable *c, const environment *env, const double *cache, const double *v,
                       double step, double *side);
/* memory_ops.choose_active_set, closes, crosses, release_rows and end_impact. */
bool cord__slack_choose(const cable *c, const element_input *in, const double *row_cache,
                        double *side);
bool cord__slack_closes(const cable *c, const double *before, const double *side);
bool cord__slack_crosses(const cable *c, const double *start, const double *end);
bool cord__slack_release(const cable *c, const double *cache, double step, const double *impulse,
                         double *side);
void cord__slack_end_impact(const cable *c, double h, const double *impulse, double *side);
/* −ġ after the impact of a segment that became taut in the step; else 0. */
double cord__slack_rebound(const cable_element *e, const double *side);

/* ---- friction.c --------------------------------------------------------------------------------- */

void cord__rolling_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out);
/* The row of a no-slip contact: its value, and its derivatives B over the element's unknowns, which may be NULL. */
double cord__no_slip_row(const cable *c, const cable_element *e, const double *cache,
                         const no_slip_memory *contact, double *B);
/* Start of a step: the references of sticking wraps are those of the current configuration. */
void cord__no_slip_begin(const cable *c, const double *cache, double *side);
/* Determines which wraps slip; returns whether one sticks that slipped, by an impact: velocities are continuous where
 * one begins to slip. */
bool cord__slips_choose(const cable *c, const element_input *in, double *side);
/* A hash of the wraps that slip; 0: none can. */
unsigned cord__slips_hash(const cable *c, const double *side);
/* The row of a slipping wrap. */
void cord__slip_terms(const cable *c, const cable_element *e, const element_input *in,
                      const double *B, element_terms *out);
/* The corrections of the rows of a wrap; returns their number. */
int cord__slip_corrections(const cable *c, int which, const element_input *in,
                           unsymmetric_row *out);
/* Rate of a row of a wrap with capstan friction. */
double cord__slip_row_rate(const cable *c, const cable_element *e, const double *cache,
                           const double *side, const double *v);
/* The work of friction along a displacement d, beyond that of its rows whose values change by `change`. */
double cord__friction_work(const cable *c, const element_input *in, const double *d,
                           const double *start, const double *end);
/* The modes of a cable's wraps after an event, `side` being the state of `old`. */
void cord__carry_slips(const cable *old, const double *side, cable *made);

/* ---- build.c: from nodes to a block ---------------------------------------------------------- */

/* Coordinates as the block has them. */
typedef struct planned_node {
    int guide, tangent, waypoint;
    bool eulerian, evenly_spaced, prescribed, retained;
    double at[NODE_COORDINATES], s;
    double rate[NODE_COORDINATES], s_rate;
    double fraction; /* of a node given by hand */
} planned_node;

typedef struct planned_wrap {
    int segment, rotation; /* rotation -1: none */
    cord_wrap_friction friction_law;
    double friction;
    cable_groove groove;
} planned_wrap;

struct cable_plan {
    int nodes, wraps;
    double length; /* of a closed cable, all round */
    int base;      /* and the waypoint it begins at */
    planned_node *node;
    planned_wrap *wrap;
};

/* From which a cable is made, beside its plan: the definition, and the state of its carriers and of its predecessor. */
typedef struct cable_source {
    cable_definition def; /* its arrays are the caller's */
    const cable_waypoint *waypoint;
    const double *q;            /* of carriers and rotations */
    bool successor;             /* the definition has clamps and `upright` */
    const event_memory *events; /* NULL: none */
    double twist, twist_rate;
} cable_source;

/* That of a successor, on these values of its shared q. */
cable_source cord__successor_of(const cable *c, const double *shared_q);
/* The shorter of the segments adjacent to a node. */
double cord__shorter_segment(const cable *c, int node);
double cord__dof_scale(const cable *c, int node, int k);
cord_status cord__plan_allocate(cable_plan *plan, int nodes, int wraps, memory *m);
void cord__plan_free(cable_plan *plan, memory *m);
/* Nodes and wraps of a definition; `rotation` per wrap. */
cord_status cord__plan_given(const cord_cable_def *def, const cable_guide *guides,
                             const int *rotation, cable_plan *plan, char *why, size_t size);
cord_status cord__check_material(const cable_material *of, char *why, size_t size);
planned_wrap cord__planned_wrap(const cable_waypoint *waypoint, int segment);
/* Whether all nodes that need mass have some when it is lumped; `why` is empty before. */
cord_status cord__check_lumped(const cable_plan *plan, bool closed, char *why, size_t size);
cord_status cord__cable_make(const cable_source *from, const cable_plan *plan, memory *m,
                             cable **out);

/* ---- route.c: from waypoints to nodes ---------------------------------------------------------------- */

/* Room for a route's nodes at most. */
int cord__route_capacity(const cord_waypoint *waypoints, int count);
/* The shortest path; guide i is that of waypoint i, `poses` are those of the carriers. */
cord_status cord__plan_route(const cord_cable_def *def, const cable_guide *guides,
                             const double *poses, cable_waypoint *waypoints, memory *m,
                             cable_plan *plan, char *why, size_t size);

/* ---- wraps.c: pulleys that are wrapped and unwrapped --------------------------------------------------- */

/* Whether a wrapped pulley has lost contact; whether all pulleys are wrapped, and remain so. From
 * the configuration alone. */
bool cord__is_unwrapped(const cable *c, const double *q);
bool cord__wraps_stay(const cable *c, const double *q);
/* Time until the next pulley is unwrapped, at the current rates of the arcs; s. */
double cord__time_to_unwrap(const cable *c, const double *q, const double *v);
/* The pulleys in contact; returns whether that has changed, or a node can be removed. `step`: the requested step, s. */
bool cord__wraps_change(const cable *c, const element_input *in, double step, bool *present);
/* Whether a pulley lies so deep in the cable, at the end of a step, that the contact would add energy, or a wrap has
 * ended whose arc is long. */
bool cord__event_is_late(const cable *c, const element_input *in, double step);
/* The nodes of a cable with the given wrapped pulleys; `present` per waypoint, into `waypoints`. */
void cord__plan_wraps(const cable *c, const double *cache, const double *v, const bool *present,
                      cable_waypoint *waypoints, cable_plan *plan);
/* A node as it is. */
void cord__copy_node(const cable *c, const double *cache, const double *v, int node,
                     cable_plan *plan);
/* The same nodes of a closed cable, beginning at another waypoint. */
void cord__plan_renumbered(const cable *c, const double *cache, const double *v, int base,
                           cable_waypoint *waypoints, cable_plan *plan);

/* ---- given_wraps.c: wraps among nodes given by hand ------------------------------------------------------ */

/* The waypoints of a cable given by nodes, and their nodes in the plan; returns their number, 0: no wrap can change. */
int cord__given_waypoints(const cord_cable_def *def, cable_plan *plan, cable_waypoint *waypoints);
/* Adds the wraps of segments between nodes that no event changes. */
void cord__plan_given_wraps(const cable_waypoint *waypoints, int count, cable_plan *plan);

/* ---- closed.c: belts and chains --------------------------------------------------------------- */

/* The aliases of the first two nodes: in the list, and in the cache. */
void cord__closed_nodes(cable *c);
void cord__closed_cache(const cable *c, double *cache);
/* Whether the length of the closed path is constant, so that a uniform tension does no work. */
bool cord__closed_is_rigid(const cable *c);
/* Compliance of the row of a segment of natural length `ds`: the value, and the diagonal of the matrix. */
double cord__closed_slack(const cable_layout *layout, const cable_element *e,
                          const element_input *in, double ds, double *diagonal);
/* Mean of the multipliers of length rows; 0 for cables without. */
double cord__closed_mean(const cable *c, const double *cache, const double *lambda);
/* Statics: a small stiffness against circulation of a cable without tangential force. It does not
 * change the equilibrium. */
void cord__closed_stabilise(const cable *c, const element_input *in, const local_matrix *matrix);
/* Subtract whole lengths from the material coordinates so that they stay small; returns whether it was necessary. */
bool cord__closed_recount(const cable *c, double *q, double *side);
/* Whether the first node must move to another waypoint, since the present one may be unwrapped; and that waypoint. */
bool cord__closed_renumbers(const cable *c, const double *q, int *base);
/* Frames of edges transported from the first edge: the holonomy defect of the closed loop is distributed uniformly. */
void cord__closed_frames(const cable_definition *def, double *frames);
/* The equivalent material coordinate between the first node and its alias. */
double cord__closed_s(const cable_topology *topology, const double *cache, double s);

/* ---- retained_nodes.c: free nodes where pulleys were ------------------------------------------------------ */

/* Whether a straight segment from `from` to `to` would lose more kinetic energy than the limit, so
 * that the node at s is necessary. */
bool cord__retains_node(const cable *c, const double *cache, const double *v, double from, double s,
                        double to);
/* Whether a node that remained after unwrapping can be removed. */
bool cord__node_is_spare(const cable *c, const double *cache, const double *v, int node);
bool cord__has_retained_nodes(const cable_topology *topology);

/* ---- resample.c: Lagrangian nodes given by hand -------------------------------------------------------- */

/* The fractions of Lagrangian nodes in their spans. */
void cord__plan_fractions(cable_plan *plan);
/* Time until a Lagrangian node, or an end, comes near to an Eulerian one, s; the end that has come to an Eulerian node, and
 * that node, false: none has; and whether nodes are to be resampled. */
double cord__time_to_resample(const cable *c, const double *q, const double *v);
bool cord__end_drawn_in(const cable *c, const double *q, int *end, int *node);
bool cord__resamples(const cable *c, const double *q);
void cord__plan_resampled(const cable *c, const double *q, const double *cache, const double *v,
                          cable_plan *plan);
/* Whether a segment has friction, and which. */
bool cord__segment_friction(const cable *c, int segment, planned_wrap *out);

/* ---- label.c ------------------------------------------------------------------------------------------ */

void cord__node_label(const cable *c, int node, char *out, size_t size);
void cord__row_label(const void *model, int row, char *out, size_t size);

/* ---- end.c: free ends at pulleys and eyelets ---------------------------------------------------- */

/* Whether a waypoint, where it is present, has two nodes. */
bool cord__has_pair(const cable_waypoint *s);
bool cord__has_free_end(const cable *c); /* with a waypoint that it may reach */
/* Time until a fixed end is pulled to the next waypoint, or the last revolution is unwound from a
 * drum; s. And the waypoint where that has occurred; -1: none. */
double cord__time_to_draw_in(const cable *c, const double *q, const double *v);
int cord__drawn_in(const cable *c, const double *q);
/* Time until a free end reaches a waypoint, or the end of its arc; s. */
double cord__time_to_run_on(const cable *c, const double *cache, const double *v);
/* The waypoints that are present after ends have come into contact with pulleys, or have passed them; returns whether
 * there are any such ends. An end in contact with a pulley is not present as a waypoint. */
bool cord__ends_wrap(const cable *c, const element_input *in, double step, bool *present);
/* The nodes of a pulley, one of which becomes an end. */
void cord__plan_end_on(const cable *c, const double *cache, const cable_waypoint *s, int side,
                       planned_node pair[2]);
/* Whether an end detaches from its drum, or from a pulley; the end, and the vertices of its former arc. */
bool cord__end_is_freed(const cable *c, const double *cache, const cable_waypoint *waypoints,
                        int waypoint);
void cord__plan_freed_end(const cable *c, const double *cache, const double *v, int end,
                          cable_plan *plan);
void cord__plan_arc(const cable *c, const double *cache, const double *v, int waypoint,
                    const planned_node *next, cable_plan *plan);

/* ---- contact_curve.c ------------------------------------------------------------------------- */

extern const contact_ops cord__cable_contact;
bool cord__cable_list_straight(cable *c, memory *m);

/* ---- point.c: material points and sliding points ---------------------------------------------- */

cord_status cord__cable_attach(void *model, memory *m, measure what, double s, attachment *at);
void cord__cable_point_jacobian(const void *model, const double *q, const double *cache,
                                const attachment *at, measure what, point_jacobian *j);
void cord__cable_geometric_stiffness(const void *model, const double *q, const double *cache,
                                     const attachment *at, measure what, const double w[3],
                                     double c_k, local_matrix *matrix);
int cord__cable_element_at(const void *model, const double *q, double s);
void cord__cable_sliding_jacobian(const void *model, const double *q, const double *cache,
                                  int element, double s, sliding_jacobian *j);
void cord__cable_sliding_stiffness(const void *model, const double *cache, int element, double s,
                                   measure what, const double w[3], double c_k,
                                   local_matrix *matrix);

/* ---- frame.c: tangents of the material, and frames at clamped ends ------------------------------- */

/* Start of a step: whether the segments adjacent to that of an attachment continue its tangent. */
void cord__start_attachment(const void *model, const double *cache, attachment *at);
/* The normal of the area between its nodes. */
void cord__set_upright(cable *c, const double *cache);
void cord__cable_frame_at(const void *model, const double *q, const double *cache, double s,
                          double *frame);

/* ---- cable.c ------------------------------------------------------------------------------------------ */

/* The input of elements for an evaluation of the block. */
element_input cord__cable_input(const cable *c, const block_eval *in, bool matrix);
/* The lower triangle of an element's terms: into the band, or where extras are. */
void cord__cable_scatter(const cable_element *e, const element_terms *t,
                         const local_matrix *matrix);

void cord__cable_energy(const cable *c, const environment *env, const double *cache,
                        const double *v, block_energy *e);
/* The kinetic energy alone. */
double cord__cable_kinetic(const cable *c, const double *cache, const double *v);

extern const strand_ops cord__cable;

/* ---- events.c ---------------------------------------------------------------------------------------- */

extern const topology_ops cord__cable_topology;
/* Doubles of workspace. */
int cord__event_work(const cable_definition *def);

/* ---- record.c: topology_ops.size, write and read ------------------------------------------------ */

size_t cord__record_size(const void *model);
void cord__record_write(const void *model, void *bytes);
cord_status cord__record_read(const void *model, const void *bytes, size_t size, const double *q,
                              memory *m, void **successor);

/* Adds the momentum of `old` on the dofs of `made`. */
void cord__cable_momentum(const cable *old, const double *old_cache, const double *old_v,
                          const cable *made, const double *cache, double *momentum);

/* The defect, per dof, of the momentum of v from the transferred momentum. */
void cord__cable_impulse(const void *model, const double *cache, const double *v,
                         const double *momentum, double *impulse);
/* Position and velocity of the material at α of a segment, and at s. */
void cord__cable_in(const cable *c, const double *cache, const double *v, int segment, double alpha,
                    double x[3], double velocity[3], double r_s[3]);
void cord__cable_at(const cable *c, const double *cache, const double *v, double s, double x[3],
                    double velocity[3], double r_s[3]);
void cord__node_velocity(const cable *c, const double *cache, const double *v, int node,
                         double out[3]);
/* The segment that contains the material coordinate s, and the fraction α along it. */
int cord__segment_at(const cable *c, const double *cache, double s, double *alpha);

/* ---- vertices.c: strand_ops ------------------------------------------------------------------- */

void cord__cable_positions(const void *model, const block_eval *at, double *x);
void cord__cable_coordinates(const void *model, const double *cache, double *s);
void cord__cable_velocities(const void *model, const double *q, const double *cache,
                            const double *v, double *x);
void cord__cable_frames(const void *model, const block_eval *at, double *frames);
void cord__cable_tensions(const void *model, const block_eval *at, double *t);

#endif
