#include "cli.h"
#include "validation/validation.h"

/* The suite parses them. */
static const option options[] = {
    {"--list", NULL, "list the suites and their checks", NULL},
    {"--only", "NAME", "run this check alone", NULL},
    {"--quick", NULL, "coarser and shorter", NULL},
    {"--complete", NULL, "with cases that take hours, whose progress it prints", NULL},
    {"--json", NULL, "print rows for machines", NULL},
    {"--report", "DIR", "write a page with a plot of each check", NULL},
    {NULL, NULL, NULL, NULL},
};

const command validate_command = {
    "validate",
    "[SUITE ...] [options]",
    "Checks the physics against closed forms and reference data",
    NULL,
    options,
    cordage_validate,
};
