#include "math/sparse_ldl.h"
#include "math/wide.h"

#include <math.h>
#include <string.h>

void cord__sparse_clear(sparse_ldl *f)
{
    memset(f->a, 0, (size_t)f->slots * sizeof *f->a);
}

/* t_i -= Σ_k c_k l_{ik}, i < n, k < w, where column k of l begins at l + k*ld. The one hot loop:
 * four columns at a time, so that t is read and written once for four multiply-adds. */
static inline void subtract_columns(int n, int w, const double *restrict l, size_t ld,
                                    const double *restrict c, double *restrict t)
{
    int k = 0;
    for (; k + 4 <= w; k += 4) {
        const double *restrict l0 = l + (size_t)k * ld, *restrict l1 = l0 + ld;
        const double *restrict l2 = l1 + ld, *restrict l3 = l2 + ld;
        double c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
        for (int i = 0; i < n; i++) {
            t[i] -= (l0[i] * c0 + l1[i] * c1) + (l2[i] * c2 + l3[i] * c3);
        }
    }
    for (; k + 2 <= w; k += 2) {
        const double *restrict l0 = l + (size_t)k * ld, *restrict l1 = l0 + ld;
        double c0 = c[k], c1 = c[k + 1];
        for (int i = 0; i < n; i++) t[i] -= l0[i] * c0 + l1[i] * c1;
    }
    if (k < w) {
        const double *restrict l0 = l + (size_t)k * ld;
        double c0 = c[k];
        for (int i = 0; i < n; i++) t[i] -= l0[i] * c0;
    }
}

/* Σ_i l_i x_i in four interleaved sums: a fixed order that does not wait for each addition. */
static inline double dot(int n, const double *restrict l, const double *restrict x)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += l[i] * x[i], s1 += l[i + 1] * x[i + 1];
        s2 += l[i + 2] * x[i + 2], s3 += l[i + 3] * x[i + 3];
    }
    for (; i < n; i++) s0 += l[i] * x[i];
    return (s0 + s1) + (s2 + s3);
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

/* The triangle of `count` columns from `first`: u_ij = c_ij − Σ_{k<j} l_ik u_jk, d_j = u_jj, l_ij = u_ij/d_j.
 * Returns the place among them of the pivot that fails, or -1. */
static inline int factor_triangle(int count, int first, size_t ld, double *l, double *u,
                                  double *inverse, int *negative)
{
    for (int j = 0; j < count; j++) {
        double *own = l + (size_t)j * ld + first, *scaled = u + (size_t)j * ld + first;
        for (int k = 0; k < j; k++) {
            double factor = u[(size_t)k * ld + (size_t)(first + j)];
            for (int i = j; i < count; i++)
                own[i] -= l[(size_t)k * ld + (size_t)(first + i)] * factor;
        }
        double d = own[j];
        inverse[j] = 1 / d;
        /* Zero, not finite, or so small that its inverse overflows: no pivot. */
        if (!isfinite(d) || !isfinite(inverse[j])) return j;
        *negative += d < 0;
        for (int i = j + 1; i < count; i++) {
            scaled[i] = own[i];
            own[i] *= inverse[j];
        }
    }
    return -1;
}

/* column_j[place_i] −= piece_ij for i < n. Above the diagonal it writes what nothing reads. */
static inline void subtract_pieces(int count, int n, const double *piece, size_t ld,
                                   const int *column, const int *place, bool contiguous,
                                   double *target, size_t target_ld)
{
    for (int j = 0; j < count; j++, piece += ld) {
        double *restrict to = target + (size_t)column[j] * target_ld;
        if (contiguous)
            for (int i = j; i < n; i++) to[place[0] + i] -= piece[i];
        else
            for (int i = j; i < n; i++) to[place[i]] -= piece[i];
    }
}

#define INLINE static inline __attribute__((always_inline))

#define LANES 2
#define NAME(what) what##_narrow
#include "math/sparse_panel.h"
#undef LANES
#undef NAME

#if WITH_WIDE_VECTORS
#define LANES 8
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

static void place_values(sparse_ldl *f)
{
    memset(f->l, 0, f->panel[f->supernodes] * sizeof *f->l);
    for (int e = 0; e < f->slots; e++) f->l[f->home[e]] = f->a[e];
    f->negative = 0;
    f->bad_column = -1;
}

