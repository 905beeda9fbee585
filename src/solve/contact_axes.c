/* The axes along which contact forces act: normal and tangents at the end of the step, or mean ones.
 *
 * Backward Euler applies the forces of the end of a step to its whole displacement d. On a surface of curvature κ the normal at the
 * end has the component κ|d|²/2 along a displacement that follows the surface. The forces that hold a taut rope on a peg do the
 * opposite work, so that sliding obeys Coulomb's law at the end of the step; where weight or inertia holds it the strand gains
 * the energy p κ|d|²/2. Then forces act along the mean normal of the step instead, to which d is perpendicular. For a taut rope
 * this would be wrong: with the mean normal its coefficient of friction is larger by κ|d|/2. */
#include "math/vec3.h"
#include "solve/contacts.h"

#include <math.h>

/* Adds the motion of the centreline of a side, or of the surface of an obstacle, since the start of the attempt. */
static void add_motion(const contact_set *k, const contact *c, int side, double sign, double out[3])
{
    double moved[3];
    if (c->segment[side] >= 0) {
        const contact_segment *g = k->segment + c->segment[side];
        const double f = (c->s[side] - g->s[0]) / (g->s[1] - g->s[0]);
        for (int end = 0; end < 2; end++) {
            v3_sub(moved, g->x[end], k->start[c->segment[side]][end]);
            v3_axpy(out, sign * (end ? f : 1 - f), moved);
        }
        return;
    }
    const obstacle_carrier *on = k->carrier + c->obstacle[side];
    if (on->block < 0 && on->point < 0) return;
    cord__obstacle_motion(k, c->obstacle[side], c->x[side], moved);
    v3_axpy(out, sign, moved);
}

/* The motion of a contact away from the surface beyond that which removes an overlap, as far as the curvature explains it, which is
 * at most that of the radius; and the direction and size of its motion along the surface. */
static double excess_of(const contact_set *k, const contact_row *r, double along[3], double *size)
{
    const contact *c = &r->at;
    const contact_pair *pair = k->pair + r->pair;
    double d[3] = {0, 0, 0};
    add_motion(k, c, 0, 1, d);
    add_motion(k, c, 1, -1, d);
    const double away = v3_dot(d, c->normal);
    v3_copy(along, d);
    v3_axpy(along, -away, c->normal);
    *size = v3_norm(along);
    if (*size > 0) v3_scale(along, 1 / *size, along);
    const double most = 0.5 * *size * *size / cord__pair_scale(k, pair);
    return fmax(0, fmin(fmin(away + pair->start_gap, most), *size));
}

void cord__set_contact_axes(const contact_set *k, contact_row *r, bool mean)
{
    const contact *c = &r->at;
    v3_copy(r->axis[0], c->normal);
    v3_copy(r->axis[1], c->tangent[0]);
    v3_copy(r->axis[2], c->tangent[1]);
    if (!mean || c->segment[0] < 0) return;
    double along[3], size;
    const double excess = excess_of(k, r, along, &size);
    if (!(excess > 0)) return;
    /* n̄ = cos α n − sin α d_T/|d_T| with tan α = excess/|d_T|; tangents turn along. */
    const double cosine = size / hypot(size, excess), sine = excess / hypot(size, excess);
    for (int axis = 0; axis < 3; axis++) {
        const double a = v3_dot(r->axis[axis], c->normal), b = v3_dot(r->axis[axis], along);
        v3_axpy(r->axis[axis], (cosine - 1) * a + sine * b, c->normal);
        v3_axpy(r->axis[axis], (cosine - 1) * b - sine * a, along);
    }
}

double cord__normal_cosine(const contact_set *k, const contact *c)
{
    double before[3], d[3] = {0, 0, 0};
    add_motion(k, c, 0, 1, d);
    add_motion(k, c, 1, -1, d);
    v3_sub(before, c->x[0], c->x[1]);
    v3_sub(before, before, d);
    return v3_dot(c->normal, before) / v3_norm(before);
}

double cord__normal_work(const contact_set *k, const island_contacts *of)
{
    double sum = 0, along[3], size;
    for (int i = 0; i < of->rows; i++) {
        const contact_row *r = k->row + of->first_row + i;
        if (r->force[0] > 0 && r->at.segment[0] >= 0)
            sum += r->force[0] * excess_of(k, r, along, &size);
    }
    return sum;
}
