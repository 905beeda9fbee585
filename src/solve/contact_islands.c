/* Distribution of the pairs of an attempt to islands, and room for their rows. */
#include "math/vec3.h"
#include "solve/contact_detection.h"
#include "solve/integrator.h"

#include <math.h>

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
static const double QUIET = 2;

/* Of the radius: an overlap at the start whose removal moves objects. */
static const double MOVING_OVERLAP = 0.05;

/* Remembered contacts that are passed one by one before their list is searched. */
enum { PASSED = 8 };

/* The first contact of a pair that had a force in the last step; NULL: there is none. Pairs and contacts are in the order of keys,
 * so that it is often next to `at`. */
static const contact_memory *memory_of(const contact_set *k, const contact_pair *x, int *at)
{
    const uint64_t from = cord__pair_key(k, x);
    for (int i = 0; i < PASSED && *at < k->remembered && k->memory[*at].key < from; i++) (*at)++;
    if (*at < k->remembered && k->memory[*at].key < from) *at = cord__find_memory(k, from);
    return *at < k->remembered && cord__same_sides(k->memory[*at].key, from) ? k->memory + *at
                                                                             : NULL;
}

static bool is_scripted(const contact_set *k, const contact_pair *x)
{
    bool any = false;
    for (int side = 0; side < 2; side++)
        any = any || (x->segment[side] < 0 && k->carrier[x->obstacle[side]].point >= 0);
    return any;
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

/* Rows for which there is always room: up to so many pairs times their most contacts. With more, room is by need. */
enum { FEW_ROWS = 4096 };

/* Whether a pair is so near at the start or at the expected end of the attempt that its contacts may be rows. */
static bool may_be_row(const contact_set *k, const contact_pair *x, double expected)
{
    const double reach = 0.5 * cord__pair_margin(k, x);
    if (x->segment[1] < 0 || expected < reach) return true;
    const contact_segment *a = k->segment + x->segment[0], *b = k->segment + x->segment[1];
    const double(*p)[3] = (const double(*)[3])k->start[x->segment[0]];
    const double(*q)[3] = (const double(*)[3])k->start[x->segment[1]];
    double t[2], distance = cord__closest_points(p[0], p[1], q[0], q[1], t, NULL);
    return distance - a->radius - b->radius - a->bulge - b->bulge < reach;
}

static int room_of(const contact_set *k, bool by_need, double need, int most)
{
    return by_need ? (int)fmin(most, k->headroom * need + FEW_ROWS) : most;
}

/* Room for W: contacts of a cluster that may be live are coupled with each other. Those of all clusters of the island are
 * taken as equally many. */
static size_t block_estimate(const contact_set *k, int contacts, int rows, int clusters)
{
    double per_cluster = 2.0 * contacts / clusters + 4;
    double estimate = k->headroom * per_cluster * (contacts + 4);
    return (size_t)fmin(estimate, (double)rows * rows) + 16;
}

/* An impact after which objects move on by their own inertia: without rebound, script or overlap to remove. */
static bool is_plain_impact(const contact_set *k, const contact_pair *x)
{
    return !is_scripted(k, x) && !(x->law.restitution > 0) &&
           x->start_gap >= -MOVING_OVERLAP * cord__pair_scale(k, x);
}

/* `projects`: in a projection. Then W of an island of one cluster is rarely needed, and its room is that of contacts with a force. */
static void divide_room(contact_set *k, const partition *p, double slack, bool projects)
{
    k->rows = 0;
    k->blocks = k->work = 0;
    for (int i = 0; i < p->islands; i++) {
        island_contacts *x = k->island + i;
        int near = 0, close = 0, rows = 0, most = 0, at = 0;
        bool remembered = false;
        x->persists = true;
        x->crosses_impacts = p->island[i].clusters == 1;
        x->first_row = k->rows;
        x->first_block = k->blocks;
        x->first_work = k->work;
        for (int j = 0; j < x->pairs; j++) most += cord__most_contacts(k->pair + x->first_pair + j);
        const bool by_need = most > FEW_ROWS && !k->statics;
        const bool few_blocks = projects && p->island[i].clusters == 1 && !by_need;
        for (int j = 0; j < x->pairs; j++) {
            const contact_pair *pair = k->pair + x->first_pair + j;
            const double reach = slack + 0.05 * cord__pair_scale(k, pair);
            const contact_memory *before = memory_of(k, pair, &at);
            const double expected = before                      ? -INFINITY
                                    : x->in_force && few_blocks ? INFINITY
                                                                : expected_gap(k, pair);
            const bool is_near = expected < reach;
            if (by_need) rows += may_be_row(k, pair, expected);
            x->crosses_impacts = x->crosses_impacts && is_plain_impact(k, pair);
            x->persists = x->persists && !(before && before->age < QUIET) && !is_scripted(k, pair);
            if (before) x->quiet = remembered ? fmin(x->quiet, before->age) : before->age;
            if (before) x->lost = remembered ? fmin(x->lost, before->lost) : before->lost;
            remembered = remembered || before;
            near += is_near ? 2 : 0;
            close += expected < 0 ? 2 : 0;
            x->has_solids = x->has_solids || pair->segment[0] < 0;
            /* Where contact is only possible the step is made without it first, and repeated if there is an overlap. */
            x->in_force = x->in_force || expected < -reach;
        }
        /* Forces of a pile are not unique, and a second-order scheme does not damp their errors. */
        x->persists = x->persists && remembered && p->island[i].clusters == 1;
        /* Some are missed at first. */
        x->row_room = x->pairs ? room_of(k, by_need, 1.5 * rows, most) + (int)(8 * k->headroom) : 0;
        if (most > FEW_ROWS) near = close;
        x->live_room = x->pairs ? room_of(k, by_need, near, x->row_room) : 0;
        x->block_room = x->pairs ? block_estimate(k, near, x->row_room, p->island[i].clusters) : 0;
        k->rows += x->row_room;
        if (x->pairs) k->work += cord__cone_room(x->live_room);
        k->blocks += x->block_room;
        p->island[i].contacts = x->pairs ? x : NULL;
    }
}

/* Room for Newton's method with the rows of a projection, in islands of one cluster with enough contacts that W takes longer. */
static void divide_newton_room(const problem *w, contact_set *k, const partition *p)
{
    k->newton_numbers = k->newton_indices = 0;
    for (int i = 0; w->integrator->explicit_forces && i < p->islands; i++) {
        island_contacts *x = k->island + i;
        const row_system *rows = &p->island[i].cluster[0]->row_system;
        x->has_newton =
            x->pairs > 0 && p->island[i].clusters == 1 && rows->rows > 0 && rows->coordinates == 0;
        if (!x->has_newton) continue;
        x->first_number = k->newton_numbers;
        x->first_index = k->newton_indices;
        k->newton_numbers += cord__row_newton_numbers(rows->rows, x->live_room);
        k->newton_indices += cord__row_newton_indices(rows->rows, x->live_room);
    }
}

/* Room for rows at first, so that small worlds take it once. */
enum { FIRST_ROWS = 256 };

static cord_status grow_rows(contact_set *k, bool projects, memory *m)
{
    size_t sides;
    if (k->rows > k->row_room) {
        int room = k->rows + k->rows / 2 + FIRST_ROWS;
        sides = 2 * (size_t)room * (size_t)k->columns;
        k->row_room = 0;
        if (!RESERVE(m, k->row, room) || !RESERVE(m, k->row_before, room) ||
            !RESERVE(m, k->found, room) || !RESERVE(m, k->index, 3 * sides) ||
            !RESERVE(m, k->numbers, 3 * sides) || !RESERVE(m, k->live, room) ||
            !RESERVE(m, k->member, 2 * room) || !RESERVE(m, k->cursor, 2 * room) ||
            !RESERVE(m, k->b, 3 * room) || !RESERVE(m, k->friction, room) ||
            !RESERVE(m, k->previous, 3 * room) || !RESERVE(m, k->force, 3 * room) ||
            !RESERVE(m, k->row_start, 2 * room + 1))
            return CORD_ERROR_MEMORY;
        k->row_room = room;
    }
    if (projects && k->moved_room < k->row_room) {
        k->moved_room = 0;
        if (!RESERVE(m, k->moved, k->row_room) || !RESERVE(m, k->newton, k->row_room))
            return CORD_ERROR_MEMORY;
        k->moved_room = k->row_room;
    }
    if (k->newton_numbers > k->newton_number_room || k->newton_indices > k->newton_index_room) {
        const size_t numbers = k->newton_numbers + k->newton_numbers / 2,
                     indices = k->newton_indices + k->newton_indices / 2;
        k->newton_number_room = k->newton_index_room = 0;
        if (!RESERVE(m, k->newton_number, numbers) || !RESERVE(m, k->newton_index, indices))
            return CORD_ERROR_MEMORY;
        k->newton_number_room = numbers, k->newton_index_room = indices;
    }
    if (k->blocks > k->block_room) {
        size_t room = k->blocks + k->blocks / 2 + 16;
        k->block_room = 0;
        if (!RESERVE(m, k->column, room) || !RESERVE(m, k->block, 9 * room) ||
            !RESERVE(m, k->second_block, 9 * room))
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

/* Rows in a count of unstable directions; more would take too much memory. */
enum { MOST_COUNTED = 1200 };

static cord_status reserve_count(contact_set *k, memory *m)
{
    contact_count *to = &k->count;
    int most = 0;
    for (int i = 0; i < k->islands; i++)
        most = most > k->island[i].row_room ? most : k->island[i].row_room;
    int room = 6 * most + 6 < MOST_COUNTED ? 6 * most + 6 : MOST_COUNTED;
    if (room <= to->room) return CORD_OK;
    to->room = 0;
    if (!RESERVE(m, to->row, room) || !RESERVE(m, to->values, 2 * room * k->columns) ||
        !RESERVE(m, to->matrix, room * room) || !RESERVE(m, to->jacobian, 8 * k->columns) ||
        !RESERVE(m, to->dof, 3 * room + k->columns))
        return CORD_ERROR_MEMORY;
    to->room = room;
    return CORD_OK;
}

cord_status cord__contacts_distribute(problem *w, contact_set *k, const partition *p, double h,
                                      memory *m)
{
    const double slack = 2 * v3_norm(w->environment.gravity) * h * h;
    cord__locate_scripted(w, k, w->now.time + h);
    cord_status status = grow_islands(k, m, p->islands);
    if (status != CORD_OK) return status;
    k->islands = p->islands;
    k->cluster = p->cluster;
    sort_pairs(k, p);
    divide_room(k, p, slack, w->integrator->explicit_forces);
    divide_newton_room(w, k, p);
    status = grow_rows(k, w->integrator->explicit_forces, m);
    if (status == CORD_OK) status = cord__reserve_search(w, k, m);
    return status == CORD_OK && k->statics ? reserve_count(k, m) : status;
}

bool cord__contacts_overflow(contact_set *k)
{
    bool any = false;
    for (int i = 0; i < k->islands; i++) any = any || k->island[i].overflow;
    if (any) k->headroom *= 2;
    return any;
}
