/* The cache of a rod over a lane type (math/lane_type.h): LANES edges, or joints, at a time. */

/* The members of der_edge, from e and m1. */
INLINE void NAME(refresh_edges)(REAL edge[14])
{
    REAL *e = edge, *t = edge + 3, *m1 = edge + 6, *m2 = edge + 9;
    edge[12] = NAME(square_root)(NAME(v3_dot)(e, e));
    edge[13] = 1 / edge[12];
    NAME(v3_scale)(t, edge[13], e);
    NAME(v3_cross)(m2, t, m1);
}

INLINE void NAME(refresh_rows)(const der *d, const double *q, double *cache)
{
    enum { MEMBERS = sizeof(der_edge) / sizeof(double) };
    const double *m1 = der_m1(d, q);
    double *by_coordinate = cache + der_coordinate_offset(d, 0);
    for (int first = 0; first < d->edges; first += LANES) {
        const double *from[LANES], *to[LANES], *director[LANES];
        REAL edge[14];
        if (first + LANES < d->n) {
            REAL x[3];
            NAME(load_xyz)(x, q + 3 * first);
            NAME(load_xyz)(edge, q + 3 * (first + 1));
            NAME(load_xyz)(edge + 6, m1 + 3 * first);
            NAME(v3_sub)(edge, edge, x);
            NAME(refresh_edges)(edge);
            for (int k = 0; k < 6; k++) NAME(store)(by_coordinate + k * d->edges + first, edge[k]);
            NAME(store)(by_coordinate + OF_EDGES_INVERSE * d->edges + first, edge[13]);
            UNROLLED
            for (int k = 0; k < 12; k += 4) {
                NAME(transpose)(edge + k);
                FOR_LANES(l) NAME(store)(cache + MEMBERS * (first + l) + k, edge[k + l]);
            }
            FOR_LANES(l)
            {
                cache[MEMBERS * (first + l) + 12] = *NAME(lane)(edge + 12, l);
                cache[MEMBERS * (first + l) + 13] = *NAME(lane)(edge + 13, l);
            }
            continue;
        }
        FOR_LANES(l)
        {
            int j = first + l < d->edges ? first + l : d->edges - 1;
            from[l] = q + 3 * j, to[l] = q + 3 * der_next(d, j), director[l] = m1 + 3 * j;
        }
        FOR3(c) edge[c] = NAME(take)(to, c) - NAME(take)(from, c);
        NAME(take3)(edge + 6, director, 0);
        NAME(refresh_edges)(edge);
        for (int l = 0; l < LANES && first + l < d->edges; l++) {
            double *own = by_coordinate + first + l;
            for (int k = 0; k < MEMBERS; k++)
                cache[MEMBERS * (first + l) + k] = *NAME(lane)(edge + k, l);
            for (int k = 0; k < 6; k++) own[k * d->edges] = *NAME(lane)(edge + k, l);
            own[OF_EDGES_INVERSE * d->edges] = *NAME(lane)(edge + 13, l);
        }
    }
}

/* Strains of the joints at vertices first, first + 1, …, all of which exist: as joint_strains() of frame.c. */
INLINE void NAME(refresh_strains)(const der *d, const double *q, int first, double *cache)
{
    const der_edge *edges = der_edges(cache);
    const double *frame[2][LANES], *twist = der_twist(d, q) + first;
    double *strain = cache + der_strain_offset(d) + STRAINS * first;
    REAL t0[3], t1[3], m[3], k[3], out[4];
    FOR_LANES(l)
    {
        frame[0][l] = (const double *)(edges + first - 1 + l);
        frame[1][l] = (const double *)(edges + first + l);
    }
    NAME(take3)(t0, frame[0], EDGE(t));
    NAME(take3)(t1, frame[1], EDGE(t));
    REAL chi = 1 + NAME(v3_dot)(t0, t1), x = 1 - 0.5 * chi;
    REAL p = 1 + x * (d->form.linear + x * d->form.quadratic);
    NAME(v3_cross)(k, t0, t1);
    NAME(v3_scale)(k, 2 * NAME(square_root)(p) / chi, k);
    UNROLLED
    for (int a = 0; a < 4; a++) {
        NAME(take3)(m, frame[a / 2], a % 2 ? EDGE(m2) : EDGE(m1));
        out[a] = NAME(v3_dot)(k, m);
    }
    NAME(transpose)(out);
    FOR_LANES(l)
    {
        NAME(store)(strain + STRAINS * l, out[l]);
        strain[STRAINS * l + 4] = twist[l];
    }
}
