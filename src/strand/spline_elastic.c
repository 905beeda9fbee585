/* Splines: strains' derivatives, energies, forces and the matrix of Newton's method.
 *
 *     E = ∫ ½ EA (|x'|/s̄' − 1)² + ½ Σ B_a (κ_a − κ̄_a)² + ½ GJ (m − m̄)² ds̄
 *
 * by Gauss's rule for bending and twisting, and at stations for stretching. The strains at a place are
 * functions of five vectors and two angles, the span's *arguments*: a = x' at its start, b = x' at its
 * end, p = x' and s = x'' at the place, and the turning of the frames at its knots. */
#include "curve/transport.h"
#include "math/band.h"
#include "math/vec3.h"
#include "math/wide.h"
#include "strand/spline.h"

#include <string.h>

enum { A = 0, B = 3, P = 6, S = 9, TURN0 = 12, TURN1 = 13, ARGUMENTS = 14 };
typedef double square[ARGUMENTS][ARGUMENTS];

/* ---- derivatives over the arguments ----------------------------------------------------------- */

/* h += c u vᵀ at (row, col), and its transpose at (col, row). */
static inline void add_outer(square h, int row, int col, double c, const double *u, const double *v)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double value = c * u[i] * v[k];
            h[row + i][col + k] += value;
            h[col + k][row + i] += value;
        }
}
/* h += c [w]× at (row, col), and its transpose. */
static inline void add_cross(square h, int row, int col, double c, const double *w)
{
    static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};
    for (int i = 0; i < 3; i++) { /* (w × v)_i = w_j v_k − w_k v_j */
        int j = next[i], k = last[i];
        h[row + i][col + k] += c * w[j], h[col + k][row + i] += c * w[j];
        h[row + i][col + j] -= c * w[k], h[col + j][row + i] -= c * w[k];
    }
}
static inline void add_unit(square h, int row, int col, double c)
{
    for (int i = 0; i < 3; i++) {
        h[row + i][col + i] += c;
        if (row != col) h[col + i][row + i] += c;
    }
}

/* Ψ, the angle from a frame at tangent y, carried to z by the smallest rotation, to a frame there, as
 * both frames are carried along in time without turning: δΨ = ½ κb·(δŷ + δẑ) [DER 2008, eq. 9]. */
typedef struct carry {
    double y[3], z[3], half[3]; /* tangents; ½ κb */
    double iy, iz, chi;         /* 1/|y|, 1/|z|; 1 + ŷ·ẑ */
} carry;

static void make_carry(carry *c, const double *y, double iy, const double *z, double iz)
{
    v3_copy(c->y, y);
    v3_copy(c->z, z);
    c->iy = iy, c->iz = iz;
    c->chi = 1 + v3_dot(y, z);
    v3_cross(c->half, y, z);
    v3_scale(c->half, 1 / c->chi, c->half);
}

static void carry_gradient(const carry *c, double scale, int y, int z, double *g)
{
    v3_axpy(g + y, scale * c->iy, c->half);
    v3_axpy(g + z, scale * c->iz, c->half);
}

/* With τ = (ŷ + ẑ)/χ: Ψ_yy = −½ (½κb (τ + ŷ)ᵀ + …ᵀ)/|y|², Ψ_zy = −(τ ½κbᵀ + [ŷ]×/χ)/(|y||z|). */
static void carry_hessian(const carry *c, double scale, int y, int z, square h)
{
    double tau[3], with[3];
    v3_add(tau, c->y, c->z);
    v3_scale(tau, 1 / c->chi, tau);
    v3_add(with, tau, c->y);
    add_outer(h, y, y, -0.5 * scale * c->iy * c->iy, c->half, with);
    v3_add(with, tau, c->z);
    add_outer(h, z, z, -0.5 * scale * c->iz * c->iz, c->half, with);
    add_outer(h, z, y, -scale * c->iy * c->iz, tau, c->half);
    add_cross(h, z, y, -scale * c->iy * c->iz / c->chi, c->y);
}

/* The twist of the carried frame, f = −V/D with V = a·(p × s), D = |p|(|p||a| + a·p). */
typedef struct carried {
    double f, D, gradient[9]; /* over a, p, s */
    double D_a[3], D_p[3];
} carried;

