/* The sparse matrix of a cluster: its pattern, the order of elimination of its unknowns, and the indices at which
 * entries of blocks and terms are added; and the map of its unknowns. */
#include "math/band.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- entries ----------------------------------------------------------------------------------- */

/* Entries (row, col), as they will be added: per block its band and extra entries; then per term B and K. */
typedef struct entries {
    int count;
    int *row, *col; /* NULL while counting */
} entries;

static void put(entries *e, int row, int col)
{
    if (e->row) e->row[e->count] = row, e->col[e->count] = col;
    e->count++;
}

static void list_entries(const problem *w, const cluster *s, int *pairs, entries *e)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int n = b->shape.band_count;
        for (int c = 0; c < n; c++)
            for (int i = 0; i <= b->shape.band_width; i++) {
                int row = c + i < n ? c + i : b->shape.cyclic ? (c + i) % n : c;
                put(e, s->offset[k] + row, s->offset[k] + c);
            }
        if (b->shape.extra_entries) b->ops->extra_entries(b->model, pairs);
        for (int i = 0; i < b->shape.extra_entries; i++)
            put(e, cord__unknown(w, b, pairs[2 * i]), cord__unknown(w, b, pairs[2 * i + 1]));
    }
    for (int k = 0; k < s->terms; k++) {
        term *x = w->term[s->term[k]];
        x->entries = e->count;
        for (int row = 0; row < x->rows; row++)
            for (int c = 0; c < x->dofs; c++) put(e, x->row0 + row, x->unknown[c]);
        for (int c = 0; c < x->dofs; c++)
            for (int i = c; i < x->dofs; i++) put(e, x->unknown[i], x->unknown[c]);
    }
}

/* Where the blocks add their entries: in the order of list_entries(); of a block whose band is the matrix the extra
 * entries alone are listed. */
static void locate_entries(const problem *w, cluster *s)
{
    const int *slot = s->slot;
    unsymmetric_row *unsymmetric = s->unsymmetric;
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        int width = b->shape.band_width, listed = s->banded ? 0 : b->shape.band_count * (width + 1);
        b->matrix = (local_matrix){.values = s->values,
                                   .slot = s->banded ? NULL : slot,
                                   .stride = s->banded ? BAND_STRIDE(width) : width + 1,
                                   .extra_slot = slot + listed,
                                   .private_matrix = s->private_solve ? b->private_matrix : NULL,
                                   .unsymmetric = unsymmetric};
        slot += listed + b->shape.extra_entries;
        unsymmetric += b->shape.unsymmetric_rows;
    }
}

/* ---- order ------------------------------------------------------------------------------------- */

/* Unknowns are grouped (the unknowns of a vertex are one group); groups are ordered by minimum degree, and every row
 * is placed after the last group that its pivot needs. */
typedef struct grouping {
    int groups;
    int *group_of;  /* per unknown; -1 for rows */
    int *rank;      /* per group: its index in the order */
    int *row_after; /* per unknown that is a row: the rank it follows */
} grouping;

static void assign_groups(const problem *w, const cluster *s, grouping *g)
{
    g->groups = 0;
    for (int u = 0; u < s->unknowns; u++) g->group_of[u] = -1;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int size = b->shape.group, in_band = (b->shape.band_count + size - 1) / size;
        for (int p = 0; p < b->shape.band_count; p++)
            g->group_of[s->offset[k] + p] = g->groups + p / size;
        g->groups += in_band;
        int last = b->shape.band_count;
        for (int u = 0; u < b->shape.dofs; u++) {
            if (b->order[u] < b->shape.band_count) continue;
            g->group_of[s->offset[k] + b->order[u]] =
                g->groups + (b->order[u] - b->shape.band_count) / 3;
            if (b->order[u] >= last) last = b->order[u] + 1;
        }
        g->groups += (last - b->shape.band_count + 2) / 3;
        for (int row = 0; row < b->shape.rows; row++)
            g->group_of[s->offset[k] + b->order[b->shape.dofs + row]] = -1;
    }
}

