/* Sliding points: their coordinate s is an unknown, on a strand or on a path. Such a point has a position x(q, s), a
 * tangent t = x_s/|x_s|, and a frame. On strands it is the frame of the strand where a term needs more than the
 * tangent, and always on chains that are curves. Elsewhere the smallest rotation from a fixed tangent t₀ to t is
 * applied to the two normals of a fixed frame, so that the frame is a function of the tangent. */
#include "curve/transport.h"
#include "math/rotation.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>

/* The attachment of a position in the axes of a body; never its centre, which has fewer degrees of freedom. */
static attachment on_body(const double x[3])
{
    return (attachment){.weight = {x[0], x[1], x[2], 1}, .unit = -1};
}

/* A path is fixed in the world or in a body, whose point Jacobians give x = c + F p(s) and its derivatives. */
static void path_jacobian(const problem *w, const point *p, const double *q, const double *cache,
                          double s, sliding_jacobian *out)
{
    double x[3], x_s[3], x_ss[3], x_sss[3], rotations[9];
    cord__path_at(p->path, s, x, x_s, x_ss, x_sss);
    out->runs = out->dofs = 0;
    v3_copy(out->value, x);
    v3_copy(out->r_s, x_s);
    v3_copy(out->r_ss, x_ss);
    v3_copy(out->r_sss, x_sss);
    if (p->block == p->slider_block) return;
    const block *b = w->block[p->block];
    attachment at = on_body(x);
    point_jacobian position = {.J = out->J}, frame = {.J = rotations};
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_POSITION,
                           &position);
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_FRAME, &frame);
    v3_copy(out->value, position.value);
    m3_apply(out->r_s, frame.value, x_s);
    m3_apply(out->r_ss, frame.value, x_ss);
    m3_apply(out->r_sss, frame.value, x_sss);
    out->runs = 1;
    out->run[0].first = position.run[0].first;
    out->run[0].count = out->dofs = position.dofs;
    memset(out->J_s, 0, (size_t)(3 * position.dofs) * sizeof *out->J_s);
    if (out->J_ss) memset(out->J_ss, 0, (size_t)(3 * position.dofs) * sizeof *out->J_ss);
    if (out->tangent_spin)
        memset(out->tangent_spin, 0, (size_t)position.dofs * sizeof *out->tangent_spin);
    for (int i = 0; i < frame.dofs; i++) {
        int c = frame.run[0].first - position.run[0].first + i;
        v3_cross(out->J_s + 3 * c, rotations + 3 * i, out->r_s);
        if (out->J_ss) v3_cross(out->J_ss + 3 * c, rotations + 3 * i, out->r_ss);
        if (out->tangent_spin) out->tangent_spin[c] = v3_dot(rotations + 3 * i, out->r_s);
    }
}

int cord__element_at(const problem *w, const point *p, const double *q, double s)
{
    const block *b = w->block[p->block];
    return p->path ? 0 : b->ops->sliding->element_at(b->model, q + b->q0, s);
}

double cord__coordinate_at(const problem *w, const point *p, const double *q)
{
    return point_slides(p) ? q[w->block[p->slider_block]->q0] : p->s;
}

bool cord__crosses_elements(const problem *w, const point *p, const double *q)
{
    if (!point_has_element(p)) return false;
    int element = cord__element_at(w, p, q, cord__coordinate_at(w, p, q));
    return abs(element - p->element) > 1;
}

void cord__sliding_jacobian_at(const problem *w, const point *p, const double *q,
                               const double *cache, int element, double s, sliding_jacobian *out)
{
    const block *b = w->block[p->block];
    if (p->path)
        path_jacobian(w, p, q, cache, s, out);
    else
        b->ops->sliding->jacobian(b->model, q + b->q0, cache + b->cache0, element, s, out);
}

/* The element of the coordinate, or the nearest of the three that terms have degrees of freedom of. */
static int sliding_element(const problem *w, const point *p, const double *q, double *s)
{
    *s = q[w->block[p->slider_block]->q0];
    int element = cord__element_at(w, p, q, *s);
    if (abs(element - p->element) <= 1) return element;
    return p->element + (element > p->element ? 1 : -1);
}

void cord__sliding_jacobian(const problem *w, const point *p, const double *q, const double *cache,
                            sliding_jacobian *out)
{
    double s;
    int element = sliding_element(w, p, q, &s);
    cord__sliding_jacobian_at(w, p, q, cache, element, s, out);
}

/* Where the tangent is opposite to t₀ the smallest rotation is undefined, and the normals are not rotated. */
static void frame_of(const point *p, const sliding_jacobian *j, const double t[3], double frame[9])
{
    if (j->has_frame) {
        memcpy(frame, j->frame, sizeof j->frame);
        return;
    }
    v3_copy(frame, t);
    transport(frame + 3, p->orientation, t, p->orientation + 3);
    v3_cross(frame + 6, t, frame + 3);
}

