/* The braid of a loose knot, a reference for the knots of the contact suite. It shares no code with the library's contact.
 *
 * Two strands of radius a and bending stiffness B pass each other. At one end of the braid the first has no curvature and the
 * second 1/R, at the other the reverse. On lengths ℓ = √(2aR) slopes are small, tension acts less than bending by a/R, and the mean of
 * both strands is a parabola. Their difference d = 2a u(z/ℓ), a curve in the plane across the axis, obeys
 *     u'''' = p u/|u|,    |u| ≥ 1,  p ≥ 0,  p (|u| − 1) = 0,    u'' → −y and y at ±∞ with y⊥x, |y| = 1.
 * Its direction turns by n half turns. With the symmetry u_x(−ζ) = u_x(ζ), u_y(−ζ) = −u_y(ζ) half of it is enough. The contact
 * set is an interval −ζ₁ … ζ₁ with forces f₁ at its ends and two points ±(ζ₁ + g) with forces f₂
 * [Audoly, Clauvelin and Neukirch 2007; Clauvelin, Audoly and Neukirch 2009, which begin from the same expansion]. */
#ifndef CORDAGE_VALIDATION_CONTACT_BRAID_H
#define CORDAGE_VALIDATION_CONTACT_BRAID_H

#include <stdbool.h>

/* u = (cos ψ, sin ψ) in the interval, ψ''' = 2ψ'³ + constant; cubic and quadratic polynomials outside. */
typedef struct braid {
    int half_turns;    /* n: 3 of a trefoil, 5 of a cinquefoil */
    double rate;       /* ψ' at 0 */
    double end_change; /* ψ'' at ζ₁ as the linearisation about ψ'' = 0 has it */
    double interval;   /* ζ₁ */
    double end_force;  /* f₁ */
    double gap;        /* g */
    double tip_force;  /* f₂ */
    double pressure;   /* ∫ p from 0 to ζ₁ */
} braid;

/* Finds the braid of n half turns, odd and at least 3. False where Newton's method does not converge, or where the solution
 * violates an inequality: p, f₁, f₂ ≥ 0, |u| ≥ 1, or the number of half turns. */
bool braid_find(int half_turns, braid *b);

/* u and u' at ζ ≥ 0. */
void braid_at(const braid *b, double zeta, double u[2], double slope[2]);

/* All contact forces add up to σ B/(R²ε), ε = √(a/R). */
double braid_contact(const braid *b);

#endif
