#include "contact/mesh.h"
#include "contact/solids.h"
#include "math/rotation.h"
#include "support/contact_strands.h"
#include "support/test.h"

static const double pi = 3.14159265358979323846;
static memory heap;

enum { SPHERE, CAPSULE, CYLINDER, BOX, CONVEX };

static obstacle_shape convex_shape(int kind)
{
    const shape_ops *ops[] = {&cord__sphere_shape, &cord__capsule_shape, &cord__cylinder_shape,
                              &cord__box_shape};
    return (obstacle_shape){ops[kind], .radius = 0.4, .half_length = 0.7, .half = {0.5, 0.3, 0.8}};
}

static obstacle posed(obstacle_shape shape, double x, double y, double z, double angle)
{
    obstacle o = {.shape = shape, .x = {x, y, z}, .group = 1, .mask = 1};
    cord__rotation_exp(o.R, (double[]){0, 0, angle});
    cord__obstacle_bounds(&o);
    return o;
}

static obstacle box_at(double hx, double hy, double hz, double x, double y, double z, double angle)
{
    return posed((obstacle_shape){&cord__box_shape, .half = {hx, hy, hz}}, x, y, z, angle);
}

static void rotate(obstacle *o, double wx, double wy, double wz)
{
    double r[9];
    cord__rotation_exp(r, (double[]){wx, wy, wz});
    m3_multiply(o->R, r, o->R);
}

static void random_pose(uint64_t *seed, double spread, obstacle *o)
{
    double w[3];
    random_vector(seed, 3, w);
    v3_scale(w, 3, w);
    cord__rotation_exp(o->R, w);
    random_vector(seed, 3, o->x);
    v3_scale(o->x, spread, o->x);
    cord__obstacle_bounds(o);
}

/* ---- brute force ----------------------------------------------------------------------------- */

/* max n·(x − c) over the shape. */
static double half_width(const obstacle *o, const double n[3])
{
    const obstacle_shape *s = &o->shape;
    double y[3];
    m3_apply_transposed(y, o->R, n);
    if (s->ops == &cord__sphere_shape) return s->radius;
    if (s->ops == &cord__capsule_shape) return s->radius + s->half_length * fabs(y[2]);
    if (s->ops == &cord__cylinder_shape)
        return s->radius * sqrt(fmax(1 - y[2] * y[2], 0)) + s->half_length * fabs(y[2]);
    return s->half[0] * fabs(y[0]) + s->half[1] * fabs(y[1]) + s->half[2] * fabs(y[2]);
}

static double gap_along(const obstacle *a, const obstacle *b, const double n[3])
{
    double c[3];
    v3_sub(c, a->x, b->x);
    return v3_dot(n, c) - half_width(a, n) - half_width(b, n);
}

/* The largest gap over all directions, from below: the best of many, improved by random steps that become smaller. */
static double largest_gap(const obstacle *a, const obstacle *b, uint64_t *seed)
{
    double best = -INFINITY;
    for (int start = 0; start < 5; start++) {
        double n[3] = {0, 0, 1}, value = -INFINITY;
        for (int i = 0; i < 200; i++) {
            double m[3];
            random_unit(seed, m);
            double g = gap_along(a, b, m);
            if (g > value) value = g, v3_copy(n, m);
        }
        double step = 0.3;
        for (int i = 0, failures = 0; i < 1500 && step > 1e-7; i++) {
            double m[3], u[3];
            random_unit(seed, u);
            v3_combine(m, 1, n, step, u);
            v3_normalize(m, m);
            double g = gap_along(a, b, m);
            if (g > value)
                value = g, v3_copy(n, m), failures = 0;
            else if (++failures > 12)
                step *= 0.7, failures = 0;
        }
        best = fmax(best, value);
    }
    return best;
}

/* ---- any pair -------------------------------------------------------------------------------- */

