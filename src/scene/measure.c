#include "scene/measure.h"

#include "math/vec3.h"
#include "scene/nearest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the world ---------------------------------------------------------------------------- */

static void put_energy(const cord_energy *e, double *values)
{
    const double list[] = {e->kinetic,  e->gravity,   e->stretching, e->bending,
                           e->twisting, e->relations, e->total};
    memcpy(values, list, sizeof list);
}

static cord_status world_energy(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    (void)scene, (void)p;
    cord_energy energy;
    cord_status status = cord_world_energy(world, &energy);
    if (status == CORD_OK) put_energy(&energy, values);
    return status;
}

static cord_status world_momentum(cord_scene *scene, cord_world *world, probe_data *p,
                                  double *values)
{
    (void)scene, (void)p;
    cord_momentum momentum;
    cord_status status = cord_world_momentum(world, &momentum);
    if (status == CORD_OK) v3_copy(values, momentum.linear);
    return status;
}

static cord_status world_angular_momentum(cord_scene *scene, cord_world *world, probe_data *p,
                                          double *values)
{
    (void)scene, (void)p;
    cord_momentum momentum;
    cord_status status = cord_world_momentum(world, &momentum);
    if (status == CORD_OK) v3_copy(values, momentum.angular);
    return status;
}

/* ---- strands ------------------------------------------------------------------------------ */

static strand_data *strand_of(cord_scene *scene, const probe_data *p)
{
    return ITEM(scene->data.strands, strand_data, p->strand);
}

static cord_status strand_position(cord_scene *scene, cord_world *world, probe_data *p,
                                   double *values)
{
    return cord_strand_positions(world, strand_of(scene, p)->handle, values);
}

static cord_status strand_velocity(cord_scene *scene, cord_world *world, probe_data *p,
                                   double *values)
{
    return cord_strand_velocities(world, strand_of(scene, p)->handle, values);
}

static cord_status strand_frame(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    return cord_strand_frames(world, strand_of(scene, p)->handle, values);
}

static cord_status strand_angle(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    return cord_strand_angles(world, strand_of(scene, p)->handle, values);
}

static cord_status strand_tension(cord_scene *scene, cord_world *world, probe_data *p,
                                  double *values)
{
    return cord_strand_tensions(world, strand_of(scene, p)->handle, values);
}

static cord_status strand_energy(cord_scene *scene, cord_world *world, probe_data *p,
                                 double *values)
{
    cord_energy energy;
    cord_status status = cord_strand_energy(world, strand_of(scene, p)->handle, &energy);
    if (status == CORD_OK) put_energy(&energy, values);
    return status;
}

/* Columns [from, from + count) of the three that cord_strand_curvatures gives per vertex. */
static cord_status some_curvatures(cord_scene *scene, cord_world *world, probe_data *p, int from,
                                   int count, double *values)
{
    cord_status status = cord_strand_curvatures(world, strand_of(scene, p)->handle, p->scratch);
    if (status != CORD_OK) return status;
    for (int i = 0; i < p->items; i++) {
        memcpy(values + (size_t)(count * i), p->scratch + 3 * (size_t)i + from,
               (size_t)count * sizeof *values);
    }
    return CORD_OK;
}

static cord_status strand_curvature(cord_scene *scene, cord_world *world, probe_data *p,
                                    double *values)
{
    return some_curvatures(scene, world, p, 0, 2, values);
}

static cord_status strand_twist(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    return some_curvatures(scene, world, p, 2, 1, values);
}

/* The angle between each edge and the straight line from the first vertex to the last; an edge of
 * no direction, or ends that meet, have none. */
static cord_status strand_deviation(cord_scene *scene, cord_world *world, probe_data *p,
                                    double *values)
{
    cord_status status = cord_strand_positions(world, strand_of(scene, p)->handle, p->scratch);
    if (status != CORD_OK) return status;
    int vertices = strand_of(scene, p)->line.count;
    double chord[3];
    v3_sub(chord, p->scratch + 3 * (size_t)(vertices - 1), p->scratch);
    for (int i = 0; i < p->items; i++) {
        double e[3], c[3];
        v3_sub(e, p->scratch + 3 * (size_t)((i + 1) % vertices), p->scratch + 3 * (size_t)i);
        v3_cross(c, e, chord);
        values[i] = atan2(v3_norm(c), v3_dot(e, chord));
    }
    return CORD_OK;
}

