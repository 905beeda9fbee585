/* The curled rod of the 2013 paper [SSC 2013, Fig. 8b, Fig. 9], for validation and benchmarks; the scene
 * gallery/clothoids/unwinding-rod.yaml has the same (tests/test_curl_scene.c). */
#ifndef CORDAGE_VALIDATION_CLOTHOIDS_CURL_H
#define CORDAGE_VALIDATION_CLOTHOIDS_CURL_H

#include "validation/clothoids/chains.h"

/* A rod whose natural shape is a helix about the vertical, clamped at its upper end. */
typedef struct curl {
    double length, radius, young, poisson, density; /* SI */
    double curl_radius, pitch;
    double damping;
    /* Discrete elastic rods: the clamp of [DER 2008], which holds the first edge: its two vertices and its material frame.
     * Nothing bends between s = 0 and the middle of this edge, an error of first order. */
    bool edge_clamp;
    cord_curvature curvature; /* and their curvature at vertices */
} curl;

/* 1 m long, 2 mm thick, 100 MPa, ν = 0.5, 1200 kg/m³; naturally a helix of radius 5 cm and pitch
 * 10 cm: three turns, 30 cm tall. Bending and weight balance over (EI/ρSg)^(1/3) = 13 cm: hanging, the
 * rod is 70 cm tall. */
curl curl_default(void);

/* In its natural shape, clamped at its first end. */
cord_status curl_make(const curl *c, const chain_kind *kind, int elements, int samples,
                      const cord_world_def *world, rod *r);

/* Its equilibrium: 3 × (samples + 1). On failure `r->world` has the message; rod_free() is called either way. `found` may be
 * NULL. */
cord_status curl_hang(const curl *c, const chain_kind *kind, int elements, int samples, rod *r,
                      cord_statics_result *found, double *x);

/* Unwinding from the natural shape for a second in steps of 11 ms, undamped, by the default integrator on one thread: the
 * smallest mean time of a step over the repeats, s, and Newton iterations per step. */
cord_status curl_unwind(const chain_kind *kind, int elements, int repeats, double *time,
                        double *iterations);

#endif
