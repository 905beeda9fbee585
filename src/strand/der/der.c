/* Discrete elastic rods: shape of the matrix, rows, queries, and the tables of operations. */
#include "strand/der/der.h"
#include "math/vec3.h"
#include "strand/definition.h"

#include <string.h>

static void describe(const void *model, block_shape *shape)
{
    const der *d = model;
    *shape = (block_shape){.q_count = der_q_count(d),
                           .dofs = der_main_dofs(d) + 3 * d->frame_count,
                           .rows = d->inextensible ? d->edges : 0,
                           .cache_count = der_cache_count(d),
                           .band_count = der_band_count(d),
                           .band_width = 2 * der_pitch(d) + 2,
                           .band_group = der_pitch(d),
                           .sets_band = true,
                           .unused_position = d->inextensible && !d->closed ? 3 : -1,
                           .cyclic = d->closed,
                           .moves_freely = true,
                           .foresees_error = d->inextensible,
                           .assembles_from_rows_cache = d->isotropic && !d->defined.rest,
                           .group = der_pitch(d),
                           .extra_entries = 2 * FRAME_ENTRIES * d->frame_count,
                           .jacobian_dofs = 12,
                           .contact_dofs = 15, /* four vertices, three angles */
                           .work_count = 3 * d->n + 9 * d->edges};
}

/* x_i, the length row of the edge before, θ_i; then the vertex frames. */
static void elimination_order(const void *model, int *position)
{
    const der *d = model;
    int pitch = der_pitch(d), main_dofs = der_main_dofs(d);
    int dofs = main_dofs + 3 * d->frame_count;
    for (int u = 0; u < main_dofs; u++)
        position[u] = u / 4 * pitch + (u % 4 < 3 ? u % 4 : pitch - 1);
    for (int u = main_dofs; u < dofs; u++) position[u] = der_band_count(d) + u - main_dofs;
    if (!d->inextensible) return;
    for (int j = 0; j < d->edges; j++) position[dofs + j] = pitch * der_next(d, j) + 3;
}

static int row_dofs(const void *model, int row, int *dofs)
{
    const der *d = model;
    for (int k = 0; k < 3; k++) {
        dofs[k] = 4 * row + k;
        dofs[3 + k] = 4 * der_next(d, row) + k;
    }
    return 6;
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const der *d = model;
    memset(stiffness, 0, (size_t)(der_main_dofs(d) + 3 * d->frame_count) * sizeof *stiffness);
    for (int j = 0; !d->dynamic_twist && j < d->edges; j++)
        stiffness[4 * j + 3] = d->section.twisting / d->rest[j];
    for (int i = 0; i < d->n; i++) {
        int edge = i < d->edges ? i : d->edges - 1;
        for (int k = 0; k < 3; k++) scale[4 * i + k] = d->rest[edge];
        if (i < d->edges) scale[4 * i + 3] = 1;
    }
    for (int k = 0; k < 3 * d->frame_count; k++) scale[der_main_dofs(d) + k] = 1;
}

static void initial(const void *model, double *q, double *v)
{
    const der *d = model;
    const int main_dofs = der_main_dofs(d), known = d->initial_frames;
    memset(v, 0, (size_t)(main_dofs + 3 * d->frame_count) * sizeof *v);
    if (d->initial_q) {
        const int from = der_vertex_frame_offset(d, known);
        memcpy(q, d->initial_q, (size_t)from * sizeof *q);
        memcpy(v, d->initial_dofs, (size_t)(main_dofs + 3 * known) * sizeof *v);
        cord__der_extend(d, q, from);
        return;
    }
    memcpy(q, d->initial_x, (size_t)(3 * d->n) * sizeof *q);
    memcpy(q + der_m1_offset(d), d->initial_m1, (size_t)(3 * d->edges) * sizeof *q);
    memcpy(q + der_twist_offset(d), d->initial_twist, (size_t)d->n * sizeof *q);
    q[der_closing_offset(d)] = d->closing_twist;
    cord__der_extend(d, q, (int)(der_vertex_frame_q(d, q, 0) - q));
    for (int i = 0; i < d->n; i++) v3_copy(v + 4 * i, d->initial_v + 3 * i);
}