/* Both points on the surfaces, apart by the gap along the normal; tangents orthonormal; keys ascending. */
static double check(const obstacle *o, const contact *c, int count, double margin, double accuracy)
{
    double least = INFINITY, unused[3];
    assert_true(count <= SOLID_CONTACTS);
    for (int i = 0; i < count; i++) {
        double d[3];
        assert_int_equal(c[i].obstacle[0], 0);
        assert_int_equal(c[i].obstacle[1], 1);
        assert_int_equal(c[i].segment[0], -1);
        assert_int_equal(c[i].segment[1], -1);
        assert_true(i == 0 || c[i].key > c[i - 1].key);
        assert_true(c[i].gap <= margin);
        assert_close(v3_norm(c[i].normal), 1, 1e-12);
        v3_sub(d, c[i].x[0], c[i].x[1]);
        v3_axpy(d, -c[i].gap, c[i].normal);
        assert_close(v3_norm(d), 0, accuracy);
        for (int k = 0; k < 2; k++) {
            assert_close(cord__obstacle_distance(o + k, c[i].x[k], unused), 0, accuracy);
            assert_close(v3_dot(c[i].tangent[k], c[i].normal), 0, 1e-12);
            assert_close(v3_norm(c[i].tangent[k]), 1, 1e-12);
        }
        least = fmin(least, c[i].gap);
    }
    return least;
}

/* No gap along any direction is larger than the least one of the contacts, which is that along its own normal; no point of the
 * first surface is nearer to the second. */
static void convex_pairs(void **state)
{
    (void)state;
    uint64_t seed = 3;
    const double margin = 0.3;
    for (int i = 0; i < CONVEX; i++)
        for (int j = 0; j < CONVEX; j++) {
            int found = 0;
            for (int n = 0; n < 60; n++) {
                obstacle o[2] = {{.shape = convex_shape(i)}, {.shape = convex_shape(j)}};
                contact c[SOLID_CONTACTS];
                random_pose(&seed, 0.9, o);
                random_pose(&seed, 0.9, o + 1);
                double largest = largest_gap(o, o + 1, &seed);
                int count = cord__solid_contacts(o, 0, 1, margin, c);
                assert_true(count > 0 || largest > margin - 1e-3);
                if (count == 0) continue;
                found++;
                double least = check(o, c, count, margin, 5e-4);
                assert_true(least > largest - 1e-6);
                for (int k = 0; k < count; k++)
                    if (c[k].gap == least)
                        assert_close(gap_along(o, o + 1, c[k].normal), least, 1e-6);
                for (int k = 0; k < 200 && least > 0; k++) {
                    double u[3], x[3];
                    random_unit(&seed, u);
                    v3_combine(x, 1, o->x, 3, u);
                    double d = cord__obstacle_distance(o, x, u);
                    v3_axpy(x, -d, u);
                    assert_true(cord__obstacle_distance(o + 1, x, u) > least - 1e-6);
                }
            }
            assert_true(found > 25);
        }
}

/* Exchanging both sides reverses the normals. */
static void exchanged(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 400; n++) {
        obstacle o[3] = {{.shape = convex_shape(n % CONVEX)},
                         {.shape = convex_shape(n / CONVEX % CONVEX)}};
        contact c[SOLID_CONTACTS], d[SOLID_CONTACTS];
        random_pose(&seed, 0.8, o);
        random_pose(&seed, 0.8, o + 1);
        o[2] = o[0];
        int count = cord__solid_contacts(o, 0, 1, 0.1, c);
        assert_int_equal(count > 0, cord__solid_contacts(o, 1, 2, 0.1, d) > 0);
        if (count == 0) continue;
        double gap = check(o, c, count, 0.1, 1e-3), other = INFINITY;
        for (int k = 0; k < count; k++) other = fmin(other, d[k].gap);
        assert_close(gap, other, 1e-6);
        assert_close(v3_dot(c->normal, d->normal), -1, 1e-6);
    }
}

/* Small motions move normals little, but for the few pairs near a change of faces. */
static void continuity(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int jumps = 0, found = 0;
    for (int n = 0; n < 2000; n++) {
        obstacle o[2] = {{.shape = convex_shape(n % CONVEX)},
                         {.shape = convex_shape(n / CONVEX % CONVEX)}};
        contact c[SOLID_CONTACTS], d[SOLID_CONTACTS];
        random_pose(&seed, 0.8, o);
        random_pose(&seed, 0.8, o + 1);
        if (!cord__solid_contacts(o, 0, 1, 0.1, c) || c->gap < -0.15) continue;
        found++;
        o->x[n % 3] += 1e-6;
        rotate(o, 1e-6, -1e-6, 1e-6);
        if (!cord__solid_contacts(o, 0, 1, 0.1, d) || v3_distance(c->normal, d->normal) > 2e-5 ||
            fabs(c->gap - d->gap) > 1e-5)
            jumps++;
    }
    assert_true(found > 300);
    assert_true(jumps < found / 100);
}

/* ---- planes ---------------------------------------------------------------------------------- */

