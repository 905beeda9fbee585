/* What is recorded of every strand, in one list that the recorder and the reader share. A model
 * that cannot answer a question has no such dataset. */
#ifndef CORDAGE_RECORD_QUANTITIES_H
#define CORDAGE_RECORD_QUANTITIES_H

#include <cordage/strand.h>

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

enum { ENERGY_COUNT = 7 };
extern const char *const cord__energy_names[ENERGY_COUNT];

#endif