static void carried_gradient(const double *a, const double *p, const double *s, carried *o)
{
    double V[9], n = v3_norm(a), rho = v3_norm(p), along = v3_dot(a, p);
    v3_cross(V, p, s);
    v3_cross(V + 3, s, a);
    v3_cross(V + 6, a, p);
    o->D = rho * (rho * n + along);
    o->f = -v3_dot(a, V) / o->D;
    v3_combine(o->D_a, rho * rho / n, a, rho, p);
    v3_combine(o->D_p, 2 * n + along / rho, p, rho, a);
    for (int k = 0; k < 3; k++) {
        o->gradient[k] = -(V[k] + o->f * o->D_a[k]) / o->D;
        o->gradient[3 + k] = -(V[3 + k] + o->f * o->D_p[k]) / o->D;
        o->gradient[6 + k] = -V[6 + k] / o->D;
    }
}

/* From f D = −V: f_xy = −(V_xy + f_x D_y + D_x f_y + f D_xy)/D. */
static void carried_hessian(const double *a, const double *p, const double *s, const carried *o,
                            double scale, square h)
{
    double n = v3_norm(a), rho = v3_norm(p), along = v3_dot(a, p), c = -scale / o->D;
    double e[3], cf = c * o->f;
    v3_scale(e, 1 / n, a);
    add_cross(h, A, P, -c, s);
    add_cross(h, A, S, c, p);
    add_cross(h, P, S, -c, a);
    add_outer(h, A, A, c, o->gradient, o->D_a);
    add_outer(h, P, P, c, o->gradient + 3, o->D_p);
    add_outer(h, A, P, c, o->gradient, o->D_p);
    add_outer(h, A, P, c, o->D_a, o->gradient + 3);
    add_outer(h, S, A, c, o->gradient + 6, o->D_a);
    add_outer(h, S, P, c, o->gradient + 6, o->D_p);
    add_unit(h, A, A, cf * rho * rho / n);
    add_outer(h, A, A, -0.5 * cf * rho * rho / n, e, e);
    add_outer(h, A, P, 2 * cf, e, p);
    add_outer(h, A, P, cf / rho, p, p);
    add_unit(h, A, P, cf * rho);
    add_unit(h, P, P, cf * (2 * n + along / rho));
    add_outer(h, P, P, -0.5 * cf * along / (rho * rho * rho), p, p);
    add_outer(h, P, P, cf / rho, a, p);
}

/* What the derivatives at a place share. */
typedef struct local {
    const spline_span *span;
    const spline_place *at;
    const spline_state *state;
    double t[3], m2[3], rho;
    carry across, here;      /* from the span's start to its end, and to the place */
    carried twist;           /* of the frame carried to the place */
    double turn[ARGUMENTS];  /* how the frame at the place turns about its tangent */
    double angle[ARGUMENTS]; /* of α */
    const double *a;
} local;

static void make_local(const spline *s, const double *cache, const spline_place *at,
                       const spline_state *state, local *o)
{
    const spline_knot *knot = spline_knots((double *)cache) + at->span;
    o->span = s->span + at->span;
    o->at = at;
    o->state = state;
    o->a = knot->p;
    o->rho = v3_normalize(o->t, state->p);
    v3_cross(o->m2, o->t, state->m1);
    make_carry(&o->across, knot[0].t, knot[0].inverse, knot[1].t, knot[1].inverse);
    make_carry(&o->here, knot[0].t, knot[0].inverse, o->t, 1 / o->rho);
    carried_gradient(o->a, state->p, state->s, &o->twist);
    memset(o->angle, 0, sizeof o->angle);
    carry_gradient(&o->across, 1, A, B, o->angle);
    o->angle[TURN0] = -1, o->angle[TURN1] = 1;
    for (int k = 0; k < ARGUMENTS; k++) o->turn[k] = at->fraction * o->angle[k];
    o->turn[TURN0] += 1;
    carry_gradient(&o->here, -1, A, P, o->turn);
}

/* G = N·s/|p| for a normal N that moves with the frame: over p, s and the turning of the frame,
 * −(s_t N + n t)/|p|², N/|p| and Ñ·s/|p|, with s_t = t·s, n = N·s, Ñ = t × N. */
