/* Points that slide: their coordinate is an unknown, on a strand or on a path. Such a point has a place
 * x(q, s), a tangent, and with that a frame. On strands it is the strand's own, where a constraint takes more of it than
 * the tangent, and on chains that are curves always. Elsewhere it is the tangent and two normals, what the least
 * rotation from a fixed frame makes of that frame's, so that all is a function of the tangent. */
#include "curve/transport.h"
#include "math/rotation.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>

/* Where a place in the axes of a body sits on it; none is its centre, which has fewer columns. */
static attachment on_body(const double x[3])
{
    return (attachment){.weight = {x[0], x[1], x[2], 1}, .unit = -1};
}

/* A path is fixed in the world or in a body, whose place and frame its own jets give. */
static void path_jet(const problem *w, const point *p, const double *q, const double *cache,
                     double s, sliding_jacobian *out)
{
    double x[3], tangent[3], bend[3], third[3], turns[9];
    cord__path_at(p->path, s, x, tangent, bend, third);
    out->runs = out->dofs = 0;
    v3_copy(out->value, x);
    v3_copy(out->r_s, tangent);
    v3_copy(out->r_ss, bend);
    v3_copy(out->r_sss, third);
    if (p->block == p->slider_block) return;
    const block *b = w->block[p->block];
    attachment at = on_body(x);
    point_jacobian place = {.J = out->J}, frame = {.J = turns};
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_POSITION, &place);
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_FRAME, &frame);
    v3_copy(out->value, place.value);
    m3_apply(out->r_s, frame.value, tangent);
    m3_apply(out->r_ss, frame.value, bend);
    m3_apply(out->r_sss, frame.value, third);
    out->runs = 1;
    out->run[0].first = place.run[0].first;
    out->run[0].count = out->dofs = place.dofs;
    memset(out->J_s, 0, (size_t)(3 * place.dofs) * sizeof *out->J_s);
    if (out->J_ss) memset(out->J_ss, 0, (size_t)(3 * place.dofs) * sizeof *out->J_ss);
    if (out->tangent_spin)
        memset(out->tangent_spin, 0, (size_t)place.dofs * sizeof *out->tangent_spin);
    for (int i = 0; i < frame.dofs; i++) {
        int c = frame.run[0].first - place.run[0].first + i;
        v3_cross(out->J_s + 3 * c, turns + 3 * i, out->r_s);
        if (out->J_ss) v3_cross(out->J_ss + 3 * c, turns + 3 * i, out->r_ss);
        if (out->tangent_spin) out->tangent_spin[c] = v3_dot(turns + 3 * i, out->r_s);
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
    if (!point_has_piece(p)) return false;
    int element = cord__element_at(w, p, q, cord__coordinate_at(w, p, q));
    return abs(element - p->element) > 1;
}

void cord__sliding_jacobian_at(const problem *w, const point *p, const double *q,
                               const double *cache, int element, double s, sliding_jacobian *out)
{
    const block *b = w->block[p->block];
    if (p->path)
        path_jet(w, p, q, cache, s, out);
    else
        b->ops->sliding->jacobian(b->model, q + b->q0, cache + b->cache0, element, s, out);
}

/* The piece is that of the coordinate, or the nearest of the three that a step knows. */
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

/* Turned right round there is no least rotation: the normals stay, for that moment. */
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
    double J[3 * JACOBIAN_DOFS_MAX], derivatives[3 * JACOBIAN_DOFS_MAX], t[3];
    sliding_jacobian j = {.J = J, .J_s = derivatives, .with_frame = p->has_strand_frame};
    cord__sliding_jacobian(w, p, q, cache, &j);
    v3_copy(out->position, j.value);
    v3_normalize(t, j.r_s);
    frame_of(p, &j, t, out->frame);
}

/* Adds how a frame turns with x', t = x'/|x'|: by t × δx'/|x'|, and about t as the strand's does
 * (`spin`), or by what the least rotation from the fixed frame's t₀ lacks, −(t₀ × t)·δx'/(|x'| (1 +
 * t₀·t)). In the column's slopes: how it turns more as the point slides, t × δx''/|x'| (a strand's
 * own frame says it itself); how it stretches x', t·δx'/|x'|; and by how much more the frame turns
 * about t than what carries it. */
