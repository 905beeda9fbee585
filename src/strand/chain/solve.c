/* Block-private elimination of a chain, from the tip to the base: O(N).
 *
 * The part beyond node i is a quadratic form ½ zᵀH z − hᵀz in z = (v, ω, carried κ) of that node.
 * An element adds its matrix, with the velocity of its end expressed by that of its start,
 *
 *     v' = v + ω × r + P κ + b,     ω' = ω + W κ + b,
 *
 * and the curvature components that no element nearer to the base contains (κ of its end, or of the
 * element) are eliminated (Schur complement). In terms of an LDLᵀ factorisation of the matrix with
 * the internal rows, each row is eliminated together with the velocity that it determines; these
 * pivots are pairs (one negative per row), so the number of negative pivots is the number of rows
 * plus those counted here. */
#include "math/dense.h"
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

enum { AHEAD = 9 }; /* stride over v, ω and carried curvature */

/* Inverse of a symmetric positive or indefinite block of up to 3; false: singular. */
static bool invert(int n, const double *d, double *inverse, int *negative)
{
    double l[9], pivot[3];
    for (int j = 0; j < n; j++) {
        double p = d[3 * j + j];
        for (int k = 0; k < j; k++) p -= l[3 * j + k] * l[3 * j + k] * pivot[k];
        if (!(fabs(p) > 0) || !isfinite(p)) return false;
        pivot[j] = p;
        *negative += p < 0;
        for (int i = j + 1; i < n; i++) {
            double sum = d[3 * i + j];
            for (int k = 0; k < j; k++) sum -= l[3 * i + k] * l[3 * j + k] * pivot[k];
            l[3 * i + j] = sum / p;
        }
    }
    for (int c = 0; c < n; c++) {
        double x[3] = {0, 0, 0};
        for (int i = 0; i < n; i++) {
            x[i] = i == c;
            for (int k = 0; k < i; k++) x[i] -= l[3 * i + k] * x[k];
        }
        for (int i = 0; i < n; i++) x[i] /= pivot[i];
        for (int i = n - 1; i >= 0; i--)
            for (int k = i + 1; k < n; k++) x[i] -= l[3 * k + i] * x[k];
        for (int i = 0; i < n; i++) inverse[3 * i + c] = x[i];
    }
    return true;
}

/* Components that node e + 1 carries on: the curvature of an end. */
static int carried(const chain_model *c)
{
    return c->kind == ELEMENT_CLOTHOID ? c->numbers : 0;
}

/* a += Tᵀ H T, with T from the element's (v, ω, κ) to its end's (v, ω, carried κ). */
static void add_ahead(const chain_model *c, const double *H, const chain_local *end, double *a)
{
    int size = chain_size(c), rows = 6 + carried(c), shared = c->local - carried(c);
    double HT[AHEAD][6 + LOCAL_MOST];
    const double *r = end->r;
    for (int i = 0; i < rows; i++) {
        const double *h = H + AHEAD * i;
        for (int k = 0; k < 3; k++) HT[i][k] = h[k];
        HT[i][3] = h[3] + h[2] * r[1] - h[1] * r[2]; /* h·(e_k × r) */
        HT[i][4] = h[4] + h[0] * r[2] - h[2] * r[0];
        HT[i][5] = h[5] + h[1] * r[0] - h[0] * r[1];
        for (int j = 0; j < c->local; j++)
            HT[i][6 + j] = v3_dot(h, end->P + 3 * j) + v3_dot(h + 3, end->W + 3 * j);
        for (int k = 0; k < rows - 6; k++) HT[i][6 + shared + k] += h[6 + k];
    }
    for (int j = 0; j < size; j++) {
        double v[3] = {HT[0][j], HT[1][j], HT[2][j]}, w[3] = {HT[3][j], HT[4][j], HT[5][j]};
        double *column = a + j; /* symmetric: row by row */
        for (int k = 0; k < 3; k++) column[k * size] += v[k];
        column[3 * size] += w[0] + v[2] * r[1] - v[1] * r[2];
        column[4 * size] += w[1] + v[0] * r[2] - v[2] * r[0];
        column[5 * size] += w[2] + v[1] * r[0] - v[0] * r[1];
        for (int i = 0; i < c->local; i++)
            column[(6 + i) * size] += v3_dot(v, end->P + 3 * i) + v3_dot(w, end->W + 3 * i);
        for (int k = 0; k < rows - 6; k++) column[(6 + shared + k) * size] += HT[6 + k][j];
    }
}

