/* Contacts in scenes that are hard for the iteration: many contacts that stick, objects that joints hold in each other. */
#include "math/vec3.h"
#include "support/played.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static cord_world *world_with_floor(double friction)
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_obstacle_def floor = cord_obstacle_def_default();
    cord_obstacle made;
    cord_world *w;
    def.threads = 1;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    contact.friction = friction;
    assert_fine(w, cord_world_set_contact(w, &contact));
    floor.name = "floor";
    assert_fine(w, cord_world_add_obstacle(w, &floor, &made));
    return w;
}

/* A straight inextensible rod with a surface. */
static cord_strand add_rod(cord_world *w, const double from[3], const double to[3], int vertices,
                           double radius, double young, cord_twist twist)
{
    enum { MOST = 64 };
    double x[3 * MOST];
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand made;
    assert_true(vertices <= MOST);
    for (int i = 0; i < vertices; i++)
        for (int k = 0; k < 3; k++) x[3 * i + k] = from[k] + (to[k] - from[k]) * i / (vertices - 1);
    def.vertex_count = vertices;
    def.positions = x;
    def.section.radius = radius;
    def.material.young = young;
    def.material.density = 1000;
    def.twist_mode = twist;
    assert_fine(w, cord_world_add_strand(w, &def, &made));
    assert_fine(w, cord_strand_set_surface(w, made, &surface));
    return made;
}

/* Eight soft rods in crossed layers fall onto the floor and onto each other, where they stick at most of their vertices: the
 * forces of such contacts hardly move anything, and must converge nevertheless. Strands that fall by more than their
 * diameter in a step must not be taken through each other by the first guess of the iteration. */
static void soft_rods_in_a_pile(void **unused)
{
    (void)unused;
    const double radius = 0.002, half = 0.09;
    cord_world *w = world_with_floor(0.6);
    cord_counters counters;
    for (int i = 0; i < 8; i++) {
        const double across = (i / 2 % 4 - 1.5) * 0.03,
                     angle = (i % 2) * 1.5708 + 0.02 * sin(5 * i),
                     z = 0.005 + radius * (1 + 2.3 * i), c = half * cos(angle),
                     s = half * sin(angle), x = i % 2 ? across : 0, y = i % 2 ? 0 : across;
        add_rod(w, (double[]){x - c, y - s, z}, (double[]){x + c, y + s, z}, 8, radius, 1e7,
                CORD_TWIST_QUASISTATIC);
    }
    scene_advance(w, 0.01, 25);
    cord_world_get_counters(w, &counters);
    assert_true(counters.halvings <= 1);
    assert_true(counters.newton_iterations < 25 * 8 * 14);
    cord_world_destroy(w);
}

/* The largest slip of contacts that stick in the last step. */
static double largest_creep(const cord_world *w)
{
    enum { MOST = 256 };
    cord_contact c[MOST];
    int count;
    double most = 0;
    assert_int_equal(cord_world_get_contacts(w, MOST, c, &count), CORD_OK);
    assert_in_range(count, 1, MOST);
    for (int i = 0; i < count; i++)
        if (c[i].sticks) most = fmax(most, v3_norm(c[i].slip));
    return most;
}

/* Ten rods in a pyramid between walls. */
static cord_world *pyramid(cord_strand *first)
{
    const double radius = 0.01;
    cord_world *w = world_with_floor(0.5);
    for (int side = 0; side < 2; side++) {
        cord_obstacle_def wall = cord_obstacle_def_default();
        cord_obstacle made;
        wall.position[0] = side ? 7 * radius : -radius;
        v3_set(wall.frame, 0, 0, side ? 1 : -1);
        v3_set(wall.frame + 3, 0, 1, 0);
        v3_set(wall.frame + 6, side ? -1 : 1, 0, 0);
        assert_fine(w, cord_world_add_obstacle(w, &wall, &made));
    }
    *first =
        add_rod(w, (double[]){0, 1, 1}, (double[]){0, 1.4, 1}, 5, radius, 2e9, CORD_TWIST_DYNAMIC);
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 4 - row; i++) {
            const double x = radius * (2 * i + row), z = radius * (1 + sqrt(3) * row);
            add_rod(w, (double[]){x, -0.2, z}, (double[]){x, 0.2, z}, 5, radius, 2e9,
                    CORD_TWIST_DYNAMIC);
        }
    return w;
}

