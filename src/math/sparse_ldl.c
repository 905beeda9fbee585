#include "math/sparse_ldl.h"
#include "math/wide.h"

#include <math.h>
#include <string.h>

void cord__sparse_clear(sparse_ldl *f)
{
    memset(f->a, 0, (size_t)f->slots * sizeof *f->a);
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
    if (count == PANEL_COLUMNS && !contiguous) {
        double *to0 = target + (size_t)column[0] * target_ld;
        double *to1 = target + (size_t)column[1] * target_ld;
        double *to2 = target + (size_t)column[2] * target_ld;
        double *to3 = target + (size_t)column[3] * target_ld;
        for (int i = 0; i < n; i++) {
            const double *own = piece + i;
            int at = place[i];
            double next0 = to0[at] - own[0], next1 = to1[at] - own[ld];
            double next2 = to2[at] - own[2 * ld], next3 = to3[at] - own[3 * ld];
            to0[at] = next0, to1[at] = next1, to2[at] = next2, to3[at] = next3;
        }
        return;
    }
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

#define SOLVE(variant)                                                                             \
    for (int i = 0; i < f->n; i++) f->x[f->p_inverse[i]] = b[i];                                   \
    solve_lower_##variant(f, f->x);                                                                \
    solve_upper_##variant(f, f->x);                                                                \
    for (int i = 0; i < f->n; i++) x[i] = f->x[f->p_inverse[i]]

#if WITH_WIDE_VECTORS
WIDE static void solve_wide(const sparse_ldl *f, const double *b, double *x)
{
    SOLVE(wide);
}
#endif

static void solve_narrow(const sparse_ldl *f, const double *b, double *x)
{
    SOLVE(narrow);
}

void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x)
{
#if WITH_WIDE_VECTORS
    if (wide_vectors()) {
        solve_wide(f, b, x);
        return;
    }
#endif
    solve_narrow(f, b, x);
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
    void *owned[] = {f->p_inverse,    f->diagonal, f->column,        f->row,    f->a,    f->first,
                     f->below,        f->rows,     f->panel,         f->panels, f->home, f->updates,
                     f->update_start, f->relative, f->inverse_pivot, f->x,      f->y};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
    memset(f, 0, sizeof *f);
}
