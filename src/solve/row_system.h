/* The rows of an island alone, for fast projection [DER 2008, section 8.1]: where all that rows touch has
 * inertia, what moves is eliminated before anything is factored,
 *
 *     (h² B M⁻¹ Bᵀ + C) y = g,   δ = −h² M⁻¹ Bᵀ y,
 *
 * which for a rod is tridiagonal. M is diagonal, or that of bodies. */
#ifndef CORDAGE_SOLVE_ROW_SYSTEM_H
#define CORDAGE_SOLVE_ROW_SYSTEM_H

#include "block/block.h"
#include "math/sparse_ldl.h"

typedef struct problem problem;
typedef struct island island;

/* A slope of a row over a column with a mass of its own; and two of them on one column. */
typedef struct row_touch {
    int row, slope, column; /* column: in the world's */
    int before;             /* on the same column; -1: none */
} row_touch;
typedef struct row_pair {
    int slot, first, second, column; /* first, second: slopes */
    int count;                       /* of columns, slopes too, that follow each other */
} row_pair;

/* A row on a body, and its slopes there. */
typedef struct body_touch {
    const block *body;
    int row, before;                             /* on the same body; -1: none */
    double B[BODY_COLUMNS], moved[BODY_COLUMNS]; /* moved: M⁻¹ Bᵀ */
} body_touch;
typedef struct body_slope {
    int touch, slope, column; /* column: of the body's */
} body_slope;
typedef struct body_pair {
    int slot, first, second; /* touches */
} body_pair;

typedef struct row_system {
    int rows, slopes, touches, pairs, body_touches, body_slopes, body_pairs;
    int *multiplier; /* per row: in the world's list */
    int *first;      /* per row: its first slope */
    double *slope, *soft, *y;
    row_touch *touch;
    row_pair *pair;
    body_touch *body_touch;
    body_slope *body_slope;
    body_pair *body_pair;
    sparse_ldl factor;
} row_system;

cord_status cord__row_system_make(row_system *x, const problem *w, const island *s, memory *m);
void cord__row_system_free(row_system *x, memory *m);

/* With slopes and `soft` (C) set, for g (world's numbers): increments into `delta`, with M/h² as the metric, and y of
 * the rows. False where a pivot vanishes. */
bool cord__row_system_solve(row_system *x, const problem *w, double h, const double *g,
                            double *delta);

#endif
