/* Symbolic analysis for sparse_ldl.h: compressed pattern, elimination tree, supernodes, and the
 * index lists of the numeric routines [Davis, Direct Methods for Sparse Linear Systems, chapter 4]. */
#include "math/sparse_ldl.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Relaxed supernodes: neighbouring columns share a panel when that adds at most one explicit zero
 * per this many nonzeros, since wider panels save more in loop overhead than the zeros cost, above
 * all in small ones. Explicit zeros in L change no result. */
enum { NONZEROS_PER_ZERO = 4, NONZEROS_PER_ZERO_IF_SMALL = 3, SMALL_PANEL = 150 };

/* A matrix with at most this many entries per column below the diagonal, on average, is simplicial. */
enum { SIMPLICIAL_ENTRIES = 4 };

typedef struct analysis {
    sparse_ldl *f;
    memory *m;
    int pairs;               /* entries + n: the diagonal comes after the caller's pairs */
    int *low, *high;         /* pairs: smaller and larger index in the elimination order */
    int *sorted, *scratch;   /* pairs */
    int *bucket;             /* n + 1 */
    int *row_start, *column; /* strictly lower triangle of A by rows */
    int *parent, *count;     /* n: elimination tree (-1: root); nonzeros of L below the diagonal */
    int *mark, *owner;       /* n: owner is the supernode of a column */
} analysis;

static cord_status invert_order(sparse_ldl *f, const int *order)
{
    int n = f->n;
    for (int i = 0; i < n; i++) f->p_inverse[i] = order ? -1 : i;
    for (int k = 0; order && k < n; k++) {
        int i = order[k];
        if (i < 0 || i >= n || f->p_inverse[i] >= 0) return CORD_ERROR_ARGUMENT;
        f->p_inverse[i] = k;
    }
    return CORD_OK;
}

static cord_status permute_pairs(analysis *w, int entries, const int *row, const int *col)
{
    const int *p_inverse = w->f->p_inverse;
    int n = w->f->n;
    for (int e = 0; e < entries; e++) {
        if (row[e] < 0 || row[e] >= n || col[e] < 0 || col[e] >= n) return CORD_ERROR_ARGUMENT;
        int i = p_inverse[row[e]], j = p_inverse[col[e]];
        w->low[e] = i < j ? i : j;
        w->high[e] = i < j ? j : i;
    }
    for (int i = 0; i < n; i++) w->low[entries + i] = w->high[entries + i] = p_inverse[i];
    return CORD_OK;
}

/* Stable counting sort of the pairs listed in `in` by key, into `out`. */
static void sort_by(analysis *w, const int *key, const int *in, int *out)
{
    int n = w->f->n, *bucket = w->bucket;
    memset(bucket, 0, (size_t)(n + 1) * sizeof *bucket);
    for (int e = 0; e < w->pairs; e++) bucket[key[e] + 1]++;
    for (int i = 0; i < n; i++) bucket[i + 1] += bucket[i];
    for (int e = 0; e < w->pairs; e++) out[bucket[key[in[e]]]++] = in[e];
}

/* Sorts the pairs by column, then row; equal pairs share an entry, whose index is kept in `slot`
 * until find_slots(). */
static cord_status compress(analysis *w, int entries, int *slot)
{
    sparse_ldl *f = w->f;
    for (int e = 0; e < w->pairs; e++) w->sorted[e] = e;
    sort_by(w, w->high, w->sorted, w->scratch);
    sort_by(w, w->low, w->scratch, w->sorted);
    f->entries = -1;
    for (int k = 0; k < w->pairs; k++) {
        int e = w->sorted[k], before = k ? w->sorted[k - 1] : -1;
        bool same = k && w->low[e] == w->low[before] && w->high[e] == w->high[before];
        f->entries += !same;
        w->scratch[f->entries] = w->high[e];
        f->column[w->low[e] + 1] = f->entries + 1;
        *(e < entries ? &slot[e] : &f->diagonal[e - entries]) = f->entries;
    }
    f->entries++;
    f->row = NEW(w->m, int, f->entries);
    f->slot = NEW(w->m, int, f->entries);
    if (!f->row || !f->slot) return CORD_ERROR_MEMORY;
    memcpy(f->row, w->scratch, (size_t)f->entries * sizeof *f->row);
    return CORD_OK;
}

