#include "curve/fit_walk.h"
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

static curvature of_element(const chain *c, int e)
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

/* κ at the walker, in its frame; zero on a straight element. */
static void walk_curvature(const chain *c, const walker *w, double kappa[3])
{
    curvature k = of_element(c, w->element);
    curvature_at(&k, w->u, kappa);
}

/* ---- columns -------------------------------------------------------------------------------- */

/* A rotation rate about an axis through the walker's place. */
static void add_turn(screw *s, double weight, const double *axis, const double *place)
{
    double moment[3];
    v3_cross(moment, place, axis);
    v3_axpy(s->a, weight, axis);
    v3_axpy(s->b, weight, moment);
}

static screw *curvature_screws(const dof_layout *l, screw *columns, int i)
{
    return columns + base_columns(l) + (l->planar ? 1 : 3) * (size_t)i;
}

static screw *length_screw(const chain *c, const dof_layout *l, screw *columns, int e)
{
    return columns + base_columns(l) + curvature_columns(l, c) + e;
}

/* A change of curvature vector i, spread with `weight` at a place with this frame. */
static void add_curvature(const dof_layout *l, screw *columns, int i, double weight,
                          const double *frame, const double *place)
{
    screw *s = curvature_screws(l, columns, i);
    if (l->planar) {
        add_turn(s, weight, frame + 6, place);
        return;
    }
    for (int k = 0; k < 3; k++) add_turn(s + k, weight, frame + 3 * (size_t)k, place);
}

/* What one quadrature point contributes. */
static void add_point(const chain *c, const dof_layout *l, const walker *w, double weight,
                      screw *columns)
{
    double f = w->u / c->length[w->element];
    if (c->kind == ELEMENT_CLOTHOID) {
        add_curvature(l, columns, w->element, weight * (1 - f), w->frame, w->place);
        add_curvature(l, columns, w->element + 1, weight * f, w->frame, w->place);
    } else if (c->kind == ELEMENT_HELIX) {
        add_curvature(l, columns, w->element, weight, w->frame, w->place);
    }
    if (!l->lengths) return;
    screw *s = length_screw(c, l, columns, w->element);
    double kappa[3], axis[3];
    walk_curvature(c, w, kappa);
    m3_apply(axis, w->frame, kappa);
    add_turn(s, weight, axis, w->place);
    v3_axpy(s->b, weight, w->frame);
}

static void base_screws(const chain *c, const dof_layout *l, screw *columns)
{
    if (!l->base) return;
    if (l->planar) {
        v3_copy(columns[0].b, l->plane);
        v3_copy(columns[1].b, l->plane + 3);
        add_turn(&columns[2], 1, l->plane + 6, c->place);
        return;
    }
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2};
        columns[k].b[k] = 1;
        add_turn(&columns[3 + k], 1, axis, c->place);
    }
}

/* ---- walking -------------------------------------------------------------------------------- */

/* How far joint e turns: half a bar at the base, half of both bars elsewhere. */
static double joint_length(const chain *c, int e)
{
    return 0.5 * ((e > 0 ? c->length[e - 1] : 0) + c->length[e]);
}

/* The left Jacobian of the exponential: exp[w + δ] = exp[J δ] exp[w]. */
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

/* Bars: turn at the joint before element e. */
static void turn_joint(const chain *c, const dof_layout *l, walker *w, screw *columns)
{
    if (c->kind != ELEMENT_SEGMENT) return;
    double turn[3], j[9], m[9], length = joint_length(c, w->element);
    v3_scale(turn, length, c->kappa + 3 * (size_t)w->element);
    if (columns) {
        left_jacobian(j, turn);
        m3_multiply(m, w->frame, j);
        add_curvature(l, columns, w->element, length, m, w->place);
    }
    cord__rotation_exp(m, turn);
    m3_multiply(w->frame, w->frame, m);
}

void cord__walk_begin(const chain *c, const dof_layout *l, walker *w, screw *columns)
{
    w->element = 0;
    w->u = 0;
    v3_copy(w->place, c->place);
    memcpy(w->frame, c->frame, sizeof w->frame);
    if (columns) {
        memset(columns, 0, sizeof *columns * (size_t)column_count(l, c));
        base_screws(c, l, columns);
    }
    turn_joint(c, l, w, columns);
}

static void go(const curvature *k, walker *w, double h)
{
    curvature here = *k;
    double r[3];
    curvature_at(k, w->u, here.start);
    cord__darboux_at(&here, h, w->frame, w->frame, r);
    v3_add(w->place, w->place, r);
    w->u += h;
}

/* Gauss and Legendre's points on [0, 1]. */
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

