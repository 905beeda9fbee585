/* Controllers in scenes: keys, measured quantities, outputs, and the control law. */
#include "scene/controllers.h"

#include "constraint/unit.h"

#include "math/vec3.h"
#include "scene/build.h"
#include "scene/expand.h"
#include "scene/joints.h"
#include "scene/measure.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- the keys ----------------------------------------------------------------------------- */

#define NAME_FIELD(key, member, about)                                                             \
    {                                                                                              \
        key, FIELD_SPECIAL, offsetof(output_data, member), false, NULL, NULL, LIMIT_NONE,          \
            &cord__reference_special, about                                                        \
    }

static const field output_fields[] = {
    NAME_FIELD("torque", torque, "a joint with a revolute coordinate: a torque on it, N m"),
    NAME_FIELD("force", force, "a prismatic joint: a force on it, N"),
    NAME_FIELD("along", along,
               "a point with a coordinate: a force or torque along its "
               "coordinate"),
    NAME_FIELD("load", load,
               "a load that has a name: the size of its force or torque, whose direction "
               "is as written"),
    NAME_FIELD("rate", rate, "a joint, or a constraint of one row: how fast it is driven"),
    NAME_FIELD("position", position, "likewise: its prescribed value"),
};

static bool finish_output(reader *r, void *item)
{
    const output_data *o = item;
    int given = (o->torque != NULL) + (o->force != NULL) + (o->along != NULL) + (o->load != NULL) +
                (o->rate != NULL) + (o->position != NULL);
    if (given == 1) return true;
    cord__diagnose(r->errors, o->at->at,
                   "an output is one of torque, force, along, load, rate and position");
    return false;
}

static const mapping output_map = {"output",      "where a controller acts",  sizeof(output_data),
                                   output_fields, FIELD_COUNT(output_fields), finish_output};

static const count_range two_limits = {2, 2};

static bool finish_controller(reader *r, void *item)
{
    const controller_data *c = item;
    if (c->limits.count == 2 && !(c->limits.values[0] < c->limits.values[1])) {
        cord__diagnose(r->errors, cord__node_key_mark(c->at, "limits"),
                       "limits: the lower one comes first");
        return false;
    }
    return true;
}

