/* The tables of a recording that describe strands, bodies and probes. */
#include "record/reading_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char **read_texts(reading *r, hid_t group, const char *name, int count)
{
    char **texts = cord__hdf5_get_texts(&r->mem, group, name, count);
    if (texts) r->lists[r->list_count++] = texts;
    return texts;
}

/* Opens what is over frames in a group: "strands/positions". */
static hid_t open_in(const reading *r, const char *group, const char *name, int64_t items,
                     int columns)
{
    char path[48];
    snprintf(path, sizeof path, "%s/%s", group, name);
    return cord__reading_open_series(r, path, items, columns);
}

static bool open_quantity(reading *r, int q)
{
    const snapshot_layout *l = &r->info.layout;
    const quantity_info *info = &cord__quantities[q];
    bool wanted = false;
    for (int i = 0; !wanted && i < r->info.layout.strand_count; i++)
        wanted = r->info.layout.strands[i].has[q];
    if (!wanted) return true;
    r->strands[q] = open_in(r, "strands", info->name,
                            (int64_t)(info->per_edge ? l->edge_count : l->vertex_count),
                            info->columns > 1 ? info->columns : 0);
    return r->strands[q] >= 0;
}

static bool take_strand(const strand_record *from, snapshot_strand *s)
{
    s->closed = from->closed != 0;
    s->length = from->length;
    s->mass = from->mass;
    s->section = (cord_section){.kind = (cord_section_kind)(int)from->section[0],
                                .radius = from->section[1],
                                .inner_radius = from->section[2],
                                .size = {from->section[3], from->section[4]}};
    for (int q = 0; q < QUANTITY_COUNT; q++) s->has[q] = from->recorded[q] != 0;
    return cord__reading_count(from->vertices, &s->vertex_count) && s->vertex_count > 0 &&
           cord__reading_count(from->edges, &s->edge_count) && s->edge_count > 0 &&
           s->has[QUANTITY_POSITIONS];
}

static bool take_strands(reading *r, hid_t group, const void *table)
{
    const strand_record *records = table;
    snapshot_layout *l = &r->info.layout;
    char **names = read_texts(r, group, "name", l->strand_count);
    char **models = read_texts(r, group, "model", l->strand_count);
    if (!names || !models) return false;
    for (int i = 0; i < l->strand_count; i++) {
        snapshot_strand *s = &l->strands[i];
        s->name = names[i], s->model = models[i], s->colour = -1;
        s->first_vertex = l->vertex_count, s->first_edge = l->edge_count;
        if (!take_strand(&records[i], s)) return false;
        l->vertex_count += (size_t)s->vertex_count, l->edge_count += (size_t)s->edge_count;
        if ((size_t)s->edge_count > l->longest) l->longest = (size_t)s->edge_count;
    }
    bool good = true;
    for (int q = 0; good && q < QUANTITY_COUNT; q++) good = open_quantity(r, q);
    return good;
}

static bool read_mesh(reading *r, hid_t bodies, int i, cord_shape *s)
{
    void *vertices = NULL, *triangles = NULL;
    hid_t group = cord__hdf5_open_numbered(bodies, i);
    bool good = group >= 0 &&
                cord__hdf5_get_array(&r->mem, group, "vertices", H5T_NATIVE_DOUBLE, sizeof(double),
                                     MAX_OBJECTS, &vertices, &s->vertex_count) &&
                cord__hdf5_get_array(&r->mem, group, "triangles", H5T_NATIVE_INT, sizeof(int),
                                     MAX_OBJECTS, &triangles, &s->triangle_count);
    if (group >= 0) H5Gclose(group);
    s->vertices = vertices, s->triangles = triangles;
    for (int c = 0; good && c < 3 * s->triangle_count; c++)
        good = s->triangles[c] >= 0 && s->triangles[c] < s->vertex_count;
    return good;
}

static bool read_shape(reading *r, hid_t bodies, int i, const char *kind, const double size[5])
{
    cord_shape *s = &r->info.layout.bodies[i].shape;
    bool known = false;
    for (int k = CORD_SHAPE_NONE; k <= CORD_SHAPE_PLANE; k++) {
        if (strcmp(kind, cord_shape_name((cord_shape_kind)k)) != 0) continue;
        s->kind = (cord_shape_kind)k;
        known = true;
    }
    s->radius = size[0], s->length = size[1];
    memcpy(s->size, size + 2, sizeof s->size);
    return known && (s->kind != CORD_SHAPE_MESH || read_mesh(r, bodies, i, s));
}

/* 0xrrggbb; -1 when none was given. */
static int as_colour(const double srgb[3])
{
    int colour = 0;
    for (int k = 0; k < 3; k++) {
        if (!(srgb[k] >= 0 && srgb[k] <= 1)) return -1;
        colour = colour << 8 | (int)lround(255 * srgb[k]);
    }
    return colour;
}

