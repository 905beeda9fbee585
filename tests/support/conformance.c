#include "support/conformance.h"

#include "math/band.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a model and a state of it ---------------------------------------------------------------- */

enum { PLACES = 6, LARGEST_JET = 64 };
static const double place_at[PLACES] = {0, 0.03, 0.25, 0.41, 0.97, 1};
/* Frames between vertices, asked for besides the case's own. */
enum { MORE_FRAMES = 3 };
static const double more_frame_at[MORE_FRAMES] = {0.02, 0.43, 0.98};

typedef struct subject {
    const conformance_case *with;
    const block_ops *ops;
    memory memory;
    void *model;
    conformance_shape storage;
    cord_strand_def def;
    block_shape shape;
    surroundings around;
    uint64_t random;

    attachment place[PLACES], frame[CONFORMANCE_FRAMES + MORE_FRAMES];
    int frames;
    int unknowns, *position, *unknown_at; /* by position; -1: nothing is there */
    unsigned char *fixed;
    double *scale, *zero;
    double *q, *v, *cache;                 /* the state */
    double *other_q, *other_cache, *r, *g; /* scratch */
} subject;

/* Reports the case with the failure. */
#define CHECK(s, condition)                                                                        \
    do {                                                                                           \
        if (!(condition)) print_error("case '%s': ", (s)->with->name);                             \
        assert_true(condition);                                                                    \
    } while (0)
#define CHECK_CLOSE(s, actual, expected, tolerance)                                                \
    check_close((s)->with->name, #actual, (actual), (expected), (tolerance), __LINE__)

static void check_close(const char *name, const char *what, double actual, double expected,
                        double tolerance, int line)
{
    if (isfinite(actual) && fabs(actual - expected) <= tolerance) return;
    print_error("case '%s': %s = %.15g, expected %.15g: off by %.3g, allowed %.3g\n", name, what,
                actual, expected, fabs(actual - expected), tolerance);
    _fail(__FILE__, line);
}

static void *allocate(int count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    assert_non_null(p);
    return p;
}

static double *numbers(int count)
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
    for (int i = 0; i < PLACES; i++)
        assert_int_equal(s->ops->attach(s->model, &s->memory, MEASURE_PLACE,
                                        place_at[i] * info.length, s->place + i),
                         CORD_OK);
    if (s->with->no_frames) {
        attachment at;
        assert_int_equal(
            s->ops->attach(s->model, &s->memory, MEASURE_FRAME, 0.5 * info.length, &at),
            CORD_ERROR_UNSUPPORTED);
        return;
    }
    for (int i = 0; i < s->with->frames + MORE_FRAMES; i++) {
        int own = s->with->frames;
        double at =
            i < own ? arc_of(&s->def, s->with->vertex[i]) : more_frame_at[i - own] * info.length;
        assert_int_equal(s->ops->attach(s->model, &s->memory, MEASURE_FRAME, at, s->frame + i),
                         CORD_OK);
        CHECK(s, i >= own || s->frame[i].unit >= 0);
        s->frames++;
    }
}

static void describe(subject *s)
{
    s->ops->describe(s->model, &s->shape);
    const block_shape *shape = &s->shape;
    s->unknowns = shape->columns + shape->rows;
    s->position = allocate(s->unknowns, sizeof(int));
    s->unknown_at = allocate(s->unknowns + 1, sizeof(int));
    s->fixed = allocate(shape->columns, 1);
    s->scale = numbers(shape->columns);
    s->zero = numbers(s->unknowns);
    s->q = numbers(shape->q_count), s->other_q = numbers(shape->q_count);
    s->cache = numbers(shape->cache_count), s->other_cache = numbers(shape->cache_count);
    s->v = numbers(shape->columns), s->r = numbers(shape->columns), s->g = numbers(shape->rows);
    s->ops->positions(s->model, s->position);
    double *stiffness = numbers(s->shape.columns);
    s->ops->scales(s->model, s->scale, stiffness);
    free(stiffness);
    for (int i = 0; i < s->with->frames; i++)
        for (int k = 0; k < 3 && s->with->prescribed[i] && s->frame[i].unit >= 0; k++)
            s->fixed[s->frame[i].unit + k] = 1;
}

static void random_direction(subject *s, double size, bool held_too, double *d)
{
    for (int c = 0; c < s->shape.columns; c++)
        d[c] = s->fixed[c] && !held_too ? 0 : size * s->scale[c] * random_number(&s->random);
}

static void set_state(subject *s)
{
    s->ops->refresh(s->model, s->q, s->cache);
}

/* The definition's shape, shaken: everything moves, frames are turned. */
static void shake(subject *s)
{
    double *d = numbers(s->shape.columns);
    for (int k = 0; k < 3; k++) {
        random_direction(s, 0.08, true, d);
        s->ops->retract(s->model, s->q, d);
    }
    free(d);
    set_state(s);
}