/* The strictly lower triangle by rows: row k lists the columns i < k with A_ki in the pattern. The pairs are sorted and no
 * longer needed. */
static void transpose(analysis *w)
{
    const sparse_ldl *f = w->f;
    int *start = w->row_start;
    w->column = w->low;
    for (int j = 0; j < f->n; j++) {
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++) start[f->row[e] + 1]++;
    }
    for (int i = 0; i < f->n; i++) start[i + 1] += start[i];
    memcpy(w->bucket, start, (size_t)f->n * sizeof *start);
    for (int j = 0; j < f->n; j++) {
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++) {
            w->column[w->bucket[f->row[e]]++] = j;
        }
    }
}

/* Row k of L is nonzero along the paths of the elimination tree from each i with A_ki != 0 up to k;
 * following them builds the tree and counts the entries per column [Davis, Direct Methods, sec.
 * 4.4]. */
static void build_elimination_tree(analysis *w)
{
    int n = w->f->n;
    for (int k = 0; k < n; k++) {
        w->parent[k] = -1;
        w->mark[k] = k;
        for (int e = w->row_start[k]; e < w->row_start[k + 1]; e++) {
            for (int i = w->column[e]; w->mark[i] != k; i = w->parent[i]) {
                if (w->parent[i] < 0) w->parent[i] = k;
                w->count[i]++;
                w->mark[i] = k;
            }
        }
    }
    for (int k = 0; k < n; k++) w->f->nonzeros += (size_t)w->count[k];
}

/* Extends a supernode by the next column as long as that column is the parent of the last one: then
 * the rows below the last column contain those below all others, and are the rows of the supernode. */
static cord_status choose_supernodes(analysis *w)
{
    sparse_ldl *f = w->f;
    f->simplicial = f->nonzeros <= SIMPLICIAL_ENTRIES * (size_t)f->n;
    for (int j = 0, next; j < f->n; j = next) {
        size_t nonzeros = (size_t)w->count[j] + 1;
        for (next = j + 1; !f->simplicial && next < f->n && w->parent[next - 1] == next; next++) {
            size_t width = (size_t)(next + 1 - j), below = (size_t)w->count[next];
            size_t kept = width * below + width * (width + 1) / 2;
            size_t wanted = nonzeros + below + 1;
            size_t per_zero = wanted < SMALL_PANEL ? NONZEROS_PER_ZERO_IF_SMALL : NONZEROS_PER_ZERO;
            if ((kept - wanted) * per_zero > wanted) break;
            nonzeros = wanted;
        }
        for (int i = j; i < next; i++) w->owner[i] = f->supernodes;
        f->first[++f->supernodes] = next;
    }
    f->below = NEW(w->m, size_t, f->supernodes + 1);
    f->panel = NEW(w->m, size_t, f->supernodes + 1);
    f->update_start = NEW(w->m, size_t, f->supernodes + 1);
    return f->below && f->panel && f->update_start ? CORD_OK : CORD_ERROR_MEMORY;
}

/* Doubles from one column of a panel to the next. */
static size_t height_of(const sparse_ldl *f, int rows)
{
    return f->simplicial ? (size_t)rows : PANEL_ROWS(rows);
}

