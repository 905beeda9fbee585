/* Chains of curvature elements against direct numerical evaluation: kinematics, mass matrix,
 * gravity and velocity terms, the stiffness of forces inside elements. */
#include "bench/baselines/clothoid_cauchy.h"
#include "math/rotation.h"
#include "strand/chain/chain.h"
#include "strand/registry.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 6, COLUMNS = 9 * (MOST + 1), NUMBERS = 7 + 3 * (MOST + 1) };
static const double DENSITY = 0.13;

typedef struct subject {
    const strand_ops *ops;
    chain_model *c;
    memory memory;
    block_shape shape;
    uint64_t random;
    int free[6 + 3 * (MOST + 1)], frees; /* dofs that are independent */
    double q[NUMBERS], v[COLUMNS], zero[COLUMNS + 4096], r[COLUMNS], g[6 * MOST];
    double *cache, *other, *own, *work, *place;
} subject;

/* An uneven chain whose elements rotate by up to `turn` radians; `bent`: created straight, with panels chosen later. */
static subject *make(const char *model, bool planar, int elements, double turn, bool bent)
{
    subject *s = calloc(1, sizeof *s);
    assert_non_null(s);
    double curvatures[3 * (MOST + 1)], lengths[MOST], longest = 0, largest = 0;
    cord_strand_def def = cord_strand_def_default();
    s->random = 17 + (uint64_t)elements;
    for (int e = 0; e < elements; e++) {
        lengths[e] = 0.2 + 0.05 * (e % 3);
        longest = fmax(longest, lengths[e]);
    }
    random_vector(&s->random, 3 * (elements + 1), curvatures);
    for (int i = 0; i <= elements; i++) {
        double *k = curvatures + 3 * i;
        if (planar) k[0] = k[2] = 0;
        largest = fmax(largest, v3_norm(k));
    }
    for (int i = 0; i < 3 * (elements + 1); i++) curvatures[i] *= turn / largest / longest;
    def.model = model;
    def.planar = planar;
    def.element_count = elements;
    def.element_lengths = lengths;
    def.curvatures = curvatures;
    def.vertex_count = 11;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = DENSITY,
                                 .bending = {0.01, 0.03},
                                 .twisting = 0.02,
                                 .rotary_inertia = 3e-3,
                                 .radius = 0.01};
    cord__rotation_exp(def.base_frame, (double[]){0.3, 1.2, -0.5});
    v3_set(def.base_position, 0.4, -0.2, 0.7);
    char why[200] = "";
    s->ops = cord__strand_find(model);
    cord__memory_init(&s->memory, NULL);
    void *made = NULL;
    assert_int_equal(s->ops->create(&def, &s->memory, &made, why, sizeof why), CORD_OK);
    s->c = made;
    s->ops->block.initial(s->c, s->q, s->v);
    if (bent) {
        double natural[6 * MOST];
        size_t size = (size_t)(6 * elements) * sizeof *natural;
        memcpy(natural, s->c->natural, size);
        memset(curvatures, 0, sizeof curvatures);
        s->ops->block.destroy(made, &s->memory);
        assert_int_equal(s->ops->create(&def, &s->memory, &made, why, sizeof why), CORD_OK);
        s->c = made;
        memcpy(s->c->natural, natural, size);
        s->ops->block.quadrature->choose(s->c, s->q, false);
    }
    s->ops->block.describe(s->c, &s->shape);
    assert_true(s->shape.inertial_count <= 4096 && s->shape.dofs <= COLUMNS);
    s->cache = calloc(2 * (size_t)s->shape.cache_count, sizeof(double));
    s->own = calloc((size_t)s->shape.private_count, sizeof(double));
    s->work = calloc((size_t)s->shape.work_count, sizeof(double));
    s->place = calloc((size_t)s->shape.inertial_count, sizeof(double));
    assert_true(s->cache && s->own && s->work && s->place);
    s->other = s->cache + s->shape.cache_count;
    cord__chain_refresh(s->c, s->q, s->cache);
    for (int n = 0; n <= elements; n++)
        for (int k = 0; k < 6 + chain_carried(s->c, n); k++)
            if (n == 0 || k >= 6) s->free[s->frees++] = chain_dof(s->c, n) + k;
    return s;
}

