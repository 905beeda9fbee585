/* Points at any arc length of a spline: constraints there, and their derivatives against
 * differences. */
#include "math/band.h"
#include "math/vec3.h"
#include "strand/spline/spline.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/splines.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

/* ---- constraints --------------------------------------------------------------------------------- */

/* Two splines crossed and welded between vertices, one hung from an inner point, one clamped. */
static void constraints_at_any_arc(void **unused)
{
    double x[3 * 7], y[3 * 8];
    (void)unused;
    splines_line(7, 1, x);
    for (int i = 0; i < 8; i++) v3_set(y + 3 * i, 0.43, 0.1 * i - 0.31, 0);
    for (int scheme = 0; scheme < 4; scheme++) {
        cord_world *world = scene_world(integrations + scheme);
        cord_strand_def def = splines_def(7, x), other = splines_def(8, y);
        other.spline_ends = CORD_SPLINE_FREE;
        v3_set(other.director, 0, 0, 1);
        cord_strand one = scene_strand(world, &def), two = scene_strand(world, &other);
        assert_fine(world, cord_world_clamp_strand(world, one, 0.13, NULL, NULL, NULL, NULL));
        cord_point a = scene_point(world, one, 0.43), b = scene_point(world, two, 0.31);
        cord_constraint joined[4];
        joined[0] = scene_constraint(world, CORD_COINCIDE, a, b);
        joined[1] = scene_hang(world, two, 0);
        joined[2] = scene_constraint(world, CORD_DISTANCE, scene_point(world, one, 1),
                                     scene_point(world, two, 0.7));
        int count = 3;
        /* `midpoint` does not couple quasistatic frames to others. */
        if (integrations[scheme].integrator != CORD_MIDPOINT)
            joined[count++] = scene_constraint(world, CORD_ALIGN, a, b);
        scene_advance(world, 4e-3, 50);
        for (int k = 0; k < count; k++) assert_true(scene_gap(world, joined[k]) < 1e-8);
        cord_world_destroy(world);
    }
}

/* A position is smooth in s: third differences stay bounded across knots. */
static void places_are_smooth_in_arc(void **unused)
{
    double x[3 * 9], before[3][3], now[3];
    const double h = 1e-3;
    (void)unused;
    for (int i = 0; i < 9; i++)
        v3_set(x + 3 * i, 0.1 * i + 0.01 * (i % 2), 0.05 * sin(i), 0.03 * cos(2 * i));
    cord_strand_def def = splines_def(9, x);
    cord_world *world = scene_world_under(NULL, 0);
    cord_strand strand = scene_strand(world, &def);
    double length = scene_length(world, strand), worst = 0;
    for (int k = 0; k * h < length; k++) {
        splines_at(world, strand, k * h, now, NULL);
        for (int i = 0; k > 2 && i < 3; i++)
            worst = fmax(worst, fabs(now[i] - 3 * before[2][i] + 3 * before[1][i] - before[0][i]));
        memmove(before[0], before[1], 6 * sizeof(double));
        v3_copy(before[2], now);
    }
    /* A jump of x_ss by 1/m would show as 10⁻⁶. */
    assert_true(worst < 2e-6 && worst > 1e-9);
    cord_world_destroy(world);
}

/* ---- derivatives of points ---------------------------------------------------------------------- */

/* A separate model in a perturbed configuration, with storage for a matrix. */
typedef struct alone {
    memory memory;
    spline *s;
    uint64_t random;
    double q[400], cache[4000], band[4000];
} alone;

static void make_alone(alone *o, double *x)
{
    char why[128];
    void *model;
    for (int i = 0; i < 7; i++)
        v3_set(x + 3 * i, 0.1 * i + 0.01 * (i % 2), 0.08 * sin(i), 0.06 * cos(1.3 * i));
    cord_strand_def def = splines_def(7, x);
    def.section.bending[1] = 0.02;
    memset(o, 0, sizeof *o);
    o->random = 7;
    cord__memory_init(&o->memory, NULL);
    assert_int_equal(cord__spline_create(&def, &o->memory, &model, why, sizeof why), CORD_OK);
    o->s = model;
    assert_true(spline_q_count(o->s) < 400 && spline_cache_count(o->s) < 4000);
    memcpy(o->q, o->s->initial_q, (size_t)spline_q_count(o->s) * sizeof(double));
}

static void move_alone(const alone *o, const double *d, double step, double *q, double *cache)
{
    double scaled[64];
    for (int c = 0; c < spline_dofs(o->s); c++) scaled[c] = step * d[c];
    memcpy(q, o->q, sizeof o->q);
    cord__spline_retract(o->s, q, scaled);
    cord__spline_refresh(o->s, q, cache);
}

