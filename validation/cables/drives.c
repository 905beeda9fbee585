/* Exact kinematic relations by cables: gear boxes of chains, and an arm on a rotating base. */
#include "validation/bodies/parts.h"
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

/* ---- gears -------------------------------------------------------------------------------------- */

enum { STAGES = 3 };

/* A chain from a small sprocket to one of twice the radius, between consecutive shafts. */
static cord_strand add_stage(machine *m, const cord_point *shaft, int stage)
{
    const double small = 0.1;
    cord_waypoint waypoints[2];
    for (int k = 0; k < 2; k++)
        waypoints[k] = (cord_waypoint){.kind = CORD_WAYPOINT_DRUM,
                                       .point = machine_point(m, stage + k, 0.5 * stage),
                                       .radius = (k + 1) * small,
                                       .side = -1,
                                       .turns = 5,
                                       .rotation = shaft[stage + k]};
    return machine_cable(m, 0.5, waypoints, 2);
}

static void drive_shaft(machine *m, cord_point shaft)
{
    static const double times[] = {0, 1, 2}, angles[] = {0, 20, -10};
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = CORD_SLIDE;
    def.first = shaft;
    def.drive = (cord_keys){3, times, angles, CORD_EASE_SMOOTH};
    if (m->status == CORD_OK) m->status = cord_world_add_constraint(m->world, &def, &made);
}

void check_gears(validation *v)
{
    machine m = machine_make(CORD_IMPLICIT, 9.81);
    cord_point shaft[STAGES + 1];
    double worst = 0, most = 0;
    for (int i = 0; i <= STAGES; i++) shaft[i] = machine_flywheel(&m, 0.01);
    m.cables_push = true; /* the shafts are driven in both directions */
    for (int i = 0; i < STAGES; i++) add_stage(&m, shaft, i);
    drive_shaft(&m, shaft[0]);
    for (int k = 0; k < 400; k++) {
        machine_run(&m, 0.005, 1);
        double first = machine_revolute(&m, shaft[0]), last = machine_revolute(&m, shaft[STAGES]);
        worst = fmax(worst, fabs(first - 8 * last));
        most = fmax(most, fabs(first));
    }
    double end = machine_revolute(&m, shaft[0]);
    if (validation_ok(v, m.world, m.status, "a gear box of chains")) {
        validation_row(v, "driven shaft", "at most, rad", most, 20, 1e-9);
        validation_row(v, "driven shaft", "after reversal, rad", end, -10, 1e-9);
        validation_row_below(v, "three chains 2:1", "first shaft − 8 × last, rad", worst, 1e-9);
    }
    cord_world_destroy(m.world);
}

/* ---- an arm ------------------------------------------------------------------------------------- */

typedef struct arm {
    machine m;
    cord_body base, forearm;
    cord_strand tendon;
} arm;

static const double fixed_at[3] = {-0.4, 0.1, 0.3}, base_turn = 2;

static void turn_base(arm *t)
{
    static const double times[] = {0.5, 1.5}, turns[] = {0, 0, 0, 0, 0, 2};
    cord_point_def script = cord_point_def_default();
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_SMOOTH};
    if (t->m.status == CORD_OK)
        t->m.status = cord_world_clamp_body(t->m.world, t->base, &script, NULL, NULL, NULL);
}

/* The forearm rotates about the y axis of the base at the elbow. */
static void joint_elbow(arm *t)
{
    cord_point upper, lower;
    machine *m = &t->m;
    if (m->status == CORD_OK)
        m->status = part_point(m->world, t->base, (double[]){0.3, 0, 0}, &upper);
    if (m->status == CORD_OK)
        m->status = part_point(m->world, t->forearm, (double[]){-0.15, 0, 0}, &lower);
    if (m->status == CORD_OK)
        m->status = part_constrain(m->world, CORD_COINCIDE, lower, upper, NULL, NULL);
    if (m->status == CORD_OK)
        m->status =
            part_constrain(m->world, CORD_PARALLEL, lower, upper, (double[]){0, 1, 0}, NULL);
}

/* The cable runs from a fixed point through a hole in the base at distance `off` from its axis and
 * over a pulley at the elbow to the forearm, which it carries. */
static arm make_arm(double off)
{
    arm t = {.m = machine_make(CORD_IMPLICIT, 9.81)};
    machine *m = &t.m;
    cord_point held = {0};
    t.base = machine_weight(m, 5, 0, 0.5);
    t.forearm = machine_weight(m, 1, 0.45, 0.5);
    turn_base(&t);
    joint_elbow(&t);
    if (m->status == CORD_OK) m->status = part_world_point(m->world, fixed_at, &held);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = held},
        {.kind = CORD_WAYPOINT_EYELET, .point = machine_on(m, t.base, off, 0)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_on(m, t.base, 0.3, 0),
         .radius = 0.05,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, t.forearm, 0.1, 0)},
    };
    t.tendon = machine_cable(m, 0.02, waypoints, 4);
    return t;
}

/* The length of cable before the hole. */
static double before_hole(arm *t)
{
    cord_node_state hole = {0};
    if (t->m.status == CORD_OK) t->m.status = cord_cable_get_node(t->m.world, t->tendon, 1, &hole);
    return hole.s;
}

static double way_to_hole(double off, double turn)
{
    double hole[3] = {off * cos(turn), off * sin(turn), 0.5}, square = 0;
    for (int k = 0; k < 3; k++) square += pow(hole[k] - fixed_at[k], 2);
    return sqrt(square);
}

void check_arm(validation *v)
{
    for (int i = 0; i < 2; i++) {
        const double off = 0.05 * i;
        const char *name = i ? "hole 5 cm off the axis" : "hole in the axis";
        arm t = make_arm(off);
        double start = before_hole(&t), height = machine_height(&t.m, t.forearm), worst = 0;
        double raised = 0;
        for (int k = 0; k < 400; k++) {
            machine_run(&t.m, 0.005, 1);
            worst = fmax(worst, fabs(before_hole(&t) - start));
            raised = fmax(raised, fabs(machine_height(&t.m, t.forearm) - height));
        }
        double ran = before_hole(&t) - start, frame[9] = {0}, x[3];
        if (t.m.status == CORD_OK) t.m.status = cord_body_get_pose(t.m.world, t.base, x, frame);
        if (validation_ok(v, t.m.world, t.m.status, name)) {
            validation_row(v, name, "rotation of the base, rad", atan2(frame[1], frame[0]),
                           base_turn, 1e-9);
            if (i == 0) {
                validation_row_below(v, name, "cable through the hole at any time, m", worst, 1e-9);
                validation_row_below(v, name, "forearm raised or lowered, m", raised, 1e-9);
            } else {
                validation_row(v, name, "cable through the hole, m", ran,
                               way_to_hole(off, base_turn) - way_to_hole(off, 0), 1e-9);
                validation_row_above(v, name, "forearm raised or lowered, m", raised, 1e-3);
            }
        }
        cord_world_destroy(t.m.world);
    }
}
