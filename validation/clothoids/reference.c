#include "validation/clothoids/reference.h"
#include "math/vec3.h"
#include <math.h>

curvature reference_curvature(const double start[3], const double end[3], double length)
{
    curvature k;
    for (int i = 0; i < 3; i++) k.start[i] = start[i], k.slope[i] = (end[i] - start[i]) / length;
    return k;
}

/* d = a [κ]× */
static void times_cross(long double d[9], const long double a[9], const long double k[3])
{
    for (int i = 0; i < 3; i++) {
        d[i] = a[3 + i] * k[2] - a[6 + i] * k[1];
        d[3 + i] = a[6 + i] * k[0] - a[i] * k[2];
        d[6 + i] = a[i] * k[1] - a[3 + i] * k[0];
    }
}

/* R_{n+1} = h/(n+1) (R_n [κ]× + h R_{n−1} [γ]×), r_{n+1} = h/(n+1) R_n e₁   [SSC 2013, eq. 10]: 28
 * terms over half a radian are accurate to 1e-38. */
static void taylor_step(long double R[9], long double r[3], const long double kappa[3],
                        const long double slope[3], long double h)
{
    long double term[9], before[9] = {0}, a[9], b[9];
    for (int i = 0; i < 9; i++) term[i] = R[i];
    for (int n = 0; n < 28; n++) {
        for (int i = 0; i < 3; i++) r[i] += h / (n + 1) * term[i];
        times_cross(a, term, kappa);
        times_cross(b, before, slope);
        for (int i = 0; i < 9; i++) {
            before[i] = term[i];
            term[i] = h / (n + 1) * (a[i] + h * b[i]);
            R[i] += term[i];
        }
    }
}

void reference_darboux(const curvature *k, double u, double R[9], double r[3])
{
    long double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, place[3] = {0}, kappa[3], slope[3];
    double end[3];
    v3_combine(end, 1, k->start, u, k->slope);
    double most = fmax(v3_norm(k->start), v3_norm(end));
    int steps = 1 + (int)ceil(2 * most * u);
    for (int i = 0; i < 3; i++) slope[i] = k->slope[i];
    for (int s = 0; s < steps; s++) {
        long double h = (long double)u / steps;
        for (int i = 0; i < 3; i++) kappa[i] = k->start[i] + s * h * slope[i];
        taylor_step(frame, place, kappa, slope, h);
    }
    for (int i = 0; i < 9; i++) R[i] = (double)frame[i];
    for (int i = 0; i < 3; i++) r[i] = (double)place[i];
}

double reference_angle(const curvature *k, double u)
{
    enum { PARTS = 2000 };
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        double kappa[3];
        v3_combine(kappa, 1, k->start, (i + 0.5) * u / PARTS, k->slope);
        sum += v3_norm(kappa);
    }
    return sum * u / PARTS;
}

double reference_error(const double R[9], const double r[3], const double exact_R[9],
                       const double exact_r[3])
{
    double error = v3_distance(r, exact_r) / fmax(1, v3_norm(exact_r));
    for (int i = 0; i < 9; i++) error = fmax(error, fabs(R[i] - exact_R[i]));
    return error;
}
