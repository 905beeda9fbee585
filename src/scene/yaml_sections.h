/* A file whose YAML has syntax errors, read section by section: a key without indentation, with all lines up to the
 * next one. Each section is parsed by itself, so that one run finds the errors of all of them. */
#ifndef CORDAGE_SCENE_YAML_SECTIONS_H
#define CORDAGE_SCENE_YAML_SECTIONS_H

#include "scene/yaml_tree.h"

/* As cord__yaml_parse() of a whole file. *complete is false if the tree lacks sections that could not be parsed. */
node *cord__yaml_read(arena *a, diagnostics *d, const char *file, const char *text, size_t size,
                      bool *complete);

#endif
