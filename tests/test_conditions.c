/* Constraints that release and attach: at a time, by force, by distance, by a call. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* A rope along x, permanently pinned at its start, and constrained at its end as the definition
 * says. */
typedef struct bridge {
    cord_world *w;
    cord_strand rope;
    cord_point tip;
    cord_constraint end;
} bridge;

static bridge make(const integration *by, const cord_constraint_def *like, const double at[3])
{
    bridge b = {.w = scene_world(by)};
    b.rope = scene_rope(b.w, NULL, "rope", 10, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    scene_hang(b.w, b.rope, 0);
    cord_constraint_def def = *like;
    b.tip = def.first = scene_point(b.w, b.rope, 1);
    def.second = scene_place(b.w, at[0], at[1], at[2]);
    b.end = scene_relate(b.w, &def);
    return b;
}

static bool holds(const bridge *b)
{
    bool attached;
    assert_fine(b->w, cord_constraint_get_attached(b->w, b->end, &attached));
    return attached;
}

static double tip_height(const bridge *b)
{
    double x[3];
    assert_fine(b->w, cord_point_get_pose(b->w, b->tip, x, NULL));
    return x[2];
}

static void advance(const bridge *b, double until)
{
    while (cord_world_get_time(b->w) < until - 1e-9) assert_fine(b->w, cord_world_step(b->w, 1e-3));
}

static void at_a_time(void **unused)
{
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.release_time = 0.05;
        bridge b = make(integrations + i, &def, (double[]){1, 0, 0});
        advance(&b, 0.04);
        assert_true(holds(&b));
        assert_close(tip_height(&b), 0, 1e-12);
        advance(&b, 0.2);
        assert_false(holds(&b));
        /* It has fallen for 0.15 s, freely except for the rest of the rope. */
        assert_true(tip_height(&b) < -0.05 && tip_height(&b) > -0.4);
        cord_world_destroy(b.w);
    }
}

/* The rope sags a little, which determines its tension; the constraint releases with a threshold
 * below that, not above. */
static void by_force(void **unused)
{
    (void)unused;
    double pull;
    {
        cord_constraint_def def = cord_constraint_def_default();
        bridge b = make(NULL, &def, (double[]){1, 0, 0});
        double force[3];
        advance(&b, 0.01);
        assert_fine(b.w, cord_constraint_get_force(b.w, b.end, force, NULL));
        pull = v3_norm(force);
        cord_world_destroy(b.w);
    }
    for (int above = 0; above < 2; above++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.release_force = pull * (above ? 1e3 : 0.5);
        bridge b = make(NULL, &def, (double[]){1, 0, 0});
        advance(&b, 0.02);
        assert_int_equal(holds(&b), above);
        cord_world_destroy(b.w);
    }
}

/* The end falls past a hook, attaches to it, and its velocity is zero from then on. */
static void by_distance(void **unused)
{
    (void)unused;
    cord_constraint_def def = cord_constraint_def_default();
    def.attach_distance = 0.02;
    bridge b = make(NULL, &def, (double[]){0.88, 0, -0.31});
    double x[3];
    assert_false(holds(&b));
    advance(&b, 0.1);
    assert_false(holds(&b));
    for (int i = 0; i < 400 && !holds(&b); i++) assert_fine(b.w, cord_world_step(b.w, 1e-3));
    assert_true(holds(&b));
    advance(&b, cord_world_get_time(b.w) + 0.15);
    assert_fine(b.w, cord_point_get_pose(b.w, b.tip, x, NULL));
    assert_close(x[0], 0.88, 1e-8);
    assert_close(x[2], -0.31, 1e-8);
    cord_world_destroy(b.w);
}

