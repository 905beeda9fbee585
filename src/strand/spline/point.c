/* Points on a spline: positions, frames and curvatures at any arc length. */
#include "math/vec3.h"
#include "strand/spline/spline.h"

#include <string.h>

/* With clamped ends the ends are control points. */
static int end_column(const spline *s, double arc)
{
    double close = 1e-12 * s->length;
    if (!s->clamped) return -1;
    return arc <= close ? 0 : arc >= s->length - close ? spline_dof(s, s->points - 1) : -1;
}

/* The span and the arguments of the basis functions are stored: weight[0] is u, then speed (of the definition) and σ. */
cord_status cord__spline_attach(void *model, memory *m, measure what, double arc, attachment *at)
{
    const spline *s = model;
    spline_location location;
    (void)m;
    cord__spline_locate(s, arc, &location);
    *at = (attachment){.index = location.span,
                       .weight = {location.u, location.speed / s->scale, location.fraction},
                       .unit = what == MEASURE_POSITION ? end_column(s, arc) : -1};
    return CORD_OK;
}

static void location_of(const spline *s, const attachment *at, spline_location *location)
{
    location->span = at->index;
    location->u = at->weight[0], location->speed = s->scale * at->weight[1];
    location->fraction = at->weight[2];
    location->s = s->span[location->span].arc + location->fraction * s->span[location->span].length;
    cord__spline_span_basis(s, location->span, location->u, &location->w);
}

static void position_jacobian(const spline *s, const double *q, const attachment *at,
                              point_jacobian *j)
{
    spline_location location;
    j->axis_aligned = true;
    if (at->unit >= 0) { /* J has storage for these three dofs only */
        v3_copy(j->value, at->unit == 0 ? q : q + 3 * (s->points - 1));
        j->runs = 1;
        j->run[0].first = at->unit, j->run[0].count = j->dofs = 3;
        memset(j->J, 0, 9 * sizeof *j->J);
        j->J[0] = j->J[4] = j->J[8] = 1;
        return;
    }
    location_of(s, at, &location);
    spline_sum(j->value, location.w.b, q, location.span);
    j->runs = 4;
    j->dofs = 12;
    if (j->value_only) return;
    memset(j->J, 0, 36 * sizeof *j->J);
    for (int i = 0; i < 4; i++) {
        j->run[i].first = spline_dof(s, location.span + i);
        j->run[i].count = 3;
        for (int k = 0; k < 3; k++) j->J[3 * (3 * i + k) + k] = location.w.b[i];
    }
}

/* One run of dofs, or two across the seam of a closed strand: those of the span, and the angle at
 * the knot before it, whose coefficients are zero. Returns the index of each dof of the span in the
 * Jacobian. */
static void span_run(const spline *s, int span, point_jacobian *j, int *where)
{
    int first = spline_dof(s, span), last = spline_dof(s, span + 3) + 2;
    int all = spline_dofs(s);
    j->runs = last < first ? 2 : 1;
    j->run[0].first = first;
    j->run[0].count = (last < first ? all - 1 : last) - first + 1;
    j->run[1].first = 0, j->run[1].count = last + 1;
    j->dofs = j->run[0].count + (last < first ? last + 1 : 0);
    memset(j->J, 0, (size_t)(3 * j->dofs) * sizeof *j->J);
    spline_local_dofs(s, span, where);
    for (int k = 0; k < SPLINE_LOCAL; k++) where[k] += where[k] < first ? all - first : -first;
}

/* The frame rotates by t × δx'/|x'| and, about t, by the angle of cord__spline_turning(). */
static void frame_jacobian(const spline *s, const double *cache, const spline_location *location,
                           const spline_state *state, point_jacobian *j)
{
    double rotation[SPLINE_LOCAL], t[3], inverse = 1 / v3_normalize(t, state->p);
    int where[SPLINE_LOCAL];
    v3_copy(j->value, t);
    v3_copy(j->value + 3, state->m1);
    v3_cross(j->value + 6, t, state->m1);
    if (j->value_only) return;
    cord__spline_turning(s, cache, location, state, rotation);
    span_run(s, location->span, j, where);
    for (int k = 0; k < SPLINE_LOCAL; k++) {
        double *column = j->J + 3 * where[k];
        if (k < 12) {
            double move[3] = {0, 0, 0};
            move[k % 3] = inverse * location->w.d[k / 3];
            v3_cross(column, t, move);
        }
        v3_axpy(column, rotation[k], t);
    }
}

/* In point Jacobians the curvature vector has the twist first. */
static const int strain_of[SPLINE_STRAINS] = {2, 0, 1};

static void curvature_jacobian(const spline *s, const double *cache,
                               const spline_location *location, const spline_state *state,
                               point_jacobian *j)
{
    spline_gradient g;
    int where[SPLINE_LOCAL];
    cord__spline_gradient(s, cache, location, state, g);
    span_run(s, location->span, j, where);
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        j->value[a] = state->strain[strain_of[a]];
        for (int k = 0; k < SPLINE_LOCAL; k++) j->J[3 * where[k] + a] = g[strain_of[a]][k];
    }
}

void cord__spline_point_jacobian(const void *model, const double *q, const double *cache,
                                 const attachment *at, measure what, point_jacobian *j)
{
    const spline *s = model;
    spline_location location;
    spline_state state;
    if (what == MEASURE_POSITION) {
        position_jacobian(s, q, at, j);
        return;
    }
    location_of(s, at, &location);
    cord__spline_state_at(s, q, cache, &location, &state);
    if (what == MEASURE_FRAME)
        frame_jacobian(s, cache, &location, &state, j);
    else
        curvature_jacobian(s, cache, &location, &state, j);
}

/* Positions are linear in q. */
void cord__spline_stiffen(const void *model, const double *q, const double *cache,
                          const attachment *at, measure what, const double w[3], double c_k,
                          local_matrix *matrix)
{
    const spline *s = model;
    spline_location location;
    spline_state state;
    double minus[SPLINE_STRAINS], rotation[SPLINE_LOCAL], h[SPLINE_LOCAL][SPLINE_LOCAL];
    if (what != MEASURE_CURVATURE && what != MEASURE_FRAME) return;
    location_of(s, at, &location);
    cord__spline_state_at(s, q, cache, &location, &state);
    for (int a = 0; a < 3; a++) minus[what == MEASURE_FRAME ? a : strain_of[a]] = -c_k * w[a];
    if (what == MEASURE_FRAME) {
        cord__spline_turning(s, cache, &location, &state, rotation);
        cord__spline_torque_curving(s, cache, &location, &state, rotation, minus, h);
    } else {
        cord__spline_curving(s, cache, &location, &state, minus, h);
    }
    cord__spline_scatter(s, location.span, h, matrix);
}

void cord__spline_frame_at(const void *model, const double *q, const double *cache, double arc,
                           double *frame)
{
    const spline *s = model;
    spline_location location;
    spline_state state;
    cord__spline_locate(s, arc, &location);
    cord__spline_state_at(s, q, cache, &location, &state);
    v3_normalize(frame, state.p);
    v3_copy(frame + 3, state.m1);
    v3_cross(frame + 6, frame, frame + 3);
}
