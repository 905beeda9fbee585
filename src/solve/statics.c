/* Equilibria: the search for them, and steps of `quasi-static`, which end in one. */
#include "solve/contacts.h"
#include "solve/equilibrium.h"

#include <math.h>
#include <string.h>

/* The size of an undamped Newton step from here; INFINITY: there is none, or prescribed dofs still move. */
static double newton_size(problem *w, cluster *s, double tolerance)
{
    double bound;
    cord__static_evaluate(w, s, true, 0);
    if (cord__prescribed_motion_size(w, s) > tolerance || !cord__factor_and_solve(w, s))
        return INFINITY;
    return cord__largest_correction(w, s, &bound);
}

void cord__begin_at_rest(problem *w, cluster *s)
{
    cord__copy_state(s, &w->now, &w->trial);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        memset(w->trial.v + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        memset(w->trial.a + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
        memset(w->trial.inertial_v + b->inertial0, 0,
               (size_t)b->shape.inertial_count * sizeof(double));
        memset(w->trial.inertial_a + b->inertial0, 0,
               (size_t)b->shape.inertial_count * sizeof(double));
    }
    cord__refresh(w, s, w->trial.q, w->cache);
    cord__start_step(w, s);
}

static bool term_crosses_elements(const problem *w, const term *x)
{
    for (int side = 0; side < 2; side++)
        if (x->part[2 * side].block >= 0 &&
            cord__crosses_elements(w, cord__point_of(w, x, side), w->trial.q))
            return true;
    return false;
}

/* Whether a point has slid beyond the elements that its terms have degrees of freedom of, or the topology or the
 * quadrature of a block no longer fits. */
static bool crosses_elements(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const topology_ops *topology = b->ops->topology;
        const quadrature_ops *quadrature = b->ops->quadrature;
        if (topology && topology->is_past(b->model, w->trial.q + b->q0)) return true;
        if (quadrature && quadrature->fit(b->model, w->trial.q + b->q0) == QUADRATURE_COARSE)
            return true;
    }
    for (int k = 0; k < s->constraints; k++)
        if (term_crosses_elements(w, &w->constraint[s->constraint[k]]->term)) return true;
    for (int k = 0; k < s->forces; k++)
        if (term_crosses_elements(w, &w->force[s->force[k]]->term)) return true;
    return false;
}

/* A step of `quasi-static` begins at `now`, with w->cache there; it ends, or an equilibrium does, at the last assembly. */
static void begin_forces(problem *w, const cluster *s)
{
    for (int k = 0; s->search.rate_factor > 0 && k < s->forces; k++) {
        force_term *f = w->force[s->force[k]];
        if (f->ops->begin_step) f->ops->begin_step(w, f);
    }
}

static void end_forces(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->forces; k++) {
        force_term *f = w->force[s->force[k]];
        if (f->ops->end_step) f->ops->end_step(s, f);
    }
}

/* Closed rows of an equilibrium are at rest. */
static void rest_active_rows(const problem *w, const cluster *s)
{
    for (int k = 0; k < s->one_sided_count; k++) {
        const constraint *r = w->constraint[s->one_sided[k]];
        if (!cord__constraint_released(w, r))
            r->impact->state.resting = r->state.active[r->ops->rows - 1];
    }
}

/* The proximal terms of the rows lead to a compromise of rows that contradict each other, with enormous multipliers. */
static cord_status check_rows(problem *w, cluster *s)
{
    int violated = -1;
    cord__static_evaluate(w, s, false, 0);
    if (cord__row_error(w, s, w->cache, &violated) <= CONTRADICTION) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_INCONSISTENT, "constraints cannot be met", s->block[0],
                             violated);
}

/* Whether a step of `quasi-static` leaves the equilibrium: one factorisation in double precision, in which rounding must
 * not make a neutral direction an unstable one. */
static void clearly_unstable(problem *w, cluster *s, stability *out)
{
    const double surely_not_neutral = 1e-3;
    cord__static_evaluate(w, s, true, surely_not_neutral);
    out->unstable = cord__factor(w, s) ? s->negative - s->rows : -1;
    if (out->unstable > 0 && cord__bears_contacts(w, s) &&
        cord__contact_directions(w, s, false, &out->unstable) != CORD_OK)
        out->unstable = 0;
}

/* Whether the trial was moved so that it goes round rows that cannot be met directly; a few times in a search. */
static bool goes_round(problem *w, cluster *s, iteration *it, int *count)
{
    enum { MOST = 4 };
    if (*count >= MOST || cord__cancelled() || !cord__buckle(w, s)) return false;
    *it = (iteration){.fraction = 1};
    (*count)++;
    return true;
}

