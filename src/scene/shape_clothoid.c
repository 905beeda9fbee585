/* Clothoids: curvature affine along the length; circles and helices when it is constant. */
#include "scene/chain.h"
#include "scene/shape_parts.h"

#include <stddef.h>
#include <string.h>

typedef struct clothoid_shape {
    shape_base base;
    double start[3], tangent[3], director[3], length, from[3], to[3];
    double frame[9];
} clothoid_shape;

static bool finish_clothoid(reader *r, void *item)
{
    clothoid_shape *s = item;
    if (!cord__node_get(s->base.at, "to")) memcpy(s->to, s->from, sizeof s->to);
    return cord__make_frame(r, s->base.at, s->tangent, s->director, s->frame);
}

static bool trace_clothoid(reader *r, const void *shape, polyline *line)
{
    const clothoid_shape *s = shape;
    double ends[6], *u = TAKE(r->memory, double, s->base.vertices);
    double *x = TAKE(r->memory, double, 3 * (size_t)s->base.vertices);
    if (!u || !x) return false;
    memcpy(ends, s->from, sizeof s->from);
    memcpy(ends + 3, s->to, sizeof s->to);
    curvature_elements whole = {1, ends, &s->length};
    if (!cord__check_revolutions(r, s->base.at, &whole)) return false;
    cord__spread(s->base.refine, s->base.vertices - 1, u);
    for (int i = 0; i < s->base.vertices; i++) u[i] *= s->length;
    cord__trace_elements(&whole, s->start, s->frame, s->base.vertices, u, x);
    *line = (polyline){s->base.vertices, false, x};
    return true;
}

static const field clothoid_fields[] = {
    {"start", FIELD_VECTOR, offsetof(clothoid_shape, start), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "the first vertex"},
    {"tangent", FIELD_VECTOR, offsetof(clothoid_shape, tangent), false, "[1, 0, 0]", "", LIMIT_NONE,
     NULL, "the tangent there"},
    {"director", FIELD_VECTOR, offsetof(clothoid_shape, director), false, NULL, "", LIMIT_NONE,
     NULL,
     "first director there (its part across the tangent); default: [0, 1, 0], or [0, 0, 1] where "
     "that is the tangent"},
    {"length", FIELD_NUMBER, offsetof(clothoid_shape, length), true, NULL, "m", LIMIT_POSITIVE,
     NULL, "the length along the curve"},
    {"from", FIELD_SPECIAL, offsetof(clothoid_shape, from), true, NULL, "1/m", LIMIT_NONE,
     &cord__curvature_special,
     "the curvature at the start: about the first director, about the second, twist"},
    {"to", FIELD_SPECIAL, offsetof(clothoid_shape, to), false, NULL, "1/m", LIMIT_NONE,
     &cord__curvature_special, "the curvature at the end; default: the same, a circle or a helix"},
    BASE_FIELDS(VERTICES_NEEDED),
};
const shape_ops cord__clothoid_shape = {{"clothoid", "curvature that grows evenly along the length",
                                         sizeof(clothoid_shape), clothoid_fields,
                                         FIELD_COUNT(clothoid_fields), finish_clothoid},
                                        trace_clothoid,
                                        false};
