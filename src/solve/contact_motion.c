/* Relative motion of contacts since the start of the step, from which friction follows.
 *
 * A stage has the velocities v = c_v d + v̂ with v̂ = v_d d₁ + v_v v₀, where d₁ is the increment at its start. Where positions are linear
 * in the dofs, H v is the velocity of contacts. Blocks with inertial coordinates, chains, apply these formulas to positions x instead,
 *
 *     ẋ = c_v (x − x₀) + v_d (x₁ − x₀) + v_v ẋ₀,
 *
 * and that is what friction has to resist: H v differs from it by O(h), by more where dofs oscillate, and friction along H v fed
 * energy into chains that slid over a cylinder (up to a fifth of their energy in half a second). So of a point of their
 * centreline the motion is H (d + v̂/c_v), which contains the rotation of the section, and the deviation
 *
 *     x + past − J (d + v̂/c_v),     past = (v_d (x₁ − x₀) + v_v ẋ₀)/c_v − x₀. */
#include "math/vec3.h"
#include "solve/contact_columns.h"
#include "solve/contact_detection.h"
#include "solve/integrator.h"

#include <string.h>

static bool moves_by_positions(const problem *w, const block *b)
{
    return b->shape.inertial_count > 0 && !w->contacts->statics && !w->integrator->explicit_forces;
}

void cord__contacts_mark_stage(problem *w, const island *of, const double *q)
{
    const bool first = q == w->now.q;
    for (int i = 0; i < of->clusters; i++)
        for (int j = 0; j < of->cluster[i]->blocks; j++) {
            const block *b = w->block[of->cluster[i]->block[j]];
            if (b->curve < 0 || (!first && !moves_by_positions(w, b))) continue;
            cord__refresh_positions(b, q, first ? w->cache_start : w->cache_end);
            if (!first) memcpy(w->q_half + b->q0, q + b->q0, (size_t)b->shape.q_count * sizeof *q);
        }
}

/* The point of a strand at the s of a contact, in another configuration. */
static void point_of(const contact_set *k, const contact *c, int side, const double *q,
                     const double *cache, double x[3])
{
    const contact_segment *g = k->segment + c->segment[side];
    const block *b = k->context[g->block].block;
    double r_s[3], r_ss[3];
    b->ops->contact->curve(b->model, q + b->q0, cache + b->cache0, g->segment, c->s[side], x, r_s,
                           r_ss);
}

double cord__gap_at_start(const problem *w, const contact *c)
{
    const contact_set *k = w->contacts;
    double x[3], other[3], normal[3], radii = k->segment[c->segment[0]].radius - c->taper;
    point_of(k, c, 0, w->now.q, w->cache_start, x);
    if (c->segment[1] >= 0) {
        point_of(k, c, 1, w->now.q, w->cache_start, other);
        radii += k->segment[c->segment[1]].radius;
        return v3_distance(x, other) - radii;
    }
    obstacle before = k->obstacle[c->obstacle[1]];
    v3_copy(before.x, k->carrier[c->obstacle[1]].start_x);
    memcpy(before.R, k->carrier[c->obstacle[1]].start_R, sizeof before.R);
    return cord__obstacle_distance(&before, x, normal) - radii;
}

/* out += factor × J v, with J over the columns. */
static void add_rate(const block *b, const contact_columns *on, const double *J, double factor,
                     const double *v, double out[3])
{
    for (int i = 0; i < on->count; i++) v3_axpy(out, factor * v[b->v0 + on->dof[i]], J + 3 * i);
}

static void set_past(const problem *w, const stage *t, contact_row *r, int side, double *work)
{
    const contact_set *k = w->contacts;
    const contact *c = &r->at;
    const block *b = k->context[k->segment[c->segment[side]].block].block;
    contact_columns *on = r->side + side;
    double x[3], *past = r->past[side];
    point_of(k, c, side, w->now.q, w->cache_start, x);
    v3_scale(past, -1 - t->v_d / t->c_v, x);
    if (t->v_d != 0) {
        point_of(k, c, side, w->q_half, w->cache_end, x);
        v3_axpy(past, t->v_d / t->c_v, x);
    }
    if (t->v_v != 0) {
        on->count = cord__surface_jacobian(b, w->now.q + b->q0, w->cache_start + b->cache0,
                                           c->s[side], NULL, on->dof, on->H, NULL, work);
        add_rate(b, on, on->H, t->v_v / t->c_v, w->now.v, past);
    }
}

