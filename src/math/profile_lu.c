#include "math/profile_lu.h"

#include "math/multiversion.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Kernels take whole vectors: zeros follow each row. */
enum { LANES = 4, PADDING = LANES - 1 };

typedef double vector __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

size_t cord__profile_layout(profile_matrix *m, size_t most)
{
    size_t length = 0;
    if (most > INT_MAX) most = INT_MAX;
    for (int i = 0, first = 0; i < m->n; i++) {
        while (m->last[first] < i) first++;
        m->start[i] = (int)length - first;
        length += (size_t)(m->last[i] - first + 1 + PADDING);
        if (length > most) return 0;
    }
    return length;
}

void cord__profile_clear(const profile_matrix *m, size_t length)
{
    memset(m->a, 0, length * sizeof *m->a);
}

/* y ← y − factor x, over whole vectors: beyond `count` x is zero. */
INLINE void subtract(double *y, const double *x, double factor, int count)
{
    for (int j = 0; j < count; j += LANES) {
        vector *to = (vector *)(void *)(y + j);
        *to -= factor * *(const vector *)(const void *)(x + j);
    }
}

/* Rows become those of U, with inverse pivots; entries below the diagonal are not needed again. */
INLINE bool solve(const profile_matrix *m, double *x)
{
    for (int k = 0; k < m->n; k++) {
        double *pivot_row = profile_row(m, k);
        const double inverse = 1 / pivot_row[k];
        const int last = m->last[k];
        if (!(pivot_row[k] > 0) || !isfinite(inverse)) return false;
        for (int i = k + 1; i <= last; i++) {
            double *row = profile_row(m, i);
            if (row[k] == 0) continue;
            const double factor = inverse * row[k];
            subtract(row + k + 1, pivot_row + k + 1, factor, last - k);
            x[i] -= factor * x[k];
        }
        pivot_row[k] = inverse;
    }
    for (int k = m->n - 1; k >= 0; k--) {
        const double *row = profile_row(m, k);
        double sum = x[k];
        for (int j = k + 1; j <= m->last[k]; j++) sum -= row[j] * x[j];
        x[k] = row[k] * sum;
    }
    return true;
}

MULTIVERSION_RETURNING(bool, cord__profile_solve, solve, (const profile_matrix *m, double *x),
                       (m, x))
