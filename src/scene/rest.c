/* rest: computes the natural shape of a chain for which its initial shape is an equilibrium. */
#include "scene/simulation_data.h"

#include <string.h>

static const field rest_fields[] = {
    {"rotate_base", FIELD_BOOL, offsetof(rest_data, rotate_base), false, "no", NULL, LIMIT_NONE,
     NULL,
     "a base that may rotate: rotate the strand about it first, so that its weight is balanced"},
    {"stiffen", FIELD_BOOL, offsetof(rest_data, stiffen), false, "no", NULL, LIMIT_NONE, NULL,
     "if its equilibrium is unstable: raise its stiffness to the stability limit and by the "
     "margin"},
    {"margin", FIELD_NUMBER, offsetof(rest_data, margin), false, "10 %", "", LIMIT_NOT_NEGATIVE,
     NULL, "how much more than needed"},
};
static const mapping rest_map = {"rest",      "how a chain is at rest as drawn", sizeof(rest_data),
                                 rest_fields, FIELD_COUNT(rest_fields),          NULL};

static bool read_rest(reader *r, const field *f, const node *n, void *target)
{
    rest_data *rest = TAKE(r->memory, rest_data, 1);
    if (!rest) return false;
    memcpy(target, &rest, sizeof rest);
    if (n->kind == NODE_MAP) return cord__read_mapping(r, &rest_map, n, rest);
    *rest = (rest_data){.at = n, .margin = cord_inverse_def_default().margin};
    if (n->kind == NODE_SCALAR && strcmp(n->text, "inverse") == 0) return true;
    cord__diagnose(r->errors, n->at, "%s: expected inverse, or {rotate_base, stiffen, margin}",
                   f->key);
    return false;
}

#define YES_OR_NO "{\"enum\": [true, false, \"yes\", \"no\", \"true\", \"false\", \"on\", \"off\"]}"

const special cord__rest_special = {
    "inverse, or {rotate_base, stiffen, margin}",
    "{\"anyOf\": [{\"const\": \"inverse\"}, {\"type\": \"object\", \"properties\": "
    "{\"rotate_base\": "
    "" YES_OR_NO ", \"stiffen\": " YES_OR_NO ", "
    "\"margin\": {\"$ref\": \"#/$defs/quantity\"}}, \"additionalProperties\": false}]}",
    read_rest, NULL};

cord_status cord__find_rest(cord_simulation *sim, const strand_data *s)
{
    cord_inverse_def def = {s->rest->rotate_base, s->rest->stiffen, s->rest->margin};
    built_strand *built = &sim->strands[INDEX(sim->scene->data.strands, strand_data, s)];
    return cord_strand_find_natural_shape(sim->world, built->handle, &def, &built->rest);
}
