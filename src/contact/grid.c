/* Uniform grids. A segment is in the cell of its centre; a cell is as wide as the longest box, so that overlapping boxes are
 * in neighbouring cells. Segments are sorted by cell, and cells in a row of three are consecutive in that order: their
 * segments are one range, whose ends only increase from one segment to the next. No table of cells is needed, and empty space
 * costs nothing.
 *
 * Where the boxes' lengths spread beyond 8:1 there is one grid per octave. Each holds the segments of its octave; those and
 * all shorter segments search it. */
#include "contact/broad_phase.h"
#include "math/vec3.h"

#include <float.h>

#define ONE_GRID 2.0 /* spread of lengths up to which one grid serves */
#define LEVELS 24
#define AXIS_CELLS 1048576.0 /* at most, 2²⁰: three axes fit in a key */
#define HALF_ROWS 4
#define ALL_ROWS 9

typedef struct grid_search {
    const contact_curve *curves;
    const contact_segment *segments;
    const segment_box *bounds;
    int count;
    broad_phase *b;
    double origin[3], unit; /* of box coordinates */
    double extent[3];       /* of the centres, in units */
    double cells;           /* per unit, of the present grid */
    int64_t stride[2];      /* of y and z in a key */
} grid_search;

/* ---- boxes ----------------------------------------------------------------------------------- */

