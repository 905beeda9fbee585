/* Reading a scene: the file, the overrides, the tables, then the names. */
#include "math/vec3.h"
#include "scene/scenery.h"
#include "scene/cables.h"
#include "scene/contacts.h"
#include "scene/controls.h"
#include "scene/controllers.h"
#include "scene/files.h"
#include "scene/include.h"
#include "scene/joints.h"
#include "scene/measure.h"
#include "math/nearest.h"
#include "scene/tables.h"
#include "scene/simulation_data.h"
#include "scene/springs.h"
#include "scene/yaml_sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- overrides: path.to.key=value --------------------------------------------------------- */

/* Finds a list item by its `name`, or by its index from 0. */
static node *find_item(const node *list, const char *step)
{
    for (int i = 0; i < list->count; i++) {
        const node *name = cord__node_get(list->items[i], "name");
        if (name && name->text && strcmp(name->text, step) == 0) return list->items[i];
    }
    char *end;
    long index = strtol(step, &end, 10);
    bool number = *step >= '0' && *step <= '9' && *end == 0;
    return number && index < list->count ? list->items[index] : NULL;
}

static void no_such_step(cord_scene *scene, const node *from, const char *step, mark at)
{
    if (from->kind == NODE_SCALAR) {
        cord__diagnose(&scene->errors, at, "there is nothing inside \"%.40s\"", from->text);
        return;
    }
    nearest best = cord__nearest_begin(step);
    for (int i = 0; i < from->count; i++) {
        const node *name = cord__node_get(from->items[i], "name");
        if (name && name->text) cord__nearest_offer(&best, name->text);
    }
    char hint[96];
    cord__diagnose(&scene->errors, at,
                   "nothing in the list is called \"%.40s\"%s; it has %d item%s, counted from 0",
                   step, cord__nearest_hint(&best, hint, sizeof hint), from->count,
                   from->count == 1 ? "" : "s");
}

/* A variable can be changed, not added: no number would use it. */
static bool is_unknown_variable(cord_scene *scene, const node *parent, const char *name, mark at)
{
    if (parent != cord__node_get(scene->root, "let") || cord__node_get(parent, name)) return false;
    nearest best = cord__nearest_begin(name);
    for (int i = 0; i < parent->count; i++) cord__nearest_offer(&best, parent->keys[i]->text);
    char hint[96];
    cord__diagnose(&scene->errors, at, "the scene has no variable \"%.40s\"%s", name,
                   cord__nearest_hint(&best, hint, sizeof hint));
    return true;
}

/* Descends one level of the path; missing mappings are added. */
static node *descend(cord_scene *scene, node *from, const char *step, mark at)
{
    node *next = from->kind == NODE_LIST ? find_item(from, step) : cord__node_get(from, step);
    if (next) return next;
    if (from->kind != NODE_MAP) {
        no_such_step(scene, from, step, at);
        return NULL;
    }
    next = cord__node_new(&scene->memory, at, NODE_MAP);
    node *key = cord__node_scalar(&scene->memory, at, step);
    return next && key && cord__node_add(&scene->memory, from, key, next) ? next : NULL;
}

static bool put(cord_scene *scene, node *parent, const char *key, node *value)
{
    if (parent->kind == NODE_MAP) {
        for (int i = 0; i < parent->count; i++) {
            if (strcmp(parent->keys[i]->text, key) != 0) continue;
            parent->items[i] = value;
            return true;
        }
        node *name = cord__node_scalar(&scene->memory, value->at, key);
        return name && cord__node_add(&scene->memory, parent, name, value);
    }
    node *old = parent->kind == NODE_LIST ? find_item(parent, key) : NULL;
    if (old) {
        *old = *value;
    } else {
        no_such_step(scene, parent, key, value->at);
    }
    return old != NULL;
}