static void destroy(subject *s)
{
    cord__chain_destroy(s->c, &s->memory);
    assert_int_equal(s->memory.bytes, 0);
    free(s->cache);
    free(s->own);
    free(s->work);
    free(s->place);
    free(s);
}

/* ---- kinematics --------------------------------------------------------------------------------- */

/* Frame and position at u of element e of configuration q: elements one after the other. */
static void pose_at(const chain_model *c, const double *q, int e, double u, double *frame,
                    double *x)
{
    double R[9], r[3];
    q4_matrix(R, q + 3);
    v3_copy(x, q);
    for (int i = 0; i <= e; i++) {
        curvature k;
        double length = i < e ? c->length[i] : u;
        cord__chain_curvature(c, q, i, &k);
        if (c->kind == ELEMENT_SEGMENT) { /* the joint, then the bar */
            cord__darboux_at(&k, cord__chain_joint(c, i), R, R, NULL);
            v3_scale(r, length, R);
        } else {
            cord__darboux_at(&k, length, R, R, r);
        }
        v3_add(x, x, r);
    }
    memcpy(frame, R, sizeof R);
}

/* Position (3) and directors (6) along a path through q. */
static void moved(const subject *s, const double *d, double step, int e, double u, double out[9])
{
    double q[NUMBERS], change[COLUMNS], frame[9];
    memcpy(q, s->q, sizeof q);
    for (int i = 0; i < s->shape.dofs; i++) change[i] = step * d[i];
    cord__chain_retract(s->c, q, change);
    pose_at(s->c, q, e, u, frame, out);
    memcpy(out + 3, frame + 3, 6 * sizeof *out);
}

/* First and second derivative: differences of eighth order. */
static void differentiate(const subject *s, const double *d, int e, double u, double first[9],
                          double second[9])
{
    static const double a[5] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static const double b[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    const double h = 0.02;
    memset(first, 0, 9 * sizeof *first);
    memset(second, 0, 9 * sizeof *second);
    for (int k = -4; k <= 4; k++) {
        double x[9];
        moved(s, d, k * h, e, u, x);
        for (int i = 0; i < 9; i++) {
            first[i] += (k < 0 ? -a[-k] : a[k]) * x[i] / h;
            second[i] += b[k < 0 ? -k : k] * x[i] / (h * h);
        }
    }
}

/* ---- mass, gravity, velocity terms -------------------------------------------------------------- */

typedef struct terms {
    double mass[30][30], gravity[30], velocity[30];
} terms;

static const double g_vector[3] = {1, -2, -9.81};

static void unit(const subject *s, int i, double *d)
{
    memset(d, 0, COLUMNS * sizeof *d);
    /* a curvature changes by about a radian per element */
    d[s->free[i]] = i < 6 ? 1 : 4;
}

static void add_point(const subject *s, const double *v, int e, double u, double mass,
                      double director_mass, terms *t)
{
    double J[30][9], ignored[9], second[9], d[COLUMNS];
    for (int i = 0; i < s->frees; i++) {
        unit(s, i, d);
        differentiate(s, d, e, u, J[i], ignored);
    }
    differentiate(s, v, e, u, ignored, second);
    for (int k = 0; k < 9; k++) {
        double m = k < 3 ? mass : director_mass;
        for (int i = 0; i < s->frees; i++) {
            for (int j = 0; j < s->frees; j++) t->mass[i][j] += m * J[i][k] * J[j][k];
            t->velocity[i] += m * J[i][k] * second[k];
            if (k < 3) t->gravity[i] -= m * J[i][k] * g_vector[k];
        }
    }
}

static void brute_force(const subject *s, const double *v, double turn, terms *t)
{
    gauss_rule rule;
    int parts = 1 + (int)(turn / 2);
    cord__gauss_rule(&rule, 12);
    memset(t, 0, sizeof *t);
    for (int e = 0; e < s->c->elements; e++) {
        double half = 0.5 * s->c->length[e] / parts;
        for (int p = 0; p < parts; p++)
            for (int i = 0; i < rule.n; i++)
                add_point(s, v, e, (2 * p + 1 + rule.x[i]) * half, DENSITY * half * rule.w[i], 0,
                          t);
        add_point(s, v, e, s->c->length[e], 0, 0.5 * s->c->rotary * chain_cell(s->c, e + 1), t);
    }
    /* The base's directors rotate with its ω alone. */
    const double *frame = chain_nodes(s->cache)->frame, *w = v + 3;
    double half = 0.5 * s->c->rotary * chain_cell(s->c, 0);
    for (int k = 0; k < 2; k++) {
        const double *m = frame + 3 + 3 * k;
        double turned[3][3], bend[3], inner[3];
        for (int i = 0; i < 3; i++) v3_cross(turned[i], (double[]){i == 0, i == 1, i == 2}, m);
        v3_cross(inner, w, m);
        v3_cross(bend, w, inner);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                t->mass[3 + i][3 + j] += half * v3_dot(turned[i], turned[j]);
            t->velocity[3 + i] += half * v3_dot(turned[i], bend);
        }
    }
}

