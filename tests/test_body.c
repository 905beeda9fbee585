/* Rigid bodies: mass properties, motion without and with forces, joints made of relations, holding
 * and scripts, and that the world stays whole whatever is asked of it. */
#include "math/rotation.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const integration *const trapezoid = integrations + 0, *const midpoint = integrations + 3;

static cord_world *weightless(const integration *by)
{
    cord_world *w = scene_world(by);
    assert_fine(w, cord_world_set_gravity(w, (double[]){0, 0, 0}));
    return w;
}

static cord_body add(cord_world *w, const cord_body_def *def)
{
    cord_body body;
    assert_fine(w, cord_world_add_body(w, def, &body));
    return body;
}

static cord_body_def box(double x, double y, double z)
{
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {x, y, z}};
    return def;
}

static cord_point on(cord_world *w, cord_body body, double x, double y, double z)
{
    cord_point_def def = cord_point_def_default();
    cord_point point;
    def.source = CORD_SOURCE_BODY, def.body = body;
    v3_set(def.position, x, y, z);
    assert_fine(w, cord_world_add_point(w, &def, &point));
    return point;
}

static void steps(cord_world *w, int count, double h)
{
    for (int i = 0; i < count; i++) assert_fine(w, cord_world_step(w, h));
}

static double worst_residual(cord_world *w, cord_relation relation)
{
    double g[6], worst = 0;
    int rows;
    assert_fine(w, cord_relation_residual(w, relation, &rows, g));
    for (int i = 0; i < rows; i++) worst = fmax(worst, fabs(g[i]));
    return worst;
}

/* ---- mass properties ---------------------------------------------------------------------------- */

static cord_body_info info_of(const cord_body_def *def)
{
    cord_world *w = scene_world(NULL);
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, add(w, def), &info));
    cord_world_destroy(w);
    return info;
}

static void shapes(void **unused)
{
    (void)unused;
    cord_body_def def = cord_body_def_default();
    const double r = 0.3, l = 0.8, density = 700;
    def.density = density;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = r};
    cord_body_info i = info_of(&def);
    double m = density * 4 / 3 * pi * r * r * r;
    assert_close(i.mass, m, 1e-12 * m);
    assert_all_close(i.moments, ((double[]){0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r}), 3,
                     1e-12 * m);
    def = box(0.1, 0.2, 0.5), def.density = density;
    i = info_of(&def), m = density * 0.01;
    assert_close(i.mass, m, 1e-12 * m);
    assert_all_close(i.moments, ((double[]){m * 0.29 / 12, m * 0.26 / 12, m * 0.05 / 12}), 3,
                     1e-12 * m);
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = r, .length = l};
    i = info_of(&def), m = density * pi * r * r * l;
    double across = m * (3 * r * r + l * l) / 12;
    assert_close(i.mass, m, 1e-12 * m);
    assert_all_close(i.moments, ((double[]){across, across, m * r * r / 2}), 3, 1e-12 * m);
    /* A capsule's inertia by quadrature over discs. */
    def.shape = (cord_shape){.kind = CORD_SHAPE_CAPSULE, .radius = r, .length = l};
    i = info_of(&def);
    double volume = 0, about = 0, along = 0;
    enum { SLICES = 20000 };
    for (int k = 0; k < SLICES; k++) {
        double z = (l / 2 + r) * (2 * (k + 0.5) / SLICES - 1), beyond = fmax(fabs(z) - l / 2, 0);
        double r2 = r * r - beyond * beyond, slice = pi * r2 * (l + 2 * r) / SLICES;
        volume += slice;
        along += slice * r2 / 2, about += slice * (r2 / 4 + z * z);
    }
    assert_close(i.mass, density * volume, 1e-7 * i.mass);
    assert_all_close(i.moments, ((double[]){density * about, density * about, density * along}), 3,
                     1e-7 * i.mass);
    /* A mass in place of a density scales. */
    def.mass = 2;
    cord_body_info scaled = info_of(&def);
    assert_close(scaled.mass, 2, 1e-15);
    assert_close(scaled.moments[2] / scaled.mass, i.moments[2] / i.mass, 1e-14);
}

static const double cube[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const int cube_faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

/* A box made of triangles, turned and moved: the closed form's, in turned axes. */
static void meshes(void **unused)
{
    (void)unused;
    double turn[9], x[24];
    cord__rotation_exp(turn, (double[]){0.3, -0.8, 0.5});
    for (int i = 0; i < 8; i++) {
        double corner[3] = {0.1 * (cube[3 * i] - 0.5), 0.2 * (cube[3 * i + 1] - 0.5),
                            0.5 * (cube[3 * i + 2] - 0.5)};
        m3_apply(x + 3 * i, turn, corner);
        v3_add(x + 3 * i, x + 3 * i, (double[]){3, -20, 7});
    }
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 8,
                             .triangle_count = 12,
                             .vertices = x,
                             .triangles = cube_faces};
    cord_body_info i = info_of(&def);
    assert_close(i.mass, 10, 1e-12);
    assert_all_close(i.center, ((double[]){3, -20, 7}), 3, 1e-12);
    assert_all_close(i.moments, ((double[]){0.5 / 12, 2.6 / 12, 2.9 / 12}), 3, 1e-12);
    /* The axes are the box's, z first. */
    for (int k = 0; k < 3; k++)
        assert_close(fabs(v3_dot(i.axes + 3 * k, turn + 3 * (2 - k))), 1, 1e-12);
    assert_close(v3_dot(i.axes + 6, ((double[]){i.axes[1] * i.axes[5] - i.axes[2] * i.axes[4],
                                                i.axes[2] * i.axes[3] - i.axes[0] * i.axes[5],
                                                i.axes[0] * i.axes[4] - i.axes[1] * i.axes[3]})),
                 1, 1e-12);
}