static bool apply_override(cord_scene *scene, const char *text)
{
    mark at = {cord__arena_print(&scene->memory, OVERRIDE_PREFIX "%s", text), 0, 0};
    const char *equals = strchr(text, '=');
    if (!at.file) return false;
    if (!equals || equals == text) {
        cord__diagnose(&scene->errors, at, "expected path.to.key=value");
        return false;
    }
    char *path = cord__arena_text(&scene->memory, text, (size_t)(equals - text));
    node *value = cord__yaml_value(&scene->memory, &scene->errors, at.file, equals + 1);
    node *parent = scene->root;
    if (!value || !path) return false;
    char *step = path;
    for (char *dot; parent && (dot = strchr(step, '.')); step = dot + 1) {
        *dot = 0;
        parent = descend(scene, parent, step, at);
    }
    return parent && !is_unknown_variable(scene, parent, step, at) &&
           put(scene, parent, step, value);
}

/* ---- names -------------------------------------------------------------------------------- */

static int compare_symbols(const void *a, const void *b)
{
    const symbol *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order != 0) return order;
    /* Equal names are sorted by position in the file, so that the later one gets the error. */
    return x->at.line != y->at.line ? (x->at.line > y->at.line) - (x->at.line < y->at.line)
                                    : (x->at.column > y->at.column) - (x->at.column < y->at.column);
}

