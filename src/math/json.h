/* A JSON writer: no tree, only calls in the order of the text.
 *
 *     json j;
 *     cord__json_begin(&j, stdout, JSON_LINES);
 *     cord__json_object(&j, NULL);
 *     cord__json_number(&j, "time", 0.5);
 *     cord__json_array(&j, "list");
 *     cord__json_number(&j, NULL, 1);
 *     cord__json_end(&j, ']');
 *     cord__json_end(&j, '}');
 *
 * `key` is NULL inside arrays and at the top. JSON has no NaN and no infinities: they become null.
 * Invalid UTF-8 is replaced by U+FFFD. */
#ifndef CORDAGE_MATH_JSON_H
#define CORDAGE_MATH_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum json_style {
    JSON_LINES,  /* a value per line, indented; numbers read back to the same bits */
    JSON_SCRIPT, /* no white space; nine digits; safe inside a <script> of HTML */
} json_style;

typedef struct json {
    FILE *out;
    json_style style;
    int depth, indent;
    uint64_t inline_levels; /* bit d: the array or object at depth d + 1 is on one line */
    bool first;             /* nothing written yet in the innermost object or array */
} json;

void cord__json_begin(json *j, FILE *out, json_style style);

void cord__json_object(json *j, const char *key);
void cord__json_array(json *j, const char *key);
/* The same, whose members follow each other on one line; arrays and objects in them choose for themselves. */
void cord__json_inline_object(json *j, const char *key);
void cord__json_inline_array(json *j, const char *key);
void cord__json_end(json *j, char close); /* '}' or ']'; a newline follows the outermost */

void cord__json_string(json *j, const char *key, const char *value); /* NULL: null */
void cord__json_number(json *j, const char *key, double value);
void cord__json_integer(json *j, const char *key, long long value);
void cord__json_bool(json *j, const char *key, bool value);
/* `length` characters that are JSON already: a value, or without a key members of an object. */
void cord__json_literal(json *j, const char *key, const char *text, size_t length);

/* An inline array of numbers. */
void cord__json_numbers(json *j, const char *key, const double *values, int count);

#endif