static void bend_gradient(const local *o, const double *N, double scale, double *g)
{
    const double *s = o->state->s;
    double along = v3_dot(o->t, s), n = v3_dot(N, s), side[3], inverse = scale / o->rho;
    v3_cross(side, o->t, N);
    double turning = inverse * v3_dot(side, s);
    for (int k = 0; k < ARGUMENTS; k++) g[k] = turning * o->turn[k];
    for (int k = 0; k < 3; k++) {
        g[P + k] -= inverse / o->rho * (along * N[k] + n * o->t[k]);
        g[S + k] += inverse * N[k];
    }
}

/* The second derivatives of the same. */
static void bend_hessian(const local *o, const double *N, double scale, square h)
{
    const double *s = o->state->s, *t = o->t;
    double along = v3_dot(t, s), n = v3_dot(N, s), side[3], across[3], mixed[ARGUMENTS] = {0};
    double c1 = scale / o->rho, c2 = c1 / o->rho, c3 = c2 / o->rho;
    v3_cross(side, t, N);
    double turned = v3_dot(side, s);
    v3_combine(across, 1, s, -along, t);
    add_outer(h, P, P, 2 * c3 * along, t, N);
    add_outer(h, P, P, -0.5 * c3, N, across);
    add_outer(h, P, P, 1.5 * c3 * n, t, t);
    add_unit(h, P, P, -c3 * n);
    add_outer(h, P, S, -c2, N, t);
    add_outer(h, P, S, -c2, t, N);
    for (int k = 0; k < 3; k++) {
        mixed[P + k] = -c2 * (along * side[k] + turned * t[k]);
        mixed[S + k] = c1 * side[k];
    }
    /* mixed turnᵀ + turn mixedᵀ − c1 n turn turnᵀ */
    for (int k = 0; k < ARGUMENTS; k++) mixed[k] -= 0.5 * c1 * n * o->turn[k];
    for (int i = 0; i < ARGUMENTS; i++)
        for (int k = 0; k < ARGUMENTS; k++)
            h[i][k] += mixed[i] * o->turn[k] + o->turn[i] * mixed[k];
    carry_hessian(&o->here, -c1 * turned, A, P, h);
    carry_hessian(&o->across, c1 * turned * o->at->fraction, A, B, h);
}

static void twist_gradient(const local *o, double *g)
{
    double part = 1 / o->span->length, rest = 1 / o->at->speed;
    for (int k = 0; k < ARGUMENTS; k++) g[k] = part * o->angle[k];
    v3_axpy(g + A, rest, o->twist.gradient);
    v3_axpy(g + P, rest, o->twist.gradient + 3);
    v3_axpy(g + S, rest, o->twist.gradient + 6);
}

/* ---- over the span's own numbers --------------------------------------------------------------- */

static void argument_weights(const local *o, const double *w[4])
{
    w[0] = o->span->start, w[1] = o->span->end, w[2] = o->at->w.d, w[3] = o->at->w.dd;
}

/* ∂/∂x_j = Σ_v w_v[j] ∂/∂v */
static void pull_back(const local *o, const double *g, double *out)
{
    const double *w[4];
    argument_weights(o, w);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
            out[3 * j + k] =
                w[0][j] * g[A + k] + w[1][j] * g[B + k] + w[2][j] * g[P + k] + w[3][j] * g[S + k];
    out[12] = g[TURN0], out[13] = g[TURN1];
}

/* The same for every column of `in` at once. */
static void pull_back_rows(const local *o, square in, square out)
{
    const double *w[4];
    argument_weights(o, w);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < ARGUMENTS; c++)
                out[3 * j + k][c] = w[0][j] * in[A + k][c] + w[1][j] * in[B + k][c] +
                                    w[2][j] * in[P + k][c] + w[3][j] * in[S + k][c];
    memcpy(out[12], in[TURN0], sizeof out[12]);
    memcpy(out[13], in[TURN1], sizeof out[13]);
}

static void transpose(square h)
{
    for (int r = 0; r < ARGUMENTS; r++)
        for (int c = 0; c < r; c++) {
            double kept = h[r][c];
            h[r][c] = h[c][r], h[c][r] = kept;
        }
}

static void pull_back_square(const local *o, square h, double out[SPLINE_LOCAL][SPLINE_LOCAL])
{
    square half;
    pull_back_rows(o, h, half);
    transpose(half);
    pull_back_rows(o, half, h);
    for (int r = 0; r < SPLINE_LOCAL; r++)
        for (int c = 0; c < SPLINE_LOCAL; c++) out[r][c] += h[r][c];
}

