/* Strands that break at a tension or a curvature, and that are cut: place and time against closed forms, motion, momentum
 * and energy across the break, points and loads beyond it, checkpoints, failing allocations, refusals. */
#include "math/vec3.h"
#include "support/chains.h"
#include "support/failing_allocator.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_SEGMENT, CORD_MODEL_HELIX,
                                     CORD_MODEL_CLOTHOID};
enum { MODELS = 4, EDGES = 10 };

static void set_limits(cord_world *w, cord_strand s, double tension, double curvature)
{
    cord_breakage_def def = cord_breakage_def_default();
    def.tension = tension, def.curvature = curvature;
    assert_fine(w, cord_strand_set_breakage(w, s, &def));
}

static int break_count(cord_world *w, cord_strand s)
{
    int count;
    assert_fine(w, cord_strand_get_break_count(w, s, &count));
    return count;
}

static cord_break break_of(cord_world *w, cord_strand s, int i)
{
    cord_break b;
    assert_fine(w, cord_strand_get_break(w, s, i, &b));
    return b;
}

static cord_strand_info info_of(cord_world *w, cord_strand s)
{
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, s, &info));
    return info;
}

/* A hanging rope of 1 m with ten edges or elements, of 0.1 kg. */
static cord_strand hanging(cord_world *w, const char *model)
{
    double x[3 * (EDGES + 1)] = {0};
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i <= EDGES; i++) x[3 * i + 2] = -0.1 * i;
    def.name = "rope";
    def.model = model;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.section = scene_section();
    def.element_count = EDGES;
    cord_strand s = scene_strand(w, &def);
    scene_hang(w, s, 0);
    return s;
}

static void add_force(cord_world *w, cord_point on, double rate)
{
    const double times[2] = {0, 10}, values[6] = {0, 0, 0, 0, 0, -10 * rate};
    cord_load_def def = cord_load_def_default();
    cord_load load;
    def.point = on;
    def.force_keys = (cord_keys){2, times, values, CORD_EASE_LINEAR};
    assert_fine(w, cord_world_add_load(w, &def, &load));
}

/* T(s) = F(t) + μ g (1 − s) with F = 10 N/s t. The tension of the first edge of a discrete rod is that at its middle; at the
 * first node of a chain it is that of the rope there. */
static void at_a_growing_load(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++)
        for (int i = 0; i < (m == 0 ? DYNAMIC_INTEGRATIONS : CHAIN_INTEGRATIONS); i++) {
            if (m == 0 && is_semi_implicit(integrations + i)) continue;
            cord_world *w = scene_world(integrations + i);
            cord_strand rope = hanging(w, models[m]);
            cord_point tip = scene_point(w, rope, 1);
            add_force(w, tip, 10);
            set_limits(w, rope, 2, 0);
            scene_advance(w, 0.01, 15);
            assert_int_equal(break_count(w, rope), 1);
            const cord_break b = break_of(w, rope, 0);
            const double weight = 0.1 * 9.81 * (m == 0 ? 0.95 : 0.9);
            assert_close(b.s, 0.1, 1e-12);
            /* With midpoint a tension is the mean over a step, with explicit forces that of the start. */
            const bool late = i == MIDPOINT || i >= SEMI_IMPLICIT;
            assert_close(b.tension, 2, late ? 0.1 : 1e-3);
            assert_close(b.time, (2 - weight) / 10, late ? 0.02 : 1e-4);
            assert_string_equal(info_of(w, b.fragment).name, "rope.2");
            assert_close(info_of(w, rope).length, 0.1, 1e-12);
            assert_close(info_of(w, b.fragment).length, 0.9, 1e-12);
            /* The rest falls with its load: x = ½ a t² + …, a = g + F/m. */
            double s, x[3], t = cord_world_get_time(w) - b.time;
            assert_fine(w, cord_point_get_coordinate(w, tip, &s, NULL));
            assert_close(s, 0.9, 1e-12);
            assert_fine(w, cord_point_get_pose(w, tip, x, NULL));
            double fallen = 0.5 * (9.81 + 10 * b.time / 0.09) * t * t + 10 / 0.09 * t * t * t / 6;
            assert_close(-1 - x[2], fallen, is_first_order(integrations + i) ? 0.4 * fallen : 2e-4);
            cord_world_destroy(w);
        }
}

