/* Segments of strands and obstacles in contact: their room and their positions. */
#include "math/parallel.h"
#include "math/vec3.h"
#include "solve/contact_detection.h"
#include "solve/island_loop.h"

#include <string.h>

/* ---- room ---------------------------------------------------------------------------------------- */

/* An array that is long enough serves again: a world is laid out again whenever a quadrature follows a curvature, and clearing
 * the pages of new arrays took a tenth of a step of hair. */
bool cord__reserve(memory *m, void **array, size_t size, size_t count)
{
    if (*array && cord__allocated(*array) >= count * size) return true;
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
    const int columns = k->columns;
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
        !RESERVE(m, k->moves, k->obstacles) || !RESERVE(m, k->first_chord, k->segments + 1) ||
        !RESERVE(m, k->box, k->segments) || !RESERVE(m, k->boxed, k->segments) ||
        !RESERVE(m, k->allowance, k->segments) || !RESERVE(m, k->last_x, k->segments) ||
        !RESERVE(m, k->last_q, w->q_count) || !RESERVE(m, k->first_joint, k->curves + 1) ||
        !RESERVE(m, k->owner, k->curves + k->obstacles) ||
        !RESERVE(m, k->thread_work, MOST_THREADS * THREAD_ROOM(k->columns)))
        return CORD_ERROR_MEMORY;
    k->renumbered = true;
    k->boxes_serve = false;
    k->chords = 0;
    for (int i = 0; i <= k->curves; i++) k->first_joint[i] = 0;
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
    if (k->columns != columns) k->row_room = k->count.room = 0; /* rows have other lengths now */
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
    void *arrays[] = {k->law,
                      k->obstacle,
                      k->carrier,
                      k->curve,
                      k->context,
                      k->segment,
                      k->start,
                      k->ahead,
                      k->pair,
                      k->unordered,
                      k->joined,
                      k->pair_key,
                      k->pair_order,
                      k->island,
                      k->row,
                      k->row_before,
                      k->found,
                      k->index,
                      k->numbers,
                      k->live,
                      k->row_start,
                      k->moved,
                      k->column,
                      k->member,
                      k->block,
                      k->b,
                      k->friction,
                      k->previous,
                      k->force,
                      k->cone_work,
                      k->memory,
                      k->key,
                      k->order,
                      k->unsorted,
                      k->first_segment,
                      k->boxed,
                      k->box,
                      k->allowance,
                      k->count.row,
                      k->count.values,
                      k->count.matrix,
                      k->count.jacobian,
                      k->count.dof,
                      k->last_x,
                      k->last_q,
                      k->joint,
                      k->unsorted_joint,
                      k->first_joint,
                      k->broken,
                      k->owner};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    cord__broad_phase_release(m, &k->broad);
    cord__solid_pairs_release(m, &k->solids);
    cord__release(m, k->cursor);
    cord__release(m, k->newton);
    cord__release(m, k->newton_number);
    cord__release(m, k->newton_index);
    cord__release(m, k->thread_work);
    cord__release(m, k->moves);
    cord__release(m, k->first_chord);
    cord__release(m, k->chord);
    cord__release(m, k->sweep);
    cord__release(m, k->sweep_order);
    cord__release(m, k->join);
    cord__release(m, k->thread_found);
    cord__release(m, k->chunk);
    cord__release(m, k->second_block);
}

int cord__contact_segment_at(const contact_set *k, int curve, double s)
{
    int low = k->first_segment[curve], high = k->first_segment[curve + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (k->segment[middle].s[1] < s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- positions ------------------------------------------------------------------------------------ */

/* The part of the cache that positions in contact are found from. */
void cord__refresh_positions(const block *b, const double *q, double *cache)
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

void cord__refresh_and_locate(problem *w, const cluster *s, const double *q)
{
    cord__refresh_rows(w, s, q, w->cache);
    cord__contacts_locate(w, s, q, w->cache);
}

static void locate_cluster(problem *w, cluster *s, const void *with)
{
    cord__refresh_and_locate(w, s, with);
}

void cord__island_locate(problem *w, const island *of, const double *q)
{
    cord__for_each(w, of, locate_cluster, q);
}

void cord__locate_trial(problem *w, const island *of)
{
    if (!of->contacts->located) cord__island_locate(w, of, w->trial.q);
    of->contacts->located = true;
}

bool cord__is_refreshed(const problem *w, const cluster *s)
{
    bool all = s->newton.in_contact && w->contacts->island[s->island].located;
    for (int k = 0; all && k < s->blocks; k++) all = !w->block[s->block[k]]->ops->refresh_rows;
    return all;
}

void cord__locate_scripted(const problem *w, contact_set *k, double time)
{
    for (int o = 0; o < k->obstacles; o++)
        if (k->carrier[o].block < 0) locate_on_point(w, k, o, time);
}

typedef struct locating {
    problem *w;
    contact_set *k;
    const double *q;
} locating;

static void locate_one(void *context, int index, int thread)
{
    const locating *x = context;
    const block *b = x->w->block[index];
    (void)thread;
    if (b->curve < 0 && b->first_obstacle < 0) return;
    cord__refresh_positions(b, x->q, x->w->cache);
    if (b->curve >= 0) locate_block(x->k, b, x->q, x->w->cache);
    for (int o = b->first_obstacle; o >= 0; o = x->k->carrier[o].next)
        locate_on_body(x->w, x->k, o, x->q, x->w->cache);
}

void cord__locate_all(problem *w, contact_set *k, const double *q, double time)
{
    cord__parallel_for(w->threads, w->blocks, locate_one, &(locating){w, k, q});
    cord__locate_scripted(w, k, time);
}
