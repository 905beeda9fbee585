/* Joints in scenes: keys, checks, names, units. */
#include "scene/joints.h"

#include "scene/cables.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- the keys ----------------------------------------------------------------------------- */

static const choice kinds[] = {
    {"weld", JOINT_WELD, "no motion is free"},
    {"ball", JOINT_BALL, "every rotation is free"},
    {"universal", JOINT_UNIVERSAL, "rotation about two axes: one in either"},
    {"revolute", JOINT_REVOLUTE, "a hinge: rotation about an axis"},
    {"prismatic", JOINT_PRISMATIC, "translation along an axis"},
    {"cylindrical", JOINT_CYLINDRICAL, "translation along an axis and rotation about it"},
    {"screw", JOINT_SCREW, "rotation about an axis, and translation along it in proportion"},
    {"planar", JOINT_PLANAR, "translation across an axis, and rotation about it"},
    {"gear", JOINT_GEAR, "between two joints: gears, racks"},
    {NULL, 0, NULL},
};

static const field motor_fields[] = {
    {"position", FIELD_SPECIAL, offsetof(motor_data, position), false, NULL, NULL, LIMIT_NONE,
     &cord__time_function_special, "the prescribed coordinate, rad or m"},
    {"rate", FIELD_SPECIAL, offsetof(motor_data, rate), false, NULL, NULL, LIMIT_NONE,
     &cord__time_function_special, "the prescribed rate, rad/s or m/s"},
    {"torque", FIELD_SPECIAL, offsetof(motor_data, torque), false, NULL, NULL, LIMIT_NONE,
     &cord__time_function_special, "its torque, N m"},
    {"force", FIELD_SPECIAL, offsetof(motor_data, force), false, NULL, NULL, LIMIT_NONE,
     &cord__time_function_special, "its force, N"},
    EASE_FIELD(motor_data, ease),
};

static bool finish_motor(reader *r, void *item)
{
    const motor_data *m = item;
    int given = (m->position.at != NULL) + (m->rate.at != NULL) + (m->torque.at != NULL) +
                (m->force.at != NULL);
    if (given == 1) return true;
    cord__diagnose(r->errors, m->at->at, "a motor has one of position, rate, torque and force");
    return false;
}

const mapping cord__motor_map = {"motor",      "the motor of a joint",    sizeof(motor_data),
                                 motor_fields, FIELD_COUNT(motor_fields), finish_motor};

static const count_range two_limits = {2, 2};

#define BIT(kind) (1 << (kind))
enum {
    ONE_COORDINATE = BIT(JOINT_REVOLUTE) | BIT(JOINT_PRISMATIC) | BIT(JOINT_SCREW),
    NO_GEAR = BIT(JOINT_GEAR) - 1,
    WITH_FRICTION = ONE_COORDINATE | BIT(JOINT_BALL) | BIT(JOINT_UNIVERSAL),
    WITH_AXIS = ONE_COORDINATE | BIT(JOINT_CYLINDRICAL) | BIT(JOINT_UNIVERSAL) | BIT(JOINT_PLANAR),
};

/* The keys of each kind of joint; keys that are not listed apply to all. */
static const struct {
    const char *key;
    int kinds;
    const char *whose;
} owners[] = {
    {"at", NO_GEAR, "joints of bodies, not gears"},
    {"axis", WITH_AXIS, "joints that have an axis"},
    {"first_axis", BIT(JOINT_UNIVERSAL), "universal joints"},
    {"pitch", BIT(JOINT_SCREW), "screws"},
    {"ratio", BIT(JOINT_GEAR), "gears"},
    {"friction", WITH_FRICTION, "joints that leave rotations or translations free, not both"},
    {"stiffness", ONE_COORDINATE, "revolute, prismatic and screw joints"},
    {"damping", ONE_COORDINATE, "revolute, prismatic and screw joints"},
    {"rest", ONE_COORDINATE, "revolute, prismatic and screw joints"},
    {"limits", ONE_COORDINATE, "revolute, prismatic and screw joints"},
    {"motor", ONE_COORDINATE, "revolute, prismatic and screw joints"},
};

static bool need(reader *r, const joint_data *j, const char *key, const char *what)
{
    if (cord__node_get(j->at, key)) return true;
    cord__diagnose(r->errors, j->at->at, "a %s joint needs \"%s\": %s", cord__joint_kind_name(j),
                   key, what);
    return false;
}

static bool check_keys(reader *r, const joint_data *j)
{
    bool good = true;
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        if ((owners[i].kinds & BIT(j->kind)) || !cord__node_get(j->at, owners[i].key)) continue;
        cord__diagnose(r->errors, cord__node_key_mark(j->at, owners[i].key),
                       "%s: is for %s, not for a %s", owners[i].key, owners[i].whose,
                       cord__joint_kind_name(j));
        good = false;
    }
    static const char *const spring[] = {"damping", "rest"};
    for (int i = 0; isnan(j->stiffness) && i < 2; i++)
        good = cord__refuse(r, j->at, spring[i], "is of a spring, which needs a stiffness") && good;
    if (j->kind == JOINT_SCREW) good = need(r, j, "pitch", "the displacement per turn") && good;
    if (j->kind == JOINT_GEAR)
        good = need(r, j, "ratio", "the first's coordinate per the second's") &&
               need(r, j, "second", "the other joint") && good;
    if (j->kind == JOINT_UNIVERSAL)
        good = need(r, j, "first_axis", "the axis in the first, across the other") && good;
    return good;
}