static const field controller_fields[] = {
    {"name", FIELD_TEXT, offsetof(controller_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for probes"},
    {"measure", FIELD_TEXT, offsetof(controller_data, measure), true, NULL, NULL, LIMIT_NONE, NULL,
     "the controlled quantity: a probe, and its column after a dot, as in tip.z"},
    {"target", FIELD_SPECIAL, offsetof(controller_data, target), true, NULL, NULL, LIMIT_NONE,
     &cord__time_function_special, "at what, in the unit of the probe"},
    {"p", FIELD_NUMBER, offsetof(controller_data, p), false, "0", NULL, LIMIT_NONE, NULL,
     "output per error, the error being target less measured"},
    {"i", FIELD_NUMBER, offsetof(controller_data, i), false, "0", NULL, LIMIT_NONE, NULL,
     "output per error summed over time"},
    {"d", FIELD_NUMBER, offsetof(controller_data, d), false, "0", NULL, LIMIT_NONE, NULL,
     "output against the measured rate"},
    {"limits", FIELD_NUMBERS, offsetof(controller_data, limits), false, NULL, NULL, LIMIT_NONE,
     &two_limits, "the least and the greatest output; at them the sum of errors does not grow"},
    {"output", FIELD_MAP, offsetof(controller_data, output), true, NULL, NULL, LIMIT_NONE,
     &output_map, "where it acts"},
    EASE_FIELD(controller_data, ease),
};
const mapping cord__controller_map = {
    "controller",
    "a PID controller of a measured quantity: before each step, output = p error + i sum of "
    "errors - d measured rate",
    sizeof(controller_data),
    controller_fields,
    FIELD_COUNT(controller_fields),
    finish_controller};

/* ---- outputs ------------------------------------------------------------------------------ */

/* The object that an output key names, which must be of an allowed kind. */
static const symbol *named(cord_scene *scene, const output_data *o, const char *key,
                           const char *name, unsigned kinds, const char *wanted)
{
    const node *at = cord__node_get(o->at, key);
    const symbol *s = cord__require_symbol(scene, name, at->at);
    if (!s || (kinds & (1u << s->kind))) return s;
    cord__diagnose(&scene->errors, at->at, "%s: \"%.40s\" is not %s", key, name, wanted);
    return NULL;
}

static bool wrong(cord_scene *scene, const output_data *o, const char *key, const char *why)
{
    cord__diagnose(&scene->errors, cord__node_get(o->at, key)->at, "%s: %s", key, why);
    return false;
}

static bool resolve_effort(cord_scene *scene, controller_data *c, const char *key, const char *name)
{
    const output_data *o = c->output;
    c->kind = OUTPUT_ALONG;
    if (!named(scene, o, key, name, 1u << SUBJECT_JOINT, "a joint")) return false;
    const joint_data *j = cord__joint_of(scene, name);
    c->unit = o->torque ? "N m" : "N";
    if (cord__joint_unit(j) && strcmp(cord__joint_effort_unit(j), c->unit) == 0) return true;
    return wrong(scene, o, key,
                 o->torque ? "is for revolute and screw joints" : "is for prismatic joints");
}

static bool resolve_along(cord_scene *scene, controller_data *c)
{
    c->kind = OUTPUT_ALONG;
    const symbol *s =
        named(scene, c->output, "along", c->output->along, 1u << SUBJECT_POINT, "a point");
    if (!s) return false;
    const point_data *p = ITEM(scene->data.points, point_data, s->index);
    c->unit = p->revolute ? "N m" : "N";
    return p->revolute || p->prismatic || p->sliding ||
           wrong(scene, c->output, "along", "that point has no coordinate");
}

/* The direction of a load is of its force, its torque, or its coordinate. */
static bool resolve_load(cord_scene *scene, controller_data *c)
{
    const symbol *s =
        named(scene, c->output, "load", c->output->load, 1u << SUBJECT_LOAD, "a load");
    if (!s) return false;
    const load_data *l = ITEM(scene->data.loads, load_data, s->index);
    bool force = v3_norm(l->force) > 0, torque = v3_norm(l->torque) > 0, along = l->along != 0;
    if (force + torque + along != 1)
        return wrong(scene, c->output, "load",
                     "that load needs one of force, torque and along, which gives the direction");
    bool angle = cord__is_angle(scene, &l->where);
    c->kind = force ? OUTPUT_FORCE : torque ? OUTPUT_TORQUE : OUTPUT_ALONG;
    c->unit = torque || (along && angle) ? "N m" : "N";
    v3_set(c->direction, 0, 0, 0);
    if (!along) v3_normalize(c->direction, force ? l->force : l->torque);
    return true;
}

/* The unit of the single row of a constraint; NULL: it has several. */
static const char *row_unit(const cord_scene *scene, const constraint_data *d)
{
    constraint_unit of = cord__constraint_unit(d->kind);
    if (of.rows != 1) return NULL;
    return of.of_coordinate && cord__is_angle(scene, &d->first) ? "rad" : of.unit;
}

/* "m" and "m/s", "rad" and "rad/s". */
static const char *driven_unit(const char *unit, bool rate)
{
    bool angle = strcmp(unit, "rad") == 0, length = strcmp(unit, "m") == 0;
    return !rate ? unit : angle ? "rad/s" : length ? "m/s" : "1/s";
}

static bool resolve_drive(cord_scene *scene, controller_data *c)
{
    const output_data *o = c->output;
    const char *key = o->rate ? "rate" : "position", *name = o->rate ? o->rate : o->position;
    const symbol *s = named(scene, o, key, name, 1u << SUBJECT_JOINT | 1u << SUBJECT_CONSTRAINT,
                            "a joint or a constraint");
    if (!s) return false;
    bool joint = s->kind == SUBJECT_JOINT;
    const joint_data *j = joint ? ITEM(scene->data.joints, joint_data, s->index) : NULL;
    const char *unit =
        joint ? cord__joint_unit(j)
              : row_unit(scene, ITEM(scene->data.constraints, constraint_data, s->index));
    c->kind = o->rate ? OUTPUT_RATE : OUTPUT_POSITION;
    if (!unit)
        return wrong(scene, o, key,
                     joint ? "that joint does not have exactly one coordinate"
                           : "that constraint has several rows; a controller drives one");
    c->unit = driven_unit(unit, o->rate != NULL);
    return !joint || !j->motor || wrong(scene, o, key, "that joint has a motor already");
}

static bool resolve_output(cord_scene *scene, controller_data *c)
{
    const output_data *o = c->output;
    if (o->torque) return resolve_effort(scene, c, "torque", o->torque);
    if (o->force) return resolve_effort(scene, c, "force", o->force);
    if (o->along) return resolve_along(scene, c);
    if (o->load) return resolve_load(scene, c);
    return resolve_drive(scene, c);
}

bool cord__resolve_outputs(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.controllers.count; i++) {
        controller_data *c = ITEM(scene->data.controllers, controller_data, i);
        good = cord__valid(c->at, resolve_output(scene, c)) && good;
    }
    return good;
}

/* ---- measured quantities ------------------------------------------------------------------ */

/* "tip.z": a probe and its column; names of probes may also contain dots. */
static bool resolve_measure(cord_scene *scene, controller_data *c)
{
    const char *dot = strrchr(c->measure, '.'), *column = NULL, *name = c->measure;
    mark at = cord__node_get(c->at, "measure")->at;
    c->probe = cord__find_probe(scene, name);
    if (c->probe < 0 && dot) {
        name = cord__arena_text(&scene->memory, c->measure, (size_t)(dot - c->measure));
        column = dot + 1;
        if (!name) return false;
        c->probe = cord__find_probe(scene, name);
    }
    if (c->probe < 0) return cord__no_such_probe(scene, name, at);
    const probe_data *p = ITEM(scene->data.probes, probe_data, c->probe);
    if (!p->ops) return false;
    if (p->ops->items != PER_SUBJECT) {
        cord__diagnose(&scene->errors, at, "probe %s has many values; a controller needs one",
                       name);
        return false;
    }
    return cord__find_column(scene, p->ops, at, &column, &c->column);
}

static bool check_units(cord_scene *scene, const controller_data *c)
{
    const char *in = ITEM(scene->data.probes, probe_data, c->probe)->unit, *out = c->unit;
    static const char *const gains[] = {"p", "i", "d"};
    static const int seconds[] = {0, -1, 1};
    reader *r = &scene->read;
    bool good = cord__check_time_function(r, &c->target, "target", cord__unit_of(in, 0));
    for (int k = 0; k < 3; k++)
        good = cord__check_dimension(r, cord__node_get(c->at, gains[k]), gains[k],
                                     cord__unit_ratio(out, in, seconds[k])) &&
               good;
    return cord__check_dimension(r, cord__node_get(c->at, "limits"), "limits",
                                 cord__unit_of(out, 0)) &&
           good;
}

bool cord__resolve_controllers(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.controllers.count; i++) {
        controller_data *c = ITEM(scene->data.controllers, controller_data, i);
        bool valid = resolve_measure(scene, c);
        if (valid && !c->at->invalid) valid = check_units(scene, c); /* the output has a unit */
        good = cord__valid(c->at, valid) && good;
    }
    return good;
}