/* ---- places ------------------------------------------------------------------------------- */

static cord_status place_position(cord_scene *scene, cord_world *world, probe_data *p,
                                  double *values)
{
    (void)scene;
    return cord_point_place(world, p->point, values, NULL);
}

static cord_status place_velocity(cord_scene *scene, cord_world *world, probe_data *p,
                                  double *values)
{
    (void)scene;
    return cord_point_velocity(world, p->point, values);
}

static cord_status place_frame(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    (void)scene;
    double position[3];
    return cord_point_place(world, p->point, position, values);
}

/* ---- relations and clamps ----------------------------------------------------------------- */

static cord_status sum_forces(cord_world *world, const probe_data *p, double *force, double *torque)
{
    v3_set(force, 0, 0, 0);
    v3_set(torque, 0, 0, 0);
    for (int i = 0; i < 2 && p->relations[i].generation; i++) {
        double f[3], t[3];
        cord_status status = cord_relation_force(world, p->relations[i], f, t);
        if (status != CORD_OK) return status;
        v3_add(force, force, f);
        v3_add(torque, torque, t);
    }
    return CORD_OK;
}

static cord_status held_force(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    (void)scene;
    double torque[3];
    return sum_forces(world, p, values, torque);
}

static cord_status held_torque(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    (void)scene;
    double force[3];
    return sum_forces(world, p, force, values);
}

static cord_status held_residual(cord_scene *scene, cord_world *world, probe_data *p,
                                 double *values)
{
    (void)scene;
    for (int i = 0; i < 2 && p->relations[i].generation; i++) {
        int rows = 0;
        cord_status status = cord_relation_residual(world, p->relations[i], &rows, values);
        if (status != CORD_OK) return status;
        values += rows;
    }
    return CORD_OK;
}

/* ---- the list ----------------------------------------------------------------------------- */

static const char *const xyz[] = {"x", "y", "z"};
static const char *const frame_columns[] = {"tx", "ty", "tz", "ax", "ay", "az", "bx", "by", "bz"};
static const char *const energy_columns[] = {"kinetic",  "gravity",   "stretching", "bending",
                                             "twisting", "relations", "total"};
static const char *const curvature_columns[] = {"first", "second"};
static const char *const twist_columns[] = {"twist"}, *const angle_columns[] = {"angle"};
static const char *const tension_columns[] = {"tension"}, *const row_columns[] = {"g"};

