/* Elements of chains: curves whose curvature is given element by element. */
#ifndef CORDAGE_CURVE_ELEMENT_H
#define CORDAGE_CURVE_ELEMENT_H

typedef enum element_kind {
    ELEMENT_SEGMENT, /* straight rigid bars that rotate against each other at joints */
    ELEMENT_HELIX,   /* constant curvature */
    ELEMENT_CLOTHOID /* affine curvature, continuous at nodes */
} element_kind;

/* Number of curvature vectors of a chain: one per node (clothoid) or per element. */
static inline int curvature_count(element_kind kind, int elements)
{
    return kind == ELEMENT_CLOTHOID ? elements + 1 : elements;
}

#endif
