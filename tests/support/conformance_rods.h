/* Definitions of rods given by a polyline, for the conformance cases of every model that takes such. */
#ifndef CORDAGE_TESTS_CONFORMANCE_RODS_H
#define CORDAGE_TESTS_CONFORMANCE_RODS_H

#include "support/conformance.h"

/* A section of these bending stiffnesses, and a director. */
void rod_material(cord_strand_def *def, double b1, double b2);

/* Naturally a straight line, of edges `ratio` times as long as the initial ones. */
void rod_straight_natural(conformance_shape *shape, cord_strand_def *def, double ratio);

/* A space curve of 9 vertices with uneven edges, twisted by about 2π; naturally straight, with
 * natural lengths 3 % longer than its edges or equal to them. */
void rod_elastic(conformance_shape *shape, cord_strand_def *def);
void rod_inextensible(conformance_shape *shape, cord_strand_def *def);

/* The natural shape is the initial, twisted one: every strain has a natural value. */
void rod_anisotropic(conformance_shape *shape, cord_strand_def *def);

/* Elastic, with inertia of twist; and with every kind of damping. */
void rod_anisotropic_dynamic(conformance_shape *shape, cord_strand_def *def);
void rod_damped(conformance_shape *shape, cord_strand_def *def);

/* Rings of 8 vertices, uneven and not planar, with a closing twist: naturally straight; and with
 * the initial shape as natural one, elastic, with inertia of twist. */
void rod_ring(conformance_shape *shape, cord_strand_def *def);
void rod_ring_anisotropic(conformance_shape *shape, cord_strand_def *def);

/* The smallest: one edge. */
void rod_two_vertices(conformance_shape *shape, cord_strand_def *def);

#endif