/* d/dt (e·e − ē²)/(2ē) = e·ė/ē */
static void row_rates(const void *model, const double *cache, const double *side, const double *v,
                      double *rate)
{
    (void)side;
    const der *d = model;
    const der_edge *edge = der_edges(cache);
    for (int j = 0; d->inextensible && j < d->edges; j++) {
        double w[3];
        v3_sub(w, v + 4 * der_next(d, j), v + 4 * j);
        rate[j] = v3_dot(edge[j].e, w) / d->rest[j];
    }
}

/* g = (e·e − ē²)/(2ē), ∂g/∂e = e/ē: over both ends of the edge. */
static double row_jacobian(const void *model, const double *q, double *g, double *derivatives)
{
    const der *d = model;
    double worst = 0;
    for (int j = 0; d->inextensible && j < d->edges; j++, derivatives += 6) {
        double rest = d->rest[j], inverse = 1 / rest, e[3];
        v3_sub(e, q + 3 * der_next(d, j), q + 3 * j);
        g[j] = 0.5 * inverse * (v3_dot(e, e) - rest * rest);
        v3_scale(derivatives + 3, inverse, e);
        v3_scale(derivatives, -inverse, e);
        double error = fabs(2 * inverse * g[j]);
        if (!(error <= worst)) worst = error; /* a NaN stays visible */
    }
    return worst;
}

static double row_error(const void *model, const double *cache)
{
    const der *d = model;
    const der_edge *edge = der_edges(cache);
    double worst = 0;
    for (int j = 0; d->inextensible && j < d->edges; j++) {
        double ratio = edge[j].length / d->rest[j], error = fabs(ratio * ratio - 1);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

/* The twist of an isotropic rod without rotary inertia is determined by prescribed or constrained frames. If there are
 * none, the energy does not depend on a common angle of all edges: the first angle is prescribed. */
static void pin(const void *model, const unsigned char *touched, unsigned char *prescribed)
{
    const der *d = model;
    if (!d->isotropic || d->dynamic_twist || d->frame_count > 0) return;
    for (int j = 0; j < d->edges; j++)
        if (touched[4 * j + 3]) return;
    prescribed[3] = 1;
}

/* The dofs of a vertex frame (3) with those of one edge: itself (3), x (3), θ, and x of the next vertex (3). */
static void frame_entries(const der *d, int frame, int edge, int *pairs)
{
    int own = der_vertex_frame_dof(d, frame);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 10; i++) {
            *pairs++ = i < 3 ? own + i : i < 7 ? 4 * edge + i - 3 : 4 * der_next(d, edge) + i - 7;
            *pairs++ = own + c;
        }
}

static void extra_entries(const void *model, int *pairs)
{
    const der *d = model;
    for (int i = 0; i < 2 * d->frame_count; i++) {
        int vertex = d->frame[i / 2].vertex;
        int before = der_edge_before(d, vertex), after = der_edge_after(d, vertex);
        int edge = after < 0 || (i % 2 == 0 && before >= 0) ? before : after;
        frame_entries(d, i / 2, edge, pairs + 2 * FRAME_ENTRIES * i);
    }
}

/* Lumped masses at vertices, and the rotary inertia of edges about their tangents. */
static double inertia(const void *model, double *diagonal)
{
    const der *d = model;
    memset(diagonal, 0, (size_t)(der_main_dofs(d) + 3 * d->frame_count) * sizeof *diagonal);
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < 3; k++) diagonal[4 * i + k] = d->vertex_mass[i];
    for (int j = 0; j < d->edges; j++) diagonal[4 * j + 3] = d->edge_inertia[j];
    return 0;
}

/* ---- queries -------------------------------------------------------------------------------- */

static void info(const void *model, cord_strand_info *out)
{
    const der *d = model;
    out->vertex_count = der_reported(d);
    out->edge_count = der_reported_edges(d);
    out->closed = d->closed;
    out->length = d->arc[d->edges];
    cord__section_info(&d->shape, &d->section, out);
    /* The shortest waves of a uniform rod: ω = 4 √(EI/ρS)/ℓ² of bending, 2 √(EA/ρS)/ℓ of stretching, 2 √(GJ/ρI)/ℓ of twist
     * with inertia. */
    double l = d->shortest, mass = d->section.mass;
    double omega = 4 * sqrt(fmax(d->section.bending[0], d->section.bending[1]) / mass) / (l * l);
    if (!d->inextensible) omega = fmax(omega, 2 * sqrt(d->section.stretching / mass) / l);
    if (d->dynamic_twist)
        omega = fmax(omega, 2 / l * sqrt(d->section.twisting * d->arc[1] / d->edge_inertia[0]));
    out->stable_step = cord__stable_step(omega, d->damping, d->drag / mass);
}

