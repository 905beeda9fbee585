/* Discrete elastic rods: points on a rod, and vertex frames, the material frames at vertices that
 * exist where a constraint acts on a frame. */
#include "math/interval.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/smooth_curve.h"

#include <string.h>

static void edge_frame(const der *d, const double *x, const double *m1, int j, double *frame)
{
    /* The natural shape has edges + 1 points, a configuration n. */
    double e[3];
    int next = x == d->natural_x ? j + 1 : der_next(d, j);
    v3_sub(e, x + 3 * next, x + 3 * j);
    v3_normalize(frame, e);
    v3_copy(frame + 3, m1 + 3 * j);
    v3_cross(frame + 6, frame, frame + 3);
}

/* Rotate `frame` by the rotation vector w orthogonal to its tangent, then by `twist` about the tangent. */
static void rotate_frame_by(double *frame, double *w, double twist)
{
    double rotation[9];
    if (v3_norm(w) > 0) {
        cord__rotation_exp(rotation, w);
        m3_multiply(frame, rotation, frame);
    }
    v3_scale(w, twist, frame);
    cord__rotation_exp(rotation, w);
    m3_multiply(frame, rotation, frame);
    cord__rotation_orthonormalise(frame);
}

/* A shape of the rod: its vertices, the first directors of its edges, the twist of each vertex, and the number of its
 * vertex frames, at which the twist is that of their joints. */
typedef struct rod_shape {
    const double *x, *m1, *twist;
    int twist_stride, frames;
} rod_shape;

static rod_shape natural_shape(const der *d)
{
    const double *natural = d->defined.natural ? d->defined.natural : d->natural;
    return (rod_shape){d->natural_x, d->natural_m1, natural + STRAINS - 1, STRAINS, 0};
}

static rod_shape current_shape(const der *d, const double *q, int frames)
{
    return (rod_shape){q, der_m1(d, q), der_twist(d, q), 1, frames};
}

/* The twist between the two edges of an inner vertex. */
static double twist_at(const der *d, const rod_shape *of, int vertex)
{
    int p = d->frame_at[vertex];
    if (p < 0 || p >= of->frames) return of->twist[of->twist_stride * vertex];
    const double *frame = der_vertex_frame_q(d, of->x, p);
    return frame[9] + frame[10];
}

/* The rotation (a rotation vector) and twist of a shape between the end of the rod and the middle of its last edge,
 * extrapolated from the joint at `vertex` in proportion to length. `own` is the index (0 or 1) of the edge in that joint. */
static void rotation_at_end(const der *d, const rod_shape *of, int vertex, int own, double length,
                            const double *frame, double *w, double *twist)
{
    v3_set(w, 0, 0, 0);
    *twist = 0;
    if (vertex <= 0 || vertex >= d->n - 1) return;
    double edge[2][9], strain[STRAINS], share = length / d->cell[vertex];
    for (int side = 0; side < 2; side++)
        edge_frame(d, of->x, of->m1, vertex - 1 + side, edge[side]);
    cord__der_joint_strains(d, edge[0], edge[1], twist_at(d, of, vertex), strain);
    v3_combine(w, strain[2 * own], frame + 3, strain[2 * own + 1], frame + 6);
    double size = v3_norm(w), across[3];
    v3_cross(across, edge[0], edge[1]);
    if (size > 0) v3_scale(w, share * atan2(v3_norm(across), v3_dot(edge[0], edge[1])) / size, w);
    *twist = share * strain[4];
}

/* The frame of a shape at a vertex. At an inner vertex it divides rotation and twist between the two edges in proportion
 * to their lengths; at an end the curvature is that of the nearest joint, so that the tangent of the curve has an error of
 * second order. `out`: frame, twist against the edge before, twist against the edge after. */
static void vertex_frame(const der *d, const rod_shape *of, int vertex, double *out)
{
    int before = der_edge_before(d, vertex), after = der_edge_after(d, vertex);
    const double *x = of->x, *m1 = of->m1;
    double w[3], other[9];
    out[9] = out[10] = 0;
    if (before >= 0 && after >= 0) {
        double share = d->rest[before] / (d->rest[before] + d->rest[after]);
        double twist = of->twist[of->twist_stride * vertex];
        edge_frame(d, x, m1, before, out);
        edge_frame(d, x, m1, after, other);
        v3_cross(w, out, other);
        double sine = v3_norm(w);
        if (sine > 0) v3_scale(w, share * atan2(sine, v3_dot(out, other)) / sine, w);
        rotate_frame_by(out, w, share * twist);
        out[9] = share * twist, out[10] = (1 - share) * twist;
    } else if (after >= 0) {
        edge_frame(d, x, m1, after, out);
        rotation_at_end(d, of, vertex + 1, 0, d->rest[after], out, w, out + 10);
        v3_scale(w, -1, w);
        rotate_frame_by(out, w, -out[10]);
    } else {
        edge_frame(d, x, m1, before, out);
        rotation_at_end(d, of, vertex - 1, 1, d->rest[before], out, w, out + 9);
        rotate_frame_by(out, w, out[9]);
    }
}

