/* The suite of the splines. */
#ifndef CORDAGE_VALIDATION_SPLINES_H
#define CORDAGE_VALIDATION_SPLINES_H

#include "validation/rods.h"
#include "validation/validation.h"

extern const validation_suite validation_splines;

/* The unit rod of rods.h as a spline with a span for every edge. */
static inline rod_plan spline_plan(int spans, double length)
{
    rod_plan plan = rod_plan_unit(spans, length);
    plan.strand.model = CORD_MODEL_SPLINE;
    return plan;
}

void check_spline_cantilever(validation *v);
void check_spline_tip_load(validation *v);
void check_spline_catenary(validation *v);
void check_spline_spring(validation *v);
void check_spline_beam_frequencies(validation *v);
void check_spline_ring_frequencies(validation *v);
void check_spline_michell(validation *v);

#endif