/* Corrections below which a Newton step tells whether an unstable equilibrium is near, and how often it is tried. */
static const double NEAR = 1e-4;
enum { MOST_SADDLES = 4 };

/* Creeping steps after which descent is beside a saddle. */
enum { CREPT = 6 };

/* Descent creeps beside a saddle if hardly any force acts along its mode: the proximal term that makes the mode positive
 * damps all others. The search leaves along the mode; without a kick and without a force, by symmetry, it goes on to the
 * saddle by Newton's method. */
static void leave_saddle(problem *w, cluster *s, const cord_statics_def *def, iteration *it,
                         bool *newton)
{
    departure how = cord__leave_along_mode(w, s, def->kick);
    *it = (iteration){.fraction = 1, .neutral = it->neutral};
    *newton = how == NO_FORCE;
}

/* A search for a stable equilibrium leaves an unstable one along its mode, as long as that leads to a lower energy. */
static bool leaves(problem *w, cluster *s, const cord_statics_def *def, const stability *found,
                   int *count, double *from)
{
    enum { MOST = 8 };
    if (found->unstable == 0 || def->nearest || def->kick <= 0 || (*count)++ >= MOST) return false;
    double energy = cord__merit(w, s).energy;
    if (*count > 1 && !(energy < *from - 1e-12 * fabs(*from))) return false;
    *from = energy;
    cord__leave_along_mode(w, s, def->kick);
    return true;
}

/* Where few contacts support much and μ is small, W has eigenvalues far apart, the cones are solved less accurately than an
 * equilibrium has to be, and the search ends with overlaps. With a μ larger by this they are removed. */
static const double SEPARATING = 100;

/* Iterations in which contacts move along strands; then they stay, so that the search does not alternate between sets of them. */
enum { FOLLOWED = 12 };

/* Whether a search that ended with contacts at fixed points has to go on with contacts between them. */
static bool misses_contacts(problem *w, cluster *s)
{
    island_contacts *x = s->search.contacts;
    return x && x->fixed && cord__misses_contacts(w, &(island){1, &s, x}, true);
}

static void begin_search(problem *w, cluster *s)
{
    s->report.status = CORD_OK;
    cord__set_parameters(w, s, s->search.time, s->search.time);
    cord__begin_at_rest(w, s);
    cord__static_contacts_begin(w, s);
    begin_forces(w, s);
    cord__kinks_clear(w, s);
    cord__set_proximal_ratios(w, s);
}

/* Whether the rows, or prescribed dofs, are far from their values. */
static bool begins_apart(problem *w, const cluster *s)
{
    return cord__prescribed_motion_size(w, s) > 1e-6 || cord__merit(w, s).violation > 1e-9;
}

