/* Chains in a world: equilibria and their stability, frequencies, refusals, memory, threads,
 * checkpoints, setting the vertices of a chain. */
#include "math/vec3.h"
#include "support/chains.h"
#include "support/failing_allocator.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- statics ---------------------------------------------------------------------------------------- */

static void hanging_curl(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int shape = 0; shape < CHAIN_SHAPES; shape++) {
            cord_world *w = chain_world(NULL, true);
            chain_def def = chain_loop(chain_models[model], shape);
            def.curl = 8;
            cord_strand a = chain_strand(w, &def);
            cord_statics_result result;
            int unstable;
            double force[3], torque[3], x[3 * CHAIN_VERTICES], t[CHAIN_VERTICES];
            cord_constraint coincide, align;
            assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, &coincide, &align));
            assert_fine(w, cord_world_find_equilibrium(w, NULL, &result));
            assert_true(result.residual < 1e-8);
            assert_int_equal(result.unstable_directions, 0);
            assert_fine(w, cord_world_count_unstable_directions(w, &unstable, NULL));
            assert_int_equal(unstable, 0);
            /* The reaction of the clamp is the weight, at the lever arm of the centre of mass. */
            assert_fine(w, cord_constraint_get_force(w, coincide, force, NULL));
            assert_fine(w, cord_constraint_get_force(w, align, NULL, torque));
            assert_all_close(force, ((double[]){0, 0, 0.06 * 9.81}), 3, 1e-8);
            cord_energy before, after;
            assert_fine(w, cord_world_get_energy(w, &before));
            assert_fine(w, cord_strand_get_positions(w, a, x));
            assert_fine(w, cord_strand_get_tensions(w, a, t));
            /* The equilibrium persists in motion. */
            scene_advance(w, 5e-3, 20);
            assert_fine(w, cord_world_get_energy(w, &after));
            assert_close(after.kinetic, 0, 1e-12);
            assert_close(after.total, before.total, 1e-10);
            cord_world_destroy(w);
        }
}

/* A column under its own weight buckles at ρ g L³/EI = 7.8373; in the softer direction first. */
static void columns(void **unused)
{
    (void)unused;
    static const struct {
        double load;
        int spatial, planar;
    } cases[] = {{7.6, 0, 0}, {8.1, 1, 1}, {11.4, 1, 1}, {12.1, 2, 1}};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int planar = 0; planar < 2; planar++)
            for (int k = 0; k < 4; k++) {
                cord_world *w = chain_world(NULL, true);
                chain_def def = {.model = chain_models[model], .planar = planar, .elements = 24};
                cord_strand a = chain_strand(w, &def);
                int unstable;
                double g[3] = {-cases[k].load * 0.01 / (0.1 * 0.6 * 0.6 * 0.6), 0, 0};
                assert_fine(w, cord_world_set_gravity(w, g));
                assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
                cord_statics_result result;
                assert_fine(w, cord_world_find_equilibrium(w, NULL, &result));
                assert_fine(w, cord_world_count_unstable_directions(w, &unstable, NULL));
                assert_int_equal(unstable, planar ? cases[k].planar : cases[k].spatial);
                assert_int_equal(result.unstable_directions, unstable);
                cord_world_destroy(w);
            }
}

/* Clamped and free, Euler and Bernoulli: β L = 1.8751, 4.6941. Relative errors of two frequencies. */
static void frequency_errors(const char *model, int elements, double error[2])
{
    static const double beta[2] = {1.875104068711961, 4.694091132974175};
    cord_world *w = chain_world(NULL, false);
    chain_def def = {.model = model, .planar = true, .elements = elements};
    cord_strand a = chain_strand(w, &def);
    double omega[2];
    assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
    assert_fine(w, cord_world_find_frequencies(w, 2, omega));
    for (int i = 0; i < 2; i++)
        error[i] = omega[i] / (pow(beta[i] / 0.6, 2) * sqrt(0.01 / 0.1)) - 1;
    cord_world_destroy(w);
}

