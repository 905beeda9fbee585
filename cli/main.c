#include "cli.h"
#include "math/cpu.h"
#include "math/nearest.h"

#ifdef CORDAGE_HDF5
#include "record/reading.h"
#endif

#include <cordage/cordage.h>
#include <cordage/scene.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const command *const commands[] = {
    &run_command,
    &check_command,
#ifdef CORDAGE_HDF5
    &info_command,
    &export_command,
    &plot_command,
#endif
    &gallery_command,
    &fit_command,
    &inverse_command,
    &matrix_command,
    &graph_command,
    &validate_command,
    &bench_command,
    &schema_command,
#ifdef CORDAGE_VIEW
    &view_command,
#endif
    NULL,
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] - 1 };

const command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static int unknown_command(const char *word)
{
    const char *names[COMMAND_COUNT + 2] = {NULL};
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i]->name;
    names[COMMAND_COUNT] = "help";
    const char *near = cord__nearest_name(word, names);
    fprintf(stderr, "cordage: there is no command \"%s\"", word);
    if (near) fprintf(stderr, " (did you mean %s?)", near);
    fprintf(stderr, "\nSee: cordage --help\n");
    return EXIT_USAGE;
}

static void print_overview(FILE *out)
{
    fprintf(out, "Usage: cordage COMMAND ...\n\n"
                 "Simulates ropes, cables, rods, ribbons, threads: long and thin bodies.\n\n"
                 "Commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->about);
    }
    fprintf(out, "  %-10s %s\n", "help", "Explains a command: cordage help run");
    fprintf(out,
            "\nFirst steps:\n"
            "  cordage gallery list\n"
            "  cordage gallery run hanging-rope\n"
            "\nExit codes:\n"
            "  0    success\n"
            "  1    an expected result was not met (run --check, gallery check, validate)\n"
            "  2    the scene has errors, or does not exist\n"
            "  3    the simulation failed, the results could not be written, or a recording is "
            "damaged\n"
            "  64   wrong command line\n"
            "  129, 130, 143   hung up, interrupted, terminated; the recording so far is kept\n");
}

static int help(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return EXIT_GOOD;
    }
    const command *c = find_command(argv[1]);
    if (!c) return unknown_command(argv[1]);
    print_help(c);
    return EXIT_GOOD;
}

/* A variant of the code that the environment asks for exists and runs here. */
static bool has_variant(void)
{
    const char *name = getenv(CPU_VARIABLE);
    cpu_variant variant = name ? cord__cpu_named(name) : CPU_BASELINE;
    if (variant < CPU_VARIANTS && cord__cpu_has(variant)) return true;
    fprintf(stderr, "cordage: " CPU_VARIABLE "=%s: ", name);
    if (variant < CPU_VARIANTS)
        fprintf(stderr, "this processor, or this build, has no %s; it has", name);
    else
        fprintf(stderr, "there is no such variant of the code; this processor has");
    for (cpu_variant v = CPU_BASELINE; v < CPU_VARIANTS; v++)
        if (cord__cpu_has(v)) fprintf(stderr, " %s", cord__cpu_name(v));
    fprintf(stderr, "\n");
    return false;
}

static int dispatch(int argc, char **argv)
{
#ifdef CORDAGE_HDF5
    cord__reading_no_exit_handler();
#endif
    if (!has_variant()) return EXIT_USAGE;
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0) {
        printf("cordage %s\n", cord_version());
        return EXIT_GOOD;
    }
    bool wants_help =
        strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    if (wants_help) return help(argc - 1, argv + 1);
    if (strcmp(word, "complete") == 0) return complete(argc - 1, argv + 1);
    const command *c = find_command(word);
    return c ? c->run(argc - 1, argv + 1) : unknown_command(word);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ,
           SIG_IGN); /* writing beyond a limit of file sizes then fails as on a full disk */
    int code = dispatch(argc, argv);
    /* A closed standard output (EBADF) is no error: the caller does not want it. */
    bool lost = (fflush(stdout) != 0 && errno != EBADF) || ferror(stdout);
    if (lost) fprintf(stderr, "cordage: the output could not be written: %s\n", strerror(errno));
    return lost && code == EXIT_GOOD ? EXIT_ENGINE : code;
}
