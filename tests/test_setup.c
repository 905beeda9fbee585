/* Building worlds, removing objects and queries in between: no addition, removal or query of one
 * object visits all others. The tests count work, not time: values that are set and caches that
 * are refreshed, by a model that counts them, and bytes requested from the heap, which every
 * layout of the whole world allocates anew. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* ---- counters ---------------------------------------------------------------------------------- */

extern const strand_ops cord__der;

/* cmocka runs one test after the other. */
static struct work {
    int64_t bytes, placed, refreshed;
} work;

static void *resize(void *user, void *piece, size_t size)
{
    (void)user;
    if (size == 0) {
        free(piece);
        return NULL;
    }
    work.bytes += (int64_t)size;
    return realloc(piece, size);
}

static void counted_initial(const void *model, double *q, double *v)
{
    work.placed++;
    cord__der.block.initial(model, q, v);
}

static void counted_refresh(const void *model, const double *q, double *cache)
{
    work.refreshed++;
    cord__der.block.refresh(model, q, cache);
}

static strand_ops counting_rod(void)
{
    strand_ops ops = cord__der;
    ops.block.initial = counted_initial;
    ops.block.refresh = counted_refresh;
    return ops;
}

static cord_world *counting_world(void)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    def.threads = 1;
    def.allocator.resize = resize;
    memset(&work, 0, sizeof work);
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

/* ---- objects, one by one ----------------------------------------------------------------------- */

static cord_strand rope(cord_world *w, const strand_ops *ops, int i, int edges)
{
    double from[3] = {i, 0, 0}, to[3] = {i, 0.1 * edges, 0};
    return scene_rope(w, ops, NULL, edges, from, to);
}

static cord_body ball(cord_world *w, double x, double y)
{
    cord_body_def def = cord_body_def_default();
    cord_body made;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = 0.01;
    def.position[0] = x, def.position[1] = y;
    assert_fine(w, cord_world_add_body(w, &def, &made));
    return made;
}

static cord_point add_point(cord_world *w, const cord_point_def *def)
{
    cord_point made;
    assert_fine(w, cord_world_add_point(w, def, &made));
    return made;
}

static cord_point on_body(cord_world *w, cord_body body)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    return add_point(w, &def);
}

static cord_point sliding(cord_world *w, cord_strand on, double s, double mass)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_SLIDING;
    def.strand = on;
    def.s = s;
    def.inertia = mass;
    return add_point(w, &def);
}

static cord_point turn(cord_world *w, cord_point of)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_REVOLUTE;
    def.measured = of;
    return add_point(w, &def);
}

static cord_point on_path(cord_world *w, cord_body body, double x)
{
    const double at[9] = {x, 0, 0, x + 0.5, 0.2, 0, x + 1, 0, 0};
    cord_path_def path = cord_path_def_default();
    cord_point_def def = cord_point_def_default();
    path.point_count = 3, path.points = at, path.body = body;
    def.source = CORD_SOURCE_PATH;
    def.s = 0.3;
    def.inertia = 0.01;
    assert_fine(w, cord_world_add_path(w, &path, &def.path));
    return add_point(w, &def);
}

static cord_strand cable(cord_world *w, cord_point from, cord_point to)
{
    const cord_waypoint waypoints[2] = {{.kind = CORD_WAYPOINT_ANCHOR, .point = from},
                                        {.kind = CORD_WAYPOINT_ANCHOR, .point = to}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.waypoints = waypoints, def.waypoint_count = 2;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

static void push(cord_world *w, cord_point at)
{
    cord_load_def def = cord_load_def_default();
    cord_load made;
    def.point = at;
    def.force[2] = def.torque[0] = 1e-3;
    assert_fine(w, cord_world_add_load(w, &def, &made));
}

static void rub(cord_world *w, cord_point first, cord_point second)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.first = first, def.second = second;
    def.friction = 1e-3;
    scene_relate(w, &def);
}

/* ---- work per object --------------------------------------------------------------------------- */

/* Adds the i-th of n objects to a world that has a rope of n edges. */
typedef void (*addition)(cord_world *w, const strand_ops *ops, cord_strand on, int i);

static void strands(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)on;
    double x[15];
    cord_strand own = rope(w, ops, i, 4);
    assert_fine(w, cord_world_clamp_strand(w, own, 0, NULL, NULL, NULL, NULL));
    assert_fine(w, cord_strand_get_positions(w, own, x));
    push(w, scene_point(w, own, 0.4));
}

