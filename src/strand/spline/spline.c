/* Splines: shape of the matrix, queries, and the tables of operations. */
#include "strand/spline/spline.h"
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/definition.h"

#include <string.h>

static void describe(const void *model, block_shape *shape)
{
    const spline *s = model;
    *shape = (block_shape){.q_count = spline_q_count(s),
                           .dofs = spline_dofs(s),
                           .rows = spline_rows(s),
                           .cache_count = spline_cache_count(s),
                           .mass = MASS_COUPLED,
                           .band_count = spline_band_count(s),
                           .band_width = s->band_width,
                           .unused_position = -1,
                           .cyclic = s->closed,
                           .moves_freely = true,
                           .assembles_from_rows_cache = true,
                           .parts = (s->spans + SPLINE_PART - 1) / SPLINE_PART,
                           .group = s->inextensible ? 5 : 4,
                           .jacobian_dofs = 15,
                           .contact_dofs = SPLINE_LOCAL};
}

static void elimination_order(const void *model, int *position)
{
    const spline *s = model;
    memcpy(position, s->position, (size_t)spline_band_count(s) * sizeof *position);
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const spline *s = model;
    /* At clamped ends the distance of the first two control points is one third of a span. */
    for (int c = 0; c < spline_dofs(s); c++) scale[c] = s->spacing / 3, stiffness[c] = 0;
    for (int k = 0; k < spline_turns(s); k++) {
        int column = spline_angle_dof(s, k);
        scale[column] = 1;
        if (!s->dynamic_twist) stiffness[column] = s->section.twisting / s->spacing;
    }
}

/* Vectors of control points, to the dofs. */
static void put_columns(const spline *s, const double *x, double *v)
{
    for (int i = 0; i < spline_own(s); i++) v3_copy(v + spline_dof(s, i), x + 3 * i);
}

static void initial(const void *model, double *q, double *v)
{
    const spline *s = model;
    memcpy(q, s->initial_q, (size_t)spline_q_count(s) * sizeof *q);
    memset(v, 0, (size_t)spline_dofs(s) * sizeof *v);
    put_columns(s, s->initial_v, v);
}

/* As in der.c: if no frame of an isotropic strand is prescribed, the first angle is prescribed. */
static void pin(const void *model, const unsigned char *touched, unsigned char *prescribed)
{
    const spline *s = model;
    if (!s->isotropic || s->dynamic_twist) return;
    for (int k = 0; k < spline_turns(s); k++)
        if (touched[spline_angle_dof(s, k)]) return;
    prescribed[spline_angle_dof(s, 0)] = 1;
}

static double larger(double a, double b)
{
    return b > a ? b : a;
}

/* No tangent may rotate by more than about 40 degrees in one increment, nor a frame by more than
 * one radian; see der.c. */
static double nonlinearity(const void *model, const double *cache, const double *d)
{
    const spline *s = model;
    const spline_knot *knot = spline_knots(cache);
    const spline_stretch *stretch = spline_stretches(s, cache);
    double worst = 0, turned = 0;
    for (int k = 0; k <= s->spans; k++) {
        int span = k < s->spans ? k : k - 1;
        double move[3], inverse = knot[k].inverse;
        spline_sum_columns(s, move, k < s->spans ? s->span[span].start : s->span[span].end, d,
                           span);
        worst = larger(worst, v3_dot(move, move) * inverse * inverse);
        turned = fmax(turned, fabs(d[spline_angle_dof(s, k)]));
    }
    for (int i = 0; i < s->stations; i++) {
        double move[3];
        spline_sum_columns(s, move, s->station[i].d, d, s->station[i].span);
        worst = larger(worst, v3_dot(move, move) / v3_dot(stretch[i].p, stretch[i].p));
    }
    return fmax(sqrt(worst) / 0.7, turned);
}

/* Row sums of the consistent mass matrix, and the rotary inertia of knots. */
static double inertia(const void *model, double *weight)
{
    const spline *s = model;
    for (int i = 0; i < spline_own(s); i++)
        for (int k = 0; k < 3; k++) weight[spline_dof(s, i) + k] = s->lumped[i];
    for (int k = 0; k < spline_turns(s); k++) weight[spline_angle_dof(s, k)] = s->knot_inertia[k];
    return 0;
}

