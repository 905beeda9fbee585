#include "curve/chain_kinematics.h"
#include "curve/darboux.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

double cord__chain_length(const chain *c)
{
    double sum = 0;
    for (int e = 0; e < c->elements; e++) sum += c->length[e];
    return sum;
}

/* ---- curvature of an element ---------------------------------------------------------------- */

static curvature element_curvature(const chain *c, int e)
{
    curvature k = {{0, 0, 0}, {0, 0, 0}};
    if (c->kind == ELEMENT_SEGMENT) return k;
    const double *at = c->kappa + 3 * (size_t)e;
    v3_copy(k.start, at);
    if (c->kind == ELEMENT_HELIX) return k;
    for (int i = 0; i < 3; i++) k.slope[i] = (at[3 + i] - at[i]) / c->length[e];
    return k;
}

static void curvature_at(const curvature *k, double u, double kappa[3])
{
    for (int i = 0; i < 3; i++) kappa[i] = k->start[i] + u * k->slope[i];
}

/* κ at a point of the chain, in its frame; zero on a straight element. */
static void curvature_here(const chain *c, const chain_point *w, double kappa[3])
{
    curvature k = element_curvature(c, w->element);
    curvature_at(&k, w->u, kappa);
}

/* ---- Jacobian --------------------------------------------------------------------------------- */

/* Adds a rotation about an axis through `position`. */
static void add_rotation(screw *s, double weight, const double *axis, const double *position)
{
    double moment[3];
    v3_cross(moment, position, axis);
    v3_axpy(s->a, weight, axis);
    v3_axpy(s->b, weight, moment);
}

static screw *curvature_screws(const dof_layout *l, screw *jacobian, int i)
{
    return jacobian + base_dofs(l) + (l->planar ? 1 : 3) * (size_t)i;
}

static screw *length_screw(const chain *c, const dof_layout *l, screw *jacobian, int e)
{
    return jacobian + base_dofs(l) + curvature_dofs(l, c) + e;
}

/* Adds the screws of curvature vector i, with `weight`, at a point with this frame. */
static void add_curvature(const dof_layout *l, screw *jacobian, int i, double weight,
                          const double *frame, const double *position)
{
    screw *s = curvature_screws(l, jacobian, i);
    if (l->planar) {
        add_rotation(s, weight, frame + 6, position);
        return;
    }
    for (int k = 0; k < 3; k++) add_rotation(s + k, weight, frame + 3 * (size_t)k, position);
}

/* Adds the integrands of one quadrature point. */
static void add_point(const chain *c, const dof_layout *l, const chain_point *w, double weight,
                      screw *jacobian)
{
    double f = w->u / c->length[w->element];
    if (c->kind == ELEMENT_CLOTHOID) {
        add_curvature(l, jacobian, w->element, weight * (1 - f), w->frame, w->position);
        add_curvature(l, jacobian, w->element + 1, weight * f, w->frame, w->position);
    } else if (c->kind == ELEMENT_HELIX) {
        add_curvature(l, jacobian, w->element, weight, w->frame, w->position);
    }
    if (!l->lengths) return;
    screw *s = length_screw(c, l, jacobian, w->element);
    double kappa[3], axis[3];
    curvature_here(c, w, kappa);
    m3_apply(axis, w->frame, kappa);
    add_rotation(s, weight, axis, w->position);
    v3_axpy(s->b, weight, w->frame);
}

static void base_screws(const chain *c, const dof_layout *l, screw *jacobian)
{
    if (!l->base) return;
    if (l->planar) {
        v3_copy(jacobian[0].b, l->plane);
        v3_copy(jacobian[1].b, l->plane + 3);
        add_rotation(&jacobian[2], 1, l->plane + 6, c->position);
        return;
    }
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2};
        jacobian[k].b[k] = 1;
        add_rotation(&jacobian[3 + k], 1, axis, c->position);
    }
}

/* ---- advancing -------------------------------------------------------------------------------- */

