/* The text of the CSV files, the same whether it is written during a run or from a recording. */
#ifndef CORDAGE_RECORD_CSV_TEXT_H
#define CORDAGE_RECORD_CSV_TEXT_H

#include <stdio.h>

void cord__csv_probe_header(FILE *out, int items, int columns, const char *const *names,
                            const char *const *units);
void cord__csv_row(FILE *out, double time, int count, const double *values);

void cord__csv_frames_header(FILE *out);
void cord__csv_vertices(FILE *out, double time, const char *strand, int count, const double *x);

/* bodies.csv: rows as cord__body_row() makes them. */
void cord__csv_bodies_header(FILE *out);
void cord__csv_body(FILE *out, double time, const char *body, const double *row);

#endif
