/* Bodies among other objects: dependent objects, wrong calls, threads, checkpoints and memory. */
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static void removing(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = scene_box(0.1, 0.1, 0.1);
    cord_body a = scene_body(w, &def), b;
    def.position[0] = 1, def.name = "b";
    b = scene_body(w, &def);
    cord_point pa = scene_on(w, a, 0, 0, 0.05), pb = scene_on(w, b, 0, 0, 0.05);
    cord_constraint tie = scene_constraint(w, CORD_DISTANCE, pa, pb), hold;
    cord_load_def load = cord_load_def_default();
    cord_load weight;
    load.point = pa, load.force[0] = 1;
    assert_fine(w, cord_world_add_load(w, &load, &weight));
    assert_fine(w, cord_world_clamp_body(w, b, NULL, NULL, &hold, NULL));
    scene_advance(w, 1e-3, 10);
    assert_fine(w, cord_world_remove_body(w, a));
    double x[3], f[9];
    int rows;
    assert_int_equal(cord_world_remove_body(w, a), CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_get_error(w), "stale"));
    assert_int_equal(cord_body_get_pose(w, a, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_point_get_pose(w, pa, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_constraint_get_residual(w, tie, &rows, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_remove_load(w, weight), CORD_ERROR_HANDLE);
    assert_fine(w, cord_constraint_get_residual(w, hold, &rows, f));
    cord_counters counters;
    assert_fine(w, cord_world_get_counters(w, &counters));
    assert_int_equal(counters.bodies, 1);
    scene_advance(w, 1e-3, 10);
    /* b is unchanged, and a's slot may be reused by another object. */
    assert_fine(w, cord_body_get_pose(w, b, x, NULL));
    assert_close(x[0], 1, 1e-9);
    cord_body c = scene_body(w, &def);
    assert_int_equal(c.index, a.index);
    assert_int_equal(cord_body_get_pose(w, a, x, NULL), CORD_ERROR_HANDLE);
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, c, &info));
    assert_string_equal(info.name, "b");
    scene_advance(w, 1e-3, 10);
    cord_world_destroy(w);
}

