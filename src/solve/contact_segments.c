/* Segments of strands and obstacles in contact: their room, their positions, and the margin of an attempt. */
#include "math/vec3.h"
#include "solve/contact_detection.h"

#include <math.h>
#include <string.h>

/* Of the largest radius: the least margin. */
static const double LEAST_MARGIN = 0.3;
/* Of the expected displacement of an attempt. */
static const double MARGIN_OF_MOTION = 3;
/* Of the extent of all strands: the margin of a search for an equilibrium, whose motion is not known. */
static const double STATIC_MARGIN = 0.1;

/* ---- room ---------------------------------------------------------------------------------------- */

bool cord__reserve(memory *m, void **array, size_t size, size_t count)
{
    cord__release(m, *array);
    *array = cord__allocate(m, count, size);
    return *array != NULL;
}

static bool has_curve(const block *b)
{
    return b->surface.exists && b->ops->contact;
}

static void evaluate_curve(const void *context, int segment, double s, double r[3], double r_s[3],
                           double r_ss[3])
{
    const contact_context *at = context;
    at->block->ops->contact->curve(at->block->model, at->q, at->cache, segment, s, r, r_s, r_ss);
}

static void lay_out_curve(contact_set *k, int index, block *b, int first)
{
    const int count = b->ops->contact->segment_count(b->model);
    const double period = b->ops->contact->period(b->model);
    k->context[index] = (contact_context){.block = b};
    k->first_segment[index] = first;
    const bool by_segments = b->ops->contact->in_segments && b->ops->contact->in_segments(b->model);
    k->curve[index] = (contact_curve){.evaluate = by_segments ? NULL : evaluate_curve,
                                      .context = k->context + index,
                                      .period = period,
                                      .first = first,
                                      .self = b->surface.self,
                                      .group = b->surface.group,
                                      .mask = b->surface.mask};
    for (int i = 0; i < count; i++) {
        contact_segment *g = k->segment + first + i;
        *g = (contact_segment){.block = index, .segment = i};
        g->before = i > 0 ? first + i - 1 : period > 0 ? first + count - 1 : -1;
        g->after = i < count - 1 ? first + i + 1 : period > 0 ? first : -1;
    }
}

cord_status cord__contacts_layout(problem *w, contact_set *k, memory *m)
{
    k->curves = k->segments = 0;
    k->columns = BODY_DOFS;
    for (int i = 0; i < w->blocks; i++) {
        const block *b = w->block[i];
        if (!has_curve(b)) continue;
        k->curves++;
        k->segments += b->ops->contact->segment_count(b->model);
        if (b->shape.contact_dofs > k->columns) k->columns = b->shape.contact_dofs;
    }
    if (!RESERVE(m, k->curve, k->curves) || !RESERVE(m, k->context, k->curves) ||
        !RESERVE(m, k->first_segment, k->curves + 1) || !RESERVE(m, k->segment, k->segments) ||
        !RESERVE(m, k->start, k->segments) || !RESERVE(m, k->ahead, k->segments) ||
        !RESERVE(m, k->moves, k->obstacles) || !RESERVE(m, k->sweep, k->segments) ||
        !RESERVE(m, k->sweep_order, k->segments) || !RESERVE(m, k->boxed, k->segments) ||
        !RESERVE(m, k->box_pad, k->segments) || !RESERVE(m, k->last_x, k->segments) ||
        !RESERVE(m, k->last_q, w->q_count) || !RESERVE(m, k->first_joint, k->curves + 1) ||
        !RESERVE(m, k->owner, k->curves + k->obstacles))
        return CORD_ERROR_MEMORY;
    k->renumbered = true;
    k->box_margin = 0;
    for (int i = 0; i <= k->curves; i++) k->first_joint[i] = 0;
    for (int i = 0; i < k->segments; i++) k->sweep_order[i] = i;
    int curve = 0, first = 0;
    for (int i = 0; i < w->blocks; i++) w->block[i]->first_obstacle = -1;
    for (int o = k->obstacles - 1; o >= 0; o--) {
        if (k->carrier[o].block < 0) continue;
        k->carrier[o].next = w->block[k->carrier[o].block]->first_obstacle;
        w->block[k->carrier[o].block]->first_obstacle = o;
    }
    for (int i = 0; i < w->blocks; i++) {
        block *b = w->block[i];
        b->curve = -1;
        if (!has_curve(b)) continue;
        b->curve = curve;
        lay_out_curve(k, curve++, b, first);
        first += b->ops->contact->segment_count(b->model);
    }
    k->first_segment[k->curves] = k->segments;
    for (int o = 0; o < k->obstacles; o++)
        k->moves[o] = k->carrier[o].block >= 0 || k->carrier[o].point >= 0;
    k->row_room = k->pair_room = k->count.room = 0; /* rows have other lengths now */
    k->pairs = k->islands = 0;
    k->farther = 1;
    if (!(k->headroom > 0)) k->headroom = 1;
    cord_status status =
        cord__solid_pairs_reserve(m, &k->solids, k->obstacles, 4 * k->obstacles + 16);
    if (status != CORD_OK) return status;
    return cord__broad_phase_reserve(m, &k->broad, k->segments, 4 * k->segments + 16);
}

