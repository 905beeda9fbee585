/* The list of strand models: scenes, schema and documents learn the names from it. */
#ifndef CORDAGE_STRAND_REGISTRY_H
#define CORDAGE_STRAND_REGISTRY_H

#include "block/block.h"

#define STRAND_LIST(X) X(der) X(segment) X(helix) X(clothoid) X(spline)

/* NULL when there is none of that name. */
const strand_ops *cord__strand_find(const char *name);

#endif
