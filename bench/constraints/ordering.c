/* Factorisation and solution of one system of ropes coupled by distance constraints, in two ways:
 *
 * - reverse Cuthill-McKee, then banded LU with partial pivoting [MICADO 2008, sec. 7.1]; - the
 * order of Cordage, then sparse LDLᵀ without pivoting.
 *
 * The matrix is that of a step, the same for both. Times include the assembly of the values but not
 * the ordering, which is computed once. The banded LU is unblocked. It skips zeros in the column it
 * eliminates, not in rows.
 *
 * Parallel ropes lie side by side, clamped at one end, as discrete rods with edges of 5 cm, and
 * every second vertex has a distance constraint to its neighbour: four ropes of increasing length
 * (bridge), increasing numbers of ropes of nine vertices (chain), and as many ropes as vertices
 * (net). */
#include "bench/baselines/band_lu.h"
#include "bench/baselines/cluster_matrix.h"
#include "bench/constraints/constraints.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 6, EDGE_PER_M = 20, ALONG = 2 };

typedef struct layout {
    const char *name;
    int ropes[SIZES], vertices[SIZES];
    bool grows_linearly; /* bandwidth and fill-in per unknown are constant */
} layout;

static const layout layouts[] = {
    {"bridge", {4, 4, 4, 4, 4, 4}, {17, 33, 65, 129, 257, 513}, true},
    {"chain", {7, 14, 29, 57, 114, 228}, {9, 9, 9, 9, 9, 9}, true},
    {"net", {8, 12, 16, 24, 32, 45}, {8, 12, 16, 24, 32, 45}, false},
};

typedef struct cost {
    int unknowns, half_bandwidth;
    double entries;                        /* of L, per unknown */
    double band, sparse;                   /* s */
    double band_residual, sparse_residual; /* over the right-hand side */
} cost;

static cord_status add_rope(cord_world *w, int number, int vertices, double *x, cord_strand *rope)
{
    for (int i = 0; i < vertices; i++) {
        x[3 * i] = (double)i / EDGE_PER_M;
        x[3 * i + 1] = (double)number / EDGE_PER_M;
        x[3 * i + 2] = 0;
    }
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = vertices;
    def.positions = x;
    def.material = (cord_material){.density = 1000, .young = 1e7, .poisson = 0.5};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 5e-3};
    cord_status status = cord_world_add_strand(w, &def, rope);
    if (status == CORD_OK) status = cord_world_clamp_strand(w, *rope, 0, NULL, NULL, NULL, NULL);
    return status;
}

static cord_status tie(cord_world *w, cord_strand a, cord_strand b, int vertex)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_STRAND;
    on.s = (double)vertex / EDGE_PER_M;
    on.strand = a;
    cord_status status = cord_world_add_point(w, &on, &def.first);
    on.strand = b;
    if (status == CORD_OK) status = cord_world_add_point(w, &on, &def.second);
    def.kind = CORD_DISTANCE;
    return status == CORD_OK ? cord_world_add_constraint(w, &def, &made) : status;
}

/* A world of these ropes after one step. */
static cord_status prepare(int ropes, int vertices, cord_world **out)
{
    cord_world_def def = cord_world_def_default();
    double *x = malloc(3 * (size_t)vertices * sizeof *x);
    cord_status status = x ? cord_world_create(&def, out) : CORD_ERROR_MEMORY;
    cord_strand before, rope = {0};
    for (int i = 0; status == CORD_OK && i < ropes; i++) {
        before = rope;
        status = add_rope(*out, i, vertices, x, &rope);
        for (int k = ALONG; status == CORD_OK && i > 0 && k < vertices - 1; k += ALONG)
            status = tie(*out, before, rope, k);
    }
    free(x);
    return status == CORD_OK ? cord_world_step(*out, 1e-3) : status;
}

typedef struct trial {
    const cluster_matrix *x;
    sparse_ldl *f;
    double *value;                   /* per entry */
    double *band, *b, *u, *residual; /* the system of both solvers */
    int *pivot;
} trial;

/* y = A x */
static void multiply(const trial *t, const double *x, double *y)
{
    memset(y, 0, (size_t)t->x->unknowns * sizeof *y);
    for (int e = 0; e < t->x->entries; e++) {
        int i = t->x->row[e], j = t->x->col[e];
        y[i] += t->value[e] * x[j];
        if (i != j) y[j] += t->value[e] * x[i];
    }
}

static bool solve_sparse(const trial *t)
{
    cord__sparse_clear(t->f);
    for (int e = 0; e < t->x->entries; e++) t->f->a[t->f->slot[e]] = t->value[e];
    bool fine = cord__sparse_factor(t->f) == CORD_OK;
    cord__sparse_solve(t->f, t->b, t->u);
    return fine;
}

static bool solve_band(const trial *t)
{
    const cluster_matrix *x = t->x;
    int n = x->unknowns, width = x->half_bandwidth[ORDER_CUTHILL_MCKEE];
    const int *inverse = x->inverse[ORDER_CUTHILL_MCKEE];
    memset(t->band, 0, band_lu_size(n, width) * sizeof *t->band);
    for (int e = 0; e < x->entries; e++) {
        int i = inverse[x->row[e]], j = inverse[x->col[e]];
        t->band[band_lu_at(width, i, j)] = t->band[band_lu_at(width, j, i)] = t->value[e];
    }
    for (int u = 0; u < n; u++) t->residual[inverse[u]] = t->b[u];
    bool fine = cord__band_lu_factor(n, width, t->band, t->pivot) < 0;
    cord__band_lu_solve(n, width, t->band, t->pivot, t->residual);
    for (int u = 0; u < n; u++) t->u[u] = t->residual[inverse[u]];
    return fine;
}

