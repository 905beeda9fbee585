#include "support/conformance_subject.h"

#include "body/body.h"
#include "math/band.h"
#include "math/rotation.h"
#include "support/scenes.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double point_at[POINTS] = {0, 0.03, 0.25, 0.41, 0.97, 1};
static const double more_frame_at[MORE_FRAMES] = {0.02, 0.43, 0.98};

void check_close(const char *name, const char *what, double actual, double expected,
                 double tolerance, const char *file, int line)
{
    if (isfinite(actual) && fabs(actual - expected) <= tolerance) return;
    print_error("case '%s': %s = %.15g, expected %.15g: off by %.3g, allowed %.3g\n", name, what,
                actual, expected, fabs(actual - expected), tolerance);
    _fail(file, line);
}

void *allocate(int count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    assert_non_null(p);
    return p;
}

double *numbers(int count)
{
    return allocate(count, sizeof(double));
}

static void make_model(subject *s, const cord_strand_def *def)
{
    char why[256] = "";
    cord__memory_init(&s->memory, NULL);
    cord_status status = s->with->ops->create(def, &s->memory, &s->model, why, sizeof why);
    if (status != CORD_OK) print_error("case '%s': %s\n", s->with->name, why);
    assert_int_equal(status, CORD_OK);
}

/* The natural length up to a vertex. */
static double arc_of(const cord_strand_def *def, int vertex)
{
    const double *x = def->natural_positions ? def->natural_positions : def->positions;
    double s = 0;
    for (int i = 0; i < vertex; i++) s += v3_distance(x + 3 * i, x + 3 * i + 3);
    return s;
}

static void attach_all(subject *s)
{
    cord_strand_info info = {0};
    s->with->ops->info(s->model, &info);
    s->frames = 0;
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(s->ops->attach(s->model, &s->memory, MEASURE_POSITION,
                                        point_at[i] * info.length, s->point + i),
                         CORD_OK);
    for (int i = 0; i < POINTS && s->with->curvatures; i++)
        assert_int_equal(s->ops->attach(s->model, &s->memory, MEASURE_CURVATURE,
                                        point_at[i] * info.length, s->curvature + i),
                         CORD_OK);
    if (s->with->no_frames) {
        attachment at;
        assert_int_equal(
            s->ops->attach(s->model, &s->memory, MEASURE_FRAME, 0.5 * info.length, &at),
            CORD_ERROR_UNSUPPORTED);
        return;
    }
    for (int i = 0; i < s->with->frames + MORE_FRAMES; i++) {
        int named = s->with->frames;
        double at = i < named ? arc_of(&s->def, s->with->vertex[i])
                              : more_frame_at[i - named] * info.length;
        assert_int_equal(s->ops->attach(s->model, &s->memory, MEASURE_FRAME, at, s->frame + i),
                         CORD_OK);
        CHECK(s, i >= named || s->frame[i].unit >= 0);
        s->frames++;
    }
}

void retract(const subject *s, double *q, const double *d)
{
    s->ops->retract(s->model, q, d);
    for (int i = 0; s->block && i < s->block->shared_count; i++) {
        const shared_dofs *on = s->block->shared + i;
        if (on->kind == PARENT_BODY)
            cord__body.retract(NULL, q + on->q, d + on->dof);
        else
            for (int k = 0; k < on->dofs; k++) q[on->q + k] += d[on->dof + k];
    }
}

bool left_out(const subject *s, const char *check, const char *why)
{
    if (why) print_message("%s: no check of %s: %s\n", s->with->name, check, why);
    return why != NULL;
}

static void describe(subject *s)
{
    s->ops->describe(s->model, &s->shape);
    const block_shape *shape = &s->shape;
    s->unknowns = shape->dofs + shape->rows;
    s->position = allocate(s->unknowns, sizeof(int));
    s->unknown_at = allocate(s->unknowns + 1, sizeof(int));
    s->prescribed = allocate(shape->dofs, 1);
    s->scale = numbers(shape->dofs);
    s->dependent = allocate(shape->dofs, 1);
    s->zero = numbers(s->unknowns > shape->inertial_count ? s->unknowns : shape->inertial_count);
    s->inertial_v = numbers(shape->inertial_count), s->inertial_a = numbers(shape->inertial_count);
    s->q = numbers(shape->q_count), s->other_q = numbers(shape->q_count);
    s->cache = numbers(shape->cache_count), s->other_cache = numbers(shape->cache_count);
    s->work = numbers(shape->work_count), s->side = numbers(shape->side_count);
    s->v = numbers(shape->dofs), s->r = numbers(shape->dofs), s->g = numbers(shape->rows);
    s->ops->elimination_order(s->model, s->position);
    double *stiffness = numbers(s->shape.dofs);
    s->ops->scales(s->model, s->scale, stiffness);
    free(stiffness);
    for (int i = 0; i < s->with->frames; i++)
        for (int k = 0; k < 3 && s->with->prescribed[i] && s->frame[i].unit >= 0; k++)
            s->prescribed[s->frame[i].unit + k] = 1;
    if (shape->inertial_count && s->ops->pin) s->ops->pin(s->model, s->dependent, s->prescribed);
}