static void frame_column(const double t[3], const double *binormal, double size,
                         const double change[3], const double curl[3], double spin, double turn[3],
                         double derivatives[CONSTRAINT_SLIDING_RATES])
{
    double across[3], turned = binormal ? -0.5 * v3_dot(binormal, change) / size : spin;
    v3_cross(across, t, change);
    v3_axpy(turn, 1 / size, across);
    v3_axpy(turn, turned, t);
    v3_cross(across, t, curl);
    v3_axpy(derivatives, binormal ? 1 / size : 1, binormal ? across : curl);
    derivatives[3] += v3_dot(t, change) / size;
    derivatives[4] += turned - spin;
}

/* Where a column of the block is in a constraint's part, whose last is the point's own; in most cases next to
 * the one before, which was at k. */
static int dof_in(const constraint *r, const constraint_part *p, int dof, int k)
{
    if (k + 1 < p->count - 1 && r->dof[p->first + k + 1] == dof) return k + 1;
    for (k = 0; k < p->count - 1 && r->dof[p->first + k] != dof;) k++;
    return k;
}

static void note_live(constraint_part *p, int k)
{
    if (k < p->active) p->active = k;
    if (k + 1 > p->active_end) p->active_end = k + 1;
}

static void frame_part(const point *p, constraint *r, constraint_part *to, int v0,
                       const sliding_jacobian *j, double frame[9])
{
    double t[3], b[3], size = v3_normalize(t, j->r_s);
    double *jacobians = r->jacobians + 3 * to->first,
           *along = r->sliding_rates + CONSTRAINT_SLIDING_RATES * to->first;
    const double *binormal = j->has_frame ? NULL : b;
    curvature_binormal(b, p->orientation, t);
    frame_of(p, j, t, frame);
    for (int run = 0, c = 0, k = -1; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            k = dof_in(r, to, v0 + j->run[run].first + i, k);
            note_live(to, k);
            frame_column(t, binormal, size, j->J_s + 3 * c,
                         (j->has_frame ? j->rotation_J_s : j->J_ss) + 3 * c, j->tangent_spin[c],
                         jacobians + 3 * k, along + CONSTRAINT_SLIDING_RATES * k);
        }
    int own = to->count - 1;
    frame_column(t, binormal, size, j->r_ss, j->has_frame ? j->frame_rate_s : j->r_sss,
                 j->has_frame ? v3_dot(j->frame_rate, t) : 0, jacobians + 3 * own,
                 along + CONSTRAINT_SLIDING_RATES * own);
}

static void place_part(constraint *r, constraint_part *to, int v0, const sliding_jacobian *j,
                       double place[3])
{
    double *jacobians = r->jacobians + 3 * to->first,
           *along = r->sliding_rates + CONSTRAINT_SLIDING_RATES * to->first;
    for (int run = 0, c = 0, k = -1; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            k = dof_in(r, to, v0 + j->run[run].first + i, k);
            note_live(to, k);
            v3_add(jacobians + 3 * k, jacobians + 3 * k, j->J + 3 * c);
            v3_add(along + CONSTRAINT_SLIDING_RATES * k, along + CONSTRAINT_SLIDING_RATES * k,
                   j->J_s + 3 * c);
        }
    v3_copy(jacobians + 3 * (to->count - 1), j->r_s);
    v3_copy(along + CONSTRAINT_SLIDING_RATES * (to->count - 1), j->r_ss);
    v3_copy(place, j->value);
}

/* Into the columns of the part: those of three pieces, then the point's own. A ring of three vertices has one of them
 * twice in a jet. */
void cord__sliding_part(const problem *w, constraint *r, int part, const double *q,
                        const double *cache, pose *out)
{
    constraint_part *to = r->part + part;
    const point *p = w->point[r->point[part / 2]];
    int v0 = w->block[p->block]->v0;
    double J[3 * JACOBIAN_DOFS_MAX], derivatives[3 * JACOBIAN_DOFS_MAX],
        curls[3 * JACOBIAN_DOFS_MAX], spins[JACOBIAN_DOFS_MAX], turnings[3 * JACOBIAN_DOFS_MAX];
    bool turns = part % 2;
    sliding_jacobian j = {.J = J,
                          .J_s = derivatives,
                          .J_ss = turns ? curls : NULL,
                          .tangent_spin = turns ? spins : NULL,
                          .rotation_J_s = turns ? turnings : NULL,
                          .with_frame = turns && r->needs_whole_frame[part / 2]};
    cord__sliding_jacobian(w, p, q, cache, &j);
    to->has_strand_frame = j.has_frame;
    to->active = to->count, to->active_end = 0;
    memset(r->jacobians + 3 * to->first, 0, (size_t)(3 * to->count) * sizeof *r->jacobians);
    memset(r->sliding_rates + CONSTRAINT_SLIDING_RATES * to->first, 0,
           (size_t)(CONSTRAINT_SLIDING_RATES * to->count) * sizeof *r->sliding_rates);
    if (turns)
        frame_part(p, r, to, v0, &j, out->frame);
    else
        place_part(r, to, v0, &j, out->position);
}

