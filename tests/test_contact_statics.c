/* Contact in equilibria and in quasi-static steps, against closed forms. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;
static const cord_point nowhere = {0};

enum { EDGES = 40, VERTICES = EDGES + 1, MOST_CONTACTS = 64 };

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

static void read_contacts(cord_world *w, cord_contact *list, int *count)
{
    assert_fine(w, cord_world_get_contacts(w, MOST_CONTACTS, list, count));
    assert_true(*count <= MOST_CONTACTS);
}

/* w l² (5 l² − 24 c²)/384 EI below the supports in the middle of a span l with overhangs c. Without friction the rod would slide
 * along itself, so that its middle is kept in a plane. */
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
        keep.kind = CORD_PLANE;
        keep.first = scene_point(w, rod, 0.5);
        v3_set(keep.direction, 1, 0, 0);
        scene_relate(w, &keep);
        cord_statics_result found;
        cord_contact list[MOST_CONTACTS];
        int count, unstable, neutral;
        double x[3 * VERTICES], each[2] = {0, 0};
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
        read_contacts(w, list, &count);
        for (int i = 0; i < count; i++) each[list[i].position[0] > 0] += list[i].force[2];
        assert_fine(w, cord_strand_get_positions(w, rod, x));
        double sag = rod_radius - x[3 * (EDGES / 2) + 2];
        double expected = weight * l * l * (5 * l * l - 24 * c * c) / 384;
        for (int i = 0; i < 2; i++) assert_close(each[i], 0.5 * weight, 1e-3 * weight);
        assert_close(each[0] + each[1], weight, 1e-8);
        assert_close(sag, expected, 0.02 * fabs(expected));
        assert_int_equal(found.unstable_directions, 0);
        assert_fine(w, cord_world_count_unstable_directions(w, &unstable, &neutral));
        assert_int_equal(unstable, 0);
        assert_int_equal(neutral, found.neutral_directions);
        cord_world_destroy(w);
    }
}

/* One end is raised by δ: the rod leaves the floor at l = (24 EI δ/w)^¼ from it, and w l/2 is carried there. It is free to turn
 * about the vertical through that end, and a chain about its axis. */
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
        double force[3];
        rod_contact_force(w, rod, force);
        double free_length = 2 * (1 - force[2] / weight);
        /* Contacts are 1/EDGES apart, and rounding decides which of them bear near the point where the rod leaves the
         * floor: that point is known to a fifth of their distance. */
        assert_close(free_length, l, 0.2 / EDGES);
        assert_int_equal(found.unstable_directions, 0);
        assert_int_equal(found.neutral_directions, k ? 2 : 1);
        cord_world_destroy(w);
    }
}

/* ---- a rod pushed against a plane -------------------------------------------------------------------- */

/* The mode of a rod that is clamped at s = 0 and hinged at s = 1: its slope, with tan k = k. */
static double slope_of_mode(double s)
{
    const double k = 4.493409457909064;
    return cos(k * s) + k * sin(k * s) - 1;
}

static cord_strand standing_rod(cord_world *w, double amplitude)
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * VERTICES] = {0}, straight[3 * VERTICES];
    for (int i = 0; i < EDGES; i++) {
        double angle = amplitude * slope_of_mode((i + 0.5) / EDGES);
        v3_set(x + 3 * i + 3, x[3 * i] + sin(angle) / EDGES, 0, x[3 * i + 2] - cos(angle) / EDGES);
    }
    double lowest = x[3 * EDGES + 2];
    for (int i = 0; i < VERTICES; i++) {
        x[3 * i + 2] += rod_radius - lowest;
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
    return rod;
}

/* The slope of the mode has ∫ (y′)²/2 = 5.05 amplitude², by which the ends approach. */
static double amplitude_of(double shortening)
{
    return sqrt(2 * shortening / 20.19);
}

/* A weightless rod of unit length and stiffness, clamped at the top with its tangent down, stands with its tip on the floor;
 * the clamp is lowered by ε. The tip sticks until the reaction leaves the cone, at ε = 0.046874 for μ = 0.1 by the elastica
 * θ″ = −F_z sin θ − F_x cos θ; then it slips off. */
