/* The conformance suite of blocks: the checks that every strand model, every body, every coordinate and every
 * cable must pass, through the interface that the engine uses (block/block.h) and through the world. A test
 * lists its cases (shapes and options that reach all of the code) and adds tests of the model itself, refinement among
 * them:
 *
 *     static const conformance_case cases[] = {{.name = "curved", .ops = &cord__der, …}, …};
 *     static const struct CMUnitTest more[] = {cmocka_unit_test(refinement)};
 *     return conformance_group(cases, CASES, more, 1);
 */
#ifndef CORDAGE_TESTS_CONFORMANCE_H
#define CORDAGE_TESTS_CONFORMANCE_H

#include "block/block.h"
#include "support/test.h"

#include <cordage/cordage.h>

enum { CONFORMANCE_VERTICES = 16, CONFORMANCE_FRAMES = 4, CONFORMANCE_POINTS = 6 };

/* Arrays that a definition may point into. */
typedef struct conformance_shape {
    double positions[3 * CONFORMANCE_VERTICES], natural_positions[3 * (CONFORMANCE_VERTICES + 1)];
    double velocities[3 * CONFORMANCE_VERTICES];
    double twist[CONFORMANCE_VERTICES], natural_twist[CONFORMANCE_VERTICES];
} conformance_shape;

/* Where a world is built: rotated about the origin and shifted. */
typedef struct conformance_place {
    double rotation[9], shift[3];
} conformance_place;
/* A body definition, taken there. */
void conformance_take(const conformance_place *to, cord_body_def *def);

typedef struct conformance_case {
    const char *name;

    /* A block that the public interface builds, in a world with the other objects it needs,
     * moving as its flight begins; instead of `ops` and `define`. */
    block *(*build)(cord_world *world, const conformance_place *at);
    /* Points and frames of such a block; returns the number of frames. NULL: points along a
     * strand. */
    int (*attach)(void *model, attachment points[CONFORMANCE_POINTS],
                  attachment frames[CONFORMANCE_FRAMES]);
    bool dissipates;
    /* Why a check does not apply to a block that is built, NULL: it applies. The suite prints
     * it. */
    struct {
        const char *hessian, *power, *rigid, *points, *midpoint, *flight, *velocity_terms;
    } lacks;

    const strand_ops *ops;

    /* Fill the definition. `director`, where the model has frames, must be set explicitly: the
     * suite rotates the whole definition. */
    void (*define)(conformance_shape *shape, cord_strand_def *def);

    /* The dofs of a rigid motion with velocity u and angular velocity w about the origin. */
    void (*rigid)(const void *model, const double *q, const double *cache, const double u[3],
                  const double w[3], double *v);

    /* Vertices whose frames are attached to, and which of them are prescribed; frames between vertices are
     * tested besides. Models without frames have none. */
    int frames, vertex[CONFORMANCE_FRAMES];
    bool prescribed[CONFORMANCE_FRAMES];
    bool no_frames; /* asking for one is refused with CORD_ERROR_UNSUPPORTED */

    bool curvatures; /* curvature at a point can be asked for */

    bool
        by_motion; /* `midpoint`: the defect of the work against the change of energy is corrected along the motion, in
                       proportion to inertia, so that at rest there is nothing to test */

    double step;        /* s: a step that all integrators can take in flight */
    bool no_symplectic; /* the model does not offer it */
    double fitted;      /* vertices are at the given positions to this; 0: exactly */
    double spin;        /* relative change of angular momentum the model itself allows in flight */
    double linear;      /* the same of linear momentum, and of the energy with `midpoint` */
    double drift;       /* and of both momenta, with one solve in a step, or `by_motion` */
} conformance_case;

/* Runs, as one cmocka group, every case through the block interface (derivatives, rows, orders, points,
 * retraction, invariance, discrete gradients, caches), cases without prescribed frames in free flight with
 * every integrator (momenta and energy), and the tests of the model itself. Returns the failures. */
int conformance_group(const conformance_case *cases, int count, const struct CMUnitTest *more,
                      int more_count);

/* One flight, as a cmocka test; `integration` is a number in scenes.h's list. */
typedef struct conformance_flight {
    const conformance_case *with;
    int integration;
} conformance_flight;
void conformance_fly(void **flight);

/* `measure(n)` for n = first, 2 first, 4 first must converge at `order` or better. */
typedef struct conformance_refinement {
    const char *name;
    double (*measure)(int elements);
    int first;
    double order;
} conformance_refinement;
void conformance_refine(const conformance_refinement *refinement);

#endif
