/* External forces: loads on points, and wind, a field in space and time. */
#ifndef CORDAGE_FIELD_H
#define CORDAGE_FIELD_H

#include <cordage/point.h>

CORD_BEGIN

/* The definition of a load. Each force is a constant plus a function of time; all are zero by
 * default. */
typedef struct cord_load_def {
    cord_point point;      /* the point that the load acts on; required */
    double force[3];       /* N, world axes */
    cord_keys force_keys;  /* width 3: added to `force`, N */
    double torque[3];      /* N m, world axes; the point must have a frame */
    cord_keys torque_keys; /* width 3: added to `torque`, N m */
    /* Generalised force on the point's coordinate, which it must have: N, or N m where the
     * coordinate is an angle. */
    double coordinate_force;
    cord_keys coordinate_force_keys; /* width 1: added to `coordinate_force` */
} cord_load_def;

/* Returns the default definition: no force. The caller sets the point. */
CORD_API cord_load_def cord_load_def_default(void);

/* Adds a load and writes its handle to *load. Returns CORD_ERROR_ARGUMENT when there is a coordinate
 * force and the point has no coordinate; CORD_ERROR_UNSUPPORTED when there is a torque and the point
 * has no frame or slides, or when a flywheel gets more than a coordinate force. */
CORD_API cord_status cord_world_add_load(cord_world *world, const cord_load_def *def,
                                         cord_load *load);

/* Sets the constant force of a load, N. Its keys stay. */
CORD_API cord_status cord_load_set_force(cord_world *world, cord_load load, const double force[3]);

/* Sets the constant torque of a load, N m. Its keys stay. Returns CORD_ERROR_UNSUPPORTED as
 * cord_world_add_load() does. */
CORD_API cord_status cord_load_set_torque(cord_world *world, cord_load load,
                                          const double torque[3]);

/* Sets the constant coordinate force of a load, N or N m. Its keys stay. Returns CORD_ERROR_ARGUMENT
 * when the point has no coordinate. */
CORD_API cord_status cord_load_set_coordinate_force(cord_world *world, cord_load load,
                                                    double force);

/* Removes a load. */
CORD_API cord_status cord_world_remove_load(cord_world *world, cord_load load);

/* A line vortex (Lamb–Oseen): air circulates about `axis` through `center`, at circulation/(2πr) far
 * outside the core and as a rigid body inside it. */
typedef struct cord_vortex {
    double center[3];   /* a point of the axis at time 0, m */
    double axis[3];     /* of any length above 0 */
    double velocity[3]; /* of the centre, m/s */
    double circulation; /* m²/s */
    double core;        /* radius of the core, m, above 0 */
} cord_vortex;

/* The definition of the wind: a uniform wind times 1 + amplitude · sin(2π(frequency t −
 * x·wavevector)), plus vortices. All fields are zero by default. */
typedef struct cord_wind_def {
    double velocity[3];          /* uniform wind, m/s */
    double gust_amplitude;       /* relative to the uniform wind */
    double gust_frequency;       /* Hz */
    double gust_wavevector[3];   /* 1/m */
    int vortex_count;            /* length of `vortices` */
    const cord_vortex *vortices; /* may be NULL where vortex_count is 0 */
} cord_wind_def;

/* Returns the default definition: still air. */
CORD_API cord_wind_def cord_wind_def_default(void);

/* Sets the wind. It acts on strands and bodies with drag, through their velocity relative to the air.
 * `def` may be NULL: still air. */
CORD_API cord_status cord_world_set_wind(cord_world *world, const cord_wind_def *def);

/* Sets the uniform wind alone, m/s; gusts and vortices stay. */
CORD_API cord_status cord_world_set_wind_velocity(cord_world *world, const double velocity[3]);

/* Gets the velocity of the air, m/s, at a position, m, at the present time. */
CORD_API cord_status cord_world_get_wind(const cord_world *world, const double position[3],
                                         double velocity[3]);

CORD_END

#endif
