#include "live/scene_access.h"

#include "scene/simulation_data.h"

const diagnostics *cord__live_errors(const cord_scene *scene, const cord_simulation *sim)
{
    if (sim && sim->errors.count > 0) return &sim->errors;
    return scene && scene->errors.count > 0 ? &scene->errors : NULL;
}

const diagnostics *cord__live_warnings(const cord_simulation *sim)
{
    return sim->warnings.count > 0 ? &sim->warnings : NULL;
}

bool cord__live_feels_wind(const cord_scene *scene)
{
    const scene_data *d = &scene->data;
    bool any = d->wind != NULL;
    for (int i = 0; i < d->strands.count; i++) {
        const strand_data *s = ITEM(d->strands, strand_data, i);
        any = any || s->drag > 0 || s->quadratic_drag > 0;
    }
    for (int i = 0; i < d->bodies.count; i++) any = any || ITEM(d->bodies, body_data, i)->drag > 0;
    return any;
}
