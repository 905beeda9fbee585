/* The report of benchmarks: one self-contained HTML page with rows and curves. */
#ifndef CORDAGE_BENCH_REPORT_H
#define CORDAGE_BENCH_REPORT_H

#include <stdbool.h>

typedef struct row {
    char *name, *metric, *unit;
    double value, bar; /* the bar on the reference processor */
    double limit;      /* the bar here: of times scaled by the calibration */
    bool has_bar;
    bool at_least; /* the bar is a lower one */
} row;

/* A point of a curve: cost per element and step, ns on the reference processor, over the number of elements. */
typedef struct curve_point {
    char *curve;
    double elements, cost;
} curve_point;

typedef struct bench_results {
    int row_count, point_count;
    const row *rows;
    const curve_point *points;
    double pace;
} bench_results;

bool bench_met(const row *r);

/* Writes DIRECTORY/index.html; false with a message on stderr when that fails. */
bool bench_write_report(const char *directory, const bench_results *results);

#endif
