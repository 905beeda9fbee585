/* Builds constraints, coordinates and loads from joints. */
#include "scene/joints.h"

#include "math/vec3.h"
#include "scene/build.h"
#include "scene/cables.h"

#include <math.h>
#include <string.h>

/* ---- position and axes -------------------------------------------------------------------- */

/* The point of a body at this position in the initial pose. */
static bool body_point(builder *b, const body_data *body, const double x[3], const joint_data *j,
                       cord_point *point)
{
    cord_point_def def = cord_point_def_default();
    double origin[3], axes[9], away[3];
    def.source = CORD_SOURCE_BODY;
    def.body = cord__body_handle(b->simulation, body);
    if (!cord__check_built(b, cord_body_get_pose(b->world, def.body, origin, axes), j->at, "joint"))
        return false;
    v3_sub(away, x, origin);
    for (int k = 0; k < 3; k++) def.position[k] = v3_dot(axes + 3 * k, away);
    return cord__check_built(b, cord_world_add_point(b->world, &def, point), j->at, "joint");
}

static const body_data *whole_body(const builder *b, const location *p)
{
    return p->kind == LOCATION_NAME ? cord__body_of(b->scene, p) : NULL;
}

static bool build_side(builder *b, const joint_data *j, const location *p, const double x[3],
                       cord_point *point)
{
    const body_data *body = whole_body(b, p);
    if (body) return body_point(b, body, x, j, point);
    if (p->kind != LOCATION_NONE) return cord__build_point(b, p, point);
    cord_point_def def = cord_point_def_default();
    v3_copy(def.position, x);
    return cord__check_built(b, cord_world_add_point(b->world, &def, point), j->at, "joint");
}

/* The specified position, or that of the first point. */
static bool find_position(builder *b, const joint_data *j, double x[3])
{
    cord_point first;
    const body_data *body = whole_body(b, &j->first);
    if (!isnan(j->where[0])) {
        v3_copy(x, j->where);
        return true;
    }
    if (body) {
        cord_body handle = cord__body_handle(b->simulation, body);
        return cord__check_built(b, cord_body_get_pose(b->world, handle, x, NULL), j->at, "joint");
    }
    return cord__build_point(b, &j->first, &first) &&
           cord__check_built(b, cord_point_get_pose(b->world, first, x, NULL), j->at, "joint");
}

/* A direction of the world in the frame of a point. */
static bool in_frame(builder *b, const joint_data *j, cord_point point, const double axis[3],
                     double direction[3])
{
    double x[3], frame[9];
    if (!cord__check_built(b, cord_point_get_pose(b->world, point, x, frame), j->at, "joint"))
        return false;
    for (int k = 0; k < 3; k++) direction[k] = v3_dot(frame + 3 * k, axis);
    return true;
}

/* ---- its constraints ---------------------------------------------------------------------- */

static const char *const constraints_of[][2] = {
    [JOINT_WELD] = {CORD_COINCIDE, CORD_ALIGN},
    [JOINT_BALL] = {CORD_COINCIDE, NULL},
    [JOINT_UNIVERSAL] = {CORD_COINCIDE, CORD_PERPENDICULAR},
    [JOINT_REVOLUTE] = {CORD_COINCIDE, CORD_PARALLEL},
    [JOINT_PRISMATIC] = {CORD_AXIS, CORD_ALIGN},
    [JOINT_CYLINDRICAL] = {CORD_AXIS, CORD_PARALLEL},
    [JOINT_SCREW] = {CORD_AXIS, CORD_PARALLEL},
    [JOINT_PLANAR] = {CORD_PLANE, CORD_PARALLEL},
};

static bool build_constraints(builder *b, built_joint *built)
{
    const joint_data *j = built->data;
    cord_constraint_def def = cord_constraint_def_default();
    def.name = j->name ? j->name : cord__joint_kind_name(j);
    def.first = built->on[0], def.second = built->on[1];
    v3_copy(def.direction, built->direction);
    if (j->kind == JOINT_UNIVERSAL &&
        !in_frame(b, j, built->on[0], j->first_axis, def.first_direction))
        return false;
    for (int i = 0; i < 2; i++) {
        def.kind = constraints_of[j->kind][i];
        if (!def.kind) continue;
        bool free_rotation = !cord__joint_unit(j) && !constraints_of[j->kind][1 - i];
        bool two_axes = j->kind == JOINT_UNIVERSAL && i == 1;
        def.friction = free_rotation || two_axes ? j->friction : 0;
        cord_status status = cord_world_add_constraint(b->world, &def, &built->constraints[i]);
        if (!cord__check_built(b, status, j->at, "joint")) return false;
    }
    return true;
}

/* ---- its coordinate ----------------------------------------------------------------------- */