/* A weight of 1 kg on a light rope of 1 m, released horizontally: T = 3 m g sin φ. */
static void pendulum(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(integrations + TR_BDF2);
    cord_strand_def def = cord_strand_def_default();
    double x[3 * 6] = {0};
    for (int i = 0; i < 6; i++) x[3 * i] = 0.2 * i;
    def.vertex_count = 6, def.positions = x;
    def.section = scene_section();
    def.section.mass = 1e-5;
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 1e-7;
    cord_strand rope = scene_strand(w, &def);
    scene_hang(w, rope, 0);
    cord_body_def box = scene_box(0.1, 0.1, 0.1);
    v3_set(box.position, 1, 0, 0);
    cord_body weight = scene_body(w, &box);
    scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, 1), scene_on(w, weight, 0, 0, 0));
    set_limits(w, rope, 2.5 * 9.81, 0);
    while (break_count(w, rope) == 0) scene_advance(w, 1e-3, 1);
    cord_break b = break_of(w, rope, 0);
    const double sine = 2.5 / 3, cosine = sqrt(1 - sine * sine), v = sqrt(2 * 9.81 * sine);
    scene_advance(w, 1e-3, 300);
    double at[3], t = cord_world_get_time(w) - b.time;
    assert_fine(w, cord_body_get_pose(w, weight, at, NULL));
    assert_close(at[0], cosine - v * sine * t, 1e-3);
    assert_close(at[2], -sine - v * cosine * t - 0.5 * 9.81 * t * t, 1e-3);
    cord_world_destroy(w);
}

/* A cantilever under a growing force at its tip: κ(s) = F (L − s)/EI. It breaks at the joint that is nearest to the clamp. */
static void bent_cantilever(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++) {
        cord_world *w = scene_world_under(integrations + TR_BDF2, 0);
        double x[3 * 21] = {0};
        cord_strand_def def = cord_strand_def_default();
        for (int i = 0; i < 21; i++) x[3 * i] = 0.01 * i;
        def.model = models[m];
        def.vertex_count = 21, def.positions = x, def.element_count = 20;
        def.section = scene_section();
        def.damping = 0.02;
        cord_strand rod = scene_strand(w, &def);
        cord_constraint held[2];
        cord_point clamp;
        assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, &clamp, held, held + 1));
        add_force(w, scene_point(w, rod, 0.2), 0.01);
        set_limits(w, rod, 0, 0.1);
        while (break_count(w, rod) == 0 && cord_world_get_time(w) < 2) scene_advance(w, 0.01, 1);
        cord_break b = break_of(w, rod, 0);
        const double lever =
            m == 2 ? 0.195 : 0.19; /* an element of a helix has its mean curvature */
        assert_close(b.s, 0.01, 1e-12);
        assert_close(b.time, 0.1 * 0.01 / lever / 0.01, 0.01 + 0.03);
        assert_close(b.curvature, 0.1, 3e-4);
        if (m < 2)
            assert_true(b.energy > 0.4 * 0.01 * 0.01 * 0.01 && b.energy < 0.6 * 0.01 * 0.01 * 0.01);
        else
            assert_close(b.energy, 0, 1e-12);
        cord_world_destroy(w);
    }
}

/* ---- motion across a cut ----------------------------------------------------------------------------- */

