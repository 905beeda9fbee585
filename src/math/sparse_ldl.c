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

/* An unknown that is coupled to none, as prescribed ones are: its panel is its pivot. */
static bool is_isolated(const sparse_ldl *f, int s)
{
    return f->first[s + 1] == f->first[s] + 1 && f->below[s + 1] == f->below[s];
}

/* Returns the column of the pivot if it fails, or -1, as factor_panel(). */
static int factor_isolated(const double *a, double *inverse, int *negative)
{
    inverse[0] = 1 / a[0];
    if (!is_pivot(a[0], inverse[0])) return 0;
    *negative += a[0] < 0;
    return -1;
}

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

/* ---- simplicial: a column at a time
 * --------------------------------------------------------------- */

INLINE void simplicial_lower(const sparse_ldl *f, double *y)
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

/* ---- supernodal: vectors of two doubles for the baseline, of four for the other variants ------------ */

#define LANES 2
#define NAME(function) function##_2
#include "math/sparse_panel.h"
#undef LANES
#undef NAME

#if WITH_VARIANTS
#define LANES 4
#define NAME(function) function##_4
#include "math/sparse_panel.h"
#undef LANES
#undef NAME
#endif

VARIANTS(cord_status, return, cord__sparse_factor_panels, factor_2, factor_4, factor_4,
         (sparse_ldl * f, int begin, int end, double *y), (f, begin, end, y))
VARIANTS(void, , cord__sparse_solve_upper, upper_2, upper_4, upper_4,
         (const sparse_ldl *f, double *y), (f, y))
VARIANTS(void, , cord__sparse_solve_lower, lower_2, lower_4, lower_4,
         (const sparse_ldl *f, double *y), (f, y))

/* ---- interface
 * ------------------------------------------------------------------------------------ */

void cord__sparse_begin(sparse_ldl *f)
{
    f->negative = 0;
    f->failed_pivot = -1;
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

void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x)
{
    permute(f, b);
    cord__sparse_solve_lower(f, f->x);
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
