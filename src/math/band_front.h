/* Kernels of band.c for a band whose columns come in groups: GROUP columns that all end FRONT_ROWS rows below the last of
 * them. Included for every pair of GROUP (4 or 5) and LANES (2, 4 or 8 doubles to a vector), which NAME() names.
 *
 * A group is eliminated at once, in a front [Duff and Reid 1983]:
 *
 *     [ A  Oᵀ ]     A = L D Lᵀ (GROUP × GROUP),     M = O A⁻¹,     R = S − M Oᵀ (8 × 8),
 *     [ O  S  ]
 *
 * and R, of which the first GROUP rows and columns belong to the next group, stays in registers. The factor keeps 1/D and L of
 * A, and M in the place of O: with M no substitution waits for the columns of a group one after the other,
 *
 *     w ← w − M (b + w),     x = A⁻¹ (b + w) − Mᵀ x_below.
 *
 * Columns of the group beyond the last of the band are unit columns. */

enum { NAME(VECTORS) = FRONT_ROWS / LANES };
#define VECTORS NAME(VECTORS)
typedef double NAME(lanes) __attribute__((vector_size(8 * LANES), may_alias));
/* The same at any address of a double. */
typedef double NAME(unaligned) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
/* A column of FRONT_ROWS rows. */
typedef struct NAME(column) {
    NAME(lanes) v[VECTORS];
} NAME(column);

INLINE NAME(column) NAME(load)(const double *from)
{
    NAME(column) c;
    UNROLLED
    for (int i = 0; i < VECTORS; i++) c.v[i] = *(const NAME(unaligned) *)(from + i * LANES);
    return c;
}
INLINE void NAME(store)(double *to, const NAME(column) * c)
{
    UNROLLED
    for (int i = 0; i < VECTORS; i++) *(NAME(unaligned) *)(to + i * LANES) = c->v[i];
}
/* c −= s x */
INLINE void NAME(subtract)(NAME(column) * c, double s, const NAME(column) * x)
{
    UNROLLED
    for (int i = 0; i < VECTORS; i++) c->v[i] -= s * x->v[i];
}

/* The rows of the next group on: rows GROUP to 7, then zeros. */
INLINE NAME(column) NAME(next_rows)(const NAME(column) * c)
{
    const NAME(lanes) zero = {0};
    NAME(column) r = {{zero}};
#if LANES == 8
    r.v[0] = __builtin_shufflevector(c->v[0], zero, GROUP, GROUP + 1, GROUP + 2, GROUP + 3,
                                     GROUP + 4, GROUP + 5, GROUP + 6, GROUP + 7);
#elif LANES == 4
    r.v[0] = __builtin_shufflevector(c->v[1], zero, GROUP - 4, GROUP - 3, GROUP - 2, GROUP - 1);
    r.v[1] = zero;
#else
    r.v[0] = __builtin_shufflevector(c->v[2], c->v[3], GROUP - 4, GROUP - 3);
    r.v[1] = __builtin_shufflevector(c->v[3], zero, GROUP - 4, GROUP - 3);
    r.v[2] = r.v[3] = zero;
#endif
    return r;
}

/* The unknowns of a group above rows `below`, the first of which stay. */
INLINE NAME(column) NAME(rows_above)(const double *x, const NAME(column) * below)
{
    const NAME(lanes) *b = below->v;
    const double fourth_on[4] = {GROUP > 4 ? x[GROUP - 1] : b[0][0], b[0][GROUP > 4 ? 0 : 1],
                                 GROUP > 4 ? b[0][1] : b[2 / LANES][2 % LANES],
                                 GROUP > 4 ? b[2 / LANES][2 % LANES] : b[3 / LANES][3 % LANES]};
#if LANES == 8
    return (NAME(column)){
        {{x[0], x[1], x[2], x[3], fourth_on[0], fourth_on[1], fourth_on[2], fourth_on[3]}}};
#elif LANES == 4
    return (NAME(column)){
        {{x[0], x[1], x[2], x[3]}, {fourth_on[0], fourth_on[1], fourth_on[2], fourth_on[3]}}};
#else
    return (NAME(column)){
        {{x[0], x[1]}, {x[2], x[3]}, {fourth_on[0], fourth_on[1]}, {fourth_on[2], fourth_on[3]}}};
#endif
}

