/* Constraints with restitution: pearls that collide on a strand, bodies that bounce, limits with
 * rebound, and how these come to rest. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81;
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         euler = {"euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2},
                         symplectic = {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2};
static const integration *const methods[] = {&tr_bdf2, &euler, &midpoint, &symplectic};
enum { METHODS = 4 };

/* Its error between impacts is of first order in the step. */
static bool is_euler(const integration *by)
{
    return by == &euler || by == &symplectic;
}

static cord_world *world_of(const integration *by, double gx, double gz)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = by->integrator, def.scheme = by->scheme;
    v3_set(def.gravity, gx, 0, gz);
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

/* A wire from the origin to `to`, pinned at both ends. */
static cord_strand wire(cord_world *w, const char *model, const double to[3])
{
    enum { VERTICES = 21 };
    cord_strand_def def = cord_strand_def_default();
    cord_strand made;
    double x[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) v3_scale(x + 3 * i, i / (VERTICES - 1.0), to);
    def.model = model;
    def.vertex_count = VERTICES;
    def.positions = x;
    if (strcmp(model, CORD_MODEL_DER) != 0) def.element_count = 8;
    def.section.radius = 2e-3;
    def.material.young = 1e9;
    assert_fine(w, cord_world_add_strand(w, &def, &made));
    scene_hang(w, made, 0);
    scene_hang(w, made, v3_norm(to));
    return made;
}

typedef struct pearl {
    cord_point at;
    cord_body body;
} pearl;

enum { PEARLS_MOST = 50 };
static const double radius = 0.01;

/* A pearl of this mass, at s, with end stops that have a restitution. */
static pearl thread_pearl(cord_world *w, cord_strand on, double s, double mass, double restitution)
{
    pearl made;
    cord_point_def at = cord_point_def_default(), centre = cord_point_def_default();
    cord_body_def def = cord_body_def_default();
    at.source = CORD_SOURCE_SLIDING;
    at.strand = on;
    at.s = s;
    at.restitution = restitution;
    assert_fine(w, cord_world_add_point(w, &at, &made.at));
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    def.density = mass / (4.0 / 3 * 3.14159265358979323846 * radius * radius * radius);
    assert_fine(w, cord_point_get_pose(w, made.at, def.position, NULL));
    assert_fine(w, cord_world_add_body(w, &def, &made.body));
    centre.source = CORD_SOURCE_BODY;
    centre.body = made.body;
    cord_point c;
    assert_fine(w, cord_world_add_point(w, &centre, &c));
    scene_constraint(w, CORD_COINCIDE, made.at, c);
    return made;
}

static cord_constraint keep_apart(cord_world *w, const pearl *lower, const pearl *upper,
                                  double restitution)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.first = upper->at, def.second = lower->at;
    def.length = 2 * radius;
    def.side = CORD_AT_LEAST;
    def.restitution = restitution;
    return scene_relate(w, &def);
}

static double coordinate(cord_world *w, const pearl *p, double *rate)
{
    double s;
    assert_fine(w, cord_point_get_coordinate(w, p->at, &s, rate));
    return s;
}

static void throw(cord_world * w, const pearl *p, double vx, double vz)
{
    const double v[3] = {vx, 0, vz}, none[3] = {0, 0, 0};
    assert_fine(w, cord_body_set_velocity(w, p->body, v, none));
}

/* ---- the exact outcome ------------------------------------------------------------------------- */

/* Pearls on a line between two end stops, from one collision to the next. */
typedef struct line {
    int count;
    double x[PEARLS_MOST], v[PEARLS_MOST], mass[PEARLS_MOST];
    double end, e, e_stop;
    int collisions;
} line;

static void collide_exactly(line *l, int i, int j)
{
    double sum = l->mass[i] + l->mass[j], approach = l->v[i] - l->v[j];
    l->v[i] -= (1 + l->e) * l->mass[j] / sum * approach;
    l->v[j] += (1 + l->e) * l->mass[i] / sum * approach;
}

