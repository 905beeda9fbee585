/* Datasets over frames: one row per frame, in chunks that are compressed and have a checksum. */
#ifndef CORDAGE_RECORD_HDF5_SERIES_H
#define CORDAGE_RECORD_HDF5_SERIES_H

#include "record/hdf5_values.h"

enum { MAX_RANK = 3 };

typedef struct series {
    char path[48];
    hid_t set;
    bool single; /* precision in the file */
    int rank;
    hsize_t extent[MAX_RANK]; /* the first is that of frames */
    const double *values;     /* a row, in the recorder's snapshot */
} series;

bool cord__series_create(hid_t file, const series *s);
hid_t cord__series_open(hid_t file, const series *s);
bool cord__series_resize(const series *s, hsize_t frames);
/* Appends the values as the row of this frame, the last one. */
bool cord__series_append(const series *s, hsize_t frame);

#endif
