/* Fast projection of a cluster by the system of its rows [DER 2008, section 8.1]: Newton's iteration on
 *
 *     min ½ (d − d*)ᵀ M/h² (d − d*)   under the rows,
 *
 * d* being the increment without rows. With the factor 1/h² the multipliers are forces, which compliance refers to. */
#ifndef CORDAGE_SOLVE_PROJECTION_H
#define CORDAGE_SOLVE_PROJECTION_H

#include "solve/contacts.h"

/* The whole iteration of one cluster. */
cord_status cord__project_rows(problem *w, cluster *s, double h);

/* Its steps, so that the clusters of an island iterate together. Rows at the trial, and whether they hold; the correction in
 * w->delta, and its multipliers; d ← d + δ. */
void cord__begin_projection(problem *w, cluster *s, double h);
cord_status cord__linearise_rows(problem *w, cluster *s, bool *hold);
cord_status cord__correct_rows(problem *w, cluster *s);
void cord__move_projected(problem *w, const cluster *s);

/* Responses to contact forces in that metric, by the factor of the last correction. */
extern const response_ops cord__projection_responses;

/* The projection of all clusters of an island with contact forces (contact_projection.c). */
cord_status cord__project_contacts(problem *w, const island *of, double h);

#endif
