/* Contact by schemes of one solve: closed forms, backward Euler in short steps, and the number of solves. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81, mu = 0.3, h = 0.005;
static const cord_point nowhere = {0};

static cord_world *world_of(void **state, double friction, const double gravity[3])
{
    const integration *by = *state;
    return rod_world_by(by->scheme, friction, gravity);
}

static cord_world *inclined(void **state, double angle, bool across, cord_strand *rod)
{
    cord_world *w = world_of(state, mu, (double[]){g * sin(angle), 0, -g * cos(angle)});
    *rod = rod_between(w, (double[]){0, 0, rod_radius},
                       (double[]){across ? 0 : 1, across ? 1 : 0, rod_radius}, NULL);
    rod_floor(w, nowhere);
    return w;
}

/* Iterations of Newton's method in so many steps. */
static int iterations_in(cord_world *w, int steps)
{
    cord_counters before, after;
    assert_fine(w, cord_world_get_counters(w, &before));
    scene_advance(w, h, steps);
    assert_fine(w, cord_world_get_counters(w, &after));
    return (int)(after.newton_iterations - before.newton_iterations);
}

static void sticks_below_the_angle_of_friction(void **state)
{
    cord_strand rod;
    double angle = atan(0.98 * mu), v[3], force[3], x[3 * (ROD_EDGES + 1)];
    cord_world *w = inclined(state, angle, false, &rod);
    scene_advance(w, h, 50);
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    const double start = x[0];
    assert_int_equal(iterations_in(w, 200), 200); /* one solve a step, and no repetition */
    rod_velocity(w, rod, v);
    rod_contact_force(w, rod, force);
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_close(start, 0, 1e-7);
    assert_close(v[0], 0, 1e-8);
    assert_close(x[0], start, 1e-9);
    assert_close(force[2], rod_density * g * cos(angle), 1e-8);
    assert_close(force[0], -rod_density * g * sin(angle), 1e-8);
    cord_world_destroy(w);
}

/* v = g (sin α − μ cos α) t. */
static void slides_above_the_angle_of_friction(void **state)
{
    cord_strand rod;
    double angle = atan(1.02 * mu), v[3];
    cord_world *w = inclined(state, angle, false, &rod);
    scene_advance(w, h, 1);
    assert_int_equal(iterations_in(w, 199), 199);
    rod_velocity(w, rod, v);
    assert_close(v[0], g * (sin(angle) - mu * cos(angle)), 1e-8);
    assert_close(v[1], 0, 1e-8);
    cord_world_destroy(w);
}

/* A solid cylinder rolls with v = ⅔ g sin α t. */
static void rolls(void **state)
{
    cord_strand rod;
    double angle = 0.2, v[3];
    cord_world *w = inclined(state, angle, true, &rod);
    scene_advance(w, h, 200);
    rod_velocity(w, rod, v);
    assert_close(v[0], 2.0 / 3 * g * sin(angle),
                 3e-6 * g); /* forces are those of the start of a step */
    cord_world_destroy(w);
}

/* Two logs and one across them: nothing moves, one solve a step. (Later it rolls: its bent axis is in unstable equilibrium.) */
static void a_pile_stays_at_rest(void **state)
{
    cord_world *w = world_of(state, mu, (double[]){0, 0, -g});
    cord_strand rods[3];
    double x[3 * (ROD_EDGES + 1)], force[3], before[3];
    for (int i = 0; i < 2; i++)
        rods[i] = rod_between(w, (double[]){0, 0.3 * i, rod_radius},
                              (double[]){1, 0.3 * i, rod_radius}, NULL);
    rods[2] = rod_between(w, (double[]){0.5, -0.2, 3 * rod_radius},
                          (double[]){0.5, 0.5, 3 * rod_radius}, NULL);
    rod_floor(w, nowhere);
    scene_advance(w, h, 20);
    assert_fine(w, cord_strand_get_positions(w, rods[2], x));
    v3_copy(before, x);
    assert_int_equal(iterations_in(w, 20), 60);
    assert_fine(w, cord_strand_get_positions(w, rods[2], x));
    rod_contact_force(w, rods[2], force);
    assert_close(v3_distance(before, x), 0, 1e-7);
    assert_close(force[2], 0.7 * rod_density * g, 1e-6);
    cord_world_destroy(w);
}

