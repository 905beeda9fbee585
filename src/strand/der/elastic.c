/* Discrete elastic rods: energies, forces and the tangent matrix of Newton's method.
 *
 * Energy of a joint with cell length l̄ (the sum of the natural lengths of both edges; of the one
 * edge at a vertex frame) [DER 2008, sec. 4.2.1, eq. 3, and sec. 4.2.2]:
 *
 *     E = 1/(2 l̄) Σ_a B_a (ε_a − ε̄_a)² + (β/l̄)(m − m̄)²,   a over the directors of both frames.
 *
 * For an isotropic, naturally straight rod the bending energy is (α/l̄)|k|² [DER 2008, eq. 6],
 * which depends on neither frames nor angles.
 *
 * Joints and edges are assembled four at a time, gathered by vertex (assembly.h); the joints of vertex frames one by one.
 *
 * extended.c compiles the assembly a second time, with EXTENDED_SUMS: rounding errors of sums go to local_matrix.low, and
 * proximal terms are omitted. Joints are then added one by one, by the same kernels with one lane. */
#include "math/multiversion.h"
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/der/joint.h"

#include <string.h>

#define LANES 1
#define NAME(name) name##_1
#include "math/lane_type.h"
#include "strand/der/joint_kernel.h"
#include "strand/der/assembly.h"
#undef LANES
#undef NAME

/* ---- into the band -------------------------------------------------------------------------- */

typedef struct band_target {
    const local_matrix *matrix;
    int n, width; /* positions; of the band */
    int pitch;    /* positions per vertex */
} band_target;

/* Entries (row, col), for positions of which either may be first; a closed rod wraps. */
static void band_add(const band_target *b, int row, int col, double value)
{
    int k = row - col;
    if (k < 0) k += b->n;
    if (k > b->width) {
        int swap = row;
        row = col, col = swap;
        k = row - col;
        if (k < 0) k += b->n;
    }
#ifdef EXTENDED_SUMS
    double *entry = matrix_entry(b->matrix, col, k);
    extended_add(entry, b->matrix->low + (entry - b->matrix->values), value);
#else
    *matrix_entry(b->matrix, col, k) += value;
#endif
}

#ifdef EXTENDED_SUMS

/* The Hessian over (e, f, θ⁰, θ¹) is transformed to (x₋, θ₋, x, θ, x₊), e = x − x₋, f = x₊ − x: 11
 * unknowns, lower triangle, column-major. */
static void vertex_hessian(const joint_hessian_1 *h, double m[11][11])
{
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            double ee = h->ee[3 * c + r], ff = h->ff[3 * c + r], fe = h->fe[3 * c + r];
            double ef = h->fe[3 * r + c];
            m[c][r] = ee;
            m[c][4 + r] = fe - ee;
            m[c][8 + r] = -fe;
            m[4 + c][4 + r] = ee - fe - ef + ff;
            m[4 + c][8 + r] = fe - ff;
            m[8 + c][8 + r] = ff;
        }
        m[c][3] = -h->te[0][c];
        m[c][7] = -h->te[1][c];
        m[3][4 + c] = h->te[0][c] - h->tf[0][c];
        m[4 + c][7] = h->te[1][c] - h->tf[1][c];
        m[3][8 + c] = h->tf[0][c];
        m[7][8 + c] = h->tf[1][c];
    }
    m[3][3] = h->tt[0];
    m[3][7] = h->tt[1];
    m[7][7] = h->tt[2];
}

/* The parts that are added one by one contain no sum of entries over edges, and are symmetric to the last bit: then
 * translations have exactly no energy. Not inlined, as the next function: in a fused operation a value would have
 * another rounding error. */
