#include "math/sparse_ldl.h"
#include "math/callback.h"
#include "math/multiversion.h"

#include <math.h>
#include <string.h>

void cord__sparse_clear(sparse_ldl *f)
{
    cord__sparse_clear_panels(f, 0, f->supernodes);
}

void cord__sparse_clear_panels(sparse_ldl *f, int first, int end)
{
    memset(f->a + f->panel[first], 0, (f->panel[end] - f->panel[first]) * sizeof *f->a);
}

static int width_of(const sparse_ldl *f, int s)
{
    return f->first[s + 1] - f->first[s];
}

static int below_of(const sparse_ldl *f, int s)
{
    return (int)(f->below[s + 1] - f->below[s]);
}

/* Doubles from one column of a panel to the next. */
static size_t stride_of(const sparse_ldl *f, int s)
{
    return PANEL_ROWS(width_of(f, s) + below_of(f, s));
}

static bool is_pivot(double d, double inverse)
{
    return isfinite(d) && isfinite(inverse);
}

/* The diagonal block of `count` columns from `first`:
 *     u_ij = c_ij − Σ_{k<j} l_ik u_jk,   d_j = u_jj,   l_ij = u_ij/d_j.
 * Returns the column among them of the pivot that fails, or -1. */
INLINE int factor_triangle(int count, int first, size_t ld, double *l, double *u, double *inverse,
                           int *negative)
{
    double lower[PANEL_COLUMNS][PANEL_COLUMNS] = {{0}},
           scaled[PANEL_COLUMNS][PANEL_COLUMNS] = {{0}};
    UNROLLED
    for (int j = 0; j < count; j++) {
        double *l_column = l + (size_t)j * ld + first, *u_column = u + (size_t)j * ld + first;
        UNROLLED
        for (int i = j; i < count; i++) {
            scaled[j][i] = l_column[i];
            UNROLLED
            for (int k = 0; k < j; k++) scaled[j][i] -= lower[k][i] * scaled[k][j];
        }
        double d = scaled[j][j], inverted = 1 / d;
        /* No pivot: zero, not finite, or so small that its inverse overflows. */
        if (!is_pivot(d, inverted)) return j;
        *negative += d < 0;
        inverse[j] = inverted;
        l_column[j] = d;
        UNROLLED
        for (int i = j + 1; i < count; i++) {
            lower[j][i] = scaled[j][i] * inverted;
            u_column[i] = scaled[j][i];
            l_column[i] = lower[j][i];
        }
    }
    return -1;
}

#define LANES 2
#define NAME(function) function##_baseline
#include "math/sparse_panel.h"
#undef LANES
#undef NAME

#if WITH_AVX512
#define LANES 4
#define NAME(function) function##_avx512
#include "math/sparse_panel.h"
#undef LANES
#undef NAME
#endif

static int original_index(const sparse_ldl *f, int index)
{
    int i = 0;
    while (f->p_inverse[i] != index) i++;
    return i;
}

static void permute(const sparse_ldl *f, const double *b)
{
    for (int i = 0; i < f->n; i++) f->x[f->p_inverse[i]] = b[i];
}

void cord__sparse_unpermute(const sparse_ldl *f, double *x)
{
    for (int i = 0; i < f->n; i++) x[i] = f->x[f->p_inverse[i]];
}

/* Multiplications within panels between two polls: some milliseconds, with the updates of other panels. */
enum { POLL_INTERVAL = 1 << 20 };

/* Right-looking: factor a panel, subtract its updates from all later ones, and apply its forward
 * substitution to y unless that is NULL. */
#define FACTOR(variant)                                                                            \
    size_t work = 0;                                                                               \
    for (int s = begin; s < end; s++) {                                                            \
        work += (f->panel[s + 1] - f->panel[s]) * (size_t)width_of(f, s);                          \
        if (work > POLL_INTERVAL) {                                                                \
            if (cord__cancelled()) return CORD_ERROR_CANCELLED;                                    \
            work = 0;                                                                              \
        }                                                                                          \
        int first = f->first[s],                                                                   \
            bad = factor_panel_##variant(width_of(f, s), stride_of(f, s), f->a + f->panel[s],      \
                                         f->scaled, f->inverse_pivot + first, &f->negative);       \
        if (bad >= 0) {                                                                            \
            f->failed_pivot = original_index(f, first + bad);                                      \
            return CORD_ERROR_SINGULAR;                                                            \
        }                                                                                          \
        update_ancestors_##variant(f, s);                                                          \
        if (y) solve_lower_##variant(f, s, y);                                                     \
    }                                                                                              \
    return CORD_OK

#if WITH_AVX512
AVX512 static cord_status factor_avx512(sparse_ldl *f, int begin, int end, double *y)
{
    FACTOR(avx512);
}
#endif

static cord_status factor_baseline(sparse_ldl *f, int begin, int end, double *y)
{
    FACTOR(baseline);
}

