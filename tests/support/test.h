/* Included by every test: cmocka, with the headers it requires, and comparison of floating-point
 * values. */
#ifndef CORDAGE_TESTS_TEST_H
#define CORDAGE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* |actual − expected| <= tolerance, for finite values; a NaN fails. */
#define assert_close(actual, expected, tolerance)                                                  \
    test_assert_close((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/* The same for every element of an array. */
#define assert_all_close(actual, expected, count, tolerance)                                       \
    test_assert_all_close((actual), (expected), (count), (tolerance), #actual, __FILE__, __LINE__)

void test_assert_close(double actual, double expected, double tolerance, const char *what,
                       const char *file, int line);
void test_assert_all_close(const double *actual, const double *expected, int count,
                           double tolerance, const char *what, const char *file, int line);

/* Runs a group of tests in every variant of the code that the processor has (math/cpu.h). */
#define run_in_every_variant(tests)                                                                \
    test_run_in_every_variant((tests), sizeof(tests) / sizeof *(tests))
int test_run_in_every_variant(const struct CMUnitTest *tests, size_t count);

#endif
