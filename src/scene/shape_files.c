/* Shapes from files: points in CSV, lines in OBJ, a path in SVG. */
#include "math/vec3.h"
#include "scene/files.h"
#include "scene/point_list.h"
#include "scene/shape_parts.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The data of all these shapes. */
typedef struct file_shape {
    shape_base base;
    const char *file, *id;
    double scale, translation[3], right[3], up[3];
    bool closed;
    int line;
} file_shape;

#define FILE_FIELDS(about_file)                                                                    \
    {"file", FIELD_TEXT, offsetof(file_shape, file), true, NULL, NULL, LIMIT_NONE,                 \
     NULL,   about_file},                                                                          \
        {"scale",        FIELD_NUMBER, offsetof(file_shape, scale), false, "1 m", "m",             \
         LIMIT_POSITIVE, NULL,         "how long 1 in the file is"},                               \
    {                                                                                              \
        "translation", FIELD_VECTOR, offsetof(file_shape, translation), false, "[0, 0, 0]", "m",   \
            LIMIT_NONE, NULL, "where the origin of the file goes"                                  \
    }

/* The mark in the file: line 0 for the whole file. */
static mark in_file(const char *path, int line)
{
    return (mark){path, line, line > 0 ? 1 : 0};
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct source {
    reader *read;
    const file_shape *shape;
    const char *path;
    point_list points;
    bool closed;
    int lines; /* number of lines in the file: paths, chains */
} source;

typedef bool (*parse)(source *s, const char *text, size_t size);

static bool trace_list(source *s, polyline *line)
{
    const file_shape *shape = s->shape;
    for (int i = 0; i < s->points.count; i++) {
        double *x = s->points.x + 3 * (size_t)i;
        v3_scale(x, shape->scale, x);
        v3_add(x, x, shape->translation);
        if (v3_admissible(x)) continue;
        cord__diagnose(s->read->errors, in_file(s->path, 0),
                       "point %d is beyond the largest value, %g m", i + 1, LARGEST_VALUE);
        return false;
    }
    polyline given = {s->points.count, s->closed, s->points.x};
    int least = s->closed ? 3 : 2;
    if (given.count < least) {
        cord__diagnose(s->read->errors, in_file(s->path, 0),
                       "has %d points; a strand needs at least %d", given.count, least);
        return false;
    }
    return cord__trace_points(s->read, &shape->base, &given, line);
}

static bool trace_file(reader *r, const void *shape, parse how, polyline *line)
{
    const file_shape *f = shape;
    const node *name = cord__node_get(f->base.at, "file");
    source s = {.read = r, .shape = f, .points = {.memory = r->memory}};
    size_t size = 0;
    char *text =
        cord__file_read_named(r->memory, r->errors, &r->files, name->at, f->file, &s.path, &size);
    if (!text) return false;
    bool good = how(&s, text, size);
    cord__release(&r->memory->mem, text);
    return good && trace_list(&s, line);
}

static bool add_point(source *s, int line, const double *x)
{
    if (cord__point_add(&s->points, x[0], x[1], x[2])) return true;
    if (!s->read->memory->failed) {
        cord__diagnose(s->read->errors, in_file(s->path, line), "more than %d points",
                       POINT_LIST_MAX);
    }
    return false;
}

/* The end of the line at p. */
static const char *line_end(const char *p)
{
    return p + strcspn(p, "\r\n");
}

static const char *next_line(const char *end)
{
    if (*end == '\r') end++;
    if (*end == '\n') end++;
    return end;
}

/* ---- CSV ---------------------------------------------------------------------------------- */

static const char *skip_separators(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == ',' || *p == ';') p++;
    return p;
}

/* The numbers of a line, at most 3; -1 if it contains other text. */
static int parse_row(const char *p, const char *end, double *x)
{
    int count = 0;
    for (p = skip_separators(p); p < end && count < 3; p = skip_separators(p)) {
        if (!cord__parse_number(&p, &x[count]) || !isfinite(x[count])) return -1;
        if (p < end && !strchr(" \t,;", *p)) return -1;
        count++;
    }
    return count;
}

