#include "math/sparse_ldl.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 4000 };

typedef struct problem {
    int n, entries;
    int row[MAX_ENTRIES], col[MAX_ENTRIES], slot[MAX_ENTRIES];
    double value[MAX_ENTRIES];
    double *dense;
} problem;

static void add(problem *p, int row, int col, double value)
{
    assert_true(p->entries < MAX_ENTRIES);
    p->row[p->entries] = row, p->col[p->entries] = col, p->value[p->entries++] = value;
    p->dense[row * p->n + col] += value;
    if (row != col) p->dense[col * p->n + row] += value;
}

/* [H Jᵀ; J −δ] with H symmetric, diagonally dominant: quasi-definite, so that every order of
 * elimination has pivots. Entries come from both triangles, some split in two. */
static void random_kkt(problem *p, int n, int rows, double density, uint64_t *seed)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->dense = calloc((size_t)(n * n), sizeof(double));
    int primal = n - rows;
    for (int i = 0; i < n; i++) add(p, i, i, i < primal ? 2.0 + density * n : -1.5);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            bool connected = (random_number(seed) + 1) / 2 < density && j < primal;
            if (!connected) continue;
            double v = random_number(seed);
            add(p, i, j, 0.25 * v);
            add(p, j, i, 0.75 * v);
        }
    }
}

static void shuffle(int n, int *order, uint64_t *seed)
{
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = random_below(seed, i + 1), t = order[i];
        order[i] = order[j], order[j] = t;
    }
}

static void assemble(const problem *p, sparse_ldl *f)
{
    cord__sparse_clear(f);
    for (int e = 0; e < p->entries; e++) f->a[p->slot[e]] += p->value[e];
}

static cord_status analyse(problem *p, sparse_ldl *f, memory *m, const int *order)
{
    return cord__sparse_analyse(f, m, p->n, p->entries, p->row, p->col, order, p->slot);
}

/* Right-hand sides in columns, in the order of elimination: each is solved as if alone. */
static void check_many(const sparse_ldl *f, uint64_t *seed)
{
    double many[80 * SPARSE_COLUMNS], b[SPARSE_COLUMNS][80];
    for (int k = 0; k < SPARSE_COLUMNS; k++) {
        random_vector(seed, f->n, b[k]);
        for (int i = 0; i < f->n; i++) many[f->p_inverse[i] * SPARSE_COLUMNS + k] = b[k][i];
        cord__sparse_solve(f, b[k], b[k]);
    }
    cord__sparse_solve_many(f, many);
    for (int k = 0; k < SPARSE_COLUMNS; k++)
        for (int i = 0; i < f->n; i++)
            assert_close(many[f->p_inverse[i] * SPARSE_COLUMNS + k], b[k][i], 1e-12);
}

/* The solution agrees with dense arithmetic; inertia is that of the blocks. */
static void check_against_dense(problem *p, int rows, const int *order, uint64_t *seed)
{
    memory m;
    cord__memory_init(&m, NULL);
    sparse_ldl f;
    double b[80], x[80], y[80];
    assert_int_equal(analyse(p, &f, &m, order), CORD_OK);
    int64_t calls = m.calls;
    for (int again = 0; again < 2; again++) {
        assemble(p, &f);
        assert_int_equal(cord__sparse_factor(&f), CORD_OK);
    }
    assert_int_equal(f.negative, rows);
    assert_int_equal(f.failed_pivot, -1);
    random_vector(seed, p->n, b);
    cord__sparse_solve(&f, b, x);
    for (int i = 0; i < p->n; i++) {
        double sum = 0;
        for (int j = 0; j < p->n; j++) sum += p->dense[i * p->n + j] * x[j];
        assert_close(sum, b[i], 1e-12);
        y[i] = sum;
    }
    check_many(&f, seed);
    assert_int_equal(m.calls, calls); /* no heap after the analysis */
    cord__sparse_solve(&f, b, b);
    assert_memory_equal(b, x, sizeof(double) * (size_t)p->n);
    memcpy(b, y, sizeof b);
    dense_solve(p->n, p->dense, b);
    for (int i = 0; i < p->n; i++) assert_close(x[i], b[i], 1e-12);
    cord__sparse_free(&f, &m);
    assert_int_equal(m.bytes, 0);
}

