#include "record/reading.h"

#include "record/hdf5_values.h"
#include "record/origin.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What a damaged file may claim at most. */
enum { MAX_OBJECTS = 1 << 24 };
enum { MOST_LISTS = 9 }; /* of texts, below */
static const size_t MOST_BYTES = (size_t)1 << 32;

struct reading {
    memory mem;
    hid_t file, time, energies;
    hid_t strands[QUANTITY_COUNT], bodies[BODY_QUANTITY_COUNT], probes;
    int list_count;
    char **lists[MOST_LISTS]; /* names and other texts that info points to */
    uint64_t slot;
    size_t world_size;
    reading_info info;
    char error[1400];
};

static cord_status fail(reading *r, cord_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, sizeof r->error, format, arguments);
    va_end(arguments);
    return status;
}

static cord_status damaged(reading *r, const char *what)
{
    return fail(r, CORD_ERROR_FILE, "%s is damaged or cut short: %s cannot be read", r->info.path,
                what);
}

void cord__reading_no_exit_handler(void)
{
    H5dont_atexit();
}

const char *cord__reading_error(const reading *r)
{
    return r->error;
}

const reading_info *cord__reading_info(const reading *r)
{
    return &r->info;
}

/* ---- numbers of attributes ---------------------------------------------------------------- */

static bool get_number(hid_t object, const char *name, double *value)
{
    return cord__hdf5_get_numbers(object, name, 1, value);
}

static bool as_count(double value, int *count)
{
    bool good = value >= 0 && value <= MAX_OBJECTS;
    *count = good ? (int)value : 0;
    return good;
}

static bool get_count(hid_t object, const char *name, int *count)
{
    double value = -1;
    return get_number(object, name, &value) && as_count(value, count);
}

static bool get_numbered_text(reading *r, hid_t object, const char *stem, int i, char **text)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%d", stem, i);
    return cord__hdf5_get_text(&r->mem, object, name, text) && *text;
}

/* ---- one row of a dataset over frames ----------------------------------------------------- */

/* Who reads one strand through all frames, and then the next, finds them in the same chunks: as many as
 * several thousand frames have are kept. */
static hid_t keep_chunks(void)
{
    enum { SLOTS = 32771, BYTES = 128 << 20 }; /* a prime, as HDF5 wants it */
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, SLOTS, BYTES, 1);
    return access;
}

/* Opens a dataset whose rows have `items` × `columns` numbers and that has all frames; columns 0 for
 * rank 2, items 0 for rank 1. */
static hid_t open_series(const reading *r, const char *path, int64_t items, int columns)
{
    hsize_t extent[3] = {0, 0, 0};
    int rank = items == 0 ? 1 : columns == 0 ? 2 : 3;
    hid_t access = keep_chunks(), set = H5Dopen2(r->file, path, access);
    H5Pclose(access);
    if (set < 0) return set;
    hid_t space = H5Dget_space(set);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
                extent[0] >= (hsize_t)r->info.frames && extent[1] == (hsize_t)items &&
                extent[2] == (hsize_t)columns;
    H5Sclose(space);
    if (good) return set;
    H5Dclose(set);
    return H5I_INVALID_HID;
}

/* So many items of a row, from the `first` on. */
static bool read_items(hid_t set, int64_t frame, int64_t first, int64_t items, double *values)
{
    hsize_t start[3] = {(hsize_t)frame, (hsize_t)first, 0}, count[3] = {1, 1, 1};
    hid_t all = H5Dget_space(set);
    int rank = all >= 0 ? H5Sget_simple_extent_dims(all, count, NULL) : -1;
    count[0] = 1;
    count[1] = (hsize_t)items;
    hid_t part = rank > 0 ? H5Screate_simple(rank, count, NULL) : H5I_INVALID_HID;
    bool good = part >= 0 &&
                H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(set, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, values) >= 0;
    if (part >= 0) H5Sclose(part);
    if (all >= 0) H5Sclose(all);
    return good;
}

static cord_status read_series(reading *r, hid_t set, int64_t frame, int64_t first, int64_t items,
                               double *values, const char *what)
{
    if (frame < 0 || frame >= r->info.frames)
        return fail(r, CORD_ERROR_ARGUMENT, "there is no frame %lld", (long long)frame);
    hdf5_quiet before = cord__hdf5_hush();
    bool good = set >= 0 && read_items(set, frame, first, items, values);
    cord__hdf5_unhush(before);
    return good ? CORD_OK : damaged(r, what);
}

