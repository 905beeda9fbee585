/* Equilibria and quasi-static steps of objects that only contact joins, against closed forms. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

enum { EDGES = 40, VERTICES = EDGES + 1, MOST = 64 };

typedef struct rod_case {
    const char *model;
    int elements;
} rod_case;

static const rod_case cases[] = {{CORD_MODEL_DER, 0}, {CORD_MODEL_CLOTHOID, 6}};

/* A straight massless rod of length 1 that is clamped at `from`. */
static cord_strand cantilever(cord_world *w, const rod_case *c, const double from[3],
                              const double direction[3], double bending)
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        v3_copy(x + 3 * i, from);
        v3_axpy(x + 3 * i, (double)i / EDGES, direction);
    }
    def.model = c->model;
    def.element_count = c->elements;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.section = scene_section();
    def.section.mass = 1e-6;
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = bending;
    cord_strand rod = scene_strand(w, &def);
    surface.self = false;
    assert_fine(w, cord_strand_set_surface(w, rod, &surface));
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    return rod;
}

/* The contact forces along z, one by one; their sum. */
static double vertical_force(cord_world *w)
{
    cord_contact list[MOST];
    int count;
    double sum = 0;
    assert_fine(w, cord_world_get_contacts(w, MOST, list, &count));
    assert_in_range(count, 1, MOST);
    for (int i = 0; i < count; i++) sum += fabs(list[i].force[2]);
    return sum;
}

/* A cantilever lies across another at the distance a from both clamps, and a force F acts at its end, 1 from its clamp. Their
 * deflections at the crossing are equal:
 *
 *     F a²(3 − a)/6 − R a³/3 = R a³/3,     R = F (3 − a)/(4a),
 *
 * with EI = 1. Without a load they touch without a force. */
static void crossed_cantilevers(void **unused)
{
    (void)unused;
    const double a = 0.9, force = 0.03;
    for (int k = 0; k < 2; k++) {
        cord_world *w = rod_world(0.3, (double[]){0, 0, 0});
        cord_strand upper =
            cantilever(w, cases + k, (double[]){0, 0, 2 * rod_radius}, (double[]){1, 0, 0}, 1);
        cord_strand lower = cantilever(w, cases + k, (double[]){a, -a, 0}, (double[]){0, 1, 0}, 1);
        double x[3 * VERTICES];
        cord_statics_result found;
        int unstable, neutral;
        cord_load_def load = cord_load_def_default();
        cord_load made;
        load.point = scene_point(w, upper, 1);
        load.force[2] = -force;
        assert_fine(w, cord_world_add_load(w, &load, &made));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
        const double R = force * (3 - a) / (4 * a);
        assert_close(vertical_force(w), R, 3e-3 * R);
        assert_fine(w, cord_strand_get_positions(w, lower, x));
        const double at_end = R * a * a * (3 - a) / 6; /* of a cantilever with the force at a */
        assert_close(x[3 * EDGES + 2], -at_end, 5e-3 * at_end);
        assert_int_equal(found.unstable_directions, 0);
        assert_int_equal(found.neutral_directions, 0);
        assert_fine(w, cord_world_count_unstable_directions(w, &unstable, &neutral));
        assert_int_equal(unstable, 0);
        cord_world_destroy(w);
    }
}

static cord_body ball(cord_world *w, double radius, double mass, const double at[3])
{
    cord_body_def def = cord_body_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    def.name = "ball";
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    def.mass = mass;
    v3_copy(def.position, at);
    cord_body made = scene_body(w, &def);
    assert_fine(w, cord_body_set_surface(w, made, &surface));
    cord_constraint_def keep =
        cord_constraint_def_default(); /* else it would slide along the rails */
    keep.kind = CORD_PLANE;
    keep.first = scene_on(w, made, 0, 0, 0);
    v3_set(keep.direction, 1, 0, 0);
    scene_relate(w, &keep);
    return made;
}

/* Two stiff rails at y = ±d carry a ball at the height √((R + ρ)² − d²) above them; the force on each is m g/2 upwards. On one
 * rail it is in unstable equilibrium. The rotations of the ball are neutral. */
static void ball_on_rails(void **unused)
{
    (void)unused;
    const double R = 0.05, mass = 0.5, d = 0.03, stiff = 1e4;
    for (int rails = 1; rails <= 2; rails++) {
        cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
        const double high = sqrt((R + rod_radius) * (R + rod_radius) - (rails == 2 ? d * d : 0));
        for (int i = 0; i < rails; i++)
            cantilever(w, cases, (double[]){0, rails == 2 ? (i ? d : -d) : 0, 0},
                       (double[]){1, 0, 0}, stiff);
        cord_body made = ball(w, R, mass, (double[]){0.5, 0, high + (rails == 2 ? 0.004 : 0)});
        double x[3];
        cord_statics_result found;
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
        assert_fine(w, cord_body_get_pose(w, made, x, NULL));
        assert_close(x[1], 0, 1e-8);
        assert_close(x[2], high, 1e-4); /* m g (½)³/6 EI is 2e-5 */
        assert_close(vertical_force(w), mass * g, 1e-6 * mass * g);
        assert_int_equal(found.unstable_directions, rails == 1);
        assert_int_equal(found.neutral_directions, 3);
        cord_world_destroy(w);
    }
}