/* A bent strand in free motion. */
static cord_strand in_flight(cord_world *w, const char *model)
{
    double x[3 * (EDGES + 1)], v[3 * (EDGES + 1)];
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i <= EDGES; i++) {
        double a = 0.15 * i;
        v3_set(x + 3 * i, 0.3 * sin(a), 0.3 * (1 - cos(a)), 0.02 * i);
        v3_cross(v + 3 * i, (double[]){1, 2, 3}, x + 3 * i);
        v3_axpy(v + 3 * i, 1, (double[]){0.3, -0.2, 0.1});
    }
    def.model = model;
    def.vertex_count = EDGES + 1, def.positions = x, def.velocities = v;
    def.section = scene_section();
    def.element_count = 5;
    double straight[3 * (EDGES + 1)] = {0};
    for (int i = 0; i <= EDGES; i++) straight[3 * i] = i * v3_distance(x, x + 3);
    def.natural_positions = straight;
    return scene_strand(w, &def);
}

static cord_momentum momentum_of(cord_world *w)
{
    cord_momentum p;
    assert_fine(w, cord_world_get_momentum(w, &p));
    return p;
}

static void conserves_motion(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++)
        for (int i = 0; i < (m == 0 ? DYNAMIC_INTEGRATIONS : CHAIN_INTEGRATIONS); i++) {
            if (m == 0 && is_semi_implicit(integrations + i)) continue;
            cord_world *w = scene_world_under(integrations + i, 0);
            cord_strand s = in_flight(w, models[m]);
            scene_advance(w, 1e-3, 20);
            const cord_momentum p = momentum_of(w);
            const cord_energy e = scene_energy(w);
            const double length = info_of(w, s).length;
            assert_fine(w, cord_strand_cut(w, s, 0.41 * length));
            const cord_momentum after = momentum_of(w);
            const cord_energy rest = scene_energy(w);
            const double lost = break_of(w, s, 0).energy;
            /* Of segments the rotary inertia of half a bar turns with the other bar. */
            const double spin = m == 1 ? 1e-6 : 1e-14;
            assert_all_close(after.linear, p.linear, 3, 1e-14);
            assert_all_close(after.angular, p.angular, 3, spin);
            assert_close(rest.kinetic, e.kinetic, m == 1 ? 1e-5 : 1e-6);
            assert_close(e.total - rest.total, lost, m == 1 ? 1e-5 : 1e-6);
            assert_true(lost > -1e-13);
            scene_advance(w, 1e-3, 20);
            if (i <= MIDPOINT) assert_all_close(momentum_of(w).linear, p.linear, 3, 1e-7);
            assert_close(info_of(w, break_of(w, s, 0).fragment).mass + info_of(w, s).mass,
                         0.1 * length, 1e-12);
            cord_world_destroy(w);
        }
}