/* By h inside one element, summing columns. Over half a radian five points are right to 1e-12, over a
 * tenth two to 1e-7, which is enough for directions to go. */
static void go_summing(const chain *c, const dof_layout *l, const curvature *k, walker *w,
                       const quadrature *q, double h, screw *columns)
{
    double from = w->u;
    for (int i = 0; i < q->count; i++) {
        go(k, w, q->at[i] * h - (w->u - from));
        add_point(c, l, w, q->weight[i] * h, columns);
    }
    go(k, w, h - (w->u - from));
    w->u = from + h;
}

static void go_inside(const chain *c, const dof_layout *l, walker *w, double h, screw *columns)
{
    curvature k = of_element(c, w->element);
    if (!columns) {
        go(&k, w, h);
        return;
    }
    double first[3], last[3];
    curvature_at(&k, w->u, first);
    curvature_at(&k, w->u + h, last);
    double most = fmax(v3_norm(first), v3_norm(last));
    double parts = fmin(1 + floor(2 * most * h), 10000); /* beyond that it is no curve to fit */
    const quadrature *q = most * h < 0.1 ? &two_points : &five_points;
    for (int p = 0; p < (int)parts; p++) go_summing(c, l, &k, w, q, h / parts, columns);
}

void cord__walk(const chain *c, const dof_layout *l, walker *w, double distance, screw *columns)
{
    while (distance > 0) {
        double left = c->length[w->element] - w->u;
        bool last = w->element == c->elements - 1;
        if (distance <= left || last) {
            double h = fmin(distance, fmax(left, 0));
            if (h > 0) go_inside(c, l, w, h, columns);
            return;
        }
        if (left > 0) go_inside(c, l, w, left, columns);
        distance -= left;
        w->element++;
        w->u = 0;
        cord__rotation_orthonormalise(w->frame);
        turn_joint(c, l, w, columns);
    }
}

void cord__walk_to_end(const chain *c, const dof_layout *l, walker *w, screw *columns)
{
    cord__walk(c, l, w, 2 * cord__chain_length(c), columns);
}

/* ---- moving a chain ------------------------------------------------------------------------- */

static void move_base(const chain *from, const dof_layout *l, const double *step, chain *to)
{
    v3_copy(to->place, from->place);
    memcpy(to->frame, from->frame, sizeof to->frame);
    if (!l->base) return;
    double turn[3], m[9];
    if (l->planar) {
        v3_axpy(to->place, step[0], l->plane);
        v3_axpy(to->place, step[1], l->plane + 3);
        v3_scale(turn, step[2], l->plane + 6);
    } else {
        v3_add(to->place, to->place, step);
        v3_copy(turn, step + 3);
    }
    cord__rotation_exp(m, turn);
    m3_multiply(to->frame, m, from->frame);
    cord__rotation_orthonormalise(to->frame);
}

void cord__chain_move(const chain *from, const dof_layout *l, const double *step, chain *to)
{
    move_base(from, l, step, to);
    step += base_columns(l);
    int count = curvature_count(from->kind, from->elements);
    for (int i = 0; i < 3 * count; i++) {
        bool moves = !l->planar || i % 3 == 2;
        to->kappa[i] = from->kappa[i] + (moves ? *step++ : 0);
    }
    for (int e = 0; e < from->elements; e++) {
        to->length[e] = from->length[e] * (l->lengths ? exp(*step++) : 1);
    }
    if (!l->lengths || from->kind != ELEMENT_SEGMENT) return;
    for (int e = 0; e < from->elements; e++) { /* columns of bars' lengths keep the angles */
        v3_scale(to->kappa + 3 * (size_t)e, joint_length(from, e) / joint_length(to, e),
                 to->kappa + 3 * (size_t)e);
    }
}

/* ---- nearest place -------------------------------------------------------------------------- */

double cord__nearest_place(const chain *c, const walker *from, const double x[3], double guess,
                           double reach)
{
    const dof_layout none = {0};
    double distance = fmax(guess, 0);
    for (int k = 0; k < 12; k++) {
        walker w = *from;
        double d[3], kappa[3], normal[3];
        cord__walk(c, &none, &w, distance, NULL);
        v3_sub(d, x, w.place);
        walk_curvature(c, &w, kappa);
        v3_combine(normal, kappa[2], w.frame + 3, -kappa[1], w.frame + 6); /* t' = κ₂m₁ − κ₁m₂ */
        double slope = fmax(1 - v3_dot(normal, d), 0.25);
        double move = fmin(fmax(v3_dot(w.frame, d) / slope, -reach), reach);
        double next = fmax(distance + move, 0);
        bool done = fabs(next - distance) < 1e-8 * reach;
        distance = next;
        if (done) break;
    }
    return distance;
}
