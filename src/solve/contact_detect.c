/* Detection of contacts at the start of an attempt: segments, margin, pairs, and their distribution to islands. */
#include "math/vec3.h"
#include "solve/contacts.h"
#include "solve/integrator.h"

#include <math.h>
#include <string.h>

/* Of the largest radius: the least margin. */
static const double LEAST_MARGIN = 0.3;
/* Of the expected displacement of an attempt. */
static const double MARGIN_OF_MOTION = 3;
/* The broad phase looks so many attempts ahead, but not beyond this factor of the margin. */
static const double ATTEMPTS_AHEAD = 10, LARGEST_BOX = 2;

/* ---- room ---------------------------------------------------------------------------------------- */

/* Room for `count` entries; contents are not kept. */
static bool reserve(memory *m, void **array, size_t size, size_t count)
{
    cord__release(m, *array);
    *array = cord__allocate(m, count, size);
    return *array != NULL;
}
#define RESERVE(m, array, count) reserve(m, (void **)&(array), sizeof *(array), (size_t)(count))

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
    k->curve[index] = (contact_curve){.evaluate = evaluate_curve,
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
        !RESERVE(m, k->box_pad, k->segments))
        return CORD_ERROR_MEMORY;
    k->box_margin = 0;
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
    k->row_room = k->pair_room = 0; /* rows have other lengths now */
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
        k->law,        k->obstacle, k->carrier,   k->curve,         k->context,   k->segment,
        k->start,      k->ahead,    k->pair,      k->unordered,     k->joined,    k->pair_key,
        k->pair_order, k->island,   k->row,       k->row_before,    k->found,     k->index,
        k->numbers,    k->live,     k->row_start, k->column,        k->member,    k->block,
        k->b,          k->friction, k->previous,  k->force,         k->cone_work, k->memory,
        k->key,        k->order,    k->unsorted,  k->first_segment, k->boxed,     k->box_pad};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    cord__broad_phase_release(m, &k->broad);
    cord__solid_pairs_release(m, &k->solids);
    cord__release(m, k->moves);
    cord__release(m, k->sweep);
    cord__release(m, k->sweep_order);
}

/* ---- positions ------------------------------------------------------------------------------------ */