static void gradients(const local *o, spline_gradient g)
{
    double raw[ARGUMENTS], minus[3], scale = 1 / o->at->speed;
    v3_scale(minus, -1, o->m2);
    bend_gradient(o, minus, scale, raw);
    pull_back(o, raw, g[0]);
    bend_gradient(o, o->state->m1, scale, raw);
    pull_back(o, raw, g[1]);
    twist_gradient(o, raw);
    pull_back(o, raw, g[2]);
}

static void curving(const local *o, const double *stress, double out[SPLINE_LOCAL][SPLINE_LOCAL])
{
    square h;
    double N[3];
    memset(h, 0, sizeof h);
    v3_combine(N, stress[1], o->state->m1, -stress[0], o->m2);
    bend_hessian(o, N, 1 / o->at->speed, h);
    carry_hessian(&o->across, stress[2] / o->span->length, A, B, h);
    carried_hessian(o->a, o->state->p, o->state->s, &o->twist, stress[2] / o->at->speed, h);
    pull_back_square(o, h, out);
}

void cord__spline_gradient(const spline *s, const double *cache, const spline_place *at,
                           const spline_state *state, spline_gradient g)
{
    local o;
    make_local(s, cache, at, state, &o);
    gradients(&o, g);
}

void cord__spline_turning(const spline *s, const double *cache, const spline_place *at,
                          const spline_state *state, double g[SPLINE_LOCAL])
{
    local o;
    make_local(s, cache, at, state, &o);
    pull_back(&o, o.turn, g);
}

void cord__spline_curving(const spline *s, const double *cache, const spline_place *at,
                          const spline_state *state, const double stress[SPLINE_STRAINS],
                          double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    local o;
    make_local(s, cache, at, state, &o);
    curving(&o, stress, h);
}

/* The rotation rate of the frame is t × ẋ'/|x'| + φ̇ t; a torque's power changes along a straight motion
 * at −2 (t·δp)(w × t · δp)/|p|² + φ̇ (w across t)·δp/|p| + φ̈ w·t. */
void cord__spline_torque_curving(const spline *s, const double *cache, const spline_place *at,
                                 const spline_state *state, const double w[3],
                                 double out[SPLINE_LOCAL][SPLINE_LOCAL])
{
    local o;
    square h;
    double side[3], across[ARGUMENTS] = {0};
    make_local(s, cache, at, state, &o);
    double along = v3_dot(w, o.t), inverse = 1 / o.rho;
    memset(h, 0, sizeof h);
    v3_cross(side, w, o.t);
    add_outer(h, P, P, -inverse * inverse, o.t, side);
    v3_combine(across + P, inverse, w, -inverse * along, o.t);
    for (int i = 0; i < ARGUMENTS; i++)
        for (int k = 0; k < ARGUMENTS; k++)
            h[i][k] += 0.5 * (across[i] * o.turn[k] + o.turn[i] * across[k]);
    carry_hessian(&o.here, -along, A, P, h);
    carry_hessian(&o.across, along * at->fraction, A, B, h);
    pull_back_square(&o, h, out);
}

/* ---- forces and matrix ------------------------------------------------------------------------- */

void cord__spline_scatter(const spline *s, int span, double h[SPLINE_LOCAL][SPLINE_LOCAL],
                          local_matrix *matrix)
{
    int column[SPLINE_LOCAL], behind[SPLINE_LOCAL];
    const int stride = BAND_STRIDE(s->band_width);
    spline_local_columns(s, span, column);
    for (int k = 0; k < SPLINE_LOCAL; k++) {
        column[k] = s->position[column[k]];
        behind[k] = spline_behind(s, column[k], column[0]);
    }
    for (int c = 0; c < SPLINE_LOCAL; c++)
        for (int r = 0; r < SPLINE_LOCAL; r++)
            if (behind[r] >= behind[c])
                matrix
                    ->band[(size_t)column[c] * (size_t)stride + (size_t)(behind[r] - behind[c])] +=
                    h[r][c];
}

static void gather(const spline *s, int span, const double *v, double *out)
{
    int column[SPLINE_LOCAL];
    spline_local_columns(s, span, column);
    for (int k = 0; k < SPLINE_LOCAL; k++) out[k] = v[column[k]];
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < SPLINE_LOCAL; k++) sum += a[k] * b[k];
    return sum;
}

