/* Inertial coordinates x(q): point masses of blocks, and of forces, that the formulas of the integrators act on. */
#include "solve/problem.h"

#include <string.h>

void cord__inertial_coordinates(const problem *w, const cluster *s, const double *q,
                                const double *cache, double *x)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->inertial)
            b->ops->inertial->coordinates(b->model, q + b->q0, cache + b->cache0, x + b->inertial0);
    }
    for (int k = 0; k < s->forces; k++) {
        force_term *f = w->force[s->force[k]];
        if (f->ops->inertial_coordinates) f->ops->inertial_coordinates(w, f, q, cache, x);
    }
}

void cord__inertial_rates(const problem *w, const cluster *s, const double *cache, const double *v,
                          double *rate)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->inertial)
            b->ops->inertial->rates(b->model, cache + b->cache0, v + b->v0, rate + b->inertial0);
    }
    for (int k = 0; k < s->forces; k++) {
        const force_term *f = w->force[s->force[k]];
        if (f->ops->inertial_rates) f->ops->inertial_rates(w, f, v, rate);
    }
}

void cord__inertial_momenta(const problem *w, const cluster *s, const double *cache,
                            const double *rate, double *momentum)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->ops->inertial)
            b->ops->inertial->momenta(b->model, cache + b->cache0, rate + b->inertial0,
                                      momentum + b->v0);
    }
    for (int k = 0; k < s->forces; k++) {
        const force_term *f = w->force[s->force[k]];
        if (f->ops->inertial_momenta) f->ops->inertial_momenta(w, f, rate, momentum);
    }
}

static bool balances(const block *b)
{
    return BLOCK_HAS(b, inertial, velocity);
}

static bool rotates(const problem *w, const block *b, double h)
{
    return balances(b) && b->ops->inertial->rotates(b->model, w->now.v + b->v0, h);
}

/* J M⁻¹ Jᵀ m ẍ: the acceleration by forces. */
static void acceleration_by_forces(const problem *w, const block *b, const double *x,
                                   const double *x_a, double *y_a)
{
    const inertial_ops *by = b->ops->inertial;
    const double *cache = w->cache + b->cache0;
    double force[BODY_DOFS] = {0}, a[BODY_DOFS];
    by->momenta(b->model, cache, x_a + b->inertial0, force);
    by->velocity(b->model, x + b->inertial0, force, a);
    by->rates(b->model, cache, a, y_a);
}

static void begin_free_motion(problem *w, const block *b)
{
    memcpy(w->free_q + b->q0, w->now.q + b->q0, (size_t)b->shape.q_count * sizeof *w->free_q);
    memcpy(w->free_v + b->v0, w->now.v + b->v0, (size_t)b->shape.dofs * sizeof *w->free_v);
    memset(w->free_d + b->v0, 0, (size_t)b->shape.dofs * sizeof *w->free_d);
}

/* The trial moves by d, except for prescribed dofs; its velocity is replaced by the deviation v − v_f before, which
 * cord__predict() adds. */
static void move_freely(problem *w, const block *b, double *d)
{
    for (int c = 0; c < b->shape.dofs; c++) {
        if (b->prescribed[c]) d[c] = 0;
        w->d[b->v0 + c] += d[c];
    }
    b->ops->retract(b->model, w->trial.q + b->q0, d);
}

static void follow(problem *w, const block *b, const stage *t, const predictor *f, double before,
                   double duration)
{
    const inertial_ops *by = b->ops->inertial;
    double *q = w->free_q + b->q0, *v = w->free_v + b->v0, d[BODY_DOFS];
    double x[BODY_INERTIAL], x_v[BODY_INERTIAL], x_a[BODY_INERTIAL], y_a[BODY_INERTIAL] = {0};
    const bool one_stage = f->a_a == 0 && f->a_stage == 0;
    if (before == 0) begin_free_motion(w, b);
    if (f->a_a != 0) acceleration_by_forces(w, b, w->inertial_x0, w->now.inertial_a, y_a);
    by->free_motion(b->model, 0, q, v, d, x, x_v, x_a);
    for (int c = 0, at = b->inertial0; c < b->shape.inertial_count; c++, at++) {
        const double y = w->inertial_x[at] - x[c], y_v = w->trial.inertial_v[at] - x_v[c];
        const double y_v0 = one_stage ? y_v : 0; /* other steps end with ẋ = J v */
        w->inertial_v_predictor[at] = f->v_d * y + f->v_v * y_v0;
        w->inertial_a_predictor[at] =
            f->a_d * y + f->a_v * y_v0 + f->a_a * y_a[c] + f->a_stage * y_v;
    }
    for (int c = 0, at = b->v0; c < b->shape.dofs; c++, at++) {
        w->v_predictor[at] = f->v_d * (w->d[at] - w->free_d[at]);
        w->trial.v[at] -= v[c];
    }
    by->free_motion(b->model, duration, q, v, d, x, x_v, x_a);
    for (int c = 0, at = b->inertial0; c < b->shape.inertial_count; c++, at++) {
        double x_d = x[c] - w->inertial_x0[at];
        w->inertial_v_predictor[at] += x_v[c] - t->c_v * x_d;
        w->inertial_a_predictor[at] += x_a[c] - t->c_a * x_d;
    }
    for (int c = 0, at = b->v0; c < b->shape.dofs; c++, at++) {
        w->free_d[at] += d[c];
        w->v_predictor[at] += v[c] - t->c_v * w->free_d[at];
    }
    move_freely(w, b, d);
}

void cord__follow_free_motion(problem *w, const cluster *s, const stage *t, const predictor *f,
                              double h, double before, double duration)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (rotates(w, b, h)) follow(w, b, t, f, before, duration);
    }
}

void cord__start_free_motion(problem *w, const cluster *s, double h)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double x[BODY_INERTIAL], x_v[BODY_INERTIAL], x_a[BODY_INERTIAL], y_a[BODY_INERTIAL];
        if (!rotates(w, b, h)) continue;
        begin_free_motion(w, b);
        b->ops->inertial->free_motion(b->model, 0, w->free_q + b->q0, w->free_v + b->v0,
                                      w->free_d + b->v0, x, x_v, x_a);
        acceleration_by_forces(w, b, w->inertial_x, w->trial.inertial_a, y_a);
        for (int c = 0; c < b->shape.inertial_count; c++)
            w->now.inertial_a[b->inertial0 + c] = x_a[c] + y_a[c];
    }
}

void cord__balance_begin(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (balances(b)) memset(w->balance + b->v0, 0, (size_t)b->shape.dofs * sizeof *w->balance);
    }
}

void cord__balance_add(problem *w, const cluster *s, double factor, const double *rate)
{
    double *scaled = w->inertial_v_predictor;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!balances(b)) continue;
        for (int c = b->inertial0; c < b->inertial0 + b->shape.inertial_count; c++)
            scaled[c] = factor * rate[c];
        b->ops->inertial->momenta(b->model, w->cache + b->cache0, scaled + b->inertial0,
                                  w->balance + b->v0);
    }
}

void cord__balance_end(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!balances(b)) continue;
        double *v = w->trial.v + b->v0;
        b->ops->inertial->velocity(b->model, w->inertial_x + b->inertial0, w->balance + b->v0, v);
        b->ops->inertial->rates(b->model, w->cache + b->cache0, v,
                                w->trial.inertial_v + b->inertial0);
    }
}
