/* The O(1) renumbering of sliding rows [MICADO 2008, sec. 7.1]. A straight rope, a spline of two spans
 * per keyhole, moves lengthwise through its keyholes until each has crossed an element boundary.
 * The reverse Cuthill-McKee order is computed once. After every step the multipliers and the
 * coordinate of each keyhole that has crossed are moved to the middle of the unknowns they couple
 * now. At the end this order is compared with a new one.
 *
 * Unlike the paper, the graph has all unknowns that a constraint couples, not one per point. */
#include "bench/baselines/cuthill_mckee.h"
#include "bench/baselines/sliding_order.h"
#include "bench/constraints/constraints.h"
#include "bench/constraints/trial.h"

#include "math/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 4, ROWS = 3, MOST_NEIGHBOURS = 64 };
static const int sizes[SIZES] = {30, 100, 300, 1000};

/* The unknowns of a keyhole, and those of the strand that they couple. */
typedef struct keyhole {
    int unknown[ROWS + 1];
    int neighbours, neighbour[MOST_NEIGHBOURS];
} keyhole;

typedef struct renumbering {
    cord_world *world;
    int unknowns, holes;
    keyhole *hole;
    int *order, *inverse;
    int crossings, written; /* positions of the order */
    int start_width, width; /* half-bandwidth at the start; the largest after renumbering */
    double renumbered;      /* s, of all crossings */
} renumbering;

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void add_neighbour(keyhole *k, int unknown)
{
    for (int i = 0; i < k->neighbours; i++)
        if (k->neighbour[i] == unknown) return;
    if (k->neighbours < MOST_NEIGHBOURS) k->neighbour[k->neighbours++] = unknown;
}

/* The keyholes of a matrix: the rows of each, its coordinate (a block of one degree of freedom), and
 * the other unknowns in these rows. */
static cord_status read_keyholes(const renumbering *n, const cluster_matrix *x, memory *m,
                                 keyhole *hole)
{
    const problem *p = &n->world->problem;
    size_t entries = 2 * (size_t)x->entries;
    int *start = NEW(m, int, x->unknowns), *degree = NEW(m, int, x->unknowns),
        *mark = NEW(m, int, x->unknowns), *list = NEW(m, int, entries);
    bool room = start && degree && mark && list;
    if (room)
        cord__graph_adjacency(x->unknowns, x->entries, x->row, x->col, start, degree, list, mark);
    for (int k = 0; room && k < n->holes; k++) {
        keyhole *h = &hole[k];
        const constraint *c = p->constraint[k];
        h->neighbours = 0;
        for (int r = 0; r < ROWS; r++) {
            int row = h->unknown[r] = c->term.row0 + r;
            for (int e = start[row]; e < start[row] + degree[row]; e++) {
                int u = list[e];
                if (x->kind[u] == UNKNOWN_CONSTRAINT_ROW) continue;
                if (p->block[x->block[u]]->shape.dofs == 1)
                    h->unknown[ROWS] = u;
                else
                    add_neighbour(h, u);
            }
        }
        qsort(h->neighbour, (size_t)h->neighbours, sizeof(int), compare);
    }
    cord__release(m, start);
    cord__release(m, degree);
    cord__release(m, mark);
    cord__release(m, list);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}

static bool has_crossed(const keyhole *before, const keyhole *after)
{
    return before->neighbours != after->neighbours ||
           memcmp(before->neighbour, after->neighbour, (size_t)after->neighbours * sizeof(int)) !=
               0;
}

/* Renumbers the keyholes that have crossed since the last call. The time includes the search for
 * them. */
static void renumber(renumbering *n, const keyhole *now)
{
    int before = n->crossings;
    double start = bench_processor_time();
    for (int k = 0; k < n->holes; k++) {
        const keyhole *h = &now[k];
        if (!has_crossed(&n->hole[k], h)) continue;
        n->written += cord__renumber_sliding(ROWS + 1, h->unknown, h->neighbours, h->neighbour,
                                             n->order, n->inverse);
        n->crossings++;
    }
    if (n->crossings > before) n->renumbered += bench_processor_time() - start;
    memcpy(n->hole, now, (size_t)n->holes * sizeof *now);
}

/* Reads the matrix of the world as it is now, and renumbers; the first time it takes the order. */
static cord_status follow(renumbering *n, bool first)
{
    cluster_matrix x;
    memory m;
    cord__memory_init(&m, NULL);
    cord_status status = cord__matrix_read(&x, &m, &n->world->problem, n->world->partition.cluster);
    keyhole *now = status == CORD_OK ? NEW(&m, keyhole, n->holes) : NULL;
    if (status == CORD_OK) status = now ? read_keyholes(n, &x, &m, now) : CORD_ERROR_MEMORY;
    if (status == CORD_OK && !first && x.unknowns != n->unknowns) status = CORD_ERROR_UNSUPPORTED;
    if (status == CORD_OK && first) {
        n->unknowns = x.unknowns;
        n->order = malloc((size_t)x.unknowns * sizeof *n->order);
        n->inverse = malloc((size_t)x.unknowns * sizeof *n->inverse);
        if (!n->order || !n->inverse) status = CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK && first) {
        memcpy(n->order, x.order[ORDER_CUTHILL_MCKEE], (size_t)x.unknowns * sizeof *n->order);
        memcpy(n->inverse, x.inverse[ORDER_CUTHILL_MCKEE], (size_t)x.unknowns * sizeof *n->inverse);
        memcpy(n->hole, now, (size_t)n->holes * sizeof *now);
        n->start_width = x.half_bandwidth[ORDER_CUTHILL_MCKEE];
    }
    if (status == CORD_OK) {
        renumber(n, now);
        int width = cord__half_bandwidth(x.entries, x.row, x.col, n->inverse);
        if (width > n->width) n->width = width;
    }
    cord__release(&m, now);
    cord__matrix_free(&x, &m);
    return status;
}

