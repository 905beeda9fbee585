/* Strands that grow at their end: against closed forms and strands that are built as long, in statics and in dynamics; the
 * division of their last element; checkpoints in the middle. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double EI = 0.01, MASS = 0.1, LENGTH = 0.4;
enum { VERTICES = 33, MODELS = 4 };

/* How a model is built with so many edges per length of a clothoid's element. */
typedef struct subject {
    const char *name, *model;
    bool planar;
    int per_element; /* elements in the length of one element of a clothoid */
} subject;
static const subject subjects[MODELS] = {{"der", "der", false, 8},
                                         {"helix", "helix", false, 4},
                                         {"clothoid", "clothoid", false, 1},
                                         {"planar", "clothoid", true, 1}};
static const double ELEMENT = 0.1;

static cord_strand_def definition(const subject *of, double length, double x[3 * VERTICES])
{
    const int elements = (int)lround(length / ELEMENT * of->per_element);
    const bool der = strcmp(of->model, "der") == 0;
    cord_strand_def def = cord_strand_def_default();
    def.model = of->model;
    def.name = "rod";
    def.planar = of->planar;
    def.vertex_count = der ? elements + 1 : VERTICES;
    def.element_count = der ? 0 : elements;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = MASS,
                                 .bending = {EI, EI},
                                 .twisting = 0.8 * EI,
                                 .radius = 0.01};
    v3_set(def.director, 0, 0, -1);
    for (int i = 0; i < def.vertex_count; i++)
        v3_set(x + 3 * i, length * i / (def.vertex_count - 1), 0, 0);
    return def;
}

/* Along x from the origin; second director along y, so that a positive curvature about it bends it downwards. */
static cord_strand rod_of(cord_world *w, const subject *of, double length, bool clamped)
{
    double x[3 * 1000];
    const cord_strand_def def = definition(of, length, x);
    cord_strand rod = scene_strand(w, &def);
    if (clamped) assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    return rod;
}

static const double no_time[1] = {0};

static cord_growth_def growth_of(const double *rate, double until)
{
    cord_growth_def def = cord_growth_def_default();
    def.rate = (cord_keys){1, no_time, rate, CORD_EASE_LINEAR};
    def.until = until;
    return def;
}

static cord_strand_info info_of(cord_world *w, cord_strand rod)
{
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, rod, &info));
    return info;
}

static void vertex_of(cord_world *w, cord_strand rod, double fraction, double x[3])
{
    int count = info_of(w, rod).vertex_count;
    double *all = malloc(3 * (size_t)count * sizeof *all);
    assert_non_null(all);
    assert_fine(w, cord_strand_get_positions(w, rod, all));
    v3_copy(x, all + 3 * lround(fraction * (count - 1)));
    free(all);
}

/* ---- lengths and masses --------------------------------------------------------------------------- */

static void mass_grows(void **on)
{
    const subject *of = *on;
    const double times[2] = {0, 1}, rates[2] = {0, 0.4};
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = rod_of(w, of, LENGTH, true);
    cord_growth_def def = growth_of(rates, 0.55);
    def.rate = (cord_keys){2, times, rates, CORD_EASE_LINEAR};
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    scene_advance(w, 0.05, 10); /* ∫ 0.4 t dt to 0.5 */
    assert_close(info_of(w, rod).length, LENGTH + 0.05, 1e-12);
    assert_close(info_of(w, rod).mass, MASS * (LENGTH + 0.05), 1e-12);
    scene_advance(w, 0.05, 10);
    assert_close(info_of(w, rod).length, 0.55, 1e-12);
    assert_close(info_of(w, rod).mass, MASS * 0.55, 1e-12);
    cord_world_destroy(w);
}

/* A rod that flies in its direction grows in that direction: its start moves on uniformly, its end faster by the rate.
 * Momentum is mass times velocity. */
