/* Inverse statics of a strand in its world. */
#include "world/world.h"

#include "math/vec3.h"

#include <cordage/inverse.h>
#include <string.h>

cord_inverse_def cord_inverse_def_default(void)
{
    return (cord_inverse_def){.margin = 0.1};
}

typedef struct inverse {
    cord_world *w;
    strand *s;
    double *r, *g, *lambda, *still, *own, *drawn, *work;
    cord_strand_info info;
    double moment_scale; /* weight times length */
    double pull;         /* the virial of the loads, as last evaluated */
} inverse;

static const double *q_of(const inverse *a)
{
    return a->w->problem.now.q + a->s->block.q0;
}

static double *cache_of(const inverse *a)
{
    return a->w->problem.cache + a->s->block.cache0;
}

/* Evaluates the strand alone, at rest, without its constraints; with its matrix if `own` is not NULL. */
static void evaluate(inverse *a, double *own)
{
    const problem *p = &a->w->problem;
    const block *b = &a->s->block;
    environment env = cord__environment(p, b, p->now.time);
    block_eval in = {.environment = &env,
                     .q = q_of(a),
                     .cache = cache_of(a),
                     .v = a->still,
                     .a = a->still,
                     .inertial_v = a->still,
                     .inertial_a = a->still,
                     .lambda = a->lambda,
                     .prescribed = b->prescribed,
                     .work = a->work,
                     .c_k = 1};
    local_matrix local = {.private_matrix = own};
    if (own) memset(own, 0, (size_t)b->shape.private_count * sizeof *own);
    b->ops->assemble(b->model, &in, a->r, a->g, own ? &local : NULL);
    a->pull = 0;
    for (int i = 0; i < p->loads; i++) {
        const load *l = (const load *)p->load[i];
        const point *at = p->point[l->base.term.point[0]];
        double force[3] = {0, 0, 0}, J[3 * JACOBIAN_DOFS_MAX];
        point_jacobian j = {.J = J};
        if (at->block != a->s->index) continue;
        if (l->keys.count > 0) cord__keyframes_at(&l->keys, p->now.time, force, NULL);
        v3_add(force, force, l->state.value.force);
        b->ops->point_jacobian(b->model, in.q, in.cache, &at->position_attachment, MEASURE_POSITION,
                               &j);
        a->pull += v3_dot(j.value, force) - v3_dot(in.q, force);
        for (int run = 0, c = 0; run < j.runs; run++)
            for (int k = 0; k < j.run[run].count; k++, c++)
                a->r[j.run[run].first + k] -= v3_dot(j.J + 3 * c, force);
        if (own && b->ops->add_geometric_stiffness)
            b->ops->add_geometric_stiffness(b->model, in.q, in.cache, &at->position_attachment,
                                            MEASURE_POSITION, force, 1, &local);
    }
}

/* The residual on the free dofs of the base, as a moment, divided by weight times length. */
static double unbalanced(const inverse *a)
{
    const block *b = &a->s->block;
    double worst = 0;
    for (int c = 0; c < 6; c++)
        if (!b->prescribed[c]) worst = fmax(worst, fabs(a->r[c]) * (c < 3 ? a->info.length : 1));
    return worst / a->moment_scale;
}

/* Forces on the free dofs, reduced by the rows, whose multipliers are computed. */
static void gather(inverse *a)
{
    const block *b = &a->s->block;
    b->ops->refresh(b->model, q_of(a), cache_of(a));
    memset(a->lambda, 0, (size_t)b->shape.rows * sizeof *a->lambda);
    evaluate(a, NULL);
    a->s->ops->reduce_forces(b->model, cache_of(a), a->r, a->lambda);
}

/* Σ (position − base) · force: of the weight, from its energy, and of the loads. */
static double virial(const inverse *a)
{
    const problem *p = &a->w->problem;
    const block *b = &a->s->block;
    block_energy e;
    environment env = cord__environment(p, b, p->now.time);
    b->ops->energy(b->model, &env, q_of(a), cache_of(a), a->still, NULL, &e);
    return a->pull - e.gravity - a->info.mass * v3_dot(env.gravity, q_of(a));
}

/* Rotates the strand about a base that is free to rotate until the strand hangs in balance. Parallel forces, such as
 * weight, have one resultant; the virial is the component of its arm along the force, and the moment gives the
 * component across it: one rotation is enough. For other forces that is an initial guess, and Barzilai-Borwein steps
 * follow. */
static void hang(inverse *a)
{
    const block *b = &a->s->block;
    double turned[3] = {0, 0, 0}, last[3] = {0, 0, 0};
    for (int i = 0; i < 200 && !cord__cancelled(); i++) {
        double moment[3], change[3], along = virial(a);
        for (int k = 0; k < 3; k++) moment[k] = b->prescribed[3 + k] ? 0 : -a->r[3 + k];
        double size = v3_norm(moment), angle = atan2(size, along);
        if (!(size > 1e-14 * a->moment_scale)) break;
        v3_sub(change, last, moment);
        double curved = v3_dot(turned, change);
        if (curved > 0 && size < 0.3 * along)
            angle = fmin(0.3, size * v3_dot(turned, turned) / curved);
        v3_scale(turned, angle / size, moment);
        v3_copy(last, moment);
        v3_scale(a->still + 3, 2 * tan(0.5 * angle) / size, moment);
        b->ops->retract(b->model, a->w->problem.now.q + b->q0, a->still);
        memset(a->still, 0, 6 * sizeof *a->still);
        cord__invalidate_start(a->w);
        gather(a);
    }
}

