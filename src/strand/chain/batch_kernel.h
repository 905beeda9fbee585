/* Chains of equal shape, one in each lane (block/batch.h), over a lane type: clothoids and helices in space. The equations are
 * those of motion.c (kinematics), forces.c and sums_kernel.h (equations) and solve.c (elimination). `local` is the number of
 * curvature components of an element, a constant where functions are inlined: 6, or 3 of helices. */

/* ---- data ---------------------------------------------------------------------------------------- */

/* Parameters of the chains, of their elements, and the masses of directors, one per node. */
typedef struct NAME(chain_parameters) {
    REAL stiffness[3], mass, damping, drag, quadratic_drag, base_damping, gravity[3];
    REAL length, element_length;
} NAME(chain_parameters);
typedef struct NAME(element) {
    REAL length, natural[6];
} NAME(element);

/* As chain_node, chain_local and chain_gauss. */
typedef struct NAME(node) {
    REAL position[3], quaternion[4], frame[9];
} NAME(node);
typedef struct NAME(local) {
    REAL W[3 * LOCAL_MOST], r[3], P[3 * LOCAL_MOST];
} NAME(local);
typedef struct NAME(gauss) {
    REAL R[9];
    NAME(local) at;
} NAME(gauss);

enum { NAME(SIZE) = 6 + LOCAL_MOST, NAME(BASE) = 9 };

/* The matrix of an element, its lower triangle by rows, and its factor, as in chain_matrix. */
typedef struct NAME(form) {
    REAL a[NAME(SIZE)][NAME(SIZE)];
} NAME(form);
typedef struct NAME(factor) {
    NAME(local) end;
    REAL after[NAME(BASE)][NAME(BASE)], pivot[3][3], gain[3][NAME(BASE)];
} NAME(factor);
/* The matrix of the base, and LDLᵀ of that over its free dofs: 1/d on the diagonal. */
typedef struct NAME(base_factor) {
    REAL a[NAME(BASE)][NAME(BASE)], l[NAME(BASE)][NAME(BASE)];
} NAME(base_factor);

/* batch_lanes.own. The second factor is for iterations in which only some lanes get a new one. */
typedef struct NAME(chains) {
    const batch_lanes *b;
    const chain_model *c; /* of the first lane, for the shape */
    NAME(chain_parameters) * of;
    NAME(element) * element;
    REAL *director;
    NAME(node) * node;
    NAME(local) * end;
    NAME(gauss) * gauss;
    NAME(form) * form;
    NAME(factor) * factor, *spare;
    NAME(base_factor) * base, *spare_base;
} NAME(chains);

/* Doubles that they take; own NULL: no more than that. */
INLINE size_t NAME(lay_out)(NAME(chains) * x, const chain_model *c, double *own)
{
    const size_t elements = (size_t)c->elements;
    size_t used = 0;
#define TAKE(member, count)                                                                        \
    (x->member = own ? (void *)(own + used) : NULL,                                                \
     used += (count) * sizeof *x->member / sizeof(double))
    TAKE(of, 1);
    TAKE(element, elements);
    TAKE(director, elements + 1);
    TAKE(node, elements + 1);
    TAKE(end, elements);
    TAKE(gauss, (size_t)c->first_node[c->elements]);
    TAKE(form, elements);
    TAKE(factor, elements);
    TAKE(spare, elements);
    TAKE(base, 1);
    TAKE(spare_base, 1);
#undef TAKE
    x->c = c;
    return used;
}

INLINE NAME(chains) NAME(chains_of)(const batch_lanes *b)
{
    NAME(chains) x = {.b = b};
    NAME(lay_out)(&x, b->model[0], b->own);
    return x;
}

INLINE REAL *NAME(vectors)(double *from)
{
    return (REAL *)(void *)from; /* arrays of a batch are aligned */
}

/* The velocity of a dof at the trial. */
INLINE REAL NAME(rate_of)(const batch_lanes *b, int dof)
{
    return b->c_v * NAME(load)(b->d + dof * LANES) + NAME(load)(b->v_predictor + dof * LANES);
}

INLINE void NAME(read_parameters)(const NAME(chains) * x)
{
    FOR_LANES(l)
    {
        const chain_model *c = x->b->model[l];
        FOR3(k) * NAME(lane)(x->of->stiffness + k, l) = c->stiffness[k];
        *NAME(lane)(&x->of->mass, l) = c->section.mass;
        *NAME(lane)(&x->of->damping, l) = c->damping;
        *NAME(lane)(&x->of->drag, l) = c->drag;
        *NAME(lane)(&x->of->quadratic_drag, l) = c->quadratic_drag;
        *NAME(lane)(&x->of->base_damping, l) = c->base_damping;
        *NAME(lane)(&x->of->length, l) = c->arc[c->elements];
        *NAME(lane)(&x->of->element_length, l) = c->arc[c->elements] / c->bars;
        for (int e = 0; e < c->elements; e++) {
            *NAME(lane)(&x->element[e].length, l) = c->length[e];
            for (int k = 0; k < 6; k++)
                *NAME(lane)(x->element[e].natural + k, l) = c->natural[6 * e + k];
        }
        for (int n = 0; n <= c->elements; n++)
            *NAME(lane)(x->director + n, l) = cord__chain_director_mass(c, n, 0);
    }
}

