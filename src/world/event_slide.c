/* Sliding from element to element: a point that has crossed an element boundary depends on the dofs of another
 * element; at an end of a strand or path it may slide off, and its terms no longer act. */
#include "world/event.h"

#include "math/vec3.h"

/* The point stays at the end. */
static void release(cord_world *w, point *p)
{
    const block *b = w->problem.block[p->slider_block];
    double *s = w->problem.now.q + b->q0;
    *s = fmin(fmax(*s, 0), p->max_coordinate);
    w->problem.now.v[b->v0] = w->problem.now.a[b->v0] = 0;
    cord__set_released(w, p, true);
    cord__invalidate_start(w); /* accelerations change */
}

/* Beyond a kink the direction in which the material moves changes discontinuously: velocities are made consistent as
 * by an impact, which conserves momentum. */
static void set_element(cord_world *w, point *p, int element)
{
    p->element = element;
    if (!p->position_attachment.crosses_elements) return;
    p->position_attachment.index = element;
    if (p->frame_attached) p->frame_attachment.index = element;
    if (!point_slides(p) && p->terms) cord__invalidate_start(w);
}

/* rad: rows with a larger violation have jumped; a smaller one is round-off. */
static const double JUMP = 1e-6;

/* At a kink of a cable its tangent jumps. A constraint on the tangent closes the gap like one that attaches at a
 * distance. */
static void follow_corner(cord_world *w, constraint *r)
{
    problem *p = &w->problem;
    bool violated = false;
    cord__refresh_term(w, &r->term);
    cord__constraint_values(p, r, p->now.q, p->cache, p->now.time);
    for (int row = 0; row < r->ops->rows; row++) {
        double g = r->work.value.g[row];
        violated = violated || (r->def.side == CORD_EQUAL ? fabs(g) > JUMP : g < -JUMP);
    }
    if (!violated || cord__constraint_released(p, r)) return;
    r->state.closing = false;
    cord__constraint_values(p, r, p->now.q, p->cache, p->now.time);
    for (int row = 0; row < r->ops->rows; row++)
        r->state.gap[row] = (r->def.side == CORD_AT_MOST ? -1 : 1) * r->work.value.g[row];
    r->state.gap_time = p->now.time;
    r->state.closing = true;
}

static void follow_corners(cord_world *w, const point *p)
{
    if (!p->frame_attached || !p->frame_attachment.crosses_elements) return;
    for (const list_link *l = p->terms; l; l = l->next) {
        constraint *r = cord__as_constraint(l->item);
        if (!r) continue;
        int side = w->points.item[r->term.point[0]] == p ? 0 : 1;
        if (r->ops->needs[side] & NEEDS_FRAME) follow_corner(w, r);
    }
}

bool cord__update_elements(cord_world *w, bool gently)
{
    const problem *q = &w->problem;
    bool changed = false;
    for (int i = 0; i < w->points.count; i++) {
        point *p = w->points.item[i];
        if (!p || !point_has_element(p)) continue;
        double s = cord__coordinate_at(q, p, q->now.q);
        bool off = p->max_coordinate > 0 && p->end == CORD_END_RELEASE &&
                   !(s >= 0 && s <= p->max_coordinate);
        if (off && !p->released) {
            release(w, p);
            changed = true;
        }
        int element = cord__element_at(q, p, q->now.q, s);
        if (element == p->element) continue;
        changed = true;
        set_element(w, p, element);
        if (gently) follow_corners(w, p);
    }
    w->elements_stale = w->elements_stale || changed;
    return changed;
}

bool cord__skips_elements(const cord_world *w)
{
    const problem *q = &w->problem;
    for (int i = 0; i < w->points.count; i++) {
        const point *p = w->points.item[i];
        if (p && cord__crosses_elements(q, p, q->trial.q)) return true;
    }
    return false;
}

static cord_status apply(cord_world *w, bool statics, bool *changed)
{
    *changed = cord__update_elements(w, !statics);
    return CORD_OK;
}

const event_ops cord__event_slide = {.name = "slide", .apply = apply};
