/* The drive of a constraint: a prescribed value of g over time, by keyframes or by the user. */
#ifndef CORDAGE_CONSTRAINT_DRIVE_H
#define CORDAGE_CONSTRAINT_DRIVE_H

#include "curve/keyframes.h"

enum { DRIVE_VALUES = 3 };

/* value + rate (t − time), added to the keyframes; `manual`: set by the user, and keyframes are ignored. */
typedef struct drive_state {
    double value[DRIVE_VALUES], rate[DRIVE_VALUES], time;
    bool manual;
} drive_state;

/* Whether any of `rows` values is driven. */
bool cord__drive_acts(const keyframes *k, const drive_state *s, int rows);
/* Values and rates at a time, 0 beyond `rows`; `rate` may be NULL. */
void cord__drive_at(const keyframes *k, const drive_state *s, int rows, double time,
                    double value[DRIVE_VALUES], double rate[DRIVE_VALUES]);

#endif