static void refused(cord_world *w, const cord_body_def *def, const char *word)
{
    cord_body body;
    assert_int_equal(cord_world_add_body(w, def, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(body.index, 0);
    if (!strstr(cord_world_error(w), word)) print_error("%s\n", cord_world_error(w));
    assert_non_null(strstr(cord_world_error(w), word));
}

static void wrong_meshes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = cord_body_def_default(), good;
    int faces[36];
    memcpy(faces, cube_faces, sizeof faces);
    def.name = "cube";
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 8,
                             .triangle_count = 12,
                             .vertices = cube,
                             .triangles = faces};
    good = def;
    add(w, &def);
    faces[1] = 3, faces[2] = 2; /* one the wrong way round */
    refused(w, &def, "not closed");
    assert_non_null(strstr(cord_world_error(w), "cube"));
    faces[1] = 2, faces[2] = 3;
    for (int t = 0; t < 12; t++)
        faces[3 * t + 1] = cube_faces[3 * t + 2], faces[3 * t + 2] = cube_faces[3 * t + 1];
    refused(w, &def, "inside out");
    memcpy(faces, cube_faces, sizeof faces);
    def.shape.triangle_count = 11;
    refused(w, &def, "not closed");
    def = good, faces[5] = 8;
    refused(w, &def, "triangles that name them");
    faces[5] = -1;
    refused(w, &def, "triangles that name them");
    faces[5] = cube_faces[5];
    def.shape.vertices = NULL;
    refused(w, &def, "vertices");
    def = good, def.shape.triangle_count = 3;
    refused(w, &def, "vertices");
    def = good, def.shape.vertex_count = INT32_MAX;
    refused(w, &def, "vertices");
    double far[24];
    memcpy(far, cube, sizeof far);
    far[4] = NAN, def = good, def.shape.vertices = far;
    refused(w, &def, "finite");
    cord_world_destroy(w);
}

static void given_inertia(void **unused)
{
    (void)unused;
    cord_body_def def = cord_body_def_default();
    double turn[9], scaled[9], inverse[9];
    const double moments[3] = {1, 2, 2.5};
    cord__rotation_exp(turn, (double[]){1, 0.2, -0.4});
    for (int c = 0; c < 3; c++) v3_scale(scaled + 3 * c, moments[c], turn + 3 * c);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) inverse[3 * c + r] = turn[3 * r + c];
    def.mass = 3, v3_set(def.center, 0.1, 0.2, -0.3);
    m3_multiply(def.inertia, scaled, inverse);
    cord_body_info i = info_of(&def);
    assert_all_close(i.moments, moments, 3, 1e-13);
    assert_all_close(i.center, def.center, 3, 0);
    for (int k = 0; k < 3; k++) assert_close(fabs(v3_dot(i.axes + 3 * k, turn + 3 * k)), 1, 1e-12);
    /* Where the axes are the body's own does not show from outside: poses go in and out. */
    cord_world *w = scene_world(NULL);
    double place[3], frame[9];
    cord__rotation_exp(def.frame, (double[]){-0.3, 2, 0.7});
    v3_set(def.position, 5, 6, 7);
    cord_body body = add(w, &def);
    assert_fine(w, cord_body_pose(w, body, place, frame));
    assert_all_close(place, def.position, 3, 1e-14);
    assert_all_close(frame, def.frame, 9, 1e-14);
    assert_fine(w, cord_body_set_pose(w, body, (double[]){1, 2, 3}, turn));
    assert_fine(w, cord_body_pose(w, body, place, frame));
    assert_all_close(place, ((double[]){1, 2, 3}), 3, 1e-14);
    assert_all_close(frame, turn, 9, 1e-14);
    assert_fine(w, cord_point_place(w, on(w, body, 0.5, -1, 2), place, frame));
    double expected[3];
    m3_apply(expected, turn, (double[]){0.5, -1, 2});
    v3_add(expected, expected, (double[]){1, 2, 3});
    assert_all_close(place, expected, 3, 1e-14);
    assert_all_close(frame, turn, 9, 1e-14);
    cord_world_destroy(w);
}

