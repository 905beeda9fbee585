#include "math/memory.h"
#include "support/failing_allocator.h"
#include "support/test.h"

#include <string.h>

typedef struct fixture {
    failing_allocator heap;
    memory m;
} fixture;

static void begin(fixture *f, int fail_at)
{
    f->heap = (failing_allocator){.fail_at = fail_at};
    cord_allocator ops = failing_allocator_ops(&f->heap);
    cord__memory_init(&f->m, &ops);
}

static bool all_bytes(const void *p, unsigned char value, size_t count)
{
    const unsigned char *bytes = p;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != value) return false;
    }
    return true;
}

static void test_starts_empty(void **state)
{
    (void)state;
    memory m;
    memset(&m, 0xff, sizeof m);
    cord__memory_init(&m, NULL);
    assert_int_equal(m.calls, 0);
    assert_int_equal(m.bytes, 0);
    assert_non_null(m.allocator.resize);
}

static void test_default_allocator(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, &(cord_allocator){0}); /* no function: as if none were given */
    double *p = NEW(&m, double, 1000);
    assert_non_null(p);
    assert_true(all_bytes(p, 0, 1000 * sizeof *p));
    cord__release(&m, p);
    assert_int_equal(m.bytes, 0);
}

static void test_counts_calls_and_bytes(void **state)
{
    (void)state;
    fixture f;
    begin(&f, -1);
    double *a = NEW(&f.m, double, 10);
    char *b = NEW(&f.m, char, 3);
    assert_int_equal(f.m.bytes, 83);
    assert_int_equal(f.m.calls, 2);

    a = cord__reallocate(&f.m, a, 20, sizeof *a);
    assert_int_equal(f.m.bytes, 163);
    assert_int_equal(f.m.calls, 3);
    a = cord__reallocate(&f.m, a, 5, sizeof *a);
    assert_int_equal(f.m.bytes, 43);
    assert_int_equal(f.m.calls, 4);

    cord__release(&f.m, a);
    assert_int_equal(f.m.bytes, 3);
    cord__release(&f.m, b);
    assert_int_equal(f.m.bytes, 0);
    assert_int_equal(f.m.calls, 4); /* frees are not counted */
    assert_int_equal(f.heap.calls, 4);
    assert_int_equal(f.heap.live, 0);
}

static void test_new_memory_is_zero_and_aligned(void **state)
{
    (void)state;
    fixture f;
    begin(&f, -1);
    for (size_t size = 1; size < 500; size += 7) {
        char *p = cord__allocate(&f.m, size, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_true(all_bytes(p, 0, size));
        cord__release(&f.m, p);
    }
}

static void test_growing_keeps_and_zeroes(void **state)
{
    (void)state;
    fixture f;
    begin(&f, -1);
    char *p = NEW(&f.m, char, 100);
    memset(p, 7, 100);
    p = cord__reallocate(&f.m, p, 5000, 1);
    assert_true(all_bytes(p, 7, 100));
    assert_true(all_bytes(p + 100, 0, 4900));

    /* Truncated contents are not restored. */
    memset(p, 9, 5000);
    p = cord__reallocate(&f.m, p, 50, 1);
    p = cord__reallocate(&f.m, p, 5000, 1);
    assert_true(all_bytes(p, 9, 50));
    assert_true(all_bytes(p + 50, 0, 4950));
    cord__release(&f.m, p);
    assert_int_equal(f.heap.live, 0);
}

static void test_nothing_is_still_a_piece(void **state)
{
    (void)state;
    fixture f;
    begin(&f, -1);
    void *p = cord__allocate(&f.m, 0, sizeof(double));
    void *q = cord__allocate(&f.m, 4, 0);
    assert_non_null(p);
    assert_non_null(q);
    assert_ptr_not_equal(p, q);
    assert_int_equal(f.m.bytes, 0);

    /* Growing from nothing, and shrinking to it. */
    p = cord__reallocate(&f.m, p, 8, 1);
    assert_true(all_bytes(p, 0, 8));
    p = cord__reallocate(&f.m, p, 0, 1);
    assert_non_null(p);
    assert_int_equal(f.m.bytes, 0);

    cord__release(&f.m, p);
    cord__release(&f.m, q);
    cord__release(&f.m, NULL);
    assert_int_equal(f.heap.live, 0);
}

static void test_failure_leaves_everything(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 1);
    char *p = cord__copy_string(&f.m, "hemp");
    assert_null(cord__reallocate(&f.m, p, 1000, 1));
    assert_true(f.heap.failed);
    assert_string_equal(p, "hemp");
    assert_int_equal(f.m.bytes, 5);

    p = cord__reallocate(&f.m, p, 1000, 1); /* and then there is memory again */
    assert_string_equal(p, "hemp");
    cord__release(&f.m, p);
    assert_int_equal(f.m.bytes, 0);
    assert_int_equal(f.heap.live, 0);
}