static void frequencies(void **unused)
{
    (void)unused;
    static const double order[CHAIN_MODELS] = {2, 2, 4};
    for (int model = 0; model < CHAIN_MODELS; model++) {
        double error[3][2];
        for (int i = 0; i < 3; i++) frequency_errors(chain_models[model], 4 << i, error[i]);
        for (int mode = 0; mode < 2; mode++) {
            double found = log2(fabs(error[1][mode] / error[2][mode]));
            if (!(found > order[model] - 0.3))
                print_error("%s, mode %d: %.3g, %.3g, %.3g: order %.2f\n", chain_models[model],
                            mode, error[0][mode], error[1][mode], error[2][mode], found);
            assert_true(found > order[model] - 0.3);
        }
    }
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static double some[64], lengths[4] = {0.1, 0.1, 0.1, 0.1};

static cord_strand_def good(void)
{
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i < 64; i++) some[i] = 0.1 * i;
    def.model = CORD_MODEL_CLOTHOID;
    def.vertex_count = 5;
    def.element_count = 4;
    def.length = 0.4;
    def.curvatures = some;
    return def;
}

static void refused(cord_strand_def def, cord_status expected, const char *text, int line)
{
    for (int model = 0; model < CHAIN_MODELS; model++) {
        cord_world *w = chain_world(NULL, true);
        cord_strand a;
        def.model = chain_models[model];
        cord_status status = cord_world_add_strand(w, &def, &a);
        if (status != expected || !strstr(cord_world_get_error(w), text))
            print_error("line %d: %s: '%s', expected '%s'\n", line, cord_status_text(status),
                        cord_world_get_error(w), text);
        assert_int_equal(status, expected);
        assert_non_null(strstr(cord_world_get_error(w), text));
        cord_world_destroy(w);
    }
}

/* The good definition with one change is refused with this text. */
#define REFUSED(status, text, change)                                                              \
    do {                                                                                           \
        cord_strand_def d = good();                                                                \
        change;                                                                                    \
        refused(d, status, text, __LINE__);                                                        \
    } while (0)

static void definitions(void **unused)
{
    (void)unused;
    static double bad[64], back[9] = {0, 0, 0, 1, 0, 0, 0, 0, 0},
                           same[9] = {0, 0, 0, 1, 0, 0, 1, 0, 0};
    for (int i = 0; i < 64; i++) bad[i] = NAN;
    const cord_status wrong = CORD_ERROR_ARGUMENT, no = CORD_ERROR_UNSUPPORTED;
    REFUSED(no, "open", d.closed = true);
    REFUSED(wrong, "2 vertices", d.vertex_count = 1);
    REFUSED(wrong, "100000 elements", d.element_count = -1);
    REFUSED(wrong, "100000 elements", d.element_count = 100001);
    REFUSED(wrong, "positions or curvatures", d.curvatures = NULL);
    REFUSED(wrong, "curvatures need the number", d.element_count = 0);
    REFUSED(wrong, "natural curvatures need",
            (d.curvatures = NULL, d.positions = some, d.element_count = 0,
             d.natural_curvatures = some));
    REFUSED(wrong, "lengths need the number",
            (d.curvatures = NULL, d.positions = some, d.element_count = 0,
             d.element_lengths = lengths));
    REFUSED(no, "inextensible", d.stretch = CORD_STRETCH_ELASTIC);
    lengths[2] = 0;
    REFUSED(wrong, "an element's length", d.element_lengths = lengths);
    lengths[2] = INFINITY;
    REFUSED(wrong, "an element's length", d.element_lengths = lengths);
    lengths[2] = 0.1;
    REFUSED(wrong, "the length must be", d.length = -1);
    REFUSED(wrong, "the length must be", d.length = NAN);
    REFUSED(wrong, "need a length", d.length = 0);
    REFUSED(wrong, "not finite", d.curvatures = bad);
    REFUSED(wrong, "not finite", d.natural_curvatures = bad);
    REFUSED(wrong, "not finite", d.velocities = bad);
    REFUSED(wrong, "not finite", d.natural_positions = bad);
    REFUSED(wrong, "not finite", d.positions = bad);
    REFUSED(wrong, "not finite", d.twist = bad);
    REFUSED(wrong, "not finite", d.natural_twist = bad);
    REFUSED(wrong, "not finite", d.base_position[1] = NAN);
    REFUSED(wrong, "not finite", d.base_frame[4] = INFINITY);
    REFUSED(wrong, "parallel or zero", d.base_frame[4] = 1);
    REFUSED(wrong, "at least 0", d.damping = -1);
    REFUSED(wrong, "at least 0", d.drag = NAN);
    REFUSED(wrong, "at least 0", d.quadratic_drag = -1);
    REFUSED(wrong, "at least 0", d.base_damping = INFINITY);
    REFUSED(wrong, "coincide", (d.curvatures = NULL, d.positions = same, d.vertex_count = 3));
    REFUSED(wrong, "turns back", (d.curvatures = NULL, d.positions = back, d.vertex_count = 3));
    REFUSED(wrong, "", d.section.radius = -1);
}