static void refresh(const block *b, const double *q, double *cache)
{
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

void cord__contacts_follow(problem *w, const cluster *s, const double *q, const double *cache)
{
    contact_set *k = w->contacts;
    for (int i = 0; i < s->blocks; i++) {
        const block *b = w->block[s->block[i]];
        if (b->curve >= 0) refer(k, b, q, cache);
        for (int o = b->first_obstacle; o >= 0; o = k->carrier[o].next)
            locate_on_body(w, k, o, q, cache);
    }
}

static void locate_all(problem *w, contact_set *k, const double *q, double time)
{
    for (int i = 0; i < w->blocks; i++) {
        const block *b = w->block[i];
        if (b->curve < 0 && b->first_obstacle < 0) continue;
        refresh(b, q, w->cache);
        if (b->curve >= 0) locate_block(k, b, q, w->cache);
        for (int o = b->first_obstacle; o >= 0; o = k->carrier[o].next)
            locate_on_body(w, k, o, q, w->cache);
    }
    for (int o = 0; o < k->obstacles; o++)
        if (k->carrier[o].block < 0) locate_on_point(w, k, o, time);
}

/* ---- margin --------------------------------------------------------------------------------------- */

/* q at the end of the attempt if velocities persisted, in the trial. */
static void expect(problem *w, double h)
{
    for (int i = 0; i < w->blocks; i++) {
        const block *b = w->block[i];
        double *delta = w->delta + b->v0, bound = 1;
        if (b->curve < 0 && b->first_obstacle < 0) continue;
        memcpy(w->trial.q + b->q0, w->now.q + b->q0, (size_t)b->shape.q_count * sizeof(double));
        for (int c = 0; c < b->shape.dofs; c++) delta[c] = h * w->now.v[b->v0 + c];
        if (b->ops->step_bound) refresh(b, w->now.q, w->cache);
        if (b->ops->step_bound) bound = b->ops->step_bound(b->model, w->cache + b->cache0, delta);
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

/* Positions at the expected end of the attempt, then at its start; sets the margin, and returns the displacement. */
static double choose_margin(problem *w, contact_set *k, double h)
{
    expect(w, h);
    locate_all(w, k, w->trial.q, w->now.time + h);
    set_start(k);
    memcpy(k->ahead, k->start, (size_t)k->segments * sizeof *k->ahead);
    locate_all(w, k, w->now.q, w->now.time);
    double g = v3_norm(w->environment.gravity), motion = displacement(k) + 0.5 * g * h * h;
    k->margin = k->farther * fmax(fmax(k->def.margin, least_margin(k)), MARGIN_OF_MOTION * motion);
    set_start(k);
    return motion;
}

bool cord__contacts_moved_too_far(problem *w, contact_set *k, double h)
{
    locate_all(w, k, w->trial.q, w->now.time + h);
    double most = displacement(k);
    if (!(2 * most > k->margin)) {
        k->farther = fmax(1, 0.5 * k->farther);
        return false;
    }
    k->farther *= 2.5 * most / k->margin;
    return true;
}

bool cord__contacts_overflow(contact_set *k)
{
    bool any = false;
    for (int i = 0; i < k->islands; i++) any = any || k->island[i].overflow;
    if (any) k->headroom *= 2;
    return any;
}

/* ---- pairs ---------------------------------------------------------------------------------------- */

static cord_status grow_pairs(contact_set *k, memory *m, int count)
{
    if (count <= k->pair_room) return CORD_OK;
    int room = count + count / 2 + 16;
    k->pair_room = 0;
    if (!RESERVE(m, k->pair, room) || !RESERVE(m, k->unordered, room) ||
        !RESERVE(m, k->joined, room) || !RESERVE(m, k->pair_key, 2 * room) ||
        !RESERVE(m, k->pair_order, 2 * room))
        return CORD_ERROR_MEMORY;
    k->pair_room = room;
    return CORD_OK;
}

/* Whether every segment with the margin of the attempt is within its box of the last broad phase. */
static bool within_boxes(const contact_set *k)
{
    for (int i = 0; i < k->segments; i++) {
        const contact_segment *g = k->segment + i;
        double left = k->box_pad[i] + 0.5 * (k->box_margin - k->margin) - g->radius - g->bulge;
        for (int end = 0; end < 2; end++)
            for (int axis = 0; axis < 3; axis++)
                if (!(fabs(g->x[end][axis] - k->boxed[i][end][axis]) <= left)) return false;
    }
    return k->box_margin > 0;
}

/* Whether all points of two segments are neighbours along a strand, also after it has grown a little. */
static bool are_neighbours(const contact_set *k, const contact_segment *a, const contact_segment *b)
{
    const double far[2] = {a->s[0], b->s[1]}, near[2] = {a->s[1], b->s[0]};
    return cord__along_ratio(k->curve, a, b, far) < 0.9 &&
           cord__along_ratio(k->curve, a, b, near) < 0.9;
}

static void drop_neighbours(contact_set *k)
{
    broad_phase *b = &k->broad;
    int kept = 0;
    for (int i = 0; i < b->candidate_count; i++) {
        const contact_candidate *c = b->candidates + i;
        if (!are_neighbours(k, k->segment + c->first, k->segment + c->second))
            b->candidates[kept++] = *c;
    }
    b->candidate_count = kept;
}

/* Candidates of the broad phase, with a margin that serves for some attempts: pairs, which are found among them by distance,
 * are the same with those of any earlier attempt. */
static cord_status find(contact_set *k, double motion, memory *m)
{
    broad_phase *b = &k->broad;
    if (within_boxes(k)) return CORD_OK;
    k->box_margin = 0;
    double margin = k->margin + fmin(2 * ATTEMPTS_AHEAD * motion, LARGEST_BOX * k->margin);
    for (;;) {
        cord_status status = cord__broad_phase(k->curve, k->segment, k->segments, margin, b);
        if (status == CORD_OK) break;
        if (status != CORD_ERROR_MEMORY) return status;
        int count = b->candidate_count;
        status = cord__broad_phase_reserve(m, b, k->segments, count + count / 2 + 16);
        if (status != CORD_OK) return status;
    }
    drop_neighbours(k);
    k->box_margin = margin;
    for (int i = 0; i < k->segments; i++) {
        const contact_segment *g = k->segment + i;
        memcpy(k->boxed[i], g->x, sizeof g->x);
        k->box_pad[i] = g->radius + g->bulge;
    }
    return CORD_OK;
}

static cord_status find_solids(contact_set *k, memory *m)
{
    solid_pairs *s = &k->solids;
    for (;;) {
        cord_status status = cord__solid_pairs(k->obstacle, k->moves, k->obstacles, k->margin, s);
        if (status != CORD_ERROR_MEMORY) return status;
        int count = s->pair_count;
        status = cord__solid_pairs_reserve(m, s, k->obstacles, count + count / 2 + 16);
        if (status != CORD_OK) return status;
    }
}

static int material_of(const contact_set *k, const contact_pair *x, int side)
{
    if (x->segment[side] < 0) return k->carrier[x->obstacle[side]].material;
    return k->context[k->segment[x->segment[side]].block].block->surface.material;
}

/* The block of a side; −1: it has none. */
static const block *block_of(const problem *w, const contact_set *k, const contact_pair *x,
                             int side)
{
    if (x->segment[side] >= 0) return k->context[k->segment[x->segment[side]].block].block;
    int on = k->carrier[x->obstacle[side]].block;
    return on >= 0 ? w->block[on] : NULL;
}

/* Counts a pair, and stores it where there is room. */
static void append(contact_set *k, const contact_pair *x)
{
    if (k->pairs < k->pair_room) k->pair[k->pairs] = *x;
    k->pairs++;
}

static void exchange(contact_pair *x)
{
    int first = x->segment[0];
    x->segment[0] = x->segment[1];
    x->segment[1] = first;
}

/* All pairs whose gap may be within the margin: those that own no contact now may own one when it has moved along the strand. */
static void list_segments(contact_set *k)
{
    for (int i = 0; i < k->broad.candidate_count; i++) {
        const contact_candidate *c = k->broad.candidates + i;
        const contact_segment *a = k->segment + c->first, *b = k->segment + c->second;
        contact_pair x = {.segment = {c->first, c->second}, .obstacle = {-1, -1}};
        double t[2], p[3], q[3];
        double distance = cord__closest_points(a->x[0], a->x[1], b->x[0], b->x[1], t, NULL);
        if (distance - a->radius - b->radius - a->bulge - b->bulge > k->margin) continue;
        if (cord__segment_number(k->curve, a) > cord__segment_number(k->curve, b)) exchange(&x);
        v3_combine(p, 1 - t[0], a->x[0], t[0], a->x[1]);
        v3_combine(q, 1 - t[1], b->x[0], t[1], b->x[1]);
        v3_sub(x.start_normal, p, q);
        v3_scale(x.start_normal, (x.segment[0] == c->first ? 1 : -1) / distance, x.start_normal);
        append(k, &x);
    }
}

static void list_obstacles(contact_set *k)
{
    for (int o = 0; o < k->obstacles; o++)
        for (int i = 0; i < k->segments; i++) {
            const contact_segment *g = k->segment + i;
            const contact_curve *curve = k->curve + g->block;
            const obstacle *x = k->obstacle + o;
            if (!(curve->mask & x->group) || !(x->mask & curve->group)) continue;
            if (cord__far_from_obstacle(g, x, k->margin)) continue;
            append(k, &(contact_pair){.segment = {i, -1}, .obstacle = {-1, o}});
        }
}
/* Whether two bodies are joined by a constraint: joints hold them where their shapes overlap. */
static bool are_joined(const problem *w, int a, int b)
{
    if (w->block[a]->cluster != w->block[b]->cluster) return false;
    for (int i = 0; i < w->constraints; i++) {
        const term *x = &w->constraint[i]->term;
        int first = cord__block_of(w, x, 0), second = cord__block_of(w, x, 1);
        if ((first == a && second == b) || (first == b && second == a)) return true;
    }
    return false;
}

static void list_solids(const problem *w, contact_set *k)
{
    for (int i = 0; i < k->solids.pair_count; i++) {
        int first = k->solids.pairs[i].first, second = k->solids.pairs[i].second;
        int a = k->carrier[first].block, b = k->carrier[second].block;
        if ((a < 0 && b < 0) || a == b || (a >= 0 && b >= 0 && are_joined(w, a, b))) continue;
        append(k, &(contact_pair){.segment = {-1, -1}, .obstacle = {first, second}});
    }
}

static cord_status list_pairs(const problem *w, contact_set *k, memory *m)
{
    for (;;) {
        k->pairs = 0;
        list_segments(k);
        list_obstacles(k);
        list_solids(w, k);
        if (k->pairs <= k->pair_room) return CORD_OK;
        cord_status status = grow_pairs(k, m, k->pairs);
        if (status != CORD_OK) return status;
    }
}

uint64_t cord__pair_key(const contact_set *k, const contact_pair *x)
{
    uint32_t number[2];
    for (int side = 0; side < 2; side++)
        number[side] = x->segment[side] >= 0
                           ? cord__segment_number(k->curve, k->segment + x->segment[side])
                           : OBSTACLE_NUMBERS + (uint32_t)x->obstacle[side];
    return cord__contact_key(number[0], number[1], 0);
}

/* The order of keys does not depend on that of the broad phase. */
static void order_pairs(contact_set *k)
{
    for (int i = 0; i < k->pairs; i++) {
        k->pair_key[i] = cord__pair_key(k, k->pair + i);
        k->pair_order[i] = i;
    }
    cord__sort_by_key(k->pairs, k->pair_key, k->pair_order, k->pair_key + k->pair_room,
                      k->pair_order + k->pair_room);
    for (int i = 0; i < k->pairs; i++) k->unordered[i] = k->pair[k->pair_order[i]];
}

/* Segments that become neighbours no more may overlap already. */
static double start_gap(const problem *w, const contact_set *k, const contact_pair *x)
{
    contact found[SOLID_CONTACTS];
    double least = 0;
    if (w->integrator->explicit_forces && x->segment[0] >= 0) return 0; /* contact_rows.c has it */
    if (x->segment[0] >= 0 && x->segment[1] >= 0)
        return fmin(0, cord__pair_gap(k->curve, k->segment,
                                      (contact_candidate){x->segment[0], x->segment[1]}));
    for (int i = cord__contacts_of_pair(k, x, 0, found) - 1; i >= 0; i--)
        least = fmin(least, found[i].gap);
    return least;
}

static void complete_pair(const problem *w, contact_set *k, contact_pair *x, cluster_pair *joined)
{
    int first = material_of(k, x, 0), second = material_of(k, x, 1);
    const block *a = block_of(w, k, x, 0), *b = block_of(w, k, x, 1);
    x->law = k->law[first * k->materials + second];
    int one = a ? a->cluster : b->cluster;
    *joined = (cluster_pair){one, b ? b->cluster : one};
    x->start_gap = start_gap(w, k, x);
}

cord_status cord__contacts_detect(problem *w, contact_set *k, double h, memory *m)
{
    double motion = choose_margin(w, k, h);
    cord_status status = find(k, motion, m);
    if (status == CORD_OK) status = find_solids(k, m);
    if (status == CORD_OK) status = list_pairs(w, k, m);
    if (status != CORD_OK) return status;
    order_pairs(k);
    for (int i = 0; i < k->pairs; i++) complete_pair(w, k, k->unordered + i, k->joined + i);
    return CORD_OK;
}

/* ---- islands -------------------------------------------------------------------------------------- */

/* The least gap that a pair has at the expected end of the attempt, about; obstacles are where they end. */
static double expected_gap(const contact_set *k, const contact_pair *x)
{
    double t[2], normal[3], gap = INFINITY;
    if (x->segment[0] < 0) return x->start_gap - 0.5 * k->margin;
    const contact_segment *a = k->segment + x->segment[0];
    const double(*end)[3] = (const double(*)[3])k->ahead[x->segment[0]];
    if (x->segment[1] >= 0) {
        const contact_segment *b = k->segment + x->segment[1];
        const double(*other)[3] = (const double(*)[3])k->ahead[x->segment[1]];
        return cord__closest_points(end[0], end[1], other[0], other[1], t, NULL) - a->radius -
               b->radius - a->bulge - b->bulge;
    }
    for (int i = 0; i < 2; i++)
        gap = fmin(gap, cord__obstacle_distance(k->obstacle + x->obstacle[1], end[i], normal));
    return gap - a->radius - a->bulge;
}

/* Steps without an impact after which an island takes the scheme of the world again: repeating a step costs as much as two. */
static const double QUIET = 4;

/* The first contact of a pair that had a force in the last step; NULL: there is none. */
static const contact_memory *memory_of(const contact_set *k, const contact_pair *x)
{
    uint64_t from = cord__pair_key(k, x);
    int at = cord__find_memory(k, from);
    return at < k->remembered && cord__same_sides(k->memory[at].key, from) ? k->memory + at : NULL;
}

static bool is_scripted(const contact_set *k, const contact_pair *x)
{
    bool any = false;
    for (int side = 0; side < 2; side++)
        any = any || (x->segment[side] < 0 && k->carrier[x->obstacle[side]].point >= 0);
    return any;
}

/* Rows of a pair, at most. */
static int rows_of(const contact_pair *x)
{
    return x->segment[0] < 0 ? SOLID_CONTACTS : PAIR_CONTACTS;
}

static cord_status grow_islands(contact_set *k, memory *m, int count)
{
    if (count <= k->island_room) return CORD_OK;
    int room = count + count / 2 + 4;
    k->island_room = 0;
    if (!RESERVE(m, k->island, room)) return CORD_ERROR_MEMORY;
    k->island_room = room;
    return CORD_OK;
}

/* Pairs in the order of islands, each in the order of keys. */
static void sort_pairs(contact_set *k, const partition *p)
{
    int first = 0;
    for (int i = 0; i < p->islands; i++) k->island[i] = (island_contacts){0};
    for (int i = 0; i < k->pairs; i++) {
        k->unordered[i].island = p->cluster[k->joined[i].first].island;
        k->island[k->unordered[i].island].pairs++;
    }
    for (int i = 0; i < p->islands; i++) {
        k->island[i].first_pair = first;
        first += k->island[i].pairs;
        k->island[i].pairs = 0;
    }
    for (int i = 0; i < k->pairs; i++) {
        island_contacts *to = k->island + k->unordered[i].island;
        k->pair[to->first_pair + to->pairs++] = k->unordered[i];
    }
}

static double largest_radius(const contact_set *k, const contact_pair *x)
{
    return x->segment[0] >= 0 ? k->segment[x->segment[0]].radius : k->margin;
}

/* Room for W: contacts of a cluster that may be live are coupled with each other. Those of all clusters of the island are
 * taken as equally many. */
static size_t block_estimate(const contact_set *k, int contacts, int rows, int clusters)
{
    double per_cluster = 2.0 * contacts / clusters + 4;
    double estimate = k->headroom * per_cluster * (contacts + 4);
    return (size_t)fmin(estimate, (double)rows * rows) + 16;
}

static void divide_room(contact_set *k, const partition *p, double slack)
{
    k->rows = 0;
    k->blocks = k->work = 0;
    for (int i = 0; i < p->islands; i++) {
        island_contacts *x = k->island + i;
        int near = 0;
        bool remembered = false;
        x->persists = true;
        x->first_row = k->rows;
        x->first_block = k->blocks;
        x->first_work = k->work;
        for (int j = 0; j < x->pairs; j++) {
            const contact_pair *pair = k->pair + x->first_pair + j;
            x->row_room += rows_of(pair);
            double reach = slack + 0.05 * largest_radius(k, pair);
            const contact_memory *before = memory_of(k, pair);
            bool in_force = expected_gap(k, pair) < reach || before;
            x->persists = x->persists && !(before && before->age < QUIET) && !is_scripted(k, pair);
            if (before) x->quiet = remembered ? fmin(x->quiet, before->age) : before->age;
            remembered = remembered || before;
            near += in_force ? 2 : 0;
            x->has_solids = x->has_solids || pair->segment[0] < 0;
            x->in_force = x->in_force || in_force;
        }
        x->persists = x->persists && remembered;
        x->row_room += x->pairs ? 8 : 0; /* that are missed at first */
        x->block_room = x->pairs ? block_estimate(k, near, x->row_room, p->island[i].clusters) : 0;
        k->rows += x->row_room;
        if (x->pairs) k->work += cord__cone_room(x->row_room);
        k->blocks += x->block_room;
        p->island[i].contacts = x->pairs ? x : NULL;
    }
}

static cord_status grow_rows(contact_set *k, memory *m)
{
    size_t sides;
    if (k->rows > k->row_room) {
        int room = k->rows + k->rows / 2 + 16;
        sides = 2 * (size_t)room * (size_t)k->columns;
        k->row_room = 0;
        if (!RESERVE(m, k->row, room) || !RESERVE(m, k->row_before, room) ||
            !RESERVE(m, k->found, room) || !RESERVE(m, k->index, 2 * sides) ||
            !RESERVE(m, k->numbers, 3 * sides) || !RESERVE(m, k->live, room) ||
            !RESERVE(m, k->member, 2 * room) || !RESERVE(m, k->b, 3 * room) ||
            !RESERVE(m, k->friction, room) || !RESERVE(m, k->previous, 3 * room) ||
            !RESERVE(m, k->force, 3 * room) || !RESERVE(m, k->row_start, 2 * room + 1))
            return CORD_ERROR_MEMORY;
        k->row_room = room;
    }
    if (k->blocks > k->block_room) {
        size_t room = k->blocks + k->blocks / 2 + 16;
        k->block_room = 0;
        if (!RESERVE(m, k->column, room) || !RESERVE(m, k->block, 9 * room))
            return CORD_ERROR_MEMORY;
        k->block_room = room;
    }
    if (k->work > k->work_room) {
        size_t room = k->work + k->work / 2;
        k->work_room = 0;
        if (!RESERVE(m, k->cone_work, room)) return CORD_ERROR_MEMORY;
        k->work_room = room;
    }
    return CORD_OK;
}

cord_status cord__contacts_distribute(problem *w, contact_set *k, const partition *p, double h,
                                      memory *m)
{
    const double slack = 2 * v3_norm(w->environment.gravity) * h * h;
    for (int o = 0; o < k->obstacles; o++)
        if (k->carrier[o].block < 0) locate_on_point(w, k, o, w->now.time + h);
    cord_status status = grow_islands(k, m, p->islands);
    if (status != CORD_OK) return status;
    k->islands = p->islands;
    k->cluster = p->cluster;
    sort_pairs(k, p);
    divide_room(k, p, slack);
    return grow_rows(k, m);
}
