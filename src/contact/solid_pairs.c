/* Pairs of obstacles whose bounds overlap: a sweep along the axis on which their centres spread most. */
#include "contact/solids.h"
#include "math/vec3.h"

#include <string.h>

/* Bounds in the world: |R| times the half sizes; unbounded in all directions where the shape is in one. */
static void world_bounds(const obstacle *o, double low[3], double high[3])
{
    double centre[3], half[3];
    v3_combine(centre, 0.5, o->low, 0.5, o->high);
    v3_combine(half, 0.5, o->high, -0.5, o->low);
    bool bounded = isfinite(half[0] + half[1] + half[2]);
    m3_apply(centre, o->R, centre);
    for (int k = 0; k < 3; k++) {
        double reach = bounded ? fabs(o->R[k]) * half[0] + fabs(o->R[3 + k]) * half[1] +
                                     fabs(o->R[6 + k]) * half[2]
                               : INFINITY;
        low[k] = bounded ? o->x[k] + centre[k] - reach : -INFINITY;
        high[k] = bounded ? o->x[k] + centre[k] + reach : INFINITY;
    }
}

static bool finite_pose(const obstacle *o)
{
    double sum = o->x[0] + o->x[1] + o->x[2];
    for (int k = 0; k < 9; k++) sum += o->R[k];
    return isfinite(sum);
}

typedef struct sweep {
    const obstacle *obstacles;
    const bool *moves;
    double margin;
    solid_pairs *p;
} sweep;

static bool bounded(const sweep *q, int i)
{
    return q->p->low[i][0] > -INFINITY;
}

/* A bounded obstacle farther from an unbounded one than the radius of its bounds. */
static bool far_apart(const sweep *q, int i, int j)
{
    if (bounded(q, i) == bounded(q, j))
        return !bounded(q, i); /* two unbounded ones have no points */
    int finite = bounded(q, i) ? i : j, other = i + j - finite;
    double centre[3], n[3];
    v3_combine(centre, 0.5, q->p->low[finite], 0.5, q->p->high[finite]);
    double radius = 0.5 * v3_distance(q->p->low[finite], q->p->high[finite]);
    return cord__obstacle_distance(q->obstacles + other, centre, n) > radius + q->margin;
}

static bool boxes_overlap(const sweep *q, int i, int j)
{
    for (int k = 0; k < 3; k++)
        if (q->p->low[i][k] > q->p->high[j][k] + q->margin ||
            q->p->low[j][k] > q->p->high[i][k] + q->margin)
            return false;
    return true;
}

static void try_pair(const sweep *q, int i, int j)
{
    const obstacle *a = q->obstacles + i, *b = q->obstacles + j;
    solid_pairs *p = q->p;
    if (!q->moves[i] && !q->moves[j]) return;
    if (!(a->mask & b->group) || !(b->mask & a->group)) return;
    if (!boxes_overlap(q, i, j) || far_apart(q, i, j)) return;
    if (p->pair_count < p->pair_capacity)
        p->pairs[p->pair_count] = (contact_candidate){i < j ? i : j, i < j ? j : i};
    p->pair_count++;
}

/* The axis of the largest variance of the centres of bounded obstacles. */
static int sweep_axis(const sweep *q, int count)
{
    double largest = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0, square = 0, n = 0;
        for (int i = 0; i < count; i++) {
            if (!bounded(q, i)) continue;
            double c = 0.5 * (q->p->low[i][k] + q->p->high[i][k]);
            sum += c, square += c * c, n += 1;
        }
        double variance = n > 0 ? square / n - sum / n * (sum / n) : 0;
        if (variance > largest) largest = variance, axis = k;
    }
    return axis;
}

/* Unsigned integers in the order of the numbers. */
static uint64_t ordered_bits(double x)
{
    uint64_t bits;
    x += 0.0; /* −0 is 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void sweep_pairs(const sweep *q, int count)
{
    solid_pairs *p = q->p;
    int axis = sweep_axis(q, count);
    for (int i = 0; i < count; i++) p->key[i] = ordered_bits(p->low[i][axis]), p->order[i] = i;
    cord__sort_by_key(count, p->key, p->order, p->spare_key, p->spare_order);
    for (int i = 0; i < count; i++) {
        double end = p->high[p->order[i]][axis] + q->margin;
        for (int j = i + 1; j < count && p->low[p->order[j]][axis] <= end; j++)
            try_pair(q, p->order[i], p->order[j]);
    }
}

/* By the first, then the second. */
static void sort_pairs(solid_pairs *p)
{
    int n = p->pair_count;
    for (int i = 0; i < n; i++)
        p->key[i] = (uint64_t)p->pairs[i].first << 32 | (uint64_t)p->pairs[i].second;
    for (int i = 0; i < n; i++) p->order[i] = i;
    cord__sort_by_key(n, p->key, p->order, p->spare_key, p->spare_order);
    for (int i = 0; i < n; i++)
        p->pairs[i] = (contact_candidate){(int)(p->key[i] >> 32), (int)(p->key[i] & UINT32_MAX)};
}

cord_status cord__solid_pairs(const obstacle *obstacles, const bool *moves, int count,
                              double margin, solid_pairs *p)
{
    p->pair_count = 0;
    if (count > p->obstacle_capacity) return CORD_ERROR_MEMORY;
    sweep q = {obstacles, moves, margin, p};
    for (int i = 0; i < count; i++) {
        if (!finite_pose(obstacles + i)) return CORD_ERROR_NOT_FINITE;
        world_bounds(obstacles + i, p->low[i], p->high[i]);
    }
    sweep_pairs(&q, count);
    if (p->pair_count > p->pair_capacity) return CORD_ERROR_MEMORY;
    sort_pairs(p);
    return CORD_OK;
}
