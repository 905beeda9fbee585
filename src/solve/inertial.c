/* Inertial coordinates x(q): point masses of blocks, and of forces, that the formulas of the integrators act on. */
#include "solve/problem.h"

void cord__inertial_coordinates(const problem *w, const island *s, const double *q,
                                const double *cache, double *x)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->shape.inertial_count && b->ops->inertial_coordinates)
            b->ops->inertial_coordinates(b->model, q + b->q0, cache + b->cache0, x + b->inertial0);
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
        if (b->shape.inertial_count && b->ops->inertial_rates)
            b->ops->inertial_rates(b->model, cache + b->cache0, v + b->v0, rate + b->inertial0);
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
        if (b->shape.inertial_count && b->ops->inertial_momenta)
            b->ops->inertial_momenta(b->model, cache + b->cache0, rate + b->inertial0,
                                     momentum + b->v0);
    }
    for (int k = 0; k < s->forces; k++) {
        const force_term *f = w->force[s->force[k]];
        if (f->ops->inertial_momenta) f->ops->inertial_momenta(w, f, rate, momentum);
    }
}
