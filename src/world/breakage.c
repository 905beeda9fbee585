/* Breakage of strands: limits, cuts by hand, and queries. event_break.c compares the limits, fragments.c divides. */
#include "world/world.h"

#include "math/range.h"
#include "strand/fragment.h"

#include <math.h>

enum { DEFAULT_MOST = 3 };

cord_breakage_def cord_breakage_def_default(void)
{
    return (cord_breakage_def){.most = DEFAULT_MOST};
}

static const char *name_of(const strand *s)
{
    return s->name ? s->name : "";
}

static double length_of(const strand *s)
{
    cord_strand_info info = {0};
    s->ops->info(s->block.model, &info);
    return info.length;
}

/* ---- joints ---------------------------------------------------------------------------------------- */

const char *cord__indivisible(const strand *t)
{
    const schedule *changes = t->block.schedule;
    if (!t->ops->division)
        return "its model does not break; der and chains do, and a constraint with a release force "
               "between two strands of any model does";
    if (changes && changes->prepared)
        return "its natural curvature, length or stiffness changes, and such a strand does not "
               "break";
    if (t->block.growth) return "it grows, and such a strand does not break";
    if (t->children) return "a cable runs over it, and such a strand does not break";
    for (const list_link *l = t->points; l; l = l->next)
        if (((const point *)l->item)->source == CORD_SOURCE_SLIDING)
            return "a point slides on it, and such a strand does not break";
    return NULL;
}

int cord__nearest_joint(const strand *t, double s)
{
    const division_ops *ops = t->ops->division;
    const void *model = t->block.model;
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < ops->joint_count(model); i++) {
        double far = fabs(ops->joint_coordinate(model, i) - s);
        if (far >= least || !ops->is_divisible(model, i)) continue;
        least = far, best = i;
    }
    return best;
}

strand *cord__whole_strand(const cord_world *w, const strand *t)
{
    return w->strands.item[t->fragment_of > 0 ? t->fragment_of - 1 : t->slot];
}

/* The coordinate on a fragment of a coordinate of the strand as it was defined; negative or beyond its length: it is on
 * another one. */
static double own_coordinate(const strand *fragment, const breakage *of, double s)
{
    double own = s - fragment->fragment_start;
    return of->closed && of->count > 0 && own < 0 ? own + of->length : own;
}

strand *cord__find_fragment(const cord_world *w, const strand *whole, double s, double *own)
{
    const breakage *of = whole->breakage;
    const double close = of ? 1e-9 * of->length : 0;
    strand *found = w->strands.item[whole->slot];
    *own = s;
    if (!of || of->count == 0) return found;
    *own = own_coordinate(found, of, s);
    for (int i = 0; i < of->count; i++) {
        strand *t = w->strands.item[of->breaks[i].slot];
        double at = own_coordinate(t, of, s);
        if (at > close && at <= length_of(t) + close) found = t, *own = at;
    }
    return found;
}

/* ---- limits ---------------------------------------------------------------------------------------- */

breakage *cord__need_breakage(cord_world *w, strand *t)
{
    if (t->breakage) return t->breakage;
    t->breakage = NEW(&w->memory, breakage, 1);
    if (!t->breakage) {
        cord__fail(w, CORD_ERROR_MEMORY, "out of memory for the breakage of a strand");
        return NULL;
    }
    cord_strand_info info = {0};
    t->ops->info(t->block.model, &info);
    t->breakage->def.most = CORD_MAX_BREAKS;
    t->breakage->length = info.length;
    t->breakage->closed = info.closed;
    return t->breakage;
}

void cord__breakage_free(cord_world *w, object *t)
{
    memory *m = &w->memory;
    cord__fragment_free(&t->given, NULL, m);
    breakage *of = t->breakage;
    if (!of) return;
    if (of->whole) t->block.ops->destroy(of->whole, m);
    cord__release(m, of->locations);
    cord__release(m, of->breaks);
    cord__release(m, of);
    t->breakage = NULL;
}

static bool is_limit(double x)
{
    return x >= 0 && is_admissible(x);
}

static cord_status check_def(cord_world *w, const strand *t, const cord_breakage_def *def)
{
    const double length = length_of(t);
    if (!is_limit(def->tension) || !is_limit(def->curvature))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': it breaks at a tension of %g N or a curvature of %g 1/m; "
                          "limits must be at least 0",
                          name_of(t), def->tension, def->curvature);
    if (def->most < 0 || def->most > CORD_MAX_BREAKS || def->location_count < 0 ||
        (def->location_count > 0 && !def->locations))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s': at most %d breaks and %d locations; breaks must be 0 to "
                          "%d, and locations must not be NULL",
                          name_of(t), def->most, def->location_count, CORD_MAX_BREAKS);
    for (int i = 0; i < def->location_count; i++) {
        const cord_break_location *at = def->locations + i;
        if (!(at->s > 0 && at->s < length) || !is_limit(at->tension) || !is_limit(at->curvature))
            return cord__fail(w, CORD_ERROR_ARGUMENT,
                              "strand '%s': it breaks at s = %g m, with limits %g N and %g 1/m; s "
                              "must be between its ends, 0 and %g m, and limits at least 0",
                              name_of(t), at->s, at->tension, at->curvature, length);
    }
    return CORD_OK;
}

