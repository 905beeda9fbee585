#include "validation/contact/braid.h"
#include "math/lu.h"
#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;
enum { UNKNOWNS = 5, PANELS = 2000, ITERATIONS = 60, SAMPLES = 4000 };

typedef struct curve_values {
    double u[4][2]; /* u and its three derivatives */
} curve_values;

/* ---- the interval of contact ------------------------------------------------------------------------- */

typedef struct angle_state {
    double psi, rate, change; /* ψ, ψ', ψ'' */
} angle_state;

/* The tangential part of u'''' = p u: ψ'''' = 6ψ'²ψ''. The constant is −2ψ'(0)³ and a multiple of the solution sinh(λζ) of the
 * linearised equation, λ = √6 ψ'(0), which is small where the interval is long. */
static double constant(const braid *b)
{
    const double lambda = sqrt(6) * b->rate;
    return b->end_change * lambda / sinh(lambda * b->interval) - 2 * pow(b->rate, 3);
}

static double third(const angle_state *y, double c)
{
    return 2 * pow(y->rate, 3) + c;
}

/* The normal part. */
static double pressure(const angle_state *y, double c)
{
    return pow(y->rate, 4) - 3 * y->change * y->change - 4 * y->rate * third(y, c);
}

static angle_state moved(const angle_state *y, const angle_state *along, double h)
{
    return (angle_state){y->psi + h * along->psi, y->rate + h * along->rate,
                         y->change + h * along->change};
}

static angle_state derivative(const angle_state *y, double c)
{
    return (angle_state){y->rate, y->change, third(y, c)};
}

/* The classical method of Runge and Kutta. */
static angle_state advance(const angle_state *y, double h, double c)
{
    const angle_state k1 = derivative(y, c), y2 = moved(y, &k1, h / 2), k2 = derivative(&y2, c),
                      y3 = moved(y, &k2, h / 2), k3 = derivative(&y3, c), y4 = moved(y, &k3, h),
                      k4 = derivative(&y4, c);
    angle_state out = moved(y, &k1, h / 6);
    out = moved(&out, &k2, h / 3);
    out = moved(&out, &k3, h / 3);
    return moved(&out, &k4, h / 6);
}

/* The state at ζ ≤ ζ₁. `sum`: ∫ p; `least`: the least p. Both may be NULL. */
static angle_state integrate(const braid *b, double zeta, double *sum, double *least)
{
    const double c = constant(b), h = zeta / PANELS;
    angle_state y = {0, b->rate, 0};
    if (sum) *sum = 0.5 * h * pressure(&y, c);
    if (least) *least = pressure(&y, c);
    for (int i = 1; i <= PANELS; i++) {
        y = advance(&y, h, c);
        if (sum) *sum += (i < PANELS ? h : 0.5 * h) * pressure(&y, c);
        if (least) *least = fmin(*least, pressure(&y, c));
    }
    return y;
}

static curve_values of_angle(const braid *b, const angle_state *y)
{
    const double n[2] = {cos(y->psi), sin(y->psi)}, t[2] = {-n[1], n[0]}, c = constant(b);
    curve_values out;
    for (int k = 0; k < 2; k++) {
        out.u[0][k] = n[k];
        out.u[1][k] = y->rate * t[k];
        out.u[2][k] = y->change * t[k] - y->rate * y->rate * n[k];
        out.u[3][k] = (third(y, c) - pow(y->rate, 3)) * t[k] - 3 * y->rate * y->change * n[k];
    }
    return out;
}

/* ---- outside of it ----------------------------------------------------------------------------------- */

static curve_values cubic(const curve_values *from, double z)
{
    curve_values out = *from;
    for (int k = 0; k < 2; k++) {
        out.u[0][k] += z * (from->u[1][k] + z / 2 * (from->u[2][k] + z / 3 * from->u[3][k]));
        out.u[1][k] += z * (from->u[2][k] + z / 2 * from->u[3][k]);
        out.u[2][k] += z * from->u[3][k];
    }
    return out;
}

/* Just after the end of the interval, and just before the last point of contact. */
static curve_values after_interval(const braid *b)
{
    angle_state y = integrate(b, b->interval, NULL, NULL);
    curve_values out = of_angle(b, &y);
    for (int k = 0; k < 2; k++) out.u[3][k] += b->end_force * out.u[0][k];
    return out;
}

static curve_values before_tip(const braid *b)
{
    curve_values start = after_interval(b);
    return cubic(&start, b->gap);
}

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* u'' beyond the braid: along the direction of u that n half turns, n/2 from the middle, lead to. */
static double curvature_beyond(const braid *b)
{
    return b->half_turns % 4 == 3 ? -1 : 1;
}

