/* Impacts of one-sided constraints, g >= 0, with a restitution: see impact.c. */
#ifndef CORDAGE_SOLVE_IMPACT_H
#define CORDAGE_SOLVE_IMPACT_H

#include <stdbool.h>

/* All that a step changes; a checkpoint has it whole. */
typedef struct impact_state {
    double since, rate_since; /* when the rate of g last jumped, and to which value */
    bool resting;             /* the row holds like those without restitution */
} impact_state;

/* Of a one-sided constraint. */
typedef struct impact_row {
    double restitution; /* 0: a plastic impact, which Newton's iteration resolves by itself */
    impact_state state;
    /* workspace: g and its rate at the start of the step; during an impact, whether the row is closed, comes to rest by
     * the impact, and was active before it */
    double g, rate;
    bool in_contact, comes_to_rest, was_active;
} impact_row;

#endif