static void tip_sticks_and_slips(void **unused)
{
    (void)unused;
    enum { STEPS = 20 };
    const double friction = 0.1, onset = 0.0468741782, to = 0.048;
    cord_world *w = scene_world_in(CORD_QUASI_STATIC, 0);
    cord_contact_def contact = cord_contact_def_default();
    contact.friction = friction;
    assert_fine(w, cord_world_set_contact(w, &contact));
    cord_strand rod = standing_rod(w, amplitude_of(0.044));
    rod_floor(w, nowhere);
    double x[3 * VERTICES], last_stick = 0;
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    const double from = 1 + rod_radius - x[2], times[2] = {0, 1},
                 path[6] = {0, 0, 0, 0, 0, from - to};
    cord_point_def moving = cord_point_def_default();
    v3_copy(moving.position, x);
    moving.motion = (cord_keys){.count = 2, .times = times, .values = path};
    cord_point clamp = scene_add_point(w, &moving), top = scene_point(w, rod, 0);
    scene_constraint(w, CORD_COINCIDE, top, clamp);
    scene_constraint(w, CORD_ALIGN, top, clamp);
    const double start = x[3 * EDGES];
    bool sticks = true;
    for (int i = 0; sticks && i < STEPS; i++) {
        sticks = cord_world_step(w, 1.0 / STEPS) == CORD_OK;
        assert_fine(w, cord_strand_get_positions(w, rod, x));
        sticks = sticks && fabs(x[3 * EDGES] - start) < 1e-9;
        if (sticks) last_stick = 1 + rod_radius - x[2];
        double force[3];
        rod_contact_force(w, rod, force);
        assert_true(hypot(force[0], force[1]) <= friction * force[2] * (1 + 1e-6));
    }
    assert_false(sticks);
    assert_close(last_stick, onset, 0.01 * onset);
    cord_world_destroy(w);
}

/* ---- planar clothoids ------------------------------------------------------------------------------ */

enum { ELEMENTS = 8, PER_ELEMENT = 5 };

/* A planar rod of stiffness 1 without weight, with curvatures at the nodes and one natural curvature. */
static cord_strand planar_rod(cord_world *w, int elements, double length, double radius,
                              const double position[3], const double frame[9],
                              const double *curvature, double natural_curvature)
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double curvatures[3 * (ELEMENTS + 1)] = {0}, natural[6 * ELEMENTS] = {0};
    for (int i = 0; i <= elements; i++) curvatures[3 * i + 1] = curvature[i];
    for (int i = 0; i < 2 * elements; i++) natural[3 * i + 1] = natural_curvature;
    def.model = CORD_MODEL_CLOTHOID;
    def.name = "rod";
    def.planar = true;
    def.element_count = elements;
    def.vertex_count = PER_ELEMENT * elements + 1;
    def.length = length;
    def.curvatures = curvatures, def.natural_curvatures = natural;
    v3_copy(def.base_position, position);
    memcpy(def.base_frame, frame, sizeof def.base_frame);
    def.section = scene_section();
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 1;
    def.section.radius = radius;
    cord_strand rod = scene_strand(w, &def);
    surface.self = false;
    assert_fine(w, cord_strand_set_surface(w, rod, &surface));
    return rod;
}

/* A rod whose natural curvature is ρ/R lies round a disk, R = 1, along which its start is clamped. Its end leaves the disk and
 * touches it again with the tip. */
static void twining_rod(cord_world *w, double ratio, double length)
{
    const double radius = 0.01, frame[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    const double curvature[6] = {1, 1, 1, 1, 1, 1};
    cord_obstacle_def disk = cord_obstacle_def_default();
    cord_obstacle made;
    cord_strand rod =
        planar_rod(w, 5, length, radius, (double[]){1, 0, 0}, frame, curvature, ratio);
    disk.name = "disk";
    disk.kind = CORD_OBSTACLE_SHAPE;
    disk.shape.kind = CORD_SHAPE_CYLINDER;
    disk.shape.radius = 1 - radius, disk.shape.length = 1;
    assert_fine(w, cord_world_add_obstacle(w, &disk, &made));
    cord_point base = scene_point(w, rod, 0), at = scene_place_of(w, base);
    scene_constraint(w, CORD_COINCIDE, base, at);
    scene_constraint(w, CORD_ALIGN, base, at);
}

/* The force on the tip at ρ = 1.8663, and the last ρ with an equilibrium, from the elastica: 3.3093. */
static void twining(void **unused)
{
    (void)unused;
    static const double ratios[3] = {1.86630994, 3.29, 3.34};
    for (int k = 0; k < 3; k++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        twining_rod(w, ratios[k], 4);
        cord_statics_result found;
        cord_status status = cord_world_find_equilibrium(w, NULL, &found);
        cord_contact list[MOST_CONTACTS];
        int count = 0;
        if (status == CORD_OK) read_contacts(w, list, &count);
        double at_tip = 0;
        for (int i = 0; i < count; i++)
            if (list[i].first.s > 3.99) at_tip += v3_norm(list[i].force);
        if (k == 0) assert_close(at_tip, 1.00892899, 0.01);
        assert_int_equal(at_tip > 0, k < 2);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_on_two_supports),
        cmocka_unit_test(raised_end),
        cmocka_unit_test(tip_sticks_and_slips),
        cmocka_unit_test(twining),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
