#include "record/hdf5_things.h"

#include "record/origin.h"

#include <math.h>
#include <string.h>

/* ---- what there is ------------------------------------------------------------------------ */

static cord_status list_strand(const recording *r, objects *t, int i)
{
    cord_strand_info s;
    cord_status status = cord_strand_get_info(r->world, cord_scene_get_strand(r->scene, i), &s);
    if (status != CORD_OK) return status;
    t->strands[i] =
        (strand_record){.vertices = s.vertex_count,
                        .edges = s.edge_count,
                        .closed = s.closed,
                        .length = s.length,
                        .mass = s.mass,
                        .section = {s.section.kind, s.section.radius, s.section.inner_radius,
                                    s.section.size[0], s.section.size[1]}};
    t->vertices += (size_t)s.vertex_count;
    t->edges += (size_t)s.edge_count;
    if ((size_t)s.edge_count > t->longest) t->longest = (size_t)s.edge_count;
    return status;
}

static cord_status ask_strands(const recording *r, objects *t)
{
    double *values = NEW(r->mem, double, 9 * t->longest);
    cord_status status = values ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < QUANTITY_COUNT * t->strand_count; i++) {
        strand_record *s = &t->strands[i / QUANTITY_COUNT];
        int what = i % QUANTITY_COUNT;
        status = cord__strand_row(r->scene, r->world, i / QUANTITY_COUNT, (quantity)what,
                                  (int)s->edges, values);
        s->recorded[what] = status == CORD_OK;
        if (status == CORD_ERROR_UNSUPPORTED) status = CORD_OK;
    }
    cord__release(r->mem, values);
    return status;
}

cord_status cord__things_list(recording *r, objects *t)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    *t = (objects){.strand_count = info.strand_count,
                   .body_count = info.solid_count,
                   .probe_count = info.probe_count};
    t->strands = NEW(r->mem, strand_record, t->strand_count);
    t->probes = NEW(r->mem, probe_record, t->probe_count);
    if (!t->strands || !t->probes) return CORD_ERROR_MEMORY;
    for (int i = 0; i < t->strand_count; i++) {
        cord_status status = list_strand(r, t, i);
        if (status != CORD_OK) return status;
    }
    for (int i = 0; i < t->probe_count; i++) {
        cord_probe_info p = cord_scene_get_probe(r->scene, i);
        t->probes[i] = (probe_record){p.items, p.columns};
        t->numbers += (size_t)p.items * (size_t)p.columns;
    }
    return ask_strands(r, t);
}

void cord__things_free(memory *m, objects *t)
{
    cord__release(m, t->strands);
    cord__release(m, t->probes);
}

/* ---- strands ------------------------------------------------------------------------------ */

static cord_status store_lengths(const recording *r, const objects *t, hid_t group)
{
    static const table_column column[] = {{"natural_lengths", 1}, {NULL, 0}};
    double *lengths = NEW(r->mem, double, t->edges), *next = lengths;
    if (!lengths) return CORD_ERROR_MEMORY;
    for (int i = 0; i < t->strand_count; i++) {
        int edges = (int)t->strands[i].edges;
        cord__natural_lengths(r->scene, i, edges, next);
        next += edges;
    }
    bool good = cord__hdf5_put_table(group, column, (int)t->edges, lengths);
    cord__release(r->mem, lengths);
    return good ? CORD_OK : CORD_ERROR_FILE;
}

static cord_status store_strands(const recording *r, const objects *t, hid_t group)
{
    int count = t->strand_count;
    const char **names = NEW(r->mem, const char *, count);
    const char **models = NEW(r->mem, const char *, count);
    cord_status status = names && models ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        cord_strand_info s = {0};
        status = cord_strand_get_info(r->world, cord_scene_get_strand(r->scene, i), &s);
        names[i] = cord_scene_get_strand_name(r->scene, i);
        models[i] = s.model;
    }
    if (status == CORD_OK) status = cord__hdf5_put_texts(r->mem, group, "name", count, names);
    if (status == CORD_OK) status = cord__hdf5_put_texts(r->mem, group, "model", count, models);
    if (status == CORD_OK && !cord__hdf5_put_table(group, cord__strand_columns, count, t->strands))
        status = CORD_ERROR_FILE;
    if (status == CORD_OK) status = store_lengths(r, t, group);
    cord__release(r->mem, names);
    cord__release(r->mem, models);
    return status;
}

/* ---- bodies ------------------------------------------------------------------------------- */

/* The few bodies that are meshes have a group each. */
static bool store_mesh(hid_t bodies, int i, const cord_shape *s)
{
    if (s->kind != CORD_SHAPE_MESH) return true;
    hid_t group = cord__hdf5_make_numbered(bodies, i);
    bool good = group >= 0 &&
                cord__hdf5_put_array(group, "vertices", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                                     s->vertex_count, s->vertices) &&
                cord__hdf5_put_array(group, "triangles", H5T_STD_I32LE, H5T_NATIVE_INT,
                                     s->triangle_count, s->triangles);
    if (group >= 0) H5Gclose(group);
    return good;
}

