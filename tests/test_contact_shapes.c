#include "contact/cubic.h"
#include "contact/shapes.h"
#include "math/rotation.h"
#include "support/contact_strands.h"
#include "support/test.h"

#include <stdlib.h>

enum { NODES = 41 };
static const double spacing = 0.1;
static double heights[NODES * NODES], distances[NODES * NODES * NODES];

/* Hills with slopes up to 0.6. */
static double hill(double x, double y)
{
    return 0.3 * sin(2 * x) * cos(1.5 * y) + 0.1 * x;
}

/* A sphere of radius 1 in the middle of the grid. */
static double ball(const double x[3])
{
    const double centre[3] = {2, 2, 2};
    return v3_distance(x, centre) - 1;
}

static int fill_grids(void **state)
{
    (void)state;
    for (int j = 0; j < NODES; j++)
        for (int i = 0; i < NODES; i++) heights[j * NODES + i] = hill(i * spacing, j * spacing);
    for (int k = 0; k < NODES; k++)
        for (int j = 0; j < NODES; j++)
            for (int i = 0; i < NODES; i++)
                distances[(k * NODES + j) * NODES + i] =
                    ball((double[]){i * spacing, j * spacing, k * spacing});
    return 0;
}

static obstacle_shape shape_number(int k)
{
    const shape_ops *ops[] = {&cord__plane_shape,        &cord__sphere_shape,
                              &cord__capsule_shape,      &cord__cylinder_shape,
                              &cord__box_shape,          &cord__height_field_shape,
                              &cord__distance_grid_shape};
    obstacle_shape s = {ops[k], .radius = 0.7, .half_length = 0.9, .half = {0.5, 0.8, 1.1}};
    s.field = (height_field){{NODES, NODES}, spacing, heights};
    s.grid = (distance_grid){{NODES, NODES, NODES}, spacing, distances};
    return s;
}

enum { SHAPES = 7, FIELD = 5, GRID = 6 };

/* A point near the shape. */
static void random_point(uint64_t *seed, int k, double x[3])
{
    random_vector(seed, 3, x);
    v3_scale(x, 1.8, x);
    if (k < FIELD) return;
    x[0] += 2, x[1] += 2;
    x[2] = k == FIELD ? hill(x[0], x[1]) + 0.1 * x[2] : x[2] + 2;
}

/* Normals are unit gradients of the distance, by central differences where the distance is smooth; and a distance along the
 * normal leads to the surface. */
static void normals(void **state)
{
    (void)state;
    const double h = 1e-5;
    uint64_t seed = 1;
    for (int k = 0; k < SHAPES; k++) {
        obstacle_shape s = shape_number(k);
        int smooth = 0;
        for (int n = 0; n < 3000; n++) {
            double x[3], normal[3], unused[3], gradient[3], second = 0;
            random_point(&seed, k, x);
            double d = s.ops->distance(&s, x, normal);
            assert_close(v3_norm(normal), 1, 1e-12);
            if (k == GRID && d < -0.5)
                continue; /* near the centre, where the distance has a cusp */
            for (int i = 0; i < 3; i++) {
                double a[3], b[3];
                v3_copy(a, x);
                v3_copy(b, x);
                a[i] += h, b[i] -= h;
                double up = s.ops->distance(&s, a, unused), down = s.ops->distance(&s, b, unused);
                gradient[i] = (up - down) / (2 * h);
                second = fmax(second, fabs(up + down - 2 * d) / h);
            }
            if (second > 0.01) continue; /* across an edge of the distance */
            smooth++;
            v3_normalize(gradient, gradient);
            assert_all_close(normal, gradient, 3, 1e-6);
            v3_axpy(x, -d, normal);
            assert_close(s.ops->distance(&s, x, unused), 0, k == GRID ? 2e-3 : 1e-10);
        }
        assert_true(smooth > 1000);
    }
}