static obstacle plane_at(double z)
{
    return posed((obstacle_shape){.ops = &cord__plane_shape}, 0, 0, z, 0);
}

/* The least gap over an inclined plane is the height of the centre less the half width along its normal. */
static void over_plane(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int found = 0;
    for (int n = 0; n < 2000; n++) {
        obstacle o[2] = {{.shape = convex_shape(n % CONVEX)}, plane_at(0)};
        contact c[SOLID_CONTACTS];
        random_pose(&seed, 1, o);
        random_pose(&seed, 1, o + 1);
        double v[3];
        v3_sub(v, o[0].x, o[1].x);
        double expected = v3_dot(v, o[1].R + 6) - half_width(o, o[1].R + 6);
        int count = cord__solid_contacts(o, 0, 1, 0.1, c);
        assert_int_equal(count > 0, expected <= 0.1);
        if (count == 0) continue;
        found++;
        /* The lowest point of the sphere at a capsule's upper end is inside the capsule. */
        double accuracy = n % CONVEX == CAPSULE ? 1e-2 : 1e-12;
        assert_close(check(o, c, count, 0.1, accuracy), expected, 1e-6);
        assert_all_close(c->normal, o[1].R + 6, 3, 1e-15);
        /* The plane as the first side. */
        obstacle reversed[2] = {o[1], o[0]};
        contact d[SOLID_CONTACTS];
        assert_int_equal(cord__solid_contacts(reversed, 0, 1, 0.1, d), count);
        assert_close(check(reversed, d, count, 0.1, accuracy), expected, 1e-6);
    }
    assert_true(found > 500);
}

/* The numbers of contacts of solids that lie or stand on a plane, all with the same gap. */
static void resting_on_plane(void **state)
{
    (void)state;
    const struct {
        int kind;
        double tilt, height;
        int contacts;
    } cases[] = {{SPHERE, 0, 0.4, 1},   {CAPSULE, 0, 1.1, 1},       {CAPSULE, pi / 2, 0.4, 2},
                 {CYLINDER, 0, 0.7, 4}, {CYLINDER, pi / 2, 0.4, 2}, {BOX, 0, 0.8, 4},
                 {BOX, pi / 2, 0.3, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        obstacle o[2] = {posed(convex_shape(cases[i].kind), 3, 2, cases[i].height - 0.01, 0),
                         plane_at(0)};
        contact c[SOLID_CONTACTS];
        rotate(o, cases[i].tilt, 0, 0);
        rotate(o, 0, 0, 0.3);
        assert_int_equal(cord__solid_contacts(o, 0, 1, 0.05, c), cases[i].contacts);
        check(o, c, cases[i].contacts, 0.05, 1e-14);
        for (int k = 0; k < cases[i].contacts; k++) assert_close(c[k].gap, -0.01, 1e-14);
    }
}

/* A coin that rolls on its rim keeps the key of the lowest point. */
static void tilted_cylinder(void **state)
{
    (void)state;
    obstacle_shape coin = {&cord__cylinder_shape, .radius = 1, .half_length = 0.05};
    for (int i = 0; i < 50; i++) {
        obstacle o[2] = {posed(coin, 0, 0, 0, 0.02 * i), plane_at(0)};
        contact c[SOLID_CONTACTS];
        rotate(o, 0.4, 0, 0);
        o->x[2] = sin(0.4) + 0.05 * cos(0.4);
        assert_int_equal(cord__solid_contacts(o, 0, 1, 0.005, c), 1);
        assert_close(c->gap, 0, 1e-14);
        assert_true(c->key == cord__contact_key(OBSTACLE_NUMBERS, OBSTACLE_NUMBERS + 1, 8));
    }
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Every contact has this normal and gap. */
static void all_have(const contact *c, int count, double nx, double ny, double nz, double gap)
{
    for (int k = 0; k < count; k++) {
        assert_all_close(c[k].normal, ((double[]){nx, ny, nz}), 3, 1e-12);
        assert_close(c[k].gap, gap, 1e-12);
    }
}

static void box_on_box(void **state)
{
    (void)state;
    contact c[SOLID_CONTACTS];
    /* Corners of the smaller on the larger, whichever is above; also where it stands over the border. */
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? 0.2 : 0.9, z = 0.99;
        obstacle o[2] = {box_at(0.5, 0.5, 0.5, x, 0.1, z, 0.3 * (i % 2)),
                         box_at(1, 1, 0.5, 0, 0, 0, 0)};
        int count = cord__solid_contacts(o, 0, 1, 0.05, c);
        assert_true(count >= 4 && (i >= 2 || count == 4));
        check(o, c, count, 0.05, 1e-14);
        all_have(c, count, 0, 0, 1, -0.01);
        obstacle below[2] = {o[1], o[0]};
        assert_int_equal(cord__solid_contacts(below, 0, 1, 0.05, c), count);
        all_have(c, count, 0, 0, -1, -0.01);
    }
    /* Two planks crosswise: no corner of one is over the other. */
    obstacle planks[2] = {box_at(2, 0.2, 0.1, 0, 0, 0.21, 0.4), box_at(0.2, 2, 0.1, 0, 0, 0, 0)};
    assert_int_equal(cord__solid_contacts(planks, 0, 1, 0.05, c), 4);
    all_have(c, 4, 0, 0, 1, 0.01);
    /* Two squares at 45 degrees overlap in an octagon. */
    obstacle squares[2] = {box_at(1, 1, 0.5, 0, 0, 1, pi / 4), box_at(1, 1, 0.5, 0, 0, 0, 0)};
    assert_int_equal(cord__solid_contacts(squares, 0, 1, 0.05, c), 8);
    all_have(c, 8, 0, 0, 1, 0);
    check(squares, c, 8, 0.05, 1e-14);
}

/* A tilted face keeps the normal of the other, and each corner has its own gap. */
static void tilted_box(void **state)
{
    (void)state;
    contact c[SOLID_CONTACTS];
    const double angle = 1e-3;
    obstacle o[2] = {box_at(0.5, 0.5, 0.5, 0, 0, 0, 0), box_at(2, 2, 0.5, 0, 0, 0, 0)};
    rotate(o, 0, angle, 0);
    o->x[2] = 0.5 + 0.5 * cos(angle) + 0.5 * sin(angle);
    int count = cord__solid_contacts(o, 0, 1, 0.05, c);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++) {
        assert_all_close(c[k].normal, ((double[]){0, 0, 1}), 3, 1e-8);
        assert_close(c[k].gap, c[k].x[0][0] > 0 ? 0 : 2 * 0.5 * sin(angle), 1e-12);
    }
}

