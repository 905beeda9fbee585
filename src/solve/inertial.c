/* Inertial coordinates x(q): point masses of blocks, and of forces, that the formulas of the integrators act on. */
#include "solve/problem.h"

#include <string.h>

void cord__inertial_coordinates(const problem *w, const island *s, const double *q,
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

void cord__inertial_rates(const problem *w, const island *s, const double *cache, const double *v,
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

void cord__inertial_momenta(const problem *w, const island *s, const double *cache,
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

void cord__balance_begin(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (balances(b)) memset(w->balance + b->v0, 0, (size_t)b->shape.dofs * sizeof *w->balance);
    }
}

void cord__balance_add(problem *w, const island *s, double factor, const double *rate)
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

void cord__balance_end(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!balances(b)) continue;
        double *v = w->trial.v + b->v0;
        b->ops->inertial->velocity(b->model, w->inertial_x0 + b->inertial0,
                                   w->now.inertial_v + b->inertial0, w->inertial_x + b->inertial0,
                                   w->balance + b->v0, v);
        b->ops->inertial->rates(b->model, w->cache + b->cache0, v,
                                w->trial.inertial_v + b->inertial0);
    }
}
