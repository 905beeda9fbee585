/* A knot that is pulled does not come undone, whatever the step: strands never pass through each other. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double edge = 0.01, radius = 1e-3, half_braid = 0.06, tail = 0.3, loop = 0.1;
enum { FINE = 4000, MOST = 400 };

/* A trefoil: tail, strand of the braid, loop, other strand, tail; 0 ≤ u ≤ 1 in each. */
static void point_of(int part, double u, double x[3])
{
    const double a = 1.5 * radius, b = half_braid, angle = 3 * pi * u * u * (3 - 2 * u);
    const double side = part == 3 ? -1 : 1, turn = pi * loop;
    double s = u * (2 * turn + 2 * b);
    if (part == 0)
        v3_set(x, -b - tail * (1 - u), a, 0);
    else if (part == 4)
        v3_set(x, b + tail * u, a, 0);
    else if (part != 2)
        v3_set(x, -b + 2 * b * u, side * a * cos(angle), side * a * sin(angle));
    else if (s < turn)
        v3_set(x, b + loop * sin(s / loop), -a - loop + loop * cos(s / loop), 0);
    else if (s < turn + 2 * b)
        v3_set(x, b - (s - turn), -a - 2 * loop, 0);
    else
        v3_set(x, -b - loop * sin((s - 2 * b - turn) / loop),
               -a - loop - loop * cos((s - 2 * b - turn) / loop), 0);
}

static int lay_trefoil(double *x)
{
    double last[3], now[3];
    int count = 1;
    point_of(0, 0, last);
    v3_copy(x, last);
    for (int part = 0; part < 5; part++)
        for (int i = 1; i <= FINE; i++) {
            point_of(part, (double)i / FINE, now);
            if (v3_distance(last, now) < edge) continue;
            assert_true(count < MOST);
            v3_sub(now, now, last);
            v3_axpy(last, edge / v3_norm(now), now);
            v3_copy(x + 3 * count++, last);
        }
    return count;
}

static cord_strand add_trefoil(cord_world *w)
{
    double x[3 * MOST], natural[3 * MOST];
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    def.vertex_count = lay_trefoil(x);
    for (int i = 0; i < def.vertex_count; i++) v3_set(natural + 3 * i, edge * i, 0, 0);
    def.positions = x;
    def.natural_positions = natural;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.01,
                                 .bending = {1, 1},
                                 .twisting = 1,
                                 .radius = radius};
    def.drag = 1;
    cord_strand rope = scene_strand(w, &def);
    assert_fine(w, cord_strand_set_surface(w, rope, &surface));
    return rope;
}

static void a_trefoil_stays_tied(void **unused)
{
    (void)unused;
    const double steps[3] = {5e-4, 1e-3, 5e-3};
    for (int k = 0; k < 3; k++) {
        cord_world *w = rod_world(0, (double[]){0, 0, 0});
        cord_strand rope = add_trefoil(w);
        const double length = scene_length(w, rope);
        cord_load_def load = cord_load_def_default();
        cord_load pull;
        double from[3], to[3];
        scene_hang(w, rope, 0.5 * length);
        for (int end = 0; end < 2; end++) {
            load.point = scene_point(w, rope, end * length);
            load.force[0] = end ? 50 : -50;
            assert_fine(w, cord_world_add_load(w, &load, &pull));
        }
        scene_advance(w, steps[k], (int)ceil(0.01 / steps[k]));
        assert_fine(w, cord_point_get_pose(w, load.point, to, NULL));
        assert_fine(w, cord_point_get_pose(w, scene_point(w, rope, 0), from, NULL));
        assert_true(rod_contact_count(w) > 0);
        assert_true(v3_distance(from, to) < length - 1.5 * pi * loop);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trefoil_stays_tied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