static void edges_and_corners(void **state)
{
    (void)state;
    contact c[SOLID_CONTACTS];
    const double d = sqrt(2);
    /* Two edges that cross at right angles. */
    obstacle o[2] = {box_at(1, 1, 1, 0, 0, 0, 0), box_at(1, 1, 1, 0, 0, 0, 0)};
    rotate(o, pi / 4, 0, 0);
    rotate(o + 1, 0, pi / 4, 0);
    for (int i = 0; i < 3; i++) {
        o->x[2] = 2 * d + 0.01 * (i - 1);
        assert_int_equal(cord__solid_contacts(o, 0, 1, 0.05, c), 1);
        all_have(c, 1, 0, 0, 1, 0.01 * (i - 1));
        check(o, c, 1, 0.05, 1e-12);
        assert_all_close(c->x[1], ((double[]){0, 0, d}), 3, 1e-12);
    }
    /* Parallel edges: contacts at both ends of their overlap. */
    obstacle e[2] = {o[0], o[0]};
    e->x[0] = 0.5;
    e[1].x[2] = 0;
    e->x[2] = 2 * d + 0.01;
    assert_int_equal(cord__solid_contacts(e, 0, 1, 0.05, c), 2);
    all_have(c, 2, 0, 0, 1, 0.01);
    assert_close(fabs(c[0].x[0][0] - c[1].x[0][0]), 1.5, 1e-12);
    /* Corner beside corner: the distance is along the diagonal. */
    obstacle k[2] = {box_at(1, 1, 1, 2.01, 2.01, 2.01, 0), box_at(1, 1, 1, 0, 0, 0, 0)};
    assert_int_equal(cord__solid_contacts(k, 0, 1, 0.05, c), 1);
    all_have(c, 1, 1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3), 0.01 * sqrt(3));
    assert_int_equal(cord__solid_contacts(k, 0, 1, 0.015, c), 0);
    /* Corner on corner. */
    k->x[0] = k->x[1] = k->x[2] = 2;
    int count = cord__solid_contacts(k, 0, 1, 0.05, c);
    assert_true(count >= 1);
    assert_close(check(k, c, count, 0.05, 1e-12), 0, 1e-12);
}

/* ---- cylinders and capsules ------------------------------------------------------------------ */

