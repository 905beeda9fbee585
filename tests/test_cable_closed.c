/* Closed cables: belts and endless chains round pulleys that are fixed, movable, crossed or
 * skew; the mean tension where equilibrium does not determine it; pulleys that are unwrapped and
 * wrapped again. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_waypoint wheel(cord_point at, double radius, int side, cord_point rotation)
{
    return (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                           .point = at,
                           .radius = radius,
                           .side = side,
                           .rotation = rotation,
                           .friction_law =
                               rotation.index ? CORD_WRAP_NO_SLIP : CORD_WRAP_FRICTIONLESS};
}

static cord_strand belt(cord_world *w, const cord_waypoint *waypoints, int count, double stretching,
                        double tension)
{
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.closed = true;
    def.density = 0.3;
    def.stretching = stretching, def.tension = tension;
    def.waypoints = waypoints, def.waypoint_count = count;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

/* Two pulleys, a motor on the small one, friction on the large one. */
typedef struct drive {
    cord_world *w;
    cord_point rotation[2];
    cord_strand belt;
    double radius[2], away, torque, brake;
} drive;

static drive make_drive_at(cord_integrator integrator, int crossed, double stretching, double kept,
                           double away)
{
    drive t = {.radius = {0.1, 0.25}, .away = away, .torque = 3, .brake = 0.5};
    t.w = scene_world_in(integrator, 0);
    cord_waypoint waypoints[2];
    for (int k = 0; k < 2; k++) {
        t.rotation[k] = rig_flywheel(t.w, k ? 0.05 : 0.01, k ? t.brake : 0);
        waypoints[k] = wheel(rig_world_point(t.w, k * t.away, 0), t.radius[k],
                             k && crossed ? -1 : 1, t.rotation[k]);
    }
    scene_push(t.w, t.rotation[0], t.torque);
    t.belt = belt(t.w, waypoints, 2, stretching, kept);
    return t;
}

static drive make_drive(cord_integrator integrator, int crossed, double stretching, double kept)
{
    return make_drive_at(integrator, crossed, stretching, kept, 1.2);
}

/* The length agrees with trigonometry. */
static void lengths(void **unused)
{
    (void)unused;
    for (int crossed = 0; crossed < 2; crossed++) {
        drive t = make_drive(CORD_IMPLICIT, crossed, 0, 0);
        double sum = t.radius[1] + (crossed ? 1 : -1) * t.radius[0], off = asin(sum / t.away);
        double straight = sqrt(t.away * t.away - sum * sum);
        double arcs = t.radius[1] * (pi + 2 * off) + t.radius[0] * (pi + (crossed ? 2 : -2) * off);
        cord_strand_info info;
        assert_fine(t.w, cord_strand_get_info(t.w, t.belt, &info));
        assert_true(info.closed);
        assert_int_equal(info.edge_count, info.vertex_count);
        assert_close(info.length, 2 * straight + arcs, 1e-12);
        assert_int_equal(rig_node_count(t.w, t.belt), 4);
        cord_world_destroy(t.w);
    }
}

/* The ratio of the rates is that of the radii; tensions differ by the torque over the radius,
 * and their mean is conserved. */
