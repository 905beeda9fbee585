/* Failures and their messages: constraints that contradict each other are refused by every integrator and by statics, and
 * named with their distance; taut strands; coordinates that nothing determines after a release. */
#include "math/vec3.h"
#include "solve/row_conflict.h"
#include "strand/cable/cable.h"
#include "strand/registry.h"
#include "support/chains.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* ---- ways to be refused -------------------------------------------------------------------------- */

/* Equilibria, quasi-static steps and implicit steps. */
enum { EQUILIBRIUM, BY_QUASI_STATIC, BY_IMPLICIT, WAYS };

static cord_world *world_for(int way)
{
    return scene_world_under(integrations + (way == BY_QUASI_STATIC ? QUASI_STATIC : TR_BDF2),
                             9.81);
}

static cord_status attempt(cord_world *w, int way)
{
    return way == EQUILIBRIUM ? cord_world_find_equilibrium(w, NULL, NULL)
                              : cord_world_step(w, 1e-3);
}

/* The attempt fails as inconsistent, changes nothing, and its message has all of these texts. */
static void refused(cord_world *w, int way, const char *name, const char *const *texts)
{
    uint64_t before = scene_hash(w);
    cord_status status = attempt(w, way);
    const char *message = cord_world_get_error(w);
    if (status != CORD_ERROR_INCONSISTENT)
        fail_msg("%s, way %d: status %d, \"%s\"", name, way, status, message);
    for (; *texts; texts++)
        if (!strstr(message, *texts))
            fail_msg("%s, way %d: no \"%s\" in \"%s\"", name, way, *texts, message);
    assert_true(scene_hash(w) == before);
    cord_world_destroy(w);
}

static cord_constraint relate(cord_world *w, const char *kind, const char *name, cord_point first,
                              cord_point second, double length)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = kind;
    def.name = name;
    def.first = first;
    def.second = second;
    def.length = length;
    return scene_relate(w, &def);
}

static cord_constraint hold(cord_world *w, const char *name, cord_point first, double x, double y,
                            double z)
{
    return relate(w, CORD_COINCIDE, name, first, scene_place(w, x, y, z), -1);
}

static cord_body crate(cord_world *w)
{
    cord_body_def def = scene_box(0.2, 0.2, 0.2);
    def.name = "crate";
    return scene_body(w, &def);
}

/* ---- bodies -------------------------------------------------------------------------------------- */

static void body_at_two_places(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++)
        for (int corner = 0; corner < 2; corner++) {
            cord_world *w = world_for(way);
            double x = 0.1 * corner;
            cord_point on = scene_on(w, crate(w), x, x, x);
            hold(w, "here", on, x, x, x);
            hold(w, "there", on, x + 0.2, x, x);
            refused(w, way, "body",
                    (const char *const[]){"'here'", "'there'", "body 'crate'", "0.2 m apart",
                                          "t = 0 s", NULL});
        }
}

static void body_of_two_distances(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        cord_world *w = world_for(way);
        cord_point on = scene_on(w, crate(w), 0, 0, 0), at = scene_place(w, 0, 0, 0.2);
        relate(w, CORD_DISTANCE, "near", on, at, 0.1);
        relate(w, CORD_DISTANCE, "far", on, at, 0.3);
        refused(w, way, "distances",
                (const char *const[]){"'near'", "'far'", "body 'crate'", "0.2 m apart", NULL});
    }
}

/* A one-sided form with a length. */
static void body_on_a_leash(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        cord_world *w = world_for(way);
        cord_point on = scene_on(w, crate(w), 0, 0, 0);
        cord_constraint_def leash = cord_constraint_def_default();
        leash.name = "leash";
        leash.first = on, leash.second = scene_place(w, 0, 0, 0);
        leash.length = 0.1;
        leash.side = CORD_AT_MOST;
        scene_relate(w, &leash);
        hold(w, "far", on, 0.3, 0, 0);
        refused(w, way, "leash",
                (const char *const[]){"'leash'", "'far'", "body 'crate'", "0.2 m apart", NULL});
    }
}