static void cylinder_on_box(void **state)
{
    (void)state;
    contact c[SOLID_CONTACTS];
    double centre[2] = {0, 0};
    obstacle o[2] = {posed(convex_shape(CYLINDER), 0.3, 0.2, 1.19, 0),
                     box_at(2, 2, 0.5, 0, 0, 0, 0)};
    int count = cord__solid_contacts(o, 0, 1, 0.05, c);
    assert_true(count >= 4);
    all_have(c, count, 0, 0, 1, -0.01);
    check(o, c, count, 0.05, 1e-12);
    for (int k = 0; k < count; k++) {
        assert_close(hypot(c[k].x[0][0] - 0.3, c[k].x[0][1] - 0.2), 0.4, 1e-12);
        centre[0] += c[k].x[0][0] / count, centre[1] += c[k].x[0][1] / count;
    }
    assert_all_close(centre, ((double[]){0.3, 0.2}), 2, 1e-12);
    /* Lying across a beam: the two ends of the overlap. */
    obstacle lying[2] = {posed(convex_shape(CYLINDER), 0, 0, 0.9, 0),
                         box_at(0.3, 2, 0.5, 0, 0, 0, 0)};
    rotate(lying, 0, pi / 2, 0);
    assert_int_equal(cord__solid_contacts(lying, 0, 1, 0.05, c), 2);
    all_have(c, 2, 0, 0, 1, 0);
    assert_close(fabs(c[0].x[0][0] - c[1].x[0][0]), 0.6, 1e-12);
    /* Side by side, and crossing. */
    obstacle pair[2] = {posed(convex_shape(CYLINDER), 0.81, 0, 0.2, 0),
                        posed(convex_shape(CYLINDER), 0, 0, 0, 1)};
    assert_int_equal(cord__solid_contacts(pair, 0, 1, 0.05, c), 2);
    all_have(c, 2, 1, 0, 0, 0.01);
    rotate(pair, 1, 0, 0);
    assert_int_equal(cord__solid_contacts(pair, 0, 1, 0.05, c), 1);
    all_have(c, 1, 1, 0, 0, 0.01);
    /* Two capsules side by side. */
    pair[0] = posed(convex_shape(CAPSULE), 0.81, 0, 0.2, 0);
    pair[1] = posed(convex_shape(CAPSULE), 0, 0, 0, 1);
    assert_int_equal(cord__solid_contacts(pair, 0, 1, 0.05, c), 2);
    all_have(c, 2, 1, 0, 0, 0.01);
}

/* Rims that cross: the normal is continuous through the gap zero. */
static void rim_on_rim(void **state)
{
    (void)state;
    double last[3] = {0, 0, 0};
    for (int i = -20; i <= 20; i++) {
        obstacle o[2] = {posed(convex_shape(CYLINDER), 0.75, 0.1, 0, 0),
                         posed(convex_shape(CYLINDER), 0, 0, 0, 0)};
        contact c[SOLID_CONTACTS];
        rotate(o, 0.5, 0.6, 0);
        /* Along the normal of the position at which they are in contact. */
        v3_axpy(o->x, 0.0005 * i, (double[]){0.5, 0, 0.8});
        o->x[2] += 1.1;
        int count = cord__solid_contacts(o, 0, 1, 0.2, c);
        assert_true(count >= 1);
        check(o, c, count, 0.2, 1e-6);
        if (i > -20) assert_true(v3_distance(c->normal, last) < 5e-3);
        v3_copy(last, c->normal);
    }
}

/* ---- deep overlap ---------------------------------------------------------------------------- */

static void deep(void **state)
{
    (void)state;
    for (int i = 0; i < CONVEX; i++)
        for (int j = 0; j < CONVEX; j++)
            for (int k = 0; k < 3; k++) {
                obstacle o[2] = {posed(convex_shape(i), 1e-3 * (k == 1), 0, 0, 0.2),
                                 posed(convex_shape(j), 0, 0, 0, 0)};
                contact c[SOLID_CONTACTS];
                if (k == 2) rotate(o, 0.3, 0.4, 0);
                int count = cord__solid_contacts(o, 0, 1, 0.05, c);
                assert_true(count >= 1);
                double least = INFINITY;
                for (int m = 0; m < count; m++) {
                    assert_close(v3_norm(c[m].normal), 1, 1e-12);
                    assert_true(isfinite(v3_norm(c[m].x[0]) + v3_norm(c[m].x[1])));
                    least = fmin(least, c[m].gap);
                }
                /* A sphere is within every half width; the largest of the shapes is 0.7. */
                assert_true(least < -0.55 && least > -1.2);
            }
}

