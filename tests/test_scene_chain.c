/* Chains in scenes: the chains that their keys define, and refusals. */
#include "curve/darboux.h"
#include "scene/simulation_data.h"
#include "strand/traits.h"
#include "support/failing_allocator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The reader refuses models that the library was built without. */
static void need_models(void)
{
    int found = 0;
    for (const char *const *name = cord_model_names(); *name; name++)
        found += cord__strand_traits(*name)->has_elements;
    if (found < 3) skip();
}

#define HEAD "cordage: 1\nstrands:\n  - name: vine\n    material: nylon\n"
#define REST "    section: {circle: {radius: 1 mm}}\n"
#define LINE "    shape: {line: {from: [0, 0, 0], to: [1, 0, 0]}}\n"
#define LINE_OF(n) "    shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: " n "}}\n"

static cord_scene *must_read(const char *keys)
{
    char text[2048];
    cord_scene *scene;
    snprintf(text, sizeof text, HEAD REST "%s", keys);
    if (cord__scene_read_text(text, strlen(text), &scene) != CORD_OK)
        fail_msg("%s\n%s", keys, cord_scene_get_error(scene, 0));
    return scene;
}

static cord_strand_def def_of(const cord_scene *scene)
{
    return cord__strand_def(ITEM(scene->data.strands, strand_data, 0));
}

static double length_of(const cord_scene *scene)
{
    return ITEM(scene->data.strands, strand_data, 0)->length;
}

static void near(const double *a, const double *b, int count, double tolerance)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance)) fail_msg("%d: %.17g is not %.17g", i, a[i], b[i]);
}

/* ---- defined by a shape ----------------------------------------------------------------------- */

static void shapes_are_sampled(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene = must_read("    model: clothoid\n    elements: 5\n" LINE);
    cord_strand_def def = def_of(scene);
    assert_string_equal(def.model, CORD_MODEL_CLOTHOID);
    assert_int_equal(def.element_count, 5);
    assert_int_equal(def.vertex_count, 16 * 5 + 1);
    assert_non_null(def.positions);
    assert_non_null(def.natural_positions);
    assert_null(def.curvatures);
    assert_null(def.natural_curvatures);
    assert_null(def.element_lengths);
    assert_true(def.length == 0 && !def.planar && def.kinematics == CORD_KINEMATICS_MIDPOINT);
    cord_scene_free(scene);

    scene = must_read("    model: helix\n" LINE); /* 8 elements, unless there are fewer edges */
    assert_int_equal(def_of(scene).element_count, 8);
    assert_int_equal(def_of(scene).vertex_count, 129);
    cord_scene_free(scene);
    scene = must_read("    model: segment\n" LINE_OF("6"));
    assert_int_equal(def_of(scene).element_count, 5);
    assert_int_equal(def_of(scene).vertex_count, 6);
    cord_scene_free(scene);
    scene = must_read("    model: segment\n    elements: 3\n"
                      "    shape: {polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}}\n");
    assert_int_equal(def_of(scene).vertex_count, 49); /* not its three points */
    cord_scene_free(scene);
}

static void shapes_have_lengths(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene = must_read("    model: clothoid\n    lengths: [50 cm, 30 cm, 0.2]\n" LINE);
    cord_strand_def def = def_of(scene);
    assert_int_equal(def.element_count, 3);
    near(def.element_lengths, (double[]){0.5, 0.3, 0.2}, 3, 0);
    near(&def.length, (double[]){1}, 1, 1e-15);
    cord_scene_free(scene);
    scene = must_read("    model: clothoid\n    length: 1.001 m\n" LINE);
    def = def_of(scene);
    assert_true(def.length == 1.001 && length_of(scene) == 1.001);
    cord_scene_free(scene);
}

/* Chains given by curvatures are perturbed too: a wave A sin 2πu has the curvature A (2π/L)² at its crest, and the natural
 * shape stays. */