static int compare_keys(const void *a, const void *b)
{
    const long long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Edges between the groups that entries couple; a NULL: their count. Entries of a column follow each other, so that most
 * repetitions of an edge are found by the last group that each was coupled to: seen, one more than it, 0: none. */
static int link_groups(const grouping *g, const entries *e, int *seen, int *a, int *b)
{
    int edges = 0;
    memset(seen, 0, (size_t)g->groups * sizeof *seen);
    for (int i = 0; i < e->count; i++) {
        const int x = g->group_of[e->row[i]], y = g->group_of[e->col[i]];
        if (x < 0 || y < 0 || x == y || seen[x] == y + 1) continue;
        seen[x] = y + 1;
        if (a) a[edges] = x, b[edges] = y;
        edges++;
    }
    return edges;
}

/* A row can have its pivot after the dofs of only one of its two points, before those of the other are eliminated,
 * if that point can move in every direction and no other row acts on those dofs. Then a branch is eliminated before
 * the trunk, and many pearls on one span cost no more than as many spans. Per unknown: the point it belongs to, 0:
 * none, SHARED: more than one; and the number of rows on its position, and on its frame. */
typedef struct claims {
    int *point, *position_rows, *frame_rows;
} claims;
enum { SHARED = -1 };

static bool is_free(const problem *w, const term *x, int side)
{
    const point *p = cord__point_of(w, x, side);
    const block *b = p && p->block >= 0 ? w->block[p->block] : NULL;
    if (!b || !b->shape.moves_freely || point_slides(p)) return false;
    if (x->needs[side] & (NEEDS_CURVATURE | NEEDS_COORDINATE)) return false;
    for (int part = 2 * side; part < 2 * side + 2; part++) {
        const term_part *own = x->part + part;
        for (int c = own->first; own->block >= 0 && c < own->first + own->count; c++) {
            int dof = x->dof[c] - b->v0;
            if (b->prescribed[dof] || b->alias_block[dof] >= 0) return false;
        }
    }
    return true;
}

static void claim(const claims *of, int unknown, int by)
{
    int *owner = of->point + unknown;
    *owner = *owner == 0 || *owner == by ? by : SHARED;
}

static void claim_dofs(const problem *w, const term *x, int side, const claims *of)
{
    int by = is_free(w, x, side) ? x->point[side] + 1 : SHARED;
    int index = cord__block_of(w, x, side);
    /* The rows of a strand itself couple all of its dofs: with two points constrained, those of a taut strand are
     * redundant. */
    if (index >= 0 && w->block[index]->shape.rows > 0) claim(of, w->block[index]->unknown0, by);
    for (int part = 2 * side; part < 2 * side + 2; part++) {
        const term_part *own = x->part + part;
        for (int c = own->first; own->block >= 0 && c < own->first + own->count; c++) {
            int u = x->unknown[c];
            claim(of, u, by);
            (x->needs[side] & NEEDS_POSITION ? of->position_rows : of->frame_rows)[u] += x->rows;
        }
    }
}

static void claim_all(const problem *w, const cluster *s, const claims *of)
{
    for (int k = 0; k < s->terms; k++)
        for (int side = 0; side < 2; side++) claim_dofs(w, w->term[s->term[k]], side, of);
    for (int k = 0; k < s->blocks; k++) { /* rows of a child block couple the dofs of its parents */
        const block *b = w->block[s->block[k]];
        for (int c = 0; b->shared_count > 0 && c < b->shape.dofs; c++)
            if (b->alias_block[c] >= 0) claim(of, cord__unknown(w, b, c), SHARED);
    }
}

/* The rank that rows may follow with the dofs of one side only, -1: none. */
static int rank_of_side(const problem *w, const grouping *g, const claims *of, const term *x,
                        int side)
{
    int last = -1;
    if (!is_free(w, x, side)) return -1;
    const block *b = w->block[cord__block_of(w, x, side)];
    if (b->shape.rows > 0 && of->point[b->unknown0] == SHARED) return -1;
    for (int part = 2 * side; part < 2 * side + 2; part++) {
        const term_part *own = x->part + part;
        for (int c = own->first; own->block >= 0 && c < own->first + own->count; c++) {
            int u = x->unknown[c], rank = g->rank[g->group_of[u]];
            if (of->point[u] == SHARED || of->position_rows[u] > 3 || of->frame_rows[u] > 3)
                return -1;
            if (rank > last) last = rank;
        }
    }
    return last;
}

static int rank_of_rows(const problem *w, const grouping *g, const claims *of, const term *x)
{
    int first = rank_of_side(w, g, of, x, 0), second = rank_of_side(w, g, of, x, 1), last = -1;
    if (first >= 0 && second >= 0) return first < second ? first : second;
    if (first >= 0 || second >= 0) return first >= 0 ? first : second;
    for (int c = 0; c < x->dofs; c++) {
        int rank = g->rank[g->group_of[x->unknown[c]]];
        if (rank > last) last = rank;
    }
    return last;
}

static void rows_after(const problem *w, const cluster *s, const claims *of, grouping *g)
{
    claim_all(w, s, of);
    int dofs[ROW_DOFS];
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int row = 0; row < b->shape.rows; row++) {
            if (row >= b->shape.rows - b->shape.dense_rows) {
                g->row_after[s->offset[k] + b->order[b->shape.dofs + row]] = g->groups - 1;
                continue;
            }
            int last = 0, count = b->ops->rows->dofs(b->model, row, dofs), own = 0;
            for (int c = 0; c < count; c++) own += b->alias_block[dofs[c]] < 0;
            for (int c = 0; c < count; c++) {
                /* The block's private dofs give the row a pivot: it need not follow dofs that many blocks share. */
                if (own > 0 && b->alias_block[dofs[c]] >= 0) continue;
                int rank = g->rank[g->group_of[cord__unknown(w, b, dofs[c])]];
                if (rank > last) last = rank;
            }
            g->row_after[s->offset[k] + b->order[b->shape.dofs + row]] = last;
        }
    }
    for (int k = 0; k < s->terms; k++) {
        const term *x = w->term[s->term[k]];
        int last = rank_of_rows(w, g, of, x);
        for (int row = 0; row < x->rows; row++) g->row_after[x->row0 + row] = last;
    }
}

