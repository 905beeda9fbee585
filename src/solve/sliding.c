/* Points that slide: their coordinate is an unknown, on a strand or on a path. Such a point has a place
 * x(q, s), a tangent, and with that a frame: the tangent and two normals. The normals are what the least
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
                     double s, slide_jet *out)
{
    double x[3], tangent[3], bend[3], turns[9];
    cord__path_at(p->path, s, x, tangent, bend);
    out->runs = out->columns = 0;
    v3_copy(out->value, x);
    v3_copy(out->tangent, tangent);
    v3_copy(out->bend, bend);
    if (p->block == p->slider_block) return;
    const block *b = w->block[p->block];
    attachment at = on_body(x);
    jet place = {.J = out->J}, frame = {.J = turns};
    b->ops->jet(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_PLACE, &place);
    b->ops->jet(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_FRAME, &frame);
    v3_copy(out->value, place.value);
    m3_apply(out->tangent, frame.value, tangent);
    m3_apply(out->bend, frame.value, bend);
    out->runs = 1;
    out->run[0].first = place.run[0].first;
    out->run[0].count = out->columns = place.columns;
    memset(out->slope, 0, (size_t)(3 * place.columns) * sizeof *out->slope);
    for (int i = 0; i < frame.columns; i++)
        v3_cross(out->slope + 3 * (frame.run[0].first - place.run[0].first + i), turns + 3 * i,
                 out->tangent);
}

int cord__piece_at(const problem *w, const point *p, double s)
{
    const block *b = w->block[p->block];
    return p->path ? 0 : b->ops->piece(b->model, s);
}

void cord__slide_at(const problem *w, const point *p, const double *q, const double *cache,
                    int piece, double s, slide_jet *out)
{
    const block *b = w->block[p->block];
    if (p->path)
        path_jet(w, p, q, cache, s, out);
    else
        b->ops->slide(b->model, q + b->q0, cache + b->cache0, piece, s, out);
}

/* The piece is that of the coordinate, or the nearest of the three that a step knows. */
static int sliding_piece(const problem *w, const point *p, const double *q, double *s)
{
    *s = q[w->block[p->slider_block]->q0];
    int piece = cord__piece_at(w, p, *s);
    if (abs(piece - p->piece) <= 1) return piece;
    return p->piece + (piece > p->piece ? 1 : -1);
}

void cord__sliding_jet(const problem *w, const point *p, const double *q, const double *cache,
                       slide_jet *out)
{
    double s;
    int piece = sliding_piece(w, p, q, &s);
    cord__slide_at(w, p, q, cache, piece, s, out);
}

/* Turned right round there is no least rotation: the normals stay, for that moment. */
static void frame_of(const point *p, const double t[3], double frame[9])
{
    v3_copy(frame, t);
    transport(frame + 3, p->orientation, t, p->orientation + 3);
    v3_cross(frame + 6, t, frame + 3);
}

void cord__sliding_pose(const problem *w, const point *p, const double *q, const double *cache,
                        pose *out)
{
    double J[3 * JET_COLUMNS_MOST], slopes[3 * JET_COLUMNS_MOST], t[3];
    slide_jet j = {.J = J, .slope = slopes};
    cord__sliding_jet(w, p, q, cache, &j);
    v3_copy(out->place, j.value);
    v3_normalize(t, j.tangent);
    frame_of(p, t, out->frame);
}

/* How a frame turns with x', t = x'/|x'|: by t × δx'/|x'|, and about t by what the least rotation from
 * the fixed frame's t₀ lacks, −(t₀ × t)·δx'/(|x'| (1 + t₀·t)). `changes` are the δx' of all columns; then
 * each has t·δx'/|x'| in its first number. */
static void frame_part(const point *p, const slide_jet *j, int columns, double *jets,
                       double *changes, double frame[9])
{
    double t[3], binormal[3], size = v3_normalize(t, j->tangent);
    curvature_binormal(binormal, p->orientation, t);
    frame_of(p, t, frame);
    for (int c = 0; c < columns; c++) {
        double *turn = jets + 3 * c, change[3];
        v3_scale(change, 1 / size, changes + 3 * c);
        v3_cross(turn, t, change);
        v3_axpy(turn, -0.5 * v3_dot(binormal, change), t);
        changes[3 * c] = v3_dot(t, change);
    }
}