/* Eliminate the last components; the Schur complement is the form of the part beyond the element's
 * start. */
static bool eliminate(const chain_model *c, chain_matrix *m, double *H, int *negative)
{
    int size = chain_size(c), last = c->numbers, rest = size - last;
    double d[9];
    for (int i = 0; i < last; i++)
        for (int j = 0; j < last; j++) d[3 * i + j] = m->a[(rest + i) * size + rest + j];
    if (!invert(last, d, m->pivot, negative)) return false;
    for (int i = 0; i < last; i++)
        for (int j = 0; j < rest; j++) {
            double sum = 0;
            for (int k = 0; k < last; k++) sum += m->pivot[3 * i + k] * m->a[(rest + k) * size + j];
            m->gain[i * AHEAD + j] = sum;
        }
    for (int i = 0; i < rest; i++)
        for (int j = 0; j < rest; j++) {
            double sum = m->a[i * size + j];
            for (int k = 0; k < last; k++)
                sum -= m->a[(rest + k) * size + i] * m->gain[k * AHEAD + j];
            H[AHEAD * i + j] = sum;
        }
    return true;
}

/* The base: its prescribed dofs are known. */
static bool factor_base(const chain_model *c, const unsigned char *prescribed, const double *H,
                        double *base, int *negative)
{
    int size = 6 + carried(c), own = 0;
    double *a = base + 81;
    memcpy(base, H, 81 * sizeof *base);
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            bool pinned = prescribed[i] || prescribed[j];
            a[AHEAD * j + i] = pinned ? i == j : H[AHEAD * j + i];
        }
    if (cord__dense_factor(size, AHEAD, a, &own) >= 0) return false;
    *negative += own;
    return true;
}

bool cord__chain_factor(const void *model, const unsigned char *prescribed, double *own,
                        int *negative)
{
    const chain_model *c = model;
    chain_matrix *m = (chain_matrix *)own;
    double H[81];
    int counted = 6 * c->elements;
    memcpy(H, m + c->elements, sizeof H);
    for (int e = c->elements - 1; e >= 0; e--) {
        memcpy(m[e].after, H, sizeof H);
        add_ahead(c, H, &m[e].end, m[e].a);
        if (!eliminate(c, m + e, H, &counted)) return false;
    }
    if (!factor_base(c, prescribed, H, (double *)(m + c->elements) + 81, &counted)) return false;
    *negative = counted;
    return true;
}

/* ---- solving ------------------------------------------------------------------------------- */

/* The generalised force at an element's end is transferred to its start and to its curvature
 * components. */
static void pull(const chain_model *c, const chain_local *end, const double *h, double *a)
{
    int shared = c->local - carried(c);
    double moment[3];
    v3_cross(moment, end->r, h);
    for (int k = 0; k < 3; k++) a[k] += h[k], a[3 + k] += h[3 + k] + moment[k];
    for (int j = 0; j < c->local; j++)
        a[6 + j] += v3_dot(h, end->P + 3 * j) + v3_dot(h + 3, end->W + 3 * j);
    for (int k = 0; k < carried(c); k++) a[6 + shared + k] += h[6 + k];
}

