#include "cli.h"
#include "math/json.h"

#include "scene/shape_parts.h"
#include "scene/units.h"
#include "strand/traits.h"

#include <cordage/cordage.h>
#include <cordage/scene.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_options {
    double tolerance, corners, scale; /* tolerance 0: from the drawing */
    const char *kind, *scene, *csv;
    bool planar, spatial, json;
} fit_options;

/* ---- options -------------------------------------------------------------------------------- */

/* "2 mm", "0.002": a positive value, in `unit` unless it has a unit of the same dimension. */
static bool take_quantity(const char *text, const char *unit, double *value)
{
    quantity q;
    char error[128];
    if (!cord__parse_quantity(text, &q, error, sizeof error)) return false;
    if (q.has_unit && !cord__same_dimension(q.dim, cord__unit_dimension(unit))) return false;
    *value = q.value;
    return q.value > 0 && isfinite(q.value) && !q.percent;
}

static bool take_tolerance(void *target, const char *text)
{
    return take_quantity(text, "m", &((fit_options *)target)->tolerance);
}

static bool take_scale(void *target, const char *text)
{
    return take_quantity(text, "m", &((fit_options *)target)->scale);
}

static bool take_corners(void *target, const char *text)
{
    char *end;
    double degrees = strtod(text, &end);
    ((fit_options *)target)->corners = degrees * (M_PI / 180);
    return end != text && *end == 0 && degrees > 0 && degrees <= 180;
}

static bool take_kind(void *target, const char *text)
{
    ((fit_options *)target)->kind = text;
    return cord__strand_traits(text)->has_elements;
}

static bool take_scene(void *target, const char *text)
{
    ((fit_options *)target)->scene = text;
    return *text != 0;
}

static bool take_csv(void *target, const char *text)
{
    ((fit_options *)target)->csv = text;
    return *text != 0;
}

static bool take_planar(void *target, const char *text)
{
    (void)text;
    return ((fit_options *)target)->planar = true;
}

static bool take_spatial(void *target, const char *text)
{
    (void)text;
    return ((fit_options *)target)->spatial = true;
}

static bool take_json(void *target, const char *text)
{
    (void)text;
    return ((fit_options *)target)->json = true;
}

static const option fit_option_list[] = {
    {"--tolerance", "LEN",
     "largest distance from any point, as in \"1 mm\"; default: 1/500 of the size", take_tolerance},
    {"--kind", "KIND", "clothoid, helix (arcs, when planar) or segment; default: clothoid",
     take_kind},
    {"--corners", "DEG", "smallest angle of a corner; default: 60; 180: no corners", take_corners},
    {"--scale", "LEN", "length of one unit of the file; default: 1 m", take_scale},
    {"--planar", NULL, "require the points to lie in a plane within the tolerance", take_planar},
    {"--spatial", NULL, "allow the strands to leave the plane of the points", take_spatial},
    {"--scene", "OUT.yaml", "write a scene with the strands", take_scene},
    {"--csv", "OUT.csv", "write points along the strands", take_csv},
    {"--json", NULL, "print JSON, with lengths and curvatures", take_json},
    {NULL, NULL, NULL, NULL},
};

/* ---- fitting -------------------------------------------------------------------------------- */

typedef struct drawing {
    const char *path;
    arena memory;
    diagnostics errors;
    polyline *lines;
    int count;
    cord_fit *fits;   /* count */
    double tolerance; /* m */
} drawing;

static double size_of(const drawing *d)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double squares = 0;
    for (int l = 0; l < d->count; l++) {
        for (int i = 0; i < 3 * d->lines[l].count; i++) {
            low[i % 3] = fmin(low[i % 3], d->lines[l].x[i]);
            high[i % 3] = fmax(high[i % 3], d->lines[l].x[i]);
        }
    }
    for (int k = 0; k < 3; k++) squares += (high[k] - low[k]) * (high[k] - low[k]);
    return sqrt(squares);
}

