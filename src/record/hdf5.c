/* HDF5: recording.h5, everything needed to draw a run and to continue it.
 *
 *     /about             attributes: what this is, title, time step, what the scene was changed by
 *     /scene/0000        the files of the scene, as bytes with a name
 *     /strands/0000      attributes: name, section, ...; lengths; datasets over frames: positions, ...
 *     /bodies/0000       attributes: name, shape, mass, ...; a mesh's triangles; over frames: position,
 *                        rotation (a quaternion, w first), velocity, angular_velocity
 *     /probes/0000       attributes: name, columns, units; values over frames
 *     /time, /energies   over frames
 *     /state/0, /state/1 the world as bytes, and the expected results observed
 *     /commit            how many frames count, and which state goes with them
 *
 * The file can be read at any moment, whatever happens to the writer. HDF5 sees to its structure: in
 * its single-writer mode what is referred to is written before what refers to it. We see to the
 * contents: /commit is written after all that it counts has been handed to the system, and the state
 * goes where /commit does not point. The file gets its name when it is ready for that. */
#include "record/hdf5_values.h"
#include "record/origin.h"
#include "record/quantities.h"
#include "record/recorder.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MAX_RANK = 3,
    /* A chunk that is not full is written again at each flush, elsewhere because its compressed size
     * has changed, and its old place is lost: so chunks have few rows, */
    CHUNK_ROWS = 16,
    CHUNK_BYTES = 32 * 1024,
    /* and narrow rows are not compressed: such a chunk stays in its place. */
    NARROW_BYTES = 64,
    NARROW_ROWS = 512,
    DEFLATE_LEVEL = 4,
};

static const double FLUSH_INTERVAL = 1; /* s of wall clock */

/* A dataset over frames, and where its rows come from. */
typedef struct channel {
    hid_t set;
    int rank;
    hsize_t extent[MAX_RANK]; /* the first is that of frames */
    cord_status (*fetch)(recording *r, const struct channel *c, double *values);
    int subject; /* strand, body or probe */
    int what;    /* quantity of a strand, body_quantity of a body */
} channel;

typedef struct commit_record {
    uint64_t frames, slot;
} commit_record;

typedef struct hdf5 {
    hid_t file, commit, slots[2];
    char path[1100], part[1100]; /* the part is what is not yet ready */
    int channel_count;
    channel *channels;
    double *values; /* large enough for a row of any channel */
    commit_record now;
    origin origin; /* the scene's files, while the recording is begun */
    size_t slot_size, slot_room;
    char *slot; /* the state of the latest frame: its size, the world, the expected results */
    double last_flush;
} hdf5;

