/* A dBody and the Cordage body that stands for it. */
#ifndef CORDAGE_MODULES_ODE_PAIR_H
#define CORDAGE_MODULES_ODE_PAIR_H

#include <cordage/cordage.h>
#include <cordage/ode.h>

/* A body's motion as ODE has it, bit for bit. */
typedef struct motion {
    dReal position[3], rotation[12], linear[3], angular[3];
} motion;

typedef struct wrench {
    double force[3], torque[3];
} wrench;

typedef struct pair {
    dBodyID ode;
    cord_body body;
    /* A joint that does nothing, in a group of its own: ODE takes it off a body that is destroyed, and
     * so it tells, even when ODE's world is gone. */
    dJointGroupID group;
    dJointID witness;
    double mass, inertia[9];
    motion known;    /* what ODE had when both agreed */
    wrench own;      /* what ODE itself did in the last step, beside gravity; as a load: */
    cord_load load;  /* at the centre of the Cordage body */
    wrench strands;  /* what strands did in that step */
    wrench expected; /* what ODE was told that they will do */
    int gyroscopic;  /* ODE's setting, which is off while it steps */
} pair;

/* On failure nothing is left behind. `why` is set where the world has no message. */
cord_status pair_make(pair *p, cord_world *world, dBodyID ode, const cord_body_def *def,
                      const char **why);
void pair_end(pair *p, cord_world *world);

/* Whether some coupling has it. */
bool pair_exists(dBodyID ode);
/* Whether ODE still has the body. */
bool pair_lives(const pair *p);
/* NULL, or what is wrong with it. */
const char *pair_trouble(const pair *p);

/* Make the two agree: what was set in ODE counts, else what Cordage has. */
cord_status pair_agree(pair *p, cord_world *world);
/* Before ODE's step: what strands are expected to do. */
void pair_begin(pair *p);
/* From ODE's step to the load in Cordage's. */
cord_status pair_load(pair *p, cord_world *world, double h, const double gravity[3]);
/* Where Cordage has got to ODE; `advanced`: by a step of h, of which the strands' part is taken. */
cord_status pair_finish(pair *p, cord_world *world, double h, const double gravity[3],
                        bool advanced);

#endif
