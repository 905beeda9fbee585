/* Growth of a chain at its end (growth_ops).
 *
 * The last element becomes longer by extending its affine curvature: with ratio r of its lengths, κ_n ← κ_{n−1} + r (κ_n −
 * κ_{n−1}), and likewise κ̇_n. The curve and the velocities of the material that exists are unchanged. Both halves of an
 * element have affine curvature too, so that a division changes neither the curve nor its motion nor its energies. Natural
 * curvature is affine along an element: new material has that of the definition at the end of the chain. */
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

enum { MOST_BARS = 1000000 };

/* ---- points ------------------------------------------------------------------------------------ */

/* Vertices stay at their fractions of the length. Attachments stay with their material, those at the end `last` stay at
 * the end. */
static void locate_points(chain_model *c, double last)
{
    const double length = c->arc[c->bars], near = last * (1 - 1e-9);
    for (int i = 0; i < c->vertices; i++)
        cord__chain_locate(c, length * c->fraction[i], c->vertex + i);
    for (int i = 0; i + 1 < c->vertices; i++)
        cord__chain_locate(c, 0.5 * length * (c->fraction[i] + c->fraction[i + 1]), c->edge + i);
    for (int i = 0; i < c->attached; i++) {
        double s = c->attachment[i].s;
        cord__chain_locate(c, s >= near ? length : s, c->attachment + i);
    }
    cord__chain_index_attachments(c);
}

static void set_arcs(chain_model *c)
{
    c->shortest = c->length[0];
    for (int e = 0; e < c->bars; e++) {
        c->arc[e + 1] = c->arc[e] + c->length[e];
        c->shortest = fmin(c->shortest, c->length[e]);
    }
}

/* ---- growth ------------------------------------------------------------------------------------- */

static cord_status prepare(void *model, memory *m, strand_growth *g, char *why, size_t size)
{
    chain_model *c = model;
    const double *end = c->natural + 6 * (c->bars - 1) + 3;
    (void)why, (void)size;
    v3_set(g->end, end[1], end[2], end[0]);
    if (c->fraction) return CORD_OK;
    c->fraction = NEW(m, double, c->vertices);
    if (!c->fraction) return CORD_ERROR_MEMORY;
    for (int i = 0; i < c->vertices; i++) c->fraction[i] = c->vertex[i].s / c->arc[c->bars];
    return CORD_OK;
}

static double last_element(const void *model)
{
    const chain_model *c = model;
    return c->length[c->bars - 1];
}

/* x_n ← x_{n−1} + r (x_n − x_{n−1}), of the curvature components of the last two nodes. */
static void extrapolate(const chain_model *c, double r, const double *before, double *last)
{
    for (int k = 0; k < c->numbers; k++) last[k] = before[k] + r * (last[k] - before[k]);
}

static void lengthen(void *model, double by, double *q, double *v)
{
    chain_model *c = model;
    const int n = c->bars;
    const double before = c->arc[n], r = 1 + by / c->length[n - 1];
    if (c->kind == ELEMENT_CLOTHOID) {
        extrapolate(c, r, chain_kappa(c, q, n - 1), chain_kappa(c, q, n));
        extrapolate(c, r, v + chain_dof(c, n - 1) + 6, v + chain_dof(c, n) + 6);
    }
    c->length[n - 1] += by;
    set_arcs(c);
    locate_points(c, before);
}

static void set_natural_at(chain_model *c, int node, const double k[3])
{
    double own[3];
    v3_set(own, c->planar ? 0 : k[2], c->planar ? 0 : k[0], k[1]);
    if (node > 0) v3_copy(c->natural + 6 * node - 3, own);
    if (node < c->bars) v3_copy(c->natural + 6 * node, own);
}

static void set_natural(void *model, const strand_growth *g)
{
    chain_model *c = model;
    const double from = c->arc[c->bars] - (g->period > 0 ? g->zone : 0);
    for (int node = c->bars; node >= 0 && (node == c->bars || c->arc[node] >= from); node--) {
        double k[3];
        cord__growth_curvature(g, c->arc[node], k);
        set_natural_at(c, node, k);
    }
}

