#include "cli.h"
#include "math/json.h"
#include "standard_input.h"

#include <cordage/cordage.h>
#include <cordage/simulation.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LISTED = 12 };

typedef struct check_options {
    scene_options scene;
    bool json;
} check_options;

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((check_options *)target)->json = true;
}

static const option check_option_list[] = {
    SCENE_OPTIONS,
    {"--json", NULL, "print JSON", take_json},
    {NULL, NULL, NULL, NULL},
};

static void print_strand(const cord_strand_info *s, const cord_strand_estimates *m)
{
    printf("  %s: %s, %s, %d vertices, %.6g m, %.6g kg\n", s->name, s->model,
           s->closed ? "closed" : "open", s->vertex_count, s->length, s->mass);
    if (s->has_nodes) return; /* cordage graph shows them */
    printf("    bending EI %.4g and %.4g N m^2, twisting GJ %.4g N m^2, stretching EA %.4g N\n",
           s->bending[0], s->bending[1], s->twisting, s->stretching);
    printf("    slenderness %.4g, shortest element %.4g m\n", m->slenderness, m->element);
    printf("    fastest bending wave on the mesh %.4g m/s, period %.3g s; largest stable explicit "
           "step about %.3g s\n",
           m->wave_speed, m->wave_period, s->stable_step);
}

static void print_body(const cord_body_info *b)
{
    printf("  %s: body, %s, %.6g kg, center at %.4g %.4g %.4g m\n", b->name,
           cord_shape_name(b->shape.kind), b->mass, b->center[0], b->center[1], b->center[2]);
    printf("    principal moments of inertia %.4g, %.4g and %.4g kg m^2\n", b->principal_moments[0],
           b->principal_moments[1], b->principal_moments[2]);
}

static void print_scene(const cord_simulation *simulation)
{
    const cord_scene *scene = cord_simulation_get_scene(simulation);
    cord_world *world = cord_simulation_get_world(simulation);
    cord_scene_info info = cord_scene_get_info(scene);
    cord_counters counters = {0};
    cord_world_get_counters(world, &counters);
    printf("%s: no errors\n", info.title ? info.title : "The scene");
    printf("  %g s in steps of %g s, %.0f frames%s\n", info.until, info.dt,
           cord_scene_get_frame_count(scene), info.equilibrium_first ? ", from equilibrium" : "");
    printf("  %d unknowns, %d rows; %d strands, ", counters.unknowns, counters.rows,
           info.strand_count);
    if (info.body_count > 0) printf("%d bodies, ", info.body_count);
    if (info.joint_count > 0) printf("%d joints, ", info.joint_count);
    if (info.pulley_count > 0) printf("%d pulleys, ", info.pulley_count);
    if (info.obstacle_count > 0) printf("%d obstacles, ", info.obstacle_count);
    if (info.image_count > 0) printf("%d images, ", info.image_count);
    if (info.controller_count > 0) printf("%d controllers, ", info.controller_count);
    printf("%d clamps, %d constraints, %d probes, %d expected results\n", info.clamp_count,
           info.constraint_count, info.probe_count, info.expectation_count);
    for (int i = 0; i < info.strand_count && i < MAX_LISTED; i++) {
        cord_strand_info strand;
        cord_strand_estimates estimates;
        cord_status status =
            cord_strand_get_info(world, cord_simulation_get_strand(simulation, i), &strand);
        if (status == CORD_OK)
            status = cord_simulation_get_strand_estimates(simulation, i, &estimates);
        if (status == CORD_OK) print_strand(&strand, &estimates);
    }
    if (info.strand_count > MAX_LISTED) {
        printf("  and %d more strands (--json lists all)\n", info.strand_count - MAX_LISTED);
    }
    for (int i = 0; i < info.body_count && i < MAX_LISTED; i++) {
        cord_body_info body;
        if (cord_body_get_info(world, cord_simulation_get_body(simulation, i), &body) == CORD_OK)
            print_body(&body);
    }
    if (info.body_count > MAX_LISTED) {
        printf("  and %d more bodies (--json lists all)\n", info.body_count - MAX_LISTED);
    }
    for (int i = 0; i < cord_simulation_get_warning_count(simulation); i++) {
        printf("%s%s\n", i == 0 ? "Warnings:\n" : "", cord_simulation_get_warning(simulation, i));
    }
}

