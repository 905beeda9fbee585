/* A world that is restored from a checkpoint continues bit for bit; other data is refused and
 * changes nothing. */
#include "support/scenes.h"
#include "support/test.h"

#include <stdlib.h>

static cord_world *swinging(const integration *by)
{
    cord_world *w = scene_world(by);
    cord_strand a = scene_rope(w, NULL, "a", 8, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_strand b = scene_rope(w, NULL, "b", 6, (double[]){1, 0, 0}, (double[]){2, 0, 0.1});
    scene_hang(w, a, 0);
    scene_constraint(w, CORD_COINCIDE, scene_point(w, a, 1), scene_point(w, b, 0));
    return w;
}

static void goes_on(void **by)
{
    cord_world *w = swinging(*by), *other = swinging(*by);
    scene_advance(w, 2e-3, 20);
    scene_goes_on(w, other, 2e-3, 30);
    assert_close(cord_world_get_time(other), 0.1, 1e-12);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

/* A rope whose end is driven by keyframes. */
static cord_world *driven(const integration *by, cord_constraint *drive)
{
    static const double times[2] = {0, 1}, values[6] = {0, 0, 0, 0.2, 0, -0.1};
    cord_world *w = scene_world(by);
    cord_strand rope = scene_rope(w, NULL, "a", 8, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_point(w, rope, 0), def.second = scene_place(w, 0, 0, 0);
    def.drive = (cord_keys){2, times, values, CORD_EASE_LINEAR};
    *drive = scene_relate(w, &def);
    return w;
}

/* A checkpoint from before a constraint was driven by a call restores its keyframes. */
static void keys_come_back(void **by)
{
    cord_constraint drive, same;
    cord_world *w = driven(*by, &drive), *other = driven(*by, &same);
    size_t size;
    scene_advance(w, 2e-3, 5), scene_advance(other, 2e-3, 5);
    assert_fine(w, cord_world_get_state_size(w, &size));
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_fine(w, cord_world_get_state(w, bytes));
    assert_fine(w, cord_constraint_set_drive(w, drive, (double[]){0, 0.01, 0}, NULL));
    scene_advance(w, 2e-3, 5);
    assert_fine(w, cord_world_set_state(w, bytes, size));
    scene_advance(w, 2e-3, 5), scene_advance(other, 2e-3, 5);
    assert_int_equal(scene_hash(w), scene_hash(other));
    free(bytes);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

static void damaged_is_refused(void **unused)
{
    (void)unused;
    cord_world *w = swinging(NULL), *small = scene_world(NULL);
    size_t size, small_size;
    scene_advance(w, 2e-3, 3);
    uint64_t before = scene_hash(w), after;
    assert_fine(w, cord_world_get_state_size(w, &size));
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_fine(w, cord_world_get_state(w, bytes));
    for (size_t i = 0; i < size; i += 37) {
        bytes[i] ^= 1;
        assert_int_equal(cord_world_set_state(w, bytes, size), CORD_ERROR_ARGUMENT);
        bytes[i] ^= 1;
    }
    for (size_t cut = 0; cut < size; cut += 101)
        assert_int_equal(cord_world_set_state(w, bytes, cut), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_world_hash(w, &after));
    assert_true(before == after);
    scene_rope(small, NULL, "a", 8, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    assert_fine(small, cord_world_get_state_size(small, &small_size));
    assert_true(small_size < size);
    assert_int_equal(cord_world_set_state(small, bytes, size), CORD_ERROR_ARGUMENT);
    free(bytes);
    cord_world_destroy(w);
    cord_world_destroy(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_EVERY_INTEGRATION(goes_on),
        BY_EVERY_INTEGRATION(keys_come_back),
        cmocka_unit_test(damaged_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
