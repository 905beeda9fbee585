#include "body/body.h"
#include "body/free_rotation.h"
#include "math/vec3.h"
#include "math/eigen.h"
#include "math/rotation.h"

#include <stdio.h>
#include <string.h>

/* Inertial coordinates: the centre of mass, with the mass, and the three principal axes, with
 * weights whose second moments are the principal moments of inertia. */
enum { WIDTH = 5, INERTIAL = 12 };

static void describe(const void *model, block_shape *shape)
{
    (void)model;
    *shape = (block_shape){.q_count = 7,
                           .dofs = 6,
                           .cache_count = 12,
                           .mass = MASS_CONFIGURATION,
                           .band_count = 6,
                           .band_width = WIDTH,
                           .parts = 1,
                           .unused_position = -1,
                           .moves_freely = true,
                           .group = 6,
                           .jacobian_dofs = 6,
                           .inertial_count = INERTIAL};
}

static void elimination_order(const void *model, int *position)
{
    (void)model;
    for (int i = 0; i < 6; i++) position[i] = i;
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const body_model *b = model;
    for (int k = 0; k < 3; k++) scale[k] = b->size, scale[3 + k] = 1;
    memset(stiffness, 0, 6 * sizeof *stiffness);
}

static double inertia(const void *model, double *weight)
{
    const body_model *b = model;
    double mean = (b->moments[0] + b->moments[1] + b->moments[2]) / 3;
    for (int k = 0; k < 3; k++) weight[k] = b->mass, weight[3 + k] = mean;
    return 0;
}

static void initial(const void *model, double *q, double *v)
{
    const body_model *b = model;
    memcpy(q, b->initial_q, sizeof b->initial_q);
    memcpy(v, b->initial_v, sizeof b->initial_v);
}

/* Cayley's rotation: the increment of `midpoint` is the exact chord of a rigid rotation. */
static void retract(const void *model, double *q, const double *d)
{
    double rotation[4] = {1, 0.5 * d[3], 0.5 * d[4], 0.5 * d[5]}, turned[4];
    (void)model;
    v3_add(q, q, d);
    q4_multiply(turned, rotation, q + 3);
    double size = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                       turned[3] * turned[3]);
    for (int k = 0; k < 4; k++) q[3 + k] = turned[k] / size;
}

/* Position of the centre of mass, then the three principal axes. */
static void refresh(const void *model, const double *q, double *cache)
{
    (void)model;
    v3_copy(cache, q);
    q4_matrix(cache + 3, q + 3);
}

static void coordinates(const void *model, const double *q, const double *cache, double *x)
{
    (void)model, (void)q;
    memcpy(x, cache, INERTIAL * sizeof *x);
}

static void rates(const void *model, const double *cache, const double *v, double *rate)
{
    (void)model;
    v3_copy(rate, v);
    for (int k = 0; k < 3; k++) v3_cross(rate + 3 + 3 * k, v + 3, cache + 3 + 3 * k);
}

/* m v, and Σ w_k a_k × ȧ_k */
static void momenta(const void *model, const double *cache, const double *rate, double *momentum)
{
    const body_model *b = model;
    v3_axpy(momentum, b->mass, rate);
    for (int k = 0; k < 3; k++) {
        double spin[3];
        v3_cross(spin, cache + 3 + 3 * k, rate + 3 + 3 * k);
        v3_axpy(momentum + 3, b->weight[k], spin);
    }
}

static void mass_solve(const void *model, const double *cache, const double *r, double *out)
{
    const body_model *b = model;
    double torque[3];
    v3_scale(out, 1 / b->mass, r);
    m3_apply_transposed(torque, cache + 3, r + 3);
    for (int k = 0; k < 3; k++) torque[k] /= b->moments[k];
    m3_apply(out + 3, cache + 3, torque);
}

/* The error of a scheme in a rotation by an angle is of the order of its cube, below round-off for the least angle. The
 * largest bounds the cost: a motion that is seen so rarely is not resolved anyway. */
static const double LEAST_ANGLE = 1e-6, LARGEST_ANGLE = 200;

static bool rotates(const void *model, const double *v, double h)
{
    const double angle = v3_norm(v + 3) * h;
    (void)model;
    return angle > LEAST_ANGLE && angle <= LARGEST_ANGLE;
}

/* The increment of retract() that rotates one attitude to another. Half a revolution has none: it is approached within
 * LEAST of the cosine of half the angle. */
