/* The equations of the chains of batch_motion.h, as in forces.c: forces at the Gauss nodes, the matrix and the residual of an element. */

/* ---- forces -------------------------------------------------------------------------------------- */

/* As chain_force. */
typedef struct NAME(force) {
    REAL f[3], inertia, along, u[3];
} NAME(force);

INLINE void NAME(subtract_air)(const batch_lanes *b, const REAL *position, REAL *u)
{
    for (int l = 0; b->environment[0]->wind && l < LANES; l++) {
        double x[3], air[3];
        for (int k = 0; k < 3; k++) x[k] = ((const double *)(position + k))[l];
        cord__wind_at(b->environment[l]->wind, b->environment[l]->time, x, air);
        for (int k = 0; k < 3; k++) *NAME(lane)(u + k, l) -= air[k];
    }
}

/* `weight`: the length of the node's part of the chain; `index`: of its inertial coordinates. */
INLINE void NAME(gauss_force)(const NAME(chains) * x, bool drags, REAL weight, const REAL *position,
                              int index, NAME(force) * out)
{
    const batch_lanes *b = x->b;
    const REAL mass = weight * x->of->mass;
    REAL by[3], a[3];
    NAME(moved)(b, index, position, by);
    NAME(accelerated)(b, index, by, a);
    FOR3(k) out->f[k] = mass * (a[k] - x->of->gravity[k]);
    out->inertia = b->c_a * mass;
    if (!drags) return;
    FOR3(k)
    {
        REAL before = NAME(load)(b->inertial_v_predictor + (index + k) * LANES);
        out->u[k] = b->c_v * by[k] + before;
    }
    NAME(subtract_air)(b, position, out->u);
    REAL speed = NAME(square_root)(NAME(v3_dot)(out->u, out->u));
    REAL drag = weight * (x->of->drag + x->of->quadratic_drag * speed);
    NAME(v3_axpy)(out->f, drag, out->u);
    out->inertia += b->c_v * drag;
    out->along = NAME(select)(speed > 0, b->c_v * weight * x->of->quadratic_drag / speed,
                              NAME(broadcast)(0));
}

/* Quadratic drag along the velocity, as add_along() of forces.c. */
INLINE void NAME(add_along)(const int local, const NAME(local) * at, const NAME(force) * f,
                            NAME(form) * m)
{
    REAL b[NAME(SIZE)];
    FOR3(k) b[k] = f->u[k];
    NAME(v3_cross)(b + 3, at->r, f->u);
    for (int j = 0; j < local; j++) b[6 + j] = NAME(v3_dot)(at->P + 3 * j, f->u);
    for (int i = 0; i < 6 + local; i++)
        for (int j = 0; j <= i; j++) m->a[i][j] += f->along * b[i] * b[j];
}

/* As loads_beyond() of sums_kernel.h. */
INLINE void NAME(loads)(const gauss_rule *rule, const NAME(gauss) * g, const NAME(force) * force,
                        REAL *end, REAL load[RULE_MOST][6])
{
    REAL f[RULE_MOST][6], start[6], ignored[6];
    for (int k = 0; k < 6; k++) start[k] = end[k];
    for (int i = 0; i < rule->n; i++) {
        const double over = rule->inverse_w[i];
        FOR3(k) f[i][k] = force[i].f[k];
        NAME(v3_cross)(f[i] + 3, g[i].at.r, force[i].f);
        for (int k = 0; k < 6; k++) start[k] -= f[i][k], f[i][k] *= over;
    }
    NAME(cumulate_vectors)(rule, 6, start, f[0], 6, load[0], 6, ignored);
    for (int k = 0; k < 6; k++) end[k] = start[k];
}

/* The lower triangle of fill_matrix() and elastic_matrix() of forces.c. */
INLINE void NAME(fill_form)(const NAME(chains) * x, const int local, int e, const NAME(sums) * s,
                            NAME(form) * m)
{
    const REAL *m1 = s->m1, *m2 = s->m2, *rotation = s->rotation, zero = NAME(broadcast)(0);
    const REAL cross[3][3] = {{zero, m1[2], -m1[1]}, {-m1[2], zero, m1[0]}, {m1[1], -m1[0], zero}};
    const REAL spin[6] = {m2[3] + m2[5] + rotation[0], rotation[1] - m2[1],
                          rotation[2] - m2[2],         m2[0] + m2[5] + rotation[3],
                          rotation[4] - m2[4],         m2[0] + m2[3] + rotation[5]};
    FOR3(k)
    {
        m->a[k][k] += s->m0;
        FOR3(l) m->a[3 + l][k] += cross[k][l];
        for (int j = 0; j < local; j++) {
            const int at = k * LOCAL_MOST + j;
            m->a[6 + j][k] += s->mP[at];
            m->a[6 + j][3 + k] += s->moment[at];
        }
    }
    m->a[3][3] += spin[0], m->a[4][3] += spin[1], m->a[5][3] += spin[2];
    m->a[4][4] += spin[3], m->a[5][4] += spin[4], m->a[5][5] += spin[5];
    for (int j = 0; j < local; j++)
        for (int i = 0; i <= j; i++) m->a[6 + j][6 + i] += s->own[j][i];
    FOR3(k)
    {
        REAL stiff = x->of->stiffness[k] * x->element[e].length * (1 + x->b->c_v * x->of->damping);
        if (local != LOCAL_MOST) {
            m->a[6 + k][6 + k] += stiff;
            continue;
        }
        m->a[6 + k][6 + k] += stiff * (1 / 3.0), m->a[9 + k][9 + k] += stiff * (1 / 3.0);
        m->a[9 + k][6 + k] += stiff * (1 / 6.0);
    }
}

