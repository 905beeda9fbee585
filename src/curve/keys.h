/* Keyframed functions of time: cord_keys, copied and checked. */
#ifndef CORDAGE_CURVE_KEYS_H
#define CORDAGE_CURVE_KEYS_H

#include "math/memory.h"

#include <cordage/point.h>

typedef struct keys {
    int count, width;
    double *times;  /* count, strictly ascending */
    double *values; /* count × width */
    cord_ease ease;
} keys;

/* Overwrites `k`; on failure it holds nothing. CORD_ERROR_ARGUMENT: times that do not ascend
 * strictly, a number that is not finite, an unknown ease, or keys without arrays. `def` may be NULL:
 * no keys. */
cord_status cord__keys_copy(keys *k, memory *m, const cord_keys *def, int width);

/* Value (width numbers) and, unless NULL, its time derivative, at a key the one towards later
 * times. Constant before the first key and from the last one on; zero without keys. */
void cord__keys_at(const keys *k, double t, double *value, double *rate);

void cord__keys_free(keys *k, memory *m);

#endif
