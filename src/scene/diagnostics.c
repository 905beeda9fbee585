#include "scene/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sorts the diagnostics of a file by line and column; files stay in the order in which they were read. */
static bool comes_after(mark a, mark b)
{
    if (strcmp(a.file, b.file) != 0) return false;
    return a.line > b.line || (a.line == b.line && a.column > b.column);
}

static void insert(diagnostics *d, diagnostic item)
{
    int at = d->count++;
    while (at > 0 && comes_after(d->list[at - 1].at, item.at)) {
        d->list[at] = d->list[at - 1];
        at--;
    }
    d->list[at] = item;
}

/* Copies of an array have the same mistakes, except for their indices: one diagnostic is enough. */
static bool was_said(const diagnostics *d, mark at, const char *text)
{
    size_t alike = strlen(text) - strlen(strstr(text, ": ")) + 18; /* the mark, and a few words */
    for (int i = 0; i < d->count; i++) {
        const mark *other = &d->list[i].at;
        if (other->line != at.line || other->column != at.column) continue;
        if (strncmp(d->list[i].text, text, alike) == 0) return true;
    }
    return false;
}

void cord__diagnose(diagnostics *d, mark at, const char *format, ...)
{
    if (d->count == DIAGNOSTICS_MAX) {
        d->dropped++;
        return;
    }
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    const char *text = at.line > 0 ? cord__arena_print(d->memory, "%s:%d:%d: %s", at.file, at.line,
                                                       at.column, message)
                                   : cord__arena_print(d->memory, "%s: %s", at.file, message);
    if (text && !was_said(d, at, text)) insert(d, (diagnostic){at, text});
}
