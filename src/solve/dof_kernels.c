#include "solve/dof_kernels.h"
#include "math/multiversion.h"

#include <math.h>
#include <string.h>

#define LANES 4
#define NAME(name) name##_4
#include "math/lane_type.h"

INLINE double largest_correction(int count, const double *delta, const double *scale,
                                 const double *r, const double *stiffness)
{
    REAL most = NAME(broadcast)(0);
    NAME(bits) finite = most == most;
    double largest = 0;
    int c = 0;
    for (; c + LANES <= count; c += LANES) {
        REAL unit = NAME(load)(scale + c), resistance = NAME(load)(stiffness + c);
        REAL size = NAME(absolute)(NAME(load)(delta + c)) / unit;
        finite &= size < INFINITY;
        if (NAME(any)((size > most) & (resistance > 0))) {
            REAL by_force = NAME(absolute)(NAME(load)(r + c)) / (resistance * unit);
            size = NAME(select)((resistance > 0) & (by_force < size), by_force, size);
        }
        most = NAME(largest)(most, size);
    }
    for (; c < count; c++) {
        double size = fabs(delta[c]) / scale[c];
        if (!isfinite(size)) return size;
        if (stiffness[c] > 0) size = fmin(size, fabs(r[c]) / (stiffness[c] * scale[c]));
        largest = fmax(largest, size);
    }
    FOR_LANES(l) largest = fmax(largest, *NAME(lane)(&most, l));
    return NAME(all)(finite) ? largest : NAN;
}

INLINE void guess_dof(const dof_guess *of, int c, double *delta)
{
    double sum = 0;
    if (of->prescribed[c]) return;
    for (int k = 0; k < 5; k++)
        if (of->from[k]) sum += of->factor[k] * of->from[k][c];
    delta[c] = of->mass[c] > 0 ? sum : of->h * of->v[c];
}

INLINE void guess_dofs(int count, const dof_guess *of, double *delta)
{
    int c = 0;
    for (; c + LANES <= count; c += LANES) {
        unsigned any;
        memcpy(&any, of->prescribed + c, sizeof any);
        if (any) {
            for (int l = 0; l < LANES; l++) guess_dof(of, c + l, delta);
            continue;
        }
        REAL sum = NAME(broadcast)(0);
        UNROLLED
        for (int k = 0; k < 5; k++)
            if (of->from[k]) sum += of->factor[k] * NAME(load)(of->from[k] + c);
        NAME(store)
        (delta + c, NAME(select)(NAME(load)(of->mass + c) > 0, sum, of->h * NAME(load)(of->v + c)));
    }
    for (; c < count; c++) guess_dof(of, c, delta);
}

INLINE void rates_between(int count, const double *x0, const double *x, const double factor[2],
                          const double *const predictor[2], double *const rate[2])
{
    int c = 0;
    for (; c + LANES <= count; c += LANES) {
        const REAL d = NAME(load)(x + c) - NAME(load)(x0 + c);
        for (int k = 0; k < 2; k++)
            NAME(store)(rate[k] + c, factor[k] * d + NAME(load)(predictor[k] + c));
    }
    for (; c < count; c++)
        for (int k = 0; k < 2; k++) rate[k][c] = factor[k] * (x[c] - x0[c]) + predictor[k][c];
}

INLINE void all_finite(int count, const double *from, bool *all)
{
    REAL sum = NAME(broadcast)(0);
    double rest = 0;
    int c = 0;
    for (; c + LANES <= count; c += LANES) sum += 0 * NAME(load)(from + c);
    for (; c < count; c++) rest += 0 * from[c];
    *all = NAME(all)(sum == 0) && rest == 0;
}

MULTIVERSION_RETURNING(double, cord__greatest_correction, largest_correction,
                       (int count, const double *delta, const double *scale, const double *r,
                        const double *stiffness),
                       (count, delta, scale, r, stiffness))
MULTIVERSION_AVX2(cord__guess_dofs, guess_dofs, (int count, const dof_guess *of, double *delta),
                  (count, of, delta))
MULTIVERSION_AVX2(cord__rates_between, rates_between,
                  (int count, const double *x0, const double *x, const double factor[2],
                   const double *const predictor[2], double *const rate[2]),
                  (count, x0, x, factor, predictor, rate))
void cord__find_all_finite(int count, const double *from, bool *all);
MULTIVERSION_AVX2(cord__find_all_finite, all_finite, (int count, const double *from, bool *all),
                  (count, from, all))

bool cord__all_finite(int count, const double *from)
{
    bool all;
    cord__find_all_finite(count, from, &all);
    return all;
}
