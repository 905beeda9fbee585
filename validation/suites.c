/* The list of suites. */
#include "validation/bodies/bodies.h"
#include "validation/cables/cables.h"
#include "validation/clothoids/clothoids.h"
#include "validation/contact/contact.h"
#include "validation/der/der.h"
#include "validation/constraints/constraints.h"
#include "validation/splines/splines.h"
#include "validation/statics/statics.h"
#include "validation/validation.h"

const validation_suite *const validation_suites[] = {
    &validation_der,     &validation_clothoids,   &validation_splines,
    &validation_bodies,  &validation_constraints, &validation_cables,
    &validation_statics, &validation_contact,     NULL,
};
