/* Rows as an aligned table and as JSON. */
#include "math/json.h"
#include "validation/context.h"
#include <math.h>
#include <string.h>

const char *row_sign(const row *r)
{
    return r->side == ROW_BELOW ? "≤ " : r->side == ROW_ABOVE ? "≥ " : "";
}

/* Characters, not bytes: names may contain Greek letters. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80) width++;
    return width;
}

static void put_padded(FILE *out, const char *text, int width)
{
    fputs(text, out);
    for (int i = width_of(text); i < width; i++) fputc(' ', out);
}

static int widest(const validation *v, int first, int end, size_t field)
{
    int width = 0;
    for (int i = first; i < end; i++) {
        const char *text = *(char *const *)((const char *)&v->rows[i] + field);
        int w = width_of(text);
        if (w > width) width = w;
    }
    return width;
}

static void print_numbers(FILE *out, const row *r)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%s%.7g", row_sign(r), r->expected);
    fprintf(out, "%14.7g  ", r->measured);
    put_padded(out, expected, 16);
    if (r->side == ROW_WITHIN) fprintf(out, "± %.2g", r->tolerance);
}

void print_rows(FILE *out, const validation *v, int first, int end)
{
    int name_width = widest(v, first, end, offsetof(row, name));
    int quantity_width = widest(v, first, end, offsetof(row, quantity));
    for (int i = first; i < end; i++) {
        const row *r = &v->rows[i];
        fputs(r->passed ? "  ok    " : r->skipped ? "  --    " : "  FAIL  ", out);
        put_padded(out, r->name, name_width + 2);
        put_padded(out, r->quantity, quantity_width);
        if (r->message != NULL)
            fprintf(out, "  %s", r->message);
        else
            print_numbers(out, r);
        fputc('\n', out);
    }
}

static void print_json_row(json *j, const row *r)
{
    static const char *const sides[] = {"within", "at most", "at least"};
    cord__json_object(j, NULL);
    cord__json_string(j, "name", r->name);
    cord__json_string(j, "quantity", r->quantity);
    cord__json_number(j, "measured", r->measured);
    cord__json_number(j, "expected", r->expected);
    cord__json_number(j, "tolerance", r->tolerance);
    cord__json_bool(j, "passed", r->passed);
    if (r->skipped) cord__json_bool(j, "skipped", true);
    cord__json_string(j, "side", sides[r->side]);
    if (r->message != NULL) cord__json_string(j, "message", r->message);
    cord__json_end(j, '}');
}

void print_json(FILE *out, const validation *v)
{
    json j;
    cord__json_begin(&j, out, JSON_LINES);
    cord__json_array(&j, NULL);
    for (int i = 0; i < v->row_count; i++) print_json_row(&j, &v->rows[i]);
    cord__json_end(&j, ']');
}
