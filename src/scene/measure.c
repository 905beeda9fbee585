#include "scene/measure.h"

#include "math/vec3.h"
#include "math/nearest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- places on a strand ------------------------------------------------------------------- */

/* The edge on which the place is, and how far along it, 0 to 1. */
static int spot_edge(const strand_data *s, double along, double *fraction)
{
    int edge = 0, last = cord__edge_count(&s->natural_line) - 1;
    double length = cord__edge_length(&s->natural_line, 0);
    while (edge < last && along > length) {
        along -= length;
        length = cord__edge_length(&s->natural_line, ++edge);
    }
    *fraction = fmin(along / length, 1);
    return edge;
}

/* Curvature and twist live at vertices: between two of them, in proportion. */
static cord_status spot_bend(cord_scene *scene, cord_world *world, probe_data *p, double *k)
{
    const strand_data *s = strand_of(scene, p);
    cord_status status = cord_strand_curvatures(world, s->handle, p->scratch);
    if (status != CORD_OK) return status;
    double fraction;
    int edge = spot_edge(s, p->along, &fraction);
    const double *near = p->scratch + 3 * (size_t)edge;
    const double *far = p->scratch + 3 * (size_t)((edge + 1) % s->line.count);
    v3_scale(k, 1 - fraction, near);
    v3_axpy(k, fraction, far);
    return CORD_OK;
}

static cord_status spot_curvature(cord_scene *scene, cord_world *world, probe_data *p,
                                  double *values)
{
    double k[3];
    cord_status status = spot_bend(scene, world, p, k);
    memcpy(values, k, 2 * sizeof *values);
    return status;
}

static cord_status spot_twist(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    double k[3];
    cord_status status = spot_bend(scene, world, p, k);
    values[0] = k[2];
    return status;
}

/* Tensions and angles belong to whole edges. */
static cord_status spot_tension(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    double fraction;
    cord_status status = cord_strand_tensions(world, strand_of(scene, p)->handle, p->scratch);
    if (status == CORD_OK) {
        values[0] = p->scratch[spot_edge(strand_of(scene, p), p->along, &fraction)];
    }
    return status;
}

