/* Contact forces in an iteration: contacts.h has the equations. */
#include "math/lu.h"
#include "math/vec3.h"
#include "solve/contacts.h"
#include "solve/integrator.h"
#include "solve/island_loop.h"

#include <math.h>
#include <string.h>

/* Passes in which contacts that would overlap become live. */
enum { PASSES = 6, ACTIVE_SETS = 12 };

/* Of the margin: an overlap that counts as none. */
static const double NO_OVERLAP = 1e-10;

/* In statics corrections become as small as rounding admits. */
static const double STATIC_TOLERANCE = 1e-11, STATIC_PROXIMAL = 1e-9;

/* While contacts still move the forces need not be found more accurately than by this. */
static const double LOOSE = 1e-4, LOOSE_PASS = 1e-3, LOOSE_PREDICTION = 1e-2;

static const double LEAST_PROXIMAL = 1e-6;
/* The sweeps of fewer contacts cost less than another pass of a projection. */
enum { MANY_CONTACTS = 16 };

enum { FEW_SWEEPS = 150, MANY_SWEEPS = 200 };

/* Solves of the last pass of a step of one solve, at most: the error of the proximal term falls by its factor in each. */
enum { SOLVES = 3 };

bool cord__contacts_in_force(const island *of)
{
    return of->contacts && of->contacts->in_force;
}

bool cord__contacts_bear(const problem *w, const island *of)
{
    const island_contacts *x = of->contacts;
    bool any = false;
    for (int i = 0; i < x->rows; i++) any = any || w->contacts->row[x->first_row + i].force[0] > 0;
    return any;
}

/* A row of the response to the first force. */
static double first_response(const contact_columns *on, int row)
{
    return on->cluster->responses.x[(size_t)row * RESPONSES];
}

/* H x, x being the response of the clusters to the forces of all contacts. */
static void apply_response(const contact_row *r, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int side = 0; side < 2; side++) {
        const contact_columns *on = r->side + side;
        const int *response = on->response;
        double motion[3] = {0, 0, 0};
        for (int i = 0; i < on->points; i++)
            for (int k = 0; k < 3; k++, response++)
                if (*response >= 0) motion[k] += on->weight[i] * first_response(on, *response);
        if (on->points > 0) cord__add_along_axes(r, side, motion, out);
        for (int i = 0; on->points == 0 && i < on->count; i++)
            if (response[i] >= 0) v3_axpy(out, first_response(on, response[i]), on->H + 3 * i);
    }
}

/* ---- forces --------------------------------------------------------------------------------------- */

/* b = start − W × the part of p that the trial contains. */
static void set_right_sides(contact_set *k, const island_contacts *x)
{
    const int *row_start = k->row_start + 2 * x->first_row, *live = k->live + x->first_row;
    for (int i = 0; i < x->live; i++) {
        contact_row *r = k->row + live[i];
        memcpy(r->b, r->start, sizeof r->b);
        for (int e = row_start[i]; e < row_start[i + 1]; e++) {
            const double *W = k->block + 9 * (x->first_block + (size_t)e);
            const double *p = k->row[live[k->column[x->first_block + (size_t)e]]].applied;
            if (p[0] == 0) continue;
            for (int axis = 0; axis < 3; axis++)
                r->b[axis] -= W[3 * axis] * p[0] + W[3 * axis + 1] * p[1] + W[3 * axis + 2] * p[2];
        }
    }
}

/* ε of the next solve. Forces that hardly move anything, as of a rod that sticks at many points, converge with the factor
 * ε D/(ε D + their eigenvalue of W) from iteration to iteration: once positions and normals stay, ε falls tenfold in each, as
 * long as the cones are solved with few sweeps, and rises where they are not. */
static void adapt_proximal(island_contacts *x, double tolerance, double first)
{
    const bool hard = x->report.residual > tolerance || x->report.sweeps > MANY_SWEEPS;
    if (x->refreshed)
        x->proximal = 0.1 * first;
    else if (hard)
        x->proximal = fmin(first, 10 * x->proximal);
    else if (x->report.sweeps <= FEW_SWEEPS)
        x->proximal = fmax(LEAST_PROXIMAL, 0.1 * x->proximal);
}

/* The part of the residual that the proximal term leaves: ε |p − p⁻|/|p|. */
static double proximal_error(double proximal, size_t count, const double *p, const double *previous)
{
    double change = 0, forces = 0;
    for (size_t i = 0; i < count; i++) {
        change += (p[i] - previous[i]) * (p[i] - previous[i]);
        forces += p[i] * p[i];
    }
    return forces > 0 ? proximal * sqrt(change / forces) : 0;
}