bool cord__check_motor(reader *r, const motor_data *m, const char *unit)
{
    bool rotates = strcmp(unit, "rad") == 0;
    return cord__check_time_function(r, &m->position, "position", cord__unit_of(unit, 0)) &&
           cord__check_time_function(r, &m->rate, "rate", cord__unit_of(unit, -1)) &&
           cord__check_time_function(r, &m->torque, "torque", cord__unit_of("J", 0)) &&
           cord__check_time_function(r, &m->force, "force", cord__unit_of("N", 0)) &&
           cord__refuse(r, m->at, rotates ? "force" : "torque",
                        rotates ? "this coordinate is an angle: it takes a torque"
                                : "this coordinate is a length: it takes a force");
}

static bool check_units(reader *r, const joint_data *j)
{
    const char *unit = cord__joint_unit(j), *effort = cord__joint_effort_unit(j);
    const struct {
        const char *key;
        dimension dim;
    } list[] = {
        {"friction", cord__unit_ratio(effort, unit, 1)},
        {"stiffness", cord__unit_ratio(effort, unit, 0)},
        {"rest", cord__unit_of(unit, 0)},
        {"limits", cord__unit_of(unit, 0)},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        good = cord__check_dimension(r, cord__node_get(j->at, list[i].key), list[i].key,
                                     list[i].dim) &&
               good;
    if (j->limits.count == 2 && !(j->limits.values[0] < j->limits.values[1])) {
        cord__diagnose(r->errors, cord__node_key_mark(j->at, "limits"),
                       "limits: the lower one comes first");
        good = false;
    }
    return (!j->motor || cord__check_motor(r, j->motor, unit)) && good;
}

static bool finish_joint(reader *r, void *item)
{
    const joint_data *j = item;
    bool good = check_keys(r, j) && cord__nonzero(r, j->at, "axis", j->axis) &&
                cord__nonzero(r, j->at, "first_axis", j->first_axis);
    if (good && (ONE_COORDINATE & BIT(j->kind))) good = check_units(r, j);
    if (good && (WITH_FRICTION & ~ONE_COORDINATE & BIT(j->kind)))
        good = cord__check_dimension(r, cord__node_get(j->at, "friction"), "friction",
                                     cord__unit_dimension("J s"));
    if (!good || j->kind != JOINT_UNIVERSAL) return good;
    double dot = 0, own = 0, other = 0;
    for (int k = 0; k < 3; k++) {
        dot += j->axis[k] * j->first_axis[k];
        own += j->axis[k] * j->axis[k];
        other += j->first_axis[k] * j->first_axis[k];
    }
    if (fabs(dot) <= 1e-9 * sqrt(own * other)) return true;
    cord__diagnose(r->errors, cord__node_key_mark(j->at, "first_axis"),
                   "the axes of a universal joint have to be perpendicular");
    return false;
}

static const field joint_fields[] = {
    {"name", FIELD_TEXT, offsetof(joint_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "for probes, gears, loads and controllers; it is also its coordinate's"},
    {"kind", FIELD_CHOICE, offsetof(joint_data, kind), true, NULL, NULL, LIMIT_NONE, kinds,
     "the kind: which motion stays free"},
    {"first", FIELD_SPECIAL, offsetof(joint_data, first), true, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "a body, or a point on something that moves; of a gear: a joint"},
    {"second", FIELD_SPECIAL, offsetof(joint_data, second), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "the other side, likewise; default: the world"},
    {"at", FIELD_VECTOR, offsetof(joint_data, where), false, NULL, "m", LIMIT_NONE, NULL,
     "where the joint is as drawn, in the world; default: where the first is"},
    {"axis", FIELD_VECTOR, offsetof(joint_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "its axis as drawn, in the world; the second carries it"},
    {"first_axis", FIELD_VECTOR, offsetof(joint_data, first_axis), false, NULL, "", LIMIT_NONE,
     NULL, "universal: the other axis as drawn; the first carries it"},
    {"friction", FIELD_NUMBER, offsetof(joint_data, friction), false, "0", NULL, LIMIT_NOT_NEGATIVE,
     NULL, "viscous, against the rate, N m s or N s/m"},
    {"stiffness", FIELD_NUMBER, offsetof(joint_data, stiffness), false, NULL, NULL, LIMIT_POSITIVE,
     NULL, "of a spring on the coordinate, N m/rad or N/m"},
    {"damping", FIELD_NUMBER, offsetof(joint_data, damping), false, "0 s", "s", LIMIT_NOT_NEGATIVE,
     NULL, "of the spring: viscous, its time constant (damping coefficient over stiffness)"},
    {"rest", FIELD_NUMBER, offsetof(joint_data, rest), false, "0", NULL, LIMIT_NONE, NULL,
     "the coordinate at which the spring is slack, rad or m"},
    {"limits", FIELD_NUMBERS, offsetof(joint_data, limits), false, NULL, NULL, LIMIT_NONE,
     &two_limits, "the least and the greatest coordinate, rad or m"},
    {"motor", FIELD_MAP, offsetof(joint_data, motor), false, NULL, NULL, LIMIT_NONE,
     &cord__motor_map, "its motor"},
    {"pitch", FIELD_NUMBER, offsetof(joint_data, pitch), false, NULL, "m/rad", LIMIT_NONE, NULL,
     "screw: the displacement per turn, as in 5 mm/turn"},
    {"ratio", FIELD_NUMBER, offsetof(joint_data, ratio), false, NULL, NULL, LIMIT_NONE, NULL,
     "gear: the first's coordinate is so many times the second's; of a rack m/rad"},
};
const mapping cord__joint_map = {"joint",
                                 "bodies joined so that some motions stay free",
                                 sizeof(joint_data),
                                 joint_fields,
                                 FIELD_COUNT(joint_fields),
                                 finish_joint};

/* ---- properties -------------------------------------------------------------------------- */

const char *cord__joint_kind_name(const joint_data *j)
{
    return j->kind == JOINT_PULLEY ? "pulley" : kinds[j->kind].name;
}

const char *cord__joint_unit(const joint_data *j)
{
    switch (j->kind) {
    case JOINT_REVOLUTE:
    case JOINT_SCREW: return "rad";
    case JOINT_PULLEY: return cord__pulley_rotates(j->pulley) ? "rad" : NULL;
    case JOINT_PRISMATIC:
    case JOINT_CYLINDRICAL: return "m";
    default: return NULL;
    }
}

bool cord__joint_rotates(const joint_data *j)
{
    const char *unit = cord__joint_unit(j);
    return unit && strcmp(unit, "rad") == 0;
}

const char *cord__joint_effort_unit(const joint_data *j)
{
    return cord__joint_rotates(j) ? "N m" : "N";
}

const joint_data *cord__joint_of(const cord_scene *scene, const char *name)
{
    const symbol *s = cord__find_symbol(scene, name);
    return s && s->kind == SUBJECT_JOINT ? ITEM(scene->data.joints, joint_data, s->index) : NULL;
}

/* ---- names -------------------------------------------------------------------------------- */

/* A gear connects joints that have a coordinate. */
static const joint_data *geared(cord_scene *scene, const location *p)
{
    if (p->kind != LOCATION_NAME) {
        cord__diagnose(&scene->errors, p->at->at, "a gear is between joints: write their names");
        return NULL;
    }
    if (!cord__require_symbol(scene, p->name, p->at->at)) return NULL;
    const joint_data *j = cord__joint_of(scene, p->name);
    if (j && cord__joint_unit(j)) return j;
    cord__diagnose(&scene->errors, p->at->at,
                   j ? "\"%.40s\" is a %s joint: it does not have exactly one coordinate"
                     : "\"%.40s\" is not a joint",
                   p->name, j ? cord__joint_kind_name(j) : "");
    return NULL;
}

static bool resolve_gear(cord_scene *scene, const joint_data *j)
{
    const joint_data *first = geared(scene, &j->first), *second = geared(scene, &j->second);
    if (!first || !second) return false;
    return cord__check_dimension(
        &scene->read, cord__node_get(j->at, "ratio"), "ratio",
        cord__unit_ratio(cord__joint_unit(first), cord__joint_unit(second), 0));
}

/* A point with a location, not a coordinate. */
static bool resolve_side(cord_scene *scene, const location *p)
{
    if (!cord__resolve_point(scene, p)) return false;
    if (!cord__is_coordinate(scene, p)) return true;
    cord__diagnose(&scene->errors, p->at->at,
                   "\"%.40s\" is a coordinate; a joint is between points with a location", p->name);
    return false;
}

bool cord__resolve_joints(cord_scene *scene)
{
    bool good = true;
    for (int i = 0; i < scene->data.joints.count; i++) {
        const joint_data *j = ITEM(scene->data.joints, joint_data, i);
        bool valid = true;
        if (j->kind == JOINT_GEAR) {
            valid = resolve_gear(scene, j);
        } else if (j->kind == JOINT_PULLEY) {
            valid = cord__resolve_pulley(scene, j->pulley);
        } else {
            valid = resolve_side(scene, &j->first);
            valid = resolve_side(scene, &j->second) && valid;
        }
        good = cord__valid(j->at, valid) && good;
    }
    return good;
}

const char *cord_scene_get_joint_name(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.joints;
    return i >= 0 && i < list->count ? ITEM(*list, joint_data, i)->name : NULL;
}

const char *cord_scene_get_joint_kind(const cord_scene *scene, int i)
{
    if (!scene) return NULL;
    const item_list *list = &scene->data.joints;
    return i >= 0 && i < list->count ? cord__joint_kind_name(ITEM(*list, joint_data, i)) : NULL;
}