static void cayley_increment(const double from[4], const double to[4], double d[3])
{
    static const double LEAST = 1e-3;
    const double inverse[4] = {from[0], -from[1], -from[2], -from[3]};
    double by[4];
    q4_multiply(by, to, inverse);
    v3_scale(d, 2 / copysign(fmax(fabs(by[0]), LEAST), by[0]), by + 1);
}

/* The centre moves uniformly, the axes a rotate: ȧ = ω × a, ä = ω × ȧ + ω̇ × a. */
static void free_motion(const void *model, double h, double *q, double *v, double *d, double *x,
                        double *x_v, double *x_a)
{
    const body_model *b = model;
    double from[4], omega[3], own[3], change[3];
    memcpy(from, q + 3, sizeof from);
    q4_matrix(x + 3, from);
    m3_apply_transposed(omega, x + 3, v + 3);
    cord__free_rotation(b->moments, h, q + 3, omega);
    v3_axpy(q, h, v);
    v3_scale(d, h, v);
    cayley_increment(from, q + 3, d + 3);
    refresh(model, q, x);
    if (h > 0) m3_apply(v + 3, x + 3, omega);
    rates(model, x, v, x_v);
    cord__free_rotation_acceleration(b->moments, omega, own);
    m3_apply(change, x + 3, own);
    v3_set(x_a, 0, 0, 0);
    for (int k = 3; k < INERTIAL; k += 3) {
        v3_cross(own, change, x + k);
        v3_cross(x_a + k, v + 3, x_v + k);
        v3_add(x_a + k, x_a + k, own);
    }
}

/* ---- equations ------------------------------------------------------------------------------- */

static void add(local_matrix *matrix, int i, int j, double value)
{
    if (i >= j) *matrix_entry(matrix, j, i - j) += value;
}

/* Inertia of the axes a_k with weights w_k: the torque Σ a_k × w_k ä_k. Over a step of `midpoint` the lever arm is the
 * mean of the two ends, so that r · d is exactly the change of kinetic energy. */
static void assemble_axes(const body_model *b, const block_eval *in, const midpoint_step *step,
                          double *r, local_matrix *matrix)
{
    for (int k = 0; k < 3; k++) {
        const double *axis = in->cache + 3 + 3 * k;
        double arm[3], f[3], torque[3], c_m = in->c_a * b->weight[k];
        v3_copy(arm, axis);
        for (int i = 0; step && i < 3; i++)
            arm[i] = 0.5 * (step->start[3 + 3 * k + i] + step->end[3 + 3 * k + i]);
        v3_scale(f, b->weight[k], in->inertial_a + 3 + 3 * k);
        v3_cross(torque, arm, f);
        v3_add(r + 3, r + 3, torque);
        for (int i = 0; matrix && i < 3; i++)
            for (int j = 0; j <= i; j++) {
                double geometric =
                    0.5 * (f[i] * axis[j] + axis[i] * f[j]) - (i == j) * v3_dot(f, axis);
                if (in->rows_only) geometric = 0;
                add(matrix, 3 + i, 3 + j,
                    c_m * ((i == j) - axis[i] * axis[j]) + in->c_k * geometric);
            }
    }
}

/* The inertia about the centre, times w. */
static void inertia_times(const body_model *b, const double *cache, const double w[3],
                          double out[3])
{
    v3_set(out, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
        const double *axis = cache + 3 + 3 * k;
        v3_axpy(out, b->weight[k], w);
        v3_axpy(out, -b->weight[k] * v3_dot(axis, w), axis);
    }
}

