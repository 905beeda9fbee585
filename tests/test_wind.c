#include "block/wind.h"
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/test.h"

static const double pi = 3.14159265358979323846;

static wind make(memory *m, const cord_wind_def *def)
{
    wind w;
    cord__memory_init(m, NULL);
    assert_int_equal(cord__wind_init(&w, m, def), CORD_OK);
    return w;
}

static void still_air(void **state)
{
    (void)state;
    memory m;
    double x[3] = {1, 2, 3}, u[3] = {9, 9, 9}, zero[3] = {0};
    wind w = make(&m, NULL);
    cord__wind_at(&w, 1, x, u);
    assert_all_close(u, zero, 3, 0);
    v3_set(u, 9, 9, 9);
    cord__wind_at(NULL, 1, x, u);
    assert_all_close(u, zero, 3, 0);
    cord__wind_free(&w, &m);
}

static void gusts_travel(void **state)
{
    (void)state;
    memory m;
    cord_wind_def def = {.velocity = {4, 0, 1},
                         .gust_amplitude = 0.5,
                         .gust_frequency = 0.25,
                         .gust_wavevector = {0.1, 0, 0}};
    wind w = make(&m, &def);
    double origin[3] = {0}, x[3] = {2.5, 7, 0}, u[3], still[3] = {4, 0, 1}, high[3] = {6, 0, 1.5};
    cord__wind_at(&w, 0, origin, u);
    assert_all_close(u, still, 3, 0);
    cord__wind_at(&w, 1, origin, u); /* a quarter of the period */
    assert_all_close(u, high, 3, 1e-14);
    cord__wind_at(&w, 2, x, u); /* a quarter wavelength on: a quarter period later */
    assert_all_close(u, high, 3, 1e-14);
    cord__wind_free(&w, &m);
}

/* A tilted, drifting vortex, its axis given at length 2: v_θ = Γ/(2πr) (1 − exp(−r²/a²)). */
static void vortex_has_the_lamb_oseen_profile(void **state)
{
    (void)state;
    memory m;
    cord_vortex vortex = {.center = {1, 2, 3},
                          .axis = {0, 1.2, 1.6},
                          .velocity = {0.5, 0, -1},
                          .circulation = 3,
                          .core = 0.2};
    cord_wind_def def = {.vortex_count = 1, .vortices = &vortex};
    wind w = make(&m, &def);
    double n[3] = {0, 0.6, 0.8}, across[3] = {1, 0, 0}, t = 2, env[3], x[3], u[3];
    v3_cross(env, n, across);
    for (double r = 1e-9; r < 100; r *= 3) {
        v3_set(x, 1 + 0.5 * t, 2, 3 - t);
        v3_axpy(x, r, across);
        v3_axpy(x, 17.5, n); /* anywhere along the axis */
        cord__wind_at(&w, t, x, u);
        double speed = 3 / (2 * pi * r) * -expm1(-r * r / 0.04), expected[3];
        v3_scale(expected, speed, env);
        assert_all_close(u, expected, 3, 1e-12); /* x rounds at 1e-14, shear is Γ/2πa² = 12 */
    }
    cord__wind_free(&w, &m);
}

/* On the axis: no velocity, and the rotation rate Γ/(2πa²) of the solid-body core. */
static void vortex_turns_like_a_body_at_its_centre(void **state)
{
    (void)state;
    memory m;
    cord_vortex vortex = {.axis = {0, 0, 1}, .circulation = 3, .core = 0.2};
    cord_wind_def def = {.vortex_count = 1, .vortices = &vortex};
    wind w = make(&m, &def);
    double x[3] = {0, 0, 5}, u[3], zero[3] = {0};
    cord__wind_at(&w, 0, x, u);
    assert_all_close(u, zero, 3, 0);
    for (double r = 1e-200; r < 1e-3; r *= 1e20) {
        x[0] = r;
        cord__wind_at(&w, 0, x, u);
        assert_close(u[1] / r, 3 / (2 * pi * 0.04), 1e-12);
    }
    cord__wind_free(&w, &m);
}

static void parts_add_up_and_are_copied(void **state)
{
    (void)state;
    memory m;
    cord_vortex vortices[2] = {
        {.axis = {0, 0, 1}, .circulation = 1, .core = 1},
        {.center = {1, 0, 0}, .axis = {0, 0, 1}, .circulation = -1, .core = 1},
    };
    cord_wind_def def = {.velocity = {0, 2, 0}, .vortex_count = 2, .vortices = vortices};
    wind w = make(&m, &def);
    vortices[0].circulation = vortices[1].circulation = 1e9;
    double x[3] = {0.5, 0, 0}, u[3]; /* both push the same way, midway */
    cord__wind_at(&w, 0, x, u);
    double expected[3] = {0, 2 + 2 / (2 * pi * 0.5) * -expm1(-0.25), 0};
    assert_all_close(u, expected, 3, 1e-14);
    cord__wind_free(&w, &m);
    assert_int_equal(m.bytes, 0);
}

static void refuse(const cord_wind_def *def)
{
    memory m;
    wind w;
    cord__memory_init(&m, NULL);
    assert_int_equal(cord__wind_init(&w, &m, def), CORD_ERROR_ARGUMENT);
    assert_int_equal(m.bytes, 0);
}

static void wrong_winds_are_refused(void **state)
{
    (void)state;
    const cord_vortex good = {.axis = {0, 0, 1}, .circulation = 1, .core = 1};
    cord_vortex no_axis = good, no_core = good, nan_core = good, far = good, spin = good;
    no_axis.axis[2] = 0;
    no_core.core = 0;
    nan_core.core = NAN;
    far.center[1] = INFINITY;
    spin.circulation = NAN;
    const cord_vortex *wrong[] = {&no_axis, &no_core, &nan_core, &far, &spin, NULL};
    for (int i = 0; i < 6; i++) refuse(&(cord_wind_def){.vortex_count = 1, .vortices = wrong[i]});
    refuse(&(cord_wind_def){.vortex_count = -1, .vortices = &good});
    refuse(&(cord_wind_def){.velocity = {0, NAN, 0}});
    refuse(&(cord_wind_def){.gust_amplitude = INFINITY});
    refuse(&(cord_wind_def){.gust_frequency = NAN});
    refuse(&(cord_wind_def){.gust_wavevector = {NAN, 0, 0}});
}

static void failed_allocation_leaves_still_air(void **state)
{
    (void)state;
    cord_vortex vortex = {.axis = {0, 0, 1}, .circulation = 1, .core = 1};
    cord_wind_def def = {.velocity = {1, 0, 0}, .vortex_count = 1, .vortices = &vortex};
    failing_allocator heap = {.fail_at = 0};
    cord_allocator ops = failing_allocator_ops(&heap);
    memory m;
    wind w;
    cord__memory_init(&m, &ops);
    assert_int_equal(cord__wind_init(&w, &m, &def), CORD_ERROR_MEMORY);
    double x[3] = {1, 0, 0}, u[3], zero[3] = {0};
    cord__wind_at(&w, 0, x, u);
    assert_all_close(u, zero, 3, 0);
    assert_int_equal(heap.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_air),
        cmocka_unit_test(gusts_travel),
        cmocka_unit_test(vortex_has_the_lamb_oseen_profile),
        cmocka_unit_test(vortex_turns_like_a_body_at_its_centre),
        cmocka_unit_test(parts_add_up_and_are_copied),
        cmocka_unit_test(wrong_winds_are_refused),
        cmocka_unit_test(failed_allocation_leaves_still_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
