/* Making worlds and what is in them. */
#include "world/world.h"

#include "math/rotation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *cord_version(void)
{
    return CORD_VERSION;
}

const char *cord_status_text(cord_status status)
{
    switch (status) {
#define STATUS_TEXT(name, value, text)                                                             \
    case CORD_##name: return text;
        CORD_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

cord_status cord__fail(cord_world *w, cord_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->error, sizeof w->error, format, arguments);
    va_end(arguments);
    return status;
}

const char *cord__strand_label(const cord_world *w, int block_index, char *buffer, size_t size)
{
    const strand *s = cord__strand_of(w->problem.block[block_index]);
    if (s->name)
        snprintf(buffer, size, "strand '%s'", s->name);
    else
        snprintf(buffer, size, "strand %d", block_index);
    return buffer;
}

static bool finite3(const double *x)
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* ---- the world ------------------------------------------------------------------------------- */

cord_world_def cord_world_def_default(void)
{
    return (cord_world_def){.gravity = {0, 0, -9.81},
                            .tolerance = 1e-8,
                            .length_tolerance = 1e-6,
                            .max_iterations = 25,
                            .max_halvings = 12};
}

static bool valid_def(const cord_world_def *d)
{
    return finite3(d->gravity) && d->tolerance > 0 && isfinite(d->tolerance) &&
           d->length_tolerance > 0 && isfinite(d->length_tolerance) && d->max_iterations > 0 &&
           d->max_halvings >= 0 && d->max_halvings <= 60 && d->threads >= 0 &&
           d->integrator >= CORD_IMPLICIT && d->integrator <= CORD_MIDPOINT &&
           d->scheme >= CORD_TR_BDF2 && d->scheme <= CORD_LINEARISED;
}

cord_status cord_world_create(const cord_world_def *def, cord_world **world)
{
    if (!world) return CORD_ERROR_ARGUMENT;
    *world = NULL;
    cord_world_def fallback = cord_world_def_default();
    if (!def) def = &fallback;
    if (!valid_def(def)) return CORD_ERROR_ARGUMENT;
    memory m;
    cord__memory_init(&m, &def->allocator);
    cord_world *w = NEW(&m, cord_world, 1);
    if (!w) return CORD_ERROR_MEMORY;
    w->memory = m;
    w->def = *def;
    memcpy(w->problem.around.gravity, def->gravity, sizeof def->gravity);
    w->layout_stale = w->partition_stale = w->start_stale = true;
    *world = w;
    return CORD_OK;
}

void cord__strand_free(cord_world *w, strand *s)
{
    memory *m = &w->memory;
    block *b = &s->block;
    if (b->model) b->ops->destroy(b->model, m);
    void *pieces[] = {b->fixed, b->stiffness, b->instant, b->position, b->scale,
                      b->mass,  b->band,      b->cliques, s->name,     s};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) cord__release(m, pieces[i]);
}

void cord__point_free(cord_world *w, point *p)
{
    cord__keys_free(&p->motion, &w->memory);
    cord__keys_free(&p->rotation, &w->memory);
    cord__release(&w->memory, p);
}

void cord__relation_free(cord_world *w, relation *r)
{
    memory *m = &w->memory;
    cord__keys_free(&r->drive, m);
    void *pieces[] = {r->column, r->unknown, r->B, r->K, r->jets, r->name, r};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) cord__release(m, pieces[i]);
}

void cord__load_free(cord_world *w, load *l)
{
    cord__keys_free(&l->keys, &w->memory);
    cord__release(&w->memory, l);
}