/* Adds the point of the coordinate on first use. */
static cord_status coordinate_point(cord_simulation *sim, built_joint *j, cord_source source,
                                    cord_point *point)
{
    cord_status status = CORD_OK;
    bool revolute = source == CORD_SOURCE_REVOLUTE;
    cord_point *own = revolute ? &j->revolute : &j->prismatic;
    if (own->index == 0 && j->on[0].index == 0) return CORD_ERROR_HANDLE; /* it has an error */
    if (own->index == 0) {
        cord_point_def def = cord_point_def_default();
        bool free = cord__joint_unit(j->data) && revolute == cord__joint_rotates(j->data);
        def.source = source;
        def.measured = j->on[0], def.reference = j->on[1];
        v3_copy(def.direction, j->direction);
        def.friction = free ? j->data->friction : 0;
        status = cord_world_add_point(sim->world, &def, own);
    }
    *point = *own;
    return status;
}

cord_status cord__joint_revolute(cord_simulation *sim, built_joint *j, cord_point *point)
{
    return coordinate_point(sim, j, CORD_SOURCE_REVOLUTE, point);
}

cord_status cord__joint_coordinate(cord_simulation *sim, built_joint *j, cord_point *point)
{
    bool revolute = cord__joint_rotates(j->data);
    return coordinate_point(sim, j, revolute ? CORD_SOURCE_REVOLUTE : CORD_SOURCE_PRISMATIC, point);
}

/* Adds rows on the coordinate: coordinate = 0 + drive, which springs, limits and motors consist of. */
static cord_constraint_def row_on(const joint_data *j, cord_point coordinate)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.name = j->name;
    def.first = coordinate;
    def.length = 0;
    return def;
}

static bool add_row(builder *b, const joint_data *j, const cord_constraint_def *def)
{
    cord_constraint row;
    return cord__check_built(b, cord_world_add_constraint(b->world, def, &row), j->at, "joint");
}

static bool build_spring(builder *b, const joint_data *j, cord_point coordinate)
{
    static const double always = 0;
    cord_constraint_def def = row_on(j, coordinate);
    if (isnan(j->stiffness)) return true;
    def.compliance = 1 / j->stiffness;
    def.damping = j->damping;
    def.drive = (cord_keys){1, &always, &j->rest, CORD_EASE_LINEAR};
    return add_row(b, j, &def);
}

static bool build_limits(builder *b, const joint_data *j, cord_point coordinate)
{
    static const double always = 0;
    for (int i = 0; i < j->limits.count; i++) {
        cord_constraint_def def = row_on(j, coordinate);
        def.side = i == 0 ? CORD_AT_LEAST : CORD_AT_MOST;
        def.drive = (cord_keys){1, &always, j->limits.values + i, CORD_EASE_LINEAR};
        if (!add_row(b, j, &def)) return false;
    }
    return true;
}

/* ---- motors ------------------------------------------------------------------------------- */

/* The displacement for a rate given by keyframes, minus that for its last value: piecewise linear, with a fixed
 * number of parts between keyframes. */
static bool integrate(builder *b, const cord_keys *rate, cord_keys *displacement)
{
    enum { PARTS = 100 };
    double *times, *values, last = rate->values[rate->count - 1], sum = 0;
    int count = (rate->count - 1) * PARTS + 1;
    if (!cord__make_keys(b, count, 1, CORD_EASE_LINEAR, &times, &values, displacement))
        return false;
    for (int i = 0; i < count; i++) {
        int key = i / PARTS < rate->count - 1 ? i / PARTS : rate->count - 2;
        double begin = rate->times[key], step = (rate->times[key + 1] - begin) / PARTS;
        times[i] = begin + (i - key * PARTS) * step;
        if (i > 0) { /* Simpson's rule on a part of a polynomial of degree five at most */
            double h = times[i] - times[i - 1], middle = times[i - 1] + h / 2;
            sum += h / 6 *
                   (cord__keys_value(rate, times[i - 1]) + 4 * cord__keys_value(rate, middle) +
                    cord__keys_value(rate, times[i]) - 6 * last);
        }
        values[i] = sum;
    }
    return true;
}

static bool rate_motor(builder *b, const joint_data *j, cord_constraint_def *def)
{
    cord_keys rate;
    if (!cord__time_function_keys(b, &j->motor->rate, j->motor->ease, &rate)) return false;
    def->drive_rate[0] = rate.values[rate.count - 1];
    if (rate.count == 1) return true;
    if (rate.times[0] != 0) {
        cord__diagnose(&b->simulation->errors, j->motor->rate.at->at,
                       "the keys of a rate begin at t: 0");
        b->status = CORD_ERROR_INPUT;
        return false;
    }
    return integrate(b, &rate, &def->drive);
}

