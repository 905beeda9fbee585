/* The air's velocity in space and time: cord_wind_def, copied and checked. */
#ifndef CORDAGE_BLOCK_WIND_H
#define CORDAGE_BLOCK_WIND_H

#include "math/memory.h"

#include <cordage/field.h>

typedef struct wind {
    double velocity[3], gust_amplitude, gust_frequency, gust_wavevector[3];
    int vortex_count;
    cord_vortex *vortices; /* axes made unit */
} wind;

/* Overwrites `w`; `def` NULL: still air. On failure `w` is still air. CORD_ERROR_ARGUMENT: a number
 * that is not finite, a vortex without axis, or with a core that is not positive. */
cord_status cord__wind_init(wind *w, memory *m, const cord_wind_def *def);

/* u = velocity of the air at x and time t. `w` may be NULL: still air. */
void cord__wind_at(const wind *w, double t, const double x[3], double u[3]);

void cord__wind_free(wind *w, memory *m);

#endif
