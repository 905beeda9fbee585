/* Guides: the curves and surfaces that nodes of a cable move on. One table of operations and one file to each; the list
 * is CORD_GUIDE_LIST in <cordage/cable.h>. Coordinates that are angles in the public interface are arc lengths here,
 * angle times radius, so that all are metres. */
#ifndef CORDAGE_STRAND_CABLE_GUIDE_H
#define CORDAGE_STRAND_CABLE_GUIDE_H

#include "strand/cable/terms.h"

#include <math.h>
#include <string.h>

#define DECLARE_GUIDE(constant, name) extern const guide_ops cord__guide_##name;
CORD_GUIDE_LIST(DECLARE_GUIDE)
#undef DECLARE_GUIDE

/* Segments between two coordinates are divided into panels of at most 90°, with four Gauss points each. */
#define RIGHT_ANGLE 1.5707963267948966

/* cos φ a₁ + sin φ a₂ of the first two axes, and its derivative over φ. */
static inline void radial(const double *axes, double angle, double out[3], double rotated[3])
{
    double c = cos(angle), s = sin(angle);
    v3_combine(out, c, axes, s, axes + 3);
    v3_combine(rotated, -s, axes, c, axes + 3);
}

/* ---- bending.c ------------------------------------------------------------------------------------------ */

/* Bending energy of a segment with a curvature that is constant along it (guide_ops.curvature). */
void cord__uniform_bending(const cable *c, const cable_element *e, const element_input *in,
                           element_terms *out);
/* The two coordinates of both ends of a segment, as unknowns of its element (-1: none), and their rates. */
typedef struct segment_ends {
    int local[4];
    double rate[4];
} segment_ends;

segment_ends cord__segment_ends(const cable *c, const cable_element *e, const element_input *in);
/* An energy line · Δs, with the derivatives of `line` over the coordinates: forces, and the matrix. */
void cord__segment_bending(const cable_element *e, const element_input *in, const segment_ends *p,
                           double ds, double line, const double first[4], double second[4][4],
                           element_terms *out);
/* The viscous moment of a point of the weight `weight`, m, B being the derivatives of its curvature. */
void cord__segment_viscosity(const cable *c, const element_input *in, const segment_ends *p,
                             const double B[4], double weight, element_terms *out);
/* Of a segment on a surface, by quadrature of its own curvature. */
void cord__surface_bending(const cable *c, const cable_element *e, const element_input *in,
                           element_terms *out);

/* ---- guide_circle.c: shared with cylinders --------------------------------------------------------------- */

void cord__circle_normal(const cable *c, const double *cache, int node, double normal[3]);
int cord__circle_normal_jacobian(const cable *c, const double *cache, int node, double J[6]);
int cord__circle_panels(const cable_guide *g, const double *from, const double *to);
void cord__circle_position(const cable_guide *g, const double *u, double x[3], double *J,
                           double *H);

/* ---- guide_surface.c: shared with spheres ----------------------------------------------------------------- */

void cord__surface_stiffness(const cable *c, const cable_element *e, const element_input *in,
                             double length, double pull, element_terms *out);

#endif