/* Right-looking: finish a panel, then let it act on all later ones. */
#define FACTOR(variant)                                                                            \
    for (int s = 0; s < f->supernodes; s++) {                                                      \
        int first = f->first[s],                                                                   \
            bad = factor_panel_##variant(width_of(f, s), stride_of(f, s), f->l + f->panel[s],      \
                                         f->scaled, f->inverse_pivot + first, &f->negative);       \
        if (bad >= 0) {                                                                            \
            f->bad_column = original_index(f, first + bad);                                        \
            return CORD_ERROR_SINGULAR;                                                            \
        }                                                                                          \
        update_ancestors_##variant(f, s);                                                          \
    }                                                                                              \
    return CORD_OK

#if WITH_WIDE_VECTORS
WIDE static cord_status factor_wide(sparse_ldl *f)
{
    place_values(f);
    FACTOR(wide);
}
#endif

static cord_status factor_narrow(sparse_ldl *f)
{
    place_values(f);
    FACTOR(narrow);
}

cord_status cord__sparse_factor(sparse_ldl *f)
{
#if WITH_WIDE_VECTORS
    if (wide_vectors()) return factor_wide(f);
#endif
    return factor_narrow(f);
}

/* L y = x in place. */
static void solve_lower(const sparse_ldl *f, double *x)
{
    for (int s = 0; s < f->supernodes; s++) {
        int w = width_of(f, s), m = below_of(f, s);
        size_t ld = stride_of(f, s);
        const double *l = f->l + f->panel[s];
        const int *rows = f->rows + f->below[s];
        double *own = x + f->first[s], *piece = f->piece;
        for (int j = 0; j + 1 < w; j++) {
            for (int i = j + 1; i < w; i++) own[i] -= l[(size_t)j * ld + i] * own[j];
        }
        memset(piece, 0, (size_t)m * sizeof *piece);
        subtract_columns(m, w, l + w, ld, own, piece);
        for (int i = 0; i < m; i++) x[rows[i]] += piece[i];
    }
}

/* D Lᵀ y = x in place, that is y = L⁻ᵀ D⁻¹ x. */
static void solve_upper(const sparse_ldl *f, double *x)
{
    for (int s = f->supernodes - 1; s >= 0; s--) {
        int w = width_of(f, s), m = below_of(f, s);
        size_t ld = stride_of(f, s);
        const double *l = f->l + f->panel[s], *inverse = f->inverse_pivot + f->first[s];
        const int *rows = f->rows + f->below[s];
        double *own = x + f->first[s], *piece = f->piece;
        for (int i = 0; i < m; i++) piece[i] = x[rows[i]];
        for (int j = w - 1; j >= 0; j--) {
            const double *column = l + (size_t)j * ld;
            double sum = dot(m, column + w, piece);
            for (int i = j + 1; i < w; i++) sum += column[i] * own[i];
            own[j] = own[j] * inverse[j] - sum;
        }
    }
}

static void solve(const sparse_ldl *f, const double *b, double *x)
{
    for (int i = 0; i < f->n; i++) f->x[f->p_inverse[i]] = b[i];
    solve_lower(f, f->x);
    solve_upper(f, f->x);
    for (int i = 0; i < f->n; i++) x[i] = f->x[f->p_inverse[i]];
}

#if WITH_WIDE_VECTORS
WIDE static void solve_wide(const sparse_ldl *f, const double *b, double *x)
{
    solve(f, b, x);
}
#endif

void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x)
{
#if WITH_WIDE_VECTORS
    if (wide_vectors()) {
        solve_wide(f, b, x);
        return;
    }
#endif
    solve(f, b, x);
}

void cord__sparse_multiply(const sparse_ldl *f, const double *x, double *y)
{
    double *u = f->x, *v = f->y;
    for (int i = 0; i < f->n; i++) u[f->p_inverse[i]] = x[i];
    for (int j = 0; j < f->n; j++) v[j] = f->a[f->column[j]] * u[j];
    for (int j = 0; j < f->n; j++) {
        double sum = 0;
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++) {
            v[f->row[e]] += f->a[e] * u[j];
            sum += f->a[e] * u[f->row[e]];
        }
        v[j] += sum;
    }
    for (int i = 0; i < f->n; i++) y[i] = v[f->p_inverse[i]];
}

void cord__sparse_free(sparse_ldl *f, memory *m)
{
    void *owned[] = {f->p_inverse, f->diagonal, f->column,       f->row,      f->a,
                     f->first,     f->below,    f->rows,         f->panel,    f->panels,
                     f->home,      f->updates,  f->update_start, f->relative, f->inverse_pivot,
                     f->x,         f->y,        f->piece,        f->scaled};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
    memset(f, 0, sizeof *f);
}
