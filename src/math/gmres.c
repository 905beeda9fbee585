/* Arnoldi's process builds an orthonormal basis V of the Krylov space, with A V_j = V_{j+1} H. Givens rotations keep H upper
 * triangular, and with it the residual of the least squares problem min |β e₁ − H y|; x = V y. */
#include "math/gmres.h"

#include <math.h>
#include <string.h>

typedef struct hessenberg {
    double column[GMRES_DEPTH][GMRES_DEPTH + 1]; /* of H, then of R */
    double cosine[GMRES_DEPTH], sine[GMRES_DEPTH];
    double right_hand[GMRES_DEPTH + 1];
} hessenberg;

static double product_of(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void add(int n, double scale, const double *x, double *to)
{
    for (int i = 0; i < n; i++) to[i] += scale * x[i];
}

/* Makes vector j + 1 orthogonal to those before and of unit length; `h` becomes column j of H. */
static void orthogonalise(int n, int j, double *basis, double *h)
{
    double *v = basis + (size_t)(j + 1) * (size_t)n;
    for (int k = 0; k <= j; k++) {
        const double *u = basis + (size_t)k * (size_t)n;
        h[k] = product_of(n, u, v);
        add(n, -h[k], u, v);
    }
    h[j + 1] = sqrt(product_of(n, v, v));
    for (int i = 0; h[j + 1] > 0 && i < n; i++) v[i] /= h[j + 1];
}

/* Applies the rotations before to column j, and adds one that eliminates its last entry. */
static void rotate(hessenberg *s, int j)
{
    double *h = s->column[j];
    for (int k = 0; k < j; k++) {
        double x = s->cosine[k] * h[k] + s->sine[k] * h[k + 1];
        h[k + 1] = s->cosine[k] * h[k + 1] - s->sine[k] * h[k];
        h[k] = x;
    }
    double length = hypot(h[j], h[j + 1]);
    s->cosine[j] = length > 0 ? h[j] / length : 1, s->sine[j] = length > 0 ? h[j + 1] / length : 0;
    h[j] = length;
    s->right_hand[j + 1] = -s->sine[j] * s->right_hand[j];
    s->right_hand[j] *= s->cosine[j];
}

/* x = V R⁻¹ g, over the first `count` vectors. */
static void combine(int n, int count, hessenberg *s, const double *basis, double *x)
{
    double *y = s->right_hand;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = count - 1; k >= 0; k--) {
        y[k] =
            s->column[k][k] > 0 ? y[k] / s->column[k][k] : 0; /* zero: A is singular on the space */
        for (int i = 0; i < k; i++) y[i] -= s->column[k][i] * y[k];
        add(n, y[k], basis + (size_t)k * (size_t)n, x);
    }
}

int cord__gmres(int n, gmres_product *product, void *context, double tolerance, const double *b,
                double *x, double *work)
{
    hessenberg s;
    double size = sqrt(product_of(n, b, b));
    int count = 0;
    s.right_hand[0] = size;
    for (int i = 0; i < n; i++) work[i] = size > 0 ? b[i] / size : 0;
    /* In an invariant space the new residual is zero. */
    while (count < GMRES_DEPTH && fabs(s.right_hand[count]) > tolerance * size) {
        double *v = work + (size_t)count * (size_t)n;
        product(context, v, v + n);
        orthogonalise(n, count, work, s.column[count]);
        rotate(&s, count);
        count++;
    }
    combine(n, count, &s, work, x);
    return count;
}
