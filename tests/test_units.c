#include "scene/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void reads_values(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {
        {"4 mm", "m", 0.004},
        {"4mm", "m", 0.004},
        {" -2.5e-1 m", "m", -0.25},
        {"1.3 MPa", "Pa", 1.3e6},
        {"27 turns", "rad", 27 * 6.283185307179586},
        {"30 deg", "rad", 0.5235987755982988},
        {"2.7 g/cm^3", "kg/m^3", 2700},
        {"2.7 g/cm3", "kg/m^3", 2700},
        {"0.1 N s/m2", "N s/m^2", 0.1},
        {"0.1 N*s/m\xc2\xb2", "N s/m^2", 0.1},
        {"3 1/m", "1/m", 3},
        {"3 /m", "1/m", 3},
        {"3 m^-1", "1/m", 3},
        {"40%", "", 0.4},
        {"60 Hz", "1/s", 60},
        {"1 in", "m", 0.0254},
        {"5 N m^2", "kg m^3/s^2", 5},
        {"2 mN", "N", 0.002},
        {".5 min", "s", 30},
        {"7", "", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        quantity q;
        char error[96] = "";
        bool good = cord__parse_quantity(cases[i].text, &q, error, sizeof error);
        if (!good) fail_msg("%s: %s", cases[i].text, error);
        if (fabs(q.value - cases[i].value) > 1e-12 * fabs(cases[i].value)) {
            fail_msg("%s is %.17g", cases[i].text, q.value);
        }
        assert_true(cord__same_dimension(q.dim, cord__unit_dimension(cases[i].unit)));
    }
}

static void refuses_others(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",          "mm",    "four mm", "1 foo", "1 m^",
                                        "1 m//s",    "nan",   "inf",     "0x10",  "1e999",
                                        "1 m^9 m^9", "1,5 m", "1 m 2",   "--1",   "1 m/"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        quantity q;
        char error[96] = "";
        if (cord__parse_quantity(wrong[i], &q, error, sizeof error)) {
            fail_msg("\"%s\" was accepted", wrong[i]);
        }
        assert_true(error[0] != 0);
    }
}

static void says_dimensions(void **state)
{
    (void)state;
    char buffer[96];
    assert_string_equal(cord__dimension_text(cord__unit_dimension("MPa"), buffer, 96),
                        "a pressure (Pa)");
    assert_string_equal(cord__dimension_text(cord__unit_dimension("kg m/s^3"), buffer, 96),
                        "something in kg m s^-3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_values),
        cmocka_unit_test(refuses_others),
        cmocka_unit_test(says_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
