/* Islands of equal shape that are stepped together give the motion of each alone; a lane does not depend on the others. */
#include "support/scenes.h"
#include "support/test.h"

#include "math/multiversion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20, VERTICES = 13, ELEMENTS = 3, STEPS = 40 };

static const double step = 5e-3;

/* Options of all strands of a world. */
typedef struct plan {
    const char *name;
    bool flat, damped, elastic, free, both_ends, curved, euler, dynamic_twist, drag;
    const char *chain; /* NULL: discrete elastic rods */
    double angle;      /* of an element of a chain, rad */
} plan;

static const plan plans[] = {
    {.name = "round"},
    {"round, elastic", .elastic = true},
    {"round, backward Euler", .euler = true},
    {"round, free", .free = true},
    {"round, clamped at both ends", .both_ends = true},
    {"flat", .flat = true},
    {"flat, damped", .flat = true, .damped = true},
    {"flat, damped, elastic", .flat = true, .damped = true, .elastic = true},
    {"curved", .curved = true},
    {"curved, damped, backward Euler", .curved = true, .damped = true, .euler = true},
    {"curved, clamped at both ends", .curved = true, .both_ends = true},
    {"flat, elastic, free", .flat = true, .elastic = true, .free = true},
    {"round, with rotary inertia", .dynamic_twist = true},
    {"flat, with rotary inertia, free", .flat = true, .dynamic_twist = true, .free = true},
    {"round, with drag", .drag = true},
    {"curved, damped, with drag, elastic", .curved = true, .damped = true, .drag = true,
     .elastic = true},
    {"clothoids", .chain = CORD_MODEL_CLOTHOID, .angle = 0.5},
    {"clothoids, backward Euler", .chain = CORD_MODEL_CLOTHOID, .angle = 0.5, .euler = true},
    {"clothoids, free", .chain = CORD_MODEL_CLOTHOID, .angle = 0.5, .free = true},
    {"clothoids, damped, with drag", .chain = CORD_MODEL_CLOTHOID, .angle = 1, .damped = true,
     .drag = true},
    {"curls", .chain = CORD_MODEL_CLOTHOID, .angle = 16, .damped = true, .euler = true},
    {"helices", .chain = CORD_MODEL_HELIX, .angle = 0.7},
    {"helices, flat, free, backward Euler", .chain = CORD_MODEL_HELIX, .angle = 0.7, .flat = true,
     .free = true, .euler = true},
    {"helices, with drag", .chain = CORD_MODEL_HELIX, .angle = 0.7, .drag = true, .damped = true},
    {"coils", .chain = CORD_MODEL_HELIX, .angle = 12, .damped = true},
};

static const plan *plan_named(const char *name)
{
    size_t k = 0;
    while (strcmp(plans[k].name, name) != 0) k++;
    return plans + k;
}

/* Strands of a plan that are stepped in batches on this processor. */
static bool is_batched(const plan *p)
{
    return !p->chain || cord__has_wide_vectors();
}

typedef struct rods {
    cord_world *world;
    int count;
    cord_strand strand[MOST];
} rods;

static void set_chain(cord_strand_def *def, const plan *p, int i, double length, double direction,
                      double curvatures[3 * (ELEMENTS + 1)])
{
    const double curvature = p->angle * ELEMENTS / length;
    for (int k = 0; k <= ELEMENTS; k++) {
        curvatures[3 * k] = 0.1 * (i % 5);
        curvatures[3 * k + 1] = curvature * (1 + 0.02 * k);
        curvatures[3 * k + 2] = 0.3 * curvature;
    }
    def->model = p->chain;
    def->element_count = ELEMENTS;
    def->length = length;
    def->curvatures = curvatures;
    def->base_position[1] = i;
    def->base_frame[0] = def->base_frame[4] = cos(direction);
    def->base_frame[1] = sin(direction), def->base_frame[3] = -sin(direction);
    def->base_frame[8] = 1;
    if (p->free) def->base_damping = 1e-6 * i;
    def->velocities = NULL;
    def->material.young *= 300; /* quadratures stay the same */
}