static void body_of_two_angles(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        cord_world *w = world_for(way);
        cord_body box = crate(w);
        cord_point on = scene_on(w, box, 0, 0, 0), at = scene_place(w, 0, 0, 0);
        cord_constraint_def def = cord_constraint_def_default();
        hold(w, "pin", on, 0, 0, 0);
        def.kind = CORD_ANGLE;
        def.first = on, def.second = at;
        def.name = "zero";
        scene_relate(w, &def);
        def.name = "turned";
        def.drive_rate[0] = 0;
        cord_constraint turned = scene_relate(w, &def);
        assert_fine(w, cord_constraint_set_drive(w, turned, (double[]){0.4, 0, 0}, NULL));
        refused(w, way, "angles",
                (const char *const[]){"'zero'", "'turned'", "body 'crate'", "0.4 rad apart", NULL});
    }
}

/* A prescribed position and rows on it. */
static void clamped_body_on_a_plane(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        cord_world *w = world_for(way);
        cord_body box = crate(w);
        assert_fine(w, cord_world_clamp_body(w, box, NULL, NULL, NULL, NULL));
        relate(w, CORD_PLANE, "floor", scene_on(w, box, 0, 0, -0.1), scene_place(w, 0, 0, -0.3),
               -1);
        refused(w, way, "plane",
                (const char *const[]){"'floor'", "unnamed coincide", "body 'crate'", "0.2 m apart",
                                      NULL});
    }
}

/* ---- strands ------------------------------------------------------------------------------------- */

static void strand_at_two_places(void **unused)
{
    (void)unused;
    static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_SPLINE};
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < 2; i++) {
            cord_world *w = world_for(way);
            cord_strand rope = scene_rope(w, cord__strand_find(models[i]), "rope", 8,
                                          (double[]){0, 0, 0}, (double[]){0, 0, -0.8});
            cord_point on = scene_point(w, rope, 0);
            hold(w, "here", on, 0, 0, 0);
            hold(w, "there", on, 0.2, 0, 0);
            refused(
                w, way, models[i],
                (const char *const[]){"'here'", "'there'", "strand 'rope'", "0.2 m apart", NULL});
        }
}

static void chain_at_two_places(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < CHAIN_MODELS; i++)
            for (int tip = 0; tip < 2; tip++) {
                cord_world *w = world_for(way);
                cord_strand chain =
                    chain_strand(w, &(chain_def){.model = chain_models[i], .curl = 1});
                cord_point on = scene_point(w, chain, tip ? 0.6 : 0);
                double x[3];
                if (tip)
                    assert_fine(w, cord_world_clamp_strand(w, chain, 0, NULL, NULL, NULL, NULL));
                assert_fine(w, cord_point_get_pose(w, on, x, NULL));
                hold(w, "here", on, x[0], x[1], x[2]);
                hold(w, "there", on, x[0] - 0.2, x[1], x[2]);
                refused(w, way, chain_models[i],
                        (const char *const[]){"'here'", "'there'", "0.2 m apart", NULL});
            }
}

/* Two clamps of one end, as written in a scene twice. */
static void two_clamps(void **unused)
{
    (void)unused;
    const double times[2] = {0, 1}, away[6] = {0.1, 0, 0, 0.1, 0, 0};
    for (int way = 0; way < WAYS; way++) {
        cord_world *w = world_for(way);
        cord_strand rod = scene_rope(w, NULL, "rod", 8, (double[]){0, 0, 0}, (double[]){0.8, 0, 0});
        cord_point_def script = cord_point_def_default();
        script.motion = (cord_keys){2, times, away, CORD_EASE_LINEAR};
        assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
        assert_fine(w, cord_world_clamp_strand(w, rod, 0, &script, NULL, NULL, NULL));
        refused(
            w, way, "clamps",
            (const char *const[]){"unnamed coincide at 0 m", "strand 'rod'", "0.1 m apart", NULL});
    }
}

