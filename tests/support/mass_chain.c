#include "support/mass_chain.h"

#include "curve/section.h"
#include "math/band.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

typedef struct chain {
    int n; /* masses */
    double stiffness, line_mass, damping, drag;
    double *rest, *arc, *mass, *x, *v; /* n - 1, n, n, 3n, 3n */
} chain;

enum { WIDTH = 5 };

/* ---- construction ------------------------------------------------------------------------------- */

static void destroy(void *model, memory *m)
{
    chain *c = model;
    if (!c) return;
    void *pieces[] = {c->rest, c->arc, c->mass, c->x, c->v, c};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) cord__release(m, pieces[i]);
}

static cord_status create(const cord_strand_def *def, memory *m, void **model, char *why,
                          size_t size)
{
    *model = NULL;
    section_stiffness section;
    cord_status status = cord__section(&def->material, &def->section, &section, why, size);
    if (status != CORD_OK) return status;
    if (def->closed || def->vertex_count < 2 || !def->positions) {
        snprintf(why, size, "a chain is open and has 2 positions at least");
        return CORD_ERROR_ARGUMENT;
    }
    chain *c = NEW(m, chain, 1);
    if (!c) return CORD_ERROR_MEMORY;
    int n = c->n = def->vertex_count;
    c->rest = NEW(m, double, n - 1);
    c->arc = NEW(m, double, n);
    c->mass = NEW(m, double, n);
    c->x = NEW(m, double, 3 * n);
    c->v = NEW(m, double, 3 * n);
    if (!c->rest || !c->arc || !c->mass || !c->x || !c->v) {
        destroy(c, m);
        return CORD_ERROR_MEMORY;
    }
    const double *natural = def->natural_positions ? def->natural_positions : def->positions;
    c->stiffness = section.stretching;
    c->line_mass = section.mass;
    c->damping = def->damping, c->drag = def->drag;
    for (int j = 0; j < n - 1; j++) {
        c->rest[j] = v3_distance(natural + 3 * j, natural + 3 * j + 3);
        c->arc[j + 1] = c->arc[j] + c->rest[j];
        c->mass[j] += 0.5 * section.mass * c->rest[j];
        c->mass[j + 1] += 0.5 * section.mass * c->rest[j];
    }
    memcpy(c->x, def->positions, (size_t)(3 * n) * sizeof(double));
    if (def->velocities) memcpy(c->v, def->velocities, (size_t)(3 * n) * sizeof(double));
    *model = c;
    return CORD_OK;
}

/* ---- the block ---------------------------------------------------------------------------------- */

static void describe(const void *model, block_shape *shape)
{
    const chain *c = model;
    *shape = (block_shape){.q_count = 3 * c->n,
                           .dofs = 3 * c->n,
                           .mass = MASS_DIAGONAL,
                           .cache_count = 4 * (c->n - 1),
                           .band_count = 3 * c->n,
                           .band_width = WIDTH,
                           .unused_position = -1,
                           .group = 3,
                           .jacobian_dofs = 6};
}

static void elimination_order(const void *model, int *position)
{
    for (int u = 0; u < 3 * ((const chain *)model)->n; u++) position[u] = u;
}

static void scales(const void *model, double *scale, double *stiffness)
{
    const chain *c = model;
    for (int u = 0; u < 3 * c->n; u++) {
        scale[u] = c->rest[u / 3 < c->n - 1 ? u / 3 : c->n - 2];
        stiffness[u] = 0;
    }
}

static void initial(const void *model, double *q, double *v)
{
    const chain *c = model;
    memcpy(q, c->x, (size_t)(3 * c->n) * sizeof *q);
    memcpy(v, c->v, (size_t)(3 * c->n) * sizeof *v);
}

static void retract(const void *model, double *q, const double *d)
{
    for (int u = 0; u < 3 * ((const chain *)model)->n; u++) q[u] += d[u];
}

/* Per spring: direction and length. */
static void refresh(const void *model, const double *q, double *cache)
{
    const chain *c = model;
    for (int j = 0; j < c->n - 1; j++) {
        double e[3];
        v3_sub(e, q + 3 * j + 3, q + 3 * j);
        cache[4 * j + 3] = v3_normalize(cache + 4 * j, e);
    }
}