static cord_status failed(recording *r, const hdf5 *h, const char *what)
{
    snprintf(r->error, sizeof r->error, "%s %.200s", what, h->path);
    return CORD_ERROR_FILE;
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- what is recorded --------------------------------------------------------------------- */

static cord_status fetch_time(recording *r, const channel *c, double *values)
{
    (void)c;
    values[0] = cord_world_time(r->world);
    return CORD_OK;
}

static cord_status fetch_energy(recording *r, const channel *c, double *values)
{
    (void)c;
    cord_energy e;
    cord_status status = cord_world_energy(r->world, &e);
    if (status != CORD_OK) return status;
    const double all[ENERGY_COUNT] = {e.kinetic,  e.gravity,   e.stretching, e.bending,
                                      e.twisting, e.relations, e.total};
    memcpy(values, all, sizeof all);
    return CORD_OK;
}

static cord_status fetch_probe(recording *r, const channel *c, double *values)
{
    return cord_scene_sample(r->scene, r->world, c->subject, values);
}

/* The second director is the product of the others. */
static cord_status fetch_frames(recording *r, cord_strand strand, const channel *c, double *values)
{
    cord_status status = cord_strand_frames(r->world, strand, values);
    for (size_t i = 0; status == CORD_OK && i < (size_t)c->extent[1]; i++) {
        memmove(values + 6 * i, values + 9 * i, 6 * sizeof *values);
    }
    return status;
}

static cord_status fetch_strand(recording *r, const channel *c, double *values)
{
    cord_strand strand = cord_scene_strand(r->scene, c->subject);
    switch ((quantity)c->what) {
    case QUANTITY_POSITIONS: return cord_strand_positions(r->world, strand, values);
    case QUANTITY_VELOCITIES: return cord_strand_velocities(r->world, strand, values);
    case QUANTITY_FRAMES: return fetch_frames(r, strand, c, values);
    case QUANTITY_TENSIONS: return cord_strand_tensions(r->world, strand, values);
    case QUANTITY_CURVATURES: return cord_strand_curvatures(r->world, strand, values);
    case QUANTITY_COUNT: break;
    }
    return CORD_ERROR_UNSUPPORTED;
}

static cord_status fetch_body(recording *r, const channel *c, double *values)
{
    double row[BODY_ROW];
    const body_quantity_info *q = &cord__body_quantities[c->what];
    cord_status status = cord__body_row(r->scene, r->world, c->subject, row);
    memcpy(values, row + q->first, (size_t)q->columns * sizeof *values);
    return status;
}

/* ---- datasets over frames ----------------------------------------------------------------- */

static size_t row_size(const channel *c)
{
    size_t size = 1;
    for (int i = 1; i < c->rank; i++) size *= (size_t)c->extent[i];
    return size;
}

static hsize_t rows_in_chunk(const channel *c)
{
    size_t bytes = row_size(c) * sizeof(double);
    if (bytes <= NARROW_BYTES) return NARROW_ROWS;
    size_t rows = CHUNK_BYTES / bytes;
    return rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
}

static bool plan_chunks(hid_t plan, const channel *c)
{
    hsize_t chunk[MAX_RANK];
    memcpy(chunk, c->extent, sizeof chunk);
    chunk[0] = rows_in_chunk(c);
    bool good = H5Pset_chunk(plan, c->rank, chunk) >= 0;
    if (row_size(c) * sizeof(double) <= NARROW_BYTES) return good;
    return good && H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, DEFLATE_LEVEL) >= 0;
}

static bool create_series(hid_t group, const char *name, const channel *c, bool single)
{
    hsize_t first[MAX_RANK], most[MAX_RANK];
    memcpy(first, c->extent, sizeof first);
    memcpy(most, c->extent, sizeof most);
    first[0] = 0;
    most[0] = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(c->rank, first, most), plan = H5Pcreate(H5P_DATASET_CREATE);
    bool good = space >= 0 && plan >= 0 && plan_chunks(plan, c);
    hid_t type = single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    hid_t set = good ? H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT)
                     : H5I_INVALID_HID;
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

/* One chunk is kept in memory, so that rows gather in it before it is compressed. */
static hid_t open_series(hid_t group, const char *name, const channel *c)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    size_t chunk = (size_t)rows_in_chunk(c) * row_size(c) * sizeof(double);
    H5Pset_chunk_cache(access, 11, chunk + 1024, 1);
    hid_t set = H5Dopen2(group, name, access);
    H5Pclose(access);
    return set;
}

static bool resize(const channel *c, hsize_t frames)
{
    hsize_t extent[MAX_RANK];
    memcpy(extent, c->extent, sizeof extent);
    extent[0] = frames;
    return H5Dset_extent(c->set, extent) >= 0;
}

static bool append(const channel *c, hsize_t frame, const double *values)
{
    if (!resize(c, frame + 1)) return false;
    hsize_t start[MAX_RANK] = {frame}, count[MAX_RANK];
    memcpy(count, c->extent, sizeof count);
    count[0] = 1;
    hid_t all = H5Dget_space(c->set), row = H5Screate_simple(c->rank, count, NULL);
    bool good = all >= 0 && row >= 0 &&
                H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(c->set, H5T_NATIVE_DOUBLE, row, all, H5P_DEFAULT, values) >= 0;
    H5Sclose(all);
    H5Sclose(row);
    return good;
}

/* ---- channels ----------------------------------------------------------------------------- */

static void add_channel(hdf5 *h, channel c)
{
    c.set = H5I_INVALID_HID;
    c.extent[0] = 1;
    h->channels[h->channel_count++] = c;
}

