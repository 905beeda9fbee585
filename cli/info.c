#include "cli.h"
#include "math/cpu.h"
#include "math/json.h"

#include "recording.h"

#include <stdio.h>

typedef struct info_options {
    bool json, verify, cpu;
} info_options;

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((info_options *)target)->json = true;
}

static bool take_verify(void *target, const char *text)
{
    (void)text;
    return ((info_options *)target)->verify = true;
}

static bool take_cpu(void *target, const char *text)
{
    (void)text;
    return ((info_options *)target)->cpu = true;
}

static const option info_option_list[] = {
    {"--verify", NULL, "read all of it, compare every checksum, and list what is damaged",
     take_verify},
    {"--cpu", NULL, "print the variants of the code that this processor has, and the one that runs",
     take_cpu},
    {"--json", NULL, "print JSON", take_json},
    {NULL, NULL, NULL, NULL},
};

static const char *scene_name(const reading_info *i)
{
    return i->file_count > 0 ? i->files[0].name : NULL;
}

static const char *section_name(cord_section_kind kind)
{
    switch (kind) {
    case CORD_SECTION_CIRCLE: return "circle";
    case CORD_SECTION_ELLIPSE: return "ellipse";
    case CORD_SECTION_RECTANGLE: return "rectangle";
    case CORD_SECTION_TUBE: return "tube";
    case CORD_SECTION_EXPLICIT: return "explicit";
    }
    return "unknown";
}

static void print_info(const reading_info *i)
{
    printf("%s\n", i->title ? i->title : i->path);
    if (scene_name(i)) printf("  scene: %s\n", scene_name(i));
    for (int k = 0; k < i->override_count; k++) printf("  changed by: %s\n", i->overrides[k]);
    printf("  %lld frames from %g to %g s, of a run of %g s in steps of %g s\n",
           (long long)i->frames, i->first_time, i->last_time, i->until, i->dt);
    printf("  %.3g MB, by Cordage %s; %s\n", 1e-6 * (double)i->bytes, i->maker ? i->maker : "?",
           i->resumable ? "can be resumed" : "cannot be resumed");
    for (int k = 0; k < i->layout.strand_count; k++) {
        const snapshot_strand *s = &i->layout.strands[k];
        printf("  strand %s: %s, %s, %d vertices, %.6g m, %.6g kg, %s\n", s->name,
               s->model ? s->model : "?", s->closed ? "closed" : "open", s->vertex_count, s->length,
               s->mass, section_name(s->section.kind));
    }
    for (int k = 0; k < i->layout.body_count; k++) {
        const snapshot_body *b = &i->layout.bodies[k];
        printf("  body %s: %s, %.6g kg, principal moments %.4g, %.4g and %.4g kg m^2\n", b->name,
               cord_shape_name(b->shape.kind), b->mass, b->moments[0], b->moments[1],
               b->moments[2]);
    }
    for (int k = 0; k < i->layout.probe_count; k++) {
        const snapshot_probe *p = &i->layout.probes[k];
        printf("  probe %s: %s of %s, %d x %d\n", p->name, p->measure ? p->measure : "?",
               p->of ? p->of : "the world", p->items, p->columns);
    }
}

static void json_objects(json *j, const reading_info *i)
{
    cord__json_array(j, "strands");
    for (int k = 0; k < i->layout.strand_count; k++) {
        const snapshot_strand *s = &i->layout.strands[k];
        cord__json_object(j, NULL);
        cord__json_string(j, "name", s->name);
        cord__json_string(j, "model", s->model);
        cord__json_bool(j, "closed", s->closed);
        cord__json_integer(j, "vertices", s->vertex_count);
        cord__json_number(j, "length", s->length);
        cord__json_number(j, "mass", s->mass);
        cord__json_string(j, "section", section_name(s->section.kind));
        cord__json_number(j, "radius", cord__section_radius(&s->section));
        cord__json_end(j, '}');
    }
    cord__json_end(j, ']');
    cord__json_array(j, "bodies");
    for (int k = 0; k < i->layout.body_count; k++) {
        const snapshot_body *b = &i->layout.bodies[k];
        cord__json_object(j, NULL);
        cord__json_string(j, "name", b->name);
        cord__json_string(j, "shape", cord_shape_name(b->shape.kind));
        cord__json_number(j, "mass", b->mass);
        cord__json_array(j, "moments");
        for (int c = 0; c < 3; c++) cord__json_number(j, NULL, b->moments[c]);
        cord__json_end(j, ']');
        cord__json_end(j, '}');
    }
    cord__json_end(j, ']');
    cord__json_array(j, "probes");
    for (int k = 0; k < i->layout.probe_count; k++) {
        cord__json_object(j, NULL);
        cord__json_string(j, "name", i->layout.probes[k].name);
        cord__json_string(j, "measure", i->layout.probes[k].measure);
        cord__json_string(j, "of", i->layout.probes[k].of);
        cord__json_integer(j, "items", i->layout.probes[k].items);
        cord__json_integer(j, "columns", i->layout.probes[k].columns);
        cord__json_end(j, '}');
    }
    cord__json_end(j, ']');
}

