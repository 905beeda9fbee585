/* Probes: what they are of, their names, binding them to a world, sampling. */
#include "scene/measure.h"

#include "math/vec3.h"
#include "scene/cables.h"
#include "scene/controllers.h"
#include "scene/joints.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool find_subject(cord_scene *scene, probe_data *p)
{
    p->strand = -1;
    if (p->of.kind == PLACE_NONE) {
        p->subject = SUBJECT_WORLD;
        return true;
    }
    if (p->of.kind == PLACE_STOP) {
        p->subject = SUBJECT_STOP;
        return cord__resolve_stop(scene, &p->of, &p->strand, &p->object);
    }
    bool along = p->of.kind == PLACE_STRAND_FRACTION || p->of.kind == PLACE_STRAND_LENGTH;
    if (along && !cord__path_of(scene, &p->of)) {
        p->subject = SUBJECT_SPOT;
        return cord__resolve_on_strand(scene, &p->of, &p->strand, &p->along);
    }
    if (!cord__resolve_place(scene, &p->of)) return false;
    p->subject = SUBJECT_PLACE;
    if (p->of.kind != PLACE_NAME) return true;
    const symbol *s = cord__find_symbol(scene, p->of.name);
    p->subject = s->kind;
    if (s->kind == SUBJECT_STRAND) p->strand = s->index;
    if (s->kind == SUBJECT_BODY) p->body = s->index;
    p->object = s->index;
    return true;
}

/* A probe's name is also its file's. */
static bool is_file_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > 100 || name[0] == '.') return false;
    /* the recording of the strands and bodies themselves */
    if (strcmp(name, "frames") == 0 || strcmp(name, "bodies") == 0) return false;
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_.[]", *c)) return false;
    }
    return true;
}

/* "rope@40%" measured for "position" becomes "rope-40-position". */
static const char *default_name(cord_scene *scene, const probe_data *p)
{
    if (p->of.kind == PLACE_NONE || p->of.kind == PLACE_WORLD)
        return cord__measure_name(p->measure);
    const char *of = p->of.at->text ? p->of.at->text : p->of.name;
    char *name = cord__arena_print(&scene->memory, "%.60s-%s", of, cord__measure_name(p->measure));
    for (char *c = name; c && *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_", *c)) *c = '-';
    }
    return name;
}

/* Not every kind of joint has every measure. */
static bool joint_has(const joint_data *j, int measure)
{
    switch (measure) {
    case MEASURE_SLIDE:
    case MEASURE_RATE: return cord__joint_unit(j) != NULL;
    case MEASURE_DRIVE: return cord__joint_unit(j) || j->kind == JOINT_GEAR;
    case MEASURE_ANGLE:
        if (j->kind == JOINT_WHEEL) return cord__joint_unit(j) != NULL;
        return j->kind == JOINT_REVOLUTE || j->kind == JOINT_SCREW || j->kind == JOINT_CYLINDRICAL;
    case MEASURE_FORCE:
    case MEASURE_TORQUE: return j->kind != JOINT_GEAR && j->kind != JOINT_WHEEL;
    default: return j->kind != JOINT_WHEEL;
    }
}

static const constraint_data *constraint_of(const cord_scene *scene, const probe_data *p)
{
    return ITEM(scene->data.constraints, constraint_data, p->object);
}

static bool check_kind(cord_scene *scene, const probe_data *p)
{
    const char *kind = NULL;
    if (p->subject == SUBJECT_JOINT) {
        const joint_data *j = ITEM(scene->data.joints, joint_data, p->object);
        if (!joint_has(j, p->measure)) kind = cord__joint_kind_name(j);
    }
    if (p->subject == SUBJECT_CONSTRAINT && p->measure == MEASURE_DRIVE &&
        strcmp(constraint_of(scene, p)->kind, CORD_SLIDE) != 0)
        kind = constraint_of(scene, p)->kind;
    if (!kind) return true;
    cord__complain(&scene->complaints, cord__node_get(p->at, "measure")->at,
                   "%s of kind %s has no %s to measure", cord__subject_text(p->subject), kind,
                   cord__measure_name(p->measure));
    return false;
}

