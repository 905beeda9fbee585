/* Contact in a world: checkpoints, threads, memory, and which objects take part. */
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81;
static const cord_point nowhere = {0};

enum { RODS = 6 };

/* Rods that fall crosswise onto each other and the floor. */
static cord_world *pile(int threads, cord_strand *rods)
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_world *w;
    def.threads = threads;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    assert_fine(w, cord_world_set_contact(w, &contact));
    for (int i = 0; i < RODS; i++) {
        double at = 0.2 * (i / 2), z = 0.012 + 0.021 * i;
        double from[3] = {i % 2 ? -0.5 : at, i % 2 ? at : -0.5, z};
        double to[3] = {i % 2 ? 0.5 : at + 0.05, i % 2 ? at + 0.05 : 0.5, z};
        rods[i] = rod_between(w, from, to, NULL);
    }
    rod_floor(w, nowhere);
    return w;
}

static void checkpoints_go_on(void **unused)
{
    (void)unused;
    cord_strand rods[RODS];
    cord_world *w = pile(1, rods), *other = pile(1, rods);
    scene_advance(w, 0.004, 15);
    assert_true(rod_contact_count(w) > RODS);
    scene_goes_on(w, other, 0.004, 25);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

/* Forces are state: a rod that sticks on a slope and one that slides. */
static void checkpoints_of_stick_and_slip(void **unused)
{
    (void)unused;
    for (int slides = 0; slides < 2; slides++) {
        double angle = atan(slides ? 0.4 : 0.25);
        cord_world *w[2];
        for (int i = 0; i < 2; i++) {
            w[i] = rod_world(0.3, (double[]){g * sin(angle), 0, -g * cos(angle)});
            rod_between(w[i], (double[]){0, 0, rod_radius}, (double[]){1, 0, rod_radius}, NULL);
            rod_floor(w[i], nowhere);
        }
        scene_advance(w[0], 0.005, 11);
        scene_goes_on(w[0], w[1], 0.005, 20);
        for (int i = 0; i < 2; i++) cord_world_destroy(w[i]);
    }
}

static void threads_give_the_same_bits(void **unused)
{
    (void)unused;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        cord_strand rods[RODS];
        cord_world *w = pile(1 << i, rods);
        scene_advance(w, 0.004, 40);
        hash[i] = scene_hash(w);
        cord_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/* Two layers of rods: one island, whose clusters the threads share. */
static uint64_t hash_of_layers(cord_scheme scheme, int threads)
{
    enum { SIDE = 20 };
    cord_world_def def = cord_world_def_default();
    cord_counters counters;
    cord_world *w;
    def.threads = threads;
    def.scheme = scheme;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int i = 0; i < 2 * SIDE; i++) {
        const double at = 0.03 * (i / 2), z = i % 2 ? 0.0305 : 0.0101;
        const double from[3] = {i % 2 ? -0.02 : at, i % 2 ? at : -0.02, z};
        const double to[3] = {i % 2 ? 0.6 : at, i % 2 ? at : 0.6, z};
        rod_between(w, from, to, NULL);
    }
    rod_floor(w, nowhere);
    scene_advance(w, 0.004, 5);
    assert_int_equal(cord_world_get_counters(w, &counters), CORD_OK);
    assert_true(counters.contacts >= SIDE * SIDE);
    assert_int_equal(counters.islands, 1);
    const uint64_t hash = scene_hash(w);
    cord_world_destroy(w);
    return hash;
}

static void wide_islands_give_the_same_bits(void **unused)
{
    (void)unused;
    static const cord_scheme schemes[] = {CORD_TR_BDF2, CORD_LINEARISED};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const uint64_t alone = hash_of_layers(schemes[i], 1);
        for (int threads = 2; threads <= 5; threads += 3)
            assert_true(hash_of_layers(schemes[i], threads) == alone);
    }
}

static void no_heap_in_settled_steps(void **unused)
{
    (void)unused;
    cord_strand rods[RODS];
    cord_world *w = pile(1, rods);
    cord_counters before, after;
    scene_advance(w, 0.004, 150);
    assert_fine(w, cord_world_get_counters(w, &before));
    scene_advance(w, 0.004, 100);
    assert_fine(w, cord_world_get_counters(w, &after));
    assert_true(rod_contact_count(w) > RODS);
    assert_int_equal(after.heap_calls, before.heap_calls);
    cord_world_destroy(w);
}

