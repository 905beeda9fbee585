#include "bench/baselines/cluster_matrix.h"

#include "bench/baselines/cuthill_mckee.h"

#include <string.h>

/* Which block each unknown belongs to, and whether it is a velocity unknown or a multiplier. */
static void read_kinds(cluster_matrix *x, const problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int count = b->shape.dofs + b->shape.rows + (b->shape.unused_position >= 0);
        for (int u = 0; u < count; u++) x->block[s->offset[k] + u] = s->block[k];
        for (int i = 0; i < b->shape.rows; i++)
            x->kind[s->offset[k] + b->order[b->shape.dofs + i]] = UNKNOWN_BLOCK_ROW;
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int i = 0; !r->eliminated && i < r->ops->rows; i++) {
            x->kind[r->term.row0 + i] = UNKNOWN_CONSTRAINT_ROW;
            x->block[r->term.row0 + i] = -1;
        }
    }
    for (int u = 0; u < x->unknowns; u++) x->count[x->kind[u]]++;
}

/* The pattern of a block alone in its cluster: its band, and the diagonal of the prescribed unknowns
 * beyond the band. Returns the number of entries; row and col may be NULL. */
static int read_band(const cluster_matrix *x, const block *b, int *row, int *col)
{
    int count = 0, n = b->shape.band_count;
    for (int c = 0; c < x->unknowns; c++) {
        int last = c < n ? (c + b->shape.band_width < n ? c + b->shape.band_width : n - 1) : c;
        for (int r = c; r <= last; r++, count++)
            if (row) row[count] = r, col[count] = c;
    }
    return count;
}

/* The pattern of P A Pᵀ, renumbered as assembled. */
static void read_sparse(cluster_matrix *x, const sparse_ldl *f)
{
    const int *original = x->order[ORDER_CHOSEN];
    for (int c = 0; c < f->n; c++)
        for (int e = f->column[c]; e < f->column[c + 1]; e++) {
            int i = original[f->row[e]], j = original[c];
            x->row[e] = i > j ? i : j;
            x->col[e] = i > j ? j : i;
        }
}

static cord_status read_pattern(cluster_matrix *x, memory *m, const problem *w, const cluster *s)
{
    const block *alone = s->banded ? w->block[s->block[0]] : NULL;
    x->entries = alone ? read_band(x, alone, NULL, NULL) : s->factor.entries;
    x->row = NEW(m, int, x->entries);
    x->col = NEW(m, int, x->entries);
    if (!x->row || !x->col) return CORD_ERROR_MEMORY;
    for (int u = 0; u < x->unknowns; u++) {
        x->order[ORDER_ASSEMBLED][u] = u;
        x->order[ORDER_CHOSEN][alone ? u : s->factor.p_inverse[u]] = u;
    }
    if (alone)
        read_band(x, alone, x->row, x->col);
    else
        read_sparse(x, &s->factor);
    return cord__cuthill_mckee(m, x->unknowns, x->entries, x->row, x->col,
                               x->order[ORDER_CUTHILL_MCKEE]);
}

cord_status cord__matrix_read(cluster_matrix *x, memory *m, const problem *w, const cluster *s)
{
    memset(x, 0, sizeof *x);
    x->unknowns = s->unknowns;
    x->kind = NEW(m, unsigned char, s->unknowns);
    x->block = NEW(m, int, s->unknowns);
    cord_status status = x->kind && x->block ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; i < MATRIX_ORDERS; i++) {
        x->order[i] = NEW(m, int, s->unknowns);
        x->inverse[i] = NEW(m, int, s->unknowns);
        if (!x->order[i] || !x->inverse[i]) status = CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK) read_kinds(x, w, s);
    if (status == CORD_OK) status = read_pattern(x, m, w, s);
    for (int i = 0; i < MATRIX_ORDERS && status == CORD_OK; i++) {
        for (int k = 0; k < x->unknowns; k++) x->inverse[i][x->order[i][k]] = k;
        x->half_bandwidth[i] = cord__half_bandwidth(x->entries, x->row, x->col, x->inverse[i]);
        status = cord__factor_entries(m, x->unknowns, x->entries, x->row, x->col, x->order[i],
                                      &x->factor_entries[i]);
    }
    if (status != CORD_OK) cord__matrix_free(x, m);
    return status;
}

void cord__matrix_free(cluster_matrix *x, memory *m)
{
    cord__release(m, x->row);
    cord__release(m, x->col);
    cord__release(m, x->kind);
    cord__release(m, x->block);
    for (int i = 0; i < MATRIX_ORDERS; i++) {
        cord__release(m, x->order[i]);
        cord__release(m, x->inverse[i]);
    }
    memset(x, 0, sizeof *x);
}
