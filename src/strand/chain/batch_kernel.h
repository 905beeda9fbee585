/* Operations of a batch of chains, one in each lane (block/batch.h), over a lane type: corrections, motion, the end of a step. */
#include "strand/chain/batch_motion.h"
/* in this order */
#include "strand/chain/batch_forces.h"
#include "strand/chain/batch_solve.h"

/* ---- the operations ------------------------------------------------------------------------------ */

INLINE void NAME(correct_chains)(const batch_lanes *b, const int local, unsigned fresh, bool all)
{
    const NAME(chains) x = NAME(chains_of)(b);
    const chain_model *c = x.c;
    const bool drags = c->drag > 0 || c->quadratic_drag > 0, matrix = fresh != 0;
    REAL *y = NAME(vectors)(b->x), tip[NAME(SIZE)][NAME(SIZE)];
    for (int i = 0; i < chain_dofs(c) + 6 * c->elements; i++) y[i] = NAME(broadcast)(0);
    FOR3(i) FOR3(j) tip[i][j] = NAME(broadcast)(0);
    NAME(set_base)(&x);
    for (int e = 0; e < c->elements; e++) {
        REAL sum[NAME(SIZE)];
        for (int k = 0; k < 6 + local; k++) sum[k] = NAME(broadcast)(0);
        NAME(refresh)(&x, local, true, e);
        NAME(element_terms)(&x, local, drags, matrix, e, sum);
        NAME(element_residual)(&x, local, e, sum, y);
    }
    for (int n = 0; n <= c->elements; n++) {
        REAL a[3][NAME(SIZE)];
        FOR3(i) FOR3(j) a[i][j] = NAME(broadcast)(0);
        NAME(add_directors)(&x, n, y + chain_position(c, n), matrix ? a : NULL);
        if (n == 0) FOR3(k)
            {
                y[3 + k] -= x.of->base_damping * NAME(rate_of)(b, 3 + k);
                a[k][k] += b->c_v * x.of->base_damping;
            }
        for (int i = 0; matrix && i < 3; i++)
            for (int j = 0; j <= i; j++)
                if (n < c->elements)
                    x.form[n].a[3 + i][3 + j] += a[i][j];
                else
                    tip[i][j] = a[i][j];
    }
    if (matrix) {
        NAME(factor_chains)
        (&x, local, tip, all ? x.factor : x.spare, all ? x.base : x.spare_base);
        if (!all) {
            const int count = (int)(sizeof *x.factor / sizeof(REAL)) * c->elements;
            cord__batch_keep(~fresh, count, (double *)x.spare, (double *)x.factor);
            cord__batch_keep(~fresh, (int)(sizeof *x.base / sizeof(REAL)), (double *)x.spare_base,
                             (double *)x.base);
        }
    }
    for (int k = 0; k < 6; k++)
        if (b->prescribed[k]) y[k] = NAME(load)(b->given + k * LANES);
    NAME(solve_chains)(&x, local, y);
}

INLINE void NAME(batch_correct)(const batch_lanes *b, unsigned fresh, bool all)
{
    const chain_model *c = b->model[0];
    if (c->local == LOCAL_MOST)
        NAME(correct_chains)(b, LOCAL_MOST, fresh, all);
    else
        NAME(correct_chains)(b, 3, fresh, all);
}

INLINE void NAME(refresh_all)(const NAME(chains) * x, const int local, bool jacobians)
{
    NAME(set_base)(x);
    for (int e = 0; e < x->c->elements; e++) NAME(refresh)(x, local, jacobians, e);
}

INLINE void NAME(batch_coordinates)(const batch_lanes *b, bool jacobians)
{
    const NAME(chains) x = NAME(chains_of)(b);
    if (x.c->local == LOCAL_MOST)
        NAME(refresh_all)(&x, LOCAL_MOST, jacobians);
    else
        NAME(refresh_all)(&x, 3, jacobians);
    NAME(coordinates)(&x, b->inertial_x);
}

INLINE void NAME(batch_begin)(const batch_lanes *b)
{
    const NAME(chains) x = NAME(chains_of)(b);
    NAME(read_parameters)(&x);
}

INLINE void NAME(batch_set_environment)(const batch_lanes *b)
{
    const NAME(chains) x = NAME(chains_of)(b);
    FOR3(k) FOR_LANES(l) * NAME(lane)(x.of->gravity + k, l) = b->environment[l]->gravity[k];
}

INLINE void NAME(batch_measure)(const batch_lanes *b, batch_size *size)
{
    const NAME(chains) x = NAME(chains_of)(b);
    const REAL *y = NAME(vectors)(b->x), zero = NAME(broadcast)(0);
    const REAL over = 1 / x.of->element_length;
    REAL largest = zero, angle = zero, sum = zero;
    for (int n = 0; n <= x.c->elements; n++) {
        const REAL *at = y + chain_position(x.c, n);
        for (int k = 0; k < 6 + chain_carried(x.c, n); k++) {
            const REAL unit = k < 3 ? over : k < 6 ? zero + 1 : x.of->length;
            largest = NAME(largest)(largest, NAME(absolute)(at[k]) * unit);
            sum += 0 * at[k];
        }
        angle = NAME(largest)(angle, NAME(v3_dot)(at + 3, at + 3));
    }
    for (int l = 0; l < LANES; l++) {
        size->largest[l] = largest[l] + sum[l]; /* NaN where a value is not finite */
        size->nonlinearity[l] = sqrt(angle[l]);
        size->row_error[l] = 0; /* coordinates are independent: rows are always met */
    }
}

