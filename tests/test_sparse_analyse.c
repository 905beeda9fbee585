#include "math/sparse_ldl.h"
#include "support/failing_allocator.h"
#include "support/test.h"

static void repeated_pairs_share_a_slot(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int row[] = {0, 2, 1, 1, 2, 0}, col[] = {2, 0, 1, 1, 1, 2}, slot[6];
    int order[] = {2, 1, 0};
    sparse_ldl f;
    assert_int_equal(cord__sparse_analyse(&f, &m, 3, 6, row, col, order, slot), CORD_OK);
    assert_int_equal(f.entries, 5);
    assert_int_equal(slot[0], slot[1]);
    assert_int_equal(slot[0], slot[5]);
    assert_int_equal(slot[2], f.diagonal[1]);
    assert_int_equal(slot[2], slot[3]);
    assert_int_not_equal(slot[4], slot[0]);
    cord__sparse_free(&f, &m);
}

/* 1 2 3 . . and a hub last: the arrow has no fill; the hub first fills everything. */
static void order_decides_the_fill(void **state)
{
    (void)state;
    enum { N = 30 };
    memory m;
    cord__memory_init(&m, NULL);
    int row[N], col[N], slot[N], order[N];
    for (int i = 0; i + 1 < N; i++) row[i] = 0, col[i] = i + 1;
    for (int i = 0; i < N; i++) order[i] = N - 1 - i;
    sparse_ldl f;
    assert_int_equal(cord__sparse_analyse(&f, &m, N, N - 1, row, col, order, slot), CORD_OK);
    assert_int_equal(f.nonzeros, N - 1);
    cord__sparse_free(&f, &m);
    assert_int_equal(cord__sparse_analyse(&f, &m, N, N - 1, row, col, NULL, slot), CORD_OK);
    assert_int_equal(f.nonzeros, N * (N - 1) / 2);
    assert_int_equal(f.supernodes, 1);
    cord__sparse_free(&f, &m);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int row[] = {0, 1}, col[] = {1, 2}, slot[2], twice[] = {0, 1, 1}, beyond[] = {0, 1, 3};
    sparse_ldl f;
    assert_int_equal(cord__sparse_analyse(&f, &m, 2, 2, row, col, NULL, slot), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__sparse_analyse(&f, &m, 3, 2, row, col, twice, slot),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__sparse_analyse(&f, &m, 3, 2, row, col, beyond, slot),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__sparse_analyse(&f, &m, -1, 0, row, col, NULL, slot),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(m.bytes, 0);
}

static void empty_system_is_fine(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    sparse_ldl f;
    assert_int_equal(cord__sparse_analyse(&f, &m, 0, 0, NULL, NULL, NULL, NULL), CORD_OK);
    cord__sparse_clear(&f);
    assert_int_equal(cord__sparse_factor(&f), CORD_OK);
    cord__sparse_solve(&f, NULL, NULL);
    cord__sparse_free(&f, &m);
    assert_int_equal(m.bytes, 0);
}

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    int row[] = {0, 1, 2, 3, 4, 5, 0}, col[] = {1, 2, 3, 4, 5, 6, 6}, slot[7];
    cord_status status = CORD_ERROR_MEMORY;
    int k = 0;
    for (; status != CORD_OK; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator ops = failing_allocator_ops(&heap);
        memory m;
        cord__memory_init(&m, &ops);
        sparse_ldl f;
        status = cord__sparse_analyse(&f, &m, 7, 7, row, col, NULL, slot);
        if (status == CORD_OK)
            cord__sparse_free(&f, &m);
        else
            assert_int_equal(status, CORD_ERROR_MEMORY);
        assert_int_equal(heap.live, 0);
        assert_int_equal(m.bytes, 0);
    }
    assert_true(k > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_pairs_share_a_slot),
        cmocka_unit_test(order_decides_the_fill),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(empty_system_is_fine),
        cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
