/* Includes LANE_KERNEL, the name of a header, for vectors of two and of four doubles (math/lane_type.h): names end with _2 and
 * _4. No guard: once for every kernel. */
#define LANES 2
#define NAME(name) name##_2
#include "math/lane_type.h"
#include LANE_KERNEL
#undef LANES
#undef NAME

#define LANES 4
#define NAME(name) name##_4
#include "math/lane_type.h"
#include LANE_KERNEL
#undef LANES
#undef NAME
#undef LANE_KERNEL