static void advance_exactly(line *l, double duration)
{
    for (;;) {
        double soonest = duration;
        int which = -2;
        for (int i = -1; i < l->count; i++) { /* i meets i + 1; -1 and count are the end stops */
            double gap = i < 0               ? l->x[0]
                         : i + 1 == l->count ? l->end - l->x[i]
                                             : l->x[i + 1] - l->x[i] - 2 * radius;
            double rate = i < 0 ? l->v[0] : i + 1 == l->count ? -l->v[i] : l->v[i + 1] - l->v[i];
            if (rate < -1e-13 && fmax(gap, 0) / -rate < soonest)
                soonest = fmax(gap, 0) / -rate, which = i;
        }
        for (int i = 0; i < l->count; i++) l->x[i] += soonest * l->v[i];
        duration -= soonest;
        if (which == -2) return;
        l->collisions++;
        if (which == -1 || which + 1 == l->count)
            l->v[which < 0 ? 0 : which] *= -l->e_stop;
        else
            collide_exactly(l, which, which + 1);
    }
}

static const char *const models[] = {CORD_MODEL_DER, "spline", "segment", "helix", "clothoid"};

static void run_line(const char *model, const integration *by, double e, double e_stop,
                     const double *mass, const double *v, int count)
{
    cord_world *w = world_of(by, 0, 0);
    cord_strand on = wire(w, model, (const double[3]){1, 0, 0});
    line exact = {.count = count, .end = 1, .e = e, .e_stop = e_stop};
    pearl p[PEARLS_MOST];
    for (int i = 0; i < count; i++) {
        exact.x[i] = 0.1 + 0.8 * i / (count - 1) + 0.01 * (i % 2);
        exact.mass[i] = mass[i];
        exact.v[i] = v[i];
        p[i] = thread_pearl(w, on, exact.x[i], mass[i], e_stop);
    }
    for (int i = 0; i + 1 < count; i++) keep_apart(w, p + i, p + i + 1, e);
    for (int i = 0; i < count; i++) throw(w, p + i, v[i], 0);
    double worst_x = 0, worst_v = 0;
    for (int step = 0; step < 120; step++) {
        scene_advance(w, 5e-3, 1);
        advance_exactly(&exact, 5e-3);
        for (int i = 0; i < count; i++) {
            double rate, s = coordinate(w, p + i, &rate);
            worst_x = fmax(worst_x, fabs(s - exact.x[i]));
            worst_v = fmax(worst_v, fabs(rate - exact.v[i]));
            if (i > 0) assert_true(s - coordinate(w, p + i - 1, NULL) > 2 * radius * (1 - 1e-6));
        }
    }
    /* The velocity of `symplectic` is the mean over a step, also where rows without restitution
     * become active in it. */
    bool mean = by == &symplectic && e == 0;
    assert_true(worst_x < 1e-7 && (mean || worst_v < 1e-7));
    assert_true(exact.collisions > 5);
    cord_world_destroy(w);
}

static void pearls_collide(void **given)
{
    (void)given;
    const double mass[] = {0.01, 0.03, 0.005, 0.02, 0.012},
                 v[] = {1.017, -0.311, 0.523, -1.219, 0.237};
    for (int m = 0; m < 5; m++)
        for (int k = 0; k < METHODS - (m > 0); k++) /* symplectic on rods alone */
            for (int i = 0; i < 3; i++)
                run_line(models[m], methods[k], (const double[]){1, 0.5, 0}[i], 1, mass, v, 5);
}

/* ---- multiple impacts --------------------------------------------------------------------------- */

static double energy_of(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_get_energy(w, &e));
    return e.kinetic + e.gravity + e.stretching + e.bending + e.twisting;
}

/* As many leave as come in. */
static void a_cradle(void **given)
{
    (void)given;
    for (int k = 0; k < METHODS; k++)
        for (int in = 1; in <= 2; in++) {
            cord_world *w = world_of(methods[k], 0, 0);
            cord_strand on = wire(w, CORD_MODEL_DER, (const double[3]){1, 0, 0});
            pearl p[5];
            for (int i = 0; i < 5; i++) {
                double s = i < in ? 0.2 + 2 * radius * i : 0.45 + 2 * radius * i;
                p[i] = thread_pearl(w, on, s, 0.01, 1);
            }
            for (int i = 0; i < 4; i++) keep_apart(w, p + i, p + i + 1, 1);
            for (int i = 0; i < in; i++) throw(w, p + i, 1, 0);
            scene_advance(w, 2e-3, 200);
            for (int i = 0; i < 5; i++) {
                double rate;
                coordinate(w, p + i, &rate);
                assert_close(rate, i >= 5 - in ? 1 : 0, 1e-7);
            }
            cord_world_destroy(w);
        }
}

