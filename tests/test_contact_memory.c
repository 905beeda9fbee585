/* Contacts are remembered by object and material coordinate, also where a closed strand breaks. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/contacts.h"

#include <math.h>

static const double g = 9.81;
static const cord_point nowhere = {0};

/* How many of the contacts that a world remembers have their material in its present layout. */
static int found_again(cord_world *w)
{
    cord_energy e;
    contact_set *k = &w->contacts->set;
    assert_fine(w, cord_world_get_energy(w, &e)); /* which lays it out */
    assert_int_equal(cord__contacts_detect(&w->problem, k, 0.005, &w->memory), CORD_OK);
    return k->remembered;
}

enum { RING = 24 };

static cord_strand add_ring(cord_world *w)
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * RING];
    for (int i = 0; i < RING; i++) {
        const double angle = 2 * 3.14159265358979323846 * i / RING;
        v3_set(x + 3 * i, 0.2 * cos(angle), 0.2 * sin(angle), rod_radius);
    }
    def.closed = true;
    def.vertex_count = RING;
    def.positions = x;
    def.section.radius = rod_radius;
    def.material = (cord_material){.density = 1000, .young = 1e7, .poisson = 0.5};
    cord_strand ring = scene_strand(w, &def);
    assert_fine(w, cord_strand_set_surface(w, ring, &surface));
    return ring;
}

/* A naturally round ring lies on the floor and is cut: its contacts last, also those with
 * coordinates below the cut, at which the coordinates of the fragment begin. */
static void rings_that_break_keep_contacts(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
    rod_floor(w, nowhere);
    cord_strand ring = add_ring(w);
    scene_advance(w, 0.005, 10);
    const int before = w->contacts->set.remembered;
    assert_true(before >= RING);
    assert_fine(w, cord_strand_cut(w, ring, 0.5));
    assert_true(found_again(w) >= before - 2); /* some were at the cut */
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rings_that_break_keep_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
