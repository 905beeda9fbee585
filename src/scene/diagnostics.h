/* Errors or warnings, in the order of the file, each with its file, line and column. */
#ifndef CORDAGE_SCENE_DIAGNOSTICS_H
#define CORDAGE_SCENE_DIAGNOSTICS_H

#include "scene/arena.h"

enum { DIAGNOSTICS_MAX = 50 };

/* Line and column count from 1; 0 means the file as a whole. */
typedef struct mark {
    const char *file;
    int line, column;
} mark;

typedef struct diagnostic {
    mark at;
    char *text;          /* "file:line:column: message" */
    const char *message; /* as diagnosed first; `text` may name a range of copies, "hair[0..49]" */
    size_t start, room;  /* of the message in `text`; bytes of `text` */
} diagnostic;

typedef struct diagnostics {
    arena *memory;
    int count;
    int dropped; /* beyond DIAGNOSTICS_MAX */
    diagnostic list[DIAGNOSTICS_MAX];
} diagnostics;

void cord__diagnose(diagnostics *d, mark at, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Adds copies of all diagnostics of `from`. */
void cord__diagnostics_append(diagnostics *d, const diagnostics *from);

#endif
