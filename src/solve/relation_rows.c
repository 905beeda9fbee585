/* Rows of relations and their derivatives, from the poses of their points. */
#include "block/slider.h"
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
    return what == MEASURE_PLACE ? &p->place : what == MEASURE_FRAME ? &p->frame : &p->curvature;
}

measure cord__part_measure(const relation *r, int part)
{
    int needs = r->ops->needs[part / 2];
    if (part % 2) return needs & NEEDS_FRAME ? MEASURE_FRAME : MEASURE_COORDINATE;
    if (needs & NEEDS_PLACE) return MEASURE_PLACE;
    return needs & NEEDS_COORDINATE ? MEASURE_COORDINATE : MEASURE_CURVATURE;
}

void cord__point_jet(const problem *w, const point *p, measure what, const double *q,
                     const double *cache, jet *out)
{
    const block *b = w->block[what == MEASURE_COORDINATE ? p->slider_block : p->block];
    b->ops->jet(b->model, q + b->q0, cache + b->cache0, cord__attachment(p, what), what, out);
}

void cord__pose(const problem *w, int slot, int needs, const double *q, const double *cache,
                double time, pose *out)
{
    origin_pose(out);
    if (slot < 0) return;
    const point *p = w->point[slot];
    if (p->block < 0) {
        cord__point_scripted(p, time, out);
        if (!(needs & NEEDS_PLACE) && (needs & (NEEDS_CURVATURE | NEEDS_COORDINATE)))
            v3_set(out->place, 0, 0, 0);
        return;
    }
    double J[3 * JET_COLUMNS_MOST];
    jet j = {.J = J, .value_only = true};
    if (needs & NEEDS_COORDINATE) {
        double s = p->slider_block >= 0 ? q[w->block[p->slider_block]->q0] : p->s;
        v3_set(needs & NEEDS_PLACE ? out->frame : out->place, s, 0, 0);
    }
    if (point_slides(p)) {
        if (needs & (NEEDS_PLACE | NEEDS_FRAME)) cord__sliding_pose(w, p, q, cache, out);
        return;
    }
    if (needs & (NEEDS_PLACE | NEEDS_CURVATURE)) {
        cord__point_jet(w, p, needs & NEEDS_PLACE ? MEASURE_PLACE : MEASURE_CURVATURE, q, cache,
                        &j);
        v3_copy(out->place, j.value);
    }
    if (needs & NEEDS_FRAME) {
        cord__point_jet(w, p, MEASURE_FRAME, q, cache, &j);
        memcpy(out->frame, j.value, sizeof out->frame);
    }
}

static void poses_by_script(const problem *w, const relation *r, double time, pose poses[2])
{
    for (int side = 0; side < 2; side++) {
        origin_pose(poses + side);
        const point *p = cord__point_of(w, r, side);
        if (p && p->block < 0) cord__point_scripted(p, time, poses + side);
        if (!(r->ops->needs[side] & NEEDS_PLACE) &&
            (r->ops->needs[side] & (NEEDS_CURVATURE | NEEDS_COORDINATE)))
            v3_set(poses[side].place, p && p->block >= 0 ? p->s : 0, 0, 0);
    }
}

void cord__relation_poses(const problem *w, relation *r, const double *q, const double *cache,
                          double time, pose poses[2])
{
    poses_by_script(w, r, time, poses);
    r->weighed = true;
    for (int part = 0; part < RELATION_PARTS; part++) {
        if (r->part[part].block < 0) continue;
        const point *p = w->point[r->point[part / 2]];
        jet j = {.J = r->jets + 3 * r->part[part].first};
        if (r->part[part].slider >= 0) {
            cord__sliding_part(w, r, part, q, cache, poses + part / 2);
            r->weighed = false;
            continue;
        }
        cord__point_jet(w, p, cord__part_measure(r, part), q, cache, &j);
        if (part % 2)
            memcpy(poses[part / 2].frame, j.value, sizeof j.value);
        else
            v3_copy(poses[part / 2].place, j.value);
        r->weighed = r->weighed && j.weighs;
    }
}

