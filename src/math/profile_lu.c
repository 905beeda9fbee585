#include "math/profile_lu.h"

#include "math/lanes.h"

#include <limits.h>

_Static_assert((int)PROFILE_PADDING == LANES - 1, "a whole vector begins at the last entry");

size_t cord__profile_layout(const profile_matrix *m, size_t most)
{
    size_t length = 0;
    if (most > INT_MAX) most = INT_MAX;
    for (int k = 0; k + 1 < m->n; k += 2) m->last[k] = m->last[k + 1];
    for (int i = 0, first = 0; i < m->n; i++) {
        while (m->last[first] < i) first++;
        m->start[i] = (int)length - first;
        length += (size_t)(m->last[i] - first + 1 + PROFILE_PADDING);
        if (length > most) return 0;
    }
    return length;
}

/* The inverse pivot of row k replaces it. */
INLINE bool invert(const profile_matrix *m, int k)
{
    double *pivot = profile_row(m, k) + k;
    *pivot = 1 / *pivot;
    return isfinite(*pivot) && *pivot != 0;
}

/* Columns k and k + 1, so that each row below them is read and written once. */
INLINE bool eliminate(const profile_matrix *m, int k)
{
    const int last = m->last[k];
    const double *first = profile_row(m, k);
    double *second = profile_row(m, k + 1);
    if (!invert(m, k)) return false;
    const double f = second[k] *= first[k];
    for (int j = k + 1; j <= last; j += LANES)
        l_store(second + j, l_load(second + j) - f * l_load(first + j));
    if (!invert(m, k + 1)) return false;
    for (int i = k + 2; i <= last; i++) {
        double *row = profile_row(m, i);
        const double a = row[k] *= first[k];
        const double b = row[k + 1] = (row[k + 1] - a * first[k + 1]) * second[k + 1];
        if (a == 0 && b == 0) continue;
        for (int j = k + 2; j <= last; j += LANES) {
            const lanes one = l_load(row + j) - a * l_load(first + j);
            l_store(row + j, one - b * l_load(second + j));
        }
    }
    return true;
}

/* The factor of L is below the diagonal, that of U above it, inverse pivots are on it. */
INLINE bool factor(const profile_matrix *m)
{
    bool regular = true;
    int k = 0;
    for (; regular && k + 1 < m->n; k += 2) regular = eliminate(m, k);
    return regular && (k == m->n || invert(m, k));
}

MULTIVERSION_RETURNING(bool, cord__profile_factor, factor, (const profile_matrix *m), (m))

INLINE double product(const double *a, const double *x, int count)
{
    lanes sum = {0};
    int j = 0;
    for (; j + LANES <= count; j += LANES) sum += l_load(a + j) * l_load(x + j);
    double rest = 0;
    for (; j < count; j++) rest += a[j] * x[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

INLINE void solve(const profile_matrix *m, double *x)
{
    for (int i = 0, first = 0; i < m->n; i++) {
        while (m->last[first] < i) first++;
        x[i] -= product(profile_row(m, i) + first, x + first, i - first);
    }
    for (int k = m->n - 1; k >= 0; k--) {
        const double *row = profile_row(m, k);
        x[k] = row[k] * (x[k] - product(row + k + 1, x + k + 1, m->last[k] - k));
    }
}

MULTIVERSION(cord__profile_solve, solve, (const profile_matrix *m, double *x), (m, x))