/* The point or joint whose coordinate it is about. */
static const place *coordinate_of(const cord_scene *scene, const probe_data *p)
{
    if (p->subject == SUBJECT_CONSTRAINT) return &constraint_of(scene, p)->first;
    if (p->subject != SUBJECT_JOINT) return &p->of;
    const joint_data *j = ITEM(scene->data.joints, joint_data, p->object);
    return j->kind == JOINT_GEAR ? &j->first : &p->of;
}

static const char *unit_of(const cord_scene *scene, const probe_data *p)
{
    if (p->subject == SUBJECT_CONTROLLER)
        return ITEM(scene->data.controllers, controller_data, p->object)->unit;
    const char *turning = cord__turning_unit(p->measure);
    return turning && cord__is_turn(scene, coordinate_of(scene, p)) ? turning : p->ops->unit;
}

/* What a place of a cable has to measure, and a place of another strand. */
static bool check_spot(cord_scene *scene, const probe_data *p)
{
    const cable_data *c = cord__probe_strand(scene, p)->cable;
    bool of_twist = p->measure == MEASURE_TWIST || p->measure == MEASURE_TORQUE;
    bool plain = p->measure == MEASURE_POSITION || p->measure == MEASURE_VELOCITY ||
                 p->measure == MEASURE_TENSION;
    mark at = cord__node_get(p->at, "measure")->at;
    if (c && of_twist && !c->twisting.elastic && c->twisting.value == 0) {
        cord__complain(&scene->complaints, at, "%s carries no twist: give it \"twisting\"",
                       p->of.name);
        return false;
    }
    if (c ? plain || of_twist : p->measure != MEASURE_TORQUE) return true;
    cord__complain(
        &scene->complaints, at,
        c ? "a place of a cable has a position, a velocity, a tension, a twist and a torque "
            "to measure, no %s"
          : "a place on a strand has no %s; hold it, and probe what holds it",
        cord__measure_name(p->measure));
    return false;
}

static bool resolve_probe(cord_scene *scene, probe_data *p)
{
    diagnostics *d = &scene->complaints;
    if (!find_subject(scene, p)) return false;
    p->ops = cord__find_measure(p->measure, p->subject);
    if (!p->ops) {
        cord__complain(d, cord__node_get(p->at, "measure")->at, "%s has no %s to measure",
                       cord__subject_text(p->subject), cord__measure_name(p->measure));
        return false;
    }
    if (p->subject == SUBJECT_SPOT && !check_spot(scene, p)) return false;
    if (p->measure == MEASURE_CHANGES && !cord__probe_strand(scene, p)->cable) {
        cord__complain(d, cord__node_get(p->at, "measure")->at,
                       "%.40s is not a cable; only cables have changes to measure", p->of.name);
        return false;
    }
    bool forces = p->measure == MEASURE_FORCE || p->measure == MEASURE_TORQUE;
    if (p->subject == SUBJECT_BODY && forces && !cord__probe_body(scene, p)->held.at) {
        cord__complain(d, p->at->at,
                       "nothing holds %s (\"held\"), so there is no %s; probe a constraint on it",
                       p->of.name, cord__measure_name(p->measure));
        return false;
    }
    if (!check_kind(scene, p)) return false;
    p->columns = p->ops->columns;
    p->unit = unit_of(scene, p);
    if (!p->name) p->name = default_name(scene, p);
    if (!p->name) return false;
    if (is_file_name(p->name)) return true;
    cord__complain(d, p->at->at,
                   "probe name \"%.60s\": use letters, digits, -, _, . and [] (it names a file), "
                   "and not \"frames\" or \"bodies\"",
                   p->name);
    return false;
}

