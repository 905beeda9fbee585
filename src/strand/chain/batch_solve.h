/* The elimination of the chains of batch_motion.h, as in solve.c. */

/* ---- elimination --------------------------------------------------------------------------------- */

/* A += Tᵀ H T, T from the element's (v, ω, κ) to its end's (v, ω, carried κ): add_ahead.h, without the zeros of T. */
INLINE void NAME(add_beyond)(const int local, const NAME(local) * end,
                             REAL H[NAME(BASE)][NAME(BASE)], NAME(form) * m)
{
    const int carried = local == LOCAL_MOST ? 3 : 0, rows = 6 + carried;
    const REAL *r = end->r;
    REAL G[NAME(BASE)][NAME(SIZE)];
    for (int i = 0; i < rows; i++) {
        const REAL *h = H[i];
        FOR3(k) G[i][k] = h[k];
        G[i][3] = h[3] + (r[1] * h[2] - r[2] * h[1]);
        G[i][4] = h[4] + (r[2] * h[0] - r[0] * h[2]);
        G[i][5] = h[5] + (r[0] * h[1] - r[1] * h[0]);
        for (int j = 0; j < local; j++) {
            G[i][6 + j] = NAME(v3_dot)(end->P + 3 * j, h) + NAME(v3_dot)(end->W + 3 * j, h + 3);
            if (carried && j >= 3) G[i][6 + j] += h[3 + j];
        }
    }
    for (int j = 0; j < 6 + local; j++) {
        FOR3(k) if (j <= k) m->a[k][j] += G[k][j];
        if (j <= 3) m->a[3][j] += G[3][j] + (r[1] * G[2][j] - r[2] * G[1][j]);
        if (j <= 4) m->a[4][j] += G[4][j] + (r[2] * G[0][j] - r[0] * G[2][j]);
        if (j <= 5) m->a[5][j] += G[5][j] + (r[0] * G[1][j] - r[1] * G[0][j]);
        const REAL v[3] = {G[0][j], G[1][j], G[2][j]}, w[3] = {G[3][j], G[4][j], G[5][j]};
        for (int i = j < 6 ? 0 : j - 6; i < local; i++) {
            m->a[6 + i][j] += NAME(v3_dot)(end->P + 3 * i, v) + NAME(v3_dot)(end->W + 3 * i, w);
            if (carried && i >= 3) m->a[6 + i][j] += G[3 + i][j];
        }
    }
}

/* The inverse of a symmetric 3 × 3 block, given its lower triangle, by its LDLᵀ: not finite where a pivot vanishes. */
INLINE void NAME(invert)(REAL d[3][3], REAL inverse[3][3])
{
    const REAL a = 1 / d[0][0], l10 = d[1][0] * a, l20 = d[2][0] * a;
    const REAL b = 1 / (d[1][1] - l10 * d[1][0]), u = d[2][1] - l20 * d[1][0], l21 = u * b;
    const REAL c = 1 / (d[2][2] - l20 * d[2][0] - l21 * u);
    const REAL m20 = l10 * l21 - l20; /* of L⁻¹; its others are −l10, −l21 */
    inverse[2][2] = c;
    inverse[1][2] = inverse[2][1] = -l21 * c;
    inverse[0][2] = inverse[2][0] = m20 * c;
    inverse[1][1] = b + l21 * l21 * c;
    inverse[0][1] = inverse[1][0] = -l10 * b - l21 * m20 * c;
    inverse[0][0] = a + l10 * l10 * b + m20 * m20 * c;
}

/* Eliminates the last three components; H becomes the form beyond the element's start. */
INLINE void NAME(eliminate)(const int local, const NAME(form) * m, NAME(factor) * to,
                            REAL H[NAME(BASE)][NAME(BASE)])
{
    const int rest = 3 + local;
    REAL d[3][3];
    FOR3(i) for (int j = 0; j <= i; j++) d[i][j] = m->a[rest + i][rest + j];
    NAME(invert)(d, to->pivot);
    for (int j = 0; j < rest; j++) FOR3(i)
    to->gain[i][j] = to->pivot[i][0] * m->a[rest][j] + to->pivot[i][1] * m->a[rest + 1][j] +
                     to->pivot[i][2] * m->a[rest + 2][j];
    for (int i = 0; i < rest; i++)
        for (int j = 0; j <= i; j++) {
            REAL sum = m->a[i][j];
            FOR3(l) sum -= m->a[rest + l][i] * to->gain[l][j];
            H[i][j] = H[j][i] = sum;
        }
}

INLINE void NAME(factor_base)(const unsigned char *prescribed, const int size,
                              REAL H[NAME(BASE)][NAME(BASE)], NAME(base_factor) * to)
{
    const REAL zero = NAME(broadcast)(0);
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            const bool pinned = prescribed[i] || prescribed[j];
            to->a[j][i] = H[j][i];
            to->l[j][i] = pinned ? zero + (i == j) : H[j][i];
        }
    for (int k = 0; k < size; k++) { /* right-looking; rows i > k of column k are at l[k][i] */
        const REAL over = 1 / to->l[k][k];
        for (int j = k + 1; j < size; j++) {
            const REAL l = to->l[k][j] * over;
            for (int i = j; i < size; i++) to->l[j][i] -= l * to->l[k][i];
        }
        for (int i = k + 1; i < size; i++) to->l[k][i] *= over;
        to->l[k][k] = over;
    }
}