static cord_status order_unknowns(const problem *w, const cluster *s, const entries *e, int *order,
                                  memory *m)
{
    cord_status status = CORD_ERROR_MEMORY;
    grouping g = {0};
    g.group_of = NEW(m, int, s->unknowns);
    g.row_after = NEW(m, int, s->unknowns);
    int *sequence = NEW(m, int, s->unknowns), *a = NULL, *b = NULL;
    long long *key = NEW(m, long long, 2 * s->unknowns);
    g.rank = NEW(m, int, s->unknowns);
    int *claimed = NEW(m, int, 3 * s->unknowns);
    if (!g.group_of || !g.row_after || !sequence || !key || !g.rank || !claimed) goto done;
    claims of = {claimed, claimed + s->unknowns, claimed + 2 * s->unknowns};
    assign_groups(w, s, &g);
    const int edges = link_groups(&g, e, g.rank, NULL, NULL);
    a = NEW(m, int, edges);
    b = NEW(m, int, edges);
    if (!a || !b) goto done;
    link_groups(&g, e, g.rank, a, b);
    status = cord__minimum_degree_order(m, g.groups, edges, a, b, sequence);
    if (status != CORD_OK) goto done;
    for (int i = 0; i < g.groups; i++) g.rank[sequence[i]] = i;
    rows_after(w, s, &of, &g);
    for (int u = 0; u < s->unknowns; u++) {
        bool row = g.group_of[u] < 0;
        long long rank = row ? g.row_after[u] : g.rank[g.group_of[u]];
        key[2 * u] = ((rank * 2 + row) << 32) + u;
        key[2 * u + 1] = u;
    }
    qsort(key, (size_t)s->unknowns, 2 * sizeof *key, compare_keys);
    for (int i = 0; i < s->unknowns; i++) order[i] = (int)key[2 * i + 1];
done:
    cord__release(m, g.group_of);
    cord__release(m, g.row_after);
    cord__release(m, g.rank);
    cord__release(m, claimed);
    cord__release(m, a);
    cord__release(m, b);
    cord__release(m, sequence);
    cord__release(m, key);
    return status;
}

/* ---- unknowns ---------------------------------------------------------------------------------- */