static subject *begin(const conformance_case *with)
{
    subject *s = allocate(1, sizeof *s);
    s->with = with;
    s->ops = &with->ops->block;
    s->random = 88172645463325252u;
    s->def = cord_strand_def_default();
    with->define(&s->storage, &s->def);
    s->around.gravity[0] = 1.5, s->around.gravity[1] = -2, s->around.gravity[2] = -9.81;
    make_model(s, &s->def);
    attach_all(s);
    describe(s);
    s->ops->initial(s->model, s->q, s->v);
    set_state(s);
    return s;
}

static void end(subject *s)
{
    s->ops->destroy(s->model, &s->memory);
    assert_int_equal(s->memory.bytes, 0);
    void *pieces[] = {s->position, s->unknown_at, s->fixed,       s->scale, s->zero, s->q, s->v,
                      s->cache,    s->other_q,    s->other_cache, s->r,     s->g,    s};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) free(pieces[i]);
}

/* ---- evaluations -------------------------------------------------------------------------------- */

static double potential_of(const block_energy *e)
{
    return e->gravity + e->stretching + e->bending + e->twisting;
}

static double elastic_of(const block_energy *e)
{
    return e->stretching + e->bending + e->twisting;
}

static void energy_at(subject *s, const double *q, const double *v, block_energy *e)
{
    s->ops->refresh(s->model, q, s->other_cache);
    s->ops->energy(s->model, &s->around, q, s->other_cache, v, NULL, e);
}

/* An evaluation at the state, at rest, without multipliers. */
static block_eval at_state(const subject *s)
{
    return (block_eval){.around = &s->around,
                        .q = s->q,
                        .cache = s->cache,
                        .v = s->zero,
                        .a = s->zero,
                        .lambda = s->zero,
                        .fixed = s->fixed};
}

static const double *residual(subject *s, const block_eval *in)
{
    s->ops->assemble(s->model, in, s->r, s->g, NULL);
    return s->r;
}

static const double *along(subject *s, const double *d, double step)
{
    double *moved = numbers(s->shape.columns);
    for (int c = 0; c < s->shape.columns; c++) moved[c] = step * d[c];
    memcpy(s->other_q, s->q, (size_t)s->shape.q_count * sizeof(double));
    s->ops->retract(s->model, s->other_q, moved);
    free(moved);
    return s->other_q;
}

static double potential_along(subject *s, const double *d, double step)
{
    block_energy e;
    energy_at(s, along(s, d, step), s->zero, &e);
    return potential_of(&e);
}

static void rows_along(subject *s, const double *d, double step, double *g)
{
    block_eval in = at_state(s);
    double *r = numbers(s->shape.columns);
    in.q = along(s, d, step);
    s->ops->refresh(s->model, in.q, s->other_cache);
    in.cache = s->other_cache;
    s->ops->assemble(s->model, &in, r, g, NULL);
    free(r);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static double size_of_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(a[i] * b[i]);
    return sum;
}

