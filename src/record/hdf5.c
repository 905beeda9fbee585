/* HDF5: recording.h5, everything needed to draw a run and to continue it.
 *
 *     /about             attributes: what this is, title, time step, what the scene was changed by
 *     /scene/0000        the files of the scene, as bytes with a name
 *     /strands           a list per property: name, vertices, section, ...; natural_lengths of all edges;
 *                        over frames, of all strands one after the other: positions, ...
 *     /bodies            likewise: name, shape, mass, ...; over frames: position, rotation (a quaternion,
 *                        w first), velocity, angular_velocity; a mesh's triangles in /bodies/0000
 *     /probes            likewise: name, items, columns, ...; over frames: values, of all probes one after
 *                        the other
 *     /time, /energies   over frames
 *     /state/0, /state/1 the world as bytes, and the expected results observed
 *     /commit            how many frames count, and which state goes with them
 *
 * However many strands there are, the datasets are these few: what HDF5 does at a flush to keep the order in
 * which things reach the file takes longer than in proportion to their number.
 *
 * The file can be read at any moment, whatever happens to the writer. HDF5 sees to its structure: in
 * its single-writer mode what is referred to is written before what refers to it. We see to the
 * contents: /commit is written after all that it counts has been handed to the system, and the state
 * goes where /commit does not point. The file gets its name when it is ready for that. */
#include "record/hdf5_things.h"
#include "record/hdf5_values.h"
#include "record/origin.h"
#include "record/recorder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MAX_RANK = 3,
    MOST_CHANNELS = 2 + (int)QUANTITY_COUNT + (int)BODY_QUANTITY_COUNT + 1,
    /* A chunk that is not full is written again at each flush, elsewhere because its compressed size
     * has changed, and its old place is lost: so chunks have few rows, and a row that is longer than one
     * has several, which also lets single strands be read; */
    CHUNK_ROWS = 16,
    CHUNK_BYTES = 32 * 1024,
    /* and narrow rows are not compressed: such a chunk stays in its place. */
    NARROW_BYTES = 64,
    NARROW_ROWS = 512,
    DEFLATE_LEVEL = 4,
};

static const double FLUSH_INTERVAL = 1; /* s of wall clock */

typedef struct hdf5 hdf5;

/* A dataset over frames, and where its rows come from. */
typedef struct channel {
    char path[48];
    hid_t set;
    bool single;
    int rank;
    hsize_t extent[MAX_RANK]; /* the first is that of frames */
    cord_status (*fetch)(recording *r, const hdf5 *h, int what, double *values);
    int what; /* quantity of strands, body_quantity of bodies */
} channel;

typedef struct commit_record {
    uint64_t frames, slot;
} commit_record;

struct hdf5 {
    hid_t file, commit, slots[2];
    char path[1100], part[1100]; /* the part is what is not yet ready */
    objects objects;
    int channel_count;
    channel channels[MOST_CHANNELS];
    double *values; /* large enough for a row of any channel */
    commit_record now;
    origin origin; /* the scene's files, while the recording is begun */
    size_t slot_size, slot_room;
    char *slot; /* the state of the latest frame: its size, the world, the expected results */
    double last_flush;
};

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

static cord_status fetch_time(recording *r, const hdf5 *h, int what, double *values)
{
    (void)h, (void)what;
    values[0] = cord_world_get_time(r->world);
    return CORD_OK;
}

static cord_status fetch_energy(recording *r, const hdf5 *h, int what, double *values)
{
    (void)h, (void)what;
    cord_energy e;
    cord_status status = cord_world_get_energy(r->world, &e);
    if (status != CORD_OK) return status;
    const double all[ENERGY_COUNT] = {e.kinetic,  e.gravity,     e.stretching, e.bending,
                                      e.twisting, e.constraints, e.total};
    memcpy(values, all, sizeof all);
    return CORD_OK;
}

/* What one strand writes beyond its place is that of the next, or room at the end. */
static cord_status fetch_strands(recording *r, const hdf5 *h, int what, double *values)
{
    const quantity_info *q = &cord__quantities[what];
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < h->objects.strand_count; i++) {
        const strand_record *s = &h->objects.strands[i];
        size_t size = (size_t)(q->per_edge ? s->edges : s->vertices) * (size_t)q->columns;
        if (s->recorded[what] != 0) {
            status = cord__strand_row(r->scene, r->world, i, (quantity)what, (int)s->edges, values);
        } else {
            for (size_t k = 0; k < size; k++) values[k] = NAN;
        }
        values += size;
    }
    return status;
}

