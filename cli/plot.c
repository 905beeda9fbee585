#include "cli.h"
#include "math/json.h"
#include "math/nearest.h"

#include "recording.h"
#include "validation/plot.h"

#include <cordage/scene.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 16 };

typedef struct plot_options {
    const char *probe, *out;
    bool quiet, json;
} plot_options;

static bool take_probe(void *target, const char *text)
{
    ((plot_options *)target)->probe = text;
    return *text != 0;
}

static bool take_out(void *target, const char *text)
{
    ((plot_options *)target)->out = text;
    return *text != 0;
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((plot_options *)target)->json = true;
}

static bool take_quiet(void *target, const char *text)
{
    (void)text;
    return ((plot_options *)target)->quiet = true;
}

static const option plot_option_list[] = {
    {"--probe", "NAME", "the probe, or one of its columns as NAME.COLUMN, as in hinge.x",
     take_probe},
    {"--out", "FILE", "the SVG file; default: NAME.svg", take_out},
    {"--json", NULL, "print JSON", take_json},
    {"--quiet", NULL, "print nothing but errors", take_quiet},
    {NULL, NULL, NULL, NULL},
};

/* ---- which probe, which columns ----------------------------------------------------------- */

static const snapshot_probe *find_probe(const reading_info *info, const char *name, size_t length,
                                        int *index)
{
    for (int i = 0; i < info->layout.probe_count; i++) {
        *index = i;
        if (strlen(info->layout.probes[i].name) == length &&
            strncmp(info->layout.probes[i].name, name, length) == 0)
            return &info->layout.probes[i];
    }
    return NULL;
}

static int no_probe(const reading_info *info, const char *wanted)
{
    const char **names = calloc((size_t)info->layout.probe_count + 1, sizeof *names);
    for (int i = 0; names && i < info->layout.probe_count; i++)
        names[i] = info->layout.probes[i].name;
    const char *near = wanted && names ? cord__nearest_name(wanted, names) : NULL;
    if (wanted) fprintf(stderr, "cordage plot: there is no probe \"%s\"", wanted);
    if (!wanted) fprintf(stderr, "cordage plot: which probe?");
    if (near) fprintf(stderr, " (did you mean %s?)", near);
    fprintf(stderr, "\n%s\n",
            info->layout.probe_count > 0 ? "Probes:" : "The recording has no probes.");
    for (int i = 0; i < info->layout.probe_count; i++)
        fprintf(stderr, "  %-20s %s of %s\n", info->layout.probes[i].name,
                info->layout.probes[i].measure ? info->layout.probes[i].measure : "?",
                info->layout.probes[i].of ? info->layout.probes[i].of : "the world");
    free(names);
    return EXIT_USAGE;
}

/* The selection: columns [first, first + count) of a probe. */
typedef struct selection {
    const snapshot_probe *probe;
    int index, first, count;
} selection;

