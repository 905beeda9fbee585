/* Controllers: proportional, integral and derivative action that keeps a measured quantity at a target. */
#ifndef CORDAGE_SCENE_CONTROLLERS_H
#define CORDAGE_SCENE_CONTROLLERS_H

#include "scene/time_function.h"
#include "scene/scene_data.h"

typedef struct output_data {
    const node *at;
    const char *torque, *force, *along, *load, *rate, *position; /* names; one of them */
} output_data;

typedef enum output_kind {
    OUTPUT_ALONG,  /* a force or torque on a coordinate */
    OUTPUT_FORCE,  /* a load's force or torque along its direction */
    OUTPUT_TORQUE, /* the same */
    OUTPUT_RATE,   /* the drive of a constraint of one row */
    OUTPUT_POSITION,
} output_kind;

typedef struct controller_data {
    const node *at;
    const char *name, *measure;
    time_function target;
    double p, i, d;
    number_list limits;
    output_data *output;
    int ease;
    /* computed */
    int probe, column; /* column -1: the norm of a vector */
    output_kind kind;
    const char *unit; /* of the output */
    double direction[3];
} controller_data;

extern const mapping cord__controller_map;

/* The objects that outputs act on, before probes (whose units depend on them); then the measured quantities. */
bool cord__resolve_outputs(cord_scene *scene);
bool cord__resolve_controllers(cord_scene *scene);

bool cord__build_controllers(builder *b);

#endif
