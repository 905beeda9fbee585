/* Cost of a chain's Newton iteration and step against the number of elements, one thread.
 *
 * Spatial chains turn by three radians in each element of 5 cm and unwind under gravity from a clamp;
 * planar ones by one radian. Time is the least over repeats. The dense matrix over the free columns
 * is built from what the last iteration of such a chain left, factored and solved with, to compare
 * the chain's own elimination with. */
#include "bench/clothoids/clothoids.h"
#include "math/dense.h"
#include "strand/chain/chain.h"
#include "strand/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 7, WARM_UP = 6 };

static const double element = 0.05, step = 2e-3;

typedef struct chain_case {
    const char *model;
    bool planar;
    int elements;
    double turn; /* rad per element */
    cord_scheme scheme;
} chain_case;

static void define(const chain_case *k, double *curvatures, cord_strand_def *def)
{
    static const double upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0}; /* the plane of x and z */
    for (int i = 0; i <= k->elements; i++) {
        curvatures[3 * i] = 0;
        curvatures[3 * i + 1] = k->turn / element * (k->planar ? 1 : 0.9);
        curvatures[3 * i + 2] = k->planar ? 0 : k->turn / element * sqrt(1 - 0.81);
    }
    *def = cord_strand_def_default();
    def->model = k->model;
    def->planar = k->planar;
    def->element_count = k->elements;
    def->length = k->elements * element;
    def->curvatures = curvatures;
    def->vertex_count = 8 * k->elements + 1;
    def->section.radius = 5e-4;
    def->material.young = 1e9;
    def->damping = 1e-3;
    if (k->planar) memcpy(def->base_frame, upright, sizeof upright);
}

static cord_status make(const chain_case *k, cord_world **w)
{
    cord_world_def world = cord_world_def_default();
    world.scheme = k->scheme;
    world.threads = 1;
    cord_status status = cord_world_create(&world, w);
    double *curvatures = malloc((size_t)(3 * k->elements + 3) * sizeof *curvatures);
    if (status == CORD_OK && !curvatures) status = CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        cord_strand_def def;
        cord_strand strand;
        define(k, curvatures, &def);
        status = cord_world_add_strand(*w, &def, &strand);
        if (status == CORD_OK)
            status = cord_world_clamp_strand(*w, strand, 0, NULL, NULL, NULL, NULL);
    }
    free(curvatures);
    return status;
}

typedef struct chain_cost {
    double newton, step, iterations; /* s, s, per step */
} chain_cost;

static bool time_case(bench *b, const chain_case *k, chain_cost *out)
{
    cord_world *w = NULL;
    cord_status status = make(k, &w);
    int steps = 1 + (bench_quick(b) ? 60 : 600) / k->elements;
    for (int i = 0; status == CORD_OK && i < WARM_UP; i++) status = cord_world_step(w, step);
    *out = (chain_cost){INFINITY, INFINITY, 0};
    for (int r = 0; status == CORD_OK && r < REPEATS; r++) {
        cord_counters before, after;
        cord_world_get_counters(w, &before);
        double began = bench_now();
        for (int i = 0; status == CORD_OK && i < steps; i++) status = cord_world_step(w, step);
        double seconds = bench_now() - began;
        cord_world_get_counters(w, &after);
        double newton = (double)(after.newton_iterations - before.newton_iterations);
        if (seconds / newton >= out->newton) continue;
        *out = (chain_cost){seconds / newton, seconds / steps, newton / steps};
    }
    bool fine = bench_ok(b, w, status, k->model);
    cord_world_destroy(w);
    return fine;
}

void bench_newton(bench *b)
{
    static const struct {
        int elements;
        double bar; /* µs */
    } sizes[] = {{1, 0}, {2, 0}, {6, 30}, {20, 0}, {60, 300}, {150, 0}, {400, 0}};
    double first = 0, last = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        chain_case k = {CORD_MODEL_CLOTHOID, false, sizes[i].elements, 3, CORD_TR_BDF2};
        chain_cost cost;
        if (!time_case(b, &k, &cost)) return;
        const char *name = bench_text(b, "clothoid, N = %d", k.elements);
        if (sizes[i].bar > 0)
            bench_bar(b, name, "Newton iteration", 1e6 * cost.newton, "us", sizes[i].bar);
        else
            bench_row(b, name, "Newton iteration", 1e6 * cost.newton, "us");
        bench_row(b, name, "iterations", cost.iterations, "per step");
        if (k.elements == 20) first = cost.newton;
        last = cost.newton;
    }
    bench_bar(b, "clothoid, N = 20 to 400", "growth", log(last / first) / log(20.0), "exponent",
              1.15);
    chain_case helix = {CORD_MODEL_HELIX, false, 60, 3, CORD_TR_BDF2};
    chain_case segment = {CORD_MODEL_SEGMENT, false, 60, 0.5, CORD_TR_BDF2};
    chain_cost cost;
    if (time_case(b, &helix, &cost))
        bench_row(b, "helix, N = 60", "Newton iteration", 1e6 * cost.newton, "us");
    if (time_case(b, &segment, &cost))
        bench_row(b, "segment, N = 60", "Newton iteration", 1e6 * cost.newton, "us");
}

