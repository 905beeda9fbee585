#include "cli.h"
#include "validation/validation.h"

/* Options and help are the suite's own. */
const command validate_command = {
    "validate",
    "[SUITE ...] [options]",
    "Checks the physics against closed forms and reference data",
    "Options:\n"
    "  --list               list the suites and their checks\n"
    "  --only NAME          run this check alone\n"
    "  --quick              coarser and shorter\n"
    "  --json               print rows for machines\n"
    "  --report DIR         write a page with a plot of each check",
    NULL,
    cordage_validate,
};
