/* Breaks: a strand is divided where its tension or its curvature reaches a limit. A step that exceeds a limit is repeated
 * up to the time at which it was reached. */
#include "world/event.h"

#include <math.h>

/* Of a limit: a state that exceeds it by less is that of the break. */
static const double OVERSHOOT = 1e-4;

/* The joint whose tension or curvature is nearest to its limit, or the farthest beyond it. */
typedef struct critical_joint {
    int joint;                 /* -1: no joint has a limit */
    double use;                /* tension or curvature over the limit */
    double tension, curvature; /* there */
} critical_joint;

static double larger_ratio(double tension, double curvature, const cord_break_location *limits)
{
    double use = 0;
    if (limits->tension > 0) use = fmax(use, tension / limits->tension);
    if (limits->curvature > 0) use = fmax(use, curvature / limits->curvature);
    return use;
}

/* The limits at a coordinate of the strand as it was defined. */
static cord_break_location limits_at(const breakage *of, double s)
{
    cord_break_location limits = {s, of->def.tension, of->def.curvature};
    if (of->closed && s >= of->length) s -= of->length;
    for (int i = 0; i < of->def.location_count; i++) {
        const cord_break_location *at = of->locations + i;
        if (fabs(at->s - s) > 1e-9 * of->length) continue;
        if (at->tension > 0) limits.tension = at->tension;
        if (at->curvature > 0) limits.curvature = at->curvature;
    }
    return limits;
}

static critical_joint find_critical(const strand *t, const breakage *of, const block_eval *at)
{
    const division_ops *ops = t->ops->division;
    const void *model = t->block.model;
    critical_joint worst = {.joint = -1};
    for (int i = 0; i < ops->joint_count(model); i++) {
        const cord_break_location limits =
            limits_at(of, t->fragment_start + ops->joint_coordinate(model, i));
        if (!(limits.tension > 0 || limits.curvature > 0) || !ops->is_divisible(model, i)) continue;
        double tension, curvature;
        ops->stress_at(model, at, i, &tension, &curvature);
        double use = larger_ratio(tension, curvature, &limits);
        if (use > worst.use) worst = (critical_joint){i, use, tension, curvature};
    }
    return worst;
}

/* The limits of a strand that may break now; NULL: it does not. */
static const breakage *active_limits(const cord_world *w, const strand *t)
{
    if (!t || !t->ops || !t->laid_out) return NULL;
    const breakage *of = cord__whole_strand(w, t)->breakage;
    if (!of || of->count >= of->def.most || cord__indivisible(t)) return NULL;
    return of;
}

/* How far a strand is used in a state of the world, which overwrites its cache. */
static double use_in(const cord_world *w, const strand *t, const breakage *of, const state *in)
{
    const problem *p = &w->problem;
    const block *b = &t->block;
    double *cache = p->cache + b->cache0;
    b->ops->refresh(b->model, in->q + b->q0, cache);
    const block_eval at = {.q = in->q + b->q0, .cache = cache, .lambda = in->lambda + b->l0};
    return find_critical(t, of, &at).use;
}

/* Between the committed state and the trial, the ratio to the limit is affine in time. */
static double time_in_attempt(const cord_world *w, double length, double left)
{
    const problem *p = &w->problem;
    const double shortest = CLOSEST_EVENT * p->requested_step;
    double first = INFINITY;
    (void)left;
    for (int i = 0; p->integrator->dynamic && i < w->strands.count; i++) {
        const strand *t = w->strands.item[i];
        const breakage *of = active_limits(w, t);
        if (!of) continue;
        double after = use_in(w, t, of, &p->trial);
        if (!(after > 1 + OVERSHOOT)) continue;
        double before = use_in(w, t, of, &p->now);
        double time = fmax(length * (1 - before) / (after - before), shortest);
        if (before < 1 && time < 0.999 * length) first = fmin(first, time);
    }
    return first;
}

static cord_status apply(cord_world *w, bool statics, bool *changed)
{
    for (int i = 0; !statics && i < w->strands.count; i++) {
        strand *t = w->strands.item[i];
        const breakage *of = active_limits(w, t);
        if (!of) continue;
        cord__refresh_object(w, t);
        const block_eval now = cord__block_now(w, &t->block, NULL);
        const critical_joint worst = find_critical(t, of, &now);
        if (worst.joint < 0 || worst.use < 1) continue;
        cord_status status = cord__divide_strand(w, t, worst.joint, worst.tension, worst.curvature);
        if (status != CORD_OK) return status;
        w->problem.keep_momenta = *changed = true;
    }
    return CORD_OK;
}

/* Velocities stay as they are; accelerations are found again at once. */
static void before_start(cord_world *w)
{
    (void)w;
}

const event_ops cord__event_break = {.name = "break",
                                     .time_in_attempt = time_in_attempt,
                                     .apply = apply,
                                     .before_start = before_start};
