/* Solids as triangles: closed, oriented outwards, and of the right size. */
#include "math/vec3.h"
#include "record/solid.h"
#include "support/test.h"

static const double pi = 3.14159265358979323846;

/* Volume and surface by the triangles; normals must have the orientation of their triangles. */
static double volume_of(const solid_mesh *m, double *area, double *facing)
{
    double volume = 0;
    *area = 0, *facing = 1;
    for (int t = 0; t < m->triangle_count; t++) {
        const int *c = m->triangles + 3 * (size_t)t;
        double a[3], b[3], n[3];
        for (int k = 0; k < 3; k++) assert_true(c[k] >= 0 && c[k] < m->vertex_count);
        v3_sub(a, m->vertices + 3 * c[1], m->vertices + 3 * c[0]);
        v3_sub(b, m->vertices + 3 * c[2], m->vertices + 3 * c[0]);
        v3_cross(n, a, b);
        volume += v3_dot(n, m->vertices + 3 * c[0]) / 6;
        *area += v3_norm(n) / 2;
        for (int k = 0; k < 3 && v3_norm(n) > 1e-14; k++)
            *facing = fmin(*facing, v3_dot(n, m->normals + 3 * c[k]) / v3_norm(n));
    }
    return volume;
}

static void check(cord_shape shape, double bevel, double volume, double area, double slack)
{
    memory mem;
    solid_mesh m;
    double surface, facing;
    cord__memory_init(&mem, NULL);
    assert_int_equal(cord__solid_mesh(&mem, &shape, 96, bevel, &m), CORD_OK);
    assert_close(volume_of(&m, &surface, &facing), volume, slack * volume);
    assert_close(surface, area, slack * area);
    assert_true(facing > 0.7);
    double reach = 0;
    for (int i = 0; i < m.vertex_count; i++) {
        reach = fmax(reach, v3_norm(m.vertices + 3 * i));
        assert_close(v3_norm(m.normals + 3 * i), 1, 1e-12);
    }
    assert_true(reach <= cord__solid_reach(&shape) * (1 + 1e-12));
    assert_true(bevel > 0 || reach >= cord__solid_reach(&shape) * 0.999);
    cord__solid_free(&mem, &m);
}

static void shapes(void **unused)
{
    (void)unused;
    const double r = 0.3, l = 0.8;
    check((cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = r}, 0, 4 * pi / 3 * r * r * r,
          4 * pi * r * r, 3e-3);
    check((cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = r, .length = l}, 0, pi * r * r * l,
          2 * pi * r * (r + l), 3e-3);
    check((cord_shape){.kind = CORD_SHAPE_CAPSULE, .radius = r, .length = l}, 0,
          pi * r * r * (l + 4 * r / 3), 2 * pi * r * (l + 2 * r), 3e-3);
    check((cord_shape){.kind = CORD_SHAPE_BOX, .size = {1, 2, 3}}, 0, 6, 22, 1e-14);
    /* with rounded edges: a little less, by (4 − π) b² per length of edge and the corners */
    double b = 0.05;
    check((cord_shape){.kind = CORD_SHAPE_BOX, .size = {1, 2, 3}}, b,
          6 - (1 - pi / 4) * b * b * 4 * 6, 22 - 4 * 6 * b * (2 - pi / 2), 3e-3);
    check((cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = r, .length = l}, 0.01, pi * r * r * l,
          2 * pi * r * (r + l), 0.02);
    memory mem;
    solid_mesh none;
    cord__memory_init(&mem, NULL);
    assert_int_equal(cord__solid_mesh(&mem, &(cord_shape){0}, 96, 0, &none), CORD_OK);
    assert_int_equal(none.triangle_count, 0);
    assert_true(cord__solid_reach(&(cord_shape){0}) == 0);
}

/* A tetrahedron has sharp edges: its corners' normals are its faces'. */
static void meshes(void **unused)
{
    (void)unused;
    static const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    cord_shape shape = {.kind = CORD_SHAPE_MESH,
                        .vertex_count = 4,
                        .triangle_count = 4,
                        .vertices = x,
                        .triangles = faces};
    check(shape, 0, 1.0 / 6, 1.5 + sqrt(3) / 2, 1e-14);
    memory mem;
    solid_mesh m;
    cord__memory_init(&mem, NULL);
    assert_int_equal(cord__solid_mesh(&mem, &shape, 8, 0, &m), CORD_OK);
    assert_int_equal(m.vertex_count, 12);
    assert_all_close(m.normals, ((double[]){0, 0, -1}), 3, 1e-14);
    cord__solid_free(&mem, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
