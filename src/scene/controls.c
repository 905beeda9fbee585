#include "scene/controls.h"

#include "math/nearest.h"
#include "scene/scene_data.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool finish_control(reader *r, void *item)
{
    const control_data *c = item;
    if (isnan(c->min) || isnan(c->max) || c->min < c->max) return true;
    cord__diagnose(r->errors, c->at->at, "\"min\", %g, is not below \"max\", %g", c->min, c->max);
    return false;
}

static const field control_fields[] = {
    {"set", FIELD_TEXT, offsetof(control_data, path), true, NULL, NULL, LIMIT_NONE, NULL,
     "the number, as --set names it: let.mass, strands.rope.material.young"},
    {"label", FIELD_TEXT, offsetof(control_data, label), false, NULL, NULL, LIMIT_NONE, NULL,
     "the words beside the slider; the last step of the path when it is left out"},
    {"min", FIELD_NUMBER, offsetof(control_data, min), false, NULL, NULL, LIMIT_NONE, NULL,
     "the least value"},
    {"max", FIELD_NUMBER, offsetof(control_data, max), false, NULL, NULL, LIMIT_NONE, NULL,
     "the largest value"},
    {"unit", FIELD_TEXT, offsetof(control_data, unit), false, NULL, NULL, LIMIT_NONE, NULL,
     "the unit that is shown; that in which the number is written when it is left out"},
    {"whole", FIELD_BOOL, offsetof(control_data, whole), false, "false", NULL, LIMIT_NONE, NULL,
     "whole numbers only"},
};
const mapping cord__control_map = {"control",
                                   "a number that a live page has a slider for",
                                   sizeof(control_data),
                                   control_fields,
                                   FIELD_COUNT(control_fields),
                                   finish_control};

/* ---- the number at a path ------------------------------------------------------------------- */

static const node *list_item(const node *list, const char *step, size_t length)
{
    char *end;
    long index = strtol(step, &end, 10);
    for (int i = 0; i < list->count; i++) {
        const node *name = cord__node_get(list->items[i], "name");
        if (name && name->text && strlen(name->text) == length &&
            strncmp(name->text, step, length) == 0)
            return list->items[i];
    }
    bool number = isdigit((unsigned char)*step) && (size_t)(end - step) == length;
    return number && index < list->count ? list->items[index] : NULL;
}

static const node *map_item(const node *map, const char *step, size_t length)
{
    for (int i = 0; i < map->count; i++)
        if (strlen(map->keys[i]->text) == length && strncmp(map->keys[i]->text, step, length) == 0)
            return map->items[i];
    return NULL;
}

static const node *node_at(const node *root, const char *path)
{
    for (const char *step = path; root && *step;) {
        size_t length = strcspn(step, ".");
        root = root->kind == NODE_LIST  ? list_item(root, step, length)
               : root->kind == NODE_MAP ? map_item(root, step, length)
                                        : NULL;
        step += length;
        step += *step == '.';
    }
    return root;
}

