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
 * extended.c compiles the assembly a second time, with EXTENDED_SUMS: rounding errors of sums go to local_matrix.low,
 * and proximal terms are omitted. Two compilations, because the rounding of the first must not depend on the second. */
#include "math/band.h"
#include "math/vec3.h"
#include "math/multiversion.h"
#include "strand/der/der.h"
#include "strand/der/joint.h"

#include <string.h>

/* Weight of each strain: E = ½ Σ W (ε − ε̄)². */
static inline void joint_weights(const der *d, const joint_cells *cell, double *weight)
{
    weight[0] = weight[2] = d->section.bending[0] / cell->bending;
    weight[1] = weight[3] = d->section.bending[1] / cell->bending;
    weight[4] = 2 * d->section.twisting / cell->twisting;
}

/* State of one joint for one assembly. */
typedef struct joint_state {
    joint frames;
    joint_geometry geometry;
    const double *strain, *natural;
    joint_cells cell;
    /* velocity of the edges (or tangents), and rates of rotation about them */
    double rate[2][3], theta_rate[2];
    /* midpoint */
    const double *start, *end; /* strains */
    double move[2][3], theta_move[2];
    double eta;
} joint_state;

/* The discrete gradient in strain space. The energy changes by Σ s̄_a Δε_a, where s̄ is the stress
 * at the mean strain. The work of the forces uses p_a = ∇ε_a(mid)·Δq, which differs from Δε_a at
 * third order. The stress η W p, with η from Σ s̄·(Δε − p) = η Σ pᵀWp, makes the work of the forces
 * equal to the change of energy. It is a combination of strain gradients, so linear and angular
 * momentum are conserved. The sums are over the whole rod: for a joint that rotates with almost no
 * change of strain, an η per joint would be a quotient of round-off errors and would change with
 * every Newton iteration. */
typedef struct discrete_sums {
    double defect, metric;
    double misses; /* Σ (Δε − p)ᵀW(Δε − p) */
} discrete_sums;

static void joint_moves(const joint_state *j, double p[STRAINS])
{
    joint_rates(&j->frames, &j->geometry, j->strain, j->move[0], j->move[1], j->theta_move[0],
                j->theta_move[1], p);
}

static void discrete_stress(const joint_state *j, const double *weight, double *stress)
{
    double p[STRAINS] = {0};
    if (j->eta != 0) joint_moves(j, p);
    for (int a = 0; a < STRAINS; a++)
        stress[a] = weight[a] * (0.5 * (j->start[a] + j->end[a]) - j->natural[a] + j->eta * p[a]);
}

static void joint_stress(const der *d, const joint_state *j, const double *weight, double *stress)
{
    if (j->start) {
        discrete_stress(j, weight, stress);
    } else {
        for (int a = 0; a < STRAINS; a++) stress[a] = weight[a] * (j->strain[a] - j->natural[a]);
    }
    if (d->damping > 0) {
        double rate[STRAINS];
        joint_rates(&j->frames, &j->geometry, j->strain, j->rate[0], j->rate[1], j->theta_rate[0],
                    j->theta_rate[1], rate);
        for (int a = 0; a < STRAINS; a++) stress[a] += d->damping * weight[a] * rate[a];
    }
}

/* Force of one joint, and its stiffness when h is not NULL. */
static void joint_general(const der *d, const joint_state *j, const der_eval *in, joint_gradient *g,
                          joint_hessian *h)
{
    double weight[STRAINS], stress[STRAINS];
    joint_weights(d, &j->cell, weight);
    joint_stress(d, j, weight, stress);
    joint_force(&j->frames, &j->geometry, j->strain, stress, g);
    if (!h) return;
    double stiffness[STRAINS];
    for (int a = 0; a < STRAINS; a++)
        stiffness[a] = weight[a] * (in->at.c_k + in->at.proximal + d->damping * in->at.c_v);
    joint_stiffness(&j->frames, &j->geometry, j->strain, stress, stiffness, in->at.c_k, h);
}

