/* Only the committed state is carried from one step to the next: with all workspace filled with
 * NaNs before each step, worlds of every kind of block reach the same bits, with every
 * integrator. */
#include "support/machines.h"
#include "support/poison.h"
#include "support/scenes.h"
#include "support/test.h"

static void is_no_state(void **given)
{
    const machine *m = *given;
    for (int by = 0; by < INTEGRATIONS; by++) {
        if (!machine_supports(m, by)) continue; /* test_determinism.c tests that it is refused */
        static poison_memory taken;
        taken.count = 0;
        const cord_allocator allocator = poison_allocator(&taken);
        cord_world *clean = machine_world(m, by, 1, NULL);
        cord_world *poisoned = machine_world(m, by, 1, &allocator);
        for (int step = 0; step < MACHINE_STEPS; step++) {
            assert_true(machine_step(m, by, clean) && machine_step(m, by, poisoned));
            uint64_t hash = scene_hash(clean);
            if (scene_hash(poisoned) != hash)
                print_error("%s, %s, step %d\n", m->name, integrations[by].name, step);
            assert_true(scene_hash(poisoned) == hash);
            assert_true(poison_workspace(&taken, poisoned) > 1000);
        }
        cord_world_destroy(clean);
        cord_world_destroy(poisoned);
        assert_int_equal(taken.count, 0);
    }
}

int main(void)
{
    struct CMUnitTest tests[MACHINES];
    for (int i = 0; i < MACHINES; i++)
        tests[i] =
            (struct CMUnitTest){machines[i].name, is_no_state, NULL, NULL, (void *)(machines + i)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
