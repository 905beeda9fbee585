/* The frictional contact problem: forces p of n contacts, in the axes normal, tangent, tangent, with
 *
 *     u = W p + b,     K*_μ ∋ u + μ|u_T| n ⊥ p ∈ K_μ,     K_μ = {|p_T| ≤ μ p_N}.
 *
 * W is sparse by 3×3 blocks, positive semidefinite up to an unsymmetric part, and may be singular. A proximal term in time makes
 * the forces of redundant contacts unique, without bias where p = p⁻: with D_i = tr W_ii/3,
 *
 *     W_ii += ε D_i I,     b_i −= ε D_i p⁻_i.
 *
 * The method: block Gauss–Seidel sweeps with the local solver of coulomb.h, Anderson acceleration of the sweeps, and
 * Newton's method on the equations of Alart and Curnier [1991] where sweeps are slow. */
#ifndef CORDAGE_SOLVE_CONE_CONE_H
#define CORDAGE_SOLVE_CONE_CONE_H

#include <stddef.h>

typedef struct cone_problem {
    int contacts;
    const int *row_start;     /* contacts + 1: the blocks of each row of W */
    const int *column;        /* of each block, ascending in a row */
    const double *block;      /* 9 doubles by rows, each */
    const double *b;          /* 3 per contact */
    const double *friction;   /* μ ≥ 0, one per contact */
    const double *compliance; /* 3 per contact, added to the diagonal of W_ii; NULL: none */
    const double *previous;   /* p⁻, 3 per contact; NULL: zero */
} cone_problem;

typedef struct cone_options {
    double tolerance; /* of the residual */
    double proximal;  /* ε */
    int sweeps; /* most of them; every round of Newton steps follows some, so that this limits both */
    int history;  /* sweeps that Anderson acceleration keeps, up to CONE_HISTORY; 0: plain sweeps */
    int patience; /* sweeps that must reduce the residual tenfold, or Newton steps follow */
} cone_options;

enum { CONE_HISTORY = 10, CONE_DENSE = 60 /* contacts whose Newton steps are factored */ };

typedef struct cone_report {
    int sweeps, newton_steps;
    int products; /* with W, in the linear solver of Newton's method */
    double
        residual; /* √(Σ|p − P_K(p − (u + μ|u_T| n)/D)|² / Σ|p|²), 1 where p = 0 does not satisfy the law */
    int worst;    /* the contact with the largest term of the first sum; −1: all are zero */
} cone_report;

/* The defaults. A step of Newton's method costs more sweeps where it is not dense, so that patience grows with the contacts. */
cone_options cord__cone_options(int contacts);

/* Length of the workspace, in doubles. */
size_t cord__cone_room(int contacts);

/* `p` is the first iterate and becomes the best one; it is in K_μ. The solve cannot fail: without a solution, as where
 * prescribed obstacles compress a body, or out of sweeps, the residual stays above the tolerance. A contact that no force moves
 * (tr W_ii not positive) takes no force and has no part in the residual. */
cone_report cord__cone_solve(const cone_problem *problem, const cone_options *options,
                             double *workspace, double *p);

#endif