/* Pearls dropped on a vertical wire: they come to rest on each other, without penetration.
 * Energy never increases. */
static void a_stack_comes_to_rest(void **given)
{
    const integration *by = *given;
    int n = by == &tr_bdf2 ? PEARLS_MOST : 12;
    cord_world *w = world_of(by, 0, -gravity);
    cord_strand on = wire(w, CORD_MODEL_DER, (const double[3]){0, 0, -2});
    pearl p[PEARLS_MOST];
    for (int i = 0; i < n; i++) p[i] = thread_pearl(w, on, 2 - 0.035 * (n - i), 0.01, 0.5);
    for (int i = 0; i + 1 < n; i++) keep_apart(w, p + i, p + i + 1, 0.5);
    double before = energy_of(w);
    cord_counters then, now;
    for (int step = 0; step < 300; step++) {
        scene_advance(w, 2e-3, 1);
        double energy = energy_of(w);
        assert_true(energy < before + 1e-6);
        before = energy;
        for (int i = 0; i + 1 < n; i++)
            assert_true(coordinate(w, p + i + 1, NULL) - coordinate(w, p + i, NULL) >
                        2 * radius * (1 - 1e-6));
    }
    assert_fine(w, cord_world_get_counters(w, &then));
    scene_advance(w, 2e-3, 50);
    assert_fine(w, cord_world_get_counters(w, &now));
    assert_int_equal(now.impacts, then.impacts);
    assert_int_equal(now.steps, then.steps + 50);
    for (int i = 0; i < n; i++) {
        double rate;
        assert_close(coordinate(w, p + i, &rate), 2 - 2 * radius * (n - 1 - i), 1e-9);
        assert_close(rate, 0, 1e-6); /* Newton's tolerance over a step; midpoint damps nothing */
    }
    cord_world_destroy(w);
}

/* ---- bodies ------------------------------------------------------------------------------------- */

static cord_constraint_def floor_def(cord_world *w, cord_point first)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PLANE;
    def.first = first;
    def.second = scene_place(w, 0, 0, 0);
    def.side = CORD_AT_LEAST;
    return def;
}

/* The height after every bounce is e² times the height before, until it is at rest. */
static void a_ball_bounces(void **given)
{
    const integration *by = *given;
    const double e = 0.6;
    cord_world *w = world_of(by, 0, -gravity);
    cord_body_def def = cord_body_def_default();
    cord_body ball;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    def.position[2] = 1;
    assert_fine(w, cord_world_add_body(w, &def, &ball));
    cord_constraint_def floor = floor_def(w, scene_on(w, ball, 0, 0, 0));
    floor.restitution = e;
    cord_constraint row = scene_relate(w, &floor);
    cord_constraint_info constraint_info;
    assert_fine(w, cord_constraint_get_info(w, row, &constraint_info));
    assert_true(constraint_info.restitution == e);
    double height = 1, last = 0, x[3], v[3];
    int bounces = 0;
    for (int step = 0; step < 2500; step++) {
        scene_advance(w, 1e-3, 1);
        assert_fine(w, cord_body_get_pose(w, ball, x, NULL));
        assert_fine(w, cord_body_get_velocity(w, ball, v, NULL));
        assert_true(x[2] > -1e-8);
        if (v[2] > 0 && last < 0 && height > 1e-3) {
            height *= e * e;
            bounces++;
        }
        last = v[2];
        if (!is_euler(by) && height > 1e-3)
            assert_close(x[2] + 0.5 * v[2] * v[2] / gravity, height, 1e-6);
    }
    assert_true(bounces == 7);
    assert_close(x[2], 0, 1e-9);
    assert_close(v[2], 0, 1e-7);
    double force[3];
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, ball, &info));
    assert_fine(w, cord_constraint_get_force(w, row, force, NULL));
    assert_close(force[2], info.mass * gravity, 1e-7 * info.mass * gravity);
    cord_world_destroy(w);
}

