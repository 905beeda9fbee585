/* LU factorisation of matrices with a profile, against a dense one with pivoting. */
#include "math/lu.h"
#include "math/profile_lu.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { MOST = 60, ROOM = MOST * (MOST + PROFILE_PADDING) };

static double random_entry(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

/* A profile whose reach does not decrease, of widths up to `widest`, and an unsymmetric matrix near a positive one. */
static void make(int n, int widest, unsigned *seed, int *last, double *dense, double *right)
{
    memset(dense, 0, (size_t)n * (size_t)n * sizeof *dense);
    for (int i = 0; i < n; i++) {
        const int reach = i + (int)(0.5 * (random_entry(seed) + 1) * (widest + 1));
        last[i] = reach < n ? reach : n - 1;
        if (i > 0 && last[i] < last[i - 1]) last[i] = last[i - 1];
        right[i] = random_entry(seed);
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j <= last[i]; j++) {
            const double both = random_entry(seed);
            dense[i * n + j] = both + 0.1 * random_entry(seed);
            dense[j * n + i] = both;
        }
        dense[i * n + i] = 2.0 * widest + 2 + random_entry(seed);
    }
}

static void fill(const profile_matrix *m, const int *last, const double *dense)
{
    for (int i = 0; i < m->n; i++)
        for (int j = i; j <= last[i]; j++) {
            profile_row(m, i)[j] = dense[i * m->n + j];
            profile_row(m, j)[i] = dense[j * m->n + i];
        }
}

static void solves_as_dense(void **unused)
{
    unsigned seed = 7;
    (void)unused;
    for (int n = 1; n <= MOST; n += n < 8 ? 1 : 13)
        for (int widest = 0; widest < n; widest += 1 + widest) {
            int last[MOST], own[MOST], start[MOST], pivot[MOST];
            double dense[MOST * MOST], a[ROOM], x[MOST], other[MOST], y[MOST];
            make(n, widest, &seed, last, dense, x);
            memcpy(own, last, sizeof own);
            const profile_matrix m = {.n = n, .last = own, .start = start, .a = a};
            const size_t length = cord__profile_layout(&m, ROOM);
            assert_true(length > 0);
            memset(a, 0, length * sizeof *a);
            fill(&m, last, dense);
            for (int i = 0; i < n; i++) other[i] = y[i] = -2 * x[i] + i;
            assert_true(cord__profile_factor(&m));
            memcpy(y, x, (size_t)n * sizeof *y);
            cord__profile_solve(&m, x);
            cord__profile_solve(&m, other); /* the factors serve again */
            for (int i = 0; i < n; i++) {
                double sum = -y[i], again = 2 * y[i] - i;
                for (int j = 0; j < n; j++)
                    sum += dense[i * n + j] * x[j], again += dense[i * n + j] * other[j];
                assert_close(sum, 0, 1e-12);
                assert_close(again, 0, 1e-11);
            }
            assert_true(cord__lu_factor(n, dense, pivot));
            cord__lu_solve(n, dense, pivot, y);
            for (int i = 0; i < n; i++) assert_close(x[i], y[i], 1e-12);
        }
}

/* No room, and no pivot. */
static void refuses(void **unused)
{
    int last[3] = {1, 2, 2}, start[3];
    double a[30] = {0};
    const profile_matrix m = {.n = 3, .last = last, .start = start, .a = a};
    (void)unused;
    assert_true(cord__profile_layout(&m, 30) > 0);
    assert_int_equal(cord__profile_layout(&m, 8), 0);
    for (int i = 0; i < 3; i++) profile_row(&m, i)[i] = i < 2 ? 1 : 0;
    assert_false(cord__profile_factor(&m));
    memset(a, 0, sizeof a);
    for (int i = 0; i < 3; i++) profile_row(&m, i)[i] = i < 2 ? 1 : (double)NAN;
    assert_false(cord__profile_factor(&m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_as_dense),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
