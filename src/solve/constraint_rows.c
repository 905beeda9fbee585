/* Poses of the points of terms; rows of constraints and their derivatives, from these poses. */
#include "math/vec3.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

static void origin_pose(pose *out)
{
    static const pose origin = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    *out = origin;
}

const attachment *cord__attachment(const point *p, measure what)
{
    return what == MEASURE_POSITION ? &p->position_attachment
           : what == MEASURE_FRAME  ? &p->frame_attachment
                                    : &p->curvature_attachment;
}

measure cord__part_measure(const term *x, int part)
{
    int needs = x->needs[part / 2];
    if (part % 2) return needs & NEEDS_FRAME ? MEASURE_FRAME : MEASURE_COORDINATE;
    if (needs & NEEDS_POSITION) return MEASURE_POSITION;
    return needs & NEEDS_COORDINATE ? MEASURE_COORDINATE : MEASURE_CURVATURE;
}

void cord__point_jacobian(const problem *w, const point *p, measure what, const double *q,
                          const double *cache, point_jacobian *out)
{
    const block *b = w->block[what == MEASURE_COORDINATE ? p->slider_block : p->block];
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, cord__attachment(p, what), what,
                           out);
}

void cord__pose(const problem *w, int slot, int needs, const double *q, const double *cache,
                double time, pose *out)
{
    origin_pose(out);
    if (slot < 0) return;
    const point *p = w->point[slot];
    if (p->block < 0) {
        cord__point_scripted(p, time, out);
        if (!(needs & NEEDS_POSITION) && (needs & (NEEDS_CURVATURE | NEEDS_COORDINATE)))
            v3_set(out->position, 0, 0, 0);
        return;
    }
    double J[3 * JACOBIAN_DOFS_MAX];
    point_jacobian j = {.J = J, .value_only = true};
    if (needs & NEEDS_COORDINATE) {
        double s = p->slider_block >= 0 ? q[w->block[p->slider_block]->q0] : p->s;
        v3_set(needs & NEEDS_POSITION ? out->frame : out->position, s, 0, 0);
    }
    if (point_slides(p)) {
        if (needs & (NEEDS_POSITION | NEEDS_FRAME)) cord__sliding_pose(w, p, q, cache, out);
        return;
    }
    if (needs & (NEEDS_POSITION | NEEDS_CURVATURE)) {
        cord__point_jacobian(w, p, needs & NEEDS_POSITION ? MEASURE_POSITION : MEASURE_CURVATURE, q,
                             cache, &j);
        v3_copy(out->position, j.value);
    }
    if (needs & NEEDS_FRAME) {
        cord__point_jacobian(w, p, MEASURE_FRAME, q, cache, &j);
        memcpy(out->frame, j.value, sizeof out->frame);
    }
}

static void scripted_poses(const problem *w, const term *x, double time, pose poses[2])
{
    for (int side = 0; side < 2; side++) {
        origin_pose(poses + side);
        const point *p = cord__point_of(w, x, side);
        if (p && p->block < 0) cord__point_scripted(p, time, poses + side);
        if (!(x->needs[side] & NEEDS_POSITION) &&
            (x->needs[side] & (NEEDS_CURVATURE | NEEDS_COORDINATE)))
            v3_set(poses[side].position, p && p->block >= 0 ? p->s : 0, 0, 0);
    }
}

void cord__term_poses(const problem *w, term *x, const double *q, const double *cache, double time,
                      pose poses[2])
{
    scripted_poses(w, x, time, poses);
    x->axis_aligned = true;
    for (int part = 0; part < TERM_PARTS; part++) {
        if (x->part[part].block < 0) continue;
        const point *p = w->point[x->point[part / 2]];
        point_jacobian j = {.J = x->jacobians + 3 * x->part[part].first};
        if (x->part[part].slider >= 0) {
            cord__sliding_part(w, x, part, q, cache, poses + part / 2);
            x->axis_aligned = false;
            continue;
        }
        cord__point_jacobian(w, p, cord__part_measure(x, part), q, cache, &j);
        if (part % 2)
            memcpy(poses[part / 2].frame, j.value, sizeof j.value);
        else
            v3_copy(poses[part / 2].position, j.value);
        x->axis_aligned = x->axis_aligned && j.axis_aligned;
    }
}

/* s: the time in which an initial gap is closed. */
static const double CLOSING = 0.1;

/* The target decreases from the gap to zero, with zero rate at both ends: gap (1 − (10 − 15 f + 6 f²) f³), f = (t −
 * t₀)/CLOSING. */
static void close_gap(constraint *r, double time)
{
    double f = fmin(fmax((time - r->state.gap_time) / CLOSING, 0), 1);
    double left = 1 - (10 - 15 * f + 6 * f * f) * f * f * f;
    double rate = -30 * f * f * (1 - f) * (1 - f) / CLOSING;
    for (int row = 0; row < r->ops->rows; row++) {
        r->work.target[row] += left * r->state.gap[row];
        r->work.target_rate[row] += rate * r->state.gap[row];
    }
}

