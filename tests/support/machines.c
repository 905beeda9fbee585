#include "support/machines.h"

#include "math/vec3.h"
#include "strand/cable/cable.h"
#include "support/chains.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/splines.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

enum { COPIES = 7 };

/* ---- strands ------------------------------------------------------------------------------------ */

/* Pairs joined end to end, by an eliminated constraint or by one with rows; the first hangs, or
 * is clamped. */
static void ropes(cord_world *world, const strand_ops *ops)
{
    for (int i = 0; i < COPIES; i++) {
        double y = 0.1 * i;
        cord_strand a =
            scene_rope(world, ops, NULL, 4 + i % 4, (double[]){0, y, 0}, (double[]){0.4, y, 0.1});
        cord_strand b =
            scene_rope(world, ops, NULL, 5, (double[]){0.4, y, 0.1}, (double[]){0.8, y, 0});
        double length = scene_length(world, a);
        scene_hang(world, a, 0);
        scene_constraint(world, i % 2 ? CORD_COINCIDE : CORD_DISTANCE,
                         scene_point(world, a, length), scene_point(world, b, i % 2 ? 0 : 0.12));
        /* A cable that hangs straight has no stiffness across it. */
        if (ops == &cord__cable) scene_hang(world, b, scene_length(world, b));
    }
}

static void rods(cord_world *world)
{
    ropes(world, NULL);
    cord_strand alone =
        scene_rope(world, NULL, NULL, 12, (double[]){0, -1, 0}, (double[]){1, -1, 0});
    assert_fine(world, cord_world_clamp_strand(world, alone, 0, NULL, NULL, NULL, NULL));
}

static void free_cables(cord_world *world)
{
    ropes(world, &cord__cable);
}

static void chains(cord_world *world, const char *model, bool planar)
{
    for (int i = 0; i < COPIES; i++) {
        cord_constraint held[5];
        chain_def def = {.model = model, .elements = 3 + i % 3, .curl = 1 + i, .planar = planar};
        v3_set(def.from, 0, 0.1 * i, 0);
        cord_strand chain = chain_strand(world, &def);
        chain_hold(world, chain, CLAMPED, i % 2 ? HELD_TIP : FREE_TIP, held);
        if (i == 0) continue;
        cord_point tip = scene_point(world, chain, scene_length(world, chain) / 2);
        double x[3];
        assert_fine(world, cord_point_get_pose(world, tip, x, NULL));
        cord_body_def ball = cord_body_def_default();
        ball.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.01};
        v3_copy(ball.position, x);
        scene_constraint(world, CORD_COINCIDE, scene_on(world, scene_body(world, &ball), 0, 0, 0),
                         tip);
    }
}

static void segments(cord_world *world)
{
    chains(world, CORD_MODEL_SEGMENT, false);
}
static void helices(cord_world *world)
{
    chains(world, CORD_MODEL_HELIX, false);
}
static void clothoids(cord_world *world)
{
    chains(world, CORD_MODEL_CLOTHOID, false);
}
static void planar_clothoids(cord_world *world)
{
    chains(world, CORD_MODEL_CLOTHOID, true);
}

static void splines(cord_world *world)
{
    enum { VERTICES = 9 };
    for (int i = 0; i < COPIES; i++) {
        double x[3 * VERTICES];
        splines_arc(VERTICES, 0.5 + 0.1 * i, 1.2, x);
        for (int k = 0; k < VERTICES; k++) x[3 * k + 1] = 0.2 * i;
        cord_strand_def def = splines_def(VERTICES, x);
        def.model = CORD_MODEL_SPLINE;
        cord_strand strand = scene_strand(world, &def);
        assert_fine(world, cord_world_clamp_strand(world, strand, 0, NULL, NULL, NULL, NULL));
        if (i % 2 == 0) scene_hang(world, strand, scene_length(world, strand) / 2);
    }
}

/* ---- bodies and coordinates --------------------------------------------------------------------- */

