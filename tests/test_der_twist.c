/* Discrete elastic rods: the quasistatic material frame. Uniform twist, torque-free edges,
 * closing twist, full turns, and the forces of the paper's formulas. */
#include "math/rotation.h"
#include "strand/der/der.h"
#include "support/holonomy.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { N = 12, EDGES = N - 1, MOST = 400 };

typedef struct rod {
    memory memory;
    der *d;
    block_shape shape;
    double q[MOST], v[MOST], cache[2 * MOST], work[MOST], r[MOST], g[MOST], zero[MOST];
    unsigned char prescribed[MOST];
    attachment frame[3];
} rod;

static void section_of(cord_strand_def *def, double b1, double b2, double twisting)
{
    def->section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                  .mass = 0.1,
                                  .stretching = 60,
                                  .bending = {b1, b2},
                                  .twisting = twisting,
                                  .rotary_inertia = 1e-5,
                                  .radius = 0.01};
    v3_set(def->director, 0.1, 0.2, 1);
}

static void space_curve(double *x)
{
    for (int i = 0; i < N; i++) {
        double s = 0.1 * i + 0.03 * (i % 3);
        v3_set(x + 3 * i, s, 0.25 * sin(4 * s), 0.15 * cos(3 * s));
    }
}

static void straight_line(const double *x, double *natural)
{
    double s = 0;
    for (int i = 0; i < N; i++) {
        v3_set(natural + 3 * i, s, 0, 0);
        if (i < N - 1) s += v3_distance(x + 3 * i, x + 3 * i + 3);
    }
}

/* Frames clamped at the given material coordinates (fractions of the length). */
static rod *make(const cord_strand_def *def, int frames, const double *at)
{
    rod *o = calloc(1, sizeof *o);
    char why[256] = "";
    void *model;
    assert_non_null(o);
    cord__memory_init(&o->memory, NULL);
    assert_int_equal(cord__der_create(def, &o->memory, &model, why, sizeof why), CORD_OK);
    o->d = model;
    for (int p = 0; p < frames; p++)
        assert_int_equal(cord__der_attach(model, &o->memory, MEASURE_FRAME,
                                          at[p] * o->d->arc[o->d->edges], o->frame + p),
                         CORD_OK);
    cord__der.block.describe(model, &o->shape);
    assert_true(o->shape.q_count <= MOST && o->shape.cache_count <= 2 * MOST);
    cord__der.block.initial(model, o->q, o->v);
    cord__der_refresh(model, o->q, o->cache);
    return o;
}

static void done(rod *o)
{
    cord__der_destroy(o->d, &o->memory);
    free(o);
}

/* Rotates a clamped frame about its tangent. */
static void turn(rod *o, int frame, double angle)
{
    double increment[MOST] = {0};
    v3_scale(increment + o->frame[frame].unit, angle,
             der_vertex_frame_q(o->d, o->q, o->frame[frame].index));
    cord__der_retract(o->d, o->q, increment);
    cord__der_refresh(o->d, o->q, o->cache);
}

static void relax(rod *o)
{
    assert_int_equal(cord__der_relax(o->d, o->q, o->cache, o->work), CORD_OK);
}

static void gradient(rod *o)
{
    environment env = {0};
    block_eval in = {.environment = &env,
                     .q = o->q,
                     .cache = o->cache,
                     .v = o->zero,
                     .a = o->zero,
                     .lambda = o->zero,
                     .prescribed = o->prescribed};
    cord__der.block.assemble(o->d, &in, o->r, o->g, NULL);
}

static void energy(rod *o, block_energy *e)
{
    environment env = {0};
    cord__der_energy(o->d, &env, o->q, o->cache, o->zero, NULL, e);
}

