/* Impacts: one-sided rows g >= 0 with a restitution e > 0.
 *
 * An open row takes no part in Newton's iteration. A step that ends beyond g = 0 is repeated, up to the contact;
 * where rows are closed and approach, an impulse p >= 0 changes the velocities,
 *
 *     M δv = Bᵀp + Gᵀμ,     G δv = 0,     ġ⁺ = −e ġ⁻,
 *
 * G being the two-sided rows: with e = 1 it conserves the kinetic energy. Where several rows are closed, the one
 * that approaches fastest is resolved first, then the next that approaches, so that an impact propagates along a row
 * of pearls. One-sided rows without restitution, and those at rest, take part in it.
 *
 * A flight that ends within a fraction of the requested step is treated as rest: the row is then active like those
 * without restitution, until its multiplier vanishes. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/* Flights shorter than this fraction of the requested step count as rest. */
static const double SHORT_FLIGHT = 0.25;

/* Approaches slower than this fraction of the first approach of an impact (more for e = 1) come to rest together: a
 * stack would have an unlimited number of impacts. */
static const double SLOW = 0.01, SLOW_ELASTIC = 1e-10;

/* c_a of the matrix of an impact: the mass matrix, as in a step so short that forces are negligible; dofs without
 * inertia keep their stiffness for a pivot. Where the stiffness is lost in round-off, c_a is smaller. */
static const double QUASISTATIC = 1e20, QUASISTATIC_LEAST = 1e8;

static bool is_open(const problem *w, const constraint *r)
{
    return r->impact->restitution > 0 && !r->impact->state.resting &&
           !cord__constraint_released(w, r);
}

bool cord__cluster_has_restitution(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->one_sided_count; k++)
        if (w->constraint[s->one_sided[k]]->impact->restitution > 0) return true;
    return false;
}

/* The tolerance of a gap, from the scales of its degrees of freedom; and of its rate. */
static double small_gap(const problem *w, const constraint *r)
{
    double most = 0;
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = r->term.part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            most = fmax(most, fabs(r->term.B[c]) * b->scale[r->term.dof[c] - b->v0]);
        }
    }
    return w->small_correction * most;
}

static double small_rate(const problem *w, const constraint *r)
{
    return small_gap(w, r) / w->requested_step;
}

static double rate_of(const constraint *r, const double *v)
{
    double rate = -r->work.target_rate[0];
    for (int c = 0; c < r->term.dofs; c++) rate += r->term.B[c] * v[r->term.dof[c]];
    return rate;
}

/* ---- contact times ------------------------------------------------------------------------------- */

/* Whether the row closes now, or too soon for a step up to the contact. */
static bool strikes(const problem *w, const constraint *r)
{
    double approach = -r->impact->rate;
    return approach > small_rate(w, r) &&
           r->impact->g <= small_gap(w, r) + 2 * SHORTEST_FLIGHT * w->requested_step * approach;
}

/* Gaps and rates at the start of a step; whether there is an impact. */
static bool look(problem *w, cluster *s)
{
    bool any = false;
    cord__refresh(w, s, w->now.q, w->cache);
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        impact_row *b = r->impact;
        if (b->restitution == 0 || cord__constraint_released(w, r)) continue;
        cord__constraint_evaluate(w, r, w->now.q, w->cache, w->now.time, NULL);
        b->g = r->work.value.g[0];
        b->rate = rate_of(r, w->now.v);
        if (!r->state.active[0] && b->g > small_gap(w, r)) b->state.resting = false;
        any = any || (!b->state.resting && strikes(w, r));
    }
    return any;
}

/* The cubic with these values and derivatives at 0 and 1. */
static double cubic(double from, double derivative, double to, double end_derivative, double x)
{
    double y = 1 - x;
    return from * y * y * (1 + 2 * x) + to * x * x * (3 - 2 * x) + derivative * x * y * y -
           end_derivative * x * x * y;
}