cord_status cord__reading_time(reading *r, int64_t frame, double *time)
{
    return read_series(r, r->time, frame, 0, 1, time, "the time");
}

cord_status cord__reading_energies(reading *r, int64_t frame, double values[ENERGY_COUNT])
{
    return read_series(r, r->energies, frame, 0, ENERGY_COUNT, values, "the energies");
}

cord_status cord__reading_strand(reading *r, int strand, quantity what, int64_t frame,
                                 double *values)
{
    const quantity_info *q = &cord__quantities[what];
    if (strand < 0 || strand >= r->info.strand_count || !r->info.strands[strand].has[what])
        return fail(r, CORD_ERROR_UNSUPPORTED, "%s: strand %d has no recorded %s", r->info.path,
                    strand, q->name);
    const reading_strand *s = &r->info.strands[strand];
    return q->per_edge ? read_series(r, r->strands[what], frame, s->first_edge, s->edge_count,
                                     values, q->name)
                       : read_series(r, r->strands[what], frame, s->first_vertex, s->vertex_count,
                                     values, q->name);
}

cord_status cord__reading_body(reading *r, int body, int64_t frame, double row[BODY_ROW])
{
    if (body < 0 || body >= r->info.body_count)
        return fail(r, CORD_ERROR_ARGUMENT, "there is no body %d", body);
    cord_status status = CORD_OK;
    for (int q = 0; status == CORD_OK && q < BODY_QUANTITY_COUNT; q++) {
        const body_quantity_info *info = &cord__body_quantities[q];
        status = read_series(r, r->bodies[q], frame, body, 1, row + info->first, info->name);
    }
    return status;
}

cord_status cord__reading_probe(reading *r, int probe, int64_t frame, double *values)
{
    if (probe < 0 || probe >= r->info.probe_count)
        return fail(r, CORD_ERROR_ARGUMENT, "there is no probe %d", probe);
    const reading_probe *p = &r->info.probes[probe];
    return read_series(r, r->probes, frame, p->first, (int64_t)p->items * p->columns, values,
                       "a probe");
}

cord_status cord__reading_find(reading *r, double time, int64_t *frame)
{
    int64_t low = 0, high = r->info.frames;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        double t;
        cord_status status = cord__reading_time(r, middle, &t);
        if (status != CORD_OK) return status;
        if (t < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *frame = low;
    return CORD_OK;
}

/* ---- opening: what there is --------------------------------------------------------------- */

static cord_status read_about(reading *r)
{
    reading_info *i = &r->info;
    double version = 0;
    char *kind = NULL;
    hid_t about = H5Gopen2(r->file, "about", H5P_DEFAULT);
    bool ours = about >= 0 && cord__hdf5_get_text(&r->mem, about, "kind", &kind) && kind &&
                strcmp(kind, RECORDING_KIND) == 0 && get_number(about, "version", &version);
    cord__release(&r->mem, kind);
    if (!ours || version != RECORDING_VERSION) {
        if (about >= 0) H5Gclose(about);
        if (!ours) return fail(r, CORD_ERROR_FILE, "%s is not a recording of Cordage", i->path);
        return fail(r, CORD_ERROR_FILE,
                    "%s is a recording of version %g, and this Cordage reads version %d: run its "
                    "scene again",
                    i->path, version, RECORDING_VERSION);
    }
    bool good = cord__hdf5_get_text(&r->mem, about, "title", &i->title) &&
                cord__hdf5_get_text(&r->mem, about, "cordage", &i->maker) &&
                get_number(about, "until", &i->until) && get_number(about, "dt", &i->dt) &&
                get_number(about, "frame_interval", &i->frame_interval) &&
                get_count(about, "strands", &i->strand_count) &&
                get_count(about, "bodies", &i->body_count) &&
                get_count(about, "probes", &i->probe_count) &&
                get_count(about, "expectations", &i->expectation_count) &&
                get_count(about, "overrides", &i->override_count);
    i->overrides = NEW(&r->mem, char *, i->override_count + 1);
    good = good && i->overrides;
    for (int k = 0; good && k < i->override_count; k++) {
        good = get_numbered_text(r, about, "override", k, &i->overrides[k]);
    }
    H5Gclose(about);
    return good ? CORD_OK : damaged(r, "its description");
}

static cord_status read_commit(reading *r)
{
    uint64_t *record = NULL;
    char *bytes = NULL;
    size_t size = 0;
    bool good = cord__hdf5_get_bytes(&r->mem, r->file, "commit", 16, &bytes, &size) && size == 16;
    if (good) {
        record = (uint64_t *)(void *)bytes;
        r->info.frames = (int64_t)record[0];
        r->slot = record[1];
        good = r->info.frames >= 0 && r->slot < 2;
    }
    cord__release(&r->mem, bytes);
    return good ? CORD_OK : damaged(r, "how many frames there are");
}

static cord_status read_files(reading *r)
{
    hid_t scene = H5Gopen2(r->file, "scene", H5P_DEFAULT);
    bool good = scene >= 0 && get_count(scene, "files", &r->info.file_count);
    r->info.files = NEW(&r->mem, reading_file, r->info.file_count);
    good = good && r->info.files;
    for (int i = 0; good && i < r->info.file_count; i++) {
        reading_file *f = &r->info.files[i];
        hid_t group = cord__hdf5_open_numbered(scene, i);
        good = group >= 0 && cord__hdf5_get_text(&r->mem, group, "name", &f->name) && f->name &&
               cord__hdf5_get_bytes(&r->mem, group, "text", MOST_BYTES, &f->text, &f->size);
        if (group >= 0) H5Gclose(group);
    }
    if (scene >= 0) H5Gclose(scene);
    return good ? CORD_OK : damaged(r, "the scene");
}

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
    return open_series(r, path, items, columns);
}