/* A box that tumbles and lands on its corners, elastically: `midpoint` conserves its energy
 * indefinitely. */
static void a_box_tumbles(void **given)
{
    (void)given;
    cord_world *w = world_of(&midpoint, 0, -gravity);
    cord_body_def def = cord_body_def_default();
    cord_body box;
    def.shape.kind = CORD_SHAPE_BOX;
    v3_set(def.shape.size, 0.1, 0.06, 0.04);
    v3_set(def.velocity, 0.3, 0, 0);
    v3_set(def.angular_velocity, 5, 3, -2);
    def.position[2] = 0.3;
    assert_fine(w, cord_world_add_body(w, &def, &box));
    cord_point corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] =
            scene_on(w, box, i & 1 ? 0.05 : -0.05, i & 2 ? 0.03 : -0.03, i & 4 ? 0.02 : -0.02);
        cord_constraint_def floor = floor_def(w, corner[i]);
        floor.restitution = 1;
        scene_relate(w, &floor);
    }
    double energy = energy_of(w);
    cord_momentum first, last;
    assert_fine(w, cord_world_get_momentum(w, &first));
    for (int step = 0; step < 2000; step++) {
        scene_advance(w, 1e-3, 1);
        for (int i = 0; i < 8; i++) {
            double x[3];
            assert_fine(w, cord_point_get_pose(w, corner[i], x, NULL));
            assert_true(x[2] > -1e-8);
        }
    }
    cord_counters c;
    assert_fine(w, cord_world_get_counters(w, &c));
    assert_fine(w, cord_world_get_momentum(w, &last));
    assert_true(c.impacts > 5);
    assert_close(energy_of(w) / energy, 1, 1e-9);
    for (int k = 0; k < 2; k++) assert_close(last.linear[k], first.linear[k], 1e-9);
    cord_world_destroy(w);
}

/* A lid on a hinge between two limits: it rebounds from either with a fraction of its rate. */
static void a_hinge_has_limits(void **given)
{
    const integration *by = *given;
    const double e[2] = {0.8, 0.5};
    cord_world *w = world_of(by, 0, 0);
    cord_body_def def = cord_body_def_default();
    cord_body lid;
    def.shape.kind = CORD_SHAPE_BOX;
    v3_set(def.shape.size, 0.1, 0.05, 0.01);
    v3_set(def.position, 0.05, 0, 0);
    v3_set(def.velocity, 0, 0, -0.05 * 4);
    v3_set(def.angular_velocity, 0, 4, 0);
    assert_fine(w, cord_world_add_body(w, &def, &lid));
    cord_constraint_def row = cord_constraint_def_default();
    row.first = scene_on(w, lid, -0.05, 0, 0);
    row.second = scene_place(w, 0, 0, 0);
    v3_set(row.direction, 0, 1, 0);
    row.kind = CORD_COINCIDE;
    scene_relate(w, &row);
    row.kind = CORD_PARALLEL;
    scene_relate(w, &row);
    row.kind = CORD_ANGLE;
    for (int i = 0; i < 2; i++) {
        double zero = 0, limit = i ? -0.3127 : 0.7123;
        row.side = i ? CORD_AT_LEAST : CORD_AT_MOST;
        row.restitution = e[i];
        row.drive = (cord_keys){1, &zero, &limit, CORD_EASE_LINEAR};
        scene_relate(w, &row);
    }
    double rate = 4, turned = 0;
    for (int step = 0; step < 1000; step++) {
        double v[3], spin[3], x[3], frame[9];
        scene_advance(w, 1e-3, 1);
        for (double left = 1e-3; left > 0;) {
            double until = ((rate > 0 ? 0.7123 : -0.3127) - turned) / rate, own = fmin(until, left);
            turned += own * rate;
            left -= own;
            if (left > 0) rate *= rate > 0 ? -e[0] : -e[1];
        }
        assert_fine(w, cord_body_get_velocity(w, lid, v, spin));
        assert_fine(w, cord_body_get_pose(w, lid, x, frame));
        assert_close(spin[1], rate, 1e-4);
        assert_close(-frame[2], sin(turned), 1e-4);
    }
    assert_close(rate, 4 * e[0] * e[1], 1e-12); /* it has been at both */
    cord_world_destroy(w);
}

