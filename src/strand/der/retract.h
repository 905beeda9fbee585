/* Retraction of a rod over a lane type (math/lane_type.h): LANES edges at a time, of one rod.
 *
 * Frames are updated by parallel transport in time [DER 2008, sec. 4.2.2, "Bishop frame update"] and rotated by the
 * increment of θ; the twists of joints follow from the frames. A strip of edges is in arrays on the stack, a coordinate in
 * each, where joints read the edge before theirs, and edges the vertex after theirs. */

enum { NAME(RETRACT_STRIP) = 64, NAME(RETRACT_ROOM) = NAME(RETRACT_STRIP) + 2 * LANES };

/* Of the vertices and the edges of a strip; `t`, `m` and `by` have the edge before the strip at index 0. */
typedef struct NAME(retract_strip) {
    _Alignas(64) double from[3][NAME(RETRACT_ROOM)], to[3][NAME(RETRACT_ROOM)]; /* vertices */
    double t[3][NAME(RETRACT_ROOM)], m[3][NAME(RETRACT_ROOM)];
    double by[NAME(RETRACT_ROOM)]; /* rotation about the tangent */
} NAME(retract_strip);

/* Vertex `at` of the strip, as it was and as it moves. */
INLINE void NAME(set_vertex)(NAME(retract_strip) * s, int at, const double *x, const double *by)
{
    FOR3(c) s->from[c][at] = x[c], s->to[c][at] = x[c] + by[c];
}

/* Moves the vertices first …, `count` of them, and adds the one after them; `start`: where vertex 0 was. */
INLINE void NAME(move_vertices)(const der *d, double *q, const double *increment, int first,
                                int count, const double start[3], NAME(retract_strip) * s)
{
    const double *m1 = q + der_m1_offset(d);
    int k = 0;
    for (; k + LANES <= count && first + k + LANES < d->n; k += LANES) {
        double *at = q + 3 * (first + k);
        REAL x[3], m[3], by[4];
        NAME(load_xyz)(x, at);
        NAME(load_xyz)(m, m1 + 3 * (first + k));
        UNROLLED
        for (int l = 0; l < 4; l++) by[l] = NAME(load)(increment + 4 * (first + k + l));
        NAME(transpose)(by);
        FOR3(c)
        {
            NAME(store)(s->from[c] + k, x[c]);
            x[c] += by[c];
            NAME(store)(s->to[c] + k, x[c]);
            NAME(store)(s->m[c] + k + 1, m[c]);
        }
        NAME(store)(s->by + k + 1, by[3]);
        NAME(store_xyz)(at, x);
    }
    for (; k < count; k++) {
        double *at = q + 3 * (first + k);
        NAME(set_vertex)(s, k, at, increment + 4 * (first + k));
        FOR3(c) at[c] = s->to[c][k], s->m[c][k + 1] = m1[3 * (first + k) + c];
        s->by[k + 1] = increment[4 * (first + k) + 3];
    }
    const int after = first + count;
    if (after < d->n)
        NAME(set_vertex)(s, k, q + 3 * after, increment + 4 * after);
    else
        NAME(set_vertex)(s, k, start, increment);
}

/* Copies of the last edge of the strip, up to a whole vector. */
INLINE void NAME(fill_up)(NAME(retract_strip) * s, int count)
{
    for (int k = count; k % LANES > 0; k++) {
        FOR3(c)
        {
            s->from[c][k + 1] = s->from[c][k] + (s->from[c][count] - s->from[c][count - 1]);
            s->to[c][k + 1] = s->to[c][k] + (s->to[c][count] - s->to[c][count - 1]);
            s->m[c][k + 1] = s->m[c][count];
        }
        s->by[k + 1] = s->by[count];
    }
}

/* Tangents and directors of the edges at index k of the strip on. */
INLINE void NAME(carry_directors)(NAME(retract_strip) * s, int k)
{
    REAL old[3], e[3], t[3], m[3];
    FOR3(c)
    {
        old[c] = NAME(load)(s->from[c] + k + 1) - NAME(load)(s->from[c] + k);
        /* The difference of the new positions, as they are rounded. */
        e[c] = NAME(load)(s->to[c] + k + 1) - NAME(load)(s->to[c] + k);
        m[c] = NAME(load)(s->m[c] + k + 1);
    }
    NAME(rotate_with_edge)(m, old, e, t, NAME(load)(s->by + k + 1));
    FOR3(c)
    {
        NAME(store)(s->t[c] + k + 1, t[c]);
        NAME(store)(s->m[c] + k + 1, m[c]);
    }
}

/* Twists of the joints at the first vertices of edges first + k …: of all branches (multiples of 2π) the one nearest to the
 * old twist plus the difference of the rotation angles of the two frames. `count`: of the strip. */