/* Σ_i c_i x_i, in a fixed order. */
INLINE double NAME(product)(const NAME(column) * c, const NAME(column) * x)
{
    NAME(lanes) p = c->v[0] * x->v[0];
    UNROLLED
    for (int i = 1; i < VECTORS; i++) p += c->v[i] * x->v[i];
#if LANES == 8
    return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
#elif LANES == 4
    return (p[0] + p[2]) + (p[1] + p[3]);
#else
    return p[0] + p[1];
#endif
}

/* A = L D Lᵀ in place, upper triangle by rows, with O ← O L⁻ᵀ; the column of a pivot that fails, or -1. Every pivot waits for
 * the reciprocal of the one before, and for one more operation: its square is ready. */
INLINE int NAME(factor_group)(double A[GROUP][GROUP], NAME(column) * O, double *inverse,
                              int *negative)
{
    double d = A[0][0];
    UNROLLED
    for (int k = 0; k < GROUP; k++) {
        if (d == 0 || !isfinite(d)) return k;
        *negative += d < 0;
        inverse[k] = 1 / d;
        if (k + 1 < GROUP) d = A[k + 1][k + 1] - A[k][k + 1] * A[k][k + 1] * inverse[k];
        UNROLLED
        for (int j = k + 1; j < GROUP; j++) {
            double l = A[k][j] * inverse[k];
            UNROLLED
            for (int s = j; s < GROUP; s++) A[j][s] -= l * A[k][s];
            NAME(subtract)(O + j, l, O + k);
            A[k][j] = l;
        }
    }
    return -1;
}

INLINE int NAME(factor)(int n, double *a, int *negative)
{
    NAME(column) R[FRONT_ROWS] = {0};
    int count = 0;
    for (int first = 0; first < n; first += GROUP) {
        double A[GROUP][GROUP], inverse[GROUP];
        NAME(column) O[GROUP], M[GROUP];
        UNROLLED
        for (int k = 0; k < GROUP; k++) {
            const double *from = a + (size_t)(first + k) * STRIDE, *row = (const double *)(R + k);
            UNROLLED
            for (int s = k; s < GROUP; s++) A[k][s] = from[s - k] + row[s];
            if (first + k >= n) A[k][k] = 1;
            NAME(column) rest = NAME(next_rows)(R + k);
            O[k] = NAME(load)(from + GROUP - k);
            UNROLLED
            for (int i = 0; i < VECTORS; i++) O[k].v[i] += rest.v[i];
        }
        int bad = NAME(factor_group)(A, O, inverse, &count);
        if (bad >= 0) return first + bad;
        UNROLLED
        for (int k = 0; k < GROUP; k++) UNROLLED
        for (int i = 0; i < VECTORS; i++) M[k].v[i] = O[k].v[i] * inverse[k];
        UNROLLED
        for (int q = 0; q < FRONT_ROWS; q++) {
            NAME(column) r = {0};
            if (q + GROUP < FRONT_ROWS) r = NAME(next_rows)(R + q + GROUP);
            UNROLLED
            for (int k = 0; k < GROUP; k++) NAME(subtract)(&r, ((const double *)(O + k))[q], M + k);
            R[q] = r;
        }
        UNROLLED
        for (int k = GROUP - 1; k >= 0; k--) { /* O L⁻ᵀ D⁻¹ becomes M = O L⁻ᵀ D⁻¹ L⁻¹ */
            double *to = a + (size_t)(first + k) * STRIDE;
            UNROLLED
            for (int j = k + 1; j < GROUP; j++) NAME(subtract)(M + k, A[k][j], M + j);
            if (first + k >= n) continue;
            to[0] = inverse[k];
            UNROLLED
            for (int s = k + 1; s < GROUP; s++) to[s - k] = A[k][s];
            NAME(store)(to + GROUP - k, M + k);
        }
    }
    *negative = count;
    return -1;
}

/* u ← A⁻¹ u of one group; `u` may be vectors of several right-hand sides. */
#define SOLVE_GROUP(a, u)                                                                          \
    do {                                                                                           \
        UNROLLED                                                                                   \
        for (int k = 1; k < GROUP; k++) UNROLLED                                                   \
        for (int j = 0; j < k; j++) (u)[k] -= (a)[j * STRIDE + k - j] * (u)[j];                    \
        UNROLLED                                                                                   \
        for (int k = 0; k < GROUP; k++) (u)[k] *= (a)[k * STRIDE];                                 \
        UNROLLED                                                                                   \
        for (int k = GROUP - 2; k >= 0; k--) UNROLLED                                              \
        for (int j = GROUP - 1; j > k; j--) (u)[k] -= (a)[k * STRIDE + j - k] * (u)[j];            \
    } while (0)