static block_eval evaluation(const subject *s, const environment *env)
{
    return (block_eval){.environment = env,
                        .q = s->q,
                        .cache = s->cache,
                        .v = s->zero,
                        .a = s->zero,
                        .lambda = s->zero,
                        .inertial_v = s->zero,
                        .inertial_a = s->zero,
                        .work = s->work};
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* aᵀ A b of the matrix that the chain stores itself. */
static double form(const subject *s, const double *a, const double *b)
{
    const chain_model *c = s->c;
    const chain_matrix *m = (const chain_matrix *)s->own;
    const double *tip = (const double *)(m + c->elements);
    int size = chain_size(c), last = chain_dof(c, c->elements);
    double sum = 0;
    for (int e = 0; e < c->elements; e++)
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                int p = i < 6 ? chain_dof(c, e) + i : chain_local_dof(c, e, i - 6);
                int q = j < 6 ? chain_dof(c, e) + j : chain_local_dof(c, e, j - 6);
                sum += a[p] * m[e].a[i * size + j] * b[q];
            }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) sum += a[last + i] * tip[9 * i + j] * b[last + j];
    return sum;
}

static void of_chain(subject *s, const double *v, terms *t)
{
    double d[30][COLUMNS];
    const environment falling = {.gravity = {g_vector[0], g_vector[1], g_vector[2]}},
                      floating = {0};
    block_eval in = evaluation(s, &floating);
    local_matrix local = {.private_matrix = s->own};
    memset(t, 0, sizeof *t);
    for (int i = 0; i < s->frees; i++) {
        unit(s, i, d[i]);
        cord__chain_follow(s->c, s->cache, d[i]);
    }
    in.c_a = 1;
    memset(s->own, 0, (size_t)s->shape.private_count * sizeof(double));
    cord__chain_assemble(s->c, &in, s->r, s->g, &local);
    for (int i = 0; i < s->frees; i++)
        for (int j = 0; j < s->frees; j++) t->mass[i][j] = form(s, d[i], d[j]);
    in = evaluation(s, &falling);
    cord__chain_assemble(s->c, &in, s->r, s->g, NULL);
    for (int i = 0; i < s->frees; i++) t->gravity[i] = dot(s->shape.dofs, s->r, d[i]);
    in = evaluation(s, &floating);
    semi_implicit_step step = {.v_start = v, .d = s->zero};
    cord__chain_assemble_semi_implicit(s->c, &in, &step, s->r, s->g, NULL);
    for (int i = 0; i < s->frees; i++) t->velocity[i] = dot(s->shape.dofs, s->r, d[i]);
}

