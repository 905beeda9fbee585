/* Expected motion in an attempt, deviations from it that the listed pairs allow for, and the displacement rule.
 *
 * The end e of segment i moves from x_ie to y_ie in the attempt, linearly, and is expected at X_ie. The rule is |y_ie − X_ie| ≤ a_i,
 * the allowance; otherwise the attempt is repeated with larger ones, then shortened. So at the fraction τ of the attempt an
 * end is within a_i of x_ie + τ (X_ie − x_ie).
 *
 * Let n be the direction of the distance d of segments i and j at the start. The differences n·(x_ie − x_jf) of their four
 * pairs of ends are linear in τ under the expected motion, so that the least of them is concave and least at an end of the
 * attempt, where it is d or min n·(X_ie − X_jf). Both curves, which are within the bulges of the segments, stay apart by
 *
 *     min(d, min n·(X_ie − X_jf)) − a_i − a_j − bulges − radii:
 *
 * a pair for which this is positive cannot come into contact. Motion that segments have in common adds nothing. Bounds for
 * the broad phase contain x_ie and X_ie less the mean displacement of all segments, relative to their mean position.
 *
 * A static or scripted obstacle moves as expected. Where it turns by θ about the point that carries it, its material points move along
 * arcs, which deviate from chords by at most θ² r/8 at the distance r. A body may move by half the margin, which is that of the whole world, in
 * any direction. In a search for an equilibrium everything is expected to stay, and a_i is half the margin. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "solve/contact_detection.h"

#include <math.h>
#include <string.h>

/* Of the largest radius: the least margin; and that in which free fall is allowed for. */
static const double LEAST_MARGIN = 0.3, FALL = 1;
/* Of the expected displacement: the margin of solids. An impact stops a body, and may reverse it in part. */
static const double MARGIN_OF_MOTION = 3;
/* Of the deviation of a strand in the last attempt: its allowance in the next one; and what is left of it after each step. */
static const double ALLOWANCE_OF_DEVIATION = 1.5, KEPT_DEVIATION = 0.5;
/* Of the extent of all strands: the margin of a search for an equilibrium, whose motion is not known. */
static const double STATIC_MARGIN = 0.1;
/* Of the least allowance: bounds of the broad phase are wider than those of the attempt, so that they serve for several. */
static const double WIDER = 2;

/* ---- expected positions ------------------------------------------------------------------------- */

/* q at the end of the attempt if velocities persisted, in the trial. */
static void expect(problem *w, double h)
{
    for (int i = 0; i < w->blocks; i++) {
        const block *b = w->block[i];
        double *delta = w->delta + b->v0;
        if (b->curve < 0 && b->first_obstacle < 0) continue;
        for (int c = 0; c < b->shape.dofs; c++) delta[c] = h * w->now.v[b->v0 + c];
        if (BLOCK_HAS(b, projection, translate)) {
            b->ops->projection->translate(b->model, w->now.q + b->q0, delta, w->trial.q + b->q0);
            continue;
        }
        memcpy(w->trial.q + b->q0, w->now.q + b->q0, (size_t)b->shape.q_count * sizeof(double));
        if (b->ops->nonlinearity) cord__refresh_positions(b, w->now.q, w->cache);
        double bound = block_step_bound(b, w->cache, delta);
        for (int c = 0; bound < 1 && c < b->shape.dofs; c++) delta[c] *= bound;
        b->ops->retract(b->model, w->trial.q + b->q0, delta);
    }
}

