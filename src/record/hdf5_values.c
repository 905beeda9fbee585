#include "record/hdf5_values.h"

#include <stdio.h>
#include <string.h>

hdf5_quiet cord__hdf5_hush(void)
{
    hdf5_quiet before = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

void cord__hdf5_unhush(hdf5_quiet before)
{
    H5Eset_auto2(H5E_DEFAULT, before.print, before.data);
}

hid_t cord__hdf5_open(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file >= 0) return file;
    /* Metadata that does not agree with its checksum is read again, being perhaps half written; the default of
     * a hundred times takes minutes to find out that a file is damaged. */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(access, 10);
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    H5Pclose(access);
    return file;
}

/* ---- checksums ---------------------------------------------------------------------------- */

hid_t cord__hdf5_checked_plan(int rank, const hsize_t *extent, size_t size)
{
    enum { MOST_RANK = 2, CHUNK_BYTES = 1 << 20 };
    hsize_t chunk[MOST_RANK], row = size;
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    for (int i = 1; i < rank; i++) row *= chunk[i] = extent[i];
    if (plan < 0 || extent[0] == 0 || row == 0) return plan;
    hsize_t rows = row < CHUNK_BYTES ? CHUNK_BYTES / row : 1;
    chunk[0] = rows < extent[0] ? rows : extent[0];
    if (H5Pset_chunk(plan, rank, chunk) >= 0 && H5Pset_fletcher32(plan) >= 0) return plan;
    H5Pclose(plan);
    return H5I_INVALID_HID;
}

/* A dataset with a checksum. */
static hid_t create_set(hid_t group, const char *name, hid_t type, int rank, const hsize_t *extent)
{
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t plan = cord__hdf5_checked_plan(rank, extent, H5Tget_size(type));
    hid_t set = space >= 0 && plan >= 0
                    ? H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT)
                    : H5I_INVALID_HID;
    if (plan >= 0) H5Pclose(plan);
    if (space >= 0) H5Sclose(space);
    return set;
}

/* ---- attributes --------------------------------------------------------------------------- */

static bool put(hid_t object, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool good = H5Awrite(attribute, type, value) >= 0;
    return H5Aclose(attribute) >= 0 && good;
}

static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0) H5Tclose(type);
    return H5I_INVALID_HID;
}

bool cord__hdf5_put_text(hid_t object, const char *name, const char *text)
{
    if (!text) return true;
    hid_t type = text_type(strlen(text) + 1), space = H5Screate(H5S_SCALAR);
    bool good = type >= 0 && space >= 0 && put(object, name, type, space, text);
    H5Tclose(type);
    H5Sclose(space);
    return good;
}

bool cord__hdf5_put_number(hid_t object, const char *name, double value)
{
    hsize_t size = 1;
    hid_t space = H5Screate_simple(1, &size, NULL);
    bool good = space >= 0 && put(object, name, H5T_NATIVE_DOUBLE, space, &value);
    H5Sclose(space);
    return good;
}

bool cord__hdf5_get_text(memory *m, hid_t object, const char *name, char **text)
{
    enum { MOST = 1 << 20 };
    *text = NULL;
    if (H5Aexists(object, name) <= 0) return true;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t type = H5Aget_type(attribute);
    size_t size = type >= 0 ? H5Tget_size(type) : 0;
    bool good = size > 0 && size < MOST && H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && H5Aget_storage_size(attribute) == size;
    if (good) *text = NEW(m, char, size + 1);
    good = good && *text && H5Aread(attribute, type, *text) >= 0;
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

bool cord__hdf5_get_numbers(hid_t object, const char *name, int count, double *values)
{
    if (H5Aexists(object, name) <= 0) return false;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t space = H5Aget_space(attribute);
    bool good = space >= 0 && H5Sget_simple_extent_npoints(space) == count &&
                H5Aread(attribute, H5T_NATIVE_DOUBLE, values) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

/* ---- bytes -------------------------------------------------------------------------------- */

bool cord__hdf5_put_bytes(hid_t group, const char *name, const void *bytes, size_t size)
{
    const hsize_t extent = size;
    hid_t set = create_set(group, name, H5T_NATIVE_UCHAR, 1, &extent);
    bool good = set >= 0 && (size == 0 || H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL,
                                                   H5P_DEFAULT, bytes) >= 0);
    if (set >= 0) H5Dclose(set);
    return good;
}

bool cord__hdf5_get_bytes(memory *m, hid_t group, const char *name, size_t most, char **bytes,
                          size_t *size)
{
    *bytes = NULL;
    *size = 0;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t space = H5Dget_space(set);
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool good = count >= 0 && (size_t)count <= most;
    if (good) *bytes = NEW(m, char, count + 1);
    good =
        good && *bytes &&
        (count == 0 || H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, *bytes) >= 0);
    if (good) *size = (size_t)count;
    H5Sclose(space);
    H5Dclose(set);
    return good;
}

/* ---- arrays ------------------------------------------------------------------------------- */

bool cord__hdf5_put_array(hid_t group, const char *name, hid_t stored, hid_t type, int rows,
                          const void *values)
{
    const hsize_t extent[2] = {(hsize_t)rows, 3};
    hid_t set = create_set(group, name, stored, 2, extent);
    bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (set >= 0) H5Dclose(set);
    return good;
}

bool cord__hdf5_get_array(memory *m, hid_t group, const char *name, hid_t type, size_t size,
                          int most, void **values, int *rows)
{
    hsize_t extent[2] = {0, 0};
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t space = H5Dget_space(set);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, extent, NULL) == 2 && extent[1] == 3 &&
                extent[0] > 0 && extent[0] <= (hsize_t)most;
    *rows = good ? (int)extent[0] : 0;
    if (good) *values = cord__allocate(m, 3 * (size_t)extent[0], size);
    good = good && *values && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) >= 0;
    if (space >= 0) H5Sclose(space);
    H5Dclose(set);
    return good;
}

