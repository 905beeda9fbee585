/* The energy of a motion that nothing drives cannot grow. An unstable step breaks this law long before it overflows,
 * so a step that breaks it is not committed.
 *
 * With K kinetic, U strain and V potential energy, the motion has at most A = (K + U)₀ + V₀ − V available, from the state
 * of reference. E − E₀ = K + U − A is the growth; it must stay below the largest A so far: the energy may at most double,
 * and no committed state, with those between two checks, has more than four times of it. Of blocks with large
 * displacements in one step, such as cables, each single step is held to a small part of the largest A. */
#include "math/vec3.h"
#include "world/event.h"

#include <math.h>

/* Of one step of blocks whose energy is checked in each: errors of truncation are corrected to rounding in `midpoint`,
 * and not in `implicit`. */
static const double MIDPOINT_GAIN = 1e-5, IMPLICIT_GAIN = 1e-4;
/* The check itself costs an evaluation of all energies: it is made when the kinetic energy has grown by
 * SUSPICIOUS since the last one, and else after so many steps. */
static const double SUSPICIOUS = 2;
enum { STEPS_BETWEEN = 16 };

/* ---- drive ------------------------------------------------------------------------------------- */

static bool is_scripted(const point *p, double time)
{
    return p->motion.count > 1 || p->rotation.count > 1 || point_changes(p, time);
}

bool cord__is_driven(const cord_world *w)
{
    const problem *p = &w->problem;
    if (p->environment.wind || w->loads.used > 0 || cord__is_scheduled(w) || cord__is_growing(w))
        return true;
    for (int i = 0; i < w->points.count; i++)
        if (w->points.item[i] && is_scripted(w->points.item[i], p->now.time)) return true;
    for (int i = 0; i < p->constraints; i++)
        if (cord__constraint_is_driven(p->constraint[i]) || p->constraint[i]->state.closing)
            return true;
    return false;
}

/* ---- scales ------------------------------------------------------------------------------------ */

/* Σ metric v² of a block, as four sums that do not wait for each other. */
static double metric_square(const block *b, const double *v)
{
    double sum[4] = {0};
    int c = 0;
    for (; c + 4 <= b->shape.dofs; c += 4)
        for (int k = 0; k < 4; k++) sum[k] += b->metric[c + k] * v[c + k] * v[c + k];
    for (; c < b->shape.dofs; c++) sum[0] += b->metric[c] * v[c] * v[c];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* A bound of the kinetic energy by typical inertia per dof, and the block with the most of it. */
static double kinetic_estimate(const problem *p, int *fastest)
{
    double sum = 0, most = -1;
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        const double own = metric_square(b, p->now.v + b->v0);
        if (own > most) most = own, *fastest = i;
        sum += own;
    }
    return 0.5 * sum;
}

/* The energy that the tolerance of Newton's iteration may leave in a motion from rest. */
static double least_energy(const cord_world *w)
{
    const problem *p = &w->problem;
    double sum = 0, g = v3_norm(p->environment.gravity);
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        for (int c = 0; c < b->shape.dofs; c++) {
            double speed = 1e3 * p->small_correction * b->scale[c] / p->requested_step;
            sum += b->metric[c] * (0.5 * speed * speed + 1e-3 * g * b->scale[c]);
        }
    }
    return sum;
}

/* Whether there is a block whose correction of the energy by `midpoint` has limits. */
static bool checks_each_step(const cord_world *w)
{
    const problem *p = &w->problem;
    const bool implicit = p->integrator == cord__integrators + CORD_IMPLICIT;
    if (!p->integrator->halfway && !(implicit && p->scheme == cord__schemes + CORD_TR_BDF2))
        return false;
    for (int i = 0; i < p->blocks; i++)
        if (BLOCK_HAS(p->block[i], midpoint, limited_correction)) return true;
    return false;
}

/* ---- the check --------------------------------------------------------------------------------- */

void cord__energy_begin(cord_world *w)
{
    energy_check *e = &w->energy_check;
    if (w->start_stale) e->known = false;
    e->each_step = checks_each_step(w);
    e->step_gain = w->problem.integrator->halfway ? MIDPOINT_GAIN : IMPLICIT_GAIN;
}

static bool is_due(const cord_world *w, double kinetic)
{
    const energy_check *e = &w->energy_check;
    return !e->known || e->each_step || e->steps >= STEPS_BETWEEN ||
           kinetic > SUSPICIOUS * e->kinetic + e->least;
}

static double motion_and_strain(const cord_energy *e)
{
    return e->total - e->gravity;
}

/* Whether the energy `now` is more than that of the reference, or of the last step, allows. */
static bool is_too_much(energy_check *e, const cord_energy *now, double available)
{
    e->gain = motion_and_strain(now) - available;
    e->limit = fmax(e->largest, available) + e->least;
    if (!(e->gain <= e->limit)) return true;
    if (!e->each_step) return false;
    e->gain = now->total - e->total;
    e->limit *= e->step_gain;
    return e->gain > e->limit;
}

bool cord__energy_grows(cord_world *w)
{
    energy_check *e = &w->energy_check;
    double kinetic = kinetic_estimate(&w->problem, &e->fastest);
    cord_energy now;
    e->steps++;
    if (!w->problem.integrator->dynamic || !is_due(w, kinetic)) return false;
    e->steps = 0;
    if (cord__is_driven(w) || cord_world_get_energy(w, &now) != CORD_OK) {
        e->known = false;
        return false;
    }
    e->least = least_energy(w);
    if (!e->known) {
        e->known = true;
        e->motion_and_strain = e->largest = motion_and_strain(&now);
        e->gravity = now.gravity;
        e->total = now.total;
    }
    double available = e->motion_and_strain + e->gravity - now.gravity;
    if (is_too_much(e, &now, available)) return true;
    e->largest = fmax(e->largest, available);
    e->kinetic = kinetic;
    /* Many small gains of `midpoint` are one; `implicit` oscillates. */
    e->total = w->problem.integrator->halfway ? fmin(e->total, now.total) : now.total;
    return false;
}

void cord__energy_after_event(cord_world *w)
{
    energy_check *e = &w->energy_check;
    cord_energy now;
    if (e->known && e->each_step && cord_world_get_energy(w, &now) == CORD_OK) e->total = now.total;
}