/* s: as long as closing a gap takes. */
static const double CLOSING = 0.1;

/* From the gap to nothing, at rest at both ends: 1 − (10 − 15 f + 6 f²) f³. */
static void close_gap(relation *r, double time)
{
    double f = fmin(fmax((time - r->gap_from) / CLOSING, 0), 1);
    double left = 1 - (10 - 15 * f + 6 * f * f) * f * f * f;
    double rate = -30 * f * f * (1 - f) * (1 - f) / CLOSING;
    for (int row = 0; row < r->ops->rows; row++) {
        r->target[row] += left * r->gap[row];
        r->target_rate[row] += rate * r->gap[row];
    }
}

/* What a point that goes by a script does to g, as if the row were driven the other way. */
static void add_scripted_rate(const problem *w, relation *r, double time)
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
static double sign_of(const relation *r)
{
    return r->side == CORD_AT_MOST ? -1 : 1;
}

/* A stop at an end of a strand; there are two for every point that slides, and few are ever met. */
static void evaluate_stop(const problem *w, relation *r, const double *q, const double *lambda)
{
    const block *own = w->block[w->point[r->point[0]]->slider_block];
    double sign = sign_of(r);
    r->value.g[0] = sign * (q[own->q0] - r->params.length);
    r->value.D[0][0] = r->B[0] = sign;
    if (lambda) r->K[0] = 0;
}

static void set_rows(const problem *w, relation *r, double time, const pose poses[2])
{
    double sign = sign_of(r);
    memset(&r->value, 0, sizeof r->value);
    r->ops->evaluate(&r->params, poses, poses + 1, &r->value);
    cord__relation_drive(r, time, r->target, r->target_rate);
    if (r->closing) close_gap(r, time);
    add_scripted_rate(w, r, time);
    for (int row = 0; row < r->ops->rows; row++) {
        double off = r->value.g[row] - r->target[row];
        if (r->ops->wraps) off = remainder(off, 6.28318530717958647692);
        r->value.g[row] = sign * off;
        r->target_rate[row] *= sign;
        for (int k = 0; sign < 0 && k < 3 * RELATION_PARTS; k++) r->value.D[row][k] *= sign;
    }
}

void cord__relation_values(const problem *w, relation *r, const double *q, const double *cache,
                           double time)
{
    pose poses[2];
    for (int side = 0; side < 2; side++)
        cord__pose(w, r->point[side], r->ops->needs[side], q, cache, time, poses + side);
    set_rows(w, r, time, poses);
}

void cord__relation_evaluate(const problem *w, relation *r, const double *q, const double *cache,
                             double time, const double *lambda)
{
    pose poses[2];
    int rows = r->ops->rows;
    if (r->stop) {
        evaluate_stop(w, r, q, lambda);
        return;
    }
    cord__relation_poses(w, r, q, cache, time, poses);
    set_rows(w, r, time, poses);
    for (int row = 0; row < rows; row++) {
        double *B = r->B + row * r->columns;
        for (int part = 0; part < RELATION_PARTS; part++) {
            const relation_part *p = r->part + part;
            for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++)
                B[c] = v3_dot(r->value.D[row] + 3 * part, r->jets + 3 * c);
        }
    }
    if (!lambda) return;
    for (int i = 0; !r->weighed && i < r->columns; i++)
        memset(r->K + i * r->columns + i, 0, (size_t)(r->columns - i) * sizeof *r->K);
    for (int part = 0; part < RELATION_PARTS; part++)
        if (r->part[part].block >= 0 && r->part[part].slider >= 0)
            cord__sliding_curvature(w, r, part, q, cache, poses + part / 2, lambda);
    if (!r->ops->curvature) return;
    double signed_lambda[RELATION_ROWS] = {0};
    for (int row = 0; row < rows; row++) signed_lambda[row] = sign_of(r) * lambda[row];
    cord__relation_curvature(r, poses, signed_lambda);
}