__attribute__((noinline)) static void scatter_vertex(const band_target *b, int before, int at,
                                                     int after, const joint_hessian_1 *h)
{
    joint_hessian_1 part[4];
    memset(part, 0, sizeof part);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
            int of = 3 * c + r, stored = r < c ? 3 * r + c : of;
            part[0].ee[of] = h->ee[stored];
            part[1].ff[of] = h->ff[stored];
            part[r < c ? 2 : 3].fe[of] = h->fe[of];
        }
    memcpy(part[0].te, h->te, sizeof h->te);
    memcpy(part[0].tt, h->tt, sizeof h->tt);
    memcpy(part[1].tf, h->tf, sizeof h->tf);
    int vertex[11] = {before, before, before, before, at, at, at, at, after, after, after};
    for (int i = 0; i < 4; i++) {
        double m[11][11];
        vertex_hessian(part + i, m);
        for (int c = 0; c < 11; c++)
            for (int r = c; r < 11; r++) {
                int row = r % 4 < 3 ? r % 4 : b->pitch - 1, col = c % 4 < 3 ? c % 4 : b->pitch - 1;
                band_add(b, vertex[r] * b->pitch + row, vertex[c] * b->pitch + col, m[c][r]);
            }
    }
}

__attribute__((noinline)) static void scatter_edge(const band_target *b, int at, int after,
                                                   const double *k)
{
    int p = at * b->pitch, q = after * b->pitch;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
            double value = k[r < c ? 3 * r + c : 3 * c + r];
            band_add(b, q + r, p + c, -value);
            if (r < c) continue;
            band_add(b, p + r, p + c, value);
            band_add(b, q + r, q + c, value);
        }
}

#else

/* A symmetric 3×3 block k (x₊ − x₋)² of one edge. */
static void scatter_edge(const band_target *b, int at, int after, const double *k)
{
    int p = at * b->pitch, q = after * b->pitch;
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) band_add(b, q + r, p + c, -k[3 * c + r]);
        for (int r = c; r < 3; r++) {
            band_add(b, p + r, p + c, k[3 * c + r]);
            band_add(b, q + r, q + c, k[3 * c + r]);
        }
    }
}

#endif

/* ---- vertex frames -------------------------------------------------------------------------- */

static void fill_edge_frame(joint_1 *j, const der_edge *edge, int side)
{
    v3_copy(side ? j->f : j->e, edge->t);
    v3_copy(side ? j->m11 : j->m10, edge->m1);
    v3_copy(side ? j->m21 : j->m20, edge->m2);
    *(side ? &j->inverse_f : &j->inverse_e) = edge->inverse;
}

static void fill_frame(joint_1 *j, const double *frame, int side)
{
    v3_copy(side ? j->f : j->e, frame);
    v3_copy(side ? j->m11 : j->m10, frame + 3);
    v3_copy(side ? j->m21 : j->m20, frame + 6);
    *(side ? &j->inverse_f : &j->inverse_e) = 1;
}

/* A frame that rotates by the vector w: δt = w × t, δθ = w · t. */
static void frame_rate(const double *frame, const double *w, double *tangent, double *theta)
{
    v3_cross(tangent, w, frame);
    *theta = v3_dot(w, frame);
}

/* The edge before a vertex frame (side 0) or after it (side 1); -1: there is none. */
static int frame_edge(const der *d, int p, int side)
{
    int i = d->frame[p].vertex;
    return side == 0 ? der_edge_before(d, i) : der_edge_after(d, i);
}

static void frame_joint(const der *d, const der_eval *in, int p, int side, joint_1 *j)
{
    int edge = frame_edge(d, p, side), column = der_vertex_frame_dof(d, p);
    /* index (0 or 1) of the vertex frame in the joint */
    int slot = STRAINS * (2 * p + side), frame_side = 1 - side;
    const double *frame = der_vertex_frame_q(d, in->at.q, p);
    const joint_cells cells = der_frame_cells(d, p, side, edge);
    const size_t bytes = STRAINS * sizeof(double);
    memcpy(j->strain, der_vertex_frame_strains(d, in->at.cache) + slot, bytes);
    j->strain[4] = frame[9 + side]; /* of the cache isotropic rods read the edges alone */
    memcpy(j->natural, d->frame[p].natural[side], bytes);
    j->bending_cell = cells.bending, j->cell = cells.twisting;
    fill_edge_frame(j, der_edges(in->at.cache) + edge, side);
    fill_frame(j, frame, frame_side);
    if (d->damping > 0) {
        edge_rates_1(d, in->at.v, &edge, j->rate[side], j->theta_rate + side);
        frame_rate(frame, in->at.v + column, j->rate[frame_side], &j->theta_rate[frame_side]);
    }
    if (!in->step.start) return;
    memcpy(j->start, der_vertex_frame_strains(d, in->step.start) + slot, bytes);
    memcpy(j->end, der_vertex_frame_strains(d, in->step.end) + slot, bytes);
    edge_rates_1(d, in->step.d, &edge, j->move[side], j->theta_move + side);
    frame_rate(frame, in->step.d + column, j->move[frame_side], &j->theta_move[frame_side]);
}

