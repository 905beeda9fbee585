/* Assembly of a rod over a lane type (math/lane_type.h, joint_kernel.h): LANES joints, or vertices, at a time. Each vertex
 * gathers the forces and the columns of its unknowns from the joint at it and the two beside it, so that every entry of the
 * residual and of the matrix is written once. Edge i is frame 1 of the joint at vertex i, and its stretching belongs to
 * the derivatives over f there.
 *
 * The rod is assembled strip by strip: the joints of a strip and one more at either side, into arrays on the stack, then
 * the vertices. */

/* Vertices of the rod, each with the joint at it and the edge after it. */
typedef struct NAME(lane_vertices) {
    int first;
    bool inside;                    /* all have joints and edges, and are consecutive */
    int vertex[LANES], edge[LANES]; /* of a lane without them: any others */
    REAL has_edge;                  /* 1 or 0 */
    bool has_joint[LANES];
} NAME(lane_vertices);

/* Vertices first, first + 1, …: of a closed rod they wrap round, of an open one those beyond its ends are absent. */
INLINE void NAME(find_vertices)(const der *d, int first, NAME(lane_vertices) * at)
{
    bool joints = first > 0 && first + LANES < d->n;
    for (int i = first; joints && i < first + LANES; i++) joints = d->frame_at[i] < 0;
    at->first = first;
    at->inside = joints;
    at->has_edge = NAME(broadcast)(1);
    FOR_LANES(l)
    {
        int i = first + l;
        at->vertex[l] = at->edge[l] = i, at->has_joint[l] = true;
        if (joints) continue;
        if (d->closed) i = i < 0 ? i + d->n : i >= d->n ? (i - d->n) % d->n : i;
        bool in_rod = i >= 0 && i < d->n, has_edge = i >= 0 && i < d->edges;
        at->vertex[l] = in_rod ? i : 0;
        at->edge[l] = has_edge ? i : d->edges - 1;
        if (!has_edge) *NAME(lane)(&at->has_edge, l) = 0;
        at->has_joint[l] = in_rod && der_has_joint(d, i);
    }
}

/* The difference of v along edges, and the rates of rotation about them. */
INLINE void NAME(edge_rates)(const der *d, const double *v, const int *edge, REAL *rate,
                             REAL *theta)
{
    const double *from[LANES], *to[LANES];
    FOR_LANES(l) from[l] = v + 4 * edge[l], to[l] = v + 4 * der_next(d, edge[l]);
    FOR3(k) rate[k] = NAME(take)(to, k) - NAME(take)(from, k);
    if (theta) *theta = NAME(take)(from, 3);
}

INLINE void NAME(load_joints)(const der *d, const der_eval *in, bool isotropic,
                              const int edge[2][LANES], const int vertex[LANES], NAME(joint) * j)
{
    const der_edge *edges = der_edges(in->at.cache);
    const double *frame[2][LANES], *strain[LANES], *twist[LANES], *natural[LANES];
    FOR_LANES(l)
    {
        frame[0][l] = (const double *)(edges + edge[0][l]);
        frame[1][l] = (const double *)(edges + edge[1][l]);
        strain[l] = der_strains(d, in->at.cache) + STRAINS * vertex[l];
        twist[l] = der_twist(d, in->at.q) + vertex[l];
        natural[l] = d->natural + STRAINS * vertex[l];
    }
    NAME(take3)(j->e, frame[0], EDGE(t));
    NAME(take3)(j->f, frame[1], EDGE(t));
    j->inverse_e = NAME(take)(frame[0], EDGE(inverse));
    j->inverse_f = NAME(take)(frame[1], EDGE(inverse));
    j->strain[4] = NAME(take)(twist, 0);
    j->natural[4] = NAME(take)(natural, 4);
    if (isotropic) return;
    NAME(take3)(j->m10, frame[0], EDGE(m1));
    NAME(take3)(j->m20, frame[0], EDGE(m2));
    NAME(take3)(j->m11, frame[1], EDGE(m1));
    NAME(take3)(j->m21, frame[1], EDGE(m2));
    UNROLLED
    for (int a = 0; a < 4; a++)
        j->strain[a] = NAME(take)(strain, a), j->natural[a] = NAME(take)(natural, a);
}

