/* What is kept when the nodes of cables change: wheels that are left, ends that come to wheels and off them, drums and
 * eyelets that they run off; and machines at random. */
#include "math/vec3.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* Wheels in the plane y = 0: angles from x to z. */
static const double upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};

static cord_world *world_in(cord_integrator integrator, cord_scheme scheme, double gravity)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    v3_set(def.gravity, 0, 0, -gravity);
    def.integrator = integrator;
    def.scheme = scheme;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

static cord_body ball(cord_world *w, double mass, double x, double z)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = mass;
    v3_set(def.position, x, 0, z);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static cord_point point(cord_world *w, const cord_body *body, double x, double z)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    if (body) def.source = CORD_SOURCE_BODY, def.body = *body;
    v3_set(def.position, x, 0, z);
    memcpy(def.frame, upright, sizeof upright);
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

static cord_point rotor(cord_world *w, double inertia)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = CORD_SOURCE_ROTOR, def.inertia = inertia;
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

static cord_strand route(cord_world *w, const cord_stop *stops, int count, double density,
                         double stretching)
{
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.stops = stops, def.stop_count = count;
    def.density = density, def.stretching = stretching;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

static cord_cable_changes changes(cord_world *w, cord_strand cable)
{
    cord_cable_changes c;
    assert_fine(w, cord_cable_changes_of(w, cable, &c));
    return c;
}

static int node_count(cord_world *w, cord_strand cable)
{
    int count;
    assert_fine(w, cord_cable_node_count(w, cable, &count));
    return count;
}

static cord_node_state node(cord_world *w, cord_strand cable, int i)
{
    cord_node_state state;
    assert_fine(w, cord_cable_node_state(w, cable, i, &state));
    return state;
}

static bool touches(cord_world *w, cord_strand cable, int stop)
{
    bool found;
    assert_fine(w, cord_cable_wrap(w, cable, stop, &found, NULL, NULL, NULL));
    return found;
}

static cord_energy energy(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_energy(w, &e));
    return e;
}

/* ---- wheels ------------------------------------------------------------------------------------------ */

/* In space: a body with an anchor and a peg, and a bob that swings away from the peg. The spans move differently before
 * and behind the peg; a node is kept there, and nothing is lost. */
static void a_peg_is_left(void **unused)
{
    (void)unused;
    static const double elastic[] = {0, 3000};
    for (int i = 0; i < 2; i++) {
        cord_world *w = world_in(CORD_IMPLICIT, CORD_TR_BDF2, 0);
        cord_body holder = ball(w, 2, 0, 0), bob = ball(w, 1, 0.3, -1);
        const cord_stop stops[] = {
            {.kind = CORD_STOP_ANCHOR, .on = point(w, &holder, 0, 0)},
            {.kind = CORD_STOP_WHEEL,
             .on = point(w, &holder, 0.05, -0.5),
             .radius = 0.05,
             .side = 1},
            {.kind = CORD_STOP_ANCHOR, .on = point(w, &bob, 0, 0)},
        };
        cord_strand cable = route(w, stops, 3, 0.05, elastic[i]);
        assert_fine(w, cord_body_set_velocity(w, bob, (double[]){-2, 0, 0}, (double[]){0, 0, 0}));
        assert_fine(w, cord_world_step(w, 1e-3));
        double before = 0, after;
        for (int k = 0; k < 500 && touches(w, cable, 1); k++) {
            assert_fine(w, cord_cable_tension(w, cable, 0, &before));
            assert_fine(w, cord_world_step(w, 1e-3));
        }
        cord_cable_changes c = changes(w, cable);
        assert_false(touches(w, cable, 1));
        assert_int_equal(c.leavings, 1);
        assert_int_equal(c.comings, 0);
        assert_true(fabs(c.last) < 1e-5 * energy(w).kinetic);
        assert_true(c.worst_leaving < 1e-5);
        assert_true(c.impulse < 1e-9);
        assert_int_equal(node_count(w, cable), 3);
        assert_int_equal(node(w, cable, 1).freedom, 3);
        assert_fine(w, cord_cable_tension(w, cable, 0, &after)); /* it is not forgotten */
        assert_close(after, before, 0.1 * before);
        cord_world_destroy(w);
    }
}

