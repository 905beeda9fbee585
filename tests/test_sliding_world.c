/* Sliding points among other objects: dependent objects, checkpoints, threads, errors and
 * memory. */
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81;
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2};

static void removing_the_point_removes_its_slider(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, &sliding_kinds[0], 1e6);
    scene_hang(w, rope, 0);
    scene_advance(w, 1e-3, 1);
    cord_counters before, with, after;
    assert_fine(w, cord_world_get_counters(w, &before));
    cord_point p = sliding_keyhole(w, rope, 0.5, 0, NULL);
    scene_advance(w, 1e-3, 3);
    assert_fine(w, cord_world_get_counters(w, &with));
    assert_int_equal(with.unknowns, before.unknowns + 1);
    assert_int_equal(with.constraints, before.constraints + 1);
    assert_fine(w, cord_world_remove_point(w, p));
    scene_advance(w, 1e-3, 3);
    assert_fine(w, cord_world_get_counters(w, &after));
    assert_int_equal(after.unknowns, before.unknowns);
    assert_int_equal(after.constraints, before.constraints);
    double s;
    assert_int_equal(cord_point_get_coordinate(w, p, &s, NULL), CORD_ERROR_HANDLE);
    p = sliding_keyhole(w, rope, 0.5, 0, NULL);
    assert_fine(w, cord_world_remove_strand(w, rope));
    assert_int_equal(w->sliders.used, 0);
    scene_advance(w, 1e-3, 1);
    cord_world_destroy(w);
}

static cord_world *falling(const integration *by, const sliding_kind *k, cord_point *p, int threads)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.threads = threads;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int i = 0; i < 2; i++) { /* two islands */
        cord_strand_def own = cord_strand_def_default();
        cord_strand rope;
        double x[3 * SLIDING_VERTICES];
        for (int n = 0; n < SLIDING_VERTICES; n++) /* falls, not quite straight down */
            v3_set(x + 3 * n, 0.2 * n / SLIDING_VERTICES, i, -1.0 * n / SLIDING_VERTICES);
        own.model = k->model;
        own.vertex_count = SLIDING_VERTICES;
        own.positions = x;
        own.element_count = k->elements;
        own.section.radius = 3e-3;
        own.material.young = 1e7;
        assert_fine(w, cord_world_add_strand(w, &own, &rope));
        cord_point_def slider = sliding_def(rope, 0.25);
        slider.end = CORD_END_RELEASE;
        cord_point q = scene_add_point(w, &slider);
        scene_constraint(w, CORD_COINCIDE, q, scene_place_of(w, q));
        if (i == 0) *p = q;
    }
    return w;
}

/* At every crossing of an element boundary, and after slipping off, a copy continues bit for
 * bit. */
static void checkpoints_are_exact(void **given)
{
    const sliding_kind *k = *given;
    const integration *by[2] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 2; i++) {
        cord_point p, q;
        cord_world *w = falling(by[i], k, &p, 1);
        int copies = 0, last = -1;
        bool released = false;
        for (int step = 0; step < 150 && copies < 12; step++) {
            scene_advance(w, 2e-3, 1);
            bool now;
            assert_fine(w, cord_point_get_released(w, p, &now));
            const point *own = w->points.item[p.index - 1];
            if (own->element == last && now == released) continue;
            last = own->element, released = now;
            cord_world *copy = falling(by[i], k, &q, 1), *again = falling(by[i], k, &q, 1);
            size_t size, same;
            void *bytes = scene_state(w, &size);
            scene_advance(copy, 2e-3, copies % 3); /* wherever the point was */
            assert_fine(copy, cord_world_set_state(copy, bytes, size));
            assert_int_equal(scene_hash(copy), scene_hash(w));
            void *later = scene_state(copy, &same);
            assert_int_equal(same, size);
            assert_memory_equal(bytes, later, size);
            scene_goes_on(copy, again, 2e-3, 5);
            free(bytes), free(later);
            cord_world_destroy(copy), cord_world_destroy(again);
            copies++;
        }
        assert_true(copies > 2 && released);
        cord_world_destroy(w);
    }
}

/* The run itself, against one that was continued by a copy in the middle of it. */
static void interrupted_runs_are_the_same(void **given)
{
    const sliding_kind *k = *given;
    cord_point p, q;
    cord_world *w = falling(&tr_bdf2, k, &p, 1), *copy = falling(&tr_bdf2, k, &q, 1);
    int last = -1;
    for (int step = 0; step < 150; step++) {
        const point *own = w->points.item[p.index - 1];
        if (own->element != last) {
            last = own->element;
            scene_copy_state(w, copy);
        }
        scene_advance(w, 2e-3, 1), scene_advance(copy, 2e-3, 1);
        assert_int_equal(scene_hash(w), scene_hash(copy));
    }
    bool released;
    assert_fine(w, cord_point_get_released(w, p, &released));
    assert_true(released);
    cord_world_destroy(w), cord_world_destroy(copy);
}