static void drives(void **unused)
{
    (void)unused;
    static const cord_integrator all[] = {CORD_IMPLICIT, CORD_MIDPOINT};
    for (int i = 0; i < 4; i++) {
        bool crossed = i > 1;
        drive t = make_drive(all[i % 2], crossed, 0, 200);
        double ratio = (crossed ? -1 : 1) * t.radius[0] / t.radius[1], rates[2];
        scene_advance(t.w, 5e-3, 600);
        double turned = scene_coordinate(t.w, t.rotation[0], rates);
        assert_close(scene_coordinate(t.w, t.rotation[1], rates + 1), ratio * turned, 1e-9);
        assert_close(rates[1], ratio * rates[0], 1e-9);
        assert_close(rates[0], t.torque / t.brake / (ratio * ratio), 1e-3 * fabs(rates[0]));
        /* The pulleys still accelerate a little: their inertia and the belt's. */
        double pulls[4], mean = 0, length = 0;
        for (int k = 0; k < 4; k++) {
            cord_node_state from = rig_node(t.w, t.belt, k),
                            to = rig_node(t.w, t.belt, (k + 1) % 4);
            cord_strand_info info;
            assert_fine(t.w, cord_strand_get_info(t.w, t.belt, &info));
            double ds = to.s - from.s + (k == 3 ? info.length : 0);
            pulls[k] = rig_tension(t.w, t.belt, k);
            mean += ds * pulls[k], length += ds;
        }
        assert_close(mean / length, 200, 1e-9);
        assert_close(fabs(pulls[1] - pulls[3]), t.torque / t.radius[0],
                     1e-2 * t.torque / t.radius[0]);
        cord_world_destroy(t.w);
    }
}

/* At rest, by statics: the other pulley is clamped. */
static void equilibrium(void **unused)
{
    (void)unused;
    static const cord_integrator all[] = {CORD_IMPLICIT, CORD_QUASI_STATIC};
    for (int i = 0; i < 4; i++) {
        double stretching = i % 2 ? 1e5 : 0;
        drive t = make_drive(all[i / 2], 0, stretching, 200);
        scene_constraint(t.w, "slide", t.rotation[1], (cord_point){0});
        if (i / 2)
            scene_advance(t.w, 1e-2, 2);
        else
            assert_fine(t.w, cord_world_find_equilibrium(t.w, NULL, NULL));
        double pull[2] = {rig_tension(t.w, t.belt, 1), rig_tension(t.w, t.belt, 3)};
        double differs = t.torque / t.radius[0];
        /* In an elastic belt, material that moves onto a pulley with another strain changes this
         * difference slightly. */
        assert_close(fabs(pull[0] - pull[1]), differs, (stretching > 0 ? 1e-3 : 1e-6) * differs);
        /* Without slip the arcs have the mean tension of both sides, so the tension is 200 N
         * everywhere. */
        assert_close(0.5 * (pull[0] + pull[1]), 200, stretching > 0 ? 0.1 : 1e-3);
        cord_world_destroy(t.w);
    }
}

/* Pulleys that neither rotate nor slip: the tensions of the spans are determined only by their
 * initial values. */
static void stuck(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_waypoint waypoints[3];
    static const double x[3] = {0, 1, 0.4}, z[3] = {0, 0.2, 0.8};
    for (int k = 0; k < 3; k++) {
        waypoints[k] = wheel(rig_world_point(w, x[k], z[k]), 0.1 + 0.05 * k, 1, (cord_point){0});
        waypoints[k].friction_law = CORD_WRAP_NO_SLIP;
    }
    cord_strand made = belt(w, waypoints, 3, 0, 50);
    scene_advance(w, 1e-2, 300);
    for (int k = 0; k < 6; k++) assert_close(rig_tension(w, made, k), 50, 0.05);
    cord_world_destroy(w);
}

/* Pulleys on two clamped bodies: the structure does not show that they are fixed, and yet the
 * mean tension is conserved. */
static void clamped_pulleys(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_waypoint waypoints[2];
    for (int k = 0; k < 2; k++) {
        cord_body_def def = cord_body_def_default();
        cord_body body;
        cord_point_def still = cord_point_def_default();
        def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
        def.mass = 1;
        def.position[0] = still.position[0] = k;
        assert_fine(w, cord_world_add_body(w, &def, &body));
        assert_fine(w, cord_world_clamp_body(w, body, &still, NULL, NULL, NULL));
        waypoints[k] = wheel(rig_on(w, body, 0, 0), 0.1, 1, rig_flywheel(w, 0.01, k));
    }
    cord_strand made = belt(w, waypoints, 2, 0, 100);
    scene_push(w, waypoints[0].rotation, 2);
    scene_advance(w, 5e-3, 2000);
    assert_close(0.5 * (rig_tension(w, made, 1) + rig_tension(w, made, 3)), 100, 0.02);
    /* The tight side is the lower one. */
    assert_close(rig_tension(w, made, 3) - rig_tension(w, made, 1), 20 + 0.3 * 9.81 * 0.2, 1e-7);
    cord_world_destroy(w);
}

