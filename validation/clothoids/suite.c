/* The checks of curvature chains, in the order of the report. */
#include "validation/clothoids/clothoids.h"

static const validation_check checks[] = {
    {"space-clothoids",
     "Frame and place at the end of one element of affine curvature and twist, from nearly "
     "straight "
     "to hair-like and tightly curled, against 60-digit arithmetic. Both methods: quaternion "
     "series "
     "about the middle (the default) and the 2013 paper's adaptive piecewise summation.",
     check_space_clothoids},
    {"plane-clothoids",
     "The same in the plane, where the ends are known from Fresnel integrals; with them the "
     "quadrature of the 2012 paper.",
     check_plane_clothoids},
    {"long-element",
     "A long and highly curved element for which the paper's bound (14) asks for 109 subdivisions, "
     "as in its Fig. 3c, against extended precision and against half the paper's bound.",
     check_long_element},
    {"naive-summation",
     "Summing the series once over a whole element loses all digits by cancellation when the "
     "element turns by tens of radians (Fig. 3a of the 2013 paper); piecewise summation (Fig. 3b) "
     "and "
     "the series about the middle lose none. Errors against extended precision.",
     check_naive_summation},
    {"term-sizes",
     "The sizes of the terms of the series rise to a hillock before they fall (Fig. 4 of the 2013 "
     "paper). Its top against the paper's bound (12), max A(s)ⁿ/n!.",
     check_term_sizes},
    {"orthonormality",
     "A thousand radians of elements, each begun with the frame at which the last ended: how far "
     "frames are from rotations, which nothing is projected onto.",
     check_orthonormality},
    {"integrators",
     "The same element by Euler's method, Euler's on the rotations, Runge and Kutta's of second "
     "and "
     "fourth order, and by the series: time against precision (Fig. 6 of the 2013 paper). The "
     "orders "
     "are those expected, and the series reach the last digit sooner than the fourth-order method "
     "reaches eleven.",
     check_integrators},
    {"inverse-flowers",
     "Flowers of two clothoids, as in Fig. 5 of the 2012 paper, 1.3 times as stiff as they must "
     "be. "
     "As drawn they sink under their weight; with the natural curvature of equation (22) they are "
     "at "
     "rest, and come back when they are pushed.",
     check_inverse_flowers},
    {"inverse-bounds",
     "How stiff flowers must be to stay. The paper's condition (23), EI/ρS > −λ_N/γ_N, is "
     "sufficient; "
     "the sharp one is a generalised eigenvalue. Both against the stiffness at which the number of "
     "unstable directions becomes zero, and against what flowers of other stiffnesses do after a "
     "small push.",
     check_inverse_bounds},
    {0},
};

const validation_suite validation_clothoids = {
    "clothoids", "curvature chains (Bertails-Descoubes 2012, Casati and Bertails-Descoubes 2013)",
    checks};