static void straight_growth(void **on)
{
    const subject *of = *on;
    /* tr-bdf2 starts every step from accelerations that are differences of positions over a thousandth of it */
    const double rate = 0.2, velocity = 0.3, EXACT = 1e-8;
    for (int by = 0; by < DYNAMIC_INTEGRATIONS; by++) {
        const bool der = strcmp(of->model, "der") == 0;
        if (is_semi_implicit(integrations + by)
                ? der
                : integrations[by].integrator == CORD_SYMPLECTIC && !der)
            continue;
        cord_world *w = scene_world_under(integrations + by, 0);
        double x[3 * 1000], v[3 * 1000], moved[3];
        cord_strand_def made = definition(of, LENGTH, x);
        for (int i = 0; i < made.vertex_count; i++) v3_set(v + 3 * i, velocity, 0, 0);
        made.velocities = v;
        cord_strand rod = scene_strand(w, &made);
        const cord_growth_def def = growth_of(&rate, 10);
        assert_fine(w, cord_strand_set_growth(w, rod, &def));
        for (int step = 1; step <= 60; step++) {
            scene_advance(w, 0.02, 1);
            const double t = 0.02 * step, mass = MASS * (LENGTH + rate * t);
            vertex_of(w, rod, 0, moved);
            assert_close(moved[0], velocity * t, EXACT);
            vertex_of(w, rod, 1, moved);
            assert_close(moved[0], LENGTH + (velocity + rate) * t, EXACT);
            assert_close(fabs(moved[1]) + fabs(moved[2]), 0, 1e-12);
            cord_momentum momentum;
            assert_fine(w, cord_world_get_momentum(w, &momentum));
            assert_close(momentum.linear[0], mass * velocity, EXACT);
            assert_close(scene_energy(w).kinetic, 0.5 * mass * velocity * velocity, EXACT);
        }
        cord_counters counters;
        assert_fine(w, cord_world_get_counters(w, &counters));
        assert_int_equal(counters.halvings, 0);
        cord_world_destroy(w);
    }
}

/* Points stay with their material, those at the end at the end. */
static void points_follow(void **on)
{
    const double rate = 0.3;
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = rod_of(w, *on, LENGTH, true);
    cord_point middle = scene_point(w, rod, 0.37 * LENGTH),
               late = scene_point(w, rod, 0.97 * LENGTH), end = scene_point(w, rod, LENGTH);
    const cord_growth_def def = growth_of(&rate, 10);
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    scene_advance(w, 0.01, 50);
    double at[3], frame[9];
    assert_fine(w, cord_point_get_pose(w, middle, at, frame));
    assert_close(at[0], 0.37 * LENGTH, 1e-10);
    assert_fine(w, cord_point_get_pose(w, late, at, frame));
    assert_close(at[0], 0.97 * LENGTH, 1e-10);
    assert_fine(w, cord_point_get_pose(w, end, at, frame));
    assert_close(at[0], LENGTH + 0.15, 1e-10);
    cord_world_destroy(w);
}

/* A weight at the end, and a support at a material coordinate: after growth the row holds, and the end is below it. Three rows
 * of a pin would be one too many on a straight rod that does not stretch. */
static void constraints_follow(void **on)
{
    const double rate = 0.3;
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = rod_of(w, *on, LENGTH, true);
    cord_point pin = scene_point(w, rod, 0.75 * LENGTH), end = scene_point(w, rod, LENGTH);
    cord_constraint held = scene_constraint(w, CORD_PLANE, pin, scene_place_of(w, pin));
    cord_load_def weight = cord_load_def_default();
    cord_load made;
    weight.point = end;
    v3_set(weight.force, 0, 0, -1e-3);
    assert_fine(w, cord_world_add_load(w, &weight, &made));
    const cord_growth_def def = growth_of(&rate, 10);
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    scene_advance(w, 0.01, 60);
    assert_true(scene_gap(w, held) < 1e-9);
    double at[3], frame[9];
    assert_fine(w, cord_point_get_pose(w, end, at, frame));
    assert_true(at[2] < 0);
    assert_close(at[0], LENGTH + 0.18, 1e-3);
    cord_world_destroy(w);
}