static const measure_ops measures[] = {
    {"energy", SUBJECT_WORLD, PER_SUBJECT, 7, energy_columns, "J", world_energy},
    {"momentum", SUBJECT_WORLD, PER_SUBJECT, 3, xyz, "kg m/s", world_momentum},
    {"angular-momentum", SUBJECT_WORLD, PER_SUBJECT, 3, xyz, "kg m^2/s", world_angular_momentum},

    {"position", SUBJECT_STRAND, PER_VERTEX, 3, xyz, "m", strand_position},
    {"velocity", SUBJECT_STRAND, PER_VERTEX, 3, xyz, "m/s", strand_velocity},
    {"frame", SUBJECT_STRAND, PER_EDGE, 9, frame_columns, "", strand_frame},
    {"angle", SUBJECT_STRAND, PER_EDGE, 1, angle_columns, "rad", strand_angle},
    {"deviation", SUBJECT_STRAND, PER_EDGE, 1, angle_columns, "rad", strand_deviation},
    {"curvature", SUBJECT_STRAND, PER_VERTEX, 2, curvature_columns, "1/m", strand_curvature},
    {"twist", SUBJECT_STRAND, PER_VERTEX, 1, twist_columns, "rad/m", strand_twist},
    {"tension", SUBJECT_STRAND, PER_EDGE, 1, tension_columns, "N", strand_tension},
    {"energy", SUBJECT_STRAND, PER_SUBJECT, 7, energy_columns, "J", strand_energy},

    {"position", SUBJECT_PLACE, PER_SUBJECT, 3, xyz, "m", place_position},
    {"velocity", SUBJECT_PLACE, PER_SUBJECT, 3, xyz, "m/s", place_velocity},
    {"frame", SUBJECT_PLACE, PER_SUBJECT, 9, frame_columns, "", place_frame},

    {"force", SUBJECT_RELATION, PER_SUBJECT, 3, xyz, "N", held_force},
    {"torque", SUBJECT_RELATION, PER_SUBJECT, 3, xyz, "N m", held_torque},
    {"residual", SUBJECT_RELATION, PER_ROW, 1, row_columns, NULL, held_residual},
    {"force", SUBJECT_CLAMP, PER_SUBJECT, 3, xyz, "N", held_force},
    {"torque", SUBJECT_CLAMP, PER_SUBJECT, 3, xyz, "N m", held_torque},
    {"residual", SUBJECT_CLAMP, PER_ROW, 1, row_columns, NULL, held_residual},
};

enum { MEASURE_COUNT = sizeof measures / sizeof measures[0] };

const char *const *cord__measure_names(void)
{
    static const char *const names[] = {
        "position", "velocity",         "frame", "angle",  "deviation", "curvature",
        "twist",    "tension",          "force", "torque", "residual",  "energy",
        "momentum", "angular-momentum", NULL,
    };
    return names;
}

const choice cord__reductions[] = {
    {"only", OVER_ONLY, "there is just one"},
    {"max", OVER_MAX, "the largest"},
    {"min", OVER_MIN, "the smallest"},
    {"mean", OVER_MEAN, "the mean"},
    {"rms", OVER_RMS, "the root of the mean square"},
    {"span", OVER_SPAN, "the largest less the smallest"},
    {"first", OVER_FIRST, "the one at the start of the strand"},
    {"last", OVER_LAST, "the one at its end"},
    {NULL, 0, NULL},
};

/* ---- probes ------------------------------------------------------------------------------- */

static const char *const subject_texts[] = {
    [SUBJECT_WORLD] = "the world",     [SUBJECT_STRAND] = "a strand", [SUBJECT_PLACE] = "a place",
    [SUBJECT_RELATION] = "a relation", [SUBJECT_CLAMP] = "a clamp",
};

static const measure_ops *find_measure(const char *name, subject_kind subject)
{
    for (int i = 0; i < MEASURE_COUNT; i++) {
        if (measures[i].subject == subject && strcmp(measures[i].name, name) == 0) {
            return &measures[i];
        }
    }
    return NULL;
}

static bool find_subject(cord_scene *scene, probe_data *p)
{
    p->strand = -1;
    if (p->of.kind == PLACE_NONE) {
        p->subject = SUBJECT_WORLD;
        return true;
    }
    if (!cord__resolve_place(scene, &p->of)) return false;
    p->subject = SUBJECT_PLACE;
    if (p->of.kind != PLACE_NAME) return true;
    const symbol *s = cord__find_symbol(scene, p->of.name);
    p->subject = s->kind;
    if (s->kind == SUBJECT_STRAND) p->strand = s->index;
    return true;
}

/* A probe's name is also its file's. */
static bool is_file_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > 100 || name[0] == '.') return false;
    if (strcmp(name, "frames") == 0) return false; /* the recording of the strands themselves */
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c)) return false;
    }
    return true;
}

/* "rope@40%" measured for "position" becomes "rope-40-position". */
static const char *default_name(cord_scene *scene, const probe_data *p)
{
    if (p->of.kind == PLACE_NONE || p->of.kind == PLACE_WORLD) return p->measure;
    char *name = cord__arena_print(&scene->memory, "%.60s-%s", p->of.at->text, p->measure);
    for (char *c = name; c && *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_", *c)) *c = '-';
    }
    return name;
}

