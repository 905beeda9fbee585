#include "math/sparse_ldl.h"
#include "math/wide.h"

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

/* The triangle of `count` columns from `first`: u_ij = c_ij − Σ_{k<j} l_ik u_jk, d_j = u_jj, l_ij = u_ij/d_j.
 * Returns the place among them of the pivot that fails, or -1. */
INLINE int factor_triangle(int count, int first, size_t ld, double *l, double *u, double *inverse,
                           int *negative)
{
    double done[PANEL_COLUMNS][PANEL_COLUMNS] = {{0}}, scaled[PANEL_COLUMNS][PANEL_COLUMNS] = {{0}};
    UNROLLED
    for (int j = 0; j < count; j++) {
        double *own = l + (size_t)j * ld + first, *also = u + (size_t)j * ld + first;
        UNROLLED
        for (int i = j; i < count; i++) {
            scaled[j][i] = own[i];
            UNROLLED
            for (int k = 0; k < j; k++) scaled[j][i] -= done[k][i] * scaled[k][j];
        }
        double d = scaled[j][j], inverted = 1 / d;
        /* Zero, not finite, or so small that its inverse overflows: no pivot. */
        if (!is_pivot(d, inverted)) return j;
        *negative += d < 0;
        inverse[j] = inverted;
        own[j] = d;
        UNROLLED
        for (int i = j + 1; i < count; i++) {
            done[j][i] = scaled[j][i] * inverted;
            also[i] = scaled[j][i];
            own[i] = done[j][i];
        }
    }
    return -1;
}

#define LANES 2
#define NAME(what) what##_narrow
#include "math/sparse_panel.h"
#undef LANES
#undef NAME

#if WITH_WIDE_VECTORS
#define LANES 4
#define NAME(what) what##_wide
#include "math/sparse_panel.h"
#undef LANES
#undef NAME
#endif

static int original_index(const sparse_ldl *f, int place)
{
    int i = 0;
    while (f->p_inverse[i] != place) i++;
    return i;
}

static void to_order(const sparse_ldl *f, const double *b)
{
    for (int i = 0; i < f->n; i++) f->x[f->p_inverse[i]] = b[i];
}

void cord__sparse_from_order(const sparse_ldl *f, double *x)
{
    for (int i = 0; i < f->n; i++) x[i] = f->x[f->p_inverse[i]];
}

/* Right-looking: finish a panel, then let it act on all later ones, and on y unless that is NULL. */
#define FACTOR(variant)                                                                            \
    for (int s = begin; s < end; s++) {                                                            \
        int first = f->first[s],                                                                   \
            bad = factor_panel_##variant(width_of(f, s), stride_of(f, s), f->a + f->panel[s],      \
                                         f->scaled, f->inverse_pivot + first, &f->negative);       \
        if (bad >= 0) {                                                                            \
            f->bad_column = original_index(f, first + bad);                                        \
            return CORD_ERROR_SINGULAR;                                                            \
        }                                                                                          \
        update_ancestors_##variant(f, s);                                                          \
        if (y) solve_lower_##variant(f, s, y);                                                     \
    }                                                                                              \
    return CORD_OK

#if WITH_WIDE_VECTORS
WIDE static cord_status factor_wide(sparse_ldl *f, int begin, int end, double *y)
{
    FACTOR(wide);
}
#endif

static cord_status factor_narrow(sparse_ldl *f, int begin, int end, double *y)
{
    FACTOR(narrow);
}

/* ---- thin: a column at a time ---------------------------------------------------------------------- */

static void thin_lower(const sparse_ldl *f, double *y)
{
    for (int j = 0; j < f->n; j++) {
        const double *l = f->a + f->panel[j] + 1;
        const int *rows = f->rows + f->below[j];
        for (int i = 0; i < below_of(f, j); i++) y[rows[i]] -= l[i] * y[j];
    }
}

