#include "math/inertia.h"

#include "math/band.h"
#include "math/callback.h"
#include "math/extended.h"

#include <math.h>

typedef struct extended {
    double hi, lo;
} extended;

/* The rounding error of the product p = a b. */
static inline double product_error(double a, double b, double p)
{
#ifdef FP_FAST_FMA
    return fma(a, b, -p);
#else
    const double split = 134217729; /* 2²⁷ + 1 */
    double a1 = split * a, b1 = split * b;
    a1 -= a1 - a, b1 -= b1 - b;
    double a2 = a - a1, b2 = b - b1;
    return ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
#endif
}

static inline extended normalised(double hi, double lo)
{
    double sum = hi + lo;
    return (extended){sum, lo - (sum - hi)};
}

static inline extended product(extended a, extended b)
{
    double p = a.hi * b.hi;
    return normalised(p, product_error(a.hi, b.hi, p) + (a.hi * b.lo + a.lo * b.hi));
}

/* c − a b */
static inline extended minus_product(extended c, extended a, extended b)
{
    extended p = product(a, b), sum = {c.hi, c.lo - p.lo};
    extended_add(&sum.hi, &sum.lo, -p.hi);
    return normalised(sum.hi, sum.lo);
}

/* One step of Newton's iteration from the reciprocal in double precision. */
static inline extended reciprocal(extended d)
{
    extended x = {1 / d.hi, 0}, rest = minus_product((extended){1, 0}, d, x);
    return normalised(x.hi, x.hi * rest.hi);
}

/* target[row[i]] −= l u[i], for i < count; row NULL: row[i] = i. */
static void subtract(int count, extended l, const double *u_hi, const double *u_lo, const int *row,
                     double *hi, double *lo)
{
    for (int i = 0; i < count; i++) {
        int at = row ? row[i] : i;
        extended t = minus_product((extended){hi[at], lo[at]}, l, (extended){u_hi[i], u_lo[i]});
        hi[at] = t.hi, lo[at] = t.lo;
    }
}

/* Counts a pivot; false: it is none. */
static bool take_pivot(extended d, extended *inverse, int *negative)
{
    d = normalised(d.hi, d.lo);
    *inverse = reciprocal(d);
    *negative += d.hi < 0;
    return isfinite(d.hi) && isfinite(inverse->hi) && isfinite(inverse->lo);
}

bool cord__band_inertia(int n, int width, double *hi, double *lo, int *negative)
{
    const size_t stride = BAND_STRIDE(width);
    *negative = 0;
    for (int j = 0; j < n; j++, hi += stride, lo += stride) {
        extended inverse;
        if (!take_pivot((extended){hi[0], lo[0]}, &inverse, negative)) return false;
        int rows = j + width < n ? width : n - 1 - j;
        for (int k = 1; k <= rows; k++) {
            size_t target = (size_t)k * stride;
            if (hi[k] == 0) continue;
            subtract(rows - k + 1, product((extended){hi[k], lo[k]}, inverse), hi + k, lo + k, NULL,
                     hi + target, lo + target);
        }
    }
    return true;
}

/* ---- sparse --------------------------------------------------------------------------------- */

size_t cord__sparse_size(const sparse_ldl *f)
{
    return f->panel[f->supernodes];
}

static int below_of(const sparse_ldl *f, int s)
{
    return (int)(f->below[s + 1] - f->below[s]);
}

static size_t stride_of(const sparse_ldl *f, int s)
{
    int rows = f->first[s + 1] - f->first[s] + below_of(f, s);
    return f->simplicial ? (size_t)rows : PANEL_ROWS(rows);
}

static int supernode_of(const sparse_ldl *f, int column)
{
    int low = 0, high = f->supernodes;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (f->first[middle] <= column)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The diagonal block: every column is subtracted from the later ones of its panel. The columns stay L D; the inverse
 * pivots are in f->inverse_pivot and f->x. */
static bool factor_panel(sparse_ldl *f, int s, double *lo, int *negative)
{
    const size_t stride = stride_of(f, s), at = f->panel[s];
    int width = f->first[s + 1] - f->first[s], rows = width + below_of(f, s);
    for (int c = 0; c < width; c++) {
        double *u_hi = f->a + at + (size_t)c * stride, *u_lo = lo + at + (size_t)c * stride;
        extended inverse;
        if (!take_pivot((extended){u_hi[c], u_lo[c]}, &inverse, negative)) return false;
        f->inverse_pivot[f->first[s] + c] = inverse.hi, f->x[f->first[s] + c] = inverse.lo;
        for (int k = c + 1; k < width; k++) {
            size_t target = at + (size_t)k * stride + (size_t)k;
            subtract(rows - k, product((extended){u_hi[k], u_lo[k]}, inverse), u_hi + k, u_lo + k,
                     NULL, f->a + target, lo + target);
        }
    }
    return true;
}

/* Rows i … of those below supernode s, as rows of the panel of supernode t. */
static void find_rows(const sparse_ldl *f, int s, int i, int t, int *row)
{
    const int *from = f->rows + f->below[s], *to = f->rows + f->below[t];
    int width = f->first[t + 1] - f->first[t];
    for (int k = 0; i < below_of(f, s); i++) {
        if (from[i] < f->first[t + 1]) {
            *row++ = from[i] - f->first[t];
            continue;
        }
        while (to[k] != from[i]) k++;
        *row++ = width + k;
    }
}

static void update_later(const sparse_ldl *f, int s, double *lo, int *row)
{
    const size_t stride = stride_of(f, s);
    int width = f->first[s + 1] - f->first[s], below = below_of(f, s);
    for (int i = 0; i < below; i++) {
        int column = f->rows[f->below[s] + (size_t)i], t = supernode_of(f, column);
        size_t target = f->panel[t] + (size_t)(column - f->first[t]) * stride_of(f, t);
        find_rows(f, s, i, t, row);
        for (int c = 0; c < width; c++) {
            size_t u = f->panel[s] + (size_t)c * stride + (size_t)(width + i);
            extended inverse = {f->inverse_pivot[f->first[s] + c], f->x[f->first[s] + c]};
            subtract(below - i, product((extended){f->a[u], lo[u]}, inverse), f->a + u, lo + u, row,
                     f->a + target, lo + target);
        }
    }
}

bool cord__sparse_inertia(sparse_ldl *f, double *lo, int *negative)
{
    int *row = (int *)(void *)f->scaled; /* workspace of at least the longest panel */
    *negative = 0;
    for (int s = 0; s < f->supernodes; s++) {
        if (cord__cancelled() || !factor_panel(f, s, lo, negative)) return false;
        update_later(f, s, lo, row);
    }
    return true;
}