static bool parse_csv(source *s, const char *text, size_t size)
{
    (void)size;
    int number = 1;
    for (const char *p = text; *p; number++) {
        const char *end = line_end(p);
        double x[3] = {0, 0, 0};
        int count = *p == '#' ? 0 : parse_row(p, end, x);
        bool header = count < 0 && s->points.count == 0 && number == 1;
        if (!header && (count < 0 || count == 1)) {
            cord__diagnose(s->read->errors, in_file(s->path, number),
                           "expected the numbers x, y, z of a point");
            return false;
        }
        if (count >= 2 && !add_point(s, number, x)) return false;
        p = next_line(end);
    }
    s->closed = s->shape->closed;
    const double *x = s->points.x;
    int last = s->points.count - 1;
    if (s->closed && last > 0 && v3_distance(x, x + 3 * (size_t)last) == 0) s->points.count--;
    return true;
}

static bool trace_csv(reader *r, const void *shape, polyline *line)
{
    return trace_file(r, shape, parse_csv, line);
}

static const field csv_fields[] = {
    FILE_FIELDS("a text file with x, y and z (or x and y) of a point on each line; a first line of "
                "names is skipped"),
    {"closed", FIELD_BOOL, offsetof(file_shape, closed), false, "no", NULL, LIMIT_NONE, NULL,
     "whether the last point is joined to the first"},
    BASE_FIELDS(VERTICES_GIVEN),
};
const shape_ops cord__csv_shape = {{"csv", "straight from point to point of a CSV file",
                                    sizeof(file_shape), csv_fields, FIELD_COUNT(csv_fields), NULL},
                                   trace_csv,
                                   true};

/* ---- OBJ ---------------------------------------------------------------------------------- */

/* Chains of vertices: an `l` that begins at the end of the last one continues it. */
typedef struct obj {
    source *s;
    point_list vertices;
    int chain;       /* the chain being read, from 1 */
    int last, first; /* indices of its ends */
} obj;

static bool obj_wrong(obj *o, int line, const char *what)
{
    cord__diagnose(o->s->read->errors, in_file(o->s->path, line), "%s", what);
    return false;
}

static bool obj_vertex(obj *o, int line, const char *p, const char *end)
{
    double x[3] = {0, 0, 0};
    if (parse_row(p, end, x) < 3) return obj_wrong(o, line, "v needs three numbers");
    return cord__point_add(&o->vertices, x[0], x[1], x[2]) || obj_wrong(o, line, "too many points");
}

static bool obj_add(obj *o, int line, int index)
{
    if (o->chain != o->s->shape->line) return true;
    if (index == o->first && o->s->points.count > 2) {
        o->s->closed = true;
        return true;
    }
    if (o->s->closed) return obj_wrong(o, line, "the line goes on after it is closed");
    return add_point(o->s, line, o->vertices.x + 3 * (size_t)index);
}

/* One index of an `l`, "3" or "3/1" (the second is for textures) or "-1" (the last so far). */
static bool obj_index(obj *o, int line, const char **p, int *index)
{
    double number;
    if (!cord__parse_number(p, &number) || number != floor(number) || fabs(number) > POINT_LIST_MAX)
        return obj_wrong(o, line, "l needs numbers of vertices");
    while (**p && !isspace((unsigned char)**p)) (*p)++;
    *index = number < 0 ? o->vertices.count + (int)number : (int)number - 1;
    return (*index >= 0 && *index < o->vertices.count) ||
           obj_wrong(o, line, "l names a vertex that is not there");
}

static bool obj_line(obj *o, int line, const char *p, const char *end)
{
    bool begins = true;
    for (p = skip_separators(p); p < end; p = skip_separators(p)) {
        int index;
        if (!obj_index(o, line, &p, &index)) return false;
        bool joined = begins && o->chain > 0 && index == o->last;
        if (begins && !joined) {
            o->chain++;
            o->first = -1;
        }
        if (!joined && !obj_add(o, line, index)) return false;
        if (o->first < 0) o->first = index;
        o->last = index;
        begins = false;
    }
    return true;
}

