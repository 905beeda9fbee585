/* HDF5: recording.h5, everything needed to draw a run and to continue it. Every dataset has a checksum
 * (Fletcher-32); HDF5 adds checksums of its own to the metadata, which attributes belong to.
 *
 *     /about             attributes: kind of file, title, time step, overrides of the scene
 *     /scene/0000        the files of the scene, as bytes with a name
 *     /strands           a list per property: name, vertices, section, ...; natural_lengths of all edges;
 *                        over frames, of all strands one after the other: positions, ...
 *     /bodies            likewise: name, shape, mass, ...; over frames: position, rotation (a quaternion,
 *                        w first), velocity, angular_velocity; a mesh's triangles in /bodies/0000
 *     /probes            likewise: name, items, columns, ...; over frames: values, of all probes one after
 *                        the other
 *     /contacts          of scenes with contacts: rows, and over frames start, where those of a frame begin
 *     /page              the description of the scene that pages have (html_scene.h), its images; over frames:
 *                        points that anchors and constraints refer to, and whether constraints are attached
 *     /time, /energies   over frames
 *     /state/0, /state/1 the world as bytes, and the expected results observed
 *     /commit            how many frames count, and which state goes with them; 2: none
 *
 * The number of datasets does not grow with the number of strands: HDF5 orders its writes at each flush, which
 * takes longer than in proportion to the number of datasets.
 *
 * The file can be read at any moment, whatever happens to the writer. HDF5 keeps its structure valid: in
 * single-writer mode an object is written before the references to it. The recorder keeps the contents
 * valid: /commit is written after all the frames that it counts, and the state goes into the slot that
 * /commit does not point to. The file gets its name when it is ready for that. No chunk that /commit counts is
 * written again, so that a write that was interrupted leaves their checksums right. */
#include "record/hdf5_contacts.h"
#include "record/hdf5_page.h"
#include "record/hdf5_series.h"
#include "record/hdf5_tables.h"
#include "record/hdf5_values.h"
#include "record/origin.h"
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_SERIES = 2 + (int)QUANTITY_COUNT + (int)BODY_QUANTITY_COUNT + 4,
};

static const double FLUSH_INTERVAL = 1; /* s of wall clock */

typedef struct commit_record {
    uint64_t frames, slot;
} commit_record;

typedef struct hdf5 {
    hid_t file, commit, slots[2], contacts; /* the last: rows; invalid without contacts */
    double contact_range[2];                /* of the present frame */
    char path[1100], part[1100];            /* `part` is its name until it is ready */
    int series_count;
    series series[MOST_SERIES];
    commit_record now;
    origin origin; /* the scene's files, while the recording is begun */
    size_t slot_size, slot_room;
    char *slot;     /* the state of the latest frame: its size, the world, the expected results */
    bool has_page;  /* recordings of earlier versions, which may be resumed, have none */
    bool broken;    /* a write has failed: the file stays as it was at its last commit */
    bool stateless; /* the run has failed before the first frame: nothing to go on from */
    double last_flush;
} hdf5;

