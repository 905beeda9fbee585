/* Discrete elastic rods from definitions: refusals, with a message that names the cause, and the
 * resulting shapes. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { N = 5 };

typedef struct bad {
    const char *named; /* in the message */
    void (*spoil)(cord_strand_def *def);
} bad;

static double x[3 * (N + 1)], y[3 * (N + 1)], angle[N];

static cord_strand_def good(void)
{
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i <= N; i++) v3_set(x + 3 * i, 0.1 * i, 0.01 * i * i, 0);
    memcpy(y, x, sizeof y);
    memset(angle, 0, sizeof angle);
    def.vertex_count = N;
    def.positions = x;
    def.name = "bad one";
    return def;
}

#define SPOIL(name, what)                                                                          \
    static void name(cord_strand_def *def)                                                         \
    {                                                                                              \
        (void)def;                                                                                 \
        what;                                                                                      \
    }
SPOIL(few, def->vertex_count = 1)
SPOIL(negative, def->vertex_count = -3)
SPOIL(few_closed, (def->vertex_count = 2, def->closed = true))
SPOIL(no_positions, def->positions = NULL)
SPOIL(not_finite, x[4] = NAN)
SPOIL(no_length, v3_copy(x + 6, x + 3))
SPOIL(folded, v3_copy(x + 6, x))
SPOIL(closed_folded, (v3_copy(x + 12, x + 3), def->closed = true))
SPOIL(natural_nan, (y[1] = INFINITY, def->natural_positions = y))
SPOIL(natural_length, (v3_copy(y + 3, y), def->natural_positions = y))
SPOIL(natural_folded, (v3_copy(y + 6, y), def->natural_positions = y))
SPOIL(bad_velocity, (y[3] = NAN, def->velocities = y))
SPOIL(bad_twist, (angle[2] = NAN, def->twist = angle))
SPOIL(bad_natural_twist, (angle[2] = INFINITY, def->natural_twist = angle))
SPOIL(bad_director, def->director[1] = NAN)
SPOIL(bad_natural_director, def->natural_director[1] = NAN)
SPOIL(bad_closing, (def->closing_twist = NAN, def->closed = true))
SPOIL(bad_damping, def->damping = -1)
SPOIL(nan_damping, def->damping = NAN)
SPOIL(bad_drag, def->drag = -1)
SPOIL(bad_quadratic_drag, def->quadratic_drag = INFINITY)
SPOIL(bad_radius, def->section.radius = 0)
SPOIL(bad_density, def->material.density = -1)
SPOIL(bad_young, def->material.young = NAN)
SPOIL(bad_poisson, def->material.poisson = 0.6)
SPOIL(explicit_mass, (def->section.kind = CORD_SECTION_EXPLICIT, def->section.mass = 0))
SPOIL(explicit_bending, (def->section = (cord_section){CORD_SECTION_EXPLICIT, .mass = 1}))
SPOIL(no_stretching, (def->section = (cord_section){CORD_SECTION_EXPLICIT, .mass = 1, .radius = 1,
                                                    .bending = {1, 1}, .twisting = 1},
                      def->stretch = CORD_STRETCH_ELASTIC))
SPOIL(no_inertia, (def->section = (cord_section){CORD_SECTION_EXPLICIT, .mass = 1, .radius = 1,
                                                 .bending = {1, 1}, .twisting = 1},
                   def->twist_mode = CORD_TWIST_DYNAMIC))
SPOIL(unknown_section, def->section.kind = (cord_section_kind)77)
SPOIL(unknown_stretch, def->stretch = (cord_stretch)77)
SPOIL(unknown_twist_mode, def->twist_mode = (cord_twist)77)
SPOIL(unknown_curvature, def->curvature = (cord_curvature)77)

static const bad all[] = {
    {"vertices", few},
    {"vertices", negative},
    {"vertices", few_closed},
    {"positions", no_positions},
    {"initial", not_finite},
    {"edge 1", no_length},
    {"vertex 1", folded},
    {"folds", closed_folded},
    {"natural", natural_nan},
    {"natural edge 0", natural_length},
    {"natural", natural_folded},
    {"velocity", bad_velocity},
    {"twist", bad_twist},
    {"twist", bad_natural_twist},
    {"director", bad_director},
    {"director", bad_natural_director},
    {"closing_twist", bad_closing},
    {"damping", bad_damping},
    {"damping", nan_damping},
    {"drag", bad_drag},
    {"quadratic_drag", bad_quadratic_drag},
    {"radius", bad_radius},
    {"density", bad_density},
    {"young", bad_young},
    {"poisson", bad_poisson},
    {"mass", explicit_mass},
    {"bending", explicit_bending},
    {"stretching", no_stretching},
    {"rotary_inertia", no_inertia},
    {"section", unknown_section},
    {"stretch", unknown_stretch},
    {"twist", unknown_twist_mode},
    {"curvature", unknown_curvature},
};

