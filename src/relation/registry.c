#include "relation/relation.h"

#include <string.h>

/* The list of relations: the scene reader, the schema and the documents learn their names here. */
static const relation_ops *const relations[] = {
    &cord__coincide, &cord__align, &cord__plane, &cord__axis, &cord__distance,
};
enum { COUNT = sizeof relations / sizeof *relations };

const relation_ops *cord__relation_find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(relations[i]->name, name) == 0) return relations[i];
    return NULL;
}

const char *const *cord_relation_names(void)
{
    static const char *const names[COUNT + 1] = {CORD_COINCIDE, CORD_ALIGN, CORD_PLANE, CORD_AXIS,
                                                 CORD_DISTANCE, NULL};
    return names;
}