/* Closed forms at points in every region. */
static void known_distances(void **state)
{
    (void)state;
    const struct {
        int shape;
        double x[3], distance, normal[3];
    } cases[] = {
        {0, {3, 4, -2}, -2, {0, 0, 1}},
        {1, {0, 0, 0}, -0.7, {1, 0, 0}},
        {1, {0, 3, 4}, 4.3, {0, 0.6, 0.8}},
        {2, {0, 2, 0.4}, 1.3, {0, 1, 0}},
        {2, {0, 3, -4.9}, 4.3, {0, 0.6, -0.8}},
        {2, {0, 0, 0.2}, -0.7, {1, 0, 0}},
        {3, {0, 2, 0.4}, 1.3, {0, 1, 0}},
        {3, {0, 0.1, 2}, 1.1, {0, 0, 1}},
        {3, {3.7, 0, 4.9}, 5, {0.6, 0, 0.8}},
        {3, {0, 0, -0.8}, -0.1, {0, 0, -1}},
        {3, {0, 0.5, 0.1}, -0.2, {0, 1, 0}},
        {4, {-1, 0, 0}, 0.5, {-1, 0, 0}},
        {4, {0.1, -0.75, 0.2}, -0.05, {0, -1, 0}},
        {4, {3.5, 0, -5.1}, 5, {0.6, 0, -0.8}},
        {4, {1.5, 2.8, 3.1}, 3, {1.0 / 3, 2.0 / 3, 2.0 / 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        obstacle_shape s = shape_number(cases[i].shape);
        double normal[3];
        assert_close(s.ops->distance(&s, cases[i].x, normal), cases[i].distance, 1e-14);
        assert_all_close(normal, cases[i].normal, 3, 1e-14);
    }
}

/* Points inside are within the bounds; points far outside of them are at least as far from the shape. */
static void bounds(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < SHAPES; k++) {
        obstacle o = {.shape = shape_number(k)};
        cord__obstacle_bounds(&o);
        int inside = 0;
        for (int n = 0; n < 2000; n++) {
            double x[3], normal[3];
            random_point(&seed, k, x);
            if (o.shape.ops->distance(&o.shape, x, normal) > 0) continue;
            inside++;
            for (int i = 0; i < 3; i++) assert_true(x[i] >= o.low[i] && x[i] <= o.high[i]);
        }
        assert_true(inside > 50);
        assert_ptr_equal(cord__find_obstacle_shape(o.shape.ops->name), o.shape.ops);
    }
    assert_null(cord__find_obstacle_shape("torus"));
}

/* ---- interpolated shapes --------------------------------------------------------------------- */

/* Values, first and second derivatives of quadratics are exact away from the border, and of linear functions everywhere. */
static void cubic_interpolation(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 500; n++) {
        double x = 0.25 * (random_number(&seed) + 1) * 9 * 0.5, v[3] = {0}, line[3] = {0};
        cubic c = cubic_at(x, 0.25, 10);
        for (int k = 0; k < 4; k++) {
            double p = 0.25 * c.node[k], w[3] = {c.w[k], c.w_x[k], c.w_xx[k]};
            for (int i = 0; i < 3; i++) {
                v[i] += w[i] * (3 * p * p - p + 2);
                line[i] += w[i] * (4 * p - 1);
            }
        }
        assert_all_close(line, ((double[]){4 * x - 1, 4, 0}), 3, 1e-11);
        if (x < 0.25 || x > 2) continue;
        assert_all_close(v, ((double[]){3 * x * x - x + 2, 6 * x - 1, 6}), 3, 1e-11);
    }
}

/* The distance to the hills against the nearest of many points of the surface. */
static void height_field_distance(void **state)
{
    (void)state;
    obstacle_shape s = shape_number(FIELD);
    uint64_t seed = 4;
    for (int n = 0; n < 200; n++) {
        double x[3], normal[3], least = INFINITY;
        for (int i = 0; i < 2; i++) x[i] = 2 + 1.2 * random_number(&seed);
        x[2] = hill(x[0], x[1]) + 0.3 * random_number(&seed);
        double d = s.ops->distance(&s, x, normal);
        for (int j = -50; j <= 50; j++)
            for (int i = -50; i <= 50; i++) {
                double p[3] = {x[0] + 0.006 * i, x[1] + 0.006 * j};
                p[2] = hill(p[0], p[1]);
                least = fmin(least, v3_distance(x, p));
            }
        /* Interpolation of the hills to 3e-4; samples 0.006 apart. */
        assert_close(fabs(d), least, 1e-3);
        assert_true((d > 0) == (x[2] > hill(x[0], x[1])) || fabs(d) < 1e-3);
    }
    double normal[3]; /* beyond the border the height is constant */
    assert_close(s.ops->distance(&s, (double[]){-5, 0, 3}, normal), 3, 1e-12);
    assert_close(normal[2], 1, 1e-12);
}

static void grid_distance(void **state)
{
    (void)state;
    obstacle_shape s = shape_number(GRID);
    uint64_t seed = 5;
    for (int n = 0; n < 2000; n++) {
        double x[3], normal[3], radial[3];
        random_point(&seed, GRID, x);
        v3_sub(radial, x, ((double[]){2, 2, 2}));
        double r = v3_normalize(radial, radial);
        if (r < 0.5) continue;
        assert_close(s.ops->distance(&s, x, normal), r - 1, 2e-3); /* h³/r² times a few percent */
        assert_all_close(normal, radial, 3, 2e-2);
    }
    double normal[3];
    assert_close(s.ops->distance(&s, (double[]){9, 2, 2}, normal), 6, 1e-3);
}

/* ---- segments against obstacles -------------------------------------------------------------- */

static const contact_curve straight = {.group = 1, .mask = 1};

