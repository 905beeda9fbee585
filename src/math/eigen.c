#include "math/eigen.h"

#include "math/callback.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Golub and Van Loan, Matrix Computations, 4th edition: sections 8.3.1 (Householder tridiagonal
 * form), 8.3.5 (implicit shifts; here from the other end, "QL", as in EISPACK) and 8.7.2
 * (generalised problem). */

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void add_multiple(int n, double factor, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] += factor * x[i];
}

/* ---- to tridiagonal form ---------------------------------------------------------------------- */

/* Householder reflector H = I − τ v vᵀ with v_0 = 1 and H x = (β, 0, …, 0). v replaces x; β is
 * returned. τ = 0 when x is already of that form. */
static double reflector(int n, double *x, double *tau)
{
    double beta = x[0], below = dot(n - 1, x + 1, x + 1);
    *tau = 0;
    if (below != 0) { /* a NaN passes the test and so reaches the result */
        double first = x[0], size = sqrt(first * first + below);
        beta = first > 0 ? -size : size; /* no cancellation in first − β */
        *tau = (beta - first) / beta;
        for (int i = 1; i < n; i++) x[i] /= first - beta;
    }
    x[0] = 1;
    return beta;
}

/* p = A v, the lower triangle of A given. */
static void multiply(int n, int stride, const double *a, const double *v, double *p)
{
    memset(p, 0, (size_t)n * sizeof *p);
    for (int j = 0; j < n; j++) {
        const double *column = a + (size_t)j * (size_t)stride;
        p[j] += column[j] * v[j] + dot(n - j - 1, column + j + 1, v + j + 1);
        add_multiple(n - j - 1, v[j], column + j + 1, p + j + 1);
    }
}

/* A ← H A H = A − v wᵀ − w vᵀ,   p = τ A v,   w = p − τ/2 (pᵀv) v. */
static void reflect_both(int n, int stride, double *a, const double *v, double tau, double *w)
{
    multiply(n, stride, a, v, w);
    for (int i = 0; i < n; i++) w[i] *= tau;
    add_multiple(n, -tau / 2 * dot(n, w, v), v, w);
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * (size_t)stride;
        for (int i = j; i < n; i++) column[i] -= v[i] * w[j] + w[i] * v[j];
    }
}

/* Diagonal d and subdiagonal e (e_k between k and k + 1) of Qᵀ A Q; the reflectors stay below the
 * subdiagonal of `a` and in tau. */
static void tridiagonalise(int n, int stride, double *a, double *d, double *e, double *tau,
                           double *work)
{
    for (int k = 0; k < n && !cord__cancelled(); k++) { /* diagonalise() ends a cancelled call */
        double *column = a + (size_t)k * (size_t)stride, *v = column + k + 1;
        int m = n - k - 1;
        d[k] = column[k];
        e[k] = tau[k] = 0;
        if (m > 0) e[k] = reflector(m, v, &tau[k]);
        if (tau[k] != 0) reflect_both(m, stride, v + stride, v, tau[k], work);
    }
}

/* `a` becomes Q = H_0 H_1 …, from the last reflector to the first: each changes only the lower
 * right corner that the later ones have filled. */
static void accumulate(int n, int stride, double *a, const double *tau)
{
    for (int k = n - 1; k >= 0; k--) {
        double *v = a + (size_t)k * (size_t)stride + k + 1;
        int m = n - k - 1;
        for (int j = k + 1; j < n && tau[k] != 0; j++) {
            double *column = a + (size_t)j * (size_t)stride + k + 1;
            add_multiple(m, -tau[k] * dot(m, v, column), v, column);
        }
        double *column = a + (size_t)k * (size_t)stride;
        memset(column, 0, (size_t)n * sizeof *column);
        column[k] = 1;
    }
}

/* ---- implicit QL ------------------------------------------------------------------------------ */

/* Columns x, y ← c x − s y, s x + c y */
static void rotate(int n, double c, double s, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double left = x[i], right = y[i];
        x[i] = c * left - s * right;
        y[i] = s * left + c * right;
    }
}

/* Deflation: the first m >= first with |e_m| <= ε (|d_m| + |d_m+1| + ε). The last ε is the
 * round-off of the whole matrix, which is scaled to size 1. */
static int block_end(int n, int first, const double *d, const double *e)
{
    int m = first;
    for (; m < n - 1; m++)
        if (fabs(e[m]) <= DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1]) + DBL_EPSILON)) break;
    return m;
}

/* One QL sweep over the block first..last with Wilkinson's shift: the eigenvalue of the leading 2 ×
 * 2 nearer to d_first. q: the columns that the rotations are applied to, or NULL. */
