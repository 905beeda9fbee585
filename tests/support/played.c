#include "support/played.h"

#include "scene/simulation_data.h"
#include "support/test.h"

#include <string.h>

const char *played_error(const cord_scene *scene, const cord_simulation *simulation)
{
    const char *error = cord_scene_get_error(scene, 0);
    return error || !simulation ? error : cord_simulation_get_error(simulation, 0);
}

played played_text(const char *text)
{
    played p = {0};
    if (cord__scene_read_text(text, strlen(text), &p.scene) != CORD_OK ||
        cord_simulation_create(p.scene, &p.simulation) != CORD_OK)
        fail_msg("%s", played_error(p.scene, p.simulation));
    p.world = cord_simulation_get_world(p.simulation);
    return p;
}

void played_end(played p)
{
    cord_simulation_destroy(p.simulation);
    cord_scene_free(p.scene);
}

void played_advance(played p, double h, int steps)
{
    for (int i = 0; i < steps; i++) {
        cord_status status = cord_simulation_step(p.simulation, h);
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
    assert_int_equal(cord_simulation_sample(p.simulation, played_probe(p, name), values), CORD_OK);
}

double played_number(played p, const char *name)
{
    int probe = played_probe(p, name);
    double value;
    assert_int_equal(cord_simulation_get_probe_item_count(p.simulation, probe), 1);
    assert_int_equal(cord_scene_get_probe(p.scene, probe).columns, 1);
    played_sample(p, name, &value);
    return value;
}

void played_refused(const char *text, const char *why)
{
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_status status = cord__scene_read_text(text, strlen(text), &scene);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    if (status == CORD_OK) fail_msg("%s\nis not refused", text);
    const char *told = played_error(scene, simulation);
    if (!told || !strstr(told, why)) fail_msg("%s\nsays: %s\nnot: %s", text, told, why);
    assert_null(cord_simulation_get_world(simulation));
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}
