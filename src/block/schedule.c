#include "block/schedule.h"

#include "math/vec3.h"

#include <math.h>

static void add_sample(const curvature_samples *s, double fraction, double k[3])
{
    if (s->count == 0) return;
    double at = fmin(fmax(fraction, 0), 1) * (s->count - 1);
    int i = (int)at < s->count - 1 ? (int)at : s->count - 1;
    double part = at - i;
    v3_axpy(k, 1 - part, s->value + 3 * i);
    if (part > 0) v3_axpy(k, part, s->value + 3 * i + 3);
}

void cord__sampled_curvature(const strand_parameters *p, double fraction, double k[3])
{
    v3_set(k, 0, 0, 0);
    add_sample(&p->natural, fraction, k);
    add_sample(&p->added, fraction, k);
}

void cord__schedule_at(schedule *s, double time, double length_time, strand_parameters *out)
{
    double length = 1, rate = 0, stiffness[STIFFNESS_FACTORS] = {1, 1, 1};
    if (s->length.count > 0) cord__keyframes_at(&s->length, length_time, &length, &rate);
    if (s->stiffness.count > 0) cord__keyframes_at(&s->stiffness, time, stiffness, NULL);
    if (s->natural.count > 0) cord__keyframes_at(&s->natural, time, s->natural_keyed, NULL);
    *out = (strand_parameters){
        .length = s->length_factor * length,
        .length_rate = s->length_factor * rate,
        .natural = {s->natural_count, s->natural_constant},
        .added = {s->natural.count > 0 ? s->natural.width / 3 : 0, s->natural_keyed}};
    for (int i = 0; i < STIFFNESS_FACTORS; i++)
        out->stiffness[i] = s->stiffness_factor[i] * stiffness[i];
}

void cord__schedule_load(const schedule *s, double time, const double constant[3], double out[3])
{
    double keyed[3] = {0, 0, 0};
    if (s->load.count > 0) cord__keyframes_at(&s->load, time, keyed, NULL);
    v3_combine(out, s->now.length, constant, s->now.length * s->load_scale, keyed);
}

bool cord__schedule_varies(const schedule *s)
{
    return s->load.count > 1 || s->natural.count > 1 || s->length.count > 1 ||
           s->stiffness.count > 1;
}

void cord__schedule_free(schedule *s, memory *m)
{
    if (!s) return;
    cord__keyframes_free(&s->load, m);
    cord__keyframes_free(&s->natural, m);
    cord__keyframes_free(&s->length, m);
    cord__keyframes_free(&s->stiffness, m);
    cord__release(m, s->natural_constant);
    cord__release(m, s->natural_keyed);
    cord__release(m, s);
}