/* Coordinates remain bounded however long it runs, and nothing jumps when they are renumbered. */
static void long_runs(void **unused)
{
    (void)unused;
    drive t = make_drive(CORD_IMPLICIT, 0, 0, 100);
    cord_strand_info info;
    assert_fine(t.w, cord_strand_get_info(t.w, t.belt, &info));
    double *x = calloc((size_t)(6 * info.vertex_count), sizeof *x), *v = x + 3 * info.vertex_count;
    double rate;
    for (int k = 0; k < 3000; k++) {
        scene_advance(t.w, 5e-3, 1);
        assert_true(fabs(rig_node(t.w, t.belt, 0).s) <= 0.51 * info.length);
        if (k % 100) continue;
        assert_fine(t.w, cord_strand_get_positions(t.w, t.belt, x));
        assert_fine(t.w, cord_strand_get_velocities(t.w, t.belt, v));
        scene_coordinate(t.w, t.rotation[0], &rate);
        for (int i = 0; i < info.vertex_count; i++) /* the whole belt has the speed of the rims */
            assert_close(v3_norm(v + 3 * i), fabs(rate) * t.radius[0], 1e-6);
    }
    assert_true(scene_coordinate(t.w, t.rotation[0], NULL) * t.radius[0] > 5 * info.length);
    assert_close(scene_coordinate(t.w, t.rotation[1], NULL),
                 scene_coordinate(t.w, t.rotation[0], NULL) * 0.4, 1e-9);
    free(x);
    cord_world_destroy(t.w);
}

/* A pulley on an arm that a weight pulls outwards: the weight determines the tension of the
 * belt. */
static void tensioner(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body_def def = cord_body_def_default();
    cord_body weight;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = 4;
    v3_set(def.position, 0.5, 0, -0.8);
    assert_fine(w, cord_world_add_body(w, &def, &weight));
    cord_waypoint waypoints[] = {wheel(rig_world_point(w, 0, 0), 0.1, 1, rig_flywheel(w, 0.01, 0)),
                                 wheel(rig_on(w, weight, 0, 0.2), 0.1, 1, (cord_point){0}),
                                 wheel(rig_world_point(w, 1, 0), 0.1, 1, rig_flywheel(w, 0.01, 0))};
    cord_strand made = belt(w, waypoints, 3, 0, 0);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    cord_node_state out = rig_node(w, made, 0);
    double before, after, angle, x[3];
    assert_fine(w, cord_cable_get_wrap(w, made, 1, NULL, &angle, &before, &after));
    assert_fine(w, cord_body_get_pose(w, weight, x, NULL));
    assert_close(x[0], 0.5, 1e-9);
    /* Both spans at half the wrap angle from the vertical, with the belt's own weight. */
    double up = (before + after) * sin(0.5 * angle);
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, made, &info));
    assert_in_range((long)(1e3 * up / (9.81 * (4 + 0.3 * info.length))), 800, 1000);
    assert_true(up > 9.81 * 4 && isfinite(out.s));
    scene_advance(w, 5e-3, 100); /* and it stays there */
    double later[3];
    assert_fine(w, cord_body_get_pose(w, weight, later, NULL));
    assert_close(later[2], x[2], 1e-9);
    cord_world_destroy(w);
}

