/* Parameters of strands, and gravity, that change while a world moves: by hand and by functions of time. */
#include "world/world.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* ---- values at the present time ------------------------------------------------------------------ */

void cord__update_schedules(cord_world *w)
{
    problem *p = &w->problem;
    const double now = p->now.time;
    cord__gravity(p, now, p->environment.gravity);
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        if (!s || !s->block.schedule) continue;
        cord__set_block_parameters(&s->block, now, now);
        w->revision++;
    }
}

void cord__reset_schedules(cord_world *w)
{
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        const schedule *of = s ? s->block.schedule : NULL;
        if (!of || !of->prepared) continue;
        strand_parameters p = of->now;
        p.length = 1;
        for (int k = 0; k < STIFFNESS_FACTORS; k++) p.stiffness[k] = 1;
        s->block.ops->parameters->set(s->block.model, &p);
    }
}

bool cord__is_scheduled(const cord_world *w)
{
    if (w->problem.gravity.keys.count > 1) return true;
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        if (s && s->block.schedule && cord__schedule_varies(s->block.schedule)) return true;
    }
    return false;
}

/* After a change by the user. Blocks store their stiffness, and clusters which unknowns are determined. */
static cord_status changed(cord_world *w)
{
    w->layout_stale = w->partition_stale = true;
    cord__update_schedules(w);
    cord__invalidate_start(w);
    return CORD_OK;
}

cord_status cord__need_schedule(cord_world *w, strand *s)
{
    if (s->block.schedule) return CORD_OK;
    schedule *made = NEW(&w->memory, schedule, 1);
    if (!made) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a schedule");
    cord_strand_info info = {0};
    s->ops->info(s->block.model, &info);
    made->length_factor = 1;
    for (int i = 0; i < STIFFNESS_FACTORS; i++) made->stiffness_factor[i] = 1;
    made->load_scale = info.length / info.mass;
    made->defined_length = info.length;
    cord__schedule_at(made, 0, 0, &made->now);
    s->block.schedule = made;
    return CORD_OK;
}

/* Makes the model keep its definition. */
static cord_status prepare(cord_world *w, strand *s)
{
    const parameter_ops *ops = s->block.ops->parameters;
    if (!ops)
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "model '%s' has a constant natural curvature, length and stiffness; der, spline and "
            "chains can change theirs, and a drum changes the length of a cable between its ends",
            s->ops->block.name);
    if (s->block.growth)
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "strand '%s' grows: its natural curvature and its length are those of its "
            "growth, and its stiffness is constant",
            s->name ? s->name : "");
    if (s->breakage || s->fragment_of > 0)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s' may break or has broken: its natural curvature, length and "
                          "stiffness cannot change",
                          s->name ? s->name : "");
    cord_status status = cord__need_schedule(w, s);
    if (status != CORD_OK) return status;
    status = ops->prepare(s->block.model, &w->memory);
    if (status != CORD_OK) return cord__fail(w, status, "out of memory for a schedule");
    s->block.schedule->prepared = true;
    return CORD_OK;
}

/* The coordinate of a sliding point is a length along the strand. */
static cord_status check_sliding(cord_world *w, const strand *s)
{
    for (const list_link *link = s->points; link; link = link->next)
        if (((const point *)link->item)->slider >= 0)
            return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                              "strand '%s': its length cannot change while a point slides on it",
                              s->name ? s->name : "");
    return CORD_OK;
}

/* ---- by hand -------------------------------------------------------------------------------------- */

static const double LEAST_FACTOR = 1e-6, LARGEST_FACTOR = 1e6;

static bool is_factor(double x)
{
    return x >= LEAST_FACTOR && x <= LARGEST_FACTOR;
}

cord_status cord_strand_set_natural_curvatures(cord_world *w, cord_strand handle, int count,
                                               const double *curvatures)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    if (count < 0 || count > CORD_MAX_CURVATURES || (count > 0 && !curvatures) ||
        !cord__in_range(curvatures, 3 * count))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "natural curvatures are NULL or not finite, or their number %d is not 0 "
                          "to %d",
                          count, CORD_MAX_CURVATURES);
    cord_status status = prepare(w, s);
    if (status != CORD_OK) return status;
    schedule *of = s->block.schedule;
    double *copy =
        count > 0 ? cord__copy(&w->memory, curvatures, 3 * (size_t)count, sizeof *copy) : NULL;
    if (count > 0 && !copy)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for natural curvatures");
    cord__release(&w->memory, of->natural_constant);
    of->natural_constant = copy, of->natural_count = count;
    return changed(w);
}