static void backward(const chain_model *c, const chain_matrix *m, double *x)
{
    int last = c->numbers, rest = chain_size(c) - last, ahead = 6 + carried(c);
    for (int e = c->elements - 1; e >= 0; e--) {
        double *here = x + chain_position(c, e), *next = x + chain_position(c, e + 1);
        const double *b = x + chain_row_position(c, e + 1);
        double h[AHEAD], a[6 + LOCAL_MOST] = {0};
        for (int i = 0; i < ahead; i++) {
            h[i] = next[i];
            for (int k = 0; k < 6; k++) h[i] -= m[e].after[AHEAD * i + k] * b[k];
        }
        for (int k = 0; k < 6 + c->numbers; k++) a[k] = here[k];
        pull(c, &m[e].end, h, a);
        double *retained =
            carried(c) ? next + 6 : here + 6; /* index of the eliminated components */
        for (int i = 0; i < last; i++) {
            retained[i] = 0;
            for (int k = 0; k < last; k++) retained[i] += m[e].pivot[3 * i + k] * a[rest + k];
        }
        for (int i = 0; i < rest; i++) {
            for (int k = 0; k < last; k++) a[i] -= m[e].gain[k * AHEAD + i] * a[rest + k];
            here[i] = a[i];
        }
    }
}

static void solve_base(const chain_model *c, const unsigned char *prescribed, const double *base,
                       const double given[6], double *x)
{
    int size = 6 + carried(c);
    double z[AHEAD];
    for (int i = 0; i < size; i++) {
        z[i] = x[i];
        for (int k = 0; k < 6; k++)
            if (prescribed[k]) z[i] -= base[AHEAD * i + k] * given[k];
    }
    for (int k = 0; k < 6; k++)
        if (prescribed[k]) z[k] = given[k];
    cord__dense_solve(size, AHEAD, base + 81, z);
    memcpy(x, z, (size_t)size * sizeof *x);
}

static void forward(const chain_model *c, const chain_matrix *m, double *x)
{
    int last = c->numbers, rest = chain_size(c) - last, ahead = 6 + carried(c);
    for (int e = 0; e < c->elements; e++) {
        double *here = x + chain_position(c, e), *next = x + chain_position(c, e + 1);
        double *b = x + chain_row_position(c, e + 1), h[6], own[LOCAL_MOST], z[AHEAD];
        double *retained = carried(c) ? next + 6 : here + 6;
        const chain_local *end = &m[e].end;
        for (int i = 0; i < last; i++)
            for (int k = 0; k < rest; k++) retained[i] -= m[e].gain[i * AHEAD + k] * here[k];
        memcpy(own, here + 6, (size_t)last * sizeof *own);
        if (carried(c)) memcpy(own + last, next + 6, (size_t)last * sizeof *own);
        memcpy(h, next, sizeof h);
        v3_cross(z, here + 3, end->r);
        for (int k = 0; k < 3; k++) z[k] += here[k] + b[k], z[3 + k] = here[3 + k] + b[3 + k];
        for (int j = 0; j < c->local; j++) {
            v3_axpy(z, own[j], end->P + 3 * j);
            v3_axpy(z + 3, own[j], end->W + 3 * j);
        }
        for (int k = 6; k < ahead; k++) z[k] = next[k];
        for (int i = 0; i < 6; i++) {
            next[i] = z[i];
            b[i] = h[i];
            for (int k = 0; k < ahead; k++) b[i] -= m[e].after[AHEAD * i + k] * z[k];
        }
    }
}

void cord__chain_solve(const void *model, const unsigned char *prescribed, const double *own,
                       double *x)
{
    const chain_model *c = model;
    const chain_matrix *m = (const chain_matrix *)own;
    double given[6];
    memcpy(given, x, sizeof given);
    for (int k = 0; k < 6; k++)
        if (prescribed[k]) x[k] = 0;
    backward(c, m, x);
    solve_base(c, prescribed, (const double *)(m + c->elements) + 81, given, x);
    forward(c, m, x);
}