/* The length over which joint e rotates: half a bar at the base, half of both bars elsewhere. */
static double joint_length(const chain *c, int e)
{
    return 0.5 * ((e > 0 ? c->length[e - 1] : 0) + c->length[e]);
}

/* The left Jacobian of the exponential: exp[w + δ] = exp[J δ] exp[w], with θ = |w|,
 *     J = I + (1 − cos θ)/θ² [w] + (θ − sin θ)/θ³ [w]²   [Barfoot, State Estimation for Robotics, sec. 7.1] */
static void left_jacobian(double j[9], const double w[3])
{
    double x = v3_norm(w), x2 = x * x;
    double a = x < 1e-3 ? 0.5 - x2 / 24 : (1 - cos(x)) / x2;
    double b = x < 1e-3 ? 1.0 / 6 - x2 / 120 : (x - sin(x)) / (x2 * x);
    for (int i = 0; i < 3; i++) {
        double e[3] = {i == 0, i == 1, i == 2}, once[3], twice[3];
        v3_cross(once, w, e);
        v3_cross(twice, w, once);
        for (int k = 0; k < 3; k++) j[3 * i + k] = e[k] + a * once[k] + b * twice[k];
    }
}

/* Bars: rotation at the joint before the current element. */
static void rotate_joint(const chain *c, const dof_layout *l, chain_point *w, screw *jacobian)
{
    if (c->kind != ELEMENT_SEGMENT) return;
    double rotation[3], j[9], m[9], length = joint_length(c, w->element);
    v3_scale(rotation, length, c->kappa + 3 * (size_t)w->element);
    if (jacobian) {
        left_jacobian(j, rotation);
        m3_multiply(m, w->frame, j);
        add_curvature(l, jacobian, w->element, length, m, w->position);
    }
    cord__rotation_exp(m, rotation);
    m3_multiply(w->frame, w->frame, m);
}

void cord__chain_start(const chain *c, const dof_layout *l, chain_point *w, screw *jacobian)
{
    w->element = 0;
    w->u = 0;
    v3_copy(w->position, c->position);
    memcpy(w->frame, c->frame, sizeof w->frame);
    if (jacobian) {
        memset(jacobian, 0, sizeof *jacobian * (size_t)dof_count(l, c));
        base_screws(c, l, jacobian);
    }
    rotate_joint(c, l, w, jacobian);
}

static void advance(const curvature *k, chain_point *w, double h)
{
    curvature here = *k;
    double r[3];
    curvature_at(k, w->u, here.start);
    cord__darboux_at(&here, h, w->frame, w->frame, r);
    v3_add(w->position, w->position, r);
    w->u += h;
}

/* Gauss–Legendre rules on [0, 1]. */
typedef struct quadrature {
    int count;
    double at[5], weight[5];
} quadrature;

static const quadrature two_points = {2, {0.21132486540518713, 0.78867513459481287}, {0.5, 0.5}};
static const quadrature five_points = {
    5,
    {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332},
    {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
     0.11846344252809454}};

/* Advances by h within one element and adds the integrals to the Jacobian. Over half a radian five
 * points are accurate to 1e-12, over a tenth two to 1e-7, which suffices for Gauss–Newton
 * directions. */
static void advance_summing(const chain *c, const dof_layout *l, const curvature *k, chain_point *w,
                            const quadrature *q, double h, screw *jacobian)
{
    double from = w->u;
    for (int i = 0; i < q->count; i++) {
        advance(k, w, q->at[i] * h - (w->u - from));
        add_point(c, l, w, q->weight[i] * h, jacobian);
    }
    advance(k, w, h - (w->u - from));
    w->u = from + h;
}

static void advance_within(const chain *c, const dof_layout *l, chain_point *w, double h,
                           screw *jacobian)
{
    curvature k = element_curvature(c, w->element);
    if (!jacobian) {
        advance(&k, w, h);
        return;
    }
    double first[3], last[3];
    curvature_at(&k, w->u, first);
    curvature_at(&k, w->u + h, last);
    double most = fmax(v3_norm(first), v3_norm(last));
    double parts = fmin(1 + floor(2 * most * h), 10000); /* a bound for diverging iterates */
    const quadrature *q = most * h < 0.1 ? &two_points : &five_points;
    for (int p = 0; p < (int)parts; p++) advance_summing(c, l, &k, w, q, h / parts, jacobian);
}