const symbol *cord__find_symbol(const cord_scene *scene, const char *name)
{
    int low = 0, high = scene->symbol_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(scene->symbols[middle].name, name);
        if (order == 0) return &scene->symbols[middle];
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static void add_symbol(cord_scene *scene, const char *name, subject_kind kind, int index,
                       const node *at)
{
    if (!name) return;
    scene->symbols[scene->symbol_count++] =
        (symbol){name, kind, index, at, cord__node_key_mark(at, "name")};
}

/* Brackets are reserved for indices at the end: hair[3], which arrays create. */
static bool index_is_last(const char *name)
{
    const char *p = name + strcspn(name, "[]");
    if (p == name) return false;
    while (*p == '[') {
        size_t digits = strspn(p + 1, "0123456789");
        if (digits == 0 || p[1 + digits] != ']') return false;
        p += digits + 2;
    }
    return *p == 0;
}

/* Checks the names, and removes all but the first object of each. */
static bool check_symbols(cord_scene *scene)
{
    bool good = true;
    int kept = 0;
    for (int i = 0; i < scene->symbol_count; i++) {
        const symbol *s = &scene->symbols[i];
        if (*s->name == 0 || strpbrk(s->name, "@.,$") || !index_is_last(s->name)) {
            cord__diagnose(
                &scene->errors, s->at,
                "the name \"%.40s\" cannot be used: it is empty or has one of @ . [ ] , $",
                s->name);
            good = false;
        }
        if (kept > 0 && strcmp(s->name, scene->symbols[kept - 1].name) == 0) {
            cord__diagnose(&scene->errors, s->at, "the name \"%.40s\" is already taken", s->name);
            cord__mark_invalid(s->item);
            good = false;
        } else {
            scene->symbols[kept++] = *s;
        }
    }
    scene->symbol_count = kept;
    return good;
}

static bool collect_symbols(cord_scene *scene)
{
    scene_data *d = &scene->data;
    int total = d->strands.count + d->bodies.count + d->paths.count + d->points.count +
                d->clamps.count + d->joints.count + d->constraints.count + d->loads.count +
                d->controllers.count + d->obstacles.count;
    scene->symbols = TAKE(&scene->memory, symbol, total);
    if (!scene->symbols) return false;
    for (int i = 0; i < d->strands.count; i++) {
        const strand_data *s = ITEM(d->strands, strand_data, i);
        add_symbol(scene, s->name, SUBJECT_STRAND, i, s->at);
    }
    for (int i = 0; i < d->bodies.count; i++) {
        const body_data *b = ITEM(d->bodies, body_data, i);
        add_symbol(scene, b->name, SUBJECT_BODY, i, b->at);
    }
    for (int i = 0; i < d->paths.count; i++) {
        const path_data *p = ITEM(d->paths, path_data, i);
        add_symbol(scene, p->name, SUBJECT_PATH, i, p->at);
    }
    for (int i = 0; i < d->points.count; i++) {
        const point_data *p = ITEM(d->points, point_data, i);
        add_symbol(scene, p->name, SUBJECT_POINT, i, p->at);
    }
    for (int i = 0; i < d->clamps.count; i++) {
        const clamp_data *c = ITEM(d->clamps, clamp_data, i);
        add_symbol(scene, c->name, SUBJECT_CLAMP, i, c->at);
    }
    for (int i = 0; i < d->constraints.count; i++) {
        const constraint_data *r = ITEM(d->constraints, constraint_data, i);
        add_symbol(scene, r->name, SUBJECT_CONSTRAINT, i, r->at);
    }
    for (int i = 0; i < d->joints.count; i++) {
        const joint_data *j = ITEM(d->joints, joint_data, i);
        add_symbol(scene, j->name, SUBJECT_JOINT, i, j->at);
    }
    for (int i = 0; i < d->loads.count; i++) {
        const load_data *l = ITEM(d->loads, load_data, i);
        add_symbol(scene, l->name, SUBJECT_LOAD, i, l->at);
    }
    for (int i = 0; i < d->controllers.count; i++) {
        const controller_data *c = ITEM(d->controllers, controller_data, i);
        add_symbol(scene, c->name, SUBJECT_CONTROLLER, i, c->at);
    }
    for (int i = 0; i < d->obstacles.count; i++) {
        const obstacle_data *o = ITEM(d->obstacles, obstacle_data, i);
        add_symbol(scene, o->name, SUBJECT_OBSTACLE, i, o->at);
    }
    qsort(scene->symbols, (size_t)scene->symbol_count, sizeof(symbol), compare_symbols);
    return check_symbols(scene);
}

/* ---- items with errors -------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the names of the items that were left out of their lists. */
static bool collect_invalid(cord_scene *scene)
{
    int count = 0;
    scene->invalid = TAKE(&scene->memory, const char *, scene->read.invalid_count);
    if (!scene->invalid) return false;
    for (const invalid_item *i = scene->read.invalid; i; i = i->next) {
        scene->invalid[count++] = i->name;
        bool nameless = i->map == &cord__probe_map && !*i->name;
        scene->invalid_probe = scene->invalid_probe || nameless;
    }
    qsort(scene->invalid, (size_t)count, sizeof *scene->invalid, compare_names);
    return true;
}

bool cord__may_be_invalid(const cord_scene *scene, const char *name)
{
    if (!scene->read.complete) return true;
    size_t count = (size_t)scene->read.invalid_count;
    if (bsearch(&name, scene->invalid, count, sizeof name, compare_names)) return true;
    char array[128]; /* of a copy, whose array may have an error */
    snprintf(array, sizeof array, "%.*s", (int)strcspn(name, "["), name);
    const char *base = array;
    return bsearch(&base, scene->invalid, count, sizeof base, compare_names) != NULL;
}

bool cord__valid(const node *at, bool valid)
{
    if (!valid) cord__mark_invalid(at);
    return valid;
}

const symbol *cord__require_symbol(cord_scene *scene, const char *name, mark at)
{
    const symbol *found = cord__find_symbol(scene, name);
    if (found) return found->item->invalid ? NULL : found;
    if (cord__may_be_invalid(scene, name)) return NULL;
    nearest best = cord__nearest_begin(name);
    bool told = scene->errors.count < DIAGNOSTICS_MAX; /* otherwise the hint is not shown */
    for (int i = 0; told && i < scene->symbol_count; i++) {
        cord__nearest_offer(&best, scene->symbols[i].name);
    }
    char hint[128];
    cord__diagnose(&scene->errors, at, "nothing is called \"%.40s\"%s", name,
                   cord__nearest_hint(&best, hint, sizeof hint));
    return NULL;
}

static const symbol *require_symbol(cord_scene *scene, const location *p)
{
    return cord__require_symbol(scene, p->name, p->at->at);
}

const strand_data *cord__strand_of(const cord_scene *scene, const location *p, double *along)
{
    const symbol *found = cord__find_symbol(scene, p->name);
    if (!found || found->kind != SUBJECT_STRAND) return NULL;
    const strand_data *s = ITEM(scene->data.strands, strand_data, found->index);
    *along = p->along;
    if (p->kind == LOCATION_STRAND_FRACTION && !s->cable) *along *= s->length;
    return s;
}

bool cord__resolve_on_strand(cord_scene *scene, const location *p, int *strand, double *along)
{
    if (!require_symbol(scene, p)) return false;
    const strand_data *s = cord__strand_of(scene, p, along);
    if (!s) {
        cord__diagnose(&scene->errors, p->at->at, "\"%.40s\" is not a strand", p->name);
        return false;
    }
    *strand = (int)(s - ITEM(scene->data.strands, strand_data, 0));
    if (s->cable) return cord__resolve_on_cable(scene, p, along);
    if (s->length == 0 || (*along >= 0 && *along <= s->length))
        return true; /* 0: its shape already had an error */
    cord__diagnose(&scene->errors, p->at->at, "\"%.60s\" is off the strand, which is %.6g m long",
                   p->at->text, s->length);
    return false;
}

static bool resolve_on_body(cord_scene *scene, const location *p)
{
    const symbol *found = require_symbol(scene, p);
    if (!found || found->kind == SUBJECT_BODY) return found != NULL;
    cord__diagnose(&scene->errors, p->at->at, "\"%.40s\" is not a body", p->name);
    return false;
}

bool cord__resolve_location(cord_scene *scene, const location *p)
{
    int strand;
    double s;
    if (p->kind == LOCATION_NONE || p->kind == LOCATION_WORLD) return true;
    if (p->kind == LOCATION_NAME) return require_symbol(scene, p) != NULL;
    if (p->kind == LOCATION_BODY) return resolve_on_body(scene, p);
    int waypoint;
    if (p->kind == LOCATION_WAYPOINT) return cord__resolve_waypoint(scene, p, &strand, &waypoint);
    if (cord__path_of(scene, p)) return cord__resolve_on_path(scene, p);
    return cord__resolve_on_strand(scene, p, &strand, &s);
}

bool cord__is_angle(const cord_scene *scene, const location *p)
{
    const symbol *s = p->kind == LOCATION_NAME ? cord__find_symbol(scene, p->name) : NULL;
    if (s && s->kind == SUBJECT_POINT)
        return ITEM(scene->data.points, point_data, s->index)->revolute != NULL;
    return s && s->kind == SUBJECT_JOINT &&
           cord__joint_rotates(ITEM(scene->data.joints, joint_data, s->index));
}

bool cord__is_coordinate(const cord_scene *scene, const location *p)
{
    const symbol *s = p->kind == LOCATION_NAME ? cord__find_symbol(scene, p->name) : NULL;
    if (!s || s->kind != SUBJECT_POINT) return s && s->kind == SUBJECT_JOINT;
    const point_data *named = ITEM(scene->data.points, point_data, s->index);
    return named->revolute || named->prismatic;
}

/* The name of a joint is also that of its coordinate. */
static bool has_coordinate(const cord_scene *scene, const symbol *s)
{
    return s->kind == SUBJECT_JOINT &&
           cord__joint_unit(ITEM(scene->data.joints, joint_data, s->index)) != NULL;
}

bool cord__resolve_point(cord_scene *scene, const location *p)
{
    if (!cord__resolve_location(scene, p)) return false;
    if (p->kind == LOCATION_WAYPOINT) {
        cord__diagnose(&scene->errors, p->at->at,
                       "a waypoint of a cable can be measured, but is not a point");
        return false;
    }
    if (p->kind != LOCATION_NAME) return true;
    const symbol *found = cord__find_symbol(scene, p->name);
    if (found->kind == SUBJECT_POINT || found->kind == SUBJECT_BODY) return true;
    if (has_coordinate(scene, found)) return true;
    cord__diagnose(
        &scene->errors, p->at->at,
        found->kind == SUBJECT_STRAND ? "\"%.40s\" is a whole strand; name a point of it, as in "
                                        "%.40s@end"
        : found->kind == SUBJECT_PATH ? "\"%.40s\" is a whole path; name a point of it, as in "
                                        "%.40s@end"
                                      : "\"%.40s\" is not a point",
        p->name, p->name);
    return false;
}

/* The two points of a revolute or prismatic coordinate. */
static bool resolve_coordinate(cord_scene *scene, const coordinate_data *g)
{
    bool good = true;
    for (int i = 0; i < 2; i++) {
        const location *p = i == 0 ? &g->of : &g->reference;
        if (!cord__resolve_point(scene, p)) return false;
        if (!cord__is_coordinate(scene, p)) continue;
        cord__diagnose(&scene->errors, p->at->at,
                       "\"%.40s\" is a coordinate; it has no frame to measure", p->name);
        good = false;
    }
    return good;
}

static bool resolve_named(cord_scene *scene, const point_data *p)
{
    if (p->revolute || p->prismatic)
        return resolve_coordinate(scene, p->revolute ? p->revolute : p->prismatic);
    return cord__resolve_point(scene, &p->where);
}

static bool resolve_locations(cord_scene *scene)
{
    scene_data *d = &scene->data;
    bool good = cord__resolve_paths(scene);
    for (int i = 0; i < d->points.count; i++) {
        const point_data *p = ITEM(d->points, point_data, i);
        good = cord__valid(p->at, resolve_named(scene, p)) && good;
    }
    for (int i = 0; i < d->clamps.count; i++) {
        int strand;
        double along;
        const clamp_data *c = ITEM(d->clamps, clamp_data, i);
        good =
            cord__valid(c->at, cord__resolve_on_strand(scene, &c->where, &strand, &along)) && good;
    }
    for (int i = 0; i < d->constraints.count; i++) {
        constraint_data *r = ITEM(d->constraints, constraint_data, i);
        bool points = cord__resolve_point(scene, &r->first);
        points = cord__resolve_point(scene, &r->second) && points;
        points = points && cord__resolve_spring(scene, r);
        good = cord__valid(r->at, points && cord__check_coordinates(scene, r)) && good;
    }
    for (int i = 0; i < d->loads.count; i++) {
        const load_data *l = ITEM(d->loads, load_data, i);
        bool valid = cord__resolve_point(scene, &l->where) && cord__check_load(scene, l);
        good = cord__valid(l->at, valid) && good;
    }
    return good;
}

/* ---- reading ------------------------------------------------------------------------------ */

static bool check_version(cord_scene *scene)
{
    const node *n = cord__node_get(scene->root, "cordage");
    if (scene->data.version == 1) return true;
    cord__diagnose(&scene->errors, n->at, "this is format version %d; only version 1 is known",
                   scene->data.version);
    return false;
}

static bool check_objects(cord_scene *scene)
{
    static const char *const keys[] = {"strands", "bodies", "cables"};
    for (int i = 0; i < 3; i++) {
        const node *n = cord__node_get(scene->root, keys[i]);
        if (!scene->read.complete || (n && n->count > 0)) return true;
    }
    cord__diagnose(&scene->errors, scene->root->at, "a scene needs strands, cables or bodies");
    return false;
}

/* Reading goes on after errors. Items with errors are left out of their lists, and the error of an item that refers to
 * one of them is not a further error. */
static bool interpret(cord_scene *scene)
{
    reader *r = &scene->read;
    if (!r->complete) { /* the variables may be missing */
        r->scope = TAKE(&scene->memory, scope, 1);
        if (r->scope) r->scope->incomplete = true;
    }
    scene->data.version = 1; /* unless another one can be read */
    bool good = cord__read_mapping(r, &cord__scene_map, scene->root, &scene->data);
    if (scene->root->kind != NODE_MAP || scene->memory.failed) return false;
    good = check_version(scene) && good;
    good = check_objects(scene) && good;
    if (!collect_invalid(scene) || !cord__add_stand_ins(scene) || !cord__add_springs(scene))
        return false;
    good = collect_symbols(scene) && good;
    if (scene->memory.failed) return false;
    good = resolve_locations(scene) && good;
    good = cord__resolve_contacts(scene) && good;
    good = cord__resolve_scenery(scene) && good;
    good = cord__resolve_joints(scene) && good;
    good = cord__resolve_cables(scene) && good;
    good = cord__resolve_outputs(scene) && good;
    good = cord__resolve_probes(scene) && good;
    if (scene->memory.failed) return false;
    good = cord__resolve_controllers(scene) && good;
    good = cord__find_controls(scene) && good;
    return cord__resolve_expectations(scene) && good;
}

static node *read_root(cord_scene *scene, const scene_source *source)
{
    reader *r = &scene->read;
    if (source->path) return cord__include_read(r, source->path);
    return cord__yaml_read(r->memory, r->errors, "scene", source->text, source->size, &r->complete);
}

/* Whether building a scene with errors, only to find more of them, takes little time. */
static bool is_small(const cord_scene *scene)
{
    enum { MOST_OBJECTS = 5000, MOST_VERTICES = 100000 };
    const scene_data *d = &scene->data;
    int objects = d->strands.count + d->bodies.count + d->points.count + d->clamps.count +
                  d->joints.count + d->constraints.count + d->loads.count;
    return d->world && objects <= MOST_OBJECTS && scene->read.vertices <= MOST_VERTICES;
}

cord_status cord__scene_read_source(const scene_source *source, const char *const *overrides,
                                    cord_scene **result)
{
    arena first;
    cord__arena_init(&first, source->allocator);
    first.piecewise = source->piecewise;
    cord_scene *scene = cord__allocate(&first.mem, 1, sizeof *scene);
    *result = scene;
    if (!scene) return CORD_ERROR_MEMORY;
    scene->memory = first;
    scene->cancel = source->cancel;
    scene->errors.memory = &scene->memory;
    scene->read = (reader){.memory = &scene->memory, .errors = &scene->errors, .complete = true};
    if (source->path)
        scene->read.files =
            cord__file_access(&scene->memory, source->path, source->outside, &source->files);
    if (scene->memory.failed) return CORD_ERROR_MEMORY;
    cancellation own, *before = cord__cancel_begin(&own, &scene->cancel);
    scene->root = read_root(scene, source);
    bool good = scene->root && scene->errors.count == 0;
    for (; scene->root && overrides && *overrides; overrides++) {
        good = apply_override(scene, *overrides) && good;
    }
    if (scene->root) good = interpret(scene) && good;
    scene->good = good && scene->errors.count == 0;
    if (cord__cancel_end(&own, before)) {
        scene->good = false;
        return CORD_ERROR_CANCELLED;
    }
    if (!scene->good && !scene->memory.failed && is_small(scene)) cord__find_build_errors(scene);
    if (scene->memory.failed) return CORD_ERROR_MEMORY;
    return scene->good ? CORD_OK : CORD_ERROR_INPUT;
}

cord_scene_def cord_scene_def_default(void)
{
    return (cord_scene_def){0};
}

cord_status cord_scene_create(const cord_scene_def *def, cord_scene **scene)
{
    if (!scene) return CORD_ERROR_ARGUMENT;
    *scene = NULL;
    if (!def || !def->path) return CORD_ERROR_ARGUMENT;
    scene_source source = {.path = def->path,
                           .outside = def->allow_outside,
                           .cancel = def->cancel,
                           .files = def->files};
    return cord__scene_read_source(&source, def->overrides, scene);
}

cord_status cord_scene_read(const char *path, const char *const *overrides, cord_scene **scene)
{
    return cord_scene_create(&(cord_scene_def){.path = path, .overrides = overrides}, scene);
}

cord_status cord__scene_read_text(const char *text, size_t size, cord_scene **scene)
{
    return cord__scene_read_source(&(scene_source){.text = text, .size = size}, NULL, scene);
}

void cord_scene_free(cord_scene *scene)
{
    if (!scene) return;
    arena own = scene->memory; /* it also counts the scene itself */
    cord__arena_free(&own);
    cord__release(&own.mem, scene);
}

int cord_scene_get_error_count(const cord_scene *scene)
{
    if (!scene) return 0;
    return scene->errors.count;
}

const char *cord_scene_get_error(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    return i >= 0 && i < scene->errors.count ? scene->errors.list[i].text : NULL;
}

/* ---- queries ------------------------------------------------------------------------------ */

int cord_scene_get_file_count(const cord_scene *scene)
{
    return scene && scene->read.files.read ? scene->read.files.read->count : 0;
}

const char *cord_scene_get_file(const cord_scene *scene, int i)
{
    return i >= 0 && i < cord_scene_get_file_count(scene) ? scene->read.files.read->paths[i] : NULL;
}

static void describe_view(const view_data *d, cord_scene_info *info)
{
    info->view_given = isfinite(d->from[0]);
    info->direction_given = d->direction != VIEW_BEST;
    if (info->view_given) {
        v3_copy(info->view_from, d->from);
        v3_copy(info->view_to, d->to);
    }
    if (info->direction_given) cord__view_direction(d->direction, info->view_direction);
}

cord_scene_info cord_scene_get_info(const cord_scene *scene)
{
    if (!scene) return (cord_scene_info){0};
    const scene_data *d = &scene->data;
    cord_scene_info info = {
        .title = d->title,
        .about = d->about,
        .paper = d->paper,
        .figure = d->figure,
        .strand_count = d->strands.count,
        .body_count = d->bodies.count,
        .path_count = d->paths.count,
        .point_count = d->points.count,
        .clamp_count = d->clamps.count,
        .constraint_count = d->constraints.count,
        .joint_count = d->joints.count - cord__pulley_count(scene),
        .pulley_count = cord__pulley_count(scene),
        .obstacle_count = d->obstacles.count,
        .solid_count = d->bodies.count + scene->scenery_count,
        .image_count = d->images.count,
        .controller_count = d->controllers.count,
        .probe_count = d->probes.count,
        .expectation_count = d->expectations.count,
    };
    if (d->run) {
        info.until = d->run->until;
        info.dt = d->run->dt;
        info.frame_interval = 1 / d->run->frames;
        info.equilibrium_first = d->run->start != START_AS_DRAWN;
        info.nearest_equilibrium = d->run->start == START_NEAREST_EQUILIBRIUM;
        info.kick = d->run->kick;
        info.outputs = d->run->outputs;
    }
    if (d->view) describe_view(d->view, &info);
    return info;
}

static bool has(const item_list *list, int i)
{
    return i >= 0 && i < list->count;
}

const char *cord_scene_get_strand_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.strands;
    return has(list, i) ? ITEM(*list, strand_data, i)->name : NULL;
}