bool cord__contact_deviates(const problem *w, const stage *t, contact_row *r, int side,
                            double *work)
{
    const contact_set *k = w->contacts;
    const contact *c = &r->at;
    v3_set(r->deviation[side], 0, 0, 0);
    if (!t || c->segment[side] < 0) return false;
    if (!moves_by_positions(w, k->context[k->segment[c->segment[side]].block].block)) return false;
    set_past(w, t, r, side, work);
    return true;
}

void cord__set_deviation(const problem *w, const stage *t, contact_row *r, int side,
                         const double *centre)
{
    const contact_set *k = w->contacts;
    const block *b = k->context[k->segment[r->at.segment[side]].block].block;
    double *out = r->deviation[side];
    v3_add(out, r->at.x[side], r->past[side]);
    add_rate(b, r->side + side, centre, -1, w->d, out);
    add_rate(b, r->side + side, centre, -1 / t->c_v, w->v_predictor, out);
}

void cord__obstacle_motion(const contact_set *k, int index, const double x[3], double motion[3])
{
    const obstacle *o = k->obstacle + index;
    const obstacle_carrier *on = k->carrier + index;
    double y[3], before[3];
    v3_sub(y, x, o->x);
    m3_apply_transposed(y, o->R, y);
    m3_apply(before, on->start_R, y);
    v3_add(before, before, on->start_x);
    v3_sub(motion, x, before);
}

/* Adds a motion of a side along the tangents. */
static void add_tangential(const contact_row *r, int side, double factor, const double motion[3],
                           double out[3])
{
    for (int axis = 1; axis < 3; axis++)
        out[axis] += (side ? -factor : factor) * v3_dot(r->axis[axis], motion);
}

/* A search for an equilibrium makes large steps: the motion since the start is the difference of positions. The configuration
 * at the start has its rows in w->cache_start. */
static void add_displacement(const problem *w, const contact_row *r, int side, double out[3])
{
    const contact *c = &r->at;
    if (w->contacts->frictionless || c->segment[side] < 0) return;
    double before[3], moved[3];
    point_of(w->contacts, c, side, w->now.q, w->cache_start, before);
    v3_sub(moved, c->x[side], before);
    add_tangential(r, side, 1, moved, out);
}

/* Whether the motion of an obstacle is not in H d: that of a script, and in a search for an equilibrium every one. */
static bool moves_alone(const contact_set *k, int index)
{
    return k->carrier[index].point >= 0 || (k->statics && k->carrier[index].block >= 0);
}

/* Of one side. */
static void add_side_motion(const contact_row *r, int side, const double *x, double out[3])
{
    const contact_columns *on = r->side + side;
    double motion[3] = {0, 0, 0};
    for (int i = 0; i < on->points; i++) v3_axpy(motion, on->weight[i], x + on->dof[3 * i]);
    if (on->points > 0) cord__add_along_axes(r, side, motion, out);
    for (int i = 0; on->points == 0 && i < on->count; i++)
        v3_axpy(out, x[on->dof[i]], on->H + 3 * i);
}

void cord__add_row_motion(const contact_row *r, const double *x, double out[3])
{
    for (int side = 0; side < 2; side++) add_side_motion(r, side, x, out);
}

/* The velocity of an obstacle is its mean one since the start of the step. */
void cord__contact_motion(const problem *w, const stage *t, const contact_row *r, double out[3])
{
    const contact_set *k = w->contacts;
    const contact *c = &r->at;
    out[0] = out[1] = out[2] = 0;
    for (int side = 0; side < 2; side++) {
        if (k->statics)
            add_displacement(w, r, side, out);
        else
            add_tangential(r, side, 1, r->deviation[side], out);
        if (!k->statics) add_side_motion(r, side, w->d, out);
        if (!k->statics && t) {
            double predicted[3] = {0, 0, 0};
            add_side_motion(r, side, w->v_predictor, predicted);
            for (int axis = 1; axis < 3; axis++) out[axis] += predicted[axis] / t->c_v;
        }
        if (c->obstacle[side] < 0 || !moves_alone(k, c->obstacle[side])) continue;
        double motion[3];
        cord__obstacle_motion(k, c->obstacle[side], c->x[side], motion);
        out[0] += (side ? -1 : 1) * v3_dot(r->axis[0], motion);
        add_tangential(r, side, 1 / (t ? t->c_v * (t->time - w->now.time) : 1), motion, out);
    }
}
