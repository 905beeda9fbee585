/* Retraction of a rod over a lane type (math/lane_type.h): LANES edges at a time, of one rod.
 *
 * Frames are updated by parallel transport in time [DER 2008, sec. 4.2.2, "Bishop frame update"] and rotated by the
 * increment of θ; the twists of joints follow from the frames. A strip of edges is in arrays on the stack, a coordinate in
 * each, where joints read the edge before theirs. */

enum { NAME(RETRACT_STRIP) = 64 };

/* Index 0 is the edge before the strip. */
typedef struct NAME(retract_strip) {
    _Alignas(64) double t[3][NAME(RETRACT_STRIP) + 2 * LANES],
        m[3][NAME(RETRACT_STRIP) + 2 * LANES];
} NAME(retract_strip);

/* Edges first + k …, into index k + 1 of the strip; those beyond the last are copies of it. */
INLINE void NAME(carry_edges)(const der *d, double *q, const double *increment,
                              const int edge[LANES], const int next[LANES], int k,
                              NAME(retract_strip) * s)
{
    const double *from[LANES], *to[LANES], *from_moves[LANES], *to_moves[LANES], *m1[LANES];
    FOR_LANES(l)
    {
        from[l] = q + 3 * edge[l], to[l] = q + 3 * next[l];
        m1[l] = q + der_m1_offset(d) + 3 * edge[l];
        from_moves[l] = increment + 4 * edge[l], to_moves[l] = increment + 4 * next[l];
    }
    REAL a[3], b[3], e[3], t_old[3], t[3], m[3], m_old[3];
    NAME(take3)(a, from, 0);
    NAME(take3)(b, to, 0);
    NAME(take3)(m_old, m1, 0);
    NAME(v3_sub)(e, b, a);
    NAME(v3_unit)(t_old, e);
    /* The difference of the new positions, as they are rounded. */
    FOR3(c) a[c] += NAME(take)(from_moves, c), b[c] += NAME(take)(to_moves, c);
    NAME(v3_sub)(e, b, a);
    NAME(v3_unit)(t, e);
    NAME(transport)(m, t_old, t, m_old);
    NAME(rotate_about)(m, t, NAME(take)(from_moves, 3));
    FOR3(c)
    {
        NAME(store)(s->t[c] + k + 1, t[c]);
        NAME(store)(s->m[c] + k + 1, m[c]);
    }
}

/* Twists of the joints at the first vertices of edges first + k …: of all branches (multiples of 2π) the one nearest to the
 * old twist plus the difference of the rotation angles of the two frames. */
INLINE void NAME(follow_twists)(const der *d, double *q, const double *increment, int first, int k,
                                int count, const NAME(retract_strip) * s)
{
    double *twist = q + der_twist_offset(d);
    REAL t0[3], t1[3], m0[3], m1[3], carried[3], across[3];
    FOR3(c)
    {
        t0[c] = NAME(load)(s->t[c] + k), t1[c] = NAME(load)(s->t[c] + k + 1);
        m0[c] = NAME(load)(s->m[c] + k), m1[c] = NAME(load)(s->m[c] + k + 1);
    }
    NAME(transport)(carried, t0, t1, m0);
    NAME(v3_cross)(across, carried, m1);
    REAL angle = NAME(angle_of)(NAME(v3_dot)(t1, across), NAME(v3_dot)(carried, m1));
    for (int l = 0; l < LANES && k + l < count; l++) {
        int i = first + k + l;
        if (i == 0) continue; /* the end of an open rod, or the closing joint */
        double near = twist[i] + increment[4 * i + 3] - increment[4 * i - 1];
        twist[i] = nearest_branch(*NAME(lane)(&angle, l), near);
    }
}

/* Frames and twists; the vertices still have their old positions. */
INLINE void NAME(carry_frames)(const der *d, double *q, const double *increment)
{
    NAME(retract_strip) s;
    double *m1 = q + der_m1_offset(d);
    FOR3(c) s.t[c][0] = s.m[c][0] = c == 0; /* there is no edge before the first */
    for (int first = 0; first < d->edges; first += NAME(RETRACT_STRIP)) {
        int count = d->edges - first;
        if (count > NAME(RETRACT_STRIP)) count = NAME(RETRACT_STRIP);
        for (int k = 0; k < count; k += LANES) {
            int edge[LANES], next[LANES];
            if (first + k + LANES < d->n) { /* addresses are then constants apart */
                FOR_LANES(l) edge[l] = first + k + l, next[l] = first + k + l + 1;
                NAME(carry_edges)(d, q, increment, edge, next, k, &s);
                continue;
            }
            FOR_LANES(l)
            {
                edge[l] = first + k + l < d->edges ? first + k + l : d->edges - 1;
                next[l] = der_next(d, edge[l]);
            }
            NAME(carry_edges)(d, q, increment, edge, next, k, &s);
        }
        for (int k = 0; k < count; k += LANES)
            NAME(follow_twists)(d, q, increment, first, k, count, &s);
        for (int k = 0; k < count; k++) FOR3(c) m1[3 * (first + k) + c] = s.m[c][k + 1];
        FOR3(c) s.t[c][0] = s.t[c][count], s.m[c][0] = s.m[c][count];
    }
}