static void perturbed_curvatures(void **state)
{
    (void)state;
    need_models();
    const double crest = -0.001 * 4 * 9.8696044010893586;
    const char *model[] = {"segment", "helix", "clothoid"};
    for (int i = 0; i < 3; i++) {
        char keys[200];
        snprintf(keys, sizeof keys,
                 "    model: %s\n    elements: %d\n    curvatures: [[0, 0, 0]]\n    length: 1\n"
                 "    perturb: {amplitude: 1 mm, mode: 1}\n",
                 model[i], i < 2 ? 2 : 4);
        cord_scene *scene = must_read(keys);
        cord_strand_def def = def_of(scene);
        near(def.curvatures + (i < 2 ? 0 : 3), (double[]){0, crest, 0}, 3, 2e-6);
        near(def.natural_curvatures, (double[]){0, 0, 0}, 3, 0);
        cord_scene_free(scene);
    }
}

/* A separate natural shape is sampled as the initial one, and natural curvatures replace it. */
static void natural_shapes(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene =
        must_read("    model: helix\n    elements: 4\n    kinematics: series\n" LINE_OF(
            "33") "    natural: {arc: {radius: 1 m, angle: 1}}\n    natural_twist: 1 turn\n");
    cord_strand_def def = def_of(scene);
    assert_int_equal(def.vertex_count, 33);
    assert_true(def.kinematics == CORD_KINEMATICS_SERIES);
    assert_non_null(def.natural_positions);
    assert_non_null(def.natural_twist);
    cord_scene_free(scene);
    scene = must_read("    model: helix\n    elements: 2\n" LINE
                      "    natural_curvatures: [[0, 1, 0], [0, 2, 1 rad/m]]\n");
    def = def_of(scene);
    assert_null(def.natural_positions);
    near(def.natural_curvatures, (double[]){0, 1, 0, 0, 1, 0, 0, 2, 1, 0, 2, 1}, 12, 0);
    cord_scene_free(scene);
}

/* ---- defined by curvatures -------------------------------------------------------------------- */

static void nodes_of_a_clothoid(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene =
        must_read("    model: clothoid\n    length: 2 m\n"
                  "    curvatures: [[1, 2, 3], [0, 0.5 1/cm, 0], [0, 0, 90 deg/m]]\n"
                  "    base: {position: [1, 2, 3], tangent: [0, 0, -2], director: [0, 1, 1]}\n"
                  "    offset: [0, 0, 1]\n");
    cord_strand_def def = def_of(scene);
    assert_int_equal(def.element_count, 2);
    assert_int_equal(def.vertex_count, 17);
    assert_null(def.positions);
    assert_null(def.natural_positions);
    near(def.curvatures, (double[]){1, 2, 3, 0, 50, 0, 0, 0, PI / 2}, 9, 1e-15);
    near(def.base_position, (double[]){1, 2, 4}, 3, 0);
    near(def.base_frame, (double[]){0, 0, -1, 0, 1, 0, 1, 0, 0}, 9, 1e-15);
    assert_true(def.length == 2 && length_of(scene) == 2);
    cord_scene_free(scene);

    /* One entry applies to all nodes, two are interpolated from end to end. */
    scene =
        must_read("    model: clothoid\n    lengths: [1, 3]\n    samples: 5\n"
                  "    curvatures: [[0, 0, 0], [4, 8, 0]]\n    natural_curvatures: [[1, 2, 3]]\n");
    def = def_of(scene);
    assert_int_equal(def.vertex_count, 5);
    near(def.curvatures, (double[]){0, 0, 0, 1, 2, 0, 4, 8, 0}, 9, 1e-15);
    near(def.natural_curvatures, (double[]){1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}, 12, 0);
    near(def.base_frame, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9, 0);
    cord_scene_free(scene);
}