/* ---- simplicial: a column at a time
 * --------------------------------------------------------------- */

static void simplicial_lower(const sparse_ldl *f, double *y)
{
    for (int j = 0; j < f->n; j++) {
        const double *l = f->a + f->panel[j] + 1;
        const int *rows = f->rows + f->below[j];
        for (int i = 0; i < below_of(f, j); i++) y[rows[i]] -= l[i] * y[j];
    }
}

INLINE void simplicial_upper(const sparse_ldl *f, double *y)
{
    for (int j = f->n - 1; j >= 0; j--) {
        const double *l = f->a + f->panel[j] + 1;
        const int *rows = f->rows + f->below[j];
        double value = y[j] * f->inverse_pivot[j];
        for (int i = 0; i < below_of(f, j); i++) value -= l[i] * y[rows[i]];
        y[j] = value;
    }
}

INLINE cord_status simplicial_factor(sparse_ldl *f, double *y)
{
    const int *target = f->target;
    for (int j = 0; j < f->n; j++) {
        double *column = f->a + f->panel[j], d = column[0], inverse = 1 / d;
        const int *rows = f->rows + f->below[j];
        int below = below_of(f, j);
        f->inverse_pivot[j] = inverse;
        if (!is_pivot(d, inverse)) {
            f->failed_pivot = original_index(f, j);
            return CORD_ERROR_SINGULAR;
        }
        f->negative += d < 0;
        for (int i = 1; i <= below; i++) {
            double l = column[i] * inverse;
            for (int k = i; k <= below; k++) f->a[*target++] -= l * column[k];
            column[i] = l;
            if (y) y[rows[i - 1]] -= l * y[j];
        }
    }
    return CORD_OK;
}

#if WITH_AVX512
AVX512 static cord_status simplicial_avx512(sparse_ldl *f, double *y)
{
    return simplicial_factor(f, y);
}

AVX512 static void upper_avx512(const sparse_ldl *f, double *y)
{
    f->simplicial ? simplicial_upper(f, y) : solve_upper_avx512(f, y);
}
#endif

static void upper_baseline(const sparse_ldl *f, double *y)
{
    f->simplicial ? simplicial_upper(f, y) : solve_upper_baseline(f, y);
}

/* ---- interface
 * ------------------------------------------------------------------------------------ */

void cord__sparse_begin(sparse_ldl *f)
{
    f->negative = 0;
    f->failed_pivot = -1;
}

cord_status cord__sparse_factor_panels(sparse_ldl *f, int begin, int end, double *y)
{
#if WITH_AVX512
    if (has_avx512())
        return f->simplicial ? simplicial_avx512(f, y) : factor_avx512(f, begin, end, y);
#endif
    return f->simplicial ? simplicial_factor(f, y) : factor_baseline(f, begin, end, y);
}

void cord__sparse_solve_upper(const sparse_ldl *f, double *y)
{
#if WITH_AVX512
    if (has_avx512()) {
        upper_avx512(f, y);
        return;
    }
#endif
    upper_baseline(f, y);
}

cord_status cord__sparse_factor(sparse_ldl *f)
{
    cord__sparse_begin(f);
    return cord__sparse_factor_panels(f, 0, f->supernodes, NULL);
}

cord_status cord__sparse_factor_and_solve(sparse_ldl *f, const double *b, double *x)
{
    permute(f, b);
    cord__sparse_begin(f);
    cord_status status = cord__sparse_factor_panels(f, 0, f->supernodes, f->x);
    if (status != CORD_OK) return status;
    cord__sparse_solve_upper(f, f->x);
    cord__sparse_unpermute(f, x);
    return CORD_OK;
}

#define LOWER(variant)                                                                             \
    for (int s = 0; s < f->supernodes; s++) solve_lower_##variant(f, s, y)

#if WITH_AVX512
AVX512 static void lower_avx512(const sparse_ldl *f, double *y)
{
    LOWER(avx512);
}
#endif

static void lower(const sparse_ldl *f, double *y)
{
#if WITH_AVX512
    if (!f->simplicial && has_avx512()) {
        lower_avx512(f, y);
        return;
    }
#endif
    if (f->simplicial)
        simplicial_lower(f, y);
    else
        LOWER(baseline);
}

void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x)
{
    permute(f, b);
    lower(f, f->x);
    cord__sparse_solve_upper(f, f->x);
    cord__sparse_unpermute(f, x);
}

void cord__sparse_free(sparse_ldl *f, memory *m)
{
    void *owned[] = {f->p_inverse, f->diagonal,      f->column,       f->row,
                     f->slot,      f->first,         f->below,        f->rows,
                     f->panel,     f->memory,        f->update_start, f->updates,
                     f->runs,      f->inverse_pivot, f->target,       f->x};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
    memset(f, 0, sizeof *f);
}
