/* Processor time of a step of backward Euler of 5 ms, of four clothoids of 5 cm that are clamped and unwind under gravity, for
 * two seconds: gentle ones, and strongly curved ones, with many quadrature nodes; one chain, and each of many that are stepped
 * in batches. The smallest over repeats, one thread. */
#include "bench/clothoids/clothoids.h"

#include <math.h>

enum { ELEMENTS = 4, STEPS = 400, MANY = 16 };

static const double element = 0.05, step = 5e-3;

static cord_status make(double angle, int chains, cord_world **w)
{
    cord_world_def world = cord_world_def_default();
    cord_strand_def def = cord_strand_def_default();
    cord_strand strand;
    double curvatures[3 * (ELEMENTS + 1)];
    world.scheme = CORD_BACKWARD_EULER;
    world.threads = 1;
    for (int i = 0; i <= ELEMENTS; i++) {
        curvatures[3 * i] = 0;
        curvatures[3 * i + 1] = angle / element;
        curvatures[3 * i + 2] = 0.3 * angle / element;
    }
    def.model = CORD_MODEL_CLOTHOID;
    def.element_count = ELEMENTS;
    def.vertex_count = 8 * ELEMENTS + 1;
    def.length = ELEMENTS * element;
    def.curvatures = curvatures;
    def.material = (cord_material){1300, 3e6, 0.5};
    def.section.radius = 1e-3;
    def.damping = 1e-3;
    cord_status status = cord_world_create(&world, w);
    for (int i = 0; status == CORD_OK && i < chains; i++) {
        def.base_position[1] = i;
        status = cord_world_add_strand(*w, &def, &strand);
        if (status == CORD_OK)
            status = cord_world_clamp_strand(*w, strand, 0, NULL, NULL, NULL, NULL);
    }
    return status;
}

/* Of each chain. */
static bool time_steps(bench *b, double angle, int chains, double *seconds, double *iterations)
{
    *seconds = INFINITY;
    for (int repeat = 0; repeat < (bench_quick(b) || chains > 1 ? 3 : 15); repeat++) {
        cord_world *w = NULL;
        cord_counters counters = {0};
        cord_status status = make(angle, chains, &w);
        double began = bench_processor_time();
        for (int i = 0; status == CORD_OK && i < STEPS; i++) status = cord_world_step(w, step);
        *seconds = fmin(*seconds, (bench_processor_time() - began) / (STEPS * chains));
        if (status == CORD_OK) status = cord_world_get_counters(w, &counters);
        *iterations = (double)counters.newton_iterations / (STEPS * chains);
        bool fine = bench_ok(b, w, status, "clothoids");
        cord_world_destroy(w);
        if (!fine) return false;
    }
    return true;
}

void bench_step(bench *b)
{
    static const struct {
        double angle; /* rad an element */
        int chains;
        double bar; /* µs */
    } cases[] = {{0.5, 1, 35}, {18, 1, 120}, {0.5, MANY, 17.5}, {18, MANY, 60}};
    for (int i = 0; i < 4; i++) {
        double seconds, iterations;
        const char *name = bench_text(b, "four clothoids of %g rad%s", cases[i].angle,
                                      cases[i].chains > 1 ? ", batched" : "");
        if (!time_steps(b, cases[i].angle, cases[i].chains, &seconds, &iterations)) return;
        bench_bar(b, name, "step of backward Euler", 1e6 * seconds, "us", cases[i].bar);
        bench_row(b, name, "iterations", iterations, "per step");
    }
}
