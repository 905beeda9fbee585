/* Contact in equilibria and in quasi-static steps, against closed forms. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81;
static const cord_point nowhere = {0};

enum { EDGES = 40, VERTICES = EDGES + 1 };

typedef struct rod_case {
    const char *model;
    int elements;
} rod_case;

static const rod_case cases[] = {{CORD_MODEL_DER, 0}, {CORD_MODEL_CLOTHOID, 8}};

/* A straight rod along x of length 1 from `from`, EI = 1 N m², 0.1 kg/m. */
static cord_strand heavy_rod(cord_world *w, const rod_case *c, const double from[3])
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++)
        v3_set(x + 3 * i, from[0] + (double)i / EDGES, from[1], from[2]);
    def.model = c->model;
    def.name = "rod";
    def.element_count = c->elements;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.section = scene_section();
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 1;
    cord_strand rod = scene_strand(w, &def);
    surface.self = false;
    assert_fine(w, cord_strand_set_surface(w, rod, &surface));
    return rod;
}

/* A cylinder along y whose highest line is at z = 0. */
static void add_support(cord_world *w, double x, double radius)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle made;
    static const double along_y[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    def.name = "support";
    def.kind = CORD_OBSTACLE_SHAPE;
    def.shape.kind = CORD_SHAPE_CYLINDER;
    def.shape.radius = radius;
    def.shape.length = 1;
    memcpy(def.frame, along_y, sizeof def.frame);
    v3_set(def.position, x, 0, -radius);
    assert_fine(w, cord_world_add_obstacle(w, &def, &made));
}

/* w l² (5 l² − 24 c²)/384 EI below the supports in the middle of a span l with overhangs c. */
static void rod_on_two_supports(void **unused)
{
    (void)unused;
    const double l = 0.5, c = 0.25, weight = 0.1 * g;
    for (int k = 0; k < 2; k++) {
        cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
        cord_strand rod = heavy_rod(w, cases + k, (double[]){-0.5, 0, 0.015});
        add_support(w, -0.5 * l, 0.02);
        add_support(w, 0.5 * l, 0.02);
        cord_constraint_def keep = cord_constraint_def_default();
        keep.kind = CORD_PLANE; /* without friction it would slide off */
        keep.first = scene_point(w, rod, 0.5);
        v3_set(keep.direction, 1, 0, 0);
        scene_relate(w, &keep);
        cord_statics_result found;
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
        cord_contact list[8];
        int count;
        assert_fine(w, cord_world_get_contacts(w, 8, list, &count));
        print_message("%s: %d contacts, %d iterations, residual %g, unstable %d neutral %d\n", cases[k].model, count, found.iterations, found.residual, found.unstable_directions, found.neutral_directions);
        double x[3 * VERTICES], each[2] = {0, 0};
        for (int i = 0; i < count; i++) each[list[i].position[0] > 0] += list[i].force[2];
        assert_fine(w, cord_strand_get_positions(w, rod, x));
        double sag = rod_radius - x[3 * (EDGES / 2) + 2];
        double expected = weight * l * l * (5 * l * l - 24 * c * c) / 384;
        print_message("forces %.10g %.10g of %.10g; sag %.6g of %.6g\n", each[0], each[1], 0.5 * weight, sag, expected);
        for (int i = 0; i < 2; i++) assert_close(each[i], 0.5 * weight, 1e-3 * weight);
        assert_close(sag, expected, 0.03 * fabs(expected));
        cord_world_destroy(w);
    }
}

/* One end is raised by δ: the rod leaves the floor at l = (24 EI δ/w)^¼ from it, and w l/2 is carried there. */
static void raised_end(void **unused)
{
    (void)unused;
    const double weight = 0.1 * g, l = 0.5, raised = weight * l * l * l * l / 24;
    for (int k = 0; k < 2; k++) {
        cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
        cord_strand rod = heavy_rod(w, cases + k, (double[]){0, 0, rod_radius});
        rod_floor(w, nowhere);
        scene_constraint(w, CORD_COINCIDE, scene_point(w, rod, 0),
                         scene_place(w, 0, 0, rod_radius + raised));
        cord_statics_result found;
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
        print_message("%s: %d iterations, residual %g, unstable %d neutral %d\n", cases[k].model, found.iterations, found.residual, found.unstable_directions, found.neutral_directions);
        double force[3];
        rod_contact_force(w, rod, force);
        double free_length = 2 * (1 - force[2] / weight);
        print_message("free length %.6g of %.6g\n", free_length, l);
        assert_close(free_length, l, 0.01 * l);
        cord_world_destroy(w);
    }
}

/* The mode of a rod that is clamped at s = 0 and hinged at s = 1: its slope, with tan k = k. */
static double slope_of_mode(double s)
{
    const double k = 4.493409457909064;
    return cos(k * s) + k * sin(k * s) - 1;
}

/* A weightless rod of unit length and stiffness, clamped at the top with its tangent down, stands with its tip on the floor;
 * the clamp is lowered by ε. The tip slips where the reaction leaves the cone: at ε = 0.046874 for μ = 0.1 and 0.154867 for
 * μ = 0.2, from the elastica (theta'' = −F_z sin θ − F_x cos θ). */