/* The discrete gradient in strain space, as in der_elastic.c: the stress at the mean strain, corrected
 * along the motion so that force times displacement is exactly the change of energy. */
static void discrete_stress(const double *start, const double *end, const double *natural,
                            const double *weight, spline_gradient g, const double *move,
                            double *stress)
{
    double p[SPLINE_STRAINS], defect = 0, metric = 0, size = 0;
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        p[a] = dot(g[a], move);
        double change = end[a] - start[a];
        stress[a] = weight[a] * (0.5 * (start[a] + end[a]) - natural[a]);
        defect += stress[a] * (change - p[a]);
        metric += weight[a] * p[a] * p[a];
        size += weight[a] * (change - p[a]) * (change - p[a]);
    }
    /* Where the defect is not small the motion is lost in round-off. */
    if (!(size < 0.25 * metric)) return;
    for (int a = 0; a < SPLINE_STRAINS; a++) stress[a] += defect / metric * weight[a] * p[a];
}

static void bend_weights(const spline *s, const spline_gauss *gauss, double *weight)
{
    weight[0] = gauss->weight * s->section.bending[0];
    weight[1] = gauss->weight * s->section.bending[1];
    weight[2] = gauss->weight * s->section.twisting;
}

/* One Gauss point of bending and twisting: adds to the span's force, and to its matrix unless NULL. */
static void assemble_bend(const spline *s, const block_eval *in, int i, const double *v,
                          const double *move, double *force, double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    const spline_gauss *gauss = s->gauss + i;
    const spline_state *state = spline_states(s, (double *)in->cache) + i;
    double weight[SPLINE_STRAINS], stress[SPLINE_STRAINS];
    spline_gradient g;
    local o;
    make_local(s, in->cache, &gauss->at, state, &o);
    gradients(&o, g);
    bend_weights(s, gauss, weight);
    if (in->start)
        discrete_stress(spline_states(s, (double *)in->start)[i].strain,
                        spline_states(s, (double *)in->end)[i].strain, gauss->natural, weight, g,
                        move, stress);
    else
        for (int a = 0; a < SPLINE_STRAINS; a++)
            stress[a] = weight[a] * (state->strain[a] - gauss->natural[a]);
    for (int a = 0; s->damping > 0 && a < SPLINE_STRAINS; a++)
        stress[a] += s->damping * weight[a] * dot(g[a], v);
    for (int k = 0; k < SPLINE_LOCAL; k++)
        force[k] += stress[0] * g[0][k] + stress[1] * g[1][k] + stress[2] * g[2][k];
    if (!h) return;
    double stiff = in->c_k + s->damping * in->c_v;
    for (int r = 0; r < SPLINE_LOCAL; r++) {
        double f[SPLINE_STRAINS];
        for (int a = 0; a < SPLINE_STRAINS; a++) f[a] = stiff * weight[a] * g[a][r];
        for (int c = 0; c < SPLINE_LOCAL; c++)
            h[r][c] += f[0] * g[0][c] + f[1] * g[1][c] + f[2] * g[2][c];
    }
    if (in->c_k == 0) return;
    v3_scale(stress, in->c_k, stress);
    curving(&o, stress, h);
}

/* Add k, a 3 × 3 matrix over Σ w_j x_j. */
static void add_block(double h[SPLINE_LOCAL][SPLINE_LOCAL], const double *w, double k[3][3])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) h[3 * i + r][3 * j + c] += w[i] * w[j] * k[r][c];
}

static void add_force(double *force, const double *w, double scale, const double *f)
{
    for (int j = 0; j < 4; j++) v3_axpy(force + 3 * j, w[j] * scale, f);
}