/* ---- successors --------------------------------------------------------------------------------- */

/* A chain of so many elements, as far as the other has them. Its points are not located yet. */
static chain_model *make(const chain_model *from, int bars, memory *m)
{
    chain_model *c = NEW(m, chain_model, 1);
    if (!c) return NULL;
    *c = *from;
    const int both = bars < from->bars ? bars : from->bars, capacity = from->attached + 1;
    const size_t vertices = (size_t)c->vertices;
    c->elements = c->bars = bars;
    c->attached_capacity = capacity;
    c->length = NEW(m, double, bars);
    c->arc = NEW(m, double, bars + 1);
    c->natural = NEW(m, double, 6 * bars);
    c->initial_q = NEW(m, double, chain_q_count(c));
    c->initial_v = NEW(m, double, chain_dofs(c));
    c->vertex = NEW(m, chain_location, vertices);
    c->edge = NEW(m, chain_location, vertices);
    c->fraction = cord__copy(m, from->fraction, vertices, sizeof *c->fraction);
    c->attachment = NEW(m, chain_location, capacity);
    c->attached_at = NEW(m, int, ATTACHED_TABLE *capacity);
    memset(c->segment_weight, 0, sizeof c->segment_weight);
    c->level = c->stored_level = c->first_panel = c->first_node = NULL;
    c->defined = (chain_defined){0};
    cord_status status = cord__chain_make_panels(c, m);
    if (status == CORD_OK) status = cord__chain_weigh_segments(c, m);
    if (status != CORD_OK || !c->length || !c->arc || !c->natural || !c->initial_q ||
        !c->initial_v || !c->vertex || !c->edge || !c->fraction || !c->attachment ||
        !c->attached_at) {
        cord__chain_destroy(c, m);
        return NULL;
    }
    memcpy(c->length, from->length, (size_t)both * sizeof *c->length);
    memcpy(c->natural, from->natural, 6 * (size_t)both * sizeof *c->natural);
    for (int i = 0; i < c->attached; i++) c->attachment[i] = from->attachment[i];
    memcpy(c->initial_q, from->initial_q, 7 * sizeof *c->initial_q);
    return c;
}

/* Both halves rotate half as far, and have the level before, if there is one. */
static void divide_panels(chain_model *c, const chain_model *from)
{
    const int n = from->bars, present = from->level[n - 1];
    memcpy(c->level, from->level, (size_t)n * sizeof *c->level);
    c->level[n - 1] = c->level[n] = present > 0 ? present - 1 : 0;
    memcpy(c->stored_level, c->level, ((size_t)n + 1) * sizeof *c->level);
    cord__chain_set_panels(c);
}

/* The components of the new node, half way between the two of the divided element, and of the end. */
static void divide_components(const chain_model *c, const double *before, const double *last,
                              double *middle, double *end)
{
    for (int k = 0; k < c->numbers; k++) {
        const double own = last[k];
        middle[k] = 0.5 * (before[k] + own);
        end[k] = own;
    }
}

static void divide_state(chain_model *c, const chain_model *from, const double *q, const double *v,
                         double *cache)
{
    const int n = from->bars;
    memcpy(c->initial_q, q, (size_t)chain_q_count(from) * sizeof *q);
    memcpy(c->initial_v, v, (size_t)chain_dofs(from) * sizeof *v);
    double *knot = chain_kappa(c, c->initial_q, n), *rate = c->initial_v + chain_dof(c, n) + 6;
    if (c->kind == ELEMENT_CLOTHOID) {
        double *end = c->initial_v + chain_dof(c, n + 1) + 6;
        divide_components(c, chain_kappa(c, q, n - 1), chain_kappa(c, q, n), knot,
                          knot + c->numbers);
        divide_components(c, v + chain_dof(c, n - 1) + 6, v + chain_dof(c, n) + 6, rate, end);
    } else {
        memcpy(knot, chain_kappa(c, q, n - 1), (size_t)c->numbers * sizeof *q);
        memcpy(rate, v + chain_dof(c, n - 1) + 6, (size_t)c->numbers * sizeof *v);
    }
    cord__chain_refresh(c, c->initial_q, cache);
    cord__chain_follow(c, cache, c->initial_v);
}

