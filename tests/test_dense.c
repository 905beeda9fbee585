/* The dense LDLᵀ against a solver that pivots, for sizes that use every part of it. */
#include "math/dense.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* A random matrix whose diagonal dominates, every `negatives`-th entry of it negative; `full` by
 * rows. The upper triangle and the padding of `a` contain values that must not be modified. */
static void fill(uint64_t *random, int n, int stride, int negatives, double *a, double *full)
{
    for (int k = 0; k < n * stride; k++) a[k] = NAN;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double value = random_number(random);
            if (i == j) value = (negatives && j % negatives == 1 ? -1 : 1) * (1.5 * n + value);
            a[j * stride + i] = full[j * n + i] = full[i * n + j] = value;
        }
}

static void solves_one(uint64_t *random, int n, int stride, int negatives)
{
    /* To the byte, so that the sanitizer sees any step beyond. */
    size_t size = ((size_t)(n - 1) * (size_t)stride + (size_t)n);
    double *a = malloc((size_t)n * (size_t)stride * sizeof *a), *exact = malloc(size * sizeof *a);
    double *full = malloc((size_t)(n * n) * sizeof *full);
    double *b = malloc((size_t)n * sizeof *b), *x = malloc((size_t)n * sizeof *x);
    assert_true(a && exact && full && b && x);
    fill(random, n, stride, negatives, a, full);
    memcpy(exact, a, size * sizeof *a);
    random_vector(random, n, b);
    memcpy(x, b, (size_t)n * sizeof *x);
    int count = -1, expected = 0;
    for (int j = 0; j < n; j++) expected += full[j * n + j] < 0;
    dense_solve(n, full, x);
    assert_int_equal(cord__dense_factor(n, stride, exact, &count), -1);
    assert_int_equal(count, expected); /* dominant: the inertia of the diagonal */
    cord__dense_solve(n, stride, exact, b);
    assert_all_close(b, x, n, 1e-14);
    for (int j = 1; j < n; j++)
        for (int i = 0; i < j; i++) assert_true(isnan(exact[j * stride + i]));
    free(a);
    free(exact);
    free(full);
    free(b);
    free(x);
}

static void solves(void **unused)
{
    (void)unused;
    uint64_t random = 5;
    for (int n = 1; n <= 300; n += n < 30 ? 1 : 67) /* beyond CHUNK too */
        for (int negatives = 0; negatives <= 3; negatives += 3) {
            solves_one(&random, n, n, negatives);
            solves_one(&random, n, DENSE_STRIDE(n), negatives);
        }
    solves_one(&random, 261, 263, 3);
    solves_one(&random, 524, 524, 2);
}

/* The Hilbert matrix's pivots are known: D_j = (j!)⁴ / ((2j)! (2j + 1)!). */
static void closed_form(void **unused)
{
    (void)unused;
    enum { N = 6 };
    double a[N * N], factorial[2 * N] = {1};
    int negative;
    for (int k = 1; k < 2 * N; k++) factorial[k] = k * factorial[k - 1];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) a[j * N + i] = 1.0 / (i + j + 1);
    assert_int_equal(cord__dense_factor(N, N, a, &negative), -1);
    assert_int_equal(negative, 0);
    for (int j = 0; j < N; j++) {
        double expected = pow(factorial[j], 4) / (factorial[2 * j] * factorial[2 * j + 1]);
        /* Pivots lose as many digits as the condition of the leading block: 1.5e7 at last. */
        assert_close(a[j * N + j] / expected, 1, 1e-9);
    }
}

static void names_the_bad_pivot(void **unused)
{
    (void)unused;
    const double bad[] = {0, INFINITY, NAN, 1e-310};
    uint64_t random = 6;
    for (int n = 1; n <= 23; n++)
        for (int at = 0; at < n; at++)
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                double a[23 * 23], full[23 * 23];
                int count;
                fill(&random, n, n, 0, a, full);
                for (int j = 0; j < at; j++) a[j * n + at] = 0; /* nothing before reaches it */
                a[at * n + at] = bad[k];
                assert_int_equal(cord__dense_factor(n, n, a, &count), at);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(names_the_bad_pivot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