static void natural_ends(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene = must_read("    model: clothoid\n    length: 1 m\n    elements: 3\n"
                                  "    planar: true\n    curvatures: 2\n"
                                  "    natural_curvatures: [1, 2, 3, 4, 5, 6]\n");
    cord_strand_def def = def_of(scene);
    assert_true(def.planar);
    near(def.curvatures, (double[]){0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0}, 12, 0);
    for (int i = 0; i < 6; i++) near(def.natural_curvatures + 3 * i, (double[]){0, i + 1, 0}, 3, 0);
    cord_scene_free(scene);
    scene = must_read("    model: clothoid\n    length: 1 m\n    elements: 2\n"
                      "    planar: yes\n    curvatures: [0]\n    natural_curvatures: [1, 2, 3]\n");
    def = def_of(scene); /* nodes */
    near(def.natural_curvatures, (double[]){0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 3, 0}, 12, 0);
    cord_scene_free(scene);
    scene = must_read("    model: helix\n    length: 1 m\n    curvatures: [[1, 0, 0], [2, 0, 0]]\n"
                      "    natural_curvatures: [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]]\n");
    def = def_of(scene);
    assert_int_equal(def.element_count, 2);
    near(def.curvatures, (double[]){1, 0, 0, 2, 0, 0}, 6, 0);
    near(def.natural_curvatures, (double[]){1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0}, 12, 0);
    cord_scene_free(scene);
}

static void frames_of_the_base(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene =
        must_read("    model: helix\n    length: 1 m\n    curvatures: [[0, 1, 0]]\n"
                  "    base: {frame: [[0, 0.6, 0.8], [0, -0.8, 0.6], [1, 0, 0]]}\n");
    near(def_of(scene).base_frame, (double[]){0, 0.6, 0.8, 0, -0.8, 0.6, 1, 0, 0}, 9, 1e-15);
    cord_scene_free(scene);
    scene = must_read("    model: helix\n    length: 1 m\n    curvatures: [[0, 1, 0]]\n"
                      "    base: {tangent: [0, 1, 0]}\n");
    near(def_of(scene).base_frame, (double[]){0, 1, 0, 0, 0, 1, 1, 0, 0}, 9, 1e-15);
    cord_scene_free(scene);
}

/* The centreline that the scene itself computes: it passes through the ends of a circle and of
 * an element of varying curvature. */
static void centrelines(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene = must_read("    model: helix\n    length: pi * 1 m\n    planar: yes\n"
                                  "    curvatures: [1, 1, 1, 1]\n    velocity: [1, 0, 0]\n");
    const strand_data *s = ITEM(scene->data.strands, strand_data, 0);
    assert_int_equal(s->line.count, 33);
    near(s->line.x + 3 * 32, (double[]){0, 2, 0}, 3, 1e-13); /* towards the first director */
    near(s->line.x + 3 * 16, (double[]){1, 1, 0}, 3, 1e-13);
    near(&(double){cord__polyline_length(&s->natural_line)}, (double[]){PI}, 1, 1e-12);
    assert_non_null(def_of(scene).velocities);
    cord_scene_free(scene);

    scene = must_read("    model: clothoid\n    lengths: [0.4, 0.6]\n"
                      "    curvatures: [[1, 2, 3], [-1, 4, 0], [2, 1, -2]]\n");
    s = ITEM(scene->data.strands, strand_data, 0);
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const curvature first = {{3, 1, 2}, {-7.5, -5, 5}};
    const curvature second = {{0, -1, 4}, {-2 / 0.6, 3 / 0.6, -3 / 0.6}};
    double frame[9], middle[3], end[3];
    cord__darboux_at(&first, 0.4, identity, frame, middle);
    cord__darboux_at(&second, 0.6, frame, NULL, end);
    for (int i = 0; i < 3; i++) end[i] += middle[i];
    near(s->line.x + 3 * (s->line.count - 1), end, 3, 1e-13);
    cord_scene_free(scene);
}