/* Two boxes on a hinge and a ball joint; the second lies on a plane or is kept away from it. */
static void joints(cord_world *world)
{
    for (int i = 0; i < COPIES; i++) {
        double y = 0.5 * i;
        cord_body_def box = scene_box(0.2, 0.05, 0.1);
        v3_set(box.position, 0.1, y, 0);
        cord_body first = scene_body(world, &box);
        v3_set(box.position, 0.3, y, 0);
        cord_body second = scene_body(world, &box);
        cord_constraint_def hinge = cord_constraint_def_default();
        hinge.first = scene_on(world, first, -0.1, 0, 0),
        hinge.second = scene_place(world, 0, y, 0);
        scene_relate(world, &hinge);
        hinge.kind = CORD_PARALLEL;
        v3_set(hinge.direction, 0, 1, 0);
        scene_relate(world, &hinge);
        scene_constraint(world, CORD_COINCIDE, scene_on(world, first, 0.1, 0, 0),
                         scene_on(world, second, -0.1, 0, 0));
        cord_constraint_def floor = cord_constraint_def_default();
        floor.kind = CORD_PLANE, floor.side = CORD_AT_LEAST;
        floor.first = scene_on(world, second, 0.1, 0, 0);
        floor.second = scene_place(world, 0, y, -1e-5 * (1 + i));
        v3_set(floor.direction, 0, 0, 1);
        scene_relate(world, &floor);
    }
}

/* A rope that sags between two fixed points. */
static cord_strand sagging_rope(cord_world *world)
{
    cord_strand rope = sliding_strand(world, sliding_kinds, 1e7);
    scene_hang(world, rope, 0), scene_hang(world, rope, scene_length(world, rope));
    return rope;
}

/* Ropes through keyholes, with a ball at a sliding point. */
static void sliding_points(cord_world *world)
{
    for (int i = 0; i < COPIES; i++) {
        cord_constraint hold;
        cord_strand rope = sagging_rope(world);
        sliding_keyhole(world, rope, 0.31, 0.1, &hold);
        sliding_pearl(world, sliding_point(world, rope, 0.52 + 0.02 * i, 0.2), 0.02, &hold);
    }
}

/* The same with pearls (point masses at the sliding points). */
static void pearls(cord_world *world)
{
    for (int i = 0; i < COPIES; i++) {
        cord_point_def pearl = sliding_def(sagging_rope(world), 0.52 + 0.02 * i);
        pearl.inertia = 0.05, pearl.friction = 0.1;
        scene_add_point(world, &pearl);
    }
}

/* ---- cables ------------------------------------------------------------------------------------- */

/* A pulley with a flywheel, on which the cable sticks, or slips by the capstan equation. */
static cord_waypoint pulley(cord_world *world, cord_point at, double radius, int side,
                            cord_wrap_friction law)
{
    cord_waypoint made = rig_pulley(at, radius, side);
    made.friction_law = law, made.friction = 0.2;
    if (law != CORD_WRAP_FRICTIONLESS) made.rotation = rig_flywheel(world, 0.01, 0.02);
    return made;
}

/* Hoists: weights on both sides of a pulley, on a separate frame; elastic or not, with every law
 * of friction. */
static void hoists(cord_world *world)
{
    for (int i = 0; i < COPIES; i++) {
        double x = 3 * i;
        cord_body left = rig_ball(world, 1, x - 0.1, -1), right = rig_ball(world, 1.2, x + 0.1, -1);
        cord_waypoint waypoints[] = {
            rig_anchor(rig_on(world, left, 0, 0)),
            pulley(world, rig_world_point(world, x, 0), 0.1, -1, (cord_wrap_friction)(i % 3)),
            rig_anchor(rig_on(world, right, 0, 0))};
        waypoints[1].parts = 1 + i % 2 * 2;
        cord_cable_def def = cord_cable_def_default();
        def.waypoints = waypoints, def.waypoint_count = 3;
        def.stretching = i % 2 ? 2000 : 0, def.damping = 1e-3;
        rig_cable(world, &def);
        cord_constraint_def spring =
            cord_constraint_def_default(); /* so that there is an equilibrium */
        spring.first = scene_on(world, left, 0, 0, 0),
        spring.second = rig_world_point(world, x - 0.1, -1);
        spring.compliance = 0.01;
        scene_relate(world, &spring);
    }
}