/* A box on two rails that fall along x, with 0.93 of the angle of friction, sticks. */
static void box_on_rails(void **unused)
{
    (void)unused;
    const double mass = 4, height = 0.1, angle = atan(0.28);
    cord_world *w = scene_world_in(CORD_QUASI_STATIC, 0);
    cord_contact_def contact = cord_contact_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    contact.friction = 0.3;
    assert_fine(w, cord_world_set_contact(w, &contact));
    assert_fine(w, cord_world_set_gravity(w, (double[]){g * sin(angle), 0, -g * cos(angle)}));
    for (int i = 0; i < 2; i++)
        cantilever(w, cases, (double[]){0, i ? 0.05 : -0.05, 0}, (double[]){1, 0, 0}, 1e4);
    cord_body_def def = scene_box(0.2, 0.2, height);
    v3_set(def.position, 0.4, 0, rod_radius + 0.5 * height);
    cord_body box = scene_body(w, &def);
    assert_fine(w, cord_body_set_surface(w, box, &surface));
    double x[3];
    scene_advance(w, 0.1, 3);
    assert_fine(w, cord_body_get_pose(w, box, x, NULL));
    assert_close(x[0], 0.4, 1e-3);
    assert_close(vertical_force(w), mass * g * cos(angle), 1e-2 * mass * g);
    cord_world_destroy(w);
}

/* A free rod of 0.1 kg/m rests on two hanging ones, and motion that begins there stays there: clusters are apart again. */
static void rod_on_rods(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
    double before[3 * (ROD_EDGES + 1)], after[3 * (ROD_EDGES + 1)], most = 0;
    cord_statics_result found;
    for (int i = 0; i < 2; i++) {
        const double x = i ? 0.3 : -0.3;
        cord_strand below =
            rod_between(w, (double[]){x, -0.5, 0.02}, (double[]){x, 0.5, 0.02}, NULL);
        assert_fine(w, cord_world_clamp_strand(w, below, 0, NULL, NULL, NULL, NULL));
    }
    cord_strand rod = rod_between(w, (double[]){-0.5, 0, 0.05}, (double[]){0.5, 0, 0.05}, NULL);
    cord_constraint_def keep = cord_constraint_def_default();
    keep.kind = CORD_PLANE; /* without friction it would slide or turn off the others, which sag */
    for (int i = 0; i < 3; i++) {
        keep.first = scene_point(w, rod, 0.5 * i);
        v3_set(keep.direction, i == 1, i != 1, 0);
        scene_relate(w, &keep);
    }
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
    assert_close(vertical_force(w), 0.1 * g, 1e-6);
    assert_int_equal(found.unstable_directions, 0);
    assert_fine(w, cord_strand_get_positions(w, rod, before));
    scene_advance(w, 0.005, 20);
    assert_fine(w, cord_strand_get_positions(w, rod, after));
    for (int i = 0; i <= ROD_EDGES; i++)
        most = fmax(most, v3_distance(before + 3 * i, after + 3 * i));
    assert_true(most < 1e-6);
    cord_world_destroy(w);
}

/* The crossed cantilevers in quasi-static steps, with friction, as the load grows: they stick, and the force is the same. */
static void crossed_in_steps(void **unused)
{
    (void)unused;
    const double a = 0.9, force = 0.03;
    cord_world *w = scene_world_in(CORD_QUASI_STATIC, 0);
    cord_contact_def contact = cord_contact_def_default();
    contact.friction = 0.3;
    assert_fine(w, cord_world_set_contact(w, &contact));
    assert_fine(w, cord_world_set_gravity(w, (double[]){0, 0, 0}));
    cord_strand upper =
        cantilever(w, cases, (double[]){0, 0, 2 * rod_radius}, (double[]){1, 0, 0}, 1);
    cantilever(w, cases, (double[]){a, -a, 0}, (double[]){0, 1, 0}, 1);
    cord_load_def load = cord_load_def_default();
    cord_load made;
    load.point = scene_point(w, upper, 1);
    assert_fine(w, cord_world_add_load(w, &load, &made));
    for (int i = 1; i <= 4; i++) {
        assert_fine(w, cord_load_set_force(w, made, (double[]){0, 0, -0.25 * i * force}));
        scene_advance(w, 0.1, 1);
        const double R = 0.25 * i * force * (3 - a) / (4 * a);
        assert_close(vertical_force(w), R, 3e-3 * R);
    }
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossed_cantilevers), cmocka_unit_test(ball_on_rails),
        cmocka_unit_test(box_on_rails),        cmocka_unit_test(rod_on_rods),
        cmocka_unit_test(crossed_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
