#include "math/batch.h"

#include "math/multiversion.h"

#include <string.h>

int cord__batch_lanes(void)
{
    return cord__cpu_variant() == CPU_AVX512 ? 8 : 4;
}

/* ---- interleaved arrays ------------------------------------------------------------------------ */

#define LANES 4
#define NAME(name) name##_4
#include "math/lane_type.h"

INLINE void gather(int lanes, int count, const double *const *from, double *to)
{
    for (int first = 0; first < lanes; first += LANES) {
        const double *const *of = from + first;
        int i = 0;
        for (; i + LANES <= count; i += LANES) {
            REAL v[LANES];
            FOR_LANES(l) v[l] = NAME(load)(of[l] + i);
            NAME(transpose)(v);
            FOR_LANES(l) NAME(store)(to + (i + l) * lanes + first, v[l]);
        }
        for (; i < count; i++) NAME(store)(to + i * lanes + first, NAME(take)(of, i));
    }
}

INLINE void scatter(int lanes, int count, const double *from, double *const *to)
{
    for (int first = 0; first < lanes; first += LANES) {
        double *const *of = to + first;
        int i = 0;
        for (; i + LANES <= count; i += LANES) {
            REAL v[LANES];
            FOR_LANES(l) v[l] = NAME(load)(from + (i + l) * lanes + first);
            NAME(transpose)(v);
            FOR_LANES(l) if (of[l]) NAME(store)(of[l] + i, v[l]);
        }
        for (; i < count; i++) FOR_LANES(l) if (of[l]) of[l][i] = from[i * lanes + first + l];
    }
}

INLINE void combine(int count, const double factor[4], const double *const from[4], double *to)
{
    const double *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    for (int i = 0; i < count; i += LANES) {
        REAL sum = factor[0] * NAME(load)(a + i) + factor[1] * NAME(load)(b + i);
        if (c) sum += factor[2] * NAME(load)(c + i);
        if (d) sum += factor[3] * NAME(load)(d + i);
        NAME(store)(to + i, sum);
    }
}

INLINE unsigned finite(int lanes, int count, const double *from)
{
    unsigned set = 0;
    for (int first = 0; first < lanes; first += LANES) {
        REAL sum = NAME(broadcast)(0);
        for (int i = 0; i < count; i++) sum += 0 * NAME(load)(from + i * lanes + first);
        FOR_LANES(l) set |= *NAME(lane)(&sum, l) == 0 ? 1u << (first + l) : 0;
    }
    return set;
}

INLINE void guess(int lanes, int count, const int *index, double h, const double *v,
                  const double *factor, const double *a, double *to)
{
    for (int c = 0; c < count; c++)
        for (int l = 0; index[c] >= 0 && l < lanes; l += LANES) NAME(store)
    (to + index[c] * lanes + l,
     h * NAME(load)(v + c * lanes + l) + factor[c] * NAME(load)(a + c * lanes + l));
}

INLINE void add(int lanes, int count, const int *index, const double *from, double *v)
{
    for (int c = 0; c < count; c++)
        for (int l = 0; index[c] >= 0 && l < lanes; l += LANES) {
            double *to = v + c * lanes + l;
            NAME(store)(to, NAME(load)(to) + NAME(load)(from + index[c] * lanes + l));
        }
}

MULTIVERSION_AVX2(cord__batch_guess, guess,
                  (int lanes, int count, const int *index, double h, const double *v,
                   const double *factor, const double *a, double *to),
                  (lanes, count, index, h, v, factor, a, to))
MULTIVERSION_AVX2(cord__batch_add, add,
                  (int lanes, int count, const int *index, const double *from, double *v),
                  (lanes, count, index, from, v))
VARIANTS(unsigned, return, cord__batch_finite, finite, finite, finite,
         (int lanes, int count, const double *from), (lanes, count, from))
MULTIVERSION_AVX2(cord__batch_combine, combine,
                  (int count, const double factor[4], const double *const from[4], double *to),
                  (count, factor, from, to))
MULTIVERSION_AVX2(cord__batch_gather, gather,
                  (int lanes, int count, const double *const *from, double *to),
                  (lanes, count, from, to))
MULTIVERSION_AVX2(cord__batch_scatter, scatter,
                  (int lanes, int count, const double *from, double *const *to),
                  (lanes, count, from, to))

/* ---- bands ------------------------------------------------------------------------------------- */

#define GROUP 5
#define BELOW 8
#define FRONT_NAME(name) name##_5_4
#include "math/batch_front.h"
#undef GROUP
#undef BELOW
#undef FRONT_NAME
#define GROUP 4
#define BELOW 7
#define FRONT_NAME(name) name##_4_4
#include "math/batch_front.h"
#undef FRONT_NAME
#undef GROUP
#undef BELOW
#undef LANES
#undef NAME

#define LANES 8
#define NAME(name) name##_8
#include "math/lane_type.h"
#define GROUP 5
#define BELOW 8
#define FRONT_NAME(name) name##_5_8
#include "math/batch_front.h"
#undef GROUP
#undef BELOW
#undef FRONT_NAME
#define GROUP 4
#define BELOW 7
#define FRONT_NAME(name) name##_4_8
#include "math/batch_front.h"
#undef FRONT_NAME
#undef GROUP
#undef BELOW
#undef LANES
#undef NAME

#define BY_GROUP(lanes)                                                                            \
    INLINE void eliminate_##lanes(int group, int count, const double *columns, double *front,      \
                                  double *factor)                                                  \
    {                                                                                              \
        if (group == 5)                                                                            \
            front_eliminate_all_5_##lanes(count, columns, front, factor);                          \
        else                                                                                       \
            front_eliminate_all_4_##lanes(count, columns, front, factor);                          \
    }                                                                                              \
    INLINE void solve_##lanes(int group, int groups, const double *factor, const double *b,        \
                              double *x)                                                           \
    {                                                                                              \
        if (group == 5)                                                                            \
            front_solve_5_##lanes(groups, factor, b, x);                                           \
        else                                                                                       \
            front_solve_4_##lanes(groups, factor, b, x);                                           \
    }                                                                                              \
    INLINE void keep_##lanes(unsigned set, int count, const double *from, double *to)              \
    {                                                                                              \
        bits_##lanes taken = {0};                                                                  \
        for (int l = 0; l < lanes; l++) taken[l] = set & 1u << l ? -1 : 0;                         \
        for (int i = 0; i < count; i++, from += lanes, to += lanes) {                              \
            bits_##lanes kept = (bits_##lanes)load_##lanes(from) & ~taken;                         \
            kept |= (bits_##lanes)load_##lanes(to) & taken;                                        \
            store_##lanes(to, (real_##lanes)kept);                                                 \
        }                                                                                          \
    }
BY_GROUP(4)
BY_GROUP(8)

VARIANTS(void, , cord__batch_eliminate, eliminate_4, eliminate_4, eliminate_8,
         (int group, int count, const double *columns, double *front, double *factor),
         (group, count, columns, front, factor))
VARIANTS(void, , cord__batch_solve, solve_4, solve_4, solve_8,
         (int group, int groups, const double *factor, const double *b, double *x),
         (group, groups, factor, b, x))
VARIANTS(void, , cord__batch_keep, keep_4, keep_4, keep_8,
         (unsigned set, int count, const double *from, double *to), (set, count, from, to))
