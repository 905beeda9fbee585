/* Discrete elastic rods: the curvature as a function of the turning angle, and its accuracy. */
#include "support/scenes.h"
#include "support/test.h"

#include "strand/der/joint.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const curvature_form tangent = {0, 0}, sine = {-1, 0}, corrected = {-5.0 / 6, 11.0 / 6};

/* |k| for the turning angle φ. */
static double curvature(const curvature_form *form, double phi)
{
    return curvature_scale(form, 1 + cos(phi)) * sin(phi);
}

/* |k| = φ + cφ³ + … */
static double cubic(const curvature_form *form)
{
    const double phi = 1e-2;
    return (curvature(form, phi) - phi) / (phi * phi * phi);
}

static void forms(void **unused)
{
    (void)unused;
    for (double phi = 0.1; phi < 3.1; phi += 0.2) {
        double x = pow(sin(phi / 2), 2);
        assert_close(curvature(&tangent, phi), 2 * tan(phi / 2), 1e-12 * (1 + 1 / (1 - x)));
        assert_close(curvature(&sine, phi), 2 * sin(phi / 2), 1e-12);
        assert_close(pow(curvature(&corrected, phi), 2), 4 * x * (1 + x / 6 + 2 * x * x / (1 - x)),
                     1e-11 / (1 - x));
    }
    assert_close(cubic(&tangent), 1.0 / 12, 1e-4);
    assert_close(cubic(&sine), -1.0 / 24, 1e-4);
    assert_close(cubic(&corrected), -1.0 / 48, 1e-4);
    assert_true(curvature(&corrected, pi - 1e-3) > 2000); /* an edge does not fold back */
}

/* A straight rod along x, of n edges, that a clamp holds at its start. */
static cord_strand clamped(cord_world *w, int n, double length, const cord_strand_def *like)
{
    double x[3 * 181] = {0};
    cord_strand rod;
    cord_strand_def def = *like;
    assert_true(n <= 180);
    for (int i = 0; i <= n; i++) x[3 * i] = length * i / n;
    def.vertex_count = n + 1;
    def.positions = x;
    assert_fine(w, cord_world_add_strand(w, &def, &rod));
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    return rod;
}

static cord_strand_def round_rod(double bending, double twisting)
{
    cord_strand_def def = cord_strand_def_default();
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 1,
                                 .bending = {bending, bending},
                                 .twisting = twisting,
                                 .rotary_inertia = 1e-4,
                                 .radius = 0.01};
    return def;
}

/* Tips of heavy cantilevers with ρSgL³/EI = Γ: reach and drop by shooting and by collocation. The error is cΓ/(1 + √Γ)/n²;
 * c exceeds 0.15 with half cells at the clamp, or with 2 tan φ/2. */
static void coarse_cantilevers(void **unused)
{
    (void)unused;
    static const double cases[][3] = {{12, 0.599026959828, 0.742482755975},
                                      {80, 0.182115936638, 0.929445365722},
                                      {150, 0.126013647937, 0.949696297644}};
    for (int i = 0; i < 3; i++)
        for (int n = 25; n <= 100; n *= 2) {
            double gamma = cases[i][0], x[3 * 101];
            cord_world *w = scene_world_in(CORD_IMPLICIT, gamma);
            cord_strand_def def = round_rod(1, 1);
            cord_strand rod = clamped(w, n, 1, &def);
            assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
            assert_fine(w, cord_strand_get_positions(w, rod, x));
            double error = hypot(x[3 * n] - cases[i][1], x[3 * n + 2] + cases[i][2]);
            assert_close(error * n * n * (1 + sqrt(gamma)) / gamma, 0, 0.08);
            cord_world_destroy(w);
        }
}

/* A straight rod twisted by 27 turns, whose ends approach each other by 0.3, becomes a localized helix. Its largest angle
 * with the axis is 0.91855 [DER 2008, Fig. 7]. */
static void localized_helix(void **unused)
{
    (void)unused;
    enum { N = 180, STEPS = 10 };
    const double length = 9.29, shortening = 0.3, largest = 0.918549535055;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_strand_def def = round_rod(1.345, 0.789);
    double twist[N], x[3 * (N + 1)], widest = 0;
    for (int i = 0; i < N; i++) twist[i] = 27 * 2 * pi * i / N;
    def.twist = twist;
    cord_strand rod = clamped(w, N, length, &def);
    cord_point end;
    assert_fine(w, cord_world_clamp_strand(w, rod, length, NULL, &end, NULL, NULL));
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    for (int i = 0; i <= N; i++) x[3 * i + 2] += 1e-5 * pow(sin(pi * i / N), 2);
    assert_fine(w, cord_strand_set_positions(w, rod, x));
    for (int i = 1; i <= STEPS; i++) {
        const double at[3] = {length - shortening * i / STEPS, 0, 0};
        assert_fine(w, cord_point_set_pose(w, end, at, NULL));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    }
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    for (int i = 0; i < N; i++)
        widest = fmax(widest, acos(fmin(1, (x[3 * i + 3] - x[3 * i]) * N / length)));
    assert_close(widest, largest, 0.02 * largest);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),
        cmocka_unit_test(coarse_cantilevers),
        cmocka_unit_test(localized_helix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
