/* Arrays and grids: an item of a list with `repeat` or `grid` represents many items. */
#ifndef CORDAGE_SCENE_EXPAND_H
#define CORDAGE_SCENE_EXPAND_H

#include "scene/fields.h"

enum { EXPAND_MAX_NODES = 1000000 }; /* copied in one scene, all arrays together */

extern const mapping cord__repeat_map, cord__grid_map;

/* Expands the arrays of a list: copies with $i (and $j, $k) replaced by numbers, names with their index, offsets
 * added. Returns the same list when it has none; NULL when memory is exhausted. An array with errors is left out, and
 * *good becomes false. */
const node *cord__expand_list(reader *r, const mapping *map, const node *list, bool *good);

/* A name with index expressions, "hair[$n - 1]", as a plain one, "hair[9]". */
bool cord__read_reference(reader *r, const node *n, const char *text, const char **name);

extern const special cord__reference_special;

#endif