static int read_drawing(drawing *d, const fit_options *o)
{
    bool good = cord__read_lines(&d->memory, &d->errors, d->path, o->scale, &d->lines, &d->count);
    for (int i = 0; i < d->errors.count; i++) {
        fprintf(stderr, "%s\n", d->errors.list[i].text);
    }
    if (good) d->fits = TAKE(&d->memory, cord_fit, d->count);
    if (good && d->fits) return EXIT_GOOD;
    if (d->memory.failed) fprintf(stderr, "cordage: %s\n", cord_status_text(CORD_ERROR_MEMORY));
    if (!good) d->count = 0;
    return d->memory.failed ? EXIT_ENGINE : EXIT_SCENE;
}

static int fit_lines(drawing *d, const fit_options *o)
{
    double size = size_of(d);
    d->tolerance = o->tolerance > 0 ? o->tolerance : size > 0 && isfinite(size) ? size / 500 : 1;
    for (int i = 0; i < d->count; i++) {
        cord_fit_def def = cord_fit_def_default();
        def.model = o->kind;
        def.vertex_count = d->lines[i].count;
        def.positions = d->lines[i].x;
        def.closed = d->lines[i].closed;
        def.tolerance = d->tolerance;
        def.corner_angle = o->corners;
        if (o->planar) def.plane = CORD_FIT_PLANAR;
        if (o->spatial) def.plane = CORD_FIT_SPATIAL;
        cord_status status = cord_fit_curve(&def, &d->fits[i]);
        if (status == CORD_OK) continue;
        fprintf(stderr, "%s: ", d->path);
        if (d->count > 1) fprintf(stderr, "line %d: ", i + 1);
        fprintf(stderr, "%s\n", d->fits[i].error);
        return status == CORD_ERROR_MEMORY ? EXIT_ENGINE : EXIT_SCENE;
    }
    return EXIT_GOOD;
}

static void free_drawing(drawing *d)
{
    for (int i = 0; d->fits && i < d->count; i++) cord_fit_free(&d->fits[i]);
    cord__arena_free(&d->memory);
}

/* Strand `number` (from 0) of the list over all lines, and its line. */
static const cord_fit_strand *strand_of(const drawing *d, int number, int *line)
{
    for (*line = 0; *line < d->count; ++*line) {
        if (number < d->fits[*line].strand_count) return &d->fits[*line].strands[number];
        number -= d->fits[*line].strand_count;
    }
    return NULL;
}

/* ---- report --------------------------------------------------------------------------------- */

static const char *corners_text(const cord_fit_strand *s)
{
    static const char *const texts[] = {"none", "end", "start", "both"};
    return texts[2 * s->corner_at_start + s->corner_at_end];
}

static void print_table(const drawing *d)
{
    int line, elements = 0;
    double largest = 0;
    printf("%-8s %8s %12s %14s  %-6s %-6s %s\n", "strand", "elements", "length (m)",
           "max. dist. (m)", "closed", "planar", "corners");
    for (int i = 0; strand_of(d, i, &line); i++) {
        const cord_fit_strand *s = strand_of(d, i, &line);
        printf("%-8d %8d %12.6g %14.3g   %-6s %-6s %s\n", i + 1, s->element_count, s->length,
               s->worst_distance, s->closed ? "yes" : "no", s->planar ? "yes" : "no",
               corners_text(s));
        elements += s->element_count;
        largest = fmax(largest, s->worst_distance);
    }
    printf("%d elements in total; the largest distance is %.3g m, the tolerance %.3g m\n", elements,
           largest, d->tolerance);
}

static void json_numbers(json *j, const char *key, int count, const double *x)
{
    cord__json_array(j, key);
    for (int i = 0; i < count; i++) cord__json_number(j, NULL, x[i]);
    cord__json_end(j, ']');
}

static void json_strand(json *j, const cord_fit_strand *s, int line)
{
    cord__json_object(j, NULL);
    cord__json_integer(j, "line", line + 1);
    cord__json_string(j, "model", s->model);
    cord__json_integer(j, "elements", s->element_count);
    cord__json_number(j, "length", s->length);
    cord__json_number(j, "worst_distance", s->worst_distance);
    cord__json_bool(j, "closed", s->closed);
    cord__json_bool(j, "planar", s->planar);
    cord__json_bool(j, "corner_at_start", s->corner_at_start);
    cord__json_bool(j, "corner_at_end", s->corner_at_end);
    json_numbers(j, "base_position", 3, s->base_position);
    json_numbers(j, "base_frame", 9, s->base_frame);
    json_numbers(j, "lengths", s->element_count, s->lengths);
    cord__json_array(j, "curvatures");
    for (int i = 0; i < s->curvature_count; i++) json_numbers(j, NULL, 3, s->curvatures + 3 * i);
    cord__json_end(j, ']');
    cord__json_end(j, '}');
}