static obstacle random_obstacle(uint64_t *seed, int k)
{
    obstacle o = {.shape = shape_number(k), .group = 1, .mask = 1};
    double w[3];
    random_vector(seed, 3, o.x);
    random_vector(seed, 3, w);
    v3_scale(w, 3, w);
    cord__rotation_exp(o.R, w);
    cord__obstacle_bounds(&o);
    return o;
}

/* The least of the contacts' gaps agrees with dense sampling along the segment; contacts exist exactly where samples are
 * within the margin. */
static void least_gap(void **state)
{
    (void)state;
    const double margin = 0.2, radius = 0.05;
    uint64_t seed = 6;
    for (int k = 0; k < SHAPES; k++) {
        int found = 0;
        for (int n = 0; n < 300; n++) {
            obstacle o = random_obstacle(&seed, k);
            double a[3], b[3], u[3], y[3], sampled = INFINITY;
            random_point(&seed, k, y);
            m3_apply(a, o.R, y);
            v3_add(a, a, o.x);
            random_unit(&seed, u);
            v3_copy(b, a);
            v3_axpy(b, 0.8, u);
            contact_segment g = single_segment(a, b, radius, 0);
            for (int i = 0; i <= 400; i++) {
                double x[3], normal[3];
                v3_combine(x, 1 - i / 400.0, a, i / 400.0, b);
                sampled = fmin(sampled, cord__obstacle_distance(&o, x, normal) - radius);
            }
            contact c[PAIR_CONTACTS];
            double least = INFINITY;
            int count = cord__obstacle_contacts(&straight, &g, 0, &o, 0, margin, c);
            for (int i = 0; i < count; i++) least = fmin(least, c[i].gap);
            if (sampled > margin + 1e-3) assert_int_equal(count, 0);
            if (sampled > margin - 1e-3) continue;
            found++;
            assert_true(count > 0);
            /* The contacts of flat segments may be higher by LOWER_GAP; subdivision by SEARCH_ACCURACY; samples 0.002. */
            assert_true(least <= sampled + 0.051 * radius && least >= sampled - 0.002);
        }
        assert_true(found > 30);
    }
}

/* A rod on a plane has contacts at both ends, an inclined one at the lower end; a vertex belongs to the edge before it. */
static void flat_segments(void **state)
{
    (void)state;
    obstacle o = {
        .shape = shape_number(0), .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .group = 1, .mask = 1};
    cord__obstacle_bounds(&o);
    const double lying[3][3] = {{0, 0, 0.1}, {1, 0, 0.1}, {2, 0, 0.1}};
    const double leaving[3][3] = {{0, 0, 0.1}, {1, 0, 0.1}, {2, 0, 1.1}};
    contact_segment list[2];
    contact c[PAIR_CONTACTS];
    set_strand(list, 0, 0, 2, false, lying, 0.1);
    assert_int_equal(cord__obstacle_contacts(&straight, list, 0, &o, 0, 0.05, c), 2);
    assert_close(c[0].s[0], 0, 0);
    assert_close(c[1].s[0], 1, 0);
    assert_close(c[1].gap, 0, 1e-15);
    assert_close(c[1].x[1][2], 0, 1e-15);
    assert_close(c[1].tangent[0][0], 1, 1e-15);
    assert_int_equal(cord__obstacle_contacts(&straight, list, 1, &o, 0, 0.05, c), 1);
    assert_close(c[0].s[0], 2, 0);
    set_strand(list, 0, 0, 2, false, leaving, 0.1);
    assert_int_equal(cord__obstacle_contacts(&straight, list, 0, &o, 0, 0.05, c), 2);
    assert_int_equal(cord__obstacle_contacts(&straight, list, 1, &o, 0, 0.05, c), 0);
    o.mask = 2;
    assert_int_equal(cord__obstacle_contacts(&straight, list, 0, &o, 0, 0.05, c), 0);
}

/* A straight rod across a cylinder: one contact between its ends, at the closed form; also where the cylinder is so large
 * that the gap is flat, with the ends as further contacts. */
static void rod_across_a_cylinder(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        obstacle o = {.shape = shape_number(3), .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        o.shape.radius = k ? 10 : 0.5;
        o.group = o.mask = 1;
        cord__obstacle_bounds(&o);
        double y = o.shape.radius + 0.12;
        contact_segment g =
            single_segment((double[]){-0.3, y, 0.1}, (double[]){0.7, y, 0.2}, 0.1, 0);
        contact c[PAIR_CONTACTS];
        assert_int_equal(cord__obstacle_contacts(&straight, &g, 0, &o, 0, 0.05, c), k ? 3 : 1);
        assert_close(c[0].gap, 0.02, 1e-12);
        assert_close(c[0].s[0] / g.s[1], 0.3, 1e-6);
        assert_close(c[0].normal[1], 1, 1e-10);
    }
}