/* The model's curve is the one that the scene computed, twist included; positions inside
 * elements come from the model's quadrature, which has lost some digits where an element rotates
 * by 3 rad. */
static void models_agree(void **state)
{
    (void)state;
    need_models();
    static const char *const chains[] = {
        "    model: clothoid\n    lengths: [0.4, 0.6, 0.2]\n"
        "    curvatures: [[1, 2, 3], [-1, 4, 0], [2, 1, -2], [0, 0, 1]]\n"
        "    base: {position: [1, 2, 3], tangent: [1, 1, 0], director: [0, 0, 1]}\n",
        "    model: helix\n    length: 2 m\n    curvatures: [[1, 2, 3], [-1, 4, 0], [2, 1, -2]]\n",
        "    model: clothoid\n    planar: yes\n    length: 1 m\n    elements: 4\n"
        "    curvatures: [0, 5]\n",
    };
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        cord_scene *scene = must_read(chains[i]);
        const strand_data *s = ITEM(scene->data.strands, strand_data, 0);
        cord_simulation *simulation = NULL;
        cord_world *world;
        double x[3 * 64];
        if (cord_simulation_create(scene, &simulation) != CORD_OK)
            fail_msg("%s", cord_simulation_get_error(simulation, 0));
        world = cord_simulation_get_world(simulation);
        assert_int_equal(cord_strand_get_positions(world, cord__strand_handle(simulation, s), x),
                         CORD_OK);
        near(x, s->line.x, 3 * s->line.count, 1e-7);
        cord_simulation_destroy(simulation);
        cord_scene_free(scene);
    }
}

static void places_and_arrays(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene =
        must_read("    model: clothoid\n    length: 2 m\n    curvatures: [[0, $i, 0], [0, 5, 0]]\n"
                  "    repeat: {count: 3, offset: [1, 0, 0]}\n"
                  "clamps: [{at: \"vine[2]@start\"}]\nprobes: [{of: \"vine[1]@1.5 m\", measure: "
                  "position}]\n");
    cord_strand_def def = cord__strand_def(ITEM(scene->data.strands, strand_data, 2));
    assert_true(def.base_position[0] == 2 && def.curvatures[1] == 2);
    cord_scene_free(scene);
}

/* ---- at rest in the drawn shape --------------------------------------------------------------- */

#define ARC                                                                                        \
    "    model: clothoid\n    elements: 3\n    planar: yes\n    shape: {arc: {normal: [0, 1, 0], " \
    "start: [-1, 0, 0], radius: 30 cm, angle: 100 deg, vertices: 49}}\n"

/* When built, it has the natural curvature that makes the drawn shape an equilibrium, with
 * loads. */
static void rest_as_drawn(void **state)
{
    (void)state;
    need_models();
    static const char *const tails[] = {
        "    rest: inverse\nclamps: [{at: vine@start}]\n",
        "    rest: {stiffen: yes, margin: 50 %}\nclamps: [{at: vine@start}]\n"
        "loads: [{at: vine@end, force: [0.1 N, 0, -2 N]}]\n",
        "    rest: {rotate_base: yes}\nclamps: [{at: vine@start, frame: no}]\n",
    };
    for (int i = 0; i < 3; i++) {
        char text[1024];
        double before[3 * 49], after[3 * 49];
        cord_simulation *simulation = NULL;
        cord_world *world;
        snprintf(text, sizeof text, ARC "%s", tails[i]);
        cord_scene *scene = must_read(text);
        if (cord_simulation_create(scene, &simulation) != CORD_OK)
            fail_msg("%s", cord_simulation_get_error(simulation, 0));
        world = cord_simulation_get_world(simulation);
        const strand_data *s = ITEM(scene->data.strands, strand_data, 0);
        const cord_inverse_result *rest = &simulation->strands[0].rest;
        cord_strand handle = simulation->strands[0].handle;
        assert_true(rest->stable && rest->residual < 1e-12);
        assert_true((rest->applied_factor > 1) == (i == 1));
        assert_true(s->rest->margin == (i == 1 ? 0.5 : 0.1));
        cord_strand_get_positions(world, handle, before);
        assert_int_equal(cord_world_find_equilibrium(world, NULL, NULL), CORD_OK);
        cord_strand_get_positions(world, handle, after);
        near(after, before, 3 * 49, 1e-9);
        cord_simulation_destroy(simulation);
        cord_scene_free(scene);
    }
}

