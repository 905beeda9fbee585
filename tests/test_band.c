/* The banded LDLᵀ against a dense solver, for every width the models use and some they do not. */
#include "math/band.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* A random band whose diagonal dominates, negative in every so many-th column; columns of a group end at the same row. */
static void fill(uint64_t *random, int n, int width, int group, int negatives, double *band,
                 double *dense)
{
    int stride = BAND_STRIDE(width);
    memset(band, 0, band_size(n, width) * sizeof *band);
    memset(dense, 0, (size_t)(n * n) * sizeof *dense);
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= width - j % group && j + k < n; k++) {
            double value = random_number(random);
            if (k == 0)
                value = (negatives && j % negatives == 1 ? -1 : 1) * (2.5 * width + 2 + value);
            band[(size_t)j * (size_t)stride + (size_t)k] = value;
            dense[(j + k) * n + j] = dense[j * n + j + k] = value;
        }
}

static void solves(void **unused)
{
    (void)unused;
    const int widths[] = {0, 1, 3, 5, 7, 8, 10, 11, 12, 13, 14, 15, 16, 20, 10, 12, 12};
    const int groups[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 5, 3};
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int n = 1; n <= 40; n = n < 4 ? n + 1 : 2 * n - 3)
            for (int negatives = 0; negatives <= 3; negatives += 3) {
                int width = widths[i], group = groups[i], count = -1, expected = 0;
                /* Allocated to the exact byte, so that the sanitizer detects any access beyond. */
                double *band = malloc(band_size(n, width) * sizeof *band);
                double *dense = malloc((size_t)(n * n) * sizeof *dense);
                double *b = calloc(band_vector_size(n, width), sizeof *b);
                double *x = malloc((size_t)n * sizeof *x);
                assert_true(band && dense && b && x);
                fill(&random, n, width, group, negatives, band, dense);
                random_vector(&random, n, b);
                memcpy(x, b, (size_t)n * sizeof *x);
                for (int j = 0; j < n; j++) expected += dense[j * n + j] < 0;
                dense_solve(n, dense, x);
                assert_int_equal(cord__band_factor(n, width, group, band, &count), -1);
                assert_int_equal(count, expected); /* dominant: the inertia of the diagonal */
                cord__band_solve(n, width, group, band, b);
                assert_all_close(b, x, n, 1e-14);
                for (size_t k = (size_t)n; k < band_vector_size(n, width); k++)
                    assert_close(b[k], 0, 0); /* the slack stays zero, for the next solve */
                free(band);
                free(dense);
                free(b);
                free(x);
            }
}

/* Right-hand sides in columns: each is solved as if alone. */
static void solves_many(void **unused)
{
    (void)unused;
    const int widths[] = {0, 3, 5, 8, 11, 12, 13, 20, 10, 12};
    const int groups[] = {1, 1, 1, 1, 1, 1, 1, 1, 4, 5};
    uint64_t random = 8;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int n = 1; n <= 40; n = n < 4 ? n + 1 : 2 * n - 3) {
            int width = widths[i], group = groups[i], count;
            size_t rows = band_vector_size(n, width);
            double *band = malloc(band_size(n, width) * sizeof *band);
            double *dense = malloc((size_t)(n * n) * sizeof *dense);
            double *many = calloc(BAND_LANES * rows, sizeof *many);
            double *b = calloc(BAND_LANES * rows, sizeof *b);
            assert_true(band && dense && many && b);
            fill(&random, n, width, group, 3, band, dense);
            assert_int_equal(cord__band_factor(n, width, group, band, &count), -1);
            for (int k = 0; k < BAND_LANES; k++) {
                double *column = b + (size_t)k * rows;
                random_vector(&random, n, column);
                for (int j = 0; j < n; j++) many[j * BAND_LANES + k] = column[j];
                cord__band_solve(n, width, group, band, column);
            }
            cord__band_solve_many(n, width, group, band, many);
            for (int k = 0; k < BAND_LANES; k++)
                for (size_t j = 0; j < rows; j++)
                    assert_close(many[j * BAND_LANES + (size_t)k], b[(size_t)k * rows + j], 1e-15);
            free(band);
            free(dense);
            free(many);
            free(b);
        }
}

static void names_the_bad_pivot(void **unused)
{
    (void)unused;
    const int widths[] = {5, 10, 12, 10, 12}, groups[] = {1, 1, 1, 4, 5};
    const double bad[] = {0, INFINITY, NAN};
    uint64_t random = 6;
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 3; k++) {
            enum { N = 20 };
            int width = widths[i], group = groups[i], count;
            double *band = malloc(band_size(N, width) * sizeof *band), dense[N * N];
            assert_non_null(band);
            fill(&random, N, width, group, 0, band, dense);
            /* Nothing before column 7 reaches it. */
            for (int j = 0; j < 7; j++)
                for (int r = 1; r <= width; r++) band[j * BAND_STRIDE(width) + r] = 0;
            band[7 * BAND_STRIDE(width)] = bad[k];
            assert_int_equal(cord__band_factor(N, width, group, band, &count), 7);
            free(band);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves),
        cmocka_unit_test(solves_many),
        cmocka_unit_test(names_the_bad_pivot),
    };
    return run_in_every_variant(tests);
}
