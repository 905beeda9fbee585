/* Forces from outside: point loads (forces, torques, forces along a coordinate), and wind as a field in space and time. */
#ifndef CORDAGE_FIELD_H
#define CORDAGE_FIELD_H

#include <cordage/point.h>

CORD_BEGIN

typedef struct cord_load_def {
    cord_point point;
    double force[3];      /* N, world axes */
    cord_keys force_keys; /* width 3: added to `force` */
    double torque[3];     /* N m, world axes; on points that have a frame */
    cord_keys torque_keys;
    double
        coordinate_force; /* on its coordinate, where the point has one (sliding, turn, travel): N, N m */
    cord_keys coordinate_force_keys; /* width 1 */
} cord_load_def;

CORD_API cord_load_def cord_load_def_default(void);
CORD_API cord_status cord_world_add_load(cord_world *world, const cord_load_def *def,
                                         cord_load *load);
CORD_API cord_status cord_load_set_force(cord_world *world, cord_load load, const double force[3]);
CORD_API cord_status cord_load_set_torque(cord_world *world, cord_load load,
                                          const double torque[3]);
CORD_API cord_status cord_load_set_coordinate_force(cord_world *world, cord_load load,
                                                    double along);
CORD_API cord_status cord_world_remove_load(cord_world *world, cord_load load);

/* A line vortex: air turns about `axis` through `center` at circulation/(2πr) beyond the core and
 * like a solid body inside it (Lamb–Oseen profile). */
typedef struct cord_vortex {
    double center[3], axis[3]; /* m; any length */
    double velocity[3];        /* the centre drifts, m/s */
    double circulation;        /* m²/s */
    double core;               /* m */
} cord_vortex;

/* Gusts: the uniform wind is multiplied by 1 + amplitude · sin(2π(frequency t − x·wavevector)). */
typedef struct cord_wind_def {
    double velocity[3]; /* uniform, m/s */
    double gust_amplitude, gust_frequency /* Hz */, gust_wavevector[3] /* 1/m */;
    int vortex_count;
    const cord_vortex *vortices;
} cord_wind_def;

CORD_API cord_wind_def cord_wind_def_default(void);
/* Wind acts on strands through their drag, by relative velocity. NULL: still air. */
CORD_API cord_status cord_world_set_wind(cord_world *world, const cord_wind_def *def);
/* The air's velocity at a place, now. */
CORD_API cord_status cord_world_get_wind(const cord_world *world, const double x[3],
                                         double velocity[3]);

CORD_END

#endif
