/* Cables: nodes on guides, segments between them [Highly constrained strands, 2011].
 *
 * Columns are the nodes' own coordinates (on a circle or a cylinder arc lengths, so that all are metres), the
 * material coordinates of Eulerian nodes, and, last, the columns of what carries guides: a cable rides on
 * bodies, its matrix is over their columns too. Rows are the lengths of inextensible segments, the tangency of
 * nodes, and what does not slip. */
#ifndef CORDAGE_STRAND_CABLE_H
#define CORDAGE_STRAND_CABLE_H

#include "block/block.h"

#include <cordage/cable.h>

enum {
    NODE_COORDINATES = 3,
    PORT_COLUMNS = 6,
    PORT_Q = 7,
    NODE_CACHE = 16, /* place, its derivatives over the coordinates, the coordinates, s */
    PORT_CACHE = 12, /* place and axes */
    ELEMENT_UNKNOWNS = 28,
};

typedef struct cable_guide {
    cord_guide_kind kind;
    int port;                          /* -1: fixed in the world */
    double origin[3], axes[9], radius; /* in the port's axes */
} cable_guide;

typedef struct cable_node {
    int guide;            /* -1: free */
    int count;            /* coordinates */
    int column, s_column; /* first of them; s_column -1: Lagrangian */
    int q;                /* of its coordinates, and then s where it is Eulerian */
    int tangent;
    double s; /* at first, or for good */
} cable_node;

/* What the equations are added up from. Unknowns: columns, then rows (columns + row). `slot[k]` is where the
 * lower triangle goes: an entry of the band, or with the bits turned of the extras. */
typedef enum element_kind {
    ELEMENT_STRAIGHT,
    ELEMENT_CURVED,
    ELEMENT_BEND,
    ELEMENT_TANGENT,
    ELEMENT_GRIP
} element_kind;

typedef struct cable_element {
    element_kind kind;
    int node;         /* first */
    int row;          /* -1: none */
    int count, first; /* unknowns; in cable.unknown */
    int first_slot;
    int side; /* ELEMENT_TANGENT: which of the two nodes touches its guide */
    int spin; /* ELEMENT_GRIP: column of the wheel's turn; -1: it does not turn */
} cable_element;

typedef struct cable {
    double density, radius, stretching, bending, damping, drag;
    bool lumped;
    int nodes, guides, ports, spins, elements, rows, columns, vertices;
    cable_node *node;
    cable_guide *guide;
    cable_element *element;
    int *unknown; /* of all elements */
    int *slot;
    int *position;                          /* per unknown */
    int *row_element, *row_head, *row_next; /* rows by their later node */
    int unknown_count, slot_count;
    int band_count, band_width, extras;
    int *extra;             /* pairs of unknowns */
    int own_q, own_columns; /* before what it rides on */
    double length;
    double *grip_start; /* per row of a grip: what it keeps */
    double *initial_q;
} cable;

static inline const double *cable_place(const double *cache, int node)
{
    return cache + NODE_CACHE * node;
}
/* 3 × count, by columns. */
static inline const double *cable_slopes(const double *cache, int node)
{
    return cache + NODE_CACHE * node + 3;
}
static inline const double *cable_coordinates(const double *cache, int node)
{
    return cache + NODE_CACHE * node + 12;
}
static inline double cable_s(const double *cache, int node)
{
    return cache[NODE_CACHE * node + 15];
}
static inline const double *cable_port(const cable *c, const double *cache, int port)
{
    return cache + NODE_CACHE * c->nodes + PORT_CACHE * port;
}
static inline int cable_port_column(const cable *c, int port)
{
    return c->own_columns + PORT_COLUMNS * port;
}
static inline int cable_spin_column(const cable *c, int spin)
{
    return c->own_columns + PORT_COLUMNS * c->ports + spin;
}
static inline int cable_spin_q(const cable *c, int spin)
{
    return c->own_q + PORT_Q * c->ports + spin;
}

/* ---- cable_guide.c: places on guides ------------------------------------------------------------ */

int cord__guide_coordinates(cord_guide_kind kind);
/* A place and its first and second derivatives over the coordinates, in the port's axes: slopes 3 × 2,
 * bends of (0,0), (0,1), (1,1). Either may be NULL. */
void cord__guide_place(const cable_guide *g, const double *at, double place[3], double slopes[6],
                       double bends[9]);
/* ---- cable_element.c: the terms of the equations ------------------------------------------------ */

typedef struct element_terms {
    double r[ELEMENT_UNKNOWNS];                   /* of columns; of rows g */
    double a[ELEMENT_UNKNOWNS][ELEMENT_UNKNOWNS]; /* lower triangle */
    double kinetic, gravity, stretching, bending;
    double linear[3], angular[3];
    double tension, length, strain; /* of segments */
} element_terms;

/* How an element is evaluated: NULL where not wanted. */
typedef struct element_input {
    const double *cache, *q, *v, *a, *lambda;
    const surroundings *around;
    double c_a, c_v, c_k;
    bool rows_only, matrix;
} element_input;

/* How many unknowns an element has at most and which; counts into the list. */
int cord__element_unknowns(const cable *c, const cable_element *e, int *unknown);
void cord__element_terms(const cable *c, const cable_element *e, const element_input *in,
                         element_terms *out);
/* Energies and momenta only. */
void cord__element_energy(const cable *c, const cable_element *e, const element_input *in,
                          element_terms *out);

extern const strand_ops cord__cable;

/* What a cable is carried by, worked out by the world. */
typedef struct cable_carriers {
    const cable_guide *guides; /* with their ports */
    int ports, spins;
    const int *spin_of_wrap; /* -1: none */
    const double *q;         /* of ports and spins, as they are */
} cable_carriers;

cord_status cord__cable_create(const cord_cable_def *def, const cable_carriers *on, memory *m,
                               cable **out, char *why, size_t size);

#endif