/* ---- building ----------------------------------------------------------------------------- */

/* Adds a separate load on the coordinate, initially 0. */
static bool build_along(builder *b, const output_data *o, built_controller *c)
{
    cord_load_def def = cord_load_def_default();
    if (o->along) {
        def.point = b->simulation->points[cord__find_symbol(b->scene, o->along)->index];
    } else {
        const joint_data *j = cord__joint_of(b->scene, o->torque ? o->torque : o->force);
        built_joint *built = cord__built_joint(b->simulation, j);
        cord_status status = cord__joint_coordinate(b->simulation, built, &def.point);
        if (!cord__check_built(b, status, o->at, "output")) return false;
    }
    return cord__check_built(b, cord_world_add_load(b->world, &def, &c->load), o->at, "output");
}

static bool build_drive(builder *b, const output_data *o, built_controller *c)
{
    const symbol *s = cord__find_symbol(b->scene, o->rate ? o->rate : o->position);
    if (s->kind == SUBJECT_CONSTRAINT) {
        c->constraint = b->simulation->constraints[s->index];
        return true;
    }
    built_joint *j = &b->simulation->joints[s->index];
    if (j->motor.index != 0) {
        cord__diagnose(&b->simulation->errors, o->at->at, "another controller drives that joint");
        b->status = CORD_ERROR_INPUT;
        return false;
    }
    if (!cord__check_built(b, cord__joint_drive(b->simulation, j), o->at, "output")) return false;
    c->constraint = j->motor;
    return true;
}

static bool build_controller(builder *b, const controller_data *c, built_controller *built)
{
    if (!cord__time_function_keys(b, &c->target, c->ease, &built->target)) return false;
    if (c->kind == OUTPUT_RATE || c->kind == OUTPUT_POSITION)
        return build_drive(b, c->output, built);
    if (!c->output->load) return build_along(b, c->output, built);
    built->load = b->simulation->loads[cord__find_symbol(b->scene, c->output->load)->index];
    return true;
}

/* The state of a controller, in the user state of the world. */
typedef struct controller_state {
    double begun, time, measured, sum, output;
} controller_state;
enum { STATE_SIZE = sizeof(controller_state) / sizeof(double) };

