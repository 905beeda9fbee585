/* Contact in the projection of `symplectic`: friction on an incline, a rope on a floor and over a cylinder, a knot. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81, mu = 0.3, radius = 0.005, density = 0.1;
enum { MOST = 121 };

static cord_world *world(double friction, const double gravity[3])
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_world *w;
    v3_copy(def.gravity, gravity);
    def.integrator = CORD_SYMPLECTIC;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    contact.friction = friction;
    assert_fine(w, cord_world_set_contact(w, &contact));
    return w;
}

static cord_strand rope(cord_world *w, int count, const double *x, double bending)
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand made;
    double natural[3 * MOST];
    def.vertex_count = count;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .radius = radius,
                                 .mass = density,
                                 .bending = {bending, bending},
                                 .twisting = bending};
    for (int i = 0; i < count; i++)
        v3_set(natural + 3 * i, i ? natural[3 * i - 3] + v3_distance(x + 3 * i, x + 3 * i - 3) : 0,
               0, 0);
    def.natural_positions = natural;
    assert_fine(w, cord_world_add_strand(w, &def, &made));
    assert_fine(w, cord_strand_set_surface(w, made, &surface));
    return made;
}

static cord_strand straight(cord_world *w, int count, const double from[3], const double to[3],
                            double bending)
{
    double x[3 * MOST];
    for (int i = 0; i < count; i++)
        v3_combine(x + 3 * i, 1 - i / (count - 1.0), from, i / (count - 1.0), to);
    return rope(w, count, x, bending);
}

static void floor_of(cord_world *w)
{
    cord_obstacle_def plane = cord_obstacle_def_default();
    cord_obstacle made;
    assert_fine(w, cord_world_add_obstacle(w, &plane, &made));
}

static double energy(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_get_energy(w, &e));
    return e.total;
}

/* The acceleration down a slope of tan α = ratio μ, after one second from rest. */
static double slope(double ratio)
{
    const double angle = atan(ratio * mu), from[3] = {0, 0, radius}, to[3] = {1, 0, radius};
    cord_world *w = world(mu, (double[]){g * sin(angle), 0, -g * cos(angle)});
    cord_strand rod = straight(w, 21, from, to, 0.01);
    double v[3 * 21];
    floor_of(w);
    scene_advance(w, 1e-3, 500);
    assert_fine(w, cord_strand_get_velocities(w, rod, v));
    for (int i = 0; i < 21; i++) assert_close(v[3 * i + 2], 0, 1e-6);
    double found = v[30] / 0.5;
    cord_world_destroy(w);
    return found;
}

static void sticks_below_the_angle_of_friction(void **unused)
{
    (void)unused;
    assert_close(slope(0.98), 0, 1e-7);
}

static void slides_above_the_angle_of_friction(void **unused)
{
    (void)unused;
    double angle = atan(1.02 * mu);
    assert_close(slope(1.02), g * (sin(angle) - mu * cos(angle)), 1e-6);
}

/* A rope falls on its end and lies down. */
static void a_rope_comes_to_rest_on_a_floor(void **unused)
{
    (void)unused;
    const double from[3] = {0, 0, 0.05}, to[3] = {0.35, 0, 0.25};
    cord_world *w = world(mu, (double[]){0, 0, -g});
    cord_strand fallen = straight(w, 31, from, to, 1e-4);
    double x[3 * 31], v[3 * 31], before = energy(w), first = before;
    floor_of(w);
    for (int i = 0; i < 40; i++) {
        scene_advance(w, 5e-4, 50);
        double now = energy(w);
        assert_true(now <=
                    before + 0.03 * first); /* forces are explicit, and overlaps are removed */
        before = now;
        assert_fine(w, cord_strand_get_positions(w, fallen, x));
        for (int k = 0; k < 31; k++) assert_true(x[3 * k + 2] > 0.94 * radius);
    }
    assert_fine(w, cord_strand_get_velocities(w, fallen, v));
    for (int k = 0; k < 31; k++) {
        assert_close(x[3 * k + 2], radius, 1e-4 * radius);
        assert_close(v3_norm(v + 3 * k), 0, 1e-6);
    }
    cord_world_destroy(w);
}

static cord_obstacle pole(cord_world *w, double size)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle made;
    def.kind = CORD_OBSTACLE_SHAPE;
    def.shape.kind = CORD_SHAPE_CYLINDER;
    def.shape.radius = size;
    def.shape.length = 1;
    v3_set(def.frame, 1, 0, 0);
    v3_set(def.frame + 3, 0, 0, -1);
    v3_set(def.frame + 6, 0, 1, 0);
    assert_fine(w, cord_world_add_obstacle(w, &def, &made));
    return made;
}

