#include "record/hdf5_tables.h"

#include "record/origin.h"

#include <math.h>
#include <string.h>

/* ---- strands ------------------------------------------------------------------------------ */

static strand_record record_of_strand(const snapshot_strand *s)
{
    strand_record record = {.vertices = s->vertex_count,
                            .edges = s->edge_count,
                            .closed = s->closed,
                            .length = s->length,
                            .mass = s->mass,
                            .section = {s->section.kind, s->section.radius, s->section.inner_radius,
                                        s->section.size[0], s->section.size[1]}};
    for (int q = 0; q < QUANTITY_COUNT; q++) record.recorded[q] = s->has[q];
    return record;
}

static cord_status store_lengths(const recording *r, const snapshot_layout *l, hid_t group)
{
    static const table_column column[] = {{"natural_lengths", 1}, {NULL, 0}};
    double *lengths = NEW(r->mem, double, l->edge_count), *next = lengths;
    if (!lengths) return CORD_ERROR_MEMORY;
    for (int i = 0; i < l->strand_count; i++) {
        cord__natural_lengths(cord_simulation_get_scene(r->simulation), l->strands[i].scene_strand,
                              l->strands[i].edge_count, next);
        for (int j = 0; l->strands[i].fragment > 0 && j < l->strands[i].edge_count; j++)
            next[j] = NAN;
        next += l->strands[i].edge_count;
    }
    bool good = cord__hdf5_put_table(group, column, (int)l->edge_count, lengths);
    cord__release(r->mem, lengths);
    return good ? CORD_OK : CORD_ERROR_FILE;
}

static cord_status store_strands(const recording *r, const snapshot_layout *l, hid_t group)
{
    int count = l->strand_count;
    const char **names = NEW(r->mem, const char *, count);
    const char **models = NEW(r->mem, const char *, count);
    strand_record *records = NEW(r->mem, strand_record, count);
    cord_status status = names && models && records ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        names[i] = l->strands[i].name;
        models[i] = l->strands[i].model;
        records[i] = record_of_strand(&l->strands[i]);
    }
    if (status == CORD_OK) status = cord__hdf5_put_texts(r->mem, group, "name", count, names);
    if (status == CORD_OK) status = cord__hdf5_put_texts(r->mem, group, "model", count, models);
    if (status == CORD_OK && !cord__hdf5_put_table(group, cord__strand_columns, count, records))
        status = CORD_ERROR_FILE;
    if (status == CORD_OK) status = store_lengths(r, l, group);
    cord__release(r->mem, names);
    cord__release(r->mem, models);
    cord__release(r->mem, records);
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

static body_record record_of_body(const snapshot_body *b)
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
        record.colour[k] = b->colour >= 0 ? (b->colour >> (16 - 8 * k) & 255) / 255.0 : NAN;
    return record;
}

static cord_status store_bodies(const recording *r, const snapshot_layout *l, hid_t group)
{
    int count = l->body_count;
    const char **names = NEW(r->mem, const char *, count);
    const char **shapes = NEW(r->mem, const char *, count);
    body_record *records = NEW(r->mem, body_record, count);
    cord_status status = names && shapes && records ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        const snapshot_body *b = &l->bodies[i];
        if (!store_mesh(group, i, &b->shape)) status = CORD_ERROR_FILE;
        names[i] = b->name;
        shapes[i] = cord_shape_name(b->shape.kind);
        records[i] = record_of_body(b);
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

static cord_status store_columns(const recording *r, const snapshot_layout *l, hid_t group)
{
    int count = 0, used = 0;
    for (int i = 0; i < l->probe_count; i++) count += l->probes[i].columns;
    const char **names = NEW(r->mem, const char *, count);
    const char **units = NEW(r->mem, const char *, count);
    cord_status status = names && units ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < l->probe_count; i++) {
        for (int c = 0; c < l->probes[i].columns; c++, used++) {
            names[used] = l->probes[i].column_names[c];
            units[used] = l->probes[i].column_units[c];
        }
    }
    if (status == CORD_OK)
        status = cord__hdf5_put_texts(r->mem, group, "column_name", count, names);
    if (status == CORD_OK)
        status = cord__hdf5_put_texts(r->mem, group, "column_unit", count, units);
    cord__release(r->mem, names);
    cord__release(r->mem, units);
    return status;
}

static cord_status store_probes(const recording *r, const snapshot_layout *l, hid_t group)
{
    static const char *const keys[] = {"name", "measure", "of"};
    int count = l->probe_count;
    const char **texts = NEW(r->mem, const char *, 3 * (size_t)count);
    probe_record *records = NEW(r->mem, probe_record, count);
    cord_status status = texts && records ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        const snapshot_probe *p = &l->probes[i];
        texts[i] = p->name;
        texts[count + i] = p->measure;
        texts[2 * count + i] = p->of;
        records[i] = (probe_record){p->items, p->columns};
    }
    for (int k = 0; status == CORD_OK && k < 3; k++)
        status = cord__hdf5_put_texts(r->mem, group, keys[k], count, texts + (ptrdiff_t)k * count);
    if (status == CORD_OK && !cord__hdf5_put_table(group, cord__probe_columns, count, records))
        status = CORD_ERROR_FILE;
    cord__release(r->mem, texts);
    cord__release(r->mem, records);
    return status == CORD_OK ? store_columns(r, l, group) : status;
}

/* ---- all of them -------------------------------------------------------------------------- */

typedef cord_status store_objects(const recording *r, const snapshot_layout *l, hid_t group);

/* A group, which is empty when the scene has no such objects. */
static cord_status store_group(const recording *r, hid_t file, const char *name, int count,
                               store_objects *store)
{
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return CORD_ERROR_FILE;
    cord_status status = count > 0 ? store(r, r->frame.layout, group) : CORD_OK;
    H5Gclose(group);
    return status;
}

cord_status cord__hdf5_store_tables(const recording *r, hid_t file)
{
    const snapshot_layout *l = r->frame.layout;
    cord_status status = store_group(r, file, "strands", l->strand_count, store_strands);
    if (status == CORD_OK) status = store_group(r, file, "bodies", l->body_count, store_bodies);
    if (status == CORD_OK) status = store_group(r, file, "probes", l->probe_count, store_probes);
    return status;
}