static void wrong_definitions(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = cord_body_def_default(), good = box(1, 1, 1);
    refused(w, &def, "needs a mass and an inertia");
    def.mass = 1;
    refused(w, &def, "needs a mass and an inertia");
    memcpy(def.inertia, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 2.1}, sizeof def.inertia);
    refused(w, &def, "no body has this inertia");
    def.inertia[8] = 0;
    refused(w, &def, "no body has this inertia");
    def.inertia[8] = 1, def.inertia[1] = 0.1;
    refused(w, &def, "not symmetric");
    def.inertia[3] = NAN;
    refused(w, &def, "finite");
    def = good, def.inertia[0] = def.inertia[4] = def.inertia[8] = 1;
    refused(w, &def, "needs a mass");
    def = good, def.mass = 1, def.center[1] = 0.1;
    refused(w, &def, "centre needs an inertia");
    def = good, def.mass = -1;
    refused(w, &def, "not negative");
    def = good, def.density = 0;
    refused(w, &def, "density");
    def = good, def.shape.size[1] = 0;
    refused(w, &def, "sides");
    def = good, def.shape.kind = CORD_SHAPE_SPHERE;
    refused(w, &def, "radius");
    def.shape.kind = CORD_SHAPE_CYLINDER, def.shape.radius = 1;
    refused(w, &def, "length");
    def.shape.kind = CORD_SHAPE_CAPSULE;
    refused(w, &def, "length");
    def.shape.kind = (cord_shape_kind)77;
    refused(w, &def, "kind");
    def = good, def.position[2] = INFINITY;
    refused(w, &def, "finite");
    def = good, def.frame[0] = def.frame[3] = 1;
    refused(w, &def, "axes");
    def = good, def.angular_velocity[0] = NAN;
    refused(w, &def, "finite");
    def = good, def.drag = -1;
    refused(w, &def, "drag");
    def = good, def.angular_drag = NAN;
    refused(w, &def, "drag");
    cord_counters counters;
    assert_fine(w, cord_world_counters(w, &counters));
    assert_int_equal(counters.bodies, 0);
    cord_world_destroy(w);
}

/* ---- motion ------------------------------------------------------------------------------------- */

/* A body without torque: the centre falls, the frame turns evenly about a principal axis. */
static void free_fall(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body_def def = box(0.1, 0.2, 0.3);
    double place[3], frame[9], turned[9], v[3], spin[3];
    v3_set(def.velocity, 1, 0, 2), v3_set(def.angular_velocity, 0, 0, 3);
    cord_body body = add(w, &def);
    steps(w, 100, 0.01);
    assert_fine(w, cord_body_pose(w, body, place, frame));
    assert_fine(w, cord_body_velocity(w, body, v, spin));
    const integration *with = *by;
    bool first = with->scheme == CORD_BACKWARD_EULER || with->integrator == CORD_SYMPLECTIC;
    double slack = first ? 0.15 : 2e-3; /* a chord of 0.03 rad is short of its arc by 2e-3 in all */
    assert_all_close(place, ((double[]){1, 0, 2 - 9.81 / 2}), 3, first ? 0.06 : 1e-9);
    cord__rotation_exp(turned, (double[]){0, 0, 3});
    assert_all_close(frame, turned, 9, slack);
    assert_all_close(v, ((double[]){1, 0, 2 - 9.81}), 3, 1e-9);
    assert_all_close(spin, ((double[]){0, 0, 3}), 3, first ? 0.3 : 2e-3);
    cord_world_destroy(w);
}

/* A box thrown about its middle axis, which is unstable (Dzhanibekov): energy and momenta stay. */
static void tumbling_is_kept(void **unused)
{
    (void)unused;
    cord_world_def exact = cord_world_def_default();
    cord_world *w;
    exact.integrator = CORD_MIDPOINT, exact.tolerance = 1e-10, v3_set(exact.gravity, 0, 0, 0);
    assert_int_equal(cord_world_create(&exact, &w), CORD_OK);
    cord_body_def def = box(0.3, 0.2, 0.1);
    v3_set(def.angular_velocity, 0.01, 5, 0);
    v3_set(def.velocity, 0.001, -0.002, 0.003);
    cord_body body = add(w, &def);
    cord_energy e0, e;
    cord_momentum m0, m;
    assert_fine(w, cord_world_energy(w, &e0));
    assert_fine(w, cord_world_momentum(w, &m0));
    int flips = 0;
    double last = 1, worst_energy = 0, worst_spin = 0;
    for (int i = 0; i < 10000; i++) {
        double place[3], frame[9], change[3];
        steps(w, 1, 0.01);
        assert_fine(w, cord_body_pose(w, body, place, frame));
        if (frame[4] * last < 0 && fabs(frame[4]) > 0.5) flips++, last = frame[4];
        assert_fine(w, cord_world_energy(w, &e));
        assert_fine(w, cord_world_momentum(w, &m));
        v3_sub(change, m.angular, m0.angular);
        worst_energy = fmax(worst_energy, fabs(e.total / e0.total - 1));
        worst_spin = fmax(worst_spin, v3_norm(change) / v3_norm(m0.angular));
    }
    assert_true(worst_energy < 1e-8);
    assert_true(worst_spin < 1e-8);
    assert_true(flips > 15);
    cord_world_destroy(w);
}

/* Euler's equations by Runge and Kutta with tiny steps, in the body's axes. */
static void euler_rate(const double moments[3], const double w[3], double rate[3])
{
    for (int k = 0; k < 3; k++)
        rate[k] = (moments[(k + 1) % 3] - moments[(k + 2) % 3]) * w[(k + 1) % 3] * w[(k + 2) % 3] /
                  moments[k];
}

