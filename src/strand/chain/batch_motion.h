/* Chains of equal shape, one in each lane (block/batch.h), over a lane type: clothoids and helices in space. Their data, kinematics
 * and inertial coordinates, as in motion.c. `local` is the number of curvature components of an element, a constant where
 * functions are inlined: 6, or 3 of helices. */

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
