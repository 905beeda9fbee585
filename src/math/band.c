#include "math/band.h"

#include <math.h>
#include <string.h>

/* Vectors by the compiler's extension: it lowers them to what the processor has, and the order of
 * operations stays as written, so that every variant of a function gives the same bits. */
typedef double lanes __attribute__((vector_size(8 * BAND_LANES), aligned(8), may_alias));

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(CORDAGE_NO_CLONES)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif
#define INLINE static inline __attribute__((always_inline))

/* Right-looking: for each column j, with u = A_(j..j+w, j) and d = u_0,
 *     A_(j+k.., j+k) -= u_(k..) u_k / d    for k = 1..w,    L_(j+k)j = u_k / d.
 * No sums across lanes, so nothing to reorder. */
INLINE int factor(int n, int width, int vectors, double *a, int *negative)
{
    const int stride = vectors * BAND_LANES;
    double u[2 * 8 * BAND_LANES]; /* a column, then zeros to read past its end */
    memset(u, 0, sizeof u);
    int count = 0;
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * (size_t)stride;
        double d = column[0];
        if (d == 0 || !isfinite(d)) return j;
        count += d < 0;
        double inverse = 1 / d;
        for (int i = 0; i < vectors; i++) ((lanes *)u)[i] = ((const lanes *)column)[i];
        for (int k = 1; k <= width; k++) {
            double l = u[k] * inverse;
            double *target = column + (size_t)k * (size_t)stride;
            for (int i = 0; i < vectors; i++)
                ((lanes *)target)[i] -= l * *(const lanes *)(u + k + i * BAND_LANES);
        }
        for (int i = 0; i < vectors; i++) ((lanes *)column)[i] *= inverse;
        column[0] = inverse;
    }
    *negative = count;
    return -1;
}

INLINE void solve(int n, int vectors, const double *a, double *b)
{
    const int stride = vectors * BAND_LANES;
    for (int j = 0; j < n; j++) { /* L y = b; entry 0 of a column is 1/D, not 1 */
        const double *column = a + (size_t)j * (size_t)stride;
        double y = b[j];
        for (int i = 0; i < vectors; i++)
            *(lanes *)(b + j + i * BAND_LANES) -= y * ((const lanes *)column)[i];
        b[j] = y;
    }
    for (int j = n - 1; j >= 0; j--) { /* Lᵀ x = D⁻¹ y */
        const double *column = a + (size_t)j * (size_t)stride;
        double x = b[j] * column[0];
        b[j] = 0; /* so that entry 0 drops out of the sum */
        lanes sum = ((const lanes *)column)[0] * *(const lanes *)(b + j);
        for (int i = 1; i < vectors; i++)
            sum += ((const lanes *)column)[i] * *(const lanes *)(b + j + i * BAND_LANES);
        double s = ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
        b[j] = x - s;
    }
}

/* The widths of the strand models compiled with their constants, any other width in a loop. */
FOR_EACH_PROCESSOR static int factor_10(int n, double *a, int *negative)
{
    return factor(n, 10, 2, a, negative);
}
FOR_EACH_PROCESSOR static int factor_12(int n, double *a, int *negative)
{
    return factor(n, 12, 2, a, negative);
}
FOR_EACH_PROCESSOR static void solve_2(int n, const double *a, double *b)
{
    solve(n, 2, a, b);
}

static int factor_any(int n, int width, double *a, int *negative)
{
    const int stride = BAND_STRIDE(width);
    int count = 0;
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * (size_t)stride;
        double d = column[0];
        if (d == 0 || !isfinite(d)) return j;
        count += d < 0;
        double inverse = 1 / d;
        for (int k = 1; k <= width; k++) {
            double l = column[k] * inverse;
            double *target = column + (size_t)k * (size_t)stride;
            for (int m = k; m <= width; m++) target[m - k] -= l * column[m];
        }
        for (int k = 1; k <= width; k++) column[k] *= inverse;
        column[0] = inverse;
    }
    *negative = count;
    return -1;
}

int cord__band_factor(int n, int width, double *a, int *negative)
{
    if (width == 12) return factor_12(n, a, negative);
    if (width == 10) return factor_10(n, a, negative);
    return factor_any(n, width, a, negative);
}

void cord__band_solve(int n, int width, const double *a, double *b)
{
    if (BAND_STRIDE(width) == 2 * BAND_LANES) {
        solve_2(n, a, b);
        return;
    }
    solve(n, BAND_STRIDE(width) / BAND_LANES, a, b);
}
