/* From a material and a cross-section to what a rod needs to know: mass and stiffness per length. */
#ifndef CORDAGE_CURVE_SECTION_H
#define CORDAGE_CURVE_SECTION_H

#include <cordage/strand.h>

typedef struct section_stiffness {
    double mass;           /* kg/m */
    double stretching;     /* EA, N */
    double bending[2];     /* N m²: turning about the first director, about the second */
    double twisting;       /* GJ, N m² */
    double rotary_inertia; /* about the tangent, kg m */
    double half[2];        /* half extents along the directors, for drawing, m */
} section_stiffness;

/* CORD_ERROR_ARGUMENT for what cannot exist, with a sentence in `why` that names the quantity, its
 * value and what is allowed. The material is not looked at for CORD_SECTION_EXPLICIT. */
cord_status cord__section(const cord_material *material, const cord_section *section,
                          section_stiffness *out, char *why, size_t why_size);

#endif