/* Twist over length at every joint, those of vertex frames included. */
static int twist_rates(const rod *o, double *rate)
{
    const der *d = o->d;
    const double *strain = der_strains(d, o->cache);
    const double *frame = der_vertex_frame_strains(d, o->cache);
    int count = 0;
    for (int i = 0; i < d->n; i++)
        if (der_has_joint(d, i)) rate[count++] = strain[STRAINS * i + 4] / d->cell[i];
    for (int p = 0; p < d->frame_count; p++)
        for (int side = 0; side < 2; side++) {
            int i = d->frame[p].vertex, edge = side ? der_edge_after(d, i) : der_edge_before(d, i);
            if (edge >= 0) rate[count++] = frame[STRAINS * (2 * p + side) + 4] / d->rest[edge];
        }
    return count;
}

/* Isotropic, naturally straight, along a space curve. */
static cord_strand_def bent_rod(double x[3 * N], double natural[3 * N])
{
    cord_strand_def def = cord_strand_def_default();
    section_of(&def, 0.01, 0.01, 0.008);
    space_curve(x);
    straight_line(x, natural);
    def.vertex_count = N;
    def.positions = x, def.natural_positions = natural;
    return def;
}

/* An isotropic, naturally straight rod clamped at both ends: the twist is uniform [DER 2008, eq.
 * 5]. */
static void uniform_twist(void **unused)
{
    (void)unused;
    double x[3 * N], natural[3 * N], rate[2 * N], ends[2] = {0, 1};
    cord_strand_def def = bent_rod(x, natural);
    rod *o = make(&def, 2, ends);
    assert_true(o->d->isotropic);
    for (int k = 0; k < 40; k++) turn(o, 1, 0.7);
    relax(o);
    int count = twist_rates(o, rate);
    assert_int_equal(count, N); /* N − 2 inner joints and one for each vertex frame */
    for (int i = 0; i < count; i++) assert_close(rate[i], rate[0], 1e-10);
    /* The clamps began untwisted and differ by 28 rad. A cell counts both its edges, so that
     * twist per length is twice the rate. */
    assert_close(2 * rate[0] * o->d->arc[EDGES], 28, 1e-9);
    /* The torque on every edge is zero, and frames, strains and twists in q are consistent. */
    gradient(o);
    for (int j = 0; j < EDGES; j++) assert_close(o->r[4 * j + 3], 0, 1e-12);
    double fresh[2 * MOST];
    cord__der_refresh(o->d, o->q, fresh);
    assert_all_close(o->cache, fresh, o->shape.cache_count, 1e-12);
    double again[2 * N];
    double nothing[MOST] = {0};
    cord__der_retract(o->d, o->q, nothing); /* takes the twists from the frames */
    cord__der_refresh(o->d, o->q, o->cache);
    twist_rates(o, again);
    assert_all_close(again, rate, count, 1e-10);
    done(o);
}

/* Clamped in the middle too: each part has its own rate. Clamped at one end only: no twist. */
static void runs_between_holders(void **unused)
{
    (void)unused;
    double x[3 * 9], rate[2 * N];
    cord_strand_def def = cord_strand_def_default();
    section_of(&def, 0.01, 0.01, 0.008);
    for (int i = 0; i < 9; i++) v3_set(x + 3 * i, 0.1 * i, 0, 0);
    def.vertex_count = 9;
    def.positions = x;
    rod *o = make(&def, 3, (double[]){0, 0.5, 1});
    turn(o, 1, 0.6);
    turn(o, 2, -0.9);
    relax(o);
    int count = twist_rates(o, rate);
    assert_int_equal(count, 6 + 4);
    for (int i = 0; i < 3; i++) assert_close(2 * rate[i] * 0.4, 0.6, 1e-12);
    for (int i = 3; i < 6; i++) assert_close(2 * rate[i] * 0.4, -1.5, 1e-12);
    done(o);
    o = make(&def, 1, (double[]){0.25});
    turn(o, 0, 1.3);
    relax(o);
    count = twist_rates(o, rate);
    for (int i = 0; i < count; i++) assert_close(rate[i], 0, 1e-13);
    for (int j = 0; j < 8; j++) { /* the whole rod rotated with its clamp */
        const double *m = der_m1(o->d, o->q) + 3 * j, *m0 = o->d->initial_m1 + 3 * j;
        assert_close(v3_dot(m, m0), cos(1.3), 1e-13);
    }
    done(o);
}

