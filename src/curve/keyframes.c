#include "curve/keyframes.h"
#include "math/vec3.h"

#include "math/interval.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_admissible(x[i])) return false;
    }
    return true;
}

static bool valid(const cord_keys *def, int width)
{
    if (def->count < 0 || width < 1) return false;
    if (def->ease != CORD_EASE_LINEAR && def->ease != CORD_EASE_SMOOTH) return false;
    if (def->count == 0) return true;
    if (!def->times || !def->values) return false;
    for (int i = 1; i < def->count; i++) {
        if (!(def->times[i] > def->times[i - 1])) return false;
    }
    size_t count = (size_t)def->count;
    return all_finite(def->times, count) && all_finite(def->values, count * (size_t)width);
}

cord_status cord__keyframes_copy(keyframes *k, memory *m, const cord_keys *def, int width)
{
    static const cord_keys none = {0};
    if (!def) def = &none;
    memset(k, 0, sizeof *k);
    if (!valid(def, width)) return CORD_ERROR_ARGUMENT;
    k->width = width;
    if (def->count == 0) return CORD_OK;

    k->count = def->count;
    k->ease = def->ease;
    k->times = cord__copy(m, def->times, (size_t)def->count, sizeof *def->times);
    k->values = cord__copy(m, def->values, (size_t)def->count * (size_t)width, sizeof(double));
    if (k->times && k->values) return CORD_OK;
    cord__keyframes_free(k, m);
    return CORD_ERROR_MEMORY;
}

/* The i with times[i] <= t < times[i+1], given times[0] <= t < times[count-1]. */
static int find_interval(const keyframes *k, double t)
{
    return interval_at(k->times, sizeof *k->times, 0, k->count - 1, t);
}

/* Interpolation weight w(u) of the later key, u from 0 to 1 between two keys, and w'(u): u itself,
 * or 6u⁵ − 15u⁴ + 10u³, whose first and second derivatives vanish at both ends. */
static double ease_weight(cord_ease ease, double u, double *rate)
{
    if (ease == CORD_EASE_LINEAR) {
        *rate = 1;
        return u;
    }
    *rate = 30 * u * u * (1 - u) * (1 - u);
    return u * u * u * (10 + u * (6 * u - 15));
}

static void constant(const keyframes *k, const double *from, double *value, double *rate)
{
    size_t bytes = (size_t)k->width * sizeof(double);
    if (from)
        memcpy(value, from, bytes);
    else
        memset(value, 0, bytes);
    if (rate) memset(rate, 0, bytes);
}

void cord__keyframes_at(const keyframes *k, double t, double *value, double *rate)
{
    int last = k->count - 1;
    if (k->count == 0) {
        constant(k, NULL, value, rate);
    } else if (t < k->times[0]) {
        constant(k, k->values, value, rate);
    } else if (t >= k->times[last]) {
        constant(k, k->values + (size_t)last * (size_t)k->width, value, rate);
    } else {
        int s = find_interval(k, t);
        const double *a = k->values + (size_t)s * (size_t)k->width, *b = a + k->width;
        double duration = k->times[s + 1] - k->times[s], weight_rate;
        double weight = ease_weight(k->ease, (t - k->times[s]) / duration, &weight_rate);
        for (int i = 0; i < k->width; i++) {
            value[i] = a[i] + weight * (b[i] - a[i]);
            if (rate) rate[i] = weight_rate / duration * (b[i] - a[i]);
        }
    }
}

void cord__keyframes_free(keyframes *k, memory *m)
{
    cord__release(m, k->times);
    cord__release(m, k->values);
    memset(k, 0, sizeof *k);
}