/* A shape that cannot be in equilibrium is an error with its position in the file; an unstable
 * one is a warning. */
static void rest_fails(void **state)
{
    (void)state;
    need_models();
    cord_simulation *simulation = NULL;
    cord_scene *scene = must_read(ARC "    rest: inverse\nclamps: [{at: vine@start, frame: no}]\n");
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_ERROR_UNSTABLE);
    assert_null(cord_simulation_get_world(simulation));
    const char *text = cord_simulation_get_error(simulation, 0);
    assert_non_null(strstr(text, "scene:10:5: vine cannot be at rest as drawn: no natural shape"));
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    scene = must_read(ARC "    rest: inverse\nclamps: [{at: vine@start}]\n"
                          "loads: [{at: vine@end, force: [0, 0, -2 N]}]\n");
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    assert_int_equal(cord_simulation_advise(simulation), CORD_OK);
    bool warned = false;
    for (int i = 0; i < cord_simulation_get_warning_count(simulation); i++)
        warned = warned || strstr(cord_simulation_get_warning(simulation, i),
                                  "will not stay at rest as drawn");
    assert_true(warned);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

/* ---- refusals --------------------------------------------------------------------------------- */

/* The keys follow line 5, and their error message begins with this text. */
static void refused(const char *keys, const char *message)
{
    char text[2048], whole[512];
    cord_scene *scene;
    snprintf(text, sizeof text, HEAD REST "%s", keys);
    snprintf(whole, sizeof whole, "scene:%s", message);
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_ERROR_INPUT);
    const char *got = cord_scene_get_error(scene, 0);
    if (!got || strncmp(got, whole, strlen(whole)) != 0)
        fail_msg("%s\nexpected\n  %s\ngot\n  %s", keys, whole, got ? got : "nothing");
    cord_scene_free(scene);
}

static void other_models_have_no_chains(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "elements: 3", "length: 1 m",   "lengths: [1]",       "curvatures: [[0, 0, 0]]",
        "base: {}",    "planar: false", "kinematics: series", "natural_curvatures: [[0, 0, 0]]",
        "samples: 20", "rest: inverse", "base_damping: 1",
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char text[256], message[256];
        snprintf(text, sizeof text, LINE_OF("5") "    %s\n", keys[i]);
        snprintf(message, sizeof message, "7:5: %.*s is for chains (segment, helix, clothoid); ",
                 (int)strcspn(keys[i], ":"), keys[i]);
        refused(text, message);
    }
    refused("", "3:5: strand needs \"shape\": the initial shape");
    refused(LINE, "6:19: line needs \"vertices\": how many vertices the strand gets");
}

#define CLOTHOID "    model: clothoid\n"
#define GIVEN CLOTHOID "    curvatures: [[0, 1, 0]]\n"

