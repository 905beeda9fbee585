/* Chains of curvature elements: shape of the matrix, rows, queries, fitting to vertices, and the tables of operations. */
#include "strand/chain/chain.h"
#include "strand/definition.h"
#include "math/rotation.h"

#include <string.h>

static void describe(const void *model, block_shape *shape)
{
    const chain_model *c = model;
    const double *k = c->stiffness;
    double least = fmin(fmin(k[0], k[1]), k[2]), most = fmax(fmax(k[0], k[1]), k[2]);
    *shape = (block_shape){.q_count = chain_q_count(c),
                           .softest = c->planar ? 1 : least / most,
                           .dofs = chain_dofs(c),
                           .rows = 6 * c->elements,
                           .cache_count = chain_cache_count(c),
                           .work_count = cord__chain_work_count(c),
                           .mass = MASS_CONFIGURATION,
                           .band_count = chain_dofs(c) + 6 * c->elements,
                           .band_width = 2 * (12 + c->numbers) - 1,
                           .unused_position = -1,
                           .group = c->numbers,
                           .jacobian_dofs = chain_size(c) > 12 ? chain_size(c) : 12,
                           /* of bars: four nodes, three of them with frames */
                           .contact_dofs = c->kind == ELEMENT_SEGMENT ? 21 : chain_size(c),
                           .inertial_count = chain_inertial_count(c),
                           .private_count = chain_own_count(c)};
}

static void elimination_order(const void *model, int *position)
{
    const chain_model *c = model;
    int columns = chain_dofs(c);
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6 + chain_carried(c, n); k++)
            position[chain_dof(c, n) + k] = chain_position(c, n) + k;
    for (int r = 0; r < 6 * c->elements; r++)
        position[columns + r] = chain_row_position(c, r / 6 + 1) + r % 6;
}

static int row_dofs(const void *model, int row, int *dofs)
{
    const chain_model *c = model;
    int e = row / 6, count = 0, k = row % 6;
    dofs[count++] = chain_dof(c, e + 1) + k;
    dofs[count++] = chain_dof(c, e) + k;
    for (int i = 3; k < 3 && i < 6; i++) dofs[count++] = chain_dof(c, e) + i;
    for (int j = 0; j < c->local; j++) dofs[count++] = chain_local_dof(c, e, j);
    return count;
}

static void row_rates(const void *model, const double *cache, const double *side, const double *v,
                      double *rate)
{
    (void)side;
    const chain_model *c = model;
    for (int e = 0; e < c->elements; e++) {
        const chain_local *end = chain_end(c, cache, e);
        const double *from = v + chain_dof(c, e), *to = v + chain_dof(c, e + 1);
        double swing[3], *out = rate + 6 * e;
        v3_cross(swing, from + 3, end->r);
        for (int k = 0; k < 3; k++) {
            out[k] = to[k] - from[k] - swing[k];
            out[3 + k] = to[3 + k] - from[3 + k];
        }
        for (int j = 0; j < c->local; j++) {
            double x = v[chain_local_dof(c, e, j)];
            v3_axpy(out, -x, end->P + 3 * j);
            v3_axpy(out + 3, -x, end->W + 3 * j);
        }
    }
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const chain_model *c = model;
    double length = c->arc[c->elements];
    memset(stiffness, 0, (size_t)chain_dofs(c) * sizeof *stiffness);
    for (int n = 0; n <= c->elements; n++) {
        double *own = scale + chain_dof(c, n);
        for (int k = 0; k < 3; k++) own[k] = length / c->bars, own[3 + k] = 1;
        for (int k = 0; k < chain_carried(c, n); k++) own[6 + k] = 1 / length;
    }
}