static void sweep(int n, int stride, int first, int last, double *d, double *e, double *q)
{
    double half = (d[first + 1] - d[first]) / (2 * e[first]);
    double root = hypot(half, 1);
    double g = d[last] - d[first] + e[first] / (half + copysign(root, half));
    double s = 1, c = 1, shift = 0;
    for (int i = last - 1; i >= first; i--) {
        double f = s * e[i], b = c * e[i], r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) { /* the block splits here; the rotations so far are valid */
            d[i + 1] -= shift;
            e[last] = 0;
            return;
        }
        s = f / r, c = g / r;
        g = d[i + 1] - shift;
        r = (d[i] - g) * s + 2 * c * b;
        shift = s * r;
        d[i + 1] = g + shift;
        g = c * r - b;
        if (q)
            rotate(n, c, s, q + (size_t)i * (size_t)stride, q + (size_t)(i + 1) * (size_t)stride);
    }
    d[first] -= shift;
    e[first] = g;
    e[last] = 0;
}

enum { SWEEPS = 60 }; /* per eigenvalue; about two are needed */

static eigen_status diagonalise(int n, int stride, double *d, double *e, double *q)
{
    for (int k = 0; k < n; k++) {
        int last, sweeps = 0;
        if (cord__cancelled()) return EIGEN_NOT_CONVERGED;
        while ((last = block_end(n, k, d, e)) > k) {
            if (sweeps++ == SWEEPS) return EIGEN_NOT_CONVERGED;
            sweep(n, stride, k, last, d, e, q);
        }
        if (!isfinite(d[k])) return EIGEN_NOT_CONVERGED;
    }
    return EIGEN_OK;
}

/* ---- the standard problem ----------------------------------------------------------------------- */

static void swap(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double previous = x[i];
        x[i] = y[i], y[i] = previous;
    }
}

static void sort(int n, int stride, double *values, double *vectors)
{
    for (int k = 0; k < n - 1; k++) {
        int least = k;
        for (int i = k + 1; i < n; i++)
            if (values[i] < values[least]) least = i;
        if (least == k) continue;
        swap(1, values + k, values + least);
        if (vectors)
            swap(n, vectors + (size_t)k * (size_t)stride, vectors + (size_t)least * (size_t)stride);
    }
}

/* The power of two that scales the largest entry to about 1, so that no square over- or underflows. */
static int magnitude(int n, int stride, const double *a)
{
    double largest = 0;
    int exponent = 0;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            largest = fmax(largest, fabs(a[(size_t)j * (size_t)stride + (size_t)i]));
    if (isfinite(largest)) frexp(largest, &exponent);
    return exponent;
}

eigen_status cord__eigen(int n, int stride, double *a, bool vectors, double *values, double *work)
{
    double *e = work, *tau = work + n;
    int exponent = magnitude(n, stride, a);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double *entry = a + (size_t)j * (size_t)stride + i;
            *entry = ldexp(*entry, -exponent);
        }
    tridiagonalise(n, stride, a, values, e, tau, work + 2 * n);
    if (vectors) accumulate(n, stride, a, tau);
    eigen_status status = diagonalise(n, stride, values, e, vectors ? a : NULL);
    if (status != EIGEN_OK) return status;
    sort(n, stride, values, vectors ? a : NULL);
    for (int k = 0; k < n; k++) values[k] = ldexp(values[k], exponent);
    return EIGEN_OK;
}

/* ---- the generalised problem -------------------------------------------------------------------- */

/* Each column x of a ← L⁻¹ x, L unit lower triangular. */
static void forward(int n, int stride, const double *l, double *a)
{
    for (int j = 0; j < n; j++) {
        double *x = a + (size_t)j * (size_t)stride;
        for (int k = 0; k < n; k++)
            add_multiple(n - k - 1, -x[k], l + (size_t)k * (size_t)stride + k + 1, x + k + 1);
    }
}

/* Each column x of a ← L⁻ᵀ x. */
static void backward(int n, int stride, const double *l, double *a)
{
    for (int j = 0; j < n; j++) {
        double *x = a + (size_t)j * (size_t)stride;
        for (int k = n - 2; k >= 0; k--)
            x[k] -= dot(n - k - 1, l + (size_t)k * (size_t)stride + k + 1, x + k + 1);
    }
}

static void transpose(int n, int stride, double *a)
{
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            swap(1, a + (size_t)j * (size_t)stride + i, a + (size_t)i * (size_t)stride + j);
}

/* With B = L D Lᵀ and y = √D Lᵀ x:   C y = λ y,   C = D^-½ L⁻¹ A L⁻ᵀ D^-½   [Golub and Van Loan,
 * 8.7.2] */
eigen_status cord__eigen_generalised(int n, int stride, double *a, double *b, bool vectors,
                                     double *values, double *work)
{
    const size_t s = (size_t)stride;
    int negative;
    if (cord__dense_factor(n, stride, b, &negative) >= 0 || negative) return EIGEN_INDEFINITE;
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t i = j + 1; i < (size_t)n; i++) a[i * s + j] = a[j * s + i];
    forward(n, stride, b, a);
    transpose(n, stride, a);
    forward(n, stride, b, a);
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t i = j; i < (size_t)n; i++) a[j * s + i] /= sqrt(b[i * s + i] * b[j * s + j]);
    eigen_status status = cord__eigen(n, stride, a, vectors, values, work);
    if (status != EIGEN_OK || !vectors) return status;
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t i = 0; i < (size_t)n; i++) a[j * s + i] /= sqrt(b[i * s + i]);
    backward(n, stride, b, a);
    return EIGEN_OK;
}