/* A rope that moves along x at 1 m/s through its keyholes, 10 cm apart. */
static cord_status make(renumbering *n, tied *t)
{
    double length = 0.1 * (n->holes + 1), from[3] = {0}, to[3] = {length, 0, 0};
    int spans = 2 * n->holes + 2;
    cord_strand rope = tied_line(t, spans + 3, from, to, 5e-3);
    for (int i = 0; t->status == CORD_OK && i < n->holes; i++) {
        double at[3] = {length * (i + 0.75) / (n->holes + 1), 0, 0};
        tied_constrain(t, CORD_COINCIDE, tied_sliding(t, rope, at[0]), tied_point(t, at));
    }
    double *v = calloc(3 * (size_t)(spans + 1), sizeof *v);
    for (int i = 0; v && i <= spans; i++) v[3 * i] = 1;
    if (!v) t->status = CORD_ERROR_MEMORY;
    if (t->status == CORD_OK) t->status = cord_strand_set_velocities(t->world, rope, v);
    free(v);
    n->world = t->world;
    return t->status;
}

/* Over the length of one span, 50 mm, so that each keyhole crosses once. */
static cord_status run(renumbering *n, tied *t)
{
    enum { STEPS = 10 };
    cord_status status = make(n, t);
    n->hole = calloc((size_t)n->holes, sizeof *n->hole);
    if (!n->hole) status = CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i <= STEPS; i++) {
        status = cord_world_step(n->world, 5e-3);
        if (status == CORD_OK) status = follow(n, i == 0);
    }
    return status;
}

static double time_order(const cluster_matrix *x, memory *m)
{
    double best = INFINITY;
    int *order = NEW(m, int, x->unknowns);
    for (int i = 0; order && i < 5; i++) {
        double start = bench_processor_time();
        if (cord__cuthill_mckee(m, x->unknowns, x->entries, x->row, x->col, order) != CORD_OK)
            break;
        best = fmin(best, bench_processor_time() - start);
    }
    cord__release(m, order);
    return best;
}

static cord_status list(bench *b, const renumbering *n)
{
    trial t;
    cord_status status = trial_make(n->world, &t);
    const char *name = bench_text(b, "keyholes n=%d", n->unknowns);
    if (status == CORD_OK) {
        int width = t.width;
        double anew = trial_time(&t, trial_solve_band);
        double sparse = trial_time(&t, trial_solve_sparse);
        double ordering = time_order(&t.x, &t.mem);
        status = trial_set_order(&t, n->inverse);
        double kept = status == CORD_OK ? trial_time(&t, trial_solve_band) : NAN;
        bench_row(b, name, "keyholes that crossed an element boundary", n->crossings, "");
        bench_row(b, name, "half-bandwidth, Cuthill-McKee at the start", n->start_width, "");
        bench_row(b, name, "half-bandwidth, new Cuthill-McKee order", width, "");
        bench_bar(b, name, "half-bandwidth, renumbered, at most", n->width, "", 2 * width);
        bench_row(b, name, "time of a new order", 1e6 * ordering, "us");
        bench_row(b, name, "time to renumber a keyhole", 1e6 * n->renumbered / n->crossings, "us");
        bench_bar(b, name, "positions written per keyhole", (double)n->written / n->crossings, "",
                  (ROWS + 1) * width);
        bench_row(b, name, "time per unknown, banded LU, new order", 1e9 * anew / n->unknowns,
                  "ns");
        bench_row(b, name, "time per unknown, banded LU, renumbered", 1e9 * kept / n->unknowns,
                  "ns");
        bench_row(b, name, "time per unknown, sparse LDLᵀ", 1e9 * sparse / n->unknowns, "ns");
        bench_bar(b, name, "residual, banded LU, renumbered", trial_residual(&t), "", 1e-10);
    }
    trial_free(&t);
    return status;
}

void bench_renumbering(bench *b)
{
    int count = bench_quick(b) ? SIZES - 1 : SIZES;
    for (int i = 0; i < count; i++) {
        renumbering n = {.holes = sizes[i]};
        tied t = tied_begin(CORD_MODEL_SPLINE);
        cord_status status = run(&n, &t);
        if (status == CORD_OK) status = list(b, &n);
        bench_ok(b, t.world, status, "keyholes");
        free(n.hole);
        free(n.order);
        free(n.inverse);
        cord_world_destroy(t.world);
    }
}
