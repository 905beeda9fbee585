/* Cost per element and step over the number of elements, for every strand model.
 *
 * The material of the common test rod in elements of 2 cm, clamped level at one end and let go, TR-BDF2 in
 * steps of 2 ms; the processor time of stepping, the least over repeats. */
#include "bench/models/models.h"
#include "validation/rods.h"

#include <math.h>
#include <stdlib.h>

enum { REPEATS = 5, WARM_UP = 3 };

static const double element = 0.02, step = 2e-3; /* m, s */

typedef struct model_case {
    const char *name, *model;
    bool chain;   /* given by its curvatures */
    bool general; /* a flat section with internal damping */
    int largest;
} model_case;

static const model_case cases[] = {
    {"der", CORD_MODEL_DER, false, false, 5000},
    {"der, flat and damped", CORD_MODEL_DER, false, true, 5000},
    {"spline", CORD_MODEL_SPLINE, false, false, 1000},
    {"clothoid", CORD_MODEL_CLOTHOID, true, false, 100},
    {"helix", CORD_MODEL_HELIX, true, false, 100},
    {"segment", CORD_MODEL_SEGMENT, true, false, 100},
};
static const int sizes[] = {5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};

static void define(const model_case *c, int elements, double *values, cord_strand_def *def)
{
    rod_plan common = rod_plan_common(elements);
    *def = common.strand;
    def->model = c->model;
    if (c->general) {
        def->section = (cord_section){.kind = CORD_SECTION_RECTANGLE};
        def->section.size[0] = 0.012, def->section.size[1] = 0.006;
        def->damping = 1e-3;
    }
    def->vertex_count = elements + 1;
    if (c->chain) { /* natural curvatures, all zero */
        def->element_count = elements, def->length = elements * element;
        def->curvatures = values;
        return;
    }
    for (int i = 0; i <= elements; i++) values[3 * i] = element * i;
    def->positions = values;
}

static cord_status make(const model_case *c, int elements, cord_world **w)
{
    rod_plan common = rod_plan_common(elements);
    cord_strand_def def;
    cord_strand strand;
    double *values = calloc(3 * (size_t)elements + 3, sizeof *values);
    if (!values) return CORD_ERROR_MEMORY;
    common.world.scheme = CORD_TR_BDF2;
    cord_status status = cord_world_create(&common.world, w);
    define(c, elements, values, &def);
    if (status == CORD_OK) status = cord_world_add_strand(*w, &def, &strand);
    if (status == CORD_OK) status = cord_world_clamp_strand(*w, strand, 0, NULL, NULL, NULL, NULL);
    free(values);
    return status;
}

/* ns per element and step; not finite when a step failed. */
static double cost_of(bench *b, const model_case *c, int elements)
{
    cord_world *w = NULL;
    cord_status status = make(c, elements, &w);
    int steps = (bench_quick(b) ? 2000 : 10000) / elements + 2;
    double least = INFINITY;
    for (int i = 0; status == CORD_OK && i < WARM_UP; i++) status = cord_world_step(w, step);
    for (int k = 0; status == CORD_OK && k < REPEATS; k++) {
        double start = bench_processor_time();
        for (int i = 0; status == CORD_OK && i < steps; i++) status = cord_world_step(w, step);
        least = fmin(least, 1e9 * (bench_processor_time() - start) / steps / elements);
    }
    bool ok = bench_ok(b, w, status, c->name);
    cord_world_destroy(w);
    return ok ? least : NAN;
}

void bench_model_costs(bench *b)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            if (sizes[k] <= cases[i].largest)
                bench_point(b, cases[i].name, sizes[k], cost_of(b, &cases[i], sizes[k]));
}