/* A scripted motion of a point changes g like a drive of the opposite sign: ġ_target −= D v. */
static void add_scripted_rate(const problem *w, constraint *r, double time)
{
    for (int side = 0; side < 2; side++) {
        const point *p = cord__point_of(w, &r->term, side);
        double linear[3], angular[3];
        if (!p || p->block >= 0 ||
            (p->motion.count == 0 && p->rotation.count == 0 && !point_changes(p, time)))
            continue;
        cord__point_scripted_rate(p, time, linear, angular);
        for (int row = 0; row < r->ops->rows; row++)
            r->work.target_rate[row] -= v3_dot(r->work.value.D[row] + 6 * side, linear) +
                                        v3_dot(r->work.value.D[row] + 6 * side + 3, angular);
    }
}

/* g <= 0 is −g >= 0: its rows and multipliers change sign. */
static double sign_of(const constraint *r)
{
    return r->def.side == CORD_AT_MOST ? -1 : 1;
}

/* An end stop of a strand, ±(s − length) >= 0; every sliding point has two, and few are ever active. */
static void evaluate_end_stop(const problem *w, constraint *r, const double *q,
                              const double *lambda)
{
    const block *own = w->block[w->point[r->term.point[0]]->slider_block];
    double sign = sign_of(r);
    r->work.value.g[0] = sign * (q[own->q0] - r->def.params.length);
    r->work.value.D[0][0] = r->term.B[0] = sign;
    if (lambda) r->term.K[0] = 0;
}

static void set_rows(const problem *w, constraint *r, double time, const pose poses[2])
{
    double sign = sign_of(r);
    memset(&r->work.value, 0, sizeof r->work.value);
    r->ops->evaluate(&r->def.params, poses, poses + 1, &r->work.value);
    cord__constraint_drive(r, time, r->work.target, r->work.target_rate);
    if (r->state.closing) close_gap(r, time);
    add_scripted_rate(w, r, time);
    for (int row = 0; row < r->ops->rows; row++) {
        double off = r->work.value.g[row] - r->work.target[row];
        if (r->ops->is_angle) off = remainder(off, 6.28318530717958647692);
        r->work.value.g[row] = sign * off;
        r->work.target_rate[row] *= sign;
        for (int k = 0; sign < 0 && k < 3 * TERM_PARTS; k++) r->work.value.D[row][k] *= sign;
    }
}

void cord__constraint_values(const problem *w, constraint *r, const double *q, const double *cache,
                             double time)
{
    pose poses[2];
    for (int side = 0; side < 2; side++)
        cord__pose(w, r->term.point[side], r->ops->needs[side], q, cache, time, poses + side);
    set_rows(w, r, time, poses);
}

static void set_rows_jacobian(const constraint *r)
{
    const term *x = &r->term;
    for (int row = 0; row < r->ops->rows; row++) {
        double *B = x->B + row * x->dofs;
        for (int part = 0; part < TERM_PARTS; part++) {
            const term_part *p = x->part + part;
            for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++)
                B[c] = v3_dot(r->work.value.D[row] + 3 * part, x->jacobians + 3 * c);
        }
    }
}

/* K = Σ λ ∂²g: by the sliding of points along their strands, and by the rows as functions of the poses. */
static void set_hessian(const problem *w, constraint *r, const double *q, const double *cache,
                        const pose poses[2], const double *lambda)
{
    term *x = &r->term;
    for (int i = 0; x->hessian == HESSIAN_FULL && i < x->dofs; i++)
        memset(x->K + i * x->dofs + i, 0, (size_t)(x->dofs - i) * sizeof *x->K);
    for (int part = 0; part < TERM_PARTS; part++) {
        double force[3] = {0, 0, 0};
        if (x->part[part].block < 0 || x->part[part].slider < 0) continue;
        for (int row = 0; row < r->ops->rows; row++)
            v3_axpy(force, lambda[row], r->work.value.D[row] + 3 * part);
        cord__sliding_hessian(w, x, part, q, cache, poses + part / 2, force);
    }
    if (!r->ops->curvature) return;
    double signed_lambda[CONSTRAINT_ROWS] = {0}, h[12][12] = {{0}};
    for (int row = 0; row < r->ops->rows; row++) signed_lambda[row] = sign_of(r) * lambda[row];
    r->ops->curvature(&r->def.params, poses, poses + 1, signed_lambda, h);
    cord__term_hessian(x, h);
}

void cord__constraint_evaluate(const problem *w, constraint *r, const double *q,
                               const double *cache, double time, const double *lambda)
{
    pose poses[2];
    if (r->def.end_stop) {
        evaluate_end_stop(w, r, q, lambda);
        return;
    }
    cord__term_poses(w, &r->term, q, cache, time, poses);
    set_rows(w, r, time, poses);
    set_rows_jacobian(r);
    r->term.hessian = !r->term.axis_aligned ? HESSIAN_FULL
                      : r->ops->curvature   ? HESSIAN_COMPRESSED
                                            : HESSIAN_ZERO;
    if (lambda) set_hessian(w, r, q, cache, poses, lambda);
}
