/* The step of an island in contact by a scheme of one solve.
 *
 * The equations are solved once, without contact forces: D₀ is the increment, and A the matrix. With contact forces p along the
 * axes H the increment is
 *
 *     d = D₀ + A⁻¹Hᵀp,
 *
 * and what remains is geometry: gaps, normals and rows at the end of the step. Passes meet them. Each solves the cone problem of the
 * correction D₀ − d + A⁻¹Hᵀp at the trial, with all of p, and moves by it; a cluster that may move by a part of it only has the
 * rest in the next pass. The trial begins at the motion that velocities would continue. Rows of constraints that the motion has left
 * add their correction to D₀.
 *
 * The second pass is the return to the gaps. In later ones contacts with a force stay beside those that are found anew: the
 * contact of two strands that are nearly parallel goes from one end of them to the other if it is only found anew, while both
 * together hold them apart. Schemes whose free motion depends on velocities find it again (free_motion_again). */
#include "solve/contacts.h"
#include "solve/integrator.h"
#include "solve/island_loop.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 10, FINDING_PASSES = 2, USUAL_PASSES = 4 };

/* Of the radius: overlaps that are no reason for another pass, at first, and after the usual passes. Strands that are caught between
 * others then often go from one pair of overlaps to another and back, by a tenth of the radius, which later steps remove. One with
 * which passes do not end well: a shorter step follows. */
static const double SMALL_OVERLAP = 0.045, TOLERATED_OVERLAP = 0.15, HOPELESS_OVERLAP = 1;

/* Corrections, over the size of elements: one that leaves contacts where they are, and one that no solution has. */
static const double SMALL_CORRECTION = 1e-3, ABSURD = 1e4;

/* Of the typical length: an error of rows that the return to the rows makes good without moving contacts. */
static const double SMALL_ROW_ERROR = 1e-6;

typedef struct pass_of_step {
    const scheme_ops *scheme;
    double h;
    int pass;
} pass_of_step;

static void begin(problem *w, cluster *s, const void *with)
{
    const pass_of_step *of = with;
    of->scheme->begin(w, s, of->h, 0);
    s->newton.in_contact = true;
}

static cord_status find_free_motion(problem *w, cluster *s, const void *with)
{
    const pass_of_step *of = with;
    if (cord__cancelled()) return cord__cancel_cluster(s);
    cord_status status = of->scheme->free_motion(w, s, of->h);
    EACH_DOF(c) w->delta[c] = w->d[c]; /* the motion to the trial, which contacts bound */
    return status;
}

/* ---- passes --------------------------------------------------------------------------------------- */

/* Rows that a correction leaves an error in: those of chains are met by every configuration. */
static bool has_rows(const problem *w, const cluster *s)
{
    bool any = s->constraints > s->eliminated_count;
    for (int k = 0; !any && k < s->blocks; k++) any = BLOCK_HAS(w->block[s->block[k]], rows, error);
    return any;
}

/* Adds to D₀ the correction of rows at the trial. Where the last motion was not whole, it has not met them to first order. */
static void return_to_rows(problem *w, cluster *s)
{
    stage t = {.time = s->newton.stage.time,
               .force_time = s->newton.stage.force_time,
               .c_a = 1,
               .rows_only = true,
               .active_set_fixed = true};
    if (s->newton.fraction < 1 || !has_rows(w, s)) return;
    cord__assemble(w, s, &t, false);
    if (cord__row_error(w, s, w->cache, NULL) <= SMALL_ROW_ERROR) return;
    cord__rows_to_rhs(w, s);
    cord__solve(w, s);
    s->report.projection_iterations++;
    EACH_DOF(c) w->free_d[c] += w->delta[c];
}

/* The correction without contact forces. Positions are at the trial. */
static cord_status correct(problem *w, cluster *s, const void *with)
{
    const pass_of_step *of = with;
    cord_status status = CORD_OK;
    if (of->pass > 0 && of->scheme->free_motion_again)
        status = of->scheme->free_motion_again(w, s, of->h);
    if (of->pass > 0) return_to_rows(w, s);
    EACH_DOF(c) w->delta[c] = w->free_d[c] - w->d[c];
    return status;
}

static void add_response(problem *w, cluster *s)
{
    const unknown_map *map = &s->map;
    for (int u = 0; u < map->count; u++) {
        s->x[u] = cord__response_row(s, u)[0];
        if (map->source[u] >= 0) w->delta[map->source[u]] += s->x[u];
    }
    for (int i = 0; i < map->aliases; i++)
        w->delta[map->alias[i].dof] += s->x[map->alias[i].unknown];
}

static const response_ops motion = {.solve = cord__solve_responses, .add = add_response};

static cord_status measure_pass(problem *w, cluster *s, const void *with)
{
    newton_iteration *it = &s->newton;
    (void)with;
    cord_status status = cord__measure_correction(w, s);
    if (status != CORD_OK) return status;
    it->fraction = cord__step_bound(w, s);
    if (it->size < ABSURD) return CORD_OK;
    return cord__set_failure(s, CORD_ERROR_NOT_CONVERGED, "forces do not come into balance",
                             it->worst, -1);
}

