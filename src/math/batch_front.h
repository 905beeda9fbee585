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

/* Eliminates the next group. A pivot that vanishes leaves a factor, and then a solution, that is not finite. */
INLINE void FRONT_NAME(front_eliminate)(FRONT_NAME(front) * f, const double *columns,
                                        double *factor)
{
    REAL P[FRONT_NAME(FRONT)][FRONT_NAME(FRONT)];
    UNROLLED
    for (int c = 0; c < GROUP; c++) UNROLLED
    for (int r = c; r < FRONT_NAME(FRONT); r++) {
        P[c][r] = NAME(load)(columns + (c * FRONT_NAME(FRONT) + r) * LANES);
        if (r < BELOW) P[c][r] += f->value[c][r];
    }
    UNROLLED
    for (int c = 0; c < GROUP; c++) {
        REAL L[FRONT_NAME(FRONT)], inverse = 1 / P[c][c];
        NAME(store)(factor, inverse);
        factor += LANES;
        UNROLLED
        for (int r = c + 1; r < FRONT_NAME(FRONT); r++) {
            L[r] = P[c][r] * inverse;
            NAME(store)(factor, L[r]);
            factor += LANES;
        }
        UNROLLED
        for (int q = c + 1; q < GROUP; q++) UNROLLED
        for (int r = q; r < FRONT_NAME(FRONT); r++)
            // cppcheck-suppress uninitvar ; the loop above sets L from c + 1 on
            P[q][r] -= L[q] * P[c][r];
    }
    factor -= FRONT_NAME(FACTOR) * LANES;
    UNROLLED
    for (int q = 0; q < BELOW; q++) UNROLLED
    for (int r = q; r < BELOW; r++) {
        REAL rest = NAME(broadcast)(0);
        const double *L = factor;
        if (q + GROUP < BELOW && r + GROUP < BELOW) rest = f->value[q + GROUP][r + GROUP];
        UNROLLED
        for (int c = 0; c < GROUP; c++) {
            rest -= NAME(load)(L + (GROUP + q - c) * LANES) * P[c][GROUP + r];
            L += (FRONT_NAME(FRONT) - c) * LANES;
        }
        f->value[q][r] = rest;
    }
}

/* `count` groups. */
INLINE void FRONT_NAME(front_eliminate_all)(int count, const double *columns, double *front,
                                            double *factor)
{
    FRONT_NAME(front) f;
    memcpy(&f, front, sizeof f);
    for (int i = 0; i < count; i++) {
        FRONT_NAME(front_eliminate)(&f, columns, factor);
        columns += GROUP * FRONT_NAME(FRONT) * LANES;
        factor += FRONT_NAME(FACTOR) * LANES;
    }
    memcpy(front, &f, sizeof f);
}

/* x = A⁻¹ b, GROUP values of each group. Sums end with the unknown that is found last, so that little waits for it. */
INLINE void FRONT_NAME(front_solve)(int groups, const double *factor, const double *b, double *x)
{
    REAL w[FRONT_NAME(FRONT)];
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++) w[r] = NAME(broadcast)(0);
    for (int g = 0; g < groups; g++, b += GROUP * LANES) {
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
        x += GROUP * LANES;
        UNROLLED
        for (int r = 0; r < FRONT_NAME(FRONT); r++)
            w[r] = r < BELOW ? w[r + GROUP] : NAME(broadcast)(0);
    }
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++) w[r] = NAME(broadcast)(0);
    for (int g = groups - 1; g >= 0; g--) {
        const double *end = factor;
        factor -= FRONT_NAME(FACTOR) * LANES;
        x -= GROUP * LANES;
        UNROLLED
        for (int r = FRONT_NAME(FRONT) - 1; r >= GROUP; r--) w[r] = w[r - GROUP];
        UNROLLED
        for (int c = GROUP - 1; c >= 0; c--) {
            end -= (FRONT_NAME(FRONT) - c) * LANES;
            w[c] = NAME(load)(end) * NAME(load)(x + c * LANES);
            UNROLLED
            for (int r = FRONT_NAME(FRONT) - 1; r > c; r--)
                w[c] -= NAME(load)(end + (r - c) * LANES) * w[r];
            NAME(store)(x + c * LANES, w[c]);
        }
    }
}
