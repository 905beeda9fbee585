/* How the surface of an object looks in pictures and pages: a key of the objects, or by their material. */
#ifndef CORDAGE_SCENE_LOOK_H
#define CORDAGE_SCENE_LOOK_H

#include "scene/fields.h"

#include <cordage/scene.h>

enum { LOOK_AUTO = -1 };

extern const choice cord__look_choices[];

/* The key of an object; `about` says what auto means for it. */
#define LOOK_FIELD(type, about)                                                                    \
    {                                                                                              \
        "look", FIELD_CHOICE, offsetof(type, look), false, "auto", NULL, LIMIT_NONE,               \
            cord__look_choices, about                                                              \
    }

/* The look of a material by its name, `otherwise` for materials that have none. `material` may be NULL. */
cord_look cord__look_of_material(const node *material, cord_look otherwise);

#endif