static void move(problem *w, cluster *s, const void *with)
{
    (void)with;
    cord__move(w, s, s->newton.fraction);
}

/* Moves by the corrections. Whether all of them were taken. */
static bool move_all(problem *w, const island *of)
{
    bool whole = true;
    cord__contacts_mark(w, of, w->trial.q);
    cord__for_each(w, of, move, NULL);
    const bool bounded = cord__contacts_bound(w, of, false);
    of->contacts->moved = 0;
    for (int i = 0; i < of->clusters; i++) {
        newton_iteration *it = &of->cluster[i]->newton;
        if (bounded) it->fraction *= it->bound;
        whole = whole && it->fraction >= 1;
        of->contacts->moved = fmax(of->contacts->moved, it->size);
    }
    return whole;
}

static cord_status fail(const island *of, const char *cause)
{
    const cluster *s = of->cluster[0];
    for (int i = 0; i < of->clusters; i++)
        if (of->cluster[i]->newton.fraction < 1) s = of->cluster[i];
    return cord__set_failure(of->cluster[0], CORD_ERROR_NOT_CONVERGED, cause, s->block[0], -1);
}

/* `done`: the trial meets the gaps. */
static cord_status take_pass(problem *w, const island *of, const pass_of_step *step, bool *done)
{
    island_contacts *x = of->contacts;
    cord__locate_trial(w, of);
    cord_status status = cord__in_each(w, of, correct, step);
    if (status != CORD_OK) return status;
    x->refreshes = step->pass > 0;
    x->retains = step->pass >= FINDING_PASSES;
    x->moved = INFINITY;
    status = cord__solve_contacts_loosely(w, of, &motion, 1 / step->h);
    if (status == CORD_OK) status = cord__in_each(w, of, measure_pass, NULL);
    if (status != CORD_OK) return status;
    const bool whole = move_all(w, of);
    const bool again = x->moved >= SMALL_CORRECTION || step->scheme->free_motion_again;
    const bool usual = step->pass < USUAL_PASSES;
    const double overlap = cord__overlap(w, of, true);
    *done = overlap <= (usual ? SMALL_OVERLAP : TOLERATED_OVERLAP) && whole &&
            !(again && step->pass == 0);
    return usual || overlap <= HOPELESS_OVERLAP
               ? CORD_OK
               : fail(of, "strands in contact overlap more and more within a step");
}

/* ---- the step ------------------------------------------------------------------------------------- */

static void add_multipliers(problem *w, const island *of)
{
    for (int i = 0; i < of->clusters; i++)
        if (of->cluster[i]->contacts > 0) cord__add_multipliers(w, of->cluster[i], 1);
}

static void clear_correction(problem *w, cluster *s, const void *with)
{
    (void)with;
    EACH_DOF(c) w->delta[c] = 0;
    s->newton.fraction = 1;
}

static void set_rates(problem *w, cluster *s, const void *with)
{
    const pass_of_step *of = with;
    EACH_DOF(c)
    {
        w->trial.v[c] = w->d[c] / of->h;
        w->trial.a[c] = w->d[c] / (of->h * of->h) + w->a_predictor[c];
    }
}

/* Forces of the last pass to the tolerance of the world, multipliers and rates. */
static void end(problem *w, const island *of, const pass_of_step *step)
{
    add_multipliers(w, of);
    cord__for_each(w, of, clear_correction, NULL);
    cord__solve_contacts_exactly(w, of, &motion, 1 / step->h);
    if (of->contacts->live > 0) add_multipliers(w, of);
    cord__for_each(w, of, move, NULL);
    of->contacts->located = false;
    cord__for_each(w, of, set_rates, step);
    cord__contacts_end_stage(w, of, step->h);
    cord__follow_contacts(w, of);
}

cord_status cord__one_solve_in_contact(problem *w, const island *of, const scheme_ops *scheme,
                                       double h)
{
    pass_of_step step = {.scheme = scheme, .h = h};
    bool done = false;
    cord__contacts_begin_step(of, true);
    cord__contacts_begin_stage(w, of, w->now.q);
    cord__for_each(w, of, begin, &step);
    cord_status status = cord__in_each(w, of, find_free_motion, &step);
    if (status == CORD_OK) cord__contacts_bound(w, of, true);
    for (; status == CORD_OK && !done && step.pass < MOST_PASSES; step.pass++)
        status = take_pass(w, of, &step, &done);
    if (status != CORD_OK) return status;
    for (int i = 0; i < of->clusters; i++)
        if (of->cluster[i]->newton.fraction < 1)
            return fail(of, "strands in contact move past each other within a step");
    end(w, of, &step);
    return cord__check_overlap(w, of, LARGE_OVERLAP_ONE_SOLVE);
}