static bool parse_obj(source *s, const char *text, size_t size)
{
    (void)size;
    obj o = {.s = s, .vertices = {.memory = s->read->memory}, .last = -1, .first = -1};
    int number = 1;
    for (const char *p = text; *p; number++) {
        const char *end = line_end(p);
        bool spaced = p[0] && (p[1] == ' ' || p[1] == '\t');
        if (spaced && *p == 'v' && !obj_vertex(&o, number, p + 1, end)) return false;
        if (spaced && *p == 'l' && !obj_line(&o, number, p + 1, end)) return false;
        p = next_line(end);
    }
    s->lines = o.chain;
    if (s->points.count > 0) return true;
    cord__diagnose(s->read->errors, in_file(s->path, 0), "has no line %d, only %d", s->shape->line,
                   o.chain);
    return false;
}

static bool trace_obj(reader *r, const void *shape, polyline *line)
{
    return trace_file(r, shape, parse_obj, line);
}

static const field obj_fields[] = {
    FILE_FIELDS("a Wavefront OBJ file with lines (l); one that ends where it began is closed"),
    {"line", FIELD_INTEGER, offsetof(file_shape, line), false, "1", "", LIMIT_COUNT, NULL,
     "which of its lines, counted from 1"},
    BASE_FIELDS(VERTICES_GIVEN),
};
const shape_ops cord__obj_shape = {
    {"obj", "a line of an OBJ file", sizeof(file_shape), obj_fields, FIELD_COUNT(obj_fields), NULL},
    trace_obj,
    true};

/* ---- SVG ---------------------------------------------------------------------------------- */

/* The value of an attribute of the element between p and end; NULL if it has none. */
static const char *attribute(const char *p, const char *end, const char *name, size_t *length)
{
    size_t n = strlen(name);
    for (; p + n + 2 < end; p++) {
        if (!isspace((unsigned char)p[0]) || strncmp(p + 1, name, n) != 0) continue;
        const char *q = p + 1 + n;
        while (q < end && isspace((unsigned char)*q)) q++;
        if (q >= end || *q++ != '=') continue;
        while (q < end && isspace((unsigned char)*q)) q++;
        if (q >= end || (*q != '"' && *q != '\'')) continue;
        const char *close = memchr(q + 1, *q, (size_t)(end - q - 1));
        if (!close) return NULL;
        *length = (size_t)(close - q - 1);
        return q + 1;
    }
    return NULL;
}

/* The attribute d of the n-th path, or of the path with the id. */
static const char *find_path(const char *text, const char *id, int n, size_t *length)
{
    for (const char *p = text; (p = strstr(p, "<path")); p++) {
        const char *end = strchr(p, '>');
        if (!end) return NULL;
        size_t id_length = 0;
        const char *own = attribute(p + 5, end, "id", &id_length);
        bool wanted = !id || (own && strlen(id) == id_length && strncmp(own, id, id_length) == 0);
        const char *d = wanted ? attribute(p + 5, end, "d", length) : NULL;
        if (d && --n <= 0) return d;
    }
    return NULL;
}

static bool parse_svg(source *s, const char *text, size_t size)
{
    (void)size;
    diagnostics *d = s->read->errors;
    size_t length = 0;
    const char *id = s->shape->id, *path = find_path(text, id, s->shape->line, &length);
    if (!path) {
        cord__diagnose(d, in_file(s->path, 0), "has no path%s%.40s", id ? " with the id " : "",
                       id ? id : "");
        return false;
    }
    char error[128];
    if (!cord__svg_path(path, length, &s->points, &s->closed, error, sizeof error)) {
        cord__diagnose(d, in_file(s->path, 0), "%s", error);
        return false;
    }
    for (int i = 0; i < s->points.count; i++) { /* the y axis of SVG points down */
        double *x = s->points.x + 3 * (size_t)i, across = x[0], down = x[1];
        v3_combine(x, across, s->shape->right, -down, s->shape->up);
    }
    return true;
}

