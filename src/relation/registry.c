#include "relation/relation.h"

#include <string.h>

const relation_ops *cord__relation_find(const char *name)
{
#define RELATION_ADDRESS(name) &cord__##name,
    static const relation_ops *const relations[] = {RELATION_LIST(RELATION_ADDRESS)};
#undef RELATION_ADDRESS
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (strcmp(relations[i]->name, name) == 0) return relations[i];
    return NULL;
}

const char *const *cord_relation_names(void)
{
#define RELATION_NAME(name) #name,
    static const char *const names[] = {RELATION_LIST(RELATION_NAME) NULL};
#undef RELATION_NAME
    return names;
}

bool cord__relation_is_driven(const relation *r)
{
    bool driven = r->drive.count > 0;
    for (int row = 0; row < r->ops->rows; row++)
        driven = driven || r->drive_value[row] != 0 || r->drive_rate[row] != 0;
    return driven;
}

void cord__relation_drive(const relation *r, double time, double value[RELATION_ROWS],
                          double rate[RELATION_ROWS])
{
    double rates[RELATION_ROWS] = {0};
    memset(value, 0, RELATION_ROWS * sizeof *value);
    if (r->drive.count > 0) cord__keys_at(&r->drive, time, value, rates);
    for (int row = 0; row < r->ops->rows; row++) {
        value[row] += r->drive_value[row] + r->drive_rate[row] * (time - r->drive_from);
        rates[row] += r->drive_rate[row];
    }
    if (rate) memcpy(rate, rates, sizeof rates);
}