/* By a call, released and attached; and a checkpoint contains the condition. */
static void by_hand(void **unused)
{
    (void)unused;
    cord_constraint_def def = cord_constraint_def_default();
    bridge b = make(NULL, &def, (double[]){1, 0, 0});
    size_t size;
    advance(&b, 0.02);
    void *kept = scene_state(b.w, &size);
    uint64_t before = scene_hash(b.w);
    assert_fine(b.w, cord_constraint_set_attached(b.w, b.end, false));
    advance(&b, 0.05);
    assert_false(holds(&b));
    assert_true(tip_height(&b) < -1e-3);
    assert_fine(b.w, cord_constraint_set_attached(b.w, b.end, true));
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

/* ---- repeated attachment ------------------------------------------------------------------------ */

/* A ball on a line that is pushed to and fro past a magnet at the origin. */
typedef struct shuttle {
    cord_world *w;
    cord_body ball;
    cord_point centre;
    cord_constraint catch;
} shuttle;

static shuttle make_shuttle(const cord_constraint_def *like, double x, double v)
{
    shuttle s;
    cord_world_def world = cord_world_def_default();
    world.threads = 1;
    v3_set(world.gravity, 0, 0, 0);
    assert_int_equal(cord_world_create(&world, &s.w), CORD_OK);
    cord_body_def body = cord_body_def_default();
    body.shape.kind = CORD_SHAPE_SPHERE;
    body.shape.radius = 0.05;
    body.mass = 1;
    body.position[0] = x;
    body.velocity[0] = v;
    assert_fine(s.w, cord_world_add_body(s.w, &body, &s.ball));
    cord_point_def centre = cord_point_def_default();
    centre.source = CORD_SOURCE_BODY;
    centre.body = s.ball;
    cord_constraint_def def = *like;
    assert_fine(s.w, cord_world_add_point(s.w, &centre, &def.first));
    s.centre = def.first;
    s.catch = scene_relate(s.w, &def);
    return s;
}

static bool caught(const shuttle *s)
{
    bool attached;
    assert_fine(s->w, cord_constraint_get_attached(s->w, s->catch, &attached));
    return attached;
}

static void push(const shuttle *s, double v)
{
    assert_fine(s->w,
                cord_body_set_velocity(s->w, s->ball, (double[]){v, 0, 0}, (double[]){0, 0, 0}));
}

static int switches(const shuttle *s, int steps)
{
    int count = 0;
    for (int i = 0; i < steps; i++) {
        bool before = caught(s);
        assert_fine(s->w, cord_world_step(s->w, 1e-3));
        count += caught(s) != before;
    }
    return count;
}

/* Nearer than 2 cm it attaches, each time it passes; a checkpoint from before reproduces
 * everything. */
static void again_by_distance(void **unused)
{
    (void)unused;
    cord_constraint_def def = cord_constraint_def_default();
    def.attach_distance = 0.02;
    def.release_force = 30;
    def.repeat = true;
    shuttle s = make_shuttle(&def, 0.1, -0.5);
    size_t size;
    uint64_t end[2];
    assert_false(caught(&s)); /* it is not near */
    assert_fine(s.w, cord_world_get_state_size(s.w, &size));
    char *kept = malloc(size);
    assert_non_null(kept);
    for (int round = 0; round < 2; round++) {
        if (round == 0) assert_fine(s.w, cord_world_get_state(s.w, kept));
        if (round == 1) assert_fine(s.w, cord_world_set_state(s.w, kept, size));
        assert_int_equal(switches(&s, 300), 1);
        assert_true(caught(&s));
        /* Pulled by more than its strength, it is released although it is near, and moves off. */
        cord_load_def pull = cord_load_def_default();
        cord_load pulls;
        pull.force[0] = 40;
        pull.point = s.centre;
        assert_fine(s.w, cord_world_add_load(s.w, &pull, &pulls));
        assert_int_equal(switches(&s, 40), 1);
        assert_false(caught(&s));
        assert_fine(s.w, cord_world_remove_load(s.w, pulls));
        push(&s, 0.5);
        assert_int_equal(switches(&s, 100), 0); /* away */
        push(&s, -0.5);
        assert_int_equal(switches(&s, 400), 1); /* and back */
        assert_true(caught(&s));
        double x[3];
        assert_fine(s.w, cord_body_get_pose(s.w, s.ball, x, NULL));
        assert_close(x[0], 0, 1e-8);
        end[round] = scene_hash(s.w);
    }
    assert_int_equal(end[0], end[1]);
    free(kept);
    cord_world_destroy(s.w);
}

/* Too fast it passes, slow it is caught. */
static void by_speed(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.attach_distance = 0.02;
        def.attach_speed = 0.3;
        def.repeat = again;
        shuttle s = make_shuttle(&def, 0.1, -0.5);
        assert_int_equal(switches(&s, 400), 0);
        push(&s, 0.25);
        assert_int_equal(switches(&s, 500), 1);
        assert_true(caught(&s));
        cord_world_destroy(s.w);
    }
}

