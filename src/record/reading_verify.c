/* Reading all of a recording, so that every checksum is compared. The groups are walked: a dataset that nobody
 * reads otherwise is verified, too. */
#include "record/reading_data.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 4, BLOCK_BYTES = 1 << 20 };

typedef struct verification {
    reading *r;
    reading_damage *found; /* may be NULL */
    void *user;
    bool damaged, out_of_memory;
} verification;

typedef struct frame_range {
    int64_t first, end;
} frame_range;

static void report(verification *v, const char *dataset, frame_range frames)
{
    v->damaged = true;
    if (v->found) v->found(v->user, dataset, frames.first, frames.end - 1);
}

static const frame_range no_frames = {-1, 0};

/* ---- one dataset ---------------------------------------------------------------------------- */

typedef struct verified_set {
    hid_t set, space, type;
    int rank;
    hsize_t extent[3], most[3];
    size_t row_bytes;
} verified_set;

static bool open_set(hid_t set, verified_set *d)
{
    *d = (verified_set){.set = set, .space = H5Dget_space(set), .type = H5Dget_type(set)};
    d->rank = d->space >= 0 ? H5Sget_simple_extent_ndims(d->space) : -1;
    if (d->type < 0 || d->rank < 1 || d->rank > 3) return false;
    if (H5Sget_simple_extent_dims(d->space, d->extent, d->most) < 0) return false;
    d->row_bytes = H5Tget_size(d->type);
    for (int i = 1; i < d->rank; i++) d->row_bytes *= (size_t)d->extent[i];
    return d->row_bytes <= MOST_BYTES;
}

static void close_set(const verified_set *d)
{
    if (d->space >= 0) H5Sclose(d->space);
    if (d->type >= 0) H5Tclose(d->type);
}

static bool read_rows(const verified_set *d, hsize_t first, hsize_t rows, void *to)
{
    hsize_t start[3] = {first, 0, 0}, count[3] = {rows, d->extent[1], d->extent[2]};
    hid_t part = H5Screate_simple(d->rank, count, NULL);
    bool good = part >= 0 &&
                H5Sselect_hyperslab(d->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(d->set, d->type, part, d->space, H5P_DEFAULT, to) >= 0;
    if (part >= 0) H5Sclose(part);
    return good;
}

/* Frame by frame: those that follow each other are reported together. */
static void verify_frames(verification *v, const verified_set *d, const char *path, void *room)
{
    int64_t frames = v->r->info.frames;
    frame_range bad = no_frames;
    for (int64_t i = 0; i < frames; i++) {
        bool good = (hsize_t)i < d->extent[0] && read_rows(d, (hsize_t)i, 1, room);
        if (!good && bad.first < 0) bad.first = i;
        if (!good) bad.end = i + 1;
        if (bad.first < 0 || (!good && i + 1 < frames)) continue;
        report(v, path, bad);
        bad = no_frames;
    }
}

static void verify_rows(verification *v, const verified_set *d, const char *path, hsize_t block,
                        void *room)
{
    for (hsize_t i = 0; i < d->extent[0]; i += block) {
        hsize_t rows = d->extent[0] - i < block ? d->extent[0] - i : block;
        if (read_rows(d, i, rows, room)) continue;
        report(v, path, no_frames);
        return;
    }
}

/* The state that /commit does not point to may be half written. */
static bool counts(const reading *r, const char *path)
{
    return strcmp(path, r->slot ? "/state/0" : "/state/1") != 0;
}

static void verify_set(verification *v, hid_t set, const char *path)
{
    verified_set d;
    bool good = open_set(set, &d), slot = strncmp(path, "/state/", 7) == 0;
    if (!good) report(v, path, no_frames);
    if (good && d.row_bytes > 0 && counts(v->r, path)) {
        hsize_t block = d.row_bytes < BLOCK_BYTES ? BLOCK_BYTES / d.row_bytes : 1;
        bool rows =
            strcmp(path, "/contacts/rows") == 0; /* those after the last frame do not count */
        bool over_frames = d.most[0] == H5S_UNLIMITED && !slot && !rows;
        if (rows && d.extent[0] > (hsize_t)v->r->contact_end)
            d.extent[0] = (hsize_t)v->r->contact_end;
        void *room = cord__allocate(&v->r->mem, over_frames ? 1 : (size_t)block, d.row_bytes);
        v->out_of_memory = v->out_of_memory || !room;
        if (room && over_frames) verify_frames(v, &d, path, room);
        if (room && !over_frames) verify_rows(v, &d, path, block, room);
        cord__release(&v->r->mem, room);
    }
    close_set(&d);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void verify_group(verification *v, hid_t group, const char *path, int depth);

static void verify_object(verification *v, hid_t group, const char *path, int depth)
{
    hid_t object = H5Oopen(group, path, H5P_DEFAULT);
    H5I_type_t type = object >= 0 ? H5Iget_type(object) : H5I_BADID;
    if (type == H5I_DATASET)
        verify_set(v, object, path);
    else if (type == H5I_GROUP && depth < MOST_DEPTH)
        verify_group(v, object, path, depth);
    else
        report(v, path, no_frames);
    if (object >= 0) H5Oclose(object);
}

static void verify_group(verification *v, hid_t group, const char *path, int depth)
{
    H5G_info_t info;
    char name[64], inside[320];
    if (H5Gget_info(group, &info) < 0) {
        report(v, path, no_frames);
        return;
    }
    for (hsize_t i = 0; i < info.nlinks; i++) {
        ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                            sizeof name, H5P_DEFAULT);
        bool named = length > 0 && (size_t)length < sizeof name;
        snprintf(inside, sizeof inside, "%.250s/%s", path, name);
        if (named)
            verify_object(v, group, inside, depth + 1);
        else
            report(v, *path ? path : "/", no_frames);
    }
}

cord_status cord__reading_verify(reading *r, reading_damage *found, void *user)
{
    if (r->file < 0) return CORD_ERROR_FILE;
    verification v = {.r = r, .found = found, .user = user};
    hdf5_quiet before = cord__hdf5_hush();
    hid_t root = H5Gopen2(r->file, "/", H5P_DEFAULT);
    if (root >= 0)
        verify_group(&v, root, "", 0);
    else
        report(&v, "/", no_frames);
    if (root >= 0) H5Gclose(root);
    cord__hdf5_unhush(before);
    if (v.out_of_memory) return cord__reading_fail(r, CORD_ERROR_MEMORY, "out of memory");
    return v.damaged ? CORD_ERROR_FILE : CORD_OK;
}
