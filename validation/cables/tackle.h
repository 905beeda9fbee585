/* A block and tackle: a cable from a fixed beam round pulleys that are alternately on a hanging
 * beam and on the fixed one, to a counterweight [HCS 2011, sec. 5]. Pulleys are spaced by their
 * diameter, so that all spans are vertical, and rotate with the cable; the mass of the hanging beam
 * includes its pulleys.
 *
 * With y the rise of the beam, λ the density of the cable, H and c the initial spans of beam and
 * counterweight, a and I the radius and inertia of the pulleys, n their (even) number: the material
 * beyond j pulleys of the beam runs at 2jẏ, the rim of pulley k at kẏ, and an arc on the beam also
 * moves at ẏ, which adds πaλẏ² without mixed terms. So
 *     T = ½ J(y) ẏ²,  J = M + n²m + λ((H − y) S + (c + n y) n²) + (I/a² + πaλ) n(n + 1)(2n + 1)/6 + ½nπaλ,
 *     S = 8 (q − 1) q (2q − 1)/6 + 4q²,  q = n/2,
 *     −dV/dy = g (n m − M − nλ(H − y) + nλ(c + n y) − ½nπaλ),
 * and it balances at y = 0 with m = M/n + λ(H − c) + ½πaλ. */
#ifndef CORDAGE_VALIDATION_CABLES_TACKLE_H
#define CORDAGE_VALIDATION_CABLES_TACKLE_H

#include "validation/cables/machines.h"

typedef struct tackle_def {
    int wheels;
    double load, counterweight, density, height, hang, radius, inertia;
} tackle_def;

typedef struct tackle {
    machine m;
    tackle_def of;
    cord_body beam, counterweight;
    cord_strand cable;
} tackle;

tackle tackle_make(const tackle_def *of, cord_integrator integrator);
double tackle_rise(tackle *t);

double tackle_balance(const tackle_def *of);
double tackle_inertia(const tackle_def *of, double y);
double tackle_force(const tackle_def *of, double y);
/* J ÿ + ½ J′ ẏ² = −dV/dy from rest, by the classical Runge–Kutta scheme. */
double tackle_rise_after(const tackle_def *of, double time);

extern const double tackle_gravity;

#endif