/* f' and f'' from five values at -2h … 2h: errors h⁴ and round-off/h, round-off/h². */
static double first_difference(const double f[5], double h)
{
    return (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h);
}
static double second_difference(const double f[5], double h)
{
    return (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
}

/* ---- the assembled matrix, dense ---------------------------------------------------------------- */

typedef struct dense {
    int n, columns;
    double *a;
} dense;

static double entry(const dense *m, int row, int col)
{
    return m->a[(size_t)row * (size_t)m->n + (size_t)col];
}

static void index_positions(subject *s)
{
    for (int p = 0; p <= s->unknowns; p++) s->unknown_at[p] = -1;
    for (int u = 0; u < s->unknowns; u++) {
        CHECK(s, s->position[u] >= 0 && s->position[u] < s->unknowns + (s->shape.hole >= 0));
        CHECK(s, s->position[u] != s->shape.hole);
        CHECK(s, s->unknown_at[s->position[u]] < 0);
        s->unknown_at[s->position[u]] = u;
    }
}

static void put(dense *m, int u, int v, double value)
{
    m->a[(size_t)u * (size_t)m->n + (size_t)v] += value;
    if (u != v) m->a[(size_t)v * (size_t)m->n + (size_t)u] += value;
}

static dense assemble_dense(subject *s, const block_eval *in)
{
    const block_shape *shape = &s->shape;
    int stride = BAND_STRIDE(shape->band_width), size = shape->clique_columns;
    dense m = {s->unknowns, shape->columns, numbers(s->unknowns * s->unknowns)};
    double *cliques = numbers(shape->cliques * size * size);
    local_matrix local = {numbers((int)band_size(shape->band_count, shape->band_width)), cliques,
                          NULL};
    int *columns = allocate(size, sizeof(int));
    s->ops->assemble(s->model, in, s->r, s->g, &local);
    index_positions(s);
    for (int c = 0; c < shape->band_count; c++)
        for (int k = 0; k <= shape->band_width; k++) {
            double value = local.band[c * stride + k];
            int row = c + k;
            if (value == 0) continue;
            if (row >= shape->band_count && shape->cyclic) row -= shape->band_count;
            CHECK(s, row < shape->band_count && s->unknown_at[row] >= 0 && s->unknown_at[c] >= 0);
            put(&m, s->unknown_at[row], s->unknown_at[c], value);
        }
    for (int i = 0; i < shape->cliques; i++) {
        s->ops->clique_columns(s->model, i, columns);
        const double *k = cliques + i * size * size;
        for (int c = 0; c < size; c++)
            for (int r = 0; r < size; r++) {
                double diagonal = fabs(k[c * size + c]) + fabs(k[r * size + r]);
                CHECK_CLOSE(s, k[c * size + r], k[r * size + c], 1e-13 * diagonal);
                if (r >= c) put(&m, columns[r], columns[c], k[c * size + r]);
            }
    }
    free(columns);
    free(local.band);
    free(cliques);
    return m;
}

/* d ← the part of d with B d = 0, by B's rows in the matrix (modified Gram–Schmidt); held columns
 * stay as they are. */
static void project(const subject *s, const dense *m, double *d)
{
    int rows = s->shape.rows, columns = s->shape.columns;
    double *basis = numbers(rows * columns);
    for (int i = 0; i < rows; i++) {
        double *b = basis + i * columns;
        for (int c = 0; c < columns; c++)
            b[c] = s->fixed[c] ? 0 : entry(m, columns + i, c) * s->scale[c];
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++) {
                double along_j = dot(columns, b, basis + j * columns);
                for (int c = 0; c < columns; c++) b[c] -= along_j * basis[j * columns + c];
            }
        double norm = sqrt(dot(columns, b, b));
        for (int c = 0; c < columns; c++) b[c] /= norm;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < rows; i++) {
            double part = 0;
            for (int c = 0; c < columns; c++) part += basis[i * columns + c] * d[c] / s->scale[c];
            for (int c = 0; c < columns; c++) d[c] -= part * basis[i * columns + c] * s->scale[c];
        }
    free(basis);
}

static double form(const dense *m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < m->columns; i++)
        for (int j = 0; j < m->columns; j++) sum += a[i] * entry(m, i, j) * b[j];
    return sum;
}

static double form_size(const dense *m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < m->columns; i++)
        for (int j = 0; j < m->columns; j++) sum += fabs(a[i] * entry(m, i, j) * b[j]);
    return sum;
}

/* ---- checks ------------------------------------------------------------------------------------- */

enum { DIRECTIONS = 6 };

static void check_shape(subject *s)
{
    const block_shape *shape = &s->shape;
    int columns[ROW_COLUMNS];
    index_positions(s);
    for (int c = 0; c < shape->columns; c++) CHECK(s, s->scale[c] > 0 && isfinite(s->scale[c]));
    for (int i = 0; i < shape->rows; i++) {
        int count = s->ops->row_columns(s->model, i, columns);
        CHECK(s, count > 0 && count <= ROW_COLUMNS);
        for (int k = 0; k < count; k++) {
            CHECK(s, columns[k] >= 0 && columns[k] < shape->columns);
            /* A closed band has no before and after; the sparse order sees to it there. */
            if (!shape->cyclic) CHECK(s, s->position[shape->columns + i] > s->position[columns[k]]);
        }
    }
    for (int u = 0; u < shape->columns; u++) /* rows are in the band, columns may be beyond */
        CHECK(s, s->position[u] < shape->band_count || shape->cliques > 0);
    for (int i = 0; i < shape->rows; i++)
        CHECK(s, s->position[shape->columns + i] < shape->band_count);
}

static void check_gradient(subject *s)
{
    block_eval in = at_state(s);
    double *d = numbers(s->shape.columns), *r = numbers(s->shape.columns), f[5];
    memcpy(r, residual(s, &in), (size_t)s->shape.columns * sizeof(double));
    for (int trial = 0; trial < DIRECTIONS + s->shape.columns; trial++) {
        /* Random directions, then every column alone. */
        random_direction(s, 1, true, d);
        for (int c = 0; trial >= DIRECTIONS && c < s->shape.columns; c++)
            d[c] = c == trial - DIRECTIONS ? s->scale[c] : 0;
        const double h = 2e-4;
        for (int k = 0; k < 5; k++) f[k] = potential_along(s, d, h * (k - 2));
        double slope = dot(s->shape.columns, r, d), size = size_of_dot(s->shape.columns, r, d);
        /* h⁴ = 1.6e-15 times fifth derivatives of order 1e3; round-off 1e-16 of the energy/h. */
        CHECK_CLOSE(s, slope, first_difference(f, h), 1e-8 * size + 1e-11 * (1 + fabs(f[2])));
    }
    free(d);
    free(r);
}