/* Inertia, loads and geometric stiffness of an element: forces are summed, and the matrix set where asked for. */
INLINE void NAME(element_terms)(const NAME(chains) * x, const int local, bool drags, bool matrix,
                                int e, REAL *sum)
{
    const chain_model *c = x->c;
    const gauss_rule *rule = chain_rule(c, e);
    const int panels = chain_panels(c, e), heavy = 3 * c->first_node[e];
    const REAL half = x->element[e].length * (0.5 / panels);
    const REAL *lambda = NAME(vectors)(x->b->lambda) + 6 * e;
    REAL beyond[6], load[RULE_MOST][6];
    NAME(force) force[RULE_MOST];
    NAME(sums) s;
    NAME(form) *m = x->form + e;
    if (matrix) NAME(clear)(&s);
    for (int i = 0; matrix && i < NAME(SIZE); i++)
        for (int j = 0; j <= i; j++) m->a[i][j] = NAME(broadcast)(0);
    FOR3(k) beyond[k] = -lambda[k];
    NAME(v3_cross)(beyond + 3, x->end[e].r, beyond);
    FOR3(k) beyond[3 + k] -= lambda[3 + k];
    for (int panel = panels - 1; panel >= 0; panel--) {
        const NAME(gauss) *g = NAME(gauss_of)(x, e, panel);
        for (int i = 0; i < rule->n; i++) {
            REAL position[3];
            NAME(v3_add)(position, x->node[e].position, g[i].at.r);
            NAME(gauss_force)
            (x, drags, half * rule->w[i], position, heavy + 3 * (panel * rule->n + i), force + i);
            NAME(add_forces)(local, g[i].at.r, g[i].at.P, force[i].f, sum);
        }
        if (!matrix) continue;
        NAME(loads)(rule, g, force, beyond, load);
        for (int i = 0; i < rule->n; i++) {
            const REAL weight = half * rule->w[i];
            NAME(add_node)
            (c, local, true, true, g[i].at.r, g[i].at.P, force[i].inertia, g[i].R, g[i].at.W,
             load[i], NAME(broadcast)(chain_fraction(c, e, panel, 1, i)), weight, weight, &s);
            if (drags) NAME(add_along)(local, &g[i].at, force + i, m);
        }
    }
    if (matrix) NAME(fill_form)(x, local, e, &s, m);
}

/* y −= r of an element: loads, multipliers of the rows at its end, elasticity. */
INLINE void NAME(element_residual)(const NAME(chains) * x, const int local, int e, const REAL *sum,
                                   REAL *y)
{
    const chain_model *c = x->c;
    const NAME(local) *end = x->end + e;
    const REAL *lambda = NAME(vectors)(x->b->lambda) + 6 * e, *q = NAME(vectors)(x->b->q);
    const NAME(element) *of = x->element + e;
    REAL *from = y + chain_position(c, e), *to = y + chain_position(c, e + 1), moment[3];
    NAME(v3_cross)(moment, end->r, lambda);
    FOR3(k)
    {
        from[k] -= sum[k] + lambda[k];
        from[3 + k] -= sum[3 + k] + (lambda[3 + k] + moment[k]);
        to[k] += lambda[k], to[3 + k] += lambda[3 + k];
    }
    for (int j = 0; j < local; j++) {
        REAL *at = j < 3 ? from + 6 + j : to + 3 + j;
        *at -= sum[6 + j] +
               (NAME(v3_dot)(end->P + 3 * j, lambda) + NAME(v3_dot)(end->W + 3 * j, lambda + 3));
    }
    FOR3(k)
    {
        const REAL stiff = x->of->stiffness[k] * of->length;
        REAL strain =
            q[7 + 3 * e + k] + x->of->damping * NAME(rate_of)(x->b, chain_dof(c, e) + 6 + k);
        if (local != LOCAL_MOST) {
            from[6 + k] -= stiff * (strain - 0.5 * (of->natural[k] + of->natural[3 + k]));
            continue;
        }
        REAL other = q[7 + 3 * (e + 1) + k] +
                     x->of->damping * NAME(rate_of)(x->b, chain_dof(c, e + 1) + 6 + k);
        strain -= of->natural[k], other -= of->natural[3 + k];
        from[6 + k] -= stiff * (strain * (1 / 3.0) + other * (1 / 6.0));
        to[6 + k] -= stiff * (strain * (1 / 6.0) + other * (1 / 3.0));
    }
}

/* The directors of a node, as assemble_directors() of forces.c; `a`: the lower triangle over its rotation, or NULL. */
INLINE void NAME(add_directors)(const NAME(chains) * x, int n, REAL *y, REAL (*a)[NAME(SIZE)])
{
    const batch_lanes *b = x->b;
    const REAL mass = x->director[n], c_m = b->c_a * mass;
    const int first = chain_gauss_count(x->c) + 6 * n;
    for (int d = 0; d < 2; d++) {
        const REAL *m = x->node[n].frame + 3 + 3 * d;
        REAL by[3], f[3], moment[3];
        NAME(moved)(b, first + 3 * d, m, by);
        NAME(accelerated)(b, first + 3 * d, by, f);
        NAME(v3_scale)(f, mass, f);
        NAME(v3_cross)(moment, m, f);
        FOR3(k) y[3 + k] -= moment[k];
        if (!a) continue;
        REAL diagonal = c_m - NAME(v3_dot)(f, m);
        FOR3(i)
        {
            a[i][i] += diagonal;
            for (int j = 0; j <= i; j++)
                a[i][j] += 0.5 * (f[i] * m[j] + m[i] * f[j]) - c_m * m[i] * m[j];
        }
    }
}