/* From (δt, δθ) to the rotation vector w: with T w = (w × t, w · t), the gradient is
 * t × g + t g_θ. */
static void frame_torque(const double *t, const double *g, double theta, double *torque)
{
    v3_cross(torque, t, g);
    v3_axpy(torque, theta, t);
}

/* From (δt, δθ) to the rotation vector w: with T w = (w × t, w · t), the Hessian is Tᵀ H T plus
 * ½ (t gᵀ + g tᵀ) of the second-order part of the motion, δt = w × t + ½ (w·t) w. Order of the extra
 * entries of a dof: vertex frame (3), x (3), θ, x₊ (3). It is not inlined, so that the rounding of rods
 * whose frames are all prescribed does not depend on it. */
__attribute__((noinline)) static void add_vertex_frame(const double *t, const double *on_frame,
                                                       const joint_hessian_1 *h, double c_k,
                                                       int frame, int side,
                                                       const local_matrix *matrix)
{
    int first = FRAME_ENTRIES * (2 * frame + side);
    const double *pp = side == 0 ? h->ff : h->ee;
    /* θ of the vertex frame with its tangent */
    const double *tp = h->tt, *own = side == 0 ? h->tf[1] : h->te[0];
    /* θ of the edge with the tangent of the vertex frame */
    const double *edge_theta = side == 0 ? h->tf[0] : h->te[1];
    /* θ of the vertex frame with the edge */
    const double *frame_theta = side == 0 ? h->te[1] : h->tf[0];
    /* δt = T w: T = −[t]×, column-major */
    double T[9];
    T[0] = 0, T[1] = -t[2], T[2] = t[1];
    T[3] = t[2], T[4] = 0, T[5] = -t[0];
    T[6] = -t[1], T[7] = t[0], T[8] = 0;
    double ppt = side == 0 ? tp[2] : tp[0];
    for (int c = 0; c < 3; c++) {
        double ht[3], tht[3], own_t[3];
        m3_apply(ht, pp, T + 3 * c);
        m3_apply_transposed(tht, T, ht);
        m3_apply_transposed(own_t, T, own);
        for (int k = c; k < 3; k++)
            *matrix_extra_entry(matrix, first + 10 * c + k) +=
                tht[k] + own_t[k] * t[c] + t[k] * own_t[c] + ppt * t[k] * t[c] +
                0.5 * c_k * (t[k] * on_frame[c] + on_frame[k] * t[c]);
    }
    for (int k = 0; k < 3; k++) { /* rows: edge vector component k */
        double cross[3], row[3];
        for (int c = 0; c < 3; c++) /* ∂²/∂(edge k)∂(tangent c of the vertex frame) */
            cross[c] = side == 0 ? h->fe[3 * k + c] : h->fe[3 * c + k];
        m3_apply_transposed(row, T, cross);
        for (int c = 0; c < 3; c++) {
            double value = row[c] + frame_theta[k] * t[c];
            *matrix_extra_entry(matrix, first + 10 * c + 3 + k) -= value;
            *matrix_extra_entry(matrix, first + 10 * c + 7 + k) += value;
        }
    }
    double row[3];
    m3_apply_transposed(row, T, edge_theta);
    for (int c = 0; c < 3; c++)
        *matrix_extra_entry(matrix, first + 10 * c + 6) += row[c] + tp[1] * t[c];
}

/* The joint of a vertex frame with one edge. side 0: the edge before the vertex frame; 1: the edge
 * after it. There are few: one variant, which is not inlined, serves all processors. */
