/* With H and V the horizontal and the vertical distance of the ends, L the length, w = H/2a, and m the mean of the values of
 * asinh(σ/a) at the ends:
 *
 *     L = 2 a sinh w cosh m,   V = 2 a sinh w sinh m,   hence   sinh w/w = √(L² − V²)/H,   tanh m = V/L.
 *
 * For H = 0 the line hangs down from both ends, to (L − V)/2 below the first. */
#include "curve/catenary.h"

#include "math/vec3.h"

#include <math.h>

/* Ends that are horizontally nearer to each other than this fraction of the length are above each other. */
static const double VERTICAL = 1e-12;

/* The half circle takes at most this fraction of the excess of the length over the chord, so that the catenary remains
 * longer than its own chord. */
static const double ARCH = 0.5;

/* f = ln(sinh w/w) and its derivative, the Langevin function; by series where w is small. */
static double log_ratio(double w, double *derivative)
{
    double square = w * w;
    if (w < 0.03) {
        *derivative = w / 3 * (1 - square / 15);
        return square / 6 * (1 - square / 30 + square * square * 2 / 945);
    }
    *derivative = 1 / tanh(w) - 1 / w;
    return w + log1p(-exp(-2 * w)) - log(2 * w);
}

/* The w at which f is `value` > 0, by Newton's method: f is convex, increasing and at most w²/6, hence the iterates that
 * follow √(6 value) descend to w. Double precision needs six. */
static double half_width(double value)
{
    double w = sqrt(6 * value);
    for (int i = 0; i < 6; i++) {
        double derivative, f = log_ratio(w, &derivative);
        w -= (f - value) / derivative;
    }
    return w;
}

static catenary between(const double from[3], const double to[3], double length, const double up[3])
{
    catenary c = {.a = 0};
    double chord[3];
    v3_copy(c.from, from);
    v3_copy(c.up, up);
    v3_sub(chord, to, from);
    double V = v3_dot(chord, up), l = v3_norm(chord);
    v3_combine(c.across, 1, chord, -V, up);
    double H = v3_norm(c.across);
    if (!(H > VERTICAL * length)) {
        c.start = -0.5 * (length - V);
        return c;
    }
    v3_scale(c.across, 1 / H, c.across);
    double w = half_width(0.5 * log1p((length - l) * (length + l) / (H * H)));
    c.a = 0.5 * H / w;
    /* L − |V| from the same L − l, of which few digits may be right, as w. */
    double less = length - l + H * H / (l + fabs(V));
    c.angle = copysign(0.5 * log((length + fabs(V)) / less), V) - w;
    c.start = c.a * sinh(c.angle);
    return c;
}

/* asinh(σ₁/a) − asinh(σ₀/a) = 2 artanh((σ₁ − σ₀)/(r₀ + r₁)) with r = √(a² + σ²): without cancellation on a nearly straight
 * line, where a is large. Where the quotient is near 1 the difference is large itself. */
static void catenary_at(const catenary *c, double s, double x[3])
{
    double end = c->start + s, sum = hypot(c->a, c->start) + hypot(c->a, end), t = s / sum;
    v3_combine(x, 1, c->from, t * (c->start + end), c->up);
    if (c->a > 0)
        v3_axpy(x, c->a * (t < 0.9 ? 2 * atanh(t) : asinh(end / c->a) - c->angle), c->across);
}

/* Against gravity. Where there is none any direction normal to the chord serves. */
static void set_up(const double chord[3], const double gravity[3], double up[3])
{
    v3_set(up, 0, 0, 1);
    if (v3_norm(gravity) > 0) {
        v3_normalize(up, gravity);
        v3_scale(up, -1, up);
    } else if (v3_norm(chord) > 0) {
        double unit[3];
        v3_normalize(unit, chord);
        v3_any_normal(up, unit);
    }
}

hanging_line cord__hanging_line(const double from[3], const double to[3], double length,
                                const double gravity[3], double opening)
{
    hanging_line h = {.length = length};
    double chord[3], up[3], ends[2][3], l = v3_distance(from, to);
    v3_sub(chord, to, from);
    set_up(chord, gravity, up);
    double V = v3_dot(chord, up), H = sqrt(fmax(0, l * l - V * V));
    h.radius = 0.5 * fmax(0, fmin(opening, ARCH * (length - l) * 2 / M_PI) - H);
    h.arch_first = V > 0;
    v3_copy(h.end, h.arch_first ? from : to);
    v3_any_normal(h.direction, up); /* not that of H, which is undetermined where H is zero */
    v3_copy(ends[0], from);
    v3_copy(ends[1], to);
    v3_axpy(ends[!h.arch_first], 2 * h.radius, h.direction);
    h.curve = between(ends[0], ends[1], length - M_PI * h.radius, up);
    return h;
}

void cord__hanging_line_at(const hanging_line *h, double fraction, double x[3])
{
    double s = fraction * h->length, arch = M_PI * h->radius;
    double to_end = h->arch_first ? s : h->length - s;
    if (to_end < arch) {
        double angle = to_end / h->radius;
        v3_combine(x, 1, h->end, h->radius * (1 - cos(angle)), h->direction);
        v3_axpy(x, h->radius * sin(angle), h->curve.up);
    } else {
        catenary_at(&h->curve, h->arch_first ? s - arch : s, x);
    }
}
