/* `let`: the variables of a scene. */
#ifndef CORDAGE_SCENE_VARIABLES_H
#define CORDAGE_SCENE_VARIABLES_H

#include "scene/fields.h"

/* Reads name: expression pairs into the reader's scope. They may use each other in any order. */
extern const special cord__let_special;

#endif