static bool take_bodies(reading *r, hid_t group, const void *table)
{
    const body_record *records = table;
    char **names = read_texts(r, group, "name", r->info.layout.body_count);
    char **shapes = read_texts(r, group, "shape", r->info.layout.body_count);
    bool good = names && shapes;
    for (int i = 0; good && i < r->info.layout.body_count; i++) {
        const body_record *from = &records[i];
        snapshot_body *b = &r->info.layout.bodies[i];
        b->name = names[i];
        b->mass = from->mass;
        memcpy(b->center, from->center, sizeof b->center);
        memcpy(b->moments, from->moments, sizeof b->moments);
        memcpy(b->axes, from->axes, sizeof b->axes);
        b->colour = as_colour(from->colour);
        good = read_shape(r, group, i, shapes[i], from->size);
    }
    for (int q = 0; good && q < BODY_QUANTITY_COUNT; q++) {
        const body_quantity_info *info = &cord__body_quantities[q];
        r->bodies[q] = open_in(r, "bodies", info->name, r->info.layout.body_count, info->columns);
        good = r->bodies[q] >= 0;
    }
    return good;
}

static bool name_probes(reading *r, hid_t group)
{
    int count = r->info.layout.probe_count;
    char **names = read_texts(r, group, "name", count);
    char **measures = read_texts(r, group, "measure", count);
    char **of = read_texts(r, group, "of", count);
    if (!names || !measures || !of) return false;
    for (int i = 0; i < count; i++) {
        snapshot_probe *p = &r->info.layout.probes[i];
        p->name = names[i];
        p->measure = measures[i];
        p->of = of[i][0] ? of[i] : NULL;
    }
    return true;
}

static bool take_probes(reading *r, hid_t group, const void *table)
{
    const probe_record *records = table;
    int count = r->info.layout.probe_count, columns = 0;
    size_t *numbers = &r->info.layout.probe_size;
    if (!name_probes(r, group)) return false;
    for (int i = 0; i < count; i++) {
        snapshot_probe *p = &r->info.layout.probes[i];
        if (!cord__reading_count(records[i].items, &p->items) ||
            !cord__reading_count(records[i].columns, &p->columns))
            return false;
        if (p->columns > MAX_OBJECTS - columns) return false;
        p->first = *numbers;
        columns += p->columns;
        *numbers += (size_t)p->items * (size_t)p->columns;
    }
    char **names = read_texts(r, group, "column_name", columns);
    char **units = read_texts(r, group, "column_unit", columns);
    if (!names || !units) return false;
    for (int i = 0, first = 0; i < count; first += r->info.layout.probes[i++].columns) {
        r->info.layout.probes[i].column_names = (const char *const *)names + first;
        r->info.layout.probes[i].column_units = (const char *const *)units + first;
    }
    r->probes = open_in(r, "probes", "values", (int64_t)*numbers, 0);
    return r->probes >= 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

typedef bool take_table(reading *r, hid_t group, const void *records);

static cord_status read_table(reading *r, const char *name, int count, const table_column *columns,
                              size_t record_size, take_table *take)
{
    if (count == 0) return CORD_OK;
    void *records = cord__allocate(&r->mem, (size_t)count, record_size);
    if (!records) return CORD_ERROR_MEMORY;
    hid_t group = H5Gopen2(r->file, name, H5P_DEFAULT);
    bool good = group >= 0 && cord__hdf5_get_table(group, columns, count, records) &&
                take(r, group, records);
    if (group >= 0) H5Gclose(group);
    cord__release(&r->mem, records);
    char part[32];
    snprintf(part, sizeof part, "a table of /%s", name);
    return good ? CORD_OK : cord__reading_damaged(r, part);
}

cord_status cord__reading_tables(reading *r)
{
    snapshot_layout *l = &r->info.layout;
    l->strands = NEW(&r->mem, snapshot_strand, l->strand_count);
    l->bodies = NEW(&r->mem, snapshot_body, l->body_count);
    l->probes = NEW(&r->mem, snapshot_probe, l->probe_count);
    cord_status status = l->strands && l->bodies && l->probes ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK)
        status = read_table(r, "strands", l->strand_count, cord__strand_columns,
                            sizeof(strand_record), take_strands);
    if (status == CORD_OK)
        status = read_table(r, "bodies", l->body_count, cord__body_columns, sizeof(body_record),
                            take_bodies);
    if (status == CORD_OK)
        status = read_table(r, "probes", l->probe_count, cord__probe_columns, sizeof(probe_record),
                            take_probes);
    if (status == CORD_ERROR_MEMORY) cord__reading_fail(r, status, "out of memory");
    return status;
}
