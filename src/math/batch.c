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

/* The bits of lanes. */
INLINE NAME(bits) NAME(lanes_of)(unsigned set)
{
    NAME(bits) taken;
    FOR_LANES(l) taken[l] = set & 1u << l ? -1 : 0;
    return taken;
}

INLINE void start(int count, const batch_start *s, double *v_predictor, double *a_predictor,
                  double *x)
{
    const NAME(bits) extrapolated = NAME(lanes_of)(s->extrapolated);
    const double inverse = 1 / s->c_a;
    for (int c = 0; c < count; c++) {
        REAL d = NAME(load)(s->d + c * LANES), v0 = NAME(load)(s->v0 + c * LANES);
        REAL v = NAME(load)(s->v + c * LANES), a = NAME(load)(s->a + c * LANES);
        REAL a_hat = s->a_d * d + s->a_v * v0 + s->a_a * a + s->a_stage * v;
        NAME(store)(v_predictor + c * LANES, s->v_d * d + s->v_v * v0);
        NAME(store)(a_predictor + c * LANES, a_hat);
        if (s->unknown[c] < 0) continue;
        REAL guess = s->h * v;
        if (!s->mass || s->mass[c] > 0) {
            guess += s->of_a * a;
            if (s->extrapolated) {
                REAL a0 = NAME(load)(s->a0 + c * LANES);
                REAL other = inverse * (a + s->trend * (a - a0) - a_hat) - d;
                guess = NAME(select)(extrapolated, other, guess);
            }
        }
        NAME(store)(x + s->unknown[c] * LANES, guess);
    }
}

INLINE void rates(int count, double c_v, double c_a, const double *d, const double *v_predictor,
                  const double *a_predictor, double *v, double *a)
{
    for (int i = 0; i < count * LANES; i += LANES) {
        REAL own = NAME(load)(d + i);
        NAME(store)(v + i, c_v * own + NAME(load)(v_predictor + i));
        NAME(store)(a + i, c_a * own + NAME(load)(a_predictor + i));
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
    const NAME(bits) taken = NAME(lanes_of)(set);
    for (int i = 0; i < count; i++, from += LANES, to += LANES)
        NAME(store)(to, NAME(select)(taken, NAME(load)(to), NAME(load)(from)));
}

MULTIVERSION_AVX2(cord__batch_start, start,
                  (int count, const batch_start *s, double *v_predictor, double *a_predictor,
                   double *x),
                  (count, s, v_predictor, a_predictor, x))
MULTIVERSION_AVX2(cord__batch_rates, rates,
                  (int count, double c_v, double c_a, const double *d, const double *v_predictor,
                   const double *a_predictor, double *v, double *a),
                  (count, c_v, c_a, d, v_predictor, a_predictor, v, a))
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

INLINE void eliminate(int group, int count, const double *columns, double *front, double *factor,
                      const double *b, double *x)
{
    if (group == 5)
        front_eliminate_all_5(count, columns, front, factor, b, x);
    else
        front_eliminate_all_4(count, columns, front, factor, b, x);
}
INLINE void solve_forward(int group, int groups, const double *factor, const double *b, double *x)
{
    if (group == 5)
        front_solve_forward_5(groups, factor, b, x);
    else
        front_solve_forward_4(groups, factor, b, x);
}
INLINE void solve_backward(int group, int groups, const double *factor, double *x)
{
    if (group == 5)
        front_solve_backward_5(groups, factor, x);
    else
        front_solve_backward_4(groups, factor, x);
}
MULTIVERSION_AVX2(cord__batch_eliminate, eliminate,
                  (int group, int count, const double *columns, double *front, double *factor,
                   const double *b, double *x),
                  (group, count, columns, front, factor, b, x))
MULTIVERSION_AVX2(cord__batch_solve_forward, solve_forward,
                  (int group, int groups, const double *factor, const double *b, double *x),
                  (group, groups, factor, b, x))
MULTIVERSION_AVX2(cord__batch_solve_backward, solve_backward,
                  (int group, int groups, const double *factor, double *x),
                  (group, groups, factor, x))