static double largest_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most / largest_of(b, n);
}

static const char *const models[] = {CORD_MODEL_SEGMENT, CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};

static void terms_against_brute_force(void **unused)
{
    (void)unused;
    static const double turns[] = {0.5, 2, 4, 6, 40};
    for (int model = 0; model < 3; model++)
        for (int planar = 0; planar < 2; planar++)
            for (int elements = 1; elements <= 3; elements += 2)
                for (int trial = 0; trial < (elements == 1 ? 10 : 8); trial++) {
                    int k = trial / 2;
                    subject *s = make(models[model], planar, elements, turns[k], trial % 2);
                    terms own, brute;
                    for (int i = 0; i < s->frees; i++)
                        s->v[s->free[i]] = (i < 6 ? 1 : 4) * random_number(&s->random);
                    of_chain(s, s->v, &own);
                    brute_force(s, s->v, turns[k], &brute);
                    double m = difference(own.mass[0], brute.mass[0], 900);
                    double g = difference(own.gravity, brute.gravity, 30);
                    double v = difference(own.velocity, brute.velocity, 30);
                    /* The velocity terms' second differences have round-off over h². */
                    if (!(fmax(m, g) < 1e-11 && v < 1e-10))
                        print_error("%s%s, %d elements, %g rad: %.2g %.2g %.2g\n", models[model],
                                    planar ? ", planar" : "", elements, turns[k], m, g, v);
                    assert_true(fmax(m, g) < 1e-11 && v < 1e-10);
                    destroy(s);
                }
}

/* One clothoid clamped at its start against products of power series. */
static void terms_against_series(void **unused)
{
    (void)unused;
    static const double turns[] = {0.5, 2, 4, 6};
    for (int k = 0; k < 4; k++) {
        subject *s = make(CORD_MODEL_CLOTHOID, false, 1, turns[k], false);
        s->c->rotary = 0; /* the series do not include it */
        for (int i = 6; i < s->frees; i++) s->v[s->free[i]] = 4 * random_number(&s->random);
        terms own;
        of_chain(s, s->v, &own);
        clothoid_element e = {.length = s->c->length[0], .density = DENSITY};
        clothoid_terms t;
        for (int i = 0; i < 6; i++) e.ends[i] = s->q[7 + i], e.rates[i] = s->v[s->free[6 + i]];
        memcpy(e.frame, chain_nodes(s->cache)->frame, sizeof e.frame);
        v3_copy(e.gravity, g_vector);
        cord__clothoid_cauchy(&e, &t);
        double mass[36], gravity[6], velocity[6]; /* of unit directions four times as long */
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) mass[6 * i + j] = own.mass[6 + i][6 + j] / 16;
            gravity[i] = own.gravity[6 + i] / 4, velocity[i] = own.velocity[6 + i] / 4;
        }
        double m = difference(mass, t.mass, 36), g = difference(gravity, t.gravity, 6);
        double v = difference(velocity, t.velocity, 6);
        if (!(fmax(m, g) < 1e-11 && v < 1e-11))
            print_error("%g rad: %.2g %.2g %.2g\n", turns[k], m, g, v);
        assert_true(fmax(m, g) < 1e-11 && v < 1e-11);
        destroy(s);
    }
}

/* ---- positions ------------------------------------------------------------------------------------ */

static void check_frame(const double *frame, const double *expected, double tolerance)
{
    double product[9];
    m3_transposed_multiply(product, frame, frame);
    assert_all_close(product, ((double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}), 9, 3e-14);
    assert_all_close(frame, expected, 9, tolerance);
}

