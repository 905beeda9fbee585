/* The quantities of strands and bodies, named once for recordings, exporters, pictures and pages, and the
 * tables of a recording. */
#ifndef CORDAGE_RECORD_QUANTITIES_H
#define CORDAGE_RECORD_QUANTITIES_H

#include "world/energies.h"

#include <cordage/scene.h>

enum { RECORDING_VERSION = 3 };

enum { NO_SLOT = 2 }; /* in /commit: no state goes with the frames */

#define RECORDING_KIND "cordage recording"
#define RECORDING_FILE "recording.h5"

/* Of every strand whose model gives them. */
typedef enum quantity {
    QUANTITY_POSITIONS,  /* m */
    QUANTITY_VELOCITIES, /* m/s */
    QUANTITY_FRAMES,     /* tangent and first director of each edge */
    QUANTITY_TENSIONS,   /* N */
    QUANTITY_CURVATURES, /* about the first director, about the second, twist; 1/m */
    QUANTITY_COUNT
} quantity;

typedef struct quantity_info {
    const char *name, *unit;
    int columns;
    bool per_edge;
    bool single; /* stored in single precision: a run is not continued from it */
} quantity_info;

extern const quantity_info cord__quantities[QUANTITY_COUNT];

/* Of every body, in double precision. */
typedef enum body_quantity {
    BODY_POSITION,         /* of its own axes, m */
    BODY_ROTATION,         /* of its own axes: unit quaternion w, x, y, z */
    BODY_VELOCITY,         /* of its centre of mass, m/s */
    BODY_ANGULAR_VELOCITY, /* world axes, rad/s */
    BODY_QUANTITY_COUNT
} body_quantity;

typedef struct body_quantity_info {
    const char *name;
    int columns;
} body_quantity_info;

extern const body_quantity_info cord__body_quantities[BODY_QUANTITY_COUNT];

/* One number per vertex, computed from the quantities (scalars.h): enumerator, name, unit, its quantity, and
 * whether it has a sign, so that its colour scale has zero in the middle. */
#define SCALAR_LIST(X)                                                                             \
    X(CURVATURE, "curvature", "1/m", QUANTITY_CURVATURES, false)                                   \
    X(TWIST, "twist", "rad/m", QUANTITY_CURVATURES, true)                                          \
    X(TENSION, "tension", "N", QUANTITY_TENSIONS, true)                                            \
    X(SPEED, "speed", "m/s", QUANTITY_VELOCITIES, false)

#define SCALAR_ENUMERATOR(id, name, unit, from, has_sign) SCALAR_##id,
typedef enum vertex_scalar { SCALAR_LIST(SCALAR_ENUMERATOR) SCALAR_COUNT } vertex_scalar;
#undef SCALAR_ENUMERATOR

typedef struct scalar_info {
    const char *name, *unit;
    quantity from;
    bool has_sign;
} scalar_info;

extern const scalar_info cord__scalars[SCALAR_COUNT];

/* Records of doubles only, so that a list of them is a table with these columns. */
typedef struct table_column {
    const char *name; /* NULL: the end of the list */
    int width;
} table_column;

typedef struct strand_record {
    double vertices, edges, closed, length, mass;
    double section[5];               /* kind, radius, inner radius, width and height */
    double recorded[QUANTITY_COUNT]; /* 0: its model does not give it, NaN in every frame */
} strand_record;

typedef struct body_record {
    double mass, center[3], moments[3], axes[9];
    double size[5];   /* of its shape: radius, length, three edges */
    double colour[3]; /* sRGB, 0 to 1; NaN: none given */
} body_record;

typedef struct probe_record {
    double items, columns;
} probe_record;

extern const table_column cord__strand_columns[], cord__body_columns[], cord__probe_columns[];

#endif
