/* The quadrature of chains follows the curvature: positions against the integral of an element's own curvature in small steps,
 * however far it bends; energy while it changes; checkpoints; curvature without bound. */
#include "math/vec3.h"
#include "strand/chain/chain.h"
#include "support/chains.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 9 };

typedef struct rod {
    cord_world *w;
    cord_strand strand;
    cord_point point[VERTICES]; /* at the vertices */
} rod;

/* A straight element of 1 m along x, clamped; EI = 0.01 about both directors, GJ = 0.01 N m². */
static rod straight_rod(const integration *by, const char *model, bool planar, cord_kinematics k)
{
    static const double flat[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    double none[6] = {0};
    rod r = {.w = chain_world(by, false)};
    cord_strand_def def = cord_strand_def_default();
    def.model = model;
    def.name = "rod";
    def.planar = planar;
    def.kinematics = k;
    def.element_count = 1;
    def.length = 1;
    def.vertex_count = VERTICES;
    def.curvatures = none;
    def.section = scene_section();
    memcpy(def.base_frame, flat, sizeof flat);
    assert_fine(r.w, cord_world_add_strand(r.w, &def, &r.strand));
    assert_fine(r.w, cord_world_clamp_strand(r.w, r.strand, 0, NULL, NULL, NULL, NULL));
    for (int i = 0; i < VERTICES; i++)
        r.point[i] = scene_point(r.w, r.strand, i / (VERTICES - 1.0));
    return r;
}

/* R' = R [κ]×, r' = R e₁ with κ = (twist, about m₁, about m₂), affine from a to b, by rotations over short steps about κ at
 * their two Gauss points (Magnus, fourth order); the tangent by Simpson's rule over two steps. */
static void rotate(long double R[9], const long double w[3])
{
    long double x = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), out[9];
    if (x == 0) return;
    long double s = sinl(x) / x, c = 2 * sinl(x / 2) * sinl(x / 2) / (x * x);
    for (int column = 0; column < 3; column++) {
        long double e[3] = {column == 0, column == 1, column == 2}, dot = w[column];
        const long double cross[3] = {w[1] * e[2] - w[2] * e[1], w[2] * e[0] - w[0] * e[2],
                                      w[0] * e[1] - w[1] * e[0]};
        long double m[3];
        for (int k = 0; k < 3; k++) m[k] = e[k] + s * cross[k] + c * (w[k] * dot - x * x * e[k]);
        for (int k = 0; k < 3; k++)
            out[3 * column + k] = R[k] * m[0] + R[3 + k] * m[1] + R[6 + k] * m[2];
    }
    memcpy(R, out, sizeof out);
}

static void advance(long double R[9], const double a[3], const double b[3], long double from,
                    long double h)
{
    const long double g = 0.28867513459481288225457439025L; /* √3/6 */
    long double w[2][3], mean[3];
    for (int k = 0; k < 3; k++) {
        w[0][k] = a[k] + (b[k] - (long double)a[k]) * (from + h * (0.5L - g));
        w[1][k] = a[k] + (b[k] - (long double)a[k]) * (from + h * (0.5L + g));
    }
    const long double cross[3] = {w[0][1] * w[1][2] - w[0][2] * w[1][1],
                                  w[0][2] * w[1][0] - w[0][0] * w[1][2],
                                  w[0][0] * w[1][1] - w[0][1] * w[1][0]};
    for (int k = 0; k < 3; k++) mean[k] = 0.5L * h * (w[0][k] + w[1][k]) + g / 2 * h * h * cross[k];
    rotate(R, mean);
}

/* Positions at VERTICES fractions of an element of 1 m that begins at the origin, with the frame of straight_rod(). */
static void integrate(const double a[3], const double b[3], int steps, double *x)
{
    long double R[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0}, r[3] = {0};
    const long double h = 1.0L / ((VERTICES - 1) * steps);
    for (int i = 0; i < VERTICES; i++) {
        for (int k = 0; k < 3; k++) x[3 * i + k] = (double)r[k];
        for (int n = 0; n < steps; n++) {
            long double from = (i * (long double)steps + n) * h, t[3][3];
            for (int part = 0; part < 3; part++) {
                memcpy(t[part], R, sizeof t[part]);
                if (part < 2) advance(R, a, b, from + part * h / 2, h / 2);
            }
            for (int k = 0; k < 3; k++) r[k] += h / 6 * (t[0][k] + 4 * t[1][k] + t[2][k]);
        }
    }
}