/* From a horizontal shaft to a vertical one. */
static void quarter_turn(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_point rotation[2] = {rig_flywheel(w, 0.01, 0), rig_flywheel(w, 0.02, 0.1)};
    cord_waypoint waypoints[] = {wheel(rig_world_point(w, 0, 0), 0.1, 1, rotation[0]),
                                 wheel(scene_place(w, 1.5, 0.1, 0.1), 0.2, 1, rotation[1])};
    cord_strand made = belt(w, waypoints, 2, 0, 100);
    scene_push(w, rotation[0], 1);
    scene_advance(w, 5e-3, 400);
    assert_true(fabs(scene_coordinate(w, rotation[0], NULL)) > 5);
    assert_close(scene_coordinate(w, rotation[1], NULL),
                 0.5 * scene_coordinate(w, rotation[0], NULL), 1e-9);
    for (int k = 0; k < 4; k++) assert_close(rig_tension(w, made, k), 100, 6);
    cord_world_destroy(w);
}

/* Three pulleys, one of which is thrown inwards and pushed out again: it is unwrapped, although
 * the nodes began there, and wrapped again. */
static void loose_pulley(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = 1;
    v3_set(def.position, 0.5, 0, 1.2);
    v3_set(def.velocity, 0, 0, -4.6);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    cord_point center = rig_on(w, body, 0, 0);
    cord_load_def outwards = cord_load_def_default();
    cord_load load;
    outwards.point = center;
    v3_set(outwards.force, 0, 0, 60);
    assert_fine(w, cord_world_add_load(w, &outwards, &load));
    cord_waypoint waypoints[] = {wheel(rig_world_point(w, 1, 0), 0.1, 1, rig_flywheel(w, 1e-3, 0)),
                                 wheel(center, 0.1, 1, (cord_point){0}),
                                 wheel(rig_world_point(w, 0, 0), 0.1, 1, rig_flywheel(w, 1e-3, 0))};
    cord_strand made = belt(w, waypoints, 3, 100, 80); /* of rubber */
    bool touches[3] = {0}, left = false, back = false;
    assert_fine(w, cord_cable_get_wrap(w, made, 1, touches, NULL, NULL, NULL));
    assert_true(touches[0]);
    assert_int_equal(rig_node(w, made, 0).waypoint, 1); /* the widest */
    for (int k = 0; k < 700; k++) {
        scene_advance(w, 1e-3, 1);
        cord_strand_info info;
        assert_fine(w, cord_strand_get_info(w, made, &info));
        assert_fine(w, cord_cable_get_wrap(w, made, 1, touches, NULL, NULL, NULL));
        left = left || !touches[0];
        back = back || (left && touches[0]);
        int count = rig_node_count(w, made);
        /* A node may have been kept at the pulley's position. */
        assert_in_range(count - (touches[0] ? 6 : 4), 0, !touches[0]);
        for (int i = 0; i + 1 < count; i++)
            assert_true(rig_node(w, made, i + 1).s > rig_node(w, made, i).s);
        assert_true(rig_node(w, made, 0).s + info.length > rig_node(w, made, count - 1).s);
        if (!touches[0]) assert_true(rig_node(w, made, 0).waypoint != 1);
    }
    assert_true(left && back);
    cord_world_destroy(w);
}

/* Every integrator; the symplectic one refuses cables, whose mass is not diagonal. */
static void integrators(void **unused)
{
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        cord_world *w = scene_world(integrations + i);
        cord_point rotation[2] = {rig_flywheel(w, 0.01, 0), rig_flywheel(w, 0.05, 0.1)};
        cord_waypoint waypoints[] = {wheel(rig_world_point(w, 0, 0), 0.1, 1, rotation[0]),
                                     wheel(rig_world_point(w, 1, 0.2), 0.2, -1, rotation[1])};
        cord_strand made = belt(w, waypoints, 2, 0, 100);
        scene_push(w, rotation[0], 1);
        if (i == SYMPLECTIC) {
            assert_int_equal(cord_world_step(w, 5e-3), CORD_ERROR_UNSUPPORTED);
            cord_world_destroy(w);
            continue;
        }
        scene_advance(w, 5e-3, 200);
        assert_true(scene_coordinate(w, rotation[0], NULL) > 5);
        assert_close(scene_coordinate(w, rotation[1], NULL),
                     -0.5 * scene_coordinate(w, rotation[0], NULL), 1e-9);
        assert_true(fabs(rig_tension(w, made, 1) - rig_tension(w, made, 3)) > 4);
        cord_world_destroy(w);
    }
}