static void check_rows(subject *s)
{
    int rows = s->shape.rows, columns = s->shape.columns, list[ROW_COLUMNS];
    if (rows == 0) return;
    block_eval in = at_state(s);
    in.c_k = 1;
    dense m = assemble_dense(s, &in);
    double *d = numbers(columns), *g = numbers(5 * rows), *rate = numbers(rows);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        random_direction(s, 1, true, d);
        const double h = 2e-4;
        for (int k = 0; k < 5; k++) rows_along(s, d, h * (k - 2), g + k * rows);
        s->ops->row_rates(s->model, s->cache, d, rate);
        for (int i = 0; i < rows; i++) {
            double f[5], sum = 0, size = 0;
            for (int k = 0; k < 5; k++) f[k] = g[k * rows + i];
            for (int c = 0; c < columns; c++) sum += entry(&m, columns + i, c) * d[c];
            for (int c = 0; c < columns; c++) size += fabs(entry(&m, columns + i, c) * d[c]);
            CHECK_CLOSE(s, sum, first_difference(f, h), 1e-9 * size + 1e-12);
            CHECK_CLOSE(s, rate[i], sum, 1e-13 * size);
        }
    }
    for (int i = 0; i < rows; i++) { /* the columns a row says it couples are all it couples */
        int count = s->ops->row_columns(s->model, i, list);
        for (int c = 0; c < columns; c++) {
            bool named = false;
            for (int k = 0; k < count; k++) named = named || list[k] == c;
            CHECK(s, named || entry(&m, columns + i, c) == 0);
        }
        for (int j = 0; j < rows; j++) CHECK(s, entry(&m, columns + i, columns + j) == 0);
    }
    free(d);
    free(g);
    free(rate);
    free(m.a);
}

/* V − λᵀg */
static double lagrangian_along(subject *s, const double *d, double step, const double *lambda)
{
    double *g = numbers(s->shape.rows), value = potential_along(s, d, step);
    rows_along(s, d, step, g);
    value -= dot(s->shape.rows, lambda, g);
    free(g);
    return value;
}

static double second_along(subject *s, const double *d, const double *lambda)
{
    const double h = 2e-3;
    double f[5];
    for (int k = 0; k < 5; k++) f[k] = lagrangian_along(s, d, h * (k - 2), lambda);
    return second_difference(f, h);
}

/* The quadratic form of K + K_g on the rows' null space against second differences of the
 * Lagrangian. Differences of the gradient would not do: transported frames have holonomy, so the
 * gradient is not that of one function along a curve that returns. */
static void check_hessian(subject *s)
{
    int columns = s->shape.columns;
    double *lambda = numbers(s->shape.rows), *d1 = numbers(columns), *d2 = numbers(columns);
    double *sum = numbers(columns), *difference = numbers(columns);
    for (int i = 0; i < s->shape.rows; i++) lambda[i] = 3 * random_number(&s->random);
    block_eval in = at_state(s);
    in.c_k = 1;
    in.lambda = lambda;
    dense m = assemble_dense(s, &in);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        random_direction(s, 1, false, d1);
        random_direction(s, 1, false, d2);
        project(s, &m, d1);
        project(s, &m, d2);
        for (int c = 0; c < columns; c++) sum[c] = d1[c] + d2[c], difference[c] = d1[c] - d2[c];
        double plus = second_along(s, sum, lambda), minus = second_along(s, difference, lambda);
        double size = form_size(&m, d1, d1) + form_size(&m, d2, d2);
        /* h⁴ = 1.6e-11 times sixth derivatives up to 1e4 of the form; round-off 1e-16/h² = 1e-11. */
        CHECK_CLOSE(s, form(&m, d1, d1), second_along(s, d1, lambda), 1e-6 * size);
        CHECK_CLOSE(s, form(&m, d1, d2), 0.25 * (plus - minus), 1e-6 * size);
    }
    free(lambda);
    free(d1);
    free(d2);
    free(sum);
    free(difference);
    free(m.a);
}