/* The strands touch at the last point without crossing, its force ends u''', and u'' has its value beyond. */
static void residual(const braid *b, double r[UNKNOWNS])
{
    const curve_values at = before_tip(b);
    r[0] = dot(at.u[0], at.u[0]) - 1;
    r[1] = dot(at.u[0], at.u[1]);
    r[2] = at.u[0][0] * at.u[3][1] - at.u[0][1] * at.u[3][0];
    r[3] = at.u[2][0];
    r[4] = at.u[2][1] - curvature_beyond(b);
}

static double *unknown(braid *b, int i)
{
    double *all[UNKNOWNS] = {&b->rate, &b->end_change, &b->interval, &b->end_force, &b->gap};
    return all[i];
}

/* One step of Newton's method with central differences, no unknown by more than 0.3. Returns its largest part. */
static double newton_step(braid *b)
{
    double J[UNKNOWNS * UNKNOWNS], x[UNKNOWNS], plus[UNKNOWNS], minus[UNKNOWNS], most = 0;
    const double h = 1e-6;
    int pivot[UNKNOWNS];
    for (int j = 0; j < UNKNOWNS; j++) {
        const double value = *unknown(b, j);
        *unknown(b, j) = value + h;
        residual(b, plus);
        *unknown(b, j) = value - h;
        residual(b, minus);
        *unknown(b, j) = value;
        for (int i = 0; i < UNKNOWNS; i++) J[UNKNOWNS * i + j] = (plus[i] - minus[i]) / (2 * h);
    }
    residual(b, x);
    if (!cord__lu_factor(UNKNOWNS, J, pivot)) return INFINITY;
    cord__lu_solve(UNKNOWNS, J, pivot, x);
    for (int i = 0; i < UNKNOWNS; i++) most = fmax(most, fabs(x[i]));
    for (int i = 0; i < UNKNOWNS; i++) *unknown(b, i) -= x[i] * fmin(1, 0.3 / most);
    return most;
}

/* |u| ≥ 1 up to far outside, and the angle by which u turns. */
static bool is_admissible(const braid *b)
{
    double least_pressure, u[2], slope[2], angle = 0, last[2] = {1, 0}, far = 200;
    integrate(b, b->interval, NULL, &least_pressure);
    for (int i = 1; i <= SAMPLES; i++) {
        double zeta = far * pow((double)i / SAMPLES, 3);
        braid_at(b, zeta, u, slope);
        if (!(dot(u, u) > 1 - 1e-9)) return false;
        angle += atan2(last[0] * u[1] - last[1] * u[0], dot(last, u));
        last[0] = u[0], last[1] = u[1];
    }
    return least_pressure >= 0 && b->end_force >= 0 && b->tip_force >= 0 &&
           fabs(angle - 0.5 * pi * b->half_turns) < 0.1;
}

/* Far from its ends a long interval is a helix whose energy in excess of the curved ends does not depend on its length,
 * 3ψ'⁴ = 1; the start of Newton's method has it. */
bool braid_find(int half_turns, braid *b)
{
    const double rate = pow(3, -0.25);
    *b = (braid){.half_turns = half_turns,
                 .rate = rate,
                 .end_change = 0.015,
                 .interval = 0.35 + 0.5 * pi * (half_turns - 3) / rate,
                 .end_force = 0.17,
                 .gap = 2.3};
    double step = 1;
    for (int i = 0; i < ITERATIONS && step > 1e-10; i++) step = newton_step(b);
    if (!(step <= 1e-10)) return false;
    const curve_values tip = before_tip(b);
    b->tip_force = -dot(tip.u[3], tip.u[0]);
    integrate(b, b->interval, &b->pressure, NULL);
    return is_admissible(b);
}

void braid_at(const braid *b, double zeta, double u[2], double slope[2])
{
    curve_values at;
    if (zeta <= b->interval) {
        angle_state y = integrate(b, zeta, NULL, NULL);
        at = of_angle(b, &y);
    } else {
        at = after_interval(b);
        at = cubic(&at, fmin(zeta - b->interval, b->gap));
        for (int k = 0; k < 2; k++)
            if (zeta > b->interval + b->gap) at.u[3][k] = 0;
        at = cubic(&at, fmax(zeta - b->interval - b->gap, 0));
    }
    for (int k = 0; k < 2; k++) u[k] = at.u[0][k], slope[k] = at.u[1][k];
}

/* B d''''/2 is the force per length on a strand: (B/2)(2a/ℓ³) times ∫ u'''' over both halves, ℓ³ = (2aR)^(3/2). */
double braid_contact(const braid *b)
{
    return 2 * (b->pressure + b->end_force + b->tip_force) / (2 * sqrt(2));
}