/* A naturally straight rod that was closed to a ring opens and becomes straight. */
static void ring_opens(void **unused)
{
    (void)unused;
    enum { N = 24 };
    cord_world *w = scene_world_under(integrations + TR_BDF2, 0);
    double x[3 * N], straight[3 * (N + 1)] = {0};
    cord_strand_def def = cord_strand_def_default();
    const double edge = 2 * 0.1 * sin(M_PI / N);
    for (int i = 0; i < N; i++)
        v3_set(x + 3 * i, 0.1 * cos(2 * M_PI * i / N), 0.1 * sin(2 * M_PI * i / N), 0);
    for (int i = 0; i <= N; i++) straight[3 * i] = edge * i;
    def.name = "ring", def.closed = true;
    def.vertex_count = N, def.positions = x, def.natural_positions = straight;
    def.section = scene_section();
    def.drag = 1;
    cord_strand ring = scene_strand(w, &def);
    cord_point mark = scene_point(w, ring, 2 * edge), start = scene_point(w, ring, 9 * edge);
    scene_advance(w, 1e-2, 5);
    assert_int_equal(break_count(w, ring), 0);
    assert_fine(w, cord_strand_cut(w, ring, 7 * edge));
    const cord_strand_info info = info_of(w, ring);
    assert_false(info.closed);
    assert_int_equal(info.vertex_count, N + 1);
    double s, y[3], bending = 0.5 * 0.01 * edge * 100;
    assert_fine(w, cord_point_get_coordinate(w, mark, &s, NULL));
    assert_close(s, (N - 5) * edge, 1e-12);
    assert_fine(w, cord_point_get_coordinate(w, start, &s, NULL));
    assert_close(s, 2 * edge, 1e-12);
    assert_fine(w, cord_point_get_pose(w, mark, y, NULL));
    assert_close(y[0], x[6], 1e-6);
    assert_close(break_of(w, ring, 0).energy, bending, 0.02 * bending);
    assert_close(break_of(w, ring, 0).s, 7 * edge, 1e-12);
    assert_int_equal(break_of(w, ring, 0).fragment.index, ring.index);
    scene_advance(w, 1e-2, 800);
    double end[3 * (N + 1)], far[3];
    assert_fine(w, cord_strand_get_positions(w, ring, end));
    v3_sub(far, end + 3 * N, end);
    assert_close(v3_norm(far), N * edge, 1e-3 * N * edge);
    /* A second cut divides it. */
    assert_fine(w, cord_strand_cut(w, ring, 10 * edge));
    assert_string_equal(info_of(w, break_of(w, ring, 1).fragment).name, "ring.2");
    cord_strand fragment;
    assert_fine(w, cord_strand_find_fragment(w, ring, 2 * edge, &fragment, &s));
    assert_int_equal(fragment.index, break_of(w, ring, 1).fragment.index);
    assert_close(s, (N - 15) * edge, 1e-12);
    cord_world_destroy(w);
}

/* A weak link breaks, where the tension is less than elsewhere. */
static void weak_link(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(integrations + TR_BDF2);
    cord_strand rope = hanging(w, CORD_MODEL_DER);
    add_force(w, scene_point(w, rope, 1), 10);
    const cord_break_location link = {.s = 0.61, .tension = 1};
    cord_breakage_def def = cord_breakage_def_default();
    def.tension = 2, def.location_count = 1, def.locations = &link;
    assert_fine(w, cord_strand_set_breakage(w, rope, &def));
    while (break_count(w, rope) == 0 && cord_world_get_time(w) < 1) scene_advance(w, 0.01, 1);
    assert_close(break_of(w, rope, 0).s, 0.6, 1e-12);
    assert_close(break_of(w, rope, 0).time, (1 - 0.1 * 9.81 * 0.45) / 10, 5e-4);
    assert_fine(w, cord_strand_get_breakage(w, break_of(w, rope, 0).fragment, &def));
    assert_close(def.tension, 2, 0);
    assert_close(def.locations[0].s, 0.6, 1e-12);
    cord_world_destroy(w);
}

/* Clamps beyond a break hold on, and their frames stay. */
static void clamps_stay(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++) {
        cord_world *w = scene_world(integrations + TR_BDF2);
        cord_strand s = in_flight(w, models[m]);
        const double length = info_of(w, s).length;
        cord_constraint held[4];
        cord_point clamp[2];
        scene_advance(w, 1e-3, 3);
        for (int i = 0; i < 2; i++)
            assert_fine(w, cord_world_clamp_strand(w, s, i * length, NULL, clamp + i, held + 2 * i,
                                                   held + 2 * i + 1));
        double before[2][12], after[12];
        for (int i = 0; i < 2; i++)
            assert_fine(w, cord_point_get_pose(w, clamp[i], before[i], before[i] + 3));
        assert_fine(w, cord_strand_cut(w, s, 0.4 * length));
        scene_advance(w, 1e-3, 20);
        for (int i = 0; i < 2; i++) {
            assert_fine(w, cord_point_get_pose(w, clamp[i], after, after + 3));
            assert_all_close(after, before[i], 12, 1e-6);
            assert_true(scene_gap(w, held[2 * i]) < 1e-6);
        }
        cord_world_destroy(w);
    }
}

/* ---- states -------------------------------------------------------------------------------------------- */

