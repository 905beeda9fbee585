/* Other simulators on the common test rod. Each is a script beside this file, run by python3 (or $PYTHON) with the folder of a
 * checkout; both sides give processor time, in the same minute. */
#include "bench/peers/peers.h"
#include "bench/der/der.h"
#include "validation/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int sizes[] = {50, 200, 1000};

/* Appends ` 'text'` for the shell; false when it does not fit. */
static bool append_quoted(char *line, size_t size, const char *text)
{
    size_t at = strlen(line);
    if (at + 3 >= size) return false;
    line[at++] = ' ', line[at++] = '\'';
    for (; *text; text++) {
        const char *as = *text == '\'' ? "'\\''" : (char[2]){*text, '\0'};
        size_t length = strlen(as);
        if (at + length + 2 >= size) return false;
        memcpy(line + at, as, length);
        at += length;
    }
    line[at++] = '\'', line[at] = '\0';
    return true;
}

/* The first three numbers that `python3 SCRIPT CHECKOUT EDGES` prints: seconds, step, change of the tip. */
static bool ask(const char *script, const char *checkout, int edges, double answer[3])
{
    char line[3 * FILE_PATH] = "${PYTHON:-python3}", count[16];
    snprintf(count, sizeof count, "%d", edges);
    if (!append_quoted(line, sizeof line, script) || !append_quoted(line, sizeof line, checkout) ||
        !append_quoted(line, sizeof line, count))
        return false;
    fflush(stdout);
    FILE *out = popen(line, "r");
    if (!out) return false;
    bool got = fscanf(out, "%lf %lf %lf", &answer[0], &answer[1], &answer[2]) == 3;
    return pclose(out) == 0 && got;
}

static bool compare(bench *b, const char *script, const char *checkout, int edges)
{
    double theirs[3], ours;
    const char *name = bench_text(b, "common rod, n = %d", edges);
    if (!ask(script, checkout, edges, theirs)) {
        bench_fail(b, bench_text(b,
                                 "PyElastica in \"%s\" did not run; python3 (or $PYTHON) needs "
                                 "numpy, numba, scipy, tqdm and typing_extensions, and its own "
                                 "message is above",
                                 checkout));
        return false;
    }
    if (!common_rod_seconds(b, edges, &ours)) return false;
    bench_row(b, name, "PyElastica, longest step within 5 mm", 1e3 * theirs[1], "ms");
    bench_row(b, name, "PyElastica, time for one second", theirs[0], "s");
    bench_row(b, name, "Cordage, time for one second", ours, "s");
    bench_least(b, name, "PyElastica over Cordage", theirs[0] / ours, "", 20);
    return true;
}

static void bench_pyelastica(bench *b)
{
    char script[FILE_PATH];
    const char *checkout = bench_pyelastica_folder(b);
    if (!checkout) {
        bench_note(b, "not measured: --pyelastica DIR names a checkout of PyElastica");
        return;
    }
    if (!file_find("bench/peers", "pyelastica_rod.py", script)) {
        bench_fail(b, "bench/peers/pyelastica_rod.py is not there; set CORDAGE_HOME to the folder "
                      "that has it");
        return;
    }
    int count = bench_quick(b) ? 2 : 3; /* the longest rod takes minutes */
    bool ok = true;
    for (int i = 0; ok && i < count; i++) ok = compare(b, script, checkout, sizes[i]);
}

static const bench_measurement measurements[] = {
    {"pyelastica", "PyElastica on the common test rod, from --pyelastica DIR", bench_pyelastica},
    {0},
};

const bench_suite bench_peers = {"peers", "other simulators on the same problems", measurements};
