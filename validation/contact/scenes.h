/* Surfaces and obstacles for the checks of contact, and Coulomb's conditions over the contacts of a step. */
#ifndef CORDAGE_VALIDATION_CONTACT_SCENES_H
#define CORDAGE_VALIDATION_CONTACT_SCENES_H

#include "validation/rods.h"
#include "validation/validation.h"

/* Sets friction and tolerance of a world. */
cord_status contact_set_law(cord_world *w, double friction, double tolerance);
/* Gives a strand its surface; radius 0: of its cross-section. */
cord_status contact_add_surface(cord_world *w, cord_strand strand, double radius, bool self);
/* The plane z = 0; `obstacle` may be NULL. */
cord_status contact_add_floor(cord_world *w);
/* A cylinder through `center`, along the unit vector `axis`. */
cord_status contact_add_cylinder(cord_world *w, const double center[3], const double axis[3],
                                 double radius, double length);

/* The sum of contact forces on a strand, and their number. `force` may be NULL. */
cord_status contact_force_on(const cord_world *w, cord_strand strand, double force[3], int *count);

/* The worst contact over all calls, relative to the largest force F of the step and to a scale V of velocities:
 *     outside    (|f_T| − μ f_N)/F: positive outside of the cone
 *     tension    −f_N/F
 *     creep      |slip|/V of contacts that stick
 *     defect     (μ f_N |slip| + f_T · slip)/(μ F V): zero where |slip| = 0 and where friction is μ f_N against the slip
 *     overlap    −gap/ρ */
typedef struct coulomb_audit {
    double friction;         /* μ of all contacts; negative: each has its own */
    double velocity, radius; /* V, or the largest slip of the step if that is larger; ρ */
    double least;            /* contacts with a force below this fraction of F may creep */
    double outside, tension, creep, defect, overlap;
    int contacts; /* in all */
    int most;     /* in one step */
} coulomb_audit;

cord_status contact_audit(const cord_world *w, coulomb_audit *a);
/* Rows of an audit; `tolerance`: of the forces. */
void contact_audit_rows(validation *v, const char *name, const coulomb_audit *a, double tolerance);

#endif