static void json_strand(json *j, const cord_strand_info *s, const cord_strand_estimates *m)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "name", s->name);
    cord__json_string(j, "model", s->model);
    cord__json_bool(j, "closed", s->closed);
    cord__json_integer(j, "vertices", s->vertex_count);
    cord__json_number(j, "length", s->length);
    cord__json_number(j, "mass", s->mass);
    cord__json_number(j, "stretching", s->stretching);
    cord__json_array(j, "bending");
    cord__json_number(j, NULL, s->bending[0]);
    cord__json_number(j, NULL, s->bending[1]);
    cord__json_end(j, ']');
    cord__json_number(j, "twisting", s->twisting);
    cord__json_number(j, "stable_step", s->stable_step);
    cord__json_number(j, "slenderness", m->slenderness);
    cord__json_number(j, "element", m->element);
    cord__json_number(j, "wave_speed", m->wave_speed);
    cord__json_number(j, "wave_period", m->wave_period);
    cord__json_end(j, '}');
}

static void json_numbers(json *j, const char *name, const double *values, int count)
{
    cord__json_array(j, name);
    for (int i = 0; i < count; i++) cord__json_number(j, NULL, values[i]);
    cord__json_end(j, ']');
}

static void json_body(json *j, const cord_body_info *b)
{
    cord__json_object(j, NULL);
    cord__json_string(j, "name", b->name);
    cord__json_string(j, "shape", cord_shape_name(b->shape.kind));
    cord__json_number(j, "mass", b->mass);
    json_numbers(j, "center", b->center, 3);
    json_numbers(j, "moments", b->principal_moments, 3);
    cord__json_end(j, '}');
}

static void print_scene_json(const cord_scene *scene, const cord_simulation *simulation,
                             cord_status state)
{
    cord_world *world = state == CORD_OK ? cord_simulation_get_world(simulation) : NULL;
    const char *error;
    cord_scene_info info = {0};
    if (scene) info = cord_scene_get_info(scene);
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_bool(&j, "good", world != NULL);
    cord__json_string(&j, "title", info.title);
    cord__json_array(&j, "errors");
    for (int i = 0; (error = scene_error(scene, simulation, state, i)); i++)
        cord__json_string(&j, NULL, error);
    cord__json_end(&j, ']');
    cord__json_array(&j, "warnings");
    for (int i = 0; world && i < cord_simulation_get_warning_count(simulation); i++)
        cord__json_string(&j, NULL, cord_simulation_get_warning(simulation, i));
    cord__json_end(&j, ']');
    cord__json_array(&j, "strands");
    for (int i = 0; world && i < info.strand_count; i++) {
        cord_strand_info strand;
        cord_strand_estimates estimates;
        cord_status status =
            cord_strand_get_info(world, cord_simulation_get_strand(simulation, i), &strand);
        if (status == CORD_OK)
            status = cord_simulation_get_strand_estimates(simulation, i, &estimates);
        if (status == CORD_OK) json_strand(&j, &strand, &estimates);
    }
    cord__json_end(&j, ']');
    cord__json_array(&j, "bodies");
    for (int i = 0; world && i < info.body_count; i++) {
        cord_body_info body;
        if (cord_body_get_info(world, cord_simulation_get_body(simulation, i), &body) == CORD_OK)
            json_body(&j, &body);
    }
    cord__json_end(&j, ']');
    cord_counters counters = {0};
    if (world) cord_world_get_counters(world, &counters);
    if (world) cord__json_integer(&j, "unknowns", counters.unknowns);
    if (world) cord__json_integer(&j, "rows", counters.rows);
    cord__json_number(&j, "until", info.until);
    cord__json_number(&j, "dt", info.dt);
    if (world) cord__json_number(&j, "frames", cord_scene_get_frame_count(scene));
    cord__json_end(&j, '}');
}

static int check_scene(const char *path, const check_options *options)
{
    cord_scene *scene;
    cord_simulation *simulation;
    cord_status status;
    int code = open_scene(path, &options->scene, NULL, &scene, &simulation, &status);
    if (options->json) {
        print_scene_json(scene, simulation, status);
    } else if (code == EXIT_GOOD) {
        print_scene(simulation);
    } else {
        print_errors(scene, simulation, status);
    }
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return code;
}

static int check(int argc, char **argv)
{
    if (asked_for_help(&check_command, argc, argv)) return EXIT_GOOD;
    check_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&check_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage check: which scene?\nUsage: cordage check %s\n",
                check_command.usage);
        return EXIT_USAGE;
    }
    scene_input input;
    if (!scene_input_open(&input, "check", path)) return EXIT_ENGINE;
    int code = check_scene(input.path, &options);
    scene_input_close(&input);
    return code;
}

const command check_command = {
    "check",
    "SCENE [options]",
    "Reports the errors of a scene, or its contents and estimates",
    "Warnings name choices that lead to poor results; they do not change the exit code.\n\n"
    "  cordage check rope.yaml\n  cordage check rope.yaml --set let.n=80 --json",
    check_option_list,
    check,
};