/* A ball on a rising plate: it leaves with e times the approach velocity, relative to the plate. */
static void a_plate_strikes(void **given)
{
    (void)given;
    for (int at_most = 0; at_most < 2; at_most++)
        for (int drive = 0; drive < 2; drive++) {
            cord_world *w = world_of(&tr_bdf2, 0, 0);
            cord_body_def def = cord_body_def_default();
            cord_body ball;
            double sign = at_most ? -1 : 1;
            def.shape.kind = CORD_SHAPE_SPHERE;
            def.shape.radius = radius;
            def.position[2] = sign * 0.1;
            assert_fine(w, cord_world_add_body(w, &def, &ball));
            cord_constraint_def row = floor_def(w, scene_on(w, ball, 0, 0, 0));
            const double times[2] = {0, 1}, lift[2] = {0, sign * 0.7};
            const double motion[6] = {0, 0, 0, 0, 0, sign * 0.7};
            cord_point_def plate = cord_point_def_default();
            plate.motion = (cord_keys){2, times, motion, CORD_EASE_LINEAR};
            if (drive)
                row.drive = (cord_keys){2, times, lift, CORD_EASE_LINEAR};
            else
                assert_fine(w, cord_world_add_point(w, &plate, &row.second));
            row.side = at_most ? CORD_AT_MOST : CORD_AT_LEAST;
            row.restitution = 0.5;
            scene_relate(w, &row);
            scene_advance(w, 1e-3, 500);
            double v[3], x[3];
            assert_fine(w, cord_body_get_velocity(w, ball, v, NULL));
            assert_fine(w, cord_body_get_pose(w, ball, x, NULL));
            assert_close(sign * v[2], 1.5 * 0.7, 1e-9);
            assert_close(sign * x[2], 0.1 + (0.5 - 0.1 / 0.7) * 1.5 * 0.7, 1e-8);
            cord_world_destroy(w);
        }
}

/* Balls that collide off centre: the impulse is along the line between them, whatever their
 * other velocities. */
static void balls_meet(void **given)
{
    const integration *by = *given;
    const double mass[2] = {0.02, 0.05}, e = 0.7;
    cord_world *w = world_of(by, 0, 0);
    cord_body ball[2];
    for (int i = 0; i < 2; i++) {
        cord_body_def def = cord_body_def_default();
        def.shape.kind = CORD_SHAPE_SPHERE;
        def.shape.radius = radius;
        def.mass = mass[i];
        v3_set(def.position, i ? 0.1 : 0, i ? 0.012 : 0, 0);
        v3_set(def.velocity, i ? -0.4 : 0.8, 0, 0);
        v3_set(def.angular_velocity, 0, 0, i ? 7 : -3);
        assert_fine(w, cord_world_add_body(w, &def, ball + i));
    }
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_DISTANCE;
    def.first = scene_on(w, ball[0], 0, 0, 0), def.second = scene_on(w, ball[1], 0, 0, 0);
    def.length = 2 * radius;
    def.side = CORD_AT_LEAST;
    def.restitution = e;
    scene_relate(w, &def);
    scene_advance(w, 2e-3, 100);
    /* n from the second to the first at contact; its y is the offset */
    double n[3] = {-sqrt(1 - 0.6 * 0.6), -0.6, 0}, approach = -1.2 * n[0];
    double p = (1 + e) * approach * mass[0] * mass[1] / (mass[0] + mass[1]);
    for (int i = 0; i < 2; i++) {
        double v[3], spin[3], sign = i ? -1 : 1;
        assert_fine(w, cord_body_get_velocity(w, ball[i], v, spin));
        assert_close(v[0], (i ? -0.4 : 0.8) + sign * p / mass[i] * n[0], 1e-7);
        assert_close(v[1], sign * p / mass[i] * n[1], 1e-7);
        assert_close(spin[2], i ? 7 : -3, by == &euler ? 0.2 : 1e-3); /* it slows spins */
    }
    cord_world_destroy(w);
}

/* ---- on moving strands -------------------------------------------------------------------------- */

