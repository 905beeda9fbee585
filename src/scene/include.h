/* Scene files that include others. */
#ifndef CORDAGE_SCENE_INCLUDE_H
#define CORDAGE_SCENE_INCLUDE_H

#include "scene/fields.h"

enum { INCLUDE_MAX_DEPTH = 16, INCLUDE_MAX_FILES = 256 };

/* A file with all it includes, merged: mappings key by key, lists of mappings one after the other,
 * anything else by the later; included files count as earlier, in their order. A file that several
 * include is taken once. NULL after complaining. */
node *cord__include_read(arena *a, diagnostics *d, const char *path);

/* The key `include`; files are included before tables are read. */
extern const special cord__include_special;

#endif