/* With drag all comes to rest, and the node that was kept goes. */
static void kept_nodes_go(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_IMPLICIT, CORD_TR_BDF2, 9.81);
    cord_body_def weight = cord_body_def_default();
    cord_body bob;
    weight.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    weight.mass = 1, weight.drag = 2;
    v3_set(weight.position, 0.3, 0, -0.95);
    assert_fine(w, cord_world_add_body(w, &weight, &bob));
    const cord_stop stops[] = {
        {.kind = CORD_STOP_ANCHOR, .on = point(w, NULL, 0, 0)},
        {.kind = CORD_STOP_WHEEL, .on = point(w, NULL, 0.08, -0.5), .radius = 0.05, .side = 1},
        {.kind = CORD_STOP_ANCHOR, .on = point(w, &bob, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    int most = 0;
    def.stops = stops, def.stop_count = 3, def.density = 0.05, def.drag = 1;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    for (int k = 0; k < 2000; k++) {
        assert_fine(w, cord_world_step(w, 5e-3));
        if (!touches(w, cable, 1) && node_count(w, cable) > most) most = node_count(w, cable);
    }
    assert_int_equal(most, 3);
    assert_int_equal(node_count(w, cable), 2);
    assert_true(changes(w, cable).worst_leaving < 1e-4);
    cord_world_destroy(w);
}

/* ---- ends -------------------------------------------------------------------------------------------- */

typedef struct run_off {
    cord_world *w;
    cord_strand cable;
} run_off;

/* A rope over a wheel, one end of which is free. */
static run_off make_run_off(double radius, double mass, cord_integrator integrator)
{
    run_off t = {.w = world_in(integrator, CORD_TR_BDF2, 9.81)};
    cord_body load = ball(t.w, mass, radius, -0.5);
    const cord_stop stops[] = {
        {.kind = CORD_STOP_FREE, .position = {-radius, 0, -0.4}},
        {.kind = CORD_STOP_WHEEL, .on = point(t.w, NULL, 0, 0), .radius = radius, .side = -1},
        {.kind = CORD_STOP_ANCHOR, .on = point(t.w, &load, 0, 0)},
    };
    t.cable = route(t.w, stops, 3, 0.1, 0);
    return t;
}

/* Slowly, over a large wheel: the end lies on it for a while, then what is left of the arc lifts off. Fast, over a
 * small one: it lifts off as soon as the end is there. Either way hardly any energy is lost. */
static void ends_run_off(void **unused)
{
    (void)unused;
    static const double radius[] = {0.3, 0.1}, mass[] = {0.005, 1};
    for (int i = 0; i < 2; i++) {
        run_off t = make_run_off(radius[i], mass[i], CORD_MIDPOINT);
        double start = energy(t.w).total;
        int lay = 0;
        for (int k = 0; k < 700 && touches(t.w, t.cable, 1); k++) {
            assert_fine(t.w, cord_world_step(t.w, 2e-3));
            cord_node_state end = node(t.w, t.cable, 0);
            if (!touches(t.w, t.cable, 1) || end.guide < 0) continue;
            lay++;
            assert_false(end.eulerian); /* on the circle, and it stays with the cable */
            assert_close(hypot(end.position[0], end.position[2]), radius[i], 1e-12);
            assert_int_equal(node_count(t.w, t.cable), 3);
        }
        assert_false(touches(t.w, t.cable, 1));
        assert_true(i == 0 ? lay > 20 : lay == 0);
        assert_true(node_count(t.w, t.cable) > 6);
        assert_close(energy(t.w).total, start, 1e-4 * energy(t.w).kinetic);
        scene_advance(t.w, 2e-3, 50);
        assert_close(energy(t.w).total, start, 1e-4 * energy(t.w).kinetic);
        cord_world_destroy(t.w);
    }
}

/* A state from while the end lies on the wheel, and one from after it has lifted off, go on as they did. */
static void states_of_ends(void **unused)
{
    (void)unused;
    run_off t = make_run_off(0.3, 0.005, CORD_IMPLICIT), other;
    char *kept[2] = {NULL, NULL};
    size_t size[2];
    int at[2] = {-1, -1};
    for (int k = 0; k < 500; k++) {
        bool lies = touches(t.w, t.cable, 1) && node(t.w, t.cable, 0).guide >= 0;
        int which = lies ? 0 : touches(t.w, t.cable, 1) ? -1 : 1;
        if (which >= 0 && at[which] < 0) {
            at[which] = k;
            assert_fine(t.w, cord_world_state_size(t.w, &size[which]));
            kept[which] = malloc(size[which]);
            assert_non_null(kept[which]);
            assert_fine(t.w, cord_world_get_state(t.w, kept[which]));
        }
        assert_fine(t.w, cord_world_step(t.w, 2e-3));
    }
    for (int i = 0; i < 2; i++) {
        assert_true(at[i] > 0);
        other = make_run_off(0.3, 0.005, CORD_IMPLICIT);
        assert_fine(other.w, cord_world_set_state(other.w, kept[i], size[i]));
        for (int k = at[i]; k < 500; k++) assert_fine(other.w, cord_world_step(other.w, 2e-3));
        assert_true(scene_hash(other.w) == scene_hash(t.w));
        cord_cable_changes a = changes(t.w, t.cable), b = changes(other.w, other.cable);
        assert_int_equal(a.leavings, b.leavings);
        assert_close(a.of_leavings, b.of_leavings, 0);
        free(kept[i]);
        cord_world_destroy(other.w);
    }
    cord_world_destroy(t.w);
}

/* The last turn comes off a drum: a loose end is free then, one that is tied ends the run. */
static void ends_of_drums(void **unused)
{
    (void)unused;
    for (int loose = 0; loose < 2; loose++)
        for (int first = 0; first < 2; first++) {
            cord_world *w = world_in(CORD_MIDPOINT, CORD_TR_BDF2, 9.81);
            cord_body load = ball(w, 1, 0.1, -0.5);
            const cord_stop drum = {.kind = CORD_STOP_DRUM,
                                    .on = point(w, NULL, 0, 0),
                                    .radius = 0.1,
                                    .side = first ? -1 : 1,
                                    .turns = 1,
                                    .spin = rotor(w, 0.02),
                                    .loose = loose};
            const cord_stop hook = {.kind = CORD_STOP_ANCHOR, .on = point(w, &load, 0, 0)};
            const cord_stop stops[2] = {first ? drum : hook, first ? hook : drum};
            cord_strand cable = route(w, stops, 2, 0.1, 0);
            double start = energy(w).total;
            cord_status status = CORD_OK;
            for (int k = 0; k < 400 && status == CORD_OK; k++) status = cord_world_step(w, 2e-3);
            assert_true((status == CORD_OK) == loose);
            if (loose) {
                assert_int_equal(node_count(w, cable), 2);
                assert_close(energy(w).total, start, 1e-6 * energy(w).kinetic);
                assert_int_equal(changes(w, cable).leavings, 1);
            }
            cord_world_destroy(w);
        }
}

/* Through an eyelet, round whose corner it goes by a right angle. */
static void ends_of_eyelets(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_MIDPOINT, CORD_TR_BDF2, 9.81);
    cord_body load = ball(w, 1, 0, -0.5);
    const cord_stop stops[] = {
        {.kind = CORD_STOP_FREE, .position = {0, 0, 0.4}},
        {.kind = CORD_STOP_EYELET, .on = point(w, NULL, 0, 0)},
        {.kind = CORD_STOP_ANCHOR, .on = point(w, &load, 0, 0)},
    };
    cord_strand cable = route(w, stops, 3, 0.1, 0);
    double start = energy(w).total;
    scene_advance(w, 2e-3, 300);
    assert_false(touches(w, cable, 1));
    assert_int_equal(node_count(w, cable), 2);
    assert_close(energy(w).total, start, 1e-4 * energy(w).kinetic);
    cord_world_destroy(w);
}

/* ---- at random ---------------------------------------------------------------------------------------- */

static double between(uint64_t *random, double least, double most)
{
    return least + (most - least) * 0.5 * (1 + random_number(random));
}

typedef struct random_machine {
    cord_world *w;
    cord_strand cable;
} random_machine;

/* One to three wheels, some of which turn, and a weight at one end or at both. */
static random_machine make_machine(uint64_t seed, cord_integrator integrator, cord_scheme scheme,
                                   bool elastic)
{
    random_machine t = {.w = world_in(integrator, scheme, 9.81)};
    cord_stop stops[5];
    uint64_t random = 1000 + seed;
    int wheels = 1 + (int)(seed % 3), n = 0, held = (int)(seed / 3 % 3);
    for (int end = 0; end < 2; end++) {
        double x =
            end ? between(&random, 0.4, 0.7) + 0.4 * (wheels - 1) : between(&random, -0.8, -0.6);
        double z = between(&random, -0.5, 0.1), mass = between(&random, 0.2, 2.2);
        cord_body body = {0};
        if (held != end) body = ball(t.w, mass, x, z);
        stops[end ? wheels + 1 : 0] =
            (cord_stop){.kind = CORD_STOP_ANCHOR,
                        .on = held != end ? point(t.w, &body, 0, 0) : point(t.w, NULL, x, z)};
    }
    for (n = 1; n <= wheels; n++) {
        double x = -0.3 + 0.4 * (n - 1) + between(&random, 0, 0.1);
        stops[n] = (cord_stop){.kind = CORD_STOP_WHEEL,
                               .on = point(t.w, NULL, x, between(&random, -0.1, 0.3)),
                               .radius = between(&random, 0.04, 0.12),
                               .side = random_number(&random) < 0.2 ? -1 : 1};
        if (random_number(&random) < 0.6 || elastic) continue;
        stops[n].spin = rotor(t.w, between(&random, 1e-3, 1e-2));
        stops[n].grip = CORD_GRIP_STICK;
    }
    double density = between(&random, 0.05, 0.35), strain = between(&random, 2, 5);
    t.cable = route(t.w, stops, wheels + 2, density, elastic ? pow(10, strain) : 0);
    return t;
}

/* A weight that is drawn into a wheel, which nothing gets over. */
static bool is_jammed(const random_machine *t)
{
    int last = node_count(t->w, t->cable) - 1;
    double first[2] = {node(t->w, t->cable, 0).s, node(t->w, t->cable, last - 1).s};
    double second[2] = {node(t->w, t->cable, 1).s, node(t->w, t->cable, last).s};
    return second[0] - first[0] < 0.06 || second[1] - first[1] < 0.06;
}

static void random_machines(void **unused)
{
    (void)unused;
    static const struct {
        cord_integrator integrator;
        cord_scheme scheme;
    } by[] = {{CORD_IMPLICIT, CORD_TR_BDF2},
              {CORD_IMPLICIT, CORD_BACKWARD_EULER},
              {CORD_IMPLICIT, CORD_LINEARISED},
              {CORD_MIDPOINT, CORD_TR_BDF2}};
    int leavings = 0, comings = 0;
    for (int run = 0; run < 8 * 12; run++) {
        int which = run % 4;
        random_machine t =
            make_machine((uint64_t)(run / 8), by[which].integrator, by[which].scheme, run / 4 % 2);
        double start = energy(t.w).total, fastest = 0;
        for (int k = 0; k < 500 && !is_jammed(&t); k++) {
            assert_fine(t.w, cord_world_step(t.w, 1e-3));
            fastest = fmax(fastest, energy(t.w).kinetic);
            if (energy(t.w).total > start + 2e-3 * fastest)
                fail_msg("run %d gains %g J of %g J", run, energy(t.w).total - start, fastest);
        }
        cord_cable_changes c = changes(t.w, t.cable);
        if (!(c.worst_leaving < 1e-4)) fail_msg("run %d: %g of the energy", run, c.worst_leaving);
        assert_true(c.of_comings < 1e-3 * fastest);
        leavings += c.leavings, comings += c.comings;
        cord_world_destroy(t.w);
    }
    assert_true(leavings > 20 && comings > 3);
}

static void questions(void **unused)
{
    (void)unused;
    run_off t = make_run_off(0.1, 1, CORD_IMPLICIT);
    cord_strand rope = scene_rope(t.w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_cable_changes c;
    assert_int_equal(cord_cable_changes_of(NULL, t.cable, &c), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_changes_of(t.w, t.cable, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_changes_of(t.w, rope, &c), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_changes_of(t.w, (cord_strand){0}, &c), CORD_ERROR_HANDLE);
    c = changes(t.w, t.cable);
    assert_int_equal(c.comings + c.leavings, 0);
    cord_stop stops[] = {{.kind = CORD_STOP_FREE, .position = {-1, 0, 0}, .loose = true},
                         {.kind = CORD_STOP_FREE, .position = {1, 0, 0}}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.stops = stops, def.stop_count = 2;
    assert_int_equal(cord_world_add_cable(t.w, &def, &made), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_error(t.w), "stop 0: only a drum has a loose end"));
    cord_world_destroy(t.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peg_is_left),   cmocka_unit_test(kept_nodes_go),
        cmocka_unit_test(ends_run_off),    cmocka_unit_test(states_of_ends),
        cmocka_unit_test(ends_of_drums),   cmocka_unit_test(ends_of_eyelets),
        cmocka_unit_test(random_machines), cmocka_unit_test(questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