/* ---- queries -------------------------------------------------------------------------------- */

static void info(const void *model, cord_strand_info *out)
{
    const spline *s = model;
    double l = s->spacing, mass = s->section.mass;
    out->vertex_count = s->n;
    out->edge_count = s->edges;
    out->closed = s->closed;
    out->length = s->length;
    cord__section_info(&s->shape, &s->section, out);
    /* As for der; the consistent mass raises the highest frequencies by about √3. */
    double omega = 8 * sqrt(fmax(s->section.bending[0], s->section.bending[1]) / mass) / (l * l);
    if (!s->inextensible) omega = fmax(omega, 4 * sqrt(s->section.stretching / mass) / l);
    out->stable_step = cord__stable_step(omega, s->damping, s->drag / mass);
}

static void get_positions(const void *model, const block_eval *at, double *x)
{
    const spline *s = model;
    for (int i = 0; i < s->n; i++)
        spline_sum(x + 3 * i, s->vertex[i].w.b, at->q, s->vertex[i].span);
}

static void coordinates(const void *model, const double *cache, double *s)
{
    const spline *of = model;
    (void)cache;
    for (int i = 0; i < of->n; i++) s[i] = of->vertex[i].s;
}

static void get_velocities(const void *model, const double *q, const double *cache, const double *v,
                           double *x)
{
    const spline *s = model;
    (void)q;
    (void)cache;
    for (int i = 0; i < s->n; i++)
        spline_sum_columns(s, x + 3 * i, s->vertex[i].w.b, v, s->vertex[i].span);
}

/* Vectors at the vertices, to the dofs of the control points that fit them. */
static cord_status fit_dofs(const spline *s, memory *m, const double *x, double *out)
{
    double *points = NEW(m, double, 6 * s->points);
    if (!points) return CORD_ERROR_MEMORY;
    cord__spline_fit_points(s, x, points, points + 3 * s->points);
    put_columns(s, points, out);
    cord__release(m, points);
    return CORD_OK;
}

/* The increment that moves the vertices to x, in the least-squares sense. */
static cord_status displacement(const void *model, memory *m, const double *q, const double *x,
                                double *d)
{
    const spline *s = model;
    double *move = NEW(m, double, 3 * s->n);
    if (!move) return CORD_ERROR_MEMORY;
    get_positions(s, &(block_eval){.q = q}, move);
    for (int i = 0; i < 3 * s->n; i++) move[i] = x[i] - move[i];
    memset(d, 0, (size_t)spline_dofs(s) * sizeof *d);
    cord_status status = fit_dofs(s, m, move, d);
    cord__release(m, move);
    return status;
}

static cord_status set_velocities(const void *model, memory *m, const double *q,
                                  const double *cache, double *v, const double *x)
{
    (void)q, (void)cache;
    return fit_dofs(model, m, x, v);
}

static void frames(const void *model, const block_eval *at, double *out)
{
    const spline *s = model;
    for (int j = 0; j < s->edges; j++, out += 9) {
        spline_state state;
        cord__spline_state_at(s, at->q, at->cache, s->middle + j, &state);
        v3_normalize(out, state.p);
        v3_copy(out + 3, state.m1);
        v3_cross(out + 6, out, out + 3);
    }
}

static void curvatures(const void *model, const double *q, const double *cache, double *k)
{
    const spline *s = model;
    for (int i = 0; i < s->n; i++) {
        spline_state state;
        cord__spline_state_at(s, q, cache, s->vertex + i, &state);
        v3_copy(k + 3 * i, state.strain);
    }
}

/* Relative to the twist-free frame from the middle of the first edge: the integral of the twist.
 * Within a span the holonomy angle of the transported frame is taken as proportional to σ. */
static void angles(const void *model, const double *q, const double *cache, double *theta)
{
    const spline *s = model;
    const double *alpha = spline_alpha(s, q);
    double before = 0, first = 0;
    (void)cache;
    for (int j = 0, span = 0; j < s->edges; j++) {
        for (; span < s->middle[j].span; span++)
            before += alpha[span] - cord__spline_lag(s, q, span);
        theta[j] = before + s->middle[j].fraction * (alpha[span] - cord__spline_lag(s, q, span));
        if (j == 0) first = theta[0];
        theta[j] -= first;
    }
}