static bool resolve_probe(cord_scene *scene, probe_data *p)
{
    diagnostics *d = &scene->complaints;
    if (!find_subject(scene, p)) return false;
    p->ops = find_measure(p->measure, p->subject);
    if (!p->ops) {
        cord__complain(d, cord__node_get(p->at, "measure")->at, "%s has no %s to measure",
                       subject_texts[p->subject], p->measure);
        return false;
    }
    p->columns = p->ops->columns;
    if (!p->name) p->name = default_name(scene, p);
    if (!p->name) return false;
    if (is_file_name(p->name)) return true;
    cord__complain(d, p->at->at,
                   "probe name \"%.60s\": use letters, digits, -, _ and . (it names a file), "
                   "and not \"frames\"",
                   p->name);
    return false;
}

static int find_probe(const cord_scene *scene, const char *name, int before)
{
    for (int i = 0; i < before; i++) {
        const char *other = ITEM(scene->data.probes, probe_data, i)->name;
        if (other && strcmp(other, name) == 0) return i;
    }
    return -1;
}

bool cord__resolve_probes(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.probes.count; i++) {
        probe_data *p = ITEM(scene->data.probes, probe_data, i);
        bool fine = resolve_probe(scene, p);
        if (fine && find_probe(scene, p->name, i) >= 0) {
            cord__complain(&scene->complaints, p->at->at, "two probes are called \"%s\"", p->name);
            fine = false;
        }
        good = fine && good;
    }
    return good;
}

/* ---- binding to a world ------------------------------------------------------------------- */

