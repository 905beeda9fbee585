/* Closed curves with crossings: torus knots, figures of eight. */
#include "math/vec3.h"
#include "scene/shape_parts.h"

#include <math.h>
#include <stddef.h>

#define PI 3.14159265358979323846

/* The members at the start of all their structs. */
typedef struct knot_shape {
    shape_base base;
    double center[3], normal[3], start[3];
    axes frame;
    double size, tube; /* torus knot: the two radii; eight: width and lift; its knot: radius */
    int p, q;
} knot_shape;

static void in_frame(const knot_shape *s, double x, double y, double z, double *position)
{
    v3_combine(position, x, s->frame.start, y, s->frame.side);
    v3_axpy(position, z, s->frame.axis);
    v3_add(position, position, s->center);
}

static bool finish_knot(reader *r, void *item)
{
    knot_shape *s = item;
    return cord__set_axes(r, s->base.at, s->normal, s->start, &s->frame);
}

#define FRAME_FIELDS                                                                               \
    {"center", FIELD_VECTOR, offsetof(knot_shape, center), false, "[0, 0, 0]", "m", LIMIT_NONE,    \
     NULL,     "the centre"},                                                                      \
        {"normal",   FIELD_VECTOR, offsetof(knot_shape, normal), false, "[0, 0, 1]", "",           \
         LIMIT_NONE, NULL,         "the axis it goes round"},                                      \
    {                                                                                              \
        "start", FIELD_VECTOR, offsetof(knot_shape, start), false, "[1, 0, 0]", "", LIMIT_NONE,    \
            NULL, "the direction from the centre to the first vertex"                              \
    }

/* ---- torus knot --------------------------------------------------------------------------- */

static int common_divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool finish_torus_knot(reader *r, void *item)
{
    const knot_shape *s = item;
    if (s->p > 100 || s->q > 100 || common_divisor(s->p, s->q) != 1) {
        cord__diagnose(r->errors, s->base.at->at,
                       "torus_knot: p and q must be at most 100 and without a common divisor");
        return false;
    }
    if (s->tube >= s->size) {
        cord__diagnose(r->errors, s->base.at->at, "torus_knot: tube must be smaller than radius");
        return false;
    }
    return finish_knot(r, item);
}

static void torus_knot_at(const void *shape, double u, double *x)
{
    const knot_shape *s = shape;
    double round = 2 * PI * s->p * u, about = 2 * PI * s->q * u;
    double radius = s->size + s->tube * cos(about);
    in_frame(s, radius * cos(round), radius * sin(round), s->tube * sin(about), x);
}

static bool trace_torus_knot(reader *r, const void *shape, polyline *line)
{
    return cord__trace_by_length(r, shape, true, torus_knot_at, line);
}

static const field torus_knot_fields[] = {
    FRAME_FIELDS,
    {"p", FIELD_INTEGER, offsetof(knot_shape, p), true, NULL, "", LIMIT_COUNT, NULL,
     "how many times it goes round the axis"},
    {"q", FIELD_INTEGER, offsetof(knot_shape, q), true, NULL, "", LIMIT_COUNT, NULL,
     "how many times it goes through the hole; 2, 3 is the trefoil"},
    {"radius", FIELD_NUMBER, offsetof(knot_shape, size), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "from the centre to the middle of the torus's tube"},
    {"tube", FIELD_NUMBER, offsetof(knot_shape, tube), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the radius of the torus's tube"},
    BASE_FIELDS(VERTICES_NEEDED),
};
const shape_ops cord__torus_knot_shape = {{"torus_knot", "a knot on a torus, closed",
                                           sizeof(knot_shape), torus_knot_fields,
                                           FIELD_COUNT(torus_knot_fields), finish_torus_knot},
                                          trace_torus_knot,
                                          false};

/* ---- figure of eight ---------------------------------------------------------------------- */

/* The lemniscate of Bernoulli; it crosses the centre at a quarter and three quarters. */
static void figure_eight_at(const void *shape, double u, double *x)
{
    const knot_shape *s = shape;
    double c = cos(2 * PI * u), d = sin(2 * PI * u), scale = s->size / 2 / (1 + d * d);
    in_frame(s, scale * c, scale * c * d, s->tube / 2 * d, x);
}

static bool trace_figure_eight(reader *r, const void *shape, polyline *line)
{
    return cord__trace_by_length(r, shape, true, figure_eight_at, line);
}

static const field figure_eight_fields[] = {
    FRAME_FIELDS,
    {"width", FIELD_NUMBER, offsetof(knot_shape, size), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "from one end to the other"},
    {"lift", FIELD_NUMBER, offsetof(knot_shape, tube), false, "0 m", "m", LIMIT_NOT_NEGATIVE, NULL,
     "distance of the two branches where they cross"},
    BASE_FIELDS(VERTICES_NEEDED),
};
const shape_ops cord__figure_eight_shape = {{"figure_eight", "an eight lying down, closed",
                                             sizeof(knot_shape), figure_eight_fields,
                                             FIELD_COUNT(figure_eight_fields), finish_knot},
                                            trace_figure_eight,
                                            false};

static void figure_eight_knot_at(const void *shape, double u, double *x)
{
    const knot_shape *s = shape;
    double t = 2 * PI * u, scale = s->size / 3, radius = scale * (2 + cos(2 * t));
    in_frame(s, radius * cos(3 * t), radius * sin(3 * t), scale * sin(4 * t), x);
}

static bool trace_figure_eight_knot(reader *r, const void *shape, polyline *line)
{
    return cord__trace_by_length(r, shape, true, figure_eight_knot_at, line);
}

static const field figure_eight_knot_fields[] = {
    FRAME_FIELDS,
    {"radius", FIELD_NUMBER, offsetof(knot_shape, size), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "from the centre to where it is widest"},
    BASE_FIELDS(VERTICES_NEEDED),
};
const shape_ops cord__figure_eight_knot_shape = {
    {"figure_eight_knot", "the figure-eight knot, closed", sizeof(knot_shape),
     figure_eight_knot_fields, FIELD_COUNT(figure_eight_knot_fields), finish_knot},
    trace_figure_eight_knot,
    false};
