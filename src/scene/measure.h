/* Measures: what a probe can look at. One row per measure and kind of subject, in one list. */
#ifndef CORDAGE_SCENE_MEASURE_H
#define CORDAGE_SCENE_MEASURE_H

#include "scene/scene_data.h"

typedef enum item_kind { PER_SUBJECT, PER_VERTEX, PER_EDGE, PER_ROW } item_kind;

typedef struct measure_ops {
    const char *name;
    subject_kind subject;
    item_kind items;
    int columns;
    const char *const *column_names;
    const char *unit; /* NULL: rows of a relation, whose unit it decides */
    cord_status (*sample)(cord_scene *scene, cord_world *world, probe_data *p, double *values);
} measure_ops;

/* Each name once. */
const char *const *cord__measure_names(void);

/* How many values along a strand become one. */
typedef enum reduction {
    OVER_ONLY, /* there is just one */
    OVER_MAX,
    OVER_MIN,
    OVER_MEAN,
    OVER_RMS,
    OVER_SPAN, /* largest less smallest */
    OVER_FIRST,
    OVER_LAST,
} reduction;

extern const choice cord__reductions[];

#endif