/* Of ε at first, in islands of several clusters, where it saves iterations. With it the coils of one rope, which have more contacts
 * than its motion determines, received forces beyond all measure. */
static const double SMALLER_PROXIMAL = 0.1;

/* Of the next solve, and the ε of its first one in `first`. */
static cone_options options_of(const contact_set *k, const island *of, bool projects, double *first)
{
    island_contacts *x = of->contacts;
    cone_options options = cord__cone_options(x->live);
    options.tolerance = k->statics ? fmin(STATIC_TOLERANCE, k->def.tolerance) : k->def.tolerance;
    x->loose = x->loose && !(projects && x->live < MANY_CONTACTS);
    const double loose = projects ? LOOSE_PREDICTION : x->by_passes ? LOOSE_PASS : LOOSE;
    if (x->loose) options.tolerance = fmax(options.tolerance, loose);
    *first = options.proximal * (of->clusters > 1 ? SMALLER_PROXIMAL : 1);
    if (x->refreshes <= 1) x->proximal = *first;
    options.proximal = k->statics ? STATIC_PROXIMAL : x->proximal;
    options.sweeps = k->def.max_sweeps;
    return options;
}

static void count_solve(island_contacts *x, const cone_options *options)
{
    x->solves++;
    x->sweeps += x->report.sweeps;
    x->newton_steps += x->report.newton_steps;
    x->unsolved += x->report.residual > options->tolerance;
}

static void solve_cone(contact_set *k, const island *of, bool projects)
{
    island_contacts *x = of->contacts;
    const size_t at = (size_t)x->first_row;
    double first;
    for (int i = 0; i < x->live; i++) {
        const contact_row *r = k->row + k->live[at + (size_t)i];
        memcpy(k->b + 3 * (at + (size_t)i), r->b, sizeof r->b);
        memcpy(k->force + 3 * (at + (size_t)i), r->force, sizeof r->force);
        memcpy(k->previous + 3 * (at + (size_t)i), r->force, sizeof r->force);
        k->friction[at + (size_t)i] = r->friction;
    }
    const cone_problem cones = {.contacts = x->live,
                                .row_start = k->row_start + 2 * at,
                                .column = k->column + x->first_block,
                                .block = k->block + 9 * x->first_block,
                                .b = k->b + 3 * at,
                                .friction = k->friction + at,
                                .previous = k->previous + 3 * at};
    const cone_options options = options_of(k, of, projects, &first);
    x->report = cord__cone_solve(&cones, &options, k->cone_work + x->first_work, k->force + 3 * at);
    count_solve(x, &options);
    x->proximal_error = proximal_error(options.proximal, 3 * (size_t)x->live, k->force + 3 * at,
                                       k->previous + 3 * at);
    adapt_proximal(x, options.tolerance, first);
    for (int i = 0; i < x->live; i++)
        memcpy(k->row[k->live[at + (size_t)i]].force, k->force + 3 * (at + (size_t)i),
               3 * sizeof(double));
}

/* In a projection: by Newton's method with its rows. False: forces are not found. */
static bool solve_with_rows(const problem *w, const island *of, double c_v)
{
    double first;
    const cone_options options = options_of(w->contacts, of, true, &first);
    cone_report report;
    if (!cord__solve_with_contact_rows(w, of, c_v, &options, &report)) return false;
    of->contacts->report = report;
    count_solve(of->contacts, &options);
    return true;
}

/* Adds the force p, along the axes of a row, to the first force on the cluster of a side. */
static void add_force(const contact_row *r, int side, const double p[3])
{
    const contact_columns *on = r->side + side;
    const int *response = on->response;
    double *x = on->cluster->responses.x, force[3];
    v3_combine(force, p[0], r->axis[0], p[1], r->axis[1]);
    v3_axpy(force, p[2], r->axis[2]);
    v3_scale(force, side ? -1 : 1, force);
    for (int i = 0; i < on->points; i++)
        for (int k = 0; k < 3; k++, response++)
            if (*response >= 0) x[(size_t)*response * RESPONSES] += on->weight[i] * force[k];
    for (int i = 0; on->points == 0 && i < on->count; i++)
        if (response[i] >= 0) x[(size_t)response[i] * RESPONSES] += v3_dot(on->H + 3 * i, p);
}