/* I a + ω × Iω, with ω at the start, or to first order in v − v_start. */
static void assemble_semi_implicit(const void *model, const block_eval *in,
                                   const semi_implicit_step *step, double *r, double *g,
                                   local_matrix *matrix)
{
    const body_model *b = model;
    double air[3], spin[3], h[3], gyro[3];
    const double *before = step->v_start + 3, *now = in->v + 3;
    (void)g;
    cord__wind_at(in->environment->wind, in->environment->time, in->cache, air);
    inertia_times(b, in->cache, before, spin);
    v3_cross(gyro, before, spin);
    if (step->velocity_terms) {
        double more[3];
        v3_sub(more, now, before);
        v3_cross(h, more, spin);
        v3_add(gyro, gyro, h);
        inertia_times(b, in->cache, more, spin);
        v3_cross(h, before, spin);
        v3_add(gyro, gyro, h);
    }
    inertia_times(b, in->cache, in->a + 3, h);
    for (int k = 0; k < 3; k++) {
        r[k] = b->mass * (in->a[k] - in->environment->gravity[k]) +
               b->drag * (step->v_start[k] - air[k]);
        r[3 + k] = h[k] + gyro[k] + b->angular_drag * before[k];
        if (!matrix) continue;
        add(matrix, k, k, in->c_a * b->mass);
        for (int j = 0; j <= k; j++) {
            double inertia = 0;
            for (int i = 0; i < 3; i++) {
                const double *axis = in->cache + 3 + 3 * i;
                inertia += b->weight[i] * ((j == k) - axis[j] * axis[k]);
            }
            add(matrix, 3 + k, 3 + j, in->c_a * inertia);
        }
    }
}

/* Adds to r. */
static void add_equations(const body_model *b, const block_eval *in, const midpoint_step *step,
                          double *r, local_matrix *matrix)
{
    double air[3];
    cord__wind_at(in->environment->wind, in->environment->time, in->cache, air);
    for (int k = 0; k < 3; k++) {
        r[k] += b->mass * (in->inertial_a[k] - in->environment->gravity[k]) +
                b->drag * (in->inertial_v[k] - air[k]);
        r[3 + k] += b->angular_drag * in->v[3 + k];
        if (!matrix) continue;
        add(matrix, k, k, in->c_a * b->mass + in->c_v * b->drag);
        add(matrix, 3 + k, 3 + k, in->c_v * b->angular_drag);
    }
    assemble_axes(b, in, step, r, matrix);
}

static void assemble_part(const void *model, const block_eval *in, int part, double *r, double *g,
                          local_matrix *matrix)
{
    (void)part, (void)g;
    add_equations(model, in, NULL, r, matrix);
}

static void assemble_midpoint(const void *model, const block_eval *in, const midpoint_step *step,
                              double *r, double *g, local_matrix *matrix)
{
    (void)g;
    memset(r, 0, 6 * sizeof *r);
    add_equations(model, in, step, r, matrix);
    if (in->rows_only) memset(r, 0, 6 * sizeof *r);
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    assemble_midpoint(model, in, NULL, r, g, matrix);
}

/* x = A⁻¹ b, 3 × 3 by rows. */
static void solve3(const double a[3][3], const double b[3], double x[3])
{
    double c[3][3];
    for (int i = 0; i < 3; i++) v3_cross(c[i], a[(i + 1) % 3], a[(i + 2) % 3]);
    double determinant = v3_dot(a[0], c[0]);
    for (int k = 0; k < 3; k++)
        x[k] = (b[0] * c[0][k] + b[1] * c[1][k] + b[2] * c[2][k]) / determinant;
}

/* Euler's equations in the principal axes, I (ω₁ − ω) + h (ω₁ × I ω₁ + torque) = 0: implicit, by a
 * few Newton steps; an explicit step would gain energy at high angular velocity. */
static void accelerate(const void *model, const double *cache, const double *r, const double *v,
                       double h, double *a)
{
    const body_model *b = model;
    const double *I = b->moments;
    double torque[3], before[3], w[3], change[3];
    v3_scale(a, -1 / b->mass, r);
    m3_apply_transposed(torque, cache + 3, r + 3);
    m3_apply_transposed(before, cache + 3, v + 3);
    v3_copy(w, before);
    for (int pass = 0; pass < 3; pass++) {
        const double m[3] = {I[0] * w[0], I[1] * w[1], I[2] * w[2]};
        double gyro[3], off[3];
        v3_cross(gyro, w, m);
        for (int k = 0; k < 3; k++)
            off[k] = -(I[k] * (w[k] - before[k]) + h * (gyro[k] + torque[k]));
        /* I + h ([ω]× I − [I ω]×) */
        const double derivative[3][3] = {
            {I[0], h * (-w[2] * I[1] + m[2]), h * (w[1] * I[2] - m[1])},
            {h * (w[2] * I[0] - m[2]), I[1], h * (-w[0] * I[2] + m[0])},
            {h * (-w[1] * I[0] + m[1]), h * (w[0] * I[1] - m[0]), I[2]}};
        solve3(derivative, off, change);
        v3_add(w, w, change);
    }
    for (int k = 0; k < 3; k++) change[k] = (w[k] - before[k]) / h;
    m3_apply(a + 3, cache + 3, change);
}

