/* Rows of constraints and their derivatives, from the poses of their points. */
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

measure cord__part_measure(const constraint *r, int part)
{
    int needs = r->ops->needs[part / 2];
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

static void poses_by_script(const problem *w, const constraint *r, double time, pose poses[2])
{
    for (int side = 0; side < 2; side++) {
        origin_pose(poses + side);
        const point *p = cord__point_of(w, r, side);
        if (p && p->block < 0) cord__point_scripted(p, time, poses + side);
        if (!(r->ops->needs[side] & NEEDS_POSITION) &&
            (r->ops->needs[side] & (NEEDS_CURVATURE | NEEDS_COORDINATE)))
            v3_set(poses[side].position, p && p->block >= 0 ? p->s : 0, 0, 0);
    }
}

void cord__constraint_poses(const problem *w, constraint *r, const double *q, const double *cache,
                            double time, pose poses[2])
{
    poses_by_script(w, r, time, poses);
    r->axis_aligned = true;
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        if (r->part[part].block < 0) continue;
        const point *p = w->point[r->point[part / 2]];
        point_jacobian j = {.J = r->jacobians + 3 * r->part[part].first};
        if (r->part[part].slider >= 0) {
            cord__sliding_part(w, r, part, q, cache, poses + part / 2);
            r->axis_aligned = false;
            continue;
        }
        cord__point_jacobian(w, p, cord__part_measure(r, part), q, cache, &j);
        if (part % 2)
            memcpy(poses[part / 2].frame, j.value, sizeof j.value);
        else
            v3_copy(poses[part / 2].position, j.value);
        r->axis_aligned = r->axis_aligned && j.axis_aligned;
    }
}

/* s: as long as closing a gap takes. */
static const double CLOSING = 0.1;

/* From the gap to nothing, at rest at both ends: 1 − (10 − 15 f + 6 f²) f³. */
static void close_gap(constraint *r, double time)
{
    double f = fmin(fmax((time - r->gap_time) / CLOSING, 0), 1);
    double left = 1 - (10 - 15 * f + 6 * f * f) * f * f * f;
    double rate = -30 * f * f * (1 - f) * (1 - f) / CLOSING;
    for (int row = 0; row < r->ops->rows; row++) {
        r->target[row] += left * r->gap[row];
        r->target_rate[row] += rate * r->gap[row];
    }
}

/* What a point that goes by a script does to g, as if the row were driven the other way. */
static void add_scripted_rate(const problem *w, constraint *r, double time)
{
    for (int side = 0; side < 2; side++) {
        const point *p = cord__point_of(w, r, side);
        double linear[3], angular[3];
        if (!p || p->block >= 0 || (p->motion.count == 0 && p->rotation.count == 0)) continue;
        cord__point_scripted_rate(p, time, linear, angular);
        for (int row = 0; row < r->ops->rows; row++)
            r->target_rate[row] -= v3_dot(r->value.D[row] + 6 * side, linear) +
                                   v3_dot(r->value.D[row] + 6 * side + 3, angular);
    }
}

/* AT_MOST is AT_LEAST of the negative: its rows and multipliers are turned round. */
static double sign_of(const constraint *r)
{
    return r->side == CORD_AT_MOST ? -1 : 1;
}

/* A stop at an end of a strand; there are two for every point that slides, and few are ever met. */
static void evaluate_stop(const problem *w, constraint *r, const double *q, const double *lambda)
{
    const block *own = w->block[w->point[r->point[0]]->slider_block];
    double sign = sign_of(r);
    r->value.g[0] = sign * (q[own->q0] - r->params.length);
    r->value.D[0][0] = r->B[0] = sign;
    if (lambda) r->K[0] = 0;
}

static void set_rows(const problem *w, constraint *r, double time, const pose poses[2])
{
    double sign = sign_of(r);
    memset(&r->value, 0, sizeof r->value);
    r->ops->evaluate(&r->params, poses, poses + 1, &r->value);
    cord__constraint_drive(r, time, r->target, r->target_rate);
    if (r->closing) close_gap(r, time);
    add_scripted_rate(w, r, time);
    for (int row = 0; row < r->ops->rows; row++) {
        double off = r->value.g[row] - r->target[row];
        if (r->ops->is_angle) off = remainder(off, 6.28318530717958647692);
        r->value.g[row] = sign * off;
        r->target_rate[row] *= sign;
        for (int k = 0; sign < 0 && k < 3 * CONSTRAINT_PARTS; k++) r->value.D[row][k] *= sign;
    }
}

void cord__constraint_values(const problem *w, constraint *r, const double *q, const double *cache,
                             double time)
{
    pose poses[2];
    for (int side = 0; side < 2; side++)
        cord__pose(w, r->point[side], r->ops->needs[side], q, cache, time, poses + side);
    set_rows(w, r, time, poses);
}

void cord__constraint_evaluate(const problem *w, constraint *r, const double *q,
                               const double *cache, double time, const double *lambda)
{
    pose poses[2];
    int rows = r->ops->rows;
    if (r->end_stop) {
        evaluate_stop(w, r, q, lambda);
        return;
    }
    cord__constraint_poses(w, r, q, cache, time, poses);
    set_rows(w, r, time, poses);
    for (int row = 0; row < rows; row++) {
        double *B = r->B + row * r->dofs;
        for (int part = 0; part < CONSTRAINT_PARTS; part++) {
            const constraint_part *p = r->part + part;
            for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++)
                B[c] = v3_dot(r->value.D[row] + 3 * part, r->jacobians + 3 * c);
        }
    }
    if (!lambda) return;
    for (int i = 0; !r->axis_aligned && i < r->dofs; i++)
        memset(r->K + i * r->dofs + i, 0, (size_t)(r->dofs - i) * sizeof *r->K);
    for (int part = 0; part < CONSTRAINT_PARTS; part++)
        if (r->part[part].block >= 0 && r->part[part].slider >= 0)
            cord__sliding_hessian(w, r, part, q, cache, poses + part / 2, lambda);
    if (!r->ops->curvature) return;
    double signed_lambda[CONSTRAINT_ROWS] = {0};
    for (int row = 0; row < rows; row++) signed_lambda[row] = sign_of(r) * lambda[row];
    cord__constraint_hessian(r, poses, signed_lambda);
}
