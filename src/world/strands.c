/* Adding strands to a world and removing them. */
#include "world/world.h"

#include "math/vec3.h"

cord_strand_def cord_strand_def_default(void)
{
    return (cord_strand_def){.model = CORD_MODEL_DER,
                             .material = {.density = 1150, .young = 2.7e9, .poisson = 0.39},
                             .section = {.kind = CORD_SECTION_CIRCLE, .radius = 2e-3}};
}

strand *cord__get_strand(const cord_world *w, cord_strand handle)
{
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__find(w, &w->strands, "strand", handle.index, handle.generation);
}

/* A load per length is an acceleration: load over mass per length. */
static void set_load(strand *s, const double per_length[3])
{
    cord_strand_info info = {0};
    s->ops->info(s->block.model, &info);
    double scale = s->block.schedule ? s->block.schedule->load_scale : info.length / info.mass;
    v3_scale(s->block.load_acceleration, scale, per_length);
}

cord_status cord_strand_set_load(cord_world *w, cord_strand handle, const double per_length[3])
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    if (!per_length || !v3_admissible(per_length))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a load is NULL or not finite");
    cord_status status = cord__need_schedule(w, s);
    if (status != CORD_OK) return status;
    set_load(s, per_length);
    cord__invalidate_accelerations(w);
    return CORD_OK;
}

cord_status cord__world_add_strand(cord_world *w, const strand_ops *ops, const cord_strand_def *def,
                                   cord_strand *out)
{
    char why[256] = "";
    void *model = NULL;
    if (!v3_admissible(def->load))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': the load is not finite or exceeds 1e50",
                          def->name ? def->name : "");
    cord_status status = ops->create(def, &w->memory, &model, why, sizeof why);
    if (status != CORD_OK)
        return cord__fail(w, status, "strand '%s': %s", def->name ? def->name : "",
                          why[0] ? why : cord_status_text(status));
    strand *s = NEW(&w->memory, strand, 1);
    if (!s) {
        ops->block.destroy(model, &w->memory);
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a strand");
    }
    s->ops = ops;
    s->block.ops = &ops->block;
    s->block.model = model;
    status = CORD_OK;
    if (def->name) {
        s->name = cord__copy_string(&w->memory, def->name);
        if (!s->name) status = CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK) set_load(s, def->load);
    if (status == CORD_OK)
        status = cord__slots_add(&w->strands, &w->memory, s, &out->index, &out->generation);
    if (status != CORD_OK) {
        cord__object_free(w, s);
        return cord__fail(w, status, "out of memory for a strand");
    }
    s->slot = (int)out->index - 1;
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord_world_add_strand(cord_world *w, const cord_strand_def *def, cord_strand *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_strand){0};
    const char *model = def->model ? def->model : CORD_MODEL_DER;
    const strand_ops *ops = cord__strand_find(model);
    if (!ops) {
        char hint[64];
        nearest best = cord__nearest_of(model, cord_model_names());
        return cord__fail(w, CORD_ERROR_UNKNOWN_NAME, "no strand model '%s'%s", model,
                          cord__nearest_hint(&best, hint, sizeof hint));
    }
    long_call call;
    cord__begin_long_call(w, &call);
    cord_status status = cord__world_add_strand(w, ops, def, out);
    if (status == CORD_OK) cord__cancel_end(&call.own, call.before);
    return status == CORD_OK ? status : cord__end_long_call(w, &call, "adding a strand", status);
}

cord_status cord_world_remove_strand(cord_world *w, cord_strand handle)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    if (s->fragment_of > 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s' is a fragment: remove the strand that it broke from",
                          s->name ? s->name : "");
    for (int i = 0; s->breakage && i < w->strands.count; i++) {
        strand *t = w->strands.item[i];
        if (t && t->fragment_of == s->slot + 1) cord__remove_object(w, t);
    }
    cord__remove_object(w, s);
    return CORD_OK;
}
