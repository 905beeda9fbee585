/* Frames and positions along one element, against references of higher precision than double. */
#include "curve/darboux_piecewise.h"
#include "math/rotation.h"
#include "validation/baselines/darboux_integrators.h"
#include "validation/baselines/darboux_series.h"
#include "validation/clothoids/clothoids.h"
#include "validation/clothoids/reference.h"
#include "validation/csv.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Round-off of a hundred radians, with a margin of ten. */
static const double precision = 1e-13;

/* Both methods for k over [0, u] from the frame R0. */
static void compare(validation *v, const char *name, const curvature *k, double u, const double *R0,
                    const double *exact_R, const double *exact_r)
{
    double R[9], r[3];
    cord__darboux_at(k, u, R0, R, r);
    validation_row_below(v, name, "error, about the middle",
                         reference_error(R, r, exact_R, exact_r), precision);
    int parts =
        cord__darboux_piecewise_at(k, u, R0, DARBOUX_SERIES_LIMIT, DARBOUX_SERIES_PRECISION, R, r);
    validation_row_below(v, name, validation_text(v, "error, the paper's, parts: %d", parts),
                         reference_error(R, r, exact_R, exact_r), precision);
}

static void three_numbers(const char *text, double a[3])
{
    if (sscanf(text, "%lf %lf %lf", &a[0], &a[1], &a[2]) != 3) a[0] = a[1] = a[2] = NAN;
}

void check_space_clothoids(validation *v)
{
    csv t;
    if (!csv_open(v, "12_clothoid3d.csv", &t)) return;
    int start = csv_column(&t, "kappa_start"), end = csv_column(&t, "kappa_end");
    int length = csv_column(&t, "L"), rx = csv_column(&t, "rx"), r00 = csv_column(&t, "R00");
    for (int i = 0; i < t.rows; i++) {
        double a[3], b[3], r[3], R[9], u = csv_number(&t, i, length);
        three_numbers(csv_text(&t, i, start), a);
        three_numbers(csv_text(&t, i, end), b);
        for (int c = 0; c < 3; c++) r[c] = csv_number(&t, i, rx + c);
        for (int c = 0; c < 9; c++) R[3 * (c % 3) + c / 3] = csv_number(&t, i, r00 + c);
        curvature k = reference_curvature(a, b, u);
        const char *name =
            validation_text(v, "%s, %.3g rad", csv_text(&t, i, 0), reference_angle(&k, u));
        compare(v, name, &k, u, identity, R, r);
    }
    csv_close(&t);
}

void check_plane_clothoids(validation *v)
{
    csv t;
    if (!csv_open(v, "12_clothoid2d.csv", &t)) return;
    int start = csv_column(&t, "kappa_start"), end = csv_column(&t, "kappa_end");
    int length = csv_column(&t, "L"), theta = csv_column(&t, "theta0"), x = csv_column(&t, "x");
    int last = csv_column(&t, "theta_end");
    for (int i = 0; i < t.rows; i++) {
        double a = csv_number(&t, i, start), b = csv_number(&t, i, end);
        double u = csv_number(&t, i, length), from[3] = {0, 0, csv_number(&t, i, theta)}, R0[9];
        double to[3] = {0, 0, csv_number(&t, i, last)}, R[9];
        double exact[3] = {csv_number(&t, i, x), csv_number(&t, i, x + 1), 0}, r[3] = {0};
        curvature k = {{0, 0, a}, {0, 0, (b - a) / u}};
        const char *name = validation_text(v, "κ %g to %g over %g", a, b, u);
        cord__rotation_exp(R0, from);
        cord__rotation_exp(R, to);
        compare(v, name, &k, u, R0, R, exact);
        int count = cord__clothoid_romberg(a, (b - a) / u, u, from[2], 1e-15, &r[0], &r[1]);
        validation_row_below(v, name, validation_text(v, "error, Romberg, %d evaluations", count),
                             v3_distance(r, exact) / fmax(1, v3_norm(exact)), precision);
    }
    csv_close(&t);
}

/* 5.67 m with a rotation of six hundred radians. */
void check_long_element(validation *v)
{
    static const double start[3] = {10, 50, -30}, end[3] = {-60, -120, 200}, length = 5.67;
    curvature k = reference_curvature(start, end, length);
    double exact_R[9], exact_r[3], R[9], r[3];
    reference_darboux(&k, length, exact_R, exact_r);
    const char *name = validation_text(v, "%.0f rad", reference_angle(&k, length));
    int parts = cord__darboux_piecewise_at(&k, length, identity, DARBOUX_SERIES_LIMIT,
                                           DARBOUX_SERIES_PRECISION, R, r);
    validation_row(v, name, "subdivisions", parts, 109, 0);
    validation_row_below(v, name, "error, the paper's", reference_error(R, r, exact_R, exact_r),
                         1e-12);
    cord__darboux_piecewise_at(&k, length, identity, DARBOUX_SERIES_LIMIT / 2,
                               DARBOUX_SERIES_PRECISION, R, r);
    validation_row_below(v, name, "error, the paper's, M halved",
                         reference_error(R, r, exact_R, exact_r), 1e-12);
    cord__darboux_at(&k, length, identity, R, r);
    validation_row_below(v, name, "error, about the middle",
                         reference_error(R, r, exact_R, exact_r), 1e-12);
}

/* Positive nodes of the 10-point Gauss–Legendre rule. */
static const double nodes[5] = {0.14887433898163122, 0.4333953941292472, 0.6794095682990244,
                                0.8650633666889845, 0.9739065285171717};

static double off_rotation(const double m[9])
{
    double g[9], most = 0;
    m3_transposed_multiply(g, m, m);
    for (int i = 0; i < 9; i++) most = fmax(most, fabs(g[i] - identity[i]));
    return most;
}

void check_orthonormality(validation *v)
{
    static const char *const names[] = {"about the middle", "the paper's"};
    double x[10];
    for (int i = 0; i < 5; i++) x[5 + i] = nodes[i], x[4 - i] = -nodes[i];
    for (int method = 0; method < 2; method++) {
        double q[4] = {1, 0, 0, 0}, worst = 0, angle = 0;
        for (int element = 0; angle < 1000; element++) {
            const double a[3] = {sin(element), 3 * cos(2.3 * element), 3};
            const double b[3] = {cos(1.7 * element), 3, 3 * sin(0.7 * element)};
            curvature k = reference_curvature(a, b, 1);
            double frames[90], end[4];
            cord__darboux_frames((cord_kinematics)method, &k, 1, q, 10, x, frames, end);
            for (int i = 0; i < 10; i++) worst = fmax(worst, off_rotation(frames + 9 * i));
            memcpy(q, end, sizeof q);
            angle += reference_angle(&k, 1);
        }
        validation_row_below(v, names[method], "largest |RᵀR − I| over 1000 rad", worst, precision);
    }
}