static const char *last_step(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* ---- units -------------------------------------------------------------------------------------- */

/* A plain number, with a unit or without: the text of its unit; NULL: it is an expression. */
static const char *written_unit(const char *text)
{
    double value;
    char error[160];
    quantity q = {.value = 1};
    while (isspace((unsigned char)*text)) text++;
    if (!cord__parse_number(&text, &value)) return NULL;
    while (isspace((unsigned char)*text)) text++;
    const char *unit = text;
    if (!cord__parse_units(&text, &q, error, sizeof error)) return NULL;
    while (isspace((unsigned char)*text)) text++;
    return *text ? NULL : unit;
}

/* The value of one unit, SI. */
static bool unit_value(const char *unit, quantity *q)
{
    char text[80], error[160];
    if (!*unit) {
        *q = (quantity){.value = 1};
        return true;
    }
    snprintf(text, sizeof text, "1 %s", unit);
    return cord__parse_quantity(text, q, error, sizeof error) && q->value > 0;
}

/* ---- controls ------------------------------------------------------------------------------------ */

/* A range about a value whose sign it keeps. */
static void default_range(cord_control *c)
{
    double v = c->value;
    if (isnan(c->min)) c->min = v > 0 ? v / 5 : v < 0 ? 5 * v : -1;
    if (isnan(c->max)) c->max = v > 0 ? 5 * v : v < 0 ? v / 5 : 1;
    if (c->whole) c->min = floor(c->min), c->max = ceil(c->max);
    c->min = fmin(c->min, v);
    c->max = fmax(c->max, v);
}

static bool is_whole(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* From a number in the tree; false: it is none, or its unit is another one. */
static bool read_control(cord_scene *scene, const node *n, const char *unit, cord_control *c,
                         char *error, size_t size)
{
    quantity q, one;
    if (n->kind != NODE_SCALAR) {
        snprintf(error, size, "it is not a number");
        return false;
    }
    if (!cord__evaluate(scene->read.scope, n->text, &q, error, size)) return false;
    const char *written = written_unit(n->text);
    c->unit = unit ? unit : written ? written : "";
    if (!unit_value(c->unit, &one) ||
        (one.has_unit && q.has_unit && !cord__same_dimension(one.dim, q.dim))) {
        snprintf(error, size, "\"%.40s\" is not a unit of it", c->unit);
        return false;
    }
    c->value = q.value / one.value;
    c->min /= one.value;
    c->max /= one.value;
    default_range(c);
    return true;
}

static bool add_declared(cord_scene *scene, const control_data *d)
{
    char error[200];
    const node *n = node_at(scene->root, d->path);
    cord_control *c = scene->controls + scene->control_count;
    *c = (cord_control){.path = d->path,
                        .label = d->label ? d->label : last_step(d->path),
                        .min = d->min,
                        .max = d->max,
                        .whole = d->whole,
                        .declared = true};
    if (!n) {
        cord__diagnose(&scene->errors, cord__node_get(d->at, "set")->at,
                       "the scene has no number at \"%.60s\"", d->path);
        return false;
    }
    if (!read_control(scene, n, d->unit, c, error, sizeof error)) {
        cord__diagnose(&scene->errors, cord__node_get(d->at, "set")->at, "%.60s: %s", d->path,
                       error);
        return false;
    }
    scene->control_count++;
    return true;
}

static bool is_declared(const cord_scene *scene, const char *path)
{
    for (int i = 0; i < scene->control_count; i++)
        if (strcmp(scene->controls[i].path, path) == 0) return true;
    return false;
}

/* Variables that are computed from others follow them. */
static bool add_variable(cord_scene *scene, const variable *v)
{
    char error[160];
    const char *path = cord__arena_print(&scene->memory, "let.%s", v->name);
    if (!path) return false;
    cord_control *c = scene->controls + scene->control_count;
    *c = (cord_control){.path = path, .label = v->name, .min = NAN, .max = NAN};
    if (v->state != VARIABLE_KNOWN || is_declared(scene, path) || !written_unit(v->at->text))
        return true;
    c->whole = is_whole(v->at->text);
    if (read_control(scene, v->at, NULL, c, error, sizeof error)) scene->control_count++;
    return true;
}

bool cord__find_controls(cord_scene *scene)
{
    const item_list *declared = &scene->data.live;
    const scope *names = scene->read.scope;
    int most = declared->count + (names ? names->count : 0);
    bool good = true;
    scene->controls = TAKE(&scene->memory, cord_control, most + 1);
    if (!scene->controls) return false;
    for (int i = 0; i < declared->count; i++) {
        const control_data *d = ITEM(*declared, control_data, i);
        good = cord__valid(d->at, add_declared(scene, d)) && good;
    }
    for (int i = 0; names && names->list && i < names->count; i++)
        good = add_variable(scene, names->list + i) && good;
    return good;
}

int cord_scene_get_control_count(const cord_scene *scene)
{
    return scene ? scene->control_count : 0;
}

cord_control cord_scene_get_control(const cord_scene *scene, int i)
{
    return scene && i >= 0 && i < scene->control_count ? scene->controls[i] : (cord_control){0};
}
