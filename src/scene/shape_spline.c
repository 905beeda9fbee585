/* A smooth curve through points: centripetal Catmull–Rom, which has no loops or cusps between them
 * [Yuksel, Schaefer, Keyser 2011]. */
#include "math/vec3.h"
#include "scene/shape_parts.h"

#include <math.h>
#include <stddef.h>

typedef struct spline_shape {
    shape_base base;
    number_list points;
    bool closed;
} spline_shape;

static bool finish_spline(reader *r, void *item)
{
    const spline_shape *s = item;
    int count = s->points.count / 3, least = s->closed ? 3 : 2;
    if (count < least || count > 1000000) {
        cord__diagnose(r->errors, s->base.at->at,
                       "spline: points must be between %d and 1000000, got %d", least, count);
        return false;
    }
    for (int i = s->closed ? 0 : 1; i < count; i++) {
        const double *a = s->points.values + 3 * (size_t)i;
        const double *b = s->points.values + 3 * (size_t)((i + count - 1) % count);
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) continue;
        cord__diagnose(r->errors, s->base.at->at,
                       "spline: point %d coincides with the one before it", i);
        return false;
    }
    return true;
}

/* Point i; before the first or after the last point the line is extrapolated. */
static void control(const spline_shape *s, int i, double *x)
{
    int count = s->points.count / 3;
    const double *p = s->points.values;
    if (s->closed) {
        v3_copy(x, p + 3 * (size_t)((i + count) % count));
    } else if (i < 0) {
        v3_combine(x, 2, p, -1, p + 3);
    } else if (i >= count) {
        v3_combine(x, 2, p + 3 * (size_t)(count - 1), -1, p + 3 * (size_t)(count - 2));
    } else {
        v3_copy(x, p + 3 * (size_t)i);
    }
}

/* The pyramid of Barry and Goldman between the second and third of four points, with knot intervals √distance. */
static void segment(double p[4][3], double t, double *x)
{
    double knot[4] = {0}, a[3][3], b[2][3];
    for (int i = 1; i < 4; i++) knot[i] = knot[i - 1] + sqrt(v3_distance(p[i], p[i - 1]));
    double at = knot[1] + t * (knot[2] - knot[1]);
    for (int i = 0; i < 3; i++) {
        double w = (at - knot[i]) / (knot[i + 1] - knot[i]);
        v3_combine(a[i], 1 - w, p[i], w, p[i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        double w = (at - knot[i]) / (knot[i + 2] - knot[i]);
        v3_combine(b[i], 1 - w, a[i], w, a[i + 1]);
    }
    v3_combine(x, 1 - t, b[0], t, b[1]);
}

static void spline_at(const void *shape, double u, double *x)
{
    const spline_shape *s = shape;
    int count = s->points.count / 3, parts = s->closed ? count : count - 1;
    int part = (int)fmin(floor(u * parts), parts - 1);
    double p[4][3];
    for (int i = 0; i < 4; i++) control(s, part - 1 + i, p[i]);
    segment(p, u * parts - part, x);
}

static bool trace_spline(reader *r, const void *shape, polyline *line)
{
    const spline_shape *s = shape;
    return cord__trace_by_length(r, shape, s->closed, spline_at, line);
}

static const field spline_fields[] = {
    {"points", FIELD_POINTS, offsetof(spline_shape, points), true, NULL, "m", LIMIT_NONE, NULL,
     "the points it goes through"},
    {"closed", FIELD_BOOL, offsetof(spline_shape, closed), false, "no", NULL, LIMIT_NONE, NULL,
     "whether it goes on from the last point to the first"},
    BASE_FIELDS(VERTICES_NEEDED),
};
const shape_ops cord__spline_shape = {{"spline", "a smooth curve through points",
                                       sizeof(spline_shape), spline_fields,
                                       FIELD_COUNT(spline_fields), finish_spline},
                                      trace_spline,
                                      false};
