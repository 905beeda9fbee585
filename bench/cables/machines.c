/* Machines of [HCS 2011]: the line shaft (Fig. 1d) and compound pulleys (Fig. 2), as the scenes of the gallery have them, which is
 * looked for in CORDAGE_HOME, or here. Processor time of a step, the smallest mean of several parts of
 * the run; each machine is one island. */
#include "bench/cables/cables.h"

#include <cordage/scene.h>
#include <cordage/simulation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 8 };

static const double STEP = 5e-3; /* s, of the scenes */

typedef struct machine {
    const char *name, *scene;
    int steps; /* of a part */
} machine;

static const machine machines[] = {
    {"line shaft", "line-shaft", 100},
    {"compound pulley", "compound-pulleys", 40},
    {"compound pulley, 64 pulleys", "compound-pulleys-64", 5},
};

static cord_simulation *read_machine(const machine *m, cord_scene **scene)
{
    const char *home = getenv("CORDAGE_HOME");
    cord_simulation *simulation = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/cables/%s.yaml", home ? home : ".", m->scene);
    if (cord_scene_read(path, NULL, scene) == CORD_OK)
        (void)cord_simulation_create(*scene, &simulation);
    return simulation;
}

static void measure(bench *b, const machine *m, cord_simulation *simulation)
{
    cord_world *world = cord_simulation_get_world(simulation);
    cord_counters counters = {0};
    cord_status status = cord_simulation_step(simulation, STEP);
    double least = INFINITY;
    for (int part = 0; part < PARTS; part++) {
        const double began = bench_processor_time();
        for (int i = 0; status == CORD_OK && i < m->steps; i++)
            status = cord_simulation_step(simulation, STEP);
        least = fmin(least, (bench_processor_time() - began) / m->steps);
    }
    if (!bench_ok(b, world, status, m->name)) return;
    (void)cord_world_get_counters(world, &counters);
    bench_row(b, m->name, "step", 1e6 * least, "us");
    bench_row(b, m->name, "Newton iterations",
              (double)counters.newton_iterations / (double)(PARTS * m->steps + 1), "per step");
    bench_row(b, m->name, "unknowns and rows", counters.unknowns + counters.rows, "");
}

void bench_machines(bench *b)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        cord_scene *scene = NULL;
        cord_simulation *simulation = read_machine(machines + i, &scene);
        if (cord_simulation_get_world(simulation))
            measure(b, machines + i, simulation);
        else
            bench_fail(b,
                       bench_text(b, "%s: set CORDAGE_HOME to the directory that contains gallery/",
                                  machines[i].name));
        cord_simulation_destroy(simulation);
        cord_scene_free(scene);
    }
}