static void euler_reference(const double moments[3], double w[3], double time)
{
    enum { STEPS = 20000 };
    double h = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double k[4][3], x[3];
        euler_rate(moments, w, k[0]);
        for (int s = 1; s < 4; s++) {
            v3_copy(x, w);
            v3_axpy(x, s < 3 ? h / 2 : h, k[s - 1]);
            euler_rate(moments, x, k[s]);
        }
        for (int c = 0; c < 3; c++) w[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

static double tumbling_error(const integration *by, int count)
{
    cord_world *w = weightless(by);
    cord_body_def def = box(0.3, 0.2, 0.1);
    double spin[3], frame[9], place[3], own[3], reference[3] = {1, 3, 0.5};
    v3_copy(def.angular_velocity, reference);
    cord_body body = add(w, &def);
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, body, &info));
    steps(w, count, 1.0 / count);
    assert_fine(w, cord_body_pose(w, body, place, frame));
    assert_fine(w, cord_body_velocity(w, body, NULL, spin));
    m3_apply_transposed(own, frame, spin);
    euler_reference(info.moments, reference, 1);
    cord_world_destroy(w);
    return v3_distance(own, reference);
}

static void second_order(void **by)
{
    double error[3];
    for (int k = 0; k < 3; k++) error[k] = tumbling_error(*by, 50 << k);
    assert_true(error[2] < 0.01);
    for (int k = 0; k < 2; k++) assert_close(log2(error[k] / error[k + 1]), 2, 0.15);
}

/* The papers' one-solve steps, and others of first order. */
static void first_order(void **scheme)
{
    const integration by = {"first order", CORD_IMPLICIT, *(const cord_scheme *)*scheme};
    double error[3];
    for (int k = 0; k < 3; k++) error[k] = tumbling_error(&by, 400 << k);
    assert_true(error[2] < 0.1);
    for (int k = 0; k < 2; k++) assert_close(log2(error[k] / error[k + 1]), 1, 0.15);
    cord_world *w = scene_world(&by);
    cord_body_def def = box(0.1, 0.2, 0.3);
    cord_body body = add(w, &def);
    double v[3];
    steps(w, 100, 0.01);
    assert_fine(w, cord_body_velocity(w, body, v, NULL));
    assert_all_close(v, ((double[]){0, 0, -9.81}), 3, 1e-9);
    cord_world_destroy(w);
}

/* Steady precession of a heavy top on its tip: I₃ ω₃ Ω − I₁ Ω² cos θ = m g l, I₁ about the tip. */
static void precession(void **by)
{
    cord_world *w = scene_world(*by);
    const double m = 0.5, l = 0.04, tilt = 0.4, rate = 2 * pi * 0.5;
    const double i3 = 2e-4, i1 = 1.4e-4, tip = i1 + m * l * l;
    double spin = (m * 9.81 * l + tip * rate * rate * cos(tilt)) / (i3 * rate);
    cord_body_def def = cord_body_def_default();
    def.mass = m, def.center[2] = l;
    def.inertia[0] = def.inertia[4] = i1, def.inertia[8] = i3;
    cord__rotation_exp(def.frame, (double[]){0, tilt, 0});
    const double *axis = def.frame + 6;
    double arm[3];
    v3_scale(def.angular_velocity, spin - rate * cos(tilt), axis);
    def.angular_velocity[2] += rate;
    v3_scale(arm, l, axis);
    v3_cross(def.velocity, def.angular_velocity, arm);
    cord_body body = add(w, &def);
    cord_relation hold =
        scene_relation(w, CORD_COINCIDE, on(w, body, 0, 0, 0), scene_place(w, 0, 0, 0));
    double place[3], frame[9];
    for (int i = 0; i < 2000; i++) { /* half a turn of precession, 1 s */
        steps(w, 1, 5e-4);
        assert_fine(w, cord_body_pose(w, body, place, frame));
        assert_close(acos(frame[8]), tilt, 2e-3);
    }
    assert_close(frame[6], -sin(tilt), 2e-3);
    /* the spin is 340 rad/s: a step turns it by 0.17 rad */
    assert_close(frame[7], 0, *by == midpoint ? 5e-3 : 0.03);
    assert_true(worst_residual(w, hold) < 1e-10);
    cord_world_destroy(w);
}

/* v' = −d/m (v − wind), ω' = −c/I ω. */
static void drag(void **unused)
{
    (void)unused;
    cord_world *w = weightless(trapezoid);
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    def.mass = 2, def.drag = 3, def.angular_drag = 0.01;
    v3_set(def.velocity, 1, 0, 0), v3_set(def.angular_velocity, 0, 0.5, 0);
    cord_wind_def air = cord_wind_def_default();
    v3_set(air.velocity, 0, 0, 4);
    assert_fine(w, cord_world_set_wind(w, &air));
    cord_body body = add(w, &def);
    steps(w, 500, 1e-3);
    double v[3], spin[3], left = exp(-0.75), turn = exp(-0.01 * 0.5 / (0.4 * 2 * 0.01));
    assert_fine(w, cord_body_velocity(w, body, v, spin));
    assert_all_close(v, ((double[]){left, 0, 4 * (1 - left)}), 3, 1e-5);
    assert_all_close(spin, ((double[]){0, 0.5 * turn, 0}), 3, 1e-5);
    cord_world_destroy(w);
}