bool cord__build_controllers(builder *b)
{
    const item_list *list = &b->scene->data.controllers;
    bool good = true;
    for (int i = 0; i < list->count; i++) {
        const controller_data *c = ITEM(*list, controller_data, i);
        if (!cord__is_built_next(b, c->at)) continue;
        good = build_controller(b, c, &b->simulation->controllers[i]) && good;
    }
    if (list->count == 0 || !good) return good;
    return cord__check_built(b, cord_world_reserve_user_state(b->world, list->count * STATE_SIZE),
                             b->scene->data.at, "controllers");
}

/* ---- the law ------------------------------------------------------------------------------ */

static double limited(const controller_data *c, double output)
{
    if (c->limits.count < 2) return output;
    return fmin(fmax(output, c->limits.values[0]), c->limits.values[1]);
}

/* The derivative is that of the measured value, so that a jump of the target causes no impulse. At a limit of the
 * output the integral of the error does not grow, unless that brings the output back into its range. */
static double law(const controller_data *c, double error, const controller_state *m,
                  double measured, double now, double h, double *sum)
{
    double rate = m->begun > 0 ? (measured - m->measured) / (now - m->time) : 0;
    double rest = c->p * error - c->d * rate, step = c->i * error * h;
    double output = rest + m->sum + step, allowed = limited(c, output);
    bool outwards = (output - allowed) * step > 0;
    *sum = outwards ? m->sum : m->sum + step;
    return limited(c, rest + *sum);
}

static cord_status act(cord_world *world, const controller_data *c, const built_controller *on,
                       double output, double h)
{
    double vector[3], value, rate;
    cord_status status = CORD_OK;
    v3_scale(vector, output, c->direction);
    switch (c->kind) {
    case OUTPUT_ALONG: return cord_load_set_coordinate_force(world, on->load, output);
    case OUTPUT_FORCE: return cord_load_set_force(world, on->load, vector);
    case OUTPUT_TORQUE: return cord_load_set_torque(world, on->load, vector);
    case OUTPUT_RATE:
    case OUTPUT_POSITION: break;
    }
    status = cord_constraint_get_drive(world, on->constraint, &value, NULL);
    if (status != CORD_OK) return status;
    rate = c->kind == OUTPUT_RATE
               ? output
               : (output - value) / h; /* reaches the output at the end of the step */
    return cord_constraint_set_drive(world, on->constraint, &value, &rate);
}

static cord_status control_one(cord_simulation *sim, int i, controller_state *m, double h)
{
    const controller_data *c = ITEM(sim->scene->data.controllers, controller_data, i);
    const built_controller *built = &sim->controllers[i];
    double values[9], now = cord_world_get_time(sim->world), sum;
    if (m->begun > 0 && now <= m->time) return CORD_OK; /* it has already acted at this time */
    cord_status status = cord_simulation_sample(sim, c->probe, values);
    if (status != CORD_OK) return status;
    double measured = cord__pick_column(values, sim->probes[c->probe].data->columns, c->column);
    double error = cord__keys_value(&built->target, now) - measured;
    double output = law(c, error, m, measured, now, h, &sum);
    status = act(sim->world, c, built, output, h);
    if (status == CORD_OK) *m = (controller_state){1, now, measured, sum, output};
    return status;
}

/* The state of all controllers; NULL: the user has reserved the world's user state for other values. */
static double *states(const cord_simulation *sim)
{
    int count;
    double *user = cord_world_get_user_state(sim->world, &count);
    return user && count == STATE_SIZE * sim->scene->data.controllers.count ? user : NULL;
}

cord_status cord_simulation_control(cord_simulation *sim, double duration)
{
    if (!sim || !sim->world || !(duration > 0)) return CORD_ERROR_ARGUMENT;
    int count = sim->scene->data.controllers.count;
    double *state = count > 0 ? states(sim) : NULL;
    if (count > 0 && !state) return CORD_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++, state += STATE_SIZE) {
        controller_state m;
        memcpy(&m, state, sizeof m);
        cord_status status = control_one(sim, i, &m, duration);
        if (status != CORD_OK) return status;
        memcpy(state, &m, sizeof m);
    }
    return CORD_OK;
}

cord_status cord_simulation_step(cord_simulation *sim, double duration)
{
    cord_status status = cord_simulation_control(sim, duration);
    return status == CORD_OK ? cord_world_step(sim->world, duration) : status;
}

cord_status cord__controller_output(const cord_simulation *sim, int i, double *value)
{
    const double *state = states(sim);
    if (!state) return CORD_ERROR_ARGUMENT;
    *value = state[(size_t)i * STATE_SIZE + offsetof(controller_state, output) / sizeof(double)];
    return CORD_OK;
}