/* The fraction of the step after which the gap is closed; above 1: it stays open. */
static double contact_time(double from, double derivative, double to, double end_derivative,
                           double nothing)
{
    enum { SAMPLES = 32 };
    double low = 0, high = 2;
    for (int i = 1; i <= SAMPLES; i++) {
        double x = (double)i / SAMPLES;
        if (cubic(from, derivative, to, end_derivative, x) < -nothing) {
            high = x;
            break;
        }
        low = x;
    }
    for (int i = 0; high <= 1 && i < 60; i++) {
        double x = 0.5 * (low + high);
        if (cubic(from, derivative, to, end_derivative, x) < -0.5 * nothing)
            high = x;
        else
            low = x;
    }
    return high;
}

bool cord__cluster_find_impacts(problem *w, cluster *s, double h)
{
    const double shortest = SHORTEST_FLIGHT * w->requested_step;
    bool rests = false;
    s->impact_time = INFINITY;
    if (h <= shortest) return false;
    cord__refresh(w, s, w->trial.q, w->cache);
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        impact_row *b = r->impact;
        if (!is_open(w, r)) continue;
        cord__constraint_evaluate(w, r, w->trial.q, w->cache, w->now.time + h, NULL);
        double g = r->work.value.g[0], nothing = small_gap(w, r);
        if (b->g < -nothing && g >= b->g) continue; /* it was violated, and is opening */
        double part = contact_time(b->g, h * b->rate, g, h * rate_of(r, w->trial.v), nothing);
        if (part > 1) continue;
        double when = fmin(part, 0.9999) * h;
        bool pressed =
            b->g <= nothing && (when < shortest || -rate_of(r, w->trial.v) <= small_rate(w, r));
        bool returned = b->state.rate_since > 0 &&
                        w->now.time + when - b->state.since < SHORT_FLIGHT * w->requested_step;
        if (pressed || returned)
            b->state.resting = rests = true;
        else
            s->impact_time = fmin(s->impact_time, when);
    }
    return rests;
}

/* ---- impulses ----------------------------------------------------------------------------------- */

static double restitution_of(const constraint *r)
{
    return r->impact->comes_to_rest ? 0 : r->impact->restitution;
}

/* All one-sided rows that are closed take part. */
static int gather(problem *w, cluster *s)
{
    int count = 0;
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        impact_row *b = r->impact;
        b->in_contact = b->comes_to_rest = false;
        if (r->def.compliance > 0 || cord__constraint_released(w, r)) continue;
        b->g = r->work.value.g[0];
        b->rate = rate_of(r, w->now.v);
        b->in_contact = b->g <= small_gap(w, r) || (b->restitution > 0 && strikes(w, r));
        count += b->in_contact;
    }
    return count;
}

/* The row that approaches fastest; NULL: none does. */
static constraint *fastest(problem *w, const cluster *s)
{
    constraint *found = NULL;
    double most = 0;
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        if (!r->impact->in_contact) continue;
        r->impact->rate = rate_of(r, w->now.v);
        if (-r->impact->rate <= fmax(most, small_rate(w, r))) continue;
        most = -r->impact->rate;
        found = r;
    }
    return found;
}

static void add_solution(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c]) w->now.v[b->v0 + c] += w->delta[b->v0 + c];
    }
}

/* Velocities of the cluster, from one array to another. */
static void copy_velocities(const problem *w, const cluster *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->v0, from + b->v0, (size_t)b->shape.dofs * sizeof *to);
    }
}

/* The impulse of one row, with the present factor. False: the row has no mobility. */
static bool push(problem *w, cluster *s, const constraint *r)
{
    const term *x = &r->term;
    double response = 0;
    cord__clear_responses(w, s);
    for (int c = 0; c < x->dofs; c++) cord__add_to_force(s, 0, x->unknown[c], x->B[c]);
    cord__solve_responses(w, s, 1);
    for (int c = 0; c < x->dofs; c++) response += x->B[c] * cord__response(s, 0, x->unknown[c]);
    double p = -(1 + restitution_of(r)) * r->impact->rate / response;
    if (!(response > 0) || !isfinite(p)) return false;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c])
                w->now.v[b->v0 + c] += p * cord__response(s, 0, cord__unknown(w, b, c));
    }
    s->report.impacts++;
    return true;
}