static void find_dependent_dofs(subject *s)
{
    double *d = numbers(s->shape.dofs);
    for (int c = 0; s->ops->set_dependent_dofs && c < s->shape.dofs; c++) {
        memset(d, 0, (size_t)s->shape.dofs * sizeof *d);
        d[c] = 1;
        s->ops->set_dependent_dofs(s->model, s->cache, d);
        s->dependent[c] = d[c] != 1;
    }
    free(d);
}

void random_direction(subject *s, double size, bool prescribed_too, double *d)
{
    for (int c = 0; c < s->shape.dofs; c++)
        d[c] = s->prescribed[c] && !prescribed_too ? 0
                                                   : size * s->scale[c] * random_number(&s->random);
    if (s->ops->set_dependent_dofs) s->ops->set_dependent_dofs(s->model, s->cache, d);
}

void set_state(subject *s)
{
    s->ops->refresh(s->model, s->q, s->cache);
}

void shake(subject *s)
{
    double *d = numbers(s->shape.dofs);
    for (int k = 0; k < 3; k++) {
        random_direction(s, 0.08, true, d);
        retract(s, s->q, d);
    }
    free(d);
    set_state(s);
}

void rotate_vectors(double *x, int count, const double *rotation, const double *shift)
{
    for (int i = 0; i < count; i++) {
        m3_apply(x + 3 * i, rotation, x + 3 * i);
        v3_add(x + 3 * i, x + 3 * i, shift);
    }
}

static void rotate_definition(subject *s, const double *rotation, const double *shift)
{
    const double nothing[3] = {0, 0, 0};
    cord_strand_def *d = &s->def;
    rotate_vectors(s->storage.positions, d->positions ? d->vertex_count : 0, rotation, shift);
    rotate_vectors(s->storage.velocities, d->velocities ? d->vertex_count : 0, rotation, nothing);
    m3_apply(d->director, rotation, d->director);
    if (d->curvatures) {
        rotate_vectors(d->base_position, 1, rotation, shift);
        rotate_vectors(d->base_frame, 3, rotation, nothing);
    }
    /* The natural shape may lie anywhere: it is not moved. */
    if (!d->natural_positions) m3_apply(d->natural_director, rotation, d->natural_director);
}

void conformance_take(const conformance_place *to, cord_body_def *def)
{
    double frame[9];
    if (v3_norm(def->frame) == 0)
        def->frame[0] = def->frame[4] = def->frame[8] = 1; /* by default */
    rotate_vectors(def->position, 1, to->rotation, to->shift);
    rotate_vectors(def->velocity, 1, to->rotation, (double[]){0, 0, 0});
    rotate_vectors(def->angular_velocity, 1, to->rotation, (double[]){0, 0, 0});
    m3_multiply(frame, to->rotation, def->frame);
    memcpy(def->frame, frame, sizeof frame);
}

static void attach_to_built(subject *s)
{
    const conformance_case *with = s->with;
    cord_strand_info info = {0};
    if (with->lacks.points) return;
    if (with->attach) {
        s->frames = with->attach(s->model, s->point, s->frame);
        return;
    }
    cord__object_of((block *)s->block)->ops->info(s->model, &info);
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(s->ops->attach(s->model, &s->world->memory, MEASURE_POSITION,
                                        point_at[i] * info.length, s->point + i),
                         CORD_OK);
}

static subject *begin_built(subject *s, const conformance_place *at)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    assert_int_equal(cord_world_create(&def, &s->world), CORD_OK);
    s->block = s->with->build(s->world, at);
    assert_fine(s->world, cord__world_ready(s->world));
    s->ops = s->block->ops, s->model = s->block->model;
    attach_to_built(s);
    describe(s);
    memcpy(s->q, s->world->problem.now.q + s->block->q0,
           (size_t)s->block->shape.q_count * sizeof *s->q);
    memcpy(s->v, s->world->problem.now.v + s->block->v0,
           (size_t)s->block->shape.dofs * sizeof *s->v);
    set_state(s);
    if (s->ops->memory) {
        memcpy(s->side, s->world->problem.now.side + s->block->side0,
               (size_t)s->block->shape.side_count * sizeof *s->side);
        static const environment nothing = {0};
        s->ops->memory->start_step(s->model, &nothing, s->cache, s->v, 1e-3, s->side);
        block_eval in = at_state(s); /* at rest */
        s->ops->memory->choose_active_set(s->model, &in, s->cache, s->side);
    }
    return s;
}

