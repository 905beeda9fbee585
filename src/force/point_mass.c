/* A point mass m on a sliding point, at x(q, s) (a pearl). Its inertia is not constant in the degrees of freedom, so x is
 * one of the inertial coordinates that the formulas of the integrators act on (block_shape.inertial_count of its slider),
 * and with J = ∂x/∂(q, s)
 *
 *     r += m Jᵀ(ẍ − g),     A += c_a m JᵀJ + c_k m (ẍ − g)·∂J/∂q. */
#include "force/point_mass.h"

#include "math/vec3.h"
#include "solve/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const point *point_of(const problem *w, const term *x)
{
    return w->point[x->point[0]];
}

/* The index of x among the inertial coordinates. */
static int inertial_index(const problem *w, const term *x)
{
    return w->block[point_of(w, x)->slider_block]->inertial0;
}

static bool acts(const problem *w, const term *x)
{
    return !point_of(w, x)->released;
}

/* ---- inertial coordinates ------------------------------------------------------------------------ */

static void coordinates(const problem *w, force_term *f, const double *q, const double *cache,
                        double *x)
{
    pose at;
    if (!acts(w, &f->term)) return;
    cord__sliding_part(w, &f->term, 0, q, cache, &at);
    v3_copy(x + inertial_index(w, &f->term), at.position);
}

static void rates(const problem *w, const force_term *f, const double *v, double *rate)
{
    const term *x = &f->term;
    if (!acts(w, x)) return;
    double *out = rate + inertial_index(w, x);
    v3_set(out, 0, 0, 0);
    for (int c = 0; c < x->dofs; c++) v3_axpy(out, v[x->dof[c]], x->jacobians + 3 * c);
}

static void momenta(const problem *w, const force_term *f, const double *rate, double *momentum)
{
    const term *x = &f->term;
    if (!acts(w, x)) return;
    for (int c = 0; c < x->dofs; c++)
        momentum[x->dof[c]] +=
            point_of(w, x)->mass * v3_dot(rate + inertial_index(w, x), x->jacobians + 3 * c);
}

/* ---- equations --------------------------------------------------------------------------------- */

/* Relative to the scale of a coordinate: a smaller increment needs no correction, whose force would be round-off
 * only. The error is of second order in it. */
static const double STILL = 1e-7;

/* `midpoint`: the work of the force over the step is f·(x₁ − x₀); with J at the midpoint it is f·J d, and the error
 * is f·(x₁ − x₀ − J d). A chain has an energy correction for it; where x is linear in the dofs of the strand, all of
 * the error comes from sliding and is corrected by a force on the coordinate; on a body, by a force along the
 * motion. */
static void correct_energy(problem *w, const term *x, const point *p, const stage *t,
                           const double f[3])
{
    const block *b = w->block[p->block], *coordinate = w->block[p->slider_block];
    double missed[3], square = 0, slid = w->d[coordinate->v0];
    v3_sub(missed, w->inertial_x + coordinate->inertial0, w->inertial_x0 + coordinate->inertial0);
    for (int c = 0; c < x->dofs; c++) {
        double d = w->d[x->dof[c]];
        v3_axpy(missed, -d, x->jacobians + 3 * c);
        square += d * d;
    }
    double work = -v3_dot(f, missed);
    if (BLOCK_HAS(b, midpoint, correct_energy))
        b->ops->midpoint->correct_energy(b->model, w->d + b->v0, t->c_a, work, w->r + b->v0);
    else if (!p->path || b == coordinate)
        w->r[coordinate->v0] += fabs(slid) > STILL * coordinate->scale[0] ? work / slid : 0;
    else if (v3_dot(missed, missed) < 0.01 * square)
        for (int c = 0; c < x->dofs; c++) w->r[x->dof[c]] += work / square * w->d[x->dof[c]];
}

/* K = (c_a m JᵀJ, row ≤ column) − c_k f·∂J/∂s; f·∂J/∂q is in the matrix of the block. */
static void set_matrix(problem *w, const stage *t, const term *x, const point *p, const double f[3])
{
    const block *b = w->block[p->block];
    local_matrix local = b->matrix;
    double inertia = (t->c_a + t->metric) * p->mass;
    int last = x->dofs - 1;
    for (int i = 0; i <= last; i++) {
        double u[3], *K = x->K + i * x->dofs;
        v3_scale(u, inertia, x->jacobians + 3 * i);
        if (u[0] == 0 && u[1] == 0 && u[2] == 0) /* in most cases a dof of a neighbouring element */
            memset(K + i, 0, (size_t)(x->dofs - i) * sizeof *K);
        else
            for (int k = i; k <= last; k++) K[k] = v3_dot(u, x->jacobians + 3 * k);
        K[last] -= t->c_k * v3_dot(f, x->sliding_rates + SLIDING_RATES * i);
    }
    if (t->c_k != 0)
        cord__add_sliding_stiffness(w, p, t->midpoint ? w->q_half : w->trial.q, MEASURE_POSITION, f,
                                    t->c_k, &local);
}

/* In a fast projection the mass moves independently, and rows constrain it to the strand: its force terms are
 * omitted then. */
