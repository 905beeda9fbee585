/* Loads: a force f at a position x(q), a torque m on a frame, and a force along the coordinate s of a point:
 *
 *     r −= Jᵀf + J_θᵀm,     r_s −= x_s·f + f_s,     A −= c_k f·∂J/∂q. */
#include "force/load.h"

#include "math/rotation.h"
#include "math/vec3.h"
#include "solve/problem.h"

/* A force on a sliding point also acts along the strand: ∂x/∂s is a column of its Jacobian. */
static void load_sliding(problem *w, const cluster *s, const stage *t, const point *p,
                         const double f[3])
{
    const block *b = w->block[p->block];
    double *J = s->work;
    sliding_jacobian j = {.J = J, .J_s = J + 3 * (b->shape.jacobian_dofs + 1)};
    cord__sliding_jacobian(w, p, t->midpoint ? w->q_half : w->trial.q, w->cache, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            w->r[b->v0 + j.run[run].first + i] -= v3_dot(J + 3 * c, f);
    w->r[w->block[p->slider_block]->v0] -= v3_dot(j.r_s, f);
}

/* A force on a position, or a torque on a frame. */
static void load_point(problem *w, const cluster *s, const stage *t, const point *p, measure what,
                       const double f[3], bool matrix)
{
    const block *b = w->block[p->block];
    point_jacobian j = {.J = s->work};
    cord__point_jacobian(w, p, what, t->midpoint ? w->q_half : w->trial.q, w->cache, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            w->r[b->v0 + j.run[run].first + i] -= v3_dot(j.J + 3 * c, f);
    if (matrix) cord__stiffen_block(w, t, p, what, f);
}

void cord__load_at(const load *l, double time, load_value *out)
{
    *out = (load_value){0};
    if (l->keys.count > 0) cord__keyframes_at(&l->keys, time, out->force, NULL);
    if (l->torque_keys.count > 0) cord__keyframes_at(&l->torque_keys, time, out->torque, NULL);
    if (l->along_keys.count > 0) cord__keyframes_at(&l->along_keys, time, &out->along, NULL);
    v3_add(out->force, out->force, l->state.value.force);
    v3_add(out->torque, out->torque, l->state.value.torque);
    out->along += l->state.value.along;
}

/* A load that jumped at the start of the step, where accelerations are those before (stage.adds_jumps): in the sum of the forces at
 * both ends of the stage, 2 M (v − v₀)/τ, the jump is in both. */
static void add_jump(const load *l, double start, load_value *to)
{
    const load_state *s = &l->state;
    if (s->changed != start) return;
    for (int k = 0; k < 3; k++) {
        to->force[k] += s->value.force[k] - s->before.force[k];
        to->torque[k] += s->value.torque[k] - s->before.torque[k];
    }
    to->along += s->value.along - s->before.along;
}

static void apply(problem *w, const cluster *s, const stage *t, const force_term *f, bool matrix)
{
    const point *p = w->point[f->term.point[0]];
    load_value now;
    if (p->released) return;
    cord__load_at((const load *)f, t->force_time, &now);
    if (t->adds_jumps) add_jump((const load *)f, w->now.time, &now);
    if (p->slider_block >= 0) w->r[w->block[p->slider_block]->v0] -= now.along;
    if (point_slides(p))
        load_sliding(w, s, t, p, now.force);
    else
        load_point(w, s, t, p, MEASURE_POSITION, now.force, matrix);
    if (f->term.needs[0] & NEEDS_FRAME) load_point(w, s, t, p, MEASURE_FRAME, now.torque, matrix);
}

/* f·x + f_s s + m·θ; θ is the rotation vector since the start, so that m·θ is the work of a torque as long as the
 * axis of the rotation is constant. */
static double work(problem *w, const cluster *s, const force_term *f)
{
    int slot = f->term.point[0];
    const point *p = w->point[slot];
    load_value now;
    pose at, start;
    cord__load_at((const load *)f, s->search.time, &now);
    cord__pose(w, slot, NEEDS_POSITION, w->trial.q, w->cache, s->search.time, &at);
    double sum = v3_dot(now.force, at.position);
    if (p->slider_block >= 0) sum += now.along * w->trial.q[w->block[p->slider_block]->q0];
    if (!(f->term.needs[0] & NEEDS_FRAME)) return sum;
    const block *b = w->block[p->block];
    double rotation[9], back[9], angle[3];
    b->ops->refresh(b->model, w->now.q + b->q0, w->cache_start + b->cache0);
    cord__pose(w, slot, NEEDS_FRAME, w->now.q, w->cache_start, s->search.time, &start);
    cord__pose(w, slot, NEEDS_FRAME, w->trial.q, w->cache, s->search.time, &at);
    for (int i = 0; i < 9; i++) back[i] = start.frame[3 * (i % 3) + i / 3];
    m3_multiply(rotation, at.frame, back);
    cord__rotation_log(angle, rotation);
    return sum + v3_dot(now.torque, angle);
}

static void *get_state(force_term *f, size_t *size)
{
    load *l = (load *)f;
    *size = sizeof l->state;
    return &l->state;
}

static void destroy(term *x, memory *m)
{
    load *l = (load *)x;
    cord__keyframes_free(&l->keys, m);
    cord__keyframes_free(&l->torque_keys, m);
    cord__keyframes_free(&l->along_keys, m);
}

const force_ops cord__load = {
    .term = {.name = "load", .destroy = destroy}, .apply = apply, .work = work, .state = get_state};