static void kinematics(void **unused)
{
    (void)unused;
    for (int model = 0; model < 3; model++)
        for (int planar = 0; planar < 2; planar++)
            for (int method = 0; method < 2; method++) /* up to 32 rad an element, 8 rad a joint */
                for (double turn = 0.5; turn < (model == 0 ? 10 : 40); turn *= 4) {
                    subject *s = make(models[model], planar, 6, turn, (model + planar) % 2);
                    const chain_model *c = s->c;
                    double x[33], frames[90], place[3], frame[9];
                    s->c->kinematics = method ? CORD_KINEMATICS_SERIES : CORD_KINEMATICS_MIDPOINT;
                    cord__chain_refresh(c, s->q, s->cache);
                    const chain_node *node = chain_nodes(s->cache);
                    double close = 1e-13 * fmax(1, turn / 4);
                    for (int e = 0; e < 6; e++) {
                        pose_at(c, s->q, e, c->length[e], frame, place);
                        assert_all_close(node[e + 1].position, place, 3, close);
                        check_frame(node[e + 1].frame, frame, 2 * close);
                    }
                    s->ops->get_positions(c, &(block_eval){.q = s->q, .cache = s->cache}, x);
                    s->ops->frames(c, &(block_eval){.q = s->q, .cache = s->cache}, frames);
                    for (int i = 0; i < 11; i++) {
                        pose_at(c, s->q, c->vertex[i].element, c->vertex[i].u, frame, place);
                        assert_all_close(x + 3 * i, place, 3, close);
                    }
                    for (int i = 0; i < 10; i++) {
                        pose_at(c, s->q, c->edge[i].element, c->edge[i].u, frame, place);
                        check_frame(frames + 9 * i, frame, 2 * close);
                    }
                    destroy(s);
                }
}

/* The Jacobian of points inside elements, against differences. */
static void jacobians_of_points(void **unused)
{
    (void)unused;
    static const double turns[] = {2, 6, 40};
    for (int trial = 0; trial < 3 * 2 * 3 * 3; trial++) {
        double turn = turns[trial / 9 % 3], u = 0.01 + 0.09 * (trial % 3), J[3 * JACOBIAN_DOFS_MAX];
        subject *s = make(models[trial / 3 % 3], trial / 27, 1, turn, true);
        point_jacobian j = {.J = J};
        attachment at;
        assert_int_equal(cord__chain_attach(s->c, &s->memory, MEASURE_POSITION, u, &at), CORD_OK);
        s->ops->block.point_jacobian(s->c, s->q, s->cache, &at, MEASURE_POSITION, &j);
        for (int i = 0; i < s->frees; i++) {
            double d[COLUMNS], first[9], second[9], rate[3] = {0};
            unit(s, i, d);
            cord__chain_follow(s->c, s->cache, d);
            differentiate(s, d, 0, u, first, second);
            for (int run = 0, c = 0; run < j.runs; run++)
                for (int k = 0; k < j.run[run].count; k++, c++)
                    v3_axpy(rate, d[j.run[run].first + k], J + 3 * c);
            assert_all_close(rate, first, 3, 2e-12);
        }
        destroy(s);
    }
}

/* ---- forces inside elements ------------------------------------------------------------------------ */

/* The work of a force or torque w at an attachment along a path: w · x, w · rotation vector. */
static double work_along(const subject *s, const attachment *at, measure what, const double *w,
                         const double *d, double step)
{
    double q[NUMBERS], change[COLUMNS], J[3 * JACOBIAN_DOFS_MAX], turn[9], here[9], vector[3];
    point_jacobian j = {.J = J};
    s->ops->block.point_jacobian(s->c, s->q, s->cache, at, what, &j);
    memcpy(here, j.value, sizeof here);
    memcpy(q, s->q, sizeof q);
    for (int i = 0; i < s->shape.dofs; i++) change[i] = step * d[i];
    cord__chain_retract(s->c, q, change);
    cord__chain_refresh(s->c, q, s->other);
    s->ops->block.point_jacobian(s->c, q, s->other, at, what, &j);
    if (what == MEASURE_POSITION) return v3_dot(w, j.value);
    for (int c = 0; c < 3; c++) /* R(t) R(0)ᵀ */
        for (int r = 0; r < 3; r++) {
            turn[3 * c + r] = 0;
            for (int k = 0; k < 3; k++) turn[3 * c + r] += j.value[3 * k + r] * here[3 * k + c];
        }
    cord__rotation_log(vector, turn);
    return v3_dot(w, vector);
}

