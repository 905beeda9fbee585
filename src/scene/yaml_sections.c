#include "scene/yaml_sections.h"

#include <ctype.h>
#include <string.h>

typedef struct section {
    const char *text;
    size_t size;
    int line;
} section;

static bool begins_section(const char *p)
{
    return isalnum((unsigned char)*p) || *p == '_' || *p == '"' || *p == '\'';
}

/* The section at `from`, which ends before the next line that begins one. The text ends with a zero. */
static section section_at(const char *from, int line)
{
    const char *p = from;
    bool begun = begins_section(p);
    for (;;) {
        const char *newline = strchr(p, '\n');
        if (!newline) return (section){from, strlen(from), line};
        p = newline + 1;
        if (begun && begins_section(p)) return (section){from, (size_t)(p - from), line};
        begun = begun || begins_section(p); /* comments before the first key belong to it */
    }
}

static int count_lines(const section *s)
{
    int count = 0;
    for (size_t i = 0; i < s->size; i++) count += s->text[i] == '\n';
    return count;
}

static bool add_section(arena *a, diagnostics *d, const char *file, const section *s, node *root)
{
    const node *part = cord__yaml_parse(a, d, file, s->text, s->size, s->line);
    if (!part) return false;
    if (part->kind != NODE_MAP) {
        cord__diagnose(d, part->at, "a scene is a mapping (key: value)");
        return false;
    }
    bool good = true;
    for (int i = 0; i < part->count; i++)
        good = cord__node_add_entry(a, d, root, part->keys[i], part->items[i]) && good;
    return good;
}

static node *read_sections(arena *a, diagnostics *d, const char *file, const char *text,
                           bool *complete)
{
    node *root = cord__node_new(a, (mark){file, 1, 1}, NODE_MAP);
    int line = 1;
    for (const char *p = text; root && *p;) {
        section s = section_at(p, line);
        *complete = add_section(a, d, file, &s, root) && *complete;
        line += count_lines(&s);
        p += s.size;
    }
    return root;
}

node *cord__yaml_read(arena *a, diagnostics *d, const char *file, const char *text, size_t size,
                      bool *complete)
{
    *complete = true;
    diagnostics whole = {.memory = a};
    node *root = cord__yaml_parse(a, &whole, file, text, size, 1);
    section first = section_at(text, 1);
    bool sections = begins_section(first.text + first.size); /* there is a second one */
    if (root || !sections || a->failed || memchr(text, 0, size)) {
        cord__diagnostics_append(d, &whole);
        return root;
    }
    int before = d->count;
    root = read_sections(a, d, file, text, complete);
    if (d->count > before || d->count == DIAGNOSTICS_MAX || !root) return root;
    cord__diagnostics_append(d, &whole); /* the error is none of a single section */
    return NULL;
}
