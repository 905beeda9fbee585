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
    double straighten; /* of it is not there at the beginning, 1/m */
    double from[3];
    bool skew; /* in no plane of the world */
    double damping, base_damping;
} chain_def;

/* EI = 0.01 and 0.015, GJ = 0.01 N m², 0.1 kg/m. */
cord_strand chain_strand(cord_world *world, const chain_def *def);

/* Exact to what round-off allows: tolerances far below those of everyday. */
cord_world *chain_world(const integration *by, bool gravity);

/* Schemes of chains: those of scenes.h less symplectic, and the papers'. */
enum { CHAIN_INTEGRATIONS = 6 };
extern const integration chain_integrations[CHAIN_INTEGRATIONS];

#endif