/* Anisotropic, naturally curved: relaxed angles are torque-free, and have less energy. */
static void torque_free(void **unused)
{
    (void)unused;
    double x[3 * N], twist[EDGES], natural_twist[EDGES];
    cord_strand_def def = cord_strand_def_default();
    section_of(&def, 0.01, 0.03, 0.008);
    space_curve(x);
    for (int j = 0; j < EDGES; j++) twist[j] = 0.5 * j + 0.3 * (j % 3), natural_twist[j] = 0.1 * j;
    def.vertex_count = N;
    def.positions = x;
    def.twist = twist, def.natural_twist = natural_twist;
    for (int frames = 0; frames <= 2; frames++) {
        rod *o = make(&def, frames, (double[]){0, 1});
        block_energy before, after;
        energy(o, &before);
        relax(o);
        energy(o, &after);
        gradient(o);
        double largest = 0;
        for (int j = 0; j < EDGES; j++) largest = fmax(largest, fabs(o->r[4 * j + 3]));
        /* Newton stops at 1e-6 rad, so the error is its square, times a stiffness of 0.1 N m. */
        assert_close(largest, 0, 1e-12);
        assert_true(after.bending + after.twisting < before.bending + before.twisting);
        relax(o); /* an equilibrium stays */
        energy(o, &before);
        assert_close(before.bending + before.twisting, after.bending + after.twisting, 1e-15);
        done(o);
    }
}

/* A hundred turns forwards and back: none is lost. */
static void many_turns(void **unused)
{
    (void)unused;
    double x[3 * N], natural[3 * N], ends[2] = {0, 1};
    cord_strand_def def = cord_strand_def_default();
    space_curve(x);
    straight_line(x, natural);
    def.vertex_count = N;
    def.positions = x, def.natural_positions = natural;
    for (int general = 0; general < 2; general++) {
        section_of(&def, 0.01, general ? 0.011 : 0.01, 0.008);
        rod *o = make(&def, 2, ends);
        block_energy start, far, back;
        relax(o);
        energy(o, &start);
        for (int k = 0; k < 628; k++) turn(o, 1, 1), relax(o);
        energy(o, &far);
        /* ½ GJ θ²/L */
        assert_close(far.twisting, 0.5 * 0.008 * 628 * 628 / o->d->arc[EDGES], 1e-7 * far.twisting);
        for (int k = 0; k < 628; k++) turn(o, 1, -1), relax(o);
        energy(o, &back);
        assert_close(back.twisting, start.twisting, 1e-9);
        assert_close(back.bending, start.bending, 1e-9);
        done(o);
    }
}

/* A planar ring closed with twist Θ: E = ½ GJ Θ²/L, however the twist was introduced. */
static void closing_twist(void **unused)
{
    (void)unused;
    enum { RING = 20 };
    double x[3 * RING], natural[3 * (RING + 1)], length = RING * 0.05;
    double radius = 0.05 / (2 * sin(pi / RING));
    cord_strand_def def = cord_strand_def_default();
    section_of(&def, 0.01, 0.01, 0.008);
    for (int i = 0; i <= RING; i++) {
        double a = 2 * pi * i / RING;
        if (i < RING) v3_set(x + 3 * i, radius * cos(a), radius * sin(a), 0);
        v3_set(natural + 3 * i, 0.05 * i, 0, 0);
    }
    def.vertex_count = RING;
    def.positions = x, def.natural_positions = natural;
    def.closed = true;
    for (int way = 0; way < 2; way++) {
        def.closing_twist = way ? 0 : 3 * pi;
        cord_world *w = scene_world(NULL);
        cord_strand ring;
        cord_energy e;
        double k[3 * RING];
        assert_fine(w, cord_world_add_strand(w, &def, &ring));
        if (way) assert_fine(w, cord_strand_set_closing_twist(w, ring, 3 * pi));
        assert_fine(w, cord_strand_get_energy(w, ring, &e));
        assert_close(e.twisting, 0.5 * 0.008 * 9 * pi * pi / length, 1e-12);
        assert_fine(w, cord_strand_get_curvatures(w, ring, k));
        for (int i = 0; i < RING; i++) assert_close(k[3 * i + 2], 3 * pi / length, 1e-10);
        assert_fine(w, cord_world_step(w, 1e-4));
        assert_fine(w, cord_strand_get_energy(w, ring, &e));
        assert_close(e.twisting, 0.5 * 0.008 * 9 * pi * pi / length, 1e-12 * e.twisting);
        cord_world_destroy(w);
    }
}