static void random_systems_match_dense_elimination(void **state)
{
    (void)state;
    static problem p;
    uint64_t seed = 7;
    int order[80];
    for (int trial = 0; trial < 300; trial++) {
        int n = 1 + random_below(&seed, 70), rows = random_below(&seed, n / 2 + 1);
        random_kkt(&p, n, rows, 0.02 + 0.01 * (trial % 30), &seed);
        shuffle(n, order, &seed);
        check_against_dense(&p, rows, trial % 3 ? order : NULL, &seed);
        free(p.dense);
    }
}

static void inertia_counts_negative_eigenvalues(void **state)
{
    (void)state;
    /* The path matrix tridiag(1, d, 1) has eigenvalues d + 2 cos(kπ/(n+1)). */
    enum { N = 50 };
    memory m;
    cord__memory_init(&m, NULL);
    int row[N], col[N], slot[N];
    for (int i = 0; i + 1 < N; i++) row[i] = i, col[i] = i + 1;
    sparse_ldl f;
    assert_int_equal(cord__sparse_analyse(&f, &m, N, N - 1, row, col, NULL, slot), CORD_OK);
    for (double d = -2.35; d < 2.5; d += 0.3) {
        cord__sparse_clear(&f);
        int negative = 0;
        for (int i = 0; i < N; i++) {
            f.a[f.diagonal[i]] = d;
            negative += d + 2 * cos((i + 1) * 3.14159265358979323846 / (N + 1)) < 0;
        }
        for (int e = 0; e + 1 < N; e++) f.a[slot[e]] = 1;
        assert_int_equal(cord__sparse_factor(&f), CORD_OK);
        assert_int_equal(f.negative, negative);
    }
    cord__sparse_free(&f, &m);
}

static void failed_pivot_is_named(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    int row[] = {0, 1, 2, 0, 2}, col[] = {0, 1, 2, 2, 3}, slot[5];
    int order[] = {1, 0, 2, 3};
    sparse_ldl f;
    assert_int_equal(cord__sparse_analyse(&f, &m, 4, 5, row, col, order, slot), CORD_OK);
    /* The Schur complement of 0 in {0, 2} vanishes: 4 − 2·2/1. */
    double value[] = {1, 3, 4, 2, 5};
    static const struct {
        double second, third; /* on the diagonal; 1e-310: its inverse overflows */
        cord_status status;
        int bad;
    } cases[] = {{3, 4, CORD_ERROR_SINGULAR, 2},
                 {NAN, 4, CORD_ERROR_SINGULAR, 1},
                 {1e-310, 4, CORD_ERROR_SINGULAR, 1},
                 {3, 5, CORD_OK, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cord__sparse_clear(&f);
        for (int e = 0; e < 5; e++) f.a[slot[e]] += value[e];
        f.a[f.diagonal[3]] = 1;
        f.a[f.diagonal[1]] = cases[i].second, f.a[slot[2]] = cases[i].third;
        assert_int_equal(cord__sparse_factor(&f), cases[i].status);
        assert_int_equal(f.failed_pivot, cases[i].bad);
    }
    cord__sparse_free(&f, &m);
}

static void scaling_a_column_scales_the_answer(void **state)
{
    (void)state;
    /* Values change, the pattern does not: (cA) x = b has x/c. Powers of two, so exactly. */
    static problem p;
    uint64_t seed = 11;
    random_kkt(&p, 40, 10, 0.1, &seed);
    memory m;
    cord__memory_init(&m, NULL);
    sparse_ldl f;
    double b[40], x[40], y[40];
    random_vector(&seed, 40, b);
    assert_int_equal(analyse(&p, &f, &m, NULL), CORD_OK);
    assemble(&p, &f);
    assert_int_equal(cord__sparse_factor(&f), CORD_OK);
    cord__sparse_solve(&f, b, x);
    for (int e = 0; e < p.entries; e++) p.value[e] *= 4;
    assemble(&p, &f);
    assert_int_equal(cord__sparse_factor(&f), CORD_OK);
    cord__sparse_solve(&f, b, y);
    for (int i = 0; i < 40; i++) assert_true(y[i] == x[i] / 4);
    cord__sparse_free(&f, &m);
    free(p.dense);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_match_dense_elimination),
        cmocka_unit_test(inertia_counts_negative_eigenvalues),
        cmocka_unit_test(failed_pivot_is_named),
        cmocka_unit_test(scaling_a_column_scales_the_answer),
    };
    return run_in_every_variant(tests);
}
