/* A JSON writer without a document tree: calls are in the order of the text.
 *
 *     json j;
 *     json_begin(&j, stdout);
 *     json_object(&j, NULL);
 *     json_number(&j, "time", 0.5);
 *     json_array(&j, "list");
 *     json_number(&j, NULL, 1);
 *     json_end(&j, ']');
 *     json_end(&j, '}');
 *
 * `key` is NULL inside arrays and at the top. Numbers are written so that they read back to the
 * same bits; values without a JSON form (NaN, infinities) become null. Invalid UTF-8 is replaced. */
#ifndef CORDAGE_CLI_JSON_H
#define CORDAGE_CLI_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    int depth;
    bool first; /* nothing written yet in the innermost object or array */
} json;

void json_begin(json *j, FILE *out);

void json_object(json *j, const char *key);
void json_array(json *j, const char *key);
void json_end(json *j, char close); /* '}' or ']'; a newline follows the outermost */

void json_string(json *j, const char *key, const char *value); /* NULL: null */
void json_number(json *j, const char *key, double value);
void json_integer(json *j, const char *key, long long value);
void json_bool(json *j, const char *key, bool value);

#endif
