#include "block/point.h"

#include "math/rotation.h"

#include <math.h>
#include <string.h>

void cord__point_begin_change(point *p, double start, double end)
{
    pose_change *by = &p->change;
    double back[9], rotation[9];
    v3_sub(by->shift, p->position, by->before.position);
    for (int i = 0; i < 9; i++) back[i] = by->before.frame[3 * (i % 3) + i / 3];
    m3_multiply(rotation, p->orientation, back);
    cord__rotation_log(by->rotation, rotation);
    by->start = start, by->end = end;
    by->pending = false;
}

void cord__point_scripted(const point *p, double t, pose *out)
{
    v3_copy(out->position, p->position);
    memcpy(out->frame, p->orientation, sizeof out->frame);
    if (point_changes(p, t)) {
        const pose_change *by = &p->change;
        const double left = fmin(1, (by->end - t) / (by->end - by->start));
        double rotation[9], back[3];
        v3_axpy(out->position, -left, by->shift);
        v3_scale(back, -left, by->rotation);
        cord__rotation_exp(rotation, back);
        m3_multiply(out->frame, rotation, out->frame);
    }
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
    if (point_changes(p, t) && t > p->change.start) {
        const double per_second = 1 / (p->change.end - p->change.start);
        v3_scale(linear, per_second, p->change.shift);
        v3_scale(angular, per_second, p->change.rotation);
    }
    if (p->motion.count > 0) cord__keyframes_at(&p->motion, t, value, linear);
    if (p->rotation.count > 0) {
        cord__keyframes_at(&p->rotation, t, value, rate);
        rotation_rate(value, rate, angular);
    }
}
