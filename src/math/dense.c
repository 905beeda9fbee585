#include "math/dense.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The compiler's vector extension: every processor has vectors of two doubles, and the order of
 * operations stays as written. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* Register blocking: columns are factored in panels of four. The first panel takes the n mod 4
 * columns, so that every later panel has whole tiles of 4 × 4 below it. A tile stays in registers
 * while the columns before it, CHUNK at a time, are subtracted from it. */
enum { PANEL = 4, CHUNK = 256 };

/* Four rows of four columns: rows 2p, 2p + 1 of column c are at t[c][p]. */
typedef struct tile {
    pair t[PANEL][2];
} tile;

INLINE tile load(const double *a, size_t stride)
{
    tile x;
    for (size_t c = 0; c < PANEL; c++) {
        x.t[c][0] = *(const pair *)(a + c * stride);
        x.t[c][1] = *(const pair *)(a + c * stride + 2);
    }
    return x;
}

INLINE void store(const tile *x, double *a, size_t stride)
{
    for (size_t c = 0; c < PANEL; c++) {
        *(pair *)(a + c * stride) = x->t[c][0];
        *(pair *)(a + c * stride + 2) = x->t[c][1];
    }
}

/* t_rc −= Σ_k l_rk u_ck, k in order; column k of l is at l + k·stride, u_ck at u[4k + c]. */
INLINE void subtract(tile *x, int count, const double *l, size_t stride, const double *u)
{
    pair a0 = x->t[0][0], b0 = x->t[0][1], a1 = x->t[1][0], b1 = x->t[1][1];
    pair a2 = x->t[2][0], b2 = x->t[2][1], a3 = x->t[3][0], b3 = x->t[3][1];
    for (int k = 0; k < count; k++, l += stride, u += PANEL) {
        pair p = *(const pair *)l, q = *(const pair *)(l + 2);
        a0 -= p * u[0], b0 -= q * u[0];
        a1 -= p * u[1], b1 -= q * u[1];
        a2 -= p * u[2], b2 -= q * u[2];
        a3 -= p * u[3], b3 -= q * u[3];
    }
    x->t[0][0] = a0, x->t[0][1] = b0, x->t[1][0] = a1, x->t[1][1] = b1;
    x->t[2][0] = a2, x->t[2][1] = b2, x->t[3][0] = a3, x->t[3][1] = b3;
}

/* u_ck = d_k l_ck for the panel's four rows c and columns first <= k < first + count. */
static void pack(int first, int count, int panel, const double *a, size_t stride, double *u)
{
    const double *column = a + (size_t)first * stride;
    for (int k = 0; k < count; k++, column += stride, u += PANEL)
        for (int c = 0; c < PANEL; c++) u[c] = column[panel + c] * column[first + k];
}

static bool is_pivot(double d)
{
    return isfinite(d) && isfinite(1 / d);
}

/* Columns 0 .. width-1 of n rows, with no columns before them: right-looking,
 *     l_i = a_i / d,   a_im −= l_i (d l_m)    for columns m to the right. */
static int factor_first(int n, int width, double *a, size_t stride, int *negative)
{
    for (int j = 0; j < width; j++) {
        double *column = a + (size_t)j * stride, d = column[j];
        if (!is_pivot(d)) return j;
        *negative += d < 0;
        double inverse = 1 / d;
        for (int i = j + 1; i < n; i++) column[i] *= inverse;
        for (int m = j + 1; m < width; m++) {
            double u = column[m] * d, *target = a + (size_t)m * stride;
            for (int i = m; i < n; i++) target[i] -= column[i] * u;
        }
    }
    return -1;
}

/* The diagonal tile, whose upper half is not stored: the updates from the columns before it, then
 * its own four columns. `a` is its corner, `l` the same rows of the first of the columns before it. */
static int factor_corner(int count, double *a, size_t stride, const double *l, const double *u,
                         int *negative)
{
    double corner[PANEL * PANEL] = {0};
    for (size_t c = 0; c < PANEL; c++)
        for (size_t r = c; r < PANEL; r++) corner[PANEL * c + r] = a[c * stride + r];
    tile x = load(corner, PANEL);
    subtract(&x, count, l, stride, u);
    store(&x, corner, PANEL);
    int failed = factor_first(PANEL, PANEL, corner, PANEL, negative);
    for (size_t c = 0; c < PANEL; c++)
        for (size_t r = c; r < PANEL; r++) a[c * stride + r] = corner[PANEL * c + r];
    return failed;
}

/* The panel's own columns applied to a tile below the diagonal tile: with w = a − (columns before),
 *     w_c −= Σ_{k<c} w_k l_ck,   then   l_c = w_c / d_c. */
INLINE void eliminate_within_panel(tile *x, const double *corner, size_t stride)
{
    for (size_t p = 0; p < 2; p++)
        for (size_t k = 0; k < PANEL; k++) {
            const double *column = corner + k * stride;
            pair w = x->t[k][p];
            for (size_t c = k + 1; c < PANEL; c++) x->t[c][p] -= w * column[c];
        }
}

INLINE void scale(tile *x, const double inverse[PANEL])
{
    for (size_t c = 0; c < PANEL; c++) x->t[c][0] *= inverse[c], x->t[c][1] *= inverse[c];
}

