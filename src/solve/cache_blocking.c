/* Cache blocking: the system of a large cluster is assembled and factored by blocks of panels, each small enough for
 * the private cache of a processor core. The five passes over the matrix (clear, blocks, constraints, prescribed
 * unknowns, factorisation) become one. A small system is one cache block.
 *
 * A cache block is a range of panels in the order of elimination. Before they are factored, every part of a block
 * and every term that couples one of their unknowns has been added. The ρ BᵀB of a constraint needs the diagonals of
 * the blocks alone (row_stiffness() in constraint_rows.c), so that all parts on these dofs come first, and the
 * diagonals are stored when these parts are complete. */
#include "solve/integrator.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Doubles of panels in a cache block: with the data added to them, well below the private cache of a core. */
enum { CACHE_BLOCK = 12 << 10 };

/* Cache blocking is not used where blocks are not assembled by parts, or share dofs: there the whole system is
 * assembled, then factored. */
static bool can_be_blocked(const problem *w, const cluster *s)
{
    if (!w->integrator->cache_blocked || s->low_rank.max > 0 || s->factor.simplicial) return false;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const block_shape *is = &b->shape;
        if (is->parts == 0 || is->unused_position >= 0 || is->extra_entries > 0 ||
            is->dense_rows > 0 || BLOCK_HAS(b, rows, proximal))
            return false;
        for (int c = 0; c < is->dofs; c++)
            if (b->alias_block[c] >= 0) return false;
    }
    return true;
}

/* ---- creation --------------------------------------------------------------------------------- */

typedef struct builder {
    const problem *w;
    cluster *s;
    int parts;
    int *panel;       /* per position: its panel */
    int *cache_block; /* per panel */
    block_part *part; /* all, block by block */
    int *home, *last; /* per part: its cache block, and the last panel it adds to */
    int *term_home;   /* per term of the cluster */
    int *wanted;      /* per unknown: the first cache block whose terms read its diagonal */
    int *noted;       /* and the one that completes it, -1: no term reads it */
    int *unknowns, *bucket, *order; /* of a part; of cache blocks; of a sorted list */
} builder;

