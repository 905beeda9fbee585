#include "validation/cables/tackle.h"
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
const double tackle_gravity = 9.81;

static void route(tackle *t, cord_waypoint *waypoints)
{
    const tackle_def *of = &t->of;
    const double a = of->radius, middle = of->wheels * a;
    waypoints[0] =
        (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&t->m, 0, 0)};
    for (int i = 0; i < of->wheels; i++) {
        double x = (2 * i + 1) * a;
        bool low = i % 2 == 0;
        waypoints[i + 1] = (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                                           .point = low ? machine_on(&t->m, t->beam, x - middle, 0)
                                                        : machine_point(&t->m, x, 0),
                                           .radius = a,
                                           .side = low ? 1 : -1};
        if (!(of->inertia > 0)) continue;
        waypoints[i + 1].friction_law = CORD_WRAP_NO_SLIP;
        waypoints[i + 1].rotation = machine_flywheel(&t->m, of->inertia);
    }
    waypoints[of->wheels + 1] = (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR,
                                                .point = machine_on(&t->m, t->counterweight, 0, 0)};
}

tackle tackle_make(const tackle_def *of, cord_integrator integrator)
{
    tackle t = {.m = machine_make(integrator, tackle_gravity), .of = *of};
    cord_waypoint *waypoints = malloc((size_t)(of->wheels + 2) * sizeof *waypoints);
    if (!waypoints) t.m.status = CORD_ERROR_MEMORY;
    t.beam = machine_weight(&t.m, of->load, of->wheels * of->radius, -of->height);
    machine_guide(&t.m, t.beam);
    t.counterweight =
        machine_weight(&t.m, of->counterweight, 2 * of->wheels * of->radius, -of->hang);
    if (t.m.status == CORD_OK) {
        route(&t, waypoints);
        t.cable = machine_cable(&t.m, of->density, waypoints, of->wheels + 2);
    }
    free(waypoints);
    return t;
}

double tackle_rise(tackle *t)
{
    return machine_height(&t->m, t->beam) + t->of.height;
}

/* Arc length on one pulley. */
static double arc(const tackle_def *of)
{
    return pi * of->radius * of->density;
}

double tackle_balance(const tackle_def *of)
{
    return of->load / of->wheels + of->density * (of->height - of->hang) + 0.5 * arc(of);
}

static double spans(const tackle_def *of)
{
    double q = 0.5 * of->wheels;
    return 8 * (q - 1) * q * (2 * q - 1) / 6 + 4 * q * q;
}

double tackle_inertia(const tackle_def *of, double y)
{
    double n = of->wheels, rims = n * (n + 1) * (2 * n + 1) / 6;
    return of->load + n * n * of->counterweight +
           of->density * ((of->height - y) * spans(of) + (of->hang + n * y) * n * n) +
           (of->inertia / (of->radius * of->radius) + arc(of)) * rims + 0.5 * n * arc(of);
}

double tackle_force(const tackle_def *of, double y)
{
    double n = of->wheels;
    return tackle_gravity * (n * of->counterweight - of->load - n * of->density * (of->height - y) +
                             n * of->density * (of->hang + n * y) - 0.5 * n * arc(of));
}

static double acceleration(const tackle_def *of, double y, double rate)
{
    double n = of->wheels, slope = of->density * (n * n * n - spans(of));
    return (tackle_force(of, y) - 0.5 * slope * rate * rate) / tackle_inertia(of, y);
}

double tackle_rise_after(const tackle_def *of, double time)
{
    enum { STEPS = 1000 };
    double h = time / STEPS, y = 0, v = 0;
    for (int i = 0; i < STEPS; i++) {
        double v1 = v, a1 = acceleration(of, y, v1);
        double v2 = v + 0.5 * h * a1, a2 = acceleration(of, y + 0.5 * h * v1, v2);
        double v3 = v + 0.5 * h * a2, a3 = acceleration(of, y + 0.5 * h * v2, v3);
        double v4 = v + h * a3, a4 = acceleration(of, y + h * v3, v4);
        y += h * (v1 + 2 * v2 + 2 * v3 + v4) / 6;
        v += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
    }
    return y;
}