static void get_positions(const void *model, const block_eval *at, double *x)
{
    const der *d = model;
    if (d->reported == 0) memcpy(x, at->q, (size_t)(3 * d->n) * sizeof *x);
    for (int i = 0; i < d->reported; i++) {
        double weight;
        const double *from = at->q + 3 * cord__der_vertex_edge(d, i, &weight);
        v3_combine(x + 3 * i, 1 - weight, from, weight, from + 3);
    }
}

static void coordinates(const void *model, const double *cache, double *s)
{
    const der *d = model;
    (void)cache;
    if (d->reported == 0) memcpy(s, d->arc, (size_t)d->n * sizeof *s);
    for (int i = 0; i < d->reported; i++) {
        double weight;
        int edge = cord__der_vertex_edge(d, i, &weight);
        s[i] = (1 - weight) * d->arc[edge] + weight * d->arc[edge + 1];
    }
}

/* The increment that leads from q to vertices at x, without rotation of the frames about their tangents. */
static cord_status displacement(const void *model, memory *m, const double *q, const double *x,
                                double *increment)
{
    const der *d = model;
    (void)m;
    if (d->reported > 0) return CORD_ERROR_UNSUPPORTED;
    memset(increment, 0, (size_t)(der_main_dofs(d) + 3 * d->frame_count) * sizeof *increment);
    for (int i = 0; i < d->n; i++) v3_sub(increment + 4 * i, x + 3 * i, q + 3 * i);
    return CORD_OK;
}

static void get_velocities(const void *model, const double *q, const double *cache, const double *v,
                           double *x)
{
    const der *d = model;
    (void)q;
    (void)cache;
    for (int i = 0; d->reported == 0 && i < d->n; i++) v3_copy(x + 3 * i, v + 4 * i);
    for (int i = 0; i < d->reported; i++) {
        double weight;
        const double *from = v + 4 * cord__der_vertex_edge(d, i, &weight);
        v3_combine(x + 3 * i, 1 - weight, from, weight, from + 4);
    }
}

static cord_status set_velocities(const void *model, memory *m, const double *q,
                                  const double *cache, double *v, const double *x)
{
    const der *d = model;
    (void)m, (void)q, (void)cache;
    if (d->reported > 0) return CORD_ERROR_UNSUPPORTED;
    for (int i = 0; i < d->n; i++) v3_copy(v + 4 * i, x + 3 * i);
    return CORD_OK;
}

static void frames(const void *model, const block_eval *at, double *out)
{
    const der *d = model;
    for (int j = 0; j < der_reported_edges(d); j++, out += 9) {
        const der_edge *edge = der_edges(at->cache) + cord__der_middle_edge(d, j);
        v3_copy(out, edge->t);
        v3_copy(out + 3, edge->m1);
        v3_copy(out + 6, edge->m2);
    }
}

static void curvatures(const void *model, const double *q, const double *cache, double *k)
{
    const der *d = model;
    (void)q;
    for (int i = 0; d->reported == 0 && i < d->n; i++) cord__der_curvature(d, cache, i, k + 3 * i);
    for (int i = 0; i < d->reported; i++, k += 3) {
        double weight, next[3];
        int edge = cord__der_vertex_edge(d, i, &weight);
        cord__der_curvature(d, cache, edge, k);
        cord__der_curvature(d, cache, edge + 1, next);
        v3_combine(k, 1 - weight, k, weight, next);
    }
}

/* θ_j against the Bishop frame transported from the first edge: the sum of the twists before it. */
static void angles(const void *model, const double *q, const double *cache, double *theta)
{
    const der *d = model;
    const double *twist = der_twist(d, q);
    (void)cache;
    double sum = 0;
    for (int i = 0, j = 0; i < der_reported_edges(d); i++) {
        for (int last = cord__der_middle_edge(d, i); j < last;) {
            int p = d->frame_at[++j];
            const double *frame = p >= 0 ? der_vertex_frame_q(d, q, p) : NULL;
            sum += frame ? frame[9] + frame[10] : twist[j];
        }
        theta[i] = sum;
    }
}