/* Forces of contacts on a cluster, as the first of its forces: scale × p, less `applied` × their part in the trial. */
static void set_forces(const problem *w, const island_contacts *x, cluster *s, double scale,
                       double applied)
{
    const contact_set *k = w->contacts;
    cord__clear_responses(w, s);
    for (int m = 0; m < s->contacts; m++) {
        const contact_row *r = k->row + k->live[x->first_row + k->member[s->first_contact + m]];
        double p[3];
        for (int axis = 0; axis < 3; axis++)
            p[axis] = scale * r->force[axis] - applied * r->applied[axis];
        for (int side = 0; side < 2; side++) {
            const contact_columns *on = r->side + side;
            if (on->cluster != s) continue;
            add_force(r, side, p);
        }
    }
}

void cord__stiffen_in_contact(const problem *w, const cluster *s)
{
    const contact_set *k = w->contacts;
    const island_contacts *x = k->island + s->island;
    for (int m = 0; m < s->contacts; m++)
        cord__stiffen_row(w, s, k->row + k->live[x->first_row + k->member[s->first_contact + m]]);
}

void cord__withdraw_contacts(problem *w, const island *of, cluster *s, const response_ops *by)
{
    set_forces(w, of->contacts, s, -1, 0);
    by->solve(w, s, 1);
    by->add(w, s);
}

typedef struct responding {
    const island_contacts *contacts;
    const response_ops *by;
} responding;

static void respond_one(problem *w, cluster *s, const void *with)
{
    const responding *x = with;
    if (s->contacts == 0) return;
    set_forces(w, x->contacts, s, 1, 1);
    x->by->solve(w, s, 1);
}

/* The responses of all clusters to the contact forces. */
static void respond(problem *w, const island *of, const response_ops *by)
{
    cord__for_each(w, of, respond_one, &(responding){of->contacts, by});
}

/* Velocities with the forces; contacts that would overlap become live. Whether there are any. */
static bool find_overlaps(contact_set *k, island_contacts *x, double c_v)
{
    bool any = false;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        double change[3];
        apply_response(r, change);
        for (int axis = 0; axis < 3; axis++) r->u[axis] = r->start[axis] + c_v * change[axis];
        if (r->live >= 0 || !(r->u[0] < -NO_OVERLAP * k->margin * c_v)) continue;
        r->live = 0;
        any = true;
    }
    return any;
}

static void clear_unused_responses(problem *w, const island *of)
{
    for (int c = 0; c < of->clusters; c++)
        if (of->cluster[c]->contacts == 0 && of->cluster[c]->responses.x)
            cord__clear_responses(w, of->cluster[c]);
}

static void add_to_solution(problem *w, cluster *s)
{
    for (int u = 0; u < s->map.count; u++) s->x[u] += cord__response_row(s, u)[0];
    cord__read_dofs(w, s);
}

const response_ops cord__newton_responses = {.solve = cord__solve_responses,
                                             .add = add_to_solution};

static cord_status fail(const problem *w, const island *of, const contact_row *r)
{
    const contact_set *k = w->contacts;
    int index = 0;
    const block *b = k->context[k->segment[r->at.segment[0]].block].block;
    while (w->block[index] != b) index++;
    return cord__set_failure(r->side[0].cluster ? r->side[0].cluster : of->cluster[0],
                             CORD_ERROR_NOT_CONVERGED,
                             "strands in contact move past each other within a step", index, -1);
}

/* Relative velocities without contact forces, and contacts that may have one. Whether some of them were not live. In a
 * projection contacts that are as near as others overlap are live, too, since the forces of these may close them. */
static bool set_free_velocities(problem *w, island_contacts *x, double c_v)
{
    bool more = false;
    double least = 0;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = w->contacts->row + x->first_row + i;
        memcpy(r->start, r->c, sizeof r->start);
        cord__add_row_motion(r, w->delta, r->start);
        for (int axis = 0; axis < 3; axis++) r->start[axis] *= c_v;
        least = fmin(least, r->start[0]);
    }
    const double reach = w->integrator->explicit_forces ? -least : 0;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = w->contacts->row + x->first_row + i;
        if (r->live >= 0 || !(r->force[0] > 0 || r->start[0] < reach)) continue;
        r->live = 0;
        more = true;
    }
    return more;
}