/* x = sin² φ/2 from the strains on one frame: xP/(1 − x) = y with y = |k|²/4. For p₂ = 0, p₁ = 0 or −1, it is
 * y/(1 + (1 + p₁)y); otherwise the root of p₂x³ + p₁x² + (1 + y)x − y, increasing in x, by Newton's method. */
static double x_of_strain(const der *d, const double *strain)
{
    enum { MOST = 20 };
    double y = 0.25 * (strain[0] * strain[0] + strain[1] * strain[1]);
    double p1 = d->form.linear, p2 = d->form.quadratic;
    if (p2 == 0) return y / (1 + (1 + p1) * y);
    double x = y / (1 + y), last = 0;
    for (int i = 0; i < MOST && x != last; i++) {
        last = x;
        x -= (x * (1 + y + x * (p1 + x * p2)) - y) / (1 + y + x * (2 * p1 + 3 * x * p2));
    }
    return x;
}

/* Δ|k|²/Δχ between two states, and ∂|k|²/∂χ where they are one. */
static inline double secant_of_square(const der *d, double x0, double x1)
{
    double alpha = form_alpha(&d->form), omega = form_omega(&d->form);
    return -2 * (1 + alpha * (x0 + x1) + omega * (1 / ((1 - x0) * (1 - x1)) - 1 - x0 - x1));
}

/* As discrete_stress(), with χ in place of the curvatures: the secant derivative ΔE/Δχ in φ, and
 * the torque; or the contribution of the joint to the sums. */
static void isotropic_stress(const der *d, const joint_state *j, double *phi, double *twist,
                             discrete_sums *sums)
{
    double alpha = d->section.bending[0] / j->cell.bending;
    double k = 2 * d->section.twisting / j->cell.twisting;
    double weight = 2 * alpha; /* of χ against the twist, in the measure of the correction */
    double x0 = x_of_strain(d, j->start), x1 = x_of_strain(d, j->end);
    double p[STRAINS], across[2][3];
    *phi = alpha * secant_of_square(d, x0, x1);
    *twist = k * (0.5 * (j->start[4] + j->end[4]) - j->natural[4]);
    if (!sums && j->eta == 0) return;
    joint_moves(j, p);
    v3_combine(across[0], 1, j->frames.f, -j->geometry.c, j->frames.e);
    v3_combine(across[1], 1, j->frames.e, -j->geometry.c, j->frames.f);
    double p_chi = j->frames.inverse_e * v3_dot(across[0], j->move[0]) +
                   j->frames.inverse_f * v3_dot(across[1], j->move[1]);
    if (sums) {
        double miss_chi = 2 * (x0 - x1) - p_chi, miss_twist = j->end[4] - j->start[4] - p[4];
        sums->defect += *phi * miss_chi + *twist * miss_twist;
        sums->metric += weight * p_chi * p_chi + k * p[4] * p[4];
        sums->misses += weight * miss_chi * miss_chi + k * miss_twist * miss_twist;
    }
    *phi += j->eta * weight * p_chi;
    *twist += j->eta * k * p[4];
}

static void add_discrete(const der *d, const joint_state *j, discrete_sums *sums)
{
    double weight[STRAINS], p[STRAINS], phi, twist;
    if (d->isotropic) {
        isotropic_stress(d, j, &phi, &twist, sums);
        return;
    }
    joint_weights(d, &j->cell, weight);
    joint_moves(j, p);
    for (int a = 0; a < STRAINS; a++) {
        double stress = weight[a] * (0.5 * (j->start[a] + j->end[a]) - j->natural[a]);
        double miss = j->end[a] - j->start[a] - p[a];
        sums->defect += stress * miss;
        sums->metric += weight[a] * p[a] * p[a];
        sums->misses += weight[a] * miss * miss;
    }
}

