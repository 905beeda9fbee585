#include "constraint/constraint.h"

#include <string.h>

const constraint_ops *cord__constraint_find(const char *name)
{
#define CONSTRAINT_ADDRESS(name) &cord__##name,
    static const constraint_ops *const constraints[] = {CONSTRAINT_LIST(CONSTRAINT_ADDRESS)};
#undef CONSTRAINT_ADDRESS
    for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++)
        if (strcmp(constraints[i]->name, name) == 0) return constraints[i];
    return NULL;
}

const char *const *cord_constraint_names(void)
{
#define CONSTRAINT_NAME(name) #name,
    static const char *const names[] = {CONSTRAINT_LIST(CONSTRAINT_NAME) NULL};
#undef CONSTRAINT_NAME
    return names;
}

bool cord__constraint_is_driven(const constraint *r)
{
    bool driven = r->drive.count > 0;
    for (int row = 0; row < r->ops->rows; row++)
        driven = driven || r->drive_value[row] != 0 || r->drive_rate[row] != 0;
    return driven;
}

void cord__constraint_drive(const constraint *r, double time, double value[CONSTRAINT_ROWS],
                            double rate[CONSTRAINT_ROWS])
{
    double rates[CONSTRAINT_ROWS] = {0};
    memset(value, 0, CONSTRAINT_ROWS * sizeof *value);
    if (r->drive.count > 0) cord__keyframes_at(&r->drive, time, value, rates);
    for (int row = 0; row < r->ops->rows; row++) {
        value[row] += r->drive_value[row] + r->drive_rate[row] * (time - r->drive_time);
        rates[row] += r->drive_rate[row];
    }
    if (rate) memcpy(rate, rates, sizeof rates);
}
