#include "cli.h"

#include <stdio.h>

const char *scene_error(const cord_scene *scene, const cord_simulation *simulation, int i)
{
    int read = scene ? cord_scene_get_error_count(scene) : 0;
    if (i < read) return cord_scene_get_error(scene, i);
    return simulation ? cord_simulation_get_error(simulation, i - read) : NULL;
}

int open_scene(const char *path, const char *const *sets, cord_scene **scene,
               cord_simulation **simulation)
{
    *simulation = NULL;
    cord_status status = cord_scene_read(path, sets, scene);
    if (status == CORD_OK) status = cord_simulation_create(*scene, simulation);
    const char *error;
    int count = 0;
    while ((error = scene_error(*scene, *simulation, count))) {
        fprintf(stderr, "%s\n", error);
        count++;
    }
    if (status != CORD_OK && count == 0) fprintf(stderr, "cordage: %s\n", cord_status_text(status));
    return status == CORD_OK ? EXIT_GOOD : status == CORD_ERROR_MEMORY ? EXIT_ENGINE : EXIT_SCENE;
}
