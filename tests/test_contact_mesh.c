#include "contact/mesh.h"
#include "support/contact_strands.h"
#include "support/failing_allocator.h"
#include "support/test.h"

#include <stdlib.h>

static memory heap;

static const double half[3] = {0.5, 0.8, 1.1};
static double corner[8][3];
static const int faces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                 {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};

static int set_up(void **state)
{
    (void)state;
    cord__memory_init(&heap, NULL);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) corner[i][k] = i >> k & 1 ? half[k] : -half[k];
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return heap.bytes == 0 ? 0 : -1;
}

static triangle_mesh *make(const double (*x)[3], int vertices, const int (*t)[3], int triangles)
{
    triangle_mesh *mesh;
    assert_int_equal(cord__mesh_create(&heap, *x, vertices, *t, triangles, &mesh), CORD_OK);
    return mesh;
}

/* A box of twelve triangles has the distance of the box, inside and outside, beside faces, edges and corners. */
static void box_of_triangles(void **state)
{
    (void)state;
    triangle_mesh *mesh = make((const double(*)[3])corner, 8, faces, 12);
    const obstacle_shape m = {&cord__mesh_shape, .mesh = mesh};
    const obstacle_shape box = {&cord__box_shape, .half = {half[0], half[1], half[2]}};
    uint64_t seed = 1;
    int inside = 0;
    for (int i = 0; i < 20000; i++) {
        double x[3], normal[3], expected[3];
        random_vector(&seed, 3, x);
        v3_scale(x, 1.6, x);
        double d = box.ops->distance(&box, x, expected);
        assert_close(m.ops->distance(&m, x, normal), d, 1e-14);
        if (d < 0) inside++;
        /* Inside the nearest face is ambiguous on planes between them only. */
        if (fabs(d) > 1e-6) assert_all_close(normal, expected, 3, 1e-9);
    }
    assert_true(inside > 1000);
    double low[3], high[3], normal[3];
    m.ops->bounds(&m, low, high);
    assert_all_close(high, half, 3, 0);
    assert_close(m.ops->distance(&m, (double[]){0.1, 0.2, 1.1}, normal), 0, 1e-15);
    assert_close(normal[2], 1, 1e-15);
    cord__mesh_destroy(&heap, mesh);
}

enum { RINGS = 40, SECTORS = 80 };
static double ball_vertex[(RINGS - 1) * SECTORS + 2][3];
static int ball_face[2 * (RINGS - 1) * SECTORS][3];

static void add_face(int *count, int a, int b, int c)
{
    int *f = ball_face[(*count)++];
    f[0] = a, f[1] = b, f[2] = c;
}

/* A unit sphere of 6240 triangles by latitude and longitude. */
static triangle_mesh *ball(void)
{
    const double pi = 3.14159265358979323846;
    int n = 0, count = 0, top, bottom;
    for (int r = 1; r < RINGS; r++)
        for (int s = 0; s < SECTORS; s++) {
            double latitude = pi * r / RINGS, longitude = 2 * pi * s / SECTORS;
            v3_set(ball_vertex[n++], sin(latitude) * cos(longitude), sin(latitude) * sin(longitude),
                   cos(latitude));
        }
    top = n, bottom = n + 1;
    v3_set(ball_vertex[top], 0, 0, 1);
    v3_set(ball_vertex[bottom], 0, 0, -1);
    for (int s = 0; s < SECTORS; s++) {
        int t = (s + 1) % SECTORS, last = (RINGS - 2) * SECTORS;
        add_face(&count, top, s, t);
        add_face(&count, bottom, last + t, last + s);
        for (int r = 0; r < RINGS - 2; r++) {
            int a = r * SECTORS, b = a + SECTORS;
            add_face(&count, a + s, b + s, b + t);
            add_face(&count, a + s, b + t, a + t);
        }
    }
    return make((const double(*)[3])ball_vertex, n + 2, (const int(*)[3])ball_face, count);
}

/* The sphere: within the sagitta of the triangles; and the tree finds the same as a search of all triangles. */
static void ball_of_triangles(void **state)
{
    (void)state;
    triangle_mesh *mesh = ball();
    const obstacle_shape m = {&cord__mesh_shape, .mesh = mesh};
    uint64_t seed = 2;
    for (int i = 0; i < 300; i++) {
        double x[3], normal[3], least = INFINITY;
        random_vector(&seed, 3, x);
        v3_scale(x, 1.5, x);
        double d = m.ops->distance(&m, x, normal), r = v3_norm(x);
        assert_close(d, r - 1, 2e-3); /* 1 − cos of half an edge in both directions: 1.5e-3 */
        for (int k = 0; k < mesh->triangle_count; k++) {
            const mesh_triangle *t = mesh->triangles + k;
            double p[3];
            cord__closest_on_triangle(t->x, x, p);
            least = fmin(least, v3_distance(x, p));
        }
        assert_close(fabs(d), least, 1e-15);
    }
    cord__mesh_destroy(&heap, mesh);
}