INLINE void thin_upper(const sparse_ldl *f, double *y)
{
    for (int j = f->n - 1; j >= 0; j--) {
        const double *l = f->a + f->panel[j] + 1;
        const int *rows = f->rows + f->below[j];
        double own = y[j] * f->inverse_pivot[j];
        for (int i = 0; i < below_of(f, j); i++) own -= l[i] * y[rows[i]];
        y[j] = own;
    }
}

INLINE cord_status thin(sparse_ldl *f, double *y)
{
    const int *target = f->target;
    for (int j = 0; j < f->n; j++) {
        double *own = f->a + f->panel[j], d = own[0], inverse = 1 / d;
        const int *rows = f->rows + f->below[j];
        int below = below_of(f, j);
        f->inverse_pivot[j] = inverse;
        if (!is_pivot(d, inverse)) {
            f->bad_column = original_index(f, j);
            return CORD_ERROR_SINGULAR;
        }
        f->negative += d < 0;
        for (int i = 1; i <= below; i++) {
            double l = own[i] * inverse;
            for (int k = i; k <= below; k++) f->a[*target++] -= l * own[k];
            own[i] = l;
            if (y) y[rows[i - 1]] -= l * y[j];
        }
    }
    return CORD_OK;
}

#if WITH_WIDE_VECTORS
WIDE static cord_status thin_wide(sparse_ldl *f, double *y)
{
    return thin(f, y);
}

WIDE static void upper_wide(const sparse_ldl *f, double *y)
{
    f->thin ? thin_upper(f, y) : solve_upper_wide(f, y);
}
#endif

static void upper_narrow(const sparse_ldl *f, double *y)
{
    f->thin ? thin_upper(f, y) : solve_upper_narrow(f, y);
}

/* ---- either way --------------------------------------------------------------------------------------- */

void cord__sparse_begin(sparse_ldl *f)
{
    f->negative = 0;
    f->bad_column = -1;
}

cord_status cord__sparse_factor_panels(sparse_ldl *f, int begin, int end, double *y)
{
#if WITH_WIDE_VECTORS
    if (wide_vectors()) return f->thin ? thin_wide(f, y) : factor_wide(f, begin, end, y);
#endif
    return f->thin ? thin(f, y) : factor_narrow(f, begin, end, y);
}

void cord__sparse_solve_upper(const sparse_ldl *f, double *y)
{
#if WITH_WIDE_VECTORS
    if (wide_vectors()) {
        upper_wide(f, y);
        return;
    }
#endif
    upper_narrow(f, y);
}

cord_status cord__sparse_factor(sparse_ldl *f)
{
    cord__sparse_begin(f);
    return cord__sparse_factor_panels(f, 0, f->supernodes, NULL);
}

cord_status cord__sparse_factor_and_solve(sparse_ldl *f, const double *b, double *x)
{
    to_order(f, b);
    cord__sparse_begin(f);
    cord_status status = cord__sparse_factor_panels(f, 0, f->supernodes, f->x);
    if (status != CORD_OK) return status;
    cord__sparse_solve_upper(f, f->x);
    cord__sparse_from_order(f, x);
    return CORD_OK;
}

#define LOWER(variant)                                                                             \
    for (int s = 0; s < f->supernodes; s++) solve_lower_##variant(f, s, y)

#if WITH_WIDE_VECTORS
WIDE static void lower_wide(const sparse_ldl *f, double *y)
{
    LOWER(wide);
}
#endif

static void lower(const sparse_ldl *f, double *y)
{
#if WITH_WIDE_VECTORS
    if (!f->thin && wide_vectors()) {
        lower_wide(f, y);
        return;
    }
#endif
    if (f->thin)
        thin_lower(f, y);
    else
        LOWER(narrow);
}

void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x)
{
    to_order(f, b);
    lower(f, f->x);
    cord__sparse_solve_upper(f, f->x);
    cord__sparse_from_order(f, x);
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
