/* Worlds of every kind of block, each with several islands: strands of every model, bodies on joints, sliding
 * points, and machines with cables. Determinism and workspace are tested on all of them. */
#ifndef CORDAGE_TESTS_MACHINES_H
#define CORDAGE_TESTS_MACHINES_H

#include <cordage/cordage.h>

typedef struct machine {
    const char *name;
    void (*build)(cord_world *world);
    unsigned
        unsupported; /* a bit for each integration (scenes.h) that answers CORD_ERROR_UNSUPPORTED */
} machine;

enum { MACHINES = 12, MACHINE_STEPS = 5 };
extern const machine machines[MACHINES];

/* Whether an integration, by its index in scenes.h, supports the machine. */
bool machine_supports(const machine *m, int by);

/* A world that contains the machine, not yet stepped; `allocator` may be NULL. */
cord_world *machine_world(const machine *m, int by, int threads, const cord_allocator *allocator);
/* At most MACHINE_STEPS steps of a millisecond; asserts that each succeeds, or is unsupported
 * where the machine says so, and then returns false. */
bool machine_step(const machine *m, int by, cord_world *world);

#endif