/* From the first step on, when no forces are known yet, contacts that stick slip by no more than a few times the tolerance of the
 * forces, 1e-6, of the change of velocity g h. */
static void sticking_contacts_stay(void **unused)
{
    (void)unused;
    const double h = 0.01;
    cord_strand apart;
    cord_world *w = pyramid(&apart);
    for (int i = 0; i < 5; i++) {
        scene_advance(w, h, 1);
        assert_true(largest_creep(w) < 6e-6 * 9.81 * h);
    }
    cord_world_destroy(w);
}

static int sweeps_of_a_step(cord_world *w)
{
    cord_counters before, after;
    cord_world_get_counters(w, &before);
    scene_advance(w, 0.01, 1);
    cord_world_get_counters(w, &after);
    return (int)(after.contact_sweeps - before.contact_sweeps);
}

/* Forces of contacts at rest are found from those of the step before. They are known also after the numbers of segments have
 * changed: another rod is added, one that came before the others is cut or removed, an obstacle is removed. */
static void forces_outlast_changes(void **unused)
{
    (void)unused;
    cord_strand apart;
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle ceiling;
    cord_world *w = pyramid(&apart);
    const int cold = sweeps_of_a_step(w);
    scene_advance(w, 0.01, 9);
    const int few = cold / 20;
    assert_true(few > 100);
    add_rod(w, (double[]){1, 0, 1}, (double[]){1, 0.4, 1}, 7, 0.01, 2e9, CORD_TWIST_DYNAMIC);
    assert_in_range(sweeps_of_a_step(w), 0, few);
    assert_fine(w, cord_strand_cut(w, apart, 0.2));
    assert_in_range(sweeps_of_a_step(w), 0, few);
    v3_set(def.position, 0, 0, 3);
    v3_set(def.frame + 3, 0, -1, 0);
    v3_set(def.frame + 6, 0, 0, -1);
    assert_fine(w, cord_world_add_obstacle(w, &def, &ceiling));
    assert_in_range(sweeps_of_a_step(w), 0, few);
    assert_fine(w, cord_world_remove_obstacle(w, ceiling));
    assert_fine(w, cord_world_remove_strand(w, apart));
    assert_in_range(sweeps_of_a_step(w), 0, few);
    cord_world_destroy(w);
}

/* ---- joints --------------------------------------------------------------------------------------- */

#define ROPE(name, from, to)                                                                       \
    "  - {name: " name ", shape: {line: {from: " from ", to: " to ", vertices: 21}}, section: "    \
    "{circle: {radius: 1 cm}}, material: {young: 1 MPa, density: 900}}\n"
#define CRATE                                                                                      \
    "bodies: [{name: crate, shape: {box: {size: [0.2, 0.2, 0.2]}}, density: 500, position: [0, "   \
    "0, "                                                                                          \
    "0.1]}]\n"

/* Ropes that end on, or in, the object to which they are joined, and cross the one to which they are joined. They begin to
 * move, and no contact acts at the joint. */
