/* The report: one self-contained HTML page. */
#ifndef CORDAGE_VALIDATION_REPORT_H
#define CORDAGE_VALIDATION_REPORT_H

#include "validation/context.h"

typedef struct report {
    FILE *out; /* NULL: no report */
    char *plots;
    size_t plots_size;
} report;

/* Creates DIR and its parents and opens DIR/index.html. On failure false, with a message on stderr. */
bool report_open(report *r, const char *directory);
/* Around each check: collect its plots, then write its section. */
void report_check_begin(report *r, validation *v);
void report_check_end(report *r, validation *v, const char *suite, double seconds);
/* False when the page could not be written completely. */
bool report_close(report *r, const validation *v);

#endif