subject *begin_elsewhere(const conformance_case *with, const double rotation[9],
                         const double shift[3])
{
    subject *s = allocate(1, sizeof *s);
    s->with = with;
    s->random = 88172645463325252u;
    if (with->build) {
        conformance_place at = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        if (rotation) memcpy(at.rotation, rotation, sizeof at.rotation), v3_copy(at.shift, shift);
        s->env.gravity[0] = 1.5, s->env.gravity[1] = -2, s->env.gravity[2] = -9.81;
        return begin_built(s, &at);
    }
    s->ops = &with->ops->block;
    s->def = cord_strand_def_default();
    with->define(&s->storage, &s->def);
    if (rotation) rotate_definition(s, rotation, shift);
    s->env.gravity[0] = 1.5, s->env.gravity[1] = -2, s->env.gravity[2] = -9.81;
    make_model(s, &s->def);
    attach_all(s);
    describe(s);
    s->ops->initial(s->model, s->q, s->v);
    set_state(s);
    find_dependent_dofs(s);
    return s;
}

subject *begin(const conformance_case *with)
{
    return begin_elsewhere(with, NULL, NULL);
}

void end(subject *s)
{
    if (!s->world) s->ops->destroy(s->model, &s->memory);
    cord_world_destroy(s->world);
    assert_int_equal(s->memory.bytes, 0);
    void *arrays[] = {s->position,  s->unknown_at, s->prescribed, s->scale,       s->zero, s->q,
                      s->v,         s->cache,      s->other_q,    s->other_cache, s->r,    s->g,
                      s->dependent, s->inertial_v, s->inertial_a, s->work,        s->side, s};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

/* ---- evaluations -------------------------------------------------------------------------------- */

double potential_of(const block_energy *e)
{
    return e->gravity + e->stretching + e->bending + e->twisting;
}

double elastic_of(const block_energy *e)
{
    return e->stretching + e->bending + e->twisting;
}

void energy_at(subject *s, const double *q, const double *v, block_energy *e)
{
    s->ops->refresh(s->model, q, s->other_cache);
    s->ops->energy(s->model, &s->env, q, s->other_cache, v, NULL, e);
}

block_eval at_state(const subject *s)
{
    return (block_eval){.environment = &s->env,
                        .q = s->q,
                        .cache = s->cache,
                        .v = s->zero,
                        .a = s->zero,
                        .inertial_v = s->zero,
                        .inertial_a = s->zero,
                        .lambda = s->zero,
                        .prescribed = s->prescribed,
                        .side = s->side,
                        .work = s->work};
}

void set_rates(subject *s, block_eval *in, const double *v, const double *a)
{
    in->v = v ? v : s->zero;
    in->a = a ? a : s->zero;
    if (s->shape.inertial_count == 0) return;
    s->ops->inertial->rates(s->model, in->cache, in->v, s->inertial_v);
    s->ops->inertial->rates(s->model, in->cache, in->a, s->inertial_a);
    in->inertial_v = s->inertial_v, in->inertial_a = s->inertial_a;
}

const double *residual(subject *s, const block_eval *in)
{
    s->ops->assemble(s->model, in, s->r, s->g, NULL);
    return s->r;
}

const double *midpoint_residual(subject *s, const block_eval *in, const midpoint_step *step)
{
    if (s->ops->midpoint)
        s->ops->midpoint->assemble(s->model, in, step, s->r, s->g, NULL);
    else /* linear forces: their values at the midpoint are the discrete gradient */
        s->ops->assemble(s->model, in, s->r, s->g, NULL);
    return s->r;
}

const double *along(subject *s, const double *d, double step)
{
    double *moved = numbers(s->shape.dofs);
    for (int c = 0; c < s->shape.dofs; c++) moved[c] = step * d[c];
    memcpy(s->other_q, s->q, (size_t)s->shape.q_count * sizeof(double));
    retract(s, s->other_q, moved);
    free(moved);
    return s->other_q;
}

double potential_along(subject *s, const double *d, double step)
{
    block_energy e;
    energy_at(s, along(s, d, step), s->zero, &e);
    return potential_of(&e);
}

void rows_along(subject *s, const double *d, double step, double *g)
{
    block_eval in = at_state(s);
    double *r = numbers(s->shape.dofs);
    in.q = along(s, d, step);
    s->ops->refresh(s->model, in.q, s->other_cache);
    in.cache = s->other_cache;
    s->ops->assemble(s->model, &in, r, g, NULL);
    free(r);
}

double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double size_of_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(a[i] * b[i]);
    return sum;
}

