/* Rows: storage of the results of checks. */
#include "validation/context.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static row *add_row(validation *v, const char *name, const char *quantity)
{
    if (v->row_count == v->row_capacity) {
        int capacity = v->row_capacity ? 2 * v->row_capacity : 64;
        row *rows = realloc(v->rows, (size_t)capacity * sizeof *rows);
        if (rows == NULL) {
            v->out_of_memory = true;
            return NULL;
        }
        v->rows = rows;
        v->row_capacity = capacity;
    }
    row *r = &v->rows[v->row_count];
    *r = (row){.name = strdup(name), .quantity = strdup(quantity)};
    if (r->name == NULL || r->quantity == NULL) {
        free(r->name);
        free(r->quantity);
        v->out_of_memory = true;
        return NULL;
    }
    v->row_count++;
    return r;
}

/* Beyond this, in any unit of any row, a bound is no statement. */
static const double LARGEST_BOUND = 1e7;

/* A row that cannot fail is a defect of its check, and fails. `excess` is the bound on the side that admits
 * measurements: a tolerance, an upper bound, or the negative of a lower one. */
static void judge(validation *v, row *r, double excess, bool passed)
{
    r->passed = passed && isfinite(r->measured);
    if (isfinite(r->expected) && excess <= LARGEST_BOUND) return;
    r->passed = false;
    r->message = strdup("the bound of this row is not finite, or too large for the row to fail");
    v->out_of_memory = v->out_of_memory || r->message == NULL;
}

void validation_row(validation *v, const char *name, const char *quantity, double measured,
                    double expected, double tolerance)
{
    row *r = add_row(v, name, quantity);
    if (r == NULL) return;
    r->measured = measured, r->expected = expected, r->tolerance = tolerance;
    r->side = ROW_WITHIN;
    judge(v, r, tolerance, fabs(measured - expected) <= tolerance);
}

void validation_row_below(validation *v, const char *name, const char *quantity, double measured,
                          double bound)
{
    row *r = add_row(v, name, quantity);
    if (r == NULL) return;
    r->measured = measured, r->expected = bound;
    r->side = ROW_BELOW;
    judge(v, r, bound, measured <= bound);
}

void validation_row_above(validation *v, const char *name, const char *quantity, double measured,
                          double bound)
{
    row *r = add_row(v, name, quantity);
    if (r == NULL) return;
    r->measured = measured, r->expected = bound;
    r->side = ROW_ABOVE;
    judge(v, r, -bound, measured >= bound);
}

void validation_fail(validation *v, const char *name, const char *why)
{
    row *r = add_row(v, name, "failure");
    if (r == NULL) return;
    r->measured = NAN, r->expected = NAN, r->tolerance = NAN;
    r->message = strdup(why);
    if (r->message == NULL) v->out_of_memory = true;
}

void validation_skip(validation *v, const char *name, const char *why)
{
    validation_fail(v, name, why);
    if (v->out_of_memory) return;
    row *r = &v->rows[v->row_count - 1];
    free(r->quantity);
    r->quantity = strdup("not run");
    r->skipped = true;
    if (r->quantity == NULL) v->out_of_memory = true;
}

bool validation_ok(validation *v, const cord_world *world, cord_status status, const char *what)
{
    if (status == CORD_OK) return true;
    const char *message = world ? cord_world_get_error(world) : "";
    if (message[0] == '\0') message = cord_status_text(status);
    char why[512];
    snprintf(why, sizeof why, "%s: %s", what, message);
    validation_fail(v, v->check ? v->check->name : "validate", why);
    return false;
}

void validation_plot(validation *v, const plot *p)
{
    if (v->plots != NULL) plot_svg(v->plots, p);
}

bool validation_quick(const validation *v)
{
    return v->quick;
}

bool validation_complete(const validation *v)
{
    return v->complete;
}

const char *validation_text(validation *v, const char *format, ...)
{
    char *text = v->texts[v->next_text];
    v->next_text = (v->next_text + 1) % TEXT_SLOTS;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TEXT_SIZE, format, arguments);
    va_end(arguments);
    return text;
}

bool validation_passed(const validation *v)
{
    if (v->out_of_memory) return false;
    for (int i = 0; i < v->row_count; i++)
        if (!v->rows[i].passed && !v->rows[i].skipped) return false;
    return true;
}

void validation_free(validation *v)
{
    for (int i = 0; i < v->row_count; i++) {
        free(v->rows[i].name);
        free(v->rows[i].quantity);
        free(v->rows[i].message);
    }
    free(v->rows);
    v->rows = NULL;
    v->row_count = v->row_capacity = 0;
}