/* Subtracts columns first .. first+count-1 from all rows of columns j .. j+3, before the last
 * CHUNK. */
static void update_panel(int n, int j, int first, int count, double *a, size_t stride,
                         const double *u)
{
    const double *l = a + (size_t)first * stride;
    double *panel = a + (size_t)j * stride;
    for (int c = 0; c < PANEL; c++)
        for (int r = c; r < PANEL; r++) {
            double *entry = panel + (size_t)c * stride + j + r;
            for (int k = 0; k < count; k++)
                *entry -= l[(size_t)k * stride + (size_t)(j + r)] * u[PANEL * k + c];
        }
    for (int i = j + PANEL; i < n; i += PANEL) {
        tile x = load(panel + i, stride);
        subtract(&x, count, l + i, stride, u);
        store(&x, panel + i, stride);
    }
}

/* Left-looking: columns j .. j+3, after all columns before them. */
static int factor_panel(int n, int j, double *a, size_t stride, int *negative)
{
    double u[PANEL * CHUNK], *panel = a + (size_t)j * stride;
    int first = 0;
    for (; j - first > CHUNK; first += CHUNK) {
        pack(first, CHUNK, j, a, stride, u);
        update_panel(n, j, first, CHUNK, a, stride, u);
    }
    const double *l = a + (size_t)first * stride;
    int count = j - first;
    pack(first, count, j, a, stride, u);
    int failed = factor_corner(count, panel + j, stride, l + j, u, negative);
    if (failed >= 0) return j + failed;
    double inverse[PANEL];
    for (size_t c = 0; c < PANEL; c++) inverse[c] = 1 / panel[c * stride + (size_t)j + c];
    for (int i = j + PANEL; i < n; i += PANEL) {
        tile x = load(panel + i, stride);
        subtract(&x, count, l + i, stride, u);
        eliminate_within_panel(&x, panel + j, stride);
        scale(&x, inverse);
        store(&x, panel + i, stride);
    }
    return -1;
}

int cord__dense_factor(int n, int stride, double *a, int *negative)
{
    int count = 0, j = n % PANEL;
    int failed = factor_first(n, j, a, (size_t)stride, &count);
    for (; failed < 0 && j < n; j += PANEL) failed = factor_panel(n, j, a, (size_t)stride, &count);
    if (failed < 0) *negative = count;
    return failed;
}

/* ---- solving -------------------------------------------------------------------------------- */

/* x_i −= Σ_c l_ic y_c over four columns, so that x is read and written once for the four. */
static void subtract_four(int n, const double *l, size_t stride, const double *y, double *x)
{
    const double *l0 = l, *l1 = l0 + stride, *l2 = l1 + stride, *l3 = l2 + stride;
    for (int i = 0; i < n; i += 2)
        *(pair *)(x + i) -= (*(const pair *)(l0 + i) * y[0] + *(const pair *)(l1 + i) * y[1]) +
                            (*(const pair *)(l2 + i) * y[2] + *(const pair *)(l3 + i) * y[3]);
}

/* y_c −= Σ_i l_ic x_i over four columns. */
static void subtract_products(int n, const double *l, size_t stride, const double *x, double *y)
{
    const double *l0 = l, *l1 = l0 + stride, *l2 = l1 + stride, *l3 = l2 + stride;
    pair s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (int i = 0; i < n; i += 2) {
        pair p = *(const pair *)(x + i);
        s0 += *(const pair *)(l0 + i) * p, s1 += *(const pair *)(l1 + i) * p;
        s2 += *(const pair *)(l2 + i) * p, s3 += *(const pair *)(l3 + i) * p;
    }
    y[0] -= s0[0] + s0[1], y[1] -= s1[0] + s1[1];
    y[2] -= s2[0] + s2[1], y[3] -= s3[0] + s3[1];
}

void cord__dense_solve(int n, int stride, const double *a, double *x)
{
    const size_t s = (size_t)stride;
    const int first = n % PANEL;
    for (int k = 0; k < first; k++)
        for (int i = k + 1; i < n; i++) x[i] -= a[(size_t)k * s + (size_t)i] * x[k];
    for (int j = first; j < n; j += PANEL) {
        const double *l = a + (size_t)j * s + j;
        double *y = x + j;
        y[1] -= l[1] * y[0];
        y[2] -= l[2] * y[0] + l[s + 2] * y[1];
        y[3] -= l[3] * y[0] + l[s + 3] * y[1] + l[2 * s + 3] * y[2];
        subtract_four(n - j - PANEL, l + PANEL, s, y, y + PANEL);
    }
    for (int i = 0; i < n; i++) x[i] /= a[(size_t)i * s + (size_t)i];
    for (int j = n - PANEL; j >= first; j -= PANEL) {
        const double *l = a + (size_t)j * s + j;
        double *y = x + j;
        subtract_products(n - j - PANEL, l + PANEL, s, y + PANEL, y);
        y[2] -= l[2 * s + 3] * y[3];
        y[1] -= l[s + 3] * y[3] + l[s + 2] * y[2];
        y[0] -= l[3] * y[3] + l[2] * y[2] + l[1] * y[1];
    }
    for (int k = first - 1; k >= 0; k--)
        for (int i = n - 1; i > k; i--) x[k] -= a[(size_t)k * s + (size_t)i] * x[i];
}