/* Sets positions at the expected end of an attempt of length h, then at its start, where everything stays. */
static void set_positions(problem *w, contact_set *k, double h)
{
    expect(w, h);
    cord__locate_all(w, k, w->trial.q, w->now.time + h);
    for (int i = 0; i < k->segments; i++) memcpy(k->ahead[i], k->segment[i].x, sizeof k->ahead[i]);
    for (int o = 0; o < k->obstacles; o++) {
        v3_copy(k->carrier[o].ahead_x, k->obstacle[o].x);
        memcpy(k->carrier[o].ahead_R, k->obstacle[o].R, sizeof k->obstacle[o].R);
    }
    cord__locate_all(w, k, w->now.q, w->now.time);
    for (int i = 0; i < k->segments; i++) memcpy(k->start[i], k->segment[i].x, sizeof k->start[i]);
    for (int o = 0; o < k->obstacles; o++) {
        v3_copy(k->carrier[o].start_x, k->obstacle[o].x);
        memcpy(k->carrier[o].start_R, k->obstacle[o].R, sizeof k->obstacle[o].R);
    }
    if (k->statics) memcpy(k->ahead, k->start, (size_t)k->segments * sizeof *k->ahead);
}

/* The motion of the point of an obstacle that is at y in its axes, between two poses. */
static void point_motion(const double x[3], const double R[9], const double to_x[3],
                         const double to_R[9], const double y[3], double motion[3])
{
    double from[3];
    m3_apply(from, R, y);
    m3_apply(motion, to_R, y);
    for (int c = 0; c < 3; c++) motion[c] += to_x[c] - from[c] - x[c];
}

/* ---- displacements ------------------------------------------------------------------------------- */

/* How far an obstacle moves from the start of the attempt to a pose: of an unbounded one, its origin. */
static double obstacle_displacement(const contact_set *k, int index, const double x[3],
                                    const double R[9])
{
    const obstacle *o = k->obstacle + index;
    const obstacle_carrier *on = k->carrier + index;
    double most = v3_distance(x, on->start_x);
    for (int corner = 0; corner < 8; corner++) {
        double y[3], motion[3];
        for (int c = 0; c < 3; c++) y[c] = corner >> c & 1 ? o->high[c] : o->low[c];
        if (!isfinite(y[0] + y[1] + y[2])) break;
        point_motion(on->start_x, on->start_R, x, R, y, motion);
        most = fmax(most, v3_norm(motion));
    }
    return most;
}

static bool obstacle_moves(const contact_set *k, int index)
{
    return k->carrier[index].block >= 0 || k->carrier[index].point >= 0;
}

/* The largest distance of the ends of a segment from given ones. */
static double ends_apart(const contact_segment *g, const double x[2][3])
{
    return fmax(v3_distance(g->x[0], x[0]), v3_distance(g->x[1], x[1]));
}

static double block_displacement(const contact_set *k, const block *b)
{
    double most = 0;
    const int first = b->curve >= 0 ? k->first_segment[b->curve] : 0;
    const int after = b->curve >= 0 ? k->first_segment[b->curve + 1] : 0;
    for (int i = first; i < after; i++)
        most = fmax(most, ends_apart(k->segment + i, (const double(*)[3])k->start[i]));
    for (int o = b->first_obstacle; o >= 0; o = k->carrier[o].next)
        most = fmax(most, obstacle_displacement(k, o, k->obstacle[o].x, k->obstacle[o].R));
    return most;
}

double cord__trial_displacement(problem *w, const cluster *s)
{
    double most = 0;
    for (int i = 0; i < s->blocks; i++) {
        const block *b = w->block[s->block[i]];
        if (b->curve >= 0 || b->first_obstacle >= 0)
            cord__refresh_positions(b, w->trial.q, w->cache);
    }
    cord__contacts_locate(w, s, w->trial.q, w->cache);
    for (int i = 0; i < s->blocks; i++)
        most = fmax(most, block_displacement(w->contacts, w->block[s->block[i]]));
    return most;
}

/* ---- margin and allowances ----------------------------------------------------------------------- */

static double largest_radius(const contact_set *k)
{
    double radius = 0;
    for (int i = 0; i < k->segments; i++) radius = fmax(radius, k->segment[i].radius);
    for (int o = 0; !(radius > 0) && o < k->obstacles; o++) {
        const obstacle *x = k->obstacle + o;
        if (isfinite(x->high[0] - x->low[0]) && k->carrier[o].block >= 0)
            radius = fmax(radius, 0.05 * v3_distance(x->high, x->low));
    }
    return radius;
}

