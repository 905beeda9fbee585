/* The suite of the discrete elastic rods. */
#ifndef CORDAGE_VALIDATION_DER_H
#define CORDAGE_VALIDATION_DER_H

#include "validation/rods.h"
#include "validation/validation.h"

extern const validation_suite validation_der;

/* validation_ok() for a rod: `status` may come from the call that makes it. */
static inline bool rod_ok(validation *v, const rod *r, cord_status status, const char *what)
{
    return validation_ok(v, r->world, status, what);
}

void check_heavy_cantilever(validation *v);
void check_common_rod(validation *v);
void check_tip_load(validation *v);
void check_two_supports(validation *v);
void check_euler(validation *v);
void check_localized_buckling(validation *v);
void check_michell(validation *v);
void check_beam_frequencies(validation *v);
void check_torsion_frequencies(validation *v);
void check_chain_frequencies(validation *v);
void check_uniform_twist(validation *v);
void check_energy(validation *v);
void check_inextensibility(validation *v);
void check_time_order(validation *v);

#endif
