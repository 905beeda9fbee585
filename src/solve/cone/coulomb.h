/* Coulomb's law at one contact, in the axes n, t₁, t₂:
 *
 *     u = W p + b,     K*_μ ∋ u + μ|u_T| n ⊥ p ∈ K_μ = {|p_T| ≤ μ p_N}     [De Saxcé and Feng 1998].
 *
 * Matrices are 3×3, by rows. */
#ifndef CORDAGE_SOLVE_CONE_COULOMB_H
#define CORDAGE_SOLVE_CONE_COULOMB_H

typedef enum contact_state { CONTACT_OPEN, CONTACT_STICK, CONTACT_SLIP } contact_state;

/* A symmetric positive semidefinite W, prepared for solutions with many b: after elimination of p_N, in the eigenbasis of Ŵ. */
typedef struct coulomb_contact {
    double friction;
    double mobility, inverse_mobility; /* W_NN, 1/W_NN */
    double ratio[2];                   /* W_TN/W_NN */
    double eigenvalue[2], axis[2];     /* of Ŵ, the first one larger; the first eigenvector */
    double inverse[2];                 /* of the eigenvalues */
    double coupling[2];                /* W_NT in the eigenbasis */
} coulomb_contact;

coulomb_contact cord__coulomb_prepare(const double *W, double friction);

/* The force, with an error of about the square of `accuracy`, relative to it, and in the cone. Where W_NN is not positive, no force
 * separates the contact, and p becomes zero. A force p near the solution saves iterations. */
contact_state cord__coulomb_force(const coulomb_contact *c, const double *b, double accuracy,
                                  double *p);

contact_state cord__coulomb_solve(const double *W, const double *b, double friction, double *p);

/* p becomes the nearest point of K_μ. */
void cord__cone_project(double friction, double *p);

/* |p − P_K(p − (u + μ|u_T| n)/D)|², zero exactly where the law is satisfied; D > 0 is a mean of the diagonal of W. */
double cord__natural_map(double scale, double friction, const double *u, const double *p);

#endif