int cord_scene_get_strand_colour(const cord_scene *scene, int i)
{
    if (!scene) return -1;
    const item_list *list = &scene->data.strands;
    if (!has(list, i) || !ITEM(*list, strand_data, i)->colour.given) return -1;
    return ITEM(*list, strand_data, i)->colour.rgb;
}

cord_look cord_scene_get_strand_look(const cord_scene *scene, int i)
{
    if (!scene) return CORD_LOOK_PLAIN;
    const item_list *list = &scene->data.strands;
    if (!has(list, i)) return CORD_LOOK_PLAIN;
    const strand_data *s = ITEM(*list, strand_data, i);
    if (s->look != LOOK_AUTO) return (cord_look)s->look;
    return cord__look_of_material(cord__node_get(s->at, "material"),
                                  s->cable ? CORD_LOOK_ROPE : CORD_LOOK_PLAIN);
}

const char *cord_scene_get_body_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.bodies;
    return has(list, i) ? ITEM(*list, body_data, i)->name : NULL;
}

int cord_scene_get_body_colour(const cord_scene *scene, int i)
{
    if (!scene) return -1;
    const item_list *list = &scene->data.bodies;
    if (!has(list, i) || !ITEM(*list, body_data, i)->colour.given) return -1;
    return ITEM(*list, body_data, i)->colour.rgb;
}