/* Three pearls on a thread that sags under them. */
static cord_world *sagging(const char *model, const integration *by, double e, pearl p[3])
{
    enum { VERTICES = 25 };
    cord_world *w = world_of(by, 0, -gravity);
    cord_strand_def def = cord_strand_def_default();
    cord_strand thread;
    double x[3 * VERTICES], length;
    for (int i = 0; i < VERTICES; i++) {
        double s = i / (VERTICES - 1.0);
        v3_set(x + 3 * i, s, 0, -0.8 * s * (1 - s));
    }
    def.model = model;
    def.vertex_count = VERTICES;
    def.positions = x;
    if (strcmp(model, CORD_MODEL_DER) != 0) def.element_count = 12;
    def.section.radius = 1e-3;
    def.material.young = 1e8;
    assert_fine(w, cord_world_add_strand(w, &def, &thread));
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, thread, &info));
    length = info.length;
    scene_hang(w, thread, 0);
    scene_hang(w, thread, length);
    const double at[3] = {0.3, 0.5, 0.8}, mass[3] = {0.01, 0.02, 0.005};
    for (int i = 0; i < 3; i++) p[i] = thread_pearl(w, thread, at[i] * length, mass[i], e);
    for (int i = 0; i < 2; i++) keep_apart(w, p + i, p + i + 1, e);
    return w;
}

/* With `midpoint` and elastic impacts, the total energy of pearls and thread is conserved. Of 1e-2 J in motion: the clothoid whips,
 * and in some steps corrections fluctuate by rounding at 1e-9 to 1e-8 m, with forces of some tenths of a newton. */
static void energy_is_kept(void **given)
{
    const char *const smooth[] = {CORD_MODEL_DER, "spline", "clothoid"};
    const double rounding[] = {1e-10, 1e-10, 1e-9};
    (void)given;
    for (int m = 0; m < 3; m++) {
        pearl p[3];
        cord_world *w = sagging(smooth[m], &midpoint, 1, p);
        scene_advance(w, 1e-3, 1);
        double start = energy_of(w);
        for (int step = 0; step < 500; step++) {
            scene_advance(w, 1e-3, 1);
            assert_close(energy_of(w), start, rounding[m]);
        }
        cord_counters c;
        assert_fine(w, cord_world_get_counters(w, &c));
        assert_true(c.impacts >= 2);
        cord_world_destroy(w);
    }
}

/* Pearls that lie on each other at the lower end of a sloping wire: an arriving pearl rebounds
 * alone. */
static void a_pile_is_struck(void **given)
{
    const integration *by = *given;
    cord_world *w = world_of(by, 0.5, 0);
    cord_strand on = wire(w, CORD_MODEL_DER, (const double[3]){1, 0, 0});
    pearl p[4];
    for (int i = 0; i < 4; i++)
        p[i] = thread_pearl(w, on, i == 0 ? 0.3 : 1 - 2 * radius * (3 - i), 0.01, 1);
    for (int i = 0; i < 3; i++) keep_apart(w, p + i, p + i + 1, 1);
    double rate, last = 0;
    int turns = 0;
    for (int step = 0; step < 1500; step++) {
        scene_advance(w, 2e-3, 1);
        double s = coordinate(w, p, &rate);
        if (rate < 0 && last > 0) turns++;
        last = rate;
        if (!is_euler(by)) assert_close(0.5 * rate * rate + 0.5 * (0.3 - s), 0, 1e-6);
        for (int i = 1; i < 4; i++)
            assert_close(coordinate(w, p + i, NULL), 1 - 2 * radius * (3 - i), 1e-7);
    }
    assert_int_equal(turns, 1);
    cord_world_destroy(w);
}

/* Contacts that are active in an equilibrium are at rest: there are no impacts. */
static void equilibrium_is_rest(void **given)
{
    const integration *by = *given;
    cord_world *w = world_of(by, gravity, 0);
    cord_strand on = wire(w, CORD_MODEL_DER, (const double[3]){1, 0, 0});
    pearl p[3];
    for (int i = 0; i < 3; i++) p[i] = thread_pearl(w, on, 1 - 2 * radius * (2 - i), 0.01, 0.9);
    for (int i = 0; i < 2; i++) keep_apart(w, p + i, p + i + 1, 0.9);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    scene_advance(w, 2e-3, 50);
    for (int i = 0; i < 3; i++)
        assert_close(coordinate(w, p + i, NULL), 1 - 2 * radius * (2 - i), 1e-8);
    cord_counters c;
    assert_fine(w, cord_world_get_counters(w, &c));
    assert_int_equal(c.impacts, 0);
    cord_world_destroy(w);
}