/* A question that the model does not answer makes no channel. */
static void add_quantity(recording *r, hdf5 *h, int strand, quantity what)
{
    cord_strand_info info;
    if (cord_strand_get_info(r->world, cord_scene_strand(r->scene, strand), &info) != CORD_OK)
        return;
    const quantity_info *q = &cord__quantities[what];
    hsize_t items = (hsize_t)(q->per_edge ? info.edge_count : info.vertex_count);
    channel c = {.rank = q->columns > 1 ? 3 : 2,
                 .extent = {1, items, (hsize_t)q->columns},
                 .fetch = fetch_strand,
                 .subject = strand,
                 .what = what};
    if (c.fetch(r, &c, h->values) == CORD_ERROR_UNSUPPORTED) return;
    add_channel(h, c);
}

static void list_channels(recording *r, hdf5 *h, const cord_scene_info *scene)
{
    add_channel(h, (channel){.rank = 1, .fetch = fetch_time});
    add_channel(h, (channel){.rank = 2, .extent = {1, ENERGY_COUNT}, .fetch = fetch_energy});
    for (int i = 0; i < scene->strand_count; i++) {
        for (int q = 0; q < QUANTITY_COUNT; q++) add_quantity(r, h, i, (quantity)q);
    }
    for (int i = 0; i < BODY_QUANTITY_COUNT * scene->solid_count; i++) {
        int what = i % BODY_QUANTITY_COUNT;
        hsize_t columns = (hsize_t)cord__body_quantities[what].columns;
        add_channel(h, (channel){.rank = 2,
                                 .extent = {1, columns},
                                 .fetch = fetch_body,
                                 .subject = i / BODY_QUANTITY_COUNT,
                                 .what = what});
    }
    for (int i = 0; i < scene->probe_count; i++) {
        cord_probe_info p = cord_scene_probe(r->scene, i);
        add_channel(h, (channel){.rank = 3,
                                 .extent = {1, (hsize_t)p.items, (hsize_t)p.columns},
                                 .fetch = fetch_probe,
                                 .subject = i});
    }
}

static size_t largest_row(const recording *r, const cord_scene_info *scene)
{
    size_t most = ENERGY_COUNT;
    for (int i = 0; i < scene->strand_count; i++) {
        cord_strand_info info;
        cord_status status = cord_strand_get_info(r->world, cord_scene_strand(r->scene, i), &info);
        size_t size = status == CORD_OK ? 9 * (size_t)info.vertex_count : 0; /* frames */
        if (size > most) most = size;
    }
    for (int i = 0; i < scene->probe_count; i++) {
        cord_probe_info p = cord_scene_probe(r->scene, i);
        size_t size = (size_t)p.items * (size_t)p.columns;
        if (size > most) most = size;
    }
    return most;
}

/* "/strands/0003/positions". */
static void channel_path(const channel *c, char *path, size_t size)
{
    if (c->fetch == fetch_time) snprintf(path, size, "/time");
    if (c->fetch == fetch_energy) snprintf(path, size, "/energies");
    if (c->fetch == fetch_probe) snprintf(path, size, "/probes/%04d/values", c->subject);
    if (c->fetch == fetch_body) {
        snprintf(path, size, "/bodies/%04d/%s", c->subject, cord__body_quantities[c->what].name);
    }
    if (c->fetch == fetch_strand) {
        snprintf(path, size, "/strands/%04d/%s", c->subject, cord__quantities[c->what].name);
    }
}

/* ---- making a new file -------------------------------------------------------------------- */

static bool describe_run(const recording *r, hid_t file)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    hid_t about = H5Gcreate2(file, "about", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = about >= 0 && cord__hdf5_put_text(about, "kind", RECORDING_KIND) &&
                cord__hdf5_put_number(about, "version", RECORDING_VERSION) &&
                cord__hdf5_put_text(about, "cordage", cord_version()) &&
                cord__hdf5_put_text(about, "title", info.title) &&
                cord__hdf5_put_number(about, "until", info.until) &&
                cord__hdf5_put_number(about, "dt", info.dt) &&
                cord__hdf5_put_number(about, "frame_interval", info.frame_interval) &&
                cord__hdf5_put_number(about, "strands", info.strand_count) &&
                cord__hdf5_put_number(about, "bodies", info.solid_count) &&
                cord__hdf5_put_number(about, "probes", info.probe_count) &&
                cord__hdf5_put_number(about, "expectations", info.expectation_count);
    int count = 0;
    for (; good && r->overrides && r->overrides[count]; count++) {
        char name[32];
        snprintf(name, sizeof name, "override_%d", count);
        good = cord__hdf5_put_text(about, name, r->overrides[count]);
    }
    good = good && cord__hdf5_put_number(about, "overrides", count);
    H5Gclose(about);
    return good;
}

