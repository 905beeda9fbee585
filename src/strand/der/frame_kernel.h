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

/* m carried from t0 to t1, with c = t0·t1, rotated by a small angle about t1; it stays a unit vector across t1. The bits of the lanes
 * in which that is right. */
INLINE NAME(bits)
    NAME(rotate_carried_little)(REAL *m, const REAL *carried, REAL c, const REAL *t1, REAL angle)
{
    REAL n[3], moved[3], sine, cosine;
    NAME(sin_cos_small)(angle, &sine, &cosine);
    NAME(v3_cross)(n, t1, carried);
    NAME(v3_combine)(moved, cosine, carried, sine, n);
    NAME(v3_axpy)(moved, -NAME(v3_dot)(moved, t1), t1);
    REAL off = NAME(v3_dot)(moved, moved) - 1;
    NAME(v3_scale)(m, 1 - 0.5 * off, moved); /* 1/√(1 + x) = 1 − x/2 + O(x²) */
    return (1 + c > 0) & (NAME(absolute)(angle) < SMALL_ANGLE) & (NAME(absolute)(off) < 1e-8);
}

/* The same by any angle: lanes in which the formulas for small motion do not hold are computed by others. */
INLINE void NAME(rotate_carried)(REAL *m, const REAL *carried, REAL c, const REAL *t0,
                                 const REAL *t1, REAL angle)
{
    REAL moved[3], other[3];
    const NAME(bits) small = NAME(rotate_carried_little)(moved, carried, c, t1, angle);
    if (!NAME(all)(small)) {
        NAME(transport)(other, t0, t1, m);
        NAME(rotate_about)(other, t1, angle);
        FOR3(k) moved[k] = NAME(select)(small, moved[k], other[k]);
    }
    FOR3(k) m[k] = moved[k];
}

/* m rotated with its tangent from t0 to t1 and by an angle about it. */
INLINE void NAME(rotate_with)(REAL *m, const REAL *t0, const REAL *t1, REAL angle)
{
    REAL carried[3], c = NAME(transport_regular)(carried, t0, t1, m);
    NAME(rotate_carried)(m, carried, c, t0, t1, angle);
}

/* The same of small motions; the bits of the lanes in which they are. */
INLINE NAME(bits) NAME(rotate_with_little)(REAL *m, const REAL *t0, const REAL *t1, REAL angle)
{
    REAL carried[3], c = NAME(transport_regular)(carried, t0, t1, m);
    return NAME(rotate_carried_little)(m, carried, c, t1, angle);
}

/* rotate_with() between edges e0 and e1 with one division for lengths and transport: with the product p of the lengths and C = e0·e1,
 * 1/p and 1/(p + C) follow from 1/(p (p + C)). t1 becomes the tangent of e1. */
INLINE void NAME(rotate_with_edge)(REAL *m, const REAL *e0, const REAL *e1, REAL *t1, REAL angle)
{
    REAL b[3], across[3], carried[3], t0[3];
    REAL l0 = NAME(square_root)(NAME(v3_dot)(e0, e0)), l1 = NAME(square_root)(NAME(v3_dot)(e1, e1));
    REAL p = l0 * l1, sum = p + NAME(v3_dot)(e0, e1), inverse = 1 / (p * sum);
    if (!NAME(all)(sum > 1e-3 * p)) { /* nearly antiparallel */
        FOR3(k) t0[k] = e0[k], t1[k] = e1[k];
        NAME(v3_unit)(t0, t0);
        NAME(v3_unit)(t1, t1);
        NAME(rotate_with)(m, t0, t1, angle);
        return;
    }
    REAL product = sum * inverse, c = NAME(v3_dot)(e0, e1) * product;
    NAME(v3_cross)(b, e0, e1);
    NAME(v3_scale)(b, product, b);
    NAME(v3_cross)(across, b, m);
    REAL along = NAME(v3_dot)(b, m) * (p * p * inverse); /* 1/(1 + c) = p/(p + C) */
    FOR3(k)
    {
        carried[k] = c * m[k] + across[k] + along * b[k];
        t0[k] = product * l1 * e0[k], t1[k] = product * l0 * e1[k];
    }
    NAME(rotate_carried)(m, carried, c, t0, t1, angle);
}

/* The angle from m0, transported from t0 to t1, to m1, where it is small; the bits of the lanes in which it is, and the nearest of all
 * branches to `near`. */
INLINE NAME(bits) NAME(twist_little)(const REAL *t0, const REAL *m0, const REAL *t1, const REAL *m1,
                                     REAL near, REAL *angle)
{
    REAL carried[3], across[3], c = NAME(transport_regular)(carried, t0, t1, m0);
    NAME(v3_cross)(across, carried, m1);
    REAL sine = NAME(v3_dot)(t1, across), cosine = NAME(v3_dot)(carried, m1), y = sine * sine;
    *angle =
        sine *
        (1 + y * (1 / 6.0 +
                  y * (3 / 40.0 +
                       y * (15 / 336.0 +
                            y * (105 / 3456.0 + y * (945 / 42240.0 + y * (10395 / 599040.0)))))));
    return (1 + c > 0) & (NAME(absolute)(sine) < SMALL_ANGLE) & (cosine > 0) &
           (NAME(absolute)(near) < 3);
}

/* The angle from m0, transported from t0 to t1, to m1: of all branches the one nearest to `near`. */
INLINE REAL NAME(twist_near)(const REAL *t0, const REAL *m0, const REAL *t1, const REAL *m1,
                             REAL near)
{
    REAL little, carried[3], across[3];
    const NAME(bits) small = NAME(twist_little)(t0, m0, t1, m1, near, &little);
    if (NAME(all)(small)) return little;
    NAME(transport)(carried, t0, t1, m0);
    NAME(v3_cross)(across, carried, m1);
    REAL angle = NAME(angle_of)(NAME(v3_dot)(t1, across), NAME(v3_dot)(carried, m1));
    FOR_LANES(l) * NAME(lane)(&angle, l) =
        nearest_branch(*NAME(lane)(&angle, l), *NAME(lane)(&near, l));
    return NAME(select)(small, little, angle);
}
