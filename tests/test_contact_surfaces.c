/* Centrelines of strands in contact and velocities of their surfaces, on every model: chords and their bounds, curves against
 * sliding Jacobians, Jacobians of surface points against differences. */
#include "contact/contact.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "solve/contact_columns.h"
#include "strand/registry.h"
#include "support/cable_bench.h"
#include "support/conformance_rods.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE_STRAND(name) extern const strand_ops cord__##name;
STRAND_LIST(DECLARE_STRAND)
#undef DECLARE_STRAND

/* ---- strands --------------------------------------------------------------------------------- */

typedef struct surface_case {
    const char *name;
    const strand_ops *ops;
    void (*define)(conformance_shape *shape, cord_strand_def *def);
    double shaken; /* random increment, over the scale of each dof */
    double winds;  /* a uniform change of curvatures, of the same */
    bool spins;
    double clamp; /* a frame is attached at this fraction of the length; 0: none */
} surface_case;

static void ring_of_three(conformance_shape *shape, cord_strand_def *def)
{
    static const double x[9] = {0.1, 0, 0, 0, 0.12, 0, -0.1, 0, 0.05};
    rod_material(def, 0.01, 0.01);
    memcpy(shape->positions, x, sizeof x);
    def->closed = true;
    def->vertex_count = 3;
}

/* Elements that turn by about `turn` radians each, with natural curvatures. */
static void chain(cord_strand_def *def, int elements, double turn)
{
    enum { MOST = 6 };
    static double curvatures[3 * (MOST + 1)], natural[6 * MOST], lengths[MOST];
    uint64_t random = 5;
    def->section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                  .mass = 0.1,
                                  .bending = {0.01, 0.02},
                                  .twisting = 0.008,
                                  .rotary_inertia = 2e-5,
                                  .radius = 0.001};
    def->element_count = elements;
    def->vertex_count = 13;
    random_vector(&random, 3 * (elements + 1), curvatures);
    random_vector(&random, 6 * elements, natural);
    for (int i = 0; i < 3 * (elements + 1); i++) curvatures[i] *= turn / 0.2;
    for (int e = 0; e < elements; e++) lengths[e] = 0.1 + 0.07 * (e % 3);
    def->curvatures = curvatures;
    def->natural_curvatures = natural;
    def->element_lengths = lengths;
    def->positions = NULL;
    cord__rotation_exp(def->base_frame, (double[]){0.4, -0.9, 0.6});
}

static void curled(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 4, 1);
}
/* Several panels. */
static void wound(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 2, 12);
}
static void planar(conformance_shape *shape, cord_strand_def *def)
{
    curled(shape, def);
    def->planar = true;
}
static void one_bar(conformance_shape *shape, cord_strand_def *def)
{
    (void)shape;
    chain(def, 1, 0.5);
}
static void thick(conformance_shape *shape, cord_strand_def *def)
{
    curled(shape, def);
    def->section.radius = 0.1;
}

#define CHAIN(shape, model) .ops = &cord__##model, .shaken = 0.1, .define = shape, .spins = true
static void free_ends(conformance_shape *shape, cord_strand_def *def)
{
    rod_elastic(shape, def);
    def->spline_ends = CORD_SPLINE_FREE;
}