static void check_mass(subject *s)
{
    int columns = s->shape.columns;
    double *d = numbers(columns), *r0 = numbers(columns), *diagonal = numbers(columns);
    block_eval in = at_state(s);
    memcpy(r0, residual(s, &in), (size_t)columns * sizeof(double));
    in.c_a = 1;
    dense m = assemble_dense(s, &in);
    in.c_a = 0;
    if (s->ops->mass) s->ops->mass(s->model, diagonal);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        block_energy e;
        random_direction(s, 1, false, d);
        project(s, &m, d);
        energy_at(s, s->q, d, &e);
        double twice = 2 * e.kinetic;
        /* Blocks may add a part in 10¹⁰ where nothing else gives a pivot. */
        CHECK_CLOSE(s, form(&m, d, d), twice, 1e-8 * form_size(&m, d, d));
        in.a = d;
        const double *r = residual(s, &in);
        double work = 0, size = 0;
        for (int c = 0; c < columns; c++) work += (r[c] - r0[c]) * d[c];
        for (int c = 0; c < columns; c++) size += (fabs(r[c]) + fabs(r0[c])) * fabs(d[c]);
        CHECK_CLOSE(s, work, twice, 1e-13 * size);
        double diagonal_form = 0;
        for (int c = 0; c < columns; c++) diagonal_form += diagonal[c] * d[c] * d[c];
        if (s->ops->mass) CHECK_CLOSE(s, diagonal_form, twice, 1e-13 * twice);
    }
    free(d);
    free(r0);
    free(diagonal);
    free(m.a);
}

static bool dissipates(const subject *s)
{
    return s->def.damping > 0 || s->def.drag > 0 || s->def.quadratic_drag > 0;
}

/* D against differences of r over v, and power never gained. */
static void check_damping(subject *s)
{
    int columns = s->shape.columns;
    double *v = numbers(columns), *d1 = numbers(columns), *d2 = numbers(columns);
    double *moved = numbers(columns), *still = numbers(columns);
    block_eval in = at_state(s);
    memcpy(still, residual(s, &in), (size_t)columns * sizeof(double));
    random_direction(s, 3, true, v);
    in.v = v;
    in.c_v = 1;
    dense m = assemble_dense(s, &in);
    in.c_v = 0;
    double power = 0;
    const double *r = residual(s, &in);
    for (int c = 0; c < columns; c++) power += (r[c] - still[c]) * v[c];
    if (dissipates(s))
        CHECK(s, power > 0);
    else
        CHECK_CLOSE(s, power, 0, 1e-14); /* gyroscopic forces do no work, but for rounding */
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        random_direction(s, 1, false, d1);
        random_direction(s, 1, false, d2);
        project(s, &m, d1);
        project(s, &m, d2);
        double f[5];
        const double h = 1e-2; /* forces are linear or, in quadratic drag, smooth in v */
        for (int k = 0; k < 5; k++) {
            /* Spin has a gyroscopic force, bilinear in v, whose tangent is left out: it drops out of
             * the mean of the differences about v and about −v. */
            f[k] = 0;
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int c = 0; c < columns; c++) moved[c] = sign * v[c] + h * (k - 2) * d1[c];
                in.v = moved;
                f[k] += 0.5 * dot(columns, residual(s, &in), d2);
            }
        }
        double size = form_size(&m, d1, d2) + size_of_dot(columns, still, d2);
        CHECK_CLOSE(s, form(&m, d1, d2), first_difference(f, h), 1e-8 * size);
    }
    free(v);
    free(d1);
    free(d2);
    free(moved);
    free(still);
    free(m.a);
}

static void jet_at(const subject *s, const double *q, const double *cache, const attachment *at,
                   measure what, jet *j)
{
    s->ops->jet(s->model, q, cache, at, what, j);
}

static double jet_rate(const jet *j, int component, const double *d)
{
    double sum = 0;
    for (int run = 0, c = 0; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++)
            sum += j->J[3 * c + component] * d[j->run[run].first + i];
    return sum;
}

/* What differs between the value at a moved configuration and here: displacement or rotation. */
static void jet_difference(subject *s, const double *q, const attachment *at, measure what,
                           const double *here, double *out)
{
    double J[3 * LARGEST_JET], inverse[9], turn[9];
    jet j = {.J = J};
    s->ops->refresh(s->model, q, s->other_cache);
    jet_at(s, q, s->other_cache, at, what, &j);
    if (what == MEASURE_PLACE) {
        v3_sub(out, j.value, here);
        return;
    }
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) inverse[3 * c + r] = here[3 * r + c];
    m3_multiply(turn, j.value, inverse);
    cord__rotation_log(out, turn);
}

static void check_jet(subject *s, const attachment *at, measure what)
{
    double J[3 * LARGEST_JET], *d = numbers(s->shape.columns);
    jet j = {.J = J};
    jet_at(s, s->q, s->cache, at, what, &j);
    CHECK(s, j.columns <= s->shape.jet_columns && j.runs <= JET_RUNS);
    int counted = 0;
    for (int run = 0; run < j.runs; run++) {
        CHECK(s, j.run[run].first >= 0);
        CHECK(s, j.run[run].first + j.run[run].count <= s->shape.columns);
        counted += j.run[run].count;
    }
    CHECK(s, counted == j.columns);
    if (at->unit >= 0) {
        const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        CHECK(s, j.runs == 1 && j.run[0].first == at->unit && j.run[0].count == 3);
        CHECK(s, memcmp(J, identity, sizeof identity) == 0);
    }
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        const double h = 1e-3;
        double moved[5][3];
        random_direction(s, 1, true, d);
        for (int k = 0; k < 5; k++)
            jet_difference(s, along(s, d, h * (k - 2)), at, what, j.value, moved[k]);
        for (int i = 0; i < 3; i++) {
            double f[5];
            for (int k = 0; k < 5; k++) f[k] = moved[k][i];
            /* A frame turned by h w: rotation vectors, quadratic terms cancel in differences. */
            CHECK_CLOSE(s, jet_rate(&j, i, d), first_difference(f, h), 1e-9 * (1 + fabs(f[4]) / h));
        }
    }
    free(d);
}