static void wrong_calls(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = scene_box(1, 1, 1);
    cord_body body = scene_body(w, &def), null = {0, 0}, foreign = {7, 1};
    cord_body_info info;
    cord_energy energy;
    double x[3] = {0, 0, 0}, f[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[9] = {1, 0, 0, 2, 0, 0};
    double nan3[3] = {0, NAN, 0};
    assert_int_equal(cord_world_add_body(NULL, &def, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_body(w, NULL, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_body(w, &def, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_remove_body(NULL, body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_remove_body(w, null), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_get_info(NULL, body, &info), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_get_info(w, foreign, &info), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_get_info(w, body, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_get_pose(w, null, x, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_get_pose(w, body, NULL, f), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_get_velocity(w, body, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_get_velocity(w, null, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_set_pose(w, body, NULL, f), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, body, x, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, body, nan3, f), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, body, x, bad), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, null, x, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_set_velocity(w, body, x, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_velocity(w, body, nan3, x), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_velocity(w, null, x, x), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_get_energy(w, body, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_get_energy(w, null, &energy), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_clamp_body(w, null, NULL, NULL, NULL, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_clamp_body(NULL, body, NULL, NULL, NULL, NULL),
                     CORD_ERROR_ARGUMENT);
    cord_point_def point = cord_point_def_default();
    cord_point handle;
    point.source = CORD_SOURCE_BODY;
    assert_int_equal(cord_world_add_point(w, &point, &handle), CORD_ERROR_HANDLE);
    point.body = body, point.position[0] = NAN;
    assert_int_equal(cord_world_add_point(w, &point, &handle), CORD_ERROR_ARGUMENT);
    point.position[0] = 0, memset(point.frame, 0, sizeof point.frame);
    assert_int_equal(cord_world_add_point(w, &point, &handle), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_point_set_pose(w, scene_on(w, body, 0, 0, 0), x, f), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_body_get_energy(w, body, &energy));
    assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, 0, 2}, x));
    assert_fine(w, cord_body_get_energy(w, body, &energy));
    assert_close(energy.kinetic, 2000, 1e-9);
    cord_world_destroy(w);
}

/* A heavy box is clamped at a point that moves by a centimetre and turns by a quarter within a step, twice from the same
 * checkpoint: the box has the velocity of the point. Afterwards the point is at rest. */
static void moved_point(void **unused)
{
    (void)unused;
    const double h = 0.01, turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    cord_world *w = scene_world(NULL);
    cord_body_def def = scene_box(0.1, 0.1, 0.1);
    cord_body box = scene_body(w, &def);
    cord_point at;
    double x[3], v[3], spin[3], frame[9];
    size_t size;
    unsigned char bytes[8192];
    assert_fine(w, cord_world_clamp_body(w, box, NULL, &at, NULL, NULL));
    scene_advance(w, h, 2);
    assert_fine(w, cord_point_move(w, at, (double[]){0.01, 0, 0}, turn));
    assert_fine(w, cord_world_get_state_size(w, &size));
    assert_true(size <= sizeof bytes);
    assert_fine(w, cord_world_get_state(w, bytes));
    for (int again = 0; again < 2; again++) {
        scene_advance(w, h, 1);
        assert_fine(w, cord_body_get_pose(w, box, x, frame));
        assert_fine(w, cord_body_get_velocity(w, box, v, spin));
        assert_close(x[0], 0.01, 1e-9);
        assert_close(frame[3], 1, 1e-9);
        assert_close(v[0], 0.01 / h, 1e-6);
        assert_close(spin[2], -acos(0) / h, 1e-4);
        assert_fine(w, cord_world_set_state(w, bytes, size));
    }
    scene_advance(w, h, 2);
    assert_fine(w, cord_body_get_velocity(w, box, v, spin));
    assert_close(v3_norm(v) + v3_norm(spin), 0, 1e-6);
    cord_world_destroy(w);
}

/* Three boxes in a chain, a rope between two of them, one of them scripted. */
static cord_world *busy(const integration *by, int threads)
{
    static const double times[2] = {0, 1}, moves[6] = {0, 0, 0, 0.2, 0, 0};
    cord_world_def def = cord_world_def_default();
    def.integrator = by->integrator, def.scheme = by->scheme, def.threads = threads;
    cord_world *w;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int island = 0; island < 4; island++) {
        cord_body body[3];
        for (int k = 0; k < 3; k++) {
            cord_body_def b = scene_box(0.2, 0.05, 0.05);
            v3_set(b.position, 0.1 + 0.2 * k, island, 0);
            if (k == 1) b.angular_drag = 1e-4;
            body[k] = scene_body(w, &b);
        }
        for (int k = 0; k < 2; k++)
            scene_constraint(w, CORD_COINCIDE, scene_on(w, body[k + 1], -0.1, 0, 0),
                             scene_on(w, body[k], 0.1, 0, 0));
        cord_point_def script = cord_point_def_default();
        script.motion = (cord_keys){2, times, moves, CORD_EASE_SMOOTH};
        assert_fine(w, cord_world_clamp_body(w, body[0], &script, NULL, NULL, NULL));
        cord_strand rope =
            scene_rope(w, NULL, "rope", 5, (double[]){0.6, island, 0}, (double[]){1, island, 0.1});
        scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, 0),
                         scene_on(w, body[2], 0.1, 0, 0));
    }
    return w;
}

static void deterministic(void **by)
{
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        cord_world *w = busy(*by, k + 1);
        scene_advance(w, 2e-3, 50);
        hash[k] = scene_hash(w);
        cord_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
}

static void checkpoints(void **by)
{
    cord_world *w = busy(*by, 1), *other = busy(*by, 1);
    scene_advance(w, 2e-3, 20);
    scene_goes_on(w, other, 2e-3, 30);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

static void no_heap_when_settled(void **by)
{
    cord_world *w = busy(*by, 1);
    cord_counters before, after;
    scene_advance(w, 2e-3, 3);
    assert_fine(w, cord_world_get_counters(w, &before));
    scene_advance(w, 2e-3, 50);
    assert_fine(w, cord_world_get_counters(w, &after));
    assert_int_equal(before.heap_calls, after.heap_calls);
    cord_world_destroy(w);
}

/* Objects that the calls create. */
static struct {
    cord_body body[2];
    cord_point point[2];
    cord_constraint constraint;
} made;

/* A small program, call by call, so that each can be repeated after it failed. */
static cord_status call(cord_world *w, int number)
{
    cord_body_def def = cord_body_def_default();
    cord_point_def point = cord_point_def_default();
    cord_constraint_def constraint = cord_constraint_def_default();
    switch (number) {
    case 0:
        def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                                 .vertex_count = 8,
                                 .triangle_count = 12,
                                 .vertices = scene_cube,
                                 .triangles = scene_cube_faces};
        def.name = "cube";
        return cord_world_add_body(w, &def, &made.body[0]);
    case 1: def = scene_box(1, 1, 1); return cord_world_add_body(w, &def, &made.body[1]);
    case 2:
    case 3:
        point.source = CORD_SOURCE_BODY, point.body = made.body[number - 2];
        point.position[number - 2] = 1;
        return cord_world_add_point(w, &point, &made.point[number - 2]);
    case 4:
        constraint.kind = CORD_DISTANCE;
        constraint.first = made.point[0], constraint.second = made.point[1], constraint.length = 1;
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 5: return cord_world_clamp_body(w, made.body[1], NULL, NULL, NULL, NULL);
    case 6: return cord_world_step(w, 1e-3);
    case 7: return cord_world_remove_body(w, made.body[0]);
    case 8: return cord_world_step(w, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}

static void every_allocation_fails_once(void **unused)
{
    (void)unused;
    failing_allocator_calls(NULL, call, 9, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removing),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(moved_point),
        BY_EVERY_INTEGRATION(deterministic),
        BY_EVERY_INTEGRATION(checkpoints),
        BY_EVERY_INTEGRATION(no_heap_when_settled),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