/* The same of the joints at the vertices from `first` on, which are inside the rod. */
INLINE void NAME(load_isotropic_joints)(const der *d, const der_eval *in, int first,
                                        NAME(joint) * j)
{
    const double *edges = in->at.cache + der_coordinate_offset(d, 0) + first, *natural[LANES];
    FOR_LANES(l) natural[l] = d->natural + STRAINS * (first + l);
    FOR3(c)
    {
        j->e[c] = NAME(load)(edges + (OF_EDGES_T + c) * d->edges - 1);
        j->f[c] = NAME(load)(edges + (OF_EDGES_T + c) * d->edges);
    }
    j->inverse_e = NAME(load)(edges + OF_EDGES_INVERSE * d->edges - 1);
    j->inverse_f = NAME(load)(edges + OF_EDGES_INVERSE * d->edges);
    j->strain[4] = NAME(load)(der_twist(d, in->at.q) + first);
    j->natural[4] = NAME(take)(natural, 4);
}

/* A lane without a joint has two equal frames, and a cell of infinite length: no stiffness. */
INLINE void NAME(vertex_joints)(const der *d, const der_eval *in, bool isotropic,
                                const NAME(lane_vertices) * at, NAME(joint) * j)
{
    int edge[2][LANES];
    if (at->inside) { /* addresses are then constants apart */
        int vertex[LANES];
        FOR_LANES(l) edge[0][l] = at->first - 1 + l, vertex[l] = edge[1][l] = at->first + l;
        if (isotropic)
            NAME(load_isotropic_joints)(d, in, at->first, j);
        else
            NAME(load_joints)(d, in, isotropic, (const int(*)[LANES])edge, vertex, j);
        j->bending_cell = NAME(load)(d->bending_cell + at->first);
        j->cell = NAME(load)(d->cell + at->first);
    } else {
        FOR_LANES(l)
        {
            int i = at->vertex[l];
            bool is = at->has_joint[l];
            edge[0][l] = is ? der_edge_before(d, i) : at->edge[l];
            edge[1][l] = is ? i : at->edge[l];
            *NAME(lane)(&j->bending_cell, l) = is ? d->bending_cell[i] : INFINITY;
            *NAME(lane)(&j->cell, l) = is ? d->cell[i] : INFINITY;
        }
        NAME(load_joints)(d, in, isotropic, (const int(*)[LANES])edge, at->vertex, j);
    }
    if (d->damping > 0) {
        NAME(edge_rates)(d, in->at.v, edge[0], j->rate[0], j->theta_rate);
        NAME(edge_rates)(d, in->at.v, edge[1], j->rate[1], j->theta_rate + 1);
    }
    if (!in->step.start) return;
    const double *start[LANES], *end[LANES];
    FOR_LANES(l)
    {
        start[l] = der_strains(d, in->step.start) + STRAINS * at->vertex[l];
        end[l] = der_strains(d, in->step.end) + STRAINS * at->vertex[l];
    }
    UNROLLED
    for (int a = 0; a < STRAINS; a++)
        j->start[a] = NAME(take)(start, a), j->end[a] = NAME(take)(end, a);
    NAME(edge_rates)(d, in->step.d, edge[0], j->move[0], j->theta_move);
    NAME(edge_rates)(d, in->step.d, edge[1], j->move[1], j->theta_move + 1);
}

INLINE NAME(joint_section) NAME(section_of)(const der *d)
{
    return (NAME(joint_section)){
        .bending = {NAME(broadcast)(d->section.bending[0]), NAME(broadcast)(d->section.bending[1])},
        .twisting = NAME(broadcast)(d->section.twisting),
        .damping = NAME(broadcast)(d->damping),
        .damped = d->damping > 0};
}

