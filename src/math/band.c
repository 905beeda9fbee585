#include "math/band.h"
#include "math/multiversion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The compiler's vector extension: lowered to the instructions of the processor, in the order of
 * operations as written. */
typedef double lanes __attribute__((vector_size(8 * BAND_LANES), aligned(8), may_alias));
typedef long long indices __attribute__((vector_size(8 * BAND_LANES)));

/* ---- any width -------------------------------------------------------------------------------- */

/* Right-looking [Golub and Van Loan, sec. 4.3.5]: for each column j, with u = A_(j..j+w, j), d =
 * u_0,
 *     A_(j+k.., j+k) -= u_(k..) u_k / d    for k = 1..w,    L_(j+k)j = u_k / d. */
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

static void solve_any(int n, int width, const double *a, double *b)
{
    const int stride = BAND_STRIDE(width);
    for (int j = 0; j < n; j++) {
        const double *column = a + (size_t)j * (size_t)stride;
        for (int k = 1; k <= width; k++) b[j + k] -= b[j] * column[k];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (size_t)j * (size_t)stride;
        double x = b[j] * column[0];
        for (int k = width; k >= 1; k--) x -= column[k] * b[j + k];
        b[j] = x;
    }
}

INLINE void solve_many_any(int n, int width, const double *a, lanes *b)
{
    const int stride = BAND_STRIDE(width);
    for (int j = 0; j < n; j++) {
        const double *column = a + (size_t)j * (size_t)stride;
        for (int k = 1; k <= width; k++) b[j + k] -= b[j] * column[k];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (size_t)j * (size_t)stride;
        lanes x = b[j] * column[0];
        for (int k = width; k >= 1; k--) x -= column[k] * b[j + k];
        b[j] = x;
    }
}

/* ---- width up to 12: the bands of strands -------------------------------------------------------
 *
 * Columns are two vectors of eight. The dependence of each column on the one before limits the
 * speed, not the arithmetic. Hence the AVX-512 variant keeps a column in registers and shifts it
 * there (a load that overlaps two recent stores waits for both), and back substitution subtracts
 * the newest unknowns last, one by one, so that only they are waited for. */

enum { WIDTH = 12, STRIDE = 2 * BAND_LANES };

/* Σ_{k=5}^{12} L_(j+k)j x_(j+k), in a fixed order. */
INLINE double far_sum(const double *column, const double *b)
{
    lanes p = *(const lanes *)(column + 5) * *(const lanes *)(b + 5);
    return ((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7]));
}

static int factor_baseline(int n, double *a, int *negative)
{
    int count = 0;
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * STRIDE, u[STRIDE + BAND_LANES] = {0};
        double d = column[0];
        if (d == 0 || !isfinite(d)) return j;
        count += d < 0;
        double inverse = 1 / d;
        memcpy(u, column, STRIDE * sizeof *u);
        for (int k = 1; k <= WIDTH; k++) {
            double l = u[k] * inverse, *target = column + (size_t)k * STRIDE;
            for (int m = 0; m <= WIDTH - k; m++) target[m] -= l * u[k + m];
        }
        for (int k = 1; k <= WIDTH; k++) column[k] = u[k] * inverse;
        column[0] = inverse;
    }
    *negative = count;
    return -1;
}

static void solve_two_vectors(int n, const double *a, double *b)
{
    for (int j = 0; j < n; j++) {
        const double *column = a + (size_t)j * STRIDE;
        double y = b[j];
        for (int k = 1; k <= WIDTH; k++) b[j + k] -= y * column[k];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (size_t)j * STRIDE;
        double x = b[j] * column[0] - far_sum(column, b + j);
        x -= column[4] * b[j + 4];
        x -= column[3] * b[j + 3];
        x -= column[2] * b[j + 2];
        x -= column[1] * b[j + 1];
        b[j] = x;
    }
}

#if WITH_VARIANTS

/* Entries k .. k+7 of (lo, hi), zero beyond. */
#define SHIFT(lo, hi, k)                                                                           \
    __builtin_shuffle(                                                                             \
        lo, hi, (indices){(k), (k) + 1, (k) + 2, (k) + 3, (k) + 4, (k) + 5, (k) + 6, (k) + 7})

