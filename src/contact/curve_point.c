/* Points of curves, and the closest points of two curves near those of their chords. */
#include "contact/contact.h"
#include "math/lanes.h"
#include "math/vec3.h"

#define ITERATIONS 12
#define HALVINGS 6
#define CONVERGED                                                                                  \
    1e-5 /* of a step, relative to the segment: the error after it is about its square */

INLINE void curve_point_at(const contact_curve *curve, const contact_segment *segment, double s,
                           curve_point *p)
{
    p->s = s;
    if (curve->evaluate) {
        curve->evaluate(curve->context, segment->segment, s, p->r, p->r_s, p->r_ss);
        return;
    }
    const double l = segment->s[1] - segment->s[0], u = s - segment->s[0], inverse = 1 / l;
    const double f = u * inverse, product = u * (l - u), middle = l - 2 * u;
    const double beta = (3 - 2 * f) * f * f, beta_s = 6 * f * (1 - f) * inverse,
                 beta_ss = (6 - 12 * f) * inverse * inverse;
    const lanes x = l_load(segment->x[0]), chord = l_load(segment->x[1]) - x;
    const lanes D = l_load(segment->difference[0]), change = l_load(segment->difference[1]) - D;
    const lanes g = D + beta * change, g_s = beta_s * change;
    const lanes r = x + f * chord - product * g, r_s = inverse * chord - middle * g - product * g_s,
                r_ss = 2 * (g - middle * g_s) - (product * beta_ss) * change;
    for (int k = 0; k < 3; k++) p->r[k] = r[k], p->r_s[k] = r_s[k], p->r_ss[k] = r_ss[k];
}

MULTIVERSION(cord__curve_point, curve_point_at,
             (const contact_curve *curve, const contact_segment *segment, double s, curve_point *p),
             (curve, segment, s, p))

INLINE double half_square(const curve_point p[2])
{
    double d[3];
    v3_sub(d, p[0].r, p[1].r);
    return 0.5 * v3_dot(d, d);
}

/* Newton's step of the free coordinates. With d = r₁ − r₂ the gradient is (d·r₁′, −d·r₂′) and the Hessian
 * [r₁′² + d·r₁″, −r₁′·r₂′; ., r₂′² − d·r₂″]. Where that is not positive, a step down the scaled gradient. */
INLINE void newton_step(const curve_point p[2], const bool free[2], double step[2])
{
    double d[3];
    v3_sub(d, p[0].r, p[1].r);
    double g0 = v3_dot(d, p[0].r_s), g1 = -v3_dot(d, p[1].r_s);
    double s0 = v3_dot(p[0].r_s, p[0].r_s), s1 = v3_dot(p[1].r_s, p[1].r_s);
    double h0 = s0 + v3_dot(d, p[0].r_ss), h1 = s1 - v3_dot(d, p[1].r_ss);
    double h01 = free[0] && free[1] ? -v3_dot(p[0].r_s, p[1].r_s) : 0, det = h0 * h1 - h01 * h01;
    if (h0 <= 0 || h1 <= 0 || det <= 0) h0 = s0, h1 = s1, h01 = 0, det = h0 * h1;
    if (!free[0]) g0 = 0;
    if (!free[1]) g1 = 0;
    step[0] = free[0] ? -(h1 * g0 - h01 * g1) / det : 0;
    step[1] = free[1] ? -(h0 * g1 - h01 * g0) / det : 0;
}

/* A coordinate at a bound whose descent leads outward does not move. */
INLINE void movable(const contact_segment *const segment[2], const bool free[2],
                    const curve_point p[2], bool moves[2])
{
    double d[3];
    v3_sub(d, p[0].r, p[1].r);
    for (int i = 0; i < 2; i++) {
        double slope = (i ? -1 : 1) * v3_dot(d, p[i].r_s);
        const double *range = segment[i]->s;
        moves[i] =
            free[i] && !(p[i].s <= range[0] && slope > 0) && !(p[i].s >= range[1] && slope < 0);
    }
}

/* The longest of the steps 1, ½, ¼ … that decreases the distance; false where none does. */
INLINE bool descend(const contact_curve *const curve[2], const contact_segment *const segment[2],
                    const double step[2], curve_point p[2])
{
    double value = half_square(p), fraction = 1;
    for (int k = 0; k < HALVINGS; k++, fraction *= 0.5) {
        curve_point q[2] = {p[0], p[1]};
        for (int i = 0; i < 2; i++) {
            double s = fmin(fmax(p[i].s + fraction * step[i], segment[i]->s[0]), segment[i]->s[1]);
            if (s != p[i].s) curve_point_at(curve[i], segment[i], s, q + i);
        }
        if (half_square(q) < value) {
            p[0] = q[0], p[1] = q[1];
            return true;
        }
    }
    return false;
}

/* By Taylor's formula, whose error is of the third order. */
INLINE void move_slightly(const contact_segment *const segment[2], const double step[2],
                          curve_point p[2])
{
    for (int i = 0; i < 2; i++) {
        const double s = p[i].s, *range = segment[i]->s;
        p[i].s = fmin(fmax(s + step[i], range[0]), range[1]);
        v3_axpy(p[i].r, p[i].s - s, p[i].r_s);
        v3_axpy(p[i].r, 0.5 * (p[i].s - s) * (p[i].s - s), p[i].r_ss);
        v3_axpy(p[i].r_s, p[i].s - s, p[i].r_ss);
    }
}

INLINE double closest(const contact_curve *const curve[2], const contact_segment *const segment[2],
                      const bool free[2], curve_point p[2])
{
    for (int i = 0; i < 2; i++) curve_point_at(curve[i], segment[i], p[i].s, p + i);
    bool curved = segment[0]->bulge > 0 || segment[1]->bulge > 0;
    for (int i = 0; i < 2; i++) curved = curved || curve[i]->evaluate;
    for (int k = 0; curved && k < ITERATIONS; k++) {
        bool moves[2], small = true;
        double step[2];
        movable(segment, free, p, moves);
        newton_step(p, moves, step);
        for (int i = 0; i < 2; i++)
            small &= fabs(step[i]) <= CONVERGED * (segment[i]->s[1] - segment[i]->s[0]);
        if (small) {
            move_slightly(segment, step, p);
            break;
        }
        if (!descend(curve, segment, step, p)) break;
    }
    return sqrt(2 * half_square(p));
}

MULTIVERSION_RETURNING(double, cord__closest_on_curves, closest,
                       (const contact_curve *const curve[2],
                        const contact_segment *const segment[2], const bool free[2],
                        curve_point p[2]),
                       (curve, segment, free, p))
