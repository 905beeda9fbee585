/* Strands that grow at their end (growth_ops): after every step the last element of a strand becomes longer by the growth
 * in that step. Before the next step it is divided if it has twice the length of the definition. Material that exists is
 * neither moved nor accelerated by it. Then the accelerations of its cluster are found again. */
#include "world/event.h"

#include "math/vec3.h"

#include <math.h>

/* Of an element: lengths that differ by less are equal. */
static const double ROUNDING = 1e-9;

enum { MOST_ELEMENTS = 100000 };

bool cord__is_growing(const cord_world *w)
{
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        if (s && s->block.growth && s->block.growth->rate.count > 0) return true;
    }
    return false;
}

void cord__set_growth_time(cord_world *w)
{
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        if (s && s->block.growth) s->block.growth->time = w->problem.now.time;
    }
}

static double length_of(const strand *s)
{
    cord_strand_info info = {0};
    s->ops->info(s->block.model, &info);
    return info.length;
}

/* ---- the event ----------------------------------------------------------------------------------- */

/* How far every strand has to grow; whether there is one that does. */
static bool begin(cord_world *w)
{
    const double now = w->problem.now.time;
    bool any = false;
    for (int i = 0; i < w->strands.count; i++) {
        const strand *s = w->strands.item[i];
        strand_growth *g = s ? s->block.growth : NULL;
        if (!g) continue;
        double room = g->until - length_of(s);
        if (room < ROUNDING * g->element) room = 0;
        g->left = fmin(cord__growth_until(g, now), room);
        g->grew = g->left > 0;
        g->time = now;
        any = any || g->grew;
    }
    return any;
}

static void lengthen(cord_world *w, strand *s, double by)
{
    problem *p = &w->problem;
    const block *b = &s->block;
    const double before = length_of(s);
    double *q = p->now.q + b->q0, *v = p->now.v + b->v0;
    b->ops->growth->lengthen(b->model, by, q, v);
    b->ops->growth->set_natural(b->model, b->growth);
    cord__follow_end(s, before, length_of(s));
    cord__attach_again(w, s, q);
    w->revision++;
    cord__refresh_object(w, s);
    if (b->ops->set_dependent_dofs) b->ops->set_dependent_dofs(b->model, p->cache + b->cache0, v);
    cord__update_children(w, s);
}

/* Multipliers of the divided element are those of both halves, until the next ones are found. NULL: no memory for them;
 * they are zero until then. */
static double *divided_multipliers(cord_world *w, const block *b, const void *successor)
{
    block_shape shape;
    b->ops->describe(successor, &shape);
    double *lambda = NEW(&w->memory, double, shape.rows);
    const int more = shape.rows - b->shape.rows;
    for (int i = 0; lambda && i < shape.rows; i++)
        lambda[i] = w->problem.now.lambda[b->l0 + (i < b->shape.rows ? i : i - more)];
    return lambda;
}

static cord_status divide(cord_world *w, strand *s)
{
    const problem *p = &w->problem;
    const block *b = &s->block;
    void *successor = NULL;
    cord__refresh_object(w, s);
    cord_status status =
        b->ops->growth->divide(b->model, b->growth, p->now.q + b->q0, p->cache + b->cache0,
                               p->now.v + b->v0, &w->memory, &successor);
    if (status == CORD_OK) {
        b->ops->growth->set_natural(successor, b->growth);
        cord__forget_event(w, s);
        s->event.lambda = divided_multipliers(w, b, successor);
        status = cord__replace_model(w, s, successor);
    }
    if (status == CORD_OK) return status;
    return cord__fail(w, status, "strand '%s': out of memory for its growth",
                      s->name ? s->name : "");
}

/* The last element is divided before the next step; immediately where growth goes on by more than an element. */
static cord_status grow(cord_world *w, strand *s, bool *divided)
{
    const block *b = &s->block;
    strand_growth *g = b->growth;
    const double room = fmax(2 * g->element - b->ops->growth->last_element(b->model), 0);
    const bool far = g->left > room + g->element;
    const double by = far ? room : g->left;
    lengthen(w, s, by);
    g->left -= by;
    if (!far) return CORD_OK;
    *divided = true;
    return divide(w, s);
}

