/* a += Tᵀ H T over a lane type (math/lane_type.h): LANES columns at a time. T is from the element's (v, ω, κ) to its end's
 * (v, ω, carried κ); H is symmetric. Columns beyond the last are zero: nothing is added to the start of the next row. */

enum { NAME(WIDTH) = (6 + LOCAL_MOST) / LANES };

/* v' = v + ω × r + P κ,   ω' = ω + W κ */
INLINE void NAME(end_of)(const dimensions k, const chain_local *end, REAL T[AHEAD][NAME(WIDTH)])
{
    const double *r = end->r;
    double t[AHEAD][6 + LOCAL_MOST];
    for (int i = 0; i < AHEAD; i++)
        for (int j = 0; j < 6 + LOCAL_MOST; j++) t[i][j] = 0;
    for (int i = 0; i < 6; i++) t[i][i] = 1;
    t[0][4] = r[2], t[0][5] = -r[1], t[1][3] = -r[2];
    t[1][5] = r[0], t[2][3] = r[1], t[2][4] = -r[0];
    for (int j = 0; j < k.local; j++)
        for (int i = 0; i < 3; i++)
            t[i][6 + j] = end->P[3 * j + i], t[3 + i][6 + j] = end->W[3 * j + i];
    for (int i = 0; i < k.carried; i++) t[6 + i][6 + k.local - k.carried + i] = 1;
    for (int i = 0; i < AHEAD; i++)
        for (int v = 0; v < NAME(WIDTH); v++) T[i][v] = NAME(load)(t[i] + LANES * v);
}

INLINE void NAME(add_ahead)(const dimensions k, const double *H, const chain_local *end, double *a)
{
    const int size = 6 + k.local, rows = 6 + k.carried;
    REAL T[AHEAD][NAME(WIDTH)], HT[AHEAD][NAME(WIDTH)], sum[NAME(WIDTH)];
    NAME(end_of)(k, end, T);
    for (int i = 0; i < rows; i++) {
        UNROLLED for (int v = 0; v < NAME(WIDTH); v++) sum[v] = NAME(broadcast)(0);
        for (int j = 0; j < rows; j++)
            UNROLLED for (int v = 0; v < NAME(WIDTH); v++) sum[v] += H[AHEAD * i + j] * T[j][v];
        UNROLLED for (int v = 0; v < NAME(WIDTH); v++) HT[i][v] = sum[v];
    }
    for (int i = 0; i < size; i++) {
        double *row = a + size * i;
        UNROLLED for (int v = 0; v < NAME(WIDTH); v++) sum[v] = NAME(load)(row + LANES * v);
        for (int j = 0; j < rows; j++)
            UNROLLED for (int v = 0; v < NAME(WIDTH); v++) sum[v] +=
                ((const double *)T[j])[i] * HT[j][v];
        UNROLLED for (int v = 0; v < NAME(WIDTH); v++) NAME(store)(row + LANES * v, sum[v]);
    }
}