static bool open_quantity(reading *r, int q, int64_t vertices, int64_t edges)
{
    const quantity_info *info = &cord__quantities[q];
    bool wanted = false;
    for (int i = 0; !wanted && i < r->info.strand_count; i++) wanted = r->info.strands[i].has[q];
    if (!wanted) return true;
    r->strands[q] = open_in(r, "strands", info->name, info->per_edge ? edges : vertices,
                            info->columns > 1 ? info->columns : 0);
    return r->strands[q] >= 0;
}

static bool take_strand(const strand_record *from, reading_strand *s)
{
    s->closed = from->closed != 0;
    s->length = from->length;
    s->mass = from->mass;
    s->section = (cord_section){.kind = (cord_section_kind)(int)from->section[0],
                                .radius = from->section[1],
                                .inner_radius = from->section[2],
                                .size = {from->section[3], from->section[4]}};
    for (int q = 0; q < QUANTITY_COUNT; q++) s->has[q] = from->recorded[q] != 0;
    return as_count(from->vertices, &s->vertex_count) && s->vertex_count > 0 &&
           as_count(from->edges, &s->edge_count) && s->edge_count > 0 && s->has[QUANTITY_POSITIONS];
}

static bool take_strands(reading *r, const strand_record *records, char *const *names,
                         char *const *models)
{
    int64_t vertices = 0, edges = 0;
    for (int i = 0; i < r->info.strand_count; i++) {
        reading_strand *s = &r->info.strands[i];
        s->name = names[i], s->model = models[i];
        s->first_vertex = vertices, s->first_edge = edges;
        if (!take_strand(&records[i], s)) return false;
        vertices += s->vertex_count, edges += s->edge_count;
    }
    bool good = true;
    for (int q = 0; good && q < QUANTITY_COUNT; q++) good = open_quantity(r, q, vertices, edges);
    return good;
}

static cord_status read_strands(reading *r)
{
    int count = r->info.strand_count;
    if (count == 0) return CORD_OK;
    r->info.strands = NEW(&r->mem, reading_strand, count);
    strand_record *records = NEW(&r->mem, strand_record, count);
    bool room = r->info.strands && records;
    hid_t group = H5Gopen2(r->file, "strands", H5P_DEFAULT);
    char **names = read_texts(r, group, "name", count);
    char **models = read_texts(r, group, "model", count);
    bool good = room && names && models &&
                cord__hdf5_get_table(group, cord__strand_columns, count, records) &&
                take_strands(r, records, names, models);
    if (group >= 0) H5Gclose(group);
    cord__release(&r->mem, records);
    if (!room) return fail(r, CORD_ERROR_MEMORY, "out of memory");
    return good ? CORD_OK : damaged(r, "a strand");
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
    cord_shape *s = &r->info.bodies[i].shape;
    bool known = false;
    for (int k = CORD_SHAPE_NONE; k <= CORD_SHAPE_MESH; k++) {
        if (strcmp(kind, cord_shape_name((cord_shape_kind)k)) != 0) continue;
        s->kind = (cord_shape_kind)k;
        known = true;
    }
    s->radius = size[0], s->length = size[1];
    memcpy(s->size, size + 2, sizeof s->size);
    return known && (s->kind != CORD_SHAPE_MESH || read_mesh(r, bodies, i, s));
}