/* ---- division --------------------------------------------------------------------------------------- */

typedef struct divided {
    const strand_ops *ops;
    memory m;
    void *model;
    block_shape shape;
    double *q, *v, *cache, *rates;
    block_energy energy;
} divided;

static void take_state(divided *d, void *model, const double *q, const double *v)
{
    const block_ops *ops = &d->ops->block;
    const environment env = {.gravity = {0, 0, -9.8}};
    d->model = model;
    ops->describe(model, &d->shape);
    d->q = calloc((size_t)d->shape.q_count, sizeof(double));
    d->v = calloc((size_t)d->shape.dofs, sizeof(double));
    d->cache = calloc((size_t)d->shape.cache_count, sizeof(double));
    d->rates = calloc((size_t)d->shape.inertial_count + 1, sizeof(double));
    ops->initial(model, d->q, d->v);
    if (q) memcpy(d->q, q, (size_t)d->shape.q_count * sizeof *q);
    if (v) memcpy(d->v, v, (size_t)d->shape.dofs * sizeof *v);
    ops->refresh(model, d->q, d->cache);
    if (ops->set_dependent_dofs) ops->set_dependent_dofs(model, d->cache, d->v);
    if (ops->inertial) ops->inertial->rates(model, d->cache, d->v, d->rates);
    ops->energy(model, &env, d->q, d->cache, d->v, d->rates, &d->energy);
}

static void free_state(divided *d)
{
    d->ops->block.destroy(d->model, &d->m);
    free(d->q), free(d->v), free(d->cache), free(d->rates);
}

static double dof_of(int i)
{
    return sin(1.3 * i + 0.4);
}

/* A curved, moving rod of the model, and its successor after a division. */
static void divide_one(const subject *of, double size, divided *one, divided *two)
{
    double x[3 * 1000];
    char why[256];
    void *model;
    strand_growth g = {.element = ELEMENT / of->per_element, .until = 1};
    cord_strand_def def = definition(of, LENGTH, x);
    def.section.radius = 1e-6; /* the rotary inertia of sections is that of the nodes */
    memset(one, 0, sizeof *one), memset(two, 0, sizeof *two);
    one->ops = two->ops = cord__strand_find(of->model);
    cord__memory_init(&one->m, NULL), cord__memory_init(&two->m, NULL);
    assert_int_equal(one->ops->create(&def, &one->m, &model, why, sizeof why), CORD_OK);
    const growth_ops *ops = one->ops->block.growth;
    assert_int_equal(ops->prepare(model, &one->m, &g, why, sizeof why), CORD_OK);
    take_state(one, model, NULL, NULL);
    double *d = calloc((size_t)one->shape.dofs, sizeof *d),
           *v = calloc((size_t)one->shape.dofs, sizeof *v);
    for (int i = 0; i < one->shape.dofs; i++) d[i] = size * dof_of(i), v[i] = dof_of(3 * i);
    one->ops->block.retract(model, one->q, d);
    ops->lengthen(model, 0.7 * g.element, one->q, v);
    double *q = calloc((size_t)one->shape.q_count, sizeof *q);
    memcpy(q, one->q, (size_t)one->shape.q_count * sizeof *q);
    free(one->q), free(one->v), free(one->cache), free(one->rates);
    take_state(one, model, q, v);
    void *successor;
    assert_int_equal(ops->divide(model, &g, one->q, one->cache, one->v, &two->m, &successor),
                     CORD_OK);
    take_state(two, successor, NULL, NULL);
    free(d), free(v), free(q);
}

#define assert_relative(a, b) assert_close(a, b, 1e-12 * (1 + fabs(b)))

