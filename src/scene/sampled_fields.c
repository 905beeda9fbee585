/* Height fields and grids of distances: values at nodes, in the scene or in a file. */
#include "math/range.h"
#include "scene/contacts.h"
#include "scene/files.h"
#include "scene/image_file.h"
#include "scene/shapes.h"
#include "scene/units.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { NODES_MAX = 1000000 };

/* ---- tables of numbers ------------------------------------------------------------------------ */

typedef struct number_table {
    reader *read;
    const char *path;
    int rows, columns; /* of the first row */
    int64_t count;
    double scale, *values; /* NULL: they are only counted */
} number_table;

static bool wrong_row(const number_table *t, int line, const char *what)
{
    cord__diagnose(t->read->errors, (mark){t->path, line, 1}, "%s", what);
    return false;
}

static const char *skip_separators(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == ',' || *p == ';') p++;
    return p;
}

static bool read_row(number_table *t, const char *p, const char *end, int line)
{
    int columns = 0;
    for (p = skip_separators(p); p < end; p = skip_separators(p)) {
        double x;
        if (!cord__parse_number(&p, &x) || !is_admissible(x * t->scale))
            return wrong_row(t, line, "expected numbers, separated by commas or blanks");
        if (t->count == NODES_MAX) return wrong_row(t, line, "has more than 1000000 numbers");
        if (t->values) t->values[t->count] = t->scale * x;
        t->count++, columns++;
    }
    if (columns == 0) return true;
    if (t->rows++ == 0) t->columns = columns;
    return true;
}

static bool read_rows(number_table *t, const char *text)
{
    int line = 0;
    t->count = t->rows = 0;
    for (const char *p = text; *p;) {
        const char *end = p + strcspn(p, "\r\n");
        line++;
        if (*p != '#' && !read_row(t, p, end, line)) return false;
        p = end;
        if (*p == '\r') p++;
        if (*p == '\n') p++;
    }
    return true;
}

static bool read_table(number_table *t, const char *text)
{
    if (!read_rows(t, text)) return false;
    t->values = TAKE(t->read->memory, double, t->count);
    return t->values && read_rows(t, text);
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool is_png(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".png") == 0;
}

/* The first row of nodes, y = 0, is the lowest row of pixels. */
static bool read_picture(reader *r, sampled_field *f, const char *text, size_t size)
{
    image_pixels image = {0};
    int64_t left = SCENE_MAX_PIXELS - r->pixels, before = left;
    mark at = cord__node_get(f->at, "file")->at;
    if (isnan(f->height)) {
        cord__diagnose(r->errors, at, "a picture of heights needs \"height\", that of white");
        return false;
    }
    if (!cord__image_decode(r->memory, r->errors, at, (const unsigned char *)text, size, &left,
                            &image))
        return false;
    r->pixels += before - left;
    double *x = TAKE(r->memory, double, (size_t)image.columns *(size_t)image.rows);
    for (int j = 0; x && j < image.rows; j++)
        for (int i = 0; i < image.columns; i++) {
            const unsigned char *p = image.rgba + 4 * ((size_t)j * (size_t)image.columns + i);
            double grey = (0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]) / 255;
            x[(size_t)(image.rows - 1 - j) * (size_t)image.columns + i] = f->height * grey;
        }
    f->count[0] = image.columns, f->count[1] = image.rows;
    f->nodes = x;
    return x != NULL;
}

static bool read_file(reader *r, sampled_field *f, int directions)
{
    mark at = cord__node_get(f->at, "file")->at;
    number_table t = {.read = r, .scale = f->scale};
    size_t size = 0;
    char *text =
        cord__file_read_named(r->memory, r->errors, &r->files, at, f->file, &t.path, &size);
    if (!text) return false;
    bool picture = directions == 2 && is_png(f->file);
    bool good = picture ? read_picture(r, f, text, size) : read_table(&t, text);
    cord__release(&r->memory->mem, text);
    if (!good || picture) return good;
    if (f->counts.count == 0 && directions == 2) f->count[0] = t.columns, f->count[1] = t.rows;
    f->values = (number_list){(int)t.count, t.values};
    return true;
}

/* ---- both kinds ----------------------------------------------------------------------------- */