/* Typical inertia of nodes and curvatures, from the mass of a node's cell and its length. */
static double inertia(const void *model, double *weight)
{
    const chain_model *c = model;
    double stiffest = 0;
    for (int n = 0; n <= c->elements; n++) {
        double *own = weight + chain_dof(c, n), l = chain_cell(c, n);
        double mass = c->section.mass * l;
        for (int k = 0; k < 3; k++) own[k] = mass, own[3 + k] = mass * l * l;
        for (int k = 0; k < chain_carried(c, n); k++) {
            own[6 + k] = mass * l * l * l * l;
            double stiffness = c->stiffness[chain_axis(c, k)] * l;
            stiffest = fmax(stiffest, stiffness / own[6 + k]);
        }
    }
    return stiffest;
}

static void initial(const void *model, double *q, double *v)
{
    const chain_model *c = model;
    memcpy(q, c->initial_q, (size_t)chain_q_count(c) * sizeof *q);
    memcpy(v, c->initial_v, (size_t)chain_dofs(c) * sizeof *v);
}

/* Where the plane is normal to a world axis the base stays in it, unless a carrier moves it. */
static void pin(const void *model, const unsigned char *touched, unsigned char *prescribed)
{
    const chain_model *c = model;
    (void)touched;
    for (int k = 0; c->plane >= 0 && k < 3; k++) {
        if (!prescribed[k]) prescribed[k] = k == c->plane;
        if (!prescribed[3 + k]) prescribed[3 + k] = k != c->plane;
    }
}

