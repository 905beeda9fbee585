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
    /* What does not agree with its checksum is read again, being perhaps half written; the default of
     * a hundred times takes minutes to find out that a file is damaged. */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(access, 10);
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    H5Pclose(access);
    return file;
}

/* ---- attributes --------------------------------------------------------------------------- */

static bool put(hid_t object, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool good = H5Awrite(attribute, type, value) >= 0;
    return H5Aclose(attribute) >= 0 && good;
}

bool cord__hdf5_put_text(hid_t object, const char *name, const char *text)
{
    if (!text) return true;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool good = type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0 && put(object, name, type, space, text);
    H5Tclose(type);
    H5Sclose(space);
    return good;
}

bool cord__hdf5_put_numbers(hid_t object, const char *name, int count, const double *values)
{
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    bool good = space >= 0 && put(object, name, H5T_NATIVE_DOUBLE, space, values);
    H5Sclose(space);
    return good;
}

bool cord__hdf5_put_number(hid_t object, const char *name, double value)
{
    return cord__hdf5_put_numbers(object, name, 1, &value);
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
    hsize_t extent = size;
    hid_t space = H5Screate_simple(1, &extent, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    /* Room is taken at once, so that later writing moves nothing. */
    bool good = space >= 0 && plan >= 0 && H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY) >= 0;
    hid_t set =
        good ? H5Dcreate2(group, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, plan, H5P_DEFAULT)
             : -1;
    good = set >= 0 && (size == 0 ||
                        H5Dwrite(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    H5Dclose(set);
    H5Pclose(plan);
    H5Sclose(space);
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

/* ---- groups ------------------------------------------------------------------------------- */

/* ---- arrays ------------------------------------------------------------------------------- */

bool cord__hdf5_put_array(hid_t group, const char *name, hid_t stored, hid_t type, int rows,
                          const void *values)
{
    const hsize_t extent[2] = {(hsize_t)rows, 3};
    hid_t space = H5Screate_simple(2, extent, NULL);
    hid_t set = space >= 0
                    ? H5Dcreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                    : -1;
    bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
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
