#include "scene/yaml_sections.h"

#include <ctype.h>
#include <string.h>

typedef struct section {
    const char *text;
    size_t size;
    int line;
} section;

static bool begins_section(const char *p, const char *end)
{
    return p < end && (isalnum((unsigned char)*p) || *p == '_' || *p == '"' || *p == '\'');
}

/* The section at `from`, which ends before the next line that begins one. */
static section section_at(const char *from, const char *end, int line)
{
    const char *p = from;
    bool begun = begins_section(p, end);
    for (;;) {
        const char *newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        if (!newline) return (section){from, (size_t)(end - from), line};
        p = newline + 1;
        if (begun && begins_section(p, end)) return (section){from, (size_t)(p - from), line};
        begun = begun || begins_section(p, end); /* comments before the first key belong to it */
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
                           const char *end, bool *complete)
{
    node *root = cord__node_new(a, (mark){file, 1, 1}, NODE_MAP);
    int line = 1;
    for (const char *p = text; root && p < end;) {
        section s = section_at(p, end, line);
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
    const char *end = text + size;
    section first = section_at(text, end, 1);
    bool sections = begins_section(first.text + first.size, end); /* there is a second one */
    if (root || !sections || a->failed) {
        cord__diagnostics_append(d, &whole);
        return root;
    }
    int before = d->count;
    root = read_sections(a, d, file, text, end, complete);
    if (d->count > before || d->count == DIAGNOSTICS_MAX || !root) return root;
    cord__diagnostics_append(d, &whole); /* the error is none of a single section */
    return NULL;
}