static bool take_bodies(reading *r, hid_t group, const body_record *records, char *const *names,
                        char *const *shapes)
{
    bool good = true;
    for (int i = 0; good && i < r->info.body_count; i++) {
        const body_record *from = &records[i];
        reading_body *b = &r->info.bodies[i];
        b->name = names[i];
        b->mass = from->mass;
        memcpy(b->center, from->center, sizeof b->center);
        memcpy(b->moments, from->moments, sizeof b->moments);
        memcpy(b->axes, from->axes, sizeof b->axes);
        memcpy(b->colour, from->colour, sizeof b->colour);
        good = read_shape(r, group, i, shapes[i], from->size);
    }
    for (int q = 0; good && q < BODY_QUANTITY_COUNT; q++) {
        const body_quantity_info *info = &cord__body_quantities[q];
        r->bodies[q] = open_in(r, "bodies", info->name, r->info.body_count, info->columns);
        good = r->bodies[q] >= 0;
    }
    return good;
}

static cord_status read_bodies(reading *r)
{
    int count = r->info.body_count;
    if (count == 0) return CORD_OK;
    r->info.bodies = NEW(&r->mem, reading_body, count);
    body_record *records = NEW(&r->mem, body_record, count);
    bool room = r->info.bodies && records;
    hid_t group = H5Gopen2(r->file, "bodies", H5P_DEFAULT);
    char **names = read_texts(r, group, "name", count);
    char **shapes = read_texts(r, group, "shape", count);
    bool good = room && names && shapes &&
                cord__hdf5_get_table(group, cord__body_columns, count, records) &&
                take_bodies(r, group, records, names, shapes);
    if (group >= 0) H5Gclose(group);
    cord__release(&r->mem, records);
    if (!room) return fail(r, CORD_ERROR_MEMORY, "out of memory");
    return good ? CORD_OK : damaged(r, "a body");
}

static bool take_probes(reading *r, hid_t group, const probe_record *records)
{
    int count = r->info.probe_count, columns = 0;
    int64_t numbers = 0;
    for (int i = 0; i < count; i++) {
        reading_probe *p = &r->info.probes[i];
        if (!as_count(records[i].items, &p->items) || !as_count(records[i].columns, &p->columns))
            return false;
        if (p->columns > MAX_OBJECTS - columns) return false;
        p->first = numbers;
        columns += p->columns;
        numbers += (int64_t)p->items * p->columns;
    }
    char **names = read_texts(r, group, "column_name", columns);
    char **units = read_texts(r, group, "column_unit", columns);
    if (!names || !units) return false;
    for (int i = 0, first = 0; i < count; first += r->info.probes[i++].columns) {
        r->info.probes[i].column_names = names + first;
        r->info.probes[i].column_units = units + first;
    }
    r->probes = open_in(r, "probes", "values", numbers, 0);
    return r->probes >= 0;
}

static bool name_probes(reading *r, hid_t group)
{
    int count = r->info.probe_count;
    char **names = read_texts(r, group, "name", count);
    char **measures = read_texts(r, group, "measure", count);
    char **of = read_texts(r, group, "of", count);
    if (!names || !measures || !of) return false;
    for (int i = 0; i < count; i++) {
        reading_probe *p = &r->info.probes[i];
        p->name = names[i];
        p->measure = measures[i];
        p->of = of[i][0] ? of[i] : NULL;
    }
    return true;
}

static cord_status read_probes(reading *r)
{
    int count = r->info.probe_count;
    if (count == 0) return CORD_OK;
    r->info.probes = NEW(&r->mem, reading_probe, count);
    probe_record *records = NEW(&r->mem, probe_record, count);
    bool room = r->info.probes && records;
    hid_t group = H5Gopen2(r->file, "probes", H5P_DEFAULT);
    bool good = room && group >= 0 &&
                cord__hdf5_get_table(group, cord__probe_columns, count, records) &&
                name_probes(r, group) && take_probes(r, group, records);
    if (group >= 0) H5Gclose(group);
    cord__release(&r->mem, records);
    if (!room) return fail(r, CORD_ERROR_MEMORY, "out of memory");
    return good ? CORD_OK : damaged(r, "a probe");
}