/* `solves` of the cone problem, each with the proximal term about the forces of the last, of which the error is a thousandth. */
static cord_status find_forces(problem *w, const island *of, const response_ops *by, double c_v,
                               bool coupled, int solves)
{
    contact_set *k = w->contacts;
    island_contacts *x = of->contacts;
    for (int pass = 0; pass < PASSES; pass++, coupled = false) {
        double began = cord__seconds();
        cord_status status = coupled ? CORD_OK : cord__list_live(w, of);
        if (status != CORD_OK || x->live == 0) return status;
        if (!coupled) x->by_newton = by->couple && cord__couple_with_rows(w, of);
        double ready = cord__seconds();
        x->seconds_coupling += ready - began;
        if (!x->by_newton || !solve_with_rows(w, of, c_v)) {
            if (!coupled || x->by_newton) status = cord__couple_contacts(w, of, by, c_v);
            if (status != CORD_OK) return status;
            x->by_newton = false;
            set_right_sides(k, x);
            x->seconds_coupling -= ready;
            ready = cord__seconds();
            x->seconds_coupling += ready;
            for (int i = 0; i < solves; i++) solve_cone(k, of, w->integrator->explicit_forces);
        }
        x->seconds_cones += cord__seconds() - ready;
        clear_unused_responses(w, of);
        respond(w, of, by);
        if (!find_overlaps(k, x, c_v)) break;
    }
    for (int c = 0; c < of->clusters; c++)
        if (of->cluster[c]->contacts > 0) by->add(w, of->cluster[c]);
    return CORD_OK;
}

cord_status cord__solve_with_rows(problem *w, const island *of, const response_ops *by, double c_v)
{
    for (int i = 0; i < of->contacts->rows; i++)
        w->contacts->row[of->contacts->first_row + i].live = -1;
    set_free_velocities(w, of->contacts, c_v);
    return find_forces(w, of, by, c_v, false, 1);
}

cord_status cord__solve_contacts(problem *w, const island *of, const response_ops *by, double c_v)
{
    double began = cord__seconds();
    const contact_row *failed = cord__contact_rows(w, of);
    of->contacts->seconds_rows += cord__seconds() - began;
    return failed ? fail(w, of, failed) : cord__solve_with_rows(w, of, by, c_v);
}

cord_status cord__solve_contacts_loosely(problem *w, const island *of, const response_ops *by,
                                         double c_v)
{
    island_contacts *x = of->contacts;
    double began = cord__seconds();
    (void)cord__contact_rows(w, of);
    x->seconds_rows += cord__seconds() - began;
    x->loose = x->by_passes = true;
    return cord__solve_with_rows(w, of, by, c_v);
}

void cord__solve_contacts_exactly(problem *w, const island *of, const response_ops *by, double c_v)
{
    contact_set *k = w->contacts;
    island_contacts *x = of->contacts;
    double began = cord__seconds();
    if (x->live == 0) return;
    x->loose = false;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        memcpy(r->applied, r->force, sizeof r->applied);
    }
    for (int i = 0; i < SOLVES; i++) {
        solve_cone(k, of, false);
        if (x->proximal_error <= k->def.tolerance) break;
    }
    x->seconds_cones += cord__seconds() - began;
    clear_unused_responses(w, of);
    respond(w, of, by);
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        double change[3];
        apply_response(r, change);
        for (int axis = 0; axis < 3; axis++) r->u[axis] += c_v * change[axis];
    }
    for (int c = 0; c < of->clusters; c++)
        if (of->cluster[c]->contacts > 0) by->add(w, of->cluster[c]);
}

cord_status cord__solve_contacts_again(problem *w, const island *of, const response_ops *by,
                                       double c_v)
{
    for (int i = 0; i < of->contacts->rows; i++) {
        contact_row *r = w->contacts->row + of->contacts->first_row + i;
        memcpy(r->previous, r->force, sizeof r->previous);
        memcpy(r->applied, r->force, sizeof r->applied);
    }
    bool more = set_free_velocities(w, of->contacts, c_v);
    return find_forces(w, of, by, c_v, !more, 1);
}

cord_status cord__solve_impulses(problem *w, const island *of, const response_ops *by, double c_v)
{
    for (int i = 0; i < of->contacts->rows; i++) {
        contact_row *r = w->contacts->row + of->contacts->first_row + i;
        memset(r->applied, 0, sizeof r->applied);
        memset(r->force, 0, sizeof r->force);
        r->live = r->start[0] < 0 ? 0 : -1;
    }
    return find_forces(w, of, by, c_v, false, 4);
}

