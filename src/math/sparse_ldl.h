/* P A Pᵀ = L D Lᵀ of a sparse symmetric matrix, possibly indefinite, without pivoting.
 *
 * Meant for quasi-definite and saddle-point systems of strands, whose elimination order is chosen
 * so that every pivot exists: analyse the pattern once, then clear, add values, factor and solve
 * as often as needed. The factors take the place of the values. Only the analysis uses the heap.
 *
 *     cord__sparse_analyse(&f, m, n, entries, row, col, order, slot);
 *     cord__sparse_clear(&f);
 *     f.a[slot[e]] += value;  ...  f.a[f.diagonal[i]] -= delta;
 *     if (cord__sparse_factor(&f) == CORD_OK) cord__sparse_solve(&f, b, x);
 *
 * Columns of L that follow each other and have (nearly) nested patterns, such as the unknowns of
 * one vertex, are kept together as a supernode: one list of rows and one dense panel, so that the
 * inner loops run over contiguous numbers. Where columns have very few entries (rows along a rod) each is
 * one by itself, and its updates are listed one by one: the matrix is `thin`. */
#ifndef CORDAGE_MATH_SPARSE_LDL_H
#define CORDAGE_MATH_SPARSE_LDL_H

#include "math/memory.h"

#include <stdbool.h>

/* A panel's columns are so far apart that vectors of four doubles do not straddle two of them; they are
 * worked on four at a time. */
#define PANEL_ROWS(height) (((size_t)(height) + 3) / 4 * 4)
enum { PANEL_COLUMNS = 4 };

/* What a supernode does to one later supernode, the target: of its rows below, [begin, end) are
 * columns of the target, and all from `begin` on are in the target's panel, in runs. */
typedef struct sparse_update {
    int target, begin, end;
    size_t run, run_end;
} sparse_update;

/* Rows below a supernode that follow each other in a target's panel, too. */
typedef struct sparse_run {
    int row, place, count; /* the first: of the rows below, and of the panel's */
} sparse_run;

typedef struct sparse_ldl {
    int n;
    int *p_inverse; /* n: original index -> place in the elimination order */
    int *diagonal;  /* n: slot of an original diagonal entry */

    /* The lower triangle of P A Pᵀ by columns, rows ascending, the diagonal first. */
    int entries;
    int *column; /* n + 1: where a column's entries begin */
    int *row;    /* entries */
    int *slot;   /* entries: where an entry is in `a` */

    /* L by supernodes. Columns first[s] .. first[s+1]-1 share the rows below them, and a panel by
     * columns: their own triangle, then those rows. D is on the panels' diagonals. */
    bool thin;
    int supernodes;
    int *first;           /* supernodes + 1 */
    size_t *below;        /* supernodes + 1: where a supernode's rows begin in `rows` */
    int *rows;            /* ascending */
    size_t *panel;        /* supernodes + 1: where a panel begins in `a` */
    double *a, *memory;   /* the panels, where vectors are aligned; and the memory they are in */
    size_t *update_start; /* supernodes + 1 */
    sparse_update *updates;
    sparse_run *runs;
    int *
        target; /* thin: per column and pair of its rows, in their order, where the update goes in `a` */
    size_t nonzeros; /* of L below the diagonal, zeros kept in panels not counted */

    double *inverse_pivot; /* n, in elimination order */
    double *x;             /* n: workspace in elimination order */
    double *piece;         /* workspace of PANEL_COLUMNS of the longest panel */
    double *scaled;        /* workspace as large as the largest panel: L D */

    int negative;   /* negative pivots of the last factorisation */
    int bad_column; /* original index of the pivot that failed, or -1 */
} sparse_ldl;

/* Analyse a pattern of `entries` pairs (row, col) in original indices: in any order, repeated or
 * not, from either triangle; a pair stands for both symmetric entries. order[k] is the original
 * index eliminated k-th; NULL: the natural order. slot[e] (out) is where pair e accumulates in
 * f->a; all diagonal entries are in the pattern. Overwrites `f`; on failure `f` holds nothing.
 * CORD_ERROR_ARGUMENT: an index out of range, or `order` is no permutation. */
cord_status cord__sparse_analyse(sparse_ldl *f, memory *m, int n, int entries, const int *row,
                                 const int *col, const int *order, int *slot);

void cord__sparse_clear(sparse_ldl *f); /* all values zero */

/* CORD_ERROR_SINGULAR, with bad_column, when a pivot is zero or not finite. */
cord_status cord__sparse_factor(sparse_ldl *f);
/* The same, and A x = b: half of that is done while panels are at hand. */
cord_status cord__sparse_factor_and_solve(sparse_ldl *f, const double *b, double *x);

/* A x = b with the last factorisation; original indices, b == x allowed. Uses workspace in `f`:
 * one thread at a time. */
void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x);

/* The same in turns: clear panels before anything is added to them, factor those that are complete, in
 * ascending order, all of them if it is `thin`. y, which may be NULL, is b in the order of elimination,
 * wanted where a panel is factored; what panels do to it is added. Then solve_upper() makes x of it. */
void cord__sparse_clear_panels(sparse_ldl *f, int first, int end);
void cord__sparse_begin(sparse_ldl *f);
cord_status cord__sparse_factor_panels(sparse_ldl *f, int begin, int end, double *y);
void cord__sparse_solve_upper(const sparse_ldl *f, double *y);
void cord__sparse_from_order(const sparse_ldl *f, double *x); /* f->x in original indices */

void cord__sparse_free(sparse_ldl *f, memory *m); /* a zeroed `f` is fine */

/* Approximate minimum-degree order of an undirected graph of `groups` nodes, given by its edges
 * (a[e], b[e]), repeated or not, loops allowed: order[k] is the node eliminated k-th. The same
 * graph gives the same order. */
cord_status cord__order_groups(memory *m, int groups, int edges, const int *a, const int *b,
                               int *order);

#endif