static int sources(const problem *w, cluster *s)
{
    unknown_map *map = &s->map;
    int aliases = 0;
    for (int u = 0; u < map->count; u++) map->source[u] = NO_SOURCE;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int *source = map->source + s->offset[k], dofs = b->shape.dofs;
        int last =
            s->banded ? b->shape.band_count : INT_MAX; /* dofs beyond a band are prescribed */
        for (int c = 0; c < dofs; c++) {
            if (b->alias_block[c] >= 0)
                aliases++;
            else if (b->order[c] < last)
                source[b->order[c]] = b->v0 + c;
        }
        for (int i = 0; i < b->shape.rows; i++) source[b->order[dofs + i]] = ~(b->l0 + i);
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            map->source[r->term.row0 + row] = ~(r->l0 + row);
    }
    return aliases;
}

/* Prescribed dofs, and unknowns without an equation: aliases and unused positions. */
static void list_prescribed(const problem *w, cluster *s)
{
    unknown_map *map = &s->map;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = s->offset[k] + b->order[c];
            bool alias = b->alias_block[c] >= 0;
            if (alias)
                map->alias[map->aliases++] =
                    (aliased_dof){cord__unknown(w, b, c), b->v0 + c, b->alias_scale + c};
            if ((b->prescribed[c] || alias) && u < map->count)
                map->prescribed[map->prescribed_count++] =
                    (prescribed_unknown){u, b->prescribed[c] ? b->v0 + c : -1};
        }
        if (b->shape.unused_position >= 0)
            map->prescribed[map->prescribed_count++] =
                (prescribed_unknown){s->offset[k] + b->shape.unused_position, -1};
    }
    for (int i = 0; i < map->prescribed_count; i++)
        map->is_prescribed[map->prescribed[i].unknown] = 1;
}

static void list_multipliers(const problem *w, cluster *s, const int *order)
{
    unknown_map *map = &s->map;
    double *weight = s->x; /* zero until the first solution */
    for (int u = 0; u < map->count; u++) weight[u] = 1;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.rows && b->ops->rows->proximal; i++)
            weight[s->offset[k] + b->order[b->shape.dofs + i]] =
                b->ops->rows->proximal(b->model, i);
    }
    for (int p = 0; p < map->count; p++) {
        int u = order ? order[p] : p;
        if (map->source[u] < 0 && map->source[u] != NO_SOURCE)
            map->multiplier[map->multipliers++] =
                (multiplier_entry){u, map->diagonal[u], weight[u]};
    }
    memset(weight, 0, (size_t)map->count * sizeof *weight);
}

/* Entries of the matrix in rows and columns of prescribed unknowns; NULL: their count. */
static int list_prescribed_entries(const problem *w, const cluster *s, const int *order,
                                   prescribed_entry *out)
{
    const unknown_map *map = &s->map;
    const sparse_ldl *f = &s->factor;
    const block_shape *is = &w->block[s->block[0]]->shape;
    const int width = is->band_width, group = is->band_group > 1 ? is->band_group : 1;
    int count = 0;
    for (int c = 0; c < map->count; c++) {
        const int rows = width + 1 - c % group; /* of a column of a band: math/band.h */
        int column = order ? order[c] : c, first = order ? f->column[c] : 0;
        int end = order ? f->column[c + 1] : rows < map->count - c ? rows : map->count - c;
        for (int e = first; e < end; e++) {
            int row = order ? order[f->row[e]] : c + e;
            if (!map->is_prescribed[row] && !map->is_prescribed[column]) continue;
            int slot = order ? f->slot[e] : c * BAND_STRIDE(width) + e;
            if (out) out[count] = (prescribed_entry){slot, row, column};
            count++;
        }
    }
    return count;
}

