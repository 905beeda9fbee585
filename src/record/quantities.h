/* What is recorded of every strand and body, in one list that the recorder and the reader share. A model
 * that cannot answer a question has no such dataset. */
#ifndef CORDAGE_RECORD_QUANTITIES_H
#define CORDAGE_RECORD_QUANTITIES_H

#include <cordage/scene.h>

enum { RECORDING_VERSION = 1 };

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

#endif
