/* Closed splines: twist round the ring, closed forms with orders, the seam. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846, bending = 0.01, twisting = 0.008;
enum { MOST = 128 };

/* A ring of radius 1 in the plane, naturally straight or naturally round. */
static cord_strand ring_of(cord_world *w, int n, bool straight, double closing)
{
    double x[3 * MOST], natural[3 * (MOST + 1)], length = 2 * pi;
    cord_strand ring;
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i <= n; i++) {
        double a = 2 * pi * i / n;
        if (i < n) v3_set(x + 3 * i, cos(a), sin(a), 0);
        v3_set(natural + 3 * i, length * i / n, 0, 0);
    }
    def.model = CORD_MODEL_SPLINE;
    def.closed = true;
    def.vertex_count = n;
    def.positions = x;
    if (straight) def.natural_positions = natural;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .bending = {bending, bending},
                                 .twisting = twisting,
                                 .radius = 0.01};
    v3_set(def.director, 0, 0, 1);
    def.closing_twist = closing;
    assert_fine(w, cord_world_add_strand(w, &def, &ring));
    return ring;
}

static cord_world *still(void)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    v3_set(def.gravity, 0, 0, 0);
    def.threads = 1;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

/* Six rows that remove the six rigid motions. */
static void hold(cord_world *w, cord_strand ring)
{
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, ring, &info));
    cord_constraint_def def = cord_constraint_def_default();
    const char *const kind[3] = {CORD_COINCIDE, CORD_AXIS, CORD_PLANE};
    for (int k = 0; k < 3; k++) {
        double at[3] = {0, info.length / 2, info.length / 4};
        def.kind = kind[k];
        def.first = scene_point(w, ring, at[k]);
        def.second = scene_place(w, k == 0, 0, 0);
        v3_set(def.direction, k == 1, 0, k != 1);
        scene_relate(w, &def);
    }
}

/* E = ½ GJ Θ²/L, however the twist was introduced, and uniform along the ring. */
static void closing_twist(void **unused)
{
    enum { N = 20 };
    (void)unused;
    for (int way = 0; way < 2; way++) {
        double k[3 * N], theta[N], twist = 3 * pi;
        cord_world *w = still();
        cord_energy e;
        cord_strand_info info;
        cord_strand ring = ring_of(w, N, true, way ? 0 : twist);
        if (way) assert_fine(w, cord_strand_set_closing_twist(w, ring, twist));
        assert_fine(w, cord_strand_get_info(w, ring, &info));
        assert_true(info.closed && info.edge_count == N);
        assert_fine(w, cord_strand_get_energy(w, ring, &e));
        double expected = 0.5 * twisting * twist * twist / info.length;
        assert_close(e.twisting, expected, 1e-10 * expected);
        assert_fine(w, cord_strand_get_curvatures(w, ring, k));
        for (int i = 0; i < N; i++) assert_close(k[3 * i + 2], twist / info.length, 1e-9);
        assert_fine(w, cord_strand_get_angles(w, ring, theta));
        assert_close(theta[N - 1], twist * (N - 1) / N, 1e-9);
        assert_fine(w, cord_world_step(w, 1e-4));
        assert_fine(w, cord_strand_get_energy(w, ring, &e));
        assert_close(e.twisting, expected, 1e-9 * expected);
        cord_world_destroy(w);
    }
}

/* E = ½ EI (2π/L)² L of a straight rod bent to a ring. */
static double energy_of_ring(int n)
{
    cord_world *w = still();
    cord_energy e;
    cord_strand ring = ring_of(w, n, true, 0);
    hold(w, ring);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_strand_get_energy(w, ring, &e));
    cord_world_destroy(w);
    return e.bending;
}

static void bent_to_a_ring(void **unused)
{
    (void)unused;
    double coarse = fabs(energy_of_ring(8) - bending * pi);
    double fine = fabs(energy_of_ring(16) - bending * pi);
    assert_true(coarse < 1e-3 * bending * pi);
    if (!(log2(coarse / fine) > 3.8)) fail_msg("%g, then %g: not of order 4", coarse, fine);
}

/* Naturally a ring: no internal force, wherever it is cut; with full turns of twist it is the
 * same ring with twist. */
static void naturally_a_ring(void **unused)
{
    (void)unused;
    cord_world *w = still();
    cord_energy e;
    ring_of(w, 12, false, 0);
    assert_fine(w, cord_world_get_energy(w, &e));
    assert_close(e.bending + e.twisting, 0, 1e-24);
    cord_world_destroy(w);
}

/* In-plane vibrations of a ring of radius 1 that is inextensible:
 * ω² = EI/ρS k²(k² − 1)²/(k² + 1)   [Love, art. 293]. */
