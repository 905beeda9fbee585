/* Reference data: small tables of comma-separated values with a line of column names. */
#ifndef CORDAGE_VALIDATION_CSV_H
#define CORDAGE_VALIDATION_CSV_H

#include "validation/validation.h"

typedef struct csv {
    char *text;   /* the file, split into cells */
    char **cells; /* (rows + 1) × columns; the first row holds the names */
    int rows, columns;
} csv;

/* Opens validation/data/NAME under $CORDAGE_HOME, the installation, or the source tree. False, with
 * a failed row, when it cannot be read. */
bool csv_open(validation *v, const char *name, csv *table);
void csv_close(csv *table);

/* The index of the column whose name starts with `name`; −1: none. */
int csv_column(const csv *table, const char *name);
const char *csv_text(const csv *table, int row, int column); /* "" where there is no such cell */
double csv_number(const csv *table, int row, int column);    /* NAN where there is no number */

#endif
