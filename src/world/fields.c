/* Loads and wind. */
#include "world/world.h"

#include "math/vec3.h"

cord_load_def cord_load_def_default(void)
{
    return (cord_load_def){0};
}

cord_status cord_world_add_load(cord_world *w, const cord_load_def *def, cord_load *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_load){0};
    if (!cord__get_point(w, def->point)) return CORD_ERROR_HANDLE;
    if (!v3_finite(def->force)) return cord__fail(w, CORD_ERROR_ARGUMENT, "a force is not finite");
    load *l = NEW(&w->memory, load, 1);
    if (!l) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a load");
    l->point = (int)def->point.index - 1;
    v3_copy(l->force, def->force);
    cord_status status = cord__keys_copy(&l->keys, &w->memory, &def->keys, 3);
    if (status != CORD_OK) cord__fail(w, status, "keys must be finite, times ascending");
    if (status == CORD_OK) {
        status = cord__slots_add(&w->loads, &w->memory, l, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for a load");
    }
    if (status != CORD_OK) {
        cord__load_free(w, l);
        return status;
    }
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord_load_set_force(cord_world *w, cord_load handle, const double force[3])
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!force)
        return cord__fail((cord_world *)w, CORD_ERROR_ARGUMENT,
                          "an argument is NULL or out of range");
    load *l = cord__slots_get(&w->loads, handle.index, handle.generation);
    if (!l) return cord__fail(w, CORD_ERROR_HANDLE, "the load handle is null, stale or foreign");
    if (!v3_finite(force)) return cord__fail(w, CORD_ERROR_ARGUMENT, "a force is not finite");
    v3_copy(l->force, force);
    w->start_stale = true;
    return CORD_OK;
}

cord_status cord_world_remove_load(cord_world *w, cord_load handle)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    load *l = cord__slots_get(&w->loads, handle.index, handle.generation);
    if (!l) return cord__fail(w, CORD_ERROR_HANDLE, "the load handle is null, stale or foreign");
    cord__load_free(w, l);
    cord__slots_remove(&w->loads, handle.index);
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_wind_def cord_wind_def_default(void)
{
    return (cord_wind_def){0};
}

cord_status cord_world_set_wind(cord_world *w, const cord_wind_def *def)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    wind next;
    cord_status status = cord__wind_init(&next, &w->memory, def);
    if (status != CORD_OK)
        return cord__fail(w, status, "the wind has a number that is not finite, or a core of 0");
    cord__wind_free(&w->wind, &w->memory);
    w->wind = next;
    w->problem.around.wind = def ? &w->wind : NULL;
    w->start_stale = true;
    return CORD_OK;
}

cord_status cord_world_wind(const cord_world *w, const double x[3], double velocity[3])
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!x || !velocity)
        return cord__fail((cord_world *)w, CORD_ERROR_ARGUMENT,
                          "an argument is NULL or out of range");
    cord__wind_at(w->problem.around.wind, w->problem.now.time, x, velocity);
    return CORD_OK;
}