/* ---- kinematics ---------------------------------------------------------------------------------- */

/* The power series of curve/darboux.c. A lane whose terms are negligible has none while others go on, so that it does not
 * depend on them. */
enum { NAME(TERMS) = 32 };
typedef struct NAME(series) {
    int count;
    REAL even[NAME(TERMS)][4], odd[NAME(TERMS)][4], even_sum[4], odd_sum[4];
} NAME(series);

/* p ∘ (0, v) */
INLINE void NAME(times_vector)(REAL *out, const REAL *p, const REAL *v)
{
    out[0] = -(p[1] * v[0] + p[2] * v[1] + p[3] * v[2]);
    out[1] = p[0] * v[0] + p[2] * v[2] - p[3] * v[1];
    out[2] = p[0] * v[1] + p[3] * v[0] - p[1] * v[2];
    out[3] = p[0] * v[2] + p[1] * v[1] - p[2] * v[0];
}

/* c ∘ w + m b ∘ g */
INLINE void NAME(next_term)(REAL *out, const REAL *c, const REAL *w, double m, const REAL *b,
                            const REAL *g)
{
    REAL first[4], second[4];
    NAME(times_vector)(first, c, w);
    NAME(times_vector)(second, b, g);
    for (int k = 0; k < 4; k++) out[k] = m * second[k] + first[k];
}

/* w and g: half of those of darboux.c. Lanes that rotate too far for one series have no frames (NaN), and fail. */
INLINE void NAME(expand)(const REAL *w, const REAL *g, NAME(series) * s)
{
    const REAL zero = NAME(broadcast)(0);
    const REAL size_w = NAME(square_root)(NAME(v3_dot)(w, w));
    const REAL size_g = NAME(square_root)(NAME(v3_dot)(g, g));
    REAL even[4] = {zero + 1, zero, zero, zero}, odd[4] = {zero, w[0], w[1], w[2]}, next[4];
    REAL even_bound = zero + 1, odd_bound = size_w;
    NAME(bits) going = zero == zero;
    double scale = 1;
    const REAL exponent = size_w + 0.5 * size_g;
    even[0] += NAME(select)(exponent <= DARBOUX_MOST_EXPONENT, zero, zero + NAN);
    for (int k = 0; k < 4; k++)
        s->even[0][k] = s->even_sum[k] = even[k], s->odd[0][k] = s->odd_sum[k] = odd[k];
    int count = 1;
    for (; count < NAME(TERMS); count++) {
        const double n = 2 * count, over = 1 / n, over_next = 1 / (n + 1);
        even_bound = (size_w * odd_bound + size_g * even_bound) * over;
        odd_bound = (size_w * even_bound + size_g * odd_bound) * over_next;
        going &= even_bound + odd_bound > DARBOUX_NEGLIGIBLE;
        if (!NAME(any)(going)) break;
        NAME(next_term)(next, odd, w, n - 1, even, g);
        for (int k = 0; k < 4; k++) even[k] = next[k];
        NAME(next_term)(next, even, w, n, odd, g);
        for (int k = 0; k < 4; k++) odd[k] = next[k];
        for (int k = 0; k < 4; k++) {
            s->even[count][k] = NAME(select)(going, scale * over * even[k], zero);
            s->odd[count][k] = NAME(select)(going, scale * over * over_next * odd[k], zero);
            s->even_sum[k] += s->even[count][k], s->odd_sum[k] += s->odd[count][k];
        }
        scale *= over * over_next;
    }
    s->count = count;
}

INLINE void NAME(q4_multiply)(REAL *out, const REAL *p, const REAL *q)
{
    REAL a = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    REAL b = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    REAL c = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    REAL d = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}

INLINE void NAME(q4_matrix)(REAL *m, const REAL *q)
{
    REAL a = q[0], b = q[1], c = q[2], d = q[3];
    REAL aa = a * a, bb = b * b, cc = c * c, dd = d * d;
    m[0] = aa + bb - cc - dd, m[4] = aa - bb + cc - dd, m[8] = aa - bb - cc + dd;
    m[1] = 2 * (b * c + a * d), m[3] = 2 * (b * c - a * d);
    m[2] = 2 * (b * d - a * c), m[6] = 2 * (b * d + a * c);
    m[5] = 2 * (c * d + a * b), m[7] = 2 * (c * d - a * b);
}

