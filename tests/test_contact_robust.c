/* Contacts in scenes that are hard for the iteration: many contacts that stick, objects that joints hold in each other. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

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
                           double radius, double young)
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
        add_rod(w, (double[]){x - c, y - s, z}, (double[]){x + c, y + s, z}, 8, radius, 1e7);
    }
    scene_advance(w, 0.01, 25);
    cord_world_get_counters(w, &counters);
    assert_true(counters.halvings <= 1);
    assert_true(counters.newton_iterations < 25 * 8 * 14);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_rods_in_a_pile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