/* Ends farther apart than the strand is long. */
static void taut_strands(void **unused)
{
    (void)unused;
    static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_SPLINE, "cable"};
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < 3; i++) {
            cord_world *w = world_for(way);
            const strand_ops *ops = i < 2 ? cord__strand_find(models[i]) : &cord__cable;
            cord_strand rope =
                scene_rope(w, ops, "tow", 8, (double[]){0, 0, 0}, (double[]){0.8, 0, 0});
            hold(w, "hook", scene_point(w, rope, 0), 0, 0, 0);
            hold(w, "car", scene_point(w, rope, 0.8), 0.83, 0, 0);
            refused(w, way, models[i],
                    (const char *const[]){"strand 'tow' is taut", "'hook' and 'car'", "0.8 m long",
                                          "ends 0.83 m apart", NULL});
        }
}

static void taut_chains(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < CHAIN_MODELS; i++) {
            cord_world *w = world_for(way);
            cord_strand chain = chain_strand(w, &(chain_def){.model = chain_models[i], .curl = 1});
            hold(w, "hook", scene_point(w, chain, 0), 0, 0, 0);
            hold(w, "car", scene_point(w, chain, 0.6), 0.7, 0, 0);
            refused(w, way, chain_models[i], (const char *const[]){"'hook'", "'car'", NULL});
        }
}

/* The same from a sagging shape of many edges, and from a clamped body that a script moves away. */
static void sagging_rope(void **unused)
{
    (void)unused;
    enum { EDGES = 200 };
    const double times[2] = {0, 1}, away[6] = {0.06, 0, 0, 0.06, 0, 0};
    for (int body = 0; body < 2; body++) {
        cord_world *w = world_for(BY_IMPLICIT);
        double x[3 * (EDGES + 1)] = {0};
        for (int i = 0; i <= EDGES; i++) {
            x[3 * i] = 0.95 * i / EDGES;
            x[3 * i + 2] = -0.3122498 * (i < EDGES / 2 ? i : EDGES - i) / EDGES;
        }
        cord_strand_def def = cord_strand_def_default();
        def.name = "tow";
        def.vertex_count = EDGES + 1;
        def.positions = x;
        def.section = scene_section();
        cord_strand rope = scene_strand(w, &def);
        cord_point_def script = cord_point_def_default();
        v3_copy(script.position, (double[]){0.95, 0, 0});
        script.motion = (cord_keys){2, times, away, CORD_EASE_LINEAR};
        cord_point car;
        if (body) {
            cord_body_def box = scene_box(0.2, 0.2, 0.2);
            v3_copy(box.position, (double[]){0.95, 0, 0});
            cord_body moved = scene_body(w, &box);
            assert_fine(w, cord_world_clamp_body(w, moved, &script, NULL, NULL, NULL));
            car = scene_on(w, moved, 0, 0, 0);
        } else {
            car = scene_add_point(w, &script);
        }
        hold(w, "hook", scene_point(w, rope, 0), 0, 0, 0);
        relate(w, CORD_COINCIDE, "car", scene_point(w, rope, scene_length(w, rope)), car, -1);
        refused(w, BY_IMPLICIT, body ? "body" : "script",
                (const char *const[]){"strand 'tow' is taut", "'hook' and 'car'", "1 m long",
                                      "ends 1.0", "m apart", NULL});
    }
}