/* ---- identity -------------------------------------------------------------------------------- */

/* The keys of contacts that persist while the first obstacle moves and rotates a little. */
static void keys_persist(const obstacle pair[2], double tilt, int expected)
{
    obstacle o[2] = {pair[0], pair[1]};
    contact c[SOLID_CONTACTS], d[SOLID_CONTACTS];
    int count = cord__solid_contacts(o, 0, 1, 0.05, c);
    assert_int_equal(count, expected);
    for (int i = 0; i < 20; i++) {
        o->x[0] += 1e-3, o->x[1] -= 5e-4;
        rotate(o, tilt, -2 * tilt, 2e-3);
        assert_int_equal(cord__solid_contacts(o, 0, 1, 0.05, d), count);
        for (int k = 0; k < count; k++) {
            assert_true(c[k].key == d[k].key);
            assert_true(v3_distance(c[k].x[0], d[k].x[0]) < 6e-3);
            c[k] = d[k];
        }
    }
}

static void identity_persists(void **state)
{
    (void)state;
    obstacle boxes[2] = {box_at(0.5, 0.4, 0.3, 0.1, 0, 0.8, 0.3), box_at(1, 1, 0.5, 0, 0, 0, 0)};
    keys_persist(boxes, 1e-5, 4);
    obstacle below[2] = {boxes[1], boxes[0]};
    keys_persist(below, 1e-5, 4);
    obstacle planks[2] = {box_at(2, 0.2, 0.1, 0, 0, 0.21, 0.4), box_at(0.2, 2, 0.1, 0, 0, 0, 0)};
    keys_persist(planks, 1e-5, 4);
    obstacle squares[2] = {box_at(1, 1, 0.5, 0, 0, 1, pi / 4), box_at(1, 1, 0.5, 0, 0, 0, 0)};
    keys_persist(squares, 1e-5, 8);
    obstacle on_plane[2] = {boxes[0], plane_at(0.5)};
    keys_persist(on_plane, 1e-5, 4);
    obstacle standing[2] = {posed(convex_shape(CYLINDER), 0, 0, 1.2, 0),
                            box_at(1, 1, 0.5, 0, 0, 0, 0)};
    keys_persist(standing, 0, 6);
}

/* ---- meshes and fields ----------------------------------------------------------------------- */

/* A bridge: an arch of two feet, extruded along y; not convex. Counterclockwise outline in (x, z). */
enum { OUTLINE = 8 };
static const double outline[OUTLINE][2] = {{-1, 0},  {-0.6, 0}, {-0.6, 0.5}, {0.6, 0.5},
                                           {0.6, 0}, {1, 0},    {1, 1},      {-1, 1}};

static triangle_mesh *bridge(void)
{
    double x[2 * OUTLINE][3];
    int t[64][3], count = 0;
    for (int i = 0; i < OUTLINE; i++)
        for (int side = 0; side < 2; side++)
            v3_set(x[side * OUTLINE + i], outline[i][0], side - 0.5, outline[i][1]);
    for (int i = 0; i < OUTLINE; i++) {
        int j = (i + 1) % OUTLINE;
        const int quad[2][3] = {{i, j, j + OUTLINE}, {i, j + OUTLINE, i + OUTLINE}};
        for (int k = 0; k < 2; k++, count++)
            for (int m = 0; m < 3; m++) t[count][m] = quad[k][2 - m];
    }
    const int cap[6][3] = {{0, 1, 2}, {0, 2, 7}, {2, 3, 6}, {2, 6, 7}, {3, 4, 5}, {3, 5, 6}};
    for (int i = 0; i < 6; i++, count += 2)
        for (int m = 0; m < 3; m++) {
            t[count][m] = cap[i][m];
            t[count + 1][m] = OUTLINE + cap[i][2 - m];
        }
    triangle_mesh *mesh;
    assert_int_equal(cord__mesh_create(&heap, x[0], 2 * OUTLINE, t[0], count, &mesh), CORD_OK);
    return mesh;
}