/* The natural length of the definition, m. */
static double defined_length(const strand *s)
{
    cord_strand_info info = {0};
    s->ops->info(s->block.model, &info);
    return s->block.schedule ? s->block.schedule->defined_length : info.length;
}

cord_status cord_strand_set_length(cord_world *w, cord_strand handle, double length)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    double defined = defined_length(s), factor = length / defined;
    if (!is_factor(factor))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "a natural length of %g m; it must be %g to %g times the length of the "
                          "definition, %g m",
                          length, LEAST_FACTOR, LARGEST_FACTOR, defined);
    cord_status status = check_sliding(w, s);
    if (status == CORD_OK) status = prepare(w, s);
    if (status != CORD_OK) return status;
    s->block.schedule->length_factor = factor;
    return changed(w);
}

cord_status cord_strand_set_stiffness(cord_world *w, cord_strand handle, const double factors[3])
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    for (int i = 0; i < STIFFNESS_FACTORS; i++)
        if (!factors || !is_factor(factors[i]))
            return cord__fail(w, CORD_ERROR_ARGUMENT,
                              "a factor of stiffness is NULL or not between %g and %g",
                              LEAST_FACTOR, LARGEST_FACTOR);
    cord_status status = prepare(w, s);
    if (status != CORD_OK) return status;
    memcpy(s->block.schedule->stiffness_factor, factors, STIFFNESS_FACTORS * sizeof *factors);
    return changed(w);
}

/* ---- functions of time ----------------------------------------------------------------------------- */

cord_schedule_def cord_schedule_def_default(void)
{
    return (cord_schedule_def){.natural_curvature_count = 1};
}

cord_status cord_world_set_gravity_keys(cord_world *w, const cord_keys *keys)
{
    keyframes copy;
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    cord_status status = cord__keyframes_copy(&copy, &w->memory, keys, 3);
    if (status != CORD_OK)
        return cord__fail(w, status, "gravity: keys must be finite, times ascending");
    cord__keyframes_free(&w->problem.gravity.keys, &w->memory);
    w->problem.gravity.keys = copy;
    cord__update_schedules(w);
    cord__invalidate_start(w);
    return CORD_OK;
}

static bool are_factors(const cord_keys *keys, int width)
{
    for (int i = 0; i < keys->count * width; i++)
        if (!is_factor(keys->values[i])) return false;
    return true;
}

static cord_status check_schedule(cord_world *w, const strand *s, const cord_schedule_def *def)
{
    if (def->natural_curvature.count > 0 &&
        (def->natural_curvature_count < 1 || def->natural_curvature_count > CORD_MAX_CURVATURES))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': a key has %d natural curvatures; it must be 1 to %d",
                          s->name ? s->name : "", def->natural_curvature_count,
                          CORD_MAX_CURVATURES);
    if (!are_factors(&def->length, 1) || !are_factors(&def->stiffness, STIFFNESS_FACTORS))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': keys of length and stiffness are factors, from %g to %g",
                          s->name ? s->name : "", LEAST_FACTOR, LARGEST_FACTOR);
    return def->length.count > 0 ? check_sliding(w, s) : CORD_OK;
}

/* Keys that are valid are copied to `to`, which is zeroed otherwise. */
static cord_status copy_keys(cord_world *w, const cord_schedule_def *def, schedule *to)
{
    memory *m = &w->memory;
    int width = 3 * def->natural_curvature_count;
    cord_status status = cord__keyframes_copy(&to->load, m, &def->load, 3);
    if (status == CORD_OK) status = cord__keyframes_copy(&to->length, m, &def->length, 1);
    if (status == CORD_OK)
        status = cord__keyframes_copy(&to->stiffness, m, &def->stiffness, STIFFNESS_FACTORS);
    if (status == CORD_OK && def->natural_curvature.count > 0) {
        status = cord__keyframes_copy(&to->natural, m, &def->natural_curvature, width);
        if (status == CORD_OK && !(to->natural_keyed = NEW(m, double, width)))
            status = CORD_ERROR_MEMORY;
    }
    if (status != CORD_OK) cord__fail(w, status, "keys must be finite, times ascending");
    return status;
}

static void free_keys(cord_world *w, schedule *of)
{
    memory *m = &w->memory;
    cord__keyframes_free(&of->load, m);
    cord__keyframes_free(&of->length, m);
    cord__keyframes_free(&of->stiffness, m);
    cord__keyframes_free(&of->natural, m);
    cord__release(m, of->natural_keyed);
    of->natural_keyed = NULL;
}