/* By name; equal ones in the order of the file. Probes that are wrong have no name, and come first. */
static int compare_probes(const void *a, const void *b)
{
    const probe_data *x = *(const probe_data *const *)a, *y = *(const probe_data *const *)b;
    int order = strcmp(x->name ? x->name : "", y->name ? y->name : "");
    return order ? order : (x > y) - (x < y);
}

static bool sort_probes(cord_scene *scene)
{
    int count = scene->data.probes.count;
    scene->probes_by_name = TAKE(&scene->memory, probe_data *, count);
    if (!scene->probes_by_name) return false;
    for (int i = 0; i < count; i++) {
        scene->probes_by_name[i] = ITEM(scene->data.probes, probe_data, i);
    }
    qsort(scene->probes_by_name, (size_t)count, sizeof(probe_data *), compare_probes);
    return true;
}

int cord__find_probe(const cord_scene *scene, const char *name)
{
    int low = 0, high = scene->data.probes.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const char *other = scene->probes_by_name[middle]->name;
        if (strcmp(other ? other : "", name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const probe_data *p = low < scene->data.probes.count ? scene->probes_by_name[low] : NULL;
    bool found = p && p->name && strcmp(p->name, name) == 0;
    return found ? (int)(p - ITEM(scene->data.probes, probe_data, 0)) : -1;
}

bool cord__resolve_probes(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.probes.count; i++) {
        good = resolve_probe(scene, ITEM(scene->data.probes, probe_data, i)) && good;
    }
    if (!sort_probes(scene)) return false;
    for (int i = 1; i < scene->data.probes.count; i++) {
        const probe_data *last = scene->probes_by_name[i - 1], *p = scene->probes_by_name[i];
        if (!p->name || !last->name || strcmp(p->name, last->name) != 0) continue;
        cord__complain(&scene->complaints, p->at->at, "two probes are called \"%s\"", p->name);
        good = false;
    }
    return good;
}

/* ---- binding to a world ------------------------------------------------------------------- */

static cord_status count_rows(cord_world *world, const probe_data *p, int *total)
{
    *total = 0;
    for (int i = 0; i < 2 && p->constraints[i].generation; i++) {
        double g[16];
        int rows = 0;
        cord_status status = cord_constraint_get_residual(world, p->constraints[i], &rows, g);
        if (status != CORD_OK) return status;
        *total += rows;
    }
    return CORD_OK;
}

static cord_status count_items(cord_scene *scene, cord_world *world, probe_data *p)
{
    p->items = 1;
    if (p->ops->items == PER_ROW) return count_rows(world, p, &p->items);
    if (p->strand < 0) return CORD_OK;
    cord_strand_info info;
    cord_status status = cord_strand_get_info(world, cord__probe_strand(scene, p)->handle, &info);
    if (status != CORD_OK) return status;
    if (p->ops->items == PER_VERTEX) p->items = info.vertex_count;
    if (p->ops->items == PER_EDGE) p->items = info.edge_count;
    p->scratch = TAKE(&scene->memory, double, 3 * (size_t)info.vertex_count);
    return p->scratch ? CORD_OK : CORD_ERROR_MEMORY;
}

static cord_status bind_place(cord_scene *scene, cord_world *world, probe_data *p)
{
    if (p->of.kind == PLACE_NAME) { /* a whole body is a subject of its own */
        const symbol *s = cord__find_symbol(scene, p->of.name);
        p->point = ITEM(scene->data.points, point_data, s->index)->handle;
        return CORD_OK;
    }
    cord_point_def def = cord_point_def_default();
    if (p->of.kind == PLACE_WORLD) v3_copy(def.position, p->of.x);
    if (p->of.kind == PLACE_BODY) cord__body_place(scene, &p->of, &def);
    if (cord__path_of(scene, &p->of)) {
        cord_status status = cord__path_place_def(scene, world, &p->of, false, &def);
        if (status != CORD_OK) return status;
    }
    if (p->subject == SUBJECT_SPOT) {
        def.source = CORD_SOURCE_STRAND;
        def.strand = cord__probe_strand(scene, p)->handle;
        cord_status status =
            cord__arc_in_world(world, cord__probe_strand(scene, p), &p->of, p->along, &def.s);
        if (status != CORD_OK) return status;
    }
    return cord_world_add_point(world, &def, &p->point);
}

static cord_status bind_joint(cord_scene *scene, cord_world *world, probe_data *p)
{
    joint_data *j = ITEM(scene->data.joints, joint_data, p->object);
    memcpy(p->constraints, j->hold, sizeof p->constraints);
    if (p->measure == MEASURE_ANGLE) return cord__joint_turn(world, j, &p->point);
    bool coordinate = p->measure == MEASURE_SLIDE || p->measure == MEASURE_RATE;
    return coordinate ? cord__joint_coordinate(world, j, &p->point) : CORD_OK;
}

static cord_status bind_probe(cord_scene *scene, cord_world *world, probe_data *p)
{
    if (p->subject == SUBJECT_PLACE || p->subject == SUBJECT_SPOT) {
        cord_status status = bind_place(scene, world, p);
        if (status != CORD_OK) return status;
    }
    if (p->subject == SUBJECT_CONSTRAINT || p->subject == SUBJECT_CLAMP) {
        int index = cord__find_symbol(scene, p->of.name)->index;
        const constraint_data *constraint = ITEM(scene->data.constraints, constraint_data, index);
        const clamp_data *clamp = ITEM(scene->data.clamps, clamp_data, index);
        bool is_clamp = p->subject == SUBJECT_CLAMP;
        p->constraints[0] = is_clamp ? clamp->coincide : constraint->handle;
        p->constraints[1] = is_clamp ? clamp->align : (cord_constraint){0, 0};
    }
    if (p->subject == SUBJECT_JOINT) {
        cord_status status = bind_joint(scene, world, p);
        if (status != CORD_OK) return status;
    }
    if (p->subject == SUBJECT_BODY) {
        p->constraints[0] = cord__probe_body(scene, p)->coincide;
        p->constraints[1] = cord__probe_body(scene, p)->align;
    }
    return count_items(scene, world, p);
}

cord_status cord__bind_probes(cord_scene *scene, cord_world *world)
{
    for (int i = 0; i < scene->data.probes.count; i++) {
        probe_data *p = ITEM(scene->data.probes, probe_data, i);
        cord_status status = bind_probe(scene, world, p);
        if (status == CORD_OK) continue;
        cord__complain(&scene->complaints, p->at->at, "probe %s: %s", p->name,
                       *cord_world_get_error(world) ? cord_world_get_error(world)
                                                    : cord_status_text(status));
        return status;
    }
    return CORD_OK;
}

cord_probe_info cord_scene_get_probe(const cord_scene *scene, int i)
{
    if (i < 0 || i >= scene->data.probes.count) return (cord_probe_info){0};
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    const char *of = p->of.kind == PLACE_NONE   ? NULL
                     : p->of.at->text           ? p->of.at->text
                     : p->of.kind == PLACE_BODY ? p->of.name
                                                : "a place";
    return (cord_probe_info){p->name, cord__measure_name(p->measure), of, p->items, p->columns};
}

const char *cord_scene_get_probe_column(const cord_scene *scene, int i, int column,
                                        const char **unit)
{
    if (i < 0 || i >= scene->data.probes.count) return NULL;
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    if (!p->ops || column < 0 || column >= p->columns) return NULL;
    if (unit) *unit = p->unit ? p->unit : "";
    return p->ops->column_names[column];
}

cord_status cord_scene_sample(cord_scene *scene, cord_world *world, int probe, double *values)
{
    if (probe < 0 || probe >= scene->data.probes.count) return CORD_ERROR_ARGUMENT;
    probe_data *p = ITEM(scene->data.probes, probe_data, probe);
    if (!p->ops || p->items == 0) return CORD_ERROR_ARGUMENT;
    return p->ops->sample(scene, world, p, values);
}