/* While it moves: a rope that is pulled until it is taut. */
static void pulled_taut(void **by)
{
    const double times[2] = {0, 0.1}, motion[6] = {0, 0, 0, 0.2, 0, 0};
    cord_world *w = scene_world(*by);
    cord_strand rope = scene_rope(w, NULL, "tow", 8, (double[]){0, 0, 0}, (double[]){0.8, 0, 0});
    cord_point_def car = cord_point_def_default();
    v3_copy(car.position, (double[]){0.8, 0, 0});
    car.motion = (cord_keys){2, times, motion, CORD_EASE_LINEAR};
    hold(w, "hook", scene_point(w, rope, 0), 0, 0, 0);
    relate(w, CORD_COINCIDE, "car", scene_point(w, rope, 0.8), scene_add_point(w, &car), -1);
    cord_status status = CORD_OK;
    for (int i = 0; i < 20 && status == CORD_OK; i++) status = cord_world_step(w, 5e-3);
    const char *message = cord_world_get_error(w);
    if (status != CORD_ERROR_INCONSISTENT || !strstr(message, "strand 'tow' is taut") ||
        !strstr(message, "0.8 m long, ends 0.81 m apart"))
        fail_msg("status %d, \"%s\"", status, message);
    cord_world_destroy(w);
}

/* ---- redundant rows ------------------------------------------------------------------------------ */

/* Constraints that repeat each other and agree are no contradiction. */
static void redundant_but_consistent(void **unused)
{
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        cord_world *w = world_for(way);
        cord_strand rope =
            scene_rope(w, NULL, "rope", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
        cord_point on = scene_on(w, crate(w), 0.1, 0, 0);
        for (int i = 0; i < 2; i++) {
            hold(w, i ? "again" : "once", on, 0.1, 0, 0);
            assert_fine(w, cord_world_clamp_strand(w, rope, 0, NULL, NULL, NULL, NULL));
            relate(w, CORD_DISTANCE, "arm", on, scene_place(w, 0, 0, 0), 0.1);
        }
        assert_fine(w, attempt(w, way));
        cord_world_destroy(w);
    }
}

/* The search names redundant rows, and no row of a world that has none. */
static void redundant_rows_are_found(void **unused)
{
    (void)unused;
    for (int twice = 0; twice < 2; twice++) {
        cord_world *w = world_for(BY_IMPLICIT);
        cord_point on = scene_on(w, crate(w), 0.1, 0, 0);
        row_conflict found;
        hold(w, "once", on, 0.1, 0, 0);
        relate(w, CORD_DISTANCE, "other", scene_on(w, crate(w), 0, 0, 0.3), on, 0.3);
        if (twice) hold(w, "again", on, 0.1, 0, 0);
        assert_fine(w, cord__world_ready(w));
        assert_int_equal(w->partition.clusters, 1);
        assert_int_equal(
            cord__find_redundancy(&w->problem, w->partition.cluster, 0, &w->memory, &found),
            CORD_OK);
        assert_int_equal(found.constraints, 2 * twice);
        for (int i = 0; i < found.constraints; i++)
            assert_string_not_equal(w->problem.constraint[found.constraint[i]]->name, "other");
        assert_int_equal(
            cord__find_contradiction(&w->problem, w->partition.cluster, 0, &w->memory, &found),
            CORD_OK);
        assert_int_equal(found.constraints, 0);
        cord_world_destroy(w);
    }
}

/* ---- messages ------------------------------------------------------------------------------------ */

/* A free body has no equilibrium: the message has its unbalanced weight, and where. */
static void weight_without_support(void **unused)
{
    (void)unused;
    cord_world *w = world_for(EQUILIBRIUM);
    crate(w);
    assert_int_not_equal(cord_world_find_equilibrium(w, NULL, NULL), CORD_OK);
    const char *message = cord_world_get_error(w);
    if (!strstr(message, "body 'crate' at t = 0 s") ||
        !strstr(message, "78.5 N, at the position") || !strstr(message, "not supported"))
        fail_msg("\"%s\"", message);
    cord_world_destroy(w);
}

/* ---- releases ------------------------------------------------------------------------------------ */

/* Two beads on a rod, whose massless coordinates are kept apart by a one-sided row. */
typedef struct beads {
    cord_world *w;
    cord_point spot[2];
    cord_constraint threaded[2];
    cord_body bead[2];
} beads;

