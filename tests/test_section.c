#include "curve/section.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const cord_material rubber = {.density = 1000, .young = 2e6, .poisson = 0.25};
static const double shear = 8e5; /* E/2(1 + ν) */

static section_stiffness stiffness_of(cord_section section)
{
    section_stiffness s;
    char why[200];
    assert_int_equal(cord__section(&rubber, &section, &s, why, sizeof why), CORD_OK);
    assert_string_equal(why, "");
    return s;
}

#define assert_relative(actual, expected)                                                          \
    assert_close((actual) / (expected), 1, 1e-14) /* a dozen roundings */

static void circle(void **state)
{
    (void)state;
    double r = 0.003;
    section_stiffness s = stiffness_of((cord_section){.kind = CORD_SECTION_CIRCLE, .radius = r});
    assert_relative(s.mass, 1000 * pi * r * r);
    assert_relative(s.stretching, 2e6 * pi * r * r);
    assert_relative(s.bending[0], 2e6 * pi * pow(r, 4) / 4);
    assert_relative(s.bending[1], s.bending[0]);
    assert_relative(s.twisting, shear * pi * pow(r, 4) / 2);
    assert_relative(s.rotary_inertia, 1000 * pi * pow(r, 4) / 2);
    assert_close(s.half[0], r, 0);
    assert_close(s.half[1], r, 0);
}

static void tube(void **state)
{
    (void)state;
    double o = 0.003, i = 0.002, fourth = pow(o, 4) - pow(i, 4);
    section_stiffness s =
        stiffness_of((cord_section){.kind = CORD_SECTION_TUBE, .radius = o, .inner_radius = i});
    assert_relative(s.mass, 1000 * pi * (o * o - i * i));
    assert_relative(s.bending[0], 2e6 * pi * fourth / 4);
    assert_relative(s.bending[1], 2e6 * pi * fourth / 4);
    assert_relative(s.twisting, shear * pi * fourth / 2);
    assert_close(s.half[1], o, 0);
}

/* Full axes 2a along the first director, 2b along the second. */
static void ellipse(void **state)
{
    (void)state;
    double a = 0.004, b = 0.001;
    section_stiffness s =
        stiffness_of((cord_section){.kind = CORD_SECTION_ELLIPSE, .size = {2 * a, 2 * b}});
    assert_relative(s.stretching, 2e6 * pi * a * b);
    assert_relative(s.bending[0], 2e6 * pi * a * pow(b, 3) / 4);
    assert_relative(s.bending[1], 2e6 * pi * pow(a, 3) * b / 4);
    assert_relative(s.twisting, shear * pi * pow(a * b, 3) / (a * a + b * b));
    assert_close(s.half[0], a, 0);
    assert_close(s.half[1], b, 0);
}

/* Thin along the second director: bending about the first is the soft direction. */
static void rectangle(void **state)
{
    (void)state;
    double a = 0.01, b = 0.002;
    section_stiffness s =
        stiffness_of((cord_section){.kind = CORD_SECTION_RECTANGLE, .size = {a, b}});
    assert_relative(s.mass, 1000 * a * b);
    assert_relative(s.bending[0], 2e6 * a * pow(b, 3) / 12);
    assert_relative(s.bending[1], 2e6 * b * pow(a, 3) / 12);
    assert_true(s.bending[0] < s.bending[1]);
    assert_relative(s.rotary_inertia, 1000 * a * b * (a * a + b * b) / 12);
    section_stiffness turned =
        stiffness_of((cord_section){.kind = CORD_SECTION_RECTANGLE, .size = {b, a}});
    assert_relative(turned.twisting, s.twisting);
    assert_relative(turned.bending[0], s.bending[1]);
}

static double torsion_constant(double a, double b)
{
    cord_section section = {.kind = CORD_SECTION_RECTANGLE, .size = {a, b}};
    return stiffness_of(section).twisting / shear;
}

/* Saint-Venant's series summed directly; 3000 odd terms leave 1e-16. */
static void rectangle_torsion_is_saint_venants(void **state)
{
    (void)state;
    for (double ratio = 1; ratio < 2e3; ratio *= 1.7) {
        double sum = 0;
        for (int n = 5999; n > 0; n -= 2) sum += tanh(n * pi * ratio / 2) / pow(n, 5);
        double expected = ratio * (1.0 / 3 - 64 / pow(pi, 5) / ratio * sum);
        assert_close(torsion_constant(ratio, 1) / expected, 1, 1e-14);
    }
    assert_close(torsion_constant(1, 1), 0.1405770150, 1e-10);      /* the square, as tabulated */
    assert_close(torsion_constant(1, 1e-4) / (1e-12 / 3), 1, 1e-4); /* a strip: a b³/3 */
}