/* ---- failing allocations ------------------------------------------------------------------------ */

static struct {
    cord_strand rods[2];
    cord_obstacle floor;
} made;

static cord_status call(cord_world *w, int number)
{
    static const double x[2][9] = {{-0.1, 0, 0.01, 0, 0, 0.01, 0.1, 0, 0.01},
                                   {0.01, -0.1, 0.031, 0.01, 0, 0.031, 0.01, 0.1, 0.031}};
    static const double heights[4] = {0.01, 0.01, 0.01, 0.01};
    cord_contact_def contact = cord_contact_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_obstacle_def obstacle = cord_obstacle_def_default();
    cord_strand_def strand = cord_strand_def_default();
    cord_obstacle field;
    cord_contact list[8];
    int count;
    switch (number) {
    case 0: return cord_world_set_contact(w, &contact);
    case 1: return cord_world_set_friction(w, 0, 1, 0.5, 0);
    case 2:
    case 3:
        strand.vertex_count = 3;
        strand.positions = x[number - 2];
        strand.section.radius = 0.01;
        return cord_world_add_strand(w, &strand, &made.rods[number - 2]);
    case 4:
    case 5:
        surface.material = number - 4;
        return cord_strand_set_surface(w, made.rods[number - 4], &surface);
    case 6: return cord_world_add_obstacle(w, &obstacle, &made.floor);
    case 7:
    case 8: return cord_world_step(w, 2e-3);
    case 9: return cord_world_get_contacts(w, 8, list, &count);
    case 10:
        obstacle.kind = CORD_OBSTACLE_HEIGHT_FIELD;
        obstacle.count[0] = obstacle.count[1] = 2, obstacle.spacing = 0.5;
        obstacle.values = heights;
        v3_set(obstacle.position, -0.25, -0.25, -0.02);
        return cord_world_add_obstacle(w, &obstacle, &field);
    case 11: return cord_world_remove_obstacle(w, made.floor);
    case 12: return cord_world_step(w, 2e-3);
    case 13: return cord_world_remove_strand(w, made.rods[1]);
    case 14: return cord_world_step(w, 2e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}
enum { CALLS = 15 };

static void every_allocation_fails_once(void **by)
{
    failing_allocator_calls(*by, call, CALLS, 100);
}

/* ---- objects that take part ----------------------------------------------------------------------- */

static double height_after_a_fall(const cord_contact_surface *rod, const cord_obstacle_def *floor)
{
    cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
    cord_strand s = rod_between(w, (double[]){0, 0, 0.02}, (double[]){1, 0, 0.02}, NULL);
    double x[3 * (ROD_EDGES + 1)];
    cord_obstacle o;
    assert_fine(w, cord_strand_set_surface(w, s, rod));
    assert_fine(w, cord_world_add_obstacle(w, floor, &o));
    scene_advance(w, 0.005, 40);
    assert_fine(w, cord_strand_get_positions(w, s, x));
    cord_world_destroy(w);
    return x[2];
}

static void groups_and_masks(void **unused)
{
    (void)unused;
    const double fallen = 0.02 - 0.5 * g * 0.2 * 0.2;
    cord_contact_surface rod = cord_contact_surface_default();
    cord_obstacle_def floor = cord_obstacle_def_default();
    rod.group = 2;
    floor.surface.mask = 6;
    assert_close(height_after_a_fall(&rod, &floor), rod_radius, 1e-6);
    floor.surface.mask = 5;
    assert_close(height_after_a_fall(&rod, &floor), fallen, 1e-9);
    floor.surface.mask = UINT32_MAX, floor.surface.group = 8, rod.mask = 7;
    assert_close(height_after_a_fall(&rod, &floor), fallen, 1e-9);
    assert_close(height_after_a_fall(NULL, &floor), fallen, 1e-9);
    rod.mask = 8, rod.radius = 0.015;
    assert_close(height_after_a_fall(&rod, &floor), 0.015, 1e-6);
}

/* A strand that is bent to a loop whose ends cross. */
static int contacts_of_a_loop(bool self)
{
    enum { VERTICES = 40 };
    cord_world *w = rod_world(0.3, (double[]){0, 0, 0});
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * VERTICES], natural[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double a = 7.0 * i / (VERTICES - 1);
        v3_set(x + 3 * i, 0.1 * cos(a), 0.1 * sin(a), 0.0022 * a / 6.283);
        v3_set(natural + 3 * i, 0.1 * a, 0, 0);
    }
    def.vertex_count = VERTICES;
    def.positions = x;
    def.natural_positions = natural;
    def.material.young = 1e8;
    def.section.radius = 1e-3;
    cord_strand loop = scene_strand(w, &def);
    surface.self = self;
    assert_fine(w, cord_strand_set_surface(w, loop, &surface));
    /* Pressed together where the ends pass each other. */
    cord_load_def load = cord_load_def_default();
    cord_load made_load;
    load.point = scene_point(w, loop, 0.68);
    load.force[2] = -0.5;
    scene_hang(w, loop, 0);
    assert_fine(w, cord_world_add_load(w, &load, &made_load));
    int most = 0;
    for (int i = 0; i < 20; i++) {
        scene_advance(w, 0.0005, 1);
        most = rod_contact_count(w) > most ? rod_contact_count(w) : most;
    }
    cord_world_destroy(w);
    return most;
}

static void a_strand_without_self_contact(void **unused)
{
    (void)unused;
    assert_true(contacts_of_a_loop(true) > 0);
    assert_int_equal(contacts_of_a_loop(false), 0);
}

/* After the floor is gone the rod falls freely; other contacts remain. */
static void an_obstacle_is_removed(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
    cord_strand rod =
        rod_between(w, (double[]){0, 0, rod_radius}, (double[]){1, 0, rod_radius}, NULL);
    cord_obstacle floor = rod_floor(w, nowhere);
    double v[3];
    scene_advance(w, 0.005, 20);
    rod_velocity(w, rod, v);
    assert_close(v[2], 0, 1e-8);
    assert_true(rod_contact_count(w) > 0);
    assert_fine(w, cord_world_remove_obstacle(w, floor));
    assert_int_equal(rod_contact_count(w), 0); /* of the last step, with an object that is gone */
    scene_advance(w, 0.005, 20);
    rod_velocity(w, rod, v);
    assert_close(v[2], -g * 0.1, 1e-8);
    assert_int_equal(rod_contact_count(w), 0);
    assert_fine(w, cord_strand_set_surface(w, rod, NULL));
    scene_advance(w, 0.005, 2);
    cord_world_destroy(w);
}

/* A rod rolls on the floor, and a straight one above, which is naturally bent, springs: it deviates so far from its
 * expected motion that it is listed with the first for some steps, and both are one island. */
static cord_world *springing(void)
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_strand_def bent = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * (ROD_EDGES + 1)], natural[3 * (ROD_EDGES + 1)];
    const double from[3] = {0, -0.5, rod_radius}, to[3] = {0, 0.5, rod_radius};
    cord_world *w;
    def.threads = 1;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    assert_fine(w, cord_world_set_contact(w, &contact));
    rod_floor(w, nowhere);
    rod_between(w, from, to, (double[]){0.3, 0, 0});
    for (int i = 0; i <= ROD_EDGES; i++) {
        const double s = (double)i / ROD_EDGES - 0.5;
        v3_set(x + 3 * i, 0, s, 0.06);
        v3_set(natural + 3 * i, 0, 0.25 * sin(4 * s), 0.25 * cos(4 * s));
    }
    bent.vertex_count = ROD_EDGES + 1;
    bent.positions = x;
    bent.natural_positions = natural;
    bent.section = scene_section();
    bent.section.bending[0] = bent.section.bending[1] = bent.section.twisting = 10;
    assert_fine(w, cord_strand_set_surface(w, scene_strand(w, &bent), &surface));
    return w;
}

/* Deviations from expected motion decide on the pairs of the next step, and islands take other schemes than single clusters. */
static void checkpoints_have_deviations(void **unused)
{
    (void)unused;
    cord_world *w = springing(), *other = springing();
    for (int i = 0; i < 12; i++) {
        scene_advance(w, 0.005, 1);
        scene_goes_on(w, other, 0.005, 3);
    }
    cord_world_destroy(w);
    cord_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checkpoints_go_on),
        cmocka_unit_test(checkpoints_have_deviations),
        cmocka_unit_test(checkpoints_of_stick_and_slip),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(wide_islands_give_the_same_bits),
        cmocka_unit_test(no_heap_in_settled_steps),
        BY_INTEGRATION(every_allocation_fails_once, "implicit", TR_BDF2),
        cmocka_unit_test(groups_and_masks),
        cmocka_unit_test(a_strand_without_self_contact),
        cmocka_unit_test(an_obstacle_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