/* A force beside the centre: the centre goes as if it acted there, and the body turns. */
static void loads(void **unused)
{
    (void)unused;
    cord_world *w = weightless(trapezoid);
    cord_body_def def = box(0.2, 0.2, 0.2);
    cord_body body = add(w, &def);
    cord_load_def load = cord_load_def_default();
    cord_load handle;
    load.point = on(w, body, 0.1, 0, 0), load.force[1] = 2;
    assert_fine(w, cord_world_add_load(w, &load, &handle));
    steps(w, 50, 1e-3);
    double v[3], spin[3], m = 8, inertia = m * 0.08 / 12;
    assert_fine(w, cord_body_velocity(w, body, v, spin));
    assert_all_close(v, ((double[]){0, 2 / m * 0.05, 0}), 3, 1e-9);
    /* the arm has turned a little: its cosine is off by (α t²/2)²/2 */
    assert_close(spin[2], 2 * 0.1 / inertia * 0.05, 1e-4);
    assert_fine(w, cord_point_velocity(w, load.point, v));
    assert_close(v[1], 2 / m * 0.05 + 0.1 * spin[2], 1e-4);
    cord_world_destroy(w);
}

/* A physical pendulum hanging from its edge: at rest where it should be, and its frequency. */
static void pendulum(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = box(0.05, 0.08, 0.3);
    v3_set(def.position, 0.15, 0, 0); /* drawn lying */
    memcpy(def.frame, (double[9]){0, 0, 1, 0, 1, 0, -1, 0, 0}, sizeof def.frame);
    cord_body body = add(w, &def);
    scene_relation(w, CORD_COINCIDE, on(w, body, 0, 0, 0.15), scene_place(w, 0, 0, 0));
    cord_statics_result result;
    cord_statics_def statics = cord_statics_def_default();
    statics.kick = 1e-3;
    assert_fine(w, cord_world_find_equilibrium(w, &statics, &result));
    assert_int_equal(result.unstable_directions, 0);
    double place[3], omega[3];
    assert_fine(w, cord_body_pose(w, body, place, NULL));
    assert_all_close(place, ((double[]){0, 0, -0.15}), 3, 1e-7);
    assert_fine(w, cord_world_frequencies(w, 3, omega));
    double m = 1.2, d = 0.15;
    double ix = m * (0.0064 + 0.09) / 12 + m * d * d, iy = m * (0.0025 + 0.09) / 12 + m * d * d;
    assert_close(omega[0], 0, 1e-3); /* it turns about the vertical */
    assert_close(omega[1], sqrt(m * 9.81 * d / ix), 1e-6 * omega[1]);
    assert_close(omega[2], sqrt(m * 9.81 * d / iy), 1e-6 * omega[2]);
    cord_world_destroy(w);
    /* Standing on its edge it is an equilibrium too, unstable both ways. */
    w = scene_world(NULL);
    def = box(0.05, 0.08, 0.3);
    v3_set(def.position, 0, 0, 0.15);
    body = add(w, &def);
    scene_relation(w, CORD_COINCIDE, on(w, body, 0, 0, -0.15), scene_place(w, 0, 0, 0));
    int count;
    assert_fine(w, cord_world_unstable_directions(w, &count));
    assert_int_equal(count, 2);
    cord_world_destroy(w);
}

/* ---- holding ------------------------------------------------------------------------------------ */

static void held_still(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body_def def = box(0.1, 0.2, 0.3);
    cord__rotation_exp(def.frame, (double[]){0.2, 0.5, -1});
    v3_set(def.position, 1, 2, 3);
    cord_body body = add(w, &def);
    cord_relation coincide, align;
    assert_fine(w, cord_world_hold_body(w, body, NULL, NULL, &coincide, &align));
    steps(w, 20, 0.01);
    double place[3], frame[9], force[3], torque[3];
    assert_fine(w, cord_body_pose(w, body, place, frame));
    assert_all_close(place, def.position, 3, 1e-12);
    assert_all_close(frame, def.frame, 9, 1e-12);
    assert_fine(w, cord_relation_force(w, coincide, force, torque));
    assert_all_close(force, ((double[]){0, 0, 6 * 9.81}), 3, 1e-8);
    assert_fine(w, cord_relation_force(w, align, force, torque));
    assert_all_close(torque, ((double[]){0, 0, 0}), 3, 1e-8);
    cord_world_destroy(w);
}

/* Moved along, and turned three whole turns about its centre; what rides on it goes round. */
static void held_along_a_script(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body_def def = box(0.1, 0.2, 0.3);
    cord_body body = add(w, &def), rider;
    def.position[0] = 0.3;
    rider = add(w, &def);
    const double times[2] = {0, 2}, moves[6] = {0, 0, 0, 1, 0, 0.5},
                 turns[6] = {0, 0, 0, 0, 0, 6 * pi};
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){2, times, moves, CORD_EASE_SMOOTH};
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_SMOOTH};
    cord_relation align, weld[2];
    cord_point point;
    assert_fine(w, cord_world_hold_body(w, body, &script, &point, NULL, &align));
    cord_point a = on(w, rider, 0, 0, 0), b = on(w, body, 0.3, 0, 0);
    weld[0] = scene_relation(w, CORD_COINCIDE, a, b);
    weld[1] = scene_relation(w, CORD_ALIGN, a, b);
    double place[3], frame[9], other[9], at[3], reached = 0;
    for (int i = 0; i < 1000; i++) {
        steps(w, 1, 2e-3);
        assert_fine(w, cord_body_pose(w, body, place, frame));
        assert_fine(w, cord_point_place(w, point, at, other));
        assert_all_close(place, at, 3, 1e-9);
        assert_all_close(frame, other, 9, 1e-8);
        double spin[3];
        assert_fine(w, cord_body_velocity(w, body, NULL, spin));
        reached = fmax(reached, spin[2]);
    }
    assert_true(reached > 1.5 * 3 * pi); /* a quintic is 15/8 as fast in the middle */
    assert_all_close(place, ((double[]){1, 0, 0.5}), 3, 1e-9);
    assert_fine(w, cord_body_pose(w, rider, place, frame));
    assert_all_close(place, ((double[]){1.3, 0, 0.5}), 3, 1e-8);
    for (int k = 0; k < 2; k++) assert_true(worst_residual(w, weld[k]) < 1e-9);
    cord_world_destroy(w);
}