static void refusals(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        cord_strand_def def = good();
        cord_strand out = {9, 9};
        all[i].spoil(&def);
        cord_status status = cord_world_add_strand(w, &def, &out);
        const char *message = cord_world_get_error(w);
        if (status != CORD_ERROR_ARGUMENT || !strstr(message, all[i].named) ||
            !strstr(message, "bad one"))
            print_error("'%s' expected: %s, '%s'\n", all[i].named, cord_status_text(status),
                        message);
        assert_int_equal(status, CORD_ERROR_ARGUMENT);
        assert_non_null(strstr(message, all[i].named));
        assert_non_null(strstr(message, "bad one"));
        assert_int_equal(out.index, 0);
    }
    cord_strand_def def = good();
    cord_strand out;
    def.model = "dre";
    assert_int_equal(cord_world_add_strand(w, &def, &out), CORD_ERROR_UNKNOWN_NAME);
    assert_non_null(strstr(cord_world_get_error(w), "\"der\""));
    def = good();
    assert_fine(w, cord_world_add_strand(w, &def, &out));
    cord_world_destroy(w);
}

/* Material coordinates are natural lengths; a rod at rest in its natural shape has no energy,
 * however the shape is given. */
static void natural_shapes(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world(NULL);
        cord_strand_def def = good();
        cord_strand rod;
        cord_energy e;
        for (int j = 0; j < N; j++) angle[j] = 0.8 * j;
        v3_set(def.director, 0, 0.3, 1);
        def.natural_twist = angle;
        def.section.kind = CORD_SECTION_RECTANGLE;
        def.section.size[0] = 0.01, def.section.size[1] = 0.02;
        if (i == 1) { /* elsewhere, rotated by π/2 about z: the same shape */
            for (int k = 0; k < N; k++) v3_set(y + 3 * k, 5 - x[3 * k + 1], x[3 * k], 2);
            def.natural_positions = y;
            v3_set(def.natural_director, -0.3, 0, 1);
        }
        assert_fine(w, cord_world_add_strand(w, &def, &rod));
        assert_fine(w, cord_strand_get_energy(w, rod, &e));
        assert_close(e.bending + e.twisting, 0, 1e-20 / 1e-6);
        cord_world_destroy(w);
    }
}

/* A frame is the prescribed one, a clamp attaches to it unchanged, and it causes no motion. */
static void clamps_are_free_of_moment(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand_def def = good();
    cord_strand rod;
    cord_energy e;
    double force[3], torque[3], gravity[3] = {0, 0, 0};
    assert_fine(w, cord_world_set_gravity(w, gravity));
    assert_fine(w, cord_world_add_strand(w, &def, &rod));
    cord_constraint coincide[3], align[3];
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, rod, &info));
    const double inside = v3_distance(x, x + 3) + v3_distance(x + 3, x + 6);
    const double at[3] = {0, inside, info.length};
    for (int i = 0; i < 3; i++)
        assert_fine(w, cord_world_clamp_strand(w, rod, at[i], NULL, NULL, coincide + i, align + i));
    assert_fine(w, cord_strand_get_energy(w, rod, &e));
    /* EI κ/ℓ of this shape is 1e2: its rounding. */
    assert_close(e.bending + e.twisting, 0, 1e-20);
    assert_fine(w, cord_world_step(w, 1e-4));
    for (int i = 0; i < 3; i++) {
        assert_fine(w, cord_constraint_get_force(w, coincide[i], force, NULL));
        assert_fine(w, cord_constraint_get_force(w, align[i], NULL, torque));
        /* Rounding of the positions, 1e-17 m, times mass over the square of the step. */
        assert_close(v3_norm(force), 0, 1e-8);
        assert_close(v3_norm(torque), 0, 1e-10);
    }
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(natural_shapes),
        cmocka_unit_test(clamps_are_free_of_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