double first_difference(const double f[5], double h)
{
    return (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h);
}
double second_difference(const double f[5], double h)
{
    return (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
}

/* ---- the assembled matrix, dense ---------------------------------------------------------------- */

double entry(const dense *m, int row, int col)
{
    return m->a[(size_t)row * (size_t)m->n + (size_t)col];
}

void index_positions(subject *s)
{
    for (int p = 0; p <= s->unknowns; p++) s->unknown_at[p] = -1;
    for (int u = 0; u < s->unknowns; u++) {
        CHECK(s, s->position[u] >= 0 &&
                     s->position[u] < s->unknowns + (s->shape.unused_position >= 0));
        CHECK(s, s->position[u] != s->shape.unused_position);
        CHECK(s, s->unknown_at[s->position[u]] < 0);
        s->unknown_at[s->position[u]] = u;
    }
}

static void put(dense *m, int u, int v, double value)
{
    m->a[(size_t)u * (size_t)m->n + (size_t)v] += value;
    if (u != v) m->a[(size_t)v * (size_t)m->n + (size_t)u] += value;
}

dense assemble_dense(subject *s, const block_eval *in)
{
    const block_shape *shape = &s->shape;
    int stride = BAND_STRIDE(shape->band_width), extras = shape->extra_entries;
    int first_extra = (int)band_size(shape->band_count, shape->band_width);
    dense m = {s->unknowns, shape->dofs, numbers(s->unknowns * s->unknowns)};
    int *pairs = allocate(2 * extras, sizeof(int)), *at = allocate(extras, sizeof(int));
    local_matrix local = {
        .values = numbers(first_extra + extras), .stride = stride, .extra_slot = at};
    local.unsymmetric = allocate(shape->unsymmetric_rows, sizeof *local.unsymmetric);
    for (int i = 0; i < extras; i++) at[i] = first_extra + i;
    if (extras > 0) s->ops->extra_entries(s->model, pairs);
    s->ops->assemble(s->model, in, s->r, s->g, &local);
    index_positions(s);
    for (int i = 0; i < extras; i++)
        put(&m, pairs[2 * i], pairs[2 * i + 1], local.values[first_extra + i]);
    for (int c = 0; c < shape->band_count; c++)
        for (int k = 0; k <= shape->band_width; k++) {
            double value = local.values[c * stride + k];
            int row = c + k;
            if (value == 0) continue;
            if (row >= shape->band_count && shape->cyclic) row -= shape->band_count;
            CHECK(s, row < shape->band_count && s->unknown_at[row] >= 0 && s->unknown_at[c] >= 0);
            put(&m, s->unknown_at[row], s->unknown_at[c], value);
        }
    for (int i = 0; i < shape->unsymmetric_rows; i++) {
        const unsymmetric_row *of = local.unsymmetric + i;
        for (int k = 0; k < of->count; k++)
            m.a[(size_t)of->row * (size_t)m.n + (size_t)of->unknown[k]] += of->value[k];
    }
    free(pairs);
    free(at);
    free(local.unsymmetric);
    free(local.values);
    return m;
}

void project(const subject *s, const dense *m, double *d)
{
    int rows = s->shape.rows, dofs = s->shape.dofs;
    if (s->ops->set_dependent_dofs) return;
    double *basis = numbers(rows * dofs);
    for (int i = 0; i < rows; i++) {
        double *b = basis + i * dofs;
        for (int c = 0; c < dofs; c++)
            b[c] = s->prescribed[c] ? 0 : entry(m, dofs + i, c) * s->scale[c];
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++) {
                double along_j = dot(dofs, b, basis + j * dofs);
                for (int c = 0; c < dofs; c++) b[c] -= along_j * basis[j * dofs + c];
            }
        double norm = sqrt(dot(dofs, b, b));
        for (int c = 0; c < dofs; c++) b[c] /= norm;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < rows; i++) {
            double part = 0;
            for (int c = 0; c < dofs; c++) part += basis[i * dofs + c] * d[c] / s->scale[c];
            for (int c = 0; c < dofs; c++) d[c] -= part * basis[i * dofs + c] * s->scale[c];
        }
    free(basis);
}

double form(const dense *m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < m->dofs; i++)
        for (int j = 0; j < m->dofs; j++) sum += a[i] * entry(m, i, j) * b[j];
    return sum;
}

double form_size(const dense *m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < m->dofs; i++)
        for (int j = 0; j < m->dofs; j++) sum += fabs(a[i] * entry(m, i, j) * b[j]);
    return sum;
}
