#include "support/test.h"

#include "math/cpu.h"

#include <math.h>
#include <stdbool.h>

static bool close_enough(double actual, double expected, double tolerance)
{
    return isfinite(actual) && fabs(actual - expected) <= tolerance;
}

void test_assert_close(double actual, double expected, double tolerance, const char *what,
                       const char *file, int line)
{
    if (close_enough(actual, expected, tolerance)) return;
    print_error("%s = %.17g, expected %.17g: off by %.3g, allowed %.3g\n", what, actual, expected,
                fabs(actual - expected), tolerance);
    _fail(file, line);
}

void test_assert_all_close(const double *actual, const double *expected, int count,
                           double tolerance, const char *what, const char *file, int line)
{
    for (int i = 0; i < count; i++) {
        if (close_enough(actual[i], expected[i], tolerance)) continue;
        print_error("%s[%d] = %.17g, expected %.17g: off by %.3g, allowed %.3g\n", what, i,
                    actual[i], expected[i], fabs(actual[i] - expected[i]), tolerance);
        _fail(file, line);
    }
}

int test_run_in_every_variant(const struct CMUnitTest *tests, size_t count)
{
    cpu_variant in_use = cord__cpu_variant();
    int failures = 0;
    for (cpu_variant variant = CPU_BASELINE; variant < CPU_VARIANTS; variant++) {
        if (!cord__cpu_use(variant)) continue;
        failures += _cmocka_run_group_tests(cord__cpu_name(variant), tests, count, NULL, NULL);
    }
    cord__cpu_use(in_use);
    return failures;
}
