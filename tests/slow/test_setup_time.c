/* Removing objects from worlds and reading large scenes take linear time. Only time can be
 * measured here, and both sizes exceed the fast caches: four times the size may take twice four
 * times as long; a search through all objects for each one would take sixteen times as long. */
#include "scene/simulation_data.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FEW = 5000, TIMES = 4, REPEATS = 3 };
static const double ALLOWED = 2;

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Visits objects neither in the order of insertion nor in reverse: 7919 is prime. */
static int scattered(int i, int count)
{
    return (int)((int64_t)i * 7919 % count);
}

/* ---- timed operations -------------------------------------------------------------------------- */

static double remove_points(int count)
{
    cord_world *w = scene_world(NULL);
    const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0};
    cord_strand on = scene_rope(w, NULL, NULL, 10, from, to);
    cord_point *point = malloc((size_t)count * sizeof *point);
    assert_non_null(point);
    for (int i = 0; i < count; i++) {
        cord_point_def def = cord_point_def_default();
        def.source = CORD_SOURCE_SLIDING;
        def.strand = on;
        def.s = (i + 0.5) / count;
        def.inertia = 1e-3;
        assert_fine(w, cord_world_add_point(w, &def, point + i));
    }
    double began = processor_time();
    for (int i = 0; i < count; i++)
        assert_fine(w, cord_world_remove_point(w, point[scattered(i, count)]));
    double took = processor_time() - began;
    cord_counters left;
    assert_fine(w, cord_world_get_counters(w, &left));
    assert_int_equal(left.points + left.constraints, 0);
    cord_world_destroy(w);
    free(point);
    return took;
}

static cord_strand clamped(cord_world *w, int i)
{
    const double from[3] = {i, 0, 0}, to[3] = {i, 1, 0};
    cord_strand made = scene_rope(w, NULL, NULL, 4, from, to);
    assert_fine(w, cord_world_clamp_strand(w, made, 0, NULL, NULL, NULL, NULL));
    return made;
}

static double replace_strands(int count)
{
    cord_world *w = scene_world(NULL);
    cord_strand *strand = malloc((size_t)count * sizeof *strand);
    assert_non_null(strand);
    for (int i = 0; i < count; i++) strand[i] = clamped(w, i);
    double began = processor_time();
    for (int i = 0; i < count; i++) {
        assert_fine(w, cord_world_remove_strand(w, strand[scattered(i, count)]));
        clamped(w, i);
    }
    double took = processor_time() - began;
    cord_world_destroy(w);
    free(strand);
    return took;
}

/* A scene as text: strands, their constraints, and loads, all by name. */
static double read_scene(int count)
{
    size_t room = 1000 + 400 * (size_t)count, used = 0;
    char *text = malloc(room);
    assert_non_null(text);
#define SAY(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
    SAY("cordage: 1\nrun: {until: 1 s, dt: 1 ms}\nstrands:\n");
    for (int i = 0; i < count; i++)
        SAY("- {name: s%d, shape: {line: {from: [%d m, 0, 0], to: [%d m, 1 m, 0], vertices: 4}}, "
            "section: {circle: {radius: 1 mm}}, material: nylon}\n",
            i, i, i);
    SAY("points:\n");
    for (int i = 0; i < count; i++) SAY("- {name: p%d, at: s%d@50%%, sliding: yes}\n", i, i);
    SAY("constraints:\n");
    for (int i = 0; i < count; i++)
        SAY("- {kind: coincide, first: p%d, second: [%d m, 50 cm, 0]}\n", i, i);
    SAY("loads:\n");
    for (int i = 0; i < count; i++) SAY("- {at: s%d@end, force: [0, 0, 1 N]}\n", i);
#undef SAY
    assert_true(used < room);
    double began = processor_time();
    cord_scene *scene = NULL;
    cord_simulation *simulation = NULL;
    assert_int_equal(cord__scene_read_text(text, used, &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    double took = processor_time() - began;
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    free(text);
    return took;
}

/* ---- linear time ------------------------------------------------------------------------------- */

typedef double (*task)(int count);

static double least(task t, int count)
{
    double best = t(count);
    for (int i = 1; i < REPEATS; i++) {
        double own = t(count);
        if (own < best) best = own;
    }
    return best;
}

static void in_proportion(void **state)
{
    task t = *(task *)*state;
    double few = least(t, FEW), many = least(t, TIMES * FEW);
    if (!(many < ALLOWED * TIMES * few)) print_error("%g s, then %g s\n", few, many);
    assert_true(many < ALLOWED * TIMES * few);
}

int main(void)
{
    static task tasks[] = {remove_points, replace_strands, read_scene};
    const struct CMUnitTest tests[] = {
        {"points go", in_proportion, NULL, NULL, tasks},
        {"strands are replaced", in_proportion, NULL, NULL, tasks + 1},
        {"a scene is read", in_proportion, NULL, NULL, tasks + 2},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
