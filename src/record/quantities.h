/* What a recording has of strands, bodies and probes, in lists that the recorder and the reader share: what
 * is recorded of them in every frame, and what they are. */
#ifndef CORDAGE_RECORD_QUANTITIES_H
#define CORDAGE_RECORD_QUANTITIES_H

#include <cordage/scene.h>

enum { RECORDING_VERSION = 2 };

#define RECORDING_KIND "cordage recording"
#define RECORDING_FILE "recording.h5"

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
    bool single; /* stored in single precision: for looking at, not for going on */
} quantity_info;

extern const quantity_info cord__quantities[QUANTITY_COUNT];

/* Of one strand. `values` has room for 9 numbers per edge, whatever is asked for. A model that cannot answer
 * says CORD_ERROR_UNSUPPORTED. */
cord_status cord__strand_row(const cord_scene *scene, cord_world *world, int strand, quantity what,
                             int edge_count, double *values);

/* Of every body, in double precision: where it is and how it moves. */
typedef enum body_quantity {
    BODY_POSITION,         /* of its own axes, m */
    BODY_ROTATION,         /* of its own axes: unit quaternion w, x, y, z */
    BODY_VELOCITY,         /* of its centre of mass, m/s */
    BODY_ANGULAR_VELOCITY, /* world axes, rad/s */
    BODY_QUANTITY_COUNT
} body_quantity;

typedef struct body_quantity_info {
    const char *name;
    int columns, first; /* of the row */
} body_quantity_info;

extern const body_quantity_info cord__body_quantities[BODY_QUANTITY_COUNT];

enum { BODY_ROW = 13 }; /* all of them */
/* Of a solid of a scene. */
cord_status cord__body_row(const cord_scene *scene, cord_world *world, int solid,
                           double row[BODY_ROW]);

enum { ENERGY_COUNT = 7 };
extern const char *const cord__energy_names[ENERGY_COUNT];

/* What a thing is, in numbers: nothing but doubles, so that a list of them is a table with these columns. */
typedef struct table_column {
    const char *name; /* NULL: the end of the list */
    int width;
} table_column;

typedef struct strand_record {
    double vertices, edges, closed, length, mass;
    double section[5];               /* kind, radius, inner radius, width and height */
    double recorded[QUANTITY_COUNT]; /* 0: its model does not answer, NaN in every frame */
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