/* A vertex has the position and the velocity of a point there, to the last bit. */
static void check_points(const rod *r)
{
    double x[3 * VERTICES], v[3 * VERTICES], there[3];
    assert_fine(r->w, cord_strand_get_positions(r->w, r->strand, x));
    assert_fine(r->w, cord_strand_get_velocities(r->w, r->strand, v));
    for (int i = 0; i < VERTICES; i++) {
        assert_fine(r->w, cord_point_get_pose(r->w, r->point[i], there, NULL));
        assert_memory_equal(there, x + 3 * i, sizeof there);
        assert_fine(r->w, cord_point_get_velocity(r->w, r->point[i], there));
        assert_memory_equal(there, v + 3 * i, sizeof there);
    }
}

/* All queries of the rod's shape, against the integral of its curvature. */
static void check_shape(const rod *r, double tolerance)
{
    double given[6], a[3], b[3], x[3 * VERTICES], expected[3 * VERTICES];
    assert_fine(r->w, cord_strand_get_element_curvatures(r->w, r->strand, given, NULL));
    cord_strand_info info;
    assert_fine(r->w, cord_strand_get_info(r->w, r->strand, &info));
    v3_set(a, given[2], given[0], given[1]);
    v3_copy(b, a);
    if (strcmp(info.model, CORD_MODEL_CLOTHOID) == 0) v3_set(b, given[5], given[3], given[4]);
    integrate(a, b, 200 + (int)(45 * fmax(v3_norm(a), v3_norm(b))), expected);
    assert_fine(r->w, cord_strand_get_positions(r->w, r->strand, x));
    assert_all_close(x, expected, 3 * VERTICES, tolerance);
    check_points(r);
}

/* A torque of n EI at the end bends the rod to an arc of n radians. */
static void bent_by_a_torque(void **unused)
{
    (void)unused;
    static const double turns[] = {1, 3, 6, 10, 15, 25, 40, 3};
    for (int model = 1; model < CHAIN_MODELS; model++)
        for (int series = 0; series < 2; series++) {
            rod r = straight_rod(NULL, chain_models[model], true,
                                 series ? CORD_KINEMATICS_SERIES : CORD_KINEMATICS_MIDPOINT);
            cord_load_def def = {.point = r.point[VERTICES - 1]};
            cord_load tip;
            assert_fine(r.w, cord_world_add_load(r.w, &def, &tip));
            double now = 0;
            for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
                while (now != turns[i]) { /* the search is local */
                    now += fmin(fmax(turns[i] - now, -2), 2);
                    assert_fine(r.w, cord_load_set_torque(r.w, tip, (double[]){0, -0.01 * now, 0}));
                    assert_fine(r.w, cord_world_find_equilibrium(r.w, NULL, NULL));
                }
                check_shape(&r, 1e-12);
            }
            cord_world_destroy(r.w);
        }
}

/* In motion: the vertices of the straight rod get velocities that bend it both ways. */
static rod moving_rod(const integration *by, const char *model, bool planar)
{
    rod r = straight_rod(by, model, planar, CORD_KINEMATICS_MIDPOINT);
    double v[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) {
        double s = i / (VERTICES - 1.0);
        v[3 * i + 1] = planar ? 0 : 2 * s * s, v[3 * i + 2] = 8 * s * s;
    }
    assert_fine(r.w, cord_strand_set_velocities(r.w, r.strand, v));
    return r;
}

static double largest_curvature(const rod *r)
{
    double k[6], most = 0;
    assert_fine(r->w, cord_strand_get_element_curvatures(r->w, r->strand, k, NULL));
    cord_strand_info info;
    assert_fine(r->w, cord_strand_get_info(r->w, r->strand, &info));
    int knots = strcmp(info.model, CORD_MODEL_CLOTHOID) == 0 ? 2 : 1;
    for (int i = 0; i < knots; i++) most = fmax(most, v3_norm(k + 3 * i));
    return most;
}

static void reverse(const rod *r)
{
    double v[3 * VERTICES];
    assert_fine(r->w, cord_strand_get_velocities(r->w, r->strand, v));
    for (int i = 0; i < 3 * VERTICES; i++) v[i] = -v[i];
    assert_fine(r->w, cord_strand_set_velocities(r->w, r->strand, v));
}

