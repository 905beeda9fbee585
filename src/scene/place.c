#include "scene/place.h"

#include "scene/expand.h"

#include <stdio.h>
#include <string.h>

static bool read_along(reader *r, const node *n, const char *text, place *p)
{
    static const struct {
        const char *name;
        double fraction;
    } words[] = {{"start", 0}, {"middle", 0.5}, {"end", 1}};
    p->kind = PLACE_STRAND_FRACTION;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].name, text) != 0) continue;
        p->along = words[i].fraction;
        return true;
    }
    quantity q;
    char error[160];
    bool number = cord__evaluate(r->scope, text, &q, error, sizeof error);
    bool length = number && cord__same_dimension(q.dim, cord__unit_dimension("m"));
    if (!number || !(q.percent || length)) {
        cord__complain(r->complaints, n->at,
                       "\"%.60s\": after the @ comes start, middle, end, a percentage (40%%) or a "
                       "length with its unit (0.12 m)",
                       n->text);
        return false;
    }
    if (length) p->kind = PLACE_STRAND_LENGTH;
    p->along = q.value;
    return true;
}

static bool read_place(reader *r, const field *f, const node *n, void *target)
{
    place *p = target;
    p->at = n;
    if (n->kind == NODE_LIST) {
        p->kind = PLACE_WORLD;
        return cord__read_vector(r, n, f->key, "m", p->x);
    }
    if (n->kind != NODE_SCALAR) {
        cord__complain(r->complaints, n->at, "%s: expected %s", f->key, cord__place_special.what);
        return false;
    }
    const char *sign = strchr(n->text, '@'), *name = n->text;
    p->kind = PLACE_NAME;
    if (sign) name = cord__arena_text(r->memory, n->text, (size_t)(sign - n->text));
    if (!name || !cord__read_reference(r, n, name, &p->name)) return false;
    return !sign || read_along(r, n, sign + 1, p);
}

const special cord__place_special = {
    "a place: rope@start, rope@40%, rope@0.12 m, a named point or [x, y, z]",
    "{\"oneOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/vector\"}]}", read_place};
