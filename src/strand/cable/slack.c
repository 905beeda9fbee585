/* Segments that go slack: a cable pulls and never pushes.
 *
 * The length of a straight inextensible segment is a one-sided row,
 *
 *     g = l − Δs <= 0,     T >= 0,     g T = 0:
 *
 * taut, g = 0 with the axial force T, or slack, T = 0, shorter than its material. Newton's iteration chooses: a taut
 * segment becomes slack where T < 0, a slack one taut where g > 0. An elastic segment needs no choice: its energy is
 * EA ε²/2 per length for ε > 0 and zero below (element.c).
 *
 * A slack segment that becomes taut with the rate ġ⁻ > 0 has an impact: the step is repeated by backward Euler, which
 * makes it inelastic and conserves momentum; then ġ⁺ = −e ġ⁻, e being the restitution of the cable. Its impulse p changes
 * the kinetic energy by −p (ġ⁻ + ġ⁺)/2.
 *
 * A segment of a cable with bending bears compression up to its Euler load, T >= −π² EI/Δs².
 *
 * Segments along guides remain two-sided: a pulley, a tube or a surface holds them on their path. */
#include "strand/cable/cable.h"

#include "math/vec3.h"

#include <math.h>

/* A force of this fraction of the weight of the segment is none, and a length of this fraction of it: in free fall the
 * force is zero, and the choice must not follow the errors of a step. */
static const double NO_FORCE = 1e-3, NO_LENGTH = 1e-11;
static const double EARTH = 10; /* m/s² */

/* A cable that is longer than its path by less than this fraction, between two Lagrangian nodes, is as long as the path:
 * the coordinates of nodes given by hand may be approximate. */
static const double BY_ROUTE = 1e-6, BY_HAND = 0.02;

/* After an event segments of a slack cable are slack where they are shorter than their material by more than this. */
static const double STILL_SLACK = 1e-9;

static length_memory *length_of(const cable_element *e, double *side)
{
    return (length_memory *)(side + e->memory);
}

static double slack_in(const cable *c, int segment, const double *cache)
{
    return -cord__row_value(c, c->layout.element + segment, cache, NULL);
}

static double natural(const double *cache, int segment)
{
    return cable_s(cache, segment + 1) - cable_s(cache, segment);
}

#define EACH_ONE_SIDED(i, e)                                                                       \
    for (int i = 0; i + 1 < c->topology.nodes; i++)                                                \
        for (const cable_element *e = c->layout.element + i; e && e->one_sided; e = NULL)

double cord__cable_slack(const cable *c, const double *cache)
{
    double sum = 0;
    for (int i = 0; i + 1 < c->topology.nodes; i++) {
        element_terms t;
        static const environment nothing = {0};
        element_input in = {.cache = cache, .environment = &nothing, .rows_only = true};
        cord__element_terms(c, c->layout.element + i, &in, &t);
        sum += fmax(0, t.natural - t.length);
    }
    return sum;
}

/* ---- the start ------------------------------------------------------------------------------------- */

/* The excess of material from a Lagrangian node to the next, over the length of the path; and the node. */
static double excess_from(const cable *c, const double *cache, int first, int *next, double *path)
{
    double excess = 0;
    int i = first;
    *path = 0;
    do {
        element_terms t;
        static const environment nothing = {0};
        element_input in = {.cache = cache, .environment = &nothing, .rows_only = true};
        cord__element_terms(c, c->layout.element + i, &in, &t);
        excess += t.natural - t.length;
        *path += t.length;
        i++;
    } while (i + 1 < c->topology.nodes && c->topology.node[i].s_dof >= 0);
    *next = i;
    return excess;
}

void cord__initial_slack(cable *c, const double *cache)
{
    for (int first = 0, next; first + 1 < c->topology.nodes; first = next) {
        double path, excess = excess_from(c, cache, first, &next, &path);
        bool slack = excess > (c->def.waypoints > 0 ? BY_ROUTE : BY_HAND) * path;
        for (int i = first; slack && i < next; i++) {
            const cable_element *e = c->layout.element + i;
            if (e->one_sided) length_of(e, c->initial.side)->slack = slack_in(c, i, cache) > 0;
        }
    }
}

void cord__carry_slack(const cable *from, const double *side, cable *c, const double *cache)
{
    bool any = false;
    for (int i = 0; !any && i + 1 < from->topology.nodes; i++)
        any = length_slack(from->layout.element + i, side);
    EACH_ONE_SIDED(i, e)
    length_of(e, c->initial.side)->slack =
        any && slack_in(c, i, cache) > STILL_SLACK * natural(cache, i);
}

