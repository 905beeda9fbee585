/* What chains of curvature elements are made of. */
#ifndef CORDAGE_CURVE_ELEMENT_H
#define CORDAGE_CURVE_ELEMENT_H

typedef enum element_kind {
    ELEMENT_SEGMENT, /* rigid bars that turn at their joints */
    ELEMENT_HELIX,   /* constant curvature */
    ELEMENT_CLOTHOID /* affine curvature, continuous at nodes */
} element_kind;

/* Curvature vectors of a chain: at nodes, or per element. */
static inline int curvature_count(element_kind kind, int elements)
{
    return kind == ELEMENT_CLOTHOID ? elements + 1 : elements;
}

#endif