/* The closest point of a triangle against dense sampling, and its feature by the coordinates of the point. */
static void closest_on_triangle(void **state)
{
    (void)state;
    enum { SAMPLES = 60 };
    uint64_t seed = 3;
    for (int n = 0; n < 300; n++) {
        mesh_triangle t;
        double p[3], closest[3], least = INFINITY;
        for (int i = 0; i < 3; i++) random_vector(&seed, 3, t.x[i]);
        random_vector(&seed, 3, p);
        v3_scale(p, 2, p);
        const mesh_triangle *c = &t;
        int feature = cord__closest_on_triangle(c->x, p, closest);
        for (int i = 0; i <= SAMPLES; i++)
            for (int j = 0; i + j <= SAMPLES; j++) {
                double u = i / (double)SAMPLES, v = j / (double)SAMPLES, x[3];
                v3_combine(x, u, t.x[0], v, t.x[1]);
                v3_axpy(x, 1 - u - v, t.x[2]);
                least = fmin(least, v3_distance(x, p));
            }
        double d = v3_distance(closest, p);
        assert_true(d <= least + 1e-14 && d >= least - 0.05);
        if (feature < 3) assert_close(v3_distance(closest, t.x[feature]), 0, 0);
        if (feature >= 3 && feature < 6) { /* on the edge opposite to the vertex */
            const double *a = t.x[(feature + 1) % 3], *b = t.x[(feature + 2) % 3];
            double along = v3_distance(a, closest) + v3_distance(closest, b);
            assert_close(along, v3_distance(a, b), 1e-14);
        }
    }
}

/* A segment over a ridge: the least gap of a shape that is not convex, narrower than the segment. */
static void segment_over_a_mesh(void **state)
{
    (void)state;
    triangle_mesh *mesh = make((const double(*)[3])corner, 8, faces, 12);
    obstacle o = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .group = 1, .mask = 1};
    o.shape = (obstacle_shape){&cord__mesh_shape, .mesh = mesh};
    cord__obstacle_bounds(&o);
    const contact_curve straight = {.group = 1, .mask = 1};
    /* Across the edge at x = 0.5, z = 1.1, inclined by 45 degrees. */
    const double a[3] = {-4.4, 0.1, 6.1}, b[3] = {5.6, 0.1, -3.9};
    contact_segment g = single_segment(a, b, 0.05, 0);
    contact c[PAIR_CONTACTS];
    assert_int_equal(cord__obstacle_contacts(&straight, &g, 0, &o, 0, 0.1, c), 1);
    assert_close(c->gap, 0.1 / sqrt(2) - 0.05, 1e-7);
    assert_close(c->normal[0], sqrt(0.5), 2e-3);
    assert_close(c->normal[2], sqrt(0.5), 2e-3);
    cord__mesh_destroy(&heap, mesh);
}

static void wrong_meshes(void **state)
{
    (void)state;
    triangle_mesh *mesh;
    const double *x = *corner;
    const int out_of_range[1][3] = {{0, 1, 8}}, no_area[1][3] = {{0, 1, 1}};
    const double not_a_number[3][3] = {{0, 0, 0}, {1, 0, NAN}, {0, 1, 0}};
    const int one[1][3] = {{0, 1, 2}};
    assert_int_equal(cord__mesh_create(&heap, x, 8, *out_of_range, 1, &mesh), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__mesh_create(&heap, x, 8, *no_area, 1, &mesh), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__mesh_create(&heap, *not_a_number, 3, *one, 1, &mesh),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__mesh_create(&heap, x, 8, *one, 0, &mesh), CORD_ERROR_ARGUMENT);
    assert_null(mesh);
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (int k = 0;; k++) {
        failing_allocator failing = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&failing);
        memory m;
        triangle_mesh *mesh;
        cord__memory_init(&m, &ops);
        cord_status status = cord__mesh_create(&m, *corner, 8, *faces, 12, &mesh);
        cord__mesh_destroy(&m, mesh);
        assert_int_equal(failing.live, 0);
        if (!failing.failed) break;
        assert_int_equal(status, CORD_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_of_triangles),    cmocka_unit_test(ball_of_triangles),
        cmocka_unit_test(closest_on_triangle), cmocka_unit_test(segment_over_a_mesh),
        cmocka_unit_test(wrong_meshes),        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
