/* Belts: a closed cable round two pulleys. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

/* Torque of a motor on the small pulley, brake on the large one. */
typedef struct drive {
    double radius[2], away; /* m */
    double torque, brake;   /* N m, N m s */
    double density, stretching, kept;
    double friction; /* coefficient of the belt on the small pulley; 0: no slip */
    bool crossed;
} drive;

typedef struct running {
    machine m;
    cord_point rotation[2];
    cord_strand belt;
} running;

static cord_point add_shaft(machine *m, double inertia, double brake)
{
    cord_point made = {0};
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = inertia, def.friction = brake;
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &made);
    return made;
}

static void drive_shaft(machine *m, cord_point shaft, double torque)
{
    cord_load_def def = cord_load_def_default();
    cord_load made;
    def.point = shaft;
    def.coordinate_force = torque;
    if (m->status == CORD_OK) m->status = cord_world_add_load(m->world, &def, &made);
}

static running set_up(const drive *d)
{
    running r = {.m = machine_make(CORD_IMPLICIT, 0)};
    cord_waypoint waypoints[2];
    cord_cable_def def = cord_cable_def_default();
    for (int k = 0; k < 2; k++) {
        r.rotation[k] = add_shaft(&r.m, 0.01, k ? d->brake : 0);
        waypoints[k] = (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                                       .point = machine_point(&r.m, k * d->away, 0),
                                       .radius = d->radius[k],
                                       .side = k && d->crossed ? -1 : 1,
                                       .friction_law = CORD_WRAP_NO_SLIP,
                                       .rotation = r.rotation[k]};
    }
    if (d->friction > 0)
        waypoints[0].friction_law = CORD_WRAP_CAPSTAN, waypoints[0].friction = d->friction;
    drive_shaft(&r.m, r.rotation[0], d->torque);
    def.closed = true;
    def.density = d->density, def.stretching = d->stretching, def.tension = d->kept;
    def.waypoints = waypoints, def.waypoint_count = 2;
    if (r.m.status == CORD_OK) r.m.status = cord_world_add_cable(r.m.world, &def, &r.belt);
    return r;
}

static double rate_of(running *r, int wheel)
{
    double at, rate = 0;
    if (r->m.status == CORD_OK)
        r->m.status = cord_point_get_coordinate(r->m.world, r->rotation[wheel], &at, &rate);
    return rate;
}

/* Tensions of the spans before and after the small pulley: the tight one first. */
static void pulls(running *r, double *angle, double pull[2])
{
    if (r->m.status == CORD_OK)
        r->m.status = cord_cable_get_wrap(r->m.world, r->belt, 0, NULL, angle, pull, pull + 1);
}

/* The mean tension all round. */
static double mean_pull(running *r)
{
    double sum = 0, length = 0;
    cord_strand_info info = {0};
    int nodes = 0;
    if (r->m.status == CORD_OK) r->m.status = cord_strand_get_info(r->m.world, r->belt, &info);
    if (r->m.status == CORD_OK)
        r->m.status = cord_cable_get_node_count(r->m.world, r->belt, &nodes);
    for (int k = 0; r->m.status == CORD_OK && k < nodes; k++) {
        cord_node_state from = {0}, to = {0};
        double pull = 0;
        r->m.status = cord_cable_get_tension(r->m.world, r->belt, k, 0.5, &pull);
        if (r->m.status == CORD_OK)
            r->m.status = cord_cable_get_node(r->m.world, r->belt, k, &from);
        if (r->m.status == CORD_OK)
            r->m.status = cord_cable_get_node(r->m.world, r->belt, (k + 1) % nodes, &to);
        double ds = to.s - from.s + (k + 1 == nodes ? info.length : 0);
        sum += pull * ds, length += ds;
    }
    return sum / length;
}

/* ---- a hundred thousand steps -------------------------------------------------------------------- */

