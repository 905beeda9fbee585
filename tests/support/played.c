#include "support/played.h"

#include "scene/scene_data.h"
#include "support/test.h"

#include <string.h>

played played_text(const char *text)
{
    played p = {0};
    if (cord__scene_read_text(text, strlen(text), &p.scene) != CORD_OK ||
        cord_scene_build(p.scene, &p.world) != CORD_OK)
        fail_msg("%s", cord_scene_get_error(p.scene, 0));
    return p;
}

void played_end(played p)
{
    cord_world_destroy(p.world);
    cord_scene_free(p.scene);
}

void played_advance(played p, double h, int steps)
{
    for (int i = 0; i < steps; i++) {
        cord_status status = cord_scene_step(p.scene, p.world, h);
        if (status != CORD_OK) fail_msg("%s", cord_world_get_error(p.world));
    }
}

int played_probe(played p, const char *name)
{
    for (int i = 0; i < cord_scene_get_info(p.scene).probe_count; i++)
        if (strcmp(cord_scene_get_probe(p.scene, i).name, name) == 0) return i;
    fail_msg("no probe %s", name);
    return -1;
}

void played_sample(played p, const char *name, double *values)
{
    assert_int_equal(cord_scene_sample(p.scene, p.world, played_probe(p, name), values), CORD_OK);
}

double played_number(played p, const char *name)
{
    cord_probe_info info = cord_scene_get_probe(p.scene, played_probe(p, name));
    double value;
    assert_int_equal(info.items * info.columns, 1);
    played_sample(p, name, &value);
    return value;
}

void played_refused(const char *text, const char *why)
{
    cord_scene *scene;
    cord_world *world = NULL;
    cord_status status = cord__scene_read_text(text, strlen(text), &scene);
    if (status == CORD_OK) status = cord_scene_build(scene, &world);
    if (status == CORD_OK) fail_msg("%s\nis not refused", text);
    const char *told = cord_scene_get_error(scene, 0);
    if (!told || !strstr(told, why)) fail_msg("%s\nsays: %s\nnot: %s", text, told, why);
    assert_null(world);
    cord_scene_free(scene);
}
