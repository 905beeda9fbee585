/* Falling machines: Atwood's machine, and blocks and tackles. */
#include "validation/cables/cables.h"
#include "validation/cables/tackle.h"
#include <math.h>

/* ẍ = g ((m₂ − m₁) + λ(l₂ − l₁ + 2x)) / (m₁ + m₂ + λ(l + πa) + I/a²): x = x₀ (cosh ωt − 1). */
void check_atwood(validation *v)
{
    const double mass[2] = {1, 1.5}, density = 0.3, a = 0.2, g = 9.81, time = 0.5;
    const double span[2] = {2, 1}, all_span = 3 + 3.14159265358979323846 * a;
    for (int turning = 0; turning < 2; turning++) {
        machine m = machine_make(CORD_IMPLICIT, g);
        double inertia = turning ? 0.04 : 0;
        cord_body weight[2];
        cord_waypoint waypoints[3];
        for (int k = 0; k < 2; k++) {
            weight[k] = machine_weight(&m, mass[k], k ? a : -a, -span[k]);
            waypoints[2 * k] = (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR,
                                               .point = machine_on(&m, weight[k], 0, 0)};
        }
        waypoints[1] = (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                                       .point = machine_point(&m, 0, 0),
                                       .radius = a,
                                       .side = -1};
        if (turning)
            waypoints[1].friction_law = CORD_WRAP_NO_SLIP,
            waypoints[1].rotation = machine_flywheel(&m, inertia);
        machine_cable(&m, density, waypoints, 3);
        machine_run(&m, 0.0025, 200);
        double fallen = -span[1] - machine_height(&m, weight[1]);
        double moved = mass[0] + mass[1] + density * all_span + inertia / (a * a);
        double omega = sqrt(2 * g * density / moved);
        double x0 = (mass[1] - mass[0] + density * (span[1] - span[0])) / (2 * density);
        double expected = x0 * (cosh(omega * time) - 1);
        if (validation_ok(v, m.world, m.status, "Atwood's machine"))
            validation_row(v,
                           turning ? "Atwood, pulley with inertia" : "Atwood, frictionless pulley",
                           "fallen in half a second, m", fallen, expected, 1e-4 * expected);
        cord_world_destroy(m.world);
    }
}

void check_tackles(validation *v)
{
    for (int n = 2; n <= 8; n += 2)
        for (int turning = 0; turning < 2; turning++) {
            tackle_def of = {.wheels = n,
                             .load = 10,
                             .counterweight = 14.0 / n,
                             .density = 0.2,
                             .height = 3,
                             .hang = 0.5,
                             .radius = 0.05,
                             .inertia = turning ? 1e-3 : 0};
            tackle t = tackle_make(&of, CORD_IMPLICIT);
            machine_run(&t.m, 0.0025, 200);
            double rise = tackle_rise(&t), expected = tackle_rise_after(&of, 0.5);
            if (validation_ok(v, t.m.world, t.m.status, "a block and tackle"))
                validation_row(
                    v, validation_text(v, "%d wheels%s", n, turning ? " with inertia" : ", smooth"),
                    "rise in half a second, m", rise, expected, 1e-4 * fabs(expected));
            cord_world_destroy(t.m.world);
        }
}