static void print_json(const reading_info *i)
{
    json j;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "recording", i->path);
    cord__json_string(&j, "title", i->title);
    cord__json_string(&j, "scene", scene_name(i));
    cord__json_array(&j, "overrides");
    for (int k = 0; k < i->override_count; k++) cord__json_string(&j, NULL, i->overrides[k]);
    cord__json_end(&j, ']');
    cord__json_integer(&j, "frames", i->frames);
    cord__json_number(&j, "first_time", i->first_time);
    cord__json_number(&j, "last_time", i->last_time);
    cord__json_number(&j, "until", i->until);
    cord__json_number(&j, "dt", i->dt);
    cord__json_number(&j, "frame_interval", i->frame_interval);
    cord__json_integer(&j, "bytes", (long long)i->bytes);
    cord__json_string(&j, "cordage", i->maker);
    cord__json_bool(&j, "resumable", i->resumable);
    json_objects(&j, i);
    cord__json_end(&j, '}');
}

static int print(const char *path, bool as_json)
{
    reading *from;
    int code = open_recording(path, &from);
    if (code == EXIT_GOOD && as_json) print_json(cord__reading_info(from));
    if (code == EXIT_GOOD && !as_json) print_info(cord__reading_info(from));
    cord__reading_close(from);
    return code;
}

static int verify(const char *path)
{
    int code = verify_recording(path, stdout);
    if (code == EXIT_GOOD)
        printf("%s is as it was written: all of it was read, and every checksum is right\n", path);
    else
        fprintf(stderr, "cordage: not all of %s can be read\n", path);
    return code;
}

static int print_cpu(bool as_json)
{
    const char *runs = cord__cpu_name(cord__cpu_variant());
    if (as_json) {
        json j;
        cord__json_begin(&j, stdout, JSON_LINES);
        cord__json_object(&j, NULL);
        cord__json_string(&j, "runs", runs);
        cord__json_array(&j, "has");
        for (cpu_variant v = CPU_BASELINE; v < CPU_VARIANTS; v++)
            if (cord__cpu_has(v)) cord__json_string(&j, NULL, cord__cpu_name(v));
        cord__json_end(&j, ']');
        cord__json_end(&j, '}');
        return EXIT_GOOD;
    }
    printf("runs: %s\nhas:", runs);
    for (cpu_variant v = CPU_BASELINE; v < CPU_VARIANTS; v++)
        if (cord__cpu_has(v)) printf(" %s", cord__cpu_name(v));
    printf("\nThe environment variable " CPU_VARIABLE " chooses another one.\n");
    return EXIT_GOOD;
}

static int info(int argc, char **argv)
{
    if (asked_for_help(&info_command, argc, argv)) return EXIT_GOOD;
    info_options options = {0};
    const char *path = NULL;
    int count;
    if (!parse_options(&info_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (options.cpu && (count > 0 || options.verify)) {
        fprintf(stderr, "cordage info: --cpu is about the processor; it takes no recording\n");
        return EXIT_USAGE;
    }
    if (options.cpu) return print_cpu(options.json);
    if (count == 0) {
        fprintf(stderr, "cordage info: which recording?\nUsage: cordage info %s\n",
                info_command.usage);
        return EXIT_USAGE;
    }
    return options.verify ? verify(path) : print(path, options.json);
}

const command info_command = {
    "info",
    "RECORDING [--json | --verify] | --cpu [--json]",
    "Lists the contents of a recording",
    "RECORDING is a file recording.h5 or a directory that contains one. A running or killed\n"
    "run is shown up to its last flush. Frames before a damaged one can be exported (cordage\n"
    "export --until); a damaged recording is not resumed.\n"
    "\n"
    "Examples:\n"
    "  cordage info rope-results\n"
    "  cordage info rope-results/recording.h5 --json\n"
    "  cordage info rope-results --verify      # exit code 3 when anything is damaged\n"
    "  cordage info --cpu                      # which variant of the code runs here",
    info_option_list,
    info,
};
