/* Mass and stiffness per length of a rod from its material and cross-section. */
#ifndef CORDAGE_CURVE_SECTION_H
#define CORDAGE_CURVE_SECTION_H

#include <cordage/strand.h>

typedef struct section_stiffness {
    double mass;           /* kg/m */
    double stretching;     /* EA, N */
    double bending[2];     /* N m²: bending about the first director, about the second */
    double twisting;       /* GJ, N m² */
    double rotary_inertia; /* about the tangent, kg m */
    double half[2];        /* half extents along the directors, for drawing, m */
} section_stiffness;

/* CORD_ERROR_ARGUMENT for values out of range, with a sentence in `why` that names the quantity,
 * its value and the limits. The material is ignored for CORD_SECTION_EXPLICIT. */
cord_status cord__section(const cord_material *material, const cord_section *section,
                          section_stiffness *out, char *why, size_t why_size);

/* The radius of a section in contact: that of a circle of the same area as the ellipse with its half extents. */
double cord__contact_radius(const section_stiffness *section);

#endif
