/* The energy of an island, by which a step in contact is judged: without drive it must not grow.
 *
 * TR-BDF2 keeps energy up to errors of either sign, and its trapezoidal stage goes on with the contact forces of the last step where
 * contacts open. A step of it may therefore gain a little, but no more than errors of the steps before have lost, in which
 * neither the work of friction nor the losses of impacts count; otherwise backward Euler repeats it. That gains energy where
 * strands slide over curved surfaces, and is then repeated with mean normals (contact_axes.c). A large gain is that of a wrong
 * solution, and the step is made in shorter ones. */
#include "solve/contacts.h"

#include <math.h>

/* Of the kinetic energy: the largest gain of a step of TR-BDF2, and of backward Euler. */
static const double LARGEST_GAIN = 0.01, EULER_GAIN = 1e-3;
/* Of a gain of backward Euler: the part that normals must have caused for mean ones to be of use. */
static const double EXPLAINED = 0.1;
/* Of the kinetic energy: a gain of backward Euler for which the step is shortened, to this part of the requested one at least. */
static const double LEAP = 0.005, SHORTEST = 1.0 / 16;
/* Of the energy: what the tolerances of the iteration leave. */
static const double NO_GAIN = 1e-7;

static bool is_scripted(const problem *w, const constraint *r)
{
    bool any = false;
    for (int side = 0; side < 2; side++) {
        const point *p = r->term.point[side] >= 0 ? w->point[r->term.point[side]] : NULL;
        any =
            any ||
            (p && (p->motion.count > 1 || p->rotation.count > 1 || point_changes(p, w->now.time)));
    }
    return any;
}

/* Whether something does work on a cluster that its energy does not contain. */
static bool is_driven(const problem *w, const cluster *s)
{
    if (s->loads > 0) return true;
    for (int k = 0; k < s->blocks; k++)
        if (w->block[s->block[k]]->schedule) return true;
    for (int k = 0; k < s->forces; k++)
        if (w->force[s->force[k]]->ops->energy) return true;
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (cord__constraint_is_driven(r) || r->state.closing || is_scripted(w, r)) return true;
    }
    return false;
}

bool cord__island_is_driven(const problem *w, const island *of)
{
    if (w->environment.wind || w->gravity.keys.count > 1) return true;
    for (int i = 0; i < of->clusters; i++)
        if (is_driven(w, of->cluster[i])) return true;
    return false;
}

static double constraint_energy(const problem *w, constraint *r, const state *at, double time)
{
    double sum = 0;
    if (r->def.compliance <= 0 || cord__constraint_released(w, r)) return 0;
    cord__constraint_evaluate(w, r, at->q, w->cache, time, NULL);
    for (int row = 0; row < r->ops->rows; row++) {
        const double g = r->work.value.g[row];
        if (r->def.side == CORD_EQUAL || g <= 0) sum += 0.5 * g * g / r->def.compliance;
    }
    return sum;
}

island_energy cord__island_energy(problem *w, const island *of, const state *at, double time)
{
    island_energy sum = {0, 0};
    for (int i = 0; i < of->clusters; i++) {
        const cluster *s = of->cluster[i];
        cord__refresh(w, s, at->q, w->cache);
        for (int k = 0; k < s->blocks; k++) {
            const block *b = w->block[s->block[k]];
            const environment env = cord__environment(w, b, time);
            block_energy e;
            b->ops->energy(b->model, &env, at->q + b->q0, w->cache + b->cache0, at->v + b->v0,
                           at->inertial_v + b->inertial0, &e);
            sum.kinetic += e.kinetic;
            sum.total += e.kinetic + e.gravity + e.stretching + e.bending + e.twisting;
        }
        for (int k = 0; k < s->constraints; k++)
            sum.total += constraint_energy(w, w->constraint[s->constraint[k]], at, time);
    }
    return sum;
}

bool cord__contacts_gain(const problem *w, const island *of, const island_energy *before,
                         const island_energy *after, bool by_euler)
{
    const double gain = after->total - before->total, kinetic = after->kinetic;
    const double most =
        by_euler ? EULER_GAIN * kinetic : fmin(of->contacts->lost, LARGEST_GAIN * kinetic);
    if (!(gain > most + NO_GAIN * fabs(before->total))) return false;
    return !by_euler || cord__normal_work(w->contacts, of->contacts) > EXPLAINED * gain;
}

/* The work by which overlaps are removed that were there at the start of the step. */
static double removal_work(const contact_set *k, const island_contacts *x)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++) {
        const contact_row *r = k->row + x->first_row + i;
        const double start = fmin(k->pair[r->pair].start_gap, r->start_gap);
        if (r->force[0] > 0 && start < 0) sum += r->force[0] * fmax(0, fmin(0, r->at.gap) - start);
    }
    return sum;
}

bool cord__contacts_leap(const problem *w, const island *of, const island_energy *before,
                         const island_energy *after, double h)
{
    const double gain = after->total - before->total - removal_work(w->contacts, of->contacts),
                 kinetic = fmin(before->kinetic, after->kinetic);
    return h > SHORTEST * w->requested_step &&
           gain > LEAP * kinetic + NO_GAIN * fabs(before->total);
}

/* The power of friction at the end of the step. */
static double friction_power(const contact_set *k, const island_contacts *x)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++) {
        const contact_row *r = k->row + x->first_row + i;
        if (r->force[0] > 0) sum += r->force[1] * r->u[1] + r->force[2] * r->u[2];
    }
    return sum;
}

void cord__contacts_lose(const problem *w, const island *of, const island_energy *before,
                         const island_energy *after, double h)
{
    island_contacts *x = of->contacts;
    if (x->closes || x->across) return;
    const double friction = fmin(0, h * friction_power(w->contacts, x));
    x->lost = fmax(0, x->lost - (after->total - before->total - friction));
}