/* ---- tables ------------------------------------------------------------------------------- */

/* One column of records in memory, from their `first` number on, each of `size` numbers. */
static hid_t select_column(const table_column *c, int rows, hsize_t first, hsize_t size)
{
    const hsize_t all[2] = {(hsize_t)rows, size}, start[2] = {0, first};
    const hsize_t count[2] = {(hsize_t)rows, (hsize_t)c->width};
    hid_t space = H5Screate_simple(2, all, NULL);
    if (space >= 0) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    return space;
}

static hid_t create_column(hid_t group, const table_column *c, int rows)
{
    const hsize_t extent[2] = {(hsize_t)rows, (hsize_t)c->width};
    return create_set(group, c->name, H5T_IEEE_F64LE, c->width > 1 ? 2 : 1, extent);
}

/* Only when it has as many rows and columns. */
static hid_t open_column(hid_t group, const table_column *c, int rows)
{
    hsize_t extent[2] = {0, 1};
    hid_t set = H5Dopen2(group, c->name, H5P_DEFAULT);
    if (set < 0) return set;
    hid_t space = H5Dget_space(set);
    int rank = c->width > 1 ? 2 : 1;
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
                extent[0] == (hsize_t)rows && extent[1] == (hsize_t)c->width;
    if (space >= 0) H5Sclose(space);
    if (good) return set;
    H5Dclose(set);
    return H5I_INVALID_HID;
}

static hsize_t record_size(const table_column *columns)
{
    hsize_t size = 0;
    for (const table_column *c = columns; c->name; c++) size += (hsize_t)c->width;
    return size;
}

bool cord__hdf5_put_table(hid_t group, const table_column *columns, int rows, const void *records)
{
    hsize_t first = 0, size = record_size(columns);
    bool good = true;
    for (const table_column *c = columns; good && c->name; first += (hsize_t)c->width, c++) {
        hid_t set = create_column(group, c, rows), from = select_column(c, rows, first, size);
        good = set >= 0 && from >= 0 &&
               H5Dwrite(set, H5T_NATIVE_DOUBLE, from, H5S_ALL, H5P_DEFAULT, records) >= 0;
        if (set >= 0) H5Dclose(set);
        if (from >= 0) H5Sclose(from);
    }
    return good;
}

bool cord__hdf5_get_table(hid_t group, const table_column *columns, int rows, void *records)
{
    hsize_t first = 0, size = record_size(columns);
    bool good = true;
    for (const table_column *c = columns; good && c->name; first += (hsize_t)c->width, c++) {
        hid_t set = open_column(group, c, rows), to = select_column(c, rows, first, size);
        good = set >= 0 && to >= 0 &&
               H5Dread(set, H5T_NATIVE_DOUBLE, to, H5S_ALL, H5P_DEFAULT, records) >= 0;
        if (set >= 0) H5Dclose(set);
        if (to >= 0) H5Sclose(to);
    }
    return good;
}

/* ---- texts -------------------------------------------------------------------------------- */

/* All of them have the room of the longest. */
cord_status cord__hdf5_put_texts(memory *m, hid_t group, const char *name, int count,
                                 const char *const *texts)
{
    size_t room = 1;
    for (int i = 0; i < count; i++) {
        size_t size = texts[i] ? strlen(texts[i]) + 1 : 1;
        if (size > room) room = size;
    }
    char *all = cord__allocate(m, (size_t)count, room);
    if (!all) return CORD_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        if (texts[i]) memcpy(all + (size_t)i * room, texts[i], strlen(texts[i]));
    }
    const hsize_t extent = (hsize_t)count;
    hid_t type = text_type(room);
    hid_t set = type >= 0 ? create_set(group, name, type, 1, &extent) : H5I_INVALID_HID;
    bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
    if (set >= 0) H5Dclose(set);
    if (type >= 0) H5Tclose(type);
    cord__release(m, all);
    return good ? CORD_OK : CORD_ERROR_FILE;
}

/* The room of each text of a dataset; 0 when it is not one of so many. */
static size_t room_of_texts(hid_t set, int count)
{
    enum { MOST = 1 << 20 };
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    size_t size = type >= 0 ? H5Tget_size(type) : 0;
    bool good = size > 0 && size < MOST && H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && space >= 0 &&
                H5Sget_simple_extent_npoints(space) == count;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return good ? size : 0;
}

/* Pointers, then the texts. */
char **cord__hdf5_get_texts(memory *m, hid_t group, const char *name, int count)
{
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return NULL;
    size_t room = room_of_texts(set, count);
    char **texts = room ? cord__allocate(m, (size_t)count, sizeof *texts + room) : NULL;
    char *all = texts ? (char *)(texts + count) : NULL;
    hid_t type = all ? text_type(room) : H5I_INVALID_HID;
    bool good = type >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
    for (int i = 0; good && i < count; i++) {
        texts[i] = all + (size_t)i * room;
        texts[i][room - 1] = 0;
    }
    if (type >= 0) H5Tclose(type);
    H5Dclose(set);
    if (good) return texts;
    cord__release(m, texts);
    return NULL;
}

/* ---- groups ------------------------------------------------------------------------------- */

hid_t cord__hdf5_make_numbered(hid_t group, int number)
{
    char name[16];
    snprintf(name, sizeof name, "%04d", number);
    return H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

hid_t cord__hdf5_open_numbered(hid_t group, int number)
{
    char name[16];
    snprintf(name, sizeof name, "%04d", number);
    return H5Gopen2(group, name, H5P_DEFAULT);
}
