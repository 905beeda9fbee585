/* Coulomb's law at one contact, in the axes n, t₁, t₂:
 *
 *     u = W p + b,     K*_μ ∋ u + μ|u_T| n ⊥ p ∈ K_μ = {|p_T| ≤ μ p_N}     [De Saxcé and Feng 1998].
 *
 * Matrices are 3×3, by rows. */
#ifndef CORDAGE_SOLVE_CONE_COULOMB_H
#define CORDAGE_SOLVE_CONE_COULOMB_H

typedef enum contact_state { CONTACT_OPEN, CONTACT_STICK, CONTACT_SLIP } contact_state;

/* The exact force for a symmetric positive semidefinite W. Where W_NN is not positive, no force separates the contact, and p
 * becomes zero. */
contact_state cord__coulomb_solve(const double *W, const double *b, double friction, double *p);

/* p becomes the nearest point of K_μ. */
void cord__cone_project(double friction, double *p);

/* |p − P_K(p − (u + μ|u_T| n)/D)|², zero exactly where the law is satisfied; D > 0 is a mean of the diagonal of W. */
double cord__natural_map(double scale, double friction, const double *u, const double *p);

#endif
