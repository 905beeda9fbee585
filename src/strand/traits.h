#ifndef CORDAGE_STRAND_TRAITS_H
#define CORDAGE_STRAND_TRAITS_H

#include "block/strand_traits.h"

/* Of the model of that name; all false when there is none. */
const strand_traits *cord__strand_traits(const char *name);

#endif
