#include "math/vec3.h"
#include "constraint/constraint.h"

/* g = n·d with n rotated by w (of the second point) and d = x₁ − x₂ displaced by δ: to second order (w × n)·δ + ½ (w
 * × (w × n))·d, whose Hessian by w is ½(n dᵀ + d nᵀ) − (n·d). */
void cord__add_normal_hessian(const double n[3], const double d[3], double lambda, double h[12][12])
{
    const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
    double nd = v3_dot(n, d);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double mixed = lambda * cross[r][c]; /* w_r δ_c: (w × n)·δ = w·(n × δ) */
            h[9 + r][c] += mixed, h[c][9 + r] += mixed;
            h[9 + r][6 + c] -= mixed, h[6 + c][9 + r] -= mixed;
            h[9 + r][9 + c] += lambda * (0.5 * (n[r] * d[c] + d[r] * n[c]) - (r == c) * nd);
        }
}

void cord__dot_of_directions(const double a[3], const double n[3], int row, constraint_value *out)
{
    double rotation[3];
    out->g[row] = v3_dot(a, n);
    v3_cross(rotation, a, n);
    v3_copy(out->D[row] + 3, rotation);
    v3_scale(out->D[row] + 9, -1, rotation);
}

/* a·n with a rotated by x and n by y: a rotation of one changes it at second order by ½ (x × (x × a))·n, whose
 * Hessian is ½(a nᵀ + n aᵀ) − a·n, of both by (x × a)·(y × n). */
void cord__add_directions_hessian(const double a[3], const double n[3], double lambda,
                                  double h[12][12])
{
    double an = v3_dot(a, n);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double own = lambda * (0.5 * (a[r] * n[c] + n[r] * a[c]) - (r == c) * an);
            double mixed = lambda * ((r == c) * an - n[r] * a[c]); /* x_r y_c */
            h[3 + r][3 + c] += own, h[9 + r][9 + c] += own;
            h[3 + r][9 + c] += mixed, h[9 + c][3 + r] += mixed;
        }
}