/* ---- an active set, where W is not positive ------------------------------------------------------ */

typedef enum row_state { ROW_OPEN, ROW_STICKS, ROW_SLIPS } row_state;

static void begin_active_set(contact_set *k, const island_contacts *x)
{
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        double size = hypot(r->force[1], r->force[2]), limit = r->friction * r->force[0];
        bool slips = r->friction == 0 || size >= (1 - 1e-9) * limit;
        r->state = !(r->force[0] > 0) ? ROW_OPEN : slips ? ROW_SLIPS : ROW_STICKS;
        for (int c = 0; c < 2; c++) r->along[c] = size > 0 ? r->force[1 + c] / size : 0;
        r->live = r->state == ROW_OPEN ? -1 : 0;
    }
}

/* Forces with u_N = 0, and u_T = 0 where a contact sticks; where it slips p_T = μ p_N along its direction. */
static bool solve_active_set(contact_set *k, const island_contacts *x)
{
    double *a = k->count.matrix, *p = k->count.values;
    int n = 0, *pivot = k->count.dof, *contact_of = pivot + k->count.room,
        *axis_of = contact_of + k->count.room;
    for (int i = 0; i < x->live; i++) {
        int axes = k->row[k->live[x->first_row + i]].state == ROW_STICKS ? 3 : 1;
        if (n + axes > k->count.room) return false;
        for (int axis = 0; axis < axes; axis++) contact_of[n] = i, axis_of[n++] = axis;
    }
    for (int i = 0; i < n; i++) {
        p[i] = -k->row[k->live[x->first_row + contact_of[i]]].b[axis_of[i]];
        for (int j = 0; j < n; j++) {
            const contact_row *r = k->row + k->live[x->first_row + contact_of[j]];
            const double *W =
                cord__coupling_block(k, x, contact_of[i], contact_of[j]) + 3 * axis_of[i];
            double entry = W[axis_of[j]];
            if (r->state == ROW_SLIPS)
                entry += r->friction * (W[1] * r->along[0] + W[2] * r->along[1]);
            a[(size_t)i * (size_t)n + (size_t)j] = entry;
        }
    }
    if (!cord__lu_factor(n, a, pivot)) return false;
    cord__lu_solve(n, a, pivot, p);
    for (int j = 0; j < n; j++) {
        contact_row *r = k->row + k->live[x->first_row + contact_of[j]];
        r->force[axis_of[j]] = p[j];
        for (int c = 0; r->state == ROW_SLIPS && c < 2; c++)
            r->force[1 + c] = r->friction * p[j] * r->along[c];
    }
    return true;
}

/* Contacts that the solution contradicts change. Whether any did. */
static bool change_states(contact_set *k, const island_contacts *x)
{
    bool any = false;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        int before = r->state;
        double size = hypot(r->force[1], r->force[2]), limit = r->friction * r->force[0];
        if (r->state == ROW_OPEN) {
            if (r->live >= 0) r->state = r->friction > 0 ? ROW_STICKS : ROW_SLIPS;
        } else if (r->force[0] < 0) {
            r->state = ROW_OPEN;
            r->live = -1;
            r->force[0] = r->force[1] = r->force[2] = 0;
        } else if (r->state == ROW_STICKS && size > limit) {
            r->state = ROW_SLIPS;
            for (int c = 0; c < 2; c++) r->along[c] = r->force[1 + c] / size;
        } else if (r->state == ROW_SLIPS && r->friction > 0 &&
                   r->along[0] * r->u[1] + r->along[1] * r->u[2] > 0) {
            r->state = ROW_STICKS;
        }
        any = any || r->state != before;
    }
    return any;
}

bool cord__solve_active_contacts(problem *w, const island *of, const response_ops *by)
{
    contact_set *k = w->contacts;
    island_contacts *x = of->contacts;
    set_free_velocities(w, x, 1);
    begin_active_set(k, x);
    for (int pass = 0; pass < ACTIVE_SETS; pass++) {
        if (cord__couple_contacts(w, of, by, 1) != CORD_OK || x->live == 0) return false;
        set_right_sides(k, x);
        if (!solve_active_set(k, x)) return false;
        clear_unused_responses(w, of);
        respond(w, of, by);
        find_overlaps(k, x, 1);
        if (change_states(k, x)) continue;
        for (int c = 0; c < of->clusters; c++)
            if (of->cluster[c]->contacts > 0) by->add(w, of->cluster[c]);
        return true;
    }
    return false;
}