/* A curve that is bent around a sphere: the gap is that of the arc, not of its chord. */
static void around(const void *context, int segment, double s, double r[3], double r_s[3],
                   double r_ss[3])
{
    (void)context, (void)segment;
    v3_set(r, cos(s), sin(s), 0);
    v3_set(r_s, -sin(s), cos(s), 0);
    v3_scale(r_ss, -1, r);
}

static void arc_around_a_sphere(void **state)
{
    (void)state;
    const contact_curve curve = {around, .group = 1, .mask = 1};
    obstacle o = {
        .shape = shape_number(1), .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .group = 1, .mask = 1};
    o.shape.radius = 0.9;
    cord__obstacle_bounds(&o);
    contact_segment g =
        single_segment((double[]){1, 0, 0}, (double[]){cos(0.4), sin(0.4), 0}, 0.1, 0);
    g.s[1] = 0.4, g.bulge = 0.02;
    contact c[PAIR_CONTACTS];
    assert_int_equal(cord__obstacle_contacts(&curve, &g, 0, &o, 0, 0.01, c), 2);
    for (int i = 0; i < 2; i++) assert_close(c[i].gap, 0, 1e-15);
}

/* A curve that rises at both ends of the segment and sags between: z = 0.01 (0.3 s − 3 s² + 3.2 s³). */
static void sagging(const void *context, int segment, double s, double r[3], double r_s[3],
                    double r_ss[3])
{
    (void)context, (void)segment;
    v3_set(r, s, 0, 0.01 * (0.3 * s - 3 * s * s + 3.2 * s * s * s));
    v3_set(r_s, 1, 0, 0.01 * (0.3 - 6 * s + 9.6 * s * s));
    v3_set(r_ss, 0, 0, 0.01 * (-6 + 19.2 * s));
}

static void sag_between_rising_ends(void **state)
{
    (void)state;
    const contact_curve curve = {sagging, .group = 1, .mask = 1};
    obstacle o = {.shape = shape_number(0),
                  .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                  .x = {0, 0, -0.1},
                  .group = 1,
                  .mask = 1};
    cord__obstacle_bounds(&o);
    contact_segment g = single_segment((double[]){0, 0, 0}, (double[]){1, 0, 0.005}, 0.1, 0);
    const double lowest = (6 + sqrt(36 - 11.52)) / 19.2;
    contact c[PAIR_CONTACTS];
    g.s[1] = 1, g.bulge = 0.01;
    int count = cord__obstacle_contacts(&curve, &g, 0, &o, 0, -1e-5, c);
    double least = 0;
    for (int i = 0; i < count; i++) least = fmin(least, c[i].gap);
    assert_close(least, 0.01 * lowest * (0.3 - 3 * lowest + 3.2 * lowest * lowest), 1e-10);
}

/* A curve that rises at both ends and in the middle of the segment and sags between: z = s³/3 − s²/4 + s/25, lowest at 2/5. */
static void sagging_early(const void *context, int segment, double s, double r[3], double r_s[3],
                          double r_ss[3])
{
    (void)context, (void)segment;
    v3_set(r, s, 0, s * s * s / 3 - 0.25 * s * s + 0.04 * s);
    v3_set(r_s, 1, 0, (s - 0.1) * (s - 0.4));
    v3_set(r_ss, 0, 0, 2 * s - 0.5);
}

static void sag_in_a_half(void **state)
{
    (void)state;
    const contact_curve curve = {sagging_early, .group = 1, .mask = 1};
    obstacle o = {.shape = shape_number(0),
                  .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                  .x = {0, 0, -0.1},
                  .group = 1,
                  .mask = 1};
    cord__obstacle_bounds(&o);
    contact_segment g = single_segment((double[]){0, 0, 0}, (double[]){1, 0, 0.37 / 3}, 0.1, 0);
    contact c[PAIR_CONTACTS];
    g.s[1] = 1, g.bulge = 0.07;
    assert_int_equal(cord__obstacle_contacts(&curve, &g, 0, &o, 0, -1e-5, c), 1);
    assert_close(c[0].gap, -0.008 / 3, 1e-10);
    assert_close(c[0].s[0], 0.4, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals),
        cmocka_unit_test(known_distances),
        cmocka_unit_test(bounds),
        cmocka_unit_test(cubic_interpolation),
        cmocka_unit_test(height_field_distance),
        cmocka_unit_test(grid_distance),
        cmocka_unit_test(least_gap),
        cmocka_unit_test(flat_segments),
        cmocka_unit_test(rod_across_a_cylinder),
        cmocka_unit_test(arc_around_a_sphere),
        cmocka_unit_test(sag_between_rising_ends),
        cmocka_unit_test(sag_in_a_half),
    };
    return cmocka_run_group_tests(tests, fill_grids, NULL);
}