static cord_status analyse(inverse *a, cord_inverse_result *out)
{
    const block *b = &a->s->block;
    strand_stability found;
    evaluate(a, a->own);
    cord_status status =
        a->s->ops->stability(b->model, &a->w->memory, b->prescribed, a->own, &found);
    if (status != CORD_OK) return cord__fail(a->w, status, "eigenvalues were not found");
    if (!found.base)
        return cord__fail(a->w, CORD_ERROR_UNSTABLE,
                          "the base may rotate or move, and falls over whatever the stiffness");
    a->s->ops->info(b->model, &a->info);
    out->stiffness_ratio =
        fmin(a->info.bending[0], a->info.bending[1]) / (a->info.mass / a->info.length);
    out->sharp_ratio = found.sharp_factor * out->stiffness_ratio;
    out->sufficient_ratio = -found.lowest_load / found.lowest_elastic * out->stiffness_ratio;
    out->stability_factor = found.sharp_factor;
    out->stable = found.sharp_factor < 1;
    return CORD_OK;
}

/* Sets the natural shape for the present forces. */
static cord_status balance(inverse *a)
{
    cord_status status = a->s->ops->set_natural_shape(a->s->block.model, &a->w->memory, a->r);
    if (status != CORD_OK) return cord__fail(a->w, status, "out of memory for inverse statics");
    cord__invalidate_start(a->w);
    return CORD_OK;
}

static double curvature_residual(inverse *a)
{
    const block *b = &a->s->block;
    double worst = 0;
    gather(a);
    for (int c = 0; c < b->shape.dofs; c++) /* a moment, scaled by the scale of the curvature */
        if (c > 5 || !b->prescribed[c]) worst = fmax(worst, fabs(a->r[c]) * b->scale[c]);
    gather(a);
    return worst / a->moment_scale;
}

static cord_status find_natural(inverse *a, const cord_inverse_def *def, cord_inverse_result *out)
{
    double *q = a->w->problem.now.q + a->s->block.q0;
    size_t size = (size_t)a->s->block.shape.q_count * sizeof *q;
    memcpy(a->drawn, q, size);
    gather(a);
    if (def->rotate) hang(a);
    double off = unbalanced(a);
    bool cancelled = cord__cancelled();
    if (cancelled || !(off <= 1e-6)) {
        memcpy(q, a->drawn, size);
        a->s->block.ops->refresh(a->s->block.model, q, cache_of(a));
        if (cancelled) return CORD_ERROR_CANCELLED;
        return cord__fail(
            a->w, CORD_ERROR_UNSTABLE,
            "no natural shape keeps it there: its base may move, and is off balance by "
            "%.3g of its weight times its length",
            off);
    }
    cord_status status = balance(a);
    if (status == CORD_OK) status = analyse(a, out);
    if (status != CORD_OK) return status;
    out->applied_factor = 1;
    if (def->stiffen && !out->stable) {
        double factor = out->stability_factor * (1 + def->margin);
        a->s->ops->scale_stiffness(a->s->block.model, factor);
        gather(a);
        status = balance(a);
        if (status == CORD_OK) status = analyse(a, out);
        out->applied_factor = factor;
        a->w->layout_stale = a->w->partition_stale = true; /* blocks store their stiffness */
    }
    if (status == CORD_OK) out->residual = curvature_residual(a);
    return status;
}

cord_status cord_strand_find_natural_shape(cord_world *w, cord_strand handle,
                                           const cord_inverse_def *def, cord_inverse_result *result)
{
    strand *s = cord__get_strand(w, handle);
    if (!s) return cord__refused(w);
    cord_inverse_def fallback = cord_inverse_def_default();
    cord_inverse_result unused;
    if (!def) def = &fallback;
    if (!result) result = &unused;
    memset(result, 0, sizeof *result);
    if (!(def->margin >= 0 && is_admissible(def->margin)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the margin is %g; it must be at least 0",
                          def->margin);
    if (!s->ops->set_natural_shape)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "model '%s' has no inverse statics; chains do",
                          s->ops->block.name);
    if (s->block.schedule && s->block.schedule->prepared)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': its natural curvature, length or stiffness was set or has "
                          "keys; find the natural shape before",
                          s->name ? s->name : "");
    cord_status status = cord__world_ready(w);
    if (status != CORD_OK) return status;
    const block_shape *shape = &s->block.shape;
    int still = shape->dofs > shape->inertial_count ? shape->dofs : shape->inertial_count;
    int rows = shape->rows > 0 ? shape->rows : 1;
    double *space = NEW(&w->memory, double,
                        shape->dofs + 2 * rows + still + shape->private_count + shape->q_count +
                            shape->work_count);
    if (!space) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for inverse statics");
    inverse a = {.w = w, .s = s, .r = space};
    a.g = a.r + shape->dofs, a.lambda = a.g + rows, a.still = a.lambda + rows;
    a.own = a.still + still, a.drawn = a.own + shape->private_count;
    a.work = a.drawn + shape->q_count;
    s->ops->info(s->block.model, &a.info);
    double gravity = v3_norm(w->problem.environment.gravity);
    a.moment_scale = a.info.mass * (gravity > 0 ? gravity : 1) * a.info.length;
    long_call call;
    cord__begin_long_call(w, &call);
    status = find_natural(&a, def, result);
    status = cord__end_long_call(w, &call, "inverse statics", status);
    w->revision++; /* caches have been used for other shapes */
    cord__release(&w->memory, space);
    return status;
}
