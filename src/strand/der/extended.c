/* The assembly of elastic.c with extended sums, for counts of unstable directions. */
#include "math/extended.h"

#define EXTENDED_SUMS
#include "strand/der/elastic.c"