/* ---- attaching ------------------------------------------------------------------------------ */

/* The vertex at or before s, and how far along its edge s is (0 to 1). */
int cord__der_edge_at(const der *d, double s, double *fraction)
{
    int edge = interval_at(d->arc, sizeof *d->arc, 0, d->edges, s);
    *fraction = (s - d->arc[edge]) / d->rest[edge];
    return edge;
}

/* Whether s is a vertex, to a millionth of an edge. */
static int vertex_at(const der *d, double s)
{
    double fraction;
    int j = cord__der_edge_at(d, s, &fraction);
    if (fabs(fraction) < 1e-6) return j;
    if (fabs(fraction - 1) < 1e-6) return der_next(d, j);
    return -1;
}

/* The strains of the two joints of a vertex frame in the natural shape of the definition. */
static void set_defined_strains(der *d, der_vertex_frame *made)
{
    int vertex = made->vertex;
    if ((d->closed && vertex == 0) || (d->edges > d->drawn_edges && vertex >= d->drawn_edges - 1)) {
        /* cut of the natural shape, or beyond it: distribute the strains */
        const double *whole =
            (d->defined.natural ? d->defined.natural : d->natural) + STRAINS * vertex;
        double share = d->rest[der_edge_before(d, vertex)] / d->cell[vertex];
        for (int a = 0; a < STRAINS; a++) {
            made->defined[0][a] = share * whole[a];
            made->defined[1][a] = (1 - share) * whole[a];
        }
        return;
    }
    double frame[CARRIER_Q], edge[9];
    const rod_shape natural = natural_shape(d);
    vertex_frame(d, &natural, vertex, frame);
    int before = der_edge_before(d, vertex), after = der_edge_after(d, vertex);
    if (before >= 0) {
        edge_frame(d, d->natural_x, d->natural_m1, before, edge);
        cord__der_joint_strains(d, edge, frame, frame[9], made->defined[0]);
    }
    if (after >= 0) {
        edge_frame(d, d->natural_x, d->natural_m1, after, edge);
        cord__der_joint_strains(d, frame, edge, frame[10], made->defined[1]);
    }
}

/* The vertex frame's joints have half Voronoi cells, so that ∫ m²/2B over the bending moment m is a trapezoidal sum with
 * m at the vertices. The correction of Gregory at its end, ē²/12 (m²)′ = ē/12 (m₁² − m₀²), makes that sum accurate to third
 * order: a twelfth of the edge moves from the cell at the frame to the cell at the other vertex of the edge. A naturally curved rod
 * keeps half cells: drawn straight it has a uniform moment, which is in equilibrium with them only. */
static void share_cell(der *d, int p, int side, int edge, int other)
{
    int frame = d->frame_at[other];
    double sixth = d->straight && frame < 0 ? d->rest[edge] / 6 : 0;
    d->frame[p].bending_cell[side] = d->rest[edge] - sixth;
    d->bending_cell[other] += sixth;
    if (frame >= 0) d->frame[frame].bending_cell[1 - side] = d->rest[edge];
}

static void share_cells(der *d, int p)
{
    int before = der_edge_before(d, d->frame[p].vertex),
        after = der_edge_after(d, d->frame[p].vertex);
    if (before >= 0) share_cell(d, p, 0, before, before);
    if (after >= 0) share_cell(d, p, 1, after, der_next(d, after));
}

void cord__der_set_bending_cells(der *d)
{
    for (int i = 0; i < d->n; i++) d->bending_cell[i] = d->cell[i];
    for (int p = 0; p < d->frame_count; p++) share_cells(d, p);
}

static cord_status add_frame(der *d, memory *m, int vertex)
{
    if (d->frame_count == d->frame_capacity) {
        int capacity = 2 * d->frame_capacity + 2;
        der_vertex_frame *made = cord__reallocate(m, d->frame, (size_t)capacity, sizeof *made);
        if (!made) return CORD_ERROR_MEMORY;
        d->frame = made;
        d->frame_capacity = capacity;
    }
    der_vertex_frame *made = d->frame + d->frame_count;
    memset(made, 0, sizeof *made);
    made->vertex = vertex;
    d->frame_at[vertex] = d->frame_count++;
    set_defined_strains(d, made);
    memcpy(made->natural, made->defined, sizeof made->natural);
    share_cells(d, d->frame_at[vertex]);
    return CORD_OK;
}

void cord__der_extend(const void *model, double *q, int from)
{
    const der *d = model;
    int known = (from - (int)(der_vertex_frame_q(d, q, 0) - q)) / CARRIER_Q;
    const rod_shape now = current_shape(d, q, known);
    for (int p = known; p < d->frame_count; p++) {
        vertex_frame(d, &now, d->frame[p].vertex, q + der_vertex_frame_offset(d, p));
    }
}

/* Weights of the four vertices j−1 .. j+2 for a point inside edge j, on the smooth curve of sliding points. */
static void position_weights(const der *d, int j, double along, double *weight)
{
    const smooth_curve curve = {d->n, d->edges, d->closed, d->rest};
    double all[4][4];
    int vertex[4];
    cord__smooth_weights(&curve, j, along, vertex, all);
    memcpy(weight, all[0], sizeof all[0]);
}