/* A rope over a cylinder along y: the longer side is T₁, the shorter T₂. It rests where T₁/T₂ < exp(μφ). */
static double draped(double friction, double excess)
{
    const double size = 0.05, length = 0.6;
    cord_world *w = world(friction, (double[]){0, 0, -g});
    enum { COUNT = 61 };
    double x[3 * COUNT], v[3 * COUNT], arc = 3.14159265358979 * (size + radius);
    for (int i = 0; i < COUNT; i++) {
        double s = (i / (COUNT - 1.0) - 0.5) * length + excess, t = s / (size + radius);
        if (fabs(s) < 0.5 * arc)
            v3_set(x + 3 * i, (size + radius) * sin(t), 0, (size + radius) * cos(t));
        else
            v3_set(x + 3 * i, copysign(size + radius, s), 0, -(fabs(s) - 0.5 * arc));
    }
    cord_strand rod = rope(w, COUNT, x, 1e-5);
    pole(w, size);
    double before = energy(w);
    scene_advance(w, 2e-4, 1000);
    if (friction == 0) assert_close(energy(w), before, 1e-3 * fabs(before));
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_fine(w, cord_strand_get_velocities(w, rod, v));
    for (int i = 0; i < COUNT; i++)
        assert_true(hypot(x[3 * i], x[3 * i + 2]) > size + 0.98 * radius);
    double fall = v[3 * COUNT - 1];
    cord_world_destroy(w);
    return fall;
}

static void a_rope_rests_on_a_cylinder(void **unused)
{
    (void)unused;
    /* Sides of 0.244 and 0.184 m: a ratio of 1.33, and exp(0.3 π) = 2.57; exp(0.05 π) = 1.17. */
    assert_close(draped(0.3, 0.03), 0, 0.01);
    assert_true(draped(0.05, 0.03) < -0.05);
    assert_true(draped(0, 0.03) < -0.2);
}

/* ---- a knot ---------------------------------------------------------------------------------- */

enum { KNOT = 60, SAMPLES = 4000 };

/* The polynomial trefoil (t³ − 3t, t⁴ − 4t², t⁵/5 − 2t) [Shastri 1992], flattened, of length 1 m, at equal distances. */
static void trefoil(double *x)
{
    static double fine[3 * (SAMPLES + 1)], arc[SAMPLES + 1];
    for (int i = 0; i <= SAMPLES; i++) {
        double t = 2.25 * (2.0 * i / SAMPLES - 1), *p = fine + 3 * i;
        v3_set(p, (t * t - 3) * t, (t * t - 4) * t * t, 0.45 * (t * t * t * t / 5 - 2) * t);
        arc[i] = i ? arc[i - 1] + v3_distance(p, p - 3) : 0;
    }
    for (int i = 0, j = 0; i < KNOT; i++) {
        double s = arc[SAMPLES] * i / (KNOT - 1);
        while (j < SAMPLES - 1 && arc[j + 1] < s) j++;
        double u = (s - arc[j]) / (arc[j + 1] - arc[j]), scale = 1 / arc[SAMPLES];
        v3_combine(x + 3 * i, (1 - u) * scale, fine + 3 * j, u * scale, fine + 3 * j + 3);
    }
}

/* Moves an end of a strand away at `speed` along a direction. */
static void pull(cord_world *w, cord_strand rod, double s, const double x[3],
                 const double direction[3], double speed)
{
    cord_point_def on = cord_point_def_default(), to = cord_point_def_default();
    cord_constraint_def held = cord_constraint_def_default();
    cord_constraint made;
    const double times[2] = {0, 10};
    double path[6] = {0};
    on.source = CORD_SOURCE_STRAND;
    on.strand = rod;
    on.s = s;
    v3_copy(to.position, x);
    v3_axpy(path + 3, 10 * speed, direction);
    to.motion = (cord_keys){.count = 2, .times = times, .values = path};
    held.first = scene_add_point(w, &on);
    held.second = scene_add_point(w, &to);
    assert_fine(w, cord_world_add_constraint(w, &held, &made));
}

static cord_world *knotted(cord_strand *rod)
{
    cord_world *w = world(mu, (double[]){0, 0, 0});
    double x[3 * KNOT], direction[3], length = 0;
    trefoil(x);
    *rod = rope(w, KNOT, x, 1e-4);
    for (int i = 1; i < KNOT; i++) length += v3_distance(x + 3 * i, x + 3 * i - 3);
    v3_sub(direction, x + 3 * (KNOT - 1), x);
    v3_normalize(direction, direction);
    pull(w, *rod, 0, x, direction, -0.16);
    pull(w, *rod, length, x + 3 * (KNOT - 1), direction, 0.16);
    return w;
}