/* E = ½ EA w (|p|/s̄' − 1)² */
static void assemble_stretch(const spline *s, const block_eval *in, int i, const double *v,
                             const double *move, double *force,
                             double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    const spline_station *station = s->station + i;
    const spline_stretch *now = spline_stretches(s, (double *)in->cache) + i;
    const double *w = station->at.w.d;
    double EA = s->section.stretching * station->weight, speed = station->at.speed, t[3];
    double length = v3_normalize(t, now->p), stress = EA * now->strain;
    if (in->start) {
        double start = spline_stretches(s, (double *)in->start)[i].strain, p[3];
        double end = spline_stretches(s, (double *)in->end)[i].strain;
        spline_sum(p, w, move, 0);
        double ratio = (end - start) / (v3_dot(t, p) / speed);
        stress = 0.5 * EA * (start + end);
        if (fabs(ratio - 1) < 0.1) stress *= ratio; /* else lost in round-off */
    }
    if (s->damping > 0) {
        double rate[3];
        spline_sum(rate, w, v, 0);
        stress += s->damping * EA * v3_dot(t, rate) / speed;
    }
    add_force(force, w, stress / speed, t);
    if (!h) return;
    double across = in->c_k * stress / (length * speed), k[3][3];
    double along = EA / (speed * speed) * (in->c_k + s->damping * in->c_v) - across;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) k[r][c] = along * t[r] * t[c] + (r == c ? across : 0);
    add_block(h, w, k);
}

/* −f = (c + c₂|w|) w per natural length, w relative to the air. */
static void assemble_drag(const spline *s, const block_eval *in, int span, const double *v,
                          double *force, double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    const spline_span *own = s->span + span;
    for (int i = 0; i < SPLINE_MASSES; i++) {
        double x[3], w[3], air[3] = {0, 0, 0}, k[3][3];
        spline_sum(w, own->b[i], v, 0);
        if (in->around->wind) {
            spline_sum(x, own->b[i], in->q, span);
            cord__wind_at(in->around->wind, in->around->time, x, air);
        }
        v3_sub(w, w, air);
        double speed = v3_norm(w), c = own->weight[i] * (s->drag + s->quadratic_drag * speed);
        add_force(force, own->b[i], c, w);
        if (!h) continue;
        double turn = speed > 0 ? own->weight[i] * s->quadratic_drag / speed : 0;
        for (int r = 0; r < 3; r++)
            for (int col = 0; col < 3; col++)
                k[r][col] = in->c_v * ((r == col ? c : 0) + turn * w[r] * w[col]);
        add_block(h, own->b[i], k);
    }
}

static void assemble_mass(const spline *s, const block_eval *in, int span, const double *a,
                          double *force, double h[SPLINE_LOCAL][SPLINE_LOCAL])
{
    const spline_span *own = s->span + span;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++) {
                force[3 * i + k] += own->mass[i][j] * (a[3 * j + k] - in->around->gravity[k]);
                if (h) h[3 * i + k][3 * j + k] += in->c_a * own->mass[i][j];
            }
}

/* Rotary inertia sits at knots. A part in 10¹⁰ of the twisting stiffness keeps the angles of a straight
 * strand that nothing holds solvable, as in der_elastic.c. */
static void assemble_turns(const spline *s, const block_eval *in, double *r, local_matrix *matrix)
{
    const int stride = BAND_STRIDE(s->band_width);
    double stiffness = in->c_k != 0
                           ? fabs(in->c_k) * s->section.twisting / s->spacing
                           : in->c_a * s->section.mass * s->spacing * s->spacing * s->spacing;
    for (int k = 0; k < spline_turns(s); k++) {
        int column = spline_turn_column(s, k);
        if (!in->rows_only) r[column] += s->knot_inertia[k] * in->a[column];
        if (matrix)
            matrix->band[(size_t)s->position[column] * (size_t)stride] +=
                in->c_a * s->knot_inertia[k] + 1e-10 * stiffness;
    }
}

/* A cross-section that spins at θ̇ resists turning: on x' at its knot, −I θ̇ (t × ẋ')/|x'|². It does no
 * work; its tangent is small and left out of the matrix. */
