/* Failure of any allocation while a scene is read, built, measured or recorded is an error
 * without other effects: the k-th allocation fails, for every k. Scenes allocate by realloc, worlds
 * by aligned_alloc first; the linker replaces them by the functions below (see CMakeLists.txt). */
#include <cordage/cordage.h>
#include <cordage/record.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

static long calls, fail_at = -1, live;

void *__wrap_realloc(void *p, size_t size)
{
    if (calls++ == fail_at) return NULL;
    void *moved = __real_realloc(p, size);
    live += moved && !p;
    return moved;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (calls++ == fail_at) return NULL;
    void *p = __real_aligned_alloc(alignment, size);
    live += p != NULL;
    return p;
}

void __wrap_free(void *p)
{
    live -= p != NULL;
    __real_free(p);
}

static const char text[] =
    "cordage: 1\n"
    "wind: {velocity: [1, 0, 0], vortices: [{center: [0, 0, 0], circulation: 1, core: 1}]}\n"
    "strands:\n"
    "  - name: rope\n"
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 5}}\n"
    "    natural: {helix: {radius: 10 cm, pitch: 1 cm, turns: 1.59, vertices: 5}}\n"
    "    natural_twist: with-curve\n"
    "    stretch: elastic\n"
    "    perturb: {amplitude: 1 mm}\n"
    "    velocity: [0, 0, 1]\n"
    "    material: nylon\n"
    "    section: {circle: {radius: 5 mm}}\n"
    "  - {name: ring, shape: {ring: {radius: 1, vertices: 5}}, material: steel,\n"
    "     section: {circle: {radius: 5 mm}}, closing_twist: 1 turn}\n"
    "points: [{name: hook, at: [1, 0, 1], orbit: {radius: 1 cm, period: 1 s, turns: 1}}]\n"
    "clamps: [{name: wall, at: rope@start, motion: [{t: 0, by: [0, 0, 0]}]}]\n"
    "constraints: [{name: hold, kind: coincide, first: rope@end, second: hook}]\n"
    "loads: [{at: rope@middle, keys: [{t: 0, force: [0, 0, 1]}]}]\n"
    "probes: [{of: rope@40%, measure: twist}, {of: rope, measure: tension}, {measure: energy},\n"
    "         {name: held, of: wall, measure: residual}]\n"
    "expect: [{probe: rope-tension, over: max, at: 0 s, above: -1e9, regression: of a run}]\n";

static char path[] = "/tmp/cordage-test-XXXXXX", out[64];

/* All operations of the command. */
static cord_status use_scene(void)
{
    static const char *const overrides[] = {"strands.rope.drag=0.1", "run.dt=1 ms", NULL};
    cord_scene *scene = NULL;
    cord_simulation *simulation = NULL;
    cord_recorder *recorder = NULL;
    cord_status status = cord_scene_read(path, overrides, &scene);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    if (status == CORD_OK) {
        status = cord_recorder_open(simulation, out, cord_format_names(), &recorder);
    }
    if (status == CORD_OK) status = cord_recorder_frame(recorder);
    if (status == CORD_OK) status = cord_simulation_observe(simulation, true);
    cord_status closed = cord_recorder_close(recorder);
    if (status == CORD_OK) status = closed;
    if (status == CORD_OK && !cord_simulation_get_expectation(simulation, 0).passed)
        status = CORD_ERROR_INPUT;
    if (status == CORD_ERROR_INPUT && cord_scene_get_error_count(scene) > 0) {
        print_message("%s\n", cord_scene_get_error(scene, 0));
    }
    cord_simulation_destroy(simulation);
    if (scene) cord_scene_free(scene);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    fail_at = -1;
    assert_int_equal(use_scene(), CORD_OK);
    assert_int_equal(live, 0);
    long k = 0;
    for (;; k++) {
        calls = 0;
        fail_at = k;
        cord_status status = use_scene();
        if (calls <= k) break; /* there are no more */
        if (status != CORD_ERROR_MEMORY) {
            fail_msg("allocation %ld: %s", k, cord_status_text(status));
        }
        if (live != 0) fail_msg("allocation %ld: %ld pieces are left", k, live);
    }
    fail_at = -1;
    assert_true(k > 20);
}

/* A scene allocates in blocks: texts of all lengths shift the point at which a block is full. */
static void every_piece_may_fail(void **state)
{
    (void)state;
    for (int length = 1; length < 1024; length += 16) {
        char title[1100] = "title=";
        memset(title + strlen(title), 'x', (size_t)length);
        const char *const overrides[] = {title, NULL};
        for (long k = 0;; k++) {
            calls = 0;
            fail_at = k;
            cord_scene *scene;
            cord_status status = cord_scene_read(path, overrides, &scene);
            cord_scene_free(scene);
            assert_int_equal(live, 0);
            if (calls <= k) break;
            if (status != CORD_ERROR_MEMORY) fail_msg("%s", cord_status_text(status));
        }
    }
    fail_at = -1;
}

static int make_files(void **state)
{
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    snprintf(out, sizeof out, "%s-out", path);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    static const char *const names[] = {"frames.csv",  "rope-40--twist.csv", "rope-tension.csv",
                                        "energy.csv",  "held.csv",           "index.html",
                                        "recording.h5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s/%s", out, names[i]);
        unlink(name);
    }
    unlink(path);
    return rmdir(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(every_piece_may_fail)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
