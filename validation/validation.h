/* Physics checks against closed forms and reference data.
 *
 * A suite is a table of checks; a check is a function that simulates something and states rows:
 * what was measured, what was expected, how far apart they may be. To add a check, write the
 * function in a file of its suite's folder and name it in that suite's table; to add a suite,
 * name its table in suites.c. */
#ifndef CORDAGE_VALIDATION_H
#define CORDAGE_VALIDATION_H

#include "validation/plot.h"
#include <cordage/cordage.h>
#include <stdbool.h>

/* cordage validate [SUITE…] [--list] [--only NAME] [--json] [--report DIR] [--quick]
 * 0: every row passed; 1: a row failed; 2: the command line is wrong. */
int cordage_validate(int argc, char **argv);

typedef struct validation validation;

typedef struct validation_check {
    const char *name;
    const char *about; /* one or two sentences for the reader of the report */
    void (*run)(validation *v);
} validation_check;

typedef struct validation_suite {
    const char *name, *about;
    const validation_check *checks; /* ends with a null name */
} validation_suite;

extern const validation_suite *const validation_suites[]; /* ends with NULL */

/* ---- what a check says ---------------------------------------------------------------------- */

/* Passed iff |measured − expected| <= tolerance. Strings are copied. */
void validation_row(validation *v, const char *name, const char *quantity, double measured,
                    double expected, double tolerance);
/* Passed iff measured <= bound, measured >= bound. */
void validation_row_below(validation *v, const char *name, const char *quantity, double measured,
                          double bound);
void validation_row_above(validation *v, const char *name, const char *quantity, double measured,
                          double bound);

/* A failed row that says why. */
void validation_fail(validation *v, const char *name, const char *why);

/* A row for what cannot be done in this build: neither passed nor failed. */
void validation_skip(validation *v, const char *name, const char *why);

/* True when `status` is no error; otherwise a failed row with the engine's message. `what` says
 * what was being done; `world` may be NULL. */
bool validation_ok(validation *v, const cord_world *world, cord_status status, const char *what);

/* A plot for the report, under the check's rows. */
void validation_plot(validation *v, const plot *p);

/* Fewer and coarser cases are wanted. */
bool validation_quick(const validation *v);

/* A name made as printf makes it; good until the 64th next call. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
const char *
validation_text(validation *v, const char *format, ...);

#endif