/* errno is that of the system call that failed, where there was one. */
static cord_status failed(recording *r, const hdf5 *h, const char *what)
{
    snprintf(r->error, sizeof r->error, "%s %.180s: %s", what, h->path,
             errno ? strerror(errno) : "the HDF5 library refuses it");
    return CORD_ERROR_FILE;
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- datasets over frames ----------------------------------------------------------------- */

static void add_series(hdf5 *h, const char *group, const char *name, series c)
{
    snprintf(c.path, sizeof c.path, "%s/%s", group, name);
    c.set = H5I_INVALID_HID;
    c.extent[0] = 1;
    h->series[h->series_count++] = c;
}

static bool any_has(const snapshot_layout *l, int what)
{
    for (int i = 0; i < l->strand_count; i++) {
        if (l->strands[i].has[what]) return true;
    }
    return false;
}

static void list_page_series(hdf5 *h, const frame_snapshot *s)
{
    const snapshot_layout *l = s->layout;
    if (l->point_count > 0)
        add_series(h, "/page", "points",
                   (series){.rank = 3,
                            .extent = {1, (hsize_t)l->point_count, POINT_SIZE},
                            .values = s->points});
    if (l->constraint_count > 0)
        add_series(h, "/page", "attached",
                   (series){.rank = 2,
                            .extent = {1, (hsize_t)l->constraint_count},
                            .values = s->attached});
}

static void list_series(hdf5 *h, const frame_snapshot *s)
{
    const snapshot_layout *l = s->layout;
    add_series(h, "", "time", (series){.rank = 1, .values = s->time});
    add_series(h, "", "energies",
               (series){.rank = 2, .extent = {1, ENERGY_COUNT}, .values = s->energies});
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        const quantity_info *q = &cord__quantities[i];
        if (!any_has(l, i)) continue;
        add_series(h, "/strands", q->name,
                   (series){.single = q->single,
                            .rank = q->columns > 1 ? 3 : 2,
                            .extent = {1, q->per_edge ? l->edge_count : l->vertex_count,
                                       (hsize_t)q->columns},
                            .values = s->strands[i]});
    }
    for (int i = 0; l->body_count > 0 && i < BODY_QUANTITY_COUNT; i++) {
        const body_quantity_info *q = &cord__body_quantities[i];
        add_series(h, "/bodies", q->name,
                   (series){.rank = 3,
                            .extent = {1, (hsize_t)l->body_count, (hsize_t)q->columns},
                            .values = s->bodies[i]});
    }
    if (l->probe_size > 0)
        add_series(h, "/probes", "values",
                   (series){.rank = 2, .extent = {1, l->probe_size}, .values = s->probes});
    if (l->has_contacts)
        add_series(h, "/contacts", "start",
                   (series){.rank = 2, .extent = {1, 2}, .values = h->contact_range});
    if (h->has_page) list_page_series(h, s);
}

/* ---- making a new file -------------------------------------------------------------------- */

