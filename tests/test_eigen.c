/* Eigenvalues against closed forms, and A x = λ B x itself. */
#include "math/eigen.h"
#include "support/numbers.h"
#include "support/test.h"

#include <string.h>

enum { MOST = 96 };
static const double PI = 3.14159265358979323846;

typedef double square[MOST * MOST];

static void random_symmetric(uint64_t *random, int n, square a)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) a[i * MOST + j] = a[j * MOST + i] = random_number(random);
}

/* y = A x, the lower triangle of A given */
static void multiply(int n, const square a, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += (i >= j ? a[j * MOST + i] : a[i * MOST + j]) * x[j];
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* A x_k = λ_k B x_k, x_jᵀ B x_k = δ_jk, ascending; B NULL: the identity. */
static void check_vectors(int n, const square a, const square b, const square x,
                          const double *values, double tolerance)
{
    for (int k = 0; k < n; k++) {
        double ax[MOST], bx[MOST];
        const double *column = x + k * MOST;
        multiply(n, a, column, ax);
        memcpy(bx, column, (size_t)n * sizeof *bx);
        if (b) multiply(n, b, column, bx);
        for (int i = 0; i < n; i++) assert_close(ax[i], values[k] * bx[i], tolerance);
        for (int j = 0; j <= k; j++) assert_close(dot(n, x + j * MOST, bx), j == k, tolerance);
        if (k > 0) assert_true(values[k] >= values[k - 1]);
    }
}

/* With and without vectors the values are the same. */
static void solve(int n, const square a, square x, double *values)
{
    double again[MOST], work[EIGEN_WORK(MOST)];
    square copy;
    for (int k = 0; k < MOST * MOST; k++) x[k] = NAN; /* the upper triangle is not read */
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) x[j * MOST + i] = a[j * MOST + i];
    memcpy(copy, x, sizeof copy);
    assert_int_equal(cord__eigen(n, MOST, copy, false, again, work), EIGEN_OK);
    assert_int_equal(cord__eigen(n, MOST, x, true, values, work), EIGEN_OK);
    assert_memory_equal(again, values, (size_t)n * sizeof *values);
}

/* tridiag(−1, 2, −1): 2 − 2 cos kπ/(n + 1) */
static void second_differences(void **unused)
{
    (void)unused;
    static square a, x;
    for (int n = 1; n <= MOST; n += n < 8 ? 1 : 11) {
        double values[MOST];
        memset(a, 0, sizeof a);
        for (int i = 0; i < n; i++) {
            a[i * MOST + i] = 2;
            if (i + 1 < n) a[i * MOST + i + 1] = -1;
        }
        solve(n, a, x, values);
        for (int k = 0; k < n; k++)
            assert_close(values[k], 2 - 2 * cos((k + 1) * PI / (n + 1)), 2e-14);
        check_vectors(n, a, NULL, x, values, 3e-14);
    }
}

static void random_matrices(void **unused)
{
    (void)unused;
    static square a, x;
    uint64_t random = 3;
    for (int n = 1; n <= MOST; n += n < 12 ? 1 : 21)
        for (int exponent = -300; exponent <= 300;
             exponent += 150) { /* nothing over- or underflows */
            double values[MOST], scale = pow(10, exponent);
            random_symmetric(&random, n, a);
            static square scaled;
            for (int k = 0; k < MOST * MOST; k++) scaled[k] = scale * a[k];
            solve(n, scaled, x, values);
            for (int k = 0; k < n; k++) values[k] /= scale;
            check_vectors(n, a, NULL, x, values, 5e-14);
        }
}

/* H diag(λ) H with a random reflection H: eigenvalues that coincide, and that nearly do. */
static void clusters(void **unused)
{
    (void)unused;
    enum { N = 24 };
    static square a, x;
    uint64_t random = 4;
    double given[N], values[MOST], v[N];
    for (int k = 0; k < N; k++)
        given[k] = k < 8 ? -1 : k < 12 ? 0 : k < 20 ? 1 + 1e-13 * (k - 12) : 2;
    random_vector(&random, N, v);
    double square_of_v = dot(N, v, v);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += ((i == k) - 2 * v[i] * v[k] / square_of_v) * given[k] *
                       ((j == k) - 2 * v[j] * v[k] / square_of_v);
            a[j * MOST + i] = sum;
        }
    solve(N, a, x, values);
    assert_all_close(values, given, N, 1e-14);
    check_vectors(N, a, NULL, x, values, 1e-14);
}