static double potential_along(const subject *s, const double *d, double step)
{
    const environment env = {.gravity = {g_vector[0], g_vector[1], g_vector[2]}};
    double q[NUMBERS], change[COLUMNS];
    block_energy e;
    memcpy(q, s->q, sizeof q);
    for (int i = 0; i < s->shape.dofs; i++) change[i] = step * d[i];
    cord__chain_retract(s->c, q, change);
    cord__chain_refresh(s->c, q, s->other);
    cord__chain_energy(s->c, &env, q, s->other, s->zero, NULL, &e);
    return e.gravity + e.bending + e.twisting;
}

static void subtract_load(const subject *s, const attachment *at, measure what, const double *w,
                          double *r)
{
    double J[3 * JACOBIAN_DOFS_MAX];
    point_jacobian j = {.J = J};
    s->ops->block.point_jacobian(s->c, s->q, s->cache, at, what, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            r[j.run[run].first + i] -= v3_dot(w, J + 3 * c);
}

/* Second differences of the energy and the load's work, with the multipliers of equilibrium. */
static void stiffness_of_loads(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 3 * 2 * 2 * 4; trial++) {
        measure what = trial % 2 ? MEASURE_FRAME : MEASURE_POSITION;
        int where = trial / 2 % 4;
        bool planar = trial / 8 % 2;
        double turn = where == 3 ? 40 : 2;
        subject *s = make(models[trial / 16], planar, 3, turn, where % 2);
        const environment env = {.gravity = {g_vector[0], g_vector[1], g_vector[2]}};
        double w[3], d[COLUMNS], lambda[6 * MOST] = {0}, f[5];
        attachment at;
        /* inside the first, inside the second, at a node, inside the last */
        double places[4] = {0.13, 0.31, s->c->arc[2], s->c->arc[2] + 0.17};
        assert_int_equal(cord__chain_attach(s->c, &s->memory, what, places[where], &at), CORD_OK);
        random_vector(&s->random, 3, w);
        block_eval in = evaluation(s, &env);
        in.lambda = lambda;
        in.c_k = 1;
        for (int e = 2; e >= 0; e--) {
            cord__chain_assemble(s->c, &in, s->r, s->g, NULL);
            subtract_load(s, &at, what, w, s->r);
            for (int i = 0; i < 6; i++) lambda[6 * e + i] += s->r[chain_dof(s->c, e + 1) + i];
        }
        local_matrix local = {.private_matrix = s->own};
        cord__chain_assemble(s->c, &in, s->r, s->g, &local);
        cord__chain_stiffen(s->c, s->q, s->cache, &at, what, w, 1, &local);
        for (int i = 0; i < COLUMNS; i++) d[i] = random_number(&s->random);
        cord__chain_follow(s->c, s->cache, d);
        const double h = 2e-3;
        for (int k = 0; k < 5; k++)
            f[k] = potential_along(s, d, h * (k - 2)) - work_along(s, &at, what, w, d, h * (k - 2));
        double second = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
        double size = fabs(second) + 1;
        if (fabs(form(s, d, d) - second) > 1e-7 * size) print_error("trial %d\n", trial);
        assert_close(form(s, d, d), second, 1e-7 * size);
        destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_against_brute_force),
        cmocka_unit_test(terms_against_series),
        cmocka_unit_test(kinematics),
        cmocka_unit_test(jacobians_of_points),
        cmocka_unit_test(stiffness_of_loads),
    };
    return run_in_every_variant(tests);
}
