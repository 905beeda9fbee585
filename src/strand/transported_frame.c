/* Frames of strands at sliding points; see transported_frame.h. One point at a time. */
#include "strand/transported_frame.h"
#include "curve/transport.h"

#include <string.h>

void cord__transported_vector(transported_vector *v, const double x[3], const double weight[4])
{
    v->inverse = 1 / v3_normalize(v->unit, x);
    memcpy(v->weight, weight, sizeof v->weight);
}

/* ---- an angle and its derivatives --------------------------------------------------------------- */

/* Over the vectors themselves. With χ = 1 + ŷ·ẑ and τ = (ŷ + ẑ)/χ: Ψ_y = ½κb/|y|, Ψ_yy = −½ (½κb (τ + ŷ)ᵀ + …ᵀ)/|y|²,
 * likewise for z, and Ψ_zy = −(τ ½κbᵀ + [ŷ]×/χ)/(|y||z|); as in spline/reduced.h. Matrices are by rows. */
typedef struct angle_terms {
    double y[3], z[3];
    double yy[3][3], zz[3][3], zy[3][3];
} angle_terms;

static void gradient_of(const transported_vector *y, const transported_vector *z, angle_terms *o)
{
    double half[3];
    curvature_binormal(half, y->unit, z->unit);
    v3_scale(half, 0.5, half);
    v3_scale(o->y, y->inverse, half);
    v3_scale(o->z, z->inverse, half);
}

static void angle_of_vectors(const transported_vector *y, const transported_vector *z,
                             angle_terms *o)
{
    double chi = 1 / (1 + v3_dot(y->unit, z->unit)), tau[3], with_y[3], with_z[3];
    gradient_of(y, z, o);
    v3_combine(tau, chi, y->unit, chi, z->unit);
    v3_add(with_y, tau, y->unit);
    v3_add(with_z, tau, z->unit);
    v3_scale(with_y, -0.5 * y->inverse, with_y);
    v3_scale(with_z, -0.5 * z->inverse, with_z);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            o->yy[i][k] = o->y[i] * with_y[k] + with_y[i] * o->y[k];
            o->zz[i][k] = o->z[i] * with_z[k] + with_z[i] * o->z[k];
            o->zy[i][k] = -z->inverse * tau[i] * o->y[k];
        }
    double c = -chi * y->inverse * z->inverse;
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        o->zy[i][last] += c * y->unit[next];
        o->zy[i][next] -= c * y->unit[last];
    }
}

/* Derivative of the gradient along a displacement `by` of z. (Frames are transported in time, so Ψ depends on the
 * path and not on the vectors alone: the second derivatives above are those along straight paths.) */
static void gradient_along(const transported_vector *y, const transported_vector *z,
                           const double by[3], angle_terms *o)
{
    double half[3], rotation[3], change[3], chi = 1 / (1 + v3_dot(y->unit, z->unit));
    double stretch = z->inverse * v3_dot(z->unit, by);
    v3_cross(half, y->unit, z->unit);
    v3_scale(half, chi, half);
    v3_combine(rotation, z->inverse, by, -stretch, z->unit);
    v3_cross(change, y->unit, rotation);
    v3_combine(change, chi, change, -chi * v3_dot(y->unit, rotation), half);
    v3_scale(o->y, y->inverse, change);
    v3_combine(o->z, z->inverse, change, -z->inverse * stretch, half);
}

/* ---- the frame and its rotation ---------------------------------------------------------------- */

/* Chain rule: a gradient over a vector, to the dofs. */
static void add_vector(const transported_frame *f, const double weight[4], double scale,
                       const double g[3], double *out)
{
    for (int i = 0; i < CARRIED_POINTS; i++)
        for (int k = 0; f->point[i] >= 0 && k < 3; k++)
            out[f->point[i] + k] += scale * weight[i] * g[k];
}

static void add_rotation(const transported_frame *f, const transported_rotation *t, double part,
                         double *out)
{
    if (t->column < 0) return;
    if (t->about < 0) out[t->column] += part;
    for (int k = 0; t->about >= 0 && k < 3; k++)
        out[t->column + k] += part * f->vector[t->about].unit[k];
}