static void joined_objects_overlap(void **unused)
{
    (void)unused;
    static const char *const scenes[] = {
        "strands:\n" ROPE("rope", "[0, 0, 0]",
                          "[0.3, 0, 0.3]") "constraints: [{kind: coincide, first: rope@start, "
                                           "second: [0, 0, 0]}]\n",
        "strands:\n" ROPE("rope", "[0, 0, 0]", "[0, 0, 0.5]") "clamps: [{at: rope@start}]\n",
        CRATE "strands:\n" ROPE("rope", "[0, 0, 0.2]",
                                "[0, 0, 0.7]") "constraints: [{kind: coincide, first: rope@start, "
                                               "second: {body: crate, at: [0, 0, "
                                               "0.1]}}]\n",
        CRATE "strands:\n" ROPE("rope", "[0, 0, 0.1]",
                                "[0, 0, 0.7]") "constraints: [{kind: coincide, first: rope@start, "
                                               "second: {body: crate}}]\n",
        CRATE "strands:\n" ROPE("rope", "[0, 0, 0.2]",
                                "[0.3, 0, 0.5]") "constraints: [{kind: coincide, first: "
                                                 "rope@start, second: {body: crate, at: [0, 0, "
                                                 "0.1]}}, {kind: align, first: rope@start, second: "
                                                 "{body: crate, at: [0, 0, 0.1]}}]\n",
        "strands:\n" ROPE("a", "[-0.2, 0, 0.1]", "[0.2, 0, 0.1]")
            ROPE("b", "[0, -0.2, 0.1]",
                 "[0, 0.2, 0.1]") "constraints: [{kind: coincide, first: a@50%, second: b@50%}]\n",
        "strands:\n" ROPE("a", "[0, 0, 0.1]", "[0.3, 0.05, 0.2]")
            ROPE("b", "[0, 0, 0.1]", "[0.3, -0.05, 0.2]") "constraints: [{kind: coincide, first: "
                                                          "a@start, second: b@start}]\n",
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char text[2000];
        cord_counters counters;
        snprintf(text, sizeof text,
                 "cordage: 1\ncontact: {}\nrun: {until: 1 s, dt: 5 ms}\n"
                 "obstacles: [{name: floor, plane: {}}]\n%s",
                 scenes[i]);
        played p = played_text(text);
        played_advance(p, 0.005, 12);
        cord_world_get_counters(p.world, &counters);
        assert_int_equal(counters.halvings, 0);
        played_end(p);
    }
}

/* Away from the joint there is contact: a rope that is pinned to the floor lies on it. */
static void contact_acts_away_from_a_joint(void **unused)
{
    (void)unused;
    played p =
        played_text("cordage: 1\ncontact: {}\nrun: {until: 1 s, dt: 5 ms}\n"
                    "obstacles: [{name: floor, plane: {}}]\n"
                    "strands:\n" ROPE(
                        "rope", "[0, 0, 0]",
                        "[0.6, 0, 0.06]") "constraints: [{kind: coincide, first: rope@start, "
                                          "second: [0, 0, 0]}]\n"
                                          "probes: [{name: tip, of: rope@end, measure: position}, "
                                          "{name: floor, of: floor, measure: contact-force}]\n");
    double tip[3], force[3];
    played_advance(p, 0.005, 100);
    played_sample(p, "tip", tip);
    played_sample(p, "floor", force);
    assert_close(tip[2], 0.01, 1e-5);
    assert_true(force[2] < -0.8 * 9.81 * 900 * 3.1416e-4 * 0.6);
    played_end(p);
}

/* ---- breaks ---------------------------------------------------------------------------------------- */

/* A rope of every model that breaks falls on a peg and breaks there: the ends of its fragments begin at one point, where they
 * overlap. */
static void breaks_on_a_peg(void **unused)
{
    (void)unused;
    static const char *const models[] = {"der", "helix", "segment", "clothoid"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char text[1000];
        cord_counters counters;
        int breaks;
        snprintf(
            text, sizeof text,
            "cordage: 1\ncontact: {}\nrun: {until: 1 s, dt: 5 ms}\n"
            "obstacles: [{name: peg, cylinder: {radius: 5 cm, length: 40 cm}, at: [0, 0, "
            "0.3], rotation: {axis: [1, 0, 0], angle: 90 deg}}]\n"
            "strands: [{name: rope, model: %s, shape: {line: {from: [-0.5, 0, 0.37], to: [0.5, "
            "0, 0.37], vertices: 13}}, section: {circle: {radius: 1 cm}}, material: {young: "
            "10 MPa, density: 900}, breaks: {curvature: 3}}]\n",
            models[i]);
        played p = played_text(text);
        played_advance(p, 0.005, 50);
        cord_world_get_counters(p.world, &counters);
        assert_fine(p.world, cord_strand_get_break_count(
                                 p.world, cord_simulation_get_strand(p.simulation, 0), &breaks));
        assert_true(breaks > 0);
        assert_true(counters.halvings <= 1);
        played_end(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_rods_in_a_pile),
        cmocka_unit_test(sticking_contacts_stay),
        cmocka_unit_test(forces_outlast_changes),
        cmocka_unit_test(joined_objects_overlap),
        cmocka_unit_test(contact_acts_away_from_a_joint),
        cmocka_unit_test(breaks_on_a_peg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
