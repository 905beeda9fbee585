/* Running one scene: shared by `run` and `gallery`. */
#ifndef CORDAGE_CLI_RUN_H
#define CORDAGE_CLI_RUN_H

#include "cli.h"
#include "pictures.h"

#include <cordage/simulation.h>

enum { MAX_FORMATS = 8 };

typedef struct run_options {
    scene_options scene;
    char until[64], dt[64]; /* as overrides */
    const char *out;        /* NULL: a directory named after the scene */
    const char *formats[MAX_FORMATS + 1];
    int format_count;
    bool json, quiet, check, resume;
    bool no_files; /* no recording */
    const char
        *shared_engine; /* the address of the engine from the page; NULL: it is in the page */
    picture_options pictures;
    /* Called with the simulation after the run, before it is destroyed; may be NULL. */
    void (*finished)(void *user, const cord_simulation *simulation);
    void *user;
} run_options;

extern const option run_option_list[];

struct json;

/* Reads, builds, runs and records a scene and reports to `json`, or as text when that is NULL.
 * Returns the exit code. */
int run_scene(const char *path, const run_options *options, struct json *json);

#endif
