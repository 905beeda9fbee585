/* Parameters of blocks, and gravity, as functions of time. */
#include "math/vec3.h"
#include "solve/problem.h"

void cord__gravity(const problem *w, double time, double out[3])
{
    double keyed[3];
    v3_copy(out, w->gravity.constant);
    if (w->gravity.keys.count == 0) return;
    cord__keyframes_at(&w->gravity.keys, time, keyed, NULL);
    v3_add(out, out, keyed);
}

environment cord__environment(const problem *w, const block *b, double time)
{
    environment env = w->environment;
    double load[3];
    env.time = time;
    if (w->gravity.keys.count > 0) cord__gravity(w, time, env.gravity);
    v3_copy(load, b->load_acceleration);
    if (b->schedule) cord__schedule_load(b->schedule, time, b->load_acceleration, load);
    v3_add(env.gravity, env.gravity, load);
    return env;
}

void cord__set_block_parameters(const block *b, double time, double length_time)
{
    schedule *s = b->schedule;
    cord__schedule_at(s, time, length_time, &s->now);
    if (s->prepared) b->ops->parameters->set(b->model, &s->now);
}

/* Inertial coordinates of a block depend on its length. Their increments are taken at the present one, so that only
 * the motion of the degrees of freedom has inertia, and not that of the length. */
static void restart_inertial(problem *w, const block *b)
{
    const double *q = w->now.q + b->q0;
    double *cache = w->cache_start + b->cache0;
    b->ops->refresh(b->model, q, cache);
    b->ops->inertial->coordinates(b->model, q, cache, w->inertial_x0 + b->inertial0);
}

bool cord__set_parameters(problem *w, const cluster *s, double time, double length_time)
{
    bool any = false;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (!b->schedule) continue;
        double before = b->schedule->now.length;
        cord__set_block_parameters(b, time, length_time);
        if (b->ops->inertial && b->schedule->now.length != before) restart_inertial(w, b);
        any = true;
    }
    return any;
}
