/* Constraints that bounce: one-sided rows g >= 0 with a restitution e > 0.
 *
 * Apart, such a row is no part of Newton's iteration. A step that ends beyond g = 0 is made again, up
 * to there; where rows touch and approach each other an impulse p >= 0 changes the velocities,
 *
 *     M δv = Bᵀp + Gᵀμ,     G δv = 0,     ġ⁺ = −e ġ⁻,
 *
 * G being the two-sided rows: with e = 1 it keeps the kinetic energy. Where several rows touch, the one
 * that approaches fastest goes first, and then whatever approaches next, so that an impact runs along a
 * row of pearls from one to the next. One-sided rows without restitution, and those at rest, take part
 * in it.
 *
 * A bounce that forces alone bring back within a part of the step that was asked for cannot be told from
 * rest: the row then holds as others do, until it lets go. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/* Flights shorter than this part of the step asked for are none. */
static const double SHORT_FLIGHT = 0.25;

/* Approaches slower than this part of the first of an impact (more where nothing is lost) are taken
 * together, as at rest: a stack would pass them on without end. */
static const double SLOW = 0.01, SLOW_ELASTIC = 1e-10;

/* The metric of an impact is that of inertia, as in a step much shorter than anything that forces bring
 * about: what has no inertia keeps its stiffness for a pivot. Where that is lost in rounding, the step is
 * made longer. */
static const double QUASISTATIC = 1e20, QUASISTATIC_LEAST = 1e8;

static bool bounces(const problem *w, const constraint *r)
{
    return r->impact_state.restitution > 0 && !r->impact_state.resting &&
           !cord__constraint_released(w, r);
}

bool cord__island_has_restitution(const problem *w, const island *s)
{
    for (int k = 0; k < s->one_sided_count; k++)
        if (w->constraint[s->one_sided[k]]->impact_state.restitution > 0) return true;
    return false;
}

/* What is nothing for a row, by what is small for its columns; and for its rate. */
static double small_gap(const problem *w, const constraint *r)
{
    double most = 0;
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            most = fmax(most, fabs(r->B[c]) * b->scale[r->dof[c] - b->v0]);
        }
    }
    return w->tolerance * most;
}

static double small_rate(const problem *w, const constraint *r)
{
    return small_gap(w, r) / w->requested_step;
}

static double rate_of(const constraint *r, const double *v)
{
    double rate = -r->target_rate[0];
    for (int c = 0; c < r->dofs; c++) rate += r->B[c] * v[r->dof[c]];
    return rate;
}

/* ---- when rows meet ----------------------------------------------------------------------------- */

/* Whether it meets now, or too soon for a step up to there. */
static bool strikes(const problem *w, const constraint *r)
{
    double approach = -r->impact_state.rate;
    return approach > small_rate(w, r) &&
           r->impact_state.g <=
               small_gap(w, r) + 2 * SHORTEST_FLIGHT * w->requested_step * approach;
}

/* Gaps and rates at the start of a step; whether any row strikes. */
static bool look(problem *w, island *s)
{
    bool any = false;
    cord__refresh(w, s, w->now.q, w->cache);
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        impact_state *b = &r->impact_state;
        if (b->restitution == 0 || cord__constraint_released(w, r)) continue;
        cord__constraint_evaluate(w, r, w->now.q, w->cache, w->now.time, NULL);
        b->g = r->value.g[0];
        b->rate = rate_of(r, w->now.v);
        if (!r->active[0] && b->g > small_gap(w, r)) b->resting = false;
        any = any || (!b->resting && strikes(w, r));
    }
    return any;
}

/* The cubic with these values and slopes at 0 and 1. */
static double cubic(double from, double derivative, double to, double end_slope, double x)
{
    double y = 1 - x;
    return from * y * y * (1 + 2 * x) + to * x * x * (3 - 2 * x) + derivative * x * y * y -
           end_slope * x * x * y;
}

/* The part of the step after which the gap is gone; above 1: it is not. */
static double meeting(double from, double derivative, double to, double end_slope, double nothing)
{
    enum { SAMPLES = 32 };
    double low = 0, high = 2;
    for (int i = 1; i <= SAMPLES; i++) {
        double x = (double)i / SAMPLES;
        if (cubic(from, derivative, to, end_slope, x) < -nothing) {
            high = x;
            break;
        }
        low = x;
    }
    for (int i = 0; high <= 1 && i < 60; i++) {
        double x = 0.5 * (low + high);
        if (cubic(from, derivative, to, end_slope, x) < -0.5 * nothing)
            high = x;
        else
            low = x;
    }
    return high;
}