INLINE void NAME(factor_chains)(const NAME(chains) * x, const int local,
                                REAL tip[NAME(SIZE)][NAME(SIZE)], NAME(factor) * to,
                                NAME(base_factor) * base)
{
    REAL H[NAME(BASE)][NAME(BASE)];
    for (int i = 0; i < NAME(BASE); i++)
        for (int j = 0; j < NAME(BASE); j++) H[i][j] = NAME(broadcast)(0);
    FOR3(i) for (int j = 0; j <= i; j++) H[3 + i][3 + j] = H[3 + j][3 + i] = tip[i][j];
    for (int e = x->c->elements - 1; e >= 0; e--) {
        memcpy(to[e].after, H, sizeof H);
        to[e].end = x->end[e];
        NAME(add_beyond)(local, x->end + e, H, x->form + e);
        NAME(eliminate)(local, x->form + e, to + e, H);
    }
    NAME(factor_base)(x->b->prescribed, 3 + local, H, base);
}

/* ---- solving: as in solve.c, with rows of zero on the right --------------------------------------- */

INLINE void NAME(backward)(const NAME(chains) * x, const int local, REAL *y)
{
    const int carried = local == LOCAL_MOST ? 3 : 0, rest = 3 + local;
    for (int e = x->c->elements - 1; e >= 0; e--) {
        REAL *here = y + chain_position(x->c, e), *next = y + chain_position(x->c, e + 1);
        REAL *retained = carried ? next + 6 : here + 6, a[NAME(SIZE)], moment[3];
        const NAME(factor) *m = x->factor + e;
        for (int i = 0; i < 9; i++) a[i] = here[i];
        for (int i = 0; i < carried; i++) a[9 + i] = next[6 + i];
        NAME(v3_cross)(moment, m->end.r, next);
        FOR3(k) a[k] += next[k], a[3 + k] += next[3 + k] + moment[k];
        for (int j = 0; j < local; j++)
            a[6 + j] +=
                NAME(v3_dot)(m->end.P + 3 * j, next) + NAME(v3_dot)(m->end.W + 3 * j, next + 3);
        FOR3(i)
        retained[i] =
            m->pivot[i][0] * a[rest] + m->pivot[i][1] * a[rest + 1] + m->pivot[i][2] * a[rest + 2];
        for (int i = 0; i < rest; i++) {
            FOR3(j) a[i] -= m->gain[j][i] * a[rest + j];
            here[i] = a[i];
        }
    }
}

INLINE void NAME(solve_base)(const unsigned char *prescribed, const int size,
                             const NAME(base_factor) * m, REAL *y)
{
    for (int k = 0; k < 6; k++) /* prescribed dofs have their increment there */
        for (int i = 0; prescribed[k] && i < size; i++)
            if (i >= 6 || !prescribed[i]) y[i] -= m->a[i][k] * y[k];
    for (int k = 0; k < size; k++)
        for (int i = k + 1; i < size; i++) y[i] -= m->l[k][i] * y[k];
    for (int k = 0; k < size; k++) y[k] *= m->l[k][k];
    for (int k = size - 1; k >= 0; k--)
        for (int i = k + 1; i < size; i++) y[k] -= m->l[k][i] * y[i];
}

INLINE void NAME(forward)(const NAME(chains) * x, const int local, REAL *y)
{
    const int carried = local == LOCAL_MOST ? 3 : 0, rest = 3 + local, ahead = 6 + carried;
    for (int e = 0; e < x->c->elements; e++) {
        REAL *here = y + chain_position(x->c, e), *next = y + chain_position(x->c, e + 1);
        REAL *row = y + chain_row_position(x->c, e + 1), h[6], z[NAME(BASE)];
        REAL *retained = carried ? next + 6 : here + 6;
        const NAME(factor) *m = x->factor + e;
        for (int j = 0; j < rest; j++) FOR3(i) retained[i] -= m->gain[i][j] * here[j];
        for (int i = 0; i < 6; i++) h[i] = next[i];
        NAME(v3_cross)(z, here + 3, m->end.r);
        FOR3(k) z[k] += here[k], z[3 + k] = here[3 + k];
        for (int j = 0; j < local; j++) {
            const REAL own = j < 3 ? here[6 + j] : next[3 + j];
            NAME(v3_axpy)(z, own, m->end.P + 3 * j);
            NAME(v3_axpy)(z + 3, own, m->end.W + 3 * j);
        }
        for (int i = 6; i < ahead; i++) z[i] = next[i];
        for (int i = 0; i < 6; i++) next[i] = z[i];
        for (int j = 0; j < ahead; j++)
            for (int i = 0; i < 6; i++) h[i] -= m->after[j][i] * z[j];
        for (int i = 0; i < 6; i++) row[i] = h[i];
    }
}

/* `y` has the right-hand side of the dofs, and the increments of prescribed ones. */
INLINE void NAME(solve_chains)(const NAME(chains) * x, const int local, REAL *y)
{
    const unsigned char *prescribed = x->b->prescribed;
    REAL given[6];
    for (int k = 0; k < 6; k++) given[k] = y[k];
    for (int k = 0; k < 6; k++)
        if (prescribed[k]) y[k] = NAME(broadcast)(0);
    NAME(backward)(x, local, y);
    for (int k = 0; k < 6; k++)
        if (prescribed[k]) y[k] = given[k];
    NAME(solve_base)(prescribed, 3 + local, x->base, y);
    NAME(forward)(x, local, y);
}
