/* Points that slide: their coordinate is an unknown, on a strand or on a path. Such a point has a place
 * x(q, s), a tangent, and with that a frame. On strands it is the strand's own, where a relation takes more of it than
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
                     double s, slide_jet *out)
{
    double x[3], tangent[3], bend[3], third[3], turns[9];
    cord__path_at(p->path, s, x, tangent, bend, third);
    out->runs = out->columns = 0;
    v3_copy(out->value, x);
    v3_copy(out->tangent, tangent);
    v3_copy(out->bend, bend);
    v3_copy(out->third, third);
    if (p->block == p->slider_block) return;
    const block *b = w->block[p->block];
    attachment at = on_body(x);
    jet place = {.J = out->J}, frame = {.J = turns};
    b->ops->jet(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_PLACE, &place);
    b->ops->jet(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_FRAME, &frame);
    v3_copy(out->value, place.value);
    m3_apply(out->tangent, frame.value, tangent);
    m3_apply(out->bend, frame.value, bend);
    m3_apply(out->third, frame.value, third);
    out->runs = 1;
    out->run[0].first = place.run[0].first;
    out->run[0].count = out->columns = place.columns;
    memset(out->slope, 0, (size_t)(3 * place.columns) * sizeof *out->slope);
    if (out->curl) memset(out->curl, 0, (size_t)(3 * place.columns) * sizeof *out->curl);
    if (out->spin) memset(out->spin, 0, (size_t)place.columns * sizeof *out->spin);
    for (int i = 0; i < frame.columns; i++) {
        int c = frame.run[0].first - place.run[0].first + i;
        v3_cross(out->slope + 3 * c, turns + 3 * i, out->tangent);
        if (out->curl) v3_cross(out->curl + 3 * c, turns + 3 * i, out->bend);
        if (out->spin) out->spin[c] = v3_dot(turns + 3 * i, out->tangent);
    }
}

int cord__piece_at(const problem *w, const point *p, const double *q, double s)
{
    const block *b = w->block[p->block];
    return p->path ? 0 : b->ops->piece(b->model, q + b->q0, s);
}

double cord__coordinate_at(const problem *w, const point *p, const double *q)
{
    return point_slides(p) ? q[w->block[p->slider_block]->q0] : p->s;
}

bool cord__leaves_piece(const problem *w, const point *p, const double *q)
{
    if (!point_has_piece(p)) return false;
    int piece = cord__piece_at(w, p, q, cord__coordinate_at(w, p, q));
    return abs(piece - p->piece) > 1;
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
    int piece = cord__piece_at(w, p, q, *s);
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
static void frame_of(const point *p, const slide_jet *j, const double t[3], double frame[9])
{
    if (j->framed) {
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
    double J[3 * JET_COLUMNS_MOST], slopes[3 * JET_COLUMNS_MOST], t[3];
    slide_jet j = {.J = J, .slope = slopes, .whole = p->framed};
    cord__sliding_jet(w, p, q, cache, &j);
    v3_copy(out->place, j.value);
    v3_normalize(t, j.tangent);
    frame_of(p, &j, t, out->frame);
}

/* Adds how a frame turns with x', t = x'/|x'|: by t × δx'/|x'|, and about t as the strand's does
 * (`spin`), or by what the least rotation from the fixed frame's t₀ lacks, −(t₀ × t)·δx'/(|x'| (1 +
 * t₀·t)). In the column's slopes: how it turns more as the point slides, t × δx''/|x'| (a strand's
 * own frame says it itself); how it stretches x', t·δx'/|x'|; and by how much more the frame turns
 * about t than what carries it. */
static void frame_column(const double t[3], const double *binormal, double size,
                         const double change[3], const double curl[3], double spin, double turn[3],
                         double slopes[RELATION_SLOPES])
{
    double across[3], turned = binormal ? -0.5 * v3_dot(binormal, change) / size : spin;
    v3_cross(across, t, change);
    v3_axpy(turn, 1 / size, across);
    v3_axpy(turn, turned, t);
    v3_cross(across, t, curl);
    v3_axpy(slopes, binormal ? 1 / size : 1, binormal ? across : curl);
    slopes[3] += v3_dot(t, change) / size;
    slopes[4] += turned - spin;
}

