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

/* Eliminates the next group; adds to `failed` the lanes in which a pivot vanishes or is not finite. */
INLINE void FRONT_NAME(front_eliminate)(FRONT_NAME(front) * f, const double *columns,
                                        double *factor, NAME(bits) * failed)
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
        *failed |= ~((NAME(absolute)(inverse) > 0) & (NAME(absolute)(inverse) < INFINITY));
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
        for (int r = q; r < FRONT_NAME(FRONT); r++) P[q][r] -= L[q] * P[c][r];
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

/* `count` groups; a bit for every lane that failed. */
INLINE unsigned FRONT_NAME(front_eliminate_all)(int count, const double *columns, double *front,
                                                double *factor)
{
    FRONT_NAME(front) f;
    NAME(bits) failed = {0};
    unsigned set = 0;
    memcpy(&f, front, sizeof f);
    for (int i = 0; i < count; i++) {
        FRONT_NAME(front_eliminate)(&f, columns, factor, &failed);
        columns += GROUP * FRONT_NAME(FRONT) * LANES;
        factor += FRONT_NAME(FACTOR) * LANES;
    }
    memcpy(front, &f, sizeof f);
    for (int l = 0; l < LANES; l++) set |= failed[l] ? 1u << l : 0;
    return set;
}

/* x = A⁻¹ b, GROUP values of each group. */
INLINE void FRONT_NAME(front_solve)(int groups, const double *factor, const double *b, double *x)
{
    REAL w[FRONT_NAME(FRONT)];
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++) w[r] = NAME(broadcast)(0);
    for (int g = 0; g < groups; g++) {
        const double *at = factor + (size_t)g * FRONT_NAME(FACTOR) * LANES;
        UNROLLED
        for (int c = 0; c < GROUP; c++) {
            w[c] += NAME(load)(b + (g * GROUP + c) * LANES);
            at += LANES;
            UNROLLED
            for (int r = c + 1; r < FRONT_NAME(FRONT); r++) {
                w[r] -= NAME(load)(at) * w[c];
                at += LANES;
            }
            NAME(store)(x + (g * GROUP + c) * LANES, w[c]);
        }
        UNROLLED
        for (int r = 0; r < FRONT_NAME(FRONT); r++)
            w[r] = r < BELOW ? w[r + GROUP] : NAME(broadcast)(0);
    }
    UNROLLED
    for (int r = 0; r < FRONT_NAME(FRONT); r++) w[r] = NAME(broadcast)(0);
    for (int g = groups - 1; g >= 0; g--) {
        const double *at = factor + (size_t)(g + 1) * FRONT_NAME(FACTOR) * LANES;
        UNROLLED
        for (int r = FRONT_NAME(FRONT) - 1; r >= GROUP; r--) w[r] = w[r - GROUP];
        UNROLLED
        for (int c = GROUP - 1; c >= 0; c--) {
            REAL sum = NAME(broadcast)(0);
            UNROLLED
            for (int r = FRONT_NAME(FRONT) - 1; r > c; r--) {
                at -= LANES;
                sum += NAME(load)(at) * w[r];
            }
            at -= LANES;
            w[c] = NAME(load)(at) * NAME(load)(x + (g * GROUP + c) * LANES) - sum;
            NAME(store)(x + (g * GROUP + c) * LANES, w[c]);
        }
    }
}