const char *cord_scene_get_path_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.paths;
    return has(list, i) ? ITEM(*list, path_data, i)->name : NULL;
}

const char *cord_scene_get_point_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.points;
    return has(list, i) ? ITEM(*list, point_data, i)->name : NULL;
}

const char *cord_scene_get_constraint_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.constraints;
    return has(list, i) ? ITEM(*list, constraint_data, i)->name : NULL;
}

cord_bar_info cord_scene_get_constraint_bar(const cord_scene *scene, int i)
{
    const item_list *list = scene ? &scene->data.constraints : NULL;
    const bar_data *bar = list && has(list, i) ? ITEM(*list, constraint_data, i)->bar : NULL;
    if (!bar) return (cord_bar_info){0};
    cord_look look = bar->colour.given ? CORD_LOOK_PLAIN : CORD_LOOK_STEEL;
    return (cord_bar_info){.width = bar->width,
                           .thickness = isnan(bar->thickness) ? bar->width : bar->thickness,
                           .colour = bar->colour.given ? bar->colour.rgb : 0x8f979e,
                           .look = bar->look == LOOK_AUTO ? look : (cord_look)bar->look};
}

const char *cord_scene_get_obstacle_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.obstacles;
    return has(list, i) ? ITEM(*list, obstacle_data, i)->name : NULL;
}

const char *cord_scene_get_clamp_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.clamps;
    return has(list, i) ? ITEM(*list, clamp_data, i)->name : NULL;
}