/* Sizes of all panels, and the memory that follows from them. */
static cord_status lay_out_panels(analysis *w)
{
    sparse_ldl *f = w->f;
    size_t longest = 0, largest = 0;
    for (int s = 0; s < f->supernodes; s++) {
        int width = f->first[s + 1] - f->first[s], below = w->count[f->first[s + 1] - 1];
        f->below[s + 1] = f->below[s] + (size_t)below;
        size_t rows = height_of(f, width + below), size = (size_t)width * rows;
        f->panel[s + 1] = f->panel[s] + size;
        if (rows > longest) longest = rows;
        if (size > largest) largest = size;
    }
    f->rows = NEW(w->m, int, f->below[f->supernodes]);
    /* Two more columns, because the last tile reads beyond its rows; eight doubles for alignment. */
    size_t all = f->panel[f->supernodes] + largest + (PANEL_COLUMNS + 2) * longest + 8;
    if (all > INT_MAX) return CORD_ERROR_MEMORY; /* slots are of type int */
    f->memory = NEW(w->m, double, all);
    if (!f->rows || !f->memory) return CORD_ERROR_MEMORY;
    f->a = f->memory + (8 - (uintptr_t)f->memory / sizeof(double) % 8) % 8;
    f->scaled = f->a + f->panel[f->supernodes];
    f->panel_work = f->scaled + largest + longest;
    return CORD_OK;
}

/* Follows the rows of L once more and lists k below each supernode whose last column it meets; k
 * ascends, so that the lists are sorted. */
static void list_rows(analysis *w)
{
    sparse_ldl *f = w->f;
    int *filled = w->bucket;
    memset(filled, 0, (size_t)(f->n + 1) * sizeof *filled);
    for (int k = 0; k < f->n; k++) {
        w->mark[k] = k;
        for (int e = w->row_start[k]; e < w->row_start[k + 1]; e++) {
            for (int i = w->column[e]; w->mark[i] != k; i = w->parent[i]) {
                w->mark[i] = k;
                int s = w->owner[i];
                if (i == f->first[s + 1] - 1) f->rows[f->below[s] + (size_t)filled[s]++] = k;
            }
        }
    }
}

/* The row of the panel of supernode s that holds row r of L, searched from row `from` on; it
 * exists. */
static int find_panel_row(const sparse_ldl *f, int s, int r, int from)
{
    int width = f->first[s + 1] - f->first[s];
    if (r < f->first[s + 1]) return r - f->first[s];
    const int *rows = f->rows + f->below[s];
    int i = from > width ? from - width : 0;
    while (rows[i] != r) i++;
    return width + i;
}

/* The updates of later supernodes by supernode s: counted, and with `fill` also written. */
static void list_updates(const analysis *w, int s, size_t *updates, size_t *runs, bool fill)
{
    sparse_ldl *f = w->f;
    const int *rows = f->rows + f->below[s];
    int m = (int)(f->below[s + 1] - f->below[s]);
    for (int begin = 0, end; begin < m; begin = end) {
        int target = w->owner[rows[begin]], next = -1;
        size_t first = *runs;
        for (end = begin; end < m && w->owner[rows[end]] == target;) end++;
        for (int i = begin; i < m; i++) {
            int panel_row = find_panel_row(f, target, rows[i], next);
            if (panel_row != next) *runs += 1;
            if (fill && panel_row != next) f->runs[*runs - 1] = (sparse_run){i, panel_row, 0};
            if (fill) f->runs[*runs - 1].count++;
            next = panel_row + 1;
        }
        if (fill) f->updates[*updates] = (sparse_update){target, begin, end, first, *runs};
        *updates += 1;
    }
}

static cord_status plan_updates(analysis *w)
{
    sparse_ldl *f = w->f;
    size_t updates = 0, runs = 0;
    for (int s = 0; s < f->supernodes; s++) {
        list_updates(w, s, &updates, &runs, false);
        f->update_start[s + 1] = updates;
    }
    f->updates = NEW(w->m, sparse_update, updates);
    f->runs = NEW(w->m, sparse_run, runs);
    if (!f->updates || !f->runs) return CORD_ERROR_MEMORY;
    updates = runs = 0;
    for (int s = 0; s < f->supernodes; s++) list_updates(w, s, &updates, &runs, true);
    return CORD_OK;
}

/* Simplicial: for each pair (i, k) of the rows of a column, the entry of `a` that l_i l_k d
 * updates. */
