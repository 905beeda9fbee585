/* Restitution: impulses at the end of a step in which contacts closed,
 *
 *     M δv = Hᵀp,     u_N⁺ + e u_N⁻ ≥ 0 ⊥ p_N ≥ 0,
 *
 * u⁻ at the start of the step, with Coulomb's law for the tangential impulse. The matrix is that of the last iteration, h² of
 * whose inverse is that of the masses up to forces that act within the step: elastic ones soften the impact of a strand. */
#include "solve/contacts.h"

#include <string.h>

static void add_velocities(problem *w, cluster *s)
{
    const double c_v = 1 / (s->newton.h * s->newton.h);
    double *change = w->inertial_v_predictor;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            double x = b->prescribed[c] ? 0 : cord__response_row(s, cord__unknown(w, b, c))[0];
            w->delta[b->v0 + c] = c_v * x;
        }
    }
    cord__set_dependent_dofs(w, s, w->cache, w->delta);
    EACH_DOF(c) w->trial.v[c] += w->delta[c];
    EACH_INERTIAL(c) change[c] = 0;
    cord__inertial_rates(w, s, w->cache, w->delta, change);
    EACH_INERTIAL(c) w->trial.inertial_v[c] += change[c];
}

static const response_ops impulses = {.solve = cord__solve_responses, .add = add_velocities};

static void set_velocities(const problem *w, const contact_set *k, contact_row *r)
{
    memset(r->start, 0, sizeof r->start);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < r->side[side].count; i++)
            for (int axis = 0; axis < 3; axis++)
                r->start[axis] += r->side[side].H[3 * i + axis] * w->trial.v[r->side[side].dof[i]];
    r->start[0] -= k->pair[r->pair].law.restitution * r->approach;
}

cord_status cord__rebound(problem *w, const island *of, double h)
{
    contact_set *k = w->contacts;
    const island_contacts *x = of->contacts;
    bool any = false;
    for (int i = 0; x && i < x->rows; i++) {
        const contact_row *r = k->row + x->first_row + i;
        any = any || (r->approach > 0 && k->pair[r->pair].law.restitution > 0);
    }
    if (!any) return CORD_OK;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        memcpy(r->previous, r->force, sizeof r->force); /* of the step, which is remembered */
        set_velocities(w, k, r);
    }
    cord_status status = cord__solve_impulses(w, of, &impulses, 1 / (h * h));
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        memcpy(r->force, r->previous, sizeof r->force);
        r->approach = 0;
    }
    return status;
}