#define SPLINE(shape) .ops = &cord__spline, .shaken = 0.1, .define = shape
#define DER(shape) .ops = &cord__der, .shaken = 0.15, .define = shape
static const surface_case cases[] = {
    {"rod", DER(rod_elastic)},
    {"inextensible rod", DER(rod_inextensible), .clamp = 1},
    {"rod with inertia of twist", DER(rod_anisotropic_dynamic), .spins = true},
    {"ring", DER(rod_ring)},
    {"anisotropic ring", DER(rod_ring_anisotropic), .spins = true},
    {"ring of three vertices", DER(ring_of_three)},
    {"one edge", DER(rod_two_vertices)},
    {"clothoids", CHAIN(curled, clothoid)},
    {"wound clothoids", CHAIN(wound, clothoid)},
    {"planar clothoids", CHAIN(planar, clothoid)},
    {"thick clothoids", CHAIN(thick, clothoid)},
    {"clothoids that wind", CHAIN(wound, clothoid), .winds = 40},
    {"helices", CHAIN(curled, helix)},
    {"helices that wind", CHAIN(curled, helix), .winds = 90},
    {"wound helices", CHAIN(wound, helix)},
    {"planar helices", CHAIN(planar, helix)},
    {"bars", CHAIN(curled, segment)},
    {"bars with an end joint", CHAIN(curled, segment), .clamp = 1},
    {"planar bars", CHAIN(planar, segment)},
    {"one bar", CHAIN(one_bar, segment)},
    {"spline", SPLINE(rod_elastic)},
    {"spline with free ends", SPLINE(free_ends)},
    {"inextensible spline", SPLINE(rod_inextensible)},
    {"spline with inertia of twist", SPLINE(rod_anisotropic_dynamic), .spins = true},
    {"closed spline", SPLINE(rod_ring)},
    {"spline of one span", SPLINE(rod_two_vertices)},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A strand in a random configuration. */
typedef struct subject {
    const surface_case *with;
    memory memory;
    block b;
    const contact_ops *contact;
    double *q, *cache, *scale, *other_q, *other_cache, *d;
    uint64_t random;
    int segments;
    contact_segment *segment;
    double length, period;
} subject;

static double *numbers(int count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static void refresh(const subject *s, const double *q, double *cache)
{
    (s->b.ops->refresh_rows ? s->b.ops->refresh_rows : s->b.ops->refresh)(s->b.model, q, cache);
}

static void random_motion(subject *s)
{
    random_vector(&s->random, s->b.shape.dofs, s->d);
    for (int c = 0; c < s->b.shape.dofs; c++) s->d[c] *= s->scale[c];
    if (s->b.ops->set_dependent_dofs) s->b.ops->set_dependent_dofs(s->b.model, s->cache, s->d);
}

/* q ⊕ step d, in other_q and other_cache. */
static void move(subject *s, double step)
{
    double *d = numbers(s->b.shape.dofs);
    for (int c = 0; c < s->b.shape.dofs; c++) d[c] = step * s->d[c];
    memcpy(s->other_q, s->q, (size_t)s->b.shape.q_count * sizeof *s->q);
    s->b.ops->retract(s->b.model, s->other_q, d);
    refresh(s, s->other_q, s->other_cache);
    free(d);
}

static void attach_frame(subject *s)
{
    attachment at;
    assert_int_equal(
        s->b.ops->attach(s->b.model, &s->memory, MEASURE_FRAME, s->with->clamp * s->length, &at),
        CORD_OK);
}

/* That of the configuration; it changes the size of the cache and, in the same ratio, the number of segments. */
static void choose_quadrature(subject *s)
{
    const int segments = s->contact->segment_count(s->b.model);
    const int cache = s->b.shape.cache_count;
    s->b.ops->quadrature->choose(s->b.model, s->q, true);
    s->b.ops->describe(s->b.model, &s->b.shape);
    assert_true(s->with->winds == 0 || s->b.shape.cache_count > cache);
    free(s->cache), free(s->other_cache);
    s->cache = numbers(s->b.shape.cache_count), s->other_cache = numbers(s->b.shape.cache_count);
    const int now = s->contact->segment_count(s->b.model);
    assert_true(s->with->winds == 0 ? now >= segments : now > segments);
}

static subject *begin(const surface_case *with)
{
    subject *s = calloc(1, sizeof *s);
    conformance_shape *shape = calloc(1, sizeof *shape);
    cord_strand_def def = cord_strand_def_default();
    cord_strand_info info = {0};
    char why[256] = "";
    assert_true(s && shape);
    def.positions = shape->positions;
    with->define(shape, &def);
    *s = (subject){.with = with, .b.ops = &with->ops->block, .contact = with->ops->block.contact};
    s->random = 11;
    cord__memory_init(&s->memory, NULL);
    if (with->ops->create(&def, &s->memory, &s->b.model, why, sizeof why) != CORD_OK)
        fail_msg("%s: %s", with->name, why);
    with->ops->info(s->b.model, &info);
    s->length = info.length;
    if (with->clamp > 0) attach_frame(s);
    s->b.ops->describe(s->b.model, &s->b.shape);
    const block_shape *n = &s->b.shape;
    s->q = numbers(n->q_count), s->other_q = numbers(n->q_count);
    s->cache = numbers(n->cache_count), s->other_cache = numbers(n->cache_count);
    s->scale = numbers(n->dofs), s->d = numbers(n->dofs);
    s->b.ops->scales(s->b.model, s->scale, s->d);
    s->b.ops->initial(s->b.model, s->q, s->d);
    refresh(s, s->q, s->cache);
    random_motion(s);
    for (int c = 0; with->winds > 0 && c < n->dofs; c++)
        s->d[c] += s->scale[c] * with->winds / with->shaken;
    move(s, with->shaken);
    memcpy(s->q, s->other_q, (size_t)n->q_count * sizeof *s->q);
    if (s->b.ops->quadrature) choose_quadrature(s);
    refresh(s, s->q, s->cache);
    s->segments = s->contact->segment_count(s->b.model);
    s->segment = calloc((size_t)s->segments, sizeof *s->segment);
    assert_non_null(s->segment);
    s->contact->segments(s->b.model, s->q, s->cache, s->segment);
    s->period = s->contact->period(s->b.model);
    free(shape);
    return s;
}

static void end(subject *s)
{
    s->b.ops->destroy(s->b.model, &s->memory);
    free(s->q), free(s->other_q), free(s->cache), free(s->other_cache);
    free(s->scale), free(s->d), free(s->segment), free(s);
}

static curve_point curve_at(const subject *s, int segment, double at)
{
    curve_point p = {.s = at};
    s->contact->curve(s->b.model, s->q, s->cache, segment, at, p.r, p.r_s, p.r_ss);
    return p;
}

/* ---- segments and curves --------------------------------------------------------------------- */

/* Whether positions are found between Gauss nodes, to the precision of panels that turn by a few radians. */
static bool interpolated(const subject *s)
{
    return s->with->ops == &cord__clothoid || s->with->ops == &cord__helix;
}

/* They cover the strand in order, with their ends on the curve. */
static void segments_are_chords(void **given)
{
    subject *s = begin(*given);
    assert_close(s->segment[0].s[0], 0, 0);
    assert_close(s->segment[s->segments - 1].s[1], s->length, 1e-12 * s->length);
    for (int i = 0; i < s->segments; i++) {
        const contact_segment *g = s->segment + i, *next = g + 1;
        assert_true(g->s[0] < g->s[1] && g->radius > 0 && g->bulge >= 0);
        for (int k = 0; k < 2; k++) {
            const curve_point p = curve_at(s, i, g->s[k]);
            assert_all_close(p.r, g->x[k], 3, (interpolated(s) ? 1e-8 : 1e-12) * s->length);
        }
        if (i + 1 == s->segments && s->period == 0) break;
        if (i + 1 == s->segments) next = s->segment;
        assert_all_close(g->x[1], next->x[0], 3, 1e-12 * s->length);
        if (i + 1 < s->segments) assert_close(g->s[1], next->s[0], 0);
    }
    if (s->period > 0) assert_close(s->period, s->segment[s->segments - 1].s[1], 0);
    assert_int_equal(s->contact->spins(s->b.model), s->with->spins);
    end(s);
}

/* The distance from a chord is at most the bulge, and not much less than it somewhere. */
static void bulges_are_bounds(void **given)
{
    enum { SAMPLES = 64 };
    subject *s = begin(*given);
    double tightest = 0;
    for (int i = 0; i < s->segments; i++) {
        const contact_segment *g = s->segment + i;
        double most = 0;
        for (int k = 0; k <= SAMPLES; k++) {
            const curve_point p =
                curve_at(s, i, g->s[0] + (g->s[1] - g->s[0]) * k / (double)SAMPLES);
            double t[2];
            most = fmax(most, cord__closest_points(g->x[0], g->x[1], p.r, p.r, t, NULL));
        }
        assert_true(most <= g->bulge + 1e-8 * s->length);
        if (g->bulge > 1e-9 * s->length) tightest = fmax(tightest, most / g->bulge);
    }
    print_message("%s: %d segments, bulge at best %.2f\n", s->with->name, s->segments, tightest);
    assert_true(tightest == 0 || tightest > 0.25);
    end(s);
}

/* The curve is that of the sliding Jacobian, at ends of the strand and of its elements too. */
static void curves_are_those_of_sliding_points(void **given)
{
    subject *s = begin(*given);
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX];
    const sliding_ops *ops = s->b.ops->sliding;
    const double near = interpolated(s) ? 1e-8 : 1e-12, along = interpolated(s) ? 1e-6 : 1e-12;
    for (int i = 0; i < s->segments; i++)
        for (int k = 0; k <= 4; k++) {
            const contact_segment *g = s->segment + i;
            const double at = k < 4 ? g->s[0] + 0.25 * k * (g->s[1] - g->s[0]) : g->s[1];
            const curve_point p = curve_at(s, i, at);
            sliding_jacobian j = {.J = J, .J_s = J_s};
            ops->jacobian(s->b.model, s->q, s->cache, ops->element_at(s->b.model, s->q, at), at,
                          &j);
            assert_all_close(p.r, j.value, 3, near * s->length);
            assert_all_close(p.r_s, j.r_s, 3, along);
            /* constant curvatures jump between elements */
            if (k % 4 != 0 || s->with->ops != &cord__helix)
                assert_all_close(p.r_ss, j.r_ss, 3, along * (1 + v3_norm(j.r_ss)));
        }
    end(s);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* The material point at s and c in the strand's frame. */
static void surface_point(const subject *s, const double *q, const double *cache, double at,
                          const double c[3], double x[3], double a[3])
{
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX];
    sliding_jacobian j = {.J = J, .J_s = J_s, .with_frame = true};
    const sliding_ops *ops = s->b.ops->sliding;
    ops->jacobian(s->b.model, q, cache, ops->element_at(s->b.model, q, at), at, &j);
    assert_true(j.has_frame);
    m3_apply(a, j.frame, c);
    v3_add(x, j.value, a);
}

/* Fourth-order differences. Guards beyond the room of all arrays stay as they are. */
static void check_surface(subject *s, double at, const double *c)
{
    enum { GUARD = 8 };
    static const int steps[4] = {-2, -1, 1, 2};
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0}, h = 1e-3;
    static const double none[3] = {0, 0, 0};
    const int most = s->b.shape.contact_dofs, room = SURFACE_WORK * most;
    double x[3], a[3], expected[3] = {0}, v[3] = {0};
    double J[4 * JACOBIAN_DOFS_MAX], work[SURFACE_WORK * JACOBIAN_DOFS_MAX];
    double centre[4 * JACOBIAN_DOFS_MAX], alone[4 * JACOBIAN_DOFS_MAX];
    int dof[JACOBIAN_DOFS_MAX + 1];
    for (int i = 0; i < GUARD; i++) J[3 * most + i] = work[room + i] = 12345;
    dof[most] = 12345;
    surface_point(s, s->q, s->cache, at, c ? c : none, x, a);
    int count =
        cord__surface_jacobian(&s->b, s->q, s->cache, at, c ? a : NULL, dof, J, centre, work);
    assert_true(count > 0 && count <= most);
    assert_int_equal(dof[most], 12345);
    for (int i = 0; i < GUARD; i++) assert_true(J[3 * most + i] + work[room + i] == 24690);
    for (int k = 0; k < 4; k++) {
        move(s, h * steps[k]);
        surface_point(s, s->other_q, s->other_cache, at, c ? c : none, x, a);
        v3_axpy(expected, weight[k] / h, x);
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) assert_true(dof[k] != dof[i]);
        v3_axpy(v, s->d[dof[i]], J + 3 * i);
    }
    assert_all_close(v, expected, 3, 1e-7);
    /* The velocity of the centreline is the same however it is asked for. */
    double by_centre[3] = {0}, by_itself[3] = {0};
    for (int i = 0; i < count; i++) v3_axpy(by_centre, s->d[dof[i]], centre + 3 * i);
    count = cord__surface_jacobian(&s->b, s->q, s->cache, at, NULL, dof, alone, NULL, work);
    for (int i = 0; i < count; i++) v3_axpy(by_itself, s->d[dof[i]], alone + 3 * i);
    assert_all_close(by_centre, by_itself, 3, 1e-14);
}