static bool store_file(hid_t scene, int i, const origin_file *f)
{
    hid_t group = cord__hdf5_make_numbered(scene, i);
    bool good = group >= 0 && cord__hdf5_put_text(group, "name", f->name) &&
                cord__hdf5_put_bytes(group, "text", f->text, f->size);
    H5Gclose(group);
    return good;
}

static bool store_scene(const origin *o, hid_t file)
{
    hid_t scene = H5Gcreate2(file, "scene", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = scene >= 0 && cord__hdf5_put_number(scene, "files", o->count);
    for (int i = 0; good && i < o->count; i++) good = store_file(scene, i, &o->files[i]);
    H5Gclose(scene);
    return good;
}

static bool store_lengths(hid_t group, int count, const double *lengths)
{
    hsize_t extent = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t set = H5Dcreate2(group, "natural_lengths", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                           H5P_DEFAULT, H5P_DEFAULT);
    bool good =
        set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, lengths) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    return good;
}

static bool describe_strand(const recording *r, const hdf5 *h, hid_t strands, int i)
{
    cord_strand_info s;
    if (cord_strand_get_info(r->world, cord_scene_strand(r->scene, i), &s) != CORD_OK) return false;
    const double section[] = {s.section.kind, s.section.radius, s.section.inner_radius,
                              s.section.size[0], s.section.size[1]};
    hid_t group = cord__hdf5_make_numbered(strands, i);
    cord__natural_lengths(r->scene, i, s.edge_count, h->values);
    bool good = group >= 0 &&
                cord__hdf5_put_text(group, "name", cord_scene_strand_name(r->scene, i)) &&
                cord__hdf5_put_text(group, "model", s.model) &&
                cord__hdf5_put_number(group, "vertices", s.vertex_count) &&
                cord__hdf5_put_number(group, "edges", s.edge_count) &&
                cord__hdf5_put_number(group, "closed", s.closed) &&
                cord__hdf5_put_number(group, "length", s.length) &&
                cord__hdf5_put_number(group, "mass", s.mass) &&
                cord__hdf5_put_numbers(group, "section", 5, section) &&
                store_lengths(group, s.edge_count, h->values);
    H5Gclose(group);
    return good;
}

static bool store_mesh(hid_t group, const cord_shape *s)
{
    if (s->kind != CORD_SHAPE_MESH) return true;
    return cord__hdf5_put_array(group, "vertices", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                                s->vertex_count, s->vertices) &&
           cord__hdf5_put_array(group, "triangles", H5T_STD_I32LE, H5T_NATIVE_INT,
                                s->triangle_count, s->triangles);
}

static bool describe_body(const recording *r, hid_t bodies, int i)
{
    cord_body_info b;
    if (cord_scene_solid(r->scene, r->world, i, &b) != CORD_OK) return false;
    const cord_shape *s = &b.shape;
    double size[5] = {s->radius, s->length, s->size[0], s->size[1], s->size[2]}, colour[3];
    int rgb = cord_scene_solid_colour(r->scene, i);
    for (int k = 0; k < 3; k++) colour[k] = (rgb >> (16 - 8 * k) & 255) / 255.0;
    hid_t group = cord__hdf5_make_numbered(bodies, i);
    bool good = group >= 0 &&
                cord__hdf5_put_text(group, "name", cord_scene_solid_name(r->scene, i)) &&
                cord__hdf5_put_text(group, "shape", cord_shape_name(s->kind)) &&
                cord__hdf5_put_numbers(group, "size", 5, size) &&
                cord__hdf5_put_number(group, "mass", b.mass) &&
                cord__hdf5_put_numbers(group, "center", 3, b.center) &&
                cord__hdf5_put_numbers(group, "moments", 3, b.moments) &&
                cord__hdf5_put_numbers(group, "axes", 9, b.axes) && store_mesh(group, s);
    if (good && rgb >= 0) good = cord__hdf5_put_numbers(group, "colour", 3, colour);
    H5Gclose(group);
    return good;
}

