/* Coupling with the Open Dynamics Engine (ODE): strands that are attached to ODE's bodies. ODE keeps its
 * bodies, joints, geoms and contacts. Every coupled dBody has a Cordage body of the same mass, to which
 * points, constraints and cables attach, and the two move as one. The library is cordage-ode;
 * docs/ode.md describes the method.
 *
 * Strands have ODE's gravity. A coupled body is never disabled automatically. Both worlds belong to the
 * thread that steps the coupling. Destroy the coupling before either world. */
#ifndef CORDAGE_ODE_H
#define CORDAGE_ODE_H

#include <cordage/body.h>
#include <ode/ode.h>
#include <stdbool.h>

CORD_BEGIN

/* A coupling of two worlds. */
typedef struct cord_ode cord_ode;

/* The definition of a coupling. The caller owns all objects in it, and keeps them alive. */
typedef struct cord_ode_def {
    cord_world *world; /* the world of the strands; required */
    dWorldID ode;      /* the world of the bodies; required */
    /* The fields below are for cord_ode_step(). */
    dSpaceID space;      /* the space to collide; NULL (the default): no collisions */
    dNearCallback *near; /* callback of dSpaceCollide() that makes contact joints in `contacts` */
    void *near_data;     /* first argument of `near` */
    dJointGroupID contacts; /* emptied after every step; may be NULL (the default) */
    bool quick;             /* dWorldQuickStep() instead of dWorldStep(); default false */
} cord_ode_def;

/* Returns the default definition. The caller sets both worlds. */
CORD_API cord_ode_def cord_ode_def_default(void);

/* Creates a coupling, which the caller owns and destroys. On failure *coupling is NULL. Returns
 * CORD_ERROR_ARGUMENT when a required field is missing, CORD_ERROR_MEMORY, and CORD_ERROR_UNSUPPORTED
 * when the linked ODE has another floating-point precision than its headers had. */
CORD_API cord_status cord_ode_create(const cord_ode_def *def, cord_ode **coupling);

/* Uncouples every body and destroys the coupling. `coupling` may be NULL. */
CORD_API void cord_ode_destroy(cord_ode *coupling);

/* Returns the message of the last failure, "" when there was none. The string belongs to the coupling
 * and is valid until the next call on it. */
CORD_API const char *cord_ode_get_error(const cord_ode *coupling);

/* Couples an ODE body: adds a Cordage body whose axes are those of the dBody, and writes its handle to
 * *body. `def` gives the name, the shape (for pictures) and the drag; its other fields are ignored; it
 * may be NULL. Returns CORD_ERROR_ARGUMENT when the body is coupled already or belongs to another ODE
 * world, and CORD_ERROR_UNSUPPORTED when it is kinematic or has a mass that Cordage cannot represent; clamp a
 * Cordage body to a script in place of a kinematic body. */
CORD_API cord_status cord_ode_couple(cord_ode *coupling, dBodyID ode_body, const cord_body_def *def,
                                     cord_body *body);

/* Uncouples a body: removes the Cordage body with its points and their constraints. The dBody, where it
 * still exists, is independent again. Returns CORD_ERROR_HANDLE when the body is not coupled. */
CORD_API cord_status cord_ode_uncouple(cord_ode *coupling, cord_body body);

/* Steps both worlds by `duration` seconds, above 0: collides, steps ODE, steps Cordage. Where the state
 * of a coupled body differs between the worlds, a change made in ODE since the last step takes
 * precedence over a change made in Cordage (also by statics or a checkpoint). When the step fails in
 * Cordage, coupled bodies have the state that Cordage reached, and ODE's other bodies are a step
 * ahead. Returns the errors of cord_world_step(), and, before anything moves, CORD_ERROR_HANDLE when a
 * coupled dBody was destroyed or its mass was changed. */
CORD_API cord_status cord_ode_step(cord_ode *coupling, double duration);

/* Begins a step in a loop of the caller's: call this, then dSpaceCollide() and dWorldStep(), then
 * cord_ode_finish(). Returns the errors of cord_ode_step(). */
CORD_API cord_status cord_ode_begin(cord_ode *coupling);

/* Finishes a step that cord_ode_begin() began. `duration` is that of dWorldStep(), s. Returns the errors
 * of cord_ode_step(). */
CORD_API cord_status cord_ode_finish(cord_ode *coupling, double duration);

/* Gets the mean force, N, and the mean torque about the centre of mass, N m, of Cordage's objects on a
 * body in the last step, in world axes. Either may be NULL. Returns CORD_ERROR_HANDLE when the body is
 * not coupled. */
CORD_API cord_status cord_ode_get_force(const cord_ode *coupling, cord_body body, double force[3],
                                        double torque[3]);

CORD_END

#endif