/* At random coordinates, at the ends of the strand and of every segment; on a ring in other revolutions too. */
static void surface_jacobians_are_derivatives(void **given)
{
    static const double c[3] = {0, 0.013, -0.007};
    subject *s = begin(*given);
    for (int i = 0; i < s->segments + 8; i++) {
        const double whole = random_number(&s->random);
        double at = i < s->segments ? s->segment[i].s[0] : 0.5 * (1 + whole) * s->length;
        if (i == s->segments) at = s->length;
        if (i > s->segments + 3) at += (i % 2 ? 2 : -1) * s->period;
        random_motion(s);
        check_surface(s, at, c);
        check_surface(s, at, NULL);
    }
    end(s);
}

/* ---- cables ---------------------------------------------------------------------------------- */

/* The straight segments of a cable over guides of every kind, some on bodies: chords, curve and velocities. */
static void check_free_span(const bench *t, const contact_segment *g, int segment)
{
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS];
    const block *b = t->b;
    double J[4 * JACOBIAN_DOFS_MAX], work[SURFACE_WORK * JACOBIAN_DOFS_MAX], d[BENCH_MOST] = {0};
    int dof[JACOBIAN_DOFS_MAX];
    uint64_t random = 3;
    random_vector(&random, b->shape.dofs, d);
    for (int i = 1; i < 4; i++) {
        const double s = g->s[0] + 0.25 * i * (g->s[1] - g->s[0]), h = 1e-4;
        double moved[2][3], v[3] = {0}, expected[3], r[3], r_s[3], r_ss[3], chord[3];
        for (int k = 0; k < 2; k++) {
            double J_s[3 * JACOBIAN_DOFS_MAX];
            sliding_jacobian j = {.J = J, .J_s = J_s};
            bench_moved_to(t, d, k ? h : -h, q, cache);
            b->ops->sliding->jacobian(b->model, q, cache,
                                      b->ops->sliding->element_at(b->model, q, s), s, &j);
            v3_copy(moved[k], j.value);
        }
        v3_combine(expected, 0.5 / h, moved[1], -0.5 / h, moved[0]);
        bench_moved_to(t, d, 0, q, cache);
        for (int k = 0; k < 4 * JACOBIAN_DOFS_MAX; k++) J[k] = NAN;
        int count = cord__surface_jacobian(b, q, cache, s, NULL, dof, J, NULL, work);
        assert_true(count <= b->shape.contact_dofs);
        for (int k = 0; k < count; k++) v3_axpy(v, d[dof[k]], J + 3 * k);
        assert_all_close(v, expected, 3, 1e-6);
        b->ops->contact->curve(b->model, q, cache, segment, s, r, r_s, r_ss);
        v3_combine(chord, 1 - 0.25 * i, g->x[0], 0.25 * i, g->x[1]);
        assert_all_close(r, chord, 3, 1e-12);
        assert_close(v3_norm(r_ss), 0, 0);
    }
}

