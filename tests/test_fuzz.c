/* Short runs of the fuzzers, which make fuzz runs for longer: every file of their corpora, and a fixed number of mutants of
 * each, with the same pseudorandom changes in every run. */
#include "fuzz/targets.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <string.h>

enum { MAX_BYTES = 1 << 14, MAX_CHANGES = 4 };

static uint32_t next_random(uint32_t *seed) /* xorshift */
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    return *seed ^= *seed << 5;
}

/* Numbers, words and signs that matter in scenes and drawings. */
static const char *const words[] = {"0",    "-1", "1e300", "1e-300", "4e-323", "nan",  "$i",
                                    "@",    "[",  "}",     "1e9",    "~",      " mm",  " s",
                                    " rad", "\n", "- ",    ":",      "M",      "l 1 2"};

static size_t replace(char *text, size_t size, size_t at, size_t length, const char *by)
{
    size_t n = strlen(by);
    if (at + length > size || size - length + n > MAX_BYTES) return size;
    memmove(text + at + n, text + at + length, size - at - length);
    memcpy(text + at, by, n);
    return size - length + n;
}

static size_t mutate(char *text, size_t size, uint32_t *seed)
{
    int changes = 1 + (int)(next_random(seed) % MAX_CHANGES);
    for (int i = 0; i < changes && size > 1; i++) {
        size_t at = 1 + next_random(seed) % (size - 1), length = next_random(seed) % 6;
        switch (next_random(seed) % 4) {
        case 0: text[at] = (char)next_random(seed); break;
        case 1: size = replace(text, size, at, length, ""); break;
        case 2: size = replace(text, size, at, 0, words[next_random(seed) % 20]); break;
        default: size = replace(text, size, at, length, words[next_random(seed) % 20]); break;
        }
    }
    return size;
}

static void run_file(const char *path, int mutants, int (*target)(const uint8_t *, size_t))
{
    static char text[MAX_BYTES], mutant[MAX_BYTES];
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t size = fread(text, 1, sizeof text, in);
    fclose(in);
    target((const uint8_t *)text, size);
    uint32_t seed = 2463534242u;
    for (int i = 0; i < mutants; i++) {
        memcpy(mutant, text, size);
        size_t changed = mutate(mutant, size, &seed);
        target((const uint8_t *)mutant, changed);
    }
}

static void run_corpus(const char *name, int mutants, int least,
                       int (*target)(const uint8_t *, size_t))
{
    const char *home = getenv("CORDAGE_HOME");
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/fuzz/corpus/%s", home ? home : ".", name);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int files = 0;
    for (struct dirent *item; (item = readdir(dir)); files++) {
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        if (item->d_name[0] != '.') run_file(path, mutants, target);
    }
    closedir(dir);
    assert_true(files >= least);
}

static void scenes(void **unused)
{
    (void)unused;
    run_corpus("scene", 20, 20, fuzz_scene);
}

static void shapes(void **unused)
{
    (void)unused;
    run_corpus("shape", 500, 5, fuzz_shape);
}

static void steps(void **unused)
{
    (void)unused;
    run_corpus("step", 60, 10, fuzz_step);
}

static void sessions(void **unused)
{
    (void)unused;
    run_corpus("live", 60, 8, fuzz_live);
}

/* Most scenes of the corpus of steps are valid, and are advanced. */
static void steps_are_taken(void **unused)
{
    (void)unused;
    static const char text[] = "cordage: 1\nrun: {dt: 1 ms}\nbodies: [{name: ball, mass: 1 kg, "
                               "shape: {sphere: {radius: 1 cm}}}]\n";
    cord_scene *scene;
    cord_simulation *sim;
    assert_int_equal(open_scene((const uint8_t *)text, strlen(text), &scene, &sim), CORD_OK);
    advance(sim);
    assert_true(cord_world_get_time(cord_simulation_get_world(sim)) > 2.9e-3);
    close_scene(scene, sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions), cmocka_unit_test(scenes),          cmocka_unit_test(shapes),
        cmocka_unit_test(steps),    cmocka_unit_test(steps_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
