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
#include "math/multiversion.h"
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

enum { AHEAD = 9 }; /* stride over v, ω and carried curvature */

/* Curvature components of an element, those that it eliminates, and those that its end carries on: constants where
 * functions are inlined for the usual chains in space. */
typedef struct dimensions {
    int local, numbers, carried;
} dimensions;

/* Inverse of a symmetric positive or indefinite block of up to 3; false: singular. */
INLINE bool invert(const int n, const double *d, double *inverse, int *negative)
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

#define LANE_KERNEL "strand/chain/add_ahead.h"
#include "math/lane_pair.h"

/* Eliminate the last components; the Schur complement is the form of the part beyond the element's
 * start. */
INLINE bool eliminate(const dimensions k, chain_matrix *m, double *H, int *negative)
{
    const int size = 6 + k.local, last = k.numbers, rest = size - last;
    double d[9];
    for (int i = 0; i < last; i++)
        for (int j = 0; j < last; j++) d[3 * i + j] = m->a[(rest + i) * size + rest + j];
    if (!invert(last, d, m->pivot, negative)) return false;
    for (int i = 0; i < last; i++)
        for (int j = 0; j < rest; j++) {
            double sum = 0;
            for (int l = 0; l < last; l++) sum += m->pivot[3 * i + l] * m->a[(rest + l) * size + j];
            m->gain[i * AHEAD + j] = sum;
        }
    for (int i = 0; i < rest; i++)
        for (int j = 0; j < rest; j++) {
            double sum = m->a[i * size + j];
            for (int l = 0; l < last; l++)
                sum -= m->a[(rest + l) * size + i] * m->gain[l * AHEAD + j];
            H[AHEAD * i + j] = sum;
        }
    return true;
}

static inline int carried(const chain_model *c)
{
    return c->kind == ELEMENT_CLOTHOID ? c->numbers : 0;
}

/* The first dof that is not prescribed. */
static int first_free(const unsigned char *prescribed)
{
    int first = 0;
    while (first < 6 && prescribed[first]) first++;
    return first;
}

/* The base: its prescribed dofs are known. */
static bool factor_base(const chain_model *c, const unsigned char *prescribed, const double *H,
                        double *base, int *negative)
{
    const int size = 6 + carried(c), first = first_free(prescribed);
    double *a = base + 81;
    int own = 0;
    memcpy(base, H, 81 * sizeof *base);
    for (int j = first; j < size; j++)
        for (int i = first; i < size; i++) {
            bool pinned = prescribed[i] || prescribed[j];
            a[AHEAD * j + i] = pinned ? i == j : H[AHEAD * j + i];
        }
    if (cord__dense_factor(size - first, AHEAD, a + (AHEAD + 1) * first, &own) >= 0) return false;
    *negative += own;
    return true;
}

typedef void add_function(dimensions k, const double *H, const chain_local *end, double *a);

INLINE bool factor_elements(const dimensions k, int elements, chain_matrix *m, add_function *add,
                            double *H, int *negative)
{
    for (int e = elements - 1; e >= 0; e--) {
        memcpy(m[e].after, H, 81 * sizeof *H);
        add(k, H, &m[e].end, m[e].a);
        if (!eliminate(k, m + e, H, negative)) return false;
    }
    return true;
}

static dimensions dimensions_of(const chain_model *c)
{
    return (dimensions){c->local, c->numbers, carried(c)};
}

INLINE bool factor_by(const chain_model *c, chain_matrix *m, add_function *add, double *H,
                      int *negative)
{
    switch (c->planar ? 0 : c->local) {
    case 6: return factor_elements((dimensions){6, 3, 3}, c->elements, m, add, H, negative);
    case 3: return factor_elements((dimensions){3, 3, 0}, c->elements, m, add, H, negative);
    default: return factor_elements(dimensions_of(c), c->elements, m, add, H, negative);
    }
}
INLINE void factor_2(const chain_model *c, chain_matrix *m, double *H, int *negative, bool *done)
{
    *done = factor_by(c, m, add_ahead_2, H, negative);
}
INLINE void factor_4(const chain_model *c, chain_matrix *m, double *H, int *negative, bool *done)
{
    *done = factor_by(c, m, add_ahead_4, H, negative);
}
VARIANTS_AVX2(cord__chain_factor_elements, factor_2, factor_4,
              (const chain_model *c, chain_matrix *m, double *H, int *negative, bool *done),
              (c, m, H, negative, done))

bool cord__chain_factor(const void *model, const unsigned char *prescribed, double *own,
                        int *negative)
{
    const chain_model *c = model;
    chain_matrix *m = (chain_matrix *)own;
    double H[81];
    int counted = 6 * c->elements;
    bool done;
    memcpy(H, m + c->elements, sizeof H);
    cord__chain_factor_elements(c, m, H, &counted, &done);
    if (!done) return false;
    if (!factor_base(c, prescribed, H, (double *)(m + c->elements) + 81, &counted)) return false;
    *negative = counted;
    return true;
}

/* ---- solving ------------------------------------------------------------------------------- */

/* The generalised force at an element's end is transferred to its start and to its curvature
 * components. */