static void check_jets(subject *s)
{
    for (int i = 0; i < PLACES; i++) check_jet(s, s->place + i, MEASURE_PLACE);
    for (int i = 0; i < s->frames; i++) check_jet(s, s->frame + i, MEASURE_FRAME);
}

/* To round-off: it must not add up over the increments. */
static void check_orthonormal(subject *s, const double *frame)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            CHECK_CLOSE(s, v3_dot(frame + 3 * a, frame + 3 * b), a == b, 2e-15);
    double cross[3];
    v3_cross(cross, frame, frame + 3);
    CHECK_CLOSE(s, v3_dot(cross, frame + 6), 1, 2e-15);
}

static void check_retraction(subject *s)
{
    double *d = numbers(s->shape.columns), J[3 * LARGEST_JET];
    const double *same = along(s, d, 1);
    /* Not bit for bit: directors are made unit normals again. */
    for (int i = 0; i < s->shape.q_count; i++)
        CHECK_CLOSE(s, same[i], s->q[i], 4e-15 * (1 + fabs(s->q[i])));
    for (int k = 0; k < 1000; k++) {
        random_direction(s, 0.01, true, d);
        s->ops->retract(s->model, s->q, d);
    }
    set_state(s);
    for (int i = 0; i < s->frames; i++) {
        jet j = {.J = J};
        jet_at(s, s->q, s->cache, s->frame + i, MEASURE_FRAME, &j);
        check_orthonormal(s, j.value);
    }
    free(d);
}

/* Elastic forces (ports' torques included) do no work on rigid motions, multipliers neither; and
 * the momenta are the derivatives of the kinetic energy along rigid motions. */
static void check_balance(subject *s, const block_eval *in)
{
    int columns = s->shape.columns;
    double *v = numbers(columns);
    const double *r = residual(s, in);
    for (int k = 0; k < 6; k++) {
        double u[3] = {0, 0, 0}, w[3] = {0, 0, 0};
        (k < 3 ? u : w)[k % 3] = 1;
        s->with->rigid(s->model, in->q, in->cache, u, w, v);
        double size = size_of_dot(columns, r, v);
        CHECK_CLOSE(s, dot(columns, r, v), 0, 1e-12 * size + 1e-13);
    }
    free(v);
}

static void check_forces_balance(subject *s)
{
    double *lambda = numbers(s->shape.rows), gravity[3];
    v3_copy(gravity, s->around.gravity);
    v3_set(s->around.gravity, 0, 0, 0);
    block_eval in = at_state(s);
    check_balance(s, &in);
    for (int i = 0; i < s->shape.rows; i++) lambda[i] = random_number(&s->random);
    in.lambda = lambda;
    check_balance(s, &in);
    v3_copy(s->around.gravity, gravity);
    free(lambda);
}

static void check_momenta(subject *s)
{
    int columns = s->shape.columns;
    double *v = numbers(columns), *rigid = numbers(columns), *sum = numbers(columns);
    random_direction(s, 1, true, v);
    block_energy here, e[2];
    energy_at(s, s->q, v, &here);
    for (int k = 0; k < 6; k++) {
        double u[3] = {0, 0, 0}, w[3] = {0, 0, 0};
        (k < 3 ? u : w)[k % 3] = 1;
        s->with->rigid(s->model, s->q, s->cache, u, w, rigid);
        for (int side = 0; side < 2; side++) { /* T is quadratic: the difference is exact */
            for (int c = 0; c < columns; c++) sum[c] = v[c] + (side ? -1 : 1) * rigid[c];
            energy_at(s, s->q, sum, e + side);
        }
        double momentum = k < 3 ? here.linear[k] : here.angular[k - 3];
        CHECK_CLOSE(s, momentum, 0.5 * (e[0].kinetic - e[1].kinetic),
                    1e-13 * (e[0].kinetic + e[1].kinetic));
    }
    free(v);
    free(rigid);
    free(sum);
}

static void turn_vectors(double *x, int count, const double *rotation, const double *shift)
{
    for (int i = 0; i < count; i++) {
        m3_apply(x + 3 * i, rotation, x + 3 * i);
        v3_add(x + 3 * i, x + 3 * i, shift);
    }
}

