/* Declarations shared by the commands of `cordage`. */
#ifndef CORDAGE_CLI_CLI_H
#define CORDAGE_CLI_CLI_H

#include <cordage/simulation.h>
#include <stdbool.h>
#include <stddef.h>

/* Exit codes, documented in the help. */
enum {
    EXIT_GOOD = 0,
    EXIT_CHECK_FAILED = 1, /* an expected result was not met */
    EXIT_SCENE = 2,        /* the scene has errors */
    EXIT_ENGINE = 3,       /* the simulation or the recording failed */
    EXIT_USAGE = 64,
    EXIT_SIGNAL = 128, /* plus the number of the signal */
};

/* One option of a command. `take` parses and stores it; `value` is NULL for a switch. */
typedef struct option {
    const char *name;  /* "--out" */
    const char *value; /* "DIR" */
    const char *about;
    bool (*take)(void *target, const char *text);
} option;

enum { MAX_OVERRIDES = 64 };

/* The options of all commands that read a scene: the first member of their own. */
typedef struct scene_options {
    const char *overrides[MAX_OVERRIDES + 1];
    int override_count;
    bool allow_outside;
} scene_options;

bool take_set(void *scene_options, const char *text);
bool take_allow_outside(void *scene_options, const char *text);

#define SCENE_OPTIONS                                                                              \
    {"--set", "PATH=VALUE", "change a value of the scene, as in strands.rope.drag=0.1", take_set}, \
    {                                                                                              \
        "--allow-outside", NULL, "let the scene name files outside its folder", take_allow_outside \
    }

typedef struct command {
    const char *name;
    const char *usage;                 /* after "cordage NAME" */
    const char *about;                 /* one line */
    const char *help;                  /* details and examples */
    const option *options;             /* ends with a NULL name; may be NULL */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name */
} command;

extern const command run_command, check_command, gallery_command, validate_command, bench_command,
    schema_command, fit_command, inverse_command, matrix_command, graph_command;
extern const command info_command, export_command, plot_command; /* with HDF5 */
extern const command view_command;                               /* with libwebsockets */

/* All commands in the order of the help; NULL after the last. */
extern const command *const commands[];
const command *find_command(const char *name); /* NULL: there is none */

/* `cordage complete WORD...`, for the completion of shells; see complete.c. */
int complete(int argc, char **argv);

/* Parses options into `target` and words into `words` (at most max_words). On failure prints a
 * message with the nearest option and returns false. */
bool parse_options(const command *c, int argc, char **argv, void *target, const char **words,
                   int max_words, int *word_count);

/* Reads and builds a scene without running it; returns an exit code. `overrides` NULL: those of the
 * options. The caller frees both in any case. */
int open_scene(const char *path, const scene_options *options, const char *const *overrides,
               cord_scene **scene, cord_simulation **simulation, cord_status *status);
/* Prints all errors to the standard error. */
void print_errors(const cord_scene *scene, const cord_simulation *simulation, cord_status status);
/* Both. */
int open_scene_or_say(const char *path, const scene_options *options, cord_scene **scene,
                      cord_simulation **simulation);
/* The i-th error of reading, then of building it; NULL after the last. Both may be NULL. A failure
 * without a message of its own (out of memory) has the text of its status. */
const char *scene_error(const cord_scene *scene, const cord_simulation *simulation,
                        cord_status status, int i);
/* Prints a failure of the world: its message, or the text of the status. Returns EXIT_ENGINE. */
int world_failure(const cord_world *world, cord_status status);

/* The file engine.js, with which pages go live: of the user (CORDAGE_HOME), installed, in the build; NULL: there is none. */
const char *find_engine(char *path, size_t size);

/* Prints the help and returns true if --help is among the arguments. */
bool asked_for_help(const command *c, int argc, char **argv);
void print_help(const command *c);

#endif