/* Angles without inertia are in equilibrium after every step, the first one included. */
static void quasistatic_from_the_start(void **by)
{
    double x[3 * N], natural[3 * N], twist[EDGES];
    cord_strand_def def = bent_rod(x, natural);
    for (int j = 0; j < EDGES; j++) twist[j] = 0.7 * j;
    def.twist = twist;
    cord_world *w = scene_world(*by);
    cord_strand free_rod;
    cord_energy e;
    assert_fine(w, cord_world_add_strand(w, &def, &free_rod));
    for (int i = 0; i < 3; i++) {
        assert_fine(w, cord_world_step(w, 1e-4));
        assert_fine(w, cord_strand_get_energy(w, free_rod, &e));
        assert_close(e.twisting, 0, 1e-12); /* unclamped: it unwinds */
    }
    cord_world_destroy(w);
}

/* ---- the paper's formulas ------------------------------------------------------------------------ */

/* Total force on an isotropic rod whose end edges are clamped, twist uniform [DER 2008, 7.1]:
 *     F_i = −Σ_j (2α/l̄_j) (∇_i κb_j)ᵀ κb_j + (β (θⁿ − θ⁰)/L̄) Σ_j ∇_i ψ_j,   2 L̄ = Σ l̄_j,
 *     ∇_{i−1} κb_i = (2[e^i]× + κb (e^i)ᵀ)/D,  ∇_{i+1} κb_i = (2[e^{i−1}]× − κb (e^{i−1})ᵀ)/D,
 *     D = |ē^{i−1}||ē^i| + e^{i−1}·e^i. */
static void paper_force(const der *d, const double *x, double total, double *force)
{
    double bar = 0;
    memset(force, 0, (size_t)(3 * d->n) * sizeof *force);
    for (int i = 1; i < d->n - 1; i++) bar += 0.5 * d->cell[i];
    for (int i = 1; i < d->n - 1; i++) {
        double e0[3], e1[3], kb[3], turned[3], part[3][3], gradient_of[3][3];
        double l0 = d->rest[i - 1], l1 = d->rest[i];
        v3_sub(e0, x + 3 * i, x + 3 * i - 3);
        v3_sub(e1, x + 3 * i + 3, x + 3 * i);
        assert_true(curvature_binormal_of_edges(kb, e0, l0, e1, l1));
        double D = l0 * l1 + v3_dot(e0, e1), square = v3_dot(kb, kb);
        /* (2[e]×)ᵀ κb = −2 e × κb, and (κb eᵀ)ᵀ κb = e |κb|². */
        v3_cross(turned, e1, kb);
        v3_combine(part[0], -2 / D, turned, square / D, e1);
        v3_cross(turned, e0, kb);
        v3_combine(part[2], -2 / D, turned, -square / D, e0);
        for (int k = 0; k < 3; k++) part[1][k] = -part[0][k] - part[2][k];
        holonomy_gradient(kb, l0, l1, gradient_of[0], gradient_of[1], gradient_of[2]);
        for (int s = 0; s < 3; s++) {
            double *f = force + 3 * (i - 1 + s);
            v3_axpy(f, -2 * d->section.bending[0] / d->cell[i], part[s]);
            v3_axpy(f, d->section.twisting * total / bar, gradient_of[s]);
        }
    }
}

