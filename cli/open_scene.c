#include "cli.h"

#include <stdio.h>

int open_scene(const char *path, const char *const *sets, cord_scene **scene, cord_world **world)
{
    *world = NULL;
    cord_status status = cord_scene_read(path, sets, scene);
    if (!*scene) {
        fprintf(stderr, "cordage: %s\n", cord_status_text(status));
        return EXIT_ENGINE;
    }
    if (status == CORD_OK) status = cord_scene_build(*scene, world);
    for (int i = 0; i < cord_scene_get_error_count(*scene); i++)
        fprintf(stderr, "%s\n", cord_scene_get_error(*scene, i));
    return status == CORD_OK ? EXIT_GOOD : status == CORD_ERROR_MEMORY ? EXIT_ENGINE : EXIT_SCENE;
}