/* Derivatives of the frame's rotation about its tangent over the dofs, by the angles from `first` on; with the derivatives of
 * the coefficients where `along`, */
static void spin_of(const transported_frame *f, int first, bool along, int columns, double *spin)
{
    memset(spin, 0, (size_t)columns * sizeof *spin);
    for (int k = 0; k < TRANSPORTED_ROTATIONS; k++)
        add_rotation(f, f->rotation + k, along ? f->rotation[k].part_s : f->rotation[k].part, spin);
    for (int a = first; a < f->angles; a++) {
        const transported_angle *own = f->angle + a;
        const transported_vector *y = f->vector + own->from, *z = f->vector + own->to;
        double part = along ? own->part_s : own->part;
        angle_terms g;
        gradient_of(y, z, &g);
        add_vector(f, y->weight, part, g.y, spin);
        add_vector(f, z->weight, part, g.z, spin);
    }
}

/* and its derivative along the strand: the coefficients depend on s, and so does the tangent of the curve, with x_ss. */
static void spin_derivative(const transported_frame *f, const angle_terms *to,
                            const angle_terms *moving, const sliding_jacobian *j, double *spin_s)
{
    spin_of(f, 1, true, j->dofs, spin_s);
    add_vector(f, f->vector[f->angle[0].from].weight, -1, moving->y, spin_s);
    add_vector(f, f->vector[0].weight, -1, moving->z, spin_s);
    for (int c = 0; c < j->dofs; c++) spin_s[c] -= v3_dot(to->z, j->J_ss + 3 * c);
}

/* Derivative of t × δx_s/|x_s| along the strand, = (x_s × δx_s/|x_s|²)'. */
static void add_bending(const sliding_jacobian *j, double square, const double dr_s[3],
                        const double dr_ss[3], double out[3])
{
    double term[3];
    v3_cross(term, j->r_ss, dr_s);
    v3_axpy(out, 1 / square, term);
    v3_cross(term, j->r_s, dr_ss);
    v3_axpy(out, 1 / square, term);
    v3_cross(term, j->r_s, dr_s);
    v3_axpy(out, -2 * v3_dot(j->r_s, j->r_ss) / (square * square), term);
}

/* ---- second derivatives ------------------------------------------------------------------------- */

/* h += scale u vᵀ over the dofs of two vectors; with a matrix m between them. */
static void add_block(const transported_frame *f, const transported_vector *u,
                      const transported_vector *v, double scale, double m[3][3], int columns,
                      double *h)
{
    for (int i = 0; i < CARRIED_POINTS; i++)
        for (int j = 0; f->point[i] >= 0 && j < CARRIED_POINTS; j++) {
            double c = scale * u->weight[i] * v->weight[j];
            for (int k = 0; f->point[j] >= 0 && k < 9; k++)
                h[(f->point[i] + k / 3) * columns + f->point[j] + k % 3] += c * m[k / 3][k % 3];
        }
}

static void add_angle(const transported_frame *f, const transported_angle *a, double scale,
                      int columns, double *h)
{
    const transported_vector *y = f->vector + a->from, *z = f->vector + a->to;
    double yz[3][3];
    angle_terms o;
    angle_of_vectors(y, z, &o);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) yz[i][k] = o.zy[k][i];
    add_block(f, y, y, scale * a->part, o.yy, columns, h);
    add_block(f, z, z, scale * a->part, o.zz, columns, h);
    add_block(f, z, y, scale * a->part, o.zy, columns, h);
    add_block(f, y, z, scale * a->part, yz, columns, h);
}

/* For a frame with angular velocity ω and tangent rate ẏ/|y|, both constant, the rate of rotation
 * about the tangent has the derivative ω·ẏ_⊥/|y|, ẏ_⊥ the component orthogonal to the tangent. */