void check_belts(validation *v)
{
    for (int crossed = 0; crossed < 2; crossed++) {
        const drive d = {.radius = {0.1, 0.25},
                         .away = 1.2,
                         .torque = 3,
                         .brake = 0.5,
                         .density = 0.3,
                         .kept = 200,
                         .crossed = crossed};
        const char *name = crossed ? "crossed" : "open";
        double sum = d.radius[1] + (crossed ? 1 : -1) * d.radius[0], off = asin(sum / d.away);
        double length = 2 * sqrt(d.away * d.away - sum * sum) + d.radius[1] * (pi + 2 * off) +
                        d.radius[0] * (pi + (crossed ? 2 : -2) * off);
        double ratio = (crossed ? -1 : 1) * d.radius[0] / d.radius[1], worst = 0, drift = 0;
        running r = set_up(&d);
        cord_strand_info info = {0};
        if (r.m.status == CORD_OK) r.m.status = cord_strand_get_info(r.m.world, r.belt, &info);
        for (int k = 0; k < 1000; k++) {
            machine_run(&r.m, 0.002, 100);
            double turned = machine_revolute(&r.m, r.rotation[0]);
            worst = fmax(worst, fabs(machine_revolute(&r.m, r.rotation[1]) - ratio * turned));
            drift = fmax(drift, fabs(mean_pull(&r) - d.kept));
        }
        double pull[2] = {0}, angle, first = rate_of(&r, 0),
               turned = machine_revolute(&r.m, r.rotation[0]);
        pulls(&r, &angle, pull);
        if (validation_ok(v, r.m.world, r.m.status, name)) {
            validation_row(v, name, "length, m", info.length, length, 1e-12);
            validation_row_above(v, name, "rotation in 100,000 steps, rad", turned, 1e3);
            validation_row_below(v, name, "largest error of the gear ratio, rad", worst, 1e-9);
            validation_row(v, name, "rate, rad/s", first, d.torque / d.brake / (ratio * ratio),
                           1e-9);
            validation_row(v, name, "tight − slack, N", pull[0] - pull[1], d.torque / d.radius[0],
                           1e-6 * d.torque / d.radius[0]);
            validation_row_below(v, name, "largest change of the mean tension, N", drift, 1e-6);
        }
        cord_world_destroy(r.m.world);
    }
}

/* ---- elastic belts --------------------------------------------------------------------------------- */

/* Steady creep: material flows at one rate everywhere; each pulley rotates at the speed of the
 * incoming span. The amount of material in the belt is constant. */
static void predict_creep(const drive *d, double *tight, double *slack)
{
    double sum = d->radius[1] - d->radius[0], off = asin(sum / d->away);
    double span = sqrt(d->away * d->away - sum * sum);
    double driver = span + d->radius[0] * (pi - 2 * off),
           driven = span + d->radius[1] * (pi + 2 * off);
    double natural = (driver + driven) / (1 + d->kept / d->stretching);
    double differs = d->torque / d->radius[0] / d->stretching, e = d->kept / d->stretching;
    for (int k = 0; k < 50; k++) { /* strain of the slack side, by Newton's method */
        double value = driver / (1 + e + differs) + driven / (1 + e) - natural;
        double slope = -driver / pow(1 + e + differs, 2) - driven / pow(1 + e, 2);
        e -= value / slope;
    }
    *slack = d->stretching * e, *tight = d->stretching * (e + differs);
}

/* Friction below its bound: the difference of the tensions is M/r, since the slip of a part of the wrap has the loss that
 * belongs to it. */
static void check_creep_with_friction(validation *v)
{
    for (int i = 0; i < 3; i++) {
        const double friction[] = {0.12, 0.4, 2};
        const drive d = {.radius = {0.1, 0.1},
                         .away = 1.2,
                         .torque = 3,
                         .brake = 1,
                         .density = 0.01,
                         .stretching = 1e4,
                         .kept = 100,
                         .friction = friction[i]};
        const char *name = validation_text(v, "EA = %g N, μ = %g", d.stretching, d.friction);
        double pull[2] = {0}, angle, M = d.torque / d.radius[0];
        running r = set_up(&d);
        machine_run(&r.m, 0.005, 4000);
        pulls(&r, &angle, pull);
        double creep = 1 - rate_of(&r, 1) / rate_of(&r, 0);
        if (validation_ok(v, r.m.world, r.m.status, name)) {
            validation_row(v, name, "tight − slack, as M/r, N", pull[0] - pull[1], M, 1e-6 * M);
            validation_row(v, name, "creep, 1 − ω₂/ω₁", creep, M / (d.stretching + pull[0]),
                           1e-5 * creep);
        }
        cord_world_destroy(r.m.world);
    }
}

