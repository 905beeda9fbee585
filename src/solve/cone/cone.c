/* The loop over the methods: accelerated sweeps from the forces of the caller, and rounds of Newton steps where the sweeps
 * stall. The best iterate is the result. */
#include "solve/cone/cone_system.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 8 };

typedef struct search {
    const cone_system *system;
    const cone_options *options;
    cone_report report; /* of the best iterate */
    sweep_history history;
    int patience;
    double *p, *trial, *best; /* iterates of the sweeps and of Newton's method; the best one */
    double *newton_room;
} search;

cone_options cord__cone_options(int contacts)
{
    return (cone_options){.tolerance = 1e-6,
                          .proximal = 1e-3,
                          .sweeps = 1000,
                          .history = CONE_HISTORY,
                          .patience = contacts > CONE_DENSE ? 400 : 20};
}

size_t cord__cone_room(int contacts)
{
    return CONE_SYSTEM_ROOM(contacts) + 6 * (size_t)contacts + SWEEP_HISTORY_ROOM(contacts) +
           cord__contact_newton_room(contacts);
}

static size_t size_of(const search *s)
{
    return 3 * (size_t)s->system->problem->contacts * sizeof *s->p;
}

/* Of the tolerance: the residual at which the search ends. Contacts with small forces have larger errors than their sum. */
static const double AIM = 0.3;

/* Keeps the iterate, which is in the cone, if it is the best. True once that residual is reached. */
static bool judge(search *s, const double *p)
{
    int worst;
    double residual = cord__cone_residual(s->system, p, &worst);
    if (residual < s->report.residual || s->report.worst < 0) {
        s->report.residual = residual, s->report.worst = worst;
        memcpy(s->best, p, size_of(s));
    }
    return s->report.residual <= AIM * s->options->tolerance;
}

static bool out_of_sweeps(const search *s)
{
    return s->report.sweeps >= s->options->sweeps;
}

/* Of the wanted residual: the change of the forces by a sweep, about the residual before it, from which on residuals are evaluated,
 * which cost nearly as much as a sweep. */
static const double NEAR_AIM = 3;

/* Sweeps from one residual to the next where it is far from the tolerance. */
enum { JUDGED_SWEEP = 10 };

/* True at the tolerance, false when `patience` sweeps have not reduced the residual tenfold. Forces are judged before they are
 * accelerated: a sweep leaves each contact with the law that it has to obey, also those with small forces, of which the residual
 * and the acceleration know little. */
static bool accelerated_sweeps(search *s)
{
    double mark = s->report.residual;
    int since = 0, unjudged = 0;
    do {
        const double change = cord__cone_begin_sweep(s->system, &s->history, s->p);
        const bool near = change <= NEAR_AIM * AIM * s->options->tolerance;
        s->report.sweeps++, since++;
        if (change <= 0.1 * mark) mark = change, since = 0;
        if (near || ++unjudged == JUDGED_SWEEP) {
            unjudged = 0;
            if (judge(s, s->p)) return true;
        }
        cord__cone_accelerate(s->system, &s->history, s->p);
    } while (since < s->patience && !out_of_sweeps(s));
    return unjudged > 0 && judge(s, s->p);
}

/* A round of Newton steps from the iterate of the sweeps. Iterates of Newton's method may leave the cone, so that their
 * projections are judged. */
static bool newton_steps(search *s)
{
    double *projected = s->newton_room;
    memcpy(s->trial, s->p, size_of(s));
    for (int k = 0; k < NEWTON_STEPS; k++) {
        if (!cord__contact_newton_step(s->system, s->newton_room, s->trial, &s->report.products))
            break;
        s->report.newton_steps++;
        memcpy(projected, s->trial, size_of(s));
        cord__cone_project_all(s->system, projected);
        if (judge(s, projected)) return true;
    }
    return false;
}

/* Newton's method may end at a minimum of |F| that is no solution: after a round with little progress the sweeps go on from
 * their own iterate, for longer, and with half the history, since acceleration too may stall with one length of it. */
static bool newton_round(search *s)
{
    double before = s->report.residual;
    int *depth = &s->history.iterates.depth;
    if (newton_steps(s)) return true;
    cord__sweep_history_clear(&s->history);
    if (s->report.residual <= 0.1 * before) {
        memcpy(s->p, s->best, size_of(s));
        return false;
    }
    s->patience = 2 * s->patience + 2;
    *depth = *depth > 2 ? *depth / 2 : s->options->history;
    return false;
}

cone_report cord__cone_solve(const cone_problem *problem, const cone_options *options,
                             double *workspace, double *p)
{
    size_t n = (size_t)problem->contacts;
    cone_system system = cord__cone_prepare(problem, options->proximal, workspace);
    double *room = workspace + CONE_SYSTEM_ROOM(n), *history = room + 6 * n;
    search s = {.system = &system,
                .options = options,
                .report = {.residual = INFINITY, .worst = -1},
                .history = cord__sweep_history(&system, options->history, history),
                .patience = options->patience,
                .p = room,
                .trial = room + 3 * n,
                .best = p,
                .newton_room = history + SWEEP_HISTORY_ROOM(n)};
    cord__cone_project_all(&system, p);
    memcpy(s.p, p, size_of(&s));
    if (judge(&s, s.p) || out_of_sweeps(&s)) return s.report;
    while (!accelerated_sweeps(&s) && !out_of_sweeps(&s) && !newton_round(&s)) {}
    return s.report;
}