static void chains_have_no_such_keys(void **state)
{
    (void)state;
    need_models();
    refused(CLOTHOID LINE "    stretch: elastic\n",
            "8:5: a clothoid is inextensible; models without elements can stretch");
    refused(CLOTHOID LINE "    curvature: tangent\n", "8:5: curvature chooses how vertices count");
    refused(CLOTHOID LINE "    closing_twist: 1\n", "8:5: closing_twist is for closed strands");
    refused(CLOTHOID "    shape: {ring: {radius: 1}}\n",
            "7:12: a clothoid is open; constraints can");
    refused(CLOTHOID LINE "    base: {}\n", "8:5: base goes with curvatures");
    refused(CLOTHOID LINE "    samples: 3\n", "8:5: samples goes with curvatures");
    refused(CLOTHOID LINE "    curvatures: [[0, 1, 0]]\n", "8:5: curvatures or shape: either");
    refused(GIVEN "    length: 1\n    director: [0, 0, 1]\n", "9:5: director goes with a shape");
    refused(GIVEN "    length: 1\n    initial_twist: 1\n", "9:5: initial_twist goes with a shape");
    refused(GIVEN "    length: 1\n    natural_twist: 1\n",
            "9:5: natural_twist goes with a natural");
    refused(CLOTHOID LINE
            "    natural_curvatures: [[0, 0, 0]]\n    natural: {arc: {radius: 1, angle: "
            "1}}\n",
            "9:5: natural or natural_curvatures: either, not both");
    refused(CLOTHOID LINE "    rest: inverse\n    natural_curvatures: [[0, 0, 0]]\n",
            "9:5: natural_curvatures or rest: either, not both");
    refused(CLOTHOID LINE "    rest: {}\n    natural: {arc: {radius: 1, angle: 1}}\n",
            "9:5: natural or rest: either, not both");
    refused(CLOTHOID LINE "    rest: invers\n", "8:11: rest: expected inverse, or {rotate_base");
    refused(CLOTHOID LINE "    rest: [inverse]\n", "8:11: rest: expected inverse, or {rotate_base");
    refused(CLOTHOID LINE "    rest: {margin: -1}\n", "8:20: margin must not be negative");
    refused(CLOTHOID LINE "    rest: {rotate_bse: yes}\n",
            "8:12: rest has no key \"rotate_bse\" (did you");
    refused(CLOTHOID, "3:5: strand needs \"shape\" or \"curvatures\"");
    refused("    model: clotoid\n" LINE, "6:12: model: \"clotoid\" is not one of");
    refused(CLOTHOID LINE "    kinematics: serie\n", "8:17: kinematics: \"serie\" is not one of");
    refused(CLOTHOID LINE "    element: 4\n", "8:5: strand has no key \"element\" (did you mean");
}

static void counts_must_fit(void **state)
{
    (void)state;
    need_models();
    refused(CLOTHOID
            "    elements: 4\n    length: 1\n    curvatures: [[0, 0, 0], [0, 0, 0], [0, 1, "
            "0]]\n",
            "9:17: curvatures has 3 entries; a clothoid of 4 elements has 5 nodes");
    refused("    model: helix\n    elements: 4\n    length: 1\n    curvatures: [[0, 0, 0], [0, 1, "
            "0]]\n",
            "9:17: curvatures has 2 entries; a chain of 4 helix elements has 4");
    refused(CLOTHOID "    elements: 4\n" LINE
                     "    natural_curvatures: [[0, 0, 0], [0, 0, 0], [0, 1, 0]]\n",
            "9:25: natural_curvatures has 3 entries; a clothoid of 4 elements has 5 nodes (or 8, "
            "the start and end of each element)");
    refused(CLOTHOID "    elements: 2\n    lengths: [1]\n" LINE,
            "8:14: lengths has 1 entry; the chain has 2 elements");
    refused(CLOTHOID "    lengths: [0.5, 0.5]\n    length: 2\n" LINE,
            "8:5: length is 2 m, but lengths add up to 1 m");
    refused(CLOTHOID "    lengths: [0.5, -0.5]\n" LINE, "7:20: lengths must be positive, got -0.5");
    refused(CLOTHOID "    length: 2\n" LINE,
            "8:12: the shape is 1 m long, the chain 2 m; they must be the same (to 1 %)");
    refused(CLOTHOID "    elements: 5\n" LINE_OF("4"),
            "8:12: the shape has 3 edges, too few for 5 elements");
    refused(GIVEN, "3:5: strand needs \"length\" or \"lengths\" with curvatures");
    refused(CLOTHOID "    elements: 0\n" LINE, "7:15: elements must be between 1 and 1000, got 0");
    refused(CLOTHOID "    elements: 1001\n" LINE, "7:15: elements must be between 1 and 1000");
}

