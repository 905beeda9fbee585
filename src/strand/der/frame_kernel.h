/* Parallel transport and rotation of directors over a lane type (math/lane_type.h): as the functions of these names in
 * curve/transport.h and math/trig.h, lane by lane. */

INLINE void NAME(v3_unit)(REAL *r, const REAL *a)
{
    NAME(v3_scale)(r, 1 / NAME(square_root)(NAME(v3_dot)(a, a)), a);
}

/* transport() of curve/transport.h where t0 and t1 are not antiparallel, 1 + c > 0 with c = t0·t1, the result. */
INLINE REAL NAME(transport_regular)(REAL *r, const REAL *t0, const REAL *t1, const REAL *x)
{
    REAL b[3], across[3], c = NAME(v3_dot)(t0, t1);
    NAME(v3_cross)(b, t0, t1);
    NAME(v3_cross)(across, b, x);
    REAL along = NAME(v3_dot)(b, x) / (1 + c);
    FOR3(k) r[k] = c * x[k] + across[k] + along * b[k];
    return c;
}

/* transport(); antiparallel lanes keep x. */
INLINE void NAME(transport)(REAL *r, const REAL *t0, const REAL *t1, const REAL *x)
{
    REAL c = NAME(transport_regular)(r, t0, t1, x);
    if (NAME(all)(1 + c > 0)) return;
    FOR_LANES(l)
    if (!(1 + *NAME(lane)(&c, l) > 0))
        for (int k = 0; k < 3; k++) *NAME(lane)(r + k, l) = ((const double *)(x + k))[l];
}

/* sin_cos() of math/trig.h below SMALL_ANGLE. */
#define SMALL_ANGLE 0.0625
INLINE void NAME(sin_cos_small)(REAL angle, REAL *s, REAL *c)
{
    REAL x = angle * angle;
    *s = angle *
         (1 - x * (1 / 6.0) * (1 - x * (1 / 20.0) * (1 - x * (1 / 42.0) * (1 - x * (1 / 72.0)))));
    *c = 1 - x * 0.5 *
                 (1 - x * (1 / 12.0) *
                          (1 - x * (1 / 30.0) * (1 - x * (1 / 56.0) * (1 - x * (1 / 90.0)))));
}

INLINE void NAME(sin_cos)(REAL angle, REAL *s, REAL *c)
{
    NAME(sin_cos_small)(angle, s, c);
    if (NAME(all)(NAME(absolute)(angle) < SMALL_ANGLE)) return;
    for (int l = 0; l < LANES; l++) {
        double a = *NAME(lane)(&angle, l);
        if (!(fabs(a) < SMALL_ANGLE)) *NAME(lane)(s, l) = sin(a), *NAME(lane)(c, l) = cos(a);
    }
}

/* rotate_about() of curve/transport.h. */
INLINE void NAME(rotate_about)(REAL *m, const REAL *t, REAL angle)
{
    REAL n[3], sine, cosine;
    NAME(sin_cos)(angle, &sine, &cosine);
    NAME(v3_cross)(n, t, m);
    NAME(v3_combine)(m, cosine, m, sine, n);
    NAME(v3_axpy)(m, -NAME(v3_dot)(m, t), t);
    NAME(v3_unit)(m, m);
}

/* angle_of() of math/trig.h. */
INLINE REAL NAME(angle_of)(REAL s, REAL c)
{
    REAL x = s / c, y = x * x;
    REAL angle =
        x *
        (1 - y * (1 / 3.0 -
                  y * (1 / 5.0 - y * (1 / 7.0 - y * (1 / 9.0 - y * (1 / 11.0 - y * (1 / 13.0)))))));
    if (NAME(all)(NAME(absolute)(s) < 0.0625 * c)) return angle;
    for (int l = 0; l < LANES; l++) {
        double sine = *NAME(lane)(&s, l), cosine = *NAME(lane)(&c, l);
        if (!(fabs(sine) < 0.0625 * cosine)) *NAME(lane)(&angle, l) = atan2(sine, cosine);
    }
    return angle;
}
