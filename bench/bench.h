/* Measurements of speed, and the bars they have to meet.
 *
 * A suite is a table of measurements; each is a function that times something and states rows. To
 * add one, write the function in a file of its suite's folder and name it in that suite's table; to
 * add a suite, name its table in suites.c. */
#ifndef CORDAGE_BENCH_H
#define CORDAGE_BENCH_H

#include <cordage/cordage.h>
#include <stdbool.h>

/* cordage bench [SUITE…] [--list] [--only NAME] [--json] [--quick]
 * 0: everything ran, whether or not it met its bar; 1: something could not be measured;
 * 2: the command line is wrong. */
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

/* A value; a value that must not be above its bar. Strings are copied. */
void bench_row(bench *b, const char *name, const char *metric, double value, const char *unit);
void bench_bar(bench *b, const char *name, const char *metric, double value, const char *unit,
               double bar);

/* True when `status` is no error; otherwise the message is printed and the run has failed. */
bool bench_ok(bench *b, const cord_world *world, cord_status status, const char *what);

bool bench_quick(const bench *b);

/* A name made as printf makes it; good until the 16th next call. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
const char *
bench_text(bench *b, const char *format, ...);

/* Seconds on a clock that only goes forward. */
double bench_now(void);

/* Processor time of this thread: what else the machine does does not count. */
double bench_processor_time(void);

#endif
