#include "curve/keyframes.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/test.h"

#include <string.h>

enum { COUNT = 9, WIDTH = 2 };

static double times[COUNT], values[COUNT * WIDTH];

static cord_keys example(cord_ease ease)
{
    uint64_t seed = 31;
    for (int i = 0; i < COUNT; i++) times[i] = -1 + i * (1 + 0.3 * i);
    random_vector(&seed, COUNT * WIDTH, values);
    return (cord_keys){COUNT, times, values, ease};
}

static keyframes copy(const cord_keys *def, memory *m)
{
    keyframes k;
    cord__memory_init(m, NULL);
    assert_int_equal(cord__keyframes_copy(&k, m, def, WIDTH), CORD_OK);
    return k;
}

static void passes_through_its_keys(void **state)
{
    (void)state;
    for (int ease = CORD_EASE_LINEAR; ease <= CORD_EASE_SMOOTH; ease++) {
        memory m;
        cord_keys def = example((cord_ease)ease);
        keyframes k = copy(&def, &m);
        double kept[COUNT * WIDTH], value[WIDTH];
        memcpy(kept, values, sizeof kept);
        memset(values, 0, sizeof values); /* a copy: the caller's array may go */
        for (int i = 0; i < COUNT; i++) {
            cord__keyframes_at(&k, times[i], value, NULL);
            assert_all_close(value, kept + WIDTH * i, WIDTH, 0);
            cord__keyframes_at(&k, nextafter(times[i], -1e9), value, NULL);
            assert_all_close(value, kept + WIDTH * i, WIDTH, 1e-14);
        }
        cord__keyframes_free(&k, &m);
        assert_int_equal(m.bytes, 0);
    }
}

static void half_way(void **state)
{
    (void)state;
    double t[] = {1, 3}, v[] = {2, 10, 6, 30}, value[2], rate[2];
    double middle[] = {4, 20}, quarter[] = {3, 15};
    for (int ease = CORD_EASE_LINEAR; ease <= CORD_EASE_SMOOTH; ease++) {
        memory m;
        cord_keys def = {2, t, v, (cord_ease)ease};
        keyframes k = copy(&def, &m);
        cord__keyframes_at(&k, 2, value, rate);
        assert_all_close(value, middle, 2, 1e-15);
        assert_close(rate[0], ease == CORD_EASE_LINEAR ? 2 : 3.75, 1e-15);
        cord__keyframes_at(&k, 1.5, value, NULL);
        if (ease == CORD_EASE_LINEAR)
            assert_all_close(value, quarter, 2, 1e-15);
        else
            assert_close(value[0], 2 + 4 * 0.103515625, 1e-15); /* 6/4⁵ − 15/4⁴ + 10/4³ */
        cord__keyframes_free(&k, &m);
    }
}

static void rate_matches_differences(void **state)
{
    (void)state;
    const double step = 1e-6;
    for (int ease = CORD_EASE_LINEAR; ease <= CORD_EASE_SMOOTH; ease++) {
        memory m;
        cord_keys def = example((cord_ease)ease);
        keyframes k = copy(&def, &m);
        for (double t = -2.013; t < times[COUNT - 1] + 1; t += 0.0937) {
            double value[WIDTH], rate[WIDTH], below[WIDTH], above[WIDTH];
            cord__keyframes_at(&k, t, value, rate);
            cord__keyframes_at(&k, t - step, below, NULL);
            cord__keyframes_at(&k, t + step, above, NULL);
            for (int i = 0; i < WIDTH; i++) {
                assert_close((above[i] - below[i]) / (2 * step), rate[i], 1e-8);
            }
        }
        cord__keyframes_free(&k, &m);
    }
}

static void smooth_rests_at_keys_and_linear_does_not(void **state)
{
    (void)state;
    memory m;
    double value[WIDTH], rate[WIDTH];
    cord_keys def = example(CORD_EASE_SMOOTH);
    keyframes k = copy(&def, &m);
    for (int i = 0; i < COUNT; i++) {
        cord__keyframes_at(&k, times[i], value, rate);
        assert_close(rate[0], 0, 0);
    }
    k.ease = CORD_EASE_LINEAR;
    cord__keyframes_at(&k, times[0], value, rate); /* towards later times */
    assert_close(rate[0], (values[WIDTH] - values[0]) / (times[1] - times[0]), 1e-15);
    cord__keyframes_at(&k, times[COUNT - 1], value, rate);
    assert_close(rate[0], 0, 0);
    cord__keyframes_free(&k, &m);
}

static void constant_outside_and_zero_without_keys(void **state)
{
    (void)state;
    memory m;
    double value[WIDTH] = {7, 7}, rate[WIDTH] = {7, 7}, zero[WIDTH] = {0};
    keyframes k = copy(NULL, &m);
    cord__keyframes_at(&k, 3, value, rate);
    assert_all_close(value, zero, WIDTH, 0);
    assert_all_close(rate, zero, WIDTH, 0);
    cord__keyframes_free(&k, &m);

    cord_keys def = example(CORD_EASE_SMOOTH);
    def.count = 1;
    k = copy(&def, &m);
    for (double t = -1e3; t <= 1e3; t += 1e3) {
        cord__keyframes_at(&k, t, value, rate);
        assert_all_close(value, values, WIDTH, 0);
        assert_all_close(rate, zero, WIDTH, 0);
    }
    cord__keyframes_free(&k, &m);
}

static void refuse(cord_keys def, int width)
{
    memory m;
    keyframes k;
    cord__memory_init(&m, NULL);
    assert_int_equal(cord__keyframes_copy(&k, &m, &def, width), CORD_ERROR_ARGUMENT);
    assert_int_equal(m.bytes, 0);
}

static void wrong_keys_are_refused(void **state)
{
    (void)state;
    double equal[] = {0, 1, 1}, back[] = {0, 2, 1}, infinite[] = {0, 1, INFINITY};
    double good[] = {0, 1, 2}, nan_value[] = {0, NAN, 0};
    refuse((cord_keys){3, equal, good, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){3, back, good, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){3, infinite, good, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){3, nan_value, good, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){3, good, nan_value, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){1, nan_value + 1, good, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){3, good, NULL, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){-1, good, good, CORD_EASE_LINEAR}, 1);
    refuse((cord_keys){3, good, good, (cord_ease)7}, 1);
    refuse((cord_keys){3, good, good, CORD_EASE_LINEAR}, 0);
}

static void failed_allocations_leak_nothing(void **state)
{
    (void)state;
    cord_keys def = example(CORD_EASE_LINEAR);
    for (int i = 0; i < 3; i++) {
        failing_allocator heap = {.fail_at = i};
        cord_allocator ops = failing_allocator_ops(&heap);
        memory m;
        keyframes k;
        cord__memory_init(&m, &ops);
        assert_int_equal(cord__keyframes_copy(&k, &m, &def, WIDTH),
                         i < 2 ? CORD_ERROR_MEMORY : CORD_OK);
        cord__keyframes_free(&k, &m);
        assert_int_equal(heap.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_through_its_keys),
        cmocka_unit_test(half_way),
        cmocka_unit_test(rate_matches_differences),
        cmocka_unit_test(smooth_rests_at_keys_and_linear_does_not),
        cmocka_unit_test(constant_outside_and_zero_without_keys),
        cmocka_unit_test(wrong_keys_are_refused),
        cmocka_unit_test(failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