/* Factors the matrix with the mass, the two-sided rows and, where `chosen`, the active one-sided ones. Returns c_a of the
 * mass, 0: it is singular. */
static double prepare(problem *w, cluster *s, bool chosen)
{
    stage t = {.time = w->now.time,
               .force_time = w->now.time,
               .c_a = QUASISTATIC,
               .c_v = 1,
               .c_k = 1,
               .two_sided_only = !chosen,
               .active_set_fixed = chosen};
    for (; t.c_a >= QUASISTATIC_LEAST; t.c_a *= 1e-4) {
        cord__assemble(w, s, &t, true);
        if (cord__factor(w, s)) return t.c_a;
    }
    return 0;
}

/* The active set of the closed rows for which no row approaches and no impulse is negative; whether it has changed.
 * A multiplier of the solution is minus the impulse. */
static bool choose(problem *w, cluster *s)
{
    bool changed = false;
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        if (!r->impact->in_contact) continue;
        bool before = r->state.active[0];
        if (before)
            r->state.active[0] = s->x[r->term.row0] <= 0;
        else
            r->state.active[0] = -rate_of(r, w->now.v) > small_rate(w, r);
        changed = changed || r->state.active[0] != before;
    }
    return changed;
}

/* Rows that still approach come to rest together: the nearest velocities, in the mass metric, with which no row
 * approaches. */
static bool bring_to_rest(problem *w, cluster *s, int count)
{
    double *before = w->v_predictor;
    copy_velocities(w, s, w->now.v, before);
    for (int pass = 0; pass < 10 + 2 * count && choose(w, s); pass++) {
        if (prepare(w, s, true) == 0) return false;
        copy_velocities(w, s, before, w->now.v);
        cord__project_velocities(w, s, w->now.time, w->now.v, 0);
    }
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        if (r->impact->in_contact && r->state.active[0])
            r->impact->state.resting = r->impact->restitution > 0;
    }
    return true;
}

/* Dofs and inertial coordinates are integrated separately, and the momentum is that of the inertial coordinates.
 * Velocities that agree with it, with the present factor:
 *
 *     M (v̄ − v) = Jᵀ m (ẋ − J v). */
static void take_momentum(problem *w, cluster *s, double metric)
{
    stage t = {
        .time = w->now.time, .force_time = w->now.time, .c_a = metric, .active_set_fixed = true};
    bool any = false;
    cord__inertial_rates(w, s, w->cache, w->now.v, w->trial.inertial_a);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *off = w->trial.inertial_a + b->inertial0;
        if (!b->shape.inertial_count) continue;
        for (int i = 0; i < b->shape.inertial_count; i++)
            off[i] = w->now.inertial_v[b->inertial0 + i] - off[i];
        any = true;
    }
    if (!any) return;
    cord__assemble(w, s, &t, false);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = b->v0; c < b->v0 + b->shape.dofs; c++) w->v_predictor[c] = w->r[c];
        for (int i = 0; i < b->shape.inertial_count; i++) w->trial.inertial_a[b->inertial0 + i] = 0;
    }
    cord__assemble(w, s, &t, false);
    cord__clear_rhs(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs;
             c++) /* point masses are also on strands without inertial coordinates */
            if (!b->prescribed[c])
                s->rhs[cord__unknown(w, b, c)] +=
                    metric * (w->v_predictor[b->v0 + c] - w->r[b->v0 + c]);
    }
    cord__solve(w, s);
    add_solution(w, s);
    cord__set_dependent_dofs(w, s, w->cache, w->now.v);
}

/* Copies the committed velocities of blocks with inertial coordinates to the trial. */
static void take_velocities(problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        size_t bytes = (size_t)b->shape.dofs * sizeof(double);
        if (b->shape.inertial_count) memcpy(w->trial.v + b->v0, w->now.v + b->v0, bytes);
    }
}