static cord_world *loaded(const char *model, cord_strand *rope)
{
    cord_world *w = scene_world(integrations + TR_BDF2);
    *rope = hanging(w, model);
    add_force(w, scene_point(w, *rope, 1), 10);
    add_force(w, scene_point(w, *rope, 0.45), 1);
    set_limits(w, *rope, 2, 0);
    return w;
}

static void states_before_and_after(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++) {
        cord_strand rope, other_rope;
        cord_world *w = loaded(models[m], &rope), *other = loaded(models[m], &other_rope);
        size_t size, later;
        scene_advance(w, 0.01, 5);
        void *before = scene_state(w, &size);
        scene_advance(w, 0.01, 15);
        assert_int_equal(break_count(w, rope), 1);
        assert_fine(w, cord_strand_cut(w, break_of(w, rope, 0).fragment, 0.4));
        scene_advance(w, 0.01, 2);
        void *after = scene_state(w, &later);
        const uint64_t hash = scene_hash(w);
        scene_advance(w, 0.01, 3);
        const uint64_t end = scene_hash(w);
        /* Back to before the break, in the same world. */
        assert_fine(w, cord_world_set_state(w, before, size));
        assert_int_equal(break_count(w, rope), 0);
        assert_int_equal(info_of(w, rope).vertex_count, EDGES + 1);
        scene_advance(w, 0.01, 15);
        assert_fine(w, cord_strand_cut(w, break_of(w, rope, 0).fragment, 0.4));
        scene_advance(w, 0.01, 2);
        assert_true(scene_hash(w) == hash);
        /* After it, in a world that was never broken. */
        assert_fine(other, cord_world_set_state(other, after, later));
        assert_int_equal(break_count(other, other_rope), 2);
        assert_true(scene_hash(other) == hash);
        scene_advance(other, 0.01, 3);
        assert_true(scene_hash(other) == end);
        assert_close(break_of(other, other_rope, 0).time, break_of(w, rope, 0).time, 0);
        /* A damaged state changes nothing. */
        ((char *)after)[later - 20] ^= 1;
        assert_int_equal(cord_world_set_state(other, after, later), CORD_ERROR_ARGUMENT);
        assert_true(scene_hash(other) == end);
        free(before), free(after);
        cord_world_destroy(w), cord_world_destroy(other);
    }
}

/* Breaks of several strands in turn: fragments are the same strands in another world. */
static void several_strands(void **unused)
{
    (void)unused;
    cord_world *w[2];
    cord_strand rope[2][2];
    for (int i = 0; i < 2; i++) {
        w[i] = scene_world(integrations + TR_BDF2);
        for (int k = 0; k < 2; k++)
            rope[i][k] = hanging(w[i], k ? CORD_MODEL_HELIX : CORD_MODEL_DER);
    }
    scene_advance(w[0], 0.01, 2);
    assert_fine(w[0], cord_strand_cut(w[0], rope[0][1], 0.5));
    assert_fine(w[0], cord_strand_cut(w[0], rope[0][0], 0.7));
    assert_fine(w[0], cord_strand_cut(w[0], rope[0][1], 0.2));
    scene_advance(w[0], 0.01, 2);
    scene_copy_state(w[0], w[1]);
    assert_int_equal(break_count(w[1], rope[1][0]), 1);
    assert_int_equal(break_count(w[1], rope[1][1]), 2);
    assert_int_equal(break_of(w[1], rope[1][1], 1).fragment.index,
                     break_of(w[0], rope[0][1], 1).fragment.index);
    for (int i = 0; i < 2; i++) scene_advance(w[i], 0.01, 3);
    assert_true(scene_hash(w[0]) == scene_hash(w[1]));
    for (int i = 0; i < 2; i++) cord_world_destroy(w[i]);
}

/* ---- contact ------------------------------------------------------------------------------------------- */