static bool finish_svg(reader *r, void *item)
{
    file_shape *s = item;
    double c[3];
    v3_cross(c, s->right, s->up);
    if (v3_norm(c) == 0 || !isfinite(v3_norm(c))) {
        cord__diagnose(r->errors, s->base.at->at,
                       "svg: \"right\" and \"up\" must be two different directions");
        return false;
    }
    v3_normalize(s->right, s->right);
    v3_normalize(s->up, s->up);
    return true;
}

static bool trace_svg(reader *r, const void *shape, polyline *line)
{
    return trace_file(r, shape, parse_svg, line);
}

static const field svg_fields[] = {
    FILE_FIELDS("an SVG drawing; transforms in it are not applied"),
    {"id", FIELD_TEXT, offsetof(file_shape, id), false, NULL, NULL, LIMIT_NONE, NULL,
     "which path; default: the first"},
    {"right", FIELD_VECTOR, offsetof(file_shape, right), false, "[1, 0, 0]", "", LIMIT_NONE, NULL,
     "the direction of the page's right"},
    {"up", FIELD_VECTOR, offsetof(file_shape, up), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the direction of the page's top"},
    BASE_FIELDS(VERTICES_NEEDED),
};
const shape_ops cord__svg_shape = {{"svg", "a path of an SVG drawing", sizeof(file_shape),
                                    svg_fields, FIELD_COUNT(svg_fields), finish_svg},
                                   trace_svg,
                                   false};

/* ---- without a scene ---------------------------------------------------------------------- */

static const parse parsers[] = {
    [FILE_CSV] = parse_csv, [FILE_OBJ] = parse_obj, [FILE_SVG] = parse_svg};

static bool named(const char *path, const char *ending)
{
    size_t length = strlen(path), n = strlen(ending);
    return length > n && strcasecmp(path + length - n, ending) == 0;
}

static file_format format_of(const char *path)
{
    return named(path, ".svg") ? FILE_SVG : named(path, ".obj") ? FILE_OBJ : FILE_CSV;
}

/* The number of lines to read: at least one, so that a file without lines is an error. */
static int count_lines(file_format format, const char *text, const source *first)
{
    size_t length;
    int count = 1;
    if (format == FILE_OBJ) return first->lines;
    while (format == FILE_SVG && find_path(text, NULL, count + 1, &length)) count++;
    return count;
}

static bool read_line(reader *r, const char *path, const char *text, int number, double scale,
                      source *s)
{
    file_shape shape = {.scale = scale, .right = {1, 0, 0}, .up = {0, 0, 1}, .line = number};
    *s = (source){.read = r, .shape = &shape, .path = path, .points = {.memory = r->memory}};
    bool good = parsers[format_of(path)](s, text, strlen(text));
    s->shape = NULL;
    if (!good) return false;
    for (int i = 0; i < 3 * s->points.count; i++) s->points.x[i] *= scale;
    return true;
}

bool cord__read_lines(arena *memory_of, diagnostics *errors, const char *path, double scale,
                      polyline **lines, int *count)
{
    reader r = {.memory = memory_of, .errors = errors};
    size_t size = 0;
    char *text = cord__file_read(memory_of, errors, NULL, in_file(path, 0), path, &size);
    if (!text) return false;
    source s;
    bool good = read_line(&r, path, text, 1, scale, &s);
    *count = good ? count_lines(format_of(path), text, &s) : 0;
    *lines = TAKE(memory_of, polyline, (size_t)(good ? *count : 1));
    good = good && *lines;
    for (int i = 0; i < *count && good; i++) {
        good = read_line(&r, path, text, i + 1, scale, &s);
        (*lines)[i] = (polyline){s.points.count, s.closed, s.points.x};
    }
    cord__release(&memory_of->mem, text);
    return good;
}

/* ---- without a file ----------------------------------------------------------------------- */

bool cord__trace_text(reader *r, file_format format, const char *text, polyline *line)
{
    static const file_shape plain = {
        .base.vertices = 10, .scale = 1, .right = {1, 0, 0}, .up = {0, 0, 1}, .line = 1};
    source s = {.read = r, .shape = &plain, .path = "text", .points = {.memory = r->memory}};
    return parsers[format](&s, text, strlen(text)) && trace_list(&s, line);
}