static double relative_residual(const trial *t)
{
    double most = 0, scale = 0;
    multiply(t, t->u, t->residual);
    for (int i = 0; i < t->x->unknowns; i++) {
        most = fmax(most, fabs(t->residual[i] - t->b[i]));
        scale = fmax(scale, fabs(t->b[i]));
    }
    return most / scale;
}

/* The smallest processor time of several repetitions, fewer when they take long. */
static double time_of(const trial *t, bool (*solve)(const trial *t))
{
    double best = INFINITY, all = 0;
    for (int i = 0; i < 200 && all < 0.7; i++) {
        double start = bench_processor_time();
        bool fine = solve(t);
        double took = bench_processor_time() - start;
        all += took;
        best = fine ? fmin(best, took) : NAN;
    }
    return best;
}

/* Values of a step of backward Euler; entries are in the order of f. */
static void read_values(cord_world *w, trial *t)
{
    const double h = 1e-3;
    stage at = {.c_a = 1 / (h * h), .c_v = 1 / h, .c_k = 1};
    cord__refresh(&w->problem, w->partition.cluster, w->problem.trial.q, w->problem.cache);
    cord__assemble(&w->problem, w->partition.cluster, &at, true);
    cord__complete_equations(&w->problem, w->partition.cluster);
    for (int e = 0; e < t->x->entries; e++) t->value[e] = t->f->a[t->f->slot[e]];
}

static cord_status compare(cord_world *w, cost *c)
{
    cluster *s = w->partition.cluster;
    cluster_matrix x;
    memory m;
    cord__memory_init(&m, NULL);
    cord_status status = cord__matrix_read(&x, &m, &w->problem, s);
    if (status != CORD_OK) return status;
    int n = x.unknowns, width = x.half_bandwidth[ORDER_CUTHILL_MCKEE];
    trial t = {.x = &x, .f = &s->factor};
    t.value = NEW(&m, double, x.entries);
    t.band = NEW(&m, double, band_lu_size(n, width));
    t.b = NEW(&m, double, n);
    t.u = NEW(&m, double, n);
    t.residual = NEW(&m, double, n);
    t.pivot = NEW(&m, int, n);
    bool room = t.value && t.band && t.b && t.u && t.residual && t.pivot;
    status = room ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        for (int i = 0; i < n; i++) t.u[i] = sin(1 + i);
        read_values(w, &t);
        multiply(&t, t.u, t.b);
        *c = (cost){.unknowns = n, .half_bandwidth = width};
        c->entries = (double)x.factor_entries[ORDER_CHOSEN] / n;
        c->sparse = time_of(&t, solve_sparse);
        c->sparse_residual = relative_residual(&t);
        c->band = time_of(&t, solve_band);
        c->band_residual = relative_residual(&t);
    }
    cord__release(&m, t.value);
    cord__release(&m, t.band);
    cord__release(&m, t.b);
    cord__release(&m, t.u);
    cord__release(&m, t.residual);
    cord__release(&m, t.pivot);
    cord__matrix_free(&x, &m);
    return status;
}

static void list_cost(bench *b, const char *layout_name, const cost *c)
{
    const char *name = bench_text(b, "%s n=%d", layout_name, c->unknowns);
    bench_row(b, name, "half-bandwidth by Cuthill-McKee", c->half_bandwidth, "");
    bench_row(b, name, "entries of L per unknown, sparse LDLᵀ", c->entries, "");
    bench_row(b, name, "time per unknown, banded LU", 1e9 * c->band / c->unknowns, "ns");
    bench_row(b, name, "time per unknown, sparse LDLᵀ", 1e9 * c->sparse / c->unknowns, "ns");
    bench_row(b, name, "banded LU over sparse LDLᵀ", c->band / c->sparse, "");
    bench_row(b, name, "residual, banded LU", c->band_residual, "");
    bench_bar(b, name, "residual, sparse LDLᵀ", c->sparse_residual, "", 1e-10);
}

/* The exponent of growth between two sizes. */
static double exponent(const cost *from, const cost *to, bool sparse)
{
    double time = sparse ? to->sparse / from->sparse : to->band / from->band;
    return log(time) / log((double)to->unknowns / from->unknowns);
}

void bench_ordering(bench *b)
{
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
        const layout *l = layouts + k;
        cost costs[SIZES];
        int sizes = bench_quick(b) ? SIZES - 2 : SIZES;
        bool ok = true;
        for (int i = 0; ok && i < sizes; i++) {
            cord_world *world = NULL;
            cord_status status = prepare(l->ropes[i], l->vertices[i], &world);
            if (status == CORD_OK) status = compare(world, &costs[i]);
            ok = bench_ok(b, world, status, l->name);
            if (ok) list_cost(b, l->name, &costs[i]);
            cord_world_destroy(world);
        }
        if (!ok) continue;
        const cost *from = costs + sizes / 2 - 1, *to = costs + sizes - 1;
        double growth = exponent(from, to, true);
        bench_row(b, l->name, "exponent of growth, banded LU", exponent(from, to, false), "");
        if (l->grows_linearly)
            bench_bar(b, l->name, "exponent of growth, sparse LDLᵀ", growth, "", 1.2);
        else
            bench_row(b, l->name, "exponent of growth, sparse LDLᵀ", growth, "");
    }
}
