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
