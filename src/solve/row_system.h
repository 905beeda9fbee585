/* The rows of an island alone, for fast projection [DER 2008, section 8.1]: where all that rows touch has
 * inertia, what moves is eliminated before anything is factored,
 *
 *     (h² B M⁻¹ Bᵀ + C) y = g,   δ = −h² M⁻¹ Bᵀ y,
 *
 * which for a rod is tridiagonal. M is diagonal, or that of bodies. A coordinate (where a point slides, a turn, a
 * travel) is an unknown beside y: it has little inertia or none, and the friction c. With b its slopes and r what its
 * balance lacks,
 *
 *     [ h² B M⁻¹ Bᵀ + C      −b      ] [ y ]   [ g ]
 *     [      −bᵀ        −c/h − I/h²  ] [ z ] = [ r ].
 *
 * It is eliminated first, with a little inertia where it has no more. */
#ifndef CORDAGE_SOLVE_ROW_SYSTEM_H
#define CORDAGE_SOLVE_ROW_SYSTEM_H

#include "block/term.h"
#include "math/sparse_ldl.h"

/* A slope of a row over a column with a mass of its own; and two of them on one column. */
typedef struct row_touch {
    int row, entry, dof; /* column: in the world's */
    int before;          /* on the same column; -1: none */
} row_touch;
typedef struct row_pair {
    int slot, first, second, dof; /* first, second: slopes */
    int count;                    /* of columns, slopes too, that follow each other */
} row_pair;

/* A row on a body, and its slopes there. */
typedef struct body_touch {
    const block *body;
    int row, before;                       /* on the same body; -1: none */
    double B[BODY_DOFS], moved[BODY_DOFS]; /* moved: M⁻¹ Bᵀ */
} body_touch;
typedef struct body_slope {
    int touch, entry, dof; /* column: of the body's */
} body_slope;
typedef struct body_pair {
    int slot, first, second; /* touches */
} body_pair;

/* A slope of a row over a coordinate. */
typedef struct row_crossing {
    int slot, row, entry, coordinate;
} row_crossing;

struct row_system {
    int rows, entries, touches, pairs, body_touches, body_slopes, body_pairs, coordinates,
        crossings;
    int *
        multiplier; /* per row: in the world's list; below 0: of an inertial coordinate, −1 less its index */
    int *first; /* per row: its first slope */
    double *entry, *compliance;
    double *mobility;  /* per row: roughly, as far as a force of 1 moves it; 0: not at all */
    double *y;         /* rows, then coordinates */
    double *imbalance; /* per coordinate: of its balance */
    const block **coordinate;
    row_crossing *crossing;
    row_touch *touch;
    row_pair *pair;
    body_touch *body_touch;
    body_slope *body_slope;
    body_pair *body_pair;
    sparse_ldl factor;
};

cord_status cord__row_system_make(row_system *x, const problem *w, const island *s, memory *m);
void cord__row_system_free(row_system *x, memory *m);

/* With slopes, `soft` (C), `lack` and, in y, g: increments into `delta`, with M/h² as the metric, y of the rows, and
 * what is lacking then. False where a pivot vanishes. */
bool cord__row_system_solve(row_system *x, const problem *w, double h, double *delta);

#endif
