/* The suite of cables: machines with known motion. */
#ifndef CORDAGE_VALIDATION_CABLES_H
#define CORDAGE_VALIDATION_CABLES_H

#include "validation/validation.h"

extern const validation_suite validation_cables;

void check_compound_balance(validation *v);
void check_compound_acceleration(validation *v);
void check_atwood(validation *v);
void check_tackles(validation *v);
void check_carriers(validation *v);
void check_chain_on_table(validation *v);
void check_nodes(validation *v);
void check_gears(validation *v);
void check_arm(validation *v);
void check_belts(validation *v);
void check_belt_creep(validation *v);
void check_belt_slip(validation *v);
void check_capstan(validation *v);
void check_sticking(validation *v);
void check_heavy_ropes(validation *v);
void check_slack(validation *v);
void check_helix_friction(validation *v);
void check_geodesics(validation *v);
void check_axial_forces(validation *v);
void check_grooved_drum(validation *v);
void check_bent_supports(validation *v);
void check_lift_off(validation *v);
void check_helix_straightens(validation *v);
void check_machine_energy(validation *v);
void check_helix_order(validation *v);
void check_random_energy(validation *v);
void check_pulley_changes(validation *v);
void check_twist(validation *v);
void check_bowden(validation *v);
void check_siphon(validation *v);
void check_cone(validation *v);
void check_sheath(validation *v);

#endif
