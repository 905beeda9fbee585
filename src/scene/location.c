#include "scene/location.h"

#include "scene/expand.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool read_along(reader *r, const node *n, const char *text, location *p)
{
    static const struct {
        const char *name;
        double fraction;
    } words[] = {{"start", 0}, {"middle", 0.5}, {"end", 1}};
    p->kind = LOCATION_STRAND_FRACTION;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].name, text) != 0) continue;
        p->along = words[i].fraction;
        return true;
    }
    quantity q;
    char error[160];
    bool by_number = strncmp(text, "waypoint ", 9) == 0;
    bool number = cord__evaluate(r->scope, by_number ? text + 9 : text, &q, error, sizeof error);
    if (by_number && number && !q.has_unit) {
        p->kind = LOCATION_WAYPOINT;
        p->along = q.value;
        return true;
    }
    if (!number && isalpha((unsigned char)*text)) { /* the cable resolves the name */
        p->kind = LOCATION_WAYPOINT;
        return cord__read_reference(r, n, text, &p->waypoint);
    }
    bool length = number && cord__same_dimension(q.dim, cord__unit_dimension("m"));
    if (!number && !*error) return false; /* a variable has an error of its own */
    if (!number || !(q.percent || length)) {
        cord__diagnose(r->errors, n->at,
                       "\"%.60s\": after the @ comes start, middle, end, a percentage (40%%) or a "
                       "length with its unit (0.12 m)",
                       n->text);
        return false;
    }
    if (length) p->kind = LOCATION_STRAND_LENGTH;
    p->along = q.value;
    return true;
}

/* ---- on a body ------------------------------------------------------------------------------ */

typedef struct body_place {
    const node *at;
    const char *body;
    double x[3];
    number_list frame;
} body_place;

static const field body_place_fields[] = {
    {"body", FIELD_SPECIAL, offsetof(body_place, body), true, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "the body's name"},
    {"at", FIELD_VECTOR, offsetof(body_place, x), false, "[0, 0, 0]", "m", LIMIT_NONE, NULL,
     "where on it, in its own axes"},
    {"frame", FIELD_POINTS, offsetof(body_place, frame), false, NULL, "", LIMIT_NONE, NULL,
     "the three axes of its frame, in the body's; default: the same"},
};
static const mapping body_location_map = {"location",
                                          "a point of a body",
                                          sizeof(body_place),
                                          body_place_fields,
                                          FIELD_COUNT(body_place_fields),
                                          NULL};

static bool read_body_location(reader *r, const node *n, location *p)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    body_place b = {0};
    if (!cord__read_mapping(r, &body_location_map, n, &b)) return false;
    p->kind = LOCATION_BODY;
    p->name = b.body;
    memcpy(p->x, b.x, sizeof p->x);
    memcpy(p->frame, b.frame.count == 9 ? b.frame.values : identity, sizeof p->frame);
    if (b.frame.count == 0 || b.frame.count == 9) return true;
    cord__diagnose(r->errors, cord__node_key_mark(n, "frame"), "a frame has three axes");
    return false;
}

/* ---- any location --------------------------------------------------------------------------- */

static bool read_place(reader *r, const field *f, const node *n, void *target)
{
    location *p = target;
    p->at = n;
    if (n->kind == NODE_LIST) {
        p->kind = LOCATION_WORLD;
        return cord__read_vector(r, n, f->key, "m", p->x);
    }
    if (n->kind == NODE_MAP) return read_body_location(r, n, p);
    if (n->kind != NODE_SCALAR) {
        cord__diagnose(r->errors, n->at, "%s: expected %s", f->key, cord__location_special.what);
        return false;
    }
    const char *sign = strchr(n->text, '@'), *name = n->text;
    p->kind = LOCATION_NAME;
    if (sign) name = cord__arena_text(r->memory, n->text, (size_t)(sign - n->text));
    if (!name || !cord__read_reference(r, n, name, &p->name)) return false;
    return !sign || read_along(r, n, sign + 1, p);
}

const special cord__location_special = {
    "a location: rope@start, rope@40%, rope@0.12 m, a named point, {body: bob, at: [x, y, z]} or "
    "[x, y, z]",
    "{\"oneOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/vector\"}, {\"type\": \"object\", "
    "\"required\": [\"body\"], \"additionalProperties\": false, \"properties\": {\"body\": "
    "{\"type\": \"string\"}, \"at\": {\"$ref\": \"#/$defs/vector\"}, \"frame\": {\"type\": "
    "\"array\", \"items\": {\"$ref\": \"#/$defs/vector\"}, \"minItems\": 3, \"maxItems\": 3}}}]}",
    read_place, NULL};