/* Where a column of the block is in a relation's part, whose last is the point's own; in most cases next to
 * the one before, which was at k. */
static int column_in(const relation *r, const relation_part *p, int column, int k)
{
    if (k + 1 < p->count - 1 && r->column[p->first + k + 1] == column) return k + 1;
    for (k = 0; k < p->count - 1 && r->column[p->first + k] != column;) k++;
    return k;
}

static void note_live(relation_part *p, int k)
{
    if (k < p->live) p->live = k;
    if (k + 1 > p->live_end) p->live_end = k + 1;
}

static void frame_part(const point *p, relation *r, relation_part *to, int v0, const slide_jet *j,
                       double frame[9])
{
    double t[3], b[3], size = v3_normalize(t, j->tangent);
    double *jets = r->jets + 3 * to->first, *along = r->slopes + RELATION_SLOPES * to->first;
    const double *binormal = j->framed ? NULL : b;
    curvature_binormal(b, p->orientation, t);
    frame_of(p, j, t, frame);
    for (int run = 0, c = 0, k = -1; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            k = column_in(r, to, v0 + j->run[run].first + i, k);
            note_live(to, k);
            frame_column(t, binormal, size, j->slope + 3 * c,
                         (j->framed ? j->turning : j->curl) + 3 * c, j->spin[c], jets + 3 * k,
                         along + RELATION_SLOPES * k);
        }
    int own = to->count - 1;
    frame_column(t, binormal, size, j->bend, j->framed ? j->rate_slope : j->third,
                 j->framed ? v3_dot(j->rate, t) : 0, jets + 3 * own, along + RELATION_SLOPES * own);
}

static void place_part(relation *r, relation_part *to, int v0, const slide_jet *j, double place[3])
{
    double *jets = r->jets + 3 * to->first, *along = r->slopes + RELATION_SLOPES * to->first;
    for (int run = 0, c = 0, k = -1; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++) {
            k = column_in(r, to, v0 + j->run[run].first + i, k);
            note_live(to, k);
            v3_add(jets + 3 * k, jets + 3 * k, j->J + 3 * c);
            v3_add(along + RELATION_SLOPES * k, along + RELATION_SLOPES * k, j->slope + 3 * c);
        }
    v3_copy(jets + 3 * (to->count - 1), j->tangent);
    v3_copy(along + RELATION_SLOPES * (to->count - 1), j->bend);
    v3_copy(place, j->value);
}

/* Into the columns of the part: those of three pieces, then the point's own. A ring of three vertices has one of them
 * twice in a jet. */
void cord__sliding_part(const problem *w, relation *r, int part, const double *q,
                        const double *cache, pose *out)
{
    relation_part *to = r->part + part;
    const point *p = w->point[r->point[part / 2]];
    int v0 = w->block[p->block]->v0;
    double J[3 * JET_COLUMNS_MOST], slopes[3 * JET_COLUMNS_MOST], curls[3 * JET_COLUMNS_MOST],
        spins[JET_COLUMNS_MOST], turnings[3 * JET_COLUMNS_MOST];
    bool turns = part % 2;
    slide_jet j = {.J = J,
                   .slope = slopes,
                   .curl = turns ? curls : NULL,
                   .spin = turns ? spins : NULL,
                   .turning = turns ? turnings : NULL,
                   .whole = turns && r->whole[part / 2]};
    cord__sliding_jet(w, p, q, cache, &j);
    to->framed = j.framed;
    to->live = to->count, to->live_end = 0;
    memset(r->jets + 3 * to->first, 0, (size_t)(3 * to->count) * sizeof *r->jets);
    memset(r->slopes + RELATION_SLOPES * to->first, 0,
           (size_t)(RELATION_SLOPES * to->count) * sizeof *r->slopes);
    if (turns)
        frame_part(p, r, to, v0, &j, out->frame);
    else
        place_part(r, to, v0, &j, out->place);
}

/* What changes as it slides, in the column of the point's own. */
static void add_sliding(relation *r, const relation_part *p, const double force[3])
{
    int slides = p->first + p->count - 1;
    for (int c = p->first; c <= slides; c++)
        r->K[c * r->columns + slides] += v3_dot(force, r->slopes + RELATION_SLOPES * c);
}