static void frequencies(void **unused)
{
    double omega[6 + 2], error[2];
    (void)unused;
    for (int pass = 0; pass < 2; pass++) {
        cord_world *w = still();
        cord_constraint_def flat = cord_constraint_def_default();
        cord_constraint made;
        cord_strand ring = ring_of(w, pass ? 32 : 16, false, 0);
        flat.kind = CORD_PLANE;
        v3_set(flat.direction, 0, 0, 1);
        for (int i = 0; i < (pass ? 32 : 16); i++) { /* in the plane */
            cord_point_def at = cord_point_def_default();
            at.source = CORD_SOURCE_STRAND;
            at.strand = ring;
            at.s = 2 * pi * i / (pass ? 32 : 16) * 0.9999;
            assert_fine(w, cord_world_add_point(w, &at, &flat.first));
            assert_fine(w, cord_world_add_constraint(w, &flat, &made));
        }
        assert_fine(w, cord_world_find_frequencies(w, 5, omega));
        /* Three rigid motions, then the ellipse in two phases. */
        double expected = sqrt(bending / 0.1 * 4 * 9 / 5);
        assert_true(omega[2] < 1e-3 * expected);
        assert_close(omega[4], omega[3], 1e-6 * expected);
        error[pass] = fabs(omega[3] / expected - 1);
        cord_world_destroy(w);
    }
    assert_true(error[0] < 3e-3);
    if (!(error[1] < error[0] / 10)) fail_msg("%g, then %g: not of order 4", error[0], error[1]);
}

static int unstable(int n, double twist)
{
    int count;
    cord_world *w = still();
    hold(w, ring_of(w, n, true, twist));
    assert_fine(w, cord_world_count_unstable_directions(w, &count, NULL));
    cord_world_destroy(w);
    return count;
}

/* Michell: the flat ring buckles at a twist of 2π√3 EI/GJ. */
static void michell(void **unused)
{
    double critical = 2 * pi * sqrt(3) * bending / twisting;
    (void)unused;
    int base = unstable(16, 0);
    assert_true(unstable(16, 0.995 * critical) == base);
    assert_true(unstable(16, 1.005 * critical) >= base + 2);
}

/* Positions, frames and sliding points are continuous across the start of the strand. */
static void seam(void **unused)
{
    enum { N = 11 };
    (void)unused;
    cord_world *w = still();
    cord_strand ring = ring_of(w, N, false, 0);
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, ring, &info));
    const double near[4] = {0, 1e-7, info.length - 1e-7, info.length};
    double place[4][3], frame[4][9];
    for (int i = 0; i < 4; i++) {
        cord_point_def at = cord_point_def_default();
        cord_point p;
        at.source = CORD_SOURCE_STRAND;
        at.strand = ring;
        at.s = near[i];
        assert_fine(w, cord_world_add_point(w, &at, &p));
        assert_fine(w, cord_point_get_pose(w, p, place[i], frame[i]));
        assert_all_close(place[i], place[0], 3, 3e-7);
        assert_all_close(frame[i], frame[0], 9, 3e-7);
    }
    cord_point_def def = cord_point_def_default();
    cord_point bead, ahead;
    def.source = CORD_SOURCE_SLIDING;
    def.strand = ring;
    def.s = 0.9 * info.length;
    def.friction = 1;
    assert_fine(w, cord_world_add_point(w, &def, &bead));
    cord_constraint_def drive = cord_constraint_def_default();
    cord_constraint made;
    double times[2] = {0, 1}, values[2] = {0, 1.4 * info.length}, s;
    drive.kind = CORD_SLIDE;
    drive.first = bead;
    drive.drive = (cord_keys){.count = 2, .times = times, .values = values};
    assert_fine(w, cord_world_add_constraint(w, &drive, &made));
    for (int i = 0; i < 50; i++) assert_fine(w, cord_world_step(w, 0.02));
    assert_fine(w, cord_point_get_coordinate(w, bead, &s, NULL));
    assert_close(s, 2.3 * info.length, 1e-9); /* revolutions count */
    def.source = CORD_SOURCE_STRAND;
    def.s = 0.3 * info.length;
    assert_fine(w, cord_world_add_point(w, &def, &ahead));
    assert_fine(w, cord_point_get_pose(w, bead, place[0], frame[0]));
    assert_fine(w, cord_point_get_pose(w, ahead, place[1], frame[1]));
    assert_all_close(place[0], place[1], 3, 1e-9);
    assert_all_close(frame[0], frame[1], 9, 1e-9);
    cord_world_destroy(w);
}

/* A ring that spins about its axis is in uniform tension ρS v², the seam's edge included. */
static void tension_of_a_spinning_ring(void **unused)
{
    enum { N = 16 };
    double x[3 * N], v[3 * N], t[N];
    (void)unused;
    cord_world *w = still();
    cord_strand ring = ring_of(w, N, false, 0);
    assert_fine(w, cord_strand_get_positions(w, ring, x));
    for (int i = 0; i < N; i++) v3_set(v + 3 * i, -2 * x[3 * i + 1], 2 * x[3 * i], 0);
    assert_fine(w, cord_strand_set_velocities(w, ring, v));
    assert_fine(w, cord_world_step(w, 1e-4));
    assert_fine(w, cord_strand_get_tensions(w, ring, t));
    for (int j = 0; j < N; j++) assert_close(t[j], 0.1 * 4, 0.02 * 0.4);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closing_twist),
        cmocka_unit_test(bent_to_a_ring),
        cmocka_unit_test(naturally_a_ring),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(michell),
        cmocka_unit_test(seam),
        cmocka_unit_test(tension_of_a_spinning_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
