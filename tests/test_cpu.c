/* Which variant of the code runs: the widest that the processor has, the one that the environment names, the one that a
 * test asks for. Tests of kernels run in every variant by run_in_every_variant(). */
#include "math/cpu.h"
#include "math/multiversion.h"
#include "support/test.h"

#include <stdlib.h>

static cpu_variant chosen_with(const char *name)
{
    if (name)
        setenv(CPU_VARIABLE, name, 1);
    else
        unsetenv(CPU_VARIABLE);
    atomic_store(&cord__cpu, -1);
    return cord__cpu_variant();
}

static void environment_chooses(void **unused)
{
    (void)unused;
    cpu_variant widest = chosen_with(NULL);
    for (cpu_variant v = CPU_BASELINE; v < CPU_VARIANTS; v++) {
        assert_true(cord__cpu_has(v) == (v <= widest)); /* each needs the ones before */
        assert_int_equal(cord__cpu_named(cord__cpu_name(v)), v);
        assert_int_equal(chosen_with(cord__cpu_name(v)), cord__cpu_has(v) ? v : widest);
    }
    assert_int_equal(cord__cpu_named("mmx"), CPU_VARIANTS);
    assert_int_equal(chosen_with("mmx"), widest);
    chosen_with(NULL);
}

static void tests_choose(void **unused)
{
    (void)unused;
    for (cpu_variant v = CPU_BASELINE; v < CPU_VARIANTS; v++) {
        assert_true(cord__cpu_use(v) == cord__cpu_has(v));
        if (cord__cpu_has(v)) assert_int_equal(cord__cpu_variant(), v);
    }
    assert_false(cord__cpu_use(CPU_VARIANTS));
    chosen_with(NULL);
}

INLINE int which_2(int x)
{
    return x + 2;
}
INLINE int which_4(int x)
{
    return x + 4;
}
INLINE int which_8(int x)
{
    return x + 8;
}
int which(int x);
VARIANTS(int, return, which, which_2, which_4, which_8, (int x), (x))

static void functions_follow(void **unused)
{
    (void)unused;
    static const int added[CPU_VARIANTS] = {2, 4, 8};
    assert_int_equal(which_2(1) + which_4(1) + which_8(1), 17);
    for (cpu_variant v = CPU_BASELINE; v < CPU_VARIANTS; v++)
        if (cord__cpu_use(v)) assert_int_equal(which(1), 1 + added[v]);
    chosen_with(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_chooses),
        cmocka_unit_test(tests_choose),
        cmocka_unit_test(functions_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