static void energy(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e)
{
    const body_model *b = model;
    double rate[INERTIAL], h[3];
    memset(e, 0, sizeof *e);
    if (!inertial_v) {
        rates(model, cache, v, rate);
        inertial_v = rate;
    }
    e->kinetic = 0.5 * b->mass * v3_dot(inertial_v, inertial_v);
    e->gravity = -b->mass * v3_dot(env->gravity, q);
    v3_scale(e->linear, b->mass, inertial_v);
    v3_cross(e->angular, q, e->linear);
    for (int k = 0; k < 3; k++) {
        const double *moves = inertial_v + 3 + 3 * k;
        e->kinetic += 0.5 * b->weight[k] * v3_dot(moves, moves);
        v3_cross(h, cache + 3 + 3 * k, moves);
        v3_axpy(e->angular, b->weight[k], h);
    }
}

/* ---- points ---------------------------------------------------------------------------------- */

/* `weight`: its position in the principal axes, and the quaternion of its frame there. */
void cord__body_attach(const body_model *b, measure what, const double position[3],
                       const double frame[9], attachment *at)
{
    double from[3], own[9];
    *at = (attachment){.unit = -1};
    v3_sub(from, position, b->center);
    m3_apply_transposed(at->weight, b->axes, from);
    m3_transposed_multiply(own, b->axes, frame);
    cord__rotation_quaternion(at->weight + 3, own);
    if (what == MEASURE_FRAME) at->unit = 3;
    if (what == MEASURE_POSITION && v3_norm(from) <= 1e-12 * b->size) {
        v3_set(at->weight, 0, 0, 0);
        at->unit = 0;
    }
}

static cord_status attach(void *model, memory *m, measure what, double s, attachment *at)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const body_model *b = model;
    (void)m, (void)s;
    if (what == MEASURE_CURVATURE) return CORD_ERROR_UNSUPPORTED;
    cord__body_attach(b, what, b->center, identity, at);
    return CORD_OK;
}

static void jacobian(const void *model, const double *q, const double *cache, const attachment *at,
                     measure what, point_jacobian *j)
{
    double frame[9], arm[3];
    (void)model, (void)cache; /* NULL for prescribed dofs */
    memset(j->J, 0, 9 * sizeof *j->J);
    j->runs = 1;
    if (what == MEASURE_FRAME) {
        double turned[4];
        q4_multiply(turned, q + 3, at->weight + 3);
        q4_matrix(j->value, turned);
    } else {
        q4_matrix(frame, q + 3);
        m3_apply(arm, frame, at->weight);
        v3_add(j->value, q, arm);
    }
    bool whole = what == MEASURE_FRAME || at->unit == 0;
    j->run[0].first = what == MEASURE_FRAME ? 3 : 0;
    j->run[0].count = j->dofs = whole ? 3 : 6;
    for (int k = 0; k < 3; k++) j->J[3 * k + k] = 1;
    if (whole) return;
    double *rotation = j->J + 9; /* e_k × arm */
    rotation[0] = 0, rotation[1] = -arm[2], rotation[2] = arm[1];
    rotation[3] = arm[2], rotation[4] = 0, rotation[5] = -arm[0];
    rotation[6] = -arm[1], rotation[7] = arm[0], rotation[8] = 0;
}

/* Second-order term of a force w at a rotating lever arm a: w·(φ × (φ × a))/2. */
static void add_geometric_stiffness(const void *model, const double *q, const double *cache,
                                    const attachment *at, measure what, const double w[3],
                                    double c_k, local_matrix *matrix)
{
    double arm[3];
    (void)model, (void)q;
    if (what != MEASURE_POSITION || at->unit == 0) return;
    m3_apply(arm, cache + 3, at->weight);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            add(matrix, 3 + i, 3 + j,
                c_k * ((i == j) * v3_dot(w, arm) - 0.5 * (w[i] * arm[j] + arm[i] * w[j])));
}

/* No rotation of more than one radian in one increment. */
static double nonlinearity(const void *model, const double *cache, const double *d)
{
    (void)model, (void)cache;
    return v3_norm(d + 3);
}

static void destroy(void *model, memory *m)
{
    body_model *b = model;
    cord__release(m, b->vertices);
    cord__release(m, b->triangles);
    cord__release(m, b);
}