/* ---- states, errors ------------------------------------------------------------------------------ */

/* Restored from any step, in flight or at rest, a copy continues bit for bit. */
static void checkpoints_are_exact(void **given)
{
    const integration *by = *given;
    pearl p[3], q[3];
    cord_world *w = sagging(CORD_MODEL_DER, by, 0.2, p);
    cord_world *copy = sagging(CORD_MODEL_DER, by, 0.2, q);
    bool rested = false;
    for (int step = 0; step < 500; step++) {
        if (step % 5 == 0) scene_copy_state(w, copy);
        scene_advance(w, 4e-3, 1), scene_advance(copy, 4e-3, 1);
        assert_int_equal(scene_hash(w), scene_hash(copy));
        for (int i = 0; i < w->problem.constraints; i++) {
            const impact_row *row = w->problem.constraint[i]->impact;
            rested = rested || (row && row->state.resting);
        }
    }
    cord_counters c;
    assert_fine(w, cord_world_get_counters(w, &c));
    assert_true(c.impacts > 3 && rested);
    cord_world_destroy(w), cord_world_destroy(copy);
}

static void errors_are_told(void **given)
{
    (void)given;
    cord_world *w = world_of(&tr_bdf2, 0, 0);
    cord_body_def def = cord_body_def_default();
    cord_body ball;
    cord_constraint made;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    assert_fine(w, cord_world_add_body(w, &def, &ball));
    cord_constraint_def row = floor_def(w, scene_on(w, ball, 0, 0, 0));
    const double wrong[] = {-0.1, 1.1, NAN};
    for (int i = 0; i < 3; i++) {
        row.restitution = wrong[i];
        assert_int_equal(cord_world_add_constraint(w, &row, &made), CORD_ERROR_ARGUMENT);
        assert_non_null(strstr(cord_world_get_error(w), "restitution"));
    }
    row.restitution = 0.5;
    row.compliance = 1e-3;
    assert_int_equal(cord_world_add_constraint(w, &row, &made), CORD_ERROR_ARGUMENT);
    row.compliance = 0;
    row.side = CORD_EQUAL;
    assert_int_equal(cord_world_add_constraint(w, &row, &made), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "restitution needs a side"));
    cord_point_def at = cord_point_def_default();
    cord_point refused;
    at.source = CORD_SOURCE_SLIDING;
    at.strand = wire(w, CORD_MODEL_DER, (const double[3]){1, 0, 0});
    at.restitution = 2;
    assert_int_equal(cord_world_add_point(w, &at, &refused), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

#define WITH_METHODS(test)                                                                         \
    cmocka_unit_test_prestate(test, (void *)&tr_bdf2),                                             \
        cmocka_unit_test_prestate(test, (void *)&euler),                                           \
        cmocka_unit_test_prestate(test, (void *)&midpoint),                                        \
        cmocka_unit_test_prestate(test, (void *)&symplectic)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pearls_collide),
        cmocka_unit_test(a_cradle),
        WITH_METHODS(a_stack_comes_to_rest),
        WITH_METHODS(a_ball_bounces),
        cmocka_unit_test(a_box_tumbles),
        cmocka_unit_test_prestate(a_hinge_has_limits, (void *)&tr_bdf2),
        cmocka_unit_test_prestate(a_hinge_has_limits, (void *)&midpoint),
        cmocka_unit_test(a_plate_strikes),
        WITH_METHODS(balls_meet),
        cmocka_unit_test(energy_is_kept),
        WITH_METHODS(a_pile_is_struck),
        WITH_METHODS(equilibrium_is_rest),
        cmocka_unit_test_prestate(checkpoints_are_exact, (void *)&tr_bdf2),
        cmocka_unit_test_prestate(checkpoints_are_exact, (void *)&midpoint),
        cmocka_unit_test_prestate(checkpoints_are_exact, (void *)&symplectic),
        cmocka_unit_test(errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