void cord__contacts_release(contact_set *k, memory *m)
{
    void *arrays[] = {
        k->law,         k->obstacle,  k->carrier,      k->curve,         k->context,
        k->segment,     k->start,     k->ahead,        k->pair,          k->unordered,
        k->joined,      k->pair_key,  k->pair_order,   k->island,        k->row,
        k->row_before,  k->found,     k->index,        k->numbers,       k->live,
        k->row_start,   k->column,    k->member,       k->block,         k->b,
        k->friction,    k->previous,  k->force,        k->cone_work,     k->memory,
        k->key,         k->order,     k->unsorted,     k->first_segment, k->boxed,
        k->box_pad,     k->count.row, k->count.values, k->count.matrix,  k->count.jacobian,
        k->count.dof,   k->last_x,    k->last_q,       k->joint,         k->unsorted_joint,
        k->first_joint, k->broken,    k->owner};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    cord__broad_phase_release(m, &k->broad);
    cord__solid_pairs_release(m, &k->solids);
    cord__release(m, k->cursor);
    cord__release(m, k->moves);
    cord__release(m, k->sweep);
    cord__release(m, k->sweep_order);
    cord__release(m, k->join);
}

/* ---- positions ------------------------------------------------------------------------------------ */

/* The part of the cache that positions in contact are found from. */
static void refresh(const block *b, const double *q, double *cache)
{
    if (b->curve >= 0 && b->ops->contact->without_cache && b->first_obstacle < 0) return;
    (b->ops->refresh_rows ? b->ops->refresh_rows : b->ops->refresh)(b->model, q + b->q0,
                                                                    cache + b->cache0);
}

/* The configuration at which the curve of a block is evaluated. */
static void refer(contact_set *k, const block *b, const double *q, const double *cache)
{
    k->context[b->curve].q = q + b->q0;
    k->context[b->curve].cache = cache + b->cache0;
}

static void locate_block(contact_set *k, const block *b, const double *q, const double *cache)
{
    contact_segment *g = k->segment + k->first_segment[b->curve];
    const int count = k->first_segment[b->curve + 1] - k->first_segment[b->curve];
    refer(k, b, q, cache);
    b->ops->contact->segments(b->model, q + b->q0, cache + b->cache0, g);
    for (int i = 0; b->surface.radius > 0 && i < count; i++) g[i].radius = b->surface.radius;
}

/* An obstacle on a body. */
static void locate_on_body(const problem *w, contact_set *k, int index, const double *q,
                           const double *cache)
{
    const obstacle_carrier *on = k->carrier + index;
    const block *b = w->block[on->block];
    obstacle *o = k->obstacle + index;
    double rotations[9], J[3 * BODY_DOFS];
    attachment at = {.weight = {on->x[0], on->x[1], on->x[2], 1}, .unit = -1};
    point_jacobian position = {.J = J, .value_only = true},
                   frame = {.J = rotations, .value_only = true};
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_POSITION,
                           &position);
    b->ops->point_jacobian(b->model, q + b->q0, cache + b->cache0, &at, MEASURE_FRAME, &frame);
    v3_copy(o->x, position.value);
    for (int i = 0; i < 3; i++) m3_apply(o->R + 3 * i, frame.value, on->R + 3 * i);
}

static void locate_on_point(const problem *w, contact_set *k, int index, double time)
{
    const obstacle_carrier *on = k->carrier + index;
    obstacle *o = k->obstacle + index;
    pose at;
    if (on->point < 0) {
        v3_copy(o->x, on->x);
        memcpy(o->R, on->R, sizeof o->R);
        return;
    }
    cord__point_scripted(w->point[on->point], time, &at);
    m3_apply(o->x, at.frame, on->x);
    v3_add(o->x, o->x, at.position);
    for (int i = 0; i < 3; i++) m3_apply(o->R + 3 * i, at.frame, on->R + 3 * i);
}

void cord__contacts_locate(problem *w, const cluster *s, const double *q, const double *cache)
{
    contact_set *k = w->contacts;
    for (int i = 0; i < s->blocks; i++) {
        const block *b = w->block[s->block[i]];
        if (b->curve >= 0) locate_block(k, b, q, cache);
        for (int o = b->first_obstacle; o >= 0; o = k->carrier[o].next)
            locate_on_body(w, k, o, q, cache);
    }
}

void cord__locate_scripted(const problem *w, contact_set *k, double time)
{
    for (int o = 0; o < k->obstacles; o++)
        if (k->carrier[o].block < 0) locate_on_point(w, k, o, time);
}

void cord__locate_all(problem *w, contact_set *k, const double *q, double time)
{
    for (int i = 0; i < w->blocks; i++) {
        const block *b = w->block[i];
        if (b->curve < 0 && b->first_obstacle < 0) continue;
        refresh(b, q, w->cache);
        if (b->curve >= 0) locate_block(k, b, q, w->cache);
        for (int o = b->first_obstacle; o >= 0; o = k->carrier[o].next)
            locate_on_body(w, k, o, q, w->cache);
    }
    cord__locate_scripted(w, k, time);
}

