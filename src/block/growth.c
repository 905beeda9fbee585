#include "block/growth.h"

#include "math/vec3.h"

#include <math.h>

static double rate_at(const strand_growth *g, double time)
{
    double rate;
    cord__keyframes_at(&g->rate, time, &rate, NULL);
    return rate;
}

double cord__growth_until(const strand_growth *g, double time)
{
    if (g->rate.count == 0) return 0;
    double h = time - g->time;
    return h / 6 * (rate_at(g, g->time) + 4 * rate_at(g, g->time + 0.5 * h) + rate_at(g, time));
}

void cord__growth_curvature(const strand_growth *g, double s, double k[3])
{
    double from[3];
    v3_copy(from, g->end);
    if (g->natural.count > 0) cord__keyframes_at(&g->natural, s, from, NULL);
    v3_copy(k, from);
    if (g->period == 0) return;
    double angle = 2 * 3.14159265358979323846 * fmod(g->time / g->period, 1);
    k[0] = cos(angle) * from[0] - sin(angle) * from[1];
    k[1] = sin(angle) * from[0] + cos(angle) * from[1];
}

bool cord__growth_is_straight(const strand_growth *g)
{
    for (int i = 0; i < 3 * g->natural.count; i++)
        if (g->natural.values[i] != 0) return false;
    return g->natural.count > 0 || v3_norm(g->end) == 0;
}

void cord__growth_free(strand_growth *g, memory *m)
{
    if (!g) return;
    cord__keyframes_free(&g->rate, m);
    cord__keyframes_free(&g->natural, m);
    cord__release(m, g);
}