static void bodies(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)ops, (void)on;
    static const double still[3] = {0, 0, 0};
    double x[3], frame[9];
    cord_body body = ball(w, i, 0);
    assert_fine(w, cord_body_get_pose(w, body, x, frame));
    assert_fine(w, cord_body_set_velocity(w, body, still, still));
    rub(w, turn(w, on_body(w, body)), scene_place(w, i, 0, 0));
}

static void keyholes(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)ops;
    double x[3], g[3];
    int rows;
    cord_point hole = sliding(w, on, 0.1 * (i + 0.3), 0);
    assert_fine(w, cord_point_get_pose(w, hole, x, NULL));
    cord_constraint held =
        scene_constraint(w, CORD_COINCIDE, hole, scene_place(w, x[0], x[1], x[2]));
    assert_fine(w, cord_constraint_get_residual(w, held, &rows, g));
    assert_int_equal(rows, 3);
    assert_close(v3_norm(g), 0, 1e-12);
}

static void pearls(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)ops;
    double s, rate;
    cord_point pearl = sliding(w, on, 0.1 * (i + 0.3), 0.01);
    assert_fine(w, cord_point_get_coordinate(w, pearl, &s, &rate));
    assert_close(s, 0.1 * (i + 0.3), 0);
}

static void balls(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)ops;
    cord_point hole = sliding(w, on, 0.1 * (i + 0.3), 0);
    scene_constraint(w, CORD_COINCIDE, hole, on_body(w, ball(w, 0, 0.1 * (i + 0.3))));
}

/* Each adds a vertex frame, and thus dofs of the rope. */
static void clamps(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)ops;
    assert_fine(w, cord_world_clamp_strand(w, on, 0.1 * i, NULL, NULL, NULL, NULL));
}

static void rest(cord_world *w, const strand_ops *ops, cord_strand on, int i)
{
    (void)ops, (void)on;
    cord_body body = ball(w, i, 0), other = ball(w, i, 1);
    cable(w, on_body(w, body), on_body(w, other));
    on_path(w, (cord_body){0}, i);
    on_path(w, body, i);
}