static void enclose(const double x[3], double low[3], double high[3])
{
    for (int c = 0; c < 3; c++) low[c] = fmin(low[c], x[c]), high[c] = fmax(high[c], x[c]);
}

/* The largest side of a box round all segments and centres of bodies, or the diagonal of a body. */
static double extent(const contact_set *k)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double most = 0;
    for (int i = 0; i < k->segments; i++)
        for (int end = 0; end < 2; end++) enclose(k->segment[i].x[end], low, high);
    for (int o = 0; o < k->obstacles; o++) {
        const obstacle *x = k->obstacle + o;
        if (k->carrier[o].block < 0 || !isfinite(x->high[0] - x->low[0])) continue;
        enclose(x->x, low, high);
        most = fmax(most, v3_distance(x->high, x->low));
    }
    for (int c = 0; c < 3; c++) most = fmax(most, high[c] - low[c]);
    return most;
}

static double obstacles_motion(const contact_set *k)
{
    double most = 0;
    for (int o = 0; o < k->obstacles; o++)
        if (obstacle_moves(k, o))
            most = fmax(most,
                        obstacle_displacement(k, o, k->carrier[o].ahead_x, k->carrier[o].ahead_R));
    return most;
}

/* Half the least margin. */
static double least_allowance(const contact_set *k, double fall)
{
    const double radius = largest_radius(k);
    return 0.5 * fmax(k->def.margin, LEAST_MARGIN * radius) +
           fmin(0.5 * MARGIN_OF_MOTION * fall, FALL * radius);
}

static void set_allowances(contact_set *k, double least)
{
    for (int i = 0; i < k->segments; i++) {
        const double expected = k->statics ? 0.5 * k->margin : least;
        const block *b = k->context[k->segment[i].block].block;
        k->allowance[i] = fmax(expected, ALLOWANCE_OF_DEVIATION * b->surface.deviation);
    }
}

double cord__pair_margin(const contact_set *k, const contact_pair *x)
{
    if (x->segment[0] < 0) return k->margin;
    const double first = k->allowance[x->segment[0]];
    if (x->segment[1] >= 0) return first + k->allowance[x->segment[1]];
    return first + (k->carrier[x->obstacle[1]].block >= 0 ? 0.5 * k->margin : first);
}

/* ---- bounds --------------------------------------------------------------------------------------- */

/* The mean of the first ends of all segments, and of their displacements. */
static void means(const contact_set *k, double position[3], double displacement[3])
{
    double ahead[3] = {0, 0, 0};
    v3_copy(position, ahead);
    for (int i = 0; i < k->segments; i++) {
        v3_axpy(position, 1.0 / k->segments, k->start[i][0]);
        v3_axpy(ahead, 1.0 / k->segments, k->ahead[i][0]);
    }
    v3_sub(displacement, ahead, position);
}

static void set_bounds(contact_set *k)
{
    double origin[3], motion[3];
    means(k, origin, motion);
    for (int i = 0; i < k->segments; i++) {
        const contact_segment *g = k->segment + i;
        const double pad = g->radius + g->bulge + k->allowance[i];
        for (int c = 0; c < 3; c++) {
            const double x = k->start[i][0][c] - origin[c], y = k->start[i][1][c] - origin[c],
                         p = k->ahead[i][0][c] - motion[c] - origin[c],
                         q = k->ahead[i][1][c] - motion[c] - origin[c];
            k->box[i].low[c] = fmin(fmin(x, y), fmin(p, q)) - pad;
            k->box[i].high[c] = fmax(fmax(x, y), fmax(p, q)) + pad;
        }
    }
}

bool cord__within_boxes(const contact_set *k)
{
    for (int i = 0; i < k->segments; i++)
        for (int c = 0; c < 3; c++)
            if (!(k->box[i].low[c] >= k->boxed[i].low[c] &&
                  k->box[i].high[c] <= k->boxed[i].high[c]))
                return false;
    return k->boxes_serve;
}

