/* Contact in scenes: obstacles, surfaces and friction that keys define in the world, names in pairs, probes, warnings, and
 * refusals. Through the public interface: forces tell which friction two objects have. */
#include "body/shape.h"
#include "scene/simulation_data.h"
#include "support/played.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUN "cordage: 1\nrun: {until: 0.2 s, dt: 2 ms}\n"
#define SECTION "material: rubber, section: {circle: {radius: 1 cm}}"
#define ROD(name, height, more)                                                                    \
    "  - {name: " name ", shape: {line: {from: [0, 0, " height "], to: [50 cm, 0, " height         \
    "], vertices: 6}}, " SECTION more "}\n"

/* ---- keys ----------------------------------------------------------------------------------- */

static void obstacles(void **unused)
{
    (void)unused;
    played p = played_text(
        RUN "obstacles:\n"
            "  - {name: floor, plane: {}}\n"
            "  - {name: wall, plane: {normal: [2, 0, 0]}, at: [-1 m, 0, 0], visible: no}\n"
            "  - {name: pole, cylinder: {radius: 5 cm, length: 1 m}, at: [0, 1, 0],\n"
            "     rotation: {axis: [1, 0, 0], angle: 90 deg}, colour: orange}\n"
            "  - {name: post, capsule: {radius: 5 cm, length: 1 m}}\n"
            "  - {name: hill, heightfield: {spacing: 0.1, counts: [2, 3], values: [0, 0, 0, 1 cm, "
            "0, 0]}}\n"
            "  - {name: cave, distance_grid: {spacing: 0.5, counts: [2, 2, 2], values: [1, 1, 1, "
            "1, 1, 1, 1, 1]}}\n"
            "  - {name: drum, sphere: {radius: 10 cm}, at: [0, 0, 1], moves: {motion: [{t: 0, by: "
            "[0, 0, 0]}, "
            "{t: 1, by: [1, 0, 0]}], rotation: [{t: 0, axis: [0, 0, 1], angle: 0}, {t: 1, axis: "
            "[0, 0, 1], "
            "angle: 1}], ease: linear}}\n"
            "  - {name: fin, box: {size: [1 cm, 1 cm, 1 cm]}, on: crate, at: [0, 0, 10 cm], "
            "repeat: {count: 2, offset: [0, 5 cm, 0]}}\n"
            "bodies: [{name: crate, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 3], contact: "
            "no}]\n");
    double x[3], frame[9], v[3], w[3];
    const cord_simulation *sim = p.simulation;
    assert_int_equal(cord_scene_get_info(p.scene).obstacle_count, 9);
    assert_string_equal(cord_scene_get_obstacle_name(p.scene, 8), "fin[1]");
    assert_null(cord_scene_get_obstacle_name(p.scene, 9));
    assert_int_equal(cord_scene_get_info(p.scene).solid_count,
                     9); /* one body; the wall is not seen */
    assert_fine(p.world,
                cord_obstacle_get_pose(p.world, cord_simulation_get_obstacle(sim, 1), x, frame));
    assert_all_close(x, ((double[]){-1, 0, 0}), 3, 0);
    assert_all_close(frame + 6, ((double[]){1, 0, 0}), 3, 1e-15);
    assert_fine(p.world,
                cord_obstacle_get_pose(p.world, cord_simulation_get_obstacle(sim, 2), x, frame));
    assert_all_close(frame + 6, ((double[]){0, -1, 0}), 3, 1e-15);
    assert_fine(p.world,
                cord_obstacle_get_pose(p.world, cord_simulation_get_obstacle(sim, 8), x, frame));
    assert_all_close(x, ((double[]){0, 0.05, 3.1}), 3, 1e-15);
    assert_fine(p.world, cord_world_step(p.world, 0.01));
    assert_fine(p.world,
                cord_obstacle_get_pose(p.world, cord_simulation_get_obstacle(sim, 6), x, frame));
    assert_all_close(x, ((double[]){0.01, 0, 1}), 3, 1e-15);
    assert_close(frame[1], sin(0.01), 1e-15);
    assert_fine(p.world,
                cord_obstacle_get_velocity(p.world, cord_simulation_get_obstacle(sim, 6), v, w));
    assert_all_close(v, ((double[]){1, 0, 0}), 3, 1e-12);
    assert_all_close(w, ((double[]){0, 0, 1}), 3, 1e-12);
    assert_fine(p.world,
                cord_obstacle_get_velocity(p.world, cord_simulation_get_obstacle(sim, 8), v, w));
    assert_close(v[2], -0.0981, 1e-7);

    /* In pictures a plane is as large as the scene, and a height field a surface. */
    cord_body_info info;
    assert_int_equal(cord_simulation_get_solid(sim, 1, &info), CORD_OK);
    assert_int_equal(info.shape.kind, CORD_SHAPE_PLANE);
    assert_true(info.shape.size[0] > 3);
    assert_int_equal(cord_simulation_get_solid(sim, 4, &info), CORD_OK);
    assert_int_equal(info.shape.kind, CORD_SHAPE_MESH);
    assert_int_equal(info.shape.triangle_count, 4);
    assert_string_equal(cord_scene_get_solid_name(p.scene, 2), "pole");
    assert_int_equal(cord_simulation_get_solid(sim, 5, &info), CORD_OK);
    assert_int_equal(info.shape.triangle_count, 0);
    played_end(p);
}

