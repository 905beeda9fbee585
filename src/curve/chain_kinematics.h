/* Kinematics of a chain of curvature elements: position and frame along it, and their derivatives.
 *
 * A change of any dof moves the rest of the chain as a rigid body, by a screw (a, b): a unit change
 * rotates the frame at the current position r by a and moves r by b + a × r, both in world
 * coordinates. The screws are columns of the Jacobian, integrals along the chain (F_i the shape
 * function of κ_i):
 *     curvature κ_i     a = ∫ F_i R,      b = ∫ F_i r × R
 *     log of length ℓ_e a = ∫ R κ,        b = ∫ (t + r × R κ)      over element e
 * and constant beyond the support of the dof. */
#ifndef CORDAGE_CURVE_CHAIN_KINEMATICS_H
#define CORDAGE_CURVE_CHAIN_KINEMATICS_H

#include "curve/element.h"

#include <stdbool.h>

typedef struct chain {
    element_kind kind;
    int elements;
    double *length; /* elements */
    double *kappa;  /* 3 × curvature_count() */
    double position[3], frame[9];
} chain;

typedef struct screw {
    double a[3], b[3]; /* rotation, translation at the origin */
} screw;

/* The dofs: of the base, then of the curvatures, then of the lengths. */
typedef struct dof_layout {
    bool planar;  /* base: along t and m1 of the plane, rotation about m2; curvatures: k2 only */
    bool base;    /* the base is free */
    bool lengths; /* lengths are free */
    double plane[9];
} dof_layout;

static inline int base_dofs(const dof_layout *l)
{
    return !l->base ? 0 : l->planar ? 3 : 6;
}
static inline int curvature_dofs(const dof_layout *l, const chain *c)
{
    return (l->planar ? 1 : 3) * curvature_count(c->kind, c->elements);
}
static inline int dof_count(const dof_layout *l, const chain *c)
{
    return base_dofs(l) + curvature_dofs(l, c) + (l->lengths ? c->elements : 0);
}

/* A point of the chain, at arc length u within an element. */
typedef struct chain_point {
    int element;
    double u;
    double position[3], frame[9];
} chain_point;

void cord__chain_start(const chain *c, const dof_layout *l, chain_point *w, screw *jacobian);

/* Advances by `distance` >= 0, at most to the end. The Jacobian may be NULL. */
void cord__chain_advance(const chain *c, const dof_layout *l, chain_point *w, double distance,
                         screw *jacobian);

/* Advances to the end of the chain. */
void cord__chain_advance_to_end(const chain *c, const dof_layout *l, chain_point *w,
                                screw *jacobian);

/* The distance from a point to the point of the chain nearest to x after it: Newton's method on t ·
 * (r − x) = 0 from the guess, with steps of at most `reach`. */
double cord__chain_nearest(const chain *c, const chain_point *from, const double x[3], double guess,
                           double reach);

/* to = from + step, one increment per dof. `to` has the arrays of a chain of the same size. */
void cord__chain_update(const chain *from, const dof_layout *l, const double *step, chain *to);

double cord__chain_length(const chain *c);

#endif