static void test_every_kind_of_allocation_can_fail(void **state)
{
    (void)state;
    const double three[3] = {1, 2, 3};
    fixture f;
    begin(&f, 0);
    assert_null(cord__allocate(&f.m, 1, 1));
    f.heap.fail_at = 1;
    assert_null(cord__copy(&f.m, three, 3, sizeof *three));
    f.heap.fail_at = 2;
    assert_null(cord__copy_string(&f.m, "jute"));
    assert_int_equal(f.m.bytes, 0);
    assert_int_equal(f.heap.live, 0);
}

static void test_overflow_is_refused(void **state)
{
    (void)state;
    fixture f;
    begin(&f, -1);
    assert_null(cord__allocate(&f.m, SIZE_MAX, 2));
    assert_null(cord__allocate(&f.m, SIZE_MAX / 8 + 1, 8)); /* the product wraps to a small one */
    assert_null(cord__allocate(&f.m, SIZE_MAX, 1));         /* wraps with the header only */
    assert_null(cord__allocate(&f.m, 2, SIZE_MAX / 2));

    char *p = NEW(&f.m, char, 4);
    assert_null(cord__reallocate(&f.m, p, SIZE_MAX / 4 + 2, 4));
    assert_int_equal(f.m.bytes, 4);
    cord__release(&f.m, p);
    assert_int_equal(f.heap.calls, 1); /* the others never reached the allocator */
    assert_int_equal(f.heap.live, 0);
}

static void test_copies(void **state)
{
    (void)state;
    fixture f;
    begin(&f, -1);
    const double three[3] = {1, -2, 3};
    double *copy = cord__copy(&f.m, three, 3, sizeof *three);
    assert_ptr_not_equal(copy, three);
    assert_all_close(copy, three, 3, 0);
    char *text = cord__copy_string(&f.m, "sisal");
    assert_string_equal(text, "sisal");
    char *empty = cord__copy_string(&f.m, "");
    assert_string_equal(empty, "");
    double *zeros = cord__copy(&f.m, NULL, 3, sizeof *zeros); /* nothing to copy: zeros */
    assert_true(all_bytes(zeros, 0, 3 * sizeof *zeros));
    cord__release(&f.m, zeros);
    cord__release(&f.m, empty);
    cord__release(&f.m, text);
    cord__release(&f.m, copy);
    assert_int_equal(f.m.bytes, 0);
    assert_int_equal(f.heap.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_empty),
        cmocka_unit_test(test_default_allocator),
        cmocka_unit_test(test_counts_calls_and_bytes),
        cmocka_unit_test(test_new_memory_is_zero_and_aligned),
        cmocka_unit_test(test_growing_keeps_and_zeroes),
        cmocka_unit_test(test_nothing_is_still_a_piece),
        cmocka_unit_test(test_failure_leaves_everything),
        cmocka_unit_test(test_every_kind_of_allocation_can_fail),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