/* Curve, velocities, energies and momenta of a chain are the same after a division. */
static void division_is_exact(void **on)
{
    divided one, two;
    divide_one(*on, 1, &one, &two);
    assert_int_equal(two.shape.rows, one.shape.rows + 6);
    double x[2][3 * VERTICES], v[2][3 * VERTICES], f[2][9 * VERTICES];
    divided *const both[2] = {&one, &two};
    for (int i = 0; i < 2; i++) {
        const divided *d = both[i];
        const block_eval at = {.q = d->q, .cache = d->cache, .v = d->v};
        d->ops->get_positions(d->model, &at, x[i]);
        d->ops->get_velocities(d->model, d->q, d->cache, d->v, v[i]);
        d->ops->frames(d->model, &at, f[i]);
    }
    for (int i = 0; i < 3 * VERTICES; i++) {
        assert_relative(x[1][i], x[0][i]);
        assert_relative(v[1][i], v[0][i]);
    }
    for (int i = 0; i < 9 * (VERTICES - 1); i++) assert_relative(f[1][i], f[0][i]);
    const block_energy *a = &one.energy, *b = &two.energy;
    assert_true(a->kinetic > 1e-4 && a->bending > 1e-4);
    assert_relative(b->kinetic, a->kinetic);
    assert_relative(b->gravity, a->gravity);
    assert_relative(b->bending, a->bending);
    assert_relative(b->twisting, a->twisting);
    for (int k = 0; k < 3; k++) {
        assert_relative(b->linear[k], a->linear[k]);
        assert_relative(b->angular[k], a->angular[k]);
    }
    free_state(&one), free_state(&two);
}

/* Of a discrete rod mass, momentum and all vertices but the end are the same; the end and the energy of bending change by
 * the order of κ²ē³ and of the curvature of one edge. A straight rod keeps its shape. */