static cord_status spot_angle(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    double fraction;
    cord_status status = cord_strand_angles(world, strand_of(scene, p)->handle, p->scratch);
    if (status == CORD_OK) {
        values[0] = p->scratch[spot_edge(strand_of(scene, p), p->along, &fraction)];
    }
    return status;
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

static cord_status place_coordinate(cord_scene *scene, cord_world *world, probe_data *p,
                                    double *values)
{
    (void)scene;
    return cord_point_coordinate(world, p->point, values, NULL);
}

static cord_status place_frame(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    (void)scene;
    double position[3];
    return cord_point_place(world, p->point, position, values);
}

/* ---- bodies ------------------------------------------------------------------------------- */

static const body_data *body_of(const cord_scene *scene, const probe_data *p)
{
    return ITEM(scene->data.bodies, body_data, p->body);
}

static cord_status body_position(cord_scene *scene, cord_world *world, probe_data *p,
                                 double *values)
{
    return cord_body_pose(world, body_of(scene, p)->handle, values, NULL);
}

static cord_status body_frame(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    double position[3];
    return cord_body_pose(world, body_of(scene, p)->handle, position, values);
}

static cord_status body_velocity(cord_scene *scene, cord_world *world, probe_data *p,
                                 double *values)
{
    return cord_body_velocity(world, body_of(scene, p)->handle, values, NULL);
}

static cord_status body_angular_velocity(cord_scene *scene, cord_world *world, probe_data *p,
                                         double *values)
{
    return cord_body_velocity(world, body_of(scene, p)->handle, NULL, values);
}

static cord_status body_energy(cord_scene *scene, cord_world *world, probe_data *p, double *values)
{
    cord_energy energy;
    cord_status status = cord_body_energy(world, body_of(scene, p)->handle, &energy);
    if (status == CORD_OK) put_energy(&energy, values);
    return status;
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
static const char *const slide_columns[] = {"s"};
static const char *const curvature_columns[] = {"first", "second"};
static const char *const twist_columns[] = {"twist"}, *const angle_columns[] = {"angle"};
static const char *const tension_columns[] = {"tension"}, *const row_columns[] = {"g"};

static const measure_ops measures[] = {
    {MEASURE_ENERGY, SUBJECT_WORLD, PER_SUBJECT, 7, energy_columns, "J", world_energy},
    {MEASURE_MOMENTUM, SUBJECT_WORLD, PER_SUBJECT, 3, xyz, "kg m/s", world_momentum},
    {MEASURE_ANGULAR_MOMENTUM, SUBJECT_WORLD, PER_SUBJECT, 3, xyz, "kg m^2/s",
     world_angular_momentum},

    {MEASURE_POSITION, SUBJECT_STRAND, PER_VERTEX, 3, xyz, "m", strand_position},
    {MEASURE_VELOCITY, SUBJECT_STRAND, PER_VERTEX, 3, xyz, "m/s", strand_velocity},
    {MEASURE_FRAME, SUBJECT_STRAND, PER_EDGE, 9, frame_columns, "", strand_frame},
    {MEASURE_ANGLE, SUBJECT_STRAND, PER_EDGE, 1, angle_columns, "rad", strand_angle},
    {MEASURE_DEVIATION, SUBJECT_STRAND, PER_EDGE, 1, angle_columns, "rad", strand_deviation},
    {MEASURE_CURVATURE, SUBJECT_STRAND, PER_VERTEX, 2, curvature_columns, "1/m", strand_curvature},
    {MEASURE_TWIST, SUBJECT_STRAND, PER_VERTEX, 1, twist_columns, "rad/m", strand_twist},
    {MEASURE_TENSION, SUBJECT_STRAND, PER_EDGE, 1, tension_columns, "N", strand_tension},
    {MEASURE_ENERGY, SUBJECT_STRAND, PER_SUBJECT, 7, energy_columns, "J", strand_energy},

    {MEASURE_ANGLE, SUBJECT_SPOT, PER_SUBJECT, 1, angle_columns, "rad", spot_angle},
    {MEASURE_CURVATURE, SUBJECT_SPOT, PER_SUBJECT, 2, curvature_columns, "1/m", spot_curvature},
    {MEASURE_TWIST, SUBJECT_SPOT, PER_SUBJECT, 1, twist_columns, "rad/m", spot_twist},
    {MEASURE_TENSION, SUBJECT_SPOT, PER_SUBJECT, 1, tension_columns, "N", spot_tension},
    {MEASURE_POSITION, SUBJECT_SPOT, PER_SUBJECT, 3, xyz, "m", place_position},
    {MEASURE_VELOCITY, SUBJECT_SPOT, PER_SUBJECT, 3, xyz, "m/s", place_velocity},
    {MEASURE_FRAME, SUBJECT_SPOT, PER_SUBJECT, 9, frame_columns, "", place_frame},

    {MEASURE_POSITION, SUBJECT_PLACE, PER_SUBJECT, 3, xyz, "m", place_position},
    {MEASURE_VELOCITY, SUBJECT_PLACE, PER_SUBJECT, 3, xyz, "m/s", place_velocity},
    {MEASURE_FRAME, SUBJECT_PLACE, PER_SUBJECT, 9, frame_columns, "", place_frame},
    {MEASURE_SLIDE, SUBJECT_PLACE, PER_SUBJECT, 1, slide_columns, "m", place_coordinate},

    {MEASURE_POSITION, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "m", body_position},
    {MEASURE_VELOCITY, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "m/s", body_velocity},
    {MEASURE_FRAME, SUBJECT_BODY, PER_SUBJECT, 9, frame_columns, "", body_frame},
    {MEASURE_ANGULAR_VELOCITY, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "rad/s", body_angular_velocity},
    {MEASURE_ENERGY, SUBJECT_BODY, PER_SUBJECT, 7, energy_columns, "J", body_energy},
    {MEASURE_FORCE, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "N", held_force},
    {MEASURE_TORQUE, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "N m", held_torque},

    {MEASURE_FORCE, SUBJECT_RELATION, PER_SUBJECT, 3, xyz, "N", held_force},
    {MEASURE_TORQUE, SUBJECT_RELATION, PER_SUBJECT, 3, xyz, "N m", held_torque},
    {MEASURE_RESIDUAL, SUBJECT_RELATION, PER_ROW, 1, row_columns, NULL, held_residual},
    {MEASURE_FORCE, SUBJECT_CLAMP, PER_SUBJECT, 3, xyz, "N", held_force},
    {MEASURE_TORQUE, SUBJECT_CLAMP, PER_SUBJECT, 3, xyz, "N m", held_torque},
    {MEASURE_RESIDUAL, SUBJECT_CLAMP, PER_ROW, 1, row_columns, NULL, held_residual},
};

enum { MEASURE_COUNT = sizeof measures / sizeof measures[0] };

const choice cord__measures[] = {
    {"position", MEASURE_POSITION, "where it is"},
    {"velocity", MEASURE_VELOCITY, "how fast it goes, and where to; of a body: its center of mass"},
    {"angular-velocity", MEASURE_ANGULAR_VELOCITY, "how fast a body turns, about the world's axes"},
    {"frame", MEASURE_FRAME, "tangent and directors; of a body: its axes"},
    {"coordinate", MEASURE_SLIDE, "of a named point on a strand: how far along it is"},
    {"angle", MEASURE_ANGLE, "of the material frame against the twist-free one"},
    {"deviation", MEASURE_DEVIATION, "angle between a strand and the line from end to end"},
    {"curvature", MEASURE_CURVATURE, "turning about the first and the second director, per length"},
    {"twist", MEASURE_TWIST, "per length"},
    {"tension", MEASURE_TENSION, "axial force, positive when pulled"},
    {"force", MEASURE_FORCE, "of what holds, on its first point; of a body: of its own `held`"},
    {"torque", MEASURE_TORQUE, "likewise"},
    {"residual", MEASURE_RESIDUAL, "by how much what holds is not held"},
    {"energy", MEASURE_ENERGY, "by kind, and in total"},
    {"momentum", MEASURE_MOMENTUM, "of everything"},
    {"angular-momentum", MEASURE_ANGULAR_MOMENTUM, "of everything, about the origin"},
    {NULL, 0, NULL},
};

static const char *measure_name(int kind)
{
    const choice *c = cord__measures;
    while (c->name && c->value != kind) c++;
    return c->name;
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
    [SUBJECT_WORLD] = "the world", [SUBJECT_STRAND] = "a strand",
    [SUBJECT_PLACE] = "a place",   [SUBJECT_RELATION] = "a relation",
    [SUBJECT_CLAMP] = "a clamp",   [SUBJECT_SPOT] = "a place on a strand",
    [SUBJECT_BODY] = "a body",     [SUBJECT_PATH] = "a path",
};

const char *cord__subject_text(subject_kind subject)
{
    return subject_texts[subject];
}

const measure_ops *cord__measure_list(int *count)
{
    *count = MEASURE_COUNT;
    return measures;
}

static const measure_ops *find_measure(int kind, subject_kind subject)
{
    for (int i = 0; i < MEASURE_COUNT; i++) {
        if (measures[i].subject == subject && (int)measures[i].kind == kind) return &measures[i];
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
    if (p->of.kind == PLACE_NONE || p->of.kind == PLACE_WORLD) return measure_name(p->measure);
    const char *of = p->of.at->text ? p->of.at->text : p->of.name;
    char *name = cord__arena_print(&scene->memory, "%.60s-%s", of, measure_name(p->measure));
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
                       subject_texts[p->subject], measure_name(p->measure));
        return false;
    }
    bool forces = p->measure == MEASURE_FORCE || p->measure == MEASURE_TORQUE;
    if (p->subject == SUBJECT_BODY && forces && !body_of(scene, p)->held.at) {
        cord__complain(d, p->at->at,
                       "nothing holds %s (\"held\"), so there is no %s; probe a relation on it",
                       p->of.name, measure_name(p->measure));
        return false;
    }
    p->columns = p->ops->columns;
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

/* The first probe of that name; -1: none. */
static int find_probe(const cord_scene *scene, const char *name)
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
        def.strand = strand_of(scene, p)->handle;
        cord_status status = cord__arc_in_world(world, strand_of(scene, p), p->along, &def.s);
        if (status != CORD_OK) return status;
    }
    return cord_world_add_point(world, &def, &p->point);
}