bool cord__island_find_impacts(problem *w, island *s, double h)
{
    const double shortest = SHORTEST_FLIGHT * w->requested_step;
    bool rests = false;
    s->impact_time = INFINITY;
    if (h <= shortest) return false;
    cord__refresh(w, s, w->trial.q, w->cache);
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        impact_state *b = &r->impact_state;
        if (!bounces(w, r)) continue;
        cord__constraint_evaluate(w, r, w->trial.q, w->cache, w->now.time + h, NULL);
        double g = r->value.g[0], nothing = small_gap(w, r);
        if (b->g < -nothing && g >= b->g) continue; /* it was beyond, and comes back */
        double part = meeting(b->g, h * b->rate, g, h * rate_of(r, w->trial.v), nothing);
        if (part > 1) continue;
        double when = fmin(part, 0.9999) * h;
        bool pressed =
            b->g <= nothing && (when < shortest || -rate_of(r, w->trial.v) <= small_rate(w, r));
        bool returned =
            b->rate_since > 0 && w->now.time + when - b->since < SHORT_FLIGHT * w->requested_step;
        if (pressed || returned)
            b->resting = rests = true;
        else
            s->impact_time = fmin(s->impact_time, when);
    }
    return rests;
}

/* ---- impulses ----------------------------------------------------------------------------------- */

static double restitution_of(const constraint *r)
{
    return r->impact_state.comes_to_rest ? 0 : r->impact_state.restitution;
}

/* All one-sided rows that touch take part. */
static int gather(problem *w, island *s)
{
    int count = 0;
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        impact_state *b = &r->impact_state;
        b->in_contact = b->comes_to_rest = false;
        if (r->side == CORD_EQUAL || r->compliance > 0 || cord__constraint_released(w, r)) continue;
        b->g = r->value.g[0];
        b->rate = rate_of(r, w->now.v);
        b->in_contact = b->g <= small_gap(w, r) || (b->restitution > 0 && strikes(w, r));
        count += b->in_contact;
    }
    return count;
}

/* The row that approaches fastest; NULL: none does. */
static constraint *fastest(problem *w, const island *s)
{
    constraint *found = NULL;
    double most = 0;
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (!r->impact_state.in_contact) continue;
        r->impact_state.rate = rate_of(r, w->now.v);
        if (-r->impact_state.rate <= fmax(most, small_rate(w, r))) continue;
        most = -r->impact_state.rate;
        found = r;
    }
    return found;
}

static void add_solution(problem *w, const island *s, double scale)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (!b->prescribed[c]) w->now.v[b->v0 + c] += scale * w->delta[b->v0 + c];
    }
}

/* Velocities of the island, from one array to another. */
static void copy_velocities(const problem *w, const island *s, const double *from, double *to)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memcpy(to + b->v0, from + b->v0, (size_t)b->shape.dofs * sizeof *to);
    }
}

/* The impulse of one row, with the factor at hand. False: nothing gives way to it. */
static bool push(problem *w, island *s, const constraint *r)
{
    cord__clear_rhs(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) w->delta[b->v0 + c] = 0;
    }
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            if (!b->prescribed[r->dof[c] - b->v0]) s->rhs[r->unknown[c]] += r->B[c];
        }
    }
    cord__solve(w, s);
    double answer = 0;
    for (int c = 0; c < r->dofs; c++) answer += r->B[c] * w->delta[r->dof[c]];
    double p = -(1 + restitution_of(r)) * r->impact_state.rate / answer;
    if (!(answer > 0) || !isfinite(p)) return false;
    add_solution(w, s, p);
    s->impacts++;
    return true;
}

/* Rows, as chosen or two-sided ones alone, in the metric of inertia; by how much that is multiplied, 0 when
 * it is singular. */
static double prepare(problem *w, island *s, bool chosen)
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

/* Which of the rows that touch are to be held so that none approaches and none pulls; whether that has
 * changed. A multiplier of the solution is minus the impulse. */
static bool choose(problem *w, island *s)
{
    bool changed = false;
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (!r->impact_state.in_contact) continue;
        bool before = r->active[0];
        if (before)
            r->active[0] = s->x[s->row_offset[k]] <= 0;
        else
            r->active[0] = -rate_of(r, w->now.v) > small_rate(w, r);
        changed = changed || r->active[0] != before;
    }
    return changed;
}

