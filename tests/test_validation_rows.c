/* A row of the validation fails when its measurement is out of bounds, and when its bound cannot be missed. */
#include "support/test.h"
#include "validation/context.h"

#include <math.h>

static bool last_passes(const validation *v)
{
    return v->rows[v->row_count - 1].passed;
}

static void bounds_decide(void **unused)
{
    (void)unused;
    validation v = {0};
    validation_row(&v, "a", "b", 1.1, 1, 0.2), assert_true(last_passes(&v));
    validation_row(&v, "a", "b", 1.3, 1, 0.2), assert_false(last_passes(&v));
    validation_row_below(&v, "a", "b", 1, 2), assert_true(last_passes(&v));
    validation_row_below(&v, "a", "b", 3, 2), assert_false(last_passes(&v));
    validation_row_above(&v, "a", "b", 3, 2), assert_true(last_passes(&v));
    validation_row_above(&v, "a", "b", NAN, 2), assert_false(last_passes(&v));
    validation_free(&v);
}

static void bounds_that_cannot_fail_are_refused(void **unused)
{
    (void)unused;
    validation v = {0};
    validation_row_below(&v, "a", "b", 1, INFINITY), assert_false(last_passes(&v));
    validation_row_below(&v, "a", "b", 1, 1e30), assert_false(last_passes(&v));
    validation_row_above(&v, "a", "b", 1, -INFINITY), assert_false(last_passes(&v));
    validation_row_above(&v, "a", "b", 1, -1e30), assert_false(last_passes(&v));
    validation_row(&v, "a", "b", 1, 1, INFINITY), assert_false(last_passes(&v));
    validation_row(&v, "a", "b", 1, 1, NAN), assert_false(last_passes(&v));
    assert_non_null(v.rows[v.row_count - 1].message);
    assert_false(validation_passed(&v));
    validation_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_decide),
        cmocka_unit_test(bounds_that_cannot_fail_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
