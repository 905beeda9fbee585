#include "scene/variables.h"

#include <string.h>

static bool check_name(reader *r, const node *key)
{
    if (*key->text && cord__identifier_length(key->text) == strlen(key->text)) return true;
    cord__diagnose(r->errors, key->at, "\"%.40s\" cannot be a variable: letters, digits and _ only",
                   key->text);
    return false;
}

static bool work_out(reader *r, variable *v)
{
    char error[160];
    quantity ignored;
    r->scope->circular = false;
    if (v->state == VARIABLE_KNOWN) return true;
    if (v->state == VARIABLE_WRITTEN) {
        v->state = VARIABLE_BUSY;
        bool good = cord__evaluate(r->scope, v->at->text, &v->value, error, sizeof error);
        v->state = good ? VARIABLE_KNOWN : VARIABLE_WRONG;
        if (good) return true;
    } else {
        cord__evaluate(r->scope, v->at->text, &ignored, error, sizeof error);
    }
    if (*error)
        cord__diagnose(r->errors, v->at->at, "%s: expected a number, but %s", v->name, error);
    return false;
}

static bool read_let(reader *r, const field *f, const node *n, void *target)
{
    (void)target;
    scope *s = r->scope = TAKE(r->memory, scope, 1);
    variable *list = TAKE(r->memory, variable, n->count);
    if (!s || !list) return false;
    s->incomplete = n->kind != NODE_MAP || !r->complete;
    if (n->kind != NODE_MAP) {
        cord__diagnose(r->errors, n->at, "%s: expected a mapping (name: value)", f->key);
        return false;
    }
    bool good = true;
    for (int i = 0; i < n->count; i++) {
        bool named = check_name(r, n->keys[i]), scalar = n->items[i]->kind == NODE_SCALAR;
        if (named && !scalar)
            cord__diagnose(r->errors, n->items[i]->at, "%s: expected a number, got %s",
                           n->keys[i]->text, cord__node_kind_text(n->items[i]));
        if (named)
            list[s->count++] = (variable){.name = n->keys[i]->text,
                                          .at = n->items[i],
                                          .state = scalar ? VARIABLE_WRITTEN : VARIABLE_WRONG};
        good = named && scalar && good;
    }
    s->list = list;
    for (int i = 0; i < s->count; i++)
        if (list[i].at->kind == NODE_SCALAR) good = work_out(r, &list[i]) && good;
    for (int i = 0; i < s->count; i++) list[i].used = list[i].used && good;
    return good;
}

const special cord__let_special = {
    "a mapping of names to numbers",
    "{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/quantity\"}}", read_let,
    NULL};
