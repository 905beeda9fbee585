/* Rotation of a rigid body without torque. */
#ifndef CORDAGE_BODY_FREE_ROTATION_H
#define CORDAGE_BODY_FREE_ROTATION_H

/* ω̇ = I⁻¹ (I ω × ω), all in principal axes. */
void cord__free_rotation_acceleration(const double moments[3], const double omega[3],
                                      double acceleration[3]);

/* Advances the attitude q, a unit quaternion from principal to world axes, and ω, in principal axes, by a time, to
 * round-off. The cost is proportional to the angle. */
void cord__free_rotation(const double moments[3], double time, double q[4], double omega[3]);

#endif
