/* Blocks of W by the responses of one cluster, RESPONSES columns at a time. */
#ifndef CORDAGE_SOLVE_CONTACT_COUPLING_H
#define CORDAGE_SOLVE_CONTACT_COUPLING_H

#include "math/multiversion.h"
#include "solve/contacts.h"

/* The contacts of a cluster, while their blocks are computed. */
struct coupling {
    const contact_set *k;
    const island_contacts *x;
    const cluster *s;
    const int *member; /* live contacts, ascending */
    int *cursor;       /* per member: the block of its row that is next */
    int first, count;  /* the present forces: columns of W, three per contact */
    bool symmetric;    /* blocks below the diagonal are enough */
    bool divided;      /* between the clusters of both sides of rows */
    double c_v;
};

static inline const contact_row *row_of(const coupling *c, int m)
{
    return c->k->row + c->k->live[c->x->first_row + c->member[m]];
}

/* The block of column `column` in the row of a member, at or after *at, which moves there. A row has the parts of two clusters, which
 * threads compute at the same time: that of its second side is apart, until all are there. */
static inline double *next_block(const coupling *c, int m, int column, int *at)
{
    const int *columns = c->k->column + c->x->first_block;
    const bool second = c->divided && row_of(c, m)->side[0].cluster != c->s;
    while (columns[*at] != column) (*at)++;
    return (second ? c->k->second_block : c->k->block) + 9 * (c->x->first_block + (size_t)*at);
}

/* The index of a row in a list, at the end of it where it is new; −1: there is no room. The rows of one dof are often those of the
 * dof before. */
static inline int index_of_row(int rows[MOVED_ROWS], int *count, int row, int guess)
{
    if (guess < *count && rows[guess] == row) return guess;
    for (int i = 0; i < *count; i++)
        if (rows[i] == row) return i;
    if (*count == MOVED_ROWS) return -1;
    rows[*count] = row;
    return (*count)++;
}

/* In a projection (contact_row_coupling.c): the blocks of a cluster by the motion of its rows. False: a contact moves too many, or
 * a body is in the cluster. */
bool cord__couple_under_rows(const problem *w, cluster *s, coupling *c);

/* The contacts of the present columns, and the blocks that are next in their rows. */
typedef struct block_columns {
    int first, last, transposed[RESPONSES];
} block_columns;

static inline block_columns present_columns(const coupling *c)
{
    const int *row_start = c->k->row_start + 2 * c->x->first_row;
    block_columns at = {.first = c->first / 3, .last = (c->first + c->count - 1) / 3};
    for (int j = at.first; j <= at.last; j++) at.transposed[j - at.first] = row_start[c->member[j]];
    return at;
}

/* Adds c_v × `out`, the motion of contact m by the forces of the present columns. Columns and rows ascend, so that blocks are
 * found by going along their rows. */
INLINE void add_to_blocks(const coupling *c, block_columns *at, int m, double out[3][RESPONSES])
{
    for (int j = at->first; j <= at->last; j++) {
        if (c->symmetric && j > m) continue;
        const int from = 3 * j > c->first ? 3 * j : c->first,
                  after = 3 * j + 3 < c->first + c->count ? 3 * j + 3 : c->first + c->count;
        double *own = next_block(c, m, c->member[j], c->cursor + m);
        double *mirror = c->symmetric && j < m
                             ? next_block(c, j, c->member[m], at->transposed + (j - at->first))
                             : NULL;
        for (int i = from; i < after; i++)
            for (int axis = 0; axis < 3; axis++) {
                const double entry = c->c_v * out[axis][i - c->first];
                own[3 * axis + i - 3 * j] += entry;
                if (mirror) mirror[3 * (i - 3 * j) + axis] += entry;
            }
    }
}

#endif
