/* Small worlds for tests: a rope from one point to another, and what holds it. Every call asserts
 * success. */
#ifndef CORDAGE_TESTS_SCENES_H
#define CORDAGE_TESTS_SCENES_H

#include "block/block.h"

#include <cordage/cordage.h>

typedef struct integration {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
} integration;

/* Every integrator and scheme. */
enum { INTEGRATIONS = 5 };
extern const integration integrations[INTEGRATIONS];

cord_world *scene_world(const integration *by);
/* By an integrator's own scheme, with gravity downwards. */
cord_world *scene_world_in(cord_integrator integrator, double gravity);

/* The message with the failure. */
#define assert_fine(world, call) scene_assert_fine((world), (call), #call, __FILE__, __LINE__)
void scene_assert_fine(const cord_world *world, cord_status status, const char *what,
                       const char *file, int line);

/* A straight rope of `edges` edges: EI = GJ = 0.01 N m², 0.1 kg/m, inextensible where the model
 * can be. `ops` NULL: discrete elastic rods; a cable is of free nodes. */
cord_strand scene_rope(cord_world *world, const strand_ops *ops, const char *name, int edges,
                       const double from[3], const double to[3]);

cord_point scene_point(cord_world *world, cord_strand rope, double s);
cord_point scene_place(cord_world *world, double x, double y, double z);

/* A relation of this kind with all else by default. */
cord_relation scene_relation(cord_world *world, const char *kind, cord_point first,
                             cord_point second);
cord_relation scene_relate(cord_world *world, const cord_relation_def *def);

/* Hold the place at s where it is. */
cord_relation scene_hang(cord_world *world, cord_strand rope, double s);

uint64_t scene_hash(const cord_world *world);

#endif
