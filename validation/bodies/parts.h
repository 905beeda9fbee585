/* Bodies, points on them and joints between them, for the checks of bodies. */
#ifndef CORDAGE_VALIDATION_BODIES_PARTS_H
#define CORDAGE_VALIDATION_BODIES_PARTS_H

#include "validation/rods.h"

/* A body without a shape: principal axes along the world's, centre at `place`. */
cord_status part_body(cord_world *world, double mass, const double moments[3],
                      const double place[3], cord_body *body);

/* A point of a body, in the body's axes. */
cord_status part_point(cord_world *world, cord_body body, const double place[3], cord_point *point);

/* A point of the world with the world's axes. */
cord_status part_world_point(cord_world *world, const double place[3], cord_point *point);

/* A constraint of this kind with default parameters; `direction` NULL: z. `constraint` may be NULL. */
cord_status part_constrain(cord_world *world, const char *kind, cord_point first, cord_point second,
                           const double direction[3], cord_constraint *constraint);

/* Welds a body to the rod's point at s (coincide and align) in the present configuration. */
cord_status part_weld(rod *r, double s, cord_body body);

/* A bearing: the centre of the body stays on the line through it along `axis`; the body is free to
 * rotate about it, and to slide along it when `slides`. */
cord_status part_bearing(cord_world *world, cord_body body, const double axis[3], bool slides);

/* The largest component of a constraint's residual; NAN on failure. */
double part_residual(cord_world *world, cord_constraint constraint);

#endif