/* ---- capstan --------------------------------------------------------------------------------------- */

enum { ROPE_EDGES = 60 };

/* A light rope over a cylinder, half a turn, with these tensions at its ends: the displacement of the second after 0.2 s. */
static double capstan(void **state, double first, double second)
{
    const double R = 0.1, radius = 0.002, side = 0.15, pi = acos(-1.0),
                 length = pi * (R + radius) + 2 * side;
    const integration *by = *state;
    cord_world *w = rod_world_by(by->scheme, mu, (double[]){0, 0, 0});
    cord_obstacle_def pole = cord_obstacle_def_default();
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_obstacle made;
    double x[3 * (ROPE_EDGES + 1)], natural[3 * (ROPE_EDGES + 1)];
    pole.kind = CORD_OBSTACLE_SHAPE;
    pole.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = R, .length = 1};
    v3_set(pole.frame, 1, 0, 0);
    v3_set(pole.frame + 3, 0, 0, -1);
    v3_set(pole.frame + 6, 0, 1, 0);
    assert_fine(w, cord_world_add_obstacle(w, &pole, &made));
    for (int i = 0; i <= ROPE_EDGES; i++) {
        const double s = length * i / ROPE_EDGES, turn = (s - side) / (R + radius);
        if (turn < 0)
            v3_set(x + 3 * i, -R - radius, 0, s - side);
        else if (turn > pi)
            v3_set(x + 3 * i, R + radius, 0, pi * (R + radius) + side - s);
        else
            v3_set(x + 3 * i, -(R + radius) * cos(turn), 0, (R + radius) * sin(turn));
        v3_set(natural + 3 * i, s, 0, 0);
    }
    def.vertex_count = ROPE_EDGES + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.section = scene_section();
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 1e-5;
    def.section.radius = radius;
    def.section.mass = 0.05;
    def.drag = 0.5;
    def.twist_mode = CORD_TWIST_QUASISTATIC;
    cord_strand rope = scene_strand(w, &def);
    assert_fine(w, cord_strand_set_surface(w, rope, &surface));
    const double pulls[2] = {first, second};
    for (int end = 0; end < 2; end++) {
        cord_load_def load = cord_load_def_default();
        cord_load added;
        load.point = scene_point(w, rope, end * scene_length(w, rope));
        v3_set(load.force, 0, 0, -pulls[end]);
        assert_fine(w, cord_world_add_load(w, &load, &added));
    }
    scene_advance(w, 0.002, 50);
    assert_fine(w, cord_strand_get_positions(w, rope, x));
    const double before = x[3 * ROPE_EDGES + 2];
    scene_advance(w, 0.002, 100);
    assert_fine(w, cord_strand_get_positions(w, rope, x));
    cord_world_destroy(w);
    return before - x[3 * ROPE_EDGES + 2];
}

/* Friction at the centreline: the ratio of tensions is exp(μ φ); edges meet the curve to 0.1 %. */
static void a_rope_slides_at_the_ratio_of_the_capstan(void **state)
{
    const double ratio = exp(mu * acos(-1.0));
    assert_true(fabs(capstan(state, 5, 5 * 0.98 * ratio)) < 1e-4);
    assert_true(capstan(state, 5, 5 * 1.05 * ratio) > 5e-3);
}

/* ---- falls ----------------------------------------------------------------------------------------- */

enum { EDGES = 12 };