/* A motor that is too strong for its belt: the tensions less the centrifugal term ρv² satisfy
 * the Euler-Eytelwein equation, elastic or not. */
static void slipping(void **unused)
{
    (void)unused;
    for (int elastic = 0; elastic < 2; elastic++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        const double friction = 0.4, radius[2] = {0.1, 0.25}, away = 1.2;
        cord_point rotation[2] = {rig_flywheel(w, 0.5, 0), rig_flywheel(w, 0.05, 0.8)};
        cord_waypoint waypoints[] = {wheel(rig_world_point(w, 0, 0), radius[0], 1, rotation[0]),
                                     wheel(rig_world_point(w, away, 0), radius[1], 1, rotation[1])};
        waypoints[0].friction_law = CORD_WRAP_CAPSTAN, waypoints[0].friction = friction;
        cord_strand made = belt(w, waypoints, 2, elastic ? 1e4 : 0, 100);
        scene_push(w, rotation[0], 60);
        scene_advance(w, 2e-3, 1000);
        double before, after, angle, rate[2];
        assert_fine(w, cord_cable_get_wrap(w, made, 0, NULL, &angle, &before, &after));
        assert_close(angle, pi - 2 * asin((radius[1] - radius[0]) / away), 1e-9);
        scene_coordinate(w, rotation[0], rate), scene_coordinate(w, rotation[1], rate + 1);
        double v = radius[1] * rate[1], lost = 0.3 * v * v;
        assert_true(radius[0] * rate[0] > 2 * v &&
                    lost > 5); /* it slips; and fast enough to tell */
        /* In an elastic belt the mass per length, and the speed, differ a little from those at
         * rest. */
        double ratio = exp(friction * angle);
        assert_close((before - lost) / (after - lost), ratio, (elastic ? 5e-3 : 1e-5) * ratio);
        cord_world_destroy(w);
    }
}

/* A state taken after the first node has changed and the cable has run round is resumed exactly. */
static void checkpoints(void **unused)
{
    (void)unused;
    drive t[2];
    for (int k = 0; k < 2; k++) t[k] = make_drive(CORD_IMPLICIT, 1, 0, 100);
    scene_advance(t[0].w, 5e-3, 500);
    scene_goes_on(t[0].w, t[1].w, 5e-3, 100);
    for (int k = 0; k < 2; k++) cord_world_destroy(t[k].w);
}

/* A carriage that is attached to a belt moves to and fro with it. */
static void carriage(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = 2;
    v3_set(def.position, 0.3, 0, 0.1);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    cord_point rotation = rig_flywheel(w, 0.01, 0);
    cord_waypoint waypoints[] = {wheel(rig_world_point(w, 0, 0), 0.1, -1, rotation),
                                 {.kind = CORD_WAYPOINT_ANCHOR, .point = rig_on(w, body, 0, 0)},
                                 wheel(rig_world_point(w, 1, 0), 0.1, -1, (cord_point){0})};
    cord_strand made = belt(w, waypoints, 3, 0, 50);
    double force = 1, x[3], away, run_for = 0.5, length = 2 + 0.2 * pi;
    scene_push(w, rotation, -force * 0.1);
    scene_advance(w, 5e-3, 100);
    assert_fine(w, cord_body_get_pose(w, body, x, NULL));
    away = 0.5 * force / (2 + 1 + 0.3 * length) * run_for * run_for; /* 1 kg is the pulley's */
    assert_close(x[0], 0.3 + away, 1e-7 * away);
    assert_close(x[2], 0.1, 1e-9);
    assert_false(rig_node(w, made, 0).eulerian);
    cord_world_destroy(w);
}

static void refused(cord_world *w, const cord_cable_def *def, const char *what)
{
    cord_strand made;
    assert_int_equal(cord_world_add_cable(w, def, &made), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), what));
}