void check_belt_creep(validation *v)
{
    check_creep_with_friction(v);
    for (int i = 0; i < 3; i++) {
        const drive d = {.radius = {0.1, i == 2 ? 0.25 : 0.1},
                         .away = 1.2,
                         .torque = 3,
                         .brake = i == 2 ? 5 : 1,
                         .density = 0.01,
                         .stretching = i == 1 ? 1e5 : 1e4,
                         .kept = 100};
        const char *name = validation_text(v, "EA = %g N, radii %g and %g cm", d.stretching,
                                           100 * d.radius[0], 100 * d.radius[1]);
        double tight, slack, pull[2] = {0}, angle;
        running r = set_up(&d);
        predict_creep(&d, &tight, &slack);
        machine_run(&r.m, 0.005, 4000);
        pulls(&r, &angle, pull);
        double ratio = rate_of(&r, 1) * d.radius[1] / (rate_of(&r, 0) * d.radius[0]);
        double expected = (1 + slack / d.stretching) / (1 + tight / d.stretching);
        if (validation_ok(v, r.m.world, r.m.status, name)) {
            validation_row(v, name, "tight side, N", pull[0], tight, 2e-3 * tight);
            validation_row(v, name, "slack side, N", pull[1], slack, 2e-3 * slack);
            if (i < 2)
                validation_row(v, name, "tight side, as T₀ + M/2r, N", pull[0],
                               d.kept + 0.5 * d.torque / d.radius[0], 0.3);
            validation_row(v, name, "creep, 1 − v₂/v₁", 1 - ratio, 1 - expected,
                           5e-3 * (1 - expected));
        }
        cord_world_destroy(r.m.world);
    }
}

/* ---- slipping --------------------------------------------------------------------------------------- */

void check_belt_slip(validation *v)
{
    static const struct {
        double friction, brake;
    } cases[] = {{0.1, 20}, {0.3, 20}, {0.3, 1}, {0.5, 2}, {1, 5}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (int i = 0; i < CASES; i++) {
        drive d = {.radius = {0.1, 0.25},
                   .away = 1.2,
                   .torque = 60,
                   .brake = cases[i].brake,
                   .density = 0.3,
                   .kept = 200,
                   .friction = cases[i].friction};
        double pull[2] = {0}, angle = 0;
        running r = set_up(&d);
        machine_run(&r.m, 0.005, 2000);
        pulls(&r, &angle, pull);
        double speed = rate_of(&r, 1) * d.radius[1], lost = d.density * speed * speed;
        const char *name = validation_text(v, "μ = %g, %.1f m/s", d.friction, speed);
        if (validation_ok(v, r.m.world, r.m.status, name)) {
            validation_row(v, name, "(T₁ − ρv²)/(T₂ − ρv²)", (pull[0] - lost) / (pull[1] - lost),
                           exp(d.friction * angle), 1e-4 * exp(d.friction * angle));
            validation_row_above(v, name, "rim over belt", rate_of(&r, 0) * d.radius[0] / speed, 2);
        }
        cord_world_destroy(r.m.world);
        d.torque = 0.98 * d.radius[0] * (pull[0] - pull[1]); /* slightly below the slip limit */
        r = set_up(&d);
        machine_run(&r.m, 0.005, 2000);
        double off = rate_of(&r, 0) * d.radius[0] - rate_of(&r, 1) * d.radius[1];
        if (validation_ok(v, r.m.world, r.m.status, name))
            validation_row_below(v, name, "slip with 2 % less torque, m/s", fabs(off), 1e-9);
        cord_world_destroy(r.m.world);
    }
}