static int unknowns_of_part(const block *b, int part, int *unknowns)
{
    if (b->ops->parts->unknowns) return b->ops->parts->unknowns(b->model, part, unknowns);
    int count = b->shape.dofs + b->shape.rows;
    for (int c = 0; c < count; c++) unknowns[c] = c;
    return count;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int count_cache_blocks(const sparse_ldl *f, int *home)
{
    size_t begun = 0;
    int count = 1;
    for (int s = 0; s < f->supernodes; s++) {
        if (f->panel[s + 1] - begun > CACHE_BLOCK && f->panel[s] > begun) {
            begun = f->panel[s];
            count++;
        }
        if (home) home[s] = count - 1;
    }
    return count;
}

static int panel_of(const builder *x, int unknown)
{
    return x->panel[x->s->factor.p_inverse[unknown]];
}

static int first_cache_block(const builder *x, const term *of)
{
    int home = x->s->cache_blocking.count - 1;
    for (int c = 0; c < of->dofs; c++)
        home = smaller(home, x->cache_block[panel_of(x, of->unknown[c])]);
    for (int row = 0; row < of->rows; row++)
        home = smaller(home, x->cache_block[panel_of(x, of->row0 + row)]);
    return home;
}

/* A term belongs to the cache block of its first unknown; one that follows another, to the same and after it. */
static void assign_terms(builder *x)
{
    const cluster *s = x->s;
    int *home = x->term_home;
    for (int k = 0; k < s->terms; k++) home[k] = first_cache_block(x, x->w->term[s->term[k]]);
    for (int k = 0; k < s->terms; k++) {
        const term *leader = x->w->term[s->term[k]]->follows;
        if (leader && leader->cluster_index >= 0)
            home[k] = home[leader->cluster_index] = smaller(home[k], home[leader->cluster_index]);
    }
    for (int u = 0; u < s->unknowns; u++) x->wanted[u] = INT_MAX;
    for (int k = 0; k < s->terms; k++) {
        const term *of = x->w->term[s->term[k]];
        for (int c = 0; c < of->dofs; c++)
            x->wanted[of->unknown[c]] = smaller(x->wanted[of->unknown[c]], home[k]);
    }
}

/* A part belongs to the cache block of its first unknown, or of the first term that reads a diagonal it adds to. */
static void assign_part(builder *x, int i)
{
    const block *b = x->w->block[x->part[i].block];
    int count = unknowns_of_part(b, x->part[i].part, x->unknowns);
    x->home[i] = x->s->cache_blocking.count - 1;
    x->last[i] = 0;
    for (int c = 0; c < count; c++) {
        int u = cord__unknown(x->w, b, x->unknowns[c]), panel = panel_of(x, u);
        x->home[i] = smaller(x->home[i], smaller(x->cache_block[panel], x->wanted[u]));
        x->last[i] = larger(x->last[i], panel);
    }
    for (int c = 0; c < count; c++) {
        int u = cord__unknown(x->w, b, x->unknowns[c]);
        if (x->wanted[u] < INT_MAX && b->shape.dofs > 1)
            x->noted[u] = larger(x->noted[u], x->home[i]);
    }
}

static void assign_parts(builder *x)
{
    int i = 0;
    for (int u = 0; u < x->s->unknowns; u++) x->noted[u] = -1;
    for (int k = 0; k < x->s->blocks; k++) {
        const block *b = x->w->block[x->s->block[k]];
        for (int part = 0; part < b->shape.parts; part++, i++) {
            x->part[i] = (block_part){x->s->block[k], part};
            assign_part(x, i);
        }
    }
}

/* Sorts the indices below `count` into x->order by their cache blocks, ascending; bucket[p] is the end of those of
 * cache block p. */
static void sort_by_home(builder *x, int count, const int *home)
{
    int homes = x->s->cache_blocking.count;
    memset(x->bucket, 0, (size_t)(homes + 1) * sizeof *x->bucket);
    for (int i = 0; i < count; i++)
        if (home[i] >= 0) x->bucket[home[i] + 1]++;
    for (int p = 0; p < homes; p++) x->bucket[p + 1] += x->bucket[p];
    for (int i = 0; i < count; i++)
        if (home[i] >= 0) x->order[x->bucket[home[i]]++] = i;
}

static void list_work(builder *x)
{
    cache_blocking *p = &x->s->cache_blocking;
    sort_by_home(x, x->parts, x->home);
    for (int i = 0; i < x->parts; i++) p->part[i] = x->part[x->order[i]];
    for (int i = 0; i < p->count; i++) p->block[i].part_end = x->bucket[i];
    sort_by_home(x, x->s->terms, x->term_home);
    memcpy(p->term, x->order, (size_t)x->s->terms * sizeof *p->term);
    for (int i = 0; i < p->count; i++) p->block[i].term_end = x->bucket[i];
    sort_by_home(x, x->s->unknowns, x->noted);
    memcpy(p->complete, x->order, (size_t)x->s->unknowns * sizeof *p->complete);
    for (int i = 0; i < p->count; i++) p->block[i].complete_end = x->bucket[i];
}

/* The panels that each cache block factors, and those that must be cleared before: all panels that receive entries
 * so far. */
static void list_panels(builder *x)
{
    const cluster *s = x->s;
    const sparse_ldl *f = &s->factor;
    cache_block *of = s->cache_blocking.block;
    for (int panel = 0; panel < f->supernodes; panel++) {
        int *clear = &of[x->cache_block[panel]].clear_end;
        of[x->cache_block[panel]].panel_end = panel + 1;
        *clear = larger(*clear, panel + 1);
        for (size_t k = f->update_start[panel]; k < f->update_start[panel + 1]; k++)
            *clear = larger(*clear, f->updates[k].target + 1);
    }
    for (int i = 0; i < x->parts; i++) {
        int *clear = &of[x->home[i]].clear_end;
        *clear = larger(*clear, x->last[i] + 1);
    }
    for (int k = 0; k < s->terms; k++) {
        const term *own = x->w->term[s->term[k]];
        int *clear = &of[x->term_home[k]].clear_end;
        for (int c = 0; c < own->dofs; c++)
            *clear = larger(*clear, panel_of(x, own->unknown[c]) + 1);
        for (int row = 0; row < own->rows; row++)
            *clear = larger(*clear, panel_of(x, own->row0 + row) + 1);
    }
    if (s->loads > 0) of[0].clear_end = f->supernodes; /* loads are added first, to any unknown */
    for (int p = 1; p < s->cache_blocking.count; p++)
        of[p].clear_end = larger(of[p].clear_end, of[p - 1].clear_end);
    const unknown_map *map = &s->map;
    for (int i = 0, row = 0, p = 0; p < s->cache_blocking.count; p++) {
        int end = f->first[of[p].panel_end];
        while (i < map->entries && f->p_inverse[map->entry[i].column] < end) i++;
        while (row < map->multipliers && f->p_inverse[map->multiplier[row].unknown] < end) row++;
        of[p].entry_end = i, of[p].multiplier_end = row;
    }
}

static void list_sources(builder *x)
{
    const unknown_map *map = &x->s->map;
    for (int u = 0; u < map->count; u++)
        x->s->cache_blocking.source[x->s->factor.p_inverse[u]] =
            map->is_prescribed[u] ? NO_SOURCE : map->source[u];
}

static bool reserve(builder *x, memory *m)
{
    const cluster *s = x->s;
    cache_blocking *p = &x->s->cache_blocking;
    int most = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = x->w->block[s->block[k]];
        most = larger(most, 2 * (b->shape.dofs + b->shape.rows)); /* an unknown may occur twice */
        x->parts += b->shape.parts;
    }
    int all = larger(larger(s->unknowns, s->terms), x->parts);
    int **numbers[] = {&x->panel, &x->home,     &x->last,   &x->term_home, &x->wanted,
                       &x->noted, &x->unknowns, &x->bucket, &x->order};
    bool fine = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fine = fine && (*numbers[i] = NEW(m, int, larger(all, most) + 1));
    x->cache_block = NEW(m, int, s->factor.supernodes);
    x->part = NEW(m, block_part, x->parts);
    p->block = NEW(m, cache_block, p->count);
    p->part = NEW(m, block_part, x->parts);
    p->term = NEW(m, int, s->terms);
    p->complete = NEW(m, int, s->unknowns);
    p->source = NEW(m, int, s->unknowns);
    return fine && x->cache_block && x->part && p->block && p->part && p->term && p->complete &&
           p->source;
}

