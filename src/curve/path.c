#include "curve/path.h"

#include "math/interval.h"
#include "math/tridiagonal.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

enum { PATH_PANELS = 4, GAUSS = 8, INVERSIONS = 30 };

/* Positive nodes of the 8-point Gauss–Legendre rule on [−1, 1], and their weights. */
static const double node[GAUSS / 2] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                       0.9602898564975363};
static const double weight[GAUSS / 2] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};

/* Position and its derivatives by the spline parameter u on span k. */
static void span_at(const path_curve *c, int k, double u, double *x, double *du, double *duu)
{
    const double *a = c->x + 3 * k, *b = a + 3, *p = c->second + 3 * k, *q = p + 3;
    double h = c->knot[k + 1] - c->knot[k], f = (u - c->knot[k]) / h, e = 1 - f;
    for (int i = 0; i < 3; i++) {
        if (x)
            x[i] =
                e * a[i] + f * b[i] + h * h / 6 * ((e * e * e - e) * p[i] + (f * f * f - f) * q[i]);
        du[i] = (b[i] - a[i]) / h + h / 6 * ((1 - 3 * e * e) * p[i] + (3 * f * f - 1) * q[i]);
        if (duu) duu[i] = e * p[i] + f * q[i];
    }
}

/* ∫ |x'| du over [from, to] within a span. */
static double arc_between(const path_curve *c, int span, double from, double to)
{
    double sum = 0, middle = 0.5 * (from + to), half = 0.5 * (to - from), du[3];
    for (int i = 0; i < GAUSS; i++) {
        double at = i % 2 ? node[i / 2] : -node[i / 2];
        span_at(c, span, middle + half * at, NULL, du, NULL);
        sum += weight[i / 2] * v3_norm(du);
    }
    return half * sum;
}

static double panel_start(const path_curve *c, int panel)
{
    int span = panel / PATH_PANELS;
    double h = c->knot[span + 1] - c->knot[span];
    return c->knot[span] + h * (panel % PATH_PANELS) / PATH_PANELS;
}

static int panel_at(const path_curve *c, double s)
{
    return interval_at(c->arc, sizeof *c->arc, 0, c->spans * PATH_PANELS, s);
}

/* The parameter at arc length s within a panel, by Newton's method. */
static double parameter_at(const path_curve *c, int panel, double s)
{
    int span = panel / PATH_PANELS;
    double from = panel_start(c, panel), wanted = s - c->arc[panel], du[3];
    double width = (c->knot[span + 1] - c->knot[span]) / PATH_PANELS;
    double u = from + width * wanted / (c->arc[panel + 1] - c->arc[panel]);
    for (int i = 0; i < INVERSIONS; i++) {
        span_at(c, span, u, NULL, du, NULL);
        double correction = (arc_between(c, span, from, u) - wanted) / v3_norm(du);
        u = fmin(fmax(u - correction, from), from + width);
        if (fabs(correction) <= 1e-15 * c->knot[c->spans]) break;
    }
    return u;
}

/* Derivatives by arc length: t = x'/|x'|,  r″ = (x″ − t (t·x″))/|x'|². Returns |x'|. */
static double arc_length_derivatives(const double du[3], const double duu[3], double tangent[3],
                                     double second[3])
{
    double speed = v3_normalize(tangent, du), square = speed * speed;
    v3_combine(second, 1 / square, duu, -v3_dot(tangent, duu) / square, tangent);
    return speed;
}

/* r‴ with v = |x'|, v' = t·x″ and v″ = (|x″|² + x'·x‴ − v'²)/v:
 *     (x‴ − 3 x″ v'/v + x' (3 v'²/v − v″)/v)/v³. */
static void third_derivative(const path_curve *c, int k, const double du[3], const double duu[3],
                             double out[3])
{
    double h = c->knot[k + 1] - c->knot[k], v = v3_norm(du), rate = v3_dot(du, duu) / v;
    double cube = v * v * v, third[3];
    v3_sub(third, c->second + 3 * (k + 1), c->second + 3 * k);
    v3_scale(third, 1 / h, third);
    double change = (v3_dot(duu, duu) + v3_dot(du, third) - rate * rate) / v;
    v3_combine(out, 1 / cube, third, -3 * rate / (v * cube), duu);
    v3_axpy(out, (3 * rate * rate / v - change) / (v * cube), du);
}

void cord__path_at(const path_curve *c, double s, double x[3], double tangent[3], double second[3],
                   double third[3])
{
    double du[3], duu[3];
    if (c->closed) s -= floor(s / c->length) * c->length;
    double within = fmin(fmax(s, 0), c->length);
    int panel = panel_at(c, within);
    span_at(c, panel / PATH_PANELS, parameter_at(c, panel, within), x, du, duu);
    arc_length_derivatives(du, duu, tangent, second);
    third_derivative(c, panel / PATH_PANELS, du, duu, third);
    if (s == within) return;
    v3_axpy(x, s - within, tangent);
    v3_set(second, 0, 0, 0);
    v3_set(third, 0, 0, 0);
}

/* Second derivatives m at the knots, by continuity of the first derivative, per coordinate. With
 * chords h:
 *     h₋ m₋/6 + (h₋ + h) m/3 + h m₊/6 = (x₊ − x)/h − (x − x₋)/h₋   [de Boor, chapter IV] */
