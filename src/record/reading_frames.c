/* Frames of a recording. */
#include "record/reading_data.h"

#include <math.h>
#include <stdio.h>

/* Who reads one strand through all frames, and then the next, finds them in the same chunks: as many as
 * several thousand frames have are kept. */
static hid_t keep_chunks(void)
{
    enum { SLOTS = 32771, BYTES = 128 << 20 }; /* a prime, as HDF5 wants it */
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, SLOTS, BYTES, 1);
    return access;
}

hid_t cord__reading_open_series(const reading *r, const char *path, int64_t items, int columns)
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

static cord_status frame_damaged(reading *r, hid_t set, int64_t frame)
{
    char name[64] = "", part[128];
    if (set >= 0) H5Iget_name(set, name, sizeof name);
    snprintf(part, sizeof part, "frame %lld of %s", (long long)frame, *name ? name : "a quantity");
    return cord__reading_damaged(r, part);
}

cord_status cord__reading_series(reading *r, hid_t set, int64_t frame, int64_t first, int64_t items,
                                 double *values)
{
    if (frame < 0 || frame >= r->info.frames)
        return cord__reading_fail(r, CORD_ERROR_ARGUMENT, "there is no frame %lld",
                                  (long long)frame);
    hdf5_quiet before = cord__hdf5_hush();
    bool good = set >= 0 && read_items(set, frame, first, items, values);
    cord__hdf5_unhush(before);
    return good ? CORD_OK : frame_damaged(r, set, frame);
}

cord_status cord__reading_time(reading *r, int64_t frame, double *time)
{
    return cord__reading_series(r, r->time, frame, 0, 1, time);
}

cord_status cord__reading_energies(reading *r, int64_t frame, double values[ENERGY_COUNT])
{
    return cord__reading_series(r, r->energies, frame, 0, ENERGY_COUNT, values);
}

cord_status cord__reading_strand(reading *r, int strand, quantity what, int64_t frame,
                                 double *values)
{
    const quantity_info *q = &cord__quantities[what];
    if (strand < 0 || strand >= r->info.layout.strand_count ||
        !r->info.layout.strands[strand].has[what])
        return cord__reading_fail(r, CORD_ERROR_UNSUPPORTED, "%s: strand %d has no recorded %s",
                                  r->info.path, strand, q->name);
    const snapshot_strand *s = &r->info.layout.strands[strand];
    return cord__reading_series(r, r->strands[what], frame,
                                (int64_t)(q->per_edge ? s->first_edge : s->first_vertex),
                                q->per_edge ? s->edge_count : s->vertex_count, values);
}

cord_status cord__reading_body(reading *r, int body, body_quantity what, int64_t frame,
                               double *values)
{
    if (body < 0 || body >= r->info.layout.body_count)
        return cord__reading_fail(r, CORD_ERROR_ARGUMENT, "there is no body %d", body);
    return cord__reading_series(r, r->bodies[what], frame, body, 1, values);
}

cord_status cord__reading_probe(reading *r, int probe, int64_t frame, double *values)
{
    if (probe < 0 || probe >= r->info.layout.probe_count)
        return cord__reading_fail(r, CORD_ERROR_ARGUMENT, "there is no probe %d", probe);
    const snapshot_probe *p = &r->info.layout.probes[probe];
    return cord__reading_series(r, r->probes, frame, (int64_t)p->first,
                                (int64_t)p->items * p->columns, values);
}

/* The numbers of objects may be any double in a damaged file. */
static void check_numbers(const reading *r, int count)
{
    double most = r->info.layout.strand_count + r->info.layout.body_count;
    for (int i = 0; i < count; i++) {
        contact_record *c = r->contacts + i;
        if (!(c->first >= 0 && c->first < most)) c->first = -1;
        if (!(c->second >= 0 && c->second < most)) c->second = -1;
    }
}

cord_status cord__reading_contacts(reading *r, int64_t frame, const contact_record **list,
                                   int *count)
{
    double range[2];
    *list = NULL;
    *count = 0;
    if (r->contact_start < 0) return CORD_OK;
    cord_status status = cord__reading_series(r, r->contact_start, frame, 0, 2, range);
    if (status != CORD_OK) return status;
    int rows;
    if (!cord__contact_range(range, &rows)) return frame_damaged(r, r->contact_start, frame);
    if (rows > r->contact_room) {
        cord__release(&r->mem, r->contacts);
        r->contact_room = 0;
        r->contacts = NEW(&r->mem, contact_record, 2 * (size_t)rows);
        if (!r->contacts) return cord__reading_fail(r, CORD_ERROR_MEMORY, "out of memory");
        r->contact_room = 2 * rows;
    }
    hdf5_quiet before = cord__hdf5_hush();
    bool good = cord__contact_rows_read(r->contact_rows, range, r->contacts);
    cord__hdf5_unhush(before);
    if (!good) return frame_damaged(r, r->contact_rows, frame);
    check_numbers(r, rows);
    if (frame == r->info.frames - 1) r->contact_end = (int64_t)(range[0] + range[1]);
    *list = r->contacts;
    *count = rows;
    return CORD_OK;
}

static cord_status read_quantity(reading *r, int what, int64_t frame, frame_snapshot *s)
{
    const quantity_info *q = &cord__quantities[what];
    size_t rows = q->per_edge ? s->layout->edge_count : s->layout->vertex_count;
    if (r->strands[what] >= 0)
        return cord__reading_series(r, r->strands[what], frame, 0, (int64_t)rows, s->strands[what]);
    for (size_t i = 0; i < rows * (size_t)q->columns; i++) s->strands[what][i] = NAN;
    return CORD_OK;
}

cord_status cord__reading_frame(reading *r, int64_t frame, unsigned quantities, frame_snapshot *s)
{
    const snapshot_layout *l = s->layout;
    cord_status status = cord__reading_time(r, frame, s->time);
    if (status == CORD_OK) status = cord__reading_energies(r, frame, s->energies);
    for (int q = 0; status == CORD_OK && q < QUANTITY_COUNT; q++) {
        if (quantities >> q & 1) status = read_quantity(r, q, frame, s);
    }
    for (int q = 0; status == CORD_OK && l->body_count > 0 && q < BODY_QUANTITY_COUNT; q++) {
        status = cord__reading_series(r, r->bodies[q], frame, 0, l->body_count, s->bodies[q]);
    }
    if (status == CORD_OK && l->probe_size > 0)
        status = cord__reading_series(r, r->probes, frame, 0, (int64_t)l->probe_size, s->probes);
    if (status == CORD_OK)
        status = cord__reading_contacts(r, frame, &s->contacts, &s->contact_count);
    return status;
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