/* The same strand elsewhere, turned: the same energies and turned forces. */
static void check_invariance(subject *s)
{
    subject *t = begin(s->with);
    int n = s->def.vertex_count;
    double w[3] = {0.7, -1.9, 0.4}, shift[3] = {3, -2, 5}, nothing[3] = {0, 0, 0}, rotation[9];
    cord__rotation_exp(rotation, w);
    t->ops->destroy(t->model, &t->memory);
    turn_vectors(t->storage.positions, n, rotation, shift);
    turn_vectors(t->storage.velocities, n, rotation, nothing);
    m3_apply(t->def.director, rotation, t->def.director);
    /* The natural shape may lie anywhere: it stays where it was. */
    if (!t->def.natural_positions)
        m3_apply(t->def.natural_director, rotation, t->def.natural_director);
    make_model(t, &t->def);
    attach_all(t);
    v3_set(s->around.gravity, 0, 0, 0);
    v3_set(t->around.gravity, 0, 0, 0);
    subject *both[2] = {s, t};
    block_energy e[2];
    double *force[2] = {numbers(3 * n), numbers(3 * n)};
    for (int k = 0; k < 2; k++) {
        subject *o = both[k];
        o->ops->initial(o->model, o->q, o->v);
        set_state(o);
        o->ops->energy(o->model, &o->around, o->q, o->cache, o->v, NULL, e + k);
        block_eval in = at_state(o);
        o->with->ops->get_velocities(o->model, o->q, o->cache, residual(o, &in), force[k]);
    }
    double scale = elastic_of(e) + e[0].kinetic;
    CHECK_CLOSE(s, e[1].stretching, e[0].stretching, 1e-12 * scale);
    CHECK_CLOSE(s, e[1].bending, e[0].bending, 1e-12 * scale);
    CHECK_CLOSE(s, e[1].twisting, e[0].twisting, 1e-12 * scale);
    CHECK_CLOSE(s, e[1].kinetic, e[0].kinetic, 1e-12 * scale);
    turn_vectors(force[0], n, rotation, nothing);
    double largest = 0;
    for (int i = 0; i < 3 * n; i++) largest = fmax(largest, fabs(force[0][i]));
    for (int i = 0; i < 3 * n; i++)
        CHECK_CLOSE(s, force[1][i], force[0][i], 1e-11 * largest + 1e-12);
    free(force[0]);
    free(force[1]);
    end(t);
}

/* Between two states d apart, force half way times d is what the elastic energy changes by. */
static void check_discrete_gradient(subject *s, double size)
{
    int columns = s->shape.columns, rows = s->shape.rows;
    size_t q_bytes = (size_t)s->shape.q_count * sizeof(double);
    double *d = numbers(columns), *lambda = numbers(rows), *g0 = numbers(rows), *g1 = numbers(rows);
    double *start = numbers(s->shape.cache_count), *stop = numbers(s->shape.cache_count);
    double *half = numbers(s->shape.cache_count), *middle = numbers(s->shape.q_count), gravity[3];
    v3_copy(gravity, s->around.gravity);
    v3_set(s->around.gravity, 0, 0, 0);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        block_energy e0, e1;
        random_direction(s, size, true, d);
        rows_along(s, d, 0, g0);
        rows_along(s, d, 1, g1);
        energy_at(s, s->q, s->zero, &e0);
        energy_at(s, along(s, d, 1), s->zero, &e1);
        memcpy(stop, s->other_cache, (size_t)s->shape.cache_count * sizeof(double));
        memcpy(middle, along(s, d, 0.5), q_bytes);
        s->ops->refresh(s->model, s->q, start);
        s->ops->refresh(s->model, middle, half);
        block_eval in = at_state(s);
        in.q = middle, in.cache = half, in.start = start, in.end = stop, in.d = d;
        const double *r = residual(s, &in);
        double work = dot(columns, r, d), change = elastic_of(&e1) - elastic_of(&e0);
        /* Round-off of two energies, and of the sum of forces times displacements. */
        double round = elastic_of(&e0) + elastic_of(&e1) + size_of_dot(columns, r, d);
        CHECK_CLOSE(s, work, change, 1e-12 * round);
        for (int i = 0; i < rows; i++) CHECK_CLOSE(s, s->g[i], g1[i], 0); /* g is at the end */
        check_balance(s, &in);
        for (int i = 0; i < rows; i++) lambda[i] = random_number(&s->random);
        in.lambda = lambda;
        double with_rows = dot(columns, residual(s, &in), d), rows_work = 0;
        for (int i = 0; i < rows; i++) {
            rows_work += lambda[i] * (g1[i] - g0[i]);
            round += fabs(lambda[i]) * s->scale[0]; /* g is a difference of lengths */
        }
        CHECK_CLOSE(s, with_rows, work - rows_work, 1e-12 * round);
    }
    v3_copy(s->around.gravity, gravity);
    void *pieces[] = {d, lambda, g0, g1, start, stop, half, middle};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) free(pieces[i]);
}

