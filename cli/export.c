#include "cli.h"
#include "math/json.h"
#include "math/nearest.h"
#include "recording.h"

#include "record/export.h"

#include <cordage/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct export_options {
    const char *to, *out;
    export_selection selection;
    bool quiet, json;
} export_options;

static bool take_to(void *target, const char *text)
{
    ((export_options *)target)->to = text;
    return true;
}

static bool take_out(void *target, const char *text)
{
    ((export_options *)target)->out = text;
    return *text != 0;
}

static bool take_every(void *target, const char *text)
{
    char *end;
    long long every = strtoll(text, &end, 10);
    ((export_options *)target)->selection.every = every;
    return every > 0 && *end == 0;
}

/* "2", "2 s". */
static bool take_time(const char *text, double *time)
{
    char *end;
    *time = strtod(text, &end);
    while (*end == ' ') end++;
    return end != text && isfinite(*time) && (*end == 0 || strcmp(end, "s") == 0);
}

static bool take_from(void *target, const char *text)
{
    return take_time(text, &((export_options *)target)->selection.from);
}

static bool take_until(void *target, const char *text)
{
    return take_time(text, &((export_options *)target)->selection.until);
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((export_options *)target)->json = true;
}

static bool take_quiet(void *target, const char *text)
{
    (void)text;
    return ((export_options *)target)->quiet = true;
}

static const option export_option_list[] = {
    {"--to", "FORMAT", "vtk, usd, obj, csv or npz", take_to},
    {"--out", "PATH",
     "the file, or the directory for vtk, obj and csv; default: next to the recording", take_out},
    {"--every", "N", "every N-th frame only", take_every},
    {"--from", "T", "from this time on, s", take_from},
    {"--until", "T", "up to this time, s", take_until},
    {"--json", NULL, "print JSON", take_json},
    {"--quiet", NULL, "print nothing but errors", take_quiet},
    {NULL, NULL, NULL, NULL},
};

static int no_format(const char *to)
{
    const char *names[32] = {NULL};
    int count = 0;
    for (const export_ops *const *e = cord__exporters(); *e && count < 31; e++) {
        names[count++] = (*e)->name;
    }
    const char *near = to ? cord__nearest_name(to, names) : NULL;
    if (to) fprintf(stderr, "cordage export: there is no format \"%s\"", to);
    if (!to) fprintf(stderr, "cordage export: to which format?");
    if (near) fprintf(stderr, " (did you mean %s?)", near);
    fprintf(stderr, "\nFormats:\n");
    for (const export_ops *const *e = cord__exporters(); *e; e++) {
        fprintf(stderr, "  %-5s %s\n", (*e)->name, (*e)->about);
    }
    return EXIT_USAGE;
}

static void print_json(const export_ops *ops, const export_result *result)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "format", ops->name);
    cord__json_string(&j, "path", result->path);
    cord__json_integer(&j, "frames", (long long)result->frames);
    cord__json_end(&j, '}');
}

static int export_recording(const char *path, const export_ops *ops, const export_options *o)
{
    reading *from;
    export_result result = {"", 0, ""};
    int code = open_recording(path, &from);
    if (code == EXIT_GOOD && cord__export(from, ops, &o->selection, o->out, &result) != CORD_OK) {
        fprintf(stderr, "cordage: %s\n", result.error);
        code = EXIT_ENGINE;
    }
    if (code == EXIT_GOOD && o->json)
        print_json(ops, &result);
    else if (code == EXIT_GOOD && !o->quiet)
        printf("%lld frame%s in %s\n", (long long)result.frames, result.frames == 1 ? "" : "s",
               result.path);
    cord__reading_close(from);
    return code;
}

static int run_export(int argc, char **argv)
{
    if (asked_for_help(&export_command, argc, argv)) return EXIT_GOOD;
    export_options options = {.selection = cord__export_everything()};
    const char *path = NULL;
    int count;
    if (!parse_options(&export_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage export: which recording?\nUsage: cordage export %s\n",
                export_command.usage);
        return EXIT_USAGE;
    }
    const export_ops *ops = options.to ? cord__find_exporter(options.to) : NULL;
    return ops ? export_recording(path, ops, &options) : no_format(options.to);
}

const command export_command = {
    "export",
    "RECORDING --to FORMAT [options]",
    "Converts a recording to VTK, USD, OBJ, CSV or NPZ",
    "RECORDING is a file recording.h5 or a directory that contains one.\n"
    "\n"
    "Examples:\n"
    "  cordage export rope-results --to vtk                # then: paraview "
    "rope-results/vtk/recording.pvd\n"
    "  cordage export rope-results --to usd --out rope.usda --every 2\n"
    "  cordage export rope-results --to npz --from 1 --until 2\n"
    "  cordage export rope-results --to csv --out tables",
    export_option_list,
    run_export,
};