static void assemble_spin(const spline *s, const block_eval *in, double *r)
{
    const spline_knot *knot = spline_knots((double *)in->cache);
    for (int k = 0; k < spline_turns(s); k++) {
        int span = k < s->spans ? k : k - 1;
        const double *w = k < s->spans ? s->span[span].start : s->span[span].end;
        double rate[3], force[3], inverse = knot[k].inverse;
        spline_sum_columns(s, rate, w, in->v, span);
        v3_cross(force, knot[k].t, rate);
        double size = s->knot_inertia[k] * in->v[spline_turn_column(s, k)] * inverse * inverse;
        for (int j = 0; j < 4; j++) v3_axpy(r + spline_column(s, span + j), -size * w[j], force);
    }
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    const spline *s = model;
    int column[SPLINE_LOCAL], station = 0;
    memset(r, 0, (size_t)spline_columns(s) * sizeof *r);
    for (int span = 0; span < s->spans; span++) {
        double h[SPLINE_LOCAL][SPLINE_LOCAL], force[SPLINE_LOCAL] = {0};
        double a[SPLINE_LOCAL], v[SPLINE_LOCAL], move[SPLINE_LOCAL] = {0};
        double(*target)[SPLINE_LOCAL] = matrix ? h : NULL;
        if (matrix) memset(h, 0, sizeof h);
        gather(s, span, in->a, a);
        gather(s, span, in->v, v);
        if (in->start) gather(s, span, in->d, move);
        assemble_mass(s, in, span, a, force, target);
        if (in->rows_only) {
            memset(force, 0, sizeof force);
        } else {
            if (s->drag > 0 || s->quadratic_drag > 0) assemble_drag(s, in, span, v, force, target);
            for (int i = 0; i < SPLINE_BENDS; i++)
                assemble_bend(s, in, SPLINE_BENDS * span + i, v, move, force, target);
        }
        for (; station < s->stations && s->station[station].at.span == span; station++)
            if (s->inextensible)
                cord__spline_assemble_row(s, in, station, force, g, target, matrix);
            else if (!in->rows_only)
                assemble_stretch(s, in, station, v, move, force, target);
        spline_local_columns(s, span, column);
        for (int k = 0; k < SPLINE_LOCAL; k++) r[column[k]] += force[k];
        if (matrix) cord__spline_scatter(s, span, h, matrix);
    }
    assemble_turns(s, in, r, matrix);
    if (s->dynamic_twist && !in->rows_only) assemble_spin(s, in, r);
}

#if WITH_WIDE_VECTORS
WIDE static void assemble_wide(const void *model, const block_eval *in, double *r, double *g,
                               local_matrix *matrix)
{
    assemble(model, in, r, g, matrix);
}
#endif

void cord__spline_assemble(const void *model, const block_eval *in, double *r, double *g,
                           local_matrix *matrix)
{
#if WITH_WIDE_VECTORS
    if (wide_vectors()) {
        assemble_wide(model, in, r, g, matrix);
        return;
    }
#endif
    assemble(model, in, r, g, matrix);
}

/* ---- energy ------------------------------------------------------------------------------------ */

static void span_motion(const spline *s, int span, const double *gravity, const double *q,
                        const double *v, block_energy *e)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double m = s->span[span].mass[i][j], h[3];
            const double *x = q + 3 * (span + i), *vi = v + spline_column(s, span + i);
            const double *vj = v + spline_column(s, span + j);
            e->kinetic += 0.5 * m * v3_dot(vi, vj);
            e->gravity -= m * v3_dot(gravity, x);
            v3_axpy(e->linear, m, vj);
            v3_cross(h, x, vj);
            v3_axpy(e->angular, m, h);
        }
}

void cord__spline_energy(const void *model, const surroundings *around, const double *q,
                         const double *cache, const double *v, const double *place_v,
                         block_energy *e)
{
    const spline *s = model;
    const spline_knot *knot = spline_knots((double *)cache);
    const spline_state *state = spline_states(s, (double *)cache);
    const spline_stretch *stretch = spline_stretches(s, (double *)cache);
    (void)place_v;
    memset(e, 0, sizeof *e);
    for (int span = 0; span < s->spans; span++) span_motion(s, span, around->gravity, q, v, e);
    for (int i = 0; i < SPLINE_BENDS * s->spans; i++) {
        double weight[SPLINE_STRAINS], part[SPLINE_STRAINS];
        bend_weights(s, s->gauss + i, weight);
        for (int a = 0; a < SPLINE_STRAINS; a++) {
            double strain = state[i].strain[a] - s->gauss[i].natural[a];
            part[a] = 0.5 * weight[a] * strain * strain;
        }
        e->bending += part[0] + part[1];
        e->twisting += part[2];
    }
    for (int i = 0; !s->inextensible && i < s->stations; i++)
        e->stretching += 0.5 * s->section.stretching * s->station[i].weight * stretch[i].strain *
                         stretch[i].strain;
    for (int k = 0; k < spline_turns(s); k++) {
        double spin = v[spline_turn_column(s, k)], inertia = s->knot_inertia[k];
        e->kinetic += 0.5 * inertia * spin * spin;
        v3_axpy(e->angular, inertia * spin, knot[k].t);
    }
}