static int nodes_of(const rod *r)
{
    return chain_nodes_of(cord__get_strand(r->w, r->strand)->block.model, 0);
}

/* The energy is constant in steps of `midpoint`, in which the quadrature becomes finer; and coarser, after the motion is reversed. */
static void in_motion(void **unused)
{
    (void)unused;
    int finer = 0, coarser = 0;
    for (int by = 0; by < 2; by++)
        for (int model = 1; model < CHAIN_MODELS; model++)
            for (int planar = 0; planar < 2; planar++) {
                rod r = moving_rod(integrations + (by ? MIDPOINT : TR_BDF2), chain_models[model],
                                   planar);
                double most = 0;
                cord_energy before, after;
                for (int i = 0; i < 160; i++) {
                    int nodes = nodes_of(&r);
                    if (i == 80) reverse(&r);
                    assert_fine(r.w, cord_world_get_energy(r.w, &before));
                    assert_fine(r.w, cord_world_step(r.w, 4e-3));
                    finer += nodes_of(&r) > nodes, coarser += nodes_of(&r) < nodes;
                    assert_fine(r.w, cord_world_get_energy(r.w, &after));
                    if (by) assert_close(after.total, before.total, 1e-10 * before.total);
                    most = fmax(most, largest_curvature(&r));
                    if (i % 40 == 0) check_shape(&r, 1e-12);
                }
                check_shape(&r, 1e-12);
                assert_true(most > 6);
                cord_world_destroy(r.w);
            }
    assert_true(finer > 10 && coarser > 5);
}

/* The number of nodes depends on its past within a factor of JOINED: a vibration about the limit does not change it again
 * and again. The hash of the world covers it. */
static void hysteresis(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++) {
        rod r = straight_rod(NULL, chain_models[model], false, CORD_KINEMATICS_MIDPOINT);
        const block *b = &cord__get_strand(r.w, r.strand)->block;
        const quadrature_ops *ops = b->ops->quadrature;
        double q[13], v[18], limit = 0;
        int fewest = nodes_of(&r), changes = 0;
        b->ops->initial(b->model, q, v);
        while (ops->fit(b->model, q) == QUADRATURE_FITS) q[8] = limit += 0.01;
        uint64_t few = ops->hash(b->model, 1);
        for (int i = 0; i < 100; i++) {
            q[8] = limit * (1 + 0.1 * sin(i));
            if (ops->fit(b->model, q) == QUADRATURE_FITS) continue;
            ops->choose(b->model, q, true);
            changes++;
        }
        assert_int_equal(changes, 1);
        assert_true(nodes_of(&r) > fewest && ops->hash(b->model, 1) != few);
        q[8] = 0.65 * limit;
        ops->choose(b->model, q, true);
        assert_int_equal(nodes_of(&r), fewest);
        assert_true(ops->hash(b->model, 1) == few);
        cord_world_destroy(r.w);
    }
}

/* The quadrature is part of the state: a state saved while it is finer than at creation continues with the same bits. */
static void checkpoints(void **unused)
{
    (void)unused;
    for (int by = 0; by < CHAIN_INTEGRATIONS; by++)
        for (int model = 0; model < CHAIN_MODELS; model++) {
            rod r = moving_rod(integrations + by, chain_models[model], false);
            rod other = moving_rod(integrations + by, chain_models[model], false);
            for (int i = 0; i < 40; i++) assert_fine(r.w, cord_world_step(r.w, 4e-3));
            size_t size;
            assert_fine(r.w, cord_world_get_state_size(r.w, &size));
            void *bytes = malloc(size);
            assert_non_null(bytes);
            assert_fine(r.w, cord_world_get_state(r.w, bytes));
            assert_fine(other.w, cord_world_set_state(other.w, bytes, size));
            for (int i = 0; i < 40; i++) {
                assert_true(scene_hash(r.w) == scene_hash(other.w));
                assert_fine(r.w, cord_world_step(r.w, 4e-3));
                assert_fine(other.w, cord_world_step(other.w, 4e-3));
            }
            free(bytes);
            cord_world_destroy(r.w);
            cord_world_destroy(other.w);
        }
}