/* What changes as it slides, in the column of the point's own. */
static void add_sliding(constraint *r, const constraint_part *p, const double force[3])
{
    int slides = p->first + p->count - 1;
    for (int c = p->first; c <= slides; c++)
        r->K[c * r->dofs + slides] +=
            v3_dot(force, r->sliding_rates + CONSTRAINT_SLIDING_RATES * c);
}

/* A torque f on a tangent. With u the turn across t, ω that about it and α the stretch, the frame turns at
 * second order by −2 α u − ω t × u. What carries the tangent turns it at second order by itself, which
 * the slopes know when the point slides. */
static void add_turning(constraint *r, const constraint_part *p, const double f[3],
                        const double t[3])
{
    double across[3];
    int slides = p->first + p->count - 1;
    v3_cross(across, f, t);
    for (int c = p->first; c <= slides; c++)
        for (int k = c; k <= slides; k++) {
            const double *a = r->sliding_rates + CONSTRAINT_SLIDING_RATES * c,
                         *b = r->sliding_rates + CONSTRAINT_SLIDING_RATES * k;
            const double *u = r->jacobians + 3 * c, *v = r->jacobians + 3 * k;
            double about_c = k == slides ? v3_dot(t, u) : a[4];
            double about_k = c == slides ? v3_dot(t, v) : b[4];
            r->K[c * r->dofs + k] -=
                a[3] * v3_dot(f, v) + b[3] * v3_dot(f, u) +
                0.5 * (about_c * v3_dot(across, v) + about_k * v3_dot(across, u));
        }
}

/* A torque f on a strand's own frame, which turns by u of a column and then by v as it slides:
 * together that is a turn by u + v + ½ u × v. */
static void add_turning_on(constraint *r, const constraint_part *p, const double f[3])
{
    int slides = p->first + p->count - 1;
    double across[3];
    v3_cross(across, r->jacobians + 3 * slides, f); /* f · (u × v) = u · (v × f) */
    for (int c = p->first; c < slides; c++)
        r->K[c * r->dofs + slides] += 0.5 * v3_dot(across, r->jacobians + 3 * c);
}

/* And what it does as columns move, where the block's own matrix has no room for it. */
static void add_curving(const problem *w, constraint *r, const constraint_part *to, const point *p,
                        const double *q, const double *cache, const double f[3])
{
    double J[3 * JACOBIAN_DOFS_MAX], derivatives[3 * JACOBIAN_DOFS_MAX],
        curls[3 * JACOBIAN_DOFS_MAX], h[SLIDING_HESSIAN_DOFS * SLIDING_HESSIAN_DOFS] = {0};
    int where[SLIDING_HESSIAN_DOFS], v0 = w->block[p->block]->v0;
    sliding_jacobian j = {
        .J = J, .J_s = derivatives, .J_ss = curls, .with_frame = true, .torque = f, .hessian = h};
    cord__sliding_jacobian(w, p, q, cache, &j);
    if (!j.has_hessian) return;
    for (int run = 0, c = 0, k = -1; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            where[c] = k = dof_in(r, to, v0 + j.run[run].first + i, k);
    for (int a = 0; a < j.dofs; a++)
        for (int b = 0; b < j.dofs; b++)
            if (where[a] <= where[b])
                r->K[(to->first + where[a]) * r->dofs + to->first + where[b]] += h[a * j.dofs + b];
}

void cord__sliding_hessian(const problem *w, constraint *r, int part, const double *q,
                           const double *cache, const pose *at, const double *lambda)
{
    const constraint_part *to = r->part + part;
    double force[3] = {0, 0, 0};
    for (int row = 0; row < r->ops->rows; row++)
        v3_axpy(force, lambda[row], r->value.D[row] + 3 * part);
    add_sliding(r, to, force);
    if (part % 2 == 0) return;
    if (!to->has_strand_frame) {
        add_turning(r, to, force, at->frame);
        return;
    }
    add_turning_on(r, to, force);
    add_curving(w, r, to, w->point[r->point[part / 2]], q, cache, force);
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
    double x[3], tangent[3], bend[3], third[3];
    cord__path_at(p->path, s, x, tangent, bend, third);
    attachment at = on_body(x);
    b->ops->add_geometric_stiffness(b->model, q + b->q0, cache, &at, what, force, c_k, matrix);
}
