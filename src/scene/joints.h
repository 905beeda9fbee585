/* Joints: constraints and coordinates under one name. */
#ifndef CORDAGE_SCENE_JOINTS_H
#define CORDAGE_SCENE_JOINTS_H

#include "scene/time_function.h"
#include "scene/scene_data.h"

typedef enum joint_kind {
    JOINT_WELD,
    JOINT_BALL,
    JOINT_UNIVERSAL,
    JOINT_REVOLUTE,
    JOINT_PRISMATIC,
    JOINT_CYLINDRICAL,
    JOINT_SCREW,
    JOINT_PLANAR,
    JOINT_GEAR,
    JOINT_PULLEY, /* represents a pulley or a drum: not a joint of the scene */
} joint_kind;

typedef struct motor_data {
    const node *at;
    time_function position, rate, torque, force; /* one of them */
    int ease;
} motor_data;

typedef struct joint_data {
    const node *at;
    const char *name; /* NULL: none */
    int kind;
    location first, second;
    double where[3], axis[3], first_axis[3]; /* NaN: not specified */
    double friction, stiffness, damping, rest, ratio, pitch;
    number_list limits;
    motor_data *motor;
    struct pulley_data *pulley; /* JOINT_PULLEY */
} joint_data;

extern const mapping cord__joint_map, cord__motor_map;

/* The unit of a joint's coordinate: "rad", "m", or NULL where there is none. */
const char *cord__joint_unit(const joint_data *j);
bool cord__joint_rotates(const joint_data *j);            /* its coordinate is an angle */
const char *cord__joint_effort_unit(const joint_data *j); /* "N m", "N" */
const char *cord__joint_kind_name(const joint_data *j);
/* Of a coordinate in rad or m. */
bool cord__check_motor(reader *r, const motor_data *m, const char *unit);
/* NULL: no joint of that name. */
const joint_data *cord__joint_of(const cord_scene *scene, const char *name);

/* Resolves names and units, before probes. */
bool cord__resolve_joints(cord_scene *scene);

#endif