#if LANES == 4

/* Value k of v in all lanes. */
#define ALL_LANES(v, k) __builtin_shufflevector(v, v, k, k, k, k)

/* v[k] becomes row k of the four columns. */
INLINE void NAME(transpose)(NAME(lanes) v[4])
{
    NAME(lanes) a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
    NAME(lanes) b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
    NAME(lanes) c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
    NAME(lanes) d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* w ← w − M (b + w) of all groups, with b + w in the place of b. Each group waits for the one before: as little as can be
 * is done in between, in two sums. */
INLINE void NAME(substitute_down)(int groups, const double *a, double *b)
{
    NAME(column) w = {0};
    for (int i = 0; i < groups; i++, a += GROUP * STRIDE, b += GROUP) {
        NAME(column) M[GROUP], own = {0}, first, second = NAME(next_rows)(&w);
        UNROLLED
        for (int k = 0; k < GROUP; k++) {
            M[k] = NAME(load)(a + k * STRIDE + GROUP - k);
            NAME(subtract)(&own, b[k], M + k);
        }
        *(NAME(unaligned) *)b += w.v[0];
        if (GROUP == 5) b[4] += w.v[1][0];
        first = own;
        UNROLLED
        for (int v = 0; v < 2; v++) {
            first.v[v] -= ALL_LANES(w.v[0], 0) * M[0].v[v];
            second.v[v] -= ALL_LANES(w.v[0], 1) * M[1].v[v];
            first.v[v] -= ALL_LANES(w.v[0], 2) * M[2].v[v];
            second.v[v] -= ALL_LANES(w.v[0], 3) * M[3].v[v];
            if (GROUP == 5) first.v[v] -= ALL_LANES(w.v[1], 0) * M[GROUP - 1].v[v];
        }
        UNROLLED
        for (int v = 0; v < 2; v++) w.v[v] = first.v[v] + second.v[v];
    }
}

/* x = A⁻¹ (b + w) − Mᵀ x_below. With rows of M four unknowns are found in one vector. */
INLINE void NAME(substitute_up)(int groups, const double *a, double *b)
{
    const NAME(lanes) zero = {0};
    NAME(lanes)
    next = zero,
    after = zero;     /* x of the next group and, from its first unknown on, of the one after it */
    double fifth = 0; /* of the next group of 5 */
    a += (size_t)(groups * GROUP) * STRIDE, b += groups * GROUP;
    for (int i = groups - 1; i >= 0; i--) {
        NAME(lanes) near[4], far[4], first, second;
        double u[GROUP], last = 0;
        a -= GROUP * STRIDE, b -= GROUP;
        UNROLLED
        for (int k = 0; k < GROUP; k++) u[k] = b[k];
        SOLVE_GROUP(a, u);
        UNROLLED
        for (int k = 0; k < 4; k++) {
            NAME(column) M = NAME(load)(a + k * STRIDE + GROUP - k);
            near[k] = M.v[0], far[k] = M.v[1];
        }
        if (GROUP == 5) {
            NAME(column) M = NAME(load)(a + (GROUP - 1) * STRIDE + 1);
            NAME(lanes) sum = M.v[0] * next;
            last =
                u[GROUP - 1] - (M.v[1][1] * after[0] + M.v[1][2] * after[1] + M.v[1][3] * after[2]);
            last -= (sum[0] + sum[2]) + (sum[1] + sum[3]);
            last -= M.v[1][0] * fifth;
        }
        NAME(transpose)(near);
        NAME(transpose)(far);
        first = (NAME(lanes)){u[0], u[1], u[2], u[3]};
        UNROLLED
        for (int q = 0; q < FRONT_ROWS - GROUP; q++) {
            if (q == 0) first -= ALL_LANES(after, 0) * far[q + GROUP - 4];
            if (q == 1) first -= ALL_LANES(after, 1) * far[q + GROUP - 4];
            if (q == 2) first -= ALL_LANES(after, 2) * far[q + GROUP - 4];
            if (q == 3) first -= ALL_LANES(after, 3) * far[q + GROUP - 4 > 3 ? 3 : q + GROUP - 4];
        }
        second = ALL_LANES(next, 1) * near[1];
        first -= ALL_LANES(next, 0) * near[0];
        second += ALL_LANES(next, 3) * near[3];
        first -= ALL_LANES(next, 2) * near[2];
        if (GROUP == 5) first -= fifth * far[0];
        after = next;
        next = first - second;
        fifth = last;
        *(NAME(unaligned) *)b = next;
        if (GROUP == 5) b[4] = fifth;
    }
}

INLINE void NAME(solve)(int n, const double *a, double *b)
{
    const int groups = (n + GROUP - 1) / GROUP;
    NAME(substitute_down)(groups, a, b);
    NAME(substitute_up)(groups, a, b);
}
#undef ALL_LANES

#else

INLINE void NAME(solve)(int n, const double *a, double *b)
{
    int groups = (n + GROUP - 1) / GROUP;
    NAME(column) w = {0}, below = {0};
    for (int i = 0; i < groups; i++) {
        const double *from = a + (size_t)(i * GROUP) * STRIDE;
        double u[GROUP], *x = b + i * GROUP;
        UNROLLED
        for (int k = 0; k < GROUP; k++) u[k] = x[k] + w.v[k / LANES][k % LANES];
        w = NAME(next_rows)(&w);
        UNROLLED
        for (int k = 0; k < GROUP; k++) {
            NAME(column) M = NAME(load)(from + k * STRIDE + GROUP - k);
            NAME(subtract)(&w, u[k], &M);
        }
        SOLVE_GROUP(from, u);
        UNROLLED
        for (int k = 0; k < GROUP; k++) x[k] = u[k];
    }
    for (int i = groups - 1; i >= 0; i--) {
        const double *from = a + (size_t)(i * GROUP) * STRIDE;
        double u[GROUP], *x = b + i * GROUP;
        UNROLLED
        for (int k = 0; k < GROUP; k++) {
            NAME(column) M = NAME(load)(from + k * STRIDE + GROUP - k);
            u[k] = x[k] - NAME(product)(&M, &below);
        }
        below = NAME(rows_above)(u, &below);
        UNROLLED
        for (int k = 0; k < GROUP; k++) x[k] = u[k];
    }
}
#endif

/* LANES right-hand sides; rows of b are BAND_LANES apart. */
INLINE void NAME(solve_lanes)(int n, const double *a, double *b)
{
    int groups = (n + GROUP - 1) / GROUP;
    NAME(lanes) w[FRONT_ROWS] = {{0}}, below[FRONT_ROWS] = {{0}};
    for (int i = 0; i < groups; i++) {
        const double *from = a + (size_t)(i * GROUP) * STRIDE;
        double *x = b + (size_t)(i * GROUP) * BAND_LANES;
        NAME(lanes) u[GROUP];
        UNROLLED
        for (int k = 0; k < GROUP; k++)
            u[k] = *(const NAME(unaligned) *)(x + k * BAND_LANES) + w[k];
        UNROLLED
        for (int q = 0; q < FRONT_ROWS; q++) {
            NAME(lanes) sum = {0};
            if (q + GROUP < FRONT_ROWS) sum = w[q + GROUP];
            UNROLLED
            for (int k = 0; k < GROUP; k++) sum -= from[k * STRIDE + GROUP - k + q] * u[k];
            w[q] = sum;
        }
        SOLVE_GROUP(from, u);
        UNROLLED
        for (int k = 0; k < GROUP; k++) *(NAME(unaligned) *)(x + k * BAND_LANES) = u[k];
    }
    for (int i = groups - 1; i >= 0; i--) {
        const double *from = a + (size_t)(i * GROUP) * STRIDE;
        double *x = b + (size_t)(i * GROUP) * BAND_LANES;
        NAME(lanes) u[GROUP];
        UNROLLED
        for (int k = 0; k < GROUP; k++) {
            u[k] = *(const NAME(unaligned) *)(x + k * BAND_LANES);
            UNROLLED
            for (int q = FRONT_ROWS - 1; q >= 0; q--)
                u[k] -= from[k * STRIDE + GROUP - k + q] * below[q];
        }
        UNROLLED
        for (int q = FRONT_ROWS - 1; q >= GROUP; q--) below[q] = below[q - GROUP];
        UNROLLED
        for (int k = 0; k < GROUP; k++) {
            below[k] = u[k];
            *(NAME(unaligned) *)(x + k * BAND_LANES) = u[k];
        }
    }
}

INLINE void NAME(solve_many)(int n, const double *a, double *b)
{
    for (int l = 0; l < BAND_LANES; l += LANES) NAME(solve_lanes)(n, a, b + l);
}

#undef SOLVE_GROUP
#undef VECTORS