/* The drawn surface of a ball by its distances is closed, seen from outside, and has its volume to the order of the grid. */
static void drawn_distances(void **unused)
{
    (void)unused;
    enum { N = 11 };
    static char text[64 * N * N * N];
    int used = sprintf(text, RUN "bodies: [{name: ball, shape: {sphere: {radius: 1 cm}}}]\n"
                                 "obstacles: [{distance_grid: {spacing: 1, counts: [11, 11, 11], "
                                 "values: [");
    for (int i = 0; i < N * N * N; i++) {
        double x = i % N - 5.1, y = i / N % N - 4.9, z = i / N / N - 5;
        used += sprintf(text + used, "%s%.6g", i ? ", " : "", sqrt(x * x + y * y + z * z) - 3.7);
    }
    sprintf(text + used, "]}}]\n");
    played p = played_text(text);
    cord_body_info info;
    mass_properties mass;
    char why[128] = "";
    assert_int_equal(cord_simulation_get_solid(p.simulation, 1, &info), CORD_OK);
    if (cord__shape_mass(&info.shape, &mass, why, sizeof why) != CORD_OK) fail_msg("%s", why);
    assert_close(mass.mass, 4 * 3.14159265 / 3 * 3.7 * 3.7 * 3.7, 10);
    assert_close(mass.center[0], 5.1, 1e-2);
    played_end(p);
}