static cord_status list_targets(analysis *w)
{
    sparse_ldl *f = w->f;
    size_t count = 0;
    for (int j = 0; j < f->n; j++) {
        size_t below = f->below[j + 1] - f->below[j];
        count += below * (below + 1) / 2;
    }
    int *target = f->target = NEW(w->m, int, count);
    if (!target) return CORD_ERROR_MEMORY;
    for (int j = 0; j < f->n; j++) {
        const int *rows = f->rows + f->below[j];
        int below = (int)(f->below[j + 1] - f->below[j]);
        for (int i = 0; i < below; i++)
            for (int k = i, from = 0; k < below; k++) {
                from = find_panel_row(f, rows[i], rows[k], from);
                *target++ = (int)f->panel[rows[i]] + from;
            }
    }
    return CORD_OK;
}

/* Replaces the entry indices in `slot` and `diagonal` by indices in the panels. */
static void find_slots(analysis *w, int entries, int *slot)
{
    sparse_ldl *f = w->f;
    for (int j = 0; j < f->n; j++) {
        int s = w->owner[j], width = f->first[s + 1] - f->first[s], from = 0;
        size_t height = height_of(f, width + (int)(f->below[s + 1] - f->below[s]));
        size_t column = f->panel[s] + (size_t)(j - f->first[s]) * height;
        for (int e = f->column[j]; e < f->column[j + 1]; e++) {
            from = find_panel_row(f, s, f->row[e], from);
            f->slot[e] = (int)(column + (size_t)from);
        }
    }
    for (int e = 0; e < entries; e++) slot[e] = f->slot[slot[e]];
    for (int i = 0; i < f->n; i++) f->diagonal[i] = f->slot[f->diagonal[i]];
}

static cord_status allocate(analysis *w)
{
    sparse_ldl *f = w->f;
    memory *m = w->m;
    int n = f->n, pairs = w->pairs;
    int **ints_of_pairs[] = {&w->low, &w->high, &w->sorted, &w->scratch};
    int **ints_of_unknowns[] = {&f->p_inverse, &f->diagonal, &f->column, &f->first, &w->bucket,
                                &w->row_start, &w->parent,   &w->count,  &w->mark,  &w->owner};
    double **doubles_of_unknowns[] = {&f->inverse_pivot, &f->x};
    bool good = true;
    for (int i = 0; i < 4; i++) good = good && (*ints_of_pairs[i] = NEW(m, int, pairs));
    for (int i = 0; i < 10; i++) good = good && (*ints_of_unknowns[i] = NEW(m, int, (size_t)n + 1));
    for (int i = 0; i < 2; i++) good = good && (*doubles_of_unknowns[i] = NEW(m, double, n));
    return good ? CORD_OK : CORD_ERROR_MEMORY;
}

static void release(analysis *w)
{
    int *owned[] = {w->low,       w->high,   w->sorted, w->scratch, w->bucket,
                    w->row_start, w->parent, w->count,  w->mark,    w->owner};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(w->m, owned[i]);
}

static cord_status find_structure(analysis *w, int entries, int *slot)
{
    transpose(w);
    build_elimination_tree(w);
    cord_status status = choose_supernodes(w);
    if (status == CORD_OK) status = lay_out_panels(w);
    if (status != CORD_OK) return status;
    list_rows(w);
    find_slots(w, entries, slot);
    return w->f->simplicial ? list_targets(w) : plan_updates(w);
}

cord_status cord__sparse_analyse(sparse_ldl *f, memory *m, int n, int entries, const int *row,
                                 const int *col, const int *order, int *slot)
{
    memset(f, 0, sizeof *f);
    if (n < 0 || entries < 0 || entries > INT_MAX - 1 - n) return CORD_ERROR_ARGUMENT;
    f->n = n;
    f->failed_pivot = -1;
    analysis w = {.f = f, .m = m, .pairs = entries + n};
    cord_status status = allocate(&w);
    if (status == CORD_OK) status = invert_order(f, order);
    if (status == CORD_OK) status = permute_pairs(&w, entries, row, col);
    if (status == CORD_OK) status = compress(&w, entries, slot);
    if (status == CORD_OK) status = find_structure(&w, entries, slot);
    release(&w);
    if (status != CORD_OK) cord__sparse_free(f, m);
    return status;
}
