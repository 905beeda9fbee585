#include "record/hdf5_series.h"

#include <string.h>

/* A chunk has values of one frame only. It is then written once and never again: a writer that is killed in the
 * middle of a write damages no frame that was committed, although the checksum covers whole chunks, and no space of
 * the file is lost by writing a growing chunk elsewhere. A long row has several chunks, which also lets single
 * strands be read. */
enum {
    CHUNK_BYTES = 32 * 1024,
    COMPRESSED_BYTES = 2048, /* starting zlib for a shorter row costs more than it saves */
    DEFLATE_LEVEL = 4,
};

static size_t row_bytes(const series *s)
{
    size_t size = sizeof(double);
    for (int i = 1; i < s->rank; i++) size *= (size_t)s->extent[i];
    return size;
}

static void size_chunk(const series *s, hsize_t chunk[MAX_RANK])
{
    size_t bytes = row_bytes(s);
    memcpy(chunk, s->extent, sizeof s->extent);
    chunk[0] = 1;
    if (bytes > CHUNK_BYTES) chunk[1] = s->extent[1] * CHUNK_BYTES / bytes;
}

/* The checksum is the last filter, so that damaged bytes are never decompressed. */
static bool plan_chunks(hid_t plan, const series *s)
{
    hsize_t chunk[MAX_RANK];
    size_chunk(s, chunk);
    bool good = H5Pset_chunk(plan, s->rank, chunk) >= 0;
    if (good && row_bytes(s) >= COMPRESSED_BYTES)
        good = H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, DEFLATE_LEVEL) >= 0;
    return good && H5Pset_fletcher32(plan) >= 0;
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

/* A complete row is written at once: its chunks need no cache. */
hid_t cord__series_open(hid_t file, const series *s)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 11, 2 * CHUNK_BYTES, 1);
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