static cord_status fetch_bodies(recording *r, const hdf5 *h, int what, double *values)
{
    const body_quantity_info *q = &cord__body_quantities[what];
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < h->objects.body_count; i++, values += q->columns) {
        double row[BODY_ROW];
        status = cord__body_row(r->scene, r->world, i, row);
        if (status == CORD_OK) memcpy(values, row + q->first, (size_t)q->columns * sizeof *values);
    }
    return status;
}

static cord_status fetch_probes(recording *r, const hdf5 *h, int what, double *values)
{
    (void)what;
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < h->objects.probe_count; i++) {
        const probe_record *p = &h->objects.probes[i];
        status = cord_scene_sample(r->scene, r->world, i, values);
        values += (size_t)p->items * (size_t)p->columns;
    }
    return status;
}

/* ---- datasets over frames ----------------------------------------------------------------- */

static size_t row_size(const channel *c)
{
    size_t size = 1;
    for (int i = 1; i < c->rank; i++) size *= (size_t)c->extent[i];
    return size;
}

static void size_chunk(const channel *c, hsize_t chunk[MAX_RANK])
{
    size_t bytes = row_size(c) * sizeof(double);
    memcpy(chunk, c->extent, sizeof c->extent);
    if (bytes <= NARROW_BYTES) {
        chunk[0] = NARROW_ROWS;
        return;
    }
    size_t rows = CHUNK_BYTES / bytes;
    chunk[0] = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    if (rows < 1) chunk[1] = c->extent[1] * CHUNK_BYTES / bytes;
}

static bool plan_chunks(hid_t plan, const channel *c)
{
    hsize_t chunk[MAX_RANK];
    size_chunk(c, chunk);
    bool good = H5Pset_chunk(plan, c->rank, chunk) >= 0;
    if (row_size(c) * sizeof(double) <= NARROW_BYTES) return good;
    return good && H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, DEFLATE_LEVEL) >= 0;
}

static bool create_series(hid_t file, const channel *c)
{
    hsize_t first[MAX_RANK], most[MAX_RANK];
    memcpy(first, c->extent, sizeof first);
    memcpy(most, c->extent, sizeof most);
    first[0] = 0;
    most[0] = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(c->rank, first, most), plan = H5Pcreate(H5P_DATASET_CREATE);
    bool good = space >= 0 && plan >= 0 && plan_chunks(plan, c);
    hid_t type = c->single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    hid_t set = good ? H5Dcreate2(file, c->path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT)
                     : H5I_INVALID_HID;
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

/* One chunk is kept in memory, so that rows gather in it before it is compressed. */
static hid_t open_series(hid_t file, const channel *c)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    hsize_t chunk[MAX_RANK];
    size_chunk(c, chunk);
    size_t size = sizeof(double);
    for (int i = 0; i < c->rank; i++) size *= (size_t)chunk[i];
    H5Pset_chunk_cache(access, 11, size + 1024, 1);
    hid_t set = H5Dopen2(file, c->path, access);
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

static void add_channel(hdf5 *h, const char *group, const char *name, channel c)
{
    snprintf(c.path, sizeof c.path, "%s/%s", group, name);
    c.set = H5I_INVALID_HID;
    c.extent[0] = 1;
    h->channels[h->channel_count++] = c;
}

static bool anyone_answers(const objects *t, int what)
{
    for (int i = 0; i < t->strand_count; i++) {
        if (t->strands[i].recorded[what] != 0) return true;
    }
    return false;
}

static void list_channels(hdf5 *h)
{
    const objects *t = &h->objects;
    add_channel(h, "", "time", (channel){.rank = 1, .fetch = fetch_time});
    add_channel(h, "", "energies",
                (channel){.rank = 2, .extent = {1, ENERGY_COUNT}, .fetch = fetch_energy});
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        const quantity_info *q = &cord__quantities[i];
        if (!anyone_answers(t, i)) continue;
        add_channel(
            h, "/strands", q->name,
            (channel){.single = q->single,
                      .rank = q->columns > 1 ? 3 : 2,
                      .extent = {1, q->per_edge ? t->edges : t->vertices, (hsize_t)q->columns},
                      .fetch = fetch_strands,
                      .what = i});
    }
    for (int i = 0; t->body_count > 0 && i < BODY_QUANTITY_COUNT; i++) {
        const body_quantity_info *q = &cord__body_quantities[i];
        add_channel(h, "/bodies", q->name,
                    (channel){.rank = 3,
                              .extent = {1, (hsize_t)t->body_count, (hsize_t)q->columns},
                              .fetch = fetch_bodies,
                              .what = i});
    }
    if (t->numbers > 0)
        add_channel(h, "/probes", "values",
                    (channel){.rank = 2, .extent = {1, t->numbers}, .fetch = fetch_probes});
}

