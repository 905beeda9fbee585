/* Probes: their subjects and names, binding them to a world, sampling. */
#include "scene/measure.h"

#include "math/vec3.h"
#include "scene/cables.h"
#include "scene/contacts.h"
#include "scene/controllers.h"
#include "scene/joints.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool find_subject(cord_scene *scene, probe_data *p)
{
    p->strand = -1;
    if (p->of.kind == LOCATION_NONE) {
        p->subject = SUBJECT_WORLD;
        return true;
    }
    if (p->of.kind == LOCATION_WAYPOINT) {
        p->subject = SUBJECT_WAYPOINT;
        return cord__resolve_waypoint(scene, &p->of, &p->strand, &p->object);
    }
    bool along = p->of.kind == LOCATION_STRAND_FRACTION || p->of.kind == LOCATION_STRAND_LENGTH;
    if (along && !cord__path_of(scene, &p->of)) {
        p->subject = SUBJECT_STRAND_POINT;
        return cord__resolve_on_strand(scene, &p->of, &p->strand, &p->along);
    }
    if (!cord__resolve_location(scene, &p->of)) return false;
    p->subject = SUBJECT_POINT;
    if (p->of.kind != LOCATION_NAME) return true;
    const symbol *s = cord__find_symbol(scene, p->of.name);
    p->subject = s->kind;
    if (s->kind == SUBJECT_STRAND) p->strand = s->index;
    if (s->kind == SUBJECT_BODY) p->body = s->index;
    p->object = s->index;
    return true;
}

static bool is_in_file_names(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-_.[]", c));
}

/* The name of a probe is also that of its file. */
static bool is_file_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > 100 || name[0] == '.') return false;
    /* names of the recordings of strands, bodies and contacts */
    static const char *const taken[] = {"frames", "bodies", "contacts"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return false;
    while (*name && is_in_file_names(*name)) name++;
    return *name == 0;
}

/* "hair[1]@40%" measured for "position" becomes "hair[1]-40-position": the characters that names of probes may have stay, others
 * become a dash, several of them, or one beside a dash, one dash. */
static const char *default_name(cord_scene *scene, const probe_data *p)
{
    if (p->of.kind == LOCATION_NONE || p->of.kind == LOCATION_WORLD)
        return cord__measure_name(p->measure);
    const char *of = p->of.at->text ? p->of.at->text : p->of.name;
    char *name =
        cord__arena_print(&scene->memory, "%.60s-%s%s%.60s", of, cord__measure_name(p->measure),
                          p->with ? "-" : "", p->with ? p->with : "");
    char *to = name;
    for (const char *c = name; c && *c; c++) {
        char next = is_in_file_names(*c) ? *c : '-';
        bool again = next == '-' && (to == name || to[-1] == '-');
        if (!again) *to++ = next;
    }
    if (name) *to = 0;
    return name;
}

/* Not every kind of joint has every measure. */
static bool joint_has(const joint_data *j, int measure)
{
    switch (measure) {
    case MEASURE_COORDINATE:
    case MEASURE_RATE: return cord__joint_unit(j) != NULL;
    case MEASURE_DRIVE: return cord__joint_unit(j) || j->kind == JOINT_GEAR;
    case MEASURE_ANGLE:
        if (j->kind == JOINT_PULLEY) return cord__joint_unit(j) != NULL;
        return j->kind == JOINT_REVOLUTE || j->kind == JOINT_SCREW || j->kind == JOINT_CYLINDRICAL;
    case MEASURE_FORCE:
    case MEASURE_TORQUE: return j->kind != JOINT_GEAR && j->kind != JOINT_PULLEY;
    default: return j->kind != JOINT_PULLEY;
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
    cord__diagnose(&scene->errors, cord__node_get(p->at, "measure")->at,
                   "%s of kind %s has no %s to measure", cord__subject_text(p->subject), kind,
                   cord__measure_name(p->measure));
    return false;
}

/* The point or joint whose coordinate a probe measures. */
static const location *coordinate_of(const cord_scene *scene, const probe_data *p)
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
    const char *angle = cord__angle_unit(p->measure);
    return angle && cord__is_angle(scene, coordinate_of(scene, p)) ? angle : p->ops->unit;
}