void cord__sliding_pose(const problem *w, const point *p, const double *q, const double *cache,
                        pose *out)
{
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX], t[3];
    sliding_jacobian j = {.J = J, .J_s = J_s, .with_frame = p->has_strand_frame};
    cord__sliding_jacobian(w, p, q, cache, &j);
    v3_copy(out->position, j.value);
    v3_normalize(t, j.r_s);
    frame_of(p, &j, t, out->frame);
}

/* Adds the rotation of a frame by a variation δx_s: t × δx_s/|x_s|, and about t that of the strand's frame (`spin`),
 * or of the smallest rotation from t₀, −(t₀ × t)·δx_s/(|x_s| (1 + t₀·t)). To the sliding rates of the dof: its
 * derivative by s, t × δx_ss/|x_s| (for the frame of a strand this is an argument); the stretch t·δx_s/|x_s|; and
 * the rotation about t relative to that of the strand. */
static void frame_column(const double t[3], const double *binormal, double size,
                         const double dx_s[3], const double dx_ss[3], double spin,
                         double rotation[3], double rates[SLIDING_RATES])
{
    double across[3], twist = binormal ? -0.5 * v3_dot(binormal, dx_s) / size : spin;
    v3_cross(across, t, dx_s);
    v3_axpy(rotation, 1 / size, across);
    v3_axpy(rotation, twist, t);
    v3_cross(across, t, dx_ss);
    v3_axpy(rates, binormal ? 1 / size : 1, binormal ? across : dx_ss);
    rates[3] += v3_dot(t, dx_s) / size;
    rates[4] += twist - spin;
}

/* The index of a dof of the block in a part, whose last dof is the coordinate; in most cases the index after k, that
 * of the previous dof. */
static int dof_in(const term *x, const term_part *p, int dof, int k)
{
    if (k + 1 < p->count - 1 && x->dof[p->first + k + 1] == dof) return k + 1;
    for (k = 0; k < p->count - 1 && x->dof[p->first + k] != dof;) k++;
    return k;
}

static void note_active(term_part *p, int k)
{
    if (k < p->active) p->active = k;
    if (k + 1 > p->active_end) p->active_end = k + 1;
}

static void frame_part(const point *p, term *x, term_part *to, int v0, const sliding_jacobian *j,
                       double frame[9])
{
    double t[3], b[3], size = v3_normalize(t, j->r_s);
    double *jacobians = x->jacobians + 3 * to->first,
           *along = x->sliding_rates + SLIDING_RATES * to->first;
    const double *binormal = j->has_frame ? NULL : b;
    curvature_binormal(b, p->orientation, t);
    frame_of(p, j, t, frame);
    for (int run = 0, c = 0, k = -1; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            k = dof_in(x, to, v0 + j->run[run].first + i, k);
            note_active(to, k);
            frame_column(t, binormal, size, j->J_s + 3 * c,
                         (j->has_frame ? j->rotation_J_s : j->J_ss) + 3 * c, j->tangent_spin[c],
                         jacobians + 3 * k, along + SLIDING_RATES * k);
        }
    int own = to->count - 1;
    frame_column(t, binormal, size, j->r_ss, j->has_frame ? j->frame_rate_s : j->r_sss,
                 j->has_frame ? v3_dot(j->frame_rate, t) : 0, jacobians + 3 * own,
                 along + SLIDING_RATES * own);
}

static void position_part(term *x, term_part *to, int v0, const sliding_jacobian *j,
                          double position[3])
{
    double *jacobians = x->jacobians + 3 * to->first,
           *along = x->sliding_rates + SLIDING_RATES * to->first;
    for (int run = 0, c = 0, k = -1; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            k = dof_in(x, to, v0 + j->run[run].first + i, k);
            note_active(to, k);
            v3_add(jacobians + 3 * k, jacobians + 3 * k, j->J + 3 * c);
            v3_add(along + SLIDING_RATES * k, along + SLIDING_RATES * k, j->J_s + 3 * c);
        }
    v3_copy(jacobians + 3 * (to->count - 1), j->r_s);
    v3_copy(along + SLIDING_RATES * (to->count - 1), j->r_ss);
    v3_copy(position, j->value);
}

/* Into the degrees of freedom of the part: those of three elements, then the coordinate. A closed strand of three vertices
 * has one of them twice in its Jacobian, so columns are added up. */
void cord__sliding_part(const problem *w, term *x, int part, const double *q, const double *cache,
                        pose *out)
{
    term_part *to = x->part + part;
    const point *p = w->point[x->point[part / 2]];
    int v0 = w->block[p->block]->v0;
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX], J_ss[3 * JACOBIAN_DOFS_MAX],
        spin[JACOBIAN_DOFS_MAX], rotation_J_s[3 * JACOBIAN_DOFS_MAX];
    bool frame = part % 2;
    sliding_jacobian j = {.J = J,
                          .J_s = J_s,
                          .J_ss = frame ? J_ss : NULL,
                          .tangent_spin = frame ? spin : NULL,
                          .rotation_J_s = frame ? rotation_J_s : NULL,
                          .with_frame = frame && x->whole_frame[part / 2]};
    cord__sliding_jacobian(w, p, q, cache, &j);
    to->has_strand_frame = j.has_frame;
    to->active = to->count, to->active_end = 0;
    memset(x->jacobians + 3 * to->first, 0, (size_t)(3 * to->count) * sizeof *x->jacobians);
    memset(x->sliding_rates + SLIDING_RATES * to->first, 0,
           (size_t)(SLIDING_RATES * to->count) * sizeof *x->sliding_rates);
    if (frame)
        frame_part(p, x, to, v0, &j, out->frame);
    else
        position_part(x, to, v0, &j, out->position);
}