/* ---- joints ------------------------------------------------------------------------------------- */

/* Two boxes on a ball joint and a weld, a third on rails: 10⁴ steps leave no gap. */
static void joints(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body body[4];
    for (int k = 0; k < 4; k++) {
        cord_body_def def = box(0.2, 0.05, 0.05);
        v3_set(def.position, 0.1 + 0.2 * (k % 3), k == 3, 0);
        if (k == 3) v3_set(def.velocity, 0, 0, 1);
        body[k] = add(w, &def);
    }
    cord_point frame = scene_place(w, 0.1, 1, 0), rail = on(w, body[3], 0, 0, 0);
    cord_relation relation[6];
    relation[0] =
        scene_relation(w, CORD_COINCIDE, on(w, body[0], -0.1, 0, 0), scene_place(w, 0, 0, 0));
    relation[1] =
        scene_relation(w, CORD_COINCIDE, on(w, body[1], -0.1, 0, 0), on(w, body[0], 0.1, 0, 0));
    cord_point a = on(w, body[2], -0.1, 0, 0), b = on(w, body[1], 0.1, 0, 0);
    relation[2] = scene_relation(w, CORD_COINCIDE, a, b);
    relation[3] = scene_relation(w, CORD_ALIGN, a, b);
    cord_relation_def slide = cord_relation_def_default();
    slide.kind = CORD_AXIS, slide.first = rail, slide.second = frame;
    v3_set(slide.direction, 0, 0, 1);
    relation[4] = scene_relate(w, &slide);
    relation[5] = scene_relation(w, CORD_ALIGN, rail, frame);
    cord_energy e0, e;
    assert_fine(w, cord_world_energy(w, &e0));
    double worst = 0;
    for (int i = 0; i < 10000; i++) {
        steps(w, 1, 1e-3);
        for (int k = 0; k < 6 && i % 100 == 99; k++)
            worst = fmax(worst, worst_residual(w, relation[k]));
    }
    assert_true(worst < 1e-10);
    assert_fine(w, cord_world_energy(w, &e));
    /* the rails' body falls freely: 10 s − 9.81 · 50 m */
    double place[3], v[3];
    assert_fine(w, cord_body_pose(w, body[3], place, NULL));
    assert_fine(w, cord_body_velocity(w, body[3], v, NULL));
    assert_all_close(place, ((double[]){0.1, 1, 10 - 9.81 * 50}), 3, 1e-6);
    if (*by == midpoint) assert_close(e.total, e0.total, 1e-7);
    assert_true(e.total < e0.total + 1e-6);
    cord_world_destroy(w);
}

/* A body at the end of a rope and of a chain: welded, it stays there. */
static void on_strands(void **by)
{
    const char *models[] = {CORD_MODEL_DER, "clothoid"};
    for (int k = 0; k < 2; k++) {
        cord_world *w = scene_world(*by);
        double x[33] = {0};
        for (int i = 0; i <= 10; i++) x[3 * i] = 0.05 * i;
        cord_strand_def rope = cord_strand_def_default();
        rope.model = models[k], rope.vertex_count = 11, rope.positions = x, rope.element_count = 4;
        rope.section.radius = 0.004, rope.material.young = 1e7;
        cord_strand strand;
        assert_fine(w, cord_world_add_strand(w, &rope, &strand));
        assert_fine(w, cord_world_clamp(w, strand, 0, NULL, NULL, NULL, NULL));
        cord_body_def def = box(0.1, 0.06, 0.04);
        def.density = 300, def.position[0] = 0.55, def.angular_velocity[0] = 1;
        cord_body body = add(w, &def);
        cord_point end = scene_point(w, strand, 0.5), side = on(w, body, -0.05, 0, 0);
        cord_relation relation[2] = {scene_relation(w, CORD_COINCIDE, end, side),
                                     scene_relation(w, CORD_ALIGN, end, side)};
        steps(w, 200, 2e-3);
        double place[3];
        for (int r = 0; r < 2; r++) assert_true(worst_residual(w, relation[r]) < 1e-8);
        assert_fine(w, cord_body_pose(w, body, place, NULL));
        assert_true(place[2] < -0.1);
        cord_world_destroy(w);
    }
}

/* ---- the world stays whole ---------------------------------------------------------------------- */