static double slip_onset(double friction, double from, double to, int steps)
{
    cord_world *w = scene_world_in(CORD_QUASI_STATIC, 0);
    cord_contact_def contact = cord_contact_def_default();
    contact.friction = friction;
    assert_fine(w, cord_world_set_contact(w, &contact));
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * VERTICES] = {0}, straight[3 * VERTICES], amplitude = 2 * sqrt(from) / 4.75;
    for (int i = 0; i < EDGES; i++) {
        double angle = amplitude * slope_of_mode((i + 0.5) / EDGES);
        v3_set(x + 3 * (i + 1), x[3 * i] + sin(angle) / EDGES, 0, x[3 * i + 2] - cos(angle) / EDGES);
    }
    double tip[3];
    v3_copy(tip, x + 3 * EDGES);
    for (int i = 0; i < VERTICES; i++) {
        x[3 * i] -= tip[0] * i / EDGES, x[3 * i + 2] += rod_radius - tip[2];
        v3_set(straight + 3 * i, 0, 0, -(double)i / EDGES);
    }
    def.name = "rod";
    def.vertex_count = VERTICES;
    def.positions = x, def.natural_positions = straight;
    def.section = scene_section();
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 1;
    cord_strand rod = scene_strand(w, &def);
    surface.self = false;
    assert_fine(w, cord_strand_set_surface(w, rod, &surface));
    rod_floor(w, nowhere);
    cord_point_def moving = cord_point_def_default();
    const double times[2] = {0, 1}, path[6] = {0, 0, 0, 0, 0, -(to - from)};
    v3_copy(moving.position, x);
    moving.motion = (cord_keys){.count = 2, .times = times, .values = path};
    cord_point clamp = scene_add_point(w, &moving), top = scene_point(w, rod, 0);
    scene_constraint(w, CORD_COINCIDE, top, clamp);
    scene_constraint(w, CORD_ALIGN, top, clamp);
    for (int i = 0; i < steps; i++) {
        cord_status status = cord_world_step(w, 1.0 / steps);
        double force[3];
        rod_contact_force(w, rod, force);
        assert_fine(w, cord_strand_get_positions(w, rod, x));
        print_message("%d %d: z %g eps %g: force %g %g %g ratio %g tip %g %s\n", i, status, x[2], 1 + rod_radius - x[2], force[0], force[1], force[2], hypot(force[0],force[1]) / force[2], x[3 * EDGES], status ? cord_world_get_error(w) : "");
        if (status) break;
    }
    cord_world_destroy(w);
    return 0;
}

static void tip_slips(void **unused)
{
    (void)unused;
    slip_onset(0.1, 0.03, 0.06, 30);
}

/* A naturally curved planar rod, κ R = ρ, of stiffness 1 lies round a disk of R = 1, clamped along it at its start. Its end leaves
 * the disk and touches it again with its tip; the angle of the tip about the centre behind the lift-off point, and its force. */
static void twine(double ratio, int elements, double length)
{
    const double radius = 0.01;
    cord_world *w = scene_world(NULL);
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_obstacle_def disk = cord_obstacle_def_default();
    cord_obstacle made;
    double curvatures[3 * 33] = {0}, natural[6 * 32] = {0};
    for (int i = 0; i <= elements; i++) curvatures[3 * i + 1] = 1;
    for (int i = 0; i < 2 * elements; i++) natural[3 * i + 1] = ratio;
    def.model = CORD_MODEL_CLOTHOID;
    def.planar = true;
    def.element_count = elements;
    def.vertex_count = 10 * elements + 1;
    def.length = length;
    def.curvatures = curvatures, def.natural_curvatures = natural;
    v3_set(def.base_position, 1, 0, 0);
    static const double frame[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    memcpy(def.base_frame, frame, sizeof frame);
    def.section = scene_section();
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 1;
    def.section.radius = radius;
    cord_strand rod = scene_strand(w, &def);
    double x[3 * 400];
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    print_message("start %g %g %g; next %g %g %g, end %g %g %g\n", x[0], x[1], x[2], x[3], x[4], x[5], x[30 * elements], x[30 * elements + 1], x[30 * elements + 2]);
    surface.self = false;
    assert_fine(w, cord_strand_set_surface(w, rod, &surface));
    disk.kind = CORD_OBSTACLE_SHAPE;
    disk.shape.kind = CORD_SHAPE_CYLINDER;
    disk.shape.radius = 1 - radius, disk.shape.length = 1;
    assert_fine(w, cord_world_add_obstacle(w, &disk, &made));
    cord_point base = scene_point(w, rod, 0);
    cord_point at = scene_place_of(w, base);
    scene_constraint(w, CORD_COINCIDE, base, at);
    scene_constraint(w, CORD_ALIGN, base, at);
    cord_statics_result found;
    cord_status status = cord_world_find_equilibrium(w, NULL, &found);
    cord_contact list[64];
    int count;
    assert_fine(w, cord_world_get_contacts(w, 64, list, &count));
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    const double *tip = x + 30 * elements;
    print_message("ratio %g: status %d %s; %d iterations, unstable %d, neutral %d; tip at radius %g angle %g\n", ratio, status, status ? cord_world_get_error(w) : "", found.iterations, found.unstable_directions, found.neutral_directions, hypot(tip[0], tip[1]), atan2(tip[1], tip[0]));
    for (int i = 0; i < count; i++) print_message("   s %g angle %g force %g\n", list[i].first.s, atan2(list[i].position[1], list[i].position[0]), v3_norm(list[i].force));
    cord_world_destroy(w);
}

static void twining(void **unused)
{
    (void)unused;
    twine(1.3188, 5, 4);
    twine(2, 5, 4);
    twine(3, 5, 4);
    twine(3.28, 5, 4);
    twine(3.35, 5, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_on_two_supports),
        cmocka_unit_test(raised_end),
        cmocka_unit_test(tip_slips),
        cmocka_unit_test(twining),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