/* And room for what fetch_strands() writes beyond the last one. */
static size_t largest_row(const hdf5 *h)
{
    size_t most = 0;
    for (int i = 0; i < h->channel_count; i++) {
        size_t size = row_size(&h->channels[i]);
        if (size > most) most = size;
    }
    return most + 9 * h->objects.longest;
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
    for (int i = 0; good && i < h->channel_count; i++) good = create_series(file, &h->channels[i]);
    commit_record none = {0, 0};
    hid_t state = H5Gcreate2(file, "state", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    good = good && state >= 0 && create_slot(state, "0", h->slot_room) &&
           create_slot(state, "1", h->slot_room) &&
           cord__hdf5_put_bytes(file, "commit", &none, sizeof none);
    H5Gclose(state);
    return good;
}

static cord_status fill_new(const recording *r, const hdf5 *h, hid_t file)
{
    if (!describe_run(r, file) || !store_scene(&h->origin, file)) return CORD_ERROR_FILE;
    cord_status status = cord__things_store(r, &h->objects, file);
    return status == CORD_OK && !create_datasets(h, file) ? CORD_ERROR_FILE : status;
}

/* ---- continuing one ----------------------------------------------------------------------- */

/* The old file is copied and never written to: it may have been left by a writer that was killed,
 * whose book-keeping of free space is then not to be trusted, and stays until the copy is good. */
static cord_status fill_copied(const recording *r, const hdf5 *h, hid_t file)
{
    static const char *const parts[] = {"scene", "strands",  "bodies", "probes",
                                        "time",  "energies", "state",  "commit"};
    hid_t old = cord__hdf5_open(h->path);
    bool good = old >= 0 && describe_run(r, file); /* it may be meant to go on for longer */
    for (size_t i = 0; good && i < sizeof parts / sizeof parts[0]; i++) {
        good = H5Ocopy(old, parts[i], file, parts[i], H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    if (old >= 0) H5Fclose(old);
    return good ? CORD_OK : CORD_ERROR_FILE;
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

static cord_status make_part(const recording *r, const hdf5 *h)
{
    hid_t access = access_latest();
    hid_t file = H5Fcreate(h->part, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file < 0) return CORD_ERROR_FILE;
    cord_status status = r->keep ? fill_copied(r, h, file) : fill_new(r, h, file);
    bool closed = H5Fclose(file) >= 0;
    return status == CORD_OK && !closed ? CORD_ERROR_FILE : status;
}

static bool open_datasets(hdf5 *h)
{
    for (int i = 0; i < h->channel_count; i++) {
        channel *c = &h->channels[i];
        c->set = open_series(h->file, c);
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
    cord_status status = cord_world_get_state_size(r->world, &world);
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
    cord_status status = make_room(r, h);
    if (status == CORD_OK) status = cord__things_list(r, &h->objects);
    if (status != CORD_OK) return status;
    list_channels(h);
    h->values = NEW(r->mem, double, largest_row(h));
    if (!h->values) return CORD_ERROR_MEMORY;
    return cord__origin_read(r->mem, r->scene, &h->origin);
}

static cord_status begin_file(recording *r, hdf5 *h)
{
    hdf5_quiet before = cord__hdf5_hush();
    cord_status status = make_part(r, h);
    bool good = status == CORD_OK && start_writing(r, h);
    cord__hdf5_unhush(before);
    if (good) return CORD_OK;
    remove(h->part);
    if (status == CORD_ERROR_MEMORY) return status;
    return failed(r, h, r->keep ? "cannot continue" : "cannot write");
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
    if (status == CORD_OK) status = begin_file(r, h);
    cord__origin_free(r->mem, &h->origin);
    return status;
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
    cord_status status = c->fetch(r, h, c->what, h->values);
    if (status != CORD_OK) {
        snprintf(r->error, sizeof r->error, "%s cannot be measured: %s", c->path,
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
    cord__things_free(r->mem, &h->objects);
    cord__release(r->mem, h->values);
    cord__release(r->mem, h->slot);
    cord__release(r->mem, h);
    return status;
}

const recorder_ops cord__recorder_hdf5 = {"hdf5", hdf5_open, hdf5_frame, hdf5_close};