/* Strand i has its own length, stiffness, density, direction and velocity. */
static void add_strand(rods *r, const plan *p, int i)
{
    double x[3 * VERTICES], v[3 * VERTICES];
    const double length = 0.3 + 0.02 * i, direction = 0.7 * i;
    for (int k = 0; k < VERTICES; k++) {
        const double s = length * k / (VERTICES - 1), bend = p->curved || p->both_ends ? s * s : 0;
        x[3 * k] = s * cos(direction), x[3 * k + 1] = i + s * sin(direction);
        x[3 * k + 2] = bend;
        v[3 * k] = v[3 * k + 1] = 0;
        v[3 * k + 2] = p->both_ends ? 0 : 0.1 * i * s;
    }
    cord_strand_def def = cord_strand_def_default();
    def.model = CORD_MODEL_DER;
    def.velocities = v, def.vertex_count = VERTICES;
    if (!p->chain) def.positions = x;
    double curvatures[3 * (ELEMENTS + 1)];
    def.section.radius = 2e-3;
    def.material =
        (cord_material){.density = 1000 + 50 * i, .young = 1e6 * (1 + 0.3 * i), .poisson = 0.4};
    def.stretch = p->elastic ? CORD_STRETCH_ELASTIC : CORD_STRETCH_NONE;
    if (p->flat) {
        def.section.kind = CORD_SECTION_RECTANGLE;
        def.section.size[0] = 5e-3, def.section.size[1] = 2e-3;
    }
    if (p->curved) def.natural_positions = x;
    if (p->chain) set_chain(&def, p, i, length, direction, curvatures);
    if (p->damped) def.damping = 1e-3 * (1 + i % 3);
    if (p->dynamic_twist) def.twist_mode = CORD_TWIST_DYNAMIC;
    if (p->drag) def.drag = 0.01 * (1 + i % 2), def.quadratic_drag = 0.02;
    r->strand[i] = scene_strand(r->world, &def);
    if (p->free) return;
    assert_int_equal(cord_world_clamp_strand(r->world, r->strand[i], 0, NULL, NULL, NULL, NULL),
                     CORD_OK);
    if (!p->both_ends) return;
    const double end = scene_length(r->world, r->strand[i]);
    assert_int_equal(cord_world_clamp_strand(r->world, r->strand[i], end, NULL, NULL, NULL, NULL),
                     CORD_OK);
}

/* `iterations`: at most, 0: the default. */
static rods make_limited(const plan *p, int count, bool batches, int threads, int iterations)
{
    cord_world_def def = cord_world_def_default();
    if (iterations > 0) def.max_iterations = iterations;
    def.batches = batches;
    def.threads = threads;
    def.scheme = p->euler ? CORD_BACKWARD_EULER : CORD_TR_BDF2;
    if (p->chain) def.tolerance = 1e-12; /* chains amplify the error that is left */
    rods r = {.count = count};
    assert_int_equal(cord_world_create(&def, &r.world), CORD_OK);
    for (int i = 0; i < count; i++) add_strand(&r, p, i);
    return r;
}

static rods make(const plan *p, int count, bool batches, int threads)
{
    return make_limited(p, count, batches, threads, 0);
}

static void advance(const rods *r, int steps)
{
    for (int i = 0; i < steps; i++)
        if (cord_world_step(r->world, step) != CORD_OK)
            fail_msg("%s", cord_world_get_error(r->world));
}

static int64_t batched_steps(const rods *r)
{
    cord_counters counters;
    assert_int_equal(cord_world_get_counters(r->world, &counters), CORD_OK);
    return counters.batched_steps;
}

static void get(const rods *r, int i, double x[3 * VERTICES])
{
    assert_int_equal(cord_strand_get_positions(r->world, r->strand[i], x), CORD_OK);
}

/* ---- the motion ---------------------------------------------------------------------------------- */

static void same_motion_as_alone(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        rods together = make(plans + k, 11, true, 1), alone = make(plans + k, 11, false, 1);
        double x[3 * VERTICES], y[3 * VERTICES];
        advance(&together, STEPS);
        advance(&alone, STEPS);
        for (int i = 0; i < 11; i++) {
            get(&together, i, x);
            get(&alone, i, y);
            for (int c = 0; c < 3 * VERTICES; c++)
                if (!(fabs(x[c] - y[c]) < 1e-10))
                    fail_msg("%s: strand %d is %g m off", plans[k].name, i, x[c] - y[c]);
        }
        const bool few = batched_steps(&together) < 8 * STEPS;
        if (few == is_batched(plans + k)) fail_msg("%s: not in batches", plans[k].name);
        assert_int_equal(batched_steps(&alone), 0);
        cord_world_destroy(together.world);
        cord_world_destroy(alone.world);
    }
}