/* ---- margin --------------------------------------------------------------------------------------- */

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
        if (b->ops->nonlinearity) refresh(b, w->now.q, w->cache);
        double bound = block_step_bound(b, w->cache, delta);
        for (int c = 0; bound < 1 && c < b->shape.dofs; c++) delta[c] *= bound;
        b->ops->retract(b->model, w->trial.q + b->q0, delta);
    }
}

/* How far an obstacle has moved from the start of the attempt: of an unbounded one, its origin. */
static double obstacle_displacement(const contact_set *k, int index)
{
    const obstacle *o = k->obstacle + index;
    const obstacle_carrier *on = k->carrier + index;
    double most = v3_distance(o->x, on->start_x);
    for (int corner = 0; corner < 8; corner++) {
        double y[3], from[3], to[3];
        for (int c = 0; c < 3; c++) y[c] = corner >> c & 1 ? o->high[c] : o->low[c];
        if (!isfinite(y[0] + y[1] + y[2])) break;
        m3_apply(to, o->R, y);
        v3_add(to, to, o->x);
        m3_apply(from, on->start_R, y);
        v3_add(from, from, on->start_x);
        most = fmax(most, v3_distance(from, to));
    }
    return most;
}

/* The largest displacement since the start of the attempt. */
static double displacement(const contact_set *k)
{
    double most = 0;
    for (int i = 0; i < k->segments; i++)
        for (int end = 0; end < 2; end++)
            most = fmax(most, v3_distance(k->segment[i].x[end], k->start[i][end]));
    for (int o = 0; o < k->obstacles; o++)
        if (k->carrier[o].block >= 0 || k->carrier[o].point >= 0)
            most = fmax(most, obstacle_displacement(k, o));
    return most;
}

static double block_displacement(const contact_set *k, const block *b)
{
    double most = 0;
    const int first = b->curve >= 0 ? k->first_segment[b->curve] : 0;
    const int after = b->curve >= 0 ? k->first_segment[b->curve + 1] : 0;
    for (int i = first; i < after; i++)
        for (int end = 0; end < 2; end++)
            most = fmax(most, v3_distance(k->segment[i].x[end], k->start[i][end]));
    for (int o = b->first_obstacle; o >= 0; o = k->carrier[o].next)
        most = fmax(most, obstacle_displacement(k, o));
    return most;
}

double cord__trial_displacement(problem *w, const cluster *s)
{
    double most = 0;
    for (int i = 0; i < s->blocks; i++) {
        const block *b = w->block[s->block[i]];
        if (b->curve >= 0 || b->first_obstacle >= 0) refresh(b, w->trial.q, w->cache);
    }
    cord__contacts_locate(w, s, w->trial.q, w->cache);
    for (int i = 0; i < s->blocks; i++)
        most = fmax(most, block_displacement(w->contacts, w->block[s->block[i]]));
    return most;
}

static double least_margin(const contact_set *k)
{
    double radius = 0;
    for (int i = 0; i < k->segments; i++) radius = fmax(radius, k->segment[i].radius);
    for (int o = 0; !(radius > 0) && o < k->obstacles; o++) {
        const obstacle *x = k->obstacle + o;
        if (isfinite(x->high[0] - x->low[0]) && k->carrier[o].block >= 0)
            radius = fmax(radius, 0.05 * v3_distance(x->high, x->low));
    }
    return LEAST_MARGIN * radius;
}

/* Present positions become those at the start of the attempt. */
static void set_start(contact_set *k)
{
    for (int i = 0; i < k->segments; i++) memcpy(k->start[i], k->segment[i].x, sizeof k->start[i]);
    for (int o = 0; o < k->obstacles; o++) {
        v3_copy(k->carrier[o].start_x, k->obstacle[o].x);
        memcpy(k->carrier[o].start_R, k->obstacle[o].R, sizeof k->obstacle[o].R);
    }
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

double cord__choose_margin(problem *w, contact_set *k, double h)
{
    expect(w, h);
    cord__locate_all(w, k, w->trial.q, w->now.time + h);
    set_start(k);
    memcpy(k->ahead, k->start, (size_t)k->segments * sizeof *k->ahead);
    cord__locate_all(w, k, w->now.q, w->now.time);
    double g = v3_norm(w->environment.gravity), motion = displacement(k) + 0.5 * g * h * h;
    if (k->statics) motion = STATIC_MARGIN * extent(k) / MARGIN_OF_MOTION;
    k->margin = k->farther * fmax(fmax(k->def.margin, least_margin(k)), MARGIN_OF_MOTION * motion);
    set_start(k);
    return motion;
}

bool cord__contacts_moved_too_far(problem *w, contact_set *k, double h)
{
    cord__locate_all(w, k, w->trial.q, w->now.time + h);
    double most = displacement(k);
    if (!(2 * most > k->margin)) {
        k->farther = fmax(1, 0.5 * k->farther);
        return false;
    }
    k->farther *= 2.5 * most / k->margin;
    return true;
}
