/* Sums over the Gauss nodes of an element: inertia, geometric stiffness, generalised forces. */
#ifndef CORDAGE_STRAND_CHAIN_SUMS_H
#define CORDAGE_STRAND_CHAIN_SUMS_H

#include "strand/chain/chain.h"

/* The force at a Gauss node. */
typedef struct chain_force {
    double f[3];    /* times the node's weight */
    double inertia; /* its weight in the matrix: c_a times mass, c_v times linear drag */
    double along;   /* quadratic drag has a larger derivative along the velocity: weight of uuᵀ */
    double u[3];
} chain_force;

/* `own` denotes the curvature components of the element. */
typedef struct chain_sums {
    double force[6 + LOCAL_MOST];       /* of the nodes: Σ f, Σ r × f, Σ P·f; zero without */
    double m0, m1[3], m2[6];            /* inertia and its moments: xx xy xz yy yz zz */
    double rotation[6];                 /* geometric stiffness of ω with ω */
    double mP[3 * LOCAL_MOST];          /* v with own, by components */
    double moment[3 * LOCAL_MOST];      /* ω with own, by components */
    double own[LOCAL_MOST][LOCAL_MOST]; /* symmetric: the columns up to the diagonal */
} chain_sums;

/* Internal force and moment about the element's first node, at a Gauss node. */
typedef struct chain_load {
    double force[3], moment[3];
} chain_load;

/* Inertia of element e, whose nodes have the forces from `force` on (NULL: the mass alone), and where lambda is not NULL
 * its geometric stiffness times c_k under these forces and the multipliers of the rows at its end. */
void cord__chain_element_sums(const chain_model *c, const double *cache, int e,
                              const chain_force *force, const double *lambda, double c_k,
                              chain_sums *s);
/* Geometric stiffness of a part of a panel that begins with it, whose nodes are g, under given loads. */
void cord__chain_part_sums(const chain_model *c, int e, int panel, double part,
                           const chain_gauss *g, const chain_load *load, double c_k, chain_sums *s);
/* The generalised forces of a panel of element e alone, as chain_sums.force. */
void cord__chain_panel_forces(const chain_model *c, int e, const chain_gauss *g,
                              const chain_force *force, double sum[6 + LOCAL_MOST]);

#endif
