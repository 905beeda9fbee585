/* Strands that sag, of every model, and points that slide on them. Every call asserts success. */
#ifndef CORDAGE_TESTS_SLIDING_H
#define CORDAGE_TESTS_SLIDING_H

#include <cordage/cordage.h>

/* A model, and whether its curve has a tangent and a curvature everywhere. */
typedef struct sliding_kind {
    const char *model;
    bool closed, planar, tangent, curvature;
    int elements;
    double twist; /* that it begins with, in all */
} sliding_kind;

enum { SLIDING_KINDS = 8, SLIDING_VERTICES = 25 };
extern const sliding_kind sliding_kinds[SLIDING_KINDS];

/* A test of cmocka with each of them as its state; of those that are open; of those and a cable;
 * and of all that have frames. Under the sanitizers,
 * which make everything ten times slower, a rod and a chain stand for all. */
#define SLIDING_ON(test, i) cmocka_unit_test_prestate(test, (void *)(sliding_kinds + (i)))
#ifdef __SANITIZE_ADDRESS__
#define ON_EVERY(test) SLIDING_ON(test, 0), SLIDING_ON(test, 4)
#define ON_OPEN_STRANDS ON_EVERY
#define ON_OPEN ON_EVERY
#define ON_FRAMED ON_EVERY
#else
#define ON_OPEN_STRANDS(test)                                                                      \
    SLIDING_ON(test, 0), SLIDING_ON(test, 2), SLIDING_ON(test, 3), SLIDING_ON(test, 4),            \
        SLIDING_ON(test, 5)
#define ON_OPEN(test) ON_OPEN_STRANDS(test), SLIDING_ON(test, 7)
#define ON_EVERY(test) SLIDING_ON(test, 1), SLIDING_ON(test, 6), ON_OPEN(test)
#define ON_FRAMED(test) SLIDING_ON(test, 1), SLIDING_ON(test, 6), ON_OPEN_STRANDS(test)
#endif

/* Sagging between (0, 0, 0) and (1, 0, 0), in the plane of x and z where it is planar; or, when closed, a bent ring. */
cord_strand sliding_strand(cord_world *world, const sliding_kind *kind, double young);
/* A straight one from the origin to (x, 0, z), pinned at both ends. */
cord_strand sliding_taut(cord_world *world, double x, double z);

cord_point_def sliding_def(cord_strand rope, double s);
cord_point sliding_point(cord_world *world, cord_strand rope, double s, double friction);
/* A sliding point pinned in the world at its position. */
cord_point sliding_keyhole(cord_world *world, cord_strand rope, double s, double friction,
                           cord_constraint *hold);
/* A ball of 2000 kg/m³ whose centre is a sliding point. */
cord_body sliding_pearl(cord_world *world, cord_point at, double radius, cord_constraint *hold);

#endif
