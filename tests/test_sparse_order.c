#include "math/sparse_ldl.h"
#include "support/failing_allocator.h"
#include "support/test.h"

enum { SIDE = 12, NODES = SIDE * SIDE, MAX_EDGES = 3 * NODES };

static int grid(int *a, int *b)
{
    int edges = 0;
    for (int i = 0; i < NODES; i++) {
        a[edges] = i, b[edges++] = i; /* a loop */
        if (i % SIDE) a[edges] = i, b[edges++] = i - 1;
        if (i >= SIDE) a[edges] = i - SIDE, b[edges++] = i;
    }
    return edges;
}

static size_t fill_of(memory *m, int edges, const int *a, const int *b, const int *order)
{
    sparse_ldl f;
    int slot[2 * MAX_EDGES];
    assert_int_equal(cord__sparse_analyse(&f, m, NODES, edges, a, b, order, slot), CORD_OK);
    size_t fill = f.nonzeros;
    cord__sparse_free(&f, m);
    return fill;
}

/* A grid's fill is about SIDE³ in the natural order and well under that by minimum degree; loops
 * and repeated edges change nothing. */
static void grid_gets_little_fill(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int a[2 * MAX_EDGES], b[2 * MAX_EDGES], order[NODES], again[NODES], seen[NODES] = {0};
    int edges = grid(a, b);
    assert_int_equal(cord__minimum_degree_order(&m, NODES, edges, a, b, order), CORD_OK);
    for (int i = 0; i < NODES; i++) seen[order[i]]++;
    for (int i = 0; i < NODES; i++) assert_int_equal(seen[i], 1);
    assert_true(fill_of(&m, edges, a, b, order) * 3 < fill_of(&m, edges, a, b, NULL) * 2);
    for (int e = 0; e < edges; e++) a[edges + e] = b[e], b[edges + e] = a[e];
    assert_int_equal(cord__minimum_degree_order(&m, NODES, 2 * edges, a, b, again), CORD_OK);
    assert_memory_equal(order, again, sizeof order);
    assert_int_equal(m.bytes, 0);
}

static void hub_comes_late(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int a[NODES], b[NODES], order[NODES];
    for (int i = 0; i + 1 < NODES; i++) a[i] = 5, b[i] = i < 5 ? i : i + 1;
    assert_int_equal(cord__minimum_degree_order(&m, NODES, NODES - 1, a, b, order), CORD_OK);
    assert_true(order[NODES - 1] == 5 || order[NODES - 2] == 5);
}

static void small_and_wrong_input(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int order[3], a[] = {3}, b[] = {0};
    assert_int_equal(cord__minimum_degree_order(&m, 0, 0, NULL, NULL, order), CORD_OK);
    assert_int_equal(cord__minimum_degree_order(&m, 3, 0, NULL, NULL, order), CORD_OK);
    assert_int_equal(order[0] + order[1] + order[2], 3);
    assert_int_equal(cord__minimum_degree_order(&m, 3, 1, a, b, order), CORD_ERROR_ARGUMENT);
}

static void failed_allocations_leak_nothing(void **state)
{
    (void)state;
    int a[] = {0, 1}, b[] = {1, 2}, order[3];
    for (int k = 0; k < 3; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&heap);
        memory m;
        cord__memory_init(&m, &ops);
        cord_status status = cord__minimum_degree_order(&m, 3, 2, a, b, order);
        assert_int_equal(status, k < 2 ? CORD_ERROR_MEMORY : CORD_OK);
        assert_int_equal(heap.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_gets_little_fill),
        cmocka_unit_test(hub_comes_late),
        cmocka_unit_test(small_and_wrong_input),
        cmocka_unit_test(failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