/* The isotropic, naturally straight joint: E = (α/l̄)|k|² + (β/l̄)(m − m̄)², and |k|² is a function of
 * χ alone (joint.h). With φ = dE/dχ:
 * ∂E/∂e = φ P_e f/|e|, ∂²E/∂e∂f = φ' (P_e f)(P_f e)ᵀ/… + φ P_e P_f/(|e||f|), and over one edge
 * φ' (P_e f)(P_e f)ᵀ − φ (c P_e + (P_e f) eᵀ + e (P_e f)ᵀ). */
static void joint_isotropic(const der *d, const joint_state *j, const der_eval *in,
                            joint_gradient *g, joint_hessian *h)
{
    const double *e = j->frames.e, *f = j->frames.f, *kb = j->geometry.kb;
    double chi = j->geometry.chi, c = j->geometry.c;
    double alpha = d->section.bending[0] / j->cell.bending;
    double k = 2 * d->section.twisting / j->cell.twisting,
           twist = k * (j->strain[4] - j->natural[4]);
    double x = 1 - 0.5 * chi, rest = 0.5 * chi, phi = alpha * secant_of_square(d, x, x);
    double phi_c = 2 * alpha *
                   (form_alpha(&d->form) +
                    form_omega(&d->form) * x * (3 - x * (3 - x)) / (rest * rest * rest));
    double pe[3], pf[3]; /* P_e f, P_f e */
    v3_combine(pe, 1, f, -c, e);
    v3_combine(pf, 1, e, -c, f);
    if (j->start) isotropic_stress(d, j, &phi, &twist, NULL);
    double ie = j->frames.inverse_e, jf = j->frames.inverse_f;
    for (int l = 0; l < 3; l++) {
        g->e[l] = ie * (phi * pe[l] + 0.5 * twist * kb[l]);
        g->f[l] = jf * (phi * pf[l] + 0.5 * twist * kb[l]);
    }
    g->theta[0] = -twist;
    g->theta[1] = twist;
    if (!h) return;

    /* The proximal term has no second derivatives of strains: −φ |P_e x − P_f y|² + φ' (…)². */
    double s = in->at.c_k * twist, factor = in->at.c_k + in->at.proximal, kk = factor * k;
    double first = in->at.proximal * phi, both = factor * phi;
    phi *= in->at.c_k;
    phi_c *= factor;
    double ichi = 1 / chi, tilde[3], with_e[3], with_f[3];
    v3_combine(tilde, ichi, e, ichi, f);
    v3_add(with_e, tilde, e);
    v3_add(with_f, tilde, f);
    for (int col = 0; col < 3; col++) {
        for (int r = 0; r < 3; r++) {
            double ee = e[r] * e[col], ff = f[r] * f[col], bb = 0.25 * kk * kb[r] * kb[col];
            double unit = r == col;
            h->ee[3 * col + r] =
                ie * ie *
                (phi_c * pe[r] * pe[col] -
                 phi * (c * (unit - ee) + pe[r] * e[col] + e[r] * pe[col]) - first * (unit - ee) +
                 bb - 0.25 * s * (kb[r] * with_e[col] + with_e[r] * kb[col]));
            h->ff[3 * col + r] =
                jf * jf *
                (phi_c * pf[r] * pf[col] -
                 phi * (c * (unit - ff) + pf[r] * f[col] + f[r] * pf[col]) - first * (unit - ff) +
                 bb - 0.25 * s * (kb[r] * with_f[col] + with_f[r] * kb[col]));
            /* P_f P_e = 1 − e eᵀ − f fᵀ + c f eᵀ */
            h->fe[3 * col + r] =
                ie * jf *
                (phi_c * pf[r] * pe[col] + both * (unit - ee - ff + c * f[r] * e[col]) + bb -
                 0.5 * s * tilde[r] * kb[col]);
        }
        double half = 0.5 * kk * kb[col];
        h->te[0][col] = -ie * half, h->te[1][col] = ie * half;
        h->tf[0][col] = -jf * half, h->tf[1][col] = jf * half;
    }
    double si = s * ichi * ie * jf;
    h->fe[1] -= si * e[2], h->fe[2] += si * e[1], h->fe[5] -= si * e[0];
    h->fe[3] += si * e[2], h->fe[6] -= si * e[1], h->fe[7] += si * e[0];
    h->tt[0] = kk, h->tt[1] = -kk, h->tt[2] = kk;
}