/* Frames at the nodes of a panel, and the quaternion at its end in place of that at its start. */
INLINE void NAME(panel_frames)(const gauss_rule *rule, const NAME(series) * s, REAL *quaternion,
                               NAME(gauss) * g)
{
    REAL middle[4], forward[4], backward[4];
    for (int k = 0; k < 4; k++) {
        forward[k] = s->even_sum[k] + s->odd_sum[k];
        backward[k] = k == 0 ? s->even_sum[k] - s->odd_sum[k] : s->odd_sum[k] - s->even_sum[k];
    }
    NAME(q4_multiply)(middle, quaternion, backward);
    NAME(q4_multiply)(quaternion, middle, forward);
    for (int i = 0; i < (rule->n + 1) / 2; i++) {
        const double at = rule->x[rule->n - 1 - i], y = at * at;
        REAL even[4], odd[4];
        for (int k = 0; k < 4; k++) even[k] = s->even[s->count - 1][k];
        for (int k = 0; k < 4; k++) odd[k] = s->odd[s->count - 1][k];
        for (int n = s->count - 2; n >= 0; n--)
            for (int k = 0; k < 4; k++) {
                even[k] = even[k] * y + s->even[n][k];
                odd[k] = odd[k] * y + s->odd[n][k];
            }
        for (int k = 0; k < 4; k++) {
            REAL part = at * odd[k];
            forward[k] = even[k] + part, backward[k] = even[k] - part;
        }
        NAME(q4_multiply)(forward, middle, forward);
        NAME(q4_multiply)(backward, middle, backward);
        NAME(q4_matrix)(g[rule->n - 1 - i].R, forward);
        NAME(q4_matrix)(g[i].R, backward);
    }
}

/* cumulate.h on vectors of `count` lanes, a multiple of 3, with half = 1; `end` may be `start`. */
INLINE void NAME(cumulate_vectors)(const gauss_rule *rule, const int count, const REAL *start,
                                   const REAL *f, const int width, REAL *out, const int stride,
                                   REAL *end)
{
    for (int k = 0; k < count; k += 3) NAME(sum_some)
    (rule, 3 * LANES, (const double *)(start + k), 1, (const double *)(f + k), width * LANES,
     (double *)(out + k), stride * LANES, (double *)(end + k));
}

enum { NAME(GAUSS_VECTORS) = sizeof(NAME(gauss)) / sizeof(REAL) };

/* One panel; `at`: at its start, and then at its end. Without `jacobians` frames and positions alone. */
INLINE void NAME(integrate)(const chain_model *c, const int local, bool jacobians, int e, int panel,
                            REAL half, NAME(local) * at, NAME(gauss) * g)
{
    const gauss_rule *rule = chain_rule(c, e);
    const int n = rule->n, count = 3 * local, width = 3 + 3 * LOCAL_MOST;
    REAL f[RULE_MOST][3 + 3 * LOCAL_MOST];
    if (jacobians) {
        for (int i = 0; i < n; i++) {
            const double fraction = chain_fraction(c, e, panel, 1, i);
            for (int k = 0; k < 9; k++) {
                REAL own = half * g[i].R[k];
                if (local == LOCAL_MOST) f[i][9 + k] = fraction * own, own -= f[i][9 + k];
                f[i][k] = own;
            }
        }
        NAME(cumulate_vectors)
        (rule, count, at->W, f[0], width, g[0].at.W, NAME(GAUSS_VECTORS), at->W);
    }
    for (int i = 0; i < n; i++) {
        NAME(v3_scale)(f[i], half, g[i].R);
        for (int j = 0; jacobians && j < local; j++)
            NAME(v3_cross)(f[i] + 3 + 3 * j, g[i].at.W + 3 * j, f[i]);
    }
    NAME(cumulate_vectors)
    (rule, jacobians ? 3 + count : 3, at->r, f[0], width, g[0].at.r, NAME(GAUSS_VECTORS), at->r);
}

INLINE NAME(gauss) * NAME(gauss_of)(const NAME(chains) * x, int e, int panel)
{
    return x->gauss + x->c->first_node[e] + panel * chain_rule(x->c, e)->n;
}

INLINE void NAME(set_base)(const NAME(chains) * x)
{
    const REAL *q = NAME(vectors)(x->b->q);
    FOR3(k) x->node[0].position[k] = q[k];
    for (int k = 0; k < 4; k++) x->node[0].quaternion[k] = q[3 + k];
    NAME(q4_matrix)(x->node[0].frame, x->node[0].quaternion);
}