/* The measures of a point of a cable, and of a point of another strand. */
static bool check_strand_point(cord_scene *scene, const probe_data *p)
{
    const cable_data *c = cord__probe_strand(scene, p)->cable;
    bool of_twist = p->measure == MEASURE_TWIST || p->measure == MEASURE_TORQUE;
    bool plain = p->measure == MEASURE_POSITION || p->measure == MEASURE_VELOCITY ||
                 p->measure == MEASURE_TENSION;
    mark at = cord__node_get(p->at, "measure")->at;
    if (c && of_twist && !c->twisting.elastic && c->twisting.value == 0) {
        cord__diagnose(&scene->errors, at, "%s carries no twist: give it \"twisting\"", p->of.name);
        return false;
    }
    if (c ? plain || of_twist : p->measure != MEASURE_TORQUE) return true;
    cord__diagnose(
        &scene->errors, at,
        c ? "a point of a cable has a position, a velocity, a tension, a twist and a torque "
            "to measure, no %s"
          : "a point of a strand has no %s; clamp it, and probe the clamp",
        cord__measure_name(p->measure));
    return false;
}

static bool check_partners(cord_scene *scene, const probe_data *p)
{
    if (!p->with) return true;
    mark at = cord__node_get(p->at, "with")->at;
    if (cord__is_of_contacts(p->measure)) return cord__require_surfaces(scene, p->with, at);
    cord__diagnose(&scene->errors, at, "\"with\" is for measures of contacts, not for %s",
                   cord__measure_name(p->measure));
    return false;
}

static bool resolve_probe(cord_scene *scene, probe_data *p)
{
    diagnostics *d = &scene->errors;
    if (!find_subject(scene, p)) return false;
    p->ops = cord__find_measure(p->measure, p->subject);
    if (!p->ops) {
        cord__diagnose(d, cord__node_get(p->at, "measure")->at, "%s has no %s to measure",
                       cord__subject_text(p->subject), cord__measure_name(p->measure));
        return false;
    }
    if (p->subject == SUBJECT_STRAND_POINT && !check_strand_point(scene, p)) return false;
    bool of_cable = p->measure == MEASURE_TOPOLOGY_CHANGES || p->measure == MEASURE_SLACK;
    if (of_cable && !cord__probe_strand(scene, p)->cable) {
        cord__diagnose(d, cord__node_get(p->at, "measure")->at,
                       "%.40s is not a cable; only cables have %s to measure", p->of.name,
                       cord__measure_name(p->measure));
        return false;
    }
    if (p->measure == MEASURE_FLEET_ANGLE && !cord__waypoint_pulley(scene, p->strand, p->object)) {
        cord__diagnose(d, cord__node_get(p->at, "measure")->at,
                       "%.60s is not a pulley or a drum, so there is no plane for a fleet angle",
                       p->of.at->text);
        return false;
    }
    bool forces = p->measure == MEASURE_FORCE || p->measure == MEASURE_TORQUE;
    if (p->subject == SUBJECT_BODY && forces && !cord__probe_body(scene, p)->clamped.at) {
        cord__diagnose(
            d, p->at->at,
            "%s is not clamped (\"clamped\"), so there is no %s; probe a constraint on it",
            p->of.name, cord__measure_name(p->measure));
        return false;
    }
    if (!check_kind(scene, p) || !check_partners(scene, p)) return false;
    p->columns = p->ops->columns;
    p->unit = unit_of(scene, p);
    if (!p->name) p->name = default_name(scene, p);
    if (!p->name) return false;
    if (is_file_name(p->name)) return true;
    cord__diagnose(d, p->at->at,
                   "probe name \"%.60s\": use letters, digits, -, _, . and [] (it names a file), "
                   "and not \"frames\", \"bodies\" or \"contacts\"",
                   p->name);
    return false;
}

