/* The pairs of an attempt: segments and obstacles that may come into contact in it. */
#include "math/vec3.h"
#include "solve/contact_detection.h"
#include "solve/integrator.h"

#include <math.h>
#include <string.h>

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

/* Candidates of the broad phase, with bounds that serve for some attempts: pairs, which are found among them by distance, are
 * the same with those of any earlier attempt. */
static cord_status find(contact_set *k, memory *m)
{
    broad_phase *b = &k->broad;
    if (cord__within_boxes(k)) return CORD_OK;
    k->boxes_serve = false;
    cord__widen_boxes(k);
    for (;;) {
        cord_status status = cord__broad_phase(k->curve, k->segment, k->boxed, k->segments, b);
        if (status == CORD_OK) break;
        if (status != CORD_ERROR_MEMORY) return status;
        int count = b->candidate_count;
        status = cord__broad_phase_reserve(m, b, k->segments, count + count / 2 + 16);
        if (status != CORD_OK) return status;
    }
    drop_neighbours(k);
    k->boxes_serve = true;
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
    v3_scale(x->start_normal, -1, x->start_normal);
}

/* All pairs that may come into contact: those that own no contact now may own one when it has moved along the strand. */
static void list_segments(contact_set *k)
{
    for (int i = 0; i < k->broad.candidate_count; i++) {
        const contact_candidate *c = k->broad.candidates + i;
        contact_pair x = {.segment = {c->first, c->second}, .obstacle = {-1, -1}};
        PREFETCH_CANDIDATE(&k->broad, i, k->start);
        PREFETCH_CANDIDATE(&k->broad, i, k->ahead);
        if (!cord__may_touch(k, c->first, c->second, x.start_normal)) continue;
        if (cord__segment_number(k->curve, k->segment + c->first) >
            cord__segment_number(k->curve, k->segment + c->second))
            exchange(&x);
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
            if (!cord__may_touch_obstacle(k, i, o)) continue;
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

/* Whether the chords of two segments are so far apart at the present positions that their curves do not touch. */
static bool chords_apart(const contact_set *k, int first, int second)
{
    const contact_segment *a = k->segment + first, *b = k->segment + second;
    double t[2];
    return cord__closest_points(a->x[0], a->x[1], b->x[0], b->x[1], t, NULL) >
           a->radius + b->radius + a->bulge + b->bulge;
}

/* Segments that become neighbours no more may overlap already. */
static double start_gap(const problem *w, const contact_set *k, contact_pair *x)
{
    contact found[SOLID_CONTACTS];
    double least = 0;
    if (w->integrator->explicit_forces && !k->statics && x->segment[0] >= 0)
        return 0; /* contact_rows.c has it */
    if (x->segment[0] >= 0 && x->segment[1] >= 0 && !cord__near_joint(k, x)) {
        if (chords_apart(k, x->segment[0], x->segment[1])) return 0;
        const contact_candidate pair = {x->segment[0], x->segment[1]};
        contact at;
        const double gap = cord__pair_gap(k->curve, k->segment, pair, &at);
        v3_copy(x->start_normal, at.normal);
        return fmin(0, gap);
    }
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

/* Of the radius: an overlap of objects that a search for an equilibrium does not keep apart. */
static const double BETWEEN = 0.01;

double cord__pair_scale(const contact_set *k, const contact_pair *x)
{
    return x->segment[0] >= 0 ? k->segment[x->segment[0]].radius : k->margin;
}

/* Pairs of different clusters go to the end, in k->pair for the time being. */
static void separate(contact_set *k)
{
    int count = 0;
    for (int i = 0; i < k->pairs; i++) {
        if (k->joined[i].first == k->joined[i].second) {
            k->joined[count] = k->joined[i];
            k->unordered[count++] = k->unordered[i];
        } else {
            k->pair[k->between++] = k->unordered[i];
        }
    }
    for (int i = 0; i < k->between; i++) k->unordered[count + i] = k->pair[i];
    k->pairs = count;
}

typedef struct completion {
    const problem *w;
    contact_set *k;
} completion;

static void complete(void *context, int index, int thread)
{
    const completion *x = context;
    (void)thread;
    complete_pair(x->w, x->k, x->k->unordered + index, x->k->joined + index);
}

cord_status cord__contacts_detect(problem *w, contact_set *k, double h, memory *m)
{
    cord__expect_motion(w, k, h);
    cord__renumber_memory(k);
    cord_status status = find(k, m);
    if (status == CORD_OK) status = cord__find_joints(w, k, m);
    if (status == CORD_OK) status = find_solids(k, m);
    if (status == CORD_OK) status = list_pairs(w, k, m);
    if (status != CORD_OK) return status;
    order_pairs(k);
    cord__parallel_for(w->threads, k->pairs, complete, &(completion){w, k});
    k->between = 0;
    if (k->statics) separate(k);
    return CORD_OK;
}

/* ---- pairs that an attempt did not have --------------------------------------------------------------- */

static bool is_listed(const contact_set *k, const contact_pair *x)
{
    const uint64_t key = cord__pair_key(k, x);
    int low = 0, high = k->pairs;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (k->pair_key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->pairs && k->pair_key[low] == key;
}

/* Whether the segments of a pair overlap at the trial, or passed through each other. */
static bool in_contact(const contact_set *k, const contact_pair *x)
{
    contact found[SOLID_CONTACTS];
    if (cord__pair_passes(k, x)) return true;
    return !chords_apart(k, x->segment[0], x->segment[1]) &&
           cord__contacts_of_pair(k, x, 0, found) > 0;
}

static bool misses_segments(contact_set *k)
{
    for (int i = 0; i < k->broad.candidate_count; i++) {
        const contact_candidate *c = k->broad.candidates + i;
        contact_pair x = {.segment = {c->first, c->second}, .obstacle = {-1, -1}};
        if (!cord__may_touch(k, c->first, c->second, x.start_normal)) continue;
        if (cord__segment_number(k->curve, k->segment + c->first) >
            cord__segment_number(k->curve, k->segment + c->second))
            exchange(&x);
        if (!is_listed(k, &x) && in_contact(k, &x)) return true;
    }
    return false;
}

static bool misses_obstacles(const contact_set *k)
{
    for (int o = 0; o < k->obstacles; o++)
        for (int i = 0; i < k->segments; i++) {
            const contact_pair x = {.segment = {i, -1}, .obstacle = {-1, o}};
            const contact_curve *curve = k->curve + k->segment[i].block;
            if (!(curve->mask & k->obstacle[o].group) || !(k->obstacle[o].mask & curve->group))
                continue;
            if (!is_listed(k, &x) && cord__may_have_touched_obstacle(k, i, o)) return true;
        }
    return false;
}

bool cord__misses_pairs(contact_set *k, memory *m)
{
    return find(k, m) != CORD_OK || misses_segments(k) || misses_obstacles(k);
}

/* Whether contact acts, or acted in the last step, between the objects of a pair. */
static bool is_to_join(const problem *w, const contact_set *k, const contact_pair *x,
                       joined_pairs which)
{
    if (which == JOIN_ALL) return true;
    if (which == JOIN_OVERLAPPING) {
        contact_pair at_trial = *x;
        return start_gap(w, k, &at_trial) < -BETWEEN * cord__pair_scale(k, x) ||
               cord__pair_passes(k, x);
    }
    const uint64_t key = cord__pair_key(k, x);
    const int at = cord__find_memory(k, key);
    return at < k->remembered && cord__same_sides(k->memory[at].key, key);
}

cord_status cord__join_clusters(problem *w, contact_set *k, joined_pairs which, memory *m,
                                bool *any)
{
    *any = false;
    for (int i = 0; which == JOIN_OVERLAPPING && i < k->islands; i++)
        if (k->island[i].far) which = JOIN_ALL;
    if (k->joins + k->between > k->join_room) {
        const int room = 2 * (k->joins + k->between);
        int(*more)[2] = cord__reallocate(m, k->join, (size_t)room, sizeof *more);
        if (!more) return CORD_ERROR_MEMORY;
        k->join = more, k->join_room = room;
    }
    if (which == JOIN_OVERLAPPING && k->between > 0)
        cord__locate_all(w, k, w->trial.q, w->now.time);
    for (int i = 0; i < k->between; i++) {
        const contact_pair *x = k->unordered + k->pairs + i;
        const block *a = block_of(w, k, x, 0), *b = block_of(w, k, x, 1);
        if (!is_to_join(w, k, x, which)) continue;
        k->join[k->joins][0] = k->cluster[a->cluster].block[0];
        k->join[k->joins++][1] = k->cluster[b->cluster].block[0];
        *any = true;
    }
    return CORD_OK;
}
