#include "cli.h"

#include <stdio.h>

bool take_set(void *target, const char *text)
{
    scene_options *o = target;
    if (o->override_count == MAX_OVERRIDES) return false;
    o->overrides[o->override_count++] = text;
    return true;
}

bool take_allow_outside(void *target, const char *text)
{
    (void)text;
    return ((scene_options *)target)->allow_outside = true;
}

const char *scene_error(const cord_scene *scene, const cord_simulation *simulation,
                        cord_status status, int i)
{
    int read = scene ? cord_scene_get_error_count(scene) : 0;
    int built = simulation ? cord_simulation_get_error_count(simulation) : 0;
    if (i < read) return cord_scene_get_error(scene, i);
    if (i < read + built) return cord_simulation_get_error(simulation, i - read);
    return i == 0 && status != CORD_OK ? cord_status_text(status) : NULL;
}

void print_errors(const cord_scene *scene, const cord_simulation *simulation, cord_status status)
{
    const char *error;
    for (int i = 0; (error = scene_error(scene, simulation, status, i)); i++) {
        bool plain = i == 0 && error == cord_status_text(status);
        fprintf(stderr, "%s%s\n", plain ? "cordage: " : "", error);
    }
}

int open_scene(const char *path, const scene_options *options, const char *const *overrides,
               cord_scene **scene, cord_simulation **simulation, cord_status *status)
{
    cord_scene_def def = cord_scene_def_default();
    def.path = path;
    def.overrides = overrides ? overrides : options->overrides;
    def.allow_outside = options->allow_outside;
    *simulation = NULL;
    *status = cord_scene_create(&def, scene);
    if (*status == CORD_OK) *status = cord_simulation_create(*scene, simulation);
    if (*status == CORD_OK) *status = cord_simulation_advise(*simulation);
    return *status == CORD_OK ? EXIT_GOOD : *status == CORD_ERROR_MEMORY ? EXIT_ENGINE : EXIT_SCENE;
}

int open_scene_or_say(const char *path, const scene_options *options, cord_scene **scene,
                      cord_simulation **simulation)
{
    cord_status status;
    int code = open_scene(path, options, NULL, scene, simulation, &status);
    print_errors(*scene, *simulation, status);
    return code;
}

int world_failure(const cord_world *world, cord_status status)
{
    const char *text = status == CORD_ERROR_MEMORY ? "" : cord_world_get_error(world);
    fprintf(stderr, "cordage: %s\n", *text ? text : cord_status_text(status));
    return EXIT_ENGINE;
}
