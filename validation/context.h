/* The state of one validation run, shared by the files of the harness; checks do not see it. */
#ifndef CORDAGE_VALIDATION_CONTEXT_H
#define CORDAGE_VALIDATION_CONTEXT_H

#include "validation/validation.h"
#include <stdio.h>

typedef enum row_side { ROW_WITHIN, ROW_BELOW, ROW_ABOVE } row_side;

typedef struct row {
    char *name, *quantity;
    char *message; /* message of a failure without a value; NULL for a measured row */
    double measured, expected, tolerance;
    row_side side;
    bool passed;
    bool skipped; /* not run; `message` is the reason */
} row;

enum { TEXT_SLOTS = 64, TEXT_SIZE = 160 };

struct validation {
    bool quick, complete;
    bool out_of_memory; /* rows were lost: the run has failed */
    const validation_check *check;
    row *rows;
    int row_count, row_capacity;
    int check_first_row; /* rows of the running check start here */
    FILE *plots;         /* SVG plots of the running check; NULL: no report is requested */
    char texts[TEXT_SLOTS][TEXT_SIZE];
    int next_text;
};

void validation_free(validation *v);
bool validation_passed(const validation *v);

/* print.c: rows first … end−1 as an aligned table; all rows as JSON. */
void print_rows(FILE *out, const validation *v, int first, int end);
void print_json(FILE *out, const validation *v);

/* "≤ ", "≥ " or "": the relation of the expected value. */
const char *row_sign(const row *r);

#endif