static void print_json(const drawing *d)
{
    json j;
    int line;
    cord__json_begin(&j, stdout, JSON_LINES);
    cord__json_object(&j, NULL);
    cord__json_string(&j, "file", d->path);
    cord__json_number(&j, "tolerance", d->tolerance);
    cord__json_array(&j, "strands");
    for (int i = 0; strand_of(d, i, &line); i++) {
        const cord_fit_strand *s = strand_of(d, i, &line);
        json_strand(&j, s, line);
    }
    cord__json_end(&j, ']');
    cord__json_end(&j, '}');
}

/* Exit code 1 where a strand is not within the tolerance. */
static int check_tolerance(const drawing *d)
{
    int line, code = EXIT_GOOD;
    for (int i = 0; strand_of(d, i, &line); i++) {
        const cord_fit_strand *s = strand_of(d, i, &line);
        if (s->worst_distance <= d->tolerance) continue;
        fprintf(
            stderr,
            "cordage: strand %d has a distance of %.3g m, more than the tolerance of %.3g m, even "
            "with the largest number of elements; use smaller --corners or a larger --tolerance\n",
            i + 1, s->worst_distance, d->tolerance);
        code = EXIT_CHECK_FAILED;
    }
    return code;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void write_list(FILE *out, int count, const double *x)
{
    fprintf(out, "[");
    for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? ", " : "", x[i]);
    fprintf(out, "]");
}

static void write_strand(FILE *out, const cord_fit_strand *s, int number)
{
    fprintf(out, "  - name: strand-%d\n    model: %s\n    elements: %d\n", number, s->model,
            s->element_count);
    if (s->planar) fprintf(out, "    planar: yes\n");
    fprintf(out, "    lengths: ");
    write_list(out, s->element_count, s->lengths);
    fprintf(out, "\n    curvatures:\n");
    for (int i = 0; i < s->curvature_count; i++) {
        fprintf(out, "      - ");
        write_list(out, 3, s->curvatures + 3 * (size_t)i);
        fprintf(out, "\n");
    }
    fprintf(out, "    base:\n      position: ");
    write_list(out, 3, s->base_position);
    fprintf(out, "\n      frame: [");
    for (int k = 0; k < 3; k++) {
        if (k) fprintf(out, ", ");
        write_list(out, 3, s->base_frame + 3 * (size_t)k);
    }
    /* A diameter of a hundredth of the length, for drawing. */
    fprintf(out, "]\n    section: {circle: {radius: %.3g}}\n", s->length / 200);
    fprintf(out,
            "    material: {density: 1000, young: 10 MPa, poisson: 0.5}\n    damping: 10 ms\n");
}

/* Constraints at corners, and between the ends of closed strands. */
static void write_joints(FILE *out, const drawing *d)
{
    int line, next_line, first = 1;
    bool any = false;
    for (int i = 0; strand_of(d, i, &line); i++) {
        const cord_fit_strand *s = strand_of(d, i, &line);
        const cord_fit_strand *next = strand_of(d, i + 1, &next_line);
        bool last = !next || next_line != line;
        if (i > 0 && s == d->fits[line].strands) first = i + 1;
        if (s->closed) {
            fprintf(out, "%s  - {kind: coincide, first: strand-%d@end, second: strand-%d@start}\n",
                    any ? "" : "constraints:\n", i + 1, i + 1);
        } else if (s->corner_at_end) {
            fprintf(out, "%s  - {kind: coincide, first: strand-%d@end, second: strand-%d@start}\n",
                    any ? "" : "constraints:\n", i + 1, last ? first : i + 2);
        }
        any = any || s->closed || s->corner_at_end;
    }
}

