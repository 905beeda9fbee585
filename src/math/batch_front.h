/* LDLᵀ of LANES bands of equal shape at once, over a lane type (math/lane_type.h): a lane is a matrix. Columns come in groups
 * of GROUP that all end BELOW rows below the last of them, as in band_front.h, and are eliminated group by group in a
 * front of GROUP + BELOW rows. Included for every pair of GROUP and LANES, which FRONT_NAME() names; NAME() names the
 * lane type.
 *
 * Vectors of lanes are stored one after the other. A group of columns: GROUP columns of FRONT rows each, from the first row of
 * the group; entries above the diagonal are not read. A group of the factor, FACTOR vectors: for each column 1/d, then L below
 * its diagonal. */

enum {
    FRONT_NAME(FRONT) = GROUP + BELOW,
    FRONT_NAME(FACTOR) = GROUP * FRONT_NAME(FRONT) - GROUP * (GROUP - 1) / 2,
};

/* The lower triangle, by columns, that the groups before leave to the rows below them. */
typedef struct FRONT_NAME(front) {
    REAL value[BELOW][BELOW];
} FRONT_NAME(front);

/* Between two parts of the elimination no vector stays in a register: there are more of them than registers, and a compiler
 * that sees all parts at once moves vectors to and fro more often than it computes with them. */
#if defined(__GNUC__)
#define FRONT_IN_MEMORY __asm__ volatile("" ::: "memory")
#else
#define FRONT_IN_MEMORY ((void)0)
#endif

/* Where column c of a group of the factor begins: 1/d, then L of the rows below. */
INLINE double *FRONT_NAME(front_column)(double *factor, int c)
{
    return factor + (c * FRONT_NAME(FRONT) - c * (c - 1) / 2) * LANES;
}

/* The first GROUP rows of a group, with its pivots. */
INLINE void FRONT_NAME(front_pivots)(const FRONT_NAME(front) * f, const double *columns,
                                     double *factor)
{
    REAL P[GROUP][GROUP];
    UNROLLED
    for (int c = 0; c < GROUP; c++) UNROLLED
    for (int r = c; r < GROUP; r++)
        P[c][r] = NAME(load)(columns + (c * FRONT_NAME(FRONT) + r) * LANES) + f->value[c][r];
    UNROLLED
    for (int c = 0; c < GROUP; c++) {
        double *to = FRONT_NAME(front_column)(factor, c);
        REAL L[GROUP], inverse = 1 / P[c][c];
        NAME(store)(to, inverse);
        UNROLLED
        for (int r = c + 1; r < GROUP; r++) {
            L[r] = P[c][r] * inverse;
            NAME(store)(to + (r - c) * LANES, L[r]);
        }
        UNROLLED
        for (int q = c + 1; q < GROUP; q++) UNROLLED
        for (int r = q; r < GROUP; r++)
            // cppcheck-suppress uninitvar ; the loop above sets L from c + 1 on
            P[q][r] -= L[q] * P[c][r];
    }
}

/* Row r of a group, GROUP and on: L, and in `P` L times D. */
INLINE void FRONT_NAME(front_row)(const FRONT_NAME(front) * f, const double *columns, int r,
                                  double *factor, REAL *P)
{
    REAL row[GROUP];
    UNROLLED
    for (int q = 0; q < GROUP; q++) {
        row[q] = NAME(load)(columns + (q * FRONT_NAME(FRONT) + r) * LANES);
        if (r < BELOW) row[q] += f->value[q][r];
        UNROLLED
        for (int c = 0; c < q; c++)
            row[q] -= NAME(load)(FRONT_NAME(front_column)(factor, c) + (q - c) * LANES) * row[c];
        double *to = FRONT_NAME(front_column)(factor, q);
        NAME(store)(to + (r - q) * LANES, row[q] * NAME(load)(to));
        P[q] = row[q];
    }
}

/* Rows q … q + 3 and columns r, r + 1 of the triangle that a group leaves to the rows below it. */
INLINE void FRONT_NAME(front_rest)(FRONT_NAME(front) * f, int q, int r, double *factor,
                                   REAL P[BELOW][GROUP])
{
    REAL rest[4][2];
    UNROLLED
    for (int i = 0; i < 4; i++) UNROLLED
    for (int k = 0; k < 2; k++)
        if (q + i <= r + k && r + k < BELOW)
            rest[i][k] =
                r + k + GROUP < BELOW ? f->value[q + i + GROUP][r + k + GROUP] : NAME(broadcast)(0);
    UNROLLED
    for (int c = 0; c < GROUP; c++) UNROLLED
    for (int i = 0; i < 4; i++) {
        if (q + i >= BELOW) continue;
        const double *column = FRONT_NAME(front_column)(factor, c);
        REAL L = NAME(load)(column + (GROUP + q + i - c) * LANES);
        UNROLLED
        for (int k = 0; k < 2; k++)
            if (q + i <= r + k && r + k < BELOW) rest[i][k] -= L * P[r + k][c];
    }
    UNROLLED
    for (int i = 0; i < 4; i++) UNROLLED
    for (int k = 0; k < 2; k++)
        if (q + i <= r + k && r + k < BELOW) f->value[q + i][r + k] = rest[i][k];
}

