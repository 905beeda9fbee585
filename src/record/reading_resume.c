/* Putting a world back into the last state of a recording. */
#include "record/origin.h"
#include "record/reading_data.h"

#include <string.h>

bool cord__reading_slot(reading *r, char **bytes, size_t *size)
{
    hid_t state = H5Gopen2(r->file, "state", H5P_DEFAULT);
    uint64_t world_size = 0;
    bool good = state >= 0 && r->slot < NO_SLOT &&
                cord__hdf5_get_bytes(&r->mem, state, r->slot ? "1" : "0", MOST_BYTES, bytes, size);
    if (state >= 0) H5Gclose(state);
    size_t results = (size_t)r->info.expectation_count * sizeof(observed_result);
    size_t beside = sizeof world_size + results;
    if (!good || *size < beside) return false;
    memcpy(&world_size, *bytes, sizeof world_size);
    r->world_size = (size_t)world_size;
    return world_size <= *size - beside;
}

/* By content and order: names may be paths seen from elsewhere. */
static cord_status compare_scene(reading *r, const cord_scene *scene)
{
    origin o;
    cord_status status = cord__origin_read(&r->mem, scene, &o);
    const char *differs =
        status == CORD_OK && o.count != r->info.file_count ? "the list of its files" : NULL;
    for (int i = 0; status == CORD_OK && !differs && i < o.count; i++) {
        const reading_file *f = &r->info.files[i];
        bool same = f->size == o.files[i].size &&
                    (f->size == 0 || memcmp(f->text, o.files[i].text, f->size) == 0);
        if (!same) differs = o.files[i].name;
    }
    if (differs)
        status =
            cord__reading_fail(r, CORD_ERROR_INPUT, "%s was made from another scene: %s differs",
                               r->info.path, differs);
    cord__origin_free(&r->mem, &o);
    return status;
}

static cord_status restore(reading *r, cord_simulation *sim)
{
    cord_world *world = cord_simulation_get_world(sim);
    char *bytes = NULL;
    size_t size = 0;
    int count = cord_scene_get_info(cord_simulation_get_scene(sim)).expectation_count;
    observed_result *results = NEW(&r->mem, observed_result, count);
    bool good =
        results && cord__reading_slot(r, &bytes, &size) && count == r->info.expectation_count;
    cord_status status =
        good ? CORD_OK : cord__reading_damaged(r, "/state, from which the run would go on,");
    if (good) {
        const char *from = bytes + sizeof(uint64_t);
        memcpy(results, from + r->world_size, (size_t)count * sizeof *results);
        status = cord_world_set_state(world, from, r->world_size);
        if (status != CORD_OK)
            cord__reading_fail(r, status, "%s cannot be continued: %s", r->info.path,
                               cord_world_get_error(world));
    }
    if (status == CORD_OK) cord__set_observed(sim, results);
    cord__release(&r->mem, results);
    cord__release(&r->mem, bytes);
    return status;
}

cord_status cord__reading_resume(reading *r, cord_simulation *sim)
{
    if (r->info.frames == 0)
        return cord__reading_fail(r, CORD_ERROR_FILE, "%s has no frame to go on from",
                                  r->info.path);
    if (r->slot == NO_SLOT)
        return cord__reading_fail(r, CORD_ERROR_FILE,
                                  "%s cannot be continued: its run failed before the first step. "
                                  "Correct the scene and run it without --resume",
                                  r->info.path);
    cord_status status = compare_scene(r, cord_simulation_get_scene(sim));
    if (status != CORD_OK) return status;
    hdf5_quiet before = cord__hdf5_hush();
    status = restore(r, sim);
    /* The recorder copies the file, and H5Ocopy() of HDF5 1.10 writes beyond its buffer for compressed chunks that an
     * open dataset has in its cache. */
    cord__reading_close_frames(r);
    cord__hdf5_unhush(before);
    return status;
}