static bool choose(const reading_info *info, const char *name, selection *c)
{
    const char *dot = strrchr(name, '.');
    c->probe = find_probe(info, name, strlen(name), &c->index);
    c->first = 0;
    if (c->probe) {
        c->count = c->probe->columns < MAX_LINES ? c->probe->columns : MAX_LINES;
        return true;
    }
    c->probe = dot ? find_probe(info, name, (size_t)(dot - name), &c->index) : NULL;
    c->count = 1;
    for (; c->probe && c->first < c->probe->columns; c->first++)
        if (strcmp(c->probe->column_names[c->first], dot + 1) == 0) return true;
    return false;
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* The times, then column by column: (1 + count) × frames doubles. */
static cord_status read_columns(reading *from, const selection *c, int64_t frames, double *all)
{
    double *row = calloc((size_t)c->probe->columns, sizeof *row);
    cord_status status = row ? CORD_OK : CORD_ERROR_MEMORY;
    for (int64_t i = 0; status == CORD_OK && i < frames; i++) {
        status = cord__reading_time(from, i, &all[i]);
        if (status == CORD_OK) status = cord__reading_probe(from, c->index, i, row);
        for (int k = 0; status == CORD_OK && k < c->count; k++)
            all[(k + 1) * frames + i] = row[c->first + k];
    }
    free(row);
    return status;
}

static bool write_plot(const selection *c, int64_t frames, const double *all, const char *path)
{
    plot_series series[MAX_LINES];
    char label[160], title[320];
    const snapshot_probe *p = c->probe;
    const char *unit = p->column_units[c->first];
    snprintf(label, sizeof label, "%s%s%s%s", p->measure ? p->measure : p->name, *unit ? " [" : "",
             unit, *unit ? "]" : "");
    snprintf(title, sizeof title, "%s of %s", p->measure ? p->measure : p->name,
             p->of ? p->of : "the world");
    for (int k = 0; k < c->count; k++)
        series[k] = (plot_series){p->columns > 1 ? p->column_names[c->first + k] : NULL,
                                  (int)frames, all, all + (k + 1) * frames, PLOT_LINE};
    const plot drawing = {.title = title,
                          .x_label = "time [s]",
                          .y_label = label,
                          .series_count = c->count,
                          .series = series};
    FILE *out = fopen(path, "w");
    if (!out) return false;
    plot_file(out, &drawing);
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

static void print_json(const selection *c, const char *path, int64_t frames)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "probe", c->probe->name);
    cord__json_string(&j, "path", path);
    cord__json_integer(&j, "frames", (long long)frames);
    cord__json_end(&j, '}');
}

static int draw(reading *from, const plot_options *o)
{
    const reading_info *info = cord__reading_info(from);
    selection c;
    if (!o->probe || !choose(info, o->probe, &c)) return no_probe(info, o->probe);
    if (c.probe->items != 1) {
        fprintf(stderr,
                "cordage plot: %s has %d items per frame, and only probes of one item can be "
                "plotted; use cordage export --to csv\n",
                c.probe->name, c.probe->items);
        return EXIT_USAGE;
    }
    char path[256];
    snprintf(path, sizeof path, "%s.svg", o->probe);
    const char *out = o->out ? o->out : path;
    double *all = calloc((size_t)(c.count + 1) * (size_t)info->frames + 1, sizeof *all);
    cord_status status = all ? read_columns(from, &c, info->frames, all) : CORD_ERROR_MEMORY;
    bool written = status == CORD_OK && write_plot(&c, info->frames, all, out);
    if (status != CORD_OK) fprintf(stderr, "cordage: %s\n", cord__reading_error(from));
    if (status == CORD_OK && !written) fprintf(stderr, "cordage: %s: %s\n", out, strerror(errno));
    if (written && o->json)
        print_json(&c, out, info->frames);
    else if (written && !o->quiet)
        printf("%s\n", out);
    free(all);
    return written ? EXIT_GOOD : EXIT_ENGINE;
}

static int run_plot(int argc, char **argv)
{
    if (asked_for_help(&plot_command, argc, argv)) return EXIT_GOOD;
    plot_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&plot_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage plot: which recording?\nUsage: cordage plot %s\n",
                plot_command.usage);
        return EXIT_USAGE;
    }
    reading *from;
    int code = open_recording(path, &from);
    if (code == EXIT_GOOD) code = draw(from, &options);
    cord__reading_close(from);
    return code;
}

const command plot_command = {
    "plot",
    "RECORDING --probe NAME [options]",
    "Plots a probe over time: joint forces, coordinates, energies",
    "RECORDING is a file recording.h5 or a directory that contains one. Without --probe, the\n"
    "probes are listed.\n"
    "\n"
    "Examples:\n"
    "  cordage plot arm-results --probe hinge-force\n"
    "  cordage plot arm-results --probe hinge-force.z --out force.svg",
    plot_option_list,
    run_plot,
};
