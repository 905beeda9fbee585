/* Running one scene: shared by `run` and `gallery`. */
#ifndef CORDAGE_CLI_RUN_H
#define CORDAGE_CLI_RUN_H

#include "cli.h"

enum { MAX_OVERRIDES = 64, MAX_FORMATS = 8 };

typedef struct run_options {
    const char *overrides[MAX_OVERRIDES + 1];
    int override_count;
    char until[64], dt[64]; /* as overrides */
    const char *out;        /* NULL: a directory named after the scene */
    const char *formats[MAX_FORMATS + 1];
    int format_count;
    bool json, quiet, check, resume;
    bool no_files; /* record nothing */
} run_options;

extern const option run_option_list[];

/* Read, build, run, record, report. Returns the exit code. */
int run_scene(const char *path, const run_options *options);

#endif