static void mesh_on_plane(void **state)
{
    (void)state;
    triangle_mesh *mesh = bridge();
    obstacle o[2] = {posed((obstacle_shape){&cord__mesh_shape, .mesh = mesh}, 4, 0, 0.01, 0.7),
                     plane_at(0)};
    contact c[SOLID_CONTACTS];
    double normal[3];
    assert_true(cord__obstacle_distance(o, (double[]){4, 0, 0.3}, normal) >
                0.1); /* below the arch */
    assert_true(cord__obstacle_distance(o, (double[]){4, 0, 0.8}, normal) < -0.1);
    /* Four of the eight vertices of the feet span them. */
    int count = cord__solid_contacts(o, 0, 1, 0.05, c), corners = 0;
    assert_true(count >= 4);
    all_have(c, count, 0, 0, 1, 0.01);
    check(o, c, count, 0.05, 1e-12);
    for (int k = 0; k < count; k++) {
        double v[3], y[3];
        v3_sub(v, c[k].x[0], o->x);
        m3_apply_transposed(y, o->R, v);
        if (fabs(fabs(y[0]) - 1) < 1e-12) corners++;
    }
    assert_int_equal(corners, 4);
    keys_persist(o, 1e-5, count);
    /* Tilted: the edge below. */
    rotate(o, 0, 0, -0.7);
    rotate(o, 0, 0.3, 0);
    o->x[2] = sin(0.3) - 0.01;
    count = cord__solid_contacts(o, 0, 1, 0.05, c);
    assert_int_equal(count, 2);
    all_have(c, 2, 0, 0, 1, -0.01);
    cord__mesh_destroy(&heap, mesh);
}

static void mesh_and_solids(void **state)
{
    (void)state;
    triangle_mesh *mesh = bridge();
    obstacle_shape shape = {&cord__mesh_shape, .mesh = mesh};
    contact c[SOLID_CONTACTS];
    /* Its feet on a box, a box on its deck, a sphere under its arch, a mesh on a mesh. */
    obstacle on_box[2] = {posed(shape, 0, 0, 0.51, 0), box_at(2, 2, 0.5, 0, 0, 0, 0)};
    int count = cord__solid_contacts(on_box, 0, 1, 0.05, c);
    assert_true(count >= 4);
    all_have(c, count, 0, 0, 1, 0.01);
    obstacle box[2] = {box_at(0.3, 0.3, 0.3, 0.2, 0, 1.29, 0.4), posed(shape, 0, 0, 0, 0)};
    count = cord__solid_contacts(box, 0, 1, 0.05, c);
    assert_int_equal(count, 4);
    all_have(c, count, 0, 0, 1, -0.01);
    check(box, c, count, 0.05, 1e-12);
    obstacle ball[2] = {
        posed((obstacle_shape){&cord__sphere_shape, .radius = 0.2}, 0.1, 0.05, 0.29, 0),
        posed(shape, 0, 0, 0, 0)};
    assert_int_equal(cord__solid_contacts(ball, 0, 1, 0.05, c), 1);
    all_have(c, 1, 0, 0, -1, 0.01);
    obstacle stack[2] = {posed(shape, 0.1, 0, 1.01, pi / 2), posed(shape, 0, 0, 0, 0)};
    stack[0].x[0] = 0.8, stack[0].x[1] = 0.5;
    count = cord__solid_contacts(stack, 0, 1, 0.05, c);
    assert_true(count >= 2);
    all_have(c, count, 0, 0, 1, 0.01);
    cord__mesh_destroy(&heap, mesh);
}

enum { NODES = 41 };
static double heights[NODES * NODES], distances[NODES * NODES * NODES];