INLINE void pull(const dimensions k, const chain_local *end, const double *h, double *a)
{
    const int shared = k.local - k.carried;
    double moment[3];
    v3_cross(moment, end->r, h);
    for (int i = 0; i < 3; i++) a[i] += h[i], a[3 + i] += h[3 + i] + moment[i];
    for (int j = 0; j < k.local; j++)
        a[6 + j] += v3_dot(h, end->P + 3 * j) + v3_dot(h + 3, end->W + 3 * j);
    for (int i = 0; i < k.carried; i++) a[6 + shared + i] += h[6 + i];
}

INLINE void backward(const chain_model *c, const dimensions k, const chain_matrix *m, double *x)
{
    const int last = k.numbers, rest = 6 + k.local - last, ahead = 6 + k.carried;
    for (int e = c->elements - 1; e >= 0; e--) {
        double *here = x + chain_position(c, e), *next = x + chain_position(c, e + 1);
        const double *b = x + chain_row_position(c, e + 1);
        double h[AHEAD], a[6 + LOCAL_MOST] = {0};
        for (int i = 0; i < ahead; i++) {
            h[i] = next[i];
            for (int j = 0; j < 6; j++) h[i] -= m[e].after[AHEAD * j + i] * b[j]; /* symmetric */
        }
        for (int i = 0; i < 6 + last; i++) a[i] = here[i];
        pull(k, &m[e].end, h, a);
        double *retained = k.carried ? next + 6 : here + 6; /* index of the eliminated components */
        for (int i = 0; i < last; i++) {
            retained[i] = 0;
            for (int j = 0; j < last; j++) retained[i] += m[e].pivot[3 * i + j] * a[rest + j];
        }
        for (int i = 0; i < rest; i++) {
            for (int j = 0; j < last; j++) a[i] -= m[e].gain[j * AHEAD + i] * a[rest + j];
            here[i] = a[i];
        }
    }
}

static void solve_base(const chain_model *c, const unsigned char *prescribed, const double *base,
                       const double given[6], double *x)
{
    const int size = 6 + carried(c), first = first_free(prescribed);
    double z[AHEAD];
    for (int i = 0; i < size; i++) {
        z[i] = x[i];
        for (int k = 0; k < 6; k++)
            if (prescribed[k]) z[i] -= base[AHEAD * i + k] * given[k];
    }
    for (int k = 0; k < 6; k++)
        if (prescribed[k]) z[k] = given[k];
    cord__dense_solve(size - first, AHEAD, base + 81 + (AHEAD + 1) * first, z + first);
    memcpy(x, z, (size_t)size * sizeof *x);
}

INLINE void forward(const chain_model *c, const dimensions k, const chain_matrix *m, double *x)
{
    const int last = k.numbers, rest = 6 + k.local - last, ahead = 6 + k.carried;
    for (int e = 0; e < c->elements; e++) {
        double *here = x + chain_position(c, e), *next = x + chain_position(c, e + 1);
        double *b = x + chain_row_position(c, e + 1), h[6], own[LOCAL_MOST], z[AHEAD];
        double *retained = k.carried ? next + 6 : here + 6;
        const chain_local *end = &m[e].end;
        for (int i = 0; i < last; i++)
            for (int j = 0; j < rest; j++) retained[i] -= m[e].gain[i * AHEAD + j] * here[j];
        for (int i = 0; i < last; i++) own[i] = here[6 + i];
        for (int i = 0; i < k.carried; i++) own[last + i] = next[6 + i];
        for (int i = 0; i < 6; i++) h[i] = next[i];
        v3_cross(z, here + 3, end->r);
        for (int i = 0; i < 3; i++) z[i] += here[i] + b[i], z[3 + i] = here[3 + i] + b[3 + i];
        for (int j = 0; j < k.local; j++) {
            v3_axpy(z, own[j], end->P + 3 * j);
            v3_axpy(z + 3, own[j], end->W + 3 * j);
        }
        for (int i = 6; i < ahead; i++) z[i] = next[i];
        for (int i = 0; i < 6; i++) next[i] = z[i], b[i] = h[i];
        for (int j = 0; j < ahead; j++)
            for (int i = 0; i < 6; i++) b[i] -= m[e].after[AHEAD * j + i] * z[j]; /* symmetric */
    }
}

INLINE void substitute(const chain_model *c, const dimensions k, bool forwards,
                       const chain_matrix *m, double *x)
{
    if (forwards)
        forward(c, k, m, x);
    else
        backward(c, k, m, x);
}
INLINE void substitute_elements(const chain_model *c, bool forwards, const chain_matrix *m,
                                double *x)
{
    switch (c->planar ? 0 : c->local) {
    case 6: substitute(c, (dimensions){6, 3, 3}, forwards, m, x); break;
    case 3: substitute(c, (dimensions){3, 3, 0}, forwards, m, x); break;
    default: substitute(c, dimensions_of(c), forwards, m, x); break;
    }
}
MULTIVERSION_AVX2(cord__chain_substitute, substitute_elements,
                  (const chain_model *c, bool forwards, const chain_matrix *m, double *x),
                  (c, forwards, m, x))

void cord__chain_solve(const void *model, const unsigned char *prescribed, const double *own,
                       double *x)
{
    const chain_model *c = model;
    const chain_matrix *m = (const chain_matrix *)own;
    double given[6];
    memcpy(given, x, sizeof given);
    for (int k = 0; k < 6; k++)
        if (prescribed[k]) x[k] = 0;
    cord__chain_substitute(c, false, m, x);
    solve_base(c, prescribed, (const double *)(m + c->elements) + 81, given, x);
    cord__chain_substitute(c, true, m, x);
}
