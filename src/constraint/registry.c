#include "constraint/constraint.h"
#include "constraint/unit.h"

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

constraint_unit cord__constraint_unit(const char *kind)
{
    const constraint_ops *ops = cord__constraint_find(kind);
    if (!ops) return (constraint_unit){0};
    return (constraint_unit){ops->unit, ops->rows, ops->needs[0] == NEEDS_COORDINATE};
}