/* Locations move to the nearest joints. */
static cord_status set_locations(cord_world *w, const strand *t, const cord_breakage_def *def,
                                 cord_break_location **made)
{
    const division_ops *ops = t->ops->division;
    *made = NULL;
    if (def->location_count == 0) return CORD_OK;
    *made = cord__copy(&w->memory, def->locations, (size_t)def->location_count, sizeof **made);
    if (!*made)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for the breakage of a strand");
    for (int i = 0; i < def->location_count; i++) {
        int joint = cord__nearest_joint(t, (*made)[i].s);
        if (joint >= 0) (*made)[i].s = ops->joint_coordinate(t->block.model, joint);
    }
    return CORD_OK;
}

cord_status cord_strand_set_breakage(cord_world *w, cord_strand handle,
                                     const cord_breakage_def *def)
{
    strand *t = cord__get_strand(w, handle);
    if (!t) return cord__refused(w);
    if (t->fragment_of > 0 || (t->breakage && t->breakage->count > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s' has broken: the limits of its fragments stay as they were",
                          name_of(t));
    if (!def) {
        cord__breakage_free(w, t);
        return CORD_OK;
    }
    const char *why = cord__indivisible(t);
    if (why) return cord__fail(w, CORD_ERROR_UNSUPPORTED, "strand '%s': %s", name_of(t), why);
    cord_status status = check_def(w, t, def);
    cord_break_location *locations;
    if (status == CORD_OK) status = set_locations(w, t, def, &locations);
    if (status != CORD_OK) return status;
    breakage *of = cord__need_breakage(w, t);
    if (!of) {
        cord__release(&w->memory, locations);
        return CORD_ERROR_MEMORY;
    }
    cord__release(&w->memory, of->locations);
    of->def = *def;
    of->def.locations = of->locations = locations;
    return CORD_OK;
}

cord_status cord_strand_get_breakage(const cord_world *w, cord_strand handle,
                                     cord_breakage_def *def)
{
    const strand *t = cord__get_strand(w, handle);
    if (!t) return cord__refused(w);
    if (!def) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    const breakage *of = cord__whole_strand(w, t)->breakage;
    *def = of ? of->def : (cord_breakage_def){0};
    return CORD_OK;
}

/* ---- by hand ---------------------------------------------------------------------------------------- */

cord_status cord_strand_cut(cord_world *w, cord_strand handle, double s)
{
    strand *t = cord__get_strand(w, handle);
    if (!t) return cord__refused(w);
    const double length = length_of(t);
    if (!(s >= 0 && s <= length))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "strand '%s' cannot be cut at s = %g m: it has %g m", name_of(t), s,
                          length);
    const char *why = cord__indivisible(t);
    if (why) return cord__fail(w, CORD_ERROR_UNSUPPORTED, "strand '%s': %s", name_of(t), why);
    int joint = cord__nearest_joint(t, s);
    if (joint < 0)
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "strand '%s' cannot be cut: it has no joint between two elements at "
            "which no constraint acts on its frame; give it more vertices or elements",
            name_of(t));
    const breakage *of = cord__whole_strand(w, t)->breakage;
    if (of && of->count >= CORD_MAX_BREAKS)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "strand '%s' has %d breaks, which is the most",
                          name_of(t), of->count);
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    cord__refresh_object(w, t);
    double tension, curvature;
    const block_eval now = cord__block_now(w, &t->block, NULL);
    t->ops->division->stress_at(t->block.model, &now, joint, &tension, &curvature);
    status = cord__divide_strand(w, t, joint, tension, curvature);
    return status == CORD_OK ? cord__restart_divided(w) : status;
}

/* ---- queries ---------------------------------------------------------------------------------------- */

cord_status cord_strand_get_break_count(const cord_world *w, cord_strand handle, int *count)
{
    const strand *t = cord__get_strand(w, handle);
    if (!t) return cord__refused(w);
    if (!count) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    const breakage *of = cord__whole_strand(w, t)->breakage;
    *count = of ? of->count : 0;
    return CORD_OK;
}

static cord_strand handle_of(const cord_world *w, int slot)
{
    return (cord_strand){(uint32_t)slot + 1, w->strands.generation[slot]};
}

cord_status cord_strand_get_break(const cord_world *w, cord_strand handle, int index,
                                  cord_break *out)
{
    const strand *t = cord__get_strand(w, handle);
    if (!t) return cord__refused(w);
    if (!out) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    const breakage *of = cord__whole_strand(w, t)->breakage;
    const int count = of ? of->count : 0;
    if (index < 0 || index >= count)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "strand '%s' has %d breaks, there is no break %d",
                          name_of(t), count, index);
    const strand_break *b = of->breaks + index;
    *out = (cord_break){.s = b->s,
                        .time = b->time,
                        .tension = b->tension,
                        .curvature = b->curvature,
                        .energy = b->energy,
                        .fragment = handle_of(w, b->slot)};
    return CORD_OK;
}

cord_status cord_strand_find_fragment(const cord_world *w, cord_strand handle, double s,
                                      cord_strand *fragment, double *fragment_s)
{
    const strand *t = cord__get_strand(w, handle);
    if (!t) return cord__refused(w);
    if (!fragment || !fragment_s) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    const strand *whole = cord__whole_strand(w, t);
    const double length = whole->breakage ? whole->breakage->length : length_of(whole);
    if (!(s >= 0 && s <= length * (1 + 1e-9)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "s = %g m is not on the strand, which had %g m",
                          s, length);
    *fragment = handle_of(w, cord__find_fragment(w, whole, s, fragment_s)->slot);
    return CORD_OK;
}