static cord_status count_rows(cord_world *world, const probe_data *p, int *total)
{
    *total = 0;
    for (int i = 0; i < 2 && p->relations[i].generation; i++) {
        double g[16];
        int rows = 0;
        cord_status status = cord_relation_residual(world, p->relations[i], &rows, g);
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
    cord_status status = cord_strand_get_info(world, strand_of(scene, p)->handle, &info);
    if (status != CORD_OK) return status;
    if (p->ops->items == PER_VERTEX) p->items = info.vertex_count;
    if (p->ops->items == PER_EDGE) p->items = info.edge_count;
    p->scratch = TAKE(&scene->memory, double, 3 * (size_t)info.vertex_count);
    return p->scratch ? CORD_OK : CORD_ERROR_MEMORY;
}

static cord_status bind_place(cord_scene *scene, cord_world *world, probe_data *p)
{
    if (p->of.kind == PLACE_NAME) {
        const symbol *s = cord__find_symbol(scene, p->of.name);
        p->point = ITEM(scene->data.points, point_data, s->index)->handle;
        return CORD_OK;
    }
    cord_point_def def = cord_point_def_default();
    v3_copy(def.position, p->of.x);
    int strand;
    if (p->of.kind != PLACE_WORLD) {
        if (!cord__resolve_on_strand(scene, &p->of, &strand, &def.s)) return CORD_ERROR_INPUT;
        def.source = CORD_SOURCE_STRAND;
        def.strand = ITEM(scene->data.strands, strand_data, strand)->handle;
    }
    return cord_world_add_point(world, &def, &p->point);
}

static cord_status bind_probe(cord_scene *scene, cord_world *world, probe_data *p)
{
    if (p->subject == SUBJECT_PLACE) {
        cord_status status = bind_place(scene, world, p);
        if (status != CORD_OK) return status;
    }
    if (p->subject == SUBJECT_RELATION || p->subject == SUBJECT_CLAMP) {
        int index = cord__find_symbol(scene, p->of.name)->index;
        const relation_data *relation = ITEM(scene->data.relations, relation_data, index);
        const clamp_data *clamp = ITEM(scene->data.clamps, clamp_data, index);
        bool is_clamp = p->subject == SUBJECT_CLAMP;
        p->relations[0] = is_clamp ? clamp->coincide : relation->handle;
        p->relations[1] = is_clamp ? clamp->align : (cord_relation){0, 0};
    }
    return count_items(scene, world, p);
}

bool cord__bind_probes(cord_scene *scene, cord_world *world)
{
    for (int i = 0; i < scene->data.probes.count; i++) {
        probe_data *p = ITEM(scene->data.probes, probe_data, i);
        cord_status status = bind_probe(scene, world, p);
        if (status == CORD_OK) continue;
        cord__complain(&scene->complaints, p->at->at, "probe %s: %s", p->name,
                       *cord_world_error(world) ? cord_world_error(world)
                                                : cord_status_text(status));
        return false;
    }
    return true;
}

cord_probe_info cord_scene_probe(const cord_scene *scene, int i)
{
    if (i < 0 || i >= scene->data.probes.count) return (cord_probe_info){0};
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    const char *of = p->of.kind == PLACE_NONE ? NULL : p->of.at->text ? p->of.at->text : "a place";
    return (cord_probe_info){p->name, p->measure, of, p->items, p->columns};
}

const char *cord_scene_probe_column(const cord_scene *scene, int i, int column, const char **unit)
{
    if (i < 0 || i >= scene->data.probes.count) return NULL;
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    if (!p->ops || column < 0 || column >= p->columns) return NULL;
    if (unit) *unit = p->ops->unit ? p->ops->unit : "";
    return p->ops->column_names[column];
}

cord_status cord_scene_sample(cord_scene *scene, cord_world *world, int probe, double *values)
{
    if (probe < 0 || probe >= scene->data.probes.count) return CORD_ERROR_ARGUMENT;
    probe_data *p = ITEM(scene->data.probes, probe_data, probe);
    if (!p->ops || p->items == 0) return CORD_ERROR_ARGUMENT;
    return p->ops->sample(scene, world, p, values);
}

/* ---- expectations ------------------------------------------------------------------------- */

enum { COLUMN_NORM = -1 };

static bool resolve_time(cord_scene *scene, expect_data *e)
{
    e->time = INFINITY;
    if (strcmp(e->time_text, "end") == 0) return true;
    const node *n = cord__node_get(e->at, "at");
    return cord__read_number(&scene->read, n, "at", "s", LIMIT_NOT_NEGATIVE, &e->time);
}

static bool resolve_component(cord_scene *scene, expect_data *e, const measure_ops *ops)
{
    if (!e->component) {
        e->column = ops->columns == 1 ? 0 : COLUMN_NORM;
        e->component = ops->columns == 1 ? ops->column_names[0] : "size";
        return true;
    }
    nearest best = cord__nearest_begin(e->component);
    for (int c = 0; c < ops->columns; c++) {
        e->column = c;
        if (strcmp(ops->column_names[c], e->component) == 0) return true;
        cord__nearest_offer(&best, ops->column_names[c]);
    }
    char hint[96];
    cord__complain(&scene->complaints, cord__node_get(e->at, "component")->at,
                   "%s has no component \"%.40s\"%s", ops->name, e->component,
                   cord__nearest_hint(&best, hint, sizeof hint));
    return false;
}

/* Now that the probe is known, its unit is. */
static bool resolve_units(cord_scene *scene, expect_data *e, const measure_ops *ops)
{
    static const char *const keys[] = {"value", "tolerance", "above", "below"};
    bool good = true;
    for (int i = 0; i < 4; i++) {
        const node *n = cord__node_get(e->at, keys[i]);
        double ignored;
        good =
            (!n || cord__read_number(&scene->read, n, keys[i], ops->unit, LIMIT_NONE, &ignored)) &&
            good;
    }
    return good;
}

static bool resolve_expectation(cord_scene *scene, expect_data *e)
{
    e->measured = NAN;
    e->probe_index = find_probe(scene, e->probe, scene->data.probes.count);
    if (e->probe_index < 0) {
        nearest best = cord__nearest_begin(e->probe);
        for (int i = 0; i < scene->data.probes.count; i++) {
            const char *name = ITEM(scene->data.probes, probe_data, i)->name;
            if (name) cord__nearest_offer(&best, name);
        }
        char hint[160];
        cord__complain(&scene->complaints, cord__node_get(e->at, "probe")->at,
                       "no probe is called \"%.40s\"%s", e->probe,
                       cord__nearest_hint(&best, hint, sizeof hint));
        return false;
    }
    const measure_ops *ops = ITEM(scene->data.probes, probe_data, e->probe_index)->ops;
    if (!ops) return false;
    if (ops->items != PER_SUBJECT && e->over == OVER_ONLY) {
        cord__complain(&scene->complaints, e->at->at,
                       "probe %s has many values: \"over\" says which to take (max, min, mean ...)",
                       e->probe);
        return false;
    }
    bool good = resolve_time(scene, e);
    good = resolve_component(scene, e, ops) && good;
    return resolve_units(scene, e, ops) && good;
}

bool cord__resolve_expectations(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.expectations.count; i++) {
        good = resolve_expectation(scene, ITEM(scene->data.expectations, expect_data, i)) && good;
    }
    return good;
}