static void removing(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = box(0.1, 0.1, 0.1);
    cord_body a = add(w, &def), b;
    def.position[0] = 1, def.name = "b";
    b = add(w, &def);
    cord_point pa = on(w, a, 0, 0, 0.05), pb = on(w, b, 0, 0, 0.05);
    cord_relation tie = scene_relation(w, CORD_DISTANCE, pa, pb), hold;
    cord_load_def load = cord_load_def_default();
    cord_load weight;
    load.point = pa, load.force[0] = 1;
    assert_fine(w, cord_world_add_load(w, &load, &weight));
    assert_fine(w, cord_world_hold_body(w, b, NULL, NULL, &hold, NULL));
    steps(w, 10, 1e-3);
    assert_fine(w, cord_world_remove_body(w, a));
    double x[3], f[9];
    int rows;
    assert_int_equal(cord_world_remove_body(w, a), CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_error(w), "stale"));
    assert_int_equal(cord_body_pose(w, a, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_point_place(w, pa, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_relation_residual(w, tie, &rows, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_remove_load(w, weight), CORD_ERROR_HANDLE);
    assert_fine(w, cord_relation_residual(w, hold, &rows, f));
    cord_counters counters;
    assert_fine(w, cord_world_counters(w, &counters));
    assert_int_equal(counters.bodies, 1);
    steps(w, 10, 1e-3);
    /* b is where it was, and a's slot may be taken again, by something else. */
    assert_fine(w, cord_body_pose(w, b, x, NULL));
    assert_close(x[0], 1, 1e-9);
    cord_body c = add(w, &def);
    assert_int_equal(c.index, a.index);
    assert_int_equal(cord_body_pose(w, a, x, NULL), CORD_ERROR_HANDLE);
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, c, &info));
    assert_string_equal(info.name, "b");
    steps(w, 10, 1e-3);
    cord_world_destroy(w);
}