static const inertial_ops inertial = {
    .coordinates = coordinates,
    .rates = rates,
    .momenta = momenta,
    .velocity = mass_solve, /* the cache of a body is its inertial coordinates */
    .rotates = rotates,
    .free_motion = free_motion};
static const parts_ops parts = {.assemble = assemble_part};
static const midpoint_ops midpoint = {.assemble = assemble_midpoint};
static const semi_implicit_ops semi_implicit = {.assemble = assemble_semi_implicit};
static const projection_ops projection = {.accelerate = accelerate, .mass_solve = mass_solve};

const block_ops cord__body = {.name = "body",
                              .describe = describe,
                              .elimination_order = elimination_order,
                              .scales = scales,
                              .inertia = inertia,
                              .initial = initial,
                              .retract = retract,
                              .refresh = refresh,
                              .assemble = assemble,
                              .energy = energy,
                              .attach = attach,
                              .point_jacobian = jacobian,
                              .destroy = destroy,
                              .nonlinearity = nonlinearity,
                              .add_geometric_stiffness = add_geometric_stiffness,
                              .inertial = &inertial,
                              .parts = &parts,
                              .midpoint = &midpoint,
                              .semi_implicit = &semi_implicit,
                              .projection = &projection};

/* ---- poses ----------------------------------------------------------------------------------- */

void cord__body_pose(const body_model *b, const double *q, double position[3], double frame[9])
{
    double principal[9], own[9], inverse[9], arm[3];
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) inverse[3 * c + r] = b->axes[3 * r + c];
    q4_matrix(principal, q + 3);
    m3_multiply(own, principal, inverse);
    m3_apply(arm, own, b->center);
    v3_sub(position, q, arm);
    if (frame) memcpy(frame, own, sizeof own);
}

void cord__body_set_pose(const body_model *b, double *q, const double position[3],
                         const double frame[9])
{
    double principal[9], arm[3];
    m3_apply(arm, frame, b->center);
    v3_add(q, position, arm);
    m3_multiply(principal, frame, b->axes);
    cord__rotation_quaternion(q + 3, principal);
}

/* ---- construction ----------------------------------------------------------------------------- */

static cord_status refuse(char *why, size_t size, const char *text)
{
    if (size) snprintf(why, size, "%s", text);
    return CORD_ERROR_ARGUMENT;
}

/* Mass, centre and inertia of the definition. */
static cord_status properties(const cord_body_def *def, mass_properties *p, char *why, size_t size)
{
    double given = 0;
    for (int k = 0; k < 9; k++) given += fabs(def->inertia[k]);
    if (!cord__in_range(def->inertia, 9) || !cord__in_range(def->center, 3) ||
        !cord__in_range(&def->mass, 1) || def->mass < 0)
        return refuse(why, size,
                      "mass, centre and inertia must be finite and at most 1e50, and the mass not "
                      "negative");
    if (def->mass == 0 && given > 0) return refuse(why, size, "an inertia needs a mass");
    if (given == 0 && v3_norm(def->center) > 0)
        return refuse(why, size, "a centre needs an inertia (about it)");
    if (def->shape.kind != CORD_SHAPE_NONE) {
        cord_status status = cord__shape_mass(&def->shape, p, why, size);
        if (status != CORD_OK) return status;
        if (def->mass == 0 && !(def->density > 0 && is_admissible(def->density)))
            return refuse(why, size, "the density must be above 0");
        double scale = def->mass > 0 ? def->mass / p->mass : def->density;
        p->mass *= scale;
        for (int k = 0; k < 9; k++) p->inertia[k] *= scale;
    } else if (!(def->mass > 0) || !(given > 0)) {
        return refuse(why, size, "a body without a shape needs a mass and an inertia");
    }
    if (def->mass > 0 && given > 0) {
        p->mass = def->mass;
        v3_copy(p->center, def->center);
        memcpy(p->inertia, def->inertia, sizeof p->inertia);
    }
    if (cord__in_range(&p->mass, 1) && cord__in_range(p->inertia, 9)) return CORD_OK;
    if (size)
        snprintf(why, size,
                 "its mass is %.3g kg, its moment of inertia %.3g kg m^2; both must be "
                 "at most 1e50",
                 p->mass, p->inertia[0]);
    return CORD_ERROR_ARGUMENT;
}

