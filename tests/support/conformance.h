/* The conformance suite of strand models: what every model must pass, tested through the interface
 * that the engine uses (block/block.h) and through the world. A model's test lists its cases (shapes
 * and options that reach all of its code) and adds the suite to its own tests:
 *
 *     static const conformance_case cases[] = {{.name = "curved", .ops = &cord__der, …}, …};
 *     conformance_run(cases, count);          // the block interface
 *     conformance_fly(cases, count);          // through the world
 *     conformance_refine(&refinement);        // order of convergence
 */
#ifndef CORDAGE_TESTS_CONFORMANCE_H
#define CORDAGE_TESTS_CONFORMANCE_H

#include "block/block.h"

enum { CONFORMANCE_VERTICES = 16, CONFORMANCE_FRAMES = 4 };

/* What a definition may point into. */
typedef struct conformance_shape {
    double positions[3 * CONFORMANCE_VERTICES], natural_positions[3 * (CONFORMANCE_VERTICES + 1)];
    double velocities[3 * CONFORMANCE_VERTICES];
    double twist[CONFORMANCE_VERTICES], natural_twist[CONFORMANCE_VERTICES];
} conformance_shape;

typedef struct conformance_case {
    const char *name;
    const strand_ops *ops;

    /* Fill the definition. `director`, where the model has frames, must not be left to chance: the
     * suite turns the whole definition. */
    void (*define)(conformance_shape *shape, cord_strand_def *def);

    /* The columns of a rigid motion with velocity u and angular velocity w about the origin. */
    void (*rigid)(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v);

    /* Where frames are held, as fractions of the length, and which of them from outside. Models
     * without frames have none. */
    int frames;
    double frame_at[CONFORMANCE_FRAMES];
    bool prescribed[CONFORMANCE_FRAMES];
    bool no_frames; /* asking for one is refused with CORD_ERROR_UNSUPPORTED */

    double step;        /* s: a step that all integrators can take in flight */
    bool no_symplectic; /* the model does not offer it */
} conformance_case;

/* Derivatives, rows, orders, jets, retraction, invariance, discrete gradients, caches. */
void conformance_run(const conformance_case *cases, int count);

/* Free flight with every integrator: momenta and energy. */
void conformance_fly(const conformance_case *cases, int count);

/* `measure(n)` for n = first, 2 first, 4 first must converge at `order` or better. */
typedef struct conformance_refinement {
    const char *name;
    double (*measure)(int elements);
    int first;
    double order;
} conformance_refinement;
void conformance_refine(const conformance_refinement *refinement);

#endif
