/* Completion of the command line, for all shells alike.
 *
 *   cordage complete WORD...
 *
 * prints the words that the last one (perhaps empty) may become after the words before it: one candidate to a line. A line
 * `@files SUFFIX...` stands for the files with one of these suffixes, or all files when there are none, and for folders;
 * `@folders` for folders alone. The scripts in tools/completion/ call it. */
#include "bench/bench.h"
#include "cli.h"
#include "gallery.h"
#ifdef CORDAGE_HDF5
#include "recording.h"
#endif
#include "validation/validation.h"

#include <cordage/record.h>
#include <stdio.h>
#include <string.h>

static void put(const char *word)
{
    printf("%s\n", word);
}

static void put_commands(void)
{
    for (int i = 0; commands[i]; i++) put(commands[i]->name);
    put("help");
}

static void put_options(const command *c)
{
    for (const option *o = c->options; o && o->name; o++) put(o->name);
    put("--help");
}

/* The choices that the description of an option begins with: "light, dark or transparent; …". */
static void put_choices(const char *about)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    size_t length = strspn(about, letters);
    bool list = strncmp(about + length, ", ", 2) == 0 || strncmp(about + length, " or ", 4) == 0;
    while (list && length > 0) {
        printf("%.*s\n", (int)length, about);
        about += length;
        if (strncmp(about, " (", 2) == 0) about += strcspn(about, ")") + 1; /* a remark */
        if (strncmp(about, ", ", 2) == 0) about += 2;
        if (*about == ' ') about++;
        if (strncmp(about, "or ", 3) == 0) about += 3;
        length = strspn(about, letters);
    }
}

/* Formats are listed with commas: each may follow those that are typed already. */
static void put_formats(const char *word)
{
    const char *comma = strrchr(word, ',');
    int typed = comma ? (int)(comma - word) + 1 : 0;
    for (const char *const *name = cord_format_names(); *name; name++)
        printf("%.*s%s\n", typed, word, *name);
}

/* Of one suite, or of all when it is not given. */
static void put_checks(const char *suite)
{
    for (int i = 0; validation_suites[i]; i++) {
        if (suite && strcmp(validation_suites[i]->name, suite) != 0) continue;
        for (const validation_check *k = validation_suites[i]->checks; k->name; k++) put(k->name);
    }
}

static void put_measurements(const char *suite)
{
    for (int i = 0; bench_suites[i]; i++) {
        if (suite && strcmp(bench_suites[i]->name, suite) != 0) continue;
        for (const bench_measurement *m = bench_suites[i]->measurements; m->name; m++) put(m->name);
    }
}

/* The first word after the command that is no option and no option's value; NULL: there is none. */
static const char *first_argument(const command *c, int argc, char **argv)
{
    for (int i = 2; i + 1 < argc; i++) {
        const option *o = c->options;
        while (o && o->name && strcmp(o->name, argv[i]) != 0) o++;
        if (argv[i][0] != '-') return argv[i];
        if (o && o->name && o->value) i++;
    }
    return NULL;
}

/* Names in a scene: of its strands, or "let.NAME=" of its numbers. */
static void put_scene_names(const char *path, bool of_strands)
{
    cord_scene *scene = NULL;
    cord_scene_info info;
    if (path && cord_scene_read(path, NULL, &scene) == CORD_OK) {
        info = cord_scene_get_info(scene);
        for (int i = 0; of_strands && i < info.strand_count; i++)
            put(cord_scene_get_strand_name(scene, i));
        for (int i = 0; !of_strands && i < cord_scene_get_control_count(scene); i++)
            printf("%s=\n", cord_scene_get_control(scene, i).path);
    }
    cord_scene_free(scene);
}

#ifdef CORDAGE_HDF5
static void put_probes(const char *path)
{
    reading *from = NULL;
    if (path && open_recording(path, &from) == EXIT_GOOD) {
        const reading_info *info = cord__reading_info(from);
        for (int i = 0; i < info->layout.probe_count; i++) put(info->layout.probes[i].name);
    }
    cord__reading_close(from);
}
#endif

static void put_value(const command *c, const option *o, int argc, char **argv)
{
    bool only = strcmp(o->name, "--only") == 0;
    if (strcmp(o->value, "DIR") == 0)
        put("@folders");
    else if (strcmp(o->value, "PATH=VALUE") == 0)
        put_scene_names(c == &gallery_command ? NULL : first_argument(c, argc, argv), false);
    else if (strcmp(o->name, "--strand") == 0)
        put_scene_names(first_argument(c, argc, argv), true);
#ifdef CORDAGE_HDF5
    else if (strcmp(o->name, "--probe") == 0)
        put_probes(first_argument(c, argc, argv));
#endif
    else if (strstr(o->value, "FILE") || strstr(o->value, "PATH") == o->value ||
             strstr(o->value, ".yaml") || strstr(o->value, ".csv"))
        put("@files");
    else if (strcmp(o->name, "--format") == 0)
        put_formats(argv[argc - 1]);
    else if (only && c == &validate_command)
        put_checks(first_argument(c, argc, argv));
    else if (only)
        put_measurements(first_argument(c, argc, argv));
    else
        put_choices(o->about);
}

/* The option whose value is being typed, or NULL. */
static const option *open_option(const command *c, const char *before)
{
    for (const option *o = c->options; o && o->name; o++)
        if (o->value && strcmp(o->name, before) == 0) return o;
    return NULL;
}

static void put_gallery(int argc, char **argv)
{
    static const char *const verbs[] = {"list", "run", "check", "copy", "page"};
    if (argc == 3) {
        for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) put(verbs[i]);
    } else if (strcmp(argv[2], "list") != 0 && strcmp(argv[2], "page") != 0) {
        gallery_print_names();
    }
}

static void put_suites(const command *c)
{
    for (int i = 0; c == &validate_command && validation_suites[i]; i++)
        put(validation_suites[i]->name);
    for (int i = 0; c == &bench_command && bench_suites[i]; i++) put(bench_suites[i]->name);
}

/* The files that a command reads. */
static void put_arguments(const command *c, int argc, char **argv)
{
    if (c == &gallery_command)
        put_gallery(argc, argv);
    else if (c == &validate_command || c == &bench_command)
        put_suites(c);
    else if (strncmp(c->usage, "SCENE|RECORDING", 15) == 0)
        put("@files yaml yml json h5");
    else if (strncmp(c->usage, "SCENE", 5) == 0)
        put("@files yaml yml json");
    else if (strncmp(c->usage, "RECORDING", 9) == 0)
        put("@files h5");
    else if (c == &fit_command)
        put("@files svg csv obj txt");
}

int complete(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[argc - 1] : "";
    if (argc <= 2) {
        put_commands();
        put("--help");
        put("--version");
        return EXIT_GOOD;
    }
    if (strcmp(argv[1], "help") == 0) {
        put_commands();
        return EXIT_GOOD;
    }
    const command *c = find_command(argv[1]);
    if (!c) return EXIT_GOOD;
    const option *o = argc > 3 ? open_option(c, argv[argc - 2]) : NULL;
    if (o)
        put_value(c, o, argc, argv);
    else if (word[0] == '-')
        put_options(c);
    else
        put_arguments(c, argc, argv);
    return EXIT_GOOD;
}
