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

/* ---- copies of an array ------------------------------------------------------------------- */

/* The index at the start of a message, "[3][0]" of "hair[3][0]: the shape ...": its position and its length, which is
 * 0 if the message does not begin with the name of a copy. */
static size_t index_of(const char *message, size_t *at)
{
    *at = strcspn(message, " :[");
    const char *p = message + *at;
    while (*p == '[') {
        size_t digits = strspn(p + 1, "0123456789");
        if (digits == 0 || p[1 + digits] != ']') break;
        p += digits + 2;
    }
    return (size_t)(p - message) - *at;
}

/* Whether two messages have the same first words, except for the index of a copy. */
static bool are_alike(const char *a, const char *b)
{
    enum { WORDS = 16 };
    size_t i, j, m = index_of(a, &i), n = index_of(b, &j);
    if (m == 0 || n == 0) return strncmp(a, b, WORDS) == 0;
    return i == j && strncmp(a, b, i) == 0 && strncmp(a + i + m, b + j + n, WORDS) == 0;
}

/* "hair[0]: ..." and the last copy "hair[49]: ..." become "hair[0..49]: ...", or with two indices
 * "hair[0][0]..[4][9]: ...". */
static void extend(diagnostic *first, const char *last)
{
    size_t i, j, m = index_of(first->message, &i), n = index_of(last, &j);
    if (m == 0 || n == 0 || (m == n && strncmp(first->message + i, last + j, m) == 0)) return;
    size_t inner = memchr(last + j + 1, '[', n - 1) ? 0 : 1;
    snprintf(first->text + first->start + i, first->room - first->start - i, "%.*s..%.*s%s",
             (int)(m - inner), first->message + i, (int)(n - inner), last + j + inner,
             first->message + i + m);
}

/* Copies of an array have the same mistakes, except for their indices: one diagnostic is enough. */
static diagnostic *find_alike(diagnostics *d, mark at, const char *message)
{
    for (int i = 0; i < d->count; i++) {
        diagnostic *other = &d->list[i];
        if (other->at.line != at.line || other->at.column != at.column) continue;
        if (strcmp(other->at.file, at.file) == 0 && are_alike(other->message, message))
            return other;
    }
    return NULL;
}

/* ---- adding ------------------------------------------------------------------------------- */

static void add(diagnostics *d, mark at, const char *message)
{
    enum { INDEX_ROOM = 48 };
    diagnostic *alike = find_alike(d, at, message);
    if (alike) {
        extend(alike, message);
        return;
    }
    if (d->count == DIAGNOSTICS_MAX) {
        d->dropped++;
        return;
    }
    char position[32] = "";
    if (at.line > 0) snprintf(position, sizeof position, ":%d:%d", at.line, at.column);
    char *copy = cord__arena_text(d->memory, message, strlen(message));
    size_t start = strlen(at.file) + strlen(position) + 2,
           room = start + strlen(message) + INDEX_ROOM;
    char *text = copy ? cord__arena_take(d->memory, room, 1) : NULL;
    if (!text) return;
    snprintf(text, room, "%s%s: %s", at.file, position, message);
    insert(d, (diagnostic){at, text, copy, start, room});
}

void cord__diagnose(diagnostics *d, mark at, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    add(d, at, message);
}

void cord__diagnostics_append(diagnostics *d, const diagnostics *from)
{
    for (int i = 0; i < from->count; i++) add(d, from->list[i].at, from->list[i].message);
    d->dropped += from->dropped;
}