static inline void joint_assemble(const der *d, const joint_state *j, const der_eval *in,
                                  joint_gradient *g, joint_hessian *h)
{
    if (d->isotropic)
        joint_isotropic(d, j, in, g, h);
    else
        joint_general(d, j, in, g, h);
}

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

/* The Hessian over (e, f, θ⁰, θ¹) is transformed to (x₋, θ₋, x, θ, x₊), e = x − x₋, f = x₊ − x: 11
 * unknowns, lower triangle, column-major. */
static void vertex_hessian(const joint_hessian *h, double m[11][11])
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

#ifdef EXTENDED_SUMS

/* The parts that are added one by one contain no sum of entries over edges, and are symmetric to the last bit: then
 * translations have exactly no energy. Not inlined, as the next function: in a fused operation a value would have
 * another rounding error. */
__attribute__((noinline)) static void scatter_vertex(const band_target *b, int before, int at,
                                                     int after, const joint_hessian *h)
{
    joint_hessian part[4];
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

static void scatter_vertex(const band_target *b, int before, int at, int after,
                           const joint_hessian *h)
{
    double m[11][11];
    vertex_hessian(h, m);
    if (before < at && at < after) {
        const int p = b->pitch;
        const int index[11] = {0,     1,         2,     p - 1,     p,        p + 1,
                               p + 2, 2 * p - 1, 2 * p, 2 * p + 1, 2 * p + 2};
        matrix_add_dense(b->matrix, 11, before * p, index, m[0]);
        return;
    }
    int index[11];
    for (int k = 0; k < 3; k++) {
        index[k] = before * b->pitch + k;
        index[4 + k] = at * b->pitch + k;
        index[8 + k] = after * b->pitch + k;
    }
    index[3] = before * b->pitch + b->pitch - 1;
    index[7] = at * b->pitch + b->pitch - 1;
    for (int c = 0; c < 11; c++)
        for (int r = c; r < 11; r++) band_add(b, index[r], index[c], m[c][r]);
}

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

/* ---- joints --------------------------------------------------------------------------------- */

static void fill_edge_frame(joint *f, const der_edge *edge, int side)
{
    if (side == 0) {
        f->e = edge->t, f->m10 = edge->m1, f->m20 = edge->m2, f->inverse_e = edge->inverse;
    } else {
        f->f = edge->t, f->m11 = edge->m1, f->m21 = edge->m2, f->inverse_f = edge->inverse;
    }
}

static void fill_frame(joint *f, const double *frame, int side)
{
    if (side == 0) {
        f->e = frame, f->m10 = frame + 3, f->m20 = frame + 6, f->inverse_e = 1;
    } else {
        f->f = frame, f->m11 = frame + 3, f->m21 = frame + 6, f->inverse_f = 1;
    }
}

static void edge_rate(const der *d, const double *v, int edge, double *rate)
{
    v3_sub(rate, v + 4 * der_next(d, edge), v + 4 * edge);
}

static void edge_move(const der *d, const der_eval *in, int edge, double *move, double *theta)
{
    edge_rate(d, in->step.d, edge, move);
    *theta = in->step.d[4 * edge + 3];
}

static void vertex_joint(const der *d, const der_eval *in, int i, joint_state *j)
{
    const der_edge *edge = der_edges(in->at.cache);
    int before = der_edge_before(d, i), sides[2] = {before, i};
    j->strain = der_strains(d, in->at.cache) + STRAINS * i;
    j->natural = d->natural + STRAINS * i;
    j->cell = der_joint_cells(d, i);
    j->start = in->step.start ? der_strains(d, in->step.start) + STRAINS * i : NULL;
    for (int side = 0; side < 2; side++) {
        fill_edge_frame(&j->frames, edge + sides[side], side);
        if (d->damping > 0) {
            edge_rate(d, in->at.v, sides[side], j->rate[side]);
            j->theta_rate[side] = in->at.v[4 * sides[side] + 3];
        }
        if (in->step.start) edge_move(d, in, sides[side], j->move[side], j->theta_move + side);
    }
    if (in->step.start) j->end = der_strains(d, in->step.end) + STRAINS * i;
    joint_geometry_of(&j->frames, &d->form, &j->geometry);
}

static void assemble_vertices(const der *d, const der_eval *in, double eta, double *r,
                              const band_target *b)
{
    for (int i = 0; i < d->n; i++) {
        if (!der_has_joint(d, i)) continue;
        int before = der_edge_before(d, i), next = der_next(d, i), previous = before;
        joint_state j;
        j.eta = eta;
        vertex_joint(d, in, i, &j);
        joint_gradient g;
        joint_hessian h;
        joint_assemble(d, &j, in, &g, b ? &h : NULL);
        for (int k = 0; k < 3; k++) {
            r[4 * previous + k] -= g.e[k];
            r[4 * i + k] += g.e[k] - g.f[k];
            r[4 * next + k] += g.f[k];
        }
        r[4 * before + 3] += g.theta[0];
        r[4 * i + 3] += g.theta[1];
        if (b) scatter_vertex(b, previous, i, next, &h);
    }
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

static void frame_joint(const der *d, const der_eval *in, int p, int side, joint_state *j)
{
    int edge = frame_edge(d, p, side), column = der_vertex_frame_dof(d, p);
    /* index (0 or 1) of the vertex frame in the joint */
    int slot = STRAINS * (2 * p + side), frame_side = 1 - side;
    const double *frame = der_vertex_frame_q(d, in->at.q, p);
    j->strain = der_vertex_frame_strains(d, in->at.cache) + slot;
    j->natural = d->frame[p].natural[side];
    j->cell = der_frame_cells(d, p, side, edge);
    j->start = in->step.start ? der_vertex_frame_strains(d, in->step.start) + slot : NULL;
    fill_edge_frame(&j->frames, der_edges(in->at.cache) + edge, side);
    fill_frame(&j->frames, frame, frame_side);
    joint_geometry_of(&j->frames, &d->form, &j->geometry);
    if (d->damping > 0) {
        edge_rate(d, in->at.v, edge, j->rate[side]);
        j->theta_rate[side] = in->at.v[4 * edge + 3];
        frame_rate(frame, in->at.v + column, j->rate[frame_side], &j->theta_rate[frame_side]);
    }
    if (!in->step.start) return;
    j->end = der_vertex_frame_strains(d, in->step.end) + slot;
    edge_move(d, in, edge, j->move[side], j->theta_move + side);
    frame_rate(frame, in->step.d + column, j->move[frame_side], &j->theta_move[frame_side]);
}

/* η of the discrete gradient. The defect Δε − p is of third order in the increment, hence much
 * smaller than p; where it is not, the increment is at round-off level and η = 0. */
static double discrete_eta(const der *d, const der_eval *in)
{
    discrete_sums sums = {0, 0, 0};
    joint_state j;
    if (!in->step.start) return 0;
    j.eta = 0;
    for (int i = 0; i < d->n; i++) {
        if (!der_has_joint(d, i)) continue;
        vertex_joint(d, in, i, &j);
        add_discrete(d, &j, &sums);
    }
    for (int p = 0; p < d->frame_count; p++)
        for (int side = 0; side < 2; side++) {
            if (frame_edge(d, p, side) < 0) continue;
            frame_joint(d, in, p, side, &j);
            add_discrete(d, &j, &sums);
        }
    return sums.misses < sums.metric ? sums.defect / sums.metric : 0;
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
                                                       const joint_hessian *h, double c_k,
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
 * after it. */
static void assemble_frame_joint(const der *d, const der_eval *in, double eta, double *r,
                                 const local_matrix *matrix, const band_target *b, int p, int side)
{
    int edge = frame_edge(d, p, side), column = der_vertex_frame_dof(d, p), frame_side = 1 - side;
    const double *frame = der_vertex_frame_q(d, in->at.q, p);
    joint_state j;
    if (edge < 0) return;
    j.eta = eta;
    frame_joint(d, in, p, side, &j);
    joint_gradient g;
    joint_hessian h;
    joint_assemble(d, &j, in, &g, matrix ? &h : NULL);
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

/* ---- edges ---------------------------------------------------------------------------------- */

/* Inextensibility [DER 2008, sec. 8]: g = (e·e − ē²)/(2ē), B = eᵀ/ē, so λ is the compressive force
 * at natural length. g is quadratic, so its gradient at the midpoint is its discrete gradient. */
static void assemble_length_rows(const der *d, const der_eval *in, double *r, double *g,
                                 const band_target *b)
{
    const der_edge *edge = der_edges(in->at.cache);
    const der_edge *end = in->step.end ? der_edges(in->step.end) : edge;
    double stiffest = 12 * fmax(d->section.bending[0], d->section.bending[1]);
    for (int j = 0; j < d->edges; j++) {
        int next = der_next(d, j);
        double rest = d->rest[j], inverse = 1 / rest,
               lambda = in->at.rows_only ? 0 : in->at.lambda[j];
        g[j] = 0.5 * inverse * (v3_dot(end[j].e, end[j].e) - rest * rest);
        double rho = in->at.c_a * d->vertex_mass[j] +
                     in->at.c_k * inverse * (stiffest * inverse * inverse + fabs(lambda));
        double push = inverse * (lambda - rho * g[j]);
        for (int k = 0; k < 3; k++) {
            r[4 * j + k] += push * edge[j].e[k];
            r[4 * next + k] -= push * edge[j].e[k];
        }
        if (!b) continue;
        double kg = -in->at.c_k * lambda * inverse, along = rho * inverse * inverse, k3[9];
        const double *e = edge[j].e;
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) k3[3 * c + k] = along * e[k] * e[c] + (k == c ? kg : 0);
        scatter_edge(b, j, next, k3);
        for (int k = 0; k < 3; k++) {
            band_add(b, next * b->pitch + 3, j * b->pitch + k, -inverse * e[k]);
            band_add(b, next * b->pitch + 3, next * b->pitch + k, inverse * e[k]);
        }
    }
}

/* Elastic: E = ½ EA ē (|e|/ē − 1)². */
static void assemble_stretch(const der *d, const der_eval *in, double *r, const band_target *b)
{
    const der_edge *edge = der_edges(in->at.cache);
    for (int j = 0; j < d->edges; j++) {
        int next = der_next(d, j);
        double EA = d->section.stretching, rest = d->rest[j];
        double tension = EA * (edge[j].length / rest - 1);
        if (in->step.start) {
            /* ΔE = T Δ|e| with the tension T at the mean length, and Δ|e| = t·Δe |e|/mean, both half way. */
            double mean =
                0.5 * (der_edges(in->step.start)[j].length + der_edges(in->step.end)[j].length);
            tension = EA * (mean / rest - 1) * edge[j].length / mean;
        }
        if (d->damping > 0) {
            double rate[3];
            edge_rate(d, in->at.v, j, rate);
            tension += d->damping * EA / rest * v3_dot(edge[j].t, rate);
        }
        for (int k = 0; k < 3; k++) {
            r[4 * j + k] -= tension * edge[j].t[k];
            r[4 * next + k] += tension * edge[j].t[k];
        }
        if (!b) continue;
        double across = in->at.c_k * tension * edge[j].inverse;
        double along = EA / rest * (in->at.c_k + d->damping * in->at.c_v) - across, k3[9];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                k3[3 * c + k] = along * edge[j].t[k] * edge[j].t[c] + (k == c ? across : 0);
        scatter_edge(b, j, next, k3);
    }
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

static void assemble_inertia(const der *d, const der_eval *in, double *r, const band_target *b)
{
    const double *gravity = in->at.environment->gravity;
    for (int i = 0; i < d->n; i++) {
        double m = d->vertex_mass[i];
        for (int k = 0; k < 3; k++) {
            r[4 * i + k] = m * (in->at.a[4 * i + k] - gravity[k]);
            if (b) *matrix_entry(b->matrix, i * b->pitch + k, 0) += in->at.c_a * m;
        }
        if (i >= d->edges) continue;
        r[4 * i + 3] = d->edge_inertia[i] * in->at.a[4 * i + 3];
        if (!b) continue;
        /* Proximal term: 10⁻¹⁰ of the twisting stiffness (of any stiffness, where the matrix has no
         * twisting stiffness) keeps the matrix regular for a straight rod with free frames. The
         * residual in that direction is zero, so the solution does not change. */
        double rest = d->rest[i];
        double stiffness = in->at.c_k != 0 ? fabs(in->at.c_k) * d->section.twisting / rest
                                           : in->at.c_a * d->vertex_mass[i] * rest * rest;
#ifdef EXTENDED_SUMS
        stiffness = 0;
#endif
        *matrix_entry(b->matrix, (i + 1) * b->pitch - 1, 0) +=
            in->at.c_a * d->edge_inertia[i] + 1e-10 * stiffness;
    }
    memset(r + der_main_dofs(d), 0, (size_t)(3 * d->frame_count) * sizeof *r);
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
        edge_rate(d, in->at.v, j, rate);
        v3_cross(force, edge[j].t, rate); /* t × ṫ |e| */
        v3_axpy(r + 4 * next, -size, force);
        v3_axpy(r + 4 * j, size, force);
    }
}

static inline void assemble(const void *model, const der_eval *in, double *r, double *g,
                            local_matrix *matrix)
{
    const der *d = model;
    band_target target, *b = NULL;
    if (matrix) {
        int pitch = d->inextensible ? 5 : 4;
        target = (band_target){matrix, der_band_count(d), 2 * pitch + 2, pitch};
        b = &target;
    }
    assemble_inertia(d, in, r, b);
    if (in->at.rows_only) {
        memset(r, 0, (size_t)(der_main_dofs(d) + 3 * d->frame_count) * sizeof *r);
        if (d->inextensible) assemble_length_rows(d, in, r, g, b);
        return;
    }
    if (d->dynamic_twist) assemble_spin(d, in, r);
    if (d->drag > 0 || d->quadratic_drag > 0) assemble_drag(d, in, r, b);
    double eta = discrete_eta(d, in);
    assemble_vertices(d, in, eta, r, b);
    for (int p = 0; p < d->frame_count; p++)
        for (int side = 0; side < 2; side++)
            assemble_frame_joint(d, in, eta, r, matrix, b, p, side);
    if (!d->inextensible)
        assemble_stretch(d, in, r, b);
    else if (!in->at.rowless)
        assemble_length_rows(d, in, r, g, b);
}

#ifdef EXTENDED_SUMS

void cord__der_assemble_extended(const void *model, const der_eval *in, double *r, double *g,
                                 local_matrix *matrix)
{
    assemble(model, in, r, g, matrix);
}

#else

MULTIVERSION(cord__der_assemble, assemble,
             (const void *model, const der_eval *in, double *r, double *g, local_matrix *matrix),
             (model, in, r, g, matrix))

/* ---- energy --------------------------------------------------------------------------------- */

static void joint_energy(const der *d, joint_cells cell, const double *strain,
                         const double *natural, block_energy *e)
{
    double weight[STRAINS];
    joint_weights(d, &cell, weight);
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