static cord_status search(problem *w, cluster *s, const cord_statics_def *def, equilibrium *out)
{
    iteration it = {.fraction = 1};
    int left = 0, stalled = 0, detours = 0, saddles = 0;
    bool newton = def->nearest;
    double best = INFINITY, left_from = 0;
    memset(out, 0, sizeof *out);
    begin_search(w, s);
    if (!s->search.in_step && begins_apart(w, s)) goes_round(w, s, &it, &detours);
    while (out->iterations++ < def->max_iterations) {
        const bool in_contact = cord__bears_contacts(w, s);
        if (in_contact && out->iterations > FOLLOWED)
            s->search.contacts->fixed = !s->search.contacts->has_solids;
        newton = newton && !in_contact;
        cord_status status = (newton ? cord__newton_to_equilibrium : cord__descend)(w, s, &it);
        if (status == CORD_ERROR_NOT_CONVERGED && newton && !def->nearest) {
            newton = false;
            continue;
        }
        if (status == CORD_ERROR_NOT_CONVERGED && goes_round(w, s, &it, &detours)) continue;
        if (status != CORD_OK) return status;
        s->report.newton_iterations++;
        if (crosses_elements(w, s))
            return CORD_OK; /* the world changes the topology, and searches again */
        if (s->search.contacts && s->search.contacts->far)
            return CORD_OK; /* the world detects contacts, and searches again */
        if (cord__kinks_note(w, s, w->q_half)) {
            it.mu = 0, best = INFINITY;
            continue;
        }
        /* Near a bifurcation, and along a neutral direction, rounding of the residual alone moves the
         * configuration by more than the tolerance: the search ends when the residual no longer falls
         * with a negligible μ. */
        double residual = cord__static_residual(w, s);
        if (it.crept >= CREPT && !in_contact) {
            leave_saddle(w, s, def, &it, &newton);
            continue;
        }
        bool damped = it.used > LEAST_MU || it.fraction < 1 || it.correction > 1e-2;
        /* Friction is not symmetric, and small displacements along an obstacle have a large second derivative: μ may stay. */
        bool balanced =
            in_contact && it.fraction == 1 && it.correction < 1e-5 &&
            residual < 1e-8 * cord__largest_multiplier(w, s) * w->block[s->block[0]]->scale[0];
        if (balanced) damped = false;
        stalled = residual < 0.5 * best || damped ? 0 : stalled + 1;
        best = fmin(best, residual);
        bool settled = it.used == 0 || stalled > 0;
        bool found = (stalled >= 5 && (balanced || residual < 10 * best)) ||
                     (!damped && settled && it.correction < def->tolerance);
        if (found && cord__contacts_overlap(w, s)) {
            it.mu = fmax(SEPARATING * it.used, 1);
            continue;
        }
        /* Descent avoids an unstable equilibrium, but a search that begins at one stays. */
        if (!found && !newton && !in_contact &&
            it.correction < (def->kick > 0 ? 0.01 * NEAR : NEAR)) {
            double size = newton_size(w, s, def->tolerance);
            found = size < def->tolerance && it.correction < 0.01 * NEAR;
            newton = def->kick <= 0 && it.used > LEAST_MU && size < 10 * NEAR &&
                     saddles++ < MOST_SADDLES;
        }
        if (!found || misses_contacts(w, s)) continue;
        stage here = cord__static_stage(s);
        if (cord__kinks_release(w, s, &here)) continue;
        status = check_rows(w, s);
        if (status == CORD_ERROR_INCONSISTENT && goes_round(w, s, &it, &detours)) continue;
        if (status != CORD_OK) return status;
        out->residual = cord__static_residual(w, s);
        if (s->search.in_step)
            clearly_unstable(w, s, &out->stability);
        else
            status = cord__trial_stability(w, s, &out->stability);
        if (status != CORD_OK || !leaves(w, s, def, &out->stability, &left, &left_from))
            return status;
    }
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED,
                             "no equilibrium is found within the allowed iterations", s->block[0],
                             -1);
}

cord_status cord__cluster_equilibrium(problem *w, cluster *s, const cord_statics_def *def,
                                      equilibrium *out)
{
    s->search = (equilibrium_search){.time = w->now.time};
    cord_status status = search(w, s, def, out);
    if (status != CORD_OK) return status;
    rest_active_rows(w, s);
    end_forces(w, s);
    return status;
}

/* Displacements of a thousandth of the smallest element are enough to leave a saddle. */
static double small_kick(const problem *w, const cluster *s)
{
    double least = INFINITY;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < (b->shape.inertial_count ? 1 : b->shape.dofs); c++)
            if (b->scale[c] != 1) least = fmin(least, b->scale[c]);
    }
    return isfinite(least) ? 1e-3 * least : 0;
}

/* Iterations of the search per Newton iteration that other integrators are allowed. */
enum { SEARCH = 40 };

cord_status cord__cluster_quasi_static(problem *w, cluster *s, double h)
{
    cord_statics_def def = {.tolerance = w->small_correction,
                            .max_iterations = SEARCH * w->max_iterations,
                            .kick = small_kick(w, s)};
    equilibrium found;
    s->search = (equilibrium_search){
        .time = w->now.time + h, .rate_factor = h > 0 ? 1 / h : 0, .in_step = true};
    cord_status status = search(w, s, &def, &found);
    if (status != CORD_OK) return status;
    rest_active_rows(w, s);
    if (h > 0) end_forces(w, s);
    return status;
}

/* Multipliers at the present configuration, when no step or search has found them yet, by one solve; where
 * that fails they stay. At an equilibrium every μ serves. One of order 1 keeps rounding from moving the configuration along
 * neutral directions, which would change the multipliers; a larger one would resist the correction of the rows' rounding
 * errors. */
void cord__cluster_multipliers(problem *w, cluster *s)
{
    cord__begin_at_rest(w, s);
    s->search = (equilibrium_search){.time = w->now.time};
    cord__static_contacts_begin(w, s);
    cord__set_proximal_ratios(w, s);
    cord__static_evaluate(w, s, true, 1);
    cord__add_contact_forces(w, s, -1);
    if (!cord__factor_and_solve(w, s)) return;
    for (int u = 0; u < s->unknowns; u++)
        if (!isfinite(s->x[u])) return;
    cord__add_multipliers(w, s, 1);
    cord__copy_multipliers(w, s, w->trial.lambda, w->now.lambda);
}
