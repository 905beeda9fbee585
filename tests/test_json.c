/* The writer is part of the command, not of the library. */
#include "cli/json.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

static void writes_everything(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    json j;
    json_begin(&j, out);
    json_object(&j, NULL);
    json_string(&j, "a\"b", "line\n\x01 \xc3\xa9 \xff \\");
    json_number(&j, "tenth", 0.1);
    json_number(&j, "nan", NAN);
    json_array(&j, "list");
    json_number(&j, NULL, 1.0 / 3);
    json_bool(&j, NULL, true);
    json_object(&j, NULL);
    json_end(&j, '}');
    json_end(&j, ']');
    json_integer(&j, "n", -5);
    json_string(&j, "none", NULL);
    json_end(&j, '}');
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(writes_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
