/* Additive continuous collision detection [Li, Kaufman, Jiang 2021, Codimensional IPC, section 5].
 *
 * No point of one segment approaches one of the other faster than l = max |relative displacement|, after the mean motion has
 * been removed. A time (d − ξ)/l therefore passes without contact at the distance d and the separation ξ. The times are added
 * until the motion ends or the remaining gap is a tenth of the first. */
#include "contact/contact.h"
#include "math/vec3.h"

#include <stddef.h>

#define REMAINING 0.1    /* of the first gap: the search stops there */
#define ITERATIONS 10000 /* each advances by 0.9 (d − ξ)/l; stopping early is conservative */

/* The greatest displacement of a segment's ends relative to the mean of all. */
static double greatest(const segment_motion *m, const double mean[3])
{
    double d[3], most = 0;
    for (int i = 0; i < 2; i++) {
        v3_sub(d, m->to[i], m->from[i]);
        v3_sub(d, d, mean);
        most = fmax(most, v3_norm(d));
    }
    return most;
}

static double approach(const segment_motion *a, const segment_motion *b)
{
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += (a->to[i][k] - a->from[i][k] + b->to[i][k] - b->from[i][k]) / 4;
    return greatest(a, mean) + greatest(b, mean);
}

static double distance_at(const segment_motion *a, const segment_motion *b, double time)
{
    double x[2][3], y[2][3], t[2];
    for (int i = 0; i < 2; i++) {
        v3_combine(x[i], 1 - time, a->from[i], time, a->to[i]);
        v3_combine(y[i], 1 - time, b->from[i], time, b->to[i]);
    }
    return cord__closest_points(x[0], x[1], y[0], y[1], t, NULL);
}

double cord__free_time(const segment_motion *a, const segment_motion *b, double separation)
{
    double gap = distance_at(a, b, 0) - separation, enough = REMAINING * gap, time = 0;
    double speed = approach(a, b);
    if (!(gap > 0)) return 0;
    for (int k = 0; k < ITERATIONS; k++) {
        double next = time + (1 - REMAINING) * gap / speed;
        if (!(next < 1)) return 1; /* also where nothing moves */
        gap = distance_at(a, b, next) - separation;
        time = next;
        if (gap < enough) break;
    }
    return time;
}