static bool describe_probe(const recording *r, hid_t probes, int i)
{
    cord_probe_info p = cord_scene_probe(r->scene, i);
    hid_t group = cord__hdf5_make_numbered(probes, i);
    bool good = group >= 0 && cord__hdf5_put_text(group, "name", p.name) &&
                cord__hdf5_put_text(group, "measure", p.measure) &&
                cord__hdf5_put_text(group, "of", p.of) &&
                cord__hdf5_put_number(group, "items", p.items) &&
                cord__hdf5_put_number(group, "columns", p.columns);
    for (int c = 0; good && c < p.columns; c++) {
        char name[32];
        const char *unit = "", *column = cord_scene_probe_column(r->scene, i, c, &unit);
        snprintf(name, sizeof name, "column_%d", c);
        good = cord__hdf5_put_text(group, name, column);
        snprintf(name, sizeof name, "unit_%d", c);
        good = good && cord__hdf5_put_text(group, name, unit);
    }
    H5Gclose(group);
    return good;
}

static bool describe_things(const recording *r, const hdf5 *h, hid_t file)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    hid_t strands = H5Gcreate2(file, "strands", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t bodies = H5Gcreate2(file, "bodies", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t probes = H5Gcreate2(file, "probes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = strands >= 0 && bodies >= 0 && probes >= 0;
    for (int i = 0; good && i < info.strand_count; i++) good = describe_strand(r, h, strands, i);
    for (int i = 0; good && i < info.solid_count; i++) good = describe_body(r, bodies, i);
    for (int i = 0; good && i < info.probe_count; i++) good = describe_probe(r, probes, i);
    H5Gclose(strands);
    H5Gclose(bodies);
    H5Gclose(probes);
    return good;
}

/* It can grow: cables have more nodes at times. */
static bool create_slot(hid_t group, const char *name, hsize_t room)
{
    const hsize_t most = H5S_UNLIMITED, chunk = room < 4096 ? 4096 : room < 65536 ? room : 65536;
    hid_t space = H5Screate_simple(1, &room, &most), plan = H5Pcreate(H5P_DATASET_CREATE);
    bool good = space >= 0 && plan >= 0 && H5Pset_chunk(plan, 1, &chunk) >= 0;
    hid_t set =
        good ? H5Dcreate2(group, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, plan, H5P_DEFAULT)
             : H5I_INVALID_HID;
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

static bool create_datasets(const hdf5 *h, hid_t file)
{
    bool good = true;
    for (int i = 0; good && i < h->channel_count; i++) {
        const channel *c = &h->channels[i];
        char path[64];
        channel_path(c, path, sizeof path);
        bool single = c->fetch == fetch_strand && cord__quantities[c->what].single;
        good = create_series(file, path, c, single);
    }
    commit_record none = {0, 0};
    hid_t state = H5Gcreate2(file, "state", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    good = good && state >= 0 && create_slot(state, "0", h->slot_room) &&
           create_slot(state, "1", h->slot_room) &&
           cord__hdf5_put_bytes(file, "commit", &none, sizeof none);
    H5Gclose(state);
    return good;
}

static bool fill_new(const recording *r, const hdf5 *h, hid_t file)
{
    return describe_run(r, file) && store_scene(&h->origin, file) && describe_things(r, h, file) &&
           create_datasets(h, file);
}

/* ---- continuing one ----------------------------------------------------------------------- */

/* The old file is copied and never written to: it may have been left by a writer that was killed,
 * whose book-keeping of free space is then not to be trusted, and stays until the copy is good. */
static bool fill_copied(const recording *r, const hdf5 *h, hid_t file)
{
    static const char *const parts[] = {"scene", "strands",  "bodies", "probes",
                                        "time",  "energies", "state",  "commit"};
    hid_t old = cord__hdf5_open(h->path);
    bool good = old >= 0 && describe_run(r, file); /* it may be meant to go on for longer */
    for (size_t i = 0; good && i < sizeof parts / sizeof parts[0]; i++) {
        /* one made before there were bodies */
        bool without =
            strcmp(parts[i], "bodies") == 0 && H5Lexists(old, "bodies", H5P_DEFAULT) == 0;
        good = without || H5Ocopy(old, parts[i], file, parts[i], H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    if (old >= 0) H5Fclose(old);
    return good;
}

static bool read_commit(hdf5 *h)
{
    return H5Dread(h->commit, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, &h->now) >= 0 &&
           h->now.slot < 2;
}

/* ---- opening ------------------------------------------------------------------------------ */

static hid_t access_latest(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    return access;
}

static bool make_part(const recording *r, const hdf5 *h)
{
    hid_t access = access_latest();
    hid_t file = H5Fcreate(h->part, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    bool good = file >= 0 && (r->keep ? fill_copied(r, h, file) : fill_new(r, h, file));
    if (file >= 0) good = H5Fclose(file) >= 0 && good;
    H5Pclose(access);
    return good;
}

static bool open_datasets(hdf5 *h)
{
    for (int i = 0; i < h->channel_count; i++) {
        channel *c = &h->channels[i];
        char path[64];
        channel_path(c, path, sizeof path);
        c->set = open_series(h->file, path, c);
        if (c->set < 0) return false;
    }
    h->commit = H5Dopen2(h->file, "commit", H5P_DEFAULT);
    h->slots[0] = H5Dopen2(h->file, "state/0", H5P_DEFAULT);
    h->slots[1] = H5Dopen2(h->file, "state/1", H5P_DEFAULT);
    return h->commit >= 0 && h->slots[0] >= 0 && h->slots[1] >= 0;
}

/* What was recorded after the last commit, or is not wanted, goes. */
static bool truncate_to(hdf5 *h, int64_t keep)
{
    if (!read_commit(h) || h->now.frames < (uint64_t)keep) return false;
    h->now.frames = (uint64_t)keep;
    bool good = true;
    for (int i = 0; good && i < h->channel_count; i++)
        good = resize(&h->channels[i], h->now.frames);
    return good &&
           H5Dwrite(h->commit, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, &h->now) >= 0 &&
           H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0;
}

static bool start_writing(const recording *r, hdf5 *h)
{
    hid_t access = access_latest();
    h->file = H5Fopen(h->part, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    H5Pclose(access);
    return h->file >= 0 && open_datasets(h) && (!r->keep || truncate_to(h, r->keep)) &&
           rename(h->part, h->path) == 0;
}

/* The slot is as large as the state is now, or larger. */
static cord_status make_room(recording *r, hdf5 *h)
{
    size_t world, results = (size_t)cord_scene_get_info(r->scene).expectation_count;
    cord_status status = cord_world_state_size(r->world, &world);
    if (status != CORD_OK) return status;
    uint64_t size = world;
    h->slot_size = sizeof size + world + results * sizeof(observed_result);
    if (h->slot_size > h->slot_room) {
        char *slot = cord__reallocate(r->mem, h->slot, h->slot_size, 1);
        if (!slot) return CORD_ERROR_MEMORY;
        h->slot = slot;
        h->slot_room = h->slot_size;
    }
    memcpy(h->slot, &size, sizeof size);
    return CORD_OK;
}

static cord_status prepare(recording *r, hdf5 *h)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    cord_status status = make_room(r, h);
    if (status != CORD_OK) return status;
    h->values = NEW(r->mem, double, largest_row(r, &info));
    h->channels =
        NEW(r->mem, channel,
            2 + QUANTITY_COUNT * (size_t)info.strand_count +
                BODY_QUANTITY_COUNT * (size_t)info.solid_count + (size_t)info.probe_count);
    if (!h->values || !h->channels) return CORD_ERROR_MEMORY;
    list_channels(r, h, &info);
    return cord__origin_read(r->mem, r->scene, &h->origin);
}

static cord_status hdf5_open(recording *r, void **state)
{
    hdf5 *h = NEW(r->mem, hdf5, 1);
    *state = h;
    if (!h) return CORD_ERROR_MEMORY;
    h->file = h->commit = h->slots[0] = h->slots[1] = H5I_INVALID_HID;
    snprintf(h->path, sizeof h->path, "%s/" RECORDING_FILE, r->directory);
    snprintf(h->part, sizeof h->part, "%s/" RECORDING_FILE ".part", r->directory);
    cord_status status = prepare(r, h);
    hdf5_quiet before = cord__hdf5_hush();
    bool good = status == CORD_OK && make_part(r, h) && start_writing(r, h);
    cord__hdf5_unhush(before);
    cord__origin_free(r->mem, &h->origin);
    if (good || status != CORD_OK) return status;
    remove(h->part);
    return failed(r, h, r->keep ? "cannot continue" : "cannot write");
}

/* ---- frames ------------------------------------------------------------------------------- */

static bool write_slot(hdf5 *h, hid_t set)
{
    const hsize_t start = 0, size = h->slot_size;
    hid_t all = H5Dget_space(set), part = H5Screate_simple(1, &size, NULL);
    hssize_t room = all >= 0 ? H5Sget_simple_extent_npoints(all) : -1;
    if (room >= 0 && (hsize_t)room < size && H5Dset_extent(set, &size) >= 0) {
        H5Sclose(all);
        all = H5Dget_space(set);
    }
    bool good = room >= 0 && all >= 0 && part >= 0 &&
                H5Sselect_hyperslab(all, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0 &&
                H5Dwrite(set, H5T_NATIVE_UCHAR, part, all, H5P_DEFAULT, h->slot) >= 0;
    H5Sclose(all);
    H5Sclose(part);
    return good;
}

static bool flush(hdf5 *h)
{
    commit_record next = {h->now.frames, 1 - h->now.slot};
    bool good = write_slot(h, h->slots[next.slot]) && H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 &&
                H5Dwrite(h->commit, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, &next) >= 0 &&
                H5Dflush(h->commit) >= 0;
    if (good) h->now = next;
    h->last_flush = wall_clock();
    return good;
}

static cord_status keep_state(recording *r, hdf5 *h)
{
    cord_status status = make_room(r, h);
    if (status == CORD_OK) status = cord_world_get_state(r->world, h->slot + sizeof(uint64_t));
    if (status != CORD_OK) return status;
    int count = cord_scene_get_info(r->scene).expectation_count;
    observed_result *results = NEW(r->mem, observed_result, count);
    if (!results) return CORD_ERROR_MEMORY;
    cord__get_observed(r->scene, results);
    size_t size = (size_t)count * sizeof *results;
    memcpy(h->slot + h->slot_size - size, results, size);
    cord__release(r->mem, results);
    return status;
}

static cord_status write_channel(recording *r, hdf5 *h, const channel *c)
{
    cord_status status = c->fetch(r, c, h->values);
    if (status != CORD_OK) {
        char path[64];
        channel_path(c, path, sizeof path);
        snprintf(r->error, sizeof r->error, "%s cannot be measured: %s", path,
                 cord_status_text(status));
        return status;
    }
    return append(c, h->now.frames, h->values) ? CORD_OK
                                               : failed(r, h, "cannot write (disk full?)");
}

static cord_status write_frame(recording *r, hdf5 *h)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < h->channel_count; i++) {
        status = write_channel(r, h, &h->channels[i]);
    }
    if (status == CORD_OK) status = keep_state(r, h);
    if (status != CORD_OK) return status;
    h->now.frames++;
    bool due = h->now.frames == 1 || wall_clock() - h->last_flush >= FLUSH_INTERVAL;
    return !due || flush(h) ? CORD_OK : failed(r, h, "cannot write (disk full?)");
}

static cord_status hdf5_frame(recording *r, void *state)
{
    hdf5_quiet before = cord__hdf5_hush();
    cord_status status = write_frame(r, state);
    cord__hdf5_unhush(before);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------ */

static void close_set(hid_t set)
{
    if (set >= 0) H5Dclose(set);
}

static cord_status hdf5_close(recording *r, void *state)
{
    hdf5 *h = state;
    hdf5_quiet before = cord__hdf5_hush();
    bool good = true;
    /* Without a frame of this run there is no state of it either. */
    bool recorded = h->last_flush > 0;
    if (recorded) good = flush(h);
    for (int i = 0; i < h->channel_count; i++) close_set(h->channels[i].set);
    close_set(h->commit);
    close_set(h->slots[0]);
    close_set(h->slots[1]);
    if (h->file >= 0) good = H5Fclose(h->file) >= 0 && good;
    cord__hdf5_unhush(before);
    cord_status status = good ? CORD_OK : failed(r, h, "cannot complete");
    cord__release(r->mem, h->channels);
    cord__release(r->mem, h->values);
    cord__release(r->mem, h->slot);
    cord__release(r->mem, h);
    return status;
}

const recorder_ops cord__recorder_hdf5 = {"hdf5", hdf5_open, hdf5_frame, hdf5_close};