/* A torque f on a tangent. With u the turn across t, ω that about it and α the stretch, the frame turns at
 * second order by −2 α u − ω t × u. What carries the tangent turns it at second order by itself, which
 * the slopes know when the point slides. */
static void add_turning(relation *r, const relation_part *p, const double f[3], const double t[3])
{
    double across[3];
    int slides = p->first + p->count - 1;
    v3_cross(across, f, t);
    for (int c = p->first; c <= slides; c++)
        for (int k = c; k <= slides; k++) {
            const double *a = r->slopes + RELATION_SLOPES * c, *b = r->slopes + RELATION_SLOPES * k;
            const double *u = r->jets + 3 * c, *v = r->jets + 3 * k;
            double about_c = k == slides ? v3_dot(t, u) : a[4];
            double about_k = c == slides ? v3_dot(t, v) : b[4];
            r->K[c * r->columns + k] -=
                a[3] * v3_dot(f, v) + b[3] * v3_dot(f, u) +
                0.5 * (about_c * v3_dot(across, v) + about_k * v3_dot(across, u));
        }
}

/* A torque f on a strand's own frame, which turns by u of a column and then by v as it slides:
 * together that is a turn by u + v + ½ u × v. */
static void add_turning_on(relation *r, const relation_part *p, const double f[3])
{
    int slides = p->first + p->count - 1;
    double across[3];
    v3_cross(across, r->jets + 3 * slides, f); /* f · (u × v) = u · (v × f) */
    for (int c = p->first; c < slides; c++)
        r->K[c * r->columns + slides] += 0.5 * v3_dot(across, r->jets + 3 * c);
}

/* And what it does as columns move, where the block's own matrix has no room for it. */
static void add_curving(const problem *w, relation *r, const relation_part *to, const point *p,
                        const double *q, const double *cache, const double f[3])
{
    double J[3 * JET_COLUMNS_MOST], slopes[3 * JET_COLUMNS_MOST], curls[3 * JET_COLUMNS_MOST],
        h[CURVED_COLUMNS * CURVED_COLUMNS] = {0};
    int where[CURVED_COLUMNS], v0 = w->block[p->block]->v0;
    slide_jet j = {
        .J = J, .slope = slopes, .curl = curls, .whole = true, .torque = f, .curving = h};
    cord__sliding_jet(w, p, q, cache, &j);
    if (!j.curved) return;
    for (int run = 0, c = 0, k = -1; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            where[c] = k = column_in(r, to, v0 + j.run[run].first + i, k);
    for (int a = 0; a < j.columns; a++)
        for (int b = 0; b < j.columns; b++)
            if (where[a] <= where[b])
                r->K[(to->first + where[a]) * r->columns + to->first + where[b]] +=
                    h[a * j.columns + b];
}

void cord__sliding_curvature(const problem *w, relation *r, int part, const double *q,
                             const double *cache, const pose *at, const double *lambda)
{
    const relation_part *to = r->part + part;
    double force[3] = {0, 0, 0};
    for (int row = 0; row < r->ops->rows; row++)
        v3_axpy(force, lambda[row], r->value.D[row] + 3 * part);
    add_sliding(r, to, force);
    if (part % 2 == 0) return;
    if (!to->framed) {
        add_turning(r, to, force, at->frame);
        return;
    }
    add_turning_on(r, to, force);
    add_curving(w, r, to, w->point[r->point[part / 2]], q, cache, force);
}

void cord__sliding_stiffen(const problem *w, const point *p, const double *q, measure what,
                           const double force[3], double c_k, local_matrix *matrix)
{
    const block *b = w->block[p->block];
    const double *cache = w->cache + b->cache0;
    double s;
    int piece = sliding_piece(w, p, q, &s);
    if (!p->path && b->ops->stiffen_slide)
        b->ops->stiffen_slide(b->model, cache, piece, s, what, force, c_k, matrix);
    if (!p->path || p->block == p->slider_block) return;
    double x[3], tangent[3], bend[3], third[3];
    cord__path_at(p->path, s, x, tangent, bend, third);
    attachment at = on_body(x);
    b->ops->stiffen(b->model, q + b->q0, cache, &at, what, force, c_k, matrix);
}
