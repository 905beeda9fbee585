/* Checks of the physics against closed forms and reference data.
 *
 * A suite is a table of checks; a check is a function that simulates a case and adds rows of a
 * measured and an expected value with a tolerance. A new check is a function in a file of its
 * suite's folder, named in the table of the suite; a new suite is a table named in suites.c. */
#ifndef CORDAGE_VALIDATION_H
#define CORDAGE_VALIDATION_H

#include "validation/plot.h"
#include <cordage/cordage.h>
#include <stdbool.h>

/* cordage validate [SUITE…] [--list] [--only NAME] [--json] [--report DIR] [--quick | --complete] 0: every row
 * passed; 1: a row failed; 64: wrong command line. */
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

/* ---- results of a check --------------------------------------------------------------------- */

/* Passed iff |measured − expected| <= tolerance. Strings are copied. A row whose bound or tolerance is not finite, or
 * so large that it cannot be missed, fails. */
void validation_row(validation *v, const char *name, const char *quantity, double measured,
                    double expected, double tolerance);
/* Passed iff measured <= bound, measured >= bound. */
void validation_row_below(validation *v, const char *name, const char *quantity, double measured,
                          double bound);
void validation_row_above(validation *v, const char *name, const char *quantity, double measured,
                          double bound);

/* A failed row with the reason. */
void validation_fail(validation *v, const char *name, const char *why);

/* A row for a case that this build cannot run: neither passed nor failed. */
void validation_skip(validation *v, const char *name, const char *why);

/* True when `status` is no error; otherwise adds a failed row with the message of `world`, which
 * may be NULL. `what` names the operation. */
bool validation_ok(validation *v, const cord_world *world, cord_status status, const char *what);

/* A plot for the report, under the check's rows. */
void validation_plot(validation *v, const plot *p);

/* Whether fewer and coarser cases are requested. */
bool validation_quick(const validation *v);
/* Whether cases that take hours are requested too. */
bool validation_complete(const validation *v);

/* Formats a name as printf does; valid until the 64th next call. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
const char *
validation_text(validation *v, const char *format, ...);

#endif
