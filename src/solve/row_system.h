/* The rows of a cluster only, for fast projection [DER 2008, section 8.1]: where all dofs of the rows have inertia,
 * the dofs are eliminated before the factorisation,
 *
 *     (h² B M⁻¹ Bᵀ + C) y = g,   δ = −h² M⁻¹ Bᵀ y,
 *
 * which for a rod is tridiagonal. M is diagonal, or block-diagonal for bodies. A coordinate (sliding, revolute or
 * prismatic) is an unknown in addition to y: it has little inertia I or none, and the friction c. With b the
 * derivatives of the rows by it, and r the residual of its balance,
 *
 *     [ h² B M⁻¹ Bᵀ + C      −b      ] [ y ]   [ g ]
 *     [      −bᵀ        −c/h − I/h²  ] [ z ] = [ r ].
 *
 * It is eliminated first, with a small artificial inertia where it has none. */
#ifndef CORDAGE_SOLVE_ROW_SYSTEM_H
#define CORDAGE_SOLVE_ROW_SYSTEM_H

#include "block/term.h"
#include "math/sparse_ldl.h"

/* The Jacobian entry of a row for a dof with a diagonal mass; and a pair of entries on one dof. */
typedef struct dof_entry {
    int row, entry, dof; /* dof: index in the world's arrays */
    int before;          /* the previous entry on the same dof; -1: none */
} dof_entry;
typedef struct row_pair {
    int slot, first, second, dof; /* first, second: Jacobian entries */
    int count;                    /* consecutive dofs, with consecutive entries */
} row_pair;

/* A row on a body, and its Jacobian there. */
typedef struct body_row {
    const block *body;
    int row, before;                       /* before: the previous row on the same body; -1: none */
    double B[BODY_DOFS], moved[BODY_DOFS]; /* moved: M⁻¹ Bᵀ */
} body_row;
typedef struct body_entry {
    int body_row, entry, dof; /* dof: of the body */
} body_entry;
typedef struct body_pair {
    int slot, first, second; /* first, second: rows on bodies */
} body_pair;

/* The derivative of a row by a coordinate. */
typedef struct row_crossing {
    int slot, row, entry, coordinate;
} row_crossing;

struct row_system {
    int rows, entries, dof_entries, pairs, body_rows, body_entries, body_pairs, coordinates,
        crossings;
    int *multiplier; /* per row: its index; below 0: −1 − the index of an inertial coordinate */
    int *first;      /* per row: its first Jacobian entry */
    double *entry, *compliance;
    double *mobility;  /* per row: approximate displacement by a unit force; 0: none */
    double *y;         /* rows, then coordinates */
    double *imbalance; /* per coordinate: residual of its balance */
    const block **coordinate;
    row_crossing *crossing;
    dof_entry *dof_entry;
    row_pair *pair;
    body_row *body_row;
    body_entry *body_entry;
    body_pair *body_pair;
    sparse_ldl factor;
    /* Where contacts act on the cluster: rows of cluster.responses of its dofs, block by block (below 0: of an alias), and of
     * the dofs of entries; y of RESPONSES forces, in the order of elimination, aligned in its memory. */
    int *dof_response, *entry_response;
    /* Per row of cluster.responses: its dof, and the last Jacobian entry on it, -1: none. Without bodies. And workspace, of -1. */
    int *response_dof, *last_entry, *last_contact;
    double *response, *response_memory;
    /* The matrix that was factored last: entries of factor.row. Its graph in the order of elimination: neighbours of row i
     * from neighbour_start[i] on. */
    double *value;
    int *neighbour_start, *neighbour;
};

cord_status cord__row_system_make(row_system *x, const problem *w, const cluster *s, memory *m);
void cord__row_system_free(row_system *x, memory *m);

/* Room for the responses to forces on the dofs of the cluster. */
cord_status cord__row_system_reserve(row_system *x, const problem *w, const cluster *s, memory *m);

/* From Jacobian entries, `compliance` (C), `imbalance` (r) and, in y, g: increments into `delta`, with M/h² as the
 * metric, the y of the rows, and the remaining residuals of the balances. False where a pivot vanishes. */
bool cord__row_system_solve(row_system *x, const problem *w, double h, double *delta);

/* With its factor: cluster.responses x from forces F to motions, (M/h²) x + Bᵀy = F, B x − C y = 0, of `count` forces, at most
 * RESPONSES. Then the motion by the first of them is added to `delta`, and x->y is its y. */
void cord__row_system_respond(const row_system *x, const problem *w, const cluster *s, double h,
                              int count);
void cord__row_system_add_response(row_system *x, const problem *w, const cluster *s, double h,
                                   double *delta);

/* The increments of coordinates by x->y, added to `delta`, and the residual of their balance afterwards. */
void cord__move_coordinates(row_system *x, double h, double *delta);

#endif
