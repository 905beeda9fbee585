/* Contacts in a search for an equilibrium of a cluster. With the matrix A of a step of descent, the step δ₀ without contact
 * forces, gaps g at the trial and H the three rows of a contact,
 *
 *     δ = δ₀ + A⁻¹Hᵀp,     u = c + H δ,     c = (g, the tangential motion since the start of the step),
 *
 * with Coulomb's law between u and p; without friction 0 ≤ p_N ⊥ g + H_N δ ≥ 0. Contacts act on the centreline of a strand. */
#include "math/vec3.h"
#include "solve/contacts.h"

#include <math.h>
#include <string.h>

#define EACH_ROW(r)                                                                                \
    for (contact_row *r = s->search.contacts ? w->contacts->row + s->search.contacts->first_row    \
                                             : NULL,                                               \
                     *end_row = r ? r + s->search.contacts->rows : NULL;                           \
         r < end_row; r++)

/* Also without pairs: a search that moves out of the margin may have some. */
static bool has_surface(const problem *w, const cluster *s)
{
    bool any = false;
    for (int i = 0; i < s->blocks; i++) {
        const block *b = w->block[s->block[i]];
        any = any || b->curve >= 0 || b->first_obstacle >= 0;
    }
    return any;
}

void cord__static_contacts_begin(problem *w, cluster *s)
{
    contact_set *k = w->contacts;
    s->search.contacts = NULL;
    if (!k || !k->statics || s->island >= k->islands || !has_surface(w, s)) return;
    island_contacts *x = s->search.contacts = k->island + s->island;
    x->refreshes = x->searches = x->rows = 0;
    x->far = x->fixed = false;
    cord__refresh_rows(w, s, w->now.q, w->cache_start);
}

void cord__static_contacts(problem *w, cluster *s)
{
    double began = cord__seconds();
    cord__contact_rows(w, &(island){1, &s, s->search.contacts});
    s->search.contacts->seconds_rows += cord__seconds() - began;
}

bool cord__bears_contacts(const problem *w, const cluster *s)
{
    return cord__largest_contact_force(w, s) > 0;
}

double cord__largest_contact_force(const problem *w, const cluster *s)
{
    double largest = 0;
    EACH_ROW(r) largest = fmax(largest, r->force[0]);
    return largest;
}

void cord__add_contact_forces(const problem *w, const cluster *s, double factor)
{
    EACH_ROW(r)
    for (int side = 0; r->force[0] > 0 && side < 2; side++) {
        const contact_columns *on = r->side + side;
        for (int i = 0; i < on->count; i++)
            w->r[on->dof[i]] += factor * v3_dot(on->H + 3 * i, r->force);
    }
}

void cord__stiffen_row(const problem *w, const cluster *s, const contact_row *r)
{
    const contact_set *k = w->contacts;
    for (int side = 0; r->force[0] > 0 && side < 2; side++) {
        const contact *c = &r->at;
        if (c->segment[side] < 0 || r->side[side].cluster != s) continue;
        const block *b = k->context[k->segment[c->segment[side]].block].block;
        const sliding_ops *ops = b->ops->sliding;
        double force[3];
        local_matrix matrix = b->matrix;
        if (!ops->add_stiffness) continue;
        v3_scale(force, r->force[0], c->normal);
        v3_axpy(force, r->force[1], c->tangent[0]);
        v3_axpy(force, r->force[2], c->tangent[1]);
        v3_scale(force, side ? -1 : 1, force);
        ops->add_stiffness(b->model, w->cache + b->cache0,
                           ops->element_at(b->model, w->trial.q + b->q0, c->s[side]), c->s[side],
                           MEASURE_POSITION, force, 1, &matrix);
    }
}

void cord__stiffen_contacts(const problem *w, const cluster *s)
{
    EACH_ROW(r) cord__stiffen_row(w, s, r);
}

double cord__contact_violation(const problem *w, const cluster *s)
{
    double sum = 0;
    EACH_ROW(r) sum += fmax(0, -r->c[0]);
    return sum;
}

/* Of the margin: the overlap that an equilibrium may have. */
static const double OVERLAP = 1e-5;

bool cord__contacts_overlap(const problem *w, const cluster *s)
{
    double most = 0;
    EACH_ROW(r) most = fmax(most, -r->c[0]);
    return s->search.contacts && most > OVERLAP * w->contacts->margin;
}

double cord__contact_dissipation(const problem *w, const cluster *s)
{
    double sum = 0;
    EACH_ROW(r) sum += r->friction * r->force[0] * hypot(r->c[1], r->c[2]);
    return sum;
}

/* The rows alone determined the step and the multipliers so far. */
static void add_response(problem *w, cluster *s)
{
    double *without = w->a_predictor;
    EACH_DOF(c) without[c] = w->delta[c], w->delta[c] = 0;
    for (int u = 0; u < s->map.count; u++) s->x[u] = cord__response_row(s, u)[0];
    cord__read_dofs(w, s);
    EACH_DOF(c) w->delta[c] += without[c];
    cord__add_multipliers(w, s, 1);
}

bool cord__solve_static_contacts(problem *w, cluster *s)
{
    static const response_ops by = {.solve = cord__solve_responses, .add = add_response};
    const island of = {1, &s, s->search.contacts};
    if (of.contacts->rows == 0) return true;
    if (s->negative != s->rows) return cord__solve_active_contacts(w, &of, &by);
    return cord__solve_with_rows(w, &of, &by, 1) == CORD_OK;
}

/* Of the margin: the displacement that a search may have since detection, and in a step of `quasi-static`, which then is made
 * again with a larger margin. */
static const double MOST = 0.5, MOST_IN_STEP = 0.7;

double cord__moved_over_margin(problem *w, const cluster *s)
{
    if (!s->search.contacts) return 0;
    const double margin = w->contacts->margin, most = cord__trial_displacement(w, s);
    s->search.contacts->far = most > (s->search.in_step ? MOST : 0.8 * MOST) * margin;
    return most / ((s->search.in_step ? MOST_IN_STEP : MOST) * margin);
}