/* Update of column j + k; from k = 5 on, the rest of the column fits one vector. */
#define UPDATE(k)                                                                                  \
    do {                                                                                           \
        double l = ((k) < 8 ? u0[(k)&7] : u1[(k)&7]) * inverse;                                    \
        double *target = column + (k)*STRIDE;                                                      \
        *(lanes *)target -= l * ((k) < 8 ? SHIFT(u0, u1, (k)&7) : SHIFT(u1, zero, (k)&7));         \
        if ((k) < 5) *(lanes *)(target + BAND_LANES) -= l * SHIFT(u1, zero, (k)&7);                \
    } while (0)

AVX512 static int factor_avx512(int n, double *a, int *negative)
{
    const lanes zero = {0};
    int count = 0;
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * STRIDE;
        lanes u0 = *(const lanes *)column, u1 = *(const lanes *)(column + BAND_LANES);
        double d = u0[0];
        if (d == 0 || !isfinite(d)) return j;
        count += d < 0;
        double inverse = 1 / d;
        UPDATE(1);
        UPDATE(2);
        UPDATE(3);
        UPDATE(4);
        UPDATE(5);
        UPDATE(6);
        UPDATE(7);
        UPDATE(8);
        UPDATE(9);
        UPDATE(10);
        UPDATE(11);
        UPDATE(12);
        *(lanes *)column = u0 * inverse;
        *(lanes *)(column + BAND_LANES) = u1 * inverse;
        column[0] = inverse;
    }
    *negative = count;
    return -1;
}

AVX512 static void solve_many_any_avx512(int n, int width, const double *a, lanes *b)
{
    solve_many_any(n, width, a, b);
}

/* Rows j .. j + 12 of the right-hand sides stay in registers. */
AVX512 static void solve_many_avx512(int n, const double *a, lanes *b)
{
    lanes next[WIDTH + 1];
    for (int k = 0; k <= WIDTH; k++) next[k] = b[k];
    for (int j = 0; j < n; j++) {
        const double *column = a + (size_t)j * STRIDE;
        lanes y = b[j] = next[0];
        for (int k = 1; k <= WIDTH; k++) next[k - 1] = next[k] - y * column[k];
        next[WIDTH] = b[j + WIDTH + 1];
    }
    for (int k = 0; k <= WIDTH; k++) next[k] = (lanes){0};
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (size_t)j * STRIDE;
        for (int k = WIDTH; k > 1; k--) next[k] = next[k - 1];
        next[1] = next[0];
        lanes odd = b[j] * column[0], even = next[WIDTH] * column[WIDTH];
        for (int k = WIDTH - 1; k > 1; k -= 2) {
            odd -= next[k] * column[k];
            even += next[k - 1] * column[k - 1];
        }
        b[j] = next[0] = (odd - even) - next[1] * column[1];
    }
}

#endif

int cord__band_factor(int n, int width, double *a, int *negative)
{
    if (BAND_STRIDE(width) != STRIDE || width > WIDTH) return factor_any(n, width, a, negative);
#if WITH_VARIANTS
    if (cord__cpu_variant() == CPU_AVX512) return factor_avx512(n, a, negative);
#endif
    return factor_baseline(n, a, negative);
}

void cord__band_solve(int n, int width, const double *a, double *b)
{
    if (BAND_STRIDE(width) != STRIDE || width > WIDTH)
        solve_any(n, width, a, b);
    else
        solve_two_vectors(n, a, b);
}

void cord__band_solve_many(int n, int width, const double *a, double *b)
{
    lanes *rows = (lanes *)b;
#if WITH_VARIANTS
    if (cord__cpu_variant() == CPU_AVX512) {
        if (BAND_STRIDE(width) == STRIDE && width <= WIDTH)
            solve_many_avx512(n, a, rows);
        else
            solve_many_any_avx512(n, width, a, rows);
        return;
    }
#endif
    solve_many_any(n, width, a, rows);
}
