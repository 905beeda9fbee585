/* The parts of a scene that a session reads. */
#ifndef CORDAGE_LIVE_SCENE_ACCESS_H
#define CORDAGE_LIVE_SCENE_ACCESS_H

#include "scene/diagnostics.h"

#include <cordage/simulation.h>

/* The errors of a simulation that could not be built, or of its scene; NULL: there are none. Either may be NULL. */
const diagnostics *cord__live_errors(const cord_scene *scene, const cord_simulation *sim);
const diagnostics *cord__live_warnings(const cord_simulation *sim);
/* Whether wind acts on any of its objects. */
bool cord__live_feels_wind(const cord_scene *scene);

#endif