static void explicit_is_taken_as_given(void **state)
{
    (void)state;
    cord_section section = {.kind = CORD_SECTION_EXPLICIT,
                            .radius = 0.01,
                            .mass = 2,
                            .bending = {3, 4},
                            .twisting = 5,
                            .rotary_inertia = 6};
    section_stiffness s;
    char why[100];
    /* The material is not read. */
    assert_int_equal(cord__section(NULL, &section, &s, why, sizeof why), CORD_OK);
    assert_close(s.mass, 2, 0);
    assert_close(s.stretching, 0, 0);
    assert_close(s.bending[0], 3, 0);
    assert_close(s.bending[1], 4, 0);
    assert_close(s.twisting, 5, 0);
    assert_close(s.rotary_inertia, 6, 0);
    assert_close(s.half[0], 0.01, 0);
}

static void refuse(cord_material material, cord_section section, const char *expected)
{
    section_stiffness s;
    char why[200], shorter[10];
    assert_int_equal(cord__section(&material, &section, &s, why, sizeof why), CORD_ERROR_ARGUMENT);
    assert_string_equal(why, expected);
    assert_int_equal(cord__section(&material, &section, &s, shorter, sizeof shorter),
                     CORD_ERROR_ARGUMENT);
    assert_true(strlen(shorter) < sizeof shorter);
    assert_int_equal(cord__section(&material, &section, &s, NULL, 0), CORD_ERROR_ARGUMENT);
}

static void impossible_materials_are_named(void **state)
{
    (void)state;
    const cord_section circular = {.kind = CORD_SECTION_CIRCLE, .radius = 0.01};
    refuse((cord_material){0, 1e6, 0.3}, circular, "density is 0; it must be finite and > 0");
    refuse((cord_material){1e3, -2, 0.3}, circular, "young is -2; it must be finite and > 0");
    refuse((cord_material){1e3, INFINITY, 0.3}, circular,
           "young is inf; it must be finite and > 0");
    refuse((cord_material){1e3, 1e6, 0.51}, circular,
           "poisson is 0.51; it must be > -1 and <= 0.5");
    refuse((cord_material){1e3, 1e6, -1}, circular, "poisson is -1; it must be > -1 and <= 0.5");
    section_stiffness s;
    cord_material incompressible = {1e3, 1e6, 0.5};
    assert_int_equal(cord__section(&incompressible, &circular, &s, NULL, 0), CORD_OK);
}

static void impossible_shapes_are_named(void **state)
{
    (void)state;
    refuse(rubber, (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = -0.5},
           "section radius is -0.5; it must be finite and > 0");
    refuse(rubber, (cord_section){.kind = CORD_SECTION_TUBE, .radius = 1, .inner_radius = 1},
           "section inner_radius is 1; it must be less than radius, 1");
    refuse(rubber, (cord_section){.kind = CORD_SECTION_TUBE, .radius = 1, .inner_radius = -1},
           "section inner_radius is -1; it must be finite and >= 0");
    refuse(rubber, (cord_section){.kind = CORD_SECTION_ELLIPSE, .size = {1, 0}},
           "section size[1] is 0; it must be finite and > 0");
    refuse(rubber, (cord_section){.kind = CORD_SECTION_RECTANGLE, .size = {-3, 1}},
           "section size[0] is -3; it must be finite and > 0");
    refuse(rubber, (cord_section){.kind = (cord_section_kind)9},
           "section kind is 9; it must be one of cord_section_kind");
    /* r⁴ underflows: no stiffness is left. */
    refuse(rubber, (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 1e-100},
           "section bending[0] is 0; it must be finite and > 0");
}

static void impossible_stiffness_is_named(void **state)
{
    (void)state;
    const cord_section good = {
        .kind = CORD_SECTION_EXPLICIT, .mass = 1, .bending = {1, 1}, .twisting = 1};
    cord_section s = good;
    s.mass = 0;
    refuse(rubber, s, "section mass is 0; it must be finite and > 0");
    s = good, s.stretching = -1;
    refuse(rubber, s, "section stretching is -1; it must be finite and >= 0");
    s = good, s.bending[1] = -1;
    refuse(rubber, s, "section bending[1] is -1; it must be finite and > 0");
    s = good, s.twisting = 0;
    refuse(rubber, s, "section twisting is 0; it must be finite and > 0");
    s = good, s.rotary_inertia = -1;
    refuse(rubber, s, "section rotary_inertia is -1; it must be finite and >= 0");
    s = good, s.radius = -1;
    refuse(rubber, s, "section radius is -1; it must be finite and >= 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle),
        cmocka_unit_test(tube),
        cmocka_unit_test(ellipse),
        cmocka_unit_test(rectangle),
        cmocka_unit_test(rectangle_torsion_is_saint_venants),
        cmocka_unit_test(explicit_is_taken_as_given),
        cmocka_unit_test(impossible_materials_are_named),
        cmocka_unit_test(impossible_shapes_are_named),
        cmocka_unit_test(impossible_stiffness_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