static cord_status divide(const void *model, const strand_growth *g, const double *q,
                          const double *cache, const double *v, memory *m, void **successor)
{
    const chain_model *from = model;
    const int n = from->bars;
    chain_model *c = make(from, n + 1, m);
    (void)g, (void)cache;
    if (!c) return CORD_ERROR_MEMORY;
    c->length[n - 1] = c->length[n] = 0.5 * from->length[n - 1];
    double *natural = c->natural + 6 * (n - 1);
    v3_copy(natural + 9, natural + 3);
    v3_combine(natural + 3, 0.5, natural, 0.5, natural + 9);
    v3_copy(natural + 6, natural + 3);
    set_arcs(c);
    divide_panels(c, from);
    locate_points(c, INFINITY);
    double *work = NEW(m, double, chain_cache_count(c));
    if (!work) {
        cord__chain_destroy(c, m);
        return CORD_ERROR_MEMORY;
    }
    divide_state(c, from, q, v, work);
    cord__release(m, work);
    *successor = c;
    return CORD_OK;
}

/* ---- checkpoints: the number of elements, their lengths and their natural curvatures ------------- */

static size_t size(const void *model)
{
    return sizeof(int64_t) + 7 * (size_t)((const chain_model *)model)->bars * sizeof(double);
}

static void write(const void *model, void *bytes)
{
    const chain_model *c = model;
    const int64_t bars = c->bars;
    char *to = bytes;
    memcpy(to, &bars, sizeof bars);
    memcpy(to + sizeof bars, c->length, (size_t)bars * sizeof(double));
    memcpy(to + sizeof bars + (size_t)bars * sizeof(double), c->natural,
           6 * (size_t)bars * sizeof(double));
}

static cord_status read(const void *model, const void *bytes, size_t given, memory *m,
                        void **successor)
{
    const chain_model *from = model;
    const char *at = bytes;
    int64_t bars;
    if (given < sizeof bars) return CORD_ERROR_ARGUMENT;
    memcpy(&bars, at, sizeof bars);
    if (bars < 1 || bars > MOST_BARS || given != sizeof bars + 7 * (size_t)bars * sizeof(double))
        return CORD_ERROR_ARGUMENT;
    chain_model *c = make(from, (int)bars, m);
    if (!c) return CORD_ERROR_MEMORY;
    at += sizeof bars;
    memcpy(c->length, at, (size_t)bars * sizeof(double));
    memcpy(c->natural, at + (size_t)bars * sizeof(double), 6 * (size_t)bars * sizeof(double));
    bool good = cord__in_range(c->length, c->bars) && cord__in_range(c->natural, 6 * c->bars);
    for (int e = 0; e < c->bars; e++) good = good && c->length[e] > 0;
    if (!good) {
        cord__chain_destroy(c, m);
        return CORD_ERROR_ARGUMENT;
    }
    set_arcs(c);
    locate_points(c, from->arc[from->bars]);
    *successor = c;
    return CORD_OK;
}

static uint64_t add_to_hash(const void *model, uint64_t hash)
{
    const chain_model *c = model;
    for (int i = 0; i < 7 * c->bars; i++) {
        uint64_t bits;
        memcpy(&bits, i < c->bars ? c->length + i : c->natural + (i - c->bars), sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

const growth_ops cord__chain_growth = {.prepare = prepare,
                                       .last_element = last_element,
                                       .lengthen = lengthen,
                                       .set_natural = set_natural,
                                       .divide = divide,
                                       .size = size,
                                       .write = write,
                                       .read = read,
                                       .hash = add_to_hash};
