/* Pearls: a point that slides and carries a mass, at x(q, s). Its inertia is not constant in its columns,
 * so its place is one of the places that the integrators' formulas act on (block_shape.places of its
 * slider), and its equations have
 *
 *     r += m Jᵀ(ẍ − g),     A += c_a m JᵀJ + c_k m (ẍ − g)·∂J/∂q,     J = ∂x/∂(q, s).
 *
 * They come as a constraint without rows, since a constraint knows the columns of both blocks. */
#include "math/vec3.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

static void no_rows(const constraint_params *p, const pose *first, const pose *second,
                    constraint_value *out)
{
    (void)p, (void)first, (void)second, (void)out;
}

const constraint_ops cord__pearl = {
    .name = "pearl", .needs = {NEEDS_POSITION, 0}, .evaluate = no_rows};

static bool carries(const problem *w, const constraint *r)
{
    return r->ops == &cord__pearl && !w->point[r->point[0]]->released;
}

static int place_of(const problem *w, const constraint *r)
{
    return w->block[w->point[r->point[0]]->slider_block]->inertial0;
}

/* ---- places ------------------------------------------------------------------------------------ */

void cord__inertial_coordinates(const problem *w, const island *s, const double *q,
                                const double *cache, double *x)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->inertial)
            b->ops->inertial->coordinates(b->model, q + b->q0, cache + b->cache0, x + b->inertial0);
    }
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        pose at;
        if (!carries(w, r)) continue;
        cord__sliding_part(w, r, 0, q, cache, &at);
        v3_copy(x + place_of(w, r), at.position);
    }
}

void cord__inertial_rates(const problem *w, const island *s, const double *cache, const double *v,
                          double *rate)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->inertial)
            b->ops->inertial->rates(b->model, cache + b->cache0, v + b->v0, rate + b->inertial0);
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (!carries(w, r)) continue;
        double *own = rate + place_of(w, r);
        v3_set(own, 0, 0, 0);
        for (int c = 0; c < r->dofs; c++) v3_axpy(own, v[r->dof[c]], r->jacobians + 3 * c);
    }
}

void cord__inertial_momenta(const problem *w, const island *s, const double *cache,
                            const double *rate, double *momentum)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->inertial)
            b->ops->inertial->momenta(b->model, cache + b->cache0, rate + b->inertial0,
                                      momentum + b->v0);
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (!carries(w, r)) continue;
        for (int c = 0; c < r->dofs; c++)
            momentum[r->dof[c]] +=
                w->point[r->point[0]]->mass * v3_dot(rate + place_of(w, r), r->jacobians + 3 * c);
    }
}

/* ---- equations --------------------------------------------------------------------------------- */

/* Of a column's scale: a coordinate that moves by less needs no correction, whose force would be all
 * rounding. What is left out is the square of it. */
static const double STILL = 1e-7;

/* `midpoint`: the work of the force over the step is that over the way from place to place; J half way
 * misses it by what x is curved. A chain takes the rest; where the place is linear in the columns of
 * what carries it, all comes from sliding, and is the slider's; a body moves on as it does. */
static void add_lacking_work(problem *w, const constraint *r, const point *p, const stage *t,
                             const double force[3])
{
    const block *b = w->block[p->block], *own = w->block[p->slider_block];
    double missed[3], square = 0, slid = w->d[own->v0];
    v3_sub(missed, w->inertial_x + own->inertial0, w->inertial_x0 + own->inertial0);
    for (int c = 0; c < r->dofs; c++) {
        double d = w->d[r->dof[c]];
        v3_axpy(missed, -d, r->jacobians + 3 * c);
        square += d * d;
    }
    double work = -v3_dot(force, missed);
    if (BLOCK_HAS(b, midpoint, correct_energy))
        b->ops->midpoint->correct_energy(b->model, w->d + b->v0, t->c_a, work, w->r + b->v0);
    else if (!p->path || b == own)
        w->r[own->v0] += fabs(slid) > STILL * own->scale[0] ? work / slid : 0;
    else if (v3_dot(missed, missed) < 0.01 * square)
        for (int c = 0; c < r->dofs; c++) w->r[r->dof[c]] += work / square * w->d[r->dof[c]];
}

/* K = c_a m JᵀJ, row ≤ column, less what the force does as the point slides; the rest is in the matrix of
 * what carries it. */
