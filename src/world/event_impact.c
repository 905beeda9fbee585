/* Impacts of one-sided constraints with restitution: an attempt of a step finds the time at which the first row
 * closes, and the step is repeated up to that time. The impulses act at the start of the next step (solve/impact.c). */
#include "world/event.h"

#include <math.h>

/* Neither the step to the impact nor the remaining step may be so short that round-off is visible in velocities. */
static double time_in_attempt(const cord_world *w, double length, double left)
{
    (void)length;
    const double shortest = SHORTEST_FLIGHT * w->problem.requested_step;
    double first = INFINITY;
    for (int i = 0; i < w->partition.clusters; i++)
        first = fmin(first, w->partition.cluster[i].impact_time);
    if (first < left && left - first < shortest && left > 3 * shortest) first = left - 2 * shortest;
    return fmax(first, shortest);
}

const event_ops cord__event_impact = {.name = "impact", .time_in_attempt = time_in_attempt};
