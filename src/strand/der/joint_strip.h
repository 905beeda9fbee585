/* Derivatives of consecutive joints in arrays, and the sums that vertices gather from them: the joint at a vertex, and those
 * before and after it. Over a lane type (math/lane_type.h), after joint_kernel.h; STRIP_JOINTS is the number of joints,
 * and SPACING the distance of consecutive ones in an array: 1 where lanes are joints of one rod, LANES where they are rods. */

/* Rows of a strip: derivatives of the joints, symmetric ones without their lower triangle. */
enum {
    NAME(AT_E) = 0,
    NAME(AT_F) = 3,
    NAME(AT_THETA) = 6,
    NAME(AT_G) = 8,
    NAME(GRADIENT_ROWS),
    NAME(AT_EE) = NAME(GRADIENT_ROWS),
    NAME(AT_FF) = NAME(AT_EE) + 6,
    NAME(AT_FE) = NAME(AT_FF) + 6,
    NAME(AT_TE) = NAME(AT_FE) + 9,
    NAME(AT_TF) = NAME(AT_TE) + 6,
    NAME(AT_TT) = NAME(AT_TF) + 6,
    NAME(AT_ROW) = NAME(AT_TT) + 3,
    NAME(STRIP_ROWS) = NAME(AT_ROW) + 3
};

typedef struct NAME(strip) {
    _Alignas(64) double value[NAME(STRIP_ROWS)][SPACING * STRIP_JOINTS];
} NAME(strip);

INLINE void NAME(store_gradient)(NAME(strip) * s, int at, const NAME(joint_gradient) * g, REAL row)
{
    FOR3(k)
    {
        NAME(store)(s->value[NAME(AT_E) + k] + SPACING * at, g->e[k]);
        NAME(store)(s->value[NAME(AT_F) + k] + SPACING * at, g->f[k]);
    }
    NAME(store)(s->value[NAME(AT_THETA)] + SPACING * at, g->theta[0]);
    NAME(store)(s->value[NAME(AT_THETA) + 1] + SPACING * at, g->theta[1]);
    NAME(store)(s->value[NAME(AT_G)] + SPACING * at, row);
}

INLINE void NAME(store_hessian)(NAME(strip) * s, int at, const NAME(joint_hessian) * h,
                                const REAL *row)
{
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    UNROLLED
    for (int k = 0; k < 6; k++) {
        NAME(store)(s->value[NAME(AT_EE) + k] + SPACING * at, h->ee[upper[k]]);
        NAME(store)(s->value[NAME(AT_FF) + k] + SPACING * at, h->ff[upper[k]]);
        NAME(store)(s->value[NAME(AT_TE) + k] + SPACING * at, h->te[k / 3][k % 3]);
        NAME(store)(s->value[NAME(AT_TF) + k] + SPACING * at, h->tf[k / 3][k % 3]);
    }
    UNROLLED
    for (int k = 0; k < 9; k++) NAME(store)(s->value[NAME(AT_FE) + k] + SPACING * at, h->fe[k]);
    FOR3(k)
    {
        NAME(store)(s->value[NAME(AT_TT) + k] + SPACING * at, h->tt[k]);
        NAME(store)(s->value[NAME(AT_ROW) + k] + SPACING * at, row[k]);
    }
}

#define JOINT_ROW(row, i, offset) NAME(load)(s->value[NAME(row) + (i)] + SPACING * (k + (offset)))

/* Forces on the vertices from index k on, and torques about the edges after them. */
INLINE void NAME(gather_force)(const NAME(strip) * s, int k, REAL sum[4])
{
    FOR3(c)
    sum[c] = (JOINT_ROW(AT_E, c, 0) - JOINT_ROW(AT_F, c, 0)) +
             (JOINT_ROW(AT_F, c, -1) - JOINT_ROW(AT_E, c, 1));
    sum[3] = JOINT_ROW(AT_THETA, 1, 0) + JOINT_ROW(AT_THETA, 0, 1);
}

/* Columns of the matrix from the diagonal on: the unknowns of a vertex, `pitch` of them (x, λ of the edge before, θ), of the next
 * vertex, and x of the one after. Component c of x, to whose diagonal `mass` is added: */
INLINE void NAME(gather_x_column)(const NAME(strip) * s, int pitch, int k, int c, REAL mass,
                                  REAL column[13])
{
    static const int symmetric[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    const int theta = pitch - 1;
    FOR3(r)
    {
        const int q = symmetric[c][r];
        if (r >= c)
            column[r - c] = (JOINT_ROW(AT_FF, q, -1) + JOINT_ROW(AT_EE, q, 1)) +
                            ((JOINT_ROW(AT_EE, q, 0) + JOINT_ROW(AT_FF, q, 0)) -
                             (JOINT_ROW(AT_FE, 3 * c + r, 0) + JOINT_ROW(AT_FE, 3 * r + c, 0)));
        column[pitch + r - c] = (JOINT_ROW(AT_FE, 3 * c + r, 0) - JOINT_ROW(AT_FF, q, 0)) +
                                (JOINT_ROW(AT_FE, 3 * c + r, 1) - JOINT_ROW(AT_EE, q, 1));
        column[2 * pitch + r - c] = -JOINT_ROW(AT_FE, 3 * c + r, 1);
    }
    column[0] += mass;
    if (pitch == 5) {
        column[3 - c] = JOINT_ROW(AT_ROW, c, -1);
        column[pitch + 3 - c] = -JOINT_ROW(AT_ROW, c, 0);
    }
    column[theta - c] =
        JOINT_ROW(AT_TE, 3 + c, 0) - JOINT_ROW(AT_TF, 3 + c, 0) - JOINT_ROW(AT_TE, c, 1);
    column[pitch + theta - c] = -JOINT_ROW(AT_TE, 3 + c, 1);
}

/* and θ, to whose diagonal inertia and a proximal term are added. */
INLINE void NAME(gather_theta_column)(const NAME(strip) * s, int pitch, int k, REAL inertia,
                                      REAL proximal, REAL column[9])
{
    column[0] = JOINT_ROW(AT_TT, 2, 0) + JOINT_ROW(AT_TT, 0, 1) + inertia + proximal;
    FOR3(r)
    {
        column[1 + r] =
            JOINT_ROW(AT_TF, 3 + r, 0) + (JOINT_ROW(AT_TE, r, 1) - JOINT_ROW(AT_TF, r, 1));
        column[pitch + 1 + r] = JOINT_ROW(AT_TF, r, 1);
    }
    if (pitch == 5) column[4] = NAME(broadcast)(0);
    column[pitch] = JOINT_ROW(AT_TT, 1, 1);
}
#undef JOINT_ROW