static void stiffen(problem *w, const island *s, const stage *t, constraint *r, const point *p,
                    const double force[3])
{
    const block *b = w->block[p->block];
    local_matrix local = cord__local_matrix(s, b);
    double inertia = (t->c_a + t->metric) * p->mass;
    int last = r->dofs - 1;
    for (int i = 0; i <= last; i++) {
        double u[3], *K = r->K + i * r->dofs;
        v3_scale(u, inertia, r->jacobians + 3 * i);
        if (u[0] == 0 && u[1] == 0 && u[2] == 0) /* in most cases of a neighbouring piece */
            memset(K + i, 0, (size_t)(r->dofs - i) * sizeof *K);
        else
            for (int k = i; k <= last; k++) K[k] = v3_dot(u, r->jacobians + 3 * k);
        K[last] -= t->c_k * v3_dot(force, r->sliding_rates + CONSTRAINT_SLIDING_RATES * i);
    }
    if (t->c_k != 0)
        cord__add_sliding_stiffness(w, p, t->midpoint ? w->q_half : w->trial.q, MEASURE_POSITION,
                                    force, t->c_k, &local);
}

void cord__pearl_assemble(problem *w, const island *s, const stage *t, constraint *r, bool matrix)
{
    const point *p = w->point[r->point[0]];
    double force[3] = {0, 0, 0};
    pose at;
    if (matrix && p->released) memset(r->K, 0, (size_t)(r->dofs * r->dofs) * sizeof *r->K);
    if (p->released || (t->rows_only && !matrix)) return;
    if (!t->has_inertial_coordinates)
        cord__sliding_part(w, r, 0, t->midpoint ? w->q_half : w->trial.q, w->cache, &at);
    if (!t->rows_only) {
        v3_sub(force, w->environment.gravity, w->trial.inertial_a + place_of(w, r));
        v3_scale(force, p->mass, force);
        for (int c = 0; c < r->dofs; c++) w->r[r->dof[c]] -= v3_dot(force, r->jacobians + 3 * c);
        if (t->midpoint) add_lacking_work(w, r, p, t, force);
    }
    if (matrix) stiffen(w, s, t, r, p, force);
}

/* ---- fast projection ----------------------------------------------------------------------------- */

void cord__pearls_move(problem *w, const island *s, double h)
{
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        pose at;
        if (!carries(w, r)) continue;
        int place = place_of(w, r);
        double *x = w->inertial_x + place;
        cord__sliding_part(w, r, 0, w->now.q, w->cache, &at);
        v3_copy(w->inertial_x0 + place, at.position);
        v3_copy(x, at.position);
        v3_axpy(x, h, w->now.inertial_v + place);
        v3_axpy(x, h * h, w->environment.gravity);
    }
}

/* p − x(q, s) = 0, p having the mass: as compliance, which is what its inertia is to the row. */
double cord__pearl_rows(problem *w, constraint *r, double h, row_system *x, int at)
{
    const point *p = w->point[r->point[0]];
    const double *own = w->inertial_x + place_of(w, r);
    double error = 0;
    pose on;
    cord__sliding_part(w, r, 0, w->trial.q, w->cache, &on);
    for (int i = 0; i < 3; i++) {
        double *derivative = x->entry + x->first[at + i];
        for (int c = 0; c < r->dofs; c++)
            derivative[c] = p->released ? 0 : -r->jacobians[3 * c + i];
        x->compliance[at + i] = h * h / p->mass;
        x->y[at + i] = p->released ? 0 : own[i] - on.position[i];
        error = fmax(error, fabs(x->y[at + i]));
    }
    return error / w->block[p->slider_block]->scale[0];
}

void cord__pearls_end(problem *w, const island *s, double h)
{
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (!carries(w, r)) continue;
        int place = place_of(w, r);
        for (int i = place; i < place + 3; i++)
            w->trial.inertial_v[i] = (w->inertial_x[i] - w->inertial_x0[i]) / h;
    }
}

/* ---- energy ------------------------------------------------------------------------------------ */

double cord__pearl_weight(const problem *w, const island *s, const double *q, const double *cache)
{
    double sum = 0;
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        pose at;
        if (!carries(w, r)) continue;
        cord__sliding_pose(w, w->point[r->point[0]], q, cache, &at);
        sum -= w->point[r->point[0]]->mass * v3_dot(w->environment.gravity, at.position);
    }
    return sum;
}

void cord__pearl_energy(const problem *w, const point *p, bool moving, block_energy *e)
{
    double J[3 * JACOBIAN_DOFS_MAX], derivatives[3 * JACOBIAN_DOFS_MAX], v[3];
    const block *b = w->block[p->block], *own = w->block[p->slider_block];
    sliding_jacobian j = {.J = J, .J_s = derivatives};
    *e = (block_energy){0};
    cord__sliding_jacobian(w, p, w->now.q, w->cache, &j);
    v3_scale(v, w->now.v[own->v0], j.r_s);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            v3_axpy(v, w->now.v[b->v0 + j.run[run].first + i], J + 3 * c);
    if (moving) v3_copy(v, w->now.inertial_v + own->inertial0);
    v3_scale(e->linear, p->mass, v);
    v3_cross(e->angular, j.value, e->linear);
    e->kinetic = 0.5 * v3_dot(e->linear, v);
    e->gravity = -p->mass * v3_dot(w->environment.gravity, j.value);
}
