/* Walking along a chain of curvature elements, with the derivatives of place and frame.
 *
 * Every unknown of a chain moves what comes after it as a rigid screw (a, b): a change of 1 turns
 * the frame at the present place r by a and moves that place by b + a × r, both in the world. A
 * column is such a pair, an integral along the chain:
 *     curvature κ_i     a = ∫ F_i R,      b = ∫ F_i r × R
 *     log of length ℓ_e a = ∫ R κ,        b = ∫ (t + r × R κ)      over element e
 * and constant from the end of its support on. */
#ifndef CORDAGE_CURVE_FIT_WALK_H
#define CORDAGE_CURVE_FIT_WALK_H

#include "curve/element.h"

#include <stdbool.h>

typedef struct chain {
    element_kind kind;
    int elements;
    double *length; /* elements */
    double *kappa;  /* 3 × curvature_count() */
    double place[3], frame[9];
} chain;

typedef struct screw {
    double a[3], b[3];
} screw;

/* Which columns there are: of the base, then of the curvatures, then of the lengths. */
typedef struct dof_layout {
    bool planar;  /* place: along t and m1 of the plane, turning about m2, curvatures k2 only */
    bool base;    /* the base moves */
    bool lengths; /* lengths change */
    double plane[9];
} dof_layout;

static inline int base_columns(const dof_layout *l)
{
    return !l->base ? 0 : l->planar ? 3 : 6;
}
static inline int curvature_columns(const dof_layout *l, const chain *c)
{
    return (l->planar ? 1 : 3) * curvature_count(c->kind, c->elements);
}
static inline int column_count(const dof_layout *l, const chain *c)
{
    return base_columns(l) + curvature_columns(l, c) + (l->lengths ? c->elements : 0);
}

/* A place on the chain: in an element, at arc length u of it. */
typedef struct walker {
    int element;
    double u;
    double place[3], frame[9];
} walker;

void cord__walk_begin(const chain *c, const dof_layout *l, walker *w, screw *columns);

/* Go `distance` >= 0 further, at most to the end. Columns may be NULL. */
void cord__walk(const chain *c, const dof_layout *l, walker *w, double distance, screw *columns);

/* To the very end of the chain. */
void cord__walk_to_end(const chain *c, const dof_layout *l, walker *w, screw *columns);

/* How far it is from the walker to the place nearest to x after it: Newton's method on
 * t · (r − x) = 0 from the guess on, never by more than `reach` at once. */
double cord__nearest_place(const chain *c, const walker *from, const double x[3], double guess,
                           double reach);

/* Change the chain by `step`, one number per column. `to` has the arrays of a chain like `from`. */
void cord__chain_move(const chain *from, const dof_layout *l, const double *step, chain *to);

double cord__chain_length(const chain *c);

#endif
