#include "record/hdf5_contacts.h"

bool cord__contact_rows_create(hid_t file)
{
    const hsize_t first[2] = {0, CONTACT_NUMBERS}, most[2] = {H5S_UNLIMITED, CONTACT_NUMBERS};
    const hsize_t chunk[2] = {CONTACT_CHUNK, CONTACT_NUMBERS};
    hid_t group = H5Gcreate2(file, "contacts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, first, most), plan = H5Pcreate(H5P_DATASET_CREATE);
    bool good = group >= 0 && space >= 0 && plan >= 0 && H5Pset_chunk(plan, 2, chunk) >= 0 &&
                H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, 4) >= 0 &&
                H5Pset_fletcher32(plan) >= 0;
    hid_t set =
        good ? H5Dcreate2(group, "rows", H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT)
             : H5I_INVALID_HID;
    if (plan >= 0) H5Pclose(plan);
    if (space >= 0) H5Sclose(space);
    if (group >= 0) H5Gclose(group);
    return set >= 0 && H5Dclose(set) >= 0;
}

static bool extent_of(hid_t set, hsize_t extent[2])
{
    hid_t space = H5Dget_space(set);
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, extent, NULL) == 2 && extent[1] == CONTACT_NUMBERS;
    if (space >= 0) H5Sclose(space);
    return good;
}

/* Writes (`to` NULL) or reads `count` rows. */
static bool transfer(hid_t set, hsize_t first, hsize_t count, const contact_record *from,
                     contact_record *to)
{
    const hsize_t start[2] = {first, 0}, size[2] = {count, CONTACT_NUMBERS};
    hid_t all = H5Dget_space(set), part = H5Screate_simple(2, size, NULL);
    bool good = all >= 0 && part >= 0 &&
                H5Sselect_hyperslab(all, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
    if (good && to) good = H5Dread(set, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, to) >= 0;
    if (good && !to) good = H5Dwrite(set, H5T_NATIVE_DOUBLE, part, all, H5P_DEFAULT, from) >= 0;
    if (all >= 0) H5Sclose(all);
    if (part >= 0) H5Sclose(part);
    return good;
}

bool cord__contact_rows_append(hid_t set, const contact_record *rows, int count, double range[2])
{
    hsize_t extent[2];
    if (!extent_of(set, extent)) return false;
    hsize_t first = (extent[0] + CONTACT_CHUNK - 1) / CONTACT_CHUNK * CONTACT_CHUNK;
    range[0] = (double)first;
    range[1] = count;
    if (count == 0) return true;
    extent[0] = first + (hsize_t)count;
    return H5Dset_extent(set, extent) >= 0 && transfer(set, first, (hsize_t)count, rows, NULL);
}

bool cord__contact_range(const double range[2], int *count)
{
    *count = 0;
    if (!(range[0] >= 0 && range[0] < 1e15 && range[1] >= 0 && range[1] < (1 << 26))) return false;
    *count = (int)range[1];
    return true;
}

bool cord__contact_rows_read(hid_t set, const double range[2], contact_record *rows)
{
    hsize_t extent[2];
    int count;
    if (!cord__contact_range(range, &count) || !extent_of(set, extent)) return false;
    hsize_t first = (hsize_t)range[0];
    if (count == 0) return true;
    return first + (hsize_t)count <= extent[0] && transfer(set, first, (hsize_t)count, NULL, rows);
}
