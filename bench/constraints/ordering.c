/* Factorisation and solution of one system of ropes coupled by distance constraints, in two ways:
 *
 * - reverse Cuthill-McKee, then banded LU with partial pivoting [MICADO 2008, sec. 7.1];
 * - the order of Cordage, then sparse LDLᵀ without pivoting.
 *
 * With sliding constraints: renumbering.c.
 *
 * The matrix is that of a step, the same for both. Times include the assembly of the values but not
 * the ordering, which is computed once. The banded LU is unblocked. It skips zeros in the column it
 * eliminates, not in rows.
 *
 * Parallel ropes lie side by side, clamped at one end, as discrete rods with edges of 5 cm, and
 * every second vertex has a distance constraint to its neighbour: four ropes of increasing length
 * (bridge), increasing numbers of ropes of nine vertices (chain), and as many ropes as vertices
 * (net). */
#include "bench/constraints/constraints.h"
#include "bench/constraints/trial.h"

#include <math.h>
#include <stdlib.h>

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

static cord_status compare(cord_world *w, cost *c)
{
    trial t;
    cord_status status = trial_make(w, &t);
    if (status == CORD_OK) {
        *c = (cost){.unknowns = t.x.unknowns, .half_bandwidth = t.width};
        c->entries = (double)t.x.factor_entries[ORDER_CHOSEN] / t.x.unknowns;
        c->sparse = trial_time(&t, trial_solve_sparse);
        c->sparse_residual = trial_residual(&t);
        c->band = trial_time(&t, trial_solve_band);
        c->band_residual = trial_residual(&t);
    }
    trial_free(&t);
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
    bench_renumbering(b);
}