static beads make_beads(const integration *by, cord_side side)
{
    beads b = {.w = scene_world(by)};
    cord_strand rod = scene_rope(b.w, NULL, "rod", 10, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    assert_fine(b.w, cord_world_clamp_strand(b.w, rod, 0, NULL, NULL, NULL, NULL));
    assert_fine(b.w, cord_world_clamp_strand(b.w, rod, 1, NULL, NULL, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        cord_body_def ball = scene_box(0.01, 0.01, 0.01);
        cord_point_def def = cord_point_def_default();
        ball.position[0] = def.s = 0.3 + 0.1 * i;
        def.source = CORD_SOURCE_SLIDING;
        def.strand = rod;
        b.bead[i] = scene_body(b.w, &ball);
        b.spot[i] = scene_add_point(b.w, &def);
        cord_constraint_def on = cord_constraint_def_default();
        on.first = b.spot[i];
        on.second = scene_on(b.w, b.bead[i], 0, 0, 0);
        on.release_time = i == 0 ? 0.02 : 0;
        b.threaded[i] = scene_relate(b.w, &on);
    }
    cord_constraint_def apart = cord_constraint_def_default();
    apart.kind = CORD_SLIDE;
    apart.first = b.spot[1], apart.second = b.spot[0];
    apart.length = 0.05;
    apart.side = side;
    if (side == CORD_EQUAL) apart.length = 0.1;
    scene_relate(b.w, &apart);
    return b;
}

static double height(const beads *b, int i)
{
    double x[3];
    assert_fine(b->w, cord_body_get_pose(b->w, b->bead[i], x, NULL));
    return x[2];
}

/* The released bead falls; its coordinate stays, and no longer stops the other bead. */
static void released_bead(void **by)
{
    beads b = make_beads(*by, CORD_AT_LEAST);
    scene_advance(b.w, 2e-3, 60);
    assert_true(height(&b, 0) < -0.03);
    assert_true(height(&b, 1) > -0.03);
    double at = scene_coordinate(b.w, b.spot[0], NULL);
    scene_push(b.w, b.spot[1], -0.05);
    scene_advance(b.w, 2e-3, 150);
    assert_close(scene_coordinate(b.w, b.spot[0], NULL), at, 1e-12);
    assert_true(scene_coordinate(b.w, b.spot[1], NULL) < at);
    cord_world_destroy(b.w);
}

/* A two-sided row to a coordinate that is determined moves the released one with it; when both are released, both stay. */
static void released_pair(void **by)
{
    beads b = make_beads(*by, CORD_EQUAL);
    scene_advance(b.w, 2e-3, 60);
    assert_true(height(&b, 0) < -0.03);
    assert_close(scene_coordinate(b.w, b.spot[1], NULL) - scene_coordinate(b.w, b.spot[0], NULL),
                 0.1, 1e-6);
    assert_fine(b.w, cord_constraint_set_attached(b.w, b.threaded[1], false));
    scene_advance(b.w, 2e-3, 60);
    assert_true(height(&b, 1) < -0.03);
    cord_world_destroy(b.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_at_two_places),
        cmocka_unit_test(body_of_two_distances),
        cmocka_unit_test(body_on_a_leash),
        cmocka_unit_test(body_of_two_angles),
        cmocka_unit_test(clamped_body_on_a_plane),
        cmocka_unit_test(strand_at_two_places),
        cmocka_unit_test(chain_at_two_places),
        cmocka_unit_test(two_clamps),
        cmocka_unit_test(taut_strands),
        cmocka_unit_test(taut_chains),
        cmocka_unit_test(sagging_rope),
        BY_EVERY_DYNAMIC_INTEGRATION(pulled_taut),
        cmocka_unit_test(redundant_but_consistent),
        cmocka_unit_test(redundant_rows_are_found),
        cmocka_unit_test(weight_without_support),
        BY_INTEGRATION(released_bead, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(released_bead, "midpoint", MIDPOINT),
        BY_INTEGRATION(released_bead, "symplectic", SYMPLECTIC),
        BY_INTEGRATION(released_pair, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(released_pair, "midpoint", MIDPOINT),
        BY_INTEGRATION(released_pair, "symplectic", SYMPLECTIC),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