cord_status cord__der_attach(void *model, memory *m, measure what, double s, attachment *at)
{
    if (what == MEASURE_CURVATURE) return CORD_ERROR_UNSUPPORTED;
    der *d = model;
    double fraction;
    int vertex = vertex_at(d, s);
    memset(at, 0, sizeof *at);
    at->unit = -1;
    if (what == MEASURE_POSITION) {
        if (vertex >= 0) {
            at->index = vertex;
            at->unit = 4 * vertex;
            return CORD_OK;
        }
        at->index = cord__der_edge_at(d, s, &fraction);
        position_weights(d, at->index, fraction * d->rest[at->index], at->weight);
        return CORD_OK;
    }
    if (vertex < 0) { /* the frame of the edge */
        at->index = cord__der_edge_at(d, s, &fraction);
        return CORD_OK;
    }
    if (d->frame_at[vertex] < 0) {
        if (d->reported > 0 && vertex == d->n - 1) return CORD_ERROR_UNSUPPORTED;
        cord_status status = add_frame(d, m, vertex);
        if (status != CORD_OK) return status;
    }
    at->index = d->frame_at[vertex];
    at->unit = der_vertex_frame_dof(d, at->index);
    return CORD_OK;
}

/* ---- point Jacobians --------------------------------------------------------------------------- */

static void add_run(point_jacobian *j, int first, int count)
{
    j->run[j->runs].first = first;
    j->run[j->runs].count = count;
    j->runs++;
    j->dofs += count;
}

static void identity_columns(double *J, double scale)
{
    memset(J, 0, 9 * sizeof *J);
    J[0] = J[4] = J[8] = scale;
}

static void position_jacobian(const der *d, const double *q, const attachment *at,
                              point_jacobian *j)
{
    j->axis_aligned = true;
    if (at->unit >= 0) {
        v3_copy(j->value, q + 3 * at->index);
        add_run(j, at->unit, 3);
        identity_columns(j->J, 1);
        return;
    }
    v3_set(j->value, 0, 0, 0);
    for (int k = 0; k < 4; k++) {
        if (at->weight[k] == 0) continue; /* a vertex beyond the end of an open rod */
        int vertex = (at->index - 1 + k + d->n) % d->n;
        v3_axpy(j->value, at->weight[k], q + 3 * vertex);
        identity_columns(j->J + 3 * j->dofs, at->weight[k]);
        add_run(j, 4 * vertex, 3);
    }
}

static void frame_jacobian(const der *d, const double *q, const double *cache, const attachment *at,
                           point_jacobian *j)
{
    if (at->unit >= 0) {
        j->axis_aligned = true;
        memcpy(j->value, der_vertex_frame_q(d, q, at->index), 9 * sizeof(double));
        add_run(j, at->unit, 3);
        identity_columns(j->J, 1);
        return;
    }
    /* The frame of an edge rotates by t × δe/|e| + t δθ; dofs x, θ, x₊. */
    const der_edge *edge = der_edges(cache) + at->index;
    int next = der_next(d, at->index);
    memcpy(j->value, edge->t, 3 * sizeof(double));
    memcpy(j->value + 3, edge->m1, 3 * sizeof(double));
    memcpy(j->value + 6, edge->m2, 3 * sizeof(double));
    if (next == at->index + 1) {
        add_run(j, 4 * at->index, 7);
    } else {
        add_run(j, 4 * at->index, 4);
        add_run(j, 4 * next, 3);
    }
    for (int c = 0; c < 3; c++) {
        double unit[3] = {0, 0, 0}, *ahead = j->J + 3 * (4 + c), *here = j->J + 3 * c;
        unit[c] = edge->inverse;
        v3_cross(ahead, edge->t, unit);
        v3_scale(here, -1, ahead);
    }
    v3_copy(j->J + 9, edge->t);
}

void cord__der_point_jacobian(const void *model, const double *q, const double *cache,
                              const attachment *at, measure what, point_jacobian *j)
{
    j->runs = j->dofs = 0;
    if (what == MEASURE_POSITION)
        position_jacobian(model, q, at, j);
    else
        frame_jacobian(model, q, cache, at, j);
}

void cord__der_frame_at(const void *model, const double *q, const double *cache, double s,
                        double *frame)
{
    const der *d = model;
    int vertex = vertex_at(d, s);
    (void)cache;
    if (vertex >= 0 && d->frame_at[vertex] >= 0) {
        memcpy(frame, der_vertex_frame_q(d, q, d->frame_at[vertex]), 9 * sizeof(double));
    } else if (vertex >= 0) {
        double computed[CARRIER_Q];
        const rod_shape now = current_shape(d, q, d->frame_count);
        vertex_frame(d, &now, vertex, computed);
        memcpy(frame, computed, 9 * sizeof(double));
    } else {
        double fraction;
        edge_frame(d, q, der_m1(d, q), cord__der_edge_at(d, s, &fraction), frame);
    }
}