/* Into the columns of the part: those of three pieces, then the point's own. Of a frame `slopes` has
 * the stretch, for cord__sliding_curvature(). */
void cord__sliding_part(const problem *w, relation *r, int part, const double *q,
                        const double *cache, pose *out)
{
    const relation_part *to = r->part + part;
    const point *p = w->point[r->point[part / 2]];
    int strand_columns = to->count - 1, v0 = w->block[p->block]->v0;
    double J[3 * JET_COLUMNS_MOST], slopes[3 * JET_COLUMNS_MOST];
    double *jets = r->jets + 3 * to->first, *along = r->slopes + 3 * to->first;
    slide_jet j = {.J = J, .slope = slopes};
    cord__sliding_jet(w, p, q, cache, &j);
    memset(jets, 0, (size_t)(3 * to->count) * sizeof *jets);
    memset(along, 0, (size_t)(3 * to->count) * sizeof *along);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++) {
            int column = v0 + j.run[run].first + i, k = 0;
            while (k < strand_columns && r->column[to->first + k] != column) k++;
            v3_add(jets + 3 * k, jets + 3 * k, J + 3 * c);
            v3_add(along + 3 * k, along + 3 * k, slopes + 3 * c);
        }
    v3_copy(jets + 3 * strand_columns, j.tangent);
    v3_copy(along + 3 * strand_columns, j.bend);
    if (part % 2)
        frame_part(p, &j, to->count, jets, along, out->frame);
    else
        v3_copy(out->place, j.value);
}

/* A force at a place that slides: what it does to the strand changes as it slides. */
static void place_curvature(relation *r, const relation_part *p, const double force[3])
{
    int slides = p->first + p->count - 1;
    for (int c = p->first; c < slides; c++) {
        double change = v3_dot(force, r->slopes + 3 * c);
        r->K[c * r->columns + slides] += change;
        r->K[slides * r->columns + c] += change;
    }
    r->K[slides * r->columns + slides] += v3_dot(force, r->slopes + 3 * slides);
}

/* A torque on a tangent: what stretches turns less. How slopes themselves change is left out, which
 * costs a little of Newton's speed. */
static void frame_curvature(relation *r, const relation_part *p, const double torque[3])
{
    for (int c = p->first; c < p->first + p->count; c++)
        for (int k = p->first; k < p->first + p->count; k++)
            r->K[c * r->columns + k] -= v3_dot(torque, r->jets + 3 * c) * r->slopes[3 * k] +
                                        v3_dot(torque, r->jets + 3 * k) * r->slopes[3 * c];
}

void cord__sliding_curvature(relation *r, int part, const double *lambda)
{
    double force[3] = {0, 0, 0};
    for (int row = 0; row < r->ops->rows; row++)
        v3_axpy(force, lambda[row], r->value.D[row] + 3 * part);
    if (part % 2)
        frame_curvature(r, r->part + part, force);
    else
        place_curvature(r, r->part + part, force);
}

void cord__sliding_stiffen(const problem *w, const point *p, const double *q, const double force[3],
                           double c_k, local_matrix *matrix)
{
    const block *b = w->block[p->block];
    const double *cache = w->cache + b->cache0;
    double s;
    int piece = sliding_piece(w, p, q, &s);
    if (!p->path && b->ops->stiffen_slide)
        b->ops->stiffen_slide(b->model, cache, piece, s, force, c_k, matrix);
    if (!p->path || p->block == p->slider_block) return;
    double x[3], tangent[3], bend[3];
    cord__path_at(p->path, s, x, tangent, bend);
    attachment at = on_body(x);
    b->ops->stiffen(b->model, q + b->q0, cache, &at, MEASURE_PLACE, force, c_k, matrix);
}
