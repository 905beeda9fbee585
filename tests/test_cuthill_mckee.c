/* Reverse Cuthill-McKee orders, bandwidths and fill of graphs whose answers are known. */
#include "bench/baselines/cuthill_mckee.h"
#include "bench/baselines/sliding_order.h"
#include "math/sparse_ldl.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/test.h"

enum { MOST = 400, MOST_EDGES = 4 * MOST };

typedef struct graph {
    int n, edges, a[MOST_EDGES], b[MOST_EDGES];
} graph;

static void join(graph *g, int a, int b)
{
    g->a[g->edges] = a, g->b[g->edges++] = b;
}

static void shuffle(graph *g, uint64_t *random)
{
    int name[MOST];
    for (int i = 0; i < g->n; i++) {
        int j = random_below(random, i + 1);
        name[i] = name[j], name[j] = i;
    }
    for (int e = 0; e < g->edges; e++) g->a[e] = name[g->a[e]], g->b[e] = name[g->b[e]];
}

/* Orders the graph; checks that the result is a permutation and is reproducible; returns the
 * bandwidth. */
static int bandwidth(const graph *g)
{
    memory m;
    cord__memory_init(&m, NULL);
    int order[MOST], again[MOST], place[MOST];
    assert_int_equal(cord__cuthill_mckee(&m, g->n, g->edges, g->a, g->b, order), CORD_OK);
    assert_int_equal(cord__cuthill_mckee(&m, g->n, g->edges, g->b, g->a, again), CORD_OK);
    assert_memory_equal(order, again, (size_t)g->n * sizeof *order);
    for (int i = 0; i < g->n; i++) place[i] = -1;
    for (int i = 0; i < g->n; i++) {
        assert_in_range(order[i], 0, g->n - 1);
        assert_int_equal(place[order[i]], -1);
        place[order[i]] = i;
    }
    assert_int_equal(m.bytes, 0);
    return cord__half_bandwidth(g->edges, g->a, g->b, place);
}

static void paths_and_rings(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int n = 1; n <= 200; n += 1 + n / 2)
        for (int ring = 0; ring < 2; ring++)
            for (int trial = 0; trial < 5; trial++) {
                graph g = {.n = n};
                for (int i = 0; i + 1 < n; i++) join(&g, i, i + 1);
                if (ring && n > 2) join(&g, n - 1, 0);
                if (trial) shuffle(&g, &random);
                int given = cord__half_bandwidth(g.edges, g.a, g.b, NULL), found = bandwidth(&g);
                assert_true(found <= given);
                assert_int_equal(found, n < 2 ? 0 : ring && n > 2 ? 2 : 1);
            }
}

/* A grid of 8 × 25 has a bandwidth of 8 at best, and this method finds little more. */
static void grids(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int trial = 0; trial < 5; trial++) {
        graph g = {.n = 200};
        for (int i = 0; i < g.n; i++) {
            join(&g, i, i); /* a loop */
            if (i % 8) join(&g, i, i - 1);
            if (i >= 8) join(&g, i - 8, i), join(&g, i, i - 8);
        }
        if (trial) shuffle(&g, &random);
        assert_in_range(bandwidth(&g), 8, 10);
    }
}

static void stars(void **state)
{
    (void)state;
    graph g = {.n = 41};
    for (int i = 0; i < 41; i++)
        if (i != 7) join(&g, 7, i);
    /* From a tip: the hub is next to it, at one end. */
    assert_int_equal(bandwidth(&g), 39);
}

static void pieces_stay_apart(void **state)
{
    (void)state;
    uint64_t random = 5;
    graph g = {.n = 300};
    for (int piece = 0; piece < 3; piece++)
        for (int i = 0; i < 80; i++) join(&g, 100 * piece + i, 100 * piece + i + 1);
    shuffle(&g, &random);
    assert_int_equal(bandwidth(&g), 1);
    graph none = {.n = 5};
    assert_int_equal(bandwidth(&none), 0);
    graph empty = {0};
    assert_int_equal(bandwidth(&empty), 0);
}