void bench_planar(bench *b)
{
    chain_case clothoid = {CORD_MODEL_CLOTHOID, true, 5, 1, CORD_SEMI_IMPLICIT};
    chain_case circle = {CORD_MODEL_HELIX, true, 5, 1, CORD_SEMI_IMPLICIT};
    chain_cost c, o;
    if (!time_case(b, &clothoid, &c) || !time_case(b, &circle, &o)) return;
    bench_bar(b, "planar clothoid, N = 5", "the papers' step", 1e6 * c.step, "us", 15);
    bench_row(b, "planar circle, N = 5", "the papers' step", 1e6 * o.step, "us");
    bench_row(b, "planar clothoid over circle", "ratio (the paper: up to 300)", c.step / o.step,
              "");
    clothoid.scheme = CORD_TR_BDF2;
    if (!time_case(b, &clothoid, &c)) return;
    bench_row(b, "planar clothoid, N = 5", "TR-BDF2 step", 1e6 * c.step, "us");
    bench_row(b, "planar clothoid, N = 5", "iterations", c.iterations, "per step");
}

/* ---- dense or recursion --------------------------------------------------------------------------- */

typedef struct solvers {
    const strand_ops *ops;
    chain_model *c;
    double *q, *cache, *r, *g, *zero, *own, *kept, *x, *dense;
    int stride;
} solvers;

static double time_recursion(const solvers *s, int count)
{
    const unsigned char clamped[9] = {1, 1, 1, 1, 1, 1, 0, 0, 0};
    size_t bytes = (size_t)chain_own_count(s->c) * sizeof *s->own;
    double best = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        double began = bench_now(), copying;
        for (int i = 0; i < count; i++) memcpy(s->own, s->kept, bytes);
        copying = bench_now() - began;
        began = bench_now();
        for (int i = 0; i < count; i++) {
            int negative;
            memcpy(s->own, s->kept, bytes);
            cord__chain_factor(s->c, clamped, s->own, &negative);
            cord__chain_solve(s->c, clamped, s->own, s->x);
        }
        best = fmin(best, (bench_now() - began - copying) / count);
    }
    return best;
}

static double time_dense(const solvers *s, int count)
{
    int n = chain_free_count(s->c);
    double best = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        double began = bench_now();
        for (int i = 0; i < count; i++) {
            int negative;
            double *a = s->dense;
            cord__chain_dense(s->c, s->kept, s->stride, a);
            /* the clamped base's columns are left out */
            cord__dense_factor(n - 6, s->stride, a + 6 * s->stride + 6, &negative);
            cord__dense_solve(n - 6, s->stride, a + 6 * s->stride + 6, s->x);
        }
        best = fmin(best, (bench_now() - began) / count);
    }
    return best;
}

static double *numbers(memory *m, int count)
{
    return NEW(m, double, count + 1);
}

static bool prepare(solvers *s, memory *m, int elements)
{
    chain_case k = {CORD_MODEL_CLOTHOID, false, elements, 3, CORD_TR_BDF2};
    cord_strand_def def;
    block_shape shape;
    char why[128];
    void *model = NULL;
    double *curvatures = numbers(m, 3 * elements + 3);
    if (!curvatures) return false;
    define(&k, curvatures, &def);
    s->ops = cord__strand_find(CORD_MODEL_CLOTHOID);
    cord_status status = s->ops->create(&def, m, &model, why, sizeof why);
    cord__release(m, curvatures);
    if (status != CORD_OK) return false;
    s->c = model;
    s->ops->block.describe(model, &shape);
    int n = chain_free_count(s->c);
    s->stride = DENSE_STRIDE(n);
    s->q = numbers(m, shape.q_count), s->cache = numbers(m, shape.cache_count);
    s->r = numbers(m, shape.dofs), s->g = numbers(m, shape.rows);
    s->zero = numbers(m, shape.dofs + shape.rows + shape.inertial_count);
    s->own = numbers(m, shape.private_count), s->kept = numbers(m, shape.private_count);
    s->x = numbers(m, shape.dofs + shape.rows), s->dense = numbers(m, s->stride * n);
    if (!s->q || !s->cache || !s->r || !s->g || !s->zero || !s->own || !s->kept || !s->x ||
        !s->dense)
        return false;
    environment env = {.gravity = {0, 0, -9.81}};
    block_eval in = {.environment = &env,
                     .q = s->q,
                     .cache = s->cache,
                     .v = s->zero,
                     .a = s->zero,
                     .lambda = s->zero,
                     .inertial_v = s->zero,
                     .inertial_a = s->zero,
                     .c_a = 1e6,
                     .c_k = 1};
    local_matrix local = {.private_matrix = s->kept};
    s->ops->block.initial(model, s->q, s->r);
    s->ops->block.refresh(model, s->q, s->cache);
    s->ops->block.assemble(model, &in, s->r, s->g, &local);
    return true;
}

static void finish(solvers *s, memory *m)
{
    double *pieces[] = {s->q, s->cache, s->r, s->g, s->zero, s->own, s->kept, s->x, s->dense};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) cord__release(m, pieces[i]);
    if (s->c) s->ops->block.destroy(s->c, m);
}

void bench_dense(bench *b)
{
    static const int sizes[] = {1, 2, 4, 8, 20, 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memory m;
        solvers s = {0};
        cord__memory_init(&m, NULL);
        if (prepare(&s, &m, sizes[i])) {
            int count = 2000 / sizes[i];
            const char *name = bench_text(b, "clothoid, N = %d", sizes[i]);
            bench_row(b, name, "recursion, factor and solve", 1e6 * time_recursion(&s, count),
                      "us");
            bench_row(b, name, "dense, factor and solve", 1e6 * time_dense(&s, count), "us");
        }
        finish(&s, &m);
    }
}
