/* Strands on bodies of the Open Dynamics Engine. ODE keeps its bodies, joints, geoms and contacts; a body
 * that is coupled has a Cordage body of the same mass for strands to hold on to, and both move as one.
 * In the library cordage-ode; docs/ode.md describes the method.
 *
 * Gravity is ODE's, for strands too. A coupled body never sleeps. The two worlds are used by the thread
 * that steps the coupling. End the coupling before either world. */
#ifndef CORDAGE_ODE_H
#define CORDAGE_ODE_H

#include <cordage/body.h>
#include <ode/ode.h>
#include <stdbool.h>

CORD_BEGIN

typedef struct cord_ode cord_ode;

typedef struct cord_ode_def {
    cord_world *world; /* of the strands */
    dWorldID ode;
    /* For cord_ode_step(). */
    dSpaceID space;         /* what collides; NULL: nothing */
    dNearCallback *near;    /* as for dSpaceCollide(): makes contact joints, in `contacts` */
    void *near_data;        /* handed to it */
    dJointGroupID contacts; /* emptied after every step; may be NULL */
    bool quick;             /* dWorldQuickStep() instead of dWorldStep() */
} cord_ode_def;

CORD_API cord_ode_def cord_ode_def_default(void);

/* On failure *coupling is NULL: an argument is NULL, memory has run out, or (CORD_ERROR_UNSUPPORTED) the
 * ODE in use has another precision than its headers had when this was compiled. */
CORD_API cord_status cord_ode_create(const cord_ode_def *def, cord_ode **coupling);
/* Uncouples every body. NULL is allowed. */
CORD_API void cord_ode_destroy(cord_ode *coupling);

/* The message of the last failure; "" when there was none. Valid until the next call. */
CORD_API const char *cord_ode_get_error(const cord_ode *coupling);

/* Couple a body: makes `body`, whose own axes are those of the dBody, where strands can be tied by points
 * and constraints. Of `def`, which may be NULL, the name, the shape (for pictures) and the drags are used.
 * A body is coupled once. A kinematic one cannot be: hold a Cordage body along its script instead. */
CORD_API cord_status cord_ode_couple(cord_ode *coupling, dBodyID ode_body, const cord_body_def *def,
                                     cord_body *body);
/* The Cordage body goes, with its points and their constraints; the dBody, if it still is, is free. */
CORD_API cord_status cord_ode_uncouple(cord_ode *coupling, cord_body body);

/* A step of both worlds: collide, step ODE, step Cordage. Where the two differ before it, what was set in
 * ODE since the last step counts, otherwise what was set in Cordage (also by statics or a checkpoint).
 * When it fails in Cordage, coupled bodies are where that has got, and ODE's others a step ahead.
 * A coupled body that was destroyed is an error, found before anything moves; so is a changed mass. */
CORD_API cord_status cord_ode_step(cord_ode *coupling, double duration);

/* The same around a loop of one's own: begin, then dSpaceCollide() and dWorldStep() as ever, then finish
 * with the same duration. */
CORD_API cord_status cord_ode_begin(cord_ode *coupling);
CORD_API cord_status cord_ode_finish(cord_ode *coupling, double duration);

/* What Cordage's side did to a body in the last step, on average: force (N), and torque about the centre
 * (N m), world axes. Either may be NULL. */
CORD_API cord_status cord_ode_get_force(const cord_ode *coupling, cord_body body, double force[3],
                                        double torque[3]);

CORD_END

#endif
