/* Cross-sections: one table and one function each, in one list. */
#ifndef CORDAGE_SCENE_SECTIONS_H
#define CORDAGE_SCENE_SECTIONS_H

#include "scene/fields.h"

extern const variant_set cord__sections;

#endif
