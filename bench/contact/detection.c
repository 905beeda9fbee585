/* Detection against the number of segments: rods at random in a box whose size keeps their density. */
#include "bench/contact/contact.h"
#include "contact/broad_phase.h"
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>

static const double EDGE = 0.01, RADIUS = 0.001, MARGIN = 0.0003;

static double random_part(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

static void scatter(int count, contact_segment *g, contact_curve *curve)
{
    const double side = 1.5 * EDGE * cbrt(count);
    unsigned seed = 1;
    for (int i = 0; i < count; i++) {
        double z = 2 * random_part(&seed) - 1, angle = 6.283185307 * random_part(&seed);
        const double t[3] = {sqrt(1 - z * z) * cos(angle), sqrt(1 - z * z) * sin(angle), z};
        g[i] = (contact_segment){
            .s = {0, EDGE}, .radius = RADIUS, .block = i, .before = -1, .after = -1};
        for (int k = 0; k < 3; k++) {
            g[i].x[0][k] = side * random_part(&seed);
            g[i].x[1][k] = g[i].x[0][k] + EDGE * t[k];
        }
        curve[i] = (contact_curve){.first = i, .group = 1, .mask = 1};
    }
}

/* Contacts of all candidates. */
static int count_contacts(const contact_curve *curve, const contact_segment *g,
                          const broad_phase *broad)
{
    contact found[PAIR_CONTACTS];
    int count = 0;
    for (int i = 0; i < broad->candidate_count; i++) {
        PREFETCH_CANDIDATE(broad, i, g);
        PREFETCH_CANDIDATE(broad, i, curve);
        count += cord__pair_contacts(curve, g, broad->candidates[i], MARGIN, found);
    }
    return count;
}

/* Seconds of one detection; below 0: out of memory. */
static double time_detection(int count, int *contacts)
{
    memory m;
    broad_phase broad = {0};
    cord__memory_init(&m, NULL);
    contact_segment *g = calloc((size_t)count, sizeof *g);
    contact_curve *curve = calloc((size_t)count, sizeof *curve);
    segment_box *box = calloc((size_t)count, sizeof *box);
    double best = INFINITY;
    cord_status status = cord__broad_phase_reserve(&m, &broad, count, 8 * count + 16);
    if (!g || !curve || !box) status = CORD_ERROR_MEMORY;
    if (status == CORD_OK) scatter(count, g, curve);
    for (int i = 0; i < 3 && status == CORD_OK; i++) {
        double began = bench_processor_time();
        for (int j = 0; j < count; j++) cord__segment_box(g + j, 0.5 * MARGIN, box + j);
        status = cord__broad_phase(curve, g, box, count, &broad);
        *contacts = status == CORD_OK ? count_contacts(curve, g, &broad) : 0;
        best = fmin(best, bench_processor_time() - began);
    }
    cord__broad_phase_release(&m, &broad);
    free(g);
    free(curve);
    free(box);
    return status == CORD_OK ? best : -1;
}

void bench_contact_detection(bench *b)
{
    const int most = bench_quick(b) ? 100000 : 1000000;
    double first = 0, last = 0;
    for (int count = 1000; count <= most; count *= 10) {
        int contacts;
        double seconds = time_detection(count, &contacts);
        if (seconds < 0) return;
        const char *name = bench_text(b, "%d segments", count);
        bench_row(b, name, "per segment", 1e6 * seconds / count, "us");
        bench_row(b, name, "contacts", contacts, "");
        if (count == 10000) first = seconds;
        last = seconds;
    }
    if (first > 0 && most > 10000)
        bench_bar(b, "detection", "exponent from 10,000 segments on",
                  log(last / first) / log(most / 1e4), "", 1.1);
}
