/* The fifteen rods of gallery/clothoids/boundary-conditions.yaml move in fifteen ways. */
#include "support/test.h"

#include <cordage/simulation.h>
#include <math.h>
#include <string.h>

enum { RODS = 15, POINTS = 17, TIMES = 5, MOST_VERTICES = 256 };

static double shapes[TIMES][RODS][POINTS][3];

/* Points at equal fractions of the length. */
static void sample(const cord_simulation *simulation, int rod, double x[POINTS][3])
{
    static double vertices[3 * MOST_VERTICES];
    cord_strand strand = cord_simulation_get_strand(simulation, rod);
    const cord_world *world = cord_simulation_get_world(simulation);
    cord_strand_info info;
    assert_int_equal(cord_strand_get_info(world, strand, &info), CORD_OK);
    assert_true(info.vertex_count <= MOST_VERTICES);
    assert_int_equal(cord_strand_get_positions(world, strand, vertices), CORD_OK);
    for (int i = 0; i < POINTS; i++) {
        double u = (double)i / (POINTS - 1) * info.edge_count;
        int k = u < info.edge_count - 1 ? (int)u : info.edge_count - 1;
        for (int c = 0; c < 3; c++)
            x[i][c] = (1 - (u - k)) * vertices[3 * k + c] + (u - k) * vertices[3 * k + 3 + c];
    }
}

static double apart(int time, int a, int b)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 3; c++) {
            double d = shapes[time][a][i][c] - shapes[time][b][i][c];
            sum += d * d;
        }
    return sqrt(sum / POINTS);
}

/* Positions relative to the first position of the left end, at five times of the first second: root mean square
 * along the rods, the largest of the times. */
static void no_two_move_alike(void **state)
{
    (void)state;
    cord_scene *scene;
    cord_simulation *simulation;
    double origin[RODS][3], x[POINTS][3];
    cord_status status =
        cord_scene_read("gallery/clothoids/boundary-conditions.yaml", NULL, &scene);
    if (status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
    assert_int_equal(cord_scene_get_info(scene).strand_count, RODS);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    for (int rod = 0; rod < RODS; rod++) {
        sample(simulation, rod, x);
        memcpy(origin[rod], x[0], sizeof origin[rod]);
    }
    for (int t = 0; t < TIMES; t++) {
        for (int step = 0; step < 10; step++)
            assert_int_equal(cord_world_step(cord_simulation_get_world(simulation), 0.02), CORD_OK);
        for (int rod = 0; rod < RODS; rod++) {
            sample(simulation, rod, shapes[t][rod]);
            for (int i = 0; i < POINTS; i++)
                for (int c = 0; c < 3; c++) shapes[t][rod][i][c] -= origin[rod][c];
        }
    }
    for (int a = 0; a < RODS; a++)
        for (int b = 0; b < a; b++) {
            double most = 0;
            for (int t = 0; t < TIMES; t++) most = fmax(most, apart(t, a, b));
            if (most < 0.06)
                fail_msg("%s and %s are never more than %.3g m apart",
                         cord_scene_get_strand_name(scene, a), cord_scene_get_strand_name(scene, b),
                         most);
        }
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_two_move_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
