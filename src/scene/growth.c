#include "scene/growth.h"

#include "math/vec3.h"
#include "scene/build.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>

/* The natural curvature at a material coordinate. */
typedef struct curvature_key {
    const node *at;
    double s, k[3];
} curvature_key;

static const field curvature_key_fields[] = {
    {"s", FIELD_NUMBER, offsetof(curvature_key, s), true, NULL, "m", LIMIT_NOT_NEGATIVE, NULL,
     "where: the length of the strand from its start"},
    {"value", FIELD_SPECIAL, offsetof(curvature_key, k), true, NULL, "1/m", LIMIT_NONE,
     &cord__curvature_special, "[about the first director, about the second, twist]"},
};
static const mapping curvature_key_map = {"natural_curvature",
                                          "the natural curvature at a length from the start",
                                          sizeof(curvature_key),
                                          curvature_key_fields,
                                          FIELD_COUNT(curvature_key_fields),
                                          NULL};

static bool is_ordered(reader *r, const item_list *list)
{
    for (int i = 1; i < list->count; i++) {
        const curvature_key *k = ITEM(*list, curvature_key, i);
        if (k->s > ITEM(*list, curvature_key, i - 1)->s) continue;
        cord__diagnose(r->errors, k->at->at,
                       "natural curvatures must be in the order of their lengths s");
        return false;
    }
    return true;
}

/* One vector, or a list of {s, value}. */
static bool read_natural(reader *r, const field *f, const node *n, void *target)
{
    item_list *list = target;
    const bool table = n->kind == NODE_LIST && n->count > 0 && n->items[0]->kind == NODE_MAP;
    const int count = table ? n->count : 1;
    curvature_key *keys = TAKE(r->memory, curvature_key, (size_t)count);
    if (!keys) return false;
    bool good = true;
    *list = (item_list){count, keys};
    if (!table) {
        keys[0].at = n;
        return cord__curvature_special.read(r, f, n, keys[0].k);
    }
    for (int i = 0; i < count; i++)
        good = cord__read_mapping(r, &curvature_key_map, n->items[i], keys + i) && good;
    return good && is_ordered(r, list);
}

static const special natural_special = {
    "a vector, 1/m, or a list [{s, value}, ...]",
    "{\"anyOf\": [{\"$ref\": \"#/$defs/vector\"}, {\"type\": \"array\", \"minItems\": 1, "
    "\"items\": {\"type\": \"object\", \"required\": [\"s\", \"value\"], "
    "\"additionalProperties\": false, \"properties\": {\"s\": {\"$ref\": \"#/$defs/quantity\"}, "
    "\"value\": {\"$ref\": \"#/$defs/vector\"}}}}]}",
    read_natural, NULL};

static bool finish_growth(reader *r, void *item)
{
    const struct growth_data *g = item;
    return cord__check_time_function(r, &g->rate, "rate", cord__unit_of("m", -1));
}

static const field growth_fields[] = {
    {"rate", FIELD_SPECIAL, offsetof(struct growth_data, rate), true, NULL, NULL, LIMIT_NONE,
     &cord__time_function_special, "how fast it becomes longer, m/s"},
    {"until", FIELD_NUMBER, offsetof(struct growth_data, until), true, NULL, "m", LIMIT_POSITIVE,
     NULL, "the length at which growth ends"},
    {"element", FIELD_NUMBER, offsetof(struct growth_data, element), false, NULL, "m",
     LIMIT_POSITIVE, NULL,
     "the last element, or edge, is divided when it is twice as long; default: its length"},
    {"natural_curvature", FIELD_SPECIAL, offsetof(struct growth_data, natural), false, NULL, NULL,
     LIMIT_NONE, &natural_special,
     "of new material: [about the first director, about the second, twist], or as a function of "
     "its length from the start, affine between the values; default: that at the end"},
    {"period", FIELD_NUMBER, offsetof(struct growth_data, period), false, NULL, "s", LIMIT_POSITIVE,
     NULL,
     "circumnutation: the time in which the direction of the natural curvature rotates once; "
     "default: it does not"},
    {"zone", FIELD_NUMBER, offsetof(struct growth_data, zone), false, "0 m", "m",
     LIMIT_NOT_NEGATIVE, NULL,
     "circumnutation: the length at the end in which it rotates; material that leaves it keeps its "
     "natural curvature; 0: new material alone"},
    EASE_FIELD(struct growth_data, ease),
};
const mapping cord__growth_map = {
    "growth",      "growth of a strand at its end", sizeof(struct growth_data),
    growth_fields, FIELD_COUNT(growth_fields),      finish_growth};

bool cord__build_growth(builder *b, const strand_data *s, cord_strand strand)
{
    const struct growth_data *d = s->growth;
    if (!d) return true;
    double *lengths, *values;
    cord_growth_def def = cord_growth_def_default();
    if (!cord__time_function_keys(b, &d->rate, d->ease, &def.rate) ||
        !cord__make_keys(b, d->natural.count, 3, CORD_EASE_LINEAR, &lengths, &values,
                         &def.natural_curvature))
        return false;
    for (int i = 0; i < d->natural.count; i++) {
        const curvature_key *k = ITEM(d->natural, curvature_key, i);
        lengths[i] = k->s;
        v3_copy(values + 3 * (size_t)i, k->k);
    }
    def.until = d->until;
    def.element_length = isnan(d->element) ? 0 : d->element;
    def.period = isnan(d->period) ? 0 : d->period;
    def.zone = d->zone;
    return cord__check_built(b, cord_strand_set_growth(b->world, strand, &def), d->at, "growth");
}