/* Sorts by name; equal names in the order of the file. Invalid probes have no name, and come first. */
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
        probe_data *p = ITEM(scene->data.probes, probe_data, i);
        good = cord__valid(p->at, resolve_probe(scene, p)) && good;
    }
    if (!sort_probes(scene)) return false;
    for (int i = 1; i < scene->data.probes.count; i++) {
        const probe_data *last = scene->probes_by_name[i - 1], *p = scene->probes_by_name[i];
        if (!p->name || !last->name || strcmp(p->name, last->name) != 0) continue;
        cord__diagnose(&scene->errors, p->at->at, "two probes are called \"%s\"", p->name);
        good = false;
    }
    return good;
}

/* ---- binding to a world ------------------------------------------------------------------- */

static cord_status count_rows(cord_world *world, built_probe *p)
{
    p->items = 0;
    for (int i = 0; i < 2 && p->constraints[i].generation; i++) {
        double g[16];
        int rows = 0;
        cord_status status = cord_constraint_get_residual(world, p->constraints[i], &rows, g);
        if (status != CORD_OK) return status;
        p->items += rows;
    }
    return CORD_OK;
}

static cord_status count_items(cord_simulation *sim, built_probe *p)
{
    const probe_data *d = p->data;
    if (d->ops->items == PER_ROW) return count_rows(sim->world, p);
    p->items = 1;
    if (d->strand < 0) return CORD_OK;
    cord_strand_info info;
    cord_status status = cord_strand_get_info(sim->world, sim->strands[d->strand].handle, &info);
    if (status != CORD_OK) return status;
    /* A closed strand that breaks, or is cut, gets one more vertex. */
    const strand_data *s = ITEM(sim->scene->data.strands, strand_data, d->strand);
    const int rows = info.vertex_count + (info.closed ? 1 : 0);
    if (d->ops->items == PER_VERTEX) p->items = s->breaks ? rows : info.vertex_count;
    if (d->ops->items == PER_EDGE) p->items = info.edge_count;
    p->scratch_count = 3 * rows;
    p->scratch = TAKE(&sim->memory, double, (size_t)p->scratch_count);
    if (d->ops->items != PER_VERTEX || p->items == rows)
        return p->scratch ? CORD_OK : CORD_ERROR_MEMORY;
    p->opened = TAKE(&sim->memory, double, (size_t)(rows * d->columns));
    return p->scratch && p->opened ? CORD_OK : CORD_ERROR_MEMORY;
}

static cord_status bind_point(cord_simulation *sim, built_probe *p)
{
    const probe_data *d = p->data;
    const cord_scene *scene = sim->scene;
    cord_status status = CORD_OK;
    if (d->of.kind == LOCATION_NAME) { /* a whole body is a separate kind of subject */
        p->point = sim->points[cord__find_symbol(scene, d->of.name)->index];
        return CORD_OK;
    }
    cord_point_def def = cord_point_def_default();
    if (d->of.kind == LOCATION_WORLD) v3_copy(def.position, d->of.x);
    if (d->of.kind == LOCATION_BODY) cord__body_point_def(sim, &d->of, &def);
    if (cord__path_of(scene, &d->of)) status = cord__path_point_def(sim, &d->of, false, &def);
    if (d->subject == SUBJECT_STRAND_POINT) {
        def.source = CORD_SOURCE_STRAND;
        def.strand = sim->strands[d->strand].handle;
        status = cord__arc_in_world(sim, cord__probe_strand(scene, d), &d->of, d->along, &def.s);
    }
    return status == CORD_OK ? cord_world_add_point(sim->world, &def, &p->point) : status;
}

static cord_status bind_joint(cord_simulation *sim, built_probe *p)
{
    built_joint *j = &sim->joints[p->data->object];
    int measure = p->data->measure;
    memcpy(p->constraints, j->constraints, sizeof p->constraints);
    if (measure == MEASURE_ANGLE) return cord__joint_revolute(sim, j, &p->point);
    bool coordinate = measure == MEASURE_COORDINATE || measure == MEASURE_RATE;
    return coordinate ? cord__joint_coordinate(sim, j, &p->point) : CORD_OK;
}