static const struct kind {
    const char *name;
    addition add;
} kinds[] = {{"strands", strands}, {"bodies", bodies}, {"keyholes", keyholes}, {"pearls", pearls},
             {"balls", balls},     {"clamps", clamps}, {"rest", rest}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct work build(const struct kind *kind, int count)
{
    const strand_ops ops = counting_rod();
    cord_world *w = counting_world();
    cord_strand on = rope(w, &ops, -1, count);
    for (int i = 0; i < count; i++) kind->add(w, &ops, on, i);
    struct work all = work;
    cord_world_destroy(w);
    return all;
}

/* Twice as many objects take twice the work; with a layout for each, they would take four times
 * as much. */
static void work_is_linear(void **unused)
{
    (void)unused;
    enum { FEW = 200 };
    for (int k = 0; k < KINDS; k++) {
        struct work few = build(kinds + k, FEW), many = build(kinds + k, 2 * FEW);
        /* Each strand once, and once more when it has a clamp. */
        bool fine = many.bytes < 3 * few.bytes && many.placed < 2 * 2 * FEW + 16 &&
                    many.refreshed < 2 * 2 * FEW + 16;
        if (!fine)
            print_error("%s: %lld and %lld bytes, placed %lld times, refreshed %lld times\n",
                        kinds[k].name, (long long)few.bytes, (long long)many.bytes,
                        (long long)many.placed, (long long)many.refreshed);
        assert_true(fine);
    }
}

/* Repeated addition and removal leaves neither memory nor work behind beyond that of the present
 * objects. */
static void coming_and_going(void **unused)
{
    (void)unused;
    const strand_ops ops = counting_rod();
    cord_world *w = counting_world();
    cord_strand on = rope(w, &ops, -1, 20);
    cord_counters before, after;
    for (int i = 0; i < 3000; i++) {
        double x[15];
        cord_strand guest = rope(w, &ops, i, 4);
        assert_fine(w, cord_strand_get_positions(w, guest, x));
        cord_point bead = sliding(w, on, 1, 0.01);
        assert_fine(w, cord_world_remove_strand(w, guest));
        assert_fine(w, cord_world_remove_point(w, bead));
        if (i == 300) assert_fine(w, cord_world_get_counters(w, &before));
    }
    assert_fine(w, cord_world_get_counters(w, &after));
    assert_true(after.heap_bytes < 2 * before.heap_bytes);
    assert_true(work.placed < 2 * 3000);
    assert_int_equal(after.points, 0);
    assert_int_equal(after.constraints, 0);
    assert_fine(w, cord_world_step(w, 1e-3));
    cord_world_destroy(w);
}

/* ---- identical results ------------------------------------------------------------------------- */

/* Forces the layout of all objects now. */
static void look(cord_world *w, bool often)
{
    uint64_t hash;
    if (often) assert_fine(w, cord_world_hash(w, &hash));
}

/* All kinds alternately, with removals, and objects that are moved, queried and clamped in
 * between. */
static cord_world *mixture(bool often)
{
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_strand gone[6];
    cord_body heavy[6];
    for (int i = 0; i < 6; i++) {
        cord_strand on = rope(w, NULL, 2 * i, 12);
        look(w, often);
        assert_fine(w, cord_world_clamp_strand(w, on, 0, NULL, NULL, NULL, NULL));
        look(w, often);
        gone[i] = rope(w, NULL, 2 * i + 1, 5);
        cord_point tip = scene_point(w, on, 1.2);
        look(w, often);
        heavy[i] = ball(w, 2 * i, 1.2);
        scene_constraint(w, CORD_COINCIDE, tip, on_body(w, heavy[i]));
        look(w, often);
        sliding(w, on, 0.3, 0.02);
        rub(w, turn(w, on_body(w, heavy[i])), tip);
        look(w, often);
        cord_body loose = ball(w, 2 * i, 2);
        cable(w, scene_place(w, 2 * i, 2, 1), on_body(w, loose));
        assert_fine(w,
                    cord_body_set_velocity(w, loose, (double[3]){0.1, 0, 0}, (double[3]){0, 0, 1}));
        look(w, often);
        on_path(w, loose, 0);
        assert_fine(w, cord_world_clamp_strand(w, on, 0.5, NULL, NULL, NULL, NULL));
        push(w, scene_point(w, on, 0.8));
        look(w, often);
        if (i % 2) assert_fine(w, cord_world_remove_strand(w, gone[i - 1]));
        if (i == 4) assert_fine(w, cord_world_remove_body(w, heavy[1]));
        look(w, often);
    }
    return w;
}

static void order_of_layouts_does_not_matter(void **unused)
{
    (void)unused;
    cord_world *once = mixture(false), *often = mixture(true);
    for (int i = 0; i < 5; i++) {
        assert_true(scene_hash(once) == scene_hash(often));
        assert_fine(once, cord_world_step(once, 1e-3));
        assert_fine(often, cord_world_step(often, 1e-3));
    }
    assert_true(scene_hash(once) == scene_hash(often));
    cord_world_destroy(once);
    cord_world_destroy(often);
}

/* ---- slots --------------------------------------------------------------------------------------- */

/* The lowest free one is used, in whatever order they were freed. */
static void lowest_slot_first(void **unused)
{
    (void)unused;
    enum { MOST = 97 };
    memory m;
    slots s = {0};
    bool taken[MOST] = {false};
    int item;
    cord__memory_init(&m, NULL);
    for (int round = 0; round < 2000; round++) {
        uint32_t index = (uint32_t)(round * 7919 % MOST), generation;
        if (taken[index]) {
            cord__slots_remove(&s, index + 1);
            taken[index] = false;
        }
        if (round % 3 == 0 && s.count > 0) continue; /* free slots accumulate */
        int lowest = 0;
        while (taken[lowest]) lowest++;
        if (lowest == MOST - 1) continue;
        assert_int_equal(cord__slots_add(&s, &m, &item, &index, &generation), CORD_OK);
        assert_int_equal(index, lowest + 1);
        assert_ptr_equal(s.item[index - 1], &item);
        assert_int_equal(s.generation[index - 1], generation);
        taken[lowest] = true;
    }
    cord__slots_free(&s, &m);
    assert_true(m.bytes == 0);
}

/* ---- caching ----------------------------------------------------------------------------------- */

static double held_by(cord_world *w, cord_constraint clamp)
{
    double force[3], again[3];
    assert_fine(w, cord_constraint_get_force(w, clamp, force, NULL));
    assert_fine(w, cord_constraint_get_force(w, clamp, again, NULL));
    assert_memory_equal(force, again, sizeof force);
    return force[2];
}

/* Reactions are computed once for all queries, until the state changes. */
static void reactions_follow(void **unused)
{
    (void)unused;
    const strand_ops ops = counting_rod();
    cord_world *w = counting_world();
    cord_strand on = rope(w, &ops, 0, 8);
    cord_constraint clamp, other;
    assert_fine(w, cord_world_clamp_strand(w, on, 0, NULL, NULL, &clamp, NULL));
    assert_fine(w, cord_world_clamp_strand(w, on, 0.8, NULL, NULL, &other, NULL));
    cord_load_def def = cord_load_def_default();
    cord_load weight;
    def.point = scene_point(w, on, 0);
    assert_fine(w, cord_world_add_load(w, &def, &weight));
    double at_rest = held_by(w, clamp);
    int64_t before = work.refreshed;
    for (int i = 0; i < 10; i++) held_by(w, i % 2 ? clamp : other);
    assert_true(work.refreshed <= before + 1);
    assert_fine(w, cord_load_set_force(w, weight, (double[3]){0, 0, -3}));
    assert_close(held_by(w, clamp), at_rest + 3, 1e-9);
    assert_fine(w, cord_world_set_gravity(w, (double[3]){0, 0, -2 * 9.81}));
    assert_close(held_by(w, clamp), 2 * at_rest + 3, 1e-9);
    cord_world_destroy(w);
}

/* A cache belongs to the present configuration. */
static void caches_follow(void **unused)
{
    (void)unused;
    const strand_ops ops = counting_rod();
    cord_world *w = counting_world();
    cord_strand on = rope(w, &ops, 0, 4);
    cord_point between = scene_point(w, on, 0.13);
    double x[15], place[3], frame[4 * 9], moved[15];
    assert_fine(w, cord_strand_get_positions(w, on, x));
    assert_fine(w, cord_strand_get_frames(w, on, frame));
    assert_close(frame[0], 0, 0);
    for (int i = 0; i < 5; i++) v3_set(moved + 3 * i, x[3 * i + 1], x[3 * i], 0); /* along x now */
    assert_fine(w, cord_strand_set_positions(w, on, moved));
    assert_fine(w, cord_strand_get_frames(w, on, frame));
    assert_close(frame[0], 1, 1e-15);
    assert_fine(w, cord_point_get_pose(w, between, place, NULL));
    assert_close(place[0], 0.13, 1e-12);
    assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_strand_get_positions(w, on, moved));
    assert_fine(w, cord_point_get_pose(w, between, place, NULL));
    assert_true(moved[2] < 0);
    assert_close(place[2], moved[2], 1e-9);
    cord_world_destroy(w);
}

