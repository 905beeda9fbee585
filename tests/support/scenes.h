/* Small worlds for tests: ropes, bodies and points, their constraints, and stepping. Every call
 * asserts success. */
#ifndef CORDAGE_TESTS_SCENES_H
#define CORDAGE_TESTS_SCENES_H

#include "block/block.h"

#include <cordage/cordage.h>

typedef struct integration {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
} integration;

/* Every integrator, and every scheme of the implicit one. Those before QUASI_STATIC have inertia. */
enum {
    TR_BDF2,
    MIDPOINT,
    BACKWARD_EULER,
    LINEARISED,
    SEMI_IMPLICIT,
    SEMI_IMPLICIT_VELOCITY,
    SYMPLECTIC,
    QUASI_STATIC,
    INTEGRATIONS,
    DYNAMIC_INTEGRATIONS = QUASI_STATIC
};
extern const integration integrations[INTEGRATIONS];

/* One solve in a step: constraints are satisfied by the projection after it, momenta to the
 * order of the scheme. */
static inline bool is_one_solve(const integration *by)
{
    return by->integrator == CORD_IMPLICIT && by->scheme >= CORD_LINEARISED;
}

/* The papers' schemes: only chains and bodies have terms that they take at the end of the step. */
static inline bool is_semi_implicit(const integration *by)
{
    return by->integrator == CORD_IMPLICIT && by->scheme >= CORD_SEMI_IMPLICIT;
}

static inline bool is_first_order(const integration *by)
{
    return by->integrator == CORD_SYMPLECTIC ||
           (by->integrator == CORD_IMPLICIT && by->scheme != CORD_TR_BDF2);
}

/* A test of cmocka with each of them as its state: all; those with inertia; and of these those that cables
 * support, which have no diagonal mass. */
#define BY_EVERY_INTEGRATION(test)                                                                 \
    BY_EVERY_DYNAMIC_INTEGRATION(test), BY_INTEGRATION(test, "quasi_static", QUASI_STATIC)
#define BY_EVERY_DYNAMIC_INTEGRATION(test)                                                         \
    BY_EVERY_IMPLICIT_INTEGRATION(test), BY_INTEGRATION(test, "symplectic", SYMPLECTIC)
#define BY_EVERY_IMPLICIT_INTEGRATION(test)                                                        \
    BY_INTEGRATION(test, "tr_bdf2", TR_BDF2),                                                      \
        BY_INTEGRATION(test, "backward_euler", BACKWARD_EULER),                                    \
        BY_INTEGRATION(test, "linearised", LINEARISED),                                            \
        BY_INTEGRATION(test, "midpoint", MIDPOINT),                                                \
        BY_INTEGRATION(test, "semi_implicit", SEMI_IMPLICIT),                                      \
        BY_INTEGRATION(test, "semi_implicit_velocity", SEMI_IMPLICIT_VELOCITY)
#define BY_INTEGRATION(test, name, i)                                                              \
    ((struct CMUnitTest){#test ", " name, test, NULL, NULL, (void *)(integrations + (i))})

cord_world *scene_world(const integration *by);
/* With gravity downwards, and the default scheme of an integrator. */
cord_world *scene_world_under(const integration *by, double gravity);
cord_world *scene_world_in(cord_integrator integrator, double gravity);

/* The message with the failure. */
#define assert_fine(world, call) scene_assert_fine((world), (call), #call, __FILE__, __LINE__)
void scene_assert_fine(const cord_world *world, cord_status status, const char *what,
                       const char *file, int line);

/* EI = GJ = 0.01 N m², 0.1 kg/m. */
cord_section scene_section(void);
/* A straight rope of `edges` edges of that section, inextensible where the model can be. `ops` NULL: discrete
 * elastic rods; a cable is of free nodes. */
cord_strand scene_rope(cord_world *world, const strand_ops *ops, const char *name, int edges,
                       const double from[3], const double to[3]);

cord_strand scene_strand(cord_world *world, const cord_strand_def *def);
double scene_length(cord_world *world, cord_strand rope);

cord_body scene_body(cord_world *world, const cord_body_def *def);
/* A box with these sides, of 1000 kg/m³, at the origin. */
cord_body_def scene_box(double x, double y, double z);
/* The corners of a cube of 1 m and its 12 triangles. */
extern const double scene_cube[24];
extern const int scene_cube_faces[36];

cord_point scene_add_point(cord_world *world, const cord_point_def *def);
cord_point scene_point(cord_world *world, cord_strand rope, double s);
cord_point scene_place(cord_world *world, double x, double y, double z);
/* In the world, where another is. */
cord_point scene_place_of(cord_world *world, cord_point other);
cord_point scene_on(cord_world *world, cord_body body, double x, double y, double z);
/* Through points in the axes of a body or, for a null body, of the world. */
cord_path scene_path(cord_world *world, cord_body body, int count, const double *points,
                     bool closed);

/* A constraint of this kind with default parameters. */
cord_constraint scene_constraint(cord_world *world, const char *kind, cord_point first,
                                 cord_point second);
cord_constraint scene_relate(cord_world *world, const cord_constraint_def *def);

/* Pins the point at s at its position. */
cord_constraint scene_hang(cord_world *world, cord_strand rope, double s);

/* A force or torque along a sliding or revolute coordinate. */
cord_load scene_push(cord_world *world, cord_point on, double along);

/* The largest residual of its rows. */
double scene_gap(cord_world *world, cord_constraint of);

void scene_advance(cord_world *world, double h, int steps);
cord_energy scene_energy(cord_world *world);
/* The coordinate of a sliding or revolute point; its rate too, unless NULL. */
double scene_coordinate(cord_world *world, cord_point of, double *rate);

uint64_t scene_hash(const cord_world *world);
/* The complete state of a world, to be freed. */
void *scene_state(cord_world *world, size_t *size);
/* Copies the state of one world to the other. */
void scene_copy_state(cord_world *from, cord_world *to);
/* From its state now the world, and the world again after that state is restored, reach the same
 * state; so does another world that was built identically, unless NULL. */
void scene_goes_on(cord_world *world, cord_world *other, double h, int steps);

#endif