/* A belt with a motor, a span with bending through an eyelet on a body, and a drum with a twisting cable. */
static void drives(cord_world *world)
{
    for (int i = 0; i < 2; i++) {
        double x = 5 * i;
        cord_waypoint waypoints[] = {
            pulley(world, rig_world_point(world, x, 0), 0.1, 1, CORD_WRAP_NO_SLIP),
            pulley(world, rig_world_point(world, x + 1, 0.2), 0.2, 1,
                   i ? CORD_WRAP_CAPSTAN : CORD_WRAP_NO_SLIP)};
        cord_cable_def def = cord_cable_def_default();
        def.closed = true, def.density = 0.3;
        def.stretching = 5000, def.tension = 100;
        def.waypoints = waypoints, def.waypoint_count = 2;
        rig_cable(world, &def);
        scene_push(world, waypoints[0].rotation, 1);
        cord_constraint_def hold = cord_constraint_def_default(); /* an equilibrium to go through */
        hold.kind = CORD_SLIDE, hold.first = waypoints[1].rotation, hold.compliance = 0.1;
        scene_relate(world, &hold);
    }
    cord_body load = rig_ball(world, 5, 2, -3);
    cord_waypoint span[] = {rig_anchor(rig_world_point(world, 0, -2)),
                            {.kind = CORD_WAYPOINT_EYELET, .point = rig_world_point(world, 2, -2)},
                            rig_anchor(rig_on(world, load, 0, 0))};
    span[0].parts = 6;
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.2, def.bending = 0.1, def.waypoints = span, def.waypoint_count = 3;
    rig_cable(world, &def);
    cord_body weight = rig_ball(world, 1, -3.1, -2);
    cord_point spin = rig_flywheel(world, 0.1, 0.1);
    cord_waypoint drum[] = {{.kind = CORD_WAYPOINT_DRUM,
                             .point = rig_world_point(world, -3, 0),
                             .radius = 0.1,
                             .side = 1,
                             .turns = 3,
                             .rotation = spin},
                            rig_anchor(rig_on(world, weight, 0, 0))};
    def = cord_cable_def_default();
    def.twisting = 0.01, def.waypoints = drum, def.waypoint_count = 2;
    rig_cable(world, &def);
    cord_constraint_def motor = cord_constraint_def_default();
    motor.kind = CORD_SLIDE, motor.first = spin, motor.drive_rate[0] = 0.5;
    scene_relate(world, &motor);
}

/* ---- all of them -------------------------------------------------------------------------------- */

/* Why: chains, splines and cables have no diagonal mass; the semi-implicit schemes have no inertia of pearls. */
enum {
    NO_SYMPLECTIC = 1 << SYMPLECTIC,
    NO_SEMI_IMPLICIT = 1 << SEMI_IMPLICIT | 1 << SEMI_IMPLICIT_VELOCITY
};

const machine machines[MACHINES] = {
    {"der", rods, 0},
    {"segment", segments, NO_SYMPLECTIC},
    {"helix", helices, NO_SYMPLECTIC},
    {"clothoid", clothoids, NO_SYMPLECTIC},
    {"planar_clothoid", planar_clothoids, NO_SYMPLECTIC},
    {"spline", splines, NO_SYMPLECTIC},
    {"cable", free_cables, NO_SYMPLECTIC},
    {"joints", joints, 0},
    {"sliding_points", sliding_points, 0},
    {"pearls", pearls, NO_SEMI_IMPLICIT},
    {"hoists", hoists, NO_SYMPLECTIC},
    {"drives", drives, NO_SYMPLECTIC},
};

bool machine_supports(const machine *m, int by)
{
    return !(m->unsupported >> by & 1);
}

cord_world *machine_world(const machine *m, int by, int threads, const cord_allocator *allocator)
{
    cord_world *world;
    cord_world_def def = cord_world_def_default();
    def.integrator = integrations[by].integrator;
    def.scheme = integrations[by].scheme;
    def.threads = threads;
    if (allocator) def.allocator = *allocator;
    assert_int_equal(cord_world_create(&def, &world), CORD_OK);
    m->build(world);
    return world;
}

bool machine_step(const machine *m, int by, cord_world *world)
{
    cord_status status = cord_world_step(world, 1e-3);
    if (status != CORD_OK && machine_supports(m, by))
        print_error("%s, %s\n", m->name, integrations[by].name);
    if (machine_supports(m, by))
        assert_fine(world, status);
    else
        assert_int_equal(status, CORD_ERROR_UNSUPPORTED);
    return status == CORD_OK;
}
