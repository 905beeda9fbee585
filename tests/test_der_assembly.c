/* The assembly of a rod by gathering, four joints at a time, into a band or into a sparse matrix, against its scalar form:
 * extended.c adds joint by joint. Rods of every length about a vector and a strip of them, in every variant of the code. */
#include "math/band.h"
#include "strand/der/der.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

typedef struct rod_case {
    bool closed, anisotropic, elastic, dynamic_twist, frames;
    double damping, drag;
    cord_curvature curvature;
} rod_case;

static double *numbers(size_t count)
{
    double *x = calloc(count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static der *make_rod(memory *m, const rod_case *c, int n, uint64_t *random)
{
    cord_strand_def def = cord_strand_def_default();
    double *x = numbers((size_t)(3 * n));
    char why[200] = "";
    void *model = NULL;
    for (int i = 0; i < n; i++) {
        double angle = (c->closed ? 6.283185307179586 / n : 0.3) * i;
        x[3 * i] = 0.1 * n * cos(angle), x[3 * i + 1] = 0.1 * n * sin(angle),
              x[3 * i + 2] = 0.2 * i;
        if (c->closed) x[3 * i + 2] = 0;
        for (int k = 0; k < 3; k++) x[3 * i + k] += 0.01 * random_number(random);
    }
    def.model = CORD_MODEL_DER;
    def.vertex_count = n, def.positions = x, def.closed = c->closed;
    def.material = (cord_material){1000, 1e6, 0.4};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 0.02};
    if (c->anisotropic)
        def.section = (cord_section){.kind = CORD_SECTION_ELLIPSE, .size = {0.04, 0.1}};
    def.stretch = c->elastic ? CORD_STRETCH_ELASTIC : CORD_STRETCH_NONE;
    def.twist_mode = c->dynamic_twist ? CORD_TWIST_DYNAMIC : CORD_TWIST_QUASISTATIC;
    def.damping = c->damping, def.drag = c->drag, def.curvature = c->curvature;
    assert_int_equal(cord__der.create(&def, m, &model, why, sizeof why), CORD_OK);
    free(x);
    der *d = model;
    for (int i = 0; c->frames && i < 3; i++) {
        attachment at;
        double s = d->arc[i == 2 ? d->n - 1 : i * (n / 2)];
        assert_int_equal(cord__der.block.attach(d, m, MEASURE_FRAME, s, &at), CORD_OK);
    }
    return d;
}

/* One evaluation at a random state, into a dense matrix through slots, or into a band. */
typedef struct bench {
    der *d;
    block_shape shape;
    double *q, *cache, *v, *a, *lambda, *work, *r[2], *g[2];
    int *slot, *extra;
    unsigned char *prescribed;
    environment env;
    block_eval at;
} bench;

static void set_state(bench *b, uint64_t *random)
{
    const block_ops *ops = &cord__der.block;
    const size_t dofs = (size_t)b->shape.dofs;
    double *move = numbers(dofs);
    b->q = numbers((size_t)b->shape.q_count), b->cache = numbers((size_t)b->shape.cache_count);
    b->v = numbers(dofs), b->a = numbers(dofs), b->lambda = numbers((size_t)b->shape.rows);
    b->work = numbers((size_t)b->shape.work_count);
    b->prescribed = calloc(dofs, 1);
    assert_non_null(b->prescribed);
    ops->initial(b->d, b->q, b->v);
    for (size_t i = 0; i < dofs; i++) move[i] = 0.02 * random_number(random);
    ops->retract(b->d, b->q, move);
    ops->refresh(b->d, b->q, b->cache);
    random_vector(random, (int)dofs, b->v);
    random_vector(random, (int)dofs, b->a);
    random_vector(random, b->shape.rows, b->lambda);
    free(move);
    b->env = (environment){.gravity = {1, -2, -9.81}};
    b->at = (block_eval){.environment = &b->env,
                         .q = b->q,
                         .cache = b->cache,
                         .v = b->v,
                         .a = b->a,
                         .lambda = b->lambda,
                         .prescribed = b->prescribed,
                         .work = b->work,
                         .c_a = 30,
                         .c_v = 7,
                         .c_k = 1.5};
}

static int positions(const bench *b)
{
    return b->shape.band_count + 3 * b->d->frame_count;
}

static int dense_index(const bench *b, int row, int column)
{
    return row < column ? column * positions(b) + row : row * positions(b) + column;
}

static void set_slots(bench *b)
{
    const int n = b->shape.band_count, width = b->shape.band_width;
    int *order = malloc((size_t)(b->shape.dofs + b->shape.rows) * sizeof *order);
    int *pairs = malloc((size_t)(2 * b->shape.extra_entries + 1) * sizeof *pairs);
    b->slot = malloc((size_t)(n * (width + 1)) * sizeof *b->slot);
    b->extra = malloc((size_t)(b->shape.extra_entries + 1) * sizeof *b->extra);
    assert_true(order && pairs && b->slot && b->extra);
    for (int c = 0; c < n; c++)
        for (int k = 0; k <= width; k++)
            b->slot[c * (width + 1) + k] = dense_index(b,
                                                       c + k < n         ? c + k
                                                       : b->shape.cyclic ? (c + k) % n
                                                                         : c,
                                                       c);
    cord__der.block.elimination_order(b->d, order);
    cord__der.block.extra_entries(b->d, pairs);
    for (int i = 0; i < b->shape.extra_entries; i++)
        b->extra[i] = dense_index(b, order[pairs[2 * i]], order[pairs[2 * i + 1]]);
    free(order);
    free(pairs);
}

static double largest(const double *x, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Entries of the band's own storage, of an open rod without frames. */
static void check_band(bench *b, const double *dense, double scale)
{
    const int n = b->shape.band_count, width = b->shape.band_width, stride = BAND_STRIDE(width);
    double *band = numbers(band_size(n, width));
    local_matrix to = {.values = band, .stride = stride};
    const der_eval in = {.at = b->at};
    cord__der_assemble(b->d, &in, b->r[1], b->g[1], &to);
    for (int c = 0; c < n; c++)
        for (int k = 0; k < stride; k++) {
            double expected = k <= width && c + k < n ? dense[dense_index(b, c + k, c)] : 0;
            assert_close(band[c * stride + k], expected, 1e-13 * scale);
        }
    for (size_t k = (size_t)(n * stride); k < band_size(n, width); k++) assert_true(band[k] == 0);
    free(band);
}

static void compare(memory *m, const rod_case *c, int n, uint64_t *random)
{
    bench b = {.d = make_rod(m, c, n, random)};
    cord__der.block.describe(b.d, &b.shape);
    set_state(&b, random);
    set_slots(&b);
    const size_t size = (size_t)positions(&b) * (size_t)positions(&b), dofs = (size_t)b.shape.dofs;
    double *scalar = numbers(size), *low = numbers(size), *lanes = numbers(size);
    for (int i = 0; i < 2; i++) b.r[i] = numbers(dofs), b.g[i] = numbers((size_t)b.shape.rows);
    local_matrix to = {.values = scalar,
                       .low = low,
                       .slot = b.slot,
                       .stride = b.shape.band_width + 1,
                       .extra_slot = b.extra};
    const der_eval in = {.at = b.at};
    cord__der_assemble_extended(b.d, &in, b.r[0], b.g[0], &to);
    to.values = lanes, to.low = NULL;
    cord__der_assemble(b.d, &in, b.r[1], b.g[1], &to);
    double force = largest(b.r[0], dofs), scale = largest(scalar, size);
    for (size_t i = 0; i < dofs; i++) assert_close(b.r[1][i], b.r[0][i], 1e-12 * force);
    for (int i = 0; i < b.shape.rows; i++) assert_close(b.g[1][i], b.g[0][i], 1e-14);
    /* Extended sums are without the proximal terms, 1e-10 of a stiffness. */
    for (size_t i = 0; i < size; i++)
        assert_close(lanes[i], scalar[i] + low[i], 1e-12 * scale + 2e-10 * fabs(scalar[i]));
    if (!c->closed && !c->frames) check_band(&b, lanes, scale);
    /* Without a matrix: the same bits. */
    cord__der_assemble(b.d, &in, b.r[0], b.g[0], NULL);
    assert_memory_equal(b.r[0], b.r[1], dofs * sizeof(double));
    assert_memory_equal(b.g[0], b.g[1], (size_t)b.shape.rows * sizeof(double));
    void *owned[] = {scalar,  low, lanes, b.r[0],   b.r[1], b.g[0],       b.g[1], b.q,
                     b.cache, b.v, b.a,   b.lambda, b.work, b.prescribed, b.slot, b.extra};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    cord__der.block.destroy(b.d, m);
}

static void as_the_scalar_form(void **unused)
{
    (void)unused;
    static const rod_case cases[] = {
        {0},
        {.frames = true, .drag = 0.3},
        {.elastic = true},
        {.elastic = true, .dynamic_twist = true, .damping = 0.02},
        {.anisotropic = true},
        {.anisotropic = true, .damping = 0.03, .frames = true, .curvature = CORD_CURVATURE_SINE},
        {.anisotropic = true,
         .elastic = true,
         .damping = 0.01,
         .curvature = CORD_CURVATURE_TANGENT},
        {.closed = true, .curvature = CORD_CURVATURE_SINE},
        {.closed = true, .anisotropic = true, .damping = 0.02, .frames = true},
        {.closed = true, .anisotropic = true, .elastic = true},
    };
    static const int counts[] = {3, 4, 5, 6, 7, 8, 9, 43, 44, 45, 46, 47, 48, 49, 90};
    memory m;
    uint64_t random = 11;
    cord__memory_init(&m, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            compare(&m, cases + i, counts[k], &random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_scalar_form)};
    return run_in_every_variant(tests);
}