static void release(builder *x, memory *m)
{
    void *owned[] = {x->panel,  x->cache_block, x->part,     x->home,   x->last, x->term_home,
                     x->wanted, x->noted,       x->unknowns, x->bucket, x->order};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
}

cord_status cord__cache_blocking_create(const problem *w, cluster *s, memory *m)
{
    builder x = {.w = w, .s = s};
    const sparse_ldl *f = &s->factor;
    if (!can_be_blocked(w, s)) return CORD_OK;
    s->cache_blocking.count = count_cache_blocks(f, NULL);
    bool room = reserve(&x, m);
    if (room) {
        for (int u = 0; u < s->unknowns; u++)
            s->diagonal[u] = NAN; /* no block adds to this diagonal */
        count_cache_blocks(f, x.cache_block);
        for (int panel = 0; panel < f->supernodes; panel++)
            for (int p = f->first[panel]; p < f->first[panel + 1]; p++) x.panel[p] = panel;
        assign_terms(&x);
        assign_parts(&x);
        list_work(&x);
        list_panels(&x);
        list_sources(&x);
    }
    release(&x, m);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__cache_blocking_free(cache_blocking *p, memory *m)
{
    void *owned[] = {p->block, p->part, p->term, p->complete, p->source};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
}

/* ---- a system ------------------------------------------------------------------------------------ */

/* Stores the diagonals that are complete. Returns their mean absolute value. */
static double note(cluster *s, int first, int end)
{
    const sparse_ldl *f = &s->factor;
    double sum = 0;
    for (int i = first; i < end; i++) {
        int u = s->cache_blocking.complete[i];
        s->diagonal[u] = f->a[f->diagonal[u]];
        sum += fabs(s->diagonal[u]);
    }
    return sum > 0 ? sum / (end - first) : 0;
}

/* As cord__read_dofs(), from the order of elimination. */
static void read_solution(problem *w, cluster *s)
{
    const cache_blocking *p = &s->cache_blocking;
    for (int i = 0; i < s->unknowns; i++)
        if (p->source[i] >= 0) w->delta[p->source[i]] = s->factor.x[i];
    cord__sparse_unpermute(&s->factor, s->x);
}

static void clear(problem *w, cluster *s)
{
    for (int k = 0; k < s->dofs.count; k++) {
        int first = s->dofs.range[k].first;
        size_t size = (size_t)(s->dofs.range[k].end - first) * sizeof *w->r;
        memset(w->r + first, 0, size);
        memset(w->delta + first, 0, size);
    }
    memset(s->factor.x, 0, (size_t)s->unknowns * sizeof *s->factor.x);
}

bool cord__solve_cache_blocked(problem *w, cluster *s, const stage *t)
{
    const cache_blocking *p = &s->cache_blocking;
    const unknown_map *map = &s->map;
    sparse_ldl *f = &s->factor;
    double *y = f->x, typical = 0;
    const cache_block *before = &(cache_block){0};
    cord_status status = CORD_OK;
    clear(w, s);
    cord__prescribed_motion(w, s, t);
    for (int i = 0; i < map->prescribed_count; i++)
        y[f->p_inverse[map->prescribed[i].unknown]] = w->delta[map->prescribed[i].dof];
    cord__sparse_begin(f);
    for (int i = 0; status == CORD_OK && i < p->count; before = p->block + i++) {
        const cache_block *own = p->block + i;
        double began = cord__seconds();
        cord__sparse_clear_panels(f, before->clear_end, own->clear_end);
        if (i == 0) cord__assemble_loads(w, s, t, true);
        for (int k = before->part_end; k < own->part_end; k++)
            cord__assemble_part(w, s, t, w->block[p->part[k].block], p->part[k].part);
        typical = fmax(typical, note(s, before->complete_end, own->complete_end));
        for (int k = before->term_end; k < own->term_end; k++) {
            term *x = w->term[s->term[p->term[k]]];
            x->ops->assemble(w, s, t, x, true);
        }
        double assembled = cord__seconds();
        cord__eliminate_prescribed(map, before->entry_end, own->entry_end, f->p_inverse, f->a, y);
        cord__take_residuals(w, p->source, f->first[before->panel_end], f->first[own->panel_end],
                             y);
        cord__add_proximal(map, before->multiplier_end, own->multiplier_end,
                           typical > 0 ? typical : 1, f->a);
        status = cord__sparse_factor_panels(f, before->panel_end, own->panel_end, y);
        s->report.seconds_forces += assembled - began;
        s->report.seconds_solve += cord__seconds() - assembled;
    }
    s->negative = f->negative;
    s->failed_pivot = f->failed_pivot;
    if (status != CORD_OK) return false;
    double began = cord__seconds();
    cord__sparse_solve_upper(f, y);
    read_solution(w, s);
    s->report.seconds_solve += cord__seconds() - began;
    return true;
}
