/* Capabilities of strand models, by the names of the capabilities: scenes and the command ask for these, never for
 * the name of a model. */
#ifndef CORDAGE_BLOCK_STRAND_TRAITS_H
#define CORDAGE_BLOCK_STRAND_TRAITS_H

#include <stdbool.h>

typedef struct strand_traits {
    bool has_elements;        /* a chain of elements, whose unknowns are curvatures */
    bool has_nodal_curvature; /* with elements: curvatures are at nodes; else one per element */
    bool has_exact_twist; /* twist is integrated along an element, and may be of any size there */
    bool has_control_points; /* a curve fitted to the vertices, not as long as their polyline */
    bool has_vertex_dofs;    /* the positions of vertices are degrees of freedom */
} strand_traits;

#endif
