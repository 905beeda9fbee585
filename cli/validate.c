#include "cli.h"
#include "validation/validation.h"

/* Options and help are the suite's own. */
const command validate_command = {
    "validate",
    "[options] [CHECK ...]",
    "Checks the physics against closed forms and reference data",
    "cordage validate --help lists its options.",
    NULL,
    cordage_validate,
};
