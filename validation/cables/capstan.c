/* A cable round a post with Coulomb friction: the capstan equation T₂/T₁ = e^{μφ}. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

typedef struct post {
    double growth; /* e^{μφ} */
    int turns;     /* whole turns, in addition to the half turn */
} post;

typedef struct slipping {
    double ratio, acceleration, way;
} slipping;

/* One kilogram on one side, more on the other: tensions, acceleration of the heavier side, and its
 * displacement in 0.3 s. */
static slipping hang(validation *v, const post *p, double heavier)
{
    const double a = 0.1, h = 0.005;
    double mu = log(p->growth) / (pi * (1 + 2 * p->turns)), rate[2][3] = {0}, force[2] = {0, 1};
    machine m = machine_make(CORD_IMPLICIT, gravity);
    cord_body light = machine_weight(&m, 1, -a, -2), heavy = machine_weight(&m, heavier, a, -2);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, light, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&m, 0, 0),
         .radius = a,
         .side = -1,
         .turns = p->turns,
         .friction_law = CORD_WRAP_CAPSTAN,
         .friction = mu},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, heavy, 0, 0)},
    };
    cord_strand cable = machine_cable(&m, 1e-6, waypoints, 3);
    for (int part = 0; part < 2; part++) {
        machine_run(&m, h, part ? 40 : 20);
        if (m.status == CORD_OK)
            m.status = cord_body_get_velocity(m.world, heavy, rate[part], NULL);
    }
    double way = -2 - machine_height(&m, heavy);
    if (m.status == CORD_OK)
        m.status = cord_cable_get_wrap(m.world, cable, 1, NULL, NULL, &force[0], &force[1]);
    bool ok = validation_ok(v, m.world, m.status, "a capstan");
    cord_world_destroy(m.world);
    return ok ? (slipping){force[1] / force[0], (rate[0][2] - rate[1][2]) / (40 * h), way}
              : (slipping){NAN, NAN, NAN};
}

void check_capstan(validation *v)
{
    static const post posts[] = {{1.01, 0}, {1.1, 0}, {2, 0},  {10, 1},
                                 {100, 1},  {1e3, 2}, {1e4, 4}};
    enum { POSTS = sizeof posts / sizeof *posts };
    double growth[POSTS], error[POSTS];
    for (int i = 0; i < POSTS; i++) {
        const post *p = posts + i;
        const char *name = validation_text(v, "e^μφ = %g, %g turns", p->growth, p->turns + 0.5);
        double more = 1.05 * p->growth, little = 1.01 * p->growth;
        slipping held = hang(v, p, 0.99 * p->growth), slips = hang(v, p, more);
        double rate = hang(v, p, little).acceleration;
        validation_row(v, name, "ratio of forces, slipping", slips.ratio, p->growth,
                       5e-3 * (p->growth - 1));
        validation_row(v, name, "acceleration with 5 % more, m/s²", slips.acceleration,
                       gravity * (more - p->growth) / (more + p->growth),
                       5e-3 * gravity * (more - p->growth) / (more + p->growth));
        validation_row(v, name, "acceleration with 1 % more, m/s²", rate,
                       gravity * (little - p->growth) / (little + p->growth),
                       5e-3 * gravity * (little - p->growth) / (little + p->growth));
        validation_row_below(v, name, "moved with 1 % less, m", fabs(held.way), 1e-9);
        growth[i] = p->growth, error[i] = fabs(slips.ratio / p->growth - 1);
    }
    const plot_series s = {"ratio of forces", POSTS, growth, error, PLOT_BOTH};
    validation_plot(
        v, &(plot){"Error of the capstan equation", "e^μφ", "relative", true, true, 1, &s});
}