static bool describe_run(const recording *r, hid_t file)
{
    cord_scene_info info = cord_scene_get_info(cord_simulation_get_scene(r->simulation));
    hid_t about = H5Gcreate2(file, "about", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = about >= 0 && cord__hdf5_put_text(about, "kind", RECORDING_KIND) &&
                cord__hdf5_put_number(about, "version", RECORDING_VERSION) &&
                cord__hdf5_put_text(about, "cordage", cord_version()) &&
                cord__hdf5_put_text(about, "title", info.title) &&
                cord__hdf5_put_number(about, "until", info.until) &&
                cord__hdf5_put_number(about, "dt", info.dt) &&
                cord__hdf5_put_number(about, "frame_interval", info.frame_interval) &&
                cord__hdf5_put_number(about, "strands", r->frame.layout->strand_count) &&
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
    bool good = space >= 0 && plan >= 0 && H5Pset_chunk(plan, 1, &chunk) >= 0 &&
                H5Pset_fletcher32(plan) >= 0;
    hid_t set =
        good ? H5Dcreate2(group, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, plan, H5P_DEFAULT)
             : H5I_INVALID_HID;
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

static const char *const slot_names[2] = {"0", "1"};

static bool create_datasets(const recording *r, const hdf5 *h, hid_t file)
{
    bool good = !r->frame.layout->has_contacts || cord__contact_rows_create(file);
    for (int i = 0; good && i < h->series_count; i++)
        good = cord__series_create(file, &h->series[i]);
    commit_record none = {0, 0};
    hid_t state = H5Gcreate2(file, "state", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    good = good && state >= 0 && create_slot(state, slot_names[0], h->slot_room) &&
           create_slot(state, slot_names[1], h->slot_room) &&
           cord__hdf5_put_bytes(file, "commit", &none, sizeof none);
    H5Gclose(state);
    return good;
}

static cord_status fill_new(const recording *r, const hdf5 *h, hid_t file)
{
    if (!describe_run(r, file) || !store_scene(&h->origin, file)) return CORD_ERROR_FILE;
    cord_status status = cord__hdf5_store_page(r, file);
    if (status == CORD_OK) status = cord__hdf5_store_tables(r, file);
    return status == CORD_OK && !create_datasets(r, h, file) ? CORD_ERROR_FILE : status;
}

/* ---- continuing one ----------------------------------------------------------------------- */

/* The state that goes with the frames is copied. The other one may be half written, and HDF5 cannot write into a
 * part of a chunk whose checksum is wrong: it begins empty. */
static bool copy_state(const hdf5 *h, hid_t old, hid_t file)
{
    commit_record now = {0, NO_SLOT};
    hid_t commit = H5Dopen2(old, "commit", H5P_DEFAULT);
    bool good = commit >= 0 &&
                H5Dread(commit, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, &now) >= 0 &&
                now.slot < NO_SLOT;
    if (commit >= 0) H5Dclose(commit);
    if (!good) return false;
    hid_t from = H5Gopen2(old, "state", H5P_DEFAULT);
    hid_t to = H5Gcreate2(file, "state", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const char *name = slot_names[now.slot];
    good = from >= 0 && to >= 0 && H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
           create_slot(to, slot_names[1 - now.slot], h->slot_room);
    if (from >= 0) H5Gclose(from);
    if (to >= 0) H5Gclose(to);
    return good;
}

/* The old file is copied and never written to: it may have been left by a writer that was killed,
 * whose book-keeping of free space is then not to be trusted, and stays until the copy is good. */
static cord_status fill_copied(const recording *r, const hdf5 *h, hid_t file)
{
    static const char *const parts[] = {"scene", "strands",  "bodies", "probes",
                                        "time",  "energies", "commit"};
    hid_t old = cord__hdf5_open(h->path);
    bool good = old >= 0 && describe_run(r, file); /* it may be meant to go on for longer */
    for (size_t i = 0; good && i < sizeof parts / sizeof parts[0]; i++) {
        good = H5Ocopy(old, parts[i], file, parts[i], H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    if (good && r->frame.layout->has_contacts)
        good = H5Ocopy(old, "contacts", file, "contacts", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    if (good && h->has_page)
        good = H5Ocopy(old, "page", file, "page", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    good = good && copy_state(h, old, file);
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

static bool open_datasets(const recording *r, hdf5 *h)
{
    for (int i = 0; i < h->series_count; i++) {
        series *c = &h->series[i];
        c->set = cord__series_open(h->file, c);
        if (c->set < 0) return false;
    }
    if (r->frame.layout->has_contacts) {
        h->contacts = H5Dopen2(h->file, "contacts/rows", H5P_DEFAULT);
        if (h->contacts < 0) return false;
    }
    h->commit = H5Dopen2(h->file, "commit", H5P_DEFAULT);
    h->slots[0] = H5Dopen2(h->file, "state/0", H5P_DEFAULT);
    h->slots[1] = H5Dopen2(h->file, "state/1", H5P_DEFAULT);
    return h->commit >= 0 && h->slots[0] >= 0 && h->slots[1] >= 0;
}

/* Drops frames that were recorded after the last commit, and those after the first `keep`. */
static bool truncate_to(hdf5 *h, int64_t keep)
{
    if (!read_commit(h) || h->now.frames < (uint64_t)keep) return false;
    h->now.frames = (uint64_t)keep;
    bool good = true;
    for (int i = 0; good && i < h->series_count; i++)
        good = cord__series_resize(&h->series[i], h->now.frames);
    return good &&
           H5Dwrite(h->commit, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, &h->now) >= 0 &&
           H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0;
}

static bool start_writing(const recording *r, hdf5 *h)
{
    hid_t access = access_latest();
    h->file = H5Fopen(h->part, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    H5Pclose(access);
    return h->file >= 0 && open_datasets(r, h) && (!r->keep || truncate_to(h, r->keep)) &&
           rename(h->part, h->path) == 0;
}

/* The slot is as large as the state is now, or larger. */
static cord_status make_room(recording *r, hdf5 *h)
{
    size_t world,
        results =
            (size_t)cord_scene_get_info(cord_simulation_get_scene(r->simulation)).expectation_count;
    cord_status status =
        cord_world_get_state_size(cord_simulation_get_world(r->simulation), &world);
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

static bool has_group(const char *path, const char *name)
{
    hdf5_quiet before = cord__hdf5_hush();
    hid_t file = cord__hdf5_open(path);
    bool there = file >= 0 && H5Lexists(file, name, H5P_DEFAULT) > 0;
    if (file >= 0) H5Fclose(file);
    cord__hdf5_unhush(before);
    return there;
}

static cord_status prepare(recording *r, hdf5 *h)
{
    cord_status status = make_room(r, h);
    if (status != CORD_OK) return status;
    h->has_page = r->keep == 0 || has_group(h->path, "page");
    list_series(h, &r->frame);
    return cord__origin_read(r->mem, cord_simulation_get_scene(r->simulation), &h->origin);
}

static cord_status begin_file(recording *r, hdf5 *h)
{
    hdf5_quiet before = cord__hdf5_hush();
    errno = 0;
    cord_status status = make_part(r, h);
    bool good = status == CORD_OK && start_writing(r, h);
    cord__hdf5_unhush(before);
    if (good) return CORD_OK;
    int cause = errno;
    remove(h->part);
    errno = cause;
    if (status == CORD_ERROR_MEMORY) return status;
    return failed(r, h, r->keep ? "cannot continue" : "cannot write");
}

static cord_status hdf5_open(recording *r, void **state)
{
    hdf5 *h = NEW(r->mem, hdf5, 1);
    *state = h;
    if (!h) return CORD_ERROR_MEMORY;
    h->file = h->commit = h->slots[0] = h->slots[1] = h->contacts = H5I_INVALID_HID;
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
    commit_record next = {h->now.frames, h->stateless ? NO_SLOT : 1 - h->now.slot};
    bool good = (h->stateless || write_slot(h, h->slots[next.slot])) &&
                H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0 &&
                H5Dwrite(h->commit, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, &next) >= 0 &&
                H5Dflush(h->commit) >= 0;
    if (good) h->now = next;
    h->last_flush = wall_clock();
    return good;
}

static cord_status keep_state(recording *r, hdf5 *h)
{
    cord_status status = make_room(r, h);
    if (status == CORD_OK)
        status = cord_world_get_state(cord_simulation_get_world(r->simulation),
                                      h->slot + sizeof(uint64_t));
    if (status != CORD_OK) return status;
    int count = cord_scene_get_info(cord_simulation_get_scene(r->simulation)).expectation_count;
    observed_result *results = NEW(r->mem, observed_result, count);
    if (!results) return CORD_ERROR_MEMORY;
    cord__get_observed(r->simulation, results);
    size_t size = (size_t)count * sizeof *results;
    memcpy(h->slot + h->slot_size - size, results, size);
    cord__release(r->mem, results);
    return status;
}

static cord_status write_frame(recording *r, const frame_snapshot *now, hdf5 *h)
{
    if (h->contacts >= 0 && !cord__contact_rows_append(h->contacts, now->contacts,
                                                       now->contact_count, h->contact_range))
        return failed(r, h, "cannot write");
    for (int i = 0; i < h->series_count; i++) {
        if (!cord__series_append(&h->series[i], h->now.frames)) return failed(r, h, "cannot write");
    }
    h->stateless = r->failure != NULL;
    cord_status status = h->stateless ? CORD_OK : keep_state(r, h);
    if (status != CORD_OK) return status;
    h->now.frames++;
    bool due = h->now.frames == 1 || wall_clock() - h->last_flush >= FLUSH_INTERVAL;
    return !due || flush(h) ? CORD_OK : failed(r, h, "cannot write");
}

static cord_status hdf5_frame(recording *r, const frame_snapshot *now, void *state)
{
    hdf5_quiet before = cord__hdf5_hush();
    errno = 0;
    cord_status status = write_frame(r, now, state); /* the series point into it */
    if (status == CORD_ERROR_FILE) ((hdf5 *)state)->broken = true;
    cord__hdf5_unhush(before);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------ */

static void close_set(hid_t set)
{
    if (set >= 0) H5Dclose(set);
}

/* After a write has failed, closing the file would mark it as complete with parts that were never written. The
 * rest of what HDF5 writes goes nowhere, so that the file is that of a writer that was killed. */
static void detach_file(const hdf5 *h)
{
    int *descriptor = NULL, nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0 && H5Fget_vfd_handle(h->file, H5P_DEFAULT, (void **)&descriptor) >= 0)
        dup2(nowhere, *descriptor);
    if (nowhere >= 0) close(nowhere);
}

static cord_status hdf5_close(recording *r, void *state)
{
    hdf5 *h = state;
    hdf5_quiet before = cord__hdf5_hush();
    errno = 0;
    bool good = true;
    /* Without a frame of this run there is no state of it either. */
    bool recorded = h->last_flush > 0;
    if (recorded && !h->broken) good = flush(h);
    if (!good || h->broken) detach_file(h);
    for (int i = 0; i < h->series_count; i++) close_set(h->series[i].set);
    close_set(h->commit);
    close_set(h->slots[0]);
    close_set(h->slots[1]);
    close_set(h->contacts);
    if (h->file >= 0) good = H5Fclose(h->file) >= 0 && good;
    cord__hdf5_unhush(before);
    cord_status status = good && !h->broken ? CORD_OK : failed(r, h, "cannot complete");
    cord__release(r->mem, h->slot);
    cord__release(r->mem, h);
    return status;
}

const recorder_ops cord__recorder_hdf5 = {"hdf5", hdf5_open, hdf5_frame, hdf5_close, NULL};
