/* The seeds of the fuzzer of the C interface and its earlier findings, and sequences of random calls. `make fuzz`
 * continues from there. */
#include "fuzz/api_fuzzer.c"

#include "support/test.h"

#include <dirent.h>
#include <stdio.h>

enum { LONGEST = 4096 };

static void the_corpus_is_called(void **unused)
{
    (void)unused;
    const char *home = getenv("CORDAGE_HOME");
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/fuzz/api", home ? home : ".");
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int files = 0;
    for (struct dirent *item; (item = readdir(dir));) {
        if (item->d_name[0] == '.') continue;
        uint8_t bytes[LONGEST];
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        FILE *in = fopen(path, "rb");
        assert_non_null(in);
        size_t size = fread(bytes, 1, sizeof bytes, in);
        fclose(in);
        LLVMFuzzerTestOneInput(bytes, size);
        files++;
    }
    closedir(dir);
    assert_true(files >= 10);
}

/* The same ones every time: a linear congruential generator. */
static void random_calls(void **unused)
{
    (void)unused;
    uint32_t state = 1;
    for (int run = 0; run < 60; run++) {
        uint8_t bytes[LONGEST / 2];
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525u + 1013904223u;
            uint32_t value = state >> 24;
            /* Most values are ordinary ones. */
            bytes[i] = (uint8_t)(value >= 230 && state >> 16 & 3 ? value - 128 : value);
        }
        LLVMFuzzerTestOneInput(bytes, sizeof bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_is_called),
        cmocka_unit_test(random_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
