/* The banded LU with pivoting against a dense solver, on matrices that need it. */
#include "bench/baselines/band_lu.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>

static void solves(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int width = 0; width <= 12; width = 2 * width + 1)
        for (int n = 1; n <= 60; n = 2 * n + 1) {
            /* Allocated to the exact byte, so that the sanitizer detects any access beyond. */
            double *a = calloc(band_lu_size(n, width), sizeof *a);
            double *dense = calloc((size_t)(n * n), sizeof *dense);
            double *b = malloc((size_t)n * sizeof *b), *x = malloc((size_t)n * sizeof *x);
            int *pivot = malloc((size_t)n * sizeof *pivot);
            assert_true(a && dense && b && x && pivot);
            for (int i = 0; i < n; i++) {
                x[i] = random_number(&random);
                for (int j = i - width; j <= i + width; j++) {
                    if (j < 0 || j >= n) continue;
                    double value = random_number(&random);
                    if (j == i) value = i % 3 == 1 && width && n > 1 ? 0 : 3 + value;
                    a[band_lu_at(width, i, j)] = dense[i * n + j] = value;
                }
            }
            for (int i = 0; i < n; i++) {
                b[i] = 0;
                for (int j = 0; j < n; j++) b[i] += dense[i * n + j] * x[j];
            }
            assert_int_equal(cord__band_lu_factor(n, width, a, pivot), -1);
            cord__band_lu_solve(n, width, a, pivot, b);
            assert_all_close(b, x, n, 1e-9);
            free(a), free(dense), free(b), free(x), free(pivot);
        }
}

static void names_the_column_without_a_pivot(void **state)
{
    (void)state;
    double a[3 * 4] = {0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0}; /* rows 110, 111, 011: regular */
    double zero[3 * 4] = {0, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0};
    int pivot[3];
    assert_int_equal(cord__band_lu_factor(3, 1, a, pivot), -1);
    assert_int_equal(cord__band_lu_factor(3, 1, zero, pivot), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves),
        cmocka_unit_test(names_the_column_without_a_pivot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
