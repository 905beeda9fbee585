/* The trial of a search for an equilibrium: its equations with a proximal term, and measures of them.
 *
 * The proximal term is μG with the metric
 *
 *     G = K_el + σM:
 *
 * the elastic stiffness without the second derivatives of strains, which is positive semidefinite, and of every block the
 * mass matrix times a ratio σ, for motions that do not deform it. Of a strand σ makes both equal in the lowest elastic motions,
 * so that μ is a pure number, neither the mesh nor the inertia decides how large it has to be, and all waves of a strand are
 * damped alike. */
#include "math/vec3.h"
#include "solve/contacts.h"
#include "solve/equilibrium.h"

#include <math.h>
#include <string.h>

double cord__stiffness_ratio(const problem *w, const block *b)
{
    if (!b->shape.inertial_count || b->stiffness_over_metric > 0) return b->stiffness_over_metric;
    double weight = v3_norm(w->environment.gravity);
    return (weight > 0 ? weight : 1) / b->scale[0];
}

/* The same, with the unbalanced forces in place of gravity where they are larger. */
static double ratio_of_forces(const problem *w, const block *b)
{
    double ratio = cord__stiffness_ratio(w, b);
    for (int c = 0; c < b->shape.dofs; c++)
        if (!b->prescribed[c])
            ratio = fmax(ratio, fabs(w->r[b->v0 + c]) / (b->metric[c] * b->scale[c]));
    return ratio > 0 ? ratio : 1; /* without any force every value serves */
}

static bool is_rigid(const block *b)
{
    return b->shape.inertial_count && !(b->stiffness_over_metric > 0);
}

/* μσ times the metric of dofs. The mass matrix of blocks with inertial coordinates is part of the assembly; of chains the
 * metric is added all the same, which resists the spin of a section whatever its rotary inertia. */
static void add_metric(problem *w, cluster *s, double mu)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (is_rigid(b) || s->private_solve) continue;
        for (int c = 0; c < b->shape.dofs; c++) {
            int u = s->offset[k] + b->order[c]; /* dofs beyond a band are prescribed */
            if (u < s->map.count)
                s->values[s->map.diagonal[u]] += mu * b->proximal_ratio * b->metric[c];
        }
    }
}

/* Of rigid blocks, by the forces of the last evaluation. Scalar coordinates, and cables of no stiffness, have
 * the largest σ of the others. */
void cord__set_rigid_ratios(problem *w, const cluster *s)
{
    double largest = 0;
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        if (b->shape.coordinate.is_one) continue;
        if (is_rigid(b)) b->proximal_ratio = ratio_of_forces(w, b);
        largest = fmax(largest, b->proximal_ratio);
    }
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        if (b->shape.coordinate.is_one || b->proximal_ratio == 0)
            b->proximal_ratio = largest > 0 ? largest : 1;
    }
}

/* The largest ratio of stiffness to metric. The diagonal is that of the block alone; of blocks with parts (splines) it
 * includes the ρBᵀB of constraints: without it a spline in a slot may not reach its equilibrium, and with it a cable held
 * at an angle may not. */
static double largest_ratio(const cluster *s, const block *b, int k)
{
    bool with_terms = s->banded || b->shape.parts > 0;
    double ratio = 0;
    for (int c = 0; c < b->shape.dofs; c++) {
        int u = s->offset[k] + b->order[c];
        if (b->prescribed[c] || b->order[c] >= b->shape.band_count) continue;
        double own = with_terms ? s->values[s->map.diagonal[u]] : s->diagonal[u];
        ratio = fmax(ratio, fabs(own) / b->metric[c]);
    }
    return ratio;
}

/* (m/k)^¼ of the inertia and the bending stiffness of a dof is proportional to the length of its element, and the sum of all
 * to that of the strand: 1/sum⁴ is proportional to the lowest eigenvalue. The stiffness of a chain is known; of others it is
 * the difference to the diagonal without the proximal term, in s->x. */
static double lowest_ratio(const cluster *s, const block *b, int k)
{
    const double about_equal = 1e3, round_off = 1e-9;
    double length = 0;
    for (int c = 0; c < b->shape.dofs; c++) {
        int u = s->offset[k] + b->order[c];
        if (b->prescribed[c] || b->order[c] >= b->shape.band_count) continue;
        double with = b->shape.inertial_count ? 0 : s->values[s->map.diagonal[u]];
        double ratio =
            b->shape.inertial_count ? b->stiffness_over_metric : (with - s->x[u]) / b->metric[c];
        if (ratio * b->metric[c] > round_off * fabs(with)) length += 1 / sqrt(sqrt(ratio));
    }
    return length > 0 ? about_equal / (length * length * length * length) : 0;
}

/* σ of a strand that bends makes σM as large as its elastic stiffness in the lowest elastic motions; of others it is a part
 * of the largest ratio. */
