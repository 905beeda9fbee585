#include "block/point.h"

#include "math/rotation.h"

#include <string.h>

void cord__point_scripted(const point *p, double t, pose *out)
{
    v3_copy(out->position, p->position);
    memcpy(out->frame, p->orientation, sizeof out->frame);
    if (p->motion.count > 0) {
        double by[3];
        cord__keyframes_at(&p->motion, t, by, NULL);
        v3_add(out->position, out->position, by);
    }
    if (p->rotation.count > 0) {
        double w[3], rotation[9];
        cord__keyframes_at(&p->rotation, t, w, NULL);
        cord__rotation_exp(rotation, w);
        m3_multiply(out->frame, rotation, out->frame);
    }
}

/* The angular velocity of exp[w(t)] is Jl(w) ẇ, and Jl is the inverse of cord__rotation_dlog()'s
 * matrix only below 2π; rotation scripts may go round many times. With w = φ n:
 * Jl ẇ = n φ̇ + sin φ ṅ + (1 − cos φ) n × ṅ. */
static void rotation_rate(const double *w, const double *rate, double *angular)
{
    double phi = v3_norm(w), n[3], along, across[3], turned[3];
    v3_copy(angular, rate);
    if (phi == 0) return;
    v3_scale(n, 1 / phi, w);
    along = v3_dot(rate, n);
    v3_combine(across, 1 / phi, rate, -along / phi, n); /* ṅ */
    v3_cross(turned, n, across);
    for (int k = 0; k < 3; k++)
        angular[k] = along * n[k] + sin(phi) * across[k] + (1 - cos(phi)) * turned[k];
}

void cord__point_scripted_rate(const point *p, double t, double linear[3], double angular[3])
{
    double value[3], rate[3];
    v3_set(linear, 0, 0, 0);
    v3_set(angular, 0, 0, 0);
    if (p->motion.count > 0) cord__keyframes_at(&p->motion, t, value, linear);
    if (p->rotation.count > 0) {
        cord__keyframes_at(&p->rotation, t, value, rate);
        rotation_rate(value, rate, angular);
    }
}
