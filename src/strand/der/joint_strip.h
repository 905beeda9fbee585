/* Derivatives of consecutive joints, and the sums that vertices gather from them: the joint at a vertex, and those
 * before and after it. Over a lane type (math/lane_type.h), after joint_kernel.h.
 *
 * Where lanes are joints of one rod, STRIP_JOINTS is their number, and the derivatives are in arrays over the joints. Without it
 * lanes are rods, and a strip has the three joints of one vertex. */

#ifdef STRIP_JOINTS

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
    _Alignas(64) double value[NAME(STRIP_ROWS)][STRIP_JOINTS];
} NAME(strip);

INLINE void NAME(store_gradient)(NAME(strip) * s, int at, const NAME(joint_gradient) * g, REAL row)
{
    FOR3(k)
    {
        NAME(store)(s->value[NAME(AT_E) + k] + at, g->e[k]);
        NAME(store)(s->value[NAME(AT_F) + k] + at, g->f[k]);
    }
    NAME(store)(s->value[NAME(AT_THETA)] + at, g->theta[0]);
    NAME(store)(s->value[NAME(AT_THETA) + 1] + at, g->theta[1]);
    NAME(store)(s->value[NAME(AT_G)] + at, row);
}

INLINE void NAME(store_hessian)(NAME(strip) * s, int at, const NAME(joint_hessian) * h,
                                const REAL *row)
{
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    UNROLLED
    for (int k = 0; k < 6; k++) {
        NAME(store)(s->value[NAME(AT_EE) + k] + at, h->ee[upper[k]]);
        NAME(store)(s->value[NAME(AT_FF) + k] + at, h->ff[upper[k]]);
        NAME(store)(s->value[NAME(AT_TE) + k] + at, h->te[k / 3][k % 3]);
        NAME(store)(s->value[NAME(AT_TF) + k] + at, h->tf[k / 3][k % 3]);
    }
    UNROLLED
    for (int k = 0; k < 9; k++) NAME(store)(s->value[NAME(AT_FE) + k] + at, h->fe[k]);
    FOR3(k)
    {
        NAME(store)(s->value[NAME(AT_TT) + k] + at, h->tt[k]);
        NAME(store)(s->value[NAME(AT_ROW) + k] + at, row[k]);
    }
}

/* Of the joint at index k + offset; of symmetric derivatives the upper triangle, r ≥ c. */
#define JOINT_ROW(row, i, offset) NAME(load)(s->value[NAME(row) + (i)] + (k + (offset)))
#define UPPER(c, r) ((c) == 0 ? (r) : (c) + (r) + 1)
#define JOINT_E(c, offset) JOINT_ROW(AT_E, c, offset)
#define JOINT_F(c, offset) JOINT_ROW(AT_F, c, offset)
#define JOINT_THETA(i, offset) JOINT_ROW(AT_THETA, i, offset)
#define JOINT_EE(c, r, offset) JOINT_ROW(AT_EE, UPPER(c, r), offset)
#define JOINT_FF(c, r, offset) JOINT_ROW(AT_FF, UPPER(c, r), offset)
#define JOINT_FE(c, r, offset) JOINT_ROW(AT_FE, 3 * (c) + (r), offset)
#define JOINT_TE(i, c, offset) JOINT_ROW(AT_TE, 3 * (i) + (c), offset)
#define JOINT_TF(i, c, offset) JOINT_ROW(AT_TF, 3 * (i) + (c), offset)
#define JOINT_TT(i, offset) JOINT_ROW(AT_TT, i, offset)
#define JOINT_LENGTH(c, offset) JOINT_ROW(AT_ROW, c, offset)

#else

/* The derivatives of a joint, and of the length row of the edge after it. */
typedef struct NAME(strip_joint) {
    NAME(joint_gradient) gradient;
    NAME(joint_hessian) hessian;
    REAL length, length_row[3];
} NAME(strip_joint);

/* A strip has the joint before a vertex, the one at it, and the one after it. */
typedef struct NAME(strip) {
    const NAME(strip_joint) * joint[3];
} NAME(strip);