/* `order`: of elimination; NULL: banded, in the order of the positions. */
static cord_status make_map(const problem *w, cluster *s, const int *order, memory *m)
{
    unknown_map *map = &s->map;
    const block_shape *first = &w->block[s->block[0]]->shape;
    map->count = s->banded ? first->band_count : s->unknowns;
    map->source = NEW(m, int, map->count);
    map->is_prescribed = NEW(m, unsigned char, map->count);
    map->prescribed = NEW(m, prescribed_unknown, map->count);
    map->multiplier = NEW(m, multiplier_entry, s->rows);
    if (!map->source || !map->is_prescribed || !map->prescribed || !map->multiplier)
        return CORD_ERROR_MEMORY;
    map->alias = NEW(m, aliased_dof, sources(w, s));
    map->diagonal = s->factor.diagonal;
    if (s->banded) {
        map->diagonal = map->band_diagonal = NEW(m, int, map->count);
        for (int u = 0; map->diagonal && u < map->count; u++)
            map->band_diagonal[u] = u * BAND_STRIDE(first->band_width);
    }
    if (!map->alias || !map->diagonal) return CORD_ERROR_MEMORY;
    list_prescribed(w, s);
    list_multipliers(w, s, order);
    if (s->private_solve) return CORD_OK;
    map->entries = list_prescribed_entries(w, s, order, NULL);
    map->entry = NEW(m, prescribed_entry, map->entries);
    if (!map->entry) return CORD_ERROR_MEMORY;
    list_prescribed_entries(w, s, order, map->entry);
    return CORD_OK;
}

void cord__unknown_map_free(unknown_map *map, memory *m)
{
    void *owned[] = {map->source,     map->band_diagonal, map->is_prescribed, map->alias,
                     map->prescribed, map->entry,         map->multiplier};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
}

/* ---- the whole matrix -------------------------------------------------------------------------- */

/* Extra entries beyond the band are those of prescribed dofs, and not used. */
static void locate_in_band(const block *b, const int *pairs, int *slot)
{
    for (int i = 0; i < b->shape.extra_entries; i++) {
        int row = b->order[pairs[2 * i]], column = b->order[pairs[2 * i + 1]];
        int first = row < column ? row : column, below = row + column - 2 * first;
        if (below <= b->shape.band_width && first + below < b->shape.band_count)
            slot[i] = first * BAND_STRIDE(b->shape.band_width) + below;
    }
}

static cord_status make_band(const problem *w, cluster *s, memory *m)
{
    const block *b = w->block[s->block[0]];
    const block_shape *is = &b->shape;
    int *pairs = NEW(m, int, 2 * is->extra_entries);
    s->slot = NEW(m, int, is->extra_entries);
    if (!s->private_solve) s->band = NEW(m, double, band_size(is->band_count, is->band_width));
    bool room = pairs && s->slot && (s->band || s->private_solve);
    s->values = s->band;
    if (room && is->extra_entries > 0) {
        b->ops->extra_entries(b->model, pairs);
        locate_in_band(b, pairs, s->slot);
    }
    if (room) locate_entries(w, s);
    cord__release(m, pairs);
    return room ? make_map(w, s, NULL, m) : CORD_ERROR_MEMORY;
}

cord_status cord__make_pattern(const problem *w, cluster *s, memory *m)
{
    cord_status status = CORD_ERROR_MEMORY;
    entries e = {0};
    int most = 1, *order = NULL;
    if (s->banded) return make_band(w, s, m);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (2 * b->shape.extra_entries > most) most = 2 * b->shape.extra_entries;
    }
    int *pairs = NEW(m, int, most);
    if (!pairs) goto done;
    list_entries(w, s, pairs, &e);
    int count = e.count;
    s->slot = NEW(m, int, count);
    e.row = NEW(m, int, count);
    e.col = NEW(m, int, count);
    order = NEW(m, int, s->unknowns);
    if (!s->slot || !e.row || !e.col || !order) goto done;
    e.count = 0;
    list_entries(w, s, pairs, &e);
    status = order_unknowns(w, s, &e, order, m);
    if (status == CORD_OK)
        status =
            cord__sparse_analyse(&s->factor, m, s->unknowns, count, e.row, e.col, order, s->slot);
    s->values = s->factor.a;
    locate_entries(w, s);
    if (status == CORD_OK) status = make_map(w, s, order, m);
    if (status == CORD_OK) status = cord__cache_blocking_create(w, s, m);
done:
    cord__release(m, pairs);
    cord__release(m, e.row);
    cord__release(m, e.col);
    cord__release(m, order);
    return status;
}
