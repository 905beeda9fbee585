#include "block/wind.h"

#include "math/vec3.h"

#include <stdbool.h>
#include <string.h>

static const double two_pi = 6.28318530717958647692;

static bool finite3(const double *x)
{
    return is_admissible(x[0]) && is_admissible(x[1]) && is_admissible(x[2]);
}

static bool valid_vortex(const cord_vortex *v)
{
    double length = v3_norm(v->axis);
    return finite3(v->center) && finite3(v->velocity) && is_admissible(v->circulation) &&
           is_admissible(length) && length > 0 && is_admissible(v->core) && v->core > 0;
}

static bool valid(const cord_wind_def *def)
{
    if (!finite3(def->velocity) || !finite3(def->gust_wavevector)) return false;
    if (!is_admissible(def->gust_amplitude) || !is_admissible(def->gust_frequency)) return false;
    if (def->vortex_count < 0 || (def->vortex_count > 0 && !def->vortices)) return false;
    for (int i = 0; i < def->vortex_count; i++) {
        if (!valid_vortex(&def->vortices[i])) return false;
    }
    return true;
}

cord_status cord__wind_init(wind *w, memory *m, const cord_wind_def *def)
{
    memset(w, 0, sizeof *w);
    if (!def) return CORD_OK;
    if (!valid(def)) return CORD_ERROR_ARGUMENT;
    if (def->vortex_count > 0) {
        w->vortices = cord__copy(m, def->vortices, (size_t)def->vortex_count, sizeof *w->vortices);
        if (!w->vortices) return CORD_ERROR_MEMORY;
    }
    w->vortex_count = def->vortex_count;
    for (int i = 0; i < w->vortex_count; i++) {
        v3_normalize(w->vortices[i].axis, w->vortices[i].axis);
    }
    v3_copy(w->velocity, def->velocity);
    v3_copy(w->gust_wavevector, def->gust_wavevector);
    w->gust_amplitude = def->gust_amplitude;
    w->gust_frequency = def->gust_frequency;
    return CORD_OK;
}

/* Lamb–Oseen: u = Γ/(2πr) (1 − exp(−r²/a²)) n × r/r, r the offset across the axis n, a the core.
 * With q = r²/a² this is Γ/(2πa²) · (1 − e^{−q})/q · n × r, smooth on the axis: the second factor
 * tends to 1 there, which is named at q = 0 and exact everywhere else. */
static void add_vortex(const cord_vortex *v, double t, const double *x, double *u)
{
    double offset[3], env[3];
    v3_sub(offset, x, v->center);
    v3_axpy(offset, -t, v->velocity);
    v3_cross(env, v->axis, offset); /* as long as the offset across the axis */
    double area = v->core * v->core, q = v3_dot(env, env) / area;
    double shape = q == 0 ? 1 : -expm1(-q) / q;
    v3_axpy(u, v->circulation / (two_pi * area) * shape, env);
}

void cord__wind_at(const wind *w, double t, const double x[3], double u[3])
{
    v3_set(u, 0, 0, 0);
    if (!w) return;
    double phase = two_pi * (w->gust_frequency * t - v3_dot(x, w->gust_wavevector));
    v3_scale(u, 1 + w->gust_amplitude * sin(phase), w->velocity);
    for (int i = 0; i < w->vortex_count; i++) add_vortex(&w->vortices[i], t, x, u);
}

void cord__wind_free(wind *w, memory *m)
{
    cord__release(m, w->vortices);
    memset(w, 0, sizeof *w);
}