static void wrong_calls(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = box(1, 1, 1);
    cord_body body = add(w, &def), null = {0, 0}, foreign = {7, 1};
    cord_body_info info;
    cord_energy energy;
    double x[3] = {0, 0, 0}, f[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[9] = {1, 0, 0, 2, 0, 0};
    double nan3[3] = {0, NAN, 0};
    assert_int_equal(cord_world_add_body(NULL, &def, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_body(w, NULL, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_body(w, &def, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_remove_body(NULL, body), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_remove_body(w, null), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_get_info(NULL, body, &info), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_get_info(w, foreign, &info), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_get_info(w, body, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_pose(w, null, x, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_pose(w, body, NULL, f), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_velocity(w, body, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_velocity(w, null, x, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_set_pose(w, body, NULL, f), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, body, x, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, body, nan3, f), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, body, x, bad), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_pose(w, null, x, f), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_set_velocity(w, body, x, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_velocity(w, body, nan3, x), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_set_velocity(w, null, x, x), CORD_ERROR_HANDLE);
    assert_int_equal(cord_body_energy(w, body, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_body_energy(w, null, &energy), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_hold_body(w, null, NULL, NULL, NULL, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(cord_world_hold_body(NULL, body, NULL, NULL, NULL, NULL), CORD_ERROR_ARGUMENT);
    cord_point_def point = cord_point_def_default();
    cord_point handle;
    point.source = CORD_SOURCE_BODY;
    assert_int_equal(cord_world_add_point(w, &point, &handle), CORD_ERROR_HANDLE);
    point.body = body, point.position[0] = NAN;
    assert_int_equal(cord_world_add_point(w, &point, &handle), CORD_ERROR_ARGUMENT);
    point.position[0] = 0, memset(point.frame, 0, sizeof point.frame);
    assert_int_equal(cord_world_add_point(w, &point, &handle), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_point_move(w, on(w, body, 0, 0, 0), x, f), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_body_energy(w, body, &energy));
    assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, 0, 2}, x));
    assert_fine(w, cord_body_energy(w, body, &energy));
    assert_close(energy.kinetic, 2000, 1e-9);
    cord_world_destroy(w);
}

/* Three boxes in a chain, a rope between two of them, one held along a script. */
static cord_world *busy(const integration *by, int threads, const cord_allocator *allocator)
{
    static const double times[2] = {0, 1}, moves[6] = {0, 0, 0, 0.2, 0, 0};
    cord_world_def def = cord_world_def_default();
    def.integrator = by->integrator, def.scheme = by->scheme, def.threads = threads;
    if (allocator) def.allocator = *allocator;
    cord_world *w;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int island = 0; island < 4; island++) {
        cord_body body[3];
        for (int k = 0; k < 3; k++) {
            cord_body_def b = box(0.2, 0.05, 0.05);
            v3_set(b.position, 0.1 + 0.2 * k, island, 0);
            if (k == 1) b.angular_drag = 1e-4;
            body[k] = add(w, &b);
        }
        for (int k = 0; k < 2; k++)
            scene_relation(w, CORD_COINCIDE, on(w, body[k + 1], -0.1, 0, 0),
                           on(w, body[k], 0.1, 0, 0));
        cord_point_def script = cord_point_def_default();
        script.motion = (cord_keys){2, times, moves, CORD_EASE_SMOOTH};
        assert_fine(w, cord_world_hold_body(w, body[0], &script, NULL, NULL, NULL));
        cord_strand rope =
            scene_rope(w, NULL, "rope", 5, (double[]){0.6, island, 0}, (double[]){1, island, 0.1});
        scene_relation(w, CORD_COINCIDE, scene_point(w, rope, 0), on(w, body[2], 0.1, 0, 0));
    }
    return w;
}

static void deterministic(void **by)
{
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        cord_world *w = busy(*by, k + 1, NULL);
        steps(w, 50, 2e-3);
        hash[k] = scene_hash(w);
        cord_world_destroy(w);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
}

static void checkpoints(void **by)
{
    cord_world *w = busy(*by, 1, NULL), *other = busy(*by, 1, NULL);
    size_t size;
    steps(w, 20, 2e-3);
    assert_fine(w, cord_world_state_size(w, &size));
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_fine(w, cord_world_get_state(w, bytes));
    steps(w, 30, 2e-3);
    assert_fine(other, cord_world_set_state(other, bytes, size));
    steps(other, 30, 2e-3);
    assert_true(scene_hash(w) == scene_hash(other));
    assert_fine(w, cord_world_set_state(w, bytes, size));
    steps(w, 30, 2e-3);
    assert_true(scene_hash(w) == scene_hash(other));
    free(bytes);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

static void no_heap_when_settled(void **by)
{
    cord_world *w = busy(*by, 1, NULL);
    cord_counters before, after;
    steps(w, 3, 2e-3);
    assert_fine(w, cord_world_counters(w, &before));
    steps(w, 50, 2e-3);
    assert_fine(w, cord_world_counters(w, &after));
    assert_int_equal(before.heap_calls, after.heap_calls);
    cord_world_destroy(w);
}

typedef struct memory_scene {
    cord_world *world;
    cord_body body[2];
    cord_point point[2];
    cord_relation relation;
} memory_scene;

static cord_status memory_call(memory_scene *s, int number)
{
    cord_body_def def = cord_body_def_default();
    cord_point_def point = cord_point_def_default();
    cord_relation_def relation = cord_relation_def_default();
    switch (number) {
    case 0:
        def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                                 .vertex_count = 8,
                                 .triangle_count = 12,
                                 .vertices = cube,
                                 .triangles = cube_faces};
        def.name = "cube";
        return cord_world_add_body(s->world, &def, &s->body[0]);
    case 1: def = box(1, 1, 1); return cord_world_add_body(s->world, &def, &s->body[1]);
    case 2:
    case 3:
        point.source = CORD_SOURCE_BODY, point.body = s->body[number - 2];
        point.position[number - 2] = 1;
        return cord_world_add_point(s->world, &point, &s->point[number - 2]);
    case 4:
        relation.kind = CORD_DISTANCE;
        relation.first = s->point[0], relation.second = s->point[1], relation.length = 1;
        return cord_world_add_relation(s->world, &relation, &s->relation);
    case 5: return cord_world_hold_body(s->world, s->body[1], NULL, NULL, NULL, NULL);
    case 6: return cord_world_step(s->world, 1e-3);
    case 7: return cord_world_remove_body(s->world, s->body[0]);
    case 8: return cord_world_step(s->world, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}

static bool fail_one(int k)
{
    failing_allocator heap = {.fail_at = k};
    memory_scene s = {0};
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.allocator = failing_allocator_ops(&heap);
    if (cord_world_create(&def, &s.world) != CORD_OK) return true;
    for (int number = 0; number < 9; number++) {
        bool failed = heap.failed;
        cord_status status = memory_call(&s, number);
        if (heap.failed && !failed && status != CORD_OK) {
            assert_int_equal(status, CORD_ERROR_MEMORY);
            status = memory_call(&s, number); /* memory is back */
        }
        if (status != CORD_OK) print_error("%d, %d: %s\n", k, number, cord_world_error(s.world));
        assert_int_equal(status, CORD_OK);
    }
    cord_world_destroy(s.world);
    assert_int_equal(heap.live, 0);
    return heap.failed;
}

static void every_allocation_fails_once(void **unused)
{
    (void)unused;
    int k = 0;
    while (fail_one(k)) k++;
    assert_true(k > 50);
}

#define WITH(test, by)                                                                             \
    {                                                                                              \
#test " " #by, test, NULL, NULL, (void *)(by)                                              \
    }

int main(void)
{
    static cord_scheme first[] = {CORD_BACKWARD_EULER, CORD_LINEARISED, CORD_SEMI_IMPLICIT,
                                  CORD_SEMI_IMPLICIT_VELOCITY};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(meshes),
        cmocka_unit_test(wrong_meshes),
        cmocka_unit_test(given_inertia),
        cmocka_unit_test(wrong_definitions),
        WITH(free_fall, trapezoid),
        WITH(free_fall, integrations + 1),
        WITH(free_fall, midpoint),
        WITH(free_fall, integrations + 4),
        cmocka_unit_test(tumbling_is_kept),
        WITH(second_order, trapezoid),
        WITH(second_order, midpoint),
        WITH(first_order, first + 0),
        WITH(first_order, first + 1),
        WITH(first_order, first + 2),
        WITH(first_order, first + 3),
        WITH(precession, trapezoid),
        WITH(precession, midpoint),
        cmocka_unit_test(drag),
        cmocka_unit_test(loads),
        cmocka_unit_test(pendulum),
        WITH(held_still, trapezoid),
        WITH(held_still, midpoint),
        WITH(held_along_a_script, trapezoid),
        WITH(held_along_a_script, midpoint),
        WITH(joints, trapezoid),
        WITH(joints, midpoint),
        WITH(on_strands, trapezoid),
        WITH(on_strands, midpoint),
        cmocka_unit_test(removing),
        cmocka_unit_test(wrong_calls),
        WITH(deterministic, trapezoid),
        WITH(deterministic, midpoint),
        WITH(checkpoints, trapezoid),
        WITH(checkpoints, midpoint),
        WITH(no_heap_when_settled, trapezoid),
        WITH(no_heap_when_settled, midpoint),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