/* ---- opening: whether it is whole --------------------------------------------------------- */

/* The slot that goes with the frames: the size of the state, the state, then observed results; and room. */
static bool read_slot(reading *r, char **bytes, size_t *size)
{
    hid_t state = H5Gopen2(r->file, "state", H5P_DEFAULT);
    uint64_t world_size = 0;
    bool good = state >= 0 &&
                cord__hdf5_get_bytes(&r->mem, state, r->slot ? "1" : "0", MOST_BYTES, bytes, size);
    if (state >= 0) H5Gclose(state);
    size_t results = (size_t)r->info.expectation_count * sizeof(observed_result);
    size_t beside = sizeof world_size + results;
    if (!good || *size < beside) return false;
    memcpy(&world_size, *bytes, sizeof world_size);
    r->world_size = (size_t)world_size;
    return world_size <= *size - beside;
}

/* A file that was cut short opens without complaint; its last frame does not. */
static cord_status check_last_frame(reading *r)
{
    int64_t last = r->info.frames - 1;
    cord_status status = cord__reading_time(r, 0, &r->info.first_time);
    if (status == CORD_OK) status = cord__reading_time(r, last, &r->info.last_time);
    for (int i = 0; status == CORD_OK && i < r->info.strand_count; i++) {
        double *x = NEW(&r->mem, double, 3 * (size_t)r->info.strands[i].vertex_count);
        status = x ? cord__reading_strand(r, i, QUANTITY_POSITIONS, last, x) : CORD_ERROR_MEMORY;
        cord__release(&r->mem, x);
    }
    for (int i = 0; status == CORD_OK && i < r->info.body_count; i++) {
        double row[BODY_ROW];
        status = cord__reading_body(r, i, last, row);
    }
    return status;
}

static cord_status read_all(reading *r)
{
    cord_status status = read_about(r);
    if (status == CORD_OK) status = read_commit(r);
    if (status == CORD_OK) status = read_files(r);
    if (status == CORD_OK) status = read_strands(r);
    if (status == CORD_OK) status = read_bodies(r);
    if (status == CORD_OK) status = read_probes(r);
    if (status != CORD_OK) return status;
    r->time = open_series(r, "time", 0, 0);
    r->energies = open_series(r, "energies", ENERGY_COUNT, 0);
    if (r->time < 0 || r->energies < 0) return damaged(r, "the time");
    if (r->info.frames > 0) status = check_last_frame(r);
    char *bytes = NULL;
    size_t size;
    r->info.resumable = status == CORD_OK && r->info.frames > 0 && read_slot(r, &bytes, &size);
    cord__release(&r->mem, bytes);
    return status;
}

static cord_status open_file(reading *r, const char *path)
{
    struct stat info;
    bool there = stat(path, &info) == 0;
    bool directory = there && S_ISDIR(info.st_mode);
    int length = snprintf(r->info.path, sizeof r->info.path, "%s%s", path,
                          directory ? "/" RECORDING_FILE : "");
    if (length < 0 || (size_t)length >= sizeof r->info.path)
        return fail(r, CORD_ERROR_ARGUMENT, "too long a path");
    if (directory && stat(r->info.path, &info) != 0)
        return fail(r, CORD_ERROR_FILE, "%s has no recording (" RECORDING_FILE ")", path);
    FILE *file = fopen(r->info.path, "rb");
    if (!file)
        return fail(r, CORD_ERROR_FILE, "%s cannot be read: %s", r->info.path, strerror(errno));
    fclose(file);
    r->info.bytes = (uint64_t)info.st_size;
    if (H5Fis_hdf5(r->info.path) <= 0)
        return fail(r, CORD_ERROR_FILE, "%s is not a recording of Cordage (not an HDF5 file)",
                    r->info.path);
    r->file = cord__hdf5_open(r->info.path);
    return r->file >= 0 ? CORD_OK : damaged(r, "it");
}

cord_status cord__reading_open(const char *path, reading **result)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    reading *r = *result = NEW(&mem, reading, 1);
    if (!r) return CORD_ERROR_MEMORY;
    r->mem = mem;
    r->file = r->time = r->energies = r->probes = H5I_INVALID_HID;
    for (int q = 0; q < QUANTITY_COUNT; q++) r->strands[q] = H5I_INVALID_HID;
    for (int q = 0; q < BODY_QUANTITY_COUNT; q++) r->bodies[q] = H5I_INVALID_HID;
    hdf5_quiet before = cord__hdf5_hush();
    cord_status status = open_file(r, path);
    if (status == CORD_OK) status = read_all(r);
    cord__hdf5_unhush(before);
    return status;
}