static double pick(const double *item, int columns, int column)
{
    if (column != COLUMN_NORM) return item[column];
    double sum = 0;
    for (int c = 0; c < columns; c++) sum += item[c] * item[c];
    return sqrt(sum);
}

static double reduce(const double *values, const probe_data *p, int column, reduction over)
{
    double max = -INFINITY, min = INFINITY, sum = 0, squares = 0, last = NAN;
    for (int i = 0; i < p->items; i++) {
        last = pick(values + (size_t)i * (size_t)p->columns, p->columns, column);
        max = fmax(max, last);
        min = fmin(min, last);
        sum += last;
        squares += last * last;
    }
    const double results[] = {
        [OVER_ONLY] = last,
        [OVER_MAX] = max,
        [OVER_MIN] = min,
        [OVER_MEAN] = sum / p->items,
        [OVER_RMS] = sqrt(squares / p->items),
        [OVER_SPAN] = max - min,
        [OVER_FIRST] = pick(values, p->columns, column),
        [OVER_LAST] = last,
    };
    return results[over];
}

/* Comparisons with a NaN are false: what was not measured has not passed. */
static bool is_met(const expect_data *e)
{
    bool near = isnan(e->value) || fabs(e->measured - e->value) <= e->tolerance;
    bool above = isnan(e->above) || e->measured > e->above;
    bool below = isnan(e->below) || e->measured < e->below;
    return near && above && below;
}

static cord_status observe_one(cord_scene *scene, cord_world *world, expect_data *e)
{
    const probe_data *p = ITEM(scene->data.probes, probe_data, e->probe_index);
    size_t count = (size_t)p->items * (size_t)p->columns;
    double *values = NEW(&scene->memory.mem, double, count);
    if (!values) return CORD_ERROR_MEMORY;
    cord_status status = cord_scene_sample(scene, world, e->probe_index, values);
    if (status == CORD_OK) {
        e->measured = reduce(values, p, e->column, (reduction)e->over);
        e->observed = true;
        e->passed = is_met(e);
    }
    cord__release(&scene->memory.mem, values);
    return status;
}

cord_status cord_scene_observe(cord_scene *scene, cord_world *world, bool at_end)
{
    double now = cord_world_time(world), half = (now - scene->last_time) / 2;
    scene->last_time = now;
    for (int i = 0; i < scene->data.expectations.count; i++) {
        expect_data *e = ITEM(scene->data.expectations, expect_data, i);
        bool due = isinf(e->time) ? at_end : e->time <= now + half;
        if (e->observed || !due) continue;
        cord_status status = observe_one(scene, world, e);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

cord_expectation cord_scene_expectation(const cord_scene *scene, int i)
{
    if (i < 0 || i >= scene->data.expectations.count) return (cord_expectation){0};
    const expect_data *e = ITEM(scene->data.expectations, expect_data, i);
    return (cord_expectation){e->probe,     e->component, e->because, e->time,     e->value,
                              e->tolerance, e->above,     e->below,   e->measured, e->passed};
}
