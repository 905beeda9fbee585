/* Relations that let go and take hold: at a time, by force, by distance, by hand. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* A rope along x, held at its start for good, and at its end as the definition says. */
typedef struct bridge {
    cord_world *w;
    cord_strand rope;
    cord_point tip;
    cord_relation end;
} bridge;

static bridge make(const integration *by, const cord_relation_def *like, const double at[3])
{
    bridge b = {.w = scene_world(by)};
    b.rope = scene_rope(b.w, NULL, "rope", 10, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    scene_hang(b.w, b.rope, 0);
    cord_relation_def def = *like;
    b.tip = def.first = scene_point(b.w, b.rope, 1);
    def.second = scene_place(b.w, at[0], at[1], at[2]);
    b.end = scene_relate(b.w, &def);
    return b;
}

static bool holds(const bridge *b)
{
    bool attached;
    assert_fine(b->w, cord_relation_attached(b->w, b->end, &attached));
    return attached;
}

static double tip_height(const bridge *b)
{
    double x[3];
    assert_fine(b->w, cord_point_place(b->w, b->tip, x, NULL));
    return x[2];
}

static void advance(const bridge *b, double until)
{
    while (cord_world_time(b->w) < until - 1e-9) assert_fine(b->w, cord_world_step(b->w, 1e-3));
}

static void at_a_time(void **unused)
{
    (void)unused;
    for (int i = 0; i < INTEGRATIONS; i++) {
        cord_relation_def def = cord_relation_def_default();
        def.release_time = 0.05;
        bridge b = make(integrations + i, &def, (double[]){1, 0, 0});
        advance(&b, 0.04);
        assert_true(holds(&b));
        assert_close(tip_height(&b), 0, 1e-12);
        advance(&b, 0.2);
        assert_false(holds(&b));
        /* It has fallen for 0.15 s, freely but for the rope it is part of. */
        assert_true(tip_height(&b) < -0.05 && tip_height(&b) > -0.4);
        cord_world_destroy(b.w);
    }
}

/* The rope sags a little and pulls with so much; it lets go below that, not above. */
static void by_force(void **unused)
{
    (void)unused;
    double pull;
    {
        cord_relation_def def = cord_relation_def_default();
        bridge b = make(NULL, &def, (double[]){1, 0, 0});
        double force[3];
        advance(&b, 0.01);
        assert_fine(b.w, cord_relation_force(b.w, b.end, force, NULL));
        pull = v3_norm(force);
        cord_world_destroy(b.w);
    }
    for (int above = 0; above < 2; above++) {
        cord_relation_def def = cord_relation_def_default();
        def.release_force = pull * (above ? 1e3 : 0.5);
        bridge b = make(NULL, &def, (double[]){1, 0, 0});
        advance(&b, 0.02);
        assert_int_equal(holds(&b), above);
        cord_world_destroy(b.w);
    }
}

/* The end falls by a hook and catches on it, and is at rest there with that. */
static void by_distance(void **unused)
{
    (void)unused;
    cord_relation_def def = cord_relation_def_default();
    def.attach_distance = 0.02;
    bridge b = make(NULL, &def, (double[]){0.88, 0, -0.31});
    double x[3];
    assert_false(holds(&b));
    advance(&b, 0.1);
    assert_false(holds(&b));
    for (int i = 0; i < 400 && !holds(&b); i++) assert_fine(b.w, cord_world_step(b.w, 1e-3));
    assert_true(holds(&b));
    advance(&b, cord_world_time(b.w) + 0.15);
    assert_fine(b.w, cord_point_place(b.w, b.tip, x, NULL));
    assert_close(x[0], 0.88, 1e-8);
    assert_close(x[2], -0.31, 1e-8);
    cord_world_destroy(b.w);
}

/* By hand, there and back; and a checkpoint knows. */
static void by_hand(void **unused)
{
    (void)unused;
    cord_relation_def def = cord_relation_def_default();
    bridge b = make(NULL, &def, (double[]){1, 0, 0});
    size_t size;
    advance(&b, 0.02);
    assert_fine(b.w, cord_world_state_size(b.w, &size));
    char *kept = malloc(size);
    assert_non_null(kept);
    assert_fine(b.w, cord_world_get_state(b.w, kept));
    uint64_t before = scene_hash(b.w);
    assert_fine(b.w, cord_relation_attach(b.w, b.end, false));
    advance(&b, 0.05);
    assert_false(holds(&b));
    assert_true(tip_height(&b) < -1e-3);
    assert_fine(b.w, cord_relation_attach(b.w, b.end, true));
    advance(&b, 0.2);
    assert_true(holds(&b));
    assert_close(tip_height(&b), 0, 1e-9);
    assert_fine(b.w, cord_world_set_state(b.w, kept, size));
    assert_true(holds(&b));
    assert_int_equal(scene_hash(b.w), before);
    advance(&b, 0.05);
    assert_close(tip_height(&b), 0, 1e-12);
    free(kept);
    cord_world_destroy(b.w);
}

static void refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand rope = scene_rope(w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_relation_def def = cord_relation_def_default();
    cord_relation r;
    bool attached;
    def.first = scene_point(w, rope, 1);
    def.release_force = -1;
    assert_int_equal(cord_world_add_relation(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_relation_attach(w, (cord_relation){0}, true), CORD_ERROR_HANDLE);
    assert_int_equal(cord_relation_attached(w, (cord_relation){0}, &attached), CORD_ERROR_HANDLE);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_a_time), cmocka_unit_test(by_force), cmocka_unit_test(by_distance),
        cmocka_unit_test(by_hand),   cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
