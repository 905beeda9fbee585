#include "scene/yaml_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    arena memory;
    diagnostics errors;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    cord__arena_init(&f->memory, NULL);
    f->errors.memory = &f->memory;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    cord__arena_free(&f->memory);
    assert_int_equal(f->memory.mem.bytes, 0);
    free(f);
    return 0;
}

static node *parse(fixture *f, const char *text)
{
    return cord__yaml_parse(&f->memory, &f->errors, "a.yaml", text, strlen(text), 1);
}

static void keeps_places(void **state)
{
    node *root = parse(*state, "one: 1\nlist:\n  - {x: a b}\n  - [1, 2]\n");
    assert_non_null(root);
    assert_int_equal(root->count, 2);
    node *list = cord__node_get(root, "list");
    assert_int_equal(list->kind, NODE_LIST);
    node *x = cord__node_get(list->items[0], "x");
    assert_string_equal(x->text, "a b");
    assert_int_equal(x->at.line, 3);
    assert_int_equal(x->at.column, 9);
    assert_int_equal(cord__node_key_mark(root, "list").line, 2);
    assert_null(cord__node_get(root, "two"));
}

static void reads_json(void **state)
{
    node *root = parse(*state, "{\"a\": [1, {\"b\": \"c\"}]}");
    assert_non_null(root);
    node *a = cord__node_get(root, "a");
    assert_string_equal(cord__node_get(a->items[1], "b")->text, "c");
}

static void expect_diagnostic(fixture *f, const char *text, const char *message)
{
    int before = f->errors.count;
    node *root = parse(f, text);
    assert_true(f->errors.count > before);
    for (int i = 0; i < f->errors.count; i++) {
        if (strstr(f->errors.list[i].text, message)) return;
    }
    fail_msg("no \"%s\" among the errors (root %p)", message, (void *)root);
}

static void refuses_bad_input(void **state)
{
    expect_diagnostic(*state, "", "empty");
    expect_diagnostic(*state, "a: [1, 2", "a.yaml:2:1: ");
    expect_diagnostic(*state, "a: &x 1\nb: *x\n", "a.yaml:2:4: aliases (*x)");
    expect_diagnostic(*state, "a: 1\na: 2\n", "a.yaml:2:1: \"a\" is given twice");
    expect_diagnostic(*state, "---\na: 1\n---\nb: 2\n", "second document");
    expect_diagnostic(*state, "a: \"x\\0y\"\n", "zero byte");
    expect_diagnostic(*state, "{[1]: 2}", "single word");
}

static void bounds_depth(void **state)
{
    char deep[400];
    memset(deep, '[', 200);
    memset(deep + 200, ']', 200);
    node *root = cord__yaml_parse(&((fixture *)*state)->memory, &((fixture *)*state)->errors,
                                  "a.yaml", deep, sizeof deep, 1);
    assert_null(root);
    assert_non_null(strstr(((fixture *)*state)->errors.list[0].text, "a.yaml:1:65: nested"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_bad_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_depth, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