/* A scene in which each line of the drawing is clamped at its start. */
static void write_scene(FILE *out, const drawing *d)
{
    int line, number = 1;
    fprintf(out, "cordage: 1\ntitle: \"Fitted to a drawing\"\n\nworld: {gravity: [0, 0, -9.81]}\n"
                 "run: {until: 5 s, dt: 5 ms, frames: 60 Hz}\n\nstrands:\n");
    for (int i = 0; strand_of(d, i, &line); i++) write_strand(out, strand_of(d, i, &line), i + 1);
    fprintf(out, "\nclamps:\n");
    for (int l = 0; l < d->count; number += d->fits[l++].strand_count) {
        fprintf(out, "  - {at: strand-%d@start}\n", number);
    }
    fprintf(out, "\n");
    write_joints(out, d);
}

/* 32 points per element. */
static void write_csv(FILE *out, const drawing *d)
{
    int line;
    fprintf(out, "strand,s,x,y,z\n");
    for (int i = 0; strand_of(d, i, &line); i++) {
        const cord_fit_strand *s = strand_of(d, i, &line);
        int count = 32 * s->element_count + 1;
        double *x = malloc(3 * (size_t)count * sizeof *x);
        if (!x) return;
        cord_fit_sample(s, count, x, NULL);
        for (int k = 0; k < count; k++) {
            fprintf(out, "%d,%.17g,%.17g,%.17g,%.17g\n", i + 1, s->length * k / (count - 1),
                    x[3 * k], x[3 * k + 1], x[3 * k + 2]);
        }
        free(x);
    }
}

static int write_to(const char *path, const drawing *d, void (*write)(FILE *, const drawing *))
{
    FILE *out = fopen(path, "w");
    if (out) write(out, d);
    bool good = out && !ferror(out);
    if (out && fclose(out) != 0) good = false;
    if (!good) fprintf(stderr, "cordage: %s cannot be written: %s\n", path, strerror(errno));
    return good ? EXIT_GOOD : EXIT_ENGINE;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int fit_file(const char *path, const fit_options *o)
{
    drawing d = {.path = path};
    cord__arena_init(&d.memory, NULL);
    d.errors.memory = &d.memory;
    int code = read_drawing(&d, o);
    if (code == EXIT_GOOD) code = fit_lines(&d, o);
    if (code == EXIT_GOOD && o->json) print_json(&d);
    if (code == EXIT_GOOD && !o->json) print_table(&d);
    if (code == EXIT_GOOD && o->scene) code = write_to(o->scene, &d, write_scene);
    if (code == EXIT_GOOD && o->csv) code = write_to(o->csv, &d, write_csv);
    if (code == EXIT_GOOD) code = check_tolerance(&d);
    free_drawing(&d);
    return code;
}

static int fit(int argc, char **argv)
{
    if (asked_for_help(&fit_command, argc, argv)) return EXIT_GOOD;
    cord_fit_def def = cord_fit_def_default();
    fit_options options = {.kind = def.model, .scale = 1, .corners = def.corner_angle};
    const char *path = NULL;
    int count;
    if (!parse_options(&fit_command, argc, argv, &options, &path, 1, &count)) return EXIT_USAGE;
    if (count == 0) {
        fprintf(stderr, "cordage fit: which file?\nUsage: cordage fit %s\n", fit_command.usage);
        return EXIT_USAGE;
    }
    if (options.planar && options.spatial) {
        fprintf(stderr, "cordage fit: give --planar or --spatial, not both\n");
        return EXIT_USAGE;
    }
    return fit_file(path, &options);
}

const command fit_command = {
    "fit",
    "FILE [options]",
    "Fits chains of few elements to a drawn curve",
    "FILE is an SVG drawing (its paths), a CSV file (x, y or x, y, z of a point on each line) or "
    "an\n"
    "OBJ file (its lines). Curves are cut at corners and fitted by the fewest lines, arcs,\n"
    "clothoids or helices within the tolerance of every point; the exit code is 1 where that "
    "fails.\n"
    "\n"
    "Examples:\n"
    "  cordage fit tail.svg --scale \"1 mm\" --tolerance \"0.5 mm\"\n"
    "  cordage fit tail.svg --kind helix --scene tail.yaml     # then: cordage run tail.yaml\n"
    "  cordage fit points.csv --corners 30 --csv fitted.csv",
    fit_option_list,
    fit,
};