static void free_spans(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    const block *b = &cord__get_strand(w, bench_crowd(w, false))->block;
    bench t = {.c = b->model, .b = b, .q = w->problem.now.q + b->q0};
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS], still[BENCH_MOST];
    contact_segment segment[64] = {{.block = 0}};
    const int count = b->ops->contact->segment_count(b->model);
    assert_true(count > 3 && count < t.c->topology.nodes - 1 && count < 64);
    bench_moved_to(&t, still, 0, q, cache);
    b->ops->contact->segments(b->model, q, cache, segment);
    for (int i = 0; i < count; i++) {
        assert_true(segment[i].s[0] < segment[i].s[1]);
        assert_true(i == 0 || segment[i].s[0] >= segment[i - 1].s[1]);
        check_free_span(&t, segment + i, i);
    }
    assert_false(b->ops->contact->spins(b->model));
    cord_world_destroy(w);
}

/* ---------------------------------------------------------------------------------------------- */

int main(void)
{
    static void (*const checks[])(void **) = {segments_are_chords, bulges_are_bounds,
                                              curves_are_those_of_sliding_points,
                                              surface_jacobians_are_derivatives};
    enum { CHECKS = sizeof checks / sizeof *checks };
    static struct CMUnitTest tests[CASES * CHECKS + 1];
    for (int i = 0; i < CASES * CHECKS; i++)
        tests[i] = (struct CMUnitTest){.name = cases[i / CHECKS].name,
                                       .test_func = checks[i % CHECKS],
                                       .initial_state = (void *)(cases + i / CHECKS)};
    tests[CASES * CHECKS] = (struct CMUnitTest)cmocka_unit_test(free_spans);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
