#include "fuzz/targets.h"

#include "scene/shape_parts.h"
#include "scene/simulation_data.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(bool good, const char *what)
{
    if (good) return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* A failure has a message. */
static cord_status open_scene(const uint8_t *data, size_t size, cord_scene **scene,
                              cord_simulation **sim)
{
    *sim = NULL;
    cord_status status = cord__scene_read_text((const char *)data, size, scene);
    if (!*scene) return status;
    require((status == CORD_OK) == (cord_scene_get_error_count(*scene) == 0) ||
                status == CORD_ERROR_MEMORY,
            "reading fails without an error, or succeeds with one");
    if (status != CORD_OK) return status;
    status = cord_simulation_create(*scene, sim);
    require(status == CORD_OK || status == CORD_ERROR_MEMORY ||
                cord_simulation_get_error_count(*sim) > 0,
            "building fails without an error");
    return status;
}

static void close_scene(cord_scene *scene, cord_simulation *sim)
{
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
}

int fuzz_scene(const uint8_t *data, size_t size)
{
    cord_scene *scene;
    cord_simulation *sim;
    if (open_scene(data, size, &scene, &sim) == CORD_OK) cord_simulation_advise(sim);
    close_scene(scene, sim);
    return 0;
}

int fuzz_shape(const uint8_t *data, size_t size)
{
    if (size == 0 || *data < '0' || *data > '2') return 0;
    arena all;
    diagnostics errors = {.memory = &all};
    reader r = {.memory = &all, .errors = &errors};
    polyline line = {0};
    cord__arena_init(&all, NULL);
    char *copy = cord__arena_text(&all, (const char *)data + 1, size - 1);
    bool good = copy && cord__trace_text(&r, (file_format)(*data - '0'), copy, &line);
    require(good || errors.count > 0 || all.failed, "a shape fails without an error");
    for (int i = 0; good && i < 3 * line.count; i++)
        require(isfinite(line.x[i]), "a vertex of a shape is not finite");
    cord__arena_free(&all);
    return 0;
}

static void advance(cord_simulation *sim)
{
    cord_world *w = cord_simulation_get_world(sim);
    double dt = cord_scene_get_info(cord_simulation_get_scene(sim)).dt;
    w->def.max_halvings = STEP_HALVINGS;
    for (int i = 0; i < STEPS; i++) {
        double before = cord_world_get_time(w);
        cord_status status = cord_simulation_step(sim, dt);
        require(status == CORD_OK || *cord_world_get_error(w), "a step fails without a message");
        if (status != CORD_OK) return;
        require(cord_world_get_time(w) > before, "a step does not advance the clock");
        for (int k = 0; k < w->problem.q_count; k++)
            require(isfinite(w->problem.now.q[k]), "a step ends in a state that is not finite");
    }
}

int fuzz_step(const uint8_t *data, size_t size)
{
    cord_scene *scene;
    cord_simulation *sim;
    cord_counters counters;
    if (open_scene(data, size, &scene, &sim) == CORD_OK &&
        cord_world_get_counters(cord_simulation_get_world(sim), &counters) == CORD_OK &&
        counters.unknowns + counters.rows <= STEP_UNKNOWNS)
        advance(sim);
    close_scene(scene, sim);
    return 0;
}
