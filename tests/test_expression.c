#include "scene/expression.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* n: 40, r: 2 mm, t: 3 s, f: 2 * $n, and two that need each other. */
static scope *names(void)
{
    static const node texts[] = {
        {.text = "40"},     {.text = "2 mm"}, {.text = "3 s"},
        {.text = "2 * $n"}, {.text = "$b"},   {.text = "$a"},
    };
    static variable list[6];
    static scope all = {.count = 6, .list = list};
    static const char *const words[] = {"n", "r", "t", "f", "a", "b"};
    for (int i = 0; i < 6; i++) list[i] = (variable){.name = words[i], .at = &texts[i]};
    return &all;
}

static void must_be(const char *text, double value, const char *unit)
{
    quantity q;
    char error[160];
    if (!cord__evaluate(names(), text, &q, error, sizeof error)) fail_msg("%s: %s", text, error);
    if (fabs(q.value - value) > 1e-14 * fabs(value)) fail_msg("%s is %.17g", text, q.value);
    if (!cord__same_dimension(q.dim, cord__unit_dimension(unit))) fail_msg("%s: unit", text);
}

static void expect_mistake(const char *text, const char *message)
{
    quantity q;
    char error[160];
    if (cord__evaluate(names(), text, &q, error, sizeof error)) fail_msg("%s is fine", text);
    assert_string_equal(error, message);
}

static void arithmetic(void **state)
{
    (void)state;
    must_be("4 mm", 0.004, "m");
    must_be("-3", -3, "");
    must_be("2 + 3 * 4", 14, "");
    must_be("(2 + 3) * 4", 20, "");
    must_be("10 / 4 / 5", 0.5, "");
    must_be("2^3^2", 512, "");
    must_be("-2^2", -4, "");
    must_be("7 - -2", 9, "");
    must_be("sqrt(16 m^2)", 4, "m");
    must_be("sin(30 deg) + cos(0)", 1.5, "");
    must_be("pi", 3.14159265358979323846, "");
    must_be("abs(-3 N)", 3, "N");
    must_be("3 1/m", 3, "1/m");
    must_be("4 cm * 12", 0.48, "m");
    must_be("4 m / 2 s", 2, "m/s");
    must_be("1 / 2 s", 0.5, "Hz");
    must_be("(2 cm)^3", 8e-6, "m^3");
    must_be("40 % * 2", 0.8, "");
}

static void variables(void **state)
{
    (void)state;
    must_be("$n * 2 cm", 0.8, "m");
    must_be("($r + 1 mm) / 2", 0.0015, "m");
    must_be("$n * 1 turn", 80 * 3.14159265358979323846, "rad");
    must_be("$n cm", 0.4, "m");
    must_be("$f+1", 81, "");
    must_be("$r^2 * pi", 4e-6 * 3.14159265358979323846, "m^2");
}

static void mistakes(void **state)
{
    (void)state;
    expect_mistake("", "\"\" is not a number");
    expect_mistake("abc", "\"abc\" is not a number");
    expect_mistake("4 parsec", "\"parsec\" is not a unit");
    expect_mistake("$m", "there is no variable $m (did you mean \"n\"?)");
    expect_mistake("$r + $t", "\"$r + $t\" adds a length (m) and a time (s)");
    expect_mistake("$r + 1", "\"$r + 1\" adds a length (m) and a plain number");
    expect_mistake("1 / ($n - 40)", "\"1 / ($n - 40)\" divides by zero");
    expect_mistake("(1", "a closing bracket is missing in \"(1\"");
    expect_mistake("1 2", "\"2\" is not a unit");
    expect_mistake("2 cm^$n", "write (2 cm)^$n for a power of the whole, in \"2 cm^$n\"");
    expect_mistake("sqrt(-1)", "sqrt() cannot be taken of -1, a plain number");
    expect_mistake("sqrt(2 m)", "sqrt() cannot be taken of 2, a length (m)");
    expect_mistake("2^(1 m)", "the power in \"2^(1 m)\" must be a plain number");
    expect_mistake("$a", "$a is defined by itself");
    expect_mistake("1e308 * 1e308", "\"1e308 * 1e308\" is too large a number");
    expect_mistake("2 *", "\"2 *\" is not a number");
}

static void bounds(void **state)
{
    (void)state;
    char text[2048] = "";
    memset(text, '(', 40);
    text[40] = 0;
    quantity q;
    char error[160];
    assert_false(cord__evaluate(NULL, text, &q, error, sizeof error));
    assert_non_null(strstr(error, "nested too deeply"));
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = 0;
    expect_mistake(text, "it is longer than 1000 characters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(variables),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
