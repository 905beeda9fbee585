/* Speed measurements and their limits ("bars").
 *
 * A suite is a table of measurements; each is a function that times a computation and adds rows. A
 * new measurement is a function in a file of its suite's folder, named in the table of the suite; a
 * new suite is a table named in suites.c. */
#ifndef CORDAGE_BENCH_H
#define CORDAGE_BENCH_H

#include <cordage/cordage.h>
#include <stdbool.h>

/* cordage bench [SUITE…] [options]; see cli/bench.c. 0: every measurement ran, within
 * its limit or not; 1: a measurement failed; 64: wrong command line. */
int cordage_bench(int argc, char **argv);

typedef struct bench bench;

typedef struct bench_measurement {
    const char *name, *about;
    void (*run)(bench *b);
} bench_measurement;

typedef struct bench_suite {
    const char *name, *about;
    const bench_measurement *measurements; /* ends with a null name */
} bench_suite;

extern const bench_suite *const bench_suites[]; /* ends with NULL */

/* A measured value, without a limit, with an upper or with a lower one. The bar of a time holds on the reference
 * processor; here it is scaled by the calibration loop (calibration.h) of the same minute. Strings are copied. */
void bench_row(bench *b, const char *name, const char *metric, double value, const char *unit);
void bench_bar(bench *b, const char *name, const char *metric, double value, const char *unit,
               double bar);
void bench_least(bench *b, const char *name, const char *metric, double value, const char *unit,
                 double bar);

/* A point of a curve in the report, and its row: ns per element and step with this many elements. */
void bench_point(bench *b, const char *curve, int elements, double cost);

/* A line of text; the same as the reason of a failure. */
void bench_note(bench *b, const char *text);
void bench_fail(bench *b, const char *reason);

/* The folder given by --pyelastica, or NULL. */
const char *bench_pyelastica_folder(const bench *b);

/* True when `status` is no error; otherwise prints the message and marks the run as failed. */
bool bench_ok(bench *b, const cord_world *world, cord_status status, const char *subject);

bool bench_quick(const bench *b);

/* Formats a name as printf does; valid until the 16th next call. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
const char *
bench_text(bench *b, const char *format, ...);

/* Seconds of a monotonic clock. */
double bench_now(void);

/* Processor time of this thread in seconds, unaffected by other load of the machine. */
double bench_processor_time(void);

#endif
