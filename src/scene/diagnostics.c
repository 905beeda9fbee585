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

/* The length of an index of copies here, "[3][0]"; 0: there is none. */
static size_t index_length(const char *text)
{
    const char *p = text;
    while (*p == '[') {
        size_t digits = strspn(p + 1, "0123456789");
        if (digits == 0 || p[1 + digits] != ']') break;
        p += digits + 2;
    }
    return (size_t)(p - text);
}

/* The first index in a message, of "hair[3][0]: the shape ..." or "probe tip[3] ...": its position and its length, which is
 * 0 if the message names no copy. What is in quotation marks is quoted from the file. */
static size_t index_of(const char *message, size_t *at)
{
    *at = strcspn(message, "[\"");
    while (message[*at] == '[' && index_length(message + *at) == 0)
        *at += 1 + strcspn(message + *at + 1, "[\"");
    return index_length(message + *at);
}

/* After a number, as in "-1.5e-3" or "[12]". */
static const char *after_number(const char *p)
{
    bool begins = (*p >= '0' && *p <= '9') || (*p == '-' && p[1] >= '0' && p[1] <= '9');
    if (!begins) return p;
    p += 1 + strspn(p + 1, "0123456789.");
    size_t sign = *p == 'e' && (p[1] == '+' || p[1] == '-') ? 2 : 0;
    return sign ? p + sign + strspn(p + sign, "0123456789") : p;
}

/* Whether two messages are the same but for the numbers in them. */
static bool are_alike(const char *a, const char *b)
{
    for (;;) {
        const char *p = after_number(a), *q = after_number(b);
        if ((p == a) != (q == b)) return false;
        if (p == a) {
            if (*a != *b) return false;
            if (!*a) return true;
            p++, q++;
        }
        a = p, b = q;
    }
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

/* Copies of an array have the same mistakes, except for their indices and for quantities: one diagnostic is enough. */
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