static bool effort_motor(builder *b, built_joint *j, cord_point coordinate)
{
    const motor_data *m = j->data->motor;
    cord_load_def def = cord_load_def_default();
    cord_load ignored;
    if (!cord__time_function_keys(b, m->torque.at ? &m->torque : &m->force, m->ease, &j->effort))
        return false;
    def.point = coordinate;
    def.coordinate_force_keys = j->effort;
    return cord__check_built(b, cord_world_add_load(b->world, &def, &ignored), m->at, "motor");
}

static bool build_motor(builder *b, built_joint *built, cord_point coordinate)
{
    const joint_data *j = built->data;
    const motor_data *m = j->motor;
    if (!m) return true;
    if (m->torque.at || m->force.at) return effort_motor(b, built, coordinate);
    cord_constraint_def def = row_on(j, coordinate);
    bool good = m->rate.at ? rate_motor(b, j, &def)
                           : cord__time_function_keys(b, &m->position, m->ease, &def.drive);
    return good && cord__check_built(b, cord_world_add_constraint(b->world, &def, &built->motor),
                                     m->at, "motor");
}

cord_status cord__joint_drive(cord_simulation *sim, built_joint *j)
{
    cord_point coordinate;
    double now;
    cord_status status = cord__joint_coordinate(sim, j, &coordinate);
    if (status == CORD_OK) status = cord_point_get_coordinate(sim->world, coordinate, &now, NULL);
    if (status != CORD_OK) return status;
    cord_constraint_def def = row_on(j->data, coordinate);
    status = cord_world_add_constraint(sim->world, &def, &j->motor);
    return status == CORD_OK ? cord_constraint_set_drive(sim->world, j->motor, &now, NULL) : status;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool build_screw(builder *b, built_joint *j)
{
    const joint_data *d = j->data;
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.name = d->name;
    def.ratio = d->pitch;
    cord_status status = coordinate_point(b->simulation, j, CORD_SOURCE_PRISMATIC, &def.first);
    if (status == CORD_OK) status = cord__joint_revolute(b->simulation, j, &def.second);
    return cord__check_built(b, status, d->at, "joint") && add_row(b, d, &def);
}

static bool build_joint(builder *b, built_joint *built)
{
    const joint_data *j = built->data;
    double x[3];
    cord_point coordinate;
    if (!find_position(b, j, x) || !build_side(b, j, &j->first, x, &built->on[0]) ||
        !build_side(b, j, &j->second, x, &built->on[1]) ||
        !in_frame(b, j, built->on[1], j->axis, built->direction) || !build_constraints(b, built))
        return false;
    if (j->kind == JOINT_SCREW && !build_screw(b, built)) return false;
    bool has_friction = cord__joint_unit(j) && j->friction > 0;
    bool plain = !has_friction && isnan(j->stiffness) && j->limits.count == 0 && !j->motor;
    if (plain) return true; /* its coordinate is added on first use */
    cord_status status = cord__joint_coordinate(b->simulation, built, &coordinate);
    return cord__check_built(b, status, j->at, "joint") && build_spring(b, j, coordinate) &&
           build_limits(b, j, coordinate) && build_motor(b, built, coordinate);
}

static bool build_gear(builder *b, built_joint *built)
{
    const joint_data *j = built->data;
    cord_constraint_def def = cord_constraint_def_default();
    cord_simulation *sim = b->simulation;
    built_joint *first = cord__built_joint(sim, cord__joint_of(b->scene, j->first.name));
    built_joint *second = cord__built_joint(sim, cord__joint_of(b->scene, j->second.name));
    def.kind = CORD_SLIDE;
    def.name = j->name ? j->name : "gear";
    def.ratio = j->ratio;
    cord_status status = cord__joint_coordinate(sim, first, &def.first);
    if (status == CORD_OK) status = cord__joint_coordinate(sim, second, &def.second);
    if (status == CORD_OK)
        status = cord_world_add_constraint(b->world, &def, &built->constraints[0]);
    return cord__check_built(b, status, j->at, "gear");
}

static bool build_pulley(builder *b, built_joint *j)
{
    return cord__build_pulley(b, j) && build_motor(b, j, j->revolute);
}

/* Pulleys may rotate with joints, or with pulleys that have a rotation of their own; gears may connect any of them. */
static int stage_of(const joint_data *j)
{
    if (j->kind == JOINT_PULLEY) return j->pulley->rotates_with ? 2 : 1;
    return j->kind == JOINT_GEAR ? 3 : 0;
}

bool cord__build_joints(builder *b)
{
    static bool (*const build[])(builder *, built_joint *) = {build_joint, build_pulley,
                                                              build_pulley, build_gear};
    bool good = true;
    for (int stage = 0; stage < 4; stage++)
        for (int i = 0; i < b->scene->data.joints.count; i++) {
            built_joint *j = &b->simulation->joints[i];
            if (stage_of(j->data) != stage || !cord__is_built_next(b, j->data->at)) continue;
            good = build[stage](b, j) && good;
        }
    return good;
}