__attribute__((noinline)) static void assemble_frame_joint(const der *d, const der_eval *in,
                                                           double eta, double *r,
                                                           const local_matrix *matrix,
                                                           const band_target *b, int p, int side)
{
    int edge = frame_edge(d, p, side), column = der_vertex_frame_dof(d, p), frame_side = 1 - side;
    const double *frame = der_vertex_frame_q(d, in->at.q, p);
    joint_1 j;
    if (edge < 0) return;
    frame_joint(d, in, p, side, &j);
    joint_gradient_1 g;
    joint_hessian_1 h;
    const joint_eval_1 with = joint_eval_of_1(d, in, eta);
    joint_assemble_1(&with, d->isotropic, &j, &g, matrix ? &h : NULL);
    const double *on_edge = side == 0 ? g.e : g.f, *on_frame = side == 0 ? g.f : g.e;
    int next = der_next(d, edge);
    double torque[3];
    frame_torque(frame, on_frame, g.theta[frame_side], torque);
    for (int k = 0; k < 3; k++) {
        r[4 * edge + k] -= on_edge[k];
        r[4 * next + k] += on_edge[k];
        r[column + k] += torque[k];
    }
    r[4 * edge + 3] += g.theta[side];
    if (!matrix) return;

    const double *xx = side == 0 ? h.ee : h.ff;
    const double *tx = side == 0 ? h.te[0] : h.tf[1];
    double tt = h.tt[side == 0 ? 0 : 2];
    int theta = (edge + 1) * b->pitch - 1;
    scatter_edge(b, edge, next, xx);
    for (int k = 0; k < 3; k++) {
        band_add(b, theta, edge * b->pitch + k, -tx[k]);
        band_add(b, next * b->pitch + k, theta, tx[k]);
    }
    band_add(b, theta, theta, tt);
    if (in->at.prescribed[column]) return;

    add_vertex_frame(frame, on_frame, &h, in->at.c_k, p, side, matrix);
}

/* ---- vertices ------------------------------------------------------------------------------- */

/* Drag per vertex, on half of either edge: f = −(c + c₂|w|) w L, w relative to the air. */
static void assemble_drag(const der *d, const der_eval *in, double *r, const band_target *b)
{
    for (int i = 0; i < d->n; i++) {
        double length = d->vertex_mass[i] / d->section.mass, w[3], air[3] = {0, 0, 0};
        if (in->at.environment->wind)
            cord__wind_at(in->at.environment->wind, in->at.environment->time, in->at.q + 3 * i,
                          air);
        v3_sub(w, in->at.v + 4 * i, air);
        double speed = v3_norm(w);
        double c = length * (d->drag + d->quadratic_drag * speed);
        v3_axpy(r + 4 * i, c, w);
        if (!b) continue;
        double rotation = speed > 0 ? length * d->quadratic_drag / speed : 0;
        for (int col = 0; col < 3; col++)
            for (int k = col; k < 3; k++)
                band_add(b, i * b->pitch + k, i * b->pitch + col,
                         in->at.c_v * ((k == col ? c : 0) + rotation * w[k] * w[col]));
    }
}

/* Gyroscopic force of an edge with rotary inertia: at the spin rate θ̇ its angular momentum is I θ̇
 * t, and the pair of forces ±(I θ̇/|e|) t × ṫ at its ends has the torque −I θ̇ ṫ. The force does no
 * work. Its derivative is small and is omitted from the matrix. */
static void assemble_spin(const der *d, const der_eval *in, double *r)
{
    const der_edge *edge = der_edges(in->at.cache);
    for (int j = 0; j < d->edges; j++) {
        int next = der_next(d, j);
        double rate[3], force[3];
        double size = d->edge_inertia[j] * in->at.v[4 * j + 3] * edge[j].inverse * edge[j].inverse;
        edge_rates_1(d, in->at.v, &j, rate, NULL);
        v3_cross(force, edge[j].t, rate); /* t × ṫ |e| */
        v3_axpy(r + 4 * next, -size, force);
        v3_axpy(r + 4 * j, size, force);
    }
}

/* ---- the whole rod -------------------------------------------------------------------------- */

#ifdef EXTENDED_SUMS

static double discrete_eta(const der *d, const der_eval *in)
{
    (void)d, (void)in;
    return 0; /* statics has no midpoint */
}