/* A rope on a floor, beside one that grows. */
static cord_world *on_a_floor(const char *model, cord_strand *rope)
{
    const double start = 0, rate = 0.5;
    cord_world *w = rod_world(0.3, (double[]){0, 0, -10});
    double x[3 * (EDGES + 1)] = {0};
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_growth_def growth = cord_growth_def_default();
    for (int i = 0; i <= EDGES; i++) x[3 * i] = 0.1 * i, x[3 * i + 2] = rod_radius;
    def.name = "rope";
    def.model = model;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.section = scene_section();
    def.element_count = EDGES;
    *rope = scene_strand(w, &def);
    surface.radius = rod_radius;
    assert_fine(w, cord_strand_set_surface(w, *rope, &surface));
    for (int i = 0; i <= EDGES; i++) x[3 * i + 1] = 1;
    def.model = CORD_MODEL_DER;
    cord_strand shoot = scene_strand(w, &def);
    growth.rate = (cord_keys){1, &start, &rate, CORD_EASE_LINEAR};
    growth.until = 2;
    scene_hang(w, shoot, 0);
    assert_fine(w, cord_strand_set_growth(w, shoot, &growth));
    rod_floor(w, (cord_point){0});
    return w;
}

static double lowest(cord_world *w, cord_strand s)
{
    double x[3 * (EDGES + 1)], least = INFINITY;
    const int count = info_of(w, s).vertex_count;
    assert_fine(w, cord_strand_get_positions(w, s, x));
    for (int i = 0; i < count; i++) least = fmin(least, x[3 * i + 2]);
    return least;
}

/* Both fragments stay on the floor; a state has growth, contacts and breaks. */
static void on_surfaces(void **unused)
{
    (void)unused;
    static const char *const in_contact[] = {CORD_MODEL_DER, CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};
    for (int m = 0; m < 3; m++) {
        cord_strand rope, other_rope;
        cord_world *w = on_a_floor(in_contact[m], &rope);
        cord_world *other = on_a_floor(in_contact[m], &other_rope);
        size_t size;
        scene_advance(w, 0.01, 5);
        void *before = scene_state(w, &size);
        assert_fine(w, cord_strand_cut(w, rope, 0.5));
        scene_advance(w, 0.01, 20);
        const cord_strand rest = break_of(w, rope, 0).fragment;
        assert_close(lowest(w, rope), rod_radius, 1e-5);
        assert_close(lowest(w, rest), rod_radius, 1e-5);
        scene_copy_state(w, other);
        for (int i = 0; i < 5; i++) {
            assert_true(scene_hash(w) == scene_hash(other));
            scene_advance(w, 0.01, 1);
            scene_advance(other, 0.01, 1);
        }
        const uint64_t end = scene_hash(w);
        assert_fine(w, cord_world_set_state(w, before, size));
        assert_int_equal(break_count(w, rope), 0);
        assert_fine(w, cord_strand_cut(w, rope, 0.5));
        scene_advance(w, 0.01, 25);
        assert_true(scene_hash(w) == end);
        free(before);
        cord_world_destroy(w), cord_world_destroy(other);
    }
}

static struct {
    cord_strand rope;
    cord_point tip, clamp;
    cord_constraint held[2];
} made;

static cord_status call(cord_world *w, int number)
{
    static const double x[15] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0, 0.4, 0, 0};
    cord_strand_def def = cord_strand_def_default();
    cord_breakage_def limits = cord_breakage_def_default();
    cord_break_location link = {.s = 0.2, .tension = 1e9};
    cord_point_def point = cord_point_def_default();
    switch (number) {
    case 0:
        def.name = "rope", def.vertex_count = 5, def.positions = x;
        return cord_world_add_strand(w, &def, &made.rope);
    case 1:
        return cord_world_clamp_strand(w, made.rope, 0.4, NULL, &made.clamp, made.held,
                                       made.held + 1);
    case 2:
        point.source = CORD_SOURCE_STRAND, point.strand = made.rope, point.s = 0.3;
        return cord_world_add_point(w, &point, &made.tip);
    case 3:
        limits.locations = &link, limits.location_count = 1;
        return cord_strand_set_breakage(w, made.rope, &limits);
    case 4: return cord_strand_cut(w, made.rope, 0.2);
    case 5: return cord_world_step(w, 1e-3);
    case 6: return cord_world_remove_strand(w, made.rope);
    }
    return CORD_OK;
}

