#include "block/slider.h"

#include <math.h>

static void describe(const void *model, block_shape *shape)
{
    const slider *s = model;
    *shape = (block_shape){.q_count = 1,
                           .dofs = 1,
                           .cache_count = 1,
                           .mass = MASS_DIAGONAL,
                           .band_count = 1,
                           .unused_position = -1,
                           .parts = 1,
                           .group = 1,
                           .jacobian_dofs = 1,
                           .inertial_count = s->mass > 0              ? 3
                                             : s->carried_inertia > 0 ? 1
                                                                      : 0,
                           .coordinate = {true, s->friction, s->inertia}};
}

static void elimination_order(const void *model, int *position)
{
    (void)model;
    position[0] = 0;
}

static void scales(const void *model, double *scale, double *stiffness)
{
    scale[0] = ((const slider *)model)->scale;
    stiffness[0] = 0;
}

static void initial(const void *model, double *q, double *v)
{
    q[0] = ((const slider *)model)->s;
    v[0] = ((const slider *)model)->rate;
}

static void retract(const void *model, double *q, const double *d)
{
    (void)model;
    q[0] += d[0];
}

static void refresh(const void *model, const double *q, double *cache)
{
    (void)model;
    cache[0] = q[0];
}

/* r = c ṡ + I s̈, with c viscous friction. The block is one part: r is added to. */
static void assemble_part(const void *model, const block_eval *in, int part, double *r, double *g,
                          local_matrix *matrix)
{
    const slider *s = model;
    (void)part, (void)g;
    if (!in->rows_only) r[0] += s->friction * in->v[0] + s->inertia * in->a[0];
    /* A pivot is needed even where rates have no coefficient; for frequencies (c_a < 0) there is no
     * friction. */
    double rates = in->c_v > 0 ? in->c_v : sqrt(fmax(in->c_a, 0));
    if (matrix) *matrix_entry(matrix, 0, 0) += rates * s->friction + in->c_a * s->inertia;
}

static void assemble(const void *model, const block_eval *in, double *r, double *g,
                     local_matrix *matrix)
{
    r[0] = 0;
    assemble_part(model, in, 0, r, g, matrix);
}

static void energy(const void *model, const environment *env, const double *q, const double *cache,
                   const double *v, const double *inertial_v, block_energy *e)
{
    (void)env, (void)q, (void)cache, (void)inertial_v;
    *e = (block_energy){.kinetic = 0.5 * ((const slider *)model)->inertia * v[0] * v[0]};
}

static cord_status attach(void *model, memory *m, measure what, double s, attachment *at)
{
    (void)model, (void)m, (void)what, (void)s, (void)at;
    return CORD_ERROR_UNSUPPORTED;
}

/* Its only measure is the coordinate itself. */
static void jacobian(const void *model, const double *q, const double *cache, const attachment *at,
                     measure what, point_jacobian *j)
{
    (void)model, (void)cache, (void)at, (void)what;
    j->value[0] = q[0], j->value[1] = j->value[2] = 0;
    j->runs = 1;
    j->run[0].first = 0, j->run[0].count = j->dofs = 1;
    j->J[0] = 1, j->J[1] = j->J[2] = 0;
}

/* A coordinate without inertia that no constraint couples is prescribed. */
static void pin(const void *model, const unsigned char *touched, unsigned char *prescribed)
{
    const slider *s = model;
    if (!touched[0] && s->inertia == 0 && s->carried_inertia == 0) prescribed[0] = 1;
}

static double inertia(const void *model, double *diagonal)
{
    const slider *s = model;
    diagonal[0] = s->inertia + s->mass + s->carried_inertia;
    return 0;
}

/* The sliding Jacobian describes the strand near the coordinate only. */
static double nonlinearity(const void *model, const double *cache, const double *d)
{
    (void)cache;
    return fabs(d[0]) / ((const slider *)model)->max_correction;
}

static void destroy(void *model, memory *m)
{
    cord__release(m, model);
}

static const parts_ops parts = {.assemble = assemble_part};

static const block_ops slider_ops = {.name = "slider",
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
                                     .pin = pin,
                                     .nonlinearity = nonlinearity,
                                     .parts = &parts};

cord_status cord__coordinate_block(const slider *definition, memory *m, block *out)
{
    slider *model = NEW(m, slider, 1);
    if (!model) return CORD_ERROR_MEMORY;
    *model = *definition;
    out->ops = &slider_ops;
    out->model = model;
    return CORD_OK;
}