void cord__chain_advance(const chain *c, const dof_layout *l, chain_point *w, double distance,
                         screw *jacobian)
{
    while (distance > 0) {
        double left = c->length[w->element] - w->u;
        bool last = w->element == c->elements - 1;
        if (distance <= left || last) {
            double h = fmin(distance, fmax(left, 0));
            if (h > 0) advance_within(c, l, w, h, jacobian);
            return;
        }
        if (left > 0) advance_within(c, l, w, left, jacobian);
        distance -= left;
        w->element++;
        w->u = 0;
        cord__rotation_orthonormalise(w->frame);
        rotate_joint(c, l, w, jacobian);
    }
}

void cord__chain_advance_to_end(const chain *c, const dof_layout *l, chain_point *w,
                                screw *jacobian)
{
    cord__chain_advance(c, l, w, 2 * cord__chain_length(c), jacobian);
}

/* ---- updating a chain ------------------------------------------------------------------------- */

static void update_base(const chain *from, const dof_layout *l, const double *step, chain *to)
{
    v3_copy(to->position, from->position);
    memcpy(to->frame, from->frame, sizeof to->frame);
    if (!l->base) return;
    double rotation[3], m[9];
    if (l->planar) {
        v3_axpy(to->position, step[0], l->plane);
        v3_axpy(to->position, step[1], l->plane + 3);
        v3_scale(rotation, step[2], l->plane + 6);
    } else {
        v3_add(to->position, to->position, step);
        v3_copy(rotation, step + 3);
    }
    cord__rotation_exp(m, rotation);
    m3_multiply(to->frame, m, from->frame);
    cord__rotation_orthonormalise(to->frame);
}

void cord__chain_update(const chain *from, const dof_layout *l, const double *step, chain *to)
{
    update_base(from, l, step, to);
    step += base_dofs(l);
    int count = curvature_count(from->kind, from->elements);
    for (int i = 0; i < 3 * count; i++) {
        bool is_free = !l->planar || i % 3 == 2;
        to->kappa[i] = from->kappa[i] + (is_free ? *step++ : 0);
    }
    for (int e = 0; e < from->elements; e++) {
        to->length[e] = from->length[e] * (l->lengths ? exp(*step++) : 1);
    }
    if (!l->lengths || from->kind != ELEMENT_SEGMENT) return;
    for (int e = 0; e < from->elements;
         e++) { /* the Jacobian of a bar length keeps the joint angles */
        v3_scale(to->kappa + 3 * (size_t)e, joint_length(from, e) / joint_length(to, e),
                 to->kappa + 3 * (size_t)e);
    }
}

/* ---- nearest point ---------------------------------------------------------------------------- */

double cord__chain_nearest(const chain *c, const chain_point *from, const double x[3], double guess,
                           double reach)
{
    const dof_layout none = {0};
    double distance = fmax(guess, 0);
    for (int k = 0; k < 12; k++) {
        chain_point w = *from;
        double d[3], kappa[3], normal[3];
        cord__chain_advance(c, &none, &w, distance, NULL);
        v3_sub(d, x, w.position);
        curvature_here(c, &w, kappa);
        v3_combine(normal, kappa[2], w.frame + 3, -kappa[1], w.frame + 6); /* t' = κ₂m₁ − κ₁m₂ */
        double derivative = fmax(1 - v3_dot(normal, d), 0.25);
        double move = fmin(fmax(v3_dot(w.frame, d) / derivative, -reach), reach);
        double next = fmax(distance + move, 0);
        bool done = fabs(next - distance) < 1e-8 * reach;
        distance = next;
        if (done) break;
    }
    return distance;
}