/* w · J d at q ⊕ step d. */
static double power_along(const alone *o, const attachment *at, measure what, const double *w,
                          const double *d, double step)
{
    double q[400], cache[4000], J[3 * 16], sum = 0;
    point_jacobian j = {.J = J};
    move_alone(o, d, step, q, cache);
    cord__spline_point_jacobian(o->s, q, cache, at, what, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            sum += v3_dot(w, J + 3 * c) * d[j.run[run].first + i];
    return sum;
}

static double form_alone(const alone *o, const double *d)
{
    double sum = 0;
    int stride = BAND_STRIDE(o->s->band_width);
    for (int c = 0; c < spline_dofs(o->s); c++)
        for (int r = c; r < spline_dofs(o->s); r++) {
            int k = o->s->position[r] - o->s->position[c];
            if (k <= o->s->band_width)
                sum += (r == c ? 1 : 2) * o->band[o->s->position[c] * stride + k] * d[r] * d[c];
        }
    return sum;
}

/* The stiffness of a torque, or of a force on curvature: against differences of its power. */
static void stiffness_of_torques(void **unused)
{
    double x[21], d[64], w[3];
    static alone o;
    (void)unused;
    for (int trial = 0; trial < 12; trial++) {
        make_alone(&o, x);
        assert_true(spline_dofs(o.s) <= 64);
        random_vector(&o.random, spline_dofs(o.s), d);
        for (int c = 0; c < spline_dofs(o.s); c++) d[c] *= 0.03;
        move_alone(&o, d, 1, o.q, o.cache);
        measure what = trial % 2 ? MEASURE_FRAME : MEASURE_CURVATURE;
        attachment at;
        assert_int_equal(
            cord__spline_attach(o.s, &o.memory, what, o.s->length * (0.02 + 0.08 * trial), &at),
            CORD_OK);
        random_vector(&o.random, 3, w);
        random_vector(&o.random, spline_dofs(o.s), d);
        local_matrix local = {.values = o.band, .stride = BAND_STRIDE(o.s->band_width)};
        cord__spline_stiffen(o.s, o.q, o.cache, &at, what, w, 1, &local);
        const double h = 1e-4;
        double change =
            (power_along(&o, &at, what, w, d, h) - power_along(&o, &at, what, w, d, -h));
        double expected = -change / (2 * h);
        assert_close(form_alone(&o, d), expected, 2e-4 * (1 + fabs(expected)));
        cord__spline_destroy(o.s, &o.memory);
    }
}

/* Sliding points: along the strand and beyond a span, against differences. */
static void sliding_places(void **unused)
{
    double x[21], J[2][48], slope[2][48];
    static alone o;
    (void)unused;
    make_alone(&o, x);
    const double h = 1e-5;
    for (int k = 1; k < 20; k++) {
        double s = o.s->length * k / 20 + (k % 3 == 0 ? 0.03 : 0); /* some beyond their span */
        int piece = cord__spline_element_at(o.s, o.q, o.s->length * k / 20);
        sliding_jacobian here = {.J = J[0], .J_s = slope[0]}, there = {.J = J[1], .J_s = slope[1]};
        sliding_jacobian before = there;
        cord__spline_slide(o.s, o.q, o.cache, piece, s - h, &before);
        cord__spline_slide(o.s, o.q, o.cache, piece, s + h, &there);
        cord__spline_slide(o.s, o.q, o.cache, piece, s, &here);
        for (int i = 0; i < 3; i++) {
            assert_close(here.r_s[i], (there.value[i] - before.value[i]) / (2 * h), 1e-6);
            assert_close(here.r_ss[i], (there.r_s[i] - before.r_s[i]) / (2 * h), 1e-4);
        }
        assert_int_equal(here.dofs, 12);
        for (int i = 0; i < 12; i++) {
            double again[48], unused_slope[48];
            sliding_jacobian back = {.J = again, .J_s = unused_slope};
            cord__spline_slide(o.s, o.q, o.cache, piece, s - h, &back);
            for (int c = 0; c < 3; c++)
                assert_close(slope[0][3 * i + c], (J[1][3 * i + c] - again[3 * i + c]) / (2 * h),
                             1e-5);
        }
    }
    cord__spline_destroy(o.s, &o.memory);
}

/* A hanging strand runs through a ring fixed in space: it slides out, and stays in the ring. */
static void keyhole(void **unused)
{
    double x[3 * 9], place[3];
    (void)unused;
    splines_line(9, 1, x);
    cord_strand_def def = splines_def(9, x);
    cord_world *world = scene_world(NULL);
    cord_strand rope = scene_strand(world, &def);
    cord_point bead = sliding_point(world, rope, 0.41, 0);
    cord_constraint ring =
        scene_constraint(world, CORD_COINCIDE, bead, scene_place(world, 0.41, 0, 0));
    scene_advance(world, 2e-3, 100);
    assert_true(scene_gap(world, ring) < 1e-7);
    assert_fine(world, cord_point_get_pose(world, bead, place, NULL));
    assert_close(place[0], 0.41, 1e-7);
    assert_true(fabs(scene_coordinate(world, bead, NULL) - 0.41) >
                1e-3); /* longer on one side, it runs down there */
    cord_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_at_any_arc),
        cmocka_unit_test(places_are_smooth_in_arc),
        cmocka_unit_test(stiffness_of_torques),
        cmocka_unit_test(sliding_places),
        cmocka_unit_test(keyhole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
