/* Materials by name. */
#ifndef CORDAGE_SCENE_MATERIALS_H
#define CORDAGE_SCENE_MATERIALS_H

#include "scene/fields.h"

extern const preset_set cord__materials;

#endif
