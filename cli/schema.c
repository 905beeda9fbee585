#include "cli.h"
#include "scene/schema.h"

#include <stdio.h>

typedef struct schema_options {
    bool markdown;
} schema_options;

static bool take_markdown(void *target, const char *text)
{
    (void)text;
    return ((schema_options *)target)->markdown = true;
}

static const option schema_option_list[] = {
    {"--markdown", NULL, "tables for people instead, as in docs/scene.md", take_markdown},
    {NULL, NULL, NULL, NULL},
};

static int schema(int argc, char **argv)
{
    if (asked_for_help(&schema_command, argc, argv)) return EXIT_GOOD;
    schema_options options = {0};
    int count;
    if (!parse_options(&schema_command, argc, argv, &options, NULL, 0, &count)) return EXIT_USAGE;
    if (options.markdown) {
        cord__schema_reference(stdout);
    } else {
        cord__schema_json(stdout);
    }
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_ENGINE;
}

const command schema_command = {
    "schema",
    "[--markdown]",
    "Prints the scene format as a JSON Schema",
    "Editors complete and check scenes by it: docs/scene.schema.json is its output.",
    schema_option_list,
    schema,
};