static void values_must_fit(void **state)
{
    (void)state;
    need_models();
    refused(CLOTHOID "    length: 1\n    curvatures: [1, 2, 3]\n",
            "8:18: curvatures: expected a vector [about the first director, about the second, "
            "twist]; one number is for a planar chain");
    refused(CLOTHOID "    length: 1\n    planar: yes\n    curvatures: [1, [0, 1, 2]]\n",
            "9:21: curvatures: a planar chain bends about its second director only");
    refused(CLOTHOID "    length: 1\n    curvatures: [[1, 2]]\n",
            "8:18: curvatures: expected a vec");
    refused(CLOTHOID "    length: 1\n    curvatures: {a: 1}\n",
            "8:17: curvatures: expected a list");
    refused(CLOTHOID "    length: 1\n    curvatures: []\n", "8:17: curvatures: expected a list");
    refused(CLOTHOID "    length: 1\n    curvatures: [[1 m, 0, 0]]\n",
            "8:19: curvatures: expected");
    refused(CLOTHOID "    length: 1\n    curvatures: [[1e9, 0, 0]]\n",
            "8:17: the curve makes 1.59e+08 turns; at most 1000 are possible");
    refused(GIVEN "    length: 1\n    base: {tangent: [0, 0, 0]}\n", "9:12: tangent must not be");
    refused(GIVEN "    length: 1\n    base: {director: [2, 0, 0]}\n",
            "9:12: director must be a dir");
    refused(GIVEN "    length: 1\n    base: {frame: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}\n",
            "9:12: frame: expected three unit vectors");
    refused(GIVEN "    length: 1\n    base: {frame: [[1, 0, 0]]}\n", "9:12: frame: expected three");
    refused(GIVEN "    length: 1\n    base: {tangent: [1, 0, 0], frame: [[1, 0, 0]]}\n",
            "9:32: either frame, or tangent and director");
    refused(GIVEN "    length: 1\n    base: {place: [1, 0, 0]}\n",
            "9:12: base has no key \"place\"");
    refused(GIVEN "    length: 1\n    samples: 1\n", "9:14: samples must be between 2 and 1000000");
    refused(GIVEN "    length: 1\n    samples: 1000000\n    repeat: {count: 5}\n",
            "3:5: the shapes of the scene have more than 4000000 vertices together");
}

/* Failure of any allocation is an error without other effects. */
static void memory_runs_out(void **state)
{
    (void)state;
    need_models();
    static const char text[] = HEAD REST CLOTHOID
        "    lengths: [1, 2]\n    curvatures: [[0, 1, 0], [1, 0, 0]]\n"
        "    natural: {clothoid: {length: 3, from: [0, 0, 0], to: [1, 1, 0]}}\n"
        "    base: {frame: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n    spin: {rate: "
        "1}\n"
        "  - {name: b, model: helix, elements: 2, natural_curvatures: [[0, 1, 0]],\n"
        "     shape: {arc: {radius: 1, angle: 1}}, material: nylon,\n"
        "     section: {circle: {radius: 1 mm}}}\n"
        "  - {name: c, model: helix, elements: 2, rest: {rotate_base: yes, margin: 1}, shape: "
        "{arc: "
        "{radius: 1, angle: 1}},\n     material: nylon, section: {circle: {radius: 1 mm}}}\n";
    int k = 0;
    for (;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&heap);
        scene_source source = {
            .text = text, .size = strlen(text), .allocator = &ops, .piecewise = true};
        cord_scene *scene;
        cord_status status = cord__scene_read_source(&source, NULL, &scene);
        if (!heap.failed && status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
        cord_scene_free(scene);
        assert_int_equal(heap.live, 0);
        if (!heap.failed) break;
        assert_int_equal(status, CORD_ERROR_MEMORY);
    }
    assert_true(k > 100);
}

