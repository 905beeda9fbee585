#include "math/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static void writes_everything(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json j;
    cord__json_begin(&j, out, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "a\"b", "line\n\x01 \xc3\xa9 \xff \\");
    cord__json_number(&j, "tenth", 0.1);
    cord__json_number(&j, "nan", NAN);
    cord__json_array(&j, "list");
    cord__json_number(&j, NULL, 1.0 / 3);
    cord__json_bool(&j, NULL, true);
    cord__json_object(&j, NULL);
    cord__json_end(&j, '}');
    cord__json_end(&j, ']');
    cord__json_integer(&j, "n", -5);
    cord__json_string(&j, "none", NULL);
    cord__json_end(&j, '}');
    fclose(out);
    assert_string_equal(text, "{\n"
                              "  \"a\\\"b\": \"line\\n\\u0001 \xc3\xa9 \\ufffd \\\\\",\n"
                              "  \"tenth\": 0.1,\n"
                              "  \"nan\": null,\n"
                              "  \"list\": [\n"
                              "    0.33333333333333331,\n"
                              "    true,\n"
                              "    {}\n"
                              "  ],\n"
                              "  \"n\": -5,\n"
                              "  \"none\": null\n"
                              "}\n");
    free(text);
}

static void writes_on_one_line(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json j;
    cord__json_begin(&j, out, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_numbers(&j, "list", (const double[]){1, 0.1}, 2);
    cord__json_inline_array(&j, "mixed");
    cord__json_inline_object(&j, NULL);
    cord__json_literal(&j, NULL, "\"a\": [1]", 8);
    cord__json_bool(&j, "b", false);
    cord__json_end(&j, '}');
    cord__json_object(&j, NULL);
    cord__json_integer(&j, "n", 1);
    cord__json_end(&j, '}');
    cord__json_end(&j, ']');
    cord__json_end(&j, '}');
    fclose(out);
    assert_string_equal(text, "{\n"
                              "  \"list\": [1, 0.1],\n"
                              "  \"mixed\": [{\"a\": [1], \"b\": false}, {\n"
                              "    \"n\": 1\n"
                              "  }]\n"
                              "}\n");
    free(text);
}

/* Inside a <script> no character may begin a tag. */
static void writes_for_scripts(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json j;
    cord__json_begin(&j, out, JSON_SCRIPT);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "title", "</script> & \"\n");
    cord__json_number(&j, "third", 1.0 / 3);
    cord__json_numbers(&j, "list", (const double[]){1, NAN}, 2);
    cord__json_end(&j, '}');
    fclose(out);
    assert_string_equal(text, "{\"title\":\"\\u003c/script\\u003e \\u0026 \\u0022\\u000a\","
                              "\"third\":0.333333333,\"list\":[1,null]}\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(writes_everything),
                                       cmocka_unit_test(writes_on_one_line),
                                       cmocka_unit_test(writes_for_scripts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