/* The symbolic count of the fill is that of the factorisation. */
static void random_graphs(void **state)
{
    (void)state;
    uint64_t random = 6;
    memory m;
    cord__memory_init(&m, NULL);
    for (int trial = 0; trial < 40; trial++) {
        graph g = {.n = 10 + 4 * trial};
        for (int e = 0; e < 2 * g.n; e++) {
            int a = random_below(&random, g.n);
            int b = (a + 1 + random_below(&random, 8)) % g.n;
            join(&g, a, b);
        }
        shuffle(&g, &random);
        int given = cord__half_bandwidth(g.edges, g.a, g.b, NULL);
        assert_true(bandwidth(&g) <= given);
        int order[MOST], slot[MOST_EDGES];
        size_t count = 0;
        sparse_ldl f;
        assert_int_equal(cord__cuthill_mckee(&m, g.n, g.edges, g.a, g.b, order), CORD_OK);
        assert_int_equal(cord__factor_entries(&m, g.n, g.edges, g.a, g.b, order, &count), CORD_OK);
        assert_int_equal(cord__sparse_analyse(&f, &m, g.n, g.edges, g.a, g.b, order, slot),
                         CORD_OK);
        assert_int_equal(count, f.nonzeros);
        cord__sparse_free(&f, &m);
    }
    assert_int_equal(m.bytes, 0);
}

/* Rows that slide along a path, each coupled to three neighbouring nodes, stay in the middle of these: the bandwidth
 * stays small, the order remains a permutation, and the cost of a move does not depend on the length of the path. */
static void sliding_rows_are_renumbered(void **state)
{
    (void)state;
    int most[2] = {0};
    for (int size = 0; size < 2; size++) {
        int nodes = size ? 360 : 60, rows = 4;
        graph g = {.n = nodes + rows};
        int order[MOST], place[MOST];
        memory m;
        cord__memory_init(&m, NULL);
        for (int i = 0; i + 1 < nodes; i++) join(&g, i, i + 1);
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < 3; k++) join(&g, nodes + r, 10 * r + k);
        assert_int_equal(cord__cuthill_mckee(&m, g.n, g.edges, g.a, g.b, order), CORD_OK);
        for (int i = 0; i < g.n; i++) place[order[i]] = i;
        for (int step = 1; step < 25; step++) {
            for (int r = 0; r < rows; r++) {
                int row = nodes + r, near[3], *at = g.b + nodes - 1 + 3 * r;
                for (int k = 0; k < 3; k++) near[k] = at[k] = 10 * r + step + k;
                int written = cord__renumber_sliding(1, &row, 3, near, order, place);
                most[size] = written > most[size] ? written : most[size];
            }
            assert_in_range(cord__half_bandwidth(g.edges, g.a, g.b, place), 2, 4);
        }
        for (int i = 0; i < g.n; i++) assert_int_equal(place[order[i]], i);
    }
    assert_int_equal(most[0], most[1]);
    assert_in_range(most[0], 2, 5);
}

static void wrong_input_and_no_memory(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int a[] = {0, 1}, b[] = {1, 3}, order[4];
    size_t count;
    assert_int_equal(cord__cuthill_mckee(&m, 3, 2, a, b, order), CORD_ERROR_ARGUMENT);
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&heap);
        cord__memory_init(&m, &ops);
        cord_status status = cord__cuthill_mckee(&m, 4, 2, a, b, order);
        if (status == CORD_OK) status = cord__factor_entries(&m, 4, 2, a, b, order, &count);
        assert_int_equal(heap.live, 0);
        if (!heap.failed) break;
        assert_int_equal(status, CORD_ERROR_MEMORY);
    }
    assert_int_equal(count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_and_rings),
        cmocka_unit_test(grids),
        cmocka_unit_test(stars),
        cmocka_unit_test(pieces_stay_apart),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(wrong_input_and_no_memory),
        cmocka_unit_test(sliding_rows_are_renumbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