static cord_status bind_probe(cord_scene *scene, cord_world *world, probe_data *p)
{
    if (p->subject == SUBJECT_PLACE || p->subject == SUBJECT_SPOT) {
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
    if (p->subject == SUBJECT_BODY) {
        p->relations[0] = body_of(scene, p)->coincide;
        p->relations[1] = body_of(scene, p)->align;
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
                       *cord_world_error(world) ? cord_world_error(world)
                                                : cord_status_text(status));
        return status;
    }
    return CORD_OK;
}

cord_probe_info cord_scene_probe(const cord_scene *scene, int i)
{
    if (i < 0 || i >= scene->data.probes.count) return (cord_probe_info){0};
    const probe_data *p = ITEM(scene->data.probes, probe_data, i);
    const char *of = p->of.kind == PLACE_NONE   ? NULL
                     : p->of.at->text           ? p->of.at->text
                     : p->of.kind == PLACE_BODY ? p->of.name
                                                : "a place";
    return (cord_probe_info){p->name, measure_name(p->measure), of, p->items, p->columns};
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
                   "%s has no component \"%.40s\"%s", measure_name(ops->kind), e->component,
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
    e->probe_index = find_probe(scene, e->probe);
    if (e->probe_index < 0) {
        nearest best = cord__nearest_begin(e->probe);
        bool told = scene->complaints.count < DIAGNOSTICS_MAX; /* else nobody reads the hint */
        for (int i = 0; told && i < scene->data.probes.count; i++) {
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