/* Below this approach, in units of the fall in the time of a step, a segment comes to rest: rebounds would follow each
 * other in every step. */
static const double SLOW = 2;

void cord__slack_begin(const cable *c, const environment *env, const double *cache, const double *v,
                       double step, double *side)
{
    double slow = SLOW * v3_norm(env->gravity) * step;
    EACH_ONE_SIDED(i, e)
    {
        length_memory *m = length_of(e, side);
        m->approach = m->slack != 0 ? fmax(0, cord__row_rate(c, e, cache, NULL, v)) : 0;
        m->changes = 0;
        m->rebound = m->approach > slow ? c->def.material.restitution * m->approach : 0;
    }
}

/* ---- the choice ------------------------------------------------------------------------------------ */

/* Where the path determines the length of a closed cable, the rows do not tell whether a slack segment becomes taut; it
 * does where the mean tension would be below the prescribed one, as that of a stiff belt. */
static bool belt_tightens(const cable *c, const element_input *in)
{
    double sum = 0, length = 0;
    if (!c->layout.rigid) return false;
    for (int i = 0; i + 1 < c->topology.nodes; i++) {
        double ds = natural(in->cache, i);
        sum += (c->def.prescribed_tension - in->lambda[c->layout.element[i].row]) * ds;
        length += ds;
    }
    return sum < c->def.prescribed_tension * length * (1 - 1e-9);
}

/* A segment that has changed so often within a step stays taut in it: without a force at the edge of being slack the
 * iteration would alternate for ever. */
enum { MOST_CHANGES = 4 };

bool cord__slack_choose(const cable *c, const element_input *in, const double *row_cache,
                        double *side)
{
    bool changed = false, tightens = belt_tightens(c, in);
    EACH_ONE_SIDED(i, e)
    {
        length_memory *m = length_of(e, side);
        double g = -slack_in(c, i, row_cache), ds = natural(row_cache, i);
        double T = c->def.prescribed_tension + (c->layout.rigid ? in->off : 0) - in->lambda[e->row];
        double none = NO_FORCE * EARTH * c->def.material.density * ds + e->buckling;
        bool slack = m->slack != 0 ? g <= NO_LENGTH * ds && !tightens : T < -none;
        if (slack == (m->slack != 0)) continue;
        if (slack && m->changes > MOST_CHANGES) continue;
        changed = true;
        m->slack = slack;
        m->changes++;
    }
    return changed;
}

bool cord__slack_closes(const cable *c, const double *before, const double *side)
{
    bool any = false;
    EACH_ONE_SIDED(i, e) any = any || (length_slack(e, before) && !length_slack(e, side));
    return any;
}

bool cord__slack_crosses(const cable *c, const double *start, const double *end)
{
    bool any = false;
    for (int i = 0; c->def.material.stretching > 0 && !any && i + 1 < c->topology.nodes; i++) {
        const cable_element *e = c->layout.element + i;
        if (!cord__row_is_simple(c, e) || c->def.material.pushes) continue;
        any = (slack_in(c, i, start) > 0) != (slack_in(c, i, end) > 0);
    }
    return any;
}

bool cord__slack_release(const cable *c, const double *cache, double step, const double *impulse,
                         double *side)
{
    bool any = false;
    EACH_ONE_SIDED(i, e)
    {
        double none = step * NO_FORCE * EARTH * c->def.material.density * natural(cache, i);
        if (length_slack(e, side) || impulse[e->row] <= none) continue; /* λ = −T */
        length_of(e, side)->slack = any = true;
    }
    return any;
}

/* ---- impacts ----------------------------------------------------------------------------------------- */

double cord__slack_rebound(const cable_element *e, const double *side)
{
    const length_memory *m = (const length_memory *)(side + e->memory);
    return m->slack == 0 ? m->rebound : 0;
}

void cord__slack_end_impact(const cable *c, double h, const double *impulse, double *side)
{
    event_memory *sum = cable_events(&c->layout, side);
    bool tightened = false;
    EACH_ONE_SIDED(i, e)
    {
        const length_memory *m = length_of(e, side);
        if (m->slack != 0 || m->approach == 0) continue;
        double p = c->def.prescribed_tension * h - impulse[e->row];
        sum->tightening_energy_change -= 0.5 * p * (m->approach - m->rebound);
        tightened = true;
    }
    sum->tightenings += tightened;
}
