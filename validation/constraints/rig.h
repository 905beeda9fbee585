/* Small worlds with constraints: two objects, strands or bodies, that hang by one end each, and
 * constraints between them. `status` is the first failure; later calls do nothing. */
#ifndef CORDAGE_VALIDATION_CONSTRAINTS_RIG_H
#define CORDAGE_VALIDATION_CONSTRAINTS_RIG_H

#include "validation/validation.h"

typedef struct carrier {
    const char *name;
    const char *model; /* NULL: a rigid body */
    bool planar;
    bool cable; /* points have a tangent, but no frame */
} carrier;

/* The models in this order, then a planar chain, a cable and a body. */
enum { CARRIERS = 8, STRAND_MODELS = 5 };
extern const carrier carriers[CARRIERS];

typedef struct scheme {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
    int order;
} scheme;

enum { SCHEMES = 5 };
extern const scheme rig_schemes[SCHEMES]; /* tr-bdf2 and midpoint first */

typedef struct rig_object {
    const carrier *kind;
    cord_strand strand;
    cord_body body;
    double length; /* of a strand */
} rig_object;

enum { RIG_CONSTRAINTS = 8 };

typedef struct rig {
    cord_world *world;
    cord_status status;
    rig_object object[2];
    int constraints; /* under test */
    cord_constraint constraint[RIG_CONSTRAINTS];
} rig;

rig rig_make(const cord_world_def *def);
void rig_free(rig *r);

/* Adds an object whose point `at` (below) is near `place`: `which` is its index and decides its
 * orientation. It hangs by one end when `held`. */
void rig_add(rig *r, int which, const carrier *kind, const double place[3], bool held);

/* A point of an object: of a strand at this fraction of its length, of a body at its free end. */
cord_point rig_point(rig *r, int which, double at);
cord_point rig_sliding(rig *r, int which, double at, double friction);
cord_point rig_world_point(rig *r, const double place[3]);
cord_point rig_on_body(rig *r, cord_body body, const double place[3]);
cord_point rig_gauge(rig *r, cord_source source, cord_point of, const double axis[3]);
void rig_where(rig *r, cord_point point, double place[3]);

/* A constraint under test; an initial offset is kept. */
cord_constraint rig_constrain(rig *r, const cord_constraint_def *def);
cord_constraint rig_tie(rig *r, const char *kind, cord_point first, cord_point second);
/* A supporting constraint, not under test. */
void rig_support(rig *r, const char *kind, cord_point first, cord_point second);

void rig_step(rig *r, double h, int steps);
/* The largest residual of the constraints under test; m or rad. */
double rig_residual(rig *r);

#endif