static void fields(void **state)
{
    (void)state;
    const double spacing = 0.1, slope = 0.25, n = 1 / sqrt(1 + slope * slope);
    contact c[SOLID_CONTACTS];
    for (int i = 0; i < NODES * NODES; i++) heights[i] = slope * spacing * (i % NODES);
    obstacle_shape hill = {&cord__height_field_shape, .field = {{NODES, NODES}, spacing, heights}};
    obstacle o[2] = {posed(convex_shape(SPHERE), 2, 2, 0.5 + 0.41 / n, 0), posed(hill, 0, 0, 0, 0)};
    assert_int_equal(cord__solid_contacts(o, 0, 1, 0.05, c), 1);
    all_have(c, 1, -slope * n, 0, n, 0.01);
    /* A box whose face is along the slope: its corners. */
    o[0] = box_at(0.3, 0.4, 0.2, 2 - 0.21 * slope * n, 2, 0.5 + 0.21 * n, 0);
    rotate(o, 0, -atan(slope), 0);
    int count = cord__solid_contacts(o, 0, 1, 0.05, c);
    assert_true(count >= 4);
    all_have(c, count, -slope * n, 0, n, 0.01);
    /* A sphere of radius 1 by its distances: a capsule beside it, and a cylinder above. */
    for (int i = 0; i < NODES * NODES * NODES; i++) {
        double x[3] = {i % NODES * spacing, i / NODES % NODES * spacing,
                       i / NODES / NODES * spacing};
        distances[i] = v3_distance(x, (double[]){2, 2, 2}) - 1;
    }
    obstacle_shape grid = {&cord__distance_grid_shape,
                           .grid = {{NODES, NODES, NODES}, spacing, distances}};
    o[1] = posed(grid, 0, 0, 0, 0);
    o[0] = posed(convex_shape(CAPSULE), 3.41, 2, 2, 0);
    count = cord__solid_contacts(o, 0, 1, 0.05, c);
    assert_true(count >= 1);
    assert_close(check(o, c, count, 0.05, 1e-2), 0.01, 2e-3);
    assert_close(c->normal[0], 1, 2e-2);
    o[0] = posed(convex_shape(CYLINDER), 2, 2, 3.71, 0);
    assert_true(cord__solid_contacts(o, 0, 1, 0.05, c) >= 1);
    /* Without points there are no contacts. */
    o[0] = plane_at(2);
    assert_int_equal(cord__solid_contacts(o, 0, 1, 0.05, c), 0);
}

/* ---- broad phase ----------------------------------------------------------------------------- */

enum { MANY = 120 };

static void pairs(void **state)
{
    (void)state;
    uint64_t seed = 9;
    obstacle o[MANY];
    bool moves[MANY];
    solid_pairs p = {0};
    contact c[SOLID_CONTACTS];
    const double margin = 0.05;
    for (int i = 0; i < MANY; i++) {
        o[i] = (obstacle){
            .shape = convex_shape(i % CONVEX), .group = 1u << i % 3, .mask = i % 7 ? 7 : 2};
        if (i % 40 == 0) o[i].shape.ops = &cord__plane_shape;
        random_pose(&seed, 4, o + i);
        moves[i] = i % 4 != 0;
    }
    assert_int_equal(cord__solid_pairs(o, moves, MANY, margin, &p), CORD_ERROR_MEMORY);
    assert_int_equal(cord__solid_pairs_reserve(&heap, &p, MANY, 3), CORD_OK);
    assert_int_equal(cord__solid_pairs(o, moves, MANY, margin, &p), CORD_ERROR_MEMORY);
    int needed = p.pair_count;
    assert_int_equal(cord__solid_pairs_reserve(&heap, &p, MANY, needed), CORD_OK);
    assert_int_equal(cord__solid_pairs(o, moves, MANY, margin, &p), CORD_OK);
    assert_int_equal(p.pair_count, needed);
    /* Every pair with a contact is there, no other is twice or must not be. */
    int at = 0, found = 0;
    for (int i = 0; i < MANY; i++)
        for (int j = i + 1; j < MANY; j++) {
            bool listed = at < needed && p.pairs[at].first == i && p.pairs[at].second == j;
            bool admitted =
                (moves[i] || moves[j]) && o[i].mask & o[j].group && o[j].mask & o[i].group;
            bool touching = cord__solid_contacts(o, i, j, margin, c) > 0;
            assert_true(listed ? admitted : !(admitted && touching));
            at += listed, found += listed && touching;
        }
    assert_int_equal(at, needed);
    assert_true(found > 50 && needed < 12 * found);
    o[5].x[1] = NAN;
    assert_int_equal(cord__solid_pairs(o, moves, MANY, margin, &p), CORD_ERROR_NOT_FINITE);
    cord__solid_pairs_release(&heap, &p);
}

static int set_up(void **state)
{
    (void)state;
    cord__memory_init(&heap, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return heap.bytes == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_pairs),
        cmocka_unit_test(exchanged),
        cmocka_unit_test(continuity),
        cmocka_unit_test(over_plane),
        cmocka_unit_test(resting_on_plane),
        cmocka_unit_test(tilted_cylinder),
        cmocka_unit_test(box_on_box),
        cmocka_unit_test(tilted_box),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(cylinder_on_box),
        cmocka_unit_test(rim_on_rim),
        cmocka_unit_test(deep),
        cmocka_unit_test(identity_persists),
        cmocka_unit_test(mesh_on_plane),
        cmocka_unit_test(mesh_and_solids),
        cmocka_unit_test(fields),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