/* The state of a world whose nodes differ by rounding, as of another processor: the cable is made again from the bytes, and its
 * multipliers and the memory of its contacts are those of the same pulleys. */
static void states_of_others(void **unused)
{
    (void)unused;
    for (int crossed = 0; crossed < 2; crossed++) {
        drive from = make_drive(CORD_IMPLICIT, crossed, 0, 100),
              to = make_drive_at(CORD_IMPLICIT, crossed, 0, 100, nextafter(1.2, 2));
        size_t size;
        for (int i = 0; i < 40; i++) assert_fine(from.w, cord_world_step(from.w, 5e-3));
        assert_fine(from.w, cord_world_get_state_size(from.w, &size));
        void *state = malloc(size);
        assert_fine(from.w, cord_world_get_state(from.w, state));
        assert_fine(to.w, cord_world_set_state(to.w, state, size));
        for (int i = 0; i < 40; i++) {
            assert_fine(from.w, cord_world_step(from.w, 5e-3));
            assert_fine(to.w, cord_world_step(to.w, 5e-3));
        }
        for (int k = 0; k < 2; k++) {
            const double angle[2] = {scene_coordinate(from.w, from.rotation[k], NULL),
                                     scene_coordinate(to.w, to.rotation[k], NULL)};
            assert_true(fabs(angle[0]) > 0.1);
            assert_close(angle[1], angle[0], 1e-9);
        }
        free(state);
        cord_world_destroy(from.w);
        cord_world_destroy(to.w);
    }
}

static void mistakes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_point none = {0}, at[] = {rig_world_point(w, 0, 0), rig_world_point(w, 1, 0)};
    cord_waypoint drum[] = {wheel(at[0], 0.1, 1, rig_flywheel(w, 0.1, 0)),
                            wheel(at[1], 0.1, 1, none)};
    drum[0].kind = CORD_WAYPOINT_DRUM, drum[0].turns = 2;
    cord_waypoint inside[] = {wheel(at[0], 2, 1, none), wheel(at[1], 0.1, 1, none)};
    cord_waypoint eyelets[] = {{.kind = CORD_WAYPOINT_EYELET, .point = at[0]},
                               {.kind = CORD_WAYPOINT_EYELET, .point = at[1]}};
    const cord_guide guide = {.kind = CORD_GUIDE_POINT, .on = at[0]};
    const cord_cable_node nodes[] = {{.guide = 0, .s = 0, .eulerian = true},
                                     {.guide = -1, .at = {0, 0, 1}, .s = 1, .eulerian = true},
                                     {.guide = -1, .at = {1, 0, 1}, .s = 2, .eulerian = true}};
    cord_cable_def def = cord_cable_def_default();
    def.closed = true;
    def.waypoint_count = 2;
    def.waypoints = drum, refused(w, &def, "no end to wind on a drum");
    def.waypoints = inside, refused(w, &def, "waypoint 0: what the cable comes from");
    def.waypoints = eyelets, refused(w, &def, "two pulleys that it wraps, or three waypoints");
    def.waypoint_count = 0;
    def.guides = &guide, def.guide_count = 1;
    def.nodes = nodes, def.node_count = 3;
    def.length = 1.5, refused(w, &def, "a length beyond");
    def.node_count = 2, def.length = 5, refused(w, &def, "three nodes at least");
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),          cmocka_unit_test(drives),
        cmocka_unit_test(equilibrium),      cmocka_unit_test(stuck),
        cmocka_unit_test(clamped_pulleys),  cmocka_unit_test(long_runs),
        cmocka_unit_test(tensioner),        cmocka_unit_test(quarter_turn),
        cmocka_unit_test(loose_pulley),     cmocka_unit_test(integrators),
        cmocka_unit_test(slipping),         cmocka_unit_test(checkpoints),
        cmocka_unit_test(carriage),         cmocka_unit_test(mistakes),
        cmocka_unit_test(states_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