/* Joint by joint, each added to the entries of three vertices: the order of the sums that extended sums need. */
static void assemble_main(const der *d, const der_eval *in, double eta, double *r, double *g,
                          const local_matrix *matrix, const band_target *b)
{
    const joint_eval_1 with = joint_eval_of_1(d, in, eta);
    for (int i = 0; i < d->n; i++) {
        for (int k = 0; k < 3; k++) {
            r[4 * i + k] =
                d->vertex_mass[i] * (in->at.a[4 * i + k] - in->at.environment->gravity[k]);
            if (b) *matrix_entry(matrix, i * b->pitch + k, 0) += in->at.c_a * d->vertex_mass[i];
        }
        if (i >= d->edges) continue;
        r[4 * i + 3] = d->edge_inertia[i] * in->at.a[4 * i + 3];
        if (b) *matrix_entry(matrix, (i + 1) * b->pitch - 1, 0) += in->at.c_a * d->edge_inertia[i];
    }
    for (int i = 0; i < d->n; i++) {
        lane_vertices_1 at;
        joint_1 j;
        joint_gradient_1 of, stretch = {0};
        joint_hessian_1 h, k = {0};
        double row[3] = {0}, rows = 0;
        int before = der_edge_before(d, i), next = i < d->edges ? der_next(d, i) : i;
        find_vertices_1(d, i, &at);
        if (at.has_joint[0]) {
            vertex_joints_1(d, in, false, &at, &j);
            joint_assemble_1(&with, d->isotropic, &j, &of, b ? &h : NULL);
            for (int c = 0; c < 3; c++) {
                r[4 * before + c] -= of.e[c];
                r[4 * i + c] += of.e[c] - of.f[c];
                r[4 * next + c] += of.f[c];
            }
            r[4 * before + 3] += of.theta[0];
            r[4 * i + 3] += of.theta[1];
            if (b) scatter_vertex(b, before, i, next, &h);
        }
        if (i >= d->edges) continue;
        if (d->inextensible)
            length_rows_1(d, in, &at, &stretch, &k, row, &rows);
        else
            stretching_1(d, in, &at, &stretch, &k);
        for (int c = 0; c < 3; c++) {
            r[4 * i + c] -= stretch.f[c];
            r[4 * next + c] += stretch.f[c];
        }
        if (d->inextensible) g[i] = rows;
        if (!b) continue;
        scatter_edge(b, i, next, k.ff);
        for (int c = 0; d->inextensible && c < 3; c++) {
            band_add(b, next * b->pitch + 3, i * b->pitch + c, -row[c]);
            band_add(b, next * b->pitch + 3, next * b->pitch + c, row[c]);
        }
    }
}

#else

#define LANES 4
#define NAME(name) name##_4
#include "math/lane_type.h"
#include "strand/der/joint_kernel.h"
#include "strand/der/assembly.h"
#undef LANES
#undef NAME

__attribute__((noinline)) static void add_frames(const der *d, const der_eval *in, double sums[3])
{
    discrete_sums_1 s = {sums[0], sums[1], sums[2]};
    const joint_eval_1 with = joint_eval_of_1(d, in, 0);
    for (int p = 0; p < d->frame_count; p++)
        for (int side = 0; side < 2; side++) {
            joint_1 j;
            if (frame_edge(d, p, side) < 0) continue;
            frame_joint(d, in, p, side, &j);
            add_discrete_1(&with, d->isotropic, &j, &s);
        }
    sums[0] = s.defect, sums[1] = s.metric, sums[2] = s.misses;
}

/* η of the discrete gradient. The defect Δε − p is of third order in the increment, hence much
 * smaller than p; where it is not, the increment is at round-off level and η = 0. */
INLINE double discrete_eta(const der *d, const der_eval *in)
{
    double sums[3] = {0, 0, 0};
    if (!in->step.start) return 0;
    if (d->isotropic)
        add_vertices_4(d, in, true, sums);
    else
        add_vertices_4(d, in, false, sums);
    add_frames(d, in, sums);
    return sums[2] < sums[1] ? sums[0] / sums[1] : 0;
}