static double tension_at(const spline *s, const spline_stretch *stretch, const double *lambda,
                         int i)
{
    return s->inextensible ? -lambda[i] * (1 + stretch[i].strain)
                           : s->section.stretching * stretch[i].strain;
}

/* At the stations, where stretching is sampled, and linear between them. In a closed strand also
 * between the last and the first. */
static void tensions(const void *model, const block_eval *now, double *t)
{
    const spline *s = model;
    const spline_stretch *stretch = spline_stretches(s, now->cache);
    for (int j = 0, i = 0; j < s->edges; j++) {
        double arc = s->middle[j].s;
        while (i < s->stations - 2 && arc > s->station[i + 1].s) i++;
        int a = i, b = i + 1;
        double from = s->station[a].s, to = s->station[b].s;
        if (s->closed && (arc < from || arc > to)) {
            double round = arc < from ? -s->length : 0;
            a = s->stations - 1, b = 0;
            from = s->station[a].s + round;
            to = s->station[b].s + round + s->length;
        }
        double part = (arc - from) / (to - from);
        t[j] = (1 - part) * tension_at(s, stretch, now->lambda, a) +
               part * tension_at(s, stretch, now->lambda, b);
    }
}

/* Distributed uniformly, as in der.c. */
static void set_closing_twist(const void *model, double *q, double angle)
{
    const spline *s = model;
    if (!s->closed) return;
    double change = angle - *spline_closing(s, q), *alpha = spline_alpha(s, q);
    *spline_closing(s, q) = angle;
    for (int k = 0; k <= s->spans; k++) {
        double arc = k < s->spans ? s->span[k].arc : s->length, p[3];
        int span = k < s->spans ? k : k - 1;
        spline_sum(p, k < s->spans ? s->span[span].start : s->span[span].end, q, span);
        v3_normalize(p, p);
        rotate_about(spline_m1(s, q) + 3 * k, p, change * arc / s->length);
        if (k < s->spans) alpha[k] += change * s->span[k].length / s->length;
    }
}

/* ---- the tables -------------------------------------------------------------------------------- */

static const row_ops rows = {.dofs = cord__spline_row_dofs,
                             .rates = cord__spline_row_rates,
                             .error = cord__spline_row_error};
static const sliding_ops sliding = {.element_at = cord__spline_element_at,
                                    .jacobian = cord__spline_slide};
static const parts_ops parts = {.unknowns = cord__spline_part_unknowns,
                                .assemble = cord__spline_assemble_part};
static const midpoint_ops midpoint = {.assemble = cord__spline_assemble_midpoint};
static const parameter_ops parameters = {.prepare = cord__spline_prepare_parameters,
                                         .set = cord__spline_set_parameters,
                                         .row_drift = cord__spline_row_drift};

const strand_ops cord__spline = {
    .block = {.name = CORD_MODEL_SPLINE,
              .describe = describe,
              .elimination_order = elimination_order,
              .scales = scales,
              .inertia = inertia,
              .initial = initial,
              .retract = cord__spline_retract,
              .refresh = cord__spline_refresh,
              .assemble = cord__spline_assemble,
              .energy = cord__spline_energy,
              .attach = cord__spline_attach,
              .point_jacobian = cord__spline_point_jacobian,
              .destroy = cord__spline_destroy,
              .pin = pin,
              .nonlinearity = nonlinearity,
              .refresh_rows = cord__spline_refresh_rows,
              .add_geometric_stiffness = cord__spline_stiffen,
              .rows = &rows,
              .sliding = &sliding,
              .contact = &cord__spline_contact,
              .parts = &parts,
              .midpoint = &midpoint,
              .parameters = &parameters},
    .traits = {.has_control_points = true},
    .create = cord__spline_create,
    .info = info,
    .get_positions = get_positions,
    .coordinates = coordinates,
    .displacement = displacement,
    .get_velocities = get_velocities,
    .set_velocities = set_velocities,
    .frames = frames,
    .frame_at = cord__spline_frame_at,
    .curvatures = curvatures,
    .angles = angles,
    .tensions = tensions,
    .set_closing_twist = set_closing_twist,
};