/* It comes undone at no step: strands that pass through each other would leave no contacts. */
static void a_trefoil_tightens(void **unused)
{
    (void)unused;
    static cord_contact contacts[200];
    cord_strand rod;
    cord_world *w = knotted(&rod);
    int count;
    for (int i = 0; i < 30; i++) {
        scene_advance(w, 5e-4, 100);
        assert_fine(w, cord_world_get_contacts(w, 200, contacts, &count));
        for (int k = 0; k < count; k++) {
            const cord_contact *c = contacts + k;
            double normal = v3_dot(c->force, c->normal), total = v3_norm(c->force);
            assert_true(c->gap > -0.06 * radius);
            assert_true(total * total - normal * normal <= (mu * mu + 1e-4) * normal * normal);
        }
    }
    double x[3 * KNOT];
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_true(v3_distance(x, x + 3 * (KNOT - 1)) > 0.75);
    assert_true(count >= 3);
    cord_world_destroy(w);
}

/* Candidates of earlier steps do not change the contacts: a world that begins at a checkpoint has none. */
static void candidates_do_not_depend_on_history(void **unused)
{
    (void)unused;
    cord_strand rod;
    cord_world *w = knotted(&rod), *other = knotted(&rod);
    uint64_t hash[2];
    size_t size;
    scene_advance(w, 5e-4, 817);
    assert_fine(w, cord_world_get_state_size(w, &size));
    void *state = test_malloc(size);
    assert_fine(w, cord_world_get_state(w, state));
    assert_fine(other, cord_world_set_state(other, state, size));
    scene_advance(w, 5e-4, 100);
    scene_advance(other, 5e-4, 100);
    assert_fine(w, cord_world_hash(w, hash));
    assert_fine(other, cord_world_hash(other, hash + 1));
    assert_int_equal(hash[0], hash[1]);
    test_free(state);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

static void settled_steps_take_no_heap(void **unused)
{
    (void)unused;
    cord_strand rod;
    cord_world *w = knotted(&rod);
    cord_counters before, after;
    scene_advance(w, 5e-4, 1500);
    assert_fine(w, cord_world_get_counters(w, &before));
    scene_advance(w, 5e-4, 50);
    assert_fine(w, cord_world_get_counters(w, &after));
    assert_int_equal(after.heap_calls, before.heap_calls);
    cord_world_destroy(w);
}

/* ---- a ply ------------------------------------------------------------------------------------- */

enum { SIDE = 48, ARC = 12, PLY = 2 * SIDE + ARC };

/* Both ends of a rod wound round each other below a loop. */
static void ply(double *x)
{
    const double size = 1.03 * radius, pitch = 0.7 / size, edge = 0.0025, top = (SIDE - 1) * edge;
    for (int i = 0; i < SIDE; i++) {
        const double z = i * edge, phi = pitch * (z - top);
        double *up = x + 3 * i, *down = x + 3 * (PLY - 1 - i);
        v3_set(up, -size * cos(phi), -size * sin(phi), z);
        v3_set(down, -up[0], -up[1], z);
    }
    for (int i = 0; i < ARC; i++) { /* three quarters of an ellipse */
        const double phi = 1.5 * acos(-1) * ((i + 1.0) / (ARC + 1) - 0.5);
        v3_set(x + 3 * (SIDE + i), 1.4 * size * sin(phi), 0, top + 2.5 * size * (0.71 + cos(phi)));
    }
}

/* The rod is pulled by its ends, and the loop is held: many contacts, most of which slip. Each obeys Coulomb's law. */
static void a_ply_obeys_the_law(void **unused)
{
    (void)unused;
    static cord_contact contacts[200];
    cord_world *w = world(mu, (double[]){0, 0, 0});
    double x[3 * PLY], length = 0, half = 0, least = INFINITY;
    int count, slipping = 0, sticking = 0;
    cord_counters before, after;
    ply(x);
    cord_strand rod = rope(w, PLY, x, 1e-5);
    for (int i = 1; i < PLY; i++) {
        length += v3_distance(x + 3 * i, x + 3 * i - 3);
        if (i == PLY / 2) half = length;
    }
    pull(w, rod, 0, x, (double[]){0, 0, -1}, 0.2);
    pull(w, rod, length, x + 3 * (PLY - 1), (double[]){0, 0, -1}, 0.2);
    pull(w, rod, half, x + 3 * (PLY / 2), (double[]){0, 0, 0}, 0);
    scene_advance(w, 5e-5, 200);
    assert_fine(w, cord_world_get_counters(w, &before));
    for (int step = 0; step < 50; step++) {
        scene_advance(w, 5e-5, 1);
        assert_fine(w, cord_world_get_contacts(w, 200, contacts, &count));
        assert_true(count >= 20 && count <= 200);
        for (int i = 0; i < count; i++) {
            const cord_contact *c = contacts + i;
            const double normal = v3_dot(c->force, c->normal), slip = v3_norm(c->slip);
            double tangential[3];
            v3_combine(tangential, 1, c->force, -normal, c->normal);
            least = fmin(least, c->gap);
            assert_true(v3_norm(tangential) <= mu * normal * (1 + 1e-9));
            sticking += c->sticks, slipping += !c->sticks;
            if (c->sticks || slip < 0.02) continue;
            assert_close(v3_dot(tangential, c->slip), -mu * normal * slip,
                         0.02 * mu * normal * slip);
        }
    }
    assert_fine(w, cord_world_get_counters(w, &after));
    assert_true(slipping > 100 && sticking > 100 && least > -1e-3 * radius);
    /* Newton's method with the rows finds the forces, but for a few steps. */
    assert_true(after.contact_newton_steps - before.contact_newton_steps >= 200);
    assert_true(after.contact_sweeps - before.contact_sweeps < 100);
    assert_int_equal(after.contact_unsolved, before.contact_unsolved);
    assert_int_equal(after.heap_calls, before.heap_calls);
    cord_world_destroy(w);
}

/* ---- bodies ------------------------------------------------------------------------------------ */

/* A ball hangs in a loop of rope over which it was laid: the rope carries its weight. */
static void a_rope_carries_a_ball(void **unused)
{
    (void)unused;
    cord_world *w = world(mu, (double[]){0, 0, -g});
    cord_body_def def = cord_body_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_body ball;
    double position[3], x[3 * 41], length = 0;
    for (int i = 0; i < 41; i++) {
        double s = i / 20.0 - 1;
        v3_set(x + 3 * i, 0.2 * s, 0, 0.2 * s * s);
        if (i) length += v3_distance(x + 3 * i, x + 3 * i - 3);
    }
    cord_strand rod = rope(w, 41, x, 1e-4);
    pull(w, rod, 0, x, (double[]){0, 0, 0}, 0);
    pull(w, rod, length, x + 120, (double[]){0, 0, 0}, 0);
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = 0.04;
    def.mass = 0.05;
    v3_set(def.position, 0, 0, 0.04 + 1.01 * radius);
    assert_fine(w, cord_world_add_body(w, &def, &ball));
    assert_fine(w, cord_body_set_surface(w, ball, &surface));
    scene_advance(w, 2e-4, 1000);
    assert_fine(w, cord_body_get_pose(w, ball, position, NULL));
    assert_true(position[2] > 0 && position[2] < 0.08);
    cord_world_destroy(w);
}

/* A box falls on a floor, and friction stops it. */
static void a_box_rests_on_a_floor(void **unused)
{
    (void)unused;
    cord_world *w = world(mu, (double[]){0.9 * mu * g, 0, -g});
    cord_body_def def = cord_body_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_body box;
    double position[3], velocity[3];
    def.shape.kind = CORD_SHAPE_BOX;
    v3_set(def.shape.size, 0.2, 0.1, 0.06);
    v3_set(def.position, 0, 0, 0.031);
    assert_fine(w, cord_world_add_body(w, &def, &box));
    assert_fine(w, cord_body_set_surface(w, box, &surface));
    floor_of(w);
    scene_advance(w, 1e-3, 300);
    assert_fine(w, cord_body_get_pose(w, box, position, NULL));
    assert_fine(w, cord_body_get_velocity(w, box, velocity, NULL));
    assert_close(position[2], 0.03, 1e-4);
    assert_close(v3_norm(velocity), 0, 1e-4);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_below_the_angle_of_friction),
        cmocka_unit_test(slides_above_the_angle_of_friction),
        cmocka_unit_test(a_rope_comes_to_rest_on_a_floor),
        cmocka_unit_test(a_rope_rests_on_a_cylinder),
        cmocka_unit_test(a_trefoil_tightens),
        cmocka_unit_test(candidates_do_not_depend_on_history),
        cmocka_unit_test(settled_steps_take_no_heap),
        cmocka_unit_test(a_ply_obeys_the_law),
        cmocka_unit_test(a_rope_carries_a_ball),
        cmocka_unit_test(a_box_rests_on_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
