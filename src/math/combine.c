#include "math/combine.h"
#include "math/multiversion.h"

#define LANES 4
#define NAME(name) name##_4
#include "math/lane_type.h"

INLINE void combine(int count, const double factor[4], const double *const from[4], double *to)
{
    const double *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    int i = 0;
    for (; i + LANES <= count; i += LANES) {
        REAL sum = factor[0] * NAME(load)(a + i) + factor[1] * NAME(load)(b + i);
        if (c) sum += factor[2] * NAME(load)(c + i);
        if (d) sum += factor[3] * NAME(load)(d + i);
        NAME(store)(to + i, sum);
    }
    for (; i < count; i++) {
        double sum = factor[0] * a[i] + factor[1] * b[i];
        if (c) sum += factor[2] * c[i];
        if (d) sum += factor[3] * d[i];
        to[i] = sum;
    }
}

MULTIVERSION_AVX2(cord__combine, combine,
                  (int count, const double factor[4], const double *const from[4], double *to),
                  (count, factor, from, to))