/* ---- closing ------------------------------------------------------------------------------ */

static void close_sets(const hid_t *sets, int count)
{
    for (int i = 0; i < count; i++) {
        if (sets[i] >= 0) H5Dclose(sets[i]);
    }
}

static void free_info(memory *m, reading_info *info)
{
    for (int i = 0; info->bodies && i < info->body_count; i++) {
        cord__release(m, (double *)info->bodies[i].shape.vertices);
        cord__release(m, (int *)info->bodies[i].shape.triangles);
    }
    for (int i = 0; info->files && i < info->file_count; i++) {
        cord__release(m, info->files[i].name);
        cord__release(m, info->files[i].text);
    }
    for (int i = 0; info->overrides && i < info->override_count; i++)
        cord__release(m, info->overrides[i]);
    cord__release(m, info->overrides);
    cord__release(m, info->strands);
    cord__release(m, info->bodies);
    cord__release(m, info->probes);
    cord__release(m, info->files);
    cord__release(m, info->title);
    cord__release(m, info->maker);
}

void cord__reading_close(reading *r)
{
    if (!r) return;
    close_sets(r->strands, QUANTITY_COUNT);
    close_sets(r->bodies, BODY_QUANTITY_COUNT);
    close_sets(&r->probes, 1);
    close_sets(&r->time, 1);
    close_sets(&r->energies, 1);
    if (r->file >= 0) H5Fclose(r->file);
    memory mem = r->mem;
    free_info(&mem, &r->info);
    for (int i = 0; i < r->list_count; i++) cord__release(&mem, r->lists[i]);
    cord__release(&mem, r);
}

/* ---- going on ----------------------------------------------------------------------------- */

/* By content and order: names may be paths seen from elsewhere. */
static cord_status compare_scene(reading *r, const cord_scene *scene)
{
    origin o;
    cord_status status = cord__origin_read(&r->mem, scene, &o);
    if (status != CORD_OK) return status;
    const char *differs = o.count != r->info.file_count ? "the list of its files" : NULL;
    for (int i = 0; !differs && i < o.count; i++) {
        const reading_file *f = &r->info.files[i];
        bool same = f->size == o.files[i].size &&
                    (f->size == 0 || memcmp(f->text, o.files[i].text, f->size) == 0);
        if (!same) differs = o.files[i].name;
    }
    if (differs)
        status = fail(r, CORD_ERROR_INPUT, "%s was made from another scene: %s differs",
                      r->info.path, differs);
    cord__origin_free(&r->mem, &o);
    return status;
}

static cord_status restore(reading *r, cord_scene *scene, cord_world *world)
{
    char *bytes = NULL;
    size_t size = 0;
    int count = cord_scene_get_info(scene).expectation_count;
    observed_result *results = NEW(&r->mem, observed_result, count);
    bool good = results && read_slot(r, &bytes, &size) && count == r->info.expectation_count;
    cord_status status = good ? CORD_OK : damaged(r, "the state to go on from");
    if (good) {
        const char *from = bytes + sizeof(uint64_t);
        memcpy(results, from + r->world_size, (size_t)count * sizeof *results);
        status = cord_world_set_state(world, from, r->world_size);
        if (status != CORD_OK)
            fail(r, status, "%s cannot be continued: %s", r->info.path,
                 cord_world_get_error(world));
    }
    if (status == CORD_OK) cord__set_observed(scene, results, cord_world_get_time(world));
    cord__release(&r->mem, results);
    cord__release(&r->mem, bytes);
    return status;
}

cord_status cord__reading_resume(reading *r, cord_scene *scene, cord_world *world)
{
    if (r->info.frames == 0)
        return fail(r, CORD_ERROR_FILE, "%s has no frame to go on from", r->info.path);
    cord_status status = compare_scene(r, scene);
    if (status != CORD_OK) return status;
    hdf5_quiet before = cord__hdf5_hush();
    status = restore(r, scene, world);
    cord__hdf5_unhush(before);
    return status;
}

double cord__section_radius(const cord_section *s)
{
    bool sized = s->kind == CORD_SECTION_ELLIPSE || s->kind == CORD_SECTION_RECTANGLE;
    return sized ? sqrt(s->size[0] * s->size[1]) / 2 : s->radius;
}