/* One pass: every strand up to its next division. */
static cord_status grow_all(cord_world *w, bool *divided)
{
    *divided = false;
    for (int i = 0; i < w->strands.count; i++) {
        strand *s = w->strands.item[i];
        if (!s || !s->block.growth || !(s->block.growth->left > 0)) continue;
        cord_status status = grow(w, s, divided);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

static void set_multipliers(cord_world *w)
{
    problem *p = &w->problem;
    for (int i = 0; i < w->strands.count; i++) {
        strand *s = w->strands.item[i];
        if (!s || !s->block.growth || !s->event.lambda) continue;
        for (int r = 0; r < s->block.shape.rows; r++)
            p->now.lambda[s->block.l0 + r] = s->event.lambda[r];
        cord__forget_event(w, s);
    }
}

static cord_status start_grown(problem *p, cluster *s, double h)
{
    bool grew = false;
    for (int k = 0; k < s->blocks; k++) {
        block *b = p->block[s->block[k]];
        if (!b->growth || !b->growth->grew) continue;
        cord__set_block_scales(b);
        grew = true;
    }
    if (!grew) return CORD_OK;
    cord__update_weights(p, s);
    return p->integrator->start(p, s, h);
}

/* Clusters without such strands go on as they were. */
static cord_status restart(cord_world *w)
{
    const double h = w->problem.requested_step;
    if (w->layout_stale || w->partition_stale || w->elements_stale || w->start_stale ||
        !w->problem.integrator->start) {
        cord__invalidate_start(w);
        return CORD_OK;
    }
    cord_status status = cord__each_cluster(w, start_grown, h);
    return status == CORD_OK ? CORD_OK : cord__report_islands(w, status, h);
}

static cord_status apply(cord_world *w, bool statics, bool *changed)
{
    (void)statics; /* time is constant then, and nothing grows */
    *changed = false;
    if (!begin(w)) return CORD_OK;
    for (bool divided = true; divided;) {
        if (cord__cancelled()) return CORD_ERROR_CANCELLED;
        cord_status status = grow_all(w, &divided);
        if (status == CORD_OK && divided) status = cord__lay_out_again(w);
        if (status != CORD_OK) return status;
        if (divided) set_multipliers(w);
        *changed = *changed || divided;
    }
    return restart(w);
}

cord_status cord__divide_grown(cord_world *w)
{
    bool any = false;
    for (int i = 0; i < w->strands.count; i++) {
        strand *s = w->strands.item[i];
        strand_growth *g = s ? s->block.growth : NULL;
        if (!g) continue;
        g->grew = s->block.ops->growth->last_element(s->block.model) >= (2 - ROUNDING) * g->element;
        cord_status status = g->grew ? divide(w, s) : CORD_OK;
        if (status != CORD_OK) return status;
        any = any || g->grew;
    }
    if (!any) return CORD_OK;
    cord_status status = cord__lay_out_again(w);
    if (status != CORD_OK) return status;
    set_multipliers(w);
    return restart(w);
}

const event_ops cord__event_growth = {.name = "growth", .apply = apply};

/* ---- the definition ------------------------------------------------------------------------------ */

cord_growth_def cord_growth_def_default(void)
{
    return (cord_growth_def){0};
}

static cord_status check_strand(cord_world *w, const strand *s)
{
    const char *name = s->name ? s->name : "";
    if (!s->block.ops->growth)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': model '%s' does not grow; der, helix and clothoid do", name,
                          s->ops->block.name);
    if (s->block.schedule && s->block.schedule->prepared)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': it cannot grow, since its natural curvature, length or "
                          "stiffness was set or has keys",
                          name);
    if (s->breakage || s->fragment_of > 0)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': it cannot grow, since it may break or has broken", name);
    for (const list_link *l = s->points; l; l = l->next)
        if (((const point *)l->item)->slider >= 0)
            return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                              "strand '%s': it cannot grow while a point slides on it", name);
    return CORD_OK;
}

static cord_status check_growth(cord_world *w, const strand *s, const cord_growth_def *def)
{
    const char *name = s->name ? s->name : "";
    const double length = length_of(s), last = s->block.ops->growth->last_element(s->block.model);
    for (int i = 0; def->rate.values && i < def->rate.count; i++)
        if (!(def->rate.values[i] >= 0))
            return cord__fail(w, CORD_ERROR_ARGUMENT,
                              "strand '%s': its rate of growth is %g m/s; it must be at least 0",
                              name, def->rate.values[i]);
    if (!(def->until >= length && is_admissible(def->until)))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': it grows until it has %g m, and has %g m already", name,
                          def->until, length);
    if (!(def->element_length == 0 || 2 * def->element_length > last) ||
        !is_admissible(def->element_length))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': the element length of its growth is %g m; it must be above "
                          "half of its last element, %g m",
                          name, def->element_length, 0.5 * last);
    const double elements = def->until / (def->element_length > 0 ? def->element_length : last);
    if (!(elements <= MOST_ELEMENTS))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': it would grow to %.3g elements; at most %d are possible: "
                          "choose a longer element or a smaller final length",
                          name, elements, MOST_ELEMENTS);
    if (!(def->period >= 0 && is_admissible(def->period)) ||
        !(def->zone >= 0 && is_admissible(def->zone)))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': the period and the zone of its growth must be at least 0",
                          name);
    return CORD_OK;
}

static cord_status make_growth(cord_world *w, strand *s, const cord_growth_def *def,
                               strand_growth *g)
{
    memory *m = &w->memory;
    const growth_ops *ops = s->block.ops->growth;
    char why[256] = "";
    g->element = def->element_length > 0 ? def->element_length : ops->last_element(s->block.model);
    g->until = def->until, g->period = def->period, g->zone = def->zone;
    g->time = w->problem.now.time;
    cord_status status = cord__keyframes_copy(&g->rate, m, &def->rate, 1);
    if (status == CORD_OK)
        status = cord__keyframes_copy(&g->natural, m, &def->natural_curvature, 3);
    if (status == CORD_ERROR_ARGUMENT)
        return cord__fail(w, status, "strand '%s': keys of its growth must be finite and ascending",
                          s->name ? s->name : "");
    if (status == CORD_OK) status = ops->prepare(s->block.model, m, g, why, sizeof why);
    if (status != CORD_OK)
        return cord__fail(w, status, "strand '%s': it cannot grow: %s", s->name ? s->name : "",
                          why[0] ? why : cord_status_text(status));
    return status;
}

cord_status cord_strand_set_growth(cord_world *w, cord_strand handle, const cord_growth_def *def)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    if (!def) {
        if (s->block.growth) cord__keyframes_free(&s->block.growth->rate, &w->memory);
        return CORD_OK;
    }
    cord_status status = check_strand(w, s);
    if (status == CORD_OK) status = check_growth(w, s, def);
    if (status != CORD_OK) return status;
    strand_growth *made = NEW(&w->memory, strand_growth, 1);
    if (!made) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for growth");
    status = make_growth(w, s, def, made);
    if (status != CORD_OK) {
        cord__growth_free(made, &w->memory);
        return status;
    }
    cord__growth_free(s->block.growth, &w->memory);
    s->block.growth = made;
    w->layout_stale = w->partition_stale = true; /* clusters know which unknowns are determined */
    cord__invalidate_start(w);
    return CORD_OK;
}