INLINE NAME(joint_eval) NAME(joint_eval_of)(const der *d, const der_eval *in, double eta)
{
    return (NAME(joint_eval)){.section = NAME(section_of)(d),
                              .form = &d->form,
                              .c_k = in->at.c_k,
                              .c_v = in->at.c_v,
                              .proximal = in->at.proximal,
                              .midpoint = in->step.start != NULL,
                              .eta = eta};
}

/* Sums of the discrete gradient over the joints at vertices. */
INLINE void NAME(add_vertices)(const der *d, const der_eval *in, bool isotropic, double sums[3])
{
    NAME(joint_eval) with = NAME(joint_eval_of)(d, in, 0);
    NAME(discrete_sums) s = {NAME(broadcast)(0), NAME(broadcast)(0), NAME(broadcast)(0)};
    for (int i = 0; i < d->n; i += LANES) {
        NAME(lane_vertices) at;
        NAME(joint) j;
        NAME(find_vertices)(d, i, &at);
        FOR_LANES(l) at.has_joint[l] = at.has_joint[l] && i + l < d->n; /* of closed rods, once */
        NAME(vertex_joints)(d, in, isotropic, &at, &j);
        NAME(add_discrete)(&with, isotropic, &j, &s);
    }
    sums[0] += NAME(sum)(s.defect);
    sums[1] += NAME(sum)(s.metric);
    sums[2] += NAME(sum)(s.misses);
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* Edge vectors, their squared lengths (of `midpoint` at the end of the step), and what belongs to them. */
INLINE void NAME(load_edges)(const der *d, const der_eval *in, const int edge[LANES], REAL *e,
                             REAL *squared, REAL *rest, REAL *mass, REAL *lambda)
{
    const der_edge *edges = der_edges(in->at.cache);
    const double *at[LANES], *rests[LANES], *masses[LANES], *multiplier[LANES];
    FOR_LANES(l)
    {
        at[l] = (const double *)(edges + edge[l]);
        rests[l] = d->rest + edge[l], masses[l] = d->vertex_mass + edge[l];
        multiplier[l] = (in->at.rows_only ? d->rest : in->at.lambda) + edge[l];
    }
    NAME(take3)(e, at, EDGE(e));
    *rest = NAME(take)(rests, 0), *mass = NAME(take)(masses, 0);
    *lambda = (in->at.rows_only ? 0.0 : 1.0) * NAME(take)(multiplier, 0);
    REAL end[3] = {e[0], e[1], e[2]};
    if (in->step.end) {
        FOR_LANES(l) at[l] = (const double *)(der_edges(in->step.end) + edge[l]);
        NAME(take3)(end, at, EDGE(e));
    }
    *squared = NAME(v3_dot)(end, end);
}

/* length_row() of the edges after vertices. */
INLINE void NAME(length_rows)(const der *d, const der_eval *in, const NAME(lane_vertices) * at,
                              NAME(joint_gradient) * to, NAME(joint_hessian) * h, REAL *row,
                              REAL *g)
{
    double stiffest = 12 * fmax(d->section.bending[0], d->section.bending[1]);
    REAL e[3], squared, rest, mass, lambda;
    if (at->inside && !in->step.end && !in->at.rows_only) {
        const double *edges = in->at.cache + der_coordinate_offset(d, OF_EDGES_E) + at->first;
        FOR3(c) e[c] = NAME(load)(edges + c * d->edges);
        squared = NAME(v3_dot)(e, e);
        rest = NAME(load)(d->rest + at->first), mass = NAME(load)(d->vertex_mass + at->first);
        lambda = NAME(load)(in->at.lambda + at->first);
    } else {
        NAME(load_edges)(d, in, at->edge, e, &squared, &rest, &mass, &lambda);
    }
    const NAME(length_eval)
        with = {.c_a = in->at.c_a, .c_k = in->at.c_k, .stiffest = NAME(broadcast)(stiffest)};
    *g = NAME(length_row)(&with, e, squared, at->has_edge / rest, rest, mass, lambda, to, h, row);
}

/* Elastic: E = ½ EA ē (|e|/ē − 1)². Half way ΔE = T Δ|e| with the tension T at the mean length, and Δ|e| = t·Δe |e|/mean. */
INLINE void NAME(stretching)(const der *d, const der_eval *in, const NAME(lane_vertices) * at,
                             NAME(joint_gradient) * to, NAME(joint_hessian) * h)
{
    const der_edge *edges = der_edges(in->at.cache);
    const double *edge[LANES], *start[LANES], *end[LANES], *rests[LANES];
    const bool midpoint = in->step.start != NULL;
    FOR_LANES(l)
    {
        int i = at->edge[l];
        edge[l] = (const double *)(edges + i), rests[l] = d->rest + i;
        start[l] = midpoint ? (const double *)(der_edges(in->step.start) + i) : edge[l];
        end[l] = midpoint ? (const double *)(der_edges(in->step.end) + i) : edge[l];
    }
    REAL t[3], rest = NAME(take)(rests, 0), length = NAME(take)(edge, EDGE(length));
    REAL EA = at->has_edge * d->section.stretching, tension = EA * (length / rest - 1);
    NAME(take3)(t, edge, EDGE(t));
    if (midpoint) {
        REAL mean = 0.5 * (NAME(take)(start, EDGE(length)) + NAME(take)(end, EDGE(length)));
        tension = EA * (mean / rest - 1) * length / mean;
    }
    if (d->damping > 0) {
        REAL rate[3];
        NAME(edge_rates)(d, in->at.v, at->edge, rate, NULL);
        tension += d->damping * EA / rest * NAME(v3_dot)(t, rate);
    }
    NAME(v3_axpy)(to->f, tension, t);
    if (!h) return;
    REAL across = in->at.c_k * tension * NAME(take)(edge, EDGE(inverse));
    REAL along = EA / rest * (in->at.c_k + d->damping * in->at.c_v) - across;
    FOR3(c) FOR3(r) h->ff[3 * c + r] += along * t[r] * t[c];
    FOR3(c) h->ff[4 * c] += across;
}

#if LANES == 4

/* ---- strips of joints ---------------------------------------------------------------------------- */

/* Vertices, whole vectors of them, few enough for the first cache; and joints, the last vector of the strip before and one more. The
 * joint at vertex first + k is at index LANES − 1 + k. */
#define STRIP 16
#define STRIP_JOINTS (STRIP + 2 * LANES)
#include "strand/der/joint_strip.h"

/* The joints at indices from, from + 1, … to − 1 of the strip whose first vertex is `first`. */
INLINE void NAME(strip_joints)(const der *d, const der_eval *in, bool isotropic, double eta,
                               int first, int from, int to, bool matrix, NAME(strip) * s)
{
    const NAME(joint_eval) with = NAME(joint_eval_of)(d, in, eta);
    for (int k = from; k < to; k += LANES) {
        NAME(lane_vertices) at;
        NAME(joint_gradient) g;
        NAME(joint_hessian) h;
        REAL rows = NAME(broadcast)(0), row[3] = {rows, rows, rows};
        NAME(find_vertices)(d, first + 1 - LANES + k, &at);
        if (in->at.rows_only) {
            memset(&g, 0, sizeof g);
            memset(&h, 0, sizeof h);
        } else {
            NAME(joint) j;
            NAME(vertex_joints)(d, in, isotropic, &at, &j);
            NAME(joint_assemble)(&with, isotropic, &j, &g, matrix ? &h : NULL);
        }
        if (!d->inextensible && !in->at.rows_only)
            NAME(stretching)(d, in, &at, &g, matrix ? &h : NULL);
        else if (d->inextensible && !in->at.rowless)
            NAME(length_rows)(d, in, &at, &g, matrix ? &h : NULL, row, &rows);
        NAME(store_gradient)(s, k, &g, rows);
        if (matrix) NAME(store_hessian)(s, k, &h, row);
    }
}

/* The last joints of a strip become the first of the next. */
INLINE void NAME(carry_strip)(NAME(strip) * s, int rows)
{
    for (int row = 0; row < rows; row++)
        NAME(store)(s->value[row], NAME(load)(s->value[row] + STRIP));
}

/* Entries `at` and on of an array of `count`; beyond its end any. */
INLINE REAL NAME(entries)(const double *array, int at, int count)
{
    if (at + LANES <= count) return NAME(load)(array + at);
    const double *from[LANES];
    FOR_LANES(l) from[l] = array + (at + l < count ? at + l : count - 1);
    return NAME(take)(from, 0);
}

/* r of vertices first + i, four dofs each: the forces of the joints and edges at them, and inertia. */
INLINE void NAME(gather_forces)(const der *d, const der_eval *in, const NAME(strip) * s, int first,
                                int count, double *r, double *g)
{
    const double *gravity = in->at.environment->gravity, *a = in->at.a;
    const double inertial = in->at.rows_only ? 0 : 1;
    const REAL field = {gravity[0], gravity[1], gravity[2], 0};
    for (int k = 0; k < count; k += LANES) {
        REAL sum[4];
        NAME(gather_force)(s, LANES - 1 + k, sum);
        if (inertial > 0 && first + k + LANES <= d->edges && k + LANES <= count) {
            NAME(transpose)(sum);
            FOR_LANES(l)
            {
                int i = first + k + l;
                double m = d->vertex_mass[i];
                REAL mass = {m, m, m, d->edge_inertia[i]};
                NAME(store)(r + 4 * i, sum[l] + mass * (NAME(load)(a + 4 * i) - field));
            }
            continue;
        }
        for (int l = 0; l < LANES && k + l < count; l++) {
            int i = first + k + l;
            double m = inertial * d->vertex_mass[i];
            FOR3(c)
            r[4 * i + c] =
                *NAME(lane)(sum + c, l) + (inertial > 0 ? m * (a[4 * i + c] - gravity[c]) : 0);
            if (i >= d->edges) continue;
            r[4 * i + 3] =
                *NAME(lane)(sum + 3, l) + (inertial > 0 ? d->edge_inertia[i] * a[4 * i + 3] : 0);
        }
    }
    int edges = first + count < d->edges ? count : d->edges - first;
    if (d->inextensible && !in->at.rowless && edges > 0)
        memcpy(g + first, s->value[NAME(AT_G)] + LANES - 1, (size_t)edges * sizeof *g);
}

enum { NAME(STRIDE) = 16 };

/* Rows of one column of LANES vertices, which are `apart` in memory, and zeros up to a whole vector. The rest of a column is
 * padding, of which groups of four columns read one row (math/band_front.h). */
INLINE void NAME(set_column)(double *to, size_t apart, int pitch, int rows,
                             REAL column[NAME(STRIDE)])
{
    const int end = (rows + (pitch == 4) + 3) / 4 * 4;
    UNROLLED
    for (int k = rows; k < end; k++) column[k] = NAME(broadcast)(0);
    UNROLLED
    for (int k = 0; k < end; k += 4) {
        NAME(transpose)(column + k);
        FOR_LANES(l) NAME(store)(to + (size_t)l * apart + (size_t)k, column[k + l]);
    }
}

/* The columns x, λ, θ of LANES vertices from index k of the strip on, lower triangle, `stride` apart; rows are those of the
 * vertex from the diagonal on, of the next vertex, and x of the one after. */
INLINE void NAME(gather_columns)(const der *d, const der_eval *in, const NAME(strip) * s, int pitch,
                                 int k, int vertex, double *to, size_t stride)
{
    const int last = 2 * pitch + 2, theta = pitch - 1;
    const size_t apart = (size_t)pitch * stride;
    REAL mass = in->at.c_a * NAME(entries)(d->vertex_mass, vertex, d->n), column[NAME(STRIDE)];
    FOR3(c)
    {
        NAME(gather_x_column)(s, pitch, k, c, mass, column);
        NAME(set_column)(to + (size_t)c * stride, apart, pitch, last + 1 - c, column);
    }
    if (pitch == 5) { /* λ has no rows below */
        UNROLLED
        for (int r = 0; r < last - 2; r++) column[r] = NAME(broadcast)(0);
        NAME(set_column)(to + 3 * stride, apart, pitch, last - 2, column);
    }
    /* Proximal term: 10⁻¹⁰ of the twisting stiffness (of any stiffness, where the matrix has no
     * twisting stiffness) keeps the matrix regular for a straight rod with free frames. The
     * residual in that direction is zero, so the solution does not change. */
    REAL rest = NAME(entries)(d->rest, vertex, d->edges);
    REAL inertia = NAME(entries)(d->edge_inertia, vertex, d->edges);
    REAL stiffness =
        in->at.c_k != 0 ? fabs(in->at.c_k) * d->section.twisting / rest : mass * rest * rest;
    NAME(gather_theta_column)(s, pitch, k, in->at.c_a * inertia, 1e-10 * stiffness, column);
    NAME(set_column)(to + (size_t)theta * stride, apart, pitch, last + 1 - theta, column);
}

/* The columns of vertices that were gathered in `from`, of which the last may lie beyond the rod; a sparse matrix adds them. */
INLINE void NAME(move_columns)(const der *d, const local_matrix *matrix, int pitch, int vertex,
                               const double *from)
{
    const int last = 2 * pitch + 2, positions = der_band_count(d);
    for (int v = vertex; v < vertex + LANES && v < d->n; v++)
        for (int c = 0; c < pitch; c++, from += NAME(STRIDE)) {
            const int column = v * pitch + c;
            if (column >= positions) continue;
            const size_t at = (size_t)column * (size_t)matrix->stride;
            const int rows =
                d->closed || column + last - c < positions ? last - c : positions - 1 - column;
            if (!matrix->slot) { /* beyond the end of the rod there are zeros */
                const int read = last + 1 - c + (pitch == 4);
                memcpy(matrix->values + at, from, (size_t)read * sizeof *from);
            } else if (pitch == 4 || c != 3) { /* λ has no rows below */
                const int *slot = matrix->slot + at;
                for (int k = 0; k <= rows; k++) matrix->values[slot[k]] += from[k];
            }
        }
}

INLINE void NAME(assemble_strips)(const der *d, const der_eval *in, double eta, double *r,
                                  double *g, const local_matrix *matrix)
{
    const int pitch = der_pitch(d);
    NAME(strip) s;
    for (int first = 0; first < d->n; first += STRIP) {
        int count = d->n - first < STRIP ? d->n - first : STRIP;
        const int from = first == 0 ? 0 : LANES, to = count + LANES;
        if (first > 0) NAME(carry_strip)(&s, matrix ? NAME(STRIP_ROWS) : NAME(GRADIENT_ROWS));
        if (d->isotropic)
            NAME(strip_joints)(d, in, true, eta, first, from, to, matrix != NULL, &s);
        else
            NAME(strip_joints)(d, in, false, eta, first, from, to, matrix != NULL, &s);
        NAME(gather_forces)(d, in, &s, first, count, r, g);
        for (int k = 0; matrix && k < count; k += LANES) {
            const int vertex = first + k;
            /* Into the band itself, where all of it exists; or aside. */
            const bool direct = !matrix->slot && k + LANES <= count && vertex + LANES <= d->edges;
            double aside[5 * LANES * NAME(STRIDE)], *columns = aside;
            size_t stride = NAME(STRIDE);
            if (direct)
                stride = (size_t)matrix->stride,
                columns = matrix->values + (size_t)(vertex * pitch) * stride;
            if (pitch == 5)
                NAME(gather_columns)(d, in, &s, 5, LANES - 1 + k, vertex, columns, stride);
            else
                NAME(gather_columns)(d, in, &s, 4, LANES - 1 + k, vertex, columns, stride);
            if (!direct) NAME(move_columns)(d, matrix, pitch, vertex, aside);
        }
    }
}

#endif