static bool set_counts(reader *r, sampled_field *f, int directions)
{
    for (int k = 0; f->counts.count > 0 && k < directions; k++) {
        f->count[k] = (int)f->counts.values[k];
        if (f->count[k] == f->counts.values[k] && f->count[k] >= 2) continue;
        cord__diagnose(r->errors, cord__node_get(f->at, "counts")->at,
                       "counts: expected whole numbers of at least 2");
        return false;
    }
    return true;
}

static bool finish(reader *r, sampled_field *f, int directions)
{
    if ((f->file != NULL) == (f->values.count > 0)) {
        cord__diagnose(r->errors, f->at->at, "it needs either \"values\" or a \"file\"");
        return false;
    }
    if (!set_counts(r, f, directions) || (f->file && !read_file(r, f, directions))) return false;
    int64_t total = 1;
    for (int k = 0; k < directions; k++) total *= f->count[k];
    if (!f->nodes && total != f->values.count) {
        cord__diagnose(r->errors, f->at->at,
                       "it has %d values, and counts of %d x %d%s%.0d: as many values as nodes are "
                       "needed, x first",
                       f->values.count, f->count[0], f->count[1], directions > 2 ? " x " : "",
                       f->count[2]);
        return false;
    }
    if (!f->nodes) f->nodes = f->values.values;
    return cord__count_vertices(r, f->at, total);
}

static bool finish_heights(reader *r, void *item)
{
    sampled_field *f = item;
    if (!f->file && f->counts.count == 0) {
        cord__diagnose(r->errors, f->at->at, "values need \"counts\", as in [20, 30]");
        return false;
    }
    return finish(r, f, 2);
}

static bool finish_distances(reader *r, void *item)
{
    return finish(r, item, 3);
}

static const count_range two = {2, 2}, three = {3, 3}, many = {4, NODES_MAX};

#define SPACING_FIELD                                                                              \
    {                                                                                              \
        "spacing", FIELD_NUMBER, offsetof(sampled_field, spacing), true, NULL, "m",                \
            LIMIT_POSITIVE, NULL, "the distance of neighbouring nodes"                             \
    }
#define SCALE_FIELD                                                                                \
    {                                                                                              \
        "scale", FIELD_NUMBER, offsetof(sampled_field, scale), false, "1 m", "m", LIMIT_POSITIVE,  \
            NULL, "how long 1 in the file is"                                                      \
    }

static const field height_fields[] = {
    SPACING_FIELD,
    {"counts", FIELD_NUMBERS, offsetof(sampled_field, counts), false, NULL, "", LIMIT_COUNT, &two,
     "how many nodes along x and y; default: as the file has columns and rows"},
    {"values", FIELD_NUMBERS, offsetof(sampled_field, values), false, NULL, "m", LIMIT_NONE, &many,
     "the heights: along x first, then the next row"},
    {"file", FIELD_TEXT, offsetof(sampled_field, file), false, NULL, NULL, LIMIT_NONE, NULL,
     "instead of values: a CSV file with a row of heights in each line, or a PNG file"},
    SCALE_FIELD,
    {"height", FIELD_NUMBER, offsetof(sampled_field, height), false, NULL, "m", LIMIT_NONE, NULL,
     "of a PNG file: that of white; black has 0"},
};
const mapping cord__height_field_map = {"heightfield",
                                        "heights z over a rectangle that begins at the origin, "
                                        "solid below; constant beyond its borders",
                                        sizeof(sampled_field),
                                        height_fields,
                                        FIELD_COUNT(height_fields),
                                        finish_heights};

static const field distance_fields[] = {
    SPACING_FIELD,
    {"counts", FIELD_NUMBERS, offsetof(sampled_field, counts), true, NULL, "", LIMIT_COUNT, &three,
     "how many nodes along x, y and z"},
    {"values", FIELD_NUMBERS, offsetof(sampled_field, values), false, NULL, "m", LIMIT_NONE, &many,
     "the distances from the surface, negative inside: along x first, z last"},
    {"file", FIELD_TEXT, offsetof(sampled_field, file), false, NULL, NULL, LIMIT_NONE, NULL,
     "instead of values: a CSV file of them"},
    SCALE_FIELD,
};
const mapping cord__distance_grid_map = {
    "distance_grid",
    "a solid by signed distances at the nodes of a box that begins at the origin; its surface must "
    "not come near the border of the box",
    sizeof(sampled_field),
    distance_fields,
    FIELD_COUNT(distance_fields),
    finish_distances};
