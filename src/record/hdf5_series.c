#include "record/hdf5_series.h"

#include <string.h>

enum {
    /* A chunk that is not full is written again at each flush, elsewhere because its compressed size
     * has changed, and its old space is lost: so chunks have few rows, and a row that is longer than one
     * has several, which also lets single strands be read; */
    CHUNK_ROWS = 16,
    CHUNK_BYTES = 32 * 1024,
    /* and narrow rows are not compressed: such a chunk stays where it is. */
    NARROW_BYTES = 64,
    NARROW_ROWS = 512,
    DEFLATE_LEVEL = 4,
};

static size_t row_size(const series *s)
{
    size_t size = 1;
    for (int i = 1; i < s->rank; i++) size *= (size_t)s->extent[i];
    return size;
}

static void size_chunk(const series *s, hsize_t chunk[MAX_RANK])
{
    size_t bytes = row_size(s) * sizeof(double);
    memcpy(chunk, s->extent, sizeof s->extent);
    if (bytes <= NARROW_BYTES) {
        chunk[0] = NARROW_ROWS;
        return;
    }
    size_t rows = CHUNK_BYTES / bytes;
    chunk[0] = rows < 1 ? 1 : rows > CHUNK_ROWS ? CHUNK_ROWS : rows;
    if (rows < 1) chunk[1] = s->extent[1] * CHUNK_BYTES / bytes;
}

static bool plan_chunks(hid_t plan, const series *s)
{
    hsize_t chunk[MAX_RANK];
    size_chunk(s, chunk);
    bool good = H5Pset_chunk(plan, s->rank, chunk) >= 0;
    if (row_size(s) * sizeof(double) <= NARROW_BYTES) return good;
    return good && H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, DEFLATE_LEVEL) >= 0;
}

bool cord__series_create(hid_t file, const series *s)
{
    hsize_t first[MAX_RANK], most[MAX_RANK];
    memcpy(first, s->extent, sizeof first);
    memcpy(most, s->extent, sizeof most);
    first[0] = 0;
    most[0] = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(s->rank, first, most), plan = H5Pcreate(H5P_DATASET_CREATE);
    bool good = space >= 0 && plan >= 0 && plan_chunks(plan, s);
    hid_t type = s->single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    hid_t set = good ? H5Dcreate2(file, s->path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT)
                     : H5I_INVALID_HID;
    H5Pclose(plan);
    H5Sclose(space);
    return set >= 0 && H5Dclose(set) >= 0;
}

/* One chunk is kept in memory, so that rows gather in it before it is compressed. */
hid_t cord__series_open(hid_t file, const series *s)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    hsize_t chunk[MAX_RANK];
    size_chunk(s, chunk);
    size_t size = sizeof(double);
    for (int i = 0; i < s->rank; i++) size *= (size_t)chunk[i];
    H5Pset_chunk_cache(access, 11, size + 1024, 1);
    hid_t set = H5Dopen2(file, s->path, access);
    H5Pclose(access);
    return set;
}

bool cord__series_resize(const series *s, hsize_t frames)
{
    hsize_t extent[MAX_RANK];
    memcpy(extent, s->extent, sizeof extent);
    extent[0] = frames;
    return H5Dset_extent(s->set, extent) >= 0;
}

bool cord__series_append(const series *s, hsize_t frame)
{
    if (!cord__series_resize(s, frame + 1)) return false;
    hsize_t start[MAX_RANK] = {frame}, count[MAX_RANK];
    memcpy(count, s->extent, sizeof count);
    count[0] = 1;
    hid_t all = H5Dget_space(s->set), row = H5Screate_simple(s->rank, count, NULL);
    bool good = all >= 0 && row >= 0 &&
                H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(s->set, H5T_NATIVE_DOUBLE, row, all, H5P_DEFAULT, s->values) >= 0;
    H5Sclose(all);
    H5Sclose(row);
    return good;
}