static void bind_clamp(const cord_clamp_handles *clamp, built_probe *p)
{
    p->constraints[0] = clamp->coincide;
    p->constraints[1] = clamp->align;
}

static cord_status bind_probe(cord_simulation *sim, built_probe *p)
{
    const probe_data *d = p->data;
    cord_status status = CORD_OK;
    switch (d->subject) {
    case SUBJECT_POINT:
    case SUBJECT_STRAND_POINT: status = bind_point(sim, p); break;
    case SUBJECT_CONSTRAINT: p->constraints[0] = sim->constraints[d->object]; break;
    case SUBJECT_CLAMP: bind_clamp(&sim->clamps[d->object], p); break;
    case SUBJECT_BODY: bind_clamp(&sim->bodies[d->body].clamp, p); break;
    case SUBJECT_JOINT: status = bind_joint(sim, p); break;
    default: break;
    }
    if (status == CORD_OK && cord__is_of_contacts(d->measure)) status = cord__bind_contacts(sim, p);
    return status == CORD_OK ? count_items(sim, p) : status;
}

cord_status cord__bind_probes(cord_simulation *sim)
{
    for (int i = 0; i < sim->scene->data.probes.count; i++) {
        built_probe *p = &sim->probes[i];
        cord_status status = bind_probe(sim, p);
        if (status == CORD_OK) continue;
        const char *error = cord_world_get_error(sim->world);
        cord__diagnose(&sim->errors, p->data->at->at, "probe %s: %s", p->data->name,
                       *error ? error : cord_status_text(status));
        return status;
    }
    return CORD_OK;
}

cord_probe_info cord_scene_get_probe(const cord_scene *scene, int i)
{
    if (!scene || i < 0 || i >= scene->data.probes.count) return (cord_probe_info){0};
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    const char *of = p->of.kind == LOCATION_NONE   ? NULL
                     : p->of.at->text              ? p->of.at->text
                     : p->of.kind == LOCATION_BODY ? p->of.name
                                                   : "a point";
    return (cord_probe_info){p->name, cord__measure_name(p->measure), of, p->columns};
}

const char *cord_scene_get_probe_column(const cord_scene *scene, int i, int column,
                                        const char **unit)
{
    if (!scene || i < 0 || i >= scene->data.probes.count) return NULL;
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    if (!p->ops || column < 0 || column >= p->columns) return NULL;
    if (unit) *unit = p->unit ? p->unit : "";
    return p->ops->column_names[column];
}

int cord_simulation_get_probe_item_count(const cord_simulation *sim, int i)
{
    bool there = sim && sim->world && i >= 0 && i < sim->scene->data.probes.count;
    return there ? sim->probes[i].items : 0;
}

cord_status cord_simulation_sample(cord_simulation *sim, int probe, double *values)
{
    if (!values || cord_simulation_get_probe_item_count(sim, probe) == 0)
        return CORD_ERROR_ARGUMENT;
    const built_probe *p = &sim->probes[probe];
    const int count = p->items * p->data->columns;
    int breaks = 0;
    if (p->data->strand >= 0)
        (void)cord_strand_get_break_count(sim->world, sim->strands[p->data->strand].handle,
                                          &breaks);
    /* Vertices beyond a break are those of another fragment. */
    const bool fewer =
        breaks > 0 || (p->data->strand >= 0 &&
                       ITEM(sim->scene->data.strands, strand_data, p->data->strand)->breaks);
    for (int k = 0; fewer && k < count; k++) values[k] = NAN;
    for (int k = 0; fewer && k < p->scratch_count; k++) p->scratch[k] = NAN;
    if (breaks == 0 || !p->opened) return p->data->ops->sample(sim, p, values);
    /* The last vertex of a ring that was cut, without its scene saying so, is left out: it is the first one. */
    for (int k = 0; k < count; k++) p->opened[k] = NAN;
    cord_status status = p->data->ops->sample(sim, p, p->opened);
    memcpy(values, p->opened, (size_t)count * sizeof *values);
    return status;
}