static void without_memory(void **unused)
{
    (void)unused;
    failing_allocator_calls(integrations + TR_BDF2, call, 7, 50);
}

/* A strand that may break does not grow, and one that grows does not break. */
static void does_not_grow(cord_world *w, cord_strand rope)
{
    const double start = 0, rate = 0.1;
    cord_growth_def growth = cord_growth_def_default();
    cord_breakage_def def = cord_breakage_def_default();
    growth.rate = (cord_keys){1, &start, &rate, CORD_EASE_LINEAR};
    growth.until = 2;
    def.tension = 1;
    assert_fine(w, cord_strand_set_breakage(w, rope, &def));
    assert_int_equal(cord_strand_set_growth(w, rope, &growth), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "'rope': it cannot grow, since it may break"));
    assert_fine(w, cord_strand_set_breakage(w, rope, NULL));
    cord_strand other = hanging(w, CORD_MODEL_HELIX);
    assert_fine(w, cord_strand_set_growth(w, other, &growth));
    assert_int_equal(cord_strand_set_breakage(w, other, &def), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "'rope': it grows"));
    assert_int_equal(cord_strand_cut(w, other, 0.5), CORD_ERROR_UNSUPPORTED);
}

static void refusals(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(integrations + TR_BDF2);
    cord_strand rope = hanging(w, CORD_MODEL_DER), spline = hanging(w, CORD_MODEL_SPLINE), found;
    cord_breakage_def def = cord_breakage_def_default();
    cord_break b;
    double s;
    def.tension = 1;
    assert_int_equal(cord_strand_set_breakage(w, spline, &def), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_cut(w, spline, 0.5), CORD_ERROR_UNSUPPORTED);
    def.tension = -1;
    assert_int_equal(cord_strand_set_breakage(w, rope, &def), CORD_ERROR_ARGUMENT);
    cord_break_location link = {.s = 1.5, .tension = 1};
    def.tension = 0, def.location_count = 1, def.locations = &link;
    assert_int_equal(cord_strand_set_breakage(w, rope, &def), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "'rope': it breaks at s = 1.5 m"));
    assert_int_equal(cord_strand_cut(w, rope, 1.5), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_get_break(w, rope, 0, &b), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_find_fragment(w, rope, 2, &found, &s), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_strand_cut(w, rope, 0.5));
    const cord_strand rest = break_of(w, rope, 0).fragment;
    assert_int_equal(cord_world_remove_strand(w, rest), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_set_length(w, rope, 0.4), CORD_ERROR_UNSUPPORTED);
    def = cord_breakage_def_default();
    assert_int_equal(cord_strand_set_breakage(w, rope, &def), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_world_remove_strand(w, rope));
    assert_int_equal(cord_strand_cut(w, rest, 0.1), CORD_ERROR_HANDLE);
    rope = hanging(w, CORD_MODEL_DER);
    does_not_grow(w, rope);
    cord_point_def slides = cord_point_def_default();
    slides.source = CORD_SOURCE_SLIDING, slides.strand = rope, slides.s = 0.5;
    scene_add_point(w, &slides);
    assert_int_equal(cord_strand_cut(w, rope, 0.5), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_a_growing_load), cmocka_unit_test(pendulum),
        cmocka_unit_test(bent_cantilever),   cmocka_unit_test(conserves_motion),
        cmocka_unit_test(ring_opens),        cmocka_unit_test(weak_link),
        cmocka_unit_test(clamps_stay),       cmocka_unit_test(states_before_and_after),
        cmocka_unit_test(several_strands),   cmocka_unit_test(without_memory),
        cmocka_unit_test(on_surfaces),       cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