static body_record describe_body(const cord_body_info *b, int rgb)
{
    const cord_shape *s = &b->shape;
    body_record record = {
        .mass = b->mass,
        .size = {s->radius, s->length, s->size[0], s->size[1], s->size[2]},
    };
    memcpy(record.center, b->center, sizeof record.center);
    memcpy(record.moments, b->moments, sizeof record.moments);
    memcpy(record.axes, b->axes, sizeof record.axes);
    for (int k = 0; k < 3; k++)
        record.colour[k] = rgb >= 0 ? (rgb >> (16 - 8 * k) & 255) / 255.0 : NAN;
    return record;
}

static cord_status store_bodies(const recording *r, const objects *t, hid_t group)
{
    int count = t->body_count;
    const char **names = NEW(r->mem, const char *, count);
    const char **shapes = NEW(r->mem, const char *, count);
    body_record *records = NEW(r->mem, body_record, count);
    cord_status status = names && shapes && records ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        cord_body_info b;
        status = cord_scene_get_solid(r->scene, r->world, i, &b);
        if (status != CORD_OK) break;
        if (!store_mesh(group, i, &b.shape)) status = CORD_ERROR_FILE;
        names[i] = cord_scene_get_solid_name(r->scene, i);
        shapes[i] = cord_shape_name(b.shape.kind);
        records[i] = describe_body(&b, cord_scene_get_solid_colour(r->scene, i));
    }
    if (status == CORD_OK) status = cord__hdf5_put_texts(r->mem, group, "name", count, names);
    if (status == CORD_OK) status = cord__hdf5_put_texts(r->mem, group, "shape", count, shapes);
    if (status == CORD_OK && !cord__hdf5_put_table(group, cord__body_columns, count, records))
        status = CORD_ERROR_FILE;
    cord__release(r->mem, names);
    cord__release(r->mem, shapes);
    cord__release(r->mem, records);
    return status;
}

/* ---- probes ------------------------------------------------------------------------------- */

static cord_status store_columns(const recording *r, const objects *t, hid_t group)
{
    int count = 0, used = 0;
    for (int i = 0; i < t->probe_count; i++) count += (int)t->probes[i].columns;
    const char **names = NEW(r->mem, const char *, count);
    const char **units = NEW(r->mem, const char *, count);
    cord_status status = names && units ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < t->probe_count; i++) {
        for (int c = 0; c < (int)t->probes[i].columns; c++, used++)
            names[used] = cord_scene_get_probe_column(r->scene, i, c, &units[used]);
    }
    if (status == CORD_OK)
        status = cord__hdf5_put_texts(r->mem, group, "column_name", count, names);
    if (status == CORD_OK)
        status = cord__hdf5_put_texts(r->mem, group, "column_unit", count, units);
    cord__release(r->mem, names);
    cord__release(r->mem, units);
    return status;
}

static cord_status store_probes(const recording *r, const objects *t, hid_t group)
{
    static const char *const keys[] = {"name", "measure", "of"};
    int count = t->probe_count;
    const char **texts = NEW(r->mem, const char *, 3 * (size_t)count);
    if (!texts) return CORD_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        cord_probe_info p = cord_scene_get_probe(r->scene, i);
        texts[i] = p.name;
        texts[count + i] = p.measure;
        texts[2 * count + i] = p.of;
    }
    cord_status status = CORD_OK;
    for (int k = 0; status == CORD_OK && k < 3; k++)
        status = cord__hdf5_put_texts(r->mem, group, keys[k], count, texts + (ptrdiff_t)k * count);
    cord__release(r->mem, texts);
    if (status == CORD_OK && !cord__hdf5_put_table(group, cord__probe_columns, count, t->probes))
        status = CORD_ERROR_FILE;
    return status == CORD_OK ? store_columns(r, t, group) : status;
}

/* ---- all of them -------------------------------------------------------------------------- */

/* A group of things, of which there may be none. */
static cord_status store_group(const recording *r, const objects *t, hid_t file, const char *name,
                               int count,
                               cord_status (*store)(const recording *, const objects *, hid_t))
{
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return CORD_ERROR_FILE;
    cord_status status = count > 0 ? store(r, t, group) : CORD_OK;
    H5Gclose(group);
    return status;
}

cord_status cord__things_store(const recording *r, const objects *t, hid_t file)
{
    cord_status status = store_group(r, t, file, "strands", t->strand_count, store_strands);
    if (status == CORD_OK) status = store_group(r, t, file, "bodies", t->body_count, store_bodies);
    if (status == CORD_OK) status = store_group(r, t, file, "probes", t->probe_count, store_probes);
    return status;
}