/* Rows that close again too soon to be distinguished from rest are at rest. */
static void settle_short_flights(problem *w, cluster *s)
{
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        impact_row *b = r->impact;
        if (b->in_contact && is_open(w, r) && b->state.rate_since > 0 && strikes(w, r) &&
            w->now.time - b->state.since < SHORT_FLIGHT * w->requested_step)
            b->comes_to_rest = b->state.resting = true;
    }
}

/* Applies impulses one after the other, until no row approaches fast enough. */
static bool collide(problem *w, cluster *s, int count)
{
    double first = 0;
    const constraint *r = fastest(w, s);
    for (int left = 100 + count * (count < 1000 ? 10 + count : 1000); r && left > 0; left--) {
        double e = restitution_of(r), approach = -r->impact->rate;
        if (first == 0) first = approach;
        if (approach < first * fmax(SLOW * (1 - e), SLOW_ELASTIC)) break;
        if (!push(w, s, r)) break;
        r = fastest(w, s);
    }
    cord__project_velocities(w, s, w->now.time, w->now.v,
                             0); /* removes round-off in two-sided rows */
    return !r || bring_to_rest(w, s, count);
}

/* The change from the velocities `from`, which satisfy the rows, is added to those before the impact, which in
 * `midpoint` satisfy them only on average over steps; the velocities of inertial coordinates change by J times it. */
static void apply_change(problem *w, cluster *s, const double *from)
{
    cord__set_dependent_dofs(w, s, w->cache, w->now.v);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *change = w->delta + b->v0;
        for (int c = 0; c < b->shape.dofs; c++) {
            change[c] = w->now.v[b->v0 + c] - from[b->v0 + c];
            w->now.v[b->v0 + c] = w->trial.v[b->v0 + c] + change[c];
        }
    }
    cord__inertial_rates(w, s, w->cache, w->delta, w->trial.inertial_v);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = b->inertial0; i < b->inertial0 + b->shape.inertial_count; i++)
            w->now.inertial_v[i] += w->trial.inertial_v[i];
    }
}

/* Updates which rows are at rest, and the rates that have jumped. */
static void note_rates(problem *w, cluster *s)
{
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        impact_row *b = r->impact;
        r->state.active[0] = b->was_active;
        if (b->restitution == 0 || cord__constraint_released(w, r)) continue;
        double rate = rate_of(r, w->now.v), nothing = small_rate(w, r);
        if (b->in_contact && rate > nothing) b->state.resting = r->state.active[0] = false;
        if (b->in_contact && rate < -nothing)
            b->state.resting = true; /* no impulse would reverse its velocity */
        if (fabs(rate - rate_of(r, w->trial.v)) > nothing)
            b->state.since = w->now.time, b->state.rate_since = rate;
        b->rate = rate;
    }
}

cord_status cord__cluster_impact(problem *w, cluster *s, double h)
{
    (void)h;
    if (!look(w, s)) return CORD_OK;
    for (int k = 0; k < s->one_sided_count; k++) {
        constraint *r = w->constraint[s->one_sided[k]];
        r->impact->was_active = r->state.active[0];
    }
    cord__begin_step(w, s, false);
    double metric = prepare(w, s, false);
    if (metric == 0)
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined",
                                 s->block[0], -1);
    copy_velocities(w, s, w->now.v, w->trial.v);
    take_momentum(w, s, metric);
    take_velocities(w, s);
    cord__project_velocities(w, s, w->now.time, w->now.v, 0);
    copy_velocities(w, s, w->now.v, w->a_predictor);
    int count = gather(w, s);
    settle_short_flights(w, s);
    if (!collide(w, s, count))
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "its motion is not determined",
                                 s->block[0], -1);
    apply_change(w, s, w->a_predictor);
    note_rates(w, s);
    return cord__cluster_accelerations(w, s, AFTER_IMPACT * w->requested_step);
}