INLINE void assemble_main(const der *d, const der_eval *in, double eta, double *r, double *g,
                          const local_matrix *matrix, const band_target *b)
{
    (void)b;
    assemble_strips_4(d, in, eta, r, g, matrix);
}

#endif

static inline void assemble(const void *model, const der_eval *in, double *r, double *g,
                            local_matrix *matrix)
{
    const der *d = model;
    band_target target, *b = NULL;
    if (matrix) {
        int pitch = der_pitch(d);
        target = (band_target){matrix, der_band_count(d), 2 * pitch + 2, pitch};
        b = &target;
    }
    double eta = in->at.rows_only ? 0 : discrete_eta(d, in);
    assemble_main(d, in, eta, r, g, matrix, b);
    memset(r + der_main_dofs(d), 0, (size_t)(3 * d->frame_count) * sizeof *r);
    if (in->at.rows_only) return;
    if (d->dynamic_twist) assemble_spin(d, in, r);
    if (d->drag > 0 || d->quadratic_drag > 0) assemble_drag(d, in, r, b);
    for (int p = 0; p < d->frame_count; p++)
        for (int side = 0; side < 2; side++)
            assemble_frame_joint(d, in, eta, r, matrix, b, p, side);
}

#ifdef EXTENDED_SUMS

void cord__der_assemble_extended(const void *model, const der_eval *in, double *r, double *g,
                                 local_matrix *matrix)
{
    assemble(model, in, r, g, matrix);
}

#else

MULTIVERSION_AVX2(cord__der_assemble, assemble,
                  (const void *model, const der_eval *in, double *r, double *g,
                   local_matrix *matrix),
                  (model, in, r, g, matrix))

/* ---- energy --------------------------------------------------------------------------------- */

static void joint_energy(const der *d, joint_cells cells, const double *strain,
                         const double *natural, block_energy *e)
{
    double weight[STRAINS];
    const joint_1 j = {.bending_cell = cells.bending, .cell = cells.twisting};
    const joint_section_1 section = section_of_1(d);
    joint_weights_1(&section, &j, weight);
    for (int a = 0; a < STRAINS; a++) {
        double s = strain[a] - natural[a], part = 0.5 * weight[a] * s * s;
        if (a < 4)
            e->bending += part;
        else
            e->twisting += part;
    }
}

void cord__der_energy(const void *model, const environment *env, const double *q,
                      const double *cache, const double *v, const double *inertial_v,
                      block_energy *e)
{
    (void)inertial_v;
    const der *d = model;
    const double *strain = der_strains(d, cache);
    const double *frame_strain = der_vertex_frame_strains(d, cache);
    memset(e, 0, sizeof *e);
    for (int i = 0; i < d->n; i++) {
        double m = d->vertex_mass[i], h[3];
        const double *x = q + 3 * i, *vi = v + 4 * i;
        e->kinetic += 0.5 * m * v3_dot(vi, vi);
        e->gravity -= m * v3_dot(env->gravity, x);
        v3_axpy(e->linear, m, vi);
        v3_cross(h, x, vi);
        v3_axpy(e->angular, m, h);
        if (der_has_joint(d, i))
            joint_energy(d, der_joint_cells(d, i), strain + STRAINS * i, d->natural + STRAINS * i,
                         e);
    }
    for (int p = 0; p < d->frame_count; p++)
        for (int side = 0; side < 2; side++) {
            int i = d->frame[p].vertex;
            int edge = side == 0 ? der_edge_before(d, i) : der_edge_after(d, i);
            if (edge < 0) continue;
            joint_energy(d, der_frame_cells(d, p, side, edge),
                         frame_strain + STRAINS * (2 * p + side), d->frame[p].natural[side], e);
        }
    const der_edge *edge = der_edges(cache);
    for (int j = 0; j < d->edges; j++) {
        double spin = v[4 * j + 3], inertia = d->edge_inertia[j];
        e->kinetic += 0.5 * inertia * spin * spin;
        v3_axpy(e->angular, inertia * spin, edge[j].t);
        if (d->inextensible) continue;
        double s = edge[j].length / d->rest[j] - 1;
        e->stretching += 0.5 * d->section.stretching * d->rest[j] * s * s;
    }
}

#endif
