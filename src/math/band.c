#include "math/band.h"
#include "math/multiversion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The compiler's vector extension: lowered to the instructions of the processor, in the order of
 * operations as written. */
typedef double values_of_all __attribute__((vector_size(8 * BAND_LANES), aligned(8), may_alias));

/* ---- any width -------------------------------------------------------------------------------- */

/* Right-looking [Golub and Van Loan, sec. 4.3.5]: for each column j, with u = A_(j..j+w, j), d =
 * u_0,
 *     A_(j+k.., j+k) -= u_(k..) u_k / d    for k = 1..w,    L_(j+k)j = u_k / d. */
INLINE int factor_any(int n, int width, double *a, int *negative)
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

INLINE void solve_any(int n, int width, const double *a, double *b)
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

INLINE void solve_many_any(int n, int width, const double *a, values_of_all *b)
{
    const int stride = BAND_STRIDE(width);
    for (int j = 0; j < n; j++) {
        const double *column = a + (size_t)j * (size_t)stride;
        for (int k = 1; k <= width; k++) b[j + k] -= b[j] * column[k];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (size_t)j * (size_t)stride;
        values_of_all x = b[j] * column[0];
        for (int k = width; k >= 1; k--) x -= column[k] * b[j + k];
        b[j] = x;
    }
}

/* ---- groups of columns: the bands of rods --------------------------------------------------------
 *
 * In the order x, λ, θ all columns of a vertex end at the same row, three rows into the vertex after next: eight rows below
 * them with length rows, seven without. */

enum { FRONT_ROWS = 8, STRIDE = 2 * BAND_LANES };

#define LANES 2
#define GROUP 4
#define NAME(function) function##_4_2
#include "math/band_front.h"
#undef GROUP
#undef NAME
#define GROUP 5
#define NAME(function) function##_5_2
#include "math/band_front.h"
#undef GROUP
#undef NAME
#undef LANES

#if WITH_VARIANTS
#define LANES 4
#define GROUP 4
#define NAME(function) function##_4_4
#include "math/band_front.h"
#undef GROUP
#undef NAME
#define GROUP 5
#define NAME(function) function##_5_4
#include "math/band_front.h"
#undef GROUP
#undef NAME
#undef LANES

#define LANES 8
#define GROUP 4
#define NAME(function) function##_4_8
#include "math/band_front.h"
#undef GROUP
#undef NAME
#define GROUP 5
#define NAME(function) function##_5_8
#include "math/band_front.h"
#undef GROUP
#undef NAME
#undef LANES
#endif

INLINE bool is_rod(int width, int group)
{
    return group == 5 && width == 12;
}
INLINE bool is_elastic_rod(int width, int group)
{
    return group == 4 && width == 10;
}

#define BY_GROUP(lanes)                                                                            \
    INLINE int factor_##lanes(int n, int width, int group, double *a, int *negative)               \
    {                                                                                              \
        if (is_rod(width, group)) return factor_5_##lanes(n, a, negative);                         \
        if (is_elastic_rod(width, group)) return factor_4_##lanes(n, a, negative);                 \
        return factor_any(n, width, a, negative);                                                  \
    }                                                                                              \
    INLINE void solve_##lanes(int n, int width, int group, const double *a, double *b)             \
    {                                                                                              \
        if (is_rod(width, group))                                                                  \
            solve_5_##lanes(n, a, b);                                                              \
        else if (is_elastic_rod(width, group))                                                     \
            solve_4_##lanes(n, a, b);                                                              \
        else                                                                                       \
            solve_any(n, width, a, b);                                                             \
    }                                                                                              \
    INLINE void solve_many_##lanes(int n, int width, int group, const double *a, double *b)        \
    {                                                                                              \
        if (is_rod(width, group))                                                                  \
            solve_many_5_##lanes(n, a, b);                                                         \
        else if (is_elastic_rod(width, group))                                                     \
            solve_many_4_##lanes(n, a, b);                                                         \
        else                                                                                       \
            solve_many_any(n, width, a, (values_of_all *)b);                                       \
    }

BY_GROUP(2)
#if WITH_VARIANTS
BY_GROUP(4)
BY_GROUP(8)
#endif

/* Of one matrix vectors of eight are slower than of four: a group waits for the one before, and they take longer. */
VARIANTS(int, return, cord__band_factor, factor_2, factor_4, factor_4,
         (int n, int width, int group, double *a, int *negative), (n, width, group, a, negative))
VARIANTS(void, , cord__band_solve, solve_2, solve_4, solve_4,
         (int n, int width, int group, const double *a, double *b), (n, width, group, a, b))
VARIANTS(void, , cord__band_solve_many, solve_many_2, solve_many_4, solve_many_8,
         (int n, int width, int group, const double *a, double *b), (n, width, group, a, b))