static bool solve_second_derivatives(path_curve *c, memory *m)
{
    int n = c->closed ? c->spans : c->spans - 1, from = c->closed ? 0 : 1;
    double *work = NEW(m, double, 4 * (n + 1));
    if (!work) return false;
    double *d = work, *e = d + n + 1, *b = e + n + 1, *workspace = b + n + 1;
    for (int axis = 0; axis < 3; axis++) {
        double corner = 0;
        for (int i = 0; i < n; i++) {
            int k = from + i, before = k > 0 ? k - 1 : c->spans - 1;
            double h = c->knot[k + 1] - c->knot[k], h0 = c->knot[before + 1] - c->knot[before];
            const double *x = c->x + axis;
            d[i] = (h0 + h) / 3;
            if (i + 1 < n) e[i] = h / 6;
            corner = h / 6;
            b[i] = (x[3 * (k + 1)] - x[3 * k]) / h - (x[3 * (before + 1)] - x[3 * before]) / h0;
        }
        if (c->closed)
            cord__cyclic_solve(n, d, e, corner, b, workspace);
        else
            cord__tridiagonal_solve(n, d, e, b);
        for (int i = 0; i < n; i++) c->second[3 * (from + i) + axis] = b[i];
        if (c->closed) c->second[3 * c->spans + axis] = b[0];
    }
    cord__release(m, work);
    return true;
}

/* Arc lengths of the panels; false where |x'| vanishes, so that there is no tangent, or where the
 * tangent rotates by more than a right angle within one panel. */
static bool measure_panels(path_curve *c, int *span)
{
    double du[3], duu[3], tangent[3], second[3], next[3];
    for (int panel = 0; panel < c->spans * PATH_PANELS; panel++) {
        *span = panel / PATH_PANELS;
        double from = panel_start(c, panel);
        double to = from + (c->knot[*span + 1] - c->knot[*span]) / PATH_PANELS;
        c->arc[panel + 1] = c->arc[panel] + arc_between(c, *span, from, to);
        span_at(c, *span, from, NULL, du, duu);
        double speed = arc_length_derivatives(du, duu, tangent, second);
        span_at(c, *span, to, NULL, next, NULL);
        if (!(speed > 1e-6) || !(v3_dot(du, next) > 0)) return false;
        c->max_curvature = fmax(c->max_curvature, v3_norm(second));
    }
    c->length = c->arc[c->spans * PATH_PANELS];
    return isfinite(c->length);
}

/* Copies points and cumulates chords; returns the index of a point equal to the one before it, or 0. */
static int copy_points(path_curve *c, int count, const double *points)
{
    for (int i = 0; i <= c->spans; i++) {
        v3_copy(c->x + 3 * i, points + 3 * (i % count));
        if (i == 0) continue;
        double chord = v3_distance(c->x + 3 * i, c->x + 3 * (i - 1));
        if (!(chord > 0)) return i;
        c->knot[i] = c->knot[i - 1] + chord;
    }
    return 0;
}

static cord_status fill(path_curve *c, memory *m, int count, const double *points, char *why,
                        size_t size)
{
    c->knot = NEW(m, double, c->spans + 1);
    c->x = NEW(m, double, 3 * (c->spans + 1));
    c->second = NEW(m, double, 3 * (c->spans + 1));
    c->arc = NEW(m, double, c->spans *PATH_PANELS + 1);
    if (!c->knot || !c->x || !c->second || !c->arc) return CORD_ERROR_MEMORY;
    int same = copy_points(c, count, points), span = 0;
    if (same > 0) {
        snprintf(why, size,
                 "point %d of the path has the same position as the one before it; remove one of "
                 "the two",
                 same % count);
        return CORD_ERROR_ARGUMENT;
    }
    if (!solve_second_derivatives(c, m)) return CORD_ERROR_MEMORY;
    if (measure_panels(c, &span)) return CORD_OK;
    snprintf(
        why, size,
        "the path reverses its direction after point %d; add points there or make the bend wider",
        span);
    return CORD_ERROR_ARGUMENT;
}

cord_status cord__path_init(path_curve *c, memory *m, int count, const double *points, bool closed,
                            char *why, size_t size)
{
    int least = closed ? 3 : 2, most = 1000000;
    memset(c, 0, sizeof *c);
    if (!points || count < least || count > most) {
        snprintf(why, size, "a path has %d points; it needs %d to %d", count, least, most);
        return CORD_ERROR_ARGUMENT;
    }
    for (int i = 0; i < count; i++)
        if (!v3_admissible(points + 3 * i)) {
            snprintf(why, size,
                     "point %d of the path has a coordinate that is not finite or exceeds 1e50", i);
            return CORD_ERROR_ARGUMENT;
        }
    c->closed = closed;
    c->spans = closed ? count : count - 1;
    cord_status status = fill(c, m, count, points, why, size);
    if (status != CORD_OK) cord__path_free(c, m);
    return status;
}

void cord__path_free(path_curve *c, memory *m)
{
    void *arrays[] = {c->knot, c->x, c->second, c->arc};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    memset(c, 0, sizeof *c);
}