void cord__widen_boxes(contact_set *k)
{
    const double wider = WIDER * (k->statics ? 0.5 * k->margin : least_allowance(k, 0));
    for (int i = 0; i < k->segments; i++)
        for (int c = 0; c < 3; c++) {
            k->boxed[i].low[c] = k->box[i].low[c] - wider;
            k->boxed[i].high[c] = k->box[i].high[c] + wider;
        }
}

void cord__expect_motion(problem *w, contact_set *k, double h)
{
    const double fall = 0.5 * v3_norm(w->environment.gravity) * h * h;
    set_positions(w, k, h);
    double motion = obstacles_motion(k) + fall;
    if (k->statics) motion = STATIC_MARGIN * extent(k) / MARGIN_OF_MOTION;
    const double least = fmax(k->def.margin, LEAST_MARGIN * largest_radius(k));
    k->margin = k->farther * fmax(least, MARGIN_OF_MOTION * motion);
    set_allowances(k, least_allowance(k, fall));
    set_bounds(k);
}

/* ---- pairs ---------------------------------------------------------------------------------------- */

/* Whether an axis of the coordinates separates two segments by more than a distance, at the start and at the expected end. */
static bool are_apart(const contact_set *k, int first, int second, double distance)
{
    const double(*a)[3] = (const double(*)[3])k->start[first],
          (*b)[3] = (const double(*)[3])k->start[second];
    const double(*p)[3] = (const double(*)[3])k->ahead[first],
          (*q)[3] = (const double(*)[3])k->ahead[second];
    for (int c = 0; c < 3; c++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                const double from = a[i][c] - b[j][c], to = p[i][c] - q[j][c];
                least = from < least ? from : least, least = to < least ? to : least;
                most = from > most ? from : most, most = to > most ? to : most;
            }
        if (least > distance || most < -distance) return true;
    }
    return false;
}

bool cord__may_touch(const contact_set *k, int first, int second, double normal[3])
{
    const contact_segment *a = k->segment + first, *b = k->segment + second;
    const double reach =
        k->allowance[first] + k->allowance[second] + a->radius + b->radius + a->bulge + b->bulge;
    double t[2], p[3], q[3], least = INFINITY;
    if (are_apart(k, first, second, reach)) return false;
    const double(*x)[3] = (const double(*)[3])k->start[first],
          (*y)[3] = (const double(*)[3])k->start[second];
    const double distance = cord__closest_points(x[0], x[1], y[0], y[1], t, NULL);
    v3_combine(p, 1 - t[0], x[0], t[0], x[1]);
    v3_combine(q, 1 - t[1], y[0], t[1], y[1]);
    v3_sub(normal, p, q);
    v3_scale(normal, 1 / distance, normal);
    if (!(distance > reach)) return true;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double between[3];
            v3_sub(between, k->ahead[first][i], k->ahead[second][j]);
            least = fmin(least, v3_dot(normal, between));
        }
    return !(least > reach);
}

/* How far the path of a material point of an obstacle, now at x, may deviate from its chord: it turns about the point that
 * carries it. */
static double arc_of(const obstacle_carrier *on, const double x[3])
{
    double turned[9], centre[3];
    if (on->point < 0) return 0;
    m3_transposed_multiply(turned, on->start_R, on->ahead_R);
    const double angle = acos(fmax(-1, fmin(1, 0.5 * (turned[0] + turned[4] + turned[8] - 1))));
    m3_apply_transposed(centre, on->R, on->x);
    m3_apply(centre, on->start_R, centre);
    v3_sub(centre, on->start_x, centre);
    return angle * angle / 8 * v3_distance(x, centre);
}

bool cord__may_touch_obstacle(const contact_set *k, int segment, int index)
{
    const contact_segment *g = k->segment + segment;
    const obstacle *o = k->obstacle + index;
    const obstacle_carrier *on = k->carrier + index;
    double relative = 0;
    if (k->statics) return !cord__far_from_obstacle(g, o, k->margin);
    for (int end = 0; end < 2; end++) {
        double motion[3] = {0, 0, 0}, y[3];
        v3_sub(y, g->x[end], o->x);
        m3_apply_transposed(y, o->R, y);
        if (on->block < 0)
            point_motion(on->start_x, on->start_R, on->ahead_x, on->ahead_R, y, motion);
        for (int c = 0; c < 3; c++) motion[c] -= k->ahead[segment][end][c] - g->x[end][c];
        relative = fmax(relative, v3_norm(motion) + arc_of(on, g->x[end]));
    }
    const double own = on->block >= 0 ? 0.5 * k->margin : 0;
    return !cord__far_from_obstacle(g, o, relative + k->allowance[segment] + own);
}

