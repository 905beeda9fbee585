#include "math/tridiagonal.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdbool.h>
#include <string.h>

enum { MAX = 40 };

typedef struct problem {
    int n;
    double d[MAX], e[MAX], corner, b[MAX], dense[MAX * MAX], expected[MAX];
} problem;

static void couple(problem *p, int i, int j, double v)
{
    p->dense[i * p->n + j] += v;
    if (i != j) p->dense[j * p->n + i] += v;
}

/* Diagonally dominant: positive definite. */
static void make(problem *p, int n, bool cyclic, uint64_t *seed)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    for (int i = 0; i < n; i++) {
        p->d[i] = 2.5 + 0.4 * random_number(seed);
        p->b[i] = random_number(seed);
        couple(p, i, i, p->d[i]);
    }
    for (int i = 0; i + 1 < n; i++) {
        p->e[i] = random_number(seed);
        couple(p, i, i + 1, p->e[i]);
    }
    p->corner = cyclic ? random_number(seed) : 0;
    if (n > 1) couple(p, 0, n - 1, p->corner);
    memcpy(p->expected, p->b, sizeof p->b);
    dense_solve(n, p->dense, p->expected);
}

static void open_chain_matches_dense(void **state)
{
    (void)state;
    problem p;
    uint64_t seed = 3;
    for (int trial = 0; trial < 200; trial++) {
        make(&p, 1 + trial % MAX, false, &seed);
        assert_int_equal(cord__tridiagonal_solve(p.n, p.d, p.e, p.b), 0);
        assert_all_close(p.b, p.expected, p.n, 1e-13);
    }
    assert_int_equal(cord__tridiagonal_solve(0, p.d, p.e, p.b), 0);
}

static void closed_chain_matches_dense(void **state)
{
    (void)state;
    problem p;
    uint64_t seed = 5;
    double work[MAX];
    for (int trial = 0; trial < 200; trial++) {
        make(&p, 1 + trial % MAX, true, &seed);
        assert_int_equal(cord__cyclic_solve(p.n, p.d, p.e, p.corner, p.b, work), 0);
        assert_all_close(p.b, p.expected, p.n, 1e-13);
    }
}

/* tridiag(-1, δ, -1) has eigenvalues δ − 2 cos(kπ/(n+1)); the ring δ − 2 cos(2πk/n). */
static void bad_pivots_count_negative_eigenvalues(void **state)
{
    (void)state;
    enum { N = 31 };
    const double pi = 3.14159265358979323846;
    for (double delta = -2.25; delta < 2.5; delta += 0.125) {
        int open = 0, ring = 0;
        double d[N], e[N], b[N], work[N];
        for (int k = 0; k < N; k++) {
            open += delta - 2 * cos((k + 1) * pi / (N + 1)) < 0;
            ring += delta - 2 * cos(2 * pi * k / N) < 0;
            d[k] = delta, e[k] = -1, b[k] = 1;
        }
        if (delta == 0 || delta == 1 || delta == -1) continue; /* a zero pivot on the way */
        assert_int_equal(cord__tridiagonal_solve(N, d, e, b), open);
        for (int k = 0; k < N; k++) d[k] = delta, e[k] = -1, b[k] = 1;
        assert_int_equal(cord__cyclic_solve(N, d, e, -1, b, work), ring);
    }
}

static void singular_is_reported(void **state)
{
    (void)state;
    double d[] = {1, 1, 1}, e[] = {1, 1}, b[] = {1, 1, 1};
    assert_true(cord__tridiagonal_solve(3, d, e, b) > 0);
    double d1[] = {NAN}, b1[] = {1};
    assert_int_equal(cord__tridiagonal_solve(1, d1, NULL, b1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_chain_matches_dense),
        cmocka_unit_test(closed_chain_matches_dense),
        cmocka_unit_test(bad_pivots_count_negative_eigenvalues),
        cmocka_unit_test(singular_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