/* EA (l/l̄ − 1), with a discrete gradient over `step` where there is one, and its damping. */
static double spring_force(const chain *c, const block_eval *in, const midpoint_step *step, int j)
{
    const double *t = in->cache + 4 * j;
    double w[3], force = c->stiffness * (t[3] / c->rest[j] - 1);
    if (step) { /* (V(end) − V(start)) / (t · Δe) */
        double before = step->start[4 * j + 3], after = step->end[4 * j + 3];
        v3_sub(w, step->d + 3 * j + 3, step->d + 3 * j);
        double ratio = (after - before) / v3_dot(t, w);
        force = c->stiffness * (0.5 * (before + after) / c->rest[j] - 1);
        if (fabs(ratio - 1) < 0.5) force *= ratio; /* else: a motion lost in round-off */
    }
    v3_sub(w, in->v + 3 * j + 3, in->v + 3 * j);
    return force + c->damping * c->stiffness / c->rest[j] * v3_dot(t, w);
}

static void add(local_matrix *matrix, int row, int col, double value)
{
    *matrix_entry(matrix, col, row - col) += value;
}

static void spring_matrix(const chain *c, const block_eval *in, int j, double force,
                          local_matrix *matrix)
{
    const double *t = in->cache + 4 * j;
    double across = in->c_k * force / t[3];
    double along = c->stiffness / c->rest[j] * (in->c_k + c->damping * in->c_v) - across;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double k = along * t[a] * t[b] + (a == b ? across : 0);
            add(matrix, 3 * j + 3 + a, 3 * j + b, -k);
            if (a < b) continue;
            add(matrix, 3 * j + a, 3 * j + b, k);
            add(matrix, 3 * j + 3 + a, 3 * j + 3 + b, k);
        }
}

static void assemble_midpoint(const void *model, const block_eval *in, const midpoint_step *step,
                              double *r, double *g, local_matrix *matrix)
{
    const chain *c = model;
    (void)g;
    for (int u = 0; u < 3 * c->n; u++) {
        double m = c->mass[u / 3], drag = c->drag * m / c->line_mass;
        r[u] = m * (in->a[u] - in->environment->gravity[u % 3]) + drag * in->v[u];
        if (matrix) add(matrix, u, u, in->c_a * m + in->c_v * drag);
    }
    for (int j = 0; j < c->n - 1; j++) {
        double force = spring_force(c, in, step, j);
        v3_axpy(r + 3 * j, -force, in->cache + 4 * j);
        v3_axpy(r + 3 * j + 3, force, in->cache + 4 * j);
        if (matrix) spring_matrix(c, in, j, force, matrix);
    }
    for (int u = 0; in->rows_only && u < 3 * c->n; u++) r[u] = 0; /* there are no rows */
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    assemble_midpoint(model, in, NULL, r, g, matrix);
}

static void energy(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e)
{
    const chain *c = model;
    (void)inertial_v;
    memset(e, 0, sizeof *e);
    for (int i = 0; i < c->n; i++) {
        double h[3];
        e->kinetic += 0.5 * c->mass[i] * v3_dot(v + 3 * i, v + 3 * i);
        e->gravity -= c->mass[i] * v3_dot(env->gravity, q + 3 * i);
        v3_axpy(e->linear, c->mass[i], v + 3 * i);
        v3_cross(h, q + 3 * i, v + 3 * i);
        v3_axpy(e->angular, c->mass[i], h);
    }
    for (int j = 0; j < c->n - 1; j++) {
        double strain = cache[4 * j + 3] / c->rest[j] - 1;
        e->stretching += 0.5 * c->stiffness * c->rest[j] * strain * strain;
    }
}

static cord_status attach(void *model, memory *m, measure what, double s, attachment *at)
{
    const chain *c = model;
    (void)m;
    if (what != MEASURE_POSITION) return CORD_ERROR_UNSUPPORTED;
    int j = 0;
    while (j < c->n - 2 && c->arc[j + 1] <= s) j++;
    double fraction = (s - c->arc[j]) / c->rest[j];
    *at = (attachment){.index = j, .weight = {1 - fraction, fraction}, .unit = -1};
    if (fabs(fraction) < 1e-6) at->unit = 3 * j;
    if (fabs(fraction - 1) < 1e-6) at->unit = 3 * j + 3;
    return CORD_OK;
}