/* More curvatures than any chain has. */
static void lists_are_bounded(void **state)
{
    (void)state;
    need_models();
    static char text[30000] =
        HEAD REST CLOTHOID "    length: 1\n    planar: yes\n    curvatures: [0";
    for (int i = 0; i < 2000; i++) strcat(text, ", 0");
    strcat(text, "]\n");
    cord_scene *scene;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_ERROR_INPUT);
    assert_non_null(strstr(cord_scene_get_error(scene, 0), "expected a list of 1 to 2000 vectors"));
    cord_scene_free(scene);
}

static void bases_are_damped(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene = must_read(CLOTHOID LINE "    elements: 1\n    base_damping: 3 mN m s\n");
    assert_float_equal(def_of(scene).base_damping, 0.003, 1e-15);
    cord_scene_free(scene);
    refused(CLOTHOID LINE "    base_damping: -1\n", "8:19: base_damping");
}

/* A plane of the world other than x y: the reaction is exactly in that plane, and the end has
 * the prescribed curvature. */
static void constraints_in_a_plane(void **state)
{
    (void)state;
    need_models();
    cord_scene *scene = must_read(
        CLOTHOID "    planar: yes\n    elements: 3\n    length: 1\n"
                 "    curvatures: [-2, 4]\n    natural_curvatures: 0\n"
                 "    base: {tangent: [1, 0, 0.3], director: [0, 0, 1]}\n"
                 "clamps: [{at: vine@start}, {name: nail, at: vine@end, frame: no}]\n"
                 "constraints:\n"
                 "  - {name: bent, kind: curvature, first: vine@end, curvature: [0, 4, 0]}\n"
                 "probes: [{name: pull, of: nail, measure: force},\n"
                 "         {name: bend, of: bent, measure: residual}]\n");
    cord_simulation *simulation = NULL;
    cord_world *world;
    double value[3];
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    world = cord_simulation_get_world(simulation);
    for (int i = 0; i < 20; i++) assert_int_equal(cord_world_step(world, 1e-3), CORD_OK);
    assert_int_equal(cord_simulation_sample(simulation, 0, value), CORD_OK);
    assert_true(fabs(value[0]) > 1e-6 && value[1] == 0 && fabs(value[2]) > 1e-6);
    assert_int_equal(cord_simulation_sample(simulation, 1, value), CORD_OK);
    near(value, (const double[3]){0, 0, 0}, 3, 1e-10);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);

    static const char wrong[] =
        HEAD REST CLOTHOID "    curvatures: [[0, 0, 0]]\n    length: 1\n"
                           "constraints: [{kind: plane, first: vine@end, curvature: [0, 4, 0]}]\n";
    assert_int_equal(cord__scene_read_text(wrong, strlen(wrong), &scene), CORD_ERROR_INPUT);
    assert_non_null(strstr(cord_scene_get_error(scene, 0), "curvature is for constraints of kind"));
    cord_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_sampled),
        cmocka_unit_test(shapes_have_lengths),
        cmocka_unit_test(perturbed_curvatures),
        cmocka_unit_test(natural_shapes),
        cmocka_unit_test(nodes_of_a_clothoid),
        cmocka_unit_test(natural_ends),
        cmocka_unit_test(frames_of_the_base),
        cmocka_unit_test(centrelines),
        cmocka_unit_test(models_agree),
        cmocka_unit_test(places_and_arrays),
        cmocka_unit_test(rest_as_drawn),
        cmocka_unit_test(rest_fails),
        cmocka_unit_test(other_models_have_no_chains),
        cmocka_unit_test(chains_have_no_such_keys),
        cmocka_unit_test(counts_must_fit),
        cmocka_unit_test(values_must_fit),
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(bases_are_damped),
        cmocka_unit_test(constraints_in_a_plane),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
