/* Viscous friction of constraints, on what they leave free of the motion of their first point as seen from the
 * second: of places along what is free,
 *
 *     u = P (v₁ − v₂ − ω₂ × (x₁ − x₂)),     force on the first −c u,     P: across the rows,
 *
 * of directions likewise u = P (ω₁ − ω₂), and a torque. coincide leaves nothing of places, and has that of
 * directions; align has that of places. With B = ∂u/∂q̇ it adds
 *
 *     r += c Bᵀu,     A += c_v c BᵀB.
 *
 * In a step of `quasi-static` it is over what has moved since its start, seen from the second point and in its axes:
 * w = P (x − x₀), or P log(F F₀ᵀ), P being that of the start. So it is the derivative of an energy, ½ c w²/h.
 *
 * It comes as a constraint without rows beside the one it belongs to, since it knows other columns. */
#include "math/rotation.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

static void no_rows(const constraint_params *p, const pose *first, const pose *second,
                    constraint_value *out)
{
    (void)p, (void)first, (void)second, (void)out;
}

static const constraint_ops of_places = {.name = "friction",
                                         .needs = {NEEDS_POSITION, NEEDS_POSITION | NEEDS_FRAME},
                                         .evaluate = no_rows};
static const constraint_ops of_turns = {
    .name = "friction", .needs = {NEEDS_FRAME, NEEDS_FRAME}, .evaluate = no_rows};

const constraint_ops *cord__friction_of(const constraint_ops *ops)
{
    bool place = ops->needs[0] == NEEDS_POSITION, frame = ops->needs[0] == NEEDS_FRAME;
    if (!place && !frame) return NULL;
    return place == (ops->rows < 3) ? &of_places : &of_turns;
}

bool cord__friction_is_rotational(const constraint *r)
{
    return r->ops == &of_turns;
}

/* One more of directions that are orthonormal, unless it is among them. */
static int add_held(const double n[3], double held[CONSTRAINT_ROWS][3], int count)
{
    if (count == CONSTRAINT_ROWS) return count; /* there are no more */
    double *own = held[count], before = v3_norm(n);
    v3_copy(own, n);
    for (int i = 0; i < count; i++) v3_axpy(own, -v3_dot(own, held[i]), held[i]);
    if (!(v3_norm(own) > 1e-9 * before)) return count;
    v3_normalize(own, own);
    return count + 1;
}

/* What the rows hold, and, of turns, tangents, about which nothing turns that could rub: as orthonormal directions;
 * how many. */
static int held_directions(const problem *w, const constraint *r, const pose poses[2],
                           double held[CONSTRAINT_ROWS][3])
{
    bool turns = cord__friction_is_rotational(r);
    int count = 0, rows = r->owner->ops->rows < 3 ? r->owner->ops->rows : 0;
    for (int row = 0; row < rows; row++) count = add_held(r->value.D[row] + 3 * turns, held, count);
    for (int side = 0; turns && side < 2; side++) {
        const point *p = cord__point_of(w, r, side);
        if (p && point_has_tangent(p)) count = add_held(poses[side].frame, held, count);
    }
    return count;
}

static void take_free(double u[3], double held[CONSTRAINT_ROWS][3], int count)
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

/* Poses and jets of its points, and what the rows of its constraint hold there. */
static int look(const problem *w, constraint *r, const double *q, const double *cache, double time,
                pose poses[2], double held[CONSTRAINT_ROWS][3])
{
    cord__constraint_poses(w, r, q, cache, time, poses);
    memset(&r->value, 0, sizeof r->value);
    r->owner->ops->evaluate(&r->owner->params, poses, poses + 1, &r->value);
    return held_directions(w, r, poses, held);
}

