/* The suite of contact with friction. */
#ifndef CORDAGE_VALIDATION_CONTACT_H
#define CORDAGE_VALIDATION_CONTACT_H

#include "validation/validation.h"

extern const validation_suite validation_contact;

void check_contact_capstan(validation *v);
void check_pushed_rod(validation *v);
void check_log_pyramid(validation *v);
void check_mass_ratios(validation *v);
void check_coulomb(validation *v);
void check_solids(validation *v);
void check_loose_knots(validation *v);
void check_contact_losses(validation *v);
void check_quasi_static_slip(validation *v);
void check_twining(validation *v);
void check_raised_end(validation *v);
void check_contact_gallery(validation *v);
void check_coiling(validation *v);
void check_contact_energy(validation *v);
void check_tangle(validation *v);
void check_plectoneme(validation *v);
void check_pile_at_rest(validation *v);

#endif