static void constraints_and_integrators(void **unused)
{
    (void)unused;
    cord_world *w = chain_world(NULL, true);
    chain_def def = {.model = CORD_MODEL_HELIX};
    cord_strand chain = chain_strand(w, &def);
    cord_strand rod = scene_rope(w, NULL, "rod", 4, (double[]){0, 1, 0}, (double[]){1, 1, 0});
    cord_constraint_def constraint = cord_constraint_def_default();
    cord_constraint out;
    double theta[CHAIN_VERTICES];
    constraint.kind = CORD_CURVATURE;
    constraint.first = scene_point(w, rod, 0.5);
    assert_int_equal(cord_world_add_constraint(w, &constraint, &out), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "curvature"));
    constraint.first = scene_point(w, chain, 0.3), constraint.second = scene_point(w, rod, 0.5);
    assert_int_equal(cord_world_add_constraint(w, &constraint, &out), CORD_ERROR_UNSUPPORTED);
    constraint.second = (cord_point){0};
    constraint.curvature[1] = NAN;
    assert_int_equal(cord_world_add_constraint(w, &constraint, &out), CORD_ERROR_ARGUMENT);
    constraint.curvature[1] = 0;
    constraint.side = CORD_AT_LEAST;
    assert_int_not_equal(cord_world_add_constraint(w, &constraint, &out), CORD_OK);
    assert_int_equal(cord_strand_get_angles(w, chain, theta), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_set_closing_twist(w, chain, 1), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);

    w = scene_world(integrations + SYMPLECTIC);
    chain_strand(w, &def);
    assert_int_equal(cord_world_step(w, 1e-3), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "symplectic"));
    assert_non_null(strstr(cord_world_get_error(w), "helix"));
    cord_world_destroy(w);
}

/* ---- setting vertices ------------------------------------------------------------------------------- */

static void moved_by_vertices(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int shape = 0; shape < CHAIN_SHAPES; shape++) {
            cord_world *w = chain_world(NULL, true);
            chain_def def = chain_loop(chain_models[model], shape);
            def.elements = 3;
            cord_strand a = chain_strand(w, &def);
            def.curl = 8;
            cord_strand b = chain_strand(w, &def);
            double x[3 * CHAIN_VERTICES], y[3 * CHAIN_VERTICES], v[3 * CHAIN_VERTICES];
            assert_fine(w, cord_strand_get_positions(w, b, x));
            assert_fine(w, cord_strand_set_positions(w, a, x));
            assert_fine(w, cord_strand_get_positions(w, a, y));
            assert_all_close(y, x, 3 * CHAIN_VERTICES, 1e-8);
            for (int i = 0; i < CHAIN_VERTICES; i++) /* in the chains' plane */
                for (int k = 0; k < 3; k++) v[3 * i + k] = x[3 * CHAIN_VERTICES - 3 + k] - x[k];
            assert_fine(w, cord_strand_set_velocities(w, a, v));
            assert_fine(w, cord_strand_get_velocities(w, a, y));
            assert_all_close(y, v, 3 * CHAIN_VERTICES, 1e-9);
            assert_fine(w, cord_world_step(w, 1e-4));
            assert_fine(w, cord_strand_get_velocities(w, a, y));
            assert_true(chain_distance(y, v) < 0.1);
            v[4] = NAN;
            assert_int_equal(cord_strand_set_velocities(w, a, v), CORD_ERROR_ARGUMENT);
            assert_int_equal(cord_strand_set_positions(w, a, v), CORD_ERROR_ARGUMENT);
            cord_world_destroy(w);
        }
}

/* Far more vertices than unknowns. */
static void many_vertices(void **unused)
{
    (void)unused;
    enum { MANY = 3000 };
    cord_world *w = chain_world(NULL, true);
    cord_strand_def def = good();
    cord_strand a;
    double *x = calloc(6 * MANY, sizeof *x), *v = x + 3 * MANY;
    assert_non_null(x);
    def.element_count = 1, def.vertex_count = MANY, def.planar = true;
    assert_fine(w, cord_world_add_strand(w, &def, &a));
    assert_fine(w, cord_strand_get_positions(w, a, x));
    for (int i = 0; i < MANY; i++) v[3 * i] = 1;
    assert_fine(w, cord_strand_set_positions(w, a, x));
    assert_fine(w, cord_strand_set_velocities(w, a, v));
    assert_fine(w, cord_world_step(w, 1e-3));
    free(x);
    cord_world_destroy(w);
}