/* The gap falls by at most the relative motion of the points of both. */
bool cord__may_have_touched_obstacle(const contact_set *k, int segment, int index)
{
    const obstacle_carrier *on = k->carrier + index;
    contact_segment from = k->segment[segment];
    obstacle before = k->obstacle[index];
    double moved = 0;
    memcpy(from.x, k->start[segment], sizeof from.x);
    v3_copy(before.x, on->start_x);
    memcpy(before.R, on->start_R, sizeof before.R);
    for (int end = 0; end < 2; end++) {
        double motion[3], y[3];
        v3_sub(y, from.x[end], before.x);
        m3_apply_transposed(y, before.R, y);
        point_motion(before.x, before.R, k->obstacle[index].x, k->obstacle[index].R, y, motion);
        v3_sub(motion, motion, k->segment[segment].x[end]);
        v3_add(motion, motion, from.x[end]);
        moved = fmax(moved, v3_norm(motion));
    }
    return !cord__far_from_obstacle(&from, &before, 0.5 * moved) ||
           !cord__far_from_obstacle(k->segment + segment, k->obstacle + index, 0.5 * moved);
}

/* ---- the rule ------------------------------------------------------------------------------------- */

/* The largest displacement of solids over that which their margin admits. Obstacles alone do not meet each other. */
static double solids_excess(const contact_set *k)
{
    double most = 0;
    bool bodies = false;
    for (int o = 0; o < k->obstacles; o++) {
        bodies = bodies || k->carrier[o].block >= 0;
        if (obstacle_moves(k, o))
            most = fmax(most, obstacle_displacement(k, o, k->obstacle[o].x, k->obstacle[o].R));
    }
    return bodies || k->statics ? 2 * most / k->margin : 0;
}

static double deviation_of(const contact_set *k, int segment)
{
    return ends_apart(k->segment + segment, (const double(*)[3])k->ahead[segment]);
}

/* The same of segments, from their expected ends. */
static double segments_excess(const contact_set *k)
{
    double most = 0;
    for (int i = 0; i < k->segments; i++) most = fmax(most, deviation_of(k, i) / k->allowance[i]);
    return most;
}

/* What is left of earlier deviations: `kept` of them. */
static void remember_deviations(contact_set *k, double kept)
{
    for (int c = 0; !k->statics && c < k->curves; c++) {
        double *deviation = &k->context[c].block->surface.deviation;
        *deviation *= kept;
        for (int i = k->first_segment[c]; i < k->first_segment[c + 1]; i++)
            *deviation = fmax(*deviation, deviation_of(k, i));
    }
}

/* Whether segments that deviated farther than their allowances may have met others for which the attempt had no pairs. */
static bool deviations_miss_pairs(contact_set *k, memory *m)
{
    for (int i = 0; i < k->segments; i++)
        k->allowance[i] = fmax(k->allowance[i], deviation_of(k, i));
    set_bounds(k);
    return cord__misses_pairs(k, m);
}

bool cord__contacts_moved_too_far(problem *w, contact_set *k, double h, memory *m)
{
    cord__locate_all(w, k, w->trial.q, w->now.time + h);
    const double solids = solids_excess(k), strands = segments_excess(k);
    const bool far = solids > 1 || (strands > 1 && (k->statics || deviations_miss_pairs(k, m)));
    remember_deviations(k, far ? 1 : KEPT_DEVIATION);
    if (far)
        k->farther *= fmax(1, 1.25 * (k->statics ? fmax(solids, strands) : solids));
    else
        k->farther = fmax(1, 0.5 * k->farther);
    return far;
}