/* As cord__chain_retract(). */
INLINE void NAME(batch_move)(const batch_lanes *b, unsigned set, const double *fraction)
{
    const chain_model *c = b->model[0];
    const REAL *y = NAME(vectors)(b->x), zero = NAME(broadcast)(0);
    REAL *q = NAME(vectors)(b->q), *d = NAME(vectors)(b->d), *lambda = NAME(vectors)(b->lambda);
    REAL by[6], scale = zero, whole = zero, turned[4];
    FOR_LANES(l)
    {
        if (!(set & 1u << l)) continue;
        *NAME(lane)(&scale, l) = fraction[l];
        *NAME(lane)(&whole, l) = 1;
    }
    for (int n = 0; n <= c->elements; n++) {
        const REAL *at = y + chain_position(c, n);
        for (int k = 0; k < 6 + chain_carried(c, n); k++) {
            REAL moved = scale * at[k];
            d[chain_dof(c, n) + k] += moved;
            if (k >= 6) q[7 + 3 * n + k - 6] += moved;
            if (n == 0 && k < 6) by[k] = moved;
        }
    }
    for (int e = 0; e < c->elements; e++)
        for (int k = 0; k < 6; k++)
            lambda[6 * e + k] -= whole * y[chain_row_position(c, e + 1) + k];
    FOR3(k) q[k] += by[k];
    REAL half[4] = {zero + 1, 0.5 * by[3], 0.5 * by[4], 0.5 * by[5]};
    NAME(q4_multiply)(turned, half, q + 3);
    REAL over = zero;
    for (int k = 0; k < 4; k++) over += turned[k] * turned[k];
    over = 1 / NAME(square_root)(over);
    const NAME(bits) turns = (by[3] != zero) | (by[4] != zero) | (by[5] != zero);
    for (int k = 0; k < 4; k++) q[3 + k] = NAME(select)(turns, turned[k] * over, q[3 + k]);
}

/* Jᵀm (ẋ − J v) times c_a, the momentum of the inertial coordinates beyond that of the dofs, into y. */
INLINE void NAME(add_momenta)(const NAME(chains) * x, const int local, double c_a, REAL *y)
{
    const chain_model *c = x->c;
    const batch_lanes *b = x->b;
    const REAL *rate = NAME(vectors)(b->inertial_v), *own = NAME(vectors)(b->inertial_x);
    for (int e = 0; e < c->elements; e++) {
        const NAME(gauss) *g = NAME(gauss_of)(x, e, 0);
        const gauss_rule *rule = chain_rule(c, e);
        const REAL half = x->element[e].length * (0.5 / chain_panels(c, e));
        REAL sum[NAME(SIZE)], f[3], *from = y + chain_position(c, e);
        REAL *to = y + chain_position(c, e + 1);
        for (int k = 0; k < 6 + local; k++) sum[k] = NAME(broadcast)(0);
        for (int i = 0; i < chain_nodes_of(c, e); i++, rate += 3, own += 3) {
            const REAL mass = half * rule->w[i % rule->n] * x->of->mass;
            FOR3(k) f[k] = c_a * (rate[k] - own[k]) * mass;
            NAME(add_forces)(local, g[i].at.r, g[i].at.P, f, sum);
        }
        for (int k = 0; k < 9; k++) from[k] += sum[k];
        for (int j = 3; j < local; j++) to[3 + j] += sum[6 + j];
    }
    for (int n = 0; n <= c->elements; n++)
        for (int d = 0; d < 2; d++, rate += 3, own += 3) {
            REAL f[3], moment[3], *at = y + chain_position(c, n) + 3;
            FOR3(k) f[k] = c_a * (rate[k] - own[k]) * x->director[n];
            NAME(v3_cross)(moment, x->node[n].frame + 3 + 3 * d, f);
            NAME(v3_add)(at, at, moment);
        }
}

/* As cord__end_step() of solve/velocities.c where c_a > 0, and as cord__end_euler(): rows are met by v of the base and of the
 * curvatures. inertial_x is workspace then. */
INLINE void NAME(end_chains)(const batch_lanes *b, const int local, double c_a)
{
    const NAME(chains) x = NAME(chains_of)(b);
    const chain_model *c = x.c;
    REAL *y = NAME(vectors)(b->x), *v = NAME(vectors)(b->v);
    NAME(follow)(&x, local, b->v);
    if (!(c_a > 0)) return;
    for (int i = 0; i < chain_dofs(c) + 6 * c->elements; i++) y[i] = NAME(broadcast)(0);
    NAME(inertial_rates)(&x, local, b->v, b->inertial_x);
    NAME(add_momenta)(&x, local, c_a, y);
    for (int k = 0; k < 6; k++)
        if (b->prescribed[k]) y[k] = NAME(broadcast)(0);
    NAME(solve_chains)(&x, local, y);
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6 + chain_carried(c, n); k++)
            v[chain_dof(c, n) + k] += y[chain_position(c, n) + k];
    NAME(follow)(&x, local, b->v);
    NAME(inertial_rates)(&x, local, b->v, b->inertial_v);
}

INLINE void NAME(batch_end_step)(const batch_lanes *b, double c_a)
{
    const chain_model *c = b->model[0];
    if (c->local == LOCAL_MOST)
        NAME(end_chains)(b, LOCAL_MOST, c_a);
    else
        NAME(end_chains)(b, 3, c_a);
}