/* Eliminates the next group. A pivot that vanishes leaves a factor, and then a solution, that is not finite. */
INLINE void FRONT_NAME(front_eliminate)(FRONT_NAME(front) * f, const double *columns,
                                        double *factor)
{
    REAL P[BELOW][GROUP];
    FRONT_NAME(front_pivots)(f, columns, factor);
    FRONT_IN_MEMORY;
    UNROLLED
    for (int r = 0; r < BELOW; r++) {
        FRONT_NAME(front_row)(f, columns, GROUP + r, factor, P[r]);
        FRONT_IN_MEMORY;
    }
    UNROLLED
    for (int q = 0; q < BELOW; q += 4) UNROLLED
    for (int r = q; r < BELOW; r += 2) {
        FRONT_NAME(front_rest)(f, q, r, factor, P);
        FRONT_IN_MEMORY;
    }
}

/* x = L⁻¹ b of a group; `w`: what the groups before subtract from b in the first BELOW rows, and then what they and this one do from the
 * next group on. */
INLINE void FRONT_NAME(front_forward)(REAL w[FRONT_NAME(FRONT)], const double *factor,
                                      const double *b, double *x)
{
    UNROLLED
    for (int c = 0; c < GROUP; c++) w[c] += NAME(load)(b + c * LANES);
    UNROLLED
    for (int c = 0; c < GROUP; c++) {
        NAME(store)(x + c * LANES, w[c]);
        factor += LANES;
        UNROLLED
        for (int r = c + 1; r < FRONT_NAME(FRONT); r++) {
            w[r] -= NAME(load)(factor) * w[c];
            factor += LANES;
        }
    }
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++)
        w[r] = r < BELOW ? w[r + GROUP] : NAME(broadcast)(0);
}

/* x = (L D)⁻ᵀ x of a group; `w`: x of the BELOW rows after it from row GROUP on, and then of those after the group before. Sums end
 * with the unknown that is found last, so that little waits for it. */
INLINE void FRONT_NAME(front_backward)(REAL w[FRONT_NAME(FRONT)], const double *factor, double *x)
{
    const double *end = factor + FRONT_NAME(FACTOR) * LANES;
    UNROLLED
    for (int c = GROUP - 1; c >= 0; c--) {
        end -= (FRONT_NAME(FRONT) - c) * LANES;
        w[c] = NAME(load)(end) * NAME(load)(x + c * LANES);
        UNROLLED
        for (int r = FRONT_NAME(FRONT) - 1; r > c; r--)
            w[c] -= NAME(load)(end + (r - c) * LANES) * w[r];
        NAME(store)(x + c * LANES, w[c]);
    }
    UNROLLED
    for (int r = FRONT_NAME(FRONT) - 1; r >= GROUP; r--) w[r] = w[r - GROUP];
}

/* `count` groups, and x = L⁻¹ b of them while their factor is in the cache. After the triangle `front` has the sums of
 * front_forward(). */
INLINE void FRONT_NAME(front_eliminate_all)(int count, const double *columns, double *front,
                                            double *factor, const double *b, double *x)
{
    FRONT_NAME(front) f;
    double *sums = front + BELOW * BELOW * LANES;
    memcpy(&f, front, sizeof f);
    for (int i = 0; i < count; i++) {
        REAL w[FRONT_NAME(FRONT)];
        FRONT_NAME(front_eliminate)(&f, columns, factor);
        UNROLLED
        for (int r = 0; r < FRONT_NAME(FRONT); r++)
            w[r] = r < BELOW ? NAME(load)(sums + r * LANES) : NAME(broadcast)(0);
        FRONT_NAME(front_forward)(w, factor, b, x);
        UNROLLED
        for (int r = 0; r < BELOW; r++) NAME(store)(sums + r * LANES, w[r]);
        columns += GROUP * FRONT_NAME(FRONT) * LANES;
        factor += FRONT_NAME(FACTOR) * LANES;
        b += GROUP * LANES, x += GROUP * LANES;
    }
    memcpy(front, &f, sizeof f);
}

/* x = L⁻¹ b, GROUP values of each group, and x = (L D)⁻ᵀ x. */
INLINE void FRONT_NAME(front_solve_forward)(int groups, const double *factor, const double *b,
                                            double *x)
{
    REAL w[FRONT_NAME(FRONT)];
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++) w[r] = NAME(broadcast)(0);
    for (int g = 0; g < groups; g++) {
        FRONT_NAME(front_forward)(w, factor, b, x);
        factor += FRONT_NAME(FACTOR) * LANES, b += GROUP * LANES, x += GROUP * LANES;
    }
}

INLINE void FRONT_NAME(front_solve_backward)(int groups, const double *factor, double *x)
{
    REAL w[FRONT_NAME(FRONT)];
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++) w[r] = NAME(broadcast)(0);
    factor += (size_t)groups * (FRONT_NAME(FACTOR) * LANES), x += groups * GROUP * LANES;
    for (int g = 0; g < groups; g++) {
        factor -= FRONT_NAME(FACTOR) * LANES, x -= GROUP * LANES;
        FRONT_NAME(front_backward)(w, factor, x);
    }
}