static cord_world *falling(cord_scheme scheme, const char *model, double restitution,
                           cord_strand *made)
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_obstacle_def floor = cord_obstacle_def_default(), ball = cord_obstacle_def_default();
    cord_strand_def strand = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_obstacle obstacle;
    cord_world *w;
    double x[3 * (EDGES + 1)];
    def.threads = 1;
    def.scheme = scheme;
    contact.friction = 0.4;
    contact.restitution = restitution;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    assert_fine(w, cord_world_set_contact(w, &contact));
    assert_fine(w, cord_world_add_obstacle(w, &floor, &obstacle));
    ball.kind = CORD_OBSTACLE_SHAPE;
    ball.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    v3_set(ball.position, 0.05, 0.01, 0.15);
    assert_fine(w, cord_world_add_obstacle(w, &ball, &obstacle));
    for (int i = 0; i <= EDGES; i++) v3_set(x + 3 * i, 0.5 * i / EDGES - 0.25, 0, 0.3);
    strand.model = model;
    strand.vertex_count = EDGES + 1;
    strand.positions = x;
    strand.section.radius = 0.006;
    strand.material = (cord_material){.density = 1000, .young = 3e5, .poisson = 0.5};
    strand.damping = 0.02;
    strand.drag = 0.2;
    assert_fine(w, cord_world_add_strand(w, &strand, made));
    assert_fine(w, cord_strand_set_surface(w, *made, &surface));
    return w;
}

/* Positions after a fall of 0.2 s in steps of `step`; every gap is above -5 % of the radius. */
static void fall(cord_scheme scheme, const char *model, double step, double *x)
{
    enum { MOST = 200 };
    static cord_contact list[MOST];
    cord_strand made;
    int count, touching = 0;
    cord_world *w = falling(scheme, model, 0, &made);
    for (int i = 0; i < (int)lround(0.2 / step); i++) {
        scene_advance(w, step, 1);
        assert_fine(w, cord_world_get_contacts(w, MOST, list, &count));
        touching += count;
        for (int k = 0; k < count && k < MOST; k++) assert_true(list[k].gap > -0.06 * 0.006);
    }
    assert_true(touching > 0);
    assert_fine(w, cord_strand_get_positions(w, made, x));
    cord_world_destroy(w);
}

static double apart(const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i <= EDGES; i++) most = fmax(most, v3_distance(x + 3 * i, y + 3 * i));
    return most;
}

/* A strand that falls on a sphere: the scheme goes to the motion of backward Euler as steps become shorter. */
static void falls_as_by_backward_euler(void **state)
{
    const integration *by = *state;
    static const char *const models[] = {"der", "clothoid", "spline"};
    for (int i = 0; i < 3; i++) {
        double exact[3 * (EDGES + 1)], coarse[3 * (EDGES + 1)], fine[3 * (EDGES + 1)];
        fall(CORD_BACKWARD_EULER, models[i], 1.25e-4, exact);
        fall(by->scheme, models[i], 4e-3, coarse);
        fall(by->scheme, models[i], 5e-4, fine);
        assert_true(apart(coarse, exact) < 0.02); /* of a fall of 0.2 m */
        assert_true(apart(fine, exact) < 0.4 * apart(coarse, exact));
    }
}

static void energy_does_not_grow(void **state)
{
    const integration *by = *state;
    for (const char *const *model = cord_model_names(); *model; model++) {
        cord_strand made;
        cord_world *w = falling(by->scheme, *model, 0, &made);
        const double first = scene_energy(w).total;
        double least = first;
        for (int i = 0; i < 120; i++) {
            scene_advance(w, 0.005, 1);
            const double e = scene_energy(w).total;
            assert_true(e - least < 4e-3 * first); /* as of TR-BDF2: test_contact_energy.c */
            least = fmin(least, e);
        }
        assert_true(least < 0.7 * first);
        cord_world_destroy(w);
    }
}