/* An element, and the node at its end. */
INLINE void NAME(refresh)(const NAME(chains) * x, const int local, bool jacobians, int e)
{
    const chain_model *c = x->c;
    const REAL *kappa = NAME(vectors)(x->b->q) + 7 + 3 * e;
    const int panels = chain_panels(c, e);
    const REAL length = x->element[e].length, half = length * (0.5 / panels);
    REAL at[4], slope[3], w[3], g[3];
    NAME(local) *end = x->end + e;
    NAME(series) s;
    for (int k = 0; k < 4; k++) at[k] = x->node[e].quaternion[k];
    FOR3(k) slope[k] = local == LOCAL_MOST ? (kappa[3 + k] - kappa[k]) / length : 0 * length;
    FOR3(k) end->r[k] = NAME(broadcast)(0);
    for (int k = 0; jacobians && k < 3 * local; k++) end->W[k] = end->P[k] = NAME(broadcast)(0);
    for (int panel = 0; panel < panels; panel++) {
        NAME(gauss) *nodes = NAME(gauss_of)(x, e, panel);
        FOR3(k)
        {
            w[k] = 0.5 * half * (kappa[k] + (2 * panel + 1) * half * slope[k]);
            g[k] = 0.5 * half * half * slope[k];
        }
        NAME(expand)(w, g, &s);
        NAME(panel_frames)(chain_rule(c, e), &s, at, nodes);
        NAME(integrate)(c, local, jacobians, e, panel, half, end, nodes);
    }
    NAME(v3_add)(x->node[e + 1].position, x->node[e].position, end->r);
    for (int k = 0; k < 4; k++) x->node[e + 1].quaternion[k] = at[k];
    NAME(q4_matrix)(x->node[e + 1].frame, at);
}

/* ---- inertial coordinates ------------------------------------------------------------------------ */

INLINE void NAME(coordinates)(const NAME(chains) * x, double *to)
{
    const chain_model *c = x->c;
    REAL *at = NAME(vectors)(to);
    for (int e = 0; e < c->elements; e++) {
        const NAME(gauss) *g = NAME(gauss_of)(x, e, 0);
        for (int i = 0; i < chain_nodes_of(c, e); i++, at += 3)
            NAME(v3_add)(at, x->node[e].position, g[i].at.r);
    }
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6; k++) *at++ = x->node[n].frame[3 + k];
}

/* Three of them, as increments from the start of the step. */
INLINE void NAME(moved)(const batch_lanes *b, int index, const REAL *at, REAL *by)
{
    FOR3(k) by[k] = at[k] - NAME(load)(b->inertial_x0 + (index + k) * LANES);
}
INLINE void NAME(accelerated)(const batch_lanes *b, int index, const REAL *by, REAL *a)
{
    FOR3(k)
    a[k] = b->c_a * by[k] + NAME(load)(b->inertial_a_predictor + (index + k) * LANES);
}

/* v of the nodes after the first, from that of the base and of the curvatures. */
INLINE void NAME(follow)(const NAME(chains) * x, const int local, double *of)
{
    const chain_model *c = x->c;
    REAL *v = NAME(vectors)(of);
    for (int e = 0; e < c->elements; e++) {
        const NAME(local) *end = x->end + e;
        REAL *at = v + chain_dof(c, e), *next = v + chain_dof(c, e + 1), swing[3];
        NAME(v3_cross)(swing, at + 3, end->r);
        FOR3(k) next[k] = at[k] + swing[k], next[3 + k] = at[3 + k];
        for (int j = 0; j < local; j++) {
            const REAL rate = v[chain_local_dof(c, e, j)];
            NAME(v3_axpy)(next, rate, end->P + 3 * j);
            NAME(v3_axpy)(next + 3, rate, end->W + 3 * j);
        }
    }
}

/* ẋ = (∂x/∂q) v */
INLINE void NAME(inertial_rates)(const NAME(chains) * x, const int local, double *of, double *to)
{
    const chain_model *c = x->c;
    const REAL *v = NAME(vectors)(of);
    REAL *rate = NAME(vectors)(to);
    for (int e = 0; e < c->elements; e++) {
        const NAME(gauss) *g = NAME(gauss_of)(x, e, 0);
        const REAL *at = v + chain_dof(c, e);
        for (int i = 0; i < chain_nodes_of(c, e); i++, rate += 3) {
            NAME(v3_cross)(rate, at + 3, g[i].at.r);
            NAME(v3_add)(rate, rate, at);
            for (int j = 0; j < local; j++)
                NAME(v3_axpy)(rate, v[chain_local_dof(c, e, j)], g[i].at.P + 3 * j);
        }
    }
    for (int n = 0; n <= c->elements; n++, rate += 6) {
        NAME(v3_cross)(rate, v + chain_dof(c, n) + 3, x->node[n].frame + 3);
        NAME(v3_cross)(rate + 3, v + chain_dof(c, n) + 3, x->node[n].frame + 6);
    }
}

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
