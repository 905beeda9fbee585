/* Scene files that include others. */
#ifndef CORDAGE_SCENE_INCLUDE_H
#define CORDAGE_SCENE_INCLUDE_H

#include "scene/fields.h"

enum { INCLUDE_MAX_DEPTH = 16, INCLUDE_MAX_FILES = 256 };

/* Reads a file and all files that it includes, merged: mappings by key, lists of mappings by concatenation, other
 * values by replacement with the later; included files precede the including one, in their order. A file that
 * several files include is read once. NULL after a diagnostic; after errors in parts of the files, the rest is
 * returned, and r->complete is false; if a whole file is missing, r->partial is true. */
node *cord__include_read(reader *r, const char *path);

/* The key `include`; files are included before tables are read. */
extern const special cord__include_special;

#endif