void cord__friction_rate(const problem *w, constraint *r, const double *q, const double *cache,
                         double time, const double *v, double u[3])
{
    pose poses[2];
    double held[CONSTRAINT_ROWS][3], d[3], one[3];
    bool turns = cord__friction_is_rotational(r);
    int count = look(w, r, q, cache, time, poses, held);
    v3_sub(d, poses[0].position, poses[1].position);
    v3_set(u, 0, 0, 0);
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            seen(turns, part, d, r->jacobians + 3 * c, one);
            take_free(one, held, count);
            for (int k = 0; k < 3; k++) r->B[k * r->dofs + c] = one[k];
            v3_axpy(u, v[r->dof[c]], one);
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

bool cord__friction_acts(const problem *w, const constraint *r)
{
    return !cord__constraint_released(w, r) &&
           (r->owner->side == CORD_EQUAL || r->owner->active[0]);
}

/* Where stages have no velocities, as at the start, those of a step that short. */
static double rate_of(const stage *t)
{
    return t->c_v > 0 ? t->c_v : sqrt(fmax(t->c_a, 0));
}

static void first_in_second(bool turns, const pose poses[2], double out[9])
{
    double d[3];
    v3_sub(d, poses[0].position, poses[1].position);
    if (turns)
        m3_transposed_multiply(out, poses[1].frame, poses[0].frame);
    else
        m3_apply_transposed(out, poses[1].frame, d);
}

/* What is free of the motion since the start of a step, and its derivatives, B. */
static void find_moved(problem *w, const stage *t, constraint *r)
{
    friction_state *own = r->friction_state;
    bool turns = cord__friction_is_rotational(r);
    pose poses[2];
    double now[9], back[9], derivative[9], d[3], *moved = own->displacement;
    cord__constraint_poses(w, r, w->trial.q, w->cache, t->time, poses);
    first_in_second(turns, poses, now);
    if (turns) {
        for (int i = 0; i < 9; i++) back[i] = own->from[3 * (i % 3) + i / 3];
        m3_multiply(now, now, back);
        cord__rotation_log(moved, now);
        cord__rotation_dlog(derivative, moved);
    } else {
        v3_sub(moved, now, own->from);
    }
    take_free(moved, own->constrained, own->constrained_count);
    v3_sub(d, poses[0].position, poses[1].position);
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            double one[3];
            seen(turns, part, d, r->jacobians + 3 * c, one);
            m3_apply_transposed(one, poses[1].frame, one);
            if (turns) m3_apply(one, derivative, one);
            take_free(one, own->constrained, own->constrained_count);
            for (int k = 0; k < 3; k++) r->B[k * r->dofs + c] = one[k];
        }
    }
}

/* c Bᵀu into the residuals, and c_v c BᵀB. */
static void add_friction(problem *w, constraint *r, double c, double c_v, const double u[3],
                         bool matrix)
{
    for (int k = 0; k < 3; k++) {
        const double *B = r->B + k * r->dofs;
        for (int i = 0; i < r->dofs; i++) {
            w->r[r->dof[i]] += c * B[i] * u[k];
            for (int j = i; matrix && B[i] != 0 && j < r->dofs; j++)
                r->K[i * r->dofs + j] += c * c_v * B[i] * B[j];
        }
    }
}

void cord__friction_assemble(problem *w, const stage *t, constraint *r, bool matrix)
{
    size_t square = (size_t)(r->dofs * r->dofs) * sizeof *r->K;
    bool at_end = t->midpoint && r->quasistatic;
    double u[3], c = at_end ? 0.5 * r->friction : r->friction;
    if (matrix) memset(r->K, 0, square);
    if (r->friction_state) v3_set(r->friction_state->displacement, 0, 0, 0);
    if (t->rows_only || !cord__friction_acts(w, r)) return;
    if (t->statics) {
        if (t->rate_factor == 0) return;
        find_moved(w, t, r);
        add_friction(w, r, t->rate_factor * c, 1, r->friction_state->displacement, matrix);
        return;
    }
    const double *q = t->midpoint && !at_end ? w->q_half : w->trial.q;
    double time = t->midpoint && !at_end ? t->force_time : t->time;
    cord__friction_rate(w, r, q, at_end ? w->cache_end : w->cache, time, w->trial.v, u);
    add_friction(w, r, c, rate_of(t), u, matrix);
}

/* ---- steps of `quasi-static` ---------------------------------------------------------------------- */

void cord__frictions_start(problem *w, const island *s)
{
    for (int k = 0; s->rate_factor > 0 && k < s->constraints; k++) {
        constraint *r = w->constraint[s->constraint[k]];
        friction_state *own = r->friction_state;
        pose poses[2];
        if (!own) continue;
        own->constrained_count =
            look(w, r, w->now.q, w->cache, w->now.time, poses, own->constrained);
        for (int i = 0; i < own->constrained_count; i++)
            m3_apply_transposed(own->constrained[i], poses[1].frame, own->constrained[i]);
        first_in_second(cord__friction_is_rotational(r), poses, own->from);
    }
}

double cord__frictions_work(const problem *w, const island *s)
{
    double sum = 0;
    for (int k = 0; s->rate_factor > 0 && k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        if (r->friction_state)
            sum += 0.5 * s->rate_factor * r->friction *
                   v3_dot(r->friction_state->displacement, r->friction_state->displacement);
    }
    return sum;
}

void cord__frictions_end(problem *w, const island *s)
{
    for (int k = 0; k < s->constraints; k++) {
        friction_state *own = w->constraint[s->constraint[k]]->friction_state;
        if (own) v3_scale(own->rate, s->rate_factor, own->displacement);
    }
}