static void add_rotation_hessian(const transported_frame *f, const transported_rotation *t,
                                 double scale, int columns, double *h)
{
    if (t->column < 0 || t->about < 0) return;
    const transported_vector *y = f->vector + t->about;
    for (int i = 0; i < CARRIED_POINTS; i++)
        for (int k = 0; f->point[i] >= 0 && k < 9; k++) {
            int r = t->column + k / 3, c = f->point[i] + k % 3;
            double across = (k / 3 == k % 3) - y->unit[k / 3] * y->unit[k % 3];
            double value = 0.5 * scale * t->part * y->inverse * y->weight[i] * across;
            h[r * columns + c] += value;
            h[c * columns + r] += value;
        }
}

/* As in spline/torque.c: the rate is t × ẋ_s/|x_s| + φ̇ t, and a torque's power changes along a straight motion at
 * −2 (t·δp)(w × t · δp)/|p|² + φ̇ (w across t)·δp/|p| + φ̈ w·t. */
static void curving(const transported_frame *f, const double w[3], int columns, double *h)
{
    const transported_vector *p = f->vector;
    const double *t = p->unit, along = v3_dot(w, t);
    double side[3], across[3], m[3][3], spin[JACOBIAN_DOFS_MAX], half[JACOBIAN_DOFS_MAX] = {0};
    v3_cross(side, w, t);
    v3_combine(across, 1, w, -along, t);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = -p->inverse * p->inverse * (t[i] * side[k] + side[i] * t[k]);
    spin_of(f, 0, false, columns, spin);
    add_vector(f, p->weight, 0.5 * p->inverse, across, half);
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < columns; k++)
            h[i * columns + k] = half[i] * spin[k] + spin[i] * half[k];
    add_block(f, p, p, 1, m, columns, h);
    for (int a = 0; a < f->angles; a++) add_angle(f, f->angle + a, along, columns, h);
    for (int k = 0; k < TRANSPORTED_ROTATIONS; k++)
        add_rotation_hessian(f, f->rotation + k, along, columns, h);
}

/* ---- the Jacobian ----------------------------------------------------------------------------- */

/* Rotation rate t × x_ss/|x_s| + τ t, with τ = φ_s − Ψ_z·x_ss. */
void cord__transported_jacobian(const transported_frame *f, sliding_jacobian *j)
{
    const double *t = f->vector[0].unit, inverse = f->vector[0].inverse;
    const double square = v3_dot(j->r_s, j->r_s);
    double rotation[3], spin_s[JACOBIAN_DOFS_MAX];
    angle_terms to, moving;
    gradient_of(f->vector + f->angle[0].from, f->vector, &to);
    gradient_along(f->vector + f->angle[0].from, f->vector, j->r_ss, &moving);
    j->has_frame = true;
    v3_copy(j->frame, t);
    v3_copy(j->frame + 3, f->m1);
    v3_cross(j->frame + 6, t, f->m1);
    double twist = f->twist - v3_dot(to.z, j->r_ss);
    double twist_s = f->twist_s - v3_dot(moving.z, j->r_ss) - v3_dot(to.z, j->r_sss);
    v3_combine(rotation, inverse, j->r_ss, -inverse * v3_dot(t, j->r_ss), t); /* t_s */
    v3_cross(j->frame_rate, t, rotation);
    v3_axpy(j->frame_rate, twist, t);
    v3_combine(j->frame_rate_s, twist_s, t, twist, rotation);
    add_bending(j, square, j->r_ss, j->r_sss, j->frame_rate_s);
    j->has_hessian = j->torque != NULL;
    if (j->has_hessian) curving(f, j->torque, j->dofs, j->hessian);
    if (!j->tangent_spin) return;
    spin_of(f, 0, false, j->dofs, j->tangent_spin);
    if (!j->rotation_J_s) return;
    spin_derivative(f, &to, &moving, j, spin_s);
    for (int c = 0; c < j->dofs; c++) {
        v3_combine(j->rotation_J_s + 3 * c, spin_s[c], t, j->tangent_spin[c], rotation);
        add_bending(j, square, j->J_s + 3 * c, j->J_ss + 3 * c, j->rotation_J_s + 3 * c);
    }
}

/* ---- on a polygon ------------------------------------------------------------------------------- */