static void goes_on_from_a_checkpoint(void **state)
{
    const integration *by = *state;
    cord_strand made;
    cord_world *w = falling(by->scheme, "clothoid", 0.3, &made),
               *other = falling(by->scheme, "clothoid", 0.3, &made);
    scene_advance(w, 0.004, 30);
    scene_goes_on(w, other, 0.004, 20);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

/* Without gravity a ball that meets a plane at 2 m/s leaves it at e times that. */
static void balls_rebound(void **state)
{
    const integration *by = *state;
    cord_world *w = rod_world_by(by->scheme, mu, (double[]){0, 0, 0});
    cord_contact_def contact = cord_contact_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_body_def def = cord_body_def_default();
    cord_body ball;
    double v[3], omega[3];
    contact.restitution = 0.6;
    contact.tolerance = 1e-10;
    assert_fine(w, cord_world_set_contact(w, &contact));
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    v3_set(def.position, 0, 0, 0.13);
    v3_set(def.velocity, 0, 0, -2);
    assert_fine(w, cord_world_add_body(w, &def, &ball));
    assert_fine(w, cord_body_set_surface(w, ball, &surface));
    rod_floor(w, nowhere);
    scene_advance(w, 0.004, 10);
    assert_fine(w, cord_body_get_velocity(w, ball, v, omega));
    assert_close(v[2], 1.2, 1e-6);
    cord_world_destroy(w);
}

/* A chain of radius 2 mm that slides sideways at v with μ = 0.2 rolls after v/(3 μ g), at two thirds of v, 333 rad/s: more than a
 * radian in a step. */
static void a_chain_that_slides_begins_to_roll(void **state)
{
    enum { EDGES_OF_CHAIN = 12 };
    const integration *by = *state;
    const double v = 1, friction = 0.2, radius = 0.002, slides = v / (3 * friction * g);
    const double end =
        v * slides - 0.5 * friction * g * slides * slides + 2.0 / 3 * v * (0.8 - slides);
    cord_world *w = rod_world_by(by->scheme, friction, (double[]){0, 0, -g});
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand rod;
    double x[3 * (EDGES_OF_CHAIN + 1)], velocity[3 * (EDGES_OF_CHAIN + 1)];
    for (int i = 0; i <= EDGES_OF_CHAIN; i++) {
        v3_set(x + 3 * i, 0, 0.3 * i / EDGES_OF_CHAIN, radius);
        v3_set(velocity + 3 * i, v, 0, 0);
    }
    def.model = CORD_MODEL_CLOTHOID;
    def.vertex_count = EDGES_OF_CHAIN + 1;
    def.positions = x;
    def.velocities = velocity;
    def.section.radius = radius;
    def.material = (cord_material){.density = 2000, .young = 1e9, .poisson = 0.5};
    assert_fine(w, cord_world_add_strand(w, &def, &rod));
    assert_fine(w, cord_strand_set_surface(w, rod, &surface));
    rod_floor(w, nowhere);
    scene_advance(w, h, 160);
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_close(x[3 * (EDGES_OF_CHAIN / 2)], end, v * h); /* of first order */
    cord_world_destroy(w);
}

#define BY_SCHEMES_OF_ONE_SOLVE(test)                                                              \
    BY_INTEGRATION(test, "linearised", LINEARISED),                                                \
        BY_INTEGRATION(test, "semi_implicit", SEMI_IMPLICIT),                                      \
        BY_INTEGRATION(test, "semi_implicit_velocity", SEMI_IMPLICIT_VELOCITY)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_SCHEMES_OF_ONE_SOLVE(sticks_below_the_angle_of_friction),
        BY_SCHEMES_OF_ONE_SOLVE(slides_above_the_angle_of_friction),
        BY_SCHEMES_OF_ONE_SOLVE(rolls),
        BY_SCHEMES_OF_ONE_SOLVE(a_pile_stays_at_rest),
        BY_SCHEMES_OF_ONE_SOLVE(a_rope_slides_at_the_ratio_of_the_capstan),
        BY_SCHEMES_OF_ONE_SOLVE(falls_as_by_backward_euler),
        BY_SCHEMES_OF_ONE_SOLVE(energy_does_not_grow),
        BY_SCHEMES_OF_ONE_SOLVE(goes_on_from_a_checkpoint),
        BY_SCHEMES_OF_ONE_SOLVE(balls_rebound),
        BY_SCHEMES_OF_ONE_SOLVE(a_chain_that_slides_begins_to_roll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
