#include "math/tridiagonal.h"

#include <string.h>

/* l_i = e_i / d_i,  d_{i+1} -= l_i e_i,  b_{i+1} -= l_i b_i; l replaces e. The running pivot and
 * right-hand side stay in registers: the division is the only latency between unknowns. */
static int eliminate(int n, double *restrict d, double *restrict e, double *restrict b)
{
    if (n < 1) return 0;
    int bad = !(d[0] > 0);
    double pivot = d[0], rhs = b[0];
    for (int i = 0; i + 1 < n; i++) {
        double l = e[i] / pivot;
        pivot = d[i + 1] - l * e[i];
        rhs = b[i + 1] - l * rhs;
        e[i] = l;
        d[i + 1] = pivot;
        b[i + 1] = rhs;
        bad += !(pivot > 0);
    }
    return bad;
}

/* x_i = b_i / d_i − l_i x_{i+1} */
static void substitute(int n, const double *restrict d, const double *restrict l,
                       double *restrict b)
{
    if (n < 1) return;
    double x = b[n - 1] /= d[n - 1];
    for (int i = n - 2; i >= 0; i--) b[i] = x = b[i] / d[i] - l[i] * x;
}

/* Elimination from both ends to the middle ("twisted" factorisation) and substitution back: two
 * chains of divisions, whose latency limits the speed, run side by side. */
int cord__tridiagonal_solve(int n, double *restrict d, double *restrict e, double *restrict b)
{
    if (n < 1) return 0;
    int middle = n / 2, i = 0, j = n - 1, bad = 0;
    double up = d[i], up_rhs = b[i], down = d[j],
           down_rhs = b[j]; /* running pivots and right-hand sides */
    for (; i + 1 < middle || j - 1 > middle; i++, j--) {
        if (i + 1 < middle) {
            double l = e[i] / up;
            bad += !(up > 0);
            up = d[i + 1] -= l * e[i];
            up_rhs = b[i + 1] -= l * up_rhs;
            e[i] = l;
        }
        if (j - 1 > middle) {
            double l = e[j - 1] / down;
            bad += !(down > 0);
            down = d[j - 1] -= l * e[j - 1];
            down_rhs = b[j - 1] -= l * down_rhs;
            e[j - 1] = l;
        }
    }
    for (int side = -1; side <= 1; side += 2) {
        int k = middle + side, off = side < 0 ? k : middle;
        if (k < 0 || k >= n) continue;
        double l = e[off] / d[k];
        bad += !(d[k] > 0);
        d[middle] -= l * e[off];
        b[middle] -= l * b[k];
        e[off] = l;
    }
    bad += !(d[middle] > 0);
    double left = b[middle] /= d[middle], right = left;
    for (i = middle - 1, j = middle + 1; i >= 0 || j < n; i--, j++) {
        if (i >= 0) b[i] = left = b[i] / d[i] - e[i] * left;
        if (j < n) b[j] = right = b[j] / d[j] - e[j - 1] * right;
    }
    return bad;
}

/* Bordering: T is the matrix of the first n-1 unknowns, u their coupling to the last one:
 *     [T u; uᵀ δ] [x; ξ] = [b; β]:   ξ = (β − uᵀ T⁻¹ b) / (δ − uᵀ T⁻¹ u),   x = T⁻¹ b − ξ T⁻¹ u
 * u has two nonzero entries, so that its products have two terms each. */
int cord__cyclic_solve(int n, double *d, double *e, double corner, double *b, double *work)
{
    if (n < 3) {
        if (n == 2) e[0] += corner;
        return cord__tridiagonal_solve(n, d, e, b);
    }
    int last = n - 1;
    double u0 = corner, u1 = e[last - 1];
    int bad = eliminate(last, d, e, b);
    substitute(last, d, e, b);

    memset(work, 0, (size_t)last * sizeof *work);
    work[0] = u0;
    work[last - 1] = u1;
    for (int i = 0; i + 1 < last; i++) work[i + 1] -= e[i] * work[i];
    substitute(last, d, e, work);

    double pivot = d[last] - (u0 * work[0] + u1 * work[last - 1]);
    b[last] = (b[last] - (u0 * b[0] + u1 * b[last - 1])) / pivot;
    for (int i = 0; i < last; i++) b[i] -= b[last] * work[i];
    return bad + !(pivot > 0);
}