/* ---- propagation through constraints ---------------------------------------------------------- */

/* Of coordinates without inertia that are constrained to each other all are quasistatic, or none
 * is, when one of them is constrained to an object with inertia. From either end of the chain. */
static void ties_pass_it_on(void **unused)
{
    (void)unused;
    enum { COUNT = 10 };
    for (int way = 0; way < 3; way++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_strand on = rope(w, NULL, 0, 2 * COUNT);
        cord_point hole[COUNT];
        cord_constraint tie[COUNT - 1];
        for (int i = 0; i < COUNT; i++) hole[i] = sliding(w, on, 0.2 * i + 0.05, 0);
        for (int i = 0; i + 1 < COUNT; i++)
            tie[i] = scene_constraint(w, CORD_SLIDE, hole[i], hole[i + 1]);
        if (way < 2) {
            cord_point held = hole[way ? COUNT - 1 : 0];
            double x[3];
            assert_fine(w, cord_point_get_pose(w, held, x, NULL));
            scene_constraint(w, CORD_COINCIDE, held, scene_place(w, x[0], x[1], x[2]));
        }
        assert_fine(w, cord__world_ready(w));
        for (int i = 0; i + 1 < COUNT; i++) {
            const constraint *r = cord__constraint_at(w, (int)tie[i].index - 1);
            assert_int_equal(r->term.quasistatic, way == 2);
        }
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_linear),    cmocka_unit_test(coming_and_going),
        cmocka_unit_test(lowest_slot_first), cmocka_unit_test(order_of_layouts_does_not_matter),
        cmocka_unit_test(reactions_follow),  cmocka_unit_test(caches_follow),
        cmocka_unit_test(ties_pass_it_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