static void write_text(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Heights from a table: rows along x, comments and blank lines left out. */
static void fields_from_files(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/cordage-contacts-XXXXXX", path[64], table[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    snprintf(table, sizeof table, "%s/hill.csv", folder);
    write_text(table, "# heights\n0, 1, 2\n\n3 4 5\r\n");
    write_text(path, RUN "obstacles: [{heightfield: {spacing: 1, file: hill.csv, scale: 1 cm}}]\n"
                         "bodies: [{name: ball, shape: {sphere: {radius: 1 cm}}}]\n");
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    assert_int_equal(cord_scene_read(path, NULL, &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    cord_body_info info;
    assert_int_equal(cord_simulation_get_solid(simulation, 1, &info), CORD_OK);
    assert_int_equal(info.shape.vertex_count, 6);
    assert_all_close(info.shape.vertices + 15, ((double[]){2, 1, 0.05}), 3, 1e-15);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    write_text(table, "0, 1, 2\n3 four 5\n");
    assert_int_equal(cord_scene_read(path, NULL, &scene), CORD_ERROR_INPUT);
    assert_non_null(strstr(cord_scene_get_error(scene, 0), "hill.csv:2"));
    cord_scene_free(scene);
    unlink(table);
    unlink(path);
    rmdir(folder);
}

/* ---- friction ------------------------------------------------------------------------------- */

/* The deceleration over g of rods that slide on a floor, from probes of the contact forces: tangential over normal. */
static double friction_of(const char *text)
{
    played p = played_text(text);
    double force[3];
    for (int i = 0; i < 5; i++) assert_fine(p.world, cord_world_step(p.world, 0.002));
    assert_int_equal(cord_simulation_sample(p.simulation, 0, force), CORD_OK);
    played_end(p);
    assert_true(force[2] > 0.1);
    return hypot(force[0], force[1]) / force[2];
}

#define SLIDING(contact, floor, rod)                                                               \
    RUN contact "obstacles:\n  - {name: floor, plane: {}" floor "}\nstrands:\n" ROD(               \
        "rod", "1 cm",                                                                             \
        ", velocity: [0, 1 m/s, 0]" rod) "probes: [{measure: contact-force, of: rod, "             \
                                         "with: floor}]\n"

static void friction_of_pairs(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        double friction;
    } cases[] = {
        {SLIDING("", "", ""), 0.3},
        {SLIDING("contact: {}\n", "", ""), 0.3},
        {SLIDING("contact: {friction: 0.5}\n", "", ""), 0.5},
        {SLIDING("", ", friction: 0.6", ""), 0.6},
        {SLIDING("", ", friction: 0.9", ", contact: {friction: 0.4}"), 0.6},
        {SLIDING("contact: {pairs: [{between: [rod, floor], friction: 0.2}]}\n", "", ""), 0.2},
        {SLIDING("contact: {pairs: [{between: [ice, steel], friction: 0.1}]}\n", ", material: ice",
                 ", contact: {material: steel}"),
         0.1},
        {SLIDING("contact: {pairs: [{between: [rod, rod], friction: 0.2}]}\n", "", ""), 0.3},
        {SLIDING(
             "contact: {pairs: [{between: [floor, rod], friction: 0.2}, {between: [floor, rod], "
             "friction: 0.7}]}\n",
             "", ", contact: {friction: 0.1}"),
         0.7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double got = friction_of(cases[i].text);
        if (fabs(got - cases[i].friction) > 1e-4)
            fail_msg("case %zu: friction is %g, expected %g", i, got, cases[i].friction);
    }
}

/* Contacts of every rod with the floor after a fall of 1 mm. */
static void count_contacts(const char *text, const double *expected, int probes)
{
    played p = played_text(text);
    for (int i = 0; i < 20; i++) assert_fine(p.world, cord_world_step(p.world, 0.002));
    for (int i = 0; i < probes; i++) {
        double count;
        assert_int_equal(cord_simulation_sample(p.simulation, i, &count), CORD_OK);
        if ((count > 0) != (expected[i] > 0)) fail_msg("probe %d: %g contacts", i, count);
    }
    played_end(p);
}

#define TWO_RODS                                                                                   \
    "obstacles: [{name: floor, plane: {}}]\nstrands:\n"                                            \
    "  - {name: rod, repeat: {count: 2}, shape: {line: {from: [0, 10 cm * $i, 11 mm], to: [50 "    \
    "cm, "                                                                                         \
    "10 cm * $i, 11 mm], vertices: 6}}, " SECTION "}\n"
#define COUNTS                                                                                     \
    "probes:\n  - {measure: contact-count, of: \"rod[0]\"}\n"                                      \
    "  - {measure: contact-count, of: \"rod[1]\", with: floor}\n"                                  \
    "  - {measure: contact-count, of: floor, with: rod}\n  - {measure: contact-count}\n"

/* Objects that pass through each other, by name, by array, and by leaving one out. */
static void exclusions(void **unused)
{
    (void)unused;
    count_contacts(RUN TWO_RODS COUNTS, (double[]){1, 1, 1, 1}, 4);
    count_contacts(
        RUN "contact: {pairs: [{between: [\"rod[0]\", floor], contact: no}]}\n" TWO_RODS COUNTS,
        (double[]){0, 1, 1, 1}, 4);
    count_contacts(RUN "contact: {pairs: [{between: [rod, floor], contact: no}]}\n" TWO_RODS COUNTS,
                   (double[]){0, 0, 0, 0}, 4);
    count_contacts(
        RUN "obstacles: [{name: floor, plane: {}}]\nstrands:\n" ROD("a", "11 mm", ", contact: no")
            ROD("b", "5 cm + 11 mm",
                "") "probes: [{measure: contact-count, of: a}, {measure: least-gap}]\n",
        (double[]){0, 0}, 2);
}

/* A curve that curls up on a floor changes its quadrature at the ends of some steps, and still reports their contacts. */
static void contacts_outlast_quadratures(void **unused)
{
    (void)unused;
    played p = played_text(
        RUN
        "contact: {friction: 0.1}\nobstacles: [{name: floor, plane: {}}]\nstrands:\n"
        "  - {name: curve, model: clothoid, elements: 2, length: 30 cm, curvatures: [[0, 0, 0], "
        "[0, 0, 0]], base: {position: [0, 0, 5 mm], tangent: [1, 0, 0], director: [0, 0, 1]}, "
        "section: {circle: {radius: 5 mm}}, material: {density: 1000, young: 1 MPa}, "
        "schedule: {natural_curvature: [{t: 0 s, value: [0, 0, 0]}, {t: 0.4 s, value: [0, 0, "
        "60 1/m]}]}}\nprobes: [{measure: contact-count}]\n");
    for (int i = 0; i < 40; i++) {
        double count;
        assert_fine(p.world, cord_world_step(p.world, 0.005));
        assert_int_equal(cord_simulation_sample(p.simulation, 0, &count), CORD_OK);
        if (!(count > 0)) fail_msg("step %d: no contacts", i);
    }
    played_end(p);
}

/* The weight of a rod at rest is the force of the floor on it; on the floor it is the opposite. */
static void probes(void **unused)
{
    (void)unused;
    played p = played_text(RUN "obstacles: [{name: floor, plane: {}}]\nstrands:\n" ROD(
        "rod", "1 cm",
        ", damping: 0.1") "probes:\n  - {measure: contact-force, of: rod}\n"
                          "  - {measure: contact-force, of: floor, with: rod, name: below}\n"
                          "  - {measure: least-gap, of: rod}\n  - {measure: position, of: "
                          "floor}\n");
    double force[3], below[3], gap, x[3];
    for (int i = 0; i < 50; i++) assert_fine(p.world, cord_world_step(p.world, 0.002));
    cord_strand_info info;
    assert_fine(p.world,
                cord_strand_get_info(p.world, cord_simulation_get_strand(p.simulation, 0), &info));
    assert_int_equal(cord_simulation_sample(p.simulation, 0, force), CORD_OK);
    assert_int_equal(cord_simulation_sample(p.simulation, 1, below), CORD_OK);
    assert_int_equal(cord_simulation_sample(p.simulation, 2, &gap), CORD_OK);
    assert_int_equal(cord_simulation_sample(p.simulation, 3, x), CORD_OK);
    assert_close(force[2], 9.81 * info.mass, 1e-3 * 9.81 * info.mass);
    for (int k = 0; k < 3; k++) assert_close(below[k], -force[k], 1e-15);
    assert_close(gap, 0, 1e-6);
    assert_string_equal(cord_scene_get_probe(p.scene, 0).name, "rod-contact-force");
    played_end(p);
}

/* ---- warnings ------------------------------------------------------------------------------- */

static bool warns(const char *text, const char *part)
{
    played p = played_text(text);
    bool found = false;
    assert_int_equal(cord_simulation_advise(p.simulation), CORD_OK);
    for (int i = 0; i < cord_simulation_get_warning_count(p.simulation); i++)
        found = found || strstr(cord_simulation_get_warning(p.simulation, i), part);
    played_end(p);
    return found;
}

static void warnings(void **unused)
{
    (void)unused;
    const char *floor =
        RUN "obstacles: [{name: floor, plane: {}}]\nstrands:\n" ROD("rod", "9 mm", "");
    assert_true(warns(floor, "rod and floor overlap by 0.001 m"));
    assert_true(warns(floor, "rod: friction acts at the centreline"));
    floor = RUN
        "obstacles: [{name: floor, plane: {}}]\nstrands:\n" ROD("rod", "1 cm", ", twist: dynamic");
    assert_false(warns(floor, "overlap"));
    assert_false(warns(floor, "friction"));
    assert_false(warns(RUN "strands:\n" ROD("rod", "1 cm", ""), "friction"));
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *message)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "cordage: 1\n%s\n", text);
    played_refused(whole, message);
}

#define BALL "\nbodies: [{name: ball, shape: {sphere: {radius: 1 cm}}}]"
#define OBSTACLE(keys) "obstacles: [{name: wall, " keys "}]" BALL

static void refusals(void **unused)
{
    (void)unused;
    refuse("contact: {friction: -0.1}" BALL, "friction must not be negative");
    refuse("contact: {restitution: 2}" BALL, "restitution must be between 0 and 1");
    refuse("contact: {margin: wide}" BALL, "margin: expected a length");
    refuse("contact: {frictions: 1}" BALL, "did you mean \"friction\"");
    refuse("contact: {pairs: [{between: [ball], friction: 1}]}" BALL, "expected two names");
    refuse("contact: {pairs: [{between: [ball, bell], friction: 1}]}" BALL,
           "did you mean \"ball\"");
    refuse("contact: {pairs: [{between: [ball, ball]}]}" BALL, "needs a friction");
    refuse("contact: {pairs: [{between: [ball, ball], friction: 1, contact: no}]}" BALL,
           "neither friction");
    refuse("points: [{name: p, at: [0, 0, 0]}]\ncontact: {pairs: [{between: [ball, p], friction: "
           "1}]}" BALL,
           "\"p\" is not a strand, a body, an obstacle or a material");
    refuse(OBSTACLE("at: [0, 0, 0]"), "an obstacle needs one of plane, sphere");
    refuse(OBSTACLE("plane: {}, sphere: {radius: 1}"), "an obstacle needs one of plane, sphere");
    refuse(OBSTACLE("plane: {normal: [0, 0, 0]}"), "normal");
    refuse(OBSTACLE("cylinder: {radius: 1}"), "length");
    refuse(OBSTACLE("sphere: {radius: 1}, on: bal"), "did you mean \"ball\"");
    refuse(OBSTACLE("sphere: {radius: 1}, on: wall"), "\"wall\" is not a body");
    refuse(OBSTACLE("sphere: {radius: 1}, on: ball, moves: {}"), "on a body");
    refuse(OBSTACLE("heightfield: {spacing: 1, values: [1, 2, 3, 4]}"), "counts");
    refuse(OBSTACLE("heightfield: {spacing: 1, counts: [2, 2], values: [1, 2, 3, 4, 5]}"),
           "5 values");
    refuse(OBSTACLE("heightfield: {spacing: 1, counts: [1, 4], values: [1, 2, 3, 4]}"),
           "at least 2");
    refuse(OBSTACLE("distance_grid: {spacing: 1, counts: [2, 2, 2]}"), "values");
    refuse("bodies: [{name: top, mass: 1, inertia: [1, 1, 1], contact: yes}]",
           "contact needs a shape");
    refuse("bodies: [{name: top, mass: 1, inertia: [1, 1, 1], contact: maybe}]",
           "expected yes, no");
    refuse("probes: [{measure: position, of: ball, with: ball}]" BALL, "measures of contacts");
    refuse("probes: [{measure: contact-count, with: bal}]" BALL, "did you mean \"ball\"");
    refuse("probes: [{measure: contact-force}]" BALL, "the world has no contact-force");
    refuse("obstacles: [{name: ball, plane: {}}]" BALL, "already taken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obstacles),
        cmocka_unit_test(drawn_distances),
        cmocka_unit_test(fields_from_files),
        cmocka_unit_test(friction_of_pairs),
        cmocka_unit_test(exclusions),
        cmocka_unit_test(probes),
        cmocka_unit_test(contacts_outlast_quadratures),
        cmocka_unit_test(warnings),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