/* ---- memory, threads, checkpoints -------------------------------------------------------------------- */

/* Two chains, one attached to the other at an inner point, a loop, a curvature, a load. */
static void build(cord_world *w)
{
    chain_def def = {.model = CORD_MODEL_CLOTHOID, .curl = 3};
    cord_strand a = chain_strand(w, &def);
    cord_point on = scene_point(w, a, 0.37);
    assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
    assert_fine(w, cord_point_get_pose(w, on, def.from, NULL));
    def.model = CORD_MODEL_HELIX;
    cord_strand b = chain_strand(w, &def);
    scene_constraint(w, CORD_COINCIDE, scene_point(w, b, 0), on);
    cord_constraint_def curvature = cord_constraint_def_default();
    curvature.kind = CORD_CURVATURE;
    curvature.first = scene_point(w, b, 0.41);
    curvature.curvature[1] = 3;
    scene_relate(w, &curvature);
    cord_load_def load = cord_load_def_default();
    cord_load made;
    load.point = scene_point(w, b, 0.53);
    load.force[1] = 0.1;
    assert_fine(w, cord_world_add_load(w, &load, &made));
    def.model = CORD_MODEL_SEGMENT, def.planar = true;
    v3_set(def.from, 0, 2, 0);
    chain_strand(w, &def);
}

static void no_heap_in_settled_steps(void **unused)
{
    (void)unused;
    for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
        cord_world *w = chain_world(integrations + k, true);
        build(w);
        assert_fine(w, cord_world_step(w, 1e-3));
        cord_counters before, after;
        assert_fine(w, cord_world_get_counters(w, &before));
        for (int i = 0; i < 20; i++) {
            cord_energy e;
            assert_fine(w, cord_world_step(w, 1e-3));
            assert_fine(w, cord_world_get_energy(w, &e));
        }
        assert_fine(w, cord_world_get_counters(w, &after));
        assert_int_equal(after.heap_calls, before.heap_calls);
        assert_int_equal(after.heap_bytes, before.heap_bytes);
        cord_world_destroy(w);
    }
}

static void saved_and_taken_back(void **unused)
{
    (void)unused;
    for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
        cord_world *w = chain_world(integrations + k, true);
        cord_world *other = chain_world(integrations + k, true);
        build(w);
        build(other);
        scene_advance(w, 1e-3, 10);
        size_t size;
        void *bytes = scene_state(w, &size);
        scene_advance(w, 1e-3, 10);
        assert_fine(other, cord_world_set_state(other, bytes, size));
        scene_advance(other, 1e-3, 10);
        if (scene_hash(w) != scene_hash(other)) print_error("%s\n", integrations[k].name);
        assert_true(scene_hash(w) == scene_hash(other));
        /* and the first world itself */
        uint64_t expected = scene_hash(w);
        assert_fine(w, cord_world_set_state(w, bytes, size));
        scene_advance(w, 1e-3, 10);
        assert_true(scene_hash(w) == expected);
        free(bytes);
        cord_world_destroy(w);
        cord_world_destroy(other);
    }
}

static uint64_t hash_after(const integration *by, int threads, int steps)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.threads = threads;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int i = 0; i < 60; i++) {
        chain_def chain = {.model = chain_models[i % 3],
                           .planar = i % 2,
                           .elements = 2 + i % 4,
                           .curl = 0.3 * i,
                           .from = {0, 0.1 * i, 0}};
        cord_strand a = chain_strand(w, &chain);
        if (i % 5) assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
        if (i % 7 == 0) scene_hang(w, a, 0.4);
    }
    build(w);
    scene_advance(w, 1e-3, steps);
    uint64_t hash = scene_hash(w);
    cord_world_destroy(w);
    return hash;
}

static void same_for_any_threads(void **unused)
{
    (void)unused;
    for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
        uint64_t one = hash_after(integrations + k, 1, 4);
        assert_true(one != hash_after(integrations + k, 1, 5));
        for (int threads = 1; threads <= 4; threads++)
            assert_true(hash_after(integrations + k, threads, 4) == one);
    }
}

