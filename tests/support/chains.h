/* Chains for tests: a curve of constant natural curvature that begins at the origin along x and
 * bends in the plane of x and z. */
#ifndef CORDAGE_TESTS_CHAINS_H
#define CORDAGE_TESTS_CHAINS_H

#include "support/scenes.h"

enum { CHAIN_MODELS = 3, CHAIN_ELEMENTS_MOST = 64, CHAIN_VERTICES = 13 };
extern const char *const chain_models[CHAIN_MODELS];

typedef struct chain_def {
    const char *model;
    bool planar;
    int elements;      /* default 4 */
    double length;     /* m; default 0.6 */
    double curl;       /* natural curvature, 1/m */
    double straighten; /* reduces the initial curvature, 1/m */
    double from[3];
    bool skew; /* in no plane of the world */
    double damping, base_damping;
} chain_def;

/* EI = 0.01 and 0.015, GJ = 0.01 N m², 0.1 kg/m. */
cord_strand chain_strand(cord_world *world, const chain_def *def);

/* Exact to round-off: tolerances far below the defaults. */
cord_world *chain_world(const integration *by, bool gravity);

/* The integrators that chains support, the first of the list in scenes.h: a chain has no
 * diagonal mass, so that the symplectic integrator refuses it (test_chain_world.c); quasi-static
 * motion is in test_quasi_static.c. */
enum { CHAIN_INTEGRATIONS = SYMPLECTIC };

/* ---- bases and tips [Casati and Bertails-Descoubes 2012, figure 4] ------------------------------ */

typedef enum chain_base { CLAMPED, PINNED_BASE, FREE_BASE, CHAIN_BASES } chain_base;
typedef enum chain_tip { FREE_TIP, HELD_TIP, LOOP_G0, LOOP_G1, LOOP_G2, CHAIN_TIPS } chain_tip;
extern const char *const chain_bases[CHAIN_BASES], *const chain_tips[CHAIN_TIPS];

/* A full circle of six elements, closed initially and in its natural shape. Shapes: in space;
 * planar, in a general plane; planar, in a coordinate plane. */
enum { CHAIN_SHAPES = 3 };
chain_def chain_loop(const char *model, int shape);

/* The constraints (five at most); returns how many. */
int chain_hold(cord_world *world, cord_strand chain, chain_base b, chain_tip t,
               cord_constraint *out);

/* Rotates it about the origin, and slightly out of the plane. */
void chain_push(cord_world *world, cord_strand chain, double size);

/* The largest residual of some constraints. */
double chain_residual(cord_world *world, const cord_constraint *constraints, int count);

/* The distance of two sets of vertices, as one vector. */
double chain_distance(const double *a, const double *b);

#endif