void cord__set_proximal_ratios(problem *w, cluster *s)
{
    const double part = 1e-4;
    for (int k = 0; k < s->blocks; k++) w->block[s->block[k]]->proximal_ratio = 0;
    cord__static_evaluate(w, s, true, 0);
    for (int u = 0; !s->private_solve && u < s->map.count; u++)
        s->x[u] = s->values[s->map.diagonal[u]];
    cord__static_evaluate(w, s, true, 1);
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->block[s->block[k]];
        if (is_rigid(b) || b->shape.coordinate.is_one) continue;
        b->proximal_ratio = lowest_ratio(s, b, k);
        if (b->proximal_ratio == 0 && !b->shape.inertial_count)
            b->proximal_ratio = part * largest_ratio(s, b, k);
    }
    cord__set_rigid_ratios(w, s);
}

/* A body that only rows determine needs a little of the metric for its pivots in every iteration. It does not move the
 * solution, and a millionth hardly slows the iteration. */
static const double FLOOR = 1e-6;

stage cord__static_stage(const cluster *s)
{
    return (stage){.time = s->search.time,
                   .force_time = s->search.time,
                   .c_k = 1,
                   .statics = true,
                   .rate_factor = s->search.rate_factor};
}

/* Scalar coordinates move at (q − q₀)/h; nothing else has a velocity. */
static void set_sliding_rates(problem *w, const cluster *s)
{
    for (int k = 0; s->search.rate_factor > 0 && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (b->shape.coordinate.is_one)
            w->trial.v[b->v0] = s->search.rate_factor * (w->trial.q[b->q0] - w->now.q[b->q0]);
    }
}

/* Where the mass matrix is not diagonal, σM is part of the assembly. */
void cord__static_evaluate(problem *w, cluster *s, bool matrix, double mu)
{
    stage t = cord__static_stage(s);
    t.proximal = mu;
    t.floor = FLOOR;
    set_sliding_rates(w, s);
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__assemble(w, s, &t, matrix);
    cord__kinks_prescribe(w, s, matrix);
    if (matrix && mu > 0) add_metric(w, s, mu);
    if (s->search.contacts) cord__static_contacts(w, s);
    if (s->search.contacts && matrix) cord__stiffen_contacts(w, s);
}

/* The largest unbalanced force. A welded frame and its parent share unknowns: their forces are summed by
 * unknown, in the solver's x, which is free here. */
double cord__static_residual(const problem *w, const cluster *s)
{
    double largest = 0;
    cord__add_contact_forces(w, s, -1);
    for (int k = 0; !s->banded && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) s->x[cord__unknown(w, b, c)] = 0;
    }
    for (int k = 0; !s->banded && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) s->x[cord__unknown(w, b, c)] += w->r[b->v0 + c];
    }
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            if (b->prescribed[c] || b->alias_block[c] >= 0) continue;
            double force = s->banded ? w->r[b->v0 + c] : s->x[cord__unknown(w, b, c)];
            largest = fmax(largest, fabs(force) * b->scale[c]);
        }
    }
    cord__add_contact_forces(w, s, 1);
    return largest;
}

double cord__largest_multiplier(const problem *w, const cluster *s)
{
    double largest = cord__largest_contact_force(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.rows; i++)
            largest = fmax(largest, fabs(w->trial.lambda[b->l0 + i]));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            largest = fmax(largest, fabs(w->trial.lambda[r->l0 + row]));
    }
    return largest;
}

double cord__largest_correction(const problem *w, const cluster *s, double *bound)
{
    double largest = 0;
    *bound = 1;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            double size = fabs(w->delta[b->v0 + c]) / b->scale[c];
            if (!(size <= largest)) largest = size;
        }
        *bound = fmin(*bound, block_step_bound(b, w->cache, w->delta + b->v0));
    }
    return largest;
}

/* The largest motion that prescribed dofs still have to make, from the last assembly. */
double cord__prescribed_motion_size(const problem *w, const cluster *s)
{
    double largest = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] == PRESCRIBED)
                largest = fmax(largest, fabs(w->delta[b->v0 + c]) / b->scale[c]);
    }
    return largest;
}

void cord__move_trial(problem *w, const cluster *s, double scale)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) w->delta[b->v0 + c] *= scale;
        b->ops->retract(b->model, w->trial.q + b->q0, w->delta + b->v0);
    }
    cord__update_welds(w, s, w->trial.q);
}

void cord__copy_configuration(const problem *w, const cluster *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->q0, from + b->q0, (size_t)b->shape.q_count * sizeof(double));
    }
}

void cord__copy_multipliers(const problem *w, const cluster *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->l0, from + b->l0, (size_t)b->shape.rows * sizeof(double));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        memcpy(to + r->l0, from + r->l0, (size_t)r->ops->rows * sizeof(double));
    }
}

void cord__copy_dofs(const problem *w, const cluster *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->v0, from + b->v0, (size_t)b->shape.dofs * sizeof(double));
    }
}

/* A step along the tangent of curved rows leaves them at second order, which alone can outweigh the decrease
 * of energy (the Maratos effect). The factor at hand returns the trial onto them. */
void cord__return_to_rows(problem *w, cluster *s)
{
    double bound;
    cord__rows_to_rhs(w, s);
    cord__solve(w, s);
    cord__largest_correction(w, s, &bound);
    cord__move_trial(w, s, bound);
}