/* The first strands of a world move as the same strands among more, bit for bit. */
static void lanes_are_independent(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        rods few = make(plans + k, 2, true, 1), many = make(plans + k, 10, true, 1);
        double x[3 * VERTICES], y[3 * VERTICES];
        advance(&few, STEPS);
        advance(&many, STEPS);
        if (batched_steps(&few) != (is_batched(plans + k) ? 2 * STEPS : 0))
            fail_msg("%s: %d steps in batches", plans[k].name, (int)batched_steps(&few));
        for (int i = 0; i < 2; i++) {
            get(&few, i, x);
            get(&many, i, y);
            if (memcmp(x, y, sizeof x) != 0) fail_msg("%s: strand %d", plans[k].name, i);
        }
        cord_world_destroy(few.world);
        cord_world_destroy(many.world);
    }
}

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        rods one = make(plans + k, 10, true, 1), three = make(plans + k, 10, true, 3);
        advance(&one, STEPS);
        advance(&three, STEPS);
        assert_int_equal(scene_hash(one.world), scene_hash(three.world));
        cord_world_destroy(one.world);
        cord_world_destroy(three.world);
    }
}

/* Worlds that threads of the caller step, each one of them: OpenMP gives such threads numbers beyond those of the world. */
static void callers_may_have_threads(void **state)
{
    (void)state;
    rods r[8], alone = make(&plans[0], 6, true, 1);
    cord_status status[8];
    for (int i = 0; i < 8; i++) r[i] = make(&plans[0], 6, true, 1 + i % 2);
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int i = 0; i < 8; i++) status[i] = cord_world_step(r[i].world, step);
    advance(&alone, 1);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(status[i], CORD_OK);
        assert_int_equal(scene_hash(r[i].world), scene_hash(alone.world));
        assert_int_equal(batched_steps(r + i), 6);
        cord_world_destroy(r[i].world);
    }
    cord_world_destroy(alone.world);
}

/* Four clothoids that unwind while they fall: towards their tips sections spin by more than 0.05 rad in a step. */
static rods make_unwinding(bool batches, bool euler)
{
    cord_world_def def = cord_world_def_default();
    cord_strand_def strand = cord_strand_def_default();
    double curvatures[3 * (ELEMENTS + 1)];
    rods r = {.count = 4};
    def.batches = batches, def.threads = 1, def.tolerance = 1e-12;
    def.scheme = euler ? CORD_BACKWARD_EULER : CORD_TR_BDF2;
    assert_int_equal(cord_world_create(&def, &r.world), CORD_OK);
    for (int k = 0; k <= ELEMENTS; k++)
        curvatures[3 * k] = 0, curvatures[3 * k + 1] = 10, curvatures[3 * k + 2] = 3;
    strand.model = CORD_MODEL_CLOTHOID;
    strand.element_count = ELEMENTS, strand.length = 0.05 * ELEMENTS;
    strand.vertex_count = VERTICES, strand.curvatures = curvatures;
    strand.section.radius = 1e-3, strand.damping = 1e-3;
    for (int i = 0; i < r.count; i++) {
        strand.material = (cord_material){1300 + i, 3e6, 0.5};
        strand.base_position[1] = i;
        r.strand[i] = scene_strand(r.world, &strand);
        assert_int_equal(cord_world_clamp_strand(r.world, r.strand[i], 0, NULL, NULL, NULL, NULL),
                         CORD_OK);
    }
    return r;
}

static void sections_that_spin(void **state)
{
    (void)state;
    enum { FALL = 60 };
    for (int euler = 0; euler < 2; euler++) {
        rods together = make_unwinding(true, euler), alone = make_unwinding(false, euler);
        double x[3 * VERTICES], y[3 * VERTICES];
        advance(&together, FALL);
        advance(&alone, FALL);
        assert_int_equal(batched_steps(&together),
                         cord__has_wide_vectors() ? together.count * FALL : 0);
        for (int i = 0; i < together.count; i++) {
            get(&together, i, x);
            get(&alone, i, y);
            assert_all_close(x, y, 3 * VERTICES, 1e-9);
        }
        cord_world_destroy(together.world);
        cord_world_destroy(alone.world);
    }
}

static void strands_of_other_shape_are_apart(void **state)
{
    (void)state;
    rods r = make(&plans[0], 3, true, 1);
    for (int i = 3; i < 6; i++) add_strand(&r, &plans[5], i);
    for (int i = 6; i < 9; i++) add_strand(&r, &plans[3], i);
    add_strand(&r, &plans[1], 9);
    r.count = 10;
    advance(&r, 10);
    assert_int_equal(batched_steps(&r), 9 * 10);
    cord_world_destroy(r.world);
}

