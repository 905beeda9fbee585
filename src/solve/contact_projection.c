/* Fast projection with contacts. Rows and contacts are met in one metric, M/h²: with the factor of the rows
 *
 *     W = h H (M⁻¹ − M⁻¹Bᵀ(B M⁻¹Bᵀ)⁻¹B M⁻¹) Hᵀ,
 *
 * so that a taut strand over an obstacle needs no more passes than a loose one. A pass corrects the rows and solves for the
 * contact forces, the total ones of the step, as Coulomb's law asks. The first pass finds contacts and W; later ones keep H, and
 * W while the same contacts are live. */
#include "solve/projection.h"

/* Beyond CONTACT_PASSES, small overlaps are accepted. */
enum { PASSES = 50, CONTACT_PASSES = 12 };

/* Of the radius: overlaps that are no reason for another pass, and those that a step may end with where more passes do not
 * help. What a step leaves becomes a velocity in the next one. */
static const double GAP_TOLERANCE = 1e-5, LARGEST_OVERLAP = 0.01;

/* Of the radius: the error of a gap at which contacts are found anew, since normals have changed. */
static const double LARGE_GAP = 0.02;

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
    for (int k = 0; status == CORD_OK && k < of->clusters; k++) {
        cluster *s = of->cluster[k];
        status = cord__correct_rows(w, s);
        if (status == CORD_OK && anew && of->contacts->rows > 0 && s->contacts > 0)
            cord__withdraw_contacts(w, of, s, &cord__projection_responses);
    }
    return status;
}

/* The Jacobians of contacts read the cache. Forces of the first pass are found to a large tolerance, as it leaves errors of second
 * order, and another one follows. */
static cord_status solve(problem *w, const island *of, double h, bool anew, bool first)
{
    const response_ops *by = &cord__projection_responses;
    of->contacts->loose = first;
    if (!anew) return cord__solve_contacts_again(w, of, by, 1 / h);
    for (int k = 0; k < of->clusters; k++)
        cord__refresh_rows(w, of->cluster[k], w->trial.q, w->cache);
    return cord__solve_contacts(w, of, by, 1 / h);
}

cord_status cord__project_contacts(problem *w, const island *of, double h)
{
    cord_status status = CORD_OK;
    island_contacts *x = of->contacts;
    x->refreshes = x->rows = x->live = 0;
    for (int k = 0; k < of->clusters; k++) cord__begin_projection(w, of->cluster[k], h);
    for (int pass = 0; status == CORD_OK && pass < PASSES; pass++) {
        bool rows_hold;
        status = linearise(w, of, &rows_hold);
        if (status != CORD_OK) return status;
        double gap_error = pass > 0 ? cord__contact_gaps(w, of) : 1;
        double enough = pass < CONTACT_PASSES ? GAP_TOLERANCE : LARGEST_OVERLAP;
        if (rows_hold && gap_error <= enough && !(pass > 0 && x->loose)) return CORD_OK;
        bool anew = pass == 0 || gap_error > LARGE_GAP || x->has_solids;
        status = correct(w, of, anew);
        if (status == CORD_OK) status = solve(w, of, h, anew, pass == 0 && !rows_hold);
        for (int k = 0; k < of->clusters; k++) cord__move_projected(w, of->cluster[k]);
    }
    if (status != CORD_OK) return status;
    return cord__set_failure(of->cluster[0], CORD_ERROR_NOT_CONVERGED,
                             "lengths, constraints and contacts are not met together in the step",
                             of->cluster[0]->block[0], -1);
}