static void division_of_edges(void **on)
{
    for (int pass = 0; pass < 2; pass++) {
        divided one, two;
        divide_one(*on, pass ? 0 : 5e-4, &one, &two);
        const int n = one.shape.rows + 1; /* vertices */
        assert_int_equal(two.shape.rows, n);
        for (int i = 0; i < 3 * (n - 1); i++) assert_relative(two.q[i], one.q[i]);
        const double *end = one.q + 3 * (n - 1);
        assert_true(v3_distance(two.q + 3 * n, end) < (pass ? 1e-15 : 1e-5));
        if (pass) {
            double middle[3];
            v3_combine(middle, 0.5, end, 0.5, end - 3);
            assert_true(v3_distance(two.q + 3 * n - 3, middle) < 1e-15);
        }
        for (int k = 0; k < 3; k++) assert_relative(two.energy.linear[k], one.energy.linear[k]);
        assert_close(two.energy.bending, one.energy.bending, 0.1 * one.energy.bending);
        cord_strand_info info[2];
        one.ops->info(one.model, info), two.ops->info(two.model, info + 1);
        assert_relative(info[1].length, info[0].length);
        assert_relative(info[1].mass, info[0].mass);
        free_state(&one), free_state(&two);
    }
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

static cord_world *quasi_static(double gravity)
{
    return scene_world_under(integrations + QUASI_STATIC, gravity);
}

/* It hangs as far down as a rod that is built as long. */
static void cantilever_as_built(void **on)
{
    const double rate = 0.4;
    cord_world *grown = quasi_static(0.05), *built = quasi_static(0.05);
    cord_strand a = rod_of(grown, *on, LENGTH, true), b = rod_of(built, *on, 2 * LENGTH, true);
    const cord_growth_def def = growth_of(&rate, 2 * LENGTH);
    assert_fine(grown, cord_strand_set_growth(grown, a, &def));
    scene_advance(grown, 0.07, 20);
    assert_fine(built, cord_world_find_equilibrium(built, NULL, NULL));
    double x[3], y[3];
    vertex_of(grown, a, 1, x);
    vertex_of(built, b, 1, y);
    assert_close(info_of(grown, a).length, 2 * LENGTH, 1e-12);
    assert_true(y[2] < -0.02);
    assert_true(v3_distance(x, y) < 2e-3 * fabs(y[2]));
    cord_world_destroy(grown);
    cord_world_destroy(built);
}

/* An arc of a circle, naturally curved, grows until it is closed: new material has the curvature of the end. */
static void circle_grows(void **on)
{
    const subject *of = *on;
    const double rate = 0.4, radius = 0.3;
    cord_world *w = quasi_static(0);
    double x[3 * 1000], end[3];
    cord_strand_def made = definition(of, LENGTH, x);
    for (int i = 0; i < made.vertex_count; i++) {
        double angle = LENGTH * i / (made.vertex_count - 1) / radius;
        v3_set(x + 3 * i, radius * sin(angle), 0, radius * (cos(angle) - 1));
    }
    cord_strand rod = scene_strand(w, &made);
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    const cord_growth_def def = growth_of(&rate, 2 * PI * radius);
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    scene_advance(w, 0.05, 80);
    vertex_of(w, rod, 1, end);
    assert_true(v3_norm(end) < (of->per_element == 8 ? 1e-3 : 1e-4));
    vertex_of(w, rod, 0.5, end);
    assert_close(end[2], -2 * radius, of->per_element == 8 ? 2e-3 : 1e-2);
    cord_world_destroy(w);
}

/* Curvature and twist, along an element that has them from the start: a helix, whose pitch is 2π τ/(κ² + τ²). */
static void helix_grows(void **on)
{
    const subject *of = *on;
    const double rate = 0.4, kappa = 8, tau = 3, size = kappa * kappa + tau * tau, from = 0;
    double k[3] = {0, kappa, tau}, x[3 * 1000], natural[6 * 4];
    if (of->planar) return;
    cord_world *w = quasi_static(0);
    cord_strand_def made = definition(of, LENGTH, x);
    for (int e = 0; e < 8; e++) v3_copy(natural + 3 * e, k);
    const bool clothoid = strcmp(of->model, "clothoid") == 0;
    if (clothoid) made.natural_curvatures = natural;
    cord_strand rod = scene_strand(w, &made);
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    cord_growth_def def = growth_of(&rate, LENGTH + 2 * 2 * PI / sqrt(size));
    def.natural_curvature = (cord_keys){1, &from, k, CORD_EASE_LINEAR};
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    scene_advance(w, 0.05, 100);
    /* one turn apart along the strand: a pitch apart along the axis */
    const double turn = 2 * PI / sqrt(size);
    const cord_strand_info info = info_of(w, rod);
    cord_point ends[2] = {scene_point(w, rod, info.length - turn),
                          scene_point(w, rod, info.length)};
    double at[2][3], frame[9];
    for (int i = 0; i < 2; i++) assert_fine(w, cord_point_get_pose(w, ends[i], at[i], frame));
    assert_close(v3_distance(at[0], at[1]), turn * tau / sqrt(size), 2e-2 * turn);
    cord_world_destroy(w);
}

/* The zone at the end bends towards a direction that rotates once in a period. */
static void circumnutation(void **on)
{
    const subject *of = *on;
    const double rate = 0.02, k[3] = {0, 0.8, 0}, from = 0, period = 2;
    if (of->planar) return;
    cord_world *w = quasi_static(0);
    cord_strand rod = rod_of(w, of, LENGTH, true);
    cord_growth_def def = growth_of(&rate, 1);
    def.natural_curvature = (cord_keys){1, &from, k, CORD_EASE_LINEAR};
    def.period = period;
    def.zone = 1;
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    for (int step = 1; step <= 16; step++) {
        scene_advance(w, period / 8, 1);
        double x[3];
        vertex_of(w, rod, 1, x);
        /* At angle 0 it bends downwards; curvature about the first director, −z, is towards −y. */
        double angle = 2 * PI * step / 8, size = sqrt(x[1] * x[1] + x[2] * x[2]);
        assert_true(size > 0.3 * 0.5 * k[1] * LENGTH * LENGTH);
        assert_close(-x[2] / size, cos(angle), 5e-2);
        assert_close(fabs(x[1] / size), fabs(sin(angle)), 5e-2);
        assert_true(fabs(sin(angle)) < 0.1 || x[1] * sin(angle) > 0);
    }
    cord_world_destroy(w);
}

/* ---- the state ------------------------------------------------------------------------------------------ */

static cord_world *growing(const integration *by, const subject *of, cord_strand *rod)
{
    static const double rate = 0.5, from = 0, k[3] = {0, 3, 0};
    cord_world *w = scene_world_under(by, 1);
    *rod = rod_of(w, of, LENGTH, true);
    cord_growth_def def = growth_of(&rate, 1);
    def.natural_curvature = (cord_keys){1, &from, k, CORD_EASE_LINEAR};
    assert_fine(w, cord_strand_set_growth(w, *rod, &def));
    scene_point(w, *rod, LENGTH);
    return w;
}

static void checkpoints(void **on)
{
    const subject *of = *on;
    for (int by = 0; by < INTEGRATIONS; by++) {
        const bool der = strcmp(of->model, "der") == 0;
        if (is_semi_implicit(integrations + by)
                ? der
                : integrations[by].integrator == CORD_SYMPLECTIC && !der)
            continue;
        cord_strand rod, same;
        const double h = integrations[by].integrator == CORD_SYMPLECTIC ? 1e-4 : 5e-3;
        cord_world *w = growing(integrations + by, of, &rod),
                   *other = growing(integrations + by, of, &same);
        scene_advance(w, h, 21);
        scene_goes_on(w, other, h, 25);
        assert_close(info_of(other, same).length, LENGTH + 0.5 * h * 46, 1e-12);
        /* back to the beginning */
        cord_world *first = growing(integrations + by, of, &same);
        scene_copy_state(first, w);
        assert_close(info_of(w, rod).length, LENGTH, 1e-12);
        scene_advance(first, h, 12), scene_advance(w, h, 12);
        assert_int_equal(scene_hash(w), scene_hash(first));
        cord_world_destroy(w), cord_world_destroy(other), cord_world_destroy(first);
    }
}

/* Strands of all models grow together, with the same bits by one thread and by three. */
static void threads_do_not_matter(void **on)
{
    static const double rate = 0.5;
    uint64_t hash[2];
    (void)on;
    for (int i = 0; i < 2; i++) {
        cord_world *w;
        cord_world_def def = cord_world_def_default();
        def.threads = i ? 3 : 1;
        assert_int_equal(cord_world_create(&def, &w), CORD_OK);
        const cord_growth_def growth = growth_of(&rate, 1);
        for (int k = 0; k < 2 * MODELS; k++)
            assert_fine(w, cord_strand_set_growth(w, rod_of(w, subjects + k % MODELS, LENGTH, true),
                                                  &growth));
        scene_advance(w, 5e-3, 50);
        hash[i] = scene_hash(w);
        cord_world_destroy(w);
    }
    assert_int_equal(hash[0], hash[1]);
}

/* Heap calls are made at divisions only: in a step whose last element is twice as long as it was. (Later clothoids bend so much
 * that their quadrature changes, which lays out the world again.) */
static void heap_at_divisions_only(void **on)
{
    const subject *of = *on;
    cord_strand rod;
    cord_world *w = growing(NULL, of, &rod);
    const double element = ELEMENT / of->per_element;
    int divisions = 0;
    scene_advance(w, 2e-3, 2);
    for (int step = 0; step < 140; step++) {
        const strand *s = w->strands.item[0];
        const int64_t calls = w->memory.calls;
        const bool due = s->block.ops->growth->last_element(s->block.model) >= (2 - 1e-9) * element;
        scene_advance(w, 2e-3, 1);
        divisions += due;
        if (due)
            assert_true(w->memory.calls > calls);
        else
            assert_int_equal(w->memory.calls, calls);
    }
    assert_true(divisions >= 1);
    cord_world_destroy(w);
}

static void refusals(void **on)
{
    (void)on;
    const double rate = 0.1, backwards = -0.1;
    double x[3 * 1000] = {0}, ring[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    for (int i = 0; i < 1000; i++) x[3 * i] = i;
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = rod_of(w, subjects, LENGTH, true);
    cord_growth_def def = growth_of(&backwards, 1);
    assert_int_equal(cord_strand_set_growth(w, rod, &def), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "rate of growth is -0.1"));
    def = growth_of(&rate, 0.5 * LENGTH);
    assert_int_equal(cord_strand_set_growth(w, rod, &def), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "has 0.4 m already"));
    def = growth_of(&rate, 1);
    def.element_length = 1e-6;
    assert_int_equal(cord_strand_set_growth(w, rod, &def), CORD_ERROR_ARGUMENT);
    def = growth_of(&rate, 1e5);
    assert_int_equal(cord_strand_set_growth(w, rod, &def), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "at most 100000"));
    def = growth_of(&rate, 1);
    def.period = -1;
    assert_int_equal(cord_strand_set_growth(w, rod, &def), CORD_ERROR_ARGUMENT);
    def = growth_of(&rate, 1);
    assert_int_equal(cord_strand_set_growth(w, (cord_strand){0}, &def), CORD_ERROR_HANDLE);
    assert_fine(w, cord_strand_set_growth(w, rod, &def));
    assert_int_equal(cord_strand_set_length(w, rod, 1), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "grows"));
    assert_int_equal(info_of(w, rod).vertex_count, 81);
    assert_int_equal(cord_strand_set_positions(w, rod, x), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_set_velocities(w, rod, x), CORD_ERROR_UNSUPPORTED);
    cord_point_def sliding = cord_point_def_default();
    cord_point made;
    sliding.source = CORD_SOURCE_SLIDING;
    sliding.strand = rod;
    assert_int_equal(cord_world_add_point(w, &sliding, &made), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_world_clamp_strand(w, rod, LENGTH, NULL, NULL, NULL, NULL),
                     CORD_ERROR_UNSUPPORTED);
    assert_fine(w, cord_strand_set_growth(w, rod, NULL));

    cord_strand_def closed = definition(subjects, LENGTH, x);
    closed.vertex_count = 4, closed.positions = ring, closed.closed = true;
    cord_strand loop = scene_strand(w, &closed);
    def.until = 100;
    assert_int_equal(cord_strand_set_growth(w, loop, &def), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "closed"));
    static const char *const others[] = {"spline", "segment"};
    for (int i = 0; i < 2; i++) {
        const subject of = {others[i], others[i], false, 2};
        cord_strand other = rod_of(w, &of, LENGTH, false);
        assert_int_equal(cord_strand_set_growth(w, other, &def), CORD_ERROR_UNSUPPORTED);
        assert_non_null(strstr(cord_world_get_error(w), "does not grow"));
    }
    cord_world_destroy(w);
}

