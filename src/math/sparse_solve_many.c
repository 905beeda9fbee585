/* L D Lᵀ X = B for several right-hand sides: a row of X is one vector, so that every operation serves all of them. */
#include "math/multiversion.h"
#include "math/sparse_ldl.h"

typedef double values __attribute__((vector_size(8 * SPARSE_COLUMNS), aligned(8), may_alias));

/* Rows below a panel, or columns of it, that are treated together: each row of X that is read serves as many. */
enum { TOGETHER = 4 };

typedef struct panel {
    int width, below;
    size_t stride;   /* doubles from one column to the next */
    const double *l; /* its diagonal block, then the rows below */
    const int *rows;
    const double *inverse_pivot;
    values *x; /* of its columns */
} panel;

INLINE panel panel_at(const sparse_ldl *f, int s, values *x)
{
    int first = f->first[s], width = f->first[s + 1] - first;
    int below = (int)(f->below[s + 1] - f->below[s]);
    return (panel){width,
                   below,
                   PANEL_ROWS(width + below),
                   f->a + f->panel[s],
                   f->rows + f->below[s],
                   f->inverse_pivot + first,
                   x + first};
}

/* x_i −= Σ_j l_ij y_j for `count` rows below. */
INLINE void subtract_rows(const panel *p, int count, int i, values *x)
{
    values sum[TOGETHER];
    for (int r = 0; r < count; r++) sum[r] = x[p->rows[i + r]];
    for (int j = 0; j < p->width; j++) {
        const double *l = p->l + (size_t)j * p->stride + p->width + i;
        values y = p->x[j];
        for (int r = 0; r < count; r++) sum[r] -= l[r] * y;
    }
    for (int r = 0; r < count; r++) x[p->rows[i + r]] = sum[r];
}

/* L Y = X, the contribution of one panel. */
INLINE void lower(const panel *p, values *x)
{
    for (int j = 0; j < p->width; j++) {
        const double *l = p->l + (size_t)j * p->stride;
        for (int i = j + 1; i < p->width; i++) p->x[i] -= l[i] * p->x[j];
    }
    int i = 0;
    for (; i + TOGETHER <= p->below; i += TOGETHER) subtract_rows(p, TOGETHER, i, x);
    for (; i < p->below; i++) subtract_rows(p, 1, i, x);
}

/* x_j = y_j/d_j − Σ_i l_ij x_i for `count` columns up to `end`, after all later ones. */
INLINE void upper_columns(const panel *p, int count, int end, const values *x)
{
    const int first = end - count;
    const double *l = p->l + (size_t)first * p->stride;
    values sum[TOGETHER];
    for (int c = 0; c < count; c++) sum[c] = p->x[first + c] * p->inverse_pivot[first + c];
    for (int i = 0; i < p->below; i++) {
        values known = x[p->rows[i]];
        for (int c = 0; c < count; c++) sum[c] -= l[(size_t)c * p->stride + p->width + i] * known;
    }
    for (int i = end; i < p->width; i++)
        for (int c = 0; c < count; c++) sum[c] -= l[(size_t)c * p->stride + i] * p->x[i];
    for (int c = count - 1; c >= 0; c--) {
        for (int i = c + 1; i < count; i++) sum[c] -= l[(size_t)c * p->stride + first + i] * sum[i];
        p->x[first + c] = sum[c];
    }
}

/* D Lᵀ X = Y, the columns of one panel. */
INLINE void upper(const panel *p, const values *x)
{
    int end = p->width;
    for (; end >= TOGETHER; end -= TOGETHER) upper_columns(p, TOGETHER, end, x);
    for (; end > 0; end--) upper_columns(p, 1, end, x);
}

INLINE void solve(const sparse_ldl *f, double *x)
{
    values *rows = (values *)x;
    for (int s = 0; s < f->supernodes; s++) {
        panel p = panel_at(f, s, rows);
        lower(&p, rows);
    }
    for (int s = f->supernodes - 1; s >= 0; s--) {
        panel p = panel_at(f, s, rows);
        upper(&p, rows);
    }
}

MULTIVERSION(cord__sparse_solve_many, solve, (const sparse_ldl *f, double *x), (f, x))
