#include "json.h"

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

static void write_escaped(FILE *out, unsigned char c)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = strchr(plain, c);
    if (found && c) {
        fprintf(out, "\\%c", letters[found - plain]);
    } else {
        fprintf(out, "\\u%04x", c);
    }
}

static void write_text(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', out);
    while (*p) {
        int length = utf8_length(p);
        if (length == 0) {
            fputs("\\ufffd", out);
            p++;
        } else if (length == 1) {
            if (*p < 0x20 || *p == '"' || *p == '\\' || *p == 0x7f) {
                write_escaped(out, *p);
            } else {
                fputc(*p, out);
            }
            p++;
        } else {
            fwrite(p, 1, (size_t)length, out);
            p += length;
        }
    }
    fputc('"', out);
}

static void new_line(json *j)
{
    fprintf(j->out, "\n%*s", 2 * j->depth, "");
}

/* Writes the comma, the line break and the key before a value. */
static void lead(json *j, const char *key)
{
    if (!j->first) fputc(',', j->out);
    if (j->depth > 0) new_line(j);
    j->first = false;
    if (key) {
        write_text(j->out, key);
        fputs(": ", j->out);
    }
}

static void open_with(json *j, const char *key, char bracket)
{
    lead(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->first = true;
}

void json_begin(json *j, FILE *out)
{
    *j = (json){out, 0, true};
}

void json_object(json *j, const char *key)
{
    open_with(j, key, '{');
}

void json_array(json *j, const char *key)
{
    open_with(j, key, '[');
}

void json_end(json *j, char close)
{
    j->depth--;
    if (!j->first) new_line(j);
    fputc(close, j->out);
    if (j->depth == 0) fputc('\n', j->out);
    j->first = false;
}

void json_string(json *j, const char *key, const char *value)
{
    lead(j, key);
    if (value) {
        write_text(j->out, value);
    } else {
        fputs("null", j->out);
    }
}

/* The shorter of two forms that reads back to the same bits: 0.1, not 0.10000000000000001. */
void json_number(json *j, const char *key, double value)
{
    lead(j, key);
    if (!isfinite(value)) {
        fputs("null", j->out);
        return;
    }
    char text[32];
    double back = 0;
    snprintf(text, sizeof text, "%.15g", value);
    if (sscanf(text, "%lf", &back) != 1 || back != value) {
        snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, j->out);
}

void json_integer(json *j, const char *key, long long value)
{
    lead(j, key);
    fprintf(j->out, "%lld", value);
}

void json_bool(json *j, const char *key, bool value)
{
    lead(j, key);
    fputs(value ? "true" : "false", j->out);
}