/* A cache is a function of q alone: what it held before does not matter. */
static void check_cache(subject *s)
{
    size_t bytes = (size_t)s->shape.cache_count * sizeof(double);
    memset(s->other_cache, 0xff, bytes); /* NaNs */
    s->ops->refresh(s->model, s->q, s->other_cache);
    CHECK(s, memcmp(s->cache, s->other_cache, bytes) == 0);
}

static void check_rest(subject *s)
{
    if (s->ops->row_error && !s->def.natural_positions)
        CHECK_CLOSE(s, s->ops->row_error(s->model, s->cache), 0, 1e-13);
    double *x = numbers(3 * s->def.vertex_count);
    s->with->ops->get_positions(s->model, s->q, s->cache, x);
    for (int i = 0; i < 3 * s->def.vertex_count; i++)
        CHECK_CLOSE(s, x[i], s->def.positions[i], s->with->fitted);
    s->with->ops->get_velocities(s->model, s->q, s->cache, s->v, x);
    for (int i = 0; s->def.velocities && i < 3 * s->def.vertex_count; i++)
        CHECK_CLOSE(s, x[i], s->def.velocities[i], s->with->fitted);
    free(x);
}

/* displacement() leads where it says, set_velocities() and get_velocities() agree. */
static void check_queries(subject *s)
{
    int n = s->def.vertex_count;
    double *x = numbers(3 * n), *y = numbers(3 * n), *d = numbers(s->shape.columns);
    random_vector(&s->random, 3 * n, x);
    s->with->ops->set_velocities(s->model, s->q, s->cache, s->v, x);
    s->with->ops->get_velocities(s->model, s->q, s->cache, s->v, y);
    for (int i = 0; i < 3 * n; i++) CHECK_CLOSE(s, y[i], x[i], s->with->fitted);
    s->with->ops->get_positions(s->model, s->q, s->cache, x);
    for (int i = 0; i < 3 * n; i++) x[i] += 0.02 * random_number(&s->random);
    s->with->ops->displacement(s->model, s->q, x, d);
    const double *there = along(s, d, 1);
    s->ops->refresh(s->model, there, s->other_cache);
    s->with->ops->get_positions(s->model, there, s->other_cache, y);
    for (int i = 0; i < 3 * n; i++) CHECK_CLOSE(s, y[i], x[i], fmax(1e-14, s->with->fitted));
    free(x);
    free(y);
    free(d);
}

static void block_interface(void **with)
{
    subject *s = begin(*with);
    check_rest(s);
    check_invariance(s);
    end(s);
    s = begin(*with);
    shake(s);
    check_shape(s);
    check_cache(s);
    check_gradient(s);
    check_rows(s);
    check_hessian(s);
    check_mass(s);
    check_damping(s);
    check_jets(s);
    check_forces_balance(s);
    check_momenta(s);
    /* Motions large and small: round-off must not reach the correction. */
    check_discrete_gradient(s, 0.05);
    check_discrete_gradient(s, 1e-3);
    check_discrete_gradient(s, 1e-6);
    check_queries(s);
    check_retraction(s);
    end(s);
}

/* ---- all of it ---------------------------------------------------------------------------------- */

enum { NAME = 128 };

int conformance_group(const conformance_case *cases, int count, const struct CMUnitTest *more,
                      int more_count)
{
    int most = count * (1 + INTEGRATIONS) + more_count, tests = 0;
    struct CMUnitTest *test = allocate(most, sizeof *test);
    conformance_flight *flights = allocate(most, sizeof *flights);
    char(*name)[NAME] = allocate(most, NAME);
    for (int i = 0; i < count; i++, tests++) {
        snprintf(name[tests], NAME, "%s", cases[i].name);
        test[tests] =
            (struct CMUnitTest){name[tests], block_interface, NULL, NULL, (void *)(cases + i)};
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < INTEGRATIONS; k++) {
            bool symplectic = integrations[k].integrator == CORD_SYMPLECTIC;
            if (cases[i].frames > 0 || (cases[i].no_symplectic && symplectic)) continue;
            flights[tests] = (conformance_flight){cases + i, k};
            snprintf(name[tests], NAME, "%s, %s", cases[i].name, integrations[k].name);
            test[tests] =
                (struct CMUnitTest){name[tests], conformance_fly, NULL, NULL, flights + tests};
            tests++;
        }
    for (int i = 0; i < more_count; i++) test[tests++] = more[i];
    int failures = _cmocka_run_group_tests("conformance", test, (size_t)tests, NULL, NULL);
    free(test);
    free(flights);
    free(name);
    return failures;
}
