/* A scene from a text: read, built, run for a second and recorded to the folder that the command line names. */
#include "example.h"

#include <cordage/record.h>
#include <cordage/simulation.h>
#include <string.h>

static const char text[] = "cordage: 1\n"
                           "run: {until: 1 s, dt: 5 ms}\n"
                           "strands:\n"
                           "  - name: rope\n"
                           "    shape: {line: {from: [0, 0, 0], to: [1 m, 0, 0], vertices: 31}}\n"
                           "    material: nylon\n"
                           "    section: {circle: {radius: 3 mm}}\n"
                           "clamps: [{name: wall, at: rope@start}]\n"
                           "probes: [{name: energy, measure: energy}]\n";

/* The only file there is. */
static bool read_text(void *user, const char *path, const void **bytes, size_t *size)
{
    (void)user;
    if (strcmp(path, "rope.yaml") != 0) return false;
    *bytes = text, *size = strlen(text);
    return true;
}

/* Prints the errors of a scene, "file:line:column: message". */
static int report(const cord_scene *scene)
{
    for (int i = 0; i < cord_scene_get_error_count(scene); i++)
        fprintf(stderr, "%s\n", cord_scene_get_error(scene, i));
    return 1;
}

int main(int argc, char **argv)
{
    cord_scene_def def = cord_scene_def_default();
    def.path = "rope.yaml";
    def.files.read = read_text;
    cord_scene *scene;
    cord_simulation *simulation;
    if (cord_scene_create(&def, &scene) != CORD_OK) return report(scene);
    must(NULL, cord_simulation_create(scene, &simulation));
    cord_world *world = cord_simulation_get_world(simulation);
    cord_scene_info info = cord_scene_get_info(scene);

    cord_recorder *recorder = NULL;
    if (argc > 1)
        must(world, cord_recorder_open(simulation, argv[1], cord_format_names(), &recorder));
    double first[7], energy[7]; /* the last column is the total */
    must(world, cord_simulation_sample(simulation, 0, first));
    while (cord_world_get_time(world) < info.until - 0.5 * info.dt) {
        must(world, cord_simulation_step(simulation, info.dt));
        if (recorder) must(world, cord_recorder_frame(recorder));
    }
    must(world, cord_simulation_sample(simulation, 0, energy));
    if (recorder) must(world, cord_recorder_close(recorder));
    double scale = fabs(energy[0]);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return compare("total energy, J", energy[6], first[6], 0.02 * scale);
}
