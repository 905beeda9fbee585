/* Splines: geometric stiffness of a torque on the frame at a point. One point at a time,
 * column-major. */
#include "math/vec3.h"
#include "strand/spline/spline.h"

/* Over x' at the start of the span, at its end and at the point. The row stride is that of a SIMD
 * vector. */
typedef double square[3][4];
typedef struct torque_blocks {
    square start, end, location, end_start, here_start; /* the first three symmetric */
} torque_blocks;

/* b += c (u vᵀ + v uᵀ) */
INLINE void add_symmetric(square b, double c, const double *u, const double *v)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) b[i][k] += c * (u[i] * v[k] + v[i] * u[k]);
}

/* Second derivatives, times `scale`, of the holonomy angle Ψ of the smallest rotation from tangent
 * y to z, as in reduced.h; iy and iz are 1/|x'| there. */
INLINE void add_carry(const double *y, double iy, const double *z, double iz, double scale,
                      square yy, square zz, square zy)
{
    double chi = 1 / (1 + v3_dot(y, z)), half[3], tau[3], with_y[3], with_z[3];
    v3_cross(half, y, z);
    for (int k = 0; k < 3; k++) {
        half[k] *= chi;
        tau[k] = chi * (y[k] + z[k]);
        with_y[k] = tau[k] + y[k], with_z[k] = tau[k] + z[k];
    }
    add_symmetric(yy, -0.5 * scale * iy * iy, half, with_y);
    add_symmetric(zz, -0.5 * scale * iz * iz, half, with_z);
    double c = -scale * iy * iz;
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        for (int k = 0; k < 3; k++) zy[i][k] += c * tau[i] * half[k];
        zy[i][last] += c * chi * y[next];
        zy[i][next] -= c * chi * y[last];
    }
}

/* The block of two control points; s, e and d are their weights in the three x'. */
INLINE void combine(const torque_blocks *b, const double *s, const double *e, const double *d,
                    int i, int j, square out)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = s[i] * s[j] * b->start[r][c] + e[i] * e[j] * b->end[r][c] +
                        d[i] * d[j] * b->location[r][c] +
                        (e[i] * s[j] * b->end_start[r][c] + s[i] * e[j] * b->end_start[c][r]) +
                        (d[i] * s[j] * b->here_start[r][c] + s[i] * d[j] * b->here_start[c][r]);
}

/* The angular velocity of the frame is t × ẋ'/|x'| + φ̇ t; the rate of a torque's power along a
 * straight motion is −2 (t·δp)(w × t · δp)/|p|² + φ̇ w_⊥·δp/|p| + φ̈ w·t, w_⊥ the component of w
 * orthogonal to t. */
INLINE void torque_curving(const spline *s, const double *cache, const spline_location *at,
                           const spline_state *state, const double rotation[SPLINE_LOCAL],
                           const double w[3], double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    const spline_knot *knot = spline_knots(cache) + at->span, *end = knot + 1;
    const spline_span *span = s->span + at->span;
    torque_blocks b = {0};
    double t[3], side[3], half[SPLINE_LOCAL] = {0}, inverse = 1 / v3_normalize(t, state->p);
    double along = v3_dot(w, t);
    v3_cross(side, w, t);
    add_symmetric(b.location, -inverse * inverse, t, side);
    add_carry(knot->t, knot->inverse, t, inverse, -along, b.start, b.location, b.here_start);
    add_carry(knot->t, knot->inverse, end->t, end->inverse, along * at->fraction, b.start, b.end,
              b.end_start);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            half[3 * i + k] = at->w.d[i] * 0.5 * inverse * (w[k] - along * t[k]);
    for (int i = 0; i < SPLINE_LOCAL; i++)
        for (int k = 0; k <= i; k++) h[i][k] = half[i] * rotation[k] + rotation[i] * half[k];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            square own;
            combine(&b, span->start, span->end, at->w.d, i, j, own);
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) h[3 * i + r][3 * j + c] += own[r][c];
        }
}

MULTIVERSION_AVX2(cord__spline_torque_curving, torque_curving,
                  (const spline *s, const double *cache, const spline_location *at,
                   const spline_state *state, const double rotation[SPLINE_LOCAL],
                   const double w[3], double h[SPLINE_LOCAL][SPLINE_LOCAL]),
                  (s, cache, at, state, rotation, w, h))
