#include "fuzz/targets.h"

#include "scene/shape_parts.h"
#include "scene/simulation_data.h"
#include "world/world.h"

#include <cordage/live.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- live sessions ------------------------------------------------------------------------------- */

enum { LIVE_COMMANDS = 40, OPEN = 2, STEP = 5, SEEK = 7, BACK = 24 };

static bool give_rope(void *user, const char *path, const void **bytes, size_t *size)
{
    static const char text[] =
        "cordage: 1\nlet: {n: 6}\nstrands: [{name: rope, material: rubber, section: {circle: "
        "{radius: "
        "5 mm}}, shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: $n}}}]\nbodies: [{name: "
        "ball, shape: {sphere: {radius: 5 cm}}, position: [1, 0, 1]}]\nclamps: [{at: rope@start}]\n"
        "run: {dt: 10 ms}\n";
    (void)user, (void)path;
    *bytes = text;
    *size = sizeof text - 1;
    return true;
}

/* Scenes and times that would take long are not the point. */
static bool takes_long(const uint8_t *command, size_t size)
{
    double time = 0;
    uint32_t count = 0;
    if (size < 8 || command[0] == OPEN) return size >= 8;
    if (command[0] == STEP && size >= 12) memcpy(&count, command + 8, sizeof count);
    if ((command[0] == SEEK || command[0] == BACK) && size >= 16) memcpy(&time, command + 8, 8);
    return count > 3 || time > 0.1;
}

int fuzz_live(const uint8_t *data, size_t size)
{
    cord_session_def def = cord_session_def_default();
    cord_session *session;
    def.files.read = give_rope;
    def.path = "rope.yaml";
    require(cord_session_create(&def, &session) == CORD_OK, "the rope does not open");
    for (int i = 0; i < LIVE_COMMANDS && size >= 2; i++) {
        size_t length = data[0] | (size_t)data[1] << 8;
        data += 2, size -= 2;
        if (length > size) length = size;
        if (!takes_long(data, length))
            require(cord_session_receive(session, 1 + length % 2, data, length) == CORD_OK,
                    "a command is refused without an answer");
        data += length, size -= length;
        cord_session_advance(session, 0.01, 0, NULL);
        const void *answer;
        size_t bytes;
        while ((answer = cord_session_next(session, &bytes, NULL)))
            require(bytes >= 8 && *(const uint8_t *)answer >= 129, "an answer is none");
    }
    cord_session_destroy(session);
    return 0;
}