/* Principal moments and axes of inertia; a right-handed frame, equal to the axes of the definition
 * where those are principal. */
static cord_status principal(body_model *b, const mass_properties *p, char *why, size_t size)
{
    double a[9], work[EIGEN_WORK(3)];
    memcpy(a, p->inertia, sizeof a);
    double off = fabs(a[1] - a[3]) + fabs(a[2] - a[6]) + fabs(a[5] - a[7]);
    double trace = a[0] + a[4] + a[8];
    if (!(off <= 1e-9 * trace)) return refuse(why, size, "the inertia is not symmetric");
    if (fabs(a[1]) + fabs(a[2]) + fabs(a[5]) <= 1e-14 * trace) {
        for (int k = 0; k < 3; k++) b->moments[k] = a[4 * k];
        memcpy(b->axes, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof b->axes);
    } else {
        if (cord__eigen(3, 3, a, true, b->moments, work) != EIGEN_OK)
            return refuse(why, size, "the inertia has no principal axes");
        memcpy(b->axes, a, sizeof a);
        v3_cross(b->axes + 6, b->axes, b->axes + 3);
    }
    for (int k = 0; k < 3; k++) {
        b->weight[k] = 0.5 * trace - b->moments[k];
        if (!(b->moments[k] > 0) || b->weight[k] < -1e-9 * trace)
            return refuse(why, size,
                          "no body has this inertia: its principal moments must be above 0, and "
                          "each at most the sum of the other two");
        b->weight[k] = fmax(b->weight[k], 0);
    }
    return CORD_OK;
}

static cord_status copy_mesh(body_model *b, memory *m)
{
    cord_shape *s = &b->shape;
    if (s->kind != CORD_SHAPE_MESH) {
        s->vertices = NULL, s->triangles = NULL;
        s->vertex_count = s->triangle_count = 0;
        return CORD_OK;
    }
    b->vertices = cord__copy(m, s->vertices, (size_t)(3 * s->vertex_count), sizeof(double));
    b->triangles = cord__copy(m, s->triangles, (size_t)(3 * s->triangle_count), sizeof(int));
    s->vertices = b->vertices, s->triangles = b->triangles;
    return b->vertices && b->triangles ? CORD_OK : CORD_ERROR_MEMORY;
}

static cord_status fill(body_model *b, const cord_body_def *def, memory *m, char *why, size_t size)
{
    mass_properties p = {0};
    double frame[9], given = 0;
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cord_status status = properties(def, &p, why, size);
    if (status == CORD_OK) status = principal(b, &p, why, size);
    if (status != CORD_OK) return status;
    if (!cord__in_range(def->position, 3) || !cord__in_range(def->frame, 9) ||
        !cord__in_range(def->velocity, 3) || !cord__in_range(def->angular_velocity, 3))
        return refuse(why, size, "position, frame and velocities must be finite and at most 1e50");
    if (!(def->drag >= 0 && cord__in_range(&def->drag, 1)) ||
        !(def->angular_drag >= 0 && cord__in_range(&def->angular_drag, 1)))
        return refuse(why, size, "drag must be at least 0");
    b->mass = p.mass;
    v3_copy(b->center, p.center);
    b->size = sqrt(0.5 * (b->moments[0] + b->moments[1] + b->moments[2]) / b->mass);
    b->drag = def->drag, b->angular_drag = def->angular_drag;
    for (int k = 0; k < 9; k++) given += fabs(def->frame[k]);
    memcpy(frame, given > 0 ? def->frame : identity, sizeof frame);
    cord__rotation_orthonormalise(frame);
    if (!cord__in_range(frame, 9)) return refuse(why, size, "the frame has parallel or zero axes");
    cord__body_set_pose(b, b->initial_q, def->position, frame);
    v3_copy(b->initial_v, def->velocity);
    v3_copy(b->initial_v + 3, def->angular_velocity);
    b->shape = def->shape;
    return copy_mesh(b, m);
}

cord_status cord__body_create(const cord_body_def *def, memory *m, body_model **model, char *why,
                              size_t size)
{
    body_model *b = NEW(m, body_model, 1);
    if (!b) return CORD_ERROR_MEMORY;
    cord_status status = fill(b, def, m, why, size);
    if (status != CORD_OK) {
        destroy(b, m);
        return status;
    }
    *model = b;
    return CORD_OK;
}