/* Objects that the calls create. */
static struct {
    cord_strand chain[3];
    cord_point on[3];
    cord_constraint constraint;
} made;

/* The calls of a small program, one by one, so that each can be repeated after it failed. */
static cord_status call(cord_world *w, int number)
{
    static const double x[15] = {0, 0, 0, 0.1, 0.01, 0, 0.2, 0, 0.02, 0.3, 0, 0, 0.4, 0.01, 0};
    static const double v[15] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    cord_strand_def def = good();
    cord_point_def point = cord_point_def_default();
    cord_constraint_def constraint = cord_constraint_def_default();
    switch (number) {
    case 0:
    case 1:
    case 2:
        def.model = chain_models[number];
        def.vertex_count = 5;
        if (number == 0) def.curvatures = NULL, def.positions = x, def.natural_positions = x;
        if (number == 2) def.velocities = v;
        return cord_world_add_strand(w, &def, made.chain + number);
    case 3: return cord_world_clamp_strand(w, made.chain[1], 0, NULL, NULL, NULL, NULL);
    case 4:
    case 5:
    case 6:
        point.source = CORD_SOURCE_STRAND;
        point.strand = made.chain[number - 4];
        point.s = 0.13;
        return cord_world_add_point(w, &point, made.on + number - 4);
    case 7:
        constraint.kind = CORD_DISTANCE;
        constraint.first = made.on[1], constraint.second = made.on[2];
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 8:
        constraint.kind = CORD_CURVATURE;
        constraint.compliance = 1e4; /* the strand is thin */
        constraint.first = made.on[0];
        return cord_world_add_constraint(w, &constraint, &made.constraint);
    case 9: return cord_world_step(w, 1e-3);
    case 10: return cord_strand_set_positions(w, made.chain[0], x);
    case 11: return cord_strand_set_velocities(w, made.chain[0], v);
    case 12: return cord_world_step(w, 1e-3);
    case 13: return cord_world_remove_strand(w, made.chain[2]);
    case 14: return cord_world_step(w, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}
enum { CALLS = 15 };

static void every_allocation_fails_once(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) failing_allocator_calls(integrations + k, call, CALLS, 100);
}

/* ---- an undamped curl with large steps ------------------------------------------------------------- */

/* Three turns of a thin rod unwind under their weight: with steps of 33 ms nothing resolves the spin of its sections. */
static void curl_with_large_steps(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++) {
        cord_world_def settings = cord_world_def_default();
        cord_strand_def def = cord_strand_def_default();
        double kappa[3 * 9], first = 0, largest = 0, change = 0;
        for (int i = 0; i < 9; i++) kappa[3 * i] = 18, kappa[3 * i + 1] = 0, kappa[3 * i + 2] = 6;
        settings.integrator = CORD_MIDPOINT, settings.threads = 1;
        def.model = chain_models[model], def.element_count = 8, def.length = 1;
        def.vertex_count = CHAIN_VERTICES, def.curvatures = kappa;
        def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 1e-3};
        def.material = (cord_material){.density = 1200, .young = 1e8, .poisson = 0.5};
        cord_world *w;
        cord_strand curl;
        cord_energy e;
        assert_int_equal(cord_world_create(&settings, &w), CORD_OK);
        assert_fine(w, cord_world_add_strand(w, &def, &curl));
        assert_fine(w, cord_world_clamp_strand(w, curl, 0, NULL, NULL, NULL, NULL));
        for (int i = 0; i < 90; i++) {
            assert_fine(w, cord_world_step(w, 0.033));
            assert_fine(w, cord_world_get_energy(w, &e));
            if (i == 0) first = e.total;
            largest = fmax(largest, e.kinetic), change = fmax(change, fabs(e.total - first));
        }
        if (!(change < 1e-5 * largest)) print_error("%s: %.2g\n", def.model, change / largest);
        assert_true(change < 1e-5 * largest);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hanging_curl),
        cmocka_unit_test(columns),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(definitions),
        cmocka_unit_test(constraints_and_integrators),
        cmocka_unit_test(moved_by_vertices),
        cmocka_unit_test(many_vertices),
        cmocka_unit_test(no_heap_in_settled_steps),
        cmocka_unit_test(saved_and_taken_back),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(curl_with_large_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