/* No node may rotate by more than about one radian in one increment. */
static double nonlinearity(const void *model, const double *cache, const double *d)
{
    const chain_model *c = model;
    double worst = 0;
    (void)cache;
    for (int n = 0; n <= c->elements; n++) worst = fmax(worst, v3_norm(d + chain_dof(c, n) + 3));
    return worst;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void info(const void *model, cord_strand_info *out)
{
    const chain_model *c = model;
    double shortest = c->shortest;
    out->vertex_count = c->vertices;
    out->edge_count = c->vertices - 1;
    out->element_count = c->bars;
    out->length = c->arc[c->elements];
    cord__section_info(&c->shape, &c->section, out);
    out->stable_step =
        0.5 * shortest * shortest * sqrt(c->section.mass / fmax(c->stiffness[1], c->stiffness[2]));
}

static void position_of(const chain_model *c, const double *cache, const chain_location *at,
                        double *x)
{
    double frame[9], r[3];
    if (at->node >= 0) { /* the same number as of a point there */
        v3_copy(x, chain_nodes(cache)[at->node].position);
        return;
    }
    cord__chain_pose(c, cache, at, frame, r);
    v3_add(x, chain_nodes(cache)[at->element].position, r);
}

static void get_positions(const void *model, const block_eval *at, double *x)
{
    const chain_model *c = model;
    for (int i = 0; i < c->vertices; i++) position_of(c, at->cache, c->vertex + i, x + 3 * i);
}

static void coordinates(const void *model, const double *cache, double *s)
{
    const chain_model *c = model;
    (void)cache;
    for (int i = 0; i < c->vertices; i++) s[i] = c->vertex[i].s;
}

static void get_velocities(const void *model, const double *q, const double *cache, const double *v,
                           double *x)
{
    const chain_model *c = model;
    double J[3 * JACOBIAN_DOFS_MAX];
    point_jacobian j = {.J = J};
    for (int i = 0; i < c->vertices; i++, x += 3) {
        cord__chain_jacobian_at(c, q, cache, c->vertex + i, MEASURE_POSITION, &j);
        v3_set(x, 0, 0, 0);
        for (int run = 0, k = 0; run < j.runs; run++)
            for (int n = 0; n < j.run[run].count; n++, k++)
                v3_axpy(x, v[j.run[run].first + n], J + 3 * k);
    }
}

/* ---- fitting motion to vertices ---------------------------------------------------------------- */

/* Doubles of workspace of least_squares(). */
static int least_squares_count(const chain_model *c)
{
    return chain_own_count(c) + 2 * chain_dofs(c) + 6 * c->elements;
}

/* The increment d that minimises Σ |J_i d − moves_i|² over the vertices i, regularised by a small
 * multiple of the elastic energy where the vertices do not determine d; solved by the O(N)
 * elimination of the chain (solve.c). */
static bool least_squares(const chain_model *c, const double *cache, const double *moves,
                          double weight, double *increment, double *work)
{
    int columns = chain_dofs(c), unknowns = columns + 6 * c->elements, size = chain_size(c);
    double *own = work, *x = own + chain_own_count(c), *r = x + unknowns;
    const unsigned char prescribed[9] = {0};
    chain_matrix *m = (chain_matrix *)own;
    memset(own, 0, (size_t)chain_own_count(c) * sizeof *own);
    memset(r, 0, (size_t)columns * sizeof *r);
    for (int e = 0; e < c->elements; e++) m[e].end = *chain_end(c, cache, e);
    double length = c->arc[c->elements], small = weight * c->vertices;
    for (int i = 0; i < c->vertices; i++) {
        const chain_location *at = c->vertex + i;
        chain_local local;
        cord__chain_local_at(c, cache, at, NULL, &local);
        double J[6 + LOCAL_MOST][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double *d = local.r;
        v3_set(J[3], 0, -d[2], d[1]);
        v3_set(J[4], d[2], 0, -d[0]);
        v3_set(J[5], -d[1], d[0], 0);
        for (int j = 0; j < c->local; j++) v3_copy(J[6 + j], local.P + 3 * j);
        for (int p = 0; p < size; p++) {
            int column =
                p < 6 ? chain_dof(c, at->element) + p : chain_local_dof(c, at->element, p - 6);
            r[column] += v3_dot(J[p], moves + 3 * i);
            for (int q = 0; q < size; q++) m[at->element].a[p * size + q] += v3_dot(J[p], J[q]);
        }
    }
    for (int e = 0; e < c->elements; e++)
        for (int p = 3; p < size;
             p++) { /* of one radian in all, and of the spin of a straight base */
            double scale = p < 6 ? length * length * 1e-6 : length * length * length * length;
            m[e].a[p * size + p] += small * scale;
        }
    int negative;
    memset(x, 0, (size_t)unknowns * sizeof *x);
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6 + chain_carried(c, n); k++)
            x[chain_position(c, n) + k] = r[chain_dof(c, n) + k];
    if (!cord__chain_factor(c, prescribed, own, &negative)) return false;
    cord__chain_solve(c, prescribed, own, x);
    for (int n = 0; n <= c->elements; n++)
        for (int k = 0; k < 6 + chain_carried(c, n); k++)
            increment[chain_dof(c, n) + k] = x[chain_position(c, n) + k];
    return true;
}

static cord_status set_velocities(const void *model, memory *m, const double *q,
                                  const double *cache, double *v, const double *x)
{
    const chain_model *c = model;
    int dofs = chain_dofs(c);
    double *work = NEW(m, double, least_squares_count(c) + dofs + 3 * c->vertices);
    if (!work) return CORD_ERROR_MEMORY;
    double *d = work + least_squares_count(c), *off = d + dofs;
    memset(v, 0, (size_t)dofs * sizeof *v);
    /* Repeated passes reduce the error of the regularisation by the elastic energy. */
    for (int pass = 0; pass < 6; pass++) {
        get_velocities(c, q, cache, v, off);
        for (int i = 0; i < 3 * c->vertices; i++) off[i] = x[i] - off[i];
        if (!least_squares(c, cache, off, 1e-10, d, work)) break;
        for (int i = 0; i < dofs; i++) v[i] += d[i];
    }
    cord__release(m, work);
    return CORD_OK;
}

/* Sum of the squared distances of the vertices of a configuration from x; `off` receives the
 * displacements to x. */
static double distance_to(const chain_model *c, const double *q, double *cache, const double *x,
                          double *off)
{
    double sum = 0;
    cord__chain_refresh(c, q, cache);
    get_positions(c, &(block_eval){.q = q, .cache = cache}, off);
    for (int i = 0; i < 3 * c->vertices; i++) {
        off[i] = x[i] - off[i];
        sum += off[i] * off[i];
    }
    return sum;
}

/* The increment that leads to the chain nearest to vertices at x: Levenberg and Marquardt. */
static cord_status displacement(const void *model, memory *m, const double *q, const double *x,
                                double *increment)
{
    const chain_model *c = model;
    int columns = chain_dofs(c), fit = least_squares_count(c);
    size_t numbers = (size_t)chain_q_count(c) * sizeof(double);
    double *work = NEW(
        m, double, fit + 2 * chain_q_count(c) + chain_cache_count(c) + columns + 3 * c->vertices);
    if (!work) return CORD_ERROR_MEMORY;
    double *at = work + fit, *cache = at + chain_q_count(c), *d = cache + chain_cache_count(c);
    double *off = d + columns, *retained = off + 3 * c->vertices, weight = 1e-6;
    memcpy(at, q, numbers);
    double far = distance_to(c, at, cache, x, off);
    for (int pass = 0, small = 0; pass < 100 && small < 3; pass++) {
        if (!least_squares(c, cache, off, weight, d, work)) break;
        double bound = 1 / fmax(1, nonlinearity(c, cache, d)), size = 0;
        for (int i = 0; i < columns; i++) d[i] *= bound;
        for (int k = 0; k < chain_knots(c) * c->numbers; k++)
            size = fmax(size, fabs(d[chain_dof(c, k / c->numbers) + 6 + k % c->numbers]));
        memcpy(retained, at, numbers);
        cord__chain_retract(c, at, d);
        double now = distance_to(c, at, cache, x, off);
        if (now <= far) {
            small = bound == 1 && size * c->arc[c->elements] < 1e-12 ? small + 1 : 0;
            far = now;
            weight = fmax(1e-13, 0.1 * weight);
        } else {
            memcpy(at, retained, numbers);
            distance_to(c, at, cache, x, off);
            if (weight <= 1e-13) small++; /* round-off */
            weight *= 100;
        }
    }
    memset(increment, 0, (size_t)columns * sizeof *increment);
    v3_sub(increment, at, q);
    /* at = Δ ∘ q with the rotation Δ; its Cayley vector is twice the vector part over the scalar
     * part */
    const double *a = at + 3, *b = q + 3;
    double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    increment[3] = 2 * (a[1] * b[0] - a[0] * b[1] + a[3] * b[2] - a[2] * b[3]) / w;
    increment[4] = 2 * (a[2] * b[0] - a[0] * b[2] + a[1] * b[3] - a[3] * b[1]) / w;
    increment[5] = 2 * (a[3] * b[0] - a[0] * b[3] + a[2] * b[1] - a[1] * b[2]) / w;
    for (int knot = 0; knot < chain_knots(c); knot++)
        for (int k = 0; k < c->numbers; k++)
            increment[chain_dof(c, knot) + 6 + k] =
                chain_kappa(c, at, knot)[k] - chain_kappa(c, q, knot)[k];
    cord__release(m, work);
    return CORD_OK;
}

/* ---- frames and curvatures ---------------------------------------------------------------------- */

static void location_frame(const chain_model *c, const double *cache, const chain_location *at,
                           double *frame)
{
    double r[3];
    if (at->node >= 0 && c->kind != ELEMENT_SEGMENT)
        memcpy(frame, chain_nodes(cache)[at->node].frame, sizeof chain_nodes(cache)->frame);
    else
        cord__chain_pose(c, cache, at, frame, r);
}

static void frames(const void *model, const block_eval *at, double *out)
{
    const chain_model *c = model;
    for (int i = 0; i + 1 < c->vertices; i++)
        location_frame(c, at->cache, c->edge + i, out + 9 * i);
}

static void frame_at(const void *model, const double *q, const double *cache, double s,
                     double *frame)
{
    const chain_model *c = model;
    chain_location at;
    cord__chain_locate(c, s, &at);
    if (at.node == c->bars && c->kind == ELEMENT_SEGMENT)
        cord__chain_end_frame(c, q, cache, frame);
    else if (at.node >= 0) /* of a segment that ends there, on which constraints act */
        memcpy(frame, chain_nodes(cache)[at.node].frame, sizeof chain_nodes(cache)->frame);
    else
        location_frame(c, cache, &at, frame);
}

static void curvatures(const void *model, const double *q, const double *cache, double *k)
{
    const chain_model *c = model;
    (void)cache;
    for (int i = 0; i < c->vertices; i++, k += 3) {
        const chain_location *at = c->vertex + i;
        curvature own;
        cord__chain_curvature(c, q, at->element, &own);
        double full[3];
        v3_combine(full, 1, own.start, at->u, own.slope);
        v3_set(k, full[1], full[2], full[0]);
    }
}

/* The internal force at a node is minus its row's multiplier; between nodes it is interpolated
 * linearly. */
static void tensions(const void *model, const block_eval *now, double *t)
{
    const chain_model *c = model;
    const double *cache = now->cache, *lambda = now->lambda;
    for (int i = 0; i + 1 < c->vertices; i++) {
        const chain_location *at = c->edge + i;
        int e = at->element, last = c->bars - 1;
        double f = at->u / c->length[e], force[3], frame[9];
        const double *end = lambda + 6 * e, *start = e > 0 ? end - 6 : end;
        const double *next = e < last ? end + 6 : end;
        for (int k = 0; k < 3; k++) {
            double begin = e > 0 ? start[k] : 2 * end[k] - next[k];
            force[k] = -((1 - f) * begin + f * end[k]);
        }
        location_frame(c, cache, at, frame);
        t[i] = v3_dot(force, frame);
    }
}

/* ---- the tables --------------------------------------------------------------------------------- */

static cord_status create(element_kind kind, const cord_strand_def *def, memory *m, void **model,
                          char *why, size_t size)
{
    cord_status status = cord__chain_create(kind, def, m, model, why, size);
    if (status != CORD_OK || !def->velocities) return status;
    chain_model *c = *model;
    double *cache = NEW(m, double, chain_cache_count(c));
    status = cache ? CORD_OK : CORD_ERROR_MEMORY;
    if (cache) {
        cord__chain_refresh(c, c->initial_q, cache);
        status = set_velocities(c, m, c->initial_q, cache, c->initial_v, def->velocities);
    }
    cord__release(m, cache);
    if (status == CORD_OK) return CORD_OK;
    cord__chain_destroy(c, m);
    *model = NULL;
    return status;
}

static int section_count(const void *model)
{
    return chain_director_count(model) / 6;
}

static void base_rotation(const void *model, const double *cache, const double axis[3], double *d)
{
    const chain_model *c = model;
    memset(d, 0, (size_t)chain_dofs(c) * sizeof *d);
    v3_copy(d + 3, axis);
    cord__chain_follow(model, cache, d);
}

static const frame_ops end_joint = {.extend = cord__chain_extend};
static const row_ops rows = {.dofs = row_dofs, .rates = row_rates};
static const sliding_ops sliding = {.element_at = cord__chain_element_at,
                                    .jacobian = cord__chain_slide,
                                    .add_stiffness = cord__chain_stiffen_slide};
static const inertial_ops inertial = {.coordinates = cord__chain_inertial_x,
                                      .rates = cord__chain_inertial_rates,
                                      .momenta = cord__chain_momenta,
                                      .section_count = section_count,
                                      .base_rotation = base_rotation};
static const parameter_ops parameters = {.prepare = cord__chain_prepare_parameters,
                                         .set = cord__chain_set_parameters};
static const private_solver_ops private_solver = {.factor = cord__chain_factor,
                                                  .solve = cord__chain_solve,
                                                  .refresh_coordinates =
                                                      cord__chain_refresh_positions};
static const midpoint_ops midpoint = {.assemble = cord__chain_assemble_midpoint,
                                      .correct_energy = cord__chain_correct_energy,
                                      .end_velocities = cord__chain_end_velocities};
static const semi_implicit_ops semi_implicit = {.assemble = cord__chain_assemble_semi_implicit};

#define CHAIN_MODEL(symbol, model_name, element)                                                   \
    static cord_status create_##symbol(const cord_strand_def *def, memory *m, void **model,        \
                                       char *why, size_t size)                                     \
    {                                                                                              \
        return create(element, def, m, model, why, size);                                          \
    }                                                                                              \
    const strand_ops cord__##symbol = {                                                            \
        .block = {.name = model_name,                                                              \
                  .describe = describe,                                                            \
                  .elimination_order = elimination_order,                                          \
                  .scales = scales,                                                                \
                  .inertia = inertia,                                                              \
                  .initial = initial,                                                              \
                  .retract = cord__chain_retract,                                                  \
                  .refresh = cord__chain_refresh,                                                  \
                  .assemble = cord__chain_assemble,                                                \
                  .energy = cord__chain_energy,                                                    \
                  .attach = cord__chain_attach,                                                    \
                  .point_jacobian = cord__chain_point_jacobian,                                    \
                  .destroy = cord__chain_destroy,                                                  \
                  .pin = pin,                                                                      \
                  .nonlinearity = nonlinearity,                                                    \
                  .set_dependent_dofs = cord__chain_follow,                                        \
                  .add_geometric_stiffness = cord__chain_stiffen,                                  \
                  .rows = &rows,                                                                   \
                  .frames = &end_joint,                                                            \
                  .sliding = &sliding,                                                             \
                  .contact = &cord__chain_contact,                                                 \
                  .inertial = &inertial,                                                           \
                  .private_solver = &private_solver,                                               \
                  .batch = &cord__chain_batch,                                                     \
                  .midpoint = &midpoint,                                                           \
                  .quadrature = &cord__chain_quadrature,                                           \
                  .semi_implicit = &semi_implicit,                                                 \
                  .parameters = &parameters,                                                       \
                  .growth = element == ELEMENT_SEGMENT ? NULL : &cord__chain_growth},              \
        .traits = {.has_elements = true,                                                           \
                   .has_nodal_curvature = element == ELEMENT_CLOTHOID,                             \
                   .has_exact_twist = element != ELEMENT_SEGMENT},                                 \
        .create = create_##symbol,                                                                 \
        .info = info,                                                                              \
        .get_positions = get_positions,                                                            \
        .coordinates = coordinates,                                                                \
        .displacement = displacement,                                                              \
        .get_velocities = get_velocities,                                                          \
        .set_velocities = set_velocities,                                                          \
        .frames = frames,                                                                          \
        .frame_at = frame_at,                                                                      \
        .curvatures = curvatures,                                                                  \
        .tensions = tensions,                                                                      \
        .elements = cord__chain_elements,                                                          \
        .reduce_forces = cord__chain_reduce,                                                       \
        .set_natural_shape = cord__chain_rest,                                                     \
        .stability = cord__chain_stability,                                                        \
        .scale_stiffness = cord__chain_stiffen_all,                                                \
        .division = &cord__chain_division,                                                         \
    };

CHAIN_MODEL(segment, CORD_MODEL_SEGMENT, ELEMENT_SEGMENT)
CHAIN_MODEL(helix, CORD_MODEL_HELIX, ELEMENT_HELIX)
CHAIN_MODEL(clothoid, CORD_MODEL_CLOTHOID, ELEMENT_CLOTHOID)