/* One element of a thousand radians: every model and method. */
static void a_thousand_radians(void **unused)
{
    (void)unused;
    static const double kappa[6] = {300, -650, 699, -500, 820, 280}; /* twist first; 1/m */
    for (int model = 1; model < CHAIN_MODELS; model++) {
        double expected[3 * VERTICES];
        integrate(kappa, model == 1 ? kappa : kappa + 3, 25000, expected);
        for (int series = 0; series < 2; series++) {
            rod r = straight_rod(NULL, chain_models[model], false,
                                 series ? CORD_KINEMATICS_SERIES : CORD_KINEMATICS_MIDPOINT);
            const block *b = &cord__get_strand(r.w, r.strand)->block;
            double q[13], v[18];
            block_shape shape;
            b->ops->initial(b->model, q, v);
            memcpy(q + 7, kappa, (model == 1 ? 3 : 6) * sizeof *q);
            assert_int_equal(b->ops->quadrature->fit(b->model, q), QUADRATURE_COARSE);
            b->ops->quadrature->choose(b->model, q, false);
            assert_int_equal(b->ops->quadrature->fit(b->model, q), QUADRATURE_FITS);
            b->ops->describe(b->model, &shape);
            double *cache = malloc((size_t)shape.cache_count * sizeof *cache);
            assert_non_null(cache);
            b->ops->refresh(b->model, q, cache);
            assert_all_close(chain_nodes(cache)[1].position, expected + 3 * (VERTICES - 1), 3,
                             1e-12);
            free(cache);
            cord_world_destroy(r.w);
        }
    }
}

/* Curvature without bound has no curve, and takes no time. */
static void without_bound(void **unused)
{
    (void)unused;
    static const double sizes[] = {1e4, 1e150, 1e300, INFINITY, NAN};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int i = 0; i < 5; i++) {
            rod r = straight_rod(NULL, chain_models[model], false, CORD_KINEMATICS_SERIES);
            const block *b = &cord__get_strand(r.w, r.strand)->block;
            double q[13], v[18], *cache = malloc((size_t)b->shape.cache_count * sizeof *cache);
            assert_non_null(cache);
            b->ops->initial(b->model, q, v);
            q[8] = sizes[i];
            assert_int_equal(b->ops->quadrature->fit(b->model, q), QUADRATURE_UNBOUNDED);
            b->ops->refresh(b->model, q, cache);
            assert_true(isnan(chain_nodes(cache)[1].position[0]));
            free(cache);
            cord_world_destroy(r.w);
        }
}

/* A motion that is too fast for the step ends with an error that names the rod; its shape stays as it was. */
static void too_fast(void **unused)
{
    (void)unused;
    int failed = 0;
    for (int by = 0; by < CHAIN_INTEGRATIONS; by++)
        for (int model = 1; model < CHAIN_MODELS; model++) {
            rod r = moving_rod(integrations + by, chain_models[model], false);
            double v[3 * VERTICES] = {0}, before[3 * VERTICES], after[3 * VERTICES];
            int nodes = nodes_of(&r);
            for (int i = 0; i < VERTICES; i++) v[3 * i + 2] = 1e9 * i * i;
            assert_fine(r.w, cord_strand_set_velocities(r.w, r.strand, v));
            assert_fine(r.w, cord_strand_get_positions(r.w, r.strand, before));
            cord_status status = cord_world_step(r.w, 11e-3);
            assert_fine(r.w, cord_strand_get_positions(r.w, r.strand, after));
            assert_true(isfinite(after[3 * VERTICES - 1]));
            if (status != CORD_OK) {
                failed++;
                assert_non_null(strstr(cord_world_get_error(r.w), "'rod'"));
                assert_non_null(strstr(cord_world_get_error(r.w), "t = 0 s"));
                assert_memory_equal(before, after, sizeof before);
                assert_int_equal(nodes_of(&r), nodes);
            }
            cord_world_destroy(r.w);
        }
    assert_true(failed > 0);
}

/* Forces that are explicit, in steps too long for a soft rod, with a wind so weak that only the curvature shows the error:
 * the step ends, names the rod, the time and the cause, and the last state remains usable. */