static void forces_of_the_paper(void **unused)
{
    (void)unused;
    double x[3 * N], natural[3 * N], twist[EDGES] = {0}, force[3 * N], d[3 * N], total = 5;
    cord_strand_def def = bent_rod(x, natural);
    double sum = 0, cells = 0;
    for (int i = 1; i < N - 1; i++)
        cells += v3_distance(x + 3 * i, x + 3 * i - 3) + v3_distance(x + 3 * i + 3, x + 3 * i);
    for (int j = 1; j < EDGES; j++) {
        sum += v3_distance(x + 3 * j, x + 3 * j - 3) + v3_distance(x + 3 * j + 3, x + 3 * j);
        twist[j] = total * sum / cells;
    }
    def.twist = twist;
    def.curvature = CORD_CURVATURE_TANGENT;
    rod *o = make(&def, 0, NULL);
    gradient(o);
    for (int j = 1; j < EDGES - 1; j++) assert_close(o->r[4 * j + 3], 0, 1e-13); /* quasistatic */
    paper_force(o->d, x, total, force);
    uint64_t random = 3;
    for (int trial = 0; trial < 10; trial++) {
        /* The paper's κb has natural lengths in its denominator: the same along motions that keep
         * lengths. Such a motion: each edge rotates about some axis. */
        double at[3] = {0, 0, 0}, ours = 0, theirs = 0, size = 0, w[3], e[3], move[3];
        for (int i = 0; i < N; i++) {
            v3_copy(d + 3 * i, at);
            if (i == N - 1) break;
            random_vector(&random, 3, w);
            v3_sub(e, x + 3 * i + 3, x + 3 * i);
            v3_cross(move, w, e);
            v3_add(at, at, move);
        }
        for (int i = 0; i < N; i++) {
            ours -= v3_dot(o->r + 4 * i, d + 3 * i);
            theirs += v3_dot(force + 3 * i, d + 3 * i);
            size += v3_norm(o->r + 4 * i) * v3_norm(d + 3 * i);
        }
        assert_close(ours, theirs, 1e-12 * size);
    }
    done(o);
}

/* A damped rope hung by a point may spin about itself without a force: the solver must not
 * amplify that. */
static void spin_is_free(void **unused)
{
    (void)unused;
    enum { POINTS = 31 };
    double x[3 * POINTS] = {0}, v[3 * POINTS] = {0};
    cord_strand_def def = cord_strand_def_default();
    cord_counters c;
    for (int i = 0; i < POINTS; i++) x[3 * i + 2] = -i / 30.0, v[3 * i] = 1e-3 * i / 30.0;
    def.vertex_count = POINTS;
    def.positions = x, def.velocities = v;
    def.material = (cord_material){.density = 1100, .young = 1e6, .poisson = 0.5};
    def.section.radius = 4e-3;
    def.damping = 5e-3;
    cord_world *w = scene_world(NULL);
    cord_strand rope;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    scene_hang(w, rope, 0);
    for (int i = 0; i < 20; i++) assert_fine(w, cord_world_step(w, 5e-3));
    assert_fine(w, cord_world_get_counters(w, &c));
    assert_int_equal(c.halvings, 0);
    assert_true(c.newton_iterations < 10 * 20); /* two stages of a few each */
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_twist),
        cmocka_unit_test(runs_between_holders),
        cmocka_unit_test(torque_free),
        cmocka_unit_test(many_turns),
        cmocka_unit_test(closing_twist),
        cmocka_unit_test(spin_is_free),
        cmocka_unit_test(forces_of_the_paper),
        {"quasistatic, tr_bdf2", quasistatic_from_the_start, NULL, NULL, (void *)(integrations)},
        {"quasistatic, backward_euler", quasistatic_from_the_start, NULL, NULL,
         (void *)(integrations + BACKWARD_EULER)},
        {"quasistatic, linearised", quasistatic_from_the_start, NULL, NULL,
         (void *)(integrations + LINEARISED)},
        {"quasistatic, midpoint", quasistatic_from_the_start, NULL, NULL,
         (void *)(integrations + MIDPOINT)},
        {"quasistatic, symplectic", quasistatic_from_the_start, NULL, NULL,
         (void *)(integrations + SYMPLECTIC)},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