void cord_world_destroy(cord_world *w)
{
    if (!w) return;
    cord__layout_free(w);
    for (int i = 0; i < w->strands.count; i++)
        if (w->strands.item[i]) cord__strand_free(w, w->strands.item[i]);
    for (int i = 0; i < w->points.count; i++)
        if (w->points.item[i]) cord__point_free(w, w->points.item[i]);
    for (int i = 0; i < w->relations.count; i++)
        if (w->relations.item[i]) cord__relation_free(w, w->relations.item[i]);
    for (int i = 0; i < w->loads.count; i++)
        if (w->loads.item[i]) cord__load_free(w, w->loads.item[i]);
    const slots *all[] = {&w->strands, &w->points, &w->relations, &w->loads};
    for (int i = 0; i < 4; i++) {
        cord__release(&w->memory, all[i]->item);
        cord__release(&w->memory, all[i]->generation);
    }
    cord__wind_free(&w->wind, &w->memory);
    memory m = w->memory;
    cord__release(&m, w);
}

const char *cord_world_error(const cord_world *w)
{
    return w ? w->error : "no world";
}

double cord_world_time(const cord_world *w)
{
    return w ? w->problem.now.time : 0;
}

cord_status cord_world_set_gravity(cord_world *w, const double gravity[3])
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!gravity)
        return cord__fail((cord_world *)w, CORD_ERROR_ARGUMENT,
                          "an argument is NULL or out of range");
    if (!finite3(gravity)) return cord__fail(w, CORD_ERROR_ARGUMENT, "gravity is not finite");
    memcpy(w->problem.around.gravity, gravity, sizeof w->def.gravity);
    w->start_stale = true;
    return CORD_OK;
}

/* ---- strands ---------------------------------------------------------------------------------- */

cord_strand_def cord_strand_def_default(void)
{
    return (cord_strand_def){.model = CORD_MODEL_DER,
                             .material = {.density = 1150, .young = 2.7e9, .poisson = 0.39},
                             .section = {.kind = CORD_SECTION_CIRCLE, .radius = 2e-3}};
}

strand *cord__get_strand(const cord_world *w, cord_strand handle)
{
    if (!w) return NULL;
    strand *s = cord__slots_get(&w->strands, handle.index, handle.generation);
    if (!s)
        cord__fail((cord_world *)w, CORD_ERROR_HANDLE,
                   "the strand handle is null, stale or foreign");
    return s;
}