static void unstable_steps(void **unused)
{
    (void)unused;
    cord_world *w = chain_world(integrations + SEMI_IMPLICIT, true);
    cord_wind_def weak = {.velocity = {0, 1e-9, 0}};
    cord_strand_def def = cord_strand_def_default();
    double none[18] = {0}, x[3 * VERTICES];
    def.model = CORD_MODEL_CLOTHOID;
    def.name = "rod";
    def.element_count = 5;
    def.length = 1;
    def.vertex_count = VERTICES;
    def.curvatures = none;
    def.section = scene_section();
    def.section.mass = 0.2, def.section.bending[0] = def.section.bending[1] = 3e-4;
    def.section.twisting = 3e-4;
    cord_strand made = scene_strand(w, &def);
    assert_fine(w, cord_world_set_wind(w, &weak));
    assert_fine(w, cord_world_clamp_strand(w, made, 0, NULL, NULL, NULL, NULL));
    cord_status status = CORD_OK;
    double time = 0;
    for (int i = 0; i < 300 && status == CORD_OK; i++) {
        time = cord_world_get_time(w);
        status = cord_world_step(w, 11e-3);
    }
    assert_int_equal(status, CORD_ERROR_NOT_FINITE);
    assert_non_null(strstr(cord_world_get_error(w), "strand 'rod' at t = "));
    assert_non_null(strstr(cord_world_get_error(w), "its curvature grows without bound"));
    assert_true(cord_world_get_time(w) >= time);
    assert_fine(w, cord_strand_get_positions(w, made, x));
    for (int i = 0; i < 3 * VERTICES; i++) assert_true(fabs(x[i]) <= 1.1);
    cord_world_destroy(w);
}

static bool counts_down(void *left)
{
    int *calls = left;
    return --*calls < 0;
}

/* A step that needs more nodes than it begins with is cancelled at every moment: the state stays, to the last bit. */
static void cancelled_steps(void **unused)
{
    (void)unused;
    rod r = moving_rod(integrations + MIDPOINT, CORD_MODEL_CLOTHOID, false);
    double v[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) v[3 * i + 2] = 1.2 * i * i;
    assert_fine(r.w, cord_strand_set_velocities(r.w, r.strand, v));
    assert_fine(r.w, cord_world_step(r.w, 1e-5));
    uint64_t before = scene_hash(r.w);
    int nodes = nodes_of(&r), left, cancelled = 0;
    assert_fine(r.w, cord_world_set_cancel(r.w, counts_down, &left));
    for (cord_status status = CORD_ERROR_CANCELLED; status != CORD_OK; cancelled++) {
        left = cancelled;
        status = cord_world_step(r.w, 0.01);
        if (status == CORD_OK) break;
        assert_int_equal(status, CORD_ERROR_CANCELLED);
        assert_true(scene_hash(r.w) == before);
    }
    assert_true(cancelled > 5 && nodes_of(&r) > nodes);
    cord_world_destroy(r.w);
}

/* Memory may run out while the quadrature changes: the state stays, and the step can be repeated. */
static cord_status call(cord_world *w, int number)
{
    static cord_strand made;
    double none[6] = {0}, v[3 * VERTICES] = {0}, x[3 * VERTICES];
    if (number == 0) {
        cord_strand_def def = cord_strand_def_default();
        def.model = CORD_MODEL_CLOTHOID;
        def.element_count = 1;
        def.length = 1;
        def.vertex_count = VERTICES;
        def.curvatures = none;
        def.section = scene_section();
        return cord_world_add_strand(w, &def, &made);
    }
    for (int i = 0; i < VERTICES; i++) v[3 * i + 2] = 0.3 * i * i;
    if (number == 1) return cord_strand_set_velocities(w, made, v);
    cord_status status = cord_world_step(w, 0.02);
    assert_int_equal(cord_strand_get_positions(w, made, x), CORD_OK);
    assert_true(isfinite(x[3 * VERTICES - 1]));
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    failing_allocator_calls(integrations + MIDPOINT, call, 12, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_by_a_torque), cmocka_unit_test(in_motion),
        cmocka_unit_test(checkpoints),      cmocka_unit_test(a_thousand_radians),
        cmocka_unit_test(without_bound),    cmocka_unit_test(too_fast),
        cmocka_unit_test(hysteresis),       cmocka_unit_test(unstable_steps),
        cmocka_unit_test(cancelled_steps),  cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