enum { HERE = 0, EDGE = 1, VERTEX = 4 }; /* vectors: x_s, three edges, x_s at two vertices */

/* The tangent of the smooth curve at a vertex of the edge. */
static void vertex_vector(const smooth_curve *c, int edge, int which, const double *const x[4],
                          transported_vector *v)
{
    double weight[4][4], tangent[3] = {0, 0, 0};
    int vertex[4];
    cord__smooth_weights(c, edge, which == 0 ? 0 : c->rest[edge], vertex, weight);
    for (int i = 0; i < 4; i++)
        if (x[i]) v3_axpy(tangent, weight[1][i], x[i]);
    cord__transported_vector(v, tangent, weight[1]);
}

/* β at vertex 0 or 1 of the edge: from the frame of the edge before it to that of the one after. */
static double angle_at(const polygon_frames *of, const transported_frame *f, int which)
{
    const transported_vector *v = f->vector;
    const double *to = v[VERTEX + which].unit;
    double before[3], after[3];
    transport(before, v[EDGE + which].unit, to, of->m1[which]);
    transport(after, v[EDGE + which + 1].unit, to, of->m1[which + 1]);
    const double rotation = 6.283185307179586476925, offset = of->offset[which];
    double angle = angle_about(to, before, after), near = of->twist[which] - offset;
    return offset + angle + rotation * nearbyint((near - angle) / rotation);
}

/* The edge's fraction of the angle at a vertex, and its distribution along the edge: linear at an
 * end of the strand, where there is no other vertex with an angle. */
typedef struct spread_angle {
    double part, part_s, curve;
} spread_angle;

static spread_angle spread(const smooth_curve *c, int edge, int which, double fraction, bool alone)
{
    int other = edge + (which == 0 ? -1 : 1);
    double l = c->rest[edge], share = l / (l + c->rest[(other + c->edges) % c->edges]);
    double g = which == 0 ? 1 - fraction : fraction, sign = which == 0 ? -1 : 1;
    if (alone) return (spread_angle){share * sign * (2 * g - 1), 2 * share / l, 0};
    return (spread_angle){sign * share * g * g, 2 * share * g / l, sign * 2 * share / (l * l)};
}

/* Adds a multiple of the vertex angle β = (θ₊ − Ψ₊) − (θ − Ψ), θ of the edges' frames and Ψ from
 * the edges to the vertex. */
static void add_vertex(transported_frame *f, int which, const spread_angle *s)
{
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? -1 : 1;
        f->rotation[which + k].part += sign * s->part;
        f->rotation[which + k].part_s += sign * s->part_s;
        f->angle[f->angles++] = (transported_angle){EDGE + which + k, VERTEX + which,
                                                    -sign * s->part, -sign * s->part_s};
    }
}

void cord__polygon_frame(const smooth_curve *c, int edge, double along, const double tangent[3],
                         const double weight[4], const double *const x[4], const polygon_frames *of,
                         transported_frame *f)
{
    double angle = 0;
    memset(f, 0, sizeof *f);
    cord__transported_vector(f->vector + HERE, tangent, weight);
    for (int k = 0; k < 3; k++) {
        double between[4] = {0};
        between[k] = -1, between[k + 1] = 1;
        if (of->has[k]) cord__transported_vector(f->vector + EDGE + k, of->e[k], between);
    }
    f->angle[f->angles++] = (transported_angle){EDGE + 1, HERE, -1, 0};
    f->rotation[1].part = 1;
    for (int which = 0; which < 2; which++) {
        if (!of->has[2 * which]) continue;
        vertex_vector(c, edge, which, x, f->vector + VERTEX + which);
        spread_angle s = spread(c, edge, which, along / c->rest[edge], !of->has[2 - 2 * which]);
        double beta = angle_at(of, f, which);
        add_vertex(f, which, &s);
        angle += s.part * beta;
        f->twist += s.part_s * beta;
        f->twist_s += s.curve * beta;
    }
    transport(f->m1, f->vector[EDGE + 1].unit, f->vector[HERE].unit, of->m1[1]);
    rotate_about(f->m1, f->vector[HERE].unit, angle);
}
