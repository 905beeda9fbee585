#include "validation/csv.h"
#include "validation/files.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(FILE *file)
{
    char *text = NULL;
    size_t size = 0, capacity = 0;
    for (;;) {
        if (size + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 4096;
            char *grown = realloc(text, capacity);
            if (grown == NULL) break;
            text = grown;
        }
        size_t got = fread(text + size, 1, capacity - size - 1, file);
        size += got;
        if (got == 0) {
            text[size] = '\0';
            return text;
        }
    }
    free(text);
    return NULL;
}

static int count_of(const char *text, char wanted, char end)
{
    int count = 0;
    for (; *text && *text != end; text++) count += *text == wanted;
    return count;
}

/* Splits the text in place; missing cells are empty, surplus ones are dropped. */
static bool split(csv *t)
{
    t->columns = count_of(t->text, ',', '\n') + 1;
    int lines = count_of(t->text, '\n', '\0') + 1;
    t->cells = malloc((size_t)lines * (size_t)t->columns * sizeof *t->cells);
    if (t->cells == NULL) return false;
    int line = 0;
    char *next = t->text;
    while (*next) {
        char *start = next, *end = start + strcspn(start, "\n");
        next = *end ? end + 1 : end;
        *end = '\0';
        if (end > start && end[-1] == '\r') end[-1] = '\0';
        if (*start == '\0') continue;
        for (int c = 0; c < t->columns; c++) {
            t->cells[line * t->columns + c] = start;
            start += strcspn(start, ",");
            if (*start == ',') *start++ = '\0';
        }
        line++;
    }
    t->rows = line - 1;
    return line > 0;
}

bool csv_open(validation *v, const char *name, csv *table)
{
    *table = (csv){0};
    char path[FILE_PATH];
    FILE *file = file_find("validation/data", name, path) ? fopen(path, "r") : NULL;
    if (file != NULL) {
        table->text = read_all(file);
        fclose(file);
    }
    if (table->text != NULL && split(table)) return true;
    csv_close(table);
    validation_fail(v, name,
                    "the reference data cannot be read; set CORDAGE_HOME to the folder "
                    "that holds validation/data");
    return false;
}

void csv_close(csv *table)
{
    free(table->text);
    free(table->cells);
    *table = (csv){0};
}

int csv_column(const csv *table, const char *name)
{
    for (int c = 0; c < table->columns; c++)
        if (strncmp(table->cells[c], name, strlen(name)) == 0) return c;
    return -1;
}

const char *csv_text(const csv *table, int row, int column)
{
    if (row < 0 || row >= table->rows || column < 0 || column >= table->columns) return "";
    return table->cells[(row + 1) * table->columns + column];
}

double csv_number(const csv *table, int row, int column)
{
    const char *text = csv_text(table, row, column);
    char *end;
    double value = strtod(text, &end);
    return end == text ? NAN : value;
}
