/* Mass matrix, gravity and velocity terms of one clothoid element by Cauchy products of power
 * series [SSC 2013, sec. 7.1]. */
#ifndef CORDAGE_BENCH_BASELINES_CLOTHOID_CAUCHY_H
#define CORDAGE_BENCH_BASELINES_CLOTHOID_CAUCHY_H

/* An element clamped at its start. */
typedef struct clothoid_element {
    double ends[6];    /* q: the curvature vectors at its two ends, 1/m */
    double rates[6];   /* q̇ */
    double length;     /* m */
    double frame[9];   /* at its start */
    double density;    /* ρS, kg/m */
    double gravity[3]; /* g, m/s² */
} clothoid_element;

/* M = ρS ∫ JᵀJ (6×6), G = −ρS ∫ Jᵀg, A = ρS ∫ Jᵀ(q̇ᵀ ∂²r/∂q² q̇), with J = ∂r/∂q. */
typedef struct clothoid_terms {
    double mass[36], gravity[6], velocity[6];
} clothoid_terms;

/* Returns the number of subintervals. */
int cord__clothoid_cauchy(const clothoid_element *e, clothoid_terms *t);

#endif