cord_status cord__world_add_strand(cord_world *w, const strand_ops *ops, const cord_strand_def *def,
                                   cord_strand *out)
{
    char why[256] = "";
    void *model = NULL;
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
    if (status == CORD_OK)
        status = cord__slots_add(&w->strands, &w->memory, s, &out->index, &out->generation);
    if (status != CORD_OK) {
        cord__strand_free(w, s);
        return cord__fail(w, status, "out of memory for a strand");
    }
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

/* Levenshtein's distance, for short names. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    int row[LONGEST + 1], n = (int)strlen(b);
    if (n > LONGEST) return LONGEST;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

static const char *nearest_name(const char *wanted, const char *const *names)
{
    const char *best = names[0];
    for (int i = 1; names[i]; i++)
        if (edit_distance(wanted, names[i]) < edit_distance(wanted, best)) best = names[i];
    return best;
}

cord_status cord_world_add_strand(cord_world *w, const cord_strand_def *def, cord_strand *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_strand){0};
    const char *model = def->model ? def->model : CORD_MODEL_DER;
    const strand_ops *ops = cord__strand_find(model);
    if (!ops)
        return cord__fail(w, CORD_ERROR_UNKNOWN_NAME, "no strand model '%s'; did you mean '%s'?",
                          model, nearest_name(model, cord_model_names()));
    return cord__world_add_strand(w, ops, def, out);
}

static void remove_relations_on(cord_world *w, int slot)
{
    for (int i = 0; i < w->relations.count; i++) {
        relation *r = w->relations.item[i];
        if (!r || (r->point[0] != slot && r->point[1] != slot)) continue;
        cord__relation_free(w, r);
        cord__slots_remove(&w->relations, (uint32_t)i + 1);
    }
    for (int i = 0; i < w->loads.count; i++) {
        load *l = w->loads.item[i];
        if (!l || l->point != slot) continue;
        cord__load_free(w, l);
        cord__slots_remove(&w->loads, (uint32_t)i + 1);
    }
}

cord_status cord_world_remove_strand(cord_world *w, cord_strand handle)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    for (int i = 0; i < w->points.count; i++) {
        point *p = w->points.item[i];
        if (!p || p->owner != (int)handle.index - 1) continue;
        remove_relations_on(w, i);
        cord__point_free(w, p);
        cord__slots_remove(&w->points, (uint32_t)i + 1);
    }
    cord__strand_free(w, s);
    cord__slots_remove(&w->strands, handle.index);
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

/* ---- points ----------------------------------------------------------------------------------- */

cord_point_def cord_point_def_default(void)
{
    return (cord_point_def){.frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

point *cord__get_point(const cord_world *w, cord_point handle)
{
    if (!w) return NULL;
    point *p = cord__slots_get(&w->points, handle.index, handle.generation);
    if (!p)
        cord__fail((cord_world *)w, CORD_ERROR_HANDLE,
                   "the point handle is null, stale or foreign");
    return p;
}

static cord_status fill_world_point(cord_world *w, point *p, const cord_point_def *def)
{
    for (int k = 0; k < 9; k++)
        if (!isfinite(def->frame[k]))
            return cord__fail(w, CORD_ERROR_ARGUMENT, "a frame is not finite");
    if (!finite3(def->position))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a position is not finite");
    v3_copy(p->position, def->position);
    memcpy(p->orientation, def->frame, sizeof p->orientation);
    if (v3_norm(p->orientation) == 0 || v3_norm(p->orientation + 3) == 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a frame has a zero axis");
    cord__rotation_orthonormalise(p->orientation);
    if (!isfinite(p->orientation[3]))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a frame's axes are parallel");
    cord_status status = cord__keys_copy(&p->motion, &w->memory, &def->motion, 3);
    if (status != CORD_OK)
        return cord__fail(w, status, "motion: keys must be finite, times ascending");
    status = cord__keys_copy(&p->rotation, &w->memory, &def->rotation, 3);
    if (status != CORD_OK)
        return cord__fail(w, status, "rotation: keys must be finite, times ascending");
    return CORD_OK;
}

static cord_status fill_strand_point(cord_world *w, point *p, const cord_point_def *def)
{
    strand *s = cord__get_strand(w, def->strand);
    if (!s) return CORD_ERROR_HANDLE;
    cord_status status = cord__world_layout(w);
    if (status != CORD_OK) return status;
    cord_strand_info info;
    s->ops->info(s->block.model, &info);
    /* A hair beyond the end, as rounding makes it, is the end. */
    double slack = 1e-9 * info.length;
    if (!(def->s >= -slack && def->s <= info.length + slack))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "s = %g m is not on the strand, which has %g m",
                          def->s, info.length);
    p->s = fmin(fmax(def->s, 0), info.length);
    p->block = s->index;
    p->owner = (int)def->strand.index - 1;
    status = s->ops->block.attach(s->block.model, &w->memory, MEASURE_PLACE, p->s, &p->place);
    return status == CORD_OK ? status : cord__fail(w, status, "%s", cord_status_text(status));
}

cord_status cord_world_add_point(cord_world *w, const cord_point_def *def, cord_point *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_point){0};
    if (def->source != CORD_SOURCE_WORLD && def->source != CORD_SOURCE_STRAND)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "unknown source of a point");
    point *p = NEW(&w->memory, point, 1);
    if (!p) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a point");
    p->source = def->source;
    p->block = p->owner = -1;
    cord_status status = def->source == CORD_SOURCE_WORLD ? fill_world_point(w, p, def)
                                                          : fill_strand_point(w, p, def);
    if (status == CORD_OK) {
        status = cord__slots_add(&w->points, &w->memory, p, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for a point");
    }
    if (status != CORD_OK) {
        cord__point_free(w, p);
        return status;
    }
    w->layout_stale = w->partition_stale = true; /* the problem's list of points is longer */
    return CORD_OK;
}

cord_status cord_world_remove_point(cord_world *w, cord_point handle)
{
    point *p = cord__get_point(w, handle);
    if (!p) return w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    remove_relations_on(w, (int)handle.index - 1);
    cord__point_free(w, p);
    cord__slots_remove(&w->points, handle.index);
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord_point_move(cord_world *w, cord_point handle, const double position[3],
                            const double frame[9])
{
    point *p = cord__get_point(w, handle);
    if (!p) return w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    if (p->block >= 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "only points in the world can be moved by hand");
    pose now;
    cord__point_scripted(p, w->problem.now.time, &now);
    cord_point_def def = cord_point_def_default();
    memcpy(def.position, position ? position : now.place, sizeof def.position);
    memcpy(def.frame, frame ? frame : now.frame, sizeof def.frame);
    point moved = {.source = p->source, .block = -1, .owner = -1};
    cord_status status = fill_world_point(w, &moved, &def);
    if (status != CORD_OK) return status;
    cord__keys_free(&p->motion, &w->memory);
    cord__keys_free(&p->rotation, &w->memory);
    *p = moved;
    return CORD_OK;
}

/* ---- relations -------------------------------------------------------------------------------- */

cord_relation_def cord_relation_def_default(void)
{
    return (cord_relation_def){.kind = CORD_COINCIDE, .direction = {0, 0, 1}, .length = -1};
}

static cord_status check_relation(cord_world *w, const cord_relation_def *def,
                                  const relation_ops *ops, const point *first, const point *second)
{
    if (first->block < 0 && (!second || second->block < 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: neither point is on something that moves",
                          ops->name);
    if (!(def->compliance >= 0 && isfinite(def->compliance)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: compliance is %g; it must be at least 0",
                          ops->name, def->compliance);
    if (!(def->damping >= 0 && isfinite(def->damping)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: damping is %g; it must be at least 0",
                          ops->name, def->damping);
    if (def->damping > 0 && def->compliance == 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: damping needs a compliance", ops->name);
    if (def->side < CORD_EQUAL || def->side > CORD_AT_MOST ||
        (def->side != CORD_EQUAL && !ops->one_sided))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "%s cannot be one-sided", ops->name);
    if (!finite3(def->direction) || !(v3_norm(def->direction) > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: the direction must not be zero", ops->name);
    return CORD_OK;
}

/* What a relation needs of a point: a place is always attached, a frame when first asked for. */
static cord_status attach_frame(cord_world *w, point *p, int needs)
{
    if (p->block < 0 || !(needs & NEEDS_FRAME) || p->frame_attached) return CORD_OK;
    block *b = w->problem.block[p->block];
    cord_status status = b->ops->attach(b->model, &w->memory, MEASURE_FRAME, p->s, &p->frame);
    if (status != CORD_OK) return cord__fail(w, status, "%s", cord_status_text(status));
    p->frame_attached = true;
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

static cord_status fill_relation(cord_world *w, relation *r, const cord_relation_def *def,
                                 point *first, point *second)
{
    cord_status status = attach_frame(w, first, r->ops->needs[0]);
    if (status == CORD_OK && second) status = attach_frame(w, second, r->ops->needs[1]);
    if (status == CORD_OK) status = cord__world_layout(w);
    if (status != CORD_OK) return status;
    v3_normalize(r->params.direction, def->direction);
    v3_any_normal(r->params.across[0], r->params.direction);
    v3_cross(r->params.across[1], r->params.direction, r->params.across[0]);
    status = cord__keys_copy(&r->drive, &w->memory, &def->drive, r->ops->rows);
    if (status != CORD_OK)
        return cord__fail(w, status, "drive: keys must be finite, times ascending");
    if (def->name) {
        r->name = cord__copy_string(&w->memory, def->name);
        if (!r->name) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a relation");
    }
    if (!r->ops->complete) return CORD_OK;
    pose poses[2];
    char why[256] = "";
    cord__refresh_all(w);
    for (int side = 0; side < 2; side++)
        cord__pose(&w->problem, r->point[side], r->ops->needs[side], w->problem.now.q,
                   w->problem.cache, w->problem.now.time, poses + side);
    status = r->ops->complete(&r->params, def, poses, poses + 1, why, sizeof why);
    return status == CORD_OK ? status : cord__fail(w, status, "%s", why);
}

cord_status cord_world_add_relation(cord_world *w, const cord_relation_def *def, cord_relation *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_relation){0};
    const char *kind = def->kind ? def->kind : "";
    const relation_ops *ops = cord__relation_find(kind);
    if (!ops)
        return cord__fail(w, CORD_ERROR_UNKNOWN_NAME, "no relation '%s'; did you mean '%s'?", kind,
                          nearest_name(kind, cord_relation_names()));
    point *first = cord__get_point(w, def->first), *second = NULL;
    if (!first) return CORD_ERROR_HANDLE;
    if (def->second.index != 0) {
        second = cord__get_point(w, def->second);
        if (!second) return CORD_ERROR_HANDLE;
    }
    cord_status status = check_relation(w, def, ops, first, second);
    if (status == CORD_OK) status = cord__world_layout(w);
    if (status != CORD_OK) return status;
    relation *r = NEW(&w->memory, relation, 1);
    if (!r) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a relation");
    r->ops = ops;
    r->point[0] = (int)def->first.index - 1;
    r->point[1] = second ? (int)def->second.index - 1 : -1;
    r->compliance = def->compliance;
    r->damping = def->damping;
    r->side = def->side;
    r->l0 = -1;
    status = fill_relation(w, r, def, first, second);
    if (status == CORD_OK) {
        status = cord__slots_add(&w->relations, &w->memory, r, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for a relation");
    }
    if (status != CORD_OK) {
        cord__relation_free(w, r);
        return status;
    }
    w->layout_stale = w->partition_stale = true; /* it has multipliers */
    return CORD_OK;
}

cord_status cord_world_remove_relation(cord_world *w, cord_relation handle)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    relation *r = cord__slots_get(&w->relations, handle.index, handle.generation);
    if (!r)
        return cord__fail(w, CORD_ERROR_HANDLE, "the relation handle is null, stale or foreign");
    cord__relation_free(w, r);
    cord__slots_remove(&w->relations, handle.index);
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord_world_clamp(cord_world *w, cord_strand strand_handle, double s,
                             const cord_point_def *script, cord_point *clamp,
                             cord_relation *coincide, cord_relation *align)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    cord_point_def on = cord_point_def_default(), at = cord_point_def_default();
    cord_relation_def def = cord_relation_def_default();
    cord_point carried, world_point = {0};
    cord_relation made[2] = {{0, 0}, {0, 0}};
    on.source = CORD_SOURCE_STRAND;
    on.strand = strand_handle;
    on.s = s;
    cord_status status = cord_world_add_point(w, &on, &carried);
    if (status != CORD_OK) return status;
    status = cord_point_place(w, carried, at.position, at.frame);
    if (status == CORD_OK) {
        if (script) at.motion = script->motion, at.rotation = script->rotation;
        status = cord_world_add_point(w, &at, &world_point);
    }
    def.first = carried;
    def.second = world_point;
    memcpy(def.relative, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof def.relative);
    for (int i = 0; i < 2 && status == CORD_OK; i++) {
        def.kind = i == 0 ? CORD_COINCIDE : CORD_ALIGN;
        status = cord_world_add_relation(w, &def, made + i);
    }
    if (status != CORD_OK) { /* removing the points removes what was made on them */
        char why[sizeof w->error];
        memcpy(why, w->error, sizeof why);
        cord_world_remove_point(w, carried);
        if (world_point.index) cord_world_remove_point(w, world_point);
        memcpy(w->error, why, sizeof why);
        return status;
    }
    if (clamp) *clamp = world_point;
    if (coincide) *coincide = made[0];
    if (align) *align = made[1];
    return CORD_OK;
}

/* ---- loads and wind --------------------------------------------------------------------------- */

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
    if (!finite3(def->force)) return cord__fail(w, CORD_ERROR_ARGUMENT, "a force is not finite");
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
    if (!finite3(force)) return cord__fail(w, CORD_ERROR_ARGUMENT, "a force is not finite");
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
