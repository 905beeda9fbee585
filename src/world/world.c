/* Creating and destroying worlds and their objects; messages. */
#include "world/contacts.h"

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

cord_status cord__fail(const cord_world *w, cord_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->self->error, sizeof w->error, format, arguments);
    va_end(arguments);
    return status;
}

cord_status cord__enter(const cord_world *w)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (cord__callback_depth == 0) return CORD_OK;
    return cord__fail(w, CORD_ERROR_BUSY,
                      "a callback must not change a world or compute from its state; make the call "
                      "after the function that runs the callback has returned");
}

cord_status cord__refused(const cord_world *w)
{
    cord_status status = cord__enter(w);
    return status == CORD_OK ? CORD_ERROR_HANDLE : status;
}

void cord__begin_long_call(const cord_world *w, long_call *c)
{
    c->before = cord__cancel_begin(&c->own, &w->cancel);
}

cord_status cord__end_long_call(const cord_world *w, const long_call *c, const char *what,
                                cord_status status)
{
    if (!cord__cancel_end(&c->own, c->before)) return status;
    return cord__fail(w, CORD_ERROR_CANCELLED, "%s was cancelled at t = %.9g s", what,
                      w->problem.now.time);
}

cord_status cord_world_set_cancel(cord_world *w, bool (*cancelled)(void *user), void *user)
{
    cord_status status = cord__enter(w);
    if (status == CORD_OK) w->cancel = (cord_cancel){cancelled, user};
    return status;
}

const char *cord__object_label(const cord_world *w, int block_index, char *buffer, size_t size)
{
    const object *t = cord__object_of(w->problem.block[block_index]);
    static const char *const kinds[] = {"strand", "body", "sliding point"};
    int before = t->kind == OBJECT_STRAND ? 0 : w->strands.used;
    if (t->kind == OBJECT_SLIDER) before += w->bodies.used;
    if (t->name)
        snprintf(buffer, size, "%s '%s'", kinds[t->kind], t->name);
    else
        snprintf(buffer, size, "%s %d", kinds[t->kind], block_index - before);
    return buffer;
}

cord_world_def cord_world_def_default(void)
{
    return (cord_world_def){.gravity = {0, 0, -9.81},
                            .tolerance = 1e-7,
                            .length_tolerance = 1e-6,
                            .max_iterations = 25,
                            .batches = true,
                            .max_halvings = 12};
}

static bool valid_def(const cord_world_def *d)
{
    return v3_admissible(d->gravity) && d->tolerance > 0 && is_admissible(d->tolerance) &&
           d->length_tolerance > 0 && is_admissible(d->length_tolerance) && d->max_iterations > 0 &&
           d->max_velocity_change >= 0 && d->max_halvings >= 0 && d->max_halvings <= 60 &&
           d->threads >= 0 && (int)d->integrator >= 0 && (int)d->integrator < INTEGRATOR_COUNT &&
           (int)d->scheme >= 0 && (int)d->scheme < SCHEME_COUNT;
}

/* Of the multiples of 2³²/φ, any few are far apart (Fibonacci hashing): objects of two worlds have equal generations
 * only after millions of removals from one slot. */
static void number_generations(cord_world *w)
{
    static atomic_uint worlds;
    uint32_t first = atomic_fetch_add(&worlds, 1) * 2654435769u & ~1u;
    slots *all[] = {&w->strands, &w->bodies, &w->paths,    &w->points,
                    &w->terms,   &w->loads,  &w->obstacles};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) all[i]->first_generation = first;
}

cord_status cord_world_create(const cord_world_def *def, cord_world **world)
{
    if (!world) return CORD_ERROR_ARGUMENT;
    *world = NULL;
    if (cord__callback_depth > 0) return CORD_ERROR_BUSY;
    cord_world_def fallback = cord_world_def_default();
    if (!def) def = &fallback;
    if (!valid_def(def)) return CORD_ERROR_ARGUMENT;
    memory m;
    cord__memory_init(&m, &def->allocator);
    cord_world *w = NEW(&m, cord_world, 1);
    if (!w) return CORD_ERROR_MEMORY;
    w->self = w;
    w->memory = m;
    w->def = *def;
    memcpy(w->problem.gravity.constant, def->gravity, sizeof def->gravity);
    memcpy(w->problem.environment.gravity, def->gravity, sizeof def->gravity);
    w->layout_stale = w->partition_stale = true;
    cord__invalidate_start(w);
    number_generations(w);
    *world = w;
    return CORD_OK;
}

void cord__object_free(cord_world *w, object *s)
{
    memory *m = &w->memory;
    block *b = &s->block;
    if (b->model) b->ops->destroy(b->model, m);
    cord__schedule_free(b->schedule, m);
    cord__growth_free(b->growth, m);
    cord__forget_event(w, s);
    cord__breakage_free(w, s);
    cord__mesh_destroy(m, s->mesh);
    void *elements[] = {b->storage, b->shared, s->along, s->name, s};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) cord__release(m, elements[i]);
}

void cord__point_free(cord_world *w, point *p)
{
    cord__keyframes_free(&p->motion, &w->memory);
    cord__keyframes_free(&p->rotation, &w->memory);
    if (p->slider >= 0 && w->sliders.item[p->slider]) {
        cord__object_free(w, w->sliders.item[p->slider]);
        cord__slots_remove(&w->sliders, (uint32_t)p->slider + 1);
        w->layout_stale = w->partition_stale = true;
    }
    cord__release(&w->memory, p);
}

void cord_world_destroy(cord_world *w)
{
    if (!w || cord__callback_depth > 0) return;
    cord__layout_free(w);
    for (int i = 0; i < w->strands.count; i++)
        if (w->strands.item[i]) cord__object_free(w, w->strands.item[i]);
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.item[i]) cord__object_free(w, w->bodies.item[i]);
    for (int i = 0; i < w->points.count; i++) /* with their sliders */
        if (w->points.item[i]) cord__point_free(w, w->points.item[i]);
    for (int i = 0; i < w->paths.count; i++)
        if (w->paths.item[i]) cord__path_release(w, w->paths.item[i]);
    for (int i = 0; i < w->terms.count; i++)
        if (w->terms.item[i]) cord__term_free(w, w->terms.item[i]);
    for (int i = 0; i < w->loads.count; i++)
        if (w->loads.item[i]) cord__term_free(w, w->loads.item[i]);
    for (int i = 0; i < w->obstacles.count; i++)
        if (w->obstacles.item[i]) cord__obstacle_free(w, w->obstacles.item[i]);
    cord__contacts_free(w);
    slots *all[] = {&w->strands, &w->bodies, &w->sliders, &w->paths,
                    &w->points,  &w->terms,  &w->loads,   &w->obstacles};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) cord__slots_free(all[i], &w->memory);
    cord__release(&w->memory, w->user_state);
    cord__wind_free(&w->wind, &w->memory);
    cord__keyframes_free(&w->problem.gravity.keys, &w->memory);
    memory m = w->memory;
    cord__release(&m, w);
}

const char *cord_world_get_error(const cord_world *w)
{
    return w ? w->error : "no world";
}

double cord_world_get_time(const cord_world *w)
{
    return w ? w->problem.now.time : 0;
}

cord_status cord_world_set_gravity(cord_world *w, const double gravity[3])
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!gravity || !v3_admissible(gravity))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "gravity is NULL or not finite");
    memcpy(w->problem.gravity.constant, gravity, sizeof w->problem.gravity.constant);
    cord__update_schedules(w);
    cord__invalidate_accelerations(w);
    return CORD_OK;
}