static void threads_do_not_matter(void **given)
{
    cord_point p;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        cord_world *w = falling(&tr_bdf2, *given, &p, 1 + i);
        scene_advance(w, 2e-3, 60);
        hash[i] = scene_hash(w);
        cord_world_destroy(w);
    }
    assert_int_equal(hash[0], hash[1]);
}

static void errors_are_told(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, &sliding_kinds[0], 1e6);
    cord_point_def def = sliding_def(rope, 0.5);
    cord_point p;
    bool released;
    def.friction = -1;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.friction = NAN;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.friction = 0;
    def.end = (cord_end)7;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.end = CORD_END_STOP;
    def.s = 3;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def.s = 0.5;
    def.strand.generation++;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_HANDLE);
    def.strand = rope;
    assert_fine(w, cord_world_add_point(w, &def, &p));
    cord_constraint_def r = cord_constraint_def_default();
    cord_constraint made;
    r.first = p;
    r.kind = CORD_CURVATURE;
    assert_int_equal(cord_world_add_constraint(w, &r, &made), CORD_ERROR_UNSUPPORTED);
    r.kind = CORD_SLIDE;
    r.first = scene_point(w, rope, 0.1);
    assert_int_equal(cord_world_add_constraint(w, &r, &made), CORD_ERROR_ARGUMENT);
    r.second = scene_place(w, 0, 0, 0);
    r.first = p;
    assert_int_equal(cord_world_add_constraint(w, &r, &made), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_point_get_released(w, p, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_point_get_coordinate(w, p, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_world_remove_point(w, p));
    assert_int_equal(cord_point_get_released(w, p, &released), CORD_ERROR_HANDLE);
    assert_int_equal(w->sliders.used, 0);
    cord_world_destroy(w);
}

static const strand_ops *without_sliding(void)
{
    static strand_ops ops;
    ops = *cord__strand_find(CORD_MODEL_DER);
    ops.block.sliding = NULL;
    ops.block.name = "stiff";
    return &ops;
}

static void models_may_refuse(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = scene_rope(w, without_sliding(), "rope", 10, (const double[3]){0, 0, 0},
                                  (const double[3]){1, 0, 0});
    cord_point_def def = sliding_def(rope, 0.5);
    cord_point p;
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "stiff"));
    cord_world_destroy(w);
}

/* From a vertex on, too: a sliding point there is not a prescribed vertex. */
static void points_slide_from_vertices(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope =
        scene_rope(w, NULL, "rope", 16, (const double[3]){0, 0, 0}, (const double[3]){0, 0, -1});
    cord_point p = sliding_keyhole(w, rope, 0.25, 0, NULL); /* vertex 4 */
    scene_advance(w, 1e-3, 100);
    assert_close(scene_coordinate(w, p, NULL), 0.25 - 0.5 * gravity * 0.01,
                 1e-9); /* it falls through */
    cord_world_destroy(w);
}

/* ---- memory ------------------------------------------------------------------------------------ */

static cord_status small_program(cord_world *w)
{
    cord_status status;
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    cord_point p, at;
    cord_constraint r;
    const double x[12] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, -0.05, 0.3, 0, -0.1};
    def.vertex_count = 4;
    def.positions = x;
    if ((status = cord_world_add_strand(w, &def, &rope))) return status;
    cord_point_def slider = sliding_def(rope, 0.08);
    if ((status = cord_world_add_point(w, &slider, &p))) return status;
    cord_point_def hole = cord_point_def_default();
    if ((status = cord_point_get_pose(w, p, hole.position, NULL))) return status;
    if ((status = cord_world_add_point(w, &hole, &at))) return status;
    cord_constraint_def hold = cord_constraint_def_default();
    hold.first = p, hold.second = at;
    if ((status = cord_world_add_constraint(w, &hold, &r))) return status;
    for (int i = 0; i < 40; i++)
        if ((status = cord_world_step(w, 2e-3))) return status;
    return cord_world_remove_point(w, p);
}

/* Wherever it stopped, the world continues when memory is available. */
static cord_status goes_on_without(cord_world *w)
{
    cord_status status = small_program(w);
    assert_true(w->sliders.used <= 1);
    if (w->strands.used && status == CORD_ERROR_MEMORY)
        assert_int_equal(cord_world_step(w, 1e-3), CORD_OK);
    return status;
}

static void memory_may_run_out(void **given)
{
    (void)given;
    failing_allocator_run(goes_on_without, 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removing_the_point_removes_its_slider),
        ON_OPEN_STRANDS(checkpoints_are_exact),
        ON_OPEN_STRANDS(interrupted_runs_are_the_same),
        ON_OPEN_STRANDS(threads_do_not_matter),
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(models_may_refuse),
        cmocka_unit_test(points_slide_from_vertices),
        cmocka_unit_test(memory_may_run_out),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