#define ON_EVERY_MODEL(test)                                                                       \
    {#test ", der", test, NULL, NULL, (void *)(subjects + 0)},                                     \
        {#test ", helix", test, NULL, NULL, (void *)(subjects + 1)},                               \
        {#test ", clothoid", test, NULL, NULL, (void *)(subjects + 2)},                            \
    {                                                                                              \
#test ", planar", test, NULL, NULL, (void *)(subjects + 3)                                 \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_MODEL(mass_grows),
        ON_EVERY_MODEL(straight_growth),
        ON_EVERY_MODEL(points_follow),
        ON_EVERY_MODEL(constraints_follow),
        {"division_is_exact, helix", division_is_exact, NULL, NULL, (void *)(subjects + 1)},
        {"division_is_exact, clothoid", division_is_exact, NULL, NULL, (void *)(subjects + 2)},
        {"division_is_exact, planar", division_is_exact, NULL, NULL, (void *)(subjects + 3)},
        {"division_of_edges", division_of_edges, NULL, NULL, (void *)(subjects + 0)},
        ON_EVERY_MODEL(cantilever_as_built),
        ON_EVERY_MODEL(circle_grows),
        ON_EVERY_MODEL(helix_grows),
        ON_EVERY_MODEL(circumnutation),
        ON_EVERY_MODEL(checkpoints),
        ON_EVERY_MODEL(heap_at_divisions_only),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
