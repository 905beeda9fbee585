/* Fast projection with contacts. Rows and contacts are met in one metric, M/h²: with the rows' factor
 *
 *     W = h H (M⁻¹ − M⁻¹Bᵀ(B M⁻¹Bᵀ)⁻¹B M⁻¹) Hᵀ,
 *
 * so that a taut strand over an obstacle needs no more passes than a loose one. A pass withdraws the contact forces of the one
 * before, corrects the rows, and solves for the forces anew: they are the total ones of the step, as Coulomb's law asks. Once
 * gaps hold, only rows are corrected. */
#include "solve/projection.h"

/* Passes at most; of them with contact forces. Beyond those the gaps are accepted. */
enum { PASSES = 50, CONTACT_PASSES = 12 };

/* Of the radius: the error of a gap that is no reason for another pass. */
static const double GAP_TOLERANCE = 1e-4;

static cord_status linearise(problem *w, const island *of, bool *hold)
{
    cord_status status = CORD_OK;
    *hold = true;
    for (int k = 0; status == CORD_OK && k < of->clusters; k++) {
        bool own;
        status = cord__linearise_rows(w, of->cluster[k], &own);
        *hold = *hold && own;
    }
    return status;
}

/* Corrections of the rows. `anew`: and the motion without the contact forces of the last pass. */
static cord_status correct(problem *w, const island *of, bool anew)
{
    cord_status status = CORD_OK;
    const response_ops *by = &cord__projection_responses;
    for (int k = 0; status == CORD_OK && k < of->clusters; k++) {
        cluster *s = of->cluster[k];
        status = cord__correct_rows(w, s);
        if (status != CORD_OK || !anew || of->contacts->rows == 0 || s->contacts == 0) continue;
        cord__set_contact_forces(w, of, s, -1);
        by->solve(w, s, 1);
        by->add(w, s);
    }
    return status;
}

/* Contact Jacobians of bodies read the cache. */
static cord_status contact_pass(problem *w, const island *of, double h)
{
    cord_status status = correct(w, of, true);
    if (status != CORD_OK) return status;
    for (int k = 0; k < of->clusters; k++)
        cord__refresh_rows(w, of->cluster[k], w->trial.q, w->cache);
    return cord__solve_contacts(w, of, &cord__projection_responses, 1 / h);
}

cord_status cord__project_contacts(problem *w, const island *of, double h)
{
    cord_status status = CORD_OK;
    island_contacts *x = of->contacts;
    int contact_passes = 0;
    x->refreshes = x->rows = x->live = 0;
    for (int k = 0; k < of->clusters; k++) cord__begin_projection(w, of->cluster[k], h);
    for (int pass = 0; status == CORD_OK && pass < PASSES; pass++) {
        bool rows_hold, gaps_hold = contact_passes == CONTACT_PASSES;
        status = linearise(w, of, &rows_hold);
        if (status != CORD_OK) return status;
        if (pass > 0 && !gaps_hold) gaps_hold = cord__gap_error(w, of) <= GAP_TOLERANCE;
        if (rows_hold && gaps_hold) return CORD_OK;
        contact_passes += !gaps_hold;
        status = gaps_hold ? correct(w, of, false) : contact_pass(w, of, h);
        for (int k = 0; k < of->clusters; k++) cord__move_projected(w, of->cluster[k]);
    }
    if (status != CORD_OK) return status;
    return cord__set_failure(of->cluster[0], CORD_ERROR_NOT_CONVERGED,
                             "lengths and constraints are not restored within the step",
                             of->cluster[0]->block[0], -1);
}
