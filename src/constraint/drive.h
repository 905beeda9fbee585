/* The drive of a constraint: a prescribed value of g over time, by keys or by hand. */
#ifndef CORDAGE_CONSTRAINT_DRIVE_H
#define CORDAGE_CONSTRAINT_DRIVE_H

#include "curve/keys.h"

enum { DRIVE_VALUES = 3 };

/* value + rate (t − time), added to the keys; `manual`: set by hand, and the keys no longer count. */
typedef struct drive_state {
    double value[DRIVE_VALUES], rate[DRIVE_VALUES], time;
    bool manual;
} drive_state;

/* Whether any of `rows` values is driven. */
bool cord__drive_acts(const keys *k, const drive_state *s, int rows);
/* Values and rates at a time, those beyond `rows` being 0; `rate` may be NULL. */
void cord__drive_at(const keys *k, const drive_state *s, int rows, double time,
                    double value[DRIVE_VALUES], double rate[DRIVE_VALUES]);

#endif