#define JOINT(k, offset) (*s->joint[(k) + 1 + (offset)])
#define JOINT_E(c, offset) JOINT(k, offset).gradient.e[c]
#define JOINT_F(c, offset) JOINT(k, offset).gradient.f[c]
#define JOINT_THETA(i, offset) JOINT(k, offset).gradient.theta[i]
#define JOINT_EE(c, r, offset) JOINT(k, offset).hessian.ee[3 * (c) + (r)]
#define JOINT_FF(c, r, offset) JOINT(k, offset).hessian.ff[3 * (c) + (r)]
#define JOINT_FE(c, r, offset) JOINT(k, offset).hessian.fe[3 * (c) + (r)]
#define JOINT_TE(i, c, offset) JOINT(k, offset).hessian.te[i][c]
#define JOINT_TF(i, c, offset) JOINT(k, offset).hessian.tf[i][c]
#define JOINT_TT(i, offset) JOINT(k, offset).hessian.tt[i]
#define JOINT_LENGTH(c, offset) JOINT(k, offset).length_row[c]

#endif

/* Forces on the vertices from index k on, and torques about the edges after them. */
INLINE void NAME(gather_force)(const NAME(strip) * s, int k, REAL sum[4])
{
    FOR3(c)
    sum[c] = (JOINT_E(c, 0) - JOINT_F(c, 0)) + (JOINT_F(c, -1) - JOINT_E(c, 1));
    sum[3] = JOINT_THETA(1, 0) + JOINT_THETA(0, 1);
}

/* Columns of the matrix from the diagonal on: the unknowns of a vertex, `pitch` of them (x, λ of the edge before, θ), of the next
 * vertex, and x of the one after. Component c of x, to whose diagonal `mass` is added: */
INLINE void NAME(gather_x_column)(const NAME(strip) * s, int pitch, int k, int c, REAL mass,
                                  REAL column[13])
{
    const int theta = pitch - 1;
    FOR3(r)
    {
        const int low = r < c ? r : c, high = r < c ? c : r;
        if (r >= c)
            column[r - c] =
                (JOINT_FF(c, r, -1) + JOINT_EE(c, r, 1)) +
                ((JOINT_EE(c, r, 0) + JOINT_FF(c, r, 0)) - (JOINT_FE(c, r, 0) + JOINT_FE(r, c, 0)));
        column[pitch + r - c] = (JOINT_FE(c, r, 0) - JOINT_FF(low, high, 0)) +
                                (JOINT_FE(c, r, 1) - JOINT_EE(low, high, 1));
        column[2 * pitch + r - c] = -JOINT_FE(c, r, 1);
    }
    column[0] += mass;
    if (pitch == 5) {
        column[3 - c] = JOINT_LENGTH(c, -1);
        column[pitch + 3 - c] = -JOINT_LENGTH(c, 0);
    }
    column[theta - c] = JOINT_TE(1, c, 0) - JOINT_TF(1, c, 0) - JOINT_TE(0, c, 1);
    column[pitch + theta - c] = -JOINT_TE(1, c, 1);
}

/* and θ, to whose diagonal inertia and a proximal term are added. */
INLINE void NAME(gather_theta_column)(const NAME(strip) * s, int pitch, int k, REAL inertia,
                                      REAL proximal, REAL column[9])
{
    column[0] = JOINT_TT(2, 0) + JOINT_TT(0, 1) + inertia + proximal;
    FOR3(r)
    {
        column[1 + r] = JOINT_TF(1, r, 0) + (JOINT_TE(0, r, 1) - JOINT_TF(0, r, 1));
        column[pitch + 1 + r] = JOINT_TF(0, r, 1);
    }
    if (pitch == 5) column[4] = NAME(broadcast)(0);
    column[pitch] = JOINT_TT(1, 1);
}
#undef JOINT_E
#undef JOINT_F
#undef JOINT_THETA
#undef JOINT_EE
#undef JOINT_FF
#undef JOINT_FE
#undef JOINT_TE
#undef JOINT_TF
#undef JOINT_TT
#undef JOINT_LENGTH
