#include "math/json.h"

#include <math.h>
#include <string.h>

/* Length of the UTF-8 sequence at p, 0 when it is not one (stray, overlong, surrogate, too big). */
static int utf8_length(const unsigned char *p)
{
    if (p[0] < 0x80) return 1;
    int length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4) return 0;
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
    }
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool outside = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return overlong || outside ? 0 : length;
}

static void write_escaped(const json *j, unsigned char c)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = j->style == JSON_LINES ? strchr(plain, c) : NULL;
    if (found) {
        fprintf(j->out, "\\%c", letters[found - plain]);
    } else {
        fprintf(j->out, "\\u%04x", c);
    }
}

/* HTML ends a <script> at "</script", whatever JSON thinks of it. */
static bool is_escaped(const json *j, unsigned char c)
{
    bool markup = j->style == JSON_SCRIPT && (c == '<' || c == '>' || c == '&');
    return c < 0x20 || c == '"' || c == '\\' || c == 0x7f || markup;
}

static void write_text(const json *j, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', j->out);
    while (*p) {
        int length = utf8_length(p);
        if (length == 0) {
            fputs("\\ufffd", j->out);
        } else if (is_escaped(j, *p)) {
            write_escaped(j, *p);
        } else {
            fwrite(p, 1, (size_t)length, j->out);
        }
        p += length > 0 ? length : 1;
    }
    fputc('"', j->out);
}

static bool is_inline(const json *j)
{
    return j->depth > 0 && j->depth <= 64 && j->inline_levels >> (j->depth - 1) & 1;
}

static void new_line(const json *j)
{
    if (j->style == JSON_LINES) fprintf(j->out, "\n%*s", 2 * j->indent, "");
}

/* The text before any value: the comma, the line, the key. */
static void lead(json *j, const char *key)
{
    if (!j->first) fputc(',', j->out);
    if (!is_inline(j) && j->depth > 0) new_line(j);
    if (is_inline(j) && !j->first && j->style == JSON_LINES) fputc(' ', j->out);
    j->first = false;
    if (!key) return;
    write_text(j, key);
    fputs(j->style == JSON_LINES ? ": " : ":", j->out);
}

static void open_with(json *j, const char *key, char bracket, bool on_one_line)
{
    lead(j, key);
    fputc(bracket, j->out);
    uint64_t bit = j->depth < 64 ? (uint64_t)1 << j->depth : 0;
    j->inline_levels = on_one_line ? j->inline_levels | bit : j->inline_levels & ~bit;
    j->depth++;
    if (!is_inline(j)) j->indent++;
    j->first = true;
}

void cord__json_begin(json *j, FILE *out, json_style style)
{
    *j = (json){.out = out, .style = style, .first = true};
}

void cord__json_object(json *j, const char *key)
{
    open_with(j, key, '{', false);
}

void cord__json_array(json *j, const char *key)
{
    open_with(j, key, '[', false);
}

void cord__json_inline_object(json *j, const char *key)
{
    open_with(j, key, '{', true);
}

void cord__json_inline_array(json *j, const char *key)
{
    open_with(j, key, '[', true);
}

void cord__json_end(json *j, char close)
{
    if (!is_inline(j)) {
        j->indent--;
        if (!j->first) new_line(j);
    }
    j->depth--;
    fputc(close, j->out);
    if (j->depth == 0) fputc('\n', j->out);
    j->first = false;
}

void cord__json_string(json *j, const char *key, const char *value)
{
    lead(j, key);
    if (value) {
        write_text(j, value);
    } else {
        fputs("null", j->out);
    }
}

/* The shorter of the two forms that reads back the same: 0.1, not 0.10000000000000001. */
static void write_exact(FILE *out, double value)
{
    char text[32];
    double back = 0;
    snprintf(text, sizeof text, "%.15g", value);
    if (sscanf(text, "%lf", &back) != 1 || back != value) {
        snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, out);
}

void cord__json_number(json *j, const char *key, double value)
{
    lead(j, key);
    if (!isfinite(value)) {
        fputs("null", j->out);
    } else if (j->style == JSON_SCRIPT) {
        fprintf(j->out, "%.9g", value);
    } else {
        write_exact(j->out, value);
    }
}

void cord__json_integer(json *j, const char *key, long long value)
{
    lead(j, key);
    fprintf(j->out, "%lld", value);
}

void cord__json_bool(json *j, const char *key, bool value)
{
    lead(j, key);
    fputs(value ? "true" : "false", j->out);
}

void cord__json_literal(json *j, const char *key, const char *text, size_t length)
{
    lead(j, key);
    fwrite(text, 1, length, j->out);
}

void cord__json_numbers(json *j, const char *key, const double *values, int count)
{
    cord__json_inline_array(j, key);
    for (int i = 0; i < count; i++) cord__json_number(j, NULL, values[i]);
    cord__json_end(j, ']');
}
