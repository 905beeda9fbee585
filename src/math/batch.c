#include "math/batch.h"

#include "math/multiversion.h"

#include <string.h>

/* ---- interleaved arrays ------------------------------------------------------------------------ */

#define LANES 4 /* BATCH_LANES */
#define NAME(name) name##_4
#include "math/lane_type.h"

INLINE void gather(int count, const double *const *from, double *to)
{
    int i = 0;
    for (; i + LANES <= count; i += LANES) {
        REAL v[LANES];
        FOR_LANES(l) v[l] = NAME(load)(from[l] + i);
        NAME(transpose)(v);
        FOR_LANES(l) NAME(store)(to + (i + l) * LANES, v[l]);
    }
    for (; i < count; i++) NAME(store)(to + i * LANES, NAME(take)(from, i));
}

INLINE void scatter(int count, const double *from, double *const *to)
{
    int i = 0;
    for (; i + LANES <= count; i += LANES) {
        REAL v[LANES];
        FOR_LANES(l) v[l] = NAME(load)(from + (i + l) * LANES);
        NAME(transpose)(v);
        FOR_LANES(l) if (to[l]) NAME(store)(to[l] + i, v[l]);
    }
    for (; i < count; i++) FOR_LANES(l) if (to[l]) to[l][i] = from[i * LANES + l];
}

INLINE void finite(int count, const double *from, unsigned *set)
{
    REAL sum = NAME(broadcast)(0);
    for (int i = 0; i < count; i++) sum += 0 * NAME(load)(from + i * LANES);
    FOR_LANES(l) *set |= *NAME(lane)(&sum, l) == 0 ? 1u << l : 0;
}

INLINE void guess(int count, const int *index, const double *of_v, const double *v,
                  const double *of_a, const double *a, double *to)
{
    for (int c = 0; c < count; c++) {
        if (index[c] < 0) continue;
        REAL x = of_v[c] * NAME(load)(v + c * LANES) + of_a[c] * NAME(load)(a + c * LANES);
        NAME(store)(to + index[c] * LANES, x);
    }
}

INLINE void add(int count, const int *index, const double *from, double *v)
{
    for (int c = 0; c < count; c++) {
        if (index[c] < 0) continue;
        REAL sum = NAME(load)(v + c * LANES) + NAME(load)(from + index[c] * LANES);
        NAME(store)(v + c * LANES, sum);
    }
}

INLINE void keep(unsigned set, int count, const double *from, double *to)
{
    NAME(bits) taken = {0};
    FOR_LANES(l) taken[l] = set & 1u << l ? -1 : 0;
    for (int i = 0; i < count; i++, from += LANES, to += LANES)
        NAME(store)(to, NAME(select)(taken, NAME(load)(to), NAME(load)(from)));
}

MULTIVERSION_AVX2(cord__batch_guess, guess,
                  (int count, const int *index, const double *of_v, const double *v,
                   const double *of_a, const double *a, double *to),
                  (count, index, of_v, v, of_a, a, to))
MULTIVERSION_AVX2(cord__batch_add, add,
                  (int count, const int *index, const double *from, double *v),
                  (count, index, from, v))
MULTIVERSION_AVX2(cord__batch_finite, finite, (int count, const double *from, unsigned *set),
                  (count, from, set))
MULTIVERSION_AVX2(cord__batch_gather, gather, (int count, const double *const *from, double *to),
                  (count, from, to))
MULTIVERSION_AVX2(cord__batch_scatter, scatter, (int count, const double *from, double *const *to),
                  (count, from, to))
MULTIVERSION_AVX2(cord__batch_keep, keep, (unsigned set, int count, const double *from, double *to),
                  (set, count, from, to))

/* ---- bands ------------------------------------------------------------------------------------- */

#define GROUP 5
#define BELOW 8
#define FRONT_NAME(name) name##_5
#include "math/batch_front.h"
#undef GROUP
#undef BELOW
#undef FRONT_NAME
#define GROUP 4
#define BELOW 7
#define FRONT_NAME(name) name##_4
#include "math/batch_front.h"

INLINE void eliminate(int group, int count, const double *columns, double *front, double *factor)
{
    if (group == 5)
        front_eliminate_all_5(count, columns, front, factor);
    else
        front_eliminate_all_4(count, columns, front, factor);
}
INLINE void solve(int group, int groups, const double *factor, const double *b, double *x)
{
    if (group == 5)
        front_solve_5(groups, factor, b, x);
    else
        front_solve_4(groups, factor, b, x);
}
MULTIVERSION_AVX2(cord__batch_eliminate, eliminate,
                  (int group, int count, const double *columns, double *front, double *factor),
                  (group, count, columns, front, factor))
MULTIVERSION_AVX2(cord__batch_solve, solve,
                  (int group, int groups, const double *factor, const double *b, double *x),
                  (group, groups, factor, b, x))