/* fmin and fmax are calls of the mathematical library. */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double longest_side(const double low[3], const double high[3])
{
    return greater(greater(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/* The common bounds, and the longest and shortest box; false where a number is not finite. */
static bool survey(grid_search *q, double *shortest)
{
    double all_low[3], all_high[3], sum = 0;
    q->unit = 0, *shortest = INFINITY;
    for (int k = 0; k < 3; k++) all_low[k] = INFINITY, all_high[k] = -INFINITY;
    for (int i = 0; i < q->count; i++) {
        const double *low = q->bounds[i].low, *high = q->bounds[i].high;
        double side = longest_side(low, high);
        q->unit = greater(q->unit, side);
        *shortest = lesser(*shortest, side);
        for (int k = 0; k < 3; k++) {
            all_low[k] = lesser(all_low[k], low[k]);
            all_high[k] = greater(all_high[k], high[k]);
            sum += low[k] + high[k]; /* comparisons ignore NaN, sums do not */
        }
    }
    if (q->unit == 0) q->unit = 1; /* points without radius, all of them */
    v3_copy(q->origin, all_low);
    v3_combine(q->extent, 1 / q->unit, all_high, -1 / q->unit, all_low);
    return isfinite(sum);
}

/* Single precision has half an ulp of error; a whole one, outward, covers it. */
static float below(double x)
{
    float f = (float)x;
    return f - fabsf(f) * FLT_EPSILON;
}

static float above(double x)
{
    float f = (float)x;
    return f + fabsf(f) * FLT_EPSILON;
}

static void box_of(const grid_search *q, int i, bool one_grid)
{
    const double *low = q->bounds[i].low, *high = q->bounds[i].high;
    const contact_segment *g = q->segments + i;
    const contact_curve *curve = q->curves + g->block;
    grid_box *box = q->b->box + i;
    box->block = g->block, box->before = g->before, box->after = g->after;
    box->group = curve->group, box->mask = curve->mask;
    for (int k = 0; k < 3; k++) {
        double l = (low[k] - q->origin[k]) / q->unit, h = (high[k] - q->origin[k]) / q->unit;
        box->low[k] = below(l);
        box->high[k] = above(h);
        q->b->centre[i][k] = 0.5 * (l + h);
    }
    int octave = one_grid ? 0 : ilogb(q->unit / longest_side(low, high));
    q->b->level[i] = (unsigned char)(octave < LEVELS ? octave : LEVELS - 1);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static bool boxes_overlap(const grid_box *p, const grid_box *r)
{
    return p->low[0] <= r->high[0] && r->low[0] <= p->high[0] && p->low[1] <= r->high[1] &&
           r->low[1] <= p->high[1] && p->low[2] <= r->high[2] && r->low[2] <= p->high[2];
}

/* Whether segment b with the box r may be in contact with p: by masks, and in one block unless they share a vertex. */
static bool admitted(const grid_search *q, const grid_box *p, const grid_box *r, int b)
{
    if (p->block == r->block) return q->curves[p->block].self && p->before != b && p->after != b;
    return (p->mask & r->group) && (r->mask & p->group);
}

/* Sorted segment i with those from..to−1. */
static void offer_range(const grid_search *q, int i, int from, int to)
{
    broad_phase *b = q->b;
    const grid_box own = b->sorted[i];
    int first = b->order[i];
    for (int j = from; j < to; j++) {
        if (!boxes_overlap(&own, b->sorted + j)) continue;
        int second = b->order[j];
        if (!admitted(q, &own, b->sorted + j, second)) continue;
        if (b->candidate_count < b->candidate_capacity)
            b->candidates[b->candidate_count] = first < second ? (contact_candidate){first, second}
                                                               : (contact_candidate){second, first};
        b->candidate_count++;
    }
}

/* The sorted segments searching..end−1 with those of rows of three cells at `row` from their own, among 0..owners−1. */
static void sweep(const grid_search *q, int searching, int end, int owners, const int64_t *row,
                  int rows)
{
    const uint64_t *key = q->b->key;
    int low[ALL_ROWS] = {0}, high[ALL_ROWS] = {0};
    for (int i = searching; i < end; i++)
        for (int r = 0; r < rows; r++) {
            uint64_t middle = (uint64_t)((int64_t)key[i] + row[r]);
            while (low[r] < owners && key[low[r]] < middle - 1) low[r]++;
            if (high[r] < low[r]) high[r] = low[r];
            while (high[r] < owners && key[high[r]] <= middle + 1) high[r]++;
            offer_range(q, i, low[r], high[r]);
        }
}

/* Pairs within 0..owners−1: each with those after it in its cell and the next, and in half of the neighbouring rows. */
static void pairs_within(const grid_search *q, int owners)
{
    const uint64_t *key = q->b->key;
    const int64_t y = q->stride[0], z = q->stride[1];
    const int64_t row[HALF_ROWS] = {y, z - y, z, z + y};
    for (int i = 0, end = 0; i < owners; i++) {
        while (end < owners && key[end] <= key[i] + 1) end++;
        offer_range(q, i, i + 1, end);
    }
    sweep(q, 0, owners, owners, row, HALF_ROWS);
}

static void pairs_with_shorter(const grid_search *q, int owners, int end)
{
    int64_t row[ALL_ROWS];
    for (int r = 0; r < ALL_ROWS; r++)
        row[r] = (r % 3 - 1) * q->stride[0] + (r / 3 - 1) * q->stride[1];
    sweep(q, owners, end, owners, row, ALL_ROWS);
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* Cells of a level; one empty cell on each side of every axis keeps rows apart. */
static void set_cells(grid_search *q, int level)
{
    double widest = fmax(fmax(q->extent[0], q->extent[1]), q->extent[2]);
    /* A little wider than the longest box, since centres are rounded. */
    q->cells = fmin(ldexp(1 - 1e-9, level), AXIS_CELLS / 2 / fmax(widest, 1));
    int64_t n[2];
    for (int k = 0; k < 2; k++) n[k] = (int64_t)(q->extent[k] * q->cells) + 3;
    q->stride[0] = n[0];
    q->stride[1] = n[0] * n[1];
}

static uint64_t cell_key(const grid_search *q, const double centre[3])
{
    int64_t c[3];
    for (int k = 0; k < 3; k++) c[k] = (int64_t)(centre[k] * q->cells) + 1;
    return (uint64_t)(c[0] + q->stride[0] * c[1] + q->stride[1] * (c[2] + 1));
}

/* Sorts the segments of a level, or those of all finer levels, from position `at` on; returns the end. */
static int sort_level(const grid_search *q, int level, bool finer, int at)
{
    broad_phase *b = q->b;
    int end = at;
    for (int i = 0; i < q->count; i++) {
        if (finer ? b->level[i] <= level : b->level[i] != level) continue;
        b->key[end] = cell_key(q, b->centre[i]);
        b->order[end++] = i;
    }
    cord__sort_by_key(end - at, b->key + at, b->order + at, b->spare_key, b->spare_order);
    for (int i = at; i < end; i++) {
        if (i + PREFETCHED < end) __builtin_prefetch(b->box + b->order[i + PREFETCHED]);
        b->sorted[i] = b->box[b->order[i]];
    }
    return end;
}

static void search_level(grid_search *q, int level)
{
    set_cells(q, level);
    int owners = sort_level(q, level, false, 0);
    if (!owners) return;
    pairs_within(q, owners);
    int end = sort_level(q, level, true, owners);
    pairs_with_shorter(q, owners, end);
}

void cord__segment_box(const contact_segment *g, double pad, segment_box *box)
{
    pad += g->radius + g->bulge;
    for (int k = 0; k < 3; k++) {
        const double x = g->x[0][k], y = g->x[1][k];
        box->low[k] = (x >= y ? y : x) - pad; /* one of both is NaN where x or y is */
        box->high[k] = (x > y ? x : y) + pad;
    }
}

cord_status cord__broad_phase(const contact_curve *curves, const contact_segment *segments,
                              const segment_box *bounds, int count, broad_phase *b)
{
    grid_search q = {
        .curves = curves, .segments = segments, .bounds = bounds, .count = count, .b = b};
    double shortest;
    int levels = 0;
    b->candidate_count = 0;
    if (count > b->segment_capacity) return CORD_ERROR_MEMORY;
    if (count == 0) return CORD_OK;
    if (!survey(&q, &shortest)) return CORD_ERROR_NOT_FINITE;
    for (int i = 0; i < count; i++) {
        box_of(&q, i, q.unit <= ONE_GRID * shortest);
        if (b->level[i] >= levels) levels = b->level[i] + 1;
    }
    for (int level = 0; level < levels; level++) search_level(&q, level);
    return b->candidate_count > b->candidate_capacity ? CORD_ERROR_MEMORY : CORD_OK;
}