cord_status cord_strand_set_schedule(cord_world *w, cord_strand handle,
                                     const cord_schedule_def *def)
{
    const cord_schedule_def none = cord_schedule_def_default();
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    if (!def) def = &none;
    schedule made = {0};
    cord_status status = copy_keys(w, def, &made);
    if (status == CORD_OK) status = check_schedule(w, s, def);
    bool parameters = made.natural.count + made.length.count + made.stiffness.count > 0;
    if (status == CORD_OK) status = parameters ? prepare(w, s) : cord__need_schedule(w, s);
    if (status != CORD_OK) {
        free_keys(w, &made);
        return status;
    }
    schedule *of = s->block.schedule;
    free_keys(w, of);
    of->load = made.load, of->length = made.length, of->stiffness = made.stiffness;
    of->natural = made.natural, of->natural_keyed = made.natural_keyed;
    return changed(w);
}

/* ---- checkpoints: the constants of every strand ------------------------------------------------------ */

typedef struct constants {
    double load_acceleration[3], length, stiffness[STIFFNESS_FACTORS];
    int64_t natural_count; /* as many times three doubles follow */
} constants;

static constants constants_of(const strand *s)
{
    constants c = {.length = 1, .stiffness = {1, 1, 1}};
    const schedule *of = s->block.schedule;
    v3_copy(c.load_acceleration, s->block.load_acceleration);
    if (!of) return c;
    c.length = of->length_factor;
    memcpy(c.stiffness, of->stiffness_factor, sizeof c.stiffness);
    c.natural_count = of->natural_count;
    return c;
}

size_t cord__schedules_size(const cord_world *w)
{
    size_t size = 0;
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        if (s)
            size += sizeof(constants) + 3 * sizeof(double) * (size_t)constants_of(s).natural_count;
    }
    return size;
}

void cord__schedules_write(const cord_world *w, char *to)
{
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        if (!s) continue;
        const constants c = constants_of(s);
        size_t size = 3 * sizeof(double) * (size_t)c.natural_count;
        memcpy(to, &c, sizeof c);
        to += sizeof c;
        if (size > 0) memcpy(to, s->block.schedule->natural_constant, size);
        to += size;
    }
}

/* The constants of the next strand, and its natural curvatures; false: the bytes have no such values. */
static bool read_next(const char **from, size_t *left, constants *c, const char **natural)
{
    if (*left < sizeof *c) return false;
    memcpy(c, *from, sizeof *c);
    *from += sizeof *c, *left -= sizeof *c;
    if (c->natural_count < 0 || c->natural_count > CORD_MAX_CURVATURES) return false;
    size_t size = 3 * sizeof(double) * (size_t)c->natural_count;
    if (*left < size) return false;
    *natural = *from;
    *from += size, *left -= size;
    return is_factor(c->length);
}

/* Memory for the values; nothing else changes. */
static cord_status reserve(cord_world *w, strand *s, const constants *c)
{
    const constants own = constants_of(s);
    if (memcmp(own.stiffness, c->stiffness, sizeof own.stiffness) != 0 || own.length != c->length ||
        c->natural_count > 0) {
        cord_status status = prepare(w, s);
        if (status != CORD_OK) return status;
    }
    schedule *of = s->block.schedule;
    if (c->natural_count <= own.natural_count) return CORD_OK;
    double *more = cord__reallocate(&w->memory, of->natural_constant, 3 * (size_t)c->natural_count,
                                    sizeof *more);
    if (!more) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for natural curvatures");
    of->natural_constant = more;
    return CORD_OK;
}

cord_status cord__schedules_reserve(cord_world *w, const char *from, size_t size)
{
    for (int i = 0; i < w->strands.count; i++) {
        constants c;
        const char *natural;
        if (!w->strands.item[i]) continue;
        if (!read_next(&from, &size, &c, &natural)) return CORD_ERROR_ARGUMENT;
        cord_status status = reserve(w, w->strands.item[i], &c);
        if (status != CORD_OK) return status;
    }
    return size == 0 ? CORD_OK : CORD_ERROR_ARGUMENT;
}

void cord__schedules_read(cord_world *w, const char *from, size_t size)
{
    for (int i = 0; i < w->strands.count; i++) {
        strand *s = w->strands.item[i];
        constants c;
        const char *natural;
        if (!s || !read_next(&from, &size, &c, &natural)) continue;
        schedule *of = s->block.schedule;
        v3_copy(s->block.load_acceleration, c.load_acceleration);
        if (!of) continue;
        w->elements_stale = true; /* clusters know which unknowns are determined */
        of->length_factor = c.length;
        memcpy(of->stiffness_factor, c.stiffness, sizeof c.stiffness);
        of->natural_count = (int)c.natural_count;
        if (c.natural_count > 0)
            memcpy(of->natural_constant, natural, 3 * sizeof(double) * (size_t)c.natural_count);
    }
}