static void assemble(problem *w, cluster *s, const stage *t, term *x, bool matrix)
{
    const point *p = point_of(w, x);
    double f[3] = {0, 0, 0};
    pose at;
    if (t->rowless) return;
    if (matrix && p->released) memset(x->K, 0, (size_t)(x->dofs * x->dofs) * sizeof *x->K);
    if (!p->released && (!t->rows_only || matrix)) {
        if (!t->has_inertial_coordinates)
            cord__sliding_part(w, x, 0, t->midpoint ? w->q_half : w->trial.q, w->cache, &at);
        if (!t->rows_only) {
            cord__gravity(w, t->force_time, f);
            v3_sub(f, f, w->trial.inertial_a + inertial_index(w, x));
            v3_scale(f, p->mass, f);
            for (int c = 0; c < x->dofs; c++) w->r[x->dof[c]] -= v3_dot(f, x->jacobians + 3 * c);
            if (t->midpoint) correct_energy(w, x, p, t, f);
        }
        if (matrix) set_matrix(w, t, x, p, f);
    }
    if (matrix) cord__add_force_matrix(s, t, x);
}

/* ---- fast projection ----------------------------------------------------------------------------- */

/* x₁ = x₀ + h v + h² g. */
static void predict(problem *w, force_term *f, double h)
{
    pose at;
    if (!acts(w, &f->term)) return;
    int i = inertial_index(w, &f->term);
    double *x = w->inertial_x + i;
    cord__sliding_part(w, &f->term, 0, w->now.q, w->cache, &at);
    v3_copy(w->inertial_x0 + i, at.position);
    v3_copy(x, at.position);
    v3_axpy(x, h, w->now.inertial_v + i);
    v3_axpy(x, h * h, w->environment.gravity);
}

static int projected_multiplier(const problem *w, const term *x, int row)
{
    return -1 - inertial_index(w, x) - row;
}

/* p − x(q, s) = 0, p being the position of the mass: its inertia is a compliance h²/m of the row. */
static double project(problem *w, cluster *s, const stage *t, term *x, row_system *to, int at)
{
    const point *p = point_of(w, x);
    const double *free_position = w->inertial_x + inertial_index(w, x), h = 1 / t->c_v;
    double error = 0;
    pose on;
    (void)s;
    cord__sliding_part(w, x, 0, w->trial.q, w->cache, &on);
    for (int i = 0; i < 3; i++) {
        double *derivative = to->entry + to->first[at + i];
        for (int c = 0; c < x->dofs; c++)
            derivative[c] = p->released ? 0 : -x->jacobians[3 * c + i];
        to->compliance[at + i] = h * h / p->mass;
        to->y[at + i] = p->released ? 0 : free_position[i] - on.position[i];
        error = fmax(error, fabs(to->y[at + i]));
    }
    return error / w->block[p->slider_block]->scale[0];
}

static void end_projection(problem *w, const force_term *f, double h)
{
    if (!acts(w, &f->term)) return;
    int first = inertial_index(w, &f->term);
    for (int i = first; i < first + 3; i++)
        w->trial.inertial_v[i] = (w->inertial_x[i] - w->inertial_x0[i]) / h;
}

/* ---- energy ------------------------------------------------------------------------------------ */

static double potential(const problem *w, const force_term *f, const double *q, const double *cache)
{
    pose at;
    const point *p = point_of(w, &f->term);
    if (p->released) return 0;
    cord__sliding_pose(w, p, q, cache, &at);
    return -(p->mass * v3_dot(w->environment.gravity, at.position));
}

static void energy(const problem *w, const force_term *f, bool moving, block_energy *e)
{
    const point *p = point_of(w, &f->term);
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX], v[3];
    const block *b = w->block[p->block], *coordinate = w->block[p->slider_block];
    sliding_jacobian j = {.J = J, .J_s = J_s};
    *e = (block_energy){0};
    if (p->released) return;
    cord__sliding_jacobian(w, p, w->now.q, w->cache, &j);
    v3_scale(v, w->now.v[coordinate->v0], j.r_s);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            v3_axpy(v, w->now.v[b->v0 + j.run[run].first + i], J + 3 * c);
    if (moving) v3_copy(v, w->now.inertial_v + coordinate->inertial0);
    v3_scale(e->linear, p->mass, v);
    v3_cross(e->angular, j.value, e->linear);
    e->kinetic = 0.5 * v3_dot(e->linear, v);
    e->gravity = -p->mass * v3_dot(w->environment.gravity, j.value);
}

static bool supported(const problem *w, const force_term *f, char *why, size_t size)
{
    bool one_solve = w->integrator->keeps_acceleration && w->scheme->no_sliding_masses;
    if (!one_solve || !acts(w, &f->term)) return true;
    snprintf(why, size,
             "the semi-implicit schemes know no inertia of points that slide; use another, or a "
             "body at the point");
    return false;
}

const force_ops cord__point_mass = {.term = {.name = "point mass",
                                             .assemble = assemble,
                                             .acts = acts,
                                             .projected_multiplier = projected_multiplier,
                                             .project = project},
                                    .potential = potential,
                                    .inertial_coordinates = coordinates,
                                    .inertial_rates = rates,
                                    .inertial_momenta = momenta,
                                    .predict = predict,
                                    .end_projection = end_projection,
                                    .energy = energy,
                                    .supported = supported};