/* What still approaches comes to rest together: the nearest velocities at which nothing does. */
static bool stop(problem *w, island *s, int count)
{
    double *before = w->v_predictor;
    copy_velocities(w, s, w->now.v, before);
    for (int pass = 0; pass < 10 + 2 * count && choose(w, s); pass++) {
        if (prepare(w, s, true) == 0) return false;
        copy_velocities(w, s, before, w->now.v);
        cord__project_velocities(w, s, w->now.time, w->now.v, 0);
    }
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        if (r->impact_state.in_contact && r->active[0])
            r->impact_state.resting = r->impact_state.restitution > 0;
    }
    return true;
}

/* Columns and places are integrated side by side. It is the places that have the momentum: velocities
 * that agree with it, with the factor at hand,
 *     M (v̄ − v) = Jᵀ m (ẋ − J v). */
static void take_momentum(problem *w, island *s, double metric)
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
        for (int c = 0; c < b->shape.dofs; c++) /* pearls are on strands without places, too */
            if (!b->prescribed[c])
                s->rhs[cord__unknown(w, b, c)] +=
                    metric * (w->v_predictor[b->v0 + c] - w->r[b->v0 + c]);
    }
    cord__solve(w, s);
    add_solution(w, s, 1);
    cord__set_dependent_dofs(w, s, w->cache, w->now.v);
}

/* Those of blocks with places are from now on the ones that go with them. */
static void take_velocities(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        size_t bytes = (size_t)b->shape.dofs * sizeof(double);
        if (b->shape.inertial_count) memcpy(w->trial.v + b->v0, w->now.v + b->v0, bytes);
    }
}

/* Rows that return too soon to be told from rest have come to it. */
static void settle_short_flights(problem *w, island *s)
{
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        impact_state *b = &r->impact_state;
        if (b->in_contact && bounces(w, r) && b->rate_since > 0 && strikes(w, r) &&
            w->now.time - b->since < SHORT_FLIGHT * w->requested_step)
            b->comes_to_rest = b->resting = true;
    }
}

/* One after the other, until nothing approaches that is worth it. */
static bool collide(problem *w, island *s, int count)
{
    double first = 0;
    const constraint *r = fastest(w, s);
    for (int left = 100 + count * (count < 1000 ? 10 + count : 1000); r && left > 0; left--) {
        double e = restitution_of(r), approach = -r->impact_state.rate;
        if (first == 0) first = approach;
        if (approach < first * fmax(SLOW * (1 - e), SLOW_ELASTIC)) break;
        if (!push(w, s, r)) break;
        r = fastest(w, s);
    }
    cord__project_velocities(w, s, w->now.time, w->now.v, 0); /* rounding, in two-sided rows */
    return !r || stop(w, s, count);
}

/* What has changed from the velocities `from`, which obey the rows, is added to those there were, which in
 * `midpoint` obey them on average over steps only; places move with their columns. */
static void apply_change(problem *w, island *s, const double *from)
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

/* Which rows are at rest now; and what rates have jumped to. */
static void note_rates(problem *w, island *s)
{
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        impact_state *b = &r->impact_state;
        if (r->side == CORD_EQUAL) continue;
        r->active[0] = b->was_active;
        if (b->restitution == 0 || cord__constraint_released(w, r)) continue;
        double rate = rate_of(r, w->now.v), nothing = small_rate(w, r);
        if (b->in_contact && rate > nothing) b->resting = r->active[0] = false;
        if (b->in_contact && rate < -nothing) b->resting = true; /* no impulse would turn it */
        if (fabs(rate - rate_of(r, w->trial.v)) > nothing)
            b->since = w->now.time, b->rate_since = rate;
        b->rate = rate;
    }
}

cord_status cord__island_impact(problem *w, island *s)
{
    if (!look(w, s)) return CORD_OK;
    for (int k = 0; k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        r->impact_state.was_active = r->active[0];
    }
    cord__begin_step(w, s, false);
    double metric = prepare(w, s, false);
    if (metric == 0)
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "the system is singular", s->block[0], -1);
    copy_velocities(w, s, w->now.v, w->trial.v);
    take_momentum(w, s, metric);
    take_velocities(w, s);
    cord__project_velocities(w, s, w->now.time, w->now.v, 0);
    copy_velocities(w, s, w->now.v, w->a_predictor);
    int count = gather(w, s);
    settle_short_flights(w, s);
    if (!collide(w, s, count))
        return cord__set_failure(s, CORD_ERROR_SINGULAR, "the system is singular", s->block[0], -1);
    apply_change(w, s, w->a_predictor);
    note_rates(w, s);
    return cord__island_accelerations(w, s, AFTER_IMPACT * w->requested_step);
}