INLINE void NAME(follow_twists)(const der *d, double *q, int first, int k, int count,
                                const NAME(retract_strip) * s)
{
    double *twist = q + der_twist_offset(d) + first + k;
    const bool whole = first + k > 0 && k + LANES <= count;
    REAL t0[3], t1[3], m0[3], m1[3], near = NAME(load)(s->by + k + 1) - NAME(load)(s->by + k);
    FOR3(c)
    {
        t0[c] = NAME(load)(s->t[c] + k), t1[c] = NAME(load)(s->t[c] + k + 1);
        m0[c] = NAME(load)(s->m[c] + k), m1[c] = NAME(load)(s->m[c] + k + 1);
    }
    if (whole) {
        near += NAME(load)(twist);
        NAME(store)(twist, NAME(twist_near)(t0, m0, t1, m1, near));
        return;
    }
    for (int l = 0; l < LANES; l++)
        if (k + l < count) *NAME(lane)(&near, l) += twist[l];
    REAL angle = NAME(twist_near)(t0, m0, t1, m1, near);
    for (int l = 0; l < LANES; l++) /* at vertex 0: the end of an open rod, or the closing joint */
        if (k + l < count && first + k + l > 0) twist[l] = *NAME(lane)(&angle, l);
}

/* The edge at `from` becomes the one before the strip. */
INLINE void NAME(copy_edge)(NAME(retract_strip) * s, int from)
{
    FOR3(c) s->t[c][0] = s->t[c][from], s->m[c][0] = s->m[c][from];
    s->by[0] = s->by[from];
}

/* Vertices, frames and twists. */
INLINE void NAME(move_rod)(const der *d, double *q, const double *increment)
{
    NAME(retract_strip) s;
    const double start[3] = {q[0], q[1], q[2]};
    double *m1 = q + der_m1_offset(d);
    for (int first = 0; first < d->edges; first += NAME(RETRACT_STRIP)) {
        int count = d->edges - first, k = 0;
        if (count > NAME(RETRACT_STRIP)) count = NAME(RETRACT_STRIP);
        NAME(move_vertices)(d, q, increment, first, count, start, &s);
        NAME(fill_up)(&s, count);
        for (k = 0; k < count; k += LANES) NAME(carry_directors)(&s, k);
        if (first == 0) NAME(copy_edge)(&s, 1); /* there is no edge before the first */
        for (k = 0; k < count; k += LANES) NAME(follow_twists)(d, q, first, k, count, &s);
        for (k = 0; k + LANES <= count; k += LANES) {
            REAL m[3];
            FOR3(c) m[c] = NAME(load)(s.m[c] + k + 1);
            NAME(store_xyz)(m1 + 3 * (first + k), m);
        }
        for (; k < count; k++) FOR3(c) m1[3 * (first + k) + c] = s.m[c][k + 1];
        NAME(copy_edge)(&s, count);
    }
    for (int i = d->edges; i < d->n; i++) v3_add(q + 3 * i, q + 3 * i, increment + 4 * i);
}

/* No edge rotates by more than about 40 degrees in one increment, nor a frame by more than one radian: beyond that
 * Newton's second-order model does not describe the energy, and a branch of the twist could be missed. */
INLINE double NAME(nonlinearity)(const der *d, const double *cache, const double *increment)
{
    const double *inverse = cache + der_coordinate_offset(d, OF_EDGES_INVERSE);
    REAL most = NAME(broadcast)(0), spins = most; /* squared angles; of the last dof: spins */
    double angle = 0, spin = 0;
    int j = 0;
    for (; j + LANES < d->edges; j += LANES) {
        REAL at = NAME(load)(increment + 4 * j), w[4];
        FOR_LANES(l)
        {
            REAL next = NAME(load)(increment + 4 * (j + l + 1));
            spins = NAME(largest)(spins, NAME(absolute)(at));
            w[l] = next - at;
            at = next;
        }
        NAME(transpose)(w);
        REAL unit = NAME(load)(inverse + j);
        most = NAME(largest)(most, NAME(v3_dot)(w, w) * (unit * unit));
    }
    for (; j < d->edges; j++) {
        double w[3], own_spin = fabs(increment[4 * j + 3]);
        v3_sub(w, increment + 4 * der_next(d, j), increment + 4 * j);
        double own_angle = v3_dot(w, w) * (inverse[j] * inverse[j]);
        if (own_angle > angle) angle = own_angle;
        if (own_spin > spin) spin = own_spin;
    }
    FOR_LANES(l) if (most[l] > angle) angle = most[l];
    return fmax(sqrt(angle) / 0.7, fmax(spin, spins[3]));
}