/* No rotation needed: diagonal, zero, all ones (n, and zero n − 1 times). */
static void plain_matrices(void **unused)
{
    (void)unused;
    static square a, x;
    double values[MOST];
    memset(a, 0, sizeof a);
    solve(10, a, x, values);
    check_vectors(10, a, NULL, x, values, 0);
    for (int i = 0; i < 10; i++) a[i * MOST + i] = 5 - i;
    solve(10, a, x, values);
    for (int k = 0; k < 10; k++) assert_close(values[k], k - 4, 0);
    check_vectors(10, a, NULL, x, values, 0);
    for (int i = 0; i < MOST * MOST; i++) a[i] = 1;
    solve(MOST, a, x, values);
    for (int k = 0; k < MOST; k++) assert_close(values[k], k == MOST - 1 ? MOST : 0, 1e-13);
    check_vectors(MOST, a, NULL, x, values, 1e-13);
}

static void pairs(void **unused)
{
    (void)unused;
    static square a, b, x, factor, copy;
    uint64_t random = 7;
    for (int n = 1; n <= MOST; n += n < 12 ? 1 : 21) {
        double values[MOST], again[MOST], work[EIGEN_WORK(MOST)];
        random_symmetric(&random, n, a);
        random_symmetric(&random, n, b);
        for (int i = 0; i < n; i++) b[i * MOST + i] += n; /* dominant */
        memcpy(x, a, sizeof x);
        memcpy(factor, b, sizeof factor);
        assert_int_equal(cord__eigen_generalised(n, MOST, x, factor, true, values, work), EIGEN_OK);
        check_vectors(n, a, b, x, values, 5e-14);
        memcpy(copy, a, sizeof copy);
        memcpy(factor, b, sizeof factor);
        assert_int_equal(cord__eigen_generalised(n, MOST, copy, factor, false, again, work),
                         EIGEN_OK);
        assert_memory_equal(again, values, (size_t)n * sizeof *values);
    }
}

/* A bar of linear elements with its ends fixed, K = tridiag(−1, 2, −1), M = tridiag(1, 4, 1)/6:
 * λ = 6 (1 − cos θ) / (2 + cos θ), θ = kπ/(n + 1). */
static void bar(void **unused)
{
    (void)unused;
    enum { N = 40 };
    static square k, m;
    double values[MOST], work[EIGEN_WORK(MOST)];
    for (int i = 0; i < N; i++) {
        k[i * MOST + i] = 2, m[i * MOST + i] = 4 / 6.0;
        k[i * MOST + i + 1] = -1, m[i * MOST + i + 1] = 1 / 6.0;
    }
    assert_int_equal(cord__eigen_generalised(N, MOST, k, m, false, values, work), EIGEN_OK);
    for (int i = 0; i < N; i++) {
        double c = cos((i + 1) * PI / (N + 1));
        assert_close(values[i], 6 * (1 - c) / (2 + c), 5e-14);
    }
}

static void failures(void **unused)
{
    (void)unused;
    static square a, b;
    double values[MOST], work[EIGEN_WORK(MOST)];
    const double bad[] = {NAN, INFINITY};
    for (int n = 1; n <= 5; n++)
        for (int k = 0; k < 2; k++) {
            memset(a, 0, sizeof a);
            for (int i = 0; i < n; i++) a[i * MOST + i] = 1;
            a[n - 1] = bad[k];
            assert_int_equal(cord__eigen(n, MOST, a, true, values, work), EIGEN_NOT_CONVERGED);
        }
    const double pivots[] = {-1, 0, NAN};
    for (int k = 0; k < 3; k++) {
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        for (int i = 0; i < 6; i++) a[i * MOST + i] = b[i * MOST + i] = 1;
        b[3 * MOST + 3] = pivots[k];
        assert_int_equal(cord__eigen_generalised(6, MOST, a, b, true, values, work),
                         EIGEN_INDEFINITE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_differences),
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(clusters),
        cmocka_unit_test(plain_matrices),
        cmocka_unit_test(pairs),
        cmocka_unit_test(bar),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
