/* A dBody of ODE and the Cordage body coupled to it. */
#ifndef CORDAGE_MODULES_ODE_PAIR_H
#define CORDAGE_MODULES_ODE_PAIR_H

#include <cordage/cordage.h>
#include <cordage/ode.h>

/* State of a body with the bits of ODE. */
typedef struct motion {
    dReal position[3], rotation[12], linear[3], angular[3];
} motion;

typedef struct wrench {
    double force[3], torque[3];
} wrench;

typedef struct pair {
    dBodyID ode;
    cord_body body;
    /* A null joint in its own group: ODE detaches it when the body is destroyed, which makes the
     * destruction detectable even after the ODE world is gone. */
    dJointGroupID group;
    dJointID witness;
    double mass, inertia[9];
    motion known;      /* state of ODE at the last synchronisation */
    wrench ode_wrench; /* of ODE in the last step, without gravity, applied as the load */
    cord_load load;    /* at the centre of the Cordage body */
    wrench strands;    /* of the strands on the body in the last step */
    wrench expected;   /* estimate of that wrench, applied in ODE in advance */
    int gyroscopic;    /* mode of ODE, switched off during its step */
} pair;

/* On failure nothing remains allocated. `why` is set where the world has no message. */
cord_status pair_make(pair *p, cord_world *world, dBodyID ode, const cord_body_def *def,
                      const char **why);
void pair_destroy(pair *p, cord_world *world);

/* Whether a coupling has this body. */
bool pair_exists(dBodyID ode);
/* Whether the dBody still exists. */
bool pair_is_alive(const pair *p);
/* NULL, or the reason why the coupling is no longer possible. */
const char *pair_diagnostic(const pair *p);

/* Synchronises the two: a state changed in ODE is copied to Cordage, otherwise that of Cordage to
 * ODE. */
cord_status pair_synchronise(pair *p, cord_world *world);
/* Before the step of ODE: applies the estimated wrench of the strands. */
void pair_begin(pair *p);
/* After the step of ODE: its wrench becomes the load in the step of Cordage. */
cord_status pair_load(pair *p, cord_world *world, double h, const double gravity[3]);
/* Copies the state of Cordage to ODE; `advanced`: after a step of h, from which the wrench of the
 * strands is computed. */
cord_status pair_finish(pair *p, cord_world *world, double h, const double gravity[3],
                        bool advanced);

#endif