static void jacobian(const void *model, const double *q, const double *cache, const attachment *at,
                     measure what, point_jacobian *j)
{
    (void)model, (void)cache, (void)what;
    int first = at->unit >= 0 ? at->unit : 3 * at->index, ends = at->unit >= 0 ? 1 : 2;
    j->runs = 1;
    j->run[0].first = first;
    j->run[0].count = j->dofs = 3 * ends;
    memset(j->J, 0, (size_t)(9 * ends) * sizeof(double));
    v3_set(j->value, 0, 0, 0);
    for (int i = 0; i < ends; i++) {
        double weight = at->unit >= 0 ? 1 : at->weight[i];
        v3_axpy(j->value, weight, q + first + 3 * i);
        for (int k = 0; k < 3; k++) j->J[9 * i + 4 * k] = weight;
    }
}

static double inertia(const void *model, double *diagonal)
{
    const chain *c = model;
    for (int u = 0; u < 3 * c->n; u++) diagonal[u] = c->mass[u / 3];
    return 0;
}

/* ---- queries ------------------------------------------------------------------------------------ */

static void info(const void *model, cord_strand_info *out)
{
    const chain *c = model;
    out->vertex_count = c->n;
    out->edge_count = c->n - 1;
    out->length = c->arc[c->n - 1];
    out->mass = c->line_mass * out->length;
    out->stretching = c->stiffness;
    out->stable_step = c->rest[0] * sqrt(c->line_mass / c->stiffness);
}

static void get(const void *model, const double *from, double *x)
{
    memcpy(x, from, (size_t)(3 * ((const chain *)model)->n) * sizeof *x);
}

static void get_positions(const void *model, const block_eval *at, double *x)
{
    get(model, at->q, x);
}

static void coordinates(const void *model, const double *cache, double *s)
{
    const chain *c = model;
    (void)cache;
    memcpy(s, c->arc, (size_t)c->n * sizeof *s);
}

static void get_velocities(const void *model, const double *q, const double *cache, const double *v,
                           double *x)
{
    (void)q, (void)cache;
    get(model, v, x);
}

static cord_status set_velocities(const void *model, memory *m, const double *q,
                                  const double *cache, double *v, const double *x)
{
    (void)m, (void)q, (void)cache;
    get(model, x, v);
    return CORD_OK;
}

static cord_status displacement(const void *model, memory *m, const double *q, const double *x,
                                double *d)
{
    (void)m;
    for (int u = 0; u < 3 * ((const chain *)model)->n; u++) d[u] = x[u] - q[u];
    return CORD_OK;
}

static void tensions(const void *model, const block_eval *now, double *t)
{
    const chain *c = model;
    for (int j = 0; j < c->n - 1; j++)
        t[j] = c->stiffness * (now->cache[4 * j + 3] / c->rest[j] - 1);
}

void mass_chain_rigid(const void *model, const double *q, const double *cache, const double u[3],
                      const double w[3], double *v)
{
    (void)cache;
    for (int i = 0; i < ((const chain *)model)->n; i++) {
        v3_cross(v + 3 * i, w, q + 3 * i);
        v3_add(v + 3 * i, v + 3 * i, u);
    }
}

static const midpoint_ops midpoint = {.assemble = assemble_midpoint};

/* Frames, curvatures and angles are left out: a model need not have them. */
const strand_ops mass_chain = {
    .block = {.name = "mass_chain",
              .describe = describe,
              .elimination_order = elimination_order,
              .scales = scales,
              .inertia = inertia,
              .initial = initial,
              .retract = retract,
              .refresh = refresh,
              .assemble = assemble,
              .energy = energy,
              .attach = attach,
              .point_jacobian = jacobian,
              .destroy = destroy,
              .midpoint = &midpoint},
    .create = create,
    .info = info,
    .get_positions = get_positions,
    .coordinates = coordinates,
    .get_velocities = get_velocities,
    .displacement = displacement,
    .set_velocities = set_velocities,
    .tensions = tensions,
};