static void tensions(const void *model, const block_eval *now, double *t)
{
    const der *d = model;
    const der_edge *edge = der_edges(now->cache);
    for (int i = 0; i < der_reported_edges(d); i++) {
        const int j = cord__der_middle_edge(d, i);
        double ratio = edge[j].length / d->rest[j];
        t[i] = d->inextensible ? -now->lambda[j] * ratio : d->section.stretching * (ratio - 1);
    }
}

static void set_closing_twist(const void *model, double *q, double angle)
{
    const der *d = model;
    if (!d->closed) return;
    double *closing = q + der_closing_offset(d), *m1 = q + der_m1_offset(d),
           *twist = q + der_twist_offset(d);
    double change = angle - *closing, length = d->arc[d->edges], turned = 0;
    *closing = angle;
    /* The twist is distributed uniformly. A vertex frame bounds a run of the quasistatic solve, so
     * the change stays within the run of the closing joint. */
    for (int i = 0; i < d->n; i++) {
        double share = change * d->cell[i] / (2 * length);
        if (i > 0) turned += share;
        if (der_has_joint(d, i)) twist[i] += share;
        double e[3], t[3], m2[3], *m = m1 + 3 * i;
        v3_sub(e, q + 3 * der_next(d, i), q + 3 * i);
        v3_normalize(t, e);
        v3_cross(m2, t, m);
        v3_combine(m, cos(turned), m, sin(turned), m2);
    }
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    const der_eval at = {.at = *in};
    (matrix && matrix->low ? cord__der_assemble_extended : cord__der_assemble)(model, &at, r, g,
                                                                               matrix);
}

static void assemble_midpoint(const void *model, const block_eval *in, const midpoint_step *step,
                              double *r, double *g, local_matrix *matrix)
{
    const der_eval at = {*in, *step};
    cord__der_assemble(model, &at, r, g, matrix);
}

/* ---- the tables -------------------------------------------------------------------------------- */

static const row_ops rows = {.dofs = row_dofs, .rates = row_rates, .error = row_error};
static const frame_ops vertex_frames = {.extend = cord__der_extend,
                                        .rotate = cord__der_rotate_frame};
static const sliding_ops sliding = {.element_at = cord__der_element_at,
                                    .jacobian = cord__der_slide};
static const midpoint_ops midpoint = {.assemble = assemble_midpoint};
static const parameter_ops parameters = {.prepare = cord__der_prepare_parameters,
                                         .set = cord__der_set_parameters,
                                         .row_drift = cord__der_row_drift};
static const projection_ops projection = {.translate = cord__der_shift,
                                          .row_jacobian = row_jacobian,
                                          .project = cord__der_project,
                                          .solve_quasistatic = cord__der_relax};

const strand_ops cord__der = {
    .block = {.name = CORD_MODEL_DER,
              .describe = describe,
              .elimination_order = elimination_order,
              .scales = scales,
              .inertia = inertia,
              .initial = initial,
              .retract = cord__der_retract,
              .refresh = cord__der_refresh,
              .assemble = assemble,
              .energy = cord__der_energy,
              .attach = cord__der_attach,
              .point_jacobian = cord__der_point_jacobian,
              .destroy = cord__der_destroy,
              .pin = pin,
              .nonlinearity = cord__der_nonlinearity,
              .refresh_rows = cord__der_refresh_rows,
              .rows = &rows,
              .extra_entries = extra_entries,
              .frames = &vertex_frames,
              .sliding = &sliding,
              .contact = &cord__der_contact,
              .midpoint = &midpoint,
              .projection = &projection,
              .parameters = &parameters,
              .growth = &cord__der_growth,
              .batch = &cord__der_batch},
    .traits = {.has_vertex_dofs = true},
    .create = cord__der_create,
    .info = info,
    .get_positions = get_positions,
    .coordinates = coordinates,
    .displacement = displacement,
    .get_velocities = get_velocities,
    .set_velocities = set_velocities,
    .frames = frames,
    .frame_at = cord__der_frame_at,
    .curvatures = curvatures,
    .angles = angles,
    .tensions = tensions,
    .set_closing_twist = set_closing_twist,
    .division = &cord__der_division,
};
