/* Memory that runs out anywhere is an error and nothing else: the k-th allocation fails, for every
 * k, and the world can be used again when there is memory, or destroyed. */
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/test.h"

typedef struct scene {
    cord_world *world;
    cord_strand rope[2];
    cord_point on[4], at, clamp;
    cord_relation relation, coincide, align;
    cord_load weight;
} scene;

/* The calls of a small program, one by one, so that each can be repeated after it failed. */
static cord_status call(scene *s, int number)
{
    static const double x[2][12] = {{0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0},
                                    {0.3, 0, 0, 0.4, 0, 0.01, 0.5, 0, 0, 0.6, 0.01, 0}};
    static const double times[2] = {0, 1}, values[6] = {0, 0, 0, 0.1, 0, 0};
    const cord_keys keys = {2, times, values, CORD_EASE_SMOOTH};
    cord_strand_def strand = cord_strand_def_default();
    cord_point_def point = cord_point_def_default();
    cord_relation_def relation = cord_relation_def_default();
    cord_load_def load = cord_load_def_default();
    cord_vortex vortex = {.axis = {0, 0, 1}, .circulation = 1, .core = 0.1};
    cord_wind_def air = {.velocity = {1, 0, 0}, .vortex_count = 1, .vortices = &vortex};
    switch (number) {
    case 0:
    case 1:
        strand.name = "rope";
        strand.vertex_count = 4;
        strand.positions = x[number];
        strand.drag = 0.1;
        if (number == 1) strand.section.radius = 3e-3, strand.damping = 1e-3;
        return cord_world_add_strand(s->world, &strand, &s->rope[number]);
    case 2:
        point.rotation = point.motion = keys;
        return cord_world_clamp(s->world, s->rope[0], 0, &point, &s->clamp, &s->coincide,
                                &s->align);
    case 3:
    case 4:
    case 5:
    case 6:
        point.source = CORD_SOURCE_STRAND;
        point.strand = s->rope[number % 2 ? 0 : 1];
        point.s = number < 5 ? (number % 2 ? 0.3 : 0) : 0.15;
        return cord_world_add_point(s->world, &point, &s->on[number - 3]);
    case 7: point.motion = keys; return cord_world_add_point(s->world, &point, &s->at);
    case 8:
        relation.first = s->on[0], relation.second = s->on[1];
        relation.name = "knot";
        return cord_world_add_relation(s->world, &relation, &s->relation);
    case 9:
        relation.kind = CORD_ALIGN;
        relation.compliance = 0.1;
        relation.first = s->on[0], relation.second = s->on[1];
        relation.drive = keys;
        return cord_world_add_relation(s->world, &relation, &s->relation);
    case 10:
        relation.kind = CORD_PLANE;
        relation.side = CORD_AT_LEAST;
        relation.first = s->on[3];
        return cord_world_add_relation(s->world, &relation, &s->relation);
    case 11:
        load.point = s->on[2];
        load.force[2] = -0.1;
        load.keys = keys;
        return cord_world_add_load(s->world, &load, &s->weight);
    case 12: return cord_world_set_wind(s->world, &air);
    case 13: return cord_world_find_equilibrium(s->world, NULL, NULL);
    case 14: return cord_world_step(s->world, 1e-3);
    case 15: return cord_world_remove_relation(s->world, s->relation);
    case 16: return cord_world_step(s->world, 1e-3);
    case 17: return cord_world_remove_strand(s->world, s->rope[1]);
    case 18: return cord_world_step(s->world, 1e-3);
    default: return CORD_ERROR_ARGUMENT;
    }
}
enum { CALLS = 19 };

/* Whether there was an allocation `k` to fail. */
static bool fail_one(int k, const integration *by)
{
    failing_allocator heap = {.fail_at = k};
    scene s = {0};
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.allocator = failing_allocator_ops(&heap);
    cord_status status = cord_world_create(&def, &s.world);
    if (status != CORD_OK) {
        assert_int_equal(status, CORD_ERROR_MEMORY);
        assert_null(s.world);
        assert_int_equal(heap.live, 0);
        return true;
    }
    for (int number = 0; number < CALLS; number++) {
        bool failed = heap.failed;
        status = call(&s, number);
        if (heap.failed && !failed && status != CORD_OK) {
            if (status != CORD_ERROR_MEMORY)
                print_error("allocation %d, call %d: %s\n", k, number, cord_status_text(status));
            assert_int_equal(status, CORD_ERROR_MEMORY);
            assert_true(cord_world_error(s.world)[0] != '\0');
            status = call(&s, number); /* memory is back */
        }
        if (status != CORD_OK)
            print_error("allocation %d, call %d: %s: %s\n", k, number, cord_status_text(status),
                        cord_world_error(s.world));
        assert_int_equal(status, CORD_OK);
    }
    cord_world_destroy(s.world);
    assert_int_equal(heap.live, 0);
    return heap.failed;
}

static void every_allocation_fails_once(void **by)
{
    int k = 0;
    while (fail_one(k, *by)) k++;
    assert_true(k > 100); /* it did fail things */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"implicit", every_allocation_fails_once, NULL, NULL, (void *)(integrations + 0)},
        {"midpoint", every_allocation_fails_once, NULL, NULL, (void *)(integrations + 3)},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
