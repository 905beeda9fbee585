/* L D Lᵀ X = B for several right-hand sides: a row of X is two vectors, so that every operation serves all of them. */
#include "math/multiversion.h"
#include "math/sparse_ldl.h"

/* Half a row: without AVX-512 vectors of a whole one go through memory. */
enum { HALVES = 2 };
typedef double half
    __attribute__((vector_size(8 * SPARSE_COLUMNS / HALVES), aligned(8), may_alias));

/* Rows below a panel, or columns of it, that are treated together: each row of X that is read serves as many. */
enum { TOGETHER = 4 };

typedef struct panel {
    int width, below;
    size_t stride;   /* doubles from one column to the next */
    const double *l; /* its diagonal block, then the rows below */
    const int *rows;
    const double *inverse_pivot;
    half *x; /* of its columns */
} panel;

INLINE panel panel_at(const sparse_ldl *f, int s, half *x)
{
    int first = f->first[s], width = f->first[s + 1] - first;
    int below = (int)(f->below[s + 1] - f->below[s]);
    return (panel){width,
                   below,
                   PANEL_ROWS(width + below),
                   f->a + f->panel[s],
                   f->rows + f->below[s],
                   f->inverse_pivot + first,
                   x + HALVES * (size_t)first};
}

INLINE half *row_of(half *x, int row)
{
    return x + HALVES * (size_t)row;
}

INLINE void load(half to[HALVES], const half *from)
{
    for (int h = 0; h < HALVES; h++) to[h] = from[h];
}

INLINE void subtract(half from[HALVES], double l, const half y[HALVES])
{
    for (int h = 0; h < HALVES; h++) from[h] -= l * y[h];
}

/* x_i −= Σ_j l_ij y_j for `count` rows below. */
INLINE void subtract_rows(const panel *p, const int count, int i, half *x)
{
    half sum[TOGETHER][HALVES];
    UNROLLED
    for (int r = 0; r < count; r++) load(sum[r], row_of(x, p->rows[i + r]));
    for (int j = 0; j < p->width; j++) {
        const double *l = p->l + (size_t)j * p->stride + p->width + i;
        half y[HALVES];
        load(y, row_of(p->x, j));
        UNROLLED
        for (int r = 0; r < count; r++) subtract(sum[r], l[r], y);
    }
    UNROLLED
    for (int r = 0; r < count; r++) load(row_of(x, p->rows[i + r]), sum[r]);
}

/* L Y = X, the contribution of one panel. */
INLINE void lower(const panel *p, half *x)
{
    for (int j = 0; j < p->width; j++) {
        const double *l = p->l + (size_t)j * p->stride;
        for (int i = j + 1; i < p->width; i++) subtract(row_of(p->x, i), l[i], row_of(p->x, j));
    }
    int i = 0;
    for (; i + TOGETHER <= p->below; i += TOGETHER) subtract_rows(p, TOGETHER, i, x);
    for (; i < p->below; i++) subtract_rows(p, 1, i, x);
}

/* x_j = y_j/d_j − Σ_i l_ij x_i for `count` columns up to `end`, after all later ones. */
INLINE void upper_columns(const panel *p, const int count, int end, half *x)
{
    const int first = end - count;
    const double *l = p->l + (size_t)first * p->stride;
    half sum[TOGETHER][HALVES], known[HALVES];
    UNROLLED
    for (int c = 0; c < count; c++)
        for (int h = 0; h < HALVES; h++)
            sum[c][h] = row_of(p->x, first + c)[h] * p->inverse_pivot[first + c];
    for (int i = 0; i < p->below; i++) {
        load(known, row_of(x, p->rows[i]));
        UNROLLED
        for (int c = 0; c < count; c++)
            subtract(sum[c], l[(size_t)c * p->stride + p->width + i], known);
    }
    for (int i = end; i < p->width; i++) {
        load(known, row_of(p->x, i));
        UNROLLED
        for (int c = 0; c < count; c++) subtract(sum[c], l[(size_t)c * p->stride + i], known);
    }
    UNROLLED
    for (int c = count - 1; c >= 0; c--) {
        UNROLLED
        for (int i = c + 1; i < count; i++)
            subtract(sum[c], l[(size_t)c * p->stride + first + i], sum[i]);
        load(row_of(p->x, first + c), sum[c]);
    }
}

/* D Lᵀ X = Y, the columns of one panel. */
INLINE void upper(const panel *p, half *x)
{
    int end = p->width;
    for (; end >= TOGETHER; end -= TOGETHER) upper_columns(p, TOGETHER, end, x);
    for (; end > 0; end--) upper_columns(p, 1, end, x);
}

/* Every panel is one column. */
INLINE void solve_columns(const sparse_ldl *f, half *x)
{
    half own[HALVES];
    for (int j = 0; j < f->n; j++) {
        const double *l = f->a + f->panel[j] + 1;
        load(own, row_of(x, j));
        for (size_t i = f->below[j]; i < f->below[j + 1]; i++)
            subtract(row_of(x, f->rows[i]), *l++, own);
    }
    for (int j = f->n - 1; j >= 0; j--) {
        const double *l = f->a + f->panel[j] + 1;
        for (int h = 0; h < HALVES; h++) own[h] = row_of(x, j)[h] * f->inverse_pivot[j];
        for (size_t i = f->below[j]; i < f->below[j + 1]; i++)
            subtract(own, *l++, row_of(x, f->rows[i]));
        load(row_of(x, j), own);
    }
}

INLINE void solve(const sparse_ldl *f, double *values)
{
    half *x = (half *)(void *)values;
    if (f->simplicial) {
        solve_columns(f, x);
        return;
    }
    for (int s = 0; s < f->supernodes; s++) {
        panel p = panel_at(f, s, x);
        lower(&p, x);
    }
    for (int s = f->supernodes - 1; s >= 0; s--) {
        panel p = panel_at(f, s, x);
        upper(&p, x);
    }
}

MULTIVERSION(cord__sparse_solve_many, solve, (const sparse_ldl *f, double *x), (f, x))
