#include "cli.h"
#include "math/nearest.h"

#include <cordage/scene.h>
#include <stdio.h>
#include <string.h>

enum { MAX_OPTIONS = 32 };

static const option *find_option(const command *c, const char *name, size_t length)
{
    for (const option *o = c->options; o && o->name; o++) {
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    }
    return NULL;
}

static bool unknown_option(const command *c, const char *text)
{
    const char *names[MAX_OPTIONS + 1] = {NULL};
    int count = 0;
    for (const option *o = c->options; o && o->name && count < MAX_OPTIONS; o++) {
        names[count++] = o->name;
    }
    const char *near = cord__nearest_name(text, names);
    fprintf(stderr, "cordage %s: there is no option %s", c->name, text);
    if (near) fprintf(stderr, " (did you mean %s?)", near);
    fprintf(stderr, "\nSee: cordage help %s\n", c->name);
    return false;
}

/* "--out DIR" and "--out=DIR". */
static bool take_option(const command *c, int argc, char **argv, int *i, void *target)
{
    const char *text = argv[*i], *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const option *o = find_option(c, text, length);
    if (!o) return unknown_option(c, text);
    const char *value = equals ? equals + 1 : NULL;
    if (!o->value && value) {
        fprintf(stderr, "cordage %s: %s takes no value\n", c->name, o->name);
        return false;
    }
    if (o->value && !value) value = *i + 1 < argc ? argv[++*i] : NULL;
    if (o->value && !value) {
        fprintf(stderr, "cordage %s: %s needs a value, %s: %s\n", c->name, o->name, o->value,
                o->about);
        return false;
    }
    if (o->take(target, value)) return true;
    fprintf(stderr, "cordage %s: %s cannot be \"%s\"; it is %s: %s\n", c->name, o->name,
            value ? value : "", o->value ? o->value : "a switch", o->about);
    return false;
}

bool parse_options(const command *c, int argc, char **argv, void *target, const char **words,
                   int max_words, int *word_count)
{
    *word_count = 0;
    for (int i = 1; i < argc; i++) {
        bool is_option = argv[i][0] == '-' && argv[i][1] != 0;
        if (is_option) {
            if (!take_option(c, argc, argv, &i, target)) return false;
        } else if (*word_count == max_words) {
            fprintf(stderr, "cordage %s: \"%s\" is one argument too many\nUsage: cordage %s %s\n",
                    c->name, argv[i], c->name, c->usage);
            return false;
        } else {
            words[(*word_count)++] = argv[i];
        }
    }
    return true;
}

void print_help(const command *c)
{
    printf("Usage: cordage %s %s\n\n%s\n", c->name, c->usage, c->about);
    if (c->help) printf("\n%s\n", c->help);
    if (!c->options || !c->options->name) return;
    printf("\nOptions:\n");
    for (const option *o = c->options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("  %-20s %s\n", left, o->about);
    }
}

bool asked_for_help(const command *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        print_help(c);
        return true;
    }
    return false;
}