/* A lane that fails is stepped alone, and the others go on: here it fails alone, too, and the step of the world is halved. */
static void one_fails(const plan *p, double speed, int iterations, double most)
{
    rods together = make_limited(p, 6, true, 1, iterations);
    rods alone = make_limited(p, 6, false, 1, iterations);
    double x[3 * VERTICES], y[3 * VERTICES];
    rods *both[2] = {&together, &alone};
    for (int k = 0; k < 2; k++) { /* it whips: Newton's iteration does not converge at this step */
        double v[3 * VERTICES];
        advance(both[k], 5);
        for (int i = 0; i < VERTICES; i++)
            v[3 * i] = 0, v[3 * i + 1] = 0, v[3 * i + 2] = i % 2 ? speed : -speed;
        assert_int_equal(cord_strand_set_velocities(both[k]->world, both[k]->strand[2], v),
                         CORD_OK);
        advance(both[k], 1);
    }
    cord_counters of, other;
    assert_int_equal(cord_world_get_counters(together.world, &of), CORD_OK);
    assert_int_equal(cord_world_get_counters(alone.world, &other), CORD_OK);
    assert_true(of.halvings > 0);
    assert_int_equal(of.halvings, other.halvings);
    const int64_t attempts = of.steps + of.halvings;
    if (is_batched(p))
        assert_in_range(of.batched_steps, 5 * attempts,
                        6 * attempts - 1); /* attempts of the third fail */
    for (int i = 0; i < 6; i++) {
        get(&together, i, x);
        get(&alone, i, y);
        assert_all_close(x, y, 3 * VERTICES, most); /* the motion of the third strand is violent */
    }
    cord_world_destroy(together.world);
    cord_world_destroy(alone.world);
}

static void one_lane_fails(void **state)
{
    (void)state;
    one_fails(plan_named("round"), 10, 0, 1e-9);
    /* With fewer iterations a slow whip fails, which does not depend on rounding. */
    one_fails(plan_named("clothoids"), 0.06, 6, 1e-7);
}

/* A world that is set to a checkpoint goes on with the same bits. */
static void continues(const plan *p)
{
    rods first = make(p, 7, true, 1), second = make(p, 7, true, 2);
    size_t size;
    advance(&first, 10);
    assert_int_equal(cord_world_get_state_size(first.world, &size), CORD_OK);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(cord_world_get_state(first.world, bytes), CORD_OK);
    assert_int_equal(cord_world_set_state(second.world, bytes, size), CORD_OK);
    free(bytes);
    advance(&first, 20);
    advance(&second, 20);
    assert_int_equal(scene_hash(first.world), scene_hash(second.world));
    assert_int_equal(batched_steps(&second), is_batched(p) ? 7 * 20 : 0);
    cord_world_destroy(first.world);
    cord_world_destroy(second.world);
}

static void checkpoints_continue(void **state)
{
    (void)state;
    continues(plan_named("flat, damped"));
    continues(plan_named("clothoids, damped, with drag"));
}

/* A strand is removed: the batches are formed anew. */
static void changes_from_outside(void **state)
{
    (void)state;
    rods together = make(&plans[0], 7, true, 1), alone = make(&plans[0], 7, false, 1);
    rods *both[2] = {&together, &alone};
    double x[3 * VERTICES], y[3 * VERTICES];
    for (int k = 0; k < 2; k++) {
        advance(both[k], 10);
        assert_int_equal(cord_world_remove_strand(both[k]->world, both[k]->strand[1]), CORD_OK);
        advance(both[k], 10);
    }
    assert_int_equal(batched_steps(&together), 7 * 10 + 6 * 10);
    for (int i = 0; i < 7; i++) {
        if (i == 1) continue;
        get(&together, i, x);
        get(&alone, i, y);
        assert_all_close(x, y, 3 * VERTICES, 1e-10);
    }
    cord_world_destroy(together.world);
    cord_world_destroy(alone.world);
}

static void settled_steps_make_no_heap_calls(void **state)
{
    (void)state;
    static const char *const names[] = {"flat, damped", "clothoids, damped, with drag"};
    for (int k = 0; k < 2; k++) {
        rods r = make(plan_named(names[k]), 11, true, 2);
        cord_counters before, after;
        advance(&r, 3);
        assert_int_equal(cord_world_get_counters(r.world, &before), CORD_OK);
        advance(&r, 10);
        assert_int_equal(cord_world_get_counters(r.world, &after), CORD_OK);
        assert_int_equal(after.heap_calls, before.heap_calls);
        cord_world_destroy(r.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_motion_as_alone),
        cmocka_unit_test(lanes_are_independent),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(callers_may_have_threads),
        cmocka_unit_test(sections_that_spin),
        cmocka_unit_test(strands_of_other_shape_are_apart),
        cmocka_unit_test(one_lane_fails),
        cmocka_unit_test(checkpoints_continue),
        cmocka_unit_test(changes_from_outside),
        cmocka_unit_test(settled_steps_make_no_heap_calls),
    };
    return run_in_every_variant(tests);
}