/* f·∂J/∂s, in the column of the coordinate. */
static void add_sliding(term *x, const term_part *p, const double force[3])
{
    int slides = p->first + p->count - 1;
    for (int c = p->first; c <= slides; c++)
        x->K[c * x->dofs + slides] += v3_dot(force, x->sliding_rates + SLIDING_RATES * c);
}

/* A torque f on a tangent. With u the rotation across t, ω that about it and α the stretch, the rotation of the frame at
 * second order is −2 α u − ω t × u. The second-order rotation of the strand itself is in ∂J/∂s. */
static void add_tangent_rotation(term *x, const term_part *p, const double f[3], const double t[3])
{
    double across[3];
    int slides = p->first + p->count - 1;
    v3_cross(across, f, t);
    for (int c = p->first; c <= slides; c++)
        for (int k = c; k <= slides; k++) {
            const double *a = x->sliding_rates + SLIDING_RATES * c,
                         *b = x->sliding_rates + SLIDING_RATES * k;
            const double *u = x->jacobians + 3 * c, *v = x->jacobians + 3 * k;
            double about_c = k == slides ? v3_dot(t, u) : a[4];
            double about_k = c == slides ? v3_dot(t, v) : b[4];
            x->K[c * x->dofs + k] -=
                a[3] * v3_dot(f, v) + b[3] * v3_dot(f, u) +
                0.5 * (about_c * v3_dot(across, v) + about_k * v3_dot(across, u));
        }
}

/* A torque f on the frame of a strand, which rotates by u of a degree of freedom and then by v of the coordinate: together
 * u + v + ½ u × v. */
static void add_frame_rotation(term *x, const term_part *p, const double f[3])
{
    int slides = p->first + p->count - 1;
    double across[3];
    v3_cross(across, x->jacobians + 3 * slides, f); /* f · (u × v) = u · (v × f) */
    for (int c = p->first; c < slides; c++)
        x->K[c * x->dofs + slides] += 0.5 * v3_dot(across, x->jacobians + 3 * c);
}

/* Second derivatives by the dofs of the strand, where the matrix of the block has no entries for them. */
static void add_strand_hessian(const problem *w, term *x, const term_part *to, const point *p,
                               const double *q, const double *cache, const double f[3])
{
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX], J_ss[3 * JACOBIAN_DOFS_MAX],
        h[SLIDING_HESSIAN_DOFS * SLIDING_HESSIAN_DOFS] = {0};
    int where[SLIDING_HESSIAN_DOFS], v0 = w->block[p->block]->v0;
    sliding_jacobian j = {
        .J = J, .J_s = J_s, .J_ss = J_ss, .with_frame = true, .torque = f, .hessian = h};
    cord__sliding_jacobian(w, p, q, cache, &j);
    if (!j.has_hessian) return;
    for (int run = 0, c = 0, k = -1; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            where[c] = k = dof_in(x, to, v0 + j.run[run].first + i, k);
    for (int a = 0; a < j.dofs; a++)
        for (int b = 0; b < j.dofs; b++)
            if (where[a] <= where[b])
                x->K[(to->first + where[a]) * x->dofs + to->first + where[b]] += h[a * j.dofs + b];
}

void cord__sliding_hessian(const problem *w, term *x, int part, const double *q,
                           const double *cache, const pose *at, const double force[3])
{
    const term_part *to = x->part + part;
    add_sliding(x, to, force);
    if (part % 2 == 0) return;
    if (!to->has_strand_frame) {
        add_tangent_rotation(x, to, force, at->frame);
        return;
    }
    add_frame_rotation(x, to, force);
    add_strand_hessian(w, x, to, w->point[x->point[part / 2]], q, cache, force);
}

void cord__add_sliding_stiffness(const problem *w, const point *p, const double *q, measure what,
                                 const double force[3], double c_k, local_matrix *matrix)
{
    const block *b = w->block[p->block];
    const double *cache = w->cache + b->cache0;
    double s;
    int element = sliding_element(w, p, q, &s);
    if (!p->path && b->ops->sliding->add_stiffness)
        b->ops->sliding->add_stiffness(b->model, cache, element, s, what, force, c_k, matrix);
    if (!p->path || p->block == p->slider_block) return;
    double x[3], x_s[3], x_ss[3], x_sss[3];
    cord__path_at(p->path, s, x, x_s, x_ss, x_sss);
    attachment at = on_body(x);
    b->ops->add_geometric_stiffness(b->model, q + b->q0, cache, &at, what, force, c_k, matrix);
}
