/* Keyframed functions of time: a checked copy of cord_keys. */
#ifndef CORDAGE_CURVE_KEYFRAMES_H
#define CORDAGE_CURVE_KEYFRAMES_H

#include "math/memory.h"

#include <cordage/point.h>

typedef struct keyframes {
    int count, width;
    double *times;  /* count, strictly ascending */
    double *values; /* count × width */
    cord_ease ease;
} keyframes;

/* Overwrites `k`; on failure `k` is zeroed. CORD_ERROR_ARGUMENT: times that do not ascend strictly,
 * a value that is not finite, an unknown ease, or keys without arrays. `def` may be NULL: no keys. */
cord_status cord__keyframes_copy(keyframes *k, memory *m, const cord_keys *def, int width);

/* Value (width doubles) and, unless NULL, its time derivative (at a key, the one from the right).
 * Constant before the first key and from the last one on; zero without keys. */
void cord__keyframes_at(const keyframes *k, double t, double *value, double *rate);

void cord__keyframes_free(keyframes *k, memory *m);

#endif
