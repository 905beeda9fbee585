/* P A Pᵀ = L D Lᵀ of a sparse symmetric, possibly indefinite matrix, without pivoting [Davis,
 * Direct Methods for Sparse Linear Systems, 2006].
 *
 * Intended for quasi-definite and saddle-point systems of strands, whose elimination order is
 * chosen so that every pivot exists: analyse the pattern once, then clear, add values, factor and
 * solve as often as needed. The factors overwrite the values. Only the analysis uses the heap.
 *
 *     cord__sparse_analyse(&f, m, n, entries, row, col, order, slot);
 *     cord__sparse_clear(&f);
 *     f.a[slot[e]] += value;  ...  f.a[f.diagonal[i]] -= delta;
 *     if (cord__sparse_factor(&f) == CORD_OK) cord__sparse_solve(&f, b, x);
 *
 * Supernodal: consecutive columns of L with (nearly) nested patterns, such as the unknowns of one
 * vertex, form a supernode with one list of rows and one dense panel, so that the inner loops run
 * over contiguous memory. A matrix with very few entries per column (constraint rows along a rod)
 * is `simplicial` instead: each column is a supernode, and the target of each update is listed. */
#ifndef CORDAGE_MATH_SPARSE_LDL_H
#define CORDAGE_MATH_SPARSE_LDL_H

#include "math/memory.h"

#include <stdbool.h>

/* Columns of a panel are padded to whole vectors of four doubles, and factored four at a time. */
#define PANEL_ROWS(height) (((size_t)(height) + 3) / 4 * 4)
enum { PANEL_COLUMNS = 4 };

/* The update of a later supernode, the target, by a supernode: its rows below the diagonal block in
 * [begin, end) are columns of the target, and all rows from `begin` on are rows of the target's
 * panel, contiguous within runs. */
typedef struct sparse_update {
    int target, begin, end;
    size_t run, run_end;
} sparse_update;

/* Consecutive rows below a supernode that are also consecutive in the target's panel. */
typedef struct sparse_run {
    int row, panel_row, count; /* first row: among the rows below, and in the target's panel */
} sparse_run;

typedef struct sparse_ldl {
    int n;
    int *p_inverse; /* n: original index -> index in the elimination order */
    int *diagonal;  /* n: slot of an original diagonal entry */

    /* The lower triangle of P A Pᵀ by columns, rows ascending, the diagonal first. */
    int entries;
    int *column; /* n + 1: where a column's entries begin */
    int *row;    /* entries */
    int *slot;   /* entries: where an entry is in `a` */

    /* L by supernodes. Columns first[s] .. first[s+1]-1 share the rows below them and one panel by
     * columns: their diagonal block, then those rows. D is on the diagonals of the panels. */
    bool simplicial;
    int supernodes;
    int *first;           /* supernodes + 1 */
    size_t *below;        /* supernodes + 1: where a supernode's rows begin in `rows` */
    int *rows;            /* ascending */
    size_t *panel;        /* supernodes + 1: where a panel begins in `a` */
    double *a, *memory;   /* the panels, aligned for vectors, and the allocation they lie in */
    size_t *update_start; /* supernodes + 1 */
    sparse_update *updates;
    sparse_run *runs;
    int *target;     /* simplicial: per column and pair of its rows, the updated entry of `a` */
    size_t nonzeros; /* of L below the diagonal, without the explicit zeros of panels */

    double *inverse_pivot; /* n, in elimination order */
    double *x;             /* n: workspace in elimination order */
    double *panel_work;    /* workspace: PANEL_COLUMNS columns of the longest panel */
    double *scaled;        /* workspace of the size of the largest panel: L D */

    int negative;     /* negative pivots of the last factorisation */
    int failed_pivot; /* original index of the pivot that failed, or -1 */
} sparse_ldl;

/* Symbolic analysis of a pattern of `entries` pairs (row, col) in original indices: in any order,
 * repeated or not, from either triangle; a pair stands for both symmetric entries. order[k] is the
 * original index eliminated k-th; NULL: the natural order. slot[e] (out) is the index in f->a that
 * pair e is added to; the diagonal is always part of the pattern. Overwrites `f`; on failure `f` is
 * zeroed. CORD_ERROR_ARGUMENT: an index out of range, or `order` is no permutation. */
cord_status cord__sparse_analyse(sparse_ldl *f, memory *m, int n, int entries, const int *row,
                                 const int *col, const int *order, int *slot);

void cord__sparse_clear(sparse_ldl *f); /* all values zero */

/* CORD_ERROR_SINGULAR, with failed_pivot set, when a pivot is zero or not finite. */
cord_status cord__sparse_factor(sparse_ldl *f);
/* Factors and solves A x = b: the forward substitution happens while a panel is in the cache. */
cord_status cord__sparse_factor_and_solve(sparse_ldl *f, const double *b, double *x);

/* A x = b with the last factorisation; original indices, b == x allowed. Uses workspace in `f`:
 * one thread at a time. */
void cord__sparse_solve(const sparse_ldl *f, const double *b, double *x);

/* The same for SPARSE_COLUMNS right-hand sides at once: x has n rows of one value of each, in
 * elimination order, and becomes the solution. Uses no workspace. */
enum { SPARSE_COLUMNS = 8 };
void cord__sparse_solve_many(const sparse_ldl *f, double *x);

/* Interleaved assembly and factorisation (cache blocking): clear panels before values are added to
 * them, then factor panels that are complete, in ascending order (all at once if `simplicial`). y,
 * which may be NULL, is b in elimination order, complete wherever a panel is factored; the forward
 * substitution of the panel is applied to it. Then solve_upper() turns y into x. */
void cord__sparse_clear_panels(sparse_ldl *f, int first, int end);
void cord__sparse_begin(sparse_ldl *f);
cord_status cord__sparse_factor_panels(sparse_ldl *f, int begin, int end, double *y);
void cord__sparse_solve_upper(const sparse_ldl *f, double *y);
void cord__sparse_solve_lower(const sparse_ldl *f, double *y); /* all panels, after factoring */
void cord__sparse_unpermute(const sparse_ldl *f, double *x); /* x = Pᵀ f->x, in original indices */

void cord__sparse_free(sparse_ldl *f, memory *m); /* a zeroed `f` is allowed */

/* Approximate minimum degree order [Amestoy, Davis and Duff 1996] of an undirected graph of
 * `groups` nodes, given by its edges (a[e], b[e]), repeated or not, loops allowed: order[k] is the
 * node eliminated k-th. The same graph gives the same order. */
cord_status cord__minimum_degree_order(memory *m, int groups, int edges, const int *a, const int *b,
                                       int *order);

#endif