/* A fuse that resets: attached from the start, released for a tenth of a second whenever the
 * force exceeds its limit. */
static void after_a_time(void **unused)
{
    (void)unused;
    cord_constraint_def def = cord_constraint_def_default();
    def.release_force = 30;
    def.attach_after = 0.1;
    def.repeat = true;
    shuttle s = make_shuttle(&def, 0, 0);
    assert_true(caught(&s));
    assert_int_equal(switches(&s, 50), 0);
    cord_load_def pull = cord_load_def_default();
    cord_load pulls;
    pull.force[0] = 40;
    pull.point = s.centre;
    assert_fine(s.w, cord_world_add_load(s.w, &pull, &pulls));
    assert_int_equal(switches(&s, 10), 1);
    assert_fine(s.w, cord_world_remove_load(s.w, pulls));
    push(&s, 0);
    double since = cord_world_get_time(s.w);
    while (!caught(&s)) assert_fine(s.w, cord_world_step(s.w, 1e-3));
    assert_true(cord_world_get_time(s.w) - since < 0.1 && cord_world_get_time(s.w) - since > 0.08);
    cord_world_destroy(s.w);
}

/* Attached, released, attached: by times alone. */
static void for_a_while(void **unused)
{
    (void)unused;
    cord_constraint_def def = cord_constraint_def_default();
    def.release_time = 0.05;
    def.attach_time = 0.1;
    shuttle s = make_shuttle(&def, 0, 0);
    assert_true(caught(&s));
    assert_int_equal(switches(&s, 70), 1);
    assert_false(caught(&s));
    assert_int_equal(switches(&s, 100), 1);
    assert_true(caught(&s));
    assert_int_equal(switches(&s, 100), 0);
    cord_world_destroy(s.w);
}

/* Without `again` a released constraint stays released, however near. */
static void for_good(void **unused)
{
    (void)unused;
    cord_constraint_def def = cord_constraint_def_default();
    def.attach_distance = 0.02;
    def.release_time = 0.3;
    shuttle s = make_shuttle(&def, 0.1, -0.5);
    assert_int_equal(switches(&s, 400), 2);
    push(&s, 0.5);
    assert_int_equal(switches(&s, 200), 0);
    push(&s, -0.5);
    assert_int_equal(switches(&s, 400), 0);
    cord_world_destroy(s.w);
}

static void refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand rope = scene_rope(w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint r;
    bool attached;
    def.first = scene_point(w, rope, 1);
    def.release_force = -1;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    def.release_force = 0;
    def.repeat = true;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "none is given"));
    def.attach_distance = 0.1, def.release_distance = 0.1;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "less than release_distance"));
    def.repeat = false;
    def.attach_after = 1;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "does not attach again"));
    assert_int_equal(cord_constraint_set_attached(w, (cord_constraint){0}, true),
                     CORD_ERROR_HANDLE);
    assert_int_equal(cord_constraint_get_attached(w, (cord_constraint){0}, &attached),
                     CORD_ERROR_HANDLE);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_a_time),   cmocka_unit_test(by_force),
        cmocka_unit_test(by_distance), cmocka_unit_test(by_hand),
        cmocka_unit_test(refused),     cmocka_unit_test(again_by_distance),
        cmocka_unit_test(by_speed),    cmocka_unit_test(after_a_time),
        cmocka_unit_test(for_a_while), cmocka_unit_test(for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
