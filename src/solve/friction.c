/* Viscous friction of relations, on what they leave free of the motion of their first point as seen from the
 * second: of places along what is free,
 *
 *     u = P (v₁ − v₂ − ω₂ × (x₁ − x₂)),     force on the first −c u,     P: across the rows,
 *
 * of directions likewise u = P (ω₁ − ω₂), and a torque. coincide leaves nothing of places, and has that of
 * directions; align has that of places. With B = ∂u/∂q̇ it adds
 *
 *     r += c Bᵀu,     A += c_v c BᵀB.
 *
 * It comes as a relation without rows beside the one it belongs to, since it knows other columns. */
#include "math/vec3.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

static void no_rows(const relation_params *p, const pose *first, const pose *second,
                    relation_value *out)
{
    (void)p, (void)first, (void)second, (void)out;
}

static const relation_ops of_places = {
    .name = "friction", .needs = {NEEDS_PLACE, NEEDS_PLACE | NEEDS_FRAME}, .evaluate = no_rows};
static const relation_ops of_turns = {
    .name = "friction", .needs = {NEEDS_FRAME, NEEDS_FRAME}, .evaluate = no_rows};

const relation_ops *cord__friction_of(const relation_ops *ops)
{
    bool place = ops->needs[0] == NEEDS_PLACE, frame = ops->needs[0] == NEEDS_FRAME;
    if (!place && !frame) return NULL;
    return place == (ops->rows < 3) ? &of_places : &of_turns;
}

bool cord__friction_turns(const relation *r)
{
    return r->ops == &of_turns;
}

/* One more of directions that are orthonormal, unless it is among them. */
static int add_held(const double n[3], double held[RELATION_ROWS][3], int count)
{
    double *own = held[count], before = v3_norm(n);
    v3_copy(own, n);
    for (int i = 0; i < count; i++) v3_axpy(own, -v3_dot(own, held[i]), held[i]);
    if (!(v3_norm(own) > 1e-9 * before)) return count;
    v3_normalize(own, own);
    return count + 1;
}

/* What the rows hold, and, of turns, tangents, about which nothing turns that could rub: as orthonormal directions;
 * how many. */
static int held_directions(const problem *w, const relation *r, const pose poses[2],
                           double held[RELATION_ROWS][3])
{
    bool turns = cord__friction_turns(r);
    int count = 0, rows = r->of->ops->rows < 3 ? r->of->ops->rows : 0;
    for (int row = 0; row < rows; row++) count = add_held(r->value.D[row] + 3 * turns, held, count);
    for (int side = 0; turns && side < 2; side++) {
        const point *p = cord__point_of(w, r, side);
        if (p && point_has_tangent(p)) count = add_held(poses[side].frame, held, count);
    }
    return count;
}

static void take_free(double u[3], double held[RELATION_ROWS][3], int count)
{
    for (int i = 0; i < count; i++) v3_axpy(u, -v3_dot(u, held[i]), held[i]);
}

/* What a motion of one part adds to the motion seen from the second point; d = x₁ − x₂. */
static void seen(bool turns, int part, const double d[3], const double motion[3], double u[3])
{
    v3_set(u, 0, 0, 0);
    if (part == (turns ? 1 : 0))
        v3_copy(u, motion);
    else if (part == (turns ? 3 : 2))
        v3_scale(u, -1, motion);
    else if (part == 3)
        v3_cross(u, d, motion);
}

void cord__friction_rate(const problem *w, relation *r, const double *q, const double *cache,
                         double time, const double *v, double u[3])
{
    pose poses[2];
    double held[RELATION_ROWS][3], d[3], one[3];
    bool turns = cord__friction_turns(r);
    cord__relation_poses(w, r, q, cache, time, poses);
    memset(&r->value, 0, sizeof r->value);
    r->of->ops->evaluate(&r->of->params, poses, poses + 1, &r->value);
    int count = held_directions(w, r, poses, held);
    v3_sub(d, poses[0].place, poses[1].place);
    v3_set(u, 0, 0, 0);
    for (int part = 0; part < RELATION_PARTS; part++) {
        const relation_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            seen(turns, part, d, r->jets + 3 * c, one);
            take_free(one, held, count);
            for (int k = 0; k < 3; k++) r->B[k * r->columns + c] = one[k];
            v3_axpy(u, v[r->column[c]], one);
        }
    }
    for (int side = 0; side < 2; side++) { /* what goes by a script */
        const point *p = r->point[side] >= 0 ? w->point[r->point[side]] : NULL;
        double rates[2][3];
        if (!p || p->block >= 0) continue;
        cord__point_scripted_rate(p, time, rates[0], rates[1]);
        for (int k = 0; k < 2; k++) {
            seen(turns, 2 * side + k, d, rates[k], one);
            take_free(one, held, count);
            v3_add(u, u, one);
        }
    }
}

bool cord__friction_acts(const problem *w, const relation *r)
{
    return !cord__relation_released(w, r) && (r->of->side == CORD_EQUAL || r->of->active[0]);
}

/* Where stages have no velocities, as at the start, those of a step that short. */
static double rate_of(const stage *t)
{
    return t->c_v > 0 ? t->c_v : sqrt(fmax(t->c_a, 0));
}

void cord__friction_assemble(problem *w, const stage *t, relation *r, bool matrix)
{
    size_t square = (size_t)(r->columns * r->columns) * sizeof *r->K;
    bool at_end = t->midpoint && r->instant;
    double u[3], c = at_end ? 0.5 * r->friction : r->friction;
    if (matrix) memset(r->K, 0, square);
    if (t->rows_only || t->statics || !cord__friction_acts(w, r)) return;
    const double *q = t->midpoint && !at_end ? w->half : w->trial.q;
    double time = t->midpoint && !at_end ? t->force_time : t->time;
    cord__friction_rate(w, r, q, at_end ? w->cache_end : w->cache, time, w->trial.v, u);
    for (int k = 0; k < 3; k++) {
        const double *B = r->B + k * r->columns;
        for (int i = 0; i < r->columns; i++) {
            w->r[r->column[i]] += c * B[i] * u[k];
            for (int j = i; matrix && B[i] != 0 && j < r->columns; j++)
                r->K[i * r->columns + j] += c * rate_of(t) * B[i] * B[j];
        }
    }
}
