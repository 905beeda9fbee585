/* Keys of scenes: probes and expectations. */
#include "scene/expand.h"
#include "scene/measure.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>

static const field probe_fields[] = {
    {"name", FIELD_TEXT, offsetof(probe_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "of its file, NAME.csv; default: from its subject and measure, as in hair[1]-end-position"},
    {"measure", FIELD_CHOICE, offsetof(probe_data, measure), true, NULL, NULL, LIMIT_NONE,
     cord__measures, "what to measure"},
    {"of", FIELD_SPECIAL, offsetof(probe_data, of), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special,
     "a location, or the name of a strand, body, obstacle, joint, constraint, clamp or controller; "
     "default: "
     "the "
     "world"},
    {"with", FIELD_SPECIAL, offsetof(probe_data, with), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special,
     "measures of contacts: with these only, an object, an array of them, or a material"},
};
const mapping cord__probe_map = {"probe",
                                 "a quantity measured during the run",
                                 sizeof(probe_data),
                                 probe_fields,
                                 FIELD_COUNT(probe_fields),
                                 NULL};

static bool finish_expect(reader *r, void *item)
{
    const expect_data *e = item;
    bool value = !isnan(e->value), bound = !isnan(e->above) || !isnan(e->below);
    if (value == bound || value != !isnan(e->tolerance)) {
        cord__diagnose(
            r->errors, e->at->at,
            "expect needs either \"value\" and \"tolerance\", or \"above\" or \"below\"");
        return false;
    }
    if (!e->because == !e->regression) {
        cord__diagnose(
            r->errors, e->at->at,
            e->because
                ? "expect has both \"because\" and \"regression\": keep \"because\" when the "
                  "number follows from a law, a closed form or a reference, \"regression\" "
                  "when it is the result of an earlier run"
                : "expect needs \"because\", the law, closed form or reference of the number, "
                  "or \"regression\", the earlier run that it is the result of");
        return false;
    }
    return true;
}

static const field expect_fields[] = {
    {"probe", FIELD_SPECIAL, offsetof(expect_data, probe), true, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "the name of a probe"},
    {"component", FIELD_TEXT, offsetof(expect_data, component), false, NULL, NULL, LIMIT_NONE, NULL,
     "which of its columns; default: the only one, or the size of a vector"},
    {"over", FIELD_CHOICE, offsetof(expect_data, over), false, "only", NULL, LIMIT_NONE,
     cord__reductions, "what to take of the many values along a strand"},
    {"during", FIELD_CHOICE, offsetof(expect_data, during), false, "only", NULL, LIMIT_NONE,
     cord__time_reductions, "what to take of the values after all steps up to then"},
    {"at", FIELD_TEXT, offsetof(expect_data, time_text), false, "end", NULL, LIMIT_NONE, NULL,
     "when: a time, or end"},
    {"value", FIELD_NUMBER, offsetof(expect_data, value), false, NULL, NULL, LIMIT_NONE, NULL,
     "the expected result"},
    {"tolerance", FIELD_NUMBER, offsetof(expect_data, tolerance), false, NULL, NULL,
     LIMIT_NOT_NEGATIVE, NULL, "how far it may be off"},
    {"above", FIELD_NUMBER, offsetof(expect_data, above), false, NULL, NULL, LIMIT_NONE, NULL,
     "it must be larger"},
    {"below", FIELD_NUMBER, offsetof(expect_data, below), false, NULL, NULL, LIMIT_NONE, NULL,
     "it must be smaller"},
    {"because", FIELD_TEXT, offsetof(expect_data, because), false, NULL, NULL, LIMIT_NONE, NULL,
     "the reason of the number: a closed form, a law, a reference, a convergence or an inequality"},
    {"regression", FIELD_TEXT, offsetof(expect_data, regression), false, NULL, NULL, LIMIT_NONE,
     NULL, "instead of because: the number is the result of an earlier run, and of which"},
};
const mapping cord__expect_map = {
    "expect",      "a result the run should have", sizeof(expect_data),
    expect_fields, FIELD_COUNT(expect_fields),     finish_expect};
